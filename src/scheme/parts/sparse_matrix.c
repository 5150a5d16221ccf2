#include "sparse_matrix.h"

#include <stdlib.h>
#include <string.h>

/* Bands up to this width are eliminated in place, wider ones are left to KLU. */
enum {
    NARROW_WIDTH = 14
};

/* ---- places -------------------------------------------------------------------------------------------- */

typedef struct places {
    int *row, *column;
    double *value;
    size_t count;
} places;

static void note(places *list, int row, int column)
{
    list->row[list->count] = row;
    list->column[list->count++] = column;
}

bool sparse_union(carom_arena *arena, int count, const carom_sparse *const *a, bool symmetric,
                  carom_sparse *sum)
{
    const int size = a[0]->columns;
    size_t entries = (size_t)size;
    for (int m = 0; m < count; m++)
        entries += (symmetric ? 2 : 1) * (size_t)carom_sparse_entries(a[m]);
    places list = {carom_new_array(entries, sizeof(int)), carom_new_array(entries, sizeof(int)),
                   carom_new_array(entries, sizeof(double)), 0};
    bool taken = list.row && list.column && list.value;
    for (int j = 0; taken && j < size; j++) {
        note(&list, j, j);
        for (int m = 0; m < count; m++)
            for (int k = a[m]->column_start[j]; k < a[m]->column_start[j + 1]; k++) {
                note(&list, a[m]->row[k], j);
                if (symmetric)
                    note(&list, j, a[m]->row[k]);
            }
    }
    taken = taken && carom_sparse_take(arena, size, size, list.count, list.row, list.column, list.value, sum);
    free(list.row);
    free(list.column);
    free(list.value);
    return taken;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool take_band(sparse_matrix *self, carom_arena *arena)
{
    const size_t size = (size_t)self->size;
    const carom_sparse *a = &self->pattern;
    self->order = carom_arena_take(arena, size, sizeof(int));
    self->ordered = carom_arena_take(arena, size, sizeof(double));
    if (!self->order || !self->ordered)
        return false;
    const int width = carom_narrow_order(a, self->order);
    self->narrow = width >= 0 && width <= NARROW_WIDTH;
    if (!self->narrow)
        return width >= 0;
    self->band_place = carom_arena_take(arena, (size_t)carom_sparse_entries(a), sizeof(int));
    if (!self->band_place || !carom_narrow_take(arena, self->size, width, &self->band))
        return false;
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            self->band_place[k] =
                (int)carom_narrow_place(&self->band, self->order[a->row[k]], self->order[j]);
    return true;
}

bool sparse_matrix_take(sparse_matrix *self, carom_arena *arena, const carom_sparse *pattern)
{
    const size_t entries = (size_t)carom_sparse_entries(pattern);
    *self = (sparse_matrix){.size = pattern->columns, .pattern = *pattern};
    self->value = carom_arena_take(arena, entries, sizeof(double));
    self->factored = carom_arena_take(arena, entries, sizeof(double));
    self->pattern.value = self->value;
    self->diagonal = carom_sparse_is_diagonal(pattern) && carom_sparse_entries(pattern) == self->size;
    return self->value && self->factored && (self->diagonal || take_band(self, arena));
}

void sparse_matrix_free(sparse_matrix *self)
{
    carom_sparse_factor_free(self->factor);
    self->factor = NULL;
}

/* ---- factors ------------------------------------------------------------------------------------------- */

static int check_diagonal(const sparse_matrix *self)
{
    for (int i = 0; i < self->size; i++)
        if (self->value[i] == 0.0)
            return i + 1;
    return 0;
}

/* The unknown that stands at a place of the order, from 1. */
static int unknown_at(const sparse_matrix *self, int place)
{
    for (int i = 0; i < self->size; i++)
        if (self->order[i] == place)
            return i + 1;
    return 1;
}

static int factor_band(sparse_matrix *self)
{
    const size_t room = (size_t)self->size * (3 * (size_t)self->band.width + 1);
    memset(self->band.entry, 0, room * sizeof *self->band.entry);
    for (int k = 0; k < carom_sparse_entries(&self->pattern); k++)
        self->band.entry[self->band_place[k]] = self->value[k];
    const int bad = carom_narrow_factor(&self->band);
    return bad == 0 ? 0 : unknown_at(self, bad - 1);
}

static int factor_sparse(sparse_matrix *self)
{
    carom_error why;
    const carom_status status = self->factor
                                    ? carom_sparse_factor_again(self->factor, self->value, &why)
                                    : carom_sparse_factor_create(&self->pattern, &self->factor, &why);
    self->no_memory = status == CAROM_NO_MEMORY;
    if (self->no_memory)
        return -1;
    return status == CAROM_OK ? 0 : 1;
}

int sparse_matrix_factor(sparse_matrix *self)
{
    const int entries = carom_sparse_entries(&self->pattern);
    const size_t bytes = (size_t)entries * sizeof *self->value;
    if (self->known && memcmp(self->value, self->factored, bytes) == 0)
        return 0;
    self->known = false;
    if (!carom_all_finite(entries, self->value))
        return -1;
    memcpy(self->factored, self->value, bytes);
    const int bad = self->diagonal ? check_diagonal(self)
                    : self->narrow ? factor_band(self)
                                   : factor_sparse(self);
    self->known = bad == 0;
    self->factorisation++;
    return bad;
}

void sparse_matrix_keep(sparse_matrix *self, carom_snapshot *snapshot)
{
    const size_t bytes = (size_t)carom_sparse_entries(&self->pattern) * sizeof *self->value;
    if (self->diagonal || self->narrow) /* factors of the values alone: they are found again */
        return;
    carom_snapshot_block(snapshot, &self->known, sizeof self->known);
    carom_snapshot_block(snapshot, self->factored, bytes);
    carom_sparse_factor_keep(&self->factor, &self->pattern, snapshot);
    self->factorisation += snapshot->restores; /* they may be those of other values now */
}

bool sparse_matrix_cost(const sparse_matrix *self, double *entries, double *flops)
{
    const double size = self->size, width = self->band.width;
    carom_error why;
    *entries = self->diagonal ? size : size * (3.0 * width + 1.0);
    *flops = self->diagonal ? size : 4.0 * size * width * width; /* rows are exchanged: U is twice as wide */
    if (self->diagonal || self->narrow)
        return true;
    return carom_sparse_factor_cost(&self->pattern, entries, flops, &why) != CAROM_NO_MEMORY;
}

void sparse_matrix_solve(sparse_matrix *self, double *x)
{
    if (self->diagonal) {
        for (int i = 0; i < self->size; i++)
            x[i] /= self->factored[i];
        return;
    }
    if (!self->narrow) {
        carom_sparse_solve(self->factor, x);
        return;
    }
    for (int i = 0; i < self->size; i++)
        self->ordered[self->order[i]] = x[i];
    carom_narrow_solve(&self->band, self->ordered);
    for (int i = 0; i < self->size; i++)
        x[i] = self->ordered[self->order[i]];
}

void sparse_matrix_solve_once(sparse_matrix *self, double *x)
{
    if (self->diagonal || self->narrow)
        sparse_matrix_solve(self, x);
    else
        carom_sparse_solve_once(self->factor, x);
}

void sparse_matrix_add(const sparse_matrix *self, double s, const double *x, double *y)
{
    const carom_sparse *a = &self->pattern;
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            y[a->row[k]] += s * self->value[k] * x[j];
}
