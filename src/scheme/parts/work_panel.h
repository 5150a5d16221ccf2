/* Works as integrals of powers that are known at some moments, one after the other:
 *
 *   node   0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15  16
 *          |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|----> t
 *               integrated already         | a polynomial through nine of them, over eight intervals
 *
 * The moments are the ends of the integrator's steps, or of every other one: at tight tolerances those of high order are
 * short, and a frequency w of the power has h w = 0.1 or so. Then the error is (h w)^9 / 600. */
#ifndef CAROM_SCHEME_PARTS_WORK_PANEL_H
#define CAROM_SCHEME_PARTS_WORK_PANEL_H

#include <stdbool.h>

#include "carom/scheme.h"

enum {
    PANEL_POWERS = 3, /* of forces, of contacts, of joints */
    PANEL_NODES = 9,
    PANEL_NODES_MAX =
        2 * PANEL_NODES, /* those before the integrated end, those after it, and the end of all */
};

typedef struct work_node {
    double t;
    double power[PANEL_POWERS];
} work_node;

typedef struct work_panel {
    work_node node[PANEL_NODES_MAX];
    int count;
    int done;        /* the node up to which is integrated */
    int stride;      /* steps between two nodes */
    int steps;       /* since the last one */
    double newest;   /* time of the last node, -INFINITY: none */
    double seen;     /* time that was asked of last */
    double usual;    /* interval of nodes that were integrated last */
    double crowding; /* see crowds */
} work_panel;

/* From here on there is no node: velocities have jumped. */
void work_panel_clear(work_panel *panel);

void work_panel_copy(const work_panel *panel, work_panel *copy);

/* Whether a node at t is wanted: not many of the short steps after a restart. A time before the last node takes it back: so has the flow. */
static inline bool work_panel_wants(work_panel *panel, double t)
{
    const bool on = t > panel->seen;
    panel->seen = t;
    if (t < panel->newest)
        return true;
    return on && ++panel->steps >= panel->stride &&
           (t - panel->newest > 0.3 * panel->usual || panel->steps >= 8 * panel->stride);
}

/* Adds a node; those before are certain now, and are integrated when there are enough of them. */
void work_panel_add(work_panel *panel, double t, const double power[PANEL_POWERS], carom_works *works);

/* Integrates to a last node, after which there is none. */
void work_panel_end(work_panel *panel, double t, const double power[PANEL_POWERS], carom_works *works);

#endif
