#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"
#include "model/beam/beam.h"

static const carom_beam_basis bases[3] = {CAROM_BEAM_P3, CAROM_BEAM_BSPLINE, CAROM_BEAM_DIFFERENCE};

/* load . q is the work of the load on the field of q: the integral of load(x, t) u(x). With the field
 * x^2 (3 - x) every integral here is known. */
static double work_on_field(const built_beam *b, double t)
{
    double *q = new_vector(b->n), *u = new_vector(b->n), *load = new_vector(b->n);
    b->model->ops->initial(b->work, q, u);
    b->model->ops->load(b->work, 1, &t, &(const double){1.0}, load);
    const double product = carom_dot(b->n, q, load);
    free(q);
    free(u);
    free(load);
    return product;
}

static void begin(beam_case *c, carom_beam_basis basis)
{
    beam_begin(c, basis, 16);
    c->spec.displacement.function = times(c, power(c, c->x, 2), minus(c, number(c, 3.0), c->x));
}

static double cubic_moment(int power_of_x)
{
    const int n = power_of_x;
    return 3.0 * pow(10.0, n + 3) / (n + 3) - pow(10.0, n + 4) / (n + 4);
}

static void test_uniform_load(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        begin(&c, bases[k]);
        c.spec.acceleration = of(&c, CAROM_OP_SIN, times(&c, number(&c, 10.0), c.t));
        built_beam b = beam_build_sound(&c);
        assert_int_equal(((const beam_model *)b.model)->terms, 1);
        assert_null(((const beam_model *)b.model)->rest);
        assert_near_or_relative(work_on_field(&b, 0.37), sin(3.7) * cubic_moment(0), 1e-13);
        beam_release(&b);
    }
}

/* Element vectors of a load of 1: (h/2, h^2/12, h/2, -h^2/12) and h/24 (1, 11, 11, 1). */
static void test_uniform_load_vectors(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 10);
        c.spec.load = number(&c, 1.0);
        built_beam b = beam_build_sound(&c);
        double load[20];
        b.model->ops->load(b.work, 1, &(const double){0.0}, &(const double){1.0}, load);
        if (bases[k] == CAROM_BEAM_P3) {
            assert_near_or_relative(load[4], 1.0, 1e-15);
            assert_near_or_relative(load[5], 0.0, 1e-15);
            assert_near_or_relative(load[18], 0.5, 1e-15);
            assert_near_or_relative(load[19], -1.0 / 12.0, 1e-15);
        } else {
            assert_near_or_relative(load[0], (2.0 * 1.0 - 12.0 + 2.0 * 23.0) / 24.0, 1e-14);
            assert_near_or_relative(load[5], 1.0, 1e-15);
            assert_near_or_relative(load[8], 23.0 / 24.0, 1e-14);
            assert_near_or_relative(load[9], 12.0 / 24.0, 1e-14);
            assert_near_or_relative(load[10], 1.0 / 24.0, 1e-14);
        }
        beam_release(&b);
    }
}

/* (p3 x + 2) cos t - x^2 t / p4 + x / (1 + t): three functions of place, each with its factor. */
static void test_separable_load(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        begin(&c, bases[k]);
        const carom_node first =
            times(&c, plus(&c, times(&c, c.p[3], c.x), number(&c, 2.0)), of(&c, CAROM_OP_COS, c.t));
        const carom_node second = over(&c, times(&c, power(&c, c.x, 2), c.t), c.p[4]);
        const carom_node third = over(&c, c.x, plus(&c, number(&c, 1.0), c.t));
        c.spec.load = plus(&c, minus(&c, first, second), third);
        built_beam b = beam_build_sound(&c);
        assert_int_equal(((const beam_model *)b.model)->terms, 3);
        assert_null(((const beam_model *)b.model)->rest);
        const double t = 0.8;
        assert_near_or_relative(work_on_field(&b, t),
                                cos(t) * (2.0 * cubic_moment(1) + 2.0 * cubic_moment(0)) -
                                    t / 3.0 * cubic_moment(2) + cubic_moment(1) / (1.0 + t),
                                1e-13);
        beam_release(&b);
    }
}

/* sin(x - c t) times the field, integrated in closed form by parts. */
static double travelling_work(double shift)
{
    double total = 0.0;
    for (int end = 0; end < 2; end++) {
        const double x = end ? 10.0 : 0.0, p = x * x * (3.0 - x), p1 = 6.0 * x - 3.0 * x * x,
                     p2 = 6.0 - 6.0 * x;
        const double s = sin(x - shift), k = cos(x - shift);
        total += (end ? 1.0 : -1.0) * (-p * k + p1 * s + p2 * k + 6.0 * s);
    }
    return total;
}

static void test_travelling_load(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        begin(&c, bases[k]);
        c.spec.elements = 40;
        const carom_node wave = of(&c, CAROM_OP_SIN, minus(&c, c.x, times(&c, c.p[3], c.t)));
        c.spec.load = plus(&c, wave, times(&c, c.x, c.t));
        built_beam b = beam_build_sound(&c);
        assert_int_equal(((const beam_model *)b.model)->terms, 1);
        assert_non_null(((const beam_model *)b.model)->rest);
        for (double t = 0.0; t < 2.0; t += 0.5)
            assert_near_or_relative(work_on_field(&b, t), travelling_work(2.0 * t) + t * cubic_moment(1),
                                    1e-10);
        beam_release(&b);
    }
}

/* G_j = g(x_j): at a node of finite differences the load divided by the mass is the acceleration there. */
static void test_load_of_differences(void **state)
{
    (void)state;
    for (int grid = CAROM_GRID_PAPER; grid <= CAROM_GRID_GHOST; grid++)
        for (int split = 0; split < 2; split++) {
            beam_case c;
            beam_begin(&c, CAROM_BEAM_DIFFERENCE, 5);
            c.spec.grid = (carom_beam_grid)grid;
            c.spec.acceleration = split ? times(&c, c.x, c.t) : of(&c, CAROM_OP_SIN, plus(&c, c.x, c.t));
            built_beam b = beam_build_sound(&c);
            double load[5];
            b.model->ops->load(b.work, 1, &(const double){0.4}, &(const double){1.0}, load);
            for (int j = 1; j <= 5; j++) {
                const double x = grid == CAROM_GRID_HALF ? (j + 0.5) * 10.0 / 6.0 : 2.0 * j;
                assert_near_or_relative(load[j - 1] / *carom_band_at(&b.structure->mass, j - 1, j - 1),
                                        split ? x * 0.4 : sin(x + 0.4), 1e-14);
            }
            beam_release(&b);
        }
}

static void test_point_forces(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        beam_case c;
        begin(&c, bases[k]);
        add_force(&c, 3.75, times(&c, c.p[3], of(&c, CAROM_OP_COS, c.t)));
        add_force(&c, 7.3, c.t);
        c.spec.load = c.t;
        c.spec.acceleration = of(&c, CAROM_OP_NEG, c.t); /* nothing is left of the two */
        built_beam b = beam_build_sound(&c);
        const double t = 0.6, x = bases[k] == CAROM_BEAM_DIFFERENCE ? 7.5 : 7.3;
        assert_near_or_relative(work_on_field(&b, t),
                                2.0 * cos(t) * 3.75 * 3.75 * (3.0 - 3.75) + t * x * x * (3.0 - x), 1e-13);
        beam_release(&b);
    }
}

/* A static load in a corner: tip force F bends to F L^3 / (3 k2). */
static void test_tip_force(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 9);
        add_force(&c, 10.0, c.t);
        add_stop(&c, "tip", 10.0, number(&c, -1e9), CAROM_NO_NODE);
        built_beam b = beam_build_sound(&c);
        double q[20];
        solve_static(&b, 5.0, q);
        assert_near_or_relative(row_value(b.structure, 0, q), 5.0 * 1000.0 / (3.0 * 282.84), 1e-11);
        beam_release(&b);
    }
}

static void test_problems(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.line = 3;
    c.spec.load = over(&c, c.t, minus(&c, c.x, c.x));
    c.spec.load = times(&c, c.t, of(&c, CAROM_OP_SQRT, minus(&c, c.x, number(&c, 5.0))));
    built_beam b = beam_build_with(&c, beam_values);
    carom_error error = {0};
    assert_int_equal(b.model->ops->check(b.work, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "at x = 0.117275; it must be finite on the whole beam"));
    assert_memory_equal(error.text, "3: the load is ", 15);
    beam_release(&b);
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_force(&c, 10.5, c.t)->line = 7;
    expect_problem(&c, beam_values,
                   "7: point force: x = 10.5 is outside the beam; it must lie between 0 and the length 10");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_force(&c, 0.0, c.t);
    expect_problem(&c, beam_values,
                   "point force: x = 0 is at the left end, where the displacement is fixed; choose a place "
                   "that moves");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_load),        cmocka_unit_test(test_uniform_load_vectors),
        cmocka_unit_test(test_separable_load),      cmocka_unit_test(test_travelling_load),
        cmocka_unit_test(test_load_of_differences), cmocka_unit_test(test_point_forces),
        cmocka_unit_test(test_tip_force),           cmocka_unit_test(test_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
