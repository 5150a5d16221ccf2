#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripts.h"

typedef struct wrong_line {
    const char *line, *word, *cure;
} wrong_line;

/* Each wrong line is the third of a file that is good without it. */
static void check_lines(size_t count, const wrong_line *wrong)
{
    for (size_t i = 0; i < count; i++) {
        char text[1000];
        snprintf(
            text, sizeof text,
            "local x, y = coordinates('x', 'y')\nlocal p = param('p', 1)\n%s\nkinetic(dot(x)^2 + dot(y)^2)\n"
            "integrate { h = 1, until_t = 1 }\n",
            wrong[i].line);
        check_refused(text, 3, wrong[i].word, wrong[i].cure);
    }
}

static void test_parameters_settings_families_variants(void **state)
{
    (void)state;
    static const wrong_line wrong[] = {
        {"param()", "param takes a name and a value", "param {"},
        {"param(1, 2)", "param takes a name and a value", "param {"},
        {"param {}", "first entry must be its name", "nil"},
        {"param { 'a' }", "second entry must be its default", "setting"},
        {"param { 'a', 'b' }", "second entry must be its default", "string"},
        {"param { 'a', x }", "second entry must be its default", "userdata"},
        {"param { 'a b', 1 }", "'a b' is not a name", "letters"},
        {"param { '', 1 }", "is not a name", "letters"},
        {"param { '1a', 1 }", "is not a name", "a letter first"},
        {"param { string.rep('a', 64), 1 }", "is not a name", "63"},
        {"param { 'a', 1, dok = 'x' }", "unknown key 'dok'", "did you mean 'doc'"},
        {"param { 'a', 1, blue = 'x' }", "unknown key 'blue'", "doc, unit, min, max, integer"},
        {"param { 'a', 1, doc = 5 }", "'doc' must be a text", "number"},
        {"param { 'a', 1, min = '0' }", "'min' must be a number", NULL},
        {"param { 'a', 1, min = 2 }", "default 1 is outside", "[2, inf]"},
        {"param { 'a', 1, integer = 1 }", "'integer' must be true or false", NULL},
        {"param { 'a', 1.5, integer = true }", "whole number", "1.5"},
        {"param { 'a', math.huge }", "finite", "'a'"},
        {"setting { 'a' }", "second entry must be its default", "a number or a text"},
        {"setting { 'a', true }", "second entry must be its default", "a number or a text"},
        {"setting { 'a', 'b', choices = { 'c', 'd' } }", "'a' = b is not a choice", "c, d"},
        {"setting { 'a', 'b', choices = 'b' }", "choices", "list of texts"},
        {"setting { 'a', 'b', choices = { {} } }", "choices", "list of texts"},
        {"setting { 'a', 1, choices = { 1, 2 } }", "choices", "min, max"},
        {"setting { 'a', 1, min = 2 }", "'a' = 1 is outside", "[2, inf]"},
        {"setting { 'a', 1.5, integer = true }", "whole number", "1.5"},
        {"setting { 'a', 1, optoins = {} }", "unknown key 'optoins'", NULL},
        {"setting(x, 1)", "setting takes a name and a value", "setting {"},
        {"family(1)", "family takes lists", "family {"},
        {"family { p = 1 }", "'p' must be a list", NULL},
        {"family { p = {} }", "'p' has 0 values", "at least one"},
        {"family { p = { 1, 2 }, q = { 1 } }", "'q' has 1 values", "same number"},
        {"family { { 1, 2 } }", "name of its parameter", "family {"},
        {"family { p = { x } }", "p must be a plain number or text", "userdata"},
        {"family { z = { 1, 2 } }", "'z' is not a parameter", "param"},
        {"setting('n', 3) family { n = { 1, 2 } }", "'n' is not a parameter", "setting"},
        {"family { scheme = { 'elast', 'elastik' } }", "elastik", "elast"},
        {"variant('a')", "variant takes a name and values", "variant {"},
        {"variant { p = 2 }", "first entry must be its name", NULL},
        {"variant { 'a', p = x }", "p must be a plain number or text", "userdata"},
        {"variant { 'a', p = true }", "p must be a plain number or text", "boolean"},
        {"experiment('title')", "experiment takes a table", "experiment {"},
        {"experiment { titel = 'a' }", "unknown key 'titel'", "did you mean 'title'"},
        {"experiment { title = 5 }", "'title' must be a text", "number"},
    };
    check_lines(sizeof wrong / sizeof *wrong, wrong);
}

static void test_mechanics(void **state)
{
    (void)state;
    static const wrong_line wrong[] = {
        {"coordinates()", "coordinates takes names", "local x, y"},
        {"coordinates {}", "coordinates takes names", "coordinates {"},
        {"coordinates({ 'z' }, 'w')", "coordinates takes names", "one list"},
        {"coordinates({ 'z' }, 5)", "coordinates takes names", "one list"},
        {"coordinates(5)", "first entry must be its name", "number"},
        {"coordinates('a b')", "is not a name", NULL},
        {"force { x = 1 } coordinates('z')", "'z' comes after", "first"},
        {"kinetic()", "kinetic takes one expression", "got 0"},
        {"kinetic(1, 2)", "kinetic takes one expression", "got 2"},
        {"kinetic('a')", "kinetic must be a number or an expression", "string"},
        {"potential {}", "potential must be a number or an expression", "table"},
        {"potential(nil)", "potential must be a number or an expression", "nothing"},
        {"mass()", "mass takes a number", "{ x = m, ... }"},
        {"mass('heavy')", "mass takes a number", "string"},
        {"mass { { 1, 2 } }", "1 rows", "needs 2"},
        {"mass { { 1 }, { 1 } }", "row 1", "2 entries"},
        {"mass { 1, 2 }", "row 1", "2 entries"},
        {"mass { { 1, {} }, { 1, 1 } }", "an entry of mass must be", "table"},
        {"mass { z = 1 }", "no coordinate 'z'", NULL},
        {"mass { x = 1, [x] = 2 }", "'x' is given twice", NULL},
        {"mass { [dot(x)] = 1 }", "must be a coordinate", NULL},
        {"mass(1) mass(2)", "mass is given twice", NULL},
        {"force(1)", "force takes a table", "force {"},
        {"force { z = 1 }", "no coordinate 'z'", NULL},
        {"force { 1 }", "keys are coordinates", "x = 0"},
        {"force { x = 'a' }", "force must be a number or an expression", "string"},
        {"force { x = 1, [x] = 2 }", "'x' is given twice", NULL},
        {"force { [x + y] = 2 }", "must be a coordinate", NULL},
        {"initial(0)", "initial takes a table", "initial {"},
        {"initial { z = 1 }", "no coordinate 'z'", NULL},
        {"initial { [x * 2] = 1 }", "must be a coordinate or its velocity", "dot(x)"},
        {"initial { 5 }", "keys are coordinates", "[dot(x)] = 1"},
        {"initial { x = y }", "'x' must be a number or an expression of parameters", NULL},
        {"initial { x = 'a' }", "an initial value must be", "string"},
        {"initial { x = 1, [x] = 1 }", "'x' is given twice", NULL},
        {"initial { [dot(x)] = 1, [dot(x)] = 1 }", "'x' is given twice", NULL},
        {"initial { x = 1 } initial { y = 1 }", "initial is given twice", "one table"},
        {"initial { gap_tolerance = x }", "gap_tolerance must be a number", "motion"},
        {"energy(5) print(energy())", "energy() needs kinetic", "above"},
    };
    check_lines(sizeof wrong / sizeof *wrong, wrong);
    check_refused("kinetic(1)", 1, "coordinates first", "coordinates(");
    check_refused("\ncontact { 'a', gap = 1 }", 2, "coordinates first", "coordinates(");
    check_refused("initial {}", 1, "coordinates first", "coordinates(");
    check_refused("local xx, yy = coordinates('alpha', 'beta') mass(1)\ninitial { alpah = 1 }", 2,
                  "no coordinate 'alpah'", "did you mean 'alpha'");
}

static void test_contacts_and_friction(void **state)
{
    (void)state;
    static const wrong_line wrong[] = {
        {"contact(1)", "contact takes a table", "contact {"},
        {"contact { gap = y }", "first entry must be its name", NULL},
        {"contact { 'c' }", "'c' has no gap", "gap = y"},
        {"contact { 'c', gap = 'y' }", "gap must be a number or an expression", "string"},
        {"contact { 'c', gpa = y }", "unknown key 'gpa'", "did you mean 'gap'"},
        {"contact { 'c', gap = y, restitution = 1.5 }", "restitution 1.5", "[0, 1]"},
        {"contact { 'c', gap = y, restitution = -1 }", "restitution -1", "[0, 1]"},
        {"contact { 'c', gap = y, restitution = dot(x) }", "'c'", "restitution"},
        {"contact { 'c', gap = y, slip = {} }", "slip is one velocity, or two", "{ dot(x), dot(y) }"},
        {"contact { 'c', gap = y, slip = { dot(x), dot(x), dot(x) } }", "slip is one velocity, or two", NULL},
        {"contact { 'c', gap = y, slip = 'dot(x)' }", "slip is one velocity, or two", NULL},
        {"contact { 'c', gap = y, slip = { 'a' } }", "slip must be a number or an expression", NULL},
        {"contact { 'c', gap = y, friction = 0.3 }", "friction but no slip", "slip = dot(x)"},
        {"contact { 'c', gap = y, slip = dot(x), friction = '0.3' }", "friction must be a coefficient",
         "string"},
        {"contact { 'c', gap = y, slip = dot(x), friction = {} }", "both backward and forward", NULL},
        {"contact { 'c', gap = y, slip = dot(x), friction = { static = 1 } }", "both static and dynamic",
         NULL},
        {"contact { 'c', gap = y, slip = dot(x), friction = { static = 1, dynamic = 1, extra = 1 } }",
         "unknown key 'extra'", "static, dynamic"},
        {"contact { 'c', gap = y, slip = dot(x), friction = { static = { static = 1 }, dynamic = 1 } }",
         "unknown key 'static'", NULL},
        {"contact { 'c', gap = y, slip = dot(x), friction = { forward = 1 } }", "both backward and forward",
         NULL},
        {"contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { forward = 1, backward = 1 } }",
         "one slip component", NULL},
        {"contact { 'c', gap = y, slip = dot(x), friction = { ellipse = { 1, 2 } } }",
         "ellipse needs two slip", "{ dot(x), dot(y) }"},
        {"contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { ellipse = { 1 } } }",
         "ellipse takes two coefficients", NULL},
        {"contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { ellipse = 1 } }",
         "ellipse takes two coefficients", NULL},
        {"contact { 'c', gap = y, slip = dot(x), friction = { polygon = { {1, 0}, {0, 1}, {-1, 0} } } }",
         "polygon needs two slip", "{ dot(x), dot(y) }"},
        {"contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { polygon = { {1, 0}, {0, 1} } } }",
         "3 to", "got 2"},
        {"contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { polygon = { {1, 0}, {0, 1}, 5 } } "
         "}",
         "vertex 3", "pair"},
        {"contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { polygon = { {1, 0}, {0, 1}, {1, "
         "'a'} } } }",
         "a vertex of the friction polygon", "string"},
        {"local v = {} for i = 1, 1000 do v[i] = { 1, i } end "
         "contact { 'c', gap = y, slip = { dot(x), dot(y) }, friction = { polygon = v } }",
         "3 to", "got 1000"},
        {"contact { 'c', gap = y, slip = dot(x), friction = dot(x) }", "'c'", "friction"},
        {"contact { 'c', gap = dot(y) }", "'c'", "not of velocity"},
        {"contact { 'c', gap = 5 }", "'c'", "any coordinate"},
        {"contact { 'c', gap = y, slip = dot(x)^2 }", "'c'", "linear"},
        {"contact { 'c', gap = y, slip = x }", "'c'", "slip = dot("},
    };
    check_lines(sizeof wrong / sizeof *wrong, wrong);
}

static void test_integration(void **state)
{
    (void)state;
    static const wrong_line wrong[] = {
        {"integrate()", "integrate takes a table", "integrate {"},
        {"integrate {}", "needs a step and an end", "h = 1e-3, until_t = 1"},
        {"integrate { h = 0.1 }", "needs a step and an end", "until_t"},
        {"integrate { until_t = 1 }", "needs a step and an end", "h = 1e-3"},
        {"integrate { h = x, until_t = 1 }", "h must be a number", "motion"},
        {"integrate { h = time(), until_t = 1 }", "h must be a number", "motion"},
        {"integrate { h = 'a', until_t = 1 }", "h must be a number", "string"},
        {"integrate { h = 1, until_t = dot(x) }", "until_t must be a number", "motion"},
        {"integrate { h = 1, untilt = 1 }", "unknown key 'untilt'", "did you mean 'until_t'"},
        {"integrate { h = 1, until_t = 1, quickness = 1 }", "unknown key 'quickness'", "carom list schemes"},
        {"integrate { h = 1, until_t = 1, scheme = 5 }", "'scheme' must be a text", NULL},
        {"integrate { h = 1, until_t = 1, scheme = 'moreau-jane' }", "moreau-jane", "moreau-jean"},
        {"integrate { h = 1, until_t = 1, theta = {} }", "theta must be a number", "table"},
        {"integrate { h = 1, until_t = 1 } integrate { h = 1, until_t = 1 }", "integrate is given twice",
         NULL},
    };
    check_lines(sizeof wrong / sizeof *wrong, wrong);
}

static void test_records_measures_plots(void **state)
{
    (void)state;
    static const wrong_line wrong[] = {
        {"record(x)", "record takes a table", "record {"},
        {"record {}", "a name", "record {"},
        {"record { x }", "a name", "record { height = y }"},
        {"record { a = 'x' }", "a must be a number or an expression", "string"},
        {"record { a = maximum(x) }", "a must be a number or an expression", "userdata"},
        {"measure(x)", "measure takes a table", "measure {"},
        {"measure { final(x) }", "a name", "measure {"},
        {"measure {}", "a name", "measure {"},
        {"measure { a = 'x' }", "a must be a number or an expression", "string"},
        {"measure { a = maximum() }", "maximum takes one argument", "got 0"},
        {"measure { a = maximum(x, {}, 1) }", "maximum takes one argument", "got 3"},
        {"measure { a = maximum(x, 5) }", "the window takes a table", NULL},
        {"measure { a = maximum(x, { form = 1 }) }", "unknown key 'form'", "did you mean 'from'"},
        {"measure { a = maximum(x, { from = x }) }", "from must be a number", "motion"},
        {"measure { a = maximum(impact()) }", "takes an expression", "count"},
        {"measure { a = impact() }", "takes an expression", "times"},
        {"measure { a = count(x) }", "count(...) takes an event", "impact"},
        {"measure { a = times(impact 'floor') }", "no contact 'floor'", NULL},
        {"measure { a = at(x) }", "at takes an expression, times", "got 1"},
        {"measure { a = at(x, 'now') }", "times are", "every(0.1)"},
        {"measure { a = at(x, { y }) }", "a time in at(...) must be a number", "motion"},
        {"measure { a = at(x, every(y)) }", "the argument of every must be", "motion"},
        {"measure { a = final(unwrap('a')) }", "the argument of unwrap must be", "string"},
        {"plot(x)", "plot takes a table", "plot {"},
        {"plot { x = x, y = y }", "first entry must be its name", NULL},
        {"plot { 'a' }", "x of plot must be", "nothing"},
        {"plot { 'a', x = x }", "y is missing", "x = time()"},
        {"plot { 'a', x = x, y = {} }", "y is missing", "x = time()"},
        {"plot { 'a', x = x, y = { 'b' } }", "y of plot must be", "string"},
        {"plot { 'a', x = x, y = y, columns = 1.5 }", "columns must be a whole number", "1 to 6"},
        {"plot { 'a', x = x, y = y, columns = 7 }", "columns must be a whole number", "1 to 6"},
        {"plot { 'a', x = x, y = y, columns = '2' }", "columns must be a whole number", "1 to 6"},
        {"plot { 'a', x = x, y = y, columns = 2^32 + 1 }", "columns must be a whole number", "1 to 6"},
        {"plot { 'a', x = x, y = y, only = 'a' }", "list of variants", "only = {"},
        {"plot { 'a', x = x, y = y, stylee = 'dotted' }", "unknown key 'stylee'", "did you mean 'style'"},
        {"plot { 'a', x = x, y = y, style = 'wavy' }", "unknown style 'wavy'", "dashed"},
        {"plot { 'a', x = x, y = y, xrange = { 1 } }", "xrange takes two numbers", "{ 0, 1 }"},
        {"plot { 'a', x = x, y = y, xrange = { 1, y } }", "xrange must be a number", "motion"},
        {"plot { 'a', x = x, y = y, equal = 1 }", "'equal' must be true or false", NULL},
        {"plot { 'a', line { x, y }, 5 }", "entry 3", "not a layer"},
        {"plot { 'a', panel { line { x, y } }, line { x, y } }", "entry 3 is not a panel", "mix"},
        {"panel {}", "no layers", "line { x, y }"},
        {"panel { 5 }", "entry 1", "not a layer"},
        {"panel { line { x, y }, tilte = 'a' }", "unknown key 'tilte'", "did you mean 'title'"},
        {"line { x }", "entry 2 is missing", "line { x, y }"},
        {"line(x, y)", "line takes a table", "line {"},
        {"line { x, 'y' }", "line must be a number or an expression", "string"},
        {"segments { x, y, x }", "entry 4 is missing", "segments {"},
        {"points { x, y, every = x }", "every must be a number", "motion"},
        {"points { x, y, numbered = 1 }", "'numbered' must be true or false", NULL},
        {"outline {}", "outline takes points", "outline {"},
        {"outline { { 1 } }", "point 1 is not a pair", NULL},
        {"outline { { 1, x } }", "a point of outline must be", "motion"},
        {"circle { 1, 2 }", "circle { x, y, radius }", "nothing"},
        {"circle { 1, 2, x }", "a point of circle must be", "motion"},
    };
    check_lines(sizeof wrong / sizeof *wrong, wrong);
}

static void test_a_name_defined_twice_gives_both_places(void **state)
{
    (void)state;
    static const char *const statements[] = {
        "param('same', 1)\n\nparam('same', 2)",
        "setting('same', 1)\n\nparam('same', 2)",
        "param('same', 1)\n\nsetting('same', 'a')",
        "local same = coordinates('same')\n\nparam('same', 1)",
        "param('same', 1)\n\ncoordinates('same')",
        "contact { 'same', gap = x }\n\ncontact { 'same', gap = x }",
        "record { same = x }\n\nrecord { same = x }",
        "measure { same = x }\n\nmeasure { same = x }",
        "plot { 'same', x = x, y = x }\n\nplot { 'same', x = x, y = x }",
        "variant { 'same' }\n\nvariant { 'same' }",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char text[300];
        snprintf(text, sizeof text, "local x = coordinates('x')\n%s\n", statements[i]);
        check_refused(text, 4, "'same' is defined twice", "model.lua:2");
    }
    check_refused("coordinates('x', 'x')", 1, "'x' is defined twice", NULL);
}

static void test_lua_mistakes(void **state)
{
    (void)state;
    static const wrong_line wrong[] = {
        {"local a = = 1", "unexpected symbol", "'='"},
        {"local s = 'open", "unfinished string", NULL},
        {"error('my own words')", "my own words", NULL},
        {"assert(false, 'my own words')", "my own words", NULL},
        {"local function f() return f() + 1 end f()", "stack overflow", NULL},
        {"local t = nil; t.x = 1", "index a nil value", "'t'"},
        {"local t = {} t()", "call a table value", "'t'"},
    };
    check_lines(sizeof wrong / sizeof *wrong, wrong);
    check_refused("if true then", 1, "'end' expected", NULL);
    check_refused("error({})", 0, "not a text", "error(");
    check_refused("error()", 0, "not a text", "error(");
    char nested[2000] = "return ";
    memset(nested + 7, '(', 1000);
    nested[1007] = '\0';
    check_refused(nested, 0, "overflow", NULL);
    check_refused("error('no place', 0)", 0, "no place", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_settings_families_variants),
        cmocka_unit_test(test_mechanics),
        cmocka_unit_test(test_contacts_and_friction),
        cmocka_unit_test(test_integration),
        cmocka_unit_test(test_records_measures_plots),
        cmocka_unit_test(test_a_name_defined_twice_gives_both_places),
        cmocka_unit_test(test_lua_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
