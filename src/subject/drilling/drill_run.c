/* Motions of a controlled string: reference and feedforward, controller, steps, and what is looked at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "regulator.h"
#include "slips.h"

carom_drill_request carom_drill_request_defaults(void)
{
    return (carom_drill_request){.rpm = 5.5,
                                 .first_rpm = 3.5,
                                 .Tini = 0.136,
                                 .ramp = 30.0,
                                 .begin = 110.0,
                                 .end = 170.0,
                                 .theta = 0.5,
                                 .h = 1e-3,
                                 .t_end = 400.0,
                                 .stick_from = 110.0,
                                 .switch_time = INFINITY,
                                 .outputs = 2000};
}

static carom_drill_request fill_request(const carom_drill_request *given)
{
    const carom_drill_request defaults = carom_drill_request_defaults();
    carom_drill_request q = *given;
    double *const number[] = {&q.rpm,   &q.first_rpm, &q.Tini,  &q.ramp,       &q.begin,      &q.end,
                              &q.theta, &q.h,         &q.t_end, &q.stick_from, &q.switch_time};
    const double otherwise[] = {defaults.rpm,   defaults.first_rpm,  defaults.Tini,       defaults.ramp,
                                defaults.begin, defaults.end,        defaults.theta,      defaults.h,
                                defaults.t_end, defaults.stick_from, defaults.switch_time};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        *number[i] = carom_given(*number[i], otherwise[i]);
    if (q.outputs == 0)
        q.outputs = defaults.outputs;
    if (q.outputs < 0)
        q.outputs = 0;
    return q;
}

typedef struct set_point {
    double speed, alpha, ramp;
} set_point;

typedef struct run {
    const carom_drill_request *request;
    carom_drill_motion *motion;
    carom_drill_stepper *stepper;
    carom_arena *arena;
    int discs, at_rest; /* those that never moved */
    double *th, *w;
    double torque_final;  /* u_c */
    double walls_between; /* Tw_2 + ... + Tw_n-1 */
    double top_k, top_d;
    set_point now;
    carom_drill_law law;  /* of the bit, now */
    double expected_pipe; /* T_pipe,ref */
    drill_regulator first, next, *acting;
    drill_slips slips;
    long *stuck, *seen; /* steps of each window: bit sticks, all */
    double out_every;
    double out_next;
} run;

/* ---- set points ------------------------------------------------------------------------------------- */

static double part_of(double t, double from, double to)
{
    return t <= from ? 0.0 : t >= to ? 1.0 : (t - from) / (to - from);
}

/* (36): to the first speed off bottom, then speed and weight on bit together. */
static set_point set_point_at(const carom_drill_request *q, double t)
{
    if (q->constant)
        return (set_point){carom_rpm(q->rpm), 1.0, 1.0};
    const double ramp = part_of(t, 0.0, q->ramp), alpha = part_of(t, q->begin, q->end);
    return (set_point){carom_rpm(ramp * q->first_rpm + alpha * (q->rpm - q->first_rpm)), alpha, ramp};
}

/* (35): Td_eff = Tini + alpha (Td - Tini), Ts_eff = Td_eff + alpha (Ts - Td) */
static carom_drill_law law_at(const carom_drill_request *q, double alpha)
{
    carom_drill_law law = q->string->bit;
    const double weakening = law.Ts - law.Td;
    law.Td = q->Tini + alpha * (law.Td - q->Tini);
    law.Ts = law.Td + alpha * weakening;
    return law;
}

/* ---- controller ------------------------------------------------------------------------------------- */

static carom_status make_regulator(run *r, const carom_drill_controller *law, drill_regulator *made,
                                   carom_error *error)
{
    return law ? drill_regulator_take(r->arena, law, r->request->h, made, error) : CAROM_OK;
}

/* The next controller takes the estimate over unchanged; its last state, the integral, makes u continuous. */
static void take_over(run *r, const double e[2])
{
    const int last = r->next.law->states - 1;
    const double before = drill_regulator_output(&r->first, e);
    memcpy(r->next.x, r->first.x, (size_t)last * sizeof(double));
    r->next.x[last] = 0.0;
    r->next.x[last] = (before - drill_regulator_output(&r->next, e)) / r->next.law->C[last];
    r->acting = &r->next;
}

static double feedback(run *r, double t, const double e[2])
{
    if (!r->acting)
        return 0.0;
    if (r->next.law && r->acting == &r->first && t >= r->request->switch_time)
        take_over(r, e);
    const double u = drill_regulator_output(r->acting, e);
    drill_regulator_advance(r->acting, e);
    return u;
}

/* ---- one step --------------------------------------------------------------------------------------- */

static double pipe_torque(const run *r)
{
    const int n = r->discs;
    return n < 2 ? 0.0 : r->top_k * (r->th[n - 1] - r->th[n - 2]) + r->top_d * (r->w[n - 1] - r->w[n - 2]);
}

/* Nothing is computed again while the set point rests. */
static void go_to(run *r, double t)
{
    const set_point now = set_point_at(r->request, t);
    if (now.speed == r->now.speed && now.alpha == r->now.alpha && now.ramp == r->now.ramp)
        return;
    r->now = now;
    r->law = law_at(r->request, now.alpha);
    r->expected_pipe = now.ramp * (r->walls_between + carom_drill_torque(&r->law, now.speed));
}

static double drive_torque(run *r, double t, double pipe)
{
    const carom_drill_request *q = r->request;
    const double e[2] = {r->now.speed - r->w[r->discs - 1], r->expected_pipe - pipe};
    const double u = r->now.ramp * r->torque_final + feedback(r, t, e);
    return q->limit > 0.0 ? fmax(-q->limit, fmin(q->limit, u)) : u;
}

static void widen(double x, double *low, double *high)
{
    *low = x < *low ? x : *low;
    *high = x > *high ? x : *high;
}

static void look(run *r, double t, double u)
{
    const double bit = r->w[0], top = r->w[r->discs - 1];
    for (int i = 0; i < r->discs && r->at_rest > 0; i++)
        if (r->w[i] != 0.0 && isnan(r->motion->first_move[i])) {
            r->motion->first_move[i] = t;
            r->at_rest--;
        }
    drill_slips_take(&r->slips, t, bit);
    for (int k = 0; k < r->request->windows; k++) {
        carom_drill_window *window = &r->request->window[k];
        if (t < window->from || t > window->to)
            continue;
        widen(bit, &window->bit_min, &window->bit_max);
        widen(top, &window->top_min, &window->top_max);
        widen(u, &window->torque_min, &window->torque_max);
        r->stuck[k] += bit == 0.0;
        r->seen[k]++;
    }
}

static void write_row(run *r, double t, double u, double pipe)
{
    if (t < r->out_next - 1e-9 || r->motion->rows > r->request->outputs)
        return;
    double *row = r->motion->row + CAROM_DRILL_COLUMNS * r->motion->rows++;
    const double unit = carom_rpm(1.0);
    const double values[CAROM_DRILL_COLUMNS] = {
        t, r->w[0] / unit, r->w[r->discs - 1] / unit, r->now.speed / unit, u, r->now.alpha, pipe};
    memcpy(row, values, sizeof values);
    r->out_next = r->motion->rows * r->out_every;
}

enum {
    STEPS_PER_REPORT = 4096
};

static carom_status step_all(run *r, carom_error *error)
{
    const carom_drill_request *q = r->request;
    const long steps = lround(q->t_end / q->h);
    r->now.speed = NAN;
    go_to(r, 0.0);
    for (long k = 0; k < steps; k++) {
        const double t = (double)k * q->h, end = (double)(k + 1) * q->h;
        const double pipe = pipe_torque(r), u = drive_torque(r, t, pipe);
        if (q->outputs > 0)
            write_row(r, t, u, pipe);
        go_to(r, end);
        const carom_status status = carom_drill_step(r->stepper, u, &r->law, r->th, r->w, NULL, error);
        if (status != CAROM_OK)
            return status;
        const int sweeps = carom_drill_stepper_sweeps(r->stepper);
        if (sweeps > r->motion->sweeps_most)
            r->motion->sweeps_most = sweeps;
        look(r, end, u);
        if (k % STEPS_PER_REPORT == 0 && q->progress.report &&
            !q->progress.report(q->progress.context, (double)k, (double)steps))
            return carom_fail(error, CAROM_INTERRUPTED, "stopped at t = %.6g of %.6g", end, q->t_end);
    }
    r->motion->steps = steps;
    return CAROM_OK;
}

/* ---- start and end ---------------------------------------------------------------------------------- */

static carom_status check_request(const carom_drill_request *q, carom_error *error)
{
    const double steps = q->t_end / q->h;
    if (!q->string)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "no drill string; carom_drill_setup makes the published one");
    if (!(q->rpm > 0.0) || !(q->first_rpm > 0.0) || !(q->Tini >= 0.0) || !isfinite(q->Tini))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "set points %g and %g rpm must be positive (the feedforward assumes that all discs turn "
            "forwards), Tini = %g not negative",
            q->first_rpm, q->rpm, q->Tini);
    if (!(steps >= 1.0 && steps <= 1e9))
        return carom_fail(error, CAROM_BAD_INPUT, "t_end = %g with h = %g makes %.3g steps; wanted: 1 to 1e9",
                          q->t_end, q->h, steps);
    if (q->constant && q->kick > 2.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "kick = %g is the part of the bit's speed taken away, at most 2", q->kick);
    if (q->next && (!q->controller || q->next->states != q->controller->states || q->next->states < 1 ||
                    q->next->C[q->next->states - 1] == 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "a controller that takes over must have as many states as the first one (%d, not %d), the "
            "last one an integral",
            q->controller ? q->controller->states : 0, q->next->states);
    return CAROM_OK;
}

static carom_status take_run(run *r, carom_error *error)
{
    const carom_drill_request *q = r->request;
    const size_t n = (size_t)q->string->discs;
    r->discs = r->at_rest = q->string->discs;
    r->arena = r->motion->arena;
    r->th = carom_arena_take(r->arena, n, sizeof(double));
    r->w = carom_arena_take(r->arena, n, sizeof(double));
    r->stuck = carom_arena_take(r->arena, (size_t)q->windows, sizeof(long));
    r->seen = carom_arena_take(r->arena, (size_t)q->windows, sizeof(long));
    r->motion->first_move = carom_arena_take(r->arena, n, sizeof(double));
    r->motion->slip = carom_arena_take(r->arena, CAROM_DRILL_SLIPS, sizeof *r->motion->slip);
    r->motion->row =
        carom_arena_take(r->arena, ((size_t)q->outputs + 2) * CAROM_DRILL_COLUMNS, sizeof(double));
    if (!r->th || !r->w || !r->stuck || !r->seen || !r->motion->first_move || !r->motion->slip ||
        !r->motion->row)
        return carom_fail_memory(error);
    for (size_t i = 0; i < n; i++)
        r->motion->first_move[i] = NAN;
    for (int k = 0; k < q->windows; k++) {
        carom_drill_window *w = &q->window[k];
        w->bit_min = w->top_min = w->torque_min = INFINITY;
        w->bit_max = w->top_max = w->torque_max = -INFINITY;
    }
    drill_slips_start(&r->slips, q->stick_from, r->motion->slip);
    r->out_every = q->t_end / (q->outputs > 0 ? q->outputs : 1);
    return CAROM_OK;
}

static carom_status start_run(run *r, carom_error *error)
{
    const carom_drill_request *q = r->request;
    const carom_drill_string *s = q->string;
    const double speed = carom_rpm(q->rpm);
    const bool turning = q->constant && q->kick >= 0.0;
    carom_status status = carom_drill_equilibrium(s, speed, &r->torque_final, turning ? r->th : NULL, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 1; i + 1 < s->discs; i++)
        r->walls_between += s->wall[i];
    r->top_k = carom_drill_top_stiffness(s);
    r->top_d = carom_drill_top_damping(s);
    for (int i = 0; i < s->discs && turning; i++)
        r->w[i] = i == 0 ? (1.0 - q->kick) * speed : speed;
    status = make_regulator(r, q->controller, &r->first, error);
    if (status == CAROM_OK)
        status = make_regulator(r, q->next, &r->next, error);
    r->acting = q->controller ? &r->first : NULL;
    return status;
}

/* Speeds were kept in rad/s. */
static void close_windows(run *r)
{
    for (int k = 0; k < r->request->windows; k++) {
        carom_drill_window *w = &r->request->window[k];
        double *const speed[] = {&w->bit_min, &w->bit_max, &w->top_min, &w->top_max};
        for (int i = 0; i < 4; i++)
            *speed[i] /= carom_rpm(1.0);
        w->stick_fraction = r->seen[k] > 0 ? (double)r->stuck[k] / (double)r->seen[k] : NAN;
    }
}

carom_status carom_drill_run(const carom_drill_request *given, carom_drill_motion **motion,
                             carom_error *error)
{
    *motion = NULL;
    const carom_drill_request filled = fill_request(given), *request = &filled;
    carom_status status = check_request(request, error);
    if (status != CAROM_OK)
        return status;
    carom_drill_motion *m = carom_new_array(1, sizeof *m);
    if (m)
        m->arena = carom_arena_create();
    if (!m || !m->arena) {
        carom_drill_motion_free(m);
        return carom_fail_memory(error);
    }
    run r = {.request = request, .motion = m};
    status = take_run(&r, error);
    if (status == CAROM_OK)
        status = carom_drill_stepper_create(request->string, request->h, request->theta, &r.stepper, error);
    if (status == CAROM_OK)
        status = start_run(&r, error);
    if (status == CAROM_OK)
        status = step_all(&r, error);
    carom_drill_stepper_free(r.stepper);
    if (status != CAROM_OK) {
        carom_drill_motion_free(m);
        return status;
    }
    close_windows(&r);
    m->first_stick = r.slips.first_stick;
    m->slips = r.slips.count;
    m->period = drill_slips_period(&r.slips, &m->slips_per_period);
    *motion = m;
    return CAROM_OK;
}

void carom_drill_motion_free(carom_drill_motion *motion)
{
    if (motion)
        carom_arena_free(motion->arena);
    free(motion);
}
