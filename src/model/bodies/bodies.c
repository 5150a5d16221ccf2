/* Bodies behind the model interface: their numbers are expressions of parameters, evaluated when a work is bound; forces
 * and potentials are tapes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body_joints.h"
#include "carom/model/bodies.h"
#include "model/model_parts.h"
#include "with_coordinates.h"

/* Places of a body in the tape of its numbers. */
enum {
    MASS = 0,
    INERTIA = 1,
    AT = INERTIA + 6,
    ROTATION = AT + 3,
    VELOCITY = ROTATION + 4,
    SPIN = VELOCITY + 3,
    BODY_NUMBERS = SPIN + 3,
    FRICTION = 0,
    RESTITUTION,
    ROLLING,
    TORSION,
    PAIR_NUMBERS,
    DRIVEN_NUMBERS = 6
};

typedef struct bodies_model {
    carom_model base;
    carom_arena *arena;
    int dimension, bodies, materials, pairs, driven, shapes;
    carom_shape **shape; /* owned */
    carom_body *body;    /* all but what depends on parameters */
    int *line, *pair_line;
    bool *mass_follows; /* it has a shape, and its mass is that of unit density times ... */
    int (*pair_material)[2];
    int (*apart_pair)[2], (*watched_pair)[2];
    int apart;
    carom_tape *numbers; /* gravity, then of bodies, then of pairs */
    carom_tape *drive;   /* NULL: no body is driven */
    int *driven_body;
    carom_tape *force;     /* NULL: only gravity */
    carom_tape *potential; /* NULL: 0 */
    carom_tape *power;     /* NULL: 0 */
    body_joints joints;
    body_coordinates coordinates;
} bodies_model;

typedef struct bodies_work {
    carom_model_work base;
    carom_arena *arena;
    carom_bodies bodies;
    carom_body *body;
    carom_pair_law *law;
    double *start_q, *start_v;
    double *numbers_work, *drive_work, *force_work, *potential_work, *power_work, *value_work, *row_work,
        *guide_work;
    double *row_output, *guide_output, *value_output;
    double *number, *driven, *added;
    body_coordinates_work coordinates;
} bodies_work;

static const bodies_model *model_of(const bodies_work *work)
{
    return (const bodies_model *)work->base.model;
}

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

/* ---- what the parameters make of it ---------------------------------------------------------------- */

static void invert(const double a[9], double inverse[9])
{
    const double c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8],
                 c2 = a[3] * a[7] - a[4] * a[6];
    const double determinant = a[0] * c0 + a[1] * c1 + a[2] * c2;
    const double cofactor[9] = {c0, a[2] * a[7] - a[1] * a[8], a[1] * a[5] - a[2] * a[4],
                                c1, a[0] * a[8] - a[2] * a[6], a[2] * a[3] - a[0] * a[5],
                                c2, a[1] * a[6] - a[0] * a[7], a[0] * a[4] - a[1] * a[3]};
    for (int i = 0; i < 9; i++)
        inverse[i] = cofactor[i] / determinant;
}

static void bind_inertia(const bodies_model *model, const double *number, carom_body *body)
{
    const double *j = number + INERTIA;
    memset(body->inertia, 0, sizeof body->inertia);
    memset(body->inverse_inertia, 0, sizeof body->inverse_inertia);
    body->mass = number[MASS];
    if (model->dimension == CAROM_PLANE) {
        body->inertia[8] = j[2];
        body->inverse_inertia[8] = 1.0 / j[2];
        body->round = true;
        return;
    }
    const double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
    const double size = fabs(j[0]) + fabs(j[1]) + fabs(j[2]);
    memcpy(body->inertia, full, sizeof full);
    invert(full, body->inverse_inertia);
    body->round = fmax(fabs(j[0] - j[1]), fabs(j[0] - j[2])) <= 1e-14 * size &&
                  fmax(fabs(j[3]), fmax(fabs(j[4]), fabs(j[5]))) <= 1e-14 * size;
}

static void bind_start(bodies_work *work, int i, const double *number)
{
    const bool plane = work->bodies.dimension == CAROM_PLANE;
    carom_body *body = &work->body[i];
    double position[7] = {number[AT], number[AT + 1], number[AT + 2]};
    if (plane) {
        position[2] = number[ROTATION];
    } else {
        const double *r = number + ROTATION;
        const double length = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
        for (int k = 0; k < 4; k++)
            position[3 + k] = r[k] / length; /* 0 / 0 is told by the check */
    }
    const carom_body here = {.q = 0, .v = 0};
    const carom_bodies alone = {.dimension = work->bodies.dimension, .count = 1, .body = &here};
    carom_bodies_poses(&alone, position, &body->pose);
    if (body->q < 0)
        return;
    memcpy(work->start_q + body->q, position, (plane ? 3 : 7) * sizeof *position);
    double *v = work->start_v + body->v;
    memcpy(v, number + VELOCITY, (plane ? 2 : 3) * sizeof *v);
    if (plane)
        v[2] = number[SPIN + 2];
    else
        memcpy(v + 3, number + SPIN, 3 * sizeof *v);
}

static void bind_laws(bodies_work *work, const double *number)
{
    const bodies_model *model = model_of(work);
    const int n = model->materials;
    memset(work->law, 0, (size_t)n * (size_t)n * sizeof *work->law);
    for (int p = 0; p < model->pairs; p++, number += PAIR_NUMBERS) {
        const int *material = model->pair_material[p];
        const carom_pair_law law = {number[FRICTION], number[RESTITUTION], number[ROLLING], number[TORSION]};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                const bool fits =
                    (material[0] < 0 || material[0] == i) && (material[1] < 0 || material[1] == j);
                const bool turned =
                    (material[0] < 0 || material[0] == j) && (material[1] < 0 || material[1] == i);
                if (fits || turned)
                    work->law[i * n + j] = law;
            }
    }
}

static void bodies_bind(carom_model_work *base, const double *parameters)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = model_of(work);
    carom_tape_bind(model->numbers, parameters, work->numbers_work);
    if (model->drive)
        carom_tape_bind(model->drive, parameters, work->drive_work);
    if (model->force)
        carom_tape_bind(model->force, parameters, work->force_work);
    if (model->potential)
        carom_tape_bind(model->potential, parameters, work->potential_work);
    if (model->power)
        carom_tape_bind(model->power, parameters, work->power_work);
    if (model->joints.numbers)
        carom_tape_bind(model->joints.numbers, parameters, work->guide_work);
    if (model->joints.values) {
        carom_tape_bind(model->joints.values, parameters, work->value_work);
        carom_tape_bind(model->joints.rows, parameters, work->row_work);
    }
    carom_tape_evaluate(model->numbers, work->numbers_work, &(carom_inputs){0}, work->number);
    const double *number = work->number;
    memcpy(work->bodies.gravity, number, 3 * sizeof *number);
    number += 3;
    for (int i = 0; i < model->bodies; i++, number += BODY_NUMBERS) {
        if (work->body[i].kind == CAROM_BODY_FREE)
            bind_inertia(model, number, &work->body[i]);
        bind_start(work, i, number);
    }
    bind_laws(work, number);
    body_coordinates_bind(&model->coordinates, parameters, &work->coordinates);
    body_coordinates_start(&model->coordinates, &work->coordinates, work->start_q, work->start_v);
}

/* ---- are they possible? ------------------------------------------------------------------------------ */

static carom_status fail_at(int line, carom_error *error, const char *text)
{
    return line > 0 ? carom_fail(error, CAROM_BAD_INPUT, "%d: %s", line, text)
                    : carom_fail(error, CAROM_BAD_INPUT, "%s", text);
}

/* An inertia of a mass has positive moments, none larger than the two others together. */
static bool is_inertia(const double *j, bool plane)
{
    if (plane)
        return j[2] > 0.0 && isfinite(j[2]);
    const double full[9] = {j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]};
    double matrix[9], value[3];
    memcpy(matrix, full, sizeof full);
    if (!carom_all_finite(6, j) || carom_symmetric_eigenvalues(3, matrix, value) != 0)
        return false;
    return value[0] > 0.0 && value[2] <= (1.0 + 1e-9) * (value[0] + value[1]);
}

static carom_status check_body(const bodies_work *work, int i, const double *number, carom_error *error)
{
    const bodies_model *model = model_of(work);
    const carom_body *body = &work->body[i];
    const bool plane = model->dimension == CAROM_PLANE;
    char text[300] = "";
    const double *r = number + ROTATION;
    if (!carom_all_finite(BODY_NUMBERS - AT, number + AT))
        snprintf(text, sizeof text, "body '%s': at, rotation, velocity and spin must be finite numbers",
                 body->name);
    else if (!plane && !(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] > 0.0))
        snprintf(text, sizeof text,
                 "body '%s': the rotation is a quaternion of length 0; none is {1, 0, 0, 0}", body->name);
    else if (body->kind == CAROM_BODY_FREE && !(number[MASS] > 0.0 && isfinite(number[MASS])))
        snprintf(text, sizeof text, "body '%s': mass = %g; it must be positive and finite", body->name,
                 number[MASS]);
    else if (body->kind == CAROM_BODY_FREE && !is_inertia(number + INERTIA, plane))
        snprintf(text, sizeof text,
                 "body '%s': the inertia is not that of a body: its moments must be positive%s", body->name,
                 plane ? "" : ", none larger than the sum of the two others");
    return text[0] ? fail_at(model->line[i], error, text) : CAROM_OK;
}

static carom_status check_pair(bool plane, int line, const double *number, carom_error *error)
{
    static const char *const name[PAIR_NUMBERS] = {"friction", "restitution", "rolling", "torsion"};
    for (int k = 0; k < PAIR_NUMBERS; k++) {
        const bool good = number[k] >= 0.0 && isfinite(number[k]) && (k != RESTITUTION || number[k] <= 1.0);
        if (good)
            continue;
        char text[200];
        snprintf(text, sizeof text, "pair: %s = %g; it must be %s", name[k], number[k],
                 k == RESTITUTION ? "from 0 to 1" : "finite and not negative");
        return fail_at(line, error, text);
    }
    if (plane && number[TORSION] > 0.0)
        return fail_at(
            line, error,
            "pair: torsion is a moment about the normal, which is there in space only; in the plane use "
            "rolling");
    return CAROM_OK;
}

static carom_status bodies_check(const carom_model_work *base, carom_error *error)
{
    const bodies_work *work = (const bodies_work *)base;
    const bodies_model *model = model_of(work);
    const double *number = work->number;
    if (!carom_all_finite(3, number))
        return carom_fail(error, CAROM_BAD_INPUT, "world: gravity must be finite numbers");
    number += 3;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < model->bodies; i++, number += BODY_NUMBERS)
        status = check_body(work, i, number, error);
    for (int p = 0; status == CAROM_OK && p < model->pairs; p++, number += PAIR_NUMBERS)
        status = check_pair(model->dimension == CAROM_PLANE, model->pair_line[p], number, error);
    return status;
}

/* ---- works -------------------------------------------------------------------------------------------- */

static void bodies_work_free(carom_model_work *base)
{
    bodies_work *work = (bodies_work *)base;
    carom_arena_free(work->arena);
    free(work);
}

static double *take_tape(carom_arena *arena, const carom_tape *tape)
{
    return carom_arena_take(arena, tape ? carom_tape_work_size(tape) : 0, sizeof(double));
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
    work->driven = carom_arena_take(arena, DRIVEN_NUMBERS * (size_t)model->driven, sizeof(double));
    work->added = carom_arena_take(arena, (size_t)base->dof, sizeof(double));
    work->numbers_work = take_tape(arena, model->numbers);
    work->drive_work = take_tape(arena, model->drive);
    work->force_work = take_tape(arena, model->force);
    work->potential_work = take_tape(arena, model->potential);
    work->power_work = take_tape(arena, model->power);
    work->value_work = take_tape(arena, model->joints.values);
    work->row_work = take_tape(arena, model->joints.rows);
    work->guide_work = take_tape(arena, model->joints.numbers);
    work->guide_output = carom_arena_take(arena, 2 * (size_t)model->joints.guides, sizeof(double));
    work->value_output = carom_arena_take(
        arena, (size_t)base->joints + (size_t)model->joints.guides + (size_t)model->coordinates.contacts,
        sizeof(double));
    work->row_output = carom_arena_take(
        arena, model->joints.rows ? (size_t)carom_tape_outputs(model->joints.rows) : 0, sizeof(double));
    if (!work->body || !work->law || !work->start_q || !work->start_v || !work->number || !work->driven ||
        !work->added || !work->numbers_work || !work->drive_work || !work->force_work ||
        !work->potential_work || !work->power_work || !work->value_work || !work->row_work ||
        !work->row_output || !work->guide_work || !work->guide_output || !work->value_output ||
        !body_coordinates_take_work(&model->coordinates, arena, &work->coordinates)) {
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

/* ---- evaluation --------------------------------------------------------------------------------------- */

void carom_bodies_drive(carom_model_work *base, double t, double *v)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = model_of(work);
    if (!model->drive)
        return;
    carom_tape_evaluate(model->drive, work->drive_work, &(carom_inputs){.t = t}, work->driven);
    for (int k = 0; k < model->driven; k++) {
        const double *given = work->driven + DRIVEN_NUMBERS * (ptrdiff_t)k;
        double *to = v + work->body[model->driven_body[k]].v;
        if (model->dimension == CAROM_PLANE) {
            to[0] = given[0];
            to[1] = given[1];
            to[2] = given[5];
        } else {
            memcpy(to, given, DRIVEN_NUMBERS * sizeof *to);
        }
    }
}

static void bodies_force(carom_model_work *base, double t, const double *q, const double *u, double *force)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = model_of(work);
    memset(force, 0, (size_t)base->model->dof * sizeof *force);
    if (model->force)
        carom_tape_evaluate(model->force, work->force_work, &(carom_inputs){.t = t, .q = q, .u = u}, force);
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

static double bodies_energy(carom_model_work *base, double t, const double *q, const double *u)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = model_of(work);
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
        carom_tape_evaluate(model->potential, work->potential_work, &(carom_inputs){.t = t, .q = q, .u = u},
                            &given);
    kinetic += body_coordinates_kinetic(&model->coordinates, &work->coordinates,
                                        &(carom_inputs){.t = t, .q = q, .u = u});
    return kinetic + potential + given;
}

static double bodies_power(carom_model_work *base, double t, const double *q, const double *u)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = model_of(work);
    double power = 0.0;
    if (model->power)
        carom_tape_evaluate(model->power, work->power_work, &(carom_inputs){.t = t, .q = q, .u = u}, &power);
    return power;
}

void carom_bodies_joint_values(carom_model_work *base, double t, const double *q, double *g)
{
    bodies_work *work = (bodies_work *)base;
    if (model_of(work)->joints.values)
        carom_tape_evaluate(model_of(work)->joints.values, work->value_work, &(carom_inputs){.t = t, .q = q},
                            g);
}

void carom_bodies_joint_rows(carom_model_work *base, double t, const double *q, double *entry, double *g_t)
{
    bodies_work *work = (bodies_work *)base;
    const int joints = model_of(work)->joints.row_count, entries = work->bodies.joint_start[joints];
    if (joints == 0)
        return;
    carom_tape_evaluate(model_of(work)->joints.rows, work->row_work, &(carom_inputs){.t = t, .q = q},
                        work->row_output);
    memcpy(entry, work->row_output, (size_t)entries * sizeof *entry);
    memcpy(g_t, work->row_output + entries, (size_t)joints * sizeof *g_t);
}

void carom_bodies_guide_numbers(carom_model_work *base, double t, double *first, double *bound)
{
    bodies_work *work = (bodies_work *)base;
    const body_joints *joints = &model_of(work)->joints;
    if (!joints->numbers)
        return;
    carom_tape_evaluate(joints->numbers, work->guide_work, &(carom_inputs){.t = t}, work->guide_output);
    for (int i = 0; i < joints->guides; i++) {
        first[i] = work->guide_output[2 * i];
        bound[i] = work->guide_output[2 * i + 1];
    }
}

void carom_bodies_contact_numbers(carom_model_work *base, double t, const double *q, double *number)
{
    bodies_work *work = (bodies_work *)base;
    const body_coordinates *coordinates = &model_of(work)->coordinates;
    if (coordinates->contact_numbers)
        carom_tape_evaluate(coordinates->contact_numbers, work->coordinates.contact_numbers,
                            &(carom_inputs){.t = t, .q = q}, number);
}

void carom_bodies_linked_matrices(carom_model_work *base, double t, const double *q, const double *v,
                                  double *mass, double *by_q, double *by_u)
{
    bodies_work *work = (bodies_work *)base;
    const body_coordinates *coordinates = &model_of(work)->coordinates;
    const carom_inputs inputs = {.t = t, .q = q, .u = v};
    if (coordinates->count == 0)
        return;
    carom_tape_evaluate(coordinates->mass.tape, work->coordinates.mass, &inputs, mass);
    carom_tape_evaluate(coordinates->by_q.tape, work->coordinates.by_q, &inputs, by_q);
    carom_tape_evaluate(coordinates->by_u.tape, work->coordinates.by_u, &inputs, by_u);
}

void carom_bodies_linked_mass(carom_model_work *base, double t, const double *q, double *mass)
{
    bodies_work *work = (bodies_work *)base;
    if (model_of(work)->coordinates.count > 0)
        carom_tape_evaluate(model_of(work)->coordinates.mass.tape, work->coordinates.mass,
                            &(carom_inputs){.t = t, .q = q}, mass);
}

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
        carom_tape_evaluate(model_of(work)->joints.rows, work->row_work,
                            &(carom_inputs){.t = motion->t, .q = motion->q}, work->row_output);
        memcpy(g_t, work->row_output + work->bodies.joint_start[model_of(work)->joints.row_count],
               (size_t)joints * sizeof *g_t);
    }
}

/* What is watched is told by the scheme that finds it; contacts of expressions are known here. */
static void bodies_gaps(carom_model_work *base, double t, const double *q, double *gap)
{
    const bodies_work *work = (const bodies_work *)base;
    const body_coordinates *coordinates = &model_of(work)->coordinates;
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
};

/* ---- building ----------------------------------------------------------------------------------------- */

static carom_node or_number(carom_graph *graph, carom_node node, double value)
{
    return node == CAROM_NO_NODE ? carom_constant(graph, value) : node;
}

/* All numbers that depend on parameters, in the order of the places above. */
static bool compile_numbers(bodies_model *model, const carom_bodies_spec *spec)
{
    carom_graph *graph = spec->graph;
    const size_t count = 3 + BODY_NUMBERS * (size_t)spec->bodies + PAIR_NUMBERS * (size_t)spec->pairs;
    carom_node *node = carom_new_array(count, sizeof *node);
    size_t n = 0;
    if (!node)
        return false;
    for (int k = 0; k < 3; k++)
        node[n++] = or_number(graph, spec->gravity[k], 0.0);
    for (int i = 0; i < spec->bodies; i++) {
        const carom_body_spec *body = &spec->body[i];
        const bool told = body->kind == CAROM_BODY_DRIVEN;
        const bool plane = spec->dimension == CAROM_PLANE;
        node[n++] = or_number(graph, body->mass, 0.0);
        for (int k = 0; k < 6; k++)
            node[n++] = or_number(graph, body->inertia[k], 0.0);
        for (int k = 0; k < 3; k++)
            node[n++] = or_number(graph, body->at[k], 0.0);
        for (int k = 0; k < 4; k++)
            node[n++] = or_number(graph, body->rotation[k], k == 0 && !plane ? 1.0 : 0.0);
        for (int k = 0; k < 3; k++)
            node[n++] = told ? carom_constant(graph, 0.0) : or_number(graph, body->velocity[k], 0.0);
        for (int k = 0; k < 3; k++)
            node[n++] = told ? carom_constant(graph, 0.0) : or_number(graph, body->spin[k], 0.0);
    }
    for (int p = 0; p < spec->pairs; p++) {
        const carom_material_pair *pair = &spec->pair[p];
        node[n++] = or_number(graph, pair->friction, 0.0);
        node[n++] = or_number(graph, pair->restitution, 0.0);
        node[n++] = or_number(graph, pair->rolling, 0.0);
        node[n++] = or_number(graph, pair->torsion, 0.0);
    }
    model->numbers = carom_tape_compile(graph, (int)count, node);
    free(node);
    return model->numbers != NULL;
}

static bool compile_drive(bodies_model *model, const carom_bodies_spec *spec)
{
    if (model->driven == 0)
        return true;
    carom_node *node = carom_new_array(DRIVEN_NUMBERS * (size_t)model->driven, sizeof *node);
    for (int k = 0; node && k < model->driven; k++)
        for (int c = 0; c < 3; c++) {
            const carom_body_spec *body = &spec->body[model->driven_body[k]];
            node[DRIVEN_NUMBERS * k + c] = or_number(spec->graph, body->velocity[c], 0.0);
            node[DRIVEN_NUMBERS * k + 3 + c] = or_number(spec->graph, body->spin[c], 0.0);
        }
    if (node)
        model->drive = carom_tape_compile(spec->graph, DRIVEN_NUMBERS * model->driven, node);
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
static bool compile_force(bodies_model *model, const carom_bodies_spec *spec, const body_places *places,
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
            force[i] = spec->force ? or_number(g, spec->force[i], 0.0) : carom_constant(g, 0.0);
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

static bool place_bodies(bodies_model *model, const carom_bodies_spec *spec)
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

static bool copy_pairs(bodies_model *model, const carom_bodies_spec *spec)
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

static bool name_watched(bodies_model *model, const carom_bodies_spec *spec)
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
    if (compile_numbers(model, spec) && compile_drive(model, spec) &&
        compile_force(model, spec, &places, &inertia) &&
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
    const bool placed = place_bodies(model, spec) && copy_pairs(model, spec) && name_watched(model, spec) &&
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
