/* Dual active set of Goldfarb and Idnani. All along, x is the solution of the program with the active rows
 * only, and their multipliers have the right signs. The most violated row p enters; while its multiplier
 * grows in the direction s = +1 (lower) or -1 (upper), x and the multipliers of the active rows move along
 *
 *      c = A^-1 (s D_p^T + D_a^T q),   D_a c = 0,
 *
 * and p's own value along s D_p c = k > 0. A multiplier that reaches zero first leaves the set. The dual
 * objective grows with every row that entered, so no set comes back. */
#include <float.h>
#include <string.h>

#include "qp_solver.h"

/* Below this share of W_pp the number k is rounding: the row depends on the active ones. */
static const double dependent_share = 64.0 * DBL_EPSILON;
/* A dependent row that is violated by less than this share of max |D x| is violated by rounding only. */
static const double dependent_noise = 1e-9;

static int most_violated(const qp_solver *solver, qp_side *side)
{
    int worst = -1;
    double worst_amount = 0.0;
    for (int i = 0; i < solver->problem.rows; i++) {
        double amount;
        const qp_side found = qp_violated(solver, i, solver->d[i], &amount);
        if (found == QP_FREE || solver->side[i] != QP_FREE || !(amount > worst_amount))
            continue;
        worst = i;
        worst_amount = amount;
        *side = found;
    }
    return worst;
}

/* sign A^-1 D_row^T into `direction`; returns W_pp. */
static double load_direction(qp_solver *solver, int row, double sign)
{
    const carom_qp *problem = &solver->problem;
    double *c = solver->direction;
    memset(c, 0, (size_t)problem->size * sizeof *c);
    if (solver->active <= solver->condensed.capacity && solver->condensed.slots > 0) {
        carom_axpy(problem->size, sign, qp_column(solver, row), c);
    } else {
        qp_add_row(problem, row, sign, c);
        carom_band_solve(&solver->factor, c);
    }
    return sign * qp_row_value(problem, row, c);
}

/* c and q; returns the share k / W_pp, and k in *slope. */
static double find_direction(qp_solver *solver, int row, double sign, double *slope)
{
    const double alone = load_direction(solver, row, sign);
    for (int k = 0; k < solver->active; k++)
        solver->reaction_change[k] = -qp_row_value(&solver->problem, solver->row[k], solver->direction);
    if (solver->active > 0)
        qp_correct(solver, solver->reaction_change, solver->direction);
    *slope = sign * qp_row_value(&solver->problem, row, solver->direction);
    return *slope / alone;
}

/* The active row whose multiplier is zero first within *step; -1: none. */
static int blocking(const qp_solver *solver, double *step)
{
    int first = -1;
    for (int k = 0; k < solver->active; k++) {
        const int row = solver->row[k];
        const double loss = -solver->reaction_change[k] * solver->side[row];
        if (qp_is_fixed(solver, row) || !(loss > 0.0))
            continue;
        const double ratio = fmax(0.0, solver->reaction[k] * solver->side[row]) / loss;
        if (ratio < *step) {
            *step = ratio;
            first = k;
        }
    }
    return first;
}

/* Lets the row enter, after rows that block it have left. False when it cannot be satisfied. */
static bool enter(qp_solver *solver, int row, qp_side side, double *x)
{
    while (qp_factor(solver)) {
        double amount, slope;
        qp_violated(solver, row, qp_row_value(&solver->problem, row, x), &amount);
        const bool dependent = !(find_direction(solver, row, (int)side, &slope) > dependent_share);
        if (dependent && !(amount > dependent_noise * solver->size_of_rows))
            return false;
        double step = dependent ? INFINITY : fmax(0.0, amount / slope);
        const int first = blocking(solver, &step);
        if (!isfinite(step))
            return false;
        if (first < 0) {
            qp_add(solver, row, side);
            if (qp_balance(solver, x))
                return true;
            qp_drop(solver, solver->active - 1);
            return false;
        }
        carom_axpy(solver->active, step, solver->reaction_change, solver->reaction);
        carom_axpy(solver->problem.size, step, solver->direction, x);
        qp_drop(solver, first);
    }
    return false;
}

int qp_dual(qp_solver *solver, double *x)
{
    const int limit = 20 * solver->problem.rows + 50; /* rounding may undo what theory promises */
    int steps = 0;
    qp_clear(solver);
    qp_balance(solver, x);
    while (steps < limit) {
        qp_side side = QP_FREE;
        const int row = most_violated(solver, &side);
        if (row < 0)
            break;
        steps++;
        if (!enter(solver, row, side, x)) {
            qp_balance(solver, x); /* without what the row did on its way */
            break;
        }
    }
    return steps;
}
