/* One root, with as few evaluations as can be. */
#include "root.h"

#include <math.h>
#include <stdbool.h>

enum {
    ROUNDS_MOST = 200
};

/* Where to go from a towards b, as a share of the way; c is the point before. */
static double next_share(double a, double f_a, double b, double f_b, double c, double f_c)
{
    const double xi = (a - b) / (c - b), phi = (f_a - f_b) / (f_c - f_b);
    if (!(phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi))
        return 0.5;
    const double share = f_a / (f_b - f_a) * (f_c / (f_b - f_c)) +
                         (c - a) / (b - a) * (f_a / (f_c - f_a)) * (f_b / (f_c - f_b));
    return fmin(fmax(share, 1e-4), 1.0 - 1e-4);
}

double lzb_root(lzb_function *f, void *context, double a, double f_a, double b, double f_b, double tolerance,
                double width)
{
    double share = f_a / (f_a - f_b);
    for (int round = 0; round < ROUNDS_MOST && fabs(f_a) > tolerance && fabs(b - a) > width; round++) {
        const double next = a + share * (b - a), f_next = f(context, next);
        double c = a, f_c = f_a;
        if ((f_next > 0.0) != (f_a > 0.0)) {
            c = b;
            f_c = f_b;
            b = a;
            f_b = f_a;
        }
        a = next;
        f_a = f_next;
        share = next_share(a, f_a, b, f_b, c, f_c);
    }
    return a;
}
