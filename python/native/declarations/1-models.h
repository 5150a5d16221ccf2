/* What Python sees of the C library: models, schemes, experiments and the language. cffi reads the files of this folder in their order: functions, and of the structs the
 * members that the package uses ("...;" stands for the others; the compiler knows their places). */

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
