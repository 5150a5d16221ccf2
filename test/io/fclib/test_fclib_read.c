/* What the reader makes of storages, optional parts and mistakes; each mistake is made in a good file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <unistd.h>

#include "fclib_files.h"

static const char *const path = "problem.hdf5";

static carom_fclib *read_good(void)
{
    carom_error error = {0};
    carom_fclib *problem = NULL;
    const carom_status status = carom_fclib_read(path, &problem, &error);
    if (status != CAROM_OK)
        print_message("%s\n", error.text);
    assert_int_equal(status, CAROM_OK);
    return problem;
}

/* The message must name the file and hold both parts. */
static void expect_bad(const char *part, const char *other)
{
    carom_error error = {0};
    carom_fclib *problem = NULL;
    assert_int_equal(carom_fclib_read(path, &problem, &error), CAROM_BAD_INPUT);
    assert_null(problem);
    if (!strstr(error.text, path) || !strstr(error.text, part) || !strstr(error.text, other))
        fail_msg("'%s' lacks '%s' or '%s'", error.text, part, other);
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

static const double dense_W[9] = {1, 2, 0, 0, 3, 4, 5, 0, 6};

static void expect_W(const file_matrix *matrix)
{
    write_problem(path, local_problem(1, 3, 1, 0, false));
    const hid_t file = open_for_change(path);
    replace_matrix(file, "/fclib_local/W", matrix);
    H5Fclose(file);
    carom_fclib *problem = read_good();
    const carom_sparse *W = &problem->local.W;
    double found[9] = {0};
    for (int j = 0; j < 3; j++)
        for (int k = W->column_start[j]; k < W->column_start[j + 1]; k++)
            found[3 * W->row[k] + j] = W->value[k];
    assert_memory_equal(found, dense_W, sizeof found);
    assert_int_equal(W->column_start[3], 6);
    carom_fclib_free(problem);
}

/* i is the row and p the column; order is free, entries at one place are added, nzmax may be anything. */
static void reads_triplets(void **state)
{
    (void)state;
    const int row[] = {2, 0, 2, 0, 1, 1, 0}, column[] = {2, 1, 0, 0, 1, 2, 1};
    const double value[] = {6, 0.5, 5, 1, 3, 4, 1.5};
    expect_W(&(file_matrix){99, 3, 3, 7, 7, 7, column, row, value});
}

static void reads_compressed_columns(void **state)
{
    (void)state;
    const int start[] = {0, 2, 4, 6}, row[] = {2, 0, 0, 1, 1, 2, 77, 77};
    const double value[] = {5, 1, 2, 3, 4, 6, 1e300, 1e300};
    expect_W(&(file_matrix){8, 3, 3, -1, 4, 8, start, row, value});
    expect_W(&(file_matrix){6, 3, 3, -1, 4, 6, start, row, value});
}

static void reads_compressed_rows(void **state)
{
    (void)state;
    const int start[] = {0, 2, 4, 7}, column[] = {1, 0, 1, 2, 2, 0, 2};
    const double value[] = {2, 1, 3, 4, 2.5, 5, 3.5};
    expect_W(&(file_matrix){7, 3, 3, -2, 4, 7, start, column, value});
}

/* A matrix that is not square shows whether rows and columns are exchanged. */
static void h_keeps_rows_and_columns(void **state)
{
    (void)state;
    const int row[] = {6, 0}, column[] = {1, 2};
    const double value[] = {7, 8};
    write_problem(path, global_problem(1, 3, 1, 7, 0, false));
    const hid_t file = open_for_change(path);
    replace_matrix(file, "/fclib_global/H", &(file_matrix){50, 7, 3, 2, 2, 2, column, row, value});
    H5Fclose(file);
    carom_fclib *problem = read_good();
    const carom_sparse *H = &problem->global.H;
    assert_true(H->column_start[1] == 0 && H->column_start[2] == 1 && H->column_start[3] == 2);
    assert_true(H->row[0] == 6 && H->value[0] == 7.0 && H->row[1] == 0 && H->value[1] == 8.0);
    carom_fclib_free(problem);
}

static void reads_other_number_types(void **state)
{
    (void)state;
    const double q[] = {0.5, -0.25, 4.0};
    const int dimension = 3;
    write_problem(path, local_problem(1, 3, 1, 0, false));
    const hid_t file = open_for_change(path);
    replace(file, "/fclib_local/vectors/q", H5T_IEEE_F32BE, H5T_NATIVE_DOUBLE, 3, q);
    replace(file, "/fclib_local/spacedim", H5T_STD_I64BE, H5T_NATIVE_INT, 1, &dimension);
    H5Fclose(file);
    carom_fclib *problem = read_good();
    assert_memory_equal(problem->local.q, q, sizeof q);
    carom_fclib_free(problem);
}

/* ---- parts ---------------------------------------------------------------------------------------------- */

enum {
    PARTS = 4,
    MOST_ENTRIES = 4096
};

typedef struct gathered {
    size_t count;
    int row[MOST_ENTRIES], column[MOST_ENTRIES];
    double value[MOST_ENTRIES];
} gathered;

static void gather(const carom_sparse *from, gathered *to)
{
    for (int j = 0; j < from->columns; j++)
        for (int k = from->column_start[j]; k < from->column_start[j + 1]; k++, to->count++) {
            assert_true(to->count < MOST_ENTRIES);
            to->row[to->count] = from->row[k];
            to->column[to->count] = j;
            to->value[to->count] = from->value[k];
        }
}

/* No part has all, and together they have each entry once. */
static void expect_whole(carom_arena *arena, const gathered *all, const carom_sparse *whole)
{
    carom_sparse sum;
    assert_int_equal(all->count, whole->column_start[whole->columns]);
    assert_true(carom_sparse_take(arena, whole->rows, whole->columns, all->count, all->row, all->column,
                                  all->value, &sum));
    expect_same_sparse(&sum, whole);
}

static const carom_sparse *matrix_of(const carom_fclib *problem, int which)
{
    const carom_sparse *global[] = {&problem->global.M, &problem->global.H};
    return problem->is_global ? global[which] : &problem->local.W;
}

static void expect_parts(void)
{
    carom_fclib *whole = read_good();
    const int matrices = whole->is_global ? 2 : 1;
    gathered *all = calloc(2, sizeof *all);
    assert_non_null(all);
    for (int part = 0; part < PARTS; part++) {
        carom_error error = {0};
        carom_fclib *some = NULL;
        assert_int_equal(carom_fclib_read_part(path, part, PARTS, &some, &error), CAROM_OK);
        assert_int_equal(some->guess_count, part == 0 ? whole->guess_count : 0);
        for (int i = 0; i < matrices; i++) {
            const size_t before = all[i].count;
            gather(matrix_of(some, i), &all[i]);
            const carom_sparse *complete = matrix_of(whole, i);
            assert_true(all[i].count - before < (size_t)complete->column_start[complete->columns]);
        }
        carom_fclib_free(some);
    }
    for (int i = 0; i < matrices; i++)
        expect_whole(whole->arena, &all[i], matrix_of(whole, i));
    free(all);
    carom_fclib_free(whole);
}

static void parts_are_the_whole(void **state)
{
    (void)state;
    write_problem(path, global_problem(3, 3, 7, 31, 0, true)); /* by columns and by rows */
    expect_parts();
    write_problem(path, local_problem(4, 2, 9, 0, true));
    expect_parts();
    write_problem(path, local_problem(1, 3, 1, 0, false));
    const int row[] = {2, 0, 2, 0, 1, 1}, column[] = {2, 1, 0, 0, 1, 2};
    const double value[] = {6, 2, 5, 1, 3, 4};
    const hid_t file = open_for_change(path);
    replace_matrix(file, "/fclib_local/W", &(file_matrix){6, 3, 3, 6, 6, 6, column, row, value});
    H5Fclose(file);
    expect_parts();
}

/* The part that has it says what is wrong, in the words of the whole. */
static void a_part_names_what_is_wrong(void **state)
{
    (void)state;
    write_problem(path, local_problem(1, 3, 1, 0, false));
    const int row[] = {2, 0, 2, 0, 9, 1}, column[] = {2, 1, 0, 0, 1, 2};
    const double value[] = {6, 2, 5, 1, 3, 4};
    const hid_t file = open_for_change(path);
    replace_matrix(file, "/fclib_local/W", &(file_matrix){6, 3, 3, 6, 6, 6, column, row, value});
    H5Fclose(file);
    carom_error whole = {0}, error = {0};
    carom_fclib *problem = NULL;
    assert_int_equal(carom_fclib_read(path, &problem, &whole), CAROM_BAD_INPUT);
    assert_non_null(strstr(whole.text, "entry 4, a row index, is 9"));
    assert_int_equal(carom_fclib_read_part(path, 0, 2, &problem, &error), CAROM_OK);
    carom_fclib_free(problem);
    assert_int_equal(carom_fclib_read_part(path, 1, 2, &problem, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.text, whole.text);
}
/* ---- mistakes in numbers ------------------------------------------------------------------------------- */

typedef struct change {
    bool is_global;
    const char *set;
    int count; /* < 0: the dataset is deleted */
    int ints[6];
    double reals[6]; /* taken when ints[0] is REALS */
    const char *part, *other;
} change;

enum {
    REALS = -12345
};

static void make_change(const change *c)
{
    const hid_t file = open_for_change(path);
    if (c->count < 0)
        assert_true(H5Ldelete(file, c->set, H5P_DEFAULT) >= 0);
    else if (c->ints[0] == REALS)
        replace_reals(file, c->set, c->count, c->reals);
    else
        replace_ints(file, c->set, c->count, c->ints);
    H5Fclose(file);
}

static void expect_change(const change *c)
{
    if (c->is_global)
        write_problem(path, global_problem(1, 3, 2, 5, 2, true));
    else
        write_problem(path, local_problem(1, 3, 2, 2, true));
    carom_fclib_free(read_good());
    make_change(c);
    expect_bad(c->part, c->other);
}

#define LOCAL "/fclib_local/"
#define GLOBAL "/fclib_global/"

static void names_what_is_wrong(void **state)
{
    (void)state;
    const change changes[] = {
        {false, LOCAL "spacedim", 1, {4}, {0}, LOCAL "spacedim", "is 4; it must be 2 or 3"},
        {false, LOCAL "spacedim", 1, {5}, {0}, LOCAL "spacedim", "rolling"},
        {false, LOCAL "spacedim", 2, {3, 3}, {0}, LOCAL "spacedim", "2 entries"},
        {false, LOCAL "spacedim", 1, {REALS}, {3.0}, LOCAL "spacedim", "integers"},
        {false,
         LOCAL "spacedim",
         1,
         {2},
         {0},
         LOCAL "vectors/mu",
         "has 2 entries; there must be 3: vectors/q has 6"},
        {false, LOCAL "spacedim", -1, {0}, {0}, LOCAL "spacedim", "missing"},
        {false, LOCAL "vectors", -1, {0}, {0}, LOCAL "vectors", "missing"},
        {false, LOCAL "vectors/q", 5, {REALS}, {0}, LOCAL "vectors/q", "has 5 entries; there must be 6"},
        {false, LOCAL "vectors/q", 6, {REALS}, {0, 0, 0, 0, NAN}, LOCAL "vectors/q", "entry 4 is NaN"},
        {false, LOCAL "vectors/q", 6, {REALS}, {0, -INFINITY}, LOCAL "vectors/q", "entry 1 is infinite"},
        {false, LOCAL "vectors/q", 6, {1, 2}, {0}, LOCAL "vectors/q", "floating point"},
        {false, LOCAL "vectors/mu", 2, {REALS}, {0.1, -0.1}, LOCAL "vectors/mu", "mu[1] = -0.1"},
        {false, LOCAL "vectors/mu", 1, {REALS}, {0.1}, LOCAL "vectors/mu", "has 1 entry; there must be 2"},
        {true, GLOBAL "vectors/mu", 3, {REALS}, {0.1}, GLOBAL "vectors/mu", "has 3 entries; there must be 2"},
        {false, LOCAL "vectors/mu", -1, {0}, {0}, LOCAL "vectors/mu", "missing"},
        {false, LOCAL "vectors/s", 1, {REALS}, {0}, LOCAL "V", "there must be 6 and 1"},
        {false, LOCAL "V", -1, {0}, {0}, "R without V", "both or none"},
        {false, LOCAL "R", -1, {0}, {0}, "V without R", "both or none"},
        {false, LOCAL "W/m", 1, {7}, {0}, LOCAL "W", "has 7 rows and 6 columns; there must be 6 and 6"},
        {false, LOCAL "W/n", 1, {INT32_MAX}, {0}, LOCAL "W", "2147483647"},
        {false, LOCAL "W/n", 1, {-6}, {0}, LOCAL "W", "-6 columns"},
        {false, LOCAL "W/nz", 1, {-3}, {0}, LOCAL "W/nz", "is -3"},
        {false, LOCAL "W/nz", 1, {3}, {0}, LOCAL "W", "nz says 3"},
        {false, LOCAL "W/p", 3, {0, 1, 2}, {0}, LOCAL "W/p", "has 3 entries"},
        {false, LOCAL "W/i", 2, {0, 1}, {0}, LOCAL "W", "the last of p says"},
        {false, LOCAL "W/x", 1, {REALS}, {1}, LOCAL "W", "the last of p says"},
        {false, LOCAL "W/x", 6, {1, 2, 3}, {0}, LOCAL "W/x", "floating point"},
        {false, LOCAL "R/p", 3, {0, 2, 1}, {0}, LOCAL "R/p", "descend"},
        {false, LOCAL "R/p", 3, {1, 2, 2}, {0}, LOCAL "R/p", "entry 0 is 1"},
        {false, LOCAL "R/p", 3, {0, -5, 2}, {0}, LOCAL "R/p", "descend"},
        {false, LOCAL "R/p", 3, {0, 1, INT32_MAX}, {0}, LOCAL "R", "2147483647"},
        {false, LOCAL "R/i", 4, {0, 1, 2, 1}, {0}, LOCAL "R/i", "out of range 0..1"},
        {false, LOCAL "R/i", 4, {0, -1, 0, 1}, {0}, LOCAL "R/i", "is -1, out of range"},
        {false, "/solution/u", 5, {REALS}, {0}, "/solution/u", "there must be 6"},
        {false, "/solution/r", 6, {REALS}, {NAN}, "/solution/r", "NaN"},
        {false, "/guesses/number_of_guesses", 1, {3}, {0}, "/guesses/3", "missing"},
        {false, "/guesses/number_of_guesses", 1, {-1}, {0}, "number_of_guesses", "is -1"},
        {false, "/guesses/number_of_guesses", 1, {INT32_MAX}, {0}, "number_of_guesses", "no room"},
        {false, LOCAL "info/title", 1, {1}, {0}, LOCAL "info/title", "text"},
        {true, GLOBAL "vectors/f", 4, {REALS}, {0}, GLOBAL "M", "there must be 4 and 4"},
        {true, GLOBAL "vectors/w", 5, {REALS}, {0}, GLOBAL "vectors/w", "there must be 6"},
        {true, GLOBAL "vectors/b", 3, {REALS}, {0}, GLOBAL "G", "there must be 5 and 3"},
        {true, GLOBAL "vectors/b", -1, {0}, {0}, GLOBAL "vectors/b", "missing"},
        {true, GLOBAL "M", -1, {0}, {0}, GLOBAL "M", "missing"},
        {true, GLOBAL "H/n", 1, {3}, {0}, GLOBAL "H", "there must be 5 and 6"},
        {true, "/solution/v", 6, {REALS}, {0}, "/solution/v", "there must be 5"},
        {true, "/guesses/2/l", 1, {REALS}, {0}, "/guesses/2/l", "there must be 2"},
    };
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
        expect_change(&changes[k]);
}

/* ---- mistakes in shapes and links ---------------------------------------------------------------------- */

static void refuses_other_ranks(void **state)
{
    (void)state;
    const hsize_t extent[] = {2, 3};
    write_problem(path, local_problem(1, 3, 2, 0, false));
    const hid_t file = open_for_change(path), space = H5Screate_simple(2, extent, NULL);
    H5Ldelete(file, LOCAL "vectors/q", H5P_DEFAULT);
    const hid_t set =
        H5Dcreate2(file, LOCAL "vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    expect_bad(LOCAL "vectors/q", "has rank 2");
}

/* A terabyte that is claimed and never written. */
static void refuses_enormous_claims(void **state)
{
    (void)state;
    const hsize_t extents[] = {(hsize_t)1 << 37, (hsize_t)1 << 28};
    for (int k = 0; k < 2; k++) {
        write_problem(path, local_problem(1, 3, 2, 0, false));
        const hid_t file = open_for_change(path), space = H5Screate_simple(1, &extents[k], NULL);
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk = 1024;
        H5Pset_chunk(creation, 1, &chunk);
        H5Ldelete(file, LOCAL "vectors/mu", H5P_DEFAULT);
        const hid_t set =
            H5Dcreate2(file, LOCAL "vectors/mu", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        assert_true(set >= 0);
        H5Dclose(set);
        H5Pclose(creation);
        H5Sclose(space);
        H5Fclose(file);
        expect_bad(LOCAL "vectors/mu", "claims");
    }
}

/* Files of the collection have an r that was never written. */
static void data_never_written_are_zeros(void **state)
{
    (void)state;
    const hsize_t extent = 6;
    const double zeros[6] = {0};
    write_problem(path, local_problem(1, 3, 2, 0, true));
    const hid_t file = open_for_change(path), space = H5Screate_simple(1, &extent, NULL);
    H5Ldelete(file, "/solution/r", H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, "/solution/r", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
    carom_fclib *problem = read_good();
    assert_memory_equal(problem->solution.r, zeros, sizeof zeros);
    carom_fclib_free(problem);
}

static void refuses_links_and_wrong_kinds(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        write_problem(path, local_problem(1, 3, 2, 0, false));
        const hid_t file = open_for_change(path);
        const char *const name = k < 3 ? LOCAL "vectors/q" : LOCAL "W";
        H5Ldelete(file, name, H5P_DEFAULT);
        if (k == 0)
            H5Lcreate_external("other.hdf5", "/q", file, name, H5P_DEFAULT, H5P_DEFAULT);
        else if (k == 1)
            H5Lcreate_soft("/nowhere", file, name, H5P_DEFAULT, H5P_DEFAULT);
        else if (k == 2)
            H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        else
            replace_int(file, name, 1);
        H5Fclose(file);
        const char *const said[] = {"link", "link", "not a dataset", "not a group"};
        expect_bad(name, said[k]);
    }
}

static void refuses_data_of_other_files(void **state)
{
    (void)state;
    write_problem(path, local_problem(1, 3, 2, 0, false));
    const hid_t file = open_for_change(path), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t extent = 6;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    H5Ldelete(file, LOCAL "vectors/q", H5P_DEFAULT);
    H5Pset_external(creation, path, 0, 48);
    H5Dclose(H5Dcreate2(file, LOCAL "vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(file);
    expect_bad(LOCAL "vectors/q", "another file");
}

/* ---- rolling friction ------------------------------------------------------------------------------------ */

#define ROLLING "/fclib_global_rolling/"
#define LOCAL_ROLLING "/fclib_local_rolling/"

/* Two contacts of 6 numbers. */
static void write_rolling(bool is_global)
{
    carom_fclib *problem = is_global ? global_problem(1, 6, 2, 5, 0, true) : local_problem(1, 6, 2, 0, true);
    problem->global.mu_r = problem->global.mu_t = problem->global.mu;
    problem->local.mu_r = problem->local.mu_t = problem->local.mu;
    write_problem(path, problem);
}

static void names_what_is_wrong_with_rolling_friction(void **state)
{
    (void)state;
    const change changes[] = {
        {true, ROLLING "spacedim", 1, {4}, {0}, ROLLING "spacedim", "must be 3 (plane), 5 (space) or 6"},
        {false, LOCAL_ROLLING "spacedim", 1, {2}, {0}, LOCAL_ROLLING "spacedim", "must be 3 (plane)"},
        {true, ROLLING "spacedim", 1, {5}, {0}, ROLLING "vectors/w", "has 12 entries; there must be 10"},
        {true,
         ROLLING "vectors/mu_r",
         -1,
         {0},
         {0},
         ROLLING "vectors/mu_r",
         "is missing: coefficients of rolling"},
        {true,
         ROLLING "vectors/mu_t",
         -1,
         {0},
         {0},
         ROLLING "vectors/mu_t",
         "is missing: coefficients of torsional"},
        {true,
         ROLLING "vectors/mu_r",
         3,
         {REALS},
         {0},
         ROLLING "vectors/mu_r",
         "has 3 entries; there must be 2"},
        {true, ROLLING "vectors/mu_r", 2, {REALS}, {0.1, NAN}, ROLLING "vectors/mu_r", "entry 1 is NaN"},
        {true, ROLLING "vectors/mu_r", 2, {REALS}, {0.1, -0.5}, ROLLING "vectors/mu_r", "mu_r[1] = -0.5"},
        {true, ROLLING "vectors/mu_t", 2, {REALS}, {-1, 0}, ROLLING "vectors/mu_t", "mu_t[0] = -1"},
        {true, ROLLING "vectors/mu_r", 2, {1, 1}, {0}, ROLLING "vectors/mu_r", "floating point"},
        {false, LOCAL_ROLLING "vectors/mu_r", -1, {0}, {0}, LOCAL_ROLLING "vectors/mu_r", "is missing"},
        {true, ROLLING "H/n", 1, {10}, {0}, ROLLING "H", "there must be 5 and 12"},
        {false, LOCAL_ROLLING "W/m", 1, {6}, {0}, LOCAL_ROLLING "W", "there must be 12 and 12"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_rolling(changes[i].is_global);
        carom_fclib_free(read_good());
        make_change(&changes[i]);
        expect_bad(changes[i].part, changes[i].other);
    }
}

/* ---- files --------------------------------------------------------------------------------------------- */

static void make_file_with(const char *group, const char *other)
{
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (group)
        H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    if (other)
        H5Gclose(H5Gcreate2(file, other, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
}

static void says_which_files_are_not_read(void **state)
{
    (void)state;
    make_file_with(NULL, NULL);
    expect_bad("not an FCLIB file", "no fclib_local, fclib_global or fclib_global_rolling");
    make_file_with("fclib_local", "fclib_global");
    expect_bad("2 problems", "one problem");
    make_file_with("fclib_global_rolling", NULL);
    expect_bad("fclib_global_rolling/spacedim", "missing");
    make_file_with("fclib_global_rolling", "fclib_global");
    expect_bad("2 problems", "one problem");
    FILE *stream = fopen(path, "wb");
    fputs("no HDF5 at all\n", stream);
    fclose(stream);
    expect_bad("not an FCLIB file", "not HDF5");
    unlink(path);
    expect_bad("cannot read", "No such file");
}

static void an_error_need_not_be_wanted(void **state)
{
    (void)state;
    carom_fclib *problem = NULL;
    assert_int_equal(carom_fclib_read("missing.hdf5", &problem, NULL), CAROM_BAD_INPUT);
    make_file_with("fclib_local", NULL);
    assert_int_equal(carom_fclib_read(path, &problem, NULL), CAROM_BAD_INPUT);
    carom_fclib_free(NULL);
}

/* HDF5's own report on stderr is switched off during a read only. */
static void leaves_hdf5_as_it_was(void **state)
{
    (void)state;
    H5E_auto2_t before = NULL, after = NULL;
    void *data = NULL;
    H5Eget_auto2(H5E_DEFAULT, &before, &data);
    an_error_need_not_be_wanted(NULL);
    H5Eget_auto2(H5E_DEFAULT, &after, &data);
    assert_true(before == after);
    assert_int_equal(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_triplets),
        cmocka_unit_test(reads_compressed_columns),
        cmocka_unit_test(reads_compressed_rows),
        cmocka_unit_test(h_keeps_rows_and_columns),
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(a_part_names_what_is_wrong),
        cmocka_unit_test(reads_other_number_types),
        cmocka_unit_test(names_what_is_wrong),
        cmocka_unit_test(names_what_is_wrong_with_rolling_friction),
        cmocka_unit_test(refuses_other_ranks),
        cmocka_unit_test(refuses_enormous_claims),
        cmocka_unit_test(data_never_written_are_zeros),
        cmocka_unit_test(refuses_links_and_wrong_kinds),
        cmocka_unit_test(refuses_data_of_other_files),
        cmocka_unit_test(says_which_files_are_not_read),
        cmocka_unit_test(an_error_need_not_be_wanted),
        cmocka_unit_test(leaves_hdf5_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
