#include "exact_flight.h"
#include "ring_orbits.h"

static exact_flight *make_flight(const carom_linear_oscillator *o, double step)
{
    exact_flight *flight;
    carom_error error;
    assert_int_equal(exact_flight_create(o, step, &flight, &error), CAROM_OK);
    return flight;
}

/* y = a cos t until it meets -1 at t1 = acos(-1/a), then mirrored: y(t1 + s) = a cos(t1 - s). */
static void one_particle_bounces(void **state)
{
    (void)state;
    carom_linear_oscillator *one = make_ring(1, 0.0);
    exact_flight *flight = make_flight(one, 0.0);
    carom_error error;
    const double a = 1.5, y = a, v = 0.0, period = 2.0 * acos(-1.0 / a);
    assert_int_equal(exact_flight_start(flight, 0.0, &y, &v, &error), CAROM_OK);
    for (int k = 1; k <= 20; k++) {
        assert_int_equal(exact_flight_advance(flight, k * period, &error), CAROM_OK);
        assert_int_equal(flight->impacts, k);
        assert_near(flight->time, k * period, 1e-12);
        assert_near(flight->y[0], a, 1e-12);
        assert_near(flight->v[0], 0.0, 1e-12);
    }
    exact_flight_free(flight);
    carom_linear_oscillator_free(one);
}

/* The gap is closed for a shorter time than a step: both ends of the step are open. */
static void short_contacts_are_seen(void **state)
{
    (void)state;
    carom_linear_oscillator *one = make_ring(1, 0.0);
    const double a = 1.0 + 1e-6, y = a, v = 0.0; /* -cos t < -1/a for 2.8e-3 */
    exact_flight *flight = make_flight(one, PI / 15.5);
    carom_error error;
    assert_int_equal(exact_flight_start(flight, 0.0, &y, &v, &error), CAROM_OK);
    assert_int_equal(exact_flight_advance(flight, 2.0 * PI, &error), CAROM_OK);
    assert_int_equal(flight->impacts, 1);
    exact_flight_free(flight);
    carom_linear_oscillator_free(one);
}

/* Energy stays, whatever strikes whatever: a ring from a random state. */
static void energy_is_kept(void **state)
{
    (void)state;
    carom_linear_oscillator *ring = make_ring(10, 0.4);
    exact_flight *flight = make_flight(ring, 0.0);
    carom_error error;
    carom_random random = {2};
    double y[10], v[10];
    for (int i = 0; i < 10; i++) {
        y[i] = carom_random_uniform(&random, -0.9, 2.0);
        v[i] = carom_random_uniform(&random, -1.0, 1.0);
    }
    assert_int_equal(exact_flight_start(flight, 0.0, y, v, &error), CAROM_OK);
    const double energy = carom_linear_energy(ring, y, v);
    assert_int_equal(exact_flight_advance(flight, 50.0, &error), CAROM_OK);
    assert_true(flight->impacts > 20);
    assert_near(carom_linear_energy(ring, flight->y, flight->v), energy, 1e-11 * energy);
    for (int i = 0; i < 10; i++)
        assert_true(flight->y[i] > -1.0 - 1e-12);
    exact_flight_free(flight);
    carom_linear_oscillator_free(ring);
}

/* 8.6: site breather. Stable: growth is linear; unstable: by the multiplier 5.7 per period. */
static void orbits_in_time(void **state)
{
    (void)state;
    carom_phase pattern[RING_MAX] = {[50] = CAROM_PHASE_START};
    carom_error error;
    double deviation[25];
    long impacts;
    carom_linear_oscillator *ring = make_ring(100, fifteenths(5));
    carom_orbit *orbit = make_orbit(ring, three_halves, pattern);
    assert_int_equal(exact_flight_strobe(orbit, ring, 50, 1e-8, 25, deviation, &impacts, &error), CAROM_OK);
    assert_int_equal(impacts, 25);
    assert_near(deviation[24], 2.2e-7, 0.1e-7);
    assert_int_equal(exact_flight_strobe(orbit, ring, 50, 0.0, 5, deviation, NULL, &error), CAROM_OK);
    assert_near(deviation[4], 0.0, 1e-12);
    carom_ring_couple(ring, fifteenths(14), &error);
    const carom_orbit_options options = carom_orbit_defaults();
    assert_int_equal(carom_orbit_solve(orbit, ring, three_halves, pattern, &options, &error), CAROM_OK);
    assert_int_equal(exact_flight_strobe(orbit, ring, 50, 1e-8, 5, deviation, NULL, &error), CAROM_OK);
    const double expected[] = {5.2e-8, 3.0e-7, 1.7e-6, 9.9e-6, 5.7e-5};
    for (int k = 0; k < 5; k++)
        assert_near(deviation[k] / expected[k], 1.0, 0.03);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* Impacts per period are the particles of the pattern, also several at one instant. */
static void impacts_at_one_instant(void **state)
{
    (void)state;
    carom_phase pattern[10] = {0};
    put(pattern, 2, 3, CAROM_PHASE_HALF);
    put(pattern, 6, 8, CAROM_PHASE_START);
    carom_linear_oscillator *ring = make_ring(10, fifteenths(8));
    carom_orbit *orbit = make_orbit(ring, three_halves, pattern);
    carom_error error;
    double deviation[4];
    long impacts;
    assert_int_equal(exact_flight_strobe(orbit, ring, 0, 0.0, 4, deviation, &impacts, &error), CAROM_OK);
    assert_int_equal(impacts, 20);
    assert_near(deviation[3], 0.0, 1e-11);
    assert_int_equal(exact_flight_strobe(orbit, ring, 10, 0.0, 4, deviation, &impacts, &error),
                     CAROM_BAD_INPUT);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* A spring that pushes the first mass to its wall holds it there: acceleration 2 - 5 < 0. */
static void lasting_contact_is_reported(void **state)
{
    (void)state;
    const double stiffness[] = {2.0, 1.0, 1.0, 2.0}, normal[] = {1.0, 0.0}, gap = 1.0;
    const double y[] = {-1.0, 5.0}, v[] = {0.0, 0.0}, behind[] = {-1.1, 0.0};
    const carom_linear_system system = {2, NULL, stiffness, 1, normal, &gap};
    carom_linear_oscillator *o;
    carom_error error;
    assert_int_equal(carom_linear_oscillator_create(&system, &o, &error), CAROM_OK);
    exact_flight *flight = make_flight(o, 0.0);
    assert_int_equal(exact_flight_start(flight, 0.0, y, v, &error), CAROM_OK);
    assert_int_equal(exact_flight_advance(flight, 1.0, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "stay closed"));
    assert_int_equal(exact_flight_start(flight, 0.0, behind, v, &error), CAROM_BAD_INPUT);
    exact_flight_free(flight);
    assert_int_equal(exact_flight_create(o, -1.0, &flight, &error), CAROM_BAD_INPUT);
    carom_linear_oscillator_free(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_particle_bounces),   cmocka_unit_test(short_contacts_are_seen),
        cmocka_unit_test(energy_is_kept),         cmocka_unit_test(orbits_in_time),
        cmocka_unit_test(impacts_at_one_instant), cmocka_unit_test(lasting_contact_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
