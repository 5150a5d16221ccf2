/* Writes small frictional contact problems with known solutions into the current directory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/io.h"

static void stop(const char *text)
{
    fprintf(stderr, "make_contact_files: %s\n", text);
    exit(1);
}

static void *take(carom_arena *arena, size_t count, size_t size)
{
    void *memory = carom_arena_take(arena, count, size);
    if (!memory)
        stop("no memory");
    return memory;
}

static carom_sparse dense(carom_arena *arena, int rows, int columns, const double *entry)
{
    const size_t count = (size_t)rows * (size_t)columns;
    int *row = take(arena, count, sizeof *row), *column = take(arena, count, sizeof *column);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            row[i * columns + j] = i;
            column[i * columns + j] = j;
        }
    carom_sparse matrix;
    if (!carom_sparse_take(arena, rows, columns, count, row, column, entry, &matrix))
        stop("no memory");
    return matrix;
}

static carom_sparse diagonal(carom_arena *arena, int rows, int columns, const double *entry)
{
    double *all = take(arena, (size_t)rows * (size_t)columns, sizeof *all);
    for (int i = 0; i < rows && i < columns; i++)
        all[i * columns + i] = entry[i];
    return dense(arena, rows, columns, all);
}

static carom_sparse none(carom_arena *arena, int rows)
{
    return (carom_sparse){.rows = rows,
                          .column_start = take(arena, 1, sizeof(int)),
                          .row = take(arena, 1, sizeof(int)),
                          .value = take(arena, 1, sizeof(double))};
}

static void write_file(const char *path, const carom_fclib *problem)
{
    carom_error error = {0};
    if (carom_fclib_write(path, problem, true, &error) != CAROM_OK)
        stop(error.text);
}

static carom_fclib local_problem(carom_arena *arena, int dimension, int contacts, const double *W, double *q,
                                 double *mu)
{
    const int size = dimension * contacts;
    return (carom_fclib){.local = {.dimension = dimension,
                                   .contacts = contacts,
                                   .W = dense(arena, size, size, W),
                                   .V = none(arena, size),
                                   .R = none(arena, 0),
                                   .q = q,
                                   .mu = mu}};
}

/* One contact that slides: r = (4, -0.72, 0.96), u = (0, 2.64, -3.52). */
static void write_slide(carom_arena *arena)
{
    static const double W[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5};
    double q[3] = {-2, 3, -4}, mu[1] = {0.3}, r[3] = {4, -0.72, 0.96}, u[3] = {0, 2.64, -3.52};
    double zero[3] = {0};
    char title[] = "one sliding contact";
    carom_fclib problem = local_problem(arena, 3, 1, W, q, mu);
    carom_fclib_solution guess[2] = {{.u = zero, .r = zero}, {.u = u, .r = r}};
    problem.title = title;
    problem.solution = (carom_fclib_solution){.u = u, .r = zero};
    problem.guess_count = 2;
    problem.guess = guess;
    write_file("slide.hdf5", &problem);
}

/* In the plane: r = (4, -1.2), u = (0, 2.4). */
static void write_plane(carom_arena *arena)
{
    static const double W[4] = {0.5, 0, 0, 0.5};
    double q[2] = {-2, 3}, mu[1] = {0.3};
    const carom_fclib problem = local_problem(arena, 2, 1, W, q, mu);
    write_file("plane.hdf5", &problem);
}

/* The sliding contact as the first three of four velocities, of mass 2; an equation says that the fourth is
 * -1: v = (0, 2.64, -3.52, -1), multiplier -2 - 5 = -7. With a third `mass` of 0 there is none. */
static void write_global(carom_arena *arena, const char *path, double mass)
{
    const double M[4] = {2, 2, mass, 2}, H[3] = {1, 1, 1};
    static const double G[4] = {0, 0, 0, 1};
    double f[4] = {-4, 6, -8, 5}, w[3] = {0}, b[1] = {1}, mu[1] = {0.3};
    const carom_fclib problem = {.is_global = true,
                                 .global = {.dimension = 3,
                                            .contacts = 1,
                                            .M = diagonal(arena, 4, 4, M),
                                            .H = diagonal(arena, 4, 3, H),
                                            .G = dense(arena, 4, 1, G),
                                            .f = f,
                                            .w = w,
                                            .b = b,
                                            .mu = mu}};
    write_file(path, &problem);
}

/* W = H^T H / n with H_ij = cos(1 + 3 i + 7 j + 0.3 i j), ten contacts. n = 36: full rank, a unique solution.
 * n = 12: rank 12 of 30, no solution. */
static void write_formula(carom_arena *arena, const char *path, int n)
{
    enum {
        CONTACTS = 10,
        SIZE = 3 * CONTACTS
    };
    double *H = take(arena, (size_t)n * SIZE, sizeof *H), *W = take(arena, SIZE * SIZE, sizeof *W);
    double q[SIZE], mu[CONTACTS];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < SIZE; j++)
            H[i * SIZE + j] = cos(1.0 + 3.0 * i + 7.0 * j + 0.3 * i * j);
    for (int a = 0; a < SIZE; a++)
        for (int b = 0; b < SIZE; b++)
            for (int i = 0; i < n; i++)
                W[a * SIZE + b] += H[i * SIZE + a] * H[i * SIZE + b] / n;
    for (int j = 0; j < SIZE; j++)
        q[j] = j % 3 == 0 ? -1.0 + 0.5 * sin(j) : 0.8 * cos(2.0 * j);
    for (int i = 0; i < CONTACTS; i++)
        mu[i] = 0.2 + 0.1 * (i % 4);
    const carom_fclib problem = local_problem(arena, 3, CONTACTS, W, q, mu);
    write_file(path, &problem);
}

/* One mass between two walls that approach each other: no reaction stops both. Frictional, with a solution stored
 * that is none. */
/* A mass between two walls that come nearer; all contacts but the first are the other wall. */
static void write_pressed(carom_arena *arena, const char *path, int contacts)
{
    enum {
        MOST = 501
    };
    static int row[2 * MOST], column[2 * MOST];
    static double value[2 * MOST], w[2 * MOST], mu[MOST];
    static const double one[2] = {1.0, 1.0}, rest[2] = {0.0, 0.0};
    static const int both[2] = {0, 1};
    carom_sparse M, H, G;
    for (int i = 0; i < contacts; i++) { /* normals along the first coordinate, tangents along the second */
        row[2 * i] = 0, column[2 * i] = 2 * i, value[2 * i] = i == 0 ? 1.0 : -1.0;
        row[2 * i + 1] = 1, column[2 * i + 1] = 2 * i + 1, value[2 * i + 1] = 1.0;
        w[2 * i] = -1.0;
        w[2 * i + 1] = 0.0;
        mu[i] = 0.3;
    }
    if (!carom_sparse_take(arena, 2, 2, 2, both, both, one, &M) ||
        !carom_sparse_take(arena, 2, 2 * contacts, 2 * (size_t)contacts, row, column, value, &H) ||
        !carom_sparse_take(arena, 2, 0, 0, NULL, NULL, NULL, &G))
        exit(1);
    const carom_fclib problem = {.is_global = true,
                                 .global = {.dimension = 2,
                                            .contacts = contacts,
                                            .M = M,
                                            .H = H,
                                            .G = G,
                                            .f = rest,
                                            .w = w,
                                            .b = rest,
                                            .mu = mu}};
    write_file(path, &problem);
}

static void write_squeezed(carom_arena *arena)
{
    double W[36] = {0};
    for (int k = 0; k < 6; k++)
        W[7 * k] = 1.0;
    W[3] = W[18] = -1.0;
    double q[6] = {-1, 0, 0, 0.5, 0.25, 0}, mu[2] = {0.3, 0.3}, r[6] = {1, 0, 0, 0.5, 0, 0}, u[6] = {0};
    carom_fclib problem = local_problem(arena, 3, 2, W, q, mu);
    problem.solution = (carom_fclib_solution){.u = u, .r = r};
    write_file("squeezed.hdf5", &problem);
}

/* A disc of mass 3 and radius 0.2 on an incline of 0.5: it rolls. */
static void write_rolling(carom_arena *arena, const char *path, double rolling)
{
    static const double W[9] = {1.0 / 3.0, 0, 0, 0, 1.0, 0.2 / 0.06, 0, 0.2 / 0.06, 1.0 / 0.06};
    double q[3] = {-2, 1, 0}, mu[1] = {1.0}, mu_r[1] = {rolling};
    carom_fclib problem = local_problem(arena, 3, 1, W, q, mu);
    problem.local.mu_r = mu_r;
    write_file(path, &problem);
}

/* Nothing moves the contact. */
static void write_fixed(carom_arena *arena)
{
    static const double W[9] = {0};
    double q[3] = {-1, 0, 0}, mu[1] = {0.3};
    const carom_fclib problem = local_problem(arena, 3, 1, W, q, mu);
    write_file("fixed.hdf5", &problem);
}

int main(void)
{
    carom_arena *arena = carom_arena_create();
    if (!arena)
        stop("no memory");
    write_slide(arena);
    write_plane(arena);
    write_global(arena, "global.hdf5", 2.0);
    write_global(arena, "singular.hdf5", 0.0);
    write_formula(arena, "formula.hdf5", 36);
    write_formula(arena, "unsolvable.hdf5", 12);
    write_squeezed(arena);
    write_pressed(arena, "pressed.hdf5", 2);
    write_pressed(arena, "many-pressed.hdf5", 501);
    write_fixed(arena);
    write_rolling(arena, "rolling.hdf5", 0.05);
    write_rolling(arena, "negative-rolling.hdf5", -0.5);
    write_rolling(arena, "nan-rolling.hdf5", NAN);
    carom_arena_free(arena);
    return 0;
}
