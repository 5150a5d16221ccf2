/* Coulomb's law with one coefficient: a disk, or an interval. */
#include "carom/law.h"

static carom_planar_set set(int count, const double *c, int tangents)
{
    (void)count;
    if (tangents == 1)
        return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -c[0], .b = c[0]};
    return (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = c[0]};
}

const carom_friction_law_ops carom_friction_isotropic = {
    .name = "isotropic",
    .usage = "Coulomb's cone with one coefficient: friction = 0.3",
    .tangents_min = 1,
    .tangents_max = 2,
    .coefficients = 1,
    .set = set,
};
