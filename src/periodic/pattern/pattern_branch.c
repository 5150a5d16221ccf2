/* Follows orbits of one pattern along a parameter, to where and why they end.
 *
 *   step -> still a motion, determinant of the same sign: go on
 *        -> else bisect to the first place where that is lost: touch, graze, penetrate, pole
 *
 * A pole between two motions is seen by the sign of the determinant, two of them by the count of poles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "pattern.h"
#include "pattern_branch.h"

enum {
    POINTS_DEFAULT = 100000,
    POINTS_FIRST = 64
};

static const double step_growth = 1.5;
static const double nearly =
    1e-6; /* of their sizes: gaps and velocities that count as closed and zero at a switch */
static const double onwards_most =
    1e-4; /* of the parameter: how far behind a switch the new motion must have begun */

typedef struct follower {
    const carom_orbit_branch_request *request;
    carom_orbit_branch *branch;
    branch_place place;
    branch_poles poles;
    carom_phase *pattern; /* of the stretch */
    carom_orbit_branch_point *point;
    int capacity, points_max;
    double direction, step, least_step;
    double size; /* of the parameter */
    double good; /* the last value known to give a motion */
    int sign;    /* of the determinant there */
} follower;

carom_orbit_branch_request carom_orbit_branch_defaults(void)
{
    return (carom_orbit_branch_request){.orbit = carom_orbit_defaults(), .floquet = carom_floquet_defaults()};
}

const char *carom_orbit_branch_end_text(carom_orbit_branch_end end)
{
    static const char *const text[] = {
        [CAROM_ORBIT_BRANCH_LIMIT] = "limit",     [CAROM_ORBIT_BRANCH_TOUCH] = "touch",
        [CAROM_ORBIT_BRANCH_GRAZE] = "graze",     [CAROM_ORBIT_BRANCH_PENETRATE] = "penetrate",
        [CAROM_ORBIT_BRANCH_DIVERGE] = "diverge", [CAROM_ORBIT_BRANCH_POINTS] = "points",
        [CAROM_ORBIT_BRANCH_STOPPED] = "stopped",
    };
    return text[end];
}

/* ---- one point ---------------------------------------------------------------------------------------- */

static carom_status solve(follower *f, double value, carom_error *error)
{
    return branch_solve_once(&f->place, f->pattern, value, error);
}

/* Their count needs frequencies that all grow or all fall with the parameter. */
static bool counts_poles(const follower *f)
{
    return f->request->parameter != CAROM_ORBIT_BRANCH_SYSTEM;
}

static bool look_for_poles(follower *f, int at)
{
    const carom_linear_oscillator *oscillator = f->place.oscillator;
    const double period = f->place.orbit->period;
    double negative;
    if (!counts_poles(f))
        return true;
    if (branch_recall(&f->place, BRANCH_POLES, f->pattern, f->place.value, 1, &negative)) {
        branch_poles_rotate(&f->poles, oscillator, period, at);
        f->poles.negative[at] = (int)negative;
        return true;
    }
    if (!branch_poles_look(&f->poles, oscillator, period, at))
        return false;
    negative = f->poles.negative[at];
    branch_keep(&f->place, BRANCH_POLES, f->pattern, f->place.value, 1, &negative);
    return true;
}

/* The orbit just solved is the last good one from now on. */
static carom_status stand_on(follower *f, double value, carom_error *error)
{
    f->good = value;
    f->sign = f->place.orbit->determinant_sign;
    return look_for_poles(f, 0) ? CAROM_OK : carom_fail_memory(error);
}

/* Solves at a value; whether the motion goes on to there from the last good value. */
static carom_status reach(follower *f, double value, bool *goes_on, carom_error *error)
{
    carom_status status = solve(f, value, error);
    const carom_orbit *orbit = f->place.orbit;
    *goes_on = status == CAROM_OK && orbit->word == CAROM_ORBIT_OK && orbit->determinant_sign == f->sign;
    if (!*goes_on)
        return status;
    if (!look_for_poles(f, 1))
        return carom_fail_memory(error);
    *goes_on =
        !counts_poles(f) || branch_poles_between(&f->poles, f->place.oscillator, f->direction > 0.0) == 0;
    return CAROM_OK;
}

/* Keeps the motion just solved. */
static carom_status record(follower *f, double value, carom_error *error)
{
    carom_orbit_branch *branch = f->branch;
    const carom_orbit *orbit = f->place.orbit;
    carom_orbit_branch_stretch *stretch = &branch->stretch[branch->stretch_count - 1];
    if (stretch->count > 0 && f->point[branch->point_count - 1].value == value)
        return CAROM_OK;
    if (branch->point_count == f->capacity) {
        const int capacity = f->capacity ? 2 * f->capacity : POINTS_FIRST;
        carom_orbit_branch_point *grown = realloc(f->point, (size_t)capacity * sizeof *grown);
        if (!grown)
            return carom_fail_memory(error);
        f->point = grown;
        f->capacity = capacity;
    }
    double speed = INFINITY;
    for (int c = 0; c < orbit->contacts; c++)
        if (orbit->pattern[c] != CAROM_PHASE_NEVER)
            speed = fmin(speed, orbit->speed[c]);
    f->point[branch->point_count++] = (carom_orbit_branch_point){.value = value,
                                                                 .speed = speed,
                                                                 .amplitude = orbit->amplitude,
                                                                 .energy = orbit->energy,
                                                                 .margin = orbit->margin,
                                                                 .condition = orbit->condition,
                                                                 .largest = NAN};
    stretch->count++;
    return CAROM_OK;
}

/* ---- ends --------------------------------------------------------------------------------------------- */

/* Bisects between the last good value and one that is not; keeps some of the motions on the way. */
static carom_status close_in(follower *f, double *bad, carom_error *error)
{
    double kept = f->good;
    while (fabs(*bad - f->good) > f->least_step) {
        const double middle = 0.5 * (f->good + *bad);
        if (middle == f->good || middle == *bad)
            break;
        bool goes_on;
        carom_status status = reach(f, middle, &goes_on, error);
        if (status == CAROM_OK && goes_on)
            status = stand_on(f, middle, error);
        if (status != CAROM_OK)
            return status;
        if (!goes_on) {
            *bad = middle;
            continue;
        }
        if (fabs(middle - kept) > 0.01 * f->step &&
            f->place.orbit->amplitude <= f->request->orbit.amplitude_max) {
            kept = middle;
            status = record(f, middle, error);
            if (status != CAROM_OK)
                return status;
        }
    }
    return CAROM_OK;
}

static carom_orbit_branch_end end_of_word(carom_orbit_word word)
{
    switch (word) {
    case CAROM_ORBIT_TOUCH:
        return CAROM_ORBIT_BRANCH_TOUCH;
    case CAROM_ORBIT_GRAZE:
    case CAROM_ORBIT_PULL:
        return CAROM_ORBIT_BRANCH_GRAZE;
    case CAROM_ORBIT_PENETRATE:
        return CAROM_ORBIT_BRANCH_PENETRATE;
    default:
        return CAROM_ORBIT_BRANCH_DIVERGE;
    }
}

/* A zero of the determinant that does not excite its null vector: the motion passes it. Behind it, far
 * enough to be solved, is `beyond`. */
static carom_status try_crossing(follower *f, double bad, bool *crossed, carom_error *error)
{
    const double remaining = fabs(f->request->to - bad);
    double beyond = bad + f->direction * fmin(remaining, 1e3 * f->least_step);
    carom_status status = solve(f, beyond, error);
    *crossed = status == CAROM_OK && f->place.orbit->word == CAROM_ORBIT_OK && beyond != f->good;
    if (*crossed) {
        f->branch->stretch[f->branch->stretch_count - 1].crossings++;
        status = stand_on(f, beyond, error);
    }
    return status;
}

/* Between the last good value and `bad` the motion is lost: where and why, or that it goes on after all. */
static carom_status settle(follower *f, double bad, bool *ended, carom_error *error)
{
    carom_orbit_branch_stretch *stretch = &f->branch->stretch[f->branch->stretch_count - 1];
    carom_status status = close_in(f, &bad, error);
    if (status == CAROM_OK)
        status = solve(f, f->good, error);
    if (status != CAROM_OK)
        return status;
    *ended = true;
    stretch->end = CAROM_ORBIT_BRANCH_DIVERGE;
    stretch->end_value = 0.5 * (f->good + bad);
    stretch->contact = -1;
    if (f->place.orbit->amplitude > f->request->orbit.amplitude_max)
        return CAROM_OK;
    status = record(f, f->good, error);
    if (status == CAROM_OK)
        status = solve(f, bad, error);
    if (status != CAROM_OK)
        return status;
    const carom_orbit *orbit = f->place.orbit;
    if (orbit->word == CAROM_ORBIT_OK || orbit->determinant_sign != f->sign ||
        orbit->word == CAROM_ORBIT_SINGULAR) {
        bool crossed;
        status = try_crossing(f, bad, &crossed, error);
        if (status != CAROM_OK || crossed) {
            *ended = false;
            return status;
        }
    }
    stretch->end = end_of_word(orbit->word);
    stretch->contact = orbit->contact;
    stretch->time = orbit->time;
    return CAROM_OK;
}

/* ---- one stretch -------------------------------------------------------------------------------------- */

static bool interrupted(const follower *f)
{
    const carom_progress *progress = &f->request->progress;
    return progress->report && !progress->report(progress->context, fabs(f->good - f->request->from),
                                                 fabs(f->request->to - f->request->from));
}

/* Ends that are no matter of the motion. */
static bool is_over(const follower *f, carom_orbit_branch_stretch *stretch)
{
    stretch->end_value = f->good;
    stretch->contact = -1;
    if (f->direction * (f->request->to - f->good) <= 0.0)
        stretch->end = CAROM_ORBIT_BRANCH_LIMIT;
    else if (f->branch->point_count >= f->points_max)
        stretch->end = CAROM_ORBIT_BRANCH_POINTS;
    else if (interrupted(f))
        stretch->end = CAROM_ORBIT_BRANCH_STOPPED;
    else
        return false;
    return true;
}

/* From a motion at f->good, which is solved, to the end of its pattern. */
static carom_status follow_stretch(follower *f, carom_error *error)
{
    carom_orbit_branch_stretch *stretch = &f->branch->stretch[f->branch->stretch_count - 1];
    double h = f->step;
    branch_poles_pattern(&f->poles, f->branch->contacts, f->pattern);
    carom_status status = stand_on(f, f->good, error);
    if (status == CAROM_OK)
        status = record(f, f->good, error);
    bool ended = false;
    while (status == CAROM_OK && !ended && !is_over(f, stretch)) {
        const double remaining = fabs(f->request->to - f->good);
        const double next = h * (1.0 + 1e-12) >= remaining ? f->request->to : f->good + f->direction * h;
        bool goes_on;
        status = reach(f, next, &goes_on, error);
        if (status != CAROM_OK)
            break;
        if (goes_on) {
            status = stand_on(f, next, error);
            if (status == CAROM_OK)
                status = record(f, next, error);
            h = fmin(step_growth * h, f->step);
        } else {
            status = settle(f, next, &ended, error);
            h = 0.1 * f->step;
        }
    }
    return status;
}

/* ---- patterns change ---------------------------------------------------------------------------------- */

static bool add_stretch(follower *f)
{
    carom_orbit_branch *branch = f->branch;
    carom_orbit_branch_stretch *stretch = &branch->stretch[branch->stretch_count];
    stretch->pattern = carom_arena_take(branch->arena, (size_t)branch->contacts, sizeof *stretch->pattern);
    if (!stretch->pattern)
        return false;
    memcpy(stretch->pattern, f->pattern, (size_t)branch->contacts * sizeof *stretch->pattern);
    stretch->first = branch->point_count;
    branch->stretch_count++;
    return true;
}

/* Gains the contacts that touch at 0 or T/2, loses those that graze. False when nothing changes. */
static bool change_pattern(follower *f, carom_orbit_branch_end end)
{
    const carom_orbit *orbit = f->place.orbit;
    const carom_linear_oscillator *o = f->place.oscillator;
    const double closed = nearly * pattern_length(o), slow = closed / pattern_time(o);
    bool changed = false;
    int left = 0;
    for (int c = 0; c < o->contacts; c++) {
        const double *w = o->normal + (ptrdiff_t)c * o->size;
        carom_phase *phase = &f->pattern[c];
        const carom_phase old = *phase;
        if (end == CAROM_ORBIT_BRANCH_GRAZE && old != CAROM_PHASE_NEVER && orbit->speed[c] < slow)
            *phase = CAROM_PHASE_NEVER;
        else if (end == CAROM_ORBIT_BRANCH_TOUCH && old == CAROM_PHASE_NEVER)
            *phase = carom_dot(o->size, w, orbit->y0) + o->gap[c] < closed   ? CAROM_PHASE_START
                     : carom_dot(o->size, w, orbit->yh) + o->gap[c] < closed ? CAROM_PHASE_HALF
                                                                             : CAROM_PHASE_NEVER;
        changed = changed || *phase != old;
        left += *phase != CAROM_PHASE_NEVER;
    }
    return changed && left > 0;
}

/* Goes on with the changed pattern, just behind the end. */
static carom_status switch_pattern(follower *f, bool *switched, carom_error *error)
{
    const carom_orbit_branch_stretch *last = &f->branch->stretch[f->branch->stretch_count - 1];
    *switched = false;
    if (last->end != CAROM_ORBIT_BRANCH_TOUCH && last->end != CAROM_ORBIT_BRANCH_GRAZE)
        return CAROM_OK;
    carom_status status = solve(f, f->good, error);
    if (status == CAROM_OK)
        status = branch_oscillator(&f->place, error);
    if (status != CAROM_OK || !change_pattern(f, last->end))
        return status;
    for (double onwards = 1e-8; onwards <= onwards_most; onwards *= 10.0) {
        const double value = last->end_value + f->direction * onwards * f->size;
        if (f->direction * (f->request->to - value) < 0.0)
            return CAROM_OK;
        status = solve(f, value, error);
        if (status != CAROM_OK)
            return status;
        if (f->place.orbit->word == CAROM_ORBIT_OK) {
            *switched = true;
            f->good = value;
            return add_stretch(f) ? CAROM_OK : carom_fail_memory(error);
        }
    }
    return CAROM_OK;
}

/* ---- the branch --------------------------------------------------------------------------------------- */

static carom_status check(const carom_orbit_branch_request *r, carom_error *error)
{
    const bool coupling = r->parameter == CAROM_ORBIT_BRANCH_COUPLING;
    if (coupling && !r->oscillator->ring)
        return carom_fail(error, CAROM_BAD_INPUT, "only a ring has a coupling to follow motions in");
    if (!isfinite(r->from) || !isfinite(r->to) || r->from == r->to)
        return carom_fail(error, CAROM_BAD_INPUT, "a range from %g to %g: two different numbers", r->from,
                          r->to);
    if (coupling && fmin(r->from, r->to) <= -0.25)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "chain not positive definite: couplings from %g to %g must be above -1/4", r->from,
                          r->to);
    if (r->parameter == CAROM_ORBIT_BRANCH_SYSTEM && !r->change)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing says how the system changes with the parameter");
    if (r->parameter == CAROM_ORBIT_BRANCH_PERIOD && fmin(r->from, r->to) <= 0.0)
        return carom_fail(error, CAROM_BAD_INPUT, "periods from %g to %g must be positive", r->from, r->to);
    if (!(r->step >= 0.0) || !(r->least_step >= 0.0) || r->points_max < 0 || r->switches < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "steps and numbers of points and switches are not negative");
    return CAROM_OK;
}

static carom_status set_up(follower *f, carom_error *error)
{
    const carom_orbit_branch_request *r = f->request;
    carom_status status = check(r, error);
    if (status != CAROM_OK)
        return status;
    const double range = fabs(r->to - r->from);
    f->direction = r->to > r->from ? 1.0 : -1.0;
    f->step = r->step > 0.0 ? fmin(r->step, range) : 0.01 * range;
    f->size = fmax(fabs(r->from), fabs(r->to));
    f->least_step = r->least_step > 0.0 ? r->least_step : 1e-10 * f->size;
    f->points_max = r->points_max > 0 ? r->points_max : POINTS_DEFAULT;
    f->good = r->from;
    f->branch->arena = carom_arena_create();
    if (!f->branch->arena)
        return carom_fail_memory(error);
    const size_t contacts = (size_t)r->oscillator->contacts;
    f->branch->contacts = r->oscillator->contacts;
    f->branch->stretch =
        carom_arena_take(f->branch->arena, (size_t)r->switches + 1, sizeof *f->branch->stretch);
    f->pattern = carom_arena_take(f->branch->arena, contacts, sizeof *f->pattern);
    if (!f->branch->stretch || !f->pattern || !branch_poles_take(f->branch->arena, r->oscillator, &f->poles))
        return carom_fail_memory(error);
    memcpy(f->pattern, r->pattern, contacts * sizeof *f->pattern);
    return branch_place_make(r, &f->place, error);
}

static carom_status start(follower *f, carom_error *error)
{
    carom_status status = solve(f, f->good, error);
    if (status != CAROM_OK)
        return status;
    if (f->place.orbit->word != CAROM_ORBIT_OK) {
        char text[256];
        status = branch_oscillator(&f->place, error);
        if (status != CAROM_OK)
            return status;
        carom_orbit_describe(f->place.orbit, f->place.oscillator, sizeof text, text);
        return carom_fail(error, CAROM_BAD_INPUT, "the branch cannot start at %.10g: %s", f->good, text);
    }
    return add_stretch(f) ? CAROM_OK : carom_fail_memory(error);
}

static carom_status follow(follower *f, carom_error *error)
{
    carom_status status = set_up(f, error);
    if (status == CAROM_OK)
        status = start(f, error);
    bool going = status == CAROM_OK;
    while (going) {
        status = follow_stretch(f, error);
        going = status == CAROM_OK && f->branch->stretch_count <= f->request->switches;
        if (going)
            status = switch_pattern(f, &going, error);
    }
    return status;
}

static carom_status keep_points(follower *f, carom_error *error)
{
    const size_t count = (size_t)f->branch->point_count;
    f->branch->point = carom_arena_take(f->branch->arena, count, sizeof *f->point);
    if (!f->branch->point)
        return carom_fail_memory(error);
    memcpy(f->branch->point, f->point, count * sizeof *f->point);
    if (f->branch->stretch[f->branch->stretch_count - 1].end == CAROM_ORBIT_BRANCH_STOPPED)
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted at %.10g", f->good);
    return CAROM_OK;
}

carom_status carom_orbit_branch_follow(const carom_orbit_branch_request *given, carom_orbit_branch *branch,
                                       carom_error *error)
{
    *branch = (carom_orbit_branch){0};
    carom_orbit_branch_request filled = *given, *request = &filled;
    filled.orbit = orbit_fill_options(&given->orbit);
    if (!request->oscillator || !request->pattern)
        return carom_fail(error, CAROM_BAD_INPUT, "a branch needs %s; none is given",
                          request->oscillator ? "a pattern of impacts" : "an oscillator");
    follower f = {.request = request, .branch = branch};
    carom_status status = follow(&f, error);
    if (status == CAROM_OK)
        status = keep_points(&f, error);
    branch_place_free(&f.place);
    free(f.point);
    if (status == CAROM_OK && request->multipliers)
        status = branch_multipliers(request, branch, error);
    if (status != CAROM_OK && status != CAROM_INTERRUPTED)
        carom_orbit_branch_free(branch);
    return status;
}

void carom_orbit_branch_free(carom_orbit_branch *branch)
{
    carom_arena_free(branch->arena);
    *branch = (carom_orbit_branch){0};
}
