/* From reactions back to what the reduction eliminated: velocities of the bodies, multipliers of equations.
 */
#include <stdlib.h>
#include <string.h>

#include "carom/contact.h"

/* Entries of a matrix that is put together from others. */
typedef struct entries {
    size_t count;
    int *row, *column;
    double *value;
} entries;

static void add_entry(entries *to, int row, int column, double value)
{
    to->row[to->count] = row;
    to->column[to->count] = column;
    to->value[to->count++] = value;
}

static size_t entry_count(const carom_sparse *a)
{
    return (size_t)a->column_start[a->columns];
}

/* [ M  -G ]
 * [ G^T 0 ] */
static bool take_system(const carom_coulomb_global *global, carom_arena *arena, carom_sparse *system)
{
    const carom_sparse *M = &global->M, *G = &global->G;
    const int n = M->rows, p = G->columns;
    const size_t most = entry_count(M) + (p > 0 ? 2 * entry_count(G) : 0);
    entries all = {.row = carom_arena_take(arena, most, sizeof(int)),
                   .column = carom_arena_take(arena, most, sizeof(int)),
                   .value = carom_arena_take(arena, most, sizeof(double))};
    if (!all.row || !all.column || !all.value)
        return false;
    for (int j = 0; j < n; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            add_entry(&all, M->row[k], j, M->value[k]);
    for (int j = 0; j < p; j++)
        for (int k = G->column_start[j]; k < G->column_start[j + 1]; k++) {
            add_entry(&all, G->row[k], n + j, -G->value[k]);
            add_entry(&all, n + j, G->row[k], G->value[k]);
        }
    return carom_sparse_take(arena, n + p, n + p, all.count, all.row, all.column, all.value, system);
}

static carom_status solve_system(const carom_coulomb_global *global, const double *r, carom_arena *arena,
                                 double *v, double *l, carom_error *error)
{
    const int n = global->M.rows, p = global->G.columns;
    carom_sparse system;
    double *x = carom_arena_take(arena, (size_t)n + (size_t)p, sizeof *x);
    if (!x || !take_system(global, arena, &system))
        return carom_fail_memory(error);
    carom_sparse_factor *factor = NULL;
    const carom_status status = carom_sparse_factor_create(&system, &factor, error);
    if (status != CAROM_OK)
        return status;
    memcpy(x, global->f, (size_t)n * sizeof *x);
    carom_sparse_add(&global->H, r, x);
    for (int j = 0; j < p; j++)
        x[n + j] = -global->b[j];
    carom_sparse_solve(factor, x);
    carom_sparse_factor_free(factor);
    memcpy(v, x, (size_t)n * sizeof *v);
    if (p > 0)
        memcpy(l, x + n, (size_t)p * sizeof *l);
    return CAROM_OK;
}

carom_status carom_coulomb_motion(const carom_coulomb_global *global, const double *r, double *v, double *l,
                                  carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    const carom_status status = solve_system(global, r, arena, v, l, error);
    carom_arena_free(arena);
    return status;
}

carom_status carom_coulomb_multipliers(const carom_coulomb_local *local, const double *r, double *l,
                                       carom_error *error)
{
    carom_sparse_factor *factor = NULL;
    const carom_status status = carom_sparse_factor_create(&local->R, &factor, error);
    if (status != CAROM_OK)
        return status;
    memcpy(l, local->s, (size_t)local->R.rows * sizeof *l);
    carom_sparse_add_transposed(&local->V, r, l);
    for (int j = 0; j < local->R.rows; j++)
        l[j] = -l[j];
    carom_sparse_solve(factor, l);
    carom_sparse_factor_free(factor);
    return CAROM_OK;
}
