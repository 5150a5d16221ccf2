/* Riccati and Lyapunov equations by Schur forms. Matrices are row-major outside and column-major inside. */
#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

#include "carom/linalg.h"

static lapack_logical is_stable(const double *real, const double *imaginary)
{
    (void)imaginary;
    return *real < 0.0;
}

static void copy_transposed(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[(ptrdiff_t)j * n + i] = from[(ptrdiff_t)i * n + j];
}

static double least_modulus(int n, const double *x)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        least = fmin(least, fabs(x[i]));
    return least;
}

/* X U11 = U21, row by row: U11^T x_i = (row i of U21). Column j of the Schur vectors stands at vector + j 2n.
 */
static int solve_blocks(int n, const double *vector, double *square, int *pivot, double *X)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            square[(ptrdiff_t)j * n + i] = vector[(ptrdiff_t)j * 2 * n + i];
            X[(ptrdiff_t)i * n + j] = vector[(ptrdiff_t)j * 2 * n + n + i];
        }
    if (carom_lu_factor(n, square, pivot) != 0)
        return CAROM_RICCATI_SINGULAR;
    for (int i = 0; i < n; i++)
        carom_lu_solve(n, square, pivot, X + (ptrdiff_t)i * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const ptrdiff_t below = (ptrdiff_t)i * n + j, above = (ptrdiff_t)j * n + i;
            X[below] = X[above] = 0.5 * (X[below] + X[above]);
        }
    return carom_all_finite(n * n, X) ? 0 : CAROM_RICCATI_SINGULAR;
}

int carom_riccati_hamiltonian(int n, const double *hamiltonian, double *X, double *axis_distance)
{
    const int twice = 2 * n;
    const size_t entries = (size_t)twice * (size_t)twice;
    double *schur = carom_new_array(2 * entries + 2 * (size_t)twice + (size_t)n * (size_t)n, sizeof *schur);
    int *pivot = carom_new_array((size_t)n, sizeof *pivot);
    int info = CAROM_RICCATI_FAILED;
    if (schur && pivot && carom_all_finite(twice * twice, hamiltonian)) {
        double *vector = schur + entries, *real = vector + entries, *imaginary = real + twice,
               *square = imaginary + twice;
        lapack_int stable = 0;
        copy_transposed(twice, hamiltonian, schur);
        info = (int)LAPACKE_dgees(LAPACK_COL_MAJOR, 'V', 'S', is_stable, twice, schur, twice, &stable, real,
                                  imaginary, vector, twice);
        /* 2n + 2: the order is right, but rounding moved eigenvalues over the axis: counted below. */
        if (info != 0 && info != twice + 2)
            info = CAROM_RICCATI_FAILED;
        else if (stable != n)
            info = CAROM_RICCATI_AXIS;
        else
            info = solve_blocks(n, vector, square, pivot, X);
        if (axis_distance)
            *axis_distance = info == CAROM_RICCATI_FAILED ? 0.0 : least_modulus(twice, real);
    }
    free(pivot);
    free(schur);
    return info;
}

int carom_riccati(int n, int inputs, const double *A, const double *B, const double *Q, const double *R,
                  double *X)
{
    const ptrdiff_t twice = 2 * (ptrdiff_t)n;
    double *H = carom_new_array((size_t)(twice * twice), sizeof *H);
    if (!H)
        return CAROM_RICCATI_FAILED;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double gain = 0.0; /* (B R^-1 B^T)_ij */
            for (int k = 0; k < inputs; k++)
                gain += B[(ptrdiff_t)i * inputs + k] * B[(ptrdiff_t)j * inputs + k] / R[k];
            H[i * twice + j] = A[(ptrdiff_t)i * n + j];
            H[i * twice + n + j] = -gain;
            H[(n + i) * twice + j] = -Q[(ptrdiff_t)i * n + j];
            H[(n + i) * twice + n + j] = -A[(ptrdiff_t)j * n + i];
        }
    const int info = carom_riccati_hamiltonian(n, H, X, NULL);
    free(H);
    return info;
}
