/* Moreau-Jean: implicit theta method on the velocity level with Newton's restitution and Coulomb friction,
 * for any mass matrix.
 *
 *   M(q_m)(v - v_n) = h [(1 - theta) f_n + theta f(t_{n+1}, q, v)] + H(q)^T p,
 *   q = q_n + h ((1 - theta) v_n + theta v),   q_m = q_n + theta (q - q_n),
 *
 * p and H(q) v of the contacts with gap(q_n + prediction h v_n) <= 0 in the laws of impact and friction. A
 * Newton iteration on v, each with one contact problem. Outputs at t0 + n h. Joints are rows with the
 * equation G(q) v + g_t = 0, eliminated before the contacts (moreau_jean_joints.c). A friction force is a
 * contact that is always closed, with the normal impulse h.
 *
 * For an affine force, constant mass and constant rows the first iteration is the solution: the second only
 * confirms its free velocity, without another contact problem, and the force that it evaluates at the end of
 * the step is the one that the next step begins with. */
#include "moreau_jean.h"

#include <math.h>
#include <string.h>

#include "scheme/parts/constant_mass.h"
#include "scheme/parts/joints_start.h"
#include "scheme/parts/new_stepper.h"
#include "scheme/parts/start_warnings.h"
#include "scheme/parts/step_failure.h"

enum {
    OPTION_THETA,
    OPTION_PREDICTION,
    OPTION_IMPACT,
    OPTION_INITIAL = OPTION_IMPACT + IMPACT_OPTIONS,
    OPTION_PROJECTION,
    OPTION_COUNT,
    ITERATIONS_MAX = 50
};

static const double newton_tolerance = 1e-12;

static const char *const initial_choices[] = {"check", "project", NULL};
static const char *const projection_choices[] = {"off", "on", NULL};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_THETA] = {"theta", 0.5, 0.5, 1.0, NULL,
                      "implicitness: 0.5 keeps the energy of linear systems, 1 is backward Euler"},
    [OPTION_PREDICTION] = {"prediction", 0.5, 0.0, 1.0, NULL,
                           "a contact is active when its gap at q + prediction h v is not positive"},
    CHOSEN_IMPACT_OPTIONS(OPTION_IMPACT),
    [OPTION_INITIAL] = {"initial", 0.0, 0.0, 1.0, initial_choices,
                        "joints that the initial data do not satisfy: an error, or the data are corrected"},
    [OPTION_PROJECTION] = {"projection", 0.0, 0.0, 1.0, projection_choices,
                           "on: the position is put back on the joints after each step"},
};

static carom_status accepts(const carom_model *model, carom_error *error)
{
    for (int k = 0; k < model->contacts; k++)
        if (model->contact[k].friction.dynamic_cone.shape == CAROM_FRICTION_WEAKENING)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "friction force '%s' weakens with the slip, which scheme 'moreau-jean' does not "
                "treat; take dai-theta, or leave out static and decay",
                model->contact[k].name);
    return CAROM_OK;
}

static bool take_memory(moreau_jean *self)
{
    const size_t dof = (size_t)self->dof, contacts = (size_t)self->contacts;
    carom_arena *arena = self->arena;
    carom_state *state = &self->stepper.state;
    double **vectors[] = {&state->q,     &state->v,         &self->q,         &self->v,
                          &self->v_new,  &self->q_mid,      &self->force_old, &self->force_new,
                          &self->v_free, &self->v_free_last};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    double **matrices[] = {&self->mass, &self->by_q, &self->by_u};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        if (!(*matrices[i] = carom_arena_take(arena, dof * dof, sizeof(double))))
            return false;
    self->gap = carom_arena_take(arena, contacts, sizeof(double));
    self->target = carom_arena_take(arena, contacts, sizeof(double));
    self->active = carom_arena_take(arena, contacts, sizeof(int));
    state->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    state->branch = carom_arena_take(arena, contacts, 1);
    return self->gap && self->target && self->active && state->impulse && state->branch &&
           newton_matrix_take(&self->newton, arena, self->dof) &&
           contact_rows_take(&self->rows, arena, self->model) &&
           normal_lcp_take(&self->lcp, arena, self->contacts) &&
           friction_assembly_take(&self->assembly, arena, self->model, &self->rows, self->active) &&
           moreau_jean_joints_take(self);
}

static carom_status check_contact(const moreau_jean *self, int contact, carom_error *error)
{
    const carom_contact_info *info = &self->model->contact[contact];
    const carom_contact_frame *frame = &self->rows.frame[contact];
    if (info->has_restitution && !(frame->restitution >= 0.0 && frame->restitution <= 1.0))
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': restitution %g is not in [0, 1]", info->name,
                          frame->restitution);
    return carom_friction_law_check(&info->friction, frame->coefficients, info->tangents, info->name, error);
}

/* Closed contacts that do not slip at the start begin as sticking: the static cone rules them. */
static carom_status set_up_contacts(moreau_jean *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    if (self->contacts > 0)
        self->model_ops.gaps(self->work, self->t0, state->q, self->gap);
    for (int contact = 0; contact < self->contacts; contact++) {
        const carom_contact_info *info = &self->model->contact[contact];
        self->model_ops.frame(self->work, contact, self->t0, state->q, &self->rows.frame[contact]);
        carom_status status = check_contact(self, contact, error);
        if (status != CAROM_OK)
            return status;
        bool sticks = self->gap[contact] <= 0.0 && info->tangents > 0;
        for (int k = 1; sticks && k <= info->tangents; k++)
            sticks = contact_velocity(&self->rows, contact, k, state->v) == 0.0;
        state->branch[contact] = sticks                 ? CAROM_CONTACT_STICK
                                 : info->friction_force ? CAROM_CONTACT_SLIP
                                                        : CAROM_CONTACT_OPEN;
    }
    warn_about_start(&self->stepper.warnings, self->model, &self->rows, self->gap, state->v);
    return CAROM_OK;
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
        impact_law_choices[law], model->joint[0]);
}

static carom_status set_up(moreau_jean *self, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_error *error)
{
    if (!take_memory(self))
        return carom_fail_memory(error);
    carom_state *state = &self->stepper.state;
    state->t = self->t0;
    memcpy(state->q, q0, (size_t)self->dof * sizeof *q0);
    memcpy(state->v, v0, (size_t)self->dof * sizeof *v0);
    carom_status status = check_impact_law(self->model, settings->options, error);
    if (status == CAROM_OK && self->model->joints > 0)
        status = joints_prepare_start(self->work, self->t0, settings->options[OPTION_INITIAL] != 0.0,
                                      state->q, state->v, &self->stepper.warnings, error);
    constant_mass at_start; /* not kept: its checks are wanted, and its shape */
    if (status == CAROM_OK)
        status = constant_mass_create(self->arena, self->work, self->t0, state->q, &at_start, error);
    if (status != CAROM_OK)
        return status;
    if (self->model->constant_mass) {
        self->model_ops.mass(self->work, self->t0, state->q, self->mass);
        self->mass_diagonal = at_start.diagonal;
        self->constant_newton = self->model->constant_force_jacobian;
        self->affine = self->model->affine_force;
    }
    return set_up_contacts(self, error);
}

static void free_stepper(carom_stepper *stepper)
{
    if (!stepper)
        return;
    moreau_jean *self = (moreau_jean *)stepper;
    chosen_impact_free(&self->chosen);
    friction_assembly_free(&self->assembly);
    carom_arena_free(self->arena);
}

static carom_status create(carom_model_work *work, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_stepper **stepper, carom_error *error)
{
    carom_arena *arena = NULL;
    void *made = NULL;
    carom_status status = new_stepper(sizeof(moreau_jean), &carom_scheme_moreau_jean, work->model, settings,
                                      q0, v0, &made, &arena, error);
    if (status != CAROM_OK)
        return status;
    moreau_jean *self = made;
    self->arena = arena;
    self->work = work;
    self->model = work->model;
    self->model_ops = *work->model->ops;
    self->dof = work->model->dof;
    self->contacts = work->model->contacts;
    self->t0 = settings->t0;
    self->h = settings->h;
    self->theta = settings->options[OPTION_THETA];
    self->prediction = settings->options[OPTION_PREDICTION];
    self->projection = settings->options[OPTION_PROJECTION] != 0.0 && self->model->joints > 0;
    status = set_up(self, settings, q0, v0, error);
    self->assembly.h = self->h;
    if (status == CAROM_OK)
        status = chosen_impact_create(settings->options + OPTION_IMPACT, arena, work, self->t0, q0,
                                      &self->chosen, error);
    if (status != CAROM_OK) {
        free_stepper(&self->stepper);
        return status;
    }
    *stepper = &self->stepper;
    return CAROM_OK;
}

/* q = q_n + prediction h v_n */
static void predict(moreau_jean *self)
{
    const carom_state *state = &self->stepper.state;
    for (int i = 0; i < self->dof; i++)
        self->q[i] = state->q[i] + self->prediction * self->h * state->v[i];
}

/* A law that the user chose comes first: v_n becomes the velocity after its impact. */
static carom_status strike(moreau_jean *self, carom_error *error)
{
    carom_state *state = &self->stepper.state;
    if (!self->chosen.work)
        return CAROM_OK;
    predict(self);
    const carom_status status =
        chosen_impact_before_step(&self->chosen, &self->rows, state->t + self->prediction * self->h, self->q,
                                  state->t, state->q, state->v, &self->stepper, error);
    if (self->chosen.count > 0) /* the force was that of the velocity before */
        self->force_known = self->force_known && self->model->constant_force;
    return status;
}

/* Contacts with gap <= 0 at the predicted position, and the normal velocities that the impact law sets. */
static carom_status find_active(moreau_jean *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    const double ahead = self->prediction * self->h;
    self->active_count = 0;
    self->rows_constant = self->joints.constant;
    if (self->contacts == 0)
        return CAROM_OK;
    predict(self);
    self->model_ops.gaps(self->work, state->t + ahead, self->q, self->gap);
    for (int contact = 0; contact < self->contacts; contact++) {
        const carom_contact_info *info = &self->model->contact[contact];
        if (!isfinite(self->gap[contact]))
            return fail_step(error, self->t, self->stepper.counts.steps + 1,
                             "the gap of contact '%s' is %g; it must be a finite number", info->name,
                             self->gap[contact]);
        if (self->gap[contact] > 0.0)
            continue;
        self->active[self->active_count++] = contact;
        self->rows_constant = self->rows_constant && info->constant_rows;
        if (!info->constant_frame)
            self->model_ops.frame(self->work, contact, state->t, state->q, &self->rows.frame[contact]);
        const bool rebounds = info->has_restitution && !self->chosen.work;
        const double restitution = rebounds ? self->rows.frame[contact].restitution : 0.0;
        self->target[contact] = -restitution * contact_velocity(&self->rows, contact, 0, state->v);
    }
    return CAROM_OK;
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
           velocity_change(self->dof, self->v_free, self->v_free_last, &limit) <= limit;
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

static carom_status iterate(moreau_jean *self, carom_error *error)
{
    double change = 0.0, limit = 0.0;
    for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
        carom_status status = moreau_jean_free_velocity(self, iteration == 0, error);
        if (status != CAROM_OK)
            return status;
        if (iteration > 0 && is_confirmed(self)) {
            self->force_known = true; /* at the q and v with which the step ends */
            return CAROM_OK;
        }
        if (self->active_count > 0)
            status = moreau_jean_contacts(self, error);
        if (status != CAROM_OK)
            return status;
        const double *next = self->active_count > 0 ? self->v_new : self->v_free;
        if (self->affine && self->rows_constant) { /* Newton's method ends after one step */
            memcpy(self->v, next, (size_t)self->dof * sizeof *next);
            return CAROM_OK;
        }
        change = velocity_change(self->dof, next, self->v, &limit);
        memcpy(self->v, next, (size_t)self->dof * sizeof *next);
        if (change <= limit)
            return CAROM_OK;
        exchange(&self->v_free, &self->v_free_last);
    }
    if (self->joints.count > 0)
        return moreau_jean_joints_fail(self, change, ITERATIONS_MAX, error);
    return fail_step(error, self->t, self->stepper.counts.steps + 1,
                     "the velocity did not converge: it changed by %g in the last of %d iterations; take a "
                     "smaller step h",
                     change, ITERATIONS_MAX);
}

/* f_n, unless the step before has left it. */
static carom_status begin_force(moreau_jean *self, carom_error *error)
{
    const carom_state *state = &self->stepper.state;
    bool known = self->force_known;
    self->force_known = self->model->constant_force;
    if (known)
        return CAROM_OK;
    self->model_ops.force(self->work, state->t, state->q, state->v, self->force_old);
    if (self->model->constant_force)
        memcpy(self->force_new, self->force_old, (size_t)self->dof * sizeof *self->force_new);
    if (carom_all_finite(self->dof, self->force_old))
        return CAROM_OK;
    return fail_not_finite(error, state->t, self->stepper.counts.steps + 1, self->model, self->force_old,
                           state->v);
}

/* The velocity at the end of the step, in v. */
static carom_status find_velocity(moreau_jean *self, carom_error *error)
{
    carom_status status = find_active(self, error);
    if (status == CAROM_OK)
        status = begin_force(self, error);
    if (status != CAROM_OK)
        return status;
    memcpy(self->v, self->stepper.state.v, (size_t)self->dof * sizeof *self->v);
    return iterate(self, error);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    moreau_jean *self = (moreau_jean *)stepper;
    carom_state *state = &stepper->state;
    self->t = self->t0 + (double)(stepper->counts.steps + 1) * self->h;
    carom_status status = strike(self, error);
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
    state->t = self->t;
    if (self->projection)
        memcpy(state->q, self->q, (size_t)self->dof * sizeof *state->q);
    else
        moreau_jean_move(self, 1.0, state->q);
    memcpy(state->v, self->v, (size_t)self->dof * sizeof *state->v);
    moreau_jean_record_contacts(self);
    if (self->joints.count > 0)
        moreau_jean_record_joints(self);
    if (self->chosen.count > 0) {
        chosen_impact_add_impulses(&self->chosen, state);
        self->clean = false;
    }
    return CAROM_OK;
}

const carom_scheme_ops carom_scheme_moreau_jean = {
    .name = "moreau-jean",
    .summary = "implicit theta method with restitution and friction, any mass matrix (Jean, Moreau 1987)",
    .options = options,
    .option_count = OPTION_COUNT,
    .joints = true,
    .friction_forces = true,
    .accepts = accepts,
    .create = create,
    .step = step,
    .free = free_stepper,
};
