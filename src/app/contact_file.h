/* Friction problems from files, and how a solver of them is asked for: shared by solve and bench. */
#ifndef CAROM_APP_CONTACT_FILE_H
#define CAROM_APP_CONTACT_FILE_H

#include "carom/contact/rolling.h"
#include "command.h"

/* A file read and turned into FC(W, q, mu). */
typedef struct contact_file {
    const char *path;
    carom_fclib *content;
    carom_arena *arena;    /* of the problem */
    int dimension;         /* numbers per contact in the file: 2 or 3, with rolling friction 3, 5 or 6 */
    int contacts;          /* of the file */
    carom_coulomb problem; /* of contact_file_read_global: contacts and mu only */
    bool is_rolling;       /* `problem` is that of the parts of `rolling`: more contacts than the file has */
    carom_rolling rolling;
} contact_file;

/* Messages begin with the path. */
carom_status contact_file_read(const char *path, contact_file *file, carom_error *error);
/* A global problem, left as it is: W and q are not computed. */
carom_status contact_file_read_global(const char *path, contact_file *file, carom_error *error);
/* One or the other: a global problem whose W would be large is left as it is. */
carom_status contact_file_read_either(const char *path, contact_file *file, bool *is_left,
                                      carom_error *error);
/* W and q of the file's problem, also after contact_file_read_global. */
carom_status contact_file_reduce(contact_file *file, carom_error *error);
/* `status` of a computation with the data of the file, whose failure means that they do not make a problem
 * that can be solved. */
carom_status contact_file_explain(const contact_file *file, carom_status status, const carom_error *reason,
                                  carom_error *error);
void contact_file_free(contact_file *file);

/* Between the file's numbers per contact and the problem's three: reactions, velocities. */
void contact_file_embed(const contact_file *file, const double *given, double *three);
void contact_file_extract(const contact_file *file, const double *three, double *given);
void contact_file_embed_velocities(const contact_file *file, const double *given, double *three);
void contact_file_extract_velocities(const contact_file *file, const double *three, double *given);

/* The name of a path without directories and without ".hdf5" or ".h5", with only characters that are good in
 * names of pictures; NULL when memory is short. */
char *contact_file_stem(carom_arena *arena, const char *path);

/* A solver with the values of its options. */
typedef struct chosen_solver {
    const carom_solver_ops *ops;
    const char *label; /* as it was asked for */
    carom_option
        *option; /* all of them with their values, in the order of ops->options; ends without a name */
} chosen_solver;

carom_status choose_solver(carom_arena *arena, const char *name, int option_count,
                           const carom_override *option, chosen_solver *chosen, carom_error *error);

/* The options --tol and --max-seconds, which both commands have. Prints what is wrong and returns false. */
bool read_limits(const command *self, const argument_option *tolerance, const argument_option *max_seconds,
                 carom_solver_options *limits);

#endif
