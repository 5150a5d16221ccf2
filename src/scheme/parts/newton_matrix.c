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

bool newton_matrix_take_diagonal(newton_matrix *newton, carom_arena *arena, int dof)
{
    *newton = (newton_matrix){.dof = dof, .diagonal = true};
    newton->diagonals = carom_arena_take(arena, (size_t)dof, sizeof(double));
    return newton->diagonals != NULL;
}

int newton_matrix_use_diagonal(newton_matrix *newton)
{
    newton->factored = false;
    if (!carom_all_finite(newton->dof, newton->diagonals))
        return -1;
    newton->factorisation++;
    for (int i = 0; i < newton->dof; i++)
        if (newton->diagonals[i] == 0.0)
            return i + 1;
    newton->factored = true;
    return 0;
}
