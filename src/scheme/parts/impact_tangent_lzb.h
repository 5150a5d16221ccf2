/* The derivative of an impact by law lzb, which integrates its inside. In contact space, closing speeds d = -gamma, indentations x,
 *
 *   d' = -G lambda,   x' = f d,   p' = lambda = K x^eta           f = 1 in compression, 1/e^2 in expansion, 0 where it is open
 *
 * and, with the phases of contacts held, along a direction (D)
 *
 *   Dd' = -DG lambda - G Dlambda,   Dx' = f Dd + Df d,   Dlambda = K eta x^(eta - 1) Dx + DK x^eta + K x^eta ln(x) Deta.
 *
 * Where a phase ends rates are continuous, and nothing jumps: d = 0 between compression and expansion, x = 0 and lambda = 0 where a
 * contact opens, but for its x, which stays zero: Dx = 0. */
#ifndef CAROM_SCHEME_PARTS_IMPACT_TANGENT_LZB_H
#define CAROM_SCHEME_PARTS_IMPACT_TANGENT_LZB_H

#include "carom/base.h"

typedef struct lzb_tangent {
    int contacts, directions;    /* at most */
    double *stiffness_along;     /* directions x contacts */
    double *exponent_along;      /* likewise */
    unsigned char *phase, *next; /* per contact */
    double *y, *candidate, *stage,
        *rate;       /* blocks of x, d, p: of the motion, then of the directions; rates of all stages */
    double *largest; /* per block: of d so far */
} lzb_tangent;

struct impact_tangent;

bool lzb_tangent_take(lzb_tangent *self, carom_arena *arena, int contacts, int directions);

/* Sets p and p_along of the impact tangent, which has entered the impact. False: an exponent below 1, whose force has no derivative
 * where a contact begins; or the integration does not agree with what the law has found. */
bool lzb_tangent_strike(lzb_tangent *self, struct impact_tangent *impact);

#endif
