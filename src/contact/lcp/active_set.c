/* Active set for a symmetric positive semidefinite W: minimises 1/2 z.Wz + q.z over z >= 0.
 *
 * The passive unknowns P are those that may be positive; w = W z + q vanishes on them. The most violated row
 * enters, its impulse grows while w stays zero on P, and a passive impulse that reaches zero leaves:
 *
 *      W_PP d = -W_Pi,   z_P += t d,   z_i += t,   w_i += t k,   k = W_ii - W_iP W_PP^-1 W_Pi
 *
 * A row that depends on the passive ones has k = 0: it cannot be stopped, only exchanged against one of
 * them. The Cholesky factor of W_PP is extended by a row when an unknown enters and turned back to a triangle
 * by rotations when one leaves. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "lcp_report.h"

/* Below this share of W_ii the number k is rounding: the row depends on the passive ones. */
static const double dependent_share = 1e-13;
/* A dependent row violated by less than this share of its terms is violated by rounding only. */
static const double dependent_noise = 1e-12;

enum row_state {
    ROW_FREE,
    ROW_PASSIVE,
    ROW_IGNORED, /* dependent, violated by rounding; until the passive set changes */
};

typedef struct active_set {
    const carom_lcp *problem;
    int n, passive_count;
    double *factor;  /* n x n: lower triangle of the factor of W_PP */
    double *passive; /* their indices, in the order of the factor's rows */
    double *state;   /* enum row_state of each unknown */
    double *w;       /* W z + q */
    double *terms;   /* sum of the magnitudes of the terms of w: what rounding is relative to */
    double *row;     /* new row of the factor: L^-1 W_Pi */
    double *change;  /* d */
} active_set;

static size_t work_size(const carom_problem_shape *shape)
{
    const size_t n = (size_t)shape->size;
    return n * n + 6 * n;
}

static active_set set_up(const carom_lcp *problem, double *work)
{
    const ptrdiff_t n = problem->size;
    active_set set = {.problem = problem, .n = problem->size, .factor = work};
    set.passive = work + n * n;
    set.state = set.passive + n;
    set.w = set.state + n;
    set.terms = set.w + n;
    set.row = set.terms + n;
    set.change = set.row + n;
    for (int i = 0; i < set.n; i++)
        set.state[i] = ROW_FREE;
    return set;
}

static int passive_index(const active_set *set, int k)
{
    return (int)set->passive[k];
}

static double *factor_row(const active_set *set, int k)
{
    return set->factor + (ptrdiff_t)k * set->n;
}

static const double *matrix_row(const active_set *set, int i)
{
    return set->problem->matrix + (ptrdiff_t)i * set->n;
}

static void evaluate(active_set *set, const double *z)
{
    for (int i = 0; i < set->n; i++) {
        const double *row = matrix_row(set, i);
        set->w[i] = set->problem->vector[i];
        set->terms[i] = fabs(set->problem->vector[i]);
        for (int j = 0; j < set->n; j++) {
            set->w[i] += row[j] * z[j];
            set->terms[i] += fabs(row[j] * z[j]);
        }
    }
}

/* The free row with the most negative w_i / sqrt(W_ii), a measure that does not depend on units; -1: none. */
static int most_violated(const active_set *set)
{
    const double rounding = 2.0 * (set->n + 2) * DBL_EPSILON;
    int worst = -1;
    double worst_value = 0.0;
    for (int i = 0; i < set->n; i++) {
        if (set->state[i] != ROW_FREE || !(set->w[i] < -rounding * set->terms[i]))
            continue;
        double value = set->w[i] / sqrt(fmax(matrix_row(set, i)[i], DBL_MIN));
        if (value < worst_value) {
            worst_value = value;
            worst = i;
        }
    }
    return worst;
}

/* x := L^-T x */
static void back_substitute(const active_set *set, double *x)
{
    for (int k = set->passive_count - 1; k >= 0; k--) {
        const double *row = factor_row(set, k);
        x[k] /= row[k];
        carom_axpy(k, -x[k], row, x);
    }
}

/* Fills row = L^-1 W_Pi; returns k. */
static double prepare(active_set *set, int entering)
{
    const int count = set->passive_count;
    const double *coupling = matrix_row(set, entering);
    for (int k = 0; k < count; k++) {
        const double *row = factor_row(set, k);
        set->row[k] = (coupling[passive_index(set, k)] - carom_dot(k, row, set->row)) / row[k];
    }
    return coupling[entering] - carom_dot(count, set->row, set->row);
}

/* After prepare: change = d. */
static void find_change(active_set *set)
{
    for (int k = 0; k < set->passive_count; k++)
        set->change[k] = -set->row[k];
    back_substitute(set, set->change);
}

static void append(active_set *set, int entering, double pivot)
{
    const int count = set->passive_count;
    double *row = factor_row(set, count);
    for (int k = 0; k < count; k++)
        row[k] = set->row[k];
    row[count] = sqrt(pivot);
    set->passive[count] = entering;
    set->state[entering] = ROW_PASSIVE;
    set->passive_count++;
}

/* Without row `gone` the rows below have one entry right of the diagonal; rotations of neighbouring columns
 * remove them one after the other. */
static void leave(active_set *set, int gone)
{
    set->state[passive_index(set, gone)] = ROW_FREE;
    set->passive_count--;
    for (int k = gone; k < set->passive_count; k++) {
        set->passive[k] = set->passive[k + 1];
        memcpy(factor_row(set, k), factor_row(set, k + 1), (size_t)(k + 2) * sizeof(double));
    }
    for (int k = gone; k < set->passive_count; k++) {
        double *top = factor_row(set, k);
        double length = hypot(top[k], top[k + 1]);
        double cosine = top[k] / length, sine = top[k + 1] / length;
        for (int i = k; i < set->passive_count; i++) {
            double *row = factor_row(set, i);
            double left = row[k], right = row[k + 1];
            row[k] = cosine * left + sine * right;
            row[k + 1] = cosine * right - sine * left;
        }
    }
}

/* change = -W_PP^-1 q_P: the impulses with w = 0 on the passive rows. */
static void solve_passive(active_set *set)
{
    for (int k = 0; k < set->passive_count; k++) {
        const double *row = factor_row(set, k);
        double right = -set->problem->vector[passive_index(set, k)];
        set->change[k] = (right - carom_dot(k, row, set->change)) / row[k];
    }
    back_substitute(set, set->change);
}

/* What solve_passive has found. */
static void take_passive(active_set *set, double *z)
{
    for (int i = 0; i < set->n; i++)
        z[i] = 0.0;
    for (int k = 0; k < set->passive_count; k++)
        z[passive_index(set, k)] = fmax(0.0, set->change[k]);
}

/* The positive impulses of the start, without dependent rows and without those that come out negative. */
static void warm_start(active_set *set, double *z)
{
    for (int i = 0; i < set->n; i++) {
        if (!(z[i] > 0.0))
            continue;
        double pivot = prepare(set, i);
        if (pivot > dependent_share * matrix_row(set, i)[i])
            append(set, i, pivot);
    }
    for (;;) {
        solve_passive(set);
        int lowest = -1;
        for (int k = 0; k < set->passive_count; k++)
            if (set->change[k] < 0.0 && (lowest < 0 || set->change[k] < set->change[lowest]))
                lowest = k;
        if (lowest < 0)
            break;
        leave(set, lowest);
    }
    take_passive(set, z);
}

/* The passive unknown that reaches zero first when the entering one grows by at most *step; -1: none. */
static int blocking(const active_set *set, const double *z, double *step)
{
    int first = -1;
    for (int k = 0; k < set->passive_count; k++) {
        if (!(set->change[k] < 0.0))
            continue;
        double ratio = z[passive_index(set, k)] / -set->change[k];
        if (ratio < *step) {
            *step = ratio;
            first = k;
        }
    }
    return first;
}

/* Lets the entering impulse grow until its row holds. False when no impulse can make it hold. */
static bool drive(active_set *set, int entering, double *z)
{
    const double diagonal = matrix_row(set, entering)[entering];
    for (;;) {
        double k = prepare(set, entering);
        find_change(set);
        bool dependent = !(k > dependent_share * diagonal);
        bool rounding = z[entering] == 0.0 && set->w[entering] > -dependent_noise * set->terms[entering];
        if (dependent && rounding) {
            set->state[entering] = ROW_IGNORED;
            return true;
        }
        double step = dependent ? INFINITY : fmax(0.0, -set->w[entering] / k);
        int first = blocking(set, z, &step);
        if (!isfinite(step))
            return false;
        for (int j = 0; j < set->passive_count; j++)
            z[passive_index(set, j)] += step * set->change[j];
        z[entering] += step;
        if (first < 0) {
            append(set, entering, k);
            break;
        }
        if (!dependent)
            set->w[entering] += step * k;
        z[passive_index(set, first)] = 0.0;
        leave(set, first);
    }
    for (int i = 0; i < set->n; i++)
        if (set->state[i] == ROW_IGNORED)
            set->state[i] = ROW_FREE;
    solve_passive(set);
    take_passive(set, z);
    return true;
}

static void solve(carom_solver *self, const carom_lcp *problem, double *z, carom_solve_report *report)
{
    active_set set = set_up(problem, self->work);
    const int limit = self->limits.max_iterations > 0 ? self->limits.max_iterations : 20 * set.n + 50;
    int iterations = 0;
    warm_start(&set, z);
    while (iterations < limit) {
        evaluate(&set, z);
        int entering = most_violated(&set);
        if (entering < 0)
            break;
        iterations++;
        if (!drive(&set, entering, z))
            break;
    }
    lcp_report(self, problem, z, iterations,
               iterations < limit ? CAROM_SOLVE_STALLED : CAROM_SOLVE_ITERATIONS, report);
}

const carom_solver_ops carom_lcp_active_set = {
    .name = "active-set",
    .summary = "active set, symmetric semidefinite matrix, exact to rounding",
    .kind = CAROM_PROBLEM_LCP,
    .tolerance = 1e-12,
    .work_size = work_size,
    .solve.lcp = solve,
};
