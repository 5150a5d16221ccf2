#include <stdlib.h>
#include <string.h>

#include "carom/survey/basin.h"
#include "test/survey/texts.h"

static const char oscillator[] = IMPACT_OSCILLATOR("2.6");

/* Two wells, damped: x'' = x - x^3 - c x'. */
static const char wells[] = "local c = param { 'c', 0.4 }\n"
                            "local x = coordinates('x')\n"
                            "mass(1)\n"
                            "potential(x^4/4 - x^2/2)\n"
                            "force { x = -c*dot(x) }\n"
                            "initial { x = 0.5 }\n"
                            "integrate { scheme = 'event-driven', h = 0.1, until_t = 50 }\n";

static carom_basin run(const carom_basin_request *request)
{
    carom_basin basin;
    carom_error error = {0};
    if (carom_basin_run(request, &basin, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    int cells = 0, attracted = 0;
    for (int i = 0; i < CAROM_BASIN_ENDS; i++)
        cells += basin.ends[i];
    assert_int_equal(cells, basin.cells); /* shares add up to 1 */
    for (int i = 0; i < basin.attractor_count; i++)
        attracted += basin.attractor[i].cells;
    assert_int_equal(attracted, basin.ends[CAROM_BASIN_PERIODIC] + basin.ends[CAROM_BASIN_NOT_PERIODIC]);
    return basin;
}

static carom_basin_request over(const carom_experiment *experiment, double x0, double x1, double v0,
                                double v1, int n)
{
    return (carom_basin_request){
        .returns = {.experiment = experiment},
        .axis_count = 2,
        .axis = {{CAROM_BASIN_POSITION, 0, x0, x1, n}, {CAROM_BASIN_VELOCITY, 0, v0, v1, n}}};
}

/* Two motions at w = 2.6: one impact per period, of spec D0's table, and three in three. */
static void test_two_attractors(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    const carom_basin_request request = over(experiment, 0, 2, -2, 2, 24);
    carom_basin basin = run(&request);
    assert_string_equal(basin.scheme->name, "event-driven-linear");
    assert_int_equal(basin.attractor_count, 2);
    const carom_attractor *one = &basin.attractor[basin.attractor[1].period == 1];
    const carom_attractor *three = &basin.attractor[basin.attractor[1].period == 3];
    assert_int_equal(one->period, 1);
    assert_int_equal(one->impacts, 1);
    assert_int_equal(three->period, 3);
    assert_int_equal(three->impacts, 3);
    assert_true(basin.attractor[0].cells >= basin.attractor[1].cells);

    /* The state at the phase 0 of the orbit of the table: from its impact to the end of the period by the closed form of the flow. */
    const double pi = 3.14159265358979323846, w = 2.6, c = 0.05, phase = 2.3551704385, v = 0.4028217660;
    const double real = 1 - w * w, imaginary = c * w, size = real * real + imaginary * imaginary;
    const double xc = real / size, xs = imaginary / size; /* particular: xc cos + xs sin */
    const double tau = 2 * pi / w - phase, k = sqrt(1 - c * c / 4);
    const double a = -(xc * cos(w * phase) + xs * sin(w * phase)); /* x = 0 at the impact */
    const double rate = v - w * (xs * cos(w * phase) - xc * sin(w * phase)), b = (rate + c / 2 * a) / k;
    const double decay = exp(-c / 2 * tau);
    near_at("x", one->point[0], decay * (a * cos(k * tau) + b * sin(k * tau)) + xc, 1e-6, __FILE__, __LINE__);
    near_at(
        "v", one->point[1],
        decay * (-c / 2 * (a * cos(k * tau) + b * sin(k * tau)) + k * (b * cos(k * tau) - a * sin(k * tau))) +
            w * xs,
        1e-6, __FILE__, __LINE__);

    /* A state of the attractor is its own basin, and the map says the same as a motion by itself. */
    for (int i = 0; i < basin.cells; i++)
        assert_true(basin.cell[i].attractor >= 0 &&
                    basin.attractor[basin.cell[i].attractor].period == basin.cell[i].period);
    carom_basin_free(&basin);
    carom_experiment_free(experiment);
}

static void assert_same(const carom_basin *a, const carom_basin *b)
{
    assert_int_equal(a->cells, b->cells);
    assert_int_equal(a->attractor_count, b->attractor_count);
    for (int i = 0; i < a->cells; i++) {
        assert_int_equal(a->cell[i].end, b->cell[i].end);
        assert_int_equal(a->cell[i].attractor, b->cell[i].attractor);
    }
    assert_memory_equal(a->last, b->last, (size_t)(a->cells * a->state) * sizeof(double));
    for (int i = 0; i < a->attractor_count; i++)
        assert_memory_equal(a->attractor[i].point, b->attractor[i].point, (size_t)a->state * sizeof(double));
}

static void test_threads(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    carom_basin_request request = over(experiment, -0.2, 2, -2, 2, 17);
    request.periods = 60;
    request.threads = 1;
    carom_basin one = run(&request);
    request.threads = 3;
    carom_basin three = run(&request);
    assert_true(one.ends[CAROM_BASIN_OUTSIDE] > 0); /* x < 0 is inside the wall */
    assert_same(&one, &three);
    carom_basin_free(&one);
    carom_basin_free(&three);
    carom_experiment_free(experiment);
}

/* (x, v) and (-x, -v) end at (1, 0) and (-1, 0). Without forcing the period is the caller's. */
static void test_symmetry(void **state)
{
    (void)state;
    carom_experiment *experiment = load(wells);
    carom_basin_request request = over(experiment, -2, 2, -2, 2, 8);
    carom_basin basin;
    carom_error error = {0};
    assert_int_equal(carom_basin_run(&request, &basin, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "no forcing period"));
    request.returns.period = 1.0;
    request.periods = 100;
    basin = run(&request);
    assert_string_equal(basin.scheme->name, "event-driven");
    assert_int_equal(basin.attractor_count, 2);
    assert_int_equal(basin.attractor[0].cells, 32);
    assert_int_equal(basin.attractor[1].cells, 32);
    for (int i = 0; i < 64; i++) {
        assert_int_equal(basin.cell[i].attractor, 1 - basin.cell[63 - i].attractor);
        near_at("well", fabs(basin.last[2 * i]), 1.0, 1e-7, __FILE__, __LINE__);
    }
    carom_basin_free(&basin);
    carom_experiment_free(experiment);
}

/* Chaos at w = 2.8; nothing is settled after two periods; unstable springs escape. */
static void test_other_ends(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    carom_basin_request request = over(experiment, 0, 2, -2, 2, 6);
    experiment->parameter[3] = 2.8;
    carom_basin basin = run(&request);
    assert_int_equal(basin.ends[CAROM_BASIN_NOT_PERIODIC], 36);
    assert_int_equal(basin.attractor_count, 1);
    assert_int_equal(basin.attractor[0].period, 0);
    near_at("impacts per period", basin.attractor[0].impact_rate, 0.480 * 2 * 3.14159265 / 2.8, 0.05,
            __FILE__, __LINE__);
    carom_basin_free(&basin);

    experiment->parameter[3] = 2.4;
    request.periods = 25;
    request.tolerance = 1e-10;
    request.longest = 4;
    basin = run(&request);
    assert_int_equal(basin.ends[CAROM_BASIN_UNSETTLED], 36);
    carom_basin_free(&basin);

    experiment->parameter[1] = -0.5; /* c */
    request.tolerance = 0.0;
    request.periods = 200;
    basin = run(&request);
    assert_int_equal(basin.ends[CAROM_BASIN_ESCAPED], 36);
    carom_basin_free(&basin);
    carom_experiment_free(experiment);
}

/* A parameter as an axis: attractors are told apart by their names; the forcing period follows. */
static void test_parameter(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    carom_basin_request request = over(experiment, 0.1, 2, -2, 2, 3);
    request.axis[0] = (carom_basin_axis){CAROM_BASIN_PARAMETER, 3, 2.0, 2.4, 5};
    carom_basin basin = run(&request);
    assert_int_equal(basin.cells, 15);
    assert_true(basin.by_name);
    assert_true(isnan(basin.period));
    assert_true(basin.attractor_count >= 1);
    assert_int_equal(basin.attractor[0].period, 1);
    carom_basin_free(&basin);

    request.axis_count = 1;
    request.axis[0] = (carom_basin_axis){CAROM_BASIN_VELOCITY, 0, -1.0, 1.0, 300};
    request.periods = 40;
    basin = run(&request);
    assert_int_equal(basin.cells, 300);
    assert_int_equal(basin.blocks, 2);
    carom_basin_free(&basin);
    carom_experiment_free(experiment);
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)context, (void)total;
    return done < 1.0;
}

/* Cells of blocks that were not reached belong to nothing. */
static void test_interrupted(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    carom_basin_request request = over(experiment, 0.1, 2, -2, 2, 8);
    request.periods = 20;
    request.threads = 1;
    request.progress = (carom_progress){.report = stop_at_once};
    carom_basin basin;
    carom_error error = {0};
    assert_int_equal(carom_basin_run(&request, &basin, &error), CAROM_INTERRUPTED);
    assert_true(basin.done[0] && !basin.done[basin.blocks - 1]);
    for (int i = 0; i < basin.cells; i++)
        assert_true(basin.done[i / basin.block] || basin.cell[i].attractor == -1);
    carom_basin_free(&basin);
    carom_experiment_free(experiment);
}

/* What is timed of a parameter of whole numbers are whole numbers. */
static void test_whole_numbers_are_tried(void **state)
{
    (void)state;
    carom_experiment *experiment = load("local n = param { 'n', 1, integer = true, min = 1, max = 9 }\n"
                                        "local x = coordinates('x')\n"
                                        "mass(1)\n"
                                        "force { x = -n*x - dot(x)/2 + cos(2*time()) }\n"
                                        "integrate { scheme = 'event-driven', h = 0.1, until_t = 50 }\n");
    carom_basin_request request = over(experiment, 0, 1, 0, 1, 4);
    request.axis[0] = (carom_basin_axis){CAROM_BASIN_PARAMETER, 0, 1, 4, 4};
    request.periods = 5;
    carom_survey_trial trial;
    carom_error error = {0};
    if (carom_basin_try(&request, &trial, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(trial.runs, 16);
    carom_experiment_free(experiment);
}

static void refuse(const carom_basin_request *request, const char *why)
{
    carom_basin basin;
    carom_error error = {0};
    assert_int_equal(carom_basin_run(request, &basin, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, why))
        fail_msg("%s", error.text);
    carom_basin_free(&basin);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    const carom_basin_request good = over(experiment, 0, 1, 0, 1, 3);
    carom_basin_request request = good;
    request.axis_count = 0;
    refuse(&request, "0 axes");
    request = good, request.axis[1] = request.axis[0];
    refuse(&request, "the same");
    request = good, request.axis[0].count = 1;
    refuse(&request, "two values at least");
    request = good, request.axis[0].index = 1;
    refuse(&request, "index 1");
    request = good, request.axis[0] = (carom_basin_axis){CAROM_BASIN_PARAMETER, 0, 0, 2, 3};
    refuse(&request, "'e'");
    request = good, request.returns.at_impact = true;
    refuse(&request, "once per period");
    request = good, request.returns.scheme = "nonsense";
    refuse(&request, "nonsense");
    request = good, request.threads = 1000;
    refuse(&request, "1000 threads");
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_attractors), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_symmetry),       cmocka_unit_test(test_other_ends),
        cmocka_unit_test(test_parameter),      cmocka_unit_test(test_interrupted),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_whole_numbers_are_tried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
