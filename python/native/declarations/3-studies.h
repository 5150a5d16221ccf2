/* What Python sees of the C library: studies and periodic motions. cffi reads the files of this folder in their order: functions, and of the structs the
 * members that the package uses ("...;" stands for the others; the compiler knows their places). */

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
    const carom_accuracy_request *accuracy;
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
    int notes;
    char note[...][...];
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
typedef enum { CAROM_SPECIAL_NONE, CAROM_SPECIAL_FOLD, CAROM_SPECIAL_FLIP, CAROM_SPECIAL_BRANCH, CAROM_SPECIAL_GRAZING, ... } carom_special;
const char *carom_special_word(carom_special special);
typedef struct {
    double parameter, period, energy, multiplier, gap, impulse, strongest, other;
    int impacts;
    bool admissible, fold, stable, crossing;
    carom_special special;
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
typedef struct { double from, to; int points; double step; bool through, pattern; carom_progress progress; ...; } carom_continue_request;
carom_status carom_continue_start(const carom_periodic_model *model, carom_find_request *start,
                                  const carom_continue_names *names, carom_continue_request *request, int *frequency,
                                  carom_found_orbit *found, carom_error *error);
carom_status carom_continue_orbit(const carom_periodic_model *model, const carom_found_orbit *start,
                                  const carom_continue_request *request, carom_branch *branch, carom_error *error);
carom_status carom_continue_pattern(const carom_periodic_model *model, const carom_find_request *start,
                                    const carom_continue_request *request, int switches, carom_branch *branch,
                                    carom_orbit_branch *patterns, carom_error *error);
int carom_model_find_parameter(const carom_model *model, const char *name);
carom_status carom_continue_switch(const carom_periodic_model *model, const carom_found_orbit *start, const carom_branch *from,
                                   int times, int point, const carom_continue_request *request, carom_branch *branch,
                                   carom_error *error);
carom_status carom_continue_locus(const carom_periodic_model *model, const carom_found_orbit *start, const carom_branch *from,
                                  int point, const carom_continue_request *request, int second, double to,
                                  carom_branch *branch, carom_error *error);

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

/* ---- fits to data */
typedef struct { const char *name; double value; ...; } carom_fit_value;
typedef struct {
    const char *name;
    int count;
    const double *t, *value, *sigma;
    int set_count;
    const carom_fit_value *set;
    ...;
} carom_fit_data;
typedef struct { const char *name; bool each; double start, low, high, scale; ...; } carom_fit_parameter;
typedef enum { CAROM_LOSS_SQUARES, CAROM_LOSS_SOFT_L1, CAROM_LOSS_HUBER, CAROM_LOSS_CAUCHY, ... } carom_fit_loss;
const char *carom_fit_loss_word(int loss);
typedef enum { CAROM_FIT_BEST, CAROM_FIT_EXACT, CAROM_FIT_DIFFERENCES, ... } carom_fit_derivatives;
typedef struct {
    const carom_experiment *experiment;
    int output_count;
    const char *const *output;
    const char *events;
    int data_count;
    const carom_fit_data *data;
    int parameter_count;
    const carom_fit_parameter *parameter;
    carom_fit_loss loss;
    double loss_scale;
    const char *scheme;
    double h;
    const carom_option *option;
    carom_fit_derivatives derivatives;
    int max_iterations;
    double tolerance;
    int starts, stages;
    unsigned seed;
    int curve_points, threads;
    carom_progress progress;
    ...;
} carom_fit_request;
typedef enum { CAROM_FIT_FREE, CAROM_FIT_AT_LOW, CAROM_FIT_AT_HIGH, ... } carom_fit_bound;
typedef struct {
    char *name;
    double value, error, low, high, start;
    carom_fit_bound bound;
    bool determined;
    ...;
} carom_fit_estimate;
typedef struct { double strength; double *part; char *text; ...; } carom_fit_direction;
typedef struct { int count; double *t, *value; ...; } carom_fit_curve;
typedef struct { int count; double rms, sigma, correlation; ...; } carom_fit_column;
typedef struct {
    char word[...];
    int count;
    carom_fit_estimate *parameter;
    double *correlation;
    double rms, misfit, variance;
    long residuals;
    double loss_scale;
    int column_count;
    carom_fit_column *column;
    int direction_count;
    carom_fit_direction *direction;
    int iterations;
    long runs, failed_runs;
    bool exact;
    const carom_scheme_ops *scheme;
    int starts, same_end;
    int data_count;
    double **fitted;
    carom_fit_curve *curve;
    int warnings;
    char warning[...][...];
    double wall_seconds;
    ...;
} carom_fit;
carom_status carom_fit_run(const carom_fit_request *request, carom_fit *fit, carom_error *error);
void carom_fit_free(carom_fit *fit);
