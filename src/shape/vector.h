/* Vectors of three numbers and rotations, inline. */
#ifndef CAROM_SHAPE_VECTOR_H
#define CAROM_SHAPE_VECTOR_H

#include <math.h>

#include "carom/shape.h"

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void copy(const double from[3], double to[3])
{
    to[0] = from[0];
    to[1] = from[1];
    to[2] = from[2];
}

static inline void subtract(const double a[3], const double b[3], double to[3])
{
    to[0] = a[0] - b[0];
    to[1] = a[1] - b[1];
    to[2] = a[2] - b[2];
}

/* to = a + s b */
static inline void along(const double a[3], double s, const double b[3], double to[3])
{
    to[0] = a[0] + s * b[0];
    to[1] = a[1] + s * b[1];
    to[2] = a[2] + s * b[2];
}

static inline void cross(const double a[3], const double b[3], double to[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
    to[0] = x;
    to[1] = y;
}

static inline double length(const double a[3])
{
    return sqrt(dot(a, a));
}

static inline double distance(const double a[3], const double b[3])
{
    double between[3];
    subtract(a, b, between);
    return length(between);
}

/* Makes a unit vector and returns the length that it had; 0: left as it is. */
static inline double normalise(double a[3])
{
    const double size = length(a);
    if (size > 0.0)
        for (int i = 0; i < 3; i++)
            a[i] /= size;
    return size;
}

/* to = r a: from a shape's axes to those around it. to may be a. */
static inline void turn(const double r[9], const double a[3], double to[3])
{
    const double x = a[0], y = a[1], z = a[2];
    to[0] = r[0] * x + r[1] * y + r[2] * z;
    to[1] = r[3] * x + r[4] * y + r[5] * z;
    to[2] = r[6] * x + r[7] * y + r[8] * z;
}

/* to = r^T a */
static inline void turn_back(const double r[9], const double a[3], double to[3])
{
    const double x = a[0], y = a[1], z = a[2];
    to[0] = r[0] * x + r[3] * y + r[6] * z;
    to[1] = r[1] * x + r[4] * y + r[7] * z;
    to[2] = r[2] * x + r[5] * y + r[8] * z;
}

static inline void place(const carom_pose *pose, const double a[3], double to[3])
{
    turn(pose->r, a, to);
    to[0] += pose->x[0];
    to[1] += pose->x[1];
    to[2] += pose->x[2];
}

static inline void place_back(const carom_pose *pose, const double a[3], double to[3])
{
    double from_origin[3];
    subtract(a, pose->x, from_origin);
    turn_back(pose->r, from_origin, to);
}

static inline double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Two unit vectors that make a right-handed frame with n; the same n gives the same ones. */
static inline void frame_of(const double n[3], double t1[3], double t2[3])
{
    const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
    const double least[3] = {x <= y && x <= z, !(x <= y && x <= z) && y <= z, z < x && z < y};
    cross(n, least, t1);
    normalise(t1);
    cross(n, t1, t2);
}

#endif
