/* modes: periodic motions with impacts (nonsmooth modes), their branches, shooting on any model, harmonic
 * balance.
 *
 *   linear systems against one constraint   k impacts per period in closed form or k - 1 equations
 *   any model                               shooting over flights between located impacts
 *   both                                    branches by pseudo-arclength, with classified ends */
#ifndef CAROM_PERIODIC_MODES_H
#define CAROM_PERIODIC_MODES_H

#include "carom/scheme.h"

/* Multipliers of conservative motions include a defective double 1, which rounding moves by some 1e-6: a
 * motion is called stable when none is larger than this. */
#define CAROM_STABLE_MULTIPLIER (1.0 + 1e-5)

/* ---- linear systems against one constraint ----------------------------------------------------------
 *
 *   M u'' + K u = w lambda,   0 <= lambda  _|_  g = w . u + g0 >= 0,   elastic impacts. */
typedef struct carom_mode_system {
    int dof;
    const double *mass, *stiffness; /* n x n, symmetric positive definite */
    const double *direction;        /* w */
    double clearance;               /* g0 > 0 */
} carom_mode_system;

/* A chain that is fixed at one end, n masses m and springs k, and whose last mass is held back, u_n <= g0:
 * fills n x n, n x n and n numbers. m = 1 / n and k = n is the unit bar. */
void carom_mode_chain(int dof, double mass, double stiffness, double *mass_matrix, double *stiffness_matrix,
                      double *direction);

/* Linear modes: K phi_j = omega_j^2 M phi_j, mass-normalised, ascending. */
typedef struct carom_mode_basis {
    carom_arena *arena; /* owns the arrays and this struct */
    int dof;
    double clearance;
    double *omega;
    double *shape;         /* row j is phi_j */
    double *participation; /* b_j = w . phi_j */
    double reach;          /* b . b = w . M^-1 w */
} carom_mode_basis;

/* BAD_INPUT: M or K not symmetric positive definite, w = 0, g0 <= 0. *basis is NULL when it fails. */
carom_status carom_mode_basis_create(const carom_mode_system *system, carom_mode_basis **basis,
                                     carom_error *error);
void carom_mode_basis_free(carom_mode_basis *basis);
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

/* One impact per period T, closed form. OK with any verdict. */
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
/* The same from a grid of guesses up to these durations: the admissible motion of the shortest period. */
carom_status carom_mode_stick_search(const carom_mode_basis *basis, double flight_max, double contact_max,
                                     carom_mode_sticking *motion, carom_error *error);

/* ---- pseudo-arclength: the curve f(x, p) = 0 ---------------------------------------------------------- */

typedef struct carom_arclength_problem {
    int size; /* of x and f */
    void *context;
    /* False where f cannot be computed. */
    bool (*residual)(void *context, const double *x, double p, double *f);
    /* df/dx, size x size, and df/dp; NULL: central differences. */
    bool (*jacobian)(void *context, const double *x, double p, double *by_x, double *by_p);
    const double *scale;    /* typical sizes of x: lengths and differences are relative to them; NULL: 1 */
    double parameter_scale; /* likewise of p; 0: 1 */
} carom_arclength_problem;

typedef struct carom_arclength_options {
    double step, step_min, step_max; /* of arc length */
    double direction;                /* sign: where p goes first */
    double tolerance;                /* of max |f| */
    double turn;                     /* largest angle between two steps */
    int iterations;                  /* of Newton's method */
} carom_arclength_options;
carom_arclength_options carom_arclength_defaults(void);

typedef struct carom_arclength carom_arclength;
/* Corrects x at p; FAILED when Newton's method does not converge there. */
carom_status carom_arclength_create(const carom_arclength_problem *problem,
                                    const carom_arclength_options *options, const double *x, double p,
                                    carom_arclength **curve, carom_error *error);
void carom_arclength_free(carom_arclength *curve);
/* The next point: secant predictor (at first the tangent), Newton corrector on the hyperplane, step halved
 * until it converges. FAILED: "the Newton path is lost ..."; the point stays. */
carom_status carom_arclength_step(carom_arclength *curve, carom_error *error);
const double *carom_arclength_x(const carom_arclength *curve);
double carom_arclength_parameter(const carom_arclength *curve);
/* Did p turn back at the point before this one? */
bool carom_arclength_folded(const carom_arclength *curve);
/* A point between the one before (share 0) and this one (share 1). */
carom_status carom_arclength_between(carom_arclength *curve, double share, double *x, double *p,
                                     carom_error *error);

/* Newton's method with differences for f(x, p) = 0 at fixed p, damped; x is improved in place. FAILED says
 * how far it came. iterations and residual may be NULL. */
carom_status carom_newton(const carom_arclength_problem *problem, const carom_arclength_options *options,
                          double p, double *x, int *iterations, double *residual, carom_error *error);

/* ---- branches ----------------------------------------------------------------------------------------- */

/* Why a branch ends. */
typedef enum carom_branch_end {
    CAROM_END_OF_RANGE,    /* the parameter has left what was asked for */
    CAROM_END_OF_POINTS,   /* as many points as were asked for */
    CAROM_END_LINEAR_MODE, /* all impulses vanish: a smooth motion that grazes */
    CAROM_END_ENERGY,      /* the energy grows without bound (a pole) */
    CAROM_END_JUNCTION,    /* the gap touches zero between impacts: an impact more, or another contact */
    CAROM_END_GRAZE,       /* the impulse of one impact vanishes: an impact less */
    CAROM_END_STICKING,    /* a flight vanishes: impacts merge to a phase of contact */
    CAROM_END_LOST,        /* Newton's method fails, whatever the step */
} carom_branch_end;
/* "range", "points", "linear", "energy", "junction", "graze", "sticking", "lost" */
const char *carom_branch_end_word(carom_branch_end end);

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

/* One point of a branch of any kind. */
typedef struct carom_branch_point {
    double parameter; /* what was continued in; of linear systems the period */
    double period, energy;
    double multiplier; /* largest modulus */
    double gap;        /* smallest between impacts */
    double impulse;    /* smallest; of shooting: approach speed */
    double strongest;  /* impulse, likewise */
    int impacts;
    bool admissible;
    bool fold;     /* the parameter turns back here */
    bool stable;   /* multiplier <= CAROM_STABLE_MULTIPLIER */
    bool crossing; /* located: the stability changes here */
} carom_branch_point;

typedef struct carom_branch {
    int count, width;
    carom_branch_point *point;
    double *unknown; /* count x width: flights, or states and flights */
    carom_branch_end end;
    char text[300]; /* the end in words */
} carom_branch;
void carom_branch_free(carom_branch *branch);

typedef struct carom_branch_options {
    carom_arclength_options arclength;
    double parameter_min, parameter_max;
    int points_max;
    double energy_max;       /* ENERGY: this many times the energy at the start */
    double flight_min;       /* STICKING: a flight of this share of the period */
    bool through;            /* go on where motions are no longer admissible */
    carom_progress progress; /* over the range of the parameter, once per point; LOST when it asks to stop */
} carom_branch_options;
carom_branch_options carom_branch_defaults(void);

/* Follows a motion with k > 1 impacts over the period, from the one given; a symmetric one (pairs > 0) stays
 * so: unknowns s_1 .. s_r, else the first k - 1 flights. */
carom_status carom_mode_follow(const carom_mode *start, int pairs, const carom_branch_options *options,
                               carom_branch *branch, carom_error *error);

/* ---- shooting on any model ------------------------------------------------------------------------------
 *
 * Unknown: the state right after an impact, the k flights, and with them one number more that makes the
 * equations regular. Flights are of given duration and end at the contact of their impact, so that everything
 * is smooth in the unknowns:
 *
 *   x_k(x_0) = x_0,   gap_i(q at the end of flight i) = 0,   sum of flights = T. */
typedef enum carom_shooting_kind {
    CAROM_SHOOT_CONSERVATIVE, /* T is given; one number more: a damping that comes out as 0 */
    CAROM_SHOOT_SYMMETRIC,    /* the same with one impact, symmetric in time: half a period suffices */
    CAROM_SHOOT_AUTONOMOUS,   /* not conservative: T is found */
    CAROM_SHOOT_FORCED,       /* T is given; one number more: the time of the first impact */
} carom_shooting_kind;

enum {
    CAROM_SHOOT_PERIOD = -1 /* in place of a parameter's index: the period */
};

typedef struct carom_shooting_problem {
    const carom_model *model;
    const double *parameter; /* values; copied */
    carom_shooting_kind kind;
    int impacts;
    const int *contact; /* per impact; copied. Flight i leads from impact i to impact i + 1 (mod k) */
    double period;      /* T; AUTONOMOUS: not used */
    int frequency;      /* FORCED: parameter with the circular frequency, T = multiple 2 pi / it; -1: none */
    int multiple;
    double tolerance; /* of the flow and of Newton's method; 0: 1e-11 */
} carom_shooting_problem;

typedef struct carom_shooting carom_shooting;
/* BAD_INPUT: friction, joints, restitution not given or not 1 where the kind asks for it, ... */
carom_status carom_shooting_create(const carom_shooting_problem *problem, carom_shooting **shooting,
                                   carom_error *error);
void carom_shooting_free(carom_shooting *shooting);

/* A periodic motion of a model. The arrays are the caller's: q and v dof numbers, flight one per impact. */
typedef struct carom_shot {
    double *q, *v;  /* right after the first impact */
    double *flight; /* guess, then found */
    double t0;      /* time of the first impact */
    double period, energy;
    int iterations;
    double residual;
    double gap, gap_time; /* smallest gap of any contact between impacts: minima inside flights */
    int gap_contact;
    double approach, strongest; /* smallest and largest approach speed of an impact */
    bool admissible;
    double multiplier; /* largest modulus */
} carom_shot;

/* Newton's method from the guess in shot. FAILED: "the Newton path is lost ...", with what to try. */
carom_status carom_shooting_solve(carom_shooting *shooting, carom_shot *shot, carom_error *error);
/* Changes one parameter (or CAROM_SHOOT_PERIOD) for what follows. */
carom_status carom_shooting_set(carom_shooting *shooting, int parameter, double value, carom_error *error);
/* 2n x 2n: derivative of the state after one period by the state right after the first impact, by saltation
 * matrices. */
carom_status carom_shooting_monodromy(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                      carom_error *error);
/* The same from the middle of the first flight by differences of the event-driven scheme, which finds the
 * impacts itself: similar to the other one. *difference: how far the state is from itself after one period.
 */
carom_status carom_shooting_verify(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                   double *difference, carom_error *error);
/* Eigenvalues of an n x n matrix and their largest modulus; real and imaginary may be NULL. */
carom_status carom_multipliers(int n, const double *matrix, double *real, double *imaginary, double *largest,
                               carom_error *error);
/* Continues in a parameter of the model or CAROM_SHOOT_PERIOD. unknown of the branch: q, v, flights, t0. The
 * shot is a solution or a good guess, and afterwards the last point. */
carom_status carom_shooting_follow(carom_shooting *shooting, int parameter, carom_shot *shot,
                                   const carom_branch_options *options, carom_branch *branch,
                                   carom_error *error);

/* ---- harmonic balance ------------------------------------------------------------------------------------
 *
 * Even motions of a linear system against one constraint, the contact force as a cosine series,
 *   lambda = sum_k L_k cos(k w t),   g = g0 + sum_k L_k H_k cos(k w t),   H_k = sum_j b_j^2 / (om_j^2 - k^2
 * w^2), with lambda = max(lambda - alpha g, 0) in the mean against each cosine. */
typedef struct carom_harmonic_options {
    int harmonics; /* N */
    double alpha;  /* > 0 */
    double tolerance;
    int iterations;
    int retries; /* other starts, where the solution is trivial */
} carom_harmonic_options;
carom_harmonic_options carom_harmonic_defaults(void);

typedef struct carom_harmonic_motion {
    double energy;      /* at T/2, where velocities vanish */
    double penetration; /* largest -g */
    double impulse;     /* integral of lambda over the period */
    bool trivial;       /* u = 0 */
    int iterations;
    double residual;
} carom_harmonic_motion;

/* force: N + 1 coefficients L_k, or NULL. FAILED: no convergence. */
carom_status carom_harmonic_balance(const carom_mode_basis *basis, double frequency,
                                    const carom_harmonic_options *options, double *force,
                                    carom_harmonic_motion *motion, carom_error *error);

#endif
