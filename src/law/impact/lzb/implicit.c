/* Method implicit: steps of time that keep the energy, for exponents as small as one likes.
 *
 * Over a step the force is that of the energy, the speed the mean of both ends (a discrete gradient):
 *
 *   x+ = x + h r(d - h/2 G lambda),  lambda = (E(x+) - E(x)) / (x+ - x),  d+ = d - h G lambda,
 *
 * (the end instead of the mean where an indentation is stiff: the mean would let it ring), with r(d) = d or d
 * / e^2 by the sign of d, and E(x) = 0 for x < 0, where the contact has opened: x+ = 0 then. So sum of E
 * changes by exactly what the forces do, e^2 of it in expansion. E is convex, lambda grows with x+, and the
 * equations are those of a strictly convex minimum whatever h, K and eta: Gauss and Seidel's sweeps over the
 * contacts converge to it, each of them one equation that grows with its unknown. As eta -> 0 the unknown
 * force stays bounded while x may vanish; hence the force at the end, y = K x+^eta, is the unknown. */
#include <math.h>
#include <string.h>

#include "force.h"
#include "lzb.h"
#include "root.h"

/* Change of a mean closing speed in a sweep, against the largest speed, that ends the sweeps. */
static const double settled = 1e-13;

/* Sweeps that did not settle better than this have failed. */
static const double unsettled = 1e-8;

enum {
    SWEEPS_MOST = 20000
};

typedef struct implicit_run {
    lzb *s;
    double h;
    double *mean;  /* lambda, the mean force of the step */
    double *after; /* x+, negative for a contact that opens */
    double *force; /* K x+^eta, also where x+ is too small for a number */
    double *stiff; /* indentations below this are stiff: eta K x^(eta - 1) G_jj h^2 > 1 */
} implicit_run;

/* One contact with the others' forces given: mean speed + a lambda = q. */
typedef struct equation {
    double h, q, a;
    double stiffness, eta, restitution2;
    double x, force; /* before */
    double x_after, force_after, mean;
} equation;

/* The mean of K x^eta from x to x+; near each other by Simpson's rule, where the quotient would cancel. */
static double mean_force(const equation *c, double x_after, double force_after)
{
    if (c->x <= 0.0) /* x_after may be too small for a number */
        return force_after / (1.0 + c->eta);
    const double step = x_after - c->x;
    if (fabs(step) > 1e-3 * c->x)
        return (x_after * force_after - c->x * c->force) / ((1.0 + c->eta) * step);
    const double middle = lzb_force(c->x + 0.5 * step, c->stiffness, c->eta);
    return (c->force + 4.0 * middle + force_after) / 6.0;
}

/* r^-1 of the rate of x, plus a lambda, less q; grows with the force at the end. */
static double imbalance(void *context, double force_after)
{
    equation *c = context;
    c->force_after = force_after;
    c->x_after = force_after > 0.0 ? pow(force_after / c->stiffness, 1.0 / c->eta) : 0.0;
    c->mean = mean_force(c, c->x_after, force_after);
    const double rate = (c->x_after - c->x) / c->h;
    return (rate < 0.0 ? c->restitution2 * rate : rate) + c->a * c->mean - c->q;
}

/* The contact gives its energy E away and opens: lambda u = E, -e^2 u / h + a E / u = q with u = x - x+. */
static void solve_opening(equation *c, double energy)
{
    const double p = c->restitution2 / c->h, root = sqrt(c->q * c->q + 4.0 * p * c->a * energy);
    const double u = c->q < 0.0 ? (root - c->q) / (2.0 * p) : 2.0 * c->a * energy / (c->q + root);
    c->mean = energy / u;
    c->x_after = c->x - u;
    c->force_after = 0.0;
}

static void solve_contact(equation *c, double tolerance)
{
    const double energy = c->x * c->force / (1.0 + c->eta);
    c->mean = c->x_after = c->force_after = 0.0;
    if (energy <= 0.0 && c->q <= 0.0)
        return;
    if (energy > 0.0 && c->a * energy / c->x - c->restitution2 * c->x / c->h >= c->q) {
        solve_opening(c, energy);
        return;
    }
    /* The force at the end is at most that of a free flight, and that of a mean speed which just opens it. */
    const double free_x = c->x + c->h * fmax(c->q, 0.0);
    const double most = fmin(lzb_force(free_x, c->stiffness, c->eta),
                             (1.0 + c->eta) * (c->q + c->restitution2 * c->x / c->h) / c->a);
    const double high = imbalance(c, most);
    if (high > tolerance)
        lzb_root(imbalance, c, most, high, 0.0, imbalance(c, 0.0), tolerance, 1e-15 * most);
}

/* One contact after the other; returns the largest change of a mean closing speed. */
static double sweep(implicit_run *r, bool backwards)
{
    lzb *s = r->s;
    const carom_contact_space *space = s->space;
    double most = 0.0;
    for (int i = 0; i < s->contacts; i++) {
        const int j = backwards ? s->contacts - 1 - i : i;
        const double part = s->indentation[j] < r->stiff[j] ? r->h : 0.5 * r->h;
        const double own = space->entry[space->diagonal[j]];
        equation c = {.h = r->h,
                      .a = part * own,
                      .q = s->closing[j] - part * (lzb_row(space, j, r->mean) - own * r->mean[j]),
                      .stiffness = space->stiffness[j],
                      .eta = space->exponent[j],
                      .restitution2 = s->restitution2[j],
                      .x = s->indentation[j],
                      .force = s->force[j]};
        solve_contact(&c, 0.1 * settled * s->speed);
        most = fmax(most, c.a * fabs(c.mean - r->mean[j]));
        r->mean[j] = c.mean;
        r->after[j] = c.x_after;
        r->force[j] = c.force_after;
    }
    return most / s->speed;
}

/* Whether a contact still matters after the step. */
static bool take_step(implicit_run *r)
{
    lzb *s = r->s;
    const carom_contact_space *space = s->space;
    bool matters = false;
    for (int j = 0; j < s->contacts; j++) {
        s->closing[j] -= r->h * lzb_row(space, j, r->mean);
        s->result->impulse[j] += r->h * r->mean[j];
        s->indentation[j] = fmax(r->after[j], 0.0);
        s->force[j] = r->force[j];
        s->energy[j] = s->indentation[j] * s->force[j] / (1.0 + space->exponent[j]);
        lzb_count(s, j, s->energy[j]);
        lzb_peak(s, j, s->force[j]);
        matters = matters || lzb_matters(s, j, s->energy[j]);
    }
    s->result->steps++;
    s->t = (double)s->result->steps * r->h;
    return matters;
}

static void prepare(implicit_run *r, lzb *s)
{
    const carom_contact_space *space = s->space;
    const size_t contacts = (size_t)s->contacts;
    *r = (implicit_run){.s = s,
                        .h = s->options->step > 0.0 ? s->options->step
                                                    : 1e-3 * s->time_unit * fmin(1.0, s->softest),
                        .mean = s->scratch,
                        .after = s->scratch + contacts,
                        .force = s->scratch + 2 * contacts,
                        .stiff = s->scratch + 3 * contacts};
    memset(s->scratch, 0, 4 * contacts * sizeof *s->scratch);
    for (int j = 0; j < s->contacts; j++) {
        const double eta = space->exponent[j];
        if (eta < 1.0)
            r->stiff[j] = pow(eta * space->stiffness[j] * space->entry[space->diagonal[j]] * r->h * r->h,
                              1.0 / (1.0 - eta));
    }
    if (r->h > 0.1 * s->time_unit)
        s->result->notes |= CAROM_IMPACT_COARSE;
}

void lzb_implicit(lzb *s)
{
    implicit_run run, *r = &run;
    prepare(r, s);
    double worst = 0.0;
    bool matters = true;
    while (matters && lzb_goes_on(s)) {
        if (lzb_observe_due(s))
            lzb_observe(s);
        double change = INFINITY;
        for (int i = 0; i < SWEEPS_MOST && change > settled; i++)
            change = sweep(r, i % 2 == 1);
        worst = fmax(worst, change);
        matters = take_step(r);
    }
    const bool failed = matters || worst > unsettled;
    s->result->word = failed ? CAROM_IMPACT_NOT_CONVERGED : CAROM_IMPACT_OK;
}
