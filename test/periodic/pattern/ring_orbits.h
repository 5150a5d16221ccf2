/* Rings, chains and their orbits, made with one call each, for tests. */
#ifndef CAROM_TEST_PERIODIC_PATTERN_RING_ORBITS_H
#define CAROM_TEST_PERIODIC_PATTERN_RING_ORBITS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/periodic.h"
#include "ring_closed_forms.h"
#include "test/near.h"

enum {
    RING_MAX = 100
};

static const double three_halves = 1.5 * PI; /* T = 3 pi / 2, at which most published values stand */

/* k/15 of the coupling at which the out-of-phase mode has period 3 pi / 2. */
static inline double fifteenths(int k)
{
    return k * ring_edge_coupling(three_halves) / 15.0;
}

static inline carom_linear_oscillator *make_ring(int particles, double coupling)
{
    carom_linear_oscillator *ring;
    carom_error error;
    assert_int_equal(carom_ring_create(particles, coupling, &ring, &error), CAROM_OK);
    return ring;
}

/* Chain of n masses of a bar of length, density and stiffness 1, fixed at one end, a wall at distance 1 from
 * the other: m = 1/n, k = n. */
static inline carom_linear_oscillator *make_chain(int n)
{
    double mass[64] = {0}, stiffness[64] = {0}, normal[8] = {0};
    const double gap = 1.0;
    for (int i = 0; i < n; i++) {
        mass[i * n + i] = 1.0 / n;
        stiffness[i * n + i] = i == n - 1 ? n : 2.0 * n;
        if (i > 0)
            stiffness[i * n + i - 1] = stiffness[(i - 1) * n + i] = -n;
    }
    normal[n - 1] = -1.0;
    const carom_linear_system system = {n, mass, stiffness, 1, normal, &gap};
    carom_linear_oscillator *chain;
    carom_error error;
    assert_int_equal(carom_linear_oscillator_create(&system, &chain, &error), CAROM_OK);
    return chain;
}

static inline carom_orbit *make_orbit(const carom_linear_oscillator *oscillator, double period,
                                      const carom_phase *pattern)
{
    carom_orbit *orbit;
    carom_error error;
    const carom_orbit_options options = carom_orbit_defaults();
    assert_int_equal(carom_orbit_create(oscillator, &orbit, &error), CAROM_OK);
    assert_int_equal(carom_orbit_solve(orbit, oscillator, period, pattern, &options, &error), CAROM_OK);
    return orbit;
}

static inline carom_floquet *make_floquet(const carom_linear_oscillator *oscillator, const carom_orbit *orbit,
                                          carom_floquet_method method)
{
    carom_floquet *floquet;
    carom_error error;
    carom_floquet_options options = carom_floquet_defaults();
    options.method = method;
    assert_int_equal(carom_floquet_create(oscillator, &floquet, &error), CAROM_OK);
    assert_int_equal(carom_floquet_compute(floquet, oscillator, orbit, &options, &error), CAROM_OK);
    return floquet;
}

/* pattern[from..to] = phase */
static inline void put(carom_phase *pattern, int from, int to, carom_phase phase)
{
    for (int i = from; i <= to; i++)
        pattern[i] = phase;
}

/* Odd particles at T/2, even ones at 0. */
static inline void put_in_turns(carom_phase *pattern, int particles)
{
    for (int i = 0; i < particles; i++)
        pattern[i] = i % 2 ? CAROM_PHASE_HALF : CAROM_PHASE_START;
}

/* All of a ring of 30 around the places given at 0, and opposite of them at T/2. */
static inline void put_opposite(carom_phase *pattern, int count, const int *place)
{
    memset(pattern, 0, 30 * sizeof *pattern);
    for (int i = 0; i < count; i++) {
        pattern[place[i]] = CAROM_PHASE_START;
        pattern[(place[i] + 15) % 30] = CAROM_PHASE_HALF;
    }
}

#endif
