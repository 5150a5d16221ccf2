#include "svd.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    SWEEPS_MAX = 60
};

static void rotate(int n, double c, double s, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        const double a = x[i], b = y[i];
        x[i] = c * a - s * b;
        y[i] = s * a + c * b;
    }
}

static void exchange(int n, double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        const double a = x[i];
        x[i] = y[i];
        y[i] = a;
    }
}

/* Makes two columns orthogonal (Hestenes 1958); false when they are. */
static bool make_orthogonal(int rows, int columns, double *x, double *y, double *vx, double *vy)
{
    const double a = carom_dot(rows, x, x), b = carom_dot(rows, y, y), c = carom_dot(rows, x, y);
    if (!(fabs(c) > DBL_EPSILON * sqrt(a) * sqrt(b)))
        return false;
    const double zeta = (b - a) / (2.0 * c);
    const double t = copysign(1.0, zeta) / (fabs(zeta) + hypot(1.0, zeta)), cosine = 1.0 / hypot(1.0, t);
    rotate(rows, cosine, t * cosine, x, y);
    rotate(columns, cosine, t * cosine, vx, vy);
    return true;
}

static void sort(int rows, int columns, double *a, double *s, double *v)
{
    const size_t m = (size_t)columns, n = (size_t)rows;
    for (size_t i = 0; i < m; i++) {
        size_t largest = i;
        for (size_t k = i + 1; k < m; k++)
            largest = s[k] > s[largest] ? k : largest;
        if (largest == i)
            continue;
        exchange(rows, a + i * n, a + largest * n);
        exchange(columns, v + i * m, v + largest * m);
        exchange(1, s + i, s + largest);
    }
}

void fit_svd(int rows, int columns, double *a, double *s, double *v)
{
    const size_t n = (size_t)rows, m = (size_t)columns;
    memset(v, 0, m * m * sizeof *v);
    for (size_t i = 0; i < m; i++)
        v[i * m + i] = 1.0;
    bool again = true;
    for (int sweep = 0; again && sweep < SWEEPS_MAX; sweep++) {
        again = false;
        for (size_t i = 0; i < m; i++)
            for (size_t k = i + 1; k < m; k++)
                again |= make_orthogonal(rows, columns, a + i * n, a + k * n, v + i * m, v + k * m);
    }
    for (size_t i = 0; i < m; i++)
        s[i] = sqrt(carom_dot(rows, a + i * n, a + i * n));
    sort(rows, columns, a, s, v);
}
