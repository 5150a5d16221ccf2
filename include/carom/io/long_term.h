/* Tables of bifurcation diagrams and basins: CSV and HDF5. Part of room io. */
#ifndef CAROM_IO_LONG_TERM_H
#define CAROM_IO_LONG_TERM_H

#include <stdio.h>

#include "carom/survey/basin.h"
#include "carom/survey/diagram.h"

/* Header line, then a line per return: direction, start (from 1), value of the parameter, status and period of its value, impacts since
 * the return before, t, positions, velocities (v:NAME). A value without returns has a line that ends after its status. Numbers are
 * %.17g. */
carom_status carom_diagram_write_csv(FILE *stream, const char *parameter, const carom_diagram *diagram,
                                     carom_error *error);
/* HDF5: /values; /period, /impacts, /status of courses x points; /t of courses x points x returns, /q/NAME and /v/NAME likewise, NaN where
 * there is no return. */
carom_status carom_diagram_write_file(const char *path, const carom_experiment *experiment,
                                      const char *parameter, const carom_diagram *diagram,
                                      carom_error *error);

/* A line per cell: its values on the axes (`axis`: names), its end, the number of its attractor (from 1), period, impacts, and the last
 * state. */
carom_status carom_basin_write_csv(FILE *stream, const char *const *axis, const carom_basin *basin,
                                   carom_error *error);
/* HDF5: /axes/NAME; /attractor (from 1; 0: none), /end, /period, /impacts of the grid's shape; /attractors/... a row each. */
carom_status carom_basin_write_file(const char *path, const carom_experiment *experiment,
                                    const char *const *axis, const carom_basin *basin, carom_error *error);

#endif
