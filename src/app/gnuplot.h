/* Plots of an experiment, drawn by gnuplot. */
#ifndef CAROM_APP_GNUPLOT_H
#define CAROM_APP_GNUPLOT_H

#include "carom/run/curves.h"

/* Draws every plot of the experiment into `directory` (made when missing): for each <name>.dat with the data,
 * <name>.gp with a script that can be edited and run again, and <name>.svg and <name>.png made by gnuplot.
 *
 * Layers of the family are drawn once per member with the member's label, or once from the main run when
 * there is no member. *pictures (may be NULL) is the number of plots drawn. When gnuplot is missing or fails,
 * data and scripts are kept and the error says so. */
carom_status plot_render(const carom_curve_source *source, const char *directory, int *pictures,
                         carom_error *error);

#endif
