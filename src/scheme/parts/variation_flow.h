/* A smooth motion and its derivatives, followed together and to more digits than the scheme's tolerances, so that both belong to
 * each other:
 *
 *   x' = f(t, x, p),     S' = f_x S + f_p                                S = dx / dp at a fixed time, one per column
 *
 * A block is q, u, and what else is integrated along the motion; the first one is the motion itself. */
#ifndef CAROM_SCHEME_PARTS_VARIATION_FLOW_H
#define CAROM_SCHEME_PARTS_VARIATION_FLOW_H

#include "carom/scheme.h"
#include "extrapolation.h"

typedef struct variation_flow {
    int n, extra; /* coordinates; numbers behind q and u */
    int block;    /* 2 n + extra */
    int columns;
    double t;
    double *y;    /* (1 + columns) blocks: the motion, its derivatives at a fixed time */
    double *rate; /* likewise, for the caller */
    extrapolation way;
    int *part;
    const carom_scales *scales; /* of the model */
    double *floor, *most; /* see extrapolation.floor; per block: the largest size so far, as a velocity */
} variation_flow;

/* The integration differs from the scheme's by less than so many of its tolerances. */
extern const double variation_apart;

/* `rate` gives the rates of all blocks; the scales must outlive the flow. Returns false if allocation fails. */
bool variation_flow_take(variation_flow *self, carom_arena *arena, int n, int extra, int columns,
                         const carom_scales *scales, void *context,
                         bool (*rate)(void *context, double t, const double *y, double *rate));

/* To t, where it is later. False: no rate. A jump of the rate on the way is in way.broken. */
bool variation_flow_go(variation_flow *self, double t);

/* The scheme's motion is the one that counts, but for what its tolerances leave: a relative one, and one that is relative to the
 * model's scales. */
void variation_flow_stay_beside(variation_flow *self, double t, const double *q, const double *u,
                                const carom_scales *scales, double relative, double absolute);

/* What is behind q and u begins at zero, q and u of the columns are those of the tangent. */
void variation_flow_load(variation_flow *self, const carom_tangent *tangent);

/* Derivatives at a time that moves, from those at a fixed time (factor 1) or back (-1); `rate` has that of the motion. */
void variation_flow_shift(variation_flow *self, double factor, const double *time_along);

/* What it remembers from one output to the next, as carom_tangent_ops.keep: the motion that is followed here has digits of its own, and
 * the step of its integration decides about the next ones. */
void variation_flow_keep(variation_flow *self, carom_snapshot *snapshot);

static inline double *variation_flow_column(const variation_flow *self, double *blocks, int column)
{
    return blocks + (ptrdiff_t)(1 + column) * self->block;
}

/* Tells a force that jumped on the way, once. */
void variation_flow_tell_break(variation_flow *flow, carom_tangent *tangent);

#endif
