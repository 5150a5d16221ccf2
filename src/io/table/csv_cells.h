/* What CSV files share: quoted texts, and whether all was written. */
#ifndef CAROM_IO_TABLE_CSV_CELLS_H
#define CAROM_IO_TABLE_CSV_CELLS_H

#include "carom/io.h"

/* A cell made of up to three parts, quoted as RFC 4180 asks when it holds a separator or a quote. */
void csv_put_text(FILE *stream, const char *before, const char *name, const char *after);

/* CAROM_OK when nothing went wrong on the stream; `earlier_errno` is why, where known. */
carom_status csv_check_stream(FILE *stream, int earlier_errno, carom_error *error);

#endif
