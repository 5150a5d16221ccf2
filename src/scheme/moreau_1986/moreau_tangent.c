/* Derivatives of the steps of Moreau's schemes: what their equations are, for velocity_tangent.h.
 *
 *   vertex q_n + h/2 v_n at t_n + h/2;  M (u - v_n) = h f + H^T p;  output q_n + h/2 (v_n + u).
 *
 * Where elast and billiard reflect along several rows these are orthogonal: along each the velocity after the step is minus the
 * one before it, or minus the free one. */
#include "moreau_tangent.h"

#include "scheme/parts/velocity_tangent.h"

static void describe_common(const carom_stepper *stepper, double av, velocity_step *step)
{
    const moreau_stepper *moreau = (const moreau_stepper *)stepper;
    step->mass = (step_point){0.5, 0.5, 0.0};
    step->rows = (step_point){0.5 + av, 0.5 + av, 0.0};
    step->gaps = step->mass;
    step->end = (step_point){1.0, 0.5, 0.5};
    step->forces = 1;
    step->force[0] = (step_force){1.0, step->mass, 0.0};
    step->restitution = RESTITUTION_FIXED;
    step->active_count = moreau->active_count;
    step->active = moreau->active;
    step->gap = moreau->gap;
}

static void describe(const carom_stepper *stepper, velocity_step *step)
{
    const moreau_equations *equations = &((const moreau_stepper *)stepper)->equations;
    describe_common(stepper, equations->av, step);
    step->fixed_restitution = equations->restitution;
    step->pulls = equations->pulls;
    if (equations->of_free)
        step->restitution = RESTITUTION_OF_FREE;
    if (equations->force_anticipates)
        step->force[0].at = step->rows;
    if (equations->test_anticipates)
        step->gaps = step->rows;
}

/* Along the option av. */
static void describe_along(carom_tangent *base, const step_direction *direction, velocity_step *along)
{
    const moreau_equations *equations = &((const moreau_stepper *)base->stepper)->equations;
    const double av = direction->option ? direction->option[MOREAU_OPTION_AV] : 0.0;
    along->rows.time = along->rows.old = av;
    if (equations->force_anticipates)
        along->force[0].at = along->rows;
    if (equations->test_anticipates)
        along->gaps = along->rows;
}

static carom_status setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {.step = describe, .along = describe_along};
    return velocity_tangent_setup(base, &description, error);
}

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    if (((const moreau_stepper *)stepper)->equations.corrects)
        return carom_fail(error, CAROM_BAD_INPUT, "the correction of violated contacts has no derivatives");
    return contact_tangent_accepts(stepper->model, error);
}

const carom_tangent_ops moreau_tangent = {
    .bytes = sizeof(velocity_tangent),
    .accepts = accepts,
    .setup = setup,
    .step = velocity_tangent_step,
};
