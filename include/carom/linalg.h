/* linalg: small vectors inline; dense, banded (both LAPACK), narrow and sparse (KLU) matrices with their factors;
 * matrices of 3 x 3 blocks; eigenvalues, Riccati equations, a Runge-Kutta pair. Dense matrices are row-major. */
#ifndef CAROM_LINALG_H
#define CAROM_LINALG_H

#include "carom/base.h"

static inline double carom_dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* to := from. For the few numbers of a step that were written just now: memcpy reads them in wider pieces
 * than they were written in, and waits for the stores. */
static inline void carom_copy(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i];
}

/* y += s x */
static inline void carom_axpy(int n, double s, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

/* True when all entries are finite. */
bool carom_all_finite(int n, const double *x);

/* max |x_i|; entries that are not numbers are passed over. */
double carom_largest(int n, const double *x);

/* True when all entries of the n x n matrix beside its diagonal are zero. */
bool carom_is_diagonal(int n, const double *matrix);

/* Cholesky factor of the symmetric positive definite n x n matrix: only the lower triangle is read
 * and overwritten by L, matrix = L L^T. Returns 0, or the 1-based row whose pivot is not positive. */
int carom_cholesky_factor(int n, double *matrix);

/* x := (L L^T)^-1 x, with the factor of carom_cholesky_factor. */
void carom_cholesky_solve(int n, const double *factor, double *x);

/* The pivot that elimination leaves in row `row` (from 0) of the symmetric n x n matrix, whose leading block A of that size is
 * positive definite: M_rr - b.A^-1 b with b = M_r,<r. For saying why carom_cholesky_factor refused row + 1. `block` (row x row)
 * and `column` (row) are room. */
double carom_cholesky_pivot(int n, const double *matrix, int row, double *block, double *column);

/* General dense solve by Gaussian elimination with partial pivoting: matrix (n x n) is overwritten by
 * its factors, pivot has n entries, x the right-hand side and then the solution. Returns 0, or the
 * 1-based row whose pivot is zero. */
int carom_lu_factor(int n, double *matrix, int *pivot);
/* Below this size the overhead of a LAPACK call costs more than the arithmetic, and the factors L (with ones on its diagonal)
 * and U stand row by row, rows exchanged with row pivot[k] one after the other; from there on they are LAPACK's, of the
 * transposed matrix. */
enum {
    CAROM_LU_LAPACK_FROM = 33
};
void carom_lu_solve(int n, const double *factor, const int *pivot, double *x);

/* Of a matrix factored by carom_lu_factor: the sign of its determinant, and an estimate of its condition
 * number in the 1-norm; `norm` is that norm of the matrix itself. Room for the condition: 4 n numbers, n places. */
int carom_lu_sign(int n, const double *factor, const int *pivot);
double carom_lu_condition(int n, const double *factor, const int *pivot, double norm, double *work,
                          int *places);

/* The shortest x that makes |A x - b| least, for `right` right-hand sides, by orthogonal factors with exchange of columns
 * (LAPACK dgelsy): A (rows x columns, column-major) is overwritten; x has max(rows, columns) numbers per side, b first, then
 * the solution; pivot has `columns` entries, work what carom_least_squares_work says. What is below the tolerance, relative
 * to the largest, counts as zero. Returns the rank, or -1. */
size_t carom_least_squares_work(int rows, int columns, int right);
int carom_least_squares(int rows, int columns, double *matrix, int right, double *x, double tolerance,
                        int *pivot, double *work, size_t work_size);

/* Eigenvalues, ascending, of the symmetric n x n matrix: only its lower triangle is read, and overwritten.
 * Takes memory while it works. Returns 0, or another number when entries are not numbers or memory is short.
 */
int carom_symmetric_eigenvalues(int n, double *matrix, double *value);

/* Eigenvalues, ascending, and vectors of K x = value M x; K and M symmetric, M positive definite (NULL:
 * identity). Column j of `vector` (n x n) is vector j: V^T M V = I. Takes memory while it works. Returns 0,
 * n + i when the leading block of order i of M is not positive definite, or another number when entries are
 * not numbers or memory is short. */
int carom_generalized_eigen(int n, const double *stiffness, const double *mass, double *value,
                            double *vector);

/* Eigenvalues of a general n x n matrix, which is overwritten; complex pairs stand side by side. Takes memory
 * while it works. Returns 0, or another number when entries are not numbers, memory is short or the iteration
 * does not end. */
int carom_eigenvalues(int n, double *matrix, double *real, double *imaginary);

/* What carom_riccati and carom_riccati_hamiltonian return when there is no solution; 0: there is one. */
enum {
    CAROM_RICCATI_FAILED = 1,   /* entries are not numbers, memory is short, the iteration does not end */
    CAROM_RICCATI_AXIS = 2,     /* the stable eigenvalues are not n: some lie on the imaginary axis */
    CAROM_RICCATI_SINGULAR = 3, /* no solution X of the stable subspace */
};

/* X = U21 U11^-1 of the stable invariant subspace [U11; U21] of a 2n x 2n Hamiltonian matrix
 * [A, -S; -Q, -A^T]: the stabilizing solution of A^T X + X A - X S X + Q = 0, symmetric. axis_distance (NULL: not wanted)
 * gets the least |real part| of the eigenvalues. Takes memory while it works. */
int carom_riccati_hamiltonian(int n, const double *hamiltonian, double *X, double *axis_distance);
/* A^T X + X A - X B R^-1 B^T X + Q = 0 with X such that A - B R^-1 B^T X is stable; B is n x inputs, Q
 * symmetric, R the diagonal of a positive diagonal matrix. */
int carom_riccati(int n, int inputs, const double *A, const double *B, const double *Q, const double *R,
                  double *X);

/* From now on no factorisation of this process starts threads of its own: for programs whose threads already
 * have a core each. To be called while no other thread uses this room. */
void carom_linalg_serial(void);

/* ---- matrices of 3 x 3 blocks -----------------------------------------------------------------
 *
 * Compressed by rows of blocks, columns ascending within a row; every row has its diagonal block, be it zero.
 * The memory is the caller's. */
typedef struct carom_blocks {
    int rows;             /* of blocks; as many columns */
    const int *row_start; /* rows + 1 */
    const int *column;
    const int *diagonal; /* where block (i, i) stands */
    const double *block; /* 9 each, row by row */
} carom_blocks;

static inline const double *carom_block_at(const carom_blocks *a, int place)
{
    return a->block + 9 * (ptrdiff_t)place;
}

/* y += A_place x for one block. */
static inline void carom_block_add(const double *restrict a, const double *restrict x, double *restrict y)
{
    y[0] += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    y[1] += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
    y[2] += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
}

/* y = (A x)_row + b_row, three numbers; b NULL: zero. */
static inline void carom_blocks_row(const carom_blocks *a, int row, const double *x, const double *b,
                                    double *y)
{
    double sum[3] = {b ? b[3 * row] : 0.0, b ? b[3 * row + 1] : 0.0, b ? b[3 * row + 2] : 0.0};
    for (int k = a->row_start[row]; k < a->row_start[row + 1]; k++)
        carom_block_add(carom_block_at(a, k), x + 3 * (ptrdiff_t)a->column[k], sum);
    y[0] = sum[0];
    y[1] = sum[1];
    y[2] = sum[2];
}

/* y = A x + b; b NULL: zero. */
void carom_blocks_multiply(const carom_blocks *a, const double *x, const double *b, double *y);

/* From scalar entries (row[k], column[k], value[k]) of a matrix with 3 rows per block, in any order; entries
 * at one place are added. False when memory is short; indices must be in range. */
bool carom_blocks_take(carom_arena *arena, int rows, size_t count, const int *row, const int *column,
                       const double *value, carom_blocks *blocks);

/* ---- sparse matrices ------------------------------------------------------------------------------
 *
 * Compressed by columns, rows ascending within a column, no place twice. The memory is the caller's. */
typedef struct carom_sparse {
    int rows, columns;
    const int *column_start; /* columns + 1 */
    const int *row;
    const double *value;
} carom_sparse;

/* From entries in any order; those at one place are added. False when memory is short; indices must be in
 * range. */
bool carom_sparse_take(carom_arena *arena, int rows, int columns, size_t count, const int *row,
                       const int *column, const double *value, carom_sparse *sparse);
static inline int carom_sparse_entries(const carom_sparse *a)
{
    return a->column_start[a->columns];
}
/* Where entry (row, column) stands among the values; -1: nowhere. */
int carom_sparse_place(const carom_sparse *a, int row, int column);
/* True when all places of a square matrix are on its diagonal. */
bool carom_sparse_is_diagonal(const carom_sparse *a);
/* y += A x and y += A^T x; y is not x. */
void carom_sparse_add(const carom_sparse *a, const double *x, double *y);
void carom_sparse_add_transposed(const carom_sparse *a, const double *x, double *y);

/* LU factor of a square matrix, with an ordering that keeps it sparse (KLU). */
typedef struct carom_sparse_factor carom_sparse_factor;
/* Copies the matrix. BAD_INPUT: it is not square; an empty one, also a zeroed struct, has a factor that
 * does nothing. FAILED and the 1-based pivot in the text when it is singular to rounding. The caller frees
 * the factor; *factor is NULL when there is none. */
carom_status carom_sparse_factor_create(const carom_sparse *a, carom_sparse_factor **factor,
                                        carom_error *error);
/* Of a symmetric matrix with all places of its diagonal: -1 when it is positive definite, else the unknown at whose pivot
 * that ends; -2 when memory is short. */
int carom_sparse_bad_pivot(const carom_sparse *a);
/* What a snapshot keeps of it: the values that are factored and those that the pivots were chosen for, on which the bits of
 * solutions depend. Of *factor NULL that there is none; restoring frees it and makes another. */
void carom_sparse_factor_keep(carom_sparse_factor **factor, const carom_sparse *pattern,
                              carom_snapshot *snapshot);
/* Other values at the same places: keeps the ordering, and takes memory only when the pivots must be
 * others. After FAILED there is nothing to solve with until other values are given. */
carom_status carom_sparse_factor_again(carom_sparse_factor *factor, const double *value, carom_error *error);
/* Entries of such factors, L and U, and floating-point operations to find them, as far as they follow from the places:
 * pivots on the diagonal. BAD_INPUT: it is not square. FAILED: its places alone make it singular. */
carom_status carom_sparse_factor_cost(const carom_sparse *a, double *entries, double *flops,
                                      carom_error *error);
/* x := A^-1 x, with up to two steps of refinement. */
void carom_sparse_solve(carom_sparse_factor *factor, double *x);
/* Without refinement, in less than half the time: for results that are verified. */
void carom_sparse_solve_once(carom_sparse_factor *factor, double *x);
void carom_sparse_factor_free(carom_sparse_factor *factor);

/* ---- symmetric band matrices ------------------------------------------------------------------
 *
 * Entry (i, j) with i - width <= j <= i stands at entry[i * (width + 1) + width - i + j]: rows of the lower
 * triangle, the diagonal last. Places before the first column are zero and never read. This is the upper
 * band storage of LAPACK, column by column. The memory is the caller's. */
typedef struct carom_band {
    int size, width;
    double *entry; /* size x (width + 1) */
} carom_band;

static inline double *carom_band_at(const carom_band *a, int i, int j)
{
    return a->entry + (size_t)i * ((size_t)a->width + 1) + (size_t)(a->width - i + j);
}

/* A matrix of zeros from the arena; false when memory is short. */
bool carom_band_take(carom_arena *arena, int size, int width, carom_band *band);
/* to := a + s b, for matrices of one size and width; `to` may be one of them. */
void carom_band_combine(const carom_band *a, double s, const carom_band *b, carom_band *to);
/* y = A x */
void carom_band_multiply(const carom_band *a, const double *x, double *y);
/* x . A y */
double carom_band_form(const carom_band *a, const double *x, const double *y);
/* Cholesky factor in place (of a form of its own: only carom_band_solve reads it). Returns 0, or the 1-based
 * row whose pivot is not positive. */
int carom_band_factor(carom_band *a);
/* The same, A = L D L^T, for a matrix that need not be positive definite but whose leading minors do not
 * vanish, such as that of a minimum with equations each of which stands behind its unknowns. Returns 0, or
 * the 1-based row whose pivot is rounding. */
int carom_band_factor_signed(carom_band *a);
/* x := A^-1 x with the factor. */
void carom_band_solve(const carom_band *factor, double *x);

/* Number `index` (1: smallest, size: largest) of the eigenvalues of S x = value M x, both of one size, M
 * positive definite, to a relative 1e-13 of the largest eigenvalue or better; `vector` (NULL: not wanted)
 * gets its eigenvector with vector . M vector = 1 and its largest entry positive. Takes memory while it
 * works. */
carom_status carom_band_eigenvalue(const carom_band *S, const carom_band *M, int index, double *value,
                                   double *vector, carom_error *error);

/* ---- general band matrices ---------------------------------------------------------------------
 *
 * Entry (i, j) with |i - j| <= width stands in column j of 3 width + 1 places, which leave room for the
 * exchanges of rows: the band storage of LAPACK. The memory is the caller's. */
typedef struct carom_band_lu {
    int size, width;
    double *entry; /* size x (3 width + 1) */
    int *pivot;    /* size */
} carom_band_lu;

static inline double *carom_band_lu_at(const carom_band_lu *a, int i, int j)
{
    return a->entry + (size_t)j * (3 * (size_t)a->width + 1) + (size_t)(2 * a->width + i - j);
}

/* Sets all entries to zero. */
void carom_band_lu_clear(carom_band_lu *a);
/* Elimination with partial pivoting, in place. Returns 0, or the 1-based row whose pivot is zero. */
int carom_band_lu_factor(carom_band_lu *a);
/* x := A^-1 x with the factor. */
void carom_band_lu_solve(const carom_band_lu *factor, double *x);

/* ---- narrow matrices ------------------------------------------------------------------------------
 *
 * General band matrices that are so narrow that calls of LAPACK would cost more than the work. Row i has
 * places for the columns i - width .. i + 2 width, which leaves room for the exchanges of rows. The memory is
 * the caller's. */
typedef struct carom_narrow {
    int size, width;
    double *entry; /* size x (3 width + 1) */
    double *scale; /* size; of the rows, by carom_narrow_factor */
    int *pivot;    /* size */
} carom_narrow;

static inline size_t carom_narrow_place(const carom_narrow *a, int i, int j)
{
    return (size_t)i * (3 * (size_t)a->width + 1) + (size_t)(j - i + a->width);
}

/* A matrix of zeros from the arena; false when memory is short. */
bool carom_narrow_take(carom_arena *arena, int size, int width, carom_narrow *a);
/* Scales rows, then eliminates with partial pivoting, in place. Returns 0, or the 1-based pivot that is
 * rounding. */
int carom_narrow_factor(carom_narrow *a);
/* x := A^-1 x with the factor. */
void carom_narrow_solve(const carom_narrow *factor, double *x);
/* An order of rows and columns that makes a square sparse matrix narrow (Cuthill and McKee 1969, reversed):
 * row and column i become place[i]. Returns the width, -1 when memory is short. */
int carom_narrow_order(const carom_sparse *a, int *place);

/* ---- the Runge-Kutta pair of Dormand and Prince, orders 5 and 4 --------------------------------------
 *
 * Stage i is at x + h sum_j stage[i][j] rate_j; the last one is the new x. The two solutions differ by
 * h sum_j error[j] rate_j. */
enum {
    CAROM_DORMAND_PRINCE = 7
};
extern const double carom_dormand_prince_stage[CAROM_DORMAND_PRINCE][CAROM_DORMAND_PRINCE];
extern const double carom_dormand_prince_time[CAROM_DORMAND_PRINCE];
extern const double carom_dormand_prince_error[CAROM_DORMAND_PRINCE];

#endif
