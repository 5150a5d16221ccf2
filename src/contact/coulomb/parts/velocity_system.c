#include "velocity_system.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg/block_lu.h"

enum {
    WIDTH = 3,
    MANY = 100, /* velocities from which on blocks are worth it */
    REFINEMENTS = 3
};

struct coulomb_velocity_system {
    const carom_coulomb_global *global;
    carom_block_lu *lu;
    int blocks, pairs;
    int *start;      /* pairs by their smaller number: blocks + 1 */
    int (*pair)[2];  /* (smaller, larger), ascending */
    double *x;       /* a vector of all blocks */
    double *room[3]; /* vectors of velocities */
};

bool coulomb_velocity_system_suits(const carom_coulomb_global *global)
{
    return global->G.columns == 0 && global->M.columns >= MANY;
}

/* ---- which blocks there are -------------------------------------------------------------------------------------- */

/* Calls of put(row block, column block) for all places beside the diagonal, from M and from every contact; some come twice. */
typedef struct places {
    coulomb_velocity_system *system;
    int *count; /* per smaller number; then where the next goes */
    int *mark;  /* the last block that named this one */
    int *larger;
    int *touched; /* blocks of one contact */
    long total;   /* of all counts */
} places;

static void put(places *list, int a, int b)
{
    const int least = a < b ? a : b, most = a < b ? b : a;
    if (list->larger)
        list->larger[list->count[least]] = most;
    list->count[least]++;
}

static void put_masses(places *list)
{
    const carom_sparse *M = &list->system->global->M;
    for (int j = 0; j < list->system->blocks; j++) {
        list->mark[j] = j;
        for (int column = WIDTH * j; column < WIDTH * (j + 1) && column < M->columns; column++)
            for (int k = M->column_start[column]; k < M->column_start[column + 1]; k++) {
                const int i = M->row[k] / WIDTH;
                if (list->mark[i] == j)
                    continue;
                list->mark[i] = j;
                list->total++;
                put(list, i, j);
            }
    }
}

/* False when all places are more than an int can number: the k blocks of a contact have k (k - 1) / 2. */
static bool put_contact(places *list, int contact)
{
    const carom_coulomb_global *global = list->system->global;
    const carom_sparse *H = &global->H;
    const int own = list->system->blocks + contact; /* a mark that M did not use */
    int count = 0;
    for (int k = H->column_start[contact * global->dimension];
         k < H->column_start[(contact + 1) * global->dimension]; k++) {
        const int i = H->row[k] / WIDTH;
        if (list->mark[i] == own)
            continue;
        list->mark[i] = own;
        list->touched[count++] = i;
    }
    list->total += (long)count * (count - 1) / 2;
    if (list->total > INT_MAX)
        return false;
    for (int i = 1; i < count; i++)
        for (int other = 0; other < i; other++)
            put(list, list->touched[i], list->touched[other]);
    return true;
}

static bool put_all(places *list)
{
    list->total = 0;
    for (int i = 0; i < list->system->blocks; i++)
        list->mark[i] = -1;
    put_masses(list);
    for (int contact = 0; contact < list->system->global->contacts; contact++)
        if (!put_contact(list, contact))
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Each smaller number's list in order, every pair once; false when memory is short. */
static bool sort_pairs(coulomb_velocity_system *system, const int *first, int *larger)
{
    int count = 0;
    for (int i = 0; i < system->blocks; i++) {
        const int begin = first[i], end = first[i + 1];
        qsort(larger + begin, (size_t)(end - begin), sizeof *larger, compare);
        system->start[i] = count;
        for (int k = begin; k < end; k++)
            if (k == begin || larger[k] != larger[k - 1])
                larger[count++] = larger[k];
    }
    system->start[system->blocks] = system->pairs = count;
    system->pair = carom_new_array((size_t)count, sizeof *system->pair);
    if (!system->pair)
        return false;
    for (int i = 0; i < system->blocks; i++)
        for (int k = system->start[i]; k < system->start[i + 1]; k++) {
            system->pair[k][0] = i;
            system->pair[k][1] = larger[k];
        }
    return true;
}

/* False when memory is short, or would be: see put_contact. */
static bool find_pairs(coulomb_velocity_system *system)
{
    const size_t blocks = (size_t)system->blocks;
    int *first = carom_new_array(blocks + 1, sizeof *first);
    places list = {.system = system,
                   .count = carom_new_array(blocks + 1, sizeof(int)),
                   .mark = carom_new_array(blocks, sizeof(int)),
                   .touched = carom_new_array(blocks, sizeof(int))};
    bool found = first && list.count && list.mark && list.touched;
    if (found && (found = put_all(&list))) {
        int sum = 0;
        for (int i = 0; i < system->blocks; i++) {
            const int own = list.count[i];
            first[i] = list.count[i] = sum;
            sum += own;
        }
        first[system->blocks] = sum;
        list.larger = carom_new_array((size_t)sum, sizeof *list.larger);
        found = list.larger && put_all(&list) && sort_pairs(system, first, list.larger);
    }
    free(first);
    free(list.count);
    free(list.mark);
    free(list.larger);
    free(list.touched);
    return found;
}

coulomb_velocity_system *coulomb_velocity_system_create(const carom_coulomb_global *global)
{
    coulomb_velocity_system *system = carom_new_array(1, sizeof *system);
    if (!system)
        return NULL;
    const size_t n = (size_t)global->M.columns;
    system->global = global;
    system->blocks = (global->M.columns + WIDTH - 1) / WIDTH;
    system->start = carom_new_array((size_t)system->blocks + 1, sizeof *system->start);
    system->x = carom_new_array(WIDTH * (size_t)system->blocks, sizeof *system->x);
    for (int k = 0; k < 3; k++)
        system->room[k] = carom_new_array(n, sizeof *system->x);
    system->lu = carom_block_lu_create(WIDTH);
    if (system->start && system->x && system->room[0] && system->room[1] && system->room[2] && system->lu &&
        find_pairs(system) &&
        carom_block_lu_pattern(system->lu, system->blocks, system->pairs, (const int(*)[2])system->pair))
        return system;
    coulomb_velocity_system_free(system);
    return NULL;
}

void coulomb_velocity_system_free(coulomb_velocity_system *system)
{
    if (!system)
        return;
    carom_block_lu_free(system->lu);
    free(system->start);
    free(system->pair);
    free(system->x);
    for (int k = 0; k < 3; k++)
        free(system->room[k]);
    free(system);
}

size_t coulomb_velocity_system_size(const coulomb_velocity_system *system)
{
    return carom_block_lu_size(system->lu);
}

/* ---- the matrix -------------------------------------------------------------------------------------------------- */

/* The block (i, j), row by row. */
static double *block_at(const coulomb_velocity_system *system, int i, int j)
{
    if (i == j)
        return carom_block_lu_diagonal(system->lu, i);
    const int least = i < j ? i : j, most = i < j ? j : i;
    int low = system->start[least], high = system->start[least + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (system->pair[middle][1] < most)
            low = middle + 1;
        else
            high = middle;
    }
    return carom_block_lu_beside(system->lu, low, i < j ? 0 : 1);
}

static void add_masses(coulomb_velocity_system *system)
{
    const carom_sparse *M = &system->global->M;
    for (int j = 0; j < M->columns; j++) {
        double *block = NULL;
        int last = -1;
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++) {
            const int i = M->row[k] / WIDTH;
            if (i != last)
                block = block_at(system, i, j / WIDTH);
            last = i;
            block[WIDTH * (M->row[k] % WIDTH) + j % WIDTH] += M->value[k];
        }
    }
    /* velocities that fill the last block */
    for (int i = M->columns; i < WIDTH * system->blocks; i++)
        carom_block_lu_diagonal(system->lu, i / WIDTH)[(WIDTH + 1) * (i % WIDTH)] = 1.0;
}

/* H_c D H_c^T, entry by entry of the contact's columns of H. */
static void add_contact(coulomb_velocity_system *system, int contact, const double D[9])
{
    const carom_sparse *H = &system->global->H;
    const int d = system->global->dimension, first = contact * d;
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) {
            if (D[3 * a + b] == 0.0)
                continue;
            for (int k = H->column_start[first + a]; k < H->column_start[first + a + 1]; k++)
                for (int l = H->column_start[first + b]; l < H->column_start[first + b + 1]; l++) {
                    const int i = H->row[k], j = H->row[l];
                    block_at(system, i / WIDTH, j / WIDTH)[WIDTH * (i % WIDTH) + j % WIDTH] +=
                        H->value[k] * D[3 * a + b] * H->value[l];
                }
        }
}

bool coulomb_velocity_system_factor(coulomb_velocity_system *system, const double *D)
{
    carom_block_lu_clear(system->lu);
    add_masses(system);
    for (int contact = 0; D && contact < system->global->contacts; contact++)
        add_contact(system, contact, D + 9 * (ptrdiff_t)contact);
    return carom_block_lu_factor(system->lu);
}

void coulomb_velocity_system_solve(coulomb_velocity_system *system, double *x)
{
    const size_t n = (size_t)system->global->M.columns, all = WIDTH * (size_t)system->blocks;
    memcpy(system->x, x, n * sizeof *x);
    for (size_t i = n; i < all; i++)
        system->x[i] = 0.0;
    carom_block_lu_solve(system->lu, system->x);
    memcpy(x, system->x, n * sizeof *x);
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static void push(const carom_coulomb_global *global, const double *r, double *x)
{
    memcpy(x, global->f, (size_t)global->M.columns * sizeof *x);
    if (r)
        carom_sparse_add(&global->H, r, x);
}

void coulomb_velocity_system_residual(const carom_coulomb_global *global, const double *r, const double *v,
                                      double *residual)
{
    const carom_sparse *M = &global->M;
    push(global, r, residual);
    for (int j = 0; j < M->columns; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            residual[M->row[k]] -= M->value[k] * v[j];
}

/* residual = right - M v, and the backward error; `scale` is room. */
static double backward_error(const carom_sparse *M, const double *right, const double *v, double *residual,
                             double *scale)
{
    double worst = 0.0;
    for (int i = 0; i < M->rows; i++) {
        residual[i] = right[i];
        scale[i] = fabs(right[i]);
    }
    for (int j = 0; j < M->columns; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++) {
            const double part = M->value[k] * v[j];
            residual[M->row[k]] -= part;
            scale[M->row[k]] += fabs(part);
        }
    for (int i = 0; i < M->rows; i++) {
        if (!isfinite(scale[i]))
            return INFINITY;
        if (scale[i] > 0.0)
            worst = fmax(worst, fabs(residual[i]) / scale[i]);
    }
    return worst;
}

double coulomb_velocity_system_move(coulomb_velocity_system *system, const double *r, double *v)
{
    const carom_sparse *M = &system->global->M;
    double *right = system->room[0], *residual = system->room[1], *scale = system->room[2], last = INFINITY;
    push(system->global, r, right);
    memcpy(v, right, (size_t)M->columns * sizeof *v);
    coulomb_velocity_system_solve(system, v);
    for (int step = 0;; step++) {
        const double now = backward_error(M, right, v, residual, scale);
        if (step == REFINEMENTS || now < 1e-15 || !(now < 0.5 * last))
            return now;
        coulomb_velocity_system_solve(system, residual);
        carom_axpy(M->columns, 1.0, residual, v);
        last = now;
    }
}

void coulomb_velocity_system_contacts(const carom_coulomb_global *global, const double *v, double *u)
{
    const carom_sparse *H = &global->H;
    const int d = global->dimension;
    for (int a = 0; a < global->contacts; a++)
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            if (k < d) {
                const int column = d * a + k;
                sum = global->w[column];
                for (int at = H->column_start[column]; at < H->column_start[column + 1]; at++)
                    sum += H->value[at] * v[H->row[at]];
            }
            u[3 * a + k] = sum;
        }
}
