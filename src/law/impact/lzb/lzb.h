/* The inside of law lzb: Darboux and Keller's dynamics with compliant contacts (Liu, Zhao and Brogliato).
 *
 * Velocities change under forces while positions stay. In contact space, with closing speeds d = -gamma:
 *
 *   d' = -G lambda,  lambda = K x^eta,  x' = d (d >= 0) or d / e^2 (d < 0),  x >= 0,
 *
 * or, with the energy E = K x^(eta + 1) / (eta + 1) in place of the indentation x (Nguyen and Brogliato 2018,
 * (19)-(25)), dE = d dP or d dP / e^2, dP = lambda dt. A contact with x = 0 and d <= 0 is idle; in a long
 * chain nearly all are, and a method visits only the others and those that they push. */
#ifndef CAROM_LAW_IMPACT_LZB_LZB_H
#define CAROM_LAW_IMPACT_LZB_LZB_H

#include "law/impact/impact_law.h"

/* Contacts a method visits: first those that may press (`active`), then those that these push. */
typedef struct lzb_list {
    int active, count;
    int *member; /* contacts */
    int *before; /* the members before a renewal */
    int *role;   /* per contact: LZB_OUTSIDE, LZB_PUSHED or LZB_ACTIVE */
} lzb_list;

enum {
    LZB_OUTSIDE,
    LZB_PUSHED,
    LZB_ACTIVE
};

/* Where a contact stands, for counting. */
enum {
    LZB_AT_REST,
    LZB_LOADED,
    LZB_UNLOADED
};

typedef struct lzb {
    const carom_contact_space *space;
    const carom_impact_options *options;
    carom_impact_result *result;
    int contacts;

    /* Scales: largest closing speed, its largest energy d^2 / (2 G_jj), shortest time of a contact. */
    double speed, energy_unit, time_unit;
    double velocity_tolerance, energy_tolerance;
    double softest; /* smallest restitution */
    long max_steps;

    double t, observe_next;
    double *closing;      /* d */
    double *indentation;  /* x */
    double *energy;       /* E */
    double *force;        /* lambda */
    double *restitution2; /* e^2 */
    double *duration;     /* per contact: its time scale */
    int *phase;           /* LZB_AT_REST, ... */
    lzb_list list;
    double *scratch; /* LZB_SCRATCH per contact, for the method */
    int *flags;      /* one per contact, for the method */
} lzb;

enum {
    LZB_SCRATCH = 14
};

/* Neither the limit of steps is reached nor was the end asked for. */
static inline bool lzb_goes_on(const lzb *s)
{
    enum {
        ASK_EVERY = 64
    };
    const carom_progress *progress = &s->options->progress;
    const long steps = s->result->steps;
    if (progress->report && steps % ASK_EVERY == 0 &&
        !progress->report(progress->context, (double)steps, (double)s->max_steps))
        return false;
    return steps < s->max_steps;
}

/* Methods: from the closing speeds, with x = E = 0, to the end. They fill result->impulse, steps, word. */
void lzb_events(lzb *s);
void lzb_explicit(lzb *s);
void lzb_implicit(lzb *s);

/* ---- contacts that act ------------------------------------------------------------------------------ */

typedef bool lzb_question(const lzb *s, int contact);

/* All contacts are asked for whether they carry something. */
void lzb_list_start(lzb *s);
/* Active: members that carry, and `levels` times the neighbours of active contacts that may wake. */
void lzb_list_renew(lzb *s, lzb_question *carries, lzb_question *may_wake, int levels);

/* sum over k of G_jk p_k; p is zero where nothing acts */
static inline double lzb_row(const carom_contact_space *space, int j, const double *p)
{
    double sum = 0.0;
    for (int k = space->start[j]; k < space->start[j + 1]; k++)
        sum += space->entry[k] * p[space->column[k]];
    return sum;
}

/* ---- what is told ----------------------------------------------------------------------------------- */

/* Whether contact j still matters: it approaches, or holds energy, above the tolerances. */
static inline bool lzb_matters(const lzb *s, int j, double energy)
{
    return s->closing[j] > s->velocity_tolerance || energy > s->energy_tolerance;
}

/* Closings and returns to compression, after a step. */
void lzb_count(lzb *s, int j, double energy);
void lzb_peak(lzb *s, int j, double force);

/* Calls the observer when its time has come (`last`: whatever the time); energies and forces are filled. */
bool lzb_observe_due(const lzb *s);
void lzb_observe(lzb *s);

#endif
