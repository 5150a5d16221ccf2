/* Laws of impact in models with joints: what is struck answers with all that hangs on it, and joints with their impulses.
 * Closed forms, and the same mechanisms in coordinates that need no joint. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/io.h"

static const char *const laws[] = {"newton", "moreau", "poisson", "binary", "lzb"};

enum {
    LAWS = sizeof laws / sizeof *laws,
    MEASURES = 4
};

typedef struct outcome {
    carom_status status;
    bool trusted;
    double measure[MEASURES]; /* in the order of their names */
    char text[1024];
} outcome;

static outcome run(const char *text, const char *law)
{
    const carom_load_request request = {.name = "m", .file = "m.lua", .text = text};
    const carom_option option[] = {{"impact_law", .word = law}, {0}};
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    carom_error error = {0};
    outcome out = {.status = carom_experiment_load(&request, &experiment, &error)};
    if (out.status == CAROM_OK)
        out.status =
            carom_run(&(carom_run_request){.experiment = experiment, .option = option}, &result, &error);
    if (out.status == CAROM_OK) {
        out.trusted = result.certificate.trusted;
        for (int i = 0; i < experiment->measure_count && i < MEASURES; i++)
            out.measure[i] = result.measure[i].value[0];
    }
    carom_format(out.text, sizeof out.text, "%s", error.text);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return out;
}

static outcome run_well(const char *text, const char *law)
{
    const outcome out = run(text, law);
    if (out.status != CAROM_OK)
        fail_msg("%s: %s", law, out.text);
    assert_true(out.trusted);
    return out;
}

static void near(const char *law, const char *what, double found, double wanted, double tolerance)
{
    if (!(fabs(found - wanted) <= tolerance))
        fail_msg("%s: %s is %.10g, not %.10g to %g", law, what, found, wanted, tolerance);
}

/* A pendulum on a rod falls from an angle of 1 against a wall below its pivot: E + g = e^2 (1 - cos 1) g. */
static void pendulum_strikes_a_wall(void **state)
{
    (void)state;
    static const char text[] =
        "local x, y = coordinates('x', 'y')\n"
        "mass { { 2, 0 }, { 0, 2 } }\n"
        "potential(2 * 9.81 * y)\n"
        "joint { 'rod', x ^ 2 + y ^ 2 - 1 }\n"
        "contact { 'wall', gap = x, restitution = 0.5 }\n"
        "initial { x = math.sin(1), y = -math.cos(1) }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1.1 }\n"
        "measure { a_energy = dot(x) ^ 2 + dot(y) ^ 2 + 2 * 9.81 * y, b_hits = count(impact 'wall'),\n"
        "          c_rod = maximum(abs(x ^ 2 + y ^ 2 - 1)) }\n";
    for (int k = 0; k < LAWS; k++) {
        const outcome out = run_well(text, laws[k]);
        near(laws[k], "energy", out.measure[0], 2.0 * 9.81 * (0.25 * (1.0 - cos(1.0)) - 1.0), 1e-4);
        near(laws[k], "impacts", out.measure[1], 1.0, 0.0);
        near(laws[k], "rod", out.measure[2], 0.0, 1e-5);
    }
}

/* A mass m = 2 on a rod, speed 1 without gravity, meets a wall at x = 0.8 in the direction t = (0.6, 0.8), r = (0.8, -0.6):
 * the wall sees the mass m / (n.t)^2. p = m (1 + e) / 0.6, speed e along -t, and the rod (row 2 r) answers with 0.4 p. */
static void wall_askew_to_the_rod(void **state)
{
    (void)state;
    static const char text[] =
        "local h = 1e-4\n"
        "local x, y = coordinates('x', 'y')\n"
        "mass { { 2, 0 }, { 0, 2 } }\n"
        "joint { 'rod', x ^ 2 + y ^ 2 - 1 }\n"
        "contact { 'wall', gap = 0.8 - x, restitution = 0.25 }\n"
        "initial { x = 0.6, y = -0.8, [dot(x)] = 0.8, [dot(y)] = 0.6 }\n"
        "integrate { scheme = 'moreau-jean', h = h, until_t = 0.5 }\n"
        "measure { a_along = x * dot(y) - y * dot(x), b_impulse = maximum(impulse 'wall'),\n"
        "          c_rod = maximum(abs(reaction 'rod' * h)), d_stretch = abs(x * dot(x) + y * dot(y)) }\n";
    for (int k = 0; k < LAWS; k++) {
        const outcome out = run_well(text, laws[k]);
        near(laws[k], "speed after", out.measure[0], -0.25, 1e-6);
        near(laws[k], "impulse", out.measure[1], 2.0 * 1.25 / 0.6, 1e-3);
        near(laws[k], "impulse of the rod", out.measure[2], 0.4 * 2.0 * 1.25 / 0.6, 1e-3);
        near(laws[k], "speed along the rod", out.measure[3], 0.0, 1e-9);
    }
}

/* Newton's cradle of three balls on rods, and the same in angles. */
static const char cradle[] =
    "local names, m, V, start = {}, {}, 0, {}\n"
    "for i = 1, 3 do names[2 * i - 1] = 'x' .. i names[2 * i] = 'y' .. i end\n"
    "local q = { coordinates(table.unpack(names)) }\n"
    "for i = 1, 6 do m[i] = {} for k = 1, 6 do m[i][k] = i == k and 1 or 0 end end\n"
    "mass(m)\n"
    "for i = 1, 3 do\n"
    "    local x, y, a = q[2 * i - 1], q[2 * i], i == 1 and 0.5 or 0\n"
    "    V = V + 9.81 * y\n"
    "    joint { 'rod' .. i, (x - 0.2 * i) ^ 2 + y ^ 2 - 1 }\n"
    "    start['x' .. i], start['y' .. i] = 0.2 * i - math.sin(a), -math.cos(a)\n"
    "end\n"
    "for i = 1, 2 do\n"
    "    contact { 'c' .. i, gap = hypot(q[2 * i + 1] - q[2 * i - 1], q[2 * i + 2] - q[2 * i]) - 0.2, "
    "restitution = 0.9 }\n"
    "end\n"
    "potential(V)\n"
    "initial(start)\n"
    "integrate { scheme = 'moreau-jean', h = 5e-4, until_t = 1.2 }\n"
    "measure { a1 = asin(q[1] - 0.2), a2 = asin(q[3] - 0.4), a3 = asin(q[5] - 0.6) }\n";
static const char angles[] = "local a1, a2, a3 = coordinates('a1', 'a2', 'a3')\n"
                             "local q = { a1, a2, a3 }\n"
                             "mass { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }\n"
                             "potential(-9.81 * (cos(a1) + cos(a2) + cos(a3)))\n"
                             "for i = 1, 2 do\n"
                             "    contact { 'c' .. i, gap = hypot(0.2 + sin(q[i + 1]) - sin(q[i]), cos(q[i + "
                             "1]) - cos(q[i])) - 0.2, restitution = 0.9 }\n"
                             "end\n"
                             "initial { a1 = -0.5 }\n"
                             "integrate { scheme = 'moreau-jean', h = 5e-4, until_t = 1.2 }\n"
                             "measure { a1 = a1, a2 = a2, a3 = a3 }\n";

static void cradle_on_rods_is_that_in_angles(void **state)
{
    (void)state;
    for (int k = 0; k < LAWS; k++) {
        const outcome rods = run_well(cradle, laws[k]), turns = run_well(angles, laws[k]);
        for (int i = 0; i < 3; i++) /* both of second order in h between impacts */
            near(laws[k], "angle", rods.measure[i], turns.measure[i], 1e-6);
    }
    /* binary collisions pass the blow on, Newton's law with one e makes the last two go together */
    assert_true(fabs(run_well(cradle, "binary").measure[1] - run_well(cradle, "newton").measure[1]) > 0.1);
}

/* Three masses, each hung from the one before it by a rod, meet two walls: the energy never rises. */
static void energy_is_not_created(void **state)
{
    (void)state;
    static const char form[] =
        "local x1, y1, x2, y2, x3, y3 = coordinates('x1', 'y1', 'x2', 'y2', 'x3', 'y3')\n"
        "local m = { 1, 0.3, 2 }\n"
        "local M = {}\n"
        "for i = 1, 6 do M[i] = {} for k = 1, 6 do M[i][k] = i == k and m[(i + 1) // 2] or 0 end end\n"
        "mass(M)\n"
        "potential(9.81 * (m[1] * y1 + m[2] * y2 + m[3] * y3))\n"
        "joint { 'r1', x1 ^ 2 + y1 ^ 2 - 1 }\n"
        "joint { 'r2', (x2 - x1) ^ 2 + (y2 - y1) ^ 2 - 1 }\n"
        "joint { 'r3', (x3 - x2) ^ 2 + (y3 - y2) ^ 2 - 1 }\n"
        "contact { 'w1', gap = x1 + 0.1, restitution = %s }\n"
        "contact { 'w2', gap = x2 + 0.1, restitution = %s }\n"
        "contact { 'w3', gap = x3 + 0.1, restitution = %s }\n"
        "contact { 'right', gap = 1.5 - x3, restitution = %s }\n"
        "initial { x1 = 0.6, y1 = -0.8, x2 = 1.2, y2 = -1.6, x3 = 1.2, y3 = -2.6 }\n"
        "integrate { scheme = 'moreau-jean', h = 5e-4, until_t = 3 }\n"
        "measure { a_most = maximum(energy()), b_start = at(energy(), 0), c_hits = count(impact 'w3') }\n";
    char text[4096];
    for (int k = 0; k < LAWS; k++) {
        const bool one = strcmp(laws[k], "moreau") == 0 || strcmp(laws[k], "newton") == 0;
        snprintf(text, sizeof text, form, one ? "0.8" : "1", "0.8", one ? "0.8" : "0.3", "0.8");
        const outcome out = run(text, laws[k]);
        assert_int_equal(out.status, CAROM_OK);
        assert_true(out.measure[2] >= 1.0);
        near(laws[k], "energy gained", out.measure[0] - out.measure[1], 0.0, 1e-4); /* of the smooth motion */
    }
}

/* Moreau's law with friction is part of the contact problem, which knows the joints: no gain either. */
static void with_friction(void **state)
{
    (void)state;
    static const char text[] =
        "local x, y = coordinates('x', 'y')\n"
        "mass { { 2, 0 }, { 0, 2 } }\n"
        "potential(2 * 9.81 * y)\n"
        "joint { 'rod', x ^ 2 + y ^ 2 - 1 }\n"
        "contact { 'wall', gap = x, slip = dot(y), friction = 0.4, restitution = 0.5 }\n"
        "initial { x = math.sin(1), y = -math.cos(1) }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1.1 }\n"
        "measure { a_energy = dot(x) ^ 2 + dot(y) ^ 2 + 2 * 9.81 * y }\n";
    const outcome out = run_well(text, "moreau"); /* below the pivot nothing slips */
    near("moreau", "energy", out.measure[0], 2.0 * 9.81 * (0.25 * (1.0 - cos(1.0)) - 1.0), 5e-2);
    assert_int_equal(run(text, "poisson").status, CAROM_BAD_INPUT);
}

/* A gap that the rod holds answers no impulse. */
static void held_contacts_are_named(void **state)
{
    (void)state;
    static const char text[] =
        "local x, y = coordinates('x', 'y')\n"
        "mass { { 1, 0 }, { 0, 1 } }\n"
        "joint { 'rod', x ^ 2 + y ^ 2 - 1 }\n"
        "contact { 'round', gap = 1 - x ^ 2 - y ^ 2, restitution = 0.5 }\n"
        "contact { 'wall', gap = x, restitution = 0.5 }\n"
        "initial { x = 0.01, y = -math.sqrt(1 - 1e-4), [dot(x)] = -math.sqrt(1 - 1e-4), [dot(y)] = -0.01 }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.1 }\n";
    const outcome out = run(text, "newton");
    assert_int_equal(out.status, CAROM_FAILED);
    assert_non_null(strstr(out.text, "joints"));
    assert_non_null(strstr(out.text, "'round'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_strikes_a_wall),
        cmocka_unit_test(wall_askew_to_the_rod),
        cmocka_unit_test(cradle_on_rods_is_that_in_angles),
        cmocka_unit_test(energy_is_not_created),
        cmocka_unit_test(with_friction),
        cmocka_unit_test(held_contacts_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
