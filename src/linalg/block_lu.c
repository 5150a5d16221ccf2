/* Row by row, A = L U with blocks of 1 on the diagonal of L: row i of A less L_ik times row k of U, for every
 * k that row i meets on its way up the elimination tree (Davis 2006, chapter 4). Approximate minimum degrees
 * choose the order, or nested dissection where that is dear. */
#include "carom/linalg/block_lu.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <klu.h>

#include "block_panels.h"
#include "carom/linalg.h"
#include "dissection.h"
#include "small_blocks.h"

enum {
    MANY = 300 /* blocks from which on factors may be dense panels */
};

/* They are where a block on the diagonal takes part in so many products of blocks, in the mean, as in a grid of 1,000
 * bodies that touch six others each. Below this, rows one after the other are as fast or faster. */
static const double many_products = 300.0;

/* Products of numbers in the factors from which on an order that takes longer to find is looked for. */
static const double dear = 1e9;

/* A list of numbers per row. */
typedef struct rows {
    int *start, *column;
    double *value;
    size_t room; /* for columns; starts have room for all blocks */
} rows;

struct carom_block_lu {
    int width, blocks;
    int *place, *block_at; /* of a block in the order of elimination, and back */
    int *pair_place[2];    /* in A, of every pair and its mirror image; -1: none */
    size_t pair_room, block_room;
    rows natural, given;        /* the pattern beside the diagonal, and that of the next matrix; no values */
    rows A, L, U;               /* in the order of elimination; A and U beside the diagonal */
    double *diagonal, *inverse; /* of A; of the pivots */
    double *work, *x;           /* a row of blocks; a vector */
    int *parent, *mark;         /* elimination tree */
    bool *stale;                /* rows whose factors are not those of A */
    bool dense;                 /* this pattern has panels */
    block_panels *panels;       /* made for the first matrix that has them */
};

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

carom_block_lu *carom_block_lu_create(int width)
{
    carom_block_lu *self = carom_new_array(1, sizeof *self);
    if (self)
        self->width = width;
    return self;
}

static void free_rows(rows *r)
{
    free(r->start);
    free(r->column);
    free(r->value);
}

void carom_block_lu_free(carom_block_lu *self)
{
    if (!self)
        return;
    block_panels_free(self->panels);
    free_rows(&self->natural);
    free_rows(&self->given);
    free_rows(&self->A);
    free_rows(&self->L);
    free_rows(&self->U);
    void *array[] = {self->place,    self->block_at, self->pair_place[0], self->pair_place[1],
                     self->diagonal, self->inverse,  self->work,          self->x,
                     self->parent,   self->mark,     self->stale};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    free(self);
}

static bool take_blocks(carom_block_lu *self, size_t blocks)
{
    if (blocks <= self->block_room && self->place)
        return true;
    const size_t room = blocks + blocks / 2 + 1, width = (size_t)self->width, square = width * width;
    int **ints[] = {&self->place,   &self->block_at, &self->parent,        &self->mark,       &self->A.start,
                    &self->L.start, &self->U.start,  &self->natural.start, &self->given.start};
    double **squares[] = {&self->diagonal, &self->inverse, &self->work};
    self->block_room = 0;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (!grow((void **)ints[i], room + 1, sizeof(int)))
            return false;
    for (size_t i = 0; i < sizeof squares / sizeof *squares; i++)
        if (!grow((void **)squares[i], room * square, sizeof(double)))
            return false;
    if (!grow((void **)&self->x, room * width, sizeof(double)) ||
        !grow((void **)&self->stale, room, sizeof(bool)))
        return false;
    self->block_room = room;
    return true;
}

static bool take_pairs(carom_block_lu *self, size_t pairs)
{
    if (pairs <= self->pair_room && self->pair_place[0])
        return true;
    const size_t room = pairs + pairs / 2 + 1;
    self->pair_room = 0;
    if (!grow((void **)&self->pair_place[0], room, sizeof(int)) ||
        !grow((void **)&self->pair_place[1], room, sizeof(int)))
        return false;
    self->pair_room = room;
    return true;
}

/* `square` numbers per column, or none. */
static bool take_columns(rows *r, size_t columns, int square)
{
    if (columns <= r->room && r->column)
        return true;
    const size_t room = columns + columns / 2 + 1;
    r->room = 0;
    if (!grow((void **)&r->column, room, sizeof(int)) ||
        (square > 0 && !grow((void **)&r->value, carom_product(room, (size_t)square), sizeof(double))))
        return false;
    r->room = room;
    return true;
}

/* ---- pattern ------------------------------------------------------------------------------------------- */

static bool is_pair(const carom_block_lu *self, const int pair[2])
{
    return pair[0] >= 0 && pair[1] >= 0 && pair[0] < self->blocks && pair[1] < self->blocks &&
           pair[0] != pair[1];
}

static int find_place(const rows *A, int row, int column)
{
    for (int k = A->start[row]; k < A->start[row + 1]; k++)
        if (A->column[k] == column)
            return k;
    return -1;
}

static void find_places(carom_block_lu *self, int pairs, const int (*pair)[2])
{
    for (int p = 0; p < pairs; p++) {
        self->pair_place[0][p] = self->pair_place[1][p] = -1;
        if (!is_pair(self, pair[p]))
            continue;
        const int i = self->place[pair[p][0]], j = self->place[pair[p][1]];
        self->pair_place[0][p] = find_place(&self->A, i, j);
        self->pair_place[1][p] = find_place(&self->A, j, i);
    }
}

static int ascending(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Columns ascend, each comes once: what a pattern is does not depend on the order of its pairs. */
static void sort_rows(rows *r, int n)
{
    int end = 0;
    for (int i = 0; i < n; i++) {
        const int first = r->start[i], last = r->start[i + 1];
        qsort(r->column + first, (size_t)(last - first), sizeof(int), ascending);
        r->start[i] = end;
        for (int k = first; k < last; k++)
            if (end == r->start[i] || r->column[end - 1] != r->column[k])
                r->column[end++] = r->column[k];
    }
    r->start[n] = end;
}

/* Rows beside the diagonal; block i is row and column place[i]. */
static void list_pairs(const carom_block_lu *self, const int *place, int pairs, const int (*pair)[2],
                       rows *to)
{
    const int n = self->blocks;
    memset(to->start, 0, ((size_t)n + 1) * sizeof *to->start);
    for (int p = 0; p < pairs; p++)
        for (int side = 0; side < 2 && is_pair(self, pair[p]); side++)
            to->start[place[pair[p][side]]]++;
    for (int i = 0, sum = 0; i <= n; i++) {
        sum += to->start[i];
        to->start[i] = sum; /* the end; filling makes it the start */
    }
    for (int p = pairs - 1; p >= 0; p--)
        for (int side = 0; side < 2 && is_pair(self, pair[p]); side++)
            to->column[--to->start[place[pair[p][side]]]] = place[pair[p][1 - side]];
    sort_rows(to, n);
}

static bool is_same(const rows *a, const rows *b, int n)
{
    return memcmp(a->start, b->start, ((size_t)n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->column, b->column, (size_t)a->start[n] * sizeof *a->column) == 0;
}

static void take_order(carom_block_lu *self, const int *order)
{
    memcpy(self->block_at, order, (size_t)self->blocks * sizeof *order);
    for (int i = 0; i < self->blocks; i++)
        self->place[self->block_at[i]] = i;
}

/* Minimum degrees: what KLU takes for its own factors. */
static bool choose_order(carom_block_lu *self)
{
    klu_common common;
    klu_defaults(&common);
    common.btf = 0;
    klu_symbolic *symbolic = klu_analyze(self->blocks, self->natural.start, self->natural.column, &common);
    if (!symbolic)
        return false;
    take_order(self, symbolic->Q);
    klu_free_symbolic(&symbolic, &common);
    return true;
}

/* The columns of row i of L, children before their parents: the ways up the tree from the columns of row i of
 * A. Counts them, and writes them when there is a list. The tree grows by i when `grows`. */
static int climb(carom_block_lu *self, int i, bool grows, int *list)
{
    const rows *A = &self->A;
    int count = 0;
    self->mark[i] = i;
    if (grows)
        self->parent[i] = -1;
    for (int k = A->start[i]; k < A->start[i + 1]; k++) {
        int j = A->column[k];
        if (j > i)
            continue;
        for (; self->mark[j] != i; j = self->parent[j]) {
            if (grows && self->parent[j] < 0)
                self->parent[j] = i;
            self->mark[j] = i;
            if (list)
                list[count] = j;
            count++;
        }
    }
    return count;
}

static bool find_fill(carom_block_lu *self)
{
    const int n = self->blocks, square = self->width * self->width;
    rows *L = &self->L, *U = &self->U;
    long total = 0;
    for (int i = 0; i < n; i++)
        self->mark[i] = -1;
    for (int i = 0; i < n; i++)
        total += climb(self, i, true, NULL);
    if (total > INT_MAX || !take_columns(L, (size_t)total, square) || !take_columns(U, (size_t)total, square))
        return false;
    memset(U->start, 0, ((size_t)n + 1) * sizeof *U->start);
    for (int i = 0; i < n; i++)
        self->mark[i] = -1;
    L->start[0] = 0;
    for (int i = 0; i < n; i++) {
        const int first = L->start[i], count = climb(self, i, false, L->column + first);
        qsort(L->column + first, (size_t)count, sizeof(int), ascending);
        L->start[i + 1] = first + count;
        for (int k = 0; k < count; k++)
            U->start[L->column[first + k] + 1]++;
    }
    for (int k = 0; k < n; k++)
        U->start[k + 1] += U->start[k];
    for (int i = 0; i < n; i++)
        for (int k = L->start[i]; k < L->start[i + 1]; k++)
            U->column[U->start[L->column[k]]++] = i;
    for (int k = n; k > 0; k--)
        U->start[k] = U->start[k - 1];
    U->start[0] = 0;
    return true;
}

/* Products of blocks that the factors take, per block on the diagonal. */
static double count_products(carom_block_lu *self)
{
    const int n = self->blocks;
    int *count = self->U.start; /* of the columns; filled later */
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        self->mark[i] = -1;
        count[i] = 0;
    }
    for (int i = 0; i < n; i++) {
        self->mark[i] = i;
        self->parent[i] = -1;
        for (int k = self->A.start[i]; k < self->A.start[i + 1]; k++)
            for (int j = self->A.column[k]; j < i && self->mark[j] != i; j = self->parent[j]) {
                if (self->parent[j] < 0)
                    self->parent[j] = i;
                self->mark[j] = i;
                count[j]++;
            }
    }
    for (int i = 0; i < n; i++)
        sum += (double)count[i] * count[i];
    return sum / n;
}

/* Takes the order of nested dissection where it has fewer products; false when memory is short. */
static bool improve_order(carom_block_lu *self, int pairs, const int (*pair)[2], double *products)
{
    const size_t n = (size_t)self->blocks;
    int *order = carom_new_array(2 * n, sizeof *order);
    bool done = order && carom_dissect(self->blocks, self->natural.start, self->natural.column, order);
    if (done) {
        memcpy(order + n, self->block_at, n * sizeof *order);
        take_order(self, order);
        list_pairs(self, self->place, pairs, pair, &self->A);
        const double now = count_products(self);
        if (now < *products) {
            *products = now;
        } else {
            take_order(self, order + n);
            list_pairs(self, self->place, pairs, pair, &self->A);
        }
    }
    free(order);
    return done;
}

/* An order, and what it takes; false when memory is short. */
static bool order_pairs(carom_block_lu *self, int pairs, const int (*pair)[2])
{
    if (self->blocks > 0 && !choose_order(self))
        return false;
    list_pairs(self, self->place, pairs, pair, &self->A);
    self->dense = false;
    if (self->blocks < MANY)
        return true;
    const double cube = (double)self->width * self->width * self->width;
    double products = count_products(self);
    if (products * self->blocks * cube > dear && !improve_order(self, pairs, pair, &products))
        return false;
    self->dense = products > many_products;
    return true;
}

static block_matrix matrix_of(const carom_block_lu *self)
{
    return (block_matrix){.width = self->width,
                          .blocks = self->blocks,
                          .start = self->A.start,
                          .column = self->A.column,
                          .diagonal = self->diagonal,
                          .beside = self->A.value};
}

/* In a postorder of the tree, which has the same fill. */
static bool find_panels(carom_block_lu *self, int pairs, const int (*pair)[2])
{
    const int n = self->blocks;
    block_matrix A = matrix_of(self);
    if (!self->panels)
        self->panels = block_panels_create();
    if (!self->panels || !block_panels_order(&A, self->mark))
        return false;
    for (int i = 0; i < n; i++)
        self->mark[i] = self->block_at[self->mark[i]];
    memcpy(self->block_at, self->mark, (size_t)n * sizeof *self->block_at);
    for (int i = 0; i < n; i++)
        self->place[self->block_at[i]] = i;
    list_pairs(self, self->place, pairs, pair, &self->A);
    A = matrix_of(self);
    return block_panels_analyse(self->panels, &A);
}

/* The same pattern has the same order, whatever came before. */
bool carom_block_lu_pattern(carom_block_lu *self, int blocks, int pairs, const int (*pair)[2])
{
    const bool had = blocks > 0 && blocks == self->blocks;
    self->blocks = 0; /* while there is no pattern */
    if (!take_blocks(self, (size_t)blocks) || !take_pairs(self, (size_t)pairs) ||
        !take_columns(&self->given, 2 * (size_t)pairs, 0) ||
        !take_columns(&self->A, 2 * (size_t)pairs, self->width * self->width))
        return false;
    self->blocks = blocks;
    for (int i = 0; i < blocks; i++)
        self->mark[i] = i;
    list_pairs(self, self->mark, pairs, pair, &self->given);
    if (!had || !is_same(&self->given, &self->natural, blocks)) {
        const rows last = self->natural;
        self->natural = self->given;
        self->given = last;
        if (!order_pairs(self, pairs, pair) ||
            !(self->dense ? find_panels(self, pairs, pair) : find_fill(self))) {
            self->blocks = 0;
            return false;
        }
    }
    find_places(self, pairs, pair);
    return true;
}

/* ---- entries ------------------------------------------------------------------------------------------- */

static void set_stale(carom_block_lu *self, bool stale)
{
    for (int i = 0; i < self->blocks; i++)
        self->stale[i] = stale;
}

void carom_block_lu_clear(carom_block_lu *self)
{
    const size_t square = (size_t)self->width * (size_t)self->width;
    if (self->blocks == 0)
        return;
    memset(self->diagonal, 0, (size_t)self->blocks * square * sizeof *self->diagonal);
    memset(self->A.value, 0, (size_t)self->A.start[self->blocks] * square * sizeof *self->A.value);
    set_stale(self, true);
}

void carom_block_lu_touch(carom_block_lu *self, int i)
{
    self->stale[self->place[i]] = true;
}

double *carom_block_lu_diagonal(carom_block_lu *self, int i)
{
    return self->diagonal + (ptrdiff_t)self->place[i] * self->width * self->width;
}

double *carom_block_lu_beside(carom_block_lu *self, int number, int side)
{
    return self->A.value + (ptrdiff_t)self->pair_place[side][number] * self->width * self->width;
}

/* ---- blocks -------------------------------------------------------------------------------------------- */

/* Two numbers side by side, as processors multiply them. */
typedef double two __attribute__((vector_size(2 * sizeof(double))));

static inline two two_at(const double *x)
{
    return (two){x[0], x[1]};
}

/* c := c - a b, blocks of n x n; n is a constant where this is inlined. */
static inline void subtract_product(int n, const double *restrict a, const double *restrict b,
                                    double *restrict c)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j + 1 < n; j += 2) {
            two sum = two_at(c + n * i + j);
            for (int k = 0; k < n; k++)
                sum -= a[n * i + k] * two_at(b + n * k + j);
            c[n * i + j] = sum[0];
            c[n * i + j + 1] = sum[1];
        }
        if (n % 2 != 0) {
            double sum = c[n * i + n - 1];
            for (int k = 0; k < n; k++)
                sum -= a[n * i + k] * b[n * k + n - 1];
            c[n * i + n - 1] = sum;
        }
    }
}

/* c := a b */
static inline void multiply(int n, const double *restrict a, const double *restrict b, double *restrict c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += a[n * i + k] * b[n * k + j];
            c[n * i + j] = sum;
        }
}

/* y := y - a x */
static inline void subtract_column(int n, const double *restrict a, const double *restrict x,
                                   double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++)
            sum += a[n * i + k] * x[k];
        y[i] -= sum;
    }
}

/* ---- factors ------------------------------------------------------------------------------------------- */

static inline void copy(int square, const double *from, double *to)
{
    for (int k = 0; k < square; k++)
        to[k] = from[k];
}

/* Row i; n is a constant where this is inlined. */
static inline bool eliminate_row(carom_block_lu *self, int n, int i)
{
    const int square = n * n;
    const rows *A = &self->A, *L = &self->L, *U = &self->U;
    double *work = self->work;
    for (int k = L->start[i]; k < L->start[i + 1]; k++)
        memset(work + (ptrdiff_t)square * L->column[k], 0, (size_t)square * sizeof *work);
    for (int k = U->start[i]; k < U->start[i + 1]; k++)
        memset(work + (ptrdiff_t)square * U->column[k], 0, (size_t)square * sizeof *work);
    copy(square, self->diagonal + (ptrdiff_t)square * i, work + (ptrdiff_t)square * i);
    for (int k = A->start[i]; k < A->start[i + 1]; k++)
        copy(square, A->value + (ptrdiff_t)square * k, work + (ptrdiff_t)square * A->column[k]);
    for (int k = L->start[i]; k < L->start[i + 1]; k++) {
        const int column = L->column[k];
        double *l = L->value + (ptrdiff_t)square * k;
        multiply(n, work + (ptrdiff_t)square * column, self->inverse + (ptrdiff_t)square * column, l);
        for (int j = U->start[column]; j < U->start[column + 1]; j++)
            subtract_product(n, l, U->value + (ptrdiff_t)square * j, work + (ptrdiff_t)square * U->column[j]);
    }
    for (int k = U->start[i]; k < U->start[i + 1]; k++)
        copy(square, work + (ptrdiff_t)square * U->column[k], U->value + (ptrdiff_t)square * k);
    return block_invert(n, work + (ptrdiff_t)square * i, self->inverse + (ptrdiff_t)square * i);
}

/* A row of U changes those above it in the tree only. */
bool carom_block_lu_factor(carom_block_lu *self)
{
    if (self->dense) {
        const block_matrix A = matrix_of(self);
        const bool done = block_panels_factor(self->panels, &A, self->stale);
        set_stale(self, !done);
        return done;
    }
    for (int i = 0; i < self->blocks; i++) {
        if (!self->stale[i])
            continue;
        if (!(self->width == 3 ? eliminate_row(self, 3, i) : eliminate_row(self, 6, i))) {
            set_stale(self, true);
            return false;
        }
        if (self->parent[i] >= 0)
            self->stale[self->parent[i]] = true;
    }
    set_stale(self, false);
    return true;
}

size_t carom_block_lu_size(const carom_block_lu *self)
{
    if (self->dense)
        return block_panels_size(self->panels);
    return self->blocks == 0 ? 0
                             : 2 * (size_t)self->L.start[self->blocks] * (size_t)(self->width * self->width);
}

static inline void solve_with(carom_block_lu *self, int n, double *b)
{
    const int square = n * n;
    const rows *L = &self->L, *U = &self->U;
    double *x = self->x;
    for (int i = 0; i < self->blocks; i++) {
        double *xi = x + (ptrdiff_t)n * i;
        copy(n, b + (ptrdiff_t)n * self->block_at[i], xi);
        for (int k = L->start[i]; k < L->start[i + 1]; k++)
            subtract_column(n, L->value + (ptrdiff_t)square * k, x + (ptrdiff_t)n * L->column[k], xi);
    }
    for (int i = self->blocks - 1; i >= 0; i--) {
        double *xi = x + (ptrdiff_t)n * i, *to = b + (ptrdiff_t)n * self->block_at[i];
        for (int k = U->start[i]; k < U->start[i + 1]; k++)
            subtract_column(n, U->value + (ptrdiff_t)square * k, x + (ptrdiff_t)n * U->column[k], xi);
        memset(to, 0, (size_t)n * sizeof *to);
        subtract_column(n, self->inverse + (ptrdiff_t)square * i, xi, to);
        for (int k = 0; k < n; k++)
            xi[k] = to[k] = -to[k];
    }
}

static void solve_with_panels(carom_block_lu *self, double *b)
{
    const int n = self->width;
    for (int i = 0; i < self->blocks; i++)
        copy(n, b + (ptrdiff_t)n * self->block_at[i], self->x + (ptrdiff_t)n * i);
    block_panels_solve(self->panels, self->x);
    for (int i = 0; i < self->blocks; i++)
        copy(n, self->x + (ptrdiff_t)n * i, b + (ptrdiff_t)n * self->block_at[i]);
}

void carom_block_lu_solve(carom_block_lu *self, double *x)
{
    if (self->dense)
        solve_with_panels(self, x);
    else if (self->width == 3)
        solve_with(self, 3, x);
    else
        solve_with(self, 6, x);
}
