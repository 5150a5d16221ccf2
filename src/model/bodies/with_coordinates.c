#include "with_coordinates.h"

#include <stdlib.h>
#include <string.h>

#include "bodies_model.h"
#include "model/model_parts.h"

static bool depends_on(const carom_bodies_spec *spec, carom_node node, unsigned mask)
{
    return node >= 0 && (carom_node_depends(spec->graph, node) & mask) != 0;
}

void body_places_gradient(carom_graph *graph, const body_places *places, const carom_node *leaf,
                          const carom_node *by_position, carom_node *along)
{
    for (int i = 0; i < places->bodies; i++) {
        const carom_body *body = &places->body[i];
        if (body->q >= 0)
            body_gradient(graph, places->dimension, leaf + body->q, by_position + body->q, along + body->v);
    }
    for (int i = 0; i < places->coordinates; i++)
        along[places->v[i]] = by_position[places->q[i]];
}

/* ---- are they possible? ------------------------------------------------------------------------------- */

static carom_status fail_line(carom_error *error, int line, const char *kind, const char *name,
                              const char *text)
{
    return line > 0 ? carom_fail(error, CAROM_BAD_INPUT, "%d: %s '%s'%s", line, kind, name, text)
                    : carom_fail(error, CAROM_BAD_INPUT, "%s '%s'%s", kind, name, text);
}

static bool is_coulomb(const carom_friction_cone *cone)
{
    return !cone->shape || cone->shape == &carom_friction_isotropic;
}

static carom_status check_contact(const carom_bodies_spec *spec, const carom_traced_contact *contact,
                                  carom_error *error)
{
    const unsigned moving = CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION;
    const carom_friction_law *law = &contact->friction;
    const int coefficients = carom_friction_law_coefficients(law);
    const char *wrong = NULL;
    if (contact->tangents < 0 || contact->tangents > CAROM_TANGENTS_MAX)
        wrong = ": a contact has 0 to 2 slip components";
    else if (depends_on(spec, contact->gap, moving))
        wrong = ": the gap must be a function of position and time, not of velocity";
    else if (!contact->friction_force && !depends_on(spec, contact->gap, CAROM_ON_COORDINATE))
        wrong = ": the gap does not depend on any position";
    else if (depends_on(spec, contact->restitution, moving))
        wrong = ": restitution may depend on parameters, position and time only";
    else if (!is_coulomb(&law->dynamic_cone) || (law->two_level && !is_coulomb(&law->static_cone)))
        wrong = contact->friction_force
                    ? ": beside bodies its bound is one number; leave out static and decay"
                    : ": beside bodies friction is a coefficient, or { static = ..., dynamic = ... } of two";
    for (int k = 0; !wrong && k < coefficients; k++)
        if (depends_on(spec, contact->coefficient[k], moving))
            wrong = ": friction may depend on parameters, position and time only";
    return wrong ? fail_line(error, contact->line, contact->friction_force ? "friction_force" : "contact",
                             contact->name, wrong)
                 : CAROM_OK;
}

static carom_status check_slips(const carom_bodies_spec *spec, const carom_traced_contact *contact,
                                carom_arena *arena, carom_error *error)
{
    for (int k = 0; k < contact->tangents; k++) {
        carom_node_row row;
        if (depends_on(spec, contact->slip[k], CAROM_ON_NO_MOTION))
            return fail_line(error, contact->line, "contact", contact->name,
                             ": slip must not depend on impulses");
        if (!carom_gradient_row(spec->graph, contact->slip[k], CAROM_OP_VELOCITY, arena, &row))
            return carom_fail_memory(error);
        for (int i = 0; i < row.count; i++)
            if (depends_on(spec, row.entry[i].node, CAROM_ON_VELOCITY))
                return fail_line(error, contact->line, "contact", contact->name,
                                 ": slip must be linear in the velocities; write the relative velocity "
                                 "itself, such as slip = dot(x)");
        if (row.count == 0)
            return fail_line(error, contact->line, "contact", contact->name,
                             ": slip does not depend on any velocity; write slip = dot(...)");
    }
    return CAROM_OK;
}

/* Each contact of expressions is one contact of the model. */
static carom_status check_numbers(const carom_bodies_spec *spec, carom_arena *arena, carom_error *error)
{
    int *times = carom_arena_take(arena, (size_t)spec->contacts, sizeof *times);
    if (!times)
        return carom_fail_memory(error);
    for (int k = 0; k < spec->watched; k++) {
        const int contact = -1 - spec->watched_pair[k][0];
        if (contact >= 0 && contact < spec->contacts)
            times[contact]++;
    }
    for (int i = 0; i < spec->contacts; i++)
        if (times[i] != 1)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "bodies: contact '%s' is %d times among the contacts of the model; once is right",
                spec->contact[i].name, times[i]);
    return CAROM_OK;
}

carom_status body_coordinates_check(const carom_bodies_spec *spec, carom_error *error)
{
    for (int i = 0; i < spec->joints; i++)
        if (depends_on(spec, spec->joint[i].value, CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
            return fail_line(error, spec->joint[i].line, "joint", spec->joint[i].name,
                             " must be a function of position and time, not of velocity");
    carom_arena *arena = carom_arena_create();
    carom_status status = arena ? check_numbers(spec, arena, error) : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < spec->contacts; i++) {
        status = check_contact(spec, &spec->contact[i], error);
        if (status == CAROM_OK)
            status = check_slips(spec, &spec->contact[i], arena, error);
    }
    carom_arena_free(arena);
    return status;
}

/* ---- inertia ------------------------------------------------------------------------------------------- */

/* sum + M_ij u_i u_j */
static carom_node add_square(carom_graph *g, const body_places *places, carom_node mass, int i, int j,
                             carom_node sum)
{
    if (model_node_is_zero(g, mass))
        return sum;
    const carom_node uu = carom_binary(g, CAROM_OP_MUL, carom_leaf(g, CAROM_OP_VELOCITY, places->v[i]),
                                       carom_leaf(g, CAROM_OP_VELOCITY, places->v[j]));
    return carom_binary(g, CAROM_OP_ADD, sum, carom_binary(g, CAROM_OP_MUL, mass, uu));
}

/* T, or 1/2 u.M u when a mass matrix or its diagonal was given. */
static carom_node kinetic_energy(const carom_bodies_spec *spec, const body_places *places)
{
    carom_graph *g = spec->graph;
    const int n = spec->coordinates;
    if (!spec->mass && !spec->masses)
        return spec->kinetic;
    carom_node sum = carom_constant(g, 0.0);
    for (int i = 0; i < n; i++) {
        if (spec->masses)
            sum = add_square(g, places, spec->masses[i], i, i, sum);
        for (int j = 0; spec->mass && j < n; j++)
            sum = add_square(g, places, spec->mass[i * n + j], i, j, sum);
    }
    return carom_binary(g, CAROM_OP_MUL, carom_constant(g, 0.5), sum);
}

/* The kinetic energy of bodies is known; this one is of coordinates alone. */
static carom_status check_kinetic(const carom_bodies_spec *spec, const body_places *places,
                                  carom_arena *arena, carom_node kinetic, carom_error *error)
{
    carom_graph *g = spec->graph;
    const size_t room = (size_t)places->positions + (size_t)places->dof;
    carom_node *leaf = carom_arena_take(arena, room, sizeof *leaf);
    carom_node *by = carom_arena_take(arena, room, sizeof *by);
    int count = 0;
    if (!leaf || !by)
        return carom_fail_memory(error);
    for (int i = 0; i < places->bodies; i++) {
        const carom_body *body = &places->body[i];
        for (int k = 0; body->q >= 0 && k < (places->dimension == CAROM_PLANE ? 3 : 7); k++)
            leaf[count++] = carom_leaf(g, CAROM_OP_COORDINATE, body->q + k);
        for (int k = 0; body->q >= 0 && k < (places->dimension == CAROM_PLANE ? 3 : 6); k++)
            leaf[count++] = carom_leaf(g, CAROM_OP_VELOCITY, body->v + k);
    }
    carom_gradient(g, kinetic, count, leaf, by);
    for (int i = 0; i < count; i++)
        if (!model_node_is_zero(g, by[i]))
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "kinetic(...) and mass{...} are of coordinates; bodies have theirs by density or "
                "mass, and must not stand there");
    return CAROM_OK;
}

static carom_status check_given(const carom_bodies_spec *spec, carom_error *error)
{
    const bool has_mass = spec->mass || spec->masses;
    if (!has_mass && spec->kinetic < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the coordinates have no inertia; write kinetic(...) or mass{...}");
    if (has_mass && spec->kinetic >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "both kinetic(...) and mass{...} are given; keep one of them");
    if (depends_on(spec, spec->kinetic, CAROM_ON_NO_MOTION))
        return carom_fail(error, CAROM_BAD_INPUT, "kinetic(...) must not depend on impulses");
    const int n = spec->coordinates;
    for (int i = 0; spec->masses && i < n; i++)
        if (depends_on(spec, spec->masses[i], CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass{...} must not depend on velocities or impulses (entry %s, %s)",
                              spec->coordinate[i].name, spec->coordinate[i].name);
    for (int i = 0; spec->mass && i < n * n; i++) {
        double entry, mirrored;
        if (depends_on(spec, spec->mass[i], CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass{...} must not depend on velocities or impulses (entry %s, %s)",
                              spec->coordinate[i / n].name, spec->coordinate[i % n].name);
        if (carom_node_is_constant(spec->graph, spec->mass[i], &entry) &&
            carom_node_is_constant(spec->graph, spec->mass[i % n * n + i / n], &mirrored) &&
            entry != mirrored)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass{...} must be symmetric: entry %s, %s is %g, the mirrored one is %g",
                              spec->coordinate[i / n].name, spec->coordinate[i % n].name, entry, mirrored);
    }
    return CAROM_OK;
}

static const char *name_at(const carom_bodies_spec *spec, const body_places *places, int velocity)
{
    for (int i = 0; i < spec->coordinates; i++)
        if (places->v[i] == velocity)
            return spec->coordinate[i].name;
    return "";
}

/* T has velocities in twos: p = dT/du is linear in them, and 0 without them, as T is. */
static carom_status check_quadratic(const carom_bodies_spec *spec, const body_places *places,
                                    carom_arena *arena, const coordinate_inertia *derived, carom_error *error)
{
    carom_graph *g = spec->graph;
    const carom_node zero = carom_constant(g, 0.0);
    bool moving =
        !model_node_is_zero(g, carom_substitute_leaves(g, derived->kinetic, CAROM_OP_VELOCITY, zero));
    for (int i = 0; i < spec->coordinates; i++) {
        carom_node_row row;
        if (!carom_gradient_row(g, derived->momentum[i], CAROM_OP_VELOCITY, arena, &row))
            return carom_fail_memory(error);
        for (int k = 0; k < row.count; k++)
            if (depends_on(spec, row.entry[k].node, CAROM_ON_VELOCITY))
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "kinetic(...) must be quadratic in the velocities (its second derivative by "
                    "dot(%s) and dot(%s) still depends on velocities)",
                    spec->coordinate[i].name, name_at(spec, places, row.entry[k].index));
    }
    for (int i = 0; i < spec->coordinates && !moving; i++)
        moving =
            !model_node_is_zero(g, carom_substitute_leaves(g, derived->momentum[i], CAROM_OP_VELOCITY, zero));
    if (moving)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "kinetic(...): beside bodies every term has two velocities; write the motion of a "
                          "frame as forces, or let a driven body carry it");
    return CAROM_OK;
}

/* p = dT/du, M = dp/du, and dT/dq - (dp/dq) u - dp/dt. */
static carom_status derive_terms(const carom_bodies_spec *spec, const body_places *places, carom_arena *arena,
                                 coordinate_inertia *derived, carom_error *error)
{
    carom_graph *g = spec->graph;
    const int n = spec->coordinates;
    const size_t size = (size_t)n;
    carom_node *q = carom_arena_take(arena, size + 1, sizeof *q),
               *u = carom_arena_take(arena, size + 1, sizeof *u), *momentum = derived->momentum,
               *along = carom_arena_take(arena, size, sizeof *along);
    if (!q || !u || !along)
        return carom_fail_memory(error);
    for (int i = 0; i < n; i++) {
        q[i] = carom_leaf(g, CAROM_OP_COORDINATE, places->q[i]);
        u[i] = carom_leaf(g, CAROM_OP_VELOCITY, places->v[i]);
    }
    carom_gradient(g, derived->kinetic, n, u, momentum);
    const carom_status status = check_quadratic(spec, places, arena, derived, error);
    if (status != CAROM_OK)
        return status;
    carom_gradient(g, derived->kinetic, n, q, derived->inertia);
    q[n] = carom_leaf(g, CAROM_OP_TIME, 0);
    u[n] = carom_constant(g, 1.0);
    carom_directional(g, n, momentum, n + 1, q, u, along);
    for (int i = 0; i < n; i++)
        derived->inertia[i] = carom_binary(g, CAROM_OP_SUB, derived->inertia[i], along[i]);
    carom_gradient(g, derived->kinetic, 1, &q[n], &derived->by_time);
    return CAROM_OK;
}

carom_status body_coordinates_derive(const carom_bodies_spec *spec, const body_places *places,
                                     carom_arena *arena, coordinate_inertia *derived, carom_error *error)
{
    const size_t n = (size_t)spec->coordinates;
    *derived = (coordinate_inertia){.kinetic = CAROM_NO_NODE, .by_time = CAROM_NO_NODE};
    if (n == 0)
        return CAROM_OK;
    carom_status status = check_given(spec, error);
    if (status != CAROM_OK)
        return status;
    derived->momentum = carom_arena_take(arena, n, sizeof(carom_node));
    derived->inertia = carom_arena_take(arena, n, sizeof(carom_node));
    if (!derived->momentum || !derived->inertia)
        return carom_fail_memory(error);
    derived->kinetic = kinetic_energy(spec, places);
    status = check_kinetic(spec, places, arena, derived->kinetic, error);
    return status == CAROM_OK ? derive_terms(spec, places, arena, derived, error) : status;
}

static bool compile_start(const carom_bodies_spec *spec, body_coordinates *coordinates)
{
    const size_t n = (size_t)spec->coordinates;
    carom_node *node = carom_new_array(2 * n, sizeof *node);
    for (size_t i = 0; node && i < n; i++) {
        node[i] = bodies_number_or(spec->graph, spec->coordinate[i].position, 0.0);
        node[n + i] = bodies_number_or(spec->graph, spec->coordinate[i].velocity, 0.0);
    }
    if (node)
        coordinates->start = carom_tape_compile(spec->graph, 2 * spec->coordinates, node);
    free(node);
    return coordinates->start != NULL;
}

bool body_coordinates_compile(const carom_bodies_spec *spec, const body_places *places,
                              const coordinate_inertia *derived, const carom_node *force, carom_arena *arena,
                              body_coordinates *coordinates)
{
    if (spec->coordinates == 0)
        return true;
    coordinates->kinetic = carom_tape_compile(spec->graph, 1, &derived->kinetic);
    return coordinates->kinetic && compile_start(spec, coordinates) &&
           body_linked_compile(spec, places, derived, force, arena, coordinates);
}

/* ---- contacts -------------------------------------------------------------------------------------------- */

/* Restitution, and the coefficients at the start of slip and in it. */
static void list_numbers(const carom_bodies_spec *spec, const carom_traced_contact *contact,
                         carom_node number[3])
{
    const int coefficients = carom_friction_law_coefficients(&contact->friction);
    const carom_node zero = carom_constant(spec->graph, 0.0);
    number[0] = bodies_number_or(spec->graph, contact->restitution, 0.0);
    number[1] = coefficients > 0 ? contact->coefficient[0] : zero;
    number[2] = coefficients > 1 ? contact->coefficient[1] : number[1];
}

bool body_contacts_compile(const carom_bodies_spec *spec, carom_arena *arena, body_coordinates *coordinates)
{
    const size_t count = (size_t)spec->contacts;
    coordinates->contacts = spec->contacts;
    if (count == 0)
        return true;
    coordinates->contact = carom_arena_take(arena, count, sizeof *coordinates->contact);
    carom_node *node = carom_new_array(3 * count, sizeof *node);
    bool made = node && coordinates->contact;
    for (size_t i = 0; made && i < count; i++) {
        const carom_traced_contact *given = &spec->contact[i];
        carom_row_contact *contact = &coordinates->contact[i];
        *contact = (carom_row_contact){.name = carom_arena_copy_text(arena, given->name),
                                       .tangents = given->tangents,
                                       .two_level = given->friction.two_level,
                                       .is_force = given->friction_force};
        list_numbers(spec, given, node + 3 * i);
        made = contact->name != NULL;
    }
    for (int k = 0; made && k < spec->watched; k++) {
        const int contact = -1 - spec->watched_pair[k][0];
        if (contact >= 0 && contact < spec->contacts)
            coordinates->contact[contact].number = k;
    }
    if (made)
        coordinates->contact_numbers = carom_tape_compile(spec->graph, 3 * spec->contacts, node);
    free(node);
    return coordinates->contact_numbers != NULL;
}

void body_coordinates_free(body_coordinates *coordinates)
{
    carom_tape_free(coordinates->start);
    carom_tape_free(coordinates->kinetic);
    carom_tape_free(coordinates->mass.tape);
    carom_tape_free(coordinates->by_q.tape);
    carom_tape_free(coordinates->by_u.tape);
    carom_tape_free(coordinates->contact_numbers);
}

/* ---- works ------------------------------------------------------------------------------------------------ */

bool body_coordinates_take_work(const body_coordinates *coordinates, carom_arena *arena,
                                body_coordinates_work *work)
{
    work->start_output = carom_arena_take(arena, 2 * (size_t)coordinates->count, sizeof(double));
    return work->start_output && (work->start = bodies_take_tape(arena, coordinates->start)) &&
           (work->kinetic = bodies_take_tape(arena, coordinates->kinetic)) &&
           (work->mass = bodies_take_tape(arena, coordinates->mass.tape)) &&
           (work->by_q = bodies_take_tape(arena, coordinates->by_q.tape)) &&
           (work->by_u = bodies_take_tape(arena, coordinates->by_u.tape)) &&
           (work->contact_numbers = bodies_take_tape(arena, coordinates->contact_numbers));
}

void body_coordinates_bind(const body_coordinates *coordinates, const double *parameters,
                           body_coordinates_work *work)
{
    bodies_bind_tape(coordinates->start, parameters, work->start);
    bodies_bind_tape(coordinates->kinetic, parameters, work->kinetic);
    bodies_bind_tape(coordinates->mass.tape, parameters, work->mass);
    bodies_bind_tape(coordinates->by_q.tape, parameters, work->by_q);
    bodies_bind_tape(coordinates->by_u.tape, parameters, work->by_u);
    bodies_bind_tape(coordinates->contact_numbers, parameters, work->contact_numbers);
}

void body_coordinates_start(const body_coordinates *coordinates, body_coordinates_work *work, double *q,
                            double *v)
{
    if (!coordinates->start)
        return;
    carom_tape_evaluate(coordinates->start, work->start, &(carom_inputs){0}, work->start_output);
    for (int i = 0; i < coordinates->count; i++) {
        q[coordinates->q[i]] = work->start_output[i];
        v[coordinates->v[i]] = work->start_output[coordinates->count + i];
    }
}

double body_coordinates_kinetic(const body_coordinates *coordinates, body_coordinates_work *work,
                                const carom_inputs *inputs)
{
    double kinetic = 0.0;
    if (coordinates->kinetic)
        carom_tape_evaluate(coordinates->kinetic, work->kinetic, inputs, &kinetic);
    return kinetic;
}

void carom_bodies_contact_numbers(carom_model_work *base, double t, const double *q, double *number)
{
    bodies_work *work = (bodies_work *)base;
    const body_coordinates *coordinates = &bodies_model_of(work)->coordinates;
    if (coordinates->contact_numbers)
        carom_tape_evaluate(coordinates->contact_numbers, work->coordinates.contact_numbers,
                            &(carom_inputs){.t = t, .q = q, .outside = work->base.input}, number);
}

void carom_bodies_linked_matrices(carom_model_work *base, double t, const double *q, const double *v,
                                  double *mass, double *by_q, double *by_u)
{
    bodies_work *work = (bodies_work *)base;
    const body_coordinates *coordinates = &bodies_model_of(work)->coordinates;
    const carom_inputs inputs = {.t = t, .q = q, .u = v, .outside = base->input};
    if (coordinates->count == 0)
        return;
    carom_tape_evaluate(coordinates->mass.tape, work->coordinates.mass, &inputs, mass);
    carom_tape_evaluate(coordinates->by_q.tape, work->coordinates.by_q, &inputs, by_q);
    carom_tape_evaluate(coordinates->by_u.tape, work->coordinates.by_u, &inputs, by_u);
}

void carom_bodies_linked_mass(carom_model_work *base, double t, const double *q, double *mass)
{
    bodies_work *work = (bodies_work *)base;
    if (bodies_model_of(work)->coordinates.count > 0)
        carom_tape_evaluate(bodies_model_of(work)->coordinates.mass.tape, work->coordinates.mass,
                            &(carom_inputs){.t = t, .q = q, .outside = work->base.input}, mass);
}
