/* The data of the derivatives of an event-driven motion. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_VARIATION_PARTS_H
#define CAROM_SCHEME_EVENT_DRIVEN_VARIATION_PARTS_H

#include "equations.h"
#include "scheme/parts/impact_tangent.h"
#include "scheme/parts/variation_flow.h"

typedef struct event_variation {
    carom_tangent tangent; /* first: the handle of the caller */
    event_driven *scheme;
    int n, extra; /* impulses: three per contact, one per joint */
    int block;    /* q, u, impulses since the last output */
    int columns;
    equations equations;
    variation_flow flow; /* between events */
    double *y, *rate;    /* of the flow */
    bool begun, loaded;
    carom_direction *direction; /* columns + 1 */
    double *dz;                 /* (columns + 1) x unknowns */

    /* of an event; the last column is the motion itself: what time gives */
    double *q, *u; /* position, velocity, which impacts change */
    double *u_after;
    double *dq, *du;            /* (columns + 1) x n */
    double *impulse;            /* extra: what impacts gave, ... */
    double *impulse_along;      /* ... (columns + 1) times */
    double *gap_along;          /* (columns + 1) x contacts */
    double *force_before;       /* 3 per contact */
    double *force_before_along; /* (columns + 1) times */
    double *rate_before;        /* block: before the event */
    double *time;         /* contacts x columns: derivatives of the time of the event, by who makes it */
    double *chosen_time;  /* columns */
    bool friction_struck; /* a contact with friction was */
    double *rebound;      /* per contact: gap rate after its last impact, 0: none yet */
    double *accumulation; /* columns: of the time of an accumulation that ends here */
    bool ends_accumulation;
    double *trial, *first_trial; /* (1 + columns) blocks: orders of impacts */
    int *order;
    impact_tangent law; /* of impacts, where one was chosen */
} event_variation;

/* Rates of all blocks at (t, y) in the scheme's mode. */
bool variation_rate(void *self, double t, const double *y, double *rate);
/* A copy of the mode's equations at (t, y) with no columns: accelerations and forces into a block's rate. */
bool variation_motion_rate(event_variation *self, double t, const double *y, double *rate);
/* Directions of an event: dq and du of the columns, and of the motion. */
void variation_directions(event_variation *self);
void variation_lose(event_variation *self, const char *why);

/* jump.c: from the blocks before an event to those after it. */
void variation_jump(event_variation *self);

/* sides.c: whether a column changes the gap of a contact at the event; and tells of contacts that are struck on one side only,
 * once self->u and du are those after an impact. */
bool variation_moves_gap(const event_variation *self, int contact);
void variation_look_at_closed(event_variation *self);

/* orders.c: impacts of `count` fresh contacts at one time, one after the other in every order. True: all orders agree to first
 * order, and blocks after them stand in self->trial. */
bool variation_orders_agree(event_variation *self, int count, const int *fresh);

static inline double *variation_column(const event_variation *self, double *blocks, int column)
{
    return variation_flow_column(&self->flow, blocks, column);
}

#endif
