/* analyse: experiments (a model with what to do with it), runs, records in memory, measures. */
#ifndef CAROM_ANALYSE_H
#define CAROM_ANALYSE_H

#include "carom/scheme.h"

/* Index into the values of an experiment: expressions of parameters only, resolved once per run. */
typedef int carom_value;
enum {
    CAROM_NO_VALUE = -1
};

/* ---- measures -------------------------------------------------------------------------------- */

typedef enum carom_measure_kind {
    CAROM_MEASURE_FINAL,
    CAROM_MEASURE_MAXIMUM,
    CAROM_MEASURE_MINIMUM,
    CAROM_MEASURE_MEAN,
    CAROM_MEASURE_RMS,
    CAROM_MEASURE_DEVIATION, /* root mean square distance from the mean */
    CAROM_MEASURE_AT,        /* array: values at the output times nearest to the asked ones */
    CAROM_MEASURE_CROSSINGS, /* array: times at which an expression passes through zero */
    CAROM_MEASURE_PEAKS,     /* array: values of the local maxima */
    CAROM_MEASURE_TIMES,     /* array: times of the events */
    CAROM_MEASURE_COUNT,     /* number of events */
    CAROM_MEASURE_FIRST,     /* time of the first event; absent when there was none */
    CAROM_MEASURE_LAST,
    CAROM_MEASURE_FRACTION,   /* fraction of the steps in a contact state */
    CAROM_MEASURE_STEPS,      /* number of the outputs at which an event happens, of one contact or of any */
    CAROM_MEASURE_FIRST_STEP, /* number of the first such step; step i leads from output i to output i + 1 */
    CAROM_MEASURE_AT_FIRST,   /* the column's value there */
    CAROM_MEASURE_TOTAL,      /* sum over the outputs */
    CAROM_MEASURE_LIST,       /* array: the last values of several columns */
    CAROM_MEASURE_NONE,       /* no value: something that was looked for and is not there */
    CAROM_MEASURE_JUMPS,      /* array: times at which the running mean goes from one level to the other */
} carom_measure_kind;

/* What a measure looks at, for a contact. */
typedef enum carom_event_kind {
    CAROM_EVENT_IMPACT,  /* the contact carries an impulse and carried none in the step before */
    CAROM_EVENT_CONTACT, /* the contact carries an impulse */
    CAROM_EVENT_STICK,   /* ... and does not slip */
    CAROM_EVENT_RELEASE, /* the contact carries no impulse and carried one in the step before */
} carom_event_kind;

typedef struct carom_measure {
    char *name;
    carom_measure_kind kind;
    int column;  /* column of the record it reduces; -1: events only */
    bool unwrap; /* the column is an angle: remove jumps of 2 pi first */
    int contact; /* for events; -1: all contacts */
    carom_event_kind event;
    carom_value from, to; /* time window; CAROM_NO_VALUE: open */
    carom_value every;    /* AT: at every multiple of this after the start */
    int time_count;       /* AT: or at these times */
    carom_value *time;
    int list_count;              /* LIST */
    int *list;                   /* columns */
    carom_value low, high, over; /* JUMPS: the levels, and the time that the mean is taken over */
} carom_measure;

/* ---- plots ------------------------------------------------------------------------------------ */

typedef enum carom_layer_kind {
    CAROM_LAYER_LINE,
    CAROM_LAYER_POINTS,
    CAROM_LAYER_SEGMENTS, /* a segment from (x, y) to (x2, y2) at each output shown */
    CAROM_LAYER_OUTLINE,  /* a fixed polygonal line: walls, obstacles, exact curves */
    CAROM_LAYER_PROFILE,  /* the shape of a structure at each output shown */
    CAROM_LAYER_CONTACTS, /* where a structure touches: a point (place, time) per contact and output */
    CAROM_LAYER_VALUES,   /* a list at the last output shown: a point (number, value) per entry */
} carom_layer_kind;

typedef struct carom_layer {
    carom_layer_kind kind;
    int x, y, x2, y2; /* columns of the record: lines, points, segments */
    int column_count; /* VALUES */
    int *column;
    bool upper;           /* CONTACTS: those of the upper side, else of the lower one */
    char *label;          /* NULL: none */
    char *style;          /* "solid", "dashed", "dotted", "cross", "plus", "circle"; NULL: default */
    carom_value every;    /* show the outputs nearest to multiples of this time; CAROM_NO_VALUE: all */
    carom_value from, to; /* time window */
    bool numbered;        /* write 0, 1, 2 ... beside the outputs shown */
    bool family;          /* draw once per member of the family instead of once */
    carom_value smooth;   /* lines and points: running mean over this time; CAROM_NO_VALUE: as it is */
    bool coloured;        /* outlines: a curve among others, with a colour of its own */
    int point_count;      /* outlines */
    carom_value *point;   /* x0 y0 x1 y1 ... */
} carom_layer;

typedef struct carom_panel {
    char *title, *xlabel, *ylabel;
    bool equal;                         /* same unit on both axes */
    carom_value xmin, xmax, ymin, ymax; /* CAROM_NO_VALUE: from the data */
    int layer_count;
    carom_layer *layer;
} carom_panel;

typedef struct carom_plot {
    char *name, *title;
    int columns; /* panels side by side */
    int panel_count;
    carom_panel *panel;
} carom_plot;

/* ---- experiment ------------------------------------------------------------------------------- */

/* A structural parameter: its value is known while the model file runs. */
typedef struct carom_setting {
    char *name, *unit, *doc;
    bool is_text;
    double number;
    char *text; /* when is_text */
} carom_setting;

typedef struct carom_override {
    char *name, *value;
} carom_override;

typedef struct carom_variant {
    char *name, *doc;
    int override_count;
    carom_override *override;
} carom_variant;

typedef struct carom_scheme_choice {
    char *name;        /* option name */
    carom_value value; /* or */
    char *word;        /* a choice word; NULL when value is used */
} carom_scheme_choice;

/* Runs beside the main one: each takes one value of every list. A list named "scheme" holds words. */
typedef struct carom_family_axis {
    char *name;
    char **value; /* texts, as for --set */
} carom_family_axis;

typedef struct carom_experiment {
    carom_arena *arena; /* owns every text and array below */
    char *name, *title, *source, *doc;
    bool study;     /* nothing moves: all was computed while the file was read; a run has no steps */
    char *file;     /* where it was read from */
    char *text;     /* the model file's text */
    char *variant;  /* NULL: none */
    char *messages; /* what the script printed */

    /* lines of the file that messages about the start point to; 0: unknown */
    int inertia_line, initial_line, integrate_line, family_line;

    carom_graph *graph;     /* owned, with spec: for derivative checks */
    carom_traced_spec spec; /* not used where the model is a structure */
    carom_model *model;     /* owned */
    double *parameter;      /* current values: defaults, variant, overrides */
    int setting_count;
    carom_setting *setting;
    int variant_count;
    carom_variant *variants;

    carom_tape *values; /* owned: expressions of parameters only */
    carom_value *q0, *v0;
    carom_value gap_tolerance; /* how far initial gaps may be negative */

    char *scheme;
    carom_value t0, h, until;
    int h_parameter, until_parameter; /* index when h or until is exactly a parameter, else -1 */
    int choice_count;
    carom_scheme_choice *choice;

    carom_tape *observe;             /* owned: columns of the record */
    int column_count, named_columns; /* named ones (record{...}) first, then those of measures and plots */
    char **column;

    int measure_count;
    carom_measure *measure;
    int plot_count;
    carom_plot *plot;

    int family_size; /* members; 0: none */
    int axis_count;
    carom_family_axis *axis;
} carom_experiment;

/* Frees what the experiment owns and the experiment itself, which carom_new_array(1, ...) gave. */
void carom_experiment_free(carom_experiment *experiment);

/* Sets one parameter from text (range and integrality are checked); unknown names list the known ones. */
carom_status carom_experiment_set(carom_experiment *experiment, const char *name, const char *value,
                                  carom_error *error);

/* ---- rows: one output of a run as flat doubles -------------------------------------------------- */

typedef struct carom_row_layout {
    int dof, contacts, columns;
    /* offsets of the parts; t is at 0 */
    int q, v, energy, gap, impulse, branch, column;
    int located; /* per contact: time of its last impact, where the scheme locates it, else that of the output
                  */
    int width;
} carom_row_layout;

carom_row_layout carom_row_layout_of(const carom_experiment *experiment);

/* Takes rows as a run produces them. Any function may be NULL. */
typedef struct carom_sink {
    void *context;
    carom_status (*row)(void *context, const double *row, carom_error *error);
} carom_sink;

/* Rows in memory. With a limit (for pictures of runs of any length) every other row is dropped whenever the
 * limit is reached, and only every stride-th row is kept from then on; without one (0) all rows are kept. */
typedef struct carom_series {
    carom_row_layout layout;
    size_t count, capacity;
    double *rows; /* count x layout.width */
    size_t limit, stride, seen;
} carom_series;

carom_sink carom_series_sink(carom_series *series);
void carom_series_free(carom_series *series);
static inline const double *carom_series_row(const carom_series *series, size_t index)
{
    return series->rows + index * (size_t)series->layout.width;
}

/* ---- run ---------------------------------------------------------------------------------------- */

typedef struct carom_run_request {
    const carom_experiment *experiment;
    const double *parameter; /* NULL: the experiment's current values */
    const char *scheme;      /* NULL: the experiment's */
    double h, until;         /* NAN: the experiment's */
    int option_count;        /* scheme options, stronger than the experiment's */
    const carom_override *option;
    int sample_count; /* output rows nearest to these times are kept in the result */
    const double *sample_time;
    int record_every; /* hand every k-th row to the sinks (measures see all); 0 and 1: all */
    int sink_count;
    const carom_sink *sink;
    carom_progress progress;
    long max_steps; /* stop after this many steps; 0: no limit */
    bool bare;      /* only step: no rows, measures or counters; for benchmarks */
} carom_run_request;

typedef struct carom_measured {
    int count; /* 1 for numbers; arrays may have any count; 0 with is_array false: no value */
    bool is_array;
    double *value;
} carom_measured;

typedef struct carom_run_result {
    carom_status status;
    char word[32]; /* "ok", or why the run ended early: "failed", "interrupted", ... */
    char message[2048];
    const carom_scheme_ops *scheme;
    double h, t0, t_end;
    long steps, steps_planned;
    double wall_seconds;
    carom_row_layout layout;
    double *initial, *final; /* rows */
    double energy_initial, energy_final, max_step_gain;
    double max_penetration; /* largest -gap over all outputs, 0 when none */
    long impacts;
    carom_step_counts counts;
    carom_warnings warnings;
    int measure_count;
    carom_measured *measure; /* in the experiment's order */
    int sample_count;
    double *sample; /* rows */
    int option_count;
    double *option; /* the scheme's options as used */
    double *values; /* the experiment's values, resolved */
} carom_run_result;

/* Runs an experiment. CAROM_OK and CAROM_FAILED/INTERRUPTED/IO_ERROR all leave a valid result (what was
 * computed is kept, result->message says where it stopped); BAD_INPUT and NO_MEMORY leave nothing. The caller
 * frees the result in every case. A request's h or until also becomes the value of the parameter that h or
 * until is (h_parameter, until_parameter), so that expressions of it agree with the run. */
carom_status carom_run(const carom_run_request *request, carom_run_result *result, carom_error *error);
void carom_run_result_free(carom_run_result *result);

/* ---- convergence study ---------------------------------------------------------------------------- */

/* What the runs of a study are compared with. */
typedef enum carom_reference_kind {
    CAROM_REFERENCE_FINE,         /* one run with a much smaller step */
    CAROM_REFERENCE_EVENT_DRIVEN, /* scheme "event-driven", once per h, its outputs at the same times */
    CAROM_REFERENCE_EXACT,        /* records exact_<coordinate>, exact_v_<coordinate>, exact_<quantity> */
} carom_reference_kind;

/* Runs a model once for each scheme and step. The parameter that h or until is follows them, as in a run. */
typedef struct carom_convergence_request {
    const carom_experiment *experiment;
    int scheme_count;
    const char *const *scheme;
    int h_count; /* at least two steps, any order, all different */
    const double *h;
    double until; /* NAN: the experiment's */
    carom_reference_kind reference;
    const char *reference_scheme; /* FINE only; NULL: the first scheme */
    double reference_h;           /* FINE only; NAN: the smallest h divided by 16, or by a little more where
                                   * that divides every h */
    int quantity_count;           /* named columns of the record */
    const char *const *quantity;
    int option_count; /* each goes to the schemes that know it; one at least must */
    const carom_override *option;
    carom_progress progress; /* over all runs */
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

/* True when some curve of some scheme has an order. */
bool carom_convergence_has_order(const carom_convergence *study);

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

/* Runs an experiment at every point of a grid and keeps its measures. */
typedef struct carom_sweep_request {
    const carom_experiment *experiment; /* with the values that are not swept */
    int axis_count;                     /* 1 or 2 */
    carom_sweep_axis axis[CAROM_SWEEP_AXES_MAX];
    int measure_count; /* names of the measures wanted; 0: all */
    const char *const *measure;
    const char *scheme; /* as in carom_run_request */
    double h, until;
    int option_count;
    const carom_override *option;
    int threads;             /* 0: one per core */
    carom_progress progress; /* over the points; called by one thread at a time */
    /* Settings shape the model: for an axis that is one this makes the experiment anew, with the values given
     * and all others as in `experiment`. Called by several threads at once. NULL: settings cannot be swept.
     */
    carom_status (*load)(void *context, int count, const carom_override *value, carom_experiment **experiment,
                         carom_error *error);
    void *load_context;
} carom_sweep_request;

typedef struct carom_sweep_point {
    bool done;           /* false: not reached, the sweep was interrupted */
    carom_status status; /* of its run */
    char word[32];
    char *message; /* NULL when the run is done */
    long steps;
    double wall_seconds;
    carom_measured *measure; /* sweep.measure_count */
} carom_sweep_point;

typedef struct carom_sweep {
    carom_arena *arena; /* owns every array and text below */
    int axis_count;
    carom_sweep_axis axis[CAROM_SWEEP_AXES_MAX];
    int measure_count;
    char **measure; /* names */
    int point_count;
    carom_sweep_point *point; /* the last axis runs fastest */
    double wall_seconds;
    int threads;
} carom_sweep;

/* The result does not depend on the number of threads. A run that fails keeps its status, message and what
 * its measures had until then; its neighbours are computed all the same. BAD_INPUT: an axis, value or measure
 * is wrong (found before the first run), or no point could be started. INTERRUPTED: the points done until
 * then are kept. The caller frees the sweep in every case. */
carom_status carom_sweep_run(const carom_sweep_request *request, carom_sweep *sweep, carom_error *error);
void carom_sweep_free(carom_sweep *sweep);

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
    long samples;  /* 10000 pairs; at least 1 */
    unsigned seed; /* 1 */
    bool approaching_only;
    int cycle_points; /* of each loop that is tested for cyclic monotonicity: 40; below 2: no such test */
    double tolerance; /* 1e-9: what a relative measure may be off without breaking its property */
} carom_audit_options;
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

#endif
