#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

/* Dumont and Paoli 2008, 8.2: flat obstacles on [L/2, L]; the node at exactly L/2 is covered. */
static void test_covered_nodes(void **state)
{
    (void)state;
    const carom_beam_basis bases[3] = {CAROM_BEAM_P3, CAROM_BEAM_BSPLINE, CAROM_BEAM_DIFFERENCE};
    const double lengths[3] = {10.0, 0.7, 3.3};
    for (int k = 0; k < 9; k++) {
        beam_case c;
        beam_begin(&c, bases[k % 3], 40);
        carom_beam_obstacle *obstacle = add_obstacle(&c, number(&c, -0.01), number(&c, 0.01));
        obstacle->from = over(&c, c.p[0], number(&c, 2.0));
        double values[BEAM_PARAMETERS];
        memcpy(values, beam_values, sizeof values);
        values[0] = lengths[k / 3];
        built_beam b = beam_build_with(&c, values);
        assert_int_equal(b.structure->rows, 40);
        assert_int_equal(b.model->contacts, 80);
        for (int row = 0; row < 40; row++) {
            const bool covered = row + 1 >= 20;
            assert_true(b.structure->lower[row] == (covered ? -0.01 : -INFINITY));
            assert_true(b.structure->upper[row] == (covered ? 0.01 : INFINITY));
        }
        beam_release(&b);
    }
}

/* Several obstacles: the tightest bounds; a curved one is read at the nodes. */
static void test_tightest_bounds(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 10);
    const carom_node square = power(&c, minus(&c, c.x, number(&c, 5.0)), 2);
    add_obstacle(&c, CAROM_NO_NODE, plus(&c, number(&c, 0.005), times(&c, number(&c, 0.03), square)));
    carom_beam_obstacle *flat = add_obstacle(&c, number(&c, -0.2), number(&c, 0.1));
    flat->from = number(&c, 2.0);
    flat->to = number(&c, 8.0);
    built_beam b = beam_build_sound(&c);
    for (int node = 1; node <= 10; node++) {
        const double curved = 0.005 + 0.03 * (node - 5.0) * (node - 5.0);
        const bool both = node >= 2 && node <= 8;
        assert_near_or_relative(b.structure->upper[node - 1], both ? fmin(curved, 0.1) : curved, 1e-15);
        assert_true(b.structure->lower[node - 1] == (both ? -0.2 : -INFINITY));
    }
    beam_release(&b);
}

/* Nodes with fixed displacement have no contacts; free ends on both sides have. */
static void test_contacts_at_the_ends(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_BSPLINE, 4);
    c.spec.left = CAROM_END_GUIDED;
    c.spec.right = CAROM_END_PINNED;
    add_obstacle(&c, number(&c, -1.0), CAROM_NO_NODE);
    built_beam b = beam_build_sound(&c);
    assert_int_equal(b.model->contacts, 4);
    for (int k = 0; k < 4; k++) {
        bool upper = true;
        assert_near_or_relative(b.model->ops->contact_place(b.work, k, &upper), 2.5 * k, 1e-15);
        assert_false(upper);
    }
    assert_string_equal(b.model->contact[0].name, "lower_0");
    beam_release(&b);
}

/* Finite differences take the nearest node; the end x = L belongs to the last one. */
static void test_stops_of_differences(void **state)
{
    (void)state;
    for (int grid = CAROM_GRID_PAPER; grid <= CAROM_GRID_GHOST; grid++) {
        beam_case c;
        beam_begin(&c, CAROM_BEAM_DIFFERENCE, 50);
        c.spec.grid = (carom_beam_grid)grid;
        add_stop(&c, "guide", 6.05, number(&c, -1e-3), number(&c, 1e-3));
        add_stop(&c, "tip", 10.0, CAROM_NO_NODE, number(&c, 1.0));
        built_beam b = beam_build_sound(&c);
        assert_int_equal(b.structure->row_start[1], 1);
        assert_int_equal(b.structure->column[0], 29);
        assert_int_equal(b.structure->column[1], 49);
        assert_true(b.structure->entry[0] == 1.0);
        assert_int_equal(b.model->contacts, 3);
        assert_string_equal(b.model->contact[0].name, "guide_lower");
        assert_string_equal(b.model->contact[1].name, "guide_upper");
        assert_string_equal(b.model->contact[2].name, "tip_upper");
        beam_release(&b);
    }
}

/* A stop beside an obstacle that ends before it, and a pair of bounds that does not hold 0. */
static void test_what_is_allowed(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 10);
    add_obstacle(&c, number(&c, 0.2), number(&c, 0.4))->to = number(&c, 5.0);
    add_stop(&c, "guide", 6.0, number(&c, -0.4), number(&c, -0.2));
    add_stop(&c, "tip", 10.0, number(&c, 0.1), number(&c, 0.1));
    built_beam b = beam_build_sound(&c);
    assert_int_equal(b.structure->rows, 12);
    double q[20] = {0}, gap[24];
    b.model->ops->gaps(b.work, 0.0, q, gap);
    assert_near_or_relative(gap[0], -0.2, 1e-15);
    assert_near_or_relative(gap[1], 0.4, 1e-15);
    assert_true(gap[10] == INFINITY && gap[19] == INFINITY);
    assert_near_or_relative(gap[20], 0.4, 1e-15);
    assert_near_or_relative(gap[21], -0.2, 1e-15);
    beam_release(&b);
}

/* ---- problems ----------------------------------------------------------------------------------- */

static void test_obstacle_problems(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 10);
    add_obstacle(&c, c.x, number(&c, 2.5))->line = 12;
    expect_problem(&c, beam_values,
                   "12: obstacle at node 3, x = 3: lower = 3 > upper = 2.5; lower must not exceed upper");
    beam_begin(&c, CAROM_BEAM_BSPLINE, 10);
    add_obstacle(&c, of(&c, CAROM_OP_LOG, times(&c, c.p[2], number(&c, -1.0))), CAROM_NO_NODE);
    built_beam b = beam_build_with(&c, beam_values);
    carom_error error = {0};
    assert_int_equal(b.model->ops->check(b.work, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "obstacle at node 1, x = 1: lower is "));
    assert_non_null(strstr(error.text, "nan; give a number, or -inf for none"));
    beam_release(&b);
    beam_begin(&c, CAROM_BEAM_P3, 10);
    add_obstacle(&c, number(&c, INFINITY), CAROM_NO_NODE);
    expect_problem(&c, beam_values,
                   "obstacle at node 1, x = 1: lower is inf; give a number, or -inf for none");
    beam_begin(&c, CAROM_BEAM_P3, 10);
    add_obstacle(&c, CAROM_NO_NODE, number(&c, -INFINITY));
    expect_problem(&c, beam_values,
                   "obstacle at node 1, x = 1: upper is -inf; give a number, or inf for none");
    beam_begin(&c, CAROM_BEAM_P3, 10);
    carom_beam_obstacle *obstacle = add_obstacle(&c, number(&c, 0.0), CAROM_NO_NODE);
    obstacle->from = number(&c, 7.0);
    obstacle->to = number(&c, 3.0);
    expect_problem(&c, beam_values, "obstacle: from = 7 and to = 3; from must not be greater than to");
}

static void expect_stop_problem(carom_beam_basis basis, double x, double lower, double upper,
                                const char *text)
{
    beam_case c;
    beam_begin(&c, basis, 10);
    add_stop(&c, "guide", x, number(&c, lower), number(&c, upper))->line = 4;
    expect_problem(&c, beam_values, text);
}

static void test_stop_problems(void **state)
{
    (void)state;
    expect_stop_problem(CAROM_BEAM_P3, 6.25, -1.0, 1.0,
                        "4: stop 'guide': x = 6.25 is not a node; the nearest nodes are at x = 6 and x = 7; "
                        "choose J so that the element length L/J (now 1) divides x, or move the stop");
    expect_stop_problem(
        CAROM_BEAM_BSPLINE, 6.00001, -1.0, 1.0,
        "4: stop 'guide': x = 6.00001 is not a node; the nearest nodes are at x = 6 and x = 7; "
        "choose J so that the element length L/J (now 1) divides x, or move the stop");
    expect_stop_problem(CAROM_BEAM_P3, 6.0, 0.3, -0.3,
                        "4: stop 'guide': empty guide gap: lower = 0.3 > upper = -0.3; lower must not exceed "
                        "upper");
    expect_stop_problem(
        CAROM_BEAM_P3, 11.0, -1.0, 1.0,
        "4: stop 'guide': x = 11 is outside the beam; it must lie between 0 and the length 10");
    expect_stop_problem(
        CAROM_BEAM_P3, -1.0, -1.0, 1.0,
        "4: stop 'guide': x = -1 is outside the beam; it must lie between 0 and the length 10");
    expect_stop_problem(
        CAROM_BEAM_BSPLINE, 0.0, -1.0, 1.0,
        "4: stop 'guide': x = 0 is at the left end, where the displacement is fixed; choose a "
        "place that moves");
    expect_stop_problem(
        CAROM_BEAM_DIFFERENCE, 0.3, -1.0, 1.0,
        "4: stop 'guide': x = 0.3 is at the left end, where the displacement is fixed; choose a "
        "place that moves");
    expect_stop_problem(CAROM_BEAM_P3, 6.0, INFINITY, INFINITY,
                        "4: stop 'guide': lower is inf; give a number, or -inf for none");
    expect_stop_problem(CAROM_BEAM_P3, 6.0, -INFINITY, -INFINITY,
                        "4: stop 'guide': upper is -inf; give a number, or inf for none");
}

static void test_two_rows_at_a_node(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 10);
    add_obstacle(&c, number(&c, -0.5), CAROM_NO_NODE);
    add_stop(&c, "guide", 6.0, number(&c, -1.0), number(&c, 1.0))->line = 9;
    expect_problem(
        &c, beam_values,
        "9: stop 'guide': node 6 at x = 6 has an obstacle already (lower = -0.5, upper = inf); put "
        "the stop's bounds into the obstacle, or end the obstacle before it with from and to");
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, 10);
    add_stop(&c, "a", 6.1, number(&c, -1.0), CAROM_NO_NODE);
    add_stop(&c, "b", 5.9, CAROM_NO_NODE, number(&c, 1.0));
    expect_problem(&c, beam_values,
                   "stops 'a' and 'b' are both at node 6, x = 6; keep one, with both bounds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_covered_nodes),        cmocka_unit_test(test_tightest_bounds),
        cmocka_unit_test(test_contacts_at_the_ends), cmocka_unit_test(test_stops_of_differences),
        cmocka_unit_test(test_what_is_allowed),      cmocka_unit_test(test_obstacle_problems),
        cmocka_unit_test(test_stop_problems),        cmocka_unit_test(test_two_rows_at_a_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
