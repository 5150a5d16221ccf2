#include "carom/linalg.h"

bool carom_is_diagonal(int n, const double *matrix)
{
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t j = 0; j < n; j++)
            if (i != j && matrix[i * n + j] != 0.0)
                return false;
    return true;
}
