/* Drill strings in model files: what drill_run and the functions of analysis share. */
#ifndef CAROM_IO_LUA_DRILL_H
#define CAROM_IO_LUA_DRILL_H

#include "carom/drill.h"
#include "lua_loader.h"

enum {
    DRILL_DISCS_MOST = 200
};

/* Keys that loader_drill_data reads. */
#define DRILL_KEYS                                                                                           \
    "string", "controller", "J1", "Ts", "Td", "Nd", "ct", "kt", "rq", "design_rpm", "design_slope",          \
        "top_noise", "weights", "k", "d", "level"

typedef enum drill_string_kind {
    DRILL_SETUP,
    DRILL_RIG,
    DRILL_ELEMENTS
} drill_string_kind;

typedef enum drill_controller_kind {
    DRILL_SOFT_TORQUE,
    DRILL_LQG,
    DRILL_HINF,
    DRILL_NONE
} drill_controller_kind;

typedef struct drill_data {
    drill_string_kind string;
    drill_controller_kind controller;
    double J1, Ts, Td, Nd; /* NAN: as published */
    double ct, kt;
    double rq, next_rq, top_noise, design_rpm, design_slope;
    carom_drill_weights weights;
    double k, d, level;
} drill_data;

/* Memory that no Lua error may jump over. */
typedef struct drill_objects {
    carom_drill_string *string;
    carom_drill_plant *nominal; /* that controllers are designed for */
    carom_drill_controller *controller, *next;
    double *gain, *observer; /* of LQG, when not NULL */
} drill_objects;

drill_data loader_drill_data(lua_State *L, const char *who);
carom_status loader_drill_open(const drill_data *data, drill_objects *objects, carom_error *error);
void loader_drill_close(drill_objects *objects);
void loader_open_drill_analysis(lua_State *L); /* lua_drill_analysis.c */

#endif
