/* Works of forces, contacts and joints, from the outputs of a run. */
#include "certifier.h"

#include <string.h>

#include "carom/linalg.h"

enum {
    POWER_EVERY_MAX =
        64,           /* the power at least every so many steps, and where contacts begin or cease to push */
    LOAD_EVERY = 8,   /* the load of a structure */
    JOINTS_EVERY = 8, /* joints that rest */
    STEPS_TO_STAY =
        3 /* a contact that pushes in so many steps in a row stays closed: no impact takes more than two */
};

/* Second difference of three looks at the power, of the largest: less than the first, and looks become rarer; more than
 * the second, and they become denser. */
static const double power_bend_small = 0.01, power_bend_large = 0.05;
/* Shares of the largest displacement so far: a drift above the first is near a doubt, one below the second is rounding. */
static const double joints_near = 0.2 * CERTIFIER_DRIFT_DOUBT, drift_rounding = 1e-13;
/* The impulse of a contact that stays closed, of the one in the step before: more is an impact, or a kink of the path. */
static const double steady_growth = 2.0;

/* ---- contacts ---------------------------------------------------------------------------------------- */

static bool pushes(const carom_state *state, int contact)
{
    return contact >= 0 && state->regime[contact] != CAROM_CONTACT_OPEN;
}

/* Work of a linear structure's contact: its row is short. */
static double structure_work(const certifier *self, const carom_state *state, const double *impulse)
{
    const carom_structure *structure = self->model->ops->structure(self->work);
    double work = 0.0;
    for (int row = 0; row < structure->rows; row++) {
        const int lower = structure->lower_contact[row], upper = structure->upper_contact[row];
        double push = 0.0, rate = 0.0;
        if (pushes(state, lower))
            push += impulse[CAROM_CONTACT_COMPONENTS * lower];
        if (pushes(state, upper))
            push -= impulse[CAROM_CONTACT_COMPONENTS * upper];
        if (push == 0.0)
            continue;
        for (int k = structure->row_start[row]; k < structure->row_start[row + 1]; k++)
            rate += structure->entry[k] * (self->u0[structure->column[k]] + self->u1[structure->column[k]]);
        work += 0.5 * push * rate;
    }
    return work;
}

/* Work of one impulse along a row; *gained: what it does relative to the partner, which no law may make positive. */
static double row_work(const certifier *self, double impulse, const carom_row *row, double rate,
                       double *gained)
{
    if (impulse == 0.0)
        return 0.0;
    const double velocity = certifier_mean_rate(row, self->u0, self->u1);
    double relative = velocity + rate;
    if (self->model->moving_frame)
        relative -= carom_row_dot(row, self->carrier);
    *gained += impulse * relative;
    return impulse * velocity;
}

/* Has the contact been closed for some steps? */
static bool stays_closed(certifier *self, int contact, double before, double impulse)
{
    int *pushes = &self->pushes[contact];
    *pushes = !(before > 0.0 && impulse <= steady_growth * before) ? 1
              : *pushes < STEPS_TO_STAY                            ? *pushes + 1
                                                                   : STEPS_TO_STAY;
    return *pushes == STEPS_TO_STAY;
}

/* Of one that stays closed: what its partner does and friction. */
static double contact_work(const certifier *self, int contact, const carom_contact_frame *frame,
                           const double *impulse, bool stays, double *gained)
{
    double along_normal = 0.0;
    double work = row_work(self, impulse[0], &frame->normal, frame->normal_rate, &along_normal);
    if (stays)
        work -= along_normal;
    else
        *gained += along_normal;
    for (int k = 0; k < self->model->contact[contact].tangents && k < 2; k++)
        work += row_work(self, impulse[1 + k], &frame->tangent[k], frame->tangent_rate[k], gained);
    return work;
}

/* The impulses of a step did so much; the contact that was pushed hardest, where this begins a spell. */
static void add_to_spell(certifier *self, double t, double work, double gained, int hardest)
{
    if (self->spell_contact < 0) {
        self->spell_contact = hardest;
        self->spell_time = t;
        self->spell = 0.0;
    }
    self->found.contacts += work;
    self->moved += fabs(gained);
    self->spell += gained;
}

/* Of friction forces alone, which act in every step: no normals, no impacts. */
static void add_friction_works(certifier *self, const carom_stepper *stepper, const double *row)
{
    const double *p = row + self->layout.impulse;
    const int contacts = self->layout.contacts;
    double sum = 0.0, gained = 0.0;
    for (int contact = 0; contact < contacts; contact++, p += CAROM_CONTACT_COMPONENTS) {
        if (p[1] == 0.0 && p[2] == 0.0)
            continue;
        const carom_contact_frame *frame =
            stepper->frame ? &stepper->frame[contact] : carom_stepper_frame(stepper, contact, &self->frame);
        sum += row_work(self, p[1], &frame->tangent[0], frame->tangent_rate[0], &gained);
        if (p[2] != 0.0)
            sum += row_work(self, p[2], &frame->tangent[1], frame->tangent_rate[1], &gained);
    }
    add_to_spell(self, row[0], sum, gained, 0);
}

static void add_contact_works(certifier *self, const carom_stepper *stepper, const double *before,
                              const double *row)
{
    if (!self->obstacles) {
        add_friction_works(self, stepper, row);
        return;
    }
    const double *impulse = row + self->layout.impulse, *impulse_before = before + self->layout.impulse;
    const bool in_steps =
        !(stepper->ops->abilities & CAROM_SCHEME_OWN_STEPS); /* an impact takes one or two */
    if (self->model->ops->structure) {
        const double work = structure_work(self, &stepper->state, impulse);
        self->found.contacts += work;
        self->moved += fabs(work);
        return;
    }
    /* A law's impact has works of its own; the rest of the step begins with the velocity after it. */
    const carom_law_impact *struck =
        stepper->struck.velocity && !self->model->moving_frame ? &stepper->struck : NULL;
    double sum = struck ? struck->work : 0.0, gained = struck ? struck->gained : 0.0, largest = -1.0;
    int hardest = 0;
    if (struck)
        self->u0 = struck->velocity;
    for (int contact = 0; contact < self->layout.contacts; contact++) {
        const double *p = impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * contact;
        if (p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0)
            continue;
        const double rest[CAROM_CONTACT_COMPONENTS] = {p[0] - (struck ? struck->impulse[contact] : 0.0), p[1],
                                                       p[2]};
        const bool stays =
            in_steps && stays_closed(self, contact, impulse_before[CAROM_CONTACT_COMPONENTS * contact], p[0]);
        const carom_contact_frame *frame =
            stepper->frame ? &stepper->frame[contact] : carom_stepper_frame(stepper, contact, &self->frame);
        sum += contact_work(self, contact, frame, rest, stays, &gained);
        if (p[0] > largest) {
            largest = p[0];
            hardest = contact;
        }
    }
    add_to_spell(self, row[0], sum, gained, hardest);
}

/* Contacts are open again, or the run ends. */
void certifier_end_spell(certifier *self)
{
    if (self->spell_contact >= 0 && self->spell > CERTIFIER_GAIN_DOUBT * certifier_energy_scale(self))
        self->gains++;
    if (self->spell_contact >= 0 && self->spell > self->gain) {
        self->gain = self->spell;
        self->gain_time = self->spell_time;
        certifier_set_name(self->gain_contact, self->model->contact[self->spell_contact].name);
    }
    self->spell_contact = -1;
}

/* In a frame that moves both ends are the mean. */
static void take_velocities(certifier *self, const double *before, const double *row)
{
    const int n = self->layout.dof;
    self->u0 = before + self->layout.v;
    self->u1 = row + self->layout.v;
    if (!self->model->moving_frame ||
        !carom_model_carrier(self->work, row[0], row + self->layout.q, self->scratch, self->carrier))
        return;
    for (int i = 0; i < n; i++)
        self->mean[i] = 0.5 * (self->u0[i] + self->u1[i]) + self->carrier[i];
    self->u0 = self->u1 = self->mean;
}

/* ---- forces ------------------------------------------------------------------------------------------ */

double certifier_power(certifier *self, const double *row)
{
    return carom_model_power(self->work, row[0], row + self->layout.q, row + self->layout.v, self->scratch);
}

/* Three looks at one distance make Simpson's rule of the trapezoidal one, and tell whether the distance may be larger or
 * must be smaller. */
static void correct_force_work(certifier *self, double power, double interval)
{
    self->power_size = fmax(self->power_size, fabs(power));
    const double bend = power - 2.0 * self->power + self->power_before;
    const double size =
        fmax(fmax(fabs(power), fabs(self->power)), fmax(fabs(self->power_before), 0.1 * self->power_size));
    self->power_before = self->power;
    if (!(fabs(interval - self->power_interval) <= 1e-6 * interval)) {
        self->power_interval = interval;
        return;
    }
    self->power_interval = NAN;
    if (self->power_every > 1) /* from step to step it may tremble: no polynomial */
        self->found.forces -= interval / 6.0 * bend;
    if (fabs(bend) > power_bend_large * size && self->power_every > 1)
        self->power_every /= 2;
    else if (fabs(bend) < power_bend_small * size && self->power_every < POWER_EVERY_MAX)
        self->power_every *= 2;
}

/* A load that depends on time alone works along the way, however it trembles: (l0 + l1).(q1 - q0) / 2 since the last look.
 */
static void add_load_work(certifier *self, const double *row)
{
    const int n = self->layout.dof;
    const double *q = row + self->layout.q;
    double work = 0.0, part[2] = {0.0, 0.0};
    int i = 0;
    self->model->ops->load(self->work, 1, row, &(const double){1.0}, self->mean);
    const double *l0 = self->load, *l1 = self->mean, *q0 = self->load_place;
    for (; i + 2 <= n; i += 2)
        for (int k = 0; k < 2; k++)
            part[k] += (l0[i + k] + l1[i + k]) * (q[i + k] - q0[i + k]);
    if (i < n)
        work = (l0[i] + l1[i]) * (q[i] - q0[i]);
    work = 0.5 * (work + part[0] + part[1]);
    self->found.forces += work;
    self->moved += fabs(work);
    double *old = self->load;
    self->load = self->mean;
    self->mean = old;
    memcpy(self->load_place, q, (size_t)n * sizeof *q);
    self->power_time = row[0];
    self->next_power = self->steps + LOAD_EVERY;
}

/* The work relative to v_frame, where that is not small: - v_frame.f of all forces is what the frame adds to the power. */
static double relative_work(certifier *self, const double *row, double work, double interval)
{
    const carom_model_ops *ops = self->model->ops;
    if (!self->drifts || self->model->has_bodies || !ops->force)
        return work;
    ops->force(self->work, row[0], row + self->layout.q, row + self->layout.v, self->relative);
    return work - interval * carom_dot(self->layout.dof, self->v_frame, self->relative);
}

/* The work of the forces since the last look. */
void certifier_add_force_work(certifier *self, const double *row)
{
    if (self->load) {
        add_load_work(self, row);
        return;
    }
    const double power = certifier_power(self, row), interval = row[0] - self->power_time;
    const double work = 0.5 * interval * (self->power + power);
    self->found.forces += work;
    self->moved += fabs(relative_work(self, row, work, interval));
    correct_force_work(self, power, interval);
    self->power = power;
    self->power_time = row[0];
    self->next_power = self->steps + self->power_every;
}

/* Where contacts begin or cease to push, velocities jump: the power is looked at on both sides. */
void certifier_add_works(certifier *self, const carom_stepper *stepper, const double *before,
                         const double *row, bool pushed)
{
    if (!self->model->powerless) {
        const bool jumps = pushed != self->pushed && !self->load;
        if (jumps && self->power_time < before[0])
            certifier_add_force_work(self, before);
        if (jumps || self->steps >= self->next_power)
            certifier_add_force_work(self, row);
        if (jumps) { /* and it may change fast */
            self->power_interval = NAN;
            self->power_every = 1;
            self->next_power = self->steps + 1;
            self->next_look = self->steps;
        }
    }
    if (pushed) {
        take_velocities(self, before, row);
        add_contact_works(self, stepper, before, row);
    } else if (self->pushed) {
        certifier_end_spell(self);
    }
}

/* ---- joints ------------------------------------------------------------------------------------------ */

/* The steps until the next look at joints. Those that move do work in every step, and a drift near a doubt is followed
 * from step to step. One that is no more than rounding so far waits for the next look at something else. */
static long steps_to_joints(const certifier *self, bool moves, double drift)
{
    const long others = self->next_changes - self->steps;
    if (moves || drift > joints_near * self->reach)
        return 1;
    return self->drift_seen <= drift_rounding * self->reach && others > 0 ? others : JOINTS_EVERY;
}

/* Their rates at the start are known. */
static bool do_joints_rest(const certifier *self)
{
    const carom_model_ops *ops = self->model->ops;
    for (int k = 0; k < self->model->joints; k++)
        if (!ops->rate_is_constant || !ops->rate_is_constant(self->model, k) ||
            self->constraint_rate[k] != 0.0)
            return false;
    return true;
}

void certifier_look_at_joints(certifier *self, const carom_state *state, const double *row)
{
    const int joints = self->model->joints;
    const carom_motion motion = {.t = row[0], .q = row + self->layout.q, .v = row + self->layout.v};
    carom_certificate *found = &self->found;
    if (!self->model->ops->constraints)
        return;
    self->model->ops->constraints(self->work, &motion, self->constraint,
                                  self->joints_rest ? NULL : self->constraint_rate, NULL);
    if (!state && self->steps == 0) /* at the start; later constant rates are what they were */
        self->joints_rest = do_joints_rest(self);
    bool moves = false;
    double drift = 0.0;
    for (int k = 0; k < joints; k++) {
        moves = moves || self->constraint_rate[k] != 0.0 || self->rate_before[k] != 0.0;
        if (state && state->reaction && !self->model->has_bodies)
            found->joints -= 0.5 * state->reaction[k] * (self->rate_before[k] + self->constraint_rate[k]);
        self->rate_before[k] = self->constraint_rate[k];
        const double off = fabs(self->constraint[k]);
        drift = fmax(drift, off);
        if (off > self->drift[k]) {
            self->drift[k] = off;
            self->drift_time[k] = row[0];
        }
    }
    self->drift_seen = fmax(self->drift_seen, drift);
    self->next_joints = self->steps + steps_to_joints(self, moves, drift);
}

/* Sizes of the joints' gradients at a position, per joint; 1 where the model does not give them. */
static void find_joint_gradients(certifier *self, const double *row, double *size)
{
    const carom_model_ops *ops = self->model->ops;
    for (int k = 0; k < self->model->joints; k++)
        size[k] = 1.0;
    if (!self->joint_row)
        return;
    const carom_sparse *pattern = ops->block_pattern(self->model, CAROM_BLOCK_ROWS);
    const carom_motion motion = {.t = row[0], .q = row + self->layout.q, .v = row + self->layout.v};
    double *entry = self->joint_row;
    ops->block(self->work, CAROM_BLOCK_ROWS, &motion, entry);
    for (int k = 0; k < self->model->joints; k++)
        size[k] = 0.0;
    for (int j = 0; j < pattern->columns; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < self->model->joints)
                size[pattern->row[k]] += entry[k] * entry[k];
    for (int k = 0; k < self->model->joints; k++)
        size[k] = sqrt(size[k]);
}

/* As gaps, joints divided by the size of their gradient are lengths. */
void certifier_find_drift(certifier *self, const double *row)
{
    carom_certificate *found = &self->found;
    double *size = self->rate_before; /* which nobody needs any more */
    find_joint_gradients(self, row, size);
    for (int k = 0; k < self->model->joints; k++)
        if (size[k] > 0.0 && self->drift[k] / size[k] > found->drift) {
            found->drift = self->drift[k] / size[k];
            found->drift_time = self->drift_time[k];
            found->drift_joint = k;
        }
}
