/* Inverses of small square blocks, row by row; n is a constant where these are inlined. */
#ifndef CAROM_LINALG_SMALL_BLOCKS_H
#define CAROM_LINALG_SMALL_BLOCKS_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    WIDEST = 6
};

/* A pivot block whose inverse is larger than this over its own size is singular. */
static const double singular_block = 1e14;

static inline double block_size(int n, const double *a)
{
    double largest = 0.0;
    for (int k = 0; k < n * n; k++)
        largest = fabs(a[k]) > largest ? fabs(a[k]) : largest;
    return largest;
}

static inline void block_exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Gauss and Jordan in place, with exchanges of rows, which are those of columns of the inverse. */
static inline bool block_invert(int n, const double *a, double *m)
{
    int other[WIDEST];
    memcpy(m, a, (size_t)(n * n) * sizeof *m);
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[n * i + k]) > fabs(m[n * best + k]))
                best = i;
        if (!(fabs(m[n * best + k]) > 0.0))
            return false;
        other[k] = best;
        for (int j = 0; j < n && best != k; j++)
            block_exchange(&m[n * k + j], &m[n * best + j]);
        const double reciprocal = 1.0 / m[n * k + k];
        m[n * k + k] = 1.0;
        for (int j = 0; j < n; j++)
            m[n * k + j] *= reciprocal;
        for (int i = 0; i < n; i++) {
            const double factor = i == k ? 0.0 : m[n * i + k];
            if (factor == 0.0)
                continue;
            m[n * i + k] = 0.0;
            for (int j = 0; j < n; j++)
                m[n * i + j] -= factor * m[n * k + j];
        }
    }
    for (int k = n - 1; k >= 0; k--)
        for (int i = 0; i < n && other[k] != k; i++)
            block_exchange(&m[n * i + k], &m[n * i + other[k]]);
    return block_size(n, a) * block_size(n, m) < singular_block;
}

#endif
