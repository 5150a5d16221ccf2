#include "jean_options.h"

static const char *const initial_choices[] = {"check", "project", NULL};
static const char *const projection_choices[] = {"auto", "off", "on", NULL};
static const char *const joints_choices[] = {"theta", "end", NULL};
static const char *const rows_choices[] = {"auto", "end", "predicted", NULL};

const carom_option_info moreau_jean_options[JEAN_OPTION_COUNT] = {
    [JEAN_OPTION_THETA] = {"theta", 0.5, 0.5, 1.0, NULL,
                           "implicitness: 0.5 keeps the energy of linear systems, 1 is backward Euler"},
    [JEAN_OPTION_PREDICTION] = {"prediction", 0.5, 0.0, 1.0, NULL,
                                "a contact is active when its gap at q + prediction h v is not positive"},
    CHOSEN_IMPACT_OPTIONS(JEAN_OPTION_IMPACT),
    [JEAN_OPTION_INITIAL] =
        {"initial", 0.0, 0.0, 1.0, initial_choices,
         "joints that the initial data do not satisfy: an error, or the data are corrected"},
    [JEAN_OPTION_PROJECTION] =
        {"projection", 0.0, 0.0, 2.0, projection_choices,
         "on: the position is put back on the joints, or out of penetration, after each step; auto: of "
         "bodies"},
    [JEAN_OPTION_JOINTS] =
        {"joints", 0.0, 0.0, 1.0, joints_choices,
         "where joints act, like other forces by theta, or at the end of the step: damped"},
    [JEAN_OPTION_ROWS] =
        {"rows", 0.0, 0.0, 2.0, rows_choices,
         "where contacts act: along the rows of the end of the step, or of the predicted position; auto: of "
         "the end, of bodies and where those do not settle of the predicted position"},
    [JEAN_OPTION_THREADS] =
        {"threads", 1.0, 1.0, 64.0, NULL,
         "of bodies: islands that do not touch each other are solved by so many threads, with "
         "the same result"},
    CONTACT_SOLVER_OPTIONS(JEAN_OPTION_SOLVER, solver_automatic, &carom_lcp_solvers, &carom_step_solvers,
                           "of contacts; auto, or the name of one without friction or of one with it"),
};

const char *moreau_jean_impact_law(const double *option)
{
    return carom_option_word(&moreau_jean_options[JEAN_OPTION_IMPACT + IMPACT_OPTION_LAW],
                             (int)option[JEAN_OPTION_IMPACT + IMPACT_OPTION_LAW]);
}

/* The law's contact space would need the joints eliminated. */
carom_status moreau_jean_check_impact_law(const carom_model *model, const double *option, carom_error *error)
{
    const int law = (int)option[JEAN_OPTION_IMPACT + IMPACT_OPTION_LAW];
    if (model->joints == 0 || law == 0)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "impact_law=%s does not treat joints ('%s' is one); leave out impact_law: the scheme's own law "
        "does",
        carom_option_word(&moreau_jean_options[JEAN_OPTION_IMPACT + IMPACT_OPTION_LAW], law),
        model->joint[0]);
}
