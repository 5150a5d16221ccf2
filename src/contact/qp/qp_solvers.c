/* The solvers of quadratic programs by their names. */
#include "qp_solver.h"

enum {
    OPTION_FEASIBILITY,
    OPTION_CACHE,
    OPTION_CONDENSED,
    OPTION_COUNT
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_FEASIBILITY] = {"feasibility", 1e-13, 0.0, 1.0, NULL,
                            "violation of a bound that is left alone, relative to max |D x|"},
    [OPTION_CACHE] =
        {"cache_bytes", 256.0 * 1024.0 * 1024.0, 0.0, 1e18, NULL,
         "most memory for columns A^-1 D^T that are kept, and for the banded system; one of them is "
         "needed"},
    [OPTION_CONDENSED] = {"condensed_limit", 96.0, 0.0, 1e9, NULL,
                          "active rows up to which a small dense system is solved, beyond it a banded one"},
};

/* Without memory for a single active row nothing but a free motion could be solved. */
static carom_status check_room(const qp_solver *solver, const carom_solver_ops *ops, carom_error *error)
{
    size_t least;
    if (qp_has_room(solver, &least))
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "solver '%s': cache_bytes = %zu has no room for an active row of a program of size %d; give at "
        "least %zu, or leave it out (256 MiB)",
        ops->name, solver->options.cache_bytes, solver->problem.size, least);
}

static carom_status setup(carom_solver *self, carom_error *error)
{
    qp_options chosen = qp_defaults();
    chosen.method = *(const qp_method *)self->ops->variant;
    chosen.tolerance = self->limits.tolerance;
    chosen.max_iterations = self->limits.max_iterations;
    chosen.feasibility = self->option[OPTION_FEASIBILITY];
    chosen.cache_bytes = (size_t)self->option[OPTION_CACHE];
    chosen.condensed_limit = (int)self->option[OPTION_CONDENSED];
    qp_solver *made = NULL;
    const carom_status status = qp_solver_create(self->shape.qp, &chosen, &made, error);
    self->data = made;
    return status == CAROM_OK ? check_room(made, self->ops, error) : status;
}

static void free_data(carom_solver *self)
{
    qp_solver_free(self->data);
}

/* The active rows, in their order. Factors of them are found again, row by row, with the same bits. */
static void keep(carom_solver *self, carom_snapshot *snapshot)
{
    qp_solver *solver = self->data;
    const size_t rows = (size_t)solver->problem.rows;
    carom_snapshot_block(snapshot, &solver->active, sizeof solver->active);
    carom_snapshot_block(snapshot, &solver->key, sizeof solver->key);
    carom_snapshot_block(snapshot, solver->row, rows * sizeof *solver->row);
    carom_snapshot_block(snapshot, solver->reaction, rows * sizeof *solver->reaction);
    carom_snapshot_block(snapshot, solver->side, rows * sizeof *solver->side);
    if (snapshot->restores) {
        solver->condensed.factored = 0;
        solver->banded.factored = false;
    }
}

static void solve(carom_solver *self, const carom_qp *problem, double *x, double *r,
                  carom_solve_report *report)
{
    qp_solver *solver = self->data;
    solver->problem.lower = problem->lower;
    solver->problem.upper = problem->upper;
    solver->problem.row_size = problem->row_size;
    *report = qp_solve(solver, problem->vector, x, r);
}

#define SOLVER(title, text, which)                                                                           \
    {                                                                                                        \
        .name = (title), .summary = (text), .kind = CAROM_PROBLEM_QP, .options = options,                    \
        .option_count = OPTION_COUNT, .tolerance = 1e-8, .max_iterations = 60,                               \
        .variant = &(const qp_method){which}, .setup = setup, .free = free_data, .keep = keep,               \
        .solve.qp = solve                                                                                    \
    }

const carom_solver_ops carom_qp_active_set = SOLVER(
    "qp-active-set", "primal-dual active set, warm; the dual method when a set comes back", QP_PRIMAL_DUAL);
const carom_solver_ops carom_qp_dual =
    SOLVER("qp-dual", "dual active set (Goldfarb and Idnani 1983), always finite", QP_DUAL);
