#include "letter.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    TAG = 1
};

/* ---- writing and reading ----------------------------------------------------------------------------- */

static bool reserve(letter *self, size_t more)
{
    if (self->failed || more > SIZE_MAX / 32 - self->count) {
        self->failed = true;
        return false;
    }
    if (self->count + more <= self->capacity)
        return true;
    size_t capacity = self->capacity ? self->capacity : 64;
    while (capacity < self->count + more)
        capacity *= 2;
    uint64_t *grown = realloc(self->word, capacity * sizeof *grown);
    if (!grown) {
        self->failed = true;
        return false;
    }
    self->word = grown;
    self->capacity = capacity;
    return true;
}

void letter_put(letter *self, uint64_t word)
{
    if (reserve(self, 1))
        self->word[self->count++] = word;
}

static size_t words_of(size_t bytes)
{
    return bytes / sizeof(uint64_t) + (bytes % sizeof(uint64_t) != 0);
}

void letter_put_bytes(letter *self, const void *bytes, size_t count)
{
    const size_t words = words_of(count);
    letter_put(self, count);
    if (words == 0 || !reserve(self, words))
        return;
    self->word[self->count + words - 1] = 0;
    memcpy(self->word + self->count, bytes, count);
    self->count += words;
}

uint64_t letter_get(letter *self)
{
    if (self->failed || self->place >= self->count) {
        self->failed = true;
        return 0;
    }
    return self->word[self->place++];
}

int letter_get_whole(letter *self)
{
    const uint64_t word = letter_get(self);
    self->failed = self->failed || word > INT_MAX;
    return self->failed ? 0 : (int)word;
}

const void *letter_get_bytes(letter *self, size_t *count)
{
    const uint64_t bytes = letter_get(self);
    const size_t left = self->count - self->place;
    *count = 0;
    if (self->failed || bytes > left * sizeof(uint64_t)) {
        self->failed = true;
        return NULL;
    }
    const void *found = self->word + self->place;
    self->place += words_of((size_t)bytes);
    *count = (size_t)bytes;
    return found;
}

void letter_free(letter *self)
{
    if (self->comes)
        MPI_Wait(&self->request, MPI_STATUS_IGNORE);
    free(self->word);
    *self = (letter){0};
}

/* ---- sending and receiving ----------------------------------------------------------------------------- */

static carom_status check_size(const letter *self, carom_error *error)
{
    if (self->failed)
        return carom_fail_memory(error);
    if (self->count > INT_MAX)
        return carom_fail(error, CAROM_FAILED,
                          "a result of %zu bytes is too long for a message of MPI: at most %zu",
                          self->count * sizeof(uint64_t), (size_t)INT_MAX * sizeof(uint64_t));
    return CAROM_OK;
}

carom_status letter_send_all(const letter *self, MPI_Comm communicator, carom_error *error)
{
    int size;
    MPI_Comm_size(communicator, &size);
    MPI_Request *request = carom_new_array((size_t)size, sizeof *request);
    const carom_status status = request ? check_size(self, error) : carom_fail_memory(error);
    for (int rank = 1; status == CAROM_OK && rank < size; rank++)
        MPI_Isend(self->word, (int)self->count, MPI_UINT64_T, rank, TAG, communicator, &request[rank]);
    if (status == CAROM_OK)
        MPI_Waitall(size - 1, request + 1, MPI_STATUSES_IGNORE);
    free(request);
    return status;
}

struct sent_letter {
    MPI_Request request;
    letter content;
    sent_letter *next;
};

carom_status outbox_send(outbox *self, letter *sent, MPI_Comm communicator, int rank, carom_error *error)
{
    carom_status status = check_size(sent, error);
    sent_letter *entry = status == CAROM_OK ? carom_new_array(1, sizeof *entry) : NULL;
    if (status == CAROM_OK && !entry)
        status = carom_fail_memory(error);
    if (status != CAROM_OK) {
        letter_free(sent);
        return status;
    }
    entry->content = *sent;
    *sent = (letter){0};
    MPI_Isend(entry->content.word, (int)entry->content.count, MPI_UINT64_T, rank, TAG, communicator,
              &entry->request);
    entry->next = self->first;
    self->first = entry;
    return CAROM_OK;
}

static void forget(outbox *self, bool waits)
{
    for (sent_letter **place = &self->first; *place;) {
        sent_letter *entry = *place;
        int arrived = 1;
        if (waits)
            MPI_Wait(&entry->request, MPI_STATUS_IGNORE);
        else
            MPI_Test(&entry->request, &arrived, MPI_STATUS_IGNORE);
        if (!arrived) {
            place = &entry->next;
            continue;
        }
        *place = entry->next;
        letter_free(&entry->content);
        free(entry);
    }
}

void outbox_tidy(outbox *self)
{
    forget(self, false);
}

void outbox_end(outbox *self)
{
    forget(self, true);
}

/* Begins to receive what is there; false: nothing is. */
static bool begin_receiving(letter *self, MPI_Comm communicator, int rank)
{
    int there = 0, count = 0;
    MPI_Status about;
    MPI_Iprobe(rank, TAG, communicator, &there, &about);
    if (!there)
        return false;
    MPI_Get_count(&about, MPI_UINT64_T, &count);
    self->count = self->place = 0;
    self->failed = false;
    if (!reserve(self, (size_t)count))
        return false;
    MPI_Irecv(self->word, count, MPI_UINT64_T, about.MPI_SOURCE, TAG, communicator, &self->request);
    self->coming = (size_t)count;
    self->sender = about.MPI_SOURCE;
    return true;
}

bool letter_receive(letter *self, MPI_Comm communicator, int rank, int *sender)
{
    int arrived = 0;
    self->comes = self->comes || begin_receiving(self, communicator, rank);
    if (self->comes)
        MPI_Test(&self->request, &arrived, MPI_STATUS_IGNORE);
    if (!arrived)
        return false;
    self->comes = false;
    self->count = self->coming;
    if (sender)
        *sender = self->sender;
    return true;
}
