/* Equilibria of the averaged motion: roots of f0(N2) = f0, polished at finite eps, and their stability. */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/subject/energy_sink.h"

enum {
    N = CAROM_AVERAGED,
    NEWTON_MAX = 30
};
static const double least_n2 = 1e-6;
static const double difference = 1e-6;

carom_equilibria_options carom_equilibria_defaults(void)
{
    return (carom_equilibria_options){.n2_max = 8.0, .points = 80001};
}

static double excess(const carom_energy_sink *sink, double n2)
{
    return carom_manifold_forcing(sink, n2, NULL) - sink->f0;
}

/* A root between a and b, where the excess has different signs. */
static double bisect(const carom_energy_sink *sink, double a, double b)
{
    const bool rising = excess(sink, a) < 0.0;
    while (b - a > 1e-15 * (1.0 + b)) {
        const double middle = 0.5 * (a + b);
        if (middle <= a || middle >= b)
            break;
        if ((excess(sink, middle) < 0.0) == rising)
            a = middle;
        else
            b = middle;
    }
    return 0.5 * (a + b);
}

/* Central differences of the averaged rate. */
static void jacobian(const carom_energy_sink *sink, const double *phi, double *matrix)
{
    double moved[N], plus[N], minus[N];
    for (int j = 0; j < N; j++) {
        memcpy(moved, phi, sizeof moved);
        moved[j] = phi[j] + difference;
        carom_averaged_rate(sink, moved, plus);
        moved[j] = phi[j] - difference;
        carom_averaged_rate(sink, moved, minus);
        for (int i = 0; i < N; i++)
            matrix[i * N + j] = (plus[i] - minus[i]) / (2.0 * difference);
    }
}

static bool polish(const carom_energy_sink *sink, double *phi)
{
    double matrix[N * N], step[N], change = INFINITY;
    int pivot[N];
    for (int iteration = 0; iteration < NEWTON_MAX && change > 1e-12; iteration++) {
        carom_averaged_rate(sink, phi, step);
        jacobian(sink, phi, matrix);
        if (!carom_all_finite(N * N, matrix) || carom_lu_factor(N, matrix, pivot) != 0)
            return false;
        carom_lu_solve(N, matrix, pivot, step);
        change = carom_largest(N, step);
        for (int i = 0; i < N; i++)
            phi[i] -= step[i];
    }
    return change <= 1e-9;
}

static carom_status describe(const carom_energy_sink *sink, double n2, carom_sink_equilibrium *found,
                             carom_error *error)
{
    double angle, matrix[N * N], real[N], imaginary[N];
    carom_manifold_forcing(sink, n2, &angle);
    const double other = angle - carom_manifold_phase(sink, n2), n1 = carom_manifold_amplitude(sink, n2);
    *found = (carom_sink_equilibrium){
        .n1 = n1, .n2 = n2, .phi = {n1 * cos(angle), n1 * sin(angle), n2 * cos(other), n2 * sin(other)}};
    if (!polish(sink, found->phi))
        return carom_fail(error, CAROM_FAILED,
                          "no equilibrium at eps = %g near the one of leading order at N2 = %.10g", sink->eps,
                          n2);
    found->finite_n1 = hypot(found->phi[0], found->phi[1]);
    found->finite_n2 = hypot(found->phi[2], found->phi[3]);
    jacobian(sink, found->phi, matrix);
    if (carom_eigenvalues(N, matrix, real, imaginary) != 0)
        return carom_fail(error, CAROM_FAILED, "the eigenvalues at N2 = %.10g were not found", n2);
    found->growth = fmax(fmax(real[0], real[1]), fmax(real[2], real[3]));
    found->stable = found->growth < 0.0;
    return CAROM_OK;
}

carom_status carom_sink_equilibria(const carom_energy_sink *sink, const carom_equilibria_options *given,
                                   int most, carom_sink_equilibrium *equilibrium, int *found,
                                   carom_error *error)
{
    *found = 0;
    const carom_equilibria_options defaults = carom_equilibria_defaults();
    const double n2_max = carom_given(given ? given->n2_max : 0.0, defaults.n2_max);
    const int points = given && given->points ? given->points : defaults.points;
    carom_status status = carom_energy_sink_check(sink, error);
    if (status != CAROM_OK)
        return status;
    if (points < 2 || !(n2_max > least_n2))
        return carom_fail(error, CAROM_BAD_INPUT, "roots are looked for on 2 points or more up to N2 > 0");
    const double width = (n2_max - least_n2) / (points - 1);
    double before = excess(sink, least_n2);
    for (int i = 1; i < points; i++) {
        const double n2 = least_n2 + width * i, now = excess(sink, n2);
        if ((before < 0.0) != (now < 0.0)) {
            if (*found < most) {
                status = describe(sink, bisect(sink, n2 - width, n2), &equilibrium[*found], error);
                if (status != CAROM_OK)
                    return status;
            }
            ++*found;
        }
        before = now;
    }
    return CAROM_OK;
}
