#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "fclib_files.h"

static void round_trip(carom_fclib *problem)
{
    carom_error error = {0};
    carom_fclib *back = NULL;
    assert_int_equal(carom_fclib_write("trip.hdf5", problem, true, &error), CAROM_OK);
    assert_int_equal(carom_fclib_read("trip.hdf5", &back, &error), CAROM_OK);
    expect_same_problem(problem, back);
    carom_fclib_free(back);
    carom_fclib_free(problem);
    unlink("trip.hdf5");
}

static void local_problems_come_back(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int contacts = 0; contacts <= 5; contacts++)
            for (int p = 0; p <= 3; p++)
                for (int decorated = 0; decorated < 2; decorated++)
                    round_trip(local_problem((uint64_t)(contacts + p), dimension, contacts, p, decorated));
}

static void global_problems_come_back(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int contacts = 0; contacts <= 4; contacts++)
            for (int p = 0; p <= 3; p++)
                for (int decorated = 0; decorated < 2; decorated++)
                    round_trip(
                        global_problem((uint64_t)(contacts + p), dimension, contacts, 7, p, decorated));
}

/* 3 numbers per contact in the plane, 5 in space, 6 with torsion. */
static carom_fclib *with_rolling(carom_fclib *problem, int dimension, int contacts)
{
    carom_random random = {7};
    const double *mu_r = random_mu(&random, problem->arena, contacts);
    const double *mu_t = dimension == 6 ? random_mu(&random, problem->arena, contacts) : NULL;
    problem->global.mu_r = problem->is_global ? mu_r : NULL;
    problem->global.mu_t = problem->is_global ? mu_t : NULL;
    problem->local.mu_r = problem->is_global ? NULL : mu_r;
    problem->local.mu_t = problem->is_global ? NULL : mu_t;
    return problem;
}

static void rolling_friction_comes_back(void **state)
{
    static const int dimension[] = {3, 5, 6};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int contacts = 0; contacts <= 4; contacts++)
            for (int p = 0; p <= 2; p++) {
                const int d = dimension[k];
                round_trip(with_rolling(local_problem(3, d, contacts, p, p == 1), d, contacts));
                round_trip(with_rolling(global_problem(3, d, contacts, 7, p, p == 1), d, contacts));
            }
}

/* The group and the vectors of the collection's own file. */
static void rolling_friction_stands_where_others_expect_it(void **state)
{
    (void)state;
    write_problem("roll.hdf5", with_rolling(global_problem(1, 5, 2, 7, 0, false), 5, 2));
    const hid_t file = H5Fopen("roll.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
    const char *const there[] = {"/fclib_global_rolling/spacedim", "/fclib_global_rolling/M/x",
                                 "/fclib_global_rolling/H/x", "/fclib_global_rolling/vectors/mu",
                                 "/fclib_global_rolling/vectors/mu_r"};
    for (size_t k = 0; k < sizeof there / sizeof *there; k++)
        assert_true(H5Oexists_by_name(file, there[k], H5P_DEFAULT) > 0);
    assert_true(H5Lexists(file, "/fclib_global", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "/fclib_global_rolling/vectors/mu_t", H5P_DEFAULT) == 0);
    H5Fclose(file);
}

static void refuses_what_is_no_rolling_friction(void **state)
{
    (void)state;
    const struct {
        int dimension;
        bool mu_r, mu_t;
        const char *part;
    } bad[] = {{2, true, false, "2 dimensions"},
               {4, true, false, "4 dimensions"},
               {5, false, false, "5 dimensions"},
               {6, true, false, "without mu_t"},
               {5, true, true, "with mu_t"}};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        carom_error error = {0};
        carom_fclib *problem = local_problem(1, bad[k].dimension, 2, 0, false);
        problem->local.mu_r = bad[k].mu_r ? problem->local.mu : NULL;
        problem->local.mu_t = bad[k].mu_t ? problem->local.mu : NULL;
        assert_int_equal(carom_fclib_write("bad.hdf5", problem, true, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, bad[k].part));
        carom_fclib_free(problem);
    }
}

/* The layout that other programs expect: W by rows, with exact nzmax. */
static void w_is_stored_by_rows(void **state)
{
    (void)state;
    const int row[] = {0, 0, 1}, column[] = {0, 2, 1};
    const double value[] = {1.0, 2.0, 3.0}, q[3] = {0}, mu[] = {0.3};
    carom_error error = {0};
    carom_fclib *problem = new_problem();
    problem->local = (carom_coulomb_local){.dimension = 3, .contacts = 1, .q = q, .mu = mu, .V = {.rows = 3}};
    assert_true(carom_sparse_take(problem->arena, 3, 3, 3, row, column, value, &problem->local.W));
    assert_int_equal(carom_fclib_write("rows.hdf5", problem, true, &error), CAROM_OK);
    const hid_t file = H5Fopen("rows.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
    const struct {
        const char *name;
        int count, value[4];
    } expected[] = {{"W/nz", 1, {-2}},        {"W/nzmax", 1, {3}},   {"W/m", 1, {3}},     {"W/n", 1, {3}},
                    {"W/p", 4, {0, 2, 3, 3}}, {"W/i", 3, {0, 2, 1}}, {"spacedim", 1, {3}}};
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        char path[64];
        int found[4] = {0};
        snprintf(path, sizeof path, "/fclib_local/%s", expected[k].name);
        const hid_t set = H5Dopen2(file, path, H5P_DEFAULT), space = H5Dget_space(set);
        assert_int_equal(H5Sget_simple_extent_ndims(space), 1);
        assert_int_equal(H5Sget_simple_extent_npoints(space), expected[k].count);
        assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0);
        assert_memory_equal(found, expected[k].value, (size_t)expected[k].count * sizeof(int));
        H5Sclose(space);
        H5Dclose(set);
    }
    assert_true(H5Lexists(file, "/fclib_local/V", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "/fclib_local/info", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "/solution", H5P_DEFAULT) == 0);
    assert_true(H5Lexists(file, "/guesses", H5P_DEFAULT) == 0);
    H5Fclose(file);
    carom_fclib_free(problem);
}

static void same_problem_same_bytes(void **state)
{
    (void)state;
    unsigned char bytes[2][65536];
    size_t size[2];
    for (int k = 0; k < 2; k++) {
        write_problem("same.hdf5", global_problem(3, 3, 2, 6, 1, true));
        FILE *stream = fopen("same.hdf5", "rb");
        size[k] = fread(bytes[k], 1, sizeof bytes[k], stream);
        fclose(stream);
    }
    assert_true(size[0] == size[1] && size[0] < sizeof bytes[0]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
}

static void does_not_overwrite_unasked(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_fclib *problem = local_problem(1, 3, 2, 0, false), *back = NULL;
    write_problem("there.hdf5", local_problem(2, 3, 4, 0, false));
    assert_int_equal(carom_fclib_write("there.hdf5", problem, false, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "there.hdf5"));
    assert_int_equal(carom_fclib_read("there.hdf5", &back, &error), CAROM_OK);
    assert_int_equal(back->local.contacts, 4);
    carom_fclib_free(back);
    assert_int_equal(carom_fclib_write("there.hdf5", problem, true, &error), CAROM_OK);
    assert_int_equal(carom_fclib_read("there.hdf5", &back, &error), CAROM_OK);
    assert_int_equal(back->local.contacts, 2);
    carom_fclib_free(back);
    assert_int_equal(carom_fclib_write("fresh.hdf5", problem, false, &error), CAROM_OK);
    carom_fclib_free(problem);
}

static void says_where_it_cannot_write(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_fclib *problem = local_problem(1, 3, 2, 0, false);
    assert_int_equal(carom_fclib_write("nowhere/x.hdf5", problem, true, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "nowhere/x.hdf5"));
    if (access("/dev/full", W_OK) == 0)
        assert_int_equal(carom_fclib_write("/dev/full", problem, true, &error), CAROM_IO_ERROR);
    carom_fclib_free(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_problems_come_back),
        cmocka_unit_test(global_problems_come_back),
        cmocka_unit_test(rolling_friction_comes_back),
        cmocka_unit_test(rolling_friction_stands_where_others_expect_it),
        cmocka_unit_test(refuses_what_is_no_rolling_friction),
        cmocka_unit_test(w_is_stored_by_rows),
        cmocka_unit_test(same_problem_same_bytes),
        cmocka_unit_test(does_not_overwrite_unasked),
        cmocka_unit_test(says_where_it_cannot_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
