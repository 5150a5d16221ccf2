/* The derivative of a step of generalized-alpha: of its three problems, with the sets that the step has found. The unknowns are
 * v', lambda, U, nu, W, Lambda; carried from step to step are q, v, v', a, lambda, eta.
 *
 *   M v' - G^T lambda = f    G v' + h = 0 on S, or the row of the method       lambda = 0 off S
 *   M U  - G^T nu = 0        g = 0 on A                                        nu = 0 off A
 *   M W  - G^T Lambda = 0    G v + g_t + e (G v + g_t)_n = 0 on B              Lambda = 0 off B
 *
 * With friction the jump of a closed contact has its law instead (contact_tangent.h), for the total normal impulse and the
 * impulses p_T along slips, which are unknowns behind these: M W - G^T Lambda - T^T p_T = 0.
 *
 * At the start v' and lambda are those of the equations of motion, and a = v', eta = lambda. */
#include <math.h>
#include <string.h>

#include "alpha_tangent.h"
#include "scheme/parts/contact_tangent.h"
#include "scheme/parts/step_tangent.h"

typedef struct alpha_tangent {
    carom_tangent base;
    step_tangent step;
    int n, m;
    bool starting;
    /* before the step: v', a, lambda, eta */
    double *acceleration, *shifted, *multiplier, *shifted_lambda;
    double *rate_old, *restitution; /* per constraint */
    /* along a direction */
    double *da, *deta, *dq, *dv, *dU, *dW, *zero;
    double *mass_along, *row_along, *g_along, *g_t_along, *h_along, *force_along, *rate_old_along;
    double *old_row, *old_row_along;
    double *work_n, *work_m;
    carom_contact_frame frame;
    /* with friction, per contact: */
    contact_status *status;
    bool *closed;                   /* its law was that of friction */
    carom_contact_frame *end_frame; /* at the end of the step */
    double *total_along;            /* of the total impulses, per constraint */
} alpha_tangent;

static const generalized_alpha *scheme_of(const alpha_tangent *self)
{
    return (const generalized_alpha *)self->base.stepper;
}

/* ---- set-up ------------------------------------------------------------------------------------------------ */

static int carried(const carom_stepper *stepper)
{
    return 4 * stepper->dof + 2 * ((const generalized_alpha *)stepper)->constraints;
}

static void carried_sizes(const carom_stepper *stepper, double time, double *size)
{
    const int accelerations = 2 * stepper->dof,
              forces = 2 * ((const generalized_alpha *)stepper)->constraints;
    for (int i = 0; i < accelerations + forces; i++)
        size[i] = (i < accelerations ? 1.0 : stepper->scales.mass) / (time * time);
}

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    const generalized_alpha *scheme = (const generalized_alpha *)stepper;
    if (scheme->friction) {
        const carom_status status = contact_tangent_accepts(stepper->model, error);
        if (status != CAROM_OK)
            return status;
    }
    if (scheme->starts_shifted)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the shifted start of generalized-alpha has no derivatives");
    return step_tangent_check_size(
        3.0 * (stepper->dof + scheme->constraints) + 2.0 * (scheme->friction ? stepper->contacts : 0), error);
}

static bool take_friction(alpha_tangent *self)
{
    carom_arena *arena = self->base.arena;
    const carom_model *model = self->base.stepper->model;
    const size_t contacts = (size_t)model->contacts;
    self->status = carom_arena_take(arena, contacts, sizeof *self->status);
    self->closed = carom_arena_take(arena, contacts, sizeof *self->closed);
    self->end_frame = carom_arena_take(arena, contacts, sizeof *self->end_frame);
    self->total_along = carom_arena_take(arena, (size_t)self->m, sizeof *self->total_along);
    if (!self->status || !self->closed || !self->end_frame || !self->total_along)
        return false;
    for (size_t k = 0; k < contacts; k++)
        if (!carom_contact_frame_take(arena, model, &self->end_frame[k]))
            return false;
    return true;
}

static bool take_memory(alpha_tangent *self)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_arena *arena = self->base.arena;
    const size_t n = (size_t)self->n, m = (size_t)self->m,
                 entries = (size_t)carom_sparse_entries(&scheme->block[CAROM_BLOCK_ROWS]),
                 masses = (size_t)carom_sparse_entries(&scheme->block[CAROM_BLOCK_MASS]);
    double **of_dof[] = {&self->acceleration, &self->shifted, &self->da,          &self->dq,    &self->dv,
                         &self->dU,           &self->dW,      &self->force_along, &self->work_n};
    double **of_constraints[] = {
        &self->multiplier, &self->shifted_lambda, &self->rate_old, &self->restitution,    &self->deta,
        &self->g_along,    &self->g_t_along,      &self->h_along,  &self->rate_old_along, &self->work_m};
    double **of_rows[] = {&self->row_along, &self->old_row, &self->old_row_along};
    bool taken = true;
    for (size_t i = 0; taken && i < sizeof of_dof / sizeof *of_dof; i++)
        taken = (*of_dof[i] = carom_arena_take(arena, n, sizeof(double))) != NULL;
    for (size_t i = 0; taken && i < sizeof of_constraints / sizeof *of_constraints; i++)
        taken = (*of_constraints[i] = carom_arena_take(arena, m, sizeof(double))) != NULL;
    for (size_t i = 0; taken && i < sizeof of_rows / sizeof *of_rows; i++)
        taken = (*of_rows[i] = carom_arena_take(arena, entries, sizeof(double))) != NULL;
    self->mass_along = carom_arena_take(arena, masses, sizeof(double));
    self->zero = carom_arena_take(arena, (size_t)self->base.size, sizeof(double));
    return taken && self->mass_along && self->zero &&
           carom_contact_frame_take(arena, self->base.stepper->model, &self->frame) &&
           (!scheme->friction || take_friction(self)) &&
           step_tangent_take(&self->step, arena,
                             3 * (self->n + self->m) +
                                 (scheme->friction ? CAROM_TANGENTS_MAX * self->base.stepper->contacts : 0),
                             self->base.columns);
}

static void keep_old(alpha_tangent *self)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_copy(self->n, scheme->acceleration, self->acceleration);
    carom_copy(self->n, scheme->shifted, self->shifted);
    carom_copy(self->m, scheme->multiplier, self->multiplier);
    carom_copy(self->m, scheme->shifted_lambda, self->shifted_lambda);
}

/* ---- pieces of the equations ------------------------------------------------------------------------------- */

/* y += s A x with other entries than those of the block. */
static void add_product(const carom_sparse *pattern, const double *entry, const double *x, double s,
                        double *y)
{
    for (int j = 0; j < pattern->columns; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            y[pattern->row[k]] += s * entry[k] * x[j];
}

static void add_transposed(const carom_sparse *pattern, const double *entry, const double *x, double s,
                           double *y)
{
    for (int j = 0; j < pattern->columns; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            y[j] += s * entry[k] * x[pattern->row[k]];
}

/* out += dM x + M dx - dG^T y - G^T dy */
static void inertia_along(const alpha_tangent *self, const double *x, const double *dx, const double *y,
                          const double *dy, double *out)
{
    const generalized_alpha *scheme = scheme_of(self);
    const carom_sparse *mass = &scheme->block[CAROM_BLOCK_MASS], *rows = &scheme->block[CAROM_BLOCK_ROWS];
    add_product(mass, self->mass_along, x, 1.0, out);
    add_product(mass, scheme->entry[CAROM_BLOCK_MASS], dx, 1.0, out);
    add_transposed(rows, self->row_along, y, -1.0, out);
    add_transposed(rows, scheme->entry[CAROM_BLOCK_ROWS], dy, -1.0, out);
}

/* to = start + dG x + G dx */
static void row_along(const alpha_tangent *self, const double *start, const double *x, const double *dx,
                      double *to)
{
    const generalized_alpha *scheme = scheme_of(self);
    const carom_sparse *rows = &scheme->block[CAROM_BLOCK_ROWS];
    carom_copy(self->m, start, to);
    add_product(rows, self->row_along, x, 1.0, to);
    add_product(rows, scheme->entry[CAROM_BLOCK_ROWS], dx, 1.0, to);
}

/* Of mass, rows, force and constraints at the end of the step (or at the start). */
static void model_along(alpha_tangent *self, const carom_direction *to)
{
    carom_stepper *stepper = self->base.stepper;
    const generalized_alpha *scheme = scheme_of(self);
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const alpha_level *smooth = &scheme->level[ALPHA_SMOOTH];
    const carom_state *state = &stepper->state;
    const carom_motion motion = {
        .t = state->t, .q = state->q, .v = state->v, .a = smooth->x, .lambda = smooth->y};
    along->block(stepper->work, CAROM_BLOCK_MASS, &motion, 1, to, self->mass_along);
    along->force(stepper->work, state->t, state->q, state->v, 1, to, self->force_along);
    if (self->m == 0)
        return;
    along->block(stepper->work, CAROM_BLOCK_ROWS, &motion, 1, to, self->row_along);
    along->constraints(stepper->work, &motion, 1, to, self->g_along, self->g_t_along, self->h_along);
}

/* Rows of a problem: what the set asks for, and y = 0 off it. */
static void choose_rows(const alpha_tangent *self, const bool *acts, const double *row, const double *dy,
                        double *out)
{
    for (int j = 0; j < self->m; j++)
        out[j] = acts[j] ? row[j] : dy[j];
}

/* ---- the start ------------------------------------------------------------------------------------------------ */

static void start_residual(void *context, const step_direction *d, double *out)
{
    alpha_tangent *self = context;
    const generalized_alpha *scheme = scheme_of(self);
    const alpha_level *smooth = &scheme->level[ALPHA_SMOOTH];
    const int n = self->n;
    const double *dx = d->z ? d->z : self->zero, *dy = d->z ? d->z + n : self->zero;
    const double *before = d->before ? d->before : self->zero;
    const carom_direction to = {d->t, before, before + n, d->parameter};
    memset(out, 0, (size_t)self->step.unknowns * sizeof *out);
    model_along(self, &to);
    inertia_along(self, smooth->x, dx, smooth->y, dy, out);
    carom_axpy(n, -1.0, self->force_along, out);
    row_along(self, self->h_along, smooth->x, dx, self->work_m);
    choose_rows(self, smooth->acts, self->work_m, dy, out + n);
}

/* Of a problem whose unknowns, which begin at `first`, are `length` over some power of the time, and impulses, forces, ... */
static void size_problem(alpha_tangent *self, int first, double length)
{
    step_tangent_size(&self->step, first, first + self->n, length);
    step_tangent_size(&self->step, first + self->n, first + self->n + self->m,
                      self->base.stepper->scales.mass * length);
}

static carom_status setup(carom_tangent *base, carom_error *error)
{
    alpha_tangent *self = (alpha_tangent *)base;
    const generalized_alpha *scheme = (const generalized_alpha *)base->stepper;
    self->n = base->stepper->dof;
    self->m = scheme->constraints;
    if (!take_memory(self))
        return carom_fail_memory(error);
    keep_old(self);
    if (scheme->starts_at_zero)
        return CAROM_OK;
    const carom_scales *scales = &base->stepper->scales;
    size_problem(self, 0, carom_scales_speed(scales) / scales->time);
    if (!step_tangent_solve(&self->step, base, self->n + self->m, start_residual, self)) {
        if (self->step.no_memory)
            return carom_fail_memory(error);
        carom_tangent_tell(base, base->stepper->t0, "accelerations at the start have no finite derivatives");
        base->lost = true;
        return CAROM_OK;
    }
    for (int c = 0; c < base->columns; c++) {
        const double *dz = step_tangent_solution(&self->step, c);
        double *numbers = carom_tangent_q(base, c) + 2 * self->n;
        carom_copy(self->n, dz, numbers);
        carom_copy(self->n, dz, numbers + self->n);
        carom_copy(self->m, dz + self->n, numbers + 2 * self->n);
        carom_copy(self->m, dz + self->n, numbers + 2 * self->n + self->m);
    }
    return CAROM_OK;
}

/* ---- the step ------------------------------------------------------------------------------------------------- */

/* Derivatives of the coefficients along the option rho_inf. */
static alpha_coefficients coefficients_along(const alpha_tangent *self, const step_direction *d)
{
    const double change = d->option ? d->option[0] : 0.0; /* rho_inf comes first */
    const alpha_coefficients *c = &scheme_of(self)->c;
    const double sum = 1.0 + self->base.stepper->option[0];
    alpha_coefficients along = {.m = 3.0 / (sum * sum) * change, .f = change / (sum * sum)};
    along.gamma = along.f - along.m;
    along.beta = 0.5 * (c->gamma + 0.5) * along.gamma;
    return along;
}

/* Of ((1 - f) now + f old - m shifted_old) / (1 - m), which is `shifted`. */
static double shift_along(const alpha_coefficients *c, const alpha_coefficients *dc, double now, double old,
                          double shifted_old, double shifted, double d_now, double d_old,
                          double d_shifted_old)
{
    return ((1.0 - c->f) * d_now + c->f * d_old - c->m * d_shifted_old + dc->f * (old - now) -
            dc->m * shifted_old + dc->m * shifted) /
           (1.0 - c->m);
}

/* dq, dv, da, deta from a direction of the unknowns and of what was carried. */
static void move_along(alpha_tangent *self, const step_direction *d)
{
    const generalized_alpha *scheme = scheme_of(self);
    const alpha_coefficients *c = &scheme->c, dc = coefficients_along(self, d);
    const int n = self->n, m = self->m;
    const double h = self->base.stepper->h;
    const double *z = d->z ? d->z : self->zero, *before = d->before ? d->before : self->zero;
    const double *dx = z, *dy = z + n, *dU = z + n + m, *dW = z + 2 * (n + m);
    const double *dq_old = before, *dv_old = before + n, *dx_old = before + 2 * n, *da_old = before + 3 * n,
                 *dy_old = before + 4 * n, *deta_old = before + 4 * n + m;
    for (int i = 0; i < n; i++) {
        const double old = self->shifted[i], now = scheme->a[i];
        self->da[i] = shift_along(c, &dc, scheme->level[ALPHA_SMOOTH].x[i], self->acceleration[i], old, now,
                                  dx[i], dx_old[i], da_old[i]);
        self->dq[i] = dq_old[i] + h * dv_old[i] + d->h * self->base.v_before[i] +
                      2.0 * h * d->h * ((0.5 - c->beta) * old + c->beta * now) +
                      h * h * ((0.5 - c->beta) * da_old[i] + c->beta * self->da[i] + dc.beta * (now - old)) +
                      dU[i];
        self->dv[i] = dv_old[i] + d->h * ((1.0 - c->gamma) * old + c->gamma * now) +
                      h * ((1.0 - c->gamma) * da_old[i] + c->gamma * self->da[i] + dc.gamma * (now - old)) +
                      dW[i];
    }
    for (int j = 0; j < m; j++)
        self->deta[j] = shift_along(c, &dc, scheme->level[ALPHA_SMOOTH].y[j], self->multiplier[j],
                                    self->shifted_lambda[j], scheme->eta[j], dy[j], dy_old[j], deta_old[j]);
}

/* Derivatives of the rates at the start of the step, and what restitution makes of them, into work_m. */
static void rebound_along(alpha_tangent *self, const step_direction *d)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_stepper *stepper = self->base.stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const double *before = d->before ? d->before : self->zero;
    const carom_direction to = {d->t, before, before + self->n, d->parameter};
    const carom_motion old = {.t = self->base.t_before, .q = self->base.q_before, .v = self->base.v_before};
    const carom_sparse *rows = &scheme->block[CAROM_BLOCK_ROWS];
    memset(self->rate_old_along, 0, (size_t)self->m * sizeof(double));
    if (!d->before && !d->parameter && d->t == 0.0)
        return;
    along->block(stepper->work, CAROM_BLOCK_ROWS, &old, 1, &to, self->old_row_along);
    along->constraints(stepper->work, &old, 1, &to, NULL, self->rate_old_along, NULL);
    add_product(rows, self->old_row_along, self->base.v_before, 1.0, self->rate_old_along);
    add_product(rows, self->old_row, to.u, 1.0, self->rate_old_along);
    for (int j = 0; j < self->m; j++) {
        const int contact = j - scheme->joints;
        double change = 0.0;
        if (contact >= 0 && scheme->level[ALPHA_VELOCITY].acts[j] &&
            stepper->model->contact[contact].has_restitution) {
            along->frame(stepper->work, contact, self->base.t_before, self->base.q_before, 1, &to,
                         &self->frame);
            change = self->frame.restitution;
        }
        self->rate_old_along[j] = self->restitution[j] * self->rate_old_along[j] + change * self->rate_old[j];
    }
}

/* Derivatives of the total impulses of the step: Lambda and h times the mean of eta. After move_along. */
static void totals_along(alpha_tangent *self, const step_direction *d, const double *dLambda, double *total)
{
    const generalized_alpha *scheme = scheme_of(self);
    const alpha_coefficients *c = &scheme->c, dc = coefficients_along(self, d);
    const double h = self->base.stepper->h;
    const double *deta_old = (d->before ? d->before : self->zero) + 4 * self->n + self->m;
    for (int j = 0; j < self->m; j++) {
        const double old = self->shifted_lambda[j], now = scheme->eta[j];
        total[j] = dLambda[j] + d->h * ((1.0 - c->gamma) * old + c->gamma * now) +
                   h * ((1.0 - c->gamma) * deta_old[j] + c->gamma * self->deta[j] + dc.gamma * (now - old));
    }
}

/* ---- friction -------------------------------------------------------------------------------------------------- */

static double slip_of(const carom_contact_frame *frame, int i, const double *v)
{
    return carom_row_dot(&frame->tangent[i], v) + frame->tangent_rate[i];
}

/* Statuses of closed contacts; returns the number of impulses along slips, whose unknowns begin at `first`. */
static int read_friction(alpha_tangent *self, int first)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_stepper *stepper = self->base.stepper;
    const carom_state *state = &stepper->state;
    int count = 0;
    for (int contact = 0; contact < stepper->contacts; contact++) {
        const carom_contact_info *info = &stepper->model->contact[contact];
        const int j = scheme->joints + contact;
        double u[CAROM_CONTACT_COMPONENTS] = {scheme->rate[j] + self->restitution[j] * self->rate_old[j]};
        self->closed[contact] = scheme->level[ALPHA_POSITION].acts[j];
        if (!self->closed[contact])
            continue;
        stepper->model->ops->frame(stepper->work, contact, state->t, state->q, &self->end_frame[contact]);
        for (int i = 0; i < info->tangents; i++)
            u[1 + i] = slip_of(&self->end_frame[contact], i, state->v);
        contact_status *status = &self->status[contact];
        status->contact = contact;
        status->first = first + count;
        contact_tangent_read(status, info, &self->end_frame[contact],
                             self->base.regime_before[contact] == CAROM_CONTACT_STICK,
                             (carom_contact_regime)state->regime[contact],
                             state->impulse + CAROM_CONTACT_COMPONENTS * contact, u);
        if (!status->open)
            count += status->tangents;
    }
    return count;
}

/* What friction changes in the equations of the jump, which begin at `out`; row: of rates and rebounds. */
static void friction_along(alpha_tangent *self, const step_direction *d, const double *row,
                           const double *dLambda, double *all, double *out)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_stepper *stepper = self->base.stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const carom_state *state = &stepper->state;
    const carom_direction end = {d->t + d->h, self->dq, self->dv, d->parameter};
    totals_along(self, d, dLambda, self->total_along);
    for (int contact = 0; contact < stepper->contacts; contact++) {
        const int j = scheme->joints + contact;
        const contact_status *status = &self->status[contact];
        if (!self->closed[contact])
            continue;
        out[self->n + j] = status->open ? self->total_along[j] : row[j];
        if (status->open || status->tangents == 0)
            continue;
        along->frame(stepper->work, contact, state->t, state->q, 1, &end, &self->frame);
        double dp[CAROM_CONTACT_COMPONENTS] = {self->total_along[j]}, du[CAROM_CONTACT_COMPONENTS] = {row[j]},
               rows[CAROM_CONTACT_COMPONENTS] = {0};
        for (int i = 0; i < status->tangents; i++) {
            const carom_row *tangent = &self->end_frame[contact].tangent[i];
            dp[1 + i] = d->z ? d->z[status->first + i] : 0.0;
            du[1 + i] = slip_of(&self->frame, i, state->v) + carom_row_dot(tangent, self->dv);
            carom_row_add(tangent, -dp[1 + i], out);
            carom_row_add(&self->frame.tangent[i], -status->p[1 + i], out);
        }
        contact_tangent_rows(status, &self->frame, dp, du, rows);
        for (int i = 0; i < status->tangents; i++)
            all[status->first + i] = rows[1 + i];
    }
}

/* Contacts between two statuses. */
static void look_at_friction(alpha_tangent *self)
{
    const carom_stepper *stepper = self->base.stepper;
    const double speed = carom_largest(self->n, stepper->state.v);
    double impulse = 0.0;
    for (int k = 0; k < stepper->contacts; k++)
        impulse = fmax(impulse, self->closed[k] ? fabs(self->status[k].p[0]) : 0.0);
    for (int k = 0; k < stepper->contacts; k++) {
        const char *other = "";
        if (self->closed[k] && contact_tangent_margin(&self->status[k], impulse, speed, &other) < 1e-9)
            carom_tangent_tell(
                &self->base, stepper->state.t,
                "contact '%s' %s on one side, and not on the other; taken: the side on which it "
                "does not",
                stepper->model->contact[k].name, other);
    }
}

static void smooth_row_along(alpha_tangent *self, const double *dx, const double *dW)
{
    const generalized_alpha *scheme = scheme_of(self);
    const double *v = self->base.stepper->state.v, *W = scheme->level[ALPHA_VELOCITY].x;
    switch (scheme->row) {
    case ALPHA_ROW_ACCELERATION:
        row_along(self, self->h_along, scheme->level[ALPHA_SMOOTH].x, dx, self->work_m);
        break;
    case ALPHA_ROW_POSITION:
        carom_copy(self->m, self->g_along, self->work_m);
        break;
    case ALPHA_ROW_VELOCITY:
        row_along(self, self->g_t_along, v, self->dv, self->work_m);
        break;
    case ALPHA_ROW_SMOOTH_VELOCITY:
        for (int i = 0; i < self->n; i++) {
            self->work_n[i] = v[i] - W[i];
            self->dU[i] = self->dv[i] - dW[i]; /* room */
        }
        row_along(self, self->g_t_along, self->work_n, self->dU, self->work_m);
        break;
    }
}

static void residual(void *context, const step_direction *d, double *all)
{
    alpha_tangent *self = context;
    double *out = all;
    const generalized_alpha *scheme = scheme_of(self);
    const int n = self->n, m = self->m;
    const double *z = d->z ? d->z : self->zero;
    const double *dx = z, *dy = z + n, *dU = z + n + m, *dnu = dU + n, *dW = z + 2 * (n + m),
                 *dLambda = dW + n;
    const alpha_level *smooth = &scheme->level[ALPHA_SMOOTH], *position = &scheme->level[ALPHA_POSITION],
                      *velocity = &scheme->level[ALPHA_VELOCITY];
    memset(out, 0, (size_t)self->step.unknowns * sizeof *out);
    move_along(self, d);
    const carom_direction end = {d->t + d->h, self->dq, self->dv, d->parameter};
    model_along(self, &end);
    inertia_along(self, smooth->x, dx, smooth->y, dy, out);
    carom_axpy(n, -1.0, self->force_along, out);
    smooth_row_along(self, dx, dW);
    choose_rows(self, smooth->acts, self->work_m, dy, out + n);
    out += n + m;
    if (scheme->corrects_position) {
        inertia_along(self, position->x, dU, position->y, dnu, out);
        choose_rows(self, position->acts, self->g_along, dnu, out + n);
    } else {
        carom_copy(n + m, dU, out);
    }
    out += n + m;
    if (!scheme->corrects_velocity) {
        carom_copy(n + m, dW, out);
        return;
    }
    inertia_along(self, velocity->x, dW, velocity->y, dLambda, out);
    row_along(self, self->g_t_along, self->base.stepper->state.v, self->dv, self->work_m);
    rebound_along(self, d);
    carom_axpy(m, 1.0, self->rate_old_along, self->work_m);
    choose_rows(self, velocity->acts, self->work_m, dLambda, out + n);
    if (scheme->friction)
        friction_along(self, d, self->work_m, dLambda, all, out);
}

/* What the equations need of the start of the step. */
static void read_start(alpha_tangent *self)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_stepper *stepper = self->base.stepper;
    const carom_motion old = {.t = self->base.t_before, .q = self->base.q_before, .v = self->base.v_before};
    if (self->m == 0)
        return;
    stepper->model->ops->block(stepper->work, CAROM_BLOCK_ROWS, &old, self->old_row);
    stepper->model->ops->constraints(stepper->work, &old, NULL, self->rate_old, NULL);
    add_product(&scheme->block[CAROM_BLOCK_ROWS], self->old_row, self->base.v_before, 1.0, self->rate_old);
    for (int j = 0; j < self->m; j++) {
        const int contact = j - scheme->joints;
        self->restitution[j] = 0.0;
        if (contact < 0 || !stepper->model->contact[contact].has_restitution)
            continue;
        stepper->model->ops->frame(stepper->work, contact, self->base.t_before, self->base.q_before,
                                   &self->frame);
        self->restitution[j] = self->frame.restitution;
    }
}

/* Contacts whose gap or rate is zero although they do not act; cf. the tests of the sets. */
static void look_at_contacts(alpha_tangent *self)
{
    const generalized_alpha *scheme = scheme_of(self);
    const carom_stepper *stepper = self->base.stepper;
    const double speed = carom_largest(self->n, stepper->state.v);
    for (int j = scheme->joints; j < self->m; j++) {
        const bool A = scheme->level[ALPHA_POSITION].acts[j], B = scheme->level[ALPHA_VELOCITY].acts[j];
        const double rate = scheme->rate[j] + self->restitution[j] * self->rate_old[j];
        const bool weak = (!A && fabs(scheme->g[j]) <= 1e-12 * stepper->scales.length) ||
                          (A && !B && fabs(rate) <= 1e-10 * speed);
        double change = 0.0, way = 0.0;
        for (int c = 0; weak && c < self->base.columns; c++) {
            step_direction d = step_tangent_direction(&self->base, c);
            d.z = step_tangent_solution(&self->step, c);
            move_along(self, &d);
            model_along(self, &(carom_direction){d.t + d.h, self->dq, self->dv, d.parameter});
            change = fmax(change, fabs(self->g_along[j]));
            way = fmax(way, carom_largest(self->n, self->dq));
        }
        if (change > 1e-12 * way)
            carom_tangent_tell(
                &self->base, stepper->state.t,
                "contact '%s' closes on one side, and not on the other; taken: the side on which it "
                "does not",
                stepper->model->contact[j - scheme->joints].name);
    }
}

static void take_solution(alpha_tangent *self, int column)
{
    const generalized_alpha *scheme = scheme_of(self);
    carom_tangent *base = &self->base;
    const int n = self->n, m = self->m;
    const double *dz = step_tangent_solution(&self->step, column), *dLambda = dz + 2 * (n + m) + n;
    step_direction d = step_tangent_direction(base, column);
    d.z = dz;
    move_along(self, &d);
    double *impulse =
        base->impulse + (size_t)column * CAROM_CONTACT_COMPONENTS * (size_t)base->stepper->contacts;
    double *reaction = base->reaction + (size_t)column * (size_t)scheme->joints;
    totals_along(self, &d, dLambda, self->work_m);
    for (int j = 0; j < m; j++) {
        if (j < scheme->joints)
            reaction[j] = self->work_m[j];
        else
            impulse[CAROM_CONTACT_COMPONENTS * (j - scheme->joints)] = self->work_m[j];
    }
    for (int k = 0; scheme->friction && k < base->stepper->contacts; k++)
        for (int i = 0; i < CAROM_TANGENTS_MAX; i++)
            impulse[CAROM_CONTACT_COMPONENTS * k + 1 + i] =
                self->closed[k] && !self->status[k].open && i < self->status[k].tangents
                    ? dz[self->status[k].first + i]
                    : 0.0;
    double *numbers = carom_tangent_q(base, column);
    carom_copy(n, self->dq, numbers);
    carom_copy(n, self->dv, numbers + n);
    carom_copy(n, dz, numbers + 2 * n);
    carom_copy(n, self->da, numbers + 3 * n);
    carom_copy(m, dz + n, numbers + 4 * n);
    carom_copy(m, self->deta, numbers + 4 * n + m);
    base->t[column] += base->column[column].h;
}

static carom_status step(carom_tangent *base, carom_error *error)
{
    alpha_tangent *self = (alpha_tangent *)base;
    read_start(self);
    const int problems = 3 * (self->n + self->m);
    const int slips = scheme_of(self)->friction ? read_friction(self, problems) : 0;
    const double length = base->stepper->scales.length, h = base->stepper->h;
    size_problem(self, 0, length / h / h);
    size_problem(self, problems / 3, length);
    size_problem(self, 2 * (problems / 3), length / h);
    step_tangent_size(&self->step, problems, problems + slips, base->stepper->scales.mass * length / h);
    if (!step_tangent_solve(&self->step, base, problems + slips, residual, self)) {
        if (self->step.no_memory)
            return carom_fail_memory(error);
        carom_tangent_tell(base, base->stepper->state.t,
                           "the equations of the step have no finite derivatives");
        base->lost = true;
        return CAROM_OK;
    }
    look_at_contacts(self);
    if (scheme_of(self)->friction)
        look_at_friction(self);
    for (int c = 0; c < base->columns; c++)
        take_solution(self, c);
    keep_old(self);
    return CAROM_OK;
}

const carom_tangent_ops alpha_tangent_ops = {
    .bytes = sizeof(alpha_tangent),
    .accepts = accepts,
    .size = carried,
    .sizes = carried_sizes,
    .setup = setup,
    .step = step,
};
