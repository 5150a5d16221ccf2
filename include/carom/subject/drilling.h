/* drill: torsion of a drill string with dry friction, its controllers and their analysis.
 *
 *   M w' + D w + K th = u e_n - [T_bit(w_1), Tw_2 Sign(w_2), ..., Tw_n Sign(w_n)],   th' = w
 *
 * Disc 1 is the bit, disc n the top drive. T_bit(w) = Sign(w) (Td + (Ts - Td) exp(-vd |w|)) weakens with
 * speed; Sign is set-valued, so that a disc that sticks has speed exactly 0. SI units, speeds in rad/s; rpm
 * where a name says so. (van de Wouw, Vromen, van Helmond, Astrid, Doris, Nijmeijer 2018; Vromen et al.) */
#ifndef CAROM_SUBJECT_DRILLING_H
#define CAROM_SUBJECT_DRILLING_H

#include "carom/base.h"

/* ---- friction --------------------------------------------------------------------------------------- */

typedef struct carom_drill_law {
    double Ts, Td; /* torque at the start of motion, and at high speed: Ts >= Td >= 0 */
    double vd;     /* s/rad: 30 / (pi Nd), Nd in rpm; 0 with Ts = Td: Coulomb's law */
} carom_drill_law;

static inline double carom_rpm(double rpm) /* in rad/s */
{
    return rpm * 0.10471975511965977;
}

/* vd of the decay speed Nd, in rpm. */
double carom_drill_decay(double Nd);
/* T(w) for w > 0, and -dT/dw. */
double carom_drill_torque(const carom_drill_law *law, double w);
double carom_drill_slope(const carom_drill_law *law, double w);
/* The speed w and torque r with a w + h r = c, r in Sign(w) T(|w|). Needs a > h vd (Ts - Td); starts from
 * `guess`. */
double carom_drill_friction(double a, double h, double c, const carom_drill_law *law, double guess,
                            double *r);
/* Step above which one step has several solutions for a disc with this A_ii at step 0. */
double carom_drill_step_limit(double inertia, const carom_drill_law *law);

/* ---- strings ---------------------------------------------------------------------------------------- */

typedef struct carom_drill_string {
    carom_arena *arena; /* owns every array below */
    int discs;
    double *inertia;             /* n */
    double *damping, *stiffness; /* n x n */
    double *wall;                /* n: Coulomb torque; that of the bit is not used */
    carom_drill_law bit;
} carom_drill_string;

/* All zero, to be filled by carom_drill_join and the caller. 1 to 200 discs. */
carom_status carom_drill_string_create(int discs, carom_drill_string **string, carom_error *error);
void carom_drill_string_free(carom_drill_string *string);
/* A spring and a damper between discs i and j (from 0), added to those that are there. */
void carom_drill_join(carom_drill_string *string, int i, int j, double stiffness, double damping);
/* BAD_INPUT: inertia <= 0, a negative stiffness, a disc that is not connected, a spring of the top drive that
 * does not go to the disc below (T_pipe is all that it carries), Ts < Td, vd < 0. */
carom_status carom_drill_check(const carom_drill_string *string, carom_error *error);

/* The four discs of the experimental setup (Tables 1 and 2). The caller frees the string. */
carom_status carom_drill_setup(carom_drill_string **string, carom_error *error);
/* From the setup to the full-scale rig: torques times c1 = 6250, angles times c2 = 10. factor 1 / 1 of both
 * is the way back. */
void carom_drill_scale(carom_drill_string *string, double torque, double angle);

/* Torque of the top drive for constant speed `weq` > 0, and the angles of the discs, th_1 = 0 (NULL: not
 * wanted). */
carom_status carom_drill_equilibrium(const carom_drill_string *string, double weq, double *torque,
                                     double *angle, carom_error *error);
/* Spring and damper between the top drive and the disc below: T_pipe = k (th_n - th_n-1) + d (w_n - w_n-1).
 */
double carom_drill_top_stiffness(const carom_drill_string *string);
double carom_drill_top_damping(const carom_drill_string *string);

/* ---- finite elements and modes ---------------------------------------------------------------------- */

typedef struct carom_drill_section { /* equal elements, from the bit upwards */
    int elements;
    double length; /* of the section */
    double polar;  /* Ip of the cross-section */
} carom_drill_section;

typedef struct carom_drill_elements {
    int sections;
    const carom_drill_section *section;
    double shear_modulus, density, top_inertia;
    bool consistent; /* mass (1/6) [2 1; 1 2] in place of half to each end */
} carom_drill_elements;

int carom_drill_nodes(const carom_drill_elements *elements);
/* nodes x nodes each. */
void carom_drill_assemble(const carom_drill_elements *elements, double *mass, double *stiffness);
/* Lumped masses, D = per_stiffness K; wall: Coulomb torque of every node. BAD_INPUT: sections without
 * elements, length or stiffness. */
carom_status carom_drill_elements_string(const carom_drill_elements *elements, double per_stiffness,
                                         const double *wall, const carom_drill_law *bit,
                                         carom_drill_string **string, carom_error *error);
/* A string of 18 nodes that has the published frequencies, length and inertia: lumped masses, D = 1e-3 s K.
 * The element data of the source are not published. */
const carom_drill_elements *carom_drill_demonstration(void);
carom_status carom_drill_demonstration_string(carom_drill_string **string, carom_error *error);

/* K v = omega^2 M v: ascending, mass-normalised; hertz has n, shape n x n entries, column j is mode j. */
carom_status carom_drill_modes(int discs, const double *mass, const double *stiffness, double *hertz,
                               double *shape, carom_error *error);
/* |top torque -> bit speed| of M, D, K at a frequency, and of its first `kept` modes (mode displacement; kept
 * = discs: all). */
carom_status carom_drill_reduced_response(int discs, const double *mass, const double *damping,
                                          const double *stiffness, int kept, double hertz, double *magnitude,
                                          carom_error *error);

/* ---- linear form ------------------------------------------------------------------------------------ */

/* x = [th1-th2, w1, w2, th2-th3, w3, ..., wn], 2n - 1 states: x' = A x + B u + G v, q = w_1 = x[1],
 * y = [w_n; T_pipe] = C x, with delta = -dT_bit/dw at the speed looked at: A = A_0 + delta G H. */
typedef struct carom_drill_plant {
    carom_arena *arena;
    int states;
    double *A, *B, *G, *C; /* C: 2 x states */
    double delta;
} carom_drill_plant;

carom_status carom_drill_plant_create(const carom_drill_string *string, double delta,
                                      carom_drill_plant **plant, carom_error *error);
void carom_drill_plant_delta(carom_drill_plant *plant, double delta);
void carom_drill_plant_free(carom_drill_plant *plant);

enum {
    CAROM_DRILL_CONTROLLER_STATES = 400 /* of a controller that is read */
};

/* x_c' = A x_c + B e, u_fb = C x_c + D e, e = [wref - w_n; T_pipe,ref - T_pipe]. */
typedef struct carom_drill_controller {
    carom_arena *arena;
    int states;
    double *A, *B, *C, *D; /* B: states x 2, C: states, D: 2 */
} carom_drill_controller;

carom_status carom_drill_controller_create(int states, carom_drill_controller **controller,
                                           carom_error *error);
void carom_drill_controller_free(carom_drill_controller *controller);
/* From text: nc, ne (1 or 2), then A, B, C, D row by row; # begins a comment. Errors name `path`, where
 * the text is from, line, matrix entry and what stands there. */
carom_status carom_drill_controller_parse(const char *path, const char *text,
                                          carom_drill_controller **controller, carom_error *error);
/* u_fb = ct e_1 + kt integral of e_1 */
carom_status carom_drill_soft_torque(double ct, double kt, carom_drill_controller **controller,
                                     carom_error *error);

/* Observer with integral action: cost rq q^2 + w_n^2 + xI^2 + u^2; process noise G G^T + b B B^T, measurement
 * noise diag(1e-3, 1e-2). Both Riccati equations are solved. */
typedef struct carom_drill_lqg_options {
    double rq;        /* 10: low gain, 100: high gain; 0: 10, CAROM_ZERO: no weight */
    double top_noise; /* b; 0: 1, CAROM_ZERO: none */
    double noise[2];  /* of the measurements w_n and T_pipe; 0: 1e-3, 1e-2 */
} carom_drill_lqg_options;

carom_drill_lqg_options carom_drill_lqg_defaults(void); /* what 0 stands for */
/* options NULL: defaults. gain (NULL: not wanted): states + 1 numbers K, kI; observer: states x 2. */
carom_status carom_drill_lqg(const carom_drill_plant *plant, const carom_drill_lqg_options *options,
                             double *gain, double *observer, carom_drill_controller **controller,
                             carom_error *error);

/* ---- H-infinity with static scalings ---------------------------------------------------------------- */

typedef struct carom_drill_weights { /* Table 3 */
    double wsc1, wsc2, v1, f1, b1, b2, w1, v21, v22, v3, PI, fI, w22, w3, fR, beta;
} carom_drill_weights;

carom_drill_weights carom_drill_weights_low(void);
carom_drill_weights carom_drill_weights_high(void);

typedef struct carom_drill_hinf {
    bool feasible;
    double gco;     /* |u -> w_n| at 0.6 Hz */
    double norm;    /* sup sigma_max(Tzw) of the loop on a grid, to be at most the level */
    double fastest; /* largest real part of the controller's eigenvalues */
    char why[200];  /* when it is not feasible */
} carom_drill_hinf;

/* Controller at level g (1) with the scale d and the skew k of the bit's channel. The plant has the delta of
 * its set point. controller NULL: whether there is one. OK with feasible = false when there is none. */
carom_status carom_drill_hinf_solve(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                    double k, double d, double g, carom_drill_hinf *result,
                                    carom_drill_controller **controller, carom_error *error);
/* Least level, by bisection; INFINITY: none up to 1000. */
carom_status carom_drill_hinf_level(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                    double k, double d, double *level, carom_error *error);
/* Largest k that is feasible at level 1 with scale d; 0: none. */
carom_status carom_drill_hinf_skew(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                   double d, double *k, carom_error *error);
/* The scale d with the largest k, of `points` from 1e-3 to 10, evenly spaced by their logarithms, and that k;
 * 0: none. */
carom_status carom_drill_hinf_scales(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                     int points, double *d, double *k, carom_error *error);

/* ---- closed loops ----------------------------------------------------------------------------------- */

/* The loop with a controller (NULL: none): its matrix, of states + those of the controller. */
typedef struct carom_drill_loop {
    carom_arena *arena;
    int states;
    double *A, *A0;  /* A0: with delta = 0 */
    double *G;       /* bit torque disturbance */
    double bit_gain; /* 1 / J_1 */
    double delta;
    double *real, *imaginary; /* poles, after carom_drill_loop_poles */
    double *scratch;
} carom_drill_loop;

carom_status carom_drill_loop_create(const carom_drill_plant *plant, const carom_drill_controller *controller,
                                     carom_drill_loop **loop, carom_error *error);
void carom_drill_loop_free(carom_drill_loop *loop);
/* Poles at any delta, and the largest real part (that of rigid rotation counts). */
carom_status carom_drill_loop_poles(carom_drill_loop *loop, double delta, double *largest,
                                    carom_error *error);
/* |G_cl|: bit torque -> bit speed, at a frequency and the loop's delta. */
double carom_drill_mobility(carom_drill_loop *loop, double hertz);
/* Its largest value over frequency, and where. */
carom_status carom_drill_loop_norm(carom_drill_loop *loop, double *norm, double *hertz, carom_error *error);
/* Slope above which the loop is unstable; INFINITY: none up to `most`, NAN: unstable without slope. */
carom_status carom_drill_critical_slope(carom_drill_loop *loop, double most, double *slope,
                                        carom_error *error);
/* Speed, in rpm, below which the set point is unstable with this slope. */
double carom_drill_critical_rpm(const carom_drill_law *law, double slope);
/* Sector of the circle criterion: |phi(q)| < gamma |q| for q in (low, high) around weq. */
void carom_drill_sector(const carom_drill_law *law, double weq, double gamma, double *low, double *high);
/* Response of one output of a state-space system at a frequency: c (j w - A)^-1 b + d. work: 4 n (n + 1);
 * it then begins with a complex n x (n + 1) matrix whose last column is (j w - A)^-1 b. */
void carom_drill_response(int n, const double *A, const double *b, int b_stride, const double *c, double d,
                          double hertz, double *work, double *real, double *imaginary);

/* ---- motions ---------------------------------------------------------------------------------------- */

typedef struct carom_drill_window {
    double from, to;
    double bit_min, bit_max, top_min, top_max, torque_min, torque_max; /* filled: speeds in rpm */
    double stick_fraction;
} carom_drill_window;

/* {.string = string} is enough: 0 is what stands behind each member, CAROM_ZERO zero itself. Times in s. */
typedef struct carom_drill_request {
    const carom_drill_string *string;
    const carom_drill_controller *controller; /* NULL: none */
    const carom_drill_controller *next;       /* takes over at switch_time; NULL: none */
    double switch_time;                       /* 0: never */
    double rpm;                               /* final set point; 0: 5.5 */
    double first_rpm;                         /* off bottom; 0: 3.5 */
    bool constant;                            /* set point and full weight on bit from the start */
    double
        kick; /* constant: start on the equilibrium, bit speed reduced by this part (0: none); < 0: from rest */
    double Tini;       /* bit torque off bottom, N m; 0: 0.136 */
    double ramp;       /* until then to first_rpm; 0: 30 */
    double begin, end; /* between them to rpm with full weight on bit; 0: 110, 170 */
    double theta;      /* of the scheme, 1/2 to 1; 0: 1/2 */
    double h, t_end;   /* step and end; 0: 1e-3, 400 */
    double limit;      /* of the top-drive torque, N m; 0: none */
    double stick_from; /* first_stick and slips are looked for after this time; 0: 110 */
    int windows;
    carom_drill_window *window; /* filled */
    int outputs;                /* rows wanted in the history, evenly spaced; 0: 2000, negative: none */
    carom_progress progress;
} carom_drill_request;

/* What 0 stands for; no string. */
carom_drill_request carom_drill_request_defaults(void);

enum {
    CAROM_DRILL_COLUMNS = 7, /* t, bit rpm, top rpm, reference rpm, torque, alpha, T_pipe */
    CAROM_DRILL_SLIPS = 4096
};

typedef struct carom_drill_slip {
    double start, duration, peak_rpm;
} carom_drill_slip;

typedef struct carom_drill_motion {
    carom_arena *arena;
    long steps;
    int sweeps_most;    /* of one step; 0: none was needed */
    double *first_move; /* per disc; NAN: never */
    double first_stick; /* of the bit, after stick_from; NAN: none */
    int slips;          /* complete ones after stick_from */
    carom_drill_slip *slip;
    double period; /* of the pattern of slips; NAN: none */
    int slips_per_period;
    int rows;
    double *row; /* rows x CAROM_DRILL_COLUMNS */
} carom_drill_motion;

/* BAD_INPUT: step too large for the bit's law, theta outside [1/2, 1], sizes. FAILED: the discs do not settle
 * in a step, numbers without bound. */
carom_status carom_drill_run(const carom_drill_request *request, carom_drill_motion **motion,
                             carom_error *error);

/* How much a step with theta > 1/2 damps: a mode of circular frequency w at the rate (theta - 1/2) w^2 h, which is
 * the scheme's and not the string's. Of the modes in which the bit has at least 5 % of the kinetic energy, the one
 * where that is most against its own damping. The rigid rotation has none. */
typedef struct carom_drill_damping {
    double hertz;            /* of that mode; 0: there is none */
    double scheme, physical; /* rates, 1/s */
} carom_drill_damping;
carom_status carom_drill_step_damping(const carom_drill_string *string, double h, double theta,
                                      carom_drill_damping *damping, carom_error *error);
void carom_drill_motion_free(carom_drill_motion *motion);

/* One step for a string of any number of discs: angles and speeds at its end, friction torques r. For tests
 * and callers with their own loop; carom_drill_run does the same. */
typedef struct carom_drill_stepper carom_drill_stepper;
carom_status carom_drill_stepper_create(const carom_drill_string *string, double h, double theta,
                                        carom_drill_stepper **stepper, carom_error *error);
void carom_drill_stepper_free(carom_drill_stepper *stepper);
/* th, w: n numbers, updated; r: n numbers, may be NULL. law: of the bit in this step. */
carom_status carom_drill_step(carom_drill_stepper *stepper, double u, const carom_drill_law *law, double *th,
                              double *w, double *r, carom_error *error);
int carom_drill_stepper_sweeps(const carom_drill_stepper *stepper);

#endif
