#include "contact/coulomb/parts/entries.h"

#include <limits.h>
#include <stdlib.h>

enum {
    FIRST_CAPACITY = 1024
};

static bool grow(coulomb_entries *list)
{
    const size_t capacity = list->capacity ? 2 * list->capacity : FIRST_CAPACITY;
    if (capacity > INT_MAX)
        return false; /* places in matrices of blocks are ints */
    int *row = realloc(list->row, capacity * sizeof *row);
    list->row = row ? row : list->row;
    int *column = realloc(list->column, capacity * sizeof *column);
    list->column = column ? column : list->column;
    double *value = realloc(list->value, capacity * sizeof *value);
    list->value = value ? value : list->value;
    if (!row || !column || !value)
        return false;
    list->capacity = capacity;
    return true;
}

static int place_in_space(const coulomb_entries *list, int place)
{
    return list->place ? list->place[place] : 3 * (place / list->dimension) + place % list->dimension;
}

bool coulomb_entries_add(coulomb_entries *list, int row, int column, double value)
{
    if (value == 0.0)
        return true;
    if (list->count == list->capacity && !grow(list))
        return false;
    list->row[list->count] = place_in_space(list, row);
    list->column[list->count] = place_in_space(list, column);
    list->value[list->count] = value;
    list->count++;
    return true;
}

void coulomb_entries_free(coulomb_entries *list)
{
    free(list->row);
    free(list->column);
    free(list->value);
}

static bool add_second_tangents(coulomb_entries *list, int contacts)
{
    const int dimension = list->dimension;
    bool added = true;
    list->dimension = 3;
    for (int i = 0; dimension == 2 && added && i < contacts; i++)
        added = coulomb_entries_add(list, 3 * i + 2, 3 * i + 2, 1.0);
    list->dimension = dimension;
    return added;
}

carom_status coulomb_entries_finish(coulomb_entries *list, int contacts, const double *q, const double *mu,
                                    carom_arena *arena, carom_coulomb *problem, carom_error *error)
{
    double *own_q = carom_arena_take(arena, 3 * (size_t)contacts, sizeof *own_q);
    double *own_mu = carom_arena_take(arena, (size_t)contacts, sizeof *own_mu);
    if (!own_q || !own_mu || !add_second_tangents(list, contacts))
        return carom_fail_memory(error);
    for (int i = 0; i < contacts * list->dimension; i++)
        own_q[place_in_space(list, i)] = q[i];
    carom_copy(contacts, mu, own_mu);
    *problem = (carom_coulomb){.contacts = contacts, .q = own_q, .mu = own_mu};
    if (!carom_blocks_take(arena, contacts, list->count, list->row, list->column, list->value, &problem->W))
        return carom_fail_memory(error);
    return CAROM_OK;
}
