/* Files under a temporary name that one process has for itself until they get their own name. */
#ifndef CAROM_IO_PARTS_LOCKED_FILE_H
#define CAROM_IO_PARTS_LOCKED_FILE_H

#include "carom/base.h"

typedef struct locked_file {
    char *target; /* what the file will be called; symbolic links are followed */
    char *path;   /* where it is until then */
    int descriptor;
    bool named; /* it has its own name now; the temporary one may be another process's */
} locked_file;

/* Opens `target` + `suffix` for reading and writing, makes it when it is not there, and locks it; what is in it stays.
 * IO_ERROR: another process has it; BAD_INPUT: it cannot be made. */
carom_status locked_file_open(const char *target, const char *suffix, locked_file *file, carom_error *error);
/* Gives the file the name `target`, with the permissions of one that it replaces; `keep`: BAD_INPUT when there is one. */
carom_status locked_file_rename(locked_file *file, bool keep, carom_error *error);
/* Closes; `remove`: takes the file away. Zeros are fine. */
void locked_file_close(locked_file *file, bool remove);

#endif
