/* Triangles while a file is read, and the lines of its text. */
#ifndef CAROM_IO_SCENE_TRIANGLE_LIST_H
#define CAROM_IO_SCENE_TRIANGLE_LIST_H

#include "carom/io.h"

typedef struct triangle_list {
    const char *path;
    carom_triangles *made;
    size_t point_room, triangle_room;
    carom_error *error;
} triangle_list;

carom_status triangle_list_begin(triangle_list *list, const char *path, carom_error *error);
/* BAD_INPUT: a number that is not finite; `line` is for the message. */
carom_status triangle_list_point(triangle_list *list, const double x[3], const char *where, size_t line);
/* Corners are numbers of points that are there. */
carom_status triangle_list_triangle(triangle_list *list, int a, int b, int c);
/* Hands the triangles over when status is OK, else frees them. */
carom_status triangle_list_end(triangle_list *list, carom_status status, carom_triangles **triangles);

/* OBJ from memory. */
carom_status obj_parse(const char *name, const unsigned char *bytes, size_t length, bool points_only,
                       carom_triangles **triangles, carom_error *error);

/* One line of a text: from `at` to `end`, without its end. Moves on; false at the end of the text. */
typedef struct text_lines {
    const char *next, *last; /* of the text */
    const char *at, *end;    /* the line */
    size_t number;           /* from 1 */
} text_lines;
bool text_lines_next(text_lines *lines);
/* Moves over a word of the line: true when it is this one. */
bool text_lines_word(text_lines *lines, const char *word);
bool text_lines_number(text_lines *lines, double *number);
/* Nothing but white space is left. */
bool text_lines_done(text_lines *lines);

#endif
