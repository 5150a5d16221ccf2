/* Steps of Newton's method on the laws of contacts, along u + t du, r + t dr. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_LINE_SEARCH_H
#define CAROM_CONTACT_COULOMB_PARTS_LINE_SEARCH_H

#include "contact_maps.h"

typedef struct coulomb_line {
    int contacts;
    coulomb_map *map;
    const double *mu;
    const coulomb_rho *rho;
    const double *u, *du, *r, *dr; /* 3 per contact */
} coulomb_line;

/* theta(t) = 1/2 |G(u + t du, r + t dr)|^2 */
double coulomb_line_merit(const coulomb_line *line, double t);

/* Steps shorter than this are none: the search has collapsed. */
#define COULOMB_LINE_SMALLEST 1e-10

/* Acary, Bremond and Huber 2018, algorithm 5 (Goldstein and Price), where theta'(0) = -2 theta(0) and `merit`
 * is theta(0): a step whose mean slope is between 0.1 and 0.9 of the first one; when none is found the last
 * one tried, at most 1e4. */
double coulomb_line_goldstein_price(const coulomb_line *line, double merit);

/* Algorithm 6 (Armijo): the step is halved until its descent is 0.1 of the first slope. */
double coulomb_line_armijo(const coulomb_line *line, double merit);

#endif
