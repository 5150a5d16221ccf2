#include "regulator.h"

#include <stdlib.h>

#include "held_controller.h"

enum {
    BLOCK = 4 /* rows at once: as many sums that do not wait for each other */
};

static void fill(const double *A, const double *B, drill_regulator *g)
{
    const int m = g->law->states;
    for (int i = 0; i < m; i++) {
        double *block = g->step + (i / BLOCK) * (m + 2) * BLOCK + i % BLOCK;
        g->output[i] = g->law->C[i];
        block[0] = B[2 * i];
        block[BLOCK] = B[2 * i + 1];
        for (int j = 0; j < m; j++)
            block[(j + 2) * BLOCK] = A[i * m + j];
    }
}

carom_status drill_regulator_take(carom_arena *arena, const carom_drill_controller *law, double h,
                                  drill_regulator *made, carom_error *error)
{
    const int m = law->states, blocks = (m + BLOCK - 1) / BLOCK;
    made->law = law;
    made->blocks = blocks;
    const size_t rows = BLOCK * (size_t)blocks;
    made->step = carom_arena_take(arena, carom_product(rows, (size_t)m + 2), sizeof(double));
    made->output = carom_arena_take(arena, rows, sizeof(double));
    made->x = carom_arena_take(arena, rows, sizeof(double));
    made->moved = carom_arena_take(arena, rows, sizeof(double));
    double *A = carom_new_array(carom_product((size_t)m + 2, (size_t)m), sizeof *A);
    carom_status status =
        made->step && made->output && made->x && made->moved && A ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = drill_discretise(law, h, A, A + m * m, error);
    if (status == CAROM_OK)
        fill(A, A + m * m, made);
    free(A);
    return status;
}

double drill_regulator_output(const drill_regulator *g, const double e[2])
{
    double sum[BLOCK] = {g->law->D[0] * e[0], g->law->D[1] * e[1]};
    for (int i = 0; i < g->blocks * BLOCK; i += BLOCK)
        for (int k = 0; k < BLOCK; k++)
            sum[k] += g->output[i + k] * g->x[i + k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void drill_regulator_advance(drill_regulator *g, const double e[2])
{
    const int m = g->law->states;
    const double *column = g->step;
    for (int b = 0; b < g->blocks; b++) {
        double sum[BLOCK];
        for (int k = 0; k < BLOCK; k++)
            sum[k] = column[k] * e[0] + column[BLOCK + k] * e[1];
        column += 2 * BLOCK;
        for (int j = 0; j < m; j++, column += BLOCK)
            for (int k = 0; k < BLOCK; k++)
                sum[k] += column[k] * g->x[j];
        for (int k = 0; k < BLOCK; k++)
            g->moved[b * BLOCK + k] = sum[k];
    }
    double *kept = g->x;
    g->x = g->moved;
    g->moved = kept;
}
