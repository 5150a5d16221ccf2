#include "long_term_bridge.h"

#include <math.h>

carom_status carom_python_diagram(const carom_diagram_request *request, carom_diagram *diagram,
                                  carom_error *error)
{
    carom_diagram_request full = *request;
    full.progress = carom_python_progress(NULL);
    return carom_diagram_run(&full, diagram, error);
}

carom_status carom_python_basin(const carom_basin_request *request, carom_basin *basin, carom_error *error)
{
    carom_basin_request full = *request;
    full.progress = carom_python_progress(NULL);
    return carom_basin_run(&full, basin, error);
}

void carom_python_diagram_points(const carom_diagram *diagram, double *value, double *forcing, int *period,
                                 int *impacts, int *end)
{
    for (int i = 0; i < diagram->courses * diagram->points; i++) {
        const carom_diagram_point *point = &diagram->point[i];
        value[i] = point->value;
        forcing[i] = point->forcing;
        period[i] = point->period;
        impacts[i] = point->period_impacts;
        end[i] = point->done ? (int)point->end : -1;
    }
}

int carom_python_diagram_looks(const carom_diagram *diagram)
{
    int most = 0;
    for (int i = 0; i < diagram->courses * diagram->points; i++)
        most = diagram->point[i].count > most ? diagram->point[i].count : most;
    return most;
}

void carom_python_diagram_states(const carom_diagram *diagram, int entry, int looks, double *to)
{
    const int width = diagram->positions + diagram->dof;
    for (int i = 0; i < diagram->courses * diagram->points; i++) {
        const carom_diagram_point *point = &diagram->point[i];
        for (int k = 0; k < looks; k++)
            *to++ = k >= point->count ? NAN
                    : entry < 0       ? point->t[k]
                                      : point->state[(ptrdiff_t)k * width + entry];
    }
}

void carom_python_basin_cells(const carom_basin *basin, int *attractor, int *end, int *period, int *impacts)
{
    for (int i = 0; i < basin->cells; i++) {
        const carom_basin_cell *cell = &basin->cell[i];
        const bool done = basin->done[i / basin->block];
        attractor[i] = done ? cell->attractor : -1;
        end[i] = done ? cell->end : -1;
        period[i] = done ? cell->period : 0;
        impacts[i] = done ? cell->impacts : 0;
    }
}
