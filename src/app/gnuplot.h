/* Plots of an experiment, drawn by gnuplot. */
#ifndef CAROM_APP_GNUPLOT_H
#define CAROM_APP_GNUPLOT_H

#include "carom/run.h"

/* What is drawn: the main run of an experiment, and the members of its family. */
typedef struct plot_source {
    const carom_experiment *experiment;
    const double *parameter;            /* of the main run */
    const double *values;               /* the experiment's values, resolved */
    const carom_study_results *results; /* of its studies; NULL: there are none */
    const carom_series *main_series;
    const carom_event_points *main_points; /* its events */
    int member_count;
    const carom_series *member_series;
    const carom_event_points *member_points;
    const char *const *member_labels;
} plot_source;

/* Draws every plot of the experiment into `directory` (made when missing): for each <name>.dat with the data,
 * <name>.gp with a script that can be edited and run again, and <name>.svg and <name>.png made by gnuplot.
 *
 * Layers of the family are drawn once per member with the member's label, or once from the main run when
 * there is no member. *pictures (may be NULL) is the number of plots drawn. When gnuplot is missing or fails,
 * data and scripts are kept and the error says so. */
carom_status plot_render(const plot_source *source, const char *directory, int *pictures, carom_error *error);

#endif
