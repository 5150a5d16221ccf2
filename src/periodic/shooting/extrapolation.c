/* Flights by extrapolation of the modified midpoint rule (Gragg; Bulirsch and Stoer), order 12, in a fixed
 * number of steps: the end is a smooth function of the start and the duration, which difference quotients
 * need. */
#include <math.h>
#include <string.h>

#include "shooting.h"

/* Substeps of the columns; errors are even in the substep. */
static const int substeps[EXTRAPOLATIONS] = {2, 4, 6, 8, 10, 12};

bool shooting_flow_take(shooting_flow *flow, carom_arena *arena, carom_model_work *work)
{
    const size_t dof = (size_t)work->model->dof, size = 2 * dof;
    *flow = (shooting_flow){.work = work,
                            .dof = work->model->dof,
                            .size = 2 * work->model->dof,
                            .constant_mass = work->model->constant_mass};
    flow->mass = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    flow->gaps = carom_arena_take(arena, (size_t)work->model->contacts, sizeof(double));
    flow->response = carom_arena_take(arena, dof, sizeof(double));
    double **states[] = {&flow->low, &flow->high, &flow->next, &flow->rate};
    flow->time_scale = flow->length = flow->speed = 1.0;
    flow->earliest = -INFINITY;
    flow->latest = INFINITY;
    flow->kept = carom_arena_take(arena, size, sizeof(double));
    bool taken =
        flow->mass && flow->gaps && flow->response && flow->kept && shooting_variation_take(flow, arena);
    const size_t most = size * (size_t)(1 + flow->block); /* a state and its columns */
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        taken = (*states[i] = carom_arena_take(arena, most, sizeof(double))) && taken;
    for (int i = 0; i < EXTRAPOLATIONS; i++)
        taken = (flow->table[i] = carom_arena_take(arena, most, sizeof(double))) && taken;
    return taken && carom_contact_frame_take(arena, work->model, &flow->frame);
}

void shooting_flow_changed(shooting_flow *flow)
{
    flow->factored = flow->linearised = false;
}

static bool factor_mass(shooting_flow *flow, double t, const double *q)
{
    if (flow->factored && flow->constant_mass)
        return true;
    flow->work->model->ops->mass(flow->work, t, q, flow->mass);
    flow->factored = carom_all_finite(flow->dof * flow->dof, flow->mass) &&
                     carom_cholesky_factor(flow->dof, flow->mass) == 0;
    return flow->factored;
}

bool shooting_acceleration(shooting_flow *flow, double t, const double *q, const double *v,
                           double *acceleration)
{
    if (!factor_mass(flow, t, q))
        return false;
    flow->work->model->ops->force(flow->work, t, q, v, acceleration);
    carom_cholesky_solve(flow->dof, flow->mass, acceleration);
    carom_axpy(flow->dof, -flow->damping, v, acceleration);
    return carom_all_finite(flow->dof, acceleration);
}

bool shooting_flow_acceleration_beside(shooting_flow *flow, int side, double t, const double *q,
                                       const double *v, double *acceleration)
{
    carom_model_work *own = flow->work;
    flow->work = flow->beside_work[side];
    flow->factored = false;
    const bool good = shooting_acceleration(flow, t, q, v, acceleration);
    flow->work = own;
    flow->factored = false;
    return good;
}

/* Numbers of a state with its columns. */
static int length_of(const shooting_flow *flow)
{
    return flow->size * (1 + flow->columns);
}

static bool rate_of(shooting_flow *flow, double t, const double *state, double *rate)
{
    t = fmin(fmax(t, flow->earliest), flow->latest);
    if (flow->columns > 0)
        return shooting_variation_rate(flow, t, state, rate);
    memcpy(rate, state + flow->dof, (size_t)flow->dof * sizeof *rate);
    return shooting_acceleration(flow, t, state, state + flow->dof, rate + flow->dof);
}

/* y_1 = y_0 + h f_0, y_{i+1} = y_{i-1} + 2 h f_i. */
static bool midpoint(shooting_flow *flow, double t, double duration, int count, const double *state,
                     double *to)
{
    const double h = duration / count;
    double *low = flow->low, *high = flow->high, *next = flow->next;
    const int length = length_of(flow);
    const size_t bytes = (size_t)length * sizeof(double);
    memcpy(low, state, bytes);
    memcpy(high, state, bytes);
    if (!rate_of(flow, t, state, flow->rate))
        return false;
    carom_axpy(length, h, flow->rate, high);
    for (int i = 1; i < count; i++) {
        if (!rate_of(flow, t + h * i, high, flow->rate))
            return false;
        memcpy(next, low, bytes);
        carom_axpy(length, 2.0 * h, flow->rate, next);
        double *unused = low;
        low = high;
        high = next;
        next = unused;
    }
    memcpy(to, high, bytes);
    return true;
}

/* One step by extrapolation to h = 0 (Aitken and Neville); the last correction is an estimate of the error, of the state
 * alone. */
static bool extrapolate(shooting_flow *flow, double t, double duration, double *state)
{
    const int size = flow->size, length = length_of(flow);
    double error = 0.0;
    for (int i = 0; i < EXTRAPOLATIONS; i++) {
        if (!midpoint(flow, t, duration, substeps[i], state, flow->table[i]))
            return false;
        for (int k = i - 1; k >= 0; k--) {
            const double ratio = (double)substeps[i] / substeps[k];
            const double weight = 1.0 / (ratio * ratio - 1.0);
            error = 0.0;
            for (int j = 0; j < length; j++) {
                const double correction = weight * (flow->table[k + 1][j] - flow->table[k][j]);
                flow->table[k][j] = flow->table[k + 1][j] + correction;
                if (j < size)
                    error = fmax(error, fabs(correction) / (j < flow->dof ? flow->length : flow->speed));
            }
        }
    }
    memcpy(state, flow->table[0], (size_t)length * sizeof *state);
    flow->truncation += error;
    return carom_all_finite(length, state);
}

static bool fly_smoothly(shooting_flow *flow, double t, double duration, int steps, double *state)
{
    const double h = duration / steps;
    for (int i = 0; i < steps; i++)
        if (!extrapolate(flow, t + h * i, h, state))
            return false;
    return true;
}

/* From one instant at which forces have a kink or a jump to the next; forces are evaluated on this side of both. */
static bool fly_between_switches(shooting_flow *flow, double t, double duration, int steps, double *state)
{
    const double end = t + duration;
    bool good = true;
    for (double from = t; good && from < end;) {
        const double next = switching_next(flow->switches, from), to = fmin(next, end);
        const double part = ceil(steps * (to - from) / duration);
        const double margin = switching_margin(flow->switches, to);
        flow->earliest = fmin(from + margin, to);
        flow->latest = fmax(to - margin, from);
        good = fly_smoothly(flow, from, to - from, part < 1.0 ? 1 : (int)part, state);
        from = to;
    }
    flow->earliest = -INFINITY;
    flow->latest = INFINITY;
    return good;
}

bool shooting_fly_extended(shooting_flow *flow, double t, double duration, int steps, double *state)
{
    flow->truncation = 0.0;
    return shooting_switches(flow) ? fly_between_switches(flow, t, duration, steps, state)
                                   : fly_smoothly(flow, t, duration, steps, state);
}

bool shooting_fly(shooting_flow *flow, double t, double duration, int steps, double *state)
{
    flow->columns = 0;
    return shooting_fly_extended(flow, t, duration, steps, state);
}

double shooting_gap(shooting_flow *flow, int contact, double t, const double *state, double *rate)
{
    const carom_model_ops *ops = flow->work->model->ops;
    ops->gaps(flow->work, t, state, flow->gaps);
    ops->frame(flow->work, contact, t, state, &flow->frame);
    if (rate)
        *rate = carom_row_dot(&flow->frame.normal, state + flow->dof) + flow->frame.normal_rate;
    return flow->gaps[contact];
}

bool shooting_strike(shooting_flow *flow, int contact, double t, double *state)
{
    const int dof = flow->dof;
    double rate = 0.0;
    shooting_gap(flow, contact, t, state, &rate);
    if (!factor_mass(flow, t, state))
        return false;
    carom_row_spread(&flow->frame.normal, dof, flow->response);
    carom_cholesky_solve(dof, flow->mass, flow->response);
    const double reach = carom_row_dot(&flow->frame.normal, flow->response);
    carom_axpy(dof, -(1.0 + flow->frame.restitution) * rate / reach, flow->response, state + dof);
    return carom_all_finite(flow->size, state);
}
