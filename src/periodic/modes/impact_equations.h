/* Equations of k impacts in the form f(x, p) = 0, p the period. */
#ifndef CAROM_PERIODIC_MODES_IMPACT_EQUATIONS_H
#define CAROM_PERIODIC_MODES_IMPACT_EQUATIONS_H

#include "carom/linalg.h"
#include "carom/periodic/modes.h"

typedef struct modes_equations {
    carom_arena *arena; /* owns everything: freeing it frees this, too */
    const carom_mode_basis *basis;
    int impacts, unknowns;
    bool symmetric;
    double *flight, *time, *impulse, *residual, *work;
    double *scale; /* of every unknown, and of the period: modes_time */
    int *pivot;
} modes_equations;

/* Unknowns: the first k - 1 flights, or s_1 .. s_r of impacts at 0 and +-s_i. */
carom_status modes_equations_create(const carom_mode_basis *basis, int impacts, bool symmetric,
                                    modes_equations **equations, carom_error *error);
bool modes_equations_residual(void *context, const double *x, double period, double *f);
carom_arclength_problem modes_equations_problem(modes_equations *equations);
carom_status modes_equations_motion(modes_equations *equations, const double *x, double period,
                                    carom_mode **mode, carom_error *error);

#endif
