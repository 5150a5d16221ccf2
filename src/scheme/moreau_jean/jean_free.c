/* The free velocity in one Newton iteration of moreau-jean, and the Newton matrix. */
#include "moreau_jean.h"

#include <math.h>

#include "scheme/parts/step_failure.h"

static void evaluate_mass(moreau_jean *self)
{
    const carom_state *state = &self->stepper.state;
    moreau_jean_move(self, self->theta, self->q_mid);
    self->model_ops.mass(self->work, state->t + self->theta * self->h, self->q_mid, self->mass);
}

/* Newton matrix M + h theta C + h^2 theta^2 K, with C = -df/du and K = -df/dq, in the place of df/dq. With
 * contacts its symmetric part is taken, since the contact problems are those of a symmetric matrix: the
 * solution is the same, as the residual is exact, and only the rate of convergence can change. */
static void evaluate_newton(moreau_jean *self)
{
    const int n = self->dof;
    const double by_velocity = self->h * self->theta, by_position = by_velocity * by_velocity;
    self->model_ops.force_jacobian(self->work, self->t, self->q, self->v, self->by_q, self->by_u);
    for (int i = 0; i < n * n; i++)
        self->by_q[i] = self->mass[i] - by_velocity * self->by_u[i] - by_position * self->by_q[i];
    self->newton_symmetric = true;
    self->for_contacts = self->active_count > 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double *lower = &self->by_q[i * n + j], *upper = &self->by_q[j * n + i];
            if (*lower == *upper)
                continue;
            self->newton_symmetric = false;
            if (self->for_contacts)
                *lower = *upper = 0.5 * (*lower + *upper);
        }
}

/* The factored Newton matrix of the iterate: linear systems have it from the step before. */
static carom_status prepare_newton(moreau_jean *self, carom_error *error)
{
    if (self->constant_newton && self->newton.factored &&
        (self->newton_symmetric || self->for_contacts == (self->active_count > 0)))
        return CAROM_OK;
    evaluate_newton(self);
    int bad_row = newton_matrix_factor(&self->newton, self->by_q);
    if (bad_row == 0)
        return CAROM_OK;
    if (bad_row < 0)
        return fail_step(error, self->t, self->stepper.counts.steps + 1,
                         "the mass matrix or the derivatives of the force have an entry that is not finite");
    return fail_step(error, self->t, self->stepper.counts.steps + 1,
                     "the matrix M + h theta C + h^2 theta^2 K is singular at coordinate '%s'; check the "
                     "mass matrix, or take a smaller step h",
                     self->model->coordinate[bad_row - 1]);
}

/* x -= M (v - v_n) */
static void subtract_momentum(const moreau_jean *self, double *x)
{
    const int n = self->dof;
    const double *v_old = self->stepper.state.v;
    for (int i = 0; self->mass_diagonal && i < n; i++)
        x[i] -= self->mass[i * n + i] * (self->v[i] - v_old[i]);
    for (int i = 0; !self->mass_diagonal && i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] -= self->mass[i * n + j] * (self->v[j] - v_old[j]);
}

carom_status moreau_jean_free_velocity(moreau_jean *self, bool first, carom_error *error)
{
    const int n = self->dof;
    const double h = self->h, theta = self->theta;
    const double *force_old = self->force_old, *force_new = self->force_new, *v = self->v;
    double *v_free = self->v_free;
    const bool constant_force = self->model->constant_force;
    if (!constant_force || !self->rows_constant)
        moreau_jean_move(self, 1.0, self->q);
    if (!constant_force)
        self->model_ops.force(self->work, self->t, self->q, self->v, self->force_new);
    if (!self->model->constant_mass)
        evaluate_mass(self);
    carom_status status = prepare_newton(self, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        v_free[i] = h * ((1.0 - theta) * force_old[i] + theta * force_new[i]);
    if (!first) /* the first iterate is v_n */
        subtract_momentum(self, v_free);
    newton_matrix_solve(&self->newton, v_free);
    bool finite = true;
    for (int i = 0; i < n; i++) {
        v_free[i] += v[i];
        finite = finite && isfinite(v_free[i]);
    }
    if (finite)
        return self->joints.count > 0 ? moreau_jean_joints(self, error) : CAROM_OK;
    return fail_not_finite(error, self->t, self->stepper.counts.steps + 1, self->model, self->force_new,
                           v_free);
}
