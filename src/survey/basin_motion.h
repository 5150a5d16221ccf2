/* One motion of a basin, return by return: what is done with each, whoever computes it. */
#ifndef CAROM_SURVEY_BASIN_MOTION_H
#define CAROM_SURVEY_BASIN_MOTION_H

#include "carom/survey/basin.h"

typedef struct basin_motion {
    int positions, dof, periods, longest; /* set by the caller, */
    double tolerance;                     /* ... likewise */
    carom_returns *returns;
    carom_basin_cell *cell;
    int width;
    int settled; /* periods until now of those that it is given */
    int count;   /* states after them */
    int candidate;
    double *state;   /* count x width */
    double *impacts; /* count: since the state before */
} basin_motion;

/* From the state at which `returns` is; room: carom_basin_room(state, longest) numbers. */
void basin_motion_begin(basin_motion *self, carom_returns *returns, double *room, carom_basin_cell *cell);
/* After another return; false: the motion has ended, and the cell says how. */
bool basin_motion_take(basin_motion *self, carom_return end);
/* The state at the end. */
void basin_motion_end(const basin_motion *self, double *last);

#endif
