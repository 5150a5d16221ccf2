/* Pages of the commands other than run. argc and argv are the command's own, for the line that repeats it. */
#ifndef CAROM_APP_COMMAND_PAGES_H
#define CAROM_APP_COMMAND_PAGES_H

#include "app/converge_output.h"
#include "app/sweep_output.h"
#include "page.h"

carom_status page_of_sweep(const sweep_output *output, int argc, char **argv, const char *path,
                           carom_error *error);
carom_status page_of_convergence(const converge_output *output, int argc, char **argv, const char *path,
                                 carom_error *error);

#endif
