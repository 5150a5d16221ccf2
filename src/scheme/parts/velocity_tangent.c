#include "velocity_parts.h"

#include <math.h>
#include <string.h>

/* ---- memory ------------------------------------------------------------------------------------------------ */

static bool take_frames(velocity_tangent *self)
{
    carom_arena *arena = self->base.arena;
    const carom_model *model = self->base.stepper->model;
    const size_t contacts = (size_t)self->contacts;
    self->status = carom_arena_take(arena, contacts, sizeof *self->status);
    self->frame = carom_arena_take(arena, contacts, sizeof *self->frame);
    self->start_frame = carom_arena_take(arena, contacts, sizeof *self->start_frame);
    if (!self->status || !self->frame || !self->start_frame)
        return false;
    for (size_t k = 0; k < contacts; k++)
        if (!carom_contact_frame_take(arena, model, &self->frame[k]) ||
            !carom_contact_frame_take(arena, model, &self->start_frame[k]))
            return false;
    return carom_contact_frame_take(arena, model, &self->along) &&
           carom_contact_frame_take(arena, model, &self->start_along);
}

static bool take_vectors(velocity_tangent *self)
{
    carom_arena *arena = self->base.arena;
    const size_t n = (size_t)self->n,
                 entries = self->pattern ? (size_t)carom_sparse_entries(self->pattern) : 0;
    double **vectors[] = {&self->force[0],   &self->force[1], &self->force_along, &self->q_mass,
                          &self->q_rows,     &self->q_end,    &self->q_force[0],  &self->q_force[1],
                          &self->dq_mass,    &self->dq_rows,  &self->dq_end,      &self->dq_force,
                          &self->du,         &self->change,   &self->zero,        &self->v_force[0],
                          &self->v_force[1], &self->dv_force, &self->free,        &self->free_along};
    double **rows[] = {&self->row_old, &self->row, &self->row_old_along, &self->row_along};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = carom_arena_take(arena, n, sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!(*rows[i] = carom_arena_take(arena, entries, sizeof(double))))
            return false;
    return true;
}

carom_status velocity_tangent_setup(carom_tangent *base, const velocity_description *description,
                                    carom_error *error)
{
    velocity_tangent *self = (velocity_tangent *)base;
    const carom_model *model = base->stepper->model;
    carom_arena *arena = base->arena;
    self->description = description;
    self->n = model->dof;
    self->contacts = model->contacts;
    self->joints = description->massless ? 0 : model->joints;
    self->pattern = model->ops->block_pattern ? model->ops->block_pattern(model, CAROM_BLOCK_ROWS) : NULL;
    const size_t n = (size_t)self->n, constraints = (size_t)self->joints + (size_t)self->contacts;
    self->mass = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    self->mass_along = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    self->rate_along = carom_arena_take(arena, constraints, sizeof(double));
    self->gap_along = carom_arena_take(arena, constraints, sizeof(double));
    self->mass_factor = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    self->mass_pivot = carom_arena_take(arena, n, sizeof *self->mass_pivot);
    const int room = self->n + self->joints + CAROM_CONTACT_COMPONENTS * self->contacts;
    const bool taken = self->mass && self->mass_along && self->mass_factor && self->mass_pivot &&
                       self->rate_along && self->gap_along && take_vectors(self) && take_frames(self) &&
                       step_tangent_take(&self->step, arena, room, base->columns);
    return taken ? CAROM_OK : carom_fail_memory(error);
}

/* ---- values of the step -------------------------------------------------------------------------------------- */

/* Coordinates without inertia are where the joints want them. */
static bool settles_at(const velocity_tangent *self, const step_point *point)
{
    return self->description->settle && (point == &self->now.end || point == &self->now.force[0].at);
}

void velocity_place_at(velocity_tangent *self, const step_point *point, double *q)
{
    const carom_stepper *stepper = self->base.stepper;
    for (int i = 0; i < self->n; i++)
        q[i] = self->base.q_before[i] +
               stepper->h * (point->old * self->base.v_before[i] + point->new * stepper->state.v[i]);
    if (settles_at(self, point))
        self->description->settle(&self->base, velocity_time_at(self, point), q);
}

/* y += s (rows of joints)^T x, with the entries of the pattern. */
static void add_joints(const velocity_tangent *self, double s, const double *entry, const double *x,
                       double *y)
{
    const carom_sparse *pattern = self->pattern;
    for (int j = 0; j < self->n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < self->joints)
                y[j] += s * entry[k] * x[pattern->row[k]];
}

/* y += (rows of joints) x */
static void add_rates(const velocity_tangent *self, const double *entry, const double *x, double *y)
{
    const carom_sparse *pattern = self->pattern;
    for (int j = 0; j < self->n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < self->joints)
                y[pattern->row[k]] += entry[k] * x[j];
}

/* e of a contact, and the rows along which its velocity before counts. */
static double restitution_of(const velocity_tangent *self, int contact, const carom_contact_frame **before)
{
    const bool at_start = self->now.restitution == RESTITUTION_AT_START;
    *before = at_start ? &self->start_frame[contact] : &self->frame[contact];
    if (self->now.restitution == RESTITUTION_FIXED || self->now.restitution == RESTITUTION_OF_FREE ||
        self->now.restitution == RESTITUTION_OBLIQUE)
        return self->now.fixed_restitution;
    if (at_start && !self->base.stepper->model->contact[contact].has_restitution)
        return 0.0;
    return (*before)->restitution;
}

/* What rebounds. */
static const double *velocity_before(const velocity_tangent *self)
{
    return self->now.restitution == RESTITUTION_OF_FREE ? self->free : self->base.v_before;
}

/* Components beside the normal that rebound. */
static int rebounding_tangents(const velocity_tangent *self, const carom_contact_info *info)
{
    return self->now.restitution == RESTITUTION_OBLIQUE ? info->tangents : 0;
}

/* The status of the k-th active contact. Returns its unknowns. */
static int read_contact(velocity_tangent *self, int k, int first)
{
    const carom_stepper *stepper = self->base.stepper;
    const carom_state *state = &stepper->state;
    const int contact = self->now.active[k];
    const carom_contact_info *info = &stepper->model->contact[contact];
    const carom_contact_frame *frame = &self->frame[contact], *before = NULL;
    double p[CAROM_CONTACT_COMPONENTS] = {0}, u[CAROM_CONTACT_COMPONENTS] = {0};
    stepper->model->ops->frame(stepper->work, contact, velocity_time_at(self, &self->now.rows), self->q_rows,
                               &self->frame[contact]);
    if (self->now.restitution == RESTITUTION_AT_START)
        stepper->model->ops->frame(stepper->work, contact, self->base.t_before, self->base.q_before,
                                   &self->start_frame[contact]);
    for (int i = 0; i <= info->tangents; i++) {
        p[i] = state->impulse[CAROM_CONTACT_COMPONENTS * contact + i];
        u[i] = velocity_along_row(frame, i, state->v);
    }
    if (self->now.struck)
        p[0] -= self->now.struck[contact];
    if (info->friction_force)
        p[0] = stepper->h;
    else if (self->now.restitution == RESTITUTION_POSITION)
        u[0] = self->now.gap[contact] / stepper->h;
    else
        for (int i = 0; i <= rebounding_tangents(self, info); i++)
            u[i] +=
                restitution_of(self, contact, &before) * velocity_along_row(before, i, velocity_before(self));
    contact_status *status = &self->status[k];
    status->contact = contact;
    status->first = first;
    contact_tangent_read(status, info, frame, self->base.regime_before[contact] == CAROM_CONTACT_STICK,
                         (carom_contact_regime)state->regime[contact], p, u);
    if (self->now.pulls && p[0] < 0.0)
        status->open = false;
    return contact_tangent_count(status);
}

/* x := M^-1 x, NaN where there is none. */
static void solve_mass(const velocity_tangent *self, double *x)
{
    if (self->mass_is_regular)
        carom_lu_solve(self->n, self->mass_factor, self->mass_pivot, x);
    else
        x[0] = NAN;
}

/* v_n + h M^-1 f, of forces that do not depend on what is after the step. */
static void find_free(velocity_tangent *self)
{
    const size_t n = (size_t)self->n;
    memcpy(self->mass_factor, self->mass, n * n * sizeof *self->mass);
    self->mass_is_regular = carom_lu_factor(self->n, self->mass_factor, self->mass_pivot) == 0;
    memset(self->free, 0, n * sizeof *self->free);
    for (int f = 0; f < self->now.forces; f++)
        carom_axpy(self->n, self->base.stepper->h * self->now.force[f].weight, self->force[f], self->free);
    solve_mass(self, self->free);
    carom_axpy(self->n, 1.0, self->base.v_before, self->free);
}

/* Everything that the equations are made of; returns the number of unknowns. */
static int read_step(velocity_tangent *self)
{
    carom_stepper *stepper = self->base.stepper;
    const carom_model_ops *ops = stepper->model->ops;
    const carom_state *state = &stepper->state;
    self->now = (velocity_step){0};
    self->description->step(stepper, &self->now);
    for (int i = 0; i < self->n; i++)
        self->change[i] = state->v[i] - self->base.v_before[i];
    velocity_place_at(self, &self->now.mass, self->q_mass);
    velocity_place_at(self, &self->now.rows, self->q_rows);
    velocity_place_at(self, &self->now.end, self->q_end);
    ops->mass(stepper->work, velocity_time_at(self, &self->now.mass), self->q_mass, self->mass);
    const bool *massless = self->description->massless ? self->description->massless(stepper) : NULL;
    for (int i = 0; massless && i < self->n; i++)
        if (massless[i]) /* any equation: their velocities follow from the others */
            self->mass[(size_t)i * (size_t)self->n + (size_t)i] = 1.0;
    for (int f = 0; f < self->now.forces; f++) {
        const step_force *force = &self->now.force[f];
        velocity_place_at(self, &force->at, self->q_force[f]);
        for (int i = 0; i < self->n; i++)
            self->v_force[f][i] = self->base.v_before[i] + force->share * self->change[i];
        ops->force(stepper->work, velocity_time_at(self, &force->at), self->q_force[f], self->v_force[f],
                   self->force[f]);
    }
    if (self->now.restitution == RESTITUTION_OF_FREE)
        find_free(self);
    if (self->joints > 0) {
        const carom_motion old = {.t = self->base.t_before, .q = self->base.q_before};
        const carom_motion end = {.t = velocity_time_at(self, &self->now.end), .q = self->q_end};
        ops->block(stepper->work, CAROM_BLOCK_ROWS, &old, self->row_old);
        ops->block(stepper->work, CAROM_BLOCK_ROWS, &end, self->row);
    }
    int unknowns = self->n;
    for (int k = 0; k < self->now.active_count; k++)
        unknowns += read_contact(self, k, unknowns);
    return unknowns + self->joints;
}

/* ---- the equations along a direction ------------------------------------------------------------------------ */

static bool is_zero(int n, const double *x)
{
    for (int i = 0; x && i < n; i++)
        if (x[i] != 0.0)
            return false;
    return true;
}

/* The direction of a point. */
carom_direction velocity_direction_at(velocity_tangent *self, const step_direction *d, const moved *to,
                                      const step_point *at, const step_point *at_along,
                                      const double *velocity, double *dq)
{
    const double h = self->base.stepper->h, *v = self->base.v_before, *u = self->base.stepper->state.v;
    const double by_v = at->old * d->h + at_along->old * h, by_u = at->new * d->h + at_along->new *h;
    for (int i = 0; i < self->n; i++)
        dq[i] = to->old_q[i] + by_v * v[i] + by_u * u[i] + h * (at->old * to->old_v[i] + at->new * to->u[i]);
    const double t = d->t + at->time * d->h + at_along->time * h;
    if (settles_at(self, at))
        self->description->settle_along(&self->base, velocity_time_at(self, at),
                                        at == &self->now.end ? self->q_end : self->q_force[0], t,
                                        d->parameter, dq);
    return (carom_direction){t, dq, velocity, d->parameter};
}

static bool mass_moves(const velocity_tangent *self, const step_direction *d)
{
    return !self->base.stepper->model->constant_mass || d->parameter;
}

/* M (du - dv_n) + dM (u - v_n) - d(h f) */
static void momentum_along(velocity_tangent *self, const step_direction *d, const moved *to, double *out)
{
    const carom_stepper *stepper = self->base.stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const size_t n = (size_t)self->n;
    const bool mass_changes = mass_moves(self, d);
    if (mass_changes) {
        const carom_direction at =
            velocity_direction_at(self, d, to, &self->now.mass, &self->now_along.mass, NULL, self->dq_mass);
        along->mass(stepper->work, velocity_time_at(self, &self->now.mass), self->q_mass, 1, &at,
                    self->mass_along);
    }
    for (size_t j = 0; j < n; j++) {
        const double change = to->u[j] - to->old_v[j];
        for (size_t i = 0; change != 0.0 && i < n; i++)
            out[i] += self->mass[i * n + j] * change;
        for (size_t i = 0; mass_changes && self->change[j] != 0.0 && i < n; i++)
            out[i] += self->mass_along[i * n + j] * self->change[j];
    }
    for (int f = 0; f < self->now.forces; f++) {
        const step_force *force = &self->now.force[f], *force_along = &self->now_along.force[f];
        for (int i = 0; i < self->n; i++)
            self->dv_force[i] = to->old_v[i] + force->share * (to->u[i] - to->old_v[i]) +
                                force_along->share * self->change[i];
        const carom_direction at =
            velocity_direction_at(self, d, to, &force->at, &force_along->at, self->dv_force, self->dq_force);
        along->force(stepper->work, velocity_time_at(self, &force->at), self->q_force[f], self->v_force[f], 1,
                     &at, self->force_along);
        const double value = d->h * force->weight + stepper->h * force_along->weight;
        carom_axpy(self->n, -value, self->force[f], out);
        carom_axpy(self->n, -stepper->h * force->weight, self->force_along, out);
    }
}

/* M dw = d(h f) - dM (w - v_n) + M dv_n of the velocity w without impulses: the momentum with du = 0 has all of it but dM (u - w). */
static void find_free_along(velocity_tangent *self, const step_direction *d, const moved *to, bool still)
{
    const size_t n = (size_t)self->n;
    const moved before = {.old_q = to->old_q, .old_v = to->old_v, .u = self->zero};
    memset(self->free_along, 0, n * sizeof *self->free_along);
    if (still)
        return;
    momentum_along(self, d, &before, self->free_along);
    for (size_t i = 0; i < n; i++) {
        double sum = -self->free_along[i];
        for (size_t j = 0; mass_moves(self, d) && j < n; j++)
            sum += self->mass_along[i * n + j] * (self->base.stepper->state.v[j] - self->free[j]);
        self->free_along[i] = sum;
    }
    solve_mass(self, self->free_along);
}

moved velocity_find_moved(velocity_tangent *self, const step_direction *d)
{
    const int n = self->n;
    moved to = {.old_q = d->before ? d->before : self->zero,
                .old_v = d->before ? d->before + n : self->zero,
                .u = self->du};
    carom_copy(n, d->z ? d->z : self->zero, self->du);
    self->now_along = (velocity_step){0};
    const bool options = d->option && !is_zero(self->base.stepper->ops->option_count, d->option);
    if (self->description->along && (options || d->parameter))
        self->description->along(&self->base, d, &self->now_along);
    const bool only_after = !d->before && !d->parameter && !options && d->t == 0.0 && d->h == 0.0;
    to.still = only_after && is_zero(n, d->z);
    if (self->now.restitution == RESTITUTION_OF_FREE)
        find_free_along(self, d, &to, only_after);
    return to;
}

/* dp of a contact: its unknowns, and of a friction force the normal impulse h. */
static void impulse_along(const contact_status *status, const step_direction *d, double *dp)
{
    memset(dp, 0, CAROM_CONTACT_COMPONENTS * sizeof *dp);
    if (status->info->friction_force)
        dp[0] = d->h;
    for (int i = 0; d->z && i < contact_tangent_count(status); i++)
        dp[status->from + i] = d->z[status->first + i];
}

/* du of a contact, target and all; self->along becomes the derivative of its frame. */
void velocity_contact_along(velocity_tangent *self, const contact_status *status, const step_direction *d,
                            const moved *to, double *du)
{
    const carom_stepper *stepper = self->base.stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const int contact = status->contact;
    const bool of_free = self->now.restitution == RESTITUTION_OF_FREE;
    const double *v_old = velocity_before(self), *v_along = of_free ? self->free_along : to->old_v;
    const carom_direction at =
        velocity_direction_at(self, d, to, &self->now.rows, &self->now_along.rows, NULL, self->dq_rows);
    const carom_contact_frame *before = NULL, *before_along = &self->along;
    along->frame(stepper->work, contact, velocity_time_at(self, &self->now.rows), self->q_rows, 1, &at,
                 &self->along);
    for (int i = 0; i <= status->info->tangents; i++)
        du[i] = velocity_along_row(&self->along, i, stepper->state.v) +
                carom_row_dot(velocity_row(&self->frame[contact], i), to->u);
    if (self->now.restitution == RESTITUTION_POSITION) {
        along->gaps(stepper->work, velocity_time_at(self, &self->now.rows), self->q_rows, 1, &at,
                    self->gap_along);
        du[0] = self->gap_along[contact];
        return;
    }
    const double e = restitution_of(self, contact, &before);
    if (status->info->friction_force ||
        (self->now.restitution == RESTITUTION_AT_START && !status->info->has_restitution))
        return;
    if (self->now.restitution == RESTITUTION_AT_START) {
        const carom_direction start = {d->t, to->old_q, NULL, d->parameter};
        along->frame(stepper->work, contact, self->base.t_before, self->base.q_before, 1, &start,
                     &self->start_along);
        before_along = &self->start_along;
    }
    double de = before_along->restitution;
    if (self->now.restitution == RESTITUTION_FIXED || of_free ||
        (self->now.restitution == RESTITUTION_OBLIQUE && e == 0.0))
        de = 0.0;
    for (int i = 0; i <= rebounding_tangents(self, status->info); i++)
        du[i] +=
            de * velocity_along_row(before, i, v_old) + e * (velocity_along_row(before_along, i, v_old) +
                                                             carom_row_dot(velocity_row(before, i), v_along));
}

static void contact_along(velocity_tangent *self, const contact_status *status, const step_direction *d,
                          const moved *to, double *out)
{
    const carom_contact_frame *frame = &self->frame[status->contact];
    double dp[CAROM_CONTACT_COMPONENTS], du[CAROM_CONTACT_COMPONENTS] = {0};
    if (status->open)
        return;
    impulse_along(status, d, dp);
    if (to->still)
        memset(self->along.coefficients, 0, (size_t)status->info->coefficients * sizeof(double));
    else
        velocity_contact_along(self, status, d, to, du);
    for (int i = status->from; i <= status->tangents; i++) {
        carom_row_add(velocity_row(frame, i), -dp[i], out);
        if (!to->still)
            carom_row_add(velocity_row(&self->along, i), -status->p[i], out);
    }
    contact_tangent_rows(status, &self->along, dp, du, out + status->first);
}

static void joints_along(velocity_tangent *self, const step_direction *d, const moved *to, int first,
                         double *out)
{
    const carom_stepper *stepper = self->base.stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const double share = self->now.joint_share, share_along = self->now_along.joint_share;
    const double *r = stepper->state.reaction, *u = stepper->state.v;
    if (d->z) {
        add_joints(self, share - 1.0, self->row, d->z + first, out);
        add_joints(self, -share, self->row_old, d->z + first, out);
    }
    if (to->still)
        return;
    const carom_motion old = {.t = self->base.t_before, .q = self->base.q_before},
                       now = {.t = velocity_time_at(self, &self->now.end), .q = self->q_end};
    const carom_direction start = {d->t, to->old_q, NULL, d->parameter},
                          end = velocity_direction_at(self, d, to, &self->now.end, &self->now_along.end, NULL,
                                                      self->dq_end);
    along->block(stepper->work, CAROM_BLOCK_ROWS, &old, 1, &start, self->row_old_along);
    along->block(stepper->work, CAROM_BLOCK_ROWS, &now, 1, &end, self->row_along);
    along->constraints(stepper->work, &now, 1, &end, NULL, self->rate_along, NULL);
    add_joints(self, share - 1.0, self->row_along, r, out);
    add_joints(self, -share, self->row_old_along, r, out);
    add_joints(self, share_along, self->row, r, out);
    add_joints(self, -share_along, self->row_old, r, out);
    carom_copy(self->joints, self->rate_along, out + first);
    add_rates(self, self->row_along, u, out + first);
    add_rates(self, self->row, to->u, out + first);
}

static void residual(void *context, const step_direction *d, double *out)
{
    velocity_tangent *self = context;
    const moved to = velocity_find_moved(self, d);
    memset(out, 0, (size_t)self->step.unknowns * sizeof *out);
    if (!to.still)
        momentum_along(self, d, &to, out);
    for (int k = 0; k < self->now.active_count; k++)
        contact_along(self, &self->status[k], d, &to, out);
    if (self->joints > 0)
        joints_along(self, d, &to, self->step.unknowns - self->joints, out);
}

/* ---- the step ------------------------------------------------------------------------------------------------- */

static void take_solution(velocity_tangent *self, int column)
{
    carom_tangent *base = &self->base;
    const double *dz = step_tangent_solution(&self->step, column);
    step_direction d = step_tangent_direction(base, column);
    d.z = dz;
    const moved to = velocity_find_moved(self, &d);
    velocity_direction_at(self, &d, &to, &self->now.end, &self->now_along.end, NULL, self->dq_end);
    double *impulse = base->impulse + (size_t)column * CAROM_CONTACT_COMPONENTS * (size_t)self->contacts;
    memset(impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)self->contacts * sizeof *impulse);
    for (int k = 0; k < self->now.active_count; k++) {
        const contact_status *status = &self->status[k];
        for (int i = 0; i < contact_tangent_count(status); i++)
            impulse[CAROM_CONTACT_COMPONENTS * status->contact + status->from + i] = dz[status->first + i];
    }
    carom_copy(self->joints, dz + self->step.unknowns - self->joints,
               base->reaction + (size_t)column * (size_t)self->joints);
    carom_copy(self->n, self->dq_end, carom_tangent_q(base, column));
    carom_copy(self->n, dz, carom_tangent_v(base, column));
    base->t[column] += base->column[column].h;
    if (self->description->rates_along)
        self->description->rates_along(base, column);
}

carom_status velocity_tangent_step(carom_tangent *base, carom_error *error)
{
    velocity_tangent *self = (velocity_tangent *)base;
    const int unknowns = read_step(self);
    const double speed = carom_scales_speed(&base->stepper->scales);
    step_tangent_size(&self->step, 0, self->n, speed);
    step_tangent_size(&self->step, self->n, unknowns, base->stepper->scales.mass * speed);
    if (!step_tangent_solve(&self->step, base, unknowns, residual, self)) {
        if (self->step.no_memory)
            return carom_fail_memory(error);
        carom_tangent_tell(base, base->stepper->state.t,
                           "the equations of the step have no finite derivatives");
        base->lost = true;
        return CAROM_OK;
    }
    if (self->contacts > 0)
        velocity_look_for_breaks(self);
    if (self->step.singular && self->step.mismatch > 1e-8)
        carom_tangent_tell(base, base->stepper->state.t,
                           "contacts that act together hold each other: their equations have no derivative");
    for (int c = 0; c < base->columns; c++)
        take_solution(self, c);
    return CAROM_OK;
}
