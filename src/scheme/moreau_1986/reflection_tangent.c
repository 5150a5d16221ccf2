/* Derivatives of the steps of elast and billiard. Along the rows, which are orthogonal where several act together, the velocity
 * after the step is minus the one before it, or minus the free one. */
#include "moreau_tangent.h"
#include "reflection.h"

static moreau_equations equations_of(const carom_stepper *stepper)
{
    const reflector *self = (const reflector *)stepper;
    return (moreau_equations){.av = self->av,
                              .restitution = 1.0,
                              .pulls = self->rule == REFLECT_BALANCED,
                              .of_free = self->rule == REFLECT_BILLIARD};
}

static void describe(const carom_stepper *stepper, velocity_step *step)
{
    const moreau_equations equations = equations_of(stepper);
    moreau_describe(stepper, &equations, step);
}

static void describe_along(carom_tangent *base, const step_direction *direction, velocity_step *along)
{
    const moreau_equations equations = equations_of(base->stepper);
    moreau_describe_along(&equations, direction->option ? direction->option[REFLECTOR_OPTION_AV] : 0.0,
                          along);
}

static carom_status setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {.step = describe, .along = describe_along};
    return velocity_tangent_setup(base, &description, error);
}

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    return contact_tangent_accepts(stepper->model, error);
}

const carom_tangent_ops reflector_tangent = {
    .bytes = sizeof(velocity_tangent),
    .accepts = accepts,
    .setup = setup,
    .step = velocity_tangent_step,
};
