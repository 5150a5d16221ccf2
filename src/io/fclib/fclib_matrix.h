/* Matrices of FCLIB files: a group with the datasets m (rows), n (columns), nz, p, i, x.
 *
 *   nz >= 0   triplets: i row, p column (the C library's own comment exchanges them; its files do not)
 *   nz = -1   compressed columns: p starts of columns, i rows
 *   nz = -2   compressed rows: p starts of rows, i columns
 *
 * The dataset nzmax is what was once allocated and says nothing. */
#ifndef CAROM_IO_FCLIB_FCLIB_MATRIX_H
#define CAROM_IO_FCLIB_FCLIB_MATRIX_H

#include "fclib_dataset.h"

enum {
    FCLIB_COLUMNS = -1,
    FCLIB_ROWS = -2
};

/* Reads a matrix that must have this many rows and columns; `why` says where these come from. */
carom_status fclib_read_matrix(const fclib_group *parent, const char *name, int rows, int columns,
                               const char *why, carom_sparse *matrix);

/* A scalar is a list of one. False when HDF5 fails. */
bool fclib_put_int(hid_t group, const char *name, int value);

/* Writes a matrix by columns or by rows. False when HDF5 or memory fails. */
bool fclib_put_matrix(hid_t parent, const char *name, int storage, const carom_sparse *matrix);

#endif
