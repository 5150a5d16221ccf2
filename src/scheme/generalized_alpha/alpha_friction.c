/* Generalized-alpha: contacts with friction. Their problem is that of the jump of the velocity: for all
 * closed contacts together, find the impulses p of the step (normal: the total of smooth and jump part,
 * tangential: jump part alone) with
 *
 *   u = rows . v,   v = v_smooth + W,   M W - G_J^T Lambda = N^T (p_N - p_N,smooth) + T^T p_T,   joints G_J
 *   0 <= u_N + e u_N,n  _|_  p_N >= 0,   -u_T in the normal cone of p_N D at p_T.
 *
 * Joints are eliminated: a unit impulse along a row changes v by its response in the matrix [M -G_J^T; G_J
 * 0]. */
#include <math.h>
#include <string.h>

#include "generalized_alpha.h"
#include "scheme/parts/contact_rows.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/friction_assembly.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

struct alpha_friction {
    contact_rows rows;
    friction_assembly assembly;
    int *active;       /* closed contacts, in the order of the assembly */
    bool *joints_only; /* set */
    bool *solved;      /* per contact: it was closed in the last problem */
    double *impulse;   /* 3 per contact */
    unsigned char *regime;
    double *v_free, *push, *jump;
    double change;          /* of the velocity by the last problem */
    bool missed;            /* and it was not solved to its tolerance ... */
    double error_of_missed; /* ... but to this */
};

/* A residual that no tolerance takes: the problem was not yet solved for these contacts. */
static const double unsolved = 1e30;

/* ---- start --------------------------------------------------------------------------------------------- */

static bool take_memory(generalized_alpha *self, struct alpha_friction *friction)
{
    const size_t n = (size_t)self->stepper.dof, contacts = (size_t)self->stepper.model->contacts;
    carom_arena *arena = self->stepper.arena;
    friction->active = carom_arena_take(arena, contacts, sizeof(int));
    friction->joints_only = carom_arena_take(arena, (size_t)self->constraints, sizeof(bool));
    friction->solved = carom_arena_take(arena, contacts, sizeof(bool));
    friction->impulse = carom_arena_take(arena, COMPONENTS * contacts, sizeof(double));
    friction->regime = carom_arena_take(arena, contacts, 1);
    friction->v_free = carom_arena_take(arena, n, sizeof(double));
    friction->push = carom_arena_take(arena, n, sizeof(double));
    friction->jump = carom_arena_take(arena, n, sizeof(double));
    return friction->active && friction->joints_only && friction->solved && friction->impulse &&
           friction->regime && friction->v_free && friction->push && friction->jump &&
           contact_rows_take(&friction->rows, arena, self->stepper.model, RESPONSES_FULL) &&
           friction_assembly_take(&friction->assembly, arena, self->stepper.model, &friction->rows,
                                  friction->active);
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
    if (self->friction)
        friction_assembly_free(&self->friction->assembly);
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
    if (!self->friction || !take_memory(self, self->friction))
        return contact_rows_fail(&self->stepper, RESPONSES_FULL, error);
    for (int j = 0; j < self->constraints; j++)
        self->friction->joints_only[j] = alpha_is_joint(self, j);
    carom_status status = CAROM_OK;
    for (int contact = 0; contact < self->stepper.model->contacts && status == CAROM_OK; contact++)
        status = begin_contact(self, contact, error);
    return status == CAROM_OK ? friction_assembly_choose(&self->friction->assembly, &self->stepper, error)
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

/* Rows, responses and normal targets of the closed contacts, and their number. */
static carom_status find_closed(generalized_alpha *self, int *found, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    const int n = self->stepper.dof;
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
        for (int k = 0; k < contact_components(&self->stepper.model->contact[contact]); k++) {
            memset(self->right, 0, (size_t)(n + self->constraints) * sizeof *self->right);
            carom_row_spread(contact_row(&friction->rows, contact, k), n, self->right);
            solve_joints(self);
            memcpy(contact_response(&friction->rows, contact, k)->value, self->right,
                   (size_t)n * sizeof *self->right);
        }
        friction->assembly.target[count] = -self->restitution[j] * self->rate_old[j];
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
        for (int i = 0; solved && i <= friction->assembly.tangents[k]; i++)
            carom_row_add(contact_row(&friction->rows, contact, i),
                          friction->assembly.impulse[COMPONENTS * k + i], friction->push);
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
        self->right[n + j] = friction->assembly.impulse[COMPONENTS * k] - smooth;
        for (int i = 0; i <= friction->assembly.tangents[k]; i++)
            friction->impulse[COMPONENTS * contact + i] = friction->assembly.impulse[COMPONENTS * k + i];
        friction->regime[contact] = friction->assembly.regime[k];
    }
    for (int j = 0; j < self->constraints; j++)
        level->y[j] =
            alpha_is_joint(self, j) || friction->solved[j - self->joints] ? self->right[n + j] : 0.0;
}

carom_status alpha_friction_solve(generalized_alpha *self, carom_error *error)
{
    struct alpha_friction *friction = self->friction;
    const carom_state *state = &self->stepper.state;
    carom_error why = {0};
    alpha_fill_plain(self, friction->joints_only);
    if (saddle_prepare(&self->plain, &why) != CAROM_OK)
        return fail_step(error, self->t, step_number(&self->stepper),
                         "joints depend on each other, or the mass matrix is singular: %s", why.text);
    int count = 0;
    carom_status status = find_closed(self, &count, error);
    if (status != CAROM_OK)
        return status;
    if (count > 0) {
        find_push(self, count, false);
        find_jump(self);
        for (int i = 0; i < self->stepper.dof; i++)
            friction->v_free[i] = self->v[i] - self->level[ALPHA_VELOCITY].x[i] + self->right[i];
        friction_assembly_fill(&friction->assembly, count, state, friction->v_free);
        carom_step_counts counts = self->stepper.counts; /* iterations of the step are counted, not these */
        counts.worst_solver_error = 0.0;
        status = friction_assembly_solve(&friction->assembly, self->t, &counts, error);
        if (status != CAROM_OK)
            return status;
        friction->error_of_missed = counts.worst_solver_error;
    }
    friction->missed = count > 0 && friction->assembly.unsolved;
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
            level->residual[n + j] = friction->solved[contact] ? unsolved : level->y[j] / self->mass_scale;
            continue;
        }
        level->residual[n + j] = friction->solved[contact] ? friction->change : unsolved;
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
}
