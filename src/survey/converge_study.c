/* What an order study checks before the first run, and the memory for its results. */
#include "converge_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error_curve.h"

/* ---- checks --------------------------------------------------------------------------------------- */

static int larger_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static carom_status take_steps(active_study *active, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    carom_convergence *study = active->study;
    if (request->h_count < 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d step size%s: an order needs at least two, such as "
                          "0.01 and 0.005",
                          request->h_count, request->h_count == 1 ? "" : "s");
    study->h = carom_arena_take(study->arena, (size_t)request->h_count, sizeof *study->h);
    if (!study->h)
        return carom_fail_memory(error);
    study->h_count = request->h_count;
    for (int i = 0; i < request->h_count; i++) {
        if (!(isfinite(request->h[i]) && request->h[i] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT, "step size h = %.10g: must be finite and > 0",
                              request->h[i]);
        study->h[i] = request->h[i];
    }
    qsort(study->h, (size_t)study->h_count, sizeof *study->h, larger_first);
    for (int i = 1; i < study->h_count; i++)
        if (study->h[i] == study->h[i - 1])
            return carom_fail(error, CAROM_BAD_INPUT, "step size h = %.10g is given twice", study->h[i]);
    return CAROM_OK;
}

/* The options of the request that a scheme knows. */
static carom_status known_options(const active_study *active, const carom_scheme_ops *scheme,
                                  carom_arena *arena, carom_run_request *run, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    size_t count = 0;
    while (request->option && request->option[count].name)
        count++;
    carom_option *known = carom_arena_take(arena, count + 1, sizeof *known);
    if (!known)
        return carom_fail_memory(error);
    run->option = known;
    for (size_t i = 0; i < count; i++)
        if (carom_scheme_takes_option(scheme, request->option[i].name))
            *known++ = request->option[i];
    return CAROM_OK;
}

carom_status study_request(const active_study *active, const carom_scheme_ops *scheme, double h,
                           carom_arena *arena, carom_run_request *run, carom_error *error)
{
    *run = (carom_run_request){.experiment = active->request->experiment,
                               .scheme = scheme->name,
                               .h = h,
                               .until = active->request->until,
                               .no_stop = true};
    return known_options(active, scheme, arena, run, error);
}

/* An option that no scheme knows is a mistake. */
static carom_status check_options(const active_study *active, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    const carom_convergence *study = active->study;
    for (const carom_option *option = request->option; option && option->name; option++) {
        const char *name = option->name;
        bool known = study->reference_scheme && carom_scheme_takes_option(study->reference_scheme, name);
        for (int k = 0; k < study->scheme_count; k++)
            known = known || carom_scheme_takes_option(study->scheme[k].scheme, name);
        if (!known)
            return carom_fail(error, CAROM_BAD_INPUT, "unknown option '%s': no scheme of this study has it",
                              name);
    }
    return CAROM_OK;
}

static carom_status find_schemes(active_study *active, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    carom_convergence *study = active->study;
    if (request->scheme_count < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "no scheme: give at least one");
    study->scheme = carom_arena_take(study->arena, (size_t)request->scheme_count, sizeof *study->scheme);
    if (!study->scheme)
        return carom_fail_memory(error);
    study->scheme_count = request->scheme_count;
    for (int i = 0; i < request->scheme_count; i++) {
        study->scheme[i].scheme = carom_scheme_find(request->scheme[i], error);
        if (!study->scheme[i].scheme)
            return CAROM_BAD_INPUT;
    }
    return CAROM_OK;
}

static carom_status find_reference_scheme(active_study *active, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    carom_convergence *study = active->study;
    if (request->reference == CAROM_REFERENCE_EXACT)
        return CAROM_OK;
    if (request->reference == CAROM_REFERENCE_EVENT_DRIVEN) {
        study->reference_scheme = carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS);
        return study->reference_scheme
                   ? CAROM_OK
                   : carom_fail(
                         error, CAROM_BAD_INPUT,
                         "there is no scheme that locates impacts to compare with; take a fine or an exact "
                         "reference");
    }
    study->reference_scheme = request->reference_scheme ? carom_scheme_find(request->reference_scheme, error)
                                                        : study->scheme[0].scheme;
    return study->reference_scheme ? CAROM_OK : CAROM_BAD_INPUT;
}

/* A fine reference: its step. */
static carom_status choose_reference_step(active_study *active, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    carom_convergence *study = active->study;
    study->reference_h = NAN;
    if (request->reference != CAROM_REFERENCE_FINE)
        return CAROM_OK;
    const double wanted = carom_given_time(request->reference_h), smallest = study->h[study->h_count - 1];
    if (!isnan(wanted) && !(wanted > 0.0 && wanted <= smallest))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "step of the reference = %.10g: must be > 0 and at most the smallest h = %.10g",
                          wanted, smallest);
    active->step = reference_step_choose(study->h_count, study->h, wanted);
    study->reference_h = active->step.h;
    return CAROM_OK;
}

/* One step tells whether the scheme takes the model with these parameters. */
static carom_status try_scheme(const active_study *active, const carom_scheme_ops *scheme, carom_error *error)
{
    carom_run_request run;
    carom_status status = study_request(active, scheme, active->study->h[0], active->arena, &run, error);
    if (status != CAROM_OK)
        return status;
    run.max_steps = 1;
    run.bare = true;
    carom_run_result result;
    status = carom_run(&run, &result, error);
    carom_run_result_free(&result);
    return status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY ? status : CAROM_OK;
}

static carom_status try_schemes(const active_study *active, carom_error *error)
{
    const carom_convergence *study = active->study;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < study->scheme_count; i++)
        status = try_scheme(active, study->scheme[i].scheme, error);
    if (status == CAROM_OK && study->reference_scheme)
        status = try_scheme(active, study->reference_scheme, error);
    return status;
}

static carom_status take_times(active_study *active, carom_error *error)
{
    carom_convergence *study = active->study;
    carom_run_request run;
    carom_status status =
        study_request(active, study->scheme[0].scheme, study->h[0], active->arena, &run, error);
    if (status != CAROM_OK)
        return status;
    status = carom_run_times(&run, &study->t0, &study->until, error);
    if (status == CAROM_OK && study->h[0] > (study->until - study->t0) * (1.0 + 1e-9))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "step size h = %.10g is longer than the whole motion, from t = %.10g to %.10g",
                          study->h[0], study->t0, study->until);
    return status;
}
/* ---- pieces of work ------------------------------------------------------------------------------- */

bool study_has_reference_per_step(const carom_convergence *study)
{
    return study->reference == CAROM_REFERENCE_EVENT_DRIVEN;
}

int study_pieces(const carom_convergence *study)
{
    return study_has_reference_per_step(study) ? study->h_count : study->h_count * study->scheme_count;
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static bool take_results(carom_convergence *study)
{
    for (int i = 0; i < study->scheme_count; i++) {
        carom_convergence_scheme *scheme = &study->scheme[i];
        scheme->run = carom_arena_take(study->arena, (size_t)study->h_count, sizeof *scheme->run);
        scheme->curve = carom_arena_take(study->arena, (size_t)study->curve_count, sizeof *scheme->curve);
        if (!scheme->run || !scheme->curve)
            return false;
        for (int k = 0; k < study->curve_count; k++)
            if (!error_curve_create(study->h_count, study->arena, &scheme->curve[k]))
                return false;
        /* What an interrupted study does not reach. */
        for (int k = 0; k < study->h_count; k++) {
            scheme->run[k].status = CAROM_INTERRUPTED;
            snprintf(scheme->run[k].word, sizeof scheme->run[k].word, "%s",
                     carom_status_word(CAROM_INTERRUPTED));
        }
    }
    return true;
}

/* One unless more are asked for: times of runs stand in the tables. */
static carom_status choose_threads(active_study *active, carom_error *error)
{
    const carom_convergence_request *request = active->request;
    active->finest_first = request->workers || request->threads > 1;
    return carom_work_threads(request->threads == 0 ? 1 : request->threads, study_pieces(active->study),
                              request->workers, &active->threads, error);
}

carom_status study_set_up(active_study *active, carom_error *error)
{
    carom_convergence *study = active->study;
    study->arena = carom_arena_create();
    active->arena = carom_arena_create();
    if (!study->arena || !active->arena)
        return carom_fail_memory(error);
    if (!active->request->experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing to run: give an experiment");
    study->reference = active->request->reference;
    study->curve_count = CAROM_CURVE_QUANTITY + active->request->quantity_count;
    carom_status status = take_steps(active, error);
    if (status == CAROM_OK)
        status = find_schemes(active, error);
    if (status == CAROM_OK)
        status = find_reference_scheme(active, error);
    if (status == CAROM_OK)
        status = check_options(active, error);
    if (status == CAROM_OK)
        status = compared_values_create(active->request, active->arena, &active->compared, error);
    if (status == CAROM_OK)
        status = take_times(active, error);
    if (status == CAROM_OK)
        status = choose_reference_step(active, error);
    if (status == CAROM_OK)
        status = try_schemes(active, error);
    if (status != CAROM_OK)
        return status;
    const bool taken =
        take_results(study) && reference_run_create(&active->compared, active->arena, &active->reference);
    return taken ? choose_threads(active, error) : carom_fail_memory(error);
}
/* ---- steps ------------------------------------------------------------------------------------------ */

double study_steps(const carom_convergence *study, double h)
{
    return ceil((study->until - study->t0) / h);
}

void study_count_steps(active_study *active)
{
    const carom_convergence *study = active->study;
    const bool each_time = study->reference == CAROM_REFERENCE_EVENT_DRIVEN;
    for (int i = 0; i < study->h_count; i++)
        active->steps_all += study_steps(study, study->h[i]) * (study->scheme_count + (each_time ? 1 : 0));
    if (study->reference == CAROM_REFERENCE_FINE)
        active->steps_all += study_steps(study, study->reference_h);
}
