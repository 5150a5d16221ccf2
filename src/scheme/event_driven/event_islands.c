/* Contacts that act on each other: in a large system most of those that touch do not. Each island is a problem of its
 * own, whose matrix is full; that of all contacts would be too large. A small model is one island. */
#include <stdlib.h>
#include <string.h>

#include "event_driven.h"

bool event_islands_take(event_driven *self)
{
    event_islands *islands = &self->islands;
    const carom_stepper *stepper = &self->stepper;
    const size_t contacts = (size_t)stepper->contacts;
    islands->apart = sparse_normals_serve(stepper);
    if (!islands->apart) {
        self->block = carom_arena_take(stepper->arena, carom_product(contacts, contacts), sizeof(double));
        return self->block != NULL;
    }
    islands->root = carom_arena_take(stepper->arena, contacts, sizeof(int));
    islands->place = carom_arena_take(stepper->arena, contacts + 1, sizeof(int));
    islands->sorted = carom_arena_take(stepper->arena, contacts, sizeof(int));
    islands->start = carom_arena_take(stepper->arena, contacts + 1, sizeof(int));
    return islands->root && islands->place && islands->sorted && islands->start &&
           sparse_normals_take_lists(&islands->normals, stepper, &self->motion.mass, &self->motion.rows);
}

void event_islands_free(event_driven *self)
{
    if (self->islands.apart)
        free(self->block);
    self->block = NULL;
}

/* ---- which contacts ---------------------------------------------------------------------------------------- */

static bool join(void *context, int first, int second)
{
    carom_sets_join(context, first, second);
    return true;
}

/* Brings the list into the order of islands. Entries of an island keep their order. */
static void sort_list(event_driven *self)
{
    event_islands *islands = &self->islands;
    const int count = self->count;
    for (int a = 0; a < count; a++)
        islands->root[a] = a;
    sparse_normals_pairs(&islands->normals, count, self->list, join, islands->root);
    memset(islands->place, 0, ((size_t)count + 1) * sizeof *islands->place);
    for (int a = 0; a < count; a++)
        islands->place[carom_sets_root(islands->root, a) + 1]++;
    islands->count = 0;
    for (int a = 0, next = 0; a < count; a++) {
        const int size = islands->place[a + 1];
        islands->place[a] = next;
        if (size > 0)
            islands->start[islands->count++] = next;
        next += size;
    }
    for (int a = 0; a < count; a++)
        islands->sorted[islands->place[carom_sets_root(islands->root, a)]++] = self->list[a];
    memcpy(self->list, islands->sorted, (size_t)count * sizeof *self->list);
}

static bool make_room(event_driven *self, int size)
{
    event_islands *islands = &self->islands;
    if (!islands->apart || size <= islands->capacity)
        return true;
    const int capacity = size < 2 * islands->capacity ? 2 * islands->capacity : size;
    double *block = carom_new_array(carom_product((size_t)capacity, (size_t)capacity), sizeof *block);
    if (!block || !normal_lcp_make_room(&self->lcp, capacity)) {
        free(block);
        return false;
    }
    free(self->block);
    self->block = block;
    islands->capacity = capacity;
    return true;
}

bool event_islands_find(event_driven *self)
{
    event_islands *islands = &self->islands;
    islands->count = self->count > 0 ? 1 : 0;
    islands->all = self->count;
    if (islands->apart && self->motion.mass.diagonal && !self->general)
        sort_list(self);
    else if (islands->apart && self->count > 0)
        islands->start[0] = 0;
    int largest = islands->apart ? 0 : self->count;
    for (int i = 0; islands->apart && i < islands->count; i++) {
        const int end = i + 1 < islands->count ? islands->start[i + 1] : islands->all;
        largest = end - islands->start[i] > largest ? end - islands->start[i] : largest;
    }
    return make_room(self, largest);
}

/* ---- one of them ------------------------------------------------------------------------------------------- */

event_view event_islands_enter(event_driven *self, int island)
{
    const event_islands *islands = &self->islands;
    const event_view whole = {self->list, self->rate, self->column, self->count};
    if (!islands->apart)
        return whole;
    const int start = islands->start[island];
    const int end = island + 1 < islands->count ? islands->start[island + 1] : islands->all;
    self->list += start;
    self->rate += start;
    self->column += start;
    self->count = end - start;
    return whole;
}

void event_islands_leave(event_driven *self, event_view whole)
{
    self->list = whole.list;
    self->rate = whole.rate;
    self->column = whole.column;
    self->count = whole.count;
}
