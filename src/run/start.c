#include "start.h"

#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/scales.h"

/* Of the model's length or its coordinates, times the size of the gap's gradient. */
static const double default_gap_tolerance = 1e-8;
static const double symmetry_tolerance = 1e-10;

static carom_status take_state(const run_plan *plan, carom_model_work *work, carom_arena *arena,
                               carom_state *state, carom_error *error)
{
    const carom_experiment *experiment = plan->experiment;
    const carom_model *model = experiment->model;
    const size_t dof = (size_t)model->dof, contacts = (size_t)model->contacts;
    const int positions = carom_model_positions(model);
    state->t = plan->t0;
    state->q = carom_arena_take(arena, (size_t)positions, sizeof *state->q);
    state->v = carom_arena_take(arena, dof, sizeof *state->v);
    state->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof *state->impulse);
    state->regime = carom_arena_take(arena, contacts, sizeof *state->regime);
    if (!state->q || !state->v || !state->impulse || !state->regime)
        return carom_fail_memory(error);
    if (model->ops->initial)
        model->ops->initial(work, state->q, state->v);
    for (int i = 0; !model->ops->initial && experiment->q0 && i < model->dof; i++) {
        state->q[i] = run_plan_value(plan, experiment->q0[i], 0.0);
        state->v[i] = run_plan_value(plan, experiment->v0[i], 0.0);
    }
    if (plan->q0)
        carom_copy(positions, plan->q0, state->q);
    if (plan->v0)
        carom_copy(model->dof, plan->v0, state->v);
    for (int i = 0; i < positions; i++)
        if (!isfinite(state->q[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "initial value of coordinate '%s' = %g: must be finite",
                              model->coordinate[i], state->q[i]);
    for (int i = 0; i < model->dof; i++)
        if (!isfinite(state->v[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "initial velocity of '%s' = %g: must be finite",
                              carom_model_velocity_name(model, i), state->v[i]);
    return CAROM_OK;
}

/* ---- gaps ------------------------------------------------------------------------------------------ */

static double largest(int count, const double *x)
{
    double largest_size = 0.0;
    for (int i = 0; i < count; i++)
        largest_size = fmax(largest_size, fabs(x[i]));
    return largest_size;
}

/* How far rounding of the coordinates can move the gap, with a wide margin. */
static carom_status find_allowance(const run_plan *plan, carom_model_work *work, int contact,
                                   const carom_state *state, carom_contact_frame *frame, double *allowed,
                                   carom_error *error)
{
    const carom_model *model = work->model;
    carom_scales scales;
    const carom_status status =
        carom_model_scales(work, state->t, state->q, state->v, plan->h, &scales, error);
    if (status != CAROM_OK)
        return status;
    *allowed = default_gap_tolerance * fmax(scales.length, largest(carom_model_positions(model), state->q));
    if (!model->ops->frame) /* beside bodies; most gaps are distances */
        return CAROM_OK;
    model->ops->frame(work, contact, state->t, state->q, frame);
    *allowed *= largest(frame->normal.count, frame->normal.value);
    return CAROM_OK;
}

static carom_status check_gap(const run_plan *plan, carom_model_work *work, int contact, double gap,
                              const carom_state *state, carom_contact_frame *frame, carom_error *error)
{
    const char *name = work->model->contact[contact].name;
    if (gap == INFINITY && work->model->contact[contact].may_be_absent)
        return CAROM_OK;
    if (!isfinite(gap))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "gap of contact '%s' at the initial position is %g: must be finite; check the gap's "
            "expression and the initial values",
            name, gap);
    if (gap >= 0.0)
        return CAROM_OK;
    carom_value given = plan->experiment->gap_tolerance;
    double allowed = given == CAROM_NO_VALUE ? 0.0 : plan->values[given];
    const carom_status status = given == CAROM_NO_VALUE
                                    ? find_allowance(plan, work, contact, state, frame, &allowed, error)
                                    : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    if (gap >= -allowed)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "initial position violates contact '%s': gap = %.10g (allowed: %g); move the initial "
                      "position out of the obstacle%s",
                      name, gap, -allowed,
                      work->model->ops->initial || plan->experiment == &plan->alone
                          ? ""
                          : " or give initial{ gap_tolerance = ... }");
}

static carom_status check_gaps(const run_plan *plan, carom_model_work *work, carom_arena *arena,
                               const carom_state *state, carom_error *error)
{
    const carom_model *model = work->model;
    double tolerance = run_plan_value(plan, plan->experiment->gap_tolerance, 0.0);
    if (!(isfinite(tolerance) && tolerance >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "initial{ gap_tolerance = %g }: must be finite and >= 0",
                          tolerance);
    double *gap = carom_arena_take(arena, (size_t)model->contacts, sizeof *gap);
    carom_contact_frame frame = {0};
    if (!gap || !carom_contact_frame_take(arena, model, &frame))
        return carom_fail_memory(error);
    model->ops->gaps(work, state->t, state->q, gap);
    for (int i = 0; i < model->contacts; i++) {
        carom_status status = check_gap(plan, work, i, gap[i], state, &frame, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* ---- mass matrix ------------------------------------------------------------------------------------ */

static carom_status check_mass_entries(const carom_model *model, const double *mass, carom_error *error)
{
    int n = model->dof;
    for (int i = 0; i < n * n; i++)
        if (!isfinite(mass[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass matrix at the initial position: entry ('%s', '%s') is %g; must be finite",
                              model->coordinate[i / n], model->coordinate[i % n], mass[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double lower = mass[i * n + j], upper = mass[j * n + i];
            double scale = fmax(fmax(fabs(lower), fabs(upper)),
                                sqrt(fabs(mass[i * n + i])) * sqrt(fabs(mass[j * n + j])));
            if (fabs(lower - upper) > symmetry_tolerance * scale)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "mass matrix at the initial position is not symmetric: entry ('%s', '%s') "
                                  "= %.10g but ('%s', '%s') = %.10g",
                                  model->coordinate[i], model->coordinate[j], lower, model->coordinate[j],
                                  model->coordinate[i], upper);
        }
    return CAROM_OK;
}

/* A structure's matrices are symmetric by their storage; only their size and signs can be wrong. */
static carom_status check_band_mass(const carom_model_work *work, carom_arena *arena, carom_error *error)
{
    const carom_model *model = work->model;
    const carom_band *mass = &model->ops->structure(work)->mass;
    carom_band factor;
    if (!carom_band_take(arena, mass->size, mass->width, &factor))
        return carom_fail_memory(error);
    memcpy(factor.entry, mass->entry, (size_t)mass->size * ((size_t)mass->width + 1) * sizeof *mass->entry);
    const int row = carom_band_factor(&factor);
    if (row == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "mass matrix is not positive definite at coordinate '%s': check length, density and "
                      "section",
                      model->coordinate[row - 1]);
}

/* Coordinates without inertia are the scheme's matter where it treats them: they get a mass for the check of
 * the others. */
static void fill_massless(int n, double *mass)
{
    for (int i = 0; i < n; i++)
        if (carom_largest(n, mass + (size_t)i * (size_t)n) == 0.0)
            mass[i * n + i] = 1.0;
}

static carom_status check_mass(carom_model_work *work, carom_arena *arena, const carom_state *state,
                               bool massless, carom_error *error)
{
    const carom_model *model = work->model;
    if (model->ops->structure)
        return check_band_mass(work, arena, error);
    if (carom_model_is_sparse(model))
        return carom_model_check_sparse_mass(work, state->t, state->q, massless, error);
    int n = model->dof;
    size_t entries = (size_t)n * (size_t)n;
    double *mass = carom_arena_take(arena, entries, sizeof *mass);
    double *factor = carom_arena_take(arena, entries, sizeof *factor);
    double *column = carom_arena_take(arena, (size_t)n, sizeof *column);
    if (!mass || !factor || !column)
        return carom_fail_memory(error);
    model->ops->mass(work, state->t, state->q, mass);
    carom_status status = check_mass_entries(model, mass, error);
    if (status != CAROM_OK)
        return status;
    if (massless)
        fill_massless(n, mass);
    memcpy(factor, mass, entries * sizeof *mass);
    int row = carom_cholesky_factor(n, factor);
    if (row == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "mass matrix at the initial position is not positive definite: pivot of coordinate "
                      "'%s' is %.10g; check for a coordinate without inertia or a negative mass",
                      model->coordinate[row - 1], carom_cholesky_pivot(n, mass, row - 1, factor, column));
}

/* Puts the place of the model file before a message. */
static carom_status locate(const carom_experiment *experiment, int line, carom_status status,
                           carom_error *error)
{
    if (status != CAROM_BAD_INPUT || !experiment->file || line == 0)
        return status;
    return carom_fail(error, status, "%s:%d: %s", experiment->file, line, error->text);
}

carom_status run_start(const run_plan *plan, carom_model_work *work, carom_arena *arena, carom_state *state,
                       carom_error *error)
{
    const carom_experiment *experiment = plan->experiment;
    carom_status status = take_state(plan, work, arena, state, error);
    if (experiment->study)
        return status;
    if (status == CAROM_OK)
        status = check_gaps(plan, work, arena, state, error);
    if (status != CAROM_OK)
        return locate(experiment, experiment->initial_line, status, error);
    if (!work->model->has_bodies) /* whose masses are checked with their parameters */
        status = check_mass(work, arena, state, plan->scheme->abilities & CAROM_SCHEME_INCLUSIONS, error);
    if (status != CAROM_OK)
        return locate(experiment, experiment->inertia_line, status, error);
    double energy = work->model->ops->energy(work, state->t, state->q, state->v);
    if (!isfinite(energy))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "energy of the initial state is %g: must be finite; check the energies' expressions "
            "and the initial values",
            energy);
    return CAROM_OK;
}
