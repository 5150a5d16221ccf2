/* Generalized-alpha: the iteration of a step. Three linear problems one after the other, with the sets that
 * the beginning of the iteration had. */
#include <math.h>
#include <string.h>

#include "generalized_alpha.h"
#include "scheme/parts/step_counts.h"
#include "scheme/parts/step_failure.h"

static long step_number(const generalized_alpha *self)
{
    return self->stepper.counts.steps + 1;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

static void evaluate_block(generalized_alpha *self, carom_mechanism_block block)
{
    const alpha_level *smooth = &self->level[ALPHA_SMOOTH];
    const carom_motion motion = {
        .t = self->t, .q = self->q, .v = self->v, .a = smooth->x, .lambda = smooth->y};
    self->model_ops.block(self->work, block, &motion, self->entry[block]);
}

/* Blocks of the derivatives that the smooth matrix has. */
static void evaluate_derivatives(generalized_alpha *self)
{
    for (carom_mechanism_block block = 0; block < CAROM_BLOCKS; block++)
        if (self->smooth.block[block] && block != CAROM_BLOCK_MASS && block != CAROM_BLOCK_ROWS)
            evaluate_block(self, block);
}

/* [ M + by_v C + by_q K  -G^T ]   Gt = G + by_q d/dq(G v' + h) + by_v dh/dv for rows of accelerations,
 * [ Gt_S                   0  ]   G + by_q/by_v d/dq(G v + g_t) of velocities, G of positions */
void alpha_fill_smooth(generalized_alpha *self)
{
    saddle *s = &self->smooth;
    const double by_q = self->c.by_q, by_v = self->c.by_v;
    if (!self->constant_jacobian || self->smooth.uses == 0)
        evaluate_derivatives(self);
    self->stiffness_size = alpha_largest_sum(self, &self->block[CAROM_BLOCK_STIFFNESS], self->q, false);
    saddle_begin(s, self->level[ALPHA_SMOOTH].acts, self->entry[CAROM_BLOCK_ROWS]);
    saddle_add(s, CAROM_BLOCK_MASS, 1.0, self->entry[CAROM_BLOCK_MASS]);
    saddle_add(s, CAROM_BLOCK_DAMPING, by_v, self->entry[CAROM_BLOCK_DAMPING]);
    saddle_add(s, CAROM_BLOCK_STIFFNESS, by_q, self->entry[CAROM_BLOCK_STIFFNESS]);
    saddle_add(s, CAROM_BLOCK_ROWS, 1.0, self->entry[CAROM_BLOCK_ROWS]);
    if (self->row == ALPHA_ROW_ACCELERATION) {
        saddle_add(s, CAROM_BLOCK_CURVATURE_BY_Q, by_q, self->entry[CAROM_BLOCK_CURVATURE_BY_Q]);
        saddle_add(s, CAROM_BLOCK_CURVATURE_BY_V, by_v, self->entry[CAROM_BLOCK_CURVATURE_BY_V]);
    } else if (self->row == ALPHA_ROW_VELOCITY) {
        saddle_add(s, CAROM_BLOCK_RATE_BY_Q, by_q / by_v, self->entry[CAROM_BLOCK_RATE_BY_Q]);
    }
}

void alpha_fill_plain(generalized_alpha *self, const bool *acts)
{
    saddle_begin(&self->plain, acts, self->entry[CAROM_BLOCK_ROWS]);
    saddle_add(&self->plain, CAROM_BLOCK_MASS, 1.0, self->entry[CAROM_BLOCK_MASS]);
    saddle_add(&self->plain, CAROM_BLOCK_ROWS, 1.0, self->entry[CAROM_BLOCK_ROWS]);
}

/* ---- the three problems -------------------------------------------------------------------------------- */

static bool is_zero(int n, const double *x)
{
    int i = 0;
    while (i < n && x[i] == 0.0)
        i++;
    return i == n;
}

static carom_status fail_singular(const generalized_alpha *self, const carom_error *why, carom_error *error)
{
    char sets[512];
    alpha_describe_sets(self, sets, sizeof sets);
    return fail_step(error, self->t, step_number(self),
                     "constraints that act together depend on each other, or the step h is too large for the "
                     "stiffness (contacts that act: %s): %s",
                     sets, why->text);
}

/* Adds the solution of matrix (dx, dy) = -residual. */
static carom_status correct(generalized_alpha *self, alpha_part part, saddle *matrix, carom_error *error)
{
    alpha_level *level = &self->level[part];
    const int n = self->dof, m = self->constraints;
    carom_error why = {0};
    if (saddle_prepare(matrix, &why) != CAROM_OK)
        return fail_singular(self, &why, error);
    for (int i = 0; i < n + m; i++)
        self->right[i] = -level->residual[i];
    saddle_solve(matrix, self->right);
    carom_axpy(n, 1.0, self->right, level->x);
    carom_axpy(m, 1.0, self->right + n, level->y);
    for (int j = 0; j < m; j++)
        if (!level->acts[j])
            level->y[j] = 0.0;
    alpha_update(self);
    return CAROM_OK;
}

static carom_status solve_smooth(generalized_alpha *self, carom_error *error)
{
    const alpha_level *level = &self->level[ALPHA_SMOOTH];
    if (is_zero(self->dof + self->constraints, level->residual))
        return CAROM_OK;
    alpha_fill_smooth(self);
    const carom_status status = correct(self, ALPHA_SMOOTH, &self->smooth, error);
    if (status == CAROM_OK)
        alpha_evaluate_position(self);
    return status;
}

static carom_status solve_position(generalized_alpha *self, carom_error *error)
{
    const alpha_level *level = &self->level[ALPHA_POSITION];
    alpha_residual(self, ALPHA_POSITION);
    if (is_zero(self->dof + self->constraints, level->residual))
        return CAROM_OK;
    alpha_fill_plain(self, level->acts);
    const carom_status status = correct(self, ALPHA_POSITION, &self->plain, error);
    if (status == CAROM_OK)
        alpha_evaluate_position(self);
    return status;
}

static carom_status solve_velocity(generalized_alpha *self, carom_error *error)
{
    const alpha_level *level = &self->level[ALPHA_VELOCITY];
    if (self->friction)
        return alpha_friction_solve(self, error);
    if (self->constraints > 0)
        alpha_rate(self, self->v, self->rate);
    alpha_residual(self, ALPHA_VELOCITY);
    if (is_zero(self->dof + self->constraints, level->residual))
        return CAROM_OK;
    alpha_fill_plain(self, level->acts);
    return correct(self, ALPHA_VELOCITY, &self->plain, error);
}

static carom_status solve_all(generalized_alpha *self, carom_error *error)
{
    carom_status status = solve_smooth(self, error);
    if (status == CAROM_OK && self->corrects_position)
        status = solve_position(self, error);
    if (status == CAROM_OK && self->corrects_velocity)
        status = solve_velocity(self, error);
    if (status == CAROM_OK)
        alpha_evaluate_motion(self);
    return status;
}

/* ---- iteration ----------------------------------------------------------------------------------------- */

static void predict(generalized_alpha *self)
{
    const size_t n = (size_t)self->dof, m = (size_t)self->constraints;
    memcpy(self->level[ALPHA_SMOOTH].x, self->acceleration, n * sizeof(double));
    memcpy(self->level[ALPHA_SMOOTH].y, self->multiplier, m * sizeof(double));
    for (alpha_part part = ALPHA_POSITION; part < ALPHA_PARTS; part++) {
        memset(self->level[part].x, 0, n * sizeof(double));
        memset(self->level[part].y, 0, m * sizeof(double));
    }
    self->cycle.bilateral_S = self->cycle.frozen = false;
    self->cycle.least_error = INFINITY;
    for (int j = 0; j < self->constraints; j++)
        self->cycle.emphasis[j] = 1.0;
    if (self->friction)
        alpha_friction_predict(self);
    alpha_update(self);
    alpha_evaluate_position(self);
    alpha_evaluate_motion(self);
}

static double worst_error(const generalized_alpha *self)
{
    double worst = 0.0;
    for (alpha_part part = 0; part < ALPHA_PARTS; part++)
        worst = fmax(worst, self->level[part].error);
    return worst;
}

static bool is_solved(const generalized_alpha *self)
{
    return self->level[ALPHA_SMOOTH].small && self->level[ALPHA_POSITION].small &&
           self->level[ALPHA_VELOCITY].small;
}

/* For a later choice of sets that are held. */
static void remember_sets(generalized_alpha *self, double error)
{
    alpha_cycle *cycle = &self->cycle;
    if (!(error < cycle->least_error))
        return;
    cycle->least_error = error;
    memcpy(cycle->best_A, self->level[ALPHA_POSITION].acts, (size_t)self->constraints);
    memcpy(cycle->best_B, self->level[ALPHA_VELOCITY].acts, (size_t)self->constraints);
}

static carom_status fail_to_converge(const generalized_alpha *self, double residual, carom_error *error)
{
    char sets[512];
    alpha_describe_sets(self, sets, sizeof sets);
    return fail_step(error, self->t, step_number(self),
                     "no solution in %d iterations: the residual is %.3g, tol is %g, contacts that act: %s; "
                     "take a smaller step h, or more iterations",
                     self->iterations_max, residual, self->tolerance, sets);
}

carom_status alpha_iterate(generalized_alpha *self, int *count, carom_error *error)
{
    predict(self);
    for (int iteration = 0;; iteration++) {
        carom_status status = alpha_find_sets(self, iteration, error);
        if (status != CAROM_OK)
            return status;
        if (!alpha_residuals(self))
            return fail_not_finite(error, self->t, step_number(self), self->model, self->force, self->v);
        const double residual = worst_error(self);
        *count = iteration;
        if (is_solved(self)) {
            count_solve(&self->stepper.counts, iteration, residual);
            return CAROM_OK;
        }
        if (iteration == self->iterations_max)
            return fail_to_converge(self, residual, error);
        remember_sets(self, residual);
        status = solve_all(self, error);
        if (status != CAROM_OK)
            return status;
    }
}
