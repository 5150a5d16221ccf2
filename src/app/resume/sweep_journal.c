#include "app/sweep_journal.h"

#include <stdlib.h>
#include <string.h>

/* The kind of a record is the number of its point. */
static uint32_t kind_of(int index)
{
    return 1u + (uint32_t)index;
}

static void pack_measure(carom_snapshot *snapshot, carom_arena *arena, carom_measured *measured)
{
    carom_snapshot_block(snapshot, &measured->is_array, sizeof measured->is_array);
    carom_snapshot_block(snapshot, &measured->count, sizeof measured->count);
    if (snapshot->failed || measured->count < 0 || (size_t)measured->count > SIZE_MAX / 64) {
        snapshot->failed = true;
        return;
    }
    const size_t count = (size_t)measured->count;
    if (snapshot->restores)
        measured->value =
            count <= snapshot->length ? carom_arena_take(arena, count, sizeof *measured->value) : NULL;
    if (snapshot->restores && !measured->value)
        snapshot->failed = true;
    else
        carom_snapshot_block(snapshot, measured->value, count * sizeof *measured->value);
}

/* Both ways. */
static void pack_point(carom_snapshot *snapshot, carom_arena *arena, int measure_count,
                       carom_sweep_point *point)
{
    uint64_t message = point->message ? strlen(point->message) + 1 : 0;
    carom_snapshot_same(snapshot, &measure_count, sizeof measure_count);
    carom_snapshot_block(snapshot, &point->status, sizeof point->status);
    carom_snapshot_block(snapshot, point->word, sizeof point->word);
    carom_snapshot_block(snapshot, &point->steps, sizeof point->steps);
    carom_snapshot_block(snapshot, &point->wall_seconds, sizeof point->wall_seconds);
    carom_snapshot_block(snapshot, &point->trusted, sizeof point->trusted);
    carom_snapshot_block(snapshot, &message, sizeof message);
    if (snapshot->restores)
        point->message = message > 0 && message <= snapshot->length
                             ? carom_arena_take(arena, (size_t)message + 1, 1)
                             : NULL;
    if (message > 0 && !point->message)
        snapshot->failed = true;
    else if (message > 0)
        carom_snapshot_block(snapshot, point->message, (size_t)message);
    for (int i = 0; i < measure_count && !snapshot->failed; i++)
        pack_measure(snapshot, arena, &point->measure[i]);
}

bool sweep_journal_recall(void *context, int index, carom_arena *arena, int measure_count,
                          carom_sweep_point *point)
{
    const sweep_journal *self = context;
    for (size_t i = 1; i < carom_journal_count(self->journal); i++) {
        const carom_journal_record *record = carom_journal_at(self->journal, i);
        if (record->kind != kind_of(index))
            continue;
        void *bytes = carom_new_array(record->count, 1);
        const carom_sweep_point before = *point;
        carom_snapshot snapshot = carom_snapshot_of(bytes, record->count);
        snapshot.failed =
            !bytes || carom_journal_read(self->journal, record, 0, record->count, bytes, NULL) != CAROM_OK;
        pack_point(&snapshot, arena, measure_count, point);
        free(bytes);
        if (!snapshot.failed)
            return true;
        *point = before;
        memset(point->measure, 0, (size_t)measure_count * sizeof *point->measure);
    }
    return false;
}

carom_status sweep_journal_keep(void *context, int index, int measure_count, const carom_sweep_point *point,
                                carom_error *error)
{
    sweep_journal *self = context;
    carom_sweep_point copy = *point;
    carom_snapshot snapshot = {0};
    pack_point(&snapshot, NULL, measure_count, &copy);
    carom_status status = snapshot.failed ? carom_fail_memory(error)
                                          : carom_journal_append(self->journal, kind_of(index),
                                                                 snapshot.bytes, snapshot.length, error);
    carom_snapshot_free(&snapshot);
    if (status != CAROM_OK)
        return status;
    if (carom_seconds() - self->synced < 1.0)
        return carom_journal_flush(self->journal, error);
    self->synced = carom_seconds();
    return carom_journal_sync(self->journal, error);
}
