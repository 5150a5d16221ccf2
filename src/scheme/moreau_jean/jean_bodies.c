/* Bodies have steps of their own, of the same scheme: the options that reach them, and those that do not. */
#include <string.h>

#include "jean_options.h"
#include "scheme/body_step.h"

static carom_status fail_solver(const char *name, carom_error *error)
{
    carom_text able = {0};
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_COULOMB); i++)
        carom_text_append(&able, "%s%s", i ? ", " : "", carom_solver_at(CAROM_PROBLEM_COULOMB, i)->name);
    carom_fail(error, CAROM_BAD_INPUT,
               "solver '%s' is for contacts without friction; bodies take one of these: %s", name,
               able.bytes ? able.bytes : "auto");
    carom_text_free(&able);
    return CAROM_BAD_INPUT;
}

/* The one of COULOMB that has the name, whatever others have it, too. NULL: the own one of bodies, `auto`. */
static carom_status choose_solver(const carom_stepper *stepper, const carom_solver_ops **chosen,
                                  carom_error *error)
{
    const carom_option_info *info = &moreau_jean_options[JEAN_OPTION_SOLVER + SOLVER_OPTION_NAME];
    const int word = (int)stepper->option[JEAN_OPTION_SOLVER + SOLVER_OPTION_NAME];
    const char *name = carom_option_word(info, word);
    *chosen = word == 0 ? NULL : carom_solver_find(CAROM_PROBLEM_COULOMB, name, NULL);
    return word == 0 || *chosen ? CAROM_OK : fail_solver(name, error);
}

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
    carom_status status = choose_solver(stepper, &given.solver, error);
    if (status != CAROM_OK)
        return status;
    if (given.solver && !(given.limits.option = contact_solver_options(stepper, given.solver)))
        return carom_fail_memory(error);
    given.corrects_start = option[JEAN_OPTION_INITIAL] != 0.0;
    return body_step_create(&self->stepper, &given, &self->bodies, error);
}
