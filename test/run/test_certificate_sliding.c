/* Whose work is it? Along the normal of a contact that stays closed no work is done on what slides over it: what a step loses
 * or gains there is the scheme's. Impacts, kinks, friction and partners that move keep theirs. */
#include <stdio.h>
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

/* Runs a model with a scheme (NULL: its own) and a step, and checks that its works add up. */
static carom_certificate certificate_of(const char *text, const char *scheme, double h)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_run_result result = {0};
    const carom_load_request load = {.name = "sliding", .file = "sliding.lua", .text = text};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .h = h, .until = NAN};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_certificate found = result.certificate;
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    assert_near(found.energy_initial + found.forces + found.contacts + found.joints + found.scheme,
                found.energy_final, 1e-12 * (1.0 + fabs(found.energy_final) + found.energy_scale));
    return found;
}

static bool doubts_begin_with(const carom_certificate *found, const char *words)
{
    for (int i = 0; i < found->doubts && i < CAROM_DOUBTS_KEPT; i++)
        if (strncmp(found->doubt[i], words, strlen(words)) == 0)
            return true;
    return false;
}

/* ---- curves ------------------------------------------------------------------------------------------------ */

/* A point that slides inside a circle, without weight. */
static const char circle[] = "local x, y = coordinates('x', 'y')\n"
                             "mass(1)\n"
                             "contact { 'circle', gap = 1 - hypot(x, y) }\n"
                             "initial { x = 0, y = -1, [dot(x)] = 1 }\n"
                             "integrate { h = 1e-2, until_t = 10 }\n";

/* Each step projects the velocity on a tangent that has turned by h v: v' = v cos(h v), so that dv/dt = -h v^3 / 2 and
 * v^2 = 1 / (1 + h t). */
static void a_circle_takes_nothing(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau-jean", "inel", "sweeping", "moreau-friction"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        for (double h = 1e-2; h > 2e-3; h /= 2.0) {
            const carom_certificate found = certificate_of(circle, schemes[i], h);
            const double loss = 0.5 - 0.5 / (1.0 + 10.0 * h);
            assert_near(found.scheme, -loss, 5.0 * h * loss); /* paths bulge, by terms of higher order */
            assert_near(found.contacts, 0.0,
                        1.1 * h * h); /* the first two steps, before it is known to stay */
            assert_true(doubts_begin_with(&found, "energy: the discretisation itself lost"));
        }
}

/* That scheme puts the point back on the circle, along a chord: v' = v cos(2 a), a = asin(h v / 2): twice the loss, when
 * e = 0. */
static void so_does_a_circle_of_positions(void **state)
{
    (void)state;
    const carom_certificate found = certificate_of(circle, "paoli-schatzman", 1e-2);
    assert_true(found.scheme < -0.04);
    assert_near(found.contacts, 0.0, 5e-4);
    assert_true(doubts_begin_with(&found, "energy: the discretisation itself lost"));
}

/* Schemes that keep the energy there are trusted. */
static void schemes_that_keep_it_are_trusted(void **state)
{
    (void)state;
    static const char *const schemes[] = {"elast", "generalized-alpha"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const carom_certificate found = certificate_of(circle, schemes[i], 1e-2);
        assert_true(found.trusted);
        assert_near(found.contacts, 0.0, 1e-4);
        assert_near(found.scheme, 0.0, 1e-4);
    }
}

/* Springs give back what they take, but for their dampers: a scheme with an integrator knows the powers on the way, whatever
 * the outputs are. */
static void springs_give_back(void **state)
{
    (void)state;
    static const char slides[] = "local x, y = coordinates('x', 'y')\n"
                                 "mass(1)\n"
                                 "contact { 'circle', gap = 1 - hypot(x, y) }\n"
                                 "initial { x = 0, y = -1, [dot(x)] = 1 }\n"
                                 "integrate { scheme = 'penalty', n = 1e6, h = 1e-2, until_t = 10 }\n";
    static const char bounces[] = "local y = coordinates('y')\n"
                                  "mass(1)\n"
                                  "potential(9.81 * y)\n"
                                  "contact { 'floor', gap = y, restitution = 0.8 }\n"
                                  "initial { y = 1 }\n"
                                  "integrate { scheme = 'penalty', h = 1e-2, until_t = 1 }\n";
    for (double h = 1e-1; h > 1e-3; h /= 10.0) {
        const carom_certificate found = certificate_of(slides, NULL, h);
        assert_true(found.trusted);
        assert_near(found.scheme, 0.0, 1e-7);
        const carom_certificate ball = certificate_of(bounces, NULL, h); /* one impact, then in flight */
        assert_true(ball.trusted);
        assert_near(ball.contacts, -9.81 * 0.36, 0.02);
        assert_near(ball.scheme, 0.0, 1e-6);
    }
}

/* On a hill the normal turns away: steps gain, with impulses all the same. */
static void a_hill_gives_nothing(void **state)
{
    (void)state;
    static const char hill[] = "local x, y = coordinates('x', 'y')\n"
                               "mass(1)\n"
                               "potential(9.81 * y)\n"
                               "contact { 'hill', gap = hypot(x, y) - 1 }\n"
                               "initial { x = 0, y = 1, [dot(x)] = 0.5 }\n"
                               "integrate { h = 1e-3, until_t = 0.3 }\n";
    const carom_certificate found = certificate_of(hill, "moreau-jean", NAN);
    assert_true(found.scheme > 4e-4);
    assert_near(found.contacts, 0.0, 0.2 * found.scheme); /* one hop at the start */
    assert_false(doubts_begin_with(&found, "energy: the contacts gained"));
}

/* ---- what contacts do -------------------------------------------------------------------------------------- */

/* It falls on the circle, is struck there, and slides on: v^2 / 2 sin^2 of the angle between path and tangent. */
static void an_impact_is_one(void **state)
{
    (void)state;
    static const char falls[] = "local x, y = coordinates('x', 'y')\n"
                                "mass(1)\n"
                                "contact { 'circle', gap = 1 - hypot(x, y) }\n"
                                "initial { x = 0.6, y = 0, [dot(y)] = -1 }\n" /* meets it at (0.6, -0.8) */
                                "integrate { h = 1e-4, until_t = 3 }\n";
    const carom_certificate found = certificate_of(falls, "moreau-jean", NAN);
    assert_near(found.contacts, -0.5 * 0.64, 1e-3);
    /* then 0.6 along the circle for 2.2 */
    assert_near(found.scheme, -(0.18 - 0.5 / (1.0 / 0.36 + 1e-4 * 2.2)), 1e-6);
    assert_true(found.trusted);
}

/* A floor with a kink in it, one contact: what is lost there is no error. */
static void a_kink_is_an_impact(void **state)
{
    (void)state;
    static const char kink[] = "local x, y = coordinates('x', 'y')\n"
                               "mass(1)\n"
                               "potential(9.81 * y)\n"
                               "contact { 'floor', gap = min(y, 0.8 * y - 0.6 * (x - 1)) }\n" /* sin = 0.6 */
                               "initial { [dot(x)] = 5 }\n"
                               "integrate { h = 1e-4, until_t = 0.3 }\n";
    const carom_certificate found = certificate_of(kink, "moreau-jean", NAN);
    assert_near(found.contacts, -12.5 * 0.36, 1e-2);
    assert_near(found.scheme, 0.0, 1e-6);
    assert_true(found.trusted);
}

/* A rough circle: v = v0 exp(-mu angle), so that 1/v = 1 + mu t. */
static void friction_is_friction(void **state)
{
    (void)state;
    static const char rough[] = "local x, y = coordinates('x', 'y')\n"
                                "mass(1)\n"
                                "contact { 'circle', gap = 1 - hypot(x, y), friction = 0.3,\n"
                                "          slip = (x * dot(y) - y * dot(x)) / hypot(x, y) }\n"
                                "initial { x = 0, y = -1, [dot(x)] = 1 }\n"
                                "integrate { h = 1e-4, until_t = 5 }\n";
    const carom_certificate found = certificate_of(rough, "moreau-jean", NAN);
    assert_near(found.contacts, -(0.5 - 0.5 / (2.5 * 2.5)), 1e-3);
    assert_near(found.scheme, 0.0, 1e-4);
    assert_true(found.trusted);
}

/* A floor that is lifted with acceleration 2 lifts what stands on it: N = 11.81, over t^2. The step loses 11.81 h, which is
 * compared with the energy of the motion about its mean velocity: 0.5. */
static void a_floor_that_rises_works(void **state)
{
    (void)state;
    static const char lift[] = "local y = coordinates('y')\n"
                               "mass(1)\n"
                               "potential(9.81 * y)\n"
                               "contact { 'floor', gap = y - time()^2 }\n"
                               "integrate { h = 1e-4, until_t = 1 }\n";
    const carom_certificate found = certificate_of(lift, "moreau-jean", NAN);
    assert_near(found.contacts, 11.81, 0.003);
    assert_near(found.scheme, 0.0, 0.003); /* of 0.5: what moves relative to the mean motion */
    assert_true(found.trusted);
}

/* ---- bodies ------------------------------------------------------------------------------------------------ */

/* A block turns about its corner, which sticks and does no work: what a step would gain is taken back. */
static void blocks_have_the_same_rule(void **state)
{
    (void)state;
    static const char block[] = "world { gravity = { 0, -9.81 } }\n"
                                "pair { friction = 2 }\n"
                                "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
                                "local tilt, a, b = 0.2, 0.1, 0.4\n"
                                "local c, s = math.cos(tilt), math.sin(tilt)\n"
                                "body { 'block', shape = box { 2 * a, 2 * b }, mass = 1, at = { a * c - b * "
                                "s, a * s + b * c }, rotation = tilt }\n"
                                "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.2 }\n";
    const carom_certificate found = certificate_of(block, NULL, NAN);
    const double change = found.energy_final - found.energy_initial;
    assert_near(change, 0.0, 1e-13);
    assert_near(found.contacts, 0.0, 2e-8);
    assert_true(found.trusted);
}

/* The impact of a falling disc stays with the contacts: all that e = 0 takes. */
static void discs_that_fall_are_struck(void **state)
{
    (void)state;
    static const char fall[] = "world { gravity = { 0, -9.81 } }\n"
                               "pair { friction = 0, restitution = 0 }\n"
                               "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
                               "body { 'ball', shape = disc { 0.1 }, mass = 1, at = { 0, 1.1 } }\n"
                               "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";
    const carom_certificate found = certificate_of(fall, NULL, NAN);
    assert_near(found.contacts, -9.81, 0.03);
    assert_near(found.scheme, 0.0, 1e-6);
    assert_true(found.trusted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_takes_nothing),
        cmocka_unit_test(so_does_a_circle_of_positions),
        cmocka_unit_test(schemes_that_keep_it_are_trusted),
        cmocka_unit_test(springs_give_back),
        cmocka_unit_test(a_hill_gives_nothing),
        cmocka_unit_test(an_impact_is_one),
        cmocka_unit_test(a_kink_is_an_impact),
        cmocka_unit_test(friction_is_friction),
        cmocka_unit_test(a_floor_that_rises_works),
        cmocka_unit_test(blocks_have_the_same_rule),
        cmocka_unit_test(discs_that_fall_are_struck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
