/* Surveys whose motions go side by side: points of a sweep are runs alone, cells of a basin motions alone, whoever is beside them,
 * on any number of threads, and when a part was there before. */
#include <stdlib.h>
#include <string.h>

#include "carom/scheme/lanes.h"
#include "carom/survey/basin.h"
#include "test/survey/texts.h"

/* ---- sweeps --------------------------------------------------------------------------------------------- */

/* `wall` above the start is a start that is refused; a force that is no number from `lost` on; e ends some runs before their time. */
static const char ball[] = "local e, wall = param { 'e', 0.5, min = 0, max = 1 }, param { 'wall', 0 }\n"
                           "local lost, h = param { 'lost', 1e9 }, param { 'h', 0.004 }\n"
                           "local x, y = coordinates('x', 'y')\n"
                           "mass(1)\n"
                           "potential(9.81 * y + x^4)\n"
                           "force { x = 1e-3 * sqrt(lost - time()) }\n"
                           "contact { 'floor', gap = y - wall, restitution = e }\n"
                           "contact { 'side', gap = x + 0.3, restitution = 0.9 }\n"
                           "initial { y = 1, x = 0.5 }\n"
                           "integrate { scheme = 'moreau-jean', h = h, until_t = 1.2 }\n"
                           "stop { 'high', when = time() + e - 1.8 }\n"
                           "measure { last = y, mean = mean(x), times = times(impact 'floor'), heights = "
                           "peaks(y), late = first(release 'floor', { from = 1 }) }\n";

enum {
    POINTS = 40
};

static char number[POINTS][32];
static const char *value[POINTS];

/* From one number to another. */
static void spread(double from, double to)
{
    for (int i = 0; i < POINTS; i++) {
        snprintf(number[i], sizeof number[i], "%.6g", from + (to - from) * i / (POINTS - 1));
        value[i] = number[i];
    }
}

static carom_sweep_request over(const carom_experiment *experiment, const char *name)
{
    return (carom_sweep_request){.experiment = experiment,
                                 .axis_count = 1,
                                 .axis = {{name, POINTS, value}},
                                 .h = NAN,
                                 .until = NAN,
                                 .threads = 1};
}

static void sweep_all(const carom_sweep_request *request, carom_sweep *sweep)
{
    carom_error error = {0};
    if (carom_sweep_run(request, sweep, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(sweep->point_count, POINTS);
}

static void assert_same_measures(int count, const carom_measured *a, const carom_measured *b)
{
    for (int i = 0; i < count; i++) {
        assert_int_equal(a[i].count, b[i].count);
        assert_int_equal(a[i].is_array, b[i].is_array);
        if (a[i].count > 0)
            assert_memory_equal(a[i].value, b[i].value, (size_t)a[i].count * sizeof *a[i].value);
    }
}

static void assert_same_point(const carom_sweep_point *a, const carom_sweep_point *b, int measures)
{
    assert_true(a->done && b->done);
    assert_int_equal(a->status, b->status);
    assert_string_equal(a->word, b->word);
    assert_int_equal(!a->message, !b->message);
    if (a->message)
        assert_string_equal(a->message, b->message);
    assert_int_equal(a->steps, b->steps);
    assert_int_equal(a->trusted, b->trusted);
    assert_same_measures(measures, a->measure, b->measure);
}

/* What a run alone with the value gives. */
static void assert_single_run(const carom_sweep_point *point, int parameter, const char *text)
{
    carom_experiment *experiment = load(ball);
    carom_run_result result;
    carom_error error = {0};
    experiment->parameter[parameter] = strtod(text, NULL);
    carom_run(&(carom_run_request){.experiment = experiment}, &result, &error);
    carom_sweep_point expected = {.done = true,
                                  .status = result.status,
                                  .message = result.message[0] ? result.message : NULL,
                                  .steps = result.steps,
                                  .trusted = result.certificate.trusted,
                                  .measure = result.measure};
    memcpy(expected.word, result.word, sizeof expected.word);
    assert_same_point(point, &expected, result.measure_count);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* Over each parameter: rebounds, walls of which the last ones are refused, forces that fail, steps. */
static void test_points_are_single_runs(void **state)
{
    (void)state;
    static const double from[] = {0.0, -0.5, 0.01, 0.001}, to[] = {1.0, 1.3, 1.6, 0.02};
    carom_experiment *experiment = load(ball);
    int words[3] = {0};
    for (int parameter = 0; parameter < 4; parameter++) {
        carom_sweep one, two, alone;
        spread(from[parameter], to[parameter]);
        carom_sweep_request request = over(experiment, experiment->model->parameter[parameter].name);
        sweep_all(&request, &one);
        request.threads = 2;
        sweep_all(&request, &two);
        request.alone = true;
        sweep_all(&request, &alone);
        for (int i = 0; i < POINTS; i++) {
            assert_same_point(&one.point[i], &two.point[i], one.measure_count);
            assert_same_point(&one.point[i], &alone.point[i], one.measure_count);
            assert_single_run(&one.point[i], parameter, value[i]);
            words[0] += strcmp(one.point[i].word, "stopped") == 0;
            words[1] += one.point[i].status == CAROM_BAD_INPUT;
            words[2] += one.point[i].status == CAROM_FAILED;
        }
        carom_sweep_free(&one);
        carom_sweep_free(&two);
        carom_sweep_free(&alone);
    }
    assert_true(words[0] > 3 && words[1] > 3 && words[2] > 3);
    carom_experiment_free(experiment);
}

/* Points that were there before: as bits of their numbers. */
typedef struct journal {
    const carom_sweep *earlier;
    int every, told;
} journal;

static bool recall(void *context, int index, carom_arena *arena, int measure_count, carom_sweep_point *point)
{
    (void)arena;
    const journal *self = context;
    if (index % self->every != 0 && index > 5)
        return false;
    carom_measured *const place = point->measure;
    *point = self->earlier->point[index];
    point->measure = place;
    memcpy(place, self->earlier->point[index].measure, (size_t)measure_count * sizeof *place);
    return true;
}

static carom_status keep(void *context, int index, int measure_count, const carom_sweep_point *point,
                         carom_error *error)
{
    (void)error;
    journal *self = context;
    assert_true(index % self->every != 0 && index > 5); /* only what is new */
    assert_same_point(&self->earlier->point[index], point, measure_count);
    self->told++;
    return CAROM_OK;
}

static void test_a_sweep_that_goes_on(void **state)
{
    (void)state;
    carom_experiment *experiment = load(ball);
    carom_sweep first;
    spread(0.0, 1.0);
    carom_sweep_request request = over(experiment, "e");
    sweep_all(&request, &first);
    for (int every = 2; every < 8; every++) {
        journal known = {.earlier = &first, .every = every};
        carom_sweep sweep;
        request.threads = every % 3;
        request.recall = recall;
        request.keep = keep;
        request.keep_context = &known;
        sweep_all(&request, &sweep);
        int there = 0;
        for (int i = 0; i < POINTS; i++) {
            there += i % every == 0 || i <= 5;
            assert_same_point(&first.point[i], &sweep.point[i], first.measure_count);
        }
        assert_int_equal(known.told, POINTS - there);
        carom_sweep_free(&sweep);
    }
    carom_sweep_free(&first);
    carom_experiment_free(experiment);
}

/* ---- basins ------------------------------------------------------------------------------------------------ */

/* Two wells with forcing and a wall; no force beyond x = 3, and no start inside of the wall. */
static const char wells[] = "local c, w = param { 'c', 0.25 }, param { 'w', 1.1 }\n"
                            "local x = coordinates('x')\n"
                            "mass(1)\n"
                            "force { x = x - x^3 - c*dot(x) + 0.22*cos(w*time()) + 1e-3*log(3 - x) }\n"
                            "contact { 'wall', gap = x + 1.2, restitution = 0.6 }\n"
                            "initial { x = 0.5 }\n"
                            "integrate { scheme = 'moreau-jean', h = 0.1, until_t = 50 }\n";

static carom_basin_request over_cells(const carom_experiment *experiment)
{
    return (carom_basin_request){
        .returns = {.experiment = experiment, .escape = 4.0},
        .axis_count = 2,
        .axis = {{CAROM_BASIN_POSITION, 0, -1.5, 3.1, 9}, {CAROM_BASIN_VELOCITY, 0, -5.0, 3.0, 11}},
        .periods = 25,
        .longest = 4,
        .threads = 1};
}

/* The cell as one motion alone. */
static void assert_single_motion(const carom_basin_request *request, const carom_basin *basin, int cell)
{
    carom_returns *returns = NULL;
    carom_error error = {0};
    double q = 0.0, v = 0.0, last[2] = {0};
    bool inside = false, begun = false;
    carom_basin_cell expected = {.end = CAROM_BASIN_FAILED};
    assert_int_equal(carom_returns_create(&request->returns, (carom_stop){0}, &returns, &error), CAROM_OK);
    const int place[] = {cell / request->axis[1].count, cell % request->axis[1].count};
    for (int i = 0; i < 2; i++)
        if (request->axis[i].kind == CAROM_BASIN_PARAMETER)
            returns->parameter[request->axis[i].index] = carom_basin_axis_value(&request->axis[i], place[i]);
    if (carom_returns_bind(returns, NULL, &error) == CAROM_OK) {
        carom_returns_origin(returns, &q, &v);
        for (int i = 0; i < 2; i++)
            if (request->axis[i].kind != CAROM_BASIN_PARAMETER)
                *(request->axis[i].kind == CAROM_BASIN_POSITION ? &q : &v) =
                    carom_basin_axis_value(&request->axis[i], place[i]);
        begun = carom_returns_start(returns, NAN, &q, &v, 0.0, &inside, &error) == CAROM_OK && !inside;
    }
    if (inside)
        expected.end = CAROM_BASIN_OUTSIDE;
    if (begun) {
        double *room = calloc(carom_basin_room(2, basin->longest), sizeof *room);
        assert_non_null(room);
        assert_int_equal(carom_basin_motion(returns, 1, 1, basin->periods, basin->longest, basin->tolerance,
                                            room, &expected, last, &error),
                         CAROM_OK);
        free(room);
    }
    const carom_basin_cell *found = &basin->cell[cell];
    if (found->end != expected.end || found->period != expected.period || found->impacts != expected.impacts)
        fail_msg("cell %d: %s, period %d, %d impacts; alone %s, %d, %d", cell,
                 carom_basin_end_word(found->end), found->period, found->impacts,
                 carom_basin_end_word(expected.end), expected.period, expected.impacts);
    assert_memory_equal(last, basin->last + 2 * (size_t)cell, sizeof last);
    carom_returns_free(returns);
}

static void assert_same_basin(const carom_basin *a, const carom_basin *b)
{
    assert_int_equal(a->cells, b->cells);
    for (int i = 0; i < a->cells; i++) {
        assert_int_equal(a->cell[i].end, b->cell[i].end);
        assert_int_equal(a->cell[i].period, b->cell[i].period);
        assert_int_equal(a->cell[i].impacts, b->cell[i].impacts);
        assert_int_equal(a->cell[i].attractor, b->cell[i].attractor);
    }
    assert_memory_equal(a->last, b->last, (size_t)(a->cells * a->state) * sizeof *a->last);
    assert_int_equal(a->attractor_count, b->attractor_count);
    for (int i = 0; i < a->attractor_count; i++)
        assert_memory_equal(a->attractor[i].point, b->attractor[i].point, (size_t)a->state * sizeof(double));
    assert_memory_equal(a->ends, b->ends, sizeof a->ends);
    assert_string_equal(a->message, b->message);
}

static carom_basin run_basin(const carom_basin_request *request)
{
    carom_basin basin;
    carom_error error = {0};
    if (carom_basin_run(request, &basin, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return basin;
}

static carom_basin check_basin(carom_basin_request *request)
{
    carom_basin beside = run_basin(request);
    assert_string_equal(beside.scheme->name, "moreau-jean");
    request->threads = 2;
    carom_basin shared = run_basin(request);
    request->alone = true;
    carom_basin alone = run_basin(request);
    assert_same_basin(&beside, &shared);
    assert_same_basin(&beside, &alone);
    for (int i = 0; i < beside.cells; i++)
        assert_single_motion(request, &beside, i);
    carom_basin_free(&shared);
    carom_basin_free(&alone);
    return beside;
}

static void test_cells_are_single_motions(void **state)
{
    (void)state;
    carom_experiment *experiment = load(wells);
    carom_basin_request request = over_cells(experiment);
    carom_basin basin = check_basin(&request);
    assert_true(basin.ends[CAROM_BASIN_OUTSIDE] > 0 && basin.ends[CAROM_BASIN_FAILED] > 0 &&
                basin.ends[CAROM_BASIN_ESCAPED] > 0);
    assert_true(basin.ends[CAROM_BASIN_PERIODIC] + basin.ends[CAROM_BASIN_UNSETTLED] +
                    basin.ends[CAROM_BASIN_NOT_PERIODIC] >
                20);
    assert_true(basin.message[0] != '\0');
    carom_basin_free(&basin);

    /* with a parameter the period, and the step, differ from lane to lane */
    request = over_cells(experiment);
    request.axis[0] = (carom_basin_axis){CAROM_BASIN_PARAMETER, 1, 0.6, 2.0, 7};
    basin = check_basin(&request);
    carom_basin_free(&basin);
    carom_experiment_free(experiment);
}

/* Returns of motions that begin in turn, one of which is not looked at for a while. */
static void test_returns_beside(void **state)
{
    (void)state;
    carom_experiment *experiment = load(wells);
    const carom_returns_request request = {.experiment = experiment};
    carom_returns *alone[CAROM_LANES] = {0};
    carom_returns_beside beside = {0};
    carom_error error = {0}, why[CAROM_LANES];
    carom_return end[CAROM_LANES];
    for (int lane = 0; lane < CAROM_LANES; lane++)
        assert_int_equal(carom_returns_create(&request, (carom_stop){0}, &alone[lane], &error), CAROM_OK);
    carom_returns *first = NULL;
    assert_int_equal(carom_returns_create(&request, (carom_stop){0}, &first, &error), CAROM_OK);
    assert_int_equal(carom_returns_beside_create(&request, (carom_stop){0}, first, &beside, &error),
                     CAROM_OK);
    assert_non_null(beside.lanes);
    assert_ptr_equal(beside.returns[0], first);
    for (int turn = 0; turn < 60; turn++) {
        const unsigned which = turn % 10 < 3 ? 11 : turn % 10 == 4 ? 4 : CAROM_LANES_ALL;
        const int anew = turn % 5 == 0 ? turn / 5 % CAROM_LANES : -1;
        if (anew >= 0) {
            const double q = 0.1 * turn - 0.9, v = 0.3 * turn / (1 + anew) - 1.0;
            carom_returns *const both[] = {alone[anew], beside.returns[anew]};
            for (int i = 0; i < 2; i++) {
                bool inside = false;
                both[i]->parameter[0] = 0.1 + 0.01 * turn;
                both[i]->parameter[1] = 1.0 + 0.02 * turn;
                assert_int_equal(carom_returns_bind(both[i], NULL, &error), CAROM_OK);
                assert_int_equal(
                    carom_returns_start(both[i], NAN, fabs(q) < 1.0 ? &q : NULL, &v, 0.0, &inside, &error),
                    CAROM_OK);
                assert_false(inside);
            }
        }
        assert_int_equal(carom_returns_beside_next(&beside, which, end, why, &error), CAROM_OK);
        for (int lane = 0; lane < CAROM_LANES; lane++) {
            carom_return expected;
            if (!(which >> lane & 1))
                continue;
            assert_int_equal(carom_returns_next(alone[lane], &expected, &error), CAROM_OK);
            assert_int_equal(end[lane], expected);
            const carom_returns *a = alone[lane], *b = beside.returns[lane];
            assert_memory_equal(&a->t, &b->t, sizeof a->t);
            assert_memory_equal(a->q, b->q, sizeof *a->q);
            assert_memory_equal(a->v, b->v, sizeof *a->v);
            assert_int_equal(a->impacts, b->impacts);
        }
    }
    assert_true(beside.lanes->beside > 4 * beside.lanes->single);
    carom_returns_beside_free(&beside);
    assert_null(beside.lanes);
    carom_returns_free(first);
    for (int lane = 0; lane < CAROM_LANES; lane++)
        carom_returns_free(alone[lane]);
    carom_experiment_free(experiment);
}

/* The first motion of a scheme without lanes stays the caller's. */
static void test_returns_without_lanes(void **state)
{
    (void)state;
    carom_experiment *experiment = load(wells);
    const carom_returns_request request = {.experiment = experiment, .scheme = "event-driven"};
    carom_returns *first = NULL;
    carom_returns_beside beside;
    carom_error error = {0};
    carom_return end = CAROM_RETURN_FAILED;
    assert_int_equal(carom_returns_create(&request, (carom_stop){0}, &first, &error), CAROM_OK);
    assert_int_equal(carom_returns_beside_create(&request, (carom_stop){0}, first, &beside, &error),
                     CAROM_OK);
    assert_true(!beside.lanes && !beside.returns[0] && !beside.returns[1]);
    carom_returns_beside_free(&beside);
    assert_int_equal(carom_returns_next(first, &end, &error), CAROM_OK);
    assert_int_equal(end, CAROM_RETURNED);
    carom_returns_free(first);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points_are_single_runs),   cmocka_unit_test(test_a_sweep_that_goes_on),
        cmocka_unit_test(test_cells_are_single_motions), cmocka_unit_test(test_returns_beside),
        cmocka_unit_test(test_returns_without_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
