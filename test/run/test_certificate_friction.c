/* Friction so large that everything sticks: in every scheme with friction what falls comes to rest on the floor, and
 * a run that is trusted did not fall through it. */
#include <stdio.h>

#include "carom/io.h"
#include "test/near.h"

static const double coefficients[] = {1e3, 1e6, 1e9};
enum {
    COEFFICIENTS = sizeof coefficients / sizeof *coefficients
};

typedef struct outcome {
    carom_certificate certificate;
    double height; /* of the first measure */
} outcome;

static outcome run_text(const char *text, const char *scheme, const carom_option *option, double mu)
{
    char model[2000];
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_run_result result = {0};
    snprintf(model, sizeof model, "local mu = %g\n%s", mu, text);
    const carom_load_request load = {.name = "rough", .file = "rough.lua", .text = model};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_run_request request = {
        .experiment = experiment, .scheme = scheme, .h = NAN, .until = NAN, .option = option};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s, mu = %g: %s", scheme, mu, error.text);
    const outcome found = {.certificate = result.certificate,
                           .height = result.final[carom_row_layout_of(experiment).q + 1]};
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return found;
}

static void check(const outcome *found, const char *scheme, double mu, double height)
{
    const carom_certificate *certificate = &found->certificate;
    if (!certificate->trusted)
        fail_msg("%s, mu = %g: %s", scheme, mu, certificate->doubt[0]);
    if (!(certificate->contact_error <= certificate->contact_tolerance))
        fail_msg("%s, mu = %g: error %g", scheme, mu, certificate->contact_error);
    if (!(fabs(found->height - height) < 0.01))
        fail_msg("%s, mu = %g: at %g", scheme, mu, found->height);
}

static const char line[] = "local x, y = coordinates('x', 'y')\n"
                           "mass(1)\n"
                           "potential(9.81 * y)\n"
                           "contact { 'floor', gap = y, slip = dot(x), friction = mu }\n"
                           "initial { y = 1, [dot(x)] = 1 }\n"
                           "integrate { h = 1e-3, until_t = 1 }\n";
static const char plane[] = "local x, y, z = coordinates('x', 'y', 'z')\n"
                            "mass(1)\n"
                            "potential(9.81 * y)\n"
                            "contact { 'floor', gap = y, slip = { dot(x), dot(z) }, friction = mu }\n"
                            "initial { y = 1, [dot(x)] = 1, [dot(z)] = -0.7 }\n"
                            "integrate { h = 1e-3, until_t = 1 }\n";
static const char bodies[] =
    "world { gravity = { 0, -9.81 } }\n"
    "pair { friction = mu }\n"
    "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "body { 'box', shape = box { 0.2, 0.2 }, mass = 1, at = { 0, 0.3 }, velocity = { 1, 0 } }\n"
    "body { 'disc', shape = disc { 0.1 }, mass = 1, at = { 0.05, 0.7 }, velocity = { 1, 0 } }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";

static void what_falls_comes_to_rest(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau-jean", "moreau-friction", "generalized-alpha"};
    for (int k = 0; k < COEFFICIENTS; k++) {
        for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
            const outcome on_line = run_text(line, schemes[i], NULL, coefficients[k]);
            check(&on_line, schemes[i], coefficients[k], 0.0);
            const outcome on_plane = run_text(plane, schemes[i], NULL, coefficients[k]);
            check(&on_plane, schemes[i], coefficients[k], 0.0);
        }
        const outcome of_bodies = run_text(bodies, NULL, NULL, coefficients[k]);
        check(&of_bodies, "bodies", coefficients[k], 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_falls_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
