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
    ROOT_STEPS = 40
};

/* Larger, with a formula of order 4, for the event-driven scheme: its errors are some 1e-11. */
static const double verify_step = 5e-5;
/* A gap that is negative by this share of the largest one is zero to rounding error. */
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
    for (int i = 0; i < shooting->flights; i++) {
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
        const int contact = shooting_next_contact(shooting, i);
        if (contact >= 0 && !shooting_strike(&shooting->flow, contact, t, state))
            return carom_fail(error, CAROM_FAILED, "the impact at t = %.9g cannot be computed", t);
    }
    return CAROM_OK;
}

/* ---- gaps --------------------------------------------------------------------------------------------- */

/* The smallest gap in (0, h) after a state, where its rate changes from `low` < 0 to `high` >= 0: false position on the
 * rate, the end that stays halved (Illinois). */
static double smallest_within(carom_shooting *self, int contact, double t, double h, const double *state,
                              double low, double high, double *when)
{
    double from = 0.0, to = h, gap = NAN, rate = NAN;
    const double nearly = 1e-13 * (high - low);
    for (int i = 0, side = 0; i < ROOT_STEPS && to - from > 1e-15 * (fabs(t) + h); i++) {
        const double place = high > low ? from - low * (to - from) / (high - low) : 0.5 * (from + to);
        memcpy(self->flow.kept, state, (size_t)self->flow.size * sizeof *state);
        if (!shooting_fly(&self->flow, t, place, 1, self->flow.kept))
            return NAN;
        gap = shooting_gap(&self->flow, contact, t + place, self->flow.kept, &rate);
        *when = t + place;
        if (fabs(rate) <= nearly)
            break;
        if (rate < 0.0) {
            from = place;
            low = rate;
            high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            to = place;
            high = rate;
            low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
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

/* Gaps of all contacts and their rates at a state. */
static void look_at_contacts(carom_shooting *self, double t, const double *state, double *gap, double *rate)
{
    shooting_flow *flow = &self->flow;
    const carom_model_ops *ops = self->model->ops;
    ops->gaps(flow->work, t, state, gap);
    for (int c = 0; c < self->model->contacts; c++) {
        ops->frame(flow->work, c, t, state, &flow->frame);
        rate[c] = carom_row_dot(&flow->frame.normal, state + flow->dof) + flow->frame.normal_rate;
    }
}

/* One sample of a flight to the next: from the state before, its rates, to the gaps and rates after. A contact that ends the
 * flight or has begun it is not open there. */
static void watch(carom_shooting *self, carom_shot *shot, int here, int there, double t, double h,
                  const double *before)
{
    const double *gap = self->gaps, *rate_after = self->rates[1];
    for (int c = 0; c < self->model->contacts; c++) {
        double when = t + h;
        if (self->rates[0][c] < 0.0 && rate_after[c] >= 0.0) {
            const double smallest =
                smallest_within(self, c, t, h, before, self->rates[0][c], rate_after[c], &when);
            note_gap(shot, c, smallest, when);
        } else if (c != here && c != there) {
            note_gap(shot, c, gap[c], when);
        }
    }
}

static bool watch_flight(carom_shooting *self, carom_shot *shot, int flight, double t, double *before,
                         double *after)
{
    const size_t bytes = (size_t)self->flow.size * sizeof *before;
    const int here = self->impacts > 0 ? self->contact[flight] : -1,
              there = shooting_next_contact(self, flight);
    const int samples = 8 * self->steps[flight] > SAMPLES ? 8 * self->steps[flight] : SAMPLES;
    const double h = shot->flight[flight] / samples;
    if (self->model->contacts > 0)
        look_at_contacts(self, t, after, self->gaps, self->rates[0]);
    for (int s = 0; s < samples; s++) {
        memcpy(before, after, bytes);
        if (!shooting_fly(&self->flow, t + h * s, h, 1, after))
            return false;
        shot->reach = fmax(shot->reach, carom_largest(self->dof, after));
        if (self->model->contacts == 0)
            continue;
        look_at_contacts(self, t + h * (s + 1), after, self->gaps, self->rates[1]);
        watch(self, shot, here, there, t + h * s, h, before);
        memcpy(self->rates[0], self->rates[1], (size_t)self->model->contacts * sizeof(double));
    }
    return true;
}

bool shooting_find_gaps(carom_shooting *self, carom_shot *shot)
{
    const int size = self->flow.size;
    double *before = self->columns, *after = self->columns + size, t = shot->t0, rate = 0.0;
    shot->gap = shot->approach = INFINITY;
    shot->strongest = -INFINITY;
    shot->reach = carom_largest(self->dof, shot->q);
    shot->gap_time = NAN;
    shot->gap_contact = -1;
    start_state(self, shot, after);
    for (int i = 0; i < self->flights; i++) {
        const int there = shooting_next_contact(self, i);
        if (!watch_flight(self, shot, i, t, before, after))
            return false;
        t += shot->flight[i];
        if (there < 0)
            continue;
        shooting_gap(&self->flow, there, t, after, &rate);
        if (-rate < shot->approach) {
            shot->approach = -rate;
            shot->approach_impact = (i + 1) % self->impacts;
        }
        shot->strongest = fmax(shot->strongest, -rate);
        if (!shooting_strike(&self->flow, there, t, after))
            return false;
    }
    return true;
}

/* ---- monodromy ---------------------------------------------------------------------------------------- */

/* matrix := left matrix */
static void multiply(int size, const double *left, double *matrix, double *work)
{
    for (int i = 0; i < size; i++) {
        double *row = work + (ptrdiff_t)i * size;
        memset(row, 0, (size_t)size * sizeof *row);
        for (int j = 0; j < size; j++)
            if (left[(ptrdiff_t)i * size + j] != 0.0)
                carom_axpy(size, left[(ptrdiff_t)i * size + j], matrix + (ptrdiff_t)j * size, row);
    }
    memcpy(matrix, work, (size_t)size * (size_t)size * sizeof *work);
}

carom_status carom_shooting_monodromy(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                      carom_error *error)
{
    const int size = shooting->flow.size;
    double *part = shooting->columns, *work = part + size * size, t = shot->t0, *state = shooting->state;
    const shooting_tangent tangent = {.by_state = part};
    start_state(shooting, shot, state);
    for (int i = 0; i < size * size; i++)
        matrix[i] = i % (size + 1) == 0 ? 1.0 : 0.0;
    for (int i = 0; i < shooting->flights; i++) {
        const int steps = shooting->steps[i] > 0 ? shooting->steps[i] : SAMPLES;
        const int contact = shooting_next_contact(shooting, i);
        if (!shooting_fly_tangents(&shooting->flow, t, shot->flight[i], steps, state, &tangent))
            return carom_fail(error, CAROM_FAILED, "the flight from t = %.9g cannot be computed", t);
        multiply(size, part, matrix, work);
        t += shot->flight[i];
        if (contact < 0)
            continue;
        if (!shooting_saltation(&shooting->flow, contact, t, state, part))
            return carom_fail(error, CAROM_FAILED, "the impact at t = %.9g cannot be computed", t);
        multiply(size, part, matrix, work);
    }
    return CAROM_OK;
}

carom_status shooting_describe(carom_shooting *shooting, carom_shot *shot, carom_error *error)
{
    const int size = shooting->flow.size;
    shot->energy = shooting->model->ops->energy(shooting->work, shot->t0, shot->q, shot->v);
    if (!shooting_find_gaps(shooting, shot))
        return carom_fail(error, CAROM_FAILED, "the motion of period %.9g cannot be computed", shot->period);
    shot->admissible = shot->gap >= -gap_tolerance * shooting->width && shot->approach > 0.0;
    double *matrix = carom_new_array(carom_product((size_t)size, (size_t)size), sizeof *matrix);
    if (!matrix)
        return carom_fail_memory(error);
    shot->multiplier = NAN;
    shooting->multipliers = 0;
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
    for (int k = 0; k < size && status == CAROM_OK && matrix; k++)
        status = verify_column(shooting, t, shot->period, k,
                               verify_step * (k < dof ? shooting->flow.length : shooting->flow.speed), matrix,
                               error);
    return status;
}
