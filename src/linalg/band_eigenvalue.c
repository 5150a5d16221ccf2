/* One eigenvalue of S x = value M x: bisection on the number of eigenvalues below a shift, then the vector by
 * inverse iteration.
 *
 * The number of negative eigenvalues of S - shift M, which is the number of eigenvalues below the shift, is
 * the number of changes of sign in the sequence of its leading minors. Row after row is eliminated against
 * the rows before it, with exchanges, so that no small pivot spoils the following ones; after row r the
 * product of the pivots is, up to the sign of the exchanges, the minor of order r. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    DOUBLINGS = 2000, /* more than doubles have powers of two */
    INVERSE_ITERATIONS = 5
};

typedef struct pencil {
    const carom_band *S, *M;
    int size, width;
    double scale;     /* at most the largest |eigenvalue|, and of its size */
    double *kept;     /* `width` eliminated rows, 2 width + 1 places from the diagonal on */
    double *row;      /* the row at work, columns r - width ... r + width */
    double *y;        /* `size` places */
    carom_band_lu lu; /* S - shift M, for inverse iteration */
} pencil;

static double entry_of(const carom_band *a, int i, int j)
{
    const int row = i > j ? i : j, column = i > j ? j : i;
    return row - column <= a->width ? *carom_band_at(a, row, column) : 0.0;
}

static double shifted_entry(const pencil *p, double shift, int i, int j)
{
    return entry_of(p->S, i, j) - shift * entry_of(p->M, i, j);
}

static void load_row(const pencil *p, double shift, int r)
{
    for (int c = 0; c <= 2 * p->width; c++) {
        const int column = r - p->width + c;
        p->row[c] = column >= 0 && column < p->size ? shifted_entry(p, shift, r, column) : 0.0;
    }
}

static void swap(int n, double *a, double *b)
{
    for (int i = 0; i < n; i++) {
        const double kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Removes the head of `row` with the kept row `pivot`, of the same columns. True when the exchange turned the
 * sign of (pivot times sign of the exchanges). */
static bool eliminate(int n, double *pivot, double *row)
{
    bool turned = false;
    if (fabs(row[0]) > fabs(pivot[0])) {
        turned = (row[0] < 0.0) == (pivot[0] < 0.0);
        swap(n, pivot, row);
    }
    if (row[0] != 0.0)
        carom_axpy(n - 1, -row[0] / pivot[0], pivot + 1, row + 1);
    return turned;
}

/* The number of eigenvalues below `shift`. */
static int count_below(const pencil *p, double shift)
{
    const int width = p->width, length = 2 * width + 1;
    bool negative = false, negative_before = false;
    int count = 0;
    for (int r = 0; r < p->size; r++) {
        load_row(p, shift, r);
        for (int c = r < width ? width - r : 0; c < width; c++) {
            double *pivot = p->kept + (ptrdiff_t)((r - width + c) % width) * length;
            negative ^= eliminate(length - c, pivot, p->row + c);
        }
        negative ^= p->row[width] < 0.0;
        count += negative != negative_before;
        negative_before = negative;
        if (width > 0) {
            double *kept = p->kept + (ptrdiff_t)(r % width) * length;
            memset(kept, 0, (size_t)length * sizeof *kept);
            memcpy(kept, p->row + width, (size_t)(width + 1) * sizeof *kept);
        }
    }
    return count;
}

/* A Rayleigh quotient of a coordinate vector, or, when the diagonal of S vanishes, of two coordinates. */
static double scale_of(const pencil *p)
{
    double scale = 0.0;
    for (int i = 0; i < p->size; i++) {
        const double mass = entry_of(p->M, i, i);
        scale = fmax(scale, fabs(entry_of(p->S, i, i)) / mass);
        for (int j = i > p->width ? i - p->width : 0; j < i; j++)
            scale = fmax(scale, fabs(entry_of(p->S, i, j)) / sqrt(mass * entry_of(p->M, j, j)) / 2.0);
    }
    return scale;
}

/* Below `low` are fewer than `index` eigenvalues, below `high` at least `index`. */
static bool bracket(const pencil *p, int index, double *low, double *high)
{
    *low = -p->scale * DBL_EPSILON;
    *high = p->scale * 2.0;
    int tries = 0;
    while (count_below(p, *high) < index && tries++ < DOUBLINGS)
        *high *= 2.0;
    while (count_below(p, *low) >= index && tries++ < DOUBLINGS)
        *low *= 2.0;
    return tries < DOUBLINGS && isfinite(*low) && isfinite(*high);
}

static double bisect(const pencil *p, int index, double low, double high)
{
    const double enough = p->scale * DBL_EPSILON / 16.0;
    while (high - low > enough) {
        const double middle = low + (high - low) / 2.0;
        if (!(middle > low && middle < high))
            break;
        if (count_below(p, middle) >= index)
            high = middle;
        else
            low = middle;
    }
    return low + (high - low) / 2.0;
}

static bool factor_shifted(pencil *p, double shift)
{
    carom_band_lu_clear(&p->lu);
    for (int i = 0; i < p->size; i++)
        for (int j = i > p->width ? i - p->width : 0; j <= i; j++)
            *carom_band_lu_at(&p->lu, i, j) = *carom_band_lu_at(&p->lu, j, i) = shifted_entry(p, shift, i, j);
    return carom_band_lu_factor(&p->lu) == 0;
}

/* Divides by the largest entry first, which may be near the end of the range of doubles. */
static void normalise(const carom_band *M, double *x)
{
    double largest = 0.0;
    for (int i = 0; i < M->size; i++)
        if (fabs(x[i]) > fabs(largest))
            largest = x[i];
    for (int i = 0; i < M->size; i++)
        x[i] /= largest;
    const double length = sqrt(carom_band_form(M, x, x));
    for (int i = 0; i < M->size; i++)
        x[i] /= length;
}

static carom_status find_vector(pencil *p, double value, double *vector, carom_error *error)
{
    double shift = value;
    for (int tries = 1; !factor_shifted(p, shift); tries++) {
        if (tries > 3)
            return carom_fail(error, CAROM_FAILED, "the eigenvector for the value %g was not found", value);
        shift = value + tries * 4.0 * DBL_EPSILON * p->scale;
    }
    carom_random random = {1};
    for (int i = 0; i < p->size; i++)
        vector[i] = carom_random_uniform(&random, -1.0, 1.0);
    for (int k = 0; k < INVERSE_ITERATIONS; k++) {
        normalise(p->M, vector);
        carom_band_multiply(p->M, vector, p->y);
        memcpy(vector, p->y, (size_t)p->size * sizeof *vector);
        carom_band_lu_solve(&p->lu, vector);
    }
    normalise(p->M, vector);
    return carom_all_finite(p->size, vector)
               ? CAROM_OK
               : carom_fail(error, CAROM_FAILED, "the eigenvector for the value %g is not finite", value);
}

/* M positive definite is what makes the count a count of eigenvalues. */
static carom_status check(const pencil *p, carom_arena *arena, carom_error *error)
{
    carom_band factor;
    if (!carom_band_take(arena, p->size, p->M->width, &factor))
        return carom_fail_memory(error);
    for (int i = 0; i < p->size; i++)
        for (int j = i > p->width ? i - p->width : 0; j <= i; j++)
            if (!isfinite(entry_of(p->S, i, j)) || !isfinite(entry_of(p->M, i, j)))
                return carom_fail(error, CAROM_BAD_INPUT, "eigenvalue: entry (%d, %d) is not a finite number",
                                  i + 1, j + 1);
    memcpy(factor.entry, p->M->entry, (size_t)p->size * ((size_t)p->M->width + 1) * sizeof *factor.entry);
    const int row = carom_band_factor(&factor);
    if (row != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "eigenvalue: the mass matrix is not positive definite, pivot %d is not positive",
                          row);
    return CAROM_OK;
}

static bool take_work(pencil *p, carom_arena *arena, bool with_vector)
{
    const size_t size = (size_t)p->size, width = (size_t)p->width;
    p->kept = carom_arena_take(arena, width * (2 * width + 1), sizeof *p->kept);
    p->row = carom_arena_take(arena, 2 * width + 1, sizeof *p->row);
    if (!p->kept || !p->row || !with_vector)
        return p->kept && p->row;
    p->y = carom_arena_take(arena, size, sizeof *p->y);
    p->lu = (carom_band_lu){.size = p->size, .width = p->width};
    p->lu.entry = carom_arena_take(arena, size * (3 * width + 1), sizeof *p->lu.entry);
    p->lu.pivot = carom_arena_take(arena, size, sizeof *p->lu.pivot);
    return p->y && p->lu.entry && p->lu.pivot;
}

static carom_status find(pencil *p, carom_arena *arena, int index, double *value, double *vector,
                         carom_error *error)
{
    double low, high;
    carom_status status = check(p, arena, error);
    if (status != CAROM_OK)
        return status;
    if (!take_work(p, arena, vector != NULL))
        return carom_fail_memory(error);
    p->scale = scale_of(p);
    if (p->scale == 0.0)
        p->scale = 1.0; /* S is zero, and any unit will do */
    if (!bracket(p, index, &low, &high))
        return carom_fail(error, CAROM_FAILED, "eigenvalue %d: no bounds found from %g on", index, p->scale);
    *value = bisect(p, index, low, high);
    return vector ? find_vector(p, *value, vector, error) : CAROM_OK;
}

carom_status carom_band_eigenvalue(const carom_band *S, const carom_band *M, int index, double *value,
                                   double *vector, carom_error *error)
{
    if (S->size != M->size || index < 1 || index > S->size)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "eigenvalue %d of matrices of size %d and %d: one size and 1 <= index <= size",
                          index, S->size, M->size);
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    pencil p = {.S = S, .M = M, .size = S->size, .width = S->width > M->width ? S->width : M->width};
    carom_status status = find(&p, arena, index, value, vector, error);
    carom_arena_free(arena);
    return status;
}
