/* Midpoint scheme for differential algebraic inclusions, with friction at the end of the step:
 *
 *   M (v - u_n) = h f(t_m, q_m, (u_n + v)/2) - sum d_k p_k,   p_k in h T_k Sign(slip_k(v)),
 *   t_m = t_n + h/2,   q_m = q_n + h (u_n + v)/4,   q_{n+1} = q_n + h (u_n + v)/2,
 *
 * algebraic variables eliminated at q_m and q_{n+1}. Second order between changes of sign of a slip. Friction
 * takes the velocity at the end, so that a slip that sticks is zero; with the mean velocity it would change
 * sign at every step.
 *
 * The step is solved by Newton's method, from the polynomial through the last velocities, with a matrix that
 * is kept while it serves:
 *
 *   A = M - h/2 df/du - h^2/4 df/dq,   v <- friction(v - A^-1 (M (v - u_n) - h f)). */
#include <math.h>
#include <string.h>

#include "dai_tangent.h"
#include "scheme/parts/step_report.h"

enum {
    ITERATIONS_MAX = 200,
    HISTORY = 5,       /* velocities that the guess is made of */
    MEASURE_EVERY = 32 /* steps after which the matrix is looked at again */
};
static const double extrapolation[HISTORY] = {5.0, -10.0, 10.0, -5.0, 1.0};
static const double tolerance = 1e-15; /* of velocities, relative to |v| and the model's speed */
static const double slow = 1e-3;       /* contraction at which the matrix is made anew */
static const double too_slow = 0.1;    /* ... within a step */
static const double margin = 4.0;      /* between the contraction found and the one counted on */
static const double forget = 0.99;     /* of the largest contraction, at each look */

typedef struct dai_theta {
    dai_system system;        /* first */
    double *v, *next;         /* iterates */
    double contraction;       /* of Newton's method with the matrix that is kept */
    int unmeasured;           /* steps since it was found */
    double *history[HISTORY]; /* velocities of the last outputs, the newest first */
    double *q_mid, *v_mid;
    double *residual;
    double *by_q, *by_u;
} dai_theta;

static bool take_memory(dai_theta *self)
{
    double **vectors[] = {&self->v, &self->next, &self->q_mid, &self->v_mid, &self->residual};
    const size_t n = (size_t)self->system.stepper.dof;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = carom_arena_take(self->system.stepper.arena, n, sizeof(double))))
            return false;
    for (int k = 0; k < HISTORY; k++)
        if (!(self->history[k] = carom_arena_take(self->system.stepper.arena, n, sizeof(double))))
            return false;
    self->by_q = carom_arena_take(self->system.stepper.arena, carom_product(n, n), sizeof(double));
    self->by_u = carom_arena_take(self->system.stepper.arena, carom_product(n, n), sizeof(double));
    return self->by_q && self->by_u;
}

/* A at a state, in by_q. */
static bool find_matrix(dai_theta *self, double t, const double *q, const double *v)
{
    dai_system *system = &self->system;
    const int n = system->stepper.dof;
    const double h = system->stepper.h;
    system->stepper.model->ops->force_jacobian(system->stepper.work, t, q, v, self->by_q, self->by_u);
    if (!dai_eliminate(system, t, q, self->by_q))
        return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int at = i * n + j;
            const bool fixed = system->is_algebraic[i] || system->is_algebraic[j];
            self->by_q[at] =
                system->mass[at] - (fixed ? 0.0 : 0.5 * h * self->by_u[at] + 0.25 * h * h * self->by_q[at]);
        }
    return true;
}

static bool renew_matrix(dai_theta *self, double t, const double *q, const double *v)
{
    return find_matrix(self, t, q, v) && dai_invert(&self->system, self->by_q);
}

/* The contraction of Newton's method with the matrix that is kept: the norm of 1 - (kept A)^-1 A. */
static double contraction_now(const dai_theta *self)
{
    const dai_system *system = &self->system;
    const int n = system->stepper.dof;
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++) {
            double entry = i == j ? 1.0 : 0.0;
            for (int k = 0; k < n; k++)
                entry -= system->inverse[i * n + k] * self->by_q[k * n + j];
            sum += fabs(entry);
        }
        largest = fmax(largest, sum);
    }
    return largest;
}

/* From time to time: does the matrix still serve? */
static bool review_matrix(dai_theta *self)
{
    const carom_state *state = &self->system.stepper.state;
    if (self->unmeasured++ < MEASURE_EVERY)
        return true;
    self->unmeasured = 0;
    if (!find_matrix(self, state->t, state->q, state->v))
        return false;
    const double now = contraction_now(self);
    self->contraction = fmax(now, forget * self->contraction);
    return now <= slow || dai_invert(&self->system, self->by_q);
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    dai_theta *self = (dai_theta *)stepper;
    dai_system *system = &self->system;
    const carom_state *state = &stepper->state;
    if (!take_memory(self))
        return carom_fail_memory(error);
    carom_status status = dai_system_setup(system, error);
    if (status != CAROM_OK)
        return status;
    if (!renew_matrix(self, state->t, state->q, state->v))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the matrix M - h/2 df/du - h^2/4 df/dq is singular at the start; take another h");
    self->contraction = slow; /* until it is found */
    for (int k = 0; k < HISTORY; k++)
        memcpy(self->history[k], state->v, (size_t)stepper->dof * sizeof(double));
    return dai_check_weakening(system, error);
}

/* The middle of the step for the velocity v. */
static bool find_middle(dai_theta *self, double t)
{
    dai_system *system = &self->system;
    const carom_state *state = &system->stepper.state;
    for (int i = 0; i < system->stepper.dof; i++) {
        self->v_mid[i] = 0.5 * (state->v[i] + self->v[i]);
        if (!system->is_algebraic[i])
            self->q_mid[i] = state->q[i] + 0.5 * system->stepper.h * self->v_mid[i];
    }
    return dai_settle(system, t, self->q_mid);
}

/* One iteration: from v to next. */
static bool improve(dai_theta *self, double t)
{
    dai_system *system = &self->system;
    const carom_state *state = &system->stepper.state;
    const int n = system->stepper.dof;
    if (!find_middle(self, t))
        return false;
    system->stepper.model->ops->force(system->stepper.work, t, self->q_mid, self->v_mid, system->force);
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += system->mass[i * n + j] * (self->v[j] - state->v[j]);
        self->residual[i] = system->is_algebraic[i] ? 0.0 : sum - system->stepper.h * system->force[i];
    }
    for (int i = 0; i < n; i++)
        self->next[i] = self->v[i] - carom_dot(n, system->inverse + (ptrdiff_t)i * n, self->residual);
    return carom_all_finite(n, self->next) && dai_apply_friction(system, self->next);
}

/* Change of the last iteration, relative to |v| and the model's speed. */
static double take_next(dai_theta *self)
{
    double change = 0.0, size = carom_scales_speed(&self->system.stepper.scales);
    for (int i = 0; i < self->system.stepper.dof; i++) {
        if (!self->system.is_algebraic[i]) {
            change += fabs(self->next[i] - self->v[i]);
            size += fabs(self->next[i]);
        }
        self->v[i] = self->next[i];
    }
    return change / size;
}

/* After an iteration: whether what all further ones would change is below the tolerance. */
static bool is_done(const dai_theta *self, double change, double last)
{
    if (change <= tolerance)
        return true;
    const double contraction = last < INFINITY ? change / last : margin * self->contraction;
    return contraction < too_slow && contraction / (1.0 - contraction) * change <= tolerance;
}

static carom_status solve(dai_theta *self, double t_mid, double t, long number, carom_error *error)
{
    dai_system *system = &self->system;
    double last = INFINITY;
    for (int iteration = 1; iteration <= ITERATIONS_MAX; iteration++) {
        if (!improve(self, t_mid))
            break;
        const double change = take_next(self);
        if (is_done(self, change, last)) {
            count_solve(&system->stepper.counts, iteration, 0.0);
            return CAROM_OK;
        }
        if (change > too_slow * last && !renew_matrix(self, t_mid, self->q_mid, self->v_mid))
            break;
        last = change;
    }
    if (!carom_all_finite(system->stepper.dof, self->next))
        return fail_not_finite(error, t, number, system->stepper.model, system->force, self->next);
    return fail_step(
        error, t, number,
        "the step did not converge in %d iterations; a smaller h helps, unless a force jumps there: "
        "then write it as a friction force, or smooth it",
        ITERATIONS_MAX);
}

/* The polynomial through the last velocities is a good guess; for the algebraic variables their rate is. */
static void guess(dai_theta *self)
{
    const dai_system *system = &self->system;
    const carom_state *state = &system->stepper.state;
    for (int i = 0; i < system->stepper.dof; i++) {
        double sum = 0.0;
        for (int k = 0; k < HISTORY; k++)
            sum += extrapolation[k] * self->history[k][i];
        self->v[i] = sum;
        if (system->is_algebraic[i])
            self->q_mid[i] = state->q[i] + 0.5 * system->stepper.h * state->v[i];
    }
}

static void remember(dai_theta *self)
{
    double *oldest = self->history[HISTORY - 1];
    for (int k = HISTORY - 1; k > 0; k--)
        self->history[k] = self->history[k - 1];
    self->history[0] = oldest;
    carom_copy(self->system.stepper.dof, self->system.stepper.state.v, oldest);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    dai_theta *self = (dai_theta *)stepper;
    dai_system *system = &self->system;
    carom_state *state = &stepper->state;
    const int n = system->stepper.dof;
    const long number = step_number(stepper);
    const double h = system->stepper.h, t = step_end(stepper);
    const double t_mid = system->stepper.t0 + ((double)number - 0.5) * h;
    guess(self);
    if (!system->constant_frames) {
        for (int i = 0; i < n; i++)
            self->next[i] = state->q[i] + h * state->v[i];
        carom_status status = dai_update_frames(system, t, self->next, number, error);
        if (status != CAROM_OK)
            return status;
    }
    if (!review_matrix(self))
        return fail_step(error, t, number, "the matrix of the step is singular; take another h");
    carom_status status = solve(self, t_mid, t, number, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        self->next[i] = state->q[i] + 0.5 * h * (state->v[i] + self->v[i]);
    if (!dai_settle(system, t, self->next) || !dai_rates(system, t, self->next, self->v))
        return fail_step(error, t, number, "the joints no longer give the coordinates without inertia");
    carom_copy(n, self->next, state->q);
    carom_copy(n, self->v, state->v);
    remember(self);
    dai_record_friction(system);
    stepper->counts.steps = number;
    state->t = t;
    return CAROM_OK;
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    dai_theta *self = (dai_theta *)stepper;
    const size_t bytes = (size_t)stepper->dof * sizeof(double);
    dai_system_keep(stepper, snapshot);
    carom_snapshot_block(snapshot, &self->contraction, sizeof self->contraction);
    carom_snapshot_block(snapshot, &self->unmeasured, sizeof self->unmeasured);
    for (int k = 0; k < HISTORY; k++)
        carom_snapshot_block(snapshot, self->history[k], bytes);
    carom_snapshot_block(snapshot, self->q_mid, bytes); /* guesses of coordinates without inertia */
}

/* ---- derivatives: of what Newton's method tends to, which does not depend on guesses and matrices ------------------ */

static void describe(const carom_stepper *stepper, velocity_step *step)
{
    dai_describe(stepper, step);
    step->rows = (step_point){1.0, 1.0, 0.0};
    step->end = (step_point){1.0, 0.5, 0.5};
    step->force[0] = (step_force){1.0, {0.5, 0.25, 0.25}, 0.5};
}

static carom_status tangent_setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {.step = describe,
                                                     .massless = dai_massless,
                                                     .settle = dai_settle_place,
                                                     .settle_along = dai_settle_along,
                                                     .rates_along = dai_rates_along};
    return dai_tangent_setup(base, &description, error);
}

static const carom_tangent_ops tangent = {
    .bytes = sizeof(dai_tangent),
    .accepts = dai_tangent_accepts,
    .setup = tangent_setup,
    .step = velocity_tangent_step,
    .corrects_start = true,
};

const carom_scheme_ops scheme_dai_theta = {
    .name = "dai-theta",
    .summary = "midpoint scheme with dry friction at the end velocity for differential algebraic inclusions, "
               "second order, exact stick",
    .options = dai_options,
    .option_count = DAI_OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_FRICTION_FORCES | CAROM_SCHEME_JOINTS |
                 CAROM_SCHEME_INCLUSIONS,
    .size = sizeof(dai_theta),
    .accepts = dai_accepts,
    .setup = setup,
    .step = step,
    .keep = keep,
    .tangent = &tangent,
};
