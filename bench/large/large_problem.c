#include "large_problem.h"

#include <stdlib.h>

static bool grow(large_entries *list)
{
    const size_t room = list->room ? 2 * list->room : 4096;
    int *row = realloc(list->row, carom_product(room, sizeof *row));
    if (row)
        list->row = row;
    int *column = realloc(list->column, carom_product(room, sizeof *column));
    if (column)
        list->column = column;
    double *value = realloc(list->value, carom_product(room, sizeof *value));
    if (value)
        list->value = value;
    if (!row || !column || !value)
        return false;
    list->room = room;
    return true;
}

void large_entries_put(large_entries *list, int row, int column, double value)
{
    if (value == 0.0 || list->failed)
        return;
    if (list->count == list->room && !grow(list)) {
        list->failed = true;
        return;
    }
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
}

void large_entries_free(large_entries *list)
{
    free(list->row);
    free(list->column);
    free(list->value);
    *list = (large_entries){0};
}

carom_status large_problem_finish(carom_arena *arena, const carom_coulomb_global *sizes,
                                  const large_entries *M, const large_entries *H, const char *title,
                                  carom_fclib **problem, carom_error *error)
{
    carom_fclib *made = NULL;
    if (arena && sizes->f && sizes->w && sizes->mu && !M->failed && !H->failed)
        made = carom_arena_take(arena, 1, sizeof *made);
    if (made) {
        made->arena = arena;
        made->is_global = true;
        made->global = *sizes;
        made->title = carom_arena_copy_text(arena, title);
        const int n = sizes->M.columns;
        int *none = carom_arena_take(arena, 1, sizeof *none);
        made->global.G = (carom_sparse){.rows = n, .column_start = none};
        if (none && made->title &&
            carom_sparse_take(arena, n, n, M->count, M->row, M->column, M->value, &made->global.M) &&
            carom_sparse_take(arena, n, sizes->H.columns, H->count, H->row, H->column, H->value,
                              &made->global.H)) {
            *problem = made;
            return CAROM_OK;
        }
    }
    carom_arena_free(arena);
    *problem = NULL;
    return carom_fail_memory(error);
}

carom_status large_problem_close(carom_arena *arena, int velocities, int contacts, const double *f,
                                 const double *w, const double *mu, large_entries *M, large_entries *H,
                                 const char *title, carom_fclib **problem, carom_error *error)
{
    const carom_coulomb_global sizes = {.dimension = 3,
                                        .contacts = contacts,
                                        .M = {.rows = velocities, .columns = velocities},
                                        .H = {.rows = velocities, .columns = 3 * contacts},
                                        .f = f,
                                        .w = w,
                                        .mu = mu};
    const carom_status made = large_problem_finish(arena, &sizes, M, H, title, problem, error);
    large_entries_free(M);
    large_entries_free(H);
    return made;
}
