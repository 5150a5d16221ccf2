#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "scripts.h"

static const double t = 0.75, q[2] = {0.4, 1.7}, u[2] = {-0.6, 0.9}, p = 2.25;

/* Value of one Lua expression of x, y, p and what the language gives, traced and then evaluated. */
static double value_of(const char *expression)
{
    char text[600];
    snprintf(text, sizeof text,
             "local p = param('p', 2.25) local x, y = coordinates('x', 'y') mass(2) potential(3 * y)\n"
             "contact { 'c', gap = y - x, slip = dot(x) }\n"
             "record { value = %s } integrate { h = 1, until_t = 1 }",
             expression);
    carom_experiment *e = load_good_text(text);
    const double impulse[3] = {5.0, 6.0, 7.0};
    double *column = columns_of(e, &(carom_inputs){.t = t, .q = q, .u = u, .impulse = impulse});
    const double value = column[column_named(e, "value")];
    free(column);
    carom_experiment_free(e);
    return value;
}

static void test_operators_and_functions_compute_what_they_say(void **state)
{
    (void)state;
    const double x = q[0], y = q[1];
    const struct {
        const char *expression;
        double value;
    } cases[] = {
        {"x + y", x + y},
        {"1 - x", 1 - x},
        {"x - y * 2", x - y * 2},
        {"x / y", x / y},
        {"2 / x", 2 / x},
        {"-x", -x},
        {"x^2", x * x},
        {"y^p", pow(y, p)},
        {"2^x", pow(2, x)},
        {"y^-3", 1 / (y * y * y)},
        {"y^2.5", pow(y, 2.5)},
        {"sqrt(x)", sqrt(x)},
        {"exp(x)", exp(x)},
        {"log(x)", log(x)},
        {"sin(x)", sin(x)},
        {"cos(x)", cos(x)},
        {"tan(x)", tan(x)},
        {"asin(x)", asin(x)},
        {"acos(x)", acos(x)},
        {"atan(x)", atan(x)},
        {"atan(x, y)", atan2(x, y)},
        {"atan2(x, -y)", atan2(x, -y)},
        {"sinh(x)", sinh(x)},
        {"cosh(x)", cosh(x)},
        {"tanh(x)", tanh(x)},
        {"abs(x - y)", y - x},
        {"sign(x - y)", -1},
        {"min(x, y)", x},
        {"max(x, y)", y},
        {"max(1, x, 3, y)", 3},
        {"min(y)", y},
        {"hypot(x, y)", hypot(x, y)},
        {"select(x - y, 1, 2)", 2},
        {"select(y, x, sqrt(-y))", x},
        {"math.sin(x)", sin(x)},
        {"pi * x", 3.14159265358979323846 * x},
        {"time()", t},
        {"dot(x)", u[0]},
        {"dot(x * y)", u[0] * y + x * u[1]},
        {"dot(sin(time() * x))", cos(t * x) * (x + t * u[0])},
        {"dot(p)", 0},
        {"gap 'c'", y - x},
        {"impulse 'c'", 5},
        {"impulse('c', 1)", 6},
        {"energy()", u[0] * u[0] + u[1] * u[1] + 3 * y},
        {"sqrt(2)", sqrt(2.0)},
        {"7 // 2 + x", 3 + x},
        {"math.floor(2.7)", 2},
        {"1e400", INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double value = value_of(cases[i].expression), expected = cases[i].value;
        if (!(value == expected || fabs(value - expected) <= 4e-16 * fabs(expected)))
            fail_msg("%s = %.17g, expected %.17g", cases[i].expression, value, expected);
    }
}

static void test_functions_of_numbers_are_numbers(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(
        "local x = coordinates('x') mass(1) integrate { h = 1, until_t = 1 }\n"
        "for i = 1, sqrt(16) do potential(x^2) end\n"                  /* a loop on the result of sqrt */
        "if max(2, 3) > 2.5 and sin(0) == 0 then print('plain') end\n" /* and a branch */
        "print(type(sqrt(2)), type(sqrt(x)), math.type(math.floor(3.5)))\n"
        "print(x, dot(x), time(), x + 1, param('a', 1), 2 * 3)\n"
        "local s = {} for i = 1, 3 do s[#s + 1] = string.format('%d', i) end print(table.concat(s, '-'))\n"
        "print(#'abc', ('ab'):rep(2), ('ab'):upper(), string.rep('x', 0))\n");
    assert_string_equal(e->messages, "plain\n"
                                     "number\tuserdata\tinteger\n"
                                     "x\tdot(x)\ttime()\texpression\ta\t6\n"
                                     "1-2-3\n"
                                     "3\tabab\tAB\t\n");
    carom_experiment_free(e);
}

static void test_a_loop_of_symbols_shares_what_is_equal(void **state)
{
    (void)state;
    carom_experiment *few =
        load_good_text("local x = coordinates('x') mass(1) integrate { h = 1, until_t = 1 }\n"
                       "potential(sin(x) * 100)");
    carom_experiment *many =
        load_good_text("local x = coordinates('x') mass(1) integrate { h = 1, until_t = 1 }\n"
                       "for i = 1, 10000 do local again = sin(x) * 100 end\n"
                       "potential(sin(x) * 100)");
    assert_int_equal(carom_graph_size(few->graph), carom_graph_size(many->graph));
    carom_experiment_free(few);
    carom_experiment_free(many);
}

/* Each line stands after two good ones. */
static void check_line_refused(const char *line, const char *word, const char *cure)
{
    char text[600];
    snprintf(text, sizeof text,
             "local x, y = coordinates('x', 'y')\nmass(1)\n%s\nintegrate { h = 1, until_t = 1 }\n", line);
    check_refused(text, 3, word, cure);
}

static void test_branches_on_symbols_say_what_to_write(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "if x > 0 then end",  "if 0 < x then end",    "while x <= 1 do end",
        "local b = x >= y",   "local b = x == y",     "local b = x ~= y",
        "repeat until x < y", "table.sort({ x, y })", "local b = not (x > 1)",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line_refused(lines[i], "symbol", "select(");
}

static void test_other_misuse_of_symbols(void **state)
{
    (void)state;
    static const struct {
        const char *line, *word, *cure;
    } cases[] = {
        {"potential(x % 2)", "operator", "+ - * / ^"},
        {"potential(x // 2)", "operator", "+ - * / ^"},
        {"print('x' .. x)", "operator", "+ - * / ^"},
        {"print(#x)", "operator", "+ - * / ^"},
        {"potential(x & 1)", "operator", "+ - * / ^"},
        {"potential(~x)", "operator", "+ - * / ^"},
        {"potential(x.y)", "no fields", "y"},
        {"x.y = 1", "no fields", "y"},
        {"potential(2 * x(1))", "not a function", "'*'"},
        {"potential(x + nil)", "right side of '+'", "nothing"},
        {"potential('2' * x)", "left side of '*'", "string"},
        {"potential(x + {})", "right side of '+'", "table"},
        {"potential(x^true)", "right side of '^'", "boolean"},
        {"for i = 1, x do end", "symbol", "setting"},
        {"local t = string.rep('x', x)", "symbol", "setting"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_line_refused(cases[i].line, cases[i].word, cases[i].cure);
}

static void test_wrong_arguments_of_functions(void **state)
{
    (void)state;
    static const struct {
        const char *line, *word, *cure;
    } cases[] = {
        {"potential(sin())", "sin takes 1 argument", "got 0"},
        {"potential(sin(x, y))", "sin takes 1 argument", "got 2"},
        {"potential(atan2(x))", "atan2 takes 2 arguments", "got 1"},
        {"potential(hypot(x, y, x))", "hypot takes 2 arguments", "got 3"},
        {"potential(atan(x, y, x))", "atan takes 1 to 2", "got 3"},
        {"potential(select(x, y))", "select takes 3 arguments", "got 2"},
        {"potential(max())", "max takes", "got 0"},
        {"potential(sin('a'))", "sin must be a number or an expression", "string"},
        {"potential(max(x, {}))", "max must be a number or an expression", "table"},
        {"potential(dot())", "dot takes 1 argument", "got 0"},
        {"potential(dot(dot(x)))", "acceleration", "forces"},
        {"potential(time(1))", "time takes 0 arguments", "got 1"},
        {"potential(gap 'c')", "no contact 'c'", "above"},
        {"potential(gap())", "string expected", NULL},
        {"contact { 'floor', gap = x } print(gap 'flor')", "no contact 'flor'", "did you mean 'floor'"},
        {"contact { 'floor', gap = x } print(impulse('floor', 1))", "impulse(\"floor\", 1)",
         "0 slip components"},
        {"contact { 'floor', gap = x } print(impulse('floor', -1))", "impulse(\"floor\", -1)",
         "slip components"},
        {"potential(cosinus(x))", "unknown name 'cosinus'", NULL},
        {"potential(coss(x))", "unknown name 'coss'", "did you mean 'cos'"},
        {"potentail(x)", "unknown name 'potentail'", "did you mean 'potential'"},
        {"potential(sin(t))", "unknown name 't'", "the time is time()"},
        {"potential(x / dt)", "unknown name 'dt'", "integrate { h = 1e-3 }"},
        {"potential(x_dot)", "unknown name 'x_dot'", "the velocity of 'x' is dot(x)"},
        {"potential(xdot)", "unknown name 'xdot'", "the velocity of 'x' is dot(x)"},
        {"potential(pow(x, 2))", "unknown name 'pow'", "x^y"},
        {"potential(where(x, 1, 2))", "unknown name 'where'", "select(c, a, b)"},
        {"potential(tau)", "unknown name 'tau'", "local tau"},
        {"potential(PI)", "unknown name 'PI'", "local PI"},
        {"potential(Pi)", "unknown name 'Pi'", "did you mean 'pi'"},
        {"plot { 'p', t = x }", "unknown key 't'", "known are"},
        {"print(undefined_thing)", "unknown name 'undefined_thing'", "local undefined_thing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_line_refused(cases[i].line, cases[i].word, cases[i].cure);
}

static void test_nan_is_refused_where_it_appears(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "potential(0/0)",        "potential(x + 0/0)",  "potential(x * sqrt(-1))",
        "local z = log(-1) * x", "initial { x = 0/0 }", "param('a', 0/0)",
        "setting('a', 0/0)",     "record { a = 0/0 }",  "param { 'a', 1, min = 0/0 }",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_line_refused(lines[i], NULL, NULL);
    check_line_refused("potential(x + 0/0)", "NaN", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators_and_functions_compute_what_they_say),
        cmocka_unit_test(test_functions_of_numbers_are_numbers),
        cmocka_unit_test(test_a_loop_of_symbols_shares_what_is_equal),
        cmocka_unit_test(test_branches_on_symbols_say_what_to_write),
        cmocka_unit_test(test_other_misuse_of_symbols),
        cmocka_unit_test(test_wrong_arguments_of_functions),
        cmocka_unit_test(test_nan_is_refused_where_it_appears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
