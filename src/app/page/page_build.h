/* Parts of pages that are not those of a run: sections of facts, tables, figures. Each list is begun once in a page:
 *
 *   page_list_begin(page, "facts");    page_facts(page, title) ... page_facts_end(page);      page_list_end(page);
 *   page_list_begin(page, "tables");   page_table(page, title, n, column) ... rows ...        page_list_end(page);
 *   page_list_begin(page, "figures");  page_figure -> page_panel -> page_curves -> page_curve ... page_marks ... */
#ifndef CAROM_APP_PAGE_BUILD_H
#define CAROM_APP_PAGE_BUILD_H

#include "app/page.h"

void page_list_begin(page *self, const char *key);
void page_list_end(page *self);

/* ---- facts ------------------------------------------------------------------------------------------ */

void page_facts(page *self, const char *title);
void page_fact_number(page *self, const char *name, double value, const char *note); /* note NULL: none */
void page_fact_text(page *self, const char *name, const char *value, const char *note);
void page_facts_end(page *self);

/* ---- tables ----------------------------------------------------------------------------------------- */

/* `runs`: row i belongs to run i of the page. */
void page_table(page *self, const char *title, int columns, const char *const *column, bool runs);
void page_row(page *self);
void page_cell_number(page *self, double value);
void page_cell_text(page *self, const char *value);
void page_row_end(page *self);
void page_table_end(page *self);

/* ---- figures ---------------------------------------------------------------------------------------- */

typedef struct page_axis {
    const char *label; /* NULL: none */
    bool is_log;
    double low, high; /* NAN: from the data */
} page_axis;

void page_figure(page *self, const char *name, const char *title, int columns);
void page_figure_end(page *self);

typedef struct page_panel_look {
    const char *title; /* NULL: none */
    page_axis x, y;
    bool equal;
} page_panel_look;
/* A panel of curves: then page_curves, each curve, page_marks, each mark, page_panel_end. */
void page_panel(page *self, const page_panel_look *look);
void page_curves(page *self);
void page_marks(page *self); /* ends the curves */
void page_panel_end(page *self);

/* What is NULL is not there; colour < 0: by its place. */
typedef struct page_curve_data {
    const char *label,
        *style; /* "line", "dashed", "dotted", "points", "cross", "plus", "circle", "outline" */
    int colour;
    size_t count;
    const double *x, *y, *t;
    const uint32_t *run; /* the run that a point belongs to */
} page_curve_data;
void page_curve(page *self, const page_curve_data *curve);

/* The unit circle, as an outline. */
void page_circle(page *self, const char *label);

typedef struct page_mark_data {
    const char *kind, *label;
    size_t count;
    const double *x, *y;
    const char *const *name; /* of each; NULL: none */
} page_mark_data;
void page_mark(page *self, const page_mark_data *mark);

/* A heat map: z has nx x ny numbers, x fastest, NAN where there is none. */
typedef struct page_heat_data {
    page_panel_look look;
    const char *label;
    bool is_log;
    size_t nx, ny;
    const double *x, *y, *z;
    const uint32_t *run;
} page_heat_data;
void page_heat(page *self, const page_heat_data *heat);

#endif
