#include "newton_matrix.h"

#include <string.h>

bool newton_matrix_take(newton_matrix *newton, carom_arena *arena, int dof)
{
    const size_t size = (size_t)dof;
    *newton = (newton_matrix){.dof = dof};
    newton->matrix = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    newton->factor = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    newton->diagonals = carom_arena_take(arena, size, sizeof(double));
    newton->pivot = carom_arena_take(arena, size, sizeof(int));
    return newton->matrix && newton->factor && newton->diagonals && newton->pivot;
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
    int bad_row = carom_lu_factor(newton->dof, newton->factor, newton->pivot);
    newton->factored = bad_row == 0;
    newton->factorisation++;
    return bad_row;
}
