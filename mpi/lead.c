/* Rank 0: hands out pieces to whoever is free, also to its own threads, and takes the answers. */
#include <omp.h>
#include <stdlib.h>

#include "team.h"
#include "workers.h"

/* How long what is on its way is waited for after a stop. */
static const double patience = 0.4;

typedef struct leader {
    mpi_workers *self;
    const carom_work *work;
    team team;
    int *piece; /* those that are wanted */
    int pieces, given, done;
    letter *received; /* outlives the work: a letter may come when it is done */
    bool taking;      /* false: an answer could not be taken, no more are */
    carom_status status;
    carom_error error;
} leader;

static void end(leader *lead, carom_status status, const carom_error *error)
{
    if (lead->status == CAROM_OK) {
        lead->status = status;
        lead->error = *error;
    }
}

/* ---- answers ------------------------------------------------------------------------------------------- */

static void take(leader *lead, int piece, const void *bytes, size_t count)
{
    carom_error error = {0};
    carom_snapshot answer = carom_snapshot_of(bytes, count);
    if (!lead->taking)
        return;
    const carom_status status = lead->work->take(lead->work->context, piece, &answer, &error);
    if (status == CAROM_OK)
        return;
    lead->taking = false;
    end(lead, status, &error);
}

static void take_letter(leader *lead, follower *from)
{
    letter *received = lead->received;
    from->wanted += letter_get_whole(received);
    from->threads = letter_get_whole(received);
    const int answers = letter_get_whole(received);
    for (int i = 0; i < answers && !received->failed; i++) {
        size_t count;
        const int piece = letter_get_whole(received);
        const bool ends = letter_get(received) == 1;
        const void *bytes = letter_get_bytes(received, &count);
        if (received->failed)
            break;
        if (ends)
            lead->done++;
        else
            take(lead, piece, bytes, count);
    }
}

static void take_failure(leader *lead, int rank)
{
    carom_error error = {0};
    size_t count;
    const carom_status status = (carom_status)letter_get_whole(lead->received);
    const char *text = letter_get_bytes(lead->received, &count);
    if (!lead->received->failed)
        end(lead, carom_fail(&error, status, "rank %d: %.*s", rank, (int)count, text), &error);
}

static bool read_letters(leader *lead)
{
    mpi_workers *self = lead->self;
    bool any = false;
    int rank;
    while (letter_receive(lead->received, self->communicator, MPI_ANY_SOURCE, &rank)) {
        any = true;
        switch ((letter_kind)letter_get(lead->received)) {
        case LETTER_ANSWERS:
            take_letter(lead, &self->follower[rank]);
            break;
        case LETTER_ERROR:
            take_failure(lead, rank);
            break;
        case LETTER_STOPPED:
            self->follower[rank].has_stopped = true;
            break;
        default:
            lead->received->failed = true;
        }
        if (lead->received->failed) {
            carom_error error = {0};
            end(lead, carom_fail(&error, CAROM_FAILED, "a message of rank %d does not read", rank), &error);
        }
    }
    return any;
}

static bool take_own(leader *lead)
{
    team_answer *first = team_collect(&lead->team);
    for (team_answer *answer = first; answer; answer = answer->next) {
        if (answer->ends)
            lead->done++;
        else
            take(lead, answer->piece, answer->bytes.bytes, answer->bytes.length);
    }
    team_answers_free(first);
    carom_error error = {0};
    const carom_status status = team_failure(&lead->team, &error);
    if (status != CAROM_OK)
        end(lead, status, &error);
    return first;
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static int all_threads(const leader *lead)
{
    int threads = lead->work->threads;
    for (int rank = 1; rank < lead->self->size; rank++)
        threads +=
            lead->self->follower[rank].threads > 0 ? lead->self->follower[rank].threads : lead->work->threads;
    return threads;
}

/* Towards the end fewer, so that all have something to do until then. */
static int share_of(const leader *lead, int wanted)
{
    const int left = lead->pieces - lead->given, share = left / (2 * all_threads(lead)) + 1;
    const int given = wanted < share ? wanted : share;
    return given < left ? given : left;
}

static carom_status make_brief(const leader *lead, int piece, carom_snapshot *brief, carom_error *error)
{
    if (lead->work->brief)
        lead->work->brief(lead->work->context, piece, brief);
    return brief->failed ? carom_fail_memory(error) : CAROM_OK;
}

static carom_status give_own(leader *lead, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int count = share_of(lead, team_wants(&lead->team)); status == CAROM_OK && count > 0; count--) {
        const int piece = lead->piece[lead->given++];
        carom_snapshot brief = {0};
        status = make_brief(lead, piece, &brief, error);
        if (status == CAROM_OK)
            status = team_add(&lead->team, piece, brief.bytes, brief.length, error);
        carom_snapshot_free(&brief);
    }
    return status;
}

static carom_status give(leader *lead, int rank, carom_error *error)
{
    follower *to = &lead->self->follower[rank];
    const int count = share_of(lead, to->wanted);
    if (count == 0)
        return CAROM_OK;
    letter sent = {0};
    carom_status status = CAROM_OK;
    letter_put(&sent, LETTER_PIECES);
    letter_put(&sent, (uint64_t)count);
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        const int piece = lead->piece[lead->given++];
        carom_snapshot brief = {0};
        status = make_brief(lead, piece, &brief, error);
        letter_put(&sent, (uint64_t)piece);
        letter_put_bytes(&sent, brief.bytes, brief.length);
        carom_snapshot_free(&brief);
    }
    to->wanted = 0;
    if (status == CAROM_OK)
        return outbox_send(&lead->self->outbox, &sent, lead->self->communicator, rank, error);
    letter_free(&sent);
    return status;
}

static void give_all(leader *lead)
{
    carom_error error = {0};
    carom_status status = CAROM_OK;
    for (int rank = 1; status == CAROM_OK && rank < lead->self->size; rank++)
        if (lead->self->follower[rank].wanted > 0)
            status = give(lead, rank, &error);
    if (status == CAROM_OK)
        status = give_own(lead, &error);
    if (status != CAROM_OK)
        end(lead, status, &error);
}

/* ---- from the first piece to the last -------------------------------------------------------------------- */

static void ask(leader *lead)
{
    carom_error error = {0};
    const carom_work *work = lead->work;
    if (work->goes_on && !work->goes_on(work->context))
        end(lead, carom_fail(&error, CAROM_INTERRUPTED, "interrupted"), &error);
}

static void tell_all(const leader *lead, letter_kind kind)
{
    letter sent = {0};
    letter_put(&sent, (uint64_t)kind);
    letter_send_all(&sent, lead->self->communicator, NULL);
    letter_free(&sent);
}

static bool all_stopped(const leader *lead)
{
    for (int rank = 1; rank < lead->self->size; rank++)
        if (!lead->self->follower[rank].has_stopped)
            return false;
    return true;
}

/* What was computed is taken, as far as it comes soon. */
static void stop_all(leader *lead)
{
    team_stop(&lead->team);
    tell_all(lead, LETTER_STOP);
    const double until = carom_seconds() + patience;
    while (carom_seconds() < until && (!all_stopped(lead) || team_held(&lead->team) > 0)) {
        read_letters(lead);
        take_own(lead);
        team_wait(&lead->team);
    }
    read_letters(lead);
    take_own(lead);
}

static void speak(leader *lead, bool is_alone)
{
    double asked = carom_seconds();
    while (lead->done < lead->pieces && lead->status == CAROM_OK) {
        give_all(lead);
        outbox_tidy(&lead->self->outbox);
        bool news = read_letters(lead);
        news = take_own(lead) || news;
        if (news || carom_seconds() - asked > 0.05) {
            asked = carom_seconds();
            ask(lead);
        }
        if (!news && !(is_alone && team_compute_next(&lead->team)))
            team_wait(&lead->team);
    }
    if (lead->status != CAROM_OK)
        stop_all(lead);
    team_close(&lead->team);
}

static carom_status choose_pieces(leader *lead, carom_error *error)
{
    const carom_work *work = lead->work;
    lead->piece = carom_new_array((size_t)work->count, sizeof *lead->piece);
    if (!lead->piece)
        return carom_fail_memory(error);
    for (int i = 0; i < work->count; i++)
        if (!work->wants || work->wants(work->context, i))
            lead->piece[lead->pieces++] = i;
    return CAROM_OK;
}

static carom_status call_followers(mpi_workers *self, carom_error *error)
{
    if (self->called || !self->call)
        return CAROM_OK;
    self->called = true;
    letter sent = {0};
    letter_put(&sent, LETTER_CALL);
    letter_put_bytes(&sent, self->call->bytes, self->call->length);
    const carom_status status = letter_send_all(&sent, self->communicator, error);
    letter_free(&sent);
    return status;
}

carom_status mpi_lead(void *context, const carom_work *work, carom_error *error)
{
    mpi_workers *self = context;
    if (self->size == 1)
        return carom_work_run(work, NULL, error);
    leader lead = {.self = self, .work = work, .received = &self->received, .taking = true};
    carom_status status = choose_pieces(&lead, error);
    if (status == CAROM_OK && lead.pieces > 0)
        status = call_followers(self, error);
    if (status == CAROM_OK && lead.pieces > 0) {
        team_open(&lead.team, work);
#pragma omp parallel num_threads(work->threads + 1)
        {
            if (omp_get_thread_num() == 0)
                speak(&lead, omp_get_num_threads() == 1);
            else
                team_work(&lead.team);
        }
        team_free(&lead.team);
        status = lead.status;
        if (status != CAROM_OK)
            *error = lead.error;
    }
    free(lead.piece);
    return status;
}
