/* A convex polygon around 0, counter-clockwise. */
#include "carom/law.h"

static const carom_friction_key keys[] = {
    {"polygon", CAROM_FRICTION_VERTICES, true, 0.0, "polygon = { {0.5, 0}, {0, 0.3}, ... }",
     "a vertex of the friction polygon", "vertices, counter-clockwise, with 0 inside"},
    {0},
};

static carom_status takes(int count, const carom_friction_place *at, carom_error *error)
{
    if (count % 2 == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "contact '%s': polygonal %s has %d coefficients; it takes two per vertex", at->contact,
                      at->level, count);
}

static carom_planar_set set(int count, const double *c, int tangents)
{
    (void)tangents;
    return (carom_planar_set){.kind = CAROM_PLANAR_POLYGON, .vertices = count / 2, .vertex = c};
}

/* Its coefficients are coordinates, of any sign. */
static carom_status check(int count, const double *c, const carom_friction_place *at, carom_error *error)
{
    carom_error inner = {0};
    const carom_status status = carom_polygon_check(count / 2, c, &inner);
    return status == CAROM_OK ? status
                              : carom_fail(error, status, "contact '%s': polygonal %s: %s", at->contact,
                                           at->level, inner.text);
}

const carom_friction_law_ops carom_friction_polygonal = {
    .name = "polygonal",
    .usage = "any convex polygon around 0: friction = { polygon = { {0.5, 0}, {0, 0.3}, ... } }",
    .keys = keys,
    .tangents_min = 2,
    .tangents_max = 2,
    .slip_needed = "a polygon needs two slip components: slip = { dot(x), dot(y) }",
    .takes = takes,
    .set = set,
    .check = check,
};
