#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"
#include "model/beam/beam_basis.h"

static const carom_beam_end all_ends[4] = {CAROM_END_CLAMPED, CAROM_END_PINNED, CAROM_END_GUIDED,
                                           CAROM_END_FREE};

typedef struct made_space {
    carom_arena *arena;
    beam_space space;
} made_space;

static made_space make_space(carom_beam_basis basis, int elements, carom_beam_end left, carom_beam_end right)
{
    made_space made = {.arena = carom_arena_create()};
    const carom_beam_spec spec = {.basis = basis, .elements = elements, .left = left, .right = right};
    assert_non_null(made.arena);
    assert_true(beam_space_take(made.arena, &spec, &made.space));
    return made;
}

/* ---- basis functions ---------------------------------------------------------------------------- */

static void test_derivatives_of_basis_functions(void **state)
{
    (void)state;
    const double h = 0.7, step = 1e-5;
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_BSPLINE; basis++) {
        const beam_space space = {.basis = (carom_beam_basis)basis};
        for (int derivative = 0; derivative < 2; derivative++)
            for (double s = 0.05; s < 1.0; s += 0.1) {
                double below[4], above[4], slope[4];
                beam_local(&space, h, s - step, derivative, below);
                beam_local(&space, h, s + step, derivative, above);
                beam_local(&space, h, s, derivative + 1, slope);
                for (int k = 0; k < 4; k++)
                    assert_near_or_relative((above[k] - below[k]) / (2.0 * step * h), slope[k], 1e-8);
            }
    }
}

/* B-splines sum to 1; Hermite cubics have values and slopes 0 or 1 at the ends. */
static void test_values_of_basis_functions(void **state)
{
    (void)state;
    const beam_space spline = {.basis = CAROM_BEAM_BSPLINE}, hermite = {.basis = CAROM_BEAM_P3};
    double value[4];
    for (double s = 0.0; s <= 1.0; s += 0.125) {
        beam_local(&spline, 1.0, s, 0, value);
        assert_near_or_relative(value[0] + value[1] + value[2] + value[3], 1.0, 1e-15);
        const double r = 1.0 - s;
        assert_near_or_relative(value[1], (1.0 + 3.0 * r + 3.0 * r * r - 3.0 * r * r * r) / 6.0, 1e-15);
        assert_near_or_relative(value[2], (1.0 + 3.0 * s + 3.0 * s * s - 3.0 * s * s * s) / 6.0, 1e-15);
    }
    for (int end = 0; end <= 1; end++)
        for (int derivative = 0; derivative <= 1; derivative++) {
            beam_local(&hermite, 0.3, end, derivative, value);
            for (int k = 0; k < 4; k++)
                assert_near_or_relative(value[k], k == 2 * end + derivative ? 1.0 : 0.0, 1e-14);
        }
}

/* ---- end conditions ----------------------------------------------------------------------------- */

static double at(const beam_space *space, double length, double x, int derivative, const double *q)
{
    const beam_row row = beam_place_row(space, length, x, derivative);
    return beam_row_value(&row, q);
}

static void check_end(const beam_space *space, double length, carom_beam_end end, double x, const double *q)
{
    const bool no_value = end == CAROM_END_CLAMPED || end == CAROM_END_PINNED;
    const bool no_slope = end == CAROM_END_CLAMPED || end == CAROM_END_GUIDED;
    const double value = at(space, length, x, 0, q), slope = at(space, length, x, 1, q);
    if (no_value)
        assert_near_or_relative(value, 0.0, 1e-14);
    else
        assert_true(fabs(value) > 1e-3);
    if (no_slope)
        assert_near_or_relative(slope, 0.0, 1e-13);
    else
        assert_true(fabs(slope) > 1e-3);
}

/* Every pair of ends: the right number of unknowns, the conditions hold for all of them, and interpolation of
 * values and slopes gives the unknowns back. */
static void test_ends(void **state)
{
    (void)state;
    carom_random random = {.state = 5};
    const double length = 3.0;
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_BSPLINE; basis++)
        for (int elements = 2; elements <= 9; elements += elements == 2 ? 1 : 6)
            for (int pair = 0; pair < 16; pair++) {
                const carom_beam_end left = all_ends[pair / 4], right = all_ends[pair % 4];
                made_space made = make_space((carom_beam_basis)basis, elements, left, right);
                const beam_space *space = &made.space;
                const int fixed = (left == CAROM_END_CLAMPED) + (left != CAROM_END_FREE) +
                                  (right == CAROM_END_CLAMPED) + (right != CAROM_END_FREE);
                const int full = basis == CAROM_BEAM_P3 ? 2 * (elements + 1) : elements + 3;
                assert_int_equal(space->size, full - fixed);
                double q[24], again[24], value[16], slope[16], matrix[120];
                fill_random(&random, space->size, q);
                check_end(space, length, left, 0.0, q);
                check_end(space, length, right, length, q);
                for (int node = 0; node <= elements; node++) {
                    const double x = beam_node_place(space, length, node);
                    value[node] = at(space, length, x, 0, q);
                    slope[node] = at(space, length, x, 1, q);
                }
                beam_interpolate(space, length / elements, value, slope, matrix, again);
                for (int i = 0; i < space->size; i++)
                    assert_near_or_relative(again[i], q[i], 1e-13);
                carom_arena_free(made.arena);
            }
}

/* A cubic is in the space: it comes back at every place. */
static void test_cubics_are_exact(void **state)
{
    (void)state;
    const double length = 2.5;
    const int elements = 7;
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_BSPLINE; basis++) {
        made_space made = make_space((carom_beam_basis)basis, elements, CAROM_END_FREE, CAROM_END_FREE);
        const beam_space *space = &made.space;
        double value[8], slope[8], matrix[100], q[20];
        for (int node = 0; node <= elements; node++) {
            const double x = beam_node_place(space, length, node);
            value[node] = 1.0 + x * (-2.0 + x * (0.7 + 0.3 * x));
            slope[node] = -2.0 + x * (1.4 + 0.9 * x);
        }
        beam_interpolate(space, length / elements, value, slope, matrix, q);
        for (double x = 0.0; x <= length; x += 0.05) {
            assert_near_or_relative(at(space, length, x, 0, q), 1.0 + x * (-2.0 + x * (0.7 + 0.3 * x)),
                                    1e-13);
            assert_near_or_relative(at(space, length, x, 1, q), -2.0 + x * (1.4 + 0.9 * x), 1e-12);
            assert_near_or_relative(at(space, length, x, 2, q), 1.4 + 1.8 * x, 1e-11);
        }
        carom_arena_free(made.arena);
    }
}

/* At a node of Hermite cubics the curvature jumps: the mean of both sides is given. */
static void test_curvature_at_a_node(void **state)
{
    (void)state;
    made_space made = make_space(CAROM_BEAM_P3, 4, CAROM_END_CLAMPED, CAROM_END_FREE);
    double q[8];
    carom_random random = {.state = 8};
    fill_random(&random, 8, q);
    const double before = at(&made.space, 4.0, 2.0 - 1e-5, 2, q);
    const double behind = at(&made.space, 4.0, 2.0 + 1e-5, 2, q);
    assert_true(fabs(behind - before) > 1e-2);
    assert_near_or_relative(at(&made.space, 4.0, 2.0, 2, q), 0.5 * (before + behind), 1e-3);
    carom_arena_free(made.arena);
}

/* ---- nodes -------------------------------------------------------------------------------------- */

static void test_rows_of_clamped_bsplines(void **state)
{
    (void)state;
    made_space made = make_space(CAROM_BEAM_BSPLINE, 6, CAROM_END_CLAMPED, CAROM_END_FREE);
    const double expected[3][4] = {{7, 1, 0, 0}, {2, 4, 1, 0}, {0, 1, 4, 1}};
    for (int node = 1; node <= 3; node++) {
        double dense[8] = {0};
        const beam_row row = beam_node_row(&made.space, node);
        for (int k = 0; k < row.count; k++)
            dense[row.column[k]] = row.entry[k];
        for (int k = 0; k < 4; k++)
            assert_near_or_relative(dense[k], expected[node - 1][k] / 6.0, 1e-15);
    }
    carom_arena_free(made.arena);
}

static void test_grids_of_differences(void **state)
{
    (void)state;
    made_space made = make_space(CAROM_BEAM_DIFFERENCE, 5, CAROM_END_CLAMPED, CAROM_END_FREE);
    beam_space space = made.space;
    assert_int_equal(space.size, 5);
    assert_true(beam_node_place(&space, 2.0, 5) == 2.0);
    assert_int_equal(beam_nearest_node(&space, 2.0, 0.99), 2);
    assert_int_equal(beam_nearest_node(&space, 2.0, 1.01), 3);
    space.grid = CAROM_GRID_HALF;
    assert_near_or_relative(beam_element_length(&space, 3.0), 0.5, 1e-15);
    assert_near_or_relative(beam_node_place(&space, 3.0, 1), 0.75, 1e-15);
    assert_near_or_relative(beam_node_place(&space, 3.0, 5), 2.75, 1e-15);
    assert_int_equal(beam_nearest_node(&space, 3.0, 3.0), 5);
    assert_int_equal(beam_nearest_node(&space, 3.0, 0.9), 1);
    assert_int_equal(beam_nearest_node(&space, 3.0, 0.1), 0);
    space.grid = CAROM_GRID_GHOST;
    assert_near_or_relative(beam_difference_share(&space, 3.0, 5), 0.3, 1e-15);
    assert_near_or_relative(beam_difference_share(&space, 3.0, 4), 0.6, 1e-15);
    carom_arena_free(made.arena);
}

/* Second order of slope and curvature of x^2 (3 L - x), which has the ends of a beam with a force at its
 * tip; on the ghost grid also at the clamp. */
static void test_slopes_of_differences(void **state)
{
    (void)state;
    made_space made = make_space(CAROM_BEAM_DIFFERENCE, 100, CAROM_END_CLAMPED, CAROM_END_FREE);
    beam_space space = made.space;
    space.grid = CAROM_GRID_GHOST;
    double q[100];
    for (int i = 0; i < 100; i++) {
        const double x = beam_node_place(&space, 1.0, i + 1);
        q[i] = x * x * (3.0 - x);
    }
    for (int node = 1; node < 100; node++) {
        const double x = beam_node_place(&space, 1.0, node);
        assert_near_or_relative(at(&space, 1.0, x, 1, q), 6.0 * x - 3.0 * x * x, 2e-4);
        assert_near_or_relative(at(&space, 1.0, x, 2, q), 6.0 - 6.0 * x, 1e-9);
    }
    assert_near_or_relative(at(&space, 1.0, 0.0, 2, q), 6.0, 0.02 / 6.0);
    assert_near_or_relative(at(&space, 1.0, 0.0, 0, q), 0.0, 0.0);
    assert_near_or_relative(at(&space, 1.0, 0.0, 1, q), 0.0, 0.0);
    assert_near_or_relative(at(&space, 1.0, 1.0, 1, q), 3.0, 1e-3);
    assert_near_or_relative(at(&space, 1.0, 1.0, 2, q), 0.0, 0.0);
    carom_arena_free(made.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives_of_basis_functions),
        cmocka_unit_test(test_values_of_basis_functions),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_cubics_are_exact),
        cmocka_unit_test(test_curvature_at_a_node),
        cmocka_unit_test(test_rows_of_clamped_bsplines),
        cmocka_unit_test(test_grids_of_differences),
        cmocka_unit_test(test_slopes_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
