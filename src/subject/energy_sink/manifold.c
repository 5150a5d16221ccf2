/* The slow invariant manifold of the energy sink in closed form. With kap = 3 gamma/(4 w1^4), mu = lam/w1:
 *
 *   phi_1 = phi_2 (1 - i mu - kap |phi_2|^2)                                    (41) */
#include <math.h>

#include "carom/subject/energy_sink.h"

carom_energy_sink carom_energy_sink_defaults(void)
{
    return (carom_energy_sink){.eps = 1e-3,
                               .w1 = 1.0,
                               .a0 = 0.1,
                               .alpha0 = 0.1,
                               .beta = 0.1,
                               .sigma = 0.1,
                               .lam = 0.1,
                               .gamma = 0.1,
                               .f0 = 4.019};
}

carom_status carom_energy_sink_check(const carom_energy_sink *sink, carom_error *error)
{
    const double all[] = {sink->eps,   sink->w1,  sink->a0,    sink->alpha0, sink->beta,
                          sink->sigma, sink->lam, sink->gamma, sink->f0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!isfinite(all[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "the values of an energy sink must be finite numbers");
    if (!(sink->eps > 0.0 && sink->eps < 1.0))
        return carom_fail(error, CAROM_BAD_INPUT, "eps = %g is a mass ratio: 0 < eps < 1", sink->eps);
    if (!(sink->w1 > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "w1 = %g is a frequency: w1 > 0", sink->w1);
    if (!(sink->gamma > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "gamma = %g: the manifold needs the cubic spring of the sink, gamma > 0",
                          sink->gamma);
    if (sink->alpha0 < 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "alpha0 = %g: the friction graph must be monotone, alpha0 >= 0", sink->alpha0);
    if (sink->lam < 0.0 || sink->a0 < 0.0)
        return carom_fail(error, CAROM_BAD_INPUT, "lam = %g, a0 = %g: dampers take energy, lam >= 0, a0 >= 0",
                          sink->lam, sink->a0);
    return CAROM_OK;
}

double carom_energy_sink_frequency(const carom_energy_sink *sink)
{
    return sink->w1 + sink->sigma * sink->eps;
}

static double kap(const carom_energy_sink *sink)
{
    return 0.75 * sink->gamma / pow(sink->w1, 4.0);
}

double carom_manifold_amplitude(const carom_energy_sink *sink, double n2)
{
    return n2 * hypot(sink->lam / sink->w1, 1.0 - kap(sink) * n2 * n2);
}

double carom_manifold_phase(const carom_energy_sink *sink, double n2)
{
    return -atan2(sink->lam / sink->w1, 1.0 - kap(sink) * n2 * n2);
}

/* f0 e^{-i d1} = Re + i Im */
double carom_manifold_forcing(const carom_energy_sink *sink, double n2, double *angle)
{
    const double w1 = sink->w1, n1 = carom_manifold_amplitude(sink, n2), s = n2 * n2;
    const double real = -(w1 + 2.0 * sink->sigma) * n1 + w1 * s / n1 * (1.0 - kap(sink) * s) +
                        sink->beta * n1 * n1 * n1 / (4.0 * w1 * w1 * w1);
    const double imaginary = sink->a0 * n1 + sink->lam * s / n1 + carom_energy_sink_least_forcing(sink);
    if (angle)
        *angle = -atan2(imaginary, real);
    return hypot(real, imaginary);
}

double carom_energy_sink_least_forcing(const carom_energy_sink *sink)
{
    return 4.0 * sink->alpha0 / CAROM_PI;
}

/* dN1/dN2 = 0: 1 + mu^2 - 4 kap s + 3 kap^2 s^2 = 0 with s = N2^2. The third root of N1(s) = const, which is
 * where the fast flow goes, follows from the sum of the roots, 2/kap. */
int carom_manifold_folds(const carom_energy_sink *sink, carom_manifold_fold fold[2])
{
    const double mu = sink->lam / sink->w1, left = 1.0 - 3.0 * mu * mu;
    if (!(left > 0.0))
        return 0;
    for (int i = 0; i < 2; i++) {
        const double s = (2.0 + (i == 0 ? -1.0 : 1.0) * sqrt(left)) / (3.0 * kap(sink));
        const double landing = 2.0 / kap(sink) - 2.0 * s;
        fold[i] = (carom_manifold_fold){.n2 = sqrt(s), .landing = sqrt(fmax(0.0, landing))};
        fold[i].n1 = carom_manifold_amplitude(sink, fold[i].n2);
        fold[i].phase = carom_manifold_phase(sink, fold[i].n2);
        fold[i].forcing = carom_manifold_forcing(sink, fold[i].n2, &fold[i].angle);
    }
    return 2;
}
