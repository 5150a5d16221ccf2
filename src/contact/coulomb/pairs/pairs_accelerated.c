#include "pairs_accelerated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEPTH = 8,  /* steps that are remembered */
    LOOK = 20,  /* from one look at the error to the next */
    LEAST = 60, /* before that the rate says nothing */
};

bool pairs_accelerated_take(pairs_accelerated *self, const pairs_rows *rows)
{
    const int size = rows->d * rows->contacts;
    if (self->room > 0 && size <= self->room)
        return true;
    pairs_accelerated_free(self);
    const int room = size + size / 2 + 1;
    self->before = carom_new_array((size_t)room, sizeof *self->before);
    self->best = carom_new_array((size_t)room, sizeof *self->best);
    if (!self->before || !self->best || !coulomb_anderson_create(&self->anderson, room, DEPTH)) {
        pairs_accelerated_free(self);
        return false;
    }
    self->room = room;
    return true;
}

void pairs_accelerated_free(pairs_accelerated *self)
{
    if (self->room > 0)
        coulomb_anderson_free(&self->anderson);
    free(self->before);
    free(self->best);
    *self = (pairs_accelerated){0};
}

/* Will the error, which was `first` at the beginning, be small enough in time? */
static bool promises(const pairs_accelerated_limits *limits, double first, double error, int sweeps)
{
    if (sweeps < LEAST)
        return true;
    const double rate = log(error / first) / sweeps;
    return rate < 0.0 && sweeps + log(limits->tolerance / error) / rate <= limits->most;
}

void pairs_accelerated_motion(const pairs_accelerated_limits *limits, const pairs_rows *rows, const double *r,
                              double *v)
{
    pairs_rows_motion(rows, r, v);
    if (limits->others)
        limits->others->mean(limits->others->context, rows->s, v);
}

double pairs_accelerated_error(const pairs_accelerated_limits *limits, const pairs_rows *rows,
                               const double *r, const double *v)
{
    double sum = pairs_rows_distances(rows, r, v);
    if (limits->others)
        limits->others->sum(limits->others->context, 1, &sum);
    return pairs_rows_relative(rows, sum);
}

int pairs_accelerated_run(pairs_accelerated *self, pairs_sweep *sweeps,
                          const pairs_accelerated_limits *limits, double *r, double *v, double *error)
{
    const pairs_rows *rows = sweeps->rows;
    const size_t bytes = (size_t)(rows->d * rows->contacts) * sizeof *r;
    const double first = *error;
    int done = 0;
    memcpy(self->best, r, bytes);
    coulomb_anderson_begin(&self->anderson, rows->d * rows->contacts);
    self->anderson.sum = limits->others ? limits->others->sum : NULL;
    self->anderson.context = limits->others ? limits->others->context : NULL;
    while (done < limits->most) {
        memcpy(self->before, r, bytes);
        pairs_sweep_once(sweeps, false, r, v);
        done++;
        if (done % LOOK == 0 || done == limits->most) {
            if (limits->others)
                pairs_accelerated_motion(limits, rows, r, v);
            const double now = pairs_accelerated_error(limits, rows, r, v);
            if (now < *error) {
                *error = now;
                memcpy(self->best, r, bytes);
            }
            if (now <= limits->tolerance || !promises(limits, first, *error, done) ||
                (limits->until > 0.0 && carom_seconds() > limits->until))
                break;
        }
        coulomb_anderson_step(&self->anderson, self->before, r);
        pairs_accelerated_motion(limits, rows, r, v);
    }
    memcpy(r, self->best, bytes);
    pairs_accelerated_motion(limits, rows, r, v);
    return done;
}
