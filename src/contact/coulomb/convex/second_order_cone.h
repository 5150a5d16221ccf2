/* The cone L = { x_0 >= |(x_1, x_2)| } of three numbers: its algebra, and the scaling of Nesterov and Todd.
 */
#ifndef CAROM_CONTACT_COULOMB_CONVEX_SECOND_ORDER_CONE_H
#define CAROM_CONTACT_COULOMB_CONVEX_SECOND_ORDER_CONE_H

/* x_0^2 - |(x_1, x_2)|^2 without cancellation. */
double cone_determinant(const double x[3]);

/* a o b = (a.b, a_0 b_T + b_0 a_T) */
void cone_product(const double a[3], const double b[3], double c[3]);
/* x with a o x = b; a is inside the cone. */
void cone_solve(const double a[3], const double b[3], double x[3]);

/* The largest step for which x + step d stays in the cone; infinite when all do. x is inside. */
double cone_longest_step(const double x[3], const double d[3]);

/* S = beta (w_0, w_T'; w_T, I + w_T w_T' / (1 + w_0)), symmetric, with S z = S^-1 x. */
typedef struct cone_scaling {
    double w[3], beta;
} cone_scaling;

/* x and z are inside the cone. */
cone_scaling cone_scaling_of(const double x[3], const double z[3]);
/* y = S a and y = S^-1 a; y may be a. */
void cone_scale(const cone_scaling *scaling, const double a[3], double y[3]);
void cone_unscale(const cone_scaling *scaling, const double a[3], double y[3]);
/* S^-2, row by row. */
void cone_hessian(const cone_scaling *scaling, double hessian[9]);

#endif
