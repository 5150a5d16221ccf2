/* The journals of `carom bifurcation` and `carom basin`: a record per value of a course, or per block of cells. */
#include <stdlib.h>

#include "app/diagram_output.h"

static carom_status append(void *journal, int index, carom_snapshot *snapshot, carom_error *error)
{
    const carom_status status =
        snapshot->failed ? carom_fail_memory(error)
                         : unit_journal_keep(journal, index, snapshot->bytes, snapshot->length, error);
    carom_snapshot_free(snapshot);
    return status;
}

/* ---- diagrams ------------------------------------------------------------------------------------------- */

/* Both ways. */
static void pack_point(carom_snapshot *snapshot, int state, carom_diagram_point *point)
{
    carom_snapshot_same(snapshot, &state, sizeof state);
    carom_snapshot_same(snapshot, &point->value, sizeof point->value);
    carom_snapshot_block(snapshot, &point->end, sizeof point->end);
    carom_snapshot_block(snapshot, &point->restarted, sizeof point->restarted);
    carom_snapshot_block(snapshot, &point->count, sizeof point->count);
    carom_snapshot_block(snapshot, &point->period, sizeof point->period);
    carom_snapshot_block(snapshot, &point->period_impacts, sizeof point->period_impacts);
    carom_snapshot_block(snapshot, &point->forcing, sizeof point->forcing);
    carom_snapshot_block(snapshot, point->message, sizeof point->message);
    if (point->count < 0 || point->count > point->room)
        snapshot->failed = true;
    if (snapshot->failed)
        return;
    const size_t count = (size_t)point->count;
    carom_snapshot_block(snapshot, point->t, count * sizeof *point->t);
    carom_snapshot_block(snapshot, point->impacts, count * sizeof *point->impacts);
    carom_snapshot_block(snapshot, point->state, count * (size_t)state * sizeof *point->state);
}

bool diagram_journal_recall(void *context, int index, int state, carom_diagram_point *point)
{
    size_t count = 0;
    void *bytes = unit_journal_recall(context, index, &count);
    if (!bytes)
        return false;
    carom_snapshot snapshot = carom_snapshot_of(bytes, count);
    const carom_diagram_point before = *point;
    pack_point(&snapshot, state, point);
    free(bytes);
    point->message[sizeof point->message - 1] = '\0';
    if (snapshot.failed || point->end > CAROM_RETURN_FAILED || point->period < 0) {
        *point = before;
        return false;
    }
    return true;
}

carom_status diagram_journal_keep(void *context, int index, int state, const carom_diagram_point *point,
                                  carom_error *error)
{
    carom_diagram_point copy = *point;
    carom_snapshot snapshot = {0};
    pack_point(&snapshot, state, &copy);
    return append(context, index, &snapshot, error);
}

/* ---- basins ----------------------------------------------------------------------------------------------- */

static void pack_block(carom_snapshot *snapshot, int count, int state, carom_basin_cell *cell, double *last)
{
    carom_snapshot_same(snapshot, &count, sizeof count);
    carom_snapshot_same(snapshot, &state, sizeof state);
    for (int i = 0; i < count && !snapshot->failed; i++) {
        carom_snapshot_block(snapshot, &cell[i].end, sizeof cell[i].end);
        carom_snapshot_block(snapshot, &cell[i].period, sizeof cell[i].period);
        carom_snapshot_block(snapshot, &cell[i].impacts, sizeof cell[i].impacts);
    }
    carom_snapshot_block(snapshot, last, (size_t)count * (size_t)state * sizeof *last);
}

bool basin_journal_recall(void *context, int block, int count, int state, carom_basin_cell *cell,
                          double *last)
{
    size_t length = 0;
    void *bytes = unit_journal_recall(context, block, &length);
    if (!bytes)
        return false;
    carom_snapshot snapshot = carom_snapshot_of(bytes, length);
    pack_block(&snapshot, count, state, cell, last);
    free(bytes);
    for (int i = 0; i < count; i++)
        snapshot.failed = snapshot.failed || cell[i].end >= CAROM_BASIN_ENDS;
    return !snapshot.failed;
}

carom_status basin_journal_keep(void *context, int block, int count, int state, const carom_basin_cell *cell,
                                const double *last, carom_error *error)
{
    carom_snapshot snapshot = {0};
    /* Only read while it is kept. */
    pack_block(&snapshot, count, state, (carom_basin_cell *)cell, (double *)last);
    return append(context, block, &snapshot, error);
}
