#include "carom/linalg.h"

bool carom_all_finite(int n, const double *x)
{
    /* 0 x is 0, or not a number where x is none or infinite: no decision for each, and sums that need not wait for each other */
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += 0.0 * x[i + k];
    for (; i < n; i++)
        sum[0] += 0.0 * x[i];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}
