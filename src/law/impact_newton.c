/* Newton's law with a restitution per contact, and Moreau's, which has one for all:
 *
 *   0 <= p _|_ gamma+ + E gamma- >= 0,  that is  0 <= p _|_ G p + (I + E) gamma- >= 0
 *
 * (Winandy, Baumann and Leine 2018, (196)-(199); Nguyen and Brogliato 2018, (8)-(11)). */
#include <math.h>

#include "impact_law.h"

/* How well the complementarity must hold, relative to the velocities. */
static const double solved = 1e-10;

static size_t work_size(const carom_impact_sizes *sizes)
{
    return 2 * (size_t)sizes->contacts + impact_lcp_work(sizes);
}

/* The nearest velocity that does not penetrate: further impulses. */
static void project(const impact_frame *frame, double *work, carom_impact_result *result)
{
    const int contacts = frame->contacts;
    double *after = work, *more = work + contacts, slowest = 0.0;
    impact_frame_multiply(frame, result->impulse, after);
    for (int i = 0; i < contacts; i++) {
        after[i] += frame->gamma[i];
        slowest = fmin(slowest, after[i]);
    }
    if (slowest >= -solved * frame->speed)
        return;
    const double residual = impact_lcp(frame, after, more + contacts, more);
    for (int i = 0; i < contacts; i++)
        result->impulse[i] += more[i];
    result->residual = fmax(result->residual, residual);
    result->notes |= CAROM_IMPACT_PROJECTED;
}

static carom_status solve_newton(const impact_frame *frame, const carom_impact_options *options, double *work,
                                 carom_impact_result *result, carom_error *error)
{
    (void)error;
    const int contacts = frame->contacts;
    double *b = work;
    for (int i = 0; i < contacts; i++)
        b[i] = (1.0 + frame->restitution[i]) * frame->gamma[i];
    result->residual = impact_lcp(frame, b, work + 2 * (ptrdiff_t)contacts, result->impulse);
    result->word = result->residual <= solved * frame->speed ? CAROM_IMPACT_OK : CAROM_IMPACT_INFEASIBLE;
    if (result->word == CAROM_IMPACT_OK && options->separating == CAROM_SEPARATING_PROJECT)
        project(frame, work, result);
    return CAROM_OK;
}

static carom_status solve_moreau(const impact_frame *frame, const carom_impact_options *options, double *work,
                                 carom_impact_result *result, carom_error *error)
{
    for (int i = 1; i < frame->contacts; i++)
        if (frame->restitution[i] != frame->restitution[0])
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "Moreau's law has one restitution for all contacts (contact 1 has %g, contact %d "
                "has %g); take law newton or poisson",
                frame->restitution[0], i + 1, frame->restitution[i]);
    return solve_newton(frame, options, work, result, error);
}

const carom_impact_law_ops carom_impact_newton = {
    .name = "newton",
    .summary = "generalized Newton law: a kinematic restitution per contact, one complementarity problem",
    .work_size = work_size,
    .solve = solve_newton,
};

const carom_impact_law_ops carom_impact_moreau = {
    .name = "moreau",
    .summary = "Moreau's law: one kinematic restitution, reflection at the cone of admissible velocities",
    .work_size = work_size,
    .solve = solve_moreau,
};
