/* Orthotropic friction: an ellipse, its axes turned or not, with a slip rule that may be another ellipse's. */
#include <math.h>

#include "carom/law.h"

static const carom_friction_key keys[] = {
    {"ellipse", CAROM_FRICTION_PAIR, true, 0.0, "ellipse = { mu_x, mu_y }", "an axis of the friction ellipse",
     "semi-axes along the two slip components"},
    {"axes", CAROM_FRICTION_NUMBER, false, 0.0, "axes = 0.3", "the angle of the axes of the friction ellipse",
     "radians by which the axes are turned"},
    {"slip_potential", CAROM_FRICTION_PAIR, false, 0.0, "slip_potential = { 0.2, 0.2 }",
     "an axis of the slip potential", "semi-axes of the slip potential: a rule that is not associated"},
    {0},
};

static carom_status takes(int count, const carom_friction_place *at, carom_error *error)
{
    if (count == 2 || count == 3 || count == 5)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': elliptic %s has %d coefficients; it takes 2",
                      at->contact, at->level, count);
}

/* Angles and slip potentials do not bound the force. */
static int bounds(int count)
{
    return count > 2 ? 2 : count;
}

static carom_planar_set set(int count, const double *c, int tangents)
{
    (void)tangents;
    carom_planar_set set = {.kind = CAROM_PLANAR_ELLIPSE, .a = c[0], .b = c[1]};
    carom_elliptic_cone elliptic;
    if (count >= 3)
        set.angle = c[2];
    if (count == 5 && carom_elliptic_cone_make(c, c + 3, &elliptic, NULL) == CAROM_OK) {
        set.q2[0] = elliptic.q2[0];
        set.q2[1] = elliptic.q2[1];
    }
    return set;
}

/* Semi-axes, angle of the axes and slip potential. */
static carom_status check(int count, const double *c, const carom_friction_place *at, carom_error *error)
{
    carom_elliptic_cone made;
    carom_error inner = {0};
    const carom_status status = carom_friction_bounds_check(2, c, at, error);
    if (status != CAROM_OK || count == 2)
        return status;
    if (!isfinite(c[2]))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': the axes of the %s ellipse are turned by %g; it must be finite",
                          at->contact, at->level, c[2]);
    if (count == 3 || carom_elliptic_cone_make(c, c + 3, &made, &inner) == CAROM_OK)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': elliptic %s: %s", at->contact, at->level,
                      inner.text);
}

const carom_friction_law_ops carom_friction_elliptic = {
    .name = "elliptic",
    .usage = "two axes, two slip components: friction = { ellipse = { 0.5, 0.25 } }",
    .keys = keys,
    .tangents_min = 2,
    .tangents_max = 2,
    .slip_needed = "an ellipse needs two slip components: slip = { dot(x), dot(y) }",
    .coefficients = 2,
    .takes = takes,
    .bounds = bounds,
    .set = set,
    .check = check,
};
