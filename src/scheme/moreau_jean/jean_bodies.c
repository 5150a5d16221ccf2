/* Bodies have steps of their own, of the same scheme: the options that reach them, and those that do not. */
#include <string.h>

#include "jean_options.h"
#include "scheme/body_step.h"

carom_status moreau_jean_set_up_bodies(moreau_jean *self, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const double *option = stepper->option;
    body_step_options given = {.theta = option[JEAN_OPTION_THETA],
                               .prediction = option[JEAN_OPTION_PREDICTION],
                               .projection = option[JEAN_OPTION_PROJECTION] != JEAN_PROJECTION_OFF,
                               .threads = (int)option[JEAN_OPTION_THREADS],
                               .limits = contact_solver_limits(stepper)};
    const char *law = moreau_jean_impact_law(option);
    if (strcmp(law, carom_impact_moreau.name) == 0)
        given.impact = BODY_IMPACT_MOREAU;
    else if (option[JEAN_OPTION_IMPACT + IMPACT_OPTION_LAW] != 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "impact_law=%s does not treat bodies; take impact_law=%s, which cannot gain "
                          "energy, or leave it out: the scheme's own law is Newton's",
                          law, carom_impact_moreau.name);
    if (option[JEAN_OPTION_ROWS] == JEAN_ROWS_END)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "rows=end does not treat bodies, whose contacts act along the rows of the predicted "
            "position; leave out rows");
    const carom_solver_ops *chosen = carom_scheme_solver(stepper->ops, option, CAROM_PROBLEM_STEP);
    if (chosen == &carom_step_auto)
        chosen = NULL; /* that of COULOMB has the same name */
    if (chosen && chosen->kind != CAROM_PROBLEM_COULOMB)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "solver '%s' is not for bodies, whose contacts come and go; carom list solvers has those of "
            "kind coulomb",
            chosen->name);
    if (carom_scheme_solver(stepper->ops, option, CAROM_PROBLEM_LCP))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "solver '%s' is for contacts without friction; bodies take auto or one of kind coulomb (carom "
            "list solvers)",
            carom_scheme_solver(stepper->ops, option, CAROM_PROBLEM_LCP)->name);
    given.solver = chosen;
    given.corrects_start = option[JEAN_OPTION_INITIAL] != 0.0;
    return body_step_create(&self->stepper, &given, &self->bodies, error);
}
