/* The averaged motion of the energy sink at finite eps, and its integration.
 *
 *   psi    = phi_1 + k phi_2,   k = eps/(1 + eps)
 *   S      = a0 psi/2 + alpha0 (2/pi) psi/|psi| + beta |psi|^2 psi/(8 i w^3) - f0/(2 i)
 *   phi_1' = -(w1^2/(1+eps) - w^2)/(2 i w) phi_1 - eps w1^2/((1+eps)^2 2 i w) phi_2 - k S
 *   phi_2' = w/(2 i) phi_2 - w1^2/(2 i w) psi - (1+eps)(lam/2 - 3 i gamma/(8 w^3) |phi_2|^2) phi_2 - eps S */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/subject/energy_sink.h"

static const double two_over_pi = 2.0 / CAROM_PI;
static const double at_rest = 1e-12; /* |psi| below which the oscillator sticks */

void carom_averaged_start(const carom_energy_sink *sink, double x, double x_dot, double y, double y_dot,
                          double phi[CAROM_AVERAGED])
{
    const double w = carom_energy_sink_frequency(sink), eps = sink->eps;
    phi[0] = (x_dot + eps * y_dot) / (1.0 + eps);
    phi[1] = w * (x + eps * y) / (1.0 + eps);
    phi[2] = x_dot - y_dot;
    phi[3] = w * (x - y);
}

/* (2/pi) psi/|psi|; at rest the value in the disk of radius 2/pi that balances the rest of psi' as far as it
 * can. `unbalanced` is that rest divided by alpha0 times the factor of friction. */
static double complex friction(double complex psi, double complex unbalanced)
{
    if (cabs(psi) >= at_rest)
        return two_over_pi * psi / cabs(psi);
    const double size = cabs(unbalanced);
    return size <= two_over_pi ? unbalanced : two_over_pi * unbalanced / size;
}

void carom_averaged_rate(const carom_energy_sink *sink, const double phi[CAROM_AVERAGED],
                         double rate[CAROM_AVERAGED])
{
    const double eps = sink->eps, w = carom_energy_sink_frequency(sink), w1 = sink->w1;
    const double k = eps / (1.0 + eps), square = w1 * w1;
    const double complex one = phi[0] + I * phi[1], two = phi[2] + I * phi[3], psi = one + k * two;
    const double complex smooth = 0.5 * sink->a0 * psi -
                                  I * sink->beta * cabs(psi) * cabs(psi) * psi / (8.0 * w * w * w) +
                                  0.5 * I * sink->f0;
    const double complex linear = 0.5 * I / w * (square / (1.0 + eps) - w * w) * one +
                                  0.5 * I / w * eps * square / ((1.0 + eps) * (1.0 + eps)) * two;
    const double complex rest = linear - k * smooth;
    const double complex s =
        smooth + (sink->alpha0 > 0.0 ? sink->alpha0 * friction(psi, rest / (k * sink->alpha0)) : 0.0);
    const double complex one_rate = linear - k * s;
    const double complex two_rate =
        -0.5 * I * w * two + 0.5 * I * square / w * psi -
        (1.0 + eps) * (0.5 * sink->lam - 0.375 * I * sink->gamma / (w * w * w) * cabs(two) * cabs(two)) *
            two -
        eps * s;
    rate[0] = creal(one_rate);
    rate[1] = cimag(one_rate);
    rate[2] = creal(two_rate);
    rate[3] = cimag(two_rate);
}

double carom_averaged_algebraic(const carom_energy_sink *sink, const double phi[CAROM_AVERAGED])
{
    const double k = sink->eps / (1.0 + sink->eps), w = carom_energy_sink_frequency(sink);
    const double size = hypot(phi[0] + k * phi[2], phi[1] + k * phi[3]);
    return size * size * size / (4.0 * w * w);
}

/* ---- Dormand and Prince 5(4) -------------------------------------------------------------------------- */

enum {
    STAGES = CAROM_DORMAND_PRINCE
};

carom_averaged_options carom_averaged_defaults(void)
{
    return (carom_averaged_options){.rtol = 1e-9, .atol = 1e-10, .step = 0.0, .most_steps = 1000000};
}

static carom_averaged_options fill_options(const carom_averaged_options *given)
{
    const carom_averaged_options defaults = carom_averaged_defaults();
    carom_averaged_options options = given ? *given : defaults;
    options.rtol = carom_given(options.rtol, defaults.rtol);
    options.atol = carom_given(options.atol, defaults.atol);
    if (options.most_steps == 0)
        options.most_steps = defaults.most_steps;
    return options;
}

/* One step; returns the error in units of the tolerance. */
static double try_step(const carom_energy_sink *sink, double h, const carom_averaged_options *options,
                       const double *phi, double *next)
{
    double rate[STAGES][CAROM_AVERAGED];
    for (int s = 0; s < STAGES; s++) {
        for (int i = 0; i < CAROM_AVERAGED; i++) {
            next[i] = phi[i];
            for (int j = 0; j < s; j++)
                next[i] += h * carom_dormand_prince_stage[s][j] * rate[j][i];
        }
        carom_averaged_rate(sink, next, rate[s]);
    }
    double sum = 0.0;
    for (int i = 0; i < CAROM_AVERAGED; i++) {
        double error = 0.0;
        for (int s = 0; s < STAGES; s++)
            error += h * carom_dormand_prince_error[s] * rate[s][i];
        error /= options->atol + options->rtol * fmax(fabs(phi[i]), fabs(next[i]));
        sum += error * error;
    }
    return sqrt(sum / CAROM_AVERAGED);
}

carom_status carom_averaged_flow(const carom_energy_sink *sink, double duration,
                                 carom_averaged_options *given, double phi[CAROM_AVERAGED],
                                 carom_error *error)
{
    const carom_averaged_options options = fill_options(given);
    double done = 0.0, h = options.step > 0.0 ? options.step : 1e-3, next[CAROM_AVERAGED];
    for (long steps = 0; done < duration; steps++) {
        const bool last = done + h >= duration;
        const double used = last ? duration - done : h;
        const double ratio = try_step(sink, used, &options, phi, next);
        if (steps >= options.most_steps || used < 1e-13 * duration || isnan(ratio))
            return carom_fail(
                error, CAROM_FAILED,
                "the averaged motion stopped after %ld steps, at %.10g of %.10g: the step is %g", steps, done,
                duration, used);
        const double factor = fmin(5.0, fmax(0.2, 0.9 * pow(fmax(ratio, 1e-10), -0.2)));
        if (ratio <= 1.0) {
            memcpy(phi, next, sizeof next);
            done = last ? duration : done + used;
        }
        if (ratio > 1.0 || !last)
            h = used * factor;
    }
    if (given)
        given->step = h;
    return CAROM_OK;
}
