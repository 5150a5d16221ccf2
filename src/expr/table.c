/* Tables: a function that is given by points, as one polynomial per interval.
 *
 *   piece    0    |   1    |   2    |  ...  |    n          s = x - anchor of the piece
 *            -----x_1-----x_2-----x_3--- --x_n------        f = a + b s + c s^2 + d s^3
 *   anchor  x_1      x_1      x_2             x_n
 *
 * Integrals of f and of its integral are kept at the anchors, so that they are exact and cost no more than f. */
#include "table.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct piece {
    double anchor;
    double a, b, c, d;
    double integral, second; /* at the anchor, from the first point on */
} piece;

struct carom_table {
    atomic_int owners;
    int count, degree;
    double scale; /* intervals per x: where a table with equal intervals has the piece */
    double *x;
    piece *piece; /* count + 1 */
};

/* ---- slopes ------------------------------------------------------------------------------------------- */

static double secant(const carom_table_spec *spec, int i)
{
    return (spec->y[i + 1] - spec->y[i]) / (spec->x[i + 1] - spec->x[i]);
}

/* Slope at an end by a parabola through three points, held back so that the curve stays monotone:
 * h, d of the interval at the end, further_h, further_d of the next one. */
static double end_slope(double h, double further_h, double d, double further_d)
{
    const double slope = ((2.0 * h + further_h) * d - h * further_d) / (h + further_h);
    if (slope * d <= 0.0)
        return 0.0;
    if (d * further_d <= 0.0 && fabs(slope) > 3.0 * fabs(d))
        return 3.0 * d;
    return slope;
}

/* Fritsch and Butland 1984: weighted harmonic mean of the neighbouring secants, 0 where the data turn. */
static double slope_at(const carom_table_spec *spec, int i)
{
    const double *x = spec->x;
    const int last = spec->count - 1;
    if (spec->count == 2)
        return secant(spec, 0);
    if (i == 0)
        return end_slope(x[1] - x[0], x[2] - x[1], secant(spec, 0), secant(spec, 1));
    if (i == last)
        return end_slope(x[last] - x[last - 1], x[last - 1] - x[last - 2], secant(spec, last - 1),
                         secant(spec, last - 2));
    const double before = secant(spec, i - 1), after = secant(spec, i);
    if (!(before * after > 0.0))
        return 0.0;
    const double w_before = 2.0 * (x[i + 1] - x[i]) + (x[i] - x[i - 1]);
    const double w_after = (x[i + 1] - x[i]) + 2.0 * (x[i] - x[i - 1]);
    return (w_before + w_after) / (w_before / before + w_after / after);
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

static piece piece_between(const carom_table_spec *spec, int i)
{
    const double h = spec->x[i + 1] - spec->x[i], d = secant(spec, i);
    piece p = {.anchor = spec->x[i], .a = spec->y[i], .b = d};
    if (!spec->smooth)
        return p;
    const double left = slope_at(spec, i), right = slope_at(spec, i + 1);
    p.b = left;
    p.c = (3.0 * d - 2.0 * left - right) / h;
    p.d = (left + right - 2.0 * d) / (h * h);
    return p;
}

static piece piece_outside(const carom_table_spec *spec, int i)
{
    piece p = {.anchor = spec->x[i]};
    if (spec->outside == CAROM_OUTSIDE_HOLD)
        p.a = spec->y[i];
    else if (spec->outside == CAROM_OUTSIDE_NONE)
        p.a = p.b = p.c = p.d = NAN;
    return p;
}

static double value_of(const piece *p, int order, double s)
{
    switch (order) {
    case -2:
        return p->second +
               s * (p->integral + s * (p->a / 2.0 + s * (p->b / 6.0 + s * (p->c / 12.0 + s * p->d / 20.0))));
    case -1:
        return p->integral + s * (p->a + s * (p->b / 2.0 + s * (p->c / 3.0 + s * p->d / 4.0)));
    case 0:
        return p->a + s * (p->b + s * (p->c + s * p->d));
    case 1:
        return p->b + s * (2.0 * p->c + s * 3.0 * p->d);
    case 2:
        return 2.0 * p->c + s * 6.0 * p->d;
    case 3:
        return 6.0 * p->d;
    default:
        return 0.0;
    }
}

static bool fill(carom_table *table, const carom_table_spec *spec)
{
    const int n = spec->count;
    bool finite = true;
    table->piece[0] = piece_outside(spec, 0);
    for (int i = 0; i < n; i++) {
        piece *p = &table->piece[i + 1];
        *p = i < n - 1 ? piece_between(spec, i) : piece_outside(spec, n - 1);
        if (i > 0) {
            const double h = spec->x[i] - spec->x[i - 1];
            p->integral = value_of(p - 1, -1, h);
            p->second = value_of(p - 1, -2, h);
        }
        finite = finite && isfinite(p->integral) && isfinite(p->second) &&
                 (i == n - 1 || (isfinite(p->b) && isfinite(p->c) && isfinite(p->d)));
        table->x[i] = spec->x[i];
    }
    return finite;
}

static carom_status check(const carom_table_spec *spec, carom_error *error)
{
    if (spec->count < 2)
        return carom_fail(error, CAROM_BAD_INPUT, "a table needs two points at least; it has %d",
                          spec->count);
    for (int i = 0; i < spec->count; i++) {
        if (!isfinite(spec->x[i]) || !isfinite(spec->y[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "entry %d of a table is (%g, %g): both must be finite",
                              i + 1, spec->x[i], spec->y[i]);
        if (i > 0 && !(spec->x[i] > spec->x[i - 1]))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "entry %d of a table is at %.17g, not after the one before, %.17g: they must grow", i + 1,
                spec->x[i], spec->x[i - 1]);
    }
    return CAROM_OK;
}

carom_status carom_table_create(const carom_table_spec *spec, carom_table **table, carom_error *error)
{
    *table = NULL;
    const carom_status status = check(spec, error);
    if (status != CAROM_OK)
        return status;
    const int n = spec->count;
    carom_table *made = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    *made = (carom_table){
        .count = n, .degree = spec->smooth ? 3 : 1, .scale = (double)(n - 1) / (spec->x[n - 1] - spec->x[0])};
    atomic_init(&made->owners, 1);
    made->x = carom_new_array((size_t)n, sizeof *made->x);
    made->piece = carom_new_array((size_t)n + 1, sizeof *made->piece);
    if (!made->x || !made->piece) {
        carom_table_free(made);
        return carom_fail_memory(error);
    }
    if (!fill(made, spec)) {
        carom_table_free(made);
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "slopes or integrals of a table are beyond all numbers: its values are too large, or two points "
            "too close");
    }
    *table = made;
    return CAROM_OK;
}

carom_table *carom_table_share(carom_table *table)
{
    atomic_fetch_add(&table->owners, 1);
    return table;
}

void carom_table_free(carom_table *table)
{
    if (!table || atomic_fetch_sub(&table->owners, 1) > 1)
        return;
    free(table->x);
    free(table->piece);
    free(table);
}

const double *table_points(const carom_table *table, int *count)
{
    *count = table->count;
    return table->x;
}

int table_degree(const carom_table *table)
{
    return table->degree;
}

/* ---- looking up --------------------------------------------------------------------------------------- */

/* The interval i with x_i <= x < x_i+1, of the last one x <= x_n. Equal intervals are found at once, others by halving. */
static int interval_of(const carom_table *table, double x)
{
    const int last = table->count - 2;
    const double *knot = table->x, guess = (x - knot[0]) * table->scale;
    const int i = guess > 0.0 ? (guess < (double)last ? (int)guess : last) : 0;
    if (knot[i] <= x && (x < knot[i + 1] || i == last))
        return i;
    int low = 0, high = last + 1;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(knot[middle] <= x ? &low : &high) = middle;
    }
    return low;
}

double carom_table_value(const carom_table *table, int order, double x)
{
    if (isnan(x))
        return x;
    const double *knot = table->x;
    const int n = table->count;
    const piece *p = &table->piece[x < knot[0] ? 0 : x > knot[n - 1] ? n : interval_of(table, x) + 1];
    return value_of(p, order, x - p->anchor);
}
