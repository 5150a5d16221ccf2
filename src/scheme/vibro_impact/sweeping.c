/* Velocity-level scheme for the sweeping process with any mass matrix (Moreau, Monteiro Marques, Mabrouk;
 * Dzonou, Monteiro Marques and Paoli 2007).
 *
 *   q' = q + h u,   z = u + h / (1 + e) M(q')^-1 f(t', q', w),   u' = -e u + (1 + e) P(z),
 *
 * P the projection on the velocities for which the contacts with gap(q') <= 0 do not close, in the metric
 * M(q'); w = u, or u' when implicit. Contacts that act together have one restitution e. Impulses are
 * M(q')(u' - u) - h f. Positions may stay beyond the obstacle by O(h): `stabilise` puts them back. Outputs at
 * t0 + n h. */
#include <math.h>
#include <string.h>

#include "impact_projection.h"
#include "scheme/parts/chosen_impact.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/velocity_tangent.h"

enum {
    OPTION_IMPLICIT,
    OPTION_KICK,
    OPTION_STABILISE,
    OPTION_IMPACT,
    OPTION_SOLVER = OPTION_IMPACT + IMPACT_OPTIONS,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS,
    ITERATIONS_MAX = 50
};

static const double fixed_point_tolerance = 1e-13;
/* A position put back on the obstacle may have a gap that is positive by rounding. */
static const double stabilised_gap = 1e-12; /* of the model's length */

static const char *const off_on[] = {"off", "on", NULL};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_IMPLICIT] = {"implicit", 0.0, 0.0, 1.0, off_on,
                         "on: force at the velocity after the step, by fixed-point iteration"},
    [OPTION_KICK] = {"kick", 0.0, 0.0, 1.0, off_on,
                     "on: the initial velocity already takes one step of force (Paoli 2001)"},
    [OPTION_STABILISE] = {"stabilise", 0.0, 0.0, 1.0, off_on,
                          "on: positions beyond an obstacle are put back on it"},
    CHOSEN_IMPACT_OPTIONS(OPTION_IMPACT),
    CONTACT_SOLVER_OPTIONS(OPTION_SOLVER, solver_automatic, &carom_lcp_solvers, NULL,
                           "of the contacts that act together; auto: closed form, active-set, gauss-seidel"),
};

typedef struct sweeping {
    impact_system system; /* first */
    bool implicit, stabilise;
    double *q;      /* position of the step under way */
    double *put;    /* the same after stabilisation */
    double *z;      /* velocity to be projected */
    double *u, *w;  /* velocity after the step, iterate */
    double *target; /* projection */
    chosen_impact chosen;
} sweeping;

static bool take_memory(sweeping *self)
{
    double **vectors[] = {&self->q, &self->put, &self->z, &self->u, &self->w, &self->target};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(self->system.stepper.arena, (size_t)self->system.stepper.dof,
                                             sizeof(double))))
            return false;
    return true;
}

/* u = velocity after the step for the force at velocity w; *impulses: factor from multipliers to impulses. */
static carom_status update_velocity(sweeping *self, double t, const double *q, const double *w,
                                    double *impulses, carom_error *error)
{
    impact_system *system = &self->system;
    const int n = system->stepper.dof;
    const double h = system->stepper.h, *u_old = system->stepper.state.v;
    *impulses = 0.0;
    carom_status status = impact_accelerate(system, t, q, w, error);
    if (status != CAROM_OK)
        return status;
    const double *a = system->acceleration;
    bool carried = false;
    if (system->active_count > 0) {
        const double share = h / (1.0 + system->restitution);
        for (int i = 0; i < n; i++)
            self->z[i] = u_old[i] + share * a[i];
        status = impact_project_velocity(system, t, self->z, self->target, &carried, error);
    }
    if (status != CAROM_OK)
        return status;
    if (!carried) {
        for (int i = 0; i < n; i++)
            self->u[i] = u_old[i] + h * a[i];
        return CAROM_OK;
    }
    const double e = system->restitution;
    for (int i = 0; i < n; i++)
        self->u[i] = -e * u_old[i] + (1.0 + e) * self->target[i];
    *impulses = 1.0 + e;
    return CAROM_OK;
}

static bool is_settled(const sweeping *self)
{
    const impact_system *system = &self->system;
    double *change = system->difference;
    for (int i = 0; i < system->stepper.dof; i++)
        change[i] = self->u[i] - self->w[i];
    return impact_relative(system, change, self->w, carom_scales_speed(&system->stepper.scales)) <=
           fmax(fixed_point_tolerance, impact_slack(system));
}

/* The velocity that its own force brings about. The projection does not expand: the iteration converges when
 * h times the Lipschitz constant of M^-1 f in u is below 1. */
static carom_status iterate_velocity(sweeping *self, double t, const double *q, double *impulses,
                                     carom_error *error)
{
    impact_system *system = &self->system;
    const size_t bytes = (size_t)system->stepper.dof * sizeof(double);
    memcpy(self->w, system->stepper.state.v, bytes);
    for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
        carom_status status = update_velocity(self, t, q, self->w, impulses, error);
        if (status != CAROM_OK)
            return status;
        if (impact_first_beyond_limit(system, self->u) < system->stepper.dof)
            break;
        if (is_settled(self))
            return CAROM_OK;
        memcpy(self->w, self->u, bytes);
    }
    return fail_step(error, t, step_number(&system->stepper),
                     "implicit velocity step diverged at t=%g: reduce h, so that h times the growth of the "
                     "acceleration with the velocity is below 1; where a force jumps no step does",
                     t);
}

/* Paoli 2001 (4.14) */
static carom_status kick(sweeping *self, carom_error *error)
{
    impact_system *system = &self->system;
    double impulses = 0.0;
    system->missed = false;
    carom_status status =
        iterate_velocity(self, system->stepper.t0, system->stepper.state.q, &impulses, error);
    system->stepper.counts.unsolved += system->missed;
    if (status == CAROM_OK)
        memcpy(system->stepper.state.v, self->u, (size_t)system->stepper.dof * sizeof *self->u);
    return status;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    sweeping *self = (sweeping *)stepper;
    const double *impact_options = stepper->option + OPTION_IMPACT;
    const impact_rebound rebound =
        impact_options[IMPACT_OPTION_LAW] == 0.0 ? IMPACT_REBOUND_PER_SET : IMPACT_REBOUND_NONE;
    self->implicit = stepper->option[OPTION_IMPLICIT] != 0.0;
    self->stabilise = stepper->option[OPTION_STABILISE] != 0.0;
    if (!take_memory(self))
        return carom_fail_memory(error);
    carom_status status = impact_system_setup(&self->system, rebound, error);
    if (status == CAROM_OK &&
        stepper->option[OPTION_KICK] != 0.0) /* active contacts are those of the start */
        status = kick(self, error);
    if (status == CAROM_OK)
        status = chosen_impact_create(stepper, OPTION_IMPACT, &self->chosen, error);
    return status;
}

static void free_parts(carom_stepper *stepper)
{
    chosen_impact_free(&((sweeping *)stepper)->chosen);
    impact_system_free(stepper);
}

/* q' = q + h u */
static void move(sweeping *self)
{
    const carom_stepper *stepper = &self->system.stepper;
    for (int i = 0; i < stepper->dof; i++)
        self->q[i] = stepper->state.q[i] + stepper->h * stepper->state.v[i];
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    sweeping *self = (sweeping *)stepper;
    impact_system *system = &self->system;
    carom_state *state = &stepper->state;
    const size_t bytes = (size_t)stepper->dof * sizeof(double);
    const double t = step_end(stepper);
    carom_status status = CAROM_OK;
    if (self->chosen.work) { /* the user's law comes first: u becomes the velocity after its impact */
        const impact_look look = {.t = t, .time = stepper->h};
        status = chosen_impact_before_step(&self->chosen, &system->rows, &look, state->t, state->q, state->v,
                                           stepper, error);
    }
    move(self);
    if (status == CAROM_OK) /* M(q') */
        status = impact_evaluate_metric(system, t, self->q, error);
    if (status == CAROM_OK) /* contacts with gap(q') <= 0 */
        status = impact_find_active(system, t, self->q,
                                    self->stabilise ? stabilised_gap * stepper->scales.length : 0.0, error);
    double impulses = 0.0;
    system->missed = false;
    if (status == CAROM_OK && self->implicit) /* u' */
        status = iterate_velocity(self, t, self->q, &impulses, error);
    else if (status == CAROM_OK)
        status = update_velocity(self, t, self->q, state->v, &impulses, error);
    if (status == CAROM_OK && !self->implicit)
        status = impact_check_velocity(system, t, self->u, error);
    if (status == CAROM_OK)
        impact_take_impulses(system, impulses);
    bool moved = false, unsolved = system->missed;
    if (status == CAROM_OK && self->stabilise && system->active_count > 0) /* q' := P(q') */
        status = impact_project_position(system, t, self->q, self->put, &moved, error);
    if (status != CAROM_OK) {
        chosen_impact_undo(&self->chosen, state);
        return status;
    }
    unsolved = unsolved || system->missed;
    stepper->counts.steps++;
    stepper->counts.unsolved += unsolved;
    state->t = t;
    memcpy(state->q, moved ? self->put : self->q, bytes);
    memcpy(state->v, self->u, bytes);
    impact_record_impulses(system);
    chosen_impact_add_impulses(&self->chosen, state);
    return CAROM_OK;
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    sweeping *self = (sweeping *)stepper;
    impact_system_keep(&self->system, snapshot);
    chosen_impact_keep(&self->chosen, snapshot);
}

/* ---- derivatives ---------------------------------------------------------------------------------------- */

static carom_status tangent_accepts(const carom_stepper *stepper, carom_error *error)
{
    const sweeping *self = (const sweeping *)stepper;
    if (self->chosen.work)
        return carom_fail(error, CAROM_BAD_INPUT, "an impact law that is chosen has no derivatives");
    if (self->stabilise)
        return carom_fail(error, CAROM_BAD_INPUT, "positions that are put back have no derivatives");
    return contact_tangent_accepts(stepper->model, error);
}

/* M(q') (u' - u) = h f(t', q', w) + G^T p;  a contact with an impulse: (u' + e u)_N (1 + e)^-1 + rate = 0 */
static void describe(const carom_stepper *stepper, velocity_step *step)
{
    const sweeping *self = (const sweeping *)stepper;
    step->end = (step_point){1.0, 1.0, 0.0};
    step->mass = step->rows = step->gaps = step->end;
    step->forces = 1;
    step->force[0] = (step_force){1.0, step->end, self->implicit ? 1.0 : 0.0};
    step->restitution = RESTITUTION_OF_ROWS;
    step->active_count = self->system.active_count;
    step->active = self->system.active;
    step->gap = self->system.gap;
}

static carom_status tangent_setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {describe, NULL};
    return velocity_tangent_setup(base, &description, error);
}

static const carom_tangent_ops tangent = {
    .bytes = sizeof(velocity_tangent),
    .accepts = tangent_accepts,
    .setup = tangent_setup,
    .step = velocity_tangent_step,
};

const carom_scheme_ops scheme_sweeping = {
    .name = "sweeping",
    .summary = "velocity-level impact scheme with restitution, frictionless, any mass matrix (Moreau; "
               "Dzonou, Monteiro Marques and Paoli 2007)",
    .options = options,
    .option_count = OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_LCP),
    .size = sizeof(sweeping),
    .setup = setup,
    .step = step,
    .free = free_parts,
    .keep = keep,
    .tangent = &tangent,
};
