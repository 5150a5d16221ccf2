/* periodic: motions of a linear system that strikes one constraint k times per period (nonsmooth modes), in
 * closed form or by k - 1 equations; their multipliers, windows of periods, and branches.
 *
 * Amplitudes are modal: u = sum_j a_j phi_j, b_j = w . phi_j. */
#ifndef CAROM_PERIODIC_MODES_H
#define CAROM_PERIODIC_MODES_H

#include "carom/periodic/branch.h"
#include "carom/periodic/oscillator.h"

/* Energy of linear mode j whose gap just touches zero: infinite when the constraint does not see it. */
double carom_mode_grazing_energy(const carom_mode_basis *basis, int j);

typedef enum carom_mode_verdict {
    CAROM_MODE_ADMISSIBLE,
    CAROM_MODE_LIMIT,     /* the period is that of a linear mode, which grazes: no impulse */
    CAROM_MODE_DIVERGE,   /* no finite impulse: the energy is infinite */
    CAROM_MODE_PULL,      /* the constraint would have to pull */
    CAROM_MODE_PENETRATE, /* the gap is negative between impacts */
    CAROM_MODE_REPEATED,  /* a motion of a shorter period, several times */
} carom_mode_verdict;
/* "admissible", "limit", "diverge", "pull", "penetrate", "repeated" */
const char *carom_mode_verdict_word(carom_mode_verdict verdict);

/* A periodic motion. Amplitudes are modal, u = sum_j a_j phi_j. What is not known (DIVERGE) is NAN. */
typedef struct carom_mode {
    carom_arena *arena; /* owns the arrays and this struct */
    const carom_mode_basis *basis;
    int impacts; /* 0: LIMIT */
    double period;
    double *time, *flight, *impulse; /* per impact; the first is at 0 */
    double *amplitude, *rate;        /* per flight n numbers: a and a' right after its impact */
    double *q, *v;                   /* right after the first impact */
    double energy;
    double gap, gap_time; /* smallest gap between impacts: of its minima inside flights, INFINITY: none */
    int linear_mode;      /* LIMIT: which, from 0; else -1 */
    carom_mode_verdict verdict;
    char text[200]; /* the verdict in words */
} carom_mode;

void carom_mode_free(carom_mode *mode);
/* u and u' at any time; at an impact after it. Either may be NULL. */
void carom_mode_state(const carom_mode *mode, double t, double *u, double *v);

/* One impact per period T, closed form. OK with any verdict. BAD_INPUT: a period that is not positive. The
 * caller frees the mode with carom_mode_free, here and below; the basis must outlive it. */
carom_status carom_mode_one_impact(const carom_mode_basis *basis, double period, carom_mode **mode,
                                   carom_error *error);
/* Two impacts per period: all motions found by a scan of the first flight over (0, T/2), up to `most`. */
carom_status carom_mode_two_impacts(const carom_mode_basis *basis, double period, int most, carom_mode **mode,
                                    int *found, carom_error *error);
/* k impacts: Newton's method from guessed flights (k numbers; their sum is scaled to T). */
carom_status carom_mode_impacts(const carom_mode_basis *basis, double period, int impacts,
                                const double *flight, carom_mode **mode, carom_error *error);
/* Impacts at 0 and +-s_1, .., +-s_r, 0 < s_1 < .. < T/2: Newton's method from guessed s. */
carom_status carom_mode_symmetric(const carom_mode_basis *basis, double period, int pairs, const double *side,
                                  carom_mode **mode, carom_error *error);

/* The 2n Floquet multipliers by saltation matrices; *largest is the largest modulus. real and imaginary may
 * be NULL. BAD_INPUT: the motion has no impact with an impulse. */
carom_status carom_mode_multipliers(const carom_mode *mode, double *real, double *imaginary, double *largest,
                                    carom_error *error);

/* ---- one sticking phase per period -------------------------------------------------------------------- */

typedef struct carom_mode_sticking {
    double flight, contact; /* durations */
    double period, energy;
    double gap;      /* smallest in flight */
    double reaction; /* smallest in contact; both are 0 at release */
    bool admissible;
    double *q, *v; /* at release; n numbers each, the caller's memory or NULL */
} carom_mode_sticking;

/* Motions that are symmetric in time: Newton's method for the durations from guesses. FAILED: no convergence
 * to positive durations. The caller sets q and v before. */
carom_status carom_mode_stick(const carom_mode_basis *basis, double flight, double contact,
                              carom_mode_sticking *motion, carom_error *error);
/* The same from a grid of guesses: admissible motions up to this period, the shortest `most` of them, by
 * period. progress may be all zero; INTERRUPTED when it asks to stop. */
carom_status carom_mode_stick_search(const carom_mode_basis *basis, double period_max, int most,
                                     carom_progress progress, carom_mode_sticking *motion, int *count,
                                     carom_error *error);

/* ---- branches ----------------------------------------------------------------------------------------- */

/* Windows of T with admissible motions of one impact per period. */
typedef struct carom_mode_window {
    double period[2], energy[2]; /* both ends; INFINITY at a pole */
    carom_branch_end end[2];
    double touch_time[2]; /* JUNCTION: when the gap touches zero */
} carom_mode_window;
/* Periods from..to in steps; ends are bisected. Windows shorter than the step are overlooked. Finds up to
 * `most`, in ascending order. progress may be all zero; INTERRUPTED when it asks to stop. */
carom_status carom_mode_scan(const carom_mode_basis *basis, double from, double to, double step, int most,
                             carom_progress progress, carom_mode_window *window, int *found,
                             carom_error *error);

/* Follows a motion with k > 1 impacts over the period, from the one given; a symmetric one (pairs > 0)
 * stays so: unknowns s_1 .. s_r, else the first k - 1 flights. options NULL: defaults. The branch is the
 * caller's to free in every case. */
carom_status carom_mode_follow(const carom_mode *start, int pairs, const carom_branch_options *options,
                               carom_branch *branch, carom_error *error);

#endif
