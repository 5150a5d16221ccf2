#include "triangle_list.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MOST = 1 << 23
};

carom_status triangle_list_begin(triangle_list *list, const char *path, carom_error *error)
{
    *list = (triangle_list){.path = path, .error = error};
    list->made = calloc(1, sizeof *list->made);
    return list->made ? CAROM_OK : carom_fail_memory(error);
}

/* Room for one more of `count`; NULL when there is none. */
static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    const size_t larger = *room ? 2 * *room : 64;
    void *moved = realloc(array, larger * size);
    if (moved)
        *room = larger;
    return moved;
}

carom_status triangle_list_point(triangle_list *list, const double x[3], const char *where, size_t line)
{
    carom_triangles *made = list->made;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        return carom_fail(list->error, CAROM_BAD_INPUT, "%s: %s %zu: a coordinate is not finite", list->path,
                          where, line);
    if (made->points == POINTS_MOST)
        return carom_fail(list->error, CAROM_BAD_INPUT, "%s: %s %zu: more than %d points", list->path, where,
                          line, POINTS_MOST);
    double *point = grown(made->point, made->points, &list->point_room, 3 * sizeof *point);
    if (!point)
        return carom_fail_memory(list->error);
    made->point = point;
    memcpy(point + 3 * made->points++, x, 3 * sizeof *x);
    return CAROM_OK;
}

carom_status triangle_list_triangle(triangle_list *list, int a, int b, int c)
{
    carom_triangles *made = list->made;
    if (made->triangles == POINTS_MOST)
        return carom_fail(list->error, CAROM_BAD_INPUT, "%s: more than %d triangles", list->path,
                          POINTS_MOST);
    int *corner = grown(made->corner, made->triangles, &list->triangle_room, 3 * sizeof *corner);
    if (!corner)
        return carom_fail_memory(list->error);
    made->corner = corner;
    const int own[3] = {a, b, c};
    memcpy(corner + 3 * made->triangles++, own, sizeof own);
    return CAROM_OK;
}

carom_status triangle_list_end(triangle_list *list, carom_status status, carom_triangles **triangles)
{
    *triangles = status == CAROM_OK ? list->made : NULL;
    if (status != CAROM_OK)
        carom_triangles_free(list->made);
    return status;
}

void carom_triangles_free(carom_triangles *triangles)
{
    if (!triangles)
        return;
    free(triangles->point);
    free(triangles->corner);
    free(triangles);
}

/* ---- points that stand for others -------------------------------------------------------------------------- */

typedef struct placed {
    double x[3];
    int place;
} placed;

static int compare_places(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    const int order = compare_places(a->x, b->x);
    return order != 0 ? order : (a->place > b->place) - (a->place < b->place);
}

carom_status carom_triangles_join(carom_triangles *triangles, carom_error *error)
{
    const size_t points = triangles->points;
    placed *list = carom_new_array(points, sizeof *list);
    int *number = carom_new_array(points, sizeof *number);
    if (!list || !number) {
        free(list);
        free(number);
        return carom_fail_memory(error);
    }
    for (size_t i = 0; i < points; i++) {
        memcpy(list[i].x, triangles->point + 3 * i, sizeof list[i].x);
        list[i].place = (int)i;
    }
    qsort(list, points, sizeof *list, compare_placed);
    for (size_t i = 0; i < points; i++) /* the first of its place stands for all */
        number[list[i].place] = i > 0 && compare_places(list[i].x, list[i - 1].x) == 0
                                    ? number[list[i - 1].place]
                                    : list[i].place;
    size_t count = 0;
    for (size_t i = 0; i < points; i++) {
        const bool own = number[i] == (int)i;
        if (own)
            memmove(triangles->point + 3 * count, triangles->point + 3 * i, 3 * sizeof(double));
        number[i] = own ? (int)count++ : number[number[i]];
    }
    for (size_t i = 0; i < 3 * triangles->triangles; i++)
        triangles->corner[i] = number[triangles->corner[i]];
    triangles->points = count;
    free(list);
    free(number);
    return CAROM_OK;
}

/* ---- lines ------------------------------------------------------------------------------------------------ */

bool text_lines_next(text_lines *lines)
{
    if (lines->next >= lines->last)
        return false;
    lines->at = lines->next;
    const char *end = memchr(lines->at, '\n', (size_t)(lines->last - lines->at));
    lines->end = end ? end : lines->last;
    lines->next = lines->end + 1;
    lines->number++;
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void skip_space(text_lines *lines)
{
    while (lines->at < lines->end && is_space(*lines->at))
        lines->at++;
}

bool text_lines_done(text_lines *lines)
{
    skip_space(lines);
    return lines->at == lines->end;
}

bool text_lines_word(text_lines *lines, const char *word)
{
    skip_space(lines);
    const size_t size = strlen(word);
    if ((size_t)(lines->end - lines->at) < size || memcmp(lines->at, word, size) != 0)
        return false;
    if (lines->at + size < lines->end && !is_space(lines->at[size]))
        return false;
    lines->at += size;
    return true;
}

bool text_lines_number(text_lines *lines, double *number)
{
    char word[64];
    size_t size = 0;
    skip_space(lines);
    while (lines->at < lines->end && !is_space(*lines->at) && size + 1 < sizeof word)
        word[size++] = *lines->at++;
    word[size] = '\0';
    if (size == 0 || (lines->at < lines->end && !is_space(*lines->at)))
        return false;
    return carom_parse_number(word, number);
}
