/* What a run file says about the model and its runs; used by the writer. All are false when HDF5 fails. */
#ifndef CAROM_IO_RUN_FILE_RUN_FILE_CONTENT_H
#define CAROM_IO_RUN_FILE_RUN_FILE_CONTENT_H

#include "run_file_parts.h"

/* Version, name, file, variant and the model's text. */
bool run_file_put_head(hid_t file, const carom_experiment *experiment);

/* Creates the group "main" (member < 0), or "family/3" with "family" when it is the first; < 0 on failure. */
hid_t run_file_create_run(hid_t file, int member);

/* What is known of a run before it starts; the rest is NaN or empty until it ends. */
bool run_file_put_run_head(hid_t run);
bool run_file_put_parameters(hid_t run, const carom_experiment *experiment, const double *parameter);

/* Creates the datasets of the rows, empty, with names. Parts of zero width keep their dataset of -1. */
bool run_file_create_series(hid_t run, const carom_experiment *experiment,
                            const run_file_part part[RUN_FILE_PARTS], size_t chunk_rows, bool compressed,
                            hid_t dataset[RUN_FILE_PARTS]);

/* The certificate, and the events where there are some: run_file_trust.c. */
bool run_file_put_certificate(hid_t run, const carom_model *model, const carom_certificate *certificate);
bool run_file_put_events(hid_t run, const carom_model *model, const carom_run_result *result);

/* Derivatives, where there are some: run_file_sensitivity.c. The group of a name, number `index` of them, which is made when it
 * is not there; < 0 on failure. */
hid_t run_file_sensitivity_group(hid_t run, const char *name, int index);
bool run_file_put_sensitivity(hid_t run, const carom_experiment *experiment, const carom_run_result *result);

/* Measures, certificate, events and how the run ended. */
bool run_file_put_run_tail(hid_t run, const carom_experiment *experiment, const carom_run_result *result);

#endif
