#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "particle.h"

/* Positions of a row of the particle with two columns. */
enum {
    X = 1,
    Y = 2,
    ENERGY = 5,
    GAP = 6,
    IMPULSE = 7,
    BRANCH = 10,
    COLUMN = 11,
};

/* The particle's motion is x = t, y = 1 + t/2; columns x^2 and the floor's impulse; measures of both. */
static carom_measure measures[] = {
    {.name = "last_square", .ops = &carom_reduce_final, .column = 0, .from = -1, .to = -1, .every = -1},
    {.name = "largest_impulse", .ops = &carom_reduce_maximum, .column = 1, .from = -1, .to = -1, .every = -1},
    {.name = "impacts", .ops = &carom_reduce_times, .column = -1, .from = -1, .to = -1, .every = -1},
};

static carom_experiment *measured_experiment(void)
{
    particle_experiment built = particle_begin();
    carom_graph *graph = built.experiment->graph;
    carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0);
    add_column(&built, carom_binary(graph, CAROM_OP_MUL, x, x));
    add_column(&built, carom_leaf(graph, CAROM_OP_IMPULSE, 0));
    built.experiment->measure_count = 3;
    built.experiment->measure = measures;
    return particle_end(&built);
}

static carom_run_request request_of(const carom_experiment *experiment)
{
    return (carom_run_request){.experiment = experiment, .scheme_ops = &drift_scheme};
}

static void expect_row(const double *row, double t)
{
    assert_true(row[0] == t);
    assert_true(row[X] == t);
    assert_true(row[Y] == 1.0 + 0.5 * t);
    assert_true(row[GAP] == 1.0 + 0.5 * t);
    assert_true(row[ENERGY] == 0.625 + 10.0 * (1.0 + 0.5 * t));
    assert_true(row[COLUMN] == t * t);
    assert_true(row[COLUMN + 1] == row[IMPULSE]);
}

static void a_run_gives_rows_measures_and_counters(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    carom_series series = {.layout = carom_row_layout_of(experiment)};
    carom_recorder recorders[] = {carom_series_recorder(&series), {0}};
    const carom_option options[] = {{"touch_from", 3.0}, {"touch_to", .word = "5"}, {0}};
    carom_run_request request = request_of(experiment);
    request.recorder_count = 2;
    request.recorder = recorders;
    request.option = options;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);

    assert_string_equal(result.word, "ok");
    assert_string_equal(result.message, "");
    assert_ptr_equal(result.scheme, &drift_scheme);
    assert_int_equal(result.steps, 8);
    assert_int_equal(result.steps_planned, 8);
    assert_int_equal(result.counts.steps, 8);
    assert_true(result.h == 0.125 && result.t0 == 0.0 && result.t_end == 1.0);
    assert_true(result.wall_seconds >= 0.0);
    assert_int_equal(series.count, 9);
    for (size_t i = 0; i < series.count; i++) {
        const double *row = carom_series_row(&series, i);
        expect_row(row, 0.125 * (double)i);
        assert_true(row[BRANCH] == (i >= 3 && i <= 5 ? 1.0 : 0.0));
    }
    expect_row(result.initial, 0.0);
    expect_row(result.final, 1.0);
    assert_true(result.energy_initial == 10.625 && result.energy_final == 15.625);
    assert_true(result.max_step_gain == 0.625);
    assert_true(result.max_penetration == 0.0);
    assert_int_equal(result.impacts, 1);

    assert_int_equal(result.measure_count, 3);
    assert_true(result.measure[0].value[0] == 1.0);
    assert_true(result.measure[1].value[0] == 5.0);
    assert_true(result.measure[2].is_array);
    assert_int_equal(result.measure[2].count, 1);
    assert_true(result.measure[2].value[0] == 0.375);
    assert_int_equal(result.option_count, OPTION_COUNT);
    assert_true(result.option[OPTION_TOUCH_TO] == 5.0);
    assert_true(result.values[experiment->h] == 0.125);
    carom_run_result_free(&result);
    assert_null(result.measure);
    carom_series_free(&series);
    carom_experiment_free(experiment);
}

static void penetration_and_energy_loss_are_counted(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    built.experiment->v0[1] = add_value(&built, -2.0);
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    assert_true(result.max_penetration == 1.0);
    assert_true(result.max_step_gain == 0.0);
    assert_int_equal(result.impacts, 0);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void every_kth_row_and_the_last_are_recorded(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    carom_series series = {.layout = carom_row_layout_of(experiment)};
    carom_recorder recorder = carom_series_recorder(&series);
    const carom_option fail_at[] = {{"fail_at", 6.0}, {0}};
    carom_run_request request = request_of(experiment);
    request.recorder_count = 1;
    request.recorder = &recorder;
    request.record_every = 3;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    const double expected[] = {0.0, 0.375, 0.75, 1.0};
    assert_int_equal(series.count, 4);
    for (size_t i = 0; i < 4; i++)
        expect_row(carom_series_row(&series, i), expected[i]);
    carom_run_result_free(&result);
    carom_series_free(&series);

    /* the last good row is recorded also when the run ends early */
    request.option = fail_at;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_FAILED);
    const double until_failure[] = {0.0, 0.375, 0.625};
    assert_int_equal(series.count, 3);
    for (size_t i = 0; i < 3; i++)
        expect_row(carom_series_row(&series, i), until_failure[i]);
    carom_run_result_free(&result);
    carom_series_free(&series);
    carom_experiment_free(experiment);
}

/* Without measures nobody needs columns of other rows; where recorders take none, those of the ends are left. */
static void recorded_rows_have_their_columns(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    experiment->measure_count = 0;
    carom_series series = {.layout = carom_row_layout_of(experiment)};
    carom_recorder recorder = carom_series_recorder(&series);
    carom_run_request request = request_of(experiment);
    request.recorder_count = 1;
    request.recorder = &recorder;
    carom_run_result result;
    for (int every = 1; every <= 3; every += 2) {
        request.record_every = every;
        assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
        assert_int_equal(series.count, every == 1 ? 9 : 4);
        for (size_t i = 0; i < series.count; i++) {
            const double t = 0.125 * (double)i * (double)every;
            expect_row(carom_series_row(&series, i), t < 1.0 ? t : 1.0);
        }
        carom_run_result_free(&result);
        carom_series_free(&series);
    }

    request.no_columns = true;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    assert_int_equal(series.count, 4);
    assert_true(carom_series_row(&series, 2)[X] == 0.75);
    expect_row(result.initial, 0.0);
    expect_row(result.final, 1.0);
    carom_run_result_free(&result);
    carom_series_free(&series);
    carom_experiment_free(experiment);
}

/* Runs with one option and expects a failure after four good steps. */
static void expect_stop_after_four(const char *option, const char *word, const char *text)
{
    carom_experiment *experiment = measured_experiment();
    carom_series series = {.layout = carom_row_layout_of(experiment)};
    carom_recorder recorder = carom_series_recorder(&series);
    const carom_option options[] = {{option, .word = "5"}, {0}};
    const double times[] = {0.9, 0.25};
    carom_run_request request = request_of(experiment);
    request.recorder_count = 1;
    request.recorder = &recorder;
    request.option = options;
    request.sample_count = 2;
    request.sample_time = times;
    carom_run_result result;
    carom_error error;
    assert_int_equal(carom_run(&request, &result, &error), CAROM_FAILED);
    assert_int_equal(result.status, CAROM_FAILED);
    assert_string_equal(result.word, word);
    assert_string_equal(result.message, error.text);
    if (!strstr(result.message, text))
        fail_msg("'%s' is not in: %s", text, result.message);
    assert_int_equal(result.steps, 4);
    assert_int_equal(result.steps_planned, 8);
    assert_true(result.t_end == 0.5);
    assert_int_equal(series.count, 5);
    expect_row(carom_series_row(&series, 4), 0.5);
    expect_row(result.final, 0.5);
    assert_true(result.energy_final == 13.125);
    assert_true(result.measure[0].value[0] == 0.25);
    expect_row(result.sample, 0.5);
    expect_row(result.sample + result.layout.width, 0.25);
    carom_run_result_free(&result);
    carom_series_free(&series);
    carom_experiment_free(experiment);
}

static void a_failed_step_keeps_what_came_before(void **state)
{
    (void)state;
    expect_stop_after_four("fail_at", "failed", "after step 4 of 8, at t = 0.5: told to fail");
}

static void a_motion_that_blows_up_is_stopped(void **state)
{
    (void)state;
    expect_stop_after_four("blow_at", "blowup", "after step 5, at t = 0.625: velocity of 'y' is inf");
}

static void a_scheme_that_cannot_start_leaves_the_initial_state(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    const carom_option mood[] = {{"mood", .word = "no-start"}, {0}};
    carom_run_request request = request_of(experiment);
    request.option = mood;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_FAILED);
    assert_string_equal(result.word, "failed");
    assert_non_null(strstr(result.message, "before the first step, at t = 0: no start today"));
    assert_int_equal(result.steps, 0);
    expect_row(result.initial, 0.0);
    expect_row(result.final, 0.0);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* Nothing moves: a scheme that fails in its first step is not asked to make one. */
static void only_the_start_makes_no_step(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    const carom_option fails[] = {{"fail_at", 1.0}, {0}};
    const carom_option mood[] = {{"mood", .word = "no-start"}, {0}};
    carom_run_request request = request_of(experiment);
    request.option = fails;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_FAILED);
    carom_run_result_free(&result);
    request.only_start = true;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    assert_int_equal(result.steps, 0);
    expect_row(result.initial, 0.0);
    expect_row(result.final, 0.0);
    carom_run_result_free(&result);
    request.option = mood;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_FAILED);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void the_first_row_is_the_schemes_own(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    const carom_option mood[] = {{"mood", .word = "shifted"}, {0}};
    carom_run_request request = request_of(experiment);
    request.option = mood;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    assert_true(result.initial[X] == 100.0 && result.initial[COLUMN] == 1e4);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* Stops at the second report. */
static bool stop_at_second(void *context, double done, double total)
{
    int *calls = context;
    ++*calls;
    assert_true(done > 0.0 && done < total && total == 8000.0);
    return *calls < 2;
}

static void an_interrupted_run_keeps_what_came_before(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    int calls = 0;
    carom_run_request request = request_of(experiment);
    request.until = 1000.0;
    request.progress = (carom_progress){.report = stop_at_second, .context = &calls};
    for (int bare = 0; bare <= 1; bare++) {
        request.bare = bare;
        calls = 0;
        carom_run_result result;
        carom_error error;
        assert_int_equal(carom_run(&request, &result, &error), CAROM_INTERRUPTED);
        assert_string_equal(result.word, "interrupted");
        assert_true(result.steps > 0 && result.steps < 8000); /* when it was told a second time */
        char end[80];
        const double t = (double)result.steps / 8.0;
        carom_format(end, sizeof end, "after step %ld of 8000, at t = %.10g", result.steps, t);
        assert_non_null(strstr(result.message, end));
        assert_true(result.t_end == t);
        expect_row(result.final, t);
        carom_run_result_free(&result);
    }
    carom_experiment_free(experiment);
}

/* Fails at the third row. */
static carom_status full_disk(void *context, const double *row, carom_error *error)
{
    (void)row;
    int *rows = context;
    return ++*rows < 3 ? CAROM_OK : carom_fail(error, CAROM_IO_ERROR, "disk full");
}

static void a_recorder_that_fails_ends_the_run(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    int rows = 0;
    carom_recorder recorder = {.context = &rows, .row = full_disk};
    carom_run_request request = request_of(experiment);
    request.recorder_count = 1;
    request.recorder = &recorder;
    carom_run_result result;
    carom_error error;
    assert_int_equal(carom_run(&request, &result, &error), CAROM_IO_ERROR);
    assert_string_equal(result.word, "io-error");
    assert_non_null(strstr(result.message, "disk full"));
    assert_int_equal(rows, 3);
    assert_int_equal(result.steps, 2);
    expect_row(result.final, 0.25);
    carom_run_result_free(&result);

    /* a failure at the very last row, which only the end hands on */
    rows = 0;
    request.record_every = 5;
    assert_int_equal(carom_run(&request, &result, &error), CAROM_IO_ERROR);
    assert_int_equal(result.steps, 8);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static carom_status no_memory_recorder(void *context, const double *row, carom_error *error)
{
    (void)context, (void)row;
    return carom_fail_memory(error);
}

static void short_memory_leaves_nothing(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    carom_recorder recorder = {.row = no_memory_recorder};
    carom_run_request request = request_of(experiment);
    request.recorder_count = 1;
    request.recorder = &recorder;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_NO_MEMORY);
    assert_null(result.initial);
    assert_null(result.measure);
    assert_string_equal(result.word, "no-memory");
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void samples_are_the_nearest_outputs(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    const double times[] = {0.3, -4.0, 0.0625, 99.0, 1.0, 0.07};
    const double expected[] = {0.25, 0.0, 0.0, 1.0, 1.0, 0.125};
    carom_run_request request = request_of(experiment);
    request.sample_count = 6;
    request.sample_time = times;
    carom_run_result result;
    assert_int_equal(carom_run(&request, &result, NULL), CAROM_OK);
    assert_int_equal(result.sample_count, 6);
    for (int i = 0; i < 6; i++)
        expect_row(result.sample + i * result.layout.width, expected[i]);
    carom_run_result_free(&result);
    request.sample_time = (const double[]){0.0, NAN, 0.0, 0.0, 0.0, 0.0};
    carom_error error;
    assert_int_equal(carom_run(&request, &result, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "sample time 2"));
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void a_bare_run_ends_in_the_same_state(void **state)
{
    (void)state;
    carom_experiment *experiment = measured_experiment();
    carom_run_request request = request_of(experiment);
    carom_run_result full, bare;
    assert_int_equal(carom_run(&request, &full, NULL), CAROM_OK);
    int rows = 0;
    carom_recorder recorder = {.context = &rows, .row = full_disk};
    request.bare = true;
    request.recorder_count = 1;
    request.recorder = &recorder;
    assert_int_equal(carom_run(&request, &bare, NULL), CAROM_OK);
    assert_int_equal(rows, 0);
    assert_int_equal(bare.steps, 8);
    assert_int_equal(bare.measure_count, 0);
    size_t bytes = (size_t)full.layout.width * sizeof(double);
    assert_memory_equal(full.initial, bare.initial, bytes);
    assert_memory_equal(full.final, bare.final, bytes);
    assert_true(bare.t_end == 1.0 && bare.energy_final == full.energy_final);
    carom_run_result_free(&full);
    carom_run_result_free(&bare);

    carom_option options[] = {{"blow_at", 5.0}, {0}};
    request.option = options;
    assert_int_equal(carom_run(&request, &bare, NULL), CAROM_FAILED);
    assert_string_equal(bare.word, "blowup");
    expect_row(bare.final, 0.0);
    carom_run_result_free(&bare);
    options[0].name = "fail_at";
    assert_int_equal(carom_run(&request, &bare, NULL), CAROM_FAILED);
    assert_string_equal(bare.word, "failed");
    assert_int_equal(bare.steps, 4);
    expect_row(bare.final, 0.5);
    carom_run_result_free(&bare);
    carom_experiment_free(experiment);
}

static void the_public_entry_finds_the_scheme_by_name(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    request.scheme_ops = NULL;
    request.scheme = "no-such-scheme";
    carom_run_result result;
    carom_error error;
    assert_int_equal(carom_run(&request, &result, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "no-such-scheme"));
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_gives_rows_measures_and_counters),
        cmocka_unit_test(penetration_and_energy_loss_are_counted),
        cmocka_unit_test(every_kth_row_and_the_last_are_recorded),
        cmocka_unit_test(recorded_rows_have_their_columns),
        cmocka_unit_test(a_failed_step_keeps_what_came_before),
        cmocka_unit_test(a_motion_that_blows_up_is_stopped),
        cmocka_unit_test(a_scheme_that_cannot_start_leaves_the_initial_state),
        cmocka_unit_test(only_the_start_makes_no_step),
        cmocka_unit_test(the_first_row_is_the_schemes_own),
        cmocka_unit_test(an_interrupted_run_keeps_what_came_before),
        cmocka_unit_test(a_recorder_that_fails_ends_the_run),
        cmocka_unit_test(short_memory_leaves_nothing),
        cmocka_unit_test(samples_are_the_nearest_outputs),
        cmocka_unit_test(a_bare_run_ends_in_the_same_state),
        cmocka_unit_test(the_public_entry_finds_the_scheme_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
