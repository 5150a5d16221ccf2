/* A solution of the linear system is a motion only if its impacts push and no gap is negative in between. */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "pattern.h"

typedef struct gap_check {
    carom_orbit *orbit;
    const carom_linear_oscillator *oscillator;
    int samples;
    double step, tolerance, near; /* minima below `near` are refined */
    double slack;                 /* least over all gaps: what is left to the limit, which is +-tolerance */
} gap_check;

/* ---- impacts ------------------------------------------------------------------------------------------ */

/* The velocity after the impact, or the one that half of the impulse gives: the smaller one. */
static double least_push(const carom_orbit *orbit, const carom_linear_oscillator *o, int c)
{
    return fmin(orbit->speed[c], 0.5 * orbit->impulse[c] * o->inverse_mass[c]);
}

/* False when some impact does not push. */
static bool impacts_push(carom_orbit *orbit, const carom_linear_oscillator *o, double tolerance)
{
    int worst = -1;
    for (int c = 0; c < orbit->contacts; c++)
        if (orbit->pattern[c] != CAROM_PHASE_NEVER &&
            (worst < 0 || least_push(orbit, o, c) < least_push(orbit, o, worst)))
            worst = c;
    if (least_push(orbit, o, worst) > tolerance)
        return true;
    orbit->contact = worst;
    orbit->margin = least_push(orbit, o, worst);
    orbit->time = orbit->pattern[worst] == CAROM_PHASE_START ? 0.0 : 0.5 * orbit->period;
    orbit->word = orbit->margin < -tolerance ? CAROM_ORBIT_PULL : CAROM_ORBIT_GRAZE;
    return false;
}

/* ---- one gap ------------------------------------------------------------------------------------------ */

/* Gap of a contact and its first two derivatives at time t. */
static void gap_at(const gap_check *check, int c, double t, double *value)
{
    const carom_linear_oscillator *o = check->oscillator;
    const carom_orbit_work *w = check->orbit->work;
    const double *b = o->contact_mode + (ptrdiff_t)c * o->size;
    value[0] = o->gap[c];
    value[1] = value[2] = 0.0;
    for (int j = 0; j < o->size; j++) {
        const double omega = o->frequency[j], cosine = cos(omega * t), sine = sin(omega * t);
        const double position = b[j] * (cosine * w->position[j] + sine * w->velocity[j]);
        value[0] += position;
        value[1] += omega * b[j] * (cosine * w->velocity[j] - sine * w->position[j]);
        value[2] -= omega * omega * position;
    }
}

/* Newton's method for the time of the minimum between two samples. */
static double refine(const gap_check *check, int c, double low, double high, double *t)
{
    double value[3];
    gap_at(check, c, *t, value);
    double least = value[0];
    for (int i = 0; i < 3 && value[2] > 0.0; i++) {
        const double next = fmin(fmax(*t - value[1] / value[2], low), high);
        gap_at(check, c, next, value);
        *t = next;
        least = fmin(least, value[0]);
    }
    return least;
}

static void note(gap_check *check, int c, double t, double gap)
{
    carom_orbit *orbit = check->orbit;
    const bool strikes = orbit->pattern[c] != CAROM_PHASE_NEVER;
    const double slack = gap - (strikes ? -check->tolerance : check->tolerance);
    if (slack >= check->slack)
        return;
    check->slack = slack;
    orbit->margin = gap;
    orbit->contact = c;
    orbit->time = t;
    orbit->word = strikes ? CAROM_ORBIT_PENETRATE : CAROM_ORBIT_TOUCH;
}

/* The sample before the last one is a minimum. */
static void note_minimum(gap_check *check, int c, int index, double gap)
{
    double t = index * check->step;
    if (gap < check->near)
        gap = fmin(gap, refine(check, c, t - check->step, t + check->step, &t));
    note(check, c, t, gap);
}

/* Sample `index` of contact c. By evenness gaps that do not strike there have an extremum at both ends. */
static void take_sample(gap_check *check, int c, int index, double gap)
{
    const carom_phase phase = check->orbit->pattern[c];
    double *last = &check->orbit->work->before[0][c], *last_but_one = &check->orbit->work->before[1][c];
    const bool is_end = index == 0 || index == check->samples;
    const bool strikes =
        (index == 0 && phase == CAROM_PHASE_START) || (index == check->samples && phase == CAROM_PHASE_HALF);
    if (index >= 2 && *last <= *last_but_one && *last <= gap)
        note_minimum(check, c, index - 1, *last);
    if (!strikes && (is_end || gap < 0.0))
        note(check, c, index * check->step, gap);
    *last_but_one = *last;
    *last = gap;
}

/* ---- all gaps ----------------------------------------------------------------------------------------- */

static void start_modes(const gap_check *check)
{
    const carom_linear_oscillator *o = check->oscillator;
    const carom_orbit_work *w = check->orbit->work;
    const int n = o->size;
    for (int j = 0; j < n; j++) {
        const double omega = o->frequency[j], *row = o->inverse + (ptrdiff_t)j * n;
        w->position[j] = w->rotated[0][j] = carom_dot(n, row, check->orbit->y0);
        w->velocity[j] = w->rotated[1][j] = carom_dot(n, row, check->orbit->v0) / omega;
        w->cosine[j] = cos(omega * check->step);
        w->sine[j] = sin(omega * check->step);
    }
}

/* Modal positions at the next times, one column each. */
static void fill_block(const gap_check *check)
{
    const carom_orbit_work *w = check->orbit->work;
    for (int j = 0; j < check->oscillator->size; j++) {
        double q = w->rotated[0][j], p = w->rotated[1][j];
        for (int k = 0; k < ORBIT_BLOCK; k++) {
            w->block[j * ORBIT_BLOCK + k] = q;
            const double rotated = w->cosine[j] * q + w->sine[j] * p;
            p = w->cosine[j] * p - w->sine[j] * q;
            q = rotated;
        }
        w->rotated[0][j] = q;
        w->rotated[1][j] = p;
    }
}

/* gap[k] = g + b . q(t_k) for the times of a block: the loop over times inside, so that each entry of b is
 * read once. */
static void gaps_of_block(int n, double start, const double *restrict b, const double *restrict block,
                          double *restrict gap)
{
    double sum[ORBIT_BLOCK];
    for (int k = 0; k < ORBIT_BLOCK; k++)
        sum[k] = start;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < ORBIT_BLOCK; k++)
            sum[k] += b[j] * block[j * ORBIT_BLOCK + k];
    memcpy(gap, sum, sizeof sum);
}

static void sample_gaps(gap_check *check)
{
    const carom_linear_oscillator *o = check->oscillator;
    start_modes(check);
    for (int first = 0; first <= check->samples; first += ORBIT_BLOCK) {
        fill_block(check);
        for (int c = 0; c < o->contacts; c++) {
            double gap[ORBIT_BLOCK];
            gaps_of_block(o->size, o->gap[c], o->contact_mode + (ptrdiff_t)c * o->size,
                          check->orbit->work->block, gap);
            for (int k = 0; k < ORBIT_BLOCK && first + k <= check->samples; k++)
                take_sample(check, c, first + k, gap[k]);
        }
    }
}

static int default_samples(const carom_linear_oscillator *o, double period)
{
    const double wanted = ceil(20.0 * carom_largest(o->size, o->frequency) * period / CAROM_PI);
    return wanted > 1e6 ? 1000000 : wanted > 400.0 ? (int)wanted : 400;
}

void orbit_check_admissible(carom_orbit *orbit, const carom_linear_oscillator *o,
                            const carom_orbit_options *options)
{
    const double length = pattern_length(o), amplitude = carom_largest(o->size, orbit->y0);
    const int samples = options->samples > 0 ? options->samples : default_samples(o, orbit->period);
    gap_check check = {.orbit = orbit,
                       .oscillator = o,
                       .samples = samples,
                       .step = 0.5 * orbit->period / samples,
                       .tolerance = options->tolerance * fmax(length, amplitude),
                       .near = 0.05 * (length + amplitude),
                       .slack = INFINITY};
    if (!impacts_push(orbit, o, check.tolerance / pattern_time(o)))
        return;
    orbit->margin = INFINITY;
    sample_gaps(&check);
    if (check.slack > 0.0)
        orbit->word = CAROM_ORBIT_OK;
}
