/* What --dry-run of a survey shows. */
#ifndef CAROM_APP_TRIAL_OUTPUT_H
#define CAROM_APP_TRIAL_OUTPUT_H

#include "command.h"

/* The most memory that the process had until now. */
typedef struct memory_before {
    double bytes;
} memory_before;
memory_before memory_now(void);

/* `threads` of each process; 0: one per core, or one per rank where there are several. */
void print_trial(const carom_survey_trial *trial, const memory_before *before, int threads, bool as_json);

#endif
