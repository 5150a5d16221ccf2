/* What bifurcation diagrams and basins in Python need of C beside the library. */
#ifndef CAROM_PYTHON_LONG_TERM_BRIDGE_H
#define CAROM_PYTHON_LONG_TERM_BRIDGE_H

#include "bridge.h"
#include "carom/io/long_term.h"

/* carom_diagram_run and carom_basin_run until Ctrl-C. */
carom_status carom_python_diagram(const carom_diagram_request *request, carom_diagram *diagram,
                                  carom_error *error);
carom_status carom_python_basin(const carom_basin_request *request, carom_basin *basin, carom_error *error);

/* Arrays of all values, course by course: values, periods, impacts in a period, how they ended (-1: not reached). */
void carom_python_diagram_points(const carom_diagram *diagram, double *value, double *forcing, int *period,
                                 int *impacts, int *end);
/* Most looks of a value. */
int carom_python_diagram_looks(const carom_diagram *diagram);
/* One entry of the states, -1: the time; values x looks numbers, NAN where there is none. */
void carom_python_diagram_states(const carom_diagram *diagram, int entry, int looks, double *to);

/* Arrays of all cells: number of the attractor (-1: none), how they ended (-1: not reached), period, impacts. */
void carom_python_basin_cells(const carom_basin *basin, int *attractor, int *end, int *period, int *impacts);

#endif
