/* bar_front { ... }: what grids other than that of the waves do with a front, beside the exact shift: ripples of Lax
 * and Wendroff's scheme on a ring, and of a chain of masses that is struck. */
#include "study_inputs.h"

static carom_status advect(carom_study_call *call, int cells)
{
    const double courant = carom_study_number(call, "courant"), travel = carom_study_number(call, "travel");
    double *value = carom_study_take(call, (size_t)cells, sizeof *value),
           *work = carom_study_take(call, (size_t)cells, sizeof *work);
    if (!value || !work)
        return call->status;
    for (int j = 0; j < cells / 4; j++) /* a block: a front on either side */
        value[j] = 1.0;
    const long steps = lround(travel * cells / courant);
    const carom_status status = carom_bar_advect(cells, courant, steps, 1, value, work, call->error);
    if (status != CAROM_OK)
        return status;
    double low = 0.0, high = 0.0;
    for (int j = 0; j < cells; j++) {
        low = fmin(low, value[j]);
        high = fmax(high, value[j]);
    }
    carom_study_give_list(call, "wave", cells, value);
    carom_study_give_number(call, "overshoot", high - 1.0);
    carom_study_give_number(call, "undershoot", -low);
    carom_study_give_number(call, "steps", (double)steps);
    return call->status;
}

static carom_status compute(carom_study_call *call)
{
    const carom_bar bar = bar_read(call);
    const int cells = carom_study_whole(call, "cells");
    double *u = carom_study_take(call, (size_t)cells, sizeof *u);
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = advect(call, cells);
    if (status == CAROM_OK)
        status = carom_bar_chain_front(&bar, cells, carom_study_whole(call, "struck"),
                                       carom_study_number(call, "velocity"), carom_study_number(call, "t"), u,
                                       call->error);
    if (status == CAROM_OK)
        carom_study_give_list(call, "chain", cells, u);
    return status;
}

static const carom_study_input inputs[] = {
    {"cells", CAROM_STUDY_WHOLE, NULL, "cells of the ring, masses of the chain", .value = 100, .min = 4,
     .max = 10000},
    BAR_INPUTS,
    {"courant", CAROM_STUDY_NUMBER, NULL, "Courant number c dt / dx in (0, 1]; 1 is the exact shift",
     .value = 0.5},
    {"travel", CAROM_STUDY_NUMBER, "turns", "how far the block travels round the ring", .value = 1.0,
     .min = 0, .max = 1000},
    {"struck", CAROM_STUDY_WHOLE, NULL, "mass of the chain that is struck, 1 at the clamp", .value = 1,
     .min = 1, .max = 10000},
    {"velocity", CAROM_STUDY_NUMBER, NULL, "its velocity at t = 0", .value = 1.0},
    {"t", CAROM_STUDY_NUMBER, NULL, "when the chain is looked at", .value = 0.5},
    {0}};

static const carom_study_output outputs[] = {
    {"wave", CAROM_STUDY_LIST, NULL, "the block of height 1 after its travel"},
    {"overshoot", CAROM_STUDY_NUMBER, NULL, "how far it is above 1 somewhere"},
    {"undershoot", CAROM_STUDY_NUMBER, NULL, "how far it is below 0 somewhere"},
    {"steps", CAROM_STUDY_WHOLE, NULL, "steps of the scheme"},
    {"chain", CAROM_STUDY_LIST, NULL, "displacements of the masses of the chain at t"},
    {0}};

const carom_study_ops study_bar_front = {
    .name = "bar_front",
    .summary = "ripples behind a front on grids that are not those of the waves",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
