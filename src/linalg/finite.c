#include <math.h>

#include "carom/linalg.h"

bool carom_all_finite(int n, const double *x)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}
