/* Generalized-alpha: which constraints act on the levels of position (A), velocity (B) and acceleration (S).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "generalized_alpha.h"

#include "scheme/parts/contact_rows.h"

enum {
    EMPHASISE_AFTER = 6, /* iterations; then contacts that change their minds are decided by gaps and rates */
    HOLD_S_AFTER = 15,   /* iterations; then S, if it still changes, keeps to joints */
    HOLD_ALL_AFTER = 25
};

/* A contact that rebounds faster than this share of the model's speed is not in S when the gate is on. */
static const double gate_speed = 1e-9;

/* ---- what the tests need, found when it is asked for ------------------------------------------------ */

static carom_status factor_mass(generalized_alpha *self, carom_error *error)
{
    if (self->mass_factor_step == step_number(&self->stepper) ||
        (self->constant_mass && self->mass_factor_step > 0))
        return CAROM_OK;
    carom_error why = {0};
    if (carom_sparse_factor_again(self->mass_factor, self->entry[CAROM_BLOCK_MASS], &why) != CAROM_OK)
        return fail_step(error, self->t, step_number(&self->stepper),
                         "the mass matrix cannot be inverted: %s", why.text);
    self->mass_factor_step = step_number(&self->stepper);
    return CAROM_OK;
}

static void take_effective_mass(generalized_alpha *self, int j, double inverse)
{
    self->effective_mass[j] = inverse > 0.0 ? 1.0 / inverse : self->mass_scale;
    self->effective_mass_step[j] = step_number(&self->stepper);
}

/* G_j M^-1 G_j^T by the entries of the row alone, with the diagonal of the mass. */
static double inverse_along(const generalized_alpha *self, int j)
{
    const carom_sparse *mass = &self->block[CAROM_BLOCK_MASS];
    double sum = 0.0;
    for (int k = self->row_start[j]; k < self->row_start[j + 1]; k++) {
        const int column = self->row_column[k];
        const double entry = self->entry[CAROM_BLOCK_ROWS][self->row_place[k]];
        sum += entry * (entry / mass->value[carom_sparse_place(mass, column, column)]);
    }
    return sum;
}

/* r_j = 1 / (G_j M^-1 G_j^T), at the first iterate of the step that needs it; the solution does not depend on
 * r. */
static carom_status find_effective_mass(generalized_alpha *self, int j, carom_error *error)
{
    if (self->effective_mass_step[j] == step_number(&self->stepper) ||
        (self->constant_mass && self->constant_rows && self->effective_mass_step[j] > 0))
        return CAROM_OK;
    if (self->row_start) {
        take_effective_mass(self, j, inverse_along(self, j));
        return CAROM_OK;
    }
    carom_status status = factor_mass(self, error);
    if (status != CAROM_OK)
        return status;
    double *row = self->right, *response = self->work_n;
    memset(self->work_m, 0, (size_t)self->constraints * sizeof *self->work_m);
    memset(row, 0, (size_t)self->stepper.dof * sizeof *row);
    self->work_m[j] = 1.0;
    carom_sparse_add_transposed(&self->block[CAROM_BLOCK_ROWS], self->work_m, row);
    memcpy(response, row, (size_t)self->stepper.dof * sizeof *row);
    carom_sparse_solve(self->mass_factor, response);
    take_effective_mass(self, j, carom_dot(self->stepper.dof, row, response));
    return CAROM_OK;
}

carom_status alpha_find_restitution(generalized_alpha *self, int constraint, carom_error *error)
{
    const int contact = constraint - self->joints;
    const carom_contact_info *info = &self->stepper.model->contact[contact];
    long *found_in = &self->restitution_step[constraint];
    if (!info->has_restitution || *found_in == step_number(&self->stepper) ||
        (info->constant_frame && *found_in > 0))
        return CAROM_OK;
    const carom_state *state = &self->stepper.state;
    self->stepper.model->ops->frame(self->stepper.work, contact, state->t, state->q, &self->frame);
    const carom_status status =
        self->stepper.counts.steps == 0 /* the start, as it was given */
            ? contact_check(info, &self->frame, error)
            : contact_check_step(&self->stepper, state->t, contact, &self->frame, error);
    if (status != CAROM_OK)
        return status;
    self->restitution[constraint] = self->frame.restitution;
    *found_in = step_number(&self->stepper);
    return CAROM_OK;
}

carom_status alpha_pushes(generalized_alpha *self, int constraint, double multiplier, double value,
                          bool *pushes, carom_error *error)
{
    *pushes = multiplier >= 0.0 && value <= 0.0;
    if (*pushes || (multiplier <= 0.0 && value >= 0.0))
        return CAROM_OK;
    const carom_status status = find_effective_mass(self, constraint, error);
    const double r = self->cycle.emphasis[constraint] * self->effective_mass[constraint];
    *pushes = multiplier - r * value >= 0.0;
    return status;
}

/* ---- sets ---------------------------------------------------------------------------------------------- */

/* (55), (56) for a contact */
static carom_status find_contact(generalized_alpha *self, int j, carom_error *error)
{
    bool *A = &self->level[ALPHA_POSITION].acts[j], *B = &self->level[ALPHA_VELOCITY].acts[j];
    if (isnan(self->g[j]))
        return fail_step(error, self->t, step_number(&self->stepper),
                         "the gap of contact '%s' is not a number",
                         self->stepper.model->contact[j - self->joints].name);
    carom_status status = alpha_pushes(self, j, self->nu_total[j], self->g[j], A, error);
    *B = false;
    if (status != CAROM_OK || !*A)
        return status;
    status = alpha_find_restitution(self, j, error);
    if (status != CAROM_OK)
        return status;
    const double rate = self->rate[j] + self->restitution[j] * self->rate_old[j];
    return alpha_pushes(self, j, self->impulse_total[j], rate, B, error);
}

/* (57), with the gate of a contact that rebounds. */
static carom_status find_smooth_contact(generalized_alpha *self, int j, carom_error *error)
{
    bool *S = &self->level[ALPHA_SMOOTH].acts[j];
    *S = false;
    if (self->strategy < 3 || self->cycle.bilateral_S || !self->level[ALPHA_VELOCITY].acts[j])
        return CAROM_OK;
    const double slow = gate_speed * carom_scales_speed(&self->stepper.scales);
    if (self->gate && self->restitution[j] * fmax(0.0, -self->rate_old[j]) > slow)
        return CAROM_OK;
    return alpha_pushes(self, j, self->level[ALPHA_SMOOTH].y[j], self->curvature[j], S, error);
}

/* A larger r: the multiplier, which may still carry what fades from the steps before, counts less. */
static void emphasise(generalized_alpha *self)
{
    const int m = self->constraints;
    for (int j = self->joints; j < m; j++)
        if (self->cycle.last[j] != self->level[ALPHA_POSITION].acts[j] ||
            self->cycle.last[m + j] != self->level[ALPHA_VELOCITY].acts[j] ||
            self->cycle.last[2 * m + j] != self->level[ALPHA_SMOOTH].acts[j])
            self->cycle.emphasis[j] *= 10.0;
}

/* Sets may cycle: the method of Newton for equations with kinks has no guarantee. Later iterations let gaps
 * and rates decide, then take contacts out of S, then hold A and B as they were where the residuals were
 * least. */
static void watch_cycles(generalized_alpha *self, int iteration)
{
    alpha_cycle *cycle = &self->cycle;
    const size_t m = (size_t)self->constraints;
    bool *A = self->level[ALPHA_POSITION].acts, *B = self->level[ALPHA_VELOCITY].acts,
         *S = self->level[ALPHA_SMOOTH].acts;
    const bool moved_AB = memcmp(A, cycle->last, m) != 0 || memcmp(B, cycle->last + m, m) != 0;
    const bool moved_S = memcmp(S, cycle->last + 2 * m, m) != 0;
    if (iteration >= EMPHASISE_AFTER)
        emphasise(self);
    if (iteration >= HOLD_S_AFTER && moved_S && !cycle->bilateral_S) {
        cycle->bilateral_S = true;
        for (int j = self->joints; j < self->constraints; j++)
            S[j] = false;
    }
    if (iteration >= HOLD_ALL_AFTER && moved_AB && !cycle->frozen) {
        cycle->frozen = true;
        memcpy(A, cycle->best_A, m);
        memcpy(B, cycle->best_B, m);
    }
    memcpy(cycle->last, A, m);
    memcpy(cycle->last + m, B, m);
    memcpy(cycle->last + 2 * m, S, m);
}

carom_status alpha_find_sets(generalized_alpha *self, int iteration, carom_error *error)
{
    for (int j = 0; j < self->joints; j++) {
        self->level[ALPHA_POSITION].acts[j] = self->level[ALPHA_VELOCITY].acts[j] = true;
        self->level[ALPHA_SMOOTH].acts[j] = self->strategy > 1;
    }
    carom_status status = CAROM_OK;
    for (int j = self->joints; j < self->constraints && status == CAROM_OK; j++) {
        if (!self->cycle.frozen)
            status = find_contact(self, j, error);
        if (status == CAROM_OK)
            status = find_smooth_contact(self, j, error);
    }
    if (status == CAROM_OK)
        watch_cycles(self, iteration);
    return status;
}

void alpha_describe_sets(const generalized_alpha *self, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int j = self->joints; j < self->constraints && used + 80 < size; j++) {
        const bool A = self->level[ALPHA_POSITION].acts[j], B = self->level[ALPHA_VELOCITY].acts[j],
                   S = self->level[ALPHA_SMOOTH].acts[j];
        if (A || B || S)
            used += (size_t)snprintf(text + used, size - used, "%s%.40s (%s%s%s)", used ? ", " : "",
                                     self->stepper.model->contact[j - self->joints].name, A ? "A" : "",
                                     B ? "B" : "", S ? "S" : "");
    }
    if (used == 0)
        snprintf(text, size, "none");
}
