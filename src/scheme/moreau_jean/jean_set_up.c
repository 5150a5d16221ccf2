/* What moreau-jean does beside its steps: what it accepts, memory, the start of contacts, and what a snapshot keeps. */
#include <math.h>

#include "jean_options.h"
#include "scheme/body_step.h"
#include "scheme/parts/contact_warnings.h"
#include "scheme/parts/joints_start.h"
#include "scheme/parts/mass_factor.h"

carom_status moreau_jean_accepts(const carom_model *model, carom_error *error)
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
    const size_t unknowns = dof + (self->is_sparse ? (size_t)self->stepper.model->joints : 0);
    carom_arena *arena = self->stepper.arena;
    double **vectors[] = {&self->q,         &self->v,         &self->q_mid,
                          &self->force_old, &self->force_new, &self->v_cycle,
                          &self->q_rows,    &self->past.v,    &self->past.v_earlier};
    double **solutions[] = {&self->v_new, &self->v_free, &self->v_free_last};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof solutions / sizeof solutions[0]; i++)
        if (!(*solutions[i] = carom_arena_take(arena, unknowns, sizeof(double))))
            return false;
    self->gap = carom_arena_take(arena, contacts, sizeof(double));
    self->target = carom_arena_take(arena, contacts, sizeof(double));
    self->response = carom_arena_take(arena, contacts, sizeof(double));
    self->active = carom_arena_take(arena, contacts, sizeof(int));
    self->past.active = carom_arena_take(arena, contacts, sizeof(int));
    if (!contact_rows_take(&self->rows, arena, self->stepper.model,
                           self->is_sparse ? RESPONSES_NONE : RESPONSES_FULL))
        return false;
    self->stepper.frame = self->rows.frame;
    if (!self->gap || !self->target || !self->response || !self->active || !self->past.active)
        return false;
    if (self->is_sparse)
        return moreau_jean_sparse_take(self);
    double **matrices[] = {&self->mass, &self->by_q, &self->by_u};
    for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++)
        if (!(*matrices[i] = carom_arena_take(arena, carom_product(dof, dof), sizeof(double))))
            return false;
    if (!newton_matrix_take(&self->newton, arena, self->stepper.dof) ||
        !friction_assembly_take(&self->assembly, arena, self->stepper.model, &self->rows, self->active) ||
        !moreau_jean_joints_take(self))
        return false;
    self->joints.scales = self->projector.scales = self->stepper.scales;
    self->sparse.joints.scales = self->sparse.projector.scales = self->stepper.scales;
    return true;
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

static bool has_diagonal_matrices(const carom_model *model)
{
    for (int m = 0; model->ops->matrix_pattern && m < CAROM_MATRICES; m++)
        if (!carom_sparse_is_diagonal(model->ops->matrix_pattern(model, m)))
            return false;
    return model->ops->matrix_pattern != NULL;
}

carom_status moreau_jean_setup(carom_stepper *stepper, carom_error *error)
{
    moreau_jean *self = (moreau_jean *)stepper;
    const carom_model *model = stepper->model;
    const double *option = stepper->option;
    carom_state *state = &stepper->state;
    if (model->has_bodies)
        return moreau_jean_set_up_bodies(self, error);
    self->theta = option[JEAN_OPTION_THETA];
    self->prediction = option[JEAN_OPTION_PREDICTION];
    self->joint_share = option[JEAN_OPTION_JOINTS] == 0.0 ? 1.0 - self->theta : 0.0;
    self->projection = option[JEAN_OPTION_PROJECTION] == JEAN_PROJECTION_ON && model->joints > 0;
    self->slow = 1e-3 * carom_scales_speed(&stepper->scales);
    self->looseness =
        fmax(1.0, 0.01 * contact_solver_limits(stepper).tolerance / moreau_jean_newton_tolerance);
    self->may_fix_rows = option[JEAN_OPTION_ROWS] == JEAN_ROWS_AUTO;
    self->always_fix_rows = option[JEAN_OPTION_ROWS] == JEAN_ROWS_PREDICTED;
    self->oblique = moreau_jean_is_oblique(stepper, moreau_jean_impact_law(option));
    self->is_sparse = moreau_jean_takes_sparse(self);
    self->newton_diagonal = has_diagonal_matrices(model);
    stepper->tells_problems = moreau_jean_tells_problems(self);
    carom_status status = self->is_sparse ? CAROM_OK : moreau_jean_check_full(self, error);
    if (status != CAROM_OK)
        return status;
    if (!take_memory(self))
        return carom_fail_memory(error);
    self->sparse.contacts.tolerance = contact_solver_limits(stepper).tolerance;
    self->assembly.h = stepper->h;
    bool diagonal = false;
    if (model->joints > 0)
        status = joints_prepare_start(stepper->work, state->t, option[JEAN_OPTION_INITIAL] != 0.0, state->q,
                                      state->v, &stepper->warnings, error);
    if (status == CAROM_OK)
        status = mass_check(stepper->work, state->t, state->q, &diagonal, error);
    if (status != CAROM_OK)
        return status;
    if (model->constant_mass) {
        moreau_jean_mass(self, state->t, state->q);
        self->mass_diagonal = diagonal;
        self->constant_newton = model->constant_force_jacobian;
        self->affine = model->affine_force;
    }
    status = set_up_contacts(self, error);
    if (status == CAROM_OK && !self->is_sparse)
        status = normal_lcp_setup_full(&self->lcp, stepper, error);
    if (status == CAROM_OK && !self->is_sparse)
        status = friction_assembly_choose(&self->assembly, stepper, error);
    if (status == CAROM_OK && !self->oblique) /* that law is part of the contact problem */
        status = chosen_impact_create(stepper, JEAN_OPTION_IMPACT, &self->chosen, error);
    return status;
}

void moreau_jean_free(carom_stepper *stepper)
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
 * it did, but for the pivots of sparse factors; the force at the end of a step is that of the next one's start, and velocities of two
 * steps say where Newton's method begins. */
void moreau_jean_keep(carom_stepper *stepper, carom_snapshot *snapshot)
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
    carom_snapshot_block(snapshot, &self->past.smooth, sizeof self->past.smooth);
    carom_snapshot_block(snapshot, self->past.v, bytes);
    carom_snapshot_block(snapshot, self->past.v_earlier, bytes);
    carom_snapshot_block(snapshot, &self->past.active_count, sizeof self->past.active_count);
    carom_snapshot_block(snapshot, self->past.active, (size_t)stepper->contacts * sizeof *self->past.active);
    if (self->joint_impulse)
        carom_snapshot_block(snapshot, self->joint_impulse,
                             (size_t)stepper->model->joints * sizeof *self->joint_impulse);
    if (!self->is_sparse) {
        normal_lcp_keep(&self->lcp, stepper->contacts, snapshot);
        contact_solver_keep(self->assembly.solver, snapshot);
    } else {
        sparse_matrix_keep(&self->sparse.newton, snapshot);
        sparse_matrix_keep(&self->sparse.contacts.matrix, snapshot);
        if (self->joints.count > 0)
            sparse_matrix_keep(&self->sparse.joints.matrix, snapshot);
        if (self->projection)
            sparse_matrix_keep(&self->sparse.projector.matrix, snapshot);
    }
    chosen_impact_keep(&self->chosen, snapshot);
}
