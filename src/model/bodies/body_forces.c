/* What moves bodies: the velocities that driven ones are told, forces, and the energy and power that belong to them. */
#include <stdlib.h>
#include <string.h>

#include "bodies_model.h"

/* ---- building ----------------------------------------------------------------------------------------- */

bool bodies_compile_drive(bodies_model *model, const carom_bodies_spec *spec)
{
    if (model->driven == 0)
        return true;
    carom_node *node = carom_new_array(BODIES_DRIVEN_NUMBERS * (size_t)model->driven, sizeof *node);
    for (int k = 0; node && k < model->driven; k++)
        for (int c = 0; c < 3; c++) {
            const carom_body_spec *body = &spec->body[model->driven_body[k]];
            node[BODIES_DRIVEN_NUMBERS * k + c] = bodies_number_or(spec->graph, body->velocity[c], 0.0);
            node[BODIES_DRIVEN_NUMBERS * k + 3 + c] = bodies_number_or(spec->graph, body->spin[c], 0.0);
        }
    if (node)
        model->drive = carom_tape_compile(spec->graph, BODIES_DRIVEN_NUMBERS * model->driven, node);
    free(node);
    return model->drive != NULL;
}

/* Adds the inertia terms of coordinates to their forces. */
static void add_inertia(const bodies_model *model, carom_graph *g, const coordinate_inertia *inertia,
                        carom_node *force, carom_node *power)
{
    for (int i = 0; i < model->coordinates.count; i++) {
        carom_node *at = &force[model->coordinates.v[i]];
        *at = carom_binary(g, CAROM_OP_ADD, *at, inertia->inertia[i]);
    }
    if (model->coordinates.count > 0)
        *power = carom_binary(g, CAROM_OP_SUB, *power, inertia->by_time);
}

/* -dV along the velocities of what is free */
static void add_potential(const bodies_model *model, carom_graph *g, const body_places *places,
                          const carom_node *leaf, const carom_node *by, carom_node *along, carom_node *force)
{
    body_places_gradient(g, places, leaf, by, along);
    for (int i = 0; i < model->bodies; i++) {
        const carom_body *body = &model->body[i];
        for (int k = 0; body->kind == CAROM_BODY_FREE && k < (places->dimension == CAROM_PLANE ? 3 : 6); k++)
            force[body->v + k] = carom_binary(g, CAROM_OP_SUB, force[body->v + k], along[body->v + k]);
    }
    for (int i = 0; i < places->coordinates; i++) {
        const int v = places->v[i];
        force[v] = carom_binary(g, CAROM_OP_SUB, force[v], along[v]);
    }
}

/* force := given - dV + inertia terms. The power of what is not conservative is given . v + dV/dt - dT/dt. */
bool bodies_compile_force(bodies_model *model, const carom_bodies_spec *spec, const body_places *places,
                          const coordinate_inertia *inertia)
{
    carom_graph *g = spec->graph;
    const int dof = model->base.dof, positions = carom_model_positions(&model->base);
    const bool has_potential = spec->potential != CAROM_NO_NODE;
    if (!spec->force && !has_potential && spec->coordinates == 0)
        return true;
    carom_node *leaf = carom_new_array((size_t)positions, sizeof *leaf);
    carom_node *by = carom_new_array((size_t)positions, sizeof *by);
    carom_node *along = carom_new_array((size_t)dof, sizeof *along);
    carom_node *force = carom_new_array((size_t)dof, sizeof *force);
    bool made = leaf && by && along && force;
    if (made) {
        carom_node power = carom_constant(g, 0.0);
        for (int i = 0; i < dof; i++) {
            force[i] = spec->force ? bodies_number_or(g, spec->force[i], 0.0) : carom_constant(g, 0.0);
            power =
                carom_binary(g, CAROM_OP_ADD, power,
                             carom_binary(g, CAROM_OP_MUL, force[i], carom_leaf(g, CAROM_OP_VELOCITY, i)));
        }
        for (int i = 0; i < positions; i++)
            leaf[i] = carom_leaf(g, CAROM_OP_COORDINATE, i);
        if (has_potential) {
            const carom_node time = carom_leaf(g, CAROM_OP_TIME, 0);
            carom_node by_time;
            carom_gradient(g, spec->potential, positions, leaf, by);
            carom_gradient(g, spec->potential, 1, &time, &by_time);
            power = carom_binary(g, CAROM_OP_ADD, power, by_time);
            add_potential(model, g, places, leaf, by, along, force);
        }
        add_inertia(model, g, inertia, force, &power);
        model->force = carom_tape_compile(g, dof, force);
        model->power = carom_tape_compile(g, 1, &power);
        if (has_potential)
            model->potential = carom_tape_compile(g, 1, &spec->potential);
        made = model->force && model->power && (model->potential || !has_potential) &&
               body_coordinates_compile(spec, places, inertia, force, model->arena, &model->coordinates);
    }
    free(leaf);
    free(by);
    free(along);
    free(force);
    return made;
}

/* ---- evaluation --------------------------------------------------------------------------------------- */

void carom_bodies_drive(carom_model_work *base, double t, double *v)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    if (!model->drive)
        return;
    carom_tape_evaluate(model->drive, work->drive_work, &(carom_inputs){.t = t, .outside = work->base.input},
                        work->driven);
    for (int k = 0; k < model->driven; k++) {
        const double *given = work->driven + BODIES_DRIVEN_NUMBERS * (ptrdiff_t)k;
        double *to = v + work->body[model->driven_body[k]].v;
        if (model->dimension == CAROM_PLANE) {
            to[0] = given[0];
            to[1] = given[1];
            to[2] = given[5];
        } else {
            memcpy(to, given, BODIES_DRIVEN_NUMBERS * sizeof *to);
        }
    }
}

void bodies_force(carom_model_work *base, double t, const double *q, const double *u, double *force)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    memset(force, 0, (size_t)base->model->dof * sizeof *force);
    if (model->force)
        carom_tape_evaluate(model->force, work->force_work,
                            &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input}, force);
    for (int i = 0; i < model->bodies; i++) {
        const carom_body *body = &work->body[i];
        const int axes = model->dimension == CAROM_PLANE ? 2 : 3;
        for (int k = 0; body->kind == CAROM_BODY_FREE && k < axes; k++)
            force[body->v + k] += body->mass * work->bodies.gravity[k];
    }
}

/* w.(R J R^T w) */
static double spin_energy(const carom_body *body, const carom_pose *pose, const double *w)
{
    double along[3];
    for (int k = 0; k < 3; k++)
        along[k] = pose->r[k] * w[0] + pose->r[3 + k] * w[1] + pose->r[6 + k] * w[2];
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += along[i] * carom_dot(3, body->inertia + 3 * (ptrdiff_t)i, along);
    return sum;
}

static double kinetic_of(const carom_bodies *bodies, const carom_body *body, const double *q, const double *v)
{
    const double *u = v + body->v;
    if (bodies->dimension == CAROM_PLANE)
        return 0.5 * (body->mass * (u[0] * u[0] + u[1] * u[1]) + body->inertia[8] * u[2] * u[2]);
    carom_body here = *body;
    here.q = 0;
    const carom_bodies alone = {.dimension = CAROM_SPACE, .count = 1, .body = &here};
    carom_pose pose;
    carom_bodies_poses(&alone, q + body->q, &pose);
    return 0.5 * (body->mass * carom_dot(3, u, u) + spin_energy(body, &pose, u + 3));
}

double bodies_energy(carom_model_work *base, double t, const double *q, const double *u)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    const int axes = model->dimension == CAROM_PLANE ? 2 : 3;
    double kinetic = 0.0, potential = 0.0, given = 0.0;
    for (int i = 0; i < model->bodies; i++) {
        const carom_body *body = &work->body[i];
        if (body->kind != CAROM_BODY_FREE)
            continue;
        kinetic += kinetic_of(&work->bodies, body, q, u);
        potential -= body->mass * carom_dot(axes, work->bodies.gravity, q + body->q);
    }
    if (model->potential)
        carom_tape_evaluate(model->potential, work->potential_work,
                            &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input}, &given);
    kinetic += body_coordinates_kinetic(&model->coordinates, &work->coordinates,
                                        &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input});
    return kinetic + potential + given;
}

double bodies_power(carom_model_work *base, double t, const double *q, const double *u)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    double power = 0.0;
    if (model->power)
        carom_tape_evaluate(model->power, work->power_work,
                            &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input}, &power);
    return power;
}
