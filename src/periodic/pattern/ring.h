/* Linear oscillators: what their constructors share. */
#ifndef CAROM_PERIODIC_PATTERN_RING_H
#define CAROM_PERIODIC_PATTERN_RING_H

#include "carom/periodic/pattern.h"

/* An oscillator with its arrays, all zero, but for those that only a mass matrix or a ring needs. */
carom_linear_oscillator *linear_oscillator_take(int size, int contacts, carom_error *error);
/* An array of count doubles of the oscillator; NULL when memory is short. */
double *linear_oscillator_array(carom_linear_oscillator *oscillator, size_t count);
/* First rows of the circulant blocks of a ring's flow, `particles` entries each. */
void ring_flow_rows(const carom_linear_oscillator *ring, double t, double *c, double *s, double *d);

#endif
