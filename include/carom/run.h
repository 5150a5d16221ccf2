/* run: one motion from start to end: experiments (a model with what to do with it), rows, measures. */
#ifndef CAROM_RUN_H
#define CAROM_RUN_H

#include <math.h>

#include "carom/model/units.h"
#include "carom/run/model_impact.h"
#include "carom/run/scene.h"
#include "carom/run/sensitivity.h"
#include "carom/run/study.h"
#include "carom/scheme.h"

/* Index into the values of an experiment: expressions of parameters only, resolved once per run. */
typedef int carom_value;
enum {
    CAROM_NO_VALUE = -1
};

/* ---- measures -------------------------------------------------------------------------------- */

typedef struct carom_measured {
    int count; /* 1 for numbers; arrays may have any count; 0 with is_array false: no value */
    bool is_array;
    double *value;
} carom_measured;

enum {
    CAROM_MEASURE_ARGUMENTS = 4
};

typedef struct carom_measure {
    char *name;
    const struct carom_measure_ops *ops; /* NULL: no value, something that was looked for and is not there */
    int column;                          /* column of the record it reduces; -1: events only */
    bool unwrap;                         /* the column is an angle: remove jumps of 2 pi first */
    int contact;                         /* for events; -1: all contacts */
    carom_event_kind event;
    carom_value from, to; /* time window; CAROM_NO_VALUE: open */
    carom_value every;    /* with times: at every multiple of this after the start */
    int time_count;       /* with times: or at these times */
    carom_value *time;
    int list_count;                                /* of columns */
    int *list;                                     /* columns */
    carom_value argument[CAROM_MEASURE_ARGUMENTS]; /* its named arguments, in the order of ops->keys */
    carom_study_place result; /* ops NULL: this output of a study, as it is: a number, an array or no value */
} carom_measure;

/* A named argument of a measure. */
typedef struct carom_measure_key {
    const char *name; /* NULL: the end of a list */
    const char *doc;
    bool needed;
    bool is_time; /* its value is one: it has the unit of time */
} carom_measure_key;

typedef enum carom_measure_subject {
    CAROM_MEASURE_OF_COLUMN, /* an expression: every output is taken */
    CAROM_MEASURE_OF_EVENTS, /* events of contacts: outputs at the end of a step inside the window are taken */
    CAROM_MEASURE_OF_LIST,   /* several expressions: outputs inside the window are taken */
} carom_measure_subject;

/* What a measure is told before the first output. */
typedef struct carom_measure_start {
    const carom_measure *measure;
    double t0, until, h;
    double tolerance;                         /* of times */
    double from, to;                          /* the window */
    double argument[CAROM_MEASURE_ARGUMENTS]; /* NAN: not given */
    const double *value;                      /* of the experiment: what a carom_value stands for */
} carom_measure_start;

/* Does a time lie in the measure's window? */
static inline bool carom_measure_in_window(const carom_measure_start *start, double t)
{
    return t >= start->from - start->tolerance && t <= start->to + start->tolerance;
}

/* One output, as a measure sees it. */
typedef struct carom_measure_output {
    const carom_measure_start *start;
    double t, x;                 /* time and column */
    double previous_t, previous; /* at the output before; -INFINITY: there is none */
    bool started;                /* there is one: a step led to this output */
    bool inside;                 /* t lies in the window */
    long number;                 /* of the output, from 0 */
    int events;                  /* that happened in the step, and when */
    const double *event_time;
    const double *column; /* all columns of the record */
    /* For carom_measure_ops.derivative only: derivatives of x, previous, t, previous_t and event_time along one parameter. */
    double x_along, previous_along, t_along, previous_t_along;
    const double *event_time_along;
} carom_measure_output;

/* What is known of a measure's derivative. */
typedef enum carom_measure_slope {
    CAROM_SLOPE_NONE,   /* nothing, or what carom_measure_ops.derivative says */
    CAROM_SLOPE_LINEAR, /* it is the same measure of the derivatives of the column, or of the events' times */
    CAROM_SLOPE_CONSTANT, /* a count: 0 wherever it exists */
} carom_measure_slope;

/* A measure: reduces outputs to a number or an array. Its memory is zeroed before the start; only arrays
 * may grow. */
typedef struct carom_measure_ops {
    const char *name;    /* as model files call it */
    const char *summary; /* one line */
    const char *example; /* "mean(x, { from = 1 })" */
    carom_measure_subject subject;
    bool takes_times;              /* behind the subject: at(x, { 0.1, 0.2 }) */
    bool hidden;                   /* not a word of model files: something else means it */
    bool is_array;                 /* its result */
    const carom_measure_key *keys; /* named arguments beside from and to; NULL: none */
    size_t memory;                 /* bytes */
    carom_status (*start)(void *memory, const carom_measure_start *start,
                          carom_error *error); /* may be NULL */
    carom_status (*take)(void *memory, const carom_measure_output *output, carom_error *error);
    /* Gives the result, for which it takes memory. The output is the last one, moved to t = INFINITY. */
    carom_status (*finish)(void *memory, const carom_measure_output *output, carom_measured *measured,
                           carom_error *error);
    void (*free)(void *memory); /* may be NULL */
    /* Visits what it keeps, for a run that goes on later. NULL: its memory as it is when there is no free; with one it
     * cannot be told, so such a run begins anew. */
    void (*keep)(void *memory, carom_snapshot *snapshot);
    carom_measure_slope slope;
    /* A measure of its own that gives the derivative: it sees every output with the derivatives there. NULL: see slope. */
    const struct carom_measure_ops *derivative;
} carom_measure_ops;

extern const carom_measure_ops carom_reduce_final, carom_reduce_maximum, carom_reduce_minimum;
extern const carom_measure_ops carom_reduce_mean, carom_reduce_rms, carom_reduce_deviation,
    carom_reduce_total;
extern const carom_measure_ops carom_reduce_at, carom_reduce_crossings, carom_reduce_peaks,
    carom_reduce_jumps;
extern const carom_measure_ops carom_reduce_times, carom_reduce_count, carom_reduce_first, carom_reduce_last;
extern const carom_measure_ops carom_reduce_episodes, carom_reduce_episode_times;
extern const carom_measure_ops carom_reduce_fraction, carom_reduce_steps, carom_reduce_first_step;
extern const carom_measure_ops carom_reduce_at_first; /* the column's value at the first event */
extern const carom_measure_ops carom_reduce_list;     /* the last values of several columns */

size_t carom_measure_count(void);
const carom_measure_ops *carom_measure_at(size_t index);
/* NULL and an error that lists the measures when there is no such name. */
const carom_measure_ops *carom_measure_find(const char *name, carom_error *error);
/* Adds a measure for the rest of the process; it must outlive it. BAD_INPUT: a name that is taken, or no
 * take or finish. */
carom_status carom_measure_register(const carom_measure_ops *ops, carom_error *error);

/* For results: one number; no number when there is none. */
carom_status carom_measured_number(double value, carom_measured *measured, carom_error *error);
/* For arrays. */
typedef struct carom_numbers {
    size_t length, capacity;
    double *value;
} carom_numbers;
carom_status carom_numbers_append(carom_numbers *list, double value, carom_error *error);
static inline void carom_numbers_keep(carom_numbers *list, carom_snapshot *snapshot)
{
    carom_snapshot_numbers(snapshot, &list->value, &list->length, &list->capacity);
}
/* The list becomes the result and is empty then. */
void carom_measured_array(carom_numbers *list, carom_measured *measured);

/* Finds jumps between two levels in the running mean of a signal. */
typedef enum carom_jump {
    CAROM_JUMP_NONE,
    CAROM_JUMP_UP,   /* above `high`; the last level was `low` */
    CAROM_JUMP_DOWN, /* the other way */
} carom_jump;
typedef struct carom_jump_detector carom_jump_detector;
/* `window` samples are averaged (rounded, at least 1). Until the mean has been at a level there is nothing to
 * jump from. */
carom_status carom_jump_detector_create(double window, double low, double high,
                                        carom_jump_detector **detector, carom_error *error);
/* The next sample; says when the running mean has just jumped. */
carom_jump carom_jump_detector_take(carom_jump_detector *detector, double value);
/* Samples from the middle of the window to its end: how late a jump is seen. */
double carom_jump_detector_delay(const carom_jump_detector *detector);
void carom_jump_detector_free(carom_jump_detector *detector);

/* ---- plots ------------------------------------------------------------------------------------ */

typedef enum carom_layer_kind {
    CAROM_LAYER_LINE,
    CAROM_LAYER_POINTS,
    CAROM_LAYER_SEGMENTS, /* a segment from (x, y) to (x2, y2) at each output shown */
    CAROM_LAYER_OUTLINE,  /* a fixed polygonal line: walls, obstacles, exact curves */
    CAROM_LAYER_PROFILE,  /* the shape of a structure at each output shown */
    CAROM_LAYER_CONTACTS, /* where a structure touches: a point (place, time) per contact and output */
    CAROM_LAYER_VALUES,   /* a list at the last output shown: a point (number, value) per entry */
    CAROM_LAYER_SCENE,    /* the shapes of bodies at the outputs shown; else at the last one */
} carom_layer_kind;

/* Events that are marked on a line or on points. */
typedef struct carom_layer_mark {
    carom_event_kind kind; /* IMPACT; RELEASE; STICK: where it begins or ceases to stick */
    int contact;           /* -1: all */
} carom_layer_mark;

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
    carom_value at;       /* SCENE: the output nearest to this time; CAROM_NO_VALUE: not so */
    double azimuth,
        elevation;  /* SCENE, in space: where the viewer is, in degrees; 0, 0: he looks along y, z is up */
    bool numbered;  /* write 0, 1, 2 ... beside the outputs shown */
    bool family;    /* draw once per member of the family instead of once */
    int mark_count; /* lines and points */
    carom_layer_mark *mark;
    carom_value smooth; /* lines and points: running mean over this time; CAROM_NO_VALUE: as it is */
    bool coloured;      /* outlines: a curve among others, with a colour of its own */
    int point_count;    /* outlines */
    carom_value *point; /* x0 y0 x1 y1 ... */
    /* outlines and values: points that a study computes. Either `list` (of outlines a matrix of two columns, of
     * values a list), or a list of places and one of heights; without an output: none */
    carom_study_place list, list_x, list_y;
} carom_layer;

typedef struct carom_panel {
    char *title, *xlabel, *ylabel;
    bool equal;                         /* same unit on both axes */
    bool xlog, ylog;                    /* logarithmic */
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

/* stop { when = ... }: a run ends at the first output at which it is positive. */
typedef struct carom_stop_condition {
    char *name; /* shown */
    int line;
} carom_stop_condition;

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
    bool study;    /* nothing moves: all comes from studies; a run has no steps */
    char *file;    /* where it was read from */
    char *text;    /* the model file's text, and behind it, as comments, the files of data that it has read */
    char *variant; /* NULL: none */
    char *messages; /* what the script printed */

    /* lines of the file that messages about the start point to; 0: unknown */
    int inertia_line, initial_line, integrate_line, family_line;

    carom_graph *graph;     /* owned, with spec: for derivative checks */
    carom_traced_spec spec; /* not used where the model is a structure */
    carom_model *model;     /* owned */
    carom_units units;      /* of carom_experiment_in_units; zero: those of the file */
    double *parameter;      /* current values: defaults, variant, overrides */
    int setting_count;
    carom_setting *setting;
    int variant_count;
    carom_variant *variants;

    /* studies in the order of the file, and the numbers of their outputs that expressions use as parameters */
    int study_count;
    carom_study_use *studies;
    int study_number_count;
    carom_study_number_use *study_number;
    void *script; /* owned: functions of the model file that are studies; NULL: none */
    const carom_script_ops *script_ops;
    carom_study_results *results; /* owned: of carom_experiment_compute; NULL: not computed */

    carom_tape *values; /* owned: expressions of parameters only */
    carom_value *q0, *v0;
    carom_value gap_tolerance; /* how far initial gaps may be negative */

    char *scheme;
    bool scheme_given; /* the model names it; otherwise it is the default */
    carom_value t0, h, until;
    int h_parameter, until_parameter; /* index when h or until is exactly a parameter, else -1 */
    int choice_count;
    carom_scheme_choice *choice;

    carom_tape *observe;             /* owned: columns of the record */
    int column_count, named_columns; /* named ones (record{...}) first, then those of measures and plots */
    char **column;
    bool asks_accelerations, asks_reactions; /* of its runs: a column depends on them */

    int stop_count;
    carom_stop_condition *stop;
    carom_tape *stops; /* owned: their expressions; NULL: there are none */

    int measure_count;
    carom_measure *measure;
    int plot_count;
    carom_plot *plot;
    int draw_count; /* how it looks: draw { } */
    carom_draw_item *draw;
    carom_tape *look; /* owned: its numbers that change with time; NULL: there are none */

    int family_size; /* members; 0: none */
    int axis_count;
    carom_family_axis *axis;
} carom_experiment;

/* Frees what the experiment owns and the experiment itself, which carom_new_array(1, ...) gave. */
void carom_experiment_free(carom_experiment *experiment);

/* Sets one parameter from text (range and integrality are checked); unknown names list the known ones. */
carom_status carom_experiment_set(carom_experiment *experiment, const char *name, const char *value,
                                  carom_error *error);

/* From now on the experiment is seen in other units (carom/model/units.h), to be called once: its model, initial values, times and
 * the scheme's options that the file gives. Parameters keep the units of the file, and so do the columns of records, on which
 * measures and plots stand; times of measures have the new unit. Studies do not change. */
carom_status carom_experiment_in_units(carom_experiment *experiment, const carom_units *units,
                                       carom_error *error);

/* Has someone chosen this option of a scheme: the list (ends with an entry without a name; may be NULL), or the experiment? */
bool carom_experiment_chooses(const carom_experiment *experiment, const carom_option *given,
                              const char *name);

/* Computes the studies with the experiment's current parameters and keeps their outputs: for what looks at an
 * experiment without a run. Runs with the same parameters take them from there. Computes nothing twice. */
carom_status carom_experiment_compute(carom_experiment *experiment, carom_progress progress,
                                      carom_error *error);
/* True when the start, the step or the end of a run come from studies that were not computed. */
bool carom_experiment_start_waits(const carom_experiment *experiment);

/* ---- rows: one output of a run as flat doubles -------------------------------------------------- */

typedef struct carom_row_layout {
    int positions, dof, contacts, columns;
    /* offsets of the parts; t is at 0 */
    int q, v, energy, gap, impulse, regime, column;
    int located; /* per contact: time of its last impact where the scheme locates it, else of the output */
    /* where columns ask for them, else none: dof accelerations, a force per joint; see carom_stepper_forces */
    int accelerations, acceleration, reactions, reaction;
    int width;
} carom_row_layout;

/* Where what stands in the rows of an experiment's runs, columns (record{...}, measures, plots) included. */
carom_row_layout carom_row_layout_of(const carom_experiment *experiment);
/* The same without columns: the rows of a run of a model alone. */
carom_row_layout carom_row_layout_of_model(const carom_model *model);

/* Takes rows as a run produces them. Any function may be NULL. */
typedef struct carom_recorder {
    void *context;
    carom_status (*row)(void *context, const double *row, carom_error *error);
    /* Before the row, where derivatives are asked for: those of the output, a row per name; NULL: not known. They stay until
     * the row is taken. */
    void (*slopes)(void *context, const double *rows);
    /* Behind the row: where bodies touched in the step that led to it, of schemes that know. */
    carom_status (*points)(void *context, double t, int count, const carom_body_point *point,
                           carom_error *error);
    /* Before the first row, once: how many there will be if the run comes to its planned end. */
    carom_status (*expect)(void *context, size_t rows, carom_error *error);
    /* The same as `row` for several rows, one after the other in memory; who has many at once (a queue of rows) calls it instead
     * where it is there. */
    carom_status (*rows)(void *context, size_t count, const double *rows, carom_error *error);
} carom_recorder;

/* Rows in memory. With a limit (for pictures of runs of any length) every other row is dropped whenever the
 * limit is reached, and only every stride-th row is kept from then on; without one (0) all rows are kept. */
typedef struct carom_series {
    carom_row_layout layout;
    size_t count, capacity;
    double *rows; /* count x layout.width */
    size_t limit, stride, seen;
} carom_series;

/* A recorder that appends to the series; its layout must be set, by carom_row_layout_of(experiment) or
 * ..._of_model(model). */
carom_recorder carom_series_recorder(carom_series *series);
/* Frees the rows and empties the series; the layout stays. */
void carom_series_free(carom_series *series);
/* How many outputs there were: kept or not. */
static inline size_t carom_series_outputs(const carom_series *series)
{
    return series->seen > series->count ? series->seen : series->count;
}
/* Row 0, 1, ..., count - 1. */
static inline const double *carom_series_row(const carom_series *series, size_t index)
{
    return series->rows + index * (size_t)series->layout.width;
}

/* A point where a body was pushed, as pictures need it. */
typedef struct carom_push {
    int a, b;         /* bodies */
    float arm[2][3];  /* from each to the point, as in carom_body_point */
    float impulse[3]; /* on a */
    bool slips;       /* the impulse is on the boundary of the cone of friction */
} carom_push;

/* Pushes of the outputs of a run, in memory. With a limit of points every other output is dropped whenever it is reached, as
 * in a carom_series. */
typedef struct carom_push_series {
    size_t count, capacity; /* outputs */
    double *t;
    size_t *first; /* place of the first point of each output, and of what comes next: count + 1 */
    size_t points, room;
    carom_push *point;
    size_t limit, stride, seen;
} carom_push_series;
carom_recorder carom_push_series_recorder(carom_push_series *series);
void carom_push_series_free(carom_push_series *series);

/* Events as pictures need them: t, kind and contact of each, and where the scheme locates them the columns before and
 * after it (NAN for those that only outputs have: impulses, forces of joints, accelerations). */
typedef struct carom_event_points {
    int columns; /* 0: not located, the outputs at these times have them */
    size_t count;
    double *row; /* count x carom_event_points_width */
} carom_event_points;
static inline size_t carom_event_points_width(const carom_event_points *points)
{
    return 3 + 2 * (size_t)points->columns;
}

/* ---- run ---------------------------------------------------------------------------------------- */

/* The time that a member of a request stands for; NAN: none is given. A run from t = -1 until t = 0 has
 * .until = CAROM_ZERO. */
static inline double carom_given_time(double member)
{
    return carom_given(member, NAN);
}

/* Checkpoints of a run: what it takes to go on later, in another process, with the same bits as if it had never stopped.
 * A run whose scheme, solver or measures cannot be kept makes none; to go on is then to begin anew. */
typedef struct carom_checkpoint {
    void *context;
    double
        seconds; /* between two of them; 0: after every step. One more is made where the run ends or is interrupted. */
    bool no_end; /* none where it ends: what follows takes no time worth it */
    /* Takes the bytes, which belong to the rows that the recorders have until now. NULL: none are made. A failure ends
     * the run like that of a recorder. */
    carom_status (*save)(void *context, const void *bytes, size_t count, carom_error *error);
    /* Where to go on: what a run of the same request has saved; its end may be another one. NULL: the start. Where the
     * bytes do not fit the request the run begins anew. */
    const void *bytes;
    size_t count;
    /* Called when the run does go on from there, before its next row: the recorders need the rows that came before.
     * NULL: nothing is to be done. */
    carom_status (*resumed)(void *context, carom_error *error);
} carom_checkpoint;

/* What to run and how. What is left zero has its default, which is what the experiment says where there is
 * one; a model alone needs a scheme, h and until, and has neither columns nor measures:
 *
 *   carom_run_request request = {.model = model, .scheme = "moreau-jean", .h = 1e-3, .until = 2.0};
 *   carom_status status = carom_run(&request, &result, &error);
 *
 * Nothing of the request is kept or changed. */
typedef struct carom_run_request {
    const carom_experiment *experiment; /* or */
    const carom_model *model;           /* one of the two, not both */
    const double *parameter;            /* NULL: the experiment's current values, or the model's defaults */
    const double *q0, *v0; /* positions and dof numbers; NULL: the experiment's, or the model's own, or 0 */
    const char *scheme;    /* by name; NULL: the experiment's */
    const carom_scheme_ops *scheme_ops; /* a scheme that need not be registered; stronger than the name */
    double t0, h, until;                /* 0 or NAN: the experiment's; t0 of a model: 0. See CAROM_ZERO */
    const carom_option *option; /* of the scheme, stronger than the experiment's; ends with {0}; NULL: none */
    int sample_count;           /* output rows nearest to these times are kept in the result */
    const double *sample_time;
    int record_every; /* hand every k-th row to the recorders (measures see all); 0 and 1: all */
    bool no_columns;  /* what recorders get has no columns (carom_row_layout): they take none of them */
    int recorder_count;
    const carom_recorder *recorder;
    const carom_checkpoint *checkpoint; /* NULL: none, from the start */
    carom_progress progress;
    carom_problem_listener
        problems;      /* BAD_INPUT where the scheme does not tell them; takes memory in each step */
    bool events;       /* keep the events in the result */
    bool event_points; /* keep them as pictures need them, too */
    long max_steps;    /* stop after this many steps; 0: no limit */
    bool no_stop; /* go on to the end, whatever stop { } says: for motions that are compared at equal times */
    bool bare;    /* only step: no rows, measures, counters or stops; for benchmarks */
    bool only_start; /* no step: the request is checked and the scheme set up, which says what it refuses */
    bool endless;    /* until means nothing: who steps decides (carom/run/stepping.h) */
    bool no_studies; /* leave them out: their numbers are NAN */
    bool no_certificate; /* as a bare run has none; shows what it costs */
    /* Derivatives of the results by these: "e" a parameter, "q:y" and "v:y" the start of coordinate y. BAD_INPUT lists what
     * there is where a name is unknown. See carom/run/sensitivity.h. Such a run makes no checkpoints. */
    int sensitivity_count;
    const char *const *sensitivity;
    bool only_exact;  /* ... BAD_INPUT where they would come from differences of whole runs */
    bool differences; /* ... by differences although there are exact ones, to compare with them */
    bool sides; /* ... of exact ones with breaks the one-sided ones, too: up to four more runs per name */
    const carom_sharing
        *sharing; /* other processes with the same request, which share the work of steps; NULL: none */
} carom_run_request;

/* What a run says about itself: whether its numbers are to be believed, and the figures on which that stands.
 *
 *   energy_initial + forces + contacts + joints + scheme = energy_final
 *
 * Works are done on the system: by applied forces and by what depends on time; by contacts, impacts and friction; by
 * joints that move. `scheme` is what is left: gained or lost by the discretisation itself. */
enum {
    CAROM_DOUBTS_KEPT = 8
};
typedef struct carom_certificate {
    bool trusted; /* there is no doubt */
    double energy_initial, energy_final, forces, contacts, joints, scheme;
    double energy_scale; /* what the works are compared with: largest energy that was moved */
    double penetration, penetration_time;     /* deepest */
    char penetration_contact[160];            /* "": none */
    double drift, drift_time;                 /* largest violation of a joint */
    int drift_joint;                          /* -1: none */
    double contact_error, contact_error_time; /* worst error of a contact problem */
    double contact_tolerance; /* the largest that was asked of them, by default or not; 0: none was posed */
    long unsolved_steps;      /* steps that went on with a contact problem unsolved */
    long fixed_rows_steps;    /* carom_step_counts.fixed_rows */
    long crossings;           /* a contact was passed through within one step */
    double crossing_time;     /* of the first */
    char crossing_contact[160];
    char stop[64];    /* what ended the run before its end: the name of stop { }; "": nothing */
    double stop_time; /* when; see carom_run_result.t_end for runs that failed */
    int doubts;       /* in words; the first ones are kept */
    char doubt[CAROM_DOUBTS_KEPT][240];
} carom_certificate;

typedef struct carom_run_result {
    carom_status status;
    /* "ok", "stopped" (by stop { }; the status is CAROM_OK), or why it failed: "failed", "interrupted", ... */
    char word[32];
    char message[2048]; /* "" when the word is "ok" */
    const carom_scheme_ops *scheme;
    double h, t0, t_end;
    long steps, steps_planned;
    int record_every;   /* every so many rows went to the recorders */
    long steps_resumed; /* the first of them, which an earlier run made */
    double wall_seconds;
    carom_row_layout layout;
    double *initial, *final; /* rows */
    double *reaction; /* forces of joints at the end; NULL: no step, no joints, or the scheme has none */
    double energy_initial, energy_final, max_step_gain;
    double max_penetration; /* largest -gap over all outputs, 0 when none */
    long impacts;
    carom_step_counts counts;
    carom_warnings warnings;
    carom_certificate certificate; /* not of a bare run, nor with no_certificate */
    size_t event_count;            /* when the request asks for them; in the order of time */
    carom_event *event;
    carom_event_points points; /* likewise */
    int measure_count;
    carom_measured *measure; /* in the experiment's order */
    int sample_count;
    double *sample; /* rows */
    int option_count;
    double *option; /* the scheme's options as used */
    int solver_option_count;
    carom_option *solver_option;    /* those given for its contact solver and its impact law */
    double *values;                 /* the experiment's values, resolved */
    carom_study_results *results;   /* of the studies; NULL: there are none */
    carom_sensitivity *sensitivity; /* NULL: not asked for, or the run failed before its start */
} carom_run_result;

/* Runs an experiment or a model. CAROM_OK and CAROM_FAILED/INTERRUPTED/IO_ERROR all leave a valid result
 * (what was computed is kept, result->message says where it stopped); BAD_INPUT and NO_MEMORY leave nothing.
 * The caller frees the result in every case. `error` may be NULL. A request's h or until also becomes the
 * value of the parameter that h or until is (h_parameter, until_parameter), so that expressions of it agree
 * with the run. Several threads may run one experiment or model at the same time. */
carom_status carom_run(const carom_run_request *request, carom_run_result *result, carom_error *error);
/* carom_run of several requests, side by side where their scheme has that (carom/scheme/lanes.h) and they are of one model, else one
 * after the other; a status and an error for each. Each has the result that it has alone, but for wall_seconds, which they share.
 * *lanes, at first NULL, is kept for the next call, which saves it a part of its start, and freed by the caller (carom_lanes_free)
 * before the experiment; lanes may be NULL. NO_MEMORY, in the first error: nothing has been run. */
struct carom_lanes;
carom_status carom_run_beside(int count, const carom_run_request *request, carom_run_result *result,
                              struct carom_lanes **lanes, carom_status *status, carom_error *error);
/* Frees what the result owns and zeroes it; a zeroed result is fine. */
void carom_run_result_free(carom_run_result *result);
/* From now on linear algebra of this process starts no threads: a run gives the same bits on any number of
 * cores. To be called at the start of a program, while no other thread runs. */
void carom_run_reproducibly(void);
/* From when to when such a run would go; nothing moves. */
carom_status carom_run_times(const carom_run_request *request, double *t0, double *until, carom_error *error);

#endif
