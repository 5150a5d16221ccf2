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

#include "carom/linalg.h"
#include "run/certificate/certifier.h"

enum {
    KINETIC_SAMPLES =
        16, /* the kinetic energy is looked at so many times until each doubling of the steps, */
    STRUCTURE_KINETIC_SAMPLES = 8, /* that of a structure, which has many coordinates */
    CHANGES_FIRST = 8,  /* the change of the velocity in so many steps, then every thirtieth or so, */
    CHANGES_MANY = 2000 /* after so many steps every sixtieth or so */
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
    self->largest_gap = carom_arena_take(arena, contacts, sizeof(double));
    self->deepest = carom_arena_take(arena, contacts, sizeof(double));
    self->deepest_time = carom_arena_take(arena, contacts, sizeof(double));
    self->gradient = carom_arena_take(arena, contacts, sizeof(double));
    self->gradient_depth = carom_arena_take(arena, contacts, sizeof(double));
    self->constraint = carom_arena_take(arena, constraints, sizeof(double));
    self->constraint_rate = carom_arena_take(arena, constraints, sizeof(double));
    self->rate_before = carom_arena_take(arena, (size_t)model->joints, sizeof(double));
    self->drift = carom_arena_take(arena, (size_t)model->joints, sizeof(double));
    self->drift_time = carom_arena_take(arena, (size_t)model->joints, sizeof(double));
    self->pushes = carom_arena_take(arena, contacts, sizeof(int));
    if (!certifier_take_scales(self, arena) || !self->largest_gap || !self->deepest || !self->deepest_time ||
        !self->gradient || !self->gradient_depth || !self->pushes || !self->rate_before || !self->drift ||
        !self->drift_time || !self->scratch || !self->mean || !self->carrier || !self->place ||
        !self->start || !self->gap || !self->older_gap || !self->dip || !self->constraint ||
        !self->constraint_rate ||
        (model->ops->frame && !carom_contact_frame_take(arena, model, &self->frame)))
        return NULL;
    if (model->joints > 0 && model->ops->block_pattern && model->ops->block && !model->has_bodies) {
        const carom_sparse *rows = model->ops->block_pattern(model, CAROM_BLOCK_ROWS);
        self->joint_row = carom_arena_take(arena, (size_t)carom_sparse_entries(rows), sizeof(double));
        if (!self->joint_row)
            return NULL;
    }
    if (has_loads_only(work)) {
        self->load = carom_arena_take(arena, dof, sizeof(double));
        self->load_place = carom_arena_take(arena, dof, sizeof(double));
        if (!self->load || !self->load_place)
            return NULL;
    }
    self->one_direction = !model->moving_frame;
    for (int i = 0; i < model->contacts; i++) {
        self->obstacles = self->obstacles || !model->contact[i].friction_force;
        self->one_direction = self->one_direction && !self->obstacles && model->contact[i].tangents == 1;
    }
    self->straight = self->obstacles && model->ops->structure;
    self->found = (carom_certificate){.drift_joint = -1};
    self->spell_contact = -1;
    self->jump_contact = -1;
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
    return steps < CHANGES_FIRST ? 1 : steps < CHANGES_MANY ? 16 + steps % 31 : 32 + steps % 61;
}

/* Names of contacts outlive the scheme that gave them. */
void certifier_set_name(char to[160], const char *name)
{
    snprintf(to, 160, "%s", name);
}

/* ---- the outputs of a run ---------------------------------------------------------------------------- */

bool certifier_start(certifier *self, const double *row)
{
    self->power = self->model->powerless || self->load ? 0.0 : certifier_power(self, row);
    if (self->load) {
        self->model->ops->load(self->work, 1, row, &(const double){1.0}, self->load);
        carom_copy(self->layout.dof, row + self->layout.q, self->load_place);
    }
    self->power_time = row[0];
    self->power_size = fabs(self->power);
    self->power_interval = NAN;
    self->power_every = 1;
    self->found.energy_initial = row[self->layout.energy];
    if (!certifier_start_scales(self, row))
        return false;
    certifier_look_at_first_gaps(self, row);
    if (self->model->joints > 0)
        certifier_look_at_joints(self, NULL, row);
    return true;
}

/* Whether all contacts are open after the step, and none fell by half its gap, which was positive. */
static inline bool is_calm_step(const certifier *self, const carom_state *state, const double *before,
                                const double *row)
{
    const double *gap = row + self->layout.gap, *gap_before = before + self->layout.gap;
    for (int i = 0; i < self->watched; i++)
        if (state->regime[i] != CAROM_CONTACT_OPEN || !(2.0 * gap[i] > gap_before[i]))
            return false;
    return true;
}

/* Of friction forces alone. */
static bool is_slipping(const certifier *self, const carom_state *state)
{
    for (int i = 0; i < self->layout.contacts; i++)
        if (state->regime[i] != CAROM_CONTACT_OPEN)
            return true;
    return false;
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
    if (self->steps >= self->next_changes) {
        if (!pushed || self->pushed)
            certifier_add_changes(self, before, row); /* an impact is no oscillation */
        certifier_look_at_gap_scale(self, row);
        self->next_changes = self->steps + steps_to_changes(self->steps);
    }
    if (self->model->joints > 0 && self->steps >= self->next_joints)
        certifier_look_at_joints(self, &stepper->state, row);
    if (self->steps >= self->next_kinetic) {
        certifier_look_at_scales(self, row, self->located ? 0.0 : stepper->h);
        self->next_kinetic = self->steps + steps_to_next(self->steps + 1, self->model->ops->structure
                                                                              ? STRUCTURE_KINETIC_SAMPLES
                                                                              : KINETIC_SAMPLES);
    }
    self->next_look = first_look(self);
}

/* Whether steps like this one may be passed over after it. */
static bool is_calm_after(const certifier *self, const carom_state *state, const double *before,
                          const double *row, bool calm)
{
    if (self->own)
        return self->model->powerless;
    if (self->pushed || self->dipping > 0)
        return false;
    if (self->straight) /* gaps that are affine on the way of a step need only be positive */
        return calm;
    for (int i = 0; i < self->layout.contacts; i++)
        if (!(row[self->layout.gap + i] > 0.0))
            return false;
    return is_calm_step(self, state, before, row);
}

/* What the scheme does itself, and what is left. */
static void look_at_scheme(certifier *self, const carom_stepper *stepper)
{
    self->own = stepper->accounts.kept;
    self->watched = self->own ? 0 : self->layout.contacts;
    self->works = !keeps_works(stepper);
    self->located = (stepper->ops->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS)) != 0;
    self->slides =
        self->watched > 0 && self->works && !self->obstacles && !self->model->moving_frame && stepper->frame;
}

/* Says whether a contact carries an impulse. calm: the gaps of a structure were looked at, and nothing is there. */
static bool look_at_contacts(certifier *self, const carom_state *state, const double *before,
                             const double *row, bool calm)
{
    if (self->own || (calm && self->straight && self->dipping == 0))
        return false;
    if (!self->obstacles)
        return is_slipping(self, state);
    if (!self->straight)
        certifier_find_older_gaps(self, before);
    const bool pushed = certifier_look_at_gaps(self, state, before, row);
    if (!self->straight)
        certifier_keep_gaps(self, before);
    return pushed;
}

/* A step at which something is to be looked at. Out of line, as those below: steps that are passed over do not save its
 * registers. */
__attribute__((noinline)) static void look_at_step(certifier *self, const carom_stepper *stepper,
                                                   const double *before, const double *row, bool calm)
{
    const carom_state *state = &stepper->state;
    look_at_scheme(self, stepper);
    const bool pushed = look_at_contacts(self, state, before, row, calm);
    if (self->own && !self->model->powerless)
        certifier_add_force_work(self, row);
    else if (self->works && (pushed || self->pushed || !self->model->powerless) && !self->own)
        certifier_add_works(self, stepper, before, row, pushed);
    if (self->steps >= self->next_look)
        look_now_and_then(self, stepper, before, row, pushed);
    self->pushed = pushed;
    self->calm_until = is_calm_after(self, state, before, row, calm) ? self->next_look : 0;
    self->slide_until = self->slides && pushed ? self->next_look : 0;
    self->steps++;
}

/* Of a structure, whose many gaps are looked at together. */
__attribute__((noinline)) static bool look_at_structure(certifier *self, const carom_stepper *stepper,
                                                        const double *before, const double *row)
{
    const bool calm = self->steps > 0 && !self->own && certifier_are_open(self, &stepper->state, row);
    if (calm && self->steps < self->calm_until) {
        self->steps++;
        return true;
    }
    look_at_step(self, stepper, before, row, calm);
    return false;
}

/* Of friction forces alone, which acted in the step before: their work is all that such a step needs. */
__attribute__((noinline)) static bool look_at_sliding(certifier *self, const carom_stepper *stepper,
                                                      const double *before, const double *row)
{
    const double *p = row + self->layout.impulse + 1, *u0 = before + self->layout.v,
                 *u1 = row + self->layout.v;
    const carom_contact_frame *frame = stepper->frame, *end = frame + self->layout.contacts;
    double sum = 0.0, of_partners = 0.0;
    long acting = 0;
    for (; frame < end; frame++, p += CAROM_CONTACT_COMPONENTS)
        if (*p != 0.0) {
            acting++;
            sum += *p * certifier_mean_rate(&frame->tangent[0], u0, u1);
            of_partners += *p * frame->tangent_rate[0];
        }
    if (acting == 0) {
        look_at_step(self, stepper, before, row, false);
        return false;
    }
    self->found.contacts += sum;
    self->moved += fabs(sum);
    self->spell += sum + of_partners;
    self->steps++;
    return false;
}

bool certifier_step(certifier *self, const carom_stepper *stepper, const double *before, const double *row)
{
    if (stepper->counts.worst_solver_error > self->solver_error) {
        self->solver_error = stepper->counts.worst_solver_error;
        self->found.contact_error_time = row[0];
    }
    if (self->steps < self->calm_until && !self->straight &&
        is_calm_step(self, &stepper->state, before, row)) {
        self->steps++;
        return !self->own; /* what touches is told by the scheme */
    }
    if (self->steps < self->slide_until)
        return look_at_sliding(self, stepper, before, row);
    if (self->straight)
        return look_at_structure(self, stepper, before, row);
    look_at_step(self, stepper, before, row, false);
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
    KEEP(slides);
    KEEP(slide_until);
    KEEP(joints_rest);
    KEEP(dipping);
    KEEP(start_time);
    KEEP(kinetic);
    KEEP(step_energy);
    KEEP(step_length);
    KEEP(moved);
    KEEP(time_square);
    KEEP(sampled);
    KEEP(sample_time);
    KEEP(reach);
    KEEP(noise_length);
    KEEP(noise_time);
    KEEP(drifts);
    KEEP(drift_seen);
    KEEP(changes_seen);
    KEEP(changes_until);
    KEEP(spell);
    KEEP(spell_time);
    KEEP(spell_contact);
    KEEP(gain);
    KEEP(gain_time);
    KEEP(gain_contact);
    KEEP(gains);
    KEEP(solver_error);
    KEEP(located);
    KEEP(jump);
    KEEP(jump_time);
    KEEP(jump_contact);
#undef KEEP
    double *of_dof[] = {self->inertia,    self->start_frame, self->start_velocity, self->v_frame,
                        self->way_square, self->way_time,    self->lost,           self->told,
                        self->velocities, self->speeds,      self->changes};
    carom_snapshot_block(snapshot, self->start, (size_t)self->layout.positions * sizeof(double));
    for (size_t i = 0; i < sizeof of_dof / sizeof *of_dof; i++)
        carom_snapshot_block(snapshot, of_dof[i], (size_t)self->layout.dof * sizeof(double));
    double *of_load[] = {self->load, self->load_place};
    for (size_t i = 0; i < 2 && self->load; i++)
        carom_snapshot_block(snapshot, of_load[i], (size_t)self->layout.dof * sizeof(double));
    double *of_joints[] = {self->rate_before, self->drift, self->drift_time};
    for (size_t i = 0; i < sizeof of_joints / sizeof *of_joints; i++)
        carom_snapshot_block(snapshot, of_joints[i], (size_t)self->model->joints * sizeof(double));
    double *of_contacts[] = {self->older_gap,    self->dip,      self->largest_gap,   self->deepest,
                             self->deepest_time, self->gradient, self->gradient_depth};
    for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
        carom_snapshot_block(snapshot, of_contacts[i], (size_t)self->layout.contacts * sizeof(double));
    carom_snapshot_block(snapshot, self->position, (size_t)self->layout.dof * sizeof(int));
    carom_snapshot_block(snapshot, self->axis, (size_t)self->layout.dof * sizeof(int));
    carom_snapshot_block(snapshot, self->pushes, (size_t)self->layout.contacts * sizeof(int));
}

/* ---- the end ----------------------------------------------------------------------------------------- */

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
    self->own_length = accounts->length;
    self->moved += accounts->moved;
    self->gains = accounts->gains;
    self->gain = accounts->gain;
    self->gain_time = accounts->gain_time;
    certifier_set_name(self->gain_contact, accounts->gain_contact);
    certifier_set_name(found->crossing_contact, accounts->crossing_contact);
    certifier_set_name(found->penetration_contact, accounts->penetration_contact);
}

void certifier_finish(certifier *self, carom_stepper *stepper, const carom_run_result *result,
                      carom_certificate *certificate)
{
    carom_certificate *found = &self->found;
    found->energy_final = result->energy_final;
    if (!self->model->powerless && self->power_time < result->t_end)
        certifier_add_force_work(self, result->final);
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
    certifier_look_at_scales(self, result->final, self->located || !stepper ? 0.0 : stepper->h);
    certifier_look_at_gap_scale(self, result->final);
    if (self->model->joints > 0 && result->steps > 0)
        certifier_look_at_joints(self, NULL, result->final);
    certifier_find_drift(self, result->final);
    if (!self->own)
        certifier_find_penetration(self, result->final);
    found->energy_scale = certifier_energy_scale(self);
    if (!self->drifts) /* works of a drift are those of the frame as well */
        found->energy_scale = fmax(found->energy_scale, fmax(fabs(found->forces), fabs(found->contacts)));
    certifier_end_spell(self);
    if (stepper) {
        found->contact_error = stepper->counts.worst_solver_error;
        found->contact_tolerance = stepper->counts.solver_tolerance;
        found->unsolved_steps = stepper->counts.unsolved;
        found->fixed_rows_steps = stepper->counts.fixed_rows;
    }
    certifier_note_doubts(self, stepper, result, found);
    found->trusted = found->doubts == 0;
    *certificate = *found;
}
