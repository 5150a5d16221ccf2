/* With gap = k * distance the multiplier of a contact is the normal force divided by k, and Coulomb's law compares forces. In
 * general coordinates k cannot be read from d gap/dq. In a model that is one point mass it is |d gap/dq|. */
#include "lengths.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/level.h"
#include "derive.h"
#include "model/model_parts.h"

/* ---- one point mass ----------------------------------------------------------------------------------------- */

static bool are_equal(carom_graph *graph, carom_node a, carom_node b)
{
    return a == b || model_node_is_zero(graph, carom_collect(graph, carom_binary(graph, CAROM_OP_SUB, a, b)));
}

/* M = m I with m of parameters only. */
static bool is_one_point(const carom_traced_spec *spec)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    carom_node u[CAROM_POINT_MAX], momentum[CAROM_POINT_MAX], mass[CAROM_POINT_MAX * CAROM_POINT_MAX];
    if (n < 2 || n > CAROM_POINT_MAX || (spec->kinetic < 0 && !spec->mass && !spec->masses))
        return false;
    for (int i = 0; i < n; i++)
        u[i] = carom_leaf(graph, CAROM_OP_VELOCITY, i);
    const carom_node kinetic = derive_kinetic(spec);
    if (kinetic < 0)
        return false;
    carom_gradient(graph, kinetic, n, u, momentum);
    carom_jacobian(graph, n, momentum, n, u, mass);
    for (int i = 0; i < n * n; i++) {
        const carom_node entry = mass[i];
        if (entry < 0 || (carom_node_depends(graph, entry) & ~(unsigned)CAROM_ON_PARAMETER) != 0)
            return false;
        if (i / n == i % n ? !are_equal(graph, entry, mass[0])
                           : !are_equal(graph, entry, carom_constant(graph, 0.0)))
            return false;
    }
    return !model_node_is_zero(graph, mass[0]);
}

/* ---- identities ---------------------------------------------------------------------------------------------- */

enum {
    TRIALS = 24,
    TRIALS_NEEDED = 4, /* with a value, to say anything */
    EXPONENTS = 10     /* positions are tried in the sizes 2^-10 to 2^10 */
};

static double any_size(carom_random *random)
{
    const double size = ldexp(1.0, (int)carom_random_uniform(random, -EXPONENTS, EXPONENTS + 1.0));
    return size * carom_random_uniform(random, -1.0, 1.0);
}

/* Other values of the parameters, inputs included, in their ranges. */
static void vary(carom_random *random, const carom_traced_spec *spec, double *value)
{
    for (int i = 0; i < spec->parameters; i++) {
        const carom_parameter *given = &spec->parameter[i];
        const double share = carom_random_uniform(random, -0.5, 0.5);
        value[i] = given->value != 0.0 ? given->value * (1.0 + share) : share;
        value[i] = fmin(fmax(value[i], given->min), given->max);
    }
}

static bool holds(const carom_tape *tape, const carom_traced_spec *spec, double value, double *parameter,
                  double *work)
{
    carom_random random = {1};
    int seen = 0;
    for (int i = 0; i < TRIALS; i++) {
        double q[CAROM_POINT_MAX], u[CAROM_POINT_MAX], found;
        vary(&random, spec, parameter);
        for (int k = 0; k < CAROM_POINT_MAX; k++) {
            q[k] = any_size(&random);
            u[k] = any_size(&random);
        }
        carom_tape_bind(tape, parameter, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){.t = any_size(&random), .q = q, .u = u}, &found);
        if (!isfinite(found))
            continue;
        if (!(fabs(found - value) <= 256.0 * DBL_EPSILON))
            return false;
        seen++;
    }
    return seen >= TRIALS_NEEDED;
}

/* Whether a number without unit is the same everywhere, to rounding error: expressions that are 1 need not look so, such
 * as |d hypot(x, y)/d(x, y)|. */
static bool is_always(const carom_traced_spec *spec, carom_node node, double value)
{
    double constant;
    if (carom_node_is_constant(spec->graph, node, &constant))
        return constant == value;
    carom_tape *tape = carom_tape_compile(spec->graph, 1, &node);
    double *work = tape ? carom_new_array(carom_tape_work_size(tape), sizeof *work) : NULL;
    double *parameter = carom_new_array((size_t)spec->parameters + 1, sizeof *parameter);
    const bool same = work && parameter && holds(tape, spec, value, parameter, work);
    carom_tape_free(tape);
    free(work);
    free(parameter);
    return same;
}

/* ---- contacts --------------------------------------------------------------------------------------------------- */

static carom_node product(carom_graph *graph, int count, const carom_node *a, const carom_node *b)
{
    carom_node sum = carom_constant(graph, 0.0);
    for (int i = 0; i < count; i++)
        sum = carom_binary(graph, CAROM_OP_ADD, sum, carom_binary(graph, CAROM_OP_MUL, a[i], b[i]));
    return sum;
}

static carom_node root(carom_graph *graph, carom_node a)
{
    return carom_unary(graph, CAROM_OP_SQRT, a);
}

static void take_leaves(carom_graph *graph, int n, carom_op op, carom_node *leaf)
{
    for (int i = 0; i < n; i++)
        leaf[i] = carom_leaf(graph, op, i);
}

/* n.t / (|n| |t|) is 0 everywhere. */
static bool are_orthogonal(const carom_traced_spec *spec, const carom_node *normal, const carom_node *tangent)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    const carom_node lengths =
        carom_binary(graph, CAROM_OP_MUL, root(graph, product(graph, n, normal, normal)),
                     root(graph, product(graph, n, tangent, tangent)));
    return is_always(spec, carom_binary(graph, CAROM_OP_DIV, product(graph, n, normal, tangent), lengths),
                     0.0);
}

/* slip / |d slip/du|, which is a velocity along a unit vector. */
static carom_node slip_in_lengths(const carom_traced_spec *spec, carom_node slip, const carom_node *tangent)
{
    carom_graph *graph = spec->graph;
    const carom_node square = product(graph, spec->dof, tangent, tangent);
    if (is_always(spec, square, 1.0))
        return slip;
    return carom_select(graph, square, carom_binary(graph, CAROM_OP_DIV, slip, root(graph, square)), slip);
}

static void contact_to_lengths(const carom_traced_spec *spec, carom_traced_contact *contact, bool *normalized,
                               bool *tangential)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    carom_level level = {.value = contact->gap, .dimension = n};
    carom_node velocity[CAROM_POINT_MAX], normal[CAROM_POINT_MAX], tangent[CAROM_POINT_MAX];
    const carom_traced_contact given = *contact;
    take_leaves(graph, n, CAROM_OP_COORDINATE, level.point);
    take_leaves(graph, n, CAROM_OP_VELOCITY, velocity);
    carom_gradient(graph, contact->gap, n, level.point, normal);
    if (!is_always(spec, product(graph, n, normal, normal), 1.0))
        contact->gap = carom_level_distance(graph, &level);
    *tangential = true;
    for (int k = 0; k < contact->tangents; k++) {
        carom_gradient(graph, contact->slip[k], n, velocity, tangent);
        *tangential = *tangential && are_orthogonal(spec, normal, tangent);
        contact->slip[k] = slip_in_lengths(spec, contact->slip[k], tangent);
        *normalized = *normalized || contact->slip[k] != given.slip[k];
    }
    *normalized = *normalized || contact->gap != given.gap;
}

/* Friction in all tangential directions of the point, which a plate or a second mass among the coordinates would not have. */
static bool is_of_point(const carom_traced_spec *spec, const carom_traced_contact *contact)
{
    const unsigned wrong = CAROM_ON_NO_MOTION | CAROM_ON_VELOCITY;
    return !contact->distance && !contact->level && !contact->friction_force && contact->coefficient &&
           contact->tangents == spec->dof - 1 && contact->gap >= 0 &&
           !(carom_node_depends(spec->graph, contact->gap) & wrong);
}

/* Whether it matters that the model is one point mass. */
static bool has_such_contacts(const carom_traced_spec *spec)
{
    for (int k = 0; k < spec->contacts; k++)
        if (spec->contact[k].level || (spec->contact[k].coefficient && !spec->contact[k].friction_force))
            return true;
    return false;
}

static carom_status fail_point(const carom_traced_contact *contact, carom_error *error)
{
    char line[16] = "";
    if (contact->line > 0)
        snprintf(line, sizeof line, "%d: ", contact->line);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "%scontact '%s' has a level and no point, and the model is not one point mass with two or "
        "three coordinates; write which point touches: point = { x, y }",
        line, contact->name);
}

carom_status spec_to_lengths(const carom_traced_spec *spec, carom_arena *arena, spec_in_lengths *lengths,
                             carom_error *error)
{
    const size_t contacts = (size_t)spec->contacts;
    carom_traced_contact *contact = carom_arena_take(arena, contacts, sizeof *contact);
    *lengths = (spec_in_lengths){.spec = *spec,
                                 .normalized = carom_arena_take(arena, contacts, sizeof(bool)),
                                 .tangential = carom_arena_take(arena, contacts, sizeof(bool))};
    if (!contact || !lengths->normalized || !lengths->tangential)
        return carom_fail_memory(error);
    if (contacts > 0)
        memcpy(contact, spec->contact, contacts * sizeof *contact);
    lengths->spec.contact = contact;
    lengths->one_point = spec->graph && has_such_contacts(spec) && is_one_point(spec);
    for (int k = 0; k < spec->contacts; k++) {
        if (contact[k].level && contact[k].level->whole_model && !lengths->one_point)
            return fail_point(&contact[k], error);
        if (lengths->one_point && is_of_point(spec, &contact[k]))
            contact_to_lengths(spec, &contact[k], &lengths->normalized[k], &lengths->tangential[k]);
    }
    return CAROM_OK;
}
