#include "event_list.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    FIRST_CAPACITY = 64
};

static bool grow(event_list *list)
{
    const size_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
    if (capacity > SIZE_MAX / 2 / sizeof *list->event)
        return false;
    carom_event *event = realloc(list->event, capacity * sizeof *event);
    if (!event)
        return false;
    list->event = event;
    list->capacity = capacity;
    return true;
}

void event_list_take(event_list *list, const carom_event *event)
{
    if (list->count == list->capacity && !grow(list)) {
        list->out_of_memory = true;
        return;
    }
    carom_event *kept = &list->event[list->count++];
    *kept = *event;
    kept->q = kept->v = kept->v_after = NULL;
}

long event_list_count(const event_list *list, carom_event_kind kind)
{
    long count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->event[i].kind == kind;
    return count;
}

void event_list_keep(event_list *list, carom_snapshot *snapshot)
{
    size_t count = list->count;
    carom_snapshot_block(snapshot, &count, sizeof count);
    while (!snapshot->failed && list->capacity < count)
        if (!grow(list))
            snapshot->failed = true;
    if (snapshot->failed)
        return;
    list->count = count;
    carom_snapshot_block(snapshot, list->event, count * sizeof *list->event);
}

void event_list_free(event_list *list)
{
    free(list->event);
    *list = (event_list){0};
}
