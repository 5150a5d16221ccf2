/* One sweep of predictor and corrector steps over all contacts, and the choice of rho. */
#include <math.h>
#include <string.h>

#include "contact/elliptic.h"
#include "uzawa.h"

enum {
    POWER_STEPS = 300,
    PATIENCE = 50,
    MOST_HALVINGS = 30,
};

static double norm(int size, const double *x)
{
    return sqrt(carom_dot(size, x, x));
}

/* Largest eigenvalue in absolute value of a matrix of blocks, by powers of it. */
static double largest_eigenvalue(const carom_blocks *W, double *x, double *y)
{
    const int size = 3 * W->rows;
    double value = 0.0;
    for (int i = 0; i < size; i++)
        x[i] = 1.0 + 0.1 * sin(1.0 + i);
    for (int step = 0; step < POWER_STEPS; step++) {
        const double length = norm(size, x), before = value;
        if (!(length > 0.0) || !isfinite(length))
            return 0.0;
        for (int i = 0; i < size; i++)
            x[i] /= length;
        carom_blocks_multiply(W, x, NULL, y);
        value = norm(size, y);
        memcpy(x, y, (size_t)size * sizeof *x);
        if (fabs(value - before) <= 1e-14 * value)
            break;
    }
    return value;
}

static double step_for(double eigenvalue)
{
    return eigenvalue > 0.0 && isfinite(eigenvalue) ? 1.0 / eigenvalue : 1.0;
}

static void choose_rho(coulomb_uzawa *self, double rho)
{
    const carom_blocks *W = &self->problem->W;
    static const int start[] = {0, 1}, zero[] = {0};
    double common = rho;
    /* `next` has what Jacobi needs, 3 per contact twice */
    if (rho <= 0.0 && self->sweep == CAROM_UZAWA_JACOBI)
        common = step_for(largest_eigenvalue(W, self->next, self->next + 3 * (ptrdiff_t)W->rows));
    for (int a = 0; a < W->rows; a++) {
        double x[3], y[3];
        const carom_blocks own = {1, start, zero, zero, carom_block_at(W, W->diagonal[a])};
        self->rho[a] = common > 0.0 ? common : step_for(largest_eigenvalue(&own, x, y));
    }
}

coulomb_uzawa coulomb_uzawa_begin(const carom_elliptic_problem *problem, carom_uzawa_sweep sweep, double rho,
                                  int visits, double *work)
{
    coulomb_uzawa self = {.problem = problem,
                          .sweep = sweep,
                          .visits = visits,
                          .visit_tolerance = 1e-15,
                          .patience = PATIENCE,
                          .best_change = INFINITY,
                          .next = work,
                          .rho = work + 6 * (ptrdiff_t)problem->contacts};
    choose_rho(&self, rho);
    return self;
}

/* r' = P_K(r - rho v(u)), along the axes of the cone */
static void correct_straight(const coulomb_uzawa *self, int contact, const double u[3], const double r[3],
                             double moved[3])
{
    const carom_elliptic_problem *problem = self->problem;
    double v[3], tau[3];
    carom_elliptic_cone_velocity(problem->cone + contact, problem->gap ? problem->gap[contact] : 0.0, u, v);
    for (int k = 0; k < 3; k++)
        tau[k] = r[k] - self->rho[contact] * v[k];
    carom_elliptic_cone_project(problem->cone[contact].mu, tau, moved);
}

static void correct(const coulomb_uzawa *self, int contact, const double u[3], const double r[3],
                    double moved[3])
{
    const double angle = elliptic_axes(self->problem, contact);
    double rotated_u[3], rotated_r[3];
    if (angle == 0.0) {
        correct_straight(self, contact, u, r, moved);
        return;
    }
    elliptic_rotate(angle, u, rotated_u);
    elliptic_rotate(angle, r, rotated_r);
    correct_straight(self, contact, rotated_u, rotated_r, moved);
    elliptic_rotate(-angle, moved, moved);
}

static double sweep_jacobi(coulomb_uzawa *self, double *r)
{
    const carom_elliptic_problem *problem = self->problem;
    double sum = 0.0;
    for (int a = 0; a < problem->contacts; a++) {
        double u[3];
        carom_blocks_row(&problem->W, a, r, problem->q, u);
        correct(self, a, u, r + 3 * (ptrdiff_t)a, self->next + 3 * (ptrdiff_t)a);
    }
    for (int i = 0; i < 3 * problem->contacts; i++)
        sum += (self->next[i] - r[i]) * (self->next[i] - r[i]);
    memcpy(r, self->next, 3 * (size_t)problem->contacts * sizeof *r);
    self->visited += problem->contacts;
    return sum;
}

/* One contact, the others at rest: u follows its own reaction. */
static void visit(coulomb_uzawa *self, int contact, double u[3], double r[3])
{
    const carom_blocks *W = &self->problem->W;
    const double *own = carom_block_at(W, W->diagonal[contact]);
    for (int k = 0; k < self->visits; k++) {
        double moved[3], step[3];
        correct(self, contact, u, r, moved);
        for (int i = 0; i < 3; i++)
            step[i] = moved[i] - r[i];
        memcpy(r, moved, sizeof moved);
        self->visited++;
        if (k + 1 == self->visits || !(norm(3, step) > self->visit_tolerance * norm(3, r)))
            return;
        carom_block_add(own, step, u);
    }
}

static double sweep_gauss_seidel(coulomb_uzawa *self, double *r)
{
    const carom_elliptic_problem *problem = self->problem;
    double sum = 0.0;
    for (int a = 0; a < problem->contacts; a++) {
        double u[3], *own = r + 3 * (ptrdiff_t)a;
        const double before[3] = {own[0], own[1], own[2]};
        carom_blocks_row(&problem->W, a, r, problem->q, u);
        visit(self, a, u, own);
        for (int k = 0; k < 3; k++)
            sum += (own[k] - before[k]) * (own[k] - before[k]);
    }
    return sum;
}

/* Too large a rho ends in a cycle, not in growth: the projection keeps it bounded. */
static void watch_progress(coulomb_uzawa *self, double change)
{
    if (change < self->best_change) {
        self->best_change = change;
        self->waiting = 0;
    } else if (++self->waiting >= self->patience && self->halvings < MOST_HALVINGS) {
        for (int a = 0; a < self->problem->contacts; a++)
            self->rho[a] *= 0.5;
        self->halvings++;
        self->waiting = 0;
        self->best_change = INFINITY;
    }
}

double coulomb_uzawa_advance(coulomb_uzawa *self, double *r)
{
    const double sum =
        self->sweep == CAROM_UZAWA_JACOBI ? sweep_jacobi(self, r) : sweep_gauss_seidel(self, r);
    const double change = sqrt(sum);
    watch_progress(self, change);
    return change;
}
