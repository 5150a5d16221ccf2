/* Closed loops: poles, the mobility of the bit and its peak, critical slope, sector of the circle criterion.
 */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/subject/drilling.h"

/* ---- frequency response ----------------------------------------------------------------------------- */

static void exchange(int n, double complex *a, double complex *b)
{
    for (int i = 0; i < n; i++) {
        const double complex kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

/* Elimination with partial pivoting on the n x (n + 1) matrix [j w - A, b]. */
static void eliminate(int n, double complex *a)
{
    const int width = n + 1;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (cabs(a[i * width + k]) > cabs(a[best * width + k]))
                best = i;
        if (best != k)
            exchange(width, a + k * width, a + best * width);
        for (int i = k + 1; i < n; i++) {
            if (a[i * width + k] == 0.0)
                continue;
            const double complex factor = a[i * width + k] / a[k * width + k];
            for (int j = k + 1; j < width; j++)
                a[i * width + j] -= factor * a[k * width + j];
        }
    }
}

void carom_drill_response(int n, const double *A, const double *b, int b_stride, const double *c, double d,
                          double hertz, double *work, double *real, double *imaginary)
{
    double complex *a = (double complex *)(void *)work;
    const int width = n + 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i * width + j] = -A[i * n + j];
        a[i * width + i] += I * 2.0 * CAROM_PI * hertz;
        a[i * width + n] = b[i * b_stride];
    }
    eliminate(n, a);
    double complex sum = d;
    for (int i = n - 1; i >= 0; i--) {
        double complex x = a[i * width + n];
        for (int j = i + 1; j < n; j++)
            x -= a[i * width + j] * a[j * width + n];
        a[i * width + n] = x / a[i * width + i];
        sum += c[i] * a[i * width + n];
    }
    *real = creal(sum);
    *imaginary = cimag(sum);
}

/* ---- the loop --------------------------------------------------------------------------------------- */

/* With e = -C x:  x' = (A - B Dc C) x + B Cc xc,  xc' = -Bc C x + Ac xc */
static void fill_loop(const carom_drill_plant *p, const carom_drill_controller *c, carom_drill_loop *loop)
{
    const int n = p->states, m = c ? c->states : 0, size = n + m;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double fed = c ? c->D[0] * p->C[j] + c->D[1] * p->C[n + j] : 0.0;
            loop->A[i * size + j] = p->A[i * n + j] - p->B[i] * fed;
        }
        for (int j = 0; j < m; j++)
            loop->A[i * size + n + j] = p->B[i] * c->C[j];
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            loop->A[(n + i) * size + j] = -c->B[2 * i] * p->C[j] - c->B[2 * i + 1] * p->C[n + j];
        for (int j = 0; j < m; j++)
            loop->A[(n + i) * size + n + j] = c->A[i * m + j];
    }
    memcpy(loop->A0, loop->A, (size_t)(size * size) * sizeof *loop->A0);
    loop->A0[size + 1] -= p->delta * p->G[1];
    loop->G[1] = loop->bit_gain = p->G[1];
    loop->delta = p->delta;
}

carom_status carom_drill_loop_create(const carom_drill_plant *plant, const carom_drill_controller *controller,
                                     carom_drill_loop **loop, carom_error *error)
{
    carom_drill_loop *l = carom_new_array(1, sizeof *l);
    *loop = l;
    if (l)
        l->arena = carom_arena_create();
    if (l && l->arena) {
        l->states = plant->states + (controller ? controller->states : 0);
        const size_t n = (size_t)l->states;
        double **array[] = {&l->A, &l->A0, &l->G, &l->real, &l->imaginary, &l->scratch};
        const size_t count[] = {n * n, n * n, n, n, n, 4 * n * (n + 1)};
        bool all = true;
        for (int i = 0; i < 6; i++)
            all = (*array[i] = carom_arena_take(l->arena, count[i], sizeof(double))) && all;
        if (all) {
            fill_loop(plant, controller, l);
            return CAROM_OK;
        }
    }
    carom_drill_loop_free(l);
    *loop = NULL;
    return carom_fail_memory(error);
}

void carom_drill_loop_free(carom_drill_loop *loop)
{
    if (loop)
        carom_arena_free(loop->arena);
    free(loop);
}

carom_status carom_drill_loop_poles(carom_drill_loop *loop, double delta, double *largest, carom_error *error)
{
    const int n = loop->states;
    memcpy(loop->scratch, loop->A0, (size_t)(n * n) * sizeof *loop->scratch);
    loop->scratch[n + 1] += delta * loop->bit_gain;
    if (carom_eigenvalues(n, loop->scratch, loop->real, loop->imaginary) != 0)
        return carom_fail(error, CAROM_FAILED, "the poles of the closed loop could not be computed");
    *largest = -INFINITY;
    for (int i = 0; i < n; i++)
        *largest = fmax(*largest, loop->real[i]);
    return CAROM_OK;
}

double carom_drill_mobility(carom_drill_loop *loop, double hertz)
{
    double real, imaginary;
    double *c = loop->scratch + 2 * loop->states * (loop->states + 1);
    memset(c, 0, (size_t)loop->states * sizeof *c);
    c[1] = 1.0;
    carom_drill_response(loop->states, loop->A, loop->G, 1, c, 0.0, hertz, loop->scratch, &real, &imaginary);
    return hypot(real, imaginary);
}

/* ---- peak ------------------------------------------------------------------------------------------- */

enum {
    GRID = 400, /* from 1e-3 to 10 Hz */
    NEAR = 41,  /* around each pole, by its own damping */
};

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int frequencies(const carom_drill_loop *loop, double *hertz)
{
    const int middle = NEAR / 2;
    int count = 0;
    for (int i = 0; i < GRID; i++)
        hertz[count++] = 1e-3 * pow(1e4, i / (GRID - 1.0));
    for (int k = 0; k < loop->states; k++)
        for (int i = 0; i < NEAR && loop->imaginary[k] > 0.0; i++) {
            const double f =
                (loop->imaginary[k] + 0.2 * (i - middle) * fabs(loop->real[k])) / (2.0 * CAROM_PI);
            if (f > 1e-3)
                hertz[count++] = f;
        }
    qsort(hertz, (size_t)count, sizeof *hertz, compare);
    return count;
}

static double golden_section(carom_drill_loop *loop, double low, double high, double *where)
{
    const double part = 0.6180339887498949;
    double a = high - part * (high - low), b = low + part * (high - low);
    double at_a = carom_drill_mobility(loop, a), at_b = carom_drill_mobility(loop, b);
    for (int i = 0; i < 60 && high - low > 1e-11 * high; i++)
        if (at_a < at_b) {
            low = a;
            a = b;
            at_a = at_b;
            b = low + part * (high - low);
            at_b = carom_drill_mobility(loop, b);
        } else {
            high = b;
            b = a;
            at_b = at_a;
            a = high - part * (high - low);
            at_a = carom_drill_mobility(loop, a);
        }
    *where = at_a > at_b ? a : b;
    return fmax(at_a, at_b);
}

carom_status carom_drill_loop_norm(carom_drill_loop *loop, double *norm, double *hertz, carom_error *error)
{
    double largest;
    const carom_status status = carom_drill_loop_poles(loop, loop->delta, &largest, error);
    if (status != CAROM_OK)
        return status;
    const size_t most = GRID + (size_t)loop->states * NEAR;
    double *f = carom_new_array(2 * most, sizeof *f), *value = f ? f + most : NULL;
    if (!f)
        return carom_fail_memory(error);
    const int count = frequencies(loop, f);
    double top = 0.0;
    for (int i = 0; i < count; i++)
        top = fmax(top, value[i] = carom_drill_mobility(loop, f[i]));
    *norm = 0.0;
    for (int i = 1; i + 1 < count; i++) { /* peaks that may be the largest when refined */
        if (value[i] < 0.7 * top || value[i] < value[i - 1] || value[i] < value[i + 1])
            continue;
        double where;
        const double peak = golden_section(loop, f[i - 1], f[i + 1], &where);
        if (peak > *norm) {
            *norm = peak;
            *hertz = where;
        }
    }
    free(f);
    return CAROM_OK;
}

/* ---- slopes ----------------------------------------------------------------------------------------- */

carom_status carom_drill_critical_slope(carom_drill_loop *loop, double most, double *slope,
                                        carom_error *error)
{
    double low = 0.0, high = fmax(loop->delta, 1e-6 * most), largest = NAN;
    carom_status status = carom_drill_loop_poles(loop, low, &largest, error);
    if (status == CAROM_OK && largest >= 0.0) {
        *slope = NAN;
        return CAROM_OK;
    }
    while (status == CAROM_OK) { /* the first crossing above, by doubling */
        status = carom_drill_loop_poles(loop, high, &largest, error);
        if (status != CAROM_OK || largest >= 0.0 || high > most)
            break;
        low = high;
        high *= 1.25;
    }
    if (status == CAROM_OK && largest < 0.0)
        low = high = INFINITY;
    for (int i = 0; i < 60 && status == CAROM_OK && high - low > 1e-14 * high; i++) {
        const double middle = 0.5 * (low + high);
        status = carom_drill_loop_poles(loop, middle, &largest, error);
        if (largest < 0.0)
            low = middle;
        else
            high = middle;
    }
    *slope = high;
    return status;
}

/* delta = vd (Ts - Td) exp(-vd w) for w */
double carom_drill_critical_rpm(const carom_drill_law *law, double slope)
{
    return log(law->vd * (law->Ts - law->Td) / slope) / law->vd / carom_rpm(1.0);
}

/* phi is convex with phi(0) = phi'(0) = 0, so that |phi(q)| / |q| grows on both sides: bisection. */
static double sector_ratio(const carom_drill_law *law, double weq, double q)
{
    const double weakening = (law->Ts - law->Td) * exp(-law->vd * weq);
    return fabs((weakening * expm1(-law->vd * q) + weakening * law->vd * q) / q);
}

static double sector_end(const carom_drill_law *law, double weq, double gamma, double outside)
{
    double inside = 0.0;
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (inside + outside);
        if (sector_ratio(law, weq, middle) < gamma)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

void carom_drill_sector(const carom_drill_law *law, double weq, double gamma, double *low, double *high)
{
    *low = sector_ratio(law, weq, -weq) < gamma ? -weq : sector_end(law, weq, gamma, -weq);
    /* far away the ratio tends to the slope at the set point */
    const double slope = carom_drill_slope(law, weq);
    double outside = 1.0 / law->vd;
    while (slope > gamma && sector_ratio(law, weq, outside) < gamma && outside < 1e300)
        outside *= 2.0;
    *high = slope > gamma ? sector_end(law, weq, gamma, outside) : INFINITY;
}
