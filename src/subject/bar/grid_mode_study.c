/* bar_grid_mode { cells =, free_steps =, closed_steps = }: a periodic motion of the bar on the grid of its waves. */
#include "study_inputs.h"

static carom_status compute(carom_study_call *call)
{
    const carom_bar bar = bar_read(call);
    carom_bar_grid_request request = {.cells = carom_study_whole(call, "cells"),
                                      .left = carom_study_word(call, "left") == 0 ? CAROM_BAR_FIXED
                                                                                  : CAROM_BAR_SPRING,
                                      .spring = carom_study_number(call, "spring"),
                                      .free_steps = carom_study_whole(call, "free_steps"),
                                      .closed_steps = carom_study_whole(call, "closed_steps")};
    int a = 2 * request.cells, b = request.free_steps + request.closed_steps;
    while (b != 0) { /* cycles of the permutation: the greatest common divisor */
        const int rest = a % b;
        a = b;
        b = rest;
    }
    request.weight = carom_study_list(call, "weight", a);
    carom_bar_grid_mode mode = {0};
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = carom_bar_grid_mode_find(&bar, &request, &mode, call->error);
    if (status == CAROM_OK) {
        carom_study_give_number(call, "T", mode.period);
        carom_study_give_number(call, "energy", mode.energy);
        carom_study_give_number(call, "cycles", mode.cycles);
        carom_study_give_number(call, "freedom", mode.freedom);
        carom_study_give_number(call, "residual", mode.residual);
        carom_study_give_list(call, "u", mode.cells + 1, mode.displacement);
        carom_study_give_list(call, "v", mode.cells, mode.velocity);
        carom_study_give_flag(call, "admissible", mode.admissible);
        carom_study_give_text(call, "reason", mode.reason);
    }
    carom_bar_grid_mode_free(&mode);
    return status;
}

static const char *const ends[] = {"fixed", "spring", NULL};

static const carom_study_input inputs[] = {
    {"cells", CAROM_STUDY_WHOLE, NULL, "cells of the grid", .value = NAN, .min = 2, .max = 2000},
    {"free_steps", CAROM_STUDY_WHOLE, NULL, "steps in flight", .value = NAN, .min = 1, .max = 1000000},
    {"closed_steps", CAROM_STUDY_WHOLE, NULL, "then steps at the wall", .value = NAN, .min = 1,
     .max = 1000000},
    BAR_INPUTS,
    {"left", CAROM_STUDY_WORD, NULL, "the left end", .choices = ends},
    {"spring", CAROM_STUDY_NUMBER, "1/length", "left = \"spring\": u_x(0) = spring u(0)", .value = 0.0},
    {"weight", CAROM_STUDY_LIST, NULL, "fixed end: amplitudes of the cycles, before all are scaled",
     .usual = "1"},
    {0}};

static const carom_study_output outputs[] = {
    {"T", CAROM_STUDY_NUMBER, NULL, "period"},
    {"energy", CAROM_STUDY_NUMBER, NULL, "energy"},
    {"cycles", CAROM_STUDY_WHOLE, NULL, "of the signed permutation that a period is; 0 with a spring"},
    {"freedom", CAROM_STUDY_WHOLE, NULL,
     "dimension of the periodic waves; above 1 the motion is one of many"},
    {"residual", CAROM_STUDY_NUMBER, NULL, "largest change of a wave after a period, of the largest wave"},
    {"u", CAROM_STUDY_LIST, NULL, "displacements of the cells + 1 nodes when the wall is left"},
    {"v", CAROM_STUDY_LIST, NULL, "velocities of the cells then"},
    {"admissible", CAROM_STUDY_FLAG, NULL, "whether it is a motion"},
    {"reason", CAROM_STUDY_TEXT, NULL, "why it is none"},
    {0}};

const carom_study_ops study_bar_grid_mode = {.name = "bar_grid_mode",
                                             .summary = "periodic motion of a bar on the grid of its waves",
                                             .inputs = inputs,
                                             .outputs = outputs,
                                             .compute = compute};
