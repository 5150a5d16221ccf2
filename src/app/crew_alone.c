/* One process: nobody else. */
#include "crew.h"

carom_status crew_for(int argc, char **argv, const carom_experiment *experiment,
                      const carom_workers **workers, carom_error *error)
{
    (void)argc, (void)argv, (void)experiment, (void)error;
    *workers = NULL;
    return CAROM_OK;
}

const carom_sharing *crew_sharing(void)
{
    return NULL;
}

int crew_size(void)
{
    return 1;
}
