/* STL: triangles one by one, with their corners repeated; as text, or binary: 80 bytes of anything, a count, and 50 bytes
 * per triangle, little-endian. */
#include "io/parts/text_file.h"
#include "triangle_list.h"

#include <string.h>
#include <strings.h>

enum {
    STL_HEADER = 84,
    STL_TRIANGLE = 50
};

static uint32_t word_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_binary(const unsigned char *bytes, size_t length)
{
    return length >= STL_HEADER && (length - STL_HEADER) % STL_TRIANGLE == 0 &&
           word_at(bytes + 80) == (length - STL_HEADER) / STL_TRIANGLE;
}

static carom_status read_binary(triangle_list *list, const unsigned char *bytes, size_t length)
{
    const size_t triangles = (length - STL_HEADER) / STL_TRIANGLE;
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < triangles; i++) {
        for (size_t c = 0; status == CAROM_OK && c < 3; c++) {
            double x[3];
            for (size_t k = 0; k < 3; k++) {
                const uint32_t word = word_at(bytes + STL_HEADER + STL_TRIANGLE * i + 12 + 12 * c + 4 * k);
                float value;
                memcpy(&value, &word, sizeof value);
                x[k] = (double)value;
            }
            status = triangle_list_point(list, x, "triangle", i + 1);
        }
        const int last = (int)list->made->points;
        if (status == CAROM_OK)
            status = triangle_list_triangle(list, last - 3, last - 2, last - 1);
    }
    return status;
}

static carom_status read_vertex(triangle_list *list, text_lines *lines)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        if (!text_lines_number(lines, &x[k]))
            return carom_fail(list->error, CAROM_BAD_INPUT, "%s:%zu: a corner is vertex and three numbers",
                              list->path, lines->number);
    return triangle_list_point(list, x, "line", lines->number);
}

static carom_status read_text(triangle_list *list, text_lines *lines)
{
    size_t corners = 0;
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && text_lines_next(lines)) {
        if (text_lines_word(lines, "vertex")) {
            corners++;
            status = read_vertex(list, lines);
        } else if (text_lines_word(lines, "endloop")) {
            const int last = (int)list->made->points;
            if (corners != 3)
                return carom_fail(list->error, CAROM_BAD_INPUT, "%s:%zu: a triangle has 3 corners, not %zu",
                                  list->path, lines->number, corners);
            corners = 0;
            status = triangle_list_triangle(list, last - 3, last - 2, last - 1);
        } else if (!text_lines_done(lines) && !text_lines_word(lines, "solid") &&
                   !text_lines_word(lines, "facet") && !text_lines_word(lines, "outer") &&
                   !text_lines_word(lines, "endfacet") && !text_lines_word(lines, "endsolid")) {
            return carom_fail(
                list->error, CAROM_BAD_INPUT,
                "%s:%zu: not a line of an STL file (solid, facet, outer loop, vertex x y z, endloop, "
                "endfacet, endsolid)",
                list->path, lines->number);
        }
    }
    if (status == CAROM_OK && (corners != 0 || list->made->triangles == 0))
        return carom_fail(list->error, CAROM_BAD_INPUT, "%s: it ends %s", list->path,
                          corners ? "inside a triangle" : "without a triangle");
    return status;
}

static carom_status read_bytes(triangle_list *list, const unsigned char *bytes, size_t length)
{
    if (is_binary(bytes, length) && length > STL_HEADER)
        return read_binary(list, bytes, length);
    text_lines lines = {.next = (const char *)bytes, .last = (const char *)bytes + length};
    text_lines first = lines;
    if (text_lines_next(&first) && text_lines_word(&first, "solid"))
        return read_text(list, &lines);
    return carom_fail(list->error, CAROM_BAD_INPUT,
                      "%s: neither STL as text, which begins with 'solid', nor binary, whose length (%zu "
                      "bytes) is 84 and 50 "
                      "for each triangle that it counts",
                      list->path, length);
}

static carom_status stl_parse(const char *name, const unsigned char *bytes, size_t length,
                              carom_triangles **triangles, carom_error *error)
{
    triangle_list list;
    const carom_status status = triangle_list_begin(&list, name, error);
    if (status != CAROM_OK)
        return status;
    return triangle_list_end(&list, read_bytes(&list, bytes, length), triangles);
}

carom_status carom_read_stl(const char *path, carom_triangles **triangles, carom_error *error)
{
    *triangles = NULL;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    const unsigned char *bytes = NULL;
    size_t length = 0;
    carom_status status = file_bytes_read(arena, "STL file", path, 256, &bytes, &length, error);
    if (status == CAROM_OK)
        status = stl_parse(path, bytes, length, triangles, error);
    carom_arena_free(arena);
    return status;
}

static bool ends_with(const char *name, const char *ending)
{
    const char *found = strrchr(name, '.');
    return found && strcasecmp(found, ending) == 0;
}

static carom_status fail_ending(const char *name, carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT, "'%s': files of shapes end with .obj or .stl", name);
}

carom_status carom_read_triangles(const char *path, bool points_only, carom_triangles **triangles,
                                  carom_error *error)
{
    *triangles = NULL;
    if (ends_with(path, ".obj"))
        return carom_read_obj(path, points_only, triangles, error);
    return ends_with(path, ".stl") ? carom_read_stl(path, triangles, error) : fail_ending(path, error);
}

carom_status carom_parse_triangles(const char *name, const void *bytes, size_t length, bool points_only,
                                   carom_triangles **triangles, carom_error *error)
{
    *triangles = NULL;
    if (ends_with(name, ".obj"))
        return obj_parse(name, bytes, length, points_only, triangles, error);
    return ends_with(name, ".stl") ? stl_parse(name, bytes, length, triangles, error)
                                   : fail_ending(name, error);
}
