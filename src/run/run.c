#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked_times.h"
#include "carom/linalg.h"
#include "carom/run.h"
#include "certificate.h"
#include "event_list.h"
#include "measure.h"
#include "plan.h"
#include "start.h"
#include "step_events.h"

enum {
    STEPS_PER_REPORT = 1024,
    QUESTIONS_PER_REPORT = 8 /* of a scheme inside a long step */
};

/* Growth of energy that is told, relative to the kinetic energy. */
static const double energy_growth_allowed = 0.01;

/* One run under way:
 *
 *   stepper state -> candidate row -> checked -> measures, counters, samples, recorders -> last good row */
typedef struct active_run {
    const carom_run_request *request;
    carom_run_result *result;
    run_plan plan;
    carom_row_layout layout;
    carom_arena *arena; /* what only the run needs */
    carom_model_work *work;
    carom_state start;
    carom_stepper *stepper;
    measure_set *measures; /* NULL: none */
    certifier *certifier;  /* NULL: bare, or nothing moves */
    asked_times samples;
    double *observe_work;
    double *observed;          /* energy of the output, then the model's observables */
    double *candidate, *last;  /* rows; exchanged when the candidate is good */
    bool columns_in_use;       /* at every output, not only at the ends */
    bool has_obstacles;        /* contacts that are not friction forces */
    long outputs;              /* good ones, the initial one included */
    long handed;               /* outputs up to this one (1-based) are with the recorders, or passed over */
    event_list events;         /* of a scheme that locates them, or asked for */
    step_events found_events;  /* of a scheme that does not */
    bool finds_events;         /* ... when they are asked for */
    double *event_row;         /* the state at an event, for measures of columns there */
    long step;                 /* the one under way, from 1 */
    unsigned questions;        /* whether it shall go on */
    const char *word;          /* for a failure that has a word of its own */
    bool begins_anew;          /* the request's checkpoint does not fit: the run starts at its start */
    bool misfit;               /* ... which was just found out */
    double last_checkpoint;    /* when it was made, in seconds */
    long next_look, last_look; /* steps at which the clock is, and was, looked at */
} active_run;

/* ---- rows ---------------------------------------------------------------------------------------- */

static void evaluate_columns(const active_run *run, double *row)
{
    const carom_experiment *experiment = run->plan.experiment;
    if (!experiment->observe)
        return;
    const carom_model *model = experiment->model;
    run->observed[0] = row[run->layout.energy];
    if (model->observables > 0)
        model->ops->observe(run->work, row[0], row + run->layout.q, row + run->layout.v,
                            row + run->layout.impulse, run->observed + 1);
    carom_inputs inputs = {.t = row[0],
                           .q = row + run->layout.q,
                           .u = row + run->layout.v,
                           .impulse = row + run->layout.impulse,
                           .observed = run->observed};
    carom_tape_evaluate(experiment->observe, run->observe_work, &inputs, row + run->layout.column);
}

/* Where a scheme conserves an energy of its own, that one tells what contacts do. */
static double energy_of(const active_run *run, const carom_state *state)
{
    carom_stepper *stepper = run->stepper;
    if (stepper && state == &stepper->state)
        return carom_stepper_energy(stepper);
    return run->work->model->ops->energy(run->work, state->t, state->q, state->v);
}

static void build_row(const active_run *run, const carom_state *state, double *row)
{
    const carom_row_layout *layout = &run->layout;
    const carom_model_ops *ops = run->work->model->ops;
    const int contacts = layout->contacts;
    row[0] = state->t;
    carom_copy(layout->dof, state->q, row + layout->q);
    carom_copy(layout->dof, state->v, row + layout->v);
    row[layout->energy] = energy_of(run, state);
    if (run->has_obstacles) /* gaps of friction forces are 0 always, as the row is from the start */
        ops->gaps(run->work, state->t, state->q, row + layout->gap);
    carom_copy(CAROM_CONTACT_COMPONENTS * contacts, state->impulse, row + layout->impulse);
    for (int i = 0; i < contacts; i++) {
        const bool located = state->impact_time && isfinite(state->impact_time[i]);
        row[layout->regime + i] = state->regime[i];
        row[layout->located + i] = located ? state->impact_time[i] : state->t;
    }
    if (run->columns_in_use)
        evaluate_columns(run, row);
}

/* Says which part of a row an index belongs to. */
static void describe_entry(const active_run *run, int index, char *text, size_t size)
{
    const carom_row_layout *layout = &run->layout;
    const carom_model *model = run->plan.experiment->model;
    if (index < layout->q)
        snprintf(text, size, "time");
    else if (index < layout->v)
        snprintf(text, size, "coordinate '%s'", model->coordinate[index - layout->q]);
    else if (index < layout->energy)
        snprintf(text, size, "velocity of '%s'", model->coordinate[index - layout->v]);
    else if (index < layout->gap)
        snprintf(text, size, "energy");
    else if (index < layout->impulse)
        snprintf(text, size, "gap of contact '%s'", model->contact[index - layout->gap].name);
    else
        snprintf(text, size, "impulse of contact '%s'",
                 model->contact[(index - layout->impulse) / CAROM_CONTACT_COMPONENTS].name);
}

static double time_after(const active_run *run, long steps)
{
    return run->plan.t0 + (double)steps * run->plan.h;
}

/* A contact without an obstacle is infinitely far away. */
static bool is_absent_gap(const active_run *run, int index, double value)
{
    const carom_row_layout *layout = &run->layout;
    return index >= layout->gap && index < layout->impulse && value == INFINITY &&
           run->plan.experiment->model->contact[index - layout->gap].may_be_absent;
}

/* Everything that the step decides must be finite; columns may be what they like. */
static carom_status check_row(active_run *run, const double *row, long step, carom_error *error)
{
    const int entries = run->layout.regime;
    if (carom_all_finite(entries, row))
        return CAROM_OK;
    int index = 0;
    while (index < entries && (isfinite(row[index]) || is_absent_gap(run, index, row[index])))
        index++;
    if (index == entries)
        return CAROM_OK;
    char entry[256];
    describe_entry(run, index, entry, sizeof entry);
    run->word = "blowup";
    const int motion_end = run->layout.v + run->layout.dof;
    const bool formula = carom_all_finite(motion_end, row); /* of a gap, of the energy */
    return carom_fail(
        error, CAROM_FAILED, "the motion is not finite after step %ld, at t = %.10g: %s is %g; %s", step,
        time_after(run, step), entry, row[index],
        formula ? "its formula has no finite value at this position and velocity, which are "
                  "finite: no step helps where the motion leads there"
                : "look where the motion begins to grow: if it does so with half the step, too, "
                  "the model is the cause");
}

/* ---- what is done with a good row ------------------------------------------------------------------ */

static void count_changes(const active_run *run, const double *row)
{
    const carom_row_layout *layout = &run->layout;
    carom_run_result *result = run->result;
    if (run->outputs == 0)
        return;
    const double gain = row[layout->energy] - run->last[layout->energy];
    if (gain > result->max_step_gain)
        result->max_step_gain = gain;
    if (run->plan.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS)
        return; /* it tells of them */
    for (int i = 0; i < layout->contacts; i++)
        result->impacts += run->last[layout->regime + i] == (double)CAROM_CONTACT_OPEN &&
                           row[layout->regime + i] != (double)CAROM_CONTACT_OPEN;
}

static void take_samples(active_run *run, double t, const double *row)
{
    size_t width = (size_t)run->layout.width;
    double previous_t = run->outputs > 0 ? run->last[0] : -INFINITY;
    bool earlier;
    int place;
    while ((place = asked_times_decide(&run->samples, previous_t, t, 1e-9 * run->plan.h, &earlier)) >= 0)
        memcpy(run->result->sample + (size_t)place * width, earlier ? run->last : row, width * sizeof *row);
}

static carom_status hand_to_recorders(active_run *run, const double *row, carom_error *error)
{
    run->handed = run->outputs;
    for (int i = 0; i < run->request->recorder_count; i++) {
        const carom_recorder *recorder = &run->request->recorder[i];
        carom_status status = recorder->row ? recorder->row(recorder->context, row, error) : CAROM_OK;
        if (status == CAROM_NO_MEMORY)
            return status;
        if (status != CAROM_OK)
            return carom_fail(error, CAROM_IO_ERROR, "after step %ld, at t = %.10g: %s", run->outputs - 1,
                              row[0], error->text);
    }
    return CAROM_OK;
}

/* The candidate becomes the last good row. */
static void keep_candidate(active_run *run)
{
    double *row = run->candidate;
    run->candidate = run->last;
    run->last = row;
}

static carom_status accept_candidate(active_run *run, carom_error *error)
{
    const double *row = run->candidate;
    if (run->measures) {
        carom_status status = measure_set_take(run->measures, row, error);
        if (status != CAROM_OK)
            return status;
    }
    count_changes(run, row);
    if (run->request->sample_count > 0)
        take_samples(run, row[0], row);
    keep_candidate(run);
    long index = run->outputs++;
    long every = run->request->record_every > 1 ? run->request->record_every : 1;
    return index % every == 0 ? hand_to_recorders(run, row, error) : CAROM_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------------- */

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
    carom_snapshot_same(snapshot, run->start.q, dof * sizeof(double));
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
    certifier_keep(run->certifier, snapshot);
    if (run->finds_events)
        event_list_keep(&run->events, snapshot);
    carom_snapshot_block(snapshot, &result->impacts, sizeof result->impacts);
    asked_times_keep(&run->samples, snapshot);
    carom_snapshot_block(snapshot, result->sample, (size_t)result->sample_count * row);
    carom_stepper_keep(run->stepper, snapshot);
    if (run->measures)
        measure_set_keep(run->measures, snapshot);
}

/* Does the request say where to go on? */
static bool is_resumed(const active_run *run)
{
    const carom_checkpoint *checkpoint = run->request->checkpoint;
    return checkpoint && checkpoint->bytes && !run->request->bare && !run->begins_anew;
}

/* In the place of the first output. */
static carom_status go_on(active_run *run, carom_error *error)
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

static carom_status save_checkpoint(active_run *run, carom_error *error)
{
    const carom_checkpoint *checkpoint = run->request->checkpoint;
    carom_snapshot snapshot = {0};
    keep_run(run, &snapshot);
    carom_status status = CAROM_OK;
    if (!snapshot.failed)
        status = checkpoint->save(checkpoint->context, snapshot.bytes, snapshot.length, error);
    carom_snapshot_free(&snapshot);
    run->last_checkpoint = carom_seconds();
    return status;
}

static bool makes_checkpoints(const active_run *run)
{
    return run->request->checkpoint && run->request->checkpoint->save && run->stepper;
}

/* After a step; looks at the clock some ten times in an interval, as the steps so far suggest. */
static carom_status save_when_due(active_run *run, long step, carom_error *error)
{
    enum {
        STEPS_BETWEEN_LOOKS = 256
    };
    if (step < run->next_look || !makes_checkpoints(run))
        return CAROM_OK;
    const double interval = run->request->checkpoint->seconds,
                 passed = carom_seconds() - run->last_checkpoint;
    const double per_step = passed / (double)(step - run->last_look + 1), ahead = 0.1 * interval / per_step;
    run->next_look = step + (!(ahead >= 1.0)               ? 1
                             : ahead < STEPS_BETWEEN_LOOKS ? (long)ahead
                                                           : STEPS_BETWEEN_LOOKS);
    if (passed < interval)
        return CAROM_OK;
    run->last_look = step;
    return save_checkpoint(run, error);
}

/* ---- set-up ---------------------------------------------------------------------------------------- */

/* Some models can tell only now whether their parameters fit together. */
static carom_status bind_model(active_run *run, carom_error *error)
{
    const carom_experiment *experiment = run->plan.experiment;
    carom_error inner = {0};
    const carom_status status =
        carom_model_work_create(experiment->model, run->plan.parameter, &run->work, &inner);
    if (status == CAROM_OK)
        return CAROM_OK;
    if (experiment->file && isdigit((unsigned char)inner.text[0])) /* the model knows the line better */
        return carom_fail(error, status, "%s:%s", experiment->file, inner.text);
    if (experiment->file && experiment->inertia_line > 0)
        return carom_fail(error, status, "%s:%d: %s", experiment->file, experiment->inertia_line, inner.text);
    return carom_fail(error, status, "%s", inner.text);
}

static carom_status take_memory(active_run *run, carom_error *error)
{
    const carom_experiment *experiment = run->plan.experiment;
    carom_run_result *result = run->result;
    size_t width = (size_t)run->layout.width;
    run->arena = carom_arena_create();
    if (!run->arena)
        return carom_fail_memory(error);
    carom_status status = bind_model(run, error);
    if (status != CAROM_OK)
        return status;
    run->candidate = carom_arena_take(run->arena, width, sizeof(double));
    run->last = carom_arena_take(run->arena, width, sizeof(double));
    run->event_row = carom_arena_take(run->arena, width, sizeof(double));
    result->initial = carom_new_array(width, sizeof(double));
    result->final = carom_new_array(width, sizeof(double));
    if (!run->candidate || !run->last || !run->event_row || !result->initial || !result->final)
        return carom_fail_memory(error);
    if (!experiment->observe)
        return CAROM_OK;
    run->observe_work =
        carom_arena_take(run->arena, carom_tape_work_size(experiment->observe), sizeof(double));
    run->observed = carom_arena_take(run->arena, 1 + (size_t)experiment->model->observables, sizeof(double));
    if (!run->observe_work || !run->observed)
        return carom_fail_memory(error);
    carom_tape_bind(experiment->observe, run->plan.parameter, run->observe_work);
    return CAROM_OK;
}

/* Measures and samples; a bare run has none. */
static carom_status prepare_reductions(active_run *run, carom_error *error)
{
    const carom_run_request *request = run->request;
    const carom_experiment *experiment = run->plan.experiment;
    carom_run_result *result = run->result;
    if (request->bare)
        return CAROM_OK;
    for (int i = 0; i < request->sample_count; i++)
        if (isnan(request->sample_time[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "sample time %d is not a number", i + 1);
    if (!experiment->study) {
        run->certifier = certifier_create(run->arena, run->work, &run->layout);
        if (!run->certifier)
            return carom_fail_memory(error);
    }
    run->columns_in_use =
        request->recorder_count > 0 || request->sample_count > 0 || experiment->measure_count > 0;
    result->sample =
        carom_new_array((size_t)request->sample_count * (size_t)run->layout.width, sizeof *result->sample);
    result->measure = carom_new_array((size_t)experiment->measure_count, sizeof *result->measure);
    if (!result->sample || !result->measure ||
        !asked_times_create(&run->samples, request->sample_count, request->sample_time))
        return carom_fail_memory(error);
    result->sample_count = request->sample_count;
    result->measure_count = experiment->measure_count;
    if (experiment->measure_count == 0)
        return CAROM_OK;
    const run_plan *plan = &run->plan;
    return measure_set_create(experiment, plan->values, plan->t0, plan->h, plan->until, &run->measures,
                              error);
}

static carom_status accept_initial(active_run *run, carom_error *error)
{
    if (run->certifier)
        certifier_start(run->certifier, run->candidate);
    evaluate_columns(run, run->candidate);
    memcpy(run->result->initial, run->candidate, (size_t)run->layout.width * sizeof(double));
    if (!run->request->bare)
        return accept_candidate(run, error);
    keep_candidate(run);
    run->outputs = 1;
    return CAROM_OK;
}

/* ---- what a scheme says and asks inside a step ------------------------------------------------------ */

/* Columns at an event are those of the position there and the velocity before it. */
static void note_columns(active_run *run, const carom_event *event)
{
    const carom_row_layout *layout = &run->layout;
    double *row = run->event_row;
    row[0] = event->t;
    carom_copy(layout->dof, event->q, row + layout->q);
    carom_copy(layout->dof, event->v, row + layout->v);
    row[layout->energy] = event->energy_before;
    run->work->model->ops->gaps(run->work, event->t, event->q, row + layout->gap);
    memset(row + layout->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)layout->contacts * sizeof *row);
    row[layout->impulse + CAROM_CONTACT_COMPONENTS * event->contact] = event->impulse;
    evaluate_columns(run, row);
    measure_set_note(run->measures, event, row + layout->column);
}

static void take_event(void *context, const carom_event *event)
{
    active_run *run = context;
    event_list_take(&run->events, event);
    if (run->measures && measure_set_wants(run->measures, event))
        note_columns(run, event);
}

static bool stop_asked(void *context)
{
    active_run *run = context;
    const carom_progress *progress = &run->request->progress;
    return ++run->questions % QUESTIONS_PER_REPORT == 0 &&
           !progress->report(progress->context, (double)(run->step - 1), (double)run->plan.steps);
}

static void connect(active_run *run)
{
    const bool locates = run->plan.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS;
    if (run->request->progress.report)
        run->stepper->stop = (carom_stop){run, stop_asked};
    run->finds_events = run->request->events && !locates && run->work->model->contacts > 0 &&
                        step_events_take(&run->found_events, run->arena, run->work, &run->layout);
    if (run->request->bare || !locates)
        return;
    run->stepper->listener = (carom_event_listener){run, take_event};
    if (run->measures)
        measure_set_locate(run->measures, &run->events);
}

static carom_status create_stepper(active_run *run, carom_error *error)
{
    const run_plan *plan = &run->plan;
    const carom_step_settings settings = {.t0 = plan->t0,
                                          .h = plan->h,
                                          .values = plan->option,
                                          .value_count = plan->scheme->option_count,
                                          .solver_option = plan->solver_option};
    carom_status status = carom_stepper_create(plan->scheme, run->work, &settings, run->start.q, run->start.v,
                                               &run->stepper, error);
    if (status != CAROM_OK)
        return status;
    connect(run);
    build_row(run, &run->stepper->state, run->candidate);
    return check_row(run, run->candidate, 0, error);
}

/* The only output of a study. */
static carom_status show_study(active_run *run, carom_error *error)
{
    build_row(run, &run->start, run->candidate);
    return accept_initial(run, error);
}

/* The first output is the scheme's; when the scheme cannot start, the initial state is what is kept. */
static carom_status start_scheme(active_run *run, carom_error *error)
{
    carom_status status = create_stepper(run, error);
    if (status == CAROM_OK && is_resumed(run))
        return go_on(run, error);
    if (status == CAROM_OK)
        return accept_initial(run, error);
    const carom_experiment *experiment = run->plan.experiment;
    if (status == CAROM_BAD_INPUT && experiment->file && experiment->integrate_line > 0)
        carom_fail(error, status, "%s:%d: %s", experiment->file, experiment->integrate_line, error->text);
    if (status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY)
        return status;
    carom_fail(error, CAROM_FAILED, "before the first step, at t = %.10g: %s", run->plan.t0, error->text);
    build_row(run, &run->start, run->candidate);
    carom_error sink_error = {0};
    if (accept_initial(run, &sink_error) != CAROM_NO_MEMORY)
        return CAROM_FAILED;
    carom_fail_memory(error);
    return CAROM_NO_MEMORY;
}

static carom_status set_up(active_run *run, carom_error *error)
{
    carom_status status = run_plan_create(run->request, &run->plan, error);
    if (status != CAROM_OK)
        return status;
    run->layout = carom_row_layout_of(run->plan.experiment);
    for (int i = 0; i < run->layout.contacts; i++)
        run->has_obstacles = run->has_obstacles || !run->plan.experiment->model->contact[i].friction_force;
    status = take_memory(run, error);
    if (status == CAROM_OK)
        status = run_start(&run->plan, run->work, run->arena, &run->start, error);
    if (status == CAROM_OK)
        status = prepare_reductions(run, error);
    if (status != CAROM_OK)
        return status;
    return run->plan.experiment->study ? show_study(run, error) : start_scheme(run, error);
}

/* What else the first step would refuse: a force that is not a number. */
static carom_status check_force(active_run *run, carom_error *error)
{
    const carom_model *model = run->plan.experiment->model;
    if (run->plan.experiment->study || !model->ops->force)
        return CAROM_OK;
    double *force = carom_arena_take(run->arena, (size_t)model->dof, sizeof *force);
    if (!force)
        return carom_fail_memory(error);
    const carom_state *state = &run->stepper->state;
    model->ops->force(run->work, state->t, state->q, state->v, force);
    for (int i = 0; i < model->dof; i++)
        if (!isfinite(force[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the force of coordinate '%s' is %g at the start; it must be a finite number",
                              model->coordinate[i], force[i]);
    return CAROM_OK;
}

/* ---- the loop --------------------------------------------------------------------------------------- */

static bool wants_to_stop(const active_run *run, long step)
{
    const carom_progress *progress = &run->request->progress;
    return step % STEPS_PER_REPORT == 0 && progress->report && step < run->plan.steps &&
           !progress->report(progress->context, (double)step, (double)run->plan.steps);
}

static carom_status fail_interrupted(const active_run *run, long step, double t, carom_error *error)
{
    return carom_fail(error, CAROM_INTERRUPTED, "interrupted after step %ld of %ld, at t = %.10g", step,
                      run->plan.steps, t);
}

/* The scheme's own text says which step failed; this says what is kept. */
static carom_status fail_step(active_run *run, carom_status status, long good_steps, double t,
                              carom_error *error)
{
    if (status == CAROM_INTERRUPTED)
        return fail_interrupted(run, good_steps, t, error);
    run->word = run->stepper->end_word;
    return carom_fail(error, CAROM_FAILED, "stopped after step %ld of %ld, at t = %.10g: %s", good_steps,
                      run->plan.steps, t, error->text);
}

static carom_status move(active_run *run, carom_error *error)
{
    run->last_checkpoint = carom_seconds();
    run->last_look = run->outputs;
    for (long step = run->outputs; step <= run->plan.steps; step++) {
        run->step = step;
        const carom_status stepped = carom_stepper_step(run->stepper, error);
        if (run->events.out_of_memory)
            return carom_fail_memory(error);
        if (stepped != CAROM_OK)
            return fail_step(run, stepped, step - 1, run->last[0], error);
        build_row(run, &run->stepper->state, run->candidate);
        carom_status status = check_row(run, run->candidate, step, error);
        if (status == CAROM_OK) {
            certifier_step(run->certifier, run->stepper, run->last, run->candidate);
            if (run->finds_events)
                step_events_find(&run->found_events, run->stepper, run->last, run->candidate, &run->events);
            status = accept_candidate(run, error);
        }
        if (status == CAROM_OK)
            status = save_when_due(run, step, error);
        if (status != CAROM_OK)
            return status;
        if (wants_to_stop(run, step))
            return fail_interrupted(run, step, run->last[0], error);
    }
    return CAROM_OK;
}

/* Only steps; the row of the last state is looked at when all is done. */
static carom_status move_bare(active_run *run, carom_error *error)
{
    const carom_state *state = &run->stepper->state;
    carom_status status = CAROM_OK;
    long step = 0;
    while (status == CAROM_OK && step < run->plan.steps) {
        run->step = step + 1;
        const carom_status stepped = carom_stepper_step(run->stepper, error);
        if (stepped != CAROM_OK) {
            status = fail_step(run, stepped, step, state->t, error);
            break;
        }
        step++;
        if (wants_to_stop(run, step))
            status = fail_interrupted(run, step, state->t, error);
    }
    build_row(run, state, run->candidate);
    carom_error blowup;
    if (check_row(run, run->candidate, step, &blowup) != CAROM_OK)
        return carom_fail(error, CAROM_FAILED, "%s", blowup.text);
    keep_candidate(run);
    run->outputs += step;
    return status;
}

/* ---- results ---------------------------------------------------------------------------------------- */

static bool keeps_result(carom_status status)
{
    return status != CAROM_BAD_INPUT && status != CAROM_NO_MEMORY;
}

/* The last row goes to the recorders whatever the recording interval is. */
static carom_status hand_last_row(active_run *run, carom_status status, carom_error *error)
{
    if (run->request->bare || run->handed == run->outputs)
        return status;
    carom_error sink_error = {0};
    carom_status handed = hand_to_recorders(run, run->last, &sink_error);
    if (handed == CAROM_OK || (status != CAROM_OK && handed != CAROM_NO_MEMORY))
        return status;
    *error = sink_error;
    return handed;
}

/* 1/2 v.M v of a row. */
static double kinetic_energy(const active_run *run, const double *row)
{
    const carom_model *model = run->work->model;
    const int n = model->dof;
    const double *v = row + run->layout.v;
    if (model->ops->structure)
        return 0.5 * carom_band_form(&model->ops->structure(run->work)->mass, v, v);
    double *mass = carom_arena_take(run->arena, (size_t)n * (size_t)n, sizeof *mass);
    double sum = 0.0;
    if (!mass)
        return INFINITY;
    model->ops->mass(run->work, row[0], row + run->layout.q, mass);
    for (int i = 0; i < n; i++)
        sum += v[i] * carom_dot(n, mass + (size_t)i * (size_t)n, v);
    return 0.5 * sum;
}

/* Nothing drives a conservative system: when its energy grows, the scheme or the step is at fault. */
static void warn_about_energy(active_run *run)
{
    carom_run_result *result = run->result;
    const double growth = result->energy_final - result->energy_initial;
    if (!run->work->model->conservative || !(growth > 0.0))
        return;
    const double kinetic = fmax(kinetic_energy(run, result->initial), kinetic_energy(run, result->final));
    if (growth > energy_growth_allowed * kinetic)
        carom_warn(&result->warnings,
                   "energy-growth: the energy grew by %g (%.3g %% of the kinetic energy) although nothing "
                   "drives the system; compare with half the step (--certify): if it stays, a law of impact "
                   "or the scheme creates it",
                   growth, 100.0 * growth / kinetic);
}

static carom_status finish(active_run *run, carom_status status, carom_error *error)
{
    carom_run_result *result = run->result;
    if ((status == CAROM_OK || status == CAROM_INTERRUPTED) && makes_checkpoints(run)) {
        carom_error saving = {0};
        const carom_status saved =
            save_checkpoint(run, &saving); /* before a row that another end would not have */
        if (saved != CAROM_OK)
            *error = saving;
        status = saved == CAROM_OK ? status : saved;
    }
    status = hand_last_row(run, status, error);
    if (!keeps_result(status))
        return status;
    evaluate_columns(run, run->last);
    memcpy(result->final, run->last, (size_t)run->layout.width * sizeof(double));
    take_samples(run, INFINITY, run->last);
    if (run->measures &&
        measure_set_finish(run->measures, run->plan.results, result->measure, error) != CAROM_OK)
        return CAROM_NO_MEMORY;

    if (run->plan.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS)
        result->impacts = event_list_count(&run->events, CAROM_EVENT_IMPACT);
    if (run->request->events) {
        result->event = run->events.event;
        result->event_count = run->events.count;
        run->events = (event_list){0};
    }
    result->layout = run->layout;
    result->scheme = run->plan.scheme;
    result->h = run->plan.h;
    result->t0 = run->plan.t0;
    result->t_end = run->last[0];
    result->steps = run->outputs - 1;
    result->steps_planned = run->plan.steps;
    result->energy_initial = result->initial[run->layout.energy];
    result->energy_final = result->final[run->layout.energy];
    if (run->stepper)
        result->counts = run->stepper->counts;
    if (run->stepper)
        result->warnings = run->stepper->warnings;
    warn_about_energy(run);
    result->status = status;
    if (run->certifier)
        certifier_finish(run->certifier, run->stepper, result, &result->certificate);
    result->max_penetration = result->certificate.penetration;
    result->option_count = run->plan.scheme->option_count;
    result->option = run->plan.option;
    result->values = run->plan.values;
    result->results = run->plan.results;
    result->solver_option_count = run->plan.solver_option_count;
    result->solver_option = run->plan.solver_option;
    run->plan.option = run->plan.values = NULL;
    run->plan.results = NULL;
    run->plan.solver_option = NULL;
    run->plan.solver_option_count = 0;
    return status;
}

static void release(active_run *run)
{
    carom_stepper_free(run->stepper);
    carom_model_work_free(run->work);
    measure_set_free(run->measures);
    event_list_free(&run->events);
    asked_times_free(&run->samples);
    run_plan_free(&run->plan);
    carom_arena_free(run->arena);
}

carom_status carom_run(const carom_run_request *request, carom_run_result *result, carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *error = (carom_error){0};
    *result = (carom_run_result){0};
    active_run run = {.request = request, .result = result};
    double started = carom_seconds();
    carom_status status = set_up(&run, error);
    if (run.misfit) {
        release(&run);
        carom_run_result_free(result);
        run = (active_run){.request = request, .result = result, .begins_anew = true};
        status = set_up(&run, error);
    }
    if (status == CAROM_OK && request->only_start)
        status = check_force(&run, error);
    else if (status == CAROM_OK && !run.plan.experiment->study)
        status = request->bare ? move_bare(&run, error) : move(&run, error);
    if (keeps_result(status) && run.last) /* a study that was stopped leaves nothing */
        status = finish(&run, status, error);
    release(&run);
    if (!keeps_result(status))
        carom_run_result_free(result);
    result->wall_seconds = carom_seconds() - started;
    result->status = status;
    bool special = run.word && status == CAROM_FAILED;
    snprintf(result->word, sizeof result->word, "%s", special ? run.word : carom_status_word(status));
    snprintf(result->message, sizeof result->message, "%s", status == CAROM_OK ? "" : error->text);
    return status;
}

void carom_run_result_free(carom_run_result *result)
{
    for (int i = 0; i < result->measure_count; i++)
        free(result->measure[i].value);
    free(result->measure);
    free(result->initial);
    free(result->final);
    free(result->sample);
    free(result->event);
    free(result->option);
    run_options_free(result->solver_option_count, result->solver_option);
    free(result->values);
    carom_study_results_free(result->results);
    *result = (carom_run_result){0};
}
