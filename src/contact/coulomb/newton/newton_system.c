#include "newton_system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/dense_blocks.h"

struct coulomb_newton_system {
    int contacts;
    bool dense;
    int *active; /* contacts that are factored, ascending */
    int *place;  /* of a contact in `active`, -1: eliminated */
    int count;
    double *right; /* 3 per active contact */
    double *value; /* of J: dense row by row, or by columns at the places of the pattern */
    /* dense */
    int *pivot;
    /* sparse: the pattern by columns, of the contacts in `factored` */
    int *column_start, *row;
    int *filled; /* blocks of a column that have got their values */
    int *factored;
    int factored_count; /* -1: nothing is factored */
    carom_sparse_factor *factor;
};

static const double regularisation = 1e-8;
/* A pivot below this times the largest one is rounding. */
static const double rounding = 4.0 * DBL_EPSILON;

static bool take_dense(coulomb_newton_system *system)
{
    const size_t size = 3 * (size_t)system->contacts;
    system->value = carom_new_array(carom_product(size, size), sizeof *system->value);
    system->pivot = carom_new_array(size, sizeof *system->pivot);
    return system->value && system->pivot;
}

static bool take_sparse(coulomb_newton_system *system, size_t blocks)
{
    const size_t contacts = (size_t)system->contacts;
    system->value = carom_new_array(9 * blocks, sizeof *system->value);
    system->row = carom_new_array(9 * blocks, sizeof *system->row);
    system->column_start = carom_new_array(3 * contacts + 1, sizeof *system->column_start);
    system->filled = carom_new_array(contacts, sizeof *system->filled);
    system->factored = carom_new_array(contacts, sizeof *system->factored);
    return system->value && system->row && system->column_start && system->filled && system->factored;
}

coulomb_newton_system *coulomb_newton_system_create(const carom_problem_shape *shape)
{
    coulomb_newton_system *system = carom_new_array(1, sizeof *system);
    if (!system)
        return NULL;
    const size_t contacts = (size_t)shape->size, blocks = (size_t)shape->blocks;
    system->contacts = shape->size;
    system->factored_count = -1;
    system->dense = coulomb_is_dense(shape);
    system->active = carom_new_array(contacts, sizeof *system->active);
    system->place = carom_new_array(contacts, sizeof *system->place);
    system->right = carom_new_array(3 * contacts, sizeof *system->right);
    const bool taken = system->dense ? take_dense(system) : take_sparse(system, blocks);
    if (taken && system->active && system->place && system->right)
        return system;
    coulomb_newton_system_free(system);
    return NULL;
}

void coulomb_newton_system_forget(coulomb_newton_system *system)
{
    carom_sparse_factor_free(system->factor);
    system->factor = NULL;
    system->factored_count = -1;
}

void coulomb_newton_system_free(coulomb_newton_system *system)
{
    if (!system)
        return;
    carom_sparse_factor_free(system->factor);
    free(system->active);
    free(system->place);
    free(system->right);
    free(system->value);
    free(system->pivot);
    free(system->column_start);
    free(system->row);
    free(system->filled);
    free(system->factored);
    free(system);
}

/* ---- elimination of open contacts --------------------------------------------------------------------- */

static bool is_open(const double *A, const double *B)
{
    for (int k = 0; k < 9; k++)
        if (A[k] != 0.0 || B[k] != (k % 4 == 0 ? 1.0 : 0.0))
            return false;
    return true;
}

static void choose_active(coulomb_newton_system *system, const double *A, const double *B)
{
    system->count = 0;
    for (int a = 0; a < system->contacts; a++) {
        const bool open = is_open(A + 9 * (ptrdiff_t)a, B + 9 * (ptrdiff_t)a);
        system->place[a] = open ? -1 : system->count;
        if (!open)
            system->active[system->count++] = a;
    }
}

/* -G - A W d of the eliminated contacts, whose d = -G. */
static void fill_right(const coulomb_newton_system *system, const carom_blocks *W, const double *A,
                       const double *G)
{
    for (int i = 0; i < system->count; i++) {
        const int a = system->active[i];
        double change[3] = {0}, *right = system->right + 3 * (ptrdiff_t)i;
        for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++)
            if (system->place[W->column[k]] < 0)
                carom_block_add(carom_block_at(W, k), G + 3 * (ptrdiff_t)W->column[k], change);
        for (int k = 0; k < 3; k++)
            right[k] = -G[3 * a + k];
        carom_block_add(A + 9 * (ptrdiff_t)a, change, right);
    }
}

/* ---- J ------------------------------------------------------------------------------------------------ */

/* A_a W_ab, + B_a on the diagonal. */
static void jacobian_block(const double *A, const double *B, const double *w, bool diagonal, double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = A[3 * i] * w[j] + A[3 * i + 1] * w[3 + j] + A[3 * i + 2] * w[6 + j] +
                             (diagonal ? B[3 * i + j] : 0.0);
}

/* The pattern of the active contacts, by columns. */
static void find_pattern(coulomb_newton_system *system, const carom_blocks *W)
{
    int *start = system->column_start;
    memset(start, 0, (3 * (size_t)system->count + 1) * sizeof *start);
    for (int i = 0; i < system->count; i++) {
        const int a = system->active[i];
        for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++) {
            const int b = system->place[W->column[k]];
            for (int l = 0; b >= 0 && l < 3; l++)
                start[3 * b + l + 1] += 3;
        }
    }
    for (int j = 0; j < 3 * system->count; j++)
        start[j + 1] += start[j];
}

static void put_dense(const coulomb_newton_system *system, int i, int j, const double block[9])
{
    const ptrdiff_t size = 3 * (ptrdiff_t)system->count;
    for (int k = 0; k < 3; k++)
        memcpy(system->value + (3 * i + k) * size + 3 * (ptrdiff_t)j, block + 3 * (ptrdiff_t)k,
               3 * sizeof *block);
}

static void put_sparse(const coulomb_newton_system *system, int i, int j, const double block[9])
{
    const int before = 3 * system->filled[j]++;
    for (int l = 0; l < 3; l++) {
        const int first = system->column_start[3 * j + l] + before;
        for (int k = 0; k < 3; k++) {
            system->row[first + k] = 3 * i + k;
            system->value[first + k] = block[3 * k + l];
        }
    }
}

static void clear_values(const coulomb_newton_system *system)
{
    const size_t size = 3 * (size_t)system->count;
    if (system->dense)
        memset(system->value, 0, size * size * sizeof *system->value);
    else
        memset(system->filled, 0, (size_t)system->count * sizeof *system->filled);
}

/* Returns the largest entry of J. `shift` is added to its diagonal. */
static double assemble(const coulomb_newton_system *system, const carom_blocks *W, const double *A,
                       const double *B, double shift)
{
    double largest = 0.0;
    clear_values(system);
    for (int i = 0; i < system->count; i++) {
        const int a = system->active[i];
        for (int k = W->row_start[a]; k < W->row_start[a + 1]; k++) {
            const int b = W->column[k], j = system->place[b];
            if (j < 0)
                continue;
            double block[9];
            jacobian_block(A + 9 * (ptrdiff_t)a, B + 9 * (ptrdiff_t)a, carom_block_at(W, k), a == b, block);
            largest = fmax(largest, carom_largest(9, block));
            for (int l = 0; a == b && l < 3; l++)
                block[4 * l] += shift;
            if (system->dense)
                put_dense(system, i, j, block);
            else
                put_sparse(system, i, j, block);
        }
    }
    return largest;
}

/* ---- factors ------------------------------------------------------------------------------------------ */

static bool same_pattern(const coulomb_newton_system *system)
{
    return system->count == system->factored_count &&
           memcmp(system->active, system->factored, (size_t)system->count * sizeof *system->active) == 0;
}

/* The ordering is kept while the same contacts are active. */
static bool factor_sparse(coulomb_newton_system *system)
{
    if (system->factor && same_pattern(system))
        return carom_sparse_factor_again(system->factor, system->value, NULL) == CAROM_OK;
    const int size = 3 * system->count;
    const carom_sparse matrix = {size, size, system->column_start, system->row, system->value};
    carom_sparse_factor_free(system->factor);
    memcpy(system->factored, system->active, (size_t)system->count * sizeof *system->active);
    system->factored_count = system->count;
    return carom_sparse_factor_create(&matrix, &system->factor, NULL) == CAROM_OK;
}

/* False when a pivot is rounding. */
static bool factor_dense(coulomb_newton_system *system)
{
    const int size = 3 * system->count;
    if (carom_lu_factor(size, system->value, system->pivot) != 0)
        return false;
    double low = INFINITY, high = 0.0;
    for (ptrdiff_t i = 0; i < size; i++) {
        const double pivot = fabs(system->value[i * size + i]);
        low = fmin(low, pivot);
        high = fmax(high, pivot);
    }
    return low > rounding * high;
}

/* `right` becomes the solution. */
static bool factor_and_solve(coulomb_newton_system *system)
{
    const int size = 3 * system->count;
    if (system->dense) {
        if (!factor_dense(system))
            return false;
        carom_lu_solve(size, system->value, system->pivot, system->right);
    } else {
        if (!factor_sparse(system))
            return false;
        carom_sparse_solve(system->factor, system->right);
    }
    return carom_all_finite(size, system->right);
}

static bool solve_active(coulomb_newton_system *system, const carom_blocks *W, const double *A,
                         const double *B, const double *G, long *regularised)
{
    if (!system->dense)
        find_pattern(system, W);
    fill_right(system, W, A, G);
    const double largest = assemble(system, W, A, B, 0.0);
    if (factor_and_solve(system))
        return true;
    (*regularised)++;
    fill_right(system, W, A, G);
    assemble(system, W, A, B, regularisation * largest);
    return factor_and_solve(system);
}

bool coulomb_newton_system_solve(coulomb_newton_system *system, const carom_blocks *W, const double *A,
                                 const double *B, const double *G, double *d, long *regularised)
{
    system->contacts = W->rows;
    choose_active(system, A, B);
    if (system->count > 0 && !solve_active(system, W, A, B, G, regularised))
        return false;
    for (int a = 0; a < system->contacts; a++)
        for (int k = 0; k < 3; k++)
            d[3 * a + k] = system->place[a] < 0 ? -G[3 * a + k] : system->right[3 * system->place[a] + k];
    return true;
}
