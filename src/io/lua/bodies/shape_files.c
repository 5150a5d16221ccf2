/* Shapes from files beside the model file: OBJ and STL. Run files and journals carry what was read as text of an OBJ file,
 * under the name of the file with an ending of its own. */
#include <stdio.h>
#include <string.h>

#include "shape_files.h"

/* Of what is kept. */
static const char KEPT[] = " as.obj";

/* Copies what was read to memory of the loader and frees it: errors of Lua may come from then on. */
static shape_file take(lua_State *L, carom_triangles *read, double scale)
{
    carom_text text = {0};
    carom_triangles_write(read, &text);
    const size_t points = read->points, triangles = read->triangles;
    double *point = carom_arena_take(loader_of(L)->arena, 3 * points + 1, sizeof *point);
    int *corner = carom_arena_take(loader_of(L)->arena, 3 * triangles + 1, sizeof *corner);
    char *kept =
        text.failed || !text.bytes ? NULL : carom_arena_take(loader_of(L)->arena, text.length + 1, 1);
    if (point && corner && kept) {
        for (size_t i = 0; i < 3 * points; i++)
            point[i] = scale * read->point[i];
        if (triangles > 0)
            memcpy(corner, read->corner, 3 * triangles * sizeof *corner);
        memcpy(kept, text.bytes, text.length);
    }
    carom_text_free(&text);
    carom_triangles_free(read);
    if (!point || !corner || !kept)
        loader_no_memory(L);
    return (shape_file){
        .points = points, .triangles = triangles, .point = point, .corner = corner, .text = kept};
}

shape_file loader_shape_file(lua_State *L, const char *statement, bool points_only)
{
    const char *name = loader_field_text(L, 1, "file");
    char kept_name[600];
    carom_triangles *read = NULL;
    carom_error error = {0};
    size_t length = 0;
    double scale = 1.0;
    if (lua_getfield(L, 1, "scale") != LUA_TNIL)
        scale = loader_plain_number(L, lua_gettop(L), "scale");
    lua_pop(L, 1);
    if (!(scale > 0.0))
        loader_error(L, "%s: scale = %f; it must be positive", statement, scale);
    snprintf(kept_name, sizeof kept_name, "%.500s%s", name, KEPT);
    const char *bytes = loader_attached_data(L, kept_name);
    const bool attached = bytes != NULL;
    if (attached)
        length = strlen(bytes);
    else
        bytes = loader_data_bytes(L, name, &length);
    carom_status status =
        carom_parse_triangles(attached ? kept_name : name, bytes, length, points_only, &read, &error);
    if (status == CAROM_OK && !attached)
        status = carom_triangles_join(read, &error);
    if (status != CAROM_OK) {
        carom_triangles_free(read);
        if (status == CAROM_NO_MEMORY)
            loader_no_memory(L);
        loader_error(L, "%s: %s", statement, error.text);
    }
    const shape_file file = take(L, read, scale);
    if (!attached)
        loader_keep_data(L, kept_name, file.text);
    return file;
}
