/* Checkpoints of a run: what it remembers, kept now and then, and given back to go on. */
#include <math.h>
#include <string.h>

#include "active_run.h"

/* What the request must have in common with the one that made a checkpoint. */
static void keep_plan(const active_run *run, carom_snapshot *snapshot)
{
    const run_plan *plan = &run->plan;
    const carom_experiment *experiment = plan->experiment;
    const int numbers[] = {run->layout.width, run->request->record_every, run->request->sample_count,
                           experiment->measure_count};
    const double times[] = {plan->t0, plan->h};
    const size_t values = experiment->values ? (size_t)carom_tape_outputs(experiment->values) : 0;
    const size_t dof = (size_t)run->layout.dof;
    carom_snapshot_same(snapshot, plan->scheme->name, strlen(plan->scheme->name));
    carom_snapshot_same(snapshot, numbers, sizeof numbers);
    carom_snapshot_same(snapshot, times, sizeof times);
    carom_snapshot_same(snapshot, plan->parameter, (size_t)experiment->model->parameters * sizeof(double));
    carom_snapshot_same(snapshot, plan->values, values * sizeof(double));
    carom_snapshot_same(snapshot, plan->option, (size_t)plan->scheme->option_count * sizeof(double));
    for (int i = 0; i < plan->solver_option_count; i++) {
        const carom_option *option = &plan->solver_option[i];
        carom_snapshot_same(snapshot, option->name, strlen(option->name));
        carom_snapshot_same(snapshot, &option->value, sizeof option->value);
        carom_snapshot_same(snapshot, option->word ? option->word : "",
                            option->word ? strlen(option->word) : 0);
    }
    carom_snapshot_same(snapshot, run->start.q, (size_t)run->layout.positions * sizeof(double));
    carom_snapshot_same(snapshot, run->start.v, dof * sizeof(double));
}

/* Everything that rows and results of later steps depend on. What a run counts or sums up must be visited here. */
static void keep_run(active_run *run, carom_snapshot *snapshot)
{
    carom_run_result *result = run->result;
    const size_t row = (size_t)run->layout.width * sizeof(double);
    if (!run->stepper->ops->keep) {
        snapshot->failed = true;
        return;
    }
    keep_plan(run, snapshot);
    carom_snapshot_block(snapshot, &run->outputs, sizeof run->outputs);
    carom_snapshot_block(snapshot, &run->handed, sizeof run->handed);
    carom_snapshot_block(snapshot, run->last, row);
    carom_snapshot_block(snapshot, result->initial, row);
    carom_snapshot_block(snapshot, &result->max_step_gain, sizeof result->max_step_gain);
    if (run->certifier)
        certifier_keep(run->certifier, snapshot);
    if (run->finds_events || run->stepper->listener.take)
        event_list_keep(&run->events, snapshot);
    if (run->request->event_points)
        carom_numbers_keep(&run->event_columns, snapshot);
    carom_snapshot_block(snapshot, &result->impacts, sizeof result->impacts);
    asked_times_keep(&run->samples, snapshot);
    carom_snapshot_block(snapshot, result->sample, (size_t)result->sample_count * row);
    carom_stepper_keep(run->stepper, snapshot);
    if (run->measures)
        measure_set_keep(run->measures, snapshot);
}

/* Does the request say where to go on? */
bool run_is_resumed(const active_run *run)
{
    const carom_checkpoint *checkpoint = run->request->checkpoint;
    return checkpoint && checkpoint->bytes && !run->request->bare && !run->begins_anew && !run->sensitivity;
}

/* In the place of the first output. */
carom_status run_go_on(active_run *run, carom_error *error)
{
    const carom_checkpoint *checkpoint = run->request->checkpoint;
    carom_snapshot snapshot = carom_snapshot_of(checkpoint->bytes, checkpoint->count);
    keep_run(run, &snapshot);
    run->misfit = snapshot.failed || snapshot.place != snapshot.length || run->outputs - 1 > run->plan.steps;
    if (run->misfit)
        return carom_fail(error, CAROM_FAILED, "the checkpoint is of another run");
    run->result->steps_resumed = run->outputs - 1;
    return checkpoint->resumed ? checkpoint->resumed(checkpoint->context, error) : CAROM_OK;
}

carom_status run_save_checkpoint(active_run *run, carom_error *error)
{
    const carom_checkpoint *checkpoint = run->request->checkpoint;
    const double begun = carom_seconds();
    carom_snapshot snapshot = {0};
    keep_run(run, &snapshot);
    carom_status status = CAROM_OK;
    if (!snapshot.failed)
        status = checkpoint->save(checkpoint->context, snapshot.bytes, snapshot.length, error);
    carom_snapshot_free(&snapshot);
    run->last_checkpoint = carom_seconds();
    run->checkpoint_lasts = run->last_checkpoint - begun;
    return status;
}

bool run_makes_checkpoints(const active_run *run)
{
    return run->request->checkpoint && run->request->checkpoint->save && run->stepper && !run->sensitivity;
}

/* After a step; looks at the clock some ten times in an interval, as the steps so far suggest. Large ones are further apart: they
 * take a thirtieth of the time at most. */
carom_status run_save_when_due(active_run *run, long step, carom_error *error)
{
    enum {
        STEPS_BETWEEN_LOOKS = 256
    };
    if (step < run->next_look || !run_makes_checkpoints(run))
        return CAROM_OK;
    const double asked = run->request->checkpoint->seconds,
                 interval = asked > 0.0 ? fmax(asked, 30.0 * run->checkpoint_lasts) : 0.0,
                 passed = carom_seconds() - run->last_checkpoint;
    const double per_step = passed / (double)(step - run->last_look + 1), ahead = 0.1 * interval / per_step;
    run->next_look = step + (!(ahead >= 1.0)               ? 1
                             : ahead < STEPS_BETWEEN_LOOKS ? (long)ahead
                                                           : STEPS_BETWEEN_LOOKS);
    if (passed < interval)
        return CAROM_OK;
    run->last_look = step;
    return run_save_checkpoint(run, error);
}
