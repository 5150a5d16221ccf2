/* Generalized-alpha: dependent variables (65j-65o), residuals (65a-65i) and the stopping test. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "generalized_alpha.h"

alpha_coefficients alpha_coefficients_of(double rho_inf, double h)
{
    alpha_coefficients c = {.m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0), .f = rho_inf / (rho_inf + 1.0)};
    c.gamma = 0.5 + c.f - c.m;
    c.beta = 0.25 * (c.gamma + 0.5) * (c.gamma + 0.5);
    const double kappa = (1.0 - c.f) / (1.0 - c.m);
    c.by_q = h * h * c.beta * kappa;
    c.by_v = h * c.gamma * kappa;
    return c;
}

/* ((1 - alpha_f) now + alpha_f old - alpha_m shifted_old) / (1 - alpha_m) */
static void shift(const alpha_coefficients *c, int n, const double *now, const double *old,
                  const double *shifted_old, double *shifted)
{
    for (int i = 0; i < n; i++)
        shifted[i] = ((1.0 - c->f) * now[i] + c->f * old[i] - c->m * shifted_old[i]) / (1.0 - c->m);
}

void alpha_update(generalized_alpha *self)
{
    const alpha_coefficients *c = &self->c;
    const double h = self->stepper.h;
    const carom_state *state = &self->stepper.state;
    const alpha_level *smooth = &self->level[ALPHA_SMOOTH], *position = &self->level[ALPHA_POSITION],
                      *velocity = &self->level[ALPHA_VELOCITY];
    shift(c, self->stepper.dof, smooth->x, self->acceleration, self->shifted, self->a);
    shift(c, self->constraints, smooth->y, self->multiplier, self->shifted_lambda, self->eta);
    for (int i = 0; i < self->stepper.dof; i++) {
        const double old = self->shifted[i], now = self->a[i];
        self->q[i] =
            state->q[i] + h * state->v[i] + h * h * ((0.5 - c->beta) * old + c->beta * now) + position->x[i];
        self->v[i] = state->v[i] + h * ((1.0 - c->gamma) * old + c->gamma * now) + velocity->x[i];
    }
    for (int j = 0; j < self->constraints; j++) {
        const double old = self->shifted_lambda[j], now = self->eta[j];
        self->nu_total[j] = position->y[j] + h * h * ((0.5 - c->beta) * old + c->beta * now);
        self->impulse_total[j] = velocity->y[j] + h * ((1.0 - c->gamma) * old + c->gamma * now);
    }
}

/* ---- the model at the iterate -------------------------------------------------------------------------- */

static carom_motion motion_of(const generalized_alpha *self)
{
    return (carom_motion){.t = self->t,
                          .q = self->q,
                          .v = self->v,
                          .a = self->level[ALPHA_SMOOTH].x,
                          .lambda = self->level[ALPHA_SMOOTH].y};
}

void alpha_evaluate_position(generalized_alpha *self)
{
    const carom_motion motion = motion_of(self);
    if (!self->constant_mass)
        self->stepper.model->ops->block(self->stepper.work, CAROM_BLOCK_MASS, &motion,
                                        self->entry[CAROM_BLOCK_MASS]);
    if (self->constraints == 0)
        return;
    if (!self->constant_rows)
        self->stepper.model->ops->block(self->stepper.work, CAROM_BLOCK_ROWS, &motion,
                                        self->entry[CAROM_BLOCK_ROWS]);
    self->stepper.model->ops->constraints(self->stepper.work, &motion, self->g, self->g_t, NULL);
}

void alpha_rate(const generalized_alpha *self, const double *v, double *rate)
{
    memcpy(rate, self->g_t, (size_t)self->constraints * sizeof *rate);
    carom_sparse_add(&self->block[CAROM_BLOCK_ROWS], v, rate);
}

void alpha_evaluate_motion(generalized_alpha *self)
{
    const carom_motion motion = motion_of(self);
    self->stepper.model->ops->force(self->stepper.work, self->t, self->q, self->v, self->force);
    if (self->constraints == 0)
        return;
    self->stepper.model->ops->constraints(self->stepper.work, &motion, NULL, NULL, self->hq);
    alpha_rate(self, self->v, self->rate);
    memcpy(self->curvature, self->hq, (size_t)self->constraints * sizeof *self->hq);
    carom_sparse_add(&self->block[CAROM_BLOCK_ROWS], self->level[ALPHA_SMOOTH].x, self->curvature);
}

/* ---- residuals ----------------------------------------------------------------------------------------- */

static double smooth_row(const generalized_alpha *self, int j)
{
    switch (self->row) {
    case ALPHA_ROW_POSITION:
        return self->g[j] / self->c.by_q;
    case ALPHA_ROW_VELOCITY:
        return self->rate[j] / self->c.by_v;
    case ALPHA_ROW_SMOOTH_VELOCITY:
        return self->smooth_rate[j] / self->c.by_v;
    case ALPHA_ROW_ACCELERATION:
        break;
    }
    return self->curvature[j];
}

static double row_of(const generalized_alpha *self, alpha_part part, int j)
{
    if (part == ALPHA_SMOOTH)
        return smooth_row(self, j);
    return part == ALPHA_POSITION ? self->g[j] : self->rate[j] + self->restitution[j] * self->rate_old[j];
}

static void find_smooth_rate(generalized_alpha *self)
{
    for (int i = 0; i < self->stepper.dof; i++)
        self->work_n[i] = self->v[i] - self->level[ALPHA_VELOCITY].x[i];
    alpha_rate(self, self->work_n, self->smooth_rate);
}

void alpha_residual(generalized_alpha *self, alpha_part part)
{
    const alpha_level *level = &self->level[part];
    const int n = self->stepper.dof, m = self->constraints;
    double *residual = level->residual;
    for (int j = 0; j < m; j++)
        self->work_m[j] = -level->y[j];
    for (int i = 0; i < n; i++)
        residual[i] = part == ALPHA_SMOOTH ? -self->force[i] : 0.0;
    carom_sparse_add(&self->block[CAROM_BLOCK_MASS], level->x, residual);
    if (m == 0)
        return;
    carom_sparse_add_transposed(&self->block[CAROM_BLOCK_ROWS], self->work_m, residual);
    if (part == ALPHA_SMOOTH && self->row == ALPHA_ROW_SMOOTH_VELOCITY)
        find_smooth_rate(self);
    for (int j = 0; j < m; j++)
        residual[n + j] = level->acts[j] ? row_of(self, part, j) : level->y[j] / self->mass_scale;
    if (part == ALPHA_VELOCITY && self->friction)
        alpha_friction_residual(self);
}

/* ---- stopping test ------------------------------------------------------------------------------------- */

double alpha_largest_sum(generalized_alpha *self, const carom_sparse *a, const double *x, bool transposed)
{
    double largest = 0.0;
    double *sum = a->rows == self->stepper.dof ? self->work_n : self->work_m;
    if (!transposed)
        memset(sum, 0, (size_t)a->rows * sizeof *sum);
    for (int j = 0; j < a->columns; j++) {
        double of_column = 0.0;
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            if (transposed)
                of_column += fabs(a->value[k] * x[a->row[k]]);
            else
                sum[a->row[k]] += fabs(a->value[k] * x[j]);
        largest = fmax(largest, of_column);
    }
    return transposed ? largest : carom_largest(a->rows, sum);
}

/* What rounding leaves of a sum whose terms have this size. */
static double rounding_of(double size)
{
    return 16.0 * DBL_EPSILON * size;
}

typedef struct measure {
    double error;
    bool small;
} measure;

static void measure_part(measure *m, double tolerance, int count, const double *residual, double scale,
                         double rounding)
{
    const double size = carom_largest(count, residual);
    m->error = fmax(m->error, size / scale);
    m->small = m->small && size <= tolerance * scale + rounding;
}

/* M x - G^T y and its rounding. */
static double inertia_rounding(generalized_alpha *self, const alpha_level *level)
{
    return rounding_of(alpha_largest_sum(self, &self->block[CAROM_BLOCK_MASS], level->x, false) +
                       alpha_largest_sum(self, &self->block[CAROM_BLOCK_ROWS], level->y, true));
}

/* Of positions, velocities and accelerations of constraints. */
static double row_rounding(generalized_alpha *self, const double *x)
{
    return rounding_of(alpha_largest_sum(self, &self->block[CAROM_BLOCK_ROWS], x, false));
}

/* Where the spec's test has the number 1 as a mass, a velocity or an acceleration, the scale of the model stands. */
static double speed_of(const generalized_alpha *self)
{
    return carom_scales_speed(&self->stepper.scales);
}

static void measure_smooth(generalized_alpha *self)
{
    alpha_level *level = &self->level[ALPHA_SMOOTH];
    const int n = self->stepper.dof, m = self->constraints;
    const double largest_force = carom_largest(n, self->force);
    const double inertia = alpha_largest_sum(self, &self->block[CAROM_BLOCK_MASS], level->x, false);
    const double acceleration = speed_of(self) / self->stepper.scales.time;
    const double force_scale = self->mass_scale * acceleration + largest_force + inertia;
    const double floor = inertia_rounding(self, level) + rounding_of(largest_force + self->stiffness_size);
    measure found = {0.0, true};
    measure_part(&found, self->tolerance, n, level->residual, force_scale, floor);
    double scale = force_scale / self->mass_scale, rounding = 0.0;
    if (self->row == ALPHA_ROW_ACCELERATION) {
        rounding = row_rounding(self, level->x) + rounding_of(carom_largest(m, self->hq));
    } else if (self->row == ALPHA_ROW_POSITION) {
        scale = self->stepper.h * speed_of(self) / self->c.by_q;
        rounding = row_rounding(self, self->q) / self->c.by_q;
    } else {
        scale = speed_of(self) / self->c.by_v;
        rounding = row_rounding(self, self->v) / self->c.by_v;
    }
    measure_part(&found, self->tolerance, m, level->residual + n, scale, rounding);
    level->error = found.error;
    level->small = found.small;
}

/* Of U, whose lengths are those of the model's speed in a step, or W. */
static void measure_correction(generalized_alpha *self, alpha_part part)
{
    alpha_level *level = &self->level[part];
    const int n = self->stepper.dof;
    const bool of_position = part == ALPHA_POSITION;
    const double scale = speed_of(self) * (of_position ? self->stepper.h : 1.0);
    measure found = {0.0, true};
    measure_part(&found, self->tolerance, n, level->residual, scale * self->mass_scale,
                 inertia_rounding(self, level));
    measure_part(&found, self->tolerance, self->constraints, level->residual + n, scale,
                 row_rounding(self, of_position ? self->q : self->v));
    level->error = found.error;
    level->small = found.small;
}

bool alpha_residuals(generalized_alpha *self)
{
    const bool solved[ALPHA_PARTS] = {true, self->corrects_position, self->corrects_velocity};
    bool finite = true;
    for (alpha_part part = 0; part < ALPHA_PARTS; part++) {
        alpha_level *level = &self->level[part];
        level->error = 0.0;
        level->small = true;
        if (!solved[part])
            continue;
        alpha_residual(self, part);
        finite = finite && carom_all_finite(self->stepper.dof + self->constraints, level->residual);
        if (part == ALPHA_SMOOTH)
            measure_smooth(self);
        else
            measure_correction(self, part);
    }
    return finite;
}
