/* Other ranks: compute what rank 0 gives them. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "team.h"
#include "workers.h"

/* How long it sleeps between two looks for a call. */
static const double nap = 5e-3;
/* Answers to short pieces are collected for so long. */
static const double collected = 0.02;

typedef struct follower_loop {
    mpi_workers *self;
    team team;
    letter received;
    letter answers; /* piece, ends, bytes */
    int answer_count;
    double sent; /* when the last letter was */
    bool asked;  /* for pieces that have not come yet */
    bool stopping, stopped, told;
} follower_loop;

static void send_letter(mpi_workers *self, letter *sent, carom_error *error)
{
    carom_error unseen;
    if (outbox_send(&self->outbox, sent, self->communicator, 0, error ? error : &unseen) != CAROM_OK &&
        !error)
        MPI_Abort(self->communicator, 2); /* not even the reason can be told */
}

void mpi_tell_error(mpi_workers *self, const carom_error *error)
{
    letter sent = {0};
    letter_put(&sent, LETTER_ERROR);
    letter_put(&sent, (uint64_t)error->status);
    letter_put_bytes(&sent, error->text, strlen(error->text));
    send_letter(self, &sent, NULL);
    letter_put(&sent, LETTER_STOPPED);
    send_letter(self, &sent, NULL);
}

/* ---- from rank 0 ----------------------------------------------------------------------------------------- */

static void add_pieces(follower_loop *loop)
{
    letter *received = &loop->received;
    carom_error error = {0};
    carom_status status = CAROM_OK;
    loop->asked = false;
    for (int count = letter_get_whole(received); status == CAROM_OK && count > 0; count--) {
        size_t length;
        const int piece = letter_get_whole(received);
        const void *brief = letter_get_bytes(received, &length);
        status = received->failed ? carom_fail(&error, CAROM_FAILED, "a message of rank 0 does not read")
                                  : team_add(&loop->team, piece, brief, length, &error);
    }
    if (status != CAROM_OK && !loop->told) {
        loop->told = true;
        mpi_tell_error(loop->self, &error);
    }
}

static bool read_letters(follower_loop *loop)
{
    bool any = false;
    while (!loop->self->home && letter_receive(&loop->received, loop->self->communicator, 0, NULL)) {
        any = true;
        switch ((letter_kind)letter_get(&loop->received)) {
        case LETTER_PIECES:
            add_pieces(loop);
            break;
        case LETTER_STOP:
            loop->stopping = true;
            team_stop(&loop->team);
            break;
        default:
            loop->self->home = true;
            team_stop(&loop->team);
        }
    }
    return any;
}

/* ---- to rank 0 ------------------------------------------------------------------------------------------- */

static bool collect(follower_loop *loop)
{
    team_answer *first = team_collect(&loop->team);
    for (team_answer *answer = first; answer; answer = answer->next) {
        letter_put(&loop->answers, (uint64_t)answer->piece);
        letter_put(&loop->answers, answer->ends);
        letter_put_bytes(&loop->answers, answer->bytes.bytes, answer->bytes.length);
        loop->answer_count++;
    }
    team_answers_free(first);
    return first;
}

static void send_answers(follower_loop *loop, int wanted)
{
    letter sent = {0};
    carom_error error = {0};
    letter_put(&sent, LETTER_ANSWERS);
    letter_put(&sent, (uint64_t)wanted);
    letter_put(&sent, (uint64_t)loop->team.work->threads);
    letter_put(&sent, (uint64_t)loop->answer_count);
    for (size_t i = 0; i < loop->answers.count; i++)
        letter_put(&sent, loop->answers.word[i]);
    sent.failed = sent.failed || loop->answers.failed;
    loop->answers.count = 0;
    loop->answers.failed = false;
    loop->answer_count = 0;
    loop->sent = carom_seconds();
    loop->asked = loop->asked || wanted > 0;
    send_letter(loop->self, &sent, &error);
    if (error.status != CAROM_OK && !loop->told) {
        loop->told = true;
        mpi_tell_error(loop->self, &error);
    }
}

static void answer_and_ask(follower_loop *loop)
{
    const int wanted = loop->asked || loop->stopping ? 0 : team_wants(&loop->team);
    const bool is_due = carom_seconds() - loop->sent > collected || team_held(&loop->team) == 0;
    if (wanted > 0 || (loop->answer_count > 0 && is_due))
        send_answers(loop, wanted);
}

static void tell_end(follower_loop *loop)
{
    carom_error error = {0};
    if (!loop->told && team_failure(&loop->team, &error) != CAROM_OK) {
        loop->told = loop->stopped = true;
        mpi_tell_error(loop->self, &error);
    }
    if (loop->stopping && !loop->stopped && team_held(&loop->team) == 0) {
        loop->stopped = true;
        collect(loop);
        if (loop->answer_count > 0)
            send_answers(loop, 0);
        letter sent = {0};
        letter_put(&sent, LETTER_STOPPED);
        send_letter(loop->self, &sent, NULL);
    }
}

static void speak(follower_loop *loop, bool is_alone)
{
    while (!loop->self->home) {
        bool news = read_letters(loop);
        news = collect(loop) || news;
        if (!loop->told)
            answer_and_ask(loop);
        tell_end(loop);
        outbox_tidy(&loop->self->outbox);
        if (!news && !(is_alone && team_compute_next(&loop->team)))
            team_wait(&loop->team);
    }
    team_close(&loop->team);
}

carom_status mpi_follow(void *context, const carom_work *work, carom_error *error)
{
    mpi_workers *self = context;
    (void)error;
    follower_loop loop = {.self = self};
    team_open(&loop.team, work);
#pragma omp parallel num_threads(work->threads + 1)
    {
        if (omp_get_thread_num() == 0)
            speak(&loop, omp_get_num_threads() == 1);
        else
            team_work(&loop.team);
    }
    team_free(&loop.team);
    letter_free(&loop.received);
    letter_free(&loop.answers);
    return CAROM_OK;
}

bool mpi_wait_for_call(mpi_workers *self, letter *call, const void **bytes, size_t *count)
{
    const struct timespec pause = {.tv_nsec = (long)(1e9 * nap)};
    while (!self->home) {
        while (letter_receive(call, self->communicator, 0, NULL)) {
            const letter_kind kind = (letter_kind)letter_get(call);
            if (kind == LETTER_CALL) {
                *bytes = letter_get_bytes(call, count);
                return !call->failed;
            }
            self->home = self->home || kind == LETTER_HOME;
        }
        outbox_tidy(&self->outbox);
        if (!self->home)
            nanosleep(&pause, NULL);
    }
    return false;
}
