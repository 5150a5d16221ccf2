/* The contact problem of a step for somebody who keeps it (carom_problem_listener): entries of its matrices, and how it is told. */
#ifndef CAROM_SCHEME_PARTS_PROBLEM_ENTRIES_H
#define CAROM_SCHEME_PARTS_PROBLEM_ENTRIES_H

#include "carom/scheme.h"

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

/* Poses the problem of a step in the arena, with the impulses r that solve it. */
typedef carom_status problem_pose(const void *step, carom_arena *arena, carom_coulomb_global *problem,
                                  double **r, carom_error *error);

/* Poses it and hands it to the listener, for the time of the call. */
static inline carom_status problem_tell(const carom_problem_listener *listener, double t, problem_pose *pose,
                                        const void *step, carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    carom_coulomb_global problem;
    double *r;
    if (!arena)
        return carom_fail_memory(error);
    carom_status status = pose(step, arena, &problem, &r, error);
    if (status == CAROM_OK)
        status = listener->take(listener->context, t, &problem, r, error);
    carom_arena_free(arena);
    return status;
}

#endif
