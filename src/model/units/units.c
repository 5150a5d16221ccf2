/* A model in other units behind the model interface: arguments are divided by their factors, the model is asked, results are
 * multiplied by theirs. Powers of two round nothing, so that the model computes the same significands. */
#include "units_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/body_units.h"

/* ---- units ------------------------------------------------------------------------------------------- */

static double whole_power(double x, int n)
{
    double product = 1.0;
    for (int i = 0; i < (n < 0 ? -n : n); i++)
        product *= x;
    return n < 0 ? 1.0 / product : product;
}

double carom_units_factor(const carom_units *units, carom_dimension dimension)
{
    return whole_power(units->length, dimension.length) * whole_power(units->time, dimension.time) *
           whole_power(units->mass, dimension.mass);
}

carom_status carom_units_parse(const char *text, carom_units *units, carom_error *error)
{
    *units = (carom_units){1.0, 1.0, 1.0};
    for (const char *at = text; *at;) {
        char *end = NULL;
        double *to = *at == 'L'   ? &units->length
                     : *at == 'T' ? &units->time
                     : *at == 'M' ? &units->mass
                                  : NULL;
        if (to && at[1] == '=')
            *to = strtod(at + 2, &end);
        if (!end || end == at + 2 || !(*to > 0.0 && isfinite(*to)) || (*end && *end != ','))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "units '%s': give L, T and M as positive numbers, such as L=1000,T=1,M=1e-3",
                              text);
        at = *end ? end + 1 : end;
    }
    return CAROM_OK;
}

carom_unit_factors carom_unit_factors_of(const carom_units *units)
{
    const double l = units->length, t = units->time, m = units->mass;
    const double velocity = l / t, acceleration = velocity / t, force = m * acceleration;
    return (carom_unit_factors){.length = l,
                                .time = t,
                                .mass = m,
                                .velocity = velocity,
                                .acceleration = acceleration,
                                .force = force,
                                .impulse = m * velocity,
                                .energy = force * l};
}

void carom_model_unit_factors(const carom_model *model, const carom_units *units, double *position,
                              double *velocity)
{
    for (int i = 0; i < carom_model_positions(model); i++)
        position[i] = units->length;
    for (int i = 0; i < model->dof; i++)
        velocity[i] = units->length / units->time;
    if (model->has_bodies)
        body_angle_factors(model, units, position, velocity);
}

/* ---- from outside to the model ----------------------------------------------------------------------- */

const double *units_own_q(const carom_model_work *base, const double *q)
{
    return units_times(carom_model_positions(base->model), units_of(base)->by_length, q,
                       ((const units_work *)base)->q);
}

const double *units_own_u(const carom_model_work *base, const double *u)
{
    return units_times(base->model->dof, units_of(base)->by_velocity, u, ((const units_work *)base)->u);
}

carom_motion units_own_motion(const carom_model_work *base, const carom_motion *motion)
{
    const units_model *model = units_of(base);
    const units_work *work = (const units_work *)base;
    const int constraints = base->model->joints + base->model->contacts;
    return (carom_motion){
        .t = motion->t * model->by_time,
        .q = units_own_q(base, motion->q),
        .v = units_own_u(base, motion->v),
        .a = units_times(base->model->dof, model->by_acceleration, motion->a, work->acceleration),
        .lambda = units_times(constraints, model->by_force, motion->lambda, work->lambda)};
}

/* ---- mass, forces, energy ---------------------------------------------------------------------------- */

static void units_mass(carom_model_work *base, double t, const double *q, double *mass)
{
    const units_model *model = units_of(base);
    model->inner->ops->mass(units_inner(base), t * model->by_time, units_own_q(base, q), mass);
    units_multiply(model->base.dof * model->base.dof, model->by.mass, mass);
}

static void units_force(carom_model_work *base, double t, const double *q, const double *u, double *force)
{
    const units_model *model = units_of(base);
    model->inner->ops->force(units_inner(base), t * model->by_time, units_own_q(base, q),
                             units_own_u(base, u), force);
    units_multiply(model->base.dof, model->by.force, force);
}

static void scale_jacobians(const units_model *model, double *by_q, double *by_u)
{
    const int entries = model->base.dof * model->base.dof;
    if (by_q)
        units_multiply(entries, model->by.mass * model->by_time * model->by_time, by_q);
    if (by_u)
        units_multiply(entries, model->by.mass * model->by_time, by_u);
}

static void units_force_jacobian(carom_model_work *base, double t, const double *q, const double *u,
                                 double *by_q, double *by_u)
{
    const units_model *model = units_of(base);
    model->inner->ops->force_jacobian(units_inner(base), t * model->by_time, units_own_q(base, q),
                                      units_own_u(base, u), by_q, by_u);
    scale_jacobians(model, by_q, by_u);
}

static bool units_force_with_jacobian(carom_model_work *base, double t, const double *q, const double *u,
                                      double *force, double *by_q, double *by_u)
{
    const units_model *model = units_of(base);
    if (!model->inner->ops->force_with_jacobian(units_inner(base), t * model->by_time, units_own_q(base, q),
                                                units_own_u(base, u), force, by_q, by_u))
        return false;
    units_multiply(model->base.dof, model->by.force, force);
    scale_jacobians(model, by_q, by_u);
    return true;
}

static double units_energy(carom_model_work *base, double t, const double *q, const double *u)
{
    const units_model *model = units_of(base);
    return model->by.energy * model->inner->ops->energy(units_inner(base), t * model->by_time,
                                                        units_own_q(base, q), units_own_u(base, u));
}

static double units_power(carom_model_work *base, double t, const double *q, const double *u)
{
    const units_model *model = units_of(base);
    return model->by.energy * model->by_time *
           model->inner->ops->power(units_inner(base), t * model->by_time, units_own_q(base, q),
                                    units_own_u(base, u));
}

static void units_carried(carom_model_work *base, double t, const double *q, double *momentum)
{
    const units_model *model = units_of(base);
    model->inner->ops->carried(units_inner(base), t * model->by_time, units_own_q(base, q), momentum);
    units_multiply(model->base.dof, model->by.impulse, momentum);
}

static const carom_sparse *units_matrix_pattern(const carom_model *base, carom_model_matrix matrix)
{
    const carom_model *inner = ((const units_model *)base)->inner;
    return inner->ops->matrix_pattern(inner, matrix);
}

static void units_matrix(carom_model_work *base, carom_model_matrix matrix, double t, const double *q,
                         const double *u, double *entry)
{
    const units_model *model = units_of(base);
    const double factor = matrix == CAROM_MATRIX_MASS ? model->by.mass
                          : matrix == CAROM_MATRIX_FORCE_BY_Q
                              ? model->by.mass * model->by_time * model->by_time
                              : model->by.mass * model->by_time;
    model->inner->ops->matrix(units_inner(base), matrix, t * model->by_time, units_own_q(base, q),
                              units_own_u(base, u), entry);
    const carom_sparse *pattern = units_matrix_pattern(&model->base, matrix);
    if (pattern)
        units_multiply(carom_sparse_entries(pattern), factor, entry);
}

/* ---- contacts ---------------------------------------------------------------------------------------- */

static void units_gaps(carom_model_work *base, double t, const double *q, double *gap)
{
    const units_model *model = units_of(base);
    model->inner->ops->gaps(units_inner(base), t * model->by_time, units_own_q(base, q), gap);
    units_multiply(model->base.contacts, model->by.length, gap);
}

static double units_gap_between(carom_model_work *base, int contact, double t, const double *q,
                                const double *to, double share)
{
    const units_model *model = units_of(base);
    const double *end =
        units_times(carom_model_positions(base->model), model->by_length, to, ((units_work *)base)->to);
    return model->by.length * model->inner->ops->gap_between(units_inner(base), contact, t * model->by_time,
                                                             units_own_q(base, q), end, share);
}

void units_scale_frame(const units_model *model, int contact, double exponent, carom_contact_frame *frame)
{
    const carom_contact_info *info = &model->base.contact[contact];
    frame->normal_rate *= model->by.velocity;
    for (int k = 0; k < info->tangents; k++)
        frame->tangent_rate[k] *= model->by.velocity;
    if (frame->stiffness != 0.0) /* force = K x^eta */
        frame->stiffness *= model->by.force / pow(model->by.length, exponent != 0.0 ? exponent : 1.5);
    for (int i = 0; info->friction_force && i < info->coefficients; i++)
        frame->coefficients[i] *= i < 2 ? model->by.force : model->by_velocity; /* 1 / speed of the decay */
}

static void units_frame(carom_model_work *base, int contact, double t, const double *q,
                        carom_contact_frame *frame)
{
    const units_model *model = units_of(base);
    model->inner->ops->frame(units_inner(base), contact, t * model->by_time, units_own_q(base, q), frame);
    units_scale_frame(model, contact, frame->exponent, frame);
}

/* ---- mechanisms -------------------------------------------------------------------------------------- */

double units_block_factor(const units_model *model, carom_mechanism_block block)
{
    switch (block) {
    case CAROM_BLOCK_MASS:
        return model->by.mass;
    case CAROM_BLOCK_RATE_BY_Q:
    case CAROM_BLOCK_CURVATURE_BY_V:
        return model->by_time;
    case CAROM_BLOCK_STIFFNESS:
        return model->by.mass * model->by_time * model->by_time;
    case CAROM_BLOCK_DAMPING:
        return model->by.mass * model->by_time;
    case CAROM_BLOCK_CURVATURE_BY_Q:
        return model->by_time * model->by_time;
    default: /* rows */
        return 1.0;
    }
}

static const carom_sparse *units_block_pattern(const carom_model *base, carom_mechanism_block block)
{
    const carom_model *inner = ((const units_model *)base)->inner;
    return inner->ops->block_pattern(inner, block);
}

static void units_block(carom_model_work *base, carom_mechanism_block block, const carom_motion *motion,
                        double *entry)
{
    const units_model *model = units_of(base);
    const carom_motion own = units_own_motion(base, motion);
    model->inner->ops->block(units_inner(base), block, &own, entry);
    units_multiply(carom_sparse_entries(units_block_pattern(&model->base, block)),
                   units_block_factor(model, block), entry);
}

static bool units_block_is_constant(const carom_model *base, carom_mechanism_block block, int column)
{
    const carom_model *inner = ((const units_model *)base)->inner;
    return inner->ops->block_is_constant(inner, block, column);
}

static bool units_rate_is_constant(const carom_model *base, int constraint)
{
    const carom_model *inner = ((const units_model *)base)->inner;
    return inner->ops->rate_is_constant(inner, constraint);
}

static void units_constraints(carom_model_work *base, const carom_motion *motion, double *g, double *g_t,
                              double *h)
{
    const units_model *model = units_of(base);
    const carom_motion own = units_own_motion(base, motion);
    const int count = base->model->joints + base->model->contacts;
    model->inner->ops->constraints(units_inner(base), &own, g, g_t, h);
    units_multiply(g ? count : 0, model->by.length, g);
    units_multiply(g_t ? count : 0, model->by.velocity, g_t);
    units_multiply(h ? count : 0, model->by.acceleration, h);
}

/* ---- start and outputs ------------------------------------------------------------------------------- */

static void units_initial(carom_model_work *base, double *q, double *u)
{
    const units_model *model = units_of(base);
    model->inner->ops->initial(units_inner(base), q, u);
    units_multiply(carom_model_positions(base->model), model->by.length, q);
    units_multiply(base->model->dof, model->by.velocity, u);
}

static void units_observe(carom_model_work *base, double t, const double *q, const double *u,
                          const double *impulse, double *observed)
{
    const units_model *model = units_of(base);
    const double *own = units_times(CAROM_CONTACT_COMPONENTS * base->model->contacts, model->by_impulse,
                                    impulse, ((units_work *)base)->impulse);
    model->inner->ops->observe(units_inner(base), t * model->by_time, units_own_q(base, q),
                               units_own_u(base, u), own, observed);
}

static int units_profile_points(const carom_model *base)
{
    const carom_model *inner = ((const units_model *)base)->inner;
    return inner->ops->profile_points(inner);
}

static void units_profile(carom_model_work *base, const double *q, double *x, double *u)
{
    const units_model *model = units_of(base);
    model->inner->ops->profile(units_inner(base), units_own_q(base, q), x, u);
}

static double units_contact_place(const carom_model_work *base, int contact, bool *upper)
{
    return units_of(base)->inner->ops->contact_place(units_inner(base), contact, upper);
}

static void units_frequencies(carom_model_work *base, double *frequency)
{
    const units_model *model = units_of(base);
    model->inner->ops->frequencies(units_inner(base), frequency);
    units_multiply(model->base.frequencies, model->by_time, frequency);
}

static void units_switches(carom_model_work *base, double t, double *value)
{
    const units_model *model = units_of(base);
    model->inner->ops->switches(units_inner(base), t * model->by_time, value);
}

/* ---- works ------------------------------------------------------------------------------------------- */

static void units_work_free(carom_model_work *base)
{
    units_work *work = (units_work *)base;
    carom_model_work_free(work->inner);
    carom_arena_free(work->arena);
    free(work);
}

static carom_model_work *units_work_create(const carom_model *base)
{
    const units_model *model = (const units_model *)base;
    units_work *work = calloc(1, sizeof *work);
    carom_arena *arena = work ? carom_arena_create() : NULL;
    if (!arena) {
        free(work);
        return NULL;
    }
    const size_t positions = (size_t)carom_model_positions(base), dof = (size_t)base->dof,
                 impulses = CAROM_CONTACT_COMPONENTS * (size_t)base->contacts,
                 constraints = (size_t)base->joints + (size_t)base->contacts;
    double **const array[] = {&work->q,      &work->to,         &work->q_along,
                              &work->u,      &work->u_along,    &work->acceleration,
                              &work->lambda, &work->impulse,    &work->impulse_along,
                              &work->times,  &work->times_along};
    const size_t size[] = {positions,   positions, positions, dof,         dof,        dof,
                           constraints, impulses,  impulses,  UNITS_TIMES, UNITS_TIMES};
    work->base.model = base;
    work->arena = arena;
    bool taken = (work->inner = model->inner->ops->work_create(model->inner)) != NULL;
    for (size_t i = 0; taken && i < sizeof size / sizeof *size; i++)
        taken = (*array[i] = carom_arena_take(arena, size[i], sizeof(double))) != NULL;
    if (!taken || !carom_contact_frame_take(arena, base, &work->frame) || !units_take_structure(work) ||
        !units_take_harmonics(work)) {
        units_work_free(&work->base);
        return NULL;
    }
    work->base.input = work->inner->input;
    return &work->base;
}

static void units_bind(carom_model_work *base, const double *parameters)
{
    const units_model *model = units_of(base);
    model->inner->ops->bind(units_inner(base), parameters);
    if (model->ops.structure)
        units_bind_structure((units_work *)base);
}

static carom_status units_check(const carom_model_work *base, carom_error *error)
{
    return units_of(base)->inner->ops->check(units_inner(base), error);
}

static void units_free(carom_model *base)
{
    carom_model_free(((units_model *)base)->inner);
    free(base);
}

/* ---- the model --------------------------------------------------------------------------------------- */

/* A function is there where the inner model has it. Several states at once (wide) are left out: they have the bits of one at
 * a time. */
static void take_operations(units_model *model)
{
    const carom_model_ops *inner = model->inner->ops;
#define WHERE_THERE(name) .name = inner->name ? units_##name : NULL
    model->ops = (carom_model_ops){.free = units_free,
                                   .work_create = units_work_create,
                                   .work_free = units_work_free,
                                   .bind = units_bind,
                                   WHERE_THERE(mass),
                                   WHERE_THERE(force),
                                   WHERE_THERE(force_jacobian),
                                   WHERE_THERE(force_with_jacobian),
                                   WHERE_THERE(gaps),
                                   WHERE_THERE(frame),
                                   WHERE_THERE(energy),
                                   WHERE_THERE(matrix_pattern),
                                   WHERE_THERE(matrix),
                                   WHERE_THERE(gap_between),
                                   WHERE_THERE(power),
                                   WHERE_THERE(carried),
                                   WHERE_THERE(check),
                                   WHERE_THERE(initial),
                                   WHERE_THERE(observe),
                                   WHERE_THERE(block_pattern),
                                   WHERE_THERE(block),
                                   WHERE_THERE(block_is_constant),
                                   WHERE_THERE(rate_is_constant),
                                   WHERE_THERE(constraints),
                                   WHERE_THERE(structure),
                                   WHERE_THERE(load),
                                   WHERE_THERE(stiffness_times),
                                   WHERE_THERE(profile_points),
                                   WHERE_THERE(profile),
                                   WHERE_THERE(contact_place),
                                   WHERE_THERE(frequencies),
                                   WHERE_THERE(switches),
                                   WHERE_THERE(harmonics)};
#undef WHERE_THERE
    if (inner->tangent)
        units_take_tangent(model);
}

carom_status carom_model_in_units(carom_model *inner, const carom_units *units, carom_model **result,
                                  carom_error *error)
{
    if (inner->has_bodies) {
        const carom_status status = bodies_set_units(inner, units, error);
        *result = status == CAROM_OK ? inner : NULL;
        return status;
    }
    *result = NULL;
    units_model *model = calloc(1, sizeof *model);
    if (!model)
        return carom_fail_memory(error);
    model->base = *inner;
    model->base.ops = &model->ops;
    model->inner = inner;
    model->by = carom_unit_factors_of(units);
    model->by_length = 1.0 / model->by.length;
    model->by_time = 1.0 / model->by.time;
    model->by_velocity = 1.0 / model->by.velocity;
    model->by_acceleration = 1.0 / model->by.acceleration;
    model->by_force = 1.0 / model->by.force;
    model->by_impulse = 1.0 / model->by.impulse;
    take_operations(model);
    *result = &model->base;
    return CAROM_OK;
}
