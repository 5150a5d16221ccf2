/* The start of a run: the plan, the model and its memory, what is measured, the scheme and what it is connected to, the first row. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "active_run.h"

enum {
    QUESTIONS_PER_REPORT = 8 /* of a scheme inside a long step */
};

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
    const bool all_recorded = request->recorder_count > 0 && !request->no_columns &&
                              (request->record_every <= 1 || request->sensitivity_count > 0);
    run->columns_in_use = all_recorded || request->sample_count > 0 || experiment->measure_count > 0;
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
    if (run->certifier && !certifier_start(run->certifier, run->candidate))
        return carom_fail_memory(error);
    run_evaluate_columns(run, run->candidate);
    memcpy(run->result->initial, run->candidate, (size_t)run->layout.width * sizeof(double));
    if (!run->request->bare)
        return run_accept_candidate(run, false, error);
    run_keep_candidate(run);
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
    const bool reports = run->plan.scheme->abilities & CAROM_SCHEME_EVENTS;
    if (run->request->progress.report)
        run->stepper->stop = (carom_stop){run, stop_asked};
    run->stepper->problems = run->request->problems;
    if (run->request->problems.take && !run->stepper->tells_problems)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact problems of this run cannot be kept: that is for scheme 'moreau-jean', bodies with "
            "shapes or coordinates, with round cones and without joints and friction forces, and not where "
            "space is cut for several processes");
    run->finds_events = (run->request->events || run->request->event_points) && !reports &&
                        run->work->model->contacts > 0 && run->work->model->ops->frame;
    if (run->finds_events && !step_events_take(&run->found_events, run->arena, run->work, &run->layout))
        return carom_fail_memory(error);
    if (run->stepper->accounts.kept && (run->request->events || run->request->event_points))
        run->stepper->listener = (carom_event_listener){run, keep_event};
    if (run->request->bare || !reports)
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
                                          .sharing = run->request->sharing,
                                          .ending = run_stop_ending(run)};
    carom_status status = carom_stepper_create(plan->scheme, run->work, &settings, run->start.q, run->start.v,
                                               &run->stepper, error);
    if (status == CAROM_OK) {
        run->stepper->end = plan->end;
        status = connect(run, error);
    }
    if (status == CAROM_OK)
        status = run_warn_of_slips(run, error);
    if (status == CAROM_OK && run->layout.accelerations > 0)
        status = carom_stepper_watch(run->stepper, error);
    if (status == CAROM_OK)
        status = run_build_row(run, &run->stepper->state, run->candidate, error);
    if (status == CAROM_OK && run->sensitivity)
        status = run_begin_sensitivity(run, error);
    return status == CAROM_OK ? run_check_row(run, run->candidate, 0, error) : status;
}

/* The only output of a study. */
static carom_status show_study(active_run *run, carom_error *error)
{
    const carom_status status = run_build_row(run, &run->start, run->candidate, error);
    return status == CAROM_OK ? accept_initial(run, error) : status;
}

static carom_status announce_rows(const active_run *run, carom_error *error)
{
    const size_t every = run->request->record_every > 1 ? (size_t)run->request->record_every : 1;
    const size_t rows = (size_t)run->plan.steps / every + 1;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < run->request->recorder_count; i++) {
        const carom_recorder *recorder = &run->request->recorder[i];
        if (recorder->expect)
            status = recorder->expect(recorder->context, rows, error);
    }
    return status;
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

carom_status run_set_up(active_run *run, carom_error *error)
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
    if (status == CAROM_OK && run->request->sensitivity_count > 0)
        status = run_prepare_sensitivity(run, error);
    if (status == CAROM_OK)
        status = announce_rows(run, error);
    if (status != CAROM_OK)
        return status;
    return run->plan.experiment->study ? show_study(run, error) : start_scheme(run, error);
}

carom_status run_check_force(active_run *run, carom_error *error)
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
