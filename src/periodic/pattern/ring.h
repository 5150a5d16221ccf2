/* Rings: the flow of their oscillators. */
#ifndef CAROM_PERIODIC_PATTERN_RING_H
#define CAROM_PERIODIC_PATTERN_RING_H

#include "carom/periodic/pattern.h"

/* First rows of the circulant blocks of a ring's flow, `particles` entries each. */
void ring_flow_rows(const carom_linear_oscillator *ring, double t, double *c, double *s, double *d);

#endif
