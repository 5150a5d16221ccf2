/* Explicit steps on the energies of the contacts, in time (Nguyen and Brogliato 2018, (32)-(37)) or in
 * impulse (the distributing law (22)):
 *
 *   dP_j = lambda(E_j) tau                          a contact that holds energy,
 *   dP_j = sigma_j K_j d_j^eta tau^(1 + eta)        one that begins to,
 *   d+ = d - G dP,  E_j += (d_j + d+_j) / 2 dP_j    (over e^2 when d+_j < 0), at least 0.
 *
 * In time tau is the step, and sigma 1/2 or 1 / (1 + eta). In impulse tau = dP_i / lambda_i, where contact i
 * has the largest energy: the same scheme with steps of time that vary. */
#include <math.h>
#include <string.h>

#include "force.h"
#include "lzb.h"

/* Steps of impulse: energies below this share of the largest end with the expansion. */
static const double spent = 1e-13;

/* A contact is left alone below this share of the tolerances (of the energy: its square). Not at the
 * tolerances themselves: the wave would lose the beginning of every contact. */
static const double idle = 1e-2;

typedef struct explicit_run {
    lzb *s;
    bool by_impulse;
    double step;
    double spent;
    double *push;   /* dP; zero for contacts that are not active */
    double *factor; /* lambda = factor E^(eta / (1 + eta)); Hertz: of the fifth root's number */
    double *root;   /* Hertz: fifth root of 5 E / (2 K), which is the root of x */
    double *sigma;
} explicit_run;

static bool carries(const lzb *s, int j)
{
    /* With a small exponent even the smallest energy has a force. */
    const double least = s->space->exponent[j] < 0.5 ? 0.0 : idle * idle * s->energy_tolerance;
    return s->closing[j] > idle * s->velocity_tolerance || s->energy[j] > least;
}

static bool is_hertz(const lzb *s, int j)
{
    return s->space->exponent[j] == 1.5;
}

static void prepare(explicit_run *r, lzb *s)
{
    const size_t contacts = (size_t)s->contacts;
    const carom_contact_space *space = s->space;
    const bool exact = s->options->exact_start || s->options->method == CAROM_LZB_IMPULSE;
    *r = (explicit_run){.s = s,
                        .by_impulse = s->options->method == CAROM_LZB_IMPULSE,
                        .step = s->options->step,
                        .spent = s->options->method == CAROM_LZB_IMPULSE ? spent * s->energy_unit : 0.0,
                        .push = s->scratch,
                        .factor = s->scratch + contacts,
                        .root = s->scratch + 2 * contacts,
                        .sigma = s->scratch + 3 * contacts};
    memset(s->scratch, 0, 4 * contacts * sizeof *s->scratch);
    double heaviest = 0.0;
    for (int j = 0; j < s->contacts; j++) {
        const double eta = space->exponent[j], K = space->stiffness[j];
        r->factor[j] = is_hertz(s, j)
                           ? 2.5 / K
                           : pow(1.0 + eta, eta / (1.0 + eta)) * lzb_root_power(K, 1.0 / (1.0 + eta));
        r->sigma[j] = exact ? 1.0 / (1.0 + eta) : 0.5;
        heaviest = fmax(heaviest, 1.0 / space->entry[space->diagonal[j]]);
    }
    if (r->by_impulse && r->step == 0.0)
        r->step = 1e-4 * heaviest * s->speed;
    else if (r->step == 0.0)
        r->step = 1e-4 * s->time_unit * fmin(1.0, s->softest);
    if (r->by_impulse ? r->step > 0.1 * heaviest * s->speed : r->step > 0.1 * s->time_unit)
        s->result->notes |= CAROM_IMPACT_COARSE;
}

/* (19) */
static void find_forces(explicit_run *r)
{
    lzb *s = r->s;
    const carom_contact_space *space = s->space;
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        const double energy = s->energy[j];
        if (energy <= 0.0) {
            s->force[j] = 0.0;
        } else if (is_hertz(s, j)) {
            const double root = lzb_fifth_root(r->factor[j] * energy, r->root[j]);
            r->root[j] = root;
            s->force[j] = space->stiffness[j] * root * root * root;
        } else {
            s->force[j] = r->factor[j] * lzb_energy_power(energy, space->exponent[j]);
        }
    }
}

/* The time in which the contact with the largest energy takes one step of impulse, less where it would
 * release more than half of its energy; at the very start, when there is no energy yet, that of the fastest
 * contact. */
static double time_of_impulse(const explicit_run *r)
{
    const lzb *s = r->s;
    const carom_contact_space *space = s->space;
    int rich = -1, fast = -1;
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        if (s->energy[j] > 0.0 &&
            (rich < 0 || s->energy[j] > s->energy[rich] || (s->energy[j] == s->energy[rich] && j < rich)))
            rich = j;
        if (fast < 0 || s->closing[j] > s->closing[fast])
            fast = j;
    }
    if (rich < 0) {
        const double eta = space->exponent[fast];
        return lzb_root_power(r->step * (1.0 + eta) /
                                  (space->stiffness[fast] * lzb_power(s->closing[fast], eta)),
                              1.0 / (1.0 + eta));
    }
    const double d = s->closing[rich], most = 0.5 * s->restitution2[rich] * s->energy[rich];
    return (d < 0.0 && -d * r->step > most ? most / -d : r->step) / s->force[rich];
}

/* dP and P. */
static void push(explicit_run *r, double tau)
{
    lzb *s = r->s;
    const carom_contact_space *space = s->space;
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        double impulse = s->force[j] * tau;
        if (s->energy[j] <= 0.0)
            impulse = s->closing[j] > 0.0
                          ? r->sigma[j] *
                                lzb_force(s->closing[j] * tau, space->stiffness[j], space->exponent[j]) * tau
                          : 0.0;
        r->push[j] = impulse;
        s->result->impulse[j] += impulse;
    }
}

typedef struct news {
    bool matters; /* some contact does */
    bool changed; /* other contacts act than before */
} news;

/* (35), (36), with the energy never below zero. */
static void change_energy(explicit_run *r, int j, double before, double after)
{
    lzb *s = r->s;
    const double work = 0.5 * (before + after) * r->push[j];
    const double energy = s->energy[j] + (after >= 0.0 ? work : work / s->restitution2[j]);
    s->energy[j] = energy <= 0.0 || (after < 0.0 && energy < r->spent) ? 0.0 : energy;
}

static news move(explicit_run *r)
{
    lzb *s = r->s;
    news n = {false, false};
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        const double before = s->closing[j], after = before - lzb_row(s->space, j, r->push);
        s->closing[j] = after;
        if (i < s->list.active) {
            change_energy(r, j, before, after);
            lzb_count(s, j, s->energy[j]);
            lzb_peak(s, j, s->force[j]);
        }
        n.matters = n.matters || lzb_matters(s, j, s->energy[j]);
        n.changed = n.changed || carries(s, j) != (i < s->list.active);
    }
    return n;
}

/* Contacts that act no more leave no force behind. */
static void renew(explicit_run *r)
{
    lzb *s = r->s;
    for (int i = 0; i < s->list.active; i++) {
        r->push[s->list.member[i]] = 0.0;
        s->force[s->list.member[i]] = 0.0;
    }
    lzb_list_renew(s, carries, NULL, 0);
}

void lzb_explicit(lzb *s)
{
    explicit_run run, *r = &run;
    prepare(r, s);
    lzb_list_start(s);
    renew(r);
    news n = {.matters = true};
    while (n.matters && lzb_goes_on(s)) {
        find_forces(r);
        if (lzb_observe_due(s))
            lzb_observe(s);
        const double tau = r->by_impulse ? time_of_impulse(r) : r->step;
        push(r, tau);
        n = move(r);
        s->result->steps++;
        s->t = r->by_impulse ? s->t + tau : (double)s->result->steps * tau;
        if (n.changed)
            renew(r);
    }
    s->result->word = n.matters ? CAROM_IMPACT_NOT_CONVERGED : CAROM_IMPACT_OK;
}
