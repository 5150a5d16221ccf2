/* periodic: motions of linear oscillators that strike rigid obstacles, by the pattern of impacts.
 *
 * A motion of period T that is even in time and strikes each obstacle at most once per period strikes at
 * multiples of T/2 only. Which obstacle strikes when is its pattern; given that, the motion is the solution
 * of one linear system, and a motion indeed if it keeps the inequalities (James, Acary and Perignon). */
#ifndef CAROM_PERIODIC_PATTERN_H
#define CAROM_PERIODIC_PATTERN_H

#include "carom/periodic/branch.h"
#include "carom/periodic/oscillator.h"

typedef enum carom_phase {
    CAROM_PHASE_NEVER, /* I_0 */
    CAROM_PHASE_HALF,  /* I_1: strikes at T/2, modulo T */
    CAROM_PHASE_START, /* I_2: strikes at 0, modulo T */
} carom_phase;

/* Pattern from the lists of contacts that strike at T/2 and at 0. BAD_INPUT: an index outside
 * 0..contacts - 1 (it is not taken modulo), a contact in both lists, both lists empty. */
carom_status carom_pattern_make(int contacts, int half_count, const int *half, int start_count,
                                const int *start, carom_phase *pattern, carom_error *error);

typedef enum carom_orbit_word {
    CAROM_ORBIT_OK,
    CAROM_ORBIT_GRAZE,     /* a contact of the pattern strikes with no velocity */
    CAROM_ORBIT_PULL,      /* ... would have to be pulled by the obstacle */
    CAROM_ORBIT_TOUCH,     /* a contact that is not in the pattern reaches its obstacle */
    CAROM_ORBIT_PENETRATE, /* a contact of the pattern does so between its impacts */
    CAROM_ORBIT_SINGULAR,  /* no solution, or infinitely many: period and frequencies are in resonance */
    CAROM_ORBIT_DIVERGE,   /* next to a pole: amplitude above the limit */
} carom_orbit_word;

/* "ok", "graze", ... */
const char *carom_orbit_word_text(carom_orbit_word word);

/* All may be left zero. */
typedef struct carom_orbit_options {
    /* Of gaps, times the larger of the largest gap at rest and max |y0|; of impact velocities, times that and the first frequency;
     * 0: 1e-9, CAROM_ZERO: none */
    double tolerance;
    int samples;          /* per half period; 0: max(400, 20 omega_max T / pi) */
    double condition_max; /* above it the system is singular; 0: 1e12 */
    double amplitude_max; /* above it the orbit diverges; 0: 1e6 */
} carom_orbit_options;
/* What 0 stands for. */
carom_orbit_options carom_orbit_defaults(void);

typedef struct carom_orbit_work carom_orbit_work;

/* A candidate and the verdict on it. */
typedef struct carom_orbit {
    carom_arena *arena; /* owns every array below */
    carom_orbit_work *work;
    int size, contacts;
    double period;
    carom_phase *pattern;
    carom_orbit_word word;
    double *y0, *v0; /* v0: right limit at 0; the left limit at T is its negative */
    double *yh, *vh; /* vh: left limit at T/2 */
    double *impulse; /* per contact; 0 when it does not strike */
    double *speed;   /* per contact: velocity of the gap after its impact; 0 when it does not strike */
    double energy;
    double amplitude;     /* max |y0|, |v0| / first frequency, in units of the largest gap at rest */
    double condition;     /* of the linear system, estimate in the 1-norm */
    int determinant_sign; /* 0 when singular */
    int resonance;        /* SINGULAR: the mode (ring: the wavenumber) nearest to resonance */
    /* Smallest gap over the minima between impacts, and where; for GRAZE and PULL the impact velocity. */
    double margin, time;
    int contact;
} carom_orbit;

/* Memory for orbits of oscillators of this one's size and contacts. The caller frees it; NULL when it fails. */
carom_status carom_orbit_create(const carom_linear_oscillator *oscillator, carom_orbit **orbit,
                                carom_error *error);
void carom_orbit_free(carom_orbit *orbit);

/* Solves for the pattern (one phase per contact; copied) and checks the candidate. OK also for a candidate
 * that is no motion: orbit->word says so, and the candidate is there unless SINGULAR. options NULL:
 * defaults. BAD_INPUT: a period that is not positive, a pattern without impacts. Takes no memory. */
carom_status carom_orbit_solve(carom_orbit *orbit, const carom_linear_oscillator *oscillator, double period,
                               const carom_phase *pattern, const carom_orbit_options *options,
                               carom_error *error);
/* The verdict as a sentence. */
void carom_orbit_describe(const carom_orbit *orbit, const carom_linear_oscillator *oscillator, size_t size,
                          char *text);
/* Position and velocity at any time; at an impact the left limit when `left`. `work`: 2 x size. */
void carom_orbit_state(const carom_orbit *orbit, const carom_linear_oscillator *oscillator, double t,
                       bool left, double *y, double *v, double *work);

/* ---- Floquet multipliers ------------------------------------------------------------------------------- */

typedef enum carom_floquet_method {
    CAROM_FLOQUET_AUTO,   /* halved where that is possible */
    CAROM_FLOQUET_FULL,   /* eigenvalues of the 2n x 2n monodromy matrix */
    CAROM_FLOQUET_HALVED, /* reversibility: sigma + 1/sigma are the eigenvalues of an n x n matrix */
} carom_floquet_method;

/* All may be left zero. */
typedef struct carom_floquet_options {
    carom_floquet_method method; /* HALVED needs a plain oscillator */
    double tolerance;            /* how far |sigma| may be from 1; 0: 1e-5. The double multiplier 1 that every
                                  * motion has is defective and known to about 1e-7 only */
} carom_floquet_options;
/* What 0 stands for. */
carom_floquet_options carom_floquet_defaults(void);

typedef struct carom_floquet_work carom_floquet_work;

typedef struct carom_floquet {
    carom_arena *arena; /* owns every array below */
    carom_floquet_work *work;
    int count;                /* 2 x size */
    double *real, *imaginary; /* multipliers, the largest modulus first */
    double largest;           /* modulus */
    int off_circle;           /* multipliers */
    int positive_pairs, negative_pairs, quadruplets;
    bool stable; /* spectrally: none outside the unit circle, to the tolerance */
    /* What theory demands: product 1, reciprocal pairs (|sigma_a sigma_b - 1| of the best partner, the worst
     * of all), a double multiplier 1 (|sigma + 1/sigma - 2| of the nearest). The first two hold by
     * construction when halved. */
    double product_residual, pair_residual, unit_residual;
    bool halved;
    bool ordered; /* impacts at one instant do not commute: taken one by one, lower contacts first */
} carom_floquet;

/* Memory for the multipliers of orbits of such an oscillator. The caller frees it; NULL when it fails. */
carom_status carom_floquet_create(const carom_linear_oscillator *oscillator, carom_floquet **floquet,
                                  carom_error *error);
void carom_floquet_free(carom_floquet *floquet);
/* Of an orbit that is solved. options NULL: defaults. BAD_INPUT: it is not a motion that strikes, or the
 * method does not fit. Takes memory while it works. */
carom_status carom_floquet_compute(carom_floquet *floquet, const carom_linear_oscillator *oscillator,
                                   const carom_orbit *orbit, const carom_floquet_options *options,
                                   carom_error *error);
/* Derivative of the flow over one period from just after t = 0, 2n x 2n. `ordered` may be NULL. */
carom_status carom_monodromy(const carom_linear_oscillator *oscillator, const carom_orbit *orbit,
                             double *matrix, bool *ordered, carom_error *error);

/* ---- branches ------------------------------------------------------------------------------------------ */

typedef enum carom_orbit_branch_parameter {
    CAROM_ORBIT_BRANCH_COUPLING, /* of a ring, at a fixed period */
    CAROM_ORBIT_BRANCH_PERIOD,
    CAROM_ORBIT_BRANCH_SYSTEM, /* of what `change` changes, at a fixed period */
} carom_orbit_branch_parameter;

typedef enum carom_orbit_branch_end {
    CAROM_ORBIT_BRANCH_LIMIT, /* end of the range */
    CAROM_ORBIT_BRANCH_TOUCH,
    CAROM_ORBIT_BRANCH_GRAZE,
    CAROM_ORBIT_BRANCH_PENETRATE,
    CAROM_ORBIT_BRANCH_DIVERGE, /* pole of the linear system */
    CAROM_ORBIT_BRANCH_POINTS,  /* as many points as asked for at most */
    CAROM_ORBIT_BRANCH_STOPPED, /* interrupted */
} carom_orbit_branch_end;
/* The end in a word. */
const char *carom_orbit_branch_end_text(carom_orbit_branch_end end);

typedef struct carom_orbit_branch_request {
    const carom_linear_oscillator *oscillator;
    const carom_phase *pattern;
    carom_orbit_branch_parameter parameter;
    double period;     /* COUPLING, SYSTEM: the fixed one */
    double from, to;   /* of the parameter; to may be below from */
    double step;       /* largest; 0: a hundredth of the range */
    double least_step; /* to which ends and poles are located; 0: 1e-10 of the larger end of the range */
    int points_max;    /* 0: 100000 */
    int switches;      /* at TOUCH and GRAZE at 0 or T/2 go on with the changed pattern, at most so often */
    bool multipliers;
    int threads; /* of the multipliers; 0: one per core */
    carom_orbit_options orbit;
    carom_floquet_options floquet;
    carom_progress progress;
    /* SYSTEM: sets an oscillator of the sizes of the one above for a value of the parameter. Poles are seen by
     * the sign of the determinant only: two in one step are overlooked. Multipliers are taken by one thread. */
    carom_status (*change)(void *context, double value, carom_linear_oscillator *oscillator,
                           carom_error *error);
    void *context;
    const carom_branch_memo *memo; /* to go on with a branch that was stopped; NULL: none */
} carom_orbit_branch_request;
/* Zero but for the options of orbits and multipliers, which have the numbers that their zeros stand for. */
carom_orbit_branch_request carom_orbit_branch_defaults(void);

typedef struct carom_orbit_branch_point {
    double value; /* of the parameter */
    double speed; /* the smallest impact velocity */
    double amplitude, energy, margin, condition;
    double largest; /* modulus of the multipliers; NAN when not asked for */
    int off_circle;
} carom_orbit_branch_point;

/* A stretch with one pattern. */
typedef struct carom_orbit_branch_stretch {
    carom_phase *pattern;
    int first, count; /* points */
    carom_orbit_branch_end end;
    double end_value;
    int contact; /* TOUCH, GRAZE, PENETRATE: which, and when */
    double time;
    int crossings; /* zeros of the determinant at which the motion stays bounded and goes on */
} carom_orbit_branch_stretch;

typedef struct carom_orbit_branch {
    carom_arena *arena; /* owns every array below */
    int contacts;
    int point_count;
    carom_orbit_branch_point *point;
    int stretch_count;
    carom_orbit_branch_stretch *stretch;
} carom_orbit_branch;

/* Follows admissible motions from the start of the range until they end. BAD_INPUT: something asked for is
 * wrong, or the start is no motion. INTERRUPTED keeps what was found. The same bits for any number of
 * threads. The caller frees the branch in every case. */
carom_status carom_orbit_branch_follow(const carom_orbit_branch_request *request, carom_orbit_branch *branch,
                                       carom_error *error);
void carom_orbit_branch_free(carom_orbit_branch *branch);

#endif
