/* How a plot is made, shared by the plot files:
 *
 *   rows of a run --room run--> a carom_figure: curves, ranges --plot_layout.c--> sizes, key
 *                                                                    |
 *                                      plot_script.c: the script    gnuplot.c: data file, gnuplot */
#ifndef CAROM_APP_PLOT_PARTS_H
#define CAROM_APP_PLOT_PARTS_H

#include "gnuplot.h"

/* Line styles of the script: layers have 1 to CAROM_PALETTE_SIZE, members of a large family 101, 102, ... */
enum {
    PLOT_STYLE_MAIN = 9, /* the main run beside a family */
    PLOT_STYLE_OUTLINE = 10,
    PLOT_STYLE_MEMBER = 101,
};

typedef struct plot_box {
    const carom_figure_panel *shown;
    int first_block;      /* index of its first curve in the data file; the others follow */
    double width, height; /* of the box, in pixels */
    int key_entries;
    size_t key_longest; /* characters of the longest label */
    bool key_at_right;  /* instead of above the box */
} plot_box;

typedef struct plot_drawing {
    carom_arena *arena; /* owns all but the figure */
    int plot;           /* its number in the experiment */
    carom_figure *figure;
    char *file_name; /* without extension */
    int member_count;
    plot_box *box;     /* one per panel */
    int width, height; /* of the picture, in pixels */
} plot_drawing;

/* Profiles have their colours from the time, which stands in a box beside the panel. */
static inline bool plot_has_colour_box(const plot_box *box)
{
    return box->shown->time.low < box->shown->time.high;
}

/* Builds everything that the data file and the script need. */
carom_status plot_lay_out(const carom_curve_source *source, plot_drawing *drawing, carom_error *error);

/* Where the number of a point stands, in the units of the axes. */
void plot_number_place(const plot_box *box, const carom_curve *curve, size_t index, double place[2]);

/* The gnuplot script. */
void plot_write_script(const plot_drawing *drawing, carom_text *script);

/* Parts of every script: what it is and the line styles; the two terminals, inside a loop that the script
 * closes with "unset output" and "}". */
void plot_append_head(carom_text *script, const char *file_name);
void plot_append_terminals(carom_text *script, const char *file_name, int width, int height);
/* Every text that is not carom's own comes into a script through these: in quotes, drawn as it is; the same as the label
 * of a tic, which gnuplot takes for a format of numbers; on the rest of a line that is a comment. */
void plot_append_quoted(carom_text *script, const char *text);
/* The same of a text; a text that failed makes the script fail. */
void plot_append_text(carom_text *script, const carom_text *text);
void plot_append_tic_label(carom_text *script, const char *text);
void plot_append_comment(carom_text *script, const char *text);
/* The colours of heat maps. */
void plot_append_palette(carom_text *script);
/* Range of an axis ("x"), and numbers with as many digits as it needs. */
void plot_append_range(carom_text *script, const char *axis, carom_range range);
/* Numbers at round values of an axis ("x"), as many as there is room for on its pixels; for a
 * logarithmic axis at the given values (falling). */
void plot_append_linear_tics(carom_text *script, const char *axis, carom_range range, double pixels);
void plot_append_value_tics(carom_text *script, const char *axis, int count, const double *value,
                            carom_range range, double pixels);

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

/* A folder inside the directory for pictures that are being drawn; its name is for plot_scratch_close to free. */
carom_status plot_scratch_open(const char *directory, const char *name, char **scratch, carom_error *error);
/* Complete pictures go to the directory, each at once. */
carom_status plot_scratch_take(const char *scratch, const char *directory, const char *name,
                               carom_error *error);
void plot_scratch_close(char *scratch, const char *name);

#endif
