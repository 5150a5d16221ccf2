/* How the outcomes of impacts spread and differ (Nguyen and Brogliato 2018, (38)-(41)). */
#include <math.h>

#include "carom/survey.h"

double carom_energy_dispersion(int n, const double *masses, const double *velocity)
{
    double mean = 0.0, variance = 0.0;
    for (int i = 0; i < n; i++)
        mean += 0.5 * masses[i] * velocity[i] * velocity[i] / n;
    if (!(mean > 0.0))
        return NAN;
    for (int i = 0; i < n; i++) {
        const double away = 0.5 * masses[i] * velocity[i] * velocity[i] / mean - 1.0;
        variance += away * away / n;
    }
    return sqrt(variance);
}

double carom_velocity_gap(int n, const double *velocity, const double *reference)
{
    double difference = 0.0;
    const double size = carom_dot(n, reference, reference);
    for (int i = 0; i < n; i++)
        difference += (velocity[i] - reference[i]) * (velocity[i] - reference[i]);
    return size > 0.0 ? 100.0 * sqrt(difference / size) : NAN;
}

int carom_good_velocities(int n, const double *velocity, const double *reference)
{
    const double near = 0.05 * sqrt(carom_dot(n, reference, reference));
    int good = 0;
    for (int i = 0; i < n; i++)
        good += fabs(velocity[i] - reference[i]) < near;
    return good;
}
