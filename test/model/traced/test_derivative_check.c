#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "systems.h"

static carom_derivative_report check_at(const system_spec *s, double t, const double *q, const double *u)
{
    carom_derivative_report report;
    carom_error error = {0};
    if (carom_traced_check(&s->spec, system_values, t, q, u, &report, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return report;
}

/* A double pendulum on a moving wall with everything that the report has a number for. */
static void rich_system(system_spec *s)
{
    static carom_node force[2];
    double_pendulum(s);
    s->spec.kinetic =
        plus(s, s->spec.kinetic, times(s, s->u[0], of(s, CAROM_OP_SIN, times(s, s->q[1], s->t))));
    force[0] = of(s, CAROM_OP_NEG, times(s, s->u[0], of(s, CAROM_OP_ABS, s->u[0])));
    force[1] = of(s, CAROM_OP_COS, s->t);
    s->spec.force = force;
    s->contact.gap = plus(s, of(s, CAROM_OP_SIN, s->q[0]), times(s, s->q[1], of(s, CAROM_OP_EXP, s->t)));
    s->contact.tangents = 1;
    s->contact.slip[0] = plus(s, times(s, s->q[1], s->u[0]), s->t);
    s->spec.contacts = 1;
    s->spec.contact = &s->contact;
}

static void test_right_derivatives_agree_with_differences(void **state)
{
    (void)state;
    system_spec s;
    rich_system(&s);
    carom_random random = {.state = 1};
    for (int k = 0; k < 20; k++) {
        double q[2], u[2];
        for (int i = 0; i < 2; i++) {
            q[i] = carom_random_uniform(&random, -1.5, 1.5);
            u[i] = carom_random_uniform(&random, 0.5, 2.0);
        }
        const carom_derivative_report report = check_at(&s, carom_random_uniform(&random, 0.0, 2.0), q, u);
        const double worst = carom_derivative_report_worst(&report);
        if (!(worst <= 1e-9))
            fail_msg("worst difference %g", worst);
        /* differences are never exact for these functions: each part was really compared */
        assert_true(report.momentum > 0.0 && report.mass > 0.0 && report.inertia > 0.0 &&
                    report.potential > 0.0 && report.gap > 0.0 && report.slip > 0.0 && report.force > 0.0);
    }
    carom_graph_free(s.graph);
}

static void test_parts_that_a_model_has_not_are_zero(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    const carom_derivative_report report =
        check_at(&s, 0.0, (const double[]){0.1, 0.2}, (const double[]){0.3, 0.4});
    assert_true(report.gap == 0.0 && report.slip == 0.0 && report.potential == 0.0 && report.force == 0.0);
    assert_true(carom_derivative_report_worst(&report) <= 1e-11);
    carom_graph_free(s.graph);
}

/* max(x, 0): at x = 0 the exact derivative is that of one side, the differences see the mean of both. */
static carom_node kinked(const system_spec *s, carom_node x)
{
    return carom_binary(s->graph, CAROM_OP_MAX, x, number(s, 0.0));
}

static void test_a_kink_shows_in_the_part_that_has_it(void **state)
{
    (void)state;
    const double rest[2] = {0.0, 1.0}, moving[2] = {1.0, 1.0};
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    s.spec.potential = plus(&s, kinked(&s, s.q[0]), s.q[1]);
    carom_derivative_report report = check_at(&s, 0.0, rest, moving);
    assert_true(report.potential > 0.1 && report.inertia < 1e-9 && report.mass < 1e-9);
    carom_graph_free(s.graph);

    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    s.contact.gap = plus(&s, kinked(&s, s.q[0]), s.q[1]);
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    report = check_at(&s, 0.0, rest, moving);
    assert_true(report.gap > 0.1 && report.potential == 0.0 && report.slip == 0.0);
    carom_graph_free(s.graph);

    system_begin(&s);
    s.spec.kinetic = times(&s, plus(&s, number(&s, 1.0), kinked(&s, s.q[0])), unit_kinetic(&s));
    report = check_at(&s, 0.0, rest, moving);
    assert_true(report.inertia > 0.1 && report.mass < 1e-9 && report.momentum < 1e-9);
    carom_graph_free(s.graph);

    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    const carom_node force[2] = {kinked(&s, s.u[1]), number(&s, 0.0)};
    s.spec.force = force;
    report = check_at(&s, 0.0, moving, rest); /* u[1] = 1: smooth */
    assert_true(report.force < 1e-9);
    report = check_at(&s, 0.0, moving, (const double[]){1.0, 0.0});
    assert_true(report.force > 0.1 && report.potential == 0.0);
    assert_true(carom_derivative_report_worst(&report) == report.force);
    carom_graph_free(s.graph);
}

static void test_a_nan_is_infinitely_wrong(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    s.spec.potential = of(&s, CAROM_OP_SQRT, s.q[0]);
    const carom_derivative_report report =
        check_at(&s, 0.0, (const double[]){-1.0, 0.0}, (const double[]){0.0, 0.0});
    assert_true(isinf(report.potential));
    assert_true(isinf(carom_derivative_report_worst(&report)));
    carom_graph_free(s.graph);
}

static void test_large_and_small_numbers(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    /* stiffness 1e10, position 1e-6: differences relative to the size of what is compared */
    s.spec.kinetic = unit_kinetic(&s);
    s.spec.potential = times(&s, number(&s, 5e9), square(&s, s.q[0]));
    const carom_derivative_report report =
        check_at(&s, 0.0, (const double[]){1e-6, 0.0}, (const double[]){0.0, 0.0});
    assert_true(carom_derivative_report_worst(&report) <= 1e-8);
    carom_graph_free(s.graph);
}

static void test_a_wrong_specification_is_refused(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    carom_derivative_report report = {.gap = 3.0};
    carom_error error = {0};
    const double zero[2] = {0.0, 0.0};
    assert_int_equal(carom_traced_check(&s.spec, system_values, 0.0, zero, zero, &report, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "inertia"));
    assert_true(report.gap == 0.0);
    carom_graph_free(s.graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_derivatives_agree_with_differences),
        cmocka_unit_test(test_parts_that_a_model_has_not_are_zero),
        cmocka_unit_test(test_a_kink_shows_in_the_part_that_has_it),
        cmocka_unit_test(test_a_nan_is_infinitely_wrong),
        cmocka_unit_test(test_large_and_small_numbers),
        cmocka_unit_test(test_a_wrong_specification_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
