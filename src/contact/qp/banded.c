/* Many active rows: one banded system for the change of x and the multipliers,
 *
 *      A c - D_a^T r = 0,   D_a c = gap,
 *
 * symmetric in c and -r. Each multiplier stands directly behind the unknowns of its row, which keeps the band
 * narrow and makes its pivot -D_i A^-1 D_i^T < 0 with A of the unknowns before it: no exchanges are needed.
 * The rows D_i are scaled to the size of A. One step of refinement with the given A and D. */
#include <string.h>

#include "qp_solver.h"

/* The column behind which the multiplier of the row stands. */
static int stands_behind(const carom_qp *problem, int row)
{
    return problem->column[problem->row_start[row + 1] - 1];
}

/* order: the rows sorted by that column; order_start: where the rows of a column begin. */
static void sort_rows(qp_solver *solver)
{
    const carom_qp *problem = &solver->problem;
    int *start = solver->banded.order_start;
    for (int i = 0; i < problem->rows; i++)
        start[stands_behind(problem, i) + 1]++;
    for (int c = 0; c < problem->size; c++)
        start[c + 1] += start[c];
    for (int i = 0; i < problem->rows; i++)
        solver->banded.order[start[stands_behind(problem, i)]++] = i;
    for (int c = problem->size; c > 0; c--)
        start[c] = start[c - 1];
    start[0] = 0;
}

/* Numbers the unknowns, with all rows or the active ones; returns how many there are. */
static int place_unknowns(qp_solver *solver, bool all)
{
    qp_banded *banded = &solver->banded;
    int next = 0;
    for (int c = 0; c < solver->problem.size; c++) {
        banded->x_place[c] = next++;
        for (int k = banded->order_start[c]; k < banded->order_start[c + 1]; k++)
            if (all || solver->side[banded->order[k]] != QP_FREE)
                banded->r_place[banded->order[k]] = next++;
    }
    return next;
}

static int row_width(const qp_solver *solver, int row)
{
    const carom_qp *problem = &solver->problem;
    const qp_banded *banded = &solver->banded;
    return banded->r_place[row] - banded->x_place[problem->column[problem->row_start[row]]];
}

static int system_width(const qp_solver *solver, bool all)
{
    const carom_band *A = solver->problem.matrix;
    int width = 0;
    for (int i = 0; i < A->size; i++) {
        const int first = i > A->width ? i - A->width : 0;
        const int distance = solver->banded.x_place[i] - solver->banded.x_place[first];
        width = distance > width ? distance : width;
    }
    for (int i = 0; i < solver->problem.rows; i++) {
        if (!all && solver->side[i] == QP_FREE)
            continue;
        const int distance = row_width(solver, i);
        width = distance > width ? distance : width;
    }
    return width;
}

static bool take_index(qp_solver *solver)
{
    qp_banded *banded = &solver->banded;
    const size_t size = (size_t)solver->problem.size, rows = (size_t)solver->problem.rows;
    banded->order = carom_arena_take(solver->arena, rows, sizeof *banded->order);
    banded->order_start = carom_arena_take(solver->arena, size + 1, sizeof *banded->order_start);
    banded->x_place = carom_arena_take(solver->arena, size, sizeof *banded->x_place);
    banded->r_place = carom_arena_take(solver->arena, rows, sizeof *banded->r_place);
    return banded->order && banded->order_start && banded->x_place && banded->r_place;
}

static bool take_system(qp_solver *solver, size_t places)
{
    qp_banded *banded = &solver->banded;
    const size_t size = (size_t)solver->problem.size, rows = (size_t)solver->problem.rows;
    banded->system.entry = carom_arena_take(solver->arena, places, sizeof *banded->system.entry);
    banded->right = carom_arena_take(solver->arena, size + rows, sizeof *banded->right);
    banded->change = carom_arena_take(solver->arena, size, sizeof *banded->change);
    banded->residual = carom_arena_take(solver->arena, size, sizeof *banded->residual);
    banded->gap = carom_arena_take(solver->arena, rows, sizeof *banded->gap);
    return banded->system.entry && banded->right && banded->change && banded->residual && banded->gap;
}

/* Rows that reach far make the band wide; beyond the memory for columns the system is left out. */
bool qp_banded_take(qp_solver *solver)
{
    if (!take_index(solver))
        return false;
    sort_rows(solver);
    const size_t unknowns = (size_t)place_unknowns(solver, true);
    const size_t places = unknowns * ((size_t)system_width(solver, true) + 1);
    solver->banded.bytes = places * sizeof(double);
    solver->banded.available = solver->banded.bytes <= solver->options.cache_bytes;
    return !solver->banded.available || take_system(solver, places);
}

/* What makes the entries of a row as large as those of A. */
static double row_scale(const carom_qp *problem, int row)
{
    const int column = qp_main_column(problem, row);
    double largest = 0.0;
    for (int k = problem->row_start[row]; k < problem->row_start[row + 1]; k++)
        largest = fmax(largest, fabs(problem->entry[k]));
    return *carom_band_at(problem->matrix, column, column) / largest;
}

static void fill(qp_solver *solver)
{
    const carom_qp *problem = &solver->problem;
    const carom_band *A = problem->matrix;
    qp_banded *banded = &solver->banded;
    const carom_band *system = &banded->system;
    memset(system->entry, 0, (size_t)system->size * ((size_t)system->width + 1) * sizeof *system->entry);
    for (int i = 0; i < A->size; i++)
        for (int j = i > A->width ? i - A->width : 0; j <= i; j++)
            *carom_band_at(system, banded->x_place[i], banded->x_place[j]) = *carom_band_at(A, i, j);
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        const double scale = row_scale(problem, row);
        for (int e = problem->row_start[row]; e < problem->row_start[row + 1]; e++)
            *carom_band_at(system, banded->r_place[row], banded->x_place[problem->column[e]]) =
                scale * problem->entry[e];
    }
}

bool qp_banded_factor(qp_solver *solver)
{
    qp_banded *banded = &solver->banded;
    if (banded->factored)
        return true;
    banded->system.size = place_unknowns(solver, false);
    banded->system.width = system_width(solver, false);
    fill(solver);
    banded->factored = carom_band_factor_signed(&banded->system) == 0;
    return banded->factored;
}

/* Adds to (change, y) the solution for the right-hand sides (residual, gap). */
static void solve_once(qp_solver *solver, double *y)
{
    qp_banded *banded = &solver->banded;
    for (int i = 0; i < solver->problem.size; i++)
        banded->right[banded->x_place[i]] = banded->residual[i];
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        banded->right[banded->r_place[row]] = row_scale(&solver->problem, row) * banded->gap[k];
    }
    carom_band_solve(&banded->system, banded->right);
    for (int i = 0; i < solver->problem.size; i++)
        banded->change[i] += banded->right[banded->x_place[i]];
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        y[k] -= row_scale(&solver->problem, row) * banded->right[banded->r_place[row]];
    }
}

static void find_residual(qp_solver *solver, const double *y)
{
    const carom_qp *problem = &solver->problem;
    qp_banded *banded = &solver->banded;
    carom_band_multiply(problem->matrix, banded->change, banded->residual);
    for (int i = 0; i < problem->size; i++)
        banded->residual[i] = -banded->residual[i];
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        qp_add_row(problem, row, y[k], banded->residual);
        banded->gap[k] -= qp_row_value(problem, row, banded->change);
    }
}

void qp_banded_correct(qp_solver *solver, double *y, double *x)
{
    qp_banded *banded = &solver->banded;
    const size_t size = (size_t)solver->problem.size, active = (size_t)solver->active;
    memset(banded->change, 0, size * sizeof *banded->change);
    memset(banded->residual, 0, size * sizeof *banded->residual);
    memcpy(banded->gap, y, active * sizeof *y);
    memset(y, 0, active * sizeof *y);
    solve_once(solver, y);
    find_residual(solver, y);
    solve_once(solver, y);
    carom_axpy(solver->problem.size, 1.0, banded->change, x);
}
