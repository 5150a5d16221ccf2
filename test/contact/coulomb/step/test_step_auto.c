/* Problems that sweeps solve slowly or not at all are solved all the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sample_friction_problem.h"
#include "test/base/counted_memory.h"

static carom_solver *new_solver(int contacts)
{
    carom_solver *solver = NULL;
    assert_int_equal(
        carom_solver_create(&carom_step_auto, &(carom_problem_shape){.size = contacts}, NULL, &solver, NULL),
        CAROM_OK);
    return solver;
}

/* ---- problems --------------------------------------------------------------------------------------- */

enum {
    BLOCKS = 12,
    CONTACTS = 2 * BLOCKS, /* two under every block of a tower */
    SIZE = 3 * CONTACTS
};

/* A tower of plane blocks of unit mass, side 1, each on two points of the one below: coordinates x, y, angle.
 * Hyperstatic: the impulses are not unique. */
typedef struct tower {
    carom_friction_problem problem;
    int tangents[CONTACTS];
    double target[CONTACTS], W[SIZE * SIZE], u_free[SIZE];
    carom_planar_set set[CONTACTS];
} tower;

/* Row of normal (0) or tangent (1) velocity of contact c: block c / 2 above, the one before it below. */
static void add_row(int c, int component, double *row)
{
    const int above = c / 2;
    const double x = c % 2 ? 0.5 : -0.5;
    memset(row, 0, 3 * BLOCKS * sizeof *row);
    for (int side = 0; side < 2; side++) {
        const int block = above - side;
        const double sign = side ? -1.0 : 1.0, y = side ? 0.5 : -0.5;
        if (block < 0)
            continue;
        row[3 * block + (component ? 0 : 1)] = sign;
        row[3 * block + 2] = sign * (component ? -y : x);
    }
}

static void build(tower *t, double push)
{
    static double row[SIZE][3 * BLOCKS];
    const double inertia[3] = {1.0, 1.0, 1.0 / 6.0};
    memset(t, 0, sizeof *t);
    for (int c = 0; c < CONTACTS; c++) {
        t->tangents[c] = 1;
        t->set[c] = (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -0.5, .b = 0.5};
        for (int k = 0; k < 3; k++) {
            if (k < 2)
                add_row(c, k, row[3 * c + k]);
            else
                memset(row[3 * c + k], 0, sizeof row[0]);
            double free[3 * BLOCKS] = {0};
            for (int b = 0; b < BLOCKS; b++) {
                free[3 * b + 1] = -0.01; /* falling for a step of gravity */
                free[3 * b] = b == BLOCKS - 1 ? push : 0.0;
            }
            t->u_free[3 * c + k] = carom_dot(3 * BLOCKS, row[3 * c + k], free);
        }
    }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            for (int d = 0; d < 3 * BLOCKS; d++)
                t->W[i * SIZE + j] += row[i][d] * row[j][d] / inertia[d % 3];
    t->problem = (carom_friction_problem){CONTACTS, t->tangents, t->target, t->set, t->W, t->u_free};
}

static void a_tower_stands_or_slides(void **state)
{
    (void)state;
    tower *t = malloc(sizeof *t);
    carom_solver *solver = new_solver(CONTACTS);
    const double push[] = {0.0, 0.002, 0.02};
    for (int k = 0; k < 3; k++) {
        build(t, push[k]);
        double impulse[SIZE] = {0};
        unsigned char regime[CONTACTS];
        carom_error error = {0};
        const carom_solve_report report = carom_solver_step(solver, &t->problem, impulse, regime, &error);
        if (report.status != CAROM_OK)
            fail_msg("push %g: %s", push[k], error.text);
        assert_true(carom_friction_problem_error(&t->problem, impulse) <= 1e-10);
        /* the ground carries the weight of all blocks that fell 0.01, unless the top one slides: it does so
         * too */
        assert_true(fabs(impulse[0] + impulse[3] - 0.01 * BLOCKS) < 1e-8);
    }
    carom_solver_free(solver);
    free(t);
}

/* All memory was taken at creation, though plain sweeps alone are not enough (the iterations are more than
 * the 10 of them that are tried first). */
static void a_solution_takes_no_memory(void **state)
{
    (void)state;
    if (!COUNTS_MEMORY) {
        print_message("sanitizers have a malloc of their own, which cannot be counted: skipped; the build "
                      "without them counts\n");
        skip();
    }
    tower *t = malloc(sizeof *t);
    carom_solver *solver = new_solver(CONTACTS);
    for (int k = 0; k < 3; k++) {
        build(t, 0.001 * k);
        double impulse[SIZE] = {0};
        unsigned char regime[CONTACTS];
        carom_error error = {0};
        const long before = asked;
        const carom_solve_report report = carom_solver_step(solver, &t->problem, impulse, regime, &error);
        assert_int_equal(asked, before);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.iterations > 10);
    }
    assert_true(asked > 0); /* they are counted */
    carom_solver_free(solver);
    free(t);
}

/* A solver for more contacts gives the same answers; one for fewer leaves the problem to sweeps. */
static void the_solver_may_be_larger_than_the_problem(void **state)
{
    (void)state;
    tower *t = malloc(sizeof *t);
    build(t, 0.002);
    const int size[] = {CONTACTS, 2 * CONTACTS, 0};
    double impulse[3][SIZE] = {{0}};
    for (int k = 0; k < 3; k++) {
        carom_solver *solver = new_solver(size[k]);
        unsigned char regime[CONTACTS];
        carom_error error = {0};
        const carom_solve_report report = carom_solver_step(solver, &t->problem, impulse[k], regime, &error);
        assert_true(report.error == carom_friction_problem_error(&t->problem, impulse[k]));
        assert_true(k == 2 || report.status == CAROM_OK);
        carom_solver_free(solver);
    }
    assert_memory_equal(impulse[0], impulse[1], sizeof impulse[0]);
    free(t);
}

static void wrong_sizes_are_refused(void **state)
{
    (void)state;
    const int wrong[] = {-1, 1 << 20};
    for (int k = 0; k < 2; k++) {
        carom_solver *solver = NULL;
        carom_error error = {0};
        assert_int_equal(carom_solver_create(&carom_step_auto, &(carom_problem_shape){.size = wrong[k]}, NULL,
                                             &solver, &error),
                         CAROM_BAD_INPUT);
        assert_null(solver);
        assert_non_null(strstr(error.text, "contacts"));
    }
    carom_solver_free(NULL);
}

/* Whatever the sets are, the answer is as good as that of sweeps alone. */
static void any_sets_are_taken(void **state)
{
    (void)state;
    carom_random random = {4};
    carom_solver *solver = new_solver(SAMPLE_CONTACTS);
    for (int trial = 0; trial < 200; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, 1 + trial % SAMPLE_CONTACTS, trial % 4 - 1);
        double impulse[SAMPLE_ROWS] = {0};
        unsigned char regime[SAMPLE_CONTACTS];
        carom_error error = {0};
        const carom_solve_report report = carom_solver_step(solver, &sample.problem, impulse, regime, &error);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(report.error <= 1e-10);
    }
    carom_solver_free(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tower_stands_or_slides),
        cmocka_unit_test(a_solution_takes_no_memory),
        cmocka_unit_test(the_solver_may_be_larger_than_the_problem),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(any_sets_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
