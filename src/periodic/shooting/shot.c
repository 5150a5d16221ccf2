/* What a periodic motion of a model is like: smallest gaps between impacts, multipliers, and a check by the
 * event-driven scheme. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shooting.h"

enum {
    STEPS_FIRST = 4,
    STEPS_MAX = 4096,
    SAMPLES = 60, /* per flight, where minima of the gaps are looked for */
    BISECTIONS = 40
};

static const double difference_step = 1e-5;
/* Larger, with a formula of order 4, for the event-driven scheme: its errors are some 1e-11. */
static const double verify_step = 5e-5;
/* A gap that is negative by this share of positions is rounding. */
static const double gap_tolerance = 1e-9;

static void start_state(const carom_shooting *self, const carom_shot *shot, double *state)
{
    memcpy(state, shot->q, (size_t)self->dof * sizeof *state);
    memcpy(state + self->dof, shot->v, (size_t)self->dof * sizeof *state);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

carom_status shooting_choose_steps(carom_shooting *shooting, const carom_shot *shot, carom_error *error)
{
    double t = shot->t0, *state = shooting->state, *kept = shooting->flow.kept;
    const size_t bytes = 2 * (size_t)shooting->dof * sizeof *state;
    start_state(shooting, shot, state);
    for (int i = 0; i < shooting->impacts; i++) {
        int steps = shooting->steps[i] > 0 ? shooting->steps[i] : STEPS_FIRST;
        memcpy(kept, state, bytes);
        for (;; steps *= 2) {
            memcpy(state, kept, bytes);
            if (steps > STEPS_MAX)
                return carom_fail(
                    error, CAROM_FAILED,
                    "the Newton path is lost: flight %d of length %.6g cannot be computed to %.1g", i + 1,
                    shot->flight[i], shooting->tolerance);
            if (shooting_fly(&shooting->flow, t, shot->flight[i], steps, state) &&
                shooting->flow.truncation <= 0.1 * shooting->tolerance)
                break;
        }
        shooting->steps[i] = steps;
        t += shot->flight[i];
        if (!shooting_strike(&shooting->flow, shooting->contact[(i + 1) % shooting->impacts], t, state))
            return carom_fail(error, CAROM_FAILED, "the impact at t = %.9g cannot be computed", t);
    }
    return CAROM_OK;
}

/* ---- gaps --------------------------------------------------------------------------------------------- */

/* The smallest gap in (0, h) after a state, where its rate changes from negative to positive. */
static double smallest_within(carom_shooting *self, int contact, double t, double h, const double *state,
                              double *when)
{
    double from = 0.0, to = h, gap = NAN, rate = NAN;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (from + to);
        memcpy(self->flow.kept, state, (size_t)self->flow.size * sizeof *state);
        if (!shooting_fly(&self->flow, t, middle, 1, self->flow.kept))
            return NAN;
        gap = shooting_gap(&self->flow, contact, t + middle, self->flow.kept, &rate);
        *when = t + middle;
        *(rate < 0.0 ? &from : &to) = middle;
    }
    return gap;
}

static void note_gap(carom_shot *shot, int contact, double gap, double when)
{
    if (!(gap < shot->gap))
        return;
    shot->gap = gap;
    shot->gap_time = when;
    shot->gap_contact = contact;
}

/* One sample of a flight to the next, for one contact. ends: it is the flight's own at one of its ends. */
static void watch(carom_shooting *self, carom_shot *shot, int contact, bool ends, double t, double h,
                  const double *before, const double *after)
{
    double rate = 0.0, rate_after = 0.0, when = t + h;
    shooting_gap(&self->flow, contact, t, before, &rate);
    const double gap = shooting_gap(&self->flow, contact, t + h, after, &rate_after);
    if (rate < 0.0 && rate_after >= 0.0) {
        const double smallest = smallest_within(self, contact, t, h, before, &when);
        note_gap(shot, contact, smallest, when);
    } else if (!ends) {
        note_gap(shot, contact, gap, when);
    }
}

static bool find_gaps(carom_shooting *self, carom_shot *shot)
{
    const int size = self->flow.size, impacts = self->impacts;
    double *before = self->columns, *after = self->columns + size, t = shot->t0, rate = 0.0;
    shot->gap = shot->approach = INFINITY;
    shot->strongest = -INFINITY;
    shot->gap_time = NAN;
    shot->gap_contact = -1;
    start_state(self, shot, after);
    for (int i = 0; i < impacts; i++) {
        const int here = self->contact[i], there = self->contact[(i + 1) % impacts];
        const int samples = 8 * self->steps[i] > SAMPLES ? 8 * self->steps[i] : SAMPLES;
        const double h = shot->flight[i] / samples;
        for (int s = 0; s < samples; s++) {
            memcpy(before, after, (size_t)size * sizeof *before);
            if (!shooting_fly(&self->flow, t + h * s, h, 1, after))
                return false;
            for (int c = 0; c < self->model->contacts; c++)
                watch(self, shot, c, c == here || c == there, t + h * s, h, before, after);
        }
        t += shot->flight[i];
        shooting_gap(&self->flow, there, t, after, &rate);
        shot->approach = fmin(shot->approach, -rate);
        shot->strongest = fmax(shot->strongest, -rate);
        if (!shooting_strike(&self->flow, there, t, after))
            return false;
    }
    return true;
}

/* ---- monodromy ---------------------------------------------------------------------------------------- */

/* to := derivative of `map` at the state by central differences, size x size. */
typedef bool (*state_map)(carom_shooting *self, const void *what, double *state);

typedef struct flight_of {
    double t, duration;
    int steps, contact;
} flight_of;

static bool map_flight(carom_shooting *self, const void *what, double *state)
{
    const flight_of *flight = what;
    return shooting_fly(&self->flow, flight->t, flight->duration, flight->steps, state);
}

static bool map_impact(carom_shooting *self, const void *what, double *state)
{
    const flight_of *flight = what;
    return shooting_strike(&self->flow, flight->contact, flight->t + flight->duration, state);
}

static bool differentiate(carom_shooting *self, state_map map, const void *what, const double *state,
                          double *work, double *to)
{
    const int size = self->flow.size, dof = self->dof;
    double *plus = work, *minus = work + size;
    const double length = 1.0 + carom_largest(dof, state), speed = 1.0 + carom_largest(dof, state + dof);
    for (int k = 0; k < size; k++) {
        const double h = difference_step * (k < dof ? length : speed);
        memcpy(plus, state, (size_t)size * sizeof *plus);
        memcpy(minus, state, (size_t)size * sizeof *minus);
        plus[k] += h;
        minus[k] -= h;
        if (!map(self, what, plus) || !map(self, what, minus))
            return false;
        for (int i = 0; i < size; i++)
            to[i * size + k] = (plus[i] - minus[i]) / (2.0 * h);
    }
    return true;
}

/* matrix := left matrix */
static void multiply(int size, const double *left, double *matrix, double *work)
{
    for (int k = 0; k < size; k++) {
        for (int i = 0; i < size; i++) {
            work[i] = 0.0;
            for (int j = 0; j < size; j++)
                work[i] += left[i * size + j] * matrix[j * size + k];
        }
        for (int i = 0; i < size; i++)
            matrix[i * size + k] = work[i];
    }
}

/* x+ = R(x-, t) on gap = 0:  S = R_x + (f+ - R_x f- - R_t) gap_x / gap',  f the rates of the state on both
 * sides. The state before the impact becomes that after it. work: 5 size. */
static bool saltation(carom_shooting *self, const flight_of *flight, double *state, double *S, double *work)
{
    const int size = self->flow.size, dof = self->dof;
    const double t = flight->t + flight->duration, h = difference_step;
    double *before = work + 2 * size, *jump = work + 3 * size, *normal = work + 4 * size, rate = 0.0;
    if (!differentiate(self, map_impact, flight, state, work, S))
        return false;
    shooting_gap(&self->flow, flight->contact, t, state, &rate);
    carom_row_spread(&self->flow.frame.normal, dof, normal);
    memcpy(before, state + dof, (size_t)dof * sizeof *before);
    if (!shooting_acceleration(&self->flow, t, state, state + dof, before + dof))
        return false;
    double *later = work, *earlier = work + size;
    memcpy(later, state, (size_t)size * sizeof *later);
    memcpy(earlier, state, (size_t)size * sizeof *earlier);
    if (!shooting_strike(&self->flow, flight->contact, t + h, later) ||
        !shooting_strike(&self->flow, flight->contact, t - h, earlier) ||
        !shooting_strike(&self->flow, flight->contact, t, state))
        return false;
    memcpy(jump, state + dof, (size_t)dof * sizeof *jump);
    if (!shooting_acceleration(&self->flow, t, state, state + dof, jump + dof))
        return false;
    for (int i = 0; i < size; i++)
        jump[i] -= carom_dot(size, S + i * size, before) + (later[i] - earlier[i]) / (2.0 * h);
    for (int i = 0; i < size; i++)
        carom_axpy(dof, jump[i] / rate, normal, S + i * size);
    return true;
}

carom_status carom_shooting_monodromy(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                      carom_error *error)
{
    const int size = shooting->flow.size, impacts = shooting->impacts;
    double *part = shooting->columns, *work = part + size * size, t = shot->t0, *state = shooting->state;
    start_state(shooting, shot, state);
    for (int i = 0; i < size * size; i++)
        matrix[i] = i % (size + 1) == 0 ? 1.0 : 0.0;
    for (int i = 0; i < impacts; i++) {
        const flight_of flight = {.t = t,
                                  .duration = shot->flight[i],
                                  .steps = shooting->steps[i] > 0 ? shooting->steps[i] : SAMPLES,
                                  .contact = shooting->contact[(i + 1) % impacts]};
        if (!differentiate(shooting, map_flight, &flight, state, work, part) ||
            !map_flight(shooting, &flight, state))
            return carom_fail(error, CAROM_FAILED, "the flight from t = %.9g cannot be computed", t);
        multiply(size, part, matrix, work);
        if (!saltation(shooting, &flight, state, part, work))
            return carom_fail(error, CAROM_FAILED, "the impact at t = %.9g cannot be computed", t);
        multiply(size, part, matrix, work);
        t += shot->flight[i];
    }
    return CAROM_OK;
}

carom_status shooting_describe(carom_shooting *shooting, carom_shot *shot, carom_error *error)
{
    const int size = shooting->flow.size;
    shot->energy = shooting->model->ops->energy(shooting->work, shot->t0, shot->q, shot->v);
    if (!find_gaps(shooting, shot))
        return carom_fail(error, CAROM_FAILED, "the motion of period %.9g cannot be computed", shot->period);
    const double tolerance = gap_tolerance * (1.0 + carom_largest(shooting->dof, shot->q));
    shot->admissible = shot->gap >= -tolerance && shot->approach > 0.0;
    double *matrix = carom_new_array(carom_product((size_t)size, (size_t)size), sizeof *matrix);
    if (!matrix)
        return carom_fail_memory(error);
    shot->multiplier = NAN;
    carom_status status = carom_shooting_monodromy(shooting, shot, matrix, error);
    /* At a graze the impact has no derivative: no multiplier, but a motion. */
    if (status == CAROM_OK && carom_all_finite(size * size, matrix))
        status = shooting_largest_multiplier(shooting, shot, matrix, &shot->multiplier, error);
    free(matrix);
    return status;
}

/* ---- check by the event-driven scheme ----------------------------------------------------------------- */

/* The state after one period from `state` at t. */
static carom_status run_period(carom_shooting *self, double t, double period, double *state,
                               carom_error *error)
{
    carom_stepper *stepper = NULL;
    carom_status status = carom_stepper_create(carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS), self->work,
                                               &(carom_step_settings){.t0 = t, .h = period, .no_works = true},
                                               state, state + self->dof, &stepper, error);
    if (status == CAROM_OK)
        status = carom_stepper_step(stepper, error);
    if (status == CAROM_OK) {
        memcpy(state, stepper->state.q, (size_t)self->dof * sizeof *state);
        memcpy(state + self->dof, stepper->state.v, (size_t)self->dof * sizeof *state);
    }
    carom_stepper_free(stepper);
    return status;
}

/* Column k of the derivative: (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12 h, from the state in columns. */
static carom_status verify_column(carom_shooting *self, double t, double period, int k, double h,
                                  double *matrix, carom_error *error)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const int size = self->flow.size;
    double *middle = self->columns, *end = middle + size;
    for (int i = 0; i < size; i++)
        matrix[i * size + k] = 0.0;
    for (int p = 0; p < 4; p++) {
        memcpy(end, middle, (size_t)size * sizeof *end);
        end[k] += place[p] * h;
        const carom_status status = run_period(self, t, period, end, error);
        if (status != CAROM_OK)
            return status;
        for (int i = 0; i < size; i++)
            matrix[i * size + k] += weight[p] * end[i] / (12.0 * h);
    }
    return CAROM_OK;
}

carom_status carom_shooting_verify(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                   double *difference, carom_error *error)
{
    const int size = shooting->flow.size, dof = shooting->dof;
    double *middle = shooting->columns, *end = middle + size;
    const double half = 0.5 * shot->flight[0], t = shot->t0 + half;
    const int steps = shooting->steps[0] > 0 ? shooting->steps[0] : SAMPLES;
    start_state(shooting, shot, middle);
    if (!shooting_fly(&shooting->flow, shot->t0, half, steps, middle))
        return carom_fail(error, CAROM_FAILED, "the first flight cannot be computed");
    memcpy(end, middle, (size_t)size * sizeof *end);
    carom_status status = run_period(shooting, t, shot->period, end, error);
    *difference = 0.0;
    for (int i = 0; i < size && status == CAROM_OK; i++)
        *difference = fmax(*difference, fabs(end[i] - middle[i]));
    const double length = 1.0 + carom_largest(dof, middle), speed = 1.0 + carom_largest(dof, middle + dof);
    for (int k = 0; k < size && status == CAROM_OK && matrix; k++)
        status = verify_column(shooting, t, shot->period, k, verify_step * (k < dof ? length : speed), matrix,
                               error);
    return status;
}
