#include "start_mass.h"

#include "full_size.h"

carom_status start_mass_take(start_mass *mass, carom_arena *arena, const carom_model *model, const char *what,
                             carom_error *error)
{
    const size_t dof = (size_t)model->dof;
    *mass = (start_mass){.matrix = NULL};
    const carom_status status = full_size_check(
        model, what, "matrices that are mostly zeros need none, or take fewer coordinates", error);
    if (status != CAROM_OK)
        return status;
    mass->matrix = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    return mass->matrix && newton_matrix_take(&mass->newton, arena, model->dof) ? CAROM_OK
                                                                                : carom_fail_memory(error);
}

int start_mass_factor(start_mass *mass, carom_model_work *work, double t, const double *q)
{
    work->model->ops->mass(work, t, q, mass->matrix);
    return newton_matrix_factor(&mass->newton, mass->matrix);
}
