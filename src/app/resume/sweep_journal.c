#include "app/sweep_journal.h"

#include <stdlib.h>
#include <string.h>

/* The kind of a record is the number of its point. */
static uint32_t kind_of(int index)
{
    return 1u + (uint32_t)index;
}

/* Of two records of a point the first counts. */
static int compare_records(const void *a, const void *b)
{
    const sweep_record *x = a, *y = b;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void sort_records(sweep_journal *self)
{
    const size_t records = carom_journal_count(self->journal);
    self->is_sorted = true;
    self->record = carom_new_array(records, sizeof *self->record);
    for (size_t i = 1; self->record && i < records; i++)
        self->record[self->count++] = (sweep_record){carom_journal_at(self->journal, i)->kind, i};
    if (self->record && self->count > 0)
        qsort(self->record, self->count, sizeof *self->record, compare_records);
}

/* NULL: there is none. */
static const carom_journal_record *find_record(sweep_journal *self, int index)
{
    if (!self->is_sorted)
        sort_records(self);
    size_t low = 0, high = self->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->record[middle].kind < kind_of(index))
            low = middle + 1;
        else
            high = middle;
    }
    const bool found = low < self->count && self->record[low].kind == kind_of(index);
    return found ? carom_journal_at(self->journal, self->record[low].place) : NULL;
}

bool sweep_journal_recall(void *context, int index, carom_arena *arena, int measure_count,
                          carom_sweep_point *point)
{
    sweep_journal *self = context;
    const carom_journal_record *record = find_record(self, index);
    if (!record)
        return false;
    void *bytes = carom_new_array(record->count, 1);
    const carom_sweep_point before = *point;
    carom_snapshot snapshot = carom_snapshot_of(bytes, record->count);
    snapshot.failed =
        !bytes || carom_journal_read(self->journal, record, 0, record->count, bytes, NULL) != CAROM_OK;
    carom_sweep_point_pack(&snapshot, arena, measure_count, point);
    free(bytes);
    if (!snapshot.failed) {
        self->has_points = true;
        return true;
    }
    *point = before;
    memset(point->measure, 0, (size_t)measure_count * sizeof *point->measure);
    return false;
}

void sweep_journal_close(sweep_journal *self, bool done)
{
    carom_journal_close(self->journal, done);
    free(self->record);
    *self = (sweep_journal){0};
}

carom_status sweep_journal_keep(void *context, int index, int measure_count, const carom_sweep_point *point,
                                carom_error *error)
{
    sweep_journal *self = context;
    carom_sweep_point copy = *point;
    carom_snapshot snapshot = {0};
    carom_sweep_point_pack(&snapshot, NULL, measure_count, &copy);
    carom_status status = snapshot.failed ? carom_fail_memory(error)
                                          : carom_journal_append(self->journal, kind_of(index),
                                                                 snapshot.bytes, snapshot.length, error);
    carom_snapshot_free(&snapshot);
    if (status != CAROM_OK)
        return status;
    const bool is_due = carom_seconds() - self->synced >= 1.0;
    if (is_due)
        self->synced = carom_seconds();
    status = is_due ? carom_journal_sync(self->journal, error) : carom_journal_flush(self->journal, error);
    self->has_points = self->has_points || status == CAROM_OK;
    return status;
}
