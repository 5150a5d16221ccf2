/* Which tolerance contact problems were asked for, also where nobody chose it: an error alone says little. */
#include "carom/io.h"
#include "test/near.h"

static carom_certificate certificate_of(const char *text, const char *scheme, const carom_option *option)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_run_result result = {0};
    const carom_load_request load = {.name = "ball", .file = "ball.lua", .text = text};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_run_request request = {
        .experiment = experiment, .scheme = scheme, .h = NAN, .until = NAN, .option = option};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s: %s", scheme, error.text);
    const carom_certificate found = result.certificate;
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return found;
}

#define BALL(contact)                                                                                        \
    "local x, y = coordinates('x', 'y')\n"                                                                   \
    "mass(1)\n"                                                                                              \
    "potential(9.81 * y)\n" contact "initial { x = 0, y = 0.1, [dot(x)] = 1 }\n"                             \
    "integrate { h = 1e-2, until_t = 0.5 }\n"

static const char smooth[] = BALL("contact { 'floor', gap = y }\n");
static const char rough[] = BALL("contact { 'floor', gap = y, slip = dot(x), friction = 0.3 }\n");
static const char high[] = BALL("contact { 'floor', gap = y + 100 }\n");
static const char disc[] = "world { gravity = { 0, -9.81 } }\n"
                           "pair { friction = 0.3 }\n"
                           "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
                           "body { 'disc', shape = disc { 0.1 }, mass = 1, at = { 0, 0.2 } }\n"
                           "integrate { scheme = 'moreau-jean', h = 1e-2, until_t = 0.5 }\n";

static void defaults_are_told(void **state)
{
    (void)state;
    static const char *const without[] = {"moreau-jean", "inel", "paoli-schatzman", "sweeping",
                                          "event-driven"};
    static const char *const with[] = {"moreau-jean", "moreau-friction"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        const carom_certificate found = certificate_of(smooth, without[i], NULL);
        if (!(found.contact_tolerance > 0.0 && found.contact_tolerance <= 1e-8))
            fail_msg("%s: %g", without[i], found.contact_tolerance);
        assert_true(found.contact_error <= found.contact_tolerance);
    }
    assert_near(certificate_of(rough, with[0], NULL).contact_tolerance, 1e-10, 0.0);
    assert_near(certificate_of(rough, with[1], NULL).contact_tolerance, 1e-9, 0.0);
    assert_near(certificate_of(smooth, "generalized-alpha", NULL).contact_tolerance, 1e-10, 0.0);
    assert_near(certificate_of(disc, NULL, NULL).contact_tolerance, 1e-8, 0.0);
}

static void what_was_asked_is_told(void **state)
{
    (void)state;
    const carom_option asked[] = {{.name = "tolerance", .value = 3e-7}, {0}};
    assert_near(certificate_of(smooth, "moreau-jean", asked).contact_tolerance, 3e-7, 0.0);
    assert_near(certificate_of(rough, "moreau-jean", asked).contact_tolerance, 3e-7, 0.0);
    assert_near(certificate_of(disc, NULL, asked).contact_tolerance, 3e-7, 0.0);
}

static void nothing_is_told_of_no_problems(void **state)
{
    (void)state;
    assert_near(certificate_of(high, "moreau-jean", NULL).contact_tolerance, 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_told),
        cmocka_unit_test(what_was_asked_is_told),
        cmocka_unit_test(nothing_is_told_of_no_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
