/* Which cells of a basin end at the same attractor. */
#ifndef CAROM_SURVEY_BASIN_ATTRACTORS_H
#define CAROM_SURVEY_BASIN_ATTRACTORS_H

#include "carom/survey/basin.h"

/* Begins the motion of a cell, parameters being bound; *inside: the start is inside an obstacle. */
carom_status basin_start_cell(const carom_basin *basin, int cell, carom_returns *returns, bool *inside,
                              carom_error *error);

/* Fills attractors, ends and the numbers in the cells, from the blocks that are done. */
carom_status basin_find_attractors(carom_basin *basin, const carom_returns_request *request,
                                   carom_error *error);

#endif
