#include "block_panels.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "panel_product.h"
#include "small_blocks.h"

enum {
    NARROW = 4,        /* panels of so many columns take in any child ... */
    WIDE = 24,         /* ... up to here one with some zeros, wider ones with few */
    WIDEST_PANEL = 40, /* columns: what a product takes from the left stays in the cache */
};

/* Parts of a panel that may be zeros for a child to be taken in. */
static const double zeros_narrow = 0.3, zeros_medium = 0.15, zeros_wide = 0.05;

/* What a panel takes from one to its left: rows `from` to `until` of that one are its columns. */
typedef struct update {
    int panel, from, until;
} update;

typedef struct panel {
    int first, last;    /* columns; last is not one of them */
    int rows;           /* blocks, those of the columns among them */
    int parent;         /* panel; -1: none */
    size_t row_start;   /* in `row` */
    size_t value_start; /* in L and U */
    int update_start, update_end;
} panel;

struct block_panels {
    int width, blocks, panels;
    panel *panel;
    int *panel_of; /* column */
    int *row;      /* blocks, ascending, of all panels */
    update *update;
    double *L, *U, *inverse; /* U transposed; of the pivots, row by row */
    double *product, *x;     /* a product of panels; rows of a vector */
    int *mirror;             /* the place of (j, i) in A for that of (i, j) */
    int *place;              /* of a block in the rows of the present panel */
    bool *stale;             /* panels */
    size_t values;
    /* memory */
    size_t block_room, row_room, mirror_room, update_room, value_room, product_room;
    int *parent, *count, *mark, *head, *next;
};

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

block_panels *block_panels_create(void)
{
    return carom_new_array(1, sizeof(block_panels));
}

void block_panels_free(block_panels *self)
{
    if (!self)
        return;
    void *array[] = {self->panel,   self->panel_of, self->row,  self->update, self->L,     self->U,
                     self->inverse, self->product,  self->x,    self->place,  self->stale, self->parent,
                     self->count,   self->mark,     self->head, self->next,   self->mirror};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    free(self);
}

static bool take_blocks(block_panels *self, size_t blocks, size_t width)
{
    const size_t room = blocks + blocks / 2 + 1;
    int **ints[] = {&self->panel_of, &self->place, &self->parent, &self->count,
                    &self->mark,     &self->head,  &self->next};
    if (blocks <= self->block_room && self->panel && (int)width == self->width)
        return true;
    self->block_room = 0;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (!grow((void **)ints[i], room + 1, sizeof(int)))
            return false;
    if (!grow((void **)&self->panel, room, sizeof *self->panel) ||
        !grow((void **)&self->stale, room, sizeof *self->stale) ||
        !grow((void **)&self->inverse, carom_product(room, width * width), sizeof(double)) ||
        !grow((void **)&self->x, carom_product(room, width), sizeof(double)))
        return false;
    self->block_room = room;
    return true;
}

static bool take(void **array, size_t *room, size_t count, size_t size)
{
    if (count <= *room && *array)
        return true;
    *room = 0;
    if (!grow(array, count + count / 2 + 1, size))
        return false;
    *room = count + count / 2 + 1;
    return true;
}

size_t block_panels_size(const block_panels *self)
{
    return 2 * self->values;
}

/* ---- the elimination tree ------------------------------------------------------------------------------ */

/* parent[i]: the first row below i that its column meets when all columns before are eliminated (Liu 1990). */
static void find_tree(const block_matrix *A, int *parent, int *ancestor)
{
    for (int i = 0; i < A->blocks; i++) {
        parent[i] = ancestor[i] = -1;
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            for (int j = A->column[k], above = 0; j >= 0 && j < i; j = above) {
                above = ancestor[j];
                ancestor[j] = i;
                if (above < 0)
                    parent[j] = i;
                if (above == i)
                    break;
            }
    }
}

/* Children of every block as lists, smallest first, and the roots. */
static int list_children(int n, const int *parent, int *head, int *next)
{
    int root = -1;
    for (int i = 0; i < n; i++)
        head[i] = -1;
    for (int i = n - 1; i >= 0; i--) {
        int *to = parent[i] < 0 ? &root : &head[parent[i]];
        next[i] = *to;
        *to = i;
    }
    return root;
}

bool block_panels_order(const block_matrix *A, int *order)
{
    const int n = A->blocks;
    int *memory = carom_new_array(3 * (size_t)n + 1, sizeof *memory);
    if (!memory)
        return false;
    int *parent = memory, *head = memory + n, *next = memory + 2 * (ptrdiff_t)n;
    find_tree(A, parent, head);
    int at = list_children(n, parent, head, next);
    for (int count = 0; at >= 0;) {
        if (head[at] >= 0) { /* down, to the first child that has not been there */
            const int child = head[at];
            head[at] = next[child];
            at = child;
            continue;
        }
        order[count++] = at;
        at = parent[at] >= 0 ? parent[at] : next[at];
    }
    free(memory);
    return true;
}

/* count[j]: blocks below the diagonal of column j of L. */
static void count_columns(block_panels *self, const block_matrix *A)
{
    memset(self->count, 0, (size_t)A->blocks * sizeof *self->count);
    for (int i = 0; i < A->blocks; i++) {
        self->mark[i] = i;
        for (int k = A->start[i]; k < A->start[i + 1] && A->column[k] < i; k++)
            for (int j = A->column[k]; self->mark[j] != i; j = self->parent[j]) {
                self->mark[j] = i;
                self->count[j]++;
            }
    }
}

/* ---- panels -------------------------------------------------------------------------------------------- */

/* Blocks of a panel of so many columns, whose last one has so many below. */
static double area(double columns, double below)
{
    return columns * (columns + 1.0) / 2.0 + columns * below;
}

/* Whether panel `child`, right before `next`, becomes a part of it. `zeros` are those in both already. */
static bool belongs(const panel *child, const panel *next, double zeros_of_both, double *zeros)
{
    const int columns = next->last - child->first;
    if (columns > WIDEST_PANEL)
        return false;
    const double below = next->rows - (next->last - next->first);
    const double before = area(child->last - child->first, child->rows - (child->last - child->first)) +
                          area(next->last - next->first, below);
    *zeros = zeros_of_both + area(columns, below) - before;
    const double part = *zeros / area(columns, below);
    if (part <= 0.0)
        return true;
    return part < (columns <= NARROW ? zeros_narrow : columns <= WIDE ? zeros_medium : zeros_wide);
}

/* Columns one after the other: each begins a panel, which takes in the one before while that one is its child. Zeros of
 * a panel are kept in `zeros`. */
static void find_panels(block_panels *self, double *zeros)
{
    const int n = self->blocks;
    int panels = 0;
    for (int j = 0; j < n; j++) {
        panel now = {.first = j, .last = j + 1, .rows = 1 + self->count[j]};
        double empty = 0.0;
        while (panels > 0) {
            const panel *before = &self->panel[panels - 1];
            double more = 0.0;
            if (self->parent[before->last - 1] < now.first || self->parent[before->last - 1] >= now.last ||
                !belongs(before, &now, empty + zeros[panels - 1], &more))
                break;
            now.rows += now.first - before->first;
            now.first = before->first;
            empty = more;
            panels--;
        }
        zeros[panels] = empty;
        self->panel[panels++] = now;
    }
    self->panels = panels;
    for (int p = 0; p < panels; p++) {
        for (int j = self->panel[p].first; j < self->panel[p].last; j++)
            self->panel_of[j] = p;
    }
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Columns of the panel, what A has below them, and what children have. */
static int collect_rows(block_panels *self, const block_matrix *A, int p, int *row)
{
    panel *now = &self->panel[p];
    int count = 0;
    for (int j = now->first; j < now->last; j++) {
        self->mark[j] = p;
        row[count++] = j;
    }
    for (int j = now->first; j < now->last; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->column[k] >= now->last && self->mark[A->column[k]] != p) {
                self->mark[A->column[k]] = p;
                row[count++] = A->column[k];
            }
    for (int child = self->head[p]; child >= 0; child = self->next[child]) {
        const panel *c = &self->panel[child];
        for (int k = c->last - c->first; k < c->rows; k++) {
            const int i = self->row[c->row_start + (size_t)k];
            if (self->mark[i] != p) {
                self->mark[i] = p;
                row[count++] = i;
            }
        }
    }
    qsort(row, (size_t)count, sizeof *row, ascending);
    return count;
}

static bool find_rows(block_panels *self, const block_matrix *A)
{
    size_t rows = 0;
    for (int p = 0; p < self->panels; p++)
        rows += (size_t)self->panel[p].rows;
    if (!take((void **)&self->row, &self->row_room, rows, sizeof *self->row))
        return false;
    for (int i = 0; i < self->blocks; i++)
        self->mark[i] = self->head[i] = -1;
    rows = self->values = 0;
    for (int p = 0; p < self->panels; p++) {
        panel *now = &self->panel[p];
        now->row_start = rows;
        now->rows = collect_rows(self, A, p, self->row + rows);
        rows += (size_t)now->rows;
        now->value_start = self->values;
        self->values +=
            (size_t)now->rows * (size_t)(now->last - now->first) * (size_t)(self->width * self->width);
        const int columns = now->last - now->first;
        now->parent = columns < now->rows ? self->panel_of[self->row[now->row_start + (size_t)columns]] : -1;
        if (now->parent >= 0) {
            self->next[p] = self->head[now->parent];
            self->head[now->parent] = p;
        }
    }
    return true;
}

/* Calls of `to` are counted, and written when there is a list. */
static void list_updates_of(const block_panels *self, int p, int *count, update *list)
{
    const panel *from = &self->panel[p];
    const int *row = self->row + from->row_start;
    for (int k = from->last - from->first; k < from->rows;) {
        const int to = self->panel_of[row[k]], begin = k;
        while (k < from->rows && self->panel_of[row[k]] == to)
            k++;
        if (list)
            list[self->panel[to].update_end++] = (update){.panel = p, .from = begin, .until = k};
        else
            count[to]++;
    }
}

static bool find_updates(block_panels *self)
{
    long total = 0;
    size_t largest = 0;
    memset(self->count, 0, (size_t)self->panels * sizeof *self->count);
    for (int p = 0; p < self->panels; p++)
        list_updates_of(self, p, self->count, NULL);
    for (int p = 0; p < self->panels; p++) {
        panel *now = &self->panel[p];
        now->update_start = now->update_end = (int)total;
        total += self->count[p];
        if (total > INT_MAX)
            return false;
    }
    if (!take((void **)&self->update, &self->update_room, (size_t)total, sizeof *self->update))
        return false;
    for (int p = 0; p < self->panels; p++)
        list_updates_of(self, p, NULL, self->update);
    for (int k = 0; k < (int)total; k++) {
        const update *u = &self->update[k];
        const size_t rows = (size_t)((self->panel[u->panel].rows - u->from) * self->width + PANEL_CHUNK);
        const size_t size = rows * (size_t)((u->until - u->from) * self->width);
        largest = size > largest ? size : largest;
    }
    for (int p = 0; p < self->panels; p++) {
        const size_t size = (size_t)(self->panel[p].rows * self->width + PANEL_CHUNK) * (size_t)self->width;
        largest = size > largest ? size : largest;
    }
    return take((void **)&self->product, &self->product_room, largest, sizeof(double));
}

static bool take_values(block_panels *self)
{
    const size_t values = self->values + PANEL_CHUNK; /* products read a little farther */
    if (values <= self->value_room)
        return true;
    const size_t room = values + values / 4;
    self->value_room = 0;
    if (!grow((void **)&self->L, room, sizeof(double)) || !grow((void **)&self->U, room, sizeof(double)))
        return false;
    memset(self->L, 0, room * sizeof(double));
    memset(self->U, 0, room * sizeof(double));
    self->value_room = room;
    return true;
}

/* Columns ascend, so that row i comes to the places of its mirror images in their order. */
static bool find_mirror(block_panels *self, const block_matrix *A)
{
    if (!take((void **)&self->mirror, &self->mirror_room, (size_t)A->start[A->blocks], sizeof *self->mirror))
        return false;
    memcpy(self->next, A->start, (size_t)A->blocks * sizeof *self->next);
    for (int i = 0; i < A->blocks; i++)
        for (int k = A->start[i]; k < A->start[i + 1]; k++)
            self->mirror[k] = self->next[A->column[k]]++;
    return true;
}

bool block_panels_analyse(block_panels *self, const block_matrix *A)
{
    if (!take_blocks(self, (size_t)A->blocks, (size_t)A->width))
        return false;
    self->width = A->width;
    self->blocks = A->blocks;
    find_tree(A, self->parent, self->mark);
    count_columns(self, A);
    find_panels(self, self->inverse); /* free as long as there are no factors */
    if (!find_rows(self, A) || !find_updates(self) || !take_values(self))
        return false;
    return find_mirror(self, A);
}

/* ---- factors ------------------------------------------------------------------------------------------- */

/* The block (i, j) of A, row by row, to L (column by column); transposed to U. */
static void put_block(int width, const double *block, bool turned, ptrdiff_t apart, double *to)
{
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++)
            to[apart * j + i] = turned ? block[width * j + i] : block[width * i + j];
}

/* Row j of A is the row of U; the blocks of its mirror image are the column of L. */
static void assemble(block_panels *self, const block_matrix *A, const panel *now)
{
    const int w = self->width, square = w * w, columns = now->last - now->first;
    const ptrdiff_t apart = (ptrdiff_t)now->rows * w;
    double *L = self->L + now->value_start, *U = self->U + now->value_start;
    const int *row = self->row + now->row_start;
    memset(L, 0, (size_t)(apart * columns * w) * sizeof *L);
    memset(U, 0, (size_t)(apart * columns * w) * sizeof *U);
    for (int k = 0; k < now->rows; k++)
        self->place[row[k]] = k;
    for (int j = now->first; j < now->last; j++) {
        const ptrdiff_t column = (j - now->first) * apart * w;
        put_block(w, A->diagonal + (ptrdiff_t)square * j, false, apart, L + column + (j - now->first) * w);
        for (int k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->column[k] < j)
                continue;
            const ptrdiff_t at = column + (ptrdiff_t)self->place[A->column[k]] * w;
            put_block(w, A->beside + (ptrdiff_t)square * k, true, apart, U + at);
            put_block(w, A->beside + (ptrdiff_t)square * self->mirror[k], false, apart, L + at);
        }
    }
}

/* to := to - part; rows of the part are blocks `row` of the panel. */
static void subtract_columns(const block_panels *self, const double *part, int count, const int *row,
                             double *to)
{
    const int w = self->width;
    for (int r = 0; r < count; r++) {
        double *block = to + (ptrdiff_t)self->place[row[r]] * w;
        const double *from = part + (ptrdiff_t)r * w;
        for (int k = 0; k < w; k++)
            block[k] -= from[k];
    }
}

/* What panel `u->panel` has for this one. Its rows that are columns here: the product of L and U has both halves. */
static void apply_update(block_panels *self, const panel *now, const update *u)
{
    const panel *from = &self->panel[u->panel];
    const int w = self->width, inner = (from->last - from->first) * w, columns = u->until - u->from;
    const ptrdiff_t apart = (ptrdiff_t)now->rows * w, from_apart = (ptrdiff_t)from->rows * w;
    const int *row = self->row + from->row_start;
    const double *FL = self->L + from->value_start, *FU = self->U + from->value_start;
    double *L = self->L + now->value_start, *U = self->U + now->value_start;
    const int below = from->rows - u->from, beyond = from->rows - u->until;
    ptrdiff_t c_apart = panel_room(below * w);
    panel_multiply(&(panel_product){.rows = below * w,
                                    .columns = columns * w,
                                    .inner = inner,
                                    .apart = from_apart,
                                    .c_apart = c_apart,
                                    .a = FL + (ptrdiff_t)u->from * w,
                                    .b = FU + (ptrdiff_t)u->from * w,
                                    .c = self->product});
    for (int c = 0; c < columns; c++)
        for (int k = 0; k < w; k++) {
            const double *part = self->product + c_apart * (c * w + k);
            const ptrdiff_t column = (ptrdiff_t)(row[u->from + c] - now->first) * w + k;
            subtract_columns(self, part + (ptrdiff_t)c * w, below - c, row + u->from + c, L + apart * column);
            for (int r = 0; r < c; r++) /* above the diagonal */
                for (int m = 0; m < w; m++)
                    U[apart * ((row[u->from + r] - now->first) * w + m) + column] -= part[r * w + m];
        }
    c_apart = panel_room(beyond * w);
    panel_multiply(&(panel_product){.rows = beyond * w,
                                    .columns = columns * w,
                                    .inner = inner,
                                    .apart = from_apart,
                                    .c_apart = c_apart,
                                    .a = FU + (ptrdiff_t)u->until * w,
                                    .b = FL + (ptrdiff_t)u->from * w,
                                    .c = self->product});
    for (int c = 0; c < columns * w; c++) {
        const ptrdiff_t column = (ptrdiff_t)(row[u->from + c / w] - now->first) * w + c % w;
        subtract_columns(self, self->product + c_apart * c, beyond, row + u->until, U + apart * column);
    }
}

/* Columns of block b of `to`, rows from `first` on, less what the columns before have: a b^T. */
static void subtract_before(block_panels *self, const panel *now, int b, int first, const double *a,
                            const double *other, double *to)
{
    const int w = self->width, rows = (now->rows - first) * w;
    const ptrdiff_t apart = (ptrdiff_t)now->rows * w, c_apart = panel_room(rows);
    panel_multiply(&(panel_product){.rows = rows,
                                    .columns = w,
                                    .inner = b * w,
                                    .apart = apart,
                                    .c_apart = c_apart,
                                    .a = a + (ptrdiff_t)first * w,
                                    .b = other + (ptrdiff_t)b * w,
                                    .c = self->product});
    for (int c = 0; c < w; c++) {
        double *column = to + apart * (b * w + c) + (ptrdiff_t)first * w;
        for (int r = 0; r < rows; r++)
            column[r] -= self->product[c_apart * c + r];
    }
}

/* Block b of L below its pivot, times the inverse. */
static inline void divide(int w, ptrdiff_t apart, int first, const double *inverse, double *L)
{
    for (ptrdiff_t r = first; r < apart; r++) {
        double old[WIDEST];
        for (int k = 0; k < w; k++)
            old[k] = L[apart * k + r];
        for (int c = 0; c < w; c++) {
            double sum = 0.0;
            for (int k = 0; k < w; k++)
                sum += old[k] * inverse[w * k + c];
            L[apart * c + r] = sum;
        }
    }
}

static bool factor_panel(block_panels *self, const panel *now)
{
    const int w = self->width;
    const ptrdiff_t apart = (ptrdiff_t)now->rows * w;
    double *L = self->L + now->value_start, *U = self->U + now->value_start;
    for (int b = 0; b < now->last - now->first; b++) {
        double pivot[WIDEST * WIDEST], *column = L + apart * b * w;
        double *inverse = self->inverse + (ptrdiff_t)(now->first + b) * w * w;
        if (b > 0) {
            subtract_before(self, now, b, b, L, U, L);
            subtract_before(self, now, b, b + 1, U, L, U);
        }
        for (int i = 0; i < w; i++)
            for (int j = 0; j < w; j++)
                pivot[w * i + j] = column[apart * j + b * w + i];
        if (!(w == 3 ? block_invert(3, pivot, inverse) : block_invert(6, pivot, inverse)))
            return false;
        if (w == 3)
            divide(3, apart, (b + 1) * w, inverse, column);
        else
            divide(6, apart, (b + 1) * w, inverse, column);
    }
    return true;
}

bool block_panels_factor(block_panels *self, const block_matrix *A, const bool *stale)
{
    for (int p = 0; p < self->panels; p++) {
        self->stale[p] = false;
        for (int j = self->panel[p].first; j < self->panel[p].last; j++)
            self->stale[p] = self->stale[p] || stale[j];
    }
    for (int p = 0; p < self->panels; p++) {
        const panel *now = &self->panel[p];
        if (!self->stale[p])
            continue;
        if (now->parent >= 0)
            self->stale[now->parent] = true;
        assemble(self, A, now);
        for (int k = now->update_start; k < now->update_end; k++)
            apply_update(self, now, &self->update[k]);
        if (!factor_panel(self, now))
            return false;
    }
    return true;
}

/* ---- solutions ----------------------------------------------------------------------------------------- */

static void gather(const block_panels *self, const panel *now, const double *x, double *y)
{
    const int *row = self->row + now->row_start, w = self->width;
    for (int k = 0; k < now->rows; k++)
        for (int i = 0; i < w; i++)
            y[k * w + i] = x[row[k] * w + i];
}

/* L y = x; w is a constant where this is inlined. */
static inline void solve_below(const block_panels *self, int w, const panel *now, double *x,
                               double *restrict y)
{
    const int columns = now->last - now->first, *row = self->row + now->row_start, rows = now->rows * w;
    gather(self, now, x, y);
    for (int b = 0; b < columns; b++) {
        const double *restrict column = self->L + now->value_start + (ptrdiff_t)rows * b * w;
        double factor[WIDEST];
        memcpy(factor, y + (ptrdiff_t)b * w, (size_t)w * sizeof *factor);
        for (int r = (b + 1) * w; r < rows; r++) {
            double sum = 0.0;
            for (int c = 0; c < w; c++)
                sum += column[(ptrdiff_t)rows * c + r] * factor[c];
            y[r] -= sum;
        }
    }
    for (int k = 0; k < now->rows; k++)
        memcpy(x + (ptrdiff_t)row[k] * w, y + (ptrdiff_t)k * w, (size_t)w * sizeof *x);
}

/* U x = y */
static inline void solve_above(const block_panels *self, int w, const panel *now, double *x,
                               double *restrict y)
{
    const int rows = now->rows * w;
    gather(self, now, x, y);
    for (int b = now->last - now->first - 1; b >= 0; b--) {
        const double *inverse = self->inverse + (ptrdiff_t)(now->first + b) * w * w;
        const double *restrict column = self->U + now->value_start + (ptrdiff_t)rows * b * w;
        double left[WIDEST] = {0.0};
        for (int r = (b + 1) * w; r < rows; r++)
            for (int c = 0; c < w; c++)
                left[c] += column[(ptrdiff_t)rows * c + r] * y[r];
        for (int c = 0; c < w; c++)
            left[c] = y[b * w + c] - left[c];
        for (int i = 0; i < w; i++) {
            double sum = 0.0;
            for (int c = 0; c < w; c++)
                sum += inverse[w * i + c] * left[c];
            x[(now->first + b) * w + i] = y[b * w + i] = sum;
        }
    }
}

static inline void solve_with(block_panels *self, int w, double *x)
{
    for (int p = 0; p < self->panels; p++)
        solve_below(self, w, &self->panel[p], x, self->x);
    for (int p = self->panels - 1; p >= 0; p--)
        solve_above(self, w, &self->panel[p], x, self->x);
}

void block_panels_solve(block_panels *self, double *x)
{
    if (self->width == 3)
        solve_with(self, 3, x);
    else
        solve_with(self, 6, x);
}
