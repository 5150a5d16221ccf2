#include "start_mass.h"

#include "full_size.h"

carom_status start_mass_take(start_mass *mass, carom_arena *arena, const carom_model *model, const char *what,
                             carom_error *error)
{
    const size_t dof = (size_t)model->dof;
    *mass = (start_mass){.pattern = NULL};
    if (carom_model_is_sparse(model)) {
        const carom_sparse *pattern = model->ops->matrix_pattern(model, CAROM_MATRIX_MASS);
        mass->pattern = carom_sparse_is_diagonal(pattern) ? pattern : NULL;
    }
    if (mass->pattern) {
        mass->matrix = carom_arena_take(arena, (size_t)carom_sparse_entries(mass->pattern), sizeof(double));
        return mass->matrix && newton_matrix_take_diagonal(&mass->newton, arena, model->dof)
                   ? CAROM_OK
                   : carom_fail_memory(error);
    }
    const carom_status status = full_size_check(
        model, what, "a mass matrix that is diagonal needs none, or take fewer coordinates", error);
    if (status != CAROM_OK)
        return status;
    mass->matrix = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    return mass->matrix && newton_matrix_take(&mass->newton, arena, model->dof) ? CAROM_OK
                                                                                : carom_fail_memory(error);
}

int start_mass_factor(start_mass *mass, carom_model_work *work, double t, const double *q)
{
    const carom_model *model = work->model;
    if (!mass->pattern) {
        model->ops->mass(work, t, q, mass->matrix);
        return newton_matrix_factor(&mass->newton, mass->matrix);
    }
    model->ops->matrix(work, CAROM_MATRIX_MASS, t, q, NULL, mass->matrix);
    for (int i = 0; i < model->dof; i++) {
        const int k = mass->pattern->column_start[i];
        mass->newton.diagonals[i] = k == mass->pattern->column_start[i + 1] ? 0.0 : mass->matrix[k];
    }
    return newton_matrix_use_diagonal(&mass->newton);
}
