#include "dai_tangent.h"

#include <math.h>
#include <string.h>

carom_status dai_tangent_accepts(const carom_stepper *stepper, carom_error *error)
{
    return contact_tangent_accepts(stepper->model, error);
}

void dai_describe(const carom_stepper *stepper, velocity_step *step)
{
    const dai_tangent *self = (const dai_tangent *)stepper->tangent;
    step->forces = 1;
    step->restitution = RESTITUTION_FIXED;
    step->active_count = stepper->contacts;
    step->active = self->active;
}

const bool *dai_massless(const carom_stepper *stepper)
{
    return ((const dai_system *)stepper)->is_algebraic;
}

/* ---- algebraic variables ---------------------------------------------------------------------------------- */

/* The step has found them at its end and in its middle: so does this. */
void dai_settle_place(carom_tangent *tangent, double t, double *q)
{
    dai_system *system = (dai_system *)tangent->stepper;
    for (int a = 0; a < system->algebraic; a++)
        q[system->algebraic_at[a]] = tangent->stepper->state.q[system->algebraic_at[a]];
    if (!dai_settle(system, t, q))
        q[system->algebraic_at[0]] = NAN;
}

static void put(const dai_system *system, const double *value, double *to)
{
    for (int a = 0; a < system->algebraic; a++)
        to[system->algebraic_at[a]] = value[a];
}

static void put_nan(const dai_system *system, double *to)
{
    for (int a = 0; a < system->algebraic; a++)
        to[system->algebraic_at[a]] = NAN;
}

/* d g / d z dz = -(g along the others) */
void dai_settle_along(carom_tangent *tangent, double t, const double *q, double t_along,
                      const double *parameter, double *dq)
{
    dai_tangent *self = (dai_tangent *)tangent;
    dai_system *system = (dai_system *)tangent->stepper;
    const carom_stepper *stepper = tangent->stepper;
    const carom_motion motion = {.t = t, .q = q};
    if (system->algebraic == 0)
        return;
    for (int a = 0; a < system->algebraic; a++)
        dq[system->algebraic_at[a]] = 0.0;
    const carom_direction to = {.t = t_along, .q = dq, .parameter = parameter};
    stepper->model->ops->tangent->constraints(stepper->work, &motion, 1, &to, self->g_along, NULL, NULL);
    if (!dai_factor_joints(system, t, q)) {
        put_nan(system, dq);
        return;
    }
    for (int a = 0; a < system->algebraic; a++)
        self->g_along[a] = -self->g_along[a];
    dai_solve_joints(system, self->g_along);
    put(system, self->g_along, dq);
}

/* G v + g_t = 0: d g / d z dz' = -(dG v + dg_t + d g / d x dx'). */
static void find_rates(dai_tangent *self, const carom_direction *to, const double *v, double *dv)
{
    dai_system *system = (dai_system *)self->velocity.base.stepper;
    const carom_stepper *stepper = &system->stepper;
    const carom_model_tangent_ops *along = stepper->model->ops->tangent;
    const carom_sparse *pattern = system->pattern;
    const carom_motion motion = {.t = stepper->state.t, .q = stepper->state.q};
    if (system->algebraic == 0)
        return;
    along->constraints(stepper->work, &motion, 1, to, NULL, self->g_along, NULL);
    along->block(stepper->work, CAROM_BLOCK_ROWS, &motion, 1, to, self->entry_along);
    if (!dai_factor_joints(system, motion.t, motion.q)) {
        put_nan(system, dv);
        return;
    }
    double *right = self->g_along;
    for (int a = 0; a < system->algebraic; a++)
        right[a] = -right[a];
    for (int i = 0; i < stepper->dof; i++)
        for (int k = pattern->column_start[i]; k < pattern->column_start[i + 1]; k++)
            if (pattern->row[k] < system->algebraic)
                right[pattern->row[k]] -=
                    self->entry_along[k] * v[i] + (system->is_algebraic[i] ? 0.0 : system->entry[k] * dv[i]);
    dai_solve_joints(system, right);
    put(system, right, dv);
}

void dai_rates_along(carom_tangent *tangent, int column)
{
    const carom_direction to = {.t = tangent->t[column],
                                .q = carom_tangent_q(tangent, column),
                                .parameter = tangent->column[column].parameter};
    find_rates((dai_tangent *)tangent, &to, tangent->stepper->state.v, carom_tangent_v(tangent, column));
}

/* ---- life -------------------------------------------------------------------------------------------------- */

carom_status dai_tangent_setup(carom_tangent *base, const velocity_description *description,
                               carom_error *error)
{
    dai_tangent *self = (dai_tangent *)base;
    const carom_stepper *stepper = base->stepper;
    const carom_model *model = stepper->model;
    const size_t contacts = (size_t)model->contacts, joints = (size_t)model->joints;
    const carom_sparse *pattern = ((const dai_system *)stepper)->pattern;
    self->active = carom_arena_take(base->arena, contacts, sizeof *self->active);
    self->entry_along =
        carom_arena_take(base->arena, pattern ? (size_t)carom_sparse_entries(pattern) : 0, sizeof(double));
    self->g_along = carom_arena_take(base->arena, joints + contacts, sizeof(double));
    if (!self->active || !self->entry_along || !self->g_along)
        return carom_fail_memory(error);
    for (int k = 0; k < model->contacts; k++)
        self->active[k] = k;
    const carom_status status = velocity_tangent_setup(base, description, error);
    for (int c = 0; status == CAROM_OK && c < base->columns; c++) {
        if (stepper->option[DAI_OPTION_INITIAL] != 0.0)
            dai_settle_along(base, stepper->state.t, stepper->state.q, base->t[c], base->column[c].parameter,
                             carom_tangent_q(base, c));
        dai_rates_along(base, c);
    }
    return status;
}
