/* A hundred made-up noisy measurements of each of three motions: the true values lie in the 95 % intervals as often as that says,
 * and the fit needs a tenth of the runs of a search that knows values only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "nelder_mead.h"
#include "synthetic.h"

enum {
    DATA_MAX = 160,
    UNKNOWNS = 3,
    SETS = 100,
    COMPARED = 5 /* with the simplex search */
};

typedef struct trial {
    const char *model, *output;
    const char *name[UNKNOWNS];
    double truth[UNKNOWNS];
    double step, sigma;
    int count;
} trial;

static const trial ball = {.model = ball_text,
                           .output = "y",
                           .name = {"e", "g", "q:y"},
                           .truth = {0.8, 9.81, 1.0},
                           .step = 0.0123,
                           .sigma = 0.005,
                           .count = 120};
static const trial belt = {.model = belt_text,
                           .output = "x",
                           .name = {"k", "c", "mu"},
                           .truth = {1.6, 0.07, 0.3},
                           .step = 0.1,
                           .sigma = 0.01,
                           .count = 110};
static const trial oscillator = {.model = oscillator_text,
                                 .output = "x",
                                 .name = {"e", "k", "w"},
                                 .truth = {0.8, 1.0, 2.2},
                                 .step = 0.1,
                                 .sigma = 0.01,
                                 .count = 110};

typedef struct measured {
    double t[DATA_MAX], exact[DATA_MAX], value[DATA_MAX];
    carom_fit_data data;
    carom_fit_parameter parameter[UNKNOWNS];
    const char *output[1];
    carom_fit_request request;
} measured;

static void prepare(const trial *of, const carom_experiment *experiment, measured *to)
{
    *to = (measured){.output = {of->output}};
    for (int i = 0; i < of->count; i++)
        to->t[i] = (i + 1) * of->step;
    for (int k = 0; k < UNKNOWNS; k++)
        to->parameter[k].name = of->name[k];
    to->data = (carom_fit_data){.name = "made up", .count = of->count, .t = to->t, .value = to->value};
    to->request = (carom_fit_request){.experiment = experiment,
                                      .output_count = 1,
                                      .output = to->output,
                                      .data_count = 1,
                                      .data = &to->data,
                                      .parameter_count = UNKNOWNS,
                                      .parameter = to->parameter};
    predict(&to->request, of->truth, to->exact);
}

/* ---- the simplex search ----------------------------------------------------------------------------------- */

static double misfit_at(void *context, const double *x)
{
    fit_problem *problem = context;
    int rows = problem->run[0].rows, first = 0;
    fit_view view = {
        .problem = problem, .rows = &rows, .first = &first, .residuals = problem->residuals, .threads = 1};
    double r[DATA_MAX], sum = 0.0;
    carom_error error;
    for (int k = 0; k < problem->unknown_count; k++)
        if (x[k] < problem->unknown[k].low || x[k] > problem->unknown[k].high)
            return INFINITY;
    if (fit_view_evaluate(&view, x, r, NULL, &error) != CAROM_OK)
        return INFINITY;
    for (int i = 0; i < problem->residuals; i++)
        sum += r[i] * r[i];
    return sum;
}

static int simplex_runs(const measured *of, double goal)
{
    fit_problem problem;
    carom_error error = {0};
    double x[UNKNOWNS];
    assert_int_equal(fit_problem_create(&of->request, &problem, &error), CAROM_OK);
    for (int k = 0; k < UNKNOWNS; k++)
        x[k] = problem.unknown[k].start;
    const int runs = simplex_search(UNKNOWNS, x, misfit_at, &problem, goal, 2000);
    fit_problem_free(&problem);
    return runs;
}

/* ---- the count -------------------------------------------------------------------------------------------- */

static void cover(const trial *of, unsigned seed)
{
    carom_experiment *experiment = load_model(of->model);
    const int sets = getenv("CAROM_SANITIZED") && getenv("CAROM_SANITIZED")[0] ? 10 : SETS;
    measured *sample = calloc(1, sizeof *sample);
    assert_non_null(sample);
    prepare(of, experiment, sample);
    carom_random random = {seed};
    int inside[UNKNOWNS] = {0};
    long runs = 0, simplex = 0;
    for (int set = 0; set < sets; set++) {
        carom_fit fit;
        carom_error error = {0};
        for (int i = 0; i < of->count; i++)
            sample->value[i] = sample->exact[i] + of->sigma * noise(&random);
        if (carom_fit_run(&sample->request, &fit, &error) != CAROM_OK)
            fail_msg("set %d: %s", set, error.text);
        assert_string_equal(fit.word, "ok");
        assert_true(fit.exact);
        for (int k = 0; k < UNKNOWNS; k++)
            inside[k] += fit.parameter[k].low <= of->truth[k] && of->truth[k] <= fit.parameter[k].high;
        assert_true(fabs(sqrt(fit.variance) / of->sigma - 1.0) < 0.35);
        if (set < COMPARED) {
            runs += fit.runs;
            simplex += simplex_runs(sample, fit.misfit * (1.0 + 1e-6));
        }
        carom_fit_free(&fit);
    }
    for (int k = 0; k < UNKNOWNS; k++) {
        print_message("%s: the true value is inside %d of %d intervals\n", of->name[k], inside[k], sets);
        assert_in_range(inside[k], sets == SETS ? 90 : 7, sets == SETS ? 99 : 10);
    }
    print_message("%.1f runs per fit, %.1f of a simplex search to the same misfit\n", (double)runs / COMPARED,
                  (double)simplex / COMPARED);
    assert_true(simplex >= 10 * runs);
    free(sample);
    carom_experiment_free(experiment);
}

static void test_ball(void **state)
{
    (void)state;
    cover(&ball, 1);
}

static void test_stick_slip(void **state)
{
    (void)state;
    cover(&belt, 2);
}

static void test_impact_oscillator(void **state)
{
    (void)state;
    cover(&oscillator, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_stick_slip),
        cmocka_unit_test(test_impact_oscillator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
