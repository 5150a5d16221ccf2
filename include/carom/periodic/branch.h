/* periodic: curves f(x, p) = 0 by pseudo-arclength, and the branches of periodic motions along them. */
#ifndef CAROM_PERIODIC_BRANCH_H
#define CAROM_PERIODIC_BRANCH_H

#include "carom/periodic/multipliers.h"

/* ---- what a branch that was stopped remembers ---------------------------------------------------------- */

/* Remembers what was computed along a branch, so that one that is followed once more, in another process, need not compute
 * it again. It is asked for in the same order then, with the same bits. */
typedef struct carom_branch_memo {
    void *context;
    /* What the next computation gave, `count` numbers for `size` numbers x and p; false: it is not known, or was of another
     * argument. *good: it could be computed. */
    bool (*recall)(void *context, int size, const double *x, double p, int count, double *value, bool *good);
    void (*keep)(void *context, int size, const double *x, double p, int count, const double *value,
                 bool good);
} carom_branch_memo;

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

/* All may be left zero. Lengths are of scaled unknowns, angles in radians. */
typedef struct carom_arclength_options {
    double step, step_min, step_max; /* of arc length: the first, least and largest; 0: 0.01, 1e-7, 0.1 */
    double direction;                /* its sign: where p goes first; 0: up */
    double tolerance;                /* of max |f|; 0: 1e-10 */
    double turn;                     /* largest angle between two steps; 0: 0.35 */
    int iterations;                  /* of Newton's method, at most; 0: 30 */
    const carom_branch_memo *memo;   /* of f; NULL: none */
} carom_arclength_options;
/* What 0 stands for. */
carom_arclength_options carom_arclength_defaults(void);

typedef struct carom_arclength carom_arclength;
/* Corrects x (a guess, `size` numbers; copied) at p. options NULL: defaults. BAD_INPUT: no f, no unknowns,
 * a step or tolerance that is not positive. FAILED when Newton's method does not converge there. The
 * problem's arrays must outlive the curve, which the caller frees; *curve is NULL when it fails. */
carom_status carom_arclength_create(const carom_arclength_problem *problem,
                                    const carom_arclength_options *options, const double *x, double p,
                                    carom_arclength **curve, carom_error *error);
void carom_arclength_free(carom_arclength *curve);
/* The next point: secant predictor (at first the tangent), Newton corrector on the hyperplane, step halved
 * until it converges. FAILED: "the Newton path is lost ..."; the point stays. */
carom_status carom_arclength_step(carom_arclength *curve, carom_error *error);
/* Where the curve is now; x is the curve's memory and changes with the next step. */
const double *carom_arclength_x(const carom_arclength *curve);
double carom_arclength_parameter(const carom_arclength *curve);
/* Did p turn back at the point before this one? */
bool carom_arclength_folded(const carom_arclength *curve);
/* A point of the curve between the one before (share 0) and this one (share 1): x gets `size` numbers.
 * FAILED when Newton's method does not find it. */
carom_status carom_arclength_between(carom_arclength *curve, double share, double *x, double *p,
                                     carom_error *error);

/* Newton's method with differences for f(x, p) = 0 at fixed p, damped; x is improved in place. FAILED says
 * how far it came. options NULL: defaults; iterations and residual may be NULL. Takes memory while it works. */
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

/* What happens at a point that was located between two others. */
typedef enum carom_special {
    CAROM_SPECIAL_NONE,
    CAROM_SPECIAL_FOLD, /* the parameter turns back; a multiplier is 1 */
    CAROM_SPECIAL_FLIP, /* a multiplier is -1: a motion of twice the period branches off */
    CAROM_SPECIAL_BRANCH, /* a multiplier is 1 and the parameter does not turn: branches meet, as where a symmetry breaks */
    CAROM_SPECIAL_TORUS,   /* Neimark-Sacker: a complex pair of multipliers has modulus 1 */
    CAROM_SPECIAL_GRAZING, /* a gap touches zero between impacts, or an impact loses its speed */
    CAROM_SPECIAL_CORNER,  /* two contacts are struck at once */
    CAROM_SPECIAL_ENERGY, /* conserved energy: it is least or largest among the motions of these parameters, and a multiplier
                            * is 1: a fold over the energy */
    CAROM_SPECIAL_STICKING, /* an impact loses its speed and is pressed on, or two of one contact meet: it would stay */
    CAROM_SPECIAL_STABILITY, /* the stability changes in another way, or in one that is not looked at */
} carom_special;
/* "", "fold", "flip", "branch-point", "neimark-sacker", "grazing", "corner", "energy-fold", "sticking", "stability" */
const char *carom_special_word(carom_special special);

/* One point of a branch of any kind. */
typedef struct carom_branch_point {
    double parameter; /* what was continued in; of linear systems the period */
    double other;     /* of a locus over two parameters: the one that changes with it */
    double period, energy;
    double reach;      /* of shooting: largest position of a coordinate over the period; 0: not known */
    double multiplier; /* largest modulus */
    double gap;        /* smallest between impacts */
    double impulse;    /* smallest; of shooting: approach speed */
    double strongest;  /* impulse, likewise */
    int impacts;
    bool admissible;
    bool fold;     /* the parameter turns back here */
    bool stable;   /* multiplier <= CAROM_STABLE_MULTIPLIER */
    bool crossing; /* located: the stability changes here */
    carom_special special;
    double real, imaginary; /* FLIP, FOLD, BRANCH, TORUS: the multiplier that is on the unit circle */
    int contact;            /* GRAZING, CORNER, STICKING: which one; otherwise -1 or 0 */
    /* Change sign where a multiplier is 1, where one is -1, and where the product of two is 1; 0: not known. */
    double fold_test, flip_test, torus_test;
} carom_branch_point;

typedef struct carom_branch {
    int count, width;
    carom_branch_point *point;
    double *unknown; /* count x width: flights, or states and flights */
    carom_branch_end end;
    char text[300]; /* the end in words */
} carom_branch;
void carom_branch_free(carom_branch *branch);

/* All may be left zero. */
typedef struct carom_branch_options {
    carom_arclength_options arclength;   /* its tolerance 0: 1e-11 here */
    double parameter_min, parameter_max; /* the range; both 0: no bounds. One alone may be 0 itself */
    int points_max;                      /* 0: 400 */
    double energy_max;                   /* ENERGY: this many times the energy at the start; 0: 1e4 */
    double flight_min;       /* STICKING: a flight of this share of the period; 0: 1e-3, CAROM_ZERO: none */
    bool through;            /* go on where motions are no longer admissible */
    carom_progress progress; /* over the range of the parameter, once per point; LOST when it asks to stop */
} carom_branch_options;
/* What 0 stands for. */
carom_branch_options carom_branch_defaults(void);

#endif
