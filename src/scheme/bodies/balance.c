/* Energy of what touches. Bodies that push each other in a step, directly or through others, are a group. Its energy changes by
 *
 *   dE = sum of 1/2 (v+ - v).M (v+ + v) - f.dx
 *
 * over its bodies, dx the way of the step and of the projection: f.dx is what forces have in store. Contacts take energy; more than
 * nothing is given by
 *
 *  - Newton's restitution with friction, or with different coefficients, in an oblique impact (Kane's paradox): the law is what
 *    was asked for, so the gain stays and is told with contact, time and amount;
 *  - the projection, which lifts bodies that came too deep, and the mean velocity of the step before a contact sticks or rests,
 *    which goes on for half a step: errors of the step. They are taken back from the motion, by one factor for all velocities
 *    of the group: contacts that rest go on resting, those that slide slide in the same sense, so that Coulomb's law holds as
 *    before. Where the motion has not so much, bodies are lifted only as far as the energy of the step allows. */
#include <math.h>
#include <string.h>

#include "body_step_data.h"

/* A gain of contacts relative to what their impulses move to and fro, and one of a group relative to what moves: no rounding. */
static const double gain_noted = 1e-9, rounding = 1e-14;
/* And of the energy of motion: as little as that is rounding of a body that is carried along. */
static const double gain_of_motion = 1e-9;
/* A gain that is a warning, relative to all that moves. */
static const double gain_told = 1e-3;
/* Part of the kinetic energy of a group that a correction takes at most, while bodies can be lifted less. */
static const double taken = 0.5;

/* a.M b of a body, at the predicted position. */
static double product(const body_step *self, int i, const double a[6], const double b[6])
{
    const carom_body *body = &self->bodies->body[i];
    const double linear = body->mass * carom_dot(3, a, b), *r = self->pose[i].r;
    if (self->plane)
        return linear + body->inertia[8] * a[5] * b[5];
    if (body->round)
        return linear + body->inertia[0] * carom_dot(3, a + 3, b + 3);
    double own_a[3], own_b[3], sum = linear;
    for (int k = 0; k < 3; k++) {
        own_a[k] = r[k] * a[3] + r[3 + k] * a[4] + r[6 + k] * a[5];
        own_b[k] = r[k] * b[3] + r[3 + k] * b[4] + r[6 + k] * b[5];
    }
    for (int k = 0; k < 3; k++)
        sum += own_a[k] * carom_dot(3, body->inertia + 3 * (ptrdiff_t)k, own_b);
    return sum;
}

void body_step_note_energy(body_step *self, int i, double work)
{
    const double *old = self->old + 6 * (ptrdiff_t)i, *end = self->end + 6 * (ptrdiff_t)i;
    body_energy *energy = &self->energy[i];
    const double before = product(self, i, old, old), after = product(self, i, end, end);
    double change[6], sum[6];
    for (int k = 0; k < 6; k++) {
        change[k] = end[k] - old[k];
        sum[k] = end[k] + old[k];
    }
    *energy = (body_energy){.change = 0.5 * product(self, i, change, sum) - work,
                            .kinetic = 0.5 * after,
                            .size = 0.5 * (before + after) + fabs(work)};
}

/* ---- groups ------------------------------------------------------------------------------------------- */

static bool is_pushed(const body_step *self, const double *lift, int point)
{
    return (point < self->active && self->impulse[3 * point] > 0.0) || (lift && lift[3 * point] > 0.0);
}

static int free_body(const body_step *self, int point)
{
    const carom_pair_rows *row = &self->row[point];
    return row->body[0] >= 0 ? row->body[0] : row->body[1];
}

/* False: nothing is pushed. */
static bool find_groups(body_step *self, const double *lift)
{
    bool any = false;
    for (int i = 0; i < self->bodies->count; i++)
        self->group[i] = i;
    for (int i = 0; i < self->count; i++) {
        const carom_pair_rows *row = &self->row[i];
        if (!is_pushed(self, lift, i))
            continue;
        any = true;
        if (row->body[0] >= 0 && row->body[1] >= 0)
            carom_sets_join(self->group, row->body[0], row->body[1]);
    }
    return any;
}

double body_point_work(const body_step *self, int i)
{
    double before[3], after[3], work = 0.0;
    body_point_velocity(self, i, self->old, before);
    body_point_velocity(self, i, self->end, after);
    for (int k = 0; k < 3; k++)
        work += 0.5 * self->impulse[3 * i + k] * (before[k] + after[k]);
    body_moments_work(self, i, &work);
    return work;
}

static void add_points(body_step *self, const double *lift)
{
    const carom_body *body = self->bodies->body;
    for (int i = 0; i < self->count; i++) {
        if (!is_pushed(self, lift, i))
            continue;
        const body_point *point = &self->point[i];
        group_energy *group = &self->group_energy[carom_sets_root(self->group, free_body(self, i))];
        group->pushed = true;
        group->grounded = group->grounded || body[point->a].kind == CAROM_BODY_FIXED ||
                          body[point->b].kind == CAROM_BODY_FIXED;
        group->driven = group->driven || body[point->a].kind == CAROM_BODY_DRIVEN ||
                        body[point->b].kind == CAROM_BODY_DRIVEN;
        if (i >= self->active || !(self->impulse[3 * i] > 0.0))
            continue;
        const double work = body_point_work(self, i);
        /* a closed point is struck when its law asks for more than rest */
        group->struck = group->struck || (self->options.impact == BODY_IMPACT_NEWTON && point->shift < 0.0);
        group->contacts += work;
        group->moved += fabs(work);
        if (work > group->worst_work) {
            group->worst_work = work;
            group->worst = i;
        }
    }
}

/* Others may have points of the body, which push where those here do not. */
static bool is_shared(const body_step *self, int body)
{
    return self->cut.has_wide && self->cut.is_wide[body] && self->cut.holders[body] > 1;
}

static void add_bodies(body_step *self, const double *x)
{
    const double h = self->stepper->h;
    for (int i = 0; i < self->bodies->count; i++) {
        if (self->inverse_mass[i] == 0.0)
            continue;
        const body_energy *energy = &self->energy[i];
        group_energy *group = &self->group_energy[carom_sets_root(self->group, i)];
        if (!group->pushed && !is_shared(self, i))
            continue;
        if (!space_cut_counts(self, i))
            continue;
        group->change += energy->change;
        group->kinetic += energy->kinetic;
        group->size += energy->size;
        group->held +=
            0.5 * self->bodies->body[i].mass * h * h * self->acceleration[i] * self->acceleration[i];
        if (x)
            group->lift += body_step_lift_work(self, i, x + 6 * (ptrdiff_t)i);
    }
    for (int k = 0; k < self->joints.blocks; k++)
        if (self->inverse_mass[self->joints.block[k].body] > 0.0)
            self->group_energy[carom_sets_root(self->group, self->joints.block[k].body)].jointed = true;
    for (int k = 0; k < self->linked.bodies; k++)
        self->group_energy[carom_sets_root(self->group, self->linked.body[k])].jointed = true;
}

/* ---- what is taken back ----------------------------------------------------------------------------------- */

/* What is driven, held by joints or linked to coordinates has its energy from elsewhere. */
static bool is_left_alone(const group_energy *group)
{
    return !group->pushed || group->driven || group->jointed;
}

/* The factors of velocities and of the displacement of a group. */
static void decide(group_energy *group)
{
    const double allowed = group->struck ? fmax(group->contacts, 0.0) : 0.0;
    double excess = group->change + group->lift - allowed;
    group->slower = group->lower = 1.0;
    if (is_left_alone(group) || !(excess > rounding * group->size))
        return;
    if (excess > taken * group->kinetic && group->lift > 0.0) {
        group->lower = fmax(0.0, 1.0 - excess / group->lift);
        excess -= (1.0 - group->lower) * group->lift;
        if (!(excess > rounding * group->size))
            return;
    }
    group->of_lift = fmin(1.0, fmax(0.0, group->lower * group->lift / excess));
    group->slower = excess < group->kinetic ? sqrt(1.0 - excess / group->kinetic) : 0.0;
}

static void apply(body_step *self, double *x)
{
    for (int i = 0; i < self->bodies->count; i++) {
        if (self->inverse_mass[i] == 0.0)
            continue;
        const group_energy *group = &self->group_energy[carom_sets_root(self->group, i)];
        if (!group->pushed)
            continue;
        if (x && group->lower != 1.0)
            for (int k = 0; k < 6; k++)
                x[6 * i + k] *= group->lower;
        if (group->slower == 1.0)
            continue;
        const int v = self->bodies->body[i].v;
        for (int k = 0; k < 6; k++)
            self->end[6 * i + k] *= group->slower;
        for (int k = 0; k < (self->plane ? 3 : 6); k++)
            self->v_end[v + k] *= group->slower;
        if (!space_cut_counts(self, i))
            continue;
        /* what the projection gave is the contacts', who let bodies come too deep before; the rest was the step's own */
        self->stepper->works.contacts -=
            group->of_lift * (1.0 - group->slower) * (1.0 + group->slower) * self->energy[i].kinetic;
    }
}

/* A gain is compared with the motion of the group and the works of its contacts, and with those of all contacts so far. */
static bool is_worth_telling(const body_step *self, const group_energy *group)
{
    const double moves = fmax(group->size + group->held, fmax(group->moved, self->stepper->accounts.moved));
    return group->contacts > gain_told * moves;
}

carom_status body_step_balance(body_step *self, const double *lift, double *x, carom_error *error)
{
    const int n = self->bodies->count;
    const bool any = find_groups(self, lift);
    if (self->cut.has_wide ? !space_cut_any(self, any) : !any)
        return CAROM_OK;
    memset(self->group_energy, 0, (size_t)n * sizeof *self->group_energy);
    add_points(self, lift);
    add_bodies(self, x);
    const carom_status status = self->cut.has_wide ? space_cut_balance_wide(self, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++) {
        group_energy *group = &self->group_energy[i];
        if (!group->pushed)
            continue;
        decide(group);
        if (group->contacts > gain_noted * group->moved &&
            group->contacts > gain_of_motion * group->kinetic && (group->struck || is_left_alone(group)) &&
            !group->told_elsewhere)
            body_step_note_gain(self, group->contacts, is_worth_telling(self, group), group->worst);
    }
    apply(self, x);
    return CAROM_OK;
}
