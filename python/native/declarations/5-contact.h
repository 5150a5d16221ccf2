/* What Python sees of the C library: contact problems and impacts. cffi reads the files of this folder in their order: functions, and of the structs the
 * members that the package uses ("...;" stands for the others; the compiler knows their places). */

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
    const double *f, *w, *b, *mu, *mu_r, *mu_t;
    ...;
} carom_coulomb_global;
typedef struct {
    int dimension, contacts;
    carom_sparse W, V, R;
    const double *q, *s, *mu, *mu_r, *mu_t;
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
typedef struct { carom_fclib *content; carom_coulomb problem; bool is_reduced, is_rolling; ...; } carom_python_contact;
carom_status carom_python_contact_local(int dimension, int contacts, const carom_python_matrix *W,
                                        const carom_python_matrix *V, const carom_python_matrix *R,
                                        const double *q, const double *s, const double *mu, const double *mu_r,
                                        const double *mu_t, carom_python_contact **contact, carom_error *error);
carom_status carom_python_contact_global(int dimension, int contacts, const carom_python_matrix *M,
                                         const carom_python_matrix *H, const carom_python_matrix *G,
                                         const double *f, const double *w, const double *b, const double *mu,
                                         const double *mu_r, const double *mu_t, carom_python_contact **contact,
                                         carom_error *error);
carom_status carom_python_contact_read(const char *path, carom_python_contact **contact, carom_error *error);
void carom_python_contact_free(carom_python_contact *contact);
carom_status carom_python_contact_reduce(carom_python_contact *contact, carom_error *error);
void carom_python_contact_pack(const carom_python_contact *contact, bool velocities, const double *given,
                               double *three);
void carom_python_contact_unpack(const carom_python_contact *contact, bool velocities, const double *three,
                                 double *given);
double carom_python_contact_error(const carom_python_contact *contact, const double *r);
carom_status carom_python_contact_write(const char *path, const carom_python_contact *contact, bool texts,
                                        const char *title, const char *description, const char *math_info,
                                        const carom_fclib_solution *solution, bool overwrite, carom_error *error);
typedef struct { size_t count; double *point; bool is_short; ...; } carom_python_history;
void carom_python_history_free(carom_python_history *history);
typedef struct {
    carom_solver_options options;
    carom_python_history *history;
    carom_solve_report report;
    double started, seconds;
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
