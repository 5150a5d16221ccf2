#include "dense_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Differences from the transpose that are rounding, relative to the largest entry. */
static const double symmetry_tolerance = 1e-13;

static bool is_symmetric(const coulomb_dense *dense)
{
    const size_t n = (size_t)dense->size;
    const double allowed = symmetry_tolerance * carom_largest((int)(n * n), dense->matrix);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (!(fabs(dense->matrix[i * n + j] - dense->matrix[j * n + i]) <= allowed))
                return false;
    return true;
}

bool coulomb_dense_create(coulomb_dense *dense, int contacts)
{
    const size_t size = 3 * (size_t)contacts;
    *dense = (coulomb_dense){.size = (int)size};
    if (contacts > COULOMB_DENSE_CONTACTS)
        return false;
    dense->matrix = carom_new_array(carom_product(size, size), sizeof(double));
    dense->pivot = carom_new_array(size, sizeof(int));
    if (!dense->matrix || !dense->pivot) {
        coulomb_dense_free(dense);
        return false;
    }
    return true;
}

void coulomb_dense_begin(coulomb_dense *dense, const carom_blocks *W)
{
    dense->size = 3 * W->rows;
    coulomb_dense_fill(dense, W);
    dense->symmetric = is_symmetric(dense);
}

void coulomb_dense_free(coulomb_dense *dense)
{
    free(dense->matrix);
    free(dense->pivot);
    *dense = (coulomb_dense){0};
}

void coulomb_dense_fill(coulomb_dense *dense, const carom_blocks *W)
{
    const size_t n = (size_t)dense->size;
    memset(dense->matrix, 0, n * n * sizeof(double));
    for (int i = 0; i < W->rows; i++)
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++) {
            double *const to = dense->matrix + 3 * (size_t)i * n + 3 * (size_t)W->column[k];
            for (size_t row = 0; row < 3; row++)
                memcpy(to + row * n, carom_block_at(W, k) + 3 * row, 3 * sizeof(double));
        }
}

bool coulomb_dense_factor(coulomb_dense *dense)
{
    return (dense->symmetric ? carom_cholesky_factor(dense->size, dense->matrix)
                             : carom_lu_factor(dense->size, dense->matrix, dense->pivot)) == 0;
}

void coulomb_dense_solve(const coulomb_dense *dense, double *x)
{
    if (dense->symmetric)
        carom_cholesky_solve(dense->size, dense->matrix, x);
    else
        carom_lu_solve(dense->size, dense->matrix, dense->pivot, x);
}

/* Below so many unknowns, or with so many blocks, sparsity does not pay. */
enum {
    DENSE_UP_TO = 150
};
static const double dense_fill = 0.25;

bool coulomb_is_dense(const carom_problem_shape *shape)
{
    const size_t contacts = shape->size > 0 ? (size_t)shape->size : 0;
    return 3 * contacts <= DENSE_UP_TO ||
           (double)shape->blocks > dense_fill * (double)contacts * (double)contacts;
}

double coulomb_mean_diagonal(const carom_blocks *W)
{
    double sum = 0.0;
    for (int i = 0; i < W->rows; i++) {
        const double *block = carom_block_at(W, W->diagonal[i]);
        sum += block[0] + block[4] + block[8];
    }
    return sum / (3.0 * fmax(1.0, W->rows));
}
