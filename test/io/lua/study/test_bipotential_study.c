/* Functions of friction by bipotentials and of limit analysis in model files: what they refuse, what they
 * return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

#define UNIT "W = { 1, 0, 0, 0, 1, 0, 0, 0, 1 }"
#define FULL "W = { 1, .2, .1, .2, 1.5, .3, .1, .3, 2 }"
#define ROW "matrix = { { 1, 1 } }, load = { 1 }, capacity = { 1, 1 }"
#define LEG "{ 0, 0, support = 'clamped' }"

static void bad_input_is_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"cone_project { tau = { 1, 1, 1 }, mu = -0.1 }", "mu_x = -0.1"},
        {"cone_project { tau = { 1, 1, 1 }, mu = 0 / 0 }", "mu is not a number (NaN)"},
        {"cone_project { tau = { 1, 1, 1 }, mu_x = 0.1 }", "both mu_x and mu_y"},
        {"cone_project { tau = { 1, 1 / 0, 1 }, mu = 0.1 }", "tau has the entry"},
        {"slip_reaction { angle = 1, mu = 0.1, p_x = 1 }", "both p_x and p_y"},
        {"slip_reaction { angle = 1, mu = 0.1, p_x = 0, p_y = 1 }", "p_x = 0 of the slip potential"},
        {"slip_reaction { angle = 1, mu = 0.1, p_x = -1, p_y = 1 }", "must be positive"},
        {"slip_reaction { angle = 1, mu_x = 0, mu_y = 1, p_x = 1, p_y = 1 }", "associated rule only"},
        {"slip_reaction { angle = 1 / 0, mu = 1 }", "angle has the entry"},
        {"slip_reaction { angle = 1, mu = 1, normal = -2 }", "normal = -2 is a pressure"},
        {"contact_solve { W = { 1, .5, 0, 0, 1, 0, 0, 0, 1 }, q = { 1, 1, 1 }, mu = 1 }",
         "W is not symmetric"},
        {"contact_solve { W = { 1, 2, 0, 2, 1, 0, 0, 0, 1 }, q = { 1, 1, 1 }, mu = 1 }",
         "smallest eigenvalue is -1"},
        {"contact_solve { " UNIT ", q = { 1, 1, 1 }, mu = 1, rho = 0 }", "rho = 0 must be positive"},
        {"contact_solve { " UNIT ", q = { 1, 1, 1 }, mu = 1, rho = -2 }", "rho = -2 must be positive"},
        {"contact_solve { " UNIT ", q = { 1, 1, 1 }, mu = 1, gap = -1e-3 }",
         "initial penetration, gap = -0.001; move the bodies apart"},
        {"contact_solve { " UNIT ", q = { 1, 1, 1 }, mu = 1, gap = 1 / 0 }", "must be a finite number"},
        {"contact_solve { " UNIT ", q = { 1, 1, 1 }, mu = 1, axes = 1 / 0 }", "angle of the axes"},
        {"contact_solve { " UNIT ", q = { 1, 1, 1 }, mu = 1, start = { 1, 1 / 0, 0 } }",
         "start has the entry"},
        {"contact_history { " UNIT ", path = {}, mu = 1 }", "path = { { n, x, y }, ... }"},
        {"contact_history { " UNIT ", path = { { -1, 0 } }, mu = 1 }", "path[1] must be three numbers"},
        {"contact_history { " UNIT ", path = { { -1, 0, 1 / 0 } }, mu = 1 }", "number 3 of path[1]"},
        {"contact_history { W = { 1, 0, 0, 1 }, path = { { -1, 0, 0 } }, mu = 1 }", "3 rows and 3 columns"},
        {"contact_history { " FULL ", path = { { -1, .5, .4 } }, mu = .2, iterations = 3 }",
         "step 1: no convergence after 3 iterations: last change"},
        {"contact_history { " FULL ", path = { { -1, .5, .4 } }, mu = .2, iterations = 3 }", "lower rho"},
        {"limit_load { matrix = { { 1 } }, load = { 1, 2 }, capacity = { 1 } }",
         "load has 2 numbers; matrix has 1 rows"},
        {"limit_load { matrix = { { 1 } }, load = { 0 }, capacity = { 1 } }", "zero"},
        {"limit_load { matrix = { { 1 } }, load = { 1 }, capacity = { 0 } }", "positive"},
        {"limit_load { matrix = { { 1 } }, load = { 1 }, capacity = { math.huge } }",
         "unbounded: the load does no work on any mechanism"},
        {"limit_load { matrix = { { 1 } }, load = { 1 }, capacity = { 1 }, tolerance = -1 }",
         "tolerance = -1"},
        {"limit_load { " ROW ", supports = { { tangent = 1, normal = 2 } } }", "support 1 needs mu"},
        {"limit_load { " ROW ", supports = { { tangent = 1, normal = 2, mu = -1 } } }", "mu = -1"},
        {"limit_load { " ROW ", supports = { { tangent = 1.5, normal = 2, mu = 1 } } }", "whole number"},
        {"limit_load { " ROW ", supports = { { tangent = 1, normal = 2, mi = 1 } } }", "did you mean 'mu'"},
        {"frame_limit { nodes = { " LEG ", { 1, 0, laod = { 0, 1 } } }, bars = { { 1, 2 } } }",
         "did you mean 'load'"},
        {"frame_limit { nodes = { " LEG ", { 1, 0, support = 'friction' } }, bars = { { 1, 2 } } }",
         "node 2 needs mu"},
        {"frame_limit { nodes = { " LEG ", { 1, 0, load = { 0, 1 } } }, bars = { { 1, 2.5 } } }",
         "whole number"},
        {"frame_limit { nodes = { " LEG ", { 1, 0, load = { 0, 1 } } }, bars = { { 1, 2, moment = 0 } } }",
         "plastic moment 0 must be positive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_study_refused(cases[i][0], 1, cases[i][1], NULL);
}

static void check_assertions(const char *text)
{
    check_computes("local function near(a, b, eps, what) if not (math.abs(a - b) <= eps) then\n"
                   "  error(what .. ': ' .. a .. ' is not ' .. b) end end\n",
                   text);
}

static void more_iterations_are_not_an_error_of_one_contact(void **state)
{
    (void)state;
    check_assertions(
        "local found = contact_solve { " FULL ", q = { -1, .5, .4 }, mu = .2, iterations = 3 }\n"
        "if found.converged or found.iterations ~= 3 or found.change <= 0 then error('told wrongly') "
        "end");
}

/* Turning tangents by an angle and the axes back by it is the same contact. */
static void axes_turn_with_the_tangents(void **state)
{
    (void)state;
    check_assertions(
        "local a, c, s = 0.7, math.cos(0.7), math.sin(0.7)\n"
        "local W = { { 1, .2, .1 }, { .2, 1.5, .3 }, { .1, .3, 2 } }\n"
        "local R = { { 1, 0, 0 }, { 0, c, s }, { 0, -s, c } }\n" /* new components from old ones */
        "local turned, q, old = {}, {}, { -1, .5, .4 }\n"
        "for i = 1, 3 do q[i] = 0 for k = 1, 3 do q[i] = q[i] + R[i][k] * old[k] end\n"
        "  for j = 1, 3 do local sum = 0 for k = 1, 3 do for l = 1, 3 do sum = sum + R[i][k] * W[k][l] * "
        "R[j][l] "
        "end end\n"
        "    turned[3 * i - 3 + j] = sum end end\n"
        "for i = 1, 3 do for j = 1, i do turned[3 * i - 3 + j] = turned[3 * j - 3 + i] end end\n"
        "local found = contact_solve { W = turned, q = q, axes = -a, mu_x = .3, mu_y = .15, p_x = .05, p_y = "
        ".2, "
        "tolerance = 1e-14 }\n"
        "local r = { 1.02144663254, -0.0310181441774, -0.152430037077 }\n"
        "for i = 1, 3 do local sum = 0 for k = 1, 3 do sum = sum + R[k][i] * found.r[k] end\n"
        "  near(sum, r[i], 1e-10, 'r ' .. i) end near(found.power, 0, 1e-12, 'power')");
}

/* The dragged point: the loop of contact_solve over steps of a path, with its table of final values. */
static void history_drags_a_point(void **state)
{
    (void)state;
    check_assertions(
        "local path, d = {}, 5e-5 / math.sqrt(2)\n"
        "for k = 1, 40 do path[k] = { -1e-3, k * d, k * d } end\n"
        "local k = contact_history { W = { 1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3 }, path = path, mu_x = .3, "
        "mu_y = .15,\n"
        "  p_x = .05, p_y = .2, tolerance = 1e-14 }\n"
        "near(#k.force, 40, 0, 'steps') local last = { r = k.r[40], force = k.force[40], slip = k.slip[40], "
        "dissipation = "
        "k.dissipation[40] }\n"
        "near(last.r[2], -0.0093704257134, 1e-11, 'r_x') near(last.r[3], -0.149926811413, 1e-11, 'r_y')\n"
        "near(last.force[1], 1, 1e-10, 'force')\n"
        "near(last.slip[1], 0.0014048431367, 1e-12, 'u_x') near(last.slip[2], 0.0012642867510, 1e-12, "
        "'u_y')\n"
        "near(last.dissipation, 2.09342192e-4, 1e-12, 'dissipation')");
}

/* A frame of a user's own: both feet of a portal stand on the ground, a weight alpha hangs at mid-span. The
 * beam yields there when alpha/2 = 1 + T; the feet hold T = mu alpha/2 until the corners yield too, T = 1. */
static void two_frictional_supports(void **state)
{
    (void)state;
    check_assertions("local function portal(mu)\n"
                     "  return frame_limit {\n"
                     "    nodes = { { 0, 0, support = 'friction', mu = mu }, { 0, 1 }, { 1, 1, load = { 0, "
                     "-1 } }, { 2, 1 },\n"
                     "              { 2, 0, support = 'friction', mu = mu } },\n"
                     "    bars = { { 1, 2 }, { 2, 3 }, { 3, 4 }, { 4, 5 } } }\n"
                     "end\n"
                     "for _, mu in ipairs { 0, .1, .2, .3, .49, .51, .8 } do\n"
                     "  local found = portal(mu)\n"
                     "  if not found.converged then error('not settled at ' .. mu) end\n"
                     "  near(found.alpha, mu < .5 and 2 / (1 - mu) or 4, 1e-8, 'alpha at ' .. mu)\n"
                     "  near(found.slides and 1 or 0, mu < .5 and 1 or 0, 0, 'slides at ' .. mu)\n"
                     "  near(found.defect, 0, 1e-8, 'defect at ' .. mu)\n"
                     "  if found.associated < found.alpha - 1e-8 then error('associated below') end\n"
                     "  local last = #found.alphas\n"
                     "  near(found.normals[2 * last - 1], found.alpha / 2, 1e-8, 'left foot')\n"
                     "  near(found.normals[2 * last], found.alpha / 2, 1e-8, 'right foot')\n"
                     "end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(more_iterations_are_not_an_error_of_one_contact),
        cmocka_unit_test(axes_turn_with_the_tangents),
        cmocka_unit_test(history_drags_a_point),
        cmocka_unit_test(two_frictional_supports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
