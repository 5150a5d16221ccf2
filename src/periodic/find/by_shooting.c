/* Periodic motions of any model: guesses, one after the other, and shooting from them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

/* How the search goes on. */
typedef struct shooting_search {
    const carom_periodic_model *periodic;
    const carom_linearised *linear; /* NULL: there is none */
    const carom_find_request *request;
    carom_found_orbit *found;
    carom_shot shot;
    char failures[1200];
} shooting_search;

carom_status find_shooting_create(const carom_periodic_model *periodic, carom_shooting_kind kind, int impacts,
                                  const int *contact, double period, int multiple, int frequency,
                                  carom_shooting **shooting, carom_error *error)
{
    const double *parameter = periodic->parameter;
    if (frequency >= 0)
        multiple = (int)fmax(1.0, round(period * parameter[frequency] / (2.0 * CAROM_PI)));
    const carom_shooting_problem problem = {.model = periodic->model,
                                            .parameter = parameter,
                                            .kind = kind,
                                            .impacts = impacts,
                                            .contact = contact,
                                            .period = period,
                                            .frequency = frequency,
                                            .multiple = multiple};
    return carom_shooting_create(&problem, shooting, error);
}

/* ---- guesses ---------------------------------------------------------------------------------------- */

static void guess_flights(shooting_search *self)
{
    const carom_find_request *request = self->request;
    const int count = request->impacts.count;
    if (count == 0)
        self->shot.flight[0] = request->period;
    for (int i = 0; i < count; i++) {
        const double next = i + 1 < count ? request->impacts.phase[i + 1] : 1.0;
        self->shot.flight[i] =
            request->flights ? request->flight[i] : (next - request->impacts.phase[i]) * request->period;
    }
}

static bool strikes_one(const carom_impact_sequence *impacts)
{
    for (int i = 1; i < impacts->count; i++)
        if (impacts->contact[i] != impacts->contact[0])
            return false;
    return true;
}

/* Takes the motion of the linear system as a guess, when there is one with these impacts. */
static carom_status take_linear(shooting_search *self, carom_found_orbit *near, carom_error *error)
{
    const carom_find_request *request = self->request;
    const int n = self->periodic->model->dof;
    carom_status status;
    if (strikes_one(&request->impacts))
        status = find_by_flights(self->periodic, self->linear, request, near, error);
    else if (carom_impact_is_pattern(&request->impacts))
        status = find_by_pattern(self->periodic, self->linear, request, near, error);
    else
        return carom_fail(error, CAROM_FAILED, "no linear motion is known with these phases");
    if (status == CAROM_OK && !near->found)
        return carom_fail(error, CAROM_FAILED, "of the linearised model: %s", near->verdict);
    if (status != CAROM_OK)
        return status;
    memcpy(self->shot.q, near->q, (size_t)n * sizeof(double));
    memcpy(self->shot.v, near->v, (size_t)n * sizeof(double));
    memcpy(self->shot.flight, near->flight, (size_t)near->impacts * sizeof(double));
    self->shot.t0 = 0.0;
    carom_format(self->found->guess, sizeof self->found->guess,
                 "the motion of the model linearised at its rest (%s)", near->method);
    return CAROM_OK;
}

static carom_status guess_linear(shooting_search *self, carom_error *error)
{
    carom_found_orbit near;
    if (!self->linear)
        return carom_fail(error, CAROM_FAILED,
                          "the model has no rest with open gaps and stiffness around it");
    const carom_status status = found_take(self->periodic, self->request->impacts.count, &near)
                                    ? take_linear(self, &near, error)
                                    : carom_fail_memory(error);
    carom_found_orbit_free(&near);
    return status;
}

static carom_status guess_branch(shooting_search *self, carom_error *error)
{
    double from = 0.0;
    const carom_status status =
        find_guess_branch(self->periodic, self->linear, self->request, &self->shot, &from, error);
    if (status == CAROM_OK)
        carom_format(self->found->guess, sizeof self->found->guess,
                     "the branch that the linearised model gives at period %.6g", from);
    return status;
}

static carom_status guess_run(shooting_search *self, double settle, carom_error *error)
{
    guess_flights(self);
    const carom_status status = find_guess_run(self->periodic, self->request, settle, &self->shot, error);
    if (status == CAROM_OK && self->request->impacts.count == 0)
        carom_format(self->found->guess, sizeof self->found->guess,
                     "a run from the initial state, after %.0f period%s", ceil(settle),
                     settle == 1.0 ? "" : "s");
    else if (status == CAROM_OK)
        carom_format(self->found->guess, sizeof self->found->guess,
                     "a run from the initial state, at t = %.6g", self->shot.t0);
    if (self->periodic->model->conservative)
        self->shot.t0 = 0.0;
    return status;
}

/* ---- solution --------------------------------------------------------------------------------------- */

static void describe(const carom_periodic_model *periodic, const carom_shot *shot, carom_found_orbit *found)
{
    const size_t size = sizeof found->verdict;
    if (shot->admissible)
        carom_format(found->verdict, size, "%s",
                     shot->approach < INFINITY ? "a motion" : "a motion without impacts");
    else if (!(shot->approach > 0.0))
        carom_format(found->verdict, size, "NOT a motion: an impact would have to pull, approach speed %.6g",
                     shot->approach);
    else
        carom_format(found->verdict, size, "NOT a motion: '%s' penetrates by %.6g at t = %.9g",
                     periodic->model->contact[shot->gap_contact].name, -shot->gap, shot->gap_time - shot->t0);
}

static carom_status fill(shooting_search *self, carom_shooting *shooting, carom_shooting_kind kind,
                         carom_error *error)
{
    const carom_shot *shot = &self->shot;
    carom_found_orbit *found = self->found;
    const int n = self->periodic->model->dof, size = 2 * n;
    found->kind = kind;
    found->found = true;
    found->is_motion = shot->admissible;
    found->solutions = 1;
    found->t0 = shot->t0;
    found->period = shot->period;
    found->energy = shot->energy;
    found->residual = shot->residual;
    found->iterations = shot->iterations;
    found->margin = shot->gap;
    found->margin_time = shot->gap_time - shot->t0;
    found->margin_contact = isfinite(shot->gap) ? shot->gap_contact : -1;
    describe(self->periodic, shot, found);
    double *matrix = carom_new_array(carom_product((size_t)size, (size_t)size), sizeof *matrix);
    if (!matrix)
        return carom_fail_memory(error);
    carom_error none = {0};
    carom_status status = CAROM_FAILED;
    if (carom_shooting_monodromy(shooting, shot, matrix, &none) == CAROM_OK &&
        carom_all_finite(size * size, matrix)) {
        carom_monodromy_in_time(n, shot->period, matrix);
        status = carom_multipliers(size, matrix, found->real, found->imaginary, &found->largest, &none);
    }
    if (none.status == CAROM_NO_MEMORY) {
        free(matrix);
        return carom_fail_memory(error);
    }
    if (status == CAROM_OK) {
        found->multipliers = size;
        /* of the shot: the double 1, which rounding moves, is not among those that it looks at */
        found->largest = shot->multiplier;
        found->stable = shot->multiplier <= CAROM_STABLE_MULTIPLIER;
    }
    free(matrix);
    return find_walk(self->periodic, found, error);
}

/* Shoots from the guess; the guess stays when that fails. */
static carom_status shoot(shooting_search *self, carom_shooting_kind kind, carom_error *error)
{
    const carom_find_request *request = self->request;
    const size_t n = (size_t)self->periodic->model->dof;
    const size_t impacts = (size_t)(request->impacts.count > 0 ? request->impacts.count : 1);
    carom_shooting *shooting = NULL;
    if (find_goes_on(self->periodic, 0.0, 1.0, error) != CAROM_OK)
        return CAROM_INTERRUPTED;
    double *kept = carom_new_array(2 * n + impacts, sizeof *kept);
    if (!kept)
        return carom_fail_memory(error);
    memcpy(kept, self->shot.q, n * sizeof *kept);
    memcpy(kept + n, self->shot.v, n * sizeof *kept);
    memcpy(kept + 2 * n, self->shot.flight, impacts * sizeof *kept);
    carom_status status =
        find_shooting_create(self->periodic, kind, request->impacts.count, request->impacts.contact,
                             request->period, self->found->multiple, -1, &shooting, error);
    if (status == CAROM_OK)
        status = carom_shooting_solve(shooting, &self->shot, error);
    if (status == CAROM_OK)
        status = fill(self, shooting, kind, error);
    if (status != CAROM_OK) {
        memcpy(self->shot.q, kept, n * sizeof *kept);
        memcpy(self->shot.v, kept + n, n * sizeof *kept);
        memcpy(self->shot.flight, kept + 2 * n, impacts * sizeof *kept);
    }
    carom_shooting_free(shooting);
    free(kept);
    return status;
}

/* The forms of the equations that fit the model, from the guess at hand. */
static carom_status shoot_forms(shooting_search *self, carom_error *error)
{
    const carom_periodic_model *periodic = self->periodic;
    if (!periodic->model->conservative)
        return shoot(self, periodic->timed ? CAROM_SHOOT_FORCED : CAROM_SHOOT_AUTONOMOUS, error);
    carom_status status = CAROM_FAILED;
    if (self->request->impacts.count == 1)
        status = shoot(self, CAROM_SHOOT_SYMMETRIC, error);
    return status == CAROM_FAILED ? shoot(self, CAROM_SHOOT_CONSERVATIVE, error) : status;
}

static bool asks_for(const carom_find_request *request, carom_guess guess)
{
    return request->guess == CAROM_GUESS_ANY || request->guess == guess;
}

/* Remembers why a guess did not do. */
static void note(shooting_search *self, const char *guess, const carom_error *error)
{
    const size_t used = strlen(self->failures);
    carom_format(self->failures + used, sizeof self->failures - used, "%s%s: %.500s", used ? "; " : "", guess,
                 error->text);
}

/* From the linearised model: at this period, or where that gives no motion along a branch from another one.
 */
static carom_status search_linear(shooting_search *self)
{
    carom_error why = {0};
    carom_status first = guess_linear(self, &why);
    if (first == CAROM_OK)
        first = shoot_forms(self, &why);
    if (first != CAROM_OK)
        note(self, "from the linearised model", &why);
    if ((first == CAROM_OK && self->found->is_motion) || !self->linear || self->request->impacts.count > 1)
        return first;
    carom_status status = guess_branch(self, &why);
    if (status == CAROM_OK)
        status = shoot_forms(self, &why);
    if (status == CAROM_OK && self->found->is_motion)
        return status;
    if (status != CAROM_OK)
        note(self, "along a branch", &why);
    if (first != CAROM_OK) /* what was found, if anything, is all there is */
        return status;
    first = guess_linear(self, &why);
    return first == CAROM_OK ? shoot_forms(self, &why) : first;
}

static carom_status shoot_run(shooting_search *self, double settle, carom_error *why)
{
    const carom_status status = guess_run(self, settle, why);
    return status == CAROM_OK ? shoot_forms(self, why) : status;
}

/* From runs of the length asked for; of a driven model, where none is asked for, of several: transients die out. The first
 * that leads to a motion counts, otherwise the first that leads to a solution. */
static carom_status search_run(shooting_search *self)
{
    static const double settles[] = {0.0, 1.0, 5.0, 20.0, 60.0};
    const bool several = self->periodic->timed && self->request->settle == 0.0;
    const int count = several ? (int)(sizeof settles / sizeof *settles) : 1;
    carom_error why = {0};
    double solved = -1.0;
    for (int i = 0; i < count; i++) {
        carom_error now = {0};
        const double settle = several ? settles[i] : self->request->settle;
        const carom_status status = shoot_run(self, settle, &now);
        if (status == CAROM_OK && self->found->is_motion)
            return status;
        if (status == CAROM_INTERRUPTED || status == CAROM_NO_MEMORY || status == CAROM_BAD_INPUT) {
            note(self, "from a run", &now);
            return status;
        }
        if (status == CAROM_OK && solved < 0.0)
            solved = settle;
        if (status != CAROM_OK)
            why = now;
    }
    if (solved >= 0.0)
        return shoot_run(self, solved, &why);
    note(self, "from a run", &why);
    return CAROM_FAILED;
}

carom_status find_by_shooting(const carom_periodic_model *periodic, const carom_linearised *linear,
                              const carom_find_request *request, carom_found_orbit *found, carom_error *error)
{
    shooting_search self = {.periodic = periodic, .linear = linear, .request = request, .found = found};
    found->method = "shooting";
    self.shot = (carom_shot){.q = found->q, .v = found->v, .flight = found->flight};
    if (found->impacts > 0)
        memcpy(found->contact, request->impacts.contact, (size_t)found->impacts * sizeof(int));
    carom_status status = CAROM_FAILED;
    if (asks_for(request, CAROM_GUESS_LINEAR) && periodic->model->conservative)
        status = search_linear(&self);
    if (status == CAROM_FAILED && asks_for(request, CAROM_GUESS_RUN))
        status = search_run(&self);
    if (status != CAROM_OK)
        return carom_fail(error, status, "no periodic motion was found. %s",
                          self.failures[0] ? self.failures : "A model that is driven needs --guess run");
    return CAROM_OK;
}
