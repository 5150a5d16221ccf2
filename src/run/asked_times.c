#include "asked_times.h"

#include <math.h>
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
    const asked_time *first = a, *second = b;
    if (first->t != second->t)
        return first->t < second->t ? -1 : 1;
    return first->place - second->place;
}

bool asked_times_create(asked_times *asked, int count, const double *t)
{
    asked_time *time = carom_new_array((size_t)count, sizeof *time);
    if (!time)
        return false;
    for (int i = 0; i < count; i++)
        time[i] = (asked_time){.t = t[i], .place = i};
    qsort(time, (size_t)count, sizeof *time, by_time);
    *asked = (asked_times){.count = count, .time = time};
    return true;
}

void asked_times_free(asked_times *asked)
{
    free(asked->time);
    *asked = (asked_times){0};
}

void asked_times_keep(asked_times *asked, carom_snapshot *snapshot)
{
    for (int i = 0; i < asked->count; i++)
        carom_snapshot_same(snapshot, &asked->time[i].t, sizeof asked->time[i].t);
    carom_snapshot_block(snapshot, &asked->next, sizeof asked->next);
}

int asked_times_decide(asked_times *asked, double previous_t, double t, double tolerance, bool *earlier)
{
    if (asked->next == asked->count || asked->time[asked->next].t > t)
        return -1;
    asked_time time = asked->time[asked->next++];
    /* Infinite asked times compare as not nearer. */
    bool later_is_nearer = t - time.t + tolerance < time.t - previous_t;
    *earlier = previous_t > -INFINITY && !later_is_nearer;
    return time.place;
}
