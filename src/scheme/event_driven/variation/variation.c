/* Derivatives of an event-driven motion between events, and their life. */
#include "variation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

enum {
    FULL_MAX = 128 /* coordinates of a sparse model: matrices here are full */
};

static event_variation *variation_of(event_driven *scheme)
{
    return (event_variation *)scheme->stepper.tangent;
}

void variation_lose(event_variation *self, const char *why)
{
    if (!self->tangent.lost)
        carom_tangent_tell(&self->tangent, self->flow.t, "%s; from here on there are no derivatives", why);
    self->tangent.lost = true;
}

/* ---- smooth motion ---------------------------------------------------------------------------------------------------- */

/* Accelerations and forces, from a solution of the equations. */
static void take_rate(const event_variation *self, const double *u, double *rate)
{
    const equations *e = &self->equations;
    const int n = self->n;
    double *extra = rate + 2 * n;
    memcpy(rate, u, (size_t)n * sizeof *rate);
    memcpy(rate + n, e->z, (size_t)n * sizeof *rate);
    memset(extra, 0, (size_t)self->extra * sizeof *rate);
    for (int k = 0; k < e->listed; k++)
        equations_force(e, k, e->z, extra + 3 * e->list[k].contact);
    memcpy(extra + 3 * e->contacts, e->z + n, (size_t)e->joints * sizeof *rate);
}

static void take_rate_along(const event_variation *self, int column, const double *du, double *rate)
{
    const equations *e = &self->equations;
    const int n = self->n;
    const double *dz = self->dz + (ptrdiff_t)column * e->unknowns;
    double *extra = rate + 2 * n;
    memcpy(rate, du, (size_t)n * sizeof *rate);
    memcpy(rate + n, dz, (size_t)n * sizeof *rate);
    memset(extra, 0, (size_t)self->extra * sizeof *rate);
    for (int k = 0; k < e->listed; k++)
        equations_force_along(e, k, column, &self->direction[column], dz, extra + 3 * e->list[k].contact);
    memcpy(extra + 3 * e->contacts, dz + n, (size_t)e->joints * sizeof *rate);
}

bool variation_motion_rate(event_variation *self, double t, const double *y, double *rate)
{
    if (!equations_accelerate(&self->equations, t, y, y + self->n))
        return false;
    take_rate(self, y + self->n, rate);
    return true;
}

bool variation_rate(void *context, double t, const double *y, double *rate)
{
    event_variation *self = context;
    if (!variation_motion_rate(self, t, y, rate))
        return false;
    for (int c = 0; c < self->columns; c++) {
        const double *column = y + (ptrdiff_t)(1 + c) * self->block;
        self->direction[c] = (carom_direction){
            .q = column, .u = column + self->n, .parameter = self->tangent.column[c].parameter};
    }
    if (!equations_along(&self->equations, self->columns, self->direction, self->dz))
        return false;
    for (int c = 0; c < self->columns; c++)
        take_rate_along(self, c, self->direction[c].u, variation_column(self, rate, c));
    return true;
}

/* Follows the motion and its derivatives to t, in the scheme's mode. */
static void flow_to(event_variation *self, double t)
{
    if (self->tangent.lost || !(t > self->flow.t))
        return;
    equations_list_mode(&self->equations, self->scheme);
    if (!variation_flow_go(&self->flow, t)) {
        variation_lose(self, "the derivatives of the forces are not finite");
        return;
    }
    variation_flow_tell_break(&self->flow, &self->tangent);
}

static void stay_beside(event_variation *self, double t, const double *q, const double *u)
{
    variation_flow_stay_beside(&self->flow, t, q, u, &self->scheme->stepper.scales, self->scheme->rtol,
                               self->scheme->atol);
}

/* ---- steps -------------------------------------------------------------------------------------------------------------- */

static bool time_moves(const event_variation *self)
{
    for (int c = 0; c < self->columns; c++)
        if (self->tangent.t[c] != 0.0)
            return true;
    return false;
}

/* Derivatives at the output, whose time may move, become those at a fixed time. Impulses begin at zero there. */
static void load(event_variation *self)
{
    self->loaded = true;
    self->tangent.events = 0;
    variation_flow_load(&self->flow, &self->tangent);
    if (!self->begun || !time_moves(self))
        return; /* at the start: after its event */
    equations_list_mode(&self->equations, self->scheme);
    if (!variation_motion_rate(self, self->flow.t, self->y, self->rate)) {
        variation_lose(self, "the forces are not finite");
        return;
    }
    variation_flow_shift(&self->flow, -1.0, self->tangent.t);
}

/* Derivative of the time at which the motion ends by itself: where the ending's value becomes zero, or at the event that made it
 * positive. */
static double ending_along(event_variation *self, int c, const double *column, const double *rate)
{
    const carom_ending *ending = &self->scheme->stepper.ending;
    const double *q = self->y, *u = self->y + self->n;
    if (!self->scheme->at_ending)
        return self->chosen_time[c];
    if (!ending->along)
        return NAN;
    const double by_time = ending->along(ending->context, self->flow.t, q, u,
                                         &(carom_direction){.t = 1.0, .q = rate, .u = rate + self->n});
    const double along = ending->along(ending->context, self->flow.t, q, u,
                                       &(carom_direction){.q = column,
                                                          .u = column + self->n,
                                                          .parameter = self->tangent.column[c].parameter});
    return -along / by_time;
}

static carom_status step(carom_tangent *tangent, carom_error *error)
{
    (void)error;
    event_variation *self = (event_variation *)tangent;
    const carom_stepper *stepper = tangent->stepper;
    const carom_state *state = &stepper->state;
    const int n = self->n, contacts = self->equations.contacts, joints = self->equations.joints;
    if (!self->loaded)
        load(self);
    flow_to(self, state->t);
    if (tangent->lost)
        return CAROM_OK;
    stay_beside(self, state->t, state->q, state->v);
    self->loaded = false;
    equations_list_mode(&self->equations, self->scheme);
    bool moves = stepper->ended;
    for (int c = 0; c < self->columns; c++) {
        tangent->t[c] = step_end_along(stepper, &tangent->column[c]);
        moves = moves || tangent->t[c] != 0.0;
    }
    if (moves && !variation_motion_rate(self, self->flow.t, self->y, self->rate))
        variation_lose(self, "the forces are not finite");
    for (int c = 0; c < self->columns; c++) {
        double *column = variation_column(self, self->y, c);
        if (stepper->ended)
            tangent->t[c] = ending_along(self, c, column, self->rate);
        if (!isfinite(tangent->t[c])) {
            carom_tangent_tell(tangent, state->t,
                               "the motion ends here, and the derivative of that time is not known");
            tangent->t[c] = 0.0;
        }
        if (moves)
            carom_axpy(self->block, tangent->t[c], self->rate, column);
        memcpy(carom_tangent_q(tangent, c), column, 2 * (size_t)n * sizeof(double));
        memcpy(tangent->impulse + 3 * (ptrdiff_t)contacts * c, column + 2 * n,
               3 * (size_t)contacts * sizeof(double));
        memcpy(tangent->reaction + (ptrdiff_t)joints * c, column + 2 * n + 3 * contacts,
               (size_t)joints * sizeof(double));
    }
    return CAROM_OK;
}

/* ---- events --------------------------------------------------------------------------------------------------------------- */

/* Goes on by a time of rounding, to where the gap that hits is zero on the motion that is followed here. */
static void refine(event_variation *self, int contact)
{
    const event_driven *scheme = self->scheme;
    equations *e = &self->equations;
    for (int i = 0; i < 2; i++) {
        e->model->ops->gaps(e->work, self->flow.t, self->y, e->gap);
        equations_look_at(e, contact, self->flow.t, self->y, 0, NULL);
        const double rate = equations_rate(e, contact, 0, self->y + self->n);
        const double left = -(e->gap[contact] + scheme->depth[contact]) / rate;
        if (!(fabs(left) <= 1e-7 * (scheme->stepper.scales.time + fabs(self->flow.t))) || !(rate < 0.0))
            return;
        const int size = (1 + self->columns) * self->block;
        equations_list_mode(e, scheme);
        if (!variation_rate(self, self->flow.t, self->y, self->rate))
            return;
        memcpy(self->trial, self->y, (size_t)size * sizeof(double));
        carom_axpy(size, 0.5 * left, self->rate, self->trial);
        if (!variation_rate(self, self->flow.t + 0.5 * left, self->trial, self->rate))
            return;
        carom_axpy(size, left, self->rate, self->y);
        self->flow.t += left;
    }
}

/* The hit that is located best. */
static int steepest_hit(event_variation *self)
{
    const event_driven *scheme = self->scheme;
    equations *e = &self->equations;
    int steepest = -1;
    double most = 0.0;
    for (int contact = 0; contact < e->contacts; contact++) {
        if (!scheme->hit[contact] || scheme->closed[contact])
            continue;
        equations_look_at(e, contact, self->flow.t, self->y, 0, NULL);
        const double rate = equations_rate(e, contact, 0, self->y + self->n);
        if (rate < most) {
            most = rate;
            steepest = contact;
        }
    }
    return steepest;
}

void variation_directions(event_variation *self)
{
    for (int c = 0; c <= self->columns; c++) {
        const bool time = c == self->columns;
        const double start = self->scheme->starting && !time ? self->tangent.t[c] : 0.0;
        self->direction[c] = (carom_direction){.t = time ? 1.0 : start,
                                               .q = self->dq + (ptrdiff_t)c * self->n,
                                               .u = self->du + (ptrdiff_t)c * self->n,
                                               .parameter = time ? NULL : self->tangent.column[c].parameter};
    }
}

/* What the mode before the event says of the motion, of its forces, and of both along columns and time. */
static bool look_before(event_variation *self)
{
    equations *e = &self->equations;
    const int n = self->n, contacts = e->contacts, all = self->columns + 1;
    equations_list_mode(e, self->scheme);
    if (!variation_motion_rate(self, self->flow.t, self->y, self->rate_before))
        return false;
    for (int c = 0; c < all; c++) {
        const bool time = c == self->columns;
        const double *column = time ? self->rate_before : variation_column(self, self->y, c);
        memcpy(self->dq + (ptrdiff_t)c * n, column, (size_t)n * sizeof(double));
        memcpy(self->du + (ptrdiff_t)c * n, column + n, (size_t)n * sizeof(double));
    }
    variation_directions(self);
    if (contacts > 0)
        e->model->ops->tangent->gaps(e->work, self->flow.t, self->q, all, self->direction, self->gap_along);
    memset(self->force_before, 0, 3 * (size_t)contacts * sizeof(double));
    memset(self->force_before_along, 0, 3 * (size_t)contacts * (size_t)all * sizeof(double));
    if (e->listed == 0)
        return true;
    memcpy(self->force_before, self->rate_before + 2 * n, 3 * (size_t)contacts * sizeof(double));
    if (!equations_along(e, all, self->direction, self->dz))
        return false;
    for (int c = 0; c < all; c++)
        for (int k = 0; k < e->listed; k++)
            equations_force_along(e, k, c, &self->direction[c], self->dz + (ptrdiff_t)c * e->unknowns,
                                  self->force_before_along +
                                      3 * ((ptrdiff_t)c * contacts + e->list[k].contact));
    return true;
}

void event_variation_before(event_driven *scheme)
{
    event_variation *self = variation_of(scheme);
    const double *values = ode_flow_values(scheme->flow);
    const size_t n = (size_t)self->n;
    if (self->tangent.lost)
        return;
    if (!self->begun) {
        memcpy(self->y, values, 2 * n * sizeof(double));
        self->flow.t = scheme->t;
    }
    if (!self->loaded)
        load(self);
    flow_to(self, scheme->t);
    stay_beside(self, scheme->t, values, values + n);
    const int hit = steepest_hit(self);
    if (hit >= 0 && !scheme->hopped && !scheme->starting)
        refine(self, hit);
    memcpy(self->q, self->y, n * sizeof(double));
    memcpy(self->u, self->y + n, n * sizeof(double));
    memset(self->impulse, 0, (size_t)self->extra * sizeof(double));
    memset(self->impulse_along, 0, (size_t)self->extra * (size_t)(self->columns + 1) * sizeof(double));
    self->friction_struck = false;
    if (!self->tangent.lost && !look_before(self))
        variation_lose(self, "the derivatives of the forces at an event are not finite");
}

void event_variation_missed(event_driven *scheme, int contact)
{
    event_variation *self = variation_of(scheme);
    const double *values = ode_flow_values(scheme->flow);
    const double length = scheme->stepper.scales.length, size = length + carom_largest(self->n, values),
                 gap = scheme->motion.gap[contact];
    const double least =
        variation_apart *
        (scheme->atol * length + scheme->rtol * size); /* what the integration cannot tell from zero */
    if (!self->tangent.lost && fabs(gap) <= least)
        carom_tangent_tell(
            &self->tangent, scheme->t,
            "contact '%s' grazes, or nearly so: its gap has a minimum of %.3g, and derivatives are not to be "
            "used below %.3g",
            self->equations.model->contact[contact].name, gap, least);
}

void event_variation_after(event_driven *scheme)
{
    event_variation *self = variation_of(scheme);
    const double *values = ode_flow_values(scheme->flow);
    if (self->tangent.lost)
        return;
    variation_jump(self);
    self->begun = true;
    self->flow.way.h = 0.0;
    if (!self->tangent.lost)
        stay_beside(self, scheme->t, values, values + self->n);
}

void event_variation_told(event_driven *scheme, carom_event_kind kind, int contact)
{
    event_variation *self = variation_of(scheme);
    double *time = carom_tangent_add_event(&self->tangent);
    if (!time) {
        scheme->no_memory = true;
        return;
    }
    const bool limit = kind == CAROM_EVENT_STOP && self->ends_accumulation && scheme->accumulating[contact];
    carom_copy(self->columns, limit ? self->accumulation : self->time + (ptrdiff_t)contact * self->columns,
               time);
}

/* ---- life ------------------------------------------------------------------------------------------------------------------- */

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    const carom_model *model = stepper->model;
    const event_driven *scheme = (const event_driven *)stepper;
    const carom_status law = impact_tangent_accepts(&scheme->chosen, error);
    if (law != CAROM_OK)
        return law;
    if (carom_model_is_sparse(model) && model->dof > FULL_MAX)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "scheme '%s' has derivatives of models with full matrices; this one has %d coordinates and "
            "sparse matrices",
            stepper->ops->name, model->dof);
    bool curved = model->joints > 0;
    for (int contact = 0; contact < model->contacts; contact++)
        curved = curved || !model->contact[contact].constant_frame;
    if (curved && !model->ops->constraints)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme '%s' has derivatives of models that are made of expressions, and of beams",
                          stepper->ops->name);
    for (int contact = 0; contact < model->contacts; contact++)
        if (model->contact[contact].coefficients > EQUATIONS_COEFFICIENTS)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has %d coefficients of friction, at most %d have derivatives",
                              model->contact[contact].name, model->contact[contact].coefficients,
                              EQUATIONS_COEFFICIENTS);
    return CAROM_OK;
}

static bool take_memory(event_variation *self)
{
    carom_arena *arena = self->tangent.arena;
    const size_t n = (size_t)self->n, extra = (size_t)self->extra, block = (size_t)self->block;
    const size_t columns = (size_t)self->columns, contacts = (size_t)self->equations.contacts;
    const size_t blocks = carom_product(columns + 1, block);
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->trial, blocks},
                  {&self->first_trial, blocks},
                  {&self->dz, carom_product(columns + 1, (size_t)self->equations.room)},
                  {&self->q, n},
                  {&self->u, n},
                  {&self->u_after, n},
                  {&self->dq, carom_product(columns + 1, n)},
                  {&self->du, carom_product(columns + 1, n)},
                  {&self->impulse, extra},
                  {&self->impulse_along, carom_product(columns + 1, extra)},
                  {&self->gap_along, carom_product(columns + 1, contacts)},
                  {&self->force_before, 3 * contacts},
                  {&self->force_before_along, carom_product(columns + 1, 3 * contacts)},
                  {&self->rate_before, block},
                  {&self->time, carom_product(columns, contacts)},
                  {&self->chosen_time, columns},
                  {&self->rebound, contacts},
                  {&self->accumulation, columns}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->direction = carom_arena_take(arena, columns + 1, sizeof *self->direction);
    self->order = carom_arena_take(arena, 2 * contacts, sizeof *self->order);
    return self->direction && self->order;
}

static carom_status setup(carom_tangent *tangent, carom_error *error)
{
    event_variation *self = (event_variation *)tangent;
    const carom_model *model = tangent->stepper->model;
    self->scheme = (event_driven *)tangent->stepper;
    self->n = model->dof;
    self->extra = CAROM_CONTACT_COMPONENTS * model->contacts + model->joints;
    self->block = 2 * self->n + self->extra;
    self->columns = tangent->columns;
    if (!equations_take(&self->equations, tangent->arena, tangent->stepper->work, self->columns + 1) ||
        !variation_flow_take(&self->flow, tangent->arena, self->n, self->extra, self->columns,
                             &tangent->stepper->scales, self, variation_rate) ||
        !take_memory(self) ||
        (self->scheme->chosen.work &&
         !impact_tangent_take(&self->law, tangent->arena, &self->scheme->chosen, self->columns + 1)))
        return carom_fail_memory(error);
    self->equations.time = self->scheme->motion.time;
    self->equations.drift = event_driven_drift(self->scheme);
    self->y = self->flow.y;
    self->rate = self->flow.rate;
    return CAROM_OK;
}

static void keep(carom_tangent *tangent, carom_snapshot *snapshot)
{
    event_variation *self = (event_variation *)tangent;
    const size_t columns = (size_t)self->columns, contacts = (size_t)self->equations.contacts;
    variation_flow_keep(&self->flow, snapshot);
    carom_snapshot_block(snapshot, &self->begun, sizeof self->begun);
    carom_snapshot_block(snapshot, &self->loaded, sizeof self->loaded);
    carom_snapshot_block(snapshot, self->rebound, contacts * sizeof(double));
    carom_snapshot_block(snapshot, self->time, contacts * columns * sizeof(double));
    carom_snapshot_block(snapshot, self->chosen_time, columns * sizeof(double));
    carom_snapshot_block(snapshot, self->accumulation, columns * sizeof(double));
    carom_snapshot_block(snapshot, &self->ends_accumulation, sizeof self->ends_accumulation);
}

const carom_tangent_ops event_variation_ops = {
    .bytes = sizeof(event_variation),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .keep = keep,
};
