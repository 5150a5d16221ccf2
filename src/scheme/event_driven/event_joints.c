/* Joints of event-driven. They hold at the level of accelerations, where what rounding and the integration leave of their values
 * and rates dies out, as of closed contacts:
 *
 *   M a - G^T lambda = f,   g'' + 2 b g' + b^2 g = 0,   g'' = G a + h
 *
 * Contacts see what joints leave of the motion: their responses are those of the system with joints, so that forces and
 * impulses of contacts are found as without them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "event_driven.h"
#include "scheme/parts/joints_start.h"

carom_status event_joints_take(event_driven *self, carom_error *error)
{
    event_joints *joints = &self->joints;
    carom_stepper *stepper = &self->stepper;
    const carom_model *model = stepper->model;
    carom_arena *arena = stepper->arena;
    const size_t count = (size_t)model->joints, constraints = count + (size_t)model->contacts;
    joints->count = model->joints;
    if (!self->general || !model->ops->constraints)
        return CAROM_OK;
    double **of_joints[] = {&joints->reaction, &joints->impulse, &joints->carried,
                            &joints->recorded, &joints->offset,  &joints->share};
    double **of_constraints[] = {&joints->value, &joints->rate, &joints->curvature};
    for (size_t i = 0; i < sizeof of_joints / sizeof *of_joints; i++)
        if (!(*of_joints[i] = carom_arena_take(arena, count, sizeof(double))))
            return carom_fail_memory(error);
    for (size_t i = 0; i < sizeof of_constraints / sizeof *of_constraints; i++)
        if (!(*of_constraints[i] = carom_arena_take(arena, constraints, sizeof(double))))
            return carom_fail_memory(error);
    if (count == 0)
        return CAROM_OK;
    stepper->state.reaction = joints->recorded;
    joints->is_sparse = carom_model_is_sparse(model);
    if (joints->is_sparse) {
        joint_system_look_at(&joints->system, stepper->work);
        if (!sparse_joints_take(&joints->sparse, arena, stepper->work))
            return carom_fail_memory(error);
        joints->sparse.scales = stepper->scales;
        return CAROM_OK;
    }
    char what[200];
    carom_format(what, sizeof what, "joint '%s'", model->joint[0]);
    if (!joint_system_take(&joints->system, arena, stepper->work))
        return carom_fail_memory(error);
    joints->system.scales = stepper->scales;
    return start_mass_take(&joints->mass, arena, model, what, error);
}

void event_joints_free(event_driven *self)
{
    sparse_joints_free(&self->joints.sparse);
}

carom_status event_joints_start(event_driven *self, bool project, carom_error *error)
{
    carom_stepper *stepper = &self->stepper;
    carom_state *state = &stepper->state;
    return joints_prepare_start(stepper->work, state->t, project, state->q, state->v, &stepper->warnings,
                                error);
}

/* Which joint depends on the others, for the text. */
static bool fault(event_driven *self, double t, const double *q, int bad)
{
    event_joints *joints = &self->joints;
    smooth_motion *motion = &self->motion;
    char text[sizeof motion->law.text - 100];
    motion->fault = MOTION_BAD_JOINTS;
    if (bad >= 0 &&
        (joints->is_sparse ? sparse_joints_find_dependent(&joints->sparse, t, q, text, sizeof text)
                           : joint_system_find_dependent(&joints->system, text, sizeof text)))
        carom_fail(&motion->law, CAROM_FAILED,
                   "%s, or change the motion: the mechanism has come to a singular position", text);
    else
        carom_fail(&motion->law, CAROM_FAILED, "the equations of the joints are %s",
                   bad < 0 ? "not finite numbers" : "singular: a joint nearly depends on the others");
    return false;
}

bool event_joints_prepare(event_driven *self, double t, const double *q)
{
    event_joints *joints = &self->joints;
    bool changed = true;
    if (joints->count == 0)
        return true;
    int bad = 0;
    if (joints->is_sparse) {
        bad = sparse_joints_factor(&joints->sparse, t, q);
    } else {
        bad = start_mass_factor(&joints->mass, self->stepper.work, t, q) != 0
                  ? -1
                  : joint_system_prepare(&joints->system, &joints->mass.newton, t, q, &changed);
    }
    if (bad != 0)
        return fault(self, t, q, bad);
    if (changed)
        memset(self->motion.rows.kept, 0, (size_t)self->motion.contacts * sizeof *self->motion.rows.kept);
    return true;
}

void event_joints_solve(event_driven *self, double *x, double *p)
{
    event_joints *joints = &self->joints;
    if (joints->is_sparse) {
        sparse_joints_solve(&joints->sparse, x, p);
        return;
    }
    newton_matrix_solve(&joints->mass.newton, x);
    for (int k = 0; k < joints->count; k++)
        p[k] = -p[k];
    joint_system_eliminate(&joints->system, p, x);
    memcpy(p, joints->system.impulse, (size_t)joints->count * sizeof *p);
}

/* G v of a joint. */
static double rate_of(const event_joints *joints, int joint, const double *v)
{
    return carom_dot(joints->system.dof, joints->system.row + (ptrdiff_t)joint * joints->system.dof, v);
}

static void add_sparse_rates(event_joints *joints, const double *v)
{
    const carom_sparse *rows = joints->sparse.rows;
    for (int j = 0; j < rows->columns; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
            if (rows->row[k] < joints->count)
                joints->rate[rows->row[k]] += joints->sparse.row_entry[k] * v[j];
}

/* Values, and rates G u + g_t. */
static void find_violations(event_driven *self, double t, const double *q, const double *u)
{
    event_joints *joints = &self->joints;
    const carom_motion motion = {.t = t, .q = q, .v = u};
    self->motion.ops.constraints(self->stepper.work, &motion, joints->value, joints->rate, NULL);
    if (joints->is_sparse)
        add_sparse_rates(joints, u);
    for (int k = 0; !joints->is_sparse && k < joints->count; k++)
        joints->rate[k] += rate_of(joints, k, u);
}

/* x += the shortest change, in the kinetic metric, of which G x is -violation. */
static void take_out(event_driven *self, const double *violation, double *x)
{
    event_joints *joints = &self->joints;
    double *change = self->carrying;
    memset(change, 0, (size_t)self->motion.dof * sizeof *change);
    for (int k = 0; k < joints->count; k++)
        joints->share[k] = -violation[k];
    event_joints_solve(self, change, joints->share);
    carom_axpy(self->motion.dof, 1.0, change, x);
}

bool event_joints_put_back(event_driven *self, double allowed, double *q, double *u)
{
    event_joints *joints = &self->joints;
    if (joints->count == 0 || !event_joints_prepare(self, self->t, q))
        return false;
    find_violations(self, self->t, q, u);
    if (carom_largest(joints->count, joints->value) <= allowed * self->stepper.scales.length &&
        carom_largest(joints->count, joints->rate) <= 10.0 * allowed * event_driven_speed(self))
        return false;
    take_out(self, joints->value, q); /* what is left is of second order */
    if (!event_joints_prepare(self, self->t, q))
        return false;
    find_violations(self, self->t, q, u);
    take_out(self, joints->rate, u);
    return true;
}

void event_joints_offset(event_driven *self, double t, const double *q, const double *u)
{
    event_joints *joints = &self->joints;
    const carom_motion motion = {.t = t, .q = q, .v = u};
    const double b = event_driven_drift(self);
    self->motion.ops.constraints(self->stepper.work, &motion, joints->value, joints->rate, joints->curvature);
    for (int k = 0; k < joints->count; k++)
        joints->offset[k] = joints->rate[k]; /* g_t */
    if (joints->is_sparse)
        add_sparse_rates(joints, u);
    for (int k = 0; k < joints->count; k++) {
        if (!joints->is_sparse)
            joints->rate[k] += rate_of(joints, k, u);
        const double time_rate = joints->offset[k];
        joints->offset[k] = joints->curvature[k] + 2.0 * b * joints->rate[k] + b * b * joints->value[k];
        joints->rate[k] = time_rate;
    }
}

double event_joints_power(event_driven *self)
{
    const event_joints *joints = &self->joints;
    double power = 0.0;
    for (int k = 0; k < joints->count; k++)
        power -= joints->reaction[k] * joints->rate[k]; /* G v = -g_t */
    return power;
}
