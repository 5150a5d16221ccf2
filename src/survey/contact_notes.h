/* Are gaps and slips lengths and velocities of one unit? */
#ifndef CAROM_SURVEY_CONTACT_NOTES_H
#define CAROM_SURVEY_CONTACT_NOTES_H

#include "carom/survey.h"

/* Adds notes about contacts with friction. `start` is a row: t, q, v stand first. */
carom_status contact_notes_find(const carom_experiment *experiment, const double *start,
                                carom_model_check *found, carom_error *error);

#endif
