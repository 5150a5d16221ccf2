/* Work by threads of this process: each takes the next piece that nobody has. */
#include "carom/survey/work.h"

#include <unistd.h>

enum {
    THREADS_MAX = 256
};

typedef struct shared_work {
    const carom_work *work;
    bool stopped;
    carom_status status; /* why */
    carom_error error;
} shared_work;

static bool is_stopped(const shared_work *shared)
{
    bool stopped;
#pragma omp atomic read
    stopped = shared->stopped;
    return stopped;
}

/* By one thread at a time; the first reason is kept. */
static void stop(shared_work *shared, carom_status status, const carom_error *error)
{
    if (!is_stopped(shared)) {
        shared->status = status;
        shared->error = *error;
    }
#pragma omp atomic write
    shared->stopped = true;
}

static bool ask(shared_work *shared)
{
    const carom_work *work = shared->work;
    if (work->goes_on && !is_stopped(shared) && !work->goes_on(work->context)) {
        carom_error error = {0};
        stop(shared, carom_fail(&error, CAROM_INTERRUPTED, "interrupted"), &error);
    }
    return !is_stopped(shared);
}

static bool goes_on(const carom_worker *self)
{
    bool answer;
#pragma omp critical(carom_work)
    answer = ask(self->context);
    return answer;
}

static carom_status give_answer(const carom_worker *self, carom_snapshot *answer, carom_error *error)
{
    shared_work *shared = self->context;
    const carom_work *work = shared->work;
    carom_status status = CAROM_OK;
    if (answer->failed) {
        status = carom_fail_memory(error);
    } else {
        carom_snapshot given = carom_snapshot_of(answer->bytes, answer->length);
#pragma omp critical(carom_work)
        {
            status = work->take(work->context, self->piece, &given, error);
            if (status != CAROM_OK)
                stop(shared, status, error);
            else
                ask(shared);
        }
    }
    carom_snapshot_free(answer);
    return status;
}

static carom_status compute(shared_work *shared, void *room, int piece, carom_error *error)
{
    const carom_work *work = shared->work;
    const carom_worker worker = {shared, piece, give_answer, goes_on};
    carom_snapshot brief = {0};
    bool wanted;
#pragma omp critical(carom_work)
    {
        wanted = !work->wants || work->wants(work->context, piece);
        if (wanted && work->brief)
            work->brief(work->context, piece, &brief);
    }
    carom_status status = brief.failed ? carom_fail_memory(error) : CAROM_OK;
    if (wanted && status == CAROM_OK) {
        carom_snapshot given = carom_snapshot_of(brief.bytes, brief.length);
        status = work->compute(work->context, room, &given, &worker, error);
    }
    carom_snapshot_free(&brief);
    return status;
}

static carom_status run_here(const carom_work *work, carom_error *error)
{
    shared_work shared = {.work = work};
#pragma omp parallel num_threads(work->threads)
    {
        carom_error own = {0};
        void *room = NULL;
        const carom_status entered = work->enter ? work->enter(work->context, &room, &own) : CAROM_OK;
        if (entered != CAROM_OK) {
#pragma omp critical(carom_work)
            stop(&shared, entered, &own);
        }
#pragma omp for schedule(dynamic)
        for (int piece = 0; piece < work->count; piece++) {
            const carom_status status =
                entered == CAROM_OK && !is_stopped(&shared) ? compute(&shared, room, piece, &own) : CAROM_OK;
            if (status != CAROM_OK) {
#pragma omp critical(carom_work)
                stop(&shared, status, &own);
            }
        }
        if (work->leave)
            work->leave(work->context, room);
    }
    if (shared.status != CAROM_OK)
        *error = shared.error;
    return shared.status;
}

carom_status carom_work_run(const carom_work *work, const carom_workers *workers, carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    if (work->count < 0 || work->threads < 1 || work->threads > THREADS_MAX || !work->compute || !work->take)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%d pieces of work by %d threads: give no negative number of pieces, 1 to %d threads, "
            "and what to compute and to take",
            work->count, work->threads, THREADS_MAX);
    return workers ? workers->run(workers->context, work, error) : run_here(work, error);
}

carom_status carom_work_threads(int given, int pieces, const carom_workers *workers, int *threads,
                                carom_error *error)
{
    if (given < 0 || given > THREADS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d threads: from 1 to %d, or 0 for one per core", given,
                          THREADS_MAX);
    if (given == 0 && workers)
        given = 1;
    if (given == 0) {
        const long cores = sysconf(_SC_NPROCESSORS_ONLN);
        given = cores < 1 ? 1 : cores > THREADS_MAX ? THREADS_MAX : (int)cores;
    }
    *threads = given < pieces ? given : pieces > 0 ? pieces : 1;
    return CAROM_OK;
}
