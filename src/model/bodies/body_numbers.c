/* The numbers of bodies and pairs: expressions of parameters, evaluated when a work is bound. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies_model.h"
#include "body_numbers.h"
#include "model/model_parts.h"

/* All numbers that depend on parameters, in the order of body_numbers.h. */
bool bodies_compile_numbers(bodies_model *model, const carom_bodies_spec *spec)
{
    carom_graph *graph = spec->graph;
    const size_t count = 3 + BODY_NUMBERS * (size_t)spec->bodies + PAIR_NUMBERS * (size_t)spec->pairs;
    carom_node *node = carom_new_array(count, sizeof *node);
    size_t n = 0;
    if (!node)
        return false;
    for (int k = 0; k < 3; k++)
        node[n++] = bodies_number_or(graph, spec->gravity[k], 0.0);
    for (int i = 0; i < spec->bodies; i++) {
        const carom_body_spec *body = &spec->body[i];
        const bool told = body->kind == CAROM_BODY_DRIVEN;
        const bool plane = spec->dimension == CAROM_PLANE;
        node[n++] = bodies_number_or(graph, body->mass, 0.0);
        for (int k = 0; k < 6; k++)
            node[n++] = bodies_number_or(graph, body->inertia[k], 0.0);
        for (int k = 0; k < 3; k++)
            node[n++] = bodies_number_or(graph, body->at[k], 0.0);
        for (int k = 0; k < 4; k++)
            node[n++] = bodies_number_or(graph, body->rotation[k], k == 0 && !plane ? 1.0 : 0.0);
        for (int k = 0; k < 3; k++)
            node[n++] = told ? carom_constant(graph, 0.0) : bodies_number_or(graph, body->velocity[k], 0.0);
        for (int k = 0; k < 3; k++)
            node[n++] = told ? carom_constant(graph, 0.0) : bodies_number_or(graph, body->spin[k], 0.0);
    }
    for (int p = 0; p < spec->pairs; p++) {
        const carom_material_pair *pair = &spec->pair[p];
        node[n++] = bodies_number_or(graph, pair->friction, 0.0);
        node[n++] = bodies_number_or(graph, pair->restitution, 0.0);
        node[n++] = bodies_number_or(graph, pair->rolling, 0.0);
        node[n++] = bodies_number_or(graph, pair->torsion, 0.0);
    }
    model->numbers = carom_tape_compile(graph, (int)count, node);
    free(node);
    return model->numbers != NULL;
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

void bodies_spread_law(const bodies_model *model, int pair, const carom_pair_law *law, carom_pair_law *laws)
{
    const int n = model->materials, *material = model->pair_material[pair];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const bool fits = (material[0] < 0 || material[0] == i) && (material[1] < 0 || material[1] == j);
            const bool turned =
                (material[0] < 0 || material[0] == j) && (material[1] < 0 || material[1] == i);
            if (fits || turned)
                laws[i * n + j] = *law;
        }
}

static void bind_laws(bodies_work *work, const double *number)
{
    const bodies_model *model = bodies_model_of(work);
    const int n = model->materials;
    memset(work->law, 0, (size_t)n * (size_t)n * sizeof *work->law);
    for (int p = 0; p < model->pairs; p++, number += PAIR_NUMBERS) {
        const carom_pair_law law = {number[FRICTION], number[RESTITUTION], number[ROLLING], number[TORSION]};
        bodies_spread_law(model, p, &law, work->law);
    }
}

void bodies_bind(carom_model_work *base, const double *parameters)
{
    bodies_work *work = (bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
    model_bind_inputs(base, parameters);
    carom_tape_bind(model->numbers, parameters, work->numbers_work);
    bodies_bind_tape(model->drive, parameters, work->drive_work);
    bodies_bind_tape(model->force, parameters, work->force_work);
    bodies_bind_tape(model->potential, parameters, work->potential_work);
    bodies_bind_tape(model->power, parameters, work->power_work);
    bodies_bind_tape(model->joints.numbers, parameters, work->guide_work);
    bodies_bind_tape(model->joints.values, parameters, work->value_work);
    bodies_bind_tape(model->joints.rows, parameters, work->row_work);
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
    const bodies_model *model = bodies_model_of(work);
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

carom_status bodies_check(const carom_model_work *base, carom_error *error)
{
    const bodies_work *work = (const bodies_work *)base;
    const bodies_model *model = bodies_model_of(work);
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
