/* How far contacts were violated, and which steps passed through one. */
#include "certifier.h"

#include <stdint.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    GAP_BLOCK = 8,    /* contacts that are looked at together: their regimes fill one word */
    SEARCH_STEPS = 48 /* of the search for the least gap: 0.618^48 = 1e-10 */
};

/* Shares of the contact's largest gap or the range of the motion, and of the coordinates: a smaller dip is rounding. */
static const double gap_rounding = 1e-9, position_rounding = 1e-14;
/* Growth of a violation after which its gradient is found again. */
static const double deeper = 1.05;

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

/* The size of d gap / d q. Gaps of structures are displacements. */
static double gradient_size(certifier *self, int contact, const double *row)
{
    if (self->model->ops->structure || !self->model->ops->frame)
        return 1.0;
    self->model->ops->frame(self->work, contact, row[0], row + self->layout.q, &self->frame);
    const carom_row *normal = &self->frame.normal;
    return sqrt(carom_dot(normal->count, normal->value, normal->value));
}

/* The length below which a dip is rounding, found once between two looks at the displacements. */
static double noise_length(certifier *self, const double *row)
{
    double size = 0.0;
    if (self->noise_length > 0.0 && self->noise_time == self->sample_time)
        return self->noise_length;
    for (int i = 0; i < self->layout.positions; i++)
        size = fmax(size, fabs(row[self->layout.q + i]));
    self->noise_time = self->sample_time;
    self->noise_length = fmax(gap_rounding * certifier_displacement(self), position_rounding * size);
    return self->noise_length;
}

/* Contacts that never open far have a largest gap that is itself rounding. */
static bool is_dip(certifier *self, int contact, const double *row, double depth)
{
    return depth > gap_rounding * self->largest_gap[contact] &&
           depth > gradient_size(self, contact, row) * noise_length(self, row);
}

static void note_penetration(certifier *self, int contact, const double *row)
{
    const double depth = -row[self->layout.gap + contact];
    if (depth <= self->deepest[contact] || self->model->contact[contact].friction_force)
        return;
    self->deepest[contact] = depth;
    self->deepest_time[contact] = row[0];
    if (depth < deeper * self->gradient_depth[contact] ||
        (self->gradient[contact] > 0.0 && self->model->contact[contact].constant_rows))
        return;
    self->gradient[contact] = gradient_size(self, contact, row);
    self->gradient_depth[contact] = depth;
}

/* A gap divided by the size of its gradient is a length, to first order, whatever the gap's unit. The gradient of a contact that
 * was never violated is that at the end. */
void certifier_find_penetration(certifier *self, const double *row)
{
    self->violated = -1;
    for (int i = 0; i < self->layout.contacts; i++) {
        const bool violated = self->deepest[i] > 0.0;
        if (self->deepest[i] > self->found.penetration) {
            self->found.penetration = self->deepest[i];
            self->found.penetration_time = self->deepest_time[i];
            certifier_set_name(self->found.penetration_contact, self->model->contact[i].name);
        }
        if (!violated && self->largest_gap[i] > 0.0 && !self->model->contact[i].friction_force)
            self->gradient[i] = gradient_size(self, i, row);
        if (!(self->gradient[i] > 0.0))
            continue;
        self->gap_length = fmax(self->gap_length, self->largest_gap[i] / self->gradient[i]);
        const double depth = self->deepest[i] / self->gradient[i];
        if (depth <= self->violation)
            continue;
        self->violation = depth;
        self->violated = i;
    }
    for (int i = 0; i < self->layout.positions; i++)
        self->position_size = fmax(self->position_size, fabs(row[self->layout.q + i]));
}

static void count_crossing(certifier *self, int contact, double t)
{
    if (self->found.crossings++ == 0) {
        self->found.crossing_time = t;
        certifier_set_name(self->found.crossing_contact, self->model->contact[contact].name);
    }
}

/* A contact was open before and after the step, without an impulse, but its gap fell fast enough to close: did the
 * step pass through? In the first step the gap's rate tells how fast, later the step before. */
static void look_for_crossing(certifier *self, int contact, const double *before, const double *row)
{
    const double gap = before[self->layout.gap + contact];
    if (self->model->contact[contact]
            .constant_frame) /* affine on the straight way: least at one of its ends */
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
    if (is_dip(self, contact, row, -least_gap(self, contact, before, row)))
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
        if (is_dip(self, contact, row, dip))
            count_crossing(self, contact, before[0]);
        set_dip(self, contact, 0.0);
    }
}

/* A contact that pushes, or is closed, while its normal turned round since it was open: it was passed through, and pushes the
 * wrong way. */
static void look_for_turn(certifier *self, int contact, const double *before, const double *row)
{
    if (self->model->contact[contact].constant_frame || self->model->ops->structure ||
        !self->model->ops->frame)
        return;
    self->model->ops->frame(self->work, contact, before[0], before + self->layout.q, &self->frame);
    carom_row_spread(&self->frame.normal, self->layout.dof, self->place);
    self->model->ops->frame(self->work, contact, row[0], row + self->layout.q, &self->frame);
    if (carom_row_dot(&self->frame.normal, self->place) < 0.0)
        count_crossing(self, contact, before[0]);
}

/* A contact that appears around a body: the body is moved out at once, by more than its velocities say. */
static void look_for_jump(certifier *self, int contact, const double *before, const double *row)
{
    const double h = row[0] - before[0];
    const int dof = self->layout.positions == self->layout.dof ? self->layout.dof : 0;
    for (int i = 0; i < dof; i++) {
        const double old = before[self->layout.v + i], now = row[self->layout.v + i];
        const double moved =
            fabs(row[self->layout.q + i] - before[self->layout.q + i] - 0.5 * h * (old + now));
        const double own = h * fabs(now - old);
        if (moved - own > self->jump) {
            self->jump = moved - own;
            self->jump_time = row[0];
            self->jump_contact = contact;
        }
    }
}

/* What the first output shows. */
void certifier_look_at_first_gaps(certifier *self, const double *row)
{
    const double *gap = row + self->layout.gap;
    self->watched = self->layout.contacts;
    certifier_look_at_gap_scale(self, row);
    for (int i = 0; i < self->layout.contacts; i++) {
        self->older_gap[i] = gap[i];
        if (gap[i] < 0.0)
            note_penetration(self, i, row);
    }
}

/* A contact that closes fast enough to be passed, is closed, or was. */
static void look_at_contact(certifier *self, int contact, const double *before, const double *row,
                            bool *looked_for_jump)
{
    const double gap = row[self->layout.gap + contact], gap_before = before[self->layout.gap + contact];
    if (self->model->contact[contact].friction_force)
        return;
    if (gap < 0.0)
        note_penetration(self, contact, row);
    const bool pushes = row[self->layout.impulse + CAROM_CONTACT_COMPONENTS * contact] != 0.0;
    if (gap_before > 0.0 && gap > 0.0 && !pushes && !self->located)
        look_for_crossing(self, contact, before, row);
    else if (gap_before > 0.0 && (pushes || gap <= 0.0) && !self->located) {
        look_for_turn(self, contact, before, row);
        if (!*looked_for_jump) /* the next one would find the same: all coordinates for each is quadratic */
            look_for_jump(self, contact, before, row);
        *looked_for_jump = true;
    }
    look_for_dip(self, contact, before, row);
}

static inline double smaller(double a, double b)
{
    return b < a ? b : a;
}

/* Whether GAP_BLOCK contacts are open, which is the regime 0. Two minima side by side: a comparison of each gap by itself
 * would be a branch. */
static inline bool is_block_open(const unsigned char *regime, const double *gap)
{
    uint64_t regimes;
    memcpy(&regimes, regime, sizeof regimes);
    if (regimes != 0)
        return false;
    double least[2] = {gap[0], gap[1]};
    for (int i = 2; i < GAP_BLOCK; i += 2)
        for (int k = 0; k < 2; k++)
            least[k] = smaller(least[k], gap[i + k]);
    return least[0] > 0.0 && least[1] > 0.0;
}

bool certifier_are_many_open(const certifier *self, const carom_state *state, const double *row)
{
    const double *gap = row + self->layout.gap;
    const unsigned char *regime = state->regime;
    int i = 0;
    for (; i + GAP_BLOCK <= self->watched; i += GAP_BLOCK)
        if (!is_block_open(regime + i, gap + i))
            return false;
    for (; i < self->watched; i++)
        if (regime[i] != CAROM_CONTACT_OPEN || !(gap[i] > 0.0))
            return false;
    return true;
}

/* Whether a block of contacts is open, and does not come near fast. Most of them are so most of the time: then they cost
 * some comparisons, and nothing else. */
static inline bool is_block_quiet(const certifier *self, const carom_state *state, const double *before,
                                  const double *row, int from)
{
    if (!is_block_open(state->regime + from, row + self->layout.gap + from))
        return false;
    const double *gap_before = before + self->layout.gap + from, *older = self->older_gap + from;
    for (int i = 0; i < GAP_BLOCK && !self->straight; i++)
        if (!(2.0 * gap_before[i] > older[i]))
            return false;
    return true;
}

/* In steps that were passed over no gap fell by half: that is all that is asked of the outputs before. */
void certifier_find_older_gaps(certifier *self, const double *before)
{
    if (self->older_of != self->steps - 1)
        memcpy(self->older_gap, before + self->layout.gap, (size_t)self->layout.contacts * sizeof(double));
}

void certifier_keep_gaps(certifier *self, const double *before)
{
    memcpy(self->older_gap, before + self->layout.gap, (size_t)self->layout.contacts * sizeof(double));
    self->older_of = self->steps;
}

/* A contact by itself. One that pushes on, no deeper than any before, and one that is open and does not come near fast
 * need no more than this. */
static inline bool is_ordinary(const certifier *self, bool open, int contact, const double *before,
                               const double *row)
{
    const double gap = row[self->layout.gap + contact];
    if (self->dip[contact] != 0.0)
        return false;
    if (!open)
        return row[self->layout.impulse + CAROM_CONTACT_COMPONENTS * contact] != 0.0 &&
               -gap <= self->deepest[contact] &&
               (self->located || !(before[self->layout.gap + contact] > 0.0)); /* it pushed before */
    return gap > 0.0 &&
           (self->straight || 2.0 * before[self->layout.gap + contact] > self->older_gap[contact]);
}

/* Says whether a contact carries an impulse. */
bool certifier_look_at_gaps(certifier *self, const carom_state *state, const double *before,
                            const double *row)
{
    const int contacts = self->layout.contacts;
    const bool first = self->steps == 0;
    bool pushed = false, looked_for_jump = false;
    for (int from = 0; from < contacts; from += GAP_BLOCK) {
        const int n = from + GAP_BLOCK < contacts ? GAP_BLOCK : contacts - from;
        if (n == GAP_BLOCK && !first && self->dipping == 0 && is_block_quiet(self, state, before, row, from))
            continue;
        for (int i = from; i < from + n; i++) {
            const bool open = state->regime[i] == CAROM_CONTACT_OPEN;
            pushed = pushed || !open;
            if (!first && is_ordinary(self, open, i, before, row))
                continue;
            look_at_contact(self, i, before, row, &looked_for_jump);
        }
    }
    return pushed;
}
