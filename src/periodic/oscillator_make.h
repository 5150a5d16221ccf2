/* Linear oscillators: what their constructors share. */
#ifndef CAROM_PERIODIC_OSCILLATOR_MAKE_H
#define CAROM_PERIODIC_OSCILLATOR_MAKE_H

#include "carom/periodic/oscillator.h"

/* An oscillator with its arrays, all zero, but for what only a ring needs. */
carom_linear_oscillator *linear_oscillator_take(int size, int contacts, bool has_mass, carom_error *error);
/* An array of count doubles of the oscillator; NULL when memory is short. */
double *linear_oscillator_array(carom_linear_oscillator *oscillator, size_t count);

typedef enum oscillator_fault {
    OSCILLATOR_GOOD,
    OSCILLATOR_MASS,      /* M is not positive definite */
    OSCILLATOR_STIFFNESS, /* K is not: `detail` is an omega^2 */
    OSCILLATOR_MODES,     /* LAPACK finds no modes: `detail` is what it says */
} oscillator_fault;

/* Copies the matrices and contacts, finds the modes and what is made of them. */
oscillator_fault linear_oscillator_fill(carom_linear_oscillator *oscillator,
                                        const carom_linear_system *system, double *detail);

#endif
