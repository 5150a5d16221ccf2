/* Statements of the model language that are written in it: the files of library/, put into the program when
 * it is built. */
#ifndef CAROM_IO_LUA_LIBRARY_H
#define CAROM_IO_LUA_LIBRARY_H

typedef struct lua_library_part {
    const char *name, *text;
} lua_library_part;

extern const lua_library_part lua_library[]; /* ends with a name of 0 */

#endif
