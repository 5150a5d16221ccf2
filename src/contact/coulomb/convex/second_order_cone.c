#include "second_order_cone.h"

#include <math.h>

double cone_determinant(const double x[3])
{
    const double t = hypot(x[1], x[2]);
    return (x[0] - t) * (x[0] + t);
}

void cone_product(const double a[3], const double b[3], double c[3])
{
    c[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    c[1] = a[0] * b[1] + b[0] * a[1];
    c[2] = a[0] * b[2] + b[0] * a[2];
}

void cone_solve(const double a[3], const double b[3], double x[3])
{
    x[0] = (a[0] * b[0] - a[1] * b[1] - a[2] * b[2]) / cone_determinant(a);
    x[1] = (b[1] - x[0] * a[1]) / a[0];
    x[2] = (b[2] - x[0] * a[2]) / a[0];
}

/* The first positive zero of the determinant of x + step d, a quadratic function of the step. */
double cone_longest_step(const double x[3], const double d[3])
{
    const double a = cone_determinant(d), b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2],
                 c = cone_determinant(x), root = b * b - a * c;
    if ((a >= 0.0 && b >= 0.0 && d[0] >= 0.0) || root < 0.0)
        return INFINITY;
    const double divisor = sqrt(root) - b;
    return divisor > 0.0 ? c / divisor : INFINITY;
}

cone_scaling cone_scaling_of(const double x[3], const double z[3])
{
    const double size_x = sqrt(cone_determinant(x)), size_z = sqrt(cone_determinant(z));
    const double cosine = (x[0] * z[0] + x[1] * z[1] + x[2] * z[2]) / (size_x * size_z);
    const double gamma = sqrt(0.5 * (1.0 + cosine));
    cone_scaling scaling = {.beta = sqrt(size_x / size_z)};
    scaling.w[0] = (x[0] / size_x + z[0] / size_z) / (2.0 * gamma);
    scaling.w[1] = (x[1] / size_x - z[1] / size_z) / (2.0 * gamma);
    scaling.w[2] = (x[2] / size_x - z[2] / size_z) / (2.0 * gamma);
    return scaling;
}

static void apply(double w0, double w1, double w2, double beta, const double a[3], double y[3])
{
    const double along = w1 * a[1] + w2 * a[2], factor = a[0] + along / (1.0 + w0);
    const double scaled[3] = {w0 * a[0] + along, a[1] + factor * w1, a[2] + factor * w2};
    for (int k = 0; k < 3; k++)
        y[k] = beta * scaled[k];
}

void cone_scale(const cone_scaling *scaling, const double a[3], double y[3])
{
    apply(scaling->w[0], scaling->w[1], scaling->w[2], scaling->beta, a, y);
}

void cone_unscale(const cone_scaling *scaling, const double a[3], double y[3])
{
    apply(scaling->w[0], -scaling->w[1], -scaling->w[2], 1.0 / scaling->beta, a, y);
}

/* (2 v v' - diag(1, -1, -1)) / beta^2, v = (w_0, -w_T) */
void cone_hessian(const cone_scaling *scaling, double hessian[9])
{
    static const double sign[3] = {1.0, -1.0, -1.0};
    const double factor = 1.0 / (scaling->beta * scaling->beta);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double vv = sign[i] * scaling->w[i] * sign[j] * scaling->w[j];
            hessian[3 * i + j] = factor * (2.0 * vv - (i == j ? sign[i] : 0.0));
        }
}
