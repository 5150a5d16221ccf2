/* contact: the one-step problems as plain data, their error measures, and one interface to all solvers:
 *
 *   carom_lcp                linear complementarity: contacts without friction
 *   carom_qp                 quadratic program with bounds: structures between obstacles
 *   carom_friction_contact   one contact with friction, any convex section of the cone
 *   carom_friction_problem   several of them, dense: the problem of a step
 *   carom_coulomb            many, with round cones and a sparse matrix: FC(W, q, mu) */
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include "carom/convex.h"
#include "carom/linalg.h"

/* ---- linear complementarity problem --------------------------------------------------------
 *
 *   find z >= 0 with w = W z + q >= 0 and z.w = 0.
 *
 * For frictionless contact W = G M^-1 G^T (symmetric, positive semidefinite), z the normal impulses,
 * w the normal velocities after the step: the projection of the free velocity on the tangent cone in
 * the kinetic metric, Moreau 1986 (10.5). */
typedef struct carom_lcp {
    int size;
    const double *matrix; /* size x size, row-major */
    const double *vector;
} carom_lcp;

/* max_i |min(z_i, w_i / W_ii)| / (max |z| + max_i |q_i| / W_ii): zero exactly at a solution. Has no unit: W and q may be
 * multiplied by any factors. For W_ii = 0 the largest diagonal is taken. Independent of any solver. */
double carom_lcp_error(const carom_lcp *problem, const double *z);

/* ---- one frictional contact -----------------------------------------------------------------
 *
 * Components: 0 normal, then one or two tangents. Given the local W and the free relative velocity u_free
 * with u_free[0] < 0, find the impulse p with
 *
 *   u = W p + u_free,   u[0] = target,   p[0] >= 0,
 *   -u_T in the normal cone of p[0] D_1 at p_T
 *
 * (Moreau 1986, (11.14), (12.6), (13.13)).
 *
 * An ellipse with a slip rule of its own has Q^2 u_T in the place of u_T (carom/convex.h); its problem may
 * have no solution, or several. "target" is 0 for Moreau's inelastic contact, -e u_N^- for Newton's law. */
typedef struct carom_friction_contact {
    int tangents;   /* 1 or 2 */
    double W[3][3]; /* leading (1+tangents) block; symmetric positive definite */
    double u_free[3];
    double target;
    carom_planar_set set; /* D_1: an interval for one tangent */
} carom_friction_contact;

typedef enum carom_contact_regime {
    CAROM_CONTACT_OPEN = 0,  /* no impulse */
    CAROM_CONTACT_SLIP = 1,  /* impulse on the boundary of the cone, or no friction */
    CAROM_CONTACT_STICK = 2, /* impulse inside the cone, no slip */
} carom_contact_regime;

typedef struct carom_friction_result {
    double impulse[3];
    double velocity[3];
    carom_contact_regime regime;
    double error; /* carom_friction_contact_error of this result */
} carom_friction_result;

/* Distance of (p, u = W p + u_free) from the law, in velocity units: normal equation, and the tangential
 * law by its natural map |p_T - P_{p_N D_1}(p_T - u_T / w)| w. Independent of the solver. */
double carom_friction_contact_error(const carom_friction_contact *contact, const double impulse[3]);

/* Closed form for one tangent (segment or half-line of (13.13), jamming included) and for two tangents that
 * do not couple with the normal; otherwise one scalar equation for the normal impulse. Needs no memory: what
 * sweeps over contacts call, and the solver 'one-contact'. */
carom_status carom_friction_contact_solve(const carom_friction_contact *contact,
                                          carom_friction_result *result, carom_error *error);

/* ---- several frictional contacts --------------------------------------------------------------
 *
 * Three places per contact, in the order of its components: normal, tangents. Find the impulses p with, for
 * every contact,
 *
 *   u = sum_l W_l p_l + u_free,   0 <= u_N - target  _|_  p_N >= 0,
 *   -u_T in the normal cone of p_N D_1 at p_T.
 *
 * For one contact that approaches this is the problem above. W is symmetric and positive semidefinite, its
 * blocks on the diagonal are positive definite. All arrays are the caller's memory; places of tangents that
 * a contact does not have are not read. */
typedef struct carom_friction_problem {
    int count;                   /* contacts */
    const int *tangents;         /* 0 (frictionless), 1 or 2 */
    const double *target;        /* normal velocity of a contact that carries an impulse */
    const carom_planar_set *set; /* D_1; not read for contacts without tangents */
    const double *W;             /* (3 count) x (3 count), row-major */
    const double *u_free;        /* 3 per contact */
} carom_friction_problem;

/* The worst distance of a contact from its laws, in velocity units: |min(W_NN p_N, u_N - target)|, which
 * holds the signs and the complementarity of open contacts too, and the natural map of the tangential law as
 * above. Relative to the largest given velocity (u_free, target). Zero exactly at a solution, infinite when a
 * number is not finite. Independent of any solver. */
double carom_friction_problem_error(const carom_friction_problem *problem, const double *impulse);

/* ---- Coulomb friction at many contacts: FC(W, q, mu) -----------------------------------------------
 *
 * Three numbers per contact: normal, two tangents. Find r with u = W r + q and, for every contact,
 *
 *   K* contains u + (mu |u_T|, 0, 0),  perpendicular to  r in K = { |r_T| <= mu r_N }
 *
 * (Acary, Bremond and Huber 2018, (34)), which says
 *
 *   open: r = 0, u_N >= 0;   stick: u = 0, r in K;   slip: u_N = 0, r_T = -mu r_N u_T / |u_T|.
 *
 * W is positive semidefinite and need not be symmetric; r need not be unique, nor exist. A contact in the
 * plane has a second tangent with W = 1 and q = 0 there. */
typedef struct carom_coulomb {
    int contacts;
    carom_blocks W;
    const double *q;  /* 3 per contact */
    const double *mu; /* >= 0 */
} carom_coulomb;

/* The same with the equations of motion kept: M v = H r + G l + f, G^T v + b = 0, u = H^T v + w. */
typedef struct carom_coulomb_global {
    int dimension; /* 2 or 3 numbers per contact */
    int contacts;
    carom_sparse M, H; /* n x n, n x (dimension contacts) */
    carom_sparse G;    /* n x p; p = 0: no equations */
    const double *f, *w, *b, *mu;
    /* Rolling friction (carom/contact/rolling.h), with 3, 5 or 6 numbers per contact; NULL: none. Functions of this header
     * refuse such problems, except carom_coulomb_motion and carom_coulomb_multipliers. */
    const double *mu_r, *mu_t;
} carom_coulomb_global;

/* A local problem as files give it, in the plane or in space, perhaps with equations W, V, R, s:
 *   u = W r + V l + q,  0 = V^T r + R l + s. */
typedef struct carom_coulomb_local {
    int dimension;
    int contacts;
    carom_sparse W;    /* (dimension contacts) square */
    carom_sparse V, R; /* columns of V, size of R: p; p = 0: none */
    const double *q, *s, *mu;
    const double *mu_r, *mu_t; /* as above */
} carom_coulomb_local;

/* W = H^T M^-1 H, q = H^T M^-1 f + w, equations eliminated. All memory of the problem comes from the arena.
 * FAILED: "M is singular", "redundant bilateral constraints". */
carom_status carom_coulomb_reduce(const carom_coulomb_global *global, carom_arena *arena,
                                  carom_coulomb *problem, carom_error *error);
/* Equations eliminated, the plane embedded in space. All memory of the problem comes from the arena. FAILED
 * when the equations are singular. */
carom_status carom_coulomb_embed(const carom_coulomb_local *local, carom_arena *arena, carom_coulomb *problem,
                                 carom_error *error);

/* Nearest point of K to z; the size of its boundary is mu. */
void carom_cone_project(double mu, const double z[3], double p[3]);

/* |r - P_K(r - u - (mu |u_T|, 0, 0))| / |q| over all contacts, (131); 0 when q is 0 and r is; infinite when a
 * number is not finite. Independent of any solver. In it a contact that approaches without a reaction is u_N / (1 +
 * mu^2)^(1/2), and the slip of one that sticks mu times its rounding: where mu is above 100 the part of a contact is
 * (min(r_N, u_N), r_T - P_D(r_T - u_T)) instead, D the disk of radius mu r_N. */
double carom_coulomb_error(const carom_coulomb *problem, const double *r);

/* The law asked part by part, from u = W r + q; with v = u + (mu |u_T|, 0, 0). Each part is relative to its own
 * size: unlike carom_coulomb_error they do not change with the unit of r. All vanish at a solution only. */
typedef struct carom_coulomb_residual {
    double
        velocity; /* |v - P_K*(v)| / |q|: contacts that approach; where mu is above 100 at least -u_N / |q| */
    double reaction;        /* |r - P_K(r)| / |r| */
    double complementarity; /* sum |r_i.v_i| / (|r| max(|q|, |v|)) */
    double rounding;        /* 2^-53 | |W| |r| + |q| | / |q|: what is not known of u, whatever r is */
} carom_coulomb_residual;

/* Infinite where a number is not finite. Independent of any solver, and of carom_coulomb_error. */
carom_coulomb_residual carom_coulomb_residuals(const carom_coulomb *problem, const double *r);

/* The same without W, from the motion that belongs to r (dimension per contact); `rounding` is estimated from the
 * terms of H^T v + w and of the equations of motion over the diagonal of M. Takes memory while it works; FAILED where
 * the motion is not unique. */
carom_status carom_coulomb_residuals_global(const carom_coulomb_global *global, const double *r,
                                            carom_coulomb_residual *residual, carom_error *error);

/* Proof that FC(W, q, mu) has no solution. At a solution r is in K and u_N >= 0. Let d >= 0 be a direction of
 * normal reactions (d_T = 0) with W^T d = 0 and q.d < 0: then d.u = d.q < 0 for every r, so that some contact
 * approaches. (Acary, Bremond and Huber 2018, (35), ask for more than existence needs: their d may be anywhere
 * in K. Such a d says that a solution is not sure.) Numbers are rounded and W^T d is not quite zero; what is
 * proved is that no r up to a size has an error below a size. */
typedef struct carom_coulomb_proof {
    double W_d;         /* |W^T d|, d of length 1 */
    double q_d;         /* q.d / |q| < 0 */
    double largest_r;   /* no |r| up to this ... (infinite: none at all) */
    double least_error; /* ... has a smaller carom_coulomb_error */
} carom_coulomb_proof;

/* Looks for a proof: the nearest point to 0 of a cone, by Lawson and Hanson's active sets. True when there is one
 * whose least error is above `tolerance`: W^T d vanishes to 1e-12 of what it is the sum of, so that W may be
 * taken for one with W^T d = 0. False proves nothing; neither does it when contacts are more than
 * CAROM_PROOF_CONTACTS or memory is short. d: 3 per contact, the direction. The time is bounded. */
enum {
    CAROM_PROOF_CONTACTS = 500 /* n x n numbers are kept, and factored again and again */
};
bool carom_coulomb_infeasible(const carom_coulomb *problem, double tolerance, double *d,
                              carom_coulomb_proof *proof);

/* A doubt: d in K with |W d| <= 1e-3 |W| |d| and q.d < 0. Then (35) fails, and it is not sure that there is a
 * solution; reactions grow along d. */
bool carom_coulomb_is_doubtful(const carom_coulomb *problem, const double *d);
/* Looks for such a d of length 1, by accelerated projected gradients; the time is bounded. */
bool carom_coulomb_find_doubt(const carom_coulomb *problem, double *d);

/* What reactions r say about the contacts. */
typedef struct carom_coulomb_summary {
    double q_norm, r_norm, u_norm;
    double error;          /* carom_coulomb_error */
    double absolute_error; /* without the division by |q| */
    double energy;         /* 1/2 r.W r + q.r */
    double dissipation;    /* sum of u_T.r_T: not above zero at a solution */
    /* By velocities, because reactions are not unique where W is singular: open when u_N > e, else sliding
     * when |u_T| > e, else sticking; e = max(1e-6 max |u|, 2 absolute_error, 1e-14 |q|). */
    int open, sliding, sticking;
} carom_coulomb_summary;

/* u = W r + q and regime, one carom_contact_regime per contact, are results; regime may be NULL. */
void carom_coulomb_summarise(const carom_coulomb *problem, const double *r, double *u, unsigned char *regime,
                             carom_coulomb_summary *summary);

/* The motion and the multipliers that belong to reactions r (dimension per contact):
 *   M v - G l = H r + f,  G^T v = -b. FAILED when this system is singular. */
carom_status carom_coulomb_motion(const carom_coulomb_global *global, const double *r, double *v, double *l,
                                  carom_error *error);
/* R l = -(V^T r + s); l gets p numbers. FAILED when R is singular. Takes memory while it works. */
carom_status carom_coulomb_multipliers(const carom_coulomb_local *local, const double *r, double *l,
                                       carom_error *error);

/* carom_coulomb_summarise without W; r and u have dimension numbers per contact. Takes memory while it works.
 */
carom_status carom_coulomb_summarise_global(const carom_coulomb_global *global, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error);

/* Both, carom_coulomb_summarise_global and carom_coulomb_residuals_global, by one factor of the motion; u, summary and residual
 * may be NULL. */
carom_status carom_coulomb_examine_global(const carom_coulomb_global *global, const double *r, double *u,
                                          unsigned char *regime, carom_coulomb_summary *summary,
                                          carom_coulomb_residual *residual, carom_error *error);

/* ---- quadratic program with bounds on short rows -------------------------------------------------
 *
 *   minimise 1/2 x.A x - f.x   subject to   lower <= D x <= upper,
 *
 * A banded, symmetric and positive definite; the rows of D have few entries and are linearly independent.
 * A step of a structure between obstacles (Dumont and Paoli 2008, (15)). At the solution
 *
 *   A x - f = D^T r,   r_i >= 0 where (D x)_i = lower_i,   r_i <= 0 where (D x)_i = upper_i,   else r_i = 0.
 */
typedef struct carom_qp {
    int size;
    const carom_band *matrix; /* A */
    int rows;                 /* of D */
    const int *row_start;     /* rows + 1: entries of row i are row_start[i] ... row_start[i + 1] - 1 */
    const int *column;        /* ascending within a row */
    const double *entry;
    const double *lower, *upper; /* per row; infinite where there is no bound */
    const double *vector;        /* f */
    double row_size; /* where bounds are differences of larger numbers: their size, which rounding of rows is
                      * measured by; 0: that of D x itself */
} carom_qp;

/* How far (x, r) is from the conditions above, the larger of two parts, each relative and without dimension:
 *
 *   stationarity   max |A x - f - D^T r| / max(|A x|, |f|, 1e-6 max A_ii max |x|)
 *   rows           max |d_i - P_[lower, upper](d_i - s_i r_i)| / max(|d|, |s r|, row_size),   d = D x
 *
 * The last term of the first part is for stiff A, where the rounding of A x alone is large against A x.
 * s_i = |D_i|^2 / A_cc, c the column of the row's largest entry, turns a multiplier into a displacement. Zero
 * exactly at the solution; infinite when a number is not finite or lower > upper. Independent of any solver.
 * `work` has `size` doubles. */
double carom_qp_error(const carom_qp *problem, const double *x, const double *r, double *work);

/* ---- solvers ------------------------------------------------------------------------------------
 *
 * One life for all of them: created for problems of a size, which takes the memory; used for one problem
 * after the other; freed.
 *
 *   carom_solver *solver;
 *   carom_status status = carom_solver_create(carom_solver_find(CAROM_PROBLEM_LCP, "lemke", NULL),
 *                                             &(carom_problem_shape){.size = 10}, NULL, &solver, &error);
 *   carom_solve_report report = carom_solver_lcp(solver, &problem, z);
 *   carom_solver_free(solver); */

typedef enum carom_problem_kind {
    CAROM_PROBLEM_LCP = 1,     /* carom_lcp */
    CAROM_PROBLEM_QP,          /* carom_qp */
    CAROM_PROBLEM_ONE_CONTACT, /* carom_friction_contact */
    CAROM_PROBLEM_STEP,        /* carom_friction_problem */
    CAROM_PROBLEM_COULOMB,     /* carom_coulomb */
} carom_problem_kind;

typedef enum carom_solve_word {
    CAROM_SOLVE_OK,
    CAROM_SOLVE_ITERATIONS, /* the largest number of iterations is reached */
    CAROM_SOLVE_TIME,
    CAROM_SOLVE_STALLED,  /* no further progress is possible */
    CAROM_SOLVE_DIVERGED, /* the iterates grow without bound: perhaps there is no solution */
    CAROM_SOLVE_LOCAL,    /* the problem of one contact was not solved */
    CAROM_SOLVE_MEMORY,
    CAROM_SOLVE_REFUSED,     /* no problem for this solver: too large, or cones that are not round */
    CAROM_SOLVE_ROUNDING,    /* COULOMB: the error is small, but u = W r + q is not known that well */
    CAROM_SOLVE_INFEASIBLE,  /* COULOMB: it is proved that there is no solution, carom_coulomb_infeasible */
    CAROM_SOLVE_INTERRUPTED, /* COULOMB: the progress function of the options asked for the end */
} carom_solve_word;

/* "ok", "max-iterations", "timeout", "stalled", "diverged", "local-failure", "no-memory", "refused", "rounding",
 * "infeasible", "interrupted". */
const char *carom_solve_word_text(carom_solve_word word);

/* What every solver returns. Counts that a solver does not have are zero. */
typedef struct carom_solve_report {
    carom_status status; /* CAROM_OK only when error <= tolerance */
    int iterations;
    double error;          /* the problem's own error function, for what is returned: the best iterate seen */
    double tolerance;      /* what was asked of it */
    carom_solve_word word; /* why it ended; CAROM_SOLVE_OK exactly when the status is CAROM_OK */
    long inner_iterations; /* Newton steps, local or inner iterations */
    long local_failures;   /* contacts or matrices for which a fall-back was needed */
    double seconds;        /* COULOMB */
    bool other_cones;      /* COULOMB: cones are not round, the error is carom_elliptic_error */
    int active;            /* QP: rows at a bound */
    bool fell_back;        /* QP: the dual method was needed */
    int failed_contact;    /* STEP: the contact whose own problem has no solution; -1: none */
} carom_solve_report;

/* All may be left zero. */
typedef struct carom_solver_options {
    double tolerance;   /* of the problem's error; 0: the solver's own, ops->tolerance, and 1e-10 for steps */
    int max_iterations; /* 0: the solver's own, ops->max_iterations */
    double max_seconds; /* 0: no limit. Looked at by solvers of CAROM_PROBLEM_COULOMB. */
    /* Called after iterations whose error was computed; may be NULL. */
    void (*report)(void *context, int iteration, double error, double seconds);
    void *context;
    /* Asked with the seconds and max_seconds wherever the time is looked at, with what was computed kept: false ends the
     * solution as CAROM_SOLVE_INTERRUPTED. May be left zero. */
    carom_progress progress;
    const carom_option *option; /* the solver's own options by name; NULL: defaults. Read by create only. */
} carom_solver_options;

/* For which problems memory is taken. A larger problem makes a solver (not of QP) take more when it comes. */
typedef struct carom_problem_shape {
    carom_problem_kind kind; /* 0: that of the solver. STEP: a solver of COULOMB is to serve steps. */
    int size;                /* unknowns (LCP), contacts (STEP, COULOMB): the largest number that comes */
    int blocks;              /* COULOMB: most blocks of W; 0: all of size x size */
    const carom_qp *qp;      /* QP: matrix and rows, which must outlive the solver */
} carom_problem_shape;

/* The shape of one problem: its contacts and blocks. */
carom_problem_shape carom_coulomb_shape(const carom_coulomb *problem);

/* A solver at work. Those who write solvers read it; others need not. */
typedef struct carom_solver {
    const struct carom_solver_ops *ops;
    carom_problem_shape shape;   /* what there is memory for */
    carom_solver_options limits; /* tolerance and iterations with their defaults filled in */
    const double *option;        /* one value per entry of ops->options */
    double *work;                /* ops->work_size numbers */
    void *data;                  /* the solver's own */
    struct step_coulomb *step;   /* how a step is posed for a solver of COULOMB; NULL: it is not */
} carom_solver;

/* What makes a solver: constants and functions. The first member is its name. One line in
 * src/contact/solvers.h registers it, carom_solver_register does so while a program runs. */
typedef struct carom_solver_ops {
    const char *name;
    const char *summary; /* what it is, with equation or algorithm of the source, and when to take it */
    carom_problem_kind kind;
    const carom_option_info *options; /* its own */
    int option_count;
    double tolerance;    /* default */
    int max_iterations;  /* default; 0: as many as it takes, or a number that depends on the problem */
    int max_size;        /* largest problem that it takes; 0: any */
    const void *variant; /* constants that tell it from others of its family; NULL: none */
    /* Doubles of work that solve needs for problems of up to this shape; NULL: none. */
    size_t (*work_size)(const carom_problem_shape *shape);
    /* Makes self->data for self->shape with self->option; NULL: there is none. Also called, after free, when
     * a larger problem comes. */
    carom_status (*setup)(carom_solver *self, carom_error *error);
    /* Called when self->data is not NULL, also after a setup that failed; NULL: nothing is to be freed. */
    void (*free)(carom_solver *self);
    /* What one solve leaves for the next, visited to keep it and to give it back. NULL: nothing is known of it, unless
     * data is NULL. */
    void (*keep)(carom_solver *self, carom_snapshot *snapshot);
    /* The one of its kind. Unknowns are start (warm) and result; the problem is not larger than self->shape.
     * Fills the report, which comes with zeros: iterations and error, and a word or a status unless it is
     * CAROM_OK. A solver that takes memory here says so in its comment. */
    union {
        void (*lcp)(carom_solver *self, const carom_lcp *problem, double *z, carom_solve_report *report);
        void (*qp)(carom_solver *self, const carom_qp *problem, double *x, double *r,
                   carom_solve_report *report);
        void (*one_contact)(carom_solver *self, const carom_friction_contact *contact,
                            carom_friction_result *result, carom_solve_report *report, carom_error *error);
        void (*step)(carom_solver *self, const carom_friction_problem *problem, double *impulse,
                     unsigned char *regime, carom_solve_report *report, carom_error *error);
        void (*coulomb)(carom_solver *self, const carom_coulomb *problem, double *r,
                        carom_solve_report *report);
    } solve;
} carom_solver_ops;

/* Options and shape may be NULL. The caller frees the solver; *solver is NULL when it fails. BAD_INPUT: no
 * solver (ops NULL), a shape it does not take, an option it does not have, limits that are no limits; for
 * QP a matrix that is not positive definite. */
carom_status carom_solver_create(const carom_solver_ops *ops, const carom_problem_shape *shape,
                                 const carom_solver_options *options, carom_solver **solver,
                                 carom_error *error);
void carom_solver_free(carom_solver *solver);

/* A solver without setup in memory of the caller, ops->work_size numbers for this shape: for callers that may
 * not allocate. There is nothing to free. */
carom_solver carom_solver_in(const carom_solver_ops *ops, const carom_problem_shape *shape, double tolerance,
                             double *work);

/* One problem each. z, impulse and r are start (warm) and result. None takes memory, unless the problem is
 * larger than the shape, or the comment of the solver says so. */

carom_solve_report carom_solver_lcp(carom_solver *solver, const carom_lcp *problem, double *z);
/* matrix, rows, columns and entries are those of the shape; vector, bounds and row_size are read anew. The
 * active rows of one solution are the start of the next. r is exactly zero on rows that are not at a bound.
 */
carom_solve_report carom_solver_qp(carom_solver *solver, const carom_qp *problem, double *x, double *r);
carom_solve_report carom_solver_one_contact(carom_solver *solver, const carom_friction_contact *contact,
                                            carom_friction_result *result, carom_error *error);
/* impulse: 3 per contact. regime: one carom_contact_regime per contact. The error text says why the status is
 * not CAROM_OK. A solver of COULOMB serves steps whose cones are all round and refuses others. */
carom_solve_report carom_solver_step(carom_solver *solver, const carom_friction_problem *problem,
                                     double *impulse, unsigned char *regime, carom_error *error);
carom_solve_report carom_solver_coulomb(carom_solver *solver, const carom_coulomb *problem, double *r);

/* Create, solve, free. A status other than CAROM_OK says that there is no such solver or option; whether the
 * problem was solved is in the report, also when memory was short. */
carom_status carom_coulomb_solve(const carom_solver_ops *ops, const carom_coulomb *problem,
                                 const carom_solver_options *options, double *r, carom_solve_report *report,
                                 carom_error *error);

/* The same problem with W left out, the law in the form of Alart and Curnier. For flexible bodies, where W is full and has full
 * rank; elsewhere it may fail where a solver of the reduced problem does not, and report->word says so. Rigid bodies that touch in
 * pairs: as carom_pairs_solve does. With 100 velocities or
 * more and no equations: proximal points, reactions eliminated contact by contact, a factor of M + H D H^T in each iteration (at
 * most 300). What neither of the two solves, with at most 500 contacts and without a limit of iterations, is reduced and given to `auto`. Else Newton's method on v, u and r at once, steps after Goldstein and Price. r (dimension per
 * contact): start and result, v: the motion that belongs to it; the error is carom_coulomb_error, computed
 * from u = H^T v + w. Local failures are singular matrices that were regularised. Defaults: tolerance 1e-8,
 * 200 iterations. Takes memory while it works. FAILED, as carom_coulomb_reduce: "M is singular", "redundant
 * bilateral constraints". */
carom_status carom_coulomb_solve_global(const carom_coulomb_global *global,
                                        const carom_solver_options *options, double *v, double *r,
                                        carom_solve_report *report, carom_error *error);

/* True where the global form is the way to solve it: no equations, and rigid bodies that touch in pairs, or eight contacts on one
 * elastic body of 100 velocities, every two of which are coupled. From sizes and places alone; takes memory while it works. */
bool carom_coulomb_prefers_global(const carom_coulomb_global *global);

/* ---- which solvers there are ---------------------------------------------------------------------
 *
 * One registry per kind of problem, so that one name may stand for two kinds. Options of schemes may refer to
 * them. That of steps holds the solvers of steps and all solvers of COULOMB whose names are not theirs. The
 * names of COULOMB and steps are found in capitals and small letters. */
extern carom_registry carom_lcp_solvers, carom_qp_solvers, carom_one_contact_solvers, carom_step_solvers,
    carom_coulomb_solvers;

/* NULL for what is no kind. */
carom_registry *carom_solver_registry(carom_problem_kind kind);
/* "lcp", "qp", "friction" (of one contact or of a step), "coulomb". */
const char *carom_problem_kind_word(carom_problem_kind kind);
size_t carom_solver_count(carom_problem_kind kind);
const carom_solver_ops *carom_solver_at(carom_problem_kind kind, size_t index);
/* NULL and an error (which may be NULL) that lists the solvers when there is no such name. */
const carom_solver_ops *carom_solver_find(carom_problem_kind kind, const char *name, carom_error *error);
/* For the rest of the process, which the ops must outlive. BAD_INPUT: incomplete, or the name is taken. */
carom_status carom_solver_register(const carom_solver_ops *ops, carom_error *error);

/* Those that other rooms take by themselves. */
extern const carom_solver_ops carom_lcp_closed_form; /* one or two unknowns */
extern const carom_solver_ops carom_lcp_active_set;  /* symmetric positive semidefinite W */
extern const carom_solver_ops carom_lcp_gauss_seidel;
extern const carom_solver_ops carom_lcp_lemke;     /* copositive-plus W, perhaps unsymmetric; no warm start */
extern const carom_solver_ops carom_qp_active_set; /* primal-dual, the dual method when a set comes back */
extern const carom_solver_ops carom_qp_dual;
extern const carom_solver_ops carom_step_auto; /* sweeps; where they are slow solvers of FC(W, q, mu) help */

#endif
