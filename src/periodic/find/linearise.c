/* A model as linear oscillators against obstacles: exactly, or near the rest of a nonlinear one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

enum {
    ITERATIONS = 60
};

static bool has_damping(const carom_periodic_model *periodic, double *by_u)
{
    const int n = periodic->model->dof;
    periodic->model->ops->force_jacobian(periodic->work, periodic->t0, periodic->q0, periodic->v0, NULL,
                                         by_u);
    return carom_largest(n * n, by_u) > 0.0;
}

const char *carom_why_not_linear(const carom_periodic_model *periodic)
{
    const carom_model *model = periodic->model;
    if (!model->conservative)
        return "it has applied forces or depends on time";
    if (!model->constant_mass)
        return "its mass matrix depends on the position";
    if (!model->affine_force)
        return "its forces are not linear in the position";
    for (int i = 0; i < model->contacts; i++)
        if (!model->contact[i].constant_rows)
            return "the gap of a contact is not linear in the position";
    double *by_u = carom_new_array(carom_product((size_t)model->dof, (size_t)model->dof), sizeof *by_u);
    const bool damped = by_u && has_damping(periodic, by_u);
    free(by_u);
    return damped ? "its forces depend on the velocity" : NULL;
}

static bool take_memory(const carom_periodic_model *periodic, carom_arena *arena, carom_linearised *linear)
{
    const size_t n = (size_t)periodic->model->dof, contacts = (size_t)periodic->model->contacts;
    linear->mass = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    linear->stiffness = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    linear->rest = carom_arena_take(arena, n, sizeof(double));
    linear->normal = carom_arena_take(arena, carom_product(contacts, n), sizeof(double));
    linear->gap = carom_arena_take(arena, contacts, sizeof(double));
    return linear->mass && linear->stiffness && linear->rest && linear->normal && linear->gap;
}

/* K = -(J + J^T) / 2 at the rest. */
static void take_stiffness(const carom_periodic_model *periodic, carom_linearised *linear, const double *zero,
                           double *jacobian)
{
    const int n = periodic->model->dof;
    periodic->model->ops->force_jacobian(periodic->work, periodic->t0, linear->rest, zero, jacobian, NULL);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            linear->stiffness[i * n + k] = -0.5 * (jacobian[i * n + k] + jacobian[k * n + i]);
}

/* Newton's method for force(rest) = 0 from the initial position; one step where the force is affine. */
static bool find_rest(const carom_periodic_model *periodic, carom_linearised *linear, const double *zero,
                      double *jacobian, double *force, int *pivot)
{
    const int n = periodic->model->dof;
    memcpy(linear->rest, periodic->q0, (size_t)n * sizeof(double));
    double before = INFINITY, size = 0.0; /* of positions: the largest so far */
    for (int i = 0; i < ITERATIONS; i++) {
        periodic->model->ops->force_jacobian(periodic->work, periodic->t0, linear->rest, zero, jacobian,
                                             NULL);
        periodic->model->ops->force(periodic->work, periodic->t0, linear->rest, zero, force);
        if (carom_lu_factor(n, jacobian, pivot) != 0)
            return false;
        carom_lu_solve(n, jacobian, pivot, force);
        carom_axpy(n, -1.0, force, linear->rest);
        const double step = carom_largest(n, force);
        if (!carom_all_finite(n, linear->rest))
            return false;
        size = fmax(size, fmax(step, carom_largest(n, linear->rest)));
        /* down to rounding: the step no longer shrinks */
        if (step == 0.0 || (step <= 1e-12 * size && step >= before))
            return true;
        before = step;
    }
    return before <= 1e-9 * size;
}

static void take_contacts(const carom_periodic_model *periodic, carom_linearised *linear)
{
    const carom_model *model = periodic->model;
    carom_contact_frame frame = periodic->frame;
    model->ops->gaps(periodic->work, periodic->t0, linear->rest, linear->gap);
    for (int i = 0; i < model->contacts; i++) {
        model->ops->frame(periodic->work, i, periodic->t0, linear->rest, &frame);
        carom_row_spread(&frame.normal, model->dof, linear->normal + (ptrdiff_t)i * model->dof);
        linear->regular = linear->regular && linear->gap[i] > 0.0 && isfinite(linear->gap[i]);
    }
}

carom_status linearise_again(const carom_periodic_model *periodic, carom_linearised *linear,
                             carom_error *error)
{
    const int n = periodic->model->dof;
    const size_t size = (size_t)n;
    double *work = carom_new_array(size * size + 2 * size, sizeof *work);
    int *pivot = carom_new_array(size, sizeof *pivot);
    if (!work || !pivot) {
        free(pivot);
        free(work);
        return carom_fail_memory(error);
    }
    double *jacobian = work, *force = work + size * size, *zero = force + size;
    linear->exact = carom_why_not_linear(periodic) == NULL;
    const bool rests = find_rest(periodic, linear, zero, jacobian, force, pivot);
    if (rests) {
        take_stiffness(periodic, linear, zero, jacobian);
        memcpy(jacobian, linear->stiffness, size * size * sizeof *jacobian);
        linear->regular = carom_cholesky_factor(n, jacobian) == 0;
        periodic->model->ops->mass(periodic->work, periodic->t0, linear->rest, linear->mass);
        take_contacts(periodic, linear);
    }
    free(pivot);
    free(work);
    return rests ? CAROM_OK
                 : carom_fail(error, CAROM_FAILED, "%s has no position of rest near its initial one",
                              periodic->name);
}

carom_status carom_linearise(const carom_periodic_model *periodic, carom_arena *arena,
                             carom_linearised *linear, carom_error *error)
{
    return take_memory(periodic, arena, linear) ? linearise_again(periodic, linear, error)
                                                : carom_fail_memory(error);
}
