#include "contact/coulomb/parts/motion_factor.h"

#include <stdlib.h>

typedef struct matrix_entries {
    size_t count;
    int *row, *column;
    double *value;
} matrix_entries;

static void put(matrix_entries *list, int row, int column, double value)
{
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
}

static void put_all(matrix_entries *list, const carom_sparse *M, const carom_sparse *G)
{
    const int n = M->columns;
    for (int j = 0; j < n; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            put(list, M->row[k], j, M->value[k]);
    for (int j = 0; j < G->columns; j++)
        for (int k = G->column_start[j]; k < G->column_start[j + 1]; k++) {
            put(list, G->row[k], n + j, -G->value[k]);
            put(list, n + j, G->row[k], G->value[k]);
        }
}

static bool make_matrix(const carom_sparse *M, const carom_sparse *G, carom_arena *arena, carom_sparse *K)
{
    const size_t count = (size_t)M->column_start[M->columns] + 2 * (size_t)G->column_start[G->columns];
    matrix_entries list = {0, carom_new_array(count, sizeof(int)), carom_new_array(count, sizeof(int)),
                           carom_new_array(count, sizeof(double))};
    bool made = list.row && list.column && list.value;
    if (made) {
        const int size = M->columns + G->columns;
        put_all(&list, M, G);
        made = carom_sparse_take(arena, size, size, list.count, list.row, list.column, list.value, K);
    }
    free(list.row);
    free(list.column);
    free(list.value);
    return made;
}

carom_status coulomb_motion_explain(const carom_coulomb_global *global, carom_error *error)
{
    carom_sparse_factor *factor = NULL;
    carom_error reason = {0};
    const carom_status status = carom_sparse_factor_create(&global->M, &factor, &reason);
    carom_sparse_factor_free(factor);
    if (status == CAROM_FAILED)
        return carom_fail(error, CAROM_FAILED, "M is singular: %s", reason.text);
    if (status != CAROM_OK)
        return carom_fail(error, status, "%s", reason.text);
    return carom_fail(error, CAROM_FAILED,
                      "redundant bilateral constraints: some of the %d equations G^T v + b = 0 follow from "
                      "the others, or contradict them",
                      global->G.columns);
}

carom_status coulomb_motion_factor(const carom_coulomb_global *global, carom_sparse_factor **factor,
                                   carom_error *error)
{
    carom_sparse K = global->M;
    carom_arena *arena = carom_arena_create();
    carom_status status = arena ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK && global->G.columns > 0 && !make_matrix(&global->M, &global->G, arena, &K))
        status = carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_sparse_factor_create(&K, factor, error);
    carom_arena_free(arena);
    return status == CAROM_FAILED ? coulomb_motion_explain(global, error) : status;
}
