/* Impacts of a rod with friction, from random states: Newton's law gains energy in some, which the certificate names;
 * Moreau's never does. One of a ball against the closed form. */
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

static const char rod[] =
    "local x, y, a = coordinates('x', 'y', 'a')\n"
    "local px = param { 'px', 0, doc = 'speed' }\n"
    "local py = param { 'py', -1, doc = 'speed' }\n"
    "local pa = param { 'pa', 0, doc = 'spin' }\n"
    "local tilt = param { 'tilt', 0.5, doc = 'angle to the vertical' }\n"
    "local e = param { 'e', 0.5, doc = 'restitution' }\n"
    "local mu = param { 'mu', 0.5, doc = 'friction' }\n"
    "mass { x = 1, y = 1, a = 1 / 3 }\n" /* half length 1 */
    "contact { 'tip', gap = y - cos(a), slip = dot(x) - cos(a) * dot(a), restitution = e, friction = mu }\n"
    "initial { y = cos(tilt), a = tilt, [dot(x)] = px, [dot(y)] = py, [dot(a)] = pa }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-5, until_t = 2e-5 }\n";

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.name = "rod", .file = "rod.lua", .text = text},
                              &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* Velocities after it go to v, where it is not NULL. */
static carom_certificate strike(const carom_experiment *experiment, const double *parameter, bool moreau,
                                double *v)
{
    carom_error error = {0};
    carom_run_result result = {0};
    const carom_option law[] = {{.name = "impact_law", .word = "moreau"}, {0}};
    const carom_run_request request = {.experiment = experiment,
                                       .h = NAN,
                                       .until = NAN,
                                       .parameter = parameter,
                                       .option = moreau ? law : NULL};
    const int dof = experiment->model->dof;
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_certificate found = result.certificate;
    if (v)
        memcpy(v, result.final + 1 + dof, (size_t)dof * sizeof *v);
    carom_run_result_free(&result);
    return found;
}

static void random_impacts_never_gain(void **state)
{
    (void)state;
    enum {
        IMPACTS = 400
    };
    carom_experiment *experiment = load(rod);
    carom_random random = {.state = 7};
    int gains = 0, named = 0, lost = 0;
    for (int i = 0; i < IMPACTS; i++) {
        const double parameter[] = {
            carom_random_uniform(&random, -4, 4), carom_random_uniform(&random, -4, 0),
            carom_random_uniform(&random, -4, 4), carom_random_uniform(&random, -1.4, 1.4),
            carom_random_uniform(&random, 0, 1),  carom_random_uniform(&random, 0, 2)};
        const carom_certificate moreau = strike(experiment, parameter, true, NULL);
        const carom_certificate newton = strike(experiment, parameter, false, NULL);
        const double before = moreau.energy_initial;
        if (moreau.energy_final > before * (1.0 + 1e-12))
            fail_msg("impact %d: from %.17g to %.17g", i, before, moreau.energy_final);
        lost += moreau.energy_final < 0.99 * before;
        if (newton.energy_final > 1.01 * before) {
            gains++;
            for (int k = 0; k < newton.doubts && k < CAROM_DOUBTS_KEPT; k++)
                named += strstr(newton.doubt[k], "the contacts gained") &&
                         strstr(newton.doubt[k], "at t = 1e-05 (contact 'tip')");
        }
    }
    assert_true(lost > IMPACTS / 4); /* they are impacts */
    assert_true(gains > 0);
    assert_int_equal(named, gains);
    carom_experiment_free(experiment);
}

/* Slip: p_N = (1 + e) m v_N, p_T = mu p_N. Stick: the tangent bounces as the normal does. */
static void a_ball_has_the_closed_form(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load("local x, y, z = coordinates('x', 'y', 'z')\n"
             "local mu = param { 'mu', 0.1, doc = 'friction' }\n"
             "mass(2)\n"
             "contact { 'floor', gap = y, slip = { dot(x), dot(z) }, restitution = 0.5, friction = mu }\n"
             "initial { [dot(x)] = 3, [dot(y)] = -1, [dot(z)] = 4 }\n"
             "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1e-3 }\n");
    double v[3];
    strike(experiment, (double[]){0.1}, true, v);
    assert_near(v[0], 3.0 - 0.15 * 0.6, 1e-9);
    assert_near(v[1], 0.5, 1e-9);
    assert_near(v[2], 4.0 - 0.15 * 0.8, 1e-9);
    strike(experiment, (double[]){20.0}, true, v);
    assert_near(v[0], -1.5, 1e-9);
    assert_near(v[1], 0.5, 1e-9);
    assert_near(v[2], -2.0, 1e-9);
    strike(experiment, (double[]){20.0}, false, v);
    assert_near(v[0], 0.0, 1e-9); /* Newton's: the tangent sticks */
    carom_experiment_free(experiment);
}

/* What forces press on the floor in each step is no impact. */
static void at_rest_nothing_bounces(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load("local x, y = coordinates('x', 'y')\n"
             "mass(1)\n"
             "force { x = 1, y = -10 }\n"
             "contact { 'floor', gap = y, slip = dot(x), restitution = 0.9, friction = 0.5 }\n"
             "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.1 }\n");
    double v[2];
    const carom_certificate found = strike(experiment, NULL, true, v);
    assert_near(v[0], 0.0, 1e-12);
    assert_near(v[1], 0.0, 1e-12);
    assert_true(found.trusted);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_impacts_never_gain),
        cmocka_unit_test(a_ball_has_the_closed_form),
        cmocka_unit_test(at_rest_nothing_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
