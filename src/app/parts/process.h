/* Other programs: found, started in a group of their own, stopped with all their children. */
#ifndef CAROM_APP_PARTS_PROCESS_H
#define CAROM_APP_PARTS_PROCESS_H

#include <sys/types.h>

#include "carom/base.h"

/* Is there a program of that name in PATH? */
bool process_is_installed(const char *program);

typedef struct process_place {
    const char *directory; /* where it works; NULL: here */
    const char *log;       /* file for its messages */
    const char *temporary; /* folder for its temporary files; NULL: as for carom */
    int pipe;              /* the socket that it sees as its descriptors 3 and 4; -1: none */
} process_place;

/* `argument` ends with NULL and begins with the program. */
carom_status process_start(char *const *argument, const process_place *place, pid_t *child,
                           carom_error *error);
/* Waits `seconds` for its end; false: it still runs, or the user wants to stop. */
bool process_wait(pid_t child, double seconds, int *exit_status);
/* Ends it and its children, at once. */
void process_kill(pid_t child);
void process_pause(double seconds);

/* The last line with words of a file of messages; "" when there is none. */
void process_last_words(const char *log, char *words, size_t size);

/* "directory/name", the caller's to free. */
char *process_join(const char *directory, const char *name);
/* A folder with everything in it. */
void process_remove_folder(const char *path);

#endif
