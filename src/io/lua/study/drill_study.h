/* Drill strings in model files: what drill_run and the functions of analysis share. */
#ifndef CAROM_IO_LUA_STUDY_DRILL_STUDY_H
#define CAROM_IO_LUA_STUDY_DRILL_STUDY_H

#include "carom/subject/drilling.h"
#include "io/lua/loader.h"

enum {
    DRILL_DISCS_MOST = 200,
    DRILL_LOOP_MOST = 120 /* states of a loop whose analysis takes seconds at most */
};

/* Keys that loader_drill_data reads. */
#define DRILL_KEYS                                                                                           \
    "string", "controller", "controller_file", "J1", "Ts", "Td", "Nd", "ct", "kt", "rq", "noise",            \
        "design_rpm", "design_slope", "top_noise", "weights", "k", "d", "level"

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

/* What a function needs of a string of the user's own. */
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
    const char *path;      /* of DRILL_FILE */
    int states;            /* of DRILL_MATRICES */
    double *A, *B, *C, *D; /* likewise */
    bool plant;            /* controllers are designed for it */
    double J1, Ts, Td, Nd; /* NAN: as in the string */
    double ct, kt;
    double rq, next_rq, top_noise, noise[2], design_rpm, design_slope;
    carom_drill_weights weights;
    double k, d, level;
} drill_data;

/* Memory that no Lua error may jump over. */
typedef struct drill_objects {
    carom_drill_string *string;
    carom_drill_plant *nominal; /* that controllers are designed for; NULL: none is designed */
    carom_drill_controller *controller, *next;
    double *gain, *observer; /* of LQG, when not NULL */
} drill_objects;

/* `needs`: DRILL_NEEDS_... */
drill_data loader_drill_data(lua_State *L, const char *who, int needs);
/* A number that the published strings have: `setup` for that one, `rig` for the two at full scale. A string
 * of the user's own has none: an error unless it is not needed, then NAN. */
double loader_drill_number(lua_State *L, const char *who, const char *key, drill_string_kind string,
                           bool needed, double setup, double rig);
carom_status loader_drill_open(const drill_data *data, drill_objects *objects, carom_error *error);
void loader_drill_close(drill_objects *objects);

/* The key `string` (lua_drill_string.c). */
void loader_drill_string(lua_State *L, const char *who, bool friction, drill_data *data);
carom_status loader_drill_own(const drill_own *own, carom_drill_string **string, carom_error *error);
carom_drill_elements loader_drill_own_elements(const drill_own *own);

/* The keys `controller` and `controller_file` (lua_drill_controller.c). */
void loader_drill_controller(lua_State *L, const char *who, drill_data *data);
carom_status loader_drill_given(const drill_data *data, carom_drill_controller **controller,
                                carom_error *error);
/* Field `controller` = { A =, B =, C =, D =, states = } of the table on top; matrices row by row, e.g. of
 * loader_take. */
void loader_drill_push_controller(lua_State *L, int states, const double *A, const double *B, const double *C,
                                  const double *D);

void loader_open_drill_analysis(lua_State *L); /* lua_drill_analysis.c */

#endif
