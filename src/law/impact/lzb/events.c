/* Method events: Runge-Kutta steps on the indentations with the phase of every contact frozen, and changes of
 * phase located.
 *
 *            d > 0                    d < 0 (only where e < 1: else nothing changes)
 *     OPEN  ------->  COMPRESSION  <------------------------------------------>  EXPANSION
 *       ^                  |             d > 0                                       |
 *       +------------------+---------------------------------------------------------+
 *                              x < 0
 *
 * Contacts at rest (x = 0, d = 0) stand in compression. The step is adapted to an estimate of its error
 * unless the caller gives one. */
#include <math.h>
#include <string.h>

#include "force.h"
#include "root.h"
#include "runge_kutta_pair.h"

enum {
    OPEN,
    COMPRESSION,
    EXPANSION,
    PHASE = 3,
    CROSSES = 4 /* a bit: changes its phase within the step under way */
};

/* Error of a step, against the speed: chosen so that velocities are good to 1e-9 or better. */
static const double step_error = 1e-12;

/* Against the speed, and the speed in a contact's time: a change of phase is located when it has gone this
 * far, and not more. */
static const double located = 1e-13;

/* Neighbours of contacts that carry something are active, too, and theirs: a step may reach them. */
static const int wake_levels = 2;

typedef struct events {
    lzb *s;
    lzb_pair pair;
    double h; /* of the next step */
    bool adapts;
} events;

/* ---- phases ------------------------------------------------------------------------------------------ */

static double length_unit(const lzb *s, int j)
{
    return s->speed * s->duration[j];
}

static bool may_wake(const lzb *s, int j)
{
    return (s->flags[j] & PHASE) != OPEN;
}

static double energy_of(const lzb *s, int j)
{
    const double x = s->indentation[j], eta = s->space->exponent[j];
    return x * lzb_force(x, s->space->stiffness[j], eta) / (1.0 + eta);
}

static bool carries(const lzb *s, int j)
{
    return may_wake(s, j) && lzb_matters(s, j, energy_of(s, j));
}

static void set_phase(events *e, int j, int phase)
{
    e->s->flags[j] = phase;
    e->pair.rate[j] = phase == OPEN ? 0.0 : phase == EXPANSION ? 1.0 / e->s->restitution2[j] : 1.0;
}

/* How far contact j with these d and x has gone beyond the end of its phase; negative before it. */
static double excess(const lzb *s, int j, double d, double x)
{
    const double speed = d / s->speed, depth = -x / length_unit(s, j);
    switch (s->flags[j] & PHASE) {
    case OPEN:
        return speed;
    case EXPANSION:
        return fmax(depth, speed);
    default:
        return s->restitution2[j] != 1.0 && depth < 0.0 ? fmax(depth, -speed) : depth;
    }
}

/* A contact at or beyond the end of its phase goes to the next one. */
static bool change_phase(events *e, int j)
{
    lzb *s = e->s;
    const int phase = s->flags[j] & PHASE;
    const double d = s->closing[j];
    /* A force law with a small exponent presses already at rounding: only nothing is nothing there. */
    const double nothing = s->space->exponent[j] < 0.5 ? 0.0 : located * length_unit(s, j);
    int next = phase;
    if (phase == OPEN)
        next = d > 0.0 ? COMPRESSION : OPEN;
    else if (s->indentation[j] <= nothing && d < 0.0)
        next = OPEN;
    else if (phase == COMPRESSION && d < 0.0 && s->restitution2[j] != 1.0)
        next = EXPANSION;
    else if (phase == EXPANSION && d > 0.0)
        next = COMPRESSION;
    if (s->indentation[j] < 0.0 || next == OPEN || phase == OPEN)
        s->indentation[j] = 0.0;
    if (next == phase)
        return false;
    set_phase(e, j, next);
    return true;
}

static void renew(events *e)
{
    lzb_pair_clear(&e->pair, e->s);
    lzb_list_renew(e->s, carries, may_wake, wake_levels);
    lzb_pair_start(&e->pair, e->s);
}

static void prepare(events *e, lzb *s)
{
    e->s = s;
    e->adapts = s->options->step == 0.0;
    e->h = e->adapts ? 1e-3 * s->time_unit : s->options->step;
    if (e->h > 0.1 * s->time_unit)
        s->result->notes |= CAROM_IMPACT_COARSE;
    lzb_pair_prepare(&e->pair, s);
    for (int j = 0; j < s->contacts; j++)
        set_phase(e, j, s->closing[j] >= -located * s->speed ? COMPRESSION : OPEN);
    lzb_list_start(s);
    renew(e);
}

/* ---- where a phase ends ------------------------------------------------------------------------------ */

/* Marks the contacts that leave their phase within the step just made; false when there are none. */
static bool mark_crossings(events *e)
{
    lzb *s = e->s;
    bool some = false;
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        const bool crosses = excess(s, j, e->pair.d[j], e->pair.x[j]) > located;
        s->flags[j] = (s->flags[j] & PHASE) | (crosses ? CROSSES : 0);
        some = some || crosses;
    }
    return some;
}

/* Contacts that stand at the end of their phase already change it before the step. */
static bool change_at_once(events *e)
{
    lzb *s = e->s;
    bool some = false;
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        if (!(s->flags[j] & CROSSES) || excess(s, j, s->closing[j], s->indentation[j]) <= -located)
            continue;
        const int phase = s->flags[j] & PHASE;
        if (phase == OPEN)
            set_phase(e, j, COMPRESSION);
        else if (excess(s, j, s->speed, e->pair.x[j]) > located &&
                 s->indentation[j] <= located * length_unit(s, j))
            set_phase(e, j, OPEN);
        else
            set_phase(e, j, phase == COMPRESSION ? EXPANSION : COMPRESSION);
        if ((s->flags[j] & PHASE) == OPEN || phase == OPEN)
            s->indentation[j] = 0.0;
        some = true;
    }
    return some;
}

/* The largest excess of a marked contact, less half of what is tolerated, with these d and x. */
static double largest_excess(const lzb *s, const double *d, const double *x)
{
    double most = -INFINITY;
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        if (s->flags[j] & CROSSES)
            most = fmax(most, excess(s, j, d[j], x[j]));
    }
    return most - 0.5 * located;
}

static double excess_after(void *context, double h)
{
    events *e = context;
    lzb_pair_step(&e->pair, e->s, h);
    return largest_excess(e->s, e->pair.d, e->pair.x);
}

/* Makes the step that ends where the first phase within h does, and returns its length. */
static double locate(events *e, double h)
{
    const lzb *s = e->s;
    const double before = largest_excess(s, s->closing, s->indentation);
    const double after = largest_excess(s, e->pair.d, e->pair.x);
    return lzb_root(excess_after, e, h, after, 0.0, before, 0.5 * located, 1e-15 * h);
}

/* ---- steps ------------------------------------------------------------------------------------------- */

/* The force is largest where d = 0: by the cubic through indentations and their rates at both ends. */
static void find_peak(events *e, int j, double h)
{
    lzb *s = e->s;
    const double x0 = s->indentation[j], x1 = e->pair.x[j], d0 = s->closing[j], d1 = e->pair.d[j];
    double x = fmax(x0, x1);
    if (d0 > 0.0 && d1 < 0.0) {
        const double u = d0 / (d0 - d1), w = 1.0 - u, rate = h * e->pair.rate[j];
        const double cubic =
            w * w * ((1.0 + 2.0 * u) * x0 + u * rate * d0) + u * u * ((1.0 + 2.0 * w) * x1 - w * rate * d1);
        x = fmax(x, cubic);
    }
    lzb_peak(s, j, lzb_force(x, s->space->stiffness[j], s->space->exponent[j]));
}

/* The step becomes the state; phases, counts, and whether a contact still matters. */
static bool take_step(events *e, double h)
{
    lzb *s = e->s;
    bool matters = false, changed = false;
    if (s->result->peak_force)
        for (int i = 0; i < s->list.active; i++)
            find_peak(e, s->list.member[i], h);
    lzb_pair_accept(&e->pair, s);
    s->t += h;
    s->result->steps++;
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        changed = change_phase(e, j) || changed;
        const double energy = energy_of(s, j);
        const bool one_matters = lzb_matters(s, j, energy);
        lzb_count(s, j, energy);
        matters = matters || one_matters;
        changed = changed || (one_matters && i >= s->list.active);
    }
    if (changed)
        renew(e);
    return matters;
}

static void tell(events *e)
{
    lzb *s = e->s;
    memset(s->energy, 0, (size_t)s->contacts * sizeof *s->energy);
    memset(s->force, 0, (size_t)s->contacts * sizeof *s->force);
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        s->force[j] = e->pair.force[0][j];
        s->energy[j] = energy_of(s, j);
    }
}

/* A step that the estimate of its error allows. */
static double try_step(events *e)
{
    const lzb *s = e->s;
    const double shortest = 1e-14 * (s->t + s->time_unit);
    for (;;) {
        double h = e->h;
        if (s->options->observe && s->options->observe_interval > 0.0 && s->observe_next > s->t)
            h = fmin(h, s->observe_next - s->t);
        lzb_pair_step(&e->pair, s, h);
        if (!e->adapts)
            return h;
        const double error = lzb_pair_error(&e->pair, s, h) / step_error;
        const double growth = fmin(5.0, 0.9 * pow(fmax(error, 1e-10), -0.2));
        if (error <= 1.0 || h <= shortest) {
            e->h = h < e->h ? fmax(e->h, growth * h) : growth * h;
            return h;
        }
        e->h = h * fmax(0.2, growth);
    }
}

void lzb_events(lzb *s)
{
    events run, *e = &run;
    prepare(e, s);
    int changes = 0; /* of phase at one time, lest contacts change for ever */
    bool matters = true;
    while (matters && lzb_goes_on(s)) {
        if (lzb_observe_due(s)) {
            tell(e);
            lzb_observe(s);
        }
        const double planned = e->h, h = try_step(e);
        double taken = h;
        if (mark_crossings(e) && changes < 4) {
            if (change_at_once(e)) {
                changes++;
                e->h = planned;
                renew(e);
                continue;
            }
            taken = locate(e, h);
        }
        changes = 0;
        matters = take_step(e, taken);
    }
    tell(e);
    s->result->word = matters ? CAROM_IMPACT_NOT_CONVERGED : CAROM_IMPACT_OK;
}
