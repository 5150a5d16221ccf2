/* Strings of the user's own:
 *
 *   string = { J = {}, k = {}, d =, joins = { {i, j, k, d}, ... }, Tw =, Ts =, Td =, Nd = }   discs, bit
 * first string = { sections = { {elements, length, Ip}, ... }, G =, rho =, top =, ck =, Tw =, Ts =, Td =, Nd
 * = } */
#include <math.h>
#include <stdio.h>

#include "drill_study.h"

/* Entries of the list of a field of the table at 1; -1: it is not there. */
static int list_length(lua_State *L, const char *who, const char *key)
{
    const int kind = lua_getfield(L, 1, key);
    if (kind != LUA_TNIL && kind != LUA_TTABLE)
        loader_error(L, "%s: %s must be a list { ... }; got a %s", who, key, luaL_typename(L, -1));
    const lua_Integer length = kind == LUA_TTABLE ? luaL_len(L, -1) : -1;
    lua_pop(L, 1);
    if (length > 10 * DRILL_DISCS_MOST)
        loader_error(L, "%s: %s has %d entries; wanted: %d at most", who, key, (int)length,
                     10 * DRILL_DISCS_MOST);
    return (int)length;
}

/* A list of rows of `least` to `most` numbers; what is missing is 0. */
static double *read_rows(lua_State *L, const char *who, const char *key, int rows, int least, int most,
                         const char *form)
{
    double *value = loader_take(L, (size_t)(rows * most), sizeof *value);
    lua_getfield(L, 1, key);
    for (int i = 0; i < rows; i++) {
        if (lua_geti(L, -1, i + 1) != LUA_TTABLE || luaL_len(L, -1) < least || luaL_len(L, -1) > most)
            loader_error(L, "%s: %s[%d] must be %s", who, key, i + 1, form);
        const int width = (int)luaL_len(L, -1);
        for (int j = 0; j < width; j++) {
            if (lua_geti(L, -1, j + 1) != LUA_TNUMBER)
                loader_error(L, "%s: %s[%d][%d] must be a plain number; got a %s", who, key, i + 1, j + 1,
                             luaL_typename(L, -1));
            value[i * most + j] = lua_tonumber(L, -1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return value;
}

static double need(lua_State *L, const char *who, const char *key, const char *meaning)
{
    const double value = loader_number(L, who, key, NAN);
    if (!isfinite(value))
        loader_error(L, "%s needs %s = a number: %s", who, key, meaning);
    return value;
}

static void read_friction(lua_State *L, const char *who, bool needed, drill_own *own)
{
    own->wall = loader_take(L, (size_t)own->discs, sizeof(double));
    const double *given = own->discs > 1 ? loader_numbers(L, who, "Tw", own->discs - 1) : NULL;
    if (needed && !given && own->discs > 1)
        loader_error(L, "%s needs Tw = the friction torque of discs 2 to %d, one number or a list; 0: none",
                     who, own->discs);
    for (int i = 1; i < own->discs; i++)
        own->wall[i] = given ? given[i - 1] : 0.0;
    own->Ts = needed ? need(L, who, "Ts", "torque of the bit at the start of motion") : 0.0;
    own->Td = needed ? need(L, who, "Td", "torque of the bit at high speed") : 0.0;
    own->Nd = needed ? need(L, who, "Nd", "decay speed of the torque of the bit, in rpm") : 1.0;
    if (!(own->Nd > 0.0))
        loader_error(L, "%s: Nd = %g, the decay speed of the bit's friction in rpm, must be positive", who,
                     own->Nd);
}

static void read_discs(lua_State *L, const char *who, drill_own *own)
{
    static const char *const keys[] = {"J", "k", "d", "joins", "Tw", "Ts", "Td", "Nd", NULL};
    loader_check_keys(L, 1, who, keys);
    own->discs = list_length(L, who, "J");
    if (own->discs < 1 || own->discs > DRILL_DISCS_MOST)
        loader_error(L, "%s needs J = { inertias, the bit first }, 1 to %d of them, or sections = { ... }",
                     who, DRILL_DISCS_MOST);
    own->J = loader_numbers(L, who, "J", own->discs);
    if (own->discs > 1) {
        own->k = loader_numbers(L, who, "k", own->discs - 1);
        own->d = loader_numbers(L, who, "d", own->discs - 1);
    }
    own->joins = list_length(L, who, "joins");
    if (!own->k && own->joins < 0 && own->discs > 1)
        loader_error(L, "%s needs k = the stiffnesses between neighbours, %d of them or one for all", who,
                     own->discs - 1);
    if (own->joins > 0)
        own->join = read_rows(L, who, "joins", own->joins, 3, 4,
                              "{ disc, disc, stiffness, damping }, discs from 1 (the bit)");
    for (int i = 0; i < own->joins; i++) {
        const double *join = own->join + (ptrdiff_t)4 * i;
        for (int e = 0; e < 2; e++)
            if (!(join[e] >= 1.0 && join[e] <= own->discs) || join[e] != floor(join[e]))
                loader_error(L, "%s: joins[%d] names disc %g; there are discs 1 to %d", who, i + 1, join[e],
                             own->discs);
        if (join[0] == join[1])
            loader_error(L, "%s: joins[%d] joins disc %g to itself", who, i + 1, join[0]);
    }
}

static void read_sections(lua_State *L, const char *who, drill_own *own)
{
    static const char *const keys[] = {"sections", "G", "rho", "top", "ck", "Tw", "Ts", "Td", "Nd", NULL};
    loader_check_keys(L, 1, who, keys);
    own->sections = list_length(L, who, "sections");
    if (own->sections < 1)
        loader_error(L, "%s: sections is empty; it takes { elements, length, Ip }, the bit's first", who);
    const double *row =
        read_rows(L, who, "sections", own->sections, 3, 3, "{ elements, length in m, Ip in m^4 }");
    own->section = loader_take(L, (size_t)own->sections, sizeof *own->section);
    own->discs = 1;
    for (int i = 0; i < own->sections; i++, row += 3) {
        if (!(row[0] >= 1.0 && row[0] <= DRILL_DISCS_MOST) || row[0] != floor(row[0]))
            loader_error(L, "%s: sections[%d] has %g elements; wanted: a whole number from 1 to %d", who,
                         i + 1, row[0], DRILL_DISCS_MOST - 1);
        own->section[i] = (carom_drill_section){(int)row[0], row[1], row[2]};
        own->discs += (int)row[0];
        if (own->discs > DRILL_DISCS_MOST)
            loader_error(L, "%s: the sections have more than %d elements together", who,
                         DRILL_DISCS_MOST - 1);
    }
    own->G = need(L, who, "G", "shear modulus, in Pa");
    own->rho = need(L, who, "rho", "density, in kg/m^3");
    own->top = need(L, who, "top", "inertia of the top drive, in kg m^2");
    own->ck = loader_number(L, who, "ck", 0.0);
}

void loader_drill_string(lua_State *L, const char *who, bool friction, drill_data *data)
{
    static const char *const strings[] = {"setup", "rig", "elements", NULL};
    if (lua_getfield(L, 1, "string") != LUA_TTABLE) {
        lua_pop(L, 1);
        data->string = (drill_string_kind)loader_word(L, who, "string", strings);
        return;
    }
    char where[64];
    snprintf(where, sizeof where, "%s: string", who);
    data->string = DRILL_OWN;
    lua_insert(L, 1); /* fields are read of the table at 1 */
    const bool elements = lua_getfield(L, 1, "sections") != LUA_TNIL;
    lua_pop(L, 1);
    if (elements)
        read_sections(L, where, &data->own);
    else
        read_discs(L, where, &data->own);
    read_friction(L, where, friction, &data->own);
    lua_remove(L, 1);
}

/* ---- from numbers to a string ----------------------------------------------------------------------- */

carom_drill_elements loader_drill_own_elements(const drill_own *own)
{
    return (carom_drill_elements){.sections = own->sections,
                                  .section = own->section,
                                  .shear_modulus = own->G,
                                  .density = own->rho,
                                  .top_inertia = own->top};
}

static carom_status join_discs(const drill_own *own, carom_drill_string **string, carom_error *error)
{
    const carom_status status = carom_drill_string_create(own->discs, string, error);
    if (status != CAROM_OK)
        return status;
    carom_drill_string *s = *string;
    for (int i = 0; i < own->discs; i++) {
        s->inertia[i] = own->J[i];
        s->wall[i] = own->wall[i];
    }
    for (int i = 0; i + 1 < own->discs; i++)
        carom_drill_join(s, i, i + 1, own->k ? own->k[i] : 0.0, own->d ? own->d[i] : 0.0);
    for (int i = 0; i < own->joins; i++) {
        const double *join = own->join + (ptrdiff_t)4 * i;
        carom_drill_join(s, (int)join[0] - 1, (int)join[1] - 1, join[2], join[3]);
    }
    s->bit = (carom_drill_law){own->Ts, own->Td, carom_drill_decay(own->Nd)};
    return CAROM_OK;
}

carom_status loader_drill_own(const drill_own *own, carom_drill_string **string, carom_error *error)
{
    const carom_drill_law bit = {own->Ts, own->Td, carom_drill_decay(own->Nd)};
    const carom_drill_elements elements = loader_drill_own_elements(own);
    const carom_status status =
        own->J ? join_discs(own, string, error)
               : carom_drill_elements_string(&elements, own->ck, own->wall, &bit, string, error);
    return status == CAROM_OK ? carom_drill_check(*string, error) : status;
}
