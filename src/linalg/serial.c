#include "carom/linalg.h"

/* Only OpenBLAS has it; another BLAS leaves it NULL. */
extern void openblas_set_num_threads(int count) __attribute__((weak));

void carom_linalg_serial(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}
