#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/convex.h"
#include "sample_sets.h"

static void assert_refused(int vertices, const double *vertex, const char *words)
{
    carom_error error = {0};
    assert_int_equal(carom_polygon_check(vertices, vertex, &error), CAROM_BAD_INPUT);
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, words));
}

static void accepts_convex_polygons_around_the_origin(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_int_equal(carom_polygon_check(4, kite, &error), CAROM_OK);
    assert_int_equal(carom_polygon_check(3, corner, &error), CAROM_OK);
    const double with_middle[10] = {-1, -1, 0, -1, 1, -1, 1, 1, -1, 1};
    assert_int_equal(carom_polygon_check(5, with_middle, &error), CAROM_OK);
    double regular[2 * CAROM_POLYGON_MAX];
    for (int k = 0; k < CAROM_POLYGON_MAX; k++) {
        regular[2 * k] = 0.3 * cos(6.283185307179586 * k / CAROM_POLYGON_MAX);
        regular[2 * k + 1] = 0.3 * sin(6.283185307179586 * k / CAROM_POLYGON_MAX);
    }
    assert_int_equal(carom_polygon_check(CAROM_POLYGON_MAX, regular, &error), CAROM_OK);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    const double clockwise[8] = {0.5, 0.0, 0.0, -0.3, -0.2, 0.0, 0.0, 0.3};
    const double dented[10] = {1, 1, -1, 1, 0, 0.1, -1, -1, 1, -1};
    const double shifted[6] = {1, 1, 2, 1, 1, 2};
    const double line[6] = {-1, -1, 0, 0, 1, 1};
    const double twice[8] = {1, 0, 1, 0, 0, 1, -1, -1};
    const double unbounded[6] = {INFINITY, 0, 0, 1, -1, -1};
    double star[10];
    for (int k = 0; k < 5; k++) {
        star[2 * k] = cos(2 * 6.283185307179586 * k / 5);
        star[2 * k + 1] = sin(2 * 6.283185307179586 * k / 5);
    }
    assert_refused(4, clockwise, "clockwise");
    assert_refused(5, dented, "not convex");
    assert_refused(5, star, "not convex");
    assert_refused(3, shifted, "does not contain (0, 0)");
    assert_refused(3, line, "no area");
    assert_refused(4, twice, "twice");
    assert_refused(3, unbounded, "vertex 1 is (inf, 0)");
    assert_refused(2, kite, "not 2");
    assert_refused(CAROM_POLYGON_MAX + 1, kite, "not 33");
}

/* Moreau 1986, section 12: friction u = u_T + P(-u_T), reference values of a prototype. */
static void reference_values(void **state)
{
    (void)state;
    const carom_planar_set set = {.kind = CAROM_PLANAR_POLYGON, .vertices = 4, .vertex = kite};
    const double slip[3][2] = {{3, 1}, {-3, 0.5}, {0.2, 0.1}}, expected[3][2] = {{2.6, 1}, {-2, 0.5}, {0, 0}};
    for (int k = 0; k < 3; k++) {
        double friction[2];
        carom_planar_project(&set, 2.0, (double[2]){-slip[k][0], -slip[k][1]}, friction);
        assert_true(fabs(slip[k][0] + friction[0] - expected[k][0]) <= 4e-16);
        assert_true(fabs(slip[k][1] + friction[1] - expected[k][1]) <= 4e-16);
    }
}

/* Close to a vertex the two edges compete with values that differ by less than their rounding. */
static void a_minimiser_next_to_a_vertex_is_found_exactly(void **state)
{
    (void)state;
    const double square[8] = {1, 1, -1, 1, -1, -1, 1, -1};
    const carom_planar_set set = {.kind = CAROM_PLANAR_POLYGON, .vertices = 4, .vertex = square};
    for (int k = 1; k < 15; k++) {
        const double gap = pow(10.0, -k);
        const double p[2] = {1e3, 1.0 - gap}, q[2] = {1.0 - gap, 1e3};
        double x[2];
        carom_planar_project(&set, 1.0, p, x);
        assert_true(x[0] == 1.0 && fabs(x[1] - p[1]) <= 4e-16);
        carom_planar_project(&set, 1.0, q, x);
        assert_true(x[1] == 1.0 && fabs(x[0] - q[0]) <= 4e-16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_convex_polygons_around_the_origin),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(reference_values),
        cmocka_unit_test(a_minimiser_next_to_a_vertex_is_found_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
