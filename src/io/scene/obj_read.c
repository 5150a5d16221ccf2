/* Wavefront OBJ: points (`v x y z`) and faces (`f 1 2 3`, `f 1/2/3 ...`, numbers from 1, or from the end when negative). */
#include "io/parts/text_file.h"
#include "triangle_list.h"

#include <stdlib.h>

static carom_status fail_at(const triangle_list *list, const text_lines *lines, const char *what)
{
    return carom_fail(list->error, CAROM_BAD_INPUT, "%s:%zu: %s", list->path, lines->number, what);
}

static carom_status read_point(triangle_list *list, text_lines *lines)
{
    double x[3];
    for (int k = 0; k < 3; k++)
        if (!text_lines_number(lines, &x[k]))
            return fail_at(list, lines, "a point is v and three numbers");
    return triangle_list_point(list, x, "line", lines->number);
}

/* A corner: the number before the first slash. */
static bool read_corner(text_lines *lines, long points, int *corner)
{
    bool negative = false, digits = false;
    long number = 0;
    const char *at = lines->at;
    if (at < lines->end && (*at == '-' || *at == '+'))
        negative = *at++ == '-';
    for (; at < lines->end && *at >= '0' && *at <= '9'; at++) {
        digits = true;
        number = number < 100000000 ? 10 * number + (*at - '0') : number;
    }
    if (!digits || (at < lines->end && *at != '/' && *at != ' ' && *at != '\t' && *at != '\r'))
        return false;
    while (at < lines->end && *at != ' ' && *at != '\t' && *at != '\r')
        at++;
    lines->at = at;
    const long place = negative ? points - number : number - 1;
    if (number == 0 || place < 0 || place >= points)
        return false;
    *corner = (int)place;
    return true;
}

static carom_status read_face(triangle_list *list, text_lines *lines)
{
    int first = 0, before = 0, corners = 0;
    while (!text_lines_done(lines)) {
        int corner = 0;
        if (!read_corner(lines, (long)list->made->points, &corner))
            return fail_at(list, lines,
                           "a corner of a face is the number of a point that stands before it, from 1, or "
                           "counted back from -1");
        if (++corners >= 3) {
            const carom_status status = triangle_list_triangle(list, first, before, corner);
            if (status != CAROM_OK)
                return status;
        }
        first = corners == 1 ? corner : first;
        before = corner;
    }
    return corners >= 3 ? CAROM_OK : fail_at(list, lines, "a face has three corners or more");
}

static carom_status read_lines(triangle_list *list, text_lines *lines, bool points_only)
{
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && text_lines_next(lines)) {
        if (text_lines_word(lines, "v"))
            status = read_point(list, lines);
        else if (text_lines_word(lines, "f"))
            status = read_face(list, lines);
    }
    if (status == CAROM_OK && list->made->triangles == 0 && !(points_only && list->made->points > 0))
        return carom_fail(list->error, CAROM_BAD_INPUT,
                          "%s: no %s; an OBJ file has lines v x y z and f 1 2 3", list->path,
                          points_only ? "points" : "faces");
    return status;
}

carom_status obj_parse(const char *name, const unsigned char *bytes, size_t length, bool points_only,
                       carom_triangles **triangles, carom_error *error)
{
    triangle_list list;
    const carom_status status = triangle_list_begin(&list, name, error);
    if (status != CAROM_OK)
        return status;
    text_lines lines = {.next = (const char *)bytes, .last = (const char *)bytes + length};
    return triangle_list_end(&list, read_lines(&list, &lines, points_only), triangles);
}

carom_status carom_read_obj(const char *path, bool points_only, carom_triangles **triangles,
                            carom_error *error)
{
    *triangles = NULL;
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    const unsigned char *bytes = NULL;
    size_t length = 0;
    carom_status status = file_bytes_read(arena, "OBJ file", path, 256, &bytes, &length, error);
    if (status == CAROM_OK)
        status = obj_parse(path, bytes, length, points_only, triangles, error);
    carom_arena_free(arena);
    return status;
}

void carom_triangles_write(const carom_triangles *triangles, carom_text *text)
{
    for (size_t i = 0; i < triangles->points; i++)
        carom_text_append(text, "v %.17g %.17g %.17g\n", triangles->point[3 * i], triangles->point[3 * i + 1],
                          triangles->point[3 * i + 2]);
    for (size_t i = 0; i < triangles->triangles; i++)
        carom_text_append(text, "f %d %d %d\n", triangles->corner[3 * i] + 1,
                          triangles->corner[3 * i + 1] + 1, triangles->corner[3 * i + 2] + 1);
}
