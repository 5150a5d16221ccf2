/* survey: many motions: order studies, sweeps, audits of impact laws, profiles of solvers. */
#ifndef CAROM_SURVEY_H
#define CAROM_SURVEY_H

#include "carom/run.h"
#include "carom/survey/accuracy.h"
#include "carom/survey/work.h"

/* ---- convergence study ---------------------------------------------------------------------------- */

/* What the runs of a study are compared with. */
typedef enum carom_reference_kind {
    CAROM_REFERENCE_FINE,         /* one run with a much smaller step */
    CAROM_REFERENCE_EVENT_DRIVEN, /* the scheme that locates impacts, once per h, its outputs at the same times */
    CAROM_REFERENCE_EXACT,        /* records exact_<coordinate>, exact_v_<coordinate>, exact_<quantity> */
} carom_reference_kind;

/* What a survey will take, from one run of it that was timed, or from a few. */
typedef struct carom_survey_trial {
    long runs;           /* of the whole survey */
    long pieces;         /* that can be computed at a time; 0: all runs */
    carom_status status; /* of the run that was timed */
    char word[32];
    char what[160];      /* which run that was */
    double seconds;      /* that it took; of several: each */
    double all_seconds;  /* of all runs, one after the other */
    size_t result_bytes; /* of all results */
} carom_survey_trial;

/* Runs a model once for each scheme and step. The parameter that h or until is follows them, as in a run.
 * Experiment, schemes and steps must be given; everything else may be left zero. */
typedef struct carom_convergence_request {
    const carom_experiment *experiment;
    int scheme_count;
    const char *const *scheme;
    int h_count; /* at least two steps, any order, all different */
    const double *h;
    double until; /* 0 or NAN: the experiment's; as in carom_run_request */
    carom_reference_kind reference;
    const char *reference_scheme; /* FINE only; NULL: the first scheme */
    double reference_h; /* FINE only; 0 or NAN: the smallest h divided by 16, or by a little more where
                                   * that divides every h */
    int quantity_count; /* named columns of the record */
    const char *const *quantity;
    const carom_option *option;   /* each goes to the schemes that know it; one at least must. Ends with {0};
                                 * NULL: none */
    carom_progress progress;      /* over all runs */
    int threads;                  /* 0: one */
    bool no_times;                /* seconds are 0 in the results */
    const carom_workers *workers; /* NULL: this process alone; see carom_sweep_request */
    /* To go on with a study that was stopped: bytes of each run that has ended, `recall` gives them back, for free(); NULL: there are
     * none. A failure of `keep` ends the study. Either may be NULL. */
    carom_status (*keep)(void *context, int index, const void *bytes, size_t count, carom_error *error);
    void *(*recall)(void *context, int index, size_t *count);
    void *keep_context;
} carom_convergence_request;

/* One error against h. Errors are NAN where a run failed or nothing is known to compare with. */
typedef struct carom_error_curve {
    double *error;     /* per h */
    bool *at_rounding; /* per h: below 1e-13 of the largest value compared; left out of the orders */
    double *local;     /* per h: slope from the h before; NAN where there is none */
    double order;      /* least-squares slope of log error over log h; NAN with fewer than two errors */
    int fitted;        /* number of errors that the order is fitted to */
} carom_error_curve;

/* Which curve is which: positions, velocities, then the quantities in their order.
 *   q:  max over outputs and coordinates of |q_k - reference|
 *   v:  mean over the outputs after the first of the sum over coordinates of |v_k - reference|
 *   a quantity:  max over outputs of |value - reference|
 * Outputs up to the end time count. */
enum {
    CAROM_CURVE_Q,
    CAROM_CURVE_V,
    CAROM_CURVE_QUANTITY
};

typedef struct carom_converged_run {
    carom_status status;
    char word[32]; /* as in carom_run_result */
    char *message; /* NULL when the run is done */
    long steps;
    double wall_seconds;
} carom_converged_run;

typedef struct carom_convergence_scheme {
    const carom_scheme_ops *scheme;
    carom_converged_run *run; /* per h */
    carom_error_curve *curve; /* curve_count */
} carom_convergence_scheme;

typedef struct carom_convergence {
    carom_arena *arena; /* owns every array and text below */
    carom_reference_kind reference;
    const carom_scheme_ops *reference_scheme; /* NULL: exact */
    double reference_h;                       /* NAN: exact or event-driven */
    bool interpolated; /* some outputs lay between two of the reference: linear interpolation */
    double t0, until;
    int h_count;
    double *h; /* descending */
    int scheme_count;
    carom_convergence_scheme *scheme;
    int curve_count; /* per scheme: CAROM_CURVE_QUANTITY + quantities */
} carom_convergence;

/* A run that fails is kept as such and left out of the orders. BAD_INPUT: something asked for is wrong or a
 * scheme refuses the model, found before the first long run. FAILED: the reference could not be computed.
 * INTERRUPTED: the study holds the runs done until then. The caller frees the study in every case. */
carom_status carom_converge(const carom_convergence_request *request, carom_convergence *study,
                            carom_error *error);
void carom_convergence_free(carom_convergence *study);
/* Checks the request, times the run with the first scheme and the largest step, and tells what the study will take. */
carom_status carom_converge_try(const carom_convergence_request *request, carom_survey_trial *trial,
                                carom_error *error);

/* True when some curve of some scheme has an order. */
bool carom_convergence_has_order(const carom_convergence *study);

/* ---- digits that stand ---------------------------------------------------------------------------------- */

/* A number of a run and how far it is from its limit for h -> 0, from runs with h, h/2 and h/4. */
typedef struct carom_certified {
    double value; /* of the run with h */
    double error; /* estimate; NAN: the runs do not give one */
    double order; /* in h; NAN: the three values are no sequence that converges, or differ by rounding only */
} carom_certified;
carom_certified carom_certified_of(double coarse, double middle, double fine);

typedef struct carom_certified_measure {
    bool is_array;
    int count; /* entries; 0: no value */
    carom_certified *entry;
} carom_certified_measure;

typedef struct carom_certification {
    carom_arena *arena; /* owns all */
    int count;
    carom_certified_measure *measure; /* in the experiment's order */
} carom_certification;

/* Repeats a run that is done, which the request made, with half and a quarter of its step and compares the
 * measures. Arrays whose length changes have no error. A finer run that fails is the function's status. The caller
 * frees the certification in every case. */
carom_status carom_certify(const carom_run_request *request, const carom_run_result *done,
                           carom_certification *certification, carom_error *error);
void carom_certification_free(carom_certification *certification);

/* ---- check of a model ----------------------------------------------------------------------------------- */

/* What there is to check. */
typedef enum carom_model_check_kind {
    CAROM_CHECK_DERIVATIVES, /* of the expressions, against finite differences */
    CAROM_CHECK_STRUCTURE,   /* a beam: its natural frequencies tell whether it is the one that was meant */
    CAROM_CHECK_BODIES,      /* their masses tell whether units and densities are those that were meant */
    CAROM_CHECK_STUDY,       /* nothing moves */
    CAROM_CHECK_WAITS,       /* the start comes from a study that was not computed */
} carom_model_check_kind;

enum {
    CAROM_CHECK_POINTS = 8, /* at which derivatives are compared */
    CAROM_CHECK_MODES = 6,  /* of a structure: the lowest and the highest */
    CAROM_CHECK_NOTES = 8   /* about gaps and slips, the first ones */
};

typedef struct carom_model_check {
    carom_model_check_kind kind;
    const carom_scheme_ops
        *scheme; /* takes the start, where mass, gaps and forces are right; NULL: was not asked */
    carom_derivative_report derivatives; /* the worst of all points */
    double worst;                        /* of these */
    bool good;                           /* small enough */
    int band_width, constrained;         /* of a structure */
    int modes, mode[CAROM_CHECK_MODES];  /* from 1 */
    double frequency[CAROM_CHECK_MODES]; /* circular */
    int free_bodies, fixed_bodies, driven_bodies;
    double mass;                    /* of all */
    int coordinates_beside, linked; /* coordinates beside the bodies; velocities that forces link */
    int notes;                      /* gaps and slips that may not be lengths, or were made lengths */
    char note[CAROM_CHECK_NOTES][400];
} carom_model_check;

/* Reads what a model gets wrong at its start, and compares its exact derivatives with finite differences there and around
 * it. BAD_INPUT says what is wrong; derivatives that differ are no error but not good. Adds nodes to the experiment's
 * graph: nobody else may use it meanwhile. */
carom_status carom_check_model(const carom_experiment *experiment, carom_model_check *found,
                               carom_error *error);

/* ---- parameter sweep -------------------------------------------------------------------------------- */

/* One axis of the grid: a parameter, a setting, or "scheme"; values are texts as for --set. */
typedef struct carom_sweep_axis {
    const char *name;
    int count;
    const char *const *value;
} carom_sweep_axis;

enum {
    CAROM_SWEEP_AXES_MAX = 2
};

typedef struct carom_sweep_point {
    bool done;           /* false: not reached, the sweep was interrupted */
    carom_status status; /* of its run */
    char word[32];
    char *message; /* NULL when the run is done */
    long steps;
    double wall_seconds;
    bool trusted;            /* by its certificate; studies are */
    carom_measured *measure; /* sweep.measure_count */
} carom_sweep_point;

/* Runs an experiment at every point of a grid and keeps its measures. Experiment and axes must be given;
 * everything else may be left zero. */
typedef struct carom_sweep_request {
    const carom_experiment *experiment; /* with the values that are not swept */
    int axis_count;                     /* 1 or 2 */
    carom_sweep_axis axis[CAROM_SWEEP_AXES_MAX];
    int measure_count; /* names of the measures wanted; 0: all */
    const char *const *measure;
    const char *scheme; /* this and what follows: as in carom_run_request */
    double h, until;
    const carom_option *option; /* where schemes are swept, each goes to those that know it */
    int threads;                /* 0: one per core */
    carom_progress progress;    /* over the points; called by one thread at a time */
    /* Settings shape the model: for an axis that is one this makes the experiment anew, with the values given
     * and all others as in `experiment`. Called by several threads at once. NULL: settings cannot be
     * swept. */
    carom_status (*load)(void *context, int count, const carom_override *value, carom_experiment **experiment,
                         carom_error *error);
    void *load_context;
    /* To go on with a sweep that was stopped. `recall` gives a point that was computed before, in memory of the arena, its
     * measures to the places that the point has; false: it was not. `keep` is told every new one; a failure ends the sweep.
     * Called by one thread at a time; NULL: nothing is kept. */
    bool (*recall)(void *context, int index, carom_arena *arena, int measure_count, carom_sweep_point *point);
    carom_status (*keep)(void *context, int index, int measure_count, const carom_sweep_point *point,
                         carom_error *error);
    void *keep_context;
    /* Accuracy of every point; its run is not used. NULL: none. Behind the measures the table then has NAME_error, the bound of the
     * error of each, and accuracy_met, 1 or 0. Steps are those of the best run, seconds those of all. */
    const carom_accuracy_request *accuracy;
    bool no_times; /* seconds and threads are 0 in the results: they depend on the motions alone */
    bool alone; /* points go one after the other, not side by side (carom/scheme/lanes.h): the same results */
    /* Processes that compute together, NULL: this one alone. All of them make the same request, and the results are with the one
     * that does not follow; the others have an empty grid, and nobody asks them to report, recall or keep. */
    const carom_workers *workers;
} carom_sweep_request;

typedef struct carom_sweep {
    carom_arena *arena; /* owns every array and text below */
    int axis_count;
    carom_sweep_axis axis[CAROM_SWEEP_AXES_MAX];
    int measure_count;
    char **measure; /* names */
    int point_count;
    carom_sweep_point *point; /* the last axis runs fastest */
    double wall_seconds;
    int threads; /* of each process */
} carom_sweep;

/* The result does not depend on the number of threads. A run that fails keeps its status, message and what
 * its measures had until then; its neighbours are computed all the same. BAD_INPUT: an axis, value or measure
 * is wrong (found before the first run), or no point could be started. INTERRUPTED: the points done until
 * then are kept. The caller frees the sweep in every case. */
carom_status carom_sweep_run(const carom_sweep_request *request, carom_sweep *sweep, carom_error *error);
void carom_sweep_free(carom_sweep *sweep);
/* Checks the request, times the run in the middle of the grid, and tells what the sweep will take. */
carom_status carom_sweep_try(const carom_sweep_request *request, carom_survey_trial *trial,
                             carom_error *error);
/* A point as bytes, both ways: for journals, and for other processes. Restored, its message and measures are in the arena; the measures
 * have their places in point->measure. */
void carom_sweep_point_pack(carom_snapshot *snapshot, carom_arena *arena, int measure_count,
                            carom_sweep_point *point);

/* ---- performance profile ------------------------------------------------------------------------------ */

/* Solvers compared on many problems (Dolan and More 2002). Of a table of times
 *
 *   ratio(p, s) = time(p, s) / min over solvers of time(p, .),   rho_s(tau) = share of p with ratio <= tau.
 *
 * rho_s(1) is how often s is the fastest (ties count for all), rho_s of the largest ratio how often it
 * succeeds. Problems that no solver solves have no ratio and count all the same. */
typedef struct carom_profile {
    carom_arena *arena; /* owns all */
    int problems, solvers;
    int unsolved;  /* problems that no solver solves */
    double *ratio; /* problems x solvers; infinite: not solved */
    int tau_count;
    double *tau;   /* the distinct finite ratios, ascending */
    double *share; /* solvers x tau_count: rho_s(tau) */
} carom_profile;

/* seconds: problems x solvers; infinite or NAN: not solved. Times below 1e-9 s count as 1e-9 s. BAD_INPUT for
 * a negative one. The caller frees the profile in every case. */
carom_status carom_profile_make(int problems, int solvers, const double *seconds, carom_profile *profile,
                                carom_error *error);
/* rho_s(tau); an infinite tau gives the share that is solved. */
double carom_profile_share(const carom_profile *profile, int solver, double tau);
void carom_profile_free(carom_profile *profile);

/* ---- impacts ----------------------------------------------------------------------------------- */

/* How kinetic energy spreads over coordinates with masses m: standard deviation of m v^2 / 2 over its mean,
 * 0 for equal shares, sqrt(n - 1) when one has all (Nguyen and Brogliato 2018, (40)). NAN without energy. */
double carom_energy_dispersion(int n, const double *masses, const double *velocity);
/* 100 |v - reference| / |reference| (their (38)); NAN for a zero reference. */
double carom_velocity_gap(int n, const double *velocity, const double *reference);
/* Coordinates with |v_i - reference_i| < 0.05 |reference| (their (39)). */
int carom_good_velocities(int n, const double *velocity, const double *reference);

/* What theory asks of an impact law on one system, by sampling velocities before the impact (Winandy, Baumann
 * and Leine 2018). Sampled contact velocities of the cone gamma- <= 0 or of the whole space, also where some
 * of them vanish, of the system at rest but for them (P v = 0), nothing moving by itself (rate 0).
 *
 * A property that holds for all samples is not proved; one that fails is refuted by its counterexample. */
typedef struct carom_audit_options {
    long samples;          /* pairs; 0: 10000 */
    unsigned seed;         /* 0: 1 */
    bool approaching_only; /* sample the cone gamma- <= 0 only; false: the whole space */
    int cycle_points;      /* of each loop that is tested for cyclic monotonicity; 0: 40; 1: no such test */
    double
        tolerance; /* what a relative measure may be off without breaking its property; 0: 1e-9, CAROM_ZERO: none */
} carom_audit_options;
/* What 0 stands for. */
carom_audit_options carom_audit_defaults(void);

typedef struct carom_audit_finding {
    bool tested;   /* false: there was no sample for it */
    bool holds;    /* over all samples */
    double worst;  /* its measure: the most negative value, largest ratio, ... */
    long failures; /* samples that break it */
} carom_audit_finding;

typedef enum carom_audit_property {
    CAROM_AUDIT_KINEMATIC,     /* gamma+ >= 0; worst: the most negative over the fastest gamma- */
    CAROM_AUDIT_KINETIC,       /* impulses >= 0; worst: the most negative over the largest */
    CAROM_AUDIT_ENERGETIC,     /* energy does not grow; worst: largest gain over the energy before */
    CAROM_AUDIT_DECOMPOSITION, /* the part of v that no contact sees, P v, stays; worst: its change */
    CAROM_AUDIT_NONEXPANSIVE,  /* |S a - S b| <= |a - b| in the metric of G^-1; worst: largest ratio */
    CAROM_AUDIT_CYCLIC, /* cyclic monotonicity of -p against the mean velocity; worst: the largest cycle */
    CAROM_AUDIT_IDEMPOTENT, /* an impact after the impact changes nothing; worst: its change */
    CAROM_AUDIT_SCALING,    /* twice the velocity, twice the outcome; worst: the difference */
    CAROM_AUDIT_PROPERTIES,
} carom_audit_property;
/* Contact velocities are compared by gamma_k / sqrt(G_kk), impulses by p_k sqrt(G_kk), which have one unit
 * for all contacts; changes of velocity and cycles are measured by kinetic energy, relative to that before.
 * Where directions of contacts depend on each other G has no inverse: the metric of G^-1 then is that of M on
 * the velocities that contacts see, which is the same thing where both exist. */
const char *carom_audit_property_name(carom_audit_property property);
const char *carom_audit_property_text(carom_audit_property property); /* what it asks, in a sentence */

typedef struct carom_audit {
    carom_arena *arena; /* owns the arrays */
    int coordinates, contacts;
    long samples;        /* pairs */
    long impacts;        /* of pairs and loops */
    long failed_impacts; /* of these: did not end with "ok" or "no-impact", left out */
    carom_audit_finding finding[CAROM_AUDIT_PROPERTIES];
    /* Per property: the contact velocities before the impact of the worst sample, or of the worst pair (first
     * and second; cyclic: two neighbours in the worst cycle). NULL where there is none. */
    double *counterexample[CAROM_AUDIT_PROPERTIES][2];
    /* Of G - E G E, E = diag(restitution): not negative iff Newton's law is non-expansive. */
    double smallest_eigenvalue;
    /* The same matrix is copositive, which is enough for Newton's law not to create energy. Found exactly up
     * to 12 contacts, and for more when it is semidefinite or has no positive entry off the diagonal, as for
     * a chain; else by sampling. */
    bool copositive;
    int rank;          /* of W */
    double *projector; /* n x n: P, the velocities that no contact sees */
} carom_audit;

/* The law on the system of `impact` (its velocity and rate are not used). The same seed gives the same bits.
 * INTERRUPTED, when progress (which may be NULL) says so: the audit holds what was found so far. Otherwise
 * *audit is NULL when the status is not OK. */
carom_status carom_impact_audit(const carom_impact *impact, const carom_impact_law_ops *law,
                                const carom_impact_options *options, const carom_audit_options *audit_options,
                                const carom_progress *progress, carom_audit **audit, carom_error *error);
void carom_audit_free(carom_audit *audit);

/* A system with two contacts under Newton's law: the restitutions of the second contact with which it is
 * monotone, given that of the first. c2 = G12^2 / (G11 G22), from 0 (no coupling) to 1. */
void carom_monotone_restitutions(double c2, double first, double *low, double *high);

#endif
