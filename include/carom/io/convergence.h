/* An order study as a table. */
#ifndef CAROM_IO_CONVERGENCE_H
#define CAROM_IO_CONVERGENCE_H

#include <stdio.h>

#include "carom/survey.h"

/* scheme, h, status, steps, seconds and the errors: of positions (error_q), velocities (error_v), and of the named quantities, one name
 * per further curve of the study. A line per run that was made; an error that is not known is an empty cell. */
carom_status carom_convergence_write_csv(FILE *stream, const carom_convergence *study,
                                         const char *const *quantity, carom_error *error);

#endif
