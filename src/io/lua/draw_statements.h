/* What is drawn and is called like a shape of bodies: the statements of both ask here. */
#ifndef CAROM_IO_LUA_DRAW_STATEMENTS_H
#define CAROM_IO_LUA_DRAW_STATEMENTS_H

#include "loader.h"

/* disc(x, y, r), disc(x, y, r, angle), disc({ x, y, z }, r). */
int draw_disc(lua_State *L);
/* polygon { { x, y }, ... }. */
int draw_polygon(lua_State *L);
/* Is a number of a list of points an expression? */
bool draw_is_symbolic(lua_State *L, int index);

#endif
