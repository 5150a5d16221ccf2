/* The map of one period on the waves of a grid: flight, then contact, for given numbers of steps. */
#ifndef CAROM_SUBJECT_BAR_BAR_GRID_MODES_H
#define CAROM_SUBJECT_BAR_BAR_GRID_MODES_H

#include "bar_rings.h"

/* Waves in one row of 2 cells places: those that move left from x = L to 0, then those that move right from 0
 * to L, and a last place for the displacement of the left end, so scaled that energy is area dx / (4 E) times
 * the sum of the squares of all places. */
typedef struct bar_period_map {
    carom_bar bar;
    int free_steps, closed_steps;
    bar_rings rings;
    bar_left_end left;
    double left_scale; /* place per displacement of the left end; 0 when it is fixed */
} bar_period_map;

/* What the right end does in a period when it has its displacement `gap` at the start. */
typedef struct bar_period_watch {
    double highest;      /* displacement in flight */
    long highest_step;   /* step after which it is reached */
    double arrival;      /* displacement when contact begins */
    double largest_pull; /* of the stresses in contact: positive ones pull */
    long pull_step;
} bar_period_watch;

/* False when memory is short; freed in either case. */
bool bar_period_map_create(bar_period_map *map, const carom_bar *bar, const carom_bar_grid_request *request);
void bar_period_map_free(bar_period_map *map);
/* places: 2 cells, and one more when the left end moves. */
int bar_period_map_size(const bar_period_map *map);
/* to := map of from; `watch` may be NULL. `from` and `to` may be the same. */
void bar_period_map_apply(bar_period_map *map, const double *from, double *to, bar_period_watch *watch);
/* Displacement of the right end. */
double bar_period_map_end(const bar_period_map *map, const double *wave);
double bar_period_map_energy(const bar_period_map *map, const double *wave);

#endif
