/* Problems of the FCLIB collection: what is known of them without solving them. The directory is that of the
 * environment variable CAROM_FCLIB, else shared/fclib beside the source tree. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/contact/rolling.h"
#include "carom/io.h"

/* Relative tolerance: half a unit of the last of the digits given below, twelve at least. */
static const double digits = 5e-12;

typedef struct known_problem {
    const char *name;
    bool is_global;
    int contacts;
    double q, W, error;               /* |q|, |W|_F, error of r = 0 */
    double asymmetry, asymmetry_unit; /* max |W - W^T| and half a unit of its last digit */
} known_problem;

/* |W - W^T| of symmetric matrices is rounding: then 0 and a bound of it. */
static const known_problem known[] = {
    {"Box_Stacks-i0122-82-5", true, 82, 0.0112475832603, 76.5104152886, 0.945051353118, 0, 2e-15},
    {"LMGC_100_PR_PerioBox-i00361-60-03000", false, 60, 0.844533710698, 3.13944785531e-4, 0.927316358052, 0,
     4e-21},
    {"Capsules-i125-1213", false, 286, 7.08379013632, 119.81774269, 0.0157988154289, 9.4e-3, 5e-5},
    {"LMGC_GlobalFrictionContactProblem00046", true, 9, 0.17711306822, 0.248002802388, 0.978090922915,
     1.008e-2, 5e-6},
    {"CubeH8", true, 1, NAN, NAN, 0.862578495277, 0, 2e-14},
};

static const char *directory(void)
{
    const char *given = getenv("CAROM_FCLIB");
    return given && *given ? given : CAROM_SOURCE_DIR "/../shared/fclib";
}

static bool is_directory_there(void)
{
    DIR *list = opendir(directory());
    if (list)
        closedir(list);
    else
        print_message("no FCLIB problems in %s; CAROM_FCLIB names another directory\n", directory());
    return list != NULL;
}

typedef struct loaded {
    carom_fclib *file;
    carom_arena *arena;
    carom_coulomb problem;
} loaded;

static carom_status load(const char *path, loaded *made, carom_error *error)
{
    const carom_status status = carom_fclib_read(path, &made->file, error);
    if (status != CAROM_OK)
        return status;
    made->arena = carom_arena_create();
    return made->file->is_global
               ? carom_coulomb_reduce(&made->file->global, made->arena, &made->problem, error)
               : carom_coulomb_embed(&made->file->local, made->arena, &made->problem, error);
}

static void unload(loaded *made)
{
    carom_arena_free(made->arena);
    carom_fclib_free(made->file);
}

static double norm(int count, const double *x)
{
    return sqrt(carom_dot(count, x, x));
}

static const double *find_block(const carom_blocks *W, int row, int column)
{
    static const double none[9] = {0};
    for (int k = W->row_start[row]; k < W->row_start[row + 1]; k++)
        if (W->column[k] == column)
            return carom_block_at(W, k);
    return none;
}

static double asymmetry(const carom_blocks *W)
{
    double largest = 0.0;
    for (int row = 0; row < W->rows; row++)
        for (int k = W->row_start[row]; k < W->row_start[row + 1]; k++) {
            const double *block = carom_block_at(W, k), *other = find_block(W, W->column[k], row);
            for (int e = 0; e < 9; e++)
                largest = fmax(largest, fabs(block[e] - other[3 * (e % 3) + e / 3]));
        }
    return largest;
}

static double error_at_rest(const carom_coulomb *problem)
{
    double *r = carom_new_array(3 * (size_t)problem->contacts, sizeof *r);
    const double error = carom_coulomb_error(problem, r);
    free(r);
    return error;
}

static void expect_digits(const char *name, const char *what, double found, double expected)
{
    if (!isnan(expected) && !(fabs(found - expected) <= digits * fabs(expected)))
        fail_msg("%s: %s is %.15g, not %.15g", name, what, found, expected);
}

static void check_known(const known_problem *k)
{
    char path[1024];
    loaded made = {0};
    carom_error error = {0};
    snprintf(path, sizeof path, "%s/%s.hdf5", directory(), k->name);
    if (load(path, &made, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_coulomb *problem = &made.problem;
    const int entries = 9 * problem->W.row_start[problem->W.rows];
    assert_int_equal(made.file->is_global, k->is_global);
    assert_int_equal(problem->contacts, k->contacts);
    expect_digits(k->name, "|q|", norm(3 * problem->contacts, problem->q), k->q);
    expect_digits(k->name, "|W|", norm(entries, problem->W.block), k->W);
    expect_digits(k->name, "error of r = 0", error_at_rest(problem), k->error);
    assert_true(fabs(asymmetry(&problem->W) - k->asymmetry) <= k->asymmetry_unit);
    unload(&made);
}

static void has_the_published_figures(void **state)
{
    (void)state;
    if (!is_directory_there())
        skip();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check_known(&known[i]);
}

/* ---- every file ---------------------------------------------------------------------------------------- */

static bool is_rolling(const char *name)
{
    return strncmp(name, "Chute-ndof", 10) == 0;
}

static bool is_planar(const char *name)
{
    return strncmp(name, "FrictionContactProblem", 22) == 0 || strncmp(name, "fc2d_", 5) == 0;
}

/* Written and read again it is the same problem: bits of W and q, error of r = 0. */
static void check_round_trip(const loaded *made)
{
    loaded back = {0};
    carom_error error = {0};
    assert_int_equal(carom_fclib_write("copy.hdf5", made->file, true, &error), CAROM_OK);
    assert_int_equal(load("copy.hdf5", &back, &error), CAROM_OK);
    const carom_coulomb *a = &made->problem, *b = &back.problem;
    const size_t blocks = (size_t)a->W.row_start[a->W.rows], contacts = (size_t)a->contacts;
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(blocks, b->W.row_start[b->W.rows]);
    assert_memory_equal(a->W.block, b->W.block, 9 * blocks * sizeof(double));
    assert_memory_equal(a->W.column, b->W.column, blocks * sizeof(int));
    assert_memory_equal(a->q, b->q, 3 * contacts * sizeof(double));
    assert_memory_equal(a->mu, b->mu, contacts * sizeof(double));
    assert_true(error_at_rest(a) == error_at_rest(b));
    unload(&back);
}

/* Rolling friction: solved, and the velocities are those that Siconos stored, which it found to 1e-3 of its own error. */
static void check_rolling(const char *path)
{
    carom_fclib *file = NULL;
    carom_rolling problem;
    carom_error error = {0};
    carom_solve_report report;
    carom_arena *arena = carom_arena_create();
    assert_int_equal(carom_fclib_read(path, &file, &error), CAROM_OK);
    assert_int_equal(file->global.dimension, 5);
    assert_int_equal(carom_rolling_reduce(&file->global, arena, &problem, &error), CAROM_OK);
    const size_t size = 3 * (size_t)problem.parts.contacts;
    double *r = carom_arena_take(arena, size, sizeof *r),
           *three = carom_arena_take(arena, size, sizeof *three);
    double *u = carom_arena_take(arena, size, sizeof *u);
    assert_int_equal(
        carom_rolling_solve(NULL, &problem, &(carom_solver_options){.tolerance = 1e-10}, r, &report, &error),
        CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    carom_rolling_examine(&problem, r, three, NULL, NULL, NULL);
    carom_rolling_unpack_velocities(&problem, three, u);
    for (int i = 0; i < file->global.H.columns; i++)
        assert_true(fabs(u[i] - file->solution.u[i]) <= 1e-5);
    carom_arena_free(arena);
    carom_fclib_free(file);
}

static void check_file(const char *name)
{
    char path[1024];
    loaded made = {0};
    carom_error error = {0};
    snprintf(path, sizeof path, "%s/%s", directory(), name);
    const carom_status status = load(path, &made, &error);
    if (is_rolling(name)) { /* for others than solvers of rolling friction */
        assert_int_equal(status, CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, "rolling friction"));
        unload(&made);
        check_rolling(path);
        return;
    }
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_fclib *file = made.file;
    assert_int_equal(file->is_global ? file->global.dimension : file->local.dimension,
                     is_planar(name) ? 2 : 3);
    assert_true(carom_all_finite(3 * made.problem.contacts, made.problem.q));
    const double at_rest = error_at_rest(&made.problem);
    assert_true(at_rest > 0.0 && at_rest < 1.5);
    check_round_trip(&made);
    unload(&made);
}

/* Calls `look` for every problem file; how many there are. */
static int for_every_file(void (*look)(const char *name))
{
    DIR *list = opendir(directory());
    int files = 0;
    for (const struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".hdf5") != 0)
            continue;
        look(entry->d_name);
        files++;
    }
    closedir(list);
    return files;
}

static void every_file_is_read(void **state)
{
    (void)state;
    if (!is_directory_there())
        skip();
    assert_true(for_every_file(check_file) >= 5);
}

/* ---- two solvers ------------------------------------------------------------------------------------ */

static bool solve(const carom_coulomb *problem, const char *name, double *u)
{
    const carom_solver_ops *solver = carom_solver_find(CAROM_PROBLEM_COULOMB, name, NULL);
    const carom_solver_options limits = {.tolerance = 1e-10, .max_seconds = 1.0};
    double *r = carom_new_array(3 * (size_t)problem->contacts, sizeof *r);
    carom_solve_report report;
    assert_int_equal(carom_coulomb_solve(solver, problem, &limits, r, &report, NULL), CAROM_OK);
    carom_blocks_multiply(&problem->W, r, problem->q, u);
    if (report.word == CAROM_SOLVE_OK && !(carom_coulomb_error(problem, r) <= 1e-10))
        fail_msg("%s says that it solved, with the error %g", name, carom_coulomb_error(problem, r));
    free(r);
    return report.word == CAROM_SOLVE_OK;
}

static int solved_by_both;

static void compare_solvers(const char *name)
{
    char path[1024];
    loaded made = {0};
    carom_error error = {0};
    if (is_rolling(name))
        return;
    snprintf(path, sizeof path, "%s/%s", directory(), name);
    if (load(path, &made, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const int size = 3 * made.problem.contacts;
    double *u = carom_new_array((size_t)size, sizeof *u),
           *other = carom_new_array((size_t)size, sizeof *other);
    if (solve(&made.problem, "auto", u) && solve(&made.problem, "uzawa-bipotential", other)) {
        for (int i = 0; i < size; i++)
            u[i] -= other[i];
        const double apart = norm(size, u) / norm(size, made.problem.q);
        if (!(apart <= 1e-7))
            fail_msg("%s: velocities differ by %g of |q|", name, apart);
        solved_by_both++;
    }
    free(u);
    free(other);
    unload(&made);
}

/* Reactions need not be unique; the velocities of these problems are, and follow the error with a factor of
 * up to a hundred. */
static void bipotential_and_default_agree(void **state)
{
    (void)state;
    if (!is_directory_there())
        skip();
    solved_by_both = 0;
    const int files = for_every_file(compare_solvers);
    print_message("%d problems solved by both\n", solved_by_both);
    assert_true(solved_by_both >= (files < 22 ? 3 : 14)); /* slow machines reach the limit of time */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_published_figures),
        cmocka_unit_test(every_file_is_read),
        cmocka_unit_test(bipotential_and_default_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
