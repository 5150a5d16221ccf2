/* The nonlinear energy sink on an oscillator with dry friction (Lamarque and Ture Savadkoohi 2018):
 *
 *   x'' + w1^2 x + eps [a0 x' + alpha0 Sign(x') + beta z + lam (x' - y') + gamma (x - y)^3 - f0 sin(w t)]
 *     contains 0,   y'' + lam (y' - x') + gamma (y - x)^3 = 0,   z = x^3/3,   w = w1 + sigma eps.
 *
 * Envelopes: phi e^{i w t} = q' + i w q for the centre of mass (1), q = (x + eps y)/(1 + eps), the relative
 * displacement (2), q = x - y, and z (3); N is the modulus and d the argument of phi. In fast time phi_2
 * settles on the slow invariant manifold N1(N2), a curve with a maximum and a minimum; in slow time eps t the
 * motion follows it. At these folds it leaves the curve, at constant N1, and lands on the other branch.
 *
 * Formulas are those of the source with its misprints corrected; each was derived anew. */
#ifndef CAROM_SUBJECT_ENERGY_SINK_H
#define CAROM_SUBJECT_ENERGY_SINK_H

#include "carom/base.h"

typedef struct carom_energy_sink {
    double eps;        /* mass of the sink / mass of the oscillator */
    double w1;         /* frequency of the oscillator */
    double a0, alpha0; /* viscous damping and dry friction of the oscillator */
    double beta;       /* stiffness on z */
    double sigma;      /* detuning */
    double lam, gamma; /* damper and cubic spring of the sink */
    double f0;         /* forcing */
} carom_energy_sink;

/* Table 1 of the source, f0 = 4.019. */
carom_energy_sink carom_energy_sink_defaults(void);
/* BAD_INPUT says which value is out of range. */
carom_status carom_energy_sink_check(const carom_energy_sink *sink, carom_error *error);
/* w = w1 + sigma eps */
double carom_energy_sink_frequency(const carom_energy_sink *sink);

/* ---- slow invariant manifold ------------------------------------------------------------------------- */

/* N1 and d1 - d2 (in (-pi, 0)) on the manifold at N2 >= 0. */
double carom_manifold_amplitude(const carom_energy_sink *sink, double n2);
double carom_manifold_phase(const carom_energy_sink *sink, double n2);

/* A fold, and where the fast flow from it lands. */
typedef struct carom_manifold_fold {
    double n2, n1, phase;
    double landing;        /* N2 on the other branch, at the same N1 */
    double forcing, angle; /* f0 and d1 for which the fold is an equilibrium */
} carom_manifold_fold;

/* Two folds, the maximum of N1 first; 0: lam/w1 >= 1/sqrt(3), N1 grows with N2, no jumps. */
int carom_manifold_folds(const carom_energy_sink *sink, carom_manifold_fold fold[2]);

/* The forcing that makes N2 an equilibrium of the slow motion, and its d1 (may be NULL). */
double carom_manifold_forcing(const carom_energy_sink *sink, double n2, double *angle);

/* Below this forcing no motion slips all the time: 4 alpha0 / pi. */
double carom_energy_sink_least_forcing(const carom_energy_sink *sink);

/* ---- averaged motion ---------------------------------------------------------------------------------- */

/* phi_1, phi_2 as real numbers: Re phi_1, Im phi_1, Re phi_2, Im phi_2. */
enum {
    CAROM_AVERAGED = 4
};
/* From positions and velocities at t = 0. */
void carom_averaged_start(const carom_energy_sink *sink, double x, double x_dot, double y, double y_dot,
                          double phi[CAROM_AVERAGED]);
/* d phi / d t at finite eps. */
void carom_averaged_rate(const carom_energy_sink *sink, const double phi[CAROM_AVERAGED],
                         double rate[CAROM_AVERAGED]);
/* |phi_3| that goes with it. */
double carom_averaged_algebraic(const carom_energy_sink *sink, const double phi[CAROM_AVERAGED]);

/* All may be left zero. */
typedef struct carom_averaged_options {
    double rtol, atol; /* 0: 1e-9 and 1e-10, CAROM_ZERO: none of this kind */
    double step;       /* first guess, and afterwards the one to go on with; 0: a small one */
    long most_steps;   /* 0: 1e6 */
} carom_averaged_options;
carom_averaged_options carom_averaged_defaults(void); /* what 0 stands for */

/* Moves phi by `duration` (Dormand and Prince 5(4)). options NULL: defaults; their step is updated.
 * FAILED: the steps ran out or became too small. */
carom_status carom_averaged_flow(const carom_energy_sink *sink, double duration,
                                 carom_averaged_options *options, double phi[CAROM_AVERAGED],
                                 carom_error *error);

/* ---- equilibria ------------------------------------------------------------------------------------- */

typedef struct carom_sink_equilibrium {
    double n1, n2;               /* leading order */
    double finite_n1, finite_n2; /* of the averaged motion at finite eps */
    double phi[CAROM_AVERAGED];
    double growth; /* largest real part of the eigenvalues there */
    bool stable;
} carom_sink_equilibrium;

/* All may be left zero. */
typedef struct carom_equilibria_options {
    double n2_max; /* 0: 8 */
    int points;    /* of the grid on which roots are looked for; 0: 80001 */
} carom_equilibria_options;
carom_equilibria_options carom_equilibria_defaults(void); /* what 0 stands for */

/* All equilibria for the sink's f0, N2 ascending, the first `most` of them; `found` may be larger. options
 * NULL: defaults. BAD_INPUT: a sink that carom_energy_sink_check refuses, a grid without points. FAILED:
 * Newton's method at finite eps did not converge. */
carom_status carom_sink_equilibria(const carom_energy_sink *sink, const carom_equilibria_options *options,
                                   int most, carom_sink_equilibrium *equilibrium, int *found,
                                   carom_error *error);

/* ---- envelopes of a motion ---------------------------------------------------------------- */

/* First harmonic: mean of (q' + i w q) e^{-i w t} over one period of `samples` outputs, which are 2 pi/(w
 * samples) apart. */
typedef struct carom_envelope {
    double w;
    int samples, taken;
    double real, imaginary;                      /* sums so far */
    double value_real, value_imaginary, modulus; /* of the last full period */
} carom_envelope;
carom_envelope carom_envelope_of(double w, int samples);
/* True when a period is full: its value is there. */
bool carom_envelope_take(carom_envelope *envelope, double t, double q, double q_dot);

#endif
