/* Generalized-alpha: contacts with friction. Their problem is that of the jump of the velocity: for all
 * closed contacts together, find the impulses p of the step (normal: the total of smooth and jump part,
 * tangential: jump part alone) with
 *
 *   u = rows . v,   v = v_smooth + W,   M W - G_J^T Lambda = N^T (p_N - p_N,smooth) + T^T p_T,   joints G_J
 *   0 <= u_N + e u_N,n  _|_  p_N >= 0,   -u_T in the normal cone of p_N D at p_T.
 *
 * Joints are eliminated: a unit impulse along a row changes v by its response in the matrix [M -G_J^T; G_J
 * 0]. Large sparse models have no responses: W and Lambda are unknowns beside p (global_contacts). */
#include <math.h>
#include <string.h>

#include "generalized_alpha.h"
#include "scheme/parts/contact_rows.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/friction_assembly.h"
#include "scheme/parts/full_size.h"
#include "scheme/parts/global_contacts.h"
#include "scheme/parts/sparse_joints.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

/* The problem of a large sparse model. */
typedef struct alpha_sparse {
    sparse_joints matrix; /* of the mass and of joints */
    global_contacts contacts;
    double *zero, *change; /* of velocities and impulses of joints */
} alpha_sparse;

struct alpha_friction {
    contact_rows rows;
    bool is_sparse; /* then there is no assembly */
    alpha_sparse sparse;
    friction_assembly assembly;
    /* Of the problem, whichever it is: normal targets; tangents, impulses (3 each) and regimes of the solution. */
    double *target, *found;
    int *tangents;
    unsigned char *found_regime;
    int *active;       /* closed contacts, in the order of the problem */
    bool *joints_only; /* set */
    bool *solved;      /* per contact: it was closed in the last problem */
    bool *continues;   /* ... and in the one before, in this step */
    double *impulse;   /* 3 per contact */
    unsigned char *regime;
    double *v_free, *push, *jump;
    double change;          /* of the velocity by the last problem */
    bool missed;            /* and it was not solved to its tolerance ... */
    double error_of_missed; /* ... but to this */
};

/* A residual that no tolerance takes: the problem was not yet solved for these contacts. */
static double unsolved(const generalized_alpha *self)
{
    return 1e30 * self->speed_scale;
}

/* ---- start --------------------------------------------------------------------------------------------- */

static bool takes_sparse(const carom_stepper *stepper)
{
    const carom_solver_ops *chosen = carom_scheme_solver(stepper->ops, stepper->option, CAROM_PROBLEM_STEP);
    return carom_model_is_sparse(stepper->model) && (!chosen || chosen == &carom_step_auto) &&
           global_contacts_know_cones(stepper->model) && global_contacts_fit(stepper->model);
}

static bool take_sparse(generalized_alpha *self, struct alpha_friction *friction)
{
    carom_stepper *stepper = &self->stepper;
    alpha_sparse *sparse = &friction->sparse;
    const size_t contacts = (size_t)stepper->contacts, size = (size_t)stepper->dof + (size_t)self->joints;
    friction->target = carom_arena_take(stepper->arena, contacts, sizeof(double));
    friction->found = carom_arena_take(stepper->arena, COMPONENTS * contacts, sizeof(double));
    friction->tangents = carom_arena_take(stepper->arena, contacts, sizeof(int));
    friction->found_regime = carom_arena_take(stepper->arena, contacts, 1);
    sparse->zero = carom_arena_take(stepper->arena, size, sizeof(double));
    sparse->change = carom_arena_take(stepper->arena, size, sizeof(double));
    if (!friction->target || !friction->found || !friction->tangents || !friction->found_regime ||
        !sparse->zero || !sparse->change ||
        !sparse_joints_take_beside(&sparse->matrix, stepper->arena, stepper->work,
                                   &self->block[CAROM_BLOCK_MASS]) ||
        !global_contacts_take(&sparse->contacts, stepper->arena, stepper->model, &sparse->matrix.matrix))
        return false;
    const carom_solver_options limits = contact_solver_limits(stepper);
    sparse->contacts.scale = sparse->matrix.scale;
    sparse->contacts.tolerance = limits.tolerance;
    sparse->contacts.max_iterations = limits.max_iterations;
    return true;
}

static bool take_full(generalized_alpha *self, struct alpha_friction *friction)
{
    friction_assembly *assembly = &friction->assembly;
    if (!friction_assembly_take(assembly, self->stepper.arena, self->stepper.model, &friction->rows,
                                friction->active))
        return false;
    friction->target = assembly->target;
    friction->found = assembly->impulse;
    friction->tangents = assembly->tangents;
    friction->found_regime = assembly->regime;
    return true;
}

static bool take_memory(generalized_alpha *self, struct alpha_friction *friction)
{
    const size_t n = (size_t)self->stepper.dof, contacts = (size_t)self->stepper.model->contacts;
    carom_arena *arena = self->stepper.arena;
    friction->active = carom_arena_take(arena, contacts, sizeof(int));
    friction->joints_only = carom_arena_take(arena, (size_t)self->constraints, sizeof(bool));
    friction->solved = carom_arena_take(arena, contacts, sizeof(bool));
    friction->continues = carom_arena_take(arena, contacts, sizeof(bool));
    friction->impulse = carom_arena_take(arena, COMPONENTS * contacts, sizeof(double));
    friction->regime = carom_arena_take(arena, contacts, 1);
    friction->v_free = carom_arena_take(arena, n, sizeof(double));
    friction->push = carom_arena_take(arena, n, sizeof(double));
    friction->jump = carom_arena_take(arena, n, sizeof(double));
    return friction->active && friction->joints_only && friction->solved && friction->continues &&
           friction->impulse && friction->regime && friction->v_free && friction->push && friction->jump &&
           contact_rows_take(&friction->rows, arena, self->stepper.model,
                             friction->is_sparse ? RESPONSES_NONE : RESPONSES_FULL) &&
           (friction->is_sparse ? take_sparse(self, friction) : take_full(self, friction));
}

/* What is said when that was too much. */
static carom_status fail_memory(const carom_stepper *stepper, bool is_sparse, carom_error *error)
{
    carom_status status = CAROM_OK;
    if (!is_sparse && carom_model_is_sparse(stepper->model))
        status = full_size_check_rows(
            COMPONENTS * (double)stepper->contacts,
            "generalized-alpha with so many contacts and a solver of one's choice, cones in space that are "
            "not round, or gaps of very many coordinates",
            "leave the option solver out, take round cones (one coefficient), or fewer contacts", error);
    return status == CAROM_OK ? contact_rows_fail(stepper, is_sparse ? RESPONSES_NONE : RESPONSES_FULL, error)
                              : status;
}

/* A closed contact that does not slip at the start sticks: its static cone rules. */
static carom_status begin_contact(generalized_alpha *self, int contact, carom_error *error)
{
    carom_state *state = &self->stepper.state;
    const carom_contact_info *info = &self->stepper.model->contact[contact];
    const contact_rows *rows = &self->friction->rows;
    self->stepper.model->ops->frame(self->stepper.work, contact, self->stepper.t0, state->q,
                                    &rows->frame[contact]);
    bool sticks = state->regime[contact] != CAROM_CONTACT_OPEN && info->tangents > 0;
    for (int k = 1; sticks && k <= info->tangents; k++)
        sticks = contact_velocity(rows, contact, k, state->v) == 0.0;
    if (sticks)
        state->regime[contact] = CAROM_CONTACT_STICK;
    return contact_check(info, &rows->frame[contact], error);
}

void alpha_friction_free(generalized_alpha *self)
{
    if (!self->friction)
        return;
    friction_assembly_free(&self->friction->assembly);
    global_contacts_free(&self->friction->sparse.contacts);
    sparse_joints_free(&self->friction->sparse.matrix);
}

carom_status alpha_friction_create(generalized_alpha *self, carom_error *error)
{
    bool needed = false;
    for (int contact = 0; contact < self->stepper.model->contacts; contact++)
        needed = needed || (self->stepper.model->contact[contact].tangents > 0 &&
                            self->stepper.model->contact[contact].coefficients > 0);
    if (!needed)
        return CAROM_OK;
    self->friction = carom_arena_take(self->stepper.arena, 1, sizeof *self->friction);
    if (!self->friction)
        return carom_fail_memory(error);
    self->friction->is_sparse = takes_sparse(&self->stepper);
    if (!take_memory(self, self->friction))
        return fail_memory(&self->stepper, self->friction->is_sparse, error);
    for (int j = 0; j < self->constraints; j++)
        self->friction->joints_only[j] = alpha_is_joint(self, j);
    carom_status status = CAROM_OK;
    for (int contact = 0; contact < self->stepper.model->contacts && status == CAROM_OK; contact++)
        status = begin_contact(self, contact, error);
    return status == CAROM_OK && !self->friction->is_sparse
               ? friction_assembly_choose(&self->friction->assembly, &self->stepper, error)
               : status;
}

void alpha_friction_predict(generalized_alpha *self)
{
    struct alpha_friction *friction = self->friction;
    const size_t contacts = (size_t)self->stepper.model->contacts;
    memset(friction->solved, 0, contacts * sizeof *friction->solved);
    memset(friction->impulse, 0, COMPONENTS * contacts * sizeof *friction->impulse);
    friction->change = 0.0;
    friction->missed = false;
}

/* ---- the problem --------------------------------------------------------------------------------------- */

/* [M -G_J^T; G_J 0] (x, y) = (self->right) */
static void solve_joints(generalized_alpha *self)
{
    saddle_solve(&self->plain, self->right);
}

static void find_responses(generalized_alpha *self, int contact)
{
    const contact_rows *rows = &self->friction->rows;
    const int n = self->stepper.dof;
    for (int k = 0; k < contact_components(&self->stepper.model->contact[contact]); k++) {
        memset(self->right, 0, (size_t)(n + self->constraints) * sizeof *self->right);
        carom_row_spread(contact_row(rows, contact, k), n, self->right);
        solve_joints(self);
        memcpy(contact_response(rows, contact, k)->value, self->right, (size_t)n * sizeof *self->right);
    }
}

/* Rows, responses and normal targets of the closed contacts, and their number. */
static carom_status find_closed(generalized_alpha *self, int *found, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    int count = 0;
    for (int contact = 0; contact < self->stepper.model->contacts; contact++) {
        const int j = self->joints + contact;
        friction->solved[contact] = self->level[ALPHA_POSITION].acts[j];
        if (!friction->solved[contact])
            continue;
        self->stepper.model->ops->frame(self->stepper.work, contact, self->t, self->q,
                                        &friction->rows.frame[contact]);
        const carom_status status =
            contact_check_step(&self->stepper, self->t, contact, &friction->rows.frame[contact], error);
        if (status != CAROM_OK)
            return status;
        if (!friction->is_sparse)
            find_responses(self, contact);
        friction->target[count] = -self->restitution[j] * self->rate_old[j];
        friction->active[count++] = contact;
    }
    *found = count;
    return CAROM_OK;
}

/* push = impulses along the rows of closed contacts: what the smooth part has given already, taken back, and
 * with `solved` the solution. */
static void find_push(generalized_alpha *self, int count, bool solved)
{
    struct alpha_friction *friction = self->friction;
    const int n = self->stepper.dof;
    memset(friction->push, 0, (size_t)n * sizeof *friction->push);
    for (int k = 0; k < count; k++) {
        const int contact = friction->active[k], j = self->joints + contact;
        const double smooth = self->impulse_total[j] - self->level[ALPHA_VELOCITY].y[j];
        carom_row_add(contact_row(&friction->rows, contact, 0), -smooth, friction->push);
        for (int i = 0; solved && i <= friction->tangents[k]; i++)
            carom_row_add(contact_row(&friction->rows, contact, i), friction->found[COMPONENTS * k + i],
                          friction->push);
    }
}

/* The jump that push and the joints make of the smooth velocity, in right. */
static void find_jump(generalized_alpha *self)
{
    const int n = self->stepper.dof;
    for (int i = 0; i < n; i++)
        self->work_n[i] = self->v[i] - self->level[ALPHA_VELOCITY].x[i];
    alpha_rate(self, self->work_n, self->rate);
    memcpy(self->right, self->friction->push, (size_t)n * sizeof *self->right);
    for (int j = 0; j < self->constraints; j++)
        self->right[n + j] = alpha_is_joint(self, j) ? -self->rate[j] : 0.0;
    solve_joints(self);
}

/* W, Lambda and the impulses of contacts from the solution. */
static void take_solution(generalized_alpha *self, int count)
{
    struct alpha_friction *friction = self->friction;
    alpha_level *level = &self->level[ALPHA_VELOCITY];
    const int n = self->stepper.dof;
    find_push(self, count, true);
    find_jump(self);
    friction->change = 0.0;
    for (int i = 0; i < n; i++)
        friction->change = fmax(friction->change, fabs(self->right[i] - level->x[i]));
    memcpy(level->x, self->right, (size_t)n * sizeof *level->x);
    memset(friction->impulse, 0,
           COMPONENTS * (size_t)self->stepper.model->contacts * sizeof *friction->impulse);
    for (int k = 0; k < count; k++) { /* before y changes: the smooth part is total less y */
        const int contact = friction->active[k], j = self->joints + contact;
        const double smooth = self->impulse_total[j] - level->y[j];
        self->right[n + j] = friction->found[COMPONENTS * k] - smooth;
        for (int i = 0; i <= friction->tangents[k]; i++)
            friction->impulse[COMPONENTS * contact + i] = friction->found[COMPONENTS * k + i];
        friction->regime[contact] = friction->found_regime[k];
    }
    for (int j = 0; j < self->constraints; j++)
        level->y[j] =
            alpha_is_joint(self, j) || friction->solved[j - self->joints] ? self->right[n + j] : 0.0;
}

static carom_status solve_full(generalized_alpha *self, int count, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    friction_assembly_fill(&friction->assembly, count, &self->stepper.state, friction->v_free);
    carom_step_counts counts = self->stepper.counts; /* iterations of the step are counted, not these */
    counts.worst_solver_error = 0.0;
    const carom_status status = friction_assembly_solve(&friction->assembly, self->t, &counts, error);
    friction->error_of_missed = counts.worst_solver_error;
    friction->missed = friction->assembly.unsolved;
    return status;
}

/* Contact k of the problem for the change of v_free: its rates are the velocities there. The problem begins with the
 * impulses of the iteration before, or of the step before. */
static carom_status pose(generalized_alpha *self, int k, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    const carom_stepper *stepper = &self->stepper;
    const int contact = friction->active[k];
    const carom_contact_info *info = &stepper->model->contact[contact];
    global_contact *posed = &friction->sparse.contacts.contact[k];
    global_contacts_pose(&friction->sparse.contacts, k, stepper->model, &friction->rows, contact,
                         stepper->state.regime[contact] == CAROM_CONTACT_STICK);
    posed->target = friction->target[k];
    friction->tangents[k] = posed->tangents;
    const double *last = friction->continues[contact] ? friction->impulse : stepper->state.impulse;
    for (int i = 0; i < COMPONENTS; i++)
        friction->found[COMPONENTS * k + i] = i <= posed->tangents ? last[COMPONENTS * contact + i] : 0.0;
    for (int i = 0; i <= info->tangents; i++) {
        const carom_row *row = posed->row[i];
        posed->rate[i] = contact_velocity(&friction->rows, contact, i, friction->v_free);
        if (!carom_all_finite(row->count, row->value) || !isfinite(posed->rate[i]))
            return fail_step(error, self->t, step_number(stepper),
                             "the %s or its rate of contact '%s' is not a finite number",
                             i == 0 ? "gradient of the gap" : "slip direction", info->name);
    }
    return CAROM_OK;
}

static carom_status solve_sparse(generalized_alpha *self, int count, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    alpha_sparse *sparse = &friction->sparse;
    carom_status status = CAROM_OK;
    for (int k = 0; k < count && status == CAROM_OK; k++)
        status = pose(self, k, error);
    if (status != CAROM_OK)
        return status;
    if (sparse_joints_factor(&sparse->matrix, self->t, self->q) != 0)
        return fail_step(error, self->t, step_number(&self->stepper),
                         "joints depend on each other, or the mass matrix is singular");
    sparse->contacts.count = count;
    const carom_solve_report report = global_contacts_solve(&sparse->contacts, sparse->zero, sparse->change,
                                                            friction->found, friction->found_regime);
    friction->error_of_missed = report.error;
    friction->missed = report.status != CAROM_OK;
    if (!is_useless(&report))
        return CAROM_OK;
    if (report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "the impulses of %d closed contacts were not found (error %g after %d iterations): "
        "contacts and joints contradict each other there, or a gap has a zero gradient; where it "
        "is neither, less friction or restitution helps",
        count, report.error, report.iterations);
}

carom_status alpha_friction_solve(generalized_alpha *self, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    carom_error why = {0};
    alpha_fill_plain(self, friction->joints_only);
    if (saddle_prepare(&self->plain, &why) != CAROM_OK)
        return fail_step(error, self->t, step_number(&self->stepper),
                         "joints depend on each other, or the mass matrix is singular: %s", why.text);
    int count = 0;
    memcpy(friction->continues, friction->solved, (size_t)self->stepper.contacts * sizeof(bool));
    carom_status status = find_closed(self, &count, error);
    if (status != CAROM_OK)
        return status;
    friction->missed = false;
    if (count > 0) {
        find_push(self, count, false);
        find_jump(self);
        for (int i = 0; i < self->stepper.dof; i++)
            friction->v_free[i] = self->v[i] - self->level[ALPHA_VELOCITY].x[i] + self->right[i];
        status = friction->is_sparse ? solve_sparse(self, count, error) : solve_full(self, count, error);
        if (status != CAROM_OK)
            return status;
    }
    take_solution(self, count);
    alpha_update(self);
    return CAROM_OK;
}

/* ---- residual and record ------------------------------------------------------------------------------- */

/* The laws hold for the velocity that the last problem began with: what counts is how much it changed it. */
void alpha_friction_residual(generalized_alpha *self)
{
    const struct alpha_friction *friction = self->friction;
    const alpha_level *level = &self->level[ALPHA_VELOCITY];
    const int n = self->stepper.dof;
    for (int contact = 0; contact < self->stepper.model->contacts; contact++) {
        const int j = self->joints + contact;
        if (!self->level[ALPHA_POSITION].acts[j]) {
            level->residual[n + j] =
                friction->solved[contact] ? unsolved(self) : level->y[j] / self->mass_scale;
            continue;
        }
        level->residual[n + j] = friction->solved[contact] ? friction->change : unsolved(self);
        for (int k = 1; friction->solved[contact] && k <= self->stepper.model->contact[contact].tangents; k++)
            carom_row_add(contact_row(&friction->rows, contact, k),
                          -friction->impulse[COMPONENTS * contact + k], level->residual);
    }
}

void alpha_friction_record(generalized_alpha *self)
{
    const struct alpha_friction *friction = self->friction;
    carom_state *state = &self->stepper.state;
    if (friction->missed) {
        self->stepper.counts.unsolved++;
        count_solve(&self->stepper.counts, 0, friction->error_of_missed);
    }
    for (int contact = 0; contact < self->stepper.model->contacts; contact++) {
        for (int k = 1; k < COMPONENTS; k++)
            state->impulse[COMPONENTS * contact + k] = friction->impulse[COMPONENTS * contact + k];
        if (state->regime[contact] != CAROM_CONTACT_OPEN && friction->solved[contact] &&
            friction->regime[contact] != CAROM_CONTACT_OPEN)
            state->regime[contact] = friction->regime[contact];
    }
}

void alpha_friction_keep(generalized_alpha *self, carom_snapshot *snapshot)
{
    struct alpha_friction *friction = self->friction;
    if (!friction)
        return;
    const size_t contacts = (size_t)self->stepper.contacts;
    carom_snapshot_block(snapshot, friction->impulse, COMPONENTS * contacts * sizeof *friction->impulse);
    carom_snapshot_block(snapshot, friction->regime, contacts * sizeof *friction->regime);
    contact_solver_keep(friction->assembly.solver, snapshot);
    if (!friction->is_sparse)
        return;
    sparse_matrix_keep(&friction->sparse.matrix.matrix, snapshot);
    sparse_matrix_keep(&friction->sparse.contacts.matrix, snapshot);
}
