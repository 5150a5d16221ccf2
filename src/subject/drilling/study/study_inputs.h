/* Inputs that studies of drill strings share: the string, its controller, and what controllers are designed for. */
#ifndef CAROM_SUBJECT_DRILLING_STUDY_STUDY_INPUTS_H
#define CAROM_SUBJECT_DRILLING_STUDY_STUDY_INPUTS_H

#include <math.h>

#include "carom/run/study.h"
#include "carom/subject/drilling.h"

enum {
    DRILL_DISCS_MOST = 200,
    DRILL_LOOP_MOST = 120 /* states of a loop whose analysis takes seconds at most */
};

/* clang-format off */
#define DRILL_STRING_INPUT                                                                                            \
    {"string", CAROM_STUDY_WORD_OR_TABLE, NULL,                                                                       \
     "\"setup\" (four discs), \"rig\" (the same at full scale), \"elements\" (17 of them), or a string of your own: " \
     "{ J =, k =, d =, joins =, Tw =, Ts =, Td =, Nd = } or { sections =, G =, rho =, top =, ck =, Tw =, Ts =, ... }",  \
     .value = NAN, .choices = drill_strings},                                                                         \
    {"J1", CAROM_STUDY_NUMBER, "kg m^2", "inertia of the bit", .value = NAN, .usual = "as in the string"}
#define DRILL_INPUTS                                                                                                  \
    DRILL_STRING_INPUT,                                                                                               \
    {"controller", CAROM_STUDY_WORD_OR_TABLE, NULL,                                                                   \
     "of the top drive: \"softtorque\", \"lqg\", \"hinf\", \"none\", \"file\", or { A =, B =, C =, D = }",            \
     .value = NAN, .choices = drill_controllers},                                                                     \
    {"controller_file", CAROM_STUDY_FILE, NULL, "controller = \"file\": nc, ne, then A, B, C, D row by row",          \
     .usual = "none"},                                                                                                \
    {"Ts", CAROM_STUDY_NUMBER, "N m", "bit torque at the start of motion", .value = NAN,                              \
     .usual = "as in the string"},                                                                                    \
    {"Td", CAROM_STUDY_NUMBER, "N m", "bit torque at high speed", .value = NAN, .usual = "as in the string"},         \
    {"Nd", CAROM_STUDY_NUMBER, "rpm", "decay speed of the bit torque", .value = NAN, .usual = "as in the string"},    \
    {"ct", CAROM_STUDY_NUMBER, "N m s/rad", "softtorque: proportional", .value = NAN,                                 \
     .usual = "2.93 for the setup, 1829 at full scale"},                                                              \
    {"kt", CAROM_STUDY_NUMBER, "N m/rad", "softtorque: integral", .value = NAN,                                       \
     .usual = "1.87 for the setup, 1177 at full scale"},                                                              \
    {"rq", CAROM_STUDY_NUMBER, NULL, "lqg: weight of the bit's speed; 10 low gain, 100 high gain", .value = NAN,      \
     .usual = "10"},                                                                                                  \
    {"noise", CAROM_STUDY_LIST, NULL, "lqg: of the two measurements", .usual = "as carom_drill_lqg_defaults"},        \
    {"top_noise", CAROM_STUDY_NUMBER, NULL, "lqg: of the top drive", .value = 1.0},                                   \
    {"design_rpm", CAROM_STUDY_NUMBER, "rpm", "speed that lqg and hinf are designed at", .value = NAN,                \
     .usual = "5.5 for the setup, 55 at full scale, else rpm"},                                                       \
    {"design_slope", CAROM_STUDY_NUMBER, "N m s/rad", "instead: slope of the bit's law", .value = NAN,                \
     .usual = "that at design_rpm"},                                                                                  \
    {"weights", CAROM_STUDY_WORD, NULL, "hinf: gain", .choices = drill_weights},                                      \
    {"k", CAROM_STUDY_NUMBER, NULL, "hinf: skew of the bit's channel", .value = NAN, .usual = "0.13"},                \
    {"d", CAROM_STUDY_NUMBER, NULL, "hinf: its scale", .value = NAN, .usual = "0.158"},                               \
    {"level", CAROM_STUDY_NUMBER, NULL, "hinf: bound of the norm", .value = 1.0}
/* clang-format on */

extern const char *const drill_strings[], *const drill_controllers[], *const drill_weights[];

typedef enum drill_string_kind {
    DRILL_SETUP,
    DRILL_RIG,
    DRILL_ELEMENTS,
    DRILL_OWN
} drill_string_kind;

typedef enum drill_controller_kind {
    DRILL_SOFT_TORQUE,
    DRILL_LQG,
    DRILL_HINF,
    DRILL_NONE,
    DRILL_FILE,
    DRILL_MATRICES
} drill_controller_kind;

/* What a study needs of a string of the user's own. */
enum {
    DRILL_NEEDS_FRICTION = 1,
    DRILL_NEEDS_CONTROLLER = 2,
    DRILL_NEEDS_PLANT = 4 /* at the slope of the design */
};

typedef struct drill_own {
    int discs;
    double *J; /* NULL: elements */
    double *k, *d;
    int joins;
    double *join; /* joins x 4: discs from 1, stiffness, damping */
    int sections;
    carom_drill_section *section;
    double G, rho, top, ck;
    double *wall; /* discs, that of the bit 0 */
    double Ts, Td, Nd;
} drill_own;

typedef struct drill_data {
    drill_string_kind string;
    drill_own own;
    drill_controller_kind controller;
    const char *path, *text; /* of DRILL_FILE: where it is, and its content */
    int states;              /* of DRILL_MATRICES */
    double *A, *B, *C, *D;   /* likewise */
    bool plant;              /* controllers are designed for it */
    double J1, Ts, Td, Nd;   /* NAN: as in the string */
    double ct, kt;
    double rq, next_rq, top_noise, noise[2], design_rpm, design_slope;
    carom_drill_weights weights;
    double k, d, level;
} drill_data;

typedef struct drill_objects {
    carom_drill_string *string;
    carom_drill_plant *nominal; /* that controllers are designed for; NULL: none is designed */
    carom_drill_controller *controller, *next;
    double *gain, *observer; /* of LQG, when not NULL */
} drill_objects;

/* `needs`: DRILL_NEEDS_...; what is wrong fails in the call. */
drill_data drill_read(carom_study_call *call, int needs);
/* A number that the published strings have: `setup` for that one, `rig` for the two at full scale. A string of the
 * user's own has none: a failure unless it is not needed, then NAN. */
double drill_number(carom_study_call *call, const char *key, drill_string_kind string, bool needed,
                    double setup, double rig);
carom_status drill_open(const drill_data *data, drill_objects *objects, carom_error *error);
void drill_close(drill_objects *objects);
/* The loop of string and controller is small enough for its analysis. */
carom_status drill_check_loop(const drill_objects *objects, carom_error *error);

/* The input `string` (own_string.c). */
void drill_read_string(carom_study_call *call, bool friction, drill_data *data);
carom_status drill_make_own(const drill_own *own, carom_drill_string **string, carom_error *error);
carom_drill_elements drill_own_elements(const drill_own *own);

/* The inputs `controller` and `controller_file` (given_controller.c). */
void drill_read_controller(carom_study_call *call, drill_data *data);
carom_status drill_make_given(const drill_data *data, carom_drill_controller **controller,
                              carom_error *error);
/* Output `controller` = { A =, B =, C =, D =, states = }. */
void drill_give_controller(carom_study_call *call, const carom_drill_controller *controller);

#endif
