/* Newmark's method with the obstacles imposed on the new position, for linear structures: Dumont and Paoli
 * 2008; with restitution, beta = 1/4 and the load at the instants it is the scheme of Paoli 2001, section 3c.
 *
 *   A u^{n+1} - B u^n + A' u^{n-1} = h^2 g^n + D^T r,
 *   A, A' = M + h^2 beta S +- h/2 C,   B = 2 M - h^2 (1 - 2 beta) S,
 *   z = (u^{n+1} + e u^{n-1}) / (1 + e),   lower <= D z <= upper, r complementary to it.
 *
 * With the increments d^n = u^n - u^{n-1} and y = (d^{n+1} - d^n) / (1 + e) this is one quadratic program
 * with the constant matrix A,
 *
 *   (1 + e) A y = h^2 (g^n - S u^n) - h C d^n + D^T r,   z = u^n + (1 - e)/(1 + e) d^n + y,
 *
 * where rounding of the large numbers in A meets the small y only, and the sums u^n + d^{n+1} lose the fewest
 * digits. Reactions are forces r / h^2, impulses r / h.
 *
 * Discrete energy of the outputs n - 1 and n, kept by free motion without damping for every beta, and by e =
 * 0 never increased:
 *
 *   E^n = 1/2 v.(M + h^2 beta S) v + 1/2 u^n.S u^{n-1},   v = d^n / h.
 *
 * Output n is t_n = t0 + n h, u^n, v (the initial velocity for n = 0) and E^n (that of the first pair for n =
 * 0). */
#include "newmark_contact.h"

#include <math.h>
#include <string.h>

#include "newmark_checks.h"
#include "scheme/parts/step_report.h"

static const char *const load_words[] = {"mean", "instant", NULL};
static const char *const start_words[] = {"euler", "taylor2", NULL};
static const char *const solver_words[] = {"active-set", "dual", NULL}; /* of qp-active-set, qp-dual */

static const carom_option_info options[NEWMARK_OPTION_COUNT] = {
    [NEWMARK_OPTION_BETA] =
        {"beta", 0.5, 0.0, 0.5, NULL,
         "weight of the stiffness at the new and the old instant; below 1/4 the step is limited"},
    [NEWMARK_OPTION_LOAD] = {"load", 0.0, 0.0, 1.0, load_words,
                             "the load of an instant is its mean over the step that follows, or its value"},
    [NEWMARK_OPTION_START] = {"start", 0.0, 0.0, 1.0, start_words,
                              "first position: q0 + h v0, or with the second-order term of the force"},
    CONTACT_SOLVER_OPTIONS(NEWMARK_OPTION_SOLVER, solver_words, &carom_qp_solvers, NULL,
                           "of the quadratic program: primal-dual active set, or dual active set"),
};

static carom_status accepts(const carom_model *model, carom_error *error)
{
    char able[200];
    if (model->ops->structure)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "scheme 'newmark-contact' integrates linear structures (beam{...}); this model is given by "
        "expressions: take %s",
        carom_scheme_names_for(model, CAROM_SCHEME_RESTITUTION, able, sizeof able));
}

/* ---- set-up ---------------------------------------------------------------------------------------- */

static bool take_vectors(newmark_contact *self)
{
    const size_t rows = (size_t)self->structure->rows;
    double **vector[] = {&self->u,      &self->Su, &self->u_next, &self->Su_next, &self->d,
                         &self->d_next, &self->y,  &self->vector, &self->product};
    double **row_vector[] = {&self->r, &self->lower, &self->upper};
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
        if (!(*vector[i] = carom_arena_take(self->stepper.arena, (size_t)self->stepper.dof, sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof row_vector / sizeof row_vector[0]; i++)
        if (!(*row_vector[i] = carom_arena_take(self->stepper.arena, rows, sizeof(double))))
            return false;
    self->touched = carom_arena_take(self->stepper.arena, rows, sizeof *self->touched);
    return self->touched;
}

/* The largest displacement that a bound allows. */
static double bound_size(const carom_structure *s)
{
    double size = 0.0;
    for (int i = 0; i < s->rows; i++) {
        size = isfinite(s->lower[i]) ? fmax(size, fabs(s->lower[i])) : size;
        size = isfinite(s->upper[i]) ? fmax(size, fabs(s->upper[i])) : size;
    }
    return size;
}

static carom_status create_solver(newmark_contact *self, carom_error *error)
{
    const carom_structure *s = self->structure;
    const double a = s->damping_mass, b = s->damping_stiffness, h = self->stepper.h;
    const carom_band *M = &s->mass;
    if (!carom_band_take(self->stepper.arena, M->size, M->width, &self->A))
        return carom_fail_memory(error);
    /* A = (1 + a h/2) M + (h^2 beta + b h/2) S */
    carom_band_combine(M, 0.5 * a * h, M, &self->A);
    carom_band_combine(&self->A, h * h * self->beta + 0.5 * b * h, &s->stiffness, &self->A);
    self->program = (carom_qp){.size = self->stepper.dof,
                               .matrix = &self->A,
                               .rows = s->rows,
                               .row_start = s->row_start,
                               .column = s->column,
                               .entry = s->entry,
                               .lower = self->lower,
                               .upper = self->upper,
                               .vector = self->vector,
                               .row_size = bound_size(s)};
    return contact_solver_create(&self->stepper, CAROM_PROBLEM_QP, &carom_qp_active_set, &self->program, NULL,
                                 &self->solver, error);
}

static void stiffness_times(const newmark_contact *self, const double *u, double *Su)
{
    self->stepper.model->ops->stiffness_times(self->stepper.work, u, Su);
}

/* Cx = (a M + b S) x, with the damping's coefficients. */
static void damp(newmark_contact *self, const double *x, double *Cx)
{
    const carom_structure *s = self->structure;
    stiffness_times(self, x, Cx);
    carom_band_multiply(&s->mass, x, self->product);
    for (int i = 0; i < self->stepper.dof; i++)
        Cx[i] = s->damping_stiffness * Cx[i] + s->damping_mass * self->product[i];
}

static bool is_damped(const newmark_contact *self)
{
    return self->structure->damping_mass != 0.0 || self->structure->damping_stiffness != 0.0;
}

/* M a = load(t0) - S q0 - C v0, with S q0 already there. */
static carom_status initial_acceleration(newmark_contact *self, const double *v0, double *a,
                                         carom_error *error)
{
    const carom_structure *s = self->structure;
    carom_band factor;
    if (!carom_band_take(self->stepper.arena, self->stepper.dof, s->mass.width, &factor))
        return carom_fail_memory(error);
    carom_band_combine(&s->mass, 0.0, &s->mass, &factor);
    if (carom_band_factor(&factor) != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is not positive definite");
    self->stepper.model->ops->load(self->stepper.work, 1, &self->stepper.t0, &(const double){1.0}, a);
    damp(self, v0, self->vector);
    for (int i = 0; i < self->stepper.dof; i++)
        a[i] -= self->Su[i] + self->vector[i];
    carom_band_solve(&factor, a);
    return CAROM_OK;
}

/* u^0 and u^1, which must both be admissible. */
static carom_status start(newmark_contact *self, bool second_order, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const double *q0 = stepper->state.q, *v0 = stepper->state.v, h = stepper->h;
    memcpy(self->u, q0, (size_t)stepper->dof * sizeof *q0);
    stiffness_times(self, self->u, self->Su);
    carom_status status = newmark_check_position(stepper->model, self->structure, q0, "at the start",
                                                 "move the start inside", error);
    if (status == CAROM_OK && second_order)
        status = initial_acceleration(self, v0, self->y, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < stepper->dof; i++) {
        self->d_next[i] = h * (v0[i] + (second_order ? 0.5 * h * self->y[i] : 0.0));
        self->u_next[i] = q0[i] + self->d_next[i];
    }
    status = newmark_check_position(stepper->model, self->structure, self->u_next, "after the first step",
                                    "take a smaller step, or turn the initial velocity", error);
    if (status != CAROM_OK)
        return status;
    stiffness_times(self, self->u_next, self->Su_next);
    newmark_load_start(&self->load, stepper->t0);
    return CAROM_OK;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    newmark_contact *self = (newmark_contact *)stepper;
    const double *option = stepper->option;
    self->structure = stepper->model->ops->structure(stepper->work);
    self->beta = option[NEWMARK_OPTION_BETA];
    self->e = self->structure->restitution;
    if (!take_vectors(self) || !newmark_load_take(&self->load, stepper->arena, stepper->work, stepper->h,
                                                  self->beta, option[NEWMARK_OPTION_LOAD] == 0.0))
        return carom_fail_memory(error);
    newmark_warn_about_rest(stepper->model, self->structure, &stepper->warnings);
    carom_status status =
        newmark_check_step(self->structure, stepper->h, self->beta, &stepper->warnings, error);
    if (status == CAROM_OK)
        status = create_solver(self, error);
    if (status == CAROM_OK)
        status = start(self, option[NEWMARK_OPTION_START] != 0.0, error);
    return status;
}

/* The load from the state on; before the first step the position after it, too. */
static carom_status renew(carom_stepper *stepper, carom_error *error)
{
    newmark_contact *self = (newmark_contact *)stepper;
    if (stepper->counts.steps == 0)
        return start(self, stepper->option[NEWMARK_OPTION_START] != 0.0, error);
    newmark_load_renew(&self->load, stepper->state.t);
    return CAROM_OK;
}

static void free_solver(carom_stepper *stepper)
{
    carom_solver_free(((newmark_contact *)stepper)->solver);
}

/* ---- a step ------------------------------------------------------------------------------------------ */

/* vector = (h^2 (g^n - S u^n) - h C d^n) / (1 + e) */
static void make_vector(newmark_contact *self, double t_next)
{
    const int n = self->stepper.dof;
    const double h = self->stepper.h, h2 = h * h, e = self->e;
    double *restrict x = self->vector;
    const double *restrict Su = self->Su;
    if (is_damped(self)) {
        damp(self, self->d, x);
        for (int i = 0; i < n; i++)
            x[i] = -h * x[i] - h2 * Su[i];
    } else {
        for (int i = 0; i < n; i++)
            x[i] = -h2 * Su[i];
    }
    newmark_load_add(&self->load, t_next, x);
    if (e != 0.0)
        for (int i = 0; i < n; i++)
            x[i] /= 1.0 + e;
}

/* lower <= D (u^n + (1 - e)/(1 + e) d^n + y) <= upper */
static void make_bounds(newmark_contact *self)
{
    const carom_structure *s = self->structure;
    const double share = (1.0 - self->e) / (1.0 + self->e);
    const double *u = self->u, *d = self->d, *entry = s->entry;
    double *restrict lower = self->lower, *restrict upper = self->upper;
    const int *column = s->column;
    for (int row = 0, k = 0; row < s->rows; row++) {
        double known = 0.0;
        for (const int end = s->row_start[row + 1]; k < end; k++)
            known += entry[k] * (u[column[k]] + share * d[column[k]]);
        lower[row] = s->lower[row] - known;
        upper[row] = s->upper[row] - known;
    }
}

/* Why the program could not be solved. */
static carom_status fail_solve(newmark_contact *self, double t_next, const carom_solve_report *report,
                               carom_error *error)
{
    const long step = step_number(&self->stepper);
    const int bad = first_not_finite(self->stepper.dof, self->vector);
    if (bad == self->stepper.dof)
        return fail_step(
            error, t_next, step,
            "the quadratic program was not solved (%s: %s): error %g after %d iterations with %d rows at "
            "their bounds",
            self->solver->ops->name, carom_solve_word_text(report->word), report->error, report->iterations,
            report->active);
    self->stepper.end_word = "blowup";
    for (int k = 0; k < 3; k++) {
        const double *load = self->load.term[k];
        const int at = first_not_finite(self->stepper.dof, load);
        if (at < self->stepper.dof)
            return fail_step(error, t_next, step,
                             "the load on coordinate '%s' is %g around t = %g; it must be a finite number",
                             self->stepper.model->coordinate[at], isnan(load[at]) ? NAN : load[at],
                             t_next + (k - 2) * self->stepper.h);
    }
    return fail_step(error, t_next, step, "the motion of coordinate '%s' has left the range of numbers",
                     self->stepper.model->coordinate[bad]);
}

static carom_status solve(newmark_contact *self, double t_next, carom_error *error)
{
    carom_stepper *stepper = &self->stepper;
    make_vector(self, t_next);
    make_bounds(self);
    const carom_solve_report report = carom_solver_qp(self->solver, &self->program, self->y, self->r);
    if (report.status != CAROM_OK)
        return fail_solve(self, t_next, &report, error);
    count_report(&stepper->counts, &report);
    const double factor = 1.0 + self->e;
    const double *restrict u = self->u, *restrict d = self->d, *restrict y = self->y;
    double *restrict u_next = self->u_next, *restrict d_next = self->d_next;
    for (int i = 0; i < self->stepper.dof; i++) {
        d_next[i] = d[i] + factor * y[i];
        u_next[i] = u[i] + d_next[i];
    }
    stiffness_times(self, self->u_next, self->Su_next);
    return CAROM_OK;
}

static void record_contact(carom_state *state, int contact, double impulse)
{
    state->impulse[CAROM_CONTACT_COMPONENTS * contact] = impulse;
    state->regime[contact] = impulse > 0.0 ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
}

static int contact_of(const carom_structure *s, int row, double r)
{
    return r > 0.0 ? s->lower_contact[row] : s->upper_contact[row];
}

/* Few rows touch, so only those are written: first those of the output before are opened. */
static void record_contacts(newmark_contact *self)
{
    carom_state *state = &self->stepper.state;
    const double factor = (1.0 + self->e) / self->stepper.h;
    for (int k = 0; k < self->touching; k++)
        record_contact(state, self->touched[k], 0.0);
    self->touching = 0;
    for (int row = 0; row < self->structure->rows; row++) {
        if (self->r[row] == 0.0)
            continue;
        const int contact = contact_of(self->structure, row, self->r[row]);
        record_contact(state, contact, factor * fabs(self->r[row]));
        self->touched[self->touching++] = contact;
    }
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    newmark_contact *self = (newmark_contact *)stepper;
    carom_state *state = &stepper->state;
    const double t_next = step_end(stepper);
    if (stepper->counts.steps > 0) { /* the first position stands ready since the start */
        const carom_status status = solve(self, t_next, error);
        if (status != CAROM_OK)
            return status;
        record_contacts(self);
    }
    double *restrict v = state->v;
    const double *restrict d = self->d_next;
    for (int i = 0; i < self->stepper.dof; i++)
        v[i] = d[i] / self->stepper.h;
    memcpy(state->q, self->u_next, (size_t)self->stepper.dof * sizeof *state->q);
    state->t = t_next;
    stepper->counts.steps++;
    exchange(&self->u, &self->u_next);
    exchange(&self->Su, &self->Su_next);
    exchange(&self->d, &self->d_next);
    return CAROM_OK;
}

/* Of the positions u (the later one) and u_before with d = u - u_before:
 * 1/2 v.(M + h^2 beta S) v + 1/2 u.S u_before, v = d / h. */
static double pair_energy(newmark_contact *self, const double *u, const double *Su, const double *d,
                          const double *Su_before)
{
    const double h = self->stepper.h, h2beta = h * h * self->beta;
    double kinetic = 0.0, potential = 0.0;
    carom_band_multiply(&self->structure->mass, d, self->product);
    for (int i = 0; i < self->stepper.dof; i++) {
        kinetic += d[i] * (self->product[i] + h2beta * (Su[i] - Su_before[i]));
        potential += u[i] * Su_before[i];
    }
    return 0.5 * kinetic / (h * h) + 0.5 * potential;
}

/* Before the first step the pair that begins is meant, afterwards the one that has ended. */
static double energy(carom_stepper *stepper)
{
    newmark_contact *self = (newmark_contact *)stepper;
    if (stepper->counts.steps == 0)
        return pair_energy(self, self->u_next, self->Su_next, self->d_next, self->Su);
    return pair_energy(self, self->u, self->Su, self->d, self->Su_next); /* exchanged: next is before */
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    newmark_contact *self = (newmark_contact *)stepper;
    const size_t dof = (size_t)stepper->dof, rows = (size_t)self->structure->rows;
    double *const vector[] = {
        self->u,      self->Su, self->u_next,       self->Su_next,      self->d,
        self->d_next, self->y,  self->load.term[0], self->load.term[1], self->load.term[2]};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        carom_snapshot_block(snapshot, vector[i], dof * sizeof(double));
    carom_snapshot_block(snapshot, self->r, rows * sizeof *self->r);
    carom_snapshot_block(snapshot, &self->touching, sizeof self->touching);
    carom_snapshot_block(snapshot, self->touched, rows * sizeof *self->touched);
    contact_solver_keep(self->solver, snapshot);
}

const carom_scheme_ops scheme_newmark_contact = {
    .name = "newmark-contact",
    .summary =
        "Newmark's beta family with obstacles on the new position and restitution, for linear structures "
        "such as beams (Dumont and Paoli 2008; Paoli 2001)",
    .options = options,
    .option_count = NEWMARK_OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_RESTITUTION | CAROM_SCHEME_STRUCTURES,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_QP),
    .size = sizeof(newmark_contact),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .free = free_solver,
    .keep = keep,
    .renew = renew,
    .energy = energy,
    .tangent = &newmark_tangent,
};
