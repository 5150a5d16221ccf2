/* Problems FC(W, q, mu) given by formulas:
 *
 *   H_ij = cos(1 + 3 i + 7 j + 0.3 i j), i < n, j < 3 contacts;  W = H^T H / n;  mu_a = mu0 + 0.1 (a mod 4),
 *   q_j = -1 + 0.5 sin j for normals, 0.8 cos 2j for tangents ("given"),  or
 *   q = H^T f / n, f_i = sin(1 + i) ("deformable": there is a solution, W may be singular). */
#ifndef CAROM_TEST_CONTACT_COULOMB_FORMULA_PROBLEMS_H
#define CAROM_TEST_CONTACT_COULOMB_FORMULA_PROBLEMS_H

#include <math.h>

#include "carom/contact.h"

static inline double formula_direction(int i, int j)
{
    return cos(1.0 + 3.0 * i + 7.0 * j + 0.3 * i * j);
}

static inline double formula_free_velocity(int n, int j, bool deformable)
{
    if (!deformable)
        return j % 3 == 0 ? -1.0 + 0.5 * sin(j) : 0.8 * cos(2.0 * j);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += formula_direction(i, j) * sin(1.0 + i);
    return sum / n;
}

/* All blocks are there: W is dense. */
static inline void formula_matrix(carom_arena *arena, int n, int contacts, carom_blocks *W)
{
    const int m = 3 * contacts;
    const size_t blocks = (size_t)contacts * (size_t)contacts;
    double *H = carom_arena_take(arena, (size_t)n * (size_t)m, sizeof *H);
    double *block = carom_arena_take(arena, 9 * blocks, sizeof *block);
    int *start = carom_arena_take(arena, (size_t)contacts + 1, sizeof *start);
    int *column = carom_arena_take(arena, blocks, sizeof *column);
    int *diagonal = carom_arena_take(arena, (size_t)contacts, sizeof *diagonal);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            H[i * m + j] = formula_direction(i, j);
    for (int a = 0; a < contacts; a++) {
        start[a + 1] = (a + 1) * contacts;
        diagonal[a] = a * contacts + a;
        for (int b = 0; b < contacts; b++)
            column[a * contacts + b] = b;
    }
    for (int j = 0; j < m; j++)
        for (int k = 0; k < m; k++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++)
                sum += H[i * m + j] * H[i * m + k];
            block[9 * (j / 3 * contacts + k / 3) + 3 * (j % 3) + k % 3] = sum / n;
        }
    *W = (carom_blocks){contacts, start, column, diagonal, block};
}

/* Memory comes from the arena. */
static inline carom_coulomb formula_problem(carom_arena *arena, int n, int contacts, double mu0,
                                            bool deformable)
{
    double *q = carom_arena_take(arena, 3 * (size_t)contacts, sizeof *q);
    double *mu = carom_arena_take(arena, (size_t)contacts, sizeof *mu);
    carom_coulomb problem = {.contacts = contacts, .q = q, .mu = mu};
    formula_matrix(arena, n, contacts, &problem.W);
    for (int j = 0; j < 3 * contacts; j++)
        q[j] = formula_free_velocity(n, j, deformable);
    for (int a = 0; a < contacts; a++)
        mu[a] = mu0 + 0.1 * (a % 4);
    return problem;
}

/* Full rank, one solution: 3 contacts stick, 7 slide. */
static inline carom_coulomb formula_syn36(carom_arena *arena)
{
    return formula_problem(arena, 36, 10, 0.2, false);
}

/* Rank 12 of 30, no solution. */
static inline carom_coulomb formula_syn_inf(carom_arena *arena)
{
    return formula_problem(arena, 12, 10, 0.2, false);
}

/* Rank 15 of 24. */
static inline carom_coulomb formula_def15(carom_arena *arena)
{
    return formula_problem(arena, 15, 8, 0.2, true);
}

/* Rank 12 of 30, two solutions with different velocities. */
static inline carom_coulomb formula_def12(carom_arena *arena)
{
    return formula_problem(arena, 12, 10, 0.2, true);
}

/* Entry (i, j) of W, for problems of this file. */
static inline double formula_entry(const carom_coulomb *problem, int i, int j)
{
    return carom_block_at(&problem->W, i / 3 * problem->contacts + j / 3)[3 * (i % 3) + j % 3];
}

static inline double formula_norm(int size, const double *x)
{
    return sqrt(carom_dot(size, x, x));
}

#endif
