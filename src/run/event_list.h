/* The events of a run, as they happened. */
#ifndef CAROM_RUN_EVENT_LIST_H
#define CAROM_RUN_EVENT_LIST_H

#include "carom/scheme.h"

typedef struct event_list {
    carom_event *event;
    size_t count, capacity;
    bool out_of_memory; /* an event is missing for that */
} event_list;

/* Appends a copy of the event, without its q and v. */
void event_list_take(event_list *list, const carom_event *event);
/* How many of a kind there are. */
long event_list_count(const event_list *list, carom_event_kind kind);
/* For a run that goes on later; events that are kept have no q and v. */
void event_list_keep(event_list *list, carom_snapshot *snapshot);
/* Empties it. */
void event_list_free(event_list *list);

#endif
