#include "impact_tangent_lzb.h"

#include <math.h>
#include <string.h>

#include "impact_tangent.h"

enum {
    OPEN,
    COMPRESSION,
    EXPANSION,
    STEPS_MAX = 1000000,
    HALVINGS_MAX = 200
};

/* Error of a step, relative to the largest closing speed of its block. */
static const double step_error = 1e-12;
/* How far beyond the end of its phase a contact may be, against the speed, and the speed in the shortest time of a contact. */
static const double located = 1e-13;
/* As in the law: slower closing, relative to the fastest, is none; restitution below this is taken as this. */
static const double over = 5e-11, least_restitution = 1e-2;
/* How far impulses may be from those of the law, relative to the largest. */
static const double same_impulse = 1e-7;

typedef struct inside {
    lzb_tangent *self;
    impact_tangent *impact;
    int count, blocks;  /* contacts of the impact; 1 + directions */
    double speed, time; /* scales */
    const double *K, *eta, *e;
} inside;

bool lzb_tangent_take(lzb_tangent *self, carom_arena *arena, int contacts, int directions)
{
    const size_t blocks = (size_t)directions + 1,
                 numbers = carom_product(carom_product(3, (size_t)contacts), blocks);
    *self = (lzb_tangent){.contacts = contacts, .directions = directions};
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->stiffness_along, carom_product((size_t)contacts, (size_t)directions)},
                  {&self->exponent_along, carom_product((size_t)contacts, (size_t)directions)},
                  {&self->y, numbers},
                  {&self->candidate, numbers},
                  {&self->stage, numbers},
                  {&self->rate, carom_product(CAROM_DORMAND_PRINCE, numbers)},
                  {&self->largest, blocks}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->phase = carom_arena_take(arena, (size_t)contacts, 1);
    self->next = carom_arena_take(arena, (size_t)contacts, 1);
    return self->phase && self->next;
}

/* ---- rates ------------------------------------------------------------------------------------------------------ */

static int size_of(const inside *in)
{
    return 3 * in->count * in->blocks;
}

static double restitution_of(const inside *in, int j)
{
    return fmax(in->e[j], least_restitution);
}

static double factor_of(const inside *in, int j)
{
    const double e = restitution_of(in, j);
    return in->self->phase[j] == OPEN ? 0.0 : in->self->phase[j] == EXPANSION ? 1.0 / (e * e) : 1.0;
}

static void motion_rate(const inside *in, const double *y, double *rate)
{
    const int n = in->count;
    const double *x = y, *d = y + n;
    double *force = rate + 2 * n;
    for (int j = 0; j < n; j++) {
        const bool presses = in->self->phase[j] != OPEN && x[j] > 0.0;
        force[j] = presses ? in->K[j] * pow(x[j], in->eta[j]) : 0.0;
        rate[j] = factor_of(in, j) * d[j];
    }
    for (int j = 0; j < n; j++)
        rate[n + j] = -carom_dot(n, in->impact->G + (ptrdiff_t)j * n, force);
}

static void rate_along(const inside *in, int direction, const double *y, const double *force,
                       const double *along, double *rate)
{
    const int n = in->count, contacts = in->impact->contacts;
    const ptrdiff_t first = (ptrdiff_t)direction * contacts;
    const double *x = y, *d = y + n;
    const double *G_along = in->impact->G_along + first * contacts;
    double *force_along = rate + 2 * n;
    for (int j = 0; j < n; j++) {
        const double e = in->e[j];
        const bool expands = in->self->phase[j] == EXPANSION && e >= least_restitution;
        const double factor_along = expands ? -2.0 * in->impact->e_along[first + j] / (e * e * e) : 0.0;
        force_along[j] = force[j] > 0.0 ? force[j] * (in->eta[j] * along[j] / x[j] +
                                                      in->self->stiffness_along[first + j] / in->K[j] +
                                                      in->self->exponent_along[first + j] * log(x[j]))
                                        : 0.0;
        rate[j] = factor_of(in, j) * along[n + j] + factor_along * d[j];
    }
    for (int j = 0; j < n; j++)
        rate[n + j] = -carom_dot(n, G_along + (ptrdiff_t)j * n, force) -
                      carom_dot(n, in->impact->G + (ptrdiff_t)j * n, force_along);
}

static void find_rate(const inside *in, const double *y, double *rate)
{
    const int block = 3 * in->count;
    motion_rate(in, y, rate);
    for (int b = 1; b < in->blocks; b++)
        rate_along(in, b - 1, y, rate + 2 * in->count, y + (ptrdiff_t)b * block, rate + (ptrdiff_t)b * block);
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static double *stage_rate(const inside *in, int stage)
{
    return in->self->rate + (ptrdiff_t)stage * size_of(in);
}

/* One step of Dormand and Prince from y into candidate. The first stage's rate is that of y. */
static void try_step(const inside *in, double h)
{
    const int size = size_of(in);
    for (int s = 1; s < CAROM_DORMAND_PRINCE; s++) {
        double *to = s == CAROM_DORMAND_PRINCE - 1 ? in->self->candidate : in->self->stage;
        carom_copy(size, in->self->y, to);
        for (int k = 0; k < s; k++)
            carom_axpy(size, h * carom_dormand_prince_stage[s][k], stage_rate(in, k), to);
        find_rate(in, to, stage_rate(in, s));
    }
}

/* The largest error of an x, in the shortest time of a contact, or of a d, against the d of its block. */
static double error_of(const inside *in, double h)
{
    const int n = in->count, block = 3 * n;
    double worst = 0.0;
    for (int b = 0; b < in->blocks; b++) {
        const ptrdiff_t first = (ptrdiff_t)b * block;
        const double size =
            fmax(in->self->largest[b], carom_largest(n, in->self->candidate + first + n)) + 1e-9 * in->speed;
        for (int i = 0; i < 2 * n; i++) {
            double error = 0.0;
            for (int s = 0; s < CAROM_DORMAND_PRINCE; s++)
                error += h * carom_dormand_prince_error[s] * stage_rate(in, s)[first + i];
            worst = fmax(worst, fabs(error) / (i < n ? size * in->time : size));
        }
    }
    return worst / step_error;
}

/* ---- phases ------------------------------------------------------------------------------------------------------- */

/* How far a contact is beyond the end of its phase, and which comes next. */
static double excess(const inside *in, int j, const double *y, unsigned char *next)
{
    const double depth = -y[j] / (in->speed * in->time), speed = y[in->count + j] / in->speed;
    const unsigned char phase = in->self->phase[j];
    *next = OPEN;
    if (phase == OPEN) {
        *next = COMPRESSION;
        return speed;
    }
    if (phase == EXPANSION && speed > depth) {
        *next = COMPRESSION;
        return speed;
    }
    if (phase == COMPRESSION && restitution_of(in, j) != 1.0 && depth < 0.0 && -speed > depth) {
        *next = EXPANSION;
        return -speed;
    }
    return depth;
}

static double most_excess(const inside *in, const double *y)
{
    double most = -INFINITY;
    unsigned char next;
    for (int j = 0; j < in->count; j++)
        most = fmax(most, excess(in, j, y, &next));
    return most;
}

/* Shortens the step just tried so that it ends where the first phase does; its length. */
static double locate(const inside *in, double h)
{
    double low = 0.0, high = h;
    for (int i = 0; i < HALVINGS_MAX && high - low > 1e-15 * h; i++) {
        const double middle = 0.5 * (low + high);
        try_step(in, middle);
        const double most = most_excess(in, in->self->candidate);
        if (most > 0.0 && most <= located)
            return middle;
        if (most > 0.0)
            high = middle;
        else
            low = middle;
    }
    try_step(in, high);
    return high;
}

/* Contacts at the end of their phase go to the next one. */
static void change_phases(const inside *in)
{
    const int n = in->count;
    double *y = in->self->y;
    for (int j = 0; j < n; j++) {
        const bool ends = excess(in, j, y, &in->self->next[j]) > 0.0;
        const bool was_open = in->self->phase[j] == OPEN;
        if (!ends)
            continue;
        in->self->phase[j] = in->self->next[j];
        for (int b = 0; (was_open || in->self->phase[j] == OPEN) && b < in->blocks; b++)
            y[(ptrdiff_t)b * 3 * n + j] = 0.0;
    }
}

static bool is_over(const inside *in)
{
    const int n = in->count;
    for (int j = 0; j < n; j++) {
        const double x = in->self->y[j], d = in->self->y[n + j];
        const double mass = 1.0 / in->impact->G[(ptrdiff_t)j * n + j];
        const double energy = x > 0.0 ? in->K[j] * pow(x, 1.0 + in->eta[j]) / (1.0 + in->eta[j]) : 0.0;
        if (d > over * in->speed || energy > over * over * 0.5 * mass * in->speed * in->speed)
            return false;
    }
    return true;
}

static void accept_step(const inside *in)
{
    const int n = in->count;
    carom_copy(size_of(in), in->self->candidate, in->self->y);
    for (int b = 0; b < in->blocks; b++)
        in->self->largest[b] =
            fmax(in->self->largest[b], carom_largest(n, in->self->y + (ptrdiff_t)b * 3 * n + n));
}

/* Through the impact. False: it does not end. */
static bool go_through(const inside *in)
{
    double h = 1e-4 * in->time;
    for (long step = 0; step < STEPS_MAX && !is_over(in); step++) {
        find_rate(in, in->self->y, stage_rate(in, 0));
        try_step(in, h);
        const double error = error_of(in, h);
        const double growth = fmin(4.0, 0.9 * pow(fmax(error, 1e-10), -0.2));
        if (!(error <= 1.0) && h > 1e-10 * in->time) {
            h *= fmax(0.2, isfinite(error) ? growth : 0.2);
            continue;
        }
        if (most_excess(in, in->self->candidate) > located) {
            h = locate(in, h);
            accept_step(in);
            change_phases(in);
        } else {
            accept_step(in);
            h *= growth;
        }
    }
    return is_over(in);
}

/* ---- the impact --------------------------------------------------------------------------------------------------------- */

/* x = 0, d = -gamma, and the scales of the law. False: nothing approaches. */
static bool begin(inside *in)
{
    const int n = in->count;
    const impact_tangent *impact = in->impact;
    double *y = in->self->y;
    memset(y, 0, (size_t)size_of(in) * sizeof *y);
    in->speed = 0.0;
    for (int j = 0; j < n; j++) {
        y[n + j] = -impact->gamma[j];
        in->speed = fmax(in->speed, -impact->gamma[j]);
        for (int b = 1; b < in->blocks; b++)
            y[(ptrdiff_t)b * 3 * n + n + j] = -impact->gamma_along[(ptrdiff_t)(b - 1) * impact->contacts + j];
    }
    if (!(in->speed > 0.0))
        return false;
    in->time = INFINITY;
    for (int j = 0; j < n; j++) {
        const double mass = 1.0 / impact->G[(ptrdiff_t)j * n + j], one = 1.0 + in->eta[j];
        in->time = fmin(in->time, pow(mass / in->K[j], 1.0 / one) * pow(in->speed, (1.0 - in->eta[j]) / one));
        in->self->phase[j] = y[n + j] >= -located * in->speed ? COMPRESSION : OPEN;
    }
    for (int b = 0; b < in->blocks; b++)
        in->self->largest[b] = carom_largest(n, y + (ptrdiff_t)b * 3 * n + n);
    return true;
}

bool lzb_tangent_strike(lzb_tangent *self, impact_tangent *impact)
{
    const chosen_impact *chosen = impact->chosen;
    inside in = {.self = self,
                 .impact = impact,
                 .count = impact->count,
                 .blocks = 1 + impact->now,
                 .K = chosen->stiffness,
                 .eta = chosen->exponent,
                 .e = chosen->restitution};
    for (int j = 0; j < in.count; j++)
        if (in.eta[j] < 1.0)
            return false;
    if (chosen->result.word == CAROM_IMPACT_NOT_CONVERGED || !begin(&in) || !go_through(&in))
        return false;
    const int n = in.count;
    const double largest = carom_largest(n, chosen->result.impulse);
    for (int j = 0; j < n; j++) {
        if (!(fabs(self->y[2 * n + j] - chosen->result.impulse[j]) <= same_impulse * largest))
            return false;
        impact->p[j] = self->y[2 * n + j];
        for (int b = 1; b < in.blocks; b++)
            impact->p_along[(ptrdiff_t)(b - 1) * impact->contacts + j] =
                self->y[(ptrdiff_t)b * 3 * n + 2 * n + j];
    }
    return true;
}
