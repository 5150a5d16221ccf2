/* One period of a bar on a grid, with given steps in flight and in contact, as a linear map. */
#include <math.h>
#include <stdlib.h>

#include "bar_grid_modes.h"
#include "carom/linalg.h"

bool bar_period_map_create(bar_period_map *map, const carom_bar *bar, const carom_bar_grid_request *request)
{
    const int cells = request->cells;
    *map = (bar_period_map){
        .bar = *bar, .free_steps = request->free_steps, .closed_steps = request->closed_steps};
    map->left = (bar_left_end){.kind = request->left,
                               .spring = bar->young * request->spring,
                               .impedance = carom_bar_impedance(bar),
                               .step = bar->length / (cells * carom_bar_speed(bar))};
    /* area spring u^2 / 2 = area dx / (4 E) (scale u)^2 */
    if (request->left == CAROM_BAR_SPRING)
        map->left_scale = sqrt(2.0 * bar->young * map->left.spring * cells / bar->length);
    map->rings = (bar_rings){.cells = cells,
                             .right = carom_new_array((size_t)cells, sizeof(double)),
                             .left = carom_new_array((size_t)cells, sizeof(double))};
    return map->rings.right && map->rings.left;
}

void bar_period_map_free(bar_period_map *map)
{
    free(map->rings.right);
    free(map->rings.left);
}

int bar_period_map_size(const bar_period_map *map)
{
    return 2 * map->rings.cells + (map->left_scale > 0.0);
}

static void put_waves(bar_period_map *map, const double *wave)
{
    const int cells = map->rings.cells;
    map->rings.first_right = map->rings.first_left = 0;
    for (int j = 0; j < cells; j++) {
        map->rings.left[cells - 1 - j] = wave[j];
        map->rings.right[j] = wave[cells + j];
    }
    map->left.displacement = map->left_scale > 0.0 ? wave[2 * cells] / map->left_scale : 0.0;
}

static void get_waves(const bar_period_map *map, double *wave)
{
    const int cells = map->rings.cells;
    for (int j = 0; j < cells; j++) {
        wave[j] = *bar_rings_left(&map->rings, cells - 1 - j);
        wave[cells + j] = *bar_rings_right(&map->rings, j);
    }
    if (map->left_scale > 0.0)
        wave[2 * cells] = map->left_scale * map->left.displacement;
}

/* Returns the wave that arrives at the right end; it goes back with its sign changed when the end is free. */
static double step_once(bar_period_map *map, bool closed)
{
    const double arriving = *bar_rings_right(&map->rings, map->rings.cells - 1);
    const double forth = bar_left_end_reflect(&map->left, *bar_rings_left(&map->rings, 0));
    bar_rings_shift(&map->rings, forth, closed ? arriving : -arriving);
    return arriving;
}

void bar_period_map_apply(bar_period_map *map, const double *from, double *to, bar_period_watch *watch)
{
    bar_period_watch own;
    if (!watch)
        watch = &own;
    *watch = (bar_period_watch){.highest = -INFINITY, .largest_pull = -INFINITY};
    double end = bar_period_map_end(map, from);
    put_waves(map, from);
    for (int k = 0; k < map->free_steps; k++) {
        end -= map->left.step * step_once(map, false) / map->left.impedance;
        if (end > watch->highest) {
            watch->highest = end;
            watch->highest_step = k + 1;
        }
    }
    watch->arrival = end;
    for (int k = 0; k < map->closed_steps; k++) {
        const double stress = step_once(map, true);
        if (stress > watch->largest_pull) {
            watch->largest_pull = stress;
            watch->pull_step = map->free_steps + k;
        }
    }
    get_waves(map, to);
}

double bar_period_map_end(const bar_period_map *map, const double *wave)
{
    const int cells = map->rings.cells;
    double sum = 0.0;
    for (int j = 0; j < 2 * cells; j++)
        sum += wave[j];
    const double left = map->left_scale > 0.0 ? wave[2 * cells] / map->left_scale : 0.0;
    return left + map->bar.length / cells * sum / (2.0 * map->bar.young);
}

double bar_period_map_energy(const bar_period_map *map, const double *wave)
{
    return map->bar.area * map->bar.length / map->rings.cells *
           carom_dot(bar_period_map_size(map), wave, wave) / (4.0 * map->bar.young);
}
