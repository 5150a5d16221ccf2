/* Flights and impacts of the model from the state right after the first impact of a motion found by shooting:
 * samples for pictures, approach speeds and impulses. The flights are given, so that nothing is searched for;
 * Runge-Kutta of order 4 in small steps suffices. */
#include <math.h>
#include <string.h>

#include "find.h"
#include "periodic/switching.h"

enum {
    SUBSTEPS = 16 /* between two samples */
};

typedef struct walker {
    const carom_periodic_model *periodic;
    int n;
    double t, *state; /* q, v */
    switching switches;
    double earliest, latest; /* times at which forces are evaluated, on one side of kinks and jumps */
    double *mass;            /* its factor */
    bool factored;
    double *slope[4], *trial, *push;
} walker;

static bool take_memory(walker *self, carom_arena *arena)
{
    const size_t n = (size_t)self->n;
    bool good = (self->state = carom_arena_take(arena, 2 * n, sizeof(double))) &&
                (self->mass = carom_arena_take(arena, carom_product(n, n), sizeof(double))) &&
                (self->trial = carom_arena_take(arena, 2 * n, sizeof(double))) &&
                (self->push = carom_arena_take(arena, n, sizeof(double)));
    for (int i = 0; i < 4; i++)
        good = good && (self->slope[i] = carom_arena_take(arena, 2 * n, sizeof(double)));
    return good;
}

static bool factor_mass(walker *self, double t, const double *q)
{
    const carom_model *model = self->periodic->model;
    if (self->factored && model->constant_mass)
        return true;
    model->ops->mass(self->periodic->work, t, q, self->mass);
    self->factored = carom_cholesky_factor(self->n, self->mass) == 0;
    return self->factored;
}

static bool take_slope(walker *self, double t, const double *state, double *slope)
{
    const int n = self->n;
    t = fmin(fmax(t, self->earliest), self->latest);
    if (!factor_mass(self, t, state))
        return false;
    memcpy(slope, state + n, (size_t)n * sizeof *slope);
    self->periodic->model->ops->force(self->periodic->work, t, state, state + n, slope + n);
    carom_cholesky_solve(n, self->mass, slope + n);
    return true;
}

static bool step_smoothly(walker *self, double h)
{
    static const double at[4] = {0.0, 0.5, 0.5, 1.0},
                        weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    const int size = 2 * self->n;
    for (int i = 0; i < 4; i++) {
        memcpy(self->trial, self->state, (size_t)size * sizeof(double));
        if (i > 0)
            carom_axpy(size, at[i] * h, self->slope[i - 1], self->trial);
        if (!take_slope(self, self->t + at[i] * h, self->trial, self->slope[i]))
            return false;
    }
    for (int i = 0; i < 4; i++)
        carom_axpy(size, weight[i] * h, self->slope[i], self->state);
    self->t += h;
    return carom_all_finite(size, self->state);
}

static bool step(walker *self, double h)
{
    const double end = self->t + h;
    bool good = true;
    if (self->switches.count == 0)
        return step_smoothly(self, h);
    while (good && self->t < end) {
        const double to = fmin(switching_next(&self->switches, self->t), end);
        const double margin = switching_margin(&self->switches, to);
        self->earliest = fmin(self->t + margin, to);
        self->latest = fmax(to - margin, self->t);
        good = step_smoothly(self, to - self->t);
        self->t = to;
    }
    return good;
}

/* v += M^-1 n impulse, impulse = -(1 + e) gap' / (n . M^-1 n). */
static bool strike(walker *self, int contact, double *impulse, double *approach)
{
    const carom_periodic_model *periodic = self->periodic;
    carom_contact_frame frame = periodic->frame;
    const int n = self->n;
    periodic->model->ops->frame(periodic->work, contact, self->t, self->state, &frame);
    carom_row_spread(&frame.normal, n, self->push);
    if (!factor_mass(self, self->t, self->state))
        return false;
    carom_cholesky_solve(n, self->mass, self->push);
    *approach = -(carom_row_dot(&frame.normal, self->state + n) + frame.normal_rate);
    *impulse = (1.0 + frame.restitution) * *approach / carom_row_dot(&frame.normal, self->push);
    carom_axpy(n, *impulse, self->push, self->state + n);
    return true;
}

/* One flight, its samples and the impact at its end, if there is one. */
static bool walk_flight(walker *self, int flight, carom_found_orbit *found)
{
    const int size = 2 * self->n, last = CAROM_FOUND_ROWS - 1;
    const int next = found->impacts > 0 ? (flight + 1) % found->impacts : -1;
    const double h = found->flight[flight] / (last * SUBSTEPS);
    for (int i = 0; i <= last; i++) {
        double *row = found->row + (size_t)(flight * CAROM_FOUND_ROWS + i) * (size_t)(1 + size);
        row[0] = self->t - found->t0;
        memcpy(row + 1, self->state, (size_t)size * sizeof *row);
        if (flight == 0 && 2 * i == last)
            memcpy(found->middle, self->state, (size_t)size * sizeof(double));
        for (int k = 0; i < last && k < SUBSTEPS; k++)
            if (!step(self, h))
                return false;
    }
    return next < 0 || strike(self, found->contact[next], &found->impulse[next], &found->approach[next]);
}

carom_status find_walk(const carom_periodic_model *periodic, carom_found_orbit *found, carom_error *error)
{
    walker self = {.periodic = periodic,
                   .n = periodic->model->dof,
                   .t = found->t0,
                   .earliest = -INFINITY,
                   .latest = INFINITY};
    const size_t bytes = (size_t)self.n * sizeof(double);
    const int flights = found->impacts > 0 ? found->impacts : 1;
    if (!take_memory(&self, found->arena) || !found_take_rows(periodic, flights, found))
        return carom_fail_memory(error);
    memcpy(self.state, found->q, bytes);
    memcpy(self.state + self.n, found->v, bytes);
    double time = 0.0;
    found->middle_time = 0.5 * found->flight[0];
    carom_status status =
        switching_find(&self.switches, periodic->work, periodic->timed ? found->period : 0.0)
            ? CAROM_OK
            : carom_fail_memory(error);
    for (int i = 0; i < flights && status == CAROM_OK; i++) {
        found->time[i] = time;
        time += found->flight[i];
        if (!walk_flight(&self, i, found))
            status = carom_fail(error, CAROM_FAILED, "the motion cannot be followed beyond t = %.9g", self.t);
    }
    switching_free(&self.switches);
    return status;
}
