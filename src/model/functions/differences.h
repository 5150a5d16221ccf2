/* Central differences of functions of a vector, entry by entry, without memory of their own. */
#ifndef CAROM_MODEL_FUNCTIONS_DIFFERENCES_H
#define CAROM_MODEL_FUNCTIONS_DIFFERENCES_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "carom/model.h"

typedef struct difference_memory {
    double *moved;
    const double *at;
} difference_memory;

static inline bool difference_take(difference_memory *memory, carom_arena *arena, int n)
{
    memory->moved = carom_arena_take(arena, (size_t)n, sizeof *memory->moved);
    return memory->moved != NULL;
}

/* The step that balances the error h^2 of a central difference against the rounding eps / h. */
static inline double difference_step(double x)
{
    return cbrt(DBL_EPSILON) * fmax(1.0, fabs(x));
}

/* The vector that moves, at first equal to `at`. */
static inline double *difference_start(difference_memory *memory, int n, const double *at)
{
    memory->at = at;
    memcpy(memory->moved, at, (size_t)n * sizeof *at);
    return memory->moved;
}

/* Moves entry j to one side and returns where it is: the difference of both sides is exact that way. */
static inline double difference_move(difference_memory *memory, int j, double side)
{
    return memory->moved[j] = memory->at[j] + side * difference_step(memory->at[j]);
}

static inline void difference_back(difference_memory *memory, int j)
{
    memory->moved[j] = memory->at[j];
}

#endif
