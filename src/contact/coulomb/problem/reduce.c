/* From M v = H r + G l + f, G^T v + b = 0, u = H^T v + w to u = W r + q. With
 *
 *   K = ( M   -G )      K (v, l) = (H r + f, -b)
 *       ( G^T  0 )
 *
 * columns of W are H^T times the upper part of K^-1 (H_j, 0). Elimination of v and then of l gives the usual
 * W = H^T M^-1 H - V S^-1 V', S = G^T M^-1 G, V = H^T M^-1 G, V' = G^T M^-1 H, which is V^T when M is
 * symmetric. */
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/entries.h"
#include "contact/coulomb/parts/motion_factor.h"
#include "contact/coulomb/parts/refuse_rolling.h"

typedef struct reduction {
    const carom_coulomb_global *global;
    carom_sparse_factor *factor; /* of K */
    double *x;                   /* a solution (v, l) */
    double *column;              /* of W, or q */
    coulomb_entries *entries;
} reduction;

/* ---- columns of W, and q ------------------------------------------------------------------------------- */

static size_t unknowns(const reduction *work)
{
    return (size_t)work->global->M.columns + (size_t)work->global->G.columns;
}

static bool add_column(reduction *work, int j)
{
    const carom_sparse *H = &work->global->H;
    if (H->column_start[j] == H->column_start[j + 1])
        return true;
    memset(work->x, 0, unknowns(work) * sizeof *work->x);
    for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++)
        work->x[H->row[k]] = H->value[k];
    carom_sparse_solve(work->factor, work->x);
    memset(work->column, 0, (size_t)H->columns * sizeof *work->column);
    carom_sparse_add_transposed(H, work->x, work->column);
    for (int i = 0; i < H->columns; i++)
        if (!coulomb_entries_add(work->entries, i, j, work->column[i]))
            return false;
    return true;
}

/* Into `column`. */
static void compute_q(reduction *work)
{
    const carom_coulomb_global *global = work->global;
    const size_t n = (size_t)global->M.columns;
    memcpy(work->x, global->f, n * sizeof *work->x);
    for (int i = 0; i < global->G.columns; i++)
        work->x[n + (size_t)i] = -global->b[i];
    carom_sparse_solve(work->factor, work->x);
    memcpy(work->column, global->w, (size_t)global->H.columns * sizeof *work->column);
    carom_sparse_add_transposed(&global->H, work->x, work->column);
}

static carom_status reduce(reduction *work, carom_error *error)
{
    const carom_coulomb_global *global = work->global;
    if (!work->x || !work->column)
        return carom_fail_memory(error);
    const carom_status status = coulomb_motion_factor(global, &work->factor, error);
    if (status != CAROM_OK)
        return status;
    for (int j = 0; j < global->H.columns; j++)
        if (!add_column(work, j))
            return carom_fail_memory(error);
    compute_q(work);
    return CAROM_OK;
}

carom_status coulomb_reduce_to(const carom_coulomb_global *global, coulomb_entries *list, double **q,
                               carom_error *error)
{
    *q = NULL;
    if (!global->M.column_start || !global->H.column_start)
        return carom_fail(error, CAROM_BAD_INPUT, "the global problem has no matrix %s",
                          global->M.column_start ? "H" : "M");
    reduction work = {.global = global, .entries = list};
    work.x = carom_new_array(unknowns(&work), sizeof *work.x);
    work.column = carom_new_array((size_t)global->H.columns, sizeof *work.column);
    const carom_status status = reduce(&work, error);
    carom_sparse_factor_free(work.factor);
    free(work.x);
    *q = work.column;
    return status;
}

carom_status carom_coulomb_reduce(const carom_coulomb_global *global, carom_arena *arena,
                                  carom_coulomb *problem, carom_error *error)
{
    coulomb_entries list = {.dimension = global->dimension};
    double *q = NULL;
    carom_status status = coulomb_refuse_rolling(global->mu_r, error);
    if (status == CAROM_OK)
        status = coulomb_reduce_to(global, &list, &q, error);
    if (status == CAROM_OK)
        status = coulomb_entries_finish(&list, global->contacts, q, global->mu, arena, problem, error);
    coulomb_entries_free(&list);
    free(q);
    return status;
}
