/* What functions of the model language that solve contacts by their bipotential have in common. */
#ifndef CAROM_IO_LUA_STUDY_BIPOTENTIAL_STUDY_H
#define CAROM_IO_LUA_STUDY_BIPOTENTIAL_STUDY_H

#include "carom/contact/bipotential.h"
#include "io/lua/loader.h"

enum {
    BIPOTENTIAL_CONTACTS_MAX = 300
};

/* Keys that the functions below read. */
#define BIPOTENTIAL_KEYS                                                                                     \
    "W", "gap", "mu", "mu_x", "mu_y", "p_x", "p_y", "axes", "rho", "sweep", "tolerance", "iterations",       \
        "visits", "allow_penetration"

/* All but q. */
carom_elliptic_problem bipotential_read_problem(lua_State *L, const char *who, int contacts);
carom_uzawa_options bipotential_read_options(lua_State *L, const char *who);

#endif
