#include "line_search.h"

#include <math.h>

enum {
    MOST_TRIALS = 100
};

static const double slope_low = 0.1, slope_high = 0.9, step_growth = 2.0, largest_step = 1e4;

double coulomb_line_merit(const coulomb_line *line, double t)
{
    double sum = 0.0;
    for (int a = 0; a < line->contacts; a++) {
        double u[3], r[3], G[3];
        for (int k = 0; k < 3; k++) {
            u[k] = line->u[3 * a + k] + t * line->du[3 * a + k];
            r[k] = line->r[3 * a + k] + t * line->dr[3 * a + k];
        }
        line->map(line->mu[a], line->rho[a], u, r, G, NULL, NULL);
        sum += carom_dot(3, G, G);
    }
    return sum / 2;
}

double coulomb_line_goldstein_price(const coulomb_line *line, double merit)
{
    const double slope = -2.0 * merit;
    double left = 0.0, right = 0.0, t = 1.0;
    for (int trial = 0; trial < MOST_TRIALS && t >= COULOMB_LINE_SMALLEST && t <= largest_step; trial++) {
        const double mean = (coulomb_line_merit(line, t) - merit) / t;
        if (mean >= slope_high * slope && mean <= slope_low * slope)
            return t;
        if (mean < slope_high * slope)
            left = t;
        else /* too small a descent, or no number */
            right = t;
        t = right == 0.0 ? step_growth * t : (left + right) / 2;
    }
    return fmin(t, largest_step);
}

double coulomb_line_armijo(const coulomb_line *line, double merit)
{
    const double slope = -2.0 * merit;
    double t = 1.0;
    while (t >= COULOMB_LINE_SMALLEST && !((coulomb_line_merit(line, t) - merit) / t <= slope_low * slope))
        t /= 2;
    return t;
}
