/* stop { when = ... }: conditions that end a run. */
#include <math.h>
#include <stdio.h>

#include "active_run.h"

carom_status run_prepare_stops(active_run *run, carom_error *error)
{
    const carom_experiment *experiment = run->plan.experiment;
    if (!experiment->stops || run->request->no_stop || run->request->bare)
        return CAROM_OK;
    run->stop_value = carom_arena_take(run->arena, (size_t)experiment->stop_count, sizeof(double));
    run->stops_work = carom_arena_take(run->arena, carom_tape_work_size(experiment->stops), sizeof(double));
    if (!run->stop_value || !run->stops_work)
        return carom_fail_memory(error);
    carom_tape_bind(experiment->stops, run->plan.parameter, run->stops_work);
    if (run->request->sensitivity_count == 0)
        return CAROM_OK;
    run->stop_along = carom_arena_take(run->arena, (size_t)experiment->stop_count, sizeof(double));
    run->stops_tangent =
        carom_arena_take(run->arena, carom_tape_work_size(experiment->stops), sizeof(double));
    if (!run->stop_along || !run->stops_tangent)
        return carom_fail_memory(error);
    return CAROM_OK;
}

/* Number of the largest of the values; one that is not a number is the largest. */
static int largest(int count, const double *value)
{
    int found = 0;
    for (int i = 1; i < count && !isnan(value[found]); i++)
        if (!(value[i] <= value[found]))
            found = i;
    return found;
}

static double value_at(void *context, double t, const double *q, const double *v)
{
    active_run *run = context;
    const carom_experiment *experiment = run->plan.experiment;
    carom_tape_evaluate(experiment->stops, run->stops_work, &(carom_inputs){.t = t, .q = q, .u = v},
                        run->stop_value);
    return run->stop_value[largest(experiment->stop_count, run->stop_value)];
}

static double value_along(void *context, double t, const double *q, const double *v,
                          const carom_direction *direction)
{
    active_run *run = context;
    const carom_experiment *experiment = run->plan.experiment;
    const carom_inputs moves = {.t = direction->t, .q = direction->q, .u = direction->u};
    value_at(run, t, q, v);
    carom_tape_along_bind(experiment->stops, run->stops_work, direction->parameter, run->stops_tangent);
    carom_tape_along(experiment->stops, run->stops_work, run->stops_tangent, &moves, run->stop_along);
    return run->stop_along[largest(experiment->stop_count, run->stop_value)];
}

carom_ending run_stop_ending(active_run *run)
{
    const carom_experiment *experiment = run->plan.experiment;
    if (!run->stops_work)
        return (carom_ending){0};
    for (int i = 0; i < experiment->stop_count; i++)
        if (carom_tape_depends(experiment->stops, i) & CAROM_ON_NO_MOTION)
            return (carom_ending){0};
    return (carom_ending){
        .context = run, .value = value_at, .along = run->stops_tangent ? value_along : NULL};
}

/* Before the first step accelerations and forces of joints may be unknown; later no value is a mistake in the model. */
carom_status run_look_at_stops(active_run *run, carom_error *error)
{
    const carom_experiment *experiment = run->plan.experiment;
    if (!run->stops_work)
        return CAROM_OK;
    run_evaluate_stops(run, run->last, run->stop_value);
    const int which = largest(experiment->stop_count, run->stop_value);
    const double value = run->stop_value[which];
    if (isnan(value) && run->outputs > 1)
        return carom_fail(
            error, CAROM_FAILED,
            "stopped after step %ld of %ld, at t = %.10g: the condition of stop '%s' (line %d) is not a "
            "number there",
            run->outputs - 1, run->plan.steps, run->last[0], experiment->stop[which].name,
            experiment->stop[which].line);
    if (value > 0.0 || run->stepper->ended)
        run->stopped = which + 1;
    return CAROM_OK;
}

void run_describe_stop(const active_run *run, char *text, size_t size)
{
    const carom_stop_condition *stop = &run->plan.experiment->stop[run->stopped - 1];
    snprintf(text, size, "stop '%s' (line %d) at t = %.10g, after step %ld of %ld", stop->name, stop->line,
             run->last[0], run->outputs - 1, run->plan.steps);
}
