/* Position-level scheme of Paoli and Schatzman for any mass matrix (Paoli 2001, 2018).
 *
 *   W = (2 q^n - (1 - e) q^{n-1} + h^2 M(q^n)^-1 f) / (1 + e),   q^{n+1} = -e q^{n-1} + (1 + e) P(W),
 *
 * P the projection on the admissible positions in the metric M(q^n). The force is taken at t_n, q^n and a
 * slope: the one before, the one after, or their mean. The mean (q^{n+1} + e q^{n-1}) / (1 + e) is always
 * admissible, at its own time (t_{n+1} + e t_{n-1}) / (1 + e) when an obstacle moves; a rebound comes two
 * steps late.
 *
 * Output n is t_n = t0 + n h and q^n. Its velocity is the slope (q^n - q^{n-1}) / h that led there (the
 * initial velocity for n = 0), its impulses are those of the same step, with respect to the gradients at
 * P(W). */
#include <math.h>
#include <string.h>

#include "impact_projection.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/velocity_tangent.h"

enum {
    OPTION_START,
    OPTION_FORCE,
    OPTION_SOLVER,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS,
    ITERATIONS_MAX = 50
};

enum force_at {
    FORCE_BACKWARD,
    FORCE_CENTRED,
    FORCE_FORWARD
};

static const double fixed_point_tolerance = 1e-12;
/* At rest on an obstacle the positions decay by e every two steps; this keeps them out of the numbers that
 * processors are slow with. */
static const double negligible = 1e-200; /* of the model's length */

static const char *const start_words[] = {"euler", "taylor2", NULL};
static const char *const force_words[] = {"backward", "centred", "forward", NULL};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_START] = {"start", 0.0, 0.0, 1.0, start_words,
                      "first position: q0 + h v0, or with the second-order term of the force"},
    [OPTION_FORCE] = {"force", 0.0, 0.0, 2.0, force_words,
                      "velocity in the force: the slope before, the mean of both, or the slope after"},
    CONTACT_SOLVER_OPTIONS(OPTION_SOLVER, solver_automatic, &carom_lcp_solvers, NULL,
                           "of the contacts that act together; auto: closed form, active-set, gauss-seidel"),
};

typedef struct paoli_schatzman {
    impact_system system; /* first */
    bool second_order_start;
    enum force_at force_at;
    double e;
    double *q_last;   /* q^{n-1} */
    double *w;        /* position to be projected */
    double *z;        /* projection */
    double *q, *u;    /* position and slope of the step under way */
    double *slope;    /* in the force */
    double *velocity; /* last iterate of u */
} paoli_schatzman;

static bool take_memory(paoli_schatzman *self)
{
    double **vectors[] = {&self->q_last, &self->w,     &self->z,       &self->q,
                          &self->u,      &self->slope, &self->velocity};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(self->system.stepper.arena, (size_t)self->system.stepper.dof,
                                             sizeof(double))))
            return false;
    return true;
}

/* A step in which the obstacle is met before the first free step is made cannot show the motion before. */
static void warn_about_step(paoli_schatzman *self)
{
    impact_system *system = &self->system;
    const carom_state *state = &system->stepper.state;
    if (system->stepper.contacts > 0)
        system->stepper.model->ops->gaps(system->stepper.work, system->stepper.t0, state->q, system->gap);
    for (int contact = 0; contact < system->stepper.contacts; contact++) {
        const double rate = contact_velocity(&system->rows, contact, 0, state->v);
        if (system->gap[contact] > 0.0 &&
            -system->stepper.h * rate >= 0.5 * (1.0 + self->e) * system->gap[contact])
            carom_warn(&system->stepper.warnings,
                       "step too large: the first step already crosses the obstacle (contact '%s', gap %g, "
                       "gap rate %g)",
                       system->stepper.model->contact[contact].name, system->gap[contact], rate);
    }
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    paoli_schatzman *self = (paoli_schatzman *)stepper;
    self->second_order_start = stepper->option[OPTION_START] != 0.0;
    self->force_at = (enum force_at)(int)stepper->option[OPTION_FORCE];
    if (!take_memory(self))
        return carom_fail_memory(error);
    carom_status status = impact_system_setup(&self->system, IMPACT_REBOUND_COMMON, error);
    if (status != CAROM_OK)
        return status;
    self->e = self->system.restitution;
    warn_about_step(self);
    return CAROM_OK;
}

/* After a projection that met contacts: their restitution must still be the one of the run, and impulses are
 * the multipliers times the factor. */
static carom_status take_contacts(paoli_schatzman *self, double t, double factor, carom_error *error)
{
    impact_system *system = &self->system;
    carom_error why;
    double e = self->e;
    if (impact_common_restitution(system, &e, &why) != CAROM_OK)
        return fail_step(error, t, step_number(&system->stepper), "%s", why.text);
    if (e != self->e)
        return fail_step(error, t, step_number(&system->stepper),
                         "contact '%s': the restitution has changed from %g to %g; scheme '%s' needs a "
                         "constant one",
                         system->stepper.model->contact[system->active[0]].name, self->e, e,
                         system->stepper.ops->name);
    impact_check_angles(system, t);
    impact_take_impulses(system, factor);
    return CAROM_OK;
}

/* q^1 = P(q^0 + h u), u = u^0 or with half a step of force. */
static carom_status first_step(paoli_schatzman *self, double t, carom_error *error)
{
    impact_system *system = &self->system;
    const carom_state *state = &system->stepper.state;
    const int n = system->stepper.dof;
    const double h = system->stepper.h;
    carom_status status = CAROM_OK;
    if (self->second_order_start)
        status = impact_accelerate(system, state->t, state->q, state->v, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++) {
        self->u[i] = state->v[i] + (self->second_order_start ? 0.5 * h * system->acceleration[i] : 0.0);
        self->w[i] = state->q[i] + h * self->u[i];
    }
    bool carried = false;
    status = impact_project_position(system, t, self->w, self->q, &carried, error);
    if (status != CAROM_OK || !carried)
        return status;
    for (int i = 0; i < n; i++)
        self->u[i] = (self->q[i] - state->q[i]) / h;
    return take_contacts(self, t, 1.0 / h, error);
}

/* q^{n+1} and u^n for one force, taken at the slope:
 *   W = (2 q^n - (1 - e) q^{n-1} + h^2 a) / (1 + e),   q^{n+1} = -e q^{n-1} + (1 + e) P(W). */
static carom_status project(paoli_schatzman *self, double t, carom_error *error)
{
    impact_system *system = &self->system;
    const carom_state *state = &system->stepper.state;
    const int n = system->stepper.dof;
    const double h = system->stepper.h, e = self->e, *a = system->acceleration, *q_last = self->q_last;
    carom_status status = impact_accelerate(system, state->t, state->q, self->slope, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        self->w[i] = (2.0 * state->q[i] - (1.0 - e) * q_last[i] + h * h * a[i]) / (1.0 + e);
    /* A moving obstacle is met where it is at the time of the mean position. */
    const double t_mean = t - 2.0 * h * e / (1.0 + e);
    bool carried = false;
    status = impact_project_position(system, t_mean, self->w, self->z, &carried, error);
    if (status != CAROM_OK)
        return status;
    if (!carried) { /* summing velocities loses fewer digits than differences of positions */
        for (int i = 0; i < n; i++) {
            self->u[i] = state->v[i] + h * a[i];
            self->q[i] = state->q[i] + h * self->u[i];
        }
        return CAROM_OK;
    }
    for (int i = 0; i < n; i++) {
        self->q[i] = -e * q_last[i] + (1.0 + e) * self->z[i];
        if (fabs(self->q[i]) < negligible * system->stepper.scales.length)
            self->q[i] = 0.0;
        self->u[i] = (self->q[i] - state->q[i]) / h;
    }
    return take_contacts(self, t, (1.0 + e) / h, error);
}

/* The slope that the force is to see; true when it is the one seen before, to the tolerance. */
static bool choose_slope(paoli_schatzman *self)
{
    const impact_system *system = &self->system;
    const double *u_last = system->stepper.state.v;
    double *change = system->difference;
    for (int i = 0; i < system->stepper.dof; i++) {
        change[i] = self->u[i] - self->velocity[i];
        self->velocity[i] = self->u[i];
        self->slope[i] = self->force_at == FORCE_FORWARD ? self->u[i] : 0.5 * (self->u[i] + u_last[i]);
    }
    return impact_relative(system, change, self->u, carom_scales_speed(&system->stepper.scales)) <=
           fmax(fixed_point_tolerance, impact_slack(system));
}

/* Every other step. `backward` is explicit; the fixed point of `centred` and `forward` starts with its
 * value. */
static carom_status next_step(paoli_schatzman *self, double t, carom_error *error)
{
    impact_system *system = &self->system;
    const carom_stepper *stepper = &system->stepper;
    const size_t bytes = (size_t)stepper->dof * sizeof(double);
    memcpy(self->slope, stepper->state.v, bytes);
    memcpy(self->velocity, stepper->state.v, bytes);
    for (int iteration = 0; iteration <= ITERATIONS_MAX; iteration++) {
        carom_status status = project(self, t, error);
        if (status != CAROM_OK)
            return status;
        if (self->force_at == FORCE_BACKWARD)
            return impact_check_velocity(system, t, self->u, error);
        if (impact_first_beyond_limit(system, self->u) < stepper->dof)
            break;
        if (choose_slope(self) && iteration > 0)
            return CAROM_OK;
    }
    return fail_step(error, t, step_number(stepper),
                     "implicit velocity step diverged at t=%g: reduce h, so that h times the growth of the "
                     "acceleration with the velocity is below 1; where a force jumps no step does",
                     t);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    paoli_schatzman *self = (paoli_schatzman *)stepper;
    impact_system *system = &self->system;
    carom_state *state = &stepper->state;
    const size_t bytes = (size_t)stepper->dof * sizeof(double);
    const double t = step_end(stepper);
    carom_status status = impact_evaluate_metric(system, state->t, state->q, error); /* M(q^n) */
    if (status == CAROM_OK)
        status = stepper->counts.steps == 0 ? first_step(self, t, error) : next_step(self, t, error);
    if (status != CAROM_OK)
        return status;
    if (system->active_count == 0)
        impact_take_impulses(system, 0.0);
    stepper->counts.steps++;
    stepper->counts.unsolved += system->missed;
    memcpy(self->q_last, state->q, bytes);
    state->t = t;
    memcpy(state->q, self->q, bytes);
    memcpy(state->v, self->u, bytes);
    impact_record_impulses(system);
    return CAROM_OK;
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    paoli_schatzman *self = (paoli_schatzman *)stepper;
    impact_system_keep(&self->system, snapshot);
    carom_snapshot_block(snapshot, self->q_last, (size_t)stepper->dof * sizeof *self->q_last);
}

/* ---- derivatives ---------------------------------------------------------------------------------------
 *
 * With v_n = (q^n - q^{n-1}) / h and u = (q^{n+1} - q^n) / h the step reads
 *
 *   M(q^n) (u - v_n) = h f(t_n, q^n, slope) + G(x)^T p,   gap(x) = 0 where p > 0,   x = q^n + h (u - e v_n) / (1 + e),
 *
 * x at t_n + h (1 - e) / (1 + e); the first step has x = q^1, and half of the force or none. */

static void describe(const carom_stepper *stepper, velocity_step *step)
{
    const paoli_schatzman *self = (const paoli_schatzman *)stepper;
    const bool first = stepper->counts.steps == 1;
    const double e = first ? 0.0 : self->e;
    step->end = (step_point){1.0, 0.0, 1.0};
    step->rows = step->gaps = (step_point){(1.0 - e) / (1.0 + e), -e / (1.0 + e), 1.0 / (1.0 + e)};
    step->forces = 1;
    step->force[0].weight = !first ? 1.0 : self->second_order_start ? 0.5 : 0.0;
    step->force[0].share = first || self->force_at == FORCE_BACKWARD ? 0.0
                           : self->force_at == FORCE_CENTRED         ? 0.5
                                                                     : 1.0;
    step->restitution = RESTITUTION_POSITION;
    step->active_count = self->system.active_count;
    step->active = self->system.active;
    step->gap = self->system.gap;
}

/* e is the same for all contacts, and a number of the model's parameters. */
static void describe_along(carom_tangent *tangent, const step_direction *direction, velocity_step *along)
{
    velocity_tangent *self = (velocity_tangent *)tangent;
    const carom_stepper *stepper = tangent->stepper;
    const double e = ((const paoli_schatzman *)stepper)->e, sum = (1.0 + e) * (1.0 + e);
    if (!direction->parameter || stepper->contacts == 0 || stepper->counts.steps == 1)
        return;
    stepper->model->ops->tangent->frame(stepper->work, 0, tangent->t_before, tangent->q_before, 1,
                                        &(carom_direction){.parameter = direction->parameter},
                                        &self->start_along);
    const double by = self->start_along.restitution / sum;
    along->rows = along->gaps = (step_point){-2.0 * by, -by, -by};
}

static carom_status tangent_setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {describe, describe_along};
    return velocity_tangent_setup(base, &description, error);
}

static carom_status tangent_accepts(const carom_stepper *stepper, carom_error *error)
{
    return contact_tangent_accepts(stepper->model, error);
}

static const carom_tangent_ops tangent = {
    .bytes = sizeof(velocity_tangent),
    .accepts = tangent_accepts,
    .setup = tangent_setup,
    .step = velocity_tangent_step,
};

const carom_scheme_ops scheme_paoli_schatzman = {
    .name = "paoli-schatzman",
    .summary = "position-level impact scheme with restitution, frictionless, any mass matrix (Paoli and "
               "Schatzman; Paoli 2001)",
    .options = options,
    .option_count = OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_LCP),
    .size = sizeof(paoli_schatzman),
    .setup = setup,
    .step = step,
    .free = impact_system_free,
    .keep = keep,
    .tangent = &tangent,
};
