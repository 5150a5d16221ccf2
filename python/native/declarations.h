/* What Python sees of the C library, as cffi reads it: the functions, and of the structs the members that the package uses
 * ("...;" stands for the others; the compiler knows their places). */

/* ---- base */
typedef enum { CAROM_OK, CAROM_BAD_INPUT, CAROM_FAILED, CAROM_INTERRUPTED, CAROM_NO_MEMORY, CAROM_IO_ERROR, ... } carom_status;
typedef struct { carom_status status; char text[...]; ...; } carom_error;
typedef struct carom_arena carom_arena;
carom_arena *carom_arena_create(void);
void carom_arena_free(carom_arena *arena);
typedef struct carom_registry carom_registry;
typedef struct { bool (*report)(void *context, double done, double total); void *context; ...; } carom_progress;
typedef struct { const char *name; double value; const char *word; ...; } carom_option;
typedef struct { const char *name; double value, min, max; const char *doc; ...; } carom_option_info;
typedef struct { unsigned char *bytes; size_t length; bool restores, failed; ...; } carom_snapshot;
int carom_option_word_count(const carom_option_info *option);
const char *carom_option_word(const carom_option_info *option, int index);
const char *carom_status_word(carom_status status);
const char *carom_nearest_name(const char *wanted, const char *const *names, size_t count);
carom_snapshot carom_snapshot_of(const void *bytes, size_t length);
void carom_snapshot_free(carom_snapshot *snapshot);
typedef struct { char *bytes; size_t length; bool failed; ...; } carom_text;
void carom_text_free(carom_text *text);
static const char *const CAROM_VERSION;

/* ---- models */
typedef struct { char *name, *unit, *doc; double value, min, max; bool integer, computed, input; ...; } carom_parameter;
typedef struct { char *name; int tangents; bool friction_force; ...; } carom_contact_info;
typedef struct {
    int dof, contacts, joints, parameters, inputs;
    bool has_bodies;
    char **coordinate, **velocity, **joint;
    carom_contact_info *contact;
    carom_parameter *parameter;
    ...;
} carom_model;
typedef struct carom_model_work carom_model_work;
int carom_model_positions(const carom_model *model);
carom_status carom_model_work_create(const carom_model *model, const double *parameters, carom_model_work **work,
                                     carom_error *error);
void carom_model_work_free(carom_model_work *work);

/* ---- schemes */
typedef struct {
    const char *name, *summary;
    const carom_option_info *options;
    int option_count;
    unsigned abilities;
    ...;
} carom_scheme_ops;
size_t carom_scheme_count(void);
const carom_scheme_ops *carom_scheme_at(size_t index);
const carom_scheme_ops *carom_scheme_find(const char *name, carom_error *error);
carom_status carom_scheme_accepts(const carom_scheme_ops *scheme, const carom_model *model, carom_error *error);
bool carom_scheme_takes_option(const carom_scheme_ops *scheme, const char *name);

/* ---- experiments */
typedef struct { char *name; ...; } carom_measure;
typedef struct { char *name, *title; int panel_count; ...; } carom_plot;
typedef struct { char *name, *unit, *doc; bool is_text; double number; char *text; ...; } carom_setting;
typedef struct { char *name, *value; ...; } carom_override;
typedef struct { char *name, *doc; int override_count; carom_override *override; ...; } carom_variant;
typedef struct {
    char *name, *title, *source, *doc, *file, *text, *variant, *messages, *scheme;
    bool study;
    carom_model *model;
    double *parameter;
    int setting_count;
    carom_setting *setting;
    int variant_count;
    carom_variant *variants;
    int column_count, named_columns;
    char **column;
    int measure_count;
    carom_measure *measure;
    int plot_count;
    carom_plot *plot;
    int family_size;
    ...;
} carom_experiment;
typedef struct {
    const char *name, *file, *text, *variant;
    int override_count;
    const carom_override *override;
    bool only_names;
    double max_seconds;
    bool force_inputs;
    ...;
} carom_load_request;
carom_status carom_experiment_load(const carom_load_request *request, carom_experiment **experiment,
                                   carom_error *error);
carom_status carom_experiment_compute(carom_experiment *experiment, carom_progress progress, carom_error *error);
void carom_experiment_free(carom_experiment *experiment);
bool carom_experiment_has_scene(const carom_experiment *experiment);

/* ---- statements of the model language */
typedef struct { const char *name, *doc; ...; } carom_statement_key;
typedef struct { const char *name, *summary, *example; const carom_statement_key *keys; ...; } carom_statement;
size_t carom_statement_count(void);
const carom_statement *carom_statement_at(size_t index);
typedef struct { const char *name, *doc; bool needed; ...; } carom_measure_key;
typedef struct { const char *name, *summary, *example; bool hidden; const carom_measure_key *keys; ...; } carom_measure_ops;
size_t carom_measure_count(void);
const carom_measure_ops *carom_measure_at(size_t index);

typedef struct { const char *name; ...; } carom_study_input;
typedef struct { const char *name, *summary; const carom_study_input *inputs; ...; } carom_study_ops;
size_t carom_study_count(void);
const carom_study_ops *carom_study_at(size_t index);

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
    ...;
} carom_run_request;
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
    ...;
} carom_run_result;
carom_status carom_run(const carom_run_request *request, carom_run_result *result, carom_error *error);
void carom_run_result_free(carom_run_result *result);
void carom_run_reproducibly(void);

/* ---- run files */
typedef struct { char *name; carom_measured measured; ...; } carom_run_measure;
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
                               const carom_series *series, const carom_run_result *result, carom_error *error);

/* ---- parameter studies, order studies, checks */
typedef struct { const char *name; int count; const char *const *value; ...; } carom_sweep_axis;
typedef struct {
    bool done;
    char word[...];
    char *message;
    carom_measured *measure;
    ...;
} carom_sweep_point;
typedef struct {
    const carom_experiment *experiment;
    int axis_count;
    carom_sweep_axis axis[2];
    int measure_count;
    const char *const *measure;
    const char *scheme;
    double h, until;
    const carom_option *option;
    int threads;
    ...;
} carom_sweep_request;
typedef struct {
    int axis_count;
    carom_sweep_axis axis[2];
    int measure_count;
    char **measure;
    int point_count;
    carom_sweep_point *point;
    double wall_seconds;
    int threads;
    ...;
} carom_sweep;
void carom_sweep_free(carom_sweep *sweep);
carom_status carom_sweep_write_file(const char *path, const carom_experiment *experiment, const carom_sweep *sweep,
                                    carom_error *error);
typedef struct { int count; const carom_override *value; ...; } carom_python_values;
carom_status carom_python_sweep(const carom_sweep_request *request, const carom_python_values *fixed, carom_sweep *sweep,
                                carom_error *error);
#define CAROM_PYTHON_WORD ...
void carom_python_sweep_points(const carom_sweep *sweep, char *word, bool *told, bool *done, bool *trusted, long *steps,
                               double *seconds);
bool carom_python_sweep_numbers(const carom_sweep *sweep, int measure, double *number);
carom_status carom_python_sweep_csv(const char *path, const carom_sweep *sweep, carom_error *error);

typedef enum { CAROM_REFERENCE_FINE, CAROM_REFERENCE_EVENT_DRIVEN, CAROM_REFERENCE_EXACT, ... } carom_reference_kind;
typedef struct {
    const carom_experiment *experiment;
    int scheme_count;
    const char *const *scheme;
    int h_count;
    const double *h;
    double until;
    carom_reference_kind reference;
    const char *reference_scheme;
    double reference_h;
    int quantity_count;
    const char *const *quantity;
    const carom_option *option;
    carom_progress progress;
    ...;
} carom_convergence_request;
typedef struct { double *error; bool *at_rounding; double *local; double order; int fitted; ...; } carom_error_curve;
typedef struct { char word[...]; char *message; long steps; double wall_seconds; ...; } carom_converged_run;
typedef struct {
    const carom_scheme_ops *scheme;
    carom_converged_run *run;
    carom_error_curve *curve;
    ...;
} carom_convergence_scheme;
typedef struct {
    carom_reference_kind reference;
    const carom_scheme_ops *reference_scheme;
    double reference_h;
    bool interpolated;
    double t0, until;
    int h_count;
    double *h;
    int scheme_count;
    carom_convergence_scheme *scheme;
    int curve_count;
    ...;
} carom_convergence;
carom_status carom_converge(const carom_convergence_request *request, carom_convergence *study, carom_error *error);
void carom_convergence_free(carom_convergence *study);

typedef struct { double momentum, mass, inertia, potential, gap, slip, force; ...; } carom_derivative_report;
typedef enum {
    CAROM_CHECK_DERIVATIVES, CAROM_CHECK_STRUCTURE, CAROM_CHECK_BODIES, CAROM_CHECK_STUDY, CAROM_CHECK_WAITS, ...
} carom_model_check_kind;
#define CAROM_CHECK_POINTS ...
typedef struct {
    carom_model_check_kind kind;
    const carom_scheme_ops *scheme;
    carom_derivative_report derivatives;
    double worst;
    bool good;
    int band_width, constrained, modes;
    int mode[...];
    double frequency[...];
    int free_bodies, fixed_bodies, driven_bodies;
    double mass;
    int coordinates_beside, linked;
    ...;
} carom_model_check;
carom_status carom_check_model(const carom_experiment *experiment, carom_model_check *found, carom_error *error);

/* ---- periodic motions */
typedef struct { carom_progress progress; ...; } carom_periodic_model;
carom_status carom_periodic_model_of(const carom_experiment *experiment, carom_periodic_model **made, carom_error *error);
void carom_periodic_model_free(carom_periodic_model *model);
typedef struct { int count; int *contact; double *phase; bool given; ...; } carom_impact_sequence;
carom_status carom_impact_sequence_read(const carom_periodic_model *model, carom_arena *arena, int count,
                                        const char *const *word, carom_impact_sequence *impacts, carom_error *error);
typedef enum { CAROM_GUESS_ANY, CAROM_GUESS_LINEAR, CAROM_GUESS_RUN, ... } carom_guess;
typedef struct {
    carom_impact_sequence impacts;
    double period;
    int flights;
    const double *flight;
    carom_guess guess;
    double settle;
    int pick;
    ...;
} carom_find_request;
typedef struct {
    const char *method;
    char guess[...];
    bool found, is_motion;
    char verdict[...];
    int impacts;
    int *contact;
    double *time, *flight, *impulse, *approach;
    double *q, *v;
    double t0, period, energy, margin, margin_time;
    int margin_contact, multipliers;
    double *real, *imaginary;
    double largest;
    bool stable;
    int solutions;
    double residual;
    int iterations, rows;
    double *row;
    ...;
} carom_found_orbit;
carom_status carom_find_orbit(const carom_periodic_model *model, const carom_find_request *request,
                              carom_found_orbit *found, carom_error *error);
void carom_found_orbit_free(carom_found_orbit *found);
typedef struct {
    int periods, done;
    double *deviation;
    bool leaves;
    double growth;
    char stopped[...];
    ...;
} carom_orbit_return;
carom_status carom_find_verify(const carom_periodic_model *model, const carom_found_orbit *found, int periods, double offset,
                               carom_orbit_return *verified, carom_error *error);
void carom_orbit_return_free(carom_orbit_return *verified);

typedef enum { CAROM_END_OF_POINTS, CAROM_END_JUNCTION, CAROM_END_LOST, ... } carom_branch_end;
const char *carom_branch_end_word(carom_branch_end end);
typedef struct {
    double parameter, period, energy, multiplier, gap, impulse, strongest;
    int impacts;
    bool admissible, fold, stable, crossing;
    ...;
} carom_branch_point;
typedef struct {
    int count, width;
    carom_branch_point *point;
    double *unknown;
    carom_branch_end end;
    char text[...];
    ...;
} carom_branch;
void carom_branch_free(carom_branch *branch);
typedef enum { CAROM_PHASE_NEVER, CAROM_PHASE_HALF, CAROM_PHASE_START, ... } carom_phase;
typedef enum { CAROM_ORBIT_BRANCH_LIMIT, ... } carom_orbit_branch_end;
const char *carom_orbit_branch_end_text(carom_orbit_branch_end end);
typedef struct { double value; ...; } carom_orbit_branch_point;
typedef struct {
    carom_phase *pattern;
    int first, count;
    carom_orbit_branch_end end;
    double end_value;
    int contact;
    double time;
    ...;
} carom_orbit_branch_stretch;
typedef struct {
    int contacts, point_count;
    carom_orbit_branch_point *point;
    int stretch_count;
    carom_orbit_branch_stretch *stretch;
    ...;
} carom_orbit_branch;
void carom_orbit_branch_free(carom_orbit_branch *branch);
typedef struct { const char *parameter, *frequency; bool pattern; ...; } carom_continue_names;
typedef struct { double from, to; int points; double step; bool through; carom_progress progress; ...; } carom_continue_request;
carom_status carom_continue_start(const carom_periodic_model *model, carom_find_request *start,
                                  const carom_continue_names *names, carom_continue_request *request, int *frequency,
                                  carom_found_orbit *found, carom_error *error);
carom_status carom_continue_orbit(const carom_periodic_model *model, const carom_found_orbit *start,
                                  const carom_continue_request *request, carom_branch *branch, carom_error *error);
carom_status carom_continue_pattern(const carom_periodic_model *model, const carom_find_request *start,
                                    const carom_continue_request *request, int switches, carom_branch *branch,
                                    carom_orbit_branch *patterns, carom_error *error);

typedef struct { int size; double *frequency, *mode; ...; } carom_mode_basis;
void carom_mode_basis_free(carom_mode_basis *basis);
carom_status carom_mode_basis_of(const carom_periodic_model *model, carom_mode_basis **basis, carom_error *error);
double carom_mode_grazing_energy(const carom_mode_basis *basis, int j);
typedef struct { bool impacts[4]; bool sticking; double from, to; int points; carom_progress progress; ...; } carom_mode_survey_request;
typedef struct { double period[2], energy[2]; carom_branch_end end[2]; double touch_time[2]; ...; } carom_mode_window;
typedef struct {
    int impacts, count;
    carom_branch_point *point;
    carom_branch_end end[2];
    char text[2][300];
    ...;
} carom_mode_branch;
typedef struct { double flight, contact, period, energy, gap, reaction; double *q, *v; ...; } carom_mode_sticking;
typedef struct {
    double from, to;
    int windows;
    carom_mode_window *window;
    int branches;
    carom_mode_branch *branch;
    int stickings;
    carom_mode_sticking *sticking;
    bool full;
    ...;
} carom_mode_survey;
carom_status carom_survey_modes(const carom_mode_basis *basis, const carom_mode_survey_request *request,
                                carom_mode_survey *survey, carom_error *error);
void carom_mode_survey_free(carom_mode_survey *survey);
/* ---- steppers */
typedef struct { double *q, *v, *input; ...; } carom_stepping;
typedef struct carom_python_stepper carom_python_stepper;
carom_status carom_python_stepper_create(const carom_run_request *request, carom_python_stepper **stepper,
                                         carom_error *error);
void carom_python_stepper_free(carom_python_stepper *stepper);
const carom_stepping *carom_python_stepper_data(const carom_python_stepper *stepper);
double carom_python_stepper_step_size(const carom_python_stepper *stepper);
const char *carom_python_stepper_scheme(const carom_python_stepper *stepper);
const char *carom_python_stepper_body_name(const carom_python_stepper *stepper, int body);
const double *carom_python_stepper_time(const carom_python_stepper *stepper);
carom_status carom_python_step(carom_python_stepper *stepper, carom_error *error);
carom_status carom_python_stepper_run(carom_python_stepper *stepper, long count, long *done, carom_error *error);
carom_status carom_python_stepper_set(carom_python_stepper *stepper, double t, const double *q, const double *v,
                                      carom_error *error);
carom_status carom_python_stepper_save(carom_python_stepper *stepper, carom_snapshot *snapshot, carom_error *error);
carom_status carom_python_stepper_restore(carom_python_stepper *stepper, const void *bytes, size_t count,
                                          carom_error *error);
carom_status carom_python_stepper_energy(carom_python_stepper *stepper, double *energy, carom_error *error);
carom_status carom_python_stepper_contacts(carom_python_stepper *stepper, double *gap, double *impulse, int *regime,
                                           carom_error *error);
carom_status carom_python_stepper_points(carom_python_stepper *stepper, int room, carom_body_point *point,
                                         double *place, int *count, carom_error *error);

/* ---- contact problems */
typedef enum {
    CAROM_PROBLEM_LCP, CAROM_PROBLEM_QP, CAROM_PROBLEM_ONE_CONTACT, CAROM_PROBLEM_STEP, CAROM_PROBLEM_COULOMB, ...
} carom_problem_kind;
typedef enum {
    CAROM_SOLVE_OK, CAROM_SOLVE_MEMORY, CAROM_SOLVE_REFUSED, CAROM_SOLVE_ROUNDING, CAROM_SOLVE_INFEASIBLE,
    CAROM_SOLVE_INTERRUPTED, ...
} carom_solve_word;
const char *carom_solve_word_text(carom_solve_word word);
typedef struct {
    carom_status status;
    int iterations;
    double error, tolerance;
    carom_solve_word word;
    long inner_iterations, local_failures;
    int active;
    bool fell_back;
    ...;
} carom_solve_report;
typedef struct {
    double tolerance;
    int max_iterations;
    double max_seconds;
    const carom_option *option;
    ...;
} carom_solver_options;
typedef struct {
    const char *name, *summary;
    const carom_option_info *options;
    int option_count;
    double tolerance;
    int max_iterations, max_size;
    ...;
} carom_solver_ops;
size_t carom_solver_count(carom_problem_kind kind);
const carom_solver_ops *carom_solver_at(carom_problem_kind kind, size_t index);
const carom_solver_ops *carom_solver_find(carom_problem_kind kind, const char *name, carom_error *error);

typedef struct {
    int rows, columns;
    const int *column_start, *row;
    const double *value;
    ...;
} carom_sparse;
typedef struct { int contacts; ...; } carom_coulomb;
typedef struct {
    int dimension, contacts;
    carom_sparse M, H, G;
    const double *f, *w, *b, *mu;
    ...;
} carom_coulomb_global;
typedef struct {
    int dimension, contacts;
    carom_sparse W, V, R;
    const double *q, *s, *mu;
    ...;
} carom_coulomb_local;
typedef struct { double velocity, reaction, complementarity, rounding; ...; } carom_coulomb_residual;
typedef struct { double W_d, q_d, largest_r, least_error; ...; } carom_coulomb_proof;
typedef struct {
    double q_norm, r_norm, u_norm, error, absolute_error, energy, dissipation;
    int open, sliding, sticking;
    ...;
} carom_coulomb_summary;
static const int CAROM_PROOF_CONTACTS;
bool carom_all_finite(int n, const double *x);
double carom_coulomb_error(const carom_coulomb *problem, const double *r);
carom_coulomb_residual carom_coulomb_residuals(const carom_coulomb *problem, const double *r);
carom_status carom_coulomb_residuals_global(const carom_coulomb_global *global, const double *r,
                                            carom_coulomb_residual *residual, carom_error *error);
bool carom_coulomb_infeasible(const carom_coulomb *problem, double tolerance, double *d, carom_coulomb_proof *proof);
bool carom_coulomb_find_doubt(const carom_coulomb *problem, double *d);
carom_status carom_coulomb_motion(const carom_coulomb_global *global, const double *r, double *v, double *l,
                                  carom_error *error);
carom_status carom_coulomb_multipliers(const carom_coulomb_local *local, const double *r, double *l,
                                       carom_error *error);
carom_status carom_coulomb_summarise_global(const carom_coulomb_global *global, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error);
typedef struct { double *u, *r, *v, *l; ...; } carom_fclib_solution;
typedef struct {
    bool is_global;
    carom_coulomb_local local;
    carom_coulomb_global global;
    char *title, *description, *math_info;
    carom_fclib_solution solution;
    int guess_count;
    carom_fclib_solution *guess;
    ...;
} carom_fclib;

typedef enum { CAROM_PYTHON_DENSE, CAROM_PYTHON_CSC, CAROM_PYTHON_CSR, CAROM_PYTHON_BSR, CAROM_PYTHON_COO, ... } carom_python_layout;
typedef struct {
    const char *name;
    carom_python_layout layout;
    int rows, columns, entries, block_rows, block_columns;
    ptrdiff_t row_stride, column_stride;
    const int *start, *index, *other;
    const double *value;
    ...;
} carom_python_matrix;
typedef struct { carom_fclib *content; carom_coulomb problem; bool is_reduced; ...; } carom_python_contact;
carom_status carom_python_contact_local(int dimension, int contacts, const carom_python_matrix *W,
                                        const carom_python_matrix *V, const carom_python_matrix *R,
                                        const double *q, const double *s, const double *mu,
                                        carom_python_contact **contact, carom_error *error);
carom_status carom_python_contact_global(int dimension, int contacts, const carom_python_matrix *M,
                                         const carom_python_matrix *H, const carom_python_matrix *G,
                                         const double *f, const double *w, const double *b, const double *mu,
                                         carom_python_contact **contact, carom_error *error);
carom_status carom_python_contact_read(const char *path, carom_python_contact **contact, carom_error *error);
void carom_python_contact_free(carom_python_contact *contact);
carom_status carom_python_contact_reduce(carom_python_contact *contact, carom_error *error);
carom_status carom_python_contact_write(const char *path, const carom_python_contact *contact, bool texts,
                                        const char *title, const char *description, const char *math_info,
                                        const carom_fclib_solution *solution, bool overwrite, carom_error *error);
typedef struct { size_t count; double *point; bool is_short; ...; } carom_python_history;
void carom_python_history_free(carom_python_history *history);
typedef struct {
    carom_solver_options options;
    carom_python_history *history;
    carom_solve_report report;
    double seconds;
    bool interrupted, orthotropic;
    carom_status status;
    carom_error error;
    ...;
} carom_python_solving;
bool carom_python_contact_solve(const carom_python_contact *contact, const carom_solver_ops *ops, double *r,
                                carom_python_solving *call);
bool carom_python_contact_solve_directly(const carom_python_contact *contact, double *v, double *r,
                                         carom_python_solving *call);
carom_status carom_python_contact_summarise(const carom_python_contact *contact, const carom_solver_ops *ops,
                                            const carom_option *options, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error);

typedef struct { int size; const double *matrix, *vector; ...; } carom_lcp;
typedef struct { int size, width; double *entry; ...; } carom_band;
typedef struct {
    int size;
    const carom_band *matrix;
    int rows;
    const int *row_start, *column;
    const double *entry, *lower, *upper, *vector;
    double row_size;
    ...;
} carom_qp;
double carom_lcp_error(const carom_lcp *problem, const double *z);
double carom_qp_error(const carom_qp *problem, const double *x, const double *r, double *work);
carom_status carom_python_lcp(const carom_solver_ops *ops, const carom_lcp *problem,
                              const carom_solver_options *options, double *z, carom_solve_report *report,
                              carom_error *error);
carom_status carom_python_qp(const carom_solver_ops *ops, const carom_qp *problem, const carom_solver_options *options,
                             double *x, double *r, carom_solve_report *report, carom_error *error);

/* ---- impacts */
typedef struct {
    int coordinates, contacts;
    const double *mass, *masses;
    const int *column_start, *row;
    const double *value, *rate, *velocity, *restitution, *stiffness, *exponent;
    int joints;
    const double *joint;
    ...;
} carom_impact;
typedef enum {
    CAROM_IMPACT_OK, CAROM_IMPACT_NONE, CAROM_IMPACT_NOT_CONVERGED, CAROM_IMPACT_ROUNDING, CAROM_IMPACT_INFEASIBLE, ...
} carom_impact_word;
const char *carom_impact_word_text(carom_impact_word word);
static const int CAROM_IMPACT_NOTES;
const char *carom_impact_note_text(int bit);
typedef struct {
    double *velocity, *impulse, *compression;
    int *closings, *repeats;
    double *peak_force, *reaction;
    carom_impact_word word;
    unsigned notes;
    long collisions, steps;
    double duration, residual, smallest_approach, largest_left, energy_before, energy_after, work, imbalance, slippage;
    bool kinematic, kinetic, energetic;
    ...;
} carom_impact_result;
static const int CAROM_IMPACT_TELLS_COMPRESSION, CAROM_IMPACT_TELLS_COLLISIONS, CAROM_IMPACT_TELLS_COURSE;
typedef struct {
    const char *name, *summary;
    unsigned tells;
    int option_count;
    const carom_option_info *options;
    ...;
} carom_impact_law_ops;
size_t carom_impact_law_count(void);
const carom_impact_law_ops *carom_impact_law_at(size_t index);
const carom_impact_law_ops *carom_impact_law_find(const char *name, carom_error *error);
carom_status carom_python_impact_columns(carom_arena *arena, const carom_python_matrix *W, carom_impact *impact,
                                         carom_error *error);
typedef struct { size_t width, count; double *rows; bool is_short; ...; } carom_python_course;
void carom_python_course_free(carom_python_course *course);
typedef struct {
    const carom_option *option;
    bool allow_gain;
    carom_python_course *course;
    carom_impact_result result;
    double seconds;
    bool interrupted;
    carom_error error;
    ...;
} carom_python_impact_call;
carom_status carom_python_impact(const carom_impact_law_ops *law, const carom_impact *impact,
                                 carom_python_impact_call *call);
typedef struct {
    const carom_experiment *experiment;
    const double *parameter, *position, *velocity;
    double t, gap_tolerance;
    ...;
} carom_model_impact_request;
typedef struct {
    carom_impact impact;
    double *restitution;
    char **coordinate, **contact, **joint;
    const char *name;
    ...;
} carom_model_impact;
carom_status carom_model_impact_check(const carom_model_impact *made, const carom_impact *impact, carom_error *error);
typedef struct { carom_model_impact model; ...; } carom_python_model_impact;
carom_status carom_python_model_impact_take(const carom_model_impact_request *request,
                                            carom_python_model_impact **made, carom_error *error);
void carom_python_model_impact_free(carom_python_model_impact *made);
