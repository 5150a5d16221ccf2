/* Dense matrices beside sparse ones, for the formulas that reduce a problem. */
#ifndef CAROM_TEST_CONTACT_COULOMB_SAMPLE_COULOMB_MATRICES_H
#define CAROM_TEST_CONTACT_COULOMB_SAMPLE_COULOMB_MATRICES_H

#include <math.h>
#include <string.h>

#include "carom/contact.h"

enum {
    DENSE_MAX = 24
};

/* Row-major, `columns` per row. */
typedef struct dense {
    int rows, columns;
    double entry[DENSE_MAX * DENSE_MAX];
} dense;

static inline double *dense_at(dense *a, int i, int j)
{
    return &a->entry[i * a->columns + j];
}

/* Each place is filled with this chance; `diagonal` is added to what stands there. */
static inline dense dense_random(carom_random *random, int rows, int columns, double chance, double diagonal)
{
    dense made = {.rows = rows, .columns = columns};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            if (carom_random_uniform(random, 0.0, 1.0) < chance)
                *dense_at(&made, i, j) = carom_random_uniform(random, -1.0, 1.0);
            if (i == j)
                *dense_at(&made, i, j) += diagonal;
        }
    return made;
}

static inline dense dense_transposed(const dense *a)
{
    dense made = {.rows = a->columns, .columns = a->rows};
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < a->columns; j++)
            *dense_at(&made, j, i) = a->entry[i * a->columns + j];
    return made;
}

static inline dense dense_product(const dense *a, const dense *b)
{
    dense made = {.rows = a->rows, .columns = b->columns};
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++)
            for (int k = 0; k < a->columns; k++)
                *dense_at(&made, i, j) += a->entry[i * a->columns + k] * b->entry[k * b->columns + j];
    return made;
}

static inline dense dense_difference(const dense *a, const dense *b)
{
    dense made = *a;
    for (int k = 0; k < a->rows * a->columns; k++)
        made.entry[k] -= b->entry[k];
    return made;
}

/* a^-1 b */
static inline dense dense_solved(const dense *a, const dense *b)
{
    dense factor = *a, made = *b;
    int pivot[DENSE_MAX];
    assert_int_equal(carom_lu_factor(a->rows, factor.entry, pivot), 0);
    for (int j = 0; j < b->columns; j++) {
        double x[DENSE_MAX];
        for (int i = 0; i < b->rows; i++)
            x[i] = *dense_at(&made, i, j);
        carom_lu_solve(a->rows, factor.entry, pivot, x);
        for (int i = 0; i < b->rows; i++)
            *dense_at(&made, i, j) = x[i];
    }
    return made;
}

static inline carom_sparse sparse_of(carom_arena *arena, const dense *a)
{
    int row[DENSE_MAX * DENSE_MAX], column[DENSE_MAX * DENSE_MAX], count = 0;
    double value[DENSE_MAX * DENSE_MAX];
    for (int k = 0; k < a->rows * a->columns; k++)
        if (a->entry[k] != 0.0) {
            row[count] = k / a->columns;
            column[count] = k % a->columns;
            value[count++] = a->entry[k];
        }
    carom_sparse made;
    assert_true(carom_sparse_take(arena, a->rows, a->columns, (size_t)count, row, column, value, &made));
    return made;
}

/* The problem is W, q (dimension per contact) in space, to `tolerance` times the largest entry. */
static inline void expect_problem(const carom_coulomb *problem, int dimension, const dense *W, const dense *q,
                                  double tolerance)
{
    double found[DENSE_MAX / 2 * 3 * DENSE_MAX / 2 * 3] = {0};
    const int contacts = problem->contacts, size = 3 * contacts;
    const double scale_W = fmax(1.0, carom_largest(W->rows * W->columns, W->entry));
    const double scale_q = fmax(1.0, carom_largest(q->rows, q->entry));
    assert_int_equal(dimension * contacts, W->rows);
    assert_int_equal(problem->W.rows, contacts);
    for (int a = 0; a < contacts; a++)
        for (int k = problem->W.row_start[a]; k < problem->W.row_start[a + 1]; k++)
            for (int e = 0; e < 9; e++)
                found[(3 * a + e / 3) * size + 3 * problem->W.column[k] + e % 3] =
                    carom_block_at(&problem->W, k)[e];
    for (int i = 0; i < size; i++) {
        const bool is_extra = i % 3 >= dimension;
        const int row = dimension * (i / 3) + i % 3;
        assert_true(fabs(problem->q[i] - (is_extra ? 0.0 : q->entry[row])) <= tolerance * scale_q);
        for (int j = 0; j < size; j++) {
            const int column = dimension * (j / 3) + j % 3;
            const double expected =
                is_extra || j % 3 >= dimension ? (i == j ? 1.0 : 0.0) : W->entry[row * W->columns + column];
            assert_true(fabs(found[i * size + j] - expected) <= tolerance * scale_W);
        }
    }
}

#endif
