/* A study under way:
 *
 *   request -> checked -> reference (once, or per h) -> pieces of work: run -> error meter -> errors as bytes
 *                                                                                              |
 *                                                                study: errors of all runs -> orders
 *
 * A piece is one run; with a reference for each h it is the reference and the runs of all schemes with that h. Every process
 * computes the one fine reference for itself: the others would have nothing to do meanwhile. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "converge_study.h"
#include "error_curve.h"

/* Runs of one piece of work: a step, and all schemes or one. */
typedef struct study_piece {
    const active_study *active;
    const carom_worker *worker;
    carom_arena *arena;
    reference_run own; /* the reference of this step */
    error_meter meter;
    int h, first, end; /* schemes */
} study_piece;

/* ---- pieces of work ------------------------------------------------------------------------------- */

static study_piece piece_at(const active_study *active, int number)
{
    const carom_convergence *study = active->study;
    const int runs = study_has_reference_per_step(study) ? 1 : study->scheme_count, place = number / runs;
    study_piece piece = {.active = active,
                         .h = active->finest_first ? study->h_count - 1 - place : place,
                         .end = study->scheme_count};
    if (!study_has_reference_per_step(study)) {
        piece.first = number % runs;
        piece.end = piece.first + 1;
    }
    return piece;
}

/* The number of a run, under which it is kept. */
static int unit_of(const carom_convergence *study, int scheme, int h)
{
    return scheme * study->h_count + h;
}

static bool wants_piece(void *context, int number)
{
    const active_study *active = context;
    const study_piece piece = piece_at(active, number);
    for (int k = piece.first; k < piece.end; k++)
        if (!active->done[unit_of(active->study, k, piece.h)])
            return true;
    return false;
}

/* ---- progress -------------------------------------------------------------------------------------- */

static bool report_reference(void *context, double done, double total)
{
    (void)total;
    const active_study *active = context;
    const carom_progress *progress = &active->request->progress;
    return !progress->report ||
           progress->report(progress->context, active->steps_before + done, active->steps_all);
}

static bool report_runs(void *context)
{
    active_study *active = context;
    return report_reference(active, active->steps_now, 0.0);
}

static bool run_goes_on(void *context, double done, double total)
{
    (void)total;
    const study_piece *piece = context;
    if (piece->active->threads == 1 && !piece->active->request->workers)
        ((active_study *)piece->active)->steps_now = done;
    return piece->worker->goes_on(piece->worker);
}

/* ---- runs ------------------------------------------------------------------------------------------ */

/* Every output of the run that is recorded goes to `recorder`. */
static carom_status run_once(const active_study *active, const carom_scheme_ops *scheme, double h,
                             carom_arena *arena, carom_progress progress, const carom_recorder *recorder,
                             int record_every, carom_run_result *result, carom_error *error)
{
    *result = (carom_run_result){0};
    carom_run_request run;
    carom_status status = study_request(active, scheme, h, arena, &run, error);
    if (status != CAROM_OK)
        return status;
    run.recorder = recorder;
    run.recorder_count = 1;
    run.record_every = record_every;
    run.progress = progress;
    return carom_run(&run, result, error);
}

static carom_status run_reference(const active_study *active, double h, carom_arena *arena,
                                  carom_progress progress, int record_every, reference_run *reference,
                                  carom_error *error)
{
    const carom_scheme_ops *scheme = active->study->reference_scheme;
    const carom_recorder recorder = reference_run_recorder(reference);
    carom_run_result result;
    carom_status status =
        run_once(active, scheme, h, arena, progress, &recorder, record_every, &result, error);
    carom_run_result_free(&result);
    if (status == CAROM_FAILED)
        return carom_fail(error, status, "the reference, %s with h = %.10g, failed: %s", scheme->name, h,
                          error->text);
    return status;
}

/* ---- one piece: what is measured goes as bytes ------------------------------------------------------- */

typedef struct measured_run {
    int scheme, h;
    bool is_interpolated;
    carom_converged_run run;
    double *error; /* per curve */
    bool *at_rounding;
} measured_run;

/* Both ways; the curves have their places. */
static void pack_run(carom_snapshot *snapshot, carom_arena *arena, int curve_count, measured_run *run)
{
    uint64_t message = run->run.message ? strlen(run->run.message) + 1 : 0;
    carom_snapshot_block(snapshot, &run->scheme, sizeof run->scheme);
    carom_snapshot_block(snapshot, &run->h, sizeof run->h);
    carom_snapshot_block(snapshot, &run->is_interpolated, sizeof run->is_interpolated);
    carom_snapshot_block(snapshot, &run->run.status, sizeof run->run.status);
    carom_snapshot_block(snapshot, run->run.word, sizeof run->run.word);
    carom_snapshot_block(snapshot, &run->run.steps, sizeof run->run.steps);
    carom_snapshot_block(snapshot, &run->run.wall_seconds, sizeof run->run.wall_seconds);
    carom_snapshot_block(snapshot, run->error, (size_t)curve_count * sizeof *run->error);
    carom_snapshot_block(snapshot, run->at_rounding, (size_t)curve_count * sizeof *run->at_rounding);
    carom_snapshot_block(snapshot, &message, sizeof message);
    if (snapshot->restores)
        run->run.message = message > 0 && message <= snapshot->length
                               ? carom_arena_take(arena, (size_t)message + 1, 1)
                               : NULL;
    if (message > 0 && !run->run.message)
        snapshot->failed = true;
    else if (message > 0)
        carom_snapshot_block(snapshot, run->run.message, (size_t)message);
}

static bool take_curves(const carom_convergence *study, carom_arena *arena, measured_run *run)
{
    run->error = carom_arena_take(arena, (size_t)study->curve_count, sizeof *run->error);
    run->at_rounding = carom_arena_take(arena, (size_t)study->curve_count, sizeof *run->at_rounding);
    for (int i = 0; run->error && i < study->curve_count; i++)
        run->error[i] = NAN;
    return run->error && run->at_rounding;
}

static void describe_outcome(const active_study *active, carom_run_result *result, carom_converged_run *run)
{
    run->status = result->status;
    run->steps = result->steps;
    run->wall_seconds = active->request->no_times ? 0.0 : result->wall_seconds;
    memcpy(run->word, result->word, sizeof run->word);
    run->message = result->status == CAROM_OK ? NULL : result->message;
}

/* A run that failed is shown as what it is; the others go on. */
static carom_status measure_run(study_piece *piece, int scheme, carom_error *error)
{
    const active_study *active = piece->active;
    const carom_convergence *study = active->study;
    const double h = study->h[piece->h];
    measured_run measured = {.scheme = scheme, .h = piece->h};
    if (!take_curves(study, piece->arena, &measured))
        return carom_fail_memory(error);
    error_meter_begin(&piece->meter, h, study->until);
    const carom_recorder recorder = error_meter_recorder(&piece->meter);
    carom_run_result result;
    carom_status status =
        run_once(active, study->scheme[scheme].scheme, h, piece->arena,
                 (carom_progress){.context = piece, .report = run_goes_on}, &recorder, 1, &result, error);
    if (status == CAROM_OK || (status == CAROM_FAILED && result.final)) {
        describe_outcome(active, &result, &measured.run);
        measured.is_interpolated = status == CAROM_OK && piece->meter.is_interpolated;
        for (int i = 0; status == CAROM_OK && i < study->curve_count; i++) {
            measured.error[i] = error_meter_error(&piece->meter, i);
            measured.at_rounding[i] = error_meter_at_rounding(&piece->meter, i);
        }
        carom_snapshot answer = {0};
        pack_run(&answer, NULL, study->curve_count, &measured);
        status = piece->worker->answer(piece->worker, &answer, error);
    }
    carom_run_result_free(&result);
    return status == CAROM_FAILED ? CAROM_OK : status;
}

static carom_status open_piece(study_piece *piece, carom_error *error)
{
    const active_study *active = piece->active;
    const carom_convergence *study = active->study;
    const bool own = study_has_reference_per_step(study);
    piece->arena = carom_arena_create();
    const bool taken = piece->arena &&
                       (!own || reference_run_create(&active->compared, piece->arena, &piece->own)) &&
                       error_meter_create(&active->compared, own ? &piece->own : &active->reference,
                                          study->curve_count, piece->arena, &piece->meter);
    if (!taken)
        return carom_fail_memory(error);
    if (!own)
        return CAROM_OK;
    return run_reference(active, study->h[piece->h], piece->arena,
                         (carom_progress){.context = piece, .report = run_goes_on}, 1, &piece->own, error);
}

static carom_status compute_piece(void *context, void *room, carom_snapshot *brief,
                                  const carom_worker *worker, carom_error *error)
{
    (void)room, (void)brief;
    study_piece piece = piece_at(context, worker->piece);
    piece.worker = worker;
    carom_status status = open_piece(&piece, error);
    for (int k = piece.first; status == CAROM_OK && k < piece.end; k++)
        if (!piece.active->done[unit_of(piece.active->study, k, piece.h)])
            status = measure_run(&piece, k, error);
    reference_run_free(&piece.own);
    carom_arena_free(piece.arena);
    return status;
}

/* A run into the study; false: the bytes are none of it. */
static bool enter_run(active_study *active, carom_snapshot *answer, measured_run *found)
{
    carom_convergence *study = active->study;
    measured_run measured = {0};
    if (!take_curves(study, active->arena, &measured))
        return false;
    pack_run(answer, study->arena, study->curve_count, &measured);
    if (answer->failed || measured.scheme < 0 || measured.scheme >= study->scheme_count || measured.h < 0 ||
        measured.h >= study->h_count)
        return false;
    measured.run.word[sizeof measured.run.word - 1] = '\0';
    carom_convergence_scheme *scheme = &study->scheme[measured.scheme];
    scheme->run[measured.h] = measured.run;
    study->interpolated = study->interpolated || measured.is_interpolated;
    for (int i = 0; measured.run.status == CAROM_OK && i < study->curve_count; i++) {
        scheme->curve[i].error[measured.h] = measured.error[i];
        scheme->curve[i].at_rounding[measured.h] = measured.at_rounding[i];
    }
    const bool is_last = study_has_reference_per_step(study) && measured.scheme == study->scheme_count - 1;
    active->steps_before += study_steps(study, study->h[measured.h]) * (is_last ? 2.0 : 1.0);
    active->steps_now = 0.0;
    *found = measured;
    return true;
}

static carom_status take_run(void *context, int index, carom_snapshot *answer, carom_error *error)
{
    (void)index;
    active_study *active = context;
    const carom_convergence_request *request = active->request;
    measured_run measured = {0};
    if (!enter_run(active, answer, &measured))
        return carom_fail_memory(error);
    return request->keep
               ? request->keep(request->keep_context, unit_of(active->study, measured.scheme, measured.h),
                               answer->bytes, answer->length, error)
               : CAROM_OK;
}

/* Runs of an earlier process; *left: how many there are still to be made. */
static carom_status recall_runs(active_study *active, int *left, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    const carom_convergence *study = active->study;
    const int all = study->scheme_count * study->h_count;
    active->done = carom_arena_take(active->arena, (size_t)all, sizeof *active->done);
    if (!active->done)
        return carom_fail_memory(error);
    *left = all;
    for (int unit = 0; request->recall && unit < all; unit++) {
        size_t count = 0;
        void *bytes = request->recall(request->keep_context, unit, &count);
        carom_snapshot kept = carom_snapshot_of(bytes, count);
        measured_run found = {0};
        if (bytes && enter_run(active, &kept, &found) && unit_of(study, found.scheme, found.h) == unit) {
            active->done[unit] = true;
            --*left;
        }
        free(bytes);
    }
    return CAROM_OK;
}

/* ---- all runs ---------------------------------------------------------------------------------------- */

static carom_status run_all(active_study *active, carom_error *error)
{
    const carom_convergence *study = active->study;
    int left = 0;
    study_count_steps(active);
    carom_status status = recall_runs(active, &left, error);
    if (status != CAROM_OK || left == 0)
        return status;
    if (study->reference == CAROM_REFERENCE_FINE) {
        status = run_reference(active, active->step.h, active->arena,
                               (carom_progress){.context = active, .report = report_reference},
                               active->step.record_every, &active->reference, error);
        if (status != CAROM_OK)
            return status;
        active->steps_before += study_steps(study, study->reference_h);
    }
    const carom_work work = {.context = active,
                             .count = study_pieces(study),
                             .threads = active->threads,
                             .compute = compute_piece,
                             .wants = wants_piece,
                             .take = take_run,
                             .goes_on = report_runs};
    return carom_work_run(&work, active->request->workers, error);
}

static void fit_orders(carom_convergence *study)
{
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->curve_count; k++)
            error_curve_fit(study->h_count, study->h, &study->scheme[i].curve[k]);
}

carom_status carom_converge(const carom_convergence_request *request, carom_convergence *study,
                            carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *study = (carom_convergence){0};
    active_study active = {.request = request, .study = study};
    carom_status status = study_set_up(&active, error);
    if (status == CAROM_OK)
        status = run_all(&active, error);
    reference_run_free(&active.reference);
    carom_arena_free(active.arena);
    if (status == CAROM_OK || status == CAROM_INTERRUPTED)
        fit_orders(study);
    else
        carom_convergence_free(study);
    return status;
}

/* ---- what it will take --------------------------------------------------------------------------------- */

/* The first scheme with the largest step, without outputs. */
static carom_status time_run(active_study *active, carom_survey_trial *trial, carom_error *error)
{
    const carom_convergence *study = active->study;
    const carom_scheme_ops *scheme = study->scheme[0].scheme;
    carom_run_request run;
    carom_run_result result;
    carom_status status = study_request(active, scheme, study->h[0], active->arena, &run, error);
    if (status != CAROM_OK)
        return status;
    run.progress = active->request->progress;
    const double started = carom_seconds();
    status = carom_run(&run, &result, error);
    trial->seconds = carom_seconds() - started;
    trial->status = result.status;
    memcpy(trial->word, result.word, sizeof trial->word);
    carom_run_result_free(&result);
    snprintf(trial->what, sizeof trial->what, "%s with h = %.6g", scheme->name, study->h[0]);
    return status == CAROM_FAILED ? CAROM_OK : status;
}

carom_status carom_converge_try(const carom_convergence_request *request, carom_survey_trial *trial,
                                carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *trial = (carom_survey_trial){0};
    carom_convergence study = {0};
    active_study active = {.request = request, .study = &study};
    carom_status status = study_set_up(&active, error);
    if (status == CAROM_OK)
        status = time_run(&active, trial, error);
    if (status == CAROM_OK) {
        study_count_steps(&active);
        const long references = study.reference == CAROM_REFERENCE_FINE ? 1
                                : study_has_reference_per_step(&study)  ? study.h_count
                                                                        : 0;
        trial->runs = (long)study.h_count * study.scheme_count + references;
        trial->all_seconds = trial->seconds * active.steps_all / study_steps(&study, study.h[0]);
        trial->result_bytes =
            sizeof(double) * 2 * (size_t)(study.h_count * study.scheme_count) * (size_t)study.curve_count;
    }
    reference_run_free(&active.reference);
    carom_arena_free(active.arena);
    carom_convergence_free(&study);
    return status;
}

void carom_convergence_free(carom_convergence *study)
{
    carom_arena_free(study->arena);
    *study = (carom_convergence){0};
}

bool carom_convergence_has_order(const carom_convergence *study)
{
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->curve_count; k++)
            if (study->scheme[i].curve[k].fitted > 1)
                return true;
    return false;
}
