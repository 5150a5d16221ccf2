/* Is a sparse mass matrix one? */
#include <math.h>

#include "carom/model.h"

enum {
    WIDTH_MAX = 64 /* of bands */
};

static carom_status check_entries(const carom_model *model, const carom_sparse *a, carom_error *error)
{
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            const int i = a->row[k], mirrored = carom_sparse_place(a, j, i);
            const double entry = a->value[k], other = mirrored < 0 ? 0.0 : a->value[mirrored];
            if (!isfinite(entry))
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "mass matrix: the entry of coordinates '%s' and '%s' is %g; it must be finite",
                    model->coordinate[i], model->coordinate[j], entry);
            if (fabs(entry - other) > 1e-12 * (fabs(entry) + fabs(other)))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "mass matrix: not symmetric, the entries of coordinates '%s' and '%s' are "
                                  "%.17g and %.17g",
                                  model->coordinate[i], model->coordinate[j], entry, other);
        }
    return CAROM_OK;
}

static bool has_inertia(const carom_sparse *a, int column)
{
    for (int k = a->column_start[column]; k < a->column_start[column + 1]; k++)
        if (a->value[k] != 0.0)
            return true;
    return false;
}

/* The first coordinate whose own mass is not positive; -1: there is none. */
static int find_no_mass(const carom_sparse *a, bool massless, double *mass)
{
    for (int i = 0; i < a->columns; i++) {
        const int place = carom_sparse_place(a, i, i);
        *mass = place < 0 ? 0.0 : a->value[place];
        if (!(*mass > 0.0) && !(massless && !has_inertia(a, i)))
            return i;
    }
    return -1;
}

/* The matrix in the order that makes it narrow, with a mass for those who have none; false when memory is short. */
static bool fill_band(carom_arena *arena, const carom_sparse *a, int width, const int *order,
                      carom_band *band)
{
    if (!carom_band_take(arena, a->columns, width, band))
        return false;
    for (int j = 0; j < a->columns; j++) {
        if (!has_inertia(a, j))
            *carom_band_at(band, order[j], order[j]) = 1.0;
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            if (order[a->row[k]] >= order[j] && a->value[k] != 0.0)
                *carom_band_at(band, order[a->row[k]], order[j]) = a->value[k];
    }
    return true;
}

/* The same in a sparse matrix, where a band would be wide: one coordinate may share inertia with all others. */
static int find_bad_pivot_wide(carom_arena *arena, const carom_sparse *a)
{
    const size_t entries = (size_t)carom_sparse_entries(a) + (size_t)a->columns;
    int *row = carom_arena_take(arena, entries, sizeof *row),
        *column = carom_arena_take(arena, entries, sizeof *column);
    double *value = carom_arena_take(arena, entries, sizeof *value);
    size_t count = 0;
    if (!row || !column || !value)
        return -2;
    for (int j = 0; j < a->columns; j++) {
        row[count] = column[count] = j;
        value[count++] = has_inertia(a, j) ? 0.0 : 1.0;
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            row[count] = a->row[k];
            column[count] = j;
            value[count++] = a->value[k];
        }
    }
    carom_sparse whole;
    return carom_sparse_take(arena, a->columns, a->columns, count, row, column, value, &whole)
               ? carom_sparse_bad_pivot(&whole)
               : -2;
}

/* The coordinate at which Cholesky's factorisation ends; -1: nowhere, -2: memory is short. */
static int find_bad_pivot(carom_arena *arena, const carom_sparse *a)
{
    carom_band band;
    int *order = carom_arena_take(arena, (size_t)a->columns, sizeof *order);
    const int width = order ? carom_narrow_order(a, order) : -1;
    if (width > WIDTH_MAX)
        return find_bad_pivot_wide(arena, a);
    if (width < 0 || !fill_band(arena, a, width, order, &band))
        return -2;
    const int bad = carom_band_factor(&band);
    for (int i = 0; bad > 0 && i < a->columns; i++)
        if (order[i] == bad - 1)
            return i;
    return -1;
}

static carom_status check(carom_arena *arena, carom_model_work *work, double t, const double *q,
                          bool massless, carom_error *error)
{
    const carom_model *model = work->model;
    carom_sparse a = *model->ops->matrix_pattern(model, CAROM_MATRIX_MASS);
    double *value = carom_arena_take(arena, (size_t)carom_sparse_entries(&a), sizeof *value), mass = 0.0;
    if (!value)
        return carom_fail_memory(error);
    a.value = value;
    model->ops->matrix(work, CAROM_MATRIX_MASS, t, q, NULL, value);
    const carom_status status = check_entries(model, &a, error);
    if (status != CAROM_OK)
        return status;
    const int missing = find_no_mass(&a, massless, &mass);
    if (missing >= 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the mass matrix is not positive definite: its pivot at coordinate '%s' is %g; every "
            "coordinate needs a positive mass",
            model->coordinate[missing], mass);
    const int bad = carom_sparse_is_diagonal(&a) ? -1 : find_bad_pivot(arena, &a);
    if (bad == -2)
        return carom_fail_memory(error);
    return bad < 0
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "the mass matrix is not positive definite: its pivot at coordinate '%s' is not "
                            "positive; every coordinate needs a positive mass",
                            model->coordinate[bad]);
}

carom_status carom_model_check_sparse_mass(carom_model_work *work, double t, const double *q, bool massless,
                                           carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    const carom_status status = arena ? check(arena, work, t, q, massless, error) : carom_fail_memory(error);
    carom_arena_free(arena);
    return status;
}
