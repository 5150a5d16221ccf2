/* What a step of bodies tells of its contact problem: the motion that solves it is the one that the step found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

enum {
    MOST_VELOCITIES = 200,
    MOST_NUMBERS = 3000
};

/* Of the last problem that was told: the motion that solves it. */
typedef struct told {
    int count, contacts, velocities;
    double t, v[MOST_VELOCITIES];
} told;

static carom_status solve_it(void *context, double t, const carom_coulomb_global *problem, const double *r,
                             carom_error *error)
{
    told *seen = context;
    static double own[MOST_NUMBERS];
    carom_solve_report report;
    assert_true(problem->M.columns <= MOST_VELOCITIES && 3 * problem->contacts <= MOST_NUMBERS);
    memcpy(own, r, (size_t)(problem->dimension * problem->contacts) * sizeof *own);
    assert_int_equal(carom_coulomb_solve_global(problem, &(carom_solver_options){.tolerance = 1e-11}, seen->v,
                                                own, &report, error),
                     CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    seen->count++;
    seen->contacts = problem->contacts;
    seen->velocities = problem->M.columns;
    seen->t = t;
    return CAROM_OK;
}

static void run(const char *text, told *seen, carom_experiment **experiment, carom_run_result *result)
{
    carom_error error = {0};
    *seen = (told){0};
    assert_int_equal(
        carom_experiment_load(&(carom_load_request){.file = "scene.lua", .text = text}, experiment, &error),
        CAROM_OK);
    const carom_run_request request = {.experiment = *experiment, .problems = {seen, solve_it}};
    if (carom_run(&request, result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

/* Bodies touch in the order of their numbers: velocities of the problem are those of the state. */
static void expect_motion(const char *text, int steps, int bodies, double tolerance)
{
    told seen;
    carom_experiment *experiment;
    carom_run_result result;
    run(text, &seen, &experiment, &result);
    const int width = strstr(text, "sphere") ? 6 : 3;
    assert_int_equal(seen.count, steps);
    assert_int_equal(seen.velocities, width * bodies);
    const double *v = result.final + carom_row_layout_of(experiment).v;
    for (int i = 0; i < seen.velocities; i++)
        assert_near(seen.v[i], v[i], tolerance);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void the_plane(void **state)
{
    (void)state;
    expect_motion("world { gravity = { 0, -9.81 } } pair { friction = 0.3, restitution = 0 }\n"
                  "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
                  "for i = 1, 3 do body { 'd' .. i, shape = disc { 0.1 }, mass = i, at = { 0.2 * i, 0.1 },\n"
                  "  velocity = { 1 - 0.7 * i, -1 }, spin = 3 * i } end\n"
                  "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 5e-3, tolerance = 1e-11 }",
                  5, 3, 1e-8);
}

static void space(void **state)
{
    (void)state;
    expect_motion(
        "world { gravity = { 0, 0, -9.81 } } pair { friction = 0.4, restitution = 0.3 }\n"
        "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\n"
        "for i = 1, 3 do body { 's' .. i, shape = sphere { 0.1 }, mass = i, at = { 0.2 * i, 0, 0.1 },\n"
        "  velocity = { 1 - 0.7 * i, 0.2, -1 }, spin = { i, 2, -1 } } end\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1e-3, tolerance = 1e-11 }",
        1, 3, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_plane),
        cmocka_unit_test(space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
