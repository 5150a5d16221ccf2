#include <math.h>

#include "carom/linalg.h"

static double larger(double a, double b)
{
    return b > a ? b : a;
}

/* Four maxima side by side: one alone would wait for itself at every entry. */
double carom_largest(int n, const double *x)
{
    double part[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            part[k] = larger(part[k], fabs(x[i + k]));
    for (; i < n; i++)
        part[0] = larger(part[0], fabs(x[i]));
    return larger(larger(part[0], part[1]), larger(part[2], part[3]));
}
