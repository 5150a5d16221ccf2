#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"

/* `hops` shapes the model; a kick upwards is one that grows, a large one up to infinity; `wall` above the
 * start is a start that is refused. */
static const char ball[] = "local e = param { 'e', 0.5, min = 0, max = 1 }\n"
                           "local n = param { 'n', 1, integer = true }\n"
                           "local kick = param { 'kick', 0 }\n"
                           "local wall = param { 'wall', 0 }\n"
                           "local h = param { 'h', 0.01, min = 0 }\n"
                           "local t_end = param { 't_end', 1.5 }\n"
                           "local hops = setting { 'hops', 2, integer = true, min = 1 }\n"
                           "local y = coordinates('y')\n"
                           "mass(1)\n"
                           "potential(9.81 * y)\n"
                           "force { y = kick * dot(y)^3 }\n"
                           "contact { 'floor', gap = y - wall, restitution = e }\n"
                           "initial { y = n, [dot(y)] = kick }\n"
                           "integrate { scheme = 'moreau-jean', h = h, until_t = t_end }\n"
                           "local sum = 0\n"
                           "for i = 1, hops do sum = sum + y end\n"
                           "measure { final = y, hopped = maximum(sum), none = first(release 'floor'),\n"
                           "          times = times(impact 'floor'), heights = peaks(y) }\n";

static carom_status load_with(void *context, int count, const carom_override *value,
                              carom_experiment **experiment, carom_error *error)
{
    (void)context;
    const carom_load_request request = {
        .name = "ball", .file = "ball.lua", .text = ball, .override_count = count, .override = value};
    return carom_experiment_load(&request, experiment, error);
}

static carom_experiment *load(int count, const carom_override *value)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (load_with(NULL, count, value, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static const char *const restitutions[] = {"0", "0.3", "0.45", "0.9", "1"}, *const steps[] = {"0.01",
                                                                                              "0.003"};
static const char *const schemes[] = {"moreau-jean", "elast", "sweeping"}, *const hops[] = {"1", "3", "7"};

#define AXIS(axis_name, values) ((carom_sweep_axis){axis_name, sizeof(values) / sizeof *(values), values})

static carom_sweep_request over(const carom_experiment *experiment, carom_sweep_axis axis)
{
    return (carom_sweep_request){.experiment = experiment,
                                 .axis_count = 1,
                                 .axis = {axis},
                                 .h = NAN,
                                 .until = NAN,
                                 .threads = 2,
                                 .load = load_with};
}

static carom_sweep_request over_two(const carom_experiment *experiment, carom_sweep_axis first,
                                    carom_sweep_axis second)
{
    carom_sweep_request request = over(experiment, first);
    request.axis_count = 2;
    request.axis[1] = second;
    return request;
}

static void sweep_all(const carom_sweep_request *request, carom_sweep *sweep)
{
    carom_error error = {0};
    if (carom_sweep_run(request, sweep, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static void check_same_bits(const carom_measured *a, const carom_measured *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->is_array, b->is_array);
    if (a->count > 0)
        assert_memory_equal(a->value, b->value, (size_t)a->count * sizeof *a->value);
}

/* The point is what a run by itself with these values gives. */
static void check_point(const carom_sweep_point *point, const char *scheme, int count,
                        const carom_override *value)
{
    carom_experiment *experiment = load(count, value);
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .h = NAN, .until = NAN};
    carom_run_result result;
    carom_error error = {0};
    assert_int_equal(carom_run(&request, &result, &error), point->status);
    assert_true(point->done);
    assert_int_equal(point->steps, result.steps);
    assert_string_equal(point->word, result.word);
    for (int i = 0; i < result.measure_count; i++)
        check_same_bits(&point->measure[i], &result.measure[i]);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* ---- values --------------------------------------------------------------------------------------- */

static void points_are_single_runs(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    const carom_sweep_request request = over_two(experiment, AXIS("e", restitutions), AXIS("h", steps));
    carom_sweep sweep;
    sweep_all(&request, &sweep);
    assert_int_equal(sweep.point_count, 10);
    assert_int_equal(sweep.measure_count, experiment->measure_count);
    for (int i = 0; i < sweep.point_count; i++) {
        const carom_override value[] = {{"e", (char *)restitutions[i / 2]}, {"h", (char *)steps[i % 2]}};
        check_point(&sweep.point[i], NULL, 2, value);
    }
    assert_true(experiment->parameter[0] == 0.5); /* untouched */
    carom_sweep_free(&sweep);
    carom_experiment_free(experiment);
}

static void settings_load_the_model_anew(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    const carom_sweep_request request = over_two(experiment, AXIS("hops", hops), AXIS("e", restitutions));
    carom_sweep sweep;
    sweep_all(&request, &sweep);
    for (int i = 0; i < sweep.point_count; i++) {
        const carom_override value[] = {{"hops", (char *)hops[i / 5]}, {"e", (char *)restitutions[i % 5]}};
        check_point(&sweep.point[i], NULL, 2, value);
        assert_true(fabs(sweep.point[i].measure[2].value[0] - strtod(hops[i / 5], NULL)) < 1e-14);
    }
    assert_string_equal(sweep.measure[2], "hopped");
    carom_sweep_free(&sweep);
    carom_experiment_free(experiment);
}

static void schemes_take_the_options_they_know(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    const carom_option theta[] = {{"theta", 1.0}, {0}};
    carom_sweep_request request = over(experiment, AXIS("scheme", schemes));
    request.option = theta;
    carom_sweep sweep;
    sweep_all(&request, &sweep);
    /* elast has restitution 1 by its rule and refuses 0.5; its neighbours do not mind. */
    assert_int_equal(sweep.point[0].status, CAROM_OK);
    assert_int_equal(sweep.point[1].status, CAROM_BAD_INPUT);
    assert_string_equal(sweep.point[1].word, "bad-input");
    assert_non_null(strstr(sweep.point[1].message, "restitution"));
    assert_int_equal(sweep.point[1].measure[0].count, 0);
    assert_int_equal(sweep.point[2].status, CAROM_OK);
    check_point(&sweep.point[2], "sweeping", 0, NULL);
    carom_sweep_free(&sweep);
    carom_experiment_free(experiment);
}

static void asked_measures_come_in_their_order(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    static const char *const wanted[] = {"times", "final"};
    carom_sweep_request request = over(experiment, AXIS("e", restitutions));
    request.measure = wanted;
    request.measure_count = 2;
    carom_sweep sweep;
    sweep_all(&request, &sweep);
    assert_int_equal(sweep.measure_count, 2);
    assert_string_equal(sweep.measure[0], "times");
    assert_true(sweep.point[3].measure[0].is_array && sweep.point[3].measure[0].count > 1);
    assert_true(!sweep.point[3].measure[1].is_array && sweep.point[3].measure[1].count == 1);
    carom_sweep_free(&sweep);
    carom_experiment_free(experiment);
}

static void check_same_sweep(const carom_sweep *a, const carom_sweep *b)
{
    assert_int_equal(a->point_count, b->point_count);
    for (int i = 0; i < a->point_count; i++) {
        assert_int_equal(a->point[i].steps, b->point[i].steps);
        assert_string_equal(a->point[i].word, b->point[i].word);
        assert_int_equal(!a->point[i].message, !b->point[i].message);
        if (a->point[i].message)
            assert_string_equal(a->point[i].message, b->point[i].message);
        for (int k = 0; k < a->measure_count; k++)
            check_same_bits(&a->point[i].measure[k], &b->point[i].measure[k]);
    }
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    static const char *const kicks[] = {"0", "-1e6", "1e-3", "0.1"};
    static const int threads[] = {1, 2, 5, 0};
    carom_sweep_request request = over_two(experiment, AXIS("kick", kicks), AXIS("e", restitutions));
    carom_sweep first;
    request.threads = 1;
    sweep_all(&request, &first);
    assert_int_equal(first.threads, 1);
    for (int i = 1; i < 4; i++) {
        carom_sweep sweep;
        request.threads = threads[i];
        sweep_all(&request, &sweep);
        if (threads[i] > 0)
            assert_int_equal(sweep.threads, threads[i]);
        else
            assert_true(sweep.threads >= 1);
        check_same_sweep(&first, &sweep);
        carom_sweep_free(&sweep);
    }
    carom_sweep_free(&first);
    carom_experiment_free(experiment);
}

/* ---- what goes wrong ------------------------------------------------------------------------------- */

static void a_failed_point_keeps_what_it_had(void **state)
{
    (void)state;
    static const char *const kicks[] = {"0", "50", "1e-3"};
    carom_override inelastic[] = {{"e", "0"}};
    carom_experiment *experiment = load(1, inelastic);
    carom_sweep_request request = over(experiment, AXIS("kick", kicks));
    request.scheme = "inel";
    carom_sweep sweep;
    sweep_all(&request, &sweep);
    assert_int_equal(sweep.point[0].status, CAROM_OK);
    assert_null(sweep.point[0].message);
    assert_int_equal(sweep.point[1].status, CAROM_FAILED);
    assert_true(sweep.point[1].done && sweep.point[1].steps > 0 && sweep.point[1].steps < 150);
    assert_non_null(sweep.point[1].message);
    assert_int_equal(sweep.point[1].measure[0].count, 1);
    assert_int_equal(sweep.point[2].status, CAROM_OK);
    carom_sweep_free(&sweep);
    carom_experiment_free(experiment);
}

typedef struct patience {
    int points, most;
} patience;

static bool until_enough(void *context, double done, double total)
{
    patience *left = context;
    assert_true(done <= total && total == 5.0);
    left->most = done > left->most ? (int)done : left->most;
    return done < left->points;
}

static void an_interrupted_sweep_keeps_the_points_done(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    carom_sweep_request request = over(experiment, AXIS("e", restitutions));
    patience left = {.points = 3};
    request.threads = 1;
    request.progress = (carom_progress){until_enough, &left};
    carom_sweep sweep;
    carom_error error = {0};
    assert_int_equal(carom_sweep_run(&request, &sweep, &error), CAROM_INTERRUPTED);
    assert_string_equal(error.text, "interrupted after 3 of 5 points");
    assert_int_equal(left.most, 3);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(sweep.point[i].done, i < 3);
        assert_int_equal(sweep.point[i].status, i < 3 ? CAROM_OK : CAROM_INTERRUPTED);
        assert_int_equal(sweep.point[i].measure[0].count, i < 3 ? 1 : 0);
    }
    assert_string_equal(sweep.point[4].word, "interrupted");
    carom_sweep_free(&sweep);

    /* A point that is asked to stop on its way is not kept; stopping after the last point is no interruption.
     */
    request.until = 1e7;
    left = (patience){.points = 0};
    assert_int_equal(carom_sweep_run(&request, &sweep, &error), CAROM_INTERRUPTED);
    assert_false(sweep.point[0].done);
    assert_int_equal(sweep.point[0].measure[0].count, 0);
    carom_sweep_free(&sweep);
    request.until = NAN;
    left = (patience){.points = 5};
    assert_int_equal(carom_sweep_run(&request, &sweep, &error), CAROM_OK);
    assert_int_equal(left.most, 5);
    carom_sweep_free(&sweep);
    carom_experiment_free(experiment);
}

static void check_refused(const carom_sweep_request *request, const char *text)
{
    carom_sweep sweep;
    carom_error error = {0};
    assert_int_equal(carom_sweep_run(request, &sweep, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, text))
        fail_msg("the message\n  %s\ndoes not hold '%s'", error.text, text);
    assert_null(sweep.point);
    carom_sweep_free(&sweep);
}

static void check_axis_refused(const carom_experiment *experiment, carom_sweep_axis axis, const char *text)
{
    const carom_sweep_request request = over(experiment, axis);
    check_refused(&request, text);
}

static void wrong_axes_are_refused(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    static const char *const bad_last[] = {"0", "0.5", "0,6"}, *const too_large[] = {"0.5", "1.5"};
    static const char *const broken[] = {"1", "2.5"}, *const twice[] = {"0.5", "0.2", "0.50"};
    static const char *const wrong_scheme[] = {"moreau-jean", "sweping"}, *const no_hops[] = {"2", "0"};
    check_axis_refused(experiment, AXIS("e", bad_last), "parameter 'e' = '0,6' is not a number");
    check_axis_refused(experiment, AXIS("e", too_large), "from 0 to 1");
    check_axis_refused(experiment, AXIS("n", broken), "whole number");
    check_axis_refused(experiment, AXIS("e", twice), "0.50 is there twice");
    check_axis_refused(experiment, AXIS("scheme", wrong_scheme), "sweeping");
    check_axis_refused(experiment, AXIS("hops", no_hops), "setting 'hops' = 0");
    check_axis_refused(experiment, AXIS("kik", restitutions), "did you mean 'kick'");
    check_axis_refused(experiment, AXIS("kik", restitutions), "'scheme' sweeps over schemes");
    check_axis_refused(experiment, (carom_sweep_axis){"e", 0, restitutions}, "no values for 'e'");

    carom_sweep_request request = over(experiment, AXIS("hops", hops));
    request.load = NULL;
    check_refused(&request, "shapes the model");
    request.axis_count = 0;
    check_refused(&request, "one or two");
    request.axis_count = 3;
    check_refused(&request, "one or two");
    request = over_two(experiment, AXIS("e", restitutions), AXIS("e", restitutions));
    check_refused(&request, "both axes are 'e'");
    carom_experiment_free(experiment);
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    carom_experiment *experiment = load(0, NULL);
    static const char *const finall[] = {"finall"}, *const two_times[] = {"final", "final"};
    static const char *const ends[] = {"1", "2"}, *const inside[] = {"1.5", "2"};
    const carom_option theta[] = {{"thet", 1.0}, {0}};
    carom_sweep_request request = over(experiment, AXIS("e", restitutions));
    request.measure = finall;
    request.measure_count = 1;
    check_refused(&request, "did you mean 'final'? known: final, heights");
    request.measure = two_times;
    request.measure_count = 2;
    check_refused(&request, "asked for twice");
    request = over(experiment, AXIS("e", restitutions));
    request.threads = -1;
    check_refused(&request, "-1 threads");
    request.threads = 100000;
    check_refused(&request, "100000 threads");

    request = over(experiment, AXIS("h", steps));
    request.h = 0.1;
    check_refused(&request, "a step size is given");
    request = over(experiment, AXIS("t_end", ends));
    request.until = 1.0;
    check_refused(&request, "an end time is given");
    request = over(experiment, AXIS("scheme", schemes));
    request.scheme = "inel";
    check_refused(&request, "a scheme is given");
    request.scheme = NULL;
    request.option = theta;
    check_refused(&request, "no scheme of this sweep has it");

    /* Points that are refused one by one: when none is left, the sweep is. */
    check_axis_refused(experiment, AXIS("wall", inside), "no point of the sweep could be started");
    check_axis_refused(experiment, (carom_sweep_axis){"wall", 1, inside}, "initial position violates");
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_single_runs),
        cmocka_unit_test(settings_load_the_model_anew),
        cmocka_unit_test(schemes_take_the_options_they_know),
        cmocka_unit_test(asked_measures_come_in_their_order),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_failed_point_keeps_what_it_had),
        cmocka_unit_test(an_interrupted_sweep_keeps_the_points_done),
        cmocka_unit_test(wrong_axes_are_refused),
        cmocka_unit_test(wrong_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
