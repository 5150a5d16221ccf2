/* bar: the elastic bar in one dimension whose right end meets a wall.
 *
 *   rho u_tt = E u_xx + f on 0 < x < L,    0 <= -E u_x(L, t)  _|_  gap - u(L, t) >= 0
 *
 * No impact law is needed: contact lasts, and energy is conserved. Exact periodic motions, waves on a grid
 * (exact for motions that fit it), boundary elements in time, periodic motions of the grid, and what other
 * grids do with a front. Any units that fit each other: the results are in those of the bar. */
#ifndef CAROM_SUBJECT_BAR_H
#define CAROM_SUBJECT_BAR_H

#include "carom/base.h"

typedef struct carom_bar {
    double young, density, area, length;
    double gap; /* from the free end of the bar at rest to the wall */
} carom_bar;

/* All ones. */
carom_bar carom_bar_unit(void);
/* sqrt(young / density), and the impedance density * speed: stress per velocity in a wave. */
double carom_bar_speed(const carom_bar *bar);
double carom_bar_impedance(const carom_bar *bar);
/* BAD_INPUT unless young, density, area and length are positive and gap is a number. */
carom_status carom_bar_check(const carom_bar *bar, carom_error *error);

/* ---- exact periodic motions with one contact phase ------------------------------------------------
 *
 * Left end fixed. u(x, t) is the integral of phi over [ct - x, ct + x]; the wall is left at t = 0, met at
 * free_time, left again at period. phi = alpha prod_{i=1}^{N} eps(x - i c period), of period 4L and changing
 * its sign with 2L, for an odd N and an m with d + N c period = 4 L m, where d = c contact_time. */

enum {
    CAROM_BAR_LARGEST_INDEX = 99 /* of |N| */
};

typedef struct carom_bar_mode {
    carom_bar bar;
    int index, turns;      /* N and m */
    double contact_length; /* d */
    double slope;          /* r: |alpha| = |N| gap / (2 (L - r d)) while N and m have no common divisor */
    double longest;        /* d stays below: energy is infinite at L / r */
    double period, free_time, contact_time;
    double alpha, energy;
    double frequency_ratio; /* to the first frequency c pi / (2 L) of the bar without a wall */
    int pieces;             /* phi = value[k] on [start[k], start[k + 1]), from -L to L */
    double start[CAROM_BAR_LARGEST_INDEX + 2], value[CAROM_BAR_LARGEST_INDEX + 2];
    double integral[CAROM_BAR_LARGEST_INDEX + 2]; /* of phi from -L to start[k] */
    bool admissible; /* the end stays before the wall in flight, meets it in time, and the wall never pulls */
    int touches;     /* instants of the flight at which the end touches the wall without a force */
    char reason[200]; /* why it is not admissible; empty otherwise */
} carom_bar_mode;

/* The member d of the family (N, m); a negative N takes a negative m. BAD_INPUT: N even, gap <= 0, d not in
 * (0, longest), which the message names. A motion that is not admissible is OK and says why. Owns nothing. */
carom_status carom_bar_mode_make(const carom_bar *bar, int index, int turns, double contact_length,
                                 carom_bar_mode *mode, carom_error *error);
/* phi and its integral from -L, at any place; at a jump the right limit. */
double carom_bar_mode_phi(const carom_bar_mode *mode, double y);
double carom_bar_mode_integral(const carom_bar_mode *mode, double y);

typedef struct carom_bar_point {
    double displacement, strain, velocity; /* u, u_x, u_t */
} carom_bar_point;

/* The field at 0 <= x <= L and any t; right limits at jumps. */
carom_bar_point carom_bar_mode_at(const carom_bar_mode *mode, double x, double t);

/* What a scan looks at: N = -largest_index .. largest_index (odd), |m| = 1 .. largest_turns, d = first,
 * first + step, ... (in units of L), up to periods c T / L of longest_period. All may be left zero. */
typedef struct carom_bar_scan_options {
    int largest_index, largest_turns;   /* 0: 9 and 4 */
    double first, step, longest_period; /* 0: 0.01, 0.02 and 8.5 */
} carom_bar_scan_options;
/* What 0 stands for. */
carom_bar_scan_options carom_bar_scan_defaults(void);

typedef struct carom_bar_family {
    int index, turns;
    double slope, longest;
    int samples, admissible;              /* members looked at, and those that are motions */
    double shortest_found, longest_found; /* d of the admissible ones; NAN: none */
    double lowest_frequency_ratio, highest_frequency_ratio; /* over the admissible ones */
    char reason[200];                                       /* of the last member that is not admissible */
} carom_bar_family;

typedef struct carom_bar_scan {
    int count;
    carom_bar_family *family; /* every (N, m) looked at, admissible or not; by N, then m */
} carom_bar_scan;

/* options NULL: defaults. BAD_INPUT: a bar without a gap, a range that is empty. The caller frees the scan. */
carom_status carom_bar_scan_make(const carom_bar *bar, const carom_bar_scan_options *options,
                                 carom_bar_scan *scan, carom_error *error);
void carom_bar_scan_free(carom_bar_scan *scan);

/* ---- starts ----------------------------------------------------------------------------------------
 *
 * A grid of `cells` equal cells knows a start by displacements at its cells + 1 nodes (from x = 0 to L) and
 * velocities averaged over its cells. */

/* A field given by functions; velocity NULL: at rest. */
typedef struct carom_bar_shape {
    double (*displacement)(void *context, double x);
    double (*velocity)(void *context, double x);
    void *context;
} carom_bar_shape;

/* Averages by Gauss's rule with three points per cell. */
void carom_bar_shape_sample(const carom_bar *bar, const carom_bar_shape *shape, int cells,
                            double *displacement, double *velocity);
/* An exact motion at time t; the averages are exact. */
void carom_bar_mode_sample(const carom_bar_mode *mode, double t, int cells, double *displacement,
                           double *velocity);

/* ---- wave finite elements --------------------------------------------------------------------------
 *
 * Steps of dx / c, in which waves move by one cell: exact but for steps in which the gap closes; such a step
 * loses area |stress| velocity dx / c of energy, nothing when the gap closes between two steps. */

typedef enum carom_bar_end {
    CAROM_BAR_FIXED,
    CAROM_BAR_FREE,
    CAROM_BAR_SPRING, /* Robin: u_x(0) = spring u(0) */
} carom_bar_end;

/* All may be left zero. */
typedef struct carom_bar_wave_options {
    int cells;                                               /* at least 2; 0: 100 */
    carom_bar_end left;                                      /* the left end; 0: fixed */
    double spring;                                           /* 1 / length, >= 0; with CAROM_BAR_SPRING */
    bool no_wall;                                            /* the right end is free */
    double step;                                             /* 0: dx / c; anything else is refused */
    int kept_phases;                                         /* contact phases whose times are kept; 0: 64 */
    double (*wall_place)(void *context, double t);           /* NULL: the wall rests at the bar's gap */
    double (*body_force)(void *context, double x, double t); /* per volume; NULL: none */
    void *context;
} carom_bar_wave_options;
/* What 0 stands for: 100 cells, fixed, with the wall at rest, 64 phases kept. */
carom_bar_wave_options carom_bar_wave_defaults(void);

/* One step: what the right end did in it. */
typedef struct carom_bar_wave_step_result {
    double velocity, stress; /* of the right end, constant within the step; stress <= 0 */
    bool contact;            /* the wall pushes by more than rounding */
    double work; /* by the wall: area stress velocity step; its negative is lost at a wall at rest */
} carom_bar_wave_step_result;

typedef struct carom_bar_phase {
    double from, to; /* ends with the last step done while the contact goes on */
} carom_bar_phase;

typedef struct carom_bar_wave carom_bar_wave;

/* So far in a motion. */
typedef struct carom_bar_wave_state {
    double t, step;
    long steps, contact_steps;
    double right, left;           /* displacements of the ends */
    double impulse;               /* of the wall on the bar, >= 0 */
    double work;                  /* by the wall */
    int phases;                   /* contact phases begun */
    const carom_bar_phase *phase; /* the first kept_phases of them */
} carom_bar_wave_state;

/* options NULL: defaults. BAD_INPUT: fewer than two cells, a step other than dx / c, a spring < 0. The
 * caller frees the wave; *wave is NULL when it fails. */
carom_status carom_bar_wave_create(const carom_bar *bar, const carom_bar_wave_options *options,
                                   carom_bar_wave **wave, carom_error *error);
void carom_bar_wave_free(carom_bar_wave *wave);
/* Begins a motion at t = 0. BAD_INPUT: the end is behind the wall, or a fixed end is moved. */
carom_status carom_bar_wave_start(carom_bar_wave *wave, const double *displacement, const double *velocity,
                                  carom_error *error);
/* `result` may be NULL. Takes no memory; without a body force its cost does not grow with the cells. */
void carom_bar_wave_step(carom_bar_wave *wave, carom_bar_wave_step_result *result);
carom_bar_wave_state carom_bar_wave_now(const carom_bar_wave *wave);
double carom_bar_wave_energy(const carom_bar_wave *wave);
/* displacement: cells + 1 nodes; strain, velocity: cells. Any may be NULL. */
void carom_bar_wave_fields(const carom_bar_wave *wave, double *displacement, double *strain,
                           double *velocity);

/* ---- periodic motions of the grid -------------------------------------------------------------------
 *
 * free_steps steps in flight, then closed_steps at the wall: a linear map of the waves, whose fixed vectors
 * are sought. Fixed end: a signed permutation, each cycle of which with sign product +1 has an amplitude of
 * its own. Spring: the map keeps energy; a null vector is found by inverse iteration. */

typedef struct carom_bar_grid_request {
    int cells;
    carom_bar_end left; /* fixed or spring */
    double spring;
    int free_steps, closed_steps;
    /* Fixed end: amplitude of cycle k = 0 .. greatest common divisor of 2 cells and all steps - 1, before all
     * are scaled; NULL: all one. Cycle k holds place k of the stresses of waves, from x = L to the left end
     * and back. */
    const double *weight;
} carom_bar_grid_request;

typedef struct carom_bar_grid_mode {
    int cells;
    double period, energy;
    int cycles;                      /* fixed end; 0 for a spring */
    int freedom;                     /* dimension of the fixed vectors; above 1, the motion is one of many */
    double residual;                 /* largest change of a wave after one period, of the largest wave */
    double *displacement, *velocity; /* start at the instant the wall is left: cells + 1, cells */
    bool admissible;
    char reason[200];
} carom_bar_grid_mode;

/* FAILED: only rest is periodic, or the end does not move in any periodic motion. Not admissible: OK, with
 * the reason. */
carom_status carom_bar_grid_mode_find(const carom_bar *bar, const carom_bar_grid_request *request,
                                      carom_bar_grid_mode *mode, carom_error *error);
void carom_bar_grid_mode_free(carom_bar_grid_mode *mode);

/* ---- boundary elements in time ----------------------------------------------------------------------
 *
 * Left end fixed, wall at rest. Unknowns: the displacement of the right end and the integrals over time of
 * the strains at both ends. */

typedef struct carom_bar_boundary carom_bar_boundary;

/* `cells` steps per transit L / c; the history of at most `longest` steps is kept. */
carom_status carom_bar_boundary_create(const carom_bar *bar, int cells, long longest,
                                       carom_bar_boundary **boundary, carom_error *error);
void carom_bar_boundary_free(carom_bar_boundary *boundary);
carom_status carom_bar_boundary_start(carom_bar_boundary *boundary, const double *displacement,
                                      const double *velocity, carom_error *error);
/* FAILED once `longest` steps are done. Takes no memory. */
carom_status carom_bar_boundary_step(carom_bar_boundary *boundary, carom_error *error);
long carom_bar_boundary_steps(const carom_bar_boundary *boundary);
/* Displacement of the right end after step k = 0 .. steps, and mean stress there within step k >= 1. */
double carom_bar_boundary_end(const carom_bar_boundary *boundary, long k);
double carom_bar_boundary_stress(const carom_bar_boundary *boundary, long k);
/* Displacement at 0 <= x <= L and 0 <= t up to the last step (t beyond: NAN); linear between grid points. */
double carom_bar_boundary_inside(const carom_bar_boundary *boundary, double x, double t);

/* ---- what other grids do with a front ----------------------------------------------------------------- */

/* Lax and Wendroff's scheme for w_t = -c w_x on a ring of cells, `steps` steps of Courant number c dt / dx in
 * (0, 1]; 1 is an exact shift, less makes ripples. What leaves the last cell enters the first one times
 * `seam`, 1 or -1. With seam -1 and the 2 cells waves (aL from L to 0, then aR from 0 to L) it is the bar
 * without a wall. A demonstration: not a way to compute contact. work: as many values. */
carom_status carom_bar_advect(int cells, double courant, long steps, int seam, double *value, double *work,
                              carom_error *error);

/* The bar as a chain of `masses` equal masses and springs (the first one to the clamp), at rest but for the
 * velocity of mass `struck` (1 .. masses) at t = 0: displacements at time t, by its modes in closed form. */
carom_status carom_bar_chain_front(const carom_bar *bar, int masses, int struck, double velocity, double t,
                                   double *displacement, carom_error *error);

#endif
