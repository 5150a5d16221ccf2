/* Motions of a linear model by their pattern of impacts, followed over a parameter or the period: each point is
 * the solution of one linear system. The points are found first (pattern/pattern_branch.c), then solved again
 * for what is kept of them, and changes of stability located between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

enum {
    POINTS = 400,
    BISECTIONS = 40,
    KEPT = 8 /* numbers of a point beside its unknowns */
};

static const double vanishing = 1e-4; /* impact velocities that are this share of those at the start */

/* The model over the parameter, and where one of its motions is solved. */
typedef struct pattern_course {
    const carom_periodic_model *periodic;
    const carom_continue_request *request;
    const carom_orbit_branch *patterns;
    double period; /* fixed, unless it is the parameter */
    carom_arena *arena;
    carom_linearised linear;
    carom_linear_oscillator *oscillator;
    carom_orbit *orbit;
    carom_floquet *floquet;
    double *unknown; /* of one point */
    double *kept;    /* ... as a memo keeps it; NULL: there is none */
    double *argument;
    int width;           /* of `unknown` */
    bool interrupted;    /* nothing is kept from then on: an unbroken branch would not ask for it here */
    bool stopped;        /* ... and no further point is wanted */
    carom_progress stop; /* asks whether the points are wanted */
} pattern_course;

/* ---- the system over the parameter -------------------------------------------------------------------- */

static carom_status change(void *context, double value, carom_linear_oscillator *oscillator,
                           carom_error *error)
{
    pattern_course *self = context;
    const carom_periodic_model *periodic = self->periodic;
    periodic->parameter[self->request->parameter] = value;
    periodic->model->ops->bind(periodic->work, periodic->parameter);
    const carom_status status = linearise_again(periodic, &self->linear, error);
    const carom_linear_system system = linearised_system(periodic, &self->linear);
    return status == CAROM_OK ? carom_linear_oscillator_set(oscillator, &system, error) : status;
}

static carom_status set_up(pattern_course *self, carom_error *error)
{
    const carom_periodic_model *periodic = self->periodic;
    const size_t n = (size_t)periodic->model->dof, contacts = (size_t)periodic->model->contacts;
    self->arena = carom_arena_create();
    self->width = (int)(2 * n + contacts + 1);
    self->unknown = self->arena ? carom_arena_take(self->arena, (size_t)self->width, sizeof(double)) : NULL;
    if (!self->unknown)
        return carom_fail_memory(error);
    if (self->request->memo) {
        self->kept = carom_arena_take(self->arena, KEPT + (size_t)self->width, sizeof(double));
        self->argument = carom_arena_take(self->arena, 2 + contacts, sizeof(double));
        if (!self->kept || !self->argument)
            return carom_fail_memory(error);
    }
    carom_status status = carom_linearise(periodic, self->arena, &self->linear, error);
    const carom_linear_system system = linearised_system(periodic, &self->linear);
    if (status == CAROM_OK)
        status = carom_linear_oscillator_create(&system, &self->oscillator, error);
    if (status == CAROM_OK)
        status = carom_orbit_create(self->oscillator, &self->orbit, error);
    return status == CAROM_OK ? carom_floquet_create(self->oscillator, &self->floquet, error) : status;
}

static void tear_down(pattern_course *self)
{
    carom_floquet_free(self->floquet);
    carom_orbit_free(self->orbit);
    carom_linear_oscillator_free(self->oscillator);
    carom_arena_free(self->arena);
}

/* ---- one point ---------------------------------------------------------------------------------------- */

/* Impacts in the order of time, those at one instant in that of the contacts: the flights after them. */
static int fill_flights(const carom_orbit *orbit, double *flight)
{
    int starts = 0, halves = 0;
    for (int c = 0; c < orbit->contacts; c++) {
        starts += orbit->pattern[c] == CAROM_PHASE_START;
        halves += orbit->pattern[c] == CAROM_PHASE_HALF;
    }
    const int count = starts + halves;
    for (int i = 0; i < count; i++)
        flight[i] = 0.0;
    if (starts > 0 && halves > 0)
        flight[starts - 1] = flight[count - 1] = 0.5 * orbit->period;
    else
        flight[count - 1] = orbit->period;
    return count;
}

static void fill_point(const pattern_course *self, double value, carom_branch_point *point)
{
    const carom_periodic_model *periodic = self->periodic;
    const carom_orbit *orbit = self->orbit;
    const int n = periodic->model->dof;
    double *q = self->unknown, *v = q + n;
    memcpy(q, orbit->y0, (size_t)n * sizeof *q);
    memcpy(v, orbit->v0, (size_t)n * sizeof *v);
    carom_axpy(n, 1.0, self->linear.rest, q);
    *point = (carom_branch_point){
        .parameter = value,
        .period = orbit->period,
        .energy = periodic->model->ops->energy(periodic->work, periodic->t0, q, v),
        .multiplier = NAN,
        .gap = orbit->margin,
        .impulse = INFINITY,
        .impacts = fill_flights(orbit, v + n),
        .admissible = orbit->word == CAROM_ORBIT_OK,
    };
    for (int c = 0; c < orbit->contacts; c++)
        if (orbit->pattern[c] != CAROM_PHASE_NEVER) {
            point->impulse = fmin(point->impulse, orbit->speed[c]);
            point->strongest = fmax(point->strongest, orbit->speed[c]);
        }
}

static carom_status solve(pattern_course *self, const carom_phase *pattern, double value,
                          carom_branch_point *point, carom_error *error)
{
    carom_orbit_options options = carom_orbit_defaults();
    options.amplitude_max = INFINITY;
    const bool over_period = self->request->parameter == CAROM_SHOOT_PERIOD;
    carom_status status = over_period ? CAROM_OK : change(self, value, self->oscillator, error);
    if (status == CAROM_OK)
        status = carom_orbit_solve(self->orbit, self->oscillator, over_period ? value : self->period, pattern,
                                   &options, error);
    if (status == CAROM_OK)
        fill_point(self, value, point);
    return status;
}

static void judge(carom_branch_point *point, double multiplier)
{
    point->multiplier = multiplier;
    point->stable = multiplier <= CAROM_STABLE_MULTIPLIER;
}

static carom_status solve_and_judge(pattern_course *self, const carom_phase *pattern, double value,
                                    carom_branch_point *point, carom_error *error)
{
    const carom_floquet_options options = carom_floquet_defaults();
    carom_status status = solve(self, pattern, value, point, error);
    if (status == CAROM_OK)
        status = carom_floquet_compute(self->floquet, self->oscillator, self->orbit, &options, error);
    if (status == CAROM_OK)
        judge(point, self->floquet->largest);
    return status;
}

/* ---- points that a branch which was stopped has found before ------------------------------------------- */

/* Other sizes and other first numbers than those of pattern/branch_memo.c. */
static int fill_argument(const pattern_course *self, const carom_phase *pattern, bool judged)
{
    const int contacts = self->periodic->model->contacts;
    self->argument[0] = -1.0;
    self->argument[1] = judged;
    for (int c = 0; c < contacts; c++)
        self->argument[2 + c] = (double)pattern[c];
    return 2 + contacts;
}

static void keep_point(const pattern_course *self, int size, double value, const carom_branch_point *point)
{
    const carom_branch_memo *memo = self->request->memo;
    const double number[KEPT] = {
        point->period,  point->energy,    point->multiplier,      point->gap,
        point->impulse, point->strongest, (double)point->impacts, (double)point->admissible};
    memcpy(self->kept, number, sizeof number);
    memcpy(self->kept + KEPT, self->unknown, (size_t)self->width * sizeof(double));
    memo->keep(memo->context, size, self->argument, value, KEPT + self->width, self->kept, true);
}

static bool recall_point(pattern_course *self, int size, double value, carom_branch_point *point)
{
    const carom_branch_memo *memo = self->request->memo;
    const double *number = self->kept;
    bool good = false;
    if (!memo->recall(memo->context, size, self->argument, value, KEPT + self->width, self->kept, &good))
        return false;
    *point = (carom_branch_point){.parameter = value,
                                  .period = number[0],
                                  .energy = number[1],
                                  .gap = number[3],
                                  .impulse = number[4],
                                  .strongest = number[5],
                                  .impacts = (int)number[6],
                                  .admissible = number[7] != 0.0};
    judge(point, number[2]);
    memcpy(self->unknown, number + KEPT, (size_t)self->width * sizeof(double));
    return good;
}

/* A point and its unknowns, `judged`: with its multiplier; from the memo where that has it. */
static carom_status find_point(pattern_course *self, const carom_phase *pattern, double value, bool judged,
                               carom_branch_point *point, carom_error *error)
{
    const bool remembers = self->kept && !self->interrupted;
    const int size = remembers ? fill_argument(self, pattern, judged) : 0;
    if (remembers && recall_point(self, size, value, point))
        return CAROM_OK;
    const carom_status status = judged ? solve_and_judge(self, pattern, value, point, error)
                                       : solve(self, pattern, value, point, error);
    if (status == CAROM_OK && remembers)
        keep_point(self, size, value, point);
    return status;
}

/* ---- the points of the branch -------------------------------------------------------------------------- */

static void append(const pattern_course *self, const carom_branch_point *point, carom_branch *branch)
{
    branch->point[branch->count] = *point;
    memcpy(branch->unknown + (size_t)branch->count * (size_t)branch->width, self->unknown,
           (size_t)branch->width * sizeof(double));
    branch->count++;
}

/* Bisects for the last place whose stability is that of the point before. */
static carom_status append_crossing(pattern_course *self, const carom_phase *pattern, double from, double to,
                                    bool stable, carom_branch *branch, carom_error *error)
{
    carom_branch_point point = {0};
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (from + to);
        const carom_status status = find_point(self, pattern, middle, true, &point, error);
        if (status != CAROM_OK)
            return status;
        if (point.stable == stable)
            from = middle;
        else
            to = middle;
    }
    const carom_status status = find_point(self, pattern, from, true, &point, error);
    point.crossing = true;
    point.special = CAROM_SPECIAL_STABILITY;
    if (status == CAROM_OK)
        append(self, &point, branch);
    return status;
}

static bool is_stopped(pattern_course *self)
{
    const double range = fabs(self->request->to - self->request->from);
    if (!self->stopped && self->stop.report && !self->stop.report(self->stop.context, range, range))
        self->stopped = self->interrupted = true;
    return self->stopped;
}

/* Points of one stretch. */
static carom_status fill_stretch(pattern_course *self, const carom_orbit_branch_stretch *stretch,
                                 carom_branch *branch, carom_error *error)
{
    carom_status status = CAROM_OK;
    carom_branch_point point = {0}, before = {0};
    for (int i = 0; i < stretch->count && status == CAROM_OK && !self->stopped; i++) {
        const carom_orbit_branch_point *known = &self->patterns->point[stretch->first + i];
        judge(&point, known->largest);
        if (i > 0 && point.stable != before.stable)
            status = append_crossing(self, stretch->pattern, before.parameter, known->value, before.stable,
                                     branch, error);
        if (status == CAROM_OK)
            status = find_point(self, stretch->pattern, known->value, false, &point, error);
        judge(&point, known->largest);
        if (status == CAROM_OK)
            append(self, &point, branch);
        before = point;
        is_stopped(self);
    }
    return status;
}

static carom_status fill_branch(pattern_course *self, carom_branch *branch, carom_error *error)
{
    const size_t most = 2 * (size_t)self->patterns->point_count;
    branch->width = self->width;
    branch->point = carom_new_array(most, sizeof *branch->point);
    branch->unknown = carom_new_array(most * (size_t)branch->width, sizeof *branch->unknown);
    if (!branch->point || !branch->unknown)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    for (int i = 0; i < self->patterns->stretch_count && status == CAROM_OK && !self->stopped; i++)
        status = fill_stretch(self, &self->patterns->stretch[i], branch, error);
    return status;
}

/* ---- the end ------------------------------------------------------------------------------------------ */

static void describe_end(const pattern_course *self, carom_branch *branch)
{
    const carom_orbit_branch_stretch *last = &self->patterns->stretch[self->patterns->stretch_count - 1];
    const carom_branch_point *point = &branch->point[branch->count - 1];
    const char *name = last->contact >= 0 ? find_contact_name(self->periodic, last->contact) : "";
    const size_t size = sizeof branch->text;
    if (self->interrupted) {
        carom_format(branch->text, size, "interrupted at parameter %.9g (energy %.9g)", point->parameter,
                     point->energy);
        return;
    }
    switch (last->end) {
    case CAROM_ORBIT_BRANCH_LIMIT:
        branch->end = CAROM_END_OF_RANGE;
        carom_format(branch->text, size, "the parameter %.9g is at the end of the range (energy %.9g)",
                     last->end_value, point->energy);
        return;
    case CAROM_ORBIT_BRANCH_TOUCH:
    case CAROM_ORBIT_BRANCH_PENETRATE:
        branch->end = CAROM_END_JUNCTION;
        carom_format(branch->text, size, "'%s' touches at t = %.9g, at parameter %.9g (energy %.9g)", name,
                     last->time, last->end_value, point->energy);
        return;
    case CAROM_ORBIT_BRANCH_GRAZE:
        if (point->strongest < vanishing * branch->point[0].strongest) {
            branch->end = CAROM_END_LINEAR_MODE;
            carom_format(
                branch->text, size,
                "impulses vanish at parameter %.9g: a motion without impacts that grazes (energy %.9g)",
                last->end_value, point->energy);
            return;
        }
        branch->end = CAROM_END_GRAZE;
        carom_format(branch->text, size, "the impulse of '%s' vanishes at parameter %.9g (energy %.9g)", name,
                     last->end_value, point->energy);
        return;
    case CAROM_ORBIT_BRANCH_DIVERGE:
        branch->end = CAROM_END_ENERGY;
        carom_format(branch->text, size, "the energy grows without bound at parameter %.9g (%.3g before)",
                     last->end_value, point->energy);
        return;
    case CAROM_ORBIT_BRANCH_POINTS:
        branch->end = CAROM_END_OF_POINTS;
        carom_format(branch->text, size, "%d points were followed, to parameter %.9g", branch->count,
                     last->end_value);
        return;
    case CAROM_ORBIT_BRANCH_STOPPED: /* interrupted */
        return;
    }
}

/* ---- the branch --------------------------------------------------------------------------------------- */

static carom_status check(const carom_periodic_model *periodic, const carom_find_request *start,
                          carom_error *error)
{
    const char *why = carom_why_not_linear(periodic);
    if (why)
        return carom_fail(error, CAROM_BAD_INPUT, "patterns are those of linear models; %s is not one: %s",
                          periodic->name, why);
    if (!carom_impact_is_pattern(&start->impacts))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a pattern has its impacts at 0 and half the period, each contact at most once");
    return CAROM_OK;
}

static carom_status follow(pattern_course *self, const carom_find_request *start, int switches,
                           carom_orbit_branch *patterns, carom_error *error)
{
    const carom_continue_request *request = self->request;
    carom_phase *pattern =
        carom_arena_take(self->arena, (size_t)self->periodic->model->contacts, sizeof *pattern);
    if (!pattern)
        return carom_fail_memory(error);
    find_fill_pattern(self->periodic, &start->impacts, pattern);
    carom_orbit_branch_request wanted = carom_orbit_branch_defaults();
    wanted.oscillator = self->oscillator;
    wanted.pattern = pattern;
    wanted.parameter =
        request->parameter == CAROM_SHOOT_PERIOD ? CAROM_ORBIT_BRANCH_PERIOD : CAROM_ORBIT_BRANCH_SYSTEM;
    wanted.period = self->period;
    wanted.from = request->from;
    wanted.to = request->to;
    wanted.step = request->step;
    wanted.points_max = request->points > 0 ? request->points : POINTS;
    wanted.switches = switches;
    wanted.multipliers = true;
    wanted.progress = request->progress;
    wanted.change = change;
    wanted.context = self;
    wanted.memo = request->memo;
    const carom_status status = carom_orbit_branch_follow(&wanted, patterns, error);
    self->interrupted = status == CAROM_INTERRUPTED;
    self->stop = self->interrupted ? (carom_progress){0} : request->progress; /* asks once */
    return self->interrupted && patterns->point_count > 0 ? CAROM_OK : status;
}

carom_status carom_continue_pattern(const carom_periodic_model *periodic, const carom_find_request *start,
                                    const carom_continue_request *request, int switches, carom_branch *branch,
                                    carom_orbit_branch *patterns, carom_error *error)
{
    pattern_course self = {
        .periodic = periodic, .request = request, .patterns = patterns, .period = start->period};
    const int parameter = request->parameter;
    const double kept = parameter == CAROM_SHOOT_PERIOD ? 0.0 : periodic->parameter[parameter];
    *branch = (carom_branch){.end = CAROM_END_LOST};
    *patterns = (carom_orbit_branch){0};
    carom_status status = check(periodic, start, error);
    if (status == CAROM_OK)
        status = set_up(&self, error);
    if (status == CAROM_OK)
        status = follow(&self, start, switches, patterns, error);
    if (status == CAROM_OK)
        status = fill_branch(&self, branch, error);
    if (status == CAROM_OK)
        describe_end(&self, branch);
    if (parameter != CAROM_SHOOT_PERIOD) {
        periodic->parameter[parameter] = kept;
        periodic->model->ops->bind(periodic->work, periodic->parameter);
    }
    tear_down(&self);
    return status;
}
