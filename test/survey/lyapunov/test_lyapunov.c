/* Lyapunov exponents: linear systems, periodic motions, chaos, the sum, the map of a ball that bounces high. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/io.h"
#include "carom/survey/lyapunov.h"

static const double pi = 3.14159265358979323846;

static const char oscillator[] = "local x = coordinates 'x'\n"
                                 "local w, e, c = param('w', 2.8), param('e', 0.8), param('c', 0.05)\n"
                                 "mass(1)\n"
                                 "potential(x^2 / 2)\n"
                                 "force { x = cos(w * time()) - c * dot(x) }\n"
                                 "contact { 'wall', gap = x, restitution = e }\n"
                                 "initial { x = 0.5 }\n"
                                 "integrate { scheme = 'event-driven', h = 0.01, until_t = 10 }\n";

static carom_experiment *load(const char *text, int count, const carom_override *set)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {
        .name = "model", .file = "model.lua", .text = text, .override_count = count, .override = set};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static carom_lyapunov find(const char *text, const char *set_name, const char *set_value,
                           carom_lyapunov_request request)
{
    carom_lyapunov found = {0};
    carom_error error = {0};
    const carom_override set = {.name = (char *)set_name, .value = (char *)set_value};
    carom_experiment *experiment = load(text, set_name ? 1 : 0, &set);
    request.experiment = experiment;
    if (carom_lyapunov_run(&request, &found, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_experiment_free(experiment);
    return found;
}

static void assert_near(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g, off by %.3g", found, expected, found - expected);
}

/* x'' + c x' + x = 0: real parts of the roots. */
static void test_linear_systems(void **state)
{
    (void)state;
    static const char free[] =
        "local x = coordinates 'x'\nlocal c = param('c', 0.2)\nmass(1)\npotential(x^2/2)\n"
        "force { x = -c * dot(x) }\ninitial { x = 1 }\n"
        "integrate { scheme = 'event-driven', h = 0.05, until_t = 10 }\n";
    carom_lyapunov found = find(free, NULL, NULL, (carom_lyapunov_request){.transient = 20.0, .time = 400.0});
    assert_true(found.regular && found.checked);
    assert_near(found.exponent[0], -0.1, 1e-7);
    assert_near(found.exponent[1], -0.1, 1e-7);
    assert_near(found.sum, found.divergence, 1e-11);
    assert_int_equal(found.impacts, 0);
    carom_lyapunov_free(&found);
    found = find(free, "c", "3", (carom_lyapunov_request){.transient = 20.0, .time = 50.0});
    assert_near(found.exponent[0], (-3.0 + sqrt(5.0)) / 2.0, 1e-9);
    assert_near(found.exponent[1], (-3.0 - sqrt(5.0)) / 2.0, 1e-9);
    carom_lyapunov_free(&found);
}

/* A periodic motion with one impact per period: ln|multiplier|/T, and with complex multipliers that is ln(e^2 exp(-c T))/(2 T). */
static void test_periodic_motion(void **state)
{
    (void)state;
    carom_lyapunov found = find(oscillator, "w", "2.4",
                                (carom_lyapunov_request){.transient = 300.0, .time = 6000.0, .points = 7});
    const double T = 2.0 * pi / 2.4, expected = (2.0 * log(0.8) - 0.05 * T) / (2.0 * T);
    assert_true(found.regular && found.checked && found.locates);
    assert_near(expected, log(0.74932) / T, 1e-5);
    assert_near(found.exponent[0], expected, 1e-6);
    assert_near(found.exponent[1], expected, 1e-6);
    assert_near(found.sum, found.divergence + found.jumps, 1e-9);
    assert_near((double)found.impacts / found.time, 1.0 / T, 1e-3);
    assert_int_equal(found.point_count, 7);
    assert_near(found.point_time[6], 6000.0, 1.0);
    assert_int_equal(found.breaks, 0);
    carom_lyapunov_free(&found);
}

/* Springs and dampers in the place of impacts: the same exponents in the limit, and the same loss of volume. */
static void test_penalty(void **state)
{
    (void)state;
    carom_lyapunov found =
        find(oscillator, "w", "2.4",
             (carom_lyapunov_request){.transient = 60.0,
                                      .time = 150.0,
                                      .scheme = "penalty",
                                      .option = (carom_option[]){{"n", .value = 1e6}, {0}}});
    const double T = 2.0 * pi / 2.4, expected = (2.0 * log(0.8) - 0.05 * T) / (2.0 * T);
    assert_near(found.exponent[0], expected, 2e-3);
    assert_near(found.exponent[1], expected, 2e-3);
    assert_true(found.checked && found.locates);
    assert_near(found.sum, found.divergence + found.jumps, 1e-3);
    carom_lyapunov_free(&found);
}

/* Chaos: the table's exponents, as far as a short time tells them; the sum to rounding. */
static void test_chaos(void **state)
{
    (void)state;
    carom_lyapunov found =
        find(oscillator, NULL, NULL, (carom_lyapunov_request){.transient = 500.0, .time = 3000.0});
    assert_false(found.regular);
    assert_near(found.exponent[0], 0.133, 0.02);
    assert_near(found.exponent[1], -0.397, 0.02);
    assert_true(found.checked);
    assert_near(found.sum, found.divergence + found.jumps, 1e-9);
    assert_near(found.divergence, -0.05, 1e-12);
    assert_near(found.jumps, 2.0 * log(0.8) * (double)found.impacts / found.time, 1e-12);
    const double first = found.exponent[0];
    carom_lyapunov_free(&found);
    found = find(oscillator, NULL, NULL,
                 (carom_lyapunov_request){.transient = 500.0, .time = 3000.0, .exponents = 1});
    assert_int_equal(found.count, 1);
    assert_false(found.checked);
    assert_near(found.exponent[0], first, 0.01);
    carom_lyapunov_free(&found);
}

/* Without loss volumes stay, and exponents come in pairs. */
static void test_hamiltonian(void **state)
{
    (void)state;
    static const char balls[] = "local x, y = coordinates('x', 'y')\nmass { { 1, 0 }, { 0, 2 } }\n"
                                "potential(x^2/2 + y^2/2 + (x - y)^2)\n"
                                "contact { 'wall', gap = x + 0.3*y + 0.5, restitution = 1 }\n"
                                "initial { x = 1, y = -0.7, [dot(x)] = 0.3 }\n"
                                "integrate { scheme = 'event-driven', h = 0.1, until_t = 10 }\n";
    carom_lyapunov found =
        find(balls, NULL, NULL, (carom_lyapunov_request){.transient = 50.0, .time = 400.0});
    assert_true(found.checked && found.impacts > 20);
    assert_near(found.sum, 0.0, 1e-9);
    assert_near(found.divergence, 0.0, 1e-14);
    assert_near(found.exponent[0] + found.exponent[3], 0.0, 0.05);
    assert_near(found.exponent[1] + found.exponent[2], 0.0, 0.05);
    carom_lyapunov_free(&found);
}

/* A ball on a table that shakes, bouncing so high that the table's displacement is nothing beside its flights:
 *
 *   t' = t + 2 v/g,   v' = e v + (1 + e) A w cos(w t')        phi' = phi + u,   u' = e u + gamma cos(phi'),  gamma = 2 (1 + e) A w^2/g
 *
 * a map without any other parameter. Its largest exponent is that of the motion per impact. */
static void test_ball_that_bounces_high(void **state)
{
    (void)state;
    static const char ball[] =
        "local y = coordinates 'y'\nlocal A, w, e = param('A', 1000/398), param('w', 10), param('e', 0.99)\n"
        "mass(1)\npotential(10 * y)\n"
        "contact { 'table', gap = y - A * sin(w * time()), restitution = e }\n"
        "initial { y = 3, [dot(y)] = 200 }\n"
        "integrate { scheme = 'event-driven', h = 0.05, until_t = 10 }\n";
    const double e = 0.99, gamma = 2.0 * (1.0 + e) * (1000.0 / 398.0) * 100.0 / 10.0;
    double phi = 0.3, u = 400.0, a = 1.0, b = 0.0, sum = 0.0;
    const int count = 200000;
    for (int k = 0; k < count; k++) {
        phi = fmod(phi + u, 2.0 * pi);
        a += b; /* d phi' */
        b = e * b - gamma * sin(phi) * a;
        u = e * u + gamma * cos(phi);
        if (u < 0.0) { /* a ball that would fly into the table is thrown up at once */
            u = -u;
            b = -b;
        }
        const double length = hypot(a, b);
        sum += log(length);
        a /= length;
        b /= length;
    }
    const double of_map = sum / count;
    carom_lyapunov found =
        find(ball, NULL, NULL, (carom_lyapunov_request){.transient = 3000.0, .time = 100000.0});
    const double per_impact = found.exponent[0] * found.time / (double)found.impacts;
    print_message("largest exponent per impact: %.4f, map %.4f, %ld impacts\n", per_impact, of_map,
                  found.impacts);
    assert_near(gamma, 100.0, 1e-9);
    assert_near(per_impact, of_map, 0.03 * of_map); /* some 1800 impacts: 0.5 % */
    assert_near(found.sum, found.divergence + found.jumps, 1e-7);
    carom_lyapunov_free(&found);
}

/* A contact that closes leaves nothing of some columns: an exponent without bound, and no number that is not one. */
static void test_contact_that_closes(void **state)
{
    (void)state;
    carom_lyapunov found =
        find(oscillator, "e", "0", (carom_lyapunov_request){.transient = 20.0, .time = 100.0});
    assert_false(found.checked);
    assert_false(isnan(found.exponent[0]) || isnan(found.exponent[1]));
    assert_true(isinf(found.exponent[1]) && found.exponent[1] < 0.0);
    assert_true(found.impacts > 10);
    carom_lyapunov_free(&found);
}

/* Steps of a scheme that does not locate impacts: log(e) per impact, and it is said. */
static void test_steps(void **state)
{
    (void)state;
    carom_lyapunov found =
        find(oscillator, NULL, NULL,
             (carom_lyapunov_request){.scheme = "moreau-jean", .h = 0.002, .transient = 50.0, .time = 300.0});
    assert_false(found.locates);
    assert_true(found.checked && found.impacts > 100);
    assert_near(found.sum, found.divergence + found.jumps, 1e-3);
    carom_lyapunov_free(&found);
}

static void test_bad_requests(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator, 0, NULL);
    const carom_lyapunov_request bad[] = {
        {.time = NAN},
        {.time = -1.0},
        {.time = INFINITY},
        {.time = 10.0, .transient = -1.0},
        {.time = 10.0, .exponents = 3},
        {.time = 10.0, .exponents = -1},
        {.time = 10.0, .scheme = "nonsense"},
        {.time = 10.0, .start_count = 1, .start = &(carom_lyapunov_start){"q:z", 1.0}},
        {.time = 10.0, .option = (carom_option[]){{.name = "nonsense", .value = 1.0}, {0}}},
        {.time = 10.0,
         .scheme = "moreau-jean",
         .option = (carom_option[]){{.name = "impact_law", .word = "lzb"},
                                    {.name = "impact_method", .word = "time"}, /* which has no derivatives */
                                    {0}}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        carom_lyapunov found = {0};
        carom_error error = {0};
        carom_lyapunov_request request = bad[i];
        request.experiment = experiment;
        if (carom_lyapunov_run(&request, &found, &error) != CAROM_BAD_INPUT)
            fail_msg("request %zu was taken", i);
        assert_true(strlen(error.text) > 10);
        carom_lyapunov_free(&found);
    }
    carom_experiment_free(experiment);
}

static bool stop_soon(void *context, double done, double all)
{
    (void)all;
    *(double *)context = done;
    return false;
}

static void test_interruption(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator, 0, NULL);
    carom_lyapunov found = {0};
    carom_error error = {0};
    double done = 0.0;
    const carom_lyapunov_request request = {.experiment = experiment,
                                            .time = 1e6,
                                            .h = 0.05,
                                            .progress = {.context = &done, .report = stop_soon}};
    assert_int_equal(carom_lyapunov_run(&request, &found, &error), CAROM_INTERRUPTED);
    assert_true(found.time > 0.0 && found.time < 1e5);
    assert_true(isfinite(found.exponent[0]));
    carom_lyapunov_free(&found);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_systems),
        cmocka_unit_test(test_periodic_motion),
        cmocka_unit_test(test_penalty),
        cmocka_unit_test(test_chaos),
        cmocka_unit_test(test_hamiltonian),
        cmocka_unit_test(test_ball_that_bounces_high),
        cmocka_unit_test(test_contact_that_closes),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_interruption),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
