/* Newton's law with a restitution per contact, and Moreau's, which has one for all:
 *
 *   0 <= p _|_ gamma+ + E gamma- >= 0,  that is  0 <= p _|_ G p + (I + E) gamma- >= 0
 *
 * (Winandy, Baumann and Leine 2018, (196)-(199); Nguyen and Brogliato 2018, (8)-(11)). */
#include <math.h>

#include "impact_law.h"

/* A contact that is penetrated more slowly than this, relative to all velocities, is not. */
static const double penetrated = 1e-10;

static size_t work_size(const carom_impact_sizes *sizes)
{
    const size_t lcp = carom_impact_lcp_work(sizes), redundant = impact_redundant_work(sizes);
    return 2 * (size_t)sizes->contacts + (size_t)sizes->coordinates + (lcp > redundant ? lcp : redundant);
}

/* The nearest velocity that does not penetrate: further impulses. after, more: contacts; work: coordinates
 * and what the complementarity needs. */
static double project(const carom_contact_space *space, double *after, double *more, double *work,
                      carom_impact_result *result)
{
    double slowest = 0.0;
    contact_space_answer(space, space->gamma, result->impulse, work, after);
    for (int i = 0; i < space->contacts; i++)
        slowest = fmin(slowest, after[i]);
    if (slowest >= -penetrated * space->speed)
        return 0.0;
    const double residual = carom_impact_lcp(space, after, work + space->coordinates, more);
    for (int i = 0; i < space->contacts; i++)
        result->impulse[i] += more[i];
    result->notes |= CAROM_IMPACT_PROJECTED;
    return residual;
}

static carom_status solve_newton(const carom_contact_space *space, const carom_impact_options *options,
                                 double *work, carom_impact_result *result, carom_error *error)
{
    (void)error;
    const ptrdiff_t contacts = space->contacts;
    double *b = work, *more = work + contacts, *rest = more + contacts;
    for (int i = 0; i < space->contacts; i++)
        b[i] = (1.0 + space->restitution[i]) * space->gamma[i];
    if (impact_is_redundant(space, rest))
        result->notes |= CAROM_IMPACT_REDUNDANT;
    result->residual = carom_impact_lcp(space, b, rest + space->coordinates, result->impulse);
    if (result->residual != INFINITY && options->separating == CAROM_SEPARATING_PROJECT)
        result->residual = fmax(result->residual, project(space, b, more, rest, result));
    for (int i = 0; i < space->contacts; i++)
        b[i] = (1.0 + space->restitution[i]) * space->gamma[i];
    carom_impact_conclude(space, b, result);
    return CAROM_OK;
}

static carom_status check_moreau(const carom_impact *impact, carom_error *error)
{
    for (int i = 1; i < impact->contacts; i++)
        if (impact->restitution[i] != impact->restitution[0])
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "Moreau's law has one restitution for all contacts (contact 1 has %g, contact %d "
                "has %g); take law newton or poisson",
                impact->restitution[0], i + 1, impact->restitution[i]);
    return CAROM_OK;
}

static const char *const separating_words[] = {"keep", "project", NULL};
static const carom_option_info options_of_both[] = {
    {"separating", CAROM_SEPARATING_KEEP, 0.0, 1.0, separating_words,
     "velocity that penetrates a contact that separated: kept, or the nearest admissible one", NULL},
};

static void set_options(const double *value, carom_impact_options *options)
{
    options->separating = (carom_impact_separating)value[0];
}

const carom_impact_law_ops carom_impact_newton = {
    .name = "newton",
    .summary = "generalized Newton law: a kinematic restitution per contact, one complementarity problem",
    .usage = "kinematic restitution per contact, also moreau-jean's own: restitution = 0.8, impact_law = "
             "\"newton\"",
    .option_count = sizeof options_of_both / sizeof *options_of_both,
    .options = options_of_both,
    .set = set_options,
    .work_size = work_size,
    .solve = solve_newton,
};

const carom_impact_law_ops carom_impact_moreau = {
    .name = "moreau",
    .summary = "Moreau's law: one kinematic restitution, reflection at the cone of admissible velocities",
    .usage = "one kinematic restitution for all contacts: impact_law = \"moreau\"",
    .option_count = sizeof options_of_both / sizeof *options_of_both,
    .options = options_of_both,
    .set = set_options,
    .work_size = work_size,
    .check = check_moreau,
    .solve = solve_newton,
};
