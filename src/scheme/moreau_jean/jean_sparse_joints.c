/* Joints of a sparse model in moreau-jean: the equations of jean_joints.c, with nothing of joints x coordinates. A Newton
 * iteration from v, r is one sparse matrix (sparse_joints) of the Newton matrix H and of rows R for v + dv, r+,
 *
 *   H dv - R^T r+ = h f_theta - M (v - v_n) + (G_m - R)^T r,     G_m = (1 - theta) G_n + theta G,
 *   R dv          = -(G v + g_t),
 *
 * which has the solution of the step for any R and H. Newton's method has G_m in the first equation and the derivative
 * G + h theta d/dq (G v + g_t) of G v + g_t in the second. Both as they are would be fastest, but contacts that joints couple so
 * that their W is singular have no solution with a matrix that is not symmetric: R is their mean. H has the derivative of
 * -G_m^T r, the stiffness of a taut cable. At first, with r = 0, R is G.
 *
 * The contact problem has the same matrix with what contacts add to H: it finds v and the impulses of joints together
 * (global_contacts). v_free and v_new have these impulses, with a minus, behind the velocities. */
#include <math.h>
#include <string.h>

#include "moreau_jean.h"

/* Rows of joints follow the iterate: while it still changes, contact problems are solved to this share of its change. */
static const double coarse_share = 1e-3, coarseness_least = 1e-14;
/* Share of what its masses alone would allow: a contact that moves by less is held by joints. */
static const double held_share = 1e-12;
/* ... and that may be held, by the response to all contacts at once. */
static const double suspicious_share = 1e-5;
enum {
    SUSPECTS_MAX = 32
};

static bool take_derivatives(moreau_jean *self)
{
    carom_arena *arena = self->stepper.arena;
    jean_sparse *sparse = &self->sparse;
    const carom_model *model = self->stepper.model;
    const carom_sparse *stiffness = model->ops->block_pattern(model, CAROM_BLOCK_STIFFNESS);
    const carom_sparse *turn = model->ops->block_pattern(model, CAROM_BLOCK_RATE_BY_Q);
    const carom_sparse *newton = &sparse->newton.pattern, *rows = sparse->joints.rows;
    const size_t places = (size_t)carom_sparse_entries(stiffness), turns = (size_t)carom_sparse_entries(turn);
    const size_t constraints = (size_t)model->joints + (size_t)model->contacts;
    sparse->stiffness = stiffness;
    sparse->turn = turn;
    sparse->stiffness_entry = carom_arena_take(arena, places, sizeof(double));
    sparse->stiffness_place = carom_arena_take(arena, places, sizeof(int));
    sparse->turn_entry = carom_arena_take(arena, turns, sizeof(double));
    sparse->turn_place = carom_arena_take(arena, turns, sizeof(int));
    sparse->geometric = carom_arena_take(arena, (size_t)carom_sparse_entries(newton), sizeof(double));
    sparse->zero = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    sparse->lambda = carom_arena_take(arena, constraints, sizeof(double));
    if (!sparse->stiffness_entry || !sparse->stiffness_place || !sparse->turn_entry || !sparse->turn_place ||
        !sparse->geometric || !sparse->zero || !sparse->lambda)
        return false;
    for (int j = 0; j < model->dof; j++) {
        for (int k = stiffness->column_start[j]; k < stiffness->column_start[j + 1]; k++)
            sparse->stiffness_place[k] = carom_sparse_place(newton, stiffness->row[k], j);
        for (int k = turn->column_start[j]; k < turn->column_start[j + 1]; k++)
            sparse->turn_place[k] =
                turn->row[k] < model->joints ? carom_sparse_place(rows, turn->row[k], j) : -1;
    }
    return true;
}

bool moreau_jean_sparse_joints_take(moreau_jean *self)
{
    carom_arena *arena = self->stepper.arena;
    jean_sparse *sparse = &self->sparse;
    const size_t count = (size_t)self->stepper.model->joints;
    if (!sparse_joints_take_beside(&sparse->joints, arena, self->stepper.work, &sparse->newton.pattern))
        return false;
    const size_t entries = (size_t)carom_sparse_entries(sparse->joints.rows);
    sparse->row_old = carom_arena_take(arena, entries, sizeof(double));
    sparse->row_mean = carom_arena_take(arena, entries, sizeof(double));
    sparse->row_used = carom_arena_take(arena, entries, sizeof(double));
    sparse->joint_load = carom_arena_take(arena, count, sizeof(double));
    return sparse->row_old && sparse->row_mean && sparse->row_used && sparse->joint_load &&
           take_derivatives(self) &&
           (!self->projection || sparse_joints_take(&sparse->projector, arena, self->stepper.work));
}

void moreau_jean_sparse_begin_joints(moreau_jean *self)
{
    sparse_joints *joints = &self->sparse.joints;
    const carom_state *state = &self->stepper.state;
    sparse_joints_rows(joints, state->t, state->q);
    memcpy(self->sparse.row_old, joints->row_entry,
           (size_t)carom_sparse_entries(joints->rows) * sizeof(double));
}

/* The share of this stiffness that is taken. Rods under pressure have a negative one: with contacts, whose problem asks for a
 * positive definite matrix, so much that no diagonal entry loses more than a quarter. */
static double share_of_stiffness(const moreau_jean *self)
{
    const jean_sparse *sparse = &self->sparse;
    const carom_sparse *pattern = &sparse->newton.pattern;
    double share = 1.0;
    for (int j = 0; self->active_count > 0 && j < pattern->columns; j++) {
        const int place = carom_sparse_place(pattern, j, j);
        const double diagonal = sparse->newton.value[place], change = sparse->geometric[place];
        if (-share * change > 0.25 * diagonal)
            share = fmax(-0.25 * diagonal / change, 0.0);
    }
    return share;
}

void moreau_jean_sparse_stiffen(moreau_jean *self)
{
    jean_sparse *sparse = &self->sparse;
    const carom_stepper *stepper = &self->stepper;
    const int entries = carom_sparse_entries(&sparse->newton.pattern);
    const double factor = (1.0 - self->joint_share) * stepper->h * self->theta;
    const carom_motion motion = {
        .t = self->t, .q = self->q, .v = self->v, .a = sparse->zero, .lambda = sparse->lambda};
    memcpy(sparse->lambda, self->joint_now, (size_t)self->joints.count * sizeof *sparse->lambda);
    stepper->model->ops->block(stepper->work, CAROM_BLOCK_STIFFNESS, &motion, sparse->stiffness_entry);
    memset(sparse->geometric, 0, (size_t)entries * sizeof *sparse->geometric);
    for (int k = 0; k < carom_sparse_entries(sparse->stiffness); k++)
        sparse->geometric[sparse->stiffness_place[k]] += factor * sparse->stiffness_entry[k];
    for (int k = 0; k < carom_sparse_entries(sparse->pattern[CAROM_MATRIX_FORCE_BY_Q]); k++)
        sparse->geometric[sparse->place[CAROM_MATRIX_FORCE_BY_Q][k]] +=
            factor * sparse->entry[CAROM_MATRIX_FORCE_BY_Q][k];
    const double share = share_of_stiffness(self);
    for (int k = 0; k < entries; k++)
        sparse->newton.value[k] += share * sparse->geometric[k];
}

/* What is wrong with the matrix at a position; `bad` as sparse_matrix_factor says. */
static carom_status fail_matrix(moreau_jean *self, sparse_joints *joints, const double *q, int bad,
                                carom_error *error)
{
    const long step = step_number(&self->stepper);
    char text[1024];
    if (bad < 0)
        return fail_step(
            error, self->t, step,
            "the derivatives of the joints or of the force, or the mass matrix, have an entry that "
            "is not finite");
    if (sparse_joints_find_dependent(joints, self->t, q, text, sizeof text))
        return fail_step(error, self->t, step,
                         "%s, or change the motion: the mechanism has come to a singular position", text);
    if (!moreau_jean_sparse_mass_is_regular(self))
        return fail_step(
            error, self->t, step,
            "the mass matrix is singular or not finite; no step helps: give every coordinate inertia");
    return fail_step(error, self->t, step,
                     "the equations of the joints are singular: one nearly depends on the others, or "
                     "M + h theta C + h^2 theta^2 K is not positive definite, which a smaller step h mends");
}

/* The rows R, with G_m in row_mean. */
static void choose_rows(moreau_jean *self)
{
    jean_sparse *sparse = &self->sparse;
    sparse_joints *joints = &sparse->joints;
    const carom_motion motion = {.t = self->t, .q = self->q, .v = self->v};
    const double share = self->joint_share, factor = 0.5 * self->stepper.h * self->theta;
    joints->acting = NULL;
    if (!sparse->iterates || self->joints.constant)
        return;
    joints->acting = sparse->row_used;
    sparse_joints_rows(joints, self->t, self->q);
    for (int k = 0; k < carom_sparse_entries(joints->rows); k++) {
        sparse->row_mean[k] = share * sparse->row_old[k] + (1.0 - share) * joints->row_entry[k];
        sparse->row_used[k] = 0.5 * (sparse->row_mean[k] + joints->row_entry[k]);
    }
    self->stepper.model->ops->block(self->stepper.work, CAROM_BLOCK_RATE_BY_Q, &motion, sparse->turn_entry);
    for (int k = 0; k < carom_sparse_entries(sparse->turn); k++)
        if (sparse->turn_place[k] >= 0)
            sparse->row_used[sparse->turn_place[k]] += factor * sparse->turn_entry[k];
}

/* x += (G_m - R)^T r with the impulses r of the iterate before. */
static void add_turn(const moreau_jean *self, double *x)
{
    const jean_sparse *sparse = &self->sparse;
    const carom_sparse *rows = sparse->joints.rows;
    for (int j = 0; j < rows->columns; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
            if (rows->row[k] < self->joints.count)
                x[j] += (sparse->row_mean[k] - sparse->row_used[k]) * self->joint_now[rows->row[k]];
}

/* load = -(G v + g_t) */
static void find_rates(moreau_jean *self, double *load)
{
    sparse_joints *joints = &self->sparse.joints;
    const carom_sparse *rows = joints->rows;
    const carom_motion motion = {.t = self->t, .q = self->q, .v = self->v};
    self->stepper.model->ops->constraints(self->stepper.work, &motion, NULL, joints->rate, NULL);
    for (int k = 0; k < joints->count; k++)
        load[k] = -joints->rate[k];
    for (int j = 0; j < joints->dof; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
            if (rows->row[k] < joints->count)
                load[rows->row[k]] -= joints->row_entry[k] * self->v[j];
}

carom_status moreau_jean_sparse_joints(moreau_jean *self, carom_error *error)
{
    sparse_joints *joints = &self->sparse.joints;
    const int n = joints->dof;
    double *x = self->v_free, *impulse = self->joint_free;
    choose_rows(self);
    const int bad = sparse_joints_factor(joints, self->t, self->q);
    if (bad != 0)
        return fail_matrix(self, joints, self->q, bad, error);
    if (joints->acting)
        add_turn(self, x);
    find_rates(self, impulse);
    sparse_joints_solve(joints, x, impulse);
    for (int i = 0; i < n; i++)
        x[i] += self->v[i];
    for (int k = 0; k < joints->count; k++)
        x[n + k] = -impulse[k];
    if (!carom_all_finite(n, x))
        return fail_not_finite(error, self->t, step_number(&self->stepper), self->stepper.model,
                               self->force_new, x);
    const int first = first_not_finite(joints->count, impulse);
    if (first == joints->count)
        return CAROM_OK;
    return fail_step(error, self->t, step_number(&self->stepper),
                     "the impulse of joint '%s' is %g (its rate in time: %g)",
                     self->stepper.model->joint[first], impulse[first], joints->rate[first]);
}

void moreau_jean_sparse_come_closer(moreau_jean *self, double change)
{
    const bool iterates = self->is_sparse && self->active_count > 0 && !self->joints.constant;
    const double coarseness = coarse_share * change;
    self->sparse.contacts.coarseness = iterates && coarseness > coarseness_least ? coarseness : 0.0;
}

void moreau_jean_sparse_sum_joints(moreau_jean *self)
{
    const double *x = (self->active_count > 0 ? self->v_new : self->v_free) + self->stepper.dof;
    for (int k = 0; k < self->joints.count; k++)
        self->joint_now[k] = -x[k];
    self->sparse.iterates = true;
}

/* ---- contacts that joints hold ------------------------------------------------------------------------------------ */

/* How far a unit impulse would move a contact along its normal if nothing else hung on its coordinates. */
static double alone(const moreau_jean *self, int contact)
{
    const carom_row *row = contact_row(&self->rows, contact, 0);
    const sparse_matrix *newton = &self->sparse.newton;
    double sum = 0.0;
    for (int i = 0; i < row->count; i++) {
        const int j = carom_row_column(row, i);
        sum +=
            row->value[i] * row->value[i] / fabs(newton->value[carom_sparse_place(&newton->pattern, j, j)]);
    }
    return sum;
}

/* x becomes the velocity that an impulse x makes, with what joints answer. */
static void answer(moreau_jean *self, double *x)
{
    memset(self->sparse.joint_load, 0, (size_t)self->joints.count * sizeof *self->sparse.joint_load);
    sparse_joints_solve(&self->sparse.joints, x, self->sparse.joint_load);
}

int moreau_jean_find_held(moreau_jean *self)
{
    const size_t bytes = (size_t)self->stepper.dof * sizeof(double);
    double *all = self->sparse.contacts.moved, *one = self->sparse.contacts.change; /* not yet in use */
    int suspects = 0;
    /* W = H K^-1 H^T has no negative eigenvalue: where a diagonal entry vanishes, all of its row does, which one product
     * with a vector in general position tells. */
    memset(all, 0, bytes);
    for (int k = 0; k < self->active_count; k++)
        if (!self->stepper.model->contact[self->active[k]].friction_force)
            carom_row_add(contact_row(&self->rows, self->active[k], 0), 1.0 + 0.5 * sin(1.0 + 7.0 * k), all);
    answer(self, all);
    for (int k = 0; k < self->active_count && suspects < SUSPECTS_MAX; k++) {
        const int contact = self->active[k];
        const carom_row *row = contact_row(&self->rows, contact, 0);
        const double w = alone(self, contact);
        if (self->stepper.model->contact[contact].friction_force ||
            !(fabs(carom_row_dot(row, all)) <= suspicious_share * w))
            continue;
        suspects++;
        memset(one, 0, bytes);
        carom_row_add(row, 1.0, one);
        answer(self, one);
        if (fabs(carom_row_dot(row, one)) <= held_share * w)
            return contact;
    }
    return -1;
}

/* ---- positions ---------------------------------------------------------------------------------------------------- */

joint_violation moreau_jean_sparse_violation(moreau_jean *self, const double *q, const double *v)
{
    return sparse_joints_violation(&self->sparse.joints, self->t, q, v);
}

carom_status moreau_jean_sparse_project(moreau_jean *self, joint_violation *left, bool *done,
                                        carom_error *error)
{
    jean_sparse *sparse = &self->sparse;
    double *step = sparse->contacts.change; /* not in use between steps */
    sparse_joints_mass(&sparse->projector, self->t, self->q);
    *done = sparse_joints_project(&sparse->projector, self->t, self->q, step, sparse->joint_load, left);
    if (*done || !isfinite(left->ratio) || sparse->projector.matrix.known)
        return CAROM_OK;
    return fail_matrix(self, &sparse->projector, self->q, 1, error);
}
