/* A periodic motion from its impulses: flights, energy, smallest gap, verdict. */
#include "impulse_motion.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    POINTS_PER_PERIOD = 40, /* of the highest linear mode, where minima of the gap are looked for */
    STEPS_MAX = 100,
    BLOCK = 64 /* times at once */
};

/* A gap that is negative by this share of the clearance is rounding. */
static const double gap_tolerance = 1e-9;

static const char *const verdict_words[] = {
    [CAROM_MODE_ADMISSIBLE] = "admissible", [CAROM_MODE_LIMIT] = "limit",
    [CAROM_MODE_DIVERGE] = "diverge",       [CAROM_MODE_PULL] = "pull",
    [CAROM_MODE_PENETRATE] = "penetrate",   [CAROM_MODE_REPEATED] = "repeated",
};

const char *carom_mode_verdict_word(carom_mode_verdict verdict)
{
    return (unsigned)verdict < sizeof verdict_words / sizeof verdict_words[0] ? verdict_words[verdict] : NULL;
}

double modes_energy(const carom_mode_basis *basis, const double *a, const double *rate)
{
    double sum = 0.0;
    for (int j = 0; j < basis->size; j++)
        sum += 0.5 * (basis->frequency[j] * basis->frequency[j] * a[j] * a[j] + rate[j] * rate[j]);
    return sum;
}

/* ---- a flight ----------------------------------------------------------------------------------------- */

static double gap_at(const carom_mode_basis *basis, const double *a, const double *rate, double t)
{
    double gap = basis->gap[0];
    for (int j = 0; j < basis->size; j++) {
        const double om = basis->frequency[j];
        gap += basis->contact_mode[j] * (a[j] * cos(om * t) + rate[j] / om * sin(om * t));
    }
    return gap;
}

/* The gap rate, and its own rate. */
static double gap_rate_at(const carom_mode_basis *basis, const double *a, const double *rate, double t,
                          double *slope)
{
    double sum = 0.0;
    *slope = 0.0;
    for (int j = 0; j < basis->size; j++) {
        const double om = basis->frequency[j], c = cos(om * t), s = sin(om * t);
        sum += basis->contact_mode[j] * (rate[j] * c - a[j] * om * s);
        *slope -= basis->contact_mode[j] * om * (rate[j] * s + a[j] * om * c);
    }
    return sum;
}

/* The zero of the gap rate between two times with different signs: Newton's method, with bisections where it
 * leaves them. */
static double stationary_time(const carom_mode_basis *basis, const double *a, const double *rate, double from,
                              double to)
{
    double t = 0.5 * (from + to), moved = to - from;
    for (int i = 0; i < STEPS_MAX && fabs(moved) > 4.0 * DBL_EPSILON * to && from < to; i++) {
        double slope;
        const double value = gap_rate_at(basis, a, rate, t, &slope);
        if (value < 0.0)
            from = t;
        else
            to = t;
        const double newton = t - value / slope;
        const double next = newton > from && newton < to ? newton : 0.5 * (from + to);
        moved = next - t;
        t = next;
    }
    return t;
}

/* The gap rate at `count` times from `from` on, `apart` from each other: each mode rotates by the same angle
 * from time to time. */
static void gap_rates(const carom_mode_basis *basis, const double *a, const double *rate, double from,
                      double apart, int count, double *sum)
{
    for (int k = 0; k < count; k++)
        sum[k] = 0.0;
    for (int j = 0; j < basis->size; j++) {
        const double om = basis->frequency[j], p = basis->contact_mode[j];
        const double along = p * rate[j], across = p * a[j] * om;
        const double cosine = cos(om * apart), sine = sin(om * apart);
        double c = cos(om * from), s = sin(om * from);
        for (int k = 0; k < count; k++) {
            const double rotated = c * cosine - s * sine;
            sum[k] += along * c - across * s;
            s = s * cosine + c * sine;
            c = rotated;
        }
    }
}

double modes_smallest_gap(const carom_mode_basis *basis, const double *a, const double *rate, double duration,
                          double *when)
{
    const double periods = duration * modes_highest(basis) / (2.0 * acos(-1.0));
    const int points = (int)fmin(1e7, ceil(POINTS_PER_PERIOD * fmax(periods, 1.0)));
    const double apart = duration / points;
    double smallest = INFINITY, before = INFINITY, block[BLOCK] = {0};
    *when = NAN;
    for (int i = 0; i <= points; i++) {
        if (i % BLOCK == 0) { /* anew, before rounding shows */
            const int left = points + 1 - i;
            gap_rates(basis, a, rate, apart * i, apart, left < BLOCK ? left : BLOCK, block);
        }
        const double after = block[i % BLOCK];
        if (before < 0.0 && after >= 0.0) {
            const double at = stationary_time(basis, a, rate, apart * (i - 1), apart * i),
                         gap = gap_at(basis, a, rate, at);
            if (gap < smallest) {
                smallest = gap;
                *when = at;
            }
        }
        before = after;
    }
    return smallest;
}

/* ---- life --------------------------------------------------------------------------------------------- */

static carom_mode *take(const carom_mode_basis *basis, double period, int impacts)
{
    const size_t n = (size_t)basis->size, k = impacts > 0 ? (size_t)impacts : 1;
    carom_arena *arena = carom_arena_create();
    carom_mode *mode = arena ? carom_arena_take(arena, 1, sizeof *mode) : NULL;
    if (!mode) {
        carom_arena_free(arena);
        return NULL;
    }
    *mode = (carom_mode){.arena = arena,
                         .basis = basis,
                         .impacts = impacts,
                         .period = period,
                         .energy = NAN,
                         .gap = INFINITY,
                         .gap_time = NAN,
                         .linear_mode = -1};
    double **per_impact[] = {&mode->time, &mode->flight, &mode->impulse};
    bool taken = true;
    for (size_t i = 0; i < 3; i++)
        taken = (*per_impact[i] = carom_arena_take(arena, k, sizeof(double))) && taken;
    mode->amplitude = carom_arena_take(arena, carom_product(k, n), sizeof(double));
    mode->rate = carom_arena_take(arena, carom_product(k, n), sizeof(double));
    mode->q = carom_arena_take(arena, n, sizeof(double));
    mode->v = carom_arena_take(arena, n, sizeof(double));
    if (taken && mode->amplitude && mode->rate && mode->q && mode->v)
        return mode;
    carom_arena_free(arena);
    return NULL;
}

void carom_mode_free(carom_mode *mode)
{
    if (mode)
        carom_arena_free(mode->arena);
}

void carom_mode_state(const carom_mode *mode, double t, double *u, double *v)
{
    const carom_mode_basis *basis = mode->basis;
    const int n = basis->size;
    int flight = 0;
    t -= mode->period * floor(t / mode->period);
    while (flight + 1 < mode->impacts && t >= mode->time[flight + 1])
        flight++;
    const double *a = mode->amplitude + (ptrdiff_t)flight * n, *rate = mode->rate + (ptrdiff_t)flight * n;
    const double s = mode->impacts > 0 ? t - mode->time[flight] : t;
    for (int i = 0; i < n; i++) {
        if (u)
            u[i] = 0.0;
        if (v)
            v[i] = 0.0;
    }
    for (int j = 0; j < n; j++) {
        const double om = basis->frequency[j], position = a[j] * cos(om * s) + rate[j] / om * sin(om * s);
        const double velocity = rate[j] * cos(om * s) - a[j] * om * sin(om * s);
        for (int i = 0; i < n; i++) {
            if (u)
                u[i] += position * basis->mode[(ptrdiff_t)i * n + j];
            if (v)
                v[i] += velocity * basis->mode[(ptrdiff_t)i * n + j];
        }
    }
}

/* ---- verdict ------------------------------------------------------------------------------------------ */

/* Right after impact i: the sum of the responses to all impulses. */
static void fill_flight(carom_mode *mode, int i)
{
    const carom_mode_basis *basis = mode->basis;
    const double T = mode->period;
    double *a = mode->amplitude + (ptrdiff_t)i * basis->size, *rate = mode->rate + (ptrdiff_t)i * basis->size;
    for (int j = 0; j < basis->size; j++) {
        const double om = basis->frequency[j], b = basis->contact_mode[j], half = sin(0.5 * om * T);
        a[j] = rate[j] = 0.0;
        if (!modes_seen(basis, j))
            continue;
        for (int l = 0; l < mode->impacts; l++) {
            const double ago = mode->time[i] - mode->time[l] + (l > i ? T : 0.0);
            const double s = ago - 0.5 * T, push = mode->impulse[l] * b / (2.0 * half);
            a[j] += push * cos(om * s) / om;
            rate[j] -= push * sin(om * s);
        }
    }
}

/* Flights and impulses are those of a shorter period, several times over. */
static int repetitions(const carom_mode *mode)
{
    const int k = mode->impacts;
    for (int shift = 1; shift < k; shift++) {
        if (k % shift != 0)
            continue;
        bool same = true;
        for (int i = 0; i < k && same; i++) {
            const int other = (i + shift) % k;
            same = fabs(mode->flight[i] - mode->flight[other]) <= 1e-8 * mode->period &&
                   fabs(mode->impulse[i] - mode->impulse[other]) <= 1e-6 * fabs(mode->impulse[i]);
        }
        if (same)
            return k / shift;
    }
    return 1;
}

static void find_smallest_gap(carom_mode *mode)
{
    const int n = mode->basis->size;
    for (int i = 0; i < mode->impacts; i++) {
        double when = NAN;
        const double gap = modes_smallest_gap(mode->basis, mode->amplitude + (ptrdiff_t)i * n,
                                              mode->rate + (ptrdiff_t)i * n, mode->flight[i], &when);
        if (gap < mode->gap) {
            mode->gap = gap;
            mode->gap_time = mode->time[i] + when;
        }
    }
}

static void judge(carom_mode *mode)
{
    int weakest = 0;
    for (int i = 1; i < mode->impacts; i++)
        if (mode->impulse[i] < mode->impulse[weakest])
            weakest = i;
    const int times = repetitions(mode);
    if (!(mode->impulse[weakest] > 0.0)) {
        mode->verdict = CAROM_MODE_PULL;
        carom_format(mode->text, sizeof mode->text, "the wall would have to pull: impulse %.6g at t = %.6g",
                     mode->impulse[weakest], mode->time[weakest]);
        return;
    }
    find_smallest_gap(mode);
    if (mode->gap < -gap_tolerance * mode->basis->gap[0]) {
        mode->verdict = CAROM_MODE_PENETRATE;
        carom_format(mode->text, sizeof mode->text, "the gap is %.6g at t = %.6g, between impacts", mode->gap,
                     mode->gap_time);
    } else if (times > 1) {
        mode->verdict = CAROM_MODE_REPEATED;
        carom_format(mode->text, sizeof mode->text, "a motion of period %.9g, %d times over",
                     mode->period / times, times);
    } else {
        mode->verdict = CAROM_MODE_ADMISSIBLE;
        carom_format(mode->text, sizeof mode->text, "admissible: %d impact%s per period", mode->impacts,
                     mode->impacts > 1 ? "s" : "");
    }
}

carom_status modes_motion_create(const carom_mode_basis *basis, double period, int impacts,
                                 const double *flight, const double *impulse, carom_mode **mode,
                                 carom_error *error)
{
    carom_mode *made = *mode = take(basis, period, impacts);
    if (!made)
        return carom_fail_memory(error);
    double time = 0.0;
    for (int i = 0; i < impacts; i++) {
        made->time[i] = time;
        made->flight[i] = flight[i];
        made->impulse[i] = impulse[i];
        time += flight[i];
    }
    for (int i = 0; i < impacts; i++)
        fill_flight(made, i);
    made->energy = modes_energy(basis, made->amplitude, made->rate);
    carom_mode_state(made, 0.0, made->q, made->v);
    judge(made);
    return CAROM_OK;
}

carom_status modes_limit_create(const carom_mode_basis *basis, double period, int j, carom_mode **mode,
                                carom_error *error)
{
    carom_mode *made = *mode = take(basis, period, 0);
    if (!made)
        return carom_fail_memory(error);
    made->linear_mode = j;
    made->amplitude[j] = -basis->gap[0] / basis->contact_mode[j];
    made->energy = carom_mode_grazing_energy(basis, j);
    made->gap = 0.0;
    made->gap_time = 0.0;
    made->verdict = CAROM_MODE_LIMIT;
    carom_mode_state(made, 0.0, made->q, made->v);
    carom_format(made->text, sizeof made->text,
                 "limit: linear grazing mode %d, energy %.10g; the period is a multiple of %.10g", j + 1,
                 made->energy, 2.0 * acos(-1.0) / basis->frequency[j]);
    return CAROM_OK;
}

carom_status modes_diverge_create(const carom_mode_basis *basis, double period, int impacts,
                                  carom_mode **mode, carom_error *error)
{
    carom_mode *made = *mode = take(basis, period, impacts);
    if (!made)
        return carom_fail_memory(error);
    for (int i = 0; i < impacts; i++)
        made->impulse[i] = made->flight[i] = made->time[i] = NAN;
    for (int i = 0; i < basis->size; i++)
        made->q[i] = made->v[i] = NAN;
    made->energy = INFINITY;
    made->verdict = CAROM_MODE_DIVERGE;
    carom_format(made->text, sizeof made->text,
                 "the gap does not answer to impulses of this period: the energy is infinite");
    return CAROM_OK;
}
