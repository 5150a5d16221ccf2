/* The plots of an experiment as numbers: which points of a run every layer shows, and what the axes span. Nothing is drawn here:
 * pictures, pages and programs of others (a few lines of matplotlib) draw these. Part of room run.
 *
 *   carom_curve_source source = {.experiment = experiment, .values = result.values, .results = result.results,
 *                                .series = &series, .points = &result.points};
 *   carom_figure *figure = NULL;
 *   status = carom_figure_create(&source, 0, &figure, &error);               plot 0 of experiment->plot_count
 *   figure->panel[i].curve[k]: count, x, y, label, style, ...
 *   carom_figure_free(figure);
 *
 * `series` is the series of a recorder of the run (carom_series_recorder), and the request asked for event_points: without
 * them lines have no jumps at impacts, and nothing is marked. */
#ifndef CAROM_RUN_CURVES_H
#define CAROM_RUN_CURVES_H

#include "carom/run.h"

/* ---- what is shown ----------------------------------------------------------------------------------- */

/* Members of the family, run beside the main run; zeroed: none. */
typedef struct carom_curve_family {
    int count;
    const carom_series *series;       /* count of them, as are the others */
    const carom_event_points *points; /* NULL: not known */
    const char *const *label;         /* NULL: what the family varies, carom_family_label */
} carom_curve_family;

typedef struct carom_curve_source {
    const carom_experiment *experiment;
    const double *parameter;            /* of the main run; NULL: the experiment's current values */
    const double *values;               /* result.values; NULL: found from the parameters */
    const carom_study_results *results; /* result.results; NULL: what the experiment keeps */
    const carom_series *series;         /* of the main run; NULL: only what needs no run is shown */
    const carom_event_points *points;   /* its events; NULL: not known */
    carom_curve_family family;
} carom_curve_source;

/* What a member of the family varies, for people: "av = -0.02", "elast". The text is the arena's; NULL: memory is short. */
char *carom_family_label(carom_arena *arena, const carom_experiment *experiment, int member);

/* The experiment's values with these parameters (NULL: its current ones), which the caller frees; NULL: memory is short. */
double *carom_experiment_values(const carom_experiment *experiment, const double *parameter);

/* ---- figures ----------------------------------------------------------------------------------------- */

typedef struct carom_range {
    double low, high;
} carom_range;

enum {
    CAROM_PALETTE_SIZE = 8 /* colours that curves of a panel take in turn */
};

typedef enum carom_tint {
    CAROM_TINT_PALETTE, /* colour `tint_number` of the palette, from 0 */
    CAROM_TINT_SEQUENCE, /* of a family that is larger than the palette: member `tint_number`, light to dark or so */
    CAROM_TINT_MAIN,    /* the main run beside its family: black */
    CAROM_TINT_OUTLINE, /* walls and other fixed lines: grey */
} carom_tint;

/* A layer of a panel, of one run; or the events of one kind that are marked on it. */
typedef struct carom_curve {
    const carom_layer *layer; /* of the experiment */
    int member;               /* of the family; -1: the main run, or an outline */
    int mark;                 /* carom_event_kind of the marks; -1: it is the layer itself */
    const char *label;        /* for the legend; NULL: not there */
    /* How it is drawn: "line", "dashed", "dotted"; "linepoints"; points as "points", "cross", "plus", "circle", "dot";
     * "segments". Of marks the word of the event: "impact", "release", "stick", "slip", ... */
    const char *style;
    carom_tint tint;
    int tint_number;
    size_t count;
    double *x, *y;   /* x NAN: the line is interrupted here, the point is none */
    double *t;       /* when; 0 for what belongs to no time, such as outlines */
    double *x2, *y2; /* segments: to where; else NULL */
    double *rgb;     /* scenes: colour of the point, red 65536 + green 256 + blue; else NULL */
    bool thinned;    /* a line of very many points: ends, extremes and breaks of its pieces are there */
} carom_curve;

typedef struct carom_figure_panel {
    const carom_panel *panel; /* of the experiment: title, labels, equal units, logarithmic axes */
    carom_range x, y;         /* of the axes */
    /* Profiles of more than one time have their colours from it; low < high then. */
    carom_range time;
    int curve_count;
    carom_curve
        *curve; /* those that have points, in the order in which they are drawn; marks follow their curve */
} carom_figure_panel;

typedef struct carom_figure {
    carom_arena *arena;     /* owns all but what is the experiment's */
    const carom_plot *plot; /* of the experiment: name, title */
    int rows, columns;      /* of panels, row by row */
    int panel_count;
    carom_figure_panel *panel;
} carom_figure;

/* Plot 0, 1, ... of the experiment, which must outlive the figure. BAD_INPUT: there is no such plot; the series has other columns
 * than the experiment; a time of the plot is not positive. *figure is NULL then. */
carom_status carom_figure_create(const carom_curve_source *source, int plot, carom_figure **figure,
                                 carom_error *error);
/* NULL is fine. */
void carom_figure_free(carom_figure *figure);

#endif
