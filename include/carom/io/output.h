/* Files that are written as a whole or not at all. What is written goes to PATH.new in the same directory and takes the name
 * PATH when it is complete; until then, and when something fails, what stood there stays as it was, and who reads it goes on
 * reading it. Two processes do not write one file at the same time: the second one is told. */
#ifndef CAROM_IO_OUTPUT_H
#define CAROM_IO_OUTPUT_H

#include <stdio.h>

#include "carom/base.h"

typedef struct carom_output carom_output;

/* Begins. What is not a plain file (a pipe, a terminal, /dev/...) is written as it comes. `keep`: a file that is there is
 * not replaced. BAD_INPUT: the path cannot be written; IO_ERROR: another process writes it. */
carom_status carom_output_open(const char *path, bool keep, carom_output **output, carom_error *error);
FILE *carom_output_stream(carom_output *output);
/* False: a pipe, a terminal, /dev/... */
bool carom_output_is_file(const carom_output *output);
/* Ends: the file is complete, or the error says why it is not. The output is freed in every case. */
carom_status carom_output_commit(carom_output *output, carom_error *error);
/* Ends without a file; NULL is fine. */
void carom_output_discard(carom_output *output);
/* All of it at once. */
carom_status carom_output_write(const char *path, bool keep, const void *bytes, size_t count,
                                carom_error *error);
/* Could an output be begun? Nothing stays behind. */
carom_status carom_output_try(const char *path, carom_error *error);

#endif
