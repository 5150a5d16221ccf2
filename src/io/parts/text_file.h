/* A whole file of text in memory. */
#ifndef CAROM_IO_PARTS_TEXT_FILE_H
#define CAROM_IO_PARTS_TEXT_FILE_H

#include "carom/base.h"

/* The bytes of a plain file, in the arena, with a zero behind them. `what` is how messages call it: "controller file".
 * BAD_INPUT: it is not there, not a plain file, or larger than so many MiB. */
carom_status file_bytes_read(carom_arena *arena, const char *what, const char *path, int most_mb,
                             const unsigned char **bytes, size_t *length, carom_error *error);

/* The content of a plain file, ended with a zero, in the arena; zero bytes in it become '?'. BAD_INPUT: as above,
 * or larger than 16 MiB. */
carom_status text_file_read(carom_arena *arena, const char *what, const char *path, const char **text,
                            carom_error *error);

#endif
