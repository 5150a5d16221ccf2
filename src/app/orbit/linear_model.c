/* A model as linear oscillators against obstacles: exactly, or near the rest of a nonlinear one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/orbit_output.h"

enum {
    ITERATIONS = 60
};

static bool has_damping(const orbit_subject *subject, double *by_u)
{
    const int n = subject->model->dof;
    subject->model->ops->force_jacobian(subject->work, subject->t0, subject->q0, subject->v0, NULL, by_u);
    return carom_largest(n * n, by_u) > 0.0;
}

const char *orbit_not_linear(const orbit_subject *subject)
{
    const carom_model *model = subject->model;
    if (!model->conservative)
        return "it has applied forces or depends on time";
    if (!model->constant_mass)
        return "its mass matrix depends on the position";
    if (!model->affine_force)
        return "its forces are not linear in the position";
    for (int i = 0; i < model->contacts; i++)
        if (!model->contact[i].constant_rows)
            return "the gap of a contact is not linear in the position";
    double *by_u = carom_new_array((size_t)model->dof * (size_t)model->dof, sizeof *by_u);
    const bool damped = by_u && has_damping(subject, by_u);
    free(by_u);
    return damped ? "its forces depend on the velocity" : NULL;
}

static bool take_memory(const orbit_subject *subject, orbit_linear *linear)
{
    const size_t n = (size_t)subject->model->dof, contacts = (size_t)subject->model->contacts;
    linear->mass = carom_arena_take(subject->arena, n * n, sizeof(double));
    linear->stiffness = carom_arena_take(subject->arena, n * n, sizeof(double));
    linear->rest = carom_arena_take(subject->arena, n, sizeof(double));
    linear->normal = carom_arena_take(subject->arena, contacts * n, sizeof(double));
    linear->gap = carom_arena_take(subject->arena, contacts, sizeof(double));
    return linear->mass && linear->stiffness && linear->rest && linear->normal && linear->gap;
}

/* K = -(J + J^T) / 2 at the rest. */
static void take_stiffness(const orbit_subject *subject, orbit_linear *linear, const double *zero,
                           double *jacobian)
{
    const int n = subject->model->dof;
    subject->model->ops->force_jacobian(subject->work, subject->t0, linear->rest, zero, jacobian, NULL);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            linear->stiffness[i * n + k] = -0.5 * (jacobian[i * n + k] + jacobian[k * n + i]);
}

/* Newton's method for force(rest) = 0 from the initial position; one step where the force is affine. */
static bool find_rest(const orbit_subject *subject, orbit_linear *linear, const double *zero,
                      double *jacobian, double *force)
{
    const int n = subject->model->dof;
    int *pivot = carom_arena_take(subject->arena, (size_t)n, sizeof *pivot);
    memcpy(linear->rest, subject->q0, (size_t)n * sizeof(double));
    double before = INFINITY;
    for (int i = 0; pivot && i < ITERATIONS; i++) {
        subject->model->ops->force_jacobian(subject->work, subject->t0, linear->rest, zero, jacobian, NULL);
        subject->model->ops->force(subject->work, subject->t0, linear->rest, zero, force);
        if (carom_lu_factor(n, jacobian, pivot) != 0)
            return false;
        carom_lu_solve(n, jacobian, pivot, force);
        carom_axpy(n, -1.0, force, linear->rest);
        const double step = carom_largest(n, force);
        if (!carom_all_finite(n, linear->rest))
            return false;
        /* down to rounding: the step no longer shrinks */
        if (step == 0.0 || (step <= 1e-12 * (1.0 + carom_largest(n, linear->rest)) && step >= before))
            return true;
        before = step;
    }
    return before <= 1e-9 * (1.0 + carom_largest(n, linear->rest));
}

static void take_contacts(const orbit_subject *subject, orbit_linear *linear)
{
    const carom_model *model = subject->model;
    carom_contact_frame frame = subject->frame;
    model->ops->gaps(subject->work, subject->t0, linear->rest, linear->gap);
    for (int i = 0; i < model->contacts; i++) {
        model->ops->frame(subject->work, i, subject->t0, linear->rest, &frame);
        memcpy(linear->normal + (ptrdiff_t)i * model->dof, frame.normal, (size_t)model->dof * sizeof(double));
        linear->regular = linear->regular && linear->gap[i] > 0.0 && isfinite(linear->gap[i]);
    }
}

carom_status orbit_linear_take(const orbit_subject *subject, orbit_linear *linear, carom_error *error)
{
    const int n = subject->model->dof;
    const size_t size = (size_t)n;
    double *work = carom_new_array(size * size + 2 * size, sizeof *work);
    if (!work || !take_memory(subject, linear)) {
        free(work);
        return carom_fail_memory(error);
    }
    double *jacobian = work, *force = work + size * size, *zero = force + size;
    linear->exact = orbit_not_linear(subject) == NULL;
    const bool rests = find_rest(subject, linear, zero, jacobian, force);
    if (rests) {
        take_stiffness(subject, linear, zero, jacobian);
        memcpy(jacobian, linear->stiffness, size * size * sizeof *jacobian);
        linear->regular = carom_cholesky_factor(n, jacobian) == 0;
        subject->model->ops->mass(subject->work, subject->t0, linear->rest, linear->mass);
        take_contacts(subject, linear);
    }
    free(work);
    return rests ? CAROM_OK
                 : carom_fail(error, CAROM_FAILED, "%s has no position of rest near its initial one",
                              subject->experiment->name);
}
