/* Runs side by side: each has the result that it has alone, to the last bit, whatever the others do. */
#include "test/run/same_result.h"

#include <math.h>
#include <stdlib.h>

#include "carom/io.h"
#include "carom/scheme/lanes.h"

/* A wall above the start is refused, a kick becomes no number when its time is over, `late` ends a run. */
static const char text[] =
    "local e, kick = param { 'e', 0.7, min = 0, max = 1 }, param { 'kick', 0 }\n"
    "local wall, late = param { 'wall', 0 }, param { 'late', 1e9 }\n"
    "local x, y = coordinates('x', 'y')\n"
    "mass(1)\n"
    "potential(9.81 * y + x^4)\n"
    "force { y = select(kick, 1e-3 * sqrt(kick - time()), 0) }\n"
    "contact { 'floor', gap = y - wall - 0.01 * sin(20 * time()), restitution = e }\n"
    "contact { 'side', gap = x + 0.4 + 0.1 * y, restitution = 0.9 }\n"
    "initial { y = 1, x = 0.5 }\n"
    "integrate { scheme = 'moreau-jean', h = 0.005, until_t = 2 }\n"
    "stop { 'late', when = time() - late }\n"
    "record { speed = hypot(dot(x), dot(y)), push = impulse 'floor', pull = acceleration(x), energy = "
    "energy(),\n"
    "         room = gap 'side' }\n"
    "measure { last = y, top = maximum(y), mean = mean(x), spread = deviation(x), some = at(y, { 0.5, 1 }),\n"
    "          heights = peaks(y), zeros = crossings(x), push = total(impulse 'floor'), a = "
    "maximum(acceleration(y)) }\n"
    "measure { times = times(impact 'floor'), number = count(impact()), first = first(impact 'side'),\n"
    "          away = last(release 'floor'), part = fraction(touching 'floor'), none = first(impact 'side', "
    "{ from = 100 }) }\n";

static const char study[] =
    "local found = contact_solve { W = { 1, 0, 0, 0, 2, 0, 0, 0, 2 }, q = { -1, 0.5, 0.4 }, "
    "mu_x = 0.3, mu_y = 0.15 }\n"
    "measure { pressure = found.r[1] }\n";

enum {
    E,
    KICK,
    WALL,
    LATE,
    PARAMETERS
};

static carom_experiment *load(const char *script)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.file = "model.lua", .text = script}, &experiment,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* ---- requests alone, and side by side ------------------------------------------------------------------- */

enum {
    MOST = 64
};

/* Alone or beside each other: results, rows, how they ended. */
typedef struct outcome {
    carom_run_result result[MOST];
    carom_series series[MOST];
    carom_recorder recorder[MOST];
    carom_run_request request[MOST];
    carom_status status[MOST];
    carom_error error[MOST];
} outcome;

static outcome alone, beside;

static void prepare(outcome *of, int count, const carom_run_request *request)
{
    *of = (outcome){0};
    for (int i = 0; i < count; i++) {
        of->request[i] = request[i];
        of->series[i].layout = carom_row_layout_of(request[i].experiment);
        of->recorder[i] = carom_series_recorder(&of->series[i]);
        of->request[i].recorder = &of->recorder[i];
        of->request[i].recorder_count = 1;
    }
}

static void forget(outcome *of, int count)
{
    for (int i = 0; i < count; i++) {
        carom_run_result_free(&of->result[i]);
        carom_series_free(&of->series[i]);
    }
}

static void assert_same_outcome(int i)
{
    assert_int_equal(alone.status[i], beside.status[i]);
    if (alone.status[i] != CAROM_OK)
        assert_string_equal(alone.error[i].text, beside.error[i].text);
    assert_same_result(&alone.result[i], &beside.result[i]);
    const carom_series *a = &alone.series[i], *b = &beside.series[i];
    assert_int_equal(a->count, b->count);
    same_bytes_at("rows", a->count * (size_t)a->layout.width * sizeof *a->rows, a->rows, b->rows, __LINE__);
}

static void compare(int count, const carom_run_request *request, carom_lanes **lanes)
{
    assert_true(count <= MOST);
    prepare(&alone, count, request);
    prepare(&beside, count, request);
    for (int i = 0; i < count; i++)
        alone.status[i] = carom_run(&alone.request[i], &alone.result[i], &alone.error[i]);
    assert_int_equal(
        carom_run_beside(count, beside.request, beside.result, lanes, beside.status, beside.error), CAROM_OK);
    for (int i = 0; i < count; i++)
        assert_same_outcome(i);
    forget(&alone, count);
    forget(&beside, count);
}

/* ---- tests ------------------------------------------------------------------------------------------------ */

/* More of them than lanes, which end at different times; the last has nobody beside it. */
static void test_runs_with_other_parameters(void **state)
{
    (void)state;
    enum {
        RUNS = 4 * CAROM_LANES + 1
    };
    static double parameter[RUNS][PARAMETERS];
    carom_experiment *experiment = load(text);
    carom_run_request request[RUNS];
    carom_lanes *lanes = NULL;
    for (int i = 0; i < RUNS; i++) {
        memcpy(parameter[i], experiment->parameter, sizeof parameter[i]);
        parameter[i][E] = i / (double)RUNS;
        request[i] = (carom_run_request){.experiment = experiment,
                                         .parameter = parameter[i],
                                         .h = i % 3 ? 0.005 + 0.0003 * i : 0.0,
                                         .until = i % 5 ? 1.0 + 0.1 * i : 0.0};
    }
    compare(RUNS, request, &lanes);
    assert_non_null(lanes);
    assert_true(lanes->beside > 4 * lanes->single && lanes->beside > 3000);
    carom_lanes *const first = lanes;
    const long before = lanes->beside;
    compare(RUNS, request, &lanes); /* the same lanes serve again, */
    assert_ptr_equal(lanes, first);
    assert_true(lanes->beside >= 2 * before - 10);
    compare(RUNS, request, NULL); /* ... and need not be kept */
    compare(1, request, &lanes);
    compare(0, request, &lanes);
    carom_lanes_free(lanes);
    carom_experiment_free(experiment);
}

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    (void)bytes, (void)count, (void)error;
    ++*(int *)context;
    return CAROM_OK;
}

/* All kinds of requests, beside each other in several orders. */
static void test_runs_of_all_kinds(void **state)
{
    (void)state;
    static const double at[] = {0.0, 0.33, 0.501, 1.99, 5.0}, q0[] = {-0.2, 0.8}, v0[] = {1.0, 2.0};
    static const char *const names[] = {"e"};
    static double stopped[PARAMETERS], refused[PARAMETERS], failed[PARAMETERS], lively[PARAMETERS],
        at_once[PARAMETERS];
    static const carom_option theta[] = {{"theta", 0.7}, {0}},
                              law[] = {{"impact_law", .word = "poisson"}, {0}},
                              unknown[] = {{"thet", 0.7}, {0}};
    int saved = 0;
    const carom_checkpoint checkpoint = {.context = &saved, .save = save};
    carom_experiment *experiment = load(text), *other = load(text), *nothing_moves = load(study);
    double *const vector[] = {stopped, refused, failed, lively, at_once};
    for (int i = 0; i < 5; i++)
        memcpy(vector[i], experiment->parameter, sizeof stopped);
    stopped[LATE] = 0.7;
    at_once[LATE] = -1.0;
    refused[WALL] = 2.0;
    failed[KICK] = 0.6;
    lively[E] = 0.95;
    const carom_run_request kind[] = {
        {.experiment = experiment},
        {.experiment = experiment, .parameter = lively},
        {.experiment = experiment, .parameter = stopped},
        {.experiment = experiment, .parameter = failed, .v0 = v0},
        {.experiment = experiment, .parameter = refused},
        {.experiment = experiment, .parameter = stopped, .no_stop = true, .no_certificate = true},
        {.experiment = experiment, .parameter = at_once},
        {.experiment = experiment, .h = 0.01, .until = 1.234},
        {.experiment = experiment,
         .events = true,
         .event_points = true,
         .sample_count = 5,
         .sample_time = at},
        {.experiment = experiment, .q0 = q0, .v0 = v0, .t0 = 0.3, .record_every = 7},
        {.experiment = experiment, .bare = true},
        {.experiment = experiment, .only_start = true},
        {.experiment = experiment, .max_steps = 17, .no_columns = true},
        {.experiment = experiment, .scheme = "event-driven"},
        {.experiment = experiment, .option = theta},
        {.experiment = experiment, .option = law},
        {.experiment = experiment, .option = unknown},
        {.experiment = experiment, .h = -1.0},
        {.experiment = experiment, .sensitivity_count = 1, .sensitivity = names, .until = 0.3},
        {.experiment = experiment, .checkpoint = &checkpoint, .until = 0.3},
        {.experiment = other, .parameter = lively},
        {.experiment = other, .parameter = lively, .until = 1.0},
        {.experiment = nothing_moves},
    };
    enum {
        KINDS = sizeof kind / sizeof kind[0]
    };
    static const int stride[] = {1, 5, 9,
                                 22}; /* no divisors of 23: each kind once, beside others every time */
    carom_lanes *lanes = NULL;
    for (int turn = 0; turn < 4; turn++) {
        carom_run_request request[KINDS];
        for (int i = 0; i < KINDS; i++)
            request[i] = kind[i * stride[turn] % KINDS];
        compare(KINDS, request, turn % 2 ? NULL : &lanes);
    }
    /* all that can go side by side does, though others fail, stop and are refused */
    carom_lanes_free(lanes);
    lanes = NULL;
    compare(10, kind, &lanes);
    assert_non_null(lanes);
    assert_true(lanes->beside > lanes->single);
    carom_lanes_free(lanes);

    /* what is expected of them */
    prepare(&beside, KINDS, kind);
    carom_run_beside(KINDS, beside.request, beside.result, NULL, beside.status, beside.error);
    assert_string_equal(beside.result[2].word, "stopped");
    assert_int_equal(beside.status[3], CAROM_FAILED);
    assert_int_equal(beside.status[4], CAROM_BAD_INPUT);
    assert_int_equal(beside.status[16], CAROM_BAD_INPUT);
    assert_true(beside.result[8].event_count > 0 && beside.result[8].sample_count == 5);
    assert_true(beside.result[0].impacts > 2 && beside.result[0].certificate.energy_scale > 0.0);
    assert_true(saved > 0);
    forget(&beside, KINDS);
    carom_experiment_free(experiment);
    carom_experiment_free(other);
    carom_experiment_free(nothing_moves);
}

typedef struct patience {
    double most; /* steps */
} patience;

static bool until_enough(void *context, double done, double total)
{
    (void)total;
    return done < ((const patience *)context)->most;
}

/* One is interrupted after its first step, one after some; the others go on. */
static void test_interrupted(void **state)
{
    (void)state;
    carom_experiment *experiment = load(text);
    patience none = {0.0}, some = {100.0}, all = {1e9};
    carom_run_request request[CAROM_LANES];
    for (int i = 0; i < CAROM_LANES; i++)
        request[i] = (carom_run_request){.experiment = experiment,
                                         .h = 0.002 + 0.0001 * i,
                                         .until = i == 2 ? 1e4 : 2.0, /* where asking takes time */
                                         .progress = {.report = until_enough,
                                                      .context = i == 1   ? &none
                                                                 : i == 2 ? &some
                                                                          : &all}};
    prepare(&beside, CAROM_LANES, request);
    carom_run_beside(CAROM_LANES, beside.request, beside.result, NULL, beside.status, beside.error);
    prepare(&alone, CAROM_LANES, request);
    const long steps = beside.result[2].steps;
    assert_int_equal(beside.status[2], CAROM_INTERRUPTED);
    assert_true(steps >= 100 && steps < 1000000);
    alone.request[2].max_steps = steps; /* when it was asked depends on the clock */
    for (int i = 0; i < CAROM_LANES; i++)
        alone.status[i] = carom_run(&alone.request[i], &alone.result[i], &alone.error[i]);
    assert_int_equal(alone.status[1], CAROM_INTERRUPTED);
    assert_string_equal(beside.result[1].word, "interrupted");
    assert_int_equal(beside.result[1].steps, 1);
    for (int i = 0; i < CAROM_LANES; i++)
        if (i != 2)
            assert_same_outcome(i);
    same_bytes_at("last row", (size_t)alone.result[2].layout.width * sizeof(double), alone.result[2].final,
                  beside.result[2].final, __LINE__);
    assert_int_equal(alone.series[2].count, beside.series[2].count);
    forget(&alone, CAROM_LANES);
    forget(&beside, CAROM_LANES);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_with_other_parameters),
        cmocka_unit_test(test_runs_of_all_kinds),
        cmocka_unit_test(test_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
