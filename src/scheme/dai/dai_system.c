#include "dai_system.h"

#include <math.h>
#include <string.h>

#include "dai_friction.h"
#include "scheme/parts/full_size.h"

enum {
    NEWTON_MAX = 50,
    FULL_MATRICES = 6 /* of coordinates x coordinates: masses, inverses, derivatives of forces */
};
static const double newton_tolerance = 4e-16; /* relative to |z| and the model's length */
static const double start_tolerance = 1e-10;  /* of joints, relative to |q| and the model's length */

static const char *const initial_words[] = {"check", "project", NULL};
const carom_option_info dai_options[DAI_OPTION_COUNT] = {
    [DAI_OPTION_INITIAL] = {"initial", 0.0, 0.0, 1.0, initial_words,
                            "initial values that do not satisfy the joints: refuse them, or correct the "
                            "coordinates without inertia"},
};

carom_status dai_accepts(const carom_model *model, carom_error *error)
{
    char able[200];
    for (int k = 0; k < model->contacts; k++)
        if (!model->contact[k].friction_force)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "contact '%s': the schemes for inclusions treat friction forces, not obstacles; take %s",
                model->contact[k].name, carom_scheme_names_for(model, 0, able, sizeof able));
    if (model->joints > 0 && (!model->ops->block || !model->ops->constraints))
        return carom_fail(error, CAROM_BAD_INPUT, "the model does not give the derivatives of its joints");
    return CAROM_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------- */

static bool take_joints(dai_system *system)
{
    const size_t joints = (size_t)system->stepper.model->joints,
                 constraints = joints + (size_t)system->stepper.model->contacts;
    carom_arena *arena = system->stepper.arena;
    if (joints == 0)
        return true;
    system->pattern = system->stepper.model->ops->block_pattern(system->stepper.model, CAROM_BLOCK_ROWS);
    system->entry =
        carom_arena_take(arena, (size_t)system->pattern->column_start[system->stepper.dof], sizeof(double));
    system->g = carom_arena_take(arena, constraints, sizeof(double));
    system->g_t = carom_arena_take(arena, constraints, sizeof(double));
    system->by_algebraic = carom_arena_take(arena, carom_product(joints, joints), sizeof(double));
    system->pivot = carom_arena_take(arena, joints, sizeof(int));
    system->change = carom_arena_take(arena, joints, sizeof(double));
    return system->entry && system->g && system->g_t && system->by_algebraic && system->pivot &&
           system->change;
}

static bool take_friction(dai_system *system)
{
    const size_t forces = (size_t)system->forces, dof = (size_t)system->stepper.dof;
    carom_arena *arena = system->stepper.arena;
    system->frame = carom_arena_take(arena, forces, sizeof *system->frame);
    system->only_place = carom_arena_take(arena, forces, sizeof(int));
    system->response = carom_arena_take(arena, carom_product(forces, dof), sizeof(double));
    system->delassus = carom_arena_take(arena, carom_product(forces, forces), sizeof(double));
    system->free_slip = carom_arena_take(arena, forces, sizeof(double));
    system->impulse = carom_arena_take(arena, forces, sizeof(double));
    system->settled = carom_arena_take(arena, forces, sizeof(double));
    system->law = carom_arena_take(arena, forces, sizeof *system->law);
    system->slip = carom_arena_take(arena, forces, sizeof(double));
    system->last_slip = carom_arena_take(arena, forces, sizeof(double));
    bool taken = system->frame && system->only_place && system->response && system->delassus &&
                 system->free_slip && system->impulse && system->settled && system->law && system->slip &&
                 system->last_slip;
    system->stepper.frame = system->frame;
    system->constant_frames = true;
    for (int k = 0; taken && k < system->forces; k++) {
        taken = carom_contact_frame_take(arena, system->stepper.model, &system->frame[k]);
        system->constant_frames = system->constant_frames && system->stepper.model->contact[k].constant_frame;
    }
    return taken;
}

/* Inverses and what forces do to each other are full by nature of the method. */
static carom_status check_size(const dai_system *system, carom_error *error)
{
    const double n = system->stepper.dof, forces = system->forces, joints = system->stepper.model->joints;
    char what[200];
    carom_format(what, sizeof what, "scheme '%s' with %d coordinates and %d friction forces",
                 system->stepper.ops->name, system->stepper.dof, system->forces);
    return full_size_check_numbers(
        FULL_MATRICES * n * n + forces * (n + forces) + joints * joints, what,
        "take moreau-jean, whose friction forces are sparse, where every coordinate has inertia, or fewer "
        "coordinates",
        error);
}

static bool take_memory(dai_system *system)
{
    const size_t dof = (size_t)system->stepper.dof;
    carom_arena *arena = system->stepper.arena;
    system->is_algebraic = carom_arena_take(arena, dof, sizeof(bool));
    system->algebraic_at = carom_arena_take(arena, dof, sizeof(int));
    system->mass = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    system->inverse = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    system->of_mass = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    system->force = carom_arena_take(arena, dof, sizeof(double));
    return system->is_algebraic && system->algebraic_at && system->mass && system->inverse &&
           system->of_mass && system->force && take_joints(system) && take_friction(system);
}

/* ---- algebraic variables ------------------------------------------------------------------------------- */

/* Derivatives of the joints at q, and d g / d z factored. */
bool dai_factor_joints(dai_system *system, double t, const double *q)
{
    const carom_sparse *pattern = system->pattern;
    const int m = system->algebraic;
    const carom_motion motion = {.t = t, .q = q};
    system->stepper.model->ops->block(system->stepper.work, CAROM_BLOCK_ROWS, &motion, system->entry);
    memset(system->by_algebraic, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int a = 0; a < m; a++)
        for (int k = pattern->column_start[system->algebraic_at[a]];
             k < pattern->column_start[system->algebraic_at[a] + 1]; k++)
            if (pattern->row[k] < m)
                system->by_algebraic[pattern->row[k] * m + a] = system->entry[k];
    if (m == 1) /* the factor of one number is itself */
        return system->by_algebraic[0] != 0.0 && isfinite(system->by_algebraic[0]);
    return carom_all_finite(m * m, system->by_algebraic) &&
           carom_lu_factor(m, system->by_algebraic, system->pivot) == 0;
}

void dai_solve_joints(const dai_system *system, double *x)
{
    if (system->algebraic == 1)
        x[0] /= system->by_algebraic[0];
    else
        carom_lu_solve(system->algebraic, system->by_algebraic, system->pivot, x);
}

bool dai_settle(dai_system *system, double t, double *q)
{
    const carom_motion motion = {.t = t, .q = q};
    if (system->algebraic == 0)
        return true;
    for (int iteration = 0; iteration < NEWTON_MAX; iteration++) {
        double ratio = 0.0;
        if (!system->one_is_enough && !dai_factor_joints(system, t, q))
            return false;
        system->stepper.model->ops->constraints(system->stepper.work, &motion, system->g, NULL, NULL);
        carom_copy(system->algebraic, system->g, system->change);
        dai_solve_joints(system, system->change);
        for (int a = 0; a < system->algebraic; a++) {
            double *z = &q[system->algebraic_at[a]];
            *z -= system->change[a];
            ratio = fmax(ratio, fabs(system->change[a]) / (system->stepper.scales.length + fabs(*z)));
        }
        if (!isfinite(ratio))
            return false;
        if (system->one_is_enough || ratio <= newton_tolerance)
            return true;
    }
    return false;
}

bool dai_rates(dai_system *system, double t, const double *q, double *v)
{
    const carom_sparse *pattern = system->pattern;
    const carom_motion motion = {.t = t, .q = q};
    if (system->algebraic == 0)
        return true;
    if (!dai_factor_joints(system, t, q))
        return false;
    if (system->timed)
        system->stepper.model->ops->constraints(system->stepper.work, &motion, NULL, system->g_t, NULL);
    for (int a = 0; a < system->algebraic; a++)
        system->change[a] = -system->g_t[a];
    for (int i = 0; i < system->stepper.dof; i++)
        for (int k = pattern->column_start[i]; !system->is_algebraic[i] && k < pattern->column_start[i + 1];
             k++)
            if (pattern->row[k] < system->algebraic)
                system->change[pattern->row[k]] -= system->entry[k] * v[i];
    dai_solve_joints(system, system->change);
    for (int a = 0; a < system->algebraic; a++)
        v[system->algebraic_at[a]] = system->change[a];
    return true;
}

bool dai_eliminate(dai_system *system, double t, const double *q, double *by_q)
{
    const carom_sparse *pattern = system->pattern;
    const int n = system->stepper.dof, m = system->algebraic;
    if (m == 0)
        return true;
    if (!dai_factor_joints(system, t, q))
        return false;
    for (int j = 0; j < n; j++) {
        if (system->is_algebraic[j])
            continue;
        memset(system->change, 0, (size_t)m * sizeof(double));
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < m)
                system->change[pattern->row[k]] = -system->entry[k];
        dai_solve_joints(system, system->change); /* d z / d x_j */
        for (int i = 0; i < n; i++)
            for (int a = 0; a < m; a++)
                by_q[i * n + j] += by_q[i * n + system->algebraic_at[a]] * system->change[a];
    }
    return true;
}

/* ---- matrices --------------------------------------------------------------------------------------- */

bool dai_invert(dai_system *system, double *matrix)
{
    const int n = system->stepper.dof;
    int *pivot = system->lu_pivot;
    double *column = system->force;
    if (!carom_all_finite(n * n, matrix) || carom_lu_factor(n, matrix, pivot) != 0)
        return false;
    for (int j = 0; j < n; j++) {
        memset(column, 0, (size_t)n * sizeof *column);
        column[j] = 1.0;
        carom_lu_solve(n, matrix, pivot, column);
        for (int i = 0; i < n; i++)
            system->inverse[i * n + j] = column[i];
    }
    dai_find_responses(system);
    return true;
}

/* Zero rows of the mass matrix are algebraic variables; the rest must be positive definite. */
static carom_status read_mass(dai_system *system, const double *q, double *scratch, carom_error *error)
{
    const carom_model *model = system->stepper.model;
    const int n = system->stepper.dof;
    model->ops->mass(system->stepper.work, system->stepper.t0, q, system->mass);
    for (int i = 0; i < n; i++) {
        if (carom_largest(n, system->mass + (ptrdiff_t)i * n) != 0.0)
            continue;
        system->is_algebraic[i] = true;
        system->algebraic_at[system->algebraic++] = i;
        system->mass[i * n + i] = 1.0;
    }
    if (system->algebraic != model->joints)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d coordinates have no inertia and %d joints give them; for every coordinate "
                          "without inertia write one equation: joint { \"g\", z - x^3 / 3 }",
                          system->algebraic, model->joints);
    memcpy(scratch, system->mass, (size_t)n * (size_t)n * sizeof(double));
    const int row = carom_cholesky_factor(n, scratch);
    if (row != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the mass matrix is not positive definite at coordinate '%s'",
                          model->coordinate[row - 1]);
    memcpy(scratch, system->mass, (size_t)n * (size_t)n * sizeof(double));
    if (!dai_invert(system, scratch))
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix cannot be inverted");
    memcpy(system->of_mass, system->inverse, (size_t)n * (size_t)n * sizeof(double));
    return CAROM_OK;
}

/* A coordinate without inertia cannot take a force, and its velocity is not a state of its own. */
static carom_status check_massless_at(dai_system *system, double t, const double *q, const double *v,
                                      double *by_u, carom_error *error)
{
    const carom_model *model = system->stepper.model;
    const int n = system->stepper.dof;
    model->ops->force(system->stepper.work, t, q, v, system->force);
    for (int a = 0; a < system->algebraic; a++) {
        const double force = system->force[system->algebraic_at[a]];
        if (isfinite(force) && force != 0.0)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "coordinate '%s' has no inertia, but a force of %g; forces may depend on it, not "
                "act on it (write force { x = ... }, not potential)",
                model->coordinate[system->algebraic_at[a]], force);
    }
    model->ops->force_jacobian(system->stepper.work, t, q, v, NULL, by_u);
    for (int a = 0; a < system->algebraic; a++)
        for (int i = 0; i < n; i++) {
            const double slope = by_u[i * n + system->algebraic_at[a]];
            if (isfinite(slope) && slope != 0.0)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "the force of '%s' depends on the velocity of '%s', a coordinate without "
                                  "inertia; write it with the velocities of the others",
                                  model->coordinate[i], model->coordinate[system->algebraic_at[a]]);
        }
    return CAROM_OK;
}

/* At the start, where a force may happen to be zero, and at a second place and time. */
static carom_status check_massless(dai_system *system, const double *q, const double *v, double *by_u,
                                   carom_error *error)
{
    const int n = system->stepper.dof;
    double *moved = carom_arena_take(system->stepper.arena, 2 * (size_t)n, sizeof *moved);
    if (!moved)
        return carom_fail_memory(error);
    const carom_scales *scales = &system->stepper.scales;
    const double speed = carom_scales_speed(scales);
    for (int i = 0; i < n; i++) {
        moved[i] = q[i] + 0.37 * (1.0 + 0.1 * i) * (scales->length + fabs(q[i]));
        moved[n + i] = v[i] + 0.29 * (1.0 + 0.1 * i) * (speed + fabs(v[i]));
    }
    const carom_status status = check_massless_at(system, system->stepper.t0, q, v, by_u, error);
    return status == CAROM_OK ? check_massless_at(system, system->stepper.t0 + 0.71 * scales->time, moved,
                                                  moved + n, by_u, error)
                              : status;
}

/* ---- start ------------------------------------------------------------------------------------------ */

/* Whether d g / d z stays as it is at the start, and whether time moves the joints. */
static bool look_at_joints(dai_system *system, const double *q)
{
    const carom_model *model = system->stepper.model;
    const carom_motion motion = {.t = system->stepper.t0, .q = q};
    system->one_is_enough = true;
    for (int a = 0; a < system->algebraic; a++)
        system->one_is_enough =
            system->one_is_enough &&
            model->ops->block_is_constant(model, CAROM_BLOCK_ROWS, system->algebraic_at[a]);
    model->ops->constraints(system->stepper.work, &motion, NULL, system->g_t, NULL);
    system->timed = false;
    for (int k = 0; k < system->algebraic; k++)
        system->timed = system->timed || !model->ops->rate_is_constant(model, k) || system->g_t[k] != 0.0;
    return dai_factor_joints(system, system->stepper.t0, q);
}

static carom_status settle_start(dai_system *system, bool project, carom_error *error)
{
    carom_state *state = &system->stepper.state;
    if (system->algebraic == 0)
        return CAROM_OK;
    if (!look_at_joints(system, state->q))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the joints do not give the coordinates without inertia at the initial position: "
                          "their derivative by them is singular");
    const carom_motion motion = {.t = system->stepper.t0, .q = state->q};
    system->stepper.model->ops->constraints(system->stepper.work, &motion, system->g, NULL, NULL);
    for (int k = 0; k < system->algebraic && !project; k++)
        if (!(fabs(system->g[k]) <= start_tolerance * (system->stepper.scales.length +
                                                       carom_largest(system->stepper.dof, state->q))))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the initial position does not satisfy joint '%s': its value is %g and must be "
                              "0; correct the initial value, or take option initial=project",
                              system->stepper.model->joint[k], system->g[k]);
    if (project && !dai_settle(system, system->stepper.t0, state->q))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "initial=project found no values of the coordinates without inertia that satisfy "
                          "the joints; give initial values that are nearer");
    dai_rates(system, system->stepper.t0, state->q, state->v);
    return CAROM_OK;
}

/* A slip of zero sticks until the first step says otherwise. */
static void start_regimes(dai_system *system)
{
    const carom_state *state = &system->stepper.state;
    for (int k = 0; k < system->forces; k++) {
        const double slip =
            carom_row_dot(&system->frame[k].tangent[0], state->v) + system->frame[k].tangent_rate[0];
        state->regime[k] = slip == 0.0 ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP;
        system->last_slip[k] = slip;
    }
}

static carom_status prepare(dai_system *system, bool project, carom_error *error)
{
    carom_state *state = &system->stepper.state;
    const size_t dof = (size_t)system->stepper.dof;
    double *scratch = carom_arena_take(system->stepper.arena, carom_product(dof, dof), sizeof *scratch);
    system->lu_pivot = carom_arena_take(system->stepper.arena, dof, sizeof(int));
    if (!scratch || !system->lu_pivot)
        return carom_fail_memory(error);
    carom_status status = dai_read_frames(system, system->stepper.t0, state->q, error);
    if (status == CAROM_OK)
        status = read_mass(system, state->q, scratch, error);
    if (status == CAROM_OK) /* again, now that the algebraic variables are known */
        status = dai_read_frames(system, system->stepper.t0, state->q, error);
    if (status == CAROM_OK)
        status = settle_start(system, project, error);
    if (status == CAROM_OK)
        status = check_massless(system, state->q, state->v, scratch, error);
    if (status == CAROM_OK)
        start_regimes(system);
    return status;
}

carom_status dai_system_setup(dai_system *system, carom_error *error)
{
    system->forces = system->stepper.contacts;
    carom_status status = check_size(system, error);
    if (status != CAROM_OK)
        return status;
    if (!take_memory(system))
        return carom_fail_memory(error);
    return prepare(system, system->stepper.option[DAI_OPTION_INITIAL] != 0.0, error);
}

void dai_system_keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    dai_system *system = (dai_system *)stepper;
    const size_t dof = (size_t)stepper->dof, forces = (size_t)system->forces;
    carom_snapshot_block(snapshot, system->inverse, dof * dof * sizeof(double));
    carom_snapshot_block(snapshot, system->response, forces * dof * sizeof(double));
    carom_snapshot_block(snapshot, system->delassus, forces * forces * sizeof(double));
    double *const vector[] = {system->free_slip, system->impulse, system->settled, system->slip,
                              system->last_slip};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        carom_snapshot_block(snapshot, vector[i], forces * sizeof(double));
}
