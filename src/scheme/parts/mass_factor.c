#include "mass_factor.h"

#include <math.h>

bool mass_factor_take(mass_factor *mass, carom_arena *arena, const carom_model *model)
{
    const size_t dof = (size_t)model->dof;
    *mass = (mass_factor){
        .dof = model->dof, .constant = model->constant_mass, .is_sparse = carom_model_is_sparse(model)};
    mass->inverse = carom_arena_take(arena, dof, sizeof(double));
    if (mass->is_sparse)
        return mass->inverse &&
               sparse_matrix_take(&mass->sparse, arena, model->ops->matrix_pattern(model, CAROM_MATRIX_MASS));
    mass->factor = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    return mass->factor && mass->inverse;
}

void mass_factor_free(mass_factor *mass)
{
    sparse_matrix_free(&mass->sparse);
}

void mass_factor_keep(mass_factor *mass, carom_snapshot *snapshot)
{
    if (mass->is_sparse && !mass->constant)
        sparse_matrix_keep(&mass->sparse, snapshot);
}

/* 0, or the 1-based row of a mass that is not positive. */
static int invert_diagonal(int n, const double *matrix, double *inverse)
{
    for (int i = 0; i < n; i++) {
        const double entry = matrix[(ptrdiff_t)i * n + i];
        if (!(entry > 0.0))
            return i + 1;
        inverse[i] = 1.0 / entry;
    }
    return 0;
}

/* The same of a sparse matrix: a diagonal one is kept as its inverse, also where `full` is set. */
static int evaluate_sparse(mass_factor *mass, carom_model_work *work, double t, const double *q)
{
    const carom_sparse *pattern = &mass->sparse.pattern;
    double *value = mass->sparse.value;
    work->model->ops->matrix(work, CAROM_MATRIX_MASS, t, q, NULL, value);
    mass->diagonal = carom_sparse_is_diagonal(pattern);
    if (!mass->diagonal)
        return sparse_matrix_factor(&mass->sparse);
    for (int i = 0; i < mass->dof; i++) {
        const int k = pattern->column_start[i];
        if (k == pattern->column_start[i + 1] || !(value[k] > 0.0))
            return i + 1;
        mass->inverse[i] = 1.0 / value[k];
    }
    return 0;
}

int mass_factor_evaluate(mass_factor *mass, carom_model_work *work, double t, const double *q)
{
    const int n = mass->dof;
    if (mass->constant && mass->known)
        return 0;
    int bad_row = 0;
    if (mass->is_sparse)
        bad_row = evaluate_sparse(mass, work, t, q);
    else {
        work->model->ops->mass(work, t, q, mass->factor);
        mass->diagonal = !mass->full && carom_is_diagonal(n, mass->factor);
        bad_row = mass->diagonal ? invert_diagonal(n, mass->factor, mass->inverse)
                                 : carom_cholesky_factor(n, mass->factor);
    }
    mass->known = bad_row == 0;
    return bad_row;
}

double mass_factor_square(const mass_factor *mass, const double *x)
{
    const int n = mass->dof;
    double sum = 0.0;
    if (mass->diagonal) {
        for (int i = 0; i < n; i++)
            sum += x[i] * x[i] / mass->inverse[i];
        return sum;
    }
    const carom_sparse *pattern = &mass->sparse.pattern;
    for (int j = 0; mass->is_sparse && j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            sum += mass->sparse.value[k] * x[pattern->row[k]] * x[j];
    for (int j = 0; !mass->is_sparse && j < n; j++) { /* |L^T x|^2 */
        double entry = 0.0;
        for (int i = j; i < n; i++)
            entry += mass->factor[(ptrdiff_t)i * n + j] * x[i];
        sum += entry * entry;
    }
    return sum;
}

/* ---- check of the start ------------------------------------------------------------------------------- */

static carom_status check_pair(const carom_model *model, int i, int j, double lower, double upper,
                               carom_error *error)
{
    if (!isfinite(lower) || !isfinite(upper))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "mass matrix: the entry of coordinates '%s' and '%s' is %g; it must be finite",
                          model->coordinate[i], model->coordinate[j], isfinite(lower) ? upper : lower);
    if (fabs(lower - upper) > 1e-12 * (fabs(lower) + fabs(upper)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "mass matrix: not symmetric, the entries of coordinates '%s' and '%s' are "
                          "%.17g and %.17g",
                          model->coordinate[i], model->coordinate[j], lower, upper);
    return CAROM_OK;
}

static carom_status check_entries(const carom_model *model, const double *matrix, carom_error *error)
{
    const int n = model->dof;
    carom_status status = CAROM_OK;
    for (int i = 0; i < n && status == CAROM_OK; i++)
        for (int j = 0; j <= i && status == CAROM_OK; j++)
            status = check_pair(model, i, j, matrix[i * n + j], matrix[j * n + i], error);
    return status;
}

static carom_status check_matrix(carom_arena *arena, carom_model_work *work, double t, const double *q,
                                 bool *diagonal, carom_error *error)
{
    const carom_model *model = work->model;
    const int n = model->dof;
    mass_factor mass = {0};
    double *matrix = carom_arena_take(arena, carom_product((size_t)n, (size_t)n), sizeof *matrix);
    if (!matrix || !mass_factor_take(&mass, arena, model))
        return carom_fail_memory(error);
    model->ops->mass(work, t, q, matrix);
    carom_status status = check_entries(model, matrix, error);
    if (status != CAROM_OK)
        return status;
    const int bad_row = mass_factor_evaluate(&mass, work, t, q); /* not sparse: there is nothing to free */
    if (diagonal)
        *diagonal = mass.diagonal;
    if (bad_row == 0)
        return CAROM_OK;
    const double pivot = mass.diagonal
                             ? matrix[(bad_row - 1) * (n + 1)]
                             : carom_cholesky_pivot(n, matrix, bad_row - 1, mass.factor, mass.inverse);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the mass matrix is not positive definite: its pivot at coordinate '%s' is %g; every "
                      "coordinate needs a positive mass",
                      model->coordinate[bad_row - 1], pivot);
}

carom_status mass_check(carom_model_work *work, double t, const double *q, bool *diagonal, carom_error *error)
{
    if (carom_model_is_sparse(work->model)) {
        if (diagonal)
            *diagonal =
                carom_sparse_is_diagonal(work->model->ops->matrix_pattern(work->model, CAROM_MATRIX_MASS));
        return carom_model_check_sparse_mass(work, t, q, false, error);
    }
    carom_arena *arena = carom_arena_create();
    const carom_status status =
        !arena ? carom_fail_memory(error) : check_matrix(arena, work, t, q, diagonal, error);
    carom_arena_free(arena);
    return status;
}
