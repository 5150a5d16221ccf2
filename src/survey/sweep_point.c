/* A point of a sweep as bytes: one function for both ways. */
#include <string.h>

#include "carom/survey.h"

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

void carom_sweep_point_pack(carom_snapshot *snapshot, carom_arena *arena, int measure_count,
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
