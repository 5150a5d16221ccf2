/* Harmonic balance with complementarity: semismooth Newton method for the cosine coefficients L_k of the
 * contact force. Displacements follow from it mode by mode, so that a system of any size has N + 1 unknowns.
 *
 *   y_i = lambda_i - alpha g_i,   R_k = proj_k(lambda_i - max(y_i, 0))
 *   dR  = proj((1 - act_i) dlambda_i + act_i alpha dg_i),   act_i = [y_i > 0] */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/periodic/harmonic_balance.h"
#include "impulse_motion.h"

enum {
    SAMPLES_PER_HARMONIC = 64,
    HALVINGS = 30
};

carom_harmonic_options carom_harmonic_defaults(void)
{
    return (carom_harmonic_options){
        .harmonics = 20, .alpha = 1.0, .tolerance = 1e-11, .iterations = 200, .retries = 3};
}

static carom_harmonic_options fill_options(const carom_harmonic_options *given)
{
    const carom_harmonic_options defaults = carom_harmonic_defaults();
    carom_harmonic_options options = given ? *given : defaults;
    if (options.harmonics == 0)
        options.harmonics = defaults.harmonics;
    options.alpha = carom_given(options.alpha, defaults.alpha);
    options.tolerance = carom_given(options.tolerance, defaults.tolerance);
    if (options.iterations == 0)
        options.iterations = defaults.iterations;
    if (options.retries == 0)
        options.retries = defaults.retries;
    return options;
}

typedef struct balance {
    const carom_mode_basis *basis;
    double frequency, alpha;
    double stiffness;    /* of the constraint: b . om^2 b / (b . b)^2 */
    int count, samples;  /* N + 1 and Nt */
    double *compliance;  /* H_k */
    double *cosine;      /* samples: cos(2 pi i / Nt); that of harmonic k is entry k i mod Nt */
    double *force, *gap; /* samples */
    double *trial, *residual, *change, *matrix;
    double *mean; /* 2 count: of act_i cos(m w t_i) */
    int *pivot;
} balance;

static double cosine_of(const balance *self, int k, int i)
{
    return self->cosine[(size_t)k * (size_t)i % (size_t)self->samples];
}

static bool take(balance *self, carom_arena *arena)
{
    const size_t count = (size_t)self->count, samples = (size_t)self->samples;
    self->compliance = carom_arena_take(arena, count, sizeof(double));
    self->cosine = carom_arena_take(arena, samples, sizeof(double));
    self->force = carom_arena_take(arena, samples, sizeof(double));
    self->gap = carom_arena_take(arena, samples, sizeof(double));
    self->trial = carom_arena_take(arena, count, sizeof(double));
    self->residual = carom_arena_take(arena, count, sizeof(double));
    self->change = carom_arena_take(arena, count, sizeof(double));
    self->matrix = carom_arena_take(arena, carom_product(count, count), sizeof(double));
    self->mean = carom_arena_take(arena, 2 * count, sizeof(double));
    self->pivot = carom_arena_take(arena, count, sizeof(int));
    return self->mean && self->compliance && self->cosine && self->force && self->gap && self->trial &&
           self->residual && self->change && self->matrix && self->pivot;
}

static carom_status fill_tables(balance *self, carom_error *error)
{
    const carom_mode_basis *basis = self->basis;
    const double pi = acos(-1.0);
    for (int i = 0; i < self->samples; i++)
        self->cosine[i] = cos(2.0 * pi * i / self->samples);
    for (int k = 0; k < self->count; k++) {
        const double kw = k * self->frequency;
        for (int j = 0; j < basis->size; j++) {
            const double om = basis->frequency[j], b = basis->contact_mode[j];
            if (!modes_seen(basis, j))
                continue;
            if (fabs(om - kw) < 1e-12 * om)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "harmonic %d of the frequency %.9g is that of linear mode %d: change the "
                                  "frequency a little",
                                  k, self->frequency, j + 1);
            self->compliance[k] += b * b / ((om - kw) * (om + kw));
        }
    }
    return CAROM_OK;
}

/* Samples of lambda and g, and the residual; returns max |R|, relative to the force that closes the gap. */
static double evaluate(balance *self, const double *L)
{
    const int samples = self->samples;
    memset(self->residual, 0, (size_t)self->count * sizeof(double));
    for (int i = 0; i < samples; i++) {
        self->force[i] = 0.0;
        self->gap[i] = self->basis->gap[0];
        for (int k = 0; k < self->count; k++) {
            const double part = L[k] * cosine_of(self, k, i);
            self->force[i] += part;
            self->gap[i] += self->compliance[k] * part;
        }
        const double wrong = self->force[i] - fmax(self->force[i] - self->alpha * self->gap[i], 0.0);
        for (int k = 0; k < self->count; k++)
            self->residual[k] += (k > 0 ? 2.0 : 1.0) / samples * wrong * cosine_of(self, k, i);
    }
    return carom_largest(self->count, self->residual) / (self->stiffness * self->basis->gap[0]);
}

/* For the samples of the last evaluation: cos k cos l = (cos(k - l) + cos(k + l)) / 2, so that the means of
 * act cos(m w t) suffice. */
static void fill_matrix(balance *self)
{
    const int count = self->count;
    for (int m = 0; m < 2 * count - 1; m++) {
        self->mean[m] = 0.0;
        for (int i = 0; i < self->samples; i++)
            if (self->force[i] - self->alpha * self->gap[i] > 0.0)
                self->mean[m] += cosine_of(self, m, i) / self->samples;
    }
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++) {
            const double active = 0.5 * (self->mean[abs(k - l)] + self->mean[k + l]);
            self->matrix[k * count + l] =
                (k == l ? 1.0 : 0.0) +
                (k > 0 ? 2.0 : 1.0) * active * (self->alpha * self->compliance[l] - 1.0);
        }
}

static bool improve(balance *self, double *L, double *residual)
{
    const int count = self->count;
    const size_t bytes = (size_t)count * sizeof(double);
    fill_matrix(self);
    memcpy(self->change, self->residual, bytes);
    if (carom_lu_factor(count, self->matrix, self->pivot) != 0)
        return false;
    carom_lu_solve(count, self->matrix, self->pivot, self->change);
    double share = 1.0;
    for (int halving = 0; halving < HALVINGS; halving++, share *= 0.5) {
        memcpy(self->trial, L, bytes);
        carom_axpy(count, -share, self->change, self->trial);
        const double after = evaluate(self, self->trial);
        if (after < *residual) {
            memcpy(L, self->trial, bytes);
            *residual = after;
            return true;
        }
    }
    return false;
}

/* The coefficients of the exact motion with one impact per period, times a factor. */
static void start(balance *self, double factor, double *L)
{
    const double period = 2.0 * acos(-1.0) / self->frequency;
    const double impulse = -self->basis->gap[0] / modes_gap_response(self->basis, period, 0.0);
    for (int k = 0; k < self->count; k++)
        L[k] = factor * (k > 0 ? 2.0 : 1.0) * impulse / period;
}

static void solve_from(balance *self, const carom_harmonic_options *options, double factor, double *L,
                       carom_harmonic_motion *motion)
{
    start(self, factor, L);
    motion->residual = evaluate(self, L);
    motion->iterations = 0;
    while (motion->residual >= options->tolerance && motion->iterations < options->iterations) {
        motion->iterations++;
        if (!improve(self, L, &motion->residual))
            break;
    }
    evaluate(self, L);
    motion->trivial = carom_largest(self->count, L) < 1e-9 * self->stiffness * self->basis->gap[0];
}

/* Energy at T/2, where cos(k w t) = (-1)^k and velocities vanish. */
static void report(balance *self, const double *L, carom_harmonic_motion *motion)
{
    const carom_mode_basis *basis = self->basis;
    motion->energy = motion->penetration = 0.0;
    for (int j = 0; j < basis->size; j++) {
        double a = 0.0;
        const double om = basis->frequency[j];
        for (int k = 0; k < self->count && modes_seen(basis, j); k++) {
            const double kw = k * self->frequency;
            a += (k % 2 ? -1.0 : 1.0) * L[k] * basis->contact_mode[j] / ((om - kw) * (om + kw));
        }
        motion->energy += 0.5 * om * om * a * a;
    }
    for (int i = 0; i < self->samples; i++)
        motion->penetration = fmax(motion->penetration, -self->gap[i]);
    motion->impulse = L[0] * 2.0 * acos(-1.0) / self->frequency;
}

static carom_status solve(balance *self, const carom_harmonic_options *options, double *L,
                          carom_harmonic_motion *motion, carom_error *error)
{
    static const double factor[] = {1.0, 2.0, 0.5, 4.0, 0.25};
    const int retries = options->retries < 0 ? 0 : options->retries, starts = retries < 4 ? retries + 1 : 5;
    bool trivial = false;
    for (int i = 0; i < starts; i++) {
        solve_from(self, options, factor[i], L, motion);
        trivial = trivial || (motion->residual < options->tolerance && motion->trivial);
        if (motion->residual < options->tolerance && !motion->trivial) {
            report(self, L, motion);
            return CAROM_OK;
        }
    }
    if (!trivial)
        return carom_fail(error, CAROM_FAILED,
                          "harmonic balance with %d harmonics did not converge at frequency %.9g: residual "
                          "%.3g after %d iterations; try more harmonics or another alpha",
                          options->harmonics, self->frequency, motion->residual, motion->iterations);
    memset(L, 0, (size_t)self->count * sizeof *L);
    motion->trivial = true;
    motion->residual = evaluate(self, L);
    report(self, L, motion);
    return CAROM_OK;
}

carom_status carom_harmonic_balance(const carom_mode_basis *basis, double frequency,
                                    const carom_harmonic_options *given, double *force,
                                    carom_harmonic_motion *motion, carom_error *error)
{
    *motion = (carom_harmonic_motion){.energy = NAN};
    const carom_harmonic_options filled = fill_options(given), *options = &filled;
    if (!basis)
        return carom_fail(error, CAROM_BAD_INPUT, "harmonic balance needs a basis; none is given");
    if (!(frequency > 0.0) || options->harmonics < 1 || options->harmonics > 1000 || !(options->alpha > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "harmonic balance needs a frequency > 0 (got %g), 1 to 1000 harmonics (got %d) "
                          "and alpha > 0 (got %g)",
                          frequency, options->harmonics, options->alpha);
    const double time = modes_time(basis), stiffness = 1.0 / (basis->inverse_mass[0] * time * time);
    balance self = {.basis = basis,
                    .frequency = frequency,
                    .alpha = options->alpha * stiffness,
                    .stiffness = stiffness,
                    .count = options->harmonics + 1,
                    .samples = SAMPLES_PER_HARMONIC * (options->harmonics + 1)};
    carom_arena *arena = carom_arena_create();
    double *L = arena ? carom_arena_take(arena, (size_t)self.count, sizeof *L) : NULL;
    carom_status status = L && take(&self, arena) ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = fill_tables(&self, error);
    if (status == CAROM_OK)
        status = solve(&self, options, L, motion, error);
    if (status == CAROM_OK && force)
        memcpy(force, L, (size_t)self.count * sizeof *L);
    carom_arena_free(arena);
    return status;
}
