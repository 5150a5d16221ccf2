/* Moreau-Jean: implicit theta method on the velocity level with Newton's restitution and Coulomb friction,
 * for any mass matrix.
 *
 *   M(q_m)(v - v_n) = h [(1 - theta) f_n + theta f(t_{n+1}, q, v)] + H(q)^T p,
 *   q = q_n + h ((1 - theta) v_n + theta v),   q_m = q_n + theta (q - q_n),
 *
 * p and H(q) v of the contacts with gap(q_n + prediction h v_n) <= 0 in the laws of impact and friction. A
 * Newton iteration on v, each with one contact problem. Outputs at t0 + n h. Joints are rows with the
 * equation G(q) v + g_t = 0 and impulses along (1 - theta) G(q_n) + theta G(q), eliminated before the contacts
 * (jean_joints.c). A friction force is a contact that is always closed, with the normal impulse h.
 *
 * For an affine force, constant mass and constant rows the first iteration is the solution: the second only
 * confirms its free velocity, without another contact problem, and the force that it evaluates at the end of
 * the step is the one that the next step begins with. */
#include "moreau_jean.h"

#include <math.h>
#include <string.h>

#include "scheme/body_step.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/contact_warnings.h"
#include "scheme/parts/joints_start.h"
#include "scheme/parts/mass_factor.h"

enum {
    OPTION_THETA,
    OPTION_PREDICTION,
    OPTION_IMPACT,
    OPTION_INITIAL = OPTION_IMPACT + IMPACT_OPTIONS,
    OPTION_PROJECTION,
    OPTION_JOINTS,
    OPTION_ROWS,
    OPTION_THREADS,
    OPTION_SOLVER,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS,
    ITERATIONS_MAX = 50,
    /* with other rows to fall back on: by when the change of an iterate must be a tenth of what it was ... */
    PATIENCE = 15,
    LOOK_BACK = 10 /* ... so many iterations before */
};

static const double newton_tolerance = 1e-12;
/* An iterate whose change is above this share says nothing of the velocity. */
static const double useless_change = 1e-3;

static const char *const initial_choices[] = {"check", "project", NULL};
enum {
    PROJECTION_AUTO,
    PROJECTION_OFF,
    PROJECTION_ON
};
static const char *const projection_choices[] = {"auto", "off", "on", NULL};
static const char *const joints_choices[] = {"theta", "end", NULL};
enum {
    ROWS_AUTO,
    ROWS_END,
    ROWS_PREDICTED
};
static const char *const rows_choices[] = {"auto", "end", "predicted", NULL};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_THETA] = {"theta", 0.5, 0.5, 1.0, NULL,
                      "implicitness: 0.5 keeps the energy of linear systems, 1 is backward Euler"},
    [OPTION_PREDICTION] = {"prediction", 0.5, 0.0, 1.0, NULL,
                           "a contact is active when its gap at q + prediction h v is not positive"},
    CHOSEN_IMPACT_OPTIONS(OPTION_IMPACT),
    [OPTION_INITIAL] = {"initial", 0.0, 0.0, 1.0, initial_choices,
                        "joints that the initial data do not satisfy: an error, or the data are corrected"},
    [OPTION_PROJECTION] =
        {"projection", 0.0, 0.0, 2.0, projection_choices,
         "on: the position is put back on the joints, or out of penetration, after each step; auto: of "
         "bodies"},
    [OPTION_JOINTS] = {"joints", 0.0, 0.0, 1.0, joints_choices,
                       "where joints act, like other forces by theta, or at the end of the step: damped"},
    [OPTION_ROWS] =
        {"rows", 0.0, 0.0, 2.0, rows_choices,
         "where contacts act: along the rows of the end of the step, or of the predicted position; auto: of "
         "the end, of bodies and where those do not settle of the predicted position"},
    [OPTION_THREADS] = {"threads", 1.0, 1.0, 64.0, NULL,
                        "of bodies: islands that do not touch each other are solved by so many threads, with "
                        "the same result"},
    CONTACT_SOLVER_OPTIONS(OPTION_SOLVER, solver_automatic, &carom_lcp_solvers, &carom_step_solvers,
                           "of contacts; auto, or the name of one without friction or of one with it"),
};

static carom_status accepts(const carom_model *model, carom_error *error)
{
    char able[200];
    for (int k = 0; k < model->contacts; k++)
        if (model->contact[k].friction.dynamic_cone.shape == &carom_friction_weakening)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "friction force '%s' weakens with the slip, which scheme 'moreau-jean' does not "
                "treat; take %s, or leave out static and decay",
                model->contact[k].name, carom_scheme_names_with(CAROM_SCHEME_INCLUSIONS, able, sizeof able));
    return CAROM_OK;
}

static bool take_memory(moreau_jean *self)
{
    const size_t dof = (size_t)self->stepper.dof, contacts = (size_t)self->stepper.contacts;
    carom_arena *arena = self->stepper.arena;
    double **vectors[] = {&self->q,         &self->v,         &self->v_new,  &self->q_mid,
                          &self->force_old, &self->force_new, &self->v_free, &self->v_free_last,
                          &self->v_cycle,   &self->q_rows};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    self->gap = carom_arena_take(arena, contacts, sizeof(double));
    self->target = carom_arena_take(arena, contacts, sizeof(double));
    self->active = carom_arena_take(arena, contacts, sizeof(int));
    if (!contact_rows_take(&self->rows, arena, self->stepper.model,
                           self->is_sparse ? RESPONSES_NONE : RESPONSES_FULL))
        return false;
    self->stepper.frame = self->rows.frame;
    if (!self->gap || !self->target || !self->active)
        return false;
    if (self->is_sparse)
        return moreau_jean_sparse_take(self) && joint_system_take(&self->joints, arena, self->stepper.work);
    double **matrices[] = {&self->mass, &self->by_q, &self->by_u};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        if (!(*matrices[i] = carom_arena_take(arena, carom_product(dof, dof), sizeof(double))))
            return false;
    return newton_matrix_take(&self->newton, arena, self->stepper.dof) &&
           friction_assembly_take(&self->assembly, arena, self->stepper.model, &self->rows, self->active) &&
           moreau_jean_joints_take(self);
}

/* Closed contacts that do not slip at the start begin as sticking: the static cone rules them. */
static carom_status set_up_contacts(moreau_jean *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    if (self->stepper.contacts > 0)
        self->stepper.model->ops->gaps(self->stepper.work, self->stepper.t0, state->q, self->gap);
    for (int contact = 0; contact < self->stepper.contacts; contact++) {
        const carom_contact_info *info = &self->stepper.model->contact[contact];
        self->stepper.model->ops->frame(self->stepper.work, contact, self->stepper.t0, state->q,
                                        &self->rows.frame[contact]);
        carom_status status = contact_check(info, &self->rows.frame[contact], error);
        if (status != CAROM_OK)
            return status;
        bool sticks = self->gap[contact] <= 0.0 && info->tangents > 0;
        for (int k = 1; sticks && k <= info->tangents; k++)
            sticks = contact_velocity(&self->rows, contact, k, state->v) == 0.0;
        state->regime[contact] = sticks                 ? CAROM_CONTACT_STICK
                                 : info->friction_force ? CAROM_CONTACT_SLIP
                                                        : CAROM_CONTACT_OPEN;
    }
    warn_about_start(&self->stepper.warnings, self->stepper.model, &self->rows, self->gap, state->v);
    return refuse_absent_contacts(&self->stepper, self->gap, error);
}

static const char *impact_law_of(const double *option)
{
    return carom_option_word(&options[OPTION_IMPACT + IMPACT_OPTION_LAW],
                             (int)option[OPTION_IMPACT + IMPACT_OPTION_LAW]);
}

/* The law's contact space would need the joints eliminated. */
static carom_status check_impact_law(const carom_model *model, const double *option, carom_error *error)
{
    const int law = (int)option[OPTION_IMPACT + IMPACT_OPTION_LAW];
    if (model->joints == 0 || law == 0)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "impact_law=%s does not treat joints ('%s' is one); leave out impact_law: the scheme's own law "
        "does",
        carom_option_word(&options[OPTION_IMPACT + IMPACT_OPTION_LAW], law), model->joint[0]);
}

/* Bodies have steps of their own, of the same scheme. */
static carom_status set_up_bodies(moreau_jean *self, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const double *option = stepper->option;
    body_step_options given = {.theta = option[OPTION_THETA],
                               .prediction = option[OPTION_PREDICTION],
                               .projection = option[OPTION_PROJECTION] != PROJECTION_OFF,
                               .threads = (int)option[OPTION_THREADS],
                               .limits = contact_solver_limits(stepper)};
    const char *law = impact_law_of(option);
    if (strcmp(law, carom_impact_moreau.name) == 0)
        given.impact = BODY_IMPACT_MOREAU;
    else if (option[OPTION_IMPACT + IMPACT_OPTION_LAW] != 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "impact_law=%s does not treat bodies; take impact_law=%s, which cannot gain "
                          "energy, or leave it out: the scheme's own law is Newton's",
                          law, carom_impact_moreau.name);
    if (option[OPTION_ROWS] == ROWS_END)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "rows=end does not treat bodies, whose contacts act along the rows of the predicted "
            "position; leave out rows");
    const carom_solver_ops *chosen = carom_scheme_solver(stepper->ops, option, CAROM_PROBLEM_STEP);
    if (chosen == &carom_step_auto)
        chosen = NULL; /* that of COULOMB has the same name */
    if (chosen && chosen->kind != CAROM_PROBLEM_COULOMB)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "solver '%s' is not for bodies, whose contacts come and go; carom list solvers has those of "
            "kind coulomb",
            chosen->name);
    if (carom_scheme_solver(stepper->ops, option, CAROM_PROBLEM_LCP))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "solver '%s' is for contacts without friction; bodies take auto or one of kind coulomb (carom "
            "list solvers)",
            carom_scheme_solver(stepper->ops, option, CAROM_PROBLEM_LCP)->name);
    given.solver = chosen;
    given.corrects_start = option[OPTION_INITIAL] != 0.0;
    return body_step_create(&self->stepper, &given, &self->bodies, error);
}

static void evaluate_mass(moreau_jean *self, double t, const double *q)
{
    if (self->is_sparse)
        moreau_jean_sparse_mass(self, t, q);
    else
        self->stepper.model->ops->mass(self->stepper.work, t, q, self->mass);
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    moreau_jean *self = (moreau_jean *)stepper;
    const carom_model *model = stepper->model;
    const double *option = stepper->option;
    carom_state *state = &stepper->state;
    if (model->has_bodies)
        return set_up_bodies(self, error);
    self->theta = option[OPTION_THETA];
    self->prediction = option[OPTION_PREDICTION];
    self->joint_share = option[OPTION_JOINTS] == 0.0 ? 1.0 - self->theta : 0.0;
    self->projection = option[OPTION_PROJECTION] == PROJECTION_ON && model->joints > 0;
    self->looseness = fmax(1.0, 0.01 * contact_solver_limits(stepper).tolerance / newton_tolerance);
    self->may_fix_rows = option[OPTION_ROWS] == ROWS_AUTO;
    self->always_fix_rows = option[OPTION_ROWS] == ROWS_PREDICTED;
    self->oblique = moreau_jean_is_oblique(stepper, impact_law_of(option));
    self->is_sparse = moreau_jean_takes_sparse(self);
    carom_status status = self->is_sparse ? CAROM_OK : moreau_jean_check_full(self, error);
    if (status != CAROM_OK)
        return status;
    if (!take_memory(self))
        return carom_fail_memory(error);
    self->sparse.contacts.tolerance = contact_solver_limits(stepper).tolerance;
    self->assembly.h = stepper->h;
    bool diagonal = false;
    status = check_impact_law(model, option, error);
    if (status == CAROM_OK && model->joints > 0)
        status = joints_prepare_start(stepper->work, state->t, option[OPTION_INITIAL] != 0.0, state->q,
                                      state->v, &stepper->warnings, error);
    if (status == CAROM_OK)
        status = mass_check(stepper->work, state->t, state->q, &diagonal, error);
    if (status != CAROM_OK)
        return status;
    if (model->constant_mass) {
        evaluate_mass(self, state->t, state->q);
        self->mass_diagonal = diagonal;
        self->constant_newton = model->constant_force_jacobian;
        self->affine = model->affine_force;
    }
    status = set_up_contacts(self, error);
    if (status == CAROM_OK && !self->is_sparse)
        status = normal_lcp_setup(&self->lcp, stepper, error);
    if (status == CAROM_OK && !self->is_sparse)
        status = friction_assembly_choose(&self->assembly, stepper, error);
    if (status == CAROM_OK && !self->oblique) /* that law is part of the contact problem */
        status = chosen_impact_create(stepper, OPTION_IMPACT, &self->chosen, error);
    return status;
}

static void free_parts(carom_stepper *stepper)
{
    moreau_jean *self = (moreau_jean *)stepper;
    if (self->bodies) {
        body_step_free(self->bodies);
        return;
    }
    chosen_impact_free(&self->chosen);
    moreau_jean_sparse_free(self);
    normal_lcp_free(&self->lcp);
    friction_assembly_free(&self->assembly);
}

/* Matrices, rows and their factors that stay from step to step depend on nothing that changes, or are found again when
 * it did; the force at the end of a step is that of the next one's start. */
static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    moreau_jean *self = (moreau_jean *)stepper;
    const size_t bytes = (size_t)stepper->dof * sizeof(double);
    if (self->bodies) {
        body_step_keep(self->bodies, snapshot);
        return;
    }
    carom_snapshot_block(snapshot, &self->force_known, sizeof self->force_known);
    carom_snapshot_block(snapshot, self->force_old, bytes);
    carom_snapshot_block(snapshot, self->force_new, bytes);
    carom_snapshot_block(snapshot, &self->clean, sizeof self->clean);
    if (self->joint_impulse)
        carom_snapshot_block(snapshot, self->joint_impulse,
                             (size_t)stepper->model->joints * sizeof *self->joint_impulse);
    if (!self->is_sparse) {
        normal_lcp_keep(&self->lcp, stepper->contacts, snapshot);
        contact_solver_keep(self->assembly.solver, snapshot);
    } else if (!sparse_matrix_is_reproducible(&self->sparse.newton) ||
               !sparse_matrix_is_reproducible(&self->sparse.contacts.matrix))
        snapshot->failed = true;
    chosen_impact_keep(&self->chosen, snapshot);
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
    self->rows_fixed = self->unsolved = self->restitution_known = false;
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
        if (self->gap[contact] > 0.0)
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
    self->stepper.model->ops->force_jacobian(self->stepper.work, self->t, self->q, self->v, self->by_q,
                                             self->by_u);
    for (int i = 0; i < n * n; i++)
        self->by_q[i] = self->mass[i] - by_velocity * self->by_u[i] - by_position * self->by_q[i];
    self->newton_symmetric = true;
    self->for_contacts = self->active_count > 0;
    for (int i = 0; i < n; i++)
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
    const bool factored = self->is_sparse ? self->sparse.newton.known : self->newton.factored;
    if (self->constant_newton && factored &&
        (self->newton_symmetric || self->for_contacts == (self->active_count > 0)))
        return CAROM_OK;
    int bad_row = 0;
    if (self->is_sparse) {
        moreau_jean_sparse_newton(self);
        bad_row = sparse_matrix_factor(&self->sparse.newton);
    } else {
        evaluate_newton(self);
        bad_row = newton_matrix_factor(&self->newton, self->by_q);
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

/* What the step depends on at the iterate v: its position, force, mass and Newton matrix. */
static carom_status evaluate(moreau_jean *self, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const carom_model *model = stepper->model;
    if (!model->constant_force || !self->rows_constant)
        moreau_jean_move(self, 1.0, self->q);
    if (!model->constant_force)
        model->ops->force(stepper->work, self->t, self->q, self->v, self->force_new);
    if (!model->constant_mass) {
        moreau_jean_move(self, self->theta, self->q_mid);
        evaluate_mass(self, stepper->state.t + self->theta * stepper->h, self->q_mid);
    }
    return prepare_newton(self, error);
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

/* v_free = v + H^-1 (h f_theta - M (v - v_n)) with the Newton matrix H; in the first iteration v is v_n. */
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

/* The largest |next - now|, and how large it may be when they are to agree. */
static double velocity_change(int n, const double *next, const double *now, double *limit)
{
    double change = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
        double difference = fabs(next[i] - now[i]), magnitude = fabs(now[i]);
        if (difference > change)
            change = difference;
        if (magnitude > size)
            size = magnitude;
    }
    *limit = newton_tolerance * (1.0 + size);
    return change;
}

/* True when the contact problem is that of the last iterate: its matrix and rows do not depend on the
 * iterate, and its free velocity is the same. */
static bool is_confirmed(const moreau_jean *self)
{
    double limit = 0.0;
    return self->constant_newton && self->rows_constant &&
           velocity_change(self->stepper.dof, self->v_free, self->v_free_last, &limit) <= limit;
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
    if (velocity_change(self->stepper.dof, self->v, self->v_cycle, &limit) <= 1e-6 * change)
        return "it goes to and fro: a force, a joint or a contact jumps there, and no step helps where "
               "the motion leads there; smooth the jump, or write a jump of a force as friction_force";
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

/* Newton's method for the velocity at the end of the step, from v_n. */
static carom_status iterate(moreau_jean *self, bool patient, settling *found, carom_error *error)
{
    const size_t bytes = (size_t)self->stepper.dof * sizeof(double);
    double changes[ITERATIONS_MAX];
    *found = (settling){.settled = true};
    memcpy(self->v, self->stepper.state.v, bytes);
    if (self->joints.count > 0)
        moreau_jean_begin_joints(self);
    for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
        carom_status status = evaluate(self, error);
        if (status == CAROM_OK)
            status = find_free_velocity(self, iteration == 0, error);
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
        if (self->affine && self->rows_constant) { /* Newton's method ends after one step */
            memcpy(self->v, next, bytes);
            return CAROM_OK;
        }
        found->change = velocity_change(self->stepper.dof, next, self->v, &found->limit);
        memcpy(self->v, next, bytes);
        if (found->change <= self->looseness * found->limit)
            return CAROM_OK;
        changes[iteration] = found->change;
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
    if (self->active_count == 0 || !(found.change * newton_tolerance <= useless_change * found.limit))
        return fail_to_converge(self, found.change, error);
    self->unsolved = true;
    count_solve(&self->stepper.counts, 0, found.change * newton_tolerance / found.limit);
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
    memcpy(state->v, self->v, bytes);
    moreau_jean_record_contacts(self);
    if (self->joints.count > 0)
        memcpy(self->joint_impulse, self->joint_now, (size_t)self->joints.count * sizeof(double));
    if (self->chosen.count > 0) {
        chosen_impact_add_impulses(&self->chosen, state);
        self->clean = false;
    }
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
    .options = options,
    .option_count = OPTION_COUNT,
    .abilities = CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION | CAROM_SCHEME_FRICTION |
                 CAROM_SCHEME_FRICTION_FORCES | CAROM_SCHEME_JOINTS | CAROM_SCHEME_REACTIONS |
                 CAROM_SCHEME_BODIES,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_LCP) | CAROM_SCHEME_SOLVES(CAROM_PROBLEM_STEP),
    .size = sizeof(moreau_jean),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .free = free_parts,
    .keep = keep,
    .body_points = body_points,
};
