/* Joints in moreau-jean. Like other forces they act at both ends of the step, with one impulse r:
 *
 *   M (v - v_n) = ... + ((1 - theta) G_n + theta G)^T r,   G v + g_t = 0,
 *
 * with rows G_n at the start and G at the end. For theta = 1/2 and G_n v_n = 0 the step is symmetric in time: of
 * second order, and a rod that turns keeps its speed and its length. Along G alone (joints=end, as published)
 * impulses brake: they work against v + v_n, and the speed falls by the factor cos(h omega) in each step.
 *
 * In each Newton iteration the impulses are eliminated: with the Newton matrix H, rows G at the iterate q,
 * S = G H^-1 G^T and the impulses r_k of the iterate before,
 *
 *   v_free' = v_free + (1 - theta) H^-1 (G_n - G)^T r_k,
 *   v_free'' = v_free' - H^-1 G^T S^-1 (G v_free' + g_t),
 *   response' = H^-1 w - H^-1 G^T S^-1 G H^-1 w              of a contact's row w,
 *
 * so that the contact problems are those of a system without joints, and symmetric. */
#include "moreau_jean.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool moreau_jean_joints_take(moreau_jean *self)
{
    const size_t joints = (size_t)self->stepper.model->joints, contacts = (size_t)self->stepper.contacts;
    carom_arena *arena = self->stepper.arena;
    self->joint_free = carom_arena_take(arena, joints, sizeof(double));
    self->joint_now = carom_arena_take(arena, joints, sizeof(double));
    self->joint_impulse = carom_arena_take(arena, joints, sizeof(double));
    self->stepper.state.reaction = self->joint_impulse;
    if (!self->joint_free || !self->joint_now || !self->joint_impulse)
        return false;
    if (self->is_sparse) {
        joint_system_look_at(&self->joints, self->stepper.work);
        return joints == 0 || moreau_jean_sparse_joints_take(self);
    }
    self->joint_turn = carom_arena_take(arena, (size_t)self->stepper.dof, sizeof(double));
    self->joint_row_old = carom_arena_take(arena, joints * (size_t)self->stepper.dof, sizeof(double));
    self->joint_coupling =
        carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts * joints, sizeof(double));
    if (!self->joint_turn || !self->joint_row_old || !self->joint_coupling ||
        !joint_system_take(&self->joints, arena, self->stepper.work))
        return false;
    return !self->projection || (joint_system_take(&self->projector, arena, self->stepper.work) &&
                                 newton_matrix_take(&self->projector_mass, arena, self->stepper.dof));
}

/* What is wrong with the rows at the iterate; `dependent` as joint_system_prepare says. */
static carom_status fail_rows(moreau_jean *self, joint_system *joints, int dependent, carom_error *error)
{
    char text[1024];
    if (dependent < 0)
        return fail_step(error, self->t, step_number(&self->stepper),
                         "the derivatives of the joints are not finite numbers");
    if (joint_system_find_dependent(joints, text, sizeof text))
        return fail_step(error, self->t, step_number(&self->stepper),
                         "%s, or change the motion: the mechanism has come to a singular position", text);
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "the equations of the joints are singular at joint '%s': it nearly depends on the others, or "
        "M + h theta C + h^2 theta^2 K is not positive definite, which a smaller step h mends",
        self->stepper.model->joint[dependent - 1]);
}

void moreau_jean_begin_joints(moreau_jean *self)
{
    joint_system *joints = &self->joints;
    const carom_state *state = &self->stepper.state;
    self->sparse.contacts.continues = self->sparse.iterates = false;
    moreau_jean_sparse_come_closer(self, 1.0);
    if (joints->constant || (self->joint_share == 0.0 && !self->is_sparse))
        return;
    if (self->is_sparse) {
        moreau_jean_sparse_begin_joints(self);
    } else {
        joint_system_rows(joints, state->t, state->q);
        memcpy(self->joint_row_old, joints->row, (size_t)(joints->count * joints->dof) * sizeof(double));
    }
    memset(self->joint_now, 0, (size_t)joints->count * sizeof(double));
}

/* v_free + (1 - theta) H^-1 (G_n - G)^T r with the impulses r of the iterate before. */
static void add_turn(moreau_jean *self)
{
    const joint_system *joints = &self->joints;
    const int n = joints->dof;
    double *turn = self->joint_turn;
    memset(turn, 0, (size_t)n * sizeof *turn);
    for (int k = 0; k < joints->count; k++) {
        const double push = self->joint_share * self->joint_now[k];
        carom_axpy(n, push, self->joint_row_old + (ptrdiff_t)k * n, turn);
        carom_axpy(n, -push, joints->row + (ptrdiff_t)k * n, turn);
    }
    newton_matrix_solve(&self->newton, turn);
    carom_axpy(n, 1.0, turn, self->v_free);
}

carom_status moreau_jean_joints(moreau_jean *self, carom_error *error)
{
    joint_system *joints = &self->joints;
    bool changed = false;
    if (self->is_sparse)
        return moreau_jean_sparse_joints(self, error);
    const int dependent = joint_system_prepare(joints, &self->newton, self->t, self->q, &changed);
    if (dependent != 0)
        return fail_rows(self, joints, dependent, error);
    if (changed) /* responses of contacts are not what they were */
        memset(self->rows.kept, 0, (size_t)self->stepper.contacts * sizeof *self->rows.kept);
    if (!joints->constant && self->joint_share > 0.0)
        add_turn(self);
    joint_system_rates(joints, self->t, self->q);
    joint_system_eliminate(joints, joints->rate, self->v_free);
    memcpy(self->joint_free, joints->impulse, (size_t)joints->count * sizeof(double));
    const int bad = first_not_finite(joints->count, joints->impulse);
    if (bad == joints->count)
        return CAROM_OK;
    return fail_step(error, self->t, step_number(&self->stepper),
                     "the impulse of joint '%s' is %g (its rate in time: %g)",
                     self->stepper.model->joint[bad], joints->impulse[bad], joints->rate[bad]);
}

static double *coupling_of(const moreau_jean *self, int contact, int component)
{
    return self->joint_coupling +
           (ptrdiff_t)(CAROM_CONTACT_COMPONENTS * contact + component) * self->joints.count;
}

bool moreau_jean_joints_answer(moreau_jean *self, int contact, int component)
{
    const carom_row *row = contact_row(&self->rows, contact, component);
    double *response = contact_response(&self->rows, contact, component)->value;
    const double alone = carom_row_dot(row, response);
    joint_system_eliminate(&self->joints, NULL, response);
    memcpy(coupling_of(self, contact, component), self->joints.impulse,
           (size_t)self->joints.count * sizeof(double));
    return !(alone > 0.0) || fabs(carom_row_dot(row, response)) > 1e-12 * alone;
}

void moreau_jean_sum_joints(moreau_jean *self)
{
    const int count = self->joints.count;
    if (self->is_sparse) {
        moreau_jean_sparse_sum_joints(self);
        return;
    }
    memcpy(self->joint_now, self->joint_free, (size_t)count * sizeof(double));
    for (int k = 0; k < self->active_count; k++) {
        const int contact = self->active[k];
        const carom_contact_info *info = &self->stepper.model->contact[contact];
        for (int i = moreau_jean_first_component(info); i < contact_components(info); i++)
            carom_axpy(count, moreau_jean_impulse(self, k, i), coupling_of(self, contact, i),
                       self->joint_now);
    }
}

void moreau_jean_describe_joints(moreau_jean *self, char *text, size_t size)
{
    moreau_jean_move(self, 1.0, self->q);
    const joint_violation worst = self->is_sparse
                                      ? moreau_jean_sparse_violation(self, self->q, self->v)
                                      : joint_system_violation(&self->joints, self->t, self->q, self->v);
    snprintf(text, size, ", and joint '%.200s' is left with a rate of %g",
             self->stepper.model->joint[worst.joint], worst.value);
}

/* Of a model that is not sparse. */
static carom_status project_full(moreau_jean *self, joint_violation *left, bool *done, carom_error *error)
{
    int dependent = 0;
    if (!self->stepper.model->constant_mass || !self->projector_mass.factored) {
        self->stepper.model->ops->mass(self->stepper.work, self->t, self->q,
                                       self->by_q); /* not in use between steps */
        if (newton_matrix_factor(&self->projector_mass, self->by_q) != 0)
            return fail_step(error, self->t, step_number(&self->stepper),
                             "projection: the mass matrix is singular or not finite");
    }
    *done = joint_system_project(&self->projector, &self->projector_mass, self->t, self->q, left, &dependent);
    return *done || dependent == 0 ? CAROM_OK : fail_rows(self, &self->projector, dependent, error);
}

carom_status moreau_jean_project(moreau_jean *self, carom_error *error)
{
    joint_violation left;
    bool done = false;
    moreau_jean_move(self, 1.0, self->q);
    const carom_status status = self->is_sparse ? moreau_jean_sparse_project(self, &left, &done, error)
                                                : project_full(self, &left, &done, error);
    self->force_known = self->stepper.model->constant_force; /* what is known is that before the projection */
    if (status != CAROM_OK || done)
        return status;
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "projection: joint '%s' is left with a value of %g; a smaller step h helps, unless the joints "
        "leave no position at this time",
        self->stepper.model->joint[left.joint], left.value);
}
