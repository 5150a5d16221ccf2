/* The derivative of a step of moreau-jean: what its equations are, for velocity_tangent.h. A law of impact that was chosen comes
 * before the step: its derivative does, too. */
#include <math.h>
#include <string.h>

#include "jean_options.h"
#include "jean_projection_tangent.h"
#include "scheme/body_step.h"
#include "scheme/parts/impact_tangent.h"
#include "scheme/parts/velocity_tangent.h"

typedef struct jean_tangent {
    velocity_tangent velocity; /* first: the handle of the caller */
    impact_tangent law;
    carom_direction *direction;
    double *after; /* columns x dof: of the velocity after the impact */
    projection_tangent projection;
    body_tangent *bodies; /* of a model with bodies: all that stands above is not used then */
} jean_tangent;

/* Moreau's law with friction has one restitution in a step: a mean, unless all are the same and depend on parameters only. */
static bool has_one_restitution(const moreau_jean *scheme)
{
    const carom_stepper *stepper = &scheme->stepper;
    double first = NAN;
    for (int k = 0; k < stepper->contacts; k++) {
        const carom_contact_info *info = &stepper->model->contact[k];
        if (info->friction_force)
            continue;
        const double restitution = info->has_restitution ? scheme->rows.frame[k].restitution : 0.0;
        if (!isnan(first) && restitution != first)
            return false;
        first = restitution;
        if (info->has_restitution && !info->constant_restitution)
            return false;
    }
    return true;
}

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    const moreau_jean *scheme = (const moreau_jean *)stepper;
    if (scheme->bodies)
        return body_tangent_accepts(scheme->bodies, error);
    if (scheme->oblique && !has_one_restitution(scheme))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the impact law 'moreau' has derivatives only where all contacts have one restitution");
    const carom_status law = impact_tangent_accepts(&scheme->chosen, error);
    if (law != CAROM_OK)
        return law;
    return contact_tangent_accepts(stepper->model, error);
}

static void describe(const carom_stepper *stepper, velocity_step *step)
{
    const moreau_jean *scheme = (const moreau_jean *)stepper;
    const double theta = scheme->theta, ahead = scheme->prediction;
    step->end = (step_point){1.0, 1.0 - theta, theta};
    step->mass = (step_point){theta, theta * (1.0 - theta), theta * theta};
    step->gaps = (step_point){ahead, ahead, 0.0};
    step->rows = scheme->rows_fixed ? step->gaps : step->end;
    step->forces = 2;
    step->force[0] = (step_force){.weight = 1.0 - theta};
    step->force[1] = (step_force){theta, step->end, 1.0};
    step->restitution = scheme->oblique ? RESTITUTION_OBLIQUE : RESTITUTION_AT_START;
    step->fixed_restitution = scheme->oblique ? scheme->restitution : 0.0;
    if (scheme->chosen.work) /* rebounds are the law's */
        step->restitution = RESTITUTION_FIXED;
    if (scheme->chosen.count > 0)
        step->struck = scheme->chosen.share;
    step->joint_share = scheme->joint_share;
    step->active_count = scheme->active_count;
    step->active = scheme->active;
    step->gap = scheme->gap;
}

static void describe_along(carom_tangent *tangent, const step_direction *direction, velocity_step *along)
{
    const moreau_jean *scheme = (const moreau_jean *)tangent->stepper;
    const double *option = direction->option;
    if (!option)
        return;
    const double theta = option[JEAN_OPTION_THETA], ahead = option[JEAN_OPTION_PREDICTION];
    along->end = (step_point){0.0, -theta, theta};
    along->mass = (step_point){theta, (1.0 - 2.0 * scheme->theta) * theta, 2.0 * scheme->theta * theta};
    along->gaps = (step_point){ahead, ahead, 0.0};
    along->rows = scheme->rows_fixed ? along->gaps : along->end;
    along->force[0].weight = -theta;
    along->force[1] = (step_force){theta, along->end, 0.0};
    along->joint_share = scheme->joint_share > 0.0 ? -theta : 0.0;
}

static carom_status setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {.step = describe, .along = describe_along};
    jean_tangent *self = (jean_tangent *)base;
    moreau_jean *scheme = (moreau_jean *)base->stepper;
    const size_t columns = (size_t)base->columns;
    if (scheme->bodies)
        return body_tangent_create(base, scheme->bodies, JEAN_OPTION_THETA, JEAN_OPTION_PREDICTION,
                                   &self->bodies, error);
    if (scheme->chosen.work) {
        self->direction = carom_arena_take(base->arena, columns, sizeof *self->direction);
        self->after = carom_arena_take(base->arena, carom_product(columns, (size_t)base->stepper->dof),
                                       sizeof *self->after);
        if (!self->direction || !self->after ||
            !impact_tangent_take(&self->law, base->arena, &scheme->chosen, base->columns))
            return carom_fail_memory(error);
    }
    if (scheme->projection && !projection_tangent_take(&self->projection, base))
        return carom_fail_memory(error);
    return velocity_tangent_setup(base, &description, error);
}

/* The velocity before the step becomes the one after the impact, and so do its derivatives. */
static bool strike(jean_tangent *self)
{
    carom_tangent *base = &self->velocity.base;
    const moreau_jean *scheme = (const moreau_jean *)base->stepper;
    const int n = base->stepper->dof;
    for (int c = 0; c < base->columns; c++)
        self->direction[c] = (carom_direction){.t = base->t[c],
                                               .q = carom_tangent_q(base, c),
                                               .u = carom_tangent_v(base, c),
                                               .parameter = base->column[c].parameter};
    if (!impact_tangent_strike(&self->law, base->t_before, base->q_before, base->columns, self->direction,
                               self->after))
        return false;
    if (self->law.weak >= 0)
        carom_tangent_tell(
            base, base->t_before,
            "contact '%s' is struck on one side, and not on the other; taken: the side on which "
            "it is not",
            base->stepper->model->contact[self->law.weak].name);
    carom_copy(n, scheme->chosen.result.velocity, base->v_before);
    for (int c = 0; c < base->columns; c++)
        carom_copy(n, self->after + (ptrdiff_t)c * n, carom_tangent_v(base, c));
    return true;
}

static carom_status step(carom_tangent *base, carom_error *error)
{
    jean_tangent *self = (jean_tangent *)base;
    const chosen_impact *chosen = &((const moreau_jean *)base->stepper)->chosen;
    if (self->bodies)
        return body_tangent_step(self->bodies, error);
    if (chosen->count > 0 && !strike(self)) {
        carom_tangent_tell(base, base->t_before, "the law of impact has no derivatives there");
        base->lost = true;
        return CAROM_OK;
    }
    const carom_status status = velocity_tangent_step(base, error);
    if (status == CAROM_OK && ((const moreau_jean *)base->stepper)->projection && !base->lost &&
        !projection_tangent_step(&self->projection, base, self->velocity.q_end)) {
        carom_tangent_tell(base, base->stepper->state.t,
                           "the projection of positions has no derivatives there");
        base->lost = true;
    }
    const ptrdiff_t numbers = CAROM_CONTACT_COMPONENTS * (ptrdiff_t)base->stepper->contacts;
    for (int c = 0; status == CAROM_OK && c < base->columns; c++)
        for (int k = 0; k < chosen->count; k++)
            base->impulse[c * numbers + CAROM_CONTACT_COMPONENTS * chosen->list[k]] +=
                impact_tangent_impulse(&self->law, c, k);
    return status;
}

static void free_bodies(carom_tangent *base)
{
    body_tangent_free(((jean_tangent *)base)->bodies);
}

const carom_tangent_ops moreau_jean_tangent = {
    .bytes = sizeof(jean_tangent),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .free = free_bodies,
};
