/* Problems and FCLIB files for tests. */
#ifndef CAROM_TEST_IO_FCLIB_FCLIB_FILES_H
#define CAROM_TEST_IO_FCLIB_FCLIB_FILES_H

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"

/* ---- problems ------------------------------------------------------------------------------------------ */

static inline double *random_vector(carom_random *random, carom_arena *arena, int count)
{
    double *value = carom_arena_take(arena, (size_t)count, sizeof *value);
    assert_non_null(value);
    for (int i = 0; i < count; i++)
        value[i] = carom_random_uniform(random, -1.0, 1.0);
    return value;
}

/* About a third of the places, all of the diagonal. */
static inline carom_sparse random_sparse(carom_random *random, carom_arena *arena, int rows, int columns)
{
    const size_t places = (size_t)(rows * columns);
    int *row = carom_arena_take(arena, places, sizeof *row), *column = NULL, count = 0;
    column = carom_arena_take(arena, places, sizeof *column);
    double *value = carom_arena_take(arena, places, sizeof *value);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            if (i == j || carom_random_uniform(random, 0.0, 3.0) < 1.0) {
                row[count] = i;
                column[count] = j;
                value[count++] = carom_random_uniform(random, -1.0, 1.0);
            }
    carom_sparse made;
    assert_true(carom_sparse_take(arena, rows, columns, (size_t)count, row, column, value, &made));
    return made;
}

static inline carom_fclib *new_problem(void)
{
    carom_arena *arena = carom_arena_create();
    carom_fclib *problem = carom_arena_take(arena, 1, sizeof *problem);
    problem->arena = arena;
    return problem;
}

static inline carom_fclib_solution random_solution(carom_random *random, carom_arena *arena, int m, int n,
                                                   int p)
{
    return (carom_fclib_solution){.u = random_vector(random, arena, m),
                                  .r = random_vector(random, arena, m),
                                  .v = n > 0 ? random_vector(random, arena, n) : NULL,
                                  .l = p > 0 ? random_vector(random, arena, p) : NULL};
}

static inline void add_decoration(carom_random *random, carom_fclib *problem, int m, int n, int p)
{
    problem->title = carom_arena_copy_text(problem->arena, "a title");
    problem->description = carom_arena_copy_text(problem->arena, "");
    problem->math_info = carom_arena_copy_text(problem->arena, "odd byte \xa8");
    problem->solution = random_solution(random, problem->arena, m, n, p);
    problem->guess_count = 2;
    problem->guess = carom_arena_take(problem->arena, 2, sizeof *problem->guess);
    for (int i = 0; i < 2; i++)
        problem->guess[i] = random_solution(random, problem->arena, m, n, p);
    problem->guess[1].u = NULL;
}

static inline double *random_mu(carom_random *random, carom_arena *arena, int contacts)
{
    double *mu = random_vector(random, arena, contacts);
    for (int i = 0; i < contacts; i++)
        mu[i] *= mu[i];
    return mu;
}

static inline carom_fclib *local_problem(uint64_t seed, int dimension, int contacts, int p, bool decorated)
{
    carom_random random = {seed};
    carom_fclib *problem = new_problem();
    carom_arena *arena = problem->arena;
    const int m = dimension * contacts;
    problem->local = (carom_coulomb_local){.dimension = dimension,
                                           .contacts = contacts,
                                           .W = random_sparse(&random, arena, m, m),
                                           .V = random_sparse(&random, arena, m, p),
                                           .R = random_sparse(&random, arena, p, p),
                                           .q = random_vector(&random, arena, m),
                                           .s = random_vector(&random, arena, p),
                                           .mu = random_mu(&random, arena, contacts)};
    if (decorated)
        add_decoration(&random, problem, m, 0, p);
    return problem;
}

static inline carom_fclib *global_problem(uint64_t seed, int dimension, int contacts, int n, int p,
                                          bool decorated)
{
    carom_random random = {seed};
    carom_fclib *problem = new_problem();
    carom_arena *arena = problem->arena;
    const int m = dimension * contacts;
    problem->is_global = true;
    problem->global = (carom_coulomb_global){.dimension = dimension,
                                             .contacts = contacts,
                                             .M = random_sparse(&random, arena, n, n),
                                             .H = random_sparse(&random, arena, n, m),
                                             .G = random_sparse(&random, arena, n, p),
                                             .f = random_vector(&random, arena, n),
                                             .w = random_vector(&random, arena, m),
                                             .b = random_vector(&random, arena, p),
                                             .mu = random_mu(&random, arena, contacts)};
    if (decorated)
        add_decoration(&random, problem, m, n, p);
    return problem;
}

static inline void write_problem(const char *path, carom_fclib *problem)
{
    carom_error error = {0};
    assert_int_equal(carom_fclib_write(path, problem, true, &error), CAROM_OK);
    carom_fclib_free(problem);
}

/* ---- files, dataset by dataset ------------------------------------------------------------------------- */

static inline void replace(hid_t file, const char *path, hid_t type, hid_t memory_type, int count,
                           const void *value)
{
    const hsize_t extent = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &extent, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    if (H5Lexists(file, path, H5P_DEFAULT) > 0)
        assert_true(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
    const hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0);
    assert_true(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
}

static inline void replace_ints(hid_t file, const char *path, int count, const int *value)
{
    replace(file, path, H5T_STD_I32LE, H5T_NATIVE_INT, count, value);
}

static inline void replace_reals(hid_t file, const char *path, int count, const double *value)
{
    replace(file, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, value);
}

static inline void replace_int(hid_t file, const char *path, int value)
{
    replace_ints(file, path, 1, &value);
}

typedef struct file_matrix {
    int nzmax, m, n, nz;
    int p_count, i_count;
    const int *p, *i;
    const double *x;
} file_matrix;

static inline void replace_matrix(hid_t file, const char *group, const file_matrix *matrix)
{
    char path[64];
    const struct {
        const char *name;
        int value;
    } heads[] = {{"nzmax", matrix->nzmax}, {"m", matrix->m}, {"n", matrix->n}, {"nz", matrix->nz}};
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", group, heads[k].name);
        replace_int(file, path, heads[k].value);
    }
    snprintf(path, sizeof path, "%s/p", group);
    replace_ints(file, path, matrix->p_count, matrix->p);
    snprintf(path, sizeof path, "%s/i", group);
    replace_ints(file, path, matrix->i_count, matrix->i);
    snprintf(path, sizeof path, "%s/x", group);
    replace_reals(file, path, matrix->i_count, matrix->x);
}

static inline hid_t open_for_change(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* ---- comparison ---------------------------------------------------------------------------------------- */

static inline void expect_same_bytes(const void *a, const void *b, size_t size)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a && size > 0)
        assert_memory_equal(a, b, size);
}

static inline void expect_same_reals(const double *a, const double *b, int count)
{
    expect_same_bytes(a, b, (size_t)count * sizeof *a);
}

static inline void expect_same_sparse(const carom_sparse *a, const carom_sparse *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    expect_same_bytes(a->column_start, b->column_start, ((size_t)a->columns + 1) * sizeof(int));
    const int count = a->column_start[a->columns];
    expect_same_bytes(a->row, b->row, (size_t)count * sizeof(int));
    expect_same_reals(a->value, b->value, count);
}

static inline void expect_same_text(const char *a, const char *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        assert_string_equal(a, b);
}

static inline void expect_same_solution(const carom_fclib_solution *a, const carom_fclib_solution *b, int m,
                                        int n, int p)
{
    expect_same_reals(a->u, b->u, m);
    expect_same_reals(a->r, b->r, m);
    expect_same_reals(a->v, b->v, n);
    expect_same_reals(a->l, b->l, p);
}

/* Both there or none. */
static inline void expect_same_if_there(const double *a, const double *b, int count)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        expect_same_reals(a, b, count);
}

static inline void expect_same_problem(const carom_fclib *a, const carom_fclib *b)
{
    int m, n, p, contacts;
    assert_int_equal(a->is_global, b->is_global);
    if (a->is_global) {
        const carom_coulomb_global *x = &a->global, *y = &b->global;
        m = x->H.columns, n = x->M.columns, p = x->G.columns, contacts = x->contacts;
        assert_true(x->dimension == y->dimension && contacts == y->contacts);
        expect_same_sparse(&x->M, &y->M);
        expect_same_sparse(&x->H, &y->H);
        expect_same_sparse(&x->G, &y->G);
        expect_same_reals(x->f, y->f, n);
        expect_same_reals(x->w, y->w, m);
        if (p > 0)
            expect_same_reals(x->b, y->b, p);
        expect_same_reals(x->mu, y->mu, contacts);
        expect_same_if_there(x->mu_r, y->mu_r, contacts);
        expect_same_if_there(x->mu_t, y->mu_t, contacts);
    } else {
        const carom_coulomb_local *x = &a->local, *y = &b->local;
        m = x->W.columns, n = 0, p = x->R.columns, contacts = x->contacts;
        assert_true(x->dimension == y->dimension && contacts == y->contacts);
        expect_same_sparse(&x->W, &y->W);
        expect_same_sparse(&x->V, &y->V);
        expect_same_sparse(&x->R, &y->R);
        expect_same_reals(x->q, y->q, m);
        if (p > 0)
            expect_same_reals(x->s, y->s, p);
        expect_same_reals(x->mu, y->mu, contacts);
        expect_same_if_there(x->mu_r, y->mu_r, contacts);
        expect_same_if_there(x->mu_t, y->mu_t, contacts);
    }
    expect_same_text(a->title, b->title);
    expect_same_text(a->description, b->description);
    expect_same_text(a->math_info, b->math_info);
    expect_same_solution(&a->solution, &b->solution, m, n, p);
    assert_int_equal(a->guess_count, b->guess_count);
    for (int i = 0; i < a->guess_count; i++)
        expect_same_solution(&a->guess[i], &b->guess[i], m, n, p);
}

#endif
