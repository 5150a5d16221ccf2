/* Derivatives of the steps of Moreau's schemes: what their equations are, for velocity_tangent.h.
 *
 *   vertex q_n + h/2 v_n at t_n + h/2;  M (u - v_n) = h f + H^T p;  output q_n + h/2 (v_n + u). */
#include "moreau_tangent.h"

static void describe_common(const carom_stepper *stepper, double av, velocity_step *step)
{
    const moreau_stepper *moreau = (const moreau_stepper *)stepper;
    step->mass = (step_point){0.5, 0.5, 0.0};
    step->rows = (step_point){0.5, 0.5 + av, 0.0};
    step->gaps = step->mass;
    step->end = (step_point){1.0, 0.5, 0.5};
    step->forces = 1;
    step->force[0] = (step_force){1.0, step->mass, 0.0};
    step->restitution = RESTITUTION_FIXED;
    step->active_count = moreau->active_count;
    step->active = moreau->active;
    step->gap = moreau->gap;
}

void moreau_describe(const carom_stepper *stepper, const moreau_equations *equations, velocity_step *step)
{
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

void moreau_describe_along(const moreau_equations *equations, double av, velocity_step *along)
{
    along->rows.old = av;
    if (equations->force_anticipates)
        along->force[0].at.old = av;
    if (equations->test_anticipates)
        along->gaps.old = av;
}
