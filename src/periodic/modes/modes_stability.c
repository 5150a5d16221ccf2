/* Floquet multipliers: the product over flights of the linear flow and over impacts of the saltation matrix,
 * both in modal coordinates, where the mass is 1, w is b and the flow rotates each mode:
 *
 *   Salt = [[N, 0], [2 P (b.a / b.v-) b^T, N]],   N = 1 - 2 P b^T,  P = b / b.b,  a = -om^2 u,  v- = N v+ */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impulse_motion.h"

/* Columns of the state rotate with their modes. */
static void fly(const carom_mode_basis *basis, double duration, double *state, int columns)
{
    const int n = basis->size;
    for (int j = 0; j < n; j++) {
        const double om = basis->frequency[j], c = cos(om * duration), s = sin(om * duration);
        double *position = state + (ptrdiff_t)j * columns, *rate = state + (ptrdiff_t)(n + j) * columns;
        for (int k = 0; k < columns; k++) {
            const double a = position[k], v = rate[k];
            position[k] = c * a + s / om * v;
            rate[k] = c * v - om * s * a;
        }
    }
}

/* row := b^T block, a block of n rows. */
static void project(const carom_mode_basis *basis, const double *block, int columns, double *row)
{
    memset(row, 0, (size_t)columns * sizeof *row);
    for (int j = 0; j < basis->size; j++)
        carom_axpy(columns, basis->contact_mode[j], block + (ptrdiff_t)j * columns, row);
}

/* The saltation matrix at the impact that leads to the state a, v+. */
static void strike(const carom_mode_basis *basis, const double *a, const double *after, double *state,
                   int columns, double *row)
{
    const int n = basis->size;
    const double *b = basis->contact_mode;
    double acceleration = 0.0;
    for (int j = 0; j < n; j++)
        acceleration -= b[j] * basis->frequency[j] * basis->frequency[j] * a[j];
    const double approach = -carom_dot(n, b, after); /* b . v- */
    double *position = state, *rate = state + (ptrdiff_t)n * columns, *position_row = row,
           *rate_row = row + columns;
    project(basis, position, columns, position_row);
    project(basis, rate, columns, rate_row);
    for (int j = 0; j < n; j++) {
        const double p = 2.0 * b[j] / basis->inverse_mass[0];
        carom_axpy(columns, -p, rate_row, rate + (ptrdiff_t)j * columns);
        carom_axpy(columns, p * acceleration / approach, position_row, rate + (ptrdiff_t)j * columns);
        carom_axpy(columns, -p, position_row, position + (ptrdiff_t)j * columns);
    }
}

carom_status carom_mode_multipliers(const carom_mode *mode, double *real, double *imaginary, double *largest,
                                    carom_error *error)
{
    const carom_mode_basis *basis = mode->basis;
    const int n = basis->size, size = 2 * n;
    if (mode->impacts < 1 || mode->verdict == CAROM_MODE_DIVERGE)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "multipliers are those of a motion with impacts; this one has the verdict '%s'",
                          carom_mode_verdict_word(mode->verdict));
    double *matrix = carom_new_array((size_t)size * (size_t)(size + 2), sizeof *matrix);
    if (!matrix)
        return carom_fail_memory(error);
    for (int i = 0; i < size; i++)
        matrix[(ptrdiff_t)i * size + i] = 1.0;
    for (int i = 0; i < mode->impacts; i++) {
        const ptrdiff_t next = (i + 1) % mode->impacts;
        fly(basis, mode->flight[i], matrix, size);
        strike(basis, mode->amplitude + next * n, mode->rate + next * n, matrix, size,
               matrix + (ptrdiff_t)size * size);
    }
    carom_monodromy_in_time(n, modes_time(basis), matrix);
    const carom_status status = carom_multipliers(size, matrix, real, imaginary, largest, error);
    free(matrix);
    return status;
}
