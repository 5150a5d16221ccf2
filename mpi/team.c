#include "team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Pieces are held in advance for so long. */
static const double seconds_ahead = 0.2;
static const double shortest_nap = 2e-3, longest_nap = 0.02;
enum {
    AHEAD_MOST = 4096
};

struct team_piece {
    team_piece *next;
    int piece;
    size_t count;
    unsigned char brief[];
};

void team_open(team *self, const carom_work *work)
{
    *self = (team){.work = work};
    pthread_mutex_init(&self->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&self->has_pieces, NULL);
    pthread_cond_init(&self->has_news, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void drop_pieces(team *self)
{
    while (self->first) {
        team_piece *piece = self->first;
        self->first = piece->next;
        self->held--;
        free(piece);
    }
    self->last = NULL;
}

void team_free(team *self)
{
    drop_pieces(self);
    team_answers_free(self->answer);
    pthread_cond_destroy(&self->has_news);
    pthread_cond_destroy(&self->has_pieces);
    pthread_mutex_destroy(&self->lock);
}

void team_answers_free(team_answer *first)
{
    while (first) {
        team_answer *next = first->next;
        carom_snapshot_free(&first->bytes);
        free(first);
        first = next;
    }
}

/* ---- the threads that compute ------------------------------------------------------------------------- */

static bool is_stopped(team *self)
{
    pthread_mutex_lock(&self->lock);
    const bool stopped = self->stopped;
    pthread_mutex_unlock(&self->lock);
    return stopped;
}

static bool goes_on(const carom_worker *self)
{
    return !is_stopped(self->context);
}

static void push(team *self, team_answer *answer)
{
    answer->next = self->answer;
    self->answer = answer;
    if (!self->first) /* nothing is at hand: whoever speaks should get more */
        pthread_cond_signal(&self->has_news);
}

static carom_status give_answer(const carom_worker *worker, carom_snapshot *answer, carom_error *error)
{
    team *self = worker->context;
    team_answer *given = answer->failed ? NULL : carom_new_array(1, sizeof *given);
    if (!given) {
        carom_snapshot_free(answer);
        return carom_fail_memory(error);
    }
    given->piece = worker->piece;
    given->bytes = *answer;
    *answer = (carom_snapshot){0};
    pthread_mutex_lock(&self->lock);
    push(self, given);
    pthread_mutex_unlock(&self->lock);
    return CAROM_OK;
}

static carom_status compute(team *self, void *room, team_piece *piece, team_answer *end, carom_error *error)
{
    const carom_work *work = self->work;
    const carom_worker worker = {self, piece->piece, give_answer, goes_on};
    carom_snapshot brief = carom_snapshot_of(piece->brief, piece->count);
    if (!end)
        return carom_fail_memory(error);
    *end = (team_answer){.piece = piece->piece, .ends = true};
    return work->compute(work->context, room, &brief, &worker, error);
}

static void fail(team *self, carom_status status, const carom_error *error)
{
    if (self->status == CAROM_OK && !self->stopped) {
        self->status = status;
        self->error = *error;
    }
    self->stopped = true;
    pthread_cond_signal(&self->has_news);
}

static void do_piece(team *self, void *room, team_piece *piece)
{
    carom_error error = {0};
    team_answer *end = carom_new_array(1, sizeof *end);
    const double started = carom_seconds();
    const carom_status status = compute(self, room, piece, end, &error);
    pthread_mutex_lock(&self->lock);
    self->seconds += carom_seconds() - started;
    self->computed++;
    self->held--;
    if (status == CAROM_OK) {
        push(self, end);
        end = NULL;
    } else {
        fail(self, status, &error);
    }
    pthread_mutex_unlock(&self->lock);
    free(end);
    free(piece);
}

/* NULL: there is none, and when it waits, there will be none. */
static team_piece *next_piece(team *self, bool waits)
{
    pthread_mutex_lock(&self->lock);
    while (waits && !self->first && !self->closed)
        pthread_cond_wait(&self->has_pieces, &self->lock);
    team_piece *piece = self->first;
    if (piece)
        self->first = piece->next;
    if (!self->first)
        self->last = NULL;
    pthread_mutex_unlock(&self->lock);
    return piece;
}

static void work_while(team *self, bool waits, bool *worked)
{
    const carom_work *work = self->work;
    carom_error error = {0};
    void *room = NULL;
    const carom_status entered = work->enter ? work->enter(work->context, &room, &error) : CAROM_OK;
    if (entered != CAROM_OK) {
        pthread_mutex_lock(&self->lock);
        fail(self, entered, &error);
        pthread_mutex_unlock(&self->lock);
    }
    team_piece *piece;
    while (entered == CAROM_OK && (piece = next_piece(self, waits))) {
        do_piece(self, room, piece);
        *worked = true;
        if (!waits)
            break;
    }
    if (work->leave)
        work->leave(work->context, room);
}

void team_work(team *self)
{
    bool worked;
    work_while(self, true, &worked);
}

bool team_compute_next(team *self)
{
    bool worked = false;
    if (team_held(self) > 0)
        work_while(self, false, &worked);
    return worked;
}

/* ---- the thread that speaks ----------------------------------------------------------------------------- */

carom_status team_add(team *self, int piece, const void *brief, size_t count, carom_error *error)
{
    team_piece *added = carom_new_array(1, sizeof *added + count);
    if (!added)
        return carom_fail_memory(error);
    added->piece = piece;
    added->count = count;
    if (count > 0)
        memcpy(added->brief, brief, count);
    pthread_mutex_lock(&self->lock);
    if (self->last)
        self->last->next = added;
    else
        self->first = added;
    self->last = added;
    self->held++;
    if (self->stopped)
        drop_pieces(self);
    pthread_cond_signal(&self->has_pieces);
    pthread_mutex_unlock(&self->lock);
    return CAROM_OK;
}

team_answer *team_collect(team *self)
{
    pthread_mutex_lock(&self->lock);
    team_answer *newest = self->answer, *first = NULL;
    self->answer = NULL;
    pthread_mutex_unlock(&self->lock);
    while (newest) {
        team_answer *older = newest->next;
        newest->next = first;
        first = newest;
        newest = older;
    }
    return first;
}

/* Called with the lock. */
static double mean_seconds(const team *self)
{
    return self->computed > 0 ? self->seconds / (double)self->computed : 0.0;
}

/* A tenth of the time for which pieces are at hand: long enough that thousands of short ones do not wake the thread that speaks each,
 * short enough that nobody waits for it near the end, when few are at hand anywhere. */
static double nap(const team *self)
{
    const int waiting = self->held - self->work->threads;
    const double seconds =
        waiting > 0 ? 0.1 * waiting * mean_seconds(self) / self->work->threads : shortest_nap;
    return seconds < shortest_nap ? shortest_nap : seconds > longest_nap ? longest_nap : seconds;
}

void team_wait(team *self)
{
    struct timespec until;
    pthread_mutex_lock(&self->lock);
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long nanoseconds = until.tv_nsec + (long)(1e9 * nap(self));
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    int waited = 0;
    while (!(self->answer && !self->first) && waited != ETIMEDOUT)
        waited = pthread_cond_timedwait(&self->has_news, &self->lock, &until);
    pthread_mutex_unlock(&self->lock);
}

int team_held(team *self)
{
    pthread_mutex_lock(&self->lock);
    const int held = self->held;
    pthread_mutex_unlock(&self->lock);
    return held;
}

/* A letter is answered within milliseconds: pieces that are long need not wait in advance, and near the end of the work
 * should not. */
int team_wants(team *self)
{
    const int threads = self->work->threads;
    pthread_mutex_lock(&self->lock);
    int ahead = 0;
    if (self->computed > 0) {
        const double pieces = seconds_ahead * threads / (mean_seconds(self) + 1e-9);
        ahead = pieces < AHEAD_MOST ? (int)pieces : AHEAD_MOST;
    }
    const int held = self->held;
    pthread_mutex_unlock(&self->lock);
    return held >= threads + (ahead + 1) / 2 ? 0 : threads + ahead - held;
}

carom_status team_failure(team *self, carom_error *error)
{
    pthread_mutex_lock(&self->lock);
    const carom_status status = self->status;
    if (status != CAROM_OK)
        *error = self->error;
    pthread_mutex_unlock(&self->lock);
    return status;
}

void team_stop(team *self)
{
    pthread_mutex_lock(&self->lock);
    self->stopped = true;
    drop_pieces(self);
    pthread_mutex_unlock(&self->lock);
}

void team_close(team *self)
{
    pthread_mutex_lock(&self->lock);
    self->closed = true;
    pthread_cond_broadcast(&self->has_pieces);
    pthread_mutex_unlock(&self->lock);
}
