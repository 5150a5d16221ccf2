/* What pieces of a fit that several processes compute have in common. */
#include <math.h>

#include "fit.h"

static bool ask_worker(void *context, double done, double total)
{
    (void)done, (void)total;
    const carom_worker *worker = context;
    return worker->goes_on(worker);
}

void fit_own_problem_make(const fit_problem *problem, const carom_worker *worker, fit_own_problem *own)
{
    own->request = *problem->request;
    own->request.workers = NULL;
    own->request.recall = NULL; /* who takes the answer keeps it */
    own->request.keep = NULL;
    own->request.progress = (carom_progress){.report = ask_worker, .context = (void *)worker};
    own->problem = *problem;
    own->problem.request = &own->request;
    own->problem.runs = own->problem.failed_runs = 0;
    own->problem.met_breaks = own->problem.stop = false;
    own->problem.is_own = true;
}

void fit_pack_counts(fit_problem *problem, carom_snapshot *snapshot)
{
    long runs = problem->runs, failed = problem->failed_runs;
    bool breaks = problem->met_breaks;
    carom_snapshot_block(snapshot, &runs, sizeof runs);
    carom_snapshot_block(snapshot, &failed, sizeof failed);
    carom_snapshot_block(snapshot, &breaks, sizeof breaks);
    if (!snapshot->restores || snapshot->failed)
        return;
    problem->runs += runs;
    problem->failed_runs += failed;
    problem->met_breaks = problem->met_breaks || breaks;
}

void fit_pack_error(carom_status *status, carom_error *error, carom_snapshot *snapshot)
{
    carom_snapshot_block(snapshot, status, sizeof *status);
    carom_snapshot_block(snapshot, &error->status, sizeof error->status);
    carom_snapshot_block(snapshot, error->text, sizeof error->text);
}

void *fit_recall(const fit_problem *problem, const carom_snapshot *key, size_t *count)
{
    const carom_fit_request *request = problem->request;
    void *bytes = NULL;
    if (!request->recall || key->failed)
        return NULL;
#pragma omp critical(carom_fit_kept)
    bytes = request->recall(request->keep_context, key->bytes, key->length, count);
    return bytes;
}

carom_status fit_keep(fit_problem *problem, const carom_snapshot *key, const carom_snapshot *bytes,
                      carom_error *error)
{
    const carom_fit_request *request = problem->request;
    carom_status status = CAROM_OK;
    if (!request->keep)
        return CAROM_OK;
    if (key->failed || bytes->failed)
        return carom_fail_memory(error);
#pragma omp critical(carom_fit_kept)
    status =
        request->keep(request->keep_context, key->bytes, key->length, bytes->bytes, bytes->length, error);
    return status;
}

bool fit_goes_on(void *context)
{
    fit_problem *problem = context;
    const carom_progress *progress = &problem->request->progress;
    problem->expected = fmax(fmax(problem->expected, 1.25 * (double)problem->runs), 1.0);
    if (progress->report && !progress->report(progress->context, (double)problem->runs, problem->expected)) {
#pragma omp atomic write
        problem->stop = true;
    }
    return !fit_is_stopped(problem);
}
