#include "alpha_saddle.h"

#include <stdlib.h>
#include <string.h>

/* Bands up to this width are eliminated in place, wider ones are left to carom_sparse_factor. */
enum {
    NARROW_WIDTH = 14
};

static bool is_of_rows(carom_mechanism_block block)
{
    return block == CAROM_BLOCK_ROWS || block == CAROM_BLOCK_RATE_BY_Q ||
           block == CAROM_BLOCK_CURVATURE_BY_Q || block == CAROM_BLOCK_CURVATURE_BY_V;
}

static int entries_of(const carom_sparse *a)
{
    return a->column_start[a->columns];
}

/* ---- places -------------------------------------------------------------------------------------------- */

typedef struct places {
    int *row, *column;
    double *value;
    size_t count;
} places;

static void note_place(places *list, int row, int column)
{
    list->row[list->count] = row;
    list->column[list->count++] = column;
}

static void note_block(places *list, const carom_sparse *block, int first_row)
{
    for (int j = 0; j < block->columns; j++)
        for (int k = block->column_start[j]; k < block->column_start[j + 1]; k++)
            note_place(list, first_row + block->row[k], j);
}

static void note_all(places *list, const saddle *s)
{
    for (carom_mechanism_block b = 0; b < CAROM_BLOCKS; b++)
        if (s->block[b])
            note_block(list, s->block[b], is_of_rows(b) ? s->dof : 0);
    const carom_sparse *rows = s->block[CAROM_BLOCK_ROWS];
    for (int j = 0; j < rows->columns; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
            note_place(list, j, s->dof + rows->row[k]);
    for (int i = 0; i < s->constraints; i++)
        note_place(list, s->dof + i, s->dof + i);
}

static bool take_pattern(saddle *s, carom_arena *arena)
{
    const int size = s->dof + s->constraints;
    size_t count = (size_t)s->constraints + (size_t)entries_of(s->block[CAROM_BLOCK_ROWS]);
    for (int b = 0; b < CAROM_BLOCKS; b++)
        if (s->block[b])
            count += (size_t)entries_of(s->block[b]);
    places list = {carom_new_array(count, sizeof(int)), carom_new_array(count, sizeof(int)),
                   carom_new_array(count, sizeof(double)), 0};
    bool taken = list.row && list.column && list.value;
    if (taken) {
        note_all(&list, s);
        taken = carom_sparse_take(arena, size, size, count, list.row, list.column, list.value, &s->matrix);
    }
    free(list.row);
    free(list.column);
    free(list.value);
    return taken;
}

/* Rows are ascending within a column. */
static int find_place(const carom_sparse *a, int row, int column)
{
    int low = a->column_start[column], high = a->column_start[column + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool take_places(saddle *s, carom_arena *arena)
{
    for (carom_mechanism_block b = 0; b < CAROM_BLOCKS; b++) {
        const carom_sparse *block = s->block[b];
        if (!block)
            continue;
        int *place = s->place[b] = carom_arena_take(arena, (size_t)entries_of(block), sizeof(int));
        for (int j = 0; place && j < block->columns; j++)
            for (int k = block->column_start[j]; k < block->column_start[j + 1]; k++)
                place[k] = find_place(&s->matrix, block->row[k] + (is_of_rows(b) ? s->dof : 0), j);
        if (!place)
            return false;
    }
    const carom_sparse *rows = s->block[CAROM_BLOCK_ROWS];
    s->transposed = carom_arena_take(arena, (size_t)entries_of(rows), sizeof(int));
    s->diagonal = carom_arena_take(arena, (size_t)s->constraints, sizeof(int));
    if (!s->transposed || !s->diagonal)
        return false;
    for (int j = 0; j < rows->columns; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++)
            s->transposed[k] = find_place(&s->matrix, j, s->dof + rows->row[k]);
    for (int i = 0; i < s->constraints; i++)
        s->diagonal[i] = find_place(&s->matrix, s->dof + i, s->dof + i);
    return true;
}

/* Memory of the bands, when an order makes the matrix narrow. */
static bool take_bands(saddle *s, carom_arena *arena)
{
    const int size = s->dof + s->constraints;
    const carom_sparse *a = &s->matrix;
    s->order = carom_arena_take(arena, (size_t)size, sizeof(int));
    s->band_place = carom_arena_take(arena, (size_t)entries_of(a), sizeof(int));
    s->ordered = carom_arena_take(arena, (size_t)size, sizeof(double));
    if (!s->order || !s->band_place || !s->ordered)
        return false;
    const int width = carom_narrow_order(a, s->order);
    s->narrow = width >= 0 && width <= NARROW_WIDTH;
    for (int i = 0; i < SADDLE_SLOTS && s->narrow; i++)
        if (!carom_narrow_take(arena, size, width, &s->slot[i].band))
            return false;
    for (int j = 0; j < a->columns && s->narrow; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            s->band_place[k] = (int)carom_narrow_place(&s->slot[0].band, s->order[a->row[k]], s->order[j]);
    return width >= 0;
}

bool saddle_take(saddle *s, carom_arena *arena, const carom_model *model, unsigned parts, double scale)
{
    *s = (saddle){.dof = model->dof,
                  .constraints = model->joints + model->contacts,
                  .joints = model->joints,
                  .scale = scale};
    parts |= 1u << CAROM_BLOCK_MASS | 1u << CAROM_BLOCK_ROWS;
    for (carom_mechanism_block b = 0; b < CAROM_BLOCKS; b++)
        if (parts >> b & 1u)
            s->block[b] = model->ops->block_pattern(model, b);
    if (!take_pattern(s, arena) || !take_places(s, arena))
        return false;
    const size_t entries = (size_t)entries_of(&s->matrix);
    s->value = carom_arena_take(arena, entries, sizeof(double));
    s->matrix.value = s->value;
    for (int i = 0; i < SADDLE_SLOTS; i++)
        if (!(s->slot[i].value = carom_arena_take(arena, entries, sizeof(double))))
            return false;
    return s->value && take_bands(s, arena);
}

void saddle_free(saddle *s)
{
    for (int i = 0; i < SADDLE_SLOTS; i++)
        carom_sparse_factor_free(s->slot[i].factor);
}

/* Narrow matrices are eliminated the same way whatever was before; the pivots of others depend on their past. */
void saddle_keep(saddle *s, carom_snapshot *snapshot)
{
    const size_t bytes = (size_t)entries_of(&s->matrix) * sizeof *s->value;
    for (int i = 0; i < SADDLE_SLOTS && !s->narrow; i++) {
        saddle_slot *slot = &s->slot[i];
        carom_snapshot_block(snapshot, slot->value, bytes);
        carom_snapshot_block(snapshot, &slot->filled, sizeof slot->filled);
        carom_snapshot_block(snapshot, &slot->used, sizeof slot->used);
        carom_sparse_factor_keep(&slot->factor, &s->matrix, snapshot);
    }
    carom_snapshot_block(snapshot, &s->uses, sizeof s->uses);
}

/* ---- values -------------------------------------------------------------------------------------------- */

void saddle_begin(saddle *s, const bool *acts, const double *rows)
{
    s->acts = acts;
    memset(s->value, 0, (size_t)entries_of(&s->matrix) * sizeof *s->value);
    for (int i = 0; i < s->constraints; i++)
        if (!acts[i])
            s->value[s->diagonal[i]] = 1.0;
    for (int k = 0; k < entries_of(s->block[CAROM_BLOCK_ROWS]); k++)
        s->value[s->transposed[k]] -= s->scale * rows[k];
}

void saddle_add(saddle *s, carom_mechanism_block block, double factor, const double *entry)
{
    const carom_sparse *pattern = s->block[block];
    const int *place = s->place[block];
    const bool of_rows = is_of_rows(block);
    for (int k = 0; k < entries_of(pattern); k++)
        if (!of_rows || s->acts[pattern->row[k]])
            s->value[place[k]] += factor * entry[k];
}

carom_status saddle_order(saddle *s, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < SADDLE_SLOTS && status == CAROM_OK && !s->narrow; i++)
        status = carom_sparse_factor_create(&s->matrix, &s->slot[i].factor, error);
    return status;
}

/* Compliance of contacts, relative to what a mass as large as the scale would give. */
static const double softness = 1e-8;

/* [A -G^T; B c] with c = softness |G_j|^2 for contacts that act. False: there are none. */
static bool soften(saddle *s)
{
    const carom_sparse *rows = s->block[CAROM_BLOCK_ROWS];
    bool softened = false;
    for (int k = 0; k < entries_of(rows); k++) {
        const int j = rows->row[k];
        const double entry = s->value[s->transposed[k]] / s->scale;
        if (j < s->joints || !s->acts[j] || entry == 0.0)
            continue;
        s->value[s->diagonal[j]] += softness * entry * entry;
        softened = true;
    }
    return softened;
}

/* The slot that was not used for the longest time. */
static saddle_slot *oldest(saddle *s)
{
    saddle_slot *found = &s->slot[0];
    for (int i = 1; i < SADDLE_SLOTS; i++)
        if (s->slot[i].used < found->used)
            found = &s->slot[i];
    return found;
}

static carom_status factor_band(saddle *s, carom_narrow *band, carom_error *error)
{
    const size_t room = (size_t)band->size * (3 * (size_t)band->width + 1);
    memset(band->entry, 0, room * sizeof *band->entry);
    for (int k = 0; k < entries_of(&s->matrix); k++)
        band->entry[s->band_place[k]] = s->value[k];
    const int bad = carom_narrow_factor(band);
    return bad == 0 ? CAROM_OK
                    : carom_fail(error, CAROM_FAILED, "the matrix is singular: pivot %d of %d is rounding",
                                 bad, band->size);
}

static carom_status factor_slot(saddle *s, saddle_slot *slot, carom_error *error)
{
    return s->narrow ? factor_band(s, &slot->band, error)
                     : carom_sparse_factor_again(slot->factor, s->value, error);
}

carom_status saddle_prepare(saddle *s, carom_error *error)
{
    const size_t bytes = (size_t)entries_of(&s->matrix) * sizeof *s->value;
    s->current = NULL;
    for (int i = 0; i < SADDLE_SLOTS && !s->current; i++)
        if (s->slot[i].filled && memcmp(s->slot[i].value, s->value, bytes) == 0)
            s->current = &s->slot[i];
    carom_status status = CAROM_OK;
    if (!s->current) {
        s->current = oldest(s);
        memcpy(s->current->value, s->value, bytes);
        status = factor_slot(s, s->current, error);
        if (status == CAROM_FAILED && soften(s))
            status = factor_slot(s, s->current, error);
        s->current->filled = status == CAROM_OK;
    }
    s->current->used = ++s->uses;
    return status;
}

static void solve_band(const saddle *s, const carom_narrow *band, double *x)
{
    for (int i = 0; i < band->size; i++)
        s->ordered[s->order[i]] = x[i];
    carom_narrow_solve(band, s->ordered);
    for (int i = 0; i < band->size; i++)
        x[i] = s->ordered[s->order[i]];
}

void saddle_solve(saddle *s, double *x)
{
    if (s->narrow)
        solve_band(s, &s->current->band, x);
    else
        carom_sparse_solve(s->current->factor, x);
    for (int i = 0; i < s->constraints; i++)
        x[s->dof + i] *= s->scale;
}
