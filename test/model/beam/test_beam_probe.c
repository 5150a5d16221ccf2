#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

static const carom_beam_basis bases[3] = {CAROM_BEAM_P3, CAROM_BEAM_BSPLINE, CAROM_BEAM_DIFFERENCE};

/* x^2 (3 - x) is in the space of both finite elements. */
static void begin(beam_case *c, carom_beam_basis basis, int elements)
{
    beam_begin(c, basis, elements);
    c->spec.displacement.function = times(c, power(c, c->x, 2), minus(c, number(c, 3.0), c->x));
    c->spec.velocity.function = times(c, number(c, 2.0), power(c, c->x, 2));
}

static void observe(const built_beam *b, const double *impulse, double *observed)
{
    double *q = new_vector(b->n), *u = new_vector(b->n);
    b->model->ops->initial(b->work, q, u);
    b->model->ops->observe(b->work, 0.0, q, u, impulse, observed);
    free(q);
    free(u);
}

static void test_values_at_places(void **state)
{
    (void)state;
    const double places[4] = {0.0, 3.75, 4.21, 10.0};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 4; i++) {
            const double x = places[i];
            beam_case c;
            begin(&c, bases[k], 8);
            for (int kind = CAROM_PROBE_DISPLACEMENT; kind <= CAROM_PROBE_MOMENT; kind++)
                add_probe(&c, (carom_beam_probe_kind)kind, x);
            built_beam b = beam_build_sound(&c);
            assert_int_equal(b.model->observables, 4);
            double observed[4];
            observe(&b, NULL, observed);
            assert_near_or_relative(observed[CAROM_PROBE_DISPLACEMENT], x * x * (3.0 - x), 1e-13);
            assert_near_or_relative(observed[CAROM_PROBE_VELOCITY], 2.0 * x * x, 1e-13);
            assert_near_or_relative(observed[CAROM_PROBE_SLOPE], 6.0 * x - 3.0 * x * x, 1e-12);
            assert_near_or_relative(observed[CAROM_PROBE_MOMENT], 282.84 * (6.0 - 6.0 * x), 1e-11);
            beam_release(&b);
        }
    }
}

/* The nearest node. */
static void test_values_of_differences(void **state)
{
    (void)state;
    beam_case c;
    begin(&c, CAROM_BEAM_DIFFERENCE, 10);
    add_probe(&c, CAROM_PROBE_DISPLACEMENT, 4.4);
    add_probe(&c, CAROM_PROBE_VELOCITY, 4.6);
    add_probe(&c, CAROM_PROBE_SLOPE, 4.0);
    add_probe(&c, CAROM_PROBE_MOMENT, 4.0);
    add_probe(&c, CAROM_PROBE_DISPLACEMENT, 10.0);
    built_beam b = beam_build_sound(&c);
    double observed[5];
    observe(&b, NULL, observed);
    assert_near_or_relative(observed[0], -16.0, 1e-15);
    assert_near_or_relative(observed[1], 50.0, 1e-15);
    assert_near_or_relative(observed[2], (25.0 * -2.0 - 9.0 * 0.0) / 2.0, 1e-15);
    assert_near_or_relative(observed[3], 282.84 * (0.0 - 2.0 * -16.0 + -50.0), 1e-14);
    assert_near_or_relative(observed[4], -700.0, 1e-15);
    beam_release(&b);
}

/* In N m with a section. */
static void test_moment_with_a_section(void **state)
{
    (void)state;
    beam_case c;
    begin(&c, CAROM_BEAM_BSPLINE, 8);
    c.spec.k2 = CAROM_NO_NODE;
    c.spec.modulus = number(&c, 7.0);
    c.spec.inertia = number(&c, 3.0);
    c.spec.density = number(&c, 2.0);
    c.spec.area = number(&c, 5.0);
    add_probe(&c, CAROM_PROBE_MOMENT, 6.0);
    built_beam b = beam_build_sound(&c);
    double observed[1];
    observe(&b, NULL, observed);
    assert_near_or_relative(observed[0], 21.0 * -30.0, 1e-11);
    beam_release(&b);
}

/* Largest depth over the 19 places of each element within from .. to, by the formula of the field; a stop
 * does not count. */
static void test_penetration(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 10);
        c.spec.displacement.function = times(&c, power(&c, c.x, 2), minus(&c, number(&c, 8.0), c.x));
        add_probe(&c, CAROM_PROBE_PENETRATION_LOWER, 0.0);
        add_probe(&c, CAROM_PROBE_PENETRATION_UPPER, 0.0);
        carom_beam_obstacle *obstacle = add_obstacle(&c, number(&c, -100.0), times(&c, number(&c, 8.0), c.x));
        obstacle->from = number(&c, 2.5);
        obstacle->to = number(&c, 9.6);
        add_stop(&c, "tip", 10.0, number(&c, 0.0), CAROM_NO_NODE);
        built_beam b = beam_build_sound(&c);
        double lower = 0.0, upper = 0.0, observed[2];
        for (int i = 0; i < 200; i++) {
            const double x = i / 20.0, u = x * x * (8.0 - x);
            if (i % 20 == 0 || x < 2.5 - 1e-9 || x > 9.6 + 1e-9)
                continue;
            lower = fmax(lower, -100.0 - u);
            upper = fmax(upper, u - 8.0 * x);
        }
        assert_true(lower > 1.0 && upper > 1.0);
        observe(&b, NULL, observed);
        assert_near_or_relative(observed[0], lower, 1e-12);
        assert_near_or_relative(observed[1], upper, 1e-12);
        beam_release(&b);
    }
}

static void test_no_penetration(void **state)
{
    (void)state;
    beam_case c;
    begin(&c, CAROM_BEAM_P3, 10);
    c.spec.displacement.function = CAROM_NO_NODE;
    add_probe(&c, CAROM_PROBE_PENETRATION_LOWER, 0.0);
    add_probe(&c, CAROM_PROBE_PENETRATION_UPPER, 0.0);
    add_obstacle(&c, number(&c, -0.1), CAROM_NO_NODE);
    built_beam b = beam_build_sound(&c);
    double observed[2];
    observe(&b, NULL, observed);
    assert_true(observed[0] == 0.0 && observed[1] == 0.0);
    beam_release(&b);
}

/* Finite differences are straight between the nodes, from the clamp on. */
static void test_penetration_of_differences(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, 4);
    c.spec.displacement.function = c.x;
    add_probe(&c, CAROM_PROBE_PENETRATION_UPPER, 0.0);
    const carom_node off = minus(&c, c.x, number(&c, 1.25));
    add_obstacle(&c, CAROM_NO_NODE, plus(&c, c.x, minus(&c, power(&c, off, 2), number(&c, 0.5))));
    built_beam b = beam_build_with(&c, beam_values);
    double observed[1];
    observe(&b, NULL, observed);
    assert_near_or_relative(observed[0], 0.5, 1e-14);
    beam_release(&b);
}

static void test_impulses(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 3);
    add_obstacle(&c, number(&c, -1.0), number(&c, 1.0))->to = number(&c, 9.0);
    add_stop(&c, "tip", 10.0, number(&c, -1.0), number(&c, 1.0));
    add_probe(&c, CAROM_PROBE_IMPULSE_LOWER, 0.0);
    add_probe(&c, CAROM_PROBE_IMPULSE_UPPER, 0.0);
    add_probe(&c, CAROM_PROBE_TOUCHING, 0.0);
    built_beam b = beam_build_sound(&c);
    assert_int_equal(b.model->contacts, 8);
    double impulse[24] = {0}, observed[3];
    impulse[3 * carom_model_find_contact(b.model, "lower_1")] = 2.0;
    impulse[3 * carom_model_find_contact(b.model, "lower_2")] = 0.5;
    impulse[3 * carom_model_find_contact(b.model, "upper_2")] = 4.0;
    impulse[3 * carom_model_find_contact(b.model, "tip_lower")] = 8.0;
    observe(&b, impulse, observed);
    assert_near_or_relative(observed[0], 10.5, 0.0);
    assert_near_or_relative(observed[1], 4.0, 0.0);
    assert_near_or_relative(observed[2], 4.0, 0.0);
    beam_release(&b);
}

static void test_problems(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 3);
    c.probe[add_probe(&c, CAROM_PROBE_SLOPE, 10.1)].line = 21;
    expect_problem(&c, beam_values,
                   "21: probe: x = 10.1 is outside the beam; it must lie between 0 and the length 10");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_at_places),
        cmocka_unit_test(test_values_of_differences),
        cmocka_unit_test(test_moment_with_a_section),
        cmocka_unit_test(test_penetration),
        cmocka_unit_test(test_no_penetration),
        cmocka_unit_test(test_penetration_of_differences),
        cmocka_unit_test(test_impulses),
        cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
