/* Matrices of n x n numbers, and from which n on none are made. */
#ifndef CAROM_SCHEME_PARTS_FULL_SIZE_H
#define CAROM_SCHEME_PARTS_FULL_SIZE_H

#include "carom/model.h"

/* BAD_INPUT when a full matrix of the model would have more than 2 GiB: what needs it ("joint 'a'"), and what to do. */
carom_status full_size_check(const carom_model *model, const char *what, const char *instead,
                             carom_error *error);
/* The same for some matrices that have so many numbers together. */
carom_status full_size_check_numbers(double numbers, const char *what, const char *instead,
                                     carom_error *error);
/* The same for a matrix of rows x rows numbers. */
carom_status full_size_check_rows(double rows, const char *what, const char *instead, carom_error *error);

#endif
