/* LU factors of sparse matrices by KLU (Davis and Palamadai Natarajan 2010), solutions with refinement. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <klu.h>

#include "carom/linalg.h"

/* The matrix is kept: the refinement of a solution reads it. */
struct carom_sparse_factor {
    int size;
    int *column_start, *row;
    double *value;
    double *chosen; /* the values that the pivots were chosen for */
    bool keeps;     /* the factors are those of other values */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;             /* NULL: the next values are factored afresh */
    double growth;                    /* of the pivots when they were chosen; 1: none */
    double *right, *residual, *scale; /* size each */
};

/* A pivot below this times the largest one is rounding: rows are scaled before. */
static const double rounding = 16.0 * DBL_EPSILON;
/* Other values keep the pivots while entries of U grow at most so many times more than when they were
 * chosen. */
static const double kept_growth = 100.0;
enum {
    REFINEMENTS = 2
};

static bool copy_matrix(carom_sparse_factor *factor, const carom_sparse *a)
{
    const size_t size = (size_t)a->columns, entries = (size_t)a->column_start[a->columns];
    factor->column_start = carom_new_array(size + 1, sizeof *factor->column_start);
    factor->row = carom_new_array(entries, sizeof *factor->row);
    factor->value = carom_new_array(entries, sizeof *factor->value);
    factor->chosen = carom_new_array(entries, sizeof *factor->chosen);
    if (!factor->column_start || !factor->row || !factor->value || !factor->chosen)
        return false;
    memcpy(factor->column_start, a->column_start, (size + 1) * sizeof *factor->column_start);
    for (size_t k = 0; k < entries; k++) {
        factor->row[k] = a->row[k];
        factor->value[k] = a->value[k];
    }
    return true;
}

static void set_options(klu_common *common)
{
    klu_defaults(common);
    common->scale = 1;            /* rows by their sums */
    common->halt_if_singular = 0; /* all pivots are wanted: one of them is told */
}

static carom_sparse_factor *new_factor(const carom_sparse *a)
{
    carom_sparse_factor *factor = carom_new_array(1, sizeof *factor);
    if (!factor)
        return NULL;
    const size_t size = (size_t)a->columns;
    factor->size = a->columns;
    set_options(&factor->common);
    factor->right = carom_new_array(size, sizeof *factor->right);
    factor->residual = carom_new_array(size, sizeof *factor->residual);
    factor->scale = carom_new_array(size, sizeof *factor->scale);
    if (copy_matrix(factor, a) && factor->right && factor->residual && factor->scale)
        return factor;
    carom_sparse_factor_free(factor);
    return NULL;
}

/* ---- factors ------------------------------------------------------------------------------------------ */

static carom_status fail(const carom_sparse_factor *factor, const char *part, carom_error *error)
{
    if (factor->common.status == KLU_OUT_OF_MEMORY)
        return carom_fail_memory(error);
    return carom_fail(error, CAROM_FAILED, "the %s of a sparse matrix failed: KLU status %d", part,
                      factor->common.status);
}

/* The first pivot that is rounding, or size. What follows a pivot of zero is not a number, and no measure of
 * the others. */
static int find_rounding(const carom_sparse_factor *factor, double *largest)
{
    const double *pivot = factor->numeric->Udiag;
    int end = 0;
    *largest = 0.0;
    for (; end < factor->size && isfinite(pivot[end]) && pivot[end] != 0.0; end++)
        *largest = fmax(*largest, fabs(pivot[end]));
    for (int k = 0; k < end; k++)
        if (!(fabs(pivot[k]) > rounding * *largest))
            return k;
    return end;
}

static carom_status check_pivots(const carom_sparse_factor *factor, carom_error *error)
{
    double largest = 0.0;
    const int k = find_rounding(factor, &largest);
    if (k == factor->size)
        return CAROM_OK;
    return carom_fail(error, CAROM_FAILED,
                      "the matrix is singular: pivot %d of %d (column %d) is %.3g, the largest %.3g", k + 1,
                      factor->size, factor->symbolic->Q[k] + 1, ((const double *)factor->numeric->Udiag)[k],
                      largest);
}

/* How many times larger than the matrix the entries of U are, in the worst column; >= 1. */
static double pivot_growth(carom_sparse_factor *factor)
{
    if (!klu_rgrowth(factor->column_start, factor->row, factor->value, factor->symbolic, factor->numeric,
                     &factor->common))
        return INFINITY;
    return 1.0 / factor->common.rgrowth;
}

/* With the pivots of the last factors, which takes no memory; false when they do not suit these values. */
static bool keep_pivots(carom_sparse_factor *factor)
{
    double largest = 0.0;
    return factor->numeric &&
           klu_refactor(factor->column_start, factor->row, factor->value, factor->symbolic, factor->numeric,
                        &factor->common) &&
           find_rounding(factor, &largest) == factor->size &&
           pivot_growth(factor) <= kept_growth * factor->growth;
}

static size_t bytes_of(const carom_sparse_factor *factor)
{
    return (size_t)factor->column_start[factor->size] * sizeof(double);
}

static carom_status choose_pivots(carom_sparse_factor *factor, carom_error *error)
{
    klu_free_numeric(&factor->numeric, &factor->common);
    factor->numeric =
        klu_factor(factor->column_start, factor->row, factor->value, factor->symbolic, &factor->common);
    if (!factor->numeric)
        return fail(factor, "factorisation", error);
    memcpy(factor->chosen, factor->value, bytes_of(factor));
    const carom_status status = check_pivots(factor, error);
    if (status == CAROM_OK)
        factor->growth = pivot_growth(factor);
    else
        klu_free_numeric(&factor->numeric, &factor->common);
    return status;
}

static carom_status order(carom_sparse_factor *factor, carom_error *error)
{
    factor->symbolic = klu_analyze(factor->size, factor->column_start, factor->row, &factor->common);
    return factor->symbolic ? CAROM_OK : fail(factor, "ordering", error);
}

static carom_status order_and_factor(carom_sparse_factor *factor, carom_error *error)
{
    if (factor->size == 0)
        return CAROM_OK;
    const carom_status status = order(factor, error);
    return status == CAROM_OK ? choose_pivots(factor, error) : status;
}

carom_status carom_sparse_factor_create(const carom_sparse *a, carom_sparse_factor **factor,
                                        carom_error *error)
{
    static const int nothing = 0;
    *factor = NULL;
    if (a->columns < 0 || a->rows != a->columns || (a->columns > 0 && !a->column_start))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a matrix of %d x %d%s cannot be factored; it must be square", a->rows, a->columns,
                          a->column_start ? "" : " without entries");
    carom_sparse_factor *made = new_factor(a->column_start ? a : &(carom_sparse){.column_start = &nothing});
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
    memcpy(factor->value, value, bytes_of(factor));
    factor->keeps = keep_pivots(factor);
    return factor->keeps ? CAROM_OK : choose_pivots(factor, error);
}

/* ---- definite or not ---------------------------------------------------------------------------------- */

int carom_sparse_bad_pivot(const carom_sparse *a)
{
    carom_error why;
    carom_sparse_factor *factor = new_factor(a);
    int found = -2;
    if (!factor)
        return found;
    /* A = L D L^T: pivots on the diagonal, in an order that is the same for rows and columns */
    factor->common.btf = 0;
    factor->common.ordering = 0;
    factor->common.scale = 0;
    factor->common.tol = 0.0;
    if (factor->size == 0)
        found = -1;
    else if (order(factor, &why) == CAROM_OK)
        factor->numeric =
            klu_factor(factor->column_start, factor->row, factor->value, factor->symbolic, &factor->common);
    if (factor->numeric) {
        const double *pivot = factor->numeric->Udiag;
        int k = 0;
        while (k < factor->size && pivot[k] > 0.0 && isfinite(pivot[k]))
            k++;
        found = k == factor->size ? -1 : factor->symbolic->Q[k];
    }
    carom_sparse_factor_free(factor);
    return found;
}

/* ---- snapshots ---------------------------------------------------------------------------------------- */

/* How the factors came about: other bits may come from another way. */
typedef enum factor_past {
    PAST_NONE,    /* there is no factor */
    PAST_ORDERED, /* an ordering alone: the last values were singular */
    PAST_CHOSEN,  /* pivots of these values */
    PAST_KEPT     /* pivots of others */
} factor_past;

static factor_past past_of(const carom_sparse_factor *factor)
{
    if (!factor || factor->size == 0)
        return PAST_NONE;
    return !factor->numeric ? PAST_ORDERED : factor->keeps ? PAST_KEPT : PAST_CHOSEN;
}

static carom_status restore(carom_sparse_factor **factor, const carom_sparse *pattern, factor_past past,
                            double *chosen, const double *value)
{
    carom_error why;
    carom_sparse first = *pattern;
    first.value = chosen;
    carom_sparse_factor *made = *factor = new_factor(&first);
    if (!made)
        return CAROM_NO_MEMORY;
    const carom_status status = order(made, &why);
    if (status != CAROM_OK || past == PAST_ORDERED)
        return status;
    if (choose_pivots(made, &why) != CAROM_OK)
        return CAROM_FAILED;
    return past == PAST_KEPT ? carom_sparse_factor_again(made, value, &why) : CAROM_OK;
}

void carom_sparse_factor_keep(carom_sparse_factor **factor, const carom_sparse *pattern,
                              carom_snapshot *snapshot)
{
    const size_t entries = (size_t)pattern->column_start[pattern->columns], bytes = entries * sizeof(double);
    int past = (int)past_of(*factor);
    double *values = carom_new_array(2 * entries, sizeof *values);
    if (!values) {
        snapshot->failed = true;
        return;
    }
    if (past > PAST_ORDERED) {
        memcpy(values, (*factor)->chosen, bytes);
        memcpy(values + entries, (*factor)->value, bytes);
    }
    carom_snapshot_block(snapshot, &past, sizeof past);
    carom_snapshot_block(snapshot, values, 2 * bytes);
    if (snapshot->restores && !snapshot->failed && pattern->columns > 0) {
        carom_sparse_factor_free(*factor);
        *factor = NULL;
        snapshot->failed = past != PAST_NONE &&
                           restore(factor, pattern, (factor_past)past, values, values + entries) != CAROM_OK;
    }
    free(values);
}

/* ---- solutions ---------------------------------------------------------------------------------------- */

/* r = b - A x; the backward error max_i |r_i| / (|b| + |A| |x|)_i (Arioli, Demmel and Duff 1989). */
static double find_residual(carom_sparse_factor *factor, const double *x)
{
    const int n = factor->size;
    double *residual = factor->residual, *scale = factor->scale;
    for (int i = 0; i < n; i++) {
        residual[i] = factor->right[i];
        scale[i] = fabs(residual[i]);
    }
    for (int j = 0; j < n; j++)
        for (int k = factor->column_start[j]; k < factor->column_start[j + 1]; k++) {
            const double part = factor->value[k] * x[j];
            residual[factor->row[k]] -= part;
            scale[factor->row[k]] += fabs(part);
        }
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        if (scale[i] > 0.0)
            worst = fmax(worst, fabs(residual[i]) / scale[i]);
    return worst;
}

/* A step that does not halve the error is the last. */
static void refine(carom_sparse_factor *factor, double *x)
{
    double last = INFINITY;
    for (int step = 0; step < REFINEMENTS; step++) {
        const double now = find_residual(factor, x);
        if (!(now > DBL_EPSILON) || now > 0.5 * last)
            return;
        klu_solve(factor->symbolic, factor->numeric, factor->size, 1, factor->residual, &factor->common);
        carom_axpy(factor->size, 1.0, factor->residual, x);
        last = now;
    }
}

void carom_sparse_solve(carom_sparse_factor *factor, double *x)
{
    if (factor->size == 0)
        return;
    memcpy(factor->right, x, (size_t)factor->size * sizeof *x);
    klu_solve(factor->symbolic, factor->numeric, factor->size, 1, x, &factor->common);
    refine(factor, x);
}

void carom_sparse_solve_once(carom_sparse_factor *factor, double *x)
{
    if (factor->size > 0)
        klu_solve(factor->symbolic, factor->numeric, factor->size, 1, x, &factor->common);
}

void carom_sparse_factor_free(carom_sparse_factor *factor)
{
    if (!factor)
        return;
    klu_free_numeric(&factor->numeric, &factor->common);
    klu_free_symbolic(&factor->symbolic, &factor->common);
    free(factor->column_start);
    free(factor->row);
    free(factor->value);
    free(factor->chosen);
    free(factor->right);
    free(factor->residual);
    free(factor->scale);
    free(factor);
}
