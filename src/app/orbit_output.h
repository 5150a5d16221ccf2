/* What `carom orbit`, `carom continue` and `carom modes` share: the model they look at, the impacts asked
 * for, the motion found, and how it is shown. */
#ifndef CAROM_APP_ORBIT_OUTPUT_H
#define CAROM_APP_ORBIT_OUTPUT_H

#include "command.h"

/* ---- options (orbit_options.c) ------------------------------------------------------------------------- */

/* The value of an option, NULL when it is not given. */
static inline const char *orbit_text(const argument_option *option)
{
    return option->count > 0 ? option->value[option->count - 1] : NULL;
}

/* Each prints a message and returns false on a mistake; what is not given stays as it is. */
bool orbit_read_positive(const command *self, const argument_option *option, double *value);
bool orbit_read_finite(const command *self, const argument_option *option, double *value);
bool orbit_read_whole(const command *self, const argument_option *option, int least, int most, int *value);
bool orbit_one_model(const command *self, const arguments *given);
bool orbit_read_positives(const command *self, arguments *given, const argument_option *option, int *count,
                          double **value);

/* ---- the model (orbit_subject.c) ----------------------------------------------------------------------- */

typedef struct orbit_subject {
    carom_arena *arena; /* owns what is not said otherwise */
    carom_experiment *experiment;
    const carom_model *model;
    carom_model_work *work;
    double t0, *q0, *v0; /* initial state */
    bool timed;          /* forces or gaps change with time */
    carom_contact_frame frame;
} orbit_subject;

/* Loads, binds, takes the initial state, and checks what no method treats: no contact, joints. */
carom_status orbit_subject_load(const char *name, const char *variant, int set_count,
                                const carom_override *set, orbit_subject *subject, carom_error *error);
void orbit_subject_free(orbit_subject *subject);

/* Impacts of one period, by time; the first is at phase 0. */
typedef struct orbit_impacts {
    int count;
    int *contact;
    double *phase; /* of the period, 0 <= phase < 1 */
    bool given;    /* phases: else equal parts of the period */
} orbit_impacts;

/* "wall", "wall,wall", "a@0,b@0.5". BAD_INPUT also for contacts with friction or without restitution, and for
 * those that lose energy in a model that nothing drives. */
carom_status orbit_impacts_read(const orbit_subject *subject, const char *text, orbit_impacts *impacts,
                                carom_error *error);

/* ---- linear systems (orbit_linear.c) ------------------------------------------------------------------- */

/* M y'' + K y = sum w_c lambda_c, gap_c = w_c . y + g_c, y = q - rest. */
typedef struct orbit_linear {
    bool exact;   /* the model is this; else it is so near its rest */
    bool regular; /* K is positive definite and all gaps are open at rest */
    double *mass, *stiffness, *rest, *normal, *gap;
} orbit_linear;

/* FAILED: a nonlinear model has no rest near its initial state. */
carom_status orbit_linear_take(const orbit_subject *subject, orbit_linear *linear, carom_error *error);
/* Why a model is not linear, in words; NULL when it is. */
const char *orbit_not_linear(const orbit_subject *subject);

/* ---- the motion ------------------------------------------------------------------------------------- */

typedef struct found_orbit {
    const char *method; /* "closed form", "flights", "pattern", "shooting" */
    char guess[200];    /* of shooting */
    bool found;         /* else there is no candidate, only a verdict */
    bool is_motion;
    char verdict[400];
    int impacts;
    int *contact;
    double *time, *flight, *impulse, *approach; /* per impact; the flight follows it */
    double *q, *v;                              /* right after the first impact */
    double t0, period, energy;
    double margin, margin_time; /* smallest gap between impacts, INFINITY: none is smallest inside a flight */
    int margin_contact;         /* -1: unknown */
    int multipliers;            /* 0: not known */
    double *real, *imaginary;
    double largest;
    bool stable;
    int solutions; /* found with these impacts; this is one of them */
    carom_shooting_kind kind;
    double residual;
    int iterations;
    int rows;       /* samples over the period, at each impact before and after */
    double *row;    /* t, q, v */
    double *middle; /* state q, v at half the first flight */
} found_orbit;

typedef struct orbit_request {
    orbit_impacts impacts;
    double period;
    int flights; /* guessed; 0: none */
    const double *flight;
    const char *guess; /* "linear", "run"; NULL: what works */
    double settle;     /* periods of the run before the guess is taken */
    int pick;          /* of several motions, from 1; 0: the first that is a motion */
} orbit_request;

/* The options that say which motion `orbit` finds and `continue` starts from: the first ones of both. */
enum {
    ORBIT_PERIOD,
    ORBIT_IMPACTS,
    ORBIT_FLIGHTS,
    ORBIT_GUESS,
    ORBIT_SETTLE,
    ORBIT_PICK,
    ORBIT_START_OPTIONS
};
#define ORBIT_START_TABLE                                                                                    \
    [ORBIT_PERIOD] = {"--period", true, false, 0, NULL},                                                     \
    [ORBIT_IMPACTS] = {"--impacts", true, false, 0, NULL},                                                   \
    [ORBIT_FLIGHTS] = {"--flights", true, false, 0, NULL},                                                   \
    [ORBIT_GUESS] = {"--guess", true, false, 0, NULL}, [ORBIT_SETTLE] = {"--settle", true, false, 0, NULL},  \
    [ORBIT_PICK] = {"--pick", true, false, 0, NULL}
/* Reads them but for the impacts, which need the model; false after a message. */
bool orbit_read_start(const command *self, arguments *given, const argument_option *option,
                      orbit_request *request);

/* OK also for what is not a motion. FAILED: nothing was found. */
carom_status orbit_find(const orbit_subject *subject, const orbit_request *request, found_orbit *found,
                        carom_error *error);
/* The parts of it. */
bool orbit_found_take(const orbit_subject *subject, int impacts, found_orbit *found);
bool orbit_is_pattern(const orbit_impacts *impacts);
carom_status orbit_find_pattern(const orbit_subject *subject, const orbit_linear *linear,
                                const orbit_request *request, found_orbit *found, carom_error *error);
carom_status orbit_find_flights(const orbit_subject *subject, const orbit_linear *linear,
                                const orbit_request *request, found_orbit *found, carom_error *error);
/* Candidates for the search by shooting: `linear` may be NULL. */
carom_status orbit_find_shooting(const orbit_subject *subject, const orbit_linear *linear,
                                 const orbit_request *request, found_orbit *found, carom_error *error);
carom_status orbit_shooting_problem(const orbit_subject *subject, const found_orbit *found, int frequency,
                                    carom_shooting **shooting, carom_error *error);

/* As carom_shooting_follow, in stages (orbit_stages.c). */
carom_status orbit_follow(carom_shooting *shooting, int parameter, carom_shot *shot,
                          const carom_branch_options *options, carom_branch *branch, carom_error *error);

/* Flights of the model from the state right after the first impact: samples, approach speeds, impulses. */
carom_status orbit_walk(const orbit_subject *subject, found_orbit *found, carom_error *error);
/* Memory for the samples of so many flights. */
enum {
    ORBIT_ROWS_PER_FLIGHT = 241
};
bool orbit_rows_take(const orbit_subject *subject, int flights, found_orbit *found);

/* ---- again in time (orbit_verify.c) ------------------------------------------------------------------ */

typedef struct orbit_verified {
    int periods, done;
    double *deviation; /* after each period: largest difference in q and v, against their sizes */
    bool leaves;
    double growth;     /* factor per period over the later half of the way until it leaves; NAN: too short */
    char stopped[300]; /* why the scheme stopped, "" when it did not */
} orbit_verified;

/* Follows the motion by the event-driven scheme, `offset` added to each coordinate at the start. */
carom_status orbit_verify(const orbit_subject *subject, const found_orbit *found, int periods, double offset,
                          orbit_verified *verified, carom_error *error);

/* ---- output ----------------------------------------------------------------------------------------- */

typedef struct orbit_output {
    const orbit_subject *subject;
    const found_orbit *found;
    const orbit_verified *verified; /* NULL: not asked for */
} orbit_output;

void print_orbit_text(const orbit_output *output);
void print_orbit_json(const orbit_output *output);
carom_status draw_orbit(const orbit_output *output, const picture_place *picture, carom_error *error);

typedef struct branch_output {
    const orbit_subject *subject;
    const found_orbit *start;
    const carom_branch *branch;
    const char *parameter; /* name, or "period" */
} branch_output;

void print_branch_text(const branch_output *output);
void print_branch_json(const branch_output *output);
carom_status write_branch_csv(const branch_output *output, const char *path, carom_error *error);
carom_status draw_branch(const branch_output *output, const picture_place *picture, carom_error *error);

/* ---- modes (orbit_modes.c) -------------------------------------------------------------------------- */

typedef struct mode_branch {
    int impacts;
    int count;
    carom_branch_point *point;
    carom_branch_end end[2];
    char text[2][300];
} mode_branch;

typedef struct mode_survey {
    carom_arena *arena;
    const carom_mode_basis *basis;
    double from, to; /* periods */
    int windows;
    carom_mode_window *window;
    int branches;
    mode_branch *branch;
    bool full; /* there may be more than were kept */
    carom_progress progress;
} mode_survey;

carom_status mode_survey_one(mode_survey *survey, carom_error *error);
/* Two impacts, or three symmetric in time. */
carom_status mode_survey_more(mode_survey *survey, int impacts, int points, carom_error *error);

void print_modes_text(const orbit_subject *subject, const mode_survey *survey);
void print_modes_json(const orbit_subject *subject, const mode_survey *survey);
carom_status draw_modes(const orbit_subject *subject, const mode_survey *survey, const picture_place *picture,
                        carom_error *error);

#endif
