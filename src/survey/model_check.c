/* Is a model what was meant? Its start, its derivatives, its frequencies, its masses. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/bodies.h"
#include "carom/model/scales.h"
#include "carom/survey.h"
#include "contact_notes.h"

/* Exact derivatives agree with finite differences to rounding; this leaves room for badly scaled models. */
static const double TOLERANCE = 1e-6;

static void keep_worst(carom_derivative_report *worst, const carom_derivative_report *report)
{
    worst->momentum = fmax(worst->momentum, report->momentum);
    worst->mass = fmax(worst->mass, report->mass);
    worst->inertia = fmax(worst->inertia, report->inertia);
    worst->potential = fmax(worst->potential, report->potential);
    worst->gap = fmax(worst->gap, report->gap);
    worst->slip = fmax(worst->slip, report->slip);
    worst->force = fmax(worst->force, report->force);
}

/* Of the model at its start, a row: t, q, v. */
static carom_status find_scales(const carom_experiment *experiment, const double *start, carom_scales *scales,
                                carom_error *error)
{
    const int n = experiment->model->dof;
    carom_model_work *work = NULL;
    carom_status status = carom_model_work_create(experiment->model, experiment->parameter, &work, error);
    if (status == CAROM_OK)
        status = carom_model_scales(work, start[0], start + 1, start + 1 + n, 1.0, scales, error);
    carom_model_work_free(work);
    return status;
}

/* The start and points around it, each disturbed by up to a tenth of its size, at least of the model's. The expressions are in the units
 * of the file. */
static carom_status check_points(const carom_experiment *experiment, const double *start, double *point,
                                 carom_derivative_report *worst, carom_error *error)
{
    const int n = experiment->model->dof;
    const bool in_units = carom_units_are_given(&experiment->units);
    const carom_unit_factors by =
        carom_unit_factors_of(in_units ? &experiment->units : &(carom_units){1.0, 1.0, 1.0});
    carom_random random = {1};
    carom_scales scales;
    carom_status status = find_scales(experiment, start, &scales, error);
    if (status != CAROM_OK)
        return status;
    for (int p = 0; p < CAROM_CHECK_POINTS; p++) {
        for (int i = 0; i < 1 + 2 * n; i++) {
            const double own = i == 0 ? scales.time : i <= n ? scales.length : carom_scales_speed(&scales);
            const double size = fmax(fabs(start[i]), own);
            const double factor = i == 0 ? by.time : i <= n ? by.length : by.velocity;
            point[i] = start[i] + (p == 0 ? 0.0 : 0.1 * size * carom_random_uniform(&random, -1.0, 1.0));
            point[i] /= factor;
        }
        carom_derivative_report report;
        status = carom_traced_check(&experiment->spec, experiment->parameter, point[0], point + 1,
                                    point + 1 + n, &report, error);
        if (status != CAROM_OK)
            return status;
        if (p == 0 && !isfinite(carom_derivative_report_worst(&report)))
            continue; /* a start on a kink (|x| at 0) has no derivative; the other points tell */
        keep_worst(worst, &report);
    }
    return CAROM_OK;
}

/* `start` is a row: t, q, v stand first. */
static carom_status check_derivatives(const carom_experiment *experiment, const double *start,
                                      carom_model_check *found, carom_error *error)
{
    double *point = carom_new_array(1 + 2 * (size_t)experiment->model->dof, sizeof *point);
    if (!point)
        return carom_fail_memory(error);
    const carom_status status = check_points(experiment, start, point, &found->derivatives, error);
    free(point);
    found->worst = carom_derivative_report_worst(&found->derivatives);
    found->good = status == CAROM_OK && found->worst <= TOLERANCE;
    return status;
}

static carom_status take_frequencies(const carom_model *model, carom_model_work *work,
                                     carom_model_check *found, carom_error *error)
{
    const carom_structure *structure = model->ops->structure(work);
    carom_status status = CAROM_OK;
    found->band_width = structure->mass.width;
    found->constrained = structure->rows;
    for (int i = 1; status == CAROM_OK && i <= CAROM_CHECK_MODES; i++) {
        const int index = i < CAROM_CHECK_MODES ? i : model->dof; /* and the highest one */
        if (i < CAROM_CHECK_MODES && i > model->dof)
            continue;
        status = carom_structure_frequency(structure, index, &found->frequency[found->modes], error);
        if (status == CAROM_OK)
            found->mode[found->modes++] = index;
    }
    return status;
}

static void count_bodies(carom_model_work *work, carom_model_check *found)
{
    const carom_bodies *bodies = carom_model_bodies(work);
    int count[3] = {0};
    for (int i = 0; i < bodies->count; i++) {
        count[bodies->body[i].kind]++;
        found->mass += bodies->body[i].mass;
    }
    found->free_bodies = count[CAROM_BODY_FREE];
    found->fixed_bodies = count[CAROM_BODY_FIXED];
    found->driven_bodies = count[CAROM_BODY_DRIVEN];
    found->coordinates_beside = bodies->linked.coordinates;
    found->linked = bodies->linked.count;
}

/* What has no expressions to differentiate. */
static carom_status look_at_parts(const carom_experiment *experiment, carom_model_check *found,
                                  carom_error *error)
{
    const carom_model *model = experiment->model;
    carom_model_work *work = model->ops->work_create(model);
    if (!work)
        return carom_fail_memory(error);
    model->ops->bind(work, experiment->parameter);
    carom_status status = CAROM_OK;
    if (found->kind == CAROM_CHECK_STRUCTURE)
        status = take_frequencies(model, work, found, error);
    else
        count_bodies(work, found);
    model->ops->work_free(work);
    found->good = status == CAROM_OK;
    return status;
}

static carom_model_check_kind kind_of(const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    if (experiment->study)
        return CAROM_CHECK_STUDY;
    if (carom_experiment_start_waits(experiment))
        return CAROM_CHECK_WAITS;
    if (model->ops->structure)
        return CAROM_CHECK_STRUCTURE;
    return model->has_bodies ? CAROM_CHECK_BODIES : CAROM_CHECK_DERIVATIVES;
}

carom_status carom_check_model(const carom_experiment *experiment, carom_model_check *found,
                               carom_error *error)
{
    *found = (carom_model_check){.kind = kind_of(experiment), .good = true};
    if (found->kind == CAROM_CHECK_STUDY || found->kind == CAROM_CHECK_WAITS)
        return CAROM_OK;
    found->good = false;
    /* The start of a run finds what a model gets wrong there: mass, gaps, NaN, what the scheme refuses. */
    const carom_run_request request = {
        .experiment = experiment, .h = NAN, .until = NAN, .only_start = true, .no_studies = true};
    carom_run_result start = {0};
    carom_status status = carom_run(&request, &start, error);
    if (status == CAROM_OK) {
        found->scheme = start.scheme;
        status = found->kind == CAROM_CHECK_DERIVATIVES
                     ? check_derivatives(experiment, start.initial, found, error)
                     : look_at_parts(experiment, found, error);
        if (status == CAROM_OK && found->kind == CAROM_CHECK_DERIVATIVES)
            status = contact_notes_find(experiment, start.initial, found, error);
    }
    carom_run_result_free(&start);
    return status;
}
