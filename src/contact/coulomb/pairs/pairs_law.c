#include "pairs_law.h"

#include "contact/coulomb/parts/contact_maps.h"

/* 1 / W, where W is positive. */
static double inverse_or_one(double W)
{
    return W > 0.0 ? 1.0 / W : 1.0;
}

void pairs_law_rho(int d, int s, int w, const double *W, double *rho)
{
    for (int part = 0; part < pairs_parts(d, s); part++) {
        const int at = pairs_part_start(s, part);
        const double *own = W + at * w + at;
        /* a block of the normal and this part */
        const bool wide = pairs_part_size(s, part) == 2;
        const double block[9] = {W[0],
                                 W[at],
                                 wide ? W[at + 1] : 0.0,
                                 W[at * w],
                                 own[0],
                                 wide ? own[1] : 0.0,
                                 wide ? W[(at + 1) * w] : 0.0,
                                 wide ? own[w] : 0.0,
                                 wide ? own[w + 1] : 1.0};
        const coulomb_rho both = coulomb_rho_of(COULOMB_RHO_111, block);
        rho[0] = both.normal;
        rho[1 + part] = wide ? both.tangent : inverse_or_one(own[0]);
    }
}

/* The smallest t > 0 at which a t^2 + b t + c, whose sign at 0 is that of c, changes it; infinite: nowhere. */
static double first_root(double a, double b, double c)
{
    const double side = c < 0.0 ? -1.0 : 1.0;
    a *= side;
    b *= side;
    c *= side;
    const double discriminant = b * b - 4.0 * a * c;
    if (discriminant < 0.0 || (a >= 0.0 && b >= 0.0))
        return INFINITY;
    const double root = sqrt(discriminant);
    return b < 0.0 ? 2.0 * c / (root - b) : (b + root) / (-2.0 * a);
}

double pairs_law_change(int d, int s, const double *coefficient, const double *rho, const double *u,
                        const double *r, const double *dr)
{
    const double y_N = r[0] - rho[0] * u[0];
    double t = INFINITY;
    if (y_N > 0.0 ? dr[0] < 0.0 : dr[0] > 0.0)
        t = fabs(y_N / dr[0]);
    if (!(y_N > 0.0))
        return t;
    for (int part = 0; part < pairs_parts(d, s); part++) {
        const int at = pairs_part_start(s, part), n = pairs_part_size(s, part);
        const double mu = coefficient[part], *dy = dr + at;
        double y[2];
        if (!(mu > 0.0))
            continue;
        for (int k = 0; k < n; k++)
            y[k] = r[at + k] - rho[1 + part] * u[at + k];
        const double a = mu * mu * dr[0] * dr[0] - carom_dot(n, dy, dy);
        const double b = 2.0 * (mu * mu * y_N * dr[0] - carom_dot(n, y, dy));
        const double c = mu * mu * y_N * y_N - carom_dot(n, y, y);
        t = fmin(t, first_root(a, b, c));
    }
    return t;
}
