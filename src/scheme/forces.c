/* Accelerations and forces of joints as outputs, whatever the scheme. Before the first step they are those of the
 * equations of motion, M a = f + G^T r, G a + h = 0, where no contact acts. */
#include <math.h>
#include <string.h>

#include "carom/scheme.h"
#include "scheme/parts/joint_system.h"
#include "scheme/parts/sparse_joints.h"
#include "scheme/parts/start_mass.h"

carom_status carom_stepper_watch(carom_stepper *stepper, carom_error *error)
{
    if (stepper->v_before)
        return CAROM_OK;
    stepper->v_before = carom_arena_take(stepper->arena, (size_t)stepper->dof, sizeof(double));
    return stepper->v_before ? CAROM_OK : carom_fail_memory(error);
}

carom_status carom_scheme_check_reactions(const carom_scheme_ops *scheme, const carom_model *model,
                                          carom_error *error)
{
    char able[200];
    if (scheme->abilities & CAROM_SCHEME_REACTIONS)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "reaction: scheme '%s' has no forces of joints: its joints only give coordinates; take %s, "
        "with inertia for every coordinate",
        scheme->name, carom_scheme_names_for(model, CAROM_SCHEME_REACTIONS, able, sizeof able));
}

/* ---- before the first step ---------------------------------------------------------------------------- */

typedef struct start_equations {
    carom_stepper *stepper;
    carom_arena *arena;
    double *acceleration, *offset, *gap, *reaction;
    bool is_sparse; /* the model is: its matrix in place of the next two */
    start_mass mass;
    joint_system joints;
    sparse_joints sparse;
} start_equations;

static carom_status take_memory(start_equations *self, carom_error *error)
{
    const carom_model *model = self->stepper->model;
    const size_t dof = (size_t)model->dof, contacts = (size_t)model->contacts, joints = (size_t)model->joints;
    self->acceleration = carom_arena_take(self->arena, dof, sizeof(double));
    self->offset = carom_arena_take(self->arena, joints + contacts, sizeof(double));
    self->gap = carom_arena_take(self->arena, contacts, sizeof(double));
    self->reaction = carom_arena_take(self->arena, joints, sizeof(double));
    self->is_sparse = carom_model_is_sparse(model);
    if (!self->acceleration || !self->offset || !self->gap || !self->reaction)
        return carom_fail_memory(error);
    if (self->is_sparse)
        return sparse_joints_take(&self->sparse, self->arena, self->stepper->work) ? CAROM_OK
                                                                                   : carom_fail_memory(error);
    if (joints > 0 && !joint_system_take(&self->joints, self->arena, self->stepper->work))
        return carom_fail_memory(error);
    return start_mass_take(&self->mass, self->arena, model, "accelerations at the start: solving for them",
                           error);
}

/* What contacts and friction forces carry is known after a step only. */
static bool contacts_may_act(const start_equations *self)
{
    const carom_stepper *stepper = self->stepper;
    const carom_state *state = &stepper->state;
    if (stepper->contacts > 0)
        stepper->model->ops->gaps(stepper->work, state->t, state->q, self->gap);
    for (int i = 0; i < stepper->contacts; i++)
        if (stepper->model->contact[i].friction_force || !(self->gap[i] > 0.0))
            return true;
    return false;
}

/* Of a sparse model all at once. */
static bool solve_sparse(start_equations *self)
{
    const carom_stepper *stepper = self->stepper;
    const carom_state *state = &stepper->state;
    const carom_motion motion = {.t = state->t, .q = state->q, .v = state->v};
    if (stepper->model->joints > 0)
        stepper->model->ops->constraints(stepper->work, &motion, NULL, NULL, self->offset);
    for (int k = 0; k < stepper->model->joints; k++)
        self->reaction[k] = -self->offset[k];
    if (sparse_joints_factor(&self->sparse, state->t, state->q) != 0)
        return false;
    sparse_joints_solve(&self->sparse, self->acceleration, self->reaction);
    return true;
}

/* False: there is no one solution. */
static bool solve(start_equations *self)
{
    const carom_stepper *stepper = self->stepper;
    const carom_model *model = stepper->model;
    const carom_state *state = &stepper->state;
    if (!model->ops->mass || !model->ops->force || contacts_may_act(self))
        return false;
    model->ops->force(stepper->work, state->t, state->q, state->v, self->acceleration);
    if (self->is_sparse)
        return solve_sparse(self);
    if (start_mass_factor(&self->mass, stepper->work, state->t, state->q) != 0)
        return false;
    newton_matrix_solve(&self->mass.newton, self->acceleration);
    if (model->joints == 0)
        return true;
    bool changed = false;
    if (joint_system_prepare(&self->joints, &self->mass.newton, state->t, state->q, &changed) != 0)
        return false;
    const carom_motion motion = {.t = state->t, .q = state->q, .v = state->v};
    model->ops->constraints(stepper->work, &motion, NULL, NULL, self->offset);
    joint_system_eliminate(&self->joints, self->offset, self->acceleration);
    memcpy(self->reaction, self->joints.impulse, (size_t)model->joints * sizeof *self->reaction);
    return true;
}

static void copy_or_none(int count, const double *from, double *to)
{
    for (int i = 0; to && i < count; i++)
        to[i] = from ? from[i] : NAN;
}

static carom_status forces_of_start(carom_stepper *stepper, double *acceleration, double *reaction,
                                    carom_error *error)
{
    if (stepper->model->has_bodies) { /* what touches is known after a step only */
        copy_or_none(stepper->dof, NULL, acceleration);
        copy_or_none(stepper->model->joints, NULL, reaction);
        return CAROM_OK;
    }
    start_equations start = {.stepper = stepper, .arena = carom_arena_create()};
    const carom_status status = start.arena ? take_memory(&start, error) : carom_fail_memory(error);
    if (status == CAROM_OK) {
        const bool solved = solve(&start);
        copy_or_none(stepper->dof, solved ? start.acceleration : NULL, acceleration);
        copy_or_none(stepper->model->joints, solved ? start.reaction : NULL, reaction);
    }
    sparse_joints_free(&start.sparse);
    carom_arena_free(start.arena);
    return status;
}

/* ---- after a step --------------------------------------------------------------------------------------- */

carom_status carom_stepper_forces(carom_stepper *stepper, double *acceleration, double *reaction,
                                  carom_error *error)
{
    const carom_state *state = &stepper->state;
    if (reaction && stepper->model->joints > 0) {
        const carom_status status = carom_scheme_check_reactions(stepper->ops, stepper->model, error);
        if (status != CAROM_OK)
            return status;
    }
    if (stepper->counts.steps == 0)
        return forces_of_start(stepper, acceleration, reaction, error);
    if (stepper->ops->forces)
        return stepper->ops->forces(stepper, acceleration, reaction, error);
    if (acceleration && !stepper->v_before)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "accelerations of scheme '%s' are changes of velocity in a step; call "
                          "carom_stepper_watch before it",
                          stepper->ops->name);
    for (int i = 0; acceleration && i < stepper->dof; i++)
        acceleration[i] = (state->v[i] - stepper->v_before[i]) / stepper->h;
    for (int k = 0; reaction && k < stepper->model->joints; k++)
        reaction[k] = state->reaction[k] / stepper->h;
    return CAROM_OK;
}
