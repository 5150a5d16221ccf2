/* The central controller of an H-infinity problem with D11 (Glover and Doyle 1988; Zhou, Doyle and Glover
 * 1996):
 *
 *   R  = D1^T D1 - diag(g^2 I, 0),  D1 = [D11 D12]        Rt = Dc Dc^T - diag(g^2 I, 0),  Dc = [D11; D21]
 *   Hx = [A 0; -C1^T C1 -A^T] - [B; -C1^T D1] R^-1 [D1^T C1, B^T]        X of its stable subspace
 *   Hy = [A^T 0; -B1 B1^T -A] - [C^T; -B1 Dc^T] Rt^-1 [Dc B1^T, C]       Y likewise
 *
 * Feasible: |D11| < g, no eigenvalues on the axis, X >= 0, Y >= 0, rho(X Y) < g^2. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/linalg.h"
#include "hinf.h"

/* c (rows x columns) += s a b; a: rows x inner */
static void add_product(int rows, int inner, int columns, double s, const double *a, const double *b,
                        double *c)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < inner; k++)
            carom_axpy(columns, s * a[i * inner + k], b + k * columns, c + i * columns);
}

static void transpose(int rows, int columns, const double *a, double *transposed)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            transposed[j * rows + i] = a[i * columns + j];
}

/* a (m x columns) := R^-1 a; R is overwritten. 0, or the row of a zero pivot. */
static int solve_left(int m, int columns, double *R, double *a)
{
    int pivot[OUTPUTS];
    double x[OUTPUTS];
    const int row = carom_lu_factor(m, R, pivot);
    for (int j = 0; j < columns && row == 0; j++) {
        for (int i = 0; i < m; i++)
            x[i] = a[i * columns + j];
        carom_lu_solve(m, R, pivot, x);
        for (int i = 0; i < m; i++)
            a[i * columns + j] = x[i];
    }
    return row;
}

/* One half of the problem. For X: a = A, b = B (n x m), c = C1 (k x n), d = D1 (k x m), g^2 on the first 4 of
 * m. For Y the transposed ones. H = [a 0; -c^T c, -a^T] - [b; -c^T d] R^-1 [d^T c, b^T]; S = R^-1 [d^T c, b^T].
 */
typedef struct half {
    int n, m, k;
    double *a, *b, *c, *d;
    double *solution, *gain; /* X (n x n), and -R^-1 (d^T c + b^T X), m x n */
} half;

typedef struct half_work {
    double *H, *S, *L;
} half_work;

static int solve_half(const half *p, double g, half_work *w, double *axis)
{
    const int n = p->n, m = p->m, k = p->k, twice = 2 * n;
    double R[OUTPUTS * OUTPUTS] = {0};
    memset(w->H, 0, (size_t)(twice * twice) * sizeof(double));
    memset(w->S, 0, (size_t)(m * twice) * sizeof(double));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            for (int q = 0; q < k; q++)
                R[i * m + j] += p->d[q * m + i] * p->d[q * m + j];
            R[i * m + j] -= i == j && i < DISTURBANCES ? g * g : 0.0;
        }
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int q = 0; q < k; q++)
                sum += p->d[q * m + i] * p->c[q * n + j];
            w->S[i * twice + j] = sum;
            w->S[i * twice + n + j] = p->b[j * m + i];
            w->L[j * m + i] = p->b[j * m + i];
            w->L[(n + j) * m + i] = -sum;
        }
    if (solve_left(m, twice, R, w->S) != 0)
        return CAROM_RICCATI_SINGULAR;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double square = 0.0;
            for (int q = 0; q < k; q++)
                square += p->c[q * n + i] * p->c[q * n + j];
            w->H[i * twice + j] = p->a[i * n + j];
            w->H[(n + i) * twice + j] = -square;
            w->H[(n + i) * twice + n + j] = -p->a[j * n + i];
        }
    add_product(twice, m, twice, -1.0, w->L, w->S, w->H);
    const int info = carom_riccati_hamiltonian(n, w->H, p->solution, axis);
    for (int i = 0; i < m && info == 0; i++)
        for (int j = 0; j < n; j++) {
            double sum = w->S[i * twice + j];
            for (int q = 0; q < n; q++)
                sum += w->S[i * twice + n + q] * p->solution[q * n + j];
            p->gain[i * n + j] = -sum;
        }
    return info;
}

static bool is_positive(int n, const double *X, double *scratch)
{
    double *value = scratch + n * n;
    memcpy(scratch, X, (size_t)(n * n) * sizeof(double));
    if (carom_symmetric_eigenvalues(n, scratch, value) != 0)
        return false;
    return value[0] >= -1e-8 * fmax(1.0, value[n - 1]);
}

static double coupling_radius(int n, const double *X, const double *Y, double *scratch)
{
    double *real = scratch + n * n, *imaginary = real + n, most = 0.0;
    memset(scratch, 0, (size_t)(n * n) * sizeof(double));
    add_product(n, n, n, 1.0, X, Y, scratch);
    if (carom_eigenvalues(n, scratch, real, imaginary) != 0)
        return INFINITY;
    for (int i = 0; i < n; i++)
        most = fmax(most, hypot(real[i], imaginary[i]));
    return most;
}

/* ---- both halves ------------------------------------------------------------------------------------ */

typedef struct both {
    half x, y;
    half_work work;
    double *scratch;
    double D1[ERRORS * INPUTS], Dc_transposed[DISTURBANCES * OUTPUTS];
} both;

static bool take_both(const generalised *p, carom_arena *arena, both *t)
{
    const size_t n = (size_t)p->states;
    double **array[] = {&t->x.a,    &t->y.a,    &t->x.b,    &t->y.b,        &t->x.c,
                        &t->y.c,    &t->x.gain, &t->y.gain, &t->x.solution, &t->y.solution,
                        &t->work.H, &t->work.S, &t->work.L, &t->scratch};
    const size_t count[] = {
        n * n,       n * n, n * INPUTS, n * OUTPUTS, n * ERRORS,      n * DISTURBANCES, n * INPUTS,
        n * OUTPUTS, n * n, n * n,      4 * n * n,   2 * n * OUTPUTS, 2 * n * OUTPUTS,  2 * n * n + 4 * n};
    for (size_t i = 0; i < sizeof count / sizeof *count; i++)
        if (!(*array[i] = carom_arena_take(arena, count[i], sizeof(double))))
            return false;
    return true;
}

static void fill_both(const generalised *p, both *t)
{
    const int n = p->states;
    for (int i = 0; i < ERRORS; i++)
        for (int j = 0; j < DISTURBANCES; j++)
            t->D1[i * INPUTS + j] = t->Dc_transposed[j * OUTPUTS + i] = p->D11[i * DISTURBANCES + j];
    t->D1[3 * INPUTS + 4] = 1.0;
    t->Dc_transposed[2 * OUTPUTS + 4] = t->Dc_transposed[3 * OUTPUTS + 5] = 1.0;
    memcpy(t->x.a, p->A, (size_t)(n * n) * sizeof(double));
    memcpy(t->x.b, p->B, (size_t)(n * INPUTS) * sizeof(double));
    memcpy(t->x.c, p->C, (size_t)(n * ERRORS) * sizeof(double));
    transpose(n, n, p->A, t->y.a);
    transpose(OUTPUTS, n, p->C, t->y.b);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < DISTURBANCES; j++)
            t->y.c[j * n + i] = p->B[i * INPUTS + j];
    t->x.n = t->y.n = n;
    t->x.m = INPUTS;
    t->y.m = OUTPUTS;
    t->x.k = ERRORS;
    t->y.k = DISTURBANCES;
    t->x.d = t->D1;
    t->y.d = t->Dc_transposed;
}

static const char *obstacle(const generalised *p, both *t, double g)
{
    double axis = 0.0, direct = 0.0;
    for (int i = 0; i < ERRORS * DISTURBANCES; i++) /* at most one entry per row and column */
        direct = fmax(direct, fabs(p->D11[i]));
    if (direct >= g)
        return "|D11| is not below the level";
    if (solve_half(&t->x, g, &t->work, &axis) != 0 || axis <= 1e-9)
        return "Hx has eigenvalues on the imaginary axis";
    if (!is_positive(p->states, t->x.solution, t->scratch))
        return "X is not positive";
    if (solve_half(&t->y, g, &t->work, &axis) != 0 || axis <= 1e-9)
        return "Hy has eigenvalues on the imaginary axis";
    if (!is_positive(p->states, t->y.solution, t->scratch))
        return "Y is not positive";
    if (!(coupling_radius(p->states, t->x.solution, t->y.solution, t->scratch) < g * g))
        return "rho(X Y) is not below the square of the level";
    return NULL;
}

/* With F = gain of x, L = (gain of y)^T, Z = (I - Y X / g^2)^-1:
 * A_k = A + B F + Z L2 (C2 + F12),  B_k = -Z L2,  C_k = F2. */
static bool build(const generalised *p, both *t, double g, central *k, int *pivot)
{
    const int n = p->states;
    double *Z = t->scratch;
    memset(Z, 0, (size_t)(n * n) * sizeof(double));
    add_product(n, n, n, -1.0 / (g * g), t->y.solution, t->x.solution, Z);
    for (int i = 0; i < n; i++)
        Z[i * n + i] += 1.0;
    if (carom_lu_factor(n, Z, pivot) != 0)
        return false;
    memcpy(k->A, p->A, (size_t)(n * n) * sizeof(double));
    add_product(n, INPUTS, n, 1.0, p->B, t->x.gain, k->A);
    for (int r = 0; r < READINGS; r++) {
        double *column = t->scratch + n * n;
        memcpy(column, t->y.gain + (ERRORS + r) * n, (size_t)n * sizeof(double));
        carom_lu_solve(n, Z, pivot, column);
        for (int i = 0; i < n; i++) {
            k->B[2 * i + r] = -column[i];
            for (int j = 0; j < n; j++)
                k->A[i * n + j] += column[i] * (p->C[(ERRORS + r) * n + j] + t->x.gain[(2 + r) * n + j]);
        }
    }
    memcpy(k->C, t->x.gain + 4 * n, (size_t)n * sizeof(double));
    return true;
}

carom_status drill_central_solve(const generalised *plant, double g, carom_arena *arena, bool wanted,
                                 central *controller, carom_drill_hinf *result, carom_error *error)
{
    const size_t n = (size_t)plant->states;
    both t = {0};
    int *pivot = carom_arena_take(arena, n, sizeof *pivot);
    if (!pivot || !take_both(plant, arena, &t))
        return carom_fail_memory(error);
    fill_both(plant, &t);
    const char *why = obstacle(plant, &t, g);
    result->feasible = why == NULL;
    if (why)
        carom_format(result->why, sizeof result->why, "no controller at level %.6g: %s", g, why);
    if (why || !wanted)
        return CAROM_OK;
    controller->A = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    controller->B = carom_arena_take(arena, n * READINGS, sizeof(double));
    controller->C = carom_arena_take(arena, n, sizeof(double));
    if (!controller->A || !controller->B || !controller->C)
        return carom_fail_memory(error);
    if (!build(plant, &t, g, controller, pivot))
        return carom_fail(error, CAROM_FAILED, "H-infinity: I - Y X / g^2 is singular at level %g", g);
    return CAROM_OK;
}

/* ---- check ------------------------------------------------------------------------------------------ */

/* Largest singular value of a complex 4 x 4 matrix: the largest eigenvalue of T^H T, as a real symmetric 8
 * x 8. */
static double largest_singular(const double complex *T)
{
    enum {
        N = 4
    };
    double real[4 * N * N], value[2 * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double complex sum = 0.0;
            for (int k = 0; k < N; k++)
                sum += conj(T[k * N + i]) * T[k * N + j];
            real[i * 2 * N + j] = real[(N + i) * 2 * N + N + j] = creal(sum);
            real[(N + i) * 2 * N + j] = cimag(sum);
            real[i * 2 * N + N + j] = -cimag(sum);
        }
    return carom_symmetric_eigenvalues(2 * N, real, value) == 0 ? sqrt(fmax(value[2 * N - 1], 0.0))
                                                                : INFINITY;
}

typedef struct tight_loop {
    int size;
    double *A, *B, *C, *scratch, *response; /* B: transposed, 4 x size; C: 4 x size */
} tight_loop;

/* x' = A x + B1 w + B2 Ck xk,  xk' = Ak xk + Bk (C2 x + D21 w),  z = C1 x + D11 w + D12 Ck xk */
static void close_loop(const generalised *p, const central *k, tight_loop *l)
{
    const int n = p->states, size = l->size;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            l->A[i * size + j] = p->A[i * n + j];
            l->A[i * size + n + j] = p->B[i * INPUTS + 4] * k->C[j];
            l->A[(n + i) * size + j] = k->B[2 * i] * p->C[4 * n + j] + k->B[2 * i + 1] * p->C[5 * n + j];
            l->A[(n + i) * size + n + j] = k->A[i * n + j];
        }
        for (int w = 0; w < DISTURBANCES; w++) {
            l->B[w * size + i] = p->B[i * INPUTS + w];
            l->B[w * size + n + i] = w >= 2 ? k->B[2 * i + w - 2] : 0.0;
        }
        for (int z = 0; z < ERRORS; z++) {
            l->C[z * size + i] = p->C[z * n + i];
            l->C[z * size + n + i] = z == 3 ? k->C[i] : 0.0;
        }
    }
}

static double norm_at(const generalised *p, tight_loop *l, double hertz)
{
    double complex T[ERRORS * DISTURBANCES];
    const double complex *x = (const double complex *)(const void *)l->response;
    for (int w = 0; w < DISTURBANCES; w++) {
        double real, imaginary;
        carom_drill_response(l->size, l->A, l->B + w * l->size, 1, l->C, 0.0, hertz, l->response, &real,
                             &imaginary);
        for (int z = 0; z < ERRORS; z++) {
            double complex sum = p->D11[z * DISTURBANCES + w];
            for (int i = 0; i < l->size; i++)
                sum += l->C[z * l->size + i] * x[i * (l->size + 1) + l->size];
            T[z * DISTURBANCES + w] = sum;
        }
    }
    return largest_singular(T);
}

static double largest_real(int n, const double *A, double *scratch, bool *failed)
{
    double *real = scratch + n * n, *imaginary = real + n, most = -INFINITY;
    memcpy(scratch, A, (size_t)(n * n) * sizeof(double));
    *failed = carom_eigenvalues(n, scratch, real, imaginary) != 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, real[i]);
    return most;
}

carom_status drill_central_check(const generalised *plant, const central *controller, carom_arena *arena,
                                 carom_drill_hinf *result, carom_error *error)
{
    enum {
        GRID = 60 /* from 0.01 to 10 Hz; and at the poles */
    };
    const size_t n = 2 * (size_t)plant->states;
    tight_loop l = {.size = (int)n};
    l.A = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    l.B = carom_arena_take(arena, n * DISTURBANCES, sizeof(double));
    l.C = carom_arena_take(arena, n * ERRORS, sizeof(double));
    l.scratch = carom_arena_take(arena, n * n + 2 * n, sizeof(double));
    l.response = carom_arena_take(arena, 2 * n * (n + 1), sizeof(double));
    if (!l.A || !l.B || !l.C || !l.scratch || !l.response)
        return carom_fail_memory(error);
    close_loop(plant, controller, &l);
    bool failed = false, lost = false;
    result->fastest = largest_real(plant->states, controller->A, l.scratch, &failed);
    const double slowest = largest_real(l.size, l.A, l.scratch, &lost);
    if (failed || lost || !(slowest < 0.0))
        return carom_fail(
            error, CAROM_FAILED,
            "H-infinity: the closed loop is not stable (largest real part %g); the level is too close "
            "to its limit",
            slowest);
    result->norm = 0.0;
    const double *imaginary = l.scratch + n * n + n;
    for (int i = 0; i < GRID + l.size; i++) {
        const double hertz =
            i < GRID ? 0.01 * pow(1000.0, i / (GRID - 1.0)) : imaginary[i - GRID] / (2 * CAROM_PI);
        if (hertz > 0.0)
            result->norm = fmax(result->norm, norm_at(plant, &l, hertz));
    }
    return CAROM_OK;
}
