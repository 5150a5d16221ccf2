#include "constant_mass.h"

#include <math.h>
#include <string.h>

static bool is_diagonal(int n, const double *matrix)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i != j && matrix[i * n + j] != 0.0)
                return false;
    return true;
}

static carom_status check_entries(const carom_model *model, const double *matrix, carom_error *error)
{
    const int n = model->dof;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double lower = matrix[i * n + j], upper = matrix[j * n + i];
            if (!isfinite(lower) || !isfinite(upper))
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "mass matrix: the entry of coordinates '%s' and '%s' is %g; it must be finite",
                    model->coordinate[i], model->coordinate[j], isfinite(lower) ? upper : lower);
            if (fabs(lower - upper) > 1e-12 * (fabs(lower) + fabs(upper)))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "mass matrix: not symmetric, the entries of coordinates '%s' and '%s' are "
                                  "%.17g and %.17g",
                                  model->coordinate[i], model->coordinate[j], lower, upper);
        }
    return CAROM_OK;
}

static carom_status fail_pivot(const carom_model *model, int row, double pivot, carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the mass matrix is not positive definite: its pivot at coordinate '%s' is %g; every "
                      "coordinate needs a positive mass",
                      model->coordinate[row], pivot);
}

/* Pivot of a row: M_rr - b.A^-1 b, with the leading block A, which is positive definite, and b = M_r,<r. */
static double pivot_of_row(int n, const double *matrix, int row, double *block, double *x)
{
    for (int i = 0; i < row; i++) {
        memcpy(block + i * row, matrix + i * n, (size_t)row * sizeof *block);
        x[i] = matrix[row * n + i];
    }
    if (row > 0) {
        carom_cholesky_factor(row, block);
        carom_cholesky_solve(row, block, x);
    }
    return matrix[row * n + row] - carom_dot(row, matrix + row * n, x);
}

static carom_status invert_diagonal(const carom_model *model, const double *matrix, constant_mass *mass,
                                    carom_error *error)
{
    for (int i = 0; i < mass->dof; i++) {
        double entry = matrix[i * mass->dof + i];
        if (!(entry > 0.0))
            return fail_pivot(model, i, entry, error);
        mass->inverse[i] = 1.0 / entry;
    }
    return CAROM_OK;
}

carom_status constant_mass_create(carom_arena *arena, carom_model_work *work, double t, const double *q,
                                  constant_mass *mass, carom_error *error)
{
    const carom_model *model = work->model;
    const int n = model->dof;
    const size_t entries = (size_t)n * (size_t)n;
    double *matrix = carom_arena_take(arena, entries, sizeof *matrix);
    mass->dof = n;
    mass->inverse = carom_arena_take(arena, (size_t)n, sizeof(double));
    mass->factor = carom_arena_take(arena, entries, sizeof(double));
    if (!matrix || !mass->inverse || !mass->factor)
        return carom_fail_memory(error);

    model->ops->mass(work, t, q, matrix);
    carom_status status = check_entries(model, matrix, error);
    if (status != CAROM_OK)
        return status;
    mass->diagonal = is_diagonal(n, matrix);
    if (mass->diagonal)
        return invert_diagonal(model, matrix, mass, error);

    memcpy(mass->factor, matrix, entries * sizeof *matrix);
    int bad_row = carom_cholesky_factor(n, mass->factor);
    if (bad_row == 0)
        return CAROM_OK;
    double pivot = pivot_of_row(n, matrix, bad_row - 1, mass->factor, mass->inverse);
    return fail_pivot(model, bad_row - 1, pivot, error);
}
