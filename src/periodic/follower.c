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
static const double end_sharpness = 1e-9, crossing_sharpness = 1e-5, root_sharpness = 1e-12;

/* Impulses that are this share of those at the start vanish. */
static const double vanishing = 1e-4;

static const char *const end_words[] = {
    [CAROM_END_OF_RANGE] = "range",    [CAROM_END_OF_POINTS] = "points",  [CAROM_END_LINEAR_MODE] = "linear",
    [CAROM_END_ENERGY] = "energy",     [CAROM_END_JUNCTION] = "junction", [CAROM_END_GRAZE] = "graze",
    [CAROM_END_STICKING] = "sticking", [CAROM_END_LOST] = "lost",
};

static const char *const special_words[] = {
    [CAROM_SPECIAL_NONE] = "",
    [CAROM_SPECIAL_FOLD] = "fold",
    [CAROM_SPECIAL_FLIP] = "flip",
    [CAROM_SPECIAL_BRANCH] = "branch-point",
    [CAROM_SPECIAL_TORUS] = "neimark-sacker",
    [CAROM_SPECIAL_GRAZING] = "grazing",
    [CAROM_SPECIAL_CORNER] = "corner",
    [CAROM_SPECIAL_ENERGY] = "energy-fold",
    [CAROM_SPECIAL_STICKING] = "sticking",
    [CAROM_SPECIAL_STABILITY] = "stability",
};

const char *carom_special_word(carom_special special)
{
    return (unsigned)special < sizeof special_words / sizeof special_words[0] ? special_words[special] : NULL;
}

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

void branch_note_failure(carom_branch *branch, carom_status status, const carom_error *error)
{
    if (status == CAROM_OK || branch->text[0] != '\0')
        return;
    branch->end = CAROM_END_LOST;
    snprintf(branch->text, sizeof branch->text, "%.290s",
             error && error->text[0] != '\0' ? error->text : "the motion cannot be computed further");
}

typedef struct follower {
    carom_arclength *curve;
    const branch_course *course;
    const carom_branch_options *options;
    carom_branch *branch;
    int capacity, size;  /* size: of the curve's unknowns */
    double *x, *unknown; /* of a point between; x twice */
    double slope;        /* dp/ds where the curve is; NAN: not known */
    double flight;       /* smallest over the period, at the point before */
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

/* ---- special points ----------------------------------------------------------------------------------- */

typedef double (*branch_test)(const carom_branch_point *point);

static double fold_test(const carom_branch_point *point)
{
    return point->fold_test;
}

static double flip_test(const carom_branch_point *point)
{
    return point->flip_test;
}

static double torus_test(const carom_branch_point *point)
{
    return point->torus_test;
}

/* A test function, or where there is none the slope dp/ds, at a share of the last step; describes the point. */
static carom_status evaluate_test(follower *self, branch_test test, double share, double *value,
                                  carom_branch_point *place, carom_error *error)
{
    double p = 0.0;
    if (!test && !arclength_slope(self->curve, share, value))
        return carom_fail(error, CAROM_FAILED, "no slope");
    carom_status status = carom_arclength_between(self->curve, share, self->x, &p, error);
    if (status == CAROM_OK)
        status = self->course->describe(self->course->context, self->x, p, place, self->unknown, error);
    if (status == CAROM_OK && test)
        *value = test(place);
    return status;
}

/* Where branches meet, points next to it may be corrected to the other one: from two at some distance straight to the
 * root. self->x is the one with `value`. */
static carom_status meet(follower *self, double value, double other_value, const double *other,
                         double other_p, carom_branch_point *place, carom_error *error)
{
    const double part =
        -value / (value - other_value); /* of the way from the other point to this one, beyond it */
    double p = place->parameter;
    for (int i = 0; i < self->size; i++)
        self->x[i] += part * (self->x[i] - other[i]);
    p += part * (p - other_p);
    return self->course->describe(self->course->context, self->x, p, place, self->unknown, error);
}

/* Where a test function passes through zero within the last step: false position, the end that stays halved (Illinois). */
static carom_status locate_root(follower *self, branch_test test, bool meets, double low, double high,
                                double *share, carom_branch_point *place, carom_error *error)
{
    double from = 0.0, to = 1.0, value = NAN, other_value = NAN, other_p = NAN;
    double *other = self->x + self->size;
    const double nearly = (meets ? 1e-4 : 1e-13) * (fabs(low) + fabs(high));
    carom_status status = CAROM_FAILED;
    for (int i = 0, side = 0; i < BISECTIONS; i++) {
        *share = from - low * (to - from) / (high - low);
        status = evaluate_test(self, test, *share, &value, place, error);
        if (status != CAROM_OK || fabs(value) <= nearly || to - from < root_sharpness)
            break;
        if ((value < 0.0) == (low < 0.0)) {
            from = *share;
            low = value;
            high *= side < 0 ? 0.5 : 1.0;
            side = -1;
        } else {
            to = *share;
            high = value;
            low *= side > 0 ? 0.5 : 1.0;
            side = 1;
        }
        other_value = value;
        other_p = place->parameter;
        memcpy(other, self->x, (size_t)self->size * sizeof *other);
    }
    if (status == CAROM_OK && meets && !isnan(other_p))
        status = meet(self, value, other_value, other, other_p, place, error);
    return status;
}

/* A special point of the last step with its place, for sorting. */
typedef struct found_special {
    double share;
    int slot; /* which of the kept unknowns are its own */
    carom_branch_point point;
} found_special;

/* Does the multiplier that is on the circle decide on the stability? */
static bool is_critical(const carom_branch_point *point)
{
    return fabs(point->multiplier - 1.0) < 1e-3;
}

static bool changes_sign(double a, double b)
{
    return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0);
}

/* Looks for one kind; *count grows when there is one. */
static carom_status look_for(follower *self, carom_special kind, branch_test test, double low, double high,
                             found_special *found, int *count, carom_error *error)
{
    found_special *to = &found[*count];
    const branch_course *course = self->course;
    if (!changes_sign(low, high))
        return CAROM_OK;
    const carom_status status =
        locate_root(self, test, kind == CAROM_SPECIAL_BRANCH, low, high, &to->share, &to->point, error);
    if (status != CAROM_OK)
        return status == CAROM_NO_MEMORY ? status : CAROM_OK;
    const carom_special to_point = kind == CAROM_SPECIAL_BRANCH ? CAROM_SPECIAL_FOLD : kind;
    if (!course->nearest(course->context, to_point, &to->point.real, &to->point.imaginary))
        return CAROM_OK; /* two real multipliers with the product 1 */
    to->slot = *count;
    to->point.special = kind;
    if (kind == CAROM_SPECIAL_BRANCH && course->branches && !course->branches(course->context))
        to->point.special = CAROM_SPECIAL_ENERGY;
    to->point.contact = -1;
    to->point.fold = kind == CAROM_SPECIAL_FOLD;
    memcpy(self->unknown + (size_t)(2 + *count) * (size_t)course->width, self->unknown,
           (size_t)course->width * sizeof(double));
    (*count)++;
    return CAROM_OK;
}

enum {
    SPECIALS = 4 /* kinds within one step */
};

static int compare_shares(const void *a, const void *b)
{
    const double x = ((const found_special *)a)->share, y = ((const found_special *)b)->share;
    return (x > y) - (x < y);
}

/* All kinds, in the order of the curve, appended. *explained: the change of stability is one of them. */
static carom_status note_specials(follower *self, const carom_branch_point *before,
                                  const carom_branch_point *now, bool *explained, carom_error *error)
{
    const size_t width = (size_t)self->course->width;
    found_special found[SPECIALS];
    int count = 0;
    const double slope_before = self->slope;
    if (!arclength_slope(self->curve, 1.0, &self->slope))
        self->slope = NAN;
    const bool turns = changes_sign(slope_before, self->slope);
    carom_status status =
        look_for(self, CAROM_SPECIAL_FOLD, NULL, slope_before, self->slope, found, &count, error);
    if (status == CAROM_OK && !turns)
        status = look_for(self, CAROM_SPECIAL_BRANCH, fold_test, before->fold_test, now->fold_test, found,
                          &count, error);
    if (status == CAROM_OK)
        status = look_for(self, CAROM_SPECIAL_FLIP, flip_test, before->flip_test, now->flip_test, found,
                          &count, error);
    if (status == CAROM_OK)
        status = look_for(self, CAROM_SPECIAL_TORUS, torus_test, before->torus_test, now->torus_test, found,
                          &count, error);
    qsort(found, (size_t)count, sizeof *found, compare_shares);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        carom_branch_point *point = &found[i].point;
        point->crossing = before->stable != now->stable && !*explained && is_critical(point);
        point->stable = point->crossing ? before->stable : *explained ? now->stable : before->stable;
        *explained = *explained || point->crossing;
        status = append(self, point, self->unknown + (size_t)(2 + found[i].slot) * width, error);
    }
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
    if (status == CAROM_OK && self->course->limit)
        place.special = self->course->limit(self->course->context, !(now->impulse > 0.0), &place.contact);
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

/* Why a flight vanishes. */
static const char *merging_text(follower *self)
{
    int contact = -1;
    return self->course->merging &&
                   self->course->merging(self->course->context, &contact) == CAROM_SPECIAL_CORNER
               ? "a flight is %.3g of the period at parameter %.9g: two contacts are struck at once"
               : "a flight is %.3g of the period at parameter %.9g: impacts merge to a phase of contact";
}

/* Where the smallest flight vanishes: straight on from the last two points, since the equations end there. */
static carom_status note_merging(follower *self, const carom_branch_point *before, carom_error *error)
{
    const carom_branch *branch = self->branch;
    carom_branch_point place = branch->point[branch->count - 1];
    const double flight =
        self->course->smallest_flight(self->course->context, carom_arclength_x(self->curve), place.parameter);
    place.special = self->course->merging(self->course->context, &place.contact);
    place.parameter += (place.parameter - before->parameter) * flight / (self->flight - flight);
    memcpy(self->unknown, branch->unknown + (size_t)(branch->count - 1) * (size_t)branch->width,
           (size_t)branch->width * sizeof(double));
    return isfinite(place.parameter) ? append(self, &place, self->unknown, error) : CAROM_OK;
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
        finish(self, CAROM_END_STICKING, merging_text(self), flight, point->parameter);
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
    bool explained = false;
    if (self->course->nearest) {
        const carom_status special = note_specials(self, before, now, &explained, error);
        if (special != CAROM_OK)
            return special;
    }
    if (before->stable == now->stable || explained)
        return CAROM_OK;
    const carom_status status = locate(self, side_stable, before->stable, crossing_sharpness, &place, error);
    if (status != CAROM_OK)
        return status == CAROM_NO_MEMORY ? status : CAROM_OK;
    place.crossing = true;
    place.special = CAROM_SPECIAL_STABILITY;
    return append(self, &place, self->unknown, error);
}

/* Solutions begin or cease to be motions, and the branch goes on. */
static carom_status note_limit(follower *self, const carom_branch_point *before,
                               const carom_branch_point *now, carom_error *error)
{
    carom_branch_point place = {0};
    const bool impact = !(now->impulse > 0.0) || !(before->impulse > 0.0);
    const carom_status status =
        locate(self, side_admissible, before->admissible, end_sharpness, &place, error);
    if (status != CAROM_OK)
        return status == CAROM_NO_MEMORY ? status : CAROM_OK;
    place.special = self->course->limit(self->course->context, impact, &place.contact);
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
    if (!self->course->nearest && carom_arclength_folded(self->curve))
        self->branch->point[self->branch->count - 1].fold = true;
    if (before.admissible && !now.admissible && !self->options->through) {
        *done = true;
        return finish_inadmissible(self, &now, error);
    }
    status = note_crossing(self, &before, &now, error);
    if (status == CAROM_OK && before.admissible != now.admissible && self->course->limit)
        status = note_limit(self, &before, &now, error);
    if (status == CAROM_OK)
        status = append(self, &now, unknown, error);
    if (status == CAROM_OK)
        *done = ends_here(self, &now, carom_arclength_x(self->curve));
    if (status == CAROM_OK && *done && self->branch->end == CAROM_END_STICKING && self->course->merging)
        status = note_merging(self, &before, error);
    self->flight = self->course->smallest_flight(self->course->context, carom_arclength_x(self->curve), p);
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
    self.size = arclength_size(curve);
    self.x = carom_new_array(2 * (size_t)self.size, sizeof(double));
    self.unknown = carom_new_array((2 + SPECIALS) * (size_t)course->width, sizeof(double));
    carom_branch_point first = {0};
    carom_status status = self.x && self.unknown ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = course->describe(course->context, carom_arclength_x(curve), carom_arclength_parameter(curve),
                                  &first, self.unknown, error);
    if (course->branches_off)
        first.fold_test = first.flip_test = first.torus_test = 0.0;
    if (status == CAROM_OK)
        status = append(&self, &first, self.unknown, error);
    if (status == CAROM_OK)
        self.flight = course->smallest_flight(course->context, carom_arclength_x(curve), first.parameter);
    if (course->branches_off ||
        (status == CAROM_OK && course->nearest && !arclength_slope(curve, 1.0, &self.slope)))
        self.slope = NAN;
    for (bool done = false; status == CAROM_OK && !done;) {
        status = advance(&self, &done, error);
        done = done || (status == CAROM_OK && is_stopped(&self));
    }
    free(self.x);
    free(self.unknown);
    branch_note_failure(branch, status, error);
    return status;
}

/* ---- two parameters ----------------------------------------------------------------------------------- */

carom_status branch_check_locus(int first, int second, int parameters, carom_error *error)
{
    if (first < 0 || second < 0 || first >= parameters || second >= parameters || first == second)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a locus is over two parameters of the model; got %d and %d of %d", first, second,
                          parameters);
    return CAROM_OK;
}

carom_status branch_follow_locus(const branch_course *course,
                                 bool (*residual)(void *context, const double *x, double p, double *f),
                                 int size, const double *x, const double *scale, double second,
                                 const carom_branch_options *options, carom_branch *branch,
                                 carom_error *error)
{
    const carom_arclength_problem problem = {.size = size,
                                             .context = course->context,
                                             .residual = residual,
                                             .scale = scale,
                                             .parameter_scale =
                                                 options->parameter_max - options->parameter_min};
    carom_arclength *curve = NULL;
    carom_status status = carom_arclength_create(&problem, &options->arclength, x, second, &curve, error);
    if (status == CAROM_OK)
        status = branch_follow(curve, course, options, branch, error);
    carom_arclength_free(curve);
    return status;
}
