/* Waves on a grid of the bar, and its left end: what a step of dx / c does with them.
 *
 * Two rings of stresses, E u_x - Z u_t that moves right and E u_x + Z u_t that moves left. A step moves where
 * cell 0 stands instead of the values, so that it costs the same for any number of cells. */
#ifndef CAROM_SUBJECT_BAR_BAR_RINGS_H
#define CAROM_SUBJECT_BAR_BAR_RINGS_H

#include "carom/subject/bar.h"

typedef struct bar_rings {
    int cells;
    double *right, *left;        /* cells each, the caller's */
    int first_right, first_left; /* where cell 0 stands */
} bar_rings;

static inline double *bar_rings_right(const bar_rings *rings, int cell)
{
    const int place = rings->first_right + cell;
    return rings->right + (place < rings->cells ? place : place - rings->cells);
}

static inline double *bar_rings_left(const bar_rings *rings, int cell)
{
    const int place = rings->first_left + cell;
    return rings->left + (place < rings->cells ? place : place - rings->cells);
}

/* Every wave moves on by one cell; one enters at each end. */
static inline void bar_rings_shift(bar_rings *rings, double enters_at_0, double enters_at_L)
{
    rings->first_right = (rings->first_right > 0 ? rings->first_right : rings->cells) - 1;
    *bar_rings_right(rings, 0) = enters_at_0;
    rings->first_left = rings->first_left + 1 < rings->cells ? rings->first_left + 1 : 0;
    *bar_rings_left(rings, rings->cells - 1) = enters_at_L;
}

typedef struct bar_left_end {
    carom_bar_end kind;
    double spring;    /* stress per displacement: E times the coefficient of the end */
    double impedance; /* Z */
    double step;
    double displacement;
} bar_left_end;

/* The wave that goes right when `arriving` comes; the end moves. With a spring, whose stress is the one in
 * the middle of the step, energy is conserved. */
static inline double bar_left_end_reflect(bar_left_end *end, double arriving)
{
    const double Z = end->impedance;
    if (end->kind == CAROM_BAR_FIXED)
        return arriving;
    if (end->kind == CAROM_BAR_FREE) {
        end->displacement += end->step * arriving / Z;
        return -arriving;
    }
    const double velocity =
        (arriving - end->spring * end->displacement) / (Z + end->spring * end->step / 2.0);
    end->displacement += end->step * velocity;
    return arriving - 2.0 * Z * velocity;
}

#endif
