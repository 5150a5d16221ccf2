/* The report page of a run: animation, plots, certificate, measures, events, model, as one HTML file. Part of room io.
 *
 *   carom_report_source source = {.experiment = experiment, .result = &result, .series = &series};
 *   status = carom_report_run(&source, "ball.html", &error);
 *
 * It is the page of `carom run --report` where the request of the run asks for what that shows: a recorder of a series, one of
 * pushes (where bodies touch), .events and .event_points. What is not there is left out of the page. */
#ifndef CAROM_IO_REPORT_H
#define CAROM_IO_REPORT_H

#include "carom/io.h"
#include "carom/run/curves.h"

/* What is left zero has its default. */
typedef struct carom_report_source {
    const carom_experiment *experiment;
    const double *parameter;        /* of the run; NULL: the experiment's current values */
    const carom_run_result *result; /* what the run found, or */
    const carom_run_member *stored; /* what a run file holds of it: run->main of carom_run_file_read */
    const carom_series *series; /* its rows; NULL: those that are stored, else nothing moves on the page */
    const carom_push_series *pushes; /* where bodies touched; NULL: not known */
    carom_curve_family family;       /* runs beside it that plots show */
    const char *title;               /* NULL: the experiment's */
    const char *const
        *command; /* words of the command that repeats it, ending with NULL; NULL: there is none */
} carom_report_source;

/* Can pages be made? False: this library was built without npm; carom_page_can_be_made (carom/io/page.h) has the words. */
bool carom_report_available(void);

/* Writes the page, whole or not at all. The experiment's studies must have been computed where a run file is shown
 * (carom_experiment_compute). BAD_INPUT: pages cannot be made, the path cannot be written, nothing was run. */
carom_status carom_report_run(const carom_report_source *source, const char *path, carom_error *error);
/* The same page in memory, appended to the text, which the caller frees; it is UTF-8 and some hundred kilobytes at least. */
carom_status carom_report_run_text(const carom_report_source *source, carom_text *page, carom_error *error);

#endif
