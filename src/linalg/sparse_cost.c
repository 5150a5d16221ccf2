/* What factors of a sparse matrix will cost, from its places alone: the ordering of KLU (approximate minimum degree) and
 * how it fills in when pivots stay on the diagonal. */
#include <klu.h>

#include "carom/linalg.h"

carom_status carom_sparse_factor_cost(const carom_sparse *a, double *entries, double *flops,
                                      carom_error *error)
{
    klu_common common;
    klu_defaults(&common);
    *entries = *flops = 0.0;
    if (a->rows != a->columns)
        return carom_fail(error, CAROM_BAD_INPUT, "a matrix of %d x %d has no factors; it must be square",
                          a->rows, a->columns);
    if (a->columns == 0)
        return CAROM_OK;
    /* KLU takes them without const, and reads them only */
    klu_symbolic *symbolic = klu_analyze(a->columns, (int *)a->column_start, (int *)a->row, &common);
    if (!symbolic)
        return common.status == KLU_OUT_OF_MEMORY
                   ? carom_fail_memory(error)
                   : carom_fail(error, CAROM_FAILED, "the ordering of a sparse matrix failed: KLU status %d",
                                common.status);
    *entries = symbolic->lnz + symbolic->unz;
    *flops = symbolic->est_flops;
    klu_free_symbolic(&symbolic, &common);
    return CAROM_OK;
}
