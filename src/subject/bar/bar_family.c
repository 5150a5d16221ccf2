/* Exact periodic motions of the bar with one contact phase per period.
 *
 * Thorin and Legrand (21)-(25). With eps = 1 on [-L, L) and eps(x + 2L) = -eps(x), every phi of constant
 * modulus and finitely many jumps that satisfies phi(x) = eps(x) eps(x + d) phi(x + cT) is a product of N
 * shifted eps, N odd, with d + N cT = 4 L m. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/subject/bar.h"

/* Lengths below this part of L are rounding. */
static const double length_rounding = 1e-11;

carom_bar carom_bar_unit(void)
{
    return (carom_bar){.young = 1.0, .density = 1.0, .area = 1.0, .length = 1.0, .gap = 1.0};
}

double carom_bar_speed(const carom_bar *bar)
{
    return sqrt(bar->young / bar->density);
}

double carom_bar_impedance(const carom_bar *bar)
{
    return sqrt(bar->young * bar->density);
}

carom_status carom_bar_check(const carom_bar *bar, carom_error *error)
{
    const double value[] = {bar->young, bar->density, bar->area, bar->length};
    const char *const name[] = {"young", "density", "area", "length"};
    for (int i = 0; i < 4; i++)
        if (!(value[i] > 0.0 && isfinite(value[i])))
            return carom_fail(error, CAROM_BAD_INPUT, "bar: %s is %g, but must be positive", name[i],
                              value[i]);
    if (!isfinite(bar->gap))
        return carom_fail(error, CAROM_BAD_INPUT, "bar: gap is %g, but must be a number", bar->gap);
    return CAROM_OK;
}

/* ---- phi ------------------------------------------------------------------------------------------ */

/* c T of a family. */
static double travel(double L, int N, int m, double d)
{
    return (4.0 * L * m - d) / N;
}

static double eps(double L, double y)
{
    return fmod(floor((y + L) / (2.0 * L)), 2.0) == 0.0 ? 1.0 : -1.0;
}

/* The shifts of the product: i cT for i = 1 .. N, or -i cT for i = 0 .. |N| - 1 when N is negative. */
static double shift(int N, double cT, int k)
{
    return N > 0 ? (k + 1) * cT : -k * cT;
}

static double product(double L, int N, double cT, double x)
{
    double sign = 1.0;
    for (int k = 0; k < abs(N); k++)
        sign *= eps(L, x - shift(N, cT, k));
    return sign;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The places in [-L, L) at which a factor changes its sign, ascending, with -L and L: |N| + 2 of them. */
static int jumps(double L, int N, double cT, double *place)
{
    int count = 0;
    place[count++] = -L;
    place[count++] = L;
    for (int k = 0; k < abs(N); k++) {
        const double s = shift(N, cT, k), turn = 2.0 * L;
        place[count++] = -L + (s - turn * floor(s / turn));
    }
    qsort(place, (size_t)count, sizeof *place, compare);
    return count;
}

/* The pieces of phi / alpha on [-L, L); jumps that cancel each other leave none. */
static void take_pieces(carom_bar_mode *mode, double d)
{
    const double L = mode->bar.length, cT = travel(L, mode->index, mode->turns, d);
    double place[CAROM_BAR_LARGEST_INDEX + 2];
    const int places = jumps(L, mode->index, cT, place);
    mode->pieces = 0;
    mode->start[0] = -L;
    double from = -L;
    for (int i = 1; i < places; i++) {
        if (place[i] - from < length_rounding * L)
            continue;
        const double sign = product(L, mode->index, cT, (from + place[i]) / 2.0);
        if (mode->pieces == 0 || mode->value[mode->pieces - 1] != sign) {
            mode->start[mode->pieces] = from;
            mode->value[mode->pieces++] = sign;
        }
        from = place[i];
    }
    mode->start[mode->pieces] = L;
    mode->integral[0] = 0.0;
    for (int k = 0; k < mode->pieces; k++)
        mode->integral[k + 1] = mode->integral[k] + mode->value[k] * (mode->start[k + 1] - mode->start[k]);
}

/* The integral of phi / alpha over [-L, L] for a given d. */
static double integral_of(const carom_bar_mode *mode, double d)
{
    carom_bar_mode trial = *mode;
    take_pieces(&trial, d);
    return trial.integral[trial.pieces];
}

/* The integral is I(0) (1 - r d / L) for small d: r from two members, a whole number up to rounding. */
static void take_slope(carom_bar_mode *mode)
{
    const double L = mode->bar.length, small = 1e-4 * L / ((double)mode->index * mode->index);
    const double one = integral_of(mode, small), two = integral_of(mode, 2.0 * small);
    const double slope = (one - two) / (2.0 * one - two) * (L / small);
    mode->slope = fabs(slope - round(slope)) < 1e-5 ? round(slope) : slope;
    /* Contact takes at most two transits; flight takes some time: cT > d, always so for N = -1. */
    mode->longest = 2.0 * L;
    if (mode->index != -1)
        mode->longest = fmin(mode->longest, 4.0 * L * mode->turns / (mode->index + 1.0));
    if (mode->slope > 0.0)
        mode->longest = fmin(mode->longest, L / mode->slope);
}

static int piece_of(const carom_bar_mode *mode, double y)
{
    int k = 0;
    while (k < mode->pieces - 1 && y >= mode->start[k + 1])
        k++;
    return k;
}

/* y = rest + 2 L turns with rest in [-L, L). */
static double reduce(double L, double y, double *turns)
{
    *turns = floor((y + L) / (2.0 * L));
    return y - 2.0 * L * *turns;
}

double carom_bar_mode_phi(const carom_bar_mode *mode, double y)
{
    double turns;
    const double rest = reduce(mode->bar.length, y, &turns);
    const double value = mode->value[piece_of(mode, rest)];
    return fmod(turns, 2.0) == 0.0 ? value : -value;
}

double carom_bar_mode_integral(const carom_bar_mode *mode, double y)
{
    double turns;
    const double rest = reduce(mode->bar.length, y, &turns);
    const int k = piece_of(mode, rest);
    const double part = mode->integral[k] + mode->value[k] * (rest - mode->start[k]);
    return fmod(turns, 2.0) == 0.0 ? part : mode->integral[mode->pieces] - part;
}

/* ---- field ------------------------------------------------------------------------------------------ */

/* While the wall is touched the field comes from phi on [ct1 - L, ct1 + L), repeated with period 2 L. */
typedef struct generator {
    const carom_bar_mode *mode;
    bool contact;
    double base; /* ct1 - L */
} generator;

static double generator_phi(const generator *g, double y)
{
    if (g->contact)
        y -= 2.0 * g->mode->bar.length * floor((y - g->base) / (2.0 * g->mode->bar.length));
    return carom_bar_mode_phi(g->mode, y);
}

static double generator_integral(const generator *g, double y)
{
    if (!g->contact)
        return carom_bar_mode_integral(g->mode, y);
    const double width = 2.0 * g->mode->bar.length, turns = floor((y - g->base) / width);
    const double begin = carom_bar_mode_integral(g->mode, g->base);
    const double whole = carom_bar_mode_integral(g->mode, g->base + width) - begin;
    return turns * whole + carom_bar_mode_integral(g->mode, y - turns * width) - begin;
}

/* The generator at time t, and ct within the period. */
static generator generator_at(const carom_bar_mode *mode, double t, double *ct)
{
    const double c = carom_bar_speed(&mode->bar), L = mode->bar.length;
    t -= mode->period * floor(t / mode->period);
    *ct = c * t;
    return (generator){.mode = mode, .contact = t >= mode->free_time, .base = c * mode->free_time - L};
}

carom_bar_point carom_bar_mode_at(const carom_bar_mode *mode, double x, double t)
{
    double ct;
    const generator g = generator_at(mode, t, &ct);
    const double ahead = generator_phi(&g, ct + x), behind = generator_phi(&g, ct - x);
    return (carom_bar_point){
        .displacement = generator_integral(&g, ct + x) - generator_integral(&g, ct - x),
        .strain = ahead + behind,
        .velocity = carom_bar_speed(&mode->bar) * (ahead - behind),
    };
}

void carom_bar_mode_sample(const carom_bar_mode *mode, double t, int cells, double *displacement,
                           double *velocity)
{
    double ct;
    const generator g = generator_at(mode, t, &ct);
    const double c = carom_bar_speed(&mode->bar), dx = mode->bar.length / cells;
    double behind = generator_integral(&g, ct), ahead = behind;
    displacement[0] = 0.0;
    for (int j = 0; j < cells; j++) {
        const double x = mode->bar.length * (j + 1) / cells;
        const double next_ahead = generator_integral(&g, ct + x),
                     next_behind = generator_integral(&g, ct - x);
        displacement[j + 1] = next_ahead - next_behind;
        /* integral of phi(ct + x) - phi(ct - x) over the cell */
        velocity[j] = c * (next_ahead - ahead + next_behind - behind) / dx;
        ahead = next_ahead;
        behind = next_behind;
    }
}

/* ---- admissibility ---------------------------------------------------------------------------------- */

/* The first jump of the extended phi after y. */
static double next_jump(const carom_bar_mode *mode, double y)
{
    const double L = mode->bar.length, nearly = length_rounding * L;
    double turns;
    const double rest = reduce(L, y + nearly, &turns);
    for (int k = 1; k <= mode->pieces; k++)
        if (mode->start[k] > rest)
            return mode->start[k] + 2.0 * L * turns;
    return L + 2.0 * L * turns;
}

/* u(L, t) in flight, y = ct + L. */
static double end_in_flight(const carom_bar_mode *mode, double y)
{
    return carom_bar_mode_integral(mode, y) - carom_bar_mode_integral(mode, y - 2.0 * mode->bar.length);
}

/* (23a), (23c): linear between jumps of phi(ct + L), so that the jumps decide. */
static bool flight_admissible(carom_bar_mode *mode, double slack)
{
    const double L = mode->bar.length, c = carom_bar_speed(&mode->bar), gap = mode->bar.gap;
    const double last = L + c * mode->free_time;
    for (double y = next_jump(mode, L); y < last - length_rounding * L; y = next_jump(mode, y)) {
        const double beyond = end_in_flight(mode, y) - gap;
        if (beyond > slack) {
            snprintf(mode->reason, sizeof mode->reason,
                     "the end would be %g behind the wall at t = %g, in flight", beyond, (y - L) / c);
            return false;
        }
        mode->touches += beyond > -slack;
    }
    const double apart = gap - end_in_flight(mode, last);
    if (fabs(apart) > slack)
        snprintf(mode->reason, sizeof mode->reason,
                 "the end would be %g before the wall at t = %g, when contact has to begin", apart,
                 mode->free_time);
    return fabs(apart) <= slack;
}

/* (23b) for the field of the contact: the strain of the end is 2 phi(ct - L). */
static bool contact_admissible(carom_bar_mode *mode)
{
    const double L = mode->bar.length, c = carom_bar_speed(&mode->bar), nearly = length_rounding * L;
    const double last = c * mode->period - L;
    for (double y = c * mode->free_time - L; y < last - nearly;) {
        const double next = fmin(next_jump(mode, y), last);
        const double strain = 2.0 * carom_bar_mode_phi(mode, (y + next) / 2.0);
        if (strain > 0.0) {
            snprintf(mode->reason, sizeof mode->reason,
                     "the wall would have to pull: strain %g of the end from t = %g to %g, in contact",
                     strain, (y + L) / c, (next + L) / c);
            return false;
        }
        y = next;
    }
    return true;
}

/* ---- the mode ----------------------------------------------------------------------------------------- */

static carom_status check_family(const carom_bar *bar, int N, int m, carom_error *error)
{
    if (carom_bar_check(bar, error))
        return CAROM_BAD_INPUT;
    if (bar->gap <= 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar mode: gap is %g, but must be positive; a gap of 0 is the limit of infinite "
                          "energy",
                          bar->gap);
    if (N % 2 == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "bar mode: N is %d, but the family index must be odd", N);
    if (abs(N) > CAROM_BAR_LARGEST_INDEX)
        return carom_fail(error, CAROM_BAD_INPUT, "bar mode: N is %d, but at most %d in modulus", N,
                          CAROM_BAR_LARGEST_INDEX);
    if (m == 0 || (m > 0) != (N > 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar mode: m is %d, but d + N c T = 4 L m asks for a %s one with N = %d", m,
                          N > 0 ? "positive" : "negative", N);
    return CAROM_OK;
}

static void scale_to_gap(carom_bar_mode *mode)
{
    const double alpha = mode->bar.gap / mode->integral[mode->pieces];
    mode->alpha = alpha;
    for (int k = 0; k < mode->pieces; k++) {
        mode->value[k] *= alpha;
        mode->integral[k + 1] *= alpha;
    }
    mode->energy = 2.0 * mode->bar.young * mode->bar.area * mode->bar.length * alpha * alpha;
}

carom_status carom_bar_mode_make(const carom_bar *bar, int index, int turns, double contact_length,
                                 carom_bar_mode *mode, carom_error *error)
{
    const double d = contact_length;
    *mode = (carom_bar_mode){.bar = *bar, .index = index, .turns = turns, .contact_length = d};
    if (check_family(bar, index, turns, error))
        return CAROM_BAD_INPUT;
    take_slope(mode);
    if (!(d > 0.0 && d < mode->longest))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar mode (%d, %d): d is %g, but must be between 0 and %g (both excluded)", index,
                          turns, d, mode->longest);
    const double c = carom_bar_speed(bar), cT = travel(bar->length, index, turns, d);
    mode->period = cT / c;
    mode->contact_time = d / c;
    mode->free_time = (cT - d) / c;
    mode->frequency_ratio = 4.0 * bar->length / cT;
    take_pieces(mode, d);
    if (fabs(mode->integral[mode->pieces]) < length_rounding * bar->length)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar mode (%d, %d): with d = %g the end stays at 0 when the wall is left; energy "
                          "would be infinite",
                          index, turns, d);
    scale_to_gap(mode);
    const double slack = 1e-10 * (bar->gap + fabs(mode->alpha) * bar->length);
    mode->admissible = flight_admissible(mode, slack) && contact_admissible(mode);
    return CAROM_OK;
}
