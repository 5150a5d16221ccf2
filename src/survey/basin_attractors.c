/* Attractors from the cells, in their order: two periodic motions are one when they have the same period and impacts and the last state of
 * one is a state of the other. All motions that are not periodic count as one: what tells two chaotic attractors apart is for the
 * reader of the map to see. */
#include "basin_attractors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTRACTORS_MAX = 256 /* told apart by their states */
};

/* States of one attractor, found from two starts, differ by at most this many tolerances. */
static const double tolerances = 50.0;

typedef struct found_list {
    carom_attractor attractor[2 * ATTRACTORS_MAX];
    int count;
} found_list;

carom_status basin_start_cell(const carom_basin *basin, int cell, carom_returns *returns, bool *inside,
                              carom_error *error)
{
    const int last = basin->axis[basin->axis_count - 1].count;
    double *q = carom_new_array((size_t)basin->state, sizeof *q);
    if (!q)
        return carom_fail_memory(error);
    double *v = q + basin->positions;
    carom_returns_origin(returns, q, v);
    for (int i = 0; i < basin->axis_count; i++) {
        const carom_basin_axis *axis = &basin->axis[i];
        const int place = i == basin->axis_count - 1 ? cell % last : cell / last;
        if (axis->kind == CAROM_BASIN_PARAMETER)
            continue;
        (axis->kind == CAROM_BASIN_POSITION ? q : v)[axis->index] = carom_basin_axis_value(axis, place);
    }
    const carom_status status = carom_returns_start(returns, NAN, q, v, 0.0, inside, error);
    free(q);
    return status;
}

static bool is_same(const carom_basin *basin, const carom_returns *returns, const carom_attractor *attractor,
                    const carom_basin_cell *cell, const double *last)
{
    if (attractor->end != cell->end || attractor->period != cell->period ||
        (cell->end == CAROM_BASIN_PERIODIC && attractor->impacts != cell->impacts))
        return false;
    if (basin->by_name || cell->end != CAROM_BASIN_PERIODIC)
        return true;
    for (int k = 0; k < attractor->period; k++)
        if (carom_returns_distance(returns, basin->positions, basin->dof,
                                   attractor->point + (ptrdiff_t)k * basin->state,
                                   last) <= tolerances * basin->tolerance)
            return true;
    return false;
}

static int find(const carom_basin *basin, const carom_returns *returns, const found_list *list,
                const carom_basin_cell *cell, const double *last)
{
    for (int i = 0; i < list->count; i++)
        if (is_same(basin, returns, &list->attractor[i], cell, last))
            return i;
    return -1;
}

/* The states of a new one: from the last state of its cell once around. */
static carom_status trace(carom_basin *basin, carom_returns *returns, int cell, carom_attractor *attractor,
                          carom_error *error)
{
    const double *last = basin->last + (ptrdiff_t)cell * basin->state;
    const int states = attractor->period > 0 ? attractor->period : 1;
    attractor->point =
        carom_arena_take(basin->arena, carom_product((size_t)states, (size_t)basin->state), sizeof(double));
    if (!attractor->point)
        return carom_fail_memory(error);
    for (int k = 0; k < states; k++) /* all of them, for a motion that cannot be gone again */
        memcpy(attractor->point + (ptrdiff_t)k * basin->state, last, (size_t)basin->state * sizeof *last);
    if (basin->by_name || states == 1)
        return CAROM_OK;
    bool inside = false;
    carom_return end = CAROM_RETURNED;
    carom_status status = carom_returns_start(returns, NAN, last, last + basin->positions,
                                              1e-6 * returns->length, &inside, error);
    for (int k = 1; status == CAROM_OK && !inside && k < states; k++) {
        double *point = attractor->point + (ptrdiff_t)k * basin->state;
        status = carom_returns_next(returns, &end, error);
        if (status != CAROM_OK || end != CAROM_RETURNED)
            break;
        memcpy(point, returns->q, (size_t)basin->positions * sizeof *point);
        memcpy(point + basin->positions, returns->v, (size_t)basin->dof * sizeof *point);
    }
    return status;
}

static carom_status add(carom_basin *basin, carom_returns *returns, int cell, found_list *list,
                        carom_error *error)
{
    const carom_basin_cell *from = &basin->cell[cell];
    carom_attractor *made = &list->attractor[list->count++];
    const bool periodic = from->end == CAROM_BASIN_PERIODIC;
    *made = (carom_attractor){.end = (carom_basin_end)from->end,
                              .period = from->period,
                              .impacts = periodic ? from->impacts : -1,
                              .first = cell};
    return trace(basin, returns, cell, made, error);
}

/* Largest share first; else the one that was found first. */
static int compare(const void *a, const void *b)
{
    const carom_attractor *x = a, *y = b;
    return x->cells != y->cells ? (x->cells < y->cells) - (x->cells > y->cells)
                                : (x->first > y->first) - (x->first < y->first);
}

static carom_status keep_list(carom_basin *basin, found_list *list, carom_error *error)
{
    const size_t count = (size_t)list->count;
    int *place = carom_new_array((size_t)basin->cells + 1, sizeof *place); /* of the first cell of each */
    basin->attractor = carom_arena_take(basin->arena, count, sizeof *basin->attractor);
    if (!place || !basin->attractor) {
        free(place);
        return carom_fail_memory(error);
    }
    int *number = carom_new_array(count, sizeof *number);
    if (number) {
        for (size_t i = 0; i < count; i++)
            place[list->attractor[i].first] = (int)i;
        qsort(list->attractor, count, sizeof *list->attractor, compare);
        for (size_t i = 0; i < count; i++)
            number[place[list->attractor[i].first]] = (int)i;
        for (int i = 0; i < basin->cells; i++)
            if (basin->cell[i].attractor >= 0)
                basin->cell[i].attractor = number[basin->cell[i].attractor];
        memcpy(basin->attractor, list->attractor, count * sizeof *basin->attractor);
        basin->attractor_count = list->count;
    }
    free(place);
    free(number);
    return number ? CAROM_OK : carom_fail_memory(error);
}

static carom_status count_cell(carom_basin *basin, carom_returns *returns, int index, found_list *list,
                               double *impacts, carom_error *error)
{
    carom_basin_cell *cell = &basin->cell[index];
    const double *last = basin->last + (ptrdiff_t)index * basin->state;
    carom_status status = CAROM_OK;
    basin->ends[cell->end]++;
    cell->attractor = -1;
    if (cell->end != CAROM_BASIN_PERIODIC && cell->end != CAROM_BASIN_NOT_PERIODIC)
        return CAROM_OK;
    int found = find(basin, returns, list, cell, last);
    if (found < 0 && list->count == ATTRACTORS_MAX) { /* from now on by their names */
        basin->by_name = true;
        found = find(basin, returns, list, cell, last);
    }
    if (found < 0 && list->count == 2 * ATTRACTORS_MAX)
        found = list->count - 1;
    if (found < 0) {
        status = add(basin, returns, index, list, error);
        found = list->count - 1;
    }
    cell->attractor = found;
    list->attractor[found].cells++;
    impacts[found] += cell->end == CAROM_BASIN_PERIODIC ? (double)cell->impacts / cell->period
                                                        : (double)cell->impacts / basin->longest;
    return status;
}

carom_status basin_find_attractors(carom_basin *basin, const carom_returns_request *request,
                                   carom_error *error)
{
    carom_returns *returns = NULL;
    found_list *list = carom_new_array(1, sizeof *list);
    double *impacts = carom_new_array(2 * ATTRACTORS_MAX, sizeof *impacts);
    carom_status status = list && impacts ? carom_returns_create(request, (carom_stop){0}, &returns, error)
                                          : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < basin->cells; i++)
        if (basin->done[i / basin->block])
            status = count_cell(basin, returns, i, list, impacts, error);
    if (status == CAROM_OK) {
        for (int i = 0; i < list->count; i++)
            list->attractor[i].impact_rate = impacts[i] / list->attractor[i].cells;
        status = keep_list(basin, list, error);
    }
    carom_returns_free(returns);
    free(list);
    free(impacts);
    return status;
}
