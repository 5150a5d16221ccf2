/* The run loop with a scheme of the caller's own, which need not be registered. */
#ifndef CAROM_RUN_RUN_H
#define CAROM_RUN_RUN_H

#include "carom/run.h"

/* carom_run, but with this scheme; NULL: the request's or the experiment's, by name. */
carom_status run_with_scheme(const carom_run_request *request, const carom_scheme_ops *scheme,
                             carom_run_result *result, carom_error *error);

#endif
