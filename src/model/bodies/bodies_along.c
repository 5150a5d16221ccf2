/* Derivatives of bodies along directions of state and parameters: tangents of their tapes, and of what numbers make of them. */
#include <math.h>
#include <string.h>

#include "bodies_model.h"
#include "body_numbers.h"
#include "carom/model/body_dual.h"

/* ---- memory ---------------------------------------------------------------------------------------------- */

bool bodies_take_along(bodies_work *work)
{
    const bodies_model *model = bodies_model_of(work);
    const carom_tape *tape[] = {model->numbers,   model->drive,         model->force,
                                model->potential, model->joints.values, model->joints.rows};
    size_t size = 0, outputs = 0;
    for (size_t i = 0; i < sizeof tape / sizeof *tape; i++) {
        if (!tape[i])
            continue;
        const size_t needed = carom_tape_work_size(tape[i]), told = (size_t)carom_tape_outputs(tape[i]);
        size = needed > size ? needed : size;
        outputs = told > outputs ? told : outputs;
    }
    const size_t materials = (size_t)model->materials;
    work->along = (bodies_work_along){
        .tangent = carom_arena_take(work->arena, size, sizeof(double)),
        .output = carom_arena_take(work->arena, outputs, sizeof(double)),
        .body = carom_arena_take(work->arena, (size_t)model->bodies, sizeof(carom_body)),
        .law = carom_arena_take(work->arena, carom_product(materials, materials), sizeof(carom_pair_law))};
    return work->along.tangent && work->along.output && work->along.body && work->along.law;
}

/* Outputs of a tape, of which the last evaluation was where the derivative is asked for, along a direction. */
static const double *tape_along(bodies_work *work, const carom_tape *tape, const double *tape_work,
                                const carom_direction *direction)
{
    const carom_inputs moves = {.t = direction->t, .q = direction->q, .u = direction->u};
    carom_tape_along_bind(tape, tape_work, direction->parameter, work->along.tangent);
    carom_tape_along(tape, tape_work, work->along.tangent, &moves, work->along.output);
    return work->along.output;
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static void inertia_along(int dimension, const carom_body *body, const double *slope, carom_body *along)
{
    const double *j = slope + INERTIA;
    along->mass = slope[MASS];
    if (dimension == CAROM_PLANE) {
        along->inertia[8] = j[2];
        along->inverse_inertia[8] = -body->inverse_inertia[8] * j[2] * body->inverse_inertia[8];
        return;
    }
    const double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]},
                 *inverse = body->inverse_inertia;
    double half[9] = {0};
    memcpy(along->inertia, full, sizeof full);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            half[i] += inverse[3 * (i / 3) + k] * full[3 * k + i % 3];
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            along->inverse_inertia[i] -= half[3 * (i / 3) + k] * inverse[3 * k + i % 3];
}

/* Positions at the start, in numbers with a derivative. */
static void start_along(int dimension, const double *number, const double *slope, carom_dual position[7])
{
    for (int k = 0; k < 3; k++)
        position[k] = carom_dual_of(number[AT + k], slope[AT + k]);
    if (dimension == CAROM_PLANE) {
        position[2] = carom_dual_of(number[ROTATION], slope[ROTATION]);
        return;
    }
    carom_dual square = 0.0;
    for (int k = 0; k < 4; k++) {
        position[3 + k] = carom_dual_of(number[ROTATION + k], slope[ROTATION + k]);
        square += position[3 + k] * position[3 + k];
    }
    const carom_dual length = csqrt(square);
    for (int k = 0; k < 4; k++)
        position[3 + k] /= length;
}

static void pose_along(int dimension, const carom_dual position[7], carom_pose *along)
{
    carom_dual_pose pose;
    carom_dual_pose_of(dimension, position, &pose);
    for (int k = 0; k < 3; k++)
        along->x[k] = carom_dual_slope(pose.x[k]);
    for (int k = 0; k < 9; k++)
        along->r[k] = carom_dual_slope(pose.r[k]);
}

carom_bodies carom_bodies_along(carom_model_work *base, const double *parameter)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    const double *slope =
        tape_along(work, model->numbers, work->numbers_work, &(carom_direction){.parameter = parameter});
    const double *number = work->number + 3;
    carom_bodies along = work->bodies;
    memcpy(along.gravity, slope, sizeof along.gravity);
    slope += 3;
    for (int i = 0; i < model->bodies; i++, number += BODY_NUMBERS, slope += BODY_NUMBERS) {
        carom_dual position[7];
        const carom_body *body = &work->body[i];
        carom_body *to = &work->along.body[i];
        *to = (carom_body){.name = body->name, .kind = body->kind, .q = body->q, .v = body->v};
        if (body->kind == CAROM_BODY_FREE)
            inertia_along(model->dimension, body, slope, to);
        start_along(model->dimension, number, slope, position);
        pose_along(model->dimension, position, &to->pose);
    }
    const size_t materials = (size_t)model->materials;
    memset(work->along.law, 0, materials * materials * sizeof *work->along.law);
    for (int p = 0; p < model->pairs; p++, slope += PAIR_NUMBERS) {
        const carom_pair_law law = {slope[FRICTION], slope[RESTITUTION], slope[ROLLING], slope[TORSION]};
        bodies_spread_law(model, p, &law, work->along.law);
    }
    along.body = work->along.body;
    along.law = work->along.law;
    return along;
}

static void initial_along(carom_model_work *base, const double *parameter, double *q, double *u)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    const bool plane = model->dimension == CAROM_PLANE;
    const double *slope =
        tape_along(work, model->numbers, work->numbers_work, &(carom_direction){.parameter = parameter}) + 3;
    const double *number = work->number + 3;
    for (int i = 0; i < model->bodies; i++, number += BODY_NUMBERS, slope += BODY_NUMBERS) {
        const carom_body *body = &work->body[i];
        carom_dual position[7];
        if (body->q < 0)
            continue;
        start_along(model->dimension, number, slope, position);
        for (int k = 0; k < (plane ? 3 : 7); k++)
            q[body->q + k] = carom_dual_slope(position[k]);
        memcpy(u + body->v, slope + VELOCITY, (plane ? 2 : 3) * sizeof *u);
        if (plane)
            u[body->v + 2] = slope[SPIN + 2];
        else
            memcpy(u + body->v + 3, slope + SPIN, 3 * sizeof *u);
    }
    for (int i = 0; i < model->coordinates.count; i++) /* how they begin is not derived */
        q[model->coordinates.q[i]] = u[model->coordinates.v[i]] = NAN;
}

/* ---- forces and energy ------------------------------------------------------------------------------------ */

static void force_along(carom_model_work *base, double t, const double *q, const double *u, int count,
                        const carom_direction *direction, double *force)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    const int dof = base->model->dof, axes = model->dimension == CAROM_PLANE ? 2 : 3;
    if (model->force)
        carom_tape_evaluate(model->force, work->force_work,
                            &(carom_inputs){.t = t, .q = q, .u = u, .outside = base->input},
                            work->along.output);
    for (int c = 0; c < count; c++, force += dof) {
        const carom_bodies slopes = carom_bodies_along(base, direction[c].parameter);
        if (model->force)
            memcpy(force, tape_along(work, model->force, work->force_work, &direction[c]),
                   (size_t)dof * sizeof *force);
        else
            memset(force, 0, (size_t)dof * sizeof *force);
        for (int i = 0; i < model->bodies; i++) {
            const carom_body *body = &work->body[i];
            for (int k = 0; body->kind == CAROM_BODY_FREE && k < axes; k++)
                force[body->v + k] +=
                    slopes.body[i].mass * work->bodies.gravity[k] + body->mass * slopes.gravity[k];
        }
    }
}

/* Number i of an array along one that may be missing. */
static carom_dual number_of(const double *value, const double *slope, int i)
{
    return carom_dual_of(value[i], slope ? slope[i] : 0.0);
}

/* Kinetic energy, and that in the field of gravity. */
static carom_dual energy_of(const bodies_work *work, int i, const carom_bodies *slopes, const double *q,
                            const double *u, const carom_direction *direction)
{
    const carom_body *body = &work->body[i], *slope = &slopes->body[i];
    const bool plane = work->bodies.dimension == CAROM_PLANE;
    const int axes = plane ? 2 : 3;
    const carom_dual mass = carom_dual_of(body->mass, slope->mass);
    carom_dual position[7], spin[3] = {0.0, 0.0, 0.0}, along[3], inertia[9], sum = 0.0;
    carom_dual_pose pose;
    for (int k = 0; k < (plane ? 3 : 7); k++)
        position[k] = number_of(q, direction->q, body->q + k);
    for (int k = 0; k < axes; k++) {
        const carom_dual v = number_of(u, direction->u, body->v + k);
        sum +=
            mass * (0.5 * v * v - carom_dual_of(work->bodies.gravity[k], slopes->gravity[k]) * position[k]);
    }
    for (int k = 0; k < (plane ? 1 : 3); k++)
        spin[plane ? 2 : k] = number_of(u, direction->u, body->v + axes + k);
    carom_dual_pose_of(work->bodies.dimension, position, &pose);
    carom_dual_turn_back(pose.r, spin, along);
    for (int k = 0; k < 9; k++)
        inertia[k] = carom_dual_of(body->inertia[k], slope->inertia[k]);
    for (int k = 0; k < 3; k++)
        sum += 0.5 * along[k] * carom_dual_dot(inertia + 3 * (ptrdiff_t)k, along);
    return sum;
}

static void energy_along(carom_model_work *base, double t, const double *q, const double *u, int count,
                         const carom_direction *direction, double *energy)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    double value;
    if (model->potential)
        carom_tape_evaluate(model->potential, work->potential_work,
                            &(carom_inputs){.t = t, .q = q, .u = u, .outside = base->input}, &value);
    for (int c = 0; c < count; c++) {
        carom_dual sum = 0.0;
        const carom_bodies slopes = carom_bodies_along(base, direction[c].parameter);
        for (int i = 0; i < model->bodies; i++)
            if (work->body[i].kind == CAROM_BODY_FREE)
                sum += energy_of(work, i, &slopes, q, u, &direction[c]);
        energy[c] = carom_dual_slope(sum);
        if (model->potential)
            energy[c] += *tape_along(work, model->potential, work->potential_work, &direction[c]);
        if (model->coordinates.count > 0) /* their kinetic energy is not derived */
            energy[c] = NAN;
    }
}

/* Gaps are found by the scheme, and how they change is not told. */
static void gaps_along(carom_model_work *base, double t, const double *q, int count,
                       const carom_direction *direction, double *gap)
{
    (void)t;
    (void)q;
    (void)direction;
    for (int i = 0; i < count * base->model->contacts; i++)
        gap[i] = NAN;
}

/* ---- for schemes ------------------------------------------------------------------------------------------ */

void carom_bodies_drive_along(carom_model_work *base, double t, double t_along, const double *parameter,
                              double *v, double *v_along)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    const bool plane = model->dimension == CAROM_PLANE;
    carom_bodies_drive(base, t, v);
    if (!model->drive)
        return;
    const double *slope = tape_along(work, model->drive, work->drive_work,
                                     &(carom_direction){.t = t_along, .parameter = parameter});
    for (int k = 0; k < model->driven; k++, slope += BODIES_DRIVEN_NUMBERS) {
        double *to = v_along + work->body[model->driven_body[k]].v;
        memcpy(to, slope, (plane ? 2 : BODIES_DRIVEN_NUMBERS) * sizeof *to);
        if (plane)
            to[2] = slope[5];
    }
}

void carom_bodies_joint_values_along(carom_model_work *base, double t, const double *q,
                                     const carom_direction *direction, double *g, double *g_along)
{
    bodies_work *work = (bodies_work *)base;
    const carom_tape *tape = bodies_model_of(work)->joints.values;
    if (!tape)
        return;
    carom_bodies_joint_values(base, t, q, g);
    memcpy(g_along, tape_along(work, tape, work->value_work, direction),
           (size_t)carom_tape_outputs(tape) * sizeof *g_along);
}

void carom_bodies_joint_rows_along(carom_model_work *base, double t, const double *q,
                                   const carom_direction *direction, double *entry, double *g_t)
{
    bodies_work *work = (bodies_work *)base;
    const int rows = bodies_model_of(work)->joints.row_count, entries = work->bodies.joint_start[rows];
    if (rows == 0)
        return;
    carom_tape_evaluate(bodies_model_of(work)->joints.rows, work->row_work,
                        &(carom_inputs){.t = t, .q = q, .outside = base->input}, work->row_output);
    const double *slope = tape_along(work, bodies_model_of(work)->joints.rows, work->row_work, direction);
    memcpy(entry, slope, (size_t)entries * sizeof *entry);
    memcpy(g_t, slope + entries, (size_t)rows * sizeof *g_t);
}

const carom_model_tangent_ops bodies_tangent_ops = {
    .force = force_along,
    .gaps = gaps_along,
    .energy = energy_along,
    .initial = initial_along,
};
