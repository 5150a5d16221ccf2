/* Moreau-Jean: implicit theta method on the velocity level with Newton's restitution and Coulomb friction,
 * for any mass matrix.
 *
 *   M(q_m)(v - v_n) = h [(1 - theta) f_n + theta f(t_{n+1}, q, v)] + H(q)^T p,
 *   q = q_n + h ((1 - theta) v_n + theta v),   q_m = q_n + theta (q - q_n),
 *
 * p and H(q) v of the contacts with gap(q_n + prediction h v_n) <= 0 in the laws of impact and friction. A
 * Newton iteration on v, each with one contact problem. Outputs at t0 + n h. Joints are rows with the
 * equation G(q) v + g_t = 0 and impulses along (1 - theta) G(q_n) + theta G(q), eliminated before the contacts
 * (jean_joints.c), or of a sparse model found with them (jean_sparse_joints.c). A friction force is a contact that is always closed, with the normal impulse h.
 *
 * For an affine force, constant mass and constant rows the first iteration is the solution: the second only
 * confirms its free velocity, without another contact problem, and the force that it evaluates at the end of
 * the step is the one that the next step begins with.
 *
 * Else the Newton matrix is that of the first iterate, and another one is made only where iterates do not come closer
 * to each other by far: the residual is exact, so that the velocity does not depend on it, and what it leaves out is,
 * like the derivatives of mass and rows, of first order in h. */
#include "moreau_jean.h"

#include <math.h>
#include <string.h>

#include "jean_options.h"
#include "scheme/body_step.h"

enum {
    ITERATIONS_MAX = 50,
    /* with other rows to fall back on: by when the change of an iterate must be a tenth of what it was ... */
    PATIENCE = 15,
    LOOK_BACK = 10 /* ... so many iterations before */
};

/* An iterate whose change is above this share says nothing of the velocity. */
static const double useless_change = 1e-3;

void moreau_jean_mass(moreau_jean *self, double t, const double *q)
{
    if (self->is_sparse)
        moreau_jean_sparse_mass(self, t, q);
    else
        self->stepper.model->ops->mass(self->stepper.work, t, q, self->mass);
}

/* ---- before the iteration ------------------------------------------------------------------------------ */

/* q = q_n + prediction h v_n */
static void predict(const moreau_jean *self, double *q)
{
    const carom_state *state = &self->stepper.state;
    for (int i = 0; i < self->stepper.dof; i++)
        q[i] = state->q[i] + self->prediction * self->stepper.h * state->v[i];
}

/* From now on contacts act along the rows of the predicted position, and the contact problem is one whose rows do not
 * depend on its solution. */
static void fix_rows(moreau_jean *self)
{
    self->rows_fixed = true;
    self->rows_found = false;
    self->rows_constant = self->joints.constant;
    predict(self, self->q_rows);
}

/* A law that the user chose comes first: v_n becomes the velocity after its impact. */
static carom_status strike(moreau_jean *self, carom_error *error)
{
    carom_stepper *stepper = &self->stepper;
    carom_state *state = &stepper->state;
    const double ahead = self->prediction * stepper->h;
    const impact_look look = {.t = state->t + ahead, .time = ahead};
    const carom_status status = chosen_impact_before_step(&self->chosen, &self->rows, &look, state->t,
                                                          state->q, state->v, stepper, error);
    if (self->chosen.count > 0) /* the force was that of the velocity before */
        self->force_known = self->force_known && stepper->model->constant_force;
    return status;
}

/* Contacts with gap <= 0 at the predicted position, and the normal velocities that the impact law sets. */
static carom_status find_active(moreau_jean *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    const double ahead = self->prediction * self->stepper.h;
    self->active_count = 0;
    self->rows_constant = self->joints.constant;
    self->rows_fixed = self->unsolved = self->restitution_known = self->problem_told = false;
    if (self->stepper.contacts == 0)
        return CAROM_OK;
    predict(self, self->q);
    self->stepper.model->ops->gaps(self->stepper.work, state->t + ahead, self->q, self->gap);
    for (int contact = 0; contact < self->stepper.contacts; contact++) {
        const carom_contact_info *info = &self->stepper.model->contact[contact];
        if (!isfinite(self->gap[contact]))
            return fail_step(error, self->t, step_number(&self->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number", info->name,
                             self->gap[contact]);
        if (self->gap[contact] > 0.0 &&
            !contact_stays(&self->rows, &self->stepper, contact, self->gap[contact]))
            continue;
        self->active[self->active_count++] = contact;
        self->rows_constant = self->rows_constant && info->constant_rows;
        if (!info->constant_frame)
            self->stepper.model->ops->frame(self->stepper.work, contact, state->t, state->q,
                                            &self->rows.frame[contact]);
        const carom_status status =
            contact_check_step(&self->stepper, state->t, contact, &self->rows.frame[contact], error);
        if (status != CAROM_OK)
            return status;
        const bool rebounds = info->has_restitution && !self->chosen.work;
        const double restitution = rebounds ? self->rows.frame[contact].restitution : 0.0;
        self->target[contact] = -restitution * contact_velocity(&self->rows, contact, 0, state->v);
    }
    if (self->always_fix_rows)
        fix_rows(self);
    return CAROM_OK;
}

/* f_n, unless the step before has left it. */
static carom_status begin_force(moreau_jean *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    bool known = self->force_known;
    self->force_known = self->stepper.model->constant_force;
    if (known)
        return CAROM_OK;
    self->stepper.model->ops->force(self->stepper.work, state->t, state->q, state->v, self->force_old);
    if (self->stepper.model->constant_force)
        memcpy(self->force_new, self->force_old, (size_t)self->stepper.dof * sizeof *self->force_new);
    if (carom_all_finite(self->stepper.dof, self->force_old))
        return CAROM_OK;
    return fail_not_finite(error, state->t, step_number(&self->stepper), self->stepper.model, self->force_old,
                           state->v);
}

/* ---- one iteration ------------------------------------------------------------------------------------- */

/* Newton matrix M + h theta C + h^2 theta^2 K, with C = -df/du and K = -df/dq, in the place of df/dq. With
 * contacts its symmetric part is taken, since the contact problems are those of a symmetric matrix: the
 * solution is the same, as the residual is exact, and only the rate of convergence can change. */
static void evaluate_newton(moreau_jean *self)
{
    const int n = self->stepper.dof;
    const double by_velocity = self->stepper.h * self->theta, by_position = by_velocity * by_velocity;
    if (!self->jacobian_known)
        self->stepper.model->ops->force_jacobian(self->stepper.work, self->t, self->q, self->v, self->by_q,
                                                 self->by_u);
    self->newton_symmetric = true;
    self->for_contacts = self->active_count > 0;
    for (int i = 0; i < n * n; i += self->newton_diagonal ? n + 1 : 1)
        self->by_q[i] = self->mass[i] - by_velocity * self->by_u[i] - by_position * self->by_q[i];
    for (int i = 0; i < n && !self->newton_diagonal; i++)
        for (int j = 0; j < i; j++) {
            double *lower = &self->by_q[i * n + j], *upper = &self->by_q[j * n + i];
            if (*lower == *upper)
                continue;
            self->newton_symmetric = false;
            if (self->for_contacts)
                *lower = *upper = 0.5 * (*lower + *upper);
        }
}

bool moreau_jean_mass_is_regular(moreau_jean *self)
{
    if (self->is_sparse)
        return moreau_jean_sparse_mass_is_regular(self);
    const bool regular = newton_matrix_factor(&self->newton, self->mass) == 0;
    self->newton.factored = false; /* it is not that of the iterate */
    return regular;
}

/* The factored Newton matrix of the iterate: linear systems have it from the step before. */
static carom_status prepare_newton(moreau_jean *self, carom_error *error)
{
    const bool with_joints = self->is_sparse && self->joints.count > 0; /* what is factored has their rows */
    const bool factored = with_joints       ? self->sparse.assembled && self->joints.constant
                          : self->is_sparse ? self->sparse.newton.known
                                            : self->newton.factored;
    if (self->constant_newton && factored &&
        (self->newton_symmetric || self->for_contacts == (self->active_count > 0)))
        return CAROM_OK;
    int bad_row = 0;
    if (self->is_sparse) {
        moreau_jean_sparse_newton(self);
        bad_row = with_joints ? 0 : sparse_matrix_factor(&self->sparse.newton);
    } else {
        evaluate_newton(self);
        bad_row = self->newton_diagonal ? newton_matrix_factor_diagonal(&self->newton, self->by_q)
                                        : newton_matrix_factor(&self->newton, self->by_q);
    }
    if (bad_row == 0)
        return CAROM_OK;
    if (bad_row < 0)
        return fail_step(error, self->t, step_number(&self->stepper),
                         "the mass matrix or the derivatives of the force have an entry that is not finite");
    if (!moreau_jean_mass_is_regular(self))
        return fail_step(
            error, self->t, step_number(&self->stepper),
            "the mass matrix is singular or not finite; no step helps: give every coordinate inertia");
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "the matrix M + h theta C + h^2 theta^2 K is singular at coordinate '%s', though M is not; "
        "take a smaller step h",
        self->stepper.model->coordinate[bad_row - 1]);
}

/* What the step depends on at the iterate v: its position, force, mass and, if asked for, Newton matrix. */
static carom_status evaluate(moreau_jean *self, bool with_newton, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const carom_model *model = stepper->model;
    if (!model->constant_force || !self->rows_constant)
        moreau_jean_move(self, 1.0, self->q);
    self->jacobian_known = false;
    if (with_newton && !model->constant_force && !self->constant_newton && !self->is_sparse &&
        model->ops->force_with_jacobian)
        self->jacobian_known = model->ops->force_with_jacobian(stepper->work, self->t, self->q, self->v,
                                                               self->force_new, self->by_q, self->by_u);
    if (!model->constant_force && !self->jacobian_known)
        model->ops->force(stepper->work, self->t, self->q, self->v, self->force_new);
    if (!model->constant_mass) {
        moreau_jean_move(self, self->theta, self->q_mid);
        moreau_jean_mass(self, stepper->state.t + self->theta * stepper->h, self->q_mid);
    }
    return with_newton ? prepare_newton(self, error) : CAROM_OK;
}

/* x -= M (v - v_old) */
static void take_momentum(const moreau_jean *self, const double *v, const double *v_old, double *x)
{
    const int n = self->stepper.dof;
    if (self->is_sparse) {
        moreau_jean_sparse_take_momentum(self, v, v_old, x);
        return;
    }
    for (int i = 0; self->mass_diagonal && i < n; i++)
        x[i] -= self->mass[i * n + i] * (v[i] - v_old[i]);
    for (int i = 0; !self->mass_diagonal && i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] -= self->mass[i * n + j] * (v[j] - v_old[j]);
}

/* v_free = v + H^-1 (h f_theta - M (v - v_n)) with the Newton matrix H; first: v is v_n. */
static carom_status find_free_velocity(moreau_jean *self, bool first, carom_error *error)
{
    const int n = self->stepper.dof;
    const double h = self->stepper.h, theta = self->theta;
    const double *force_old = self->force_old, *force_new = self->force_new, *v = self->v,
                 *v_old = self->stepper.state.v;
    double *x = self->v_free;
    for (int i = 0; i < n; i++)
        x[i] = h * ((1.0 - theta) * force_old[i] + theta * force_new[i]);
    if (!first)
        take_momentum(self, v, v_old, x);
    if (self->is_sparse && self->joints.count > 0)
        return CAROM_OK; /* moreau_jean_sparse_joints makes the velocity of it */
    if (self->is_sparse)
        sparse_matrix_solve(&self->sparse.newton, x);
    else
        newton_matrix_solve(&self->newton, x);
    bool finite = true;
    for (int i = 0; i < n; i++) {
        x[i] += v[i];
        finite = finite && isfinite(x[i]);
    }
    return finite ? CAROM_OK
                  : fail_not_finite(error, self->t, step_number(&self->stepper), self->stepper.model,
                                    self->force_new, x);
}

/* The largest |next - now|, and how large it may be when they are to agree. Where nothing moves, velocities below a
 * thousandth of the model's speed are rounding of forces. */
static double velocity_change(const moreau_jean *self, const double *next, const double *now, double *limit)
{
    const int n = self->stepper.dof;
    double change = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        double difference = fabs(next[i] - now[i]), magnitude = fabs(now[i]);
        if (difference > change)
            change = difference;
        if (magnitude > size)
            size = magnitude;
    }
    *limit = moreau_jean_newton_tolerance * (self->slow + size);
    return change;
}

/* True when the contact problem is that of the last iterate: its matrix and rows do not depend on the
 * iterate, and its free velocity is the same. */
static bool is_confirmed(const moreau_jean *self)
{
    double limit = 0.0;
    return self->constant_newton && self->rows_constant &&
           velocity_change(self, self->v_free, self->v_free_last, &limit) <= limit;
}

static bool contact_rows_are_constant(const moreau_jean *self)
{
    for (int k = 0; k < self->active_count; k++)
        if (!self->stepper.model->contact[self->active[k]].constant_rows)
            return false;
    return true;
}

/* What may be done about an iterate that does not settle. */
static const char *advice(const moreau_jean *self, double change)
{
    double limit = 0.0;
    if (self->active_count > 0 && !self->rows_fixed && !self->may_fix_rows &&
        !contact_rows_are_constant(self))
        return "leave out rows=end: rows of the predicted position settle";
    if (velocity_change(self, self->v, self->v_cycle, &limit) <= 1e-6 * change)
        return "it goes to and fro: either the step is far too large (try h/10: less than a radian of a turn "
               "or an oscillation in a step), or a force, a joint or a contact jumps there, where no step "
               "helps: "
               "smooth the jump, or write a jump of a force as friction_force";
    return "take a smaller step h";
}

static carom_status fail_to_converge(moreau_jean *self, double change, carom_error *error)
{
    char joint[300] = "";
    if (self->joints.count > 0)
        moreau_jean_describe_joints(self, joint, sizeof joint);
    return fail_step(error, self->t, step_number(&self->stepper),
                     "the velocity did not converge: it changed by %g in the last of %d iterations%s; %s",
                     change, ITERATIONS_MAX, joint, advice(self, change));
}

/* ---- the step ------------------------------------------------------------------------------------------ */

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

/* How far the last iterate of Newton's method was from the one before. */
typedef struct settling {
    bool settled;
    double change, limit;
} settling;

/* An iterate whose change is this share of the one before has a Newton matrix that serves. */
static const double good_rate = 0.01;

/* Whether the next iterate needs a Newton matrix of its own. */
static bool needs_newton(const moreau_jean *self, int iteration, const double *changes)
{
    if (self->is_sparse || self->constant_newton || iteration == 0)
        return true;
    return iteration > 1 && !(changes[iteration - 1] <= good_rate * changes[iteration - 2]);
}

/* Where the iteration begins: v_n, or, on a way without a jump, where the line or the parabola through the velocities before
 * leads, which is nearer to the end of the step by one or two factors of h. True: not v_n. */
static bool begin_iteration(moreau_jean *self)
{
    const int n = self->stepper.dof;
    const double *v = self->stepper.state.v, *one = self->past.v, *two = self->past.v_earlier;
    carom_copy(n, v, self->v);
    if (self->is_sparse || (self->constant_newton && self->rows_constant) || self->past.smooth < 1)
        return false;
    for (int i = 0; i < n; i++)
        self->v[i] += self->past.smooth > 1 ? 2.0 * v[i] - 3.0 * one[i] + two[i] : v[i] - one[i];
    return true;
}

/* How many steps before had the contacts that this one has. */
static void compare_with_past(moreau_jean *self)
{
    jean_past *past = &self->past;
    const size_t bytes = (size_t)self->active_count * sizeof *self->active;
    if (past->active_count != self->active_count || self->chosen.count > 0 ||
        memcmp(past->active, self->active, bytes) != 0)
        past->smooth = 0;
    past->active_count = self->active_count;
    memcpy(past->active, self->active, bytes);
}

/* At the end of a step, before its velocity becomes that of the state. */
static void remember_velocity(moreau_jean *self)
{
    jean_past *past = &self->past;
    exchange(&past->v, &past->v_earlier);
    carom_copy(self->stepper.dof, self->stepper.state.v, past->v);
    past->smooth = past->smooth < 2 ? past->smooth + 1 : 2;
}

/* In a long cable rounding of one joint is felt by all: iterates of a sparse model with joints that agree to 1e-10 and come
 * no closer to each other are as near as they can be. What they differ by counts as an error of the contact problem. */
static bool is_rounding(const moreau_jean *self, int iteration, const double *changes, double limit)
{
    if (!self->is_sparse || self->joints.count == 0 || iteration < 4 || changes[iteration] > 100.0 * limit)
        return false;
    return changes[iteration] > 0.25 * fmin(changes[iteration - 2], changes[iteration - 1]);
}

/* Newton's method for the velocity at the end of the step. */
static carom_status iterate(moreau_jean *self, bool patient, settling *found, carom_error *error)
{
    const size_t bytes = (size_t)self->stepper.dof * sizeof(double);
    double changes[ITERATIONS_MAX];
    *found = (settling){.settled = true};
    const bool further = begin_iteration(self);
    if (self->joints.count > 0)
        moreau_jean_begin_joints(self);
    for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
        carom_status status = evaluate(self, needs_newton(self, iteration, changes), error);
        if (status == CAROM_OK)
            status = find_free_velocity(self, iteration == 0 && !further, error);
        if (status == CAROM_OK && self->joints.count > 0)
            status = moreau_jean_joints(self, error); /* G v_free + g_t = 0 */
        if (status != CAROM_OK)
            return status;
        if (iteration > 0 && is_confirmed(self)) {
            self->force_known = true; /* at the q and v with which the step ends */
            return CAROM_OK;
        }
        if (self->active_count > 0)
            status = moreau_jean_contacts(self, error); /* v_new = v_free + H^-1 rows^T p */
        if (status != CAROM_OK)
            return status;
        if (self->joints.count > 0)
            moreau_jean_sum_joints(self);
        const double *next = self->active_count > 0 ? self->v_new : self->v_free;
        const bool exact =
            self->newton_symmetric || self->active_count == 0; /* else half of it was left out */
        if (self->affine && self->rows_constant && exact) {    /* Newton's method ends after one step */
            carom_copy(self->stepper.dof, next, self->v);
            return CAROM_OK;
        }
        found->change = velocity_change(self, next, self->v, &found->limit);
        memcpy(self->v, next, bytes);
        changes[iteration] = found->change;
        const bool close = self->sparse.contacts.coarseness == 0.0;
        if (close && found->change <= self->looseness * found->limit)
            return CAROM_OK;
        moreau_jean_sparse_come_closer(self, found->change / found->limit * moreau_jean_newton_tolerance);
        if (close && is_rounding(self, iteration, changes, found->limit)) {
            count_solve(&self->stepper.counts, 0,
                        found->change * moreau_jean_newton_tolerance / found->limit);
            return CAROM_OK;
        }
        if (!patient && iteration >= PATIENCE && found->change > 0.1 * changes[iteration - LOOK_BACK])
            break;
        if (iteration == ITERATIONS_MAX - 3) /* two before the last: they may go to and fro */
            memcpy(self->v_cycle, next, bytes);
        exchange(&self->v_free, &self->v_free_last);
    }
    found->settled = false;
    return CAROM_OK;
}

/* The velocity at the end of the step. Rows at the end of the step depend on it: where contacts change between
 * sticking and slipping with them, or have several solutions, there may be no end to it. Those of the predicted
 * position do not. What is left then is what the contact problems miss their tolerance by. */
static carom_status find_velocity(moreau_jean *self, carom_error *error)
{
    const bool may_fix = self->may_fix_rows && self->active_count > 0 && !contact_rows_are_constant(self);
    const double worst = self->stepper.counts.worst_solver_error;
    settling found;
    carom_status status = iterate(self, !may_fix, &found, error);
    if (status == CAROM_OK && !found.settled && may_fix) {
        fix_rows(self);
        self->stepper.counts.worst_solver_error = worst; /* problems that are given up do not count */
        status = iterate(self, true, &found, error);
    }
    if (status != CAROM_OK || found.settled)
        return status;
    if (self->active_count == 0 ||
        !(found.change * moreau_jean_newton_tolerance <= useless_change * found.limit))
        return fail_to_converge(self, found.change, error);
    self->unsolved = true;
    count_solve(&self->stepper.counts, 0, found.change * moreau_jean_newton_tolerance / found.limit);
    return CAROM_OK;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    moreau_jean *self = (moreau_jean *)stepper;
    carom_state *state = &stepper->state;
    const size_t bytes = (size_t)stepper->dof * sizeof(double);
    if (self->bodies)
        return body_step_move(self->bodies, error);
    self->t = step_end(stepper);
    carom_status status = self->chosen.work ? strike(self, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = find_active(self, error);
    if (status == CAROM_OK)
        compare_with_past(self);
    if (status == CAROM_OK)
        status = begin_force(self, error);
    if (status == CAROM_OK)
        status = find_velocity(self, error);
    if (status == CAROM_OK && self->projection)
        status = moreau_jean_project(self, error);
    if (status != CAROM_OK) {
        chosen_impact_undo(&self->chosen, state);
        return status;
    }
    if (self->force_known)
        exchange(&self->force_old, &self->force_new);
    stepper->counts.steps++;
    stepper->counts.unsolved += self->unsolved;
    stepper->counts.fixed_rows += self->rows_fixed && self->may_fix_rows;
    state->t = self->t;
    if (self->projection)
        memcpy(state->q, self->q, bytes);
    else
        moreau_jean_move(self, 1.0, state->q);
    remember_velocity(self);
    carom_copy(stepper->dof, self->v, state->v);
    moreau_jean_record_contacts(self);
    if (self->joints.count > 0)
        memcpy(self->joint_impulse, self->joint_now, (size_t)self->joints.count * sizeof(double));
    if (self->chosen.count > 0) {
        chosen_impact_add_impulses(&self->chosen, state);
        chosen_impact_add_reactions(&self->chosen, self->joint_impulse);
        self->clean = false;
    }
    return CAROM_OK;
}

static carom_status renew(carom_stepper *stepper, carom_error *error)
{
    (void)error;
    moreau_jean *self = (moreau_jean *)stepper;
    self->force_known = self->force_known && stepper->model->constant_force;
    self->past.smooth = 0;
    return CAROM_OK;
}

static int body_points(const carom_stepper *stepper, int room, carom_body_point *point)
{
    const moreau_jean *self = (const moreau_jean *)stepper;
    return self->bodies ? body_step_points(self->bodies, room, point) : 0;
}

const carom_scheme_ops scheme_moreau_jean = {
    .name = "moreau-jean",
    .summary = "implicit theta method with restitution and friction, any mass matrix (Jean, Moreau 1987)",
    .options = moreau_jean_options,
    .option_count = JEAN_OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION |
                 CAROM_SCHEME_FRICTION | CAROM_SCHEME_FRICTION_FORCES | CAROM_SCHEME_JOINTS |
                 CAROM_SCHEME_REACTIONS | CAROM_SCHEME_BODIES,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_LCP) | CAROM_SCHEME_SOLVES(CAROM_PROBLEM_STEP),
    .size = sizeof(moreau_jean),
    .accepts = moreau_jean_accepts,
    .setup = moreau_jean_setup,
    .step = step,
    .free = moreau_jean_free,
    .keep = moreau_jean_keep,
    .renew = renew,
    .body_points = body_points,
    .tangent = &moreau_jean_tangent,
    .lanes = &moreau_jean_lanes,
};
