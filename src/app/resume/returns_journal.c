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

/* Both ways; a point of another value is none of these. */
static void pack_point(carom_snapshot *snapshot, int state, carom_diagram_point *point)
{
    carom_snapshot_same(snapshot, &state, sizeof state);
    carom_snapshot_same(snapshot, &point->value, sizeof point->value);
    carom_diagram_point_pack(snapshot, state, point);
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
    if (snapshot.failed)
        *point = before;
    return !snapshot.failed;
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
    carom_basin_cells_pack(snapshot, count, state, cell, last);
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
