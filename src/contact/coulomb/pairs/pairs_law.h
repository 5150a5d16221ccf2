/* The law of one contact, for Newton's method: Alart and Curnier's function
 *
 *   G_N = r_N - max(0, y_N),   G_part = r_part - P(y_part) on the disc of radius coefficient max(0, y_N),   y = r - rho u,
 *
 * and its derivatives. The parts of a contact are those of pairs_cone.h: friction, and with moments rolling and
 * torsion, each of which knows of the others by the normal alone. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_LAW_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_LAW_H

#include <string.h>

#include "carom/linalg.h"
#include "pairs_cone.h"

/* rho of the normal and of each part, from the contact's own block of W, whose rows have w numbers. */
void pairs_law_rho(int d, int s, int w, const double *W, double *rho);

/* The smallest t > 0 where a part or the normal changes between open, stick and slip, when r moves by t dr and u stays;
 * infinite: nowhere. */
double pairs_law_change(int d, int s, const double *coefficient, const double *rho, const double *u,
                        const double *r, const double *dr);

/* ---- d and s are constants where these are inlined ------------------------------------------------------------ */

/* |G|^2 */
PAIRS_INLINE double pairs_law_distance(int d, int s, const double *coefficient, const double *rho,
                                       const double *u, const double *r)
{
    const double y_N = r[0] - rho[0] * u[0], c = fmax(0.0, y_N), G = r[0] - c;
    double sum = G * G;
    for (int part = 0; part < pairs_parts(d, s); part++) {
        const int at = pairs_part_start(s, part), n = pairs_part_size(s, part);
        double y[2] = {0.0, 0.0};
        for (int k = 0; k < n; k++)
            y[k] = r[at + k] - rho[1 + part] * u[at + k];
        const double size = pairs_part_length(n, y), most = coefficient[part] * c;
        const double factor = size > most ? most / size : 1.0;
        for (int k = 0; k < n; k++)
            sum += (r[at + k] - factor * y[k]) * (r[at + k] - factor * y[k]);
    }
    return sum;
}

/* Of one part, numbers `at` to at + n - 1, of a contact that is closed. */
PAIRS_INLINE void pairs_law_linearise_part(int d, int at, int n, double mu, double rho, double alpha_N,
                                           double alpha, double y_N, const double *u, const double *r,
                                           double *D, double *g)
{
    double y[2] = {0.0, 0.0};
    for (int k = 0; k < n; k++)
        y[k] = r[at + k] - rho * u[at + k];
    const double size = pairs_part_length(n, y);
    if (mu == 0.0) { /* no tangent, where y_T = 0, either */
        memcpy(g + at, r + at, (size_t)n * sizeof *g);
        return;
    }
    if (size <= mu * y_N) {
        for (int k = at; k < at + n; k++) {
            D[(d + 1) * k] = alpha;
            g[k] = alpha * u[k];
        }
        return;
    }
    const double e[2] = {y[0] / size, y[1] / size}, t = mu * y_N / size;
    const double turn = 1.0 - t * (1.0 - rho / alpha), friction = carom_dot(n, e, r + at);
    const double along = friction - mu * r[0] + alpha_N * mu * u[0];
    for (int k = 0; k < n; k++) {
        D[d * (at + k)] = alpha_N * mu * e[k];
        g[at + k] = along * e[k];
        if (n == 1)
            continue;
        g[at + k] += (r[at + k] - friction * e[k]) / turn;
        for (int j = 0; j < n; j++)
            D[d * (at + k) + at + j] = rho * t / turn * ((k == j ? 1.0 : 0.0) - e[k] * e[j]);
    }
}

/* A step for G(u', r) = 0 with u' = u + (r - r_k) / alpha is dr = -g - D du where the motion gives du: D and g in closed form,
 * with n = y_T / |y_T|, P = I - n n^T, t = mu y_N / |y_T| for each part, which has its own alpha = a_T, as the normal has a_N:
 *
 *   open:   D = 0,                                          g = r
 *   stick:  D = [a_N, 0; 0, a_T I],                         g = (a_N u'_N, a_T u'_T)
 *   slip:   D = [a_N, 0; a_N mu n, rho t P / (1 - k)],      k = t (1 - rho / a_T),
 *           g = (a_N u'_N, (n.r_T - mu r_N + a_N mu u'_N) n + P r_T / (1 - k)) */
PAIRS_INLINE void pairs_law_linearise(int d, int s, const double *coefficient, const double *rho,
                                      const double *alpha, const double *u, const double *r, double *D,
                                      double *g)
{
    const double y_N = r[0] - rho[0] * u[0];
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    if (!(y_N > 0.0)) {
        memcpy(g, r, (size_t)d * sizeof *g);
        return;
    }
    D[0] = alpha[0];
    g[0] = alpha[0] * u[0];
    for (int part = 0; part < pairs_parts(d, s); part++)
        pairs_law_linearise_part(d, pairs_part_start(s, part), pairs_part_size(s, part), coefficient[part],
                                 rho[1 + part], alpha[0], alpha[1 + part], y_N, u, r, D, g);
}

#endif
