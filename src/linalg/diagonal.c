#include "carom/linalg.h"

bool carom_is_diagonal(int n, const double *matrix)
{
    for (ptrdiff_t i = 0; i + 1 < n; i++) { /* behind a diagonal entry follow n others */
        const double *after = matrix + i * (n + 1) + 1;
        for (ptrdiff_t j = 0; j < n; j++)
            if (after[j] != 0.0)
                return false;
    }
    return true;
}
