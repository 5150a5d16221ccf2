/* The derivative of the projection of a position on the joints, iteration by iteration. */
#ifndef CAROM_SCHEME_MOREAU_JEAN_JEAN_PROJECTION_TANGENT_H
#define CAROM_SCHEME_MOREAU_JEAN_JEAN_PROJECTION_TANGENT_H

#include "carom/scheme.h"

typedef struct projection_tangent {
    int n, joints;
    double length;                             /* of the model */
    const carom_sparse *pattern;               /* of the rows of constraints, joints first */
    double *mass, *mass_along;                 /* n x n; columns times */
    double *entry, *entry_along, *g, *g_along; /* rows and values of constraints */
    double *matrix, *change, *right, *q;       /* (n + joints)^2; n + joints twice; n */
    int *pivot;
} projection_tangent;

/* False when memory is short. */
bool projection_tangent_take(projection_tangent *self, carom_tangent *base);

/* From the position q that the step gave to the one that the state has; the derivatives of positions, in the tangent, likewise.
 * False: they have none. */
bool projection_tangent_step(projection_tangent *self, carom_tangent *base, const double *q);

#endif
