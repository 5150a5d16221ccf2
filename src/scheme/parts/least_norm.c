#include "least_norm.h"

#include <math.h>

/* Places of a row or column of the matrix: entry i is at x[i * stride]. */
typedef struct strided {
    double *x;
    int count, stride;
} strided;

static double length_of(strided v)
{
    double sum = 0.0;
    for (int i = 0; i < v.count; i++)
        sum += v.x[i * v.stride] * v.x[i * v.stride];
    return sqrt(sum);
}

/* Makes v the vector of the reflection that turns it into (result, 0, ...), scaled so that v.v = 2; a zero one stays. */
static double make_reflection(strided v)
{
    const double length = length_of(v), first = v.count > 0 ? v.x[0] : 0.0;
    if (!(length > 0.0))
        return 0.0;
    const double result = first > 0.0 ? -length : length;
    const double scale = 1.0 / sqrt(length * (length + fabs(first)));
    v.x[0] = first - result;
    for (int i = 0; i < v.count; i++)
        v.x[i * v.stride] *= scale;
    return result;
}

/* y := (1 - v v^T) y */
static void reflect(strided v, strided y)
{
    double sum = 0.0;
    for (int i = 0; i < v.count; i++)
        sum += v.x[i * v.stride] * y.x[i * y.stride];
    for (int i = 0; i < v.count; i++)
        y.x[i * y.stride] -= sum * v.x[i * v.stride];
}

static void exchange_columns(int n, double *A, int *order, int k, int l)
{
    const int kept = order[k];
    order[k] = order[l];
    order[l] = kept;
    for (int i = 0; i < n; i++) {
        const double entry = A[i * n + k];
        A[i * n + k] = A[i * n + l];
        A[i * n + l] = entry;
    }
}

/* Q^T A P in the upper triangle, diagonal in `diagonal`, Q^T b; returns the rank. */
static int reduce_from_left(int n, double *A, double *b, double dependent, int *order, double *diagonal)
{
    double first = 0.0;
    for (int j = 0; j < n; j++)
        order[j] = j;
    for (int k = 0; k < n; k++) {
        int longest = k;
        double most = -1.0;
        for (int j = k; j < n; j++) {
            const double length = length_of((strided){A + k * n + j, n - k, n});
            if (length > most) {
                most = length;
                longest = j;
            }
        }
        first = k == 0 ? most : first;
        if (!(most > dependent * first))
            return k;
        exchange_columns(n, A, order, k, longest);
        const strided v = {A + k * n + k, n - k, n};
        diagonal[k] = make_reflection(v);
        for (int j = k + 1; j < n; j++)
            reflect(v, (strided){A + k * n + j, n - k, n});
        reflect(v, (strided){b + k, n - k, 1});
    }
    return n;
}

/* b := R^-1 b for the leading triangle, whose diagonal stands apart. */
static void solve_triangle(int n, int rank, const double *A, const double *diagonal, double *b)
{
    for (int i = rank - 1; i >= 0; i--) {
        for (int j = i + 1; j < rank; j++)
            b[i] -= A[i * n + j] * b[j];
        b[i] /= diagonal[i];
    }
}

int least_norm_solve(int n, double *A, double *b, double dependent, int *order, double *scratch)
{
    double *diagonal = scratch, *head = scratch + n, *row = scratch + 2 * n, *x = scratch + 3 * n;
    const int rank = reduce_from_left(n, A, b, dependent, order, diagonal);
    const int left = n - rank;
    /* From the right, last row first: the reflection of row i has entries in column i and in those behind the rank. */
    for (int i = rank - 1; i >= 0 && left > 0; i--) {
        row[0] = diagonal[i];
        for (int j = 0; j < left; j++)
            row[1 + j] = A[i * n + rank + j];
        diagonal[i] = make_reflection((strided){row, left + 1, 1});
        head[i] = row[0];
        for (int j = 0; j < left; j++)
            A[i * n + rank + j] = row[1 + j];
        for (int k = 0; k < i; k++) {
            double sum = A[k * n + i] * row[0];
            for (int j = 0; j < left; j++)
                sum += A[k * n + rank + j] * row[1 + j];
            A[k * n + i] -= sum * row[0];
            for (int j = 0; j < left; j++)
                A[k * n + rank + j] -= sum * row[1 + j];
        }
    }
    solve_triangle(n, rank, A, diagonal, b);
    for (int j = rank; j < n; j++)
        b[j] = 0.0;
    for (int i = 0; i < rank && left > 0; i++) {
        double sum = b[i] * head[i];
        for (int j = 0; j < left; j++)
            sum += A[i * n + rank + j] * b[rank + j];
        b[i] -= sum * head[i];
        for (int j = 0; j < left; j++)
            b[rank + j] -= sum * A[i * n + rank + j];
    }
    for (int j = 0; j < n; j++)
        x[order[j]] = b[j];
    for (int j = 0; j < n; j++)
        b[j] = x[j];
    return rank;
}
