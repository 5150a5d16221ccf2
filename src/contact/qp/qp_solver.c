/* Primal-dual active set: the active rows are taken as equations; those whose multiplier has the wrong sign
 * leave, those that are violated enter, until the set stays. When a set comes back, or the rows of a set
 * depend on each other, the dual method takes over. */
#include <string.h>

#include "qp_solver.h"

qp_options qp_defaults(void)
{
    return (qp_options){.method = QP_PRIMAL_DUAL,
                        .tolerance = 1e-8,
                        .max_iterations = 60,
                        .feasibility = 1e-13,
                        .cache_bytes = (size_t)256 << 20,
                        .condensed_limit = 96};
}

/* ---- set-up ---- */

static carom_status check_row(const carom_qp *shape, int row, carom_error *error)
{
    double largest = 0.0;
    for (int k = shape->row_start[row]; k < shape->row_start[row + 1]; k++) {
        const int column = shape->column[k];
        const bool ascends = k == shape->row_start[row] || column > shape->column[k - 1];
        if (column < 0 || column >= shape->size || !ascends)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "quadratic program: row %d names column %d; columns ascend within 0 ... %d",
                              row, column, shape->size - 1);
        if (!isfinite(shape->entry[k]))
            return carom_fail(error, CAROM_BAD_INPUT, "quadratic program: row %d has the entry %g", row,
                              shape->entry[k]);
        largest = fmax(largest, fabs(shape->entry[k]));
    }
    return largest > 0.0 ? CAROM_OK
                         : carom_fail(error, CAROM_BAD_INPUT, "quadratic program: row %d is zero", row);
}

static carom_status check_shape(const carom_qp *shape, const qp_options *options, carom_error *error)
{
    const int matrix = shape->matrix ? shape->matrix->size : 0;
    if (shape->size < 1 || shape->rows < 0 || matrix != shape->size)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "quadratic program: size %d, matrix of size %d, %d rows; size >= 1, one size",
                          shape->size, matrix, shape->rows);
    if (options->max_iterations < 1 || !(options->feasibility >= 0.0) || options->condensed_limit < 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "quadratic program: max_iterations %d, feasibility %g, condensed_limit %d; at least "
            "1, 0 and 0",
            options->max_iterations, options->feasibility, options->condensed_limit);
    for (int i = 0; i < shape->rows; i++) {
        const carom_status status = check_row(shape, i, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static bool take_vectors(qp_solver *solver)
{
    carom_arena *arena = solver->arena;
    const size_t size = (size_t)solver->problem.size, rows = (size_t)solver->problem.rows;
    solver->row = carom_arena_take(arena, rows, sizeof *solver->row);
    solver->reaction = carom_arena_take(arena, rows, sizeof *solver->reaction);
    solver->side = carom_arena_take(arena, rows, sizeof *solver->side);
    solver->seen = carom_arena_take(arena, (size_t)solver->options.max_iterations, sizeof *solver->seen);
    solver->x_free = carom_arena_take(arena, size, sizeof *solver->x_free);
    solver->d = carom_arena_take(arena, rows, sizeof *solver->d);
    solver->work = carom_arena_take(arena, size, sizeof *solver->work);
    solver->direction = carom_arena_take(arena, size, sizeof *solver->direction);
    solver->reaction_change = carom_arena_take(arena, rows, sizeof *solver->reaction_change);
    return solver->row && solver->reaction && solver->side && solver->seen && solver->x_free && solver->d &&
           solver->work && solver->direction && solver->reaction_change;
}

static carom_status set_up(qp_solver *solver, carom_error *error)
{
    const carom_band *A = solver->problem.matrix;
    if (!take_vectors(solver) || !carom_band_take(solver->arena, A->size, A->width, &solver->factor) ||
        !qp_banded_take(solver) || !qp_condensed_take(solver))
        return carom_fail_memory(error);
    memcpy(solver->factor.entry, A->entry, (size_t)A->size * ((size_t)A->width + 1) * sizeof *A->entry);
    const int row = carom_band_factor(&solver->factor);
    if (row != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "quadratic program: the matrix is not positive definite, pivot %d is not positive",
                          row);
    return CAROM_OK;
}

carom_status qp_solver_create(const carom_qp *shape, const qp_options *options, qp_solver **solver,
                              carom_error *error)
{
    *solver = NULL;
    const carom_status checked = check_shape(shape, options, error);
    if (checked != CAROM_OK)
        return checked;
    carom_arena *arena = carom_arena_create();
    qp_solver *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    made->arena = arena;
    made->problem = *shape;
    made->options = *options;
    const carom_status status = set_up(made, error);
    if (status == CAROM_OK)
        *solver = made;
    else
        qp_solver_free(made);
    return status;
}

void qp_solver_free(qp_solver *solver)
{
    if (solver)
        carom_arena_free(solver->arena);
}

bool qp_has_room(const qp_solver *solver, size_t *least)
{
    const int rows = solver->problem.rows;
    const size_t columns = (size_t)solver->problem.size * sizeof(double) * (rows > 1 ? 2 : 1);
    *least = columns < solver->banded.bytes ? columns : solver->banded.bytes;
    return rows == 0 || solver->banded.available || solver->condensed.capacity > 0;
}

/* ---- one program ---- */

/* Rows with one value allowed are active whatever their value. */
static bool must_enter(const qp_solver *solver, int row, qp_side *side)
{
    double amount;
    *side = qp_violated(solver, row, solver->d[row], &amount);
    if (*side == QP_FREE && qp_is_fixed(solver, row))
        *side = QP_LOWER;
    return *side != QP_FREE;
}

static bool change_set(qp_solver *solver)
{
    const int before = solver->active;
    const double tolerance = solver->options.feasibility * solver->size_of_rows;
    const double *d = solver->d, *lower = solver->problem.lower, *upper = solver->problem.upper;
    for (int i = 0; i < solver->problem.rows; i++) {
        qp_side side;
        const bool suspect =
            lower[i] - d[i] > tolerance || d[i] - upper[i] > tolerance || lower[i] == upper[i];
        if (suspect && solver->side[i] == QP_FREE && must_enter(solver, i, &side))
            qp_add(solver, i, side);
    }
    const bool entered = solver->active > before;
    const bool left = qp_drop_wrong(solver, before);
    return entered || left;
}

static bool comes_back(qp_solver *solver, int iteration)
{
    for (int k = 0; k < iteration; k++)
        if (solver->seen[k] == solver->key)
            return true;
    solver->seen[iteration] = solver->key;
    return false;
}

/* False when the method did not end. */
static bool iterate(qp_solver *solver, double *x, int *iterations)
{
    for (int k = 0; k < solver->options.max_iterations; k++) {
        if (comes_back(solver, k) || !qp_balance(solver, x))
            return false;
        ++*iterations;
        if (!change_set(solver))
            return true;
    }
    return false;
}

static void spread_reactions(const qp_solver *solver, double *r)
{
    memset(r, 0, (size_t)solver->problem.rows * sizeof *r);
    for (int k = 0; k < solver->active; k++)
        r[solver->row[k]] = solver->reaction[k];
}

carom_solve_report qp_solve(qp_solver *solver, const double *vector, double *x, double *r)
{
    carom_solve_report report = {.status = CAROM_FAILED};
    qp_begin(solver, vector);
    if (solver->options.method == QP_DUAL) {
        report.iterations = qp_dual(solver, x);
    } else if (!iterate(solver, x, &report.iterations)) {
        report.fell_back = true;
        report.iterations += qp_dual(solver, x);
    }
    spread_reactions(solver, r);
    report.active = solver->active;
    report.error = carom_qp_error(&solver->problem, x, r, solver->work);
    if (report.error <= solver->options.tolerance)
        report.status = CAROM_OK;
    else
        qp_clear(solver); /* the next program starts afresh */
    if (report.status != CAROM_OK && solver->outgrown)
        report.word = CAROM_SOLVE_MEMORY;
    return report;
}
