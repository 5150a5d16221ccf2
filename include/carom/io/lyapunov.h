/* Lyapunov exponents as a table. Part of room io. */
#ifndef CAROM_IO_LYAPUNOV_H
#define CAROM_IO_LYAPUNOV_H

#include <stdio.h>

#include "carom/survey/exponents.h"

/* "time,exponent1,exponent2,..." and a row per point of the convergence; an exponent without bound is an empty cell. */
carom_status carom_lyapunov_write_csv(FILE *stream, const carom_lyapunov *found, carom_error *error);
/* "w,start,status,exponent1,...,spread1,...,impacts,time,regular" and a row per motion; `parameter` NULL: no first column. */
carom_status carom_exponents_write_csv(FILE *stream, const char *parameter, const carom_exponents *all,
                                       carom_error *error);

#endif
