/* Motion in time with elastic impacts by a second way, without a scheme. Free flight turns each mode by its angle; an impact is a root of a
 * gap, which the modes give in closed form:
 *
 *   gap_c(t) = g_c + sum_j b_cj (q_j cos omega_j t + p_j sin omega_j t),   p_j = q_j' / omega_j */
#ifndef CAROM_TEST_PERIODIC_PATTERN_EXACT_FLIGHT_H
#define CAROM_TEST_PERIODIC_PATTERN_EXACT_FLIGHT_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/periodic.h"

enum {
    FLIGHT_IMPACTS_MAX = 10000,
    FLIGHT_BISECTIONS = 200
};
static const double just_struck = 1e-9; /* a contact that has struck is looked at again after this time */
static const double at_one_instant = 1e-12;
static const double closed = 1e-12, no_velocity = 1e-10;

typedef struct exact_flight_work {
    const carom_linear_oscillator *oscillator;
    double step;
    double *q, *p;          /* modes now */
    double *turned[2];      /* modes at the end of a trial */
    double *versine, *sine; /* turn in a full step; versine: 1 - cosine */
    double *length;         /* per contact: |b_c| */
    double *gap, *gap_next; /* per contact */
    double *root;           /* per contact: time of its impact in this trial, infinite when none */
    bool *struck;           /* per contact: at the last event */
} exact_flight_work;

typedef struct exact_flight {
    carom_arena *arena;
    exact_flight_work *work;
    double time;
    long impacts;
    double *y, *v;
} exact_flight;

/* 1 - cos x without its rounding, which would add up over many steps: the turn stays one. */
static inline double flight_versine(double x)
{
    const double half = sin(0.5 * x);
    return 2.0 * half * half;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static inline bool flight_take(exact_flight *flight, const carom_linear_oscillator *o)
{
    const size_t n = (size_t)o->size, m = (size_t)o->contacts;
    double *memory = carom_arena_take(flight->arena, 8 * n + 4 * m, sizeof(double));
    exact_flight_work *w = flight->work = carom_arena_take(flight->arena, 1, sizeof *w);
    if (!memory || !w)
        return false;
    double *of_contacts = memory + 8 * n;
    flight->y = memory;
    flight->v = memory + n;
    *w = (exact_flight_work){.oscillator = o,
                             .q = memory + 2 * n,
                             .p = memory + 3 * n,
                             .turned = {memory + 4 * n, memory + 5 * n},
                             .versine = memory + 6 * n,
                             .sine = memory + 7 * n,
                             .length = of_contacts,
                             .gap = of_contacts + m,
                             .gap_next = of_contacts + 2 * m,
                             .root = of_contacts + 3 * m,
                             .struck = carom_arena_take(flight->arena, m, sizeof(bool))};
    return w->struck != NULL;
}

static inline void exact_flight_free(exact_flight *flight)
{
    if (flight)
        carom_arena_free(flight->arena);
    free(flight);
}

static inline carom_status exact_flight_create(const carom_linear_oscillator *o, double step,
                                               exact_flight **flight, carom_error *error)
{
    *flight = NULL;
    if (!(step >= 0.0) || !isfinite(step))
        return carom_fail(error, CAROM_BAD_INPUT, "a step of %g: a positive number, or 0 for 0.02", step);
    exact_flight *created = carom_new_array(1, sizeof *created);
    if (!created)
        return carom_fail_memory(error);
    created->arena = carom_arena_create();
    if (!created->arena || !flight_take(created, o)) {
        exact_flight_free(created);
        return carom_fail_memory(error);
    }
    exact_flight_work *w = created->work;
    w->step = step > 0.0 ? step : 0.02;
    for (int j = 0; j < o->size; j++) {
        w->versine[j] = flight_versine(o->frequency[j] * w->step);
        w->sine[j] = sin(o->frequency[j] * w->step);
    }
    for (int c = 0; c < o->contacts; c++) {
        const double *b = o->contact_mode + (ptrdiff_t)c * o->size;
        w->length[c] = sqrt(carom_dot(o->size, b, b));
    }
    *flight = created;
    return CAROM_OK;
}

/* ---- modes and gaps ----------------------------------------------------------------------------------- */

static inline double flight_gap_of(const carom_linear_oscillator *o, int c, const double *q)
{
    return o->gap[c] + carom_dot(o->size, o->contact_mode + (ptrdiff_t)c * o->size, q);
}

static inline double flight_rate_of(const carom_linear_oscillator *o, int c, const double *p)
{
    const double *b = o->contact_mode + (ptrdiff_t)c * o->size;
    double sum = 0.0;
    for (int j = 0; j < o->size; j++)
        sum += b[j] * o->frequency[j] * p[j];
    return sum;
}

/* Gap and its rate at time t of the trial. */
static inline void flight_look(const exact_flight_work *w, int c, double t, double *gap, double *rate)
{
    const carom_linear_oscillator *o = w->oscillator;
    const double *b = o->contact_mode + (ptrdiff_t)c * o->size;
    *gap = o->gap[c];
    *rate = 0.0;
    for (int j = 0; j < o->size; j++) {
        const double omega = o->frequency[j], cosine = cos(omega * t), sine = sin(omega * t);
        *gap += b[j] * (cosine * w->q[j] + sine * w->p[j]);
        *rate += b[j] * omega * (cosine * w->p[j] - sine * w->q[j]);
    }
}

static inline void flight_turn(exact_flight_work *w, double t)
{
    const bool full = t == w->step;
    for (int j = 0; j < w->oscillator->size; j++) {
        const double angle = w->oscillator->frequency[j] * t, q = w->q[j], p = w->p[j];
        const double less = full ? w->versine[j] : flight_versine(angle),
                     sine = full ? w->sine[j] : sin(angle);
        w->turned[0][j] = q + (sine * p - less * q);
        w->turned[1][j] = p - (sine * q + less * p);
    }
}

static inline void flight_accept(exact_flight_work *w)
{
    const size_t bytes = (size_t)w->oscillator->size * sizeof(double);
    memcpy(w->q, w->turned[0], bytes);
    memcpy(w->p, w->turned[1], bytes);
}

static inline void flight_read_state(exact_flight *flight)
{
    const exact_flight_work *w = flight->work;
    const carom_linear_oscillator *o = w->oscillator;
    for (int i = 0; i < o->size; i++) {
        const double *row = o->mode + (ptrdiff_t)i * o->size;
        flight->y[i] = carom_dot(o->size, row, w->q);
        flight->v[i] = 0.0;
        for (int j = 0; j < o->size; j++)
            flight->v[i] += row[j] * o->frequency[j] * w->p[j];
    }
}

static inline carom_status exact_flight_start(exact_flight *flight, double time, const double *y,
                                              const double *v, carom_error *error)
{
    exact_flight_work *w = flight->work;
    const carom_linear_oscillator *o = w->oscillator;
    for (int j = 0; j < o->size; j++) {
        const double *row = o->inverse + (ptrdiff_t)j * o->size;
        w->q[j] = carom_dot(o->size, row, y);
        w->p[j] = carom_dot(o->size, row, v) / o->frequency[j];
    }
    for (int c = 0; c < o->contacts; c++) {
        w->gap[c] = flight_gap_of(o, c, w->q);
        w->struck[c] = fabs(w->gap[c]) < closed && flight_rate_of(o, c, w->p) > 0.0;
        if (!(w->gap[c] > -closed))
            return carom_fail(error, CAROM_BAD_INPUT, "contact %d starts behind its obstacle: gap %g", c,
                              w->gap[c]);
    }
    flight->time = time;
    flight->impacts = 0;
    flight_read_state(flight);
    return CAROM_OK;
}

/* ---- when a contact strikes --------------------------------------------------------------------------- */

/* The gap is open at `low` and closed at `high`. */
static inline double flight_bisect_gap(const exact_flight_work *w, int c, double low, double high)
{
    for (int i = 0; i < FLIGHT_BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        double gap, rate;
        if (middle <= low || middle >= high)
            break;
        flight_look(w, c, middle, &gap, &rate);
        *(gap > 0.0 ? &low : &high) = middle;
    }
    return high;
}

/* Both ends of the trial are open and the gap turns in between: time of the minimum. */
static inline double flight_bisect_rate(const exact_flight_work *w, int c, double low, double high)
{
    for (int i = 0; i < FLIGHT_BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        double gap, rate;
        if (middle <= low || middle >= high)
            break;
        flight_look(w, c, middle, &gap, &rate);
        *(rate < 0.0 ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

/* Time of impact of a contact in the trial of length t; infinite when there is none, negative when the
 * contact does not open after its last impact. */
static inline double flight_find_root(const exact_flight_work *w, int c, double t, double dip)
{
    const carom_linear_oscillator *o = w->oscillator;
    const double low = w->struck[c] ? just_struck : 0.0;
    double high = t, gap, rate;
    if (t <= low)
        return INFINITY;
    if (w->gap_next[c] >= 0.0) {
        if (fmin(w->gap[c], w->gap_next[c]) > dip || flight_rate_of(o, c, w->p) >= 0.0 ||
            flight_rate_of(o, c, w->turned[1]) <= 0.0)
            return INFINITY;
        high = flight_bisect_rate(w, c, 0.0, t);
        flight_look(w, c, high, &gap, &rate);
        if (gap >= 0.0)
            return INFINITY;
    }
    flight_look(w, c, low, &gap, &rate);
    if (w->struck[c] && gap <= 0.0)
        return -1.0;
    return flight_bisect_gap(w, c, low, high);
}

/* Earliest impact of the trial, infinite when there is none. A gap that is open at both ends of a trial of
 * length t dips below the lower of them by at most t^2/8 of its largest acceleration. */
static inline double flight_find_earliest(exact_flight_work *w, double t, int *stuck)
{
    const carom_linear_oscillator *o = w->oscillator;
    double acceleration = 0.0, earliest = INFINITY;
    for (int j = 0; j < o->size; j++) {
        const double square = o->frequency[j] * o->frequency[j];
        acceleration += square * square * (w->q[j] * w->q[j] + w->p[j] * w->p[j]);
    }
    acceleration = sqrt(acceleration);
    *stuck = -1;
    for (int c = 0; c < o->contacts; c++) {
        w->gap_next[c] = flight_gap_of(o, c, w->turned[0]);
        w->root[c] = flight_find_root(w, c, t, 0.125 * t * t * acceleration * w->length[c]);
        if (w->root[c] < 0.0)
            *stuck = c;
        earliest = fmin(earliest, w->root[c]);
    }
    return earliest;
}

/* ---- impacts ------------------------------------------------------------------------------------------ */

static inline carom_status flight_fail_stuck(const exact_flight *flight, int c, carom_error *error)
{
    return carom_fail(
        error, CAROM_FAILED,
        "contact %d would stay closed from t = %.10g on: elastic impacts alone do not describe that", c,
        flight->time);
}

/* Closes the gap exactly and turns the velocity round: v := v - 2 M^-1 w (w.v) / (w.M^-1 w), in modes along
 * b_c. */
static inline carom_status flight_strike(exact_flight *flight, int c, carom_error *error)
{
    exact_flight_work *w = flight->work;
    const carom_linear_oscillator *o = w->oscillator;
    const double *b = o->contact_mode + (ptrdiff_t)c * o->size;
    const double square = w->length[c] * w->length[c];
    carom_axpy(o->size, -flight_gap_of(o, c, w->q) / square, b, w->q);
    const double rate = flight_rate_of(o, c, w->p);
    double acceleration = 0.0;
    for (int j = 0; j < o->size; j++)
        acceleration -= b[j] * o->frequency[j] * o->frequency[j] * w->q[j];
    if (fabs(rate) < no_velocity && acceleration < 0.0)
        return flight_fail_stuck(flight, c, error);
    for (int j = 0; rate < 0.0 && j < o->size; j++)
        w->p[j] -= 2.0 * rate / square * b[j] / o->frequency[j];
    w->struck[c] = true;
    flight->impacts++;
    return CAROM_OK;
}

/* Goes to the earliest impact and lets all strike that do so at that instant. */
static inline carom_status flight_strike_at(exact_flight *flight, double t, carom_error *error)
{
    exact_flight_work *w = flight->work;
    const carom_linear_oscillator *o = w->oscillator;
    flight_turn(w, t);
    flight_accept(w);
    flight->time += t;
    carom_status status = CAROM_OK;
    for (int c = 0; c < o->contacts; c++)
        w->struck[c] = w->struck[c] && t <= just_struck;
    for (int c = 0; status == CAROM_OK && c < o->contacts; c++)
        if (w->root[c] <= t + at_one_instant)
            status = flight_strike(flight, c, error);
    for (int c = 0; c < o->contacts; c++)
        w->gap[c] = w->struck[c] ? 0.0 : flight_gap_of(o, c, w->q);
    return status;
}

/* Flies for time t, to the time `end`: given, so that its rounding does not add up over many steps. */
static inline carom_status flight_fly(exact_flight *flight, double t, double end, carom_error *error)
{
    exact_flight_work *w = flight->work;
    for (int i = 0; i < FLIGHT_IMPACTS_MAX; i++) {
        int stuck;
        flight_turn(w, t);
        const double earliest = flight_find_earliest(w, t, &stuck);
        if (stuck >= 0)
            return flight_fail_stuck(flight, stuck, error);
        if (!(earliest <= t)) {
            flight_accept(w);
            flight->time = end;
            for (int c = 0; c < w->oscillator->contacts; c++) {
                w->gap[c] = w->gap_next[c];
                w->struck[c] = w->struck[c] && t <= just_struck;
            }
            return CAROM_OK;
        }
        carom_status status = flight_strike_at(flight, earliest, error);
        if (status != CAROM_OK)
            return status;
        t -= earliest;
    }
    return carom_fail(error, CAROM_FAILED, "more than %d impacts just before t = %.10g: impacts accumulate",
                      FLIGHT_IMPACTS_MAX, flight->time);
}

static inline carom_status exact_flight_advance(exact_flight *flight, double until, carom_error *error)
{
    const double step = flight->work->step, start = flight->time;
    const double steps = floor((until - start) / step);
    carom_status status = CAROM_OK;
    for (double i = 0.0; status == CAROM_OK && i < steps; i += 1.0)
        status = flight_fly(flight, step, start + (i + 1.0) * step, error);
    if (status == CAROM_OK && until > flight->time)
        status = flight_fly(flight, until - flight->time, until, error);
    flight_read_state(flight);
    return status;
}

/* ---- orbits in time ----------------------------------------------------------------------------------- */

static inline carom_status flight_strobe(exact_flight *flight, const carom_orbit *orbit, const double *y,
                                         const double *v, int periods, double *deviation, carom_error *error)
{
    const double start = flight->time;
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < periods; k++) {
        status = exact_flight_advance(flight, start + (k + 1) * orbit->period, error);
        deviation[k] = 0.0;
        for (int i = 0; i < orbit->size; i++)
            deviation[k] = fmax(deviation[k], fmax(fabs(flight->y[i] - y[i]), fabs(flight->v[i] - v[i])));
    }
    return status;
}

static inline carom_status exact_flight_strobe(const carom_orbit *orbit, const carom_linear_oscillator *o,
                                               int coordinate, double offset, int periods, double *deviation,
                                               long *impacts, carom_error *error)
{
    if (coordinate < 0 || coordinate >= o->size)
        return carom_fail(error, CAROM_BAD_INPUT, "coordinate %d: indices go from 0 to %d", coordinate,
                          o->size - 1);
    exact_flight *flight;
    carom_status status = exact_flight_create(o, 0.0, &flight, error);
    if (status != CAROM_OK || !flight)
        return status;
    double *y = carom_new_array(4 * (size_t)o->size, sizeof *y);
    if (!y) {
        exact_flight_free(flight);
        return carom_fail_memory(error);
    }
    double *v = y + o->size;
    carom_orbit_state(orbit, o, 0.25 * orbit->period, false, y, v, v + o->size);
    y[coordinate] += offset;
    status = exact_flight_start(flight, 0.25 * orbit->period, y, v, error);
    y[coordinate] -= offset;
    if (status == CAROM_OK)
        status = flight_strobe(flight, orbit, y, v, periods, deviation, error);
    if (impacts)
        *impacts = flight->impacts;
    free(y);
    exact_flight_free(flight);
    return status;
}

#endif
