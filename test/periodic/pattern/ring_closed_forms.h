/* Motions of rings in closed form, which orbits are compared with: all particles alike, neighbours in turns,
 * one particle that strikes. */
#ifndef CAROM_TEST_PERIODIC_PATTERN_RING_CLOSED_FORMS_H
#define CAROM_TEST_PERIODIC_PATTERN_RING_CLOSED_FORMS_H

#include <math.h>

#define PI 3.14159265358979323846

/* ((2 pi / T)^2 - 1) / 4: coupling at which the out-of-phase linear mode has period T. */
static inline double ring_edge_coupling(double period)
{
    const double omega = 2.0 * PI / period;
    return 0.25 * (omega * omega - 1.0);
}

/* All particles strike at T/2: displacement at |t| <= T/2 (pi < T < 2 pi), whatever the coupling. */
static inline double ring_in_phase(double period, double t)
{
    return -cos(t) / cos(0.5 * period);
}

/* 2 pi / omega of the mode with this wavenumber. */
static inline double ring_mode_period(int particles, double coupling, int wavenumber)
{
    const double s = sin(PI * wavenumber / particles);
    return 2.0 * PI / sqrt(1.0 + 4.0 * coupling * s * s);
}

/* ---- neighbours in turns ---------------------------------------------------------------------------- */

static inline double top_frequency(double coupling)
{
    return sqrt(1.0 + 4.0 * coupling);
}

/* 2 / v = tan(Omega T / 4) / Omega - cot(T / 4) */
static inline double alternating_compliance(double coupling, double period)
{
    const double omega = top_frequency(coupling);
    return tan(0.25 * omega * period) / omega - 1.0 / tan(0.25 * period);
}

/* Neighbours strike in turns (odd ones at T/2): velocity after an impact; the motion is admissible for
 * T0 < T < 2 pi / sqrt(1 + 4 coupling) and in a second window. */
static inline double ring_alternating_speed(double coupling, double period)
{
    return 2.0 / alternating_compliance(coupling, period);
}

/* ... displacements at 0 <= t <= T/2, from the mean q and difference r of two neighbours ... */
static inline void ring_alternating(double coupling, double period, double t, double *odd, double *even)
{
    const double omega = top_frequency(coupling), v = ring_alternating_speed(coupling, period);
    const double since = t - 0.25 * period;
    const double r = v / omega * sin(omega * since) / cos(0.25 * omega * period);
    const double q = 0.5 * v * cos(since) / sin(0.25 * period);
    *odd = q - 0.5 * r;
    *even = q + 0.5 * r;
}

/* Root of an increasing function of the period between two ends, to the last bits. */
static inline double increasing_root(double (*f)(int particles, double coupling, double period),
                                     int particles, double coupling, double low, double high)
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

static inline double alternating_function(int particles, double coupling, double period)
{
    (void)particles;
    return alternating_compliance(coupling, period);
}

/* ... and T0, at which it diverges. The compliance increases from minus infinity at 0 to infinity at 2 pi / Omega. */
static inline double ring_alternating_pole(double coupling)
{
    return increasing_root(alternating_function, 0, coupling, 0.0, 2.0 * PI / top_frequency(coupling));
}

/* ---- one particle strikes --------------------------------------------------------------------------- */

/* F(T) = (1/n) sum_k cot(omega_k T / 2) / omega_k */
static inline double breather_function(int particles, double coupling, double period)
{
    double sum = 0.0;
    for (int k = 0; k < particles; k++) {
        const double omega = 2.0 * PI / ring_mode_period(particles, coupling, k);
        sum += 1.0 / (omega * tan(0.5 * omega * period));
    }
    return sum / particles;
}

/* Velocity after its impact. */
static inline double ring_breather_speed(int particles, double coupling, double period)
{
    return -1.0 / breather_function(particles, coupling, period);
}

static inline double minus_breather_function(int particles, double coupling, double period)
{
    return -breather_function(particles, coupling, period);
}

/* The largest period below 2 pi / sqrt(1 + 4 coupling) at which that diverges: F decreases from infinity at 0 to minus infinity at the shortest mode's period. */
static inline double ring_breather_pole(int particles, double coupling)
{
    double shortest = 2.0 * PI;
    for (int k = 0; k < particles; k++)
        shortest = fmin(shortest, ring_mode_period(particles, coupling, k));
    return increasing_root(minus_breather_function, particles, coupling, 0.0, shortest);
}

#endif
