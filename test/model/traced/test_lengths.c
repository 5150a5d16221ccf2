/* Gaps with friction: in a model that is one point mass their scale does not matter, elsewhere they are left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test/survey/texts.h"

static const char *const schemes[] = {"moreau-friction", "moreau-jean", "generalized-alpha", "event-driven"};
enum {
    SCHEMES = sizeof schemes / sizeof *schemes
};

/* Runs the text, and keeps t, q, v of the end in `end`. */
static void run_text(const char *text, const char *scheme, double h, double *end)
{
    carom_experiment *experiment = load(text);
    carom_run_result result = {0};
    carom_error error = {0};
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .h = h, .until = NAN};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s: %s", scheme, error.text);
    memcpy(end, result.final, (1 + 2 * (size_t)experiment->model->dof) * sizeof *end);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* ---- one point mass ------------------------------------------------------------------------------------- */

/* A block that slides to a stop on a floor, a particle in a bowl, and one in space on a floor. `k` is a number of Lua. */
static const char *const points[] = {
    "local x, y = coordinates('x', 'y') mass(1) potential(9.81*y)\n"
    "contact { 'f', gap = k*y, slip = dot(x), friction = 0.3 } initial { y = 0.01, [dot(x)] = 2 }\n",
    "local x, y = coordinates('x', 'y') mass(2) potential(19.62*y)\n"
    "contact { 'f', gap = k*(1 - x^2 - y^2), slip = k*(x*dot(y) - y*dot(x)), friction = 0.3 }\n"
    "initial { x = 0.8, y = -0.3, [dot(x)] = 0.3 }\n",
    "local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(9.81*z)\n"
    "contact { 'f', gap = k*z, slip = { k*dot(x), k*dot(y) }, friction = 0.3 }\n"
    "initial { z = 0.01, [dot(x)] = 2, [dot(y)] = 1 }\n",
};

/* As numbers, and as a parameter, whose value the model does not know when it is made. */
static const char *const factors[] = {"1", "2^-20", "2^20", "param('k', 2^7)"};

static void the_scale_of_a_gap_does_not_matter(void **state)
{
    (void)state;
    for (size_t p = 0; p < sizeof points / sizeof *points; p++)
        for (int s = 0; s < SCHEMES; s++) {
            double one[7], other[7];
            for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
                char text[600];
                snprintf(text, sizeof text, "local k = %s %s integrate { h = 1e-2, until_t = 0.5 }",
                         factors[i], points[p]);
                run_text(text, schemes[s], 1e-2, i == 0 ? one : other);
                if (i > 0)
                    assert_memory_equal(one, other, (p == 2 ? 7 : 5) * sizeof *one);
            }
        }
}

/* Decimal factors round: the same to that. */
static void any_factor_and_unit_will_do(void **state)
{
    (void)state;
    for (int s = 0; s < SCHEMES; s++) {
        double one[5], other[5];
        run_text("local k = 1 "
                 "local x, y = coordinates('x', 'y') mass(1) potential(9.81*y)\n"
                 "contact { 'f', gap = y, slip = dot(x), friction = 0.3 } initial { [dot(x)] = 2 }\n"
                 "integrate { h = 1e-3, until_t = 1 }",
                 schemes[s], 1e-3, one);
        run_text(
            "local m = param('m', 1) local k = param('k', 1e3)\n"
            "local x, y = coordinates('x', 'y') kinetic(m/2*dot(x)^2 + dot(y)^2*m/2) potential(9.81*y*m)\n"
            "contact { 'f', gap = k*y, slip = -3e3*dot(x), friction = 0.3 } initial { [dot(x)] = 2 }\n"
            "integrate { h = 1e-3, until_t = 1 }",
            schemes[s], 1e-3, other);
        for (int i = 0; i < 5; i++)
            assert_near(other[i], one[i], 1e-12);
        assert_near(one[1], 0.6796, 2e-3); /* v^2 / (2 mu g) */
    }
}

/* Moreau 1986, section 12: the normal part u_G of the free velocity goes, and friction takes at most gamma |u_G| of the
 * tangential part u_T. */
static void rule_of_the_source(const double *normal, double h, double *u)
{
    u[2] -= 10.0 * h;
    const double approach = carom_dot(3, normal, u) / carom_dot(3, normal, normal);
    double tangential[3], square = 0.0;
    for (int i = 0; i < 3; i++) {
        tangential[i] = u[i] - approach * normal[i];
        square += tangential[i] * tangential[i];
    }
    const double pushed = fabs(approach) * sqrt(carom_dot(3, normal, normal));
    for (int i = 0; i < 3; i++)
        u[i] = tangential[i] * fmax(0.0, 1.0 - 0.4 * pushed / sqrt(square));
}

static void moreau_friction_is_the_rule_of_the_source(void **state)
{
    (void)state;
    double u[3] = {1.0, 2.0, 0.5}, end[7];
    const double h = 1e-2, normal[3] = {-1.5, 0.0, 3.0};
    for (int step = 0; step < 20; step++)
        rule_of_the_source(normal, h, u);
    run_text("local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(10*z)\n"
             "contact { 'c', gap = 3*z - 1.5*x, slip = { dot(x) + dot(z)/2, 7*dot(y) }, friction = 0.4 }\n"
             "initial { [dot(x)] = 1, [dot(y)] = 2, [dot(z)] = 0.5 } integrate { h = 1e-2, until_t = 0.2 }",
             "moreau-friction", h, end);
    for (int i = 0; i < 3; i++)
        assert_near(end[4 + i], u[i], 1e-13);
}

#define VASE(gap)                                                                                            \
    "local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(981*z)\n"                                  \
    "local rho, c = hypot(x, y), math.sqrt(5)\n"                                                             \
    "contact { 'vase', " gap ", slip = { (-y*dot(x) + x*dot(y))/rho,\n"                                      \
    "  (x*dot(x)/rho + y*dot(y)/rho + 2*dot(z))/c }, friction = 0.3 }\n"                                     \
    "initial { x = 10, z = 30, [dot(y)] = 100 } integrate { h = 1e-3, until_t = 0.2 }"

/* Gradients of the two are parallel on the cone only: the motions agree to the first order of the step. */
static void forms_of_one_surface_converge(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++)
        for (double h = 1e-3; h > 5e-5; h /= 10.0) {
            double square[7], distance[7];
            run_text(VASE("gap = z^2 - 4*x^2 - 4*y^2"), schemes[s], h, square);
            run_text(VASE("gap = (z - 2*rho)/c"), schemes[s], h, distance);
            for (int i = 1; i < 4; i++)
                assert_near(square[i], distance[i], 20.0 * h);
        }
}

/* Gaps and slips that are lengths already, however they are written, keep their bits. */
static void lengths_are_left_alone(void **state)
{
    (void)state;
    static const char *const same[] = {
        "contact { 'c', gap = y, slip = dot(x) - 2, friction = 0.3 }",
        "contact { 'c', gap = hypot(x, y) - 1, slip = (y*dot(x) - x*dot(y))/hypot(x, y), friction = 0.3 }",
        "contact { 'c', gap = y*cos(a) - x*sin(a), slip = cos(a)*dot(x) + sin(a)*dot(y), friction = 0.3 }",
        "contact { 'c', gap = 3*y, slip = dot(x), friction = 0.3, distance = true }",
        "contact { 'c', gap = 3*y, slip = 7*dot(x) }",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "local a = param('a', 0.3) local x, y = coordinates('x', 'y') mass(1) %s\n"
                 "initial { y = 2 } integrate { h = 1, until_t = 1 }",
                 same[i]);
        carom_experiment *experiment = load(text);
        assert_int_equal(experiment->model->one_point, strstr(same[i], "friction") != NULL);
        assert_false(experiment->model->contact[0].normalized);
        carom_experiment_free(experiment);
    }
}

/* ---- everything else: the rows are true lengths, and not of unit norm ------------------------------------ */

static void is_untouched(const char *text, bool one_point)
{
    carom_experiment *experiment = load(text);
    assert_int_equal(experiment->model->one_point, one_point);
    assert_false(experiment->model->contact[0].normalized);
    carom_experiment_free(experiment);
}

static void rods_stacks_and_pendulums_are_left_alone(void **state)
{
    (void)state;
    /* the end of a rod; masses and moment of inertia are equal by chance */
    is_untouched("local x, y, p = coordinates('x', 'y', 'p') mass(1)\n"
                 "contact { 'c', gap = y - sin(p), slip = dot(x) + sin(p)*dot(p), friction = 0.3 }\n"
                 "initial { y = 1 } integrate { h = 1, until_t = 1 }",
                 true);
    /* a block on a plate that only moves up and down */
    is_untouched("local x, y, Y = coordinates('x', 'y', 'Y') mass(1)\n"
                 "contact { 'c', gap = y - Y, slip = dot(x), friction = 0.3 }\n"
                 "initial { y = 1 } integrate { h = 1, until_t = 1 }",
                 true);
    /* two blocks, one on the other */
    is_untouched("local x, y, X, Y = coordinates('x', 'y', 'X', 'Y') mass(1)\n"
                 "contact { 'c', gap = y - Y, slip = dot(x) - dot(X), friction = 0.3 }\n"
                 "initial { y = 1 } integrate { h = 1, until_t = 1 }",
                 false);
    is_untouched("local p = coordinates('p') mass(1)\n"
                 "contact { 'c', gap = 1 - 2*sin(p), slip = 2*cos(p)*dot(p), friction = 0.3 }\n"
                 "integrate { h = 1, until_t = 1 }",
                 false);
    /* masses that are equal now, and need not be */
    is_untouched(
        "local m, M = param('m', 1), param('M', 1) local x, y = coordinates('x', 'y') mass { x = m, y = M }\n"
        "contact { 'c', gap = 2*y, slip = dot(x), friction = 0.3 }\n"
        "integrate { h = 1, until_t = 1 }",
        false);
}

/* Blocks of one mass, the upper one thrown: friction mu g on it, 2 mu g under the lower one. */
static void stacked_blocks_brake_as_they_should(void **state)
{
    (void)state;
    for (int s = 0; s < SCHEMES; s++) {
        double end[9];
        run_text("local x, y, X, Y = coordinates('x', 'y', 'X', 'Y') mass(1) potential(10*y + 10*Y)\n"
                 "contact { 'between', gap = y - Y, slip = dot(x) - dot(X), friction = 0.5 }\n"
                 "contact { 'floor', gap = Y, slip = dot(X), friction = 0.4 }\n"
                 "initial { [dot(x)] = 2 } integrate { h = 1e-3, until_t = 0.2 }",
                 schemes[s], 1e-3, end);
        assert_near(end[1], 0.3, 2e-3); /* 2 t - 5 t^2/2 */
        assert_near(end[5], 1.0, 1e-2);
        assert_near(end[7], 0.0, 1e-9); /* 0.4 * 20 holds it */
    }
}

/* A rod that a stiff spring holds at its angle slides on its end: 2 - mu g t, whatever the norm of d gap/dq is. */
static void the_end_of_a_rod_brakes_as_it_should(void **state)
{
    (void)state;
    for (int s = 0; s < SCHEMES; s++) {
        double end[7];
        run_text("local x, y, p = coordinates('x', 'y', 'p') mass { x = 2, y = 2, p = 0.5 } potential(20*y)\n"
                 "force { p = -1e4*(p - 0.5) - 100*dot(p) }\n"
                 "contact { 'c', gap = y - sin(p), slip = dot(x) + sin(p)*dot(p), friction = 0.3 }\n"
                 "initial { y = math.sin(0.5), p = 0.5, [dot(x)] = 2 } integrate { h = 1e-3, until_t = 0.3 }",
                 schemes[s], 1e-3, end);
        assert_near(end[4], 1.1, 2e-2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scale_of_a_gap_does_not_matter),
        cmocka_unit_test(any_factor_and_unit_will_do),
        cmocka_unit_test(moreau_friction_is_the_rule_of_the_source),
        cmocka_unit_test(forms_of_one_surface_converge),
        cmocka_unit_test(lengths_are_left_alone),
        cmocka_unit_test(rods_stacks_and_pendulums_are_left_alone),
        cmocka_unit_test(stacked_blocks_brake_as_they_should),
        cmocka_unit_test(the_end_of_a_rod_brakes_as_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
