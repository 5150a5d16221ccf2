/* bar_mode { N =, m =, d = }: an exact motion with one contact phase per period. */
#include "study_inputs.h"

/* Displacements and velocities at count + 1 places from 0 to L, at time t. */
static void give_profile(carom_study_call *call, const carom_bar_mode *mode, double t, int count)
{
    const size_t size = (size_t)count + 1;
    double *x = carom_study_take(call, size, sizeof *x), *u = carom_study_take(call, size, sizeof *u),
           *v = carom_study_take(call, size, sizeof *v);
    for (int i = 0; x && u && v && i <= count; i++) {
        x[i] = mode->bar.length * i / count;
        const carom_bar_point point = carom_bar_mode_at(mode, x[i], t);
        u[i] = point.displacement;
        v[i] = point.velocity;
    }
    if (call->status != CAROM_OK)
        return;
    carom_study_give_list(call, "x", count + 1, x);
    carom_study_give_list(call, "u", count + 1, u);
    carom_study_give_list(call, "v", count + 1, v);
}

/* The right end at count + 1 instants over `periods` periods. */
static void give_history(carom_study_call *call, const carom_bar_mode *mode, double periods, int count)
{
    const size_t size = (size_t)count + 1;
    double *t = carom_study_take(call, size, sizeof *t), *u = carom_study_take(call, size, sizeof *u);
    for (int k = 0; t && u && k <= count; k++) {
        t[k] = periods * mode->period * k / count;
        u[k] = carom_bar_mode_at(mode, mode->bar.length, t[k]).displacement;
    }
    if (call->status != CAROM_OK)
        return;
    carom_study_give_list(call, "end_t", count + 1, t);
    carom_study_give_list(call, "end_u", count + 1, u);
}

static carom_status compute(carom_study_call *call)
{
    const carom_bar bar = bar_read(call);
    carom_bar_mode mode;
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = bar_read_mode(call, &bar, &mode);
    if (status != CAROM_OK)
        return status;
    give_profile(call, &mode, carom_study_number(call, "t"), carom_study_whole(call, "places"));
    give_history(call, &mode, carom_study_number(call, "periods"), carom_study_whole(call, "instants"));
    carom_study_give_number(call, "T", mode.period);
    carom_study_give_number(call, "t1", mode.free_time);
    carom_study_give_number(call, "t2", mode.contact_time);
    carom_study_give_number(call, "alpha", mode.alpha);
    carom_study_give_number(call, "energy", mode.energy);
    carom_study_give_number(call, "frequency_ratio", mode.frequency_ratio);
    carom_study_give_number(call, "longest", mode.longest);
    carom_study_give_number(call, "touches", mode.touches);
    carom_study_give_flag(call, "admissible", mode.admissible);
    carom_study_give_text(call, "reason", mode.reason);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"N", CAROM_STUDY_WHOLE, NULL, "family index, odd", .value = NAN, .min = -CAROM_BAR_LARGEST_INDEX,
     .max = CAROM_BAR_LARGEST_INDEX},
    {"m", CAROM_STUDY_WHOLE, NULL, "turns: d + N c T = 4 L m", .value = NAN, .min = -1000, .max = 1000},
    {"d", CAROM_STUDY_NUMBER, NULL, "contact length c t2", .value = NAN},
    BAR_INPUTS,
    {"t", CAROM_STUDY_NUMBER, NULL, "instant of the profile", .value = 0.0},
    {"places", CAROM_STUDY_WHOLE, NULL, "cells of the profile", .value = 20, .min = 1, .max = BAR_CELLS_MOST},
    {"periods", CAROM_STUDY_NUMBER, NULL, "periods of the history of the end", .value = 2},
    {"instants", CAROM_STUDY_WHOLE, NULL, "steps of that history", .value = 400, .min = 1,
     .max = BAR_CELLS_MOST},
    {0}};

static const carom_study_output outputs[] = {
    {"T", CAROM_STUDY_NUMBER, NULL, "period"},
    {"t1", CAROM_STUDY_NUMBER, NULL, "time of flight"},
    {"t2", CAROM_STUDY_NUMBER, NULL, "time in contact"},
    {"alpha", CAROM_STUDY_NUMBER, NULL, "amplitude of phi"},
    {"energy", CAROM_STUDY_NUMBER, NULL, "energy"},
    {"frequency_ratio", CAROM_STUDY_NUMBER, NULL, "frequency over the first one of the bar without a wall"},
    {"longest", CAROM_STUDY_NUMBER, NULL, "d of this family stays below"},
    {"touches", CAROM_STUDY_WHOLE, NULL, "instants at which the end touches the wall without a force"},
    {"admissible", CAROM_STUDY_FLAG, NULL, "whether it is a motion"},
    {"reason", CAROM_STUDY_TEXT, NULL, "why it is none"},
    {"x", CAROM_STUDY_LIST, NULL, "places of the profile"},
    {"u", CAROM_STUDY_LIST, NULL, "displacements there at t"},
    {"v", CAROM_STUDY_LIST, NULL, "velocities there at t"},
    {"end_t", CAROM_STUDY_LIST, NULL, "instants of the history"},
    {"end_u", CAROM_STUDY_LIST, NULL, "displacement of the end then"},
    {0}};

const carom_study_ops study_bar_mode = {.name = "bar_mode",
                                        .summary = "exact periodic motion of an elastic bar against a wall",
                                        .inputs = inputs,
                                        .outputs = outputs,
                                        .compute = compute};
