#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "active_run.h"
#include "carom/linalg.h"

enum {
    STEPS_PER_REPORT = 1024,
    QUESTIONS_PER_REPORT = 8 /* of a scheme inside a long step */
};

/* ---- what is done with a good row ------------------------------------------------------------------ */

static void count_changes(const active_run *run, const double *row, bool quiet)
{
    const carom_row_layout *layout = &run->layout;
    carom_run_result *result = run->result;
    if (run->outputs == 0)
        return;
    const double gain = row[layout->energy] - run->last[layout->energy];
    if (gain > result->max_step_gain)
        result->max_step_gain = gain;
    if (quiet || run->plan.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS)
        return; /* there is none, or it tells of them */
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

/* Where bodies touched, to a recorder that wants it. */
static carom_status hand_points(active_run *run, const carom_recorder *recorder, double t, carom_error *error)
{
    if (!recorder->points || !run->stepper)
        return CAROM_OK;
    const int count = carom_stepper_body_points(run->stepper, 0, NULL);
    if (count > run->point_room) {
        const size_t room = (size_t)count + (size_t)count / 2;
        carom_body_point *grown = realloc(run->point, carom_product(room, sizeof *grown));
        if (!grown)
            return carom_fail_memory(error);
        run->point = grown;
        run->point_room = (int)room;
    }
    carom_stepper_body_points(run->stepper, count, run->point);
    return recorder->points(recorder->context, t, count, run->point, error);
}

static carom_status hand_to_recorders(active_run *run, const double *row, carom_error *error)
{
    run->handed = run->outputs;
    for (int i = 0; i < run->request->recorder_count; i++) {
        const carom_recorder *recorder = &run->request->recorder[i];
        carom_status status = recorder->row ? recorder->row(recorder->context, row, error) : CAROM_OK;
        if (status == CAROM_OK)
            status = hand_points(run, recorder, row[0], error);
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

/* `quiet`: no contact closes. */
static carom_status accept_candidate(active_run *run, bool quiet, carom_error *error)
{
    const double *row = run->candidate;
    if (run->measures) {
        carom_status status = measure_set_take(run->measures, row, error);
        if (status != CAROM_OK)
            return status;
    }
    count_changes(run, row, quiet);
    if (run->request->sample_count > 0)
        take_samples(run, row[0], row);
    keep_candidate(run);
    long index = run->outputs++;
    long every = run->request->record_every > 1 ? run->request->record_every : 1;
    return index % every == 0 ? hand_to_recorders(run, row, error) : CAROM_OK;
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
    return run_prepare_stops(run, error);
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
    if (!experiment->study && !request->no_certificate) {
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
    run_evaluate_columns(run, run->candidate);
    memcpy(run->result->initial, run->candidate, (size_t)run->layout.width * sizeof(double));
    if (!run->request->bare)
        return accept_candidate(run, false, error);
    keep_candidate(run);
    run->outputs = 1;
    return CAROM_OK;
}

/* ---- what a scheme says and asks inside a step ------------------------------------------------------ */

/* Columns at an event are those of the position there and the velocity before it. */
static void note_columns(active_run *run, const carom_event *event)
{
    run_build_event_row(run, event, false, run->event_row);
    measure_set_note(run->measures, event, run->event_row + run->layout.column);
}

static void take_event(void *context, const carom_event *event)
{
    active_run *run = context;
    event_list_take(&run->events, event);
    if (run->measures && measure_set_wants(run->measures, event))
        note_columns(run, event);
    if (run->request->event_points)
        run_take_event_columns(run, event);
}

/* Of a scheme that finds contacts itself, at the end of its steps. */
static void keep_event(void *context, const carom_event *event)
{
    active_run *run = context;
    event_list_take(&run->events, event);
}

static bool stop_asked(void *context)
{
    active_run *run = context;
    const carom_progress *progress = &run->request->progress;
    return ++run->questions % QUESTIONS_PER_REPORT == 0 &&
           !progress->report(progress->context, (double)(run->step - 1), (double)run->plan.steps);
}

static carom_status connect(active_run *run, carom_error *error)
{
    const bool locates = run->plan.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS;
    if (run->request->progress.report)
        run->stepper->stop = (carom_stop){run, stop_asked};
    run->finds_events = (run->request->events || run->request->event_points) && !locates &&
                        run->work->model->contacts > 0 && run->work->model->ops->frame;
    if (run->finds_events && !step_events_take(&run->found_events, run->arena, run->work, &run->layout))
        return carom_fail_memory(error);
    if (run->stepper->accounts.kept && (run->request->events || run->request->event_points))
        run->stepper->listener = (carom_event_listener){run, keep_event};
    if (run->request->bare || !locates)
        return CAROM_OK;
    run->stepper->listener = (carom_event_listener){run, take_event};
    if (run->measures)
        measure_set_locate(run->measures, &run->events);
    return CAROM_OK;
}

static carom_status create_stepper(active_run *run, carom_error *error)
{
    const run_plan *plan = &run->plan;
    const carom_step_settings settings = {.t0 = plan->t0,
                                          .h = plan->h,
                                          .values = plan->option,
                                          .value_count = plan->scheme->option_count,
                                          .solver_option = plan->solver_option,
                                          .no_works = !run->certifier,
                                          .ending = run_stop_ending(run)};
    carom_status status = carom_stepper_create(plan->scheme, run->work, &settings, run->start.q, run->start.v,
                                               &run->stepper, error);
    if (status == CAROM_OK)
        status = connect(run, error);
    if (status == CAROM_OK && run->layout.accelerations > 0)
        status = carom_stepper_watch(run->stepper, error);
    if (status == CAROM_OK)
        status = run_build_row(run, &run->stepper->state, run->candidate, error);
    return status == CAROM_OK ? run_check_row(run, run->candidate, 0, error) : status;
}

/* The only output of a study. */
static carom_status show_study(active_run *run, carom_error *error)
{
    const carom_status status = run_build_row(run, &run->start, run->candidate, error);
    return status == CAROM_OK ? accept_initial(run, error) : status;
}

/* The first output is the scheme's; when the scheme cannot start, the initial state is what is kept. */
static carom_status start_scheme(active_run *run, carom_error *error)
{
    carom_status status = create_stepper(run, error);
    if (status == CAROM_OK && run_is_resumed(run))
        return run_go_on(run, error);
    if (status == CAROM_OK)
        return accept_initial(run, error);
    const carom_experiment *experiment = run->plan.experiment;
    if (status == CAROM_BAD_INPUT && experiment->file && experiment->integrate_line > 0)
        carom_fail(error, status, "%s:%d: %s", experiment->file, experiment->integrate_line, error->text);
    if (status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY)
        return status;
    carom_fail(error, CAROM_FAILED, "before the first step, at t = %.10g: %s", run->plan.t0, error->text);
    carom_error sink_error = {0};
    run_build_row(run, &run->start, run->candidate, &sink_error);
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
                              carom_model_velocity_name(model, i), force[i]);
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
        carom_status status = run_look_at_stops(run, error);
        if (status != CAROM_OK || run->stopped)
            return status;
        run->step = step;
        const carom_status stepped = carom_stepper_step(run->stepper, error);
        if (run->events.out_of_memory)
            return carom_fail_memory(error);
        if (stepped != CAROM_OK)
            return fail_step(run, stepped, step - 1, run->last[0], error);
        status = run_build_row(run, &run->stepper->state, run->candidate, error);
        if (status != CAROM_OK)
            return fail_step(run, status, step - 1, run->last[0], error);
        status = run_check_row(run, run->candidate, step, error);
        if (status == CAROM_OK) {
            const bool quiet =
                run->certifier && certifier_step(run->certifier, run->stepper, run->last, run->candidate);
            if (run->finds_events)
                step_events_find(&run->found_events, run->stepper, run->last, run->candidate, &run->events);
            if (run->events.out_of_memory)
                return carom_fail_memory(error);
            status = accept_candidate(run, quiet, error);
        }
        if (status == CAROM_OK)
            status = run_save_when_due(run, step, error);
        if (status != CAROM_OK)
            return status;
        if (wants_to_stop(run, step))
            return fail_interrupted(run, step, run->last[0], error);
    }
    return run_look_at_stops(run, error);
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
    carom_error blowup;
    run_build_row(run, state, run->candidate, &blowup);
    if (run_check_row(run, run->candidate, step, &blowup) != CAROM_OK)
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

/* The forces of joints at the end, asked for or not. */
static carom_status take_reactions(active_run *run, carom_error *error)
{
    const int joints = run->work->model->joints;
    if (joints == 0 || !run->stepper || run->stepper->counts.steps == 0 ||
        !(run->plan.scheme->abilities & CAROM_SCHEME_REACTIONS))
        return CAROM_OK;
    run->result->reaction = carom_new_array((size_t)joints, sizeof *run->result->reaction);
    if (!run->result->reaction)
        return carom_fail_memory(error);
    return carom_stepper_forces(run->stepper, NULL, run->result->reaction, error);
}

static void tell_of_stop(active_run *run)
{
    carom_run_result *result = run->result;
    carom_certificate *certificate = &result->certificate;
    const char *name = run->plan.experiment->stop[run->stopped - 1].name;
    snprintf(certificate->stop, sizeof certificate->stop, "%s", name);
    certificate->stop_time = result->t_end;
    run_describe_stop(run, result->message, sizeof result->message);
}

static carom_status finish(active_run *run, carom_status status, carom_error *error)
{
    carom_run_result *result = run->result;
    if ((status == CAROM_OK || status == CAROM_INTERRUPTED) && run_makes_checkpoints(run)) {
        carom_error saving = {0};
        const carom_status saved =
            run_save_checkpoint(run, &saving); /* before a row that another end would not have */
        if (saved != CAROM_OK)
            *error = saving;
        status = saved == CAROM_OK ? status : saved;
    }
    status = hand_last_row(run, status, error);
    if (!keeps_result(status))
        return status;
    run_evaluate_columns(run, run->last);
    memcpy(result->final, run->last, (size_t)run->layout.width * sizeof(double));
    take_samples(run, INFINITY, run->last);
    if (run->measures &&
        measure_set_finish(run->measures, run->plan.results, result->measure, error) != CAROM_OK)
        return CAROM_NO_MEMORY;

    if (run->plan.scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS)
        result->impacts = event_list_count(&run->events, CAROM_EVENT_IMPACT);
    if (run->request->event_points && run_finish_event_points(run, error) != CAROM_OK)
        return CAROM_NO_MEMORY;
    if (run->request->events) {
        result->event = run->events.event;
        result->event_count = run->events.count;
        run->events = (event_list){0};
    }
    if (take_reactions(run, error) != CAROM_OK)
        return CAROM_NO_MEMORY;
    result->layout = run->layout;
    result->scheme = run->plan.scheme;
    result->h = run->plan.h;
    result->t0 = run->plan.t0;
    result->t_end = run->last[0];
    result->steps = run->outputs - 1;
    result->steps_planned = run->plan.steps;
    result->record_every = run->request->record_every > 1 ? run->request->record_every : 1;
    result->energy_initial = result->initial[run->layout.energy];
    result->energy_final = result->final[run->layout.energy];
    if (run->stepper)
        result->counts = run->stepper->counts;
    if (run->stepper)
        result->warnings = run->stepper->warnings;
    result->status = status;
    if (run->certifier)
        certifier_finish(run->certifier, run->stepper, result, &result->certificate);
    if (status == CAROM_OK && run->stopped)
        tell_of_stop(run);
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
    free(run->event_columns.value);
    free(run->point);
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
    const bool special = run.word && status == CAROM_FAILED, stopped = run.stopped && status == CAROM_OK;
    snprintf(result->word, sizeof result->word, "%s",
             special   ? run.word
             : stopped ? "stopped"
                       : carom_status_word(status));
    if (!stopped)
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
    free(result->reaction);
    free(result->sample);
    free(result->event);
    free(result->points.row);
    free(result->option);
    run_options_free(result->solver_option_count, result->solver_option);
    free(result->values);
    carom_study_results_free(result->results);
    *result = (carom_run_result){0};
}
