/* 0 <= p _|_ G p + b >= 0, the problem inside every law with complementarity. G is symmetric and
 * semidefinite, so G p is unique where p is not. By what G is like:
 *
 *   a chain of balls         contacts one after the other (chain_complementarity.c)
 *   few contacts, or dense   active set, then Lemke's method where that does not end at rounding level
 *   many contacts, sparse    projected conjugate gradients (sparse_complementarity.c)
 *
 * What comes back is measured here. */
#include <math.h>
#include <string.h>

#include "impact_law.h"

/* Residuals relative to the velocities: what a solver is asked for, what is rounding, what is a solution. */
static const double asked = 1e-13, rounding = 1e-12, solved = 1e-10;
/* Momenta that cancel but for this share of their terms balance. */
static const double balanced = 1e-4;

/* ---- memory -------------------------------------------------------------------------------------------- */

/* Contacts for which there are dense matrices: all where G has as many entries anyway. */
static int dense_contacts(const carom_impact_sizes *sizes)
{
    const bool dense = 4.0 * sizes->couplings > (double)sizes->contacts * sizes->contacts;
    return dense || sizes->contacts < IMPACT_DENSE ? sizes->contacts : IMPACT_DENSE;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static size_t solver_work_size(const carom_solver_ops *ops, int contacts)
{
    return ops->work_size(&(carom_problem_shape){.size = contacts});
}

/* The matrix, a second solution, and the solver's own. */
static size_t dense_work(const carom_impact_sizes *sizes)
{
    const int contacts = dense_contacts(sizes);
    const int pivoted = contacts < IMPACT_DENSE ? contacts : IMPACT_DENSE;
    return (size_t)contacts * (size_t)contacts + (size_t)contacts +
           larger(2 * (size_t)sizes->coordinates, larger(solver_work_size(&carom_lcp_active_set, contacts),
                                                         solver_work_size(&carom_lcp_lemke, pivoted)));
}

size_t carom_impact_lcp_work(const carom_impact_sizes *sizes)
{
    return (size_t)sizes->contacts + (size_t)sizes->coordinates +
           larger(dense_work(sizes), larger(impact_chain_work(sizes), impact_gradient_work(sizes)));
}

/* ---- the proof ----------------------------------------------------------------------------------------- */

/* work: contacts + coordinates */
static double worst_residual(const carom_contact_space *space, const double *b, const double *p, double *work)
{
    double worst = 0.0;
    contact_space_answer(space, b, p, work + space->contacts, work);
    for (int i = 0; i < space->contacts; i++)
        worst = fmax(worst, fabs(fmin(p[i] * space->entry[space->diagonal[i]], work[i])));
    return worst;
}

/* Is the residual below this share of the velocities, or what rounding leaves? */
static bool holds(const carom_contact_space *space, double share, const double *p, double residual)
{
    double noise = 0.0;
    if (residual <= share * space->speed)
        return true;
    for (int i = 0; i < space->contacts; i++)
        noise = fmax(noise, contact_space_rounding(space, i, p));
    return residual <= share * space->speed + noise;
}

carom_impact_word impact_lcp_word(const carom_contact_space *space, const double *p, double residual)
{
    if (residual == INFINITY)
        return CAROM_IMPACT_INFEASIBLE;
    return holds(space, solved, p, residual) ? CAROM_IMPACT_OK : CAROM_IMPACT_NOT_CONVERGED;
}

void carom_impact_conclude(const carom_contact_space *space, const double *b, carom_impact_result *result)
{
    result->word = impact_lcp_word(space, result->impulse, result->residual);
    if (result->word != CAROM_IMPACT_INFEASIBLE)
        return;
    result->residual = 0.0;
    memset(result->impulse, 0, (size_t)space->contacts * sizeof *result->impulse);
    for (int i = 0; i < space->contacts; i++)
        result->residual = fmax(result->residual, -b[i]);
}

/* ---- dense --------------------------------------------------------------------------------------------- */

static void fill_dense(const carom_contact_space *space, double *matrix)
{
    const int contacts = space->contacts;
    memset(matrix, 0, (size_t)contacts * (size_t)contacts * sizeof *matrix);
    for (int i = 0; i < contacts; i++)
        for (int k = space->start[i]; k < space->start[i + 1]; k++)
            matrix[(ptrdiff_t)i * contacts + space->column[k]] = space->entry[k];
}

static void solve_by(const carom_solver_ops *ops, const carom_lcp *problem, double *work, double *p)
{
    carom_solver solver = carom_solver_in(ops, &(carom_problem_shape){.size = problem->size}, asked, work);
    carom_solver_lcp(&solver, problem, p);
}

/* Removes what is not part of the growth: impulses that are small in the norm of D. */
static void keep_large(const carom_contact_space *space, double *d)
{
    double largest = 0.0;
    for (int i = 0; i < space->contacts; i++)
        largest = fmax(largest, d[i] * sqrt(space->entry[space->diagonal[i]]));
    for (int i = 0; i < space->contacts; i++)
        if (d[i] * sqrt(space->entry[space->diagonal[i]]) < balanced * largest)
            d[i] = 0.0;
}

/* W d = 0? Coordinate by coordinate, so that light ones do not hide heavy ones. */
static bool balances(const carom_contact_space *space, const double *d, double *sum, double *terms)
{
    const carom_impact *impact = space->impact;
    memset(sum, 0, (size_t)space->coordinates * sizeof *sum);
    memset(terms, 0, (size_t)space->coordinates * sizeof *terms);
    for (int i = 0; i < space->contacts; i++)
        for (int k = impact->column_start[i]; k < impact->column_start[i + 1]; k++) {
            sum[impact->row[k]] += impact->value[k] * d[i];
            terms[impact->row[k]] += fabs(impact->value[k] * d[i]);
        }
    for (int i = 0; i < space->coordinates; i++)
        if (fabs(sum[i]) > balanced * terms[i])
            return false;
    return true;
}

/* Is there no solution? Then, and only then, some d >= 0 has W d = 0 and b.d < 0: impulses that change
 * nothing but ask for more (Farkas). With delta D added to G, D its diagonal, the solution d of the problem
 * satisfies
 *
 *      -b.d = d.G d + delta d.D d
 *
 * where the first term is bounded and the second vanishes with delta if there is a solution; if there is none
 * the second grows, and d points where no velocity changes. */
static bool is_infeasible(const carom_contact_space *space, const double *b, double *matrix, double *work,
                          double *d)
{
    const double delta = 1e-11;
    const int contacts = space->contacts;
    for (int i = 0; i < contacts; i++)
        matrix[(ptrdiff_t)i * contacts + i] *= 1.0 + delta;
    const carom_lcp problem = {.size = contacts, .matrix = matrix, .vector = b};
    memset(d, 0, (size_t)contacts * sizeof *d);
    solve_by(&carom_lcp_active_set, &problem, work, d);
    keep_large(space, d);
    return carom_dot(contacts, b, d) < 0.0 && balances(space, d, work, work + space->coordinates);
}

/* work: contacts + coordinates for residuals, then dense_work. */
static double solve_dense(const carom_contact_space *space, const double *b, double *work, double *p)
{
    const int contacts = space->contacts;
    double *matrix = work + contacts + space->coordinates;
    double *other = matrix + (ptrdiff_t)contacts * contacts, *solver_work = other + contacts;
    const carom_lcp problem = {.size = contacts, .matrix = matrix, .vector = b};
    fill_dense(space, matrix);
    memset(p, 0, (size_t)contacts * sizeof *p);
    solve_by(&carom_lcp_active_set, &problem, solver_work, p);
    const double residual = worst_residual(space, b, p, work);
    if (holds(space, rounding, p, residual) || contacts > IMPACT_DENSE)
        return residual;
    solve_by(&carom_lcp_lemke, &problem, solver_work, other);
    const double second = worst_residual(space, b, other, work);
    if (second < residual)
        memcpy(p, other, (size_t)contacts * sizeof *p);
    const double best = fmin(second, residual);
    if (!holds(space, solved, p, best) && is_infeasible(space, b, matrix, solver_work, other))
        return INFINITY;
    return best;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

/* Chains may be left to the others: then the residual is above rounding. */
static double solve_chain(const carom_contact_space *space, const double *b, double *work, double *p)
{
    double *own = work + space->contacts + space->coordinates;
    if (impact_chain_solve(space, b, own, p) == IMPACT_CHAIN_INFEASIBLE)
        return INFINITY;
    return worst_residual(space, b, p, work);
}

static double solve_sparse(const carom_contact_space *space, const double *b, double *work, double *p)
{
    double *own = work + space->contacts + space->coordinates;
    const double residual = impact_gradient_solve(space, b, 0.1 * solved * space->speed, own, p);
    return residual == INFINITY ? INFINITY : worst_residual(space, b, p, work);
}

static double solve(const carom_contact_space *space, const double *b, double *work, double *p)
{
    const bool chain = impact_chain_fits(space), few = space->contacts <= dense_contacts(space->sizes);
    const double residual = chain ? solve_chain(space, b, work, p) : INFINITY;
    if (chain && (!few || holds(space, rounding, p, residual)))
        return residual;
    return few ? solve_dense(space, b, work, p) : solve_sparse(space, b, work, p);
}

double carom_impact_lcp(const carom_contact_space *space, const double *b, double *work, double *p)
{
    double slowest = 0.0;
    for (int i = 0; i < space->contacts; i++)
        slowest = fmin(slowest, b[i]);
    memset(p, 0, (size_t)space->contacts * sizeof *p);
    if (slowest == 0.0)
        return 0.0;
    const double residual = solve(space, b, work, p);
    if (residual == INFINITY)
        memset(p, 0, (size_t)space->contacts * sizeof *p);
    return residual;
}
