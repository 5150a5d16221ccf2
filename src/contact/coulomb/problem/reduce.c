/* From M v = H r + G l + f, G^T v + b = 0, u = H^T v + w to u = W r + q. With
 *
 *   K = ( M   -G )      K (v, l) = (H r + f, -b)
 *       ( G^T  0 )
 *
 * columns of W are H^T times the upper part of K^-1 (H_j, 0). Elimination of v and then of l gives the usual
 * W = H^T M^-1 H - V S^-1 V', S = G^T M^-1 G, V = H^T M^-1 G, V' = G^T M^-1 H, which is V^T when M is
 * symmetric.
 *
 * Where K falls into parts that have nothing to do with each other, as bodies of a pile, columns of H that act on different parts are solved
 * at once, and a column of W has entries only where H acts on the same parts: the work grows with the entries of W. */
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
    int *part; /* of each unknown, 0 to parts - 1 */
    int parts;
    int *start, *who; /* of each part: columns of H that act on it, perhaps more than once */
    int *next;        /* column after this one of those that are left; the last is H.columns */
    int *used, *mine; /* of each part: the round that it was used in, the column that is looked at */
    int *seen;        /* of each column: for which column it was looked at last */
    int *picked;      /* columns of a round */
} reduction;

/* ---- parts ---------------------------------------------------------------------------------------------- */

static int root_of(int *part, int i)
{
    while (part[i] != i)
        i = part[i] = part[part[i]];
    return i;
}

static void unite(int *part, int a, int b)
{
    a = root_of(part, a);
    b = root_of(part, b);
    part[a < b ? b : a] = a < b ? a : b;
}

static void find_parts(reduction *work)
{
    const carom_sparse *M = &work->global->M, *G = &work->global->G;
    const int n = M->columns, all = n + G->columns;
    for (int i = 0; i < all; i++)
        work->part[i] = i;
    for (int j = 0; j < n; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            unite(work->part, M->row[k], j);
    for (int j = 0; j < G->columns; j++)
        for (int k = G->column_start[j]; k < G->column_start[j + 1]; k++)
            unite(work->part, G->row[k], n + j);
    for (int i = 0; i < all; i++)
        work->part[i] = root_of(work->part, i);
    for (int i = 0; i < all;
         i++) /* a root is the first of its part, and has its number before the others look */
        work->part[i] = work->part[i] == i ? work->parts++ : work->part[work->part[i]];
}

/* Columns of H by the parts they act on. */
static void list_columns(reduction *work)
{
    const carom_sparse *H = &work->global->H;
    for (int k = 0; k < H->column_start[H->columns]; k++)
        work->start[work->part[H->row[k]] + 1]++;
    for (int c = 0; c < work->parts; c++)
        work->start[c + 1] += work->start[c];
    for (int j = 0; j < H->columns; j++)
        for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++)
            work->who[work->start[work->part[H->row[k]]]++] = j;
    for (int c = work->parts; c > 0; c--) /* each start has moved to its end */
        work->start[c] = work->start[c - 1];
    work->start[0] = 0;
}

/* ---- columns of W, and q ------------------------------------------------------------------------------- */

static size_t unknowns(const reduction *work)
{
    return (size_t)work->global->M.columns + (size_t)work->global->G.columns;
}

static bool is_free(const reduction *work, int j, int round)
{
    const carom_sparse *H = &work->global->H;
    for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++)
        if (work->used[work->part[H->row[k]]] == round)
            return false;
    return true;
}

/* Takes columns of those that are left, no two of which act on one part, and solves for all of them. Returns their number. */
static int solve_round(reduction *work, int *first, int round)
{
    const carom_sparse *H = &work->global->H;
    int count = 0, parts = 0;
    memset(work->x, 0, unknowns(work) * sizeof *work->x);
    for (int *place = first; *place < H->columns;) {
        const int j = *place;
        if (!is_free(work, j, round)) {
            place = &work->next[j];
            continue;
        }
        for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++) {
            int *used = &work->used[work->part[H->row[k]]];
            parts += *used != round;
            *used = round;
            work->x[H->row[k]] = H->value[k];
        }
        work->picked[count++] = j;
        *place = work->next[j];
        if (parts == work->parts)
            break;
    }
    carom_sparse_solve(work->factor, work->x);
    return count;
}

/* H_i . x in the parts of column j. */
static double product(const reduction *work, int i, int j)
{
    const carom_sparse *H = &work->global->H;
    double sum = 0.0;
    for (int k = H->column_start[i]; k < H->column_start[i + 1]; k++)
        if (work->mine[work->part[H->row[k]]] == j)
            sum += H->value[k] * work->x[H->row[k]];
    return sum;
}

static bool add_column(reduction *work, int j)
{
    const carom_sparse *H = &work->global->H;
    for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++)
        work->mine[work->part[H->row[k]]] = j;
    for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++) {
        const int c = work->part[H->row[k]];
        for (int w = work->start[c]; w < work->start[c + 1]; w++) {
            const int i = work->who[w];
            if (work->seen[i] == j)
                continue;
            work->seen[i] = j;
            if (!coulomb_entries_add(work->entries, i, j, product(work, i, j)))
                return false;
        }
    }
    return true;
}

static bool add_columns(reduction *work)
{
    const carom_sparse *H = &work->global->H;
    int first = 0;
    for (int j = 0; j < H->columns; j++) {
        work->next[j] = j + 1;
        work->seen[j] = -1;
    }
    for (int c = 0; c < work->parts; c++)
        work->used[c] = work->mine[c] = -1;
    for (int round = 0; first < H->columns; round++) {
        const int count = solve_round(work, &first, round);
        for (int k = 0; k < count; k++)
            if (!add_column(work, work->picked[k]))
                return false;
    }
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

static bool take_memory(reduction *work)
{
    const carom_sparse *H = &work->global->H;
    const size_t all = unknowns(work), columns = (size_t)H->columns,
                 entries = (size_t)H->column_start[H->columns];
    work->x = carom_new_array(all, sizeof *work->x);
    work->column = carom_new_array(columns, sizeof *work->column);
    work->part = carom_new_array(all, sizeof *work->part);
    work->start = carom_new_array(all + 1, sizeof *work->start);
    work->who = carom_new_array(entries, sizeof *work->who);
    work->next = carom_new_array(columns, sizeof *work->next);
    work->used = carom_new_array(all, sizeof *work->used);
    work->mine = carom_new_array(all, sizeof *work->mine);
    work->seen = carom_new_array(columns, sizeof *work->seen);
    work->picked = carom_new_array(columns, sizeof *work->picked);
    return work->x && work->column && work->part && work->start && work->who && work->next && work->used &&
           work->mine && work->seen && work->picked;
}

/* All but the column. */
static void free_memory(reduction *work)
{
    void *array[] = {work->x,    work->part, work->start, work->who,   work->next,
                     work->used, work->mine, work->seen,  work->picked};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
}

static carom_status reduce(reduction *work, carom_error *error)
{
    const carom_coulomb_global *global = work->global;
    if (!take_memory(work))
        return carom_fail_memory(error);
    const carom_status status = coulomb_motion_factor(global, &work->factor, error);
    if (status != CAROM_OK)
        return status;
    find_parts(work);
    list_columns(work);
    if (!add_columns(work))
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
    const carom_status status = reduce(&work, error);
    carom_sparse_factor_free(work.factor);
    *q = work.column;
    free_memory(&work);
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
