#include "course.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A second run has tolerances smaller by this: the difference is nearly all of the error of the first. */
static const double tighter_by = 10.0;
/* What the error may be larger than that difference by. */
static const double tolerance_safety = 2.0;
/* Differences up to this many tolerances are errors of the integrator, whatever the step is. */
static const double integrator_share = 100.0;
/* Carom tightens tolerances down to this. */
static const double tightest = 1e-12;

/* ---- options ---------------------------------------------------------------------------------------------- */

static size_t option_count(const carom_option *list)
{
    size_t count = 0;
    while (list && list[count].name)
        count++;
    return count;
}

static bool is_tolerance(const char *name)
{
    return strcmp(name, "rtol") == 0 || strcmp(name, "atol") == 0;
}

/* A scheme with rtol and atol behind the options of the request. */
static void write_tolerances(accuracy_course *course, double divisor)
{
    carom_option *last = course->option;
    while (last->name && !is_tolerance(last->name))
        last++;
    last[0] = (carom_option){.name = "rtol", .value = course->rtol / divisor};
    last[1] = (carom_option){.name = "atol", .value = course->atol / divisor};
}

carom_status accuracy_course_create(const carom_accuracy_request *request, const carom_scheme_ops *scheme,
                                    const accuracy_subjects *subjects, const accuracy_steps *steps,
                                    carom_accuracy *found, accuracy_course *course, carom_error *error)
{
    const carom_option *given = request->run.option;
    *course = (accuracy_course){.subjects = subjects,
                                .found = found,
                                .run = request->run,
                                .scheme = scheme,
                                .steps = *steps,
                                .has_tolerances = carom_scheme_find_option(scheme, "rtol") >= 0 &&
                                                  carom_scheme_find_option(scheme, "atol") >= 0};
    course->option = carom_arena_take(subjects->arena, option_count(given) + 4, sizeof *course->option);
    if (!course->option)
        return carom_fail_memory(error);
    int count = 0;
    for (; given && given->name; given++)
        if (!(course->has_tolerances && is_tolerance(given->name)) &&
            carom_scheme_takes_option(scheme, given->name))
            course->option[count++] = *given;
    /* Beyond an accumulation of impacts the motion goes on, as that of schemes with steps does. */
    if (carom_scheme_find_option(scheme, "zeno") >= 0 &&
        !(request->run.experiment &&
          carom_experiment_chooses(request->run.experiment, request->run.option, "zeno")))
        course->option[count++] = (carom_option){.name = "zeno", .word = "continue"};
    course->run.scheme = scheme->name;
    course->run.scheme_ops = scheme;
    course->run.recorder_count = 1;
    course->run.checkpoint = NULL;
    course->run.sensitivity_count = 0;
    course->run.record_every = 1;
    course->run.no_columns = false;
    course->run.max_steps = 0;
    return CAROM_OK;
}

void accuracy_course_free(accuracy_course *course)
{
    carom_run_result_free(&course->result);
}

/* ---- runs ------------------------------------------------------------------------------------------------- */

static void note_try(accuracy_course *course, double h, double rtol, const carom_run_result *result)
{
    carom_accuracy *found = course->found;
    if (found->tried_count == CAROM_ACCURACY_TRIED_MOST)
        return;
    found->tried[found->tried_count++] = (carom_accuracy_try){.scheme = course->scheme,
                                                              .h = h,
                                                              .rtol = rtol,
                                                              .status = result->status,
                                                              .steps = result->steps,
                                                              .wall_seconds = result->wall_seconds};
}

static carom_status run_once(accuracy_course *course, double h, double divisor, accuracy_reading *reading,
                             bool keeps, bool *ended, carom_error *error)
{
    carom_run_result result = {0};
    carom_recorder recorder = {0};
    carom_error why = {0};
    *ended = false;
    carom_status status = accuracy_reading_begin(course->subjects, reading, &recorder, error);
    if (status != CAROM_OK)
        return status;
    if (course->has_tolerances && course->rtol > 0.0)
        write_tolerances(course, divisor);
    course->run.option = course->option;
    course->run.recorder = &recorder;
    course->run.h = h;
    status = carom_run(&course->run, &result, &why);
    if (status == CAROM_OK || status == CAROM_FAILED)
        note_try(course, h, course->has_tolerances && course->rtol > 0.0 ? course->rtol / divisor : NAN,
                 &result);
    if (status == CAROM_OK) {
        *ended = true;
        status = accuracy_reading_end(course->subjects, &result, reading, error);
    } else if (status == CAROM_FAILED) {
        course->failure = why;
        status = CAROM_OK;
    } else {
        *error = why;
    }
    if (keeps && (*ended || course->count == 0)) {
        carom_run_result_free(&course->result);
        course->result = result;
        course->run.recorder = NULL;
    } else {
        carom_run_result_free(&result);
    }
    return status;
}

carom_status accuracy_course_go(accuracy_course *course, double factor, bool *ended, carom_error *error)
{
    *ended = false;
    const double h = accuracy_steps_next(&course->steps, factor);
    if (isnan(h))
        return CAROM_OK;
    const carom_status status = run_once(course, h, 1.0, &course->reading[course->count], true, ended, error);
    if (status == CAROM_OK && *ended)
        course->h[course->count++] = h;
    return status;
}

/* Tolerances that a run without these options has. */
static carom_status find_tolerances(accuracy_course *course, carom_error *error)
{
    carom_run_result start = {0};
    carom_run_request check = course->run;
    check.only_start = true;
    check.recorder_count = 0;
    check.option = course->option;
    const carom_status status = carom_run(&check, &start, error);
    if (status == CAROM_OK) {
        course->rtol = start.option[carom_scheme_find_option(course->scheme, "rtol")];
        course->atol = start.option[carom_scheme_find_option(course->scheme, "atol")];
    }
    carom_run_result_free(&start);
    return status;
}

carom_status accuracy_course_start(accuracy_course *course, bool *ended, carom_error *error)
{
    carom_status status = CAROM_OK;
    if (course->has_tolerances && course->rtol == 0.0)
        status = find_tolerances(course, error);
    if (status == CAROM_OK)
        status = accuracy_course_go(course, 1.0, ended, error);
    if (status != CAROM_OK || !*ended || !course->has_tolerances)
        return status;
    status = run_once(course, course->h[0], tighter_by, &course->tighter, false, ended, error);
    course->has_tighter = *ended;
    if (status == CAROM_OK && *ended)
        status = accuracy_course_go(course, 2.0, ended, error);
    return status;
}

bool accuracy_course_tighten(accuracy_course *course)
{
    if (!course->has_tolerances || course->rtol <= tightest)
        return false;
    course->atol *= fmax(tightest / course->rtol, 0.01);
    course->rtol = fmax(tightest, 0.01 * course->rtol);
    course->count = course->steps.count = 0;
    course->has_tighter = false;
    return true;
}

/* ---- errors ----------------------------------------------------------------------------------------------- */

/* A step rounds the state. Roundings of equal steps are of one sign for long, so they add up in proportion to the steps. */
double accuracy_rounding(const accuracy_reading *reading, int subject, int entry)
{
    const double size = fabs(accuracy_value(reading, subject, entry)) + reading->scale[subject];
    return DBL_EPSILON * size * (4.0 + 0.05 * (double)reading->steps);
}

/* Values of the last runs that have this entry, coarse to fine. */
static int collect(const accuracy_course *course, int subject, int entry, const double **h, double *value)
{
    int first = course->count;
    while (first > 0 && isfinite(accuracy_value(&course->reading[first - 1], subject, entry)))
        first--;
    for (int i = first; i < course->count; i++)
        value[i - first] = accuracy_value(&course->reading[i], subject, entry);
    *h = course->h + first;
    return course->count - first;
}

static bool same_everywhere(const accuracy_course *course, int subject, int entry, int last)
{
    const double value = accuracy_value(accuracy_course_last(course), subject, entry);
    bool same = course->count >= last;
    for (int i = course->count - 1; same && i >= 0 && i >= course->count - last; i--)
        same = accuracy_value(&course->reading[i], subject, entry) == value;
    return same && (!course->has_tighter || accuracy_value(&course->tighter, subject, entry) == value);
}

/* The same in the last runs, or not known. */
static accuracy_estimate estimate_count(const accuracy_course *course, int subject)
{
    enum {
        ENOUGH = CAROM_SEQUENCE_LEAST + 2 /* runs after which a count that changes is given up */
    };
    const int alike = course->has_tolerances ? 2 : CAROM_SEQUENCE_LEAST - 1;
    accuracy_estimate found = {.error = NAN, .order = NAN};
    const double value = accuracy_value(accuracy_course_last(course), subject, 0);
    if (accuracy_course_last(course)->accumulation != 0.0) {
        carom_format(found.why, sizeof found.why,
                     "a number of events is not known: impacts accumulate at t = %.6g",
                     accuracy_course_last(course)->accumulation);
    } else if (same_everywhere(course, subject, 0, alike)) {
        found.error = 0.0;
    } else {
        found.wants_more = course->count < ENOUGH;
        carom_format(found.why, sizeof found.why,
                     "a number of events is not known: %.10g with h = %.4g, %.10g with the step before",
                     value, course->h[course->count - 1],
                     course->count > 1 ? accuracy_value(&course->reading[course->count - 2], subject, 0)
                                       : NAN);
    }
    return found;
}

/* What tighter tolerances change. Two runs may agree by chance, so it is never below the tolerance itself. */
double accuracy_course_floor(const accuracy_course *course, int subject, int entry)
{
    if (!course->has_tighter)
        return 0.0;
    const double value = accuracy_value(&course->reading[0], subject, entry);
    const double effect = fabs(value - accuracy_value(&course->tighter, subject, entry));
    const double least = course->rtol * (fabs(value) + course->reading[0].scale[subject]);
    return isfinite(effect) ? fmax(tolerance_safety * effect, least) : NAN;
}

static void range_of(int count, const double *value, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < count; i++) {
        *low = fmin(*low, value[i]);
        *high = fmax(*high, value[i]);
    }
}

/* Differences between output intervals that are no larger than errors of the integrator. */
static bool step_does_not_matter(const accuracy_course *course, int subject, int entry, int count,
                                 const double *value, accuracy_estimate *found)
{
    if (count < 2)
        return false;
    const accuracy_reading *last = accuracy_course_last(course);
    const double tolerance_error = accuracy_course_floor(course, subject, entry),
                 rounding = accuracy_rounding(last, subject, entry);
    const double integrator =
        integrator_share * course->rtol * (fabs(value[count - 1]) + last->scale[subject]);
    double low, high;
    range_of(count, value, &low, &high);
    if (!(high - low <= fmax(2.0 * tolerance_error, integrator) + rounding))
        return false;
    found->error = fmax(tolerance_error, tolerance_safety * (high - low)) + rounding;
    return true;
}

accuracy_estimate accuracy_course_estimate(const accuracy_course *course, int subject, int entry)
{
    double value[CAROM_ACCURACY_TRIED_MOST] = {0.0};
    const double *h;
    accuracy_estimate found = {.error = NAN, .order = NAN};
    if (course->subjects->subject[subject].is_count)
        return estimate_count(course, subject);
    const int count = collect(course, subject, entry, &h, value);
    if (course->has_tighter && step_does_not_matter(course, subject, entry, count, value, &found))
        return found;
    const carom_sequence_limit limit = carom_sequence_limit_of(
        count, h, value, accuracy_rounding(accuracy_course_last(course), subject, entry));
    found.order = limit.order;
    found.error = limit.error + accuracy_course_floor(course, subject, entry);
    found.wants_more = count < CAROM_SEQUENCE_LEAST + (limit.diverges ? 2 : 0);
    if (limit.diverges || isnan(found.error))
        carom_format(found.why, sizeof found.why,
                     limit.diverges ? "does not converge: %.8g with h = %.4g, %.8g with the step before"
                                    : "has too few values: %.8g with h = %.4g, %.8g with the step before",
                     count > 0 ? value[count - 1] : NAN, course->h[course->count - 1],
                     count > 1 ? value[count - 2] : NAN);
    return found;
}
