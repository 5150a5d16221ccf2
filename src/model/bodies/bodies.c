/* Bodies behind the model interface: their numbers are expressions of parameters, evaluated when a work is bound; forces
 * and potentials are tapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies_model.h"
#include "model/model_parts.h"

static void bodies_free(carom_model *base)
{
    bodies_model *model = (bodies_model *)base;
    carom_tape_free(model->numbers);
    carom_tape_free(model->drive);
    carom_tape_free(model->force);
    carom_tape_free(model->potential);
    carom_tape_free(model->power);
    carom_tape_free(model->joints.values);
    carom_tape_free(model->joints.rows);
    carom_tape_free(model->joints.numbers);
    body_coordinates_free(&model->coordinates);
    for (int i = 0; model->shape && i < model->shapes; i++)
        carom_shape_free(model->shape[i]);
    carom_arena_free(model->arena);
    free(model);
}

/* ---- works -------------------------------------------------------------------------------------------- */

static void bodies_work_free(carom_model_work *base)
{
    bodies_work *work = (bodies_work *)base;
    carom_arena_free(work->arena);
    free(work);
}

static carom_model_work *bodies_work_create(const carom_model *base)
{
    const bodies_model *model = (const bodies_model *)base;
    bodies_work *work = calloc(1, sizeof *work);
    carom_arena *arena = work ? carom_arena_create() : NULL;
    if (!arena) {
        free(work);
        return NULL;
    }
    work->base.model = base;
    work->arena = arena;
    const size_t bodies = (size_t)model->bodies, materials = (size_t)model->materials;
    work->body = carom_arena_take(arena, bodies, sizeof *work->body);
    work->law = carom_arena_take(arena, materials * materials, sizeof *work->law);
    work->start_q = carom_arena_take(arena, (size_t)carom_model_positions(base), sizeof(double));
    work->start_v = carom_arena_take(arena, (size_t)base->dof, sizeof(double));
    work->number = carom_arena_take(arena, (size_t)carom_tape_outputs(model->numbers), sizeof(double));
    work->driven = carom_arena_take(arena, BODIES_DRIVEN_NUMBERS * (size_t)model->driven, sizeof(double));
    work->numbers_work = bodies_take_tape(arena, model->numbers);
    work->drive_work = bodies_take_tape(arena, model->drive);
    work->force_work = bodies_take_tape(arena, model->force);
    work->potential_work = bodies_take_tape(arena, model->potential);
    work->power_work = bodies_take_tape(arena, model->power);
    work->value_work = bodies_take_tape(arena, model->joints.values);
    work->row_work = bodies_take_tape(arena, model->joints.rows);
    work->guide_work = bodies_take_tape(arena, model->joints.numbers);
    work->guide_output = carom_arena_take(arena, 2 * (size_t)model->joints.guides, sizeof(double));
    work->value_output = carom_arena_take(
        arena, (size_t)base->joints + (size_t)model->joints.guides + (size_t)model->coordinates.contacts,
        sizeof(double));
    work->row_output = carom_arena_take(
        arena, model->joints.rows ? (size_t)carom_tape_outputs(model->joints.rows) : 0, sizeof(double));
    if (!model_take_inputs(&work->base, arena) || !work->body || !work->law || !work->start_q ||
        !work->start_v || !work->number || !work->driven || !work->numbers_work || !work->drive_work ||
        !work->force_work || !work->potential_work || !work->power_work || !work->value_work ||
        !work->row_work || !work->row_output || !work->guide_work || !work->guide_output ||
        !work->value_output || !body_coordinates_take_work(&model->coordinates, arena, &work->coordinates) ||
        !bodies_take_along(work)) {
        bodies_work_free(&work->base);
        return NULL;
    }
    memcpy(work->body, model->body, bodies * sizeof *work->body);
    work->bodies = (carom_bodies){.dimension = model->dimension,
                                  .count = model->bodies,
                                  .materials = model->materials,
                                  .body = work->body,
                                  .law = work->law,
                                  .has_force = model->force != NULL,
                                  .apart = model->apart,
                                  .apart_pair = (const int(*)[2])model->apart_pair,
                                  .watched = base->contacts,
                                  .watched_pair = (const int(*)[2])model->watched_pair,
                                  .joint_start = model->joints.start,
                                  .joint_column = model->joints.column,
                                  .guides = model->joints.guides,
                                  .is_motor = model->joints.is_motor,
                                  .guide_name = (const char *const *)model->joints.guide_name,
                                  .contacts = model->coordinates.contacts,
                                  .contact = model->coordinates.contact,
                                  .linked = {.coordinates = model->coordinates.count,
                                             .q = model->coordinates.q,
                                             .v = model->coordinates.v,
                                             .count = model->coordinates.linked,
                                             .velocity = model->coordinates.linked_velocity,
                                             .mass = model->coordinates.mass.places,
                                             .by_q = model->coordinates.by_q.places,
                                             .by_u = model->coordinates.by_u.places,
                                             .affine = model->coordinates.affine}};
    return &work->base;
}

const carom_bodies *carom_model_bodies(const carom_model_work *work)
{
    return work->model->has_bodies ? &((const bodies_work *)work)->bodies : NULL;
}

const char *carom_bodies_model_pair_name(const carom_model *model, int a, int b, char *text, size_t size)
{
    const carom_bodies bodies = {.body = ((const bodies_model *)model)->body};
    return carom_bodies_pair_name(&bodies, a, b, text, size);
}

/* ---- joints and contacts, as the run sees them --------------------------------------------------------- */

/* For the certificate: how far joints are off, and how they move by themselves. */
static void bodies_constraints(carom_model_work *base, const carom_motion *motion, double *g, double *g_t,
                               double *h)
{
    bodies_work *work = (bodies_work *)base;
    const int joints = base->model->joints;
    (void)h; /* not asked of bodies */
    if (g && joints > 0) {
        carom_bodies_joint_values(base, motion->t, motion->q, work->value_output);
        memcpy(g, work->value_output, (size_t)joints * sizeof *g);
    }
    if (g_t && joints > 0) {
        carom_tape_evaluate(bodies_model_of(work)->joints.rows, work->row_work,
                            &(carom_inputs){.t = motion->t, .q = motion->q, .outside = work->base.input},
                            work->row_output);
        memcpy(g_t, work->row_output + work->bodies.joint_start[bodies_model_of(work)->joints.row_count],
               (size_t)joints * sizeof *g_t);
    }
}

/* What is watched is told by the scheme that finds it; contacts of expressions are known here. */
static void bodies_gaps(carom_model_work *base, double t, const double *q, double *gap)
{
    const bodies_work *work = (const bodies_work *)base;
    const body_coordinates *coordinates = &bodies_model_of(work)->coordinates;
    for (int i = 0; i < base->model->contacts; i++)
        gap[i] = INFINITY;
    if (coordinates->contacts > 0)
        carom_bodies_joint_values(base, t, q, work->value_output);
    for (int i = 0; i < coordinates->contacts; i++)
        gap[coordinates->contact[i].number] =
            work->value_output[base->model->joints + work->bodies.guides + i];
}

static void bodies_initial(carom_model_work *base, double *q, double *u)
{
    const bodies_work *work = (const bodies_work *)base;
    memcpy(q, work->start_q, (size_t)carom_model_positions(base->model) * sizeof *q);
    memcpy(u, work->start_v, (size_t)base->model->dof * sizeof *u);
}

static const carom_model_ops bodies_ops = {
    .free = bodies_free,
    .work_create = bodies_work_create,
    .work_free = bodies_work_free,
    .bind = bodies_bind,
    .check = bodies_check,
    .force = bodies_force,
    .gaps = bodies_gaps,
    .energy = bodies_energy,
    .power = bodies_power,
    .initial = bodies_initial,
    .constraints = bodies_constraints,
    .tangent = &bodies_tangent_ops,
};

/* ---- building ----------------------------------------------------------------------------------------- */

static carom_status check_spec(const carom_bodies_spec *spec, carom_error *error)
{
    if (spec->dimension != CAROM_PLANE && spec->dimension != CAROM_SPACE)
        return carom_fail(error, CAROM_BAD_INPUT, "bodies: the dimension is %d; it must be 2 or 3",
                          spec->dimension);
    for (int i = 0; i < spec->bodies; i++)
        if (spec->body[i].kind == CAROM_BODY_FREE && spec->body[i].mass == CAROM_NO_NODE)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "body '%s' has no mass; give density or mass and inertia", spec->body[i].name);
    return body_coordinates_check(spec, error);
}

/* All tapes; `inertia` has memory for what is derived. */
static carom_status compile(bodies_model *model, const carom_bodies_spec *spec, carom_arena *scratch,
                            carom_error *error)
{
    const body_places places = {.dimension = spec->dimension,
                                .bodies = spec->bodies,
                                .positions = carom_model_positions(&model->base),
                                .dof = model->base.dof,
                                .body = model->body,
                                .coordinates = spec->coordinates,
                                .q = model->coordinates.q,
                                .v = model->coordinates.v};
    coordinate_inertia inertia;
    const carom_status status = body_coordinates_derive(spec, &places, scratch, &inertia, error);
    if (status != CAROM_OK)
        return status;
    if (bodies_compile_numbers(model, spec) && bodies_compile_drive(model, spec) &&
        bodies_compile_force(model, spec, &places, &inertia) &&
        body_joints_compile(spec, &model->base, &places, model->arena, &model->joints) &&
        body_contacts_compile(spec, model->arena, &model->coordinates))
        return CAROM_OK;
    carom_error reason = {0};
    const carom_status graph = carom_graph_status(spec->graph, &reason);
    return graph == CAROM_OK ? carom_fail_memory(error) : carom_fail(error, graph, "%s", reason.text);
}

carom_status carom_bodies_model_create(const carom_bodies_spec *spec, carom_model **out, carom_error *error)
{
    *out = NULL;
    carom_status status = check_spec(spec, error);
    if (status != CAROM_OK)
        return status;
    bodies_model *model = calloc(1, sizeof *model);
    carom_arena *arena = model ? carom_arena_create() : NULL, *scratch = arena ? carom_arena_create() : NULL;
    if (!scratch) {
        carom_arena_free(arena);
        free(model);
        return carom_fail_memory(error);
    }
    model->base.ops = &bodies_ops;
    model->base.has_bodies = true;
    model->arena = arena;
    model->dimension = spec->dimension;
    model->bodies = spec->bodies;
    model->materials = spec->materials;
    const bool placed = bodies_place(model, spec) && bodies_copy_pairs(model, spec) &&
                        bodies_name_watched(model, spec) &&
                        model_copy_parameters(&model->base, arena, spec->parameters, spec->parameter) &&
                        (model->shape = carom_arena_take(arena, (size_t)spec->shapes, sizeof *model->shape));
    status = placed ? compile(model, spec, scratch, error) : carom_fail_memory(error);
    carom_arena_free(scratch);
    if (status != CAROM_OK) {
        bodies_free(&model->base);
        return status;
    }
    if (spec->shapes)
        memcpy(model->shape, spec->shape, (size_t)spec->shapes * sizeof *model->shape);
    model->shapes = spec->shapes;
    model->base.constant_mass = spec->dimension == CAROM_PLANE && spec->coordinates == 0;
    model->base.powerless = model->power == NULL;
    model->base.conservative = model->driven == 0 && model->power == NULL;
    *out = &model->base;
    return CAROM_OK;
}
