/* Linear modes of a structure: K phi = omega^2 M phi. */
#include <math.h>

#include "carom/linalg.h"
#include "carom/model.h"

carom_status carom_structure_frequency(const carom_structure *structure, int index, double *omega,
                                       carom_error *error)
{
    double value = 0.0;
    const carom_status status =
        carom_band_eigenvalue(&structure->stiffness, &structure->mass, index, &value, NULL, error);
    *omega = sqrt(fmax(value, 0.0));
    return status;
}
