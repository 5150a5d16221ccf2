#include "carom/run/model_impact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/scales.h"
#include "carom/run.h"

/* The model at the instant. */
typedef struct instant {
    const carom_experiment *experiment;
    const double *parameter;
    carom_model_work *work;
    carom_arena *arena; /* of what is needed on the way */
    double t, *q, *v, *gap;
    carom_scales scales;
    double *values;
    int closed_count;
    int *closed; /* contacts */
} instant;

/* ---- the state --------------------------------------------------------------------------------------- */

static double value_or(const instant *at, carom_value value, double otherwise)
{
    return value == CAROM_NO_VALUE || !at->values ? otherwise : at->values[value];
}

static carom_status resolve_values(instant *at, carom_error *error)
{
    const carom_tape *tape = at->experiment->values;
    if (!tape)
        return CAROM_OK;
    at->values = carom_arena_take(at->arena, (size_t)carom_tape_outputs(tape), sizeof(double));
    double *work = carom_new_array(carom_tape_work_size(tape), sizeof *work);
    if (at->values && work) {
        carom_tape_bind(tape, at->parameter, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){.t = 0.0}, at->values);
    }
    const bool done = at->values && work;
    free(work);
    return done ? CAROM_OK : carom_fail_memory(error);
}

static void take_start(instant *at)
{
    const carom_experiment *experiment = at->experiment;
    const carom_model *model = experiment->model;
    if (model->ops->initial)
        model->ops->initial(at->work, at->q, at->v);
    for (int i = 0; !model->ops->initial && i < model->dof; i++) {
        at->q[i] = value_or(at, experiment->q0[i], 0.0);
        at->v[i] = value_or(at, experiment->v0[i], 0.0);
    }
    at->t = value_or(at, experiment->t0, 0.0);
}

static carom_status take_state(const carom_model_impact_request *request, instant *at, carom_error *error)
{
    const carom_model *model = at->experiment->model;
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts;
    at->q = carom_arena_take(at->arena, n, sizeof(double));
    at->v = carom_arena_take(at->arena, n, sizeof(double));
    at->gap = carom_arena_take(at->arena, contacts, sizeof(double));
    at->closed = carom_arena_take(at->arena, contacts, sizeof(int));
    if (!at->q || !at->v || !at->gap || !at->closed)
        return carom_fail_memory(error);
    take_start(at);
    if (request->position)
        memcpy(at->q, request->position, n * sizeof *at->q);
    if (request->velocity)
        memcpy(at->v, request->velocity, n * sizeof *at->v);
    at->t = carom_given(request->t, at->t);
    if (!carom_all_finite(model->dof, at->q) || !isfinite(at->t))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: the initial position is not finite; check the initial values",
                          at->experiment->name);
    return CAROM_OK;
}

/* Of the model's length, times the size of the gap's gradient; and of the sizes of the terms of a joint. */
static const double closed_tolerance = 1e-9, joint_tolerance = 1e-9;

static double default_tolerance(const instant *at, int contact, carom_contact_frame *frame)
{
    at->work->model->ops->frame(at->work, contact, at->t, at->q, frame);
    const carom_row *normal = &frame->normal;
    return closed_tolerance * at->scales.length *
           sqrt(carom_dot(normal->count, normal->value, normal->value));
}

/* given: 0 for the default. */
static carom_status find_closed(instant *at, double given, carom_error *error)
{
    const carom_model *model = at->experiment->model;
    double nearest = INFINITY, tolerance = given;
    carom_contact_frame frame;
    if (!carom_contact_frame_take(at->arena, model, &frame))
        return carom_fail_memory(error);
    model->ops->gaps(at->work, at->t, at->q, at->gap);
    for (int j = 0; j < model->contacts; j++) {
        if (model->contact[j].friction_force) /* it has no gap, and no impulse at an instant */
            continue;
        const double limit = given > 0.0 ? given : default_tolerance(at, j, &frame);
        if (at->gap[j] <= limit)
            at->closed[at->closed_count++] = j;
        if (at->gap[j] < nearest) {
            nearest = at->gap[j];
            tolerance = limit;
        }
    }
    if (at->closed_count > 0)
        return CAROM_OK;
    if (nearest == INFINITY)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing to solve: %s has no contact",
                          at->experiment->name);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "nothing to solve: all gaps are open at the start of %s (the smallest is %g, closed is up to %g; a "
        "larger gap tolerance changes that)",
        at->experiment->name, nearest, tolerance);
}

/* ---- contact space ----------------------------------------------------------------------------------- */

typedef struct contact_arrays {
    double *mass, *dense, *rate, *stiffness, *exponent, *value;
    int *column_start, *row;
} contact_arrays;

static bool take_arrays(carom_arena *arena, size_t n, size_t contacts, carom_model_impact *made,
                        contact_arrays *arrays)
{
    arrays->mass = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    arrays->dense = carom_arena_take(arena, carom_product(n, contacts), sizeof(double));
    arrays->rate = carom_arena_take(arena, contacts, sizeof(double));
    arrays->stiffness = carom_arena_take(arena, contacts, sizeof(double));
    arrays->exponent = carom_arena_take(arena, contacts, sizeof(double));
    arrays->value = carom_arena_take(arena, carom_product(n, contacts), sizeof(double));
    arrays->column_start = carom_arena_take(arena, contacts + 1, sizeof(int));
    arrays->row = carom_arena_take(arena, carom_product(n, contacts), sizeof(int));
    made->restitution = carom_arena_take(arena, contacts, sizeof(double));
    made->contact = carom_arena_take(arena, contacts, sizeof *made->contact);
    made->coordinate = carom_arena_take(arena, n, sizeof *made->coordinate);
    return arrays->mass && arrays->dense && arrays->rate && arrays->stiffness && arrays->exponent &&
           arrays->value && arrays->column_start && arrays->row && made->restitution && made->contact &&
           made->coordinate;
}

/* The laws of impact have normal impulses only. */
static carom_status check_friction(const instant *at, int contact, const carom_contact_frame *frame,
                                   carom_error *error)
{
    const carom_contact_info *info = &at->experiment->model->contact[contact];
    if (carom_largest(info->coefficients, frame->coefficients) == 0.0 &&
        carom_all_finite(info->coefficients, frame->coefficients))
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "contact '%s' of %s has friction (its first coefficient is %g), which laws of impact do not have: "
        "they would leave it out. A run has impacts with friction; here give a model without, such as one "
        "with a coefficient of 0",
        info->name, at->experiment->name, frame->coefficients[0]);
}

/* One closed contact. A model need not say a restitution. */
static carom_status take_contact(carom_arena *arena, const instant *at, int place, carom_model_impact *made,
                                 const contact_arrays *arrays, carom_contact_frame *frame, carom_error *error)
{
    const carom_model *model = at->experiment->model;
    const int contact = at->closed[place];
    model->ops->frame(at->work, contact, at->t, at->q, frame);
    for (int i = 0; i < model->dof; i++)
        arrays->dense[(ptrdiff_t)i * at->closed_count + place] = carom_row_at(&frame->normal, i);
    arrays->rate[place] = frame->normal_rate;
    arrays->stiffness[place] = frame->stiffness;
    arrays->exponent[place] = frame->exponent;
    made->restitution[place] = model->contact[contact].has_restitution ? frame->restitution : NAN;
    made->contact[place] = carom_arena_copy_text(arena, model->contact[contact].name);
    return made->contact[place] ? check_friction(at, contact, frame, error) : carom_fail_memory(error);
}

static void store_mass(carom_impact *impact, int n, double *mass)
{
    if (!carom_is_diagonal(n, mass)) {
        impact->mass = mass;
        return;
    }
    for (int i = 0; i < n; i++)
        mass[i] = mass[(ptrdiff_t)i * n + i];
    impact->masses = mass;
}

static carom_status take_system(carom_arena *arena, instant *at, carom_model_impact *made, carom_error *error)
{
    const carom_model *model = at->experiment->model;
    const int n = model->dof, contacts = at->closed_count;
    contact_arrays arrays;
    carom_contact_frame frame = {0};
    double *velocity = carom_arena_take(arena, (size_t)n, sizeof *velocity);
    if (!velocity || !take_arrays(arena, (size_t)n, (size_t)contacts, made, &arrays) ||
        !carom_contact_frame_take(at->arena, model, &frame))
        return carom_fail_memory(error);
    for (int i = 0; i < n; i++)
        if (!(made->coordinate[i] = carom_arena_copy_text(arena, model->coordinate[i])))
            return carom_fail_memory(error);
    for (int j = 0; j < contacts; j++) {
        const carom_status status = take_contact(arena, at, j, made, &arrays, &frame, error);
        if (status != CAROM_OK)
            return status;
    }
    model->ops->mass(at->work, at->t, at->q, arrays.mass);
    memcpy(velocity, at->v, (size_t)n * sizeof *velocity);
    carom_impact_columns(n, contacts, arrays.dense, arrays.column_start, arrays.row, arrays.value);
    made->impact = (carom_impact){.coordinates = n,
                                  .contacts = contacts,
                                  .column_start = arrays.column_start,
                                  .row = arrays.row,
                                  .value = arrays.value,
                                  .rate = arrays.rate,
                                  .restitution = made->restitution,
                                  .stiffness = arrays.stiffness,
                                  .exponent = arrays.exponent,
                                  .velocity = velocity};
    store_mass(&made->impact, n, arrays.mass);
    return CAROM_OK;
}

/* ---- joints: rows that hold before and after ----------------------------------------------------------- */

/* Sums of numbers that cancel leave rounding. scale: what the numbers x are compared with where they are zero. */
static double tolerance_of(int n, const double *row, const double *x, double rest, double scale)
{
    double size = fabs(rest);
    for (int i = 0; i < n; i++)
        size += fabs(row[i]) * (fabs(x[i]) + scale);
    return joint_tolerance * size;
}

static carom_status check_value(const carom_model_impact *made, int joint, bool is_rate, double value,
                                double tolerance, carom_error *error)
{
    if (fabs(value) <= tolerance)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the initial %s of %s does not satisfy joint '%s': its %s is %g and must be 0 within %.3g; "
        "correct the initial %s",
        is_rate ? "velocity" : "position", made->name, made->joint[joint], is_rate ? "rate" : "value", value,
        tolerance, is_rate ? "velocities" : "positions");
}

/* J, joints x coordinates: the first rows of the model's constraints, which are sparse by columns. */
static bool take_rows(const instant *at, const carom_motion *motion, double *joint)
{
    const carom_model *model = at->experiment->model;
    const carom_sparse *pattern = model->ops->block_pattern(model, CAROM_BLOCK_ROWS);
    double *entry = carom_arena_take(at->arena, (size_t)pattern->column_start[model->dof], sizeof *entry);
    if (!entry)
        return false;
    model->ops->block(at->work, CAROM_BLOCK_ROWS, motion, entry);
    for (int i = 0; i < model->dof; i++)
        for (int k = pattern->column_start[i]; k < pattern->column_start[i + 1]; k++)
            if (pattern->row[k] < model->joints)
                joint[(ptrdiff_t)pattern->row[k] * model->dof + i] = entry[k];
    return true;
}

static carom_status take_joints(carom_arena *arena, const instant *at, carom_model_impact *made,
                                carom_error *error)
{
    const carom_model *model = at->experiment->model;
    const int n = model->dof, joints = model->joints;
    const carom_motion motion = {
        .t = at->t, .q = at->q, .v = at->q}; /* its velocity has no part in what is asked */
    if (joints == 0)
        return CAROM_OK;
    const size_t constraints = (size_t)joints + (size_t)model->contacts;
    double *joint = carom_arena_take(arena, (size_t)joints, (size_t)n * sizeof *joint);
    double *value = carom_arena_take(at->arena, constraints, sizeof *value);
    made->joint_rate = carom_arena_take(arena, constraints, sizeof *made->joint_rate);
    made->joint = carom_arena_take(arena, (size_t)joints, sizeof *made->joint);
    if (!joint || !value || !made->joint_rate || !made->joint || !take_rows(at, &motion, joint))
        return carom_fail_memory(error);
    model->ops->constraints(at->work, &motion, value, made->joint_rate, NULL);
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < joints; k++) {
        const double tolerance =
            tolerance_of(n, joint + (ptrdiff_t)k * n, at->q, made->joint_rate[k] * at->t, at->scales.length);
        made->joint[k] = carom_arena_copy_text(arena, model->joint[k]);
        status = made->joint[k] ? check_value(made, k, false, value[k], tolerance, error)
                                : carom_fail_memory(error);
    }
    made->impact.joints = joints;
    made->impact.joint = joint;
    return status;
}

carom_status carom_model_impact_check(const carom_model_impact *made, const carom_impact *impact,
                                      carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < impact->joints; k++) {
        const double *row = impact->joint + (ptrdiff_t)k * impact->coordinates;
        double rate = made->joint_rate[k];
        for (int i = 0; i < impact->coordinates; i++)
            rate += row[i] * impact->velocity[i];
        status = check_value(
            made, k, true, rate,
            tolerance_of(impact->coordinates, row, impact->velocity, made->joint_rate[k], 0.0), error);
    }
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static carom_status look(carom_arena *arena, const carom_model_impact_request *request, instant *at,
                         carom_model_impact *made, carom_error *error)
{
    const carom_model *model = at->experiment->model;
    model->ops->bind(at->work, at->parameter);
    carom_status status = model->ops->check ? model->ops->check(at->work, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = resolve_values(at, error);
    if (status == CAROM_OK)
        status = take_state(request, at, error);
    if (status == CAROM_OK)
        status = carom_model_scales(at->work, at->t, at->q, at->v, 1.0, &at->scales, error);
    if (status == CAROM_OK)
        status = find_closed(at, fmax(request->gap_tolerance, 0.0), error);
    if (status == CAROM_OK)
        status = take_system(arena, at, made, error);
    return status == CAROM_OK ? take_joints(arena, at, made, error) : status;
}

carom_status carom_model_impact_take(carom_arena *arena, const carom_model_impact_request *request,
                                     carom_model_impact *made, carom_error *error)
{
    const carom_experiment *experiment = request->experiment;
    const carom_model *model = experiment->model;
    *made = (carom_model_impact){.name = carom_arena_copy_text(arena, experiment->name)};
    if (!made->name)
        return carom_fail_memory(error);
    if (model->has_bodies)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has bodies with shapes, whose impacts are found while they move: run it, or write the "
            "model in coordinates, with contact { ... }",
            experiment->name);
    instant at = {.experiment = experiment,
                  .parameter = request->parameter ? request->parameter : experiment->parameter,
                  .work = model->ops->work_create(model),
                  .arena = carom_arena_create()};
    const carom_status status =
        at.work && at.arena ? look(arena, request, &at, made, error) : carom_fail_memory(error);
    if (at.work)
        model->ops->work_free(at.work);
    carom_arena_free(at.arena);
    return status;
}
