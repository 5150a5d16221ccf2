/* The certificate of a run: watches its outputs, and says at the end what they are worth. */
#ifndef CAROM_RUN_CERTIFICATE_H
#define CAROM_RUN_CERTIFICATE_H

#include "carom/run.h"

typedef struct certifier certifier;

/* Memory from the arena; NULL when it is short. The model's work must outlive it. */
certifier *certifier_create(carom_arena *arena, carom_model_work *work, const carom_row_layout *layout);

/* The first output. Returns false if allocation fails. */
bool certifier_start(certifier *self, const double *row);

/* One step from the output `before` to the output `row`. True: all contacts are open after it, and were before. */
bool certifier_step(certifier *self, const carom_stepper *stepper, const double *before, const double *row);

/* What it remembers, for a run that goes on later. */
void certifier_keep(certifier *self, carom_snapshot *snapshot);

/* The certificate of what was watched, with the result's warnings and its end. The stepper may be NULL. */
void certifier_finish(certifier *self, carom_stepper *stepper, const carom_run_result *result,
                      carom_certificate *certificate);

#endif
