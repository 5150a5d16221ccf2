/* What a fit finds, and how well it says that it knows it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "samples.h"

/* Without noise the values come back to rounding, with exact derivatives, with differences, by time stepping nearly. */
static void test_exact_data(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.1, 0.0, 1);
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}, {.name = "y0"}};
    const carom_fit_derivatives way[] = {CAROM_FIT_BEST, CAROM_FIT_EXACT, CAROM_FIT_DIFFERENCES};
    for (int i = 0; i < 3; i++) {
        carom_fit_request request = request_of(experiment, &of.data, parameter, 3);
        request.derivatives = way[i];
        carom_fit fit = fit_of(&request);
        assert_string_equal(fit.word, "ok");
        assert_int_equal(fit.exact, i < 2);
        assert_true(fabs(fit.parameter[0].value - 0.8) < 1e-9);
        assert_true(fabs(fit.parameter[1].value - 9.81) < 1e-8);
        assert_true(fabs(fit.parameter[2].value - 1.1) < 1e-9);
        assert_true(fit.rms < 1e-9);
        carom_fit_free(&fit);
    }
    carom_fit_request request = request_of(experiment, &of.data, parameter, 3);
    request.scheme = "moreau-jean";
    request.h = 1e-4;
    carom_fit fit = fit_of(&request);
    assert_false(fit.exact);
    assert_true(warns_of(&fit, "event-driven"));
    assert_true(fabs(fit.parameter[0].value - 0.8) < 2e-3 && fabs(fit.parameter[1].value - 9.81) < 0.03);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

/* Derivatives of one motion, q:y and y0 (an expression of initial { }), e, g and m, against differences; also of records. */
static void test_derivatives(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.0, 1);
    const char *const output[] = {"twice", "speed^2 + energy*y + t*m"};
    memcpy(of.value + DATA, of.value, DATA * sizeof *of.value);
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}, {.name = "y0"}, {.name = "v:y"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 4);
    request.output = output;
    request.output_count = 2;
    fit_problem problem;
    carom_error error = {0};
    assert_int_equal(fit_problem_create(&request, &problem, &error), CAROM_OK);
    const double x[] = {0.77, 9.7, 1.05, 0.3};
    int rows = problem.run[0].rows, first = 0;
    fit_view view = {
        .problem = &problem, .rows = &rows, .first = &first, .residuals = problem.residuals, .threads = 2};
    double *J[2], *r = calloc((size_t)problem.residuals, sizeof *r);
    assert_non_null(r);
    assert_int_equal(fit_choose_derivatives(&problem, x, &error), CAROM_OK);
    assert_true(problem.together);
    for (int i = 0; i < 2; i++) {
        J[i] = calloc((size_t)problem.residuals * 4, sizeof *r);
        assert_non_null(J[i]);
        problem.together = i == 0;
        assert_int_equal(fit_view_evaluate(&view, x, r, J[i], &error), CAROM_OK);
    }
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < problem.residuals * 4; i++) {
        largest = fmax(largest, fabs(J[0][i]));
        worst = fmax(worst, fabs(J[0][i] - J[1][i]));
    }
    assert_true(largest > 1.0);
    assert_true(worst < 1e-5 * largest);
    free(J[0]);
    free(J[1]);
    free(r);
    fit_problem_free(&problem);
    carom_experiment_free(experiment);
}

static void test_missing_and_weighted(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 7);
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 2);
    carom_fit plain = fit_of(&request);
    for (int i = 0; i < DATA; i++)
        of.sigma[i] = 0.004;
    of.data.sigma = of.sigma;
    carom_fit weighted = fit_of(&request);
    assert_true(fabs(plain.parameter[0].value - weighted.parameter[0].value) < 1e-9);
    assert_true(fabs(plain.parameter[0].error / weighted.parameter[0].error - 1.0) < 1e-6);
    assert_true(fabs(weighted.variance - plain.variance / (0.004 * 0.004)) < 1e-6 * weighted.variance);
    assert_true(fabs(plain.rms / weighted.rms - 1.0) < 1e-9);
    /* a datum that is missing is as one with a huge deviation */
    of.sigma[60] = 1e9;
    carom_fit blind = fit_of(&request);
    of.value[60] = NAN;
    carom_fit missing = fit_of(&request);
    assert_int_equal(missing.residuals, DATA - 1);
    assert_true(isnan(missing.fitted[0][60]) && isfinite(missing.fitted[0][61]));
    assert_true(fabs(blind.parameter[0].value - missing.parameter[0].value) < 1e-8);
    carom_fit_free(&plain);
    carom_fit_free(&weighted);
    carom_fit_free(&blind);
    carom_fit_free(&missing);
    carom_experiment_free(experiment);
}

/* The errors of a problem that is linear in its unknown are the formula's: height of a ball in free fall, y0 unknown. */
static void test_standard_error(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.6, 1.0, 0.01, 3);
    of.data.count = 30; /* before the first impact */
    const carom_fit_parameter parameter[] = {{.name = "q:y"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 1);
    request.tolerance = 1e-8;
    carom_fit fit = fit_of(&request);
    double mean = 0.0, squares = 0.0;
    for (int i = 0; i < 30; i++)
        mean += (of.value[i] + 0.5 * 9.6 * of.t[i] * of.t[i]) / 30.0;
    for (int i = 0; i < 30; i++) {
        const double d = of.value[i] + 0.5 * 9.6 * of.t[i] * of.t[i] - mean;
        squares += d * d;
    }
    const double error = sqrt(squares / 29.0 / 30.0);
    assert_true(fabs(fit.parameter[0].value - mean) < 1e-9);
    assert_true(fabs(fit.parameter[0].error / error - 1.0) < 1e-7);
    assert_true(fabs(fit.parameter[0].high - mean - carom_student_quantile(0.975, 29.0) * error) < 1e-8);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

/* Several motions, each from its own height, which is known, measured, or sought for each. */
static void test_several_motions(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of[3];
    carom_fit_data data[3];
    carom_fit_value set[3];
    const double height[] = {1.0, 0.6, 1.4};
    for (int i = 0; i < 3; i++) {
        measure_ball(&of[i], 0.8, 9.81, height[i], 0.003, (uint64_t)(40 + i));
        set[i] = (carom_fit_value){"q:y", height[i] + 0.02};
        data[i] = of[i].data;
        data[i].set = &set[i];
        data[i].set_count = 1;
    }
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}, {.name = "q:y", .each = true}};
    carom_fit_request request = request_of(experiment, data, parameter, 3);
    request.data_count = 3;
    carom_fit fit = fit_of(&request);
    assert_int_equal(fit.count, 5);
    assert_string_equal(fit.parameter[3].name, "q:y (ball.csv)");
    assert_int_equal(fit.parameter[3].data, 1);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(fit.parameter[2 + i].value - height[i]) < 5.0 * fit.parameter[2 + i].error);
    assert_true(fabs(fit.parameter[0].value - 0.8) < 5.0 * fit.parameter[0].error &&
                fit.parameter[0].error < 1e-3);
    /* the same bits on any number of threads */
    request.threads = 3;
    carom_fit again = fit_of(&request);
    for (int i = 0; i < 5; i++) {
        assert_true(fit.parameter[i].value == again.parameter[i].value);
        assert_true(fit.parameter[i].error == again.parameter[i].error);
    }
    assert_int_equal(fit.runs, again.runs);
    const carom_fit_parameter common[] = {{.name = "q:y"}};
    request.parameter = common;
    request.parameter_count = 1;
    carom_fit none;
    carom_error error = {0};
    assert_int_equal(carom_fit_run(&request, &none, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "value of its own in ball.csv"));
    carom_fit_free(&none);
    request.parameter = parameter;
    request.parameter_count = 3;
    request.derivatives = CAROM_FIT_DIFFERENCES;
    carom_fit differences = fit_of(&request);
    assert_true(differences.runs > 5 * fit.runs);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(differences.parameter[i].value - fit.parameter[i].value) <
                    1e-2 * fit.parameter[i].error);
    carom_fit_free(&fit);
    carom_fit_free(&again);
    carom_fit_free(&differences);
    carom_experiment_free(experiment);
}

/* Times of impacts: t1 = sqrt(2 y0/g), then hops of 2 e^k v/g. */
static void test_events(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    double t[6], first = sqrt(2.0 / 9.81), v = 9.81 * first;
    t[0] = first;
    for (int i = 1; i < 6; i++) {
        v *= 0.83;
        t[i] = t[i - 1] + 2.0 * v / 9.81;
    }
    t[2] = NAN; /* nobody heard it */
    const carom_fit_data data = {.name = "impacts.csv", .count = 6, .value = t};
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}};
    carom_fit_request request = request_of(experiment, &data, parameter, 2);
    request.output_count = 0;
    request.events = "floor";
    carom_fit fit = fit_of(&request);
    assert_true(fit.exact);
    assert_true(fabs(fit.parameter[0].value - 0.83) < 1e-9 && fabs(fit.parameter[1].value - 9.81) < 1e-8);
    assert_int_equal(fit.residuals, 5);
    carom_fit_free(&fit);
    request.derivatives = CAROM_FIT_DIFFERENCES;
    fit = fit_of(&request);
    assert_true(fabs(fit.parameter[0].value - 0.83) < 1e-9);
    carom_fit_free(&fit);
    /* with the steps of a time stepping scheme, to its step */
    request.derivatives = CAROM_FIT_BEST;
    request.scheme = "moreau-jean";
    request.h = 1e-4;
    fit = fit_of(&request);
    assert_false(fit.exact);
    assert_true(fabs(fit.parameter[0].value - 0.83) < 2e-3);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

/* A tenth of the data is rubbish. */
static void test_outliers(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 9);
    for (int i = 5; i < DATA; i += 10)
        of.value[i] += 0.3;
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}, {.name = "q:y"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 3);
    carom_fit squares = fit_of(&request);
    assert_true(fabs(squares.parameter[2].value - 1.0) > 0.01);
    for (int loss = CAROM_LOSS_SOFT_L1; loss < CAROM_LOSSES; loss++) {
        request.loss = (carom_fit_loss)loss;
        for (int given = 0; given < 2; given++) {
            request.loss_scale = given ? 0.006 : 0.0;
            carom_fit fit = fit_of(&request);
            assert_true(given ? fit.loss_scale == 0.006 : fit.loss_scale > 0.003 && fit.loss_scale < 0.02);
            assert_true(fabs(fit.parameter[2].value - 1.0) < 0.005 &&
                        fabs(fit.parameter[0].value - 0.8) < 0.002);
            assert_true(fit.parameter[2].error < 0.3 * squares.parameter[2].error);
            carom_fit_free(&fit);
        }
    }
    carom_fit_free(&squares);
    carom_experiment_free(experiment);
}

/* The force m cos(w t) and the mass m leave only k/m; then one of them is known. */
static void test_directions(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(oscillator_text);
    assert_int_equal(carom_experiment_set(experiment, "c", "0", NULL), CAROM_OK);
    static const char *const x_only[] = {"x"};
    double t[DATA], value[DATA] = {0};
    for (int i = 0; i < DATA; i++)
        t[i] = 0.1 * (i + 1);
    const carom_fit_data data = {.name = "wall.csv", .count = DATA, .t = t, .value = value};
    const carom_fit_parameter both[] = {{.name = "k"}, {.name = "m"}, {.name = "e"}},
                              one[] = {{.name = "k"}, {.name = "e"}};
    carom_fit_request request = request_of(experiment, &data, both, 3);
    request.output = x_only;
    predict(&request, (double[]){1.2, 1.0, 0.8}, value);
    carom_fit fit = fit_of(&request);
    assert_string_equal(fit.word, "undetermined");
    assert_int_equal(fit.direction_count, 1);
    assert_string_equal(fit.direction[0].text, "only k/m is determined, not k and m by themselves");
    assert_true(fabs(fit.parameter[0].value / fit.parameter[1].value - 1.2) < 1e-6);
    assert_false(fit.parameter[0].determined || fit.parameter[1].determined);
    assert_true(isnan(fit.parameter[0].error) && isnan(fit.correlation[1]));
    assert_true(fit.parameter[2].determined && fabs(fit.parameter[2].value - 0.8) < 1e-6);
    carom_fit_free(&fit);
    request.parameter = one;
    request.parameter_count = 2;
    fit = fit_of(&request);
    assert_string_equal(fit.word, "ok");
    assert_int_equal(fit.direction_count, 0);
    assert_true(fabs(fit.parameter[0].value - 1.2) < 1e-8);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

static void test_bounds(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    const carom_fit_parameter parameter[] = {{.name = "e", .high = 0.75},
                                             {.name = "g", .start = 9.9, .low = 9.0}};
    const carom_fit_request request = request_of(experiment, &of.data, parameter, 2);
    carom_fit fit = fit_of(&request);
    assert_true(fit.parameter[0].value == 0.75);
    assert_int_equal(fit.parameter[0].bound, CAROM_FIT_AT_HIGH);
    assert_true(isnan(fit.parameter[0].error) && fit.parameter[1].error > 0.0);
    assert_true(fit.parameter[1].start == 9.9);
    assert_true(warns_of(&fit, "bound"));
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

/* From w = 1.6 the motion is out of step with the measured one, w = 2.2: the search ends in another minimum and says so. Stages
 * or starts find the best. */
static void test_minima(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(oscillator_text);
    static const char *const x_only[] = {"x"};
    static double t[DATA], value[DATA];
    carom_random random = {5};
    for (int i = 0; i < DATA; i++)
        t[i] = 0.2 * (i + 1);
    const carom_fit_data data = {.name = "wall.csv", .count = DATA, .t = t, .value = value};
    const carom_fit_parameter parameter[] = {{.name = "e", .start = 0.6, .low = 0.5, .high = 0.95},
                                             {.name = "w", .start = 1.6, .low = 1.5, .high = 3.0}};
    carom_fit_request request = request_of(experiment, &data, parameter, 2);
    request.output = x_only;
    predict(&request, (double[]){0.8, 2.2}, value);
    for (int i = 0; i < DATA; i++)
        value[i] += 0.01 * noise(&random);
    request.stages = 1;
    carom_fit alone = fit_of(&request);
    assert_true(fabs(alone.parameter[1].value - 2.2) > 0.1);
    assert_true(alone.rms > 0.3 && warns_of(&alone, "--starts"));
    request.stages = 0;
    carom_fit stages = fit_of(&request);
    assert_true(fabs(stages.parameter[1].value - 2.2) < 0.001 && stages.rms < 0.012);
    assert_int_equal(stages.warnings, 0);
    request.starts = 12;
    request.threads = 2;
    carom_fit starts = fit_of(&request);
    assert_true(fabs(starts.parameter[1].value - 2.2) < 0.001 && starts.rms < 0.012);
    assert_int_equal(starts.starts, 12);
    assert_true(starts.same_end >= 1 && starts.best_start > 0 && starts.runs > alone.runs);
    request.threads = 1;
    carom_fit again = fit_of(&request);
    assert_true(again.parameter[1].value == starts.parameter[1].value && again.runs == starts.runs);
    carom_fit_free(&alone);
    carom_fit_free(&starts);
    carom_fit_free(&again);
    carom_fit_free(&stages);
    carom_experiment_free(experiment);
}

/* Two columns of different units and noise weigh what their noise says. */
static void test_columns(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.0, 1);
    carom_random random = {77};
    for (int i = DATA - 1; i >= 0; i--) {
        const double y = of.value[i];
        of.value[2 * i] = y + 0.003 * noise(&random);
        of.value[2 * i + 1] = 1000.0 * y + 60.0 * noise(&random);
    }
    const char *const output[] = {"y", "1000*height"};
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 2);
    request.output = output;
    request.output_count = 2;
    carom_fit fit = fit_of(&request);
    assert_true(fabs(fit.column[0].sigma / 0.003 - 1.0) < 0.2 &&
                fabs(fit.column[1].sigma / 60.0 - 1.0) < 0.2);
    assert_true(fabs(fit.column[0].rms / fit.column[0].sigma - 1.0) < 0.03);
    assert_true(fabs(fit.variance - 1.0) < 0.05);
    assert_true(fabs(fit.parameter[0].value - 0.8) < 4.0 * fit.parameter[0].error &&
                fit.parameter[0].error < 1e-3);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_data),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_missing_and_weighted),
        cmocka_unit_test(test_standard_error),
        cmocka_unit_test(test_several_motions),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_outliers),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_minima),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
