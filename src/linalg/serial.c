#include "carom/linalg.h"

/* Only OpenBLAS has them; another BLAS leaves them NULL. */
extern void openblas_set_num_threads(int count) __attribute__((weak));
extern int blas_thread_shutdown_(void) __attribute__((weak));

void carom_linalg_serial(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    /* Its threads are there from the start of the process, and turn idly for a while: that is time that others want. What OpenBLAS itself
     * calls before a fork ends them. */
    if (blas_thread_shutdown_)
        blas_thread_shutdown_();
}
