/* Branches of periodic motions of a linear model against one contact, over a range of periods: windows with
 * one impact from the closed form; with more, motions searched at a row of periods, each followed both ways.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

enum {
    WINDOWS_MAX = 200,
    BRANCHES_MAX = 400,
    WINDOW_POINTS = 48,
    POINTS = 300,
    PERIODS = 48, /* at which motions with more impacts are searched */
    STICKINGS_MAX = 32,
    SIDES = 16, /* guesses of the first side of symmetric ones, at each */
    FOUND_MAX = 32
};

static carom_status add_branch(carom_mode_survey *survey, carom_mode_branch **branch, int impacts, int points,
                               carom_error *error)
{
    if (!survey->branch)
        survey->branch = carom_arena_take(survey->arena, BRANCHES_MAX, sizeof *survey->branch);
    if (!survey->branch)
        return carom_fail_memory(error);
    *branch = &survey->branch[survey->branches];
    (*branch)->impacts = impacts;
    (*branch)->point = carom_arena_take(survey->arena, (size_t)points, sizeof *(*branch)->point);
    if (!(*branch)->point)
        return carom_fail_memory(error);
    survey->branches++;
    return CAROM_OK;
}

/* ---- one impact ------------------------------------------------------------------------------------- */

/* From one end to the other, denser there: what happens, happens near the ends. */
static double place_in(const carom_mode_window *window, int i)
{
    const double part = 0.5 * (1.0 - cos(acos(-1.0) * (i + 0.5) / WINDOW_POINTS));
    return window->period[0] + part * (window->period[1] - window->period[0]);
}

static carom_status sample_window(carom_mode_survey *survey, const carom_mode_window *window,
                                  carom_error *error)
{
    carom_mode_branch *branch = NULL;
    carom_status status = add_branch(survey, &branch, 1, WINDOW_POINTS, error);
    for (int i = 0; status == CAROM_OK && branch && i < WINDOW_POINTS; i++) {
        carom_mode *mode = NULL;
        carom_branch_point *point = &branch->point[branch->count];
        carom_error none = {0};
        const double period = place_in(window, i);
        status = carom_mode_one_impact(survey->basis, period, &mode, error);
        if (status == CAROM_OK && mode->verdict == CAROM_MODE_ADMISSIBLE) {
            *point = (carom_branch_point){.parameter = period,
                                          .period = period,
                                          .energy = mode->energy,
                                          .gap = mode->gap,
                                          .impulse = mode->impulse[0],
                                          .impacts = 1,
                                          .admissible = true};
            point->multiplier = NAN;
            if (carom_mode_multipliers(mode, NULL, NULL, &point->multiplier, &none) == CAROM_NO_MEMORY)
                status = carom_fail_memory(error);
            point->stable = point->multiplier <= CAROM_STABLE_MULTIPLIER;
            branch->count++;
        }
        carom_mode_free(mode);
    }
    for (int side = 0; branch && side < 2; side++)
        branch->end[side] = window->end[side];
    return status;
}

static carom_status survey_one(carom_mode_survey *survey, carom_error *error)
{
    const double fastest = 2.0 * acos(-1.0) / survey->basis->frequency[survey->basis->size - 1];
    const double step = fmin((survey->to - survey->from) / 500.0, fastest / 60.0);
    survey->window = carom_arena_take(survey->arena, WINDOWS_MAX, sizeof *survey->window);
    if (!survey->window)
        return carom_fail_memory(error);
    carom_status status = carom_mode_scan(survey->basis, survey->from, survey->to, step, WINDOWS_MAX,
                                          survey->progress, survey->window, &survey->windows, error);
    survey->full = survey->windows == WINDOWS_MAX;
    for (int i = 0; status == CAROM_OK && i < survey->windows; i++)
        status = sample_window(survey, &survey->window[i], error);
    return status;
}

/* ---- more impacts ----------------------------------------------------------------------------------- */

/* Is the motion on a branch that is there, between two of its points? */
static bool is_known(const carom_mode_survey *survey, const carom_mode *mode)
{
    for (int b = 0; b < survey->branches; b++) {
        const carom_mode_branch *branch = &survey->branch[b];
        for (int i = 0; branch->impacts == mode->impacts && i + 1 < branch->count; i++) {
            const carom_branch_point *a = &branch->point[i], *c = &branch->point[i + 1];
            const double low = fmin(a->period, c->period), high = fmax(a->period, c->period);
            if (!(mode->period >= low && mode->period <= high))
                continue;
            const double part = high > low ? (mode->period - a->period) / (c->period - a->period) : 0.5;
            const double grown = log(c->energy / a->energy);
            if (fabs(log(mode->energy / a->energy) - part * grown) < 0.02 + 0.2 * fabs(grown))
                return true;
        }
    }
    return false;
}

static void copy_points(carom_mode_branch *branch, const carom_branch *part, bool backwards)
{
    for (int i = 0; i < part->count; i++) {
        const int from = backwards ? part->count - 1 - i : i;
        /* the start is in both parts */
        if (!(from == 0 && !backwards && branch->count > 0))
            branch->point[branch->count++] = part->point[from];
    }
}

/* Both ways from a motion. */
static carom_status follow(carom_mode_survey *survey, const carom_mode *start, int points, carom_error *error)
{
    carom_branch part[2] = {{0}};
    carom_mode_branch *branch = NULL;
    carom_status status = CAROM_OK;
    for (int side = 0; side < 2 && status == CAROM_OK; side++) {
        carom_branch_options options = carom_branch_defaults();
        options.parameter_min = survey->from;
        options.parameter_max = survey->to;
        options.points_max = points;
        options.arclength.step_max = 0.02; /* of the constraint's own time: these curves turn quickly */
        options.arclength.direction = side == 0 ? -1.0 : 1.0;
        status = carom_mode_follow(start, start->impacts == 3 ? 1 : 0, &options, &part[side], error);
    }
    if (status == CAROM_OK)
        status = add_branch(survey, &branch, start->impacts, part[0].count + part[1].count, error);
    for (int side = 0; side < 2 && status == CAROM_OK && branch; side++) {
        copy_points(branch, &part[side], side == 0);
        branch->end[side] = part[side].end;
        snprintf(branch->text[side], sizeof branch->text[side], "%s", part[side].text);
    }
    carom_branch_free(&part[0]);
    carom_branch_free(&part[1]);
    return status == CAROM_FAILED ? CAROM_OK : status; /* what cannot be followed is left out */
}

static carom_status consider(carom_mode_survey *survey, carom_mode *mode, int points, carom_error *error)
{
    carom_status status = CAROM_OK;
    const bool full = survey->branches >= BRANCHES_MAX;
    survey->full = survey->full || full;
    if (mode && !full && mode->verdict == CAROM_MODE_ADMISSIBLE && !is_known(survey, mode))
        status = follow(survey, mode, points, error);
    carom_mode_free(mode);
    return status;
}

static carom_status search_two(carom_mode_survey *survey, double period, int points, carom_error *error)
{
    carom_mode *mode[FOUND_MAX] = {NULL};
    int found = 0;
    carom_status status = carom_mode_two_impacts(survey->basis, period, FOUND_MAX, mode, &found, error);
    for (int i = 0; i < found; i++) {
        if (status == CAROM_OK)
            status = consider(survey, mode[i], points, error);
        else
            carom_mode_free(mode[i]);
    }
    return status == CAROM_FAILED ? CAROM_OK : status;
}

/* Three impacts, the outer ones `side` from the middle one; none is no failure. */
static carom_status search_symmetric(carom_mode_survey *survey, double period, double side, int points,
                                     carom_error *error)
{
    carom_mode *mode = NULL;
    carom_status status = carom_mode_symmetric(survey->basis, period, 1, &side, &mode, error);
    if (status == CAROM_OK)
        status = consider(survey, mode, points, error);
    return status == CAROM_FAILED ? CAROM_OK : status;
}

static carom_status search_three(carom_mode_survey *survey, double period, int points, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 1; i < SIDES && status == CAROM_OK; i++)
        status = search_symmetric(survey, period, 0.5 * period * i / SIDES, points, error);
    return status;
}

/* Where one impact ends because the gap touches zero, branches with three begin. */
static carom_status search_junctions(carom_mode_survey *survey, int points, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; i < survey->windows; i++)
        for (int k = 0; k < 4 && status == CAROM_OK; k++) {
            const int end = k / 2;
            const double shift = (k % 2 ? 1e-4 : -1e-4),
                         period = survey->window[i].period[end] * (1.0 + shift);
            if (survey->window[i].end[end] != CAROM_END_JUNCTION)
                continue;
            const double touch = survey->window[i].touch_time[end],
                         side = fmin(touch, survey->window[i].period[end] - touch);
            status = search_symmetric(survey, period, side, points, error);
        }
    return status;
}

/* Two impacts, or three symmetric in time. */
static carom_status survey_more(carom_mode_survey *survey, int impacts, int points, carom_error *error)
{
    carom_status status = impacts == 3 ? search_junctions(survey, points, error) : CAROM_OK;
    for (int i = 0; i < PERIODS && status == CAROM_OK; i++) {
        const double period = survey->from + (survey->to - survey->from) * (i + 0.5) / PERIODS;
        status = impacts == 2 ? search_two(survey, period, points, error)
                              : search_three(survey, period, points, error);
        if (status == CAROM_OK && survey->progress.report &&
            !survey->progress.report(survey->progress.context, i + 1.0, PERIODS))
            return carom_fail(error, CAROM_INTERRUPTED, "interrupted at period %.6g, looking for %d impacts",
                              period, impacts);
    }
    return status;
}

/* Motions with one phase of lasting contact per period, by period. */
static carom_status survey_sticking(carom_mode_survey *survey, carom_error *error)
{
    const size_t n = (size_t)survey->basis->size;
    survey->sticking = carom_arena_take(survey->arena, STICKINGS_MAX, sizeof *survey->sticking);
    double *states = carom_arena_take(survey->arena, 2 * n * STICKINGS_MAX, sizeof *states);
    if (!survey->sticking || !states)
        return carom_fail_memory(error);
    for (size_t i = 0; i < STICKINGS_MAX; i++) {
        survey->sticking[i].q = states + 2 * n * i;
        survey->sticking[i].v = states + 2 * n * i + n;
    }
    const carom_status status =
        carom_mode_stick_search(survey->basis, survey->to, STICKINGS_MAX, survey->progress, survey->sticking,
                                &survey->stickings, error);
    survey->full = survey->full || survey->stickings == STICKINGS_MAX;
    while (survey->stickings > 0 && survey->sticking->period < survey->from) {
        survey->sticking++;
        survey->stickings--;
    }
    return status;
}

/* Where nothing is asked for, all is. */
static bool wants(const carom_mode_survey_request *request, int impacts)
{
    bool any = request->sticking;
    for (int i = 1; i <= CAROM_SURVEY_IMPACTS; i++)
        any = any || request->impacts[i];
    return request->impacts[impacts] || !any;
}

carom_status carom_survey_modes(const carom_mode_basis *basis, const carom_mode_survey_request *request,
                                carom_mode_survey *survey, carom_error *error)
{
    const double turn = 2.0 * acos(-1.0);
    const int points = request->points > 0 ? request->points : POINTS;
    carom_status status = CAROM_OK;
    *survey = (carom_mode_survey){0};
    if (!basis)
        return carom_fail(error, CAROM_BAD_INPUT, "no basis; carom_mode_basis_create makes one");
    *survey = (carom_mode_survey){
        .arena = carom_arena_create(),
        .basis = basis,
        .from = request->from > 0.0 ? request->from : 0.4 * turn / basis->frequency[basis->size - 1],
        .to = request->to > 0.0 ? request->to : 2.02 * turn / basis->frequency[0],
        .progress = request->progress};
    if (!survey->arena)
        return carom_fail_memory(error);
    /* Junctions of one impact are where three begin. */
    if (wants(request, 1) || wants(request, 3))
        status = survey_one(survey, error);
    for (int impacts = 2; impacts <= CAROM_SURVEY_IMPACTS && status == CAROM_OK; impacts++)
        if (wants(request, impacts))
            status = survey_more(survey, impacts, points, error);
    return status == CAROM_OK && request->sticking ? survey_sticking(survey, error) : status;
}

void carom_mode_survey_free(carom_mode_survey *survey)
{
    carom_arena_free(survey->arena);
    *survey = (carom_mode_survey){0};
}
