/* A record is one computation: a hash of its argument, whether it could be computed, and the values. */
#include "app/branch_journal.h"

#include <string.h>

enum {
    RECORD_VALUE = 1
};

typedef struct value_head {
    uint64_t argument, good;
} value_head;

static uint64_t add_to_hash(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(int size, const double *x, double p)
{
    uint64_t hash = add_to_hash(0x243f6a8885a308d3u, p);
    for (int i = 0; i < size; i++)
        hash = add_to_hash(hash, x[i]);
    return hash;
}

static bool recall(void *context, int size, const double *x, double p, int count, double *value, bool *good)
{
    branch_journal *self = context;
    value_head head;
    const carom_journal_record *record = carom_journal_at(self->journal, 1 + self->recalled);
    const size_t bytes = (size_t)count * sizeof *value;
    const bool known = !self->computes && record && record->kind == RECORD_VALUE &&
                       record->count == sizeof head + bytes &&
                       carom_journal_read(self->journal, record, 0, sizeof head, &head, NULL) == CAROM_OK &&
                       head.argument == hash_of(size, x, p) &&
                       carom_journal_read(self->journal, record, sizeof head, bytes, value, NULL) == CAROM_OK;
    self->computes = !known; /* from the first value that is missing */
    self->recalled += known;
    *good = known && head.good;
    return known;
}

/* A journal that cannot be written only costs time later. */
static void keep(void *context, int size, const double *x, double p, int count, const double *value,
                 bool good)
{
    branch_journal *self = context;
    const value_head head = {hash_of(size, x, p), good};
    carom_text record = {0};
    carom_text_append_bytes(&record, (const char *)&head, sizeof head);
    carom_text_append_bytes(&record, (const char *)value, (size_t)count * sizeof *value);
    if (!record.failed)
        carom_journal_append(self->journal, RECORD_VALUE, record.bytes, record.length, NULL);
    carom_text_free(&record);
    if (carom_seconds() - self->flushed < 0.5)
        return;
    self->flushed = carom_seconds();
    carom_journal_flush(self->journal, NULL);
}

carom_branch_memo branch_journal_memo(branch_journal *self)
{
    return (carom_branch_memo){.context = self, .recall = recall, .keep = keep};
}
