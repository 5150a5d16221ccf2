/* Generalized-alpha: the three linear problems of an iteration, one after the other, with the sets that its
 * beginning had. */
#include <math.h>
#include <string.h>

#include "generalized_alpha.h"

/* ---- matrices ------------------------------------------------------------------------------------------ */

static void evaluate_block(generalized_alpha *self, carom_mechanism_block block)
{
    const alpha_level *smooth = &self->level[ALPHA_SMOOTH];
    const carom_motion motion = {
        .t = self->t, .q = self->q, .v = self->v, .a = smooth->x, .lambda = smooth->y};
    self->stepper.model->ops->block(self->stepper.work, block, &motion, self->entry[block]);
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
    return fail_step(error, self->t, step_number(&self->stepper),
                     "constraints that act together depend on each other, or the step h is too large for the "
                     "stiffness (contacts that act: %s): %s",
                     sets, why->text);
}

/* Adds the solution of matrix (dx, dy) = -residual. */
static carom_status correct(generalized_alpha *self, alpha_part part, saddle *matrix, carom_error *error)
{
    alpha_level *level = &self->level[part];
    const int n = self->stepper.dof, m = self->constraints;
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
    if (is_zero(self->stepper.dof + self->constraints, level->residual))
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
    if (is_zero(self->stepper.dof + self->constraints, level->residual))
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
    if (is_zero(self->stepper.dof + self->constraints, level->residual))
        return CAROM_OK;
    alpha_fill_plain(self, level->acts);
    return correct(self, ALPHA_VELOCITY, &self->plain, error);
}

carom_status alpha_correct(generalized_alpha *self, carom_error *error)
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

void alpha_predict(generalized_alpha *self)
{
    const size_t n = (size_t)self->stepper.dof, m = (size_t)self->constraints;
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
