/* Derivatives of a model in other units: parameters are the same in both, all else of a direction has the factor of what it is a
 * direction of. Directions are handed on one at a time. */
#include "units_model.h"

#include <math.h>

static carom_direction own_direction(const carom_model_work *base, const carom_direction *direction)
{
    const units_model *model = units_of(base);
    const units_work *work = (const units_work *)base;
    return (carom_direction){
        .t = direction->t * model->by_time,
        .q = units_times(carom_model_positions(base->model), model->by_length, direction->q, work->q_along),
        .u = units_times(base->model->dof, model->by_velocity, direction->u, work->u_along),
        .parameter = direction->parameter};
}

static const carom_model_tangent_ops *inner_ops(const carom_model_work *base)
{
    return units_of(base)->inner->ops->tangent;
}

/* ---- at a state -------------------------------------------------------------------------------------- */

static void units_mass(carom_model_work *base, double t, const double *q, int count,
                       const carom_direction *direction, double *mass)
{
    const units_model *model = units_of(base);
    const int entries = base->model->dof * base->model->dof;
    for (int d = 0; d < count; d++, mass += entries) {
        const carom_direction own = own_direction(base, &direction[d]);
        inner_ops(base)->mass(units_inner(base), t * model->by_time, units_own_q(base, q), 1, &own, mass);
        units_multiply(entries, model->by.mass, mass);
    }
}

static void units_force(carom_model_work *base, double t, const double *q, const double *u, int count,
                        const carom_direction *direction, double *force)
{
    const units_model *model = units_of(base);
    for (int d = 0; d < count; d++, force += base->model->dof) {
        const carom_direction own = own_direction(base, &direction[d]);
        inner_ops(base)->force(units_inner(base), t * model->by_time, units_own_q(base, q),
                               units_own_u(base, u), 1, &own, force);
        units_multiply(base->model->dof, model->by.force, force);
    }
}

static void units_gaps(carom_model_work *base, double t, const double *q, int count,
                       const carom_direction *direction, double *gap)
{
    const units_model *model = units_of(base);
    for (int d = 0; d < count; d++, gap += base->model->contacts) {
        const carom_direction own = own_direction(base, &direction[d]);
        inner_ops(base)->gaps(units_inner(base), t * model->by_time, units_own_q(base, q), 1, &own, gap);
        units_multiply(base->model->contacts, model->by.length, gap);
    }
}

/* Rows do not depend on the unit of length, but their derivatives along positions do not either: the direction has it. */
static void units_frame(carom_model_work *base, int contact, double t, const double *q, int count,
                        const carom_direction *direction, carom_contact_frame *frame)
{
    const units_model *model = units_of(base);
    carom_contact_frame *at = &((units_work *)base)->frame;
    model->inner->ops->frame(units_inner(base), contact, t * model->by_time, units_own_q(base, q), at);
    for (int d = 0; d < count; d++) {
        const carom_direction own = own_direction(base, &direction[d]);
        inner_ops(base)->frame(units_inner(base), contact, t * model->by_time, units_own_q(base, q), 1, &own,
                               &frame[d]);
        if (frame[d].exponent != 0.0) /* K x^eta = K L^-eta (L x)^eta */
            frame[d].stiffness -= at->stiffness * log(model->by.length) * frame[d].exponent;
        units_scale_frame(model, contact, at->exponent, &frame[d]);
    }
}

static void units_energy(carom_model_work *base, double t, const double *q, const double *u, int count,
                         const carom_direction *direction, double *energy)
{
    const units_model *model = units_of(base);
    for (int d = 0; d < count; d++) {
        const carom_direction own = own_direction(base, &direction[d]);
        inner_ops(base)->energy(units_inner(base), t * model->by_time, units_own_q(base, q),
                                units_own_u(base, u), 1, &own, &energy[d]);
        energy[d] *= model->by.energy;
    }
}

/* ---- mechanisms -------------------------------------------------------------------------------------- */

static void units_block(carom_model_work *base, carom_mechanism_block block, const carom_motion *motion,
                        int count, const carom_direction *direction, double *entry)
{
    const units_model *model = units_of(base);
    const carom_motion at = units_own_motion(base, motion);
    const int entries = carom_sparse_entries(model->inner->ops->block_pattern(model->inner, block));
    for (int d = 0; d < count; d++, entry += entries) {
        const carom_direction own = own_direction(base, &direction[d]);
        inner_ops(base)->block(units_inner(base), block, &at, 1, &own, entry);
        units_multiply(entries, units_block_factor(model, block), entry);
    }
}

static void units_constraints(carom_model_work *base, const carom_motion *motion, int count,
                              const carom_direction *direction, double *g, double *g_t, double *h)
{
    const units_model *model = units_of(base);
    const carom_motion at = units_own_motion(base, motion);
    const int constraints = base->model->joints + base->model->contacts;
    for (int d = 0; d < count; d++) {
        const carom_direction own = own_direction(base, &direction[d]);
        const ptrdiff_t place = (ptrdiff_t)d * constraints;
        inner_ops(base)->constraints(units_inner(base), &at, 1, &own, g ? g + place : NULL,
                                     g_t ? g_t + place : NULL, h ? h + place : NULL);
    }
    units_multiply(g ? count * constraints : 0, model->by.length, g);
    units_multiply(g_t ? count * constraints : 0, model->by.velocity, g_t);
    units_multiply(h ? count * constraints : 0, model->by.acceleration, h);
}

/* ---- start and outputs ------------------------------------------------------------------------------- */

static void units_initial(carom_model_work *base, const double *parameter, double *q, double *u)
{
    const units_model *model = units_of(base);
    inner_ops(base)->initial(units_inner(base), parameter, q, u);
    units_multiply(carom_model_positions(base->model), model->by.length, q);
    units_multiply(base->model->dof, model->by.velocity, u);
}

static void units_observe(carom_model_work *base, double t, const double *q, const double *u,
                          const double *impulse, const carom_direction *direction,
                          const double *impulse_along, double *observed)
{
    const units_model *model = units_of(base);
    const units_work *work = (const units_work *)base;
    const int impulses = CAROM_CONTACT_COMPONENTS * base->model->contacts;
    const carom_direction own = own_direction(base, direction);
    inner_ops(base)->observe(
        units_inner(base), t * model->by_time, units_own_q(base, q), units_own_u(base, u),
        units_times(impulses, model->by_impulse, impulse, work->impulse), &own,
        units_times(impulses, model->by_impulse, impulse_along, work->impulse_along), observed);
}

/* ---- structures -------------------------------------------------------------------------------------- */

static const carom_structure_along *units_structure_along(carom_model_work *base, const double *parameter)
{
    const units_model *model = units_of(base);
    units_work *work = (units_work *)base;
    const carom_structure_along *inner = inner_ops(base)->structure(units_inner(base), parameter);
    units_direction *direction = inner ? units_direction_of(work, inner) : NULL;
    if (!direction)
        return NULL;
    carom_structure_along *to = &direction->structure;
    units_scale_band(model->by.mass, &inner->mass, &to->mass);
    units_scale_band(model->by.mass * model->by_time * model->by_time, &inner->stiffness, &to->stiffness);
    to->damping_mass = inner->damping_mass * model->by_time;
    to->damping_stiffness = inner->damping_stiffness * model->by.time;
    to->restitution = inner->restitution;
    to->lower = units_times(work->structure.rows, model->by.length, inner->lower, direction->lower);
    to->upper = units_times(work->structure.rows, model->by.length, inner->upper, direction->upper);
    return to;
}

static void units_load_along(carom_model_work *base, const double *parameter, int count, const double *t,
                             const double *weight, const double *t_along, double *load)
{
    const units_model *model = units_of(base);
    units_work *work = (units_work *)base;
    const int n = base->model->dof;
    for (int k = 0; k == 0 || k < count; k += UNITS_TIMES) {
        const int some = count - k < UNITS_TIMES ? count - k : UNITS_TIMES;
        const double *at = units_times(some, model->by_time, t + k, work->times);
        const double *moves = units_times(some, model->by_time, t_along + k, work->times_along);
        inner_ops(base)->load(units_inner(base), parameter, some, at, weight + k, moves,
                              k == 0 ? load : work->acceleration);
        if (k > 0)
            carom_axpy(n, 1.0, work->acceleration, load);
    }
    units_multiply(n, model->by.force, load);
}

static void units_stiffness_times_along(carom_model_work *base, const double *parameter, const double *q,
                                        double *force)
{
    const units_model *model = units_of(base);
    inner_ops(base)->stiffness_times(units_inner(base), parameter, units_own_q(base, q), force);
    units_multiply(base->model->dof, model->by.force, force);
}

void units_take_tangent(units_model *model)
{
    const carom_model_tangent_ops *inner = model->inner->ops->tangent;
    model->tangent = (carom_model_tangent_ops){
        .mass = inner->mass ? units_mass : NULL,
        .force = inner->force ? units_force : NULL,
        .gaps = inner->gaps ? units_gaps : NULL,
        .frame = inner->frame ? units_frame : NULL,
        .energy = inner->energy ? units_energy : NULL,
        .block = inner->block ? units_block : NULL,
        .constraints = inner->constraints ? units_constraints : NULL,
        .initial = inner->initial ? units_initial : NULL,
        .observe = inner->observe ? units_observe : NULL,
        .structure = inner->structure ? units_structure_along : NULL,
        .load = inner->load ? units_load_along : NULL,
        .stiffness_times = inner->stiffness_times ? units_stiffness_times_along : NULL,
    };
    model->ops.tangent = &model->tangent;
}
