/* Shapes from files beside the model file. */
#ifndef CAROM_IO_LUA_BODIES_SHAPE_FILES_H
#define CAROM_IO_LUA_BODIES_SHAPE_FILES_H

#include "carom/io.h"
#include "io/lua/loader_bodies.h"

/* In memory of the loader. */
typedef struct shape_file {
    size_t points, triangles;
    const double *point; /* 3 each, times the scale */
    const int *corner;
    const char *text; /* what is kept of it */
} shape_file;

/* The file that the table at 1 names, { file = "x.obj", scale = 1 }; raises an error of Lua with file and line when it is not
 * there or no OBJ or STL. A file of points without faces is fine with `points_only`. */
shape_file loader_shape_file(lua_State *L, const char *statement, bool points_only);

#endif
