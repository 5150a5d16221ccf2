#include "carom/model/forcing.h"

#include <math.h>
#include <stdlib.h>

/* Ratios of frequencies are compared with fractions of whole numbers up to this ... */
static const double fraction_max = 1000.0;
/* ... to this. */
static const double fraction_accuracy = 1e-10;

/* The fraction p/q nearest to x > 0, by its continued fraction; false when none is near enough. */
static bool find_fraction(double x, double *p, double *q)
{
    double p_before = 0.0, q_before = 1.0, rest = x;
    *p = 1.0;
    *q = 0.0;
    for (int i = 0; i < 40; i++) {
        const double whole = floor(rest);
        const double p_next = whole * *p + p_before, q_next = whole * *q + q_before;
        if (!(p_next <= fraction_max && q_next <= fraction_max))
            return false;
        p_before = *p, q_before = *q;
        *p = p_next, *q = q_next;
        if (*q > 0.0 && *p > 0.0 && fabs(*p / *q - x) <= fraction_accuracy * x)
            return true;
        if (!(rest - whole > 0.0))
            return false;
        rest = 1.0 / (rest - whole);
    }
    return false;
}

static double common_divisor(double a, double b)
{
    while (b > 0.5) {
        const double rest = fmod(a, b);
        a = b;
        b = rest;
    }
    return a;
}

/* Frequencies w_i = w_0 p_i / q_i repeat together after the time 2 pi lcm(q_i) / (w_0 gcd(p_i lcm / q_i)). */
static void find_period(carom_forcing *forcing, const double *frequency)
{
    const double first = frequency[0];
    double multiple = 1.0, divisor = 1.0; /* w_i = first divisor_i / multiple */
    for (int i = 1; i < forcing->frequencies; i++) {
        double p, q;
        if (!find_fraction(frequency[i] / first, &p, &q)) {
            forcing->first = first;
            forcing->other = frequency[i];
            return;
        }
        const double grown = multiple * (q / common_divisor(multiple, q));
        divisor = common_divisor(divisor * (grown / multiple), p * (grown / q));
        multiple = grown;
    }
    forcing->period = 2.0 * acos(-1.0) * multiple / (first * divisor);
}

/* Those that are not zero, each once, positive. */
static int distinct(int count, double *frequency)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const double w = fabs(frequency[i]);
        bool known = !(w > 0.0);
        for (int k = 0; !known && k < kept; k++)
            known = frequency[k] == w;
        if (!known)
            frequency[kept++] = w;
    }
    return kept;
}

enum {
    FEW_FREQUENCIES = 32
};

carom_status carom_model_forcing(carom_model_work *work, carom_forcing *forcing, carom_error *error)
{
    const carom_model *model = work->model;
    *forcing = (carom_forcing){.kind = CAROM_TIME_UNKNOWN, .period = NAN};
    if (!model->ops->frequencies)
        return CAROM_OK;
    if (model->frequencies < 0) {
        forcing->kind = CAROM_TIME_OTHER;
        return CAROM_OK;
    }
    double few[FEW_FREQUENCIES]; /* a shooting asks in every evaluation */
    double *frequency = model->frequencies <= FEW_FREQUENCIES
                            ? few
                            : carom_new_array((size_t)model->frequencies, sizeof *frequency);
    if (!frequency)
        return carom_fail_memory(error);
    model->ops->frequencies(work, frequency);
    forcing->frequencies = distinct(model->frequencies, frequency);
    forcing->kind = forcing->frequencies > 0 ? CAROM_TIME_PERIODIC : CAROM_TIME_NONE;
    forcing->period = forcing->frequencies > 0 ? NAN : 0.0;
    for (int i = 0; i < forcing->frequencies; i++)
        forcing->fastest = fmax(forcing->fastest, frequency[i]);
    if (forcing->frequencies > 0 && isfinite(forcing->fastest))
        find_period(forcing, frequency);
    if (frequency != few)
        free(frequency);
    return CAROM_OK;
}

double carom_model_driven_period(carom_model_work *work)
{
    carom_forcing forcing;
    carom_error error;
    const carom_status status = carom_model_forcing(work, &forcing, &error);
    return status == CAROM_OK && forcing.period > 0.0 ? forcing.period : NAN;
}

carom_status carom_model_period(carom_model_work *work, const char *advice, double *period,
                                carom_error *error)
{
    carom_forcing forcing;
    const char *behind = advice ? advice : "", *mark = advice ? "; " : "";
    const carom_status status = carom_model_forcing(work, &forcing, error);
    *period = NAN;
    if (status != CAROM_OK)
        return status;
    if (forcing.kind == CAROM_TIME_NONE)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has no forcing period: nothing in it depends on time%s%s", mark, behind);
    if (forcing.kind == CAROM_TIME_OTHER)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the forcing period is not known: the model depends on time otherwise than through sin "
            "and cos of a*t + b with a of parameters%s%s",
            mark, behind);
    if (forcing.kind == CAROM_TIME_UNKNOWN)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the forcing period is not known: it is found for models of expressions only%s%s",
                          mark, behind);
    if (isnan(forcing.period) && forcing.other > 0.0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "there is no forcing period: the frequencies %.10g and %.10g have none in common%s%s",
            forcing.first, forcing.other, mark, behind);
    if (!isfinite(forcing.period))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a forcing frequency of the model is not a finite number%s%s", mark, behind);
    *period = forcing.period;
    return CAROM_OK;
}
