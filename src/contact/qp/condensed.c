/* The small dense system of the active rows,
 *
 *      W_aa r = gap,   W_aa = D_a A^-1 D_a^T,   x += A^-1 D_a^T r.
 *
 * A column A^-1 D_i^T costs one band solve when its row is active for the first time. The rows of the
 * Cholesky factor follow the list of active rows, so that rows that stay keep theirs. */
#include <float.h>
#include <string.h>

#include "qp_solver.h"

enum {
    COLUMNS_PER_SOLVE = 10 /* from so many columns on a band solve is cheaper than their sum */
};

/* A pivot below this share of W_ii is rounding: the row depends on those before it. */
static const double dependent_share = 16.0 * DBL_EPSILON;

static int slots_for(const qp_solver *solver)
{
    const size_t column = (size_t)solver->problem.size * sizeof(double);
    const size_t most = solver->options.cache_bytes / column;
    return most < (size_t)solver->problem.rows ? (int)most : solver->problem.rows;
}

/* One slot stays for the row that the dual method is about to add. */
static int capacity_for(const qp_solver *solver, int slots)
{
    const int most = slots == solver->problem.rows ? slots : slots - 1;
    const int limit = solver->options.condensed_limit;
    if (most < 0)
        return 0;
    return solver->banded.available && limit < most ? limit : most;
}

bool qp_condensed_take(qp_solver *solver)
{
    qp_condensed *condensed = &solver->condensed;
    const size_t rows = (size_t)solver->problem.rows;
    condensed->slots = slots_for(solver);
    condensed->capacity = capacity_for(solver, condensed->slots);
    const size_t slots = (size_t)condensed->slots, capacity = (size_t)condensed->capacity;
    condensed->slot_row = carom_arena_take(solver->arena, slots, sizeof *condensed->slot_row);
    condensed->row_slot = carom_arena_take(solver->arena, rows, sizeof *condensed->row_slot);
    condensed->column =
        carom_arena_take(solver->arena, slots * (size_t)solver->problem.size, sizeof *condensed->column);
    condensed->factor =
        carom_arena_take(solver->arena, capacity * (capacity + 1) / 2, sizeof *condensed->factor);
    return condensed->slot_row && condensed->row_slot && condensed->column && condensed->factor;
}

static double *column_of_slot(const qp_solver *solver, int slot)
{
    return solver->condensed.column + (size_t)slot * (size_t)solver->problem.size;
}

/* An empty slot, or one of a row that is not active. */
static int free_slot(qp_solver *solver)
{
    qp_condensed *condensed = &solver->condensed;
    for (;;) {
        const int slot = condensed->hand;
        const int row = condensed->slot_row[slot] - 1;
        condensed->hand = (slot + 1) % condensed->slots;
        if (row >= 0 && solver->side[row] != QP_FREE)
            continue;
        if (row >= 0)
            condensed->row_slot[row] = 0;
        return slot;
    }
}

const double *qp_column(qp_solver *solver, int row)
{
    qp_condensed *condensed = &solver->condensed;
    if (condensed->row_slot[row] > 0)
        return column_of_slot(solver, condensed->row_slot[row] - 1);
    const int slot = free_slot(solver);
    double *column = column_of_slot(solver, slot);
    memset(column, 0, (size_t)solver->problem.size * sizeof *column);
    qp_add_row(&solver->problem, row, 1.0, column);
    carom_band_solve(&solver->factor, column);
    condensed->slot_row[slot] = row + 1;
    condensed->row_slot[row] = slot + 1;
    return column;
}

/* Four sums side by side: one alone would wait for itself at every term. */
static double dot(int n, const double *a, const double *b)
{
    double part[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            part[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        part[0] += a[i] * b[i];
    return part[0] + part[1] + (part[2] + part[3]);
}

static double *factor_row(const qp_condensed *condensed, int k)
{
    return condensed->factor + (ptrdiff_t)k * (k + 1) / 2;
}

static bool append_factor_row(qp_solver *solver, int k)
{
    double *row = factor_row(&solver->condensed, k);
    const double *column = qp_column(solver, solver->row[k]);
    for (int j = 0; j < k; j++) {
        const double *above = factor_row(&solver->condensed, j);
        const double coupling = qp_row_value(&solver->problem, solver->row[j], column);
        row[j] = (coupling - dot(j, row, above)) * above[j];
    }
    const double diagonal = qp_row_value(&solver->problem, solver->row[k], column);
    const double pivot = diagonal - dot(k, row, row);
    row[k] = 1.0 / sqrt(pivot); /* kept inverted: a solve then needs no division */
    return pivot > dependent_share * diagonal;
}

bool qp_condensed_factor(qp_solver *solver)
{
    qp_condensed *condensed = &solver->condensed;
    while (condensed->factored < solver->active) {
        if (!append_factor_row(solver, condensed->factored))
            return false;
        condensed->factored++;
    }
    return true;
}

void qp_condensed_correct(qp_solver *solver, double *y, double *x)
{
    const int count = solver->active;
    for (int k = 0; k < count; k++) {
        const double *row = factor_row(&solver->condensed, k);
        y[k] = (y[k] - dot(k, row, y)) * row[k];
    }
    for (int k = count - 1; k >= 0; k--) {
        const double *row = factor_row(&solver->condensed, k);
        y[k] *= row[k];
        carom_axpy(k, -y[k], row, y);
    }
    if (count < COLUMNS_PER_SOLVE) {
        for (int k = 0; k < count; k++)
            carom_axpy(solver->problem.size, y[k], qp_column(solver, solver->row[k]), x);
        return;
    }
    double *change = solver->work;
    memset(change, 0, (size_t)solver->problem.size * sizeof *change);
    for (int k = 0; k < count; k++)
        qp_add_row(&solver->problem, solver->row[k], y[k], change);
    carom_band_solve(&solver->factor, change);
    carom_axpy(solver->problem.size, 1.0, change, x);
}
