/* Rockafellar's construction: a convex function from a sample of its slopes. */
#include <math.h>

#include "carom/convex.h"

/* y_i . (x_j - x_i) */
static double rise(int dimension, const double *x, const double *y, int i, int j)
{
    double sum = 0.0;
    for (int k = 0; k < dimension; k++)
        sum += y[(ptrdiff_t)i * dimension + k] *
               (x[(ptrdiff_t)j * dimension + k] - x[(ptrdiff_t)i * dimension + k]);
    return sum;
}

/* Longest paths from place 0 (Bellman and Ford): after count - 1 rounds nothing grows, unless a cycle has a
 * positive sum, and then there is no potential. */
bool carom_sample_potential(int dimension, int count, const double *x, const double *y, double *potential)
{
    double size = 0.0;
    for (int m = 0; m < count; m++) {
        potential[m] = rise(dimension, x, y, 0, m);
        size = fmax(size, fabs(potential[m]));
    }
    bool grew = true;
    for (int round = 0; round < count && grew; round++) {
        grew = false;
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++) {
                const double value = potential[i] + rise(dimension, x, y, i, j);
                size = fmax(size, fabs(value));
                if (value > potential[j] + 1e-14 * size) {
                    potential[j] = value;
                    grew = true;
                }
            }
    }
    return !grew;
}
