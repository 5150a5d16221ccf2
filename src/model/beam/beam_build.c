/* From the description of a beam to its model: names, contacts, compiled expressions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "beam.h"
#include "beam_split.h"
#include "model/model_parts.h"

/* ---- names -------------------------------------------------------------------------------------- */

static char *take_name(carom_arena *arena, const char *format, ...) CAROM_PRINTF(2, 3);

static char *take_name(carom_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *name = length < 0 ? NULL : carom_arena_take(arena, (size_t)length + 1, 1);
    if (name)
        vsnprintf(name, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return name;
}

static bool name_coordinates(beam_model *model, const char *name)
{
    const beam_space *space = &model->space;
    carom_model *base = &model->base;
    base->dof = space->size;
    base->coordinate = carom_arena_take(model->arena, (size_t)base->dof, sizeof *base->coordinate);
    if (!base->coordinate)
        return false;
    if (space->basis == CAROM_BEAM_BSPLINE) {
        for (int i = 0; i < base->dof; i++)
            if (!(base->coordinate[i] = take_name(model->arena, "%s_c%d", name, i + 1)))
                return false;
        return true;
    }
    for (int k = 0; k < space->coefficients; k++) {
        if (space->term[k].count == 0)
            continue;
        const int node = k / space->stride;
        const bool slope = space->stride == 2 && k % 2 == 1;
        char *text = take_name(model->arena, slope ? "%s_slope_%d" : "%s_%d", name, node);
        if (!text)
            return false;
        base->coordinate[space->term[k].unknown[0]] = text;
    }
    return true;
}

/* ---- contacts ----------------------------------------------------------------------------------- */

/* A side that some obstacle has exists at every node: parameters decide where there is something. */
static bool has_side(const carom_beam_spec *spec, bool upper)
{
    for (int k = 0; k < spec->obstacles; k++)
        if ((upper ? spec->obstacle[k].upper : spec->obstacle[k].lower) >= 0)
            return true;
    return false;
}

static bool add_contact(beam_model *model, int row, bool upper, bool has_restitution, char *name)
{
    carom_model *base = &model->base;
    const int contact = base->contacts++;
    base->contact[contact] = (carom_contact_info){.name = name,
                                                  .has_restitution = has_restitution,
                                                  .constant_rows = true,
                                                  .constant_frame = true,
                                                  .may_be_absent = true};
    (upper ? model->upper_contact : model->lower_contact)[row] = contact;
    model->contact_row[contact] = row;
    model->contact_upper[contact] = upper;
    return name != NULL;
}

static bool add_contacts(beam_model *model, const carom_beam_spec *spec)
{
    const bool lower = has_side(spec, false), upper = has_side(spec, true);
    const bool restitution = spec->restitution >= 0;
    carom_arena *arena = model->arena;
    bool taken = true;
    for (int row = 0; row < model->rows; row++)
        model->lower_contact[row] = model->upper_contact[row] = -1;
    for (int row = 0; taken && row < model->obstacle_nodes; row++) {
        const int node = model->first_node + row;
        if (lower)
            taken = add_contact(model, row, false, restitution, take_name(arena, "lower_%d", node));
        if (taken && upper)
            taken = add_contact(model, row, true, restitution, take_name(arena, "upper_%d", node));
    }
    for (int k = 0; taken && k < spec->stops; k++) {
        const carom_beam_stop *stop = &spec->stop[k];
        const int row = model->obstacle_nodes + k;
        if (stop->lower >= 0)
            taken = add_contact(model, row, false, restitution, take_name(arena, "%s_lower", stop->name));
        if (taken && stop->upper >= 0)
            taken = add_contact(model, row, true, restitution, take_name(arena, "%s_upper", stop->name));
    }
    return taken;
}

static bool build_contacts(beam_model *model, const carom_beam_spec *spec)
{
    const beam_space *space = &model->space;
    const bool first_free = beam_node_is_free(space, 0);
    const bool last_free = beam_node_is_free(space, space->elements);
    model->first_node = first_free ? 0 : 1;
    if (spec->obstacles > 0)
        model->obstacle_nodes = space->elements - 1 + first_free + last_free;
    model->rows = model->obstacle_nodes + spec->stops;
    const size_t rows = (size_t)model->rows, most = 2 * rows;
    carom_arena *arena = model->arena;
    model->lower_contact = carom_arena_take(arena, rows, sizeof *model->lower_contact);
    model->upper_contact = carom_arena_take(arena, rows, sizeof *model->upper_contact);
    model->contact_row = carom_arena_take(arena, most, sizeof *model->contact_row);
    model->contact_upper = carom_arena_take(arena, most, sizeof *model->contact_upper);
    model->base.contact = carom_arena_take(arena, most, sizeof *model->base.contact);
    return model->lower_contact && model->upper_contact && model->contact_row && model->contact_upper &&
           model->base.contact && add_contacts(model, spec);
}

/* ---- expressions -------------------------------------------------------------------------------- */

typedef struct node_list {
    int count;
    carom_node *node;
} node_list;

static beam_number add_number(node_list *list, carom_node node)
{
    if (node < 0)
        return -1;
    list->node[list->count] = node;
    return list->count++;
}

static beam_field describe_field(node_list *list, const carom_beam_field *field, const char *name)
{
    return (beam_field){.name = name,
                        .given = field->function >= 0,
                        .mode = field->mode,
                        .x = add_number(list, field->x),
                        .value = add_number(list, field->value),
                        .line = field->line};
}

static bool take_parts(beam_model *model, const carom_beam_spec *spec)
{
    carom_arena *arena = model->arena;
    model->line = spec->line;
    model->obstacles = spec->obstacles;
    model->stops = spec->stops;
    model->forces = spec->forces;
    model->base.observables = spec->probes;
    model->obstacle = carom_arena_take(arena, (size_t)spec->obstacles, sizeof *model->obstacle);
    model->stop = carom_arena_take(arena, (size_t)spec->stops, sizeof *model->stop);
    model->force = carom_arena_take(arena, (size_t)spec->forces, sizeof *model->force);
    model->probe = carom_arena_take(arena, (size_t)spec->probes, sizeof *model->probe);
    return model->obstacle && model->stop && model->force && model->probe;
}

static void list_section(beam_model *model, const carom_beam_spec *spec, node_list *list)
{
    model->length = add_number(list, spec->length);
    model->k2 = add_number(list, spec->k2);
    model->modulus = add_number(list, spec->modulus);
    model->density = add_number(list, spec->density);
    model->area = add_number(list, spec->area);
    model->inertia = add_number(list, spec->inertia);
    model->damping_mass = add_number(list, spec->damping_mass);
    model->damping_stiffness = add_number(list, spec->damping_stiffness);
    model->restitution = add_number(list, spec->restitution);
}

static bool list_parts(beam_model *model, const carom_beam_spec *spec, node_list *list)
{
    for (int k = 0; k < spec->obstacles; k++) {
        const carom_beam_obstacle *obstacle = &spec->obstacle[k];
        model->obstacle[k] = (beam_obstacle){.from = add_number(list, obstacle->from),
                                             .to = add_number(list, obstacle->to),
                                             .line = obstacle->line};
    }
    for (int k = 0; k < spec->stops; k++) {
        const carom_beam_stop *stop = &spec->stop[k];
        model->stop[k] = (beam_stop){.name = carom_arena_copy_text(model->arena, stop->name),
                                     .x = add_number(list, stop->x),
                                     .lower = add_number(list, stop->lower),
                                     .upper = add_number(list, stop->upper),
                                     .line = stop->line};
        if (!model->stop[k].name)
            return false;
    }
    for (int k = 0; k < spec->forces; k++)
        model->force[k] = (beam_force){.x = add_number(list, spec->force[k].x), .line = spec->force[k].line};
    model->displacement = describe_field(list, &spec->displacement, "displacement");
    model->velocity = describe_field(list, &spec->velocity, "velocity");
    for (int k = 0; k < spec->probes; k++) {
        const carom_beam_probe *probe = &spec->probe[k];
        model->probe[k] =
            (beam_probe){.kind = probe->kind, .x = add_number(list, probe->x), .line = probe->line};
        model->measures_lower = model->measures_lower || probe->kind == CAROM_PROBE_PENETRATION_LOWER;
        model->measures_upper = model->measures_upper || probe->kind == CAROM_PROBE_PENETRATION_UPPER;
    }
    return true;
}

static bool compile_numbers(beam_model *model, const carom_beam_spec *spec, node_list *list)
{
    list_section(model, spec, list);
    if (!take_parts(model, spec) || !list_parts(model, spec, list))
        return false;
    model->numbers = carom_tape_compile(spec->graph, list->count, list->node);
    return model->numbers != NULL;
}

static bool compile_bounds(beam_model *model, const carom_beam_spec *spec, node_list *list)
{
    carom_graph *graph = spec->graph;
    list->count = 0;
    for (int k = 0; k < spec->obstacles; k++) {
        const carom_beam_obstacle *obstacle = &spec->obstacle[k];
        list->node[list->count++] = obstacle->lower >= 0 ? obstacle->lower : carom_constant(graph, -INFINITY);
        list->node[list->count++] = obstacle->upper >= 0 ? obstacle->upper : carom_constant(graph, INFINITY);
    }
    model->bounds = carom_tape_compile(graph, list->count, list->node);
    return model->bounds != NULL;
}

/* load + rho S acceleration; CAROM_NO_NODE when neither is given. */
static carom_node distributed_force(const carom_beam_spec *spec)
{
    carom_graph *graph = spec->graph;
    if (spec->acceleration < 0)
        return spec->load;
    carom_node inertial = spec->acceleration;
    if (spec->k2 < 0)
        inertial = carom_binary(graph, CAROM_OP_MUL, inertial,
                                carom_binary(graph, CAROM_OP_MUL, spec->density, spec->area));
    return spec->load < 0 ? inertial : carom_binary(graph, CAROM_OP_ADD, spec->load, inertial);
}

static bool compile_load(beam_model *model, const carom_beam_spec *spec, node_list *list)
{
    beam_split split;
    beam_split_load(spec->graph, distributed_force(spec), &split);
    model->terms = split.terms;
    for (int k = 0; k < split.terms; k++)
        list->node[k] = split.term[k].place;
    model->shape = carom_tape_compile(spec->graph, split.terms, list->node);
    for (int k = 0; k < split.terms; k++)
        list->node[k] = split.term[k].time;
    for (int k = 0; k < spec->forces; k++)
        list->node[split.terms + k] = spec->force[k].value;
    model->factor = carom_tape_compile(spec->graph, split.terms + spec->forces, list->node);
    if (split.rest >= 0)
        model->rest = carom_tape_compile(spec->graph, 1, &split.rest);
    return model->shape && model->factor && (split.rest < 0 || model->rest) &&
           carom_graph_status(spec->graph, NULL) == CAROM_OK;
}

static bool compile_fields(beam_model *model, const carom_beam_spec *spec, node_list *list)
{
    carom_graph *graph = spec->graph;
    const carom_node place = carom_leaf(graph, CAROM_OP_PLACE, 0);
    const carom_beam_field *field[2] = {&spec->displacement, &spec->velocity};
    for (int k = 0; k < 2; k++) {
        const carom_node function = field[k]->function >= 0 ? field[k]->function : carom_constant(graph, 0.0);
        list->node[2 * k] = function;
        carom_gradient(graph, function, 1, &place, &list->node[2 * k + 1]);
    }
    model->fields = carom_tape_compile(graph, 4, list->node);
    return model->fields != NULL;
}

/* ---- what drives or damps it -------------------------------------------------------------------- */

static bool is_zero(const carom_graph *graph, carom_node node)
{
    return node < 0 || model_node_is_zero(graph, node);
}

static bool is_conservative(const carom_beam_spec *spec)
{
    bool zero = is_zero(spec->graph, spec->acceleration) && is_zero(spec->graph, spec->load) &&
                is_zero(spec->graph, spec->damping_mass) && is_zero(spec->graph, spec->damping_stiffness);
    for (int k = 0; k < spec->forces; k++)
        zero = zero && is_zero(spec->graph, spec->force[k].value);
    return zero;
}

bool beam_build(beam_model *model, const carom_beam_spec *spec)
{
    carom_model *base = &model->base;
    base->constant_mass = true;
    base->constant_force_jacobian = true;
    base->affine_force = true;
    base->constant_force = false; /* there is S q */
    base->conservative = is_conservative(spec);
    if (!beam_space_take(model->arena, spec, &model->space) || !name_coordinates(model, spec->name) ||
        !model_copy_parameters(&model->base, model->arena, spec->parameters, spec->parameter) ||
        !build_contacts(model, spec))
        return false;
    /* numbers: nine of the section, two or three of each part, two of each field */
    const size_t most = 16 + BEAM_SPLIT_MAX + 3 * ((size_t)spec->obstacles + (size_t)spec->stops) +
                        (size_t)spec->forces + (size_t)spec->probes;
    node_list list = {.node = carom_new_array(most, sizeof *list.node)};
    const bool built = list.node && compile_numbers(model, spec, &list) &&
                       compile_bounds(model, spec, &list) && compile_load(model, spec, &list) &&
                       compile_fields(model, spec, &list);
    free(list.node);
    return built;
}
