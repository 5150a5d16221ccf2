/* The active rows of a quadratic program: which they are, and the program in which they are equations. */
#include <string.h>

#include "qp_solver.h"

/* Where the rows hold x_free back to less than one part in HELD_BACK, x is a small difference of large
 * numbers, and refined. */
enum {
    HELD_BACK = 16,
    REFINEMENTS = 2
};

/* The rounding that is left of x_free when the bounds hold all rows at zero. */
static const double free_share = 1e-4;

/* The finaliser of splitmix64: sets that differ have keys that differ, but for an accident of 2^-64. */
static uint64_t key_of(int row, qp_side side)
{
    uint64_t bits = 2 * (uint64_t)row + (side == QP_LOWER ? 1 : 2);
    bits *= 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

void qp_add(qp_solver *solver, int row, qp_side side)
{
    solver->row[solver->active++] = row;
    solver->side[row] = (signed char)side;
    solver->key ^= key_of(row, side);
    solver->banded.factored = false;
}

void qp_drop(qp_solver *solver, int position)
{
    const int row = solver->row[position];
    const size_t after = (size_t)(--solver->active - position);
    solver->key ^= key_of(row, solver->side[row]);
    solver->side[row] = QP_FREE;
    memmove(solver->row + position, solver->row + position + 1, after * sizeof *solver->row);
    memmove(solver->reaction + position, solver->reaction + position + 1, after * sizeof *solver->reaction);
    if (solver->condensed.factored > position)
        solver->condensed.factored = position;
    solver->banded.factored = false;
}

static bool is_right(const qp_solver *solver, int row, double reaction)
{
    if (!isfinite(qp_target(solver, row)))
        return false;
    return qp_is_fixed(solver, row) || reaction * solver->side[row] > 0.0;
}

bool qp_drop_wrong(qp_solver *solver, int count)
{
    int kept = 0, first = -1;
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        if (k < count && !is_right(solver, row, solver->reaction[k])) {
            solver->key ^= key_of(row, solver->side[row]);
            solver->side[row] = QP_FREE;
            first = first < 0 ? k : first;
            continue;
        }
        solver->row[kept] = row;
        solver->reaction[kept++] = solver->reaction[k];
    }
    if (first < 0)
        return false;
    solver->active = kept;
    solver->banded.factored = false;
    if (solver->condensed.factored > first)
        solver->condensed.factored = first;
    return true;
}

void qp_clear(qp_solver *solver)
{
    while (solver->active > 0)
        qp_drop(solver, solver->active - 1);
}

/* Fills d = D x; returns max |d|. */
static double look(qp_solver *solver, const double *x)
{
    const carom_qp *problem = &solver->problem;
    const int *column = problem->column;
    const double *entry = problem->entry;
    double *restrict d = solver->d;
    for (int i = 0, k = 0; i < problem->rows; i++) {
        double sum = 0.0;
        for (const int end = problem->row_start[i + 1]; k < end; k++)
            sum += entry[k] * x[column[k]];
        d[i] = sum;
    }
    return carom_largest(problem->rows, d);
}

static bool is_condensed(const qp_solver *solver)
{
    return solver->active <= solver->condensed.capacity;
}

bool qp_factor(qp_solver *solver)
{
    if (is_condensed(solver))
        return qp_condensed_factor(solver);
    solver->outgrown = solver->outgrown || !solver->banded.available;
    return solver->banded.available && qp_banded_factor(solver);
}

void qp_correct(qp_solver *solver, double *y, double *x)
{
    if (is_condensed(solver))
        qp_condensed_correct(solver, y, x);
    else
        qp_banded_correct(solver, y, x);
}

/* The changes of (x, reaction) that the residual of their equations asks for. */
static void refine(qp_solver *solver, double *x)
{
    const carom_qp *problem = &solver->problem;
    double *change = solver->work, *y = solver->reaction_change;
    carom_band_multiply(problem->matrix, x, change);
    for (int i = 0; i < problem->size; i++)
        change[i] = problem->vector[i] - change[i];
    for (int k = 0; k < solver->active; k++)
        qp_add_row(problem, solver->row[k], solver->reaction[k], change);
    carom_band_solve(&solver->factor, change);
    carom_axpy(problem->size, 1.0, change, x);
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        y[k] = qp_target(solver, row) - qp_row_value(problem, row, x);
    }
    qp_correct(solver, y, x);
    carom_axpy(solver->active, 1.0, y, solver->reaction);
}

void qp_begin(qp_solver *solver, const double *vector)
{
    solver->problem.vector = vector;
    solver->outgrown = false;
    memcpy(solver->x_free, vector, (size_t)solver->problem.size * sizeof *vector);
    carom_band_solve(&solver->factor, solver->x_free);
    qp_drop_wrong(solver, solver->active); /* bounds may have gone */
    solver->free_size = look(solver, solver->x_free);
    solver->d_is_free = true;
    solver->size_of_rows = fmax(solver->free_size, solver->problem.row_size);
}

bool qp_balance(qp_solver *solver, double *x)
{
    memcpy(x, solver->x_free, (size_t)solver->problem.size * sizeof *x);
    if (solver->active > 0) {
        if (!qp_factor(solver))
            return false;
        for (int k = 0; k < solver->active; k++) {
            const int row = solver->row[k];
            solver->reaction[k] = qp_target(solver, row) - qp_row_value(&solver->problem, row, x);
        }
        qp_correct(solver, solver->reaction, x);
    }
    const double least = solver->problem.row_size;
    const bool known = solver->active == 0 && solver->d_is_free; /* x is x_free, and d is D x_free */
    double size = fmax(known ? solver->free_size : look(solver, x), least);
    solver->d_is_free = known;
    for (int k = 0; k < REFINEMENTS && size * HELD_BACK < solver->free_size; k++) {
        refine(solver, x);
        size = fmax(look(solver, x), least);
    }
    solver->size_of_rows = fmax(size, free_share * solver->free_size);
    return true;
}
