/* convex: closed convex sets and the projections on them. */
#ifndef CAROM_CONVEX_H
#define CAROM_CONVEX_H

#include "carom/base.h"

/* ---- convex sets of the tangent plane that contain 0 (Moreau's D_1) -------------------------
 *
 * Every set is D_1; the friction impulse lies in s D_1 where s >= 0 is the normal impulse. */

typedef enum carom_planar_kind {
    CAROM_PLANAR_POINT,    /* {0}: no friction */
    CAROM_PLANAR_INTERVAL, /* [low, high] on a line (one tangent) */
    CAROM_PLANAR_DISK,     /* radius a */
    CAROM_PLANAR_ELLIPSE,  /* semi-axes a, b along the two tangents, or turned */
    CAROM_PLANAR_POLYGON,  /* convex, vertices counter-clockwise */
} carom_planar_kind;

enum {
    CAROM_POLYGON_MAX = 32
};

typedef struct carom_planar_set {
    carom_planar_kind kind;
    double a, b;          /* radius, semi-axes, or the ends low <= 0 <= high of the interval */
    double angle;         /* ellipse only: of its first axis against the first tangent */
    double q2[2];         /* ellipse only: Q^2 of a slip rule of its own along the axes; 0, 0: associated */
    int vertices;         /* polygon only */
    const double *vertex; /* polygon only: x0 y0 x1 y1 ...; the caller's memory */
} carom_planar_set;

/* Nearest point of scale * set to p in the Euclidean metric; true when p itself is in the set. */
bool carom_planar_project(const carom_planar_set *set, double scale, const double p[2], double nearest[2]);

/* Minimises 1/2 x^T W x + b.x over x in scale * set; W = [w11 w12; w12 w22] symmetric positive definite.
 * That is the projection of -W^-1 b in the metric W. True when the minimiser is the unconstrained one. With a
 * slip rule of its own: the x for which -Q^2 (W x + b) is in the normal cone of scale * set at x. */
bool carom_planar_minimise(const carom_planar_set *set, double scale, double w11, double w12, double w22,
                           const double b[2], double x[2]);

/* Q^2 u, the velocity that is normal to the set where it slides: u itself for associated rules. */
void carom_planar_slip(const carom_planar_set *set, const double u[2], double v[2]);

/* Checks that a polygon is convex, counter-clockwise and contains 0; says what is wrong otherwise. */
carom_status carom_polygon_check(int vertices, const double *vertex, carom_error *error);

/* ---- Coulomb's law with an elliptic cone, as a bipotential -------------------------------------
 *
 * Three numbers: normal, two tangents, which are the principal directions of friction.
 *
 *   K = { |F^-1 r_T| <= r_N },  F = diag(mu)                     reactions (de Saxce 2018, (13), (15))
 *   r = 0 and u_N >= 0;  u = 0 and r in K;  or u_N = 0, r on the surface, -u_T parallel to P^-2 r_T    (23)
 *
 * P = diag(p) are the semi-axes of the slip potential; only their ratio matters. P = F is the associated
 * rule. The law is the set of pairs for which b(-u, r) = -u.r, where everywhere b(-u, r) >= -u.r:
 *
 *   b(-u, r) = -(I - Q^2) u_T . r_T + r_N |F Q^2 u_T|,  Q = P F^-1,     for r in K and u_N >= 0     (24) */
typedef struct carom_elliptic_cone {
    double mu[2];
    double q2[2]; /* diagonal of Q^2, scaled so that the larger one is 1 */
} carom_elliptic_cone;

/* slip: p_x, p_y, both positive; NULL: associated. BAD_INPUT for mu that are negative or no numbers, and for
 * a slip potential beside a mu that is 0, for which sliding along that axis is free. */
carom_status carom_elliptic_cone_make(const double mu[2], const double *slip, carom_elliptic_cone *cone,
                                      carom_error *error);

typedef enum carom_cone_region {
    CAROM_CONE_APEX,    /* nearest point 0: tau is in the polar cone */
    CAROM_CONE_INSIDE,  /* tau itself, or the nearest point in the plane of a direction without friction */
    CAROM_CONE_SURFACE, /* on the boundary */
} carom_cone_region;

/* Nearest point of K to tau, to rounding: closed form for equal mu, otherwise Newton's method on a convex
 * scalar equation from its safe side. `mu` not negative. r may be tau. */
carom_cone_region carom_elliptic_cone_project(const double mu[2], const double tau[3], double r[3]);

/* The velocity whose projection step has the law's solutions as its fixed points, (31):
 * v = (gap + u_N + |F Q^2 u_T|, Q^2 u_T), r = P_K(r - rho v). */
void carom_elliptic_cone_velocity(const carom_elliptic_cone *cone, double gap, const double u[3],
                                  double v[3]);

/* b(-u, r); infinite when r is outside K or u_N < 0. */
double carom_bipotential(const carom_elliptic_cone *cone, const double u[3], const double r[3]);

/* How far a pair is from the law, part by part; all are zero exactly on the law. `power` is b(-u, r) + u.r
 * with the gap added to u_N, not negative when the others are zero: a certificate in units of power that no
 * solver has a hand in. */
typedef struct carom_law_defect {
    double power;
    double penetration; /* max(0, -(gap + u_N)) */
    double outside;     /* max(0, |F^-1 r_T| - r_N): distance in units of reaction to the cone along N */
} carom_law_defect;
carom_law_defect carom_bipotential_defect(const carom_elliptic_cone *cone, double gap, const double u[3],
                                          const double r[3]);

/* Friction r_T for normal reaction r_N >= 0 while sliding along the direction d (any length but 0). Returns
 * the power -r_T.d / |d| lost per unit of slip. */
double carom_slip_reaction(const carom_elliptic_cone *cone, double normal, const double direction[2],
                           double reaction[2]);

/* A convex function with y_i among its slopes at x_i, i < count, zero at x_0: the largest sum of
 * y_i.(x_j - x_i) along paths from 0, (3). x, y: count rows of `dimension` numbers; potential[m] is its value
 * at x_m. False when there is none: the sample is not cyclically monotone, as samples of Coulomb's law are
 * not in general. Takes no memory. */
bool carom_sample_potential(int dimension, int count, const double *x, const double *y, double *potential);

#endif
