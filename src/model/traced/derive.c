#include "derive.h"

#include "model/model_parts.h"

static carom_node add(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_ADD, a, b);
}

static carom_node subtract(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_SUB, a, b);
}

static carom_node multiply(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_MUL, a, b);
}

static bool depends_on(const carom_traced_spec *spec, carom_node node, unsigned mask)
{
    return node >= 0 && (carom_node_depends(spec->graph, node) & mask) != 0;
}

/* T, or 1/2 u.M u when a mass matrix was given. */
carom_node derive_kinetic(const carom_traced_spec *spec)
{
    if (spec->kinetic >= 0 || !(spec->mass || spec->masses))
        return spec->kinetic;
    carom_graph *graph = spec->graph;
    carom_node sum = carom_constant(graph, 0.0);
    for (int i = 0; spec->masses && i < spec->dof; i++) {
        const carom_node u = carom_leaf(graph, CAROM_OP_VELOCITY, i);
        sum = add(graph, sum, multiply(graph, spec->masses[i], multiply(graph, u, u)));
    }
    for (int i = 0; spec->mass && i < spec->dof; i++)
        for (int j = 0; j < spec->dof; j++) {
            carom_node uu = multiply(graph, carom_leaf(graph, CAROM_OP_VELOCITY, i),
                                     carom_leaf(graph, CAROM_OP_VELOCITY, j));
            sum = add(graph, sum, multiply(graph, spec->mass[i * spec->dof + j], uu));
        }
    return multiply(graph, carom_constant(graph, 0.5), sum);
}

carom_node carom_traced_energy(const carom_traced_spec *spec)
{
    carom_node kinetic = derive_kinetic(spec);
    return spec->potential < 0 ? kinetic : add(spec->graph, kinetic, spec->potential);
}

/* Equal expressions may be written in many ways, so only plain numbers can be seen to differ. */
static carom_status check_mass(const carom_traced_spec *spec, carom_error *error)
{
    const int n = spec->dof;
    for (int i = 0; i < n * n; i++) {
        const carom_node entry = spec->mass[i], mirrored = spec->mass[i % n * n + i / n];
        double value, mirrored_value;
        if (depends_on(spec, entry, CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass{...} must not depend on velocities or impulses (entry %s, %s)",
                              spec->coordinate[i / n], spec->coordinate[i % n]);
        if (carom_node_is_constant(spec->graph, entry, &value) &&
            carom_node_is_constant(spec->graph, mirrored, &mirrored_value) && value != mirrored_value)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass{...} must be symmetric: entry %s, %s is %g, the mirrored one is %g",
                              spec->coordinate[i / n], spec->coordinate[i % n], value, mirrored_value);
    }
    return CAROM_OK;
}

static carom_status check_expressions(const carom_traced_spec *spec, carom_error *error)
{
    if (spec->dof < 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has no coordinates; write local x = coordinates(\"x\")");
    if (!spec->graph)
        return carom_graph_status(spec->graph, error);
    if (spec->kinetic < 0 && !spec->mass && !spec->masses)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has no inertia; write kinetic(...) or mass{...}");
    if (spec->kinetic >= 0 && (spec->mass || spec->masses))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "both kinetic(...) and mass{...} are given; keep one of them");
    if (depends_on(spec, spec->kinetic, CAROM_ON_NO_MOTION))
        return carom_fail(error, CAROM_BAD_INPUT, "kinetic(...) must not depend on impulses");
    if (depends_on(spec, spec->potential, CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "potential(...) must not depend on velocities; use force{...} for that");
    for (int i = 0; spec->force && i < spec->dof; i++)
        if (depends_on(spec, spec->force[i], CAROM_ON_NO_MOTION))
            return carom_fail(error, CAROM_BAD_INPUT, "force on '%s' must not depend on impulses",
                              spec->coordinate[i]);
    for (int i = 0; spec->masses && i < spec->dof; i++)
        if (depends_on(spec, spec->masses[i], CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mass{...} must not depend on velocities or impulses (entry %s, %s)",
                              spec->coordinate[i], spec->coordinate[i]);
    return spec->mass ? check_mass(spec, error) : CAROM_OK;
}

static carom_status check_contact(const carom_traced_spec *spec, const carom_traced_contact *contact,
                                  carom_error *error)
{
    const unsigned moving = CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION;
    if (contact->tangents < 0 || contact->tangents > CAROM_TANGENTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': %d slip components; a contact has 0 to %d",
                          contact->name, contact->tangents, CAROM_TANGENTS_MAX);
    if (depends_on(spec, contact->gap, moving))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': the gap must be a function of position and time, not of velocity",
                          contact->name);
    if (!contact->friction_force && !depends_on(spec, contact->gap, CAROM_ON_COORDINATE))
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': the gap does not depend on any coordinate",
                          contact->name);
    if (depends_on(spec, contact->restitution, moving))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': restitution may depend on parameters, position and time only",
                          contact->name);
    if (depends_on(spec, contact->stiffness, moving) || depends_on(spec, contact->exponent, moving))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': stiffness and exponent may depend on parameters, position and time "
                          "only",
                          contact->name);
    const int coefficients = carom_friction_law_coefficients(&contact->friction);
    for (int c = 0; c < coefficients; c++)
        if (depends_on(spec, contact->coefficient[c], moving))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s': friction may depend on parameters, position and time only",
                              contact->name);
    return CAROM_OK;
}

static carom_status check_joint(const carom_traced_spec *spec, const carom_traced_joint *joint,
                                carom_error *error)
{
    if (depends_on(spec, joint->value, CAROM_ON_VELOCITY | CAROM_ON_NO_MOTION))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "joint '%s' must be a function of position and time, not of velocity", joint->name);
    if (!depends_on(spec, joint->value, CAROM_ON_COORDINATE))
        return carom_fail(error, CAROM_BAD_INPUT, "joint '%s' does not depend on any coordinate",
                          joint->name);
    return CAROM_OK;
}

typedef struct leaves {
    carom_node *q, *u, time;
} leaves;

static bool take_leaves(const carom_traced_spec *spec, carom_arena *arena, leaves *leaf)
{
    const size_t n = (size_t)spec->dof;
    leaf->q = carom_arena_take(arena, n, sizeof(carom_node));
    leaf->u = carom_arena_take(arena, n, sizeof(carom_node));
    if (!leaf->q || !leaf->u)
        return false;
    leaf->time = carom_leaf(spec->graph, CAROM_OP_TIME, 0);
    for (int i = 0; i < spec->dof; i++) {
        leaf->q[i] = carom_leaf(spec->graph, CAROM_OP_COORDINATE, i);
        leaf->u[i] = carom_leaf(spec->graph, CAROM_OP_VELOCITY, i);
    }
    return true;
}

/* The Jacobian of some nodes by all coordinates or velocities, row by row; false when it cannot be made. */
static bool derive_rows(const carom_traced_spec *spec, carom_arena *arena, int rows, const carom_node *nodes,
                        carom_op leaf, carom_node_row *row)
{
    for (int i = 0; i < rows; i++)
        if (!carom_gradient_row(spec->graph, nodes[i], leaf, arena, &row[i]))
            return false;
    return true;
}

/* Why nodes could not be made: too many, or memory is short. */
static carom_status fail_graph(const carom_traced_spec *spec, carom_error *error)
{
    const carom_status status = carom_graph_status(spec->graph, error);
    return status == CAROM_OK ? carom_fail_memory(error) : status;
}

static bool derive_mass(const carom_traced_spec *spec, carom_arena *arena, const leaves *leaf,
                        derived_model *derived)
{
    carom_gradient(spec->graph, derived->kinetic, spec->dof, leaf->u, derived->momentum);
    return derive_rows(spec, arena, spec->dof, derived->momentum, CAROM_OP_VELOCITY, derived->mass);
}

/* Momentum p = dT/du, mass M = dp/du, and the inertia terms of d/dt(dT/du) - dT/dq:
 *   M u' = F - dV/dq + dT/dq - (dp/dq) u - dp/dt.
 * For T = 1/2 u.M(q) u this is f_i = -sum dM_ij/dq_k u_k u_j + 1/2 sum dM_jk/dq_i u_j u_k; terms linear in u
 * and time-dependent frames are right as well. */
static carom_status derive_inertia(const carom_traced_spec *spec, carom_arena *arena, const leaves *leaf,
                                   derived_model *derived, carom_error *error)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    carom_node *by_q = carom_arena_take(arena, (size_t)n, sizeof *by_q);
    carom_node *along = carom_arena_take(arena, (size_t)n, sizeof *along);
    if (!by_q || !along)
        return carom_fail_memory(error);
    if (!derive_mass(spec, arena, leaf, derived))
        return fail_graph(spec, error);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < derived->mass[i].count; k++)
            if (depends_on(spec, derived->mass[i].entry[k].node, CAROM_ON_VELOCITY))
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "kinetic(...) must be quadratic in the velocities (its second derivative by "
                    "dot(%s) and dot(%s) still depends on velocities)",
                    spec->coordinate[i], spec->coordinate[derived->mass[i].entry[k].index]);
    if (derive_shorter_kinetic(spec, derived) && !derive_mass(spec, arena, leaf, derived))
        return fail_graph(spec, error);
    carom_gradient(graph, derived->kinetic, n, leaf->q, by_q);
    carom_along_motion(graph, n, derived->momentum, along);
    for (int i = 0; i < n; i++)
        derived->inertia[i] = subtract(graph, by_q[i], along[i]);
    if (n <= SHORTER_MAX)
        derive_shorter_all(graph, n, derived->inertia);
    return CAROM_OK;
}

static carom_status derive_force(const carom_traced_spec *spec, carom_arena *arena, const leaves *leaf,
                                 derived_model *derived, carom_error *error)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    carom_node *slope = carom_arena_take(arena, (size_t)n, sizeof *slope);
    if (!slope)
        return carom_fail_memory(error);
    carom_gradient(graph, derived->potential, n, leaf->q, slope);
    for (int i = 0; i < n; i++) {
        carom_node applied = spec->force ? spec->force[i] : carom_constant(graph, 0.0);
        derived->force[i] = add(graph, subtract(graph, applied, slope[i]), derived->inertia[i]);
    }
    return derive_rows(spec, arena, n, derived->force, CAROM_OP_COORDINATE, derived->force_by_q) &&
                   derive_rows(spec, arena, n, derived->force, CAROM_OP_VELOCITY, derived->force_by_u)
               ? CAROM_OK
               : fail_graph(spec, error);
}

/* True when T has terms linear in u or without u: coordinates in a frame that moves. */
static bool derive_carried(const carom_traced_spec *spec, derived_model *derived)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    const carom_node zero = carom_constant(graph, 0.0);
    bool moving =
        !model_node_is_zero(graph, carom_substitute_leaves(graph, derived->kinetic, CAROM_OP_VELOCITY, zero));
    bool carries = false;
    for (int i = 0; i < n; i++) {
        derived->carried[i] = carom_substitute_leaves(graph, derived->momentum[i], CAROM_OP_VELOCITY, zero);
        carries = carries || !model_node_is_zero(graph, derived->carried[i]);
    }
    if (!carries)
        derived->carried = NULL;
    return moving || carries;
}

/* How fast E = T + V changes while nothing but the model's own forces acts. With T = T2 + T1 + T0 (by powers of u)
 * and b = dT/du at u = 0, Lagrange's equations give
 *
 *   dE/dt = F.u + dV/dt - dT/dt + D (T1 + 2 T0) + b.u',   T1 + 2 T0 = 2 T - u.dT/du,
 *
 * d/dt at fixed q and u, D along (u, 1) in (q, t). The last term, with u' = M^-1 f, is left to who asks. */
static void derive_power(const carom_traced_spec *spec, const leaves *leaf, derived_model *derived)
{
    carom_graph *graph = spec->graph;
    const int n = spec->dof;
    const bool moving = derive_carried(spec, derived);
    carom_node by_time[2];
    carom_gradient(graph, derived->potential, 1, &leaf->time, &by_time[0]);
    carom_gradient(graph, derived->kinetic, 1, &leaf->time, &by_time[1]);
    derived->power = subtract(graph, by_time[0], by_time[1]);
    carom_node rest = multiply(graph, carom_constant(graph, 2.0), derived->kinetic);
    for (int i = 0; i < n; i++) {
        if (spec->force)
            derived->power = add(graph, derived->power, multiply(graph, spec->force[i], leaf->u[i]));
        if (moving)
            rest = subtract(graph, rest, multiply(graph, leaf->u[i], derived->momentum[i]));
    }
    if (!moving)
        return;
    carom_node along;
    carom_along_motion(graph, 1, &rest, &along);
    derived->power = add(graph, derived->power, along);
}

static carom_status derive_slip(const carom_traced_spec *spec, const carom_traced_contact *contact, int k,
                                carom_arena *arena, derived_contact *derived, carom_error *error)
{
    carom_graph *graph = spec->graph;
    carom_node_row *row = &derived->row[1 + k];
    if (depends_on(spec, contact->slip[k], CAROM_ON_NO_MOTION))
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': slip must not depend on impulses",
                          contact->name);
    if (!carom_gradient_row(graph, contact->slip[k], CAROM_OP_VELOCITY, arena, row))
        return fail_graph(spec, error);
    for (int i = 0; i < row->count; i++)
        if (depends_on(spec, row->entry[i].node, CAROM_ON_VELOCITY))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s': slip must be linear in the velocities; write the relative "
                              "velocity itself, such as slip = dot(x)",
                              contact->name);
    if (row->count == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s': slip does not depend on any velocity; write slip = dot(...)",
                          contact->name);
    derived->rate[1 + k] =
        carom_substitute_leaves(graph, contact->slip[k], CAROM_OP_VELOCITY, carom_constant(graph, 0.0));
    return CAROM_OK;
}

static carom_status derive_contact(const carom_traced_spec *spec, int index, carom_arena *arena,
                                   const leaves *leaf, derived_contact *derived, carom_error *error)
{
    const carom_traced_contact *contact = &spec->contact[index];
    carom_status status = check_contact(spec, contact, error);
    if (status != CAROM_OK)
        return status;
    derived->gap = contact->gap;
    if (!carom_gradient_row(spec->graph, contact->gap, CAROM_OP_COORDINATE, arena, &derived->row[0]))
        return fail_graph(spec, error);
    carom_gradient(spec->graph, contact->gap, 1, &leaf->time, &derived->rate[0]);
    for (int k = 0; status == CAROM_OK && k < contact->tangents; k++)
        status = derive_slip(spec, contact, k, arena, derived, error);
    return status;
}

static bool take_arrays(const carom_traced_spec *spec, carom_arena *arena, derived_model *derived)
{
    const size_t n = (size_t)spec->dof;
    derived->momentum = carom_arena_take(arena, n, sizeof(carom_node));
    derived->mass = carom_arena_take(arena, n, sizeof *derived->mass);
    derived->inertia = carom_arena_take(arena, n, sizeof(carom_node));
    derived->force = carom_arena_take(arena, n, sizeof(carom_node));
    derived->carried = carom_arena_take(arena, n, sizeof(carom_node));
    derived->force_by_q = carom_arena_take(arena, n, sizeof *derived->force_by_q);
    derived->force_by_u = carom_arena_take(arena, n, sizeof *derived->force_by_u);
    derived->contact = carom_arena_take(arena, (size_t)spec->contacts, sizeof *derived->contact);
    return derived->carried && derived->momentum && derived->mass && derived->inertia && derived->force &&
           derived->force_by_q && derived->force_by_u && derived->contact;
}

carom_status derive_model(const carom_traced_spec *spec, carom_arena *arena, derived_model *derived,
                          carom_error *error)
{
    carom_status status = check_expressions(spec, error);
    if (status != CAROM_OK)
        return status;
    leaves leaf;
    if (!take_arrays(spec, arena, derived) || !take_leaves(spec, arena, &leaf))
        return carom_fail_memory(error);
    derived->kinetic = derive_kinetic(spec);
    derived->potential = spec->potential < 0 ? carom_constant(spec->graph, 0.0) : spec->potential;
    if (spec->dof <= SHORTER_MAX)
        derived->potential = derive_shorter(spec->graph, derived->potential);
    status = derive_inertia(spec, arena, &leaf, derived, error);
    derived->energy =
        spec->potential < 0 ? derived->kinetic : add(spec->graph, derived->kinetic, derived->potential);
    if (status == CAROM_OK)
        status = derive_force(spec, arena, &leaf, derived, error);
    if (status == CAROM_OK)
        derive_power(spec, &leaf, derived);
    for (int k = 0; status == CAROM_OK && k < spec->contacts; k++) {
        status = derive_contact(spec, k, arena, &leaf, &derived->contact[k], error);
        if (status == CAROM_BAD_INPUT && error && spec->contact[k].line > 0)
            carom_fail(error, status, "%d: %s", spec->contact[k].line, error->text);
    }
    for (int k = 0; status == CAROM_OK && k < spec->joints; k++) {
        status = check_joint(spec, &spec->joint[k], error);
        if (status == CAROM_BAD_INPUT && error && spec->joint[k].line > 0)
            carom_fail(error, status, "%d: %s", spec->joint[k].line, error->text);
    }
    return status == CAROM_OK ? carom_graph_status(spec->graph, error) : status;
}
