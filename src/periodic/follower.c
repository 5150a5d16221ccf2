/* Branches of periodic motions: points along a curve, their ends and changes of stability located on it. */
#include "follower.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BISECTIONS = 40
};

/* Shares of a step to which places are located; stability is no sharper than its threshold. */
static const double end_sharpness = 1e-9, crossing_sharpness = 1e-5;

/* Impulses that are this share of those at the start vanish. */
static const double vanishing = 1e-4;

static const char *const end_words[] = {
    [CAROM_END_OF_RANGE] = "range",    [CAROM_END_OF_POINTS] = "points",  [CAROM_END_LINEAR_MODE] = "linear",
    [CAROM_END_ENERGY] = "energy",     [CAROM_END_JUNCTION] = "junction", [CAROM_END_GRAZE] = "graze",
    [CAROM_END_STICKING] = "sticking", [CAROM_END_LOST] = "lost",
};

const char *carom_branch_end_word(carom_branch_end end)
{
    return (unsigned)end < sizeof end_words / sizeof end_words[0] ? end_words[end] : NULL;
}

carom_branch_options carom_branch_defaults(void)
{
    carom_branch_options options = {.arclength = carom_arclength_defaults(),
                                    .parameter_min = -INFINITY,
                                    .parameter_max = INFINITY,
                                    .points_max = 400,
                                    .energy_max = 1e4,
                                    .flight_min = 1e-3};
    options.arclength.tolerance = 1e-11;
    return options;
}

carom_branch_options branch_fill_options(const carom_branch_options *given)
{
    const carom_branch_options defaults = carom_branch_defaults();
    carom_branch_options options = given ? *given : defaults;
    options.arclength.tolerance = carom_given(options.arclength.tolerance, defaults.arclength.tolerance);
    options.arclength = arclength_fill_options(&options.arclength);
    if (options.parameter_min == 0.0 && options.parameter_max == 0.0) {
        options.parameter_min = defaults.parameter_min;
        options.parameter_max = defaults.parameter_max;
    }
    if (options.points_max == 0)
        options.points_max = defaults.points_max;
    options.energy_max = carom_given(options.energy_max, defaults.energy_max);
    options.flight_min = carom_given(options.flight_min, defaults.flight_min);
    return options;
}

void carom_branch_free(carom_branch *branch)
{
    free(branch->point);
    free(branch->unknown);
    branch->point = NULL;
    branch->unknown = NULL;
    branch->count = 0;
}

typedef struct follower {
    carom_arclength *curve;
    const branch_course *course;
    const carom_branch_options *options;
    carom_branch *branch;
    int capacity;
    double *x, *unknown; /* of a point between */
} follower;

static carom_status append(follower *self, const carom_branch_point *point, const double *unknown,
                           carom_error *error)
{
    carom_branch *branch = self->branch;
    const size_t width = (size_t)branch->width;
    if (branch->count == self->capacity) {
        const int larger = 2 * self->capacity + 16;
        carom_branch_point *points = realloc(branch->point, (size_t)larger * sizeof *points);
        if (points)
            branch->point = points;
        double *unknowns = realloc(branch->unknown, (size_t)larger * width * sizeof *unknowns);
        if (unknowns)
            branch->unknown = unknowns;
        if (!points || !unknowns)
            return carom_fail_memory(error);
        self->capacity = larger;
    }
    branch->point[branch->count] = *point;
    memcpy(branch->unknown + (size_t)branch->count * width, unknown, width * sizeof *unknown);
    branch->count++;
    return CAROM_OK;
}

/* ---- places between two points ------------------------------------------------------------------------ */

typedef bool (*branch_side)(const carom_branch_point *point);

static bool side_admissible(const carom_branch_point *point)
{
    return point->admissible;
}

static bool side_stable(const carom_branch_point *point)
{
    return point->stable;
}

/* Bisects for the last place whose side is that of the point before; describes it. */
static carom_status locate(follower *self, branch_side side, bool before, double sharpness,
                           carom_branch_point *place, carom_error *error)
{
    double from = 0.0, to = 1.0;
    carom_branch_point point = {0};
    for (int i = 0; i < BISECTIONS && to - from > sharpness; i++) {
        const double share = 0.5 * (from + to);
        double p = 0.0;
        carom_status status = carom_arclength_between(self->curve, share, self->x, &p, error);
        if (status == CAROM_OK)
            status = self->course->describe(self->course->context, self->x, p, &point, self->unknown, error);
        if (status == CAROM_NO_MEMORY)
            return status;
        if (status == CAROM_OK && side(&point) == before)
            from = share;
        else
            to = share;
    }
    double p = 0.0;
    carom_status status = carom_arclength_between(self->curve, from, self->x, &p, error);
    if (status == CAROM_OK)
        status = self->course->describe(self->course->context, self->x, p, place, self->unknown, error);
    return status;
}

/* ---- ends --------------------------------------------------------------------------------------------- */

static void finish(follower *self, carom_branch_end end, const char *format, double a, double b)
{
    self->branch->end = end;
    snprintf(self->branch->text, sizeof self->branch->text, format, a, b);
}

/* The motion is no longer admissible at `now`: what happened on the way. */
static carom_status finish_inadmissible(follower *self, const carom_branch_point *now, carom_error *error)
{
    carom_branch_point place = {0};
    carom_status status = locate(self, side_admissible, true, end_sharpness, &place, error);
    if (status == CAROM_NO_MEMORY)
        return status;
    if (status == CAROM_OK)
        status = append(self, &place, self->unknown, error);
    if (status == CAROM_NO_MEMORY)
        return status;
    if (place.energy > self->options->energy_max * self->branch->point[0].energy)
        finish(self, CAROM_END_ENERGY, "the energy grows without bound at parameter %.9g (%.3g there)",
               place.parameter, place.energy);
    else if (!(now->impulse > 0.0) && place.strongest < vanishing * self->branch->point[0].strongest)
        finish(self, CAROM_END_LINEAR_MODE,
               "impulses vanish at parameter %.9g: a motion without impacts that grazes (energy %.9g)",
               place.parameter, place.energy);
    else if (!(now->impulse > 0.0))
        finish(self, CAROM_END_GRAZE, "the impulse of an impact vanishes at parameter %.9g (energy %.9g)",
               place.parameter, place.energy);
    else
        finish(self, CAROM_END_JUNCTION,
               "the gap touches zero between impacts at parameter %.9g (energy %.9g)", place.parameter,
               place.energy);
    return CAROM_OK;
}

/* True when the branch ends at this point for a reason that needs no search. */
static bool ends_here(follower *self, const carom_branch_point *point, const double *x)
{
    const carom_branch_options *options = self->options;
    const double flight = self->course->smallest_flight(self->course->context, x, point->parameter);
    if (point->energy > options->energy_max * self->branch->point[0].energy)
        finish(self, CAROM_END_ENERGY, "the energy grows to %.6g at parameter %.9g", point->energy,
               point->parameter);
    else if (flight < options->flight_min)
        finish(self, CAROM_END_STICKING,
               "a flight is %.3g of the period at parameter %.9g: impacts merge to a phase of contact",
               flight, point->parameter);
    else if (point->parameter > options->parameter_max || point->parameter < options->parameter_min)
        finish(self, CAROM_END_OF_RANGE, "the parameter %.9g leaves the range (energy %.9g)",
               point->parameter, point->energy);
    else if (self->branch->count >= options->points_max)
        finish(self, CAROM_END_OF_POINTS, "%.0f points were followed, to parameter %.9g",
               (double)self->branch->count, point->parameter);
    else
        return false;
    return true;
}

static carom_status note_crossing(follower *self, const carom_branch_point *before,
                                  const carom_branch_point *now, carom_error *error)
{
    carom_branch_point place = {0};
    if (before->stable == now->stable)
        return CAROM_OK;
    const carom_status status = locate(self, side_stable, before->stable, crossing_sharpness, &place, error);
    if (status != CAROM_OK)
        return status == CAROM_NO_MEMORY ? status : CAROM_OK;
    place.crossing = true;
    return append(self, &place, self->unknown, error);
}

/* One step and what it shows; *done when the branch ends. */
static carom_status advance(follower *self, bool *done, carom_error *error)
{
    carom_error lost = {0};
    carom_branch_point now = {0}, before = self->branch->point[self->branch->count - 1];
    double *unknown = self->unknown + self->course->width; /* the first half is for places between */
    if (carom_arclength_step(self->curve, &lost) != CAROM_OK) {
        *done = true;
        self->branch->end = CAROM_END_LOST;
        snprintf(self->branch->text, sizeof self->branch->text, "%.290s", lost.text);
        return CAROM_OK;
    }
    const double p = carom_arclength_parameter(self->curve);
    carom_status status = self->course->describe(self->course->context, carom_arclength_x(self->curve), p,
                                                 &now, unknown, error);
    if (status != CAROM_OK)
        return status;
    if (carom_arclength_folded(self->curve))
        self->branch->point[self->branch->count - 1].fold = true;
    if (before.admissible && !now.admissible && !self->options->through) {
        *done = true;
        return finish_inadmissible(self, &now, error);
    }
    status = note_crossing(self, &before, &now, error);
    if (status == CAROM_OK)
        status = append(self, &now, unknown, error);
    if (status == CAROM_OK)
        *done = ends_here(self, &now, carom_arclength_x(self->curve));
    return status;
}

/* Tells how far the parameter has come; true when it is asked to stop. */
static bool is_stopped(follower *self)
{
    const carom_branch_options *options = self->options;
    const double p = self->branch->point[self->branch->count - 1].parameter;
    const double range = options->parameter_max - options->parameter_min;
    const double come =
        options->arclength.direction > 0.0 ? p - options->parameter_min : options->parameter_max - p;
    if (!options->progress.report || !isfinite(range) ||
        options->progress.report(options->progress.context, fmax(0.0, come), range))
        return false;
    finish(self, CAROM_END_LOST, "interrupted at parameter %.9g (energy %.9g)", p,
           self->branch->point[self->branch->count - 1].energy);
    return true;
}

carom_status branch_follow(carom_arclength *curve, const branch_course *course,
                           const carom_branch_options *options, carom_branch *branch, carom_error *error)
{
    *branch = (carom_branch){.width = course->width, .end = CAROM_END_LOST};
    follower self = {.curve = curve, .course = course, .options = options, .branch = branch};
    const size_t size = 4 * (size_t)course->width + 16;
    self.x = carom_new_array(size, sizeof(double));
    self.unknown = carom_new_array(2 * (size_t)course->width, sizeof(double));
    carom_branch_point first = {0};
    carom_status status = self.x && self.unknown ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = course->describe(course->context, carom_arclength_x(curve), carom_arclength_parameter(curve),
                                  &first, self.unknown, error);
    if (status == CAROM_OK)
        status = append(&self, &first, self.unknown, error);
    for (bool done = false; status == CAROM_OK && !done;) {
        status = advance(&self, &done, error);
        done = done || (status == CAROM_OK && is_stopped(&self));
    }
    free(self.x);
    free(self.unknown);
    return status;
}
