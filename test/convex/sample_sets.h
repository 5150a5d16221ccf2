/* Sets of every kind and points of them. */
#ifndef CAROM_TEST_CONVEX_SAMPLE_SETS_H
#define CAROM_TEST_CONVEX_SAMPLE_SETS_H

#include <math.h>

#include "carom/convex.h"

/* The polygon of the reference values, with 0 inside, and one that has 0 on its boundary. */
static const double kite[8] = {0.5, 0.0, 0.0, 0.3, -0.2, 0.0, 0.0, -0.3};
static const double corner[6] = {0.0, 0.0, 0.7, 0.1, 0.3, 0.6};

enum {
    SAMPLE_SETS = 11
};

static inline carom_planar_set sample_set(int index)
{
    const carom_planar_set sets[SAMPLE_SETS] = {
        {.kind = CAROM_PLANAR_POINT},
        {.kind = CAROM_PLANAR_DISK, .a = 0.6},
        {.kind = CAROM_PLANAR_DISK, .a = 0.0},
        {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.5, .b = 0.25},
        {.kind = CAROM_PLANAR_ELLIPSE, .a = 1e-6, .b = 2.0},
        {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.0, .b = 0.4},
        {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.4, .b = 0.0},
        {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.5, .b = 0.25, .angle = 0.6},
        {.kind = CAROM_PLANAR_ELLIPSE, .a = 0.4, .b = 0.0, .angle = -2.0},
        {.kind = CAROM_PLANAR_POLYGON, .vertices = 4, .vertex = kite},
        {.kind = CAROM_PLANAR_POLYGON, .vertices = 3, .vertex = corner},
    };
    return sets[index];
}

/* A point of the boundary of scale * set, t in [0, 1[ going around once. */
static inline void boundary_point(const carom_planar_set *set, double scale, double t, double x[2])
{
    const double turn = 6.283185307179586;
    double b = set->kind == CAROM_PLANAR_DISK ? set->a : set->b;
    x[0] = scale * set->a * cos(turn * t);
    x[1] = scale * b * sin(turn * t);
    if (set->kind == CAROM_PLANAR_POINT)
        x[0] = x[1] = 0.0;
    if (set->kind == CAROM_PLANAR_ELLIPSE) {
        const double along = x[0], across = x[1];
        x[0] = along * cos(set->angle) - across * sin(set->angle);
        x[1] = along * sin(set->angle) + across * cos(set->angle);
    }
    if (set->kind != CAROM_PLANAR_POLYGON)
        return;
    double place = t * set->vertices;
    int k = (int)place, next = (k + 1) % set->vertices;
    for (int i = 0; i < 2; i++)
        x[i] = scale *
               (set->vertex[2 * k + i] + (place - k) * (set->vertex[2 * next + i] - set->vertex[2 * k + i]));
}

#endif
