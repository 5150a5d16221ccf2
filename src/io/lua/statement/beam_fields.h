/* Fields of the tables that describe beams and their sections; errors begin with "beam:". */
#ifndef CAROM_IO_LUA_STATEMENT_BEAM_FIELDS_H
#define CAROM_IO_LUA_STATEMENT_BEAM_FIELDS_H

#include "io/lua/loader.h"

/* The place x along a beam. */
carom_node beam_place_leaf(loader *load);

/* One of a few words; the first one when the field is absent. */
int beam_field_word(lua_State *L, int index, const char *key, const char *const *words);

/* Raises an error unless the expression depends on parameters and what is allowed, which `on` names. */
void beam_check_depends(lua_State *L, carom_node node, unsigned allowed, const char *key, const char *on);

/* A number, an expression, or a function of x (and of t): called with symbols. CAROM_NO_NODE: absent. */
carom_node beam_field_function(lua_State *L, int index, const char *key, bool of_time);

/* An expression of parameters. CAROM_NO_NODE: absent. */
carom_node beam_field_parameter(lua_State *L, int index, const char *key);

/* Raises an error when the field was absent. */
void beam_need_node(lua_State *L, carom_node node, const char *statement, const char *key);

#endif
