/* make_report MODEL.lua PAGE.html WORD...: the page of a run, made with the library alone; the words are the command that
 * repeats it. For tests that compare it with the program's page. */
#include <stdio.h>

#include "carom/carom.h"
#include "carom/io/report.h"

static carom_status make(carom_experiment *experiment, const char *path, const char *const *words,
                         carom_error *error)
{
    carom_series series = {.layout = carom_row_layout_of(experiment)};
    carom_push_series pushes = {0};
    carom_run_result result = {0};
    const carom_recorder recorder[] = {carom_series_recorder(&series), carom_push_series_recorder(&pushes)};
    const carom_run_request request = {.experiment = experiment,
                                       .recorder_count = 2,
                                       .recorder = recorder,
                                       .events = true,
                                       .event_points = true};
    carom_status status = carom_run(&request, &result, error);
    if (status == CAROM_OK)
        status = carom_report_run(&(carom_report_source){.experiment = experiment,
                                                         .result = &result,
                                                         .series = &series,
                                                         .pushes = &pushes,
                                                         .command = words},
                                  path, error);
    carom_run_result_free(&result);
    carom_push_series_free(&pushes);
    carom_series_free(&series);
    return status;
}

int main(int argc, char **argv)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (argc < 3)
        return 2;
    carom_status status = carom_experiment_load(&(carom_load_request){.file = argv[1]}, &experiment, &error);
    if (status == CAROM_OK)
        status = make(experiment, argv[2], (const char *const *)argv + 3, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "make_report: %s\n", error.text);
    carom_experiment_free(experiment);
    return status != CAROM_OK;
}
