/* law: friction laws as data, the choice between their static and dynamic sets, and laws of impact. */
#ifndef CAROM_LAW_H
#define CAROM_LAW_H

#include "carom/contact.h"
#include "carom/convex.h"

/* ---- friction -------------------------------------------------------------------------------------- */

/* What a friction law reads from its table in a model file; the coefficients follow each other in the
 * order of the keys. Behind the first key all may be left out that are not needed: such a one counts when
 * a later one is given, and is its `value` then. */
typedef enum carom_friction_key_kind {
    CAROM_FRICTION_NUMBER,   /* 1 coefficient */
    CAROM_FRICTION_PAIR,     /* 2: { 0.5, 0.25 } */
    CAROM_FRICTION_VERTICES, /* 2 per vertex: { {0.5, 0}, {0, 0.3}, ... } */
    CAROM_FRICTION_CONE,     /* friction itself, of any other form */
} carom_friction_key_kind;

typedef struct carom_friction_key {
    const char *name; /* NULL: the end of a list */
    carom_friction_key_kind kind;
    bool needed;
    double value;
    const char *example; /* "ellipse = { mu_x, mu_y }" */
    const char *what;    /* of a coefficient, in errors: "an axis of the friction ellipse" */
    const char *doc;
} carom_friction_key;

/* For messages: the contact, "friction" or (with two levels) "static friction" and "dynamic friction". */
typedef struct carom_friction_place {
    const char *contact, *level;
    int tangents;
} carom_friction_place;

/* A friction law: the set D_1 of friction forces for a unit normal force, from coefficients of the model. */
typedef struct carom_friction_law_ops {
    const char *name;
    const char *usage;              /* what it is and how a model file writes it */
    const carom_friction_key *keys; /* of contact { friction = { ... } }; NULL: not written as such a table */
    int tangents_min, tangents_max; /* slip components */
    const char *slip_needed;        /* says so: "an ellipse needs two slip components: slip = ..." */
    int coefficients;               /* how many it takes, when takes is NULL */
    /* BAD_INPUT: not so many coefficients; NULL: exactly `coefficients`. */
    carom_status (*takes)(int count, const carom_friction_place *at, carom_error *error);
    /* How many of the coefficients, the first ones, bound the friction force; NULL: all. */
    int (*bounds)(int count);
    carom_planar_set (*set)(int count, const double *c, int tangents);
    /* In place of carom_friction_bounds_check; NULL: that one. */
    carom_status (*check)(int count, const double *c, const carom_friction_place *at, carom_error *error);
} carom_friction_law_ops;

extern const carom_friction_law_ops carom_friction_isotropic; /* 1 coefficient: mu */
/* A pair of laws, see carom_friction_law; it has no set of its own. */
extern const carom_friction_law_ops carom_friction_static_dynamic;
/* 2: semi-axes mu_x, mu_y along the two slip components; 3: and the angle of the axes against them; 5: and
 * semi-axes p_x, p_y of the slip potential */
extern const carom_friction_law_ops carom_friction_elliptic;
extern const carom_friction_law_ops carom_friction_polygonal; /* 2 per vertex */
extern const carom_friction_law_ops
    carom_friction_asymmetric; /* 2, one slip component: opposing negative slip,
                                                                * opposing positive slip */
extern const carom_friction_law_ops carom_friction_weakening; /* 3, friction forces only: Td, Ts, vd of
                                                               * carom_weakening */

size_t carom_friction_law_count(void);
const carom_friction_law_ops *carom_friction_law_at(size_t index);
/* NULL and an error that lists the laws when there is no such name. */
const carom_friction_law_ops *carom_friction_law_find(const char *name, carom_error *error);
/* Adds a law for the rest of the process; it must outlive it. BAD_INPUT: a name that is taken, no usage or
 * no set. */
carom_status carom_friction_law_register(const carom_friction_law_ops *law, carom_error *error);
/* The first `count` coefficients are finite and not negative. */
carom_status carom_friction_bounds_check(int count, const double *c, const carom_friction_place *at,
                                         carom_error *error);
/* "none" for NULL. */
const char *carom_friction_name(const carom_friction_law_ops *law);

/* One cone: its shape and number of coefficients. The coefficients themselves come from the model. */
typedef struct carom_friction_cone {
    const carom_friction_law_ops *shape; /* NULL: no friction */
    int coefficients;
} carom_friction_cone;

/* Friction of a contact. With two_level the static cone rules steps that start from sticking, the dynamic
 * cone all others (Moreau 1986, section 12, Remark 1); otherwise only `dynamic_cone` is used. */
typedef struct carom_friction_law {
    bool two_level;
    carom_friction_cone static_cone, dynamic_cone;
} carom_friction_law;

/* Number of coefficients of a law: static ones first, then dynamic ones. */
int carom_friction_law_coefficients(const carom_friction_law *law);

/* The set D_1 of a step that started sticking or not, from the law's coefficients (which must outlive the
 * set: polygons point into them). */
carom_planar_set carom_friction_law_set(const carom_friction_law *law, const double *coefficients,
                                        int tangents, bool sticking);

/* True when some coefficient of friction is not zero. */
bool carom_friction_law_acts(const carom_friction_law *law, const double *coefficients);

/* Checks coefficients: finite, not negative, polygon convex around 0. */
carom_status carom_friction_law_check(const carom_friction_law *law, const double *coefficients, int tangents,
                                      const char *contact_name, carom_error *error);

/* ---- friction that weakens with the slip -----------------------------------------------------------
 *
 *   force in Sign(s) T(|s|),   T(s) = Td + (Ts - Td) exp(-vd s),   Sign(0) = [-1, 1] */
typedef struct carom_weakening {
    double Ts, Td; /* at the start of motion, and at high speed: Ts >= Td >= 0; equal: Coulomb's law */
    double vd;     /* 1 / speed, not negative */
} carom_weakening;

/* T(s) for s >= 0, and -dT/ds, which is largest at 0. */
double carom_weakening_force(const carom_weakening *law, double speed);
double carom_weakening_slope(const carom_weakening *law, double speed);
/* The slip s and force with a s + h force = c: exactly 0 where the force can hold it. Needs
 * a > h vd (Ts - Td), or there may be several; starts from `guess`. */
double carom_weakening_solve(double a, double h, double c, const carom_weakening *law, double guess,
                             double *force);
/* Finite, Ts >= Td >= 0, vd >= 0; names the friction force. */
carom_status carom_weakening_check(const carom_weakening *law, const char *name, carom_error *error);

/* ---- impacts ----------------------------------------------------------------------------------------
 *
 * Positions do not change in an impact; velocities v of n coordinates jump under impulses p of c closed
 * contacts:
 *
 *   M (v+ - v-) = W p,   gamma = W^T v + rate,   G = W^T M^-1 W,   gamma+ = gamma- + G p.
 *
 * gamma > 0 separates. A law chooses p. All numbers are the caller's; a law takes no memory.
 *
 * Joints with rows J, which hold before and after, have impulses lambda of either sign:
 *
 *   M (v+ - v-) = W p + J^T lambda,   J (v+ - v-) = 0,   G = W^T (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) W. */
typedef struct carom_impact {
    int coordinates, contacts;
    const double *mass;      /* n x n row-major, symmetric positive definite; NULL: a diagonal one */
    const double *masses;    /* its diagonal, where mass is NULL */
    const int *column_start; /* W by columns, as in carom_sparse; contacts + 1 */
    const int *row;
    const double *value;
    const double *rate;        /* per contact, of an obstacle that moves; NULL: 0 */
    const double *velocity;    /* before */
    const double *restitution; /* per contact, in [0, 1] */
    const double *stiffness;   /* per contact, of lambda = K x^eta; NULL: the default. Only lzb reads them. */
    const double *exponent;    /* per contact, eta; NULL: the default */
    int joints;
    const double *joint; /* J, joints x coordinates, row-major; NULL where there are none */
} carom_impact;

/* 1, and 3/2: Hertz */
extern const double carom_default_stiffness, carom_default_exponent;

/* What a law does with a contact that is closed but separates, when the others then press it together: the
 * velocity after it may penetrate (Newton's and Moreau's laws). */
typedef enum carom_impact_separating {
    CAROM_SEPARATING_KEEP,    /* what the law says, with the flag kinematic lowered */
    CAROM_SEPARATING_PROJECT, /* the nearest admissible velocity in the kinetic metric */
} carom_impact_separating;

typedef enum carom_impact_order {
    CAROM_ORDER_LEFT_RIGHT, /* the approaching contact with the smallest number first */
    CAROM_ORDER_RIGHT_LEFT,
    CAROM_ORDER_RANDOM, /* seed, x <- 16807 x mod 2^31 - 1 */
} carom_impact_order;

typedef enum carom_lzb_method {
    CAROM_LZB_EVENTS,   /* Runge-Kutta on the indentation, changes of phase located */
    CAROM_LZB_TIME,     /* explicit, constant steps of time (Nguyen and Brogliato 2018, (32)-(37)) */
    CAROM_LZB_IMPULSE,  /* steps of impulse by the distributing law (their (22)) */
    CAROM_LZB_IMPLICIT, /* implicit steps of time, for small exponents */
} carom_lzb_method;

/* Their words, ending with NULL. */
extern const char *const carom_impact_order_words[], *const carom_lzb_method_words[];

/* The course of an impact, told now and then by lzb: time since its start, per contact the potential energy
 * and the force, per coordinate the velocity. */
typedef void carom_impact_observer(void *context, double t, const double *energy, const double *force,
                                   const double *velocity);

enum {
    CAROM_IMPACT_OWN_OPTIONS = 16
};

/* All may be left zero. 0 for a number: the law's default, which stands here or in its table of options.
 * Also by name: carom_impact_options_resolve. */
typedef struct carom_impact_options {
    carom_impact_separating separating;
    bool allow_gain; /* restitution above 1: may create energy */

    carom_impact_order order; /* binary */
    unsigned seed;
    long max_collisions;        /* 1e6 */
    double collision_tolerance; /* approach slower than this is none; 0: the source's rule */
    bool one_sweep; /* every contact once, in the order, and no more (Tables 1 and 2 of the source) */
    /* Told of every collision, with its impulse, before velocities change; may be NULL. */
    void (*collided)(void *context, int contact, double impulse);
    void *collided_context;

    carom_lzb_method method;
    double step;      /* of time (events, time, implicit) or of impulse; 0: from the system */
    bool exact_start; /* method time: 1/(1 + eta) instead of the source's 1/2 at the start of a contact */
    long max_steps;   /* 1e8 */
    double velocity_tolerance; /* closing speeds and energies below these are none; 0: from the system */
    double energy_tolerance;
    carom_impact_observer *observe;
    void *context;
    double observe_interval; /* time between two calls; 0: every step */

    /* Asked now and then with the collisions or steps done and their largest number: false ends the impact, which is not
     * converged then. May be left zero. */
    carom_progress progress;

    double own[CAROM_IMPACT_OWN_OPTIONS]; /* of a law without `set`: its options, in the order of its table */
} carom_impact_options;

/* What 0 stands for in every law. */
carom_impact_options carom_impact_defaults(void);

typedef enum carom_impact_word {
    CAROM_IMPACT_OK,
    CAROM_IMPACT_NONE,          /* no contact approaches: nothing changed */
    CAROM_IMPACT_NOT_CONVERGED, /* ended by max_collisions, max_steps, or a solver that did not */
    CAROM_IMPACT_ROUNDING, /* binary: the last collisions were at rounding level, the number means nothing */
    CAROM_IMPACT_INFEASIBLE, /* no velocity satisfies all contacts */
} carom_impact_word;
/* "ok", "no-impact", "not-converged", "ended-by-rounding", "infeasible" */
const char *carom_impact_word_text(carom_impact_word word);

/* Things a user should know; bits. */
enum {
    CAROM_IMPACT_SEPARATING = 1 << 0, /* a closed contact separates before the impact */
    CAROM_IMPACT_PROJECTED = 1 << 1,  /* the velocity was projected, see carom_impact_separating */
    CAROM_IMPACT_REDUNDANT = 1 << 2,  /* rows of W depend on each other: impulses are not unique */
    CAROM_IMPACT_MINIMUM = 1 << 3,    /* ... and the result rests on the smallest compression impulses */
    CAROM_IMPACT_INFINITE = 1 << 4,   /* binary, three balls: infinitely many collisions (z >= 1) */
    CAROM_IMPACT_STIFF = 1 << 5,      /* lzb: an exponent below 0.3 with an explicit method */
    CAROM_IMPACT_MIXED = 1 << 6,      /* lzb: exponents differ, absolute stiffness and speed matter */
    CAROM_IMPACT_COARSE = 1 << 7,     /* lzb: the step is above a tenth of the shortest time */
    CAROM_IMPACT_SOFTENED = 1 << 8,   /* lzb: restitution below 0.01 was taken as 0.01 */
    CAROM_IMPACT_GAIN = 1 << 9,       /* a restitution above 1 was allowed */
    CAROM_IMPACT_NOTES = 10,          /* number of bits */
};
/* What bit number i means, in a sentence. */
const char *carom_impact_note_text(int bit);

/* Arrays are the caller's; those that may be NULL are not wanted then. */
typedef struct carom_impact_result {
    double *velocity;    /* coordinates */
    double *impulse;     /* contacts */
    double *compression; /* poisson: impulses of the first phase; may be NULL */
    int *closings;       /* lzb: how often a contact closed from rest; may be NULL */
    int *repeats;        /* lzb: how often it went back to compression before it opened; may be NULL */
    double *peak_force;  /* lzb; may be NULL */
    double *reaction;    /* joints: lambda; may be NULL */

    /* filled by the law */
    carom_impact_word word;
    unsigned notes;
    long collisions, steps;
    double duration;          /* lzb */
    double residual;          /* of the law's own conditions, in velocities */
    double smallest_approach; /* binary: slowest approach that was treated */
    double largest_left;      /* largest approach speed that is left */

    /* Computed from the velocities and impulses, whatever the law says. */
    double energy_before, energy_after;
    double work;      /* sum of p (gamma- + gamma+) / 2: the change of energy, where nothing moves */
    double imbalance; /* max |M (v+ - v-) - W p - J^T lambda| over max |M v|, before or after: momentum */
    double slippage;  /* max |J (v+ - v-)|, against the sum of its terms' sizes: joints */
    bool kinematic;   /* gamma+ >= 0 */
    bool kinetic;     /* p >= 0, and the impact equation holds, and the joints */
    bool energetic;   /* energy did not grow */
} carom_impact_result;

/* Sizes that a law must be ready for. */
typedef struct carom_impact_sizes {
    int coordinates, contacts;
    int entries;    /* of W; 0: coordinates x contacts */
    int couplings;  /* nonzero entries of G; 0: contacts^2 */
    bool full_mass; /* carom_impact.mass may be given */
    int joints;
} carom_impact_sizes;
/* The sizes of one impact, with its entries counted. */
carom_impact_sizes carom_impact_sizes_of(const carom_impact *impact);

/* ---- laws of impact ------------------------------------------------------------------------------------ */

/* One impact seen from its contacts. */
typedef struct carom_contact_space {
    const carom_impact *impact;
    const carom_impact_sizes *sizes; /* what the work was made for; no zeros. The impact may be smaller. */
    int contacts, coordinates;
    const double *gamma;       /* W^T v- + rate */
    const double *restitution; /* per contact */
    const double *stiffness, *exponent;
    /* G = W^T M^-1 W, symmetric, compressed by rows, columns ascending; every row has its diagonal entry. */
    const int *start, *column, *diagonal; /* diagonal: where entry (i, i) stands */
    const double *entry;
    /* What an impulse changes: M^-1 W by columns, and what joints leave of it. */
    const int *response_start, *response_row;
    const double *response;
    const double *factor;               /* Cholesky factor of a full mass matrix */
    const struct impact_joints *joints; /* NULL: none */
    double energy_before;               /* kinetic */
    double speed;                       /* max |gamma| */
} carom_contact_space;

/* What a law fills in a result beyond velocities, impulses and the residual; bits. */
enum {
    CAROM_IMPACT_TELLS_COMPRESSION = 1 << 0, /* compression */
    CAROM_IMPACT_TELLS_COLLISIONS = 1 << 1,  /* collisions, smallest_approach */
    CAROM_IMPACT_TELLS_COURSE = 1 << 2, /* closings, repeats, peak_force, steps, duration; the observer */
};

/* A law. carom_impact_solve checks the data, builds the space, lets the law choose the impulses, and computes
 * velocities, energies and flags from them by itself. */
typedef struct carom_impact_law_ops {
    const char *name;
    const char *summary; /* what it is, one line */
    const char *usage;   /* in a few words, and how a model file chooses it: "...: impact_law = \"newton\"" */
    unsigned tells;      /* CAROM_IMPACT_TELLS_... */
    int option_count;    /* its own options, in a table */
    const carom_option_info *options;
    /* Puts the values of the table's options to where solve looks for them; NULL: into options->own. */
    void (*set)(const double *value, carom_impact_options *options);
    /* Doubles of work that an impact of these sizes needs. */
    size_t (*work_size)(const carom_impact_sizes *sizes);
    /* What the law asks of the data beyond the common checks; NULL: nothing. */
    carom_status (*check)(const carom_impact *impact, carom_error *error);
    /* Chooses result->impulse (zeroed before) and fills its part of the result. result->velocity is work space
     * of the law until it returns. Called only when some contact approaches. */
    carom_status (*solve)(const carom_contact_space *space, const carom_impact_options *options, double *work,
                          carom_impact_result *result, carom_error *error);
} carom_impact_law_ops;

extern const carom_impact_law_ops carom_impact_moreau;
extern const carom_impact_law_ops carom_impact_newton;
extern const carom_impact_law_ops carom_impact_poisson;
extern const carom_impact_law_ops carom_impact_binary;
extern const carom_impact_law_ops carom_impact_lzb;

/* The laws by name. Those that a program adds must outlive it. */
extern carom_registry carom_impact_laws;
size_t carom_impact_law_count(void);
const carom_impact_law_ops *carom_impact_law_at(size_t index);
/* NULL and an error that lists the laws when there is no such name. */
const carom_impact_law_ops *carom_impact_law_find(const char *name, carom_error *error);
/* Adds a law for the rest of the process. BAD_INPUT: a name that is taken, a function that is missing, more
 * options than carom_impact_options.own can hold. */
carom_status carom_impact_law_register(const carom_impact_law_ops *law, carom_error *error);

/* The law's own options by name: its defaults, then what the list (NULL: nothing) gives; what does not
 * belong to the law's table is left as it is. BAD_INPUT: a name that the law does not know, a value out of
 * range. */
carom_status carom_impact_options_resolve(const carom_impact_law_ops *law, const carom_option *list,
                                          carom_impact_options *options, carom_error *error);

/* Rules of impact that are part of a scheme, for lists. */
typedef struct carom_impact_rule {
    const char *name;
    const char *usage; /* what it is and how a model file writes it */
} carom_impact_rule;
size_t carom_impact_rule_count(void);
const carom_impact_rule *carom_impact_rule_at(size_t index);

/* ---- parts for laws of one's own ---- */

/* y = G p */
void carom_contact_space_multiply(const carom_contact_space *space, const double *p, double *y);

/* v += M^-1 w_contact p */
static inline void carom_contact_space_push(const carom_contact_space *space, int contact, double p,
                                            double *v)
{
    for (int k = space->response_start[contact]; k < space->response_start[contact + 1]; k++)
        v[space->response_row[k]] += space->response[k] * p;
}

/* w_contact . v + rate */
static inline double carom_contact_space_rate(const carom_contact_space *space, int contact, const double *v)
{
    const carom_impact *impact = space->impact;
    double sum = impact->rate ? impact->rate[contact] : 0.0;
    for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
        sum += impact->value[k] * v[impact->row[k]];
    return sum;
}

/* Complementarity: 0 <= p _|_ G p + b >= 0.
 *
 * Gives p = the multipliers of the projection of a contact velocity on gamma >= 0 in the metric of G^-1.
 * Returns the worst |min(p G_ii, G p + b)|, or infinity when there is no solution (p is zero then).
 * work: carom_impact_lcp_work(sizes) doubles. */
size_t carom_impact_lcp_work(const carom_impact_sizes *sizes);
double carom_impact_lcp(const carom_contact_space *space, const double *b, double *work, double *p);

/* The word for result->residual. Where there is no solution the impulses become zero, and the residual what b
 * asks for in vain. */
void carom_impact_conclude(const carom_contact_space *space, const double *b, carom_impact_result *result);

/* ---- one impact ---------------------------------------------------------------------------------------- */

/* A law with memory for systems up to these sizes; one thread at a time may use it. BAD_INPUT: no law,
 * no coordinate, sizes too large for full matrices. The caller frees it; *work is NULL when it fails. */
typedef struct carom_impact_work carom_impact_work;
carom_status carom_impact_work_create(const carom_impact_law_ops *law, const carom_impact_sizes *sizes,
                                      carom_impact_work **work, carom_error *error);
void carom_impact_work_free(carom_impact_work *work);

/* One impact, M (v+ - v-) = W p + J^T lambda; takes no memory. options NULL: defaults. BAD_INPUT says what the
 * data get wrong (sizes, NaN, a mass that is not positive, a restitution outside [0, 1], different restitutions
 * for moreau, joints that depend on each other, ...); what the law met stands in the result's word. */
carom_status carom_impact_solve(carom_impact_work *work, const carom_impact *impact,
                                const carom_impact_options *options, carom_impact_result *result,
                                carom_error *error);

/* Columns of a dense n x c matrix (row-major), for carom_impact: entries that are exactly zero are left out.
 * column_start has c + 1 places, row and value n c. Returns the number of entries. */
int carom_impact_columns(int coordinates, int contacts, const double *matrix, int *column_start, int *row,
                         double *value);

/* ---- geometry of impacts ----------------------------------------------------------------------------
 *
 * For small systems: all matrices are dense, row-major, n coordinates, c contacts. In the kinetic metric M
 * the cone of admissible velocities T = {v : W^T v >= 0} has the polar cone {-M^-1 W p : p >= 0}; in contact
 * space the cone K = {gamma >= 0} has the polar cone {-G p : p >= 0} in the metric G^-1. Obstacles are taken
 * as at rest: the rate of an impact has no part here, nor has its velocity; joints are refused. (Winandy, Baumann
 * and Leine 2018)
 */
typedef struct carom_impact_geometry {
    int coordinates, contacts;
    int rank;                /* of W */
    const double *delassus;  /* G = W^T M^-1 W, c x c */
    const double *projector; /* P, n x n: the velocity that no impulse changes, P v+ = P v- (143) */
    const double *normal;    /* P_perp = I - P = F W^T, n x n (142) */
    const double *lift;      /* F = M^-1 W G^-1, n x c: contact velocities to velocities (145); G^-1 is the
                                pseudo-inverse where contacts are redundant */
    struct carom_impact_geometry_work *work;
} carom_impact_geometry;

/* From masses and directions; the arrays of `impact` are not needed afterwards. velocity and restitution may
 * be NULL. BAD_INPUT as carom_impact_solve. The memory is the arena's; one thread at a time may use it. */
carom_status carom_impact_geometry_take(carom_arena *arena, const carom_impact *impact,
                                        carom_impact_geometry *geometry, carom_error *error);

/* The nearest admissible velocity and the rest: v = tangent + polar, orthogonal in M, polar = -M^-1 W p
 * (166). Those that are NULL are not wanted. Returns the residual max |min(p G_ii, W^T tangent)|. */
double carom_impact_split_velocity(const carom_impact_geometry *geometry, const double *velocity,
                                   double *tangent, double *polar, double *impulse);
/* The same in contact space: gamma = admissible + polar, polar = -G p, in the metric G^-1; p is the nearest
 * point of p >= 0 to -G^-1 gamma in the metric G (213). */
double carom_impact_split_contact(const carom_impact_geometry *geometry, const double *gamma,
                                  double *admissible, double *polar, double *impulse);

/* The velocity of least energy with these contact velocities: v = F gamma. */
void carom_impact_lift(const carom_impact_geometry *geometry, const double *gamma, double *velocity);

/* Newton's law with one restitution as a law between the mean contact velocity (gamma- + gamma+) / 2 and the
 * impulse p = -H(mean) (200), (213); p may be NULL. Returns the dissipation function Phi, with
 * -p = grad Phi and T+ - T- = -2 Phi (203). Restitution 1: Phi is 0 (and p = 0 one of many) where mean >= 0;
 * elsewhere it is infinite and p not a number. */
double carom_impact_dissipation(const carom_impact_geometry *geometry, double restitution, const double *mean,
                                double *impulse);

/* Three balls in a row, one restitution (Nguyen and Brogliato 2018, (17)): binary collisions never end when
 * this number is at least 1. */
double carom_binary_three_ball_z(const double masses[3], double restitution);
/* How many there are before the end, for the start U = (-1, 0); -1: infinitely many. */
long carom_binary_three_ball_count(const double masses[3], double restitution);

#endif
