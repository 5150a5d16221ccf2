/* What a bifurcation diagram or a basin will take, from a few motions that are timed: in the middle of equal parts of their
 * ranges, one after the other. */
#include <math.h>
#include <stdlib.h>

#include "carom/survey.h"
#include "carom/survey/basin.h"
#include "carom/survey/diagram.h"
#include "values.h"

enum {
    VALUES = 5,     /* of a diagram */
    CELLS = 9,      /* of a basin with one axis, */
    CELLS_EACH = 3, /* or along each of two */
};

static void describe(carom_survey_trial *trial, int samples, int failed, const char *what, double seconds)
{
    carom_format(trial->what, sizeof trial->what, "mean of %d %s", samples, what);
    carom_format(trial->word, sizeof trial->word, "%s",
                 carom_status_word(failed == samples ? CAROM_FAILED : CAROM_OK));
    trial->status = failed == samples ? CAROM_FAILED : CAROM_OK;
    trial->seconds = seconds / samples;
    trial->all_seconds = trial->seconds * (double)trial->runs;
}

/* ---- diagrams ------------------------------------------------------------------------------------------- */

/* Where there are fewer values, all of them. */
static double value_of_sample(const carom_diagram_request *request, int sample, int samples)
{
    const int place = (int)floor((sample + 0.5) / samples * request->points);
    return survey_value(request->from, request->to, request->points, place);
}

carom_status carom_diagram_try(const carom_diagram_request *request, carom_survey_trial *trial,
                               carom_error *error)
{
    const int samples = request->points < VALUES ? request->points : VALUES;
    const int courses =
        (request->start_count > 0 ? request->start_count : 1) * (request->up && request->down ? 2 : 1);
    int failed = 0;
    double seconds = 0.0;
    size_t bytes = 0;
    *trial = (carom_survey_trial){.runs = (long)request->points * courses};
    carom_diagram_request one = *request;
    one.points = 1;
    one.threads = 1;
    one.up = one.down = false;
    one.start_count = request->start_count > 0 ? 1 : 0;
    one.workers = NULL;
    one.recall = NULL;
    one.keep = NULL;
    carom_status status =
        samples < 1 ? carom_fail(error, CAROM_BAD_INPUT, "%d points: 1 or more", request->points) : CAROM_OK;
    if (status == CAROM_OK && request->returns.experiment && request->parameter)
        status = survey_check_values(request->returns.experiment, request->parameter, request->from,
                                     request->to, 2, error);
    for (int i = 0; status == CAROM_OK && i < samples; i++) {
        carom_diagram diagram = {0};
        one.from = one.to = value_of_sample(request, i, samples);
        status = carom_diagram_run(&one, &diagram, error);
        if (status == CAROM_OK) {
            const size_t width = (size_t)(diagram.positions + diagram.dof) + 1;
            seconds += diagram.wall_seconds;
            failed += diagram.point->end == CAROM_RETURN_FAILED;
            bytes =
                sizeof *diagram.point + (size_t)diagram.point->room * (width * sizeof(double) + sizeof(int));
        }
        carom_diagram_free(&diagram);
    }
    if (status != CAROM_OK)
        return status;
    trial->pieces = request->restart ? trial->runs : courses;
    trial->result_bytes = carom_product((size_t)trial->runs, bytes);
    describe(trial, samples, failed, samples == 1 ? "value" : "values", seconds);
    return CAROM_OK;
}

/* ---- basins ------------------------------------------------------------------------------------------------ */

/* The middles of equal parts; of a parameter of whole numbers its two ends. */
static carom_status thin_out(const carom_experiment *experiment, int samples, carom_basin_axis *axis,
                             carom_error *error)
{
    const carom_model *model = experiment->model;
    const double inset = 0.5 * (axis->to - axis->from) / samples;
    const bool parameter =
        axis->kind == CAROM_BASIN_PARAMETER && axis->index >= 0 && axis->index < model->parameters;
    axis->count = samples;
    if (parameter) {
        const carom_status status = survey_check_values(experiment, model->parameter[axis->index].name,
                                                        axis->from, axis->to, 2, error);
        if (status != CAROM_OK)
            return status;
        if (model->parameter[axis->index].integer) {
            axis->count = 2;
            return CAROM_OK;
        }
    }
    axis->from += inset;
    axis->to -= inset;
    return CAROM_OK;
}

/* A row of cells is a piece of work, of a long one a part. */
static long pieces_of(const carom_basin_request *request, long cells)
{
    const int last = request->axis[request->axis_count - 1].count;
    const long block = request->axis_count == 2 && last < CAROM_BASIN_BLOCK ? last : CAROM_BASIN_BLOCK;
    return (cells + block - 1) / block;
}

carom_status carom_basin_try(const carom_basin_request *request, carom_survey_trial *trial,
                             carom_error *error)
{
    carom_basin_request few = *request;
    carom_basin basin = {0};
    carom_status status = CAROM_OK;
    *trial = (carom_survey_trial){.runs = 1};
    for (int i = 0; status == CAROM_OK && i < request->axis_count && i < CAROM_BASIN_AXES_MAX; i++) {
        trial->runs *= request->axis[i].count;
        if (request->returns.experiment)
            status = thin_out(request->returns.experiment, request->axis_count == 1 ? CELLS : CELLS_EACH,
                              &few.axis[i], error);
    }
    few.threads = 1;
    few.workers = NULL;
    few.recall = NULL;
    few.keep = NULL;
    if (status == CAROM_OK)
        status = carom_basin_run(&few, &basin, error);
    if (status == CAROM_OK) {
        const size_t cell = sizeof *basin.cell + (size_t)basin.state * sizeof(double);
        trial->pieces = pieces_of(request, trial->runs);
        trial->result_bytes = carom_product((size_t)trial->runs, cell);
        describe(trial, basin.cells, basin.ends[CAROM_BASIN_FAILED], "cells", basin.wall_seconds);
    }
    carom_basin_free(&basin);
    return status;
}
