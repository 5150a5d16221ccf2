/* Generalized-alpha: a consistent start. Position and velocity of joints, accelerations and multipliers of
 * the contacts that stay closed. */
#include <math.h>
#include <string.h>

#include "generalized_alpha.h"
#include "scheme/parts/joints_start.h"

/* Contacts closer and slower than this, relative to the model's length and speed, are closed and at rest. */
static const double start_tolerance = 1e-10;

static void set_point(generalized_alpha *self, double t, const double *q, const double *v)
{
    self->t = t;
    memcpy(self->q, q, (size_t)self->stepper.dof * sizeof *q);
    memcpy(self->v, v, (size_t)self->stepper.dof * sizeof *v);
    alpha_evaluate_position(self);
    alpha_evaluate_motion(self);
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

/* Evaluated here once, where they are constant. */
static void evaluate_constant_blocks(generalized_alpha *self)
{
    const alpha_level *smooth = &self->level[ALPHA_SMOOTH];
    const carom_motion motion = {.t = self->stepper.t0,
                                 .q = self->stepper.state.q,
                                 .v = self->stepper.state.v,
                                 .a = smooth->x,
                                 .lambda = smooth->y};
    self->stepper.model->ops->block(self->stepper.work, CAROM_BLOCK_MASS, &motion,
                                    self->entry[CAROM_BLOCK_MASS]);
    self->stepper.model->ops->block(self->stepper.work, CAROM_BLOCK_ROWS, &motion,
                                    self->entry[CAROM_BLOCK_ROWS]);
}

/* The velocities of the motion, not those of its fastest vibration: of gaps at the start, which no frame changes, or of a fall through the model's length with
 * the forces of the start. Without either: those of the model's scales. */
static void find_scales(generalized_alpha *self)
{
    static const double part = 0.25; /* of the largest velocity */
    const carom_scales *scales = &self->stepper.scales;
    const int n = self->stepper.dof;
    carom_error why = {0};
    double acceleration = carom_largest(n, self->force) / self->mass_scale;
    if (carom_sparse_factor_again(self->mass_factor, self->entry[CAROM_BLOCK_MASS], &why) == CAROM_OK) {
        memcpy(self->work_n, self->force, (size_t)n * sizeof *self->work_n);
        carom_sparse_solve(self->mass_factor, self->work_n);
        acceleration = carom_largest(n, self->work_n);
    }
    const double speed = self->joints < self->constraints
                             ? carom_largest(self->constraints - self->joints, self->rate + self->joints)
                             : carom_largest(n, self->v);
    self->speed_scale = part * fmax(speed, sqrt(scales->length * acceleration));
    if (!(self->speed_scale > 0.0 && isfinite(self->speed_scale)))
        self->speed_scale = part * carom_scales_speed(scales);
    self->acceleration_scale = self->speed_scale * self->speed_scale / scales->length;
}

/* The largest mass of a coordinate. */
static double find_mass_scale(const generalized_alpha *self)
{
    const carom_sparse *mass = &self->block[CAROM_BLOCK_MASS];
    double largest = 0.0;
    for (int j = 0; j < mass->columns; j++)
        for (int k = mass->column_start[j]; k < mass->column_start[j + 1]; k++)
            if (mass->row[k] == j)
                largest = fmax(largest, mass->value[k]);
    return largest > 0.0 ? largest : 1.0;
}

static unsigned smooth_parts(alpha_row row)
{
    unsigned parts = 1u << CAROM_BLOCK_STIFFNESS | 1u << CAROM_BLOCK_DAMPING;
    if (row == ALPHA_ROW_ACCELERATION)
        parts |= 1u << CAROM_BLOCK_CURVATURE_BY_Q | 1u << CAROM_BLOCK_CURVATURE_BY_V;
    else if (row == ALPHA_ROW_VELOCITY)
        parts |= 1u << CAROM_BLOCK_RATE_BY_Q;
    return parts;
}

/* Orderings come from the matrices of the start without contacts. */
static carom_status set_up_matrices(generalized_alpha *self, carom_error *error)
{
    self->mass_scale = find_mass_scale(self);
    if (!saddle_take(&self->plain, self->stepper.arena, self->stepper.model, 0, self->mass_scale) ||
        !saddle_take(&self->smooth, self->stepper.arena, self->stepper.model, smooth_parts(self->row),
                     self->mass_scale))
        return carom_fail_memory(error);
    bool *S = self->level[ALPHA_SMOOTH].acts;
    for (int j = 0; j < self->constraints; j++)
        S[j] = alpha_is_joint(self, j);
    carom_error why = {0};
    alpha_fill_plain(self, S);
    carom_status status = saddle_order(&self->plain, &why);
    if (status == CAROM_OK) {
        alpha_fill_smooth(self);
        status = saddle_order(&self->smooth, &why);
    }
    if (status == CAROM_OK)
        status = carom_sparse_factor_create(&self->block[CAROM_BLOCK_MASS], &self->mass_factor, &why);
    return status == CAROM_OK
               ? status
               : carom_fail(error, status, "the equations of motion at the start are singular: %s", why.text);
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

static double least_gap(const generalized_alpha *self)
{
    return start_tolerance * self->stepper.scales.length;
}

static double least_rate(const generalized_alpha *self)
{
    return start_tolerance * self->speed_scale;
}

static carom_status check_contact(generalized_alpha *self, int j, carom_error *error)
{
    const char *name = self->stepper.model->contact[j - self->joints].name;
    const double gap = self->g[j], rate = self->rate[j];
    if (isnan(gap) || gap == -INFINITY)
        return carom_fail(error, CAROM_BAD_INPUT, "the gap of contact '%s' is %g at the start", name, gap);
    if (gap < -least_gap(self))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s' is penetrated at the start (gap %g): begin with a gap >= 0", name,
                          gap);
    if (gap <= least_gap(self) && rate < -least_rate(self))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s' is closed at the start and closing (gap rate %g): begin before the "
                          "impact, or with the velocity after it",
                          name, rate);
    return alpha_find_restitution(self, j, error);
}

static bool is_at_rest(const generalized_alpha *self, int j)
{
    return self->g[j] <= least_gap(self) && fabs(self->rate[j]) <= least_rate(self);
}

static carom_status look_at_contacts(generalized_alpha *self, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int j = self->joints; j < self->constraints && status == CAROM_OK; j++) {
        status = check_contact(self, j, error);
        self->stepper.state.regime[j - self->joints] =
            is_at_rest(self, j) ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    }
    return status;
}

/* ---- accelerations ------------------------------------------------------------------------------------- */

/* M v' - G^T lambda = f, G v' + h = 0 on S, lambda = 0 off S, at the point that is set. */
static carom_status accelerate(generalized_alpha *self, carom_error *error)
{
    alpha_level *smooth = &self->level[ALPHA_SMOOTH];
    const int n = self->stepper.dof, m = self->constraints;
    alpha_fill_plain(self, smooth->acts);
    carom_error why = {0};
    if (saddle_prepare(&self->plain, &why) != CAROM_OK)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "joints and closed contacts depend on each other at the start: %s", why.text);
    memcpy(self->right, self->force, (size_t)n * sizeof *self->right);
    for (int j = 0; j < m; j++)
        self->right[n + j] = smooth->acts[j] ? -self->hq[j] : 0.0;
    saddle_solve(&self->plain, self->right);
    memcpy(smooth->x, self->right, (size_t)n * sizeof *smooth->x);
    for (int j = 0; j < m; j++)
        smooth->y[j] = smooth->acts[j] ? self->right[n + j] : 0.0;
    alpha_evaluate_motion(self);
    return carom_all_finite(n + m, self->right)
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "accelerations at the start are not finite; look at the forces there");
}

/* S of the contacts that are closed and at rest: those that would come apart are taken out, and back. */
static carom_status find_accelerations(generalized_alpha *self, carom_error *error)
{
    bool *S = self->level[ALPHA_SMOOTH].acts;
    for (int j = 0; j < self->constraints; j++)
        S[j] = alpha_is_joint(self, j) ? self->strategy > 1 : self->strategy > 2 && is_at_rest(self, j);
    for (int round = 0; round < 2 * self->constraints + 10; round++) {
        carom_status status = accelerate(self, error);
        bool settled = true;
        for (int j = self->joints; j < self->constraints && status == CAROM_OK && self->strategy > 2; j++) {
            bool pushes = false;
            if (is_at_rest(self, j))
                status =
                    alpha_pushes(self, j, self->level[ALPHA_SMOOTH].y[j], self->curvature[j], &pushes, error);
            settled = settled && pushes == S[j];
            S[j] = pushes;
        }
        if (status != CAROM_OK || settled)
            return status;
    }
    carom_warn(&self->stepper.warnings, "which contacts stay closed at the start could not be settled");
    return CAROM_OK;
}

/* a_0 stands for the acceleration at t0 + (alpha_m - alpha_f) h: it is found there, a midpoint step away. */
static carom_status shift_accelerations(generalized_alpha *self, carom_error *error)
{
    const double away = (self->c.m - self->c.f) * self->stepper.h;
    const carom_state *state = &self->stepper.state;
    const int n = self->stepper.dof;
    double *q = carom_arena_take(self->stepper.arena, (size_t)n, sizeof *q);
    double *v = carom_arena_take(self->stepper.arena, (size_t)n, sizeof *v);
    if (!q || !v)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    memcpy(v, state->v, (size_t)n * sizeof *v);
    for (int stage = 1; stage <= 2 && status == CAROM_OK; stage++) {
        const double span = stage == 1 ? 0.5 * away : away;
        for (int i = 0; i < n; i++) {
            q[i] = state->q[i] + span * v[i];
            v[i] = state->v[i] + span * self->level[ALPHA_SMOOTH].x[i];
        }
        set_point(self, state->t + span, q, v);
        status = accelerate(self, error);
    }
    memcpy(self->shifted, self->level[ALPHA_SMOOTH].x, (size_t)n * sizeof *self->shifted);
    memcpy(self->shifted_lambda, self->level[ALPHA_SMOOTH].y,
           (size_t)self->constraints * sizeof *self->shifted_lambda);
    return status;
}

static carom_status set_accelerations(generalized_alpha *self, const alpha_start *start, carom_error *error)
{
    const size_t n = (size_t)self->stepper.dof, m = (size_t)self->constraints;
    carom_status status = find_accelerations(self, error);
    if (status != CAROM_OK || start->zero)
        return status;
    const alpha_level *smooth = &self->level[ALPHA_SMOOTH];
    memcpy(self->acceleration, smooth->x, n * sizeof(double));
    memcpy(self->shifted, smooth->x, n * sizeof(double));
    memcpy(self->multiplier, smooth->y, m * sizeof(double));
    memcpy(self->shifted_lambda, smooth->y, m * sizeof(double));
    return start->shifted ? shift_accelerations(self, error) : CAROM_OK;
}

/* The accelerations of the state under other forces; a_n, which belongs to a time nearby, changes by as much. */
carom_status alpha_renew(carom_stepper *stepper, carom_error *error)
{
    generalized_alpha *self = (generalized_alpha *)stepper;
    const carom_state *state = &stepper->state;
    const alpha_level *smooth = &self->level[ALPHA_SMOOTH];
    set_point(self, state->t, state->q, state->v);
    memcpy(self->rate_old, self->rate, (size_t)self->constraints * sizeof *self->rate);
    const carom_status status =
        stepper->counts.steps > 0 ? accelerate(self, error) : find_accelerations(self, error);
    for (int i = 0; status == CAROM_OK && i < stepper->dof; i++) {
        self->shifted[i] += smooth->x[i] - self->acceleration[i];
        self->acceleration[i] = smooth->x[i];
    }
    for (int j = 0; status == CAROM_OK && j < self->constraints; j++) {
        self->shifted_lambda[j] += smooth->y[j] - self->multiplier[j];
        self->multiplier[j] = smooth->y[j];
    }
    return status;
}

carom_status alpha_begin(generalized_alpha *self, const alpha_start *start, carom_error *error)
{
    carom_state *state = &self->stepper.state;
    carom_status status = joints_prepare_start(self->stepper.work, self->stepper.t0, start->project, state->q,
                                               state->v, &self->stepper.warnings, error);
    if (status != CAROM_OK)
        return status;
    evaluate_constant_blocks(self);
    set_point(self, self->stepper.t0, state->q, state->v);
    status = set_up_matrices(self, error);
    if (status == CAROM_OK) {
        find_scales(self);
        status = look_at_contacts(self, error);
    }
    if (status != CAROM_OK)
        return status;
    memcpy(self->rate_old, self->rate, (size_t)self->constraints * sizeof *self->rate);
    for (int j = 0; j < self->constraints; j++)
        self->cycle.emphasis[j] = 1.0;
    return set_accelerations(self, start, error);
}
