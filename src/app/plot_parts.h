/* How a plot is made, shared by the plot files:
 *
 *   rows of a series --plot_rows.c--> curves --plot_layout.c--> ranges, sizes, colours, titles
 *                           |                      |
 *    structure_plot.c: those of structures         |
 *    scene_plot.c: those of bodies                 |
 *    event_plot.c: jumps, marks of events          |
 *                                  plot_script.c: the script    gnuplot.c: data file, gnuplot */
#ifndef CAROM_APP_PLOT_PARTS_H
#define CAROM_APP_PLOT_PARTS_H

#include "gnuplot.h"

/* A point or segment to draw. A row whose x is NaN interrupts the line. Of a scene x2 is the colour, red 65536 +
 * green 256 + blue. */
typedef struct plot_row {
    double t, x, y, x2, y2;
} plot_row;

/* Line styles of the script: layers have 1 to 8, members of a large family 101, 102, ... */
enum {
    PLOT_COLOURS = 8,
    PLOT_STYLE_MAIN = 9, /* the main run beside a family */
    PLOT_STYLE_OUTLINE = 10,
    PLOT_STYLE_MEMBER = 101,
};

typedef struct plot_range {
    double low, high;
} plot_range;

/* One layer of one series. */
typedef struct plot_curve {
    const carom_layer *layer;
    int member; /* -1: the main run, or an outline */
    int mark;   /* events of this kind, marked on a layer; -1: the layer itself */
    size_t count;
    plot_row *row;
    int block; /* index of its block in the data file; -1: nothing to draw */
    int style;
    char *title;  /* NULL: not in the key */
    bool thinned; /* only ends, extremes and breaks of its pieces are there */
    bool has_extent;
    plot_range extent_x, extent_y; /* what the axes show besides the rows */
} plot_curve;

typedef struct plot_box {
    const carom_panel *panel;
    int curve_count;
    plot_curve *curve;
    plot_range x, y;
    double width, height; /* of the box, in pixels */
    int key_entries;
    size_t key_longest; /* characters of the longest title */
    bool key_at_right;  /* instead of above the box */
    bool has_colour_box;
    plot_range time; /* of the profiles, which have their colours from it */
} plot_box;

typedef struct plot_drawing {
    carom_arena *arena; /* owns all of it */
    const carom_plot *plot;
    char *file_name; /* without extension */
    int member_count;
    int rows, columns;
    plot_box *box;     /* plot->panel_count */
    int width, height; /* of the picture, in pixels */
} plot_drawing;

/* Takes the rows of a layer that are shown. `limit` bounds the number of points of lines. */
carom_status plot_take_rows(const plot_source *source, const carom_series *series, size_t limit,
                            carom_arena *arena, plot_curve *curve, carom_error *error);

/* The events of a run, main (-1) or member; NULL: none are known. */
const carom_event_points *plot_points_of(const plot_source *source, int member);
/* All rows of a line, with those before and after each located impact between them, in the order of time: *rows, which
 * the caller frees. NULL and CAROM_OK: there are none to add. */
carom_status plot_take_jumps(const carom_event_points *points, const carom_series *series,
                             const carom_layer *layer, plot_row **rows, size_t *count, carom_error *error);
/* The events of kind curve->mark, as points on the layer. */
carom_status plot_take_marks(const plot_source *source, const carom_series *series, carom_arena *arena,
                             plot_curve *curve, carom_error *error);

/* The rows of a profile or contact map, from the outputs chosen of the series of the main run. */
carom_status plot_take_structure_rows(const plot_source *source, const carom_series *series, size_t outputs,
                                      const size_t *output, carom_arena *arena, plot_curve *curve,
                                      carom_error *error);

/* The rows of a scene, likewise. */
carom_status plot_take_scene_rows(const plot_source *source, const carom_series *series, size_t outputs,
                                  const size_t *output, carom_arena *arena, plot_curve *curve,
                                  carom_error *error);

/* Builds everything that the data file and the script need. */
carom_status plot_lay_out(const plot_source *source, plot_drawing *drawing, carom_error *error);

/* Where the number of a row stands, in the units of the axes. */
void plot_number_place(const plot_box *box, const plot_curve *curve, size_t index, double place[2]);

/* The gnuplot script. */
void plot_write_script(const plot_drawing *drawing, carom_text *script);

/* Parts of every script: what it is and the line styles; the two terminals, inside a loop that the script
 * closes with "unset output" and "}". */
void plot_append_head(carom_text *script, const char *file_name);
void plot_append_terminals(carom_text *script, const char *file_name, int width, int height);
/* Every text that is not carom's own comes into a script through these: in quotes, drawn as it is; the same as the label
 * of a tic, which gnuplot takes for a format of numbers; on the rest of a line that is a comment. */
void plot_append_quoted(carom_text *script, const char *text);
void plot_append_tic_label(carom_text *script, const char *text);
void plot_append_comment(carom_text *script, const char *text);
/* The colours of heat maps. */
void plot_append_palette(carom_text *script);
/* Range of an axis ("x"), and numbers with as many digits as it needs. */
void plot_append_range(carom_text *script, const char *axis, plot_range range);
/* Numbers at round values of an axis ("x"), as many as there is room for on its pixels; for a
 * logarithmic axis at the given values (falling). */
void plot_append_linear_tics(carom_text *script, const char *axis, plot_range range, double pixels);
void plot_append_value_tics(carom_text *script, const char *axis, int count, const double *value,
                            plot_range range, double pixels);

/* Makes a directory with those above it. */
carom_status plot_make_directory(const char *directory, carom_error *error);
/* Writes directory/name.extension. */
carom_status plot_write_text(const char *directory, const char *name, const char *extension,
                             const carom_text *text, carom_error *error);
/* Runs gnuplot in the directory on the script name.gp there. */
carom_status plot_run_gnuplot(const char *directory, const char *name, carom_error *error);
/* Makes the directory, writes name.dat and name.gp there, and draws. */
carom_status plot_write_and_draw(const char *directory, const char *name, const carom_text *data,
                                 const carom_text *script, carom_error *error);

static inline bool plot_text_given(const char *text)
{
    return text && *text;
}

/* The value, or `otherwise` when it is not given. */
static inline double plot_value(const plot_source *source, carom_value value, double otherwise)
{
    return value == CAROM_NO_VALUE ? otherwise : source->values[value];
}

/* A folder inside the directory for pictures that are being drawn; its name is for plot_scratch_close to free. */
carom_status plot_scratch_open(const char *directory, const char *name, char **scratch, carom_error *error);
/* Complete pictures go to the directory, each at once. */
carom_status plot_scratch_take(const char *scratch, const char *directory, const char *name,
                               carom_error *error);
void plot_scratch_close(char *scratch, const char *name);

#endif
