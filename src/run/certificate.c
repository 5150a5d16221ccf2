/* The certificate of a run, from its outputs. Over a step from (q0, v0) to (q1, v1) with impulses p of contacts and
 * r of joints,
 *
 *   forces    the integral of P     the power of the model's forces (carom_model_power), looked at where it bends,
 *   contacts  p . H (v0 + v1) / 2   with the rows H that the scheme took,
 *   joints    - r . (g_t0 + g_t1) / 2,
 *
 * where H v leaves out the partners' own motion: a floor that rises does work. In a frame that moves, v + M^-1 b
 * stands for v. A contact that stays closed does no work along its normal on what slides over it: where H v0 is not zero,
 * since H turned with the path, the work of a step is an error of the scheme, and stays with it. Schemes that locate impacts keep these works themselves. What a step is asked costs little: rows only
 * of contacts that carry an impulse, the power only where it is not always zero. */
#include "certificate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/bodies.h"

enum {
    KINETIC_SAMPLES = 16, /* the kinetic energy is looked at so many times until each doubling of the steps */
    POWER_EVERY_MAX =
        64,            /* the power at least every so many steps, and where contacts begin or cease to push */
    LOAD_EVERY = 8,    /* the load of a structure */
    CHANGES_FIRST = 8, /* the change of the velocity in so many steps, then every thirtieth or so */
    JOINTS_EVERY = 8,  /* joints that rest */
    SEARCH_STEPS = 48, /* of the search for the least gap: 0.618^48 = 1e-10 */
    STEPS_TO_STAY =
        3 /* a contact that pushes in so many steps in a row stays closed: no impact takes more than two */
};

/* Shares above which a figure is a doubt. */
static const double energy_doubt = 0.01;      /* of the energy that was moved */
static const double penetration_doubt = 0.01; /* of the largest gap */
static const double drift_doubt = 1e-3;       /* of the largest displacement */
static const double gap_rounding = 1e-9;      /* of the largest gap: a dip as small as this is none */
static const double gain_doubt = 1e-3;        /* of the energy that was moved, by one impact */
/* Mean square of the change of the velocity in a step, of that of the velocity: (h omega)^2 of an oscillation. At 1
 * there are six steps in a period; 4 is a velocity that changes its sign in every step. */
static const double resolution_doubt = 1.0;
static const double motion_rounding =
    1e-20; /* of the energies: a kinetic energy as small as this is rounding */
/* Second difference of three looks at the power, of the largest: less than the first, and looks become rarer; more than
 * the second, and they become denser. */
static const double power_bend_small = 0.01, power_bend_large = 0.05;
/* The impulse of a contact that stays closed, of the one in the step before: more is an impact, or a kink of the path. */
static const double steady_growth = 2.0;

struct certifier {
    carom_model_work *work;
    const carom_model *model;
    carom_row_layout layout;
    carom_certificate found;
    long steps;
    /* The step at whose end there is the next look at the kinetic energy, at the power, at changes of the velocity, at
     * joints; and the first of them. */
    long next_kinetic, next_power, next_changes, next_joints, next_look;
    long power_every;
    double power, power_time;            /* at its last look, */
    double power_before, power_interval; /* and at the one before, NAN: none since it jumped */
    double power_size;                   /* largest */
    bool pushed;                         /* a contact carried an impulse in the last step */
    /* The step at which something wants a look, whatever its output is: next_look while the contacts are calm, that is open,
     * and none of them fell by half its gap in the last step. */
    long calm_until;
    int watched;               /* contacts at which a run looks; none where the scheme does it itself */
    bool own;                  /* the scheme looks itself at what touches */
    bool obstacles;            /* there are contacts that are not friction forces */
    long older_of;             /* older_gap is that before the step of this number */
    bool works;                /* they are found from the outputs */
    int dipping;               /* contacts whose dip is not 0 */
    double *load, *load_place; /* of a structure without damping, and its position, at the last look */
    double *scratch;           /* of the power, and of the mass matrix */
    double *mean, *carrier;    /* velocities */
    const double *u0,
        *u1;       /* at both ends of the step, with those of a frame that moves: works are of their mean */
    double *place; /* a position between two outputs */
    double *gap;   /* there */
    double *older_gap; /* at the output before the last one */
    double *dip; /* per contact: how deep its gap went since it fell below 0 without any impulse; 0: not */
    carom_contact_frame frame;
    double *constraint, *constraint_rate; /* joints, then contacts */
    double *rate_before;                  /* per joint, at the output before */
    int *
        pushes; /* per contact: its steps in a row with an impulse that grows steadily, up to STEPS_TO_STAY */
    double kinetic, gap_scale, displacement;
    double *start;     /* position */
    double moved;      /* sum of |works| of forces and contacts, step by step */
    double spell;      /* work of contacts in the steps in a row that have some, without that of partners */
    double spell_time; /* their first, and the contact that was pushed hardest there */
    int spell_contact;
    double gain, gain_time; /* the largest gain in a spell */
    char gain_contact[160];
    long gains; /* spells that gained more than what is a doubt */
    double solver_error;
    double *inertia;          /* per coordinate, at the start: what its velocity weighs */
    double *speeds, *changes; /* sums of squares of velocities, and of their changes in a step */
};

/* ---- set-up ------------------------------------------------------------------------------------------ */

/* A structure on which nothing else works. */
static bool has_loads_only(const carom_model_work *work)
{
    const carom_model_ops *ops = work->model->ops;
    if (!ops->structure || !ops->load || work->model->powerless)
        return false;
    const carom_structure *structure = ops->structure(work);
    return structure->damping_mass == 0.0 && structure->damping_stiffness == 0.0;
}

certifier *certifier_create(carom_arena *arena, carom_model_work *work, const carom_row_layout *layout)
{
    const carom_model *model = work->model;
    const size_t dof = (size_t)model->dof, contacts = (size_t)model->contacts;
    const size_t constraints = contacts + (size_t)model->joints;
    certifier *self = carom_arena_take(arena, 1, sizeof *self);
    if (!self)
        return NULL;
    *self = (certifier){.work = work, .model = model, .layout = *layout};
    self->scratch = carom_arena_take(arena, carom_model_power_scratch(model), sizeof(double));
    self->mean = carom_arena_take(arena, dof, sizeof(double));
    self->carrier = carom_arena_take(arena, dof, sizeof(double));
    self->place = carom_arena_take(arena, dof, sizeof(double));
    self->start = carom_arena_take(arena, (size_t)layout->positions, sizeof(double));
    self->gap = carom_arena_take(arena, contacts, sizeof(double));
    self->older_gap = carom_arena_take(arena, contacts, sizeof(double));
    self->dip = carom_arena_take(arena, contacts, sizeof(double));
    self->constraint = carom_arena_take(arena, constraints, sizeof(double));
    self->constraint_rate = carom_arena_take(arena, constraints, sizeof(double));
    self->inertia = carom_arena_take(arena, dof, sizeof(double));
    self->speeds = carom_arena_take(arena, dof, sizeof(double));
    self->changes = carom_arena_take(arena, dof, sizeof(double));
    self->rate_before = carom_arena_take(arena, (size_t)model->joints, sizeof(double));
    self->pushes = carom_arena_take(arena, contacts, sizeof(int));
    if (!self->pushes || !self->inertia || !self->speeds || !self->changes || !self->rate_before ||
        !self->scratch || !self->mean || !self->carrier || !self->place || !self->start || !self->gap ||
        !self->older_gap || !self->dip || !self->constraint || !self->constraint_rate ||
        (model->ops->frame && !carom_contact_frame_take(arena, model, &self->frame)))
        return NULL;
    if (has_loads_only(work)) {
        self->load = carom_arena_take(arena, dof, sizeof(double));
        self->load_place = carom_arena_take(arena, dof, sizeof(double));
        if (!self->load || !self->load_place)
            return NULL;
    }
    for (int i = 0; i < model->contacts; i++)
        self->obstacles = self->obstacles || !model->contact[i].friction_force;
    self->found = (carom_certificate){.drift_joint = -1};
    self->spell_contact = -1;
    return self;
}

/* Looks become rarer as a run gets longer, whatever its end will be: some `samples` until the steps double. */
static long steps_to_next(long steps, long samples)
{
    const long every = steps / samples;
    return every < 1 ? 1 : every;
}

/* At no regular distance, which might be that of an oscillation. */
static long steps_to_changes(long steps)
{
    return steps < CHANGES_FIRST ? 1 : 16 + steps % 31;
}

/* Names of contacts outlive the scheme that gave them. */
static void set_name(char to[160], const char *name)
{
    snprintf(to, 160, "%s", name);
}

/* ---- works ------------------------------------------------------------------------------------------- */

/* Work of a linear structure's contact: its row is short. */
static double structure_work(const certifier *self, const double *impulse)
{
    const carom_structure *structure = self->model->ops->structure(self->work);
    double work = 0.0;
    for (int row = 0; row < structure->rows; row++) {
        double push = 0.0, rate = 0.0;
        if (structure->lower_contact[row] >= 0)
            push += impulse[CAROM_CONTACT_COMPONENTS * structure->lower_contact[row]];
        if (structure->upper_contact[row] >= 0)
            push -= impulse[CAROM_CONTACT_COMPONENTS * structure->upper_contact[row]];
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
    const double velocity = 0.5 * (carom_row_dot(row, self->u0) + carom_row_dot(row, self->u1));
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
    for (int k = 0; k < self->model->contact[contact].tangents; k++)
        work += row_work(self, impulse[1 + k], &frame->tangent[k], frame->tangent_rate[k], gained);
    return work;
}

static void add_contact_works(certifier *self, const carom_stepper *stepper, const double *before,
                              const double *row)
{
    const double *impulse = row + self->layout.impulse, *impulse_before = before + self->layout.impulse;
    const bool in_steps =
        !(stepper->ops->abilities & CAROM_SCHEME_OWN_STEPS); /* an impact takes one or two */
    if (self->model->ops->structure) {
        const double work = structure_work(self, impulse);
        self->found.contacts += work;
        self->moved += fabs(work);
        return;
    }
    double sum = 0.0, gained = 0.0, largest = -1.0;
    int hardest = 0;
    for (int contact = 0; contact < self->layout.contacts; contact++) {
        const double *p = impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * contact;
        if (p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0)
            continue;
        const bool stays =
            in_steps && stays_closed(self, contact, impulse_before[CAROM_CONTACT_COMPONENTS * contact], p[0]);
        const carom_contact_frame *frame =
            stepper->frame ? &stepper->frame[contact] : carom_stepper_frame(stepper, contact, &self->frame);
        sum += contact_work(self, contact, frame, p, stays, &gained);
        if (p[0] > largest) {
            largest = p[0];
            hardest = contact;
        }
    }
    if (self->spell_contact < 0) {
        self->spell_contact = hardest;
        self->spell_time = row[0];
        self->spell = 0.0;
    }
    self->found.contacts += sum;
    self->moved += fabs(sum);
    self->spell += gained;
}

/* Contacts are open again, or the run ends. */
static void end_spell(certifier *self)
{
    if (self->spell_contact >= 0 && self->spell > gain_doubt * fmax(self->kinetic, self->moved))
        self->gains++;
    if (self->spell_contact >= 0 && self->spell > self->gain) {
        self->gain = self->spell;
        self->gain_time = self->spell_time;
        set_name(self->gain_contact, self->model->contact[self->spell_contact].name);
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

static double power_at(certifier *self, const double *row)
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
    double work = 0.0;
    self->model->ops->load(self->work, 1, row, &(const double){1.0}, self->mean);
    for (int i = 0; i < n; i++)
        work += 0.5 * (self->load[i] + self->mean[i]) * (q[i] - self->load_place[i]);
    self->found.forces += work;
    self->moved += fabs(work);
    carom_copy(n, self->mean, self->load);
    carom_copy(n, q, self->load_place);
    self->power_time = row[0];
    self->next_power = self->steps + LOAD_EVERY;
}

/* The work of the forces since the last look. */
static void add_force_work(certifier *self, const double *row)
{
    if (self->load) {
        add_load_work(self, row);
        return;
    }
    const double power = power_at(self, row), interval = row[0] - self->power_time;
    const double work = 0.5 * interval * (self->power + power);
    self->found.forces += work;
    self->moved += fabs(work);
    correct_force_work(self, power, interval);
    self->power = power;
    self->power_time = row[0];
    self->next_power = self->steps + self->power_every;
}

/* Where contacts begin or cease to push, velocities jump: the power is looked at on both sides. */
static void add_works(certifier *self, const carom_stepper *stepper, const double *before, const double *row,
                      bool pushed)
{
    if (!self->model->powerless) {
        const bool jumps = pushed != self->pushed && !self->load;
        if (jumps && self->power_time < before[0])
            add_force_work(self, before);
        if (jumps || self->steps >= self->next_power)
            add_force_work(self, row);
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
        end_spell(self);
    }
}

/* ---- joints ------------------------------------------------------------------------------------------ */

static void look_at_joints(certifier *self, const carom_state *state, const double *row)
{
    const int joints = self->model->joints;
    const carom_motion motion = {.t = row[0], .q = row + self->layout.q, .v = row + self->layout.v};
    carom_certificate *found = &self->found;
    if (!self->model->ops->constraints)
        return;
    self->model->ops->constraints(self->work, &motion, self->constraint, self->constraint_rate, NULL);
    bool moves = false;
    for (int k = 0; k < joints; k++) {
        moves = moves || self->constraint_rate[k] != 0.0 || self->rate_before[k] != 0.0;
        if (state && state->reaction && !self->model->has_bodies)
            found->joints -= 0.5 * state->reaction[k] * (self->rate_before[k] + self->constraint_rate[k]);
        self->rate_before[k] = self->constraint_rate[k];
        if (fabs(self->constraint[k]) > found->drift) {
            found->drift = fabs(self->constraint[k]);
            found->drift_time = row[0];
            found->drift_joint = k;
        }
    }
    self->next_joints = self->steps + (moves ? 1 : JOINTS_EVERY);
}

/* ---- gaps -------------------------------------------------------------------------------------------- */

/* Gap of a contact at a share of the way between two outputs. */
static double gap_between(certifier *self, int contact, const double *before, const double *row, double share)
{
    const double t = before[0] + share * (row[0] - before[0]);
    if (self->model->ops->gap_between)
        return self->model->ops->gap_between(self->work, contact, t, before + self->layout.q,
                                             row + self->layout.q, share);
    for (int i = 0; i < self->layout.dof; i++)
        self->place[i] =
            before[self->layout.q + i] + share * (row[self->layout.q + i] - before[self->layout.q + i]);
    self->model->ops->gaps(self->work, t, self->place, self->gap);
    return self->gap[contact];
}

/* Golden section: the least gap on the straight way between two outputs, where the gap falls and rises again. */
static double least_gap(certifier *self, int contact, const double *before, const double *row)
{
    const double golden = 0.6180339887498949;
    double low = 0.0, high = 1.0;
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double gap_a = gap_between(self, contact, before, row, a),
           gap_b = gap_between(self, contact, before, row, b);
    for (int i = 0; i < SEARCH_STEPS && gap_a >= 0.0 && gap_b >= 0.0; i++) {
        if (gap_a < gap_b) {
            high = b;
            b = a;
            gap_b = gap_a;
            a = high - golden * (high - low);
            gap_a = gap_between(self, contact, before, row, a);
        } else {
            low = a;
            a = b;
            gap_a = gap_b;
            b = low + golden * (high - low);
            gap_b = gap_between(self, contact, before, row, b);
        }
    }
    return fmin(gap_a, gap_b);
}

static void note_penetration(certifier *self, int contact, const double *row)
{
    const double depth = -row[self->layout.gap + contact];
    if (depth <= self->found.penetration || self->model->contact[contact].friction_force)
        return;
    self->found.penetration = depth;
    self->found.penetration_time = row[0];
    set_name(self->found.penetration_contact, self->model->contact[contact].name);
}

static void count_crossing(certifier *self, int contact, double t)
{
    if (self->found.crossings++ == 0) {
        self->found.crossing_time = t;
        set_name(self->found.crossing_contact, self->model->contact[contact].name);
    }
}

/* A contact was open before and after the step, without an impulse, but its gap fell fast enough to close: did the
 * step pass through? In the first step the gap's rate tells how fast, later the step before. */
static void look_for_crossing(certifier *self, int contact, const double *before, const double *row)
{
    const double gap = before[self->layout.gap + contact];
    if (self->model->contact[contact].constant_frame) /* affine on the straight way: least at one of its ends */
        return;
    double closing = self->older_gap[contact] - gap;
    if (self->steps == 0) {
        if (self->model->ops->structure || !self->model->ops->frame)
            return;
        self->model->ops->frame(self->work, contact, before[0], before + self->layout.q, &self->frame);
        closing = -(row[0] - before[0]) *
                  (carom_row_dot(&self->frame.normal, before + self->layout.v) + self->frame.normal_rate);
    }
    if (closing < gap || self->model->ops->structure)
        return; /* a structure's gap is linear: least at one of the ends */
    if (least_gap(self, contact, before, row) < 0.0)
        count_crossing(self, contact, before[0]);
}

static void set_dip(certifier *self, int contact, double depth)
{
    self->dipping += (depth > 0.0) - (self->dip[contact] > 0.0);
    self->dip[contact] = depth;
}

/* A gap that falls below zero and comes back, with no impulse on the way, was passed through as well. */
static void look_for_dip(certifier *self, int contact, const double *before, const double *row)
{
    const double gap = row[self->layout.gap + contact], dip = self->dip[contact];
    if (row[self->layout.impulse + CAROM_CONTACT_COMPONENTS * contact] != 0.0)
        set_dip(self, contact, 0.0);
    else if (gap < 0.0 && (dip > 0.0 || before[self->layout.gap + contact] > 0.0))
        set_dip(self, contact, fmax(dip, -gap));
    else if (gap > 0.0 && dip > 0.0) {
        if (dip > gap_rounding * self->gap_scale)
            count_crossing(self, contact, before[0]);
        set_dip(self, contact, 0.0);
    }
}

/* What the first output shows. */
static void look_at_first_gaps(certifier *self, const double *row)
{
    const double *gap = row + self->layout.gap;
    for (int i = 0; i < self->layout.contacts; i++) {
        self->older_gap[i] = gap[i];
        if (gap[i] > self->gap_scale && isfinite(gap[i]))
            self->gap_scale = gap[i];
        if (gap[i] < 0.0)
            note_penetration(self, i, row);
    }
}

/* A contact that closes fast enough to be passed, is closed, or was. */
static void look_at_contact(certifier *self, int contact, const double *before, const double *row)
{
    const double gap = row[self->layout.gap + contact], gap_before = before[self->layout.gap + contact];
    if (self->model->contact[contact].friction_force)
        return;
    if (gap < 0.0)
        note_penetration(self, contact, row);
    if (gap_before > 0.0 && gap > 0.0 &&
        row[self->layout.impulse + CAROM_CONTACT_COMPONENTS * contact] == 0.0)
        look_for_crossing(self, contact, before, row);
    look_for_dip(self, contact, before, row);
}

/* Whether n contacts are open, and do not come near fast. Most of them are so most of the time: then they cost some
 * comparisons, and nothing else. */
static inline bool are_quiet(const certifier *self, const double *before, const double *row, int from, int n)
{
    const double *gap = row + self->layout.gap + from, *gap_before = before + self->layout.gap + from;
    const double *status = row + self->layout.regime + from, *older = self->older_gap + from;
    const double scale = self->gap_scale;
    for (int i = 0; i < n; i++)
        if (status[i] != (double)CAROM_CONTACT_OPEN || !(gap[i] > 0.0) || !(gap[i] <= scale) ||
            !(2.0 * gap_before[i] > older[i]))
            return false;
    return true;
}

/* Whether all contacts are open after the step, and none fell by half its gap, which was positive. */
static inline bool is_calm_step(const certifier *self, const carom_state *state, const double *before,
                                const double *row)
{
    const double *gap = row + self->layout.gap, *gap_before = before + self->layout.gap;
    const double scale = self->gap_scale;
    for (int i = 0; i < self->watched; i++)
        if (state->regime[i] != CAROM_CONTACT_OPEN || !(gap[i] <= scale) || !(2.0 * gap[i] > gap_before[i]))
            return false;
    return true;
}

/* Whether a step like that may be passed over after this one. */
static bool is_calm_after(const certifier *self, const carom_state *state, const double *before,
                          const double *row)
{
    if (self->own)
        return self->model->powerless;
    if (self->pushed || self->dipping > 0)
        return false;
    for (int i = 0; i < self->layout.contacts; i++)
        if (!(row[self->layout.gap + i] > 0.0))
            return false;
    return is_calm_step(self, state, before, row);
}

/* In steps that were passed over no gap fell by half: that is all that is asked of the outputs before. */
static void find_older_gaps(certifier *self, const double *before)
{
    for (int i = 0; i < self->layout.contacts && self->older_of != self->steps - 1; i++)
        self->older_gap[i] = before[self->layout.gap + i];
}

static void keep_gaps(certifier *self, const double *before)
{
    for (int i = 0; i < self->layout.contacts; i++)
        self->older_gap[i] = before[self->layout.gap + i];
    self->older_of = self->steps;
}

/* Of friction forces alone. */
static bool is_slipping(const certifier *self, const carom_state *state)
{
    for (int i = 0; i < self->layout.contacts; i++)
        if (state->regime[i] != CAROM_CONTACT_OPEN)
            return true;
    return false;
}

/* Says whether a contact carries an impulse. */
static bool look_at_gaps(certifier *self, const double *before, const double *row)
{
    enum {
        BLOCK = 8
    };
    const double *gap = row + self->layout.gap, *status = row + self->layout.regime;
    const int contacts = self->layout.contacts;
    bool pushed = false;
    for (int from = 0; from < contacts; from += BLOCK) {
        const int n = from + BLOCK < contacts ? BLOCK : contacts - from;
        if (contacts > BLOCK && self->steps > 0 && self->dipping == 0 &&
            are_quiet(self, before, row, from, n))
            continue;
        for (int i = from; i < from + n; i++) {
            pushed = pushed || status[i] != (double)CAROM_CONTACT_OPEN;
            if (gap[i] > self->gap_scale && isfinite(gap[i]))
                self->gap_scale = gap[i];
            if (!(gap[i] > 0.0 && status[i] == (double)CAROM_CONTACT_OPEN && self->dip[i] == 0.0 &&
                  2.0 * before[self->layout.gap + i] > self->older_gap[i]) ||
                self->steps == 0)
                look_at_contact(self, i, before, row);
        }
    }
    return pushed;
}

/* ---- scales ------------------------------------------------------------------------------------------ */

static void look_at_scales(certifier *self, const double *row)
{
    const double kinetic =
        carom_model_kinetic(self->work, row[0], row + self->layout.q, row + self->layout.v, self->place);
    if (kinetic > self->kinetic)
        self->kinetic = kinetic;
    for (int i = 0; i < self->layout.positions; i++)
        self->displacement = fmax(self->displacement, fabs(row[self->layout.q + i] - self->start[i]));
}

/* ---- resolution -------------------------------------------------------------------------------------- */

/* Of bodies the energy is a sum over all of them: too dear to ask as often as there are velocities. */
static void find_body_inertia(certifier *self)
{
    const carom_bodies *bodies = carom_model_bodies(self->work);
    const int axes = bodies->dimension == CAROM_PLANE ? 2 : 3;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        for (int k = 0; body->v >= 0 && k < axes; k++)
            self->inertia[body->v + k] = body->mass;
        for (int k = 0; body->v >= 0 && k < (axes == 2 ? 1 : 3); k++)
            self->inertia[body->v + axes + k] = body->inertia[axes == 2 ? 8 : 4 * k];
    }
}

/* The diagonal of a sparse mass; where memory is short it stays 1, which the estimates stand. */
static void find_sparse_inertia(certifier *self, const double *row)
{
    carom_sparse mass = *self->model->ops->matrix_pattern(self->model, CAROM_MATRIX_MASS);
    double *entry = carom_new_array((size_t)carom_sparse_entries(&mass), sizeof *entry);
    if (!entry)
        return;
    self->model->ops->matrix(self->work, CAROM_MATRIX_MASS, row[0], row + self->layout.q, NULL, entry);
    for (int i = 0; i < self->layout.dof; i++) {
        const int place = carom_sparse_place(&mass, i, i);
        self->inertia[i] = place < 0 ? 0.0 : entry[place];
    }
    free(entry);
}

/* M_ii = E(e_i) + E(-e_i) - 2 E(0), since E is quadratic in v; self->place is 0 and stays so. */
static double inertia_of(certifier *self, const double *row, int i, double at_rest)
{
    const carom_model_ops *ops = self->model->ops;
    const double *q = row + self->layout.q;
    double *v = self->place;
    v[i] = 1.0;
    double inertia = ops->energy(self->work, row[0], q, v) - 2.0 * at_rest;
    v[i] = -1.0;
    inertia += ops->energy(self->work, row[0], q, v);
    v[i] = 0.0;
    return inertia;
}

static void find_inertia(certifier *self, const double *row)
{
    const double *q = row + self->layout.q;
    double *v = self->place;
    memset(v, 0, (size_t)self->layout.dof * sizeof *v);
    for (int i = 0; i < self->layout.dof; i++)
        self->inertia[i] = 1.0;
    if (self->model->ops->structure)
        return;
    const carom_linked *beside = self->model->has_bodies ? &carom_model_bodies(self->work)->linked : NULL;
    if (beside)
        find_body_inertia(self);
    if (beside && beside->coordinates == 0)
        return;
    if (carom_model_is_sparse(self->model)) {
        find_sparse_inertia(self, row);
        return;
    }
    const double at_rest = self->model->ops->energy(self->work, row[0], q, v);
    for (int k = 0; k < (beside ? beside->coordinates : self->layout.dof); k++) {
        const int i = beside ? beside->v[k] : k;
        self->inertia[i] = inertia_of(self, row, i, at_rest);
    }
}

static void add_changes(certifier *self, const double *before, const double *row)
{
    const double *old = before + self->layout.v, *now = row + self->layout.v;
    for (int i = 0; i < self->layout.dof; i++) {
        const double change = now[i] - old[i];
        self->speeds[i] += now[i] * now[i];
        self->changes[i] += change * change;
    }
}

/* ---- the outputs of a run ---------------------------------------------------------------------------- */

void certifier_start(certifier *self, const double *row)
{
    carom_copy(self->layout.positions, row + self->layout.q, self->start);
    self->power = self->model->powerless || self->load ? 0.0 : power_at(self, row);
    if (self->load) {
        self->model->ops->load(self->work, 1, row, &(const double){1.0}, self->load);
        carom_copy(self->layout.dof, row + self->layout.q, self->load_place);
    }
    self->power_time = row[0];
    self->power_size = fabs(self->power);
    self->power_interval = NAN;
    self->power_every = 1;
    self->found.energy_initial = row[self->layout.energy];
    find_inertia(self, row);
    look_at_scales(self, row);
    look_at_first_gaps(self, row);
    if (self->model->joints > 0)
        look_at_joints(self, NULL, row);
}

/* Schemes with an integrator have powers at every step of it, outputs do not. */
static bool keeps_works(const carom_stepper *stepper)
{
    return stepper->ops->works || stepper->ops->abilities & CAROM_SCHEME_LOCATES_IMPACTS;
}

static long first_look(const certifier *self)
{
    long next = self->next_kinetic < self->next_changes ? self->next_kinetic : self->next_changes;
    if (!self->model->powerless && self->works && self->next_power < next)
        next = self->next_power;
    return self->model->joints > 0 && self->next_joints < next ? self->next_joints : next;
}

/* What is looked at now and then. */
static void look_now_and_then(certifier *self, const carom_stepper *stepper, const double *before,
                              const double *row, bool pushed)
{
    if (self->model->joints > 0 && self->steps >= self->next_joints)
        look_at_joints(self, &stepper->state, row);
    if (self->steps >= self->next_changes) {
        if (!pushed || self->pushed)
            add_changes(self, before, row); /* an impact is no oscillation */
        self->next_changes = self->steps + steps_to_changes(self->steps);
    }
    if (self->steps >= self->next_kinetic) {
        look_at_scales(self, row);
        self->next_kinetic = self->steps + steps_to_next(self->steps + 1, KINETIC_SAMPLES);
    }
    self->next_look = first_look(self);
}

/* A step at which something is to be looked at. Out of line: steps that are passed over do not save its registers. */
__attribute__((noinline)) static void look_at_step(certifier *self, const carom_stepper *stepper,
                                                   const double *before, const double *row)
{
    self->own = stepper->accounts.kept;
    self->watched = self->own ? 0 : self->layout.contacts;
    self->works = !keeps_works(stepper);
    bool pushed = false;
    if (self->obstacles && !self->own) {
        find_older_gaps(self, before);
        pushed = look_at_gaps(self, before, row);
        keep_gaps(self, before);
    } else if (!self->own) {
        pushed = is_slipping(self, &stepper->state);
    }
    if (self->own && !self->model->powerless)
        add_force_work(self, row);
    else if (self->works && (pushed || self->pushed || !self->model->powerless) && !self->own)
        add_works(self, stepper, before, row, pushed);
    if (self->steps >= self->next_look)
        look_now_and_then(self, stepper, before, row, pushed);
    self->pushed = pushed;
    self->calm_until = is_calm_after(self, &stepper->state, before, row) ? self->next_look : 0;
    self->steps++;
}

bool certifier_step(certifier *self, const carom_stepper *stepper, const double *before, const double *row)
{
    if (stepper->counts.worst_solver_error > self->solver_error) {
        self->solver_error = stepper->counts.worst_solver_error;
        self->found.contact_error_time = row[0];
    }
    if (self->steps < self->calm_until && is_calm_step(self, &stepper->state, before, row)) {
        self->steps++;
        return !self->own; /* what touches is told by the scheme */
    }
    look_at_step(self, stepper, before, row);
    return false;
}

void certifier_keep(certifier *self, carom_snapshot *snapshot)
{
#define KEEP(field) carom_snapshot_block(snapshot, &self->field, sizeof self->field)
    KEEP(found);
    KEEP(steps);
    KEEP(next_kinetic);
    KEEP(next_power);
    KEEP(next_changes);
    KEEP(next_joints);
    KEEP(next_look);
    KEEP(power_every);
    KEEP(power);
    KEEP(power_time);
    KEEP(power_before);
    KEEP(power_interval);
    KEEP(power_size);
    KEEP(pushed);
    KEEP(calm_until);
    KEEP(watched);
    KEEP(own);
    KEEP(older_of);
    KEEP(works);
    KEEP(dipping);
    KEEP(kinetic);
    KEEP(gap_scale);
    KEEP(displacement);
    KEEP(moved);
    KEEP(spell);
    KEEP(spell_time);
    KEEP(spell_contact);
    KEEP(gain);
    KEEP(gain_time);
    KEEP(gain_contact);
    KEEP(gains);
    KEEP(solver_error);
#undef KEEP
    double *of_dof[] = {self->inertia, self->speeds, self->changes};
    carom_snapshot_block(snapshot, self->start, (size_t)self->layout.positions * sizeof(double));
    for (size_t i = 0; i < sizeof of_dof / sizeof *of_dof; i++)
        carom_snapshot_block(snapshot, of_dof[i], (size_t)self->layout.dof * sizeof(double));
    double *of_load[] = {self->load, self->load_place};
    for (size_t i = 0; i < 2 && self->load; i++)
        carom_snapshot_block(snapshot, of_load[i], (size_t)self->layout.dof * sizeof(double));
    carom_snapshot_block(snapshot, self->rate_before, (size_t)self->model->joints * sizeof(double));
    carom_snapshot_block(snapshot, self->older_gap, (size_t)self->layout.contacts * sizeof(double));
    carom_snapshot_block(snapshot, self->dip, (size_t)self->layout.contacts * sizeof(double));
    carom_snapshot_block(snapshot, self->pushes, (size_t)self->layout.contacts * sizeof(int));
}

/* ---- doubts ------------------------------------------------------------------------------------------ */

static void doubt(carom_certificate *found, const char *format, ...) CAROM_PRINTF(2, 3);
static void doubt(carom_certificate *found, const char *format, ...)
{
    if (found->doubts < CAROM_DOUBTS_KEPT) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(found->doubt[found->doubts], sizeof found->doubt[0], format, arguments);
        va_end(arguments);
    }
    found->doubts++;
}

static void doubt_energy(const certifier *self, carom_certificate *found)
{
    const double scale = found->energy_scale, share = fabs(found->scheme) / scale;
    if (!isfinite(found->scheme))
        doubt(found, "energy: the works are not finite numbers (forces %g, contacts %g, joints %g)",
              found->forces, found->contacts, found->joints);
    else if (fabs(found->scheme) > energy_doubt * scale)
        doubt(found,
              "energy: the discretisation itself %s %.4g, %.3g %% of the energy that moves; compare with h/2 "
              "(--certify)",
              found->scheme > 0.0 ? "gained" : "lost", fabs(found->scheme), 100.0 * share);
    if (self->gain > gain_doubt * scale)
        doubt(found,
              "energy: the contacts gained %.4g at t = %.6g (contact '%s'), more than at any other of %ld "
              "such impact%s: "
              "the law of impact or the step creates energy there",
              self->gain, self->gain_time, self->gain_contact, self->gains > 1 ? self->gains : 1,
              self->gains > 1 ? "s" : "");
}

static void doubt_gaps(const certifier *self, carom_certificate *found)
{
    const double scale =
        self->model->has_bodies ? self->gap_scale : fmax(self->gap_scale, self->displacement);
    if (found->penetration > penetration_doubt * scale)
        doubt(found, "penetration: contact '%s' is violated by %.4g at t = %.6g, %.3g %% of the %s",
              found->penetration_contact, found->penetration, found->penetration_time,
              100.0 * found->penetration / scale,
              self->model->has_bodies ? "smallest body" : "largest gap or displacement");
    if (found->crossings > 0)
        doubt(found,
              "crossing: the step after t = %.6g passes through contact '%s' (%ld such step%s in all): h is "
              "too large for it",
              found->crossing_time, found->crossing_contact, found->crossings,
              found->crossings == 1 ? "" : "s");
    if (found->drift > drift_doubt * self->displacement)
        doubt(found, "joints: joint '%s' is off by %.4g at t = %.6g, while coordinates move by %.4g at most",
              self->model->joint[found->drift_joint], found->drift, found->drift_time, self->displacement);
}

/* Does the step follow the motion at all? Schemes that keep the energy do so for any step. */
static void doubt_resolution(const certifier *self, const carom_stepper *stepper, carom_certificate *found)
{
    const double energies =
        fmax(found->energy_scale, fmax(fabs(found->energy_initial), fabs(found->energy_final)));
    double speed = 0.0, change = 0.0, most = -1.0;
    int fastest = 0;
    if (!stepper || stepper->ops->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS))
        return;
    for (int i = 0; i < self->layout.dof; i++) {
        const double part = self->inertia[i] * self->changes[i];
        speed += self->inertia[i] * self->speeds[i];
        change += part;
        if (part > most) {
            most = part;
            fastest = i;
        }
    }
    if (!(change > resolution_doubt * speed) || !(speed > motion_rounding * (double)self->steps * energies))
        return;
    doubt(found,
          "resolution: the velocity, that of '%s' most of all, changes by %.3g times itself in each step "
          "(mean square): "
          "h = %g has less than six steps per oscillation, and does not follow the motion",
          carom_model_velocity_name(self->model, fastest), sqrt(change / speed), stepper->h);
}

/* What the scheme kept itself. */
static void take_accounts(certifier *self, const carom_stepper *stepper)
{
    carom_certificate *found = &self->found;
    const carom_step_accounts *accounts = &stepper->accounts;
    found->contacts = stepper->works.contacts;
    found->joints = stepper->works.joints;
    found->forces = accounts->forces ? stepper->works.forces : found->forces;
    found->penetration = accounts->penetration;
    found->penetration_time = accounts->penetration_time;
    found->crossings = accounts->crossings;
    found->crossing_time = accounts->crossing_time;
    self->gap_scale = accounts->length;
    self->gains = accounts->gains;
    self->gain = accounts->gain;
    self->gain_time = accounts->gain_time;
    set_name(self->gain_contact, accounts->gain_contact);
    set_name(found->crossing_contact, accounts->crossing_contact);
    set_name(found->penetration_contact, accounts->penetration_contact);
}

void certifier_finish(certifier *self, carom_stepper *stepper, const carom_run_result *result,
                      carom_certificate *certificate)
{
    carom_certificate *found = &self->found;
    found->energy_final = result->energy_final;
    if (!self->model->powerless && self->power_time < result->t_end)
        add_force_work(self, result->final);
    if (stepper && stepper->accounts.kept)
        take_accounts(self, stepper);
    if (stepper && keeps_works(stepper)) {
        const carom_works works = carom_stepper_works(stepper);
        found->forces = works.forces;
        found->contacts = works.contacts;
        found->joints = works.joints;
    }
    found->scheme =
        found->energy_final - found->energy_initial - found->forces - found->contacts - found->joints;
    look_at_scales(self, result->final);
    found->energy_scale =
        fmax(fmax(self->kinetic, self->moved), fmax(fabs(found->forces), fabs(found->contacts)));
    end_spell(self);
    if (stepper) {
        const int option = carom_scheme_find_option(stepper->ops, "tolerance");
        found->contact_error = stepper->counts.worst_solver_error;
        found->contact_tolerance = option >= 0 ? stepper->option[option] : 0.0;
        found->unsolved_steps = stepper->counts.unsolved;
        found->fixed_rows_steps = stepper->counts.fixed_rows;
    }
    if (result->steps > 0) {
        doubt_energy(self, found);
        doubt_gaps(self, found);
        doubt_resolution(self, stepper, found);
    }
    if (found->unsolved_steps > 0)
        doubt(found,
              "contacts: %ld step%s went on with a contact problem that was not solved to its tolerance",
              found->unsolved_steps, found->unsolved_steps == 1 ? "" : "s");
    for (int i = 0; i < result->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        if (result->warnings.is_doubt[i])
            doubt(found, "%s", result->warnings.text[i]);
    if (result->status != CAROM_OK)
        doubt(found, "end: the run stopped at t = %.6g, before its end", result->t_end);
    found->trusted = found->doubts == 0;
    *certificate = *found;
}
