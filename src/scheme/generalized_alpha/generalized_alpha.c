/* Generalized-alpha for motions with joints and impacts (Bruls, Acary and Cardona 2018): second order
 * where the motion is smooth, first order through impacts, with joints and closed contacts fulfilled at
 * the end of every step on the levels of position, velocity and acceleration (constraints=pva):
 *
 *   M v'- G^T lambda = f,   G v' + h = 0 on S          q = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a) + U
 *   M U - G^T nu     = 0,   g = 0 on A                 v = v_n + h ((1 - gamma) a_n + gamma a) + W
 *   M W - G^T Lambda = 0,   G v + e G_n v_n = 0 on B   (1 - alpha_m) a + alpha_m a_n = (1 - alpha_f) v' + ...
 *
 * all at the end of the step. Other choices of the rows are the methods that the authors compare with.
 *
 *   alpha_start     consistent accelerations          alpha_newton     corrections of the three problems
 *   alpha_sets      A, B and S                        alpha_friction   the problem of W with friction
 *   alpha_residual  residuals and the stopping test   alpha_saddle     matrices
 *
 * A step takes no memory, except for factors of wide matrices whose old pivots do not suit them. */
#include "generalized_alpha.h"

#include "alpha_tangent.h"

#include <math.h>
#include <string.h>

#include "scheme/parts/contact_solver.h"

enum {
    OPTION_RHO_INF,
    OPTION_CONSTRAINTS,
    OPTION_STRATEGY,
    OPTION_GATE,
    OPTION_TOL,
    OPTION_ITERATIONS,
    OPTION_INITIAL,
    OPTION_START,
    OPTION_SHIFT,
    OPTION_SOLVER,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS
};

enum {
    CONSTRAINTS_PVA,
    CONSTRAINTS_P,
    CONSTRAINTS_V,
    CONSTRAINTS_PV,
    CONSTRAINTS_PVV
};

static const char *const constraint_words[] = {"pva", "p", "v", "pv", "pvv", NULL};
static const char *const strategy_words[] = {"1", "2", "3", NULL};
static const char *const gate_words[] = {"0", "1", NULL};
static const char *const initial_words[] = {"check", "project", NULL};
static const char *const start_words[] = {"consistent", "zero", NULL};
static const char *const shift_words[] = {"ii", "i", NULL};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_RHO_INF] = {"rho_inf", 0.8, 0.0, 1.0, NULL,
                        "spectral radius at infinite frequency: 1 keeps all vibrations, 0 damps the fastest "
                        "in one step"},
    [OPTION_CONSTRAINTS] = {"constraints", CONSTRAINTS_PVA, 0.0, CONSTRAINTS_PVV, constraint_words,
                            "levels of the constraints: position, velocity, acceleration; p, v, pv: joints "
                            "only; pvv: as Bruls, Acary and Cardona 2014"},
    [OPTION_STRATEGY] = {"strategy", 2.0, 0.0, 2.0, strategy_words,
                         "forces of the smooth motion: 1 none, 2 of joints, 3 of joints and closed contacts"},
    [OPTION_GATE] = {"gate", 0.0, 0.0, 1.0, gate_words,
                     "1: a contact that rebounds has no smooth force, so that energy does not rise"},
    [OPTION_TOL] = {"tol", 1e-10, 0.0, 1.0, NULL, "tolerance of the iteration"},
    [OPTION_ITERATIONS] = {"iterations", 50.0, 1.0, 10000.0, NULL, "most iterations of a step"},
    [OPTION_INITIAL] = {"initial", 0.0, 0.0, 1.0, initial_words,
                        "joints that the start does not fulfil: an error, or corrected"},
    [OPTION_START] = {"start", 0.0, 0.0, 1.0, start_words,
                      "accelerations at the start: of the equations of motion, or zero"},
    [OPTION_SHIFT] = {"shift", 0.0, 0.0, 1.0, shift_words,
                      "a_0: ii the acceleration at t0, i that at the time which a_0 stands for"},
    CONTACT_SOLVER_OPTIONS(
        OPTION_SOLVER, solver_automatic, &carom_step_solvers, NULL,
        "of contacts with friction; without it the sets of contacts are found by the iteration"),
};

static carom_status accepts(const carom_model *model, carom_error *error)
{
    char able[200];
    if (model->ops->block && model->ops->block_pattern && model->ops->constraints)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "scheme 'generalized-alpha' needs the derivatives of the model's forces and gaps as "
                      "expressions give them; take %s for a beam",
                      carom_scheme_names_with(CAROM_SCHEME_STRUCTURES, able, sizeof able));
}

/* p, v and pv are methods for joints. */
static carom_status check_constraints(const generalized_alpha *self, int constraints, carom_error *error)
{
    if (constraints == CONSTRAINTS_PVA || constraints == CONSTRAINTS_PVV ||
        self->stepper.model->contacts == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "scheme '%s': constraints=%s treats joints only, and the model has "
                      "contact '%s'; take constraints=pva or pvv",
                      self->stepper.ops->name, constraint_words[constraints],
                      self->stepper.model->contact[0].name);
}

static void choose_constraints(generalized_alpha *self, int constraints)
{
    static const alpha_row rows[] = {[CONSTRAINTS_PVA] = ALPHA_ROW_ACCELERATION,
                                     [CONSTRAINTS_P] = ALPHA_ROW_POSITION,
                                     [CONSTRAINTS_V] = ALPHA_ROW_VELOCITY,
                                     [CONSTRAINTS_PV] = ALPHA_ROW_VELOCITY,
                                     [CONSTRAINTS_PVV] = ALPHA_ROW_SMOOTH_VELOCITY};
    self->row = rows[constraints];
    self->corrects_velocity = constraints == CONSTRAINTS_PVA || constraints == CONSTRAINTS_PVV;
    self->corrects_position = self->corrects_velocity || constraints == CONSTRAINTS_PV;
    if (constraints != CONSTRAINTS_PVA)
        self->strategy = 2;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool take_vectors(generalized_alpha *self)
{
    double **of_dof[] = {&self->acceleration, &self->shifted, &self->q, &self->v, &self->a,
                         &self->force,        &self->work_n};
    double **of_constraints[] = {&self->multiplier,
                                 &self->shifted_lambda,
                                 &self->rate_old,
                                 &self->restitution,
                                 &self->effective_mass,
                                 &self->eta,
                                 &self->nu_total,
                                 &self->impulse_total,
                                 &self->g,
                                 &self->g_t,
                                 &self->hq,
                                 &self->rate,
                                 &self->curvature,
                                 &self->smooth_rate,
                                 &self->work_m};
    bool taken = true;
    for (size_t i = 0; i < sizeof of_dof / sizeof *of_dof; i++)
        taken = taken && (*of_dof[i] = carom_arena_take(self->stepper.arena, (size_t)self->stepper.dof,
                                                        sizeof(double)));
    for (size_t i = 0; i < sizeof of_constraints / sizeof *of_constraints; i++)
        taken = taken && (*of_constraints[i] = carom_arena_take(self->stepper.arena,
                                                                (size_t)self->constraints, sizeof(double)));
    self->stepper.state.reaction = self->impulse_total; /* joints are its first entries */
    return taken;
}

static bool take_levels(generalized_alpha *self)
{
    const size_t n = (size_t)self->stepper.dof, m = (size_t)self->constraints;
    for (alpha_part part = 0; part < ALPHA_PARTS; part++) {
        alpha_level *level = &self->level[part];
        level->x = carom_arena_take(self->stepper.arena, n, sizeof(double));
        level->y = carom_arena_take(self->stepper.arena, m, sizeof(double));
        level->acts = carom_arena_take(self->stepper.arena, m, sizeof(bool));
        level->residual = carom_arena_take(self->stepper.arena, n + m, sizeof(double));
        if (!level->x || !level->y || !level->acts || !level->residual)
            return false;
    }
    alpha_cycle *cycle = &self->cycle;
    cycle->emphasis = carom_arena_take(self->stepper.arena, m, sizeof(double));
    cycle->best_A = carom_arena_take(self->stepper.arena, m, sizeof(bool));
    cycle->best_B = carom_arena_take(self->stepper.arena, m, sizeof(bool));
    cycle->last = carom_arena_take(self->stepper.arena, 3 * m, sizeof(bool));
    return cycle->emphasis && cycle->best_A && cycle->best_B && cycle->last;
}

static bool take_blocks(generalized_alpha *self)
{
    for (carom_mechanism_block block = 0; block < CAROM_BLOCKS; block++) {
        self->block[block] = *self->stepper.model->ops->block_pattern(self->stepper.model, block);
        const size_t entries = (size_t)self->block[block].column_start[self->block[block].columns];
        if (!(self->entry[block] = carom_arena_take(self->stepper.arena, entries, sizeof(double))))
            return false;
        self->block[block].value = self->entry[block];
    }
    return true;
}

/* Rows of a large sparse model can be looked at one by one. */
static bool take_row_lists(generalized_alpha *self)
{
    const carom_sparse *rows = &self->block[CAROM_BLOCK_ROWS];
    carom_arena *arena = self->stepper.arena;
    if (!carom_model_is_sparse(self->stepper.model) || self->constraints == 0)
        return true;
    const size_t entries = (size_t)carom_sparse_entries(rows);
    int *start = carom_arena_take(arena, (size_t)self->constraints + 2, sizeof *start);
    self->row_column = carom_arena_take(arena, entries, sizeof(int));
    self->row_place = carom_arena_take(arena, entries, sizeof(int));
    if (!start || !self->row_column || !self->row_place)
        return false;
    for (size_t k = 0; k < entries; k++)
        start[rows->row[k] + 2]++;
    for (int j = 0; j < self->constraints; j++)
        start[j + 2] += start[j + 1];
    for (int j = 0; j < rows->columns; j++)
        for (int k = rows->column_start[j]; k < rows->column_start[j + 1]; k++) {
            const int next = start[rows->row[k] + 1]++;
            self->row_column[next] = j;
            self->row_place[next] = k;
        }
    self->row_start = start;
    return true;
}

static bool take_memory(generalized_alpha *self)
{
    const size_t m = (size_t)self->constraints;
    self->restitution_step = carom_arena_take(self->stepper.arena, m, sizeof(long));
    self->effective_mass_step = carom_arena_take(self->stepper.arena, m, sizeof(long));
    self->right = carom_arena_take(self->stepper.arena, (size_t)self->stepper.dof + m, sizeof(double));
    return self->restitution_step && self->effective_mass_step && self->right && take_vectors(self) &&
           take_levels(self) && take_blocks(self) && take_row_lists(self) &&
           carom_contact_frame_take(self->stepper.arena, self->stepper.model, &self->frame);
}

/* ---- life ---------------------------------------------------------------------------------------------- */

static void know_constant_parts(generalized_alpha *self)
{
    const carom_model *model = self->stepper.model;
    self->constant_mass = model->constant_mass;
    self->constant_rows = model->joints == 0;
    for (int i = 0; i < model->contacts; i++)
        self->constant_rows = self->constant_rows && model->contact[i].constant_rows;
    self->constant_jacobian = self->constant_mass && self->constant_rows && model->constant_force_jacobian;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    generalized_alpha *self = (generalized_alpha *)stepper;
    const double *option = stepper->option;
    const int constraints = (int)option[OPTION_CONSTRAINTS];
    self->joints = stepper->model->joints;
    self->constraints = self->joints + stepper->contacts;
    carom_status status = check_constraints(self, constraints, error);
    if (status != CAROM_OK)
        return status;
    if (!take_memory(self))
        return carom_fail_memory(error);
    self->c = alpha_coefficients_of(option[OPTION_RHO_INF], stepper->h);
    self->strategy = 1 + (int)option[OPTION_STRATEGY];
    self->gate = option[OPTION_GATE] > 0.0;
    self->tolerance = option[OPTION_TOL];
    self->iterations_max = (int)option[OPTION_ITERATIONS];
    choose_constraints(self, constraints);
    know_constant_parts(self);
    const alpha_start start = {.project = option[OPTION_INITIAL] > 0.0,
                               .zero = option[OPTION_START] > 0.0,
                               .shifted = option[OPTION_SHIFT] > 0.0};
    self->starts_at_zero = start.zero;
    self->starts_shifted = start.shifted;
    status = alpha_begin(self, &start, error);
    return status == CAROM_OK ? alpha_friction_create(self, error) : status;
}

static void free_parts(carom_stepper *stepper)
{
    generalized_alpha *self = (generalized_alpha *)stepper;
    saddle_free(&self->smooth);
    saddle_free(&self->plain);
    carom_sparse_factor_free(self->mass_factor);
    alpha_friction_free(self);
}

/* Rows and masses that are constant are found again with the same bits. */
static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    generalized_alpha *self = (generalized_alpha *)stepper;
    const size_t dof = (size_t)stepper->dof, m = (size_t)self->constraints;
    saddle_keep(&self->smooth, snapshot);
    saddle_keep(&self->plain, snapshot);
    if (!self->constant_mass)
        carom_sparse_factor_keep(&self->mass_factor, &self->block[CAROM_BLOCK_MASS], snapshot);
    double *const of_dof[] = {self->acceleration, self->shifted, self->q, self->v, self->a, self->force};
    double *const of_constraints[] = {
        self->multiplier, self->shifted_lambda, self->rate_old,      self->restitution, self->effective_mass,
        self->eta,        self->nu_total,       self->impulse_total, self->g,           self->g_t,
        self->hq,         self->rate,           self->curvature,     self->smooth_rate, self->cycle.emphasis};
    for (size_t i = 0; i < sizeof of_dof / sizeof *of_dof; i++)
        carom_snapshot_block(snapshot, of_dof[i], dof * sizeof(double));
    for (size_t i = 0; i < sizeof of_constraints / sizeof *of_constraints; i++)
        carom_snapshot_block(snapshot, of_constraints[i], m * sizeof(double));
    carom_snapshot_block(snapshot, self->restitution_step, m * sizeof *self->restitution_step);
    carom_snapshot_block(snapshot, self->effective_mass_step, m * sizeof *self->effective_mass_step);
    for (alpha_part part = 0; part < ALPHA_PARTS; part++) {
        carom_snapshot_block(snapshot, self->level[part].x, dof * sizeof(double));
        carom_snapshot_block(snapshot, self->level[part].y, m * sizeof(double));
        carom_snapshot_block(snapshot, self->level[part].acts, m * sizeof(bool));
    }
    for (carom_mechanism_block block = 0; block < CAROM_BLOCKS; block++)
        carom_snapshot_block(snapshot, self->entry[block],
                             (size_t)self->block[block].column_start[self->block[block].columns] *
                                 sizeof(double));
    carom_snapshot_block(snapshot, &self->stiffness_size, sizeof self->stiffness_size);
    alpha_friction_keep(self, snapshot);
}

/* ---- step ---------------------------------------------------------------------------------------------- */

/* A contact touches when it is in B: after it has left S the total impulse fades over a few steps, and may be
 * slightly negative. */
static void record_contacts(generalized_alpha *self)
{
    carom_state *state = &self->stepper.state;
    for (int contact = 0; contact < self->stepper.model->contacts; contact++) {
        const int j = self->joints + contact;
        state->impulse[CAROM_CONTACT_COMPONENTS * contact] = self->impulse_total[j];
        state->regime[contact] =
            self->level[ALPHA_VELOCITY].acts[j] ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    }
    if (self->friction)
        alpha_friction_record(self);
}

static void warn_about_held_sets(generalized_alpha *self, int iterations)
{
    if (self->cycle.bilateral_S || self->cycle.frozen)
        carom_warn(&self->stepper.warnings,
                   "t = %.9g: which contacts act did not settle in %d iterations, so the choice was held",
                   self->t, iterations);
}

static void accept_step(generalized_alpha *self)
{
    carom_state *state = &self->stepper.state;
    const size_t n = (size_t)self->stepper.dof * sizeof(double),
                 m = (size_t)self->constraints * sizeof(double);
    record_contacts(self);
    state->t = self->t;
    memcpy(state->q, self->q, n);
    memcpy(state->v, self->v, n);
    memcpy(self->acceleration, self->level[ALPHA_SMOOTH].x, n);
    memcpy(self->multiplier, self->level[ALPHA_SMOOTH].y, m);
    memcpy(self->shifted, self->a, n);
    memcpy(self->shifted_lambda, self->eta, m);
    memcpy(self->rate_old, self->rate, m);
    self->stepper.counts.steps++;
}

static double worst_error(const generalized_alpha *self)
{
    double worst = 0.0;
    for (alpha_part part = 0; part < ALPHA_PARTS; part++)
        worst = fmax(worst, self->level[part].error);
    return worst;
}

static bool is_solved(const generalized_alpha *self)
{
    return self->level[ALPHA_SMOOTH].small && self->level[ALPHA_POSITION].small &&
           self->level[ALPHA_VELOCITY].small;
}

/* For a later choice of sets that are held. */
static void remember_sets(generalized_alpha *self, double error)
{
    alpha_cycle *cycle = &self->cycle;
    if (!(error < cycle->least_error))
        return;
    cycle->least_error = error;
    memcpy(cycle->best_A, self->level[ALPHA_POSITION].acts, (size_t)self->constraints);
    memcpy(cycle->best_B, self->level[ALPHA_VELOCITY].acts, (size_t)self->constraints);
}

static carom_status fail_to_converge(const generalized_alpha *self, double residual, carom_error *error)
{
    char sets[512];
    alpha_describe_sets(self, sets, sizeof sets);
    return fail_step(error, self->t, step_number(&self->stepper),
                     "no solution in %d iterations: the residual is %.3g, tol is %g, contacts that act: %s; "
                     "a smaller step h helps where too much happens in one step, more iterations where the "
                     "residual still falls, neither where contacts and joints contradict each other",
                     self->iterations_max, residual, self->tolerance, sets);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    generalized_alpha *self = (generalized_alpha *)stepper;
    self->t = step_end(stepper);
    alpha_predict(self);
    for (int iteration = 0;; iteration++) {
        carom_status status = alpha_find_sets(self, iteration, error); /* A, B, S */
        if (status != CAROM_OK)
            return status;
        if (!alpha_residuals(self))
            return fail_not_finite(error, self->t, step_number(stepper), stepper->model, self->force,
                                   self->v);
        const double residual = worst_error(self);
        if (is_solved(self)) {
            count_report(&stepper->counts, &(const carom_solve_report){.iterations = iteration,
                                                                       .error = residual,
                                                                       .tolerance = self->tolerance});
            warn_about_held_sets(self, iteration);
            accept_step(self);
            return CAROM_OK;
        }
        if (iteration == self->iterations_max)
            return fail_to_converge(self, residual, error);
        remember_sets(self, residual);
        status = alpha_correct(self, error); /* v' and lambda, U and nu, W and Lambda */
        if (status != CAROM_OK)
            return status;
    }
}

/* v' + W / h and lambda + Lambda / h: what is smooth at the end of the step, and the mean of what impacts gave. */
static carom_status forces(carom_stepper *stepper, double *acceleration, double *reaction, carom_error *error)
{
    (void)error;
    const generalized_alpha *self = (const generalized_alpha *)stepper;
    const alpha_level *jump = &self->level[ALPHA_VELOCITY];
    for (int i = 0; acceleration && i < stepper->dof; i++)
        acceleration[i] = self->acceleration[i] + jump->x[i] / stepper->h;
    for (int k = 0; reaction && k < self->joints; k++)
        reaction[k] = self->multiplier[k] + jump->y[k] / stepper->h;
    return CAROM_OK;
}

const carom_scheme_ops scheme_generalized_alpha = {
    .name = "generalized-alpha",
    .summary =
        "second order between impacts, joints and contacts on three levels (Bruls, Acary, Cardona 2018)",
    .options = options,
    .option_count = OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_RESTITUTION |
                 CAROM_SCHEME_FRICTION | CAROM_SCHEME_JOINTS | CAROM_SCHEME_REACTIONS,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_STEP),
    .size = sizeof(generalized_alpha),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .free = free_parts,
    .keep = keep,
    .renew = alpha_renew,
    .forces = forces,
    .tangent = &alpha_tangent_ops,
};
