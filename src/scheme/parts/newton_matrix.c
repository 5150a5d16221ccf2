#include "newton_matrix.h"

#include <math.h>
#include <string.h>

enum {
    BAND_FROM = 8 /* below, a look at the zeros costs more than they do */
};

bool newton_matrix_take(newton_matrix *newton, carom_arena *arena, int dof)
{
    const size_t size = (size_t)dof;
    *newton = (newton_matrix){.dof = dof};
    newton->matrix = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    newton->factor = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    newton->diagonals = carom_arena_take(arena, size, sizeof(double));
    newton->lower = carom_arena_take(arena, size, 2 * sizeof(double));
    newton->upper = carom_arena_take(arena, size, 2 * sizeof(double));
    newton->right = carom_arena_take(arena, size, sizeof(double));
    newton->pivot = carom_arena_take(arena, size, sizeof(int));
    newton->first = carom_arena_take(arena, size, sizeof(int));
    newton->last = carom_arena_take(arena, size, sizeof(int));
    newton->order = carom_arena_take(arena, size, sizeof(int));
    return newton->matrix && newton->factor && newton->diagonals && newton->lower && newton->upper &&
           newton->right && newton->pivot && newton->first && newton->last && newton->order;
}

/* Where the entries of the factors lie: those of carom_lu_factor below LAPACK's sizes stand row by row, and so do their
 * zeros. */
static void find_band(newton_matrix *newton)
{
    const int n = newton->dof;
    long entries = 0;
    newton->banded = false;
    if (n < BAND_FROM || n >= CAROM_LU_LAPACK_FROM || newton->diagonal)
        return;
    for (int i = 0; i < n; i++) {
        const double *row = newton->factor + (ptrdiff_t)i * n;
        int first = 0, last = n - 1;
        while (first < i && row[first] == 0.0)
            first++;
        while (last > i && row[last] == 0.0)
            last--;
        newton->diagonals[i] = 1.0 / row[i];
        for (int k = 0; k < 2; k++) {
            newton->lower[2 * i + k] = i > k ? row[i - 1 - k] : 0.0;
            newton->upper[2 * i + k] = i + 1 + k < n ? row[i + 1 + k] * newton->diagonals[i] : 0.0;
        }
        newton->first[i] = first;
        newton->last[i] = last;
        entries += last - first + 1;
    }
    newton->banded = 2 * entries <= (long)n * n;
    for (int i = 0; i < n; i++)
        newton->order[i] = i;
    for (int k = 0; k < n; k++) {
        const int chosen = newton->order[newton->pivot[k]];
        newton->order[newton->pivot[k]] = newton->order[k];
        newton->order[k] = chosen;
    }
}

/* Each unknown waits for the two before it, which stay in registers, for a product and a difference each:
 *
 *   x_i = ((b_i - sum_j<i-2 L_ij x_j) - L_i,i-2 x_i-2) - L_i,i-1 x_i-1,    b with its rows exchanged,
 *   x_i = ((x_i - sum_j>i+2 U_ij x_j) d - (U_i,i+2 d) x_i+2) - (U_i,i+1 d) x_i+1,    d = 1/U_ii */
void newton_matrix_solve_banded(const newton_matrix *newton, double *x)
{
    const int n = newton->dof;
    double *b = newton->right, one = 0.0, two = 0.0; /* the last unknown that was found, and the one before */
    for (int i = 0; i < n; i++)
        b[i] = x[newton->order[i]];
    for (int i = 0; i < n; i++) {
        const double *row = newton->factor + (ptrdiff_t)i * n, *beside = newton->lower + (ptrdiff_t)2 * i;
        double sum = 0.0;
        for (int j = newton->first[i]; j < i - 2; j++)
            sum += row[j] * x[j];
        const double found = ((b[i] - sum) - beside[1] * two) - beside[0] * one;
        x[i] = found;
        two = one;
        one = found;
    }
    one = two = 0.0;
    for (int i = n - 1; i >= 0; i--) {
        const double *row = newton->factor + (ptrdiff_t)i * n, *beside = newton->upper + (ptrdiff_t)2 * i;
        double sum = 0.0;
        for (int j = newton->last[i]; j > i + 2; j--)
            sum += row[j] * x[j];
        const double found = ((x[i] - sum) * newton->diagonals[i] - beside[1] * two) - beside[0] * one;
        x[i] = found;
        two = one;
        one = found;
    }
}

/* It is its own factor; 0, or the 1-based row whose pivot is zero. */
static int factor_diagonal(newton_matrix *newton)
{
    const int first = newton->dof < CAROM_LU_LAPACK_FROM ? 0 : 1; /* as carom_lu_factor counts rows */
    for (int i = 0; i < newton->dof; i++) {
        newton->pivot[i] = i + first;
        if (!(fabs(newton->diagonals[i]) > 0.0))
            return i + 1;
    }
    return 0;
}

int newton_matrix_factor_diagonal(newton_matrix *newton, const double *matrix)
{
    const ptrdiff_t n = newton->dof, next = n + 1;
    bool same = newton->factored, finite = true;
    for (ptrdiff_t i = 0; i < n; i++) {
        const double entry = matrix[i * next];
        same = same && entry == newton->matrix[i * next];
        finite = finite && isfinite(entry);
    }
    if (same)
        return 0;
    newton->factored = false;
    if (!finite)
        return -1;
    newton->diagonal = true;
    newton->banded = false;
    for (ptrdiff_t i = 0; i < n; i++)
        newton->diagonals[i] = newton->matrix[i * next] = matrix[i * next];
    const int bad_row = factor_diagonal(newton);
    newton->factored = bad_row == 0;
    newton->factorisation++;
    return bad_row;
}

int newton_matrix_factor(newton_matrix *newton, const double *matrix)
{
    const size_t bytes = (size_t)newton->dof * (size_t)newton->dof * sizeof(double);
    if (newton->factored && memcmp(newton->matrix, matrix, bytes) == 0)
        return 0;
    newton->factored = false;
    if (!carom_all_finite(newton->dof * newton->dof, matrix))
        return -1;
    memcpy(newton->matrix, matrix, bytes);
    memcpy(newton->factor, matrix, bytes);
    newton->diagonal = carom_is_diagonal(newton->dof, matrix);
    for (int i = 0; newton->diagonal && i < newton->dof; i++)
        newton->diagonals[i] = matrix[(ptrdiff_t)i * (newton->dof + 1)];
    int bad_row = newton->diagonal ? factor_diagonal(newton)
                                   : carom_lu_factor(newton->dof, newton->factor, newton->pivot);
    newton->factored = bad_row == 0;
    if (newton->factored)
        find_band(newton);
    newton->factorisation++;
    return bad_row;
}
