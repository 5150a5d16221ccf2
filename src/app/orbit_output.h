/* What `carom orbit`, `carom continue` and `carom modes` share: the options that say which motion is meant, and
 * how motions are shown. */
#ifndef CAROM_APP_ORBIT_OUTPUT_H
#define CAROM_APP_ORBIT_OUTPUT_H

#include "command.h"

/* ---- options (command/orbit_options.c) ----------------------------------------------------------------- */

/* One experiment or model file; false after a message. */
bool orbit_one_model(const command *self, const arguments *given);

/* The options that say which motion `orbit` finds and `continue` starts from: the first ones of both. */
enum {
    ORBIT_PERIOD,
    ORBIT_PERIODS,
    ORBIT_IMPACTS,
    ORBIT_FLIGHTS,
    ORBIT_GUESS,
    ORBIT_SETTLE,
    ORBIT_PICK,
    ORBIT_START_OPTIONS
};
#define ORBIT_START_TABLE                                                                                    \
    [ORBIT_PERIOD] = {"--period", true, false, 0, NULL},                                                     \
    [ORBIT_PERIODS] = {"--periods", true, false, 0, NULL},                                                   \
    [ORBIT_IMPACTS] = {"--impacts", true, false, 0, NULL},                                                   \
    [ORBIT_FLIGHTS] = {"--flights", true, false, 0, NULL},                                                   \
    [ORBIT_GUESS] = {"--guess", true, false, 0, NULL}, [ORBIT_SETTLE] = {"--settle", true, false, 0, NULL},  \
    [ORBIT_PICK] = {"--pick", true, false, 0, NULL}
/* Reads them but for the impacts, which need the model; false after a message. */
bool orbit_read_start(const command *self, arguments *given, carom_find_request *request);

/* ---- the model and its motion (command/orbit_start.c) -------------------------------------------------- */

/* An experiment and what is looked for in it. */
typedef struct orbit_subject {
    carom_experiment *experiment;
    carom_periodic_model *model;
} orbit_subject;

struct resumed_command;
carom_status orbit_subject_resume(const struct resumed_command *from, int set_count,
                                  const carom_override *set, orbit_subject *subject, carom_error *error);
carom_status orbit_subject_load(const char *name, const char *variant, int set_count,
                                const carom_override *set, orbit_subject *subject, carom_error *error);
void orbit_subject_free(orbit_subject *subject);

/* "wall", "wall,wall", "a@0,b@0.5", "none"; NULL: none where the model has no contact, an error otherwise. Memory from
 * the arena. */
carom_status orbit_read_impacts(const carom_periodic_model *model, carom_arena *arena, const char *text,
                                carom_impact_sequence *impacts, carom_error *error);
/* carom_find_orbit, with the names of the options in what it says of a mistake. */
carom_status orbit_find(const carom_periodic_model *model, const carom_find_request *request,
                        carom_found_orbit *found, carom_error *error);

/* Likewise carom_continue_start. */
carom_status orbit_continue_start(const carom_periodic_model *model, carom_find_request *start,
                                  const carom_continue_names *names, carom_continue_request *request,
                                  int *frequency, carom_found_orbit *found, carom_error *error);

/* ---- output -------------------------------------------------------------------------------------------- */

typedef struct orbit_output {
    const carom_periodic_model *model;
    const carom_found_orbit *found;
    const carom_orbit_return *verified; /* NULL: not asked for */
} orbit_output;

void print_orbit_text(const orbit_output *output);
/* Followed by the event-driven scheme the motion does not stay: then nothing is said to be verified. */
bool orbit_leaves(const orbit_output *output);
/* On stderr: why this is no motion, or not one that stays; nothing where all is well. */
void print_orbit_failure(const orbit_output *output);
void print_orbit_json(const orbit_output *output);
carom_status draw_orbit(const orbit_output *output, const picture_place *picture, carom_error *error);

/* A branch that begins at a special point of another one, or the locus of such a point. */
typedef struct further_branch {
    int from,
        point; /* of which branch it begins at which point; from -1: of the first one, else of further[from] */
    int times; /* its motions have the impacts of the start so many times over */
    bool locus;
    carom_branch branch;
} further_branch;

typedef struct branch_output {
    const carom_periodic_model *model;
    const carom_found_orbit *start;
    const carom_branch *branch;
    const carom_orbit_branch *patterns; /* NULL: it was followed by shooting */
    const char *parameter;              /* name, or "period" */
    int further;
    const further_branch *more;
    const char *second; /* of loci: the other parameter */
} branch_output;

/* The branch that another one begins at. */
static inline const carom_branch *branch_before(const branch_output *output, const further_branch *branch)
{
    return branch->from < 0 ? output->branch : &output->more[branch->from].branch;
}

void print_branch_text(const branch_output *output);
void print_branch_json(const branch_output *output);
carom_status write_branch_csv(const branch_output *output, const char *path, carom_error *error);
carom_status draw_branch(const branch_output *output, const picture_place *picture, carom_error *error);

void print_modes_text(const carom_periodic_model *model, const carom_mode_survey *survey);
void print_modes_json(const carom_periodic_model *model, const carom_mode_survey *survey);
carom_status draw_modes(const carom_periodic_model *model, const carom_mode_survey *survey,
                        const picture_place *picture, carom_error *error);

#endif
