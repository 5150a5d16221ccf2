/* Counting what the solvers of a step report. */
#ifndef CAROM_SCHEME_PARTS_STEP_COUNTS_H
#define CAROM_SCHEME_PARTS_STEP_COUNTS_H

#include "carom/scheme.h"

static inline void count_solve(carom_step_counts *counts, int iterations, double error)
{
    counts->solver_iterations += iterations;
    if (error > counts->worst_solver_error)
        counts->worst_solver_error = error;
}

#endif
