#include "anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

/* Residuals may grow by this factor from one step to the next before the memory is given up. */
static const double growth_most = 2.0;
/* Added to the diagonal of the Gram matrix, relative to it: changes are nearly dependent. */
static const double regularisation = 1e-13;

bool coulomb_anderson_create(coulomb_anderson *self, int size, int depth)
{
    *self = (coulomb_anderson){.size = size, .depth = depth};
    const size_t last = 2 * (size_t)size;
    self->memory = malloc(carom_product(last + last * (size_t)depth + 1, sizeof(double)));
    if (self->memory) /* changes are written before they are read */
        memset(self->memory, 0, last * sizeof(double));
    coulomb_anderson_begin(self, size);
    return self->memory;
}

void coulomb_anderson_free(coulomb_anderson *self)
{
    free(self->memory);
    self->memory = NULL;
}

void coulomb_anderson_begin(coulomb_anderson *self, int size)
{
    self->size = size;
    self->steps = 0;
    if (!self->memory)
        return;
    self->last_f = self->memory;
    self->last_g = self->last_f + size;
    self->f_change = self->last_g + size;
    self->g_change = self->f_change + (ptrdiff_t)size * self->depth;
}

/* Two numbers side by side, as processors multiply them. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline pair pair_at(const double *x)
{
    return (pair){x[0], x[1]};
}

/* a.b and a.c in one go, each in four sums that need not wait for each other. */
static void two_dots(int n, const double *restrict a, const double *restrict b, const double *restrict c,
                     double *ab, double *ac)
{
    pair p = {0.0, 0.0}, q = p, s = p, t = p;
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        const pair first = pair_at(a + i), second = pair_at(a + i + 2);
        p += first * pair_at(b + i);
        q += second * pair_at(b + i + 2);
        s += first * pair_at(c + i);
        t += second * pair_at(c + i + 2);
    }
    *ab = (p[0] + p[1]) + (q[0] + q[1]);
    *ac = (s[0] + s[1]) + (t[0] + t[1]);
    for (; i < n; i++) {
        *ab += a[i] * b[i];
        *ac += a[i] * c[i];
    }
}

/* g -= the sum of weight[k] times row k, so that g is read and written once only. */
static void subtract_rows(int n, int count, const double *restrict row, const double *weight,
                          double *restrict g)
{
    for (int i = 0; i + 2 <= n; i += 2) {
        pair sum = {0.0, 0.0};
        for (int k = 0; k < count; k++)
            sum += weight[k] * pair_at(row + (ptrdiff_t)k * n + i);
        g[i] -= sum[0];
        g[i + 1] -= sum[1];
    }
    for (int k = 0; n % 2 != 0 && k < count; k++)
        g[n - 1] -= weight[k] * row[(ptrdiff_t)k * n + n - 1];
}

/* f = g - x and its square; the changes of f and g since the last step, when there was one. */
static double remember(coulomb_anderson *self, int place, const double *x, const double *g)
{
    const int n = self->size;
    double *df = self->f_change + (ptrdiff_t)place * n, *dg = self->g_change + (ptrdiff_t)place * n;
    double *last_f = self->last_f, *last_g = self->last_g, residual = 0.0;
    for (int i = 0; i < n; i++) {
        const double f = g[i] - x[i];
        df[i] = f - last_f[i];
        dg[i] = g[i] - last_g[i];
        last_f[i] = f;
        last_g[i] = g[i];
        residual += f * f;
    }
    return residual;
}

/* Cholesky's factor of the Gram matrix, row by row, and the weights; false when they are of no use. */
static bool find_weights(const coulomb_anderson *self, int count, double *weight)
{
    double L[COULOMB_ANDERSON_MOST][COULOMB_ANDERSON_MOST], largest = 0.0;
    if (count < 1 || count > COULOMB_ANDERSON_MOST)
        return false;
    for (int k = 0; k < count; k++)
        largest = fmax(largest, self->gram[k][k]);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++)
            L[i][j] = (self->gram[i][j] - carom_dot(j, L[i], L[j])) / L[j][j];
        const double pivot = self->gram[i][i] + regularisation * largest - carom_dot(i, L[i], L[i]);
        if (!(pivot > 0.0))
            return false;
        L[i][i] = sqrt(pivot);
        weight[i] = (self->right[i] - carom_dot(i, L[i], weight)) / L[i][i];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int j = i + 1; j < count; j++)
            weight[i] -= L[j][i] * weight[j];
        weight[i] /= L[i][i];
    }
    return carom_all_finite(count, weight);
}

/* Products with the newest change, of all processes. */
static void find_products(coulomb_anderson *self, int place, int count)
{
    const int n = self->size;
    const double *newest = self->f_change + (ptrdiff_t)place * n;
    double number[2 * COULOMB_ANDERSON_MOST];
    for (int k = 0; k < count; k++)
        two_dots(n, self->f_change + (ptrdiff_t)k * n, newest, self->last_f, &number[k], &number[count + k]);
    if (self->sum)
        self->sum(self->context, 2 * count, number);
    for (int k = 0; k < count; k++) {
        self->gram[place][k] = self->gram[k][place] = number[k];
        self->right[k] = number[count + k];
    }
}

void coulomb_anderson_step(coulomb_anderson *self, const double *x, double *g)
{
    const int n = self->size, place = (self->steps + self->depth - 1) % self->depth;
    double residual = remember(self, place, x, g);
    if (self->sum)
        self->sum(self->context, 1, &residual);
    const bool grows = !(residual <= growth_most * growth_most * self->residual);
    self->residual = residual;
    if (self->steps == 0 || grows) {
        self->steps = 1;
        return;
    }
    const int count = self->steps < self->depth ? self->steps : self->depth;
    double weight[COULOMB_ANDERSON_MOST];
    find_products(self, place, count);
    if (find_weights(self, count, weight))
        subtract_rows(n, count, self->g_change, weight, g);
    self->steps++;
}
