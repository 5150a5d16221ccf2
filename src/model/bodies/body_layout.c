/* Where bodies and coordinates stand among positions and velocities, and what these and the contacts are called. */
#include <stdio.h>
#include <string.h>

#include "bodies_model.h"

static bool name_positions(bodies_model *model, const carom_body *body)
{
    static const char *const plane[] = {"x", "y", "phi"};
    static const char *const space_q[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    static const char *const space_v[] = {"x", "y", "z", "wx", "wy", "wz"};
    const bool is_plane = model->dimension == CAROM_PLANE;
    char text[128];
    for (int k = 0; k < (is_plane ? 3 : 7); k++) {
        snprintf(text, sizeof text, "%s.%s", body->name, is_plane ? plane[k] : space_q[k]);
        if (!(model->base.coordinate[body->q + k] = carom_arena_copy_text(model->arena, text)))
            return false;
    }
    for (int k = 0; k < (is_plane ? 3 : 6); k++) {
        snprintf(text, sizeof text, "%s.%s", body->name, is_plane ? plane[k] : space_v[k]);
        if (!(model->base.velocity[body->v + k] = carom_arena_copy_text(model->arena, text)))
            return false;
    }
    return true;
}

/* Those that stand behind the first `after` bodies. */
static void place_coordinates(bodies_model *model, const carom_bodies_spec *spec, int after, int *positions,
                              int *dof)
{
    body_coordinates *coordinates = &model->coordinates;
    while (coordinates->count < spec->coordinates && spec->coordinate[coordinates->count].after <= after) {
        coordinates->q[coordinates->count] = (*positions)++;
        coordinates->v[coordinates->count++] = (*dof)++;
    }
}

bool bodies_place(bodies_model *model, const carom_bodies_spec *spec)
{
    const bool plane = spec->dimension == CAROM_PLANE;
    const size_t bodies = (size_t)spec->bodies;
    carom_arena *arena = model->arena;
    model->body = carom_arena_take(arena, bodies, sizeof *model->body);
    model->line = carom_arena_take(arena, bodies, sizeof *model->line);
    model->driven_body = carom_arena_take(arena, bodies, sizeof *model->driven_body);
    model->coordinates.q = carom_arena_take(arena, (size_t)spec->coordinates, sizeof(int));
    model->coordinates.v = carom_arena_take(arena, (size_t)spec->coordinates, sizeof(int));
    if (!model->body || !model->line || !model->driven_body || !model->coordinates.q || !model->coordinates.v)
        return false;
    int positions = 0, dof = 0;
    place_coordinates(model, spec, 0, &positions, &dof);
    for (int i = 0; i < spec->bodies; i++) {
        const carom_body_spec *given = &spec->body[i];
        const bool moves = given->kind != CAROM_BODY_FIXED;
        model->line[i] = given->line;
        model->body[i] = (carom_body){.name = carom_arena_copy_text(arena, given->name),
                                      .kind = given->kind,
                                      .shape = given->shape,
                                      .material = given->material,
                                      .q = moves ? positions : -1,
                                      .v = moves ? dof : -1};
        if (!model->body[i].name)
            return false;
        if (given->kind == CAROM_BODY_DRIVEN)
            model->driven_body[model->driven++] = i;
        positions += moves ? (plane ? 3 : 7) : 0;
        dof += moves ? (plane ? 3 : 6) : 0;
        place_coordinates(model, spec, i + 1, &positions, &dof);
    }
    model->base.dof = dof;
    model->base.rotations = positions - dof;
    model->base.coordinate = carom_arena_take(arena, (size_t)positions, sizeof *model->base.coordinate);
    model->base.velocity = carom_arena_take(arena, (size_t)dof, sizeof *model->base.velocity);
    bool named = model->base.coordinate && model->base.velocity;
    for (int i = 0; named && i < spec->bodies; i++)
        if (model->body[i].q >= 0)
            named = name_positions(model, &model->body[i]);
    for (int i = 0; named && i < spec->coordinates; i++) {
        char *name = carom_arena_copy_text(arena, spec->coordinate[i].name);
        model->base.coordinate[model->coordinates.q[i]] = model->base.velocity[model->coordinates.v[i]] =
            name;
        named = name != NULL;
    }
    return named;
}

bool bodies_copy_pairs(bodies_model *model, const carom_bodies_spec *spec)
{
    carom_arena *arena = model->arena;
    model->pairs = spec->pairs;
    model->pair_line = carom_arena_take(arena, (size_t)spec->pairs, sizeof *model->pair_line);
    model->pair_material = carom_arena_take(arena, (size_t)spec->pairs, sizeof *model->pair_material);
    model->apart_pair = carom_arena_take(arena, (size_t)spec->apart, sizeof *model->apart_pair);
    model->watched_pair = carom_arena_take(arena, (size_t)spec->watched, sizeof *model->watched_pair);
    if (!model->pair_line || !model->pair_material || !model->apart_pair || !model->watched_pair)
        return false;
    for (int p = 0; p < spec->pairs; p++) {
        model->pair_line[p] = spec->pair[p].line;
        memcpy(model->pair_material[p], spec->pair[p].material, sizeof model->pair_material[p]);
    }
    model->apart = spec->apart;
    if (spec->apart)
        memcpy(model->apart_pair, spec->apart_pair, (size_t)spec->apart * sizeof *model->apart_pair);
    if (spec->watched)
        memcpy(model->watched_pair, spec->watched_pair, (size_t)spec->watched * sizeof *model->watched_pair);
    return true;
}

static bool describe_contact(const carom_traced_contact *contact, carom_arena *arena,
                             carom_contact_info *info)
{
    *info = (carom_contact_info){.name = carom_arena_copy_text(arena, contact->name),
                                 .tangents = contact->tangents,
                                 .friction = contact->friction,
                                 .coefficients = carom_friction_law_coefficients(&contact->friction),
                                 .has_restitution = contact->restitution >= 0,
                                 .friction_force = contact->friction_force};
    return info->name != NULL;
}

bool bodies_name_watched(bodies_model *model, const carom_bodies_spec *spec)
{
    carom_model *base = &model->base;
    base->contacts = spec->watched;
    base->contact = carom_arena_take(model->arena, (size_t)spec->watched, sizeof *base->contact);
    for (int i = 0; base->contact && i < spec->watched; i++) {
        const int a = spec->watched_pair[i][0], b = spec->watched_pair[i][1];
        char text[160];
        if (a < 0) {
            if (!describe_contact(&spec->contact[-1 - a], model->arena, &base->contact[i]))
                return false;
            continue;
        }
        snprintf(text, sizeof text, "%s/%s", spec->body[a].name, b < 0 ? "all" : spec->body[b].name);
        base->contact[i] = (carom_contact_info){.name = carom_arena_copy_text(model->arena, text),
                                                .tangents = spec->dimension - 1,
                                                .has_restitution = true,
                                                .may_be_absent = true};
        if (!base->contact[i].name)
            return false;
    }
    return base->contact != NULL;
}
