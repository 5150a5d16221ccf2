/* Starts spread evenly over a box. */
#ifndef CAROM_SURVEY_FIT_PLACES_H
#define CAROM_SURVEY_FIT_PLACES_H

#include "carom/base.h"

/* A Latin hypercube (McKay, Beckman and Conover 1979): `count` points of the unit cube, each of whose coordinates lies in
 * another one of `count` equal parts. place: count x dimensions. */
carom_status fit_places(int count, int dimensions, unsigned seed, double *place, carom_error *error);

#endif
