/* Derivatives of the equations of shooting, from those of flights and impacts:
 *
 *   flight   Z := Phi Z + (d end / d start time) delay + sources,  the column of its duration gets the rates at its end
 *   impact   Z := R_x Z + R_t delay + R_p,   its equation n . Z_q + gap_t delay + gap_p
 *
 * Z is the derivative of the state by the unknowns and by p, delay that of the time. What depends on p is compared with
 * works that are bound to p - h and p + h. */
#include <math.h>
#include <string.h>

#include "carom/model/forcing.h"
#include "shooting.h"

static const double parameter_step = 1e-5;

/* ---- beside p ----------------------------------------------------------------------------------------- */

/* Binds the works beside to p - h and p + h; false when memory is short. */
static bool bind_beside(carom_shooting *self, double p)
{
    shooting_flow *flow = &self->flow;
    if (self->beside == p)
        return true;
    const double size = self->parameter_scale > 0.0 ? self->parameter_scale : shooting_parameter_size(p);
    flow->parameter_step = parameter_step * size;
    for (int side = 0; side < 2; side++) {
        if (!flow->beside_work[side])
            flow->beside_work[side] = self->model->ops->work_create(self->model);
        if (!flow->beside_work[side])
            return false;
        memcpy(self->parameters[side], self->parameter, (size_t)self->model->parameters * sizeof(double));
        self->parameters[side][self->free] = p + (side ? 1.0 : -1.0) * flow->parameter_step;
        self->model->ops->bind(flow->beside_work[side], self->parameters[side]);
        const double forcing = shooting_forcing(self, flow->beside_work[side], self->parameters[side]);
        if (!switching_find(&self->switches[1 + side], flow->beside_work[side], forcing))
            return false;
        flow->beside_switches[side] = &self->switches[1 + side];
    }
    self->beside = p;
    return true;
}

/* Calls `of` with the flow at p - h and p + h; `to` gets the difference quotient of its `count` numbers. */
typedef bool (*beside_function)(carom_shooting *self, const void *what, double *value);

static bool by_parameter(carom_shooting *self, beside_function of, const void *what, int count, double *to,
                         double *room)
{
    shooting_flow *flow = &self->flow;
    carom_model_work *own = flow->work;
    bool good = true;
    memset(to, 0, (size_t)count * sizeof *to);
    for (int side = 0; side < 2 && good; side++) {
        flow->work = flow->beside_work[side];
        flow->factored = false;
        good = of(self, what, room);
        carom_axpy(count, (side ? 0.5 : -0.5) / flow->parameter_step, room, to);
    }
    flow->work = own;
    flow->factored = false;
    return good;
}

typedef struct strike_place {
    int contact;
    double t;
    const double *state;
} strike_place;

static bool strike_there(carom_shooting *self, const void *what, double *value)
{
    const strike_place *place = what;
    memcpy(value, place->state, (size_t)self->flow.size * sizeof *value);
    return shooting_strike(&self->flow, place->contact, place->t, value);
}

static bool gap_there(carom_shooting *self, const void *what, double *value)
{
    const strike_place *place = what;
    *value = shooting_gap(&self->flow, place->contact, place->t, place->state, NULL);
    return true;
}

/* dT/dp of the period that the equations ask for. */
static double period_slope(carom_shooting *self, double p)
{
    if (self->free == CAROM_SHOOT_PERIOD)
        return 1.0;
    if (self->free < 0 || self->kind != CAROM_SHOOT_FORCED)
        return 0.0;
    if (self->frequency >= 0)
        return self->frequency == self->free ? -shooting_period(self) / p : 0.0;
    double period[2];
    if (!(self->forcing > 0.0) || self->multiple == 0)
        return 0.0;
    for (int side = 0; side < 2; side++)
        period[side] = carom_model_driven_period(self->flow.beside_work[side]);
    if (!(period[0] > 0.0 && period[1] > 0.0))
        return 0.0;
    return self->multiple * (period[1] - period[0]) / (2.0 * self->flow.parameter_step);
}

/* ---- a motion with flights ---------------------------------------------------------------------------- */

/* What one call of the Jacobian works with. */
typedef struct chain {
    carom_shooting *self;
    double p;
    int size, unknowns, columns; /* columns: unknowns and p */
    shooting_tangent tangent;
    int time, damping, parameter; /* which source, -1: none */
    double *room;                 /* 5 size */
} chain;

static double *column_of(const chain *at, int c)
{
    return at->self->chain + (ptrdiff_t)at->size * c;
}

/* Z := matrix Z + sources[i] times their column or delay. */
static void propagate(const chain *at, const double *matrix, const double *by_time, const double *by_damping,
                      const double *by_parameter_)
{
    const int size = at->size;
    for (int c = 0; c < at->columns; c++) {
        double *z = column_of(at, c), *after = at->room;
        for (int i = 0; i < size; i++)
            after[i] = carom_dot(size, matrix + (ptrdiff_t)i * size, z);
        memcpy(z, after, (size_t)size * sizeof *z);
        if (by_time)
            carom_axpy(size, at->self->delay[c], by_time, z);
    }
    if (by_damping)
        carom_axpy(size, 1.0, by_damping, column_of(at, at->unknowns - 1));
    if (by_parameter_)
        carom_axpy(size, 1.0, by_parameter_, column_of(at, at->unknowns));
}

static bool fly(chain *at, int i, double t, double duration, double *state)
{
    carom_shooting *self = at->self;
    shooting_flow *flow = &self->flow;
    const int n = self->dof, size = at->size;
    double *const *source = at->tangent.by_source;
    if (!shooting_fly_tangents(flow, t, duration, self->steps[i], state, &at->tangent))
        return false;
    propagate(at, at->tangent.by_state, at->time >= 0 ? source[at->time] : NULL,
              at->damping >= 0 ? source[at->damping] : NULL,
              at->parameter >= 0 ? source[at->parameter] : NULL);
    /* longer flights end later */
    double *rate = at->room + size;
    memcpy(rate, state + n, (size_t)n * sizeof *rate);
    if (!shooting_acceleration(flow, t + duration, state, state + n, rate + n))
        return false;
    if (self->impacts > 0) {
        carom_axpy(size, 1.0, rate, column_of(at, size + i));
        self->delay[size + i] += 1.0;
    } else {
        carom_axpy(size, period_slope(self, at->p), rate, column_of(at, at->unknowns));
    }
    return true;
}

/* The equation of the impact's gap, as row `row`. */
static bool gap_row(chain *at, int contact, double t, const double *state, int row, double *by_x,
                    double *by_p)
{
    carom_shooting *self = at->self;
    const strike_place place = {contact, t, state};
    double slope = 0.0, there = 0.0;
    if (at->parameter >= 0 && !by_parameter(self, gap_there, &place, 1, &slope, &there))
        return false;
    shooting_gap(&self->flow, contact, t, state, NULL);
    for (int c = 0; c < at->columns; c++) {
        double *to = c < at->unknowns ? &by_x[(ptrdiff_t)row * at->unknowns + c] : &by_p[row];
        *to = carom_row_dot(&self->flow.frame.normal, column_of(at, c)) +
              self->flow.frame.normal_rate * self->delay[c] + (c == at->unknowns ? slope : 0.0);
        *to /= self->width;
    }
    return true;
}

static bool strike(chain *at, int contact, double t, double *state)
{
    carom_shooting *self = at->self;
    const strike_place place = {contact, t, state};
    const int size = at->size;
    double *by_time = at->room + size, *by_p = at->room + 2 * size, *there = at->room + 3 * size;
    double *matrix = at->tangent.by_state;
    if (at->parameter >= 0 && !by_parameter(self, strike_there, &place, size, by_p, there))
        return false;
    if (!shooting_strike_tangents(&self->flow, contact, t, state, matrix, by_time))
        return false;
    propagate(at, matrix, by_time, NULL, at->parameter >= 0 ? by_p : NULL);
    return shooting_strike(&self->flow, contact, t, state);
}

static void period_row(const chain *at, double *by_x, double *by_p)
{
    carom_shooting *self = at->self;
    const int row = at->size + self->impacts;
    for (int i = 0; i < at->unknowns; i++)
        by_x[(ptrdiff_t)row * at->unknowns + i] =
            i >= at->size && i < row ? 1.0 / self->scale[at->size] : 0.0;
    by_p[row] = -period_slope(self, at->p) / self->scale[at->size];
}

static void closing_rows(const chain *at, double *by_x, double *by_p)
{
    const double *scale = at->self->scale;
    for (int i = 0; i < at->size; i++) {
        for (int c = 0; c < at->unknowns; c++)
            by_x[(ptrdiff_t)i * at->unknowns + c] = (column_of(at, c)[i] - (c == i ? 1.0 : 0.0)) / scale[i];
        by_p[i] = column_of(at, at->unknowns)[i] / scale[i];
    }
}

static void begin(chain *at, const double *x, double *state)
{
    carom_shooting *self = at->self;
    const int size = at->size;
    memcpy(state, x, (size_t)size * sizeof *state);
    memset(self->chain, 0, (size_t)at->columns * (size_t)size * sizeof(double));
    memset(self->delay, 0, (size_t)at->columns * sizeof(double));
    for (int i = 0; i < size; i++)
        column_of(at, i)[i] = 1.0;
    if (at->time >= 0 && self->impacts > 0)
        self->delay[at->unknowns - 1] = 1.0;
}

static bool flights_jacobian(chain *at, const double *x, double *by_x, double *by_p)
{
    carom_shooting *self = at->self;
    const int size = at->size, impacts = self->impacts;
    const bool forced = self->kind == CAROM_SHOOT_FORCED;
    const double extra = at->unknowns > size + impacts ? x[size + impacts] : 0.0;
    double *state = self->state, t = !forced ? 0.0 : impacts > 0 ? extra : self->start;
    begin(at, x, state);
    self->flow.damping = self->kind == CAROM_SHOOT_CONSERVATIVE ? extra : 0.0;
    bool good = true;
    for (int i = 0; i < self->flights && good; i++) {
        const int contact = shooting_next_contact(self, i);
        const double duration = impacts > 0 ? x[size + i] : shooting_period(self);
        good = duration > 0.0 && fly(at, i, t, duration, state);
        t += duration;
        if (contact >= 0)
            good =
                good && gap_row(at, contact, t, state, size + i, by_x, by_p) && strike(at, contact, t, state);
    }
    self->flow.damping = 0.0;
    if (good && at->unknowns > size + impacts)
        period_row(at, by_x, by_p);
    closing_rows(at, by_x, by_p);
    return good;
}

/* ---- the symmetric form ------------------------------------------------------------------------------- */

static bool symmetric_there(carom_shooting *self, const void *what, double *value)
{
    return shooting_symmetric_state(self, what, value);
}

/* Column `k` of the derivative of the state at the start by the positions. */
static bool start_slope(chain *at, const double *x, int k, double *to)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    carom_shooting *self = at->self;
    const int n = self->dof;
    const carom_model *model = self->model;
    memset(to, 0, (size_t)at->size * sizeof *to);
    to[k] = 1.0;
    if (model->contact[self->contact[0]].constant_rows && model->constant_mass)
        return true;
    double *moved = at->room, *state = at->room + at->size;
    const double h = 1e-4 * self->flow.length;
    for (int p = 0; p < 4; p++) {
        memcpy(moved, x, (size_t)at->unknowns * sizeof *moved);
        moved[k] += place[p] * h;
        if (!shooting_symmetric_state(self, moved, state))
            return false;
        carom_axpy(n, weight[p] / (12.0 * h), state + n, to + n);
    }
    return true;
}

static bool symmetric_jacobian(chain *at, const double *x, double *by_x, double *by_p)
{
    carom_shooting *self = at->self;
    shooting_flow *flow = &self->flow;
    const int n = self->dof, size = at->size, unknowns = at->unknowns;
    double *state = self->state, *slope = at->room + 2 * size, *there = at->room + 3 * size;
    const double factor = self->period / self->scale[0];
    bool good = self->period > 0.0;
    for (int k = 0; k < n && good; k++)
        good = start_slope(at, x, k, column_of(at, k));
    memset(slope, 0, (size_t)size * sizeof *slope);
    if (good && at->parameter >= 0)
        good = by_parameter(self, symmetric_there, x, size, slope, there);
    if (!good || !shooting_symmetric_state(self, x, state))
        return false;
    memcpy(column_of(at, unknowns), slope, (size_t)size * sizeof *slope);
    memset(column_of(at, n), 0, (size_t)size * sizeof *slope);
    memcpy(column_of(at, n) + n, flow->response, (size_t)n * sizeof *slope);
    memset(self->delay, 0, (size_t)at->columns * sizeof(double));
    if (!gap_row(at, self->contact[0], 0.0, state, n, by_x, by_p) ||
        !shooting_fly_tangents(flow, 0.0, 0.5 * self->period, self->steps[0], state, &at->tangent))
        return false;
    propagate(at, at->tangent.by_state, NULL, NULL,
              at->parameter >= 0 ? at->tangent.by_source[at->parameter] : NULL);
    for (int i = 0; i < n; i++) {
        for (int c = 0; c < unknowns; c++)
            by_x[(ptrdiff_t)i * unknowns + c] = column_of(at, c)[n + i] * factor;
        by_p[i] = column_of(at, unknowns)[n + i] * factor;
    }
    if (self->free != CAROM_SHOOT_PERIOD)
        return true;
    if (!shooting_acceleration(flow, 0.0, state, state + n, slope))
        return false;
    for (int i = 0; i < n; i++)
        by_p[i] = 0.5 * slope[i] * factor + state[n + i] / self->scale[0];
    return true;
}

bool shooting_jacobian(void *context, const double *x, double p, double *by_x, double *by_p)
{
    carom_shooting *self = context;
    const int size = self->flow.size;
    if (!shooting_bind(self, p) || (self->free >= 0 && !bind_beside(self, p)))
        return false;
    double *part = self->columns;
    chain at = {.self = self,
                .p = p,
                .size = size,
                .unknowns = self->unknowns,
                .columns = self->unknowns + 1,
                .tangent = {.by_state = part},
                .time = -1,
                .damping = -1,
                .parameter = -1,
                .room = part + (ptrdiff_t)size * size};
    double *by_source = at.room + 5 * (ptrdiff_t)size;
    if (self->kind == CAROM_SHOOT_FORCED && self->impacts > 0)
        at.tangent.source[at.time = at.tangent.sources++] = SOURCE_TIME;
    if (self->kind == CAROM_SHOOT_CONSERVATIVE)
        at.tangent.source[at.damping = at.tangent.sources++] = SOURCE_DAMPING;
    if (self->free >= 0)
        at.tangent.source[at.parameter = at.tangent.sources++] = SOURCE_PARAMETER;
    for (int i = 0; i < at.tangent.sources; i++)
        at.tangent.by_source[i] = by_source + (ptrdiff_t)size * i;
    const bool good = self->kind == CAROM_SHOOT_SYMMETRIC ? symmetric_jacobian(&at, x, by_x, by_p)
                                                          : flights_jacobian(&at, x, by_x, by_p);
    return good && carom_all_finite(self->unknowns * self->unknowns, by_x) &&
           carom_all_finite(self->unknowns, by_p);
}
