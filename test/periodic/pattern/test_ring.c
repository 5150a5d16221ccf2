#include "ring_orbits.h"

static const int sizes[] = {1, 2, 3, 4, 7, 10};

/* Modes are orthonormal and belong to the frequencies, also for one and two particles. */
static void modes_of_rings(void **state)
{
    (void)state;
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s];
        carom_linear_oscillator *ring = make_ring(n, 0.3);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++) {
                double product = 0.0,
                       residual = -ring->frequency[b] * ring->frequency[b] * ring->mode[a * n + b];
                for (int i = 0; i < n; i++) {
                    product += ring->mode[i * n + a] * ring->mode[i * n + b];
                    residual += ring->stiffness[a * n + i] * ring->mode[i * n + b];
                }
                assert_near(product, a == b, 1e-14);
                assert_near(residual, 0.0, 1e-14);
            }
        carom_linear_oscillator_free(ring);
    }
}

static void small_rings_have_their_own_stiffness(void **state)
{
    (void)state;
    carom_linear_oscillator *one = make_ring(1, 0.3), *two = make_ring(2, 0.3);
    assert_true(one->stiffness[0] == 1.0);
    assert_near(two->stiffness[0], 1.6, 1e-15);
    assert_near(two->stiffness[1], -0.6, 1e-15);
    carom_linear_oscillator_free(one);
    carom_linear_oscillator_free(two);
}

/* The circulant blocks against those of the same matrices by LAPACK's modes. */
static void ring_and_general_flow_agree(void **state)
{
    (void)state;
    for (int s = 0; s < 6; s++) {
        const int n = sizes[s];
        carom_linear_oscillator *ring = make_ring(n, 0.7), *same;
        const carom_linear_system system = {n, NULL, ring->stiffness, n, ring->normal, ring->gap};
        carom_error error;
        assert_int_equal(carom_linear_oscillator_create(&system, &same, &error), CAROM_OK);
        assert_true(same->plain && !same->ring);
        double a[400], b[400];
        assert_int_equal(carom_linear_flow_matrix(ring, 1.7, a, &error), CAROM_OK);
        assert_int_equal(carom_linear_flow_matrix(same, 1.7, b, &error), CAROM_OK);
        for (int i = 0; i < 4 * n * n; i++)
            assert_near(a[i], b[i], 1e-13);
        carom_linear_oscillator_free(ring);
        carom_linear_oscillator_free(same);
    }
}

/* The flow is that of the matrix, conserves energy and can be undone; with a mass matrix that is not
 * diagonal. */
static void flow_of_a_system_with_mass(void **state)
{
    (void)state;
    const double mass[] = {2.0, 0.5, 0.5, 1.0}, stiffness[] = {3.0, -1.0, -1.0, 2.0};
    const double normal[] = {1.0, 0.0}, gap = 1.0, y0[] = {0.3, -0.7}, v0[] = {1.1, 0.2};
    const carom_linear_system system = {2, mass, stiffness, 1, normal, &gap};
    carom_linear_oscillator *o;
    carom_error error;
    assert_int_equal(carom_linear_oscillator_create(&system, &o, &error), CAROM_OK);
    double y[2], v[2], work[4], flow[16];
    carom_linear_flow(o, 2.3, y0, v0, y, v, work);
    assert_int_equal(carom_linear_flow_matrix(o, 2.3, flow, &error), CAROM_OK);
    for (int i = 0; i < 2; i++) {
        assert_near(y[i], carom_dot(2, flow + 4 * i, y0) + carom_dot(2, flow + 4 * i + 2, v0), 1e-14);
        assert_near(v[i], carom_dot(2, flow + 8 + 4 * i, y0) + carom_dot(2, flow + 8 + 4 * i + 2, v0), 1e-14);
    }
    assert_near(carom_linear_energy(o, y, v), carom_linear_energy(o, y0, v0), 1e-14);
    /* M a = -K y at t = 0; (M^-1 K y)_1 by hand: det M = 1.75 */
    const double ky0 = 3.0 * 0.3 + 0.7, ky1 = -0.3 - 1.4;
    assert_near(carom_linear_gap_acceleration(o, 0, y0), -(1.0 * ky0 - 0.5 * ky1) / 1.75, 1e-14);
    carom_linear_flow(o, -2.3, y, v, y, v, work);
    for (int i = 0; i < 2; i++) {
        assert_near(y[i], y0[i], 1e-14);
        assert_near(v[i], v0[i], 1e-14);
    }
    carom_linear_oscillator_free(o);
}

/* Frequencies of chains, 7.1 of the source on nonsmooth modes. */
static void frequencies_of_chains(void **state)
{
    (void)state;
    const double expected[] = {1.3351256037, 3.7409388112, 5.4058132074};
    carom_linear_oscillator *chain = make_chain(3);
    for (int j = 0; j < 3; j++)
        assert_near(chain->frequency[j], expected[j], 1e-10);
    carom_linear_oscillator_free(chain);
}

static void fails(int particles, double coupling, const char *says)
{
    carom_linear_oscillator *ring;
    carom_error error;
    assert_int_equal(carom_ring_create(particles, coupling, &ring, &error), CAROM_BAD_INPUT);
    assert_null(ring);
    assert_non_null(strstr(error.text, says));
}

static void bad_rings_are_refused(void **state)
{
    (void)state;
    fails(0, 0.1, "at least 1");
    fails(10, -0.25, "chain not positive definite");
    fails(10, NAN, "finite");
    fails(10, INFINITY, "finite");
    carom_linear_oscillator *soft = make_ring(10, -0.2);
    carom_linear_oscillator_free(soft);
}

static void fails_system(carom_linear_system system, const char *says)
{
    carom_linear_oscillator *o;
    carom_error error;
    assert_int_equal(carom_linear_oscillator_create(&system, &o, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, says));
}

static void bad_systems_are_refused(void **state)
{
    (void)state;
    const double good[] = {1.0, 0.0, 0.0, 1.0}, flat[] = {1.0, 0.0, 0.0, 0.0},
                 minus[] = {1.0, 0.0, 0.0, -1.0};
    const double skew[] = {1.0, 0.5, 0.0, 1.0}, nan[] = {1.0, NAN, NAN, 1.0}, normal[] = {1.0, 0.0};
    const double none[] = {0.0, 0.0}, gap = 1.0, no_gap = 0.0;
    fails_system((carom_linear_system){2, NULL, flat, 1, normal, &gap}, "stiffness matrix is not positive");
    fails_system((carom_linear_system){2, minus, good, 1, normal, &gap}, "mass matrix is not positive");
    fails_system((carom_linear_system){2, NULL, skew, 1, normal, &gap}, "not symmetric");
    fails_system((carom_linear_system){2, NULL, nan, 1, normal, &gap}, "not a number");
    fails_system((carom_linear_system){2, NULL, good, 1, none, &gap}, "normal");
    fails_system((carom_linear_system){2, NULL, good, 1, normal, &no_gap}, "must be positive");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_rings),
        cmocka_unit_test(small_rings_have_their_own_stiffness),
        cmocka_unit_test(ring_and_general_flow_agree),
        cmocka_unit_test(flow_of_a_system_with_mass),
        cmocka_unit_test(frequencies_of_chains),
        cmocka_unit_test(bad_rings_are_refused),
        cmocka_unit_test(bad_systems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
