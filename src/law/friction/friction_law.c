/* Friction of a contact: one cone, or a static and a dynamic one. */
#include "carom/law.h"

#include <math.h>

int carom_friction_law_coefficients(const carom_friction_law *law)
{
    return (law->two_level ? law->static_cone.coefficients : 0) + law->dynamic_cone.coefficients;
}

/* Coefficients that bound the friction, the first ones. */
static int bounds_of(const carom_friction_cone *cone)
{
    return cone->shape && cone->shape->bounds ? cone->shape->bounds(cone->coefficients) : cone->coefficients;
}

static bool cone_acts(const carom_friction_cone *cone, const double *c)
{
    for (int i = 0; i < bounds_of(cone); i++)
        if (c[i] != 0.0)
            return true;
    return false;
}

bool carom_friction_law_acts(const carom_friction_law *law, const double *coefficients)
{
    if (!law->two_level)
        return cone_acts(&law->dynamic_cone, coefficients);
    return cone_acts(&law->static_cone, coefficients) ||
           cone_acts(&law->dynamic_cone, coefficients + law->static_cone.coefficients);
}

static carom_planar_set cone_set(const carom_friction_cone *cone, const double *c, int tangents)
{
    if (!cone->shape)
        return (carom_planar_set){.kind = CAROM_PLANAR_POINT};
    return cone->shape->set(cone->coefficients, c, tangents);
}

carom_planar_set carom_friction_law_set(const carom_friction_law *law, const double *coefficients,
                                        int tangents, bool sticking)
{
    if (!law->two_level)
        return cone_set(&law->dynamic_cone, coefficients, tangents);
    if (sticking)
        return cone_set(&law->static_cone, coefficients, tangents);
    return cone_set(&law->dynamic_cone, coefficients + law->static_cone.coefficients, tangents);
}

static carom_status check_shape(const carom_friction_cone *cone, const carom_friction_place *at,
                                carom_error *error)
{
    const carom_friction_law_ops *shape = cone->shape;
    if (at->tangents < shape->tangents_min || at->tangents > shape->tangents_max)
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': %s %s has %d slip components; it takes %s",
                          at->contact, shape->name, at->level, at->tangents,
                          shape->tangents_max == 1   ? "one"
                          : shape->tangents_min == 2 ? "two"
                                                     : "one or two");
    if (shape->takes)
        return shape->takes(cone->coefficients, at, error);
    if (cone->coefficients != shape->coefficients)
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': %s %s has %d coefficients; it takes %d",
                          at->contact, shape->name, at->level, cone->coefficients, shape->coefficients);
    return CAROM_OK;
}

carom_status carom_friction_bounds_check(int count, const double *c, const carom_friction_place *at,
                                         carom_error *error)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(c[i]) || c[i] < 0.0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s': %s coefficient %d is %g; it must be finite and not negative",
                              at->contact, at->level, i + 1, c[i]);
    return CAROM_OK;
}

static carom_status check_cone(const carom_friction_cone *cone, const double *c,
                               const carom_friction_place *at, carom_error *error)
{
    if (!cone->shape && cone->coefficients == 0)
        return CAROM_OK;
    if (!cone->shape)
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': none %s has %d coefficients; it takes 0",
                          at->contact, at->level, cone->coefficients);
    const carom_status status = check_shape(cone, at, error);
    if (status != CAROM_OK)
        return status;
    return cone->shape->check ? cone->shape->check(cone->coefficients, c, at, error)
                              : carom_friction_bounds_check(bounds_of(cone), c, at, error);
}

carom_status carom_friction_law_check(const carom_friction_law *law, const double *coefficients, int tangents,
                                      const char *contact_name, carom_error *error)
{
    carom_friction_place at = {.contact = contact_name, .level = "friction", .tangents = tangents};
    if (!law->two_level)
        return check_cone(&law->dynamic_cone, coefficients, &at, error);
    at.level = "static friction";
    carom_status status = check_cone(&law->static_cone, coefficients, &at, error);
    if (status != CAROM_OK)
        return status;
    at.level = "dynamic friction";
    return check_cone(&law->dynamic_cone, coefficients + law->static_cone.coefficients, &at, error);
}
