/* Motions of rings in closed form: all particles alike, neighbours in turns, one particle that strikes. */
#include <math.h>

#include "ring.h"

double carom_ring_edge_coupling(double period)
{
    const double omega = 2.0 * CAROM_PI / period;
    return 0.25 * (omega * omega - 1.0);
}

double carom_ring_in_phase(double period, double t)
{
    return -cos(t) / cos(0.5 * period);
}

/* ---- neighbours in turns ---------------------------------------------------------------------------- */

static double top_frequency(double coupling)
{
    return sqrt(1.0 + 4.0 * coupling);
}

/* 2 / v = tan(Omega T / 4) / Omega - cot(T / 4) */
static double alternating_compliance(double coupling, double period)
{
    const double omega = top_frequency(coupling);
    return tan(0.25 * omega * period) / omega - 1.0 / tan(0.25 * period);
}

double carom_ring_alternating_speed(double coupling, double period)
{
    return 2.0 / alternating_compliance(coupling, period);
}

/* Mean q and difference r of two neighbours. */
void carom_ring_alternating(double coupling, double period, double t, double *odd, double *even)
{
    const double omega = top_frequency(coupling), v = carom_ring_alternating_speed(coupling, period);
    const double since = t - 0.25 * period;
    const double r = v / omega * sin(omega * since) / cos(0.25 * omega * period);
    const double q = 0.5 * v * cos(since) / sin(0.25 * period);
    *odd = q - 0.5 * r;
    *even = q + 0.5 * r;
}

/* Root of an increasing function of the period between two ends, to the last bits. */
static double increasing_root(double (*f)(int particles, double coupling, double period), int particles,
                              double coupling, double low, double high)
{
    for (int i = 0; i < 200 && low < high; i++) {
        const double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        if (f(particles, coupling, middle) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double alternating_function(int particles, double coupling, double period)
{
    (void)particles;
    return alternating_compliance(coupling, period);
}

/* The compliance increases from minus infinity at 0 to infinity at 2 pi / Omega. */
double carom_ring_alternating_pole(double coupling)
{
    return increasing_root(alternating_function, 0, coupling, 0.0, 2.0 * CAROM_PI / top_frequency(coupling));
}

/* ---- one particle strikes --------------------------------------------------------------------------- */

/* F(T) = (1/n) sum_k cot(omega_k T / 2) / omega_k */
static double breather_function(int particles, double coupling, double period)
{
    double sum = 0.0;
    for (int k = 0; k < particles; k++) {
        const double omega = 2.0 * CAROM_PI / carom_ring_mode_period(particles, coupling, k);
        sum += 1.0 / (omega * tan(0.5 * omega * period));
    }
    return sum / particles;
}

double carom_ring_breather_speed(int particles, double coupling, double period)
{
    return -1.0 / breather_function(particles, coupling, period);
}

static double minus_breather_function(int particles, double coupling, double period)
{
    return -breather_function(particles, coupling, period);
}

/* F decreases from infinity at 0 to minus infinity at the shortest mode's period. */
double carom_ring_breather_pole(int particles, double coupling)
{
    double shortest = 2.0 * CAROM_PI;
    for (int k = 0; k < particles; k++)
        shortest = fmin(shortest, carom_ring_mode_period(particles, coupling, k));
    return increasing_root(minus_breather_function, particles, coupling, 0.0, shortest);
}
