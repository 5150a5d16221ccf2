#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

static const carom_beam_basis bases[3] = {CAROM_BEAM_P3, CAROM_BEAM_BSPLINE, CAROM_BEAM_DIFFERENCE};

static void test_rest(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 3);
    built_beam b = beam_build_sound(&c);
    double q[6] = {1, 1, 1, 1, 1, 1}, u[6] = {1, 1, 1, 1, 1, 1};
    b.model->ops->initial(b.work, q, u);
    for (int i = 0; i < 6; i++)
        assert_true(q[i] == 0.0 && u[i] == 0.0);
    beam_release(&b);
}

/* Values at the nodes for every basis; P3 has the slopes of the expression, too. */
static void test_nodal_values(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 40);
        c.spec.displacement.function = of(&c, CAROM_OP_SIN, times(&c, c.p[2], c.x));
        c.spec.velocity.function = of(&c, CAROM_OP_NEG, c.x);
        add_obstacle(&c, number(&c, -100.0), CAROM_NO_NODE);
        built_beam b = beam_build_sound(&c);
        double q[80], u[80];
        b.model->ops->initial(b.work, q, u);
        for (int node = 1; node <= 40; node++) {
            const double x = 0.25 * node;
            assert_near_or_relative(row_value(b.structure, node - 1, q), sin(0.5 * x), 1e-14);
            assert_near_or_relative(row_value(b.structure, node - 1, u), -x, 1e-14);
            if (bases[k] == CAROM_BEAM_P3)
                assert_near_or_relative(q[2 * node - 1], 0.5 * cos(0.5 * x), 1e-15);
        }
        beam_release(&b);
    }
}

/* Dumont and Paoli 2008, 8.3: twice the energy of u0 = 0.005 x^2, v0 = -x is near L^3 / 3 + 1e-4 k2 L. The
 * parabola is in the space, but q.S q cancels: entries of S are near 2e5, of q near 0.5. The clamp has no
 * part in v0: its slope is lost on the first element. */
static void test_energy_of_the_start(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 40);
        c.spec.displacement.function = times(&c, number(&c, 0.005), power(&c, c.x, 2));
        c.spec.velocity.function = of(&c, CAROM_OP_NEG, c.x);
        built_beam b = beam_build_sound(&c);
        double q[80], u[80], zero[80] = {0};
        b.model->ops->initial(b.work, q, u);
        assert_near_or_relative(2.0 * b.model->ops->energy(b.work, 0.0, q, zero), 1e-4 * 282.84 * 10.0,
                                1e-12);
        assert_near_or_relative(2.0 * b.model->ops->energy(b.work, 0.0, zero, u), 1000.0 / 3.0, 1e-5);
        beam_release(&b);
    }
}

/* A mode is an eigenvector, and has its value where it was asked for. */
static void test_modes(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int mode = 1; mode <= 3; mode++) {
            beam_case c;
            beam_begin(&c, bases[k], 10);
            c.spec.velocity.mode = mode;
            c.spec.velocity.x = number(&c, 6.0);
            c.spec.velocity.value = times(&c, c.p[3], number(&c, 0.15));
            add_probe(&c, CAROM_PROBE_VELOCITY, 6.0);
            built_beam b = beam_build_sound(&c);
            double q[20], u[20], Su[20], Mu[20], observed[1];
            b.model->ops->initial(b.work, q, u);
            b.model->ops->observe(b.work, 0.0, q, u, NULL, observed);
            assert_near_or_relative(observed[0], 0.3, 1e-14);
            carom_band_multiply(&b.structure->stiffness, u, Su);
            carom_band_multiply(&b.structure->mass, u, Mu);
            const double square = frequency(&b, mode) * frequency(&b, mode);
            double largest = 0.0, defect = 0.0;
            for (int i = 0; i < b.n; i++) {
                assert_true(q[i] == 0.0);
                largest = fmax(largest, fabs(square * Mu[i]));
                defect = fmax(defect, fabs(Su[i] - square * Mu[i]));
            }
            assert_true(defect < 1e-8 * largest);
            beam_release(&b);
        }
}

static void expect_mode_problem(int mode, double x, double value, const char *text)
{
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.left = c.spec.right = CAROM_END_PINNED;
    c.spec.displacement.mode = mode;
    c.spec.displacement.x = number(&c, x);
    c.spec.displacement.value = number(&c, value);
    c.spec.displacement.line = 31;
    expect_problem(&c, beam_values, text);
}

static void test_problems(void **state)
{
    (void)state;
    expect_mode_problem(9, 5.0, 1.0,
                        "31: displacement at the start: mode 9; this discrete beam has modes 1 to 8");
    expect_mode_problem(-1, 5.0, 1.0,
                        "31: displacement at the start: mode -1; this discrete beam has modes 1 to 8");
    expect_mode_problem(2, 5.0, 1.0,
                        "31: displacement at the start: mode 2 does not move at x = 5; scale it at another "
                        "place");
    expect_mode_problem(1, 5.0, INFINITY,
                        "31: displacement at the start: mode 1 scaled to inf; the value must be finite");
    expect_mode_problem(
        1, 12.0, 1.0,
        "31: displacement at the start: x = 12 is outside the beam; it must lie between 0 and "
        "the length 10");
    beam_case c;
    beam_begin(&c, CAROM_BEAM_BSPLINE, 4);
    c.spec.velocity.function = over(&c, number(&c, 1.0), minus(&c, c.x, number(&c, 2.5)));
    expect_problem(&c, beam_values,
                   "velocity at the start: value inf and slope -inf at x = 2.5; both must be finite on the "
                   "whole beam");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_nodal_values),
        cmocka_unit_test(test_energy_of_the_start),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
