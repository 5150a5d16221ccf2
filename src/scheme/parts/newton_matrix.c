#include "newton_matrix.h"

#include <string.h>

bool newton_matrix_take(newton_matrix *newton, carom_arena *arena, int dof)
{
    const size_t size = (size_t)dof;
    *newton = (newton_matrix){.dof = dof};
    newton->matrix = carom_arena_take(arena, size * size, sizeof(double));
    newton->factor = carom_arena_take(arena, size * size, sizeof(double));
    newton->diagonals = carom_arena_take(arena, size, sizeof(double));
    newton->pivot = carom_arena_take(arena, size, sizeof(int));
    return newton->matrix && newton->factor && newton->diagonals && newton->pivot;
}

/* Copies the diagonal; false when something stands beside it. */
static bool take_diagonal(int n, const double *matrix, double *diagonals)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i == j)
                diagonals[i] = matrix[(ptrdiff_t)i * n + j];
            else if (matrix[(ptrdiff_t)i * n + j] != 0.0)
                return false;
        }
    return true;
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
    newton->diagonal = take_diagonal(newton->dof, matrix, newton->diagonals);
    int bad_row = carom_lu_factor(newton->dof, newton->factor, newton->pivot);
    newton->factored = bad_row == 0;
    newton->factorisation++;
    return bad_row;
}
