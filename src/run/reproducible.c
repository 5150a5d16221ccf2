#include "carom/linalg.h"
#include "carom/run.h"

void carom_run_reproducibly(void)
{
    carom_linalg_serial();
}
