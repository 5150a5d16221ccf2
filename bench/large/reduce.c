/* The same problem in the reduced form u = W r + q, as other programs write theirs. */
#include "large_problem.h"

static void put_blocks(const carom_blocks *W, large_entries *list)
{
    for (int i = 0; i < W->rows; i++)
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++)
            for (int e = 0; e < 9; e++)
                large_entries_put(list, 3 * i + e / 3, 3 * W->column[k] + e % 3, carom_block_at(W, k)[e]);
}

carom_status large_problem_reduce(carom_fclib *problem, carom_error *error)
{
    carom_coulomb reduced;
    large_entries entries = {0};
    if (problem->global.dimension != 3)
        return carom_fail(error, CAROM_BAD_INPUT, "only problems in space are reduced here");
    carom_status status = carom_coulomb_reduce(&problem->global, problem->arena, &reduced, error);
    if (status != CAROM_OK)
        return status;
    put_blocks(&reduced.W, &entries);
    problem->is_global = false;
    problem->local =
        (carom_coulomb_local){.dimension = 3, .contacts = reduced.contacts, .q = reduced.q, .mu = reduced.mu};
    const int size = 3 * reduced.contacts;
    const bool taken =
        !entries.failed && carom_sparse_take(problem->arena, size, size, entries.count, entries.row,
                                             entries.column, entries.value, &problem->local.W);
    large_entries_free(&entries);
    return taken ? CAROM_OK : carom_fail_memory(error);
}
