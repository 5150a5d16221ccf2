/* LU factors of sparse matrices by UMFPACK (Davis 2004). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <umfpack.h>

#include "carom/linalg.h"

/* The matrix is kept: a refinement of the solution reads it. */
struct carom_sparse_factor {
    int size;
    int *column_start, *row;
    double *value;
    void *symbolic, *numeric;
    double control[UMFPACK_CONTROL];
    int *work_int;                /* size; the pivots' columns after a factorisation, then work of solves */
    double *work, *right, *pivot; /* 5 size, size, size */
};

/* A pivot below this times the largest one is rounding: rows are scaled before. */
static const double rounding = 16.0 * DBL_EPSILON;

static bool copy_matrix(carom_sparse_factor *factor, const carom_sparse *a)
{
    const size_t size = (size_t)a->columns, entries = (size_t)a->column_start[a->columns];
    factor->column_start = carom_new_array(size + 1, sizeof *factor->column_start);
    factor->row = carom_new_array(entries, sizeof *factor->row);
    factor->value = carom_new_array(entries, sizeof *factor->value);
    if (!factor->column_start || !factor->row || !factor->value)
        return false;
    memcpy(factor->column_start, a->column_start, (size + 1) * sizeof *factor->column_start);
    for (size_t k = 0; k < entries; k++) {
        factor->row[k] = a->row[k];
        factor->value[k] = a->value[k];
    }
    return true;
}

static carom_sparse_factor *new_factor(const carom_sparse *a)
{
    carom_sparse_factor *factor = carom_new_array(1, sizeof *factor);
    if (!factor)
        return NULL;
    const size_t size = (size_t)a->columns;
    factor->size = a->columns;
    factor->work_int = carom_new_array(size, sizeof *factor->work_int);
    factor->work = carom_new_array(5 * size, sizeof *factor->work);
    factor->right = carom_new_array(size, sizeof *factor->right);
    factor->pivot = carom_new_array(size, sizeof *factor->pivot);
    umfpack_di_defaults(factor->control);
    if (copy_matrix(factor, a) && factor->work_int && factor->work && factor->right && factor->pivot)
        return factor;
    carom_sparse_factor_free(factor);
    return NULL;
}

static carom_status fail(int status, const char *part, carom_error *error)
{
    if (status == UMFPACK_ERROR_out_of_memory)
        return carom_fail_memory(error);
    return carom_fail(error, CAROM_FAILED, "the %s of a sparse matrix failed: UMFPACK status %d", part,
                      status);
}

/* OK when no pivot is rounding. */
static carom_status check_pivots(carom_sparse_factor *factor, carom_error *error)
{
    int scaled_by_reciprocal = 0;
    const int status = umfpack_di_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL, factor->work_int,
                                              factor->pivot, &scaled_by_reciprocal, NULL, factor->numeric);
    if (status < 0)
        return fail(status, "factorisation", error);
    const double largest = carom_largest(factor->size, factor->pivot);
    for (int k = 0; k < factor->size; k++)
        if (!(fabs(factor->pivot[k]) > rounding * largest) || isinf(factor->pivot[k]))
            return carom_fail(error, CAROM_FAILED,
                              "the matrix is singular: pivot %d of %d (column %d) is %.3g, the largest %.3g",
                              k + 1, factor->size, factor->work_int[k] + 1, factor->pivot[k], largest);
    return CAROM_OK;
}

static carom_status factor_values(carom_sparse_factor *factor, carom_error *error)
{
    umfpack_di_free_numeric(&factor->numeric);
    const int status = umfpack_di_numeric(factor->column_start, factor->row, factor->value, factor->symbolic,
                                          &factor->numeric, factor->control, NULL);
    if (status < 0)
        return fail(status, "factorisation", error);
    return check_pivots(factor, error);
}

static carom_status order_and_factor(carom_sparse_factor *factor, carom_error *error)
{
    if (factor->size == 0)
        return CAROM_OK;
    const int status = umfpack_di_symbolic(factor->size, factor->size, factor->column_start, factor->row,
                                           factor->value, &factor->symbolic, factor->control, NULL);
    if (status < 0)
        return fail(status, "ordering", error);
    return factor_values(factor, error);
}

carom_status carom_sparse_factor_create(const carom_sparse *a, carom_sparse_factor **factor,
                                        carom_error *error)
{
    *factor = NULL;
    carom_sparse_factor *made = new_factor(a);
    if (!made)
        return carom_fail_memory(error);
    const carom_status status = order_and_factor(made, error);
    if (status != CAROM_OK) {
        carom_sparse_factor_free(made);
        return status;
    }
    *factor = made;
    return CAROM_OK;
}

carom_status carom_sparse_factor_again(carom_sparse_factor *factor, const double *value, carom_error *error)
{
    if (factor->size == 0)
        return CAROM_OK;
    const size_t entries = (size_t)factor->column_start[factor->size];
    memcpy(factor->value, value, entries * sizeof *factor->value);
    return factor_values(factor, error);
}

void carom_sparse_solve(carom_sparse_factor *factor, double *x)
{
    if (factor->size == 0)
        return;
    memcpy(factor->right, x, (size_t)factor->size * sizeof *x);
    umfpack_di_wsolve(UMFPACK_A, factor->column_start, factor->row, factor->value, x, factor->right,
                      factor->numeric, factor->control, NULL, factor->work_int, factor->work);
}

void carom_sparse_factor_free(carom_sparse_factor *factor)
{
    if (!factor)
        return;
    umfpack_di_free_numeric(&factor->numeric);
    umfpack_di_free_symbolic(&factor->symbolic);
    free(factor->column_start);
    free(factor->row);
    free(factor->value);
    free(factor->work_int);
    free(factor->work);
    free(factor->right);
    free(factor->pivot);
    free(factor);
}
