/* Exact free motion of a linear oscillator: each mode rotates by its own angle omega_j t. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "periodic/pattern/ring.h"

void carom_linear_flow(const carom_linear_oscillator *o, double t, const double *y0, const double *v0,
                       double *y, double *v, double *work)
{
    const int n = o->size;
    double *position = work, *velocity = work + n;
    for (int j = 0; j < n; j++) {
        const double *row = o->inverse + (ptrdiff_t)j * n;
        const double omega = o->frequency[j], q = carom_dot(n, row, y0), p = carom_dot(n, row, v0);
        const double c = cos(omega * t), s = sin(omega * t);
        position[j] = c * q + s * p / omega;
        velocity[j] = c * p - s * q * omega;
    }
    for (int i = 0; i < n; i++) {
        const double *row = o->mode + (ptrdiff_t)i * n;
        y[i] = carom_dot(n, row, position);
        v[i] = carom_dot(n, row, velocity);
    }
}

/* block += V diag(factor) V^T M, for one mode */
static void add_mode(const carom_linear_oscillator *o, int j, double factor, double *block)
{
    const int n = o->size;
    for (int i = 0; i < n; i++)
        carom_axpy(n, factor * o->mode[(ptrdiff_t)i * n + j], o->inverse + (ptrdiff_t)j * n,
                   block + (ptrdiff_t)i * n);
}

/* A symmetric circulant block from its first row: entry (i, j) depends on |i - j| only. */
static void spread_row(int n, double *block)
{
    for (int i = 1; i < n; i++)
        for (int j = 0; j < n; j++)
            block[(ptrdiff_t)i * n + j] = block[j >= i ? j - i : i - j];
}

void carom_linear_flow_blocks(const carom_linear_oscillator *o, double t, double *C, double *S, double *D)
{
    const int n = o->size;
    if (o->ring) {
        ring_flow_rows(o, t, C, S, D);
        spread_row(n, C);
        spread_row(n, S);
        spread_row(n, D);
        return;
    }
    const size_t bytes = (size_t)n * (size_t)n * sizeof(double);
    memset(C, 0, bytes);
    memset(S, 0, bytes);
    memset(D, 0, bytes);
    for (int j = 0; j < n; j++) {
        const double omega = o->frequency[j];
        add_mode(o, j, cos(omega * t), C);
        add_mode(o, j, sin(omega * t) / omega, S);
        add_mode(o, j, -sin(omega * t) * omega, D);
    }
}

carom_status carom_linear_flow_matrix(const carom_linear_oscillator *o, double t, double *matrix,
                                      carom_error *error)
{
    const size_t n = (size_t)o->size, entries = n * n;
    double *blocks = carom_new_array(3 * entries, sizeof *blocks);
    if (!blocks)
        return carom_fail_memory(error);
    double *C = blocks, *S = blocks + entries, *D = blocks + 2 * entries;
    carom_linear_flow_blocks(o, t, C, S, D);
    for (size_t i = 0; i < n; i++) {
        memcpy(matrix + 2 * n * i, C + n * i, n * sizeof *matrix);
        memcpy(matrix + 2 * n * i + n, S + n * i, n * sizeof *matrix);
        memcpy(matrix + 2 * n * (n + i), D + n * i, n * sizeof *matrix);
        memcpy(matrix + 2 * n * (n + i) + n, C + n * i, n * sizeof *matrix);
    }
    free(blocks);
    return CAROM_OK;
}

double carom_linear_energy(const carom_linear_oscillator *o, const double *y, const double *v)
{
    const int n = o->size;
    double energy = 0.0;
    for (int i = 0; i < n; i++) {
        const double momentum = o->mass ? carom_dot(n, o->mass + (ptrdiff_t)i * n, v) : v[i];
        energy += 0.5 * v[i] * momentum + 0.5 * y[i] * carom_dot(n, o->stiffness + (ptrdiff_t)i * n, y);
    }
    return energy;
}

double carom_linear_gap_acceleration(const carom_linear_oscillator *o, int contact, const double *y)
{
    const int n = o->size;
    const double *push = o->push + (ptrdiff_t)contact * n; /* w . M^-1 K y = (M^-1 w) . K y */
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        if (push[i] != 0.0)
            sum -= push[i] * carom_dot(n, o->stiffness + (ptrdiff_t)i * n, y);
    return sum;
}
