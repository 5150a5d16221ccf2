/* exp([[A, B], [0, 0]] h) = [[A_d, B_d], [0, I]] by scaling, a Taylor sum and squaring. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "held_controller.h"

static void multiply(int n, const double *a, const double *b, double *c)
{
    memset(c, 0, (size_t)(n * n) * sizeof *c);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static double row_norm(int n, const double *a)
{
    double most = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += fabs(a[i * n + j]);
        most = fmax(most, sum);
    }
    return most;
}

/* a is scaled to norm 1/2 at most: 16 terms leave less than rounding. Needs 2 n n numbers of work. */
static void exponential(int n, double *a, double *result, double *work)
{
    int halvings = 0;
    for (double norm = row_norm(n, a); norm > 0.5 && halvings < 60; norm *= 0.5)
        halvings++;
    for (int i = 0; i < n * n; i++)
        a[i] = ldexp(a[i], -halvings);
    double *term = work, *next = work + n * n;
    memset(result, 0, (size_t)(n * n) * sizeof *result);
    memset(term, 0, (size_t)(n * n) * sizeof *term);
    for (int i = 0; i < n; i++)
        result[i * n + i] = term[i * n + i] = 1.0;
    for (int k = 1; k <= 16; k++) {
        multiply(n, term, a, next);
        for (int i = 0; i < n * n; i++) {
            term[i] = next[i] / k;
            result[i] += term[i];
        }
    }
    for (int s = 0; s < halvings; s++) {
        multiply(n, result, result, next);
        memcpy(result, next, (size_t)(n * n) * sizeof *result);
    }
}

carom_status drill_discretise(const carom_drill_controller *controller, double h, double *A_d, double *B_d,
                              carom_error *error)
{
    const int m = controller->states, n = m + 2;
    double *a = carom_new_array(4 * (size_t)n * (size_t)n, sizeof *a);
    if (!a)
        return carom_fail_memory(error);
    double *result = a + n * n;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            a[i * n + j] = h * controller->A[i * m + j];
        for (int j = 0; j < 2; j++)
            a[i * n + m + j] = h * controller->B[2 * i + j];
    }
    exponential(n, a, result, result + n * n);
    for (int i = 0; i < m; i++) {
        memcpy(A_d + i * m, result + i * n, (size_t)m * sizeof *A_d);
        memcpy(B_d + 2 * i, result + i * n + m, 2 * sizeof *B_d);
    }
    free(a);
    return CAROM_OK;
}
