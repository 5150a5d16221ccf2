#include "app/unit_journal.h"

#include <stdlib.h>
#include <string.h>

/* The kind of a record is the number of its unit. */
static uint32_t kind_of(int index)
{
    return 1u + (uint32_t)index;
}

static bool grow_places(unit_journal *self, size_t needed)
{
    if (needed < self->places)
        return true;
    const size_t count = 2 * needed + 64;
    uint64_t *grown = carom_new_array(count, sizeof *grown);
    if (!grown)
        return false;
    if (self->places > 0)
        memcpy(grown, self->place, self->places * sizeof *grown);
    free(self->place);
    self->place = grown;
    self->places = count;
    return true;
}

/* Where the records of the units are; the last one of a unit counts. */
static bool find_records(unit_journal *self)
{
    const size_t count = carom_journal_count(self->journal);
    size_t units = 1;
    for (size_t i = 1; i < count; i++) {
        const uint32_t kind = carom_journal_at(self->journal, i)->kind;
        units = kind >= units ? (size_t)kind + 1 : units;
    }
    self->record = carom_new_array(units, sizeof *self->record);
    if (!self->record || !grow_places(self, units))
        return false;
    self->units = units;
    for (size_t i = 1; i < count; i++) {
        const carom_journal_record *record = carom_journal_at(self->journal, i);
        self->record[record->kind] = i;
        self->place[record->kind] = record->begin;
    }
    return true;
}

void *unit_journal_recall(void *context, int index, size_t *count)
{
    unit_journal *self = context;
    if (!self->record && !find_records(self))
        return NULL;
    const size_t kind = kind_of(index);
    if (kind >= self->units || self->record[kind] == 0)
        return NULL;
    const carom_journal_record *record = carom_journal_at(self->journal, self->record[kind]);
    void *bytes = carom_new_array(record->count, 1);
    *count = record->count;
    if (bytes && carom_journal_read(self->journal, record, 0, record->count, bytes, NULL) == CAROM_OK)
        return bytes;
    free(bytes);
    return NULL;
}

/* Only a record that is on the disk takes the place of another. */
static carom_status replace(unit_journal *self, uint64_t before, carom_error *error)
{
    self->synced = carom_seconds();
    const carom_status status = carom_journal_sync(self->journal, error);
    return status == CAROM_OK ? carom_journal_drop(self->journal, before, error) : status;
}

carom_status unit_journal_keep(void *context, int index, const void *bytes, size_t count, carom_error *error)
{
    unit_journal *self = context;
    const uint32_t kind = kind_of(index);
    if (!grow_places(self, kind))
        return carom_fail_memory(error);
    const uint64_t before = self->place[kind];
    self->place[kind] = carom_journal_place(self->journal);
    const carom_status status = carom_journal_append(self->journal, kind, bytes, count, error);
    if (status != CAROM_OK)
        return status;
    if (before > 0)
        return replace(self, before, error);
    if (carom_seconds() - self->synced < 1.0)
        return carom_journal_flush(self->journal, error);
    self->synced = carom_seconds();
    return carom_journal_sync(self->journal, error);
}

void unit_journal_close(unit_journal *self, bool done)
{
    carom_journal_close(self->journal, done);
    free(self->record);
    free(self->place);
    *self = (unit_journal){0};
}
