/* What a fit refuses, what it makes of schemes with time steps, and how it is interrupted and goes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "samples.h"

/* ---- what is refused -------------------------------------------------------------------------------------- */

static void refuse(const carom_fit_request *request, carom_status status, const char *part)
{
    carom_fit fit;
    carom_error error = {0};
    const carom_status found = carom_fit_run(request, &fit, &error);
    if (found != status)
        fail_msg("status %d in place of %d, where this is expected: %s; said: %s", (int)found, (int)status,
                 part, error.text);
    if (!strstr(error.text, part))
        fail_msg("'%s' is not in: %s", part, error.text);
    carom_fit_free(&fit);
}

static void test_refused_parameters(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    const struct {
        carom_fit_parameter parameter;
        const char *part;
    } cases[] = {
        {{.name = "f"}, "there is no 'f'; there are e, g, m, n, h, y0, q:y, v:y"},
        {{.name = "q:z"}, "there is no 'q:z'"},
        {{.name = "n"}, "whole number"},
        {{.name = "h"}, "the step"},
        {{.name = "shape"}, "setting"},
        {{.name = "m"}, "depends on 'm'"},
        {{.name = "e", .start = 1.5}, "not in its range"},
        {{.name = "e", .low = 0.5, .high = 0.4}, "no range"},
        {{.name = "e", .high = 2.0}, "leave the range"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const carom_fit_request request = request_of(experiment, &of.data, &cases[i].parameter, 1);
        refuse(&request, CAROM_BAD_INPUT, cases[i].part);
    }
    const carom_fit_parameter twice[] = {{.name = "e"}, {.name = "e"}}, height[] = {{.name = "v:y"}},
                              e[] = {{.name = "e"}};
    carom_fit_request request = request_of(experiment, &of.data, twice, 2);
    refuse(&request, CAROM_BAD_INPUT, "twice");
    request = request_of(experiment, &of.data, height, 1);
    request.starts = 5;
    refuse(&request, CAROM_BAD_INPUT, "need bounds");
    request = request_of(experiment, &of.data, e, 0);
    refuse(&request, CAROM_BAD_INPUT, "no parameters");
    request = request_of(experiment, &of.data, e, 1);
    request.scheme = "no-such";
    refuse(&request, CAROM_BAD_INPUT, "no-such");
    request = request_of(experiment, &of.data, e, 1);
    request.scheme = "moreau-jean";
    request.output = (const char *const[]){"y"};
    request.derivatives = CAROM_FIT_EXACT; /* possible, though it leads nowhere good */
    carom_fit fit = fit_of(&request);
    assert_true(fit.exact);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

static void test_refused_data(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    const carom_fit_parameter parameter[] = {{.name = "e"}};
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    carom_fit_request request = request_of(experiment, &of.data, parameter, 1);
    of.t[40] = of.t[39];
    refuse(&request, CAROM_BAD_INPUT, "row 41 is not later");
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    of.t[0] = -0.1;
    refuse(&request, CAROM_BAD_INPUT, "before the motion begins");
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    of.data.count = 1;
    refuse(&request, CAROM_BAD_INPUT, "1 data for 1 parameters");
    for (int i = 0; i < DATA; i++)
        of.value[i] = NAN;
    refuse(&request, CAROM_BAD_INPUT, "not one datum");
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    of.data.sigma = of.sigma;
    refuse(&request, CAROM_BAD_INPUT, "standard deviation 0");
    of.data.sigma = NULL;
    const carom_fit_value wrong = {"z", 1.0}, far = {"e", 7.0}, below = {"q:y", -1.0};
    of.data.set_count = 1;
    of.data.set = &wrong;
    refuse(&request, CAROM_BAD_INPUT, "ball.csv: there is no 'z'");
    of.data.set = &far;
    refuse(&request, CAROM_BAD_INPUT, "out of range");
    of.data.set = &below;
    refuse(&request, CAROM_BAD_INPUT, "where the fit starts (e = 0.7): ");
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    request.output = (const char *const[]){"2*z"};
    refuse(&request, CAROM_BAD_INPUT, "It may use y, height, speed, twice, dot(coordinate)");
    request.output = (const char *const[]){"2*e"};
    refuse(&request, CAROM_BAD_INPUT, "does not depend on the motion");
    request.output_count = 0;
    refuse(&request, CAROM_BAD_INPUT, "nothing says what was measured");
    request.events = "ceiling";
    refuse(&request, CAROM_BAD_INPUT, "floor");
    request.events = "floor";
    refuse(&request, CAROM_BAD_INPUT, "times of impacts must grow");
    const double early[] = {0.01, 0.02, 0.03};
    const carom_fit_data few = {.name = "impacts", .count = 3, .value = early};
    request.data = &few;
    refuse(&request, CAROM_FAILED, "has only 0 impacts");
    carom_experiment_free(experiment);
}

/* What is left out is said, whatever it is. */
static void test_zeroed(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    carom_fit_request request = {0};
    refuse(&request, CAROM_BAD_INPUT, "no model");
    request.experiment = experiment;
    refuse(&request, CAROM_BAD_INPUT, "nothing says what was measured");
    request.output_count = 1;
    request.output = (const char *const[]){NULL};
    refuse(&request, CAROM_BAD_INPUT, "formula");
    request.output = (const char *const[]){"y"};
    refuse(&request, CAROM_BAD_INPUT, "no data");
    carom_fit_data data = {0};
    request.data = &data;
    request.data_count = 1;
    refuse(&request, CAROM_BAD_INPUT, "no name");
    data.name = "data";
    refuse(&request, CAROM_BAD_INPUT, "no values");
    const double value[] = {1.0, 0.9, 0.8}, t[] = {0.0, 0.1, 0.2};
    data.value = value;
    data.count = 3;
    refuse(&request, CAROM_BAD_INPUT, "no times");
    data.t = t;
    refuse(&request, CAROM_BAD_INPUT, "no parameters");
    request.parameter_count = 1;
    request.parameter = &(carom_fit_parameter){0};
    refuse(&request, CAROM_BAD_INPUT, "a name is missing");
    request.parameter = &(carom_fit_parameter){.name = "q:y"};
    carom_fit fit = fit_of(&request);
    assert_string_equal(fit.word, "ok");
    carom_fit_free(&fit);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

/* Between the outputs of a time stepping scheme: derivatives of what is interpolated, with stick and slip; and values against a
 * spring's closed form, to the order of the scheme. */
static void test_time_steps(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(belt_text);
    double t[DATA], value[DATA] = {0};
    for (int i = 0; i < DATA; i++)
        t[i] = 0.0537 * (i + 1);
    const carom_fit_data data = {.name = "belt", .count = DATA, .t = t, .value = value};
    const carom_fit_parameter parameter[] = {{.name = "k"}, {.name = "mu"}, {.name = "v:x"}};
    carom_fit_request request = request_of(experiment, &data, parameter, 3);
    request.output = (const char *const[]){"x + 0.3*dot(x)"};
    request.scheme = "moreau-jean";
    request.h = 0.01;
    fit_problem problem;
    carom_error error = {0};
    assert_int_equal(fit_problem_create(&request, &problem, &error), CAROM_OK);
    const double x[] = {1.6, 0.3, 0.1};
    int rows = DATA, first = 0;
    fit_view view = {.problem = &problem, .rows = &rows, .first = &first, .residuals = DATA, .threads = 1};
    static double J[2][DATA * 3], r[DATA];
    assert_int_equal(fit_choose_derivatives(&problem, x, &error), CAROM_OK);
    assert_true(problem.together);
    for (int i = 0; i < 2; i++) {
        problem.together = i == 0;
        assert_int_equal(fit_view_evaluate(&view, x, r, J[i], &error), CAROM_OK);
    }
    double largest = 0.0, worst = 0.0;
    for (int i = 0; i < DATA * 3; i++) {
        largest = fmax(largest, fabs(J[0][i]));
        worst = fmax(worst, fabs(J[0][i] - J[1][i]));
    }
    assert_true(largest > 0.5 && worst < 1e-4 * largest);
    fit_problem_free(&problem);

    /* mu = 0: x'' + c x' + k x = 0 from x = 0, v = 1 */
    const double k = 1.5, c = 0.05, w = sqrt(k - 0.25 * c * c);
    double before = 0.0;
    const carom_fit_value none = {"mu", 0.0};
    const carom_fit_data spring = {
        .name = "spring", .count = DATA, .t = t, .value = value, .set = &none, .set_count = 1};
    request.data = &spring;
    request.output = (const char *const[]){"x"};
    request.parameter = &(carom_fit_parameter){.name = "v:x"};
    request.parameter_count = 1;
    for (int half = 0; half < 2; half++) {
        double off = 0.0;
        request.h = half ? 0.05 : 0.1;
        predict(&request, (double[]){1.0}, value);
        for (int i = 0; i < DATA; i++)
            off = fmax(off, fabs(value[i] - exp(-0.5 * c * t[i]) * sin(w * t[i]) / w));
        assert_true(half ? off < 0.27 * before : off < 0.02);
        before = off;
    }
    carom_experiment_free(experiment);
}

/* A scheme with steps of its own. */
static void test_penalty(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.0, 1);
    of.data.count = 30; /* in free fall */
    const carom_fit_parameter parameter[] = {{.name = "g"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 1);
    request.scheme = "penalty";
    carom_fit fit = fit_of(&request);
    assert_true(fabs(fit.parameter[0].value - 9.81) < 1e-6);
    carom_fit_free(&fit);
    carom_experiment_free(experiment);
}

/* ---- interruption ------------------------------------------------------------------------------------------ */

static bool stop_after(void *context, double done, double total)
{
    (void)total;
    return done < *(const double *)context;
}

static void test_interruption(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    const carom_fit_parameter parameter[] = {{.name = "e"}, {.name = "g"}};
    carom_fit_request request = request_of(experiment, &of.data, parameter, 2);
    for (double runs = 1.0; runs < 5.0; runs += 1.0) {
        request.progress = (carom_progress){.report = stop_after, .context = &runs};
        carom_fit fit;
        carom_error error = {0};
        assert_int_equal(carom_fit_run(&request, &fit, &error), CAROM_INTERRUPTED);
        if (runs >= 4.0) {
            assert_string_equal(fit.word, "interrupted");
            assert_true(fabs(fit.parameter[0].value - 0.8) < 0.05);
        }
        carom_fit_free(&fit);
    }
    carom_experiment_free(experiment);
}

/* ---- going on ------------------------------------------------------------------------------------------------ */

enum {
    SHELF = 4000
};

typedef struct kept_bytes {
    void *key, *bytes;
    size_t key_count, count;
} kept_bytes;

typedef struct shelf {
    int count, kept, recalled; /* entries; calls */
    kept_bytes entry[SHELF];
} shelf;

static void *copy_of(const void *bytes, size_t count)
{
    void *copy = malloc(count + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, count);
    return copy;
}

static carom_status put(void *context, const void *key, size_t key_count, const void *bytes, size_t count,
                        carom_error *error)
{
    shelf *self = context;
    (void)error;
    self->kept++;
    assert_true(self->count < SHELF);
    self->entry[self->count++] =
        (kept_bytes){copy_of(key, key_count), copy_of(bytes, count), key_count, count};
    return CAROM_OK;
}

static void *get(void *context, const void *key, size_t key_count, size_t *count)
{
    shelf *self = context;
    for (int i = 0; i < self->count; i++)
        if (self->entry[i].key_count == key_count && memcmp(self->entry[i].key, key, key_count) == 0) {
            self->recalled++;
            *count = self->entry[i].count;
            return copy_of(self->entry[i].bytes, *count);
        }
    return NULL;
}

static void assert_same_fit(const carom_fit *a, const carom_fit *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->runs, b->runs);
    assert_int_equal(a->failed_runs, b->failed_runs);
    assert_int_equal(a->iterations, b->iterations);
    assert_string_equal(a->word, b->word);
    for (int i = 0; i < a->count; i++) {
        assert_memory_equal(&a->parameter[i].value, &b->parameter[i].value, sizeof(double));
        assert_memory_equal(&a->parameter[i].error, &b->parameter[i].error, sizeof(double));
    }
    assert_memory_equal(&a->misfit, &b->misfit, sizeof(double));
}

/* Interrupted, and made again from what was kept: nothing twice, and the same bits as without. One start and several, exact
 * derivatives and differences. */
static void test_goes_on(void **state)
{
    (void)state;
    carom_experiment *experiment = load_model(ball_text);
    sample of;
    measure_ball(&of, 0.8, 9.81, 1.0, 0.004, 5);
    const carom_fit_parameter parameter[] = {{.name = "e", .low = 0.5, .high = 0.95},
                                             {.name = "g", .low = 8.0, .high = 11.0}};
    for (int way = 0; way < 3; way++) {
        carom_fit_request request = request_of(experiment, &of.data, parameter, 2);
        request.starts = way == 1 ? 4 : 1;
        request.derivatives = way == 2 ? CAROM_FIT_DIFFERENCES : CAROM_FIT_BEST;
        request.threads = 2;
        carom_fit whole = fit_of(&request);
        shelf *kept = calloc(1, sizeof *kept);
        assert_non_null(kept);
        request.recall = get;
        request.keep = put;
        request.keep_context = kept;
        double runs = 0.5 * (double)whole.runs;
        request.progress = (carom_progress){.report = stop_after, .context = &runs};
        carom_fit part;
        carom_error error = {0};
        assert_int_equal(carom_fit_run(&request, &part, &error), CAROM_INTERRUPTED);
        const int before = kept->kept;
        assert_true(before > 0 && kept->recalled == 0);
        request.progress = (carom_progress){0};
        carom_fit rest = fit_of(&request);
        assert_same_fit(&whole, &rest);
        assert_true(kept->recalled >= before); /* all of them, some asked for twice */
        for (int i = before; i < kept->count; i++)
            for (int k = 0; k < before; k++)
                assert_true(kept->entry[i].key_count != kept->entry[k].key_count ||
                            memcmp(kept->entry[i].key, kept->entry[k].key, kept->entry[i].key_count) != 0);
        for (int i = 0; i < kept->count; i++) {
            free(kept->entry[i].key);
            free(kept->entry[i].bytes);
        }
        free(kept);
        carom_fit_free(&whole);
        carom_fit_free(&part);
        carom_fit_free(&rest);
    }
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_parameters),
        cmocka_unit_test(test_refused_data),
        cmocka_unit_test(test_zeroed),
        cmocka_unit_test(test_time_steps),
        cmocka_unit_test(test_penalty),
        cmocka_unit_test(test_interruption),
        cmocka_unit_test(test_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
