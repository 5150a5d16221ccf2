/* One slip component, a coefficient for each direction. */
#include "carom/law.h"

static const carom_friction_key keys[] = {
    {"backward", CAROM_FRICTION_NUMBER, true, 0.0, "backward = 0.3", "backward",
     "coefficient while slip < 0"},
    {"forward", CAROM_FRICTION_NUMBER, true, 0.0, "forward = 1.2", "forward", "coefficient while slip > 0"},
    {0},
};

static carom_planar_set set(int count, const double *c, int tangents)
{
    (void)count;
    (void)tangents;
    /* Friction against negative slip is positive: the high end. */
    return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -c[1], .b = c[0]};
}

const carom_friction_law_ops carom_friction_asymmetric = {
    .name = "asymmetric",
    .usage = "one slip component, two directions: friction = { backward = 0.3, forward = 1.2 }",
    .keys = keys,
    .tangents_min = 1,
    .tangents_max = 1,
    .slip_needed = "backward/forward friction needs one slip component",
    .coefficients = 2,
    .set = set,
};
