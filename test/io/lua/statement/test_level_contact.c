/* contact { level = ... }: the same motion as with distance and slip by hand, what goes wrong, points that are expressions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test/io/lua/scripts.h"
#include "test/near.h"

static const char *const schemes[] = {"event-driven", "moreau-friction", "moreau-jean", "generalized-alpha"};
enum {
    SCHEMES = sizeof schemes / sizeof *schemes
};

/* Runs a text; keeps t, q, v of the end in `end` and returns the largest penetration. */
static double run_text(const char *text, const char *scheme, double h, double *end)
{
    carom_experiment *experiment = load_good_text(text);
    carom_run_result result = {0};
    carom_error error = {0};
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .h = h, .until = NAN};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s: %s", scheme, error.text);
    memcpy(end, result.final, (1 + 2 * (size_t)experiment->model->dof) * sizeof *end);
    const double penetration = result.max_penetration;
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return penetration;
}

/* A model with one of two contacts. */
typedef struct two_forms {
    const char *before, *level, *hand, *after;
    int dof;
} two_forms;

static void compare(const two_forms *forms, const char *scheme, double h, double tolerance)
{
    char text[1200];
    double level[16], hand[16];
    snprintf(text, sizeof text, "%s contact { %s } %s", forms->before, forms->level, forms->after);
    run_text(text, scheme, h, level);
    snprintf(text, sizeof text, "%s contact { %s } %s", forms->before, forms->hand, forms->after);
    run_text(text, scheme, h, hand);
    assert_all_near(1 + forms->dof, level, hand, tolerance);
}

static void a_moving_plane_is_one_in_any_form(void **state)
{
    (void)state;
    static const two_forms plane = {
        "local x, y = coordinates('x', 'y') mass(2) potential(2*9.81*y)\n"
        "local d = 0.8*y - 0.6*x - 0.02*sin(9*time())\n",
        "'p', level = 3*d, surface = { 0.4, 0.3 }, friction = 0.4",
        "'p', gap = d, slip = 0.8*dot(x) + 0.6*dot(y) - 0.5, friction = 0.4",
        "initial { y = 0.2, [dot(x)] = 1 } integrate { h = 1e-2, until_t = 1 }",
        2,
    };
    for (int s = 0; s < SCHEMES; s++)
        compare(&plane, schemes[s], 1e-2, 1e-10);
}

#define BOWL(f)                                                                                              \
    "local x, y = coordinates('x', 'y') mass(1) potential(9.81*y)\n"                                         \
    "local function gap_and_slip(f, nx, ny)\n"                                                               \
    "  local n = hypot(nx, ny) return f/n, (ny*dot(x) - nx*dot(y))/n\n"                                      \
    "end\n"                                                                                                  \
    "local g, s = " f "\n"

static const two_forms curved[] = {
    {BOWL("gap_and_slip(1 - hypot(x, y), -x/hypot(x, y), -y/hypot(x, y))"),
     "'c', level = 3*(1 - x^2 - y^2), friction = 0.1",
     "'c', gap = g, slip = s, friction = 0.1, distance = true",
     "initial { x = 0.4, y = -0.3, [dot(x)] = 0.5 } integrate { h = 1e-2, until_t = 1 }", 2},
    {BOWL("gap_and_slip(1 - hypot(x/2, y), -x/4/hypot(x/2, y), -y/hypot(x/2, y))"),
     "'c', level = 3*(1 - x^2/4 - y^2), friction = 0.1",
     "'c', gap = g, slip = s, friction = 0.1, distance = true",
     "initial { x = 0.8, y = -0.3, [dot(x)] = 0.5 } integrate { h = 1e-2, until_t = 1 }", 2},
    {"local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(9.81*z)\n"
     "local r, c = hypot(x, y), math.sqrt(2)\n",
     "'c', level = 3*(z^2 - x^2 - y^2), friction = 0.2",
     "'c', gap = (z - r)/c, slip = { (-y*dot(x) + x*dot(y))/r, ((x*dot(x) + y*dot(y))/r + dot(z))/c },\n"
     "friction = 0.2",
     "initial { x = 1, z = 1.1, [dot(y)] = 2 } integrate { h = 1e-2, until_t = 0.8 }", 3},
};

static void curved_surfaces_have_the_same_motion(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof curved / sizeof *curved; i++)
        for (int s = 0; s < SCHEMES; s++) {
            compare(&curved[i], schemes[s], 1e-2, s == 0 ? 1e-10 : 2e-2);
            if (s > 0)
                compare(&curved[i], schemes[s], 1e-3, 2e-3);
        }
}

/* From the middle, where the gradient is 0, upwards: the highest point is opposite to the axis of the tangents. */
static void the_middle_and_the_top_of_a_ball(void **state)
{
    (void)state;
    for (int s = 0; s < SCHEMES; s++) {
        double end[7];
        run_text("local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(z)\n"
                 "contact { 'c', level = 4 - x^2 - y^2 - z^2, friction = 0.3 }\n"
                 "initial { [dot(z)] = 8 } integrate { h = 1e-2, until_t = 3 }",
                 schemes[s], 1e-2, end);
        for (int i = 0; i < 7; i++)
            assert_true(isfinite(end[i]));
        assert_near(end[1], 0.0, 1e-6);
        assert_near(end[2], 0.0, 1e-6);
    }
}

/* Schemes without friction take levels, too. */
static void every_scheme_takes_a_moving_plane(void **state)
{
    (void)state;
    static const char *const all[] = {"elast",    "billiard",     "inel",    "paoli-schatzman",
                                      "sweeping", "event-driven", "penalty", "generalized-alpha"};
    static const two_forms plane = {"local x, y = coordinates('x', 'y') mass(2) potential(2*9.81*y)\n"
                                    "local d = 0.8*y - 0.6*x - 0.02*sin(9*time())\n",
                                    "'p', level = 3*d", "'p', gap = d",
                                    "initial { y = 0.2, [dot(x)] = 1 } integrate { h = 1e-2, until_t = 0.5 }",
                                    2};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        compare(&plane, all[i], 1e-2, 1e-10);
}

/* Without friction a penetration is a length in every scheme that takes the model. */
static void penetrations_are_lengths(void **state)
{
    (void)state;
    static const char *const all[] = {"inel", "moreau-friction", "moreau-jean"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double one[5], other[5];
        const char *format =
            "local x, y = coordinates('x', 'y') mass(1) potential(10*y)\n"
            "contact { 'c', level = %s*y } initial { y = 0.0501 } integrate { h = 1e-2, until_t = 1 }";
        char text[300];
        snprintf(text, sizeof text, format, "1");
        const double depth = run_text(text, all[i], 1e-2, one);
        snprintf(text, sizeof text, format, "1024");
        const double same = run_text(text, all[i], 1e-2, other);
        assert_true(depth == same);
        assert_memory_equal(one, other, sizeof one);
    }
}

/* The lower end of a rod, on a circle that a cart carries: as expressions of its coordinates, and by hand. */
static void a_point_may_be_an_expression(void **state)
{
    (void)state;
    static const two_forms rod = {
        "local x, y, p = coordinates('x', 'y', 'p') mass { x = 1, y = 1, p = 0.1 } potential(9.81*y)\n"
        "local a, b = x + 0.3*sin(p), y - 0.3*cos(p)\n"
        "local c = 0.1*time() local r = hypot(a - c, b)\n",
        "'c', level = (a - c)^2 + b^2 - 1, point = { a, b }, surface = { 0.1, 0 }, friction = 0.3",
        "'c', gap = r - 1, slip = (b*(dot(a) - 0.1) - (a - c)*dot(b))/r, friction = 0.3",
        "initial { x = 0.2, y = 1.4, p = 0.3 } integrate { h = 1e-2, until_t = 0.4 }",
        3,
    };
    compare(&rod, "event-driven", 1e-2, 1e-9);
    compare(&rod, "generalized-alpha", 1e-3, 1e-4);
}

static void other_coordinates_may_carry_the_obstacle(void **state)
{
    (void)state;
    static const two_forms wedge = {
        "local x, y, X = coordinates('x', 'y', 'X') mass { x = 1, y = 1, X = 4 } potential(9.81*y)\n",
        "'c', level = 4*y - 3*(x - X), point = { x, y }, surface = { dot(X), 0 }, friction = 0.2",
        "'c', gap = 0.8*y - 0.6*(x - X), slip = 0.8*(dot(x) - dot(X)) + 0.6*dot(y), friction = 0.2",
        "initial { y = 0.1 } integrate { h = 1e-2, until_t = 0.5 }",
        3,
    };
    for (int s = 0; s < SCHEMES; s++)
        compare(&wedge, schemes[s], 1e-2, 1e-9);
}

/* Points of bodies are expressions of their symbols. */
static void bodies_have_points_too(void **state)
{
    (void)state;
    static const two_forms block = {
        "world { gravity = { 0, -9.81 } } local cart = coordinates('cart') mass { cart = 5 }\n"
        "local b = body { 'b', mass = 2, inertia = 0.1 } force { cart = 30 } joint { 'upright', b.phi }\n",
        "'rub', level = 7*b.y, point = { b.x, b.y }, surface = { dot(cart), 0 }, friction = 0.3",
        "'rub', gap = b.y, slip = dot(b.x) - dot(cart), friction = 0.3",
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.2 }",
        4,
    };
    compare(&block, "moreau-jean", 1e-3, 1e-12);
}

static void refuses(const char *text, const char *message)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    assert_int_equal(load_text(text, &experiment, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, "model.lua:2:") || !strstr(error.text, message))
        fail_msg("'%s' does not say '%s'", error.text, message);
}

static void what_is_wrong_is_said(void **state)
{
    (void)state;
    static const struct {
        const char *contact, *message;
    } wrong[] = {
        {"level = y, gap = y", "gap does not go with level"},
        {"level = y, slip = dot(x), friction = 0.3", "slip does not go with level"},
        {"level = y, distance = true", "distance does not go with level"},
        {"gap = y, point = { x, y }", "point belongs to a level"},
        {"gap = y, surface = { 1, 0 }", "surface belongs to a level"},
        {"level = y, point = { x, y, z, x }", "a list of one to three"},
        {"level = y, point = x", "a list of one to three"},
        {"level = y, point = { x, x }", "two components of point are the same"},
        {"level = y, point = { x, dot(y) }", "expressions of position"},
        {"level = y, point = { x, time() }", "does not depend on any coordinate"},
        {"level = dot(y)", "level must be a function of position and time"},
        {"level = z, point = { x, y }", "level does not depend on its point"},
        {"level = y + 0.1*sin(z) + z, point = { x, y + 0.1*sin(z) }", "in another way than through point"},
        {"level = y, point = { x, y }, surface = { 1 }, friction = 0.2",
         "surface has 1 components, and the point 2"},
        {"level = y, point = { y }, friction = 0.3", "has two or three components"},
        {"level = y, friction = { ellipse = { 0.1, 0.2 } }", "needs slip components of your choice"},
        {"level = y, friction = { static = 0.3, dynamic = { ellipse = { 0.1, 0.2 } } }",
         "needs slip components of your choice"},
        {"restitution = 0", "has no gap"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local x, y, z = coordinates('x', 'y', 'z') mass(1)\ncontact { 'c', %s }\n"
                 "integrate { h = 1, until_t = 1 }",
                 wrong[i].contact);
        refuses(text, wrong[i].message);
    }
    refuses("local x, y = coordinates('x', 'y') mass { x = 1, y = 2 }\ncontact { 'c', level = y }\n"
            "integrate { h = 1, until_t = 1 }",
            "the model is not one point mass");
    refuses("local x = coordinates('x') mass(1)\ncontact { 'c', level = x }\n"
            "integrate { h = 1, until_t = 1 }",
            "the model is not one point mass");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moving_plane_is_one_in_any_form),
        cmocka_unit_test(curved_surfaces_have_the_same_motion),
        cmocka_unit_test(the_middle_and_the_top_of_a_ball),
        cmocka_unit_test(every_scheme_takes_a_moving_plane),
        cmocka_unit_test(penetrations_are_lengths),
        cmocka_unit_test(a_point_may_be_an_expression),
        cmocka_unit_test(other_coordinates_may_carry_the_obstacle),
        cmocka_unit_test(bodies_have_points_too),
        cmocka_unit_test(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
