/* What can be wrong with the description of a beam, whatever its parameters are. */
#include <string.h>

#include "beam.h"

enum {
    MAX_ELEMENTS = 10000000
};

static const unsigned on_numbers = CAROM_ON_PARAMETER;
static const unsigned on_place = CAROM_ON_PARAMETER | CAROM_ON_PLACE;
static const unsigned on_time = CAROM_ON_PARAMETER | CAROM_ON_TIME;

static const char *dependence_text(unsigned depends)
{
    static const struct {
        unsigned bit;
        const char *text;
    } words[] = {
        {CAROM_ON_TIME, "time"},
        {CAROM_ON_PLACE, "the place x"},
        {CAROM_ON_COORDINATE, "coordinates"},
        {CAROM_ON_VELOCITY, "velocities"},
        {CAROM_ON_IMPULSE, "impulses"},
        {CAROM_ON_OBSERVED, "observed values"},
    };
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (depends & words[k].bit)
            return words[k].text;
    return "nothing";
}

static const char *allowed_text(unsigned allowed)
{
    const bool place = (allowed & CAROM_ON_PLACE) != 0, time = (allowed & CAROM_ON_TIME) != 0;
    if (place && time)
        return "parameters, the place x and time only";
    if (place)
        return "parameters and the place x only";
    return time ? "parameters and time only" : "parameters only";
}

/* `owner` may be empty; it stands before the name of the part. */
static carom_status check_node(const carom_beam_spec *spec, const char *owner, const char *part,
                               carom_node node, unsigned allowed, carom_error *error)
{
    const unsigned depends = node < 0 ? 0 : carom_node_depends(spec->graph, node);
    if (!(depends & ~allowed))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s%s depends on %s; it may depend on %s", owner, part,
                      dependence_text(depends & ~allowed), allowed_text(allowed));
}

typedef struct named_node {
    const char *name;
    carom_node node;
    unsigned allowed;
} named_node;

static carom_status check_nodes(const carom_beam_spec *spec, const char *owner, int count,
                                const named_node *named, carom_error *error)
{
    for (int k = 0; k < count; k++) {
        const carom_status status =
            check_node(spec, owner, named[k].name, named[k].node, named[k].allowed, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* k2 alone, or modulus, density, area and inertia. */
static carom_status check_section(const carom_beam_spec *spec, carom_error *error)
{
    const named_node part[4] = {{.name = "modulus", .node = spec->modulus},
                                {.name = "density", .node = spec->density},
                                {.name = "area", .node = spec->area},
                                {.name = "inertia", .node = spec->inertia}};
    const char *given = NULL, *missing = NULL;
    for (int k = 3; k >= 0; k--)
        *(part[k].node >= 0 ? &given : &missing) = part[k].name;
    if (spec->length < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the beam's length is not given");
    if (spec->k2 >= 0 && given)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "both k2 and %s are given; keep k2 = E I / (rho S), or modulus, density, area and "
                          "inertia",
                          given);
    if (spec->k2 < 0 && !given)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the beam's section is not given; write k2 = E I / (rho S), or modulus, density, "
                          "area and inertia");
    if (spec->k2 < 0 && missing)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s is given but %s is not; a section needs modulus, density, area and inertia",
                          given, missing);
    return CAROM_OK;
}

static carom_status check_body(const carom_beam_spec *spec, carom_error *error)
{
    const bool differences = spec->basis == CAROM_BEAM_DIFFERENCE;
    if (spec->elements < 2)
        return carom_fail(error, CAROM_BAD_INPUT, "%s = %d: a beam needs at least 2 %s",
                          differences ? "d" : "J", spec->elements, differences ? "nodes" : "elements");
    if (spec->elements > MAX_ELEMENTS)
        return carom_fail(error, CAROM_BAD_INPUT, "%s = %d: a beam may have at most %d %s",
                          differences ? "d" : "J", spec->elements, (int)MAX_ELEMENTS,
                          differences ? "nodes" : "elements");
    if (differences && (spec->left != CAROM_END_CLAMPED || spec->right != CAROM_END_FREE))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "finite differences know a beam that is clamped at the left and free at the right "
                          "only; use the basis p3 or bspline for other ends");
    const carom_status status = check_section(spec, error);
    if (status != CAROM_OK)
        return status;
    const named_node named[] = {
        {"length", spec->length, on_numbers},
        {"k2", spec->k2, on_numbers},
        {"modulus", spec->modulus, on_numbers},
        {"density", spec->density, on_numbers},
        {"area", spec->area, on_numbers},
        {"inertia", spec->inertia, on_numbers},
        {"damping_mass", spec->damping_mass, on_numbers},
        {"damping_stiffness", spec->damping_stiffness, on_numbers},
        {"restitution", spec->restitution, on_numbers},
        {"acceleration", spec->acceleration, on_place | on_time},
        {"load", spec->load, on_place | on_time},
    };
    return check_nodes(spec, "", (int)(sizeof named / sizeof *named), named, error);
}

/* A text about a part of the beam begins with the line of that part. */
static carom_status with_line(carom_status status, int line, carom_error *error)
{
    if (status == CAROM_BAD_INPUT && error && line > 0) {
        const carom_error inner = *error;
        carom_fail(error, status, "%d: %s", line, inner.text);
    }
    return status;
}

static carom_status check_obstacle(const carom_beam_spec *spec, const carom_beam_obstacle *obstacle,
                                   carom_error *error)
{
    if (obstacle->lower < 0 && obstacle->upper < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "an obstacle needs lower, upper or both");
    const named_node named[] = {{"lower", obstacle->lower, on_place},
                                {"upper", obstacle->upper, on_place},
                                {"from", obstacle->from, on_numbers},
                                {"to", obstacle->to, on_numbers}};
    return check_nodes(spec, "obstacle: ", 4, named, error);
}

static carom_status check_stop(const carom_beam_spec *spec, int index, carom_error *error)
{
    const carom_beam_stop *stop = &spec->stop[index];
    if (!stop->name || !*stop->name)
        return carom_fail(error, CAROM_BAD_INPUT, "a stop needs a name");
    for (int k = 0; k < index; k++)
        if (strcmp(spec->stop[k].name, stop->name) == 0)
            return carom_fail(error, CAROM_BAD_INPUT, "two stops have the name '%s'; rename one", stop->name);
    if (stop->x < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "stop '%s': x is not given", stop->name);
    if (stop->lower < 0 && stop->upper < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "stop '%s' needs lower, upper or both", stop->name);
    carom_text owner = {0};
    carom_text_append(&owner, "stop '%s': ", stop->name);
    if (owner.failed) {
        carom_text_free(&owner);
        return carom_fail_memory(error);
    }
    const named_node named[] = {
        {"x", stop->x, on_numbers}, {"lower", stop->lower, on_numbers}, {"upper", stop->upper, on_numbers}};
    const carom_status status = check_nodes(spec, owner.bytes, 3, named, error);
    carom_text_free(&owner);
    return status;
}

static carom_status check_force(const carom_beam_spec *spec, const carom_beam_force *force,
                                carom_error *error)
{
    if (force->x < 0 || force->value < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "point force: %s is not given",
                          force->x < 0 ? "x" : "value");
    const named_node named[] = {{"x", force->x, on_numbers}, {"value", force->value, on_time}};
    return check_nodes(spec, "point force: ", 2, named, error);
}

static carom_status check_field(const carom_beam_spec *spec, const char *owner, const carom_beam_field *field,
                                carom_error *error)
{
    if (field->mode != 0 && field->function >= 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%sboth a function and a mode are given; keep one of them",
                          owner);
    if (field->mode != 0 && (field->x < 0 || field->value < 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%smode %d needs %s: it is scaled to the value at the place x", owner, field->mode,
                          field->x < 0 ? "x" : "a value");
    const named_node named[] = {{"the function", field->function, on_place},
                                {"x", field->x, on_numbers},
                                {"the value", field->value, on_numbers}};
    return check_nodes(spec, owner, 3, named, error);
}

static carom_status check_probe(const carom_beam_spec *spec, const carom_beam_probe *probe,
                                carom_error *error)
{
    if (probe->kind <= CAROM_PROBE_MOMENT && probe->x < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "probe: x is not given");
    return check_node(spec, "probe: ", "x", probe->x, on_numbers, error);
}

static carom_status check_parts(const carom_beam_spec *spec, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < spec->obstacles; k++)
        status = with_line(check_obstacle(spec, &spec->obstacle[k], error), spec->obstacle[k].line, error);
    for (int k = 0; status == CAROM_OK && k < spec->stops; k++)
        status = with_line(check_stop(spec, k, error), spec->stop[k].line, error);
    for (int k = 0; status == CAROM_OK && k < spec->forces; k++)
        status = with_line(check_force(spec, &spec->force[k], error), spec->force[k].line, error);
    if (status == CAROM_OK)
        status = with_line(check_field(spec, "displacement at the start: ", &spec->displacement, error),
                           spec->displacement.line, error);
    if (status == CAROM_OK)
        status = with_line(check_field(spec, "velocity at the start: ", &spec->velocity, error),
                           spec->velocity.line, error);
    for (int k = 0; status == CAROM_OK && k < spec->probes; k++)
        status = with_line(check_probe(spec, &spec->probe[k], error), spec->probe[k].line, error);
    return status;
}

carom_status beam_check_spec(const carom_beam_spec *spec, carom_error *error)
{
    carom_status status = carom_graph_status(spec->graph, error);
    if (status == CAROM_OK)
        status = with_line(check_body(spec, error), spec->line, error);
    return status == CAROM_OK ? check_parts(spec, error) : status;
}
