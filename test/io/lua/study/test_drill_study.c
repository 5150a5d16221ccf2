/* Drill strings and controllers of a script's own. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

/* The published setup, written out. */
#define SETUP                                                                                                \
    "local own = { J = { 0.064, 0.708, 0.708, 2.845 }, k = { 0.630, 1.799, 1.097 }, d = { 0, 0.0018, "       \
    "0.0024 }, joins = { { 1, 4, 0, 0.0005 } }, Tw = { 2.297, 3.038, 0.662 }, Ts = 1.232, Td = 0.272, Nd = " \
    "0.5 }\n"
/* The demonstration set, written out. */
#define ELEMENTS                                                                                             \
    "local Tw = {} for i = 1, 16 do Tw[i] = 2083.984375 end Tw[17] = 4137.5\n"                               \
    "local own = { sections = { { 1, 120, 4.2e-5 }, { 8, 389, 2.15e-6 }, { 8, 5740, 1.95e-5 } }, G = "       \
    "79.3e9, rho = 7850, top = 1778.125, ck = 1e-3, Tw = Tw, Ts = 7700, Td = 1700, Nd = 5 }\n"
/* same(a, b): equal numbers, in tables too, to the bit. */
#define SAME                                                                                                 \
    "local function same(a, b, where)\n"                                                                     \
    "  if type(a) ~= 'table' then if a ~= b then error(where .. ': ' .. tostring(a) .. ' and ' .. "          \
    "tostring(b)) end return end\n"                                                                          \
    "  for k, v in pairs(a) do same(v, b[k], where .. '.' .. k) end\n"                                       \
    "end\n"

static void runs_well(const char *text)
{
    check_computes("", text);
}

static void own_strings_are_the_named_ones(void **state)
{
    (void)state;
    runs_well(
        SAME SETUP
        "same(drill_run { string = own, ct = 2.93, kt = 1.87, rpm = 5.5, first_rpm = 3.5, Tini = 0.136, "
        "t_end = 60 }, "
        "drill_run { t_end = 60 }, 'run')\n"
        "same(drill_analysis { string = own, controller = 'lqg', rq = 10, rpm = 5.5 }, drill_analysis { "
        "controller = "
        "'lqg' }, 'analysis')\n"
        "same(drill_response { string = own, controller = 'none', f = { 0.1, 0.5 } }, drill_response { "
        "controller = "
        "'none', f = { 0.1, 0.5 } }, 'response')\n"
        "same(drill_modes { string = own }, drill_modes { }, 'modes')\n"
        "same(drill_hinf { string = own, design_rpm = 5.5, k = 0.13, d = 0.158 }, drill_hinf { }, 'hinf')\n");
    runs_well(SAME ELEMENTS
              "same(drill_run { string = own, ct = 1829, kt = 1177, rpm = 50, constant = true, t_end = 5 }, "
              "drill_run { "
              "string = 'elements', rpm = 50, constant = true, t_end = 5 }, 'run')\n"
              "same(drill_modes { string = own }, drill_modes { string = 'elements' }, 'modes')\n"
              "same(drill_modes { string = own, consistent = true }, drill_modes { string = 'elements', "
              "consistent = true }, "
              "'consistent')\n");
}

/* A ring of springs below the top drive: modes by hand. Two discs on one: K = 3 k, k on the difference. */
static void strings_that_are_no_chain(void **state)
{
    (void)state;
    runs_well(""
              "local ring = { J = { 1, 1, 1 }, k = { 2, 2 } }\n"
              "local m = drill_modes { string = ring }\n"
              "assert(abs(m.hertz[2] - math.sqrt(2) / (2 * pi)) < 1e-12 and abs(m.hertz[3] - math.sqrt(6) / "
              "(2 * pi)) < 1e-12)\n"
              "local s = { J = { 0.1, 0.5, 0.4, 2 }, k = { 0.6, 1.5, 1 }, joins = { { 1, 3, 0.3, 0.01 } }, d "
              "= 1e-3, Tw = 0.5, Ts "
              "= 1, Td = 0.3, Nd = 1 }\n"
              "local a = drill_analysis { string = s, controller = 'lqg', rq = 10, rpm = 8 }\n"
              "assert(a.max_real < 0 and a.controller.states == 8)\n"
              "local out = drill_run { string = s, controller = 'lqg', rq = 10, rpm = 8, first_rpm = 4, Tini "
              "= 0.1, t_end = 300, "
              "from = 270 }\n"
              "assert(out.stick_fraction == 0 and abs(out.bit_min_rpm - 8) < 1e-2 and not out.unstable)\n");
}

/* What drill_analysis returns as controller can be given back. */
static void controllers_go_round(void **state)
{
    (void)state;
    runs_well(
        SAME
        "local a = drill_analysis { controller = 'lqg', rq = 10 }\n"
        "same(drill_run { controller = a.controller, t_end = 60 }, drill_run { controller = 'lqg', t_end = "
        "60 }, 'run')\n"
        "local flat = { A = {}, B = {}, C = a.controller.C, D = { 0, 0 } }\n"
        "for _, row in ipairs(a.controller.A) do for _, v in ipairs(row) do flat.A[#flat.A + 1] = v end end\n"
        "for _, row in ipairs(a.controller.B) do for _, v in ipairs(row) do flat.B[#flat.B + 1] = v end end\n"
        "local b = drill_analysis { controller = flat }\n"
        "assert(a.norm == b.norm and b.gain == nil)\n"
        /* SoftTorque, and gains without state */
        "same(drill_run { controller = { A = { 0 }, B = { 1, 0 }, C = { 1.87 }, D = { 2.93, 0 } }, t_end = "
        "40 }, drill_run { "
        "t_end = 40 }, 'softtorque')\n"
        "local p = drill_run { controller = { D = { 2.93, 0 } }, t_end = 60 }\n"
        "assert(p.first_move > 30 and abs(drill_analysis { controller = { D = { 2.93, 0 } } }.max_real) < "
        "0.1)\n");
}

static void unstable_set_points_are_told(void **state)
{
    (void)state;
    runs_well("local out = drill_run { rpm = 5, t_end = 1 }\n"
              "assert(out.unstable and abs(out.critical_rpm - 5.18603) < 1e-5 and "
              "abs(out.critical_slope - 5.737728e-4) < 1e-10)\n"
              "assert(abs(out.slope - 8.323918e-4) < 1e-10)\n"
              "out = drill_run { t_end = 1 } assert(not out.unstable and out.critical_rpm == nil)\n"
              "out = drill_run { controller = 'none', t_end = 1 } assert(out.unstable and "
              "out.critical_rpm == nil)\n");
}

static void expect(const char *call, const char *word, const char *cure)
{
    char text[1024];
    snprintf(text, sizeof text, SETUP "%s", call);
    check_study_refused(text, 2, word, cure);
}

static void strings_that_are_refused(void **state)
{
    (void)state;
    expect("drill_run { string = own }", "a string of your own needs ct", NULL);
    expect("drill_run { rpm = 0 / 0 }", "rpm is not a number (NaN)", NULL);
    expect("drill_run { string = own, ct = 1, kt = 1 }", "a string of your own needs rpm", NULL);
    expect("drill_run { string = own, ct = 1, kt = 1, rpm = 5 }", "needs first_rpm", NULL);
    expect("drill_analysis { string = own, controller = 'lqg', rpm = 5 }", "needs rq", NULL);
    expect("drill_response { string = own, controller = 'lqg', rq = 1, f = { 1 } }", "design_rpm",
           "design_slope");
    expect("drill_hinf { string = own, design_rpm = 5 }", "needs k", NULL);
    expect("own.Ts = nil drill_run { string = own }", "string needs Ts", "start of motion");
    expect("own.Tw = nil drill_run { string = own }", "string needs Tw", "0: none");
    expect("own.Tw = { 1, 2 } drill_run { string = own }", "Tw has 2 values", "3");
    expect("own.k = nil own.joins = nil drill_modes { string = own }", "string needs k",
           "between neighbours");
    expect("own.k = { 1, 2 } drill_modes { string = own }", "k has 2 values", "it takes one, or 3");
    expect("own.k = { 1, 0, 1 } drill_modes { string = own }", "disc 3 is not connected", NULL);
    expect("own.k = { 1, -2, 1 } drill_modes { string = own }", "stiffness -2", "must not be negative");
    expect("own.J[2] = 0 drill_modes { string = own }", "disc 2: inertia 0 must be positive", NULL);
    expect("own.J = {} drill_modes { string = own }", "J = { inertias", "1 to 200");
    expect("own.J = 3 drill_modes { string = own }", "J must be a list", NULL);
    expect("own.Nd = 0 drill_run { string = own }", "Nd = 0", "rpm");
    expect("own.Ts = 0.1 drill_run { string = own, ct = 1, kt = 1, rpm = 5, constant = true }",
           "weakening law needs Ts >= Td", NULL);
    expect("own.j = 3 drill_modes { string = own }", "unknown key 'j'", "J");
    expect("own.joins = { { 1, 5, 1 } } drill_modes { string = own }", "joins[1] names disc 5", "1 to 4");
    expect("own.joins = { { 2, 2, 1 } } drill_modes { string = own }", "joins disc 2 to itself", NULL);
    expect("own.joins = { { 1, 2 } } drill_modes { string = own }", "joins[1] must be", "stiffness");
    expect("own.joins = { { 1, 4, 1 } } drill_run { string = own, ct = 1, kt = 1, rpm = 5, constant = true }",
           "the top drive, has a spring to disc 1", "disc 3 only");
    expect("drill_modes { string = { sections = {} } }", "sections is empty", "Ip");
    expect("drill_modes { string = { sections = { { 1, 2 } } } }", "sections[1] must be", "length");
    expect("drill_modes { string = { sections = { { 1.5, 2, 3 } } } }", "has 1.5 elements", NULL);
    expect("drill_modes { string = { sections = { { 150, 2, 3 }, { 150, 2, 3 } } } }", "more than 199", NULL);
    expect("drill_modes { string = { sections = { { 1, 2, 3 } } } }", "needs G", "shear modulus");
    expect("drill_modes { string = { sections = { { 1, -2, 3 } }, G = 1, rho = 1, top = 1 } }", "section 1",
           "length -2");
    expect("drill_run { string = 'pipe' }", "pipe", "elements");
    expect("local J = {} for i = 1, 70 do J[i] = 1 end drill_analysis { string = { J = J, k = 1, Tw = 0, Ts "
           "= 1, Td = 1, "
           "Nd = 1 }, ct = 1, kt = 1, rpm = 5 }",
           "140 states", "120");
}

static void controllers_that_are_refused(void **state)
{
    (void)state;
    expect("drill_run { controller = { A = { 1, 2, 3 }, B = { 1, 2, 3, 4 }, C = { 1, 2 } } }",
           "A has 3 numbers", "2 x 2");
    expect("drill_run { controller = { A = { { 1, 2 }, { 3 } }, B = { 1, 2, 3, 4 }, C = { 1, 2 } } }",
           "row 2 of A", "2 numbers");
    expect("drill_run { controller = { A = { 1 }, B = { 1 }, C = { 1 } } }", "B has 1 numbers", "1 x 2");
    expect("drill_run { controller = { A = { 0/0 }, B = { 1, 0 }, C = { 1 } } }", "A[1][1] is not finite",
           NULL);
    expect("drill_run { controller = { A = { 'a' }, B = { 1, 0 }, C = { 1 } } }", "A[1][1] is string", NULL);
    expect("drill_run { controller = { B = { 1, 0 }, C = { 1 } } }", "controller needs A", NULL);
    expect("drill_run { controller = { } }", "controller needs D", NULL);
    expect("drill_run { controller = 'file' }", "needs controller_file", NULL);
    expect("drill_run { controller = 'lqg', controller_file = 'c.txt' }",
           "is read with controller = \"file\" only", NULL);
    expect("drill_run { controller_file = 'no-such.txt' }", "there is no controller file 'no-such.txt'",
           "beside model.lua");
    expect("drill_run { controller_file = '/tmp' }", "not a plain file", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_strings_are_the_named_ones), cmocka_unit_test(strings_that_are_no_chain),
        cmocka_unit_test(controllers_go_round),           cmocka_unit_test(unstable_set_points_are_told),
        cmocka_unit_test(strings_that_are_refused),       cmocka_unit_test(controllers_that_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
