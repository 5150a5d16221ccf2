#include "step_tangent.h"

#include <math.h>
#include <string.h>

/* A system whose condition is worse is solved with its rank in view; what is below it counts as zero. */
static const double worst_condition = 1e10;
static const double rank_tolerance = 1e-11;
/* Entries that fade from step to step are zero long before they underflow, which they would do at another step in other units. */
static const double faded = 1e-150;

enum {
    SPARSE_FROM = 150, /* unknowns; of fewer full matrices are as fast */
    SPARSE_SHARE = 8,  /* at most one entry in so many is not zero */
    PROBES = 4         /* right sides of signs by which the size of an inverse is estimated */
};

carom_status step_tangent_check_size(double unknowns, carom_error *error)
{
    if (unknowns <= STEP_TANGENT_MOST)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "a step has up to %.0f unknowns, three per contact; derivatives of steps are made for "
                      "%d at most, since they take full matrices, of %.2g GB each here",
                      unknowns, STEP_TANGENT_MOST, unknowns * unknowns * 8e-9);
}

static bool take_sparse(step_tangent *self, carom_arena *arena, size_t n)
{
    if (n < SPARSE_FROM)
        return true;
    const size_t entries = carom_product(n, n) / SPARSE_SHARE + 1;
    self->column_start = carom_arena_take(arena, n + 1, sizeof(int));
    self->row = carom_arena_take(arena, entries, sizeof(int));
    self->value = carom_arena_take(arena, entries, sizeof(double));
    return self->column_start && self->row && self->value;
}

bool step_tangent_take(step_tangent *self, carom_arena *arena, int room, int columns)
{
    const size_t n = (size_t)room, entries = carom_product(n, n),
                 sides = carom_product(n, (size_t)columns + 1);
    *self = (step_tangent){.room = room, .columns = columns};
    self->matrix = carom_arena_take(arena, entries, sizeof(double));
    self->copy = carom_arena_take(arena, entries, sizeof(double));
    self->right = carom_arena_take(arena, sides, sizeof(double));
    self->kept_right = carom_arena_take(arena, sides, sizeof(double));
    self->size = carom_arena_take(arena, n, sizeof(double));
    self->row_scale = carom_arena_take(arena, n, sizeof(double));
    self->column_scale = carom_arena_take(arena, n, sizeof(double));
    self->unit = carom_arena_take(arena, n, sizeof(double));
    self->pivot = carom_arena_take(arena, n, sizeof(int));
    self->place = carom_arena_take(arena, n, sizeof(int));
    self->work_size = carom_least_squares_work(room, room, columns + 1);
    if (self->work_size < carom_product(4, n))
        self->work_size = carom_product(4, n);
    self->work = carom_arena_take(arena, self->work_size, sizeof(double));
    return self->matrix && self->copy && self->right && self->kept_right && self->size && self->row_scale &&
           self->column_scale && self->unit && self->pivot && self->place && self->work &&
           take_sparse(self, arena, n);
}

void step_tangent_size(step_tangent *self, int first, int end, double size)
{
    for (int i = first; i < end; i++)
        self->size[i] = size;
}

step_direction step_tangent_direction(const carom_tangent *tangent, int column)
{
    const carom_tangent_column *given = &tangent->column[column];
    return (step_direction){.before = carom_tangent_q(tangent, column),
                            .t = tangent->t[column],
                            .h = given->h,
                            .parameter = given->parameter,
                            .option = given->option};
}

static void evaluate(step_tangent *self, const carom_tangent *tangent, step_residual residual, void *context)
{
    const size_t n = (size_t)self->unknowns;
    memset(self->unit, 0, n * sizeof *self->unit);
    for (size_t j = 0; j < n; j++) {
        self->unit[j] = 1.0;
        residual(context, &(step_direction){.z = self->unit}, self->matrix + j * n);
        self->unit[j] = 0.0;
    }
    for (int c = 0; c < self->columns; c++) {
        const step_direction direction = step_tangent_direction(tangent, c);
        double *right = self->right + (size_t)c * n;
        residual(context, &direction, right);
        for (size_t i = 0; i < n; i++)
            right[i] = -right[i];
    }
}

/* The nearest power of two, so that scaling rounds nothing. */
static double inverse_size(double size)
{
    int exponent = 0;
    if (!(size > 0.0))
        return 1.0;
    frexp(size, &exponent);
    return ldexp(1.0, -exponent);
}

/* Equations and unknowns have different units: every row of the unknowns' sizes, then every column gets largest entries near one. */
static void scale(step_tangent *self)
{
    const size_t n = (size_t)self->unknowns;
    double *a = self->matrix;
    for (size_t i = 0; i < n; i++) {
        double size = 0.0;
        for (size_t j = 0; j < n; j++)
            size = fmax(size, fabs(a[j * n + i]) * self->size[j]);
        self->row_scale[i] = inverse_size(size);
    }
    for (size_t j = 0; j < n; j++) {
        double size = 0.0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(a[j * n + i] *= self->row_scale[i]));
        self->column_scale[j] = inverse_size(size);
        for (size_t i = 0; i < n; i++) {
            a[j * n + i] *= self->column_scale[j];
            if (fabs(a[j * n + i]) < faded)
                a[j * n + i] = 0.0;
        }
    }
    for (size_t c = 0; c < (size_t)self->columns; c++)
        for (size_t i = 0; i < n; i++)
            self->right[c * n + i] *= self->row_scale[i];
}

/* The entries of the matrix that are not zero. False: there are too many. */
static bool gather(step_tangent *self)
{
    const int n = self->unknowns;
    const size_t most = (size_t)self->room * (size_t)self->room / SPARSE_SHARE;
    size_t count = 0;
    if (!self->value || n < SPARSE_FROM)
        return false;
    for (int j = 0; j < n; j++) {
        const double *column = self->matrix + (size_t)j * (size_t)n;
        self->column_start[j] = (int)count;
        for (int i = 0; i < n; i++) {
            if (column[i] == 0.0)
                continue;
            if (count == most || count * SPARSE_SHARE >= (size_t)n * (size_t)n)
                return false;
            self->row[count] = i;
            self->value[count++] = column[i];
        }
    }
    self->column_start[n] = (int)count;
    return true;
}

/* |A| |A^-1 b| / |b| of some b of signs, which shows a direction that A makes small. */
static double estimate_condition(step_tangent *self, carom_sparse_factor *factor)
{
    const size_t n = (size_t)self->unknowns;
    double norm = 0.0, inverse = 0.0;
    unsigned state = 1u;
    for (size_t j = 0; j < n; j++) {
        double sum = 0.0;
        for (int k = self->column_start[j]; k < self->column_start[j + 1]; k++)
            sum += fabs(self->value[k]);
        norm = fmax(norm, sum);
    }
    for (int probe = 0; probe < PROBES; probe++) {
        for (size_t i = 0; i < n; i++) {
            state = state * 1664525u + 1013904223u;
            self->kept_right[i] = state >> 31 ? 1.0 : -1.0;
        }
        carom_sparse_solve(factor, self->kept_right);
        double sum = 0.0;
        for (size_t i = 0; i < n; i++)
            sum += fabs(self->kept_right[i]);
        inverse = fmax(inverse, sum / (double)n);
    }
    return norm * inverse;
}

/* As solve_regular, where most entries are zero. */
static bool solve_sparse(step_tangent *self)
{
    carom_sparse_factor *factor = NULL;
    const int n = self->unknowns;
    const carom_sparse sparse = {n, n, self->column_start, self->row, self->value};
    if (!gather(self))
        return false;
    const carom_status status = carom_sparse_factor_create(&sparse, &factor, NULL);
    self->no_memory = status == CAROM_NO_MEMORY;
    if (status != CAROM_OK)
        return false;
    const bool regular = estimate_condition(self, factor) <= worst_condition;
    for (int c = 0; regular && c < self->columns; c++)
        carom_sparse_solve(factor, self->right + (size_t)c * (size_t)n);
    carom_sparse_factor_free(factor);
    return regular;
}

/* By elimination; false where the matrix is singular or nearly so. self->copy has the matrix by rows. */
static bool solve_regular(step_tangent *self)
{
    const int n = self->unknowns;
    const size_t size = (size_t)n;
    double norm = 0.0;
    for (size_t j = 0; j < size; j++) {
        double sum = 0.0;
        for (size_t i = 0; i < size; i++) {
            self->copy[i * size + j] = self->matrix[j * size + i];
            sum += fabs(self->matrix[j * size + i]);
        }
        norm = fmax(norm, sum);
    }
    if (carom_lu_factor(n, self->copy, self->pivot) != 0 ||
        !(carom_lu_condition(n, self->copy, self->pivot, norm, self->work, self->place) <= worst_condition))
        return false;
    for (int c = 0; c < self->columns; c++)
        carom_lu_solve(n, self->copy, self->pivot, self->right + (size_t)c * size);
    return true;
}

/* How far A x is from b, relative to the terms of the largest row. */
static double find_mismatch(const step_tangent *self)
{
    const size_t n = (size_t)self->unknowns;
    double worst = 0.0, terms = 0.0;
    for (size_t c = 0; c < (size_t)self->columns; c++)
        for (size_t i = 0; i < n; i++) {
            double sum = -self->kept_right[c * n + i], size = fabs(sum);
            for (size_t j = 0; j < n; j++) {
                sum += self->copy[j * n + i] * self->right[c * n + j];
                size += fabs(self->copy[j * n + i] * self->right[c * n + j]);
            }
            worst = fmax(worst, fabs(sum));
            terms = fmax(terms, size);
        }
    return terms > 0.0 ? worst / terms : 0.0;
}

/* Any direction of the unknowns, of numbers that are not alike. */
static double probe(size_t j)
{
    return 0.5 + fmod(0.6180339887498949 * (double)(j + 1), 1.0);
}

/* One more side, A w of a direction w: what is left of w when its shortest equal is taken away has no effect. */
static bool solve_singular(step_tangent *self)
{
    const size_t n = (size_t)self->unknowns;
    double *idle = self->right + (size_t)self->columns * n;
    memcpy(self->copy, self->matrix, n * n * sizeof *self->copy);
    memcpy(self->kept_right, self->right, n * (size_t)self->columns * sizeof *self->right);
    memset(idle, 0, n * sizeof *idle);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++)
            idle[i] += self->copy[j * n + i] * probe(j);
    self->singular = true;
    if (carom_least_squares(self->unknowns, self->unknowns, self->matrix, self->columns + 1, self->right,
                            rank_tolerance, self->pivot, self->work, self->work_size) < 0)
        return false;
    for (size_t j = 0; j < n; j++)
        idle[j] = (probe(j) - idle[j]) * self->column_scale[j];
    self->mismatch = find_mismatch(self);
    return true;
}

bool step_tangent_solve(step_tangent *self, const carom_tangent *tangent, int unknowns,
                        step_residual residual, void *context)
{
    const size_t n = (size_t)unknowns;
    self->unknowns = unknowns;
    self->singular = false;
    self->no_memory = false;
    self->mismatch = 0.0;
    if (unknowns == 0 || self->columns == 0)
        return true;
    evaluate(self, tangent, residual, context);
    for (size_t i = 0; i < n * n; i++)
        if (!isfinite(self->matrix[i]))
            return false;
    for (size_t i = 0; i < n * (size_t)self->columns; i++)
        if (!isfinite(self->right[i]))
            return false;
    scale(self);
    if (!solve_sparse(self) && (self->no_memory || (!solve_regular(self) && !solve_singular(self))))
        return false;
    for (size_t c = 0; c < (size_t)self->columns; c++)
        for (size_t j = 0; j < n; j++)
            self->right[c * n + j] *= self->column_scale[j];
    return true;
}
