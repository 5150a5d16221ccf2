#include "study_inputs.h"

#include <math.h>

carom_bar bar_read(carom_study_call *call)
{
    carom_bar bar = carom_bar_unit();
    bar.length = carom_study_number(call, "L");
    bar.area = carom_study_number(call, "S");
    bar.density = carom_study_number(call, "rho");
    const double speed = carom_study_number(call, "c");
    bar.young = bar.density * speed * speed;
    bar.gap = carom_study_number(call, "g0");
    carom_error error;
    if (!(speed > 0.0))
        carom_study_fail(call, CAROM_BAD_INPUT, "c = %g must be positive", speed);
    if (carom_bar_check(&bar, &error) != CAROM_OK)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s", error.text);
    return bar;
}

carom_status bar_read_mode(carom_study_call *call, const carom_bar *bar, carom_bar_mode *mode)
{
    static const char *const needed[] = {"N", "m", "d"};
    for (int i = 0; i < 3; i++)
        if (isnan(carom_study_number(call, needed[i])))
            return carom_study_fail(call, CAROM_BAD_INPUT, "an exact motion needs %s = a number", needed[i]);
    return carom_bar_mode_make(bar, carom_study_whole(call, "N"), carom_study_whole(call, "m"),
                               carom_study_number(call, "d"), mode, call->error);
}

static carom_status read_steps(carom_study_call *call, const carom_bar *bar, double period, bar_start *start)
{
    const double t_end = carom_study_number(call, "t_end"), periods = carom_study_number(call, "periods");
    double steps = carom_study_number(call, "steps");
    const int given = !isnan(steps) + !isnan(t_end) + !isnan(periods);
    if (given != 1)
        return carom_study_fail(call, CAROM_BAD_INPUT,
                                "needs steps = a number%s, or t_end, or periods of a mode",
                                given > 1 ? " alone" : "");
    if (!isnan(periods) && isnan(period))
        return carom_study_fail(call, CAROM_BAD_INPUT,
                                "periods are those of a mode: give N, m and d, or t_end");
    if (isnan(steps))
        steps = floor((isnan(periods) ? t_end : period * periods) * (carom_bar_speed(bar) / bar->length) *
                          start->cells +
                      0.5);
    if (!(steps >= 1.0 && steps <= BAR_STEPS_MOST))
        return carom_study_fail(call, CAROM_BAD_INPUT, "steps = %g must be a whole number from 1 to %d",
                                steps, BAR_STEPS_MOST);
    start->steps = (int)steps;
    return CAROM_OK;
}

carom_status bar_read_start(carom_study_call *call, const carom_bar *bar, bar_start *start)
{
    carom_bar_mode mode = {.period = NAN};
    *start = (bar_start){.cells = carom_study_whole(call, "cells")};
    const size_t cells = (size_t)start->cells;
    const bool exact = carom_study_given(call, "N");
    carom_status status = call->status;
    if (status == CAROM_OK && exact)
        status = bar_read_mode(call, bar, &mode);
    if (status == CAROM_OK)
        status = read_steps(call, bar, mode.period, start);
    if (status != CAROM_OK)
        return status;
    if (!exact) {
        start->displacement = carom_study_list(call, "u", start->cells + 1);
        start->velocity = carom_study_list(call, "v", start->cells);
    }
    if (!start->displacement)
        start->displacement = carom_study_take(call, cells + 1, sizeof(double));
    if (!start->velocity)
        start->velocity = carom_study_take(call, cells, sizeof(double));
    if (exact && call->status == CAROM_OK)
        carom_bar_mode_sample(&mode, 0.0, start->cells, start->displacement, start->velocity);
    return call->status;
}

double bar_return(const bar_start *start, const double *u, const double *v)
{
    double worst = 0.0;
    for (int i = 0; i <= start->cells; i++)
        worst = fmax(worst, fabs(u[i] - start->displacement[i]));
    for (int i = 0; v && i < start->cells; i++)
        worst = fmax(worst, fabs(v[i] - start->velocity[i]));
    return worst;
}
