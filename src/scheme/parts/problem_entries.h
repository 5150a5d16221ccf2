/* Entries of the matrices of a contact problem that somebody keeps (carom_problem_listener). */
#ifndef CAROM_SCHEME_PARTS_PROBLEM_ENTRIES_H
#define CAROM_SCHEME_PARTS_PROBLEM_ENTRIES_H

#include "carom/base.h"

typedef struct problem_entries {
    size_t count;
    int *row, *column;
    double *value;
} problem_entries;

/* Memory for `room` of them; false when it is short. */
static inline bool problem_entries_take(carom_arena *arena, size_t room, problem_entries *list)
{
    *list = (problem_entries){.row = carom_arena_take(arena, room, sizeof(int)),
                              .column = carom_arena_take(arena, room, sizeof(int)),
                              .value = carom_arena_take(arena, room, sizeof(double))};
    return list->row && list->column && list->value;
}

static inline void problem_entries_add(problem_entries *list, int row, int column, double value)
{
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
}

#endif
