#include "numbers.h"

#include <stdlib.h>

carom_status numbers_finish(void *memory, const carom_measure_output *output, carom_measured *measured,
                            carom_error *error)
{
    (void)output;
    (void)error;
    carom_measured_array(memory, measured);
    return CAROM_OK;
}

void numbers_free(void *memory)
{
    free(((carom_numbers *)memory)->value);
}

void numbers_keep(void *memory, carom_snapshot *snapshot)
{
    carom_numbers_keep(memory, snapshot);
}
