/* Joints of a sparse model in moreau-jean: the equations of jean_joints.c, with nothing of joints x coordinates. A Newton
 * iteration is one sparse matrix of the Newton matrix H and of the rows G (sparse_joints),
 *
 *   H dv - G^T r = h f_theta - M (v - v_n) + (1 - theta) (G_n - G)^T r_k,
 *   G dv         = -(G v + g_t),                                             v_free = v + dv,
 *
 * and the contact problem has the same matrix with what contacts add to H: it finds v and the impulses of joints
 * together (global_contacts). v_free and v_new have these impulses, with a minus, behind the velocities. */
#include <math.h>
#include <string.h>

#include "moreau_jean.h"

/* Share of what its masses alone would allow: a contact that moves by less is held by joints. */
static const double held_share = 1e-12;
/* ... and that may be held, by the response to all contacts at once. */
static const double suspicious_share = 1e-5;
enum {
    SUSPECTS_MAX = 32
};

bool moreau_jean_sparse_joints_take(moreau_jean *self)
{
    carom_arena *arena = self->stepper.arena;
    jean_sparse *sparse = &self->sparse;
    const size_t count = (size_t)self->stepper.model->joints;
    if (!sparse_joints_take_beside(&sparse->joints, arena, self->stepper.work, &sparse->newton.pattern))
        return false;
    const size_t entries = (size_t)carom_sparse_entries(sparse->joints.rows);
    sparse->row_old = carom_arena_take(arena, entries, sizeof(double));
    sparse->joint_load = carom_arena_take(arena, count, sizeof(double));
    return sparse->row_old && sparse->joint_load &&
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

/* What is wrong with the matrix at a position; `bad` as sparse_matrix_factor says. */
static carom_status fail_matrix(moreau_jean *self, sparse_joints *joints, const double *q, int bad,
                                carom_error *error)
{
    const long step = step_number(&self->stepper);
    char text[1024];
    if (bad < 0)
        return fail_step(error, self->t, step,
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

/* x += (1 - theta) (G_n - G)^T r with the impulses r of the iterate before. */
static void add_turn(const moreau_jean *self, double *x)
{
    const sparse_joints *joints = &self->sparse.joints;
    const carom_sparse *rows = joints->rows;
    for (int j = 0; j < joints->dof; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
            if (rows->row[k] < joints->count)
                x[j] += self->joint_share * self->joint_now[rows->row[k]] *
                        (self->sparse.row_old[k] - joints->row_entry[k]);
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
    const int bad = sparse_joints_factor(joints, self->t, self->q);
    if (bad != 0)
        return fail_matrix(self, joints, self->q, bad, error);
    if (!self->joints.constant && self->joint_share > 0.0)
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

void moreau_jean_sparse_sum_joints(moreau_jean *self)
{
    const double *x = (self->active_count > 0 ? self->v_new : self->v_free) + self->stepper.dof;
    for (int k = 0; k < self->joints.count; k++)
        self->joint_now[k] = -x[k];
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
        sum += row->value[i] * row->value[i] /
               fabs(newton->value[carom_sparse_place(&newton->pattern, j, j)]);
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
    double *all = self->v_new, *one = self->sparse.contacts.change; /* not yet in use */
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
