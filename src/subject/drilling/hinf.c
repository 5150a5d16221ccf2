/* H-infinity controllers with a static scale and skew of the bit's channel.
 *
 * States of the generalised plant: string, notch (2), roll-off (2), integrator. Inputs: vbar, d, n1, n2 | u'.
 * Outputs: bit, speed error with integral, torque error, u' | what the controller reads (2). The noise enters
 * before the integral weight: behind it, its constant part alone would make a level below 1 impossible. */
#include <math.h>
#include <string.h>

#include "hinf.h"

carom_drill_weights carom_drill_weights_low(void)
{
    return (carom_drill_weights){1,     10,    0.1, 0.517, 0.125, 0.91,  1.2,   4,
                                 0.125, 1.286, 0.1, 0.134, 0.5,   0.243, 0.469, 0.1};
}

carom_drill_weights carom_drill_weights_high(void)
{
    return (carom_drill_weights){1,     10,    0.7,  0.518, 0.033, 0.8,    1,   5,
                                 0.167, 1.135, 0.01, 1,     0.01,  0.0044, 1.0, 0.1};
}

static double top_gain(const carom_drill_plant *p, double *work)
{
    double real, imaginary;
    carom_drill_response(p->states, p->A, p->B, 1, p->C, 0.0, 0.6, work, &real, &imaginary);
    return hypot(real, imaginary);
}

/* (43); g->B: n x 5, C: 6 x n, D11: 4 x 4 (D12 and D21 follow from rho and scale). */
static void fill_plant(const carom_drill_plant *p, const carom_drill_weights *w, double k, double d,
                       generalised *g)
{
    const int s = p->states, n = g->states, xn = s, xr = s + 2, xi = s + 4;
    const double wn = 2 * CAROM_PI * w->f1, wR = 2 * CAROM_PI * w->fR, wI = 2 * CAROM_PI * w->fI;
    const double V3 = w->v3 / (g->gco * w->wsc1);
    for (int i = 0; i < s; i++) {
        memcpy(g->A + i * n, p->A + i * s, (size_t)s * sizeof(double));
        g->A[i * n + xn + 1] = p->G[i] * w->v1 * 2.0 * (w->b1 - w->b2) * wn;
        g->A[i * n + xr] = p->B[i];
        g->A[xi * n + i] = -p->C[i];
        g->B[i * INPUTS] = p->G[i] * w->v1 / d;
        g->B[i * INPUTS + 1] = p->B[i] * V3;
        g->C[1 * n + i] = -w->wsc1 * w->PI * p->C[i];
        g->C[2 * n + i] = -w->wsc2 * w->w22 * p->C[s + i];
        g->C[4 * n + i] = -w->PI * p->C[i];
        g->C[5 * n + i] = -p->C[s + i];
    }
    g->A[xn * n + xn + 1] = g->A[xr * n + xr + 1] = 1.0;
    g->A[(xn + 1) * n + xn] = -wn * wn;
    g->A[(xn + 1) * n + xn + 1] = -2.0 * w->b2 * wn;
    g->A[(xr + 1) * n + xr] = -wR * wR;
    g->A[(xr + 1) * n + xr + 1] = -2.0 * w->beta * wR;
    g->B[(xn + 1) * INPUTS] = 1.0 / d;
    g->B[xi * INPUTS + 2] = -w->v21;
    g->rho = w->w3 * w->wsc1 * g->gco;
    g->B[(xr + 1) * INPUTS + 4] = wR * wR / g->rho; /* of rho u' */
    g->C[1] = k * d * w->w1;
    g->C[1 * n + xi] = w->wsc1 * w->PI * wI;
    g->C[4 * n + xi] = w->PI * wI;
    g->D11[1 * 4 + 2] = -w->wsc1 * w->PI * w->v21;
    g->D11[2 * 4 + 3] = -w->wsc2 * w->w22 * w->v22;
    g->scale[0] = -1.0 / (w->PI * w->v21); /* D21n^-1: readings with unit noise */
    g->scale[1] = -1.0 / w->v22;
    for (int j = 0; j < n; j++) {
        g->C[4 * n + j] *= g->scale[0];
        g->C[5 * n + j] *= g->scale[1];
    }
}

static carom_status make_generalised(const carom_drill_plant *p, const carom_drill_weights *w, double k,
                                     double d, carom_arena *arena, generalised *g, carom_error *error)
{
    if (!(k >= 0.0) || !(d > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "H-infinity: the skew %g must not be negative, the scale %g positive", k, d);
    const size_t n = (size_t)p->states + 5;
    g->states = (int)n;
    g->A = carom_arena_take(arena, carom_product(n, n), sizeof(double));
    g->B = carom_arena_take(arena, n * INPUTS, sizeof(double));
    g->C = carom_arena_take(arena, n * OUTPUTS, sizeof(double));
    double *work = carom_arena_take(arena, 4 * n * (n + 1), sizeof(double));
    if (!g->A || !g->B || !g->C || !work)
        return carom_fail_memory(error);
    g->gco = top_gain(p, work);
    fill_plant(p, w, k, d, g);
    return CAROM_OK;
}

/* (44): W_R K diag(W_I, 1). States x_k, the integral, the roll-off. */
static carom_status fill_controller(const carom_drill_weights *w, const generalised *g, const central *k,
                                    carom_drill_controller **controller, carom_error *error)
{
    const int n = g->states, m = n + 3;
    const carom_status status = carom_drill_controller_create(m, controller, error);
    if (status != CAROM_OK)
        return status;
    carom_drill_controller *c = *controller;
    const double wR = 2 * CAROM_PI * w->fR, wI = 2 * CAROM_PI * w->fI;
    for (int i = 0; i < n; i++) {
        const double speed = k->B[2 * i] * g->scale[0], torque = k->B[2 * i + 1] * g->scale[1];
        memcpy(c->A + i * m, k->A + i * n, (size_t)n * sizeof(double));
        c->A[i * m + n] = speed * w->PI * wI;
        c->B[2 * i] = speed * w->PI;
        c->B[2 * i + 1] = torque;
        c->A[(n + 2) * m + i] = wR * wR * k->C[i] / g->rho;
    }
    c->B[2 * n] = 1.0;
    c->A[(n + 1) * m + n + 2] = 1.0;
    c->A[(n + 2) * m + n + 1] = -wR * wR;
    c->A[(n + 2) * m + n + 2] = -2.0 * w->beta * wR;
    c->C[n + 1] = 1.0;
    return CAROM_OK;
}

carom_status carom_drill_hinf_solve(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                    double k, double d, double g, carom_drill_hinf *result,
                                    carom_drill_controller **controller, carom_error *error)
{
    *result = (carom_drill_hinf){.norm = NAN, .fastest = NAN};
    if (controller)
        *controller = NULL;
    if (!(g > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "H-infinity: the level %g must be positive", g);
    carom_arena *arena = carom_arena_create();
    if (!arena)
        return carom_fail_memory(error);
    generalised made = {0};
    central solved = {0};
    carom_status status = make_generalised(plant, weights, k, d, arena, &made, error);
    result->gco = made.gco;
    if (status == CAROM_OK)
        status = drill_central_solve(&made, g, arena, controller != NULL, &solved, result, error);
    if (status == CAROM_OK && result->feasible && controller) {
        status = drill_central_check(&made, &solved, arena, result, error);
        if (status == CAROM_OK)
            status = fill_controller(weights, &made, &solved, controller, error);
    }
    carom_arena_free(arena);
    return status;
}

/* ---- searches --------------------------------------------------------------------------------------- */

carom_status carom_drill_hinf_level(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                    double k, double d, double *level, carom_error *error)
{
    double low = 1e-3, high = 1e3;
    carom_drill_hinf result;
    carom_status status = carom_drill_hinf_solve(plant, weights, k, d, high, &result, NULL, error);
    *level = INFINITY;
    if (status != CAROM_OK || !result.feasible)
        return status;
    while (status == CAROM_OK && high > 1.0001 * low) {
        const double middle = sqrt(low * high);
        status = carom_drill_hinf_solve(plant, weights, k, d, middle, &result, NULL, error);
        if (result.feasible)
            high = middle;
        else
            low = middle;
    }
    *level = high;
    return status;
}

carom_status carom_drill_hinf_skew(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                   double d, double *k, carom_error *error)
{
    double low = 1e-6, high = 1e3;
    carom_drill_hinf result;
    carom_status status = carom_drill_hinf_solve(plant, weights, low, d, 1.0, &result, NULL, error);
    *k = 0.0;
    if (status != CAROM_OK || !result.feasible)
        return status;
    while (status == CAROM_OK && high > 1.001 * low) {
        const double middle = sqrt(low * high);
        status = carom_drill_hinf_solve(plant, weights, middle, d, 1.0, &result, NULL, error);
        if (result.feasible)
            low = middle;
        else
            high = middle;
    }
    *k = low;
    return status;
}

carom_status carom_drill_hinf_scales(const carom_drill_plant *plant, const carom_drill_weights *weights,
                                     int points, double *d, double *k, carom_error *error)
{
    *d = 1.0;
    *k = 0.0;
    if (points < 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "H-infinity: a search over scales needs 2 points at least; got %d", points);
    for (int i = 0; i < points; i++) {
        const double scale = 1e-3 * pow(1e4, i / (points - 1.0));
        double largest;
        const carom_status status = carom_drill_hinf_skew(plant, weights, scale, &largest, error);
        if (status != CAROM_OK)
            return status;
        if (largest > *k) {
            *k = largest;
            *d = scale;
        }
    }
    return CAROM_OK;
}
