#include "directions.h"

#include <math.h>
#include <string.h>

/* A part of a direction that counts, and what is 0 beside it. */
static const double real_part = 1e-3, same_ratio = 2e-3;

enum {
    POWER_MAX = 4
};

double direction_scale(const fit_problem *problem, const double *x, int unknown)
{
    const double value = fabs(x[unknown]), scale = problem->unknown[unknown].scale;
    return value > 1e-6 * scale ? value : scale;
}

/* The ratio as one of small whole numbers. */
static bool small_ratio(double ratio, int *above, int *below)
{
    for (*below = 1; *below <= POWER_MAX; ++*below)
        for (*above = 1; *above <= POWER_MAX; ++*above)
            if (fabs(ratio * *below / *above - 1.0) < same_ratio)
                return true;
    return false;
}

static void append_power(carom_text *text, const char *name, int power)
{
    if (power == 1)
        carom_text_append(text, "%s", name);
    else
        carom_text_append(text, "%s^%d", name, power);
}

/* d log p : d log q = a : b leaves p^b / q^a as it is. */
static void tell_pair(const char *p, const char *q, double a, double b, carom_text *text)
{
    int above = 1, below = 1;
    if (small_ratio(fabs(b / a), &above, &below)) {
        carom_text_append(text, "only ");
        append_power(text, p, above);
        carom_text_append(text, a * b > 0.0 ? "/" : "*");
        append_power(text, q, below);
        carom_text_append(text, " is determined, not %s and %s by themselves", p, q);
        return;
    }
    carom_text_append(text,
                      "only one combination of %s and %s is determined: %+.3g %% of %s and %+.3g %% of %s "
                      "together change nothing",
                      p, q, 1.0, p, b / a, q);
}

static void tell_many(const fit_problem *problem, int count, const int *unknown, const double *v,
                      carom_text *text)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = fabs(v[i]) > fabs(largest) ? v[i] : largest;
    int parts = 0, alike = 0;
    for (int i = 0; i < count; i++) {
        parts += fabs(v[i]) > real_part;
        alike += fabs(v[i] / largest - 1.0) < same_ratio;
    }
    for (int i = 0, k = 0; i < count; i++)
        if (fabs(v[i]) > real_part)
            carom_text_append(text, "%s%s",
                              k++ == 0     ? ""
                              : k == parts ? " and "
                                           : ", ",
                              problem->unknown[unknown[i]].name);
    if (alike == parts) {
        carom_text_append(
            text, " may all grow by one factor and nothing changes: only their ratios are determined");
        return;
    }
    carom_text_append(text, " cannot be told apart: changed together by");
    for (int i = 0, k = 0; i < count; i++)
        if (fabs(v[i]) > real_part)
            carom_text_append(text, "%s %+.3g", k++ == 0 ? "" : ",", v[i] / largest);
    carom_text_append(text, " %% they change nothing");
}

static void tell(const fit_problem *problem, int count, const int *unknown, const double *v, carom_text *text)
{
    int part[2] = {-1, -1}, parts = 0;
    for (int i = 0; i < count; i++)
        if (fabs(v[i]) > real_part && parts++ < 2)
            part[parts - 1] = i;
    const char *first = part[0] >= 0 ? problem->unknown[unknown[part[0]]].name : "";
    if (parts == 1)
        carom_text_append(text, "nothing that was measured depends on %s", first);
    else if (parts == 2)
        tell_pair(first, problem->unknown[unknown[part[1]]].name, v[part[0]], v[part[1]], text);
    else
        tell_many(problem, count, unknown, v, text);
}

carom_status fit_name_directions(const fit_problem *problem, int count, const int *unknown, const double *s,
                                 const double *v, int rank, carom_fit *fit, carom_error *error)
{
    fit->direction = carom_arena_take(fit->arena, (size_t)(count - rank) + 1, sizeof *fit->direction);
    if (!fit->direction)
        return carom_fail_memory(error);
    for (int d = rank; d < count; d++) {
        carom_fit_direction *direction = &fit->direction[fit->direction_count];
        const double *of = v + (size_t)d * (size_t)count;
        carom_text text = {0};
        tell(problem, count, unknown, of, &text);
        direction->strength = s[0] > 0.0 ? s[d] / s[0] : 0.0;
        direction->part = carom_arena_take(fit->arena, (size_t)fit->count, sizeof *direction->part);
        direction->text = text.bytes ? carom_arena_copy_text(fit->arena, text.bytes) : NULL;
        carom_text_free(&text);
        if (!direction->part || !direction->text)
            return carom_fail_memory(error);
        for (int i = 0; i < count; i++)
            direction->part[unknown[i]] = of[i];
        fit->direction_count++;
    }
    return CAROM_OK;
}
