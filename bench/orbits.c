/* Periodic motions of rings by pattern.
 *
 *   orbits branch   the site breather of 100 particles at T = 3 pi / 2, some 500 couplings, with multipliers
 *   orbits cost     one orbit with its check, and its multipliers, against the number of particles
 *
 * Rows:  orbits branch POINTS SECONDS,  orbits cost PARTICLES ORBIT_MS MULTIPLIERS_MS.
 * Seconds of branch are those of the clock, with all cores; those of cost of the processor, the best
 * of several runs on one core. */
#include "measure.h"

static carom_phase *one_site(int particles)
{
    carom_phase *pattern = carom_new_array((size_t)particles, sizeof *pattern);
    if (!pattern)
        exit(EXIT_FAILURE);
    pattern[particles / 2] = CAROM_PHASE_START;
    return pattern;
}

static carom_linear_oscillator *make_ring(int particles, double coupling)
{
    carom_linear_oscillator *ring;
    carom_error error;
    if (carom_ring_create(particles, coupling, &ring, &error) != CAROM_OK)
        stop("ring", &error);
    return ring;
}

static void measure_branch(void)
{
    carom_linear_oscillator *ring = make_ring(100, 0.0);
    carom_phase *pattern = one_site(100);
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.parameter = CAROM_ORBIT_BRANCH_COUPLING;
    request.period = 1.5 * CAROM_PI;
    request.to = 0.99 * 7.0 / 36.0; /* there the out-of-phase mode has this period */
    request.step = request.to / 499.0;
    request.multipliers = true;
    carom_orbit_branch branch;
    carom_error error;
    const double started = carom_seconds();
    if (carom_orbit_branch_follow(&request, &branch, &error) != CAROM_OK)
        stop("branch", &error);
    printf("orbits branch %d %.3f\n", branch.point_count, carom_seconds() - started);
    carom_orbit_branch_free(&branch);
    carom_linear_oscillator_free(ring);
    free(pattern);
}

static void cost_of(int particles)
{
    carom_linear_oscillator *ring = make_ring(particles, 0.1);
    carom_phase *pattern = one_site(particles);
    const carom_orbit_options options = carom_orbit_defaults();
    const carom_floquet_options multipliers = carom_floquet_defaults();
    carom_orbit *orbit;
    carom_floquet *floquet;
    carom_error error;
    if (carom_orbit_create(ring, &orbit, &error) != CAROM_OK ||
        carom_floquet_create(ring, &floquet, &error) != CAROM_OK)
        stop("orbit", &error);
    double solving = INFINITY, rest = INFINITY, spent = 0.0;
    for (int i = 0; i < RUNS_LEAST || spent < seconds_least; i++) {
        const double started = processor_seconds();
        if (carom_orbit_solve(orbit, ring, 1.5 * CAROM_PI, pattern, &options, &error) != CAROM_OK)
            stop("orbit", &error);
        const double solved = processor_seconds();
        if (carom_floquet_compute(floquet, ring, orbit, &multipliers, &error) != CAROM_OK)
            stop("multipliers", &error);
        const double done = processor_seconds();
        solving = fmin(solving, solved - started);
        rest = fmin(rest, done - solved);
        spent += done - started;
    }
    printf("orbits cost %d %.3f %.3f\n", particles, 1e3 * solving, 1e3 * rest);
    carom_floquet_free(floquet);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
    free(pattern);
}

static void measure_cost(void)
{
    for (int particles = 25; particles <= 400; particles *= 2)
        cost_of(particles);
}

int main(int argc, char **argv)
{
    const part parts[] = {{"branch", measure_branch}, {"cost", measure_cost}};
    carom_linalg_serial();
    return run_parts(argc, argv, sizeof parts / sizeof *parts, parts);
}
