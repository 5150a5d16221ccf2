#include "app/fit_journal.h"

#include <stdlib.h>
#include <string.h>

enum {
    RECORD_DATA = 1,
    RECORD_MOTION
};

/* FNV-1a. */
static uint64_t hash_more(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
}

static uint64_t hash_of(const void *bytes, size_t count)
{
    return hash_more(14695981039346656037u, bytes, count);
}

/* ---- what there is ------------------------------------------------------------------------------------------------ */

static int compare(const void *a, const void *b)
{
    const kept_motion *one = a, *other = b;
    if (one->hash != other->hash)
        return one->hash < other->hash ? -1 : 1;
    return one->record < other->record ? -1 : one->record > other->record;
}

/* A record of a motion: the number of bytes of its key, the key, the result. Its bytes, for free(); NULL: it does not read. */
static unsigned char *read_motion(const fit_journal *self, size_t record, size_t *count, uint64_t *key_count)
{
    const carom_journal_record *about = carom_journal_at(self->journal, record);
    unsigned char *bytes = carom_new_array(about->count + 1, 1);
    *count = about->count;
    if (bytes && about->count >= sizeof *key_count &&
        carom_journal_read(self->journal, about, 0, about->count, bytes, NULL) == CAROM_OK) {
        memcpy(key_count, bytes, sizeof *key_count);
        if (*key_count <= about->count - sizeof *key_count)
            return bytes;
    }
    free(bytes);
    return NULL;
}

static carom_status find_motions(fit_journal *self, carom_error *error)
{
    const size_t records = carom_journal_count(self->journal);
    self->motion = carom_new_array(records + 1, sizeof *self->motion);
    if (!self->motion)
        return carom_fail_memory(error);
    for (size_t i = 1; i < records; i++) {
        size_t count = 0;
        uint64_t key_count = 0;
        unsigned char *bytes = carom_journal_at(self->journal, i)->kind == RECORD_MOTION
                                   ? read_motion(self, i, &count, &key_count)
                                   : NULL;
        if (bytes)
            self->motion[self->count++] =
                (kept_motion){hash_of(bytes + sizeof key_count, (size_t)key_count), i};
        free(bytes);
    }
    qsort(self->motion, self->count, sizeof *self->motion, compare);
    return CAROM_OK;
}

/* ---- the data ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_data(int columns, int data_count, const carom_fit_data *data)
{
    uint64_t hash = hash_of(&data_count, sizeof data_count);
    for (int i = 0; i < data_count; i++) {
        const carom_fit_data *of = &data[i];
        const size_t rows = (size_t)of->count, cells = rows * (size_t)columns;
        hash = hash_more(hash, &of->count, sizeof of->count);
        hash = hash_more(hash, of->t, rows * sizeof *of->t);
        hash = hash_more(hash, of->value, cells * sizeof *of->value);
        hash = hash_more(hash, of->sigma, of->sigma ? cells * sizeof *of->sigma : 0);
        for (int k = 0; k < of->set_count; k++)
            hash = hash_more(hash, &of->set[k].value, sizeof of->set[k].value);
    }
    return hash;
}

carom_status fit_journal_begin(fit_journal *self, int columns, int data_count, const carom_fit_data *data,
                               carom_error *error)
{
    const uint64_t hash = hash_data(columns, data_count, data);
    for (size_t i = 1; i < carom_journal_count(self->journal); i++) {
        const carom_journal_record *record = carom_journal_at(self->journal, i);
        uint64_t before = 0;
        if (record->kind != RECORD_DATA || record->count != sizeof before)
            continue;
        const carom_status status =
            carom_journal_read(self->journal, record, 0, sizeof before, &before, error);
        if (status != CAROM_OK)
            return status;
        return before == hash ? find_motions(self, error)
                              : carom_fail(error, CAROM_BAD_INPUT,
                                           "the data are not those that the fit was begun with: put them "
                                           "back, or fit anew");
    }
    return carom_journal_append(self->journal, RECORD_DATA, &hash, sizeof hash, error);
}

/* ---- motions --------------------------------------------------------------------------------------------------------- */

void *fit_journal_recall(void *context, const void *key, size_t key_count, size_t *count)
{
    const fit_journal *self = context;
    const kept_motion sought = {hash_of(key, key_count), 0};
    size_t low = 0, high = self->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (compare(&self->motion[middle], &sought) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < self->count && self->motion[low].hash == sought.hash; low++) {
        uint64_t kept_count = 0;
        unsigned char *bytes = read_motion(self, self->motion[low].record, count, &kept_count);
        const size_t before = sizeof kept_count + key_count;
        if (bytes && kept_count == key_count && memcmp(bytes + sizeof kept_count, key, key_count) == 0) {
            *count -= before;
            memmove(bytes, bytes + before, *count);
            return bytes;
        }
        free(bytes);
    }
    return NULL;
}

carom_status fit_journal_keep(void *context, const void *key, size_t key_count, const void *bytes,
                              size_t count, carom_error *error)
{
    fit_journal *self = context;
    const uint64_t key_length = key_count;
    unsigned char *record = carom_new_array(sizeof key_length + key_count + count, 1);
    if (!record)
        return carom_fail_memory(error);
    memcpy(record, &key_length, sizeof key_length);
    memcpy(record + sizeof key_length, key, key_count);
    memcpy(record + sizeof key_length + key_count, bytes, count);
    const carom_status status = carom_journal_append(self->journal, RECORD_MOTION, record,
                                                     sizeof key_length + key_count + count, error);
    free(record);
    if (status != CAROM_OK)
        return status;
    if (carom_seconds() - self->synced < 1.0)
        return carom_journal_flush(self->journal, error);
    self->synced = carom_seconds();
    return carom_journal_sync(self->journal, error);
}

void fit_journal_close(fit_journal *self, bool done)
{
    carom_journal_close(self->journal, done);
    free(self->motion);
    *self = (fit_journal){0};
}
