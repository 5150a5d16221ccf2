/* Where bodies were pushed, output by output, for pictures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/run.h"

enum {
    FIRST_CAPACITY = 64
};

/* Grows an array to room for one more than `count`, doubling. */
static bool grow(void **array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    const size_t larger = *room ? 2 * *room : FIRST_CAPACITY;
    void *grown = realloc(*array, carom_product(larger, size));
    if (!grown)
        return false;
    *array = grown;
    *room = larger;
    return true;
}

/* Keeps outputs 0, 2, 4, ... */
static void drop_every_other(carom_push_series *series)
{
    const size_t kept = (series->count + 1) / 2;
    size_t to = 0;
    for (size_t i = 0; i < kept; i++) {
        const size_t from = series->first[2 * i], count = series->first[2 * i + 1] - from;
        memmove(series->point + to, series->point + from, count * sizeof *series->point);
        series->t[i] = series->t[2 * i];
        series->first[i] = to; /* below 2 i: what is still to be read stays */
        to += count;
    }
    series->first[kept] = to;
    series->count = kept;
    series->points = to;
    series->stride *= 2;
}

static carom_push push_of(const carom_body_point *point)
{
    const double *n = point->normal, *r = point->impulse;
    const double normal = n[0] * r[0] + n[1] * r[1] + n[2] * r[2];
    const double all = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const double along = sqrt(fmax(all - normal * normal, 0.0));
    carom_push push = {.a = point->a, .b = point->b};
    push.slips = along >= (1.0 - 1e-6) * point->friction * normal;
    for (int i = 0; i < 3; i++) {
        push.arm[0][i] = (float)point->arm[0][i];
        push.arm[1][i] = (float)point->arm[1][i];
        push.impulse[i] = (float)r[i];
    }
    return push;
}

static bool take_row(carom_push_series *series, double t)
{
    void *times = series->t, *first = series->first;
    size_t room = series->capacity, same = series->capacity;
    const bool taken = grow(&times, series->count + 1, &room, sizeof *series->t);
    series->t = times;
    const bool both = taken && grow(&first, series->count + 1, &same, sizeof *series->first);
    series->first = first;
    if (!both)
        return false;
    series->capacity = room;
    if (series->count == 0)
        series->first[0] = 0;
    series->t[series->count++] = t;
    series->first[series->count] = series->points;
    return true;
}

static bool add_push(carom_push_series *series, const carom_push *push)
{
    void *points = series->point;
    const bool taken = grow(&points, series->points, &series->room, sizeof *series->point);
    series->point = points;
    if (taken)
        series->point[series->points++] = *push;
    return taken;
}

static bool pushes(const carom_body_point *point)
{
    return point->impulse[0] != 0.0 || point->impulse[1] != 0.0 || point->impulse[2] != 0.0;
}

static carom_status append_points(void *context, double t, int count, const carom_body_point *point,
                                  carom_error *error)
{
    carom_push_series *series = context;
    if (series->stride == 0)
        series->stride = 1;
    while (series->limit > 0 && series->points > series->limit && series->count > 1)
        drop_every_other(series);
    if (series->seen++ % series->stride != 0)
        return CAROM_OK;
    if (!take_row(series, t))
        return carom_fail_memory(error);
    for (int i = 0; i < count; i++)
        if (pushes(&point[i])) {
            const carom_push push = push_of(&point[i]);
            if (!add_push(series, &push))
                return carom_fail_memory(error);
        }
    series->first[series->count] = series->points;
    return CAROM_OK;
}

carom_recorder carom_push_series_recorder(carom_push_series *series)
{
    return (carom_recorder){.context = series, .points = append_points};
}

void carom_push_series_free(carom_push_series *series)
{
    free(series->t);
    free(series->first);
    free(series->point);
    *series = (carom_push_series){.limit = series->limit};
}
