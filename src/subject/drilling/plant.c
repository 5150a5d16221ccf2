/* Strings in state space, and the controllers that need no synthesis beyond Riccati equations. */
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/subject/drilling.h"

/* Places in x = [th1-th2, w1, w2, th2-th3, w3, th3-th4, w4, ...]; discs from 0. */
static int place_of_speed(int disc)
{
    return disc == 0 ? 1 : 2 * disc;
}

static int place_of_twist(int disc) /* th_disc - th_disc+1 */
{
    return disc == 0 ? 0 : 2 * disc + 1;
}

static carom_status plant_take(int states, carom_drill_plant **plant, carom_error *error)
{
    const size_t n = (size_t)states;
    carom_drill_plant *p = carom_new_array(1, sizeof *p);
    *plant = p;
    if (p)
        p->arena = carom_arena_create();
    if (p && p->arena) {
        p->states = states;
        p->A = carom_arena_take(p->arena, carom_product(n, n), sizeof(double));
        p->B = carom_arena_take(p->arena, n, sizeof(double));
        p->G = carom_arena_take(p->arena, n, sizeof(double));
        p->C = carom_arena_take(p->arena, 2 * n, sizeof(double));
    }
    if (p && p->arena && p->A && p->B && p->G && p->C)
        return CAROM_OK;
    carom_drill_plant_free(p);
    *plant = NULL;
    return carom_fail_memory(error);
}

/* th_j = th_n + sum of the twists from j on, and K 1 = 0: (K th)_i = sum_m twist_m sum_{j<=m} K_ij. */
static void fill_rows(const carom_drill_string *s, carom_drill_plant *p)
{
    const int n = s->discs, size = p->states;
    for (int m = 0; m + 1 < n; m++) {
        double *row = p->A + place_of_twist(m) * size;
        row[place_of_speed(m)] = 1.0;
        row[place_of_speed(m + 1)] = -1.0;
    }
    for (int i = 0; i < n; i++) {
        double *row = p->A + place_of_speed(i) * size, stiffness = 0.0;
        for (int j = 0; j < n; j++) {
            row[place_of_speed(j)] -= s->damping[i * n + j] / s->inertia[i];
            stiffness += s->stiffness[i * n + j];
            if (j + 1 < n)
                row[place_of_twist(j)] -= stiffness / s->inertia[i];
        }
    }
}

carom_status carom_drill_plant_create(const carom_drill_string *string, double delta,
                                      carom_drill_plant **plant, carom_error *error)
{
    *plant = NULL;
    const int n = string->discs;
    if (n < 2)
        return carom_fail(error, CAROM_BAD_INPUT, "the linear form needs 2 discs at least");
    carom_status status = carom_drill_check(string, error);
    if (status == CAROM_OK)
        status = plant_take(2 * n - 1, plant, error);
    if (status != CAROM_OK)
        return status;
    carom_drill_plant *p = *plant;
    const int size = p->states, top = place_of_speed(n - 1), below = place_of_speed(n - 2);
    fill_rows(string, p);
    p->G[1] = 1.0 / string->inertia[0];
    p->B[top] = 1.0 / string->inertia[n - 1];
    p->C[top] = 1.0;
    p->C[size + place_of_twist(n - 2)] = -carom_drill_top_stiffness(string);
    p->C[size + below] = -carom_drill_top_damping(string);
    p->C[size + top] = carom_drill_top_damping(string);
    carom_drill_plant_delta(p, delta);
    return CAROM_OK;
}

/* A = A_0 + delta G H, H = [0 1 0 ...] */
void carom_drill_plant_delta(carom_drill_plant *plant, double delta)
{
    plant->A[plant->states + 1] += (delta - plant->delta) * plant->G[1];
    plant->delta = delta;
}

void carom_drill_plant_free(carom_drill_plant *plant)
{
    if (plant)
        carom_arena_free(plant->arena);
    free(plant);
}

/* ---- controllers ------------------------------------------------------------------------------------ */

carom_status carom_drill_controller_create(int states, carom_drill_controller **controller,
                                           carom_error *error)
{
    const size_t n = (size_t)states;
    carom_drill_controller *c = carom_new_array(1, sizeof *c);
    *controller = c;
    if (c)
        c->arena = carom_arena_create();
    if (c && c->arena) {
        c->states = states;
        c->A = carom_arena_take(c->arena, carom_product(n, n), sizeof(double));
        c->B = carom_arena_take(c->arena, 2 * n, sizeof(double));
        c->C = carom_arena_take(c->arena, n, sizeof(double));
        c->D = carom_arena_take(c->arena, 2, sizeof(double));
    }
    if (c && c->arena && c->A && c->B && c->C && c->D)
        return CAROM_OK;
    carom_drill_controller_free(c);
    *controller = NULL;
    return carom_fail_memory(error);
}

void carom_drill_controller_free(carom_drill_controller *controller)
{
    if (controller)
        carom_arena_free(controller->arena);
    free(controller);
}

carom_status carom_drill_soft_torque(double ct, double kt, carom_drill_controller **controller,
                                     carom_error *error)
{
    const carom_status status = carom_drill_controller_create(1, controller, error);
    if (status == CAROM_OK) {
        (*controller)->B[0] = 1.0;
        (*controller)->C[0] = kt;
        (*controller)->D[0] = ct;
    }
    return status;
}

/* ---- observer with integral action ------------------------------------------------------------------ */

carom_drill_lqg_options carom_drill_lqg_defaults(void)
{
    return (carom_drill_lqg_options){.rq = 10.0, .top_noise = 1.0, .noise = {1e-3, 1e-2}};
}

static carom_drill_lqg_options fill_options(const carom_drill_lqg_options *given)
{
    const carom_drill_lqg_options defaults = carom_drill_lqg_defaults();
    if (!given)
        return defaults;
    return (carom_drill_lqg_options){.rq = carom_given(given->rq, defaults.rq),
                                     .top_noise = carom_given(given->top_noise, defaults.top_noise),
                                     .noise = {carom_given(given->noise[0], defaults.noise[0]),
                                               carom_given(given->noise[1], defaults.noise[1])}};
}

static carom_status riccati_failure(const char *which, int info, carom_error *error)
{
    return carom_fail(error, CAROM_FAILED,
                      "LQG: the Riccati equation of the %s has no stabilizing solution (%s)", which,
                      info == CAROM_RICCATI_AXIS       ? "eigenvalues on the imaginary axis"
                      : info == CAROM_RICCATI_SINGULAR ? "the stable subspace is no graph"
                                                       : "numbers or memory");
}

/* Plant and xI' = -w_n: gain (n + 1) = B^T X. */
static carom_status state_feedback(const carom_drill_plant *p, double rq, double *work, double *gain,
                                   carom_error *error)
{
    const int n = p->states, m = n + 1;
    double *A = work, *Q = A + m * m, *X = Q + m * m, *B = X + m * m;
    const double one = 1.0;
    memset(work, 0, (size_t)(3 * m * m + m) * sizeof *work);
    for (int i = 0; i < n; i++) {
        memcpy(A + i * m, p->A + i * n, (size_t)n * sizeof *A);
        B[i] = p->B[i];
        A[n * m + i] = -p->C[i];
        for (int j = 0; j < n; j++)
            Q[i * m + j] = p->C[i] * p->C[j];
    }
    Q[1 * m + 1] += rq;
    Q[n * m + n] = 1.0;
    const int info = carom_riccati(m, 1, A, B, Q, &one, X);
    if (info != 0)
        return riccati_failure("feedback", info, error);
    for (int i = 0; i < m; i++)
        gain[i] = carom_dot(m, B, X + i * m);
    return CAROM_OK;
}

/* The dual equation: observer (n x 2) = Y C^T R^-1. */
static carom_status observer_gain(const carom_drill_plant *p, const carom_drill_lqg_options *options,
                                  double *work, double *observer, carom_error *error)
{
    const int n = p->states;
    double *A = work, *Q = A + n * n, *Y = Q + n * n, *B = Y + n * n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = p->A[j * n + i];
            Q[i * n + j] = p->G[i] * p->G[j] + options->top_noise * p->B[i] * p->B[j];
        }
        B[2 * i] = p->C[i];
        B[2 * i + 1] = p->C[n + i];
    }
    const int info = carom_riccati(n, 2, A, B, Q, options->noise, Y);
    if (info != 0)
        return riccati_failure("observer", info, error);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            observer[2 * i + k] = carom_dot(n, Y + i * n, p->C + k * n) / options->noise[k];
    return CAROM_OK;
}

/* xhat' = (A - B K - L C) xhat - kI B xI - L e,  xI' = e_1,  u = -K xhat - kI xI */
static void fill_observer(const carom_drill_plant *p, const double *gain, const double *L,
                          carom_drill_controller *c)
{
    const int n = p->states, m = n + 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            c->A[i * m + j] =
                p->A[i * n + j] - p->B[i] * gain[j] - L[2 * i] * p->C[j] - L[2 * i + 1] * p->C[n + j];
        c->A[i * m + n] = -gain[n] * p->B[i];
        c->B[2 * i] = -L[2 * i];
        c->B[2 * i + 1] = -L[2 * i + 1];
    }
    c->B[2 * n] = 1.0;
    for (int i = 0; i < m; i++)
        c->C[i] = -gain[i];
}

carom_status carom_drill_lqg(const carom_drill_plant *plant, const carom_drill_lqg_options *given,
                             double *gain, double *observer, carom_drill_controller **controller,
                             carom_error *error)
{
    *controller = NULL;
    const carom_drill_lqg_options filled = fill_options(given), *options = &filled;
    const int n = plant->states, m = n + 1;
    if (!(options->rq >= 0.0) || !(options->noise[0] > 0.0) || !(options->noise[1] > 0.0) ||
        !(options->top_noise >= 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "LQG: weight rq = %g and noise %g of the top drive must not be negative, measurement noise "
            "%g, %g must be positive",
            options->rq, options->top_noise, options->noise[0], options->noise[1]);
    double *work = carom_new_array(carom_product(3 * (size_t)m + 5, (size_t)m), sizeof *work);
    if (!work)
        return carom_fail_memory(error);
    double *K = work + 3 * m * m + 2 * m, *L = K + m;
    carom_status status = state_feedback(plant, options->rq, work, K, error);
    if (status == CAROM_OK)
        status = observer_gain(plant, options, work, L, error);
    if (status == CAROM_OK)
        status = carom_drill_controller_create(m, controller, error);
    if (status == CAROM_OK) {
        fill_observer(plant, K, L, *controller);
        if (gain)
            memcpy(gain, K, (size_t)m * sizeof *gain);
        if (observer)
            memcpy(observer, L, 2 * (size_t)n * sizeof *observer);
    }
    free(work);
    return status;
}
