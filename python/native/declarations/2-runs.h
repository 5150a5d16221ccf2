/* What Python sees of the C library: runs, run files, pictures and pages. cffi reads the files of this folder in their order: functions, and of the structs the
 * members that the package uses ("...;" stands for the others; the compiler knows their places). */

/* ---- runs */
typedef struct {
    int positions, dof, contacts, columns;
    int q, v, energy, gap, impulse, regime, column, located;
    int accelerations, acceleration, reactions, reaction;
    int width;
    ...;
} carom_row_layout;
carom_row_layout carom_row_layout_of(const carom_experiment *experiment);
typedef struct { void *context; ...; } carom_recorder;
typedef struct {
    carom_row_layout layout;
    size_t count, capacity;
    double *rows;
    size_t limit, stride, seen;
    ...;
} carom_series;
carom_recorder carom_series_recorder(carom_series *series);
void carom_series_free(carom_series *series);
typedef struct { size_t count, limit; ...; } carom_push_series;
carom_recorder carom_push_series_recorder(carom_push_series *series);
void carom_push_series_free(carom_push_series *series);
typedef struct { int columns; size_t count; double *row; ...; } carom_event_points;
typedef enum { CAROM_EVENT_IMPACT, ... } carom_event_kind;
const char *carom_event_word(carom_event_kind kind);
typedef struct {
    double t;
    carom_event_kind kind;
    int contact;
    int body[2];
    double rate_before, rate_after, impulse, energy_before, energy_after;
    ...;
} carom_event;
const char *carom_event_contact(const carom_model *model, const carom_event *event, char *text, size_t size);
typedef struct { int count; bool is_array; double *value; ...; } carom_measured;
typedef struct {
    long steps, adhesive_impulses, solver_iterations;
    double worst_solver_error, solver_tolerance;
    long unsolved, fixed_rows;
    double accumulation_time;
    ...;
} carom_step_counts;
typedef struct { int count; char text[...][240]; ...; } carom_warnings;
typedef struct {
    bool trusted;
    double energy_initial, energy_final, forces, contacts, joints, scheme, energy_scale;
    double penetration, penetration_time;
    char penetration_contact[160];
    double drift, drift_time;
    int drift_joint;
    double contact_error, contact_error_time, contact_tolerance;
    long unsolved_steps, fixed_rows_steps, crossings;
    double crossing_time;
    char crossing_contact[160];
    char stop[64];
    double stop_time;
    int doubts;
    char doubt[...][240];
    ...;
} carom_certificate;
typedef struct {
    const carom_experiment *experiment;
    const double *parameter;
    const double *q0, *v0;
    const char *scheme;
    double t0, h, until;
    const carom_option *option;
    int sample_count;
    const double *sample_time;
    int record_every;
    int recorder_count;
    const carom_recorder *recorder;
    carom_progress progress;
    bool events, event_points;
    long max_steps;
    bool bare, only_start;
    int sensitivity_count;
    const char *const *sensitivity;
    ...;
} carom_run_request;
typedef struct { double t; char why[...]; ...; } carom_tangent_break;
typedef struct {
    int count;
    char **name;
    bool exact;
    char why[...];
    double error;
    int width;
    double *final;
    int measure_count;
    carom_measured *measure;
    size_t event_count;
    double *event_time;
    int break_count, breaks_kept;
    carom_tangent_break *breaks;
    ...;
} carom_sensitivity;
typedef struct { int names, width; size_t count, capacity; double *rows; ...; } carom_python_slopes;
carom_recorder carom_python_slopes_recorder(carom_python_slopes *slopes);
void carom_python_slopes_free(carom_python_slopes *slopes);
typedef struct {
    carom_status status;
    char word[...], message[...];
    const carom_scheme_ops *scheme;
    double h, t0, t_end;
    long steps, steps_planned;
    int record_every;
    double wall_seconds;
    carom_row_layout layout;
    double *initial, *final, *reaction;
    double energy_initial, energy_final, max_step_gain, max_penetration;
    long impacts;
    carom_step_counts counts;
    carom_warnings warnings;
    carom_certificate certificate;
    size_t event_count;
    carom_event *event;
    carom_event_points points;
    int measure_count;
    carom_measured *measure;
    int option_count;
    double *option, *values;
    struct carom_study_results *results;
    carom_sensitivity *sensitivity;
    ...;
} carom_run_result;
carom_status carom_run(const carom_run_request *request, carom_run_result *result, carom_error *error);
void carom_run_result_free(carom_run_result *result);
typedef struct { const char *measure; double relative; ...; } carom_accuracy_wish;
typedef struct {
    carom_run_request run;
    double relative;
    int wish_count;
    const carom_accuracy_wish *wish;
    bool alone;
    double limit;
    ...;
} carom_accuracy_request;
typedef struct {
    char *name;
    bool is_array, is_count;
    double asked;
    bool met;
    int count;
    double *value, *error;
    char why[...];
    ...;
} carom_accuracy_measure;
typedef struct { const carom_scheme_ops *scheme; double h; long steps; double wall_seconds; ...; } carom_accuracy_try;
typedef struct {
    double asked;
    bool met, of_state;
    char why[...];
    int measure_count;
    carom_accuracy_measure *measure;
    int tried_count;
    carom_accuracy_try tried[...];
    const carom_scheme_ops *scheme;
    double h;
    carom_option *option;
    ...;
} carom_accuracy;
carom_status carom_accuracy_run(const carom_accuracy_request *request, carom_accuracy *found, carom_error *error);
void carom_accuracy_free(carom_accuracy *found);
void carom_run_reproducibly(void);

/* ---- run files */
typedef struct { char *name; carom_measured measured; ...; } carom_run_measure;
typedef struct {
    char *name;
    bool has_series;
    carom_series series;
    int positions, dof;
    double *q, *v;
    int measure_count;
    carom_run_measure *measure;
    ...;
} carom_run_slopes;
typedef struct {
    char *method, *why;
    double error;
    int count;
    carom_run_slopes *name;
    int break_count, breaks_kept;
    carom_tangent_break *breaks;
    ...;
} carom_run_sensitivity;
typedef struct {
    carom_series series;
    int override_count;
    carom_override *override;
    char *scheme, *status, *message;
    double h, t0, t_end, until, every;
    int option_count;
    carom_override *option;
    bool has_certificate;
    carom_certificate certificate;
    int measure_count;
    carom_run_measure *measure;
    carom_run_sensitivity sensitivity;
    ...;
} carom_run_member;
typedef struct {
    char *name, *file, *text, *variant, *version;
    carom_run_member main;
    int member_count;
    carom_run_member *member;
    ...;
} carom_run_file;
carom_status carom_run_file_read(const char *path, carom_run_file **run, carom_error *error);
void carom_run_file_free(carom_run_file *run);

/* ---- pictures and pages */
typedef struct { char *title, *xlabel, *ylabel; bool equal, xlog, ylog; ...; } carom_panel;
typedef struct {
    const carom_experiment *experiment;
    const double *parameter, *values;
    const struct carom_study_results *results;
    const carom_series *series;
    const carom_event_points *points;
    ...;
} carom_curve_source;
typedef struct { double low, high; ...; } carom_range;
typedef enum { CAROM_TINT_PALETTE, CAROM_TINT_SEQUENCE, CAROM_TINT_MAIN, CAROM_TINT_OUTLINE, ... } carom_tint;
typedef struct {
    int member, mark;
    const char *label, *style;
    carom_tint tint;
    int tint_number;
    size_t count;
    double *x, *y, *t, *x2, *y2, *rgb;
    ...;
} carom_curve;
typedef struct { const carom_panel *panel; carom_range x, y, time; int curve_count; carom_curve *curve; ...; } carom_figure_panel;
typedef struct { const carom_plot *plot; int rows, columns, panel_count; carom_figure_panel *panel; ...; } carom_figure;
carom_status carom_figure_create(const carom_curve_source *source, int plot, carom_figure **figure, carom_error *error);
void carom_figure_free(carom_figure *figure);
typedef struct {
    const carom_experiment *experiment;
    const double *parameter;
    const carom_run_result *result;
    const carom_run_member *stored;
    const carom_series *series;
    const carom_push_series *pushes;
    const char *title;
    ...;
} carom_report_source;
bool carom_report_available(void);
carom_status carom_report_run(const carom_report_source *source, const char *path, carom_error *error);
carom_status carom_report_run_text(const carom_report_source *source, carom_text *page, carom_error *error);
/* ---- bodies */
const char *carom_bodies_model_pair_name(const carom_model *model, int a, int b, char *text, size_t size);
typedef struct {
    int a, b;
    double friction, gap;
    double normal[3], impulse[3];
    ...;
} carom_body_point;

/* ---- the bridge */
void carom_python_begin(void);
bool carom_python_end(void);
bool carom_python_stopped(void);
carom_progress carom_python_progress(double *done);
carom_status carom_python_save(const char *path, const carom_experiment *experiment, const double *parameter,
                               const carom_series *series, const carom_python_slopes *slopes,
                               const carom_run_result *result, carom_error *error);
