/* Measures whose memory is one carom_numbers: the array that they find. */
#ifndef CAROM_RUN_MEASURE_NUMBERS_H
#define CAROM_RUN_MEASURE_NUMBERS_H

#include "carom/run.h"

carom_status numbers_finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                            carom_error *error);
void numbers_free(void *memory);
void numbers_keep(void *memory, carom_snapshot *snapshot);

#endif
