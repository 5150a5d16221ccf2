/* How the picture of a sweep is made: sweep_plot_layout.c chooses axes, form and panels, sweep_plot.c writes
 * data and script. */
#ifndef CAROM_APP_PLOT_SWEEP_PLOT_H
#define CAROM_APP_PLOT_SWEEP_PLOT_H

#include "plot_parts.h"
#include "sweep_output.h"

/* One axis as it is drawn: numbers, or words at 0, 1, 2, ... */
typedef struct drawn_axis {
    const char *name, *unit; /* unit NULL: none */
    int count;
    double *value, *low, *high; /* of the cells around the values */
    double *falling;            /* the values sorted */
    const char *const *word;
    bool has_words, is_log;
    carom_range range;
} drawn_axis;

typedef struct sweep_picture {
    carom_arena *arena;
    const carom_sweep *sweep;
    const char *experiment;
    drawn_axis axis[CAROM_SWEEP_AXES_MAX];
    bool is_heat;
    int x, series; /* axes: along the box; a line each (-1: one line), or upwards in heat maps */
    int panel_count;
    int *panel; /* measures */
} sweep_picture;

/* Fills the picture, whose arena and sweep are set; false when memory is short. */
bool sweep_picture_lay_out(sweep_picture *picture, const sweep_output *output);

/* Lines of a panel. */
int sweep_picture_lines(const sweep_picture *picture);
/* The point at a place of the x axis and of the other one. */
int sweep_picture_point(const sweep_picture *picture, int x, int other);
/* Smallest and largest finite value of a measure; *count: how many. */
carom_range sweep_values_range(const carom_sweep *sweep, int measure, long *count);
/* With a part of its length added at both ends; a range of one number becomes a proper one. */
carom_range sweep_range_with_margin(double low, double high, double part);

#endif
