/* contact: the one-step problems as plain data, their error measures, and the solvers. */
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

/* max_i |min(z_i, w_i / W_ii)| / (1 + max |z|): zero exactly at a solution. Independent of any solver. */
double carom_lcp_error(const carom_lcp *problem, const double *z);

typedef struct carom_solve_report {
    carom_status status; /* CAROM_OK only when error <= tolerance */
    int iterations;
    double error; /* the problem's own error measure */
} carom_solve_report;

typedef struct carom_lcp_solver_ops {
    const char *name;
    const char *summary;
    int max_size; /* largest problem it takes; 0: any */
    /* Doubles of work space that solve needs for a problem of this size. */
    size_t (*work_size)(int size);
    /* z: start (warm) and result. */
    carom_solve_report (*solve)(const carom_lcp *problem, double tolerance, double *work, double *z);
} carom_lcp_solver_ops;

extern const carom_lcp_solver_ops carom_lcp_closed_form; /* one or two unknowns */
extern const carom_lcp_solver_ops carom_lcp_active_set;  /* symmetric positive semidefinite W */
extern const carom_lcp_solver_ops carom_lcp_gauss_seidel;
extern const carom_lcp_solver_ops carom_lcp_lemke; /* copositive-plus W, perhaps unsymmetric; no warm start */

/* ---- one frictional contact -----------------------------------------------------------------
 *
 * Components: 0 normal, then one or two tangents. Given the local W and the free relative velocity u_free
 * with u_free[0] < 0, find the impulse p with
 *
 *   u = W p + u_free,   u[0] = target,   p[0] >= 0,
 *   -u_T in the normal cone of p[0] D_1 at p_T                             Moreau 1986 (11.14), (12.6),
 * (13.13)
 *
 * An ellipse with a slip rule of its own has Q^2 u_T in the place of u_T (carom/convex.h); its problem may
 * have no solution, or several. "target" is 0 for Moreau's inelastic contact and -e u_N^- for Newton's law.
 */
typedef struct carom_friction_contact {
    int tangents;   /* 1 or 2 */
    double W[3][3]; /* leading (1+tangents) block; symmetric positive definite */
    double u_free[3];
    double target;
    carom_planar_set set; /* D_1: an interval for one tangent */
} carom_friction_contact;

typedef enum carom_contact_branch {
    CAROM_CONTACT_OPEN = 0,  /* no impulse */
    CAROM_CONTACT_SLIP = 1,  /* impulse on the boundary of the cone, or no friction */
    CAROM_CONTACT_STICK = 2, /* impulse inside the cone, no slip */
} carom_contact_branch;

typedef struct carom_friction_result {
    double impulse[3];
    double velocity[3];
    carom_contact_branch branch;
    double error; /* carom_friction_contact_error of this result */
} carom_friction_result;

/* Distance of (p, u = W p + u_free) from the law, in velocity units: normal equation, and the tangential
 * law by its natural map |p_T - P_{p_N D_1}(p_T - u_T / w)| w. Independent of the solver. */
double carom_friction_contact_error(const carom_friction_contact *contact, const double impulse[3]);

/* Closed form for one tangent (segment or half-line of (13.13), jamming included) and for two tangents
 * that do not couple with the normal; otherwise one scalar equation for the normal impulse. */
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

typedef struct carom_friction_gauss_seidel_options {
    int max_sweeps;   /* 10000; at least 1 */
    double tolerance; /* 1e-10, of carom_friction_problem_error */
} carom_friction_gauss_seidel_options;

carom_friction_gauss_seidel_options carom_friction_gauss_seidel_defaults(void);

/* Block Gauss-Seidel: contact after contact is solved exactly for the impulses that the others have at the
 * moment (Jean 1999). impulse: 3 per contact, start (warm) and result. branch: one carom_contact_branch per
 * contact. Takes no memory. When the status is not CAROM_OK the error text says why, and *failed_contact is
 * the contact whose own problem has no solution, -1 when the sweeps did not converge. */
carom_solve_report carom_friction_gauss_seidel(const carom_friction_problem *problem,
                                               const carom_friction_gauss_seidel_options *options,
                                               double *impulse, unsigned char *branch, int *failed_contact,
                                               carom_error *error);

/* The same, but where sweeps are slow and all cones are round, solvers of FC(W, q, mu) (below) help:
 * accelerated sweeps, then proximal points with Newton's method. Their memory, for up to `contacts` contacts,
 * is taken at creation, some 30 matrices of contacts x contacts numbers. A solve takes none unless these fail
 * too: then the default solver of FC(W, q, mu) with all its stages is the last resort, which takes memory
 * while it works. */
typedef struct carom_friction_solver carom_friction_solver;
/* BAD_INPUT for a number of contacts that is negative or above 15000. */
carom_status carom_friction_solver_create(int contacts, carom_friction_solver **solver, carom_error *error);
/* A problem with more contacts than the solver was made for is left to sweeps alone. */
carom_solve_report carom_friction_auto(carom_friction_solver *solver, const carom_friction_problem *problem,
                                       const carom_friction_gauss_seidel_options *options, double *impulse,
                                       unsigned char *branch, int *failed_contact, carom_error *error);
void carom_friction_solver_free(carom_friction_solver *solver);

/* ---- Coulomb friction at many contacts: FC(W, q, mu) -----------------------------------------------
 *
 * Three numbers per contact: normal, two tangents. Find r with u = W r + q and, for every contact,
 *
 *   K* contains u + (mu |u_T|, 0, 0),  perpendicular to  r in K = { |r_T| <= mu r_N }
 *
 * (Acary, Bremond and Huber 2018, (34)): open r = 0, u_N >= 0; stick u = 0, r in K; slip u_N = 0, r_T = -mu
 * r_N u_T / |u_T|. W is positive semidefinite and need not be symmetric; r need not be unique, nor exist. A
 * contact in the plane has a second tangent with W = 1 and q = 0 there. */
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
} carom_coulomb_global;

/* A local problem as files give it, in the plane or in space, perhaps with equations W, V, R, s:
 *   u = W r + V l + q,  0 = V^T r + R l + s. */
typedef struct carom_coulomb_local {
    int dimension;
    int contacts;
    carom_sparse W;    /* (dimension contacts) square */
    carom_sparse V, R; /* columns of V, size of R: p; p = 0: none */
    const double *q, *s, *mu;
} carom_coulomb_local;

/* W = H^T M^-1 H, q = H^T M^-1 f + w, equations eliminated. All memory of the problem comes from the arena.
 * FAILED: "M is singular", "redundant bilateral constraints". */
carom_status carom_coulomb_reduce(const carom_coulomb_global *global, carom_arena *arena,
                                  carom_coulomb *problem, carom_error *error);
/* Equations eliminated, the plane embedded in space. */
carom_status carom_coulomb_embed(const carom_coulomb_local *local, carom_arena *arena, carom_coulomb *problem,
                                 carom_error *error);

/* Nearest point of K to z; the size of its boundary is mu. */
void carom_cone_project(double mu, const double z[3], double p[3]);

/* |r - P_K(r - u - (mu |u_T|, 0, 0))| / |q| over all contacts, (131); 0 when q is 0 and r is; infinite when a
 * number is not finite. Independent of any solver. */
double carom_coulomb_error(const carom_coulomb *problem, const double *r);

/* What reactions r say about the contacts. */
typedef struct carom_coulomb_summary {
    double q_norm, r_norm, u_norm;
    double error;          /* carom_coulomb_error */
    double absolute_error; /* without the division by |q| */
    double energy;         /* 1/2 r.W r + q.r */
    double dissipation;    /* sum of u_T.r_T: not above zero at a solution */
    /* By velocities, because reactions are not unique where W is singular: open when u_N > e, else sliding
     * when |u_T| > e, else sticking; e = max(1e-6 max |u|, 2 absolute_error). */
    int open, sliding, sticking;
} carom_coulomb_summary;

/* u = W r + q and status, one carom_contact_branch per contact, are results; status may be NULL. */
void carom_coulomb_summarise(const carom_coulomb *problem, const double *r, double *u, unsigned char *status,
                             carom_coulomb_summary *summary);

/* The motion and the multipliers that belong to reactions r (dimension per contact):
 *   M v - G l = H r + f,  G^T v = -b. FAILED when this system is singular. */
carom_status carom_coulomb_motion(const carom_coulomb_global *global, const double *r, double *v, double *l,
                                  carom_error *error);
/* R l = -(V^T r + s) */
carom_status carom_coulomb_multipliers(const carom_coulomb_local *local, const double *r, double *l,
                                       carom_error *error);

typedef enum carom_solve_word {
    CAROM_SOLVE_OK,
    CAROM_SOLVE_ITERATIONS, /* the largest number of iterations is reached */
    CAROM_SOLVE_TIME,
    CAROM_SOLVE_STALLED,  /* no further progress is possible */
    CAROM_SOLVE_DIVERGED, /* the iterates grow without bound: perhaps there is no solution */
    CAROM_SOLVE_LOCAL,    /* the problem of one contact was not solved */
    CAROM_SOLVE_MEMORY,
} carom_solve_word;

/* "ok", "max-iterations", "timeout", "stalled", "diverged", "local-failure", "no-memory". */
const char *carom_solve_word_text(carom_solve_word word);

typedef struct carom_coulomb_limits {
    double tolerance;   /* of carom_coulomb_error */
    int max_iterations; /* 0: the solver's own */
    double max_seconds; /* 0: no limit */
    /* Called after iterations whose error was computed; may be NULL. */
    void (*report)(void *context, int iteration, double error, double seconds);
    void *context;
} carom_coulomb_limits;

typedef struct carom_coulomb_report {
    carom_solve_word word; /* CAROM_SOLVE_OK only when error <= tolerance */
    double error;          /* carom_coulomb_error of the r returned: the best one seen */
    int iterations;
    long inner_iterations; /* Newton steps, local or inner iterations, where there are some */
    long local_failures;   /* contacts for which a fall-back was needed */
    double seconds;
} carom_coulomb_report;

/* r: start (warm) and result. Options are one number per entry of the table, in its order. Memory is taken at
 * the beginning and given back at the end. */
typedef struct carom_coulomb_solver_ops {
    const char *name;
    const char *summary; /* what it is, with equation or algorithm of the source, and when to take it */
    const carom_option_info *options;
    int option_count;
    void (*solve)(const carom_coulomb *problem, const double *option, const carom_coulomb_limits *limits,
                  double *r, carom_coulomb_report *report);
} carom_coulomb_solver_ops;

/* The same problem with W left out: Newton's method on v, u and r at once, the law in the form of Alart and
 * Curnier, steps after Goldstein and Price. For flexible bodies, where W is full and has full rank; elsewhere
 * it may fail where a solver of the reduced problem does not, and report->word says so. r (dimension per
 * contact): start and result, v: the motion that belongs to it; the error is carom_coulomb_error, computed
 * from u = H^T v + w. Local failures are singular matrices that were regularised.
 * FAILED, as carom_coulomb_reduce: "M is singular", "redundant bilateral constraints". */
carom_status carom_coulomb_solve_global(const carom_coulomb_global *global,
                                        const carom_coulomb_limits *limits, double *v, double *r,
                                        carom_coulomb_report *report, carom_error *error);
/* carom_coulomb_summarise without W; r and u have dimension numbers per contact. Takes memory while it works.
 */
carom_status carom_coulomb_summarise_global(const carom_coulomb_global *global, const double *r, double *u,
                                            unsigned char *status, carom_coulomb_summary *summary,
                                            carom_error *error);

size_t carom_coulomb_solver_count(void);
const carom_coulomb_solver_ops *carom_coulomb_solver_at(size_t index);
/* Case does not matter. NULL and an error that lists the solvers when there is no such name. */
const carom_coulomb_solver_ops *carom_coulomb_solver_find(const char *name, carom_error *error);

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

/* How far (x, r) is from the conditions above, each part relative and without dimension:
 *   stationarity: max |A x - f - D^T r| / max(|A x|, |f|, 1e-6 max A_ii max |x|), the last for stiff A, where
 * the rounding of A x alone is large against A x, rows: max |d_i - P_[lower, upper](d_i - s_i r_i)| /
 * max(|d|, |s r|, row_size), d = D x, s_i = |D_i|^2 / A_cc, c the column of the row's largest entry, which
 * turns a multiplier into a displacement. Zero exactly at the solution; infinite when a number is not finite
 * or lower > upper. Independent of any solver. `work` has `size` doubles. */
double carom_qp_error(const carom_qp *problem, const double *x, const double *r, double *work);

typedef enum carom_qp_method {
    CAROM_QP_ACTIVE_SET, /* primal-dual active set, warm; the dual method when a set comes back */
    CAROM_QP_DUAL,       /* dual active set of Goldfarb and Idnani: always finite */
} carom_qp_method;

typedef struct carom_qp_options {
    carom_qp_method method;
    int max_iterations; /* of the primal-dual active set; 60 */
    double
        feasibility; /* violation of a bound that is left alone, relative to max |D x| or row_size; 1e-13 */
    size_t cache_bytes;  /* most memory for columns A^-1 D^T that are kept, and for the banded system, which
                          * is left out when it needs more; 256 MiB */
    int condensed_limit; /* active rows up to which the small dense system is solved; beyond it one banded
                          * system with the multipliers among the unknowns; 96 */
} carom_qp_options;
carom_qp_options carom_qp_defaults(void);

typedef struct carom_qp_report {
    carom_status status; /* CAROM_OK only when error <= 1e-8 */
    int iterations;
    int active;     /* rows at a bound */
    bool fell_back; /* the dual method was needed */
    double error;   /* carom_qp_error */
} carom_qp_report;

/* For many programs with one A and one D: A is factored once, the active rows of one solution are the start
 * of the next. `shape` gives size, matrix, rows, row_start, column, entry, lower and upper, which must
 * outlive the solver; bounds are read anew in every solve. */
typedef struct carom_qp_solver carom_qp_solver;
carom_status carom_qp_solver_create(const carom_qp *shape, const carom_qp_options *options,
                                    carom_qp_solver **solver, carom_error *error);
/* x and r are results. Takes no memory. r is exactly zero on rows that are not at a bound. */
carom_qp_report carom_qp_solve(carom_qp_solver *solver, const double *vector, double *x, double *r);
void carom_qp_solver_free(carom_qp_solver *solver);

/* ---- registry --------------------------------------------------------------------------------- */

typedef struct carom_solver_entry {
    const char *name;
    const char *problem; /* "lcp", "qp" or "friction" */
    const char *summary;
    const carom_lcp_solver_ops *lcp; /* NULL for other problems */
} carom_solver_entry;

size_t carom_solver_count(void);
const carom_solver_entry *carom_solver_at(size_t index);
const carom_lcp_solver_ops *carom_lcp_solver_find(const char *name);

#endif
