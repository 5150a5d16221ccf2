/* What a command was asked, kept in the head of its journal: enough to go on without any other file. */
#ifndef CAROM_APP_RESUMED_H
#define CAROM_APP_RESUMED_H

#include "command.h"

typedef struct resumed_command {
    carom_arena *arena;
    carom_journal *journal;
    char *version;   /* of the program */
    char *directory; /* where it was asked */
    char *output;    /* the option that names the output beside which the journal stands: "--out" */
    int argc;        /* of the command, its name first */
    char **argv;     /* and NULL */
    char *name, *file, *text, *variant; /* of the model; NULL: none */
    bool is_silent;                     /* what the model prints was shown by another process */
    bool is_again;                      /* a run file was run again */
    run_again again;
} resumed_command;

/* The head of a journal: the arguments, the directory, and the experiment's own text. */
carom_status resumed_head_pack(const char *output, int argc, char **argv, const carom_experiment *experiment,
                               const run_again *again, carom_snapshot *head, carom_error *error);
/* The same head from its bytes, without a journal: what another process of this program was asked. To be freed in every case. */
carom_status resumed_from_bytes(const void *bytes, size_t count, resumed_command *from, carom_error *error);
/* Opens the journal of an output and reads its head; to be freed in every case. */
carom_status resumed_open(const char *path, resumed_command *from, carom_error *error);
void resumed_free(resumed_command *from);

/* Loads the model of the head; overrides are those of a run again, or those given. */
carom_status resumed_load(const resumed_command *from, int override_count, const carom_override *override,
                          carom_experiment **experiment, carom_error *error);

/* Begins the journal of an output, or takes over the one that is resumed. Says when an old one is kept. */
carom_status journal_for(const char *output, const char *path, resumed_command *from, int argc, char **argv,
                         const carom_experiment *experiment, const run_again *again, carom_journal **journal,
                         carom_error *error);

#endif
