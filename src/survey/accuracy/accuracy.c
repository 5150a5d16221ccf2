/* A run whose measures are known to the accuracy asked for:
 *
 *   scheme not given   the scheme that locates impacts, where it takes the model; else the default scheme
 *   scheme given       that scheme; the one that locates impacts judges it, where it takes the model
 *
 *   runs of a course -> bound of the error of each entry -> factor by which the step is too large -> next run
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "course.h"

/* A judge's own errors are at most this share of what is asked. */
static const double judge_share = 0.25;
/* Its steps are at most so many times finer than the first one. */
static const double judge_limit = 32.0;
/* Distances to the judge above so many bounds of the own limit: the limits differ. */
static const double other_limit = 4.0;
/* Steps become smaller by these factors at least and at most. */
static const double factor_least = 1.7, factor_most = 4.0;
/* Where so many times the steps of the limit are needed, none of them is tried. */
static const double beyond_limit = 8.0;

typedef struct active_accuracy {
    const carom_accuracy_request *request;
    carom_accuracy *found;
    const carom_scheme_ops *scheme; /* given, or the default */
    bool is_given;
    carom_row_layout layout;
    accuracy_subjects subjects;
    accuracy_steps steps;
    accuracy_course main, judge;
    bool has_judge;
} active_accuracy;

/* ---- one entry -------------------------------------------------------------------------------------------- */

typedef struct entry_verdict {
    double value, error;
    double factor; /* by which the step is too large; at most 1: met; INFINITY: smaller steps do not help */
    bool by_tolerance; /* the tolerances of the integrator limit the error */
    char why[CAROM_ACCURACY_WHY];
} entry_verdict;

static accuracy_estimate judged_count(const accuracy_course *course, double reference, double value,
                                      accuracy_estimate own)
{
    if (reference == value) {
        own.error = 0.0;
    } else {
        own.error = NAN;
        own.wants_more = course->count < CAROM_SEQUENCE_LEAST + 2;
        carom_format(own.why, sizeof own.why,
                     "a number of events is not known: %.10g, but %.10g with impacts located in time", value,
                     reference);
    }
    return own;
}

/* The distance to the judge's value is the error, up to the judge's own. */
static accuracy_estimate estimate_with(const accuracy_course *course, const accuracy_course *judge,
                                       int subject, int entry)
{
    accuracy_estimate own = accuracy_course_estimate(course, subject, entry);
    if (!judge)
        return own;
    const accuracy_estimate theirs = accuracy_course_estimate(judge, subject, entry);
    const bool is_count = course->subjects->subject[subject].is_count;
    if (isnan(theirs.error))
        return is_count ? theirs : own;
    const double value = accuracy_value(accuracy_course_last(course), subject, entry),
                 reference = accuracy_value(accuracy_course_last(judge), subject, entry);
    const double distance = fabs(value - reference);
    if (is_count)
        return judged_count(course, reference, value, own);
    if (isfinite(own.error) && own.error < theirs.error)
        return own;
    if (isfinite(own.error) && distance > other_limit * (own.error + theirs.error)) {
        own.wants_more = false;
        carom_format(
            own.why, sizeof own.why,
            "converges to another value than %s: %.8g +- %.2g here, %.8g +- %.2g there; laws of impact "
            "or ties between contacts may differ",
            judge->scheme->name, value, own.error, reference, theirs.error);
        own.error = NAN;
        return own;
    }
    own.error = distance + theirs.error;
    own.why[0] = '\0';
    return own;
}

static void explain(const accuracy_course *course, const accuracy_subject *subject, double allowed,
                    entry_verdict *verdict)
{
    if (verdict->by_tolerance)
        carom_format(verdict->why, sizeof verdict->why,
                     "the error %.2g is above %.2g: errors of the integrator grow to this, the motion is "
                     "chaotic or close to a change of its impacts; end it earlier (--until)",
                     verdict->error, allowed);
    else if (isfinite(verdict->error))
        carom_format(verdict->why, sizeof verdict->why,
                     "the error %.2g is above %.2g (accuracy %.3g); h = %.2g or less is needed",
                     verdict->error, allowed, subject->asked, course->h[course->count - 1] / verdict->factor);
}

/* The size of the value, or of its unit where the value cannot be told from zero. The judge knows the value better. */
static double size_of(const accuracy_course *course, const accuracy_course *judge, int s, int entry,
                      double value, double error)
{
    const double judged = judge ? accuracy_course_estimate(judge, s, entry).error : NAN;
    if (isfinite(judged)) {
        value = accuracy_value(accuracy_course_last(judge), s, entry);
        error = judged;
    }
    return fabs(value) > error ? fabs(value) : accuracy_course_last(course)->scale[s];
}

static entry_verdict judge_entry(const accuracy_course *course, const accuracy_course *judge, double share,
                                 int s, int entry)
{
    const accuracy_subject *subject = &course->subjects->subject[s];
    const accuracy_reading *last = accuracy_course_last(course);
    const accuracy_estimate found = estimate_with(course, judge, s, entry);
    entry_verdict verdict = {.value = accuracy_value(last, s, entry), .error = found.error, .factor = 1.0};
    if (isnan(subject->asked))
        return verdict;
    if (isnan(found.error)) {
        verdict.factor = found.wants_more ? 2.0 : INFINITY;
        memcpy(verdict.why, found.why, sizeof verdict.why);
        return verdict;
    }
    const double allowed =
        share * subject->asked * size_of(course, judge, s, entry, verdict.value, found.error);
    if (found.error <= allowed)
        return verdict;
    verdict.by_tolerance = accuracy_course_floor(course, s, entry) >= allowed;
    if (found.why[0]) { /* does not converge */
        verdict.factor = found.wants_more ? 2.0 : INFINITY;
        memcpy(verdict.why, found.why, sizeof verdict.why);
        return verdict;
    }
    const double order = fmax(found.order, 1.0); /* the slower decay of scattered values may be chance */
    verdict.factor =
        verdict.by_tolerance ? INFINITY : fmax(pow(found.error / allowed, 1.0 / order), factor_least);
    explain(course, subject, allowed, &verdict);
    return verdict;
}

/* ---- one subject ------------------------------------------------------------------------------------------ */

typedef struct course_verdict {
    double
        factor; /* the largest finite one; at most 1: all is met; INFINITY: nothing is left that smaller steps help */
    bool by_tolerance;
} course_verdict;

static void add_factor(course_verdict *all, double factor, bool by_tolerance)
{
    all->by_tolerance = all->by_tolerance || by_tolerance;
    if (factor <= 1.0)
        return;
    if (all->factor <= 1.0 || (isinf(all->factor) && isfinite(factor)))
        all->factor = factor;
    else if (isfinite(factor))
        all->factor = fmax(all->factor, factor);
}

/* Arrays as long, values there or not there, as in the run before, in the one with smaller tolerances, at the judge. */
static bool has_same_length(const accuracy_course *course, const accuracy_course *judge, int s)
{
    const int count = accuracy_course_last(course)->measured[s].count;
    return (course->count < 2 || course->reading[course->count - 2].measured[s].count == count) &&
           (!course->has_tighter || course->tighter.measured[s].count == count) &&
           (!judge || accuracy_course_last(judge)->measured[s].count == count);
}

static void judge_length(const accuracy_course *course, const accuracy_course *judge, int s,
                         carom_accuracy_measure *measure, course_verdict *all)
{
    const accuracy_reading *last = accuracy_course_last(course);
    const double accumulation = last->accumulation != 0.0 ? last->accumulation
                                : judge                   ? accuracy_course_last(judge)->accumulation
                                                          : 0.0;
    if (isnan(measure->asked) ||
        (has_same_length(course, judge, s) &&
         (accumulation == 0.0 || !measure->is_array || course->subjects->subject[s].place_count > 0)))
        return;
    measure->met = false;
    if (accumulation != 0.0)
        carom_format(measure->why, sizeof measure->why,
                     "the number of its entries is not known: impacts accumulate at t = %.6g", accumulation);
    else
        carom_format(measure->why, sizeof measure->why,
                     measure->is_array ? "the number of its entries changes with the step"
                                       : "whether it has a value changes with the step");
    add_factor(all, accumulation == 0.0 && course->count < CAROM_SEQUENCE_LEAST + 2 ? 2.0 : INFINITY, false);
}

static void judge_measure(const accuracy_course *course, const accuracy_course *judge, double share, int s,
                          carom_accuracy_measure *measure, course_verdict *all)
{
    measure->met = true;
    measure->why[0] = '\0';
    for (int i = 0; i < measure->count; i++) {
        const entry_verdict verdict = judge_entry(course, judge, share, s, i);
        measure->value[i] = verdict.value;
        measure->error[i] = verdict.error;
        add_factor(all, verdict.factor, verdict.by_tolerance);
        if (verdict.factor > 1.0 && measure->met) {
            measure->met = false;
            memcpy(measure->why, verdict.why, sizeof measure->why);
        }
    }
    judge_length(course, judge, s, measure, all);
}

/* Describes every subject as the last run has it; out is room for one measure per subject. */
static carom_status judge_course(const accuracy_course *course, const accuracy_course *judge, double share,
                                 carom_arena *arena, carom_accuracy_measure *out, course_verdict *all,
                                 carom_error *error)
{
    *all = (course_verdict){.factor = 1.0};
    for (int s = 0; s < course->subjects->count; s++) {
        const accuracy_subject *subject = &course->subjects->subject[s];
        const int count = accuracy_course_last(course)->measured[s].count;
        out[s] = (carom_accuracy_measure){.name = subject->name,
                                          .is_array = subject->is_array,
                                          .is_count = subject->is_count,
                                          .asked = subject->asked,
                                          .count = count,
                                          .value = carom_arena_take(arena, (size_t)count, sizeof(double)),
                                          .error = carom_arena_take(arena, (size_t)count, sizeof(double))};
        if (!out[s].value || !out[s].error)
            return carom_fail_memory(error);
        judge_measure(course, judge, share, s, &out[s], all);
    }
    return CAROM_OK;
}

/* ---- refinement ------------------------------------------------------------------------------------------- */

/* The first runs; a scheme whose first step is too large may do it with a smaller one. */
static carom_status start_course(accuracy_course *course, bool *ended, carom_error *error)
{
    enum {
        ATTEMPTS = 3
    };
    carom_status status = accuracy_course_start(course, ended, error);
    for (int i = 0; status == CAROM_OK && !*ended && !course->has_tolerances && i < ATTEMPTS; i++)
        status = accuracy_course_go(course, factor_most, ended, error);
    return status;
}

/* Runs until everything is met, or nothing more helps. *ended: there are runs to be judged. */
static carom_status refine(accuracy_course *course, const accuracy_course *judge, double share,
                           carom_arena *arena, carom_accuracy_measure *out, bool *ended, carom_error *error)
{
    course_verdict verdict;
    bool goes_on = true;
    carom_status status = start_course(course, ended, error);
    if (status != CAROM_OK || !*ended)
        return status;
    while (goes_on && status == CAROM_OK) {
        status = judge_course(course, judge, share, arena, out, &verdict, error);
        if (status != CAROM_OK || verdict.factor <= 1.0)
            break;
        if (verdict.by_tolerance && accuracy_course_tighten(course)) {
            status = accuracy_course_start(course, &goes_on, error);
            *ended = goes_on;
            continue;
        }
        const double reached = course->steps.parts[course->steps.count - 1];
        if (isinf(verdict.factor) || (course->count >= CAROM_SEQUENCE_LEAST &&
                                      reached * verdict.factor > beyond_limit * course->steps.limit))
            break;
        const double factor = course->count < CAROM_SEQUENCE_LEAST && !judge ? 2.0 : verdict.factor;
        status = accuracy_course_go(course, fmin(factor, factor_most), &goes_on, error);
    }
    return status;
}

/* ---- schemes ----------------------------------------------------------------------------------------------- */

static bool takes_all_options(const carom_scheme_ops *scheme, const carom_option *option)
{
    for (; option && option->name; option++)
        if (!carom_scheme_takes_option(scheme, option->name))
            return false;
    return true;
}

/* The scheme that locates impacts, to tolerances; NULL: none takes the model. */
static const carom_scheme_ops *find_locating(const carom_run_request *run)
{
    const carom_model *model = run->experiment ? run->experiment->model : run->model;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        carom_error unseen;
        if (scheme->abilities & CAROM_SCHEME_LOCATES_IMPACTS && !scheme->for_comparison &&
            carom_scheme_find_option(scheme, "rtol") >= 0 &&
            carom_scheme_accepts(scheme, model, &unseen) == CAROM_OK)
            return scheme;
    }
    return NULL;
}

/* Does the scheme converge to the motion that impacts located in time give? Rules of its own for impacts do not, nor does a
 * compliance. */
static bool can_be_judged(const carom_scheme_ops *scheme)
{
    return scheme->abilities & CAROM_SCHEME_RESTITUTION &&
           !(scheme->abilities & (CAROM_SCHEME_OWN_STEPS | CAROM_SCHEME_LOCATES_IMPACTS));
}

static bool has_given_scheme(const carom_run_request *run)
{
    return run->scheme || run->scheme_ops || !run->experiment || run->experiment->scheme_given;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

/* The request as a run would have it: scheme, times, layout. */
static carom_status set_up(active_accuracy *active, carom_error *error)
{
    const carom_accuracy_request *request = active->request;
    carom_run_request check = request->run;
    carom_run_result start = {0};
    double t0 = 0.0, until = 0.0;
    if (check.experiment && check.experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "accuracy: nothing moves in a study, there is no step to refine");
    if (!isfinite(request->limit) || (request->limit != 0.0 && request->limit < 1.0))
        return carom_fail(error, CAROM_BAD_INPUT, "accuracy limit %.10g: give a number from 1 on",
                          request->limit);
    check.only_start = true;
    check.recorder_count = 0;
    check.checkpoint = NULL;
    check.sensitivity_count = 0;
    carom_status status = carom_run(&check, &start, error);
    if (status == CAROM_OK)
        status = carom_run_times(&check, &t0, &until, error);
    if (status == CAROM_OK) {
        active->scheme = start.scheme;
        active->is_given = has_given_scheme(&request->run);
        active->layout = start.layout;
        active->steps = accuracy_steps_of(request, &start, until);
        status = accuracy_subjects_create(request, &start.layout, until - t0, active->found->arena,
                                          &active->subjects, error);
    }
    carom_run_result_free(&start);
    return status;
}

static carom_status make_course(active_accuracy *active, const carom_scheme_ops *scheme,
                                accuracy_course *course, carom_error *error)
{
    return accuracy_course_create(active->request, scheme, &active->subjects, &active->steps, active->found,
                                  course, error);
}

/* A scheme that refuses the start, or fails, does not judge; the failure stays for the explanation. */
static carom_status call_judge(active_accuracy *active, carom_accuracy_measure *out, carom_error *error)
{
    const carom_scheme_ops *locating = find_locating(&active->request->run);
    bool ended = false;
    if (!locating || active->request->alone || active->request->run.sharing || !can_be_judged(active->scheme))
        return CAROM_OK;
    carom_status status = make_course(active, locating, &active->judge, error);
    active->judge.steps.limit = fmin(active->judge.steps.limit, judge_limit * active->judge.steps.parts[0]);
    carom_error why = {0};
    if (status == CAROM_OK)
        status = refine(&active->judge, NULL, judge_share, active->found->arena, out, &ended, &why);
    if (status == CAROM_BAD_INPUT || status == CAROM_OK) {
        active->has_judge = status == CAROM_OK && ended;
        return CAROM_OK;
    }
    *error = why;
    return status;
}

static carom_status run_chosen(active_accuracy *active, carom_accuracy_measure *out, bool *ended,
                               carom_error *error)
{
    const carom_scheme_ops *locating = active->is_given ? NULL : find_locating(&active->request->run);
    carom_status status = CAROM_OK;
    *ended = false;
    if (locating && takes_all_options(locating, active->request->run.option)) {
        carom_error why = {0};
        status = make_course(active, locating, &active->main, error);
        if (status == CAROM_OK)
            status = refine(&active->main, NULL, 1.0, active->found->arena, out, ended, &why);
        if (*ended || (status != CAROM_OK && status != CAROM_BAD_INPUT)) {
            *error = why;
            return status;
        }
        accuracy_course_free(&active->main);
    } else {
        status = call_judge(active, out, error);
        if (status != CAROM_OK)
            return status;
    }
    status = make_course(active, active->scheme, &active->main, error);
    return status == CAROM_OK ? refine(&active->main, active->has_judge ? &active->judge : NULL, 1.0,
                                       active->found->arena, out, ended, error)
                              : status;
}

/* The whole is met where every part is. */
static void conclude(active_accuracy *active, carom_accuracy_measure *measure)
{
    carom_accuracy *found = active->found;
    const accuracy_course *main = &active->main;
    found->measure = measure;
    found->measure_count = active->subjects.count;
    found->met = true;
    for (int s = 0; s < found->measure_count; s++) {
        if (measure[s].met)
            continue;
        if (found->met)
            carom_format(found->why, sizeof found->why, "'%s' %s%s%s", measure[s].name, measure[s].why,
                         main->failure.text[0] ? "; " : "", main->failure.text);
        found->met = false;
    }
    found->scheme = main->scheme;
    found->h = accuracy_course_last(main)->h;
    found->option = main->option;
}

/* The options of the best run, whatever other runs had. */
static void take_best(active_accuracy *active)
{
    carom_accuracy *found = active->found;
    found->best = active->main.result;
    active->main.result = (carom_run_result){0};
    for (carom_option *option = active->main.option; option && option->name; option++)
        if (active->main.has_tolerances && strcmp(option->name, "rtol") == 0)
            option->value = active->main.rtol;
        else if (active->main.has_tolerances && strcmp(option->name, "atol") == 0)
            option->value = active->main.atol;
}

static carom_status search(active_accuracy *active, carom_error *error)
{
    carom_accuracy *found = active->found;
    bool ended = false;
    carom_status status = set_up(active, error);
    if (status != CAROM_OK)
        return status;
    found->of_state = active->subjects.of_state;
    carom_accuracy_measure *measure =
        carom_arena_take(found->arena, (size_t)active->subjects.count, sizeof *measure);
    if (!measure)
        return carom_fail_memory(error);
    status = run_chosen(active, measure, &ended, error);
    if (status == CAROM_OK || status == CAROM_INTERRUPTED) {
        take_best(active);
        if (ended)
            conclude(active, measure);
    }
    if (status == CAROM_INTERRUPTED && ended) {
        found->met = false;
        carom_format(found->why, sizeof found->why, "interrupted");
    }
    if (status == CAROM_OK && !ended)
        status = carom_fail(error, CAROM_FAILED, "%s", active->main.failure.text);
    return status;
}

carom_status carom_accuracy_run(const carom_accuracy_request *request, carom_accuracy *found,
                                carom_error *error)
{
    carom_error unseen;
    if (!error)
        error = &unseen;
    *found = (carom_accuracy){.asked = carom_given(request->relative, NAN), .arena = carom_arena_create()};
    active_accuracy *active = carom_new_array(1, sizeof *active);
    carom_status status = found->arena && active ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK) {
        active->request = request;
        active->found = found;
        status = search(active, error);
        accuracy_course_free(&active->main);
        accuracy_course_free(&active->judge);
    }
    free(active);
    if (status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY)
        carom_accuracy_free(found);
    return status;
}

void carom_accuracy_free(carom_accuracy *found)
{
    carom_run_result_free(&found->best);
    carom_arena_free(found->arena);
    *found = (carom_accuracy){0};
}
