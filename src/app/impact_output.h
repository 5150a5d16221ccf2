/* carom impact, shared by its files:
 *
 *   balls.c, impact_case.c, model_impact.c   command line --> impact_case, the system
 *   impact_options.c                         command line --> laws and their options
 *   impact_outcome.c                         impact_case, laws --> outcomes with their measures
 *   impact_report.c, impact_json.c           outcomes as text, as JSON
 *   law_audit.c, audit_report.c              what theory asks of a law
 *   impact_history.c                         the course of an impact, for laws that have one
 *   plot/impact_plot.c and others            pictures */
#ifndef CAROM_APP_IMPACT_OUTPUT_H
#define CAROM_APP_IMPACT_OUTPUT_H

#include "carom/model/chain.h"
#include "command.h"

enum {
    IMPACT_MASSES,
    IMPACT_BALLS,
    IMPACT_DECORATED,
    IMPACT_TAPERED,
    IMPACT_STEPPED,
    IMPACT_RANDOM,
    IMPACT_WALL,
    IMPACT_HERTZ,
    IMPACT_SLOPE,
    IMPACT_WALL_STIFFNESS,
    IMPACT_WALL_RESTITUTION,
    IMPACT_SYSTEM,
    IMPACT_SET,
    IMPACT_VARIANT,
    IMPACT_GAP_TOLERANCE,
    IMPACT_VELOCITY,
    IMPACT_RESTITUTION,
    IMPACT_STIFFNESS,
    IMPACT_EXPONENT,
    IMPACT_LAW,
    IMPACT_ORDER,
    IMPACT_SEED,
    IMPACT_SWEEP_ONCE,
    IMPACT_MAX_COLLISIONS,
    IMPACT_TOLERANCE,
    IMPACT_ENERGY_TOLERANCE,
    IMPACT_METHOD,
    IMPACT_DT,
    IMPACT_START,
    IMPACT_MAX_STEPS,
    IMPACT_SEPARATING_RULE,
    IMPACT_ALLOW_GAIN,
    IMPACT_OPTION,
    IMPACT_AUDIT,
    IMPACT_SAMPLES,
    IMPACT_APPROACHING,
    IMPACT_PLOT,
    IMPACT_HISTORY,
    IMPACT_PLOT_HISTORY,
    IMPACT_MAP,
    IMPACT_JSON,
    IMPACT_QUIET,
    IMPACT_REPORT,
    IMPACT_OPTION_COUNT,
};

/* The command line as given. */
typedef struct impact_given {
    arguments arguments;
} impact_given;

static inline bool impact_has(const impact_given *given, int option)
{
    return has_option(&given->arguments, option);
}

static inline const char *impact_value(const impact_given *given, int option)
{
    return value_of(&given->arguments, option);
}

/* Numbers between commas. */
typedef struct number_list {
    int count;
    double *value;
} number_list;
/* False after a message when a word is not a number; no value leaves the list empty. */
bool read_number_list(impact_given *given, int option, number_list *list);
/* A whole number from 1 on; *value is left alone when the option is not given. */
bool read_whole_number(const impact_given *given, int option, long *value);
/* A finite number above 0; likewise. */
bool read_positive_number(const impact_given *given, int option, double *value);
/* What a list of the command line must be. */
typedef struct list_shape {
    int count;
    const char *why;  /* "one per contact" */
    bool one_for_all; /* a single number stands for all */
} list_shape;
/* Reads an option into `value`; nothing happens when it is not given. "--restitution: expected 1 or 4 values,
 * one per contact; got 3". False after a message, or with an error. */
bool read_shaped_list(impact_given *given, int option, list_shape shape, double *value, carom_error *error);

/* A system at the instant of an impact. */
typedef struct impact_case {
    carom_arena *arena;
    char *title;             /* "3 balls in a row" */
    const char *item;        /* what coordinates are: "ball" or "coordinate" */
    carom_chain *chain;      /* owned; NULL: not a chain */
    carom_impact_file *file; /* owned; NULL: not from a file */
    carom_impact impact;
    char **coordinate, **contact; /* names; NULL: numbers */
    char **joint;                 /* names */
    double *gamma;                /* W^T v- + rate */
} impact_case;

/* BAD_INPUT (or false after a message) says what is wrong. The caller frees the case in every case. */
bool make_impact_chain(impact_given *given, impact_case *made, carom_error *error);
bool make_impact_system(impact_given *given, impact_case *made, carom_error *error);
bool make_impact_model(impact_given *given, impact_case *made, carom_error *error);
/* What every kind of system takes from the command line: velocity, restitution, stiffness, exponent. */
bool override_impact(impact_given *given, impact_case *made, carom_error *error);
void free_impact_case(impact_case *made);
/* gamma = W^T v + rate */
void contact_velocities(const carom_impact *impact, const double *velocity, double *gamma);
/* "3", or the name. */
const char *impact_label(char *const *names, int index, char *text, size_t size);

typedef struct chosen_laws {
    int count;
    bool all; /* "all": laws that refuse the data are passed over */
    const carom_impact_law_ops **law;
    carom_impact_options *options; /* per law */
    int given_count;               /* options of laws on the command line */
    carom_option *given;
} chosen_laws;
bool read_laws(impact_given *given, chosen_laws *laws);
/* Without --law it is Moreau's, and Newton's where restitutions differ, which is the same but for that. */
bool choose_default_law(const impact_given *given, const carom_impact *impact, chosen_laws *laws,
                        carom_error *error);
/* Does it compute a course of the impact; a number of collisions? */
static inline bool law_has_course(const carom_impact_law_ops *law)
{
    return (law->tells & CAROM_IMPACT_TELLS_COURSE) != 0;
}
static inline bool law_has_collisions(const carom_impact_law_ops *law)
{
    return (law->tells & CAROM_IMPACT_TELLS_COLLISIONS) != 0;
}

/* What one law makes of the system. */
typedef struct impact_outcome {
    const carom_impact_law_ops *law;
    carom_status status; /* not OK: message */
    char *message;
    carom_impact_result result;
    double *gamma; /* after */
    double seconds;
    double energy_ratio; /* NAN: no energy before */
    double momentum_residual;
    double dispersion_before, dispersion; /* NAN: M is not diagonal, or no energy */
    double gap;                           /* to lzb; NAN: not computed */
    int good;                             /* -1: not computed */
} impact_outcome;

typedef struct impact_history impact_history;

typedef struct impact_output {
    const impact_case *system;
    const chosen_laws *laws;
    const impact_outcome *outcome; /* laws->count */
} impact_output;

/* Runs every law. A law that refuses the data keeps its message; other failures end it. */
carom_status compute_outcomes(const impact_case *made, const chosen_laws *laws, impact_history *history,
                              impact_outcome *outcome, carom_error *error);
carom_status compute_outcome(const impact_case *made, const carom_impact_law_ops *law,
                             const carom_impact_options *options, impact_outcome *outcome,
                             carom_error *error);

void print_impact_text(const impact_output *output);
void print_impact_json(const impact_output *output);
/* Notes and failures of one outcome, to stderr. */
void print_impact_warnings(const impact_output *output, const impact_outcome *outcome);

/* ---- course of an impact ---------------------------------------------------------------------------- */

enum {
    HISTORY_CONTACTS = 20, /* energies and forces of the first ones are kept */
};

/* Rows t, E_1 .., force_1 .., v_1 ..; every other one is dropped whenever the limit is reached. */
struct impact_history {
    int contacts, coordinates; /* kept */
    size_t width, count, limit, stride, seen;
    double *rows;
    double *last; /* the latest row, kept or not */
};
bool start_impact_history(carom_arena *arena, const carom_impact *impact, impact_history *history);
carom_impact_observer observe_impact;
carom_status write_impact_history(const char *path, const impact_case *made, const impact_history *history,
                                  carom_error *error);

/* ---- audit -------------------------------------------------------------------------------------------- */

typedef struct audit_sample {
    bool given; /* false: there is no such contact velocity */
    double *velocity;
    double *before, *after; /* contact velocities */
} audit_sample;

typedef struct law_audit {
    const carom_impact_law_ops *law;
    carom_audit *audit;
    audit_sample example[CAROM_AUDIT_PROPERTIES][2];
} law_audit;

bool read_audit_options(const impact_given *given, carom_audit_options *options);
carom_status audit_law(const impact_case *made, const carom_impact_law_ops *law,
                       const carom_impact_options *options, const carom_audit_options *audit_options,
                       const carom_progress *progress, law_audit *result, carom_error *error);
void print_audit_text(const impact_given *given, const impact_case *made, const carom_audit_options *options,
                      const law_audit *result);
void print_audits_json(const impact_given *given, const impact_case *made, const carom_audit_options *options,
                       int count, const law_audit *result);

/* ---- pictures ----------------------------------------------------------------------------------------- */

carom_status draw_impact(const impact_output *output, const picture_place *place, carom_error *error);
carom_status draw_impact_history(const impact_case *made, const impact_history *history,
                                 const picture_place *place, carom_error *error);
/* The (e1, e2) square of a system with two contacts. */
carom_status draw_impact_map(const impact_case *made, const picture_place *place, carom_error *error);

#endif
