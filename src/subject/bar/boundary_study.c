/* bar_boundary { cells =, steps =, ... }: the bar against a wall by boundary elements in time. */
#include "study_inputs.h"

enum {
    STEPS_PER_REPORT = 1 << 12
};

static carom_status move(carom_study_call *call, carom_bar_boundary *boundary, const carom_bar *bar,
                         const bar_start *start, double *t, double *end, double *u)
{
    const double step = bar->length / carom_bar_speed(bar) / start->cells;
    carom_status status =
        carom_bar_boundary_start(boundary, start->displacement, start->velocity, call->error);
    for (int k = 0; status == CAROM_OK && k <= start->steps; k++) {
        if (k > 0)
            status = carom_bar_boundary_step(boundary, call->error);
        t[k] = k * step;
        end[k] = status == CAROM_OK ? carom_bar_boundary_end(boundary, k) : NAN;
        if (k % STEPS_PER_REPORT == 0 && carom_study_stopped(call, k, start->steps))
            return call->status;
    }
    for (int i = 0; status == CAROM_OK && i <= start->cells; i++)
        u[i] = carom_bar_boundary_inside(boundary, bar->length * i / start->cells, start->steps * step);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    const carom_bar bar = bar_read(call);
    bar_start start;
    carom_status status = bar_read_start(call, &bar, &start);
    if (status != CAROM_OK)
        return status;
    const size_t size = (size_t)start.steps + 1;
    double *t = carom_study_take(call, size, sizeof *t), *end = carom_study_take(call, size, sizeof *end),
           *u = carom_study_take(call, (size_t)start.cells + 1, sizeof *u);
    carom_bar_boundary *boundary = NULL;
    status = call->status;
    if (status == CAROM_OK)
        status = carom_bar_boundary_create(&bar, start.cells, start.steps, &boundary, call->error);
    if (status == CAROM_OK)
        status = move(call, boundary, &bar, &start, t, end, u);
    carom_bar_boundary_free(boundary);
    if (status != CAROM_OK)
        return status;
    carom_study_give_list(call, "t", start.steps + 1, t);
    carom_study_give_list(call, "right_end", start.steps + 1, end);
    carom_study_give_number(call, "right", end[start.steps]);
    carom_study_give_list(call, "u", start.cells + 1, u);
    carom_study_give_number(call, "steps", start.steps);
    carom_study_give_number(call, "returns", bar_return(&start, u, NULL));
    return CAROM_OK;
}

static const carom_study_input inputs[] = {BAR_START_INPUTS, BAR_INPUTS, {0}};

static const carom_study_output outputs[] = {
    {"t", CAROM_STUDY_LIST, NULL, "instants"},
    {"right_end", CAROM_STUDY_LIST, NULL, "displacement of the right end then"},
    {"right", CAROM_STUDY_NUMBER, NULL, "displacement of the right end at the end"},
    {"u", CAROM_STUDY_LIST, NULL, "displacements of the nodes at the end"},
    {"steps", CAROM_STUDY_WHOLE, NULL, "steps made"},
    {"returns", CAROM_STUDY_NUMBER, NULL, "largest difference of u at the end from that at the start"},
    {0}};

const carom_study_ops study_bar_boundary = {.name = "bar_boundary",
                                            .summary = "a bar against a wall by boundary elements in time",
                                            .inputs = inputs,
                                            .outputs = outputs,
                                            .compute = compute};
