/* The page of a run, from what it left in memory or in a run file. */
#include "carom/io/report.h"

#include <stdlib.h>

#include "page_parts.h"

bool carom_report_available(void)
{
    return carom_page_can_be_made(NULL) == CAROM_OK;
}

static carom_status check(const carom_report_source *source, carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    if (!experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "a report needs an experiment; .experiment is NULL");
    if (!source->result == !source->stored)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a report needs the result of a run or what a run file holds of it, one of both; "
                          ".result and .stored are %s",
                          source->result ? "both given" : "NULL");
    if (source->result && !experiment->study && !source->result->scheme)
        return carom_fail(error, CAROM_BAD_INPUT, "a report needs a run; this result is of none%s%s",
                          source->result->message[0] ? ": " : "", source->result->message);
    return carom_page_can_be_made(error);
}

/* What the plots show. */
static carom_curve_source curves_of(const carom_report_source *source)
{
    const carom_run_result *result = source->result;
    const carom_run_member *stored = source->stored;
    const carom_experiment *experiment = source->experiment;
    return (carom_curve_source){
        .experiment = experiment,
        .parameter = source->parameter ? source->parameter : experiment->parameter,
        .values = result ? result->values : NULL,
        .results = result ? result->results : NULL,
        .series = source->series ? source->series
                  : stored       ? &stored->series
                                 : NULL,
        .points = result ? &result->points : &stored->points,
        .family = source->family,
    };
}

static carom_status write_parts(carom_page *page, const carom_report_source *source,
                                const carom_curve_source *curves, carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    carom_status status =
        carom_page_begin(page, "run", source->title, experiment, curves->parameter, source->command, error);
    if (status != CAROM_OK)
        return status;
    if (source->result)
        page_run_facts(page, experiment, source->result);
    else
        page_stored_facts(page, experiment, source->stored);
    status = carom_page_motion(page, experiment, curves->parameter, curves->values, curves->series,
                               source->pushes, error);
    return status == CAROM_OK ? page_figures(page, curves, error) : status;
}

static carom_status make(carom_page *page, const carom_report_source *source, carom_error *error)
{
    carom_status status = check(source, error);
    if (status != CAROM_OK)
        return status;
    carom_curve_source curves = curves_of(source);
    double *values = curves.values ? NULL : carom_experiment_values(source->experiment, curves.parameter);
    if (!curves.values)
        curves.values = values;
    status = curves.values ? write_parts(page, source, &curves, error) : carom_fail_memory(error);
    free(values);
    return status;
}

carom_status carom_report_run(const carom_report_source *source, const char *path, carom_error *error)
{
    carom_page page = {0};
    return carom_page_end(&page, make(&page, source, error), path, error);
}

carom_status carom_report_run_text(const carom_report_source *source, carom_text *page, carom_error *error)
{
    carom_page made = {0};
    return carom_page_end_text(&made, make(&made, source, error), page, error);
}
