/* Models from expressions in C: collects what calls add and hands it to the maker of traced models. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/level.h"

struct carom_builder {
    carom_arena *arena; /* owns every text and array below */
    carom_graph *graph;
    carom_status status; /* of the first call that went wrong, */
    carom_error error;   /* and why; later calls do nothing */
    int coordinates, parameters, contacts, joints;
    char **coordinate;
    carom_parameter *parameter;
    carom_node *force; /* per coordinate; CAROM_NO_NODE: none */
    carom_node kinetic, potential;
    carom_traced_contact *contact;
    carom_level **level; /* per contact; NULL: it has a gap */
    carom_traced_joint *joint;
};

carom_builder *carom_builder_create(void)
{
    carom_builder *builder = calloc(1, sizeof *builder);
    if (!builder)
        return NULL;
    builder->kinetic = builder->potential = CAROM_NO_NODE;
    builder->arena = carom_arena_create();
    builder->graph = carom_graph_create(0);
    if (builder->arena && builder->graph)
        return builder;
    carom_builder_free(builder);
    return NULL;
}

void carom_builder_free(carom_builder *builder)
{
    if (!builder)
        return;
    carom_graph_free(builder->graph);
    carom_arena_free(builder->arena);
    free(builder);
}

carom_graph *carom_builder_graph(carom_builder *builder)
{
    return builder->graph;
}

/* ---- what all calls share --------------------------------------------------------------------- */

/* True when nothing went wrong so far. */
static bool goes_on(const carom_builder *builder)
{
    return builder->status == CAROM_OK;
}

static void fail_memory(carom_builder *builder)
{
    builder->status = carom_fail_memory(&builder->error);
}

/* Room for one element more, at the end of `array`. Arrays are as short as models written by hand. */
static void *grow(carom_builder *builder, const void *array, int count, size_t size)
{
    unsigned char *larger = carom_arena_take(builder->arena, (size_t)count + 1, size);
    if (!larger)
        fail_memory(builder);
    else if (count > 0)
        memcpy(larger, array, (size_t)count * size);
    return larger;
}

static char *copy_name(carom_builder *builder, const char *kind, const char *name)
{
    if (!name || !*name) {
        builder->status = carom_fail(&builder->error, CAROM_BAD_INPUT, "a %s has no name", kind);
        return NULL;
    }
    char *copy = carom_arena_copy_text(builder->arena, name);
    if (!copy)
        fail_memory(builder);
    return copy;
}

static int find_coordinate(const carom_builder *builder, const char *name)
{
    for (int i = 0; i < builder->coordinates; i++)
        if (strcmp(builder->coordinate[i], name) == 0)
            return i;
    return -1;
}

static int find_parameter(const carom_builder *builder, const char *name)
{
    for (int i = 0; i < builder->parameters; i++)
        if (strcmp(builder->parameter[i].name, name) == 0)
            return i;
    return -1;
}

/* A name for a symbol of formulas; NULL after a failure. */
static char *new_symbol(carom_builder *builder, const char *kind, const char *name)
{
    char *copy = copy_name(builder, kind, name);
    if (!copy)
        return NULL;
    if (find_coordinate(builder, name) < 0 && find_parameter(builder, name) < 0)
        return copy;
    builder->status =
        carom_fail(&builder->error, CAROM_BAD_INPUT, "the name '%s' of a %s is taken already", name, kind);
    return NULL;
}

/* A node that a call was given; the first bad one stops the builder. */
static bool is_node(carom_builder *builder, carom_node node, const char *what, const char *name)
{
    if (!goes_on(builder))
        return false;
    if (node >= 0 && node < carom_graph_size(builder->graph))
        return true;
    builder->status = carom_graph_status(builder->graph, &builder->error);
    if (builder->status == CAROM_OK)
        builder->status =
            carom_fail(&builder->error, CAROM_BAD_INPUT, "the %s%s%s is no expression of this builder", what,
                       name ? " of " : "", name ? name : "");
    return false;
}

static bool is_contact(carom_builder *builder, int contact)
{
    if (goes_on(builder) && (contact < 0 || contact >= builder->contacts))
        builder->status =
            carom_fail(&builder->error, CAROM_BAD_INPUT, "there is no contact %d; there are %d so far",
                       contact, builder->contacts);
    return goes_on(builder);
}

/* ---- symbols and formulas --------------------------------------------------------------------- */

carom_node carom_build_coordinate(carom_builder *builder, const char *name)
{
    char *copy = goes_on(builder) ? new_symbol(builder, "coordinate", name) : NULL;
    char **names = copy ? grow(builder, builder->coordinate, builder->coordinates, sizeof *names) : NULL;
    carom_node *force = names ? grow(builder, builder->force, builder->coordinates, sizeof *force) : NULL;
    if (!force)
        return CAROM_NO_NODE;
    builder->coordinate = names;
    builder->force = force;
    names[builder->coordinates] = copy;
    force[builder->coordinates] = CAROM_NO_NODE;
    return carom_leaf(builder->graph, CAROM_OP_COORDINATE, builder->coordinates++);
}

carom_node carom_build_velocity(carom_builder *builder, carom_node coordinate)
{
    if (!is_node(builder, coordinate, "coordinate", NULL))
        return CAROM_NO_NODE;
    if (carom_node_op(builder->graph, coordinate) == CAROM_OP_COORDINATE)
        return carom_leaf(builder->graph, CAROM_OP_VELOCITY, carom_node_index(builder->graph, coordinate));
    builder->status = carom_fail(&builder->error, CAROM_BAD_INPUT,
                                 "only a coordinate has a velocity, an expression has none");
    return CAROM_NO_NODE;
}

static carom_op parameter_leaf(const carom_parameter *parameter)
{
    return parameter->input ? CAROM_OP_INPUT : CAROM_OP_PARAMETER;
}

static carom_node add_parameter(carom_builder *builder, const char *name, double value, bool input)
{
    char *copy = goes_on(builder) ? new_symbol(builder, input ? "input" : "parameter", name) : NULL;
    carom_parameter *parameter =
        copy ? grow(builder, builder->parameter, builder->parameters, sizeof *parameter) : NULL;
    if (!parameter)
        return CAROM_NO_NODE;
    builder->parameter = parameter;
    parameter[builder->parameters] =
        (carom_parameter){.name = copy, .value = value, .min = -INFINITY, .max = INFINITY, .input = input};
    const carom_op leaf = parameter_leaf(&parameter[builder->parameters]);
    return carom_leaf(builder->graph, leaf, builder->parameters++);
}

carom_node carom_build_parameter(carom_builder *builder, const char *name, double value)
{
    return add_parameter(builder, name, value, false);
}

carom_node carom_build_input(carom_builder *builder, const char *name, double value)
{
    return add_parameter(builder, name, value, true);
}

static carom_node find_symbol(void *context, const char *name, bool rate)
{
    const carom_builder *builder = context;
    const int coordinate = find_coordinate(builder, name), parameter = find_parameter(builder, name);
    if (coordinate >= 0)
        return carom_leaf(builder->graph, rate ? CAROM_OP_VELOCITY : CAROM_OP_COORDINATE, coordinate);
    if (rate)
        return CAROM_NO_NODE;
    if (parameter >= 0)
        return carom_leaf(builder->graph, parameter_leaf(&builder->parameter[parameter]), parameter);
    if (strcmp(name, "pi") == 0)
        return carom_constant(builder->graph, CAROM_PI);
    return strcmp(name, "t") == 0 ? carom_leaf(builder->graph, CAROM_OP_TIME, 0) : CAROM_NO_NODE;
}

carom_node carom_build_formula(carom_builder *builder, const char *text)
{
    if (!goes_on(builder))
        return CAROM_NO_NODE;
    const carom_symbols symbols = {.find = find_symbol, .context = builder};
    const carom_node node = carom_formula(builder->graph, text, &symbols, &builder->error);
    if (node < 0)
        builder->status = builder->error.status;
    return node;
}

/* ---- mechanics -------------------------------------------------------------------------------- */

static void add_to(carom_builder *builder, carom_node *sum, carom_node term)
{
    *sum = *sum < 0 ? term : carom_binary(builder->graph, CAROM_OP_ADD, *sum, term);
}

void carom_build_kinetic(carom_builder *builder, carom_node energy)
{
    if (is_node(builder, energy, "kinetic energy", NULL))
        add_to(builder, &builder->kinetic, energy);
}

void carom_build_potential(carom_builder *builder, carom_node energy)
{
    if (is_node(builder, energy, "potential energy", NULL))
        add_to(builder, &builder->potential, energy);
}

void carom_build_force(carom_builder *builder, carom_node coordinate, carom_node force)
{
    if (!is_node(builder, coordinate, "coordinate", "a force") || !is_node(builder, force, "force", NULL))
        return;
    if (carom_node_op(builder->graph, coordinate) == CAROM_OP_COORDINATE)
        add_to(builder, &builder->force[carom_node_index(builder->graph, coordinate)], force);
    else
        builder->status = carom_fail(&builder->error, CAROM_BAD_INPUT,
                                     "a force acts on a coordinate, not on an expression");
}

/* Adds a contact; -1 after a failure. */
static int add_contact(carom_builder *builder, const char *name, carom_node gap, carom_level *level)
{
    char *copy = goes_on(builder) ? copy_name(builder, "contact", name) : NULL;
    carom_traced_contact *contact =
        copy ? grow(builder, builder->contact, builder->contacts, sizeof *contact) : NULL;
    carom_level **levels =
        contact ? grow(builder, (const void *)builder->level, builder->contacts, sizeof(carom_level *))
                : NULL;
    if (!levels)
        return -1;
    builder->contact = contact;
    builder->level = levels;
    levels[builder->contacts] = level;
    contact[builder->contacts] = (carom_traced_contact){.name = copy,
                                                        .gap = gap,
                                                        .restitution = CAROM_NO_NODE,
                                                        .stiffness = CAROM_NO_NODE,
                                                        .exponent = CAROM_NO_NODE,
                                                        .level = level};
    return builder->contacts++;
}

int carom_build_contact(carom_builder *builder, const char *name, carom_node gap)
{
    return is_node(builder, gap, "gap", name) ? add_contact(builder, name, gap, NULL) : -1;
}

/* The point of a level and its velocity; false after a failure. */
static bool set_point(carom_builder *builder, const char *name, int dimension, const carom_node *point,
                      carom_level *level)
{
    level->whole_model = dimension == 0;
    level->dimension = dimension == 0 ? builder->coordinates : dimension;
    if (level->dimension < 1 || level->dimension > CAROM_POINT_MAX) {
        builder->status = carom_fail(&builder->error, CAROM_BAD_INPUT,
                                     "contact '%s': the point of a level has 1 to %d components, not %d",
                                     name, CAROM_POINT_MAX, level->dimension);
        return false;
    }
    for (int i = 0; i < level->dimension; i++) {
        level->point[i] = level->whole_model ? carom_leaf(builder->graph, CAROM_OP_COORDINATE, i) : point[i];
        if (!is_node(builder, level->point[i], "point", name))
            return false;
        level->surface[i] = CAROM_NO_NODE;
        level->velocity[i] = carom_time_derivative(builder->graph, level->point[i]);
    }
    return true;
}

int carom_build_level(carom_builder *builder, const char *name, carom_node value, int dimension,
                      const carom_node *point)
{
    if (!is_node(builder, value, "level", name))
        return -1;
    carom_level *level = carom_arena_take(builder->arena, 1, sizeof *level);
    if (!level) {
        fail_memory(builder);
        return -1;
    }
    level->value = value;
    if (!set_point(builder, name, dimension, point, level))
        return -1;
    const char *fault = carom_level_fault(builder->graph, level);
    if (*fault) {
        builder->status =
            carom_fail(&builder->error, CAROM_BAD_INPUT, "contact '%s': %s", name ? name : "", fault);
        return -1;
    }
    return add_contact(builder, name, carom_level_distance(builder->graph, level), level);
}

void carom_build_surface(carom_builder *builder, int contact, const carom_node *velocity)
{
    if (!is_contact(builder, contact))
        return;
    carom_level *level = builder->level[contact];
    if (!level)
        builder->status =
            carom_fail(&builder->error, CAROM_BAD_INPUT,
                       "contact '%s' has no level; the velocity of its obstacle is a part of its slip",
                       builder->contact[contact].name);
    for (int i = 0; level && i < level->dimension; i++)
        if (is_node(builder, velocity[i], "surface", builder->contact[contact].name))
            level->surface[i] = velocity[i];
}

void carom_build_distance(carom_builder *builder, int contact)
{
    if (is_contact(builder, contact))
        builder->contact[contact].distance = true;
}

void carom_build_restitution(carom_builder *builder, int contact, carom_node restitution)
{
    if (is_contact(builder, contact) &&
        is_node(builder, restitution, "restitution", builder->contact[contact].name))
        builder->contact[contact].restitution = restitution;
}

void carom_build_slip(carom_builder *builder, int contact, carom_node slip)
{
    if (!is_contact(builder, contact) || !is_node(builder, slip, "slip", builder->contact[contact].name))
        return;
    carom_traced_contact *to = &builder->contact[contact];
    if (to->level)
        builder->status = carom_fail(&builder->error, CAROM_BAD_INPUT,
                                     "contact '%s' has a level, from which its slips are derived", to->name);
    else if (to->tangents < CAROM_TANGENTS_MAX)
        to->slip[to->tangents++] = slip;
    else
        builder->status = carom_fail(&builder->error, CAROM_BAD_INPUT,
                                     "contact '%s': a contact has at most %d slip components", to->name,
                                     CAROM_TANGENTS_MAX);
}

void carom_build_friction(carom_builder *builder, int contact, carom_node coefficient)
{
    if (!is_contact(builder, contact) ||
        !is_node(builder, coefficient, "friction", builder->contact[contact].name))
        return;
    carom_node *copy = carom_arena_take(builder->arena, 1, sizeof *copy);
    if (!copy) {
        fail_memory(builder);
        return;
    }
    *copy = coefficient;
    builder->contact[contact].coefficient = copy;
    if (builder->level[contact])
        builder->contact[contact].tangents = builder->level[contact]->dimension - 1;
    builder->contact[contact].friction.dynamic_cone = (carom_friction_cone){&carom_friction_isotropic, 1};
}

void carom_build_joint(carom_builder *builder, const char *name, carom_node value)
{
    char *copy = goes_on(builder) ? copy_name(builder, "joint", name) : NULL;
    if (!copy || !is_node(builder, value, "value", name))
        return;
    carom_traced_joint *joint = grow(builder, builder->joint, builder->joints, sizeof *joint);
    if (!joint)
        return;
    builder->joint = joint;
    joint[builder->joints++] = (carom_traced_joint){.name = copy, .value = value};
}

/* ---- the model -------------------------------------------------------------------------------- */

static bool has_forces(const carom_builder *builder)
{
    for (int i = 0; i < builder->coordinates; i++)
        if (builder->force[i] >= 0)
            return true;
    return false;
}

carom_status carom_builder_status(const carom_builder *builder, carom_error *error)
{
    if (!goes_on(builder) && error)
        *error = builder->error;
    return builder->status;
}

static carom_status check(const carom_builder *builder, carom_error *error)
{
    if (!goes_on(builder))
        return carom_builder_status(builder, error);
    if (builder->coordinates == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has no coordinates; call carom_build_coordinate first");
    if (builder->kinetic < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the model has no inertia; call carom_build_kinetic");
    for (int k = 0; k < builder->contacts; k++) {
        const carom_traced_contact *contact = &builder->contact[k];
        if (contact->coefficient && contact->tangents == 0)
            return carom_fail(
                error, CAROM_BAD_INPUT, "contact '%s' has friction and nothing that slips; %s", contact->name,
                contact->level ? "its point needs two or three components" : "call carom_build_slip");
    }
    return CAROM_OK;
}

carom_status carom_build_model(carom_builder *builder, carom_model **model, carom_error *error)
{
    *model = NULL;
    const carom_status status = check(builder, error);
    if (status != CAROM_OK)
        return status;
    if (!carom_level_finish(builder->graph, builder->parameters, builder->parameter, builder->coordinates,
                            NULL, builder->contacts, builder->contact))
        return carom_fail_memory(error);
    const bool forces = has_forces(builder);
    for (int i = 0; forces && i < builder->coordinates; i++)
        if (builder->force[i] < 0)
            builder->force[i] = carom_constant(builder->graph, 0.0);
    const carom_traced_spec spec = {.graph = builder->graph,
                                    .dof = builder->coordinates,
                                    .coordinate = (const char *const *)builder->coordinate,
                                    .parameters = builder->parameters,
                                    .parameter = builder->parameter,
                                    .kinetic = builder->kinetic,
                                    .potential = builder->potential,
                                    .force = forces ? builder->force : NULL,
                                    .contacts = builder->contacts,
                                    .contact = builder->contact,
                                    .joints = builder->joints,
                                    .joint = builder->joint};
    const carom_status made = carom_traced_model_create(&spec, model, error);
    if (made == CAROM_OK)
        carom_graph_to_machine(builder->graph);
    return made;
}
