/* The cone of a contact with moments, and what its numbers mean.
 *
 * A contact has d numbers, its bodies s velocities each: a normal, then parts of one or two numbers, each of which is
 * bounded by its own coefficient times the normal:
 *
 *              d  s   parts
 *   plane      2  3   slip
 *   space      3  6   slip (2)
 *   plane      3  3   slip, roll              with moments
 *   space      6  6   slip (2), roll (2), torsion */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_CONE_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_CONE_H

#include <math.h>
#include <stdbool.h>

/* Of functions that take d and s as constants: compilers that would rather share them are told what for. */
#if defined(__GNUC__)
#define PAIRS_INLINE static inline __attribute__((always_inline))
#else
#define PAIRS_INLINE static inline
#endif

enum {
    PAIRS_MOST = 6,      /* d */
    PAIRS_MOST_PARTS = 3 /* slip, roll, torsion */
};

static inline bool pairs_has_moments(int d, int s)
{
    return d == s;
}

static inline int pairs_parts(int d, int s)
{
    return !pairs_has_moments(d, s) ? 1 : s == 3 ? 2 : 3;
}

static inline int pairs_part_start(int s, int part)
{
    return s == 3 ? 1 + part : 1 + 2 * part;
}

static inline int pairs_part_size(int s, int part)
{
    return s == 3 || part == 2 ? 1 : 2;
}

static inline double pairs_part_length(int size, const double *t)
{
    return size == 1 ? fabs(t[0]) : sqrt(t[0] * t[0] + t[1] * t[1]);
}

/* The point of { |z_part| <= coefficient_part z_N } next to z. */
void pairs_cone_project(int d, int s, const double *coefficient, const double *z, double *p);

/* |r - P_K(r - u - (g, 0, ...))|^2, g the sum of the coefficients times |u_part|: 0 when r and u obey the law. At least
 * min(r_N, u_N)^2. */
double pairs_cone_distance(int d, int s, const double *coefficient, const double *r, const double *u);

#endif
