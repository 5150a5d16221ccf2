/* Chains of balls for the tests of law lzb: contact j joins balls j and j + 1, the last one the wall. */
#ifndef CAROM_TEST_LAW_IMPACT_LZB_LZB_CHAIN_H
#define CAROM_TEST_LAW_IMPACT_LZB_LZB_CHAIN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/law.h"
#include "test/near.h"

enum {
    BALLS = 101
};

typedef struct chain {
    int balls, contacts;
    double mass[BALLS], velocity[BALLS];
    double stiffness[BALLS], exponent[BALLS], restitution[BALLS], rate[BALLS];
} chain;

typedef struct outcome {
    double velocity[BALLS], impulse[BALLS], peak_force[BALLS];
    int closings[BALLS], repeats[BALLS];
    carom_impact_result result;
    double ratio; /* of kinetic energies, after to before */
} outcome;

/* Unit masses and stiffnesses; a free chain whose first ball moves at 1, or one that falls on a wall at 1. */
static inline chain new_chain(int balls, bool wall, double exponent, double restitution)
{
    chain c = {.balls = balls, .contacts = wall ? balls : balls - 1};
    for (int i = 0; i < balls; i++) {
        c.mass[i] = 1.0;
        c.velocity[i] = wall || i == 0 ? 1.0 : 0.0;
    }
    for (int j = 0; j < c.contacts; j++) {
        c.stiffness[j] = 1.0;
        c.exponent[j] = exponent;
        c.restitution[j] = restitution;
    }
    return c;
}

static inline void run_impact(const carom_impact *impact, const carom_impact_options *options, outcome *o)
{
    carom_error error = {.text = ""};
    carom_impact_work *work;
    const carom_impact_sizes sizes = carom_impact_sizes_of(impact);
    assert_int_equal(carom_impact_work_create(&carom_impact_lzb, &sizes, &work, &error), CAROM_OK);
    o->result = (carom_impact_result){.velocity = o->velocity,
                                      .impulse = o->impulse,
                                      .closings = o->closings,
                                      .repeats = o->repeats,
                                      .peak_force = o->peak_force};
    const carom_status status = carom_impact_solve(work, impact, options, &o->result, &error);
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    carom_impact_work_free(work);
    o->ratio = o->result.energy_after / o->result.energy_before;
}

static inline void run_chain(const chain *c, const carom_impact_options *options, outcome *o)
{
    int column_start[BALLS + 1], row[2 * BALLS], place = 0;
    double value[2 * BALLS];
    for (int j = 0; j < c->contacts; j++) {
        column_start[j] = place;
        row[place] = j;
        value[place++] = -1.0;
        if (j + 1 < c->balls) {
            row[place] = j + 1;
            value[place++] = 1.0;
        }
    }
    column_start[c->contacts] = place;
    const carom_impact impact = {.coordinates = c->balls,
                                 .contacts = c->contacts,
                                 .masses = c->mass,
                                 .column_start = column_start,
                                 .row = row,
                                 .value = value,
                                 .rate = c->rate,
                                 .velocity = c->velocity,
                                 .restitution = c->restitution,
                                 .stiffness = c->stiffness,
                                 .exponent = c->exponent};
    run_impact(&impact, options, o);
}

/* By a method with a step; 0: its default. */
static inline void run_method(const chain *c, carom_lzb_method method, double step, outcome *o)
{
    carom_impact_options options = carom_impact_defaults();
    options.method = method;
    options.step = step;
    run_chain(c, &options, o);
}

/* Largest difference of velocities. */
static inline double apart(int count, const double *a, const double *b)
{
    double most = 0.0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

/* Standard deviation of the balls' kinetic energies over their mean (Nguyen and Brogliato 2018, (40)-(41)).
 */
static inline double dispersion(const chain *c, const double *v)
{
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < c->balls; i++)
        mean += 0.5 * c->mass[i] * v[i] * v[i] / c->balls;
    for (int i = 0; i < c->balls; i++) {
        const double apart_from_mean = 0.5 * c->mass[i] * v[i] * v[i] - mean;
        square += apart_from_mean * apart_from_mean / c->balls;
    }
    return sqrt(square) / mean;
}

#endif
