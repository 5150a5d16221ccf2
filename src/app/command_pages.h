/* Pages of the commands other than run. argc and argv are the command's own, for the line that repeats it. */
#ifndef CAROM_APP_COMMAND_PAGES_H
#define CAROM_APP_COMMAND_PAGES_H

#include "bench_output.h"
#include "converge_output.h"
#include "fit_output.h"
#include "impact_output.h"
#include "orbit_output.h"
#include "page.h"
#include "solve_output.h"
#include "sweep_output.h"

carom_status page_of_sweep(const sweep_output *output, int argc, char **argv, const char *path,
                           carom_error *error);
carom_status page_of_convergence(const converge_output *output, int argc, char **argv, const char *path,
                                 carom_error *error);
carom_status page_of_fit(const fit_output *output, int argc, char **argv, const char *path,
                         carom_error *error);
carom_status page_of_orbit(const carom_experiment *experiment, const orbit_output *output, int argc,
                           char **argv, const char *path, carom_error *error);
carom_status page_of_branch(const carom_experiment *experiment, const branch_output *output, int argc,
                            char **argv, const char *path, carom_error *error);
carom_status page_of_modes(const carom_experiment *experiment, const carom_mode_survey *survey, int argc,
                           char **argv, const char *path, carom_error *error);
carom_status page_of_bench(const bench_output *output, int argc, char **argv, const char *path,
                           carom_error *error);

carom_status page_of_impact(const impact_output *output, int argc, char **argv, const char *path,
                            carom_error *error);

/* Problems are solved one by one: the page is begun, each is added while its data are there, and the page is written. */
carom_status page_begin_solve(carom_page *self, int argc, char **argv, carom_error *error);
carom_status page_add_solved(carom_page *self, const solve_picture *picture, carom_error *error);
carom_status page_end_solve(carom_page *self, const solve_output *output, const char *path,
                            carom_error *error);

#endif
