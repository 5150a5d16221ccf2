#include "places.h"

#include <stdlib.h>

carom_status fit_places(int count, int dimensions, unsigned seed, double *place, carom_error *error)
{
    carom_random random = {seed > 0 ? seed : 1};
    int *part = carom_new_array((size_t)count + 1, sizeof *part);
    if (!part)
        return carom_fail_memory(error);
    for (int d = 0; d < dimensions; d++) {
        for (int i = 0; i < count; i++)
            part[i] = i;
        for (int i = count - 1; i > 0; i--) {
            int k = (int)carom_random_uniform(&random, 0.0, i + 1.0);
            k = k > i ? i : k;
            const int kept = part[i];
            part[i] = part[k];
            part[k] = kept;
        }
        for (int i = 0; i < count; i++)
            place[i * dimensions + d] = (part[i] + carom_random_uniform(&random, 0.0, 1.0)) / count;
    }
    free(part);
    return CAROM_OK;
}
