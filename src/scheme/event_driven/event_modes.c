/* Accelerations and forces in a mode of event-driven, for models with friction or joints:
 *
 *   M a - G^T lambda - sum (n r_N + T r_T) = f,   G a + h = 0
 *   closed   n.a + ... = 0,    stick   T a + ... = 0,    slip   r_T = r_N x,  x the friction of the slip's direction
 *
 * where what rounding leaves of gaps, gap rates and slips of contacts that stick dies out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "event_driven.h"

enum {
    CONTACTS_MAX = 3000 /* matrices are full: 3 x 3 numbers per pair of closed contacts */
};

/* In space a slip that has begun has a direction of its own when it is so much faster than slip_min. Until then it keeps that in which
 * it began, or follows the force which would be needed to stick. */
static const double slip_begun = 4.0, slip_begun_following = 100.0;

/* ---- which models ---------------------------------------------------------------------------------------- */

static bool has_polygon(const carom_contact_info *info)
{
    const carom_friction_law *law = &info->friction;
    return info->tangents == 2 && (law->dynamic_cone.shape == &carom_friction_polygonal ||
                                   (law->two_level && law->static_cone.shape == &carom_friction_polygonal));
}

/* An ellipse without friction along one axis: that slip never ends. */
static bool has_flat_ellipse(const event_driven *self, int contact)
{
    for (int sticking = 0; sticking < 2; sticking++) {
        const carom_planar_set set = event_mode_set(self, contact, sticking != 0);
        if (set.kind == CAROM_PLANAR_ELLIPSE && !(fmin(set.a, set.b) > 0.0))
            return true;
    }
    return false;
}

carom_status event_mode_look_at(event_driven *self, carom_error *error)
{
    const carom_model *model = self->stepper.model;
    char able[200];
    self->general = model->joints > 0;
    for (int contact = 0; contact < model->contacts; contact++) {
        const carom_contact_info *info = &model->contact[contact];
        if (!contact_has_friction(info, &self->motion.rows.frame[contact]) && !info->friction_force)
            continue;
        self->general = true;
        if (has_polygon(info) || has_flat_ellipse(self, contact))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has friction of a set with corners%s, which scheme '%s' does not "
                              "treat; take %s, or an "
                              "ellipse",
                              info->name, has_polygon(info) ? "" : ", an ellipse without width",
                              self->stepper.ops->name, schemes_for_anything(able, sizeof able));
    }
    if (self->general && model->contacts > CONTACTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has %d contacts, and scheme '%s' takes up to %d where there is friction "
                          "or a joint; take "
                          "moreau-jean",
                          model->contacts, self->stepper.ops->name, CONTACTS_MAX);
    return CAROM_OK;
}

bool event_mode_has_begun(event_driven *self, double t, int contact)
{
    const carom_contact_info *info = &self->motion.model->contact[contact];
    char able[200];
    if (self->general || info->constant_frame ||
        !contact_has_friction(info, &self->motion.rows.frame[contact]))
        return false;
    self->motion.fault = MOTION_BAD_LAW;
    self->motion.fault_index = contact;
    fail_step(&self->motion.law, t, step_number(&self->stepper),
              "contact '%s' has friction, which scheme '%s' treats only where it is there from the start: "
              "begin with a "
              "coefficient above 0, be it 1e-12, or take %s",
              info->name, self->stepper.ops->name, schemes_for_anything(able, sizeof able));
    return true;
}

bool event_mode_take(event_driven *self)
{
    event_mode *mode = &self->mode;
    const size_t contacts = self->general ? (size_t)self->stepper.contacts : 0;
    carom_arena *arena = self->stepper.arena;
    double **numbers[] = {&mode->direction, &mode->reference,      &mode->weight,
                          &mode->force,     &self->event_friction, &self->slip_before};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(*numbers[i] = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double))))
            return false;
    unsigned char **bytes[] = {&mode->status, &self->status_before, &self->impact_regime};
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        if (!(*bytes[i] = carom_arena_take(arena, contacts, 1)))
            return false;
    self->friction_guard = carom_arena_take(arena, contacts, sizeof(double));
    self->yielding = carom_arena_take(arena, contacts, sizeof(bool));
    self->stopping = carom_arena_take(arena, contacts, sizeof(bool));
    self->carrying = carom_arena_take(arena, (size_t)self->stepper.dof, sizeof(double));
    mode->closed = self->closed;
    for (int contact = 0; self->general && contact < self->stepper.contacts; contact++)
        if (self->stepper.model->contact[contact].friction_force) {
            self->closed[contact] = true;
            mode->status[contact] = EVENT_STICK;
        }
    return self->friction_guard && self->yielding && self->stopping && self->carrying;
}

/* ---- friction of one contact ------------------------------------------------------------------------------- */

int event_mode_tangents(const event_driven *self, int contact)
{
    const carom_contact_info *info = &self->motion.model->contact[contact];
    return contact_has_friction(info, &self->motion.rows.frame[contact]) ? info->tangents : 0;
}

carom_planar_set event_mode_set(const event_driven *self, int contact, bool sticking)
{
    const carom_contact_info *info = &self->motion.model->contact[contact];
    return carom_friction_law_set(&info->friction, self->motion.rows.frame[contact].coefficients,
                                  info->tangents, sticking);
}

void event_mode_slip(const event_driven *self, int contact, const double *u, double slip[2])
{
    slip[0] = slip[1] = 0.0;
    for (int i = 0; i < self->motion.model->contact[contact].tangents; i++)
        slip[i] = contact_velocity(&self->motion.rows, contact, 1 + i, u);
}

void event_mode_friction(const event_driven *self, int contact, const double slip[2], const double *direction,
                         double x[2])
{
    const carom_contact_info *info = &self->motion.model->contact[contact];
    const double *along = direction ? direction : slip;
    if (info->friction.dynamic_cone.shape == &carom_friction_weakening) {
        const double *c = self->motion.rows.frame[contact].coefficients;
        const carom_weakening law = {.Td = c[0], .Ts = c[1], .vd = c[2]};
        const double sign = along[0] > 0.0 ? 1.0 : -1.0;
        x[0] = -sign * carom_weakening_force(&law, fmax(0.0, sign * slip[0]));
        x[1] = 0.0;
        return;
    }
    const carom_planar_set set = event_mode_set(self, contact, false);
    event_friction_of_slip(&set, info->tangents, along, x);
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* M^-1 times the row, as far as joints let it. */
static void answer(event_driven *self, const carom_row *row, carom_row *response)
{
    if (self->joints.count == 0) {
        mass_factor_answer(&self->motion.mass, row, response);
        return;
    }
    double *none = self->joints.share;
    carom_row_spread(row, self->motion.dof, response->value);
    memset(none, 0, (size_t)self->joints.count * sizeof *none);
    event_joints_solve(self, response->value, none);
}

bool event_mode_row(event_driven *self, int contact, double t, const double *q)
{
    smooth_motion *motion = &self->motion;
    const carom_contact_info *info = &motion->model->contact[contact];
    if (motion->rows.kept[contact])
        return true;
    motion_frame(motion, contact, t, q);
    if (!motion_check_law(motion, &self->stepper, t, contact))
        return false;
    const int last = event_mode_tangents(self, contact);
    for (int k = info->friction_force ? 1 : 0; k <= last; k++) {
        answer(self, contact_row(&motion->rows, contact, k), contact_response(&motion->rows, contact, k));
        const double own = contact_coupling(&motion->rows, contact, k, contact, k);
        if (contact_row_finite(&motion->rows, contact, k) && (own > 0.0 || k > 0))
            continue;
        motion->fault = MOTION_BAD_GAP;
        motion->fault_index = contact;
        return false;
    }
    motion->rows.kept[contact] = motion->mass.constant && info->constant_frame &&
                                 (self->joints.count == 0 || self->joints.system.constant);
    return true;
}

bool event_mode_fill(event_driven *self, int count, const int *list)
{
    event_problem *problem = &self->problem;
    const contact_rows *rows = &self->motion.rows;
    if (!event_problem_make_room(problem, count)) {
        self->motion.fault = MOTION_NO_MEMORY;
        return false;
    }
    problem->count = count;
    const ptrdiff_t width = 3 * (ptrdiff_t)count;
    memset(problem->W, 0, (size_t)(width * width) * sizeof(double));
    memset(problem->c, 0, (size_t)width * sizeof(double));
    for (int k = 0; k < count; k++) {
        problem->contact[k] = list[k];
        problem->tangents[k] = event_mode_tangents(self, list[k]);
        problem->bounded[k] = self->motion.model->contact[list[k]].friction_force;
        problem->moves[k] = false;
    }
    for (int k = 0; k < count; k++)
        for (int i = problem->bounded[k]; i <= problem->tangents[k]; i++)
            for (int l = 0; l < count; l++)
                for (int j = problem->bounded[l]; j <= problem->tangents[l]; j++)
                    problem->W[(3 * k + i) * width + 3 * l + j] =
                        contact_coupling(rows, list[k], i, list[l], j);
    return true;
}

/* Second derivatives of gap and slips along the motion, but for the part of the acceleration; of slips where they count. */
static void find_curvatures(event_driven *self, int contact, bool slips, double t, const double *q,
                            const double *u, double curvature[CAROM_CONTACT_COMPONENTS])
{
    const bool exact = self->joints.curvature;
    memset(curvature, 0, CAROM_CONTACT_COMPONENTS * sizeof *curvature);
    if (self->motion.model->contact[contact].constant_frame)
        return;
    if (slips || !exact)
        motion_curvatures(&self->motion, contact, t, q, u, curvature);
    if (exact)
        curvature[0] = self->joints.curvature[self->joints.count + contact];
}

void event_mode_fill_accelerations(event_driven *self, bool all, double t, const double *q, const double *u)
{
    event_problem *problem = &self->problem;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        const bool counts = problem->tangents[k] > 0 && (all || self->mode.status[contact] == EVENT_STICK ||
                                                         self->mode.status[contact] == EVENT_START);
        double curvature[CAROM_CONTACT_COMPONENTS];
        find_curvatures(self, contact, counts, t, q, u, curvature);
        for (int i = problem->bounded[k]; i <= problem->tangents[k]; i++)
            problem->c[3 * k + i] =
                carom_row_dot(contact_row(&self->motion.rows, contact, i), self->motion.acceleration) +
                curvature[i];
    }
}

/* ---- the mode ------------------------------------------------------------------------------------------------ */

bool event_mode_fault(event_driven *self, event_problem_end end)
{
    self->motion.fault = end == EVENT_PROBLEM_PAINLEVE ? MOTION_PAINLEVE : MOTION_DEPENDENT;
    self->motion.fault_index = self->problem.bad;
    return false;
}

bool event_mode_accelerate_free(event_driven *self, double t, const double *q, const double *u)
{
    smooth_motion *motion = &self->motion;
    event_joints *joints = &self->joints;
    if (!motion_accelerate(motion, t, q, u) || !event_joints_prepare(self, t, q))
        return false;
    memcpy(self->carrying, motion->force, (size_t)motion->dof * sizeof(double));
    if (joints->curvature)
        event_joints_offset(self, t, q, u);
    if (joints->count == 0)
        return true;
    memcpy(motion->acceleration, motion->force, (size_t)motion->dof * sizeof(double));
    for (int k = 0; k < joints->count; k++)
        joints->reaction[k] = -joints->offset[k];
    event_joints_solve(self, motion->acceleration, joints->reaction);
    return true;
}

/* A slip that begins where friction has come to its bound, and accelerations to nothing yet. Its direction follows that of the force
 * which would hold it so fast, at the rate mu N / (m |slip|), that it is taken to be there: else that would be stiff, and what
 * the direction is off by at first would stay in the motion. */
static bool follows(const event_driven *self, int k)
{
    const double *direction = self->mode.direction + 2 * self->problem.contact[k];
    return self->problem.tangents[k] == 2 && self->mode.status[self->problem.contact[k]] == EVENT_START &&
           direction[0] == 0.0 && direction[1] == 0.0;
}

/* Statuses of the mode, friction of those that slip, and what makes errors die out. */
static void pose_mode(event_driven *self, const double *u)
{
    event_problem *problem = &self->problem;
    const event_mode *mode = &self->mode;
    const double b = event_driven_drift(self);
    problem->redundant = mode->redundant;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        const int tangents = problem->tangents[k];
        double slip[2], *c = problem->c + 3 * k;
        event_mode_slip(self, contact, u, slip);
        problem->status[k] = tangents == 0 ? EVENT_FRICTIONLESS : mode->status[contact];
        if (event_slips(problem->status[k]) && !follows(self, k)) {
            const bool given = tangents == 1 || problem->status[k] == EVENT_START;
            event_mode_friction(self, contact, slip, given ? mode->direction + 2 * contact : NULL,
                                problem->x + 2 * k);
        }
        if (!problem->bounded[k])
            c[0] += 2.0 * b * contact_velocity(&self->motion.rows, contact, 0, u) +
                    b * b * self->motion.gap[contact];
        for (int i = 0; problem->status[k] == EVENT_STICK && i < tangents; i++)
            c[1 + i] += b * slip[i];
        for (int i = 0; mode->redundant && i < 3; i++) {
            problem->reference[3 * k + i] = mode->reference[3 * contact + i];
            problem->weight[3 * k + i] = mode->weight[3 * contact + i];
        }
    }
}

/* Friction of such slips, from the forces with which they would stick. */
static event_problem_end find_following(event_driven *self)
{
    event_problem *problem = &self->problem;
    bool any = false;
    for (int k = 0; k < problem->count; k++)
        if (follows(self, k)) {
            problem->status[k] = EVENT_STICK;
            any = true;
        }
    const event_problem_end end = any ? event_problem_solve(problem) : EVENT_PROBLEM_SOLVED;
    for (int k = 0; any && k < problem->count; k++) {
        if (!follows(self, k))
            continue;
        const double against[2] = {-problem->r[3 * k + 1], -problem->r[3 * k + 2]}, none[2] = {0.0, 0.0};
        problem->status[k] = EVENT_START;
        if (against[0] != 0.0 || against[1] != 0.0)
            event_mode_friction(self, problem->contact[k], none, against, problem->x + 2 * k);
    }
    return end;
}

/* Forces of the problem become those of the mode, and act. */
static void take_forces(event_driven *self)
{
    const event_problem *problem = &self->problem;
    const contact_rows *rows = &self->motion.rows;
    event_joints *joints = &self->joints;
    for (int k = 0; k < problem->count; k++) {
        const int contact = problem->contact[k];
        double *force = self->mode.force + 3 * contact;
        self->lambda[contact] = problem->r[3 * k];
        for (int i = 0; i <= problem->tangents[k]; i++) {
            force[i] = problem->bounded[k] && i == 0 ? 0.0 : problem->r[3 * k + i];
            if (force[i] == 0.0)
                continue;
            carom_row_add(contact_response(rows, contact, i), force[i], self->motion.acceleration);
            if (joints->count > 0)
                carom_row_add(contact_row(rows, contact, i), force[i], self->carrying);
        }
    }
    if (joints->count == 0 || problem->count == 0)
        return;
    memcpy(self->motion.acceleration, self->carrying, (size_t)self->motion.dof * sizeof(double));
    for (int k = 0; k < joints->count; k++)
        joints->reaction[k] = -joints->offset[k];
    event_joints_solve(self, self->motion.acceleration, joints->reaction);
}

bool event_mode_accelerate(event_driven *self, double t, const double *q, const double *u)
{
    smooth_motion *motion = &self->motion;
    const size_t contacts = (size_t)motion->contacts;
    if (!event_mode_accelerate_free(self, t, q, u))
        return false;
    memset(self->lambda, 0, contacts * sizeof *self->lambda);
    memset(self->mode.force, 0, CAROM_CONTACT_COMPONENTS * contacts * sizeof *self->mode.force);
    self->count = 0;
    for (int contact = 0; contact < motion->contacts; contact++)
        if (self->closed[contact])
            self->list[self->count++] = contact;
    self->problem.count = 0;
    if (self->count == 0)
        return true;
    if (!event_driven_gaps(self, t, q))
        return false;
    for (int a = 0; a < self->count; a++)
        if (!event_mode_row(self, self->list[a], t, q))
            return false;
    if (!event_mode_fill(self, self->count, self->list))
        return false;
    event_mode_fill_accelerations(self, false, t, q, u);
    pose_mode(self, u);
    event_problem_end end = find_following(self);
    if (end == EVENT_PROBLEM_SOLVED)
        end = event_problem_solve(&self->problem);
    if (end != EVENT_PROBLEM_SOLVED)
        return event_mode_fault(self, end);
    take_forces(self);
    return true;
}

double event_mode_root(const event_driven *self, int contact, const double *u)
{
    const event_mode *mode = &self->mode;
    const int tangents = event_mode_tangents(self, contact);
    if ((mode->status[contact] == EVENT_FRICTIONLESS) != (tangents == 0))
        return -1.0; /* friction has come, or gone */
    if (tangents == 0)
        return 1.0;
    if (mode->status[contact] == EVENT_STICK) {
        double force[3] = {self->lambda[contact], mode->force[3 * contact + 1], mode->force[3 * contact + 2]};
        const carom_planar_set set = event_mode_set(self, contact, true);
        return event_friction_margin(&set, tangents, force) + self->friction_guard[contact];
    }
    double slip[2];
    event_mode_slip(self, contact, u, slip);
    if (tangents == 1)
        return mode->direction[2 * contact] * slip[0] + self->friction_guard[contact];
    const double speed = hypot(slip[0], slip[1]);
    if (mode->status[contact] != EVENT_START)
        return speed - self->slip_min;
    const double *direction = mode->direction + 2 * contact, *force = mode->force + 3 * contact + 1;
    if (direction[0] != 0.0 || direction[1] != 0.0)
        return slip_begun * self->slip_min - speed;
    /* or backwards: along its friction */
    const double size = hypot(force[0], force[1]);
    const double back = size > 0.0 ? (force[0] * slip[0] + force[1] * slip[1]) / size : 0.0;
    return fmin(slip_begun_following * self->slip_min - speed, self->slip_min - back);
}

double event_mode_power(const event_driven *self, const double *velocity)
{
    const contact_rows *rows = &self->motion.rows;
    double power = 0.0;
    for (int contact = 0; contact < self->motion.contacts; contact++)
        for (int i = 0; self->closed[contact] && i <= event_mode_tangents(self, contact); i++)
            if (self->mode.force[3 * contact + i] != 0.0)
                power += self->mode.force[3 * contact + i] *
                         carom_row_dot(contact_row(rows, contact, i), velocity);
    return power;
}
