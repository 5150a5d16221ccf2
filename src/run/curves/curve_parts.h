/* How the curves of a figure are made:
 *
 *   rows of a series --layer_rows.c--> curves --figure.c--> labels, tints, styles; arrays
 *                           |                 --ranges.c--> ranges of the axes
 *    structure_rows.c: those of structures
 *    scene_rows.c: those of bodies
 *    event_rows.c: jumps, marks of events */
#ifndef CAROM_RUN_CURVES_CURVE_PARTS_H
#define CAROM_RUN_CURVES_CURVE_PARTS_H

#include "carom/run/curves.h"

/* A point or segment. A row whose x is NaN interrupts the line. Of a scene x2 is the colour, red 65536 + green 256 +
 * blue. */
typedef struct curve_row {
    double t, x, y, x2, y2;
} curve_row;

/* One layer of one series while it is made. */
typedef struct layer_curve {
    const carom_layer *layer;
    int member; /* -1: the main run, or an outline */
    int mark;   /* events of this kind, marked on a layer; -1: the layer itself */
    size_t count;
    curve_row *row;
    bool has_points;
    carom_tint tint;
    int tint_number;
    char *label;  /* NULL: not in the legend */
    bool thinned; /* only ends, extremes and breaks of its pieces are there */
    bool has_extent;
    carom_range extent_x, extent_y; /* what the axes show besides the rows */
} layer_curve;

typedef struct panel_curves {
    const carom_panel *panel;
    int count;
    layer_curve *curve;
} panel_curves;

/* Takes the rows of a layer that are shown. `limit` bounds the number of points of lines. */
carom_status take_layer_rows(const carom_curve_source *source, const carom_series *series, size_t limit,
                             carom_arena *arena, layer_curve *curve, carom_error *error);

/* The events of a run, main (-1) or member; NULL: none are known. */
const carom_event_points *event_points_of(const carom_curve_source *source, int member);
/* All rows of a line, with those before and after each located impact between them, in the order of time: *rows, which
 * the caller frees. NULL and CAROM_OK: there are none to add. */
carom_status take_jumps(const carom_event_points *points, const carom_series *series,
                        const carom_layer *layer, curve_row **rows, size_t *count, carom_error *error);
/* The events of kind curve->mark, as points on the layer. */
carom_status take_marks(const carom_curve_source *source, const carom_series *series, carom_arena *arena,
                        layer_curve *curve, carom_error *error);

/* The rows of a profile or contact map, from the outputs chosen of the series of the main run. */
carom_status take_structure_rows(const carom_curve_source *source, const carom_series *series, size_t outputs,
                                 const size_t *output, carom_arena *arena, layer_curve *curve,
                                 carom_error *error);

/* The rows of a scene, likewise. */
carom_status take_scene_rows(const carom_curve_source *source, const carom_series *series, size_t outputs,
                             const size_t *output, carom_arena *arena, layer_curve *curve,
                             carom_error *error);

/* What the axes of the panel show, and the times of its profiles. */
void set_panel_ranges(const carom_curve_source *source, const panel_curves *curves,
                      carom_figure_panel *panel);

/* The value, or `otherwise` when it is not given. */
static inline double resolved_value(const carom_curve_source *source, carom_value value, double otherwise)
{
    return value == CAROM_NO_VALUE ? otherwise : source->values[value];
}

#endif
