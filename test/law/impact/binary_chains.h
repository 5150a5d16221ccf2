/* For tests of binary collisions: chains of balls, struck. */
#ifndef CAROM_TEST_LAW_IMPACT_BINARY_CHAINS_H
#define CAROM_TEST_LAW_IMPACT_BINARY_CHAINS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/law.h"

enum {
    MAX = 64
};

static const double decorated[] = {1, 0.5, 1, 0.5, 1, 0.5, 1}; /* masses */

/* A chain that is struck at its left end, or thrown against a wall, and what becomes of it. */
typedef struct chain {
    int balls, contacts;
    double mass[MAX], before[MAX], restitution[MAX];
    int column_start[MAX + 1], row[2 * MAX];
    double value[2 * MAX];
    double after[MAX], impulse[MAX];
    carom_impact_result result;
} chain;

static inline chain make_chain(int balls, bool wall, const double *masses, double restitution)
{
    chain c = {.balls = balls, .contacts = wall ? balls : balls - 1};
    double matrix[MAX * MAX] = {0};
    for (int i = 0; i < balls; i++) {
        c.mass[i] = masses ? masses[i] : 1.0;
        c.before[i] = i == 0 || wall ? 1.0 : 0.0;
    }
    for (int j = 0; j < c.contacts; j++) {
        c.restitution[j] = restitution;
        matrix[j * c.contacts + j] = -1.0;
        if (j + 1 < balls)
            matrix[(j + 1) * c.contacts + j] = 1.0;
    }
    carom_impact_columns(balls, c.contacts, matrix, c.column_start, c.row, c.value);
    return c;
}

static inline carom_status strike(chain *c, const carom_impact_options *options, carom_error *error)
{
    const carom_impact impact = {.coordinates = c->balls,
                                 .contacts = c->contacts,
                                 .masses = c->mass,
                                 .column_start = c->column_start,
                                 .row = c->row,
                                 .value = c->value,
                                 .velocity = c->before,
                                 .restitution = c->restitution};
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    carom_impact_work *work;
    assert_int_equal(carom_impact_work_create(&carom_impact_binary, &sizes, &work, error), CAROM_OK);
    c->result = (carom_impact_result){.velocity = c->after, .impulse = c->impulse};
    const carom_status status = carom_impact_solve(work, &impact, options, &c->result, error);
    carom_impact_work_free(work);
    return status;
}

static inline void run(chain *c, carom_impact_order order)
{
    carom_error error;
    carom_impact_options options = carom_impact_defaults();
    options.order = order;
    assert_int_equal(strike(c, &options, &error), CAROM_OK);
}

static inline void assert_velocities(const chain *c, const double *expected, double tolerance)
{
    for (int i = 0; i < c->balls; i++)
        if (!(fabs(c->after[i] - expected[i]) <= tolerance))
            fail_msg("velocity of ball %d is %.12g, not %.12g", i + 1, c->after[i], expected[i]);
}

/* What holds whatever the order: momentum, impulses that push, no energy from nowhere. */
static inline void assert_facts(const chain *c)
{
    double momentum = 0.0;
    for (int i = 0; i < c->balls; i++)
        momentum += c->mass[i] * (c->after[i] - c->before[i]);
    if (c->contacts == c->balls)
        momentum += c->impulse[c->contacts - 1];
    assert_true(fabs(momentum) <= 1e-12 * c->balls);
    assert_true(c->result.imbalance <= 1e-12);
    assert_true(c->result.kinetic && c->result.energetic);
    assert_true(c->result.energy_after <= c->result.energy_before * (1.0 + 1e-12));
}

/* The generator of the spec: x <- 16807 x mod 2^31 - 1. */
static inline double next_uniform(uint64_t *state)
{
    *state = *state * 16807u % 2147483647u;
    return (double)*state / 2147483647.0;
}

#endif
