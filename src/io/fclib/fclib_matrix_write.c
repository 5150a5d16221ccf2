#include "fclib_matrix.h"

#include <stdlib.h>

bool fclib_put_int(hid_t group, const char *name, int value)
{
    return hdf5_put_ints(group, name, 1, &value);
}

static bool put_parts(hid_t group, int storage, const carom_sparse *matrix, const int *start,
                      const int *index, const double *value)
{
    const int lines = storage == FCLIB_ROWS ? matrix->rows : matrix->columns, count = start[lines];
    return fclib_put_int(group, "nzmax", count) && fclib_put_int(group, "m", matrix->rows) &&
           fclib_put_int(group, "n", matrix->columns) && fclib_put_int(group, "nz", storage) &&
           hdf5_put_ints(group, "p", lines + 1, start) && hdf5_put_ints(group, "i", count, index) &&
           hdf5_put_reals(group, "x", count, value);
}

/* Columns are gone through in order, so those of a row ascend. */
static void sort_by_rows(const carom_sparse *a, int *start, int *next, int *column, double *value)
{
    for (int k = 0; k < a->column_start[a->columns]; k++)
        start[a->row[k] + 1]++;
    for (int i = 0; i < a->rows; i++) {
        start[i + 1] += start[i];
        next[i] = start[i];
    }
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            const int place = next[a->row[k]]++;
            column[place] = j;
            value[place] = a->value[k];
        }
}

static bool put_by_rows(hid_t group, const carom_sparse *matrix)
{
    const size_t rows = (size_t)matrix->rows, count = (size_t)matrix->column_start[matrix->columns];
    int *start = carom_new_array(rows + 1, sizeof *start), *next = carom_new_array(rows, sizeof *next);
    int *column = carom_new_array(count, sizeof *column);
    double *value = carom_new_array(count, sizeof *value);
    const bool taken = start && next && column && value;
    if (taken)
        sort_by_rows(matrix, start, next, column, value);
    const bool written = taken && put_parts(group, FCLIB_ROWS, matrix, start, column, value);
    free(start);
    free(next);
    free(column);
    free(value);
    return written;
}

bool fclib_put_matrix(hid_t parent, const char *name, int storage, const carom_sparse *matrix)
{
    const hid_t group = hdf5_create_group(parent, name);
    if (group < 0)
        return false;
    const bool written = storage == FCLIB_ROWS ? put_by_rows(group, matrix)
                                               : put_parts(group, storage, matrix, matrix->column_start,
                                                           matrix->row, matrix->value);
    return H5Gclose(group) >= 0 && written;
}
