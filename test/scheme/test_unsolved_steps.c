/* A contact problem that misses its tolerance by little is no end: the step goes on, is counted, and the certificate says so.
 * One with a useless solution is an end, in every scheme. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/io.h"

/* Five masses fall on each other and on the floor: the problems of their contacts take Gauss-Seidel many sweeps. The gap of
 * neighbours at a distance d is d + bend d^2. */
static const char text_form[] = "local n, names, m, V, start, f = 5, {}, {}, 0, {}, {}\n"
                                "for i = 1, n do names[i] = 'x' .. i end\n"
                                "local x = { coordinates(table.unpack(names)) }\n"
                                "for i = 1, n do\n"
                                "    m[i] = {}\n"
                                "    for k = 1, n do m[i][k] = i == k and 1 or 0 end\n"
                                "    V = V + 9.81 * x[i]\n"
                                "    local d = i == 1 and x[1] or x[i] - x[i - 1]\n"
                                "    contact { 'c' .. i, gap = d + %s * d ^ 2, restitution = 0 }\n"
                                "    start['x' .. i] = 0.01 * i\n"
                                "    f[x[i]] = -0.1 * dot(x[i])\n"
                                "end\n"
                                "mass(m)\n"
                                "potential(V)\n"
                                "force(f)\n"
                                "initial(start)\n"
                                "integrate { scheme = 'sweeping', h = 1e-3, until_t = 0.15 }\n"
                                "measure { top = x[n] }\n";

typedef struct outcome {
    carom_status status;
    double top;
    long unsolved, certified;
    bool trusted;
    char text[2048];
} outcome;

static outcome run(const char *bend, const char *scheme, int sweeps, const char *option, const char *word)
{
    char text[2048];
    snprintf(text, sizeof text, text_form, bend);
    const carom_load_request request = {.name = "m", .file = "m.lua", .text = text};
    const carom_option given[] = {
        {"solver", .word = "gauss-seidel"}, {"max_iterations", sweeps}, {option, .word = word}, {0}};
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    carom_error error = {0};
    outcome out = {.status = carom_experiment_load(&request, &experiment, &error)};
    if (out.status != CAROM_OK)
        fail_msg("%s", error.text);
    out.status = carom_run(&(carom_run_request){.experiment = experiment, .scheme = scheme, .option = given},
                           &result, &error);
    carom_format(out.text, sizeof out.text, "%s", error.text);
    out.unsolved = result.counts.unsolved;
    out.certified = result.certificate.unsolved_steps;
    out.trusted = result.certificate.trusted;
    out.top = result.measure && result.measure[0].count == 1 ? result.measure[0].value[0] : NAN;
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return out;
}

static void goes_on(const char *bend, const char *scheme, int sweeps, long least, const char *option,
                    const char *word)
{
    const outcome exact = run(bend, scheme, 1000000, option, word),
                  rough = run(bend, scheme, sweeps, option, word);
    if (exact.status != CAROM_OK || rough.status != CAROM_OK)
        fail_msg("%s: %s%s", scheme, exact.text, rough.text);
    assert_int_equal(exact.unsolved, 0);
    if (rough.unsolved < least)
        fail_msg("%s %s: every step was solved", scheme, option ? option : "");
    assert_int_equal(rough.certified, rough.unsolved);
    assert_true(rough.unsolved == 0 || !rough.trusted);
    if (!(fabs(rough.top - exact.top) <= 1e-6))
        fail_msg("%s: %.10g instead of %.10g", scheme, rough.top, exact.top);
}

static void nearly_solved_steps_go_on(void **state)
{
    (void)state;
    goes_on("0", "sweeping", 150, 1, NULL, NULL);
    goes_on("0", "paoli-schatzman", 150, 1, NULL, NULL);
    goes_on("0", "event-driven", 150, 1, NULL, NULL);
    goes_on("0", "moreau-jean", 150, 1, NULL, NULL);
    goes_on("0", "inel", 150, 1, NULL, NULL);
}

/* Iterations around the problem settle, as far as its error lets them; those of positions start where the one before ended,
 * and may end with a problem that is solved. */
static void also_inside_iterations(void **state)
{
    (void)state;
    goes_on("3", "sweeping", 150, 1, "stabilise", "on");
    goes_on("3", "sweeping", 150, 1, "implicit", "on");
    goes_on("3", "paoli-schatzman", 60, 0, NULL, NULL);
    goes_on("3", "paoli-schatzman", 60, 0, "force", "centred");
    goes_on("3", "event-driven", 150, 1, NULL, NULL);
}

static void useless_solutions_end_a_run(void **state)
{
    (void)state;
    const char *const scheme[] = {"sweeping", "paoli-schatzman", "event-driven", "moreau-jean", "inel"};
    for (int k = 0; k < 5; k++) {
        const outcome out = run("0", scheme[k], 2, NULL, NULL);
        assert_int_equal(out.status, CAROM_FAILED);
        assert_non_null(strstr(out.text, "t = 0."));
        assert_non_null(strstr(out.text, "gauss-seidel: max-iterations"));
    }
}

/* Two walls that close on a mass: no impulses solve that, however small their error, relative to them, becomes. */
static void without_solution_no_scheme_goes_on(void **state)
{
    (void)state;
    static const char text[] = "local x = coordinates('x')\n"
                               "mass(1)\n"
                               "contact { 'left', gap = x + 0.05 - time(), restitution = 0 }\n"
                               "contact { 'right', gap = 0.06 - x - time(), restitution = 0 }\n"
                               "initial { x = 0 }\n"
                               "integrate { scheme = 'sweeping', h = 1e-3, until_t = 0.2 }\n";
    const char *const scheme[] = {"sweeping", "paoli-schatzman", "event-driven", "moreau-jean", "inel"};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    assert_int_equal(carom_experiment_load(&(carom_load_request){.name = "m", .file = "m.lua", .text = text},
                                           &experiment, &error),
                     CAROM_OK);
    for (int k = 0; k < 5; k++) {
        carom_run_result result = {0};
        assert_int_equal(
            carom_run(&(carom_run_request){.experiment = experiment, .scheme = scheme[k]}, &result, &error),
            CAROM_FAILED);
        assert_true(result.t_end > 0.05 && result.t_end < 0.06);
        carom_run_result_free(&result);
    }
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_solved_steps_go_on),
        cmocka_unit_test(also_inside_iterations),
        cmocka_unit_test(useless_solutions_end_a_run),
        cmocka_unit_test(without_solution_no_scheme_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
