#include "carom/law.h"

#include <math.h>

const char *carom_friction_shape_name(carom_friction_shape shape)
{
    switch (shape) {
    case CAROM_FRICTION_NONE:
        return "none";
    case CAROM_FRICTION_ISOTROPIC:
        return "isotropic";
    case CAROM_FRICTION_ELLIPTIC:
        return "elliptic";
    case CAROM_FRICTION_POLYGONAL:
        return "polygonal";
    case CAROM_FRICTION_ASYMMETRIC:
        return "asymmetric";
    case CAROM_FRICTION_WEAKENING:
        return "weakening";
    }
    return "unknown";
}

int carom_friction_law_coefficients(const carom_friction_law *law)
{
    return (law->two_level ? law->static_cone.coefficients : 0) + law->dynamic_cone.coefficients;
}

/* Coefficients that bound the friction, the first ones: angles and slip potentials do not. */
static int bounds_of(const carom_friction_cone *cone)
{
    return cone->shape == CAROM_FRICTION_ELLIPTIC && cone->coefficients > 2 ? 2 : cone->coefficients;
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

static carom_planar_set ellipse(const carom_friction_cone *cone, const double *c)
{
    carom_planar_set set = {.kind = CAROM_PLANAR_ELLIPSE, .a = c[0], .b = c[1]};
    carom_elliptic_cone elliptic;
    if (cone->coefficients >= 3)
        set.angle = c[2];
    if (cone->coefficients == 5 && carom_elliptic_cone_make(c, c + 3, &elliptic, NULL) == CAROM_OK) {
        set.q2[0] = elliptic.q2[0];
        set.q2[1] = elliptic.q2[1];
    }
    return set;
}

static carom_planar_set cone_set(const carom_friction_cone *cone, const double *c, int tangents)
{
    switch (cone->shape) {
    case CAROM_FRICTION_NONE:
        break;
    case CAROM_FRICTION_ISOTROPIC:
        if (tangents == 1)
            return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -c[0], .b = c[0]};
        return (carom_planar_set){.kind = CAROM_PLANAR_DISK, .a = c[0]};
    case CAROM_FRICTION_ELLIPTIC:
        return ellipse(cone, c);
    case CAROM_FRICTION_POLYGONAL:
        return (carom_planar_set){
            .kind = CAROM_PLANAR_POLYGON, .vertices = cone->coefficients / 2, .vertex = c};
    case CAROM_FRICTION_ASYMMETRIC:
        /* Friction against negative slip is positive: the high end. */
        return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -c[1], .b = c[0]};
    case CAROM_FRICTION_WEAKENING:
        /* What it can hold; what is left of that while it slips is not a set of the position. */
        return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = -c[1], .b = c[1]};
    }
    return (carom_planar_set){.kind = CAROM_PLANAR_POINT};
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

/* What a shape asks for. */
typedef struct shape_needs {
    int coefficients; /* 0 for a polygon: any even number from 6; an ellipse may have 3 or 5 */
    int tangents_min, tangents_max;
} shape_needs;

static shape_needs needs_of(carom_friction_shape shape)
{
    switch (shape) {
    case CAROM_FRICTION_NONE:
        break;
    case CAROM_FRICTION_ISOTROPIC:
        return (shape_needs){1, 1, 2};
    case CAROM_FRICTION_ELLIPTIC:
        return (shape_needs){2, 2, 2};
    case CAROM_FRICTION_POLYGONAL:
        return (shape_needs){0, 2, 2};
    case CAROM_FRICTION_ASYMMETRIC:
        return (shape_needs){2, 1, 1};
    case CAROM_FRICTION_WEAKENING:
        return (shape_needs){3, 1, 1};
    }
    return (shape_needs){0, 0, 2};
}

/* "friction" or, with two levels, "static friction" and "dynamic friction". */
typedef struct cone_place {
    const char *contact_name, *level;
    int tangents;
} cone_place;

static carom_status check_shape(const carom_friction_cone *cone, const cone_place *at, carom_error *error)
{
    const shape_needs needs = needs_of(cone->shape);
    const char *shape = carom_friction_shape_name(cone->shape);
    if (at->tangents < needs.tangents_min || at->tangents > needs.tangents_max)
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': %s %s has %d slip components; it takes %s",
                          at->contact_name, shape, at->level, at->tangents,
                          needs.tangents_max == 1   ? "one"
                          : needs.tangents_min == 2 ? "two"
                                                    : "one or two");
    if (cone->shape == CAROM_FRICTION_POLYGONAL && cone->coefficients % 2 != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': polygonal %s has %d coefficients; it takes two per vertex",
                          at->contact_name, at->level, cone->coefficients);
    const bool extended =
        cone->shape == CAROM_FRICTION_ELLIPTIC && (cone->coefficients == 3 || cone->coefficients == 5);
    if (cone->shape != CAROM_FRICTION_POLYGONAL && cone->coefficients != needs.coefficients && !extended)
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': %s %s has %d coefficients; it takes %d",
                          at->contact_name, shape, at->level, cone->coefficients, needs.coefficients);
    return CAROM_OK;
}

/* Angle of the axes and slip potential. */
static carom_status check_rule(const carom_friction_cone *cone, const double *c, const cone_place *at,
                               carom_error *error)
{
    carom_elliptic_cone made;
    carom_error inner = {0};
    if (!isfinite(c[2]))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': the axes of the %s ellipse are turned by %g; it must be finite",
                          at->contact_name, at->level, c[2]);
    if (cone->coefficients == 3 || carom_elliptic_cone_make(c, c + 3, &made, &inner) == CAROM_OK)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': elliptic %s: %s", at->contact_name, at->level,
                      inner.text);
}

static carom_status check_cone(const carom_friction_cone *cone, const double *coefficients,
                               const cone_place *at, carom_error *error)
{
    carom_status status = check_shape(cone, at, error);
    if (status != CAROM_OK)
        return status;
    if (cone->shape == CAROM_FRICTION_POLYGONAL) {
        carom_error inner = {0};
        status = carom_polygon_check(cone->coefficients / 2, coefficients, &inner);
        return status == CAROM_OK ? status
                                  : carom_fail(error, status, "contact '%s': polygonal %s: %s",
                                               at->contact_name, at->level, inner.text);
    }
    if (cone->shape == CAROM_FRICTION_WEAKENING)
        return carom_weakening_check(
            &(carom_weakening){.Td = coefficients[0], .Ts = coefficients[1], .vd = coefficients[2]},
            at->contact_name, error);
    for (int i = 0; i < bounds_of(cone); i++)
        if (!isfinite(coefficients[i]) || coefficients[i] < 0.0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s': %s coefficient %d is %g; it must be finite and not negative",
                              at->contact_name, at->level, i + 1, coefficients[i]);
    return bounds_of(cone) < cone->coefficients ? check_rule(cone, coefficients, at, error) : CAROM_OK;
}

carom_status carom_friction_law_check(const carom_friction_law *law, const double *coefficients, int tangents,
                                      const char *contact_name, carom_error *error)
{
    cone_place at = {.contact_name = contact_name, .level = "friction", .tangents = tangents};
    if (!law->two_level)
        return check_cone(&law->dynamic_cone, coefficients, &at, error);
    at.level = "static friction";
    carom_status status = check_cone(&law->static_cone, coefficients, &at, error);
    if (status != CAROM_OK)
        return status;
    at.level = "dynamic friction";
    return check_cone(&law->dynamic_cone, coefficients + law->static_cone.coefficients, &at, error);
}
