#include "global_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/error_map.h"
#include "contact/coulomb/parts/motion_factor.h"

struct coulomb_global_system {
    const carom_coulomb_global *global;
    int l, u, r, size;           /* where the unknowns begin, v at 0; their number */
    carom_arena *arena;          /* of the matrix */
    carom_sparse matrix;         /* with places for A and B */
    double *value;               /* its entries in this iteration */
    carom_sparse_factor *motion; /* of the system whose last row is r = r */
    carom_sparse_factor *newton; /* NULL: none yet */
};

/* B is the derivative of G, an impulse, by impulses (Alart and Curnier): it has no unit, and entries of order 1. */
static const double regularisation = 1e-8;

/* ---- the matrix ---------------------------------------------------------------------------------------- */

typedef struct entries {
    size_t count;
    int *row, *column;
    double *value;
} entries;

static void put(entries *list, int row, int column, double value)
{
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
}

static void put_motion(const coulomb_global_system *system, entries *list)
{
    const carom_sparse *M = &system->global->M, *G = &system->global->G;
    for (int j = 0; j < M->columns; j++)
        for (int k = M->column_start[j]; k < M->column_start[j + 1]; k++)
            put(list, M->row[k], j, M->value[k]);
    for (int j = 0; j < G->columns; j++)
        for (int k = G->column_start[j]; k < G->column_start[j + 1]; k++) {
            put(list, G->row[k], system->l + j, -G->value[k]);
            put(list, system->l + j, G->row[k], G->value[k]);
        }
}

/* Column `given` of H, which belongs to the place `at` of contacts in space. */
static void put_contact(const coulomb_global_system *system, int at, int given, entries *list)
{
    const carom_sparse *H = &system->global->H;
    for (int k = H->column_start[given]; k < H->column_start[given + 1]; k++) {
        put(list, H->row[k], system->r + at, -H->value[k]);
        put(list, system->u + at, H->row[k], -H->value[k]);
    }
}

static void put_contacts(const coulomb_global_system *system, entries *list)
{
    const int dimension = system->global->dimension;
    for (int at = 0; at < 3 * system->global->contacts; at++) {
        put(list, system->u + at, system->u + at, 1.0);
        if (at % 3 < dimension)
            put_contact(system, at, at / 3 * dimension + at % 3, list);
        else
            put(list, system->u + at, system->r + at, -1.0);
    }
}

/* r = r, or places for A and B: the last three of every column of u and r. */
static void put_law(const coulomb_global_system *system, bool has_law, entries *list)
{
    for (int at = 0; at < 3 * system->global->contacts; at++) {
        const int first = at - at % 3;
        if (!has_law)
            put(list, system->r + at, system->r + at, 1.0);
        for (int k = 0; has_law && k < 3; k++) {
            put(list, system->r + first + k, system->u + at, 0.0);
            put(list, system->r + first + k, system->r + at, 0.0);
        }
    }
}

static size_t entry_count(const carom_sparse *a)
{
    return a->columns > 0 ? (size_t)a->column_start[a->columns] : 0;
}

static bool take_matrix(const coulomb_global_system *system, bool has_law, carom_arena *arena,
                        carom_sparse *matrix)
{
    const carom_coulomb_global *global = system->global;
    const size_t contacts = (size_t)global->contacts;
    const size_t most = entry_count(&global->M) + 2 * entry_count(&global->G) + 2 * entry_count(&global->H) +
                        (3 + 3 + 18) * contacts;
    entries list = {0, carom_new_array(most, sizeof(int)), carom_new_array(most, sizeof(int)),
                    carom_new_array(most, sizeof(double))};
    bool taken = list.row && list.column && list.value;
    if (taken) {
        put_motion(system, &list);
        put_contacts(system, &list);
        put_law(system, has_law, &list);
        taken = carom_sparse_take(arena, system->size, system->size, list.count, list.row, list.column,
                                  list.value, matrix);
    }
    free(list.row);
    free(list.column);
    free(list.value);
    return taken;
}

/* ---- the motion ---------------------------------------------------------------------------------------- */

static carom_status factor_motion(coulomb_global_system *system, carom_error *error)
{
    carom_sparse matrix;
    carom_arena *scratch = carom_arena_create();
    const bool taken = scratch && take_matrix(system, false, scratch, &matrix);
    const carom_status status =
        taken ? carom_sparse_factor_create(&matrix, &system->motion, error) : carom_fail_memory(error);
    carom_arena_free(scratch);
    return status == CAROM_FAILED ? coulomb_motion_explain(system->global, error) : status;
}

/* The matrix with the law, and memory of its own for its entries. */
static bool take_newton_matrix(coulomb_global_system *system)
{
    if (!system->arena || !take_matrix(system, true, system->arena, &system->matrix))
        return false;
    const size_t count = entry_count(&system->matrix);
    system->value = carom_arena_take(system->arena, count, sizeof *system->value);
    if (!system->value)
        return false;
    memcpy(system->value, system->matrix.value, count * sizeof *system->value);
    system->matrix.value = system->value;
    return true;
}

carom_status coulomb_global_system_create(const carom_coulomb_global *global, coulomb_global_system **system,
                                          carom_error *error)
{
    const int contacts = 3 * global->contacts;
    coulomb_global_system *made = carom_new_array(1, sizeof *made);
    *system = NULL;
    if (!made)
        return carom_fail_memory(error);
    made->global = global;
    made->l = global->M.columns;
    made->u = made->l + global->G.columns;
    made->r = made->u + contacts;
    made->size = made->r + contacts;
    made->arena = carom_arena_create();
    carom_status status = factor_motion(made, error);
    if (status == CAROM_OK && !take_newton_matrix(made))
        status = carom_fail_memory(error);
    if (status != CAROM_OK) {
        coulomb_global_system_free(made);
        return status;
    }
    *system = made;
    return CAROM_OK;
}

void coulomb_global_system_free(coulomb_global_system *system)
{
    if (!system)
        return;
    carom_sparse_factor_free(system->motion);
    carom_sparse_factor_free(system->newton);
    carom_arena_free(system->arena);
    free(system);
}

size_t coulomb_global_system_size(const coulomb_global_system *system)
{
    return (size_t)system->size;
}

ptrdiff_t coulomb_global_system_u(const coulomb_global_system *system)
{
    return system->u;
}

ptrdiff_t coulomb_global_system_r(const coulomb_global_system *system)
{
    return system->r;
}

void coulomb_global_system_move(coulomb_global_system *system, double *x)
{
    const carom_coulomb_global *global = system->global;
    const int dimension = global->dimension;
    memcpy(x, global->f, (size_t)system->l * sizeof *x);
    for (int j = 0; j < global->G.columns; j++)
        x[system->l + j] = -global->b[j];
    for (int at = 0; at < 3 * global->contacts; at++)
        x[system->u + at] = at % 3 < dimension ? global->w[at / 3 * dimension + at % 3] : 0.0;
    carom_sparse_solve(system->motion, x);
}

double coulomb_global_error(const carom_coulomb_global *global, const double *u, const double *r,
                            double q_size)
{
    double sum = 0.0;
    for (int a = 0; a < global->contacts; a++)
        sum += coulomb_map_square(global->mu[a], u + 3 * (ptrdiff_t)a, r + 3 * (ptrdiff_t)a);
    if (sum == 0.0)
        return 0.0;
    const double error = sqrt(sum) / q_size;
    return isfinite(error) ? error : INFINITY;
}

double coulomb_global_system_error(const coulomb_global_system *system, const double *x, double q_size)
{
    return coulomb_global_error(system->global, x + system->u, x + system->r, q_size);
}

/* ---- an iteration -------------------------------------------------------------------------------------- */

/* Where the three entries of the law in this column stand. */
static double *law_in_column(const coulomb_global_system *system, int column)
{
    return system->value + system->matrix.column_start[column + 1] - 3;
}

static void fill_law(const coulomb_global_system *system, const double *A, const double *B, double shift)
{
    for (int at = 0; at < 3 * system->global->contacts; at++) {
        double *a = law_in_column(system, system->u + at), *b = law_in_column(system, system->r + at);
        const ptrdiff_t block = 9 * (ptrdiff_t)(at / 3) + at % 3;
        for (int k = 0; k < 3; k++) {
            a[k] = A[block + 3 * (ptrdiff_t)k];
            b[k] = B[block + 3 * (ptrdiff_t)k] + (k == at % 3 ? shift : 0.0);
        }
    }
}

static bool factor_law(coulomb_global_system *system)
{
    const carom_status status = system->newton
                                    ? carom_sparse_factor_again(system->newton, system->value, NULL)
                                    : carom_sparse_factor_create(&system->matrix, &system->newton, NULL);
    return status == CAROM_OK;
}

bool coulomb_global_system_step(coulomb_global_system *system, const double *A, const double *B,
                                const double *G, double *d, long *regularised)
{
    fill_law(system, A, B, 0.0);
    if (!factor_law(system)) {
        fill_law(system, A, B, regularisation);
        (*regularised)++;
        if (!factor_law(system))
            return false;
    }
    memset(d, 0, (size_t)system->r * sizeof *d);
    for (int at = 0; at < 3 * system->global->contacts; at++)
        d[system->r + at] = -G[at];
    carom_sparse_solve(system->newton, d);
    return carom_all_finite(system->size, d);
}
