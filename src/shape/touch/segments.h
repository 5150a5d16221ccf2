/* Nearest points of segments. */
#ifndef CAROM_SHAPE_TOUCH_SEGMENTS_H
#define CAROM_SHAPE_TOUCH_SEGMENTS_H

#include "shape/part.h"

/* Where on the segment from `from` to `to`, 0 to 1, the point is nearest to. */
double segment_nearest(const double from[3], const double to[3], const double point[3]);

/* The two nearest points of two segments, as parts s and t of them; true when they are not parallel. */
bool segments_nearest(const double a0[3], const double a1[3], const double b0[3], const double b1[3],
                      double *s, double *t);

static inline void segment_point(const double from[3], const double to[3], double s, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] = s == 1.0 ? to[k] : from[k] + s * (to[k] - from[k]);
}

#endif
