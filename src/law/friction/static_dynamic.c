/* Two cones: one rules steps that start from sticking, the other all others. The pair is carom_friction_law. */
#include "carom/law.h"

static const carom_friction_key keys[] = {
    {"static", CAROM_FRICTION_CONE, true, 0.0, "static = 0.6", "static friction", "while sticking"},
    {"dynamic", CAROM_FRICTION_CONE, true, 0.0, "dynamic = 0.4", "dynamic friction", "while sliding"},
    {0},
};

const carom_friction_law_ops carom_friction_static_dynamic = {
    .name = "static-dynamic",
    .usage = "a larger cone while sticking: friction = { static = 0.6, dynamic = 0.4 }",
    .keys = keys,
    .tangents_min = 1,
    .tangents_max = 2,
};
