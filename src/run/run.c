/* One motion from its first row to its last: the loop over steps, and the result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "active_run.h"

enum {
    STEPS_PER_REPORT = 1024 /* at most */
};
static const double SECONDS_PER_REPORT = 0.02;

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
    if (quiet || run->plan.scheme->abilities & CAROM_SCHEME_EVENTS)
        return; /* there is none, or it is reported */
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
    while ((place = asked_times_decide(&run->samples, previous_t, t, 1e-9 * run->plan.h, &earlier)) >= 0) {
        memcpy(run->result->sample + (size_t)place * width, earlier ? run->last : row, width * sizeof *row);
        run_sample_sensitivity(run, place, earlier);
    }
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

/* The last row. */
static carom_status hand_to_recorders(active_run *run, carom_error *error)
{
    const double *row = run->last;
    run->handed = run->outputs;
    if (!run->columns_in_use && run->request->recorder_count > 0 && !run->request->no_columns)
        run_evaluate_columns(run, run->last);
    for (int i = 0; i < run->request->recorder_count; i++) {
        const carom_recorder *recorder = &run->request->recorder[i];
        if (recorder->slopes)
            recorder->slopes(recorder->context, run_sensitivity_rows(run));
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

void run_keep_candidate(active_run *run)
{
    double *row = run->candidate;
    run->candidate = run->last;
    run->last = row;
    run_keep_sensitivity_row(run);
}

carom_status run_accept_candidate(active_run *run, bool quiet, carom_error *error)
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
    run_keep_candidate(run);
    long index = run->outputs++;
    long every = run->request->record_every > 1 ? run->request->record_every : 1;
    return index % every == 0 ? hand_to_recorders(run, error) : CAROM_OK;
}

/* ---- the loop --------------------------------------------------------------------------------------- */

static void begin_reports(active_run *run)
{
    run->last_report = carom_seconds();
    run->report_stride = 1;
}

/* Who watches is told every few hundredths of a second, whether steps take microseconds or longer than that: the steps from one
 * report to the next are twice or half as many as before when it was too early or too late. */
static bool wants_to_stop(active_run *run, long step)
{
    const carom_progress *progress = &run->request->progress;
    if (!progress->report || step < run->next_report || step >= run->plan.steps)
        return false;
    const double now = carom_seconds(), passed = now - run->last_report;
    if (passed < 0.5 * SECONDS_PER_REPORT && run->report_stride < STEPS_PER_REPORT)
        run->report_stride *= 2;
    else if (passed > SECONDS_PER_REPORT && run->report_stride > 1)
        run->report_stride /= 2;
    run->last_report = now;
    run->next_report = step + run->report_stride;
    return !progress->report(progress->context, (double)step, (double)run->plan.steps);
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
    return carom_fail(error, status == CAROM_NO_MEMORY ? status : CAROM_FAILED,
                      "stopped after step %ld of %ld, at t = %.10g: %s", good_steps, run->plan.steps, t,
                      error->text);
}

void run_begin_moving(active_run *run)
{
    run->last_checkpoint = carom_seconds();
    run->last_look = run->outputs;
    run->step = run->outputs - 1;
    begin_reports(run);
}

/* True if the last output is between the ends of steps: another end of the run would not have it. */
static bool ends_between_steps(const active_run *run)
{
    const run_plan *plan = &run->plan;
    return plan->end < plan->t0 + ((double)plan->steps - 1e-6) * plan->h;
}

/* A run that goes on to a later end does so from a step. */
static carom_status save_before_end(active_run *run, carom_error *error)
{
    const bool saves = run_makes_checkpoints(run) && !run->request->checkpoint->no_end;
    return saves && run->step == run->plan.steps - 1 && ends_between_steps(run)
               ? run_save_checkpoint(run, error)
               : CAROM_OK;
}

/* Has the last step been shorter? */
static bool has_cut_step(const active_run *run)
{
    return run->step == run->plan.steps && ends_between_steps(run);
}

bool run_goes_on(active_run *run, carom_status *status, carom_error *error)
{
    *status = run_look_at_stops(run, error);
    if (*status == CAROM_OK && !run->stopped)
        *status = save_before_end(run, error);
    if (*status != CAROM_OK || run->stopped || run->step >= run->plan.steps)
        return false;
    run->step++;
    return true;
}

carom_status run_after_step(active_run *run, carom_status stepped, carom_error *error)
{
    const long step = run->step;
    if (run->events.out_of_memory)
        return carom_fail_memory(error);
    if (stepped != CAROM_OK)
        return fail_step(run, stepped, step - 1, run->last[0], error);
    carom_status status = run_build_row(run, &run->stepper->state, run->candidate, error);
    if (status != CAROM_OK)
        return fail_step(run, status, step - 1, run->last[0], error);
    status = run_check_row(run, run->candidate, step, error);
    if (status == CAROM_OK) {
        run_build_sensitivity_row(run);
        const bool quiet =
            run->certifier && certifier_step(run->certifier, run->stepper, run->last, run->candidate);
        if (run->finds_events)
            step_events_find(&run->found_events, run->stepper, run->last, run->candidate, &run->events);
        if (run->events.out_of_memory)
            return carom_fail_memory(error);
        status = run_accept_candidate(run, quiet, error);
    }
    if (status == CAROM_OK)
        status = run_save_when_due(run, step, error);
    if (status == CAROM_OK && wants_to_stop(run, step))
        status = fail_interrupted(run, step, run->last[0], error);
    return status;
}

static carom_status move(active_run *run, carom_error *error)
{
    carom_status status = CAROM_OK;
    run_begin_moving(run);
    while (run_goes_on(run, &status, error)) {
        status = run_after_step(run, run_step(run, error), error);
        if (status != CAROM_OK)
            break;
    }
    return status;
}

/* Only steps; the row of the last state is looked at when all is done. */
static carom_status move_bare(active_run *run, carom_error *error)
{
    const carom_state *state = &run->stepper->state;
    carom_status status = CAROM_OK;
    long step = 0;
    begin_reports(run);
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
    run_keep_candidate(run);
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
    carom_status handed = hand_to_recorders(run, &sink_error);
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
    if (run_makes_checkpoints(run) &&
        (status == CAROM_INTERRUPTED ||
         (status == CAROM_OK && !run->request->checkpoint->no_end && !has_cut_step(run)))) {
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
    if (run->sensitivity && run_finish_sensitivity(run, error) != CAROM_OK)
        return CAROM_NO_MEMORY;
    if (run->measures &&
        measure_set_finish(run->measures, run->plan.results, result->measure, error) != CAROM_OK)
        return CAROM_NO_MEMORY;

    if (run->plan.scheme->abilities & CAROM_SCHEME_EVENTS)
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
    run_release_sensitivity(run);
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

carom_status run_open(active_run *run, const carom_run_request *request, carom_run_result *result,
                      carom_error *error)
{
    *error = (carom_error){0};
    *result = (carom_run_result){0};
    const double started = carom_seconds();
    *run = (active_run){.request = request, .result = result, .started = started};
    carom_status status = run_set_up(run, error);
    if (run->misfit) {
        release(run);
        carom_run_result_free(result);
        *run = (active_run){.request = request, .result = result, .begins_anew = true, .started = started};
        status = run_set_up(run, error);
    }
    return status;
}

carom_status run_close(active_run *run, carom_status status, carom_error *error)
{
    const carom_run_request *request = run->request;
    carom_run_result *result = run->result;
    if (keeps_result(status) && run->last) /* a study that was stopped leaves nothing */
        status = finish(run, status, error);
    if (status == CAROM_OK && run->sensitivity && !request->only_start && !result->sensitivity->exact)
        status = run_differ(run, error);
    if (status == CAROM_OK && run->sensitivity && request->sides && !request->only_start &&
        result->sensitivity->exact)
        status = run_find_sides(run, error);
    release(run);
    if (!keeps_result(status))
        carom_run_result_free(result);
    result->wall_seconds = carom_seconds() - run->started;
    result->status = status;
    const bool special = run->word && status == CAROM_FAILED, stopped = run->stopped && status == CAROM_OK;
    snprintf(result->word, sizeof result->word, "%s",
             special   ? run->word
             : stopped ? "stopped"
                       : carom_status_word(status));
    if (!stopped)
        snprintf(result->message, sizeof result->message, "%s", status == CAROM_OK ? "" : error->text);
    return status;
}

carom_status run_alone(active_run *run, carom_error *error)
{
    if (run->request->only_start)
        return run_check_force(run, error);
    if (run->plan.experiment->study)
        return CAROM_OK;
    return run->request->bare ? move_bare(run, error) : move(run, error);
}

carom_status carom_run(const carom_run_request *request, carom_run_result *result, carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    active_run run;
    carom_status status = run_open(&run, request, result, error);
    if (status == CAROM_OK)
        status = run_alone(&run, error);
    return run_close(&run, status, error);
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
    carom_sensitivity_free(result->sensitivity);
    *result = (carom_run_result){0};
}
