/* Report pages: what was found, as one HTML file that a browser shows with nothing beside it (docs/rooms/web.md has its form).
 * Part of room io. carom/io/report.h makes the pages of runs; this is for pages of anything else.
 *
 *   carom_page_open or _begin -> facts, tables, motion, figures, in any order -> carom_page_end, which writes the file
 *
 * Everything goes into one JSON object; numbers in bulk go into arrays beside it. Each list is begun once in a page:
 *
 *   carom_page_list_begin(page, "facts");    carom_page_facts ... carom_page_facts_end        carom_page_list_end(page);
 *   carom_page_list_begin(page, "tables");   carom_page_table ... rows ...                    carom_page_list_end(page);
 *   carom_page_list_begin(page, "figures");  carom_page_figure -> _panel -> _curves -> _curve ... _marks ... */
#ifndef CAROM_IO_PAGE_H
#define CAROM_IO_PAGE_H

#include "carom/io/payload.h"

typedef struct carom_page {
    carom_payload *payload;
    carom_text text;
    carom_json json;
    const char *title; /* the caller's */
    bool space;        /* shows a motion in space */
} carom_page;

/* Can pages be made? BAD_INPUT: this library was built without what a browser needs, and the error says what was missing. */
carom_status carom_page_can_be_made(carom_error *error);
/* The same for a page at a path: its name must end with .html, and it must be possible to write it. */
carom_status carom_page_check(const char *path, carom_error *error);

/* `kind` is one of those that the page knows: "run", "sweep", ... */
carom_status carom_page_open(carom_page *self, const char *kind, const char *title, carom_error *error);
/* A page about an experiment: its title (NULL: the experiment's), the words of the command that repeats it (as for
 * carom_page_command), its source, parameters and text. `parameter` are those of the run. */
carom_status carom_page_begin(carom_page *self, const char *kind, const char *title,
                              const carom_experiment *experiment, const double *parameter,
                              const char *const *command, carom_error *error);
/* Writes the page, whole or not at all, where `status`, of what was to be put on it, is OK; frees it, and returns how it went. A
 * page that was not opened is fine where `status` is not OK. */
carom_status carom_page_end(carom_page *self, carom_status status, const char *path, carom_error *error);
/* The same in memory: appends the page to a text. */
carom_status carom_page_end_text(carom_page *self, carom_status status, carom_text *page, carom_error *error);
/* Without a file; a zeroed one is fine. */
void carom_page_discard(carom_page *self);

/* The words of the command that repeats it, ending with NULL; NULL: there is none. */
void carom_page_command(carom_page *self, const char *const *command);
/* An array by key. */
void carom_page_numbers(carom_page *self, const char *key, size_t count, const double *value);

/* Clock, coordinates and scene from the rows of a run. `parameter` and `values` are those of the run; `pushes`: where bodies
 * touched; NULL: not known. */
carom_status carom_page_motion(carom_page *self, const carom_experiment *experiment, const double *parameter,
                               const double *values, const carom_series *series,
                               const carom_push_series *pushes, carom_error *error);

void carom_page_list_begin(carom_page *self, const char *key);
void carom_page_list_end(carom_page *self);

/* ---- facts ------------------------------------------------------------------------------------------ */

void carom_page_facts(carom_page *self, const char *title);
void carom_page_fact_number(carom_page *self, const char *name, double value,
                            const char *note); /* note NULL: none */
void carom_page_fact_text(carom_page *self, const char *name, const char *value, const char *note);
void carom_page_facts_end(carom_page *self);

/* ---- tables ----------------------------------------------------------------------------------------- */

/* `runs`: row i belongs to run i of the page. */
void carom_page_table(carom_page *self, const char *title, int columns, const char *const *column, bool runs);
void carom_page_row(carom_page *self);
void carom_page_cell_number(carom_page *self, double value);
void carom_page_cell_text(carom_page *self, const char *value);
void carom_page_row_end(carom_page *self);
void carom_page_table_end(carom_page *self);

/* ---- figures ---------------------------------------------------------------------------------------- */

typedef struct carom_page_axis {
    const char *label; /* NULL: none */
    bool is_log;
    double low, high; /* NAN: from the data */
} carom_page_axis;

void carom_page_figure(carom_page *self, const char *name, const char *title, int columns);
void carom_page_figure_end(carom_page *self);

typedef struct carom_page_panel_look {
    const char *title; /* NULL: none */
    carom_page_axis x, y;
    bool equal;
} carom_page_panel_look;
/* A panel of curves: then carom_page_curves, each curve, carom_page_marks, each mark, carom_page_panel_end. */
void carom_page_panel(carom_page *self, const carom_page_panel_look *look);
void carom_page_curves(carom_page *self);
void carom_page_marks(carom_page *self); /* ends the curves */
void carom_page_panel_end(carom_page *self);

/* What is NULL is not there; colour < 0: by its place. */
typedef struct carom_page_curve_data {
    const char *label,
        *style; /* "line", "dashed", "dotted", "points", "cross", "plus", "circle", "outline" */
    int colour;
    size_t count;
    const double *x, *y, *t;
    const uint32_t *run; /* the run that a point belongs to */
} carom_page_curve_data;
void carom_page_curve(carom_page *self, const carom_page_curve_data *curve);

/* The unit circle, as an outline. */
void carom_page_circle(carom_page *self, const char *label);

typedef struct carom_page_mark_data {
    const char *kind, *label;
    size_t count;
    const double *x, *y;
    const char *const *name; /* of each; NULL: none */
} carom_page_mark_data;
void carom_page_mark(carom_page *self, const carom_page_mark_data *mark);

/* A heat map: z has nx x ny numbers, x fastest, NAN where there is none. */
typedef struct carom_page_heat_data {
    carom_page_panel_look look;
    const char *label;
    bool is_log;
    size_t nx, ny;
    const double *x, *y, *z;
    const uint32_t *run;
} carom_page_heat_data;
void carom_page_heat(carom_page *self, const carom_page_heat_data *heat);

#endif
