/* A whole file of text in memory. */
#ifndef CAROM_IO_PARTS_TEXT_FILE_H
#define CAROM_IO_PARTS_TEXT_FILE_H

#include "carom/base.h"

/* The content of a plain file, ended with a zero, in the arena; zero bytes in it become '?'. `what` is how messages call
 * it: "controller file". BAD_INPUT: it is not there, not a plain file, or larger than 16 MiB. */
carom_status text_file_read(carom_arena *arena, const char *what, const char *path, const char **text,
                            carom_error *error);

#endif
