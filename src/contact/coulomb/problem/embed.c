/* From u = W r + V l + q, 0 = V^T r + R l + s to u = W r + q:  W - V R^-1 V^T,  q - V R^-1 s. */
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/entries.h"
#include "contact/coulomb/parts/refuse_rolling.h"

typedef struct elimination {
    const carom_coulomb_local *local;
    carom_sparse_factor *factor; /* of R */
    carom_sparse rows_of_V;      /* V^T */
    double *l;                   /* p */
    double *column;              /* of V R^-1 V^T, or q */
    coulomb_entries *entries;
} elimination;

static bool transpose(const carom_sparse *a, carom_arena *arena, carom_sparse *transposed)
{
    const size_t count = (size_t)a->column_start[a->columns];
    int *column = carom_new_array(count, sizeof *column);
    for (int j = 0; column && j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            column[k] = j;
    const bool made =
        column && carom_sparse_take(arena, a->columns, a->rows, count, column, a->row, a->value, transposed);
    free(column);
    return made;
}

static bool add_W(elimination *work)
{
    const carom_sparse *W = &work->local->W;
    for (int j = 0; j < W->columns; j++)
        for (int k = W->column_start[j]; k < W->column_start[j + 1]; k++)
            if (!coulomb_entries_add(work->entries, W->row[k], j, W->value[k]))
                return false;
    return true;
}

/* - V R^-1 (V^T)_j */
static bool add_correction(elimination *work, int j)
{
    const carom_sparse *V = &work->local->V, *rows = &work->rows_of_V;
    if (rows->column_start[j] == rows->column_start[j + 1])
        return true;
    memset(work->l, 0, (size_t)V->columns * sizeof *work->l);
    for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
        work->l[rows->row[k]] = -rows->value[k];
    carom_sparse_solve(work->factor, work->l);
    memset(work->column, 0, (size_t)V->rows * sizeof *work->column);
    carom_sparse_add(V, work->l, work->column);
    for (int i = 0; i < V->rows; i++)
        if (!coulomb_entries_add(work->entries, i, j, work->column[i]))
            return false;
    return true;
}

static carom_status eliminate(elimination *work, carom_arena *scratch, carom_error *error)
{
    const carom_coulomb_local *local = work->local;
    carom_error reason = {0};
    if (!scratch || !transpose(&local->V, scratch, &work->rows_of_V))
        return carom_fail_memory(error);
    const carom_status status = carom_sparse_factor_create(&local->R, &work->factor, &reason);
    if (status == CAROM_FAILED)
        return carom_fail(error, CAROM_FAILED, "redundant bilateral constraints: R: %s", reason.text);
    if (status != CAROM_OK)
        return carom_fail(error, status, "%s", reason.text);
    for (int j = 0; j < local->V.rows; j++)
        if (!add_correction(work, j))
            return carom_fail_memory(error);
    return CAROM_OK;
}

/* Into `column`. */
static void compute_q(elimination *work)
{
    const carom_coulomb_local *local = work->local;
    if (local->W.rows > 0)
        memcpy(work->column, local->q, (size_t)local->W.rows * sizeof *work->column);
    if (!work->factor)
        return;
    for (int i = 0; i < local->V.columns; i++)
        work->l[i] = -local->s[i];
    carom_sparse_solve(work->factor, work->l);
    carom_sparse_add(&local->V, work->l, work->column);
}

static carom_status embed(elimination *work, carom_error *error)
{
    const carom_coulomb_local *local = work->local;
    if (!work->l || !work->column || !add_W(work))
        return carom_fail_memory(error);
    if (local->R.columns > 0) {
        carom_arena *scratch = carom_arena_create();
        const carom_status status = eliminate(work, scratch, error);
        carom_arena_free(scratch);
        if (status != CAROM_OK)
            return status;
    }
    compute_q(work);
    return CAROM_OK;
}

carom_status coulomb_embed_to(const carom_coulomb_local *local, coulomb_entries *list, double **q,
                              carom_error *error)
{
    elimination work = {.local = local, .entries = list};
    work.l = carom_new_array((size_t)local->R.columns, sizeof *work.l);
    work.column = carom_new_array((size_t)local->W.rows, sizeof *work.column);
    const carom_status status = embed(&work, error);
    carom_sparse_factor_free(work.factor);
    free(work.l);
    *q = work.column;
    return status;
}

carom_status carom_coulomb_embed(const carom_coulomb_local *local, carom_arena *arena, carom_coulomb *problem,
                                 carom_error *error)
{
    coulomb_entries list = {.dimension = local->dimension};
    double *q = NULL;
    carom_status status = coulomb_refuse_rolling(local->mu_r, error);
    if (status == CAROM_OK)
        status = coulomb_embed_to(local, &list, &q, error);
    if (status == CAROM_OK)
        status = coulomb_entries_finish(&list, local->contacts, q, local->mu, arena, problem, error);
    coulomb_entries_free(&list);
    free(q);
    return status;
}
