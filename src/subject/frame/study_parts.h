/* What limit_load and frame_limit share. */
#ifndef CAROM_SUBJECT_FRAME_STUDY_PARTS_H
#define CAROM_SUBJECT_FRAME_STUDY_PARTS_H

#include <math.h>

#include "carom/run/study.h"
#include "carom/subject/frame.h"

enum {
    LIMIT_ROWS_MOST = 500,
    LIMIT_PROGRAMS_MOST = 100000
};

/* clang-format off */
#define LIMIT_INPUTS                                                                                                  \
    {"programs", CAROM_STUDY_WHOLE, NULL, "most linear programs; 0: as many as usual", .value = 0.0,                  \
     .min = 0, .max = LIMIT_PROGRAMS_MOST},                                                                           \
    {"tolerance", CAROM_STUDY_NUMBER, NULL, "relative change of alpha and N at which programs end", .value = 1e-10}
/* clang-format on */

extern const carom_study_output limit_outputs[];

/* Number of entries of a list of rows; fails in the call unless there are 1 to LIMIT_ROWS_MOST. */
int limit_length(carom_study_call *call, const char *key, const char *form);
/* A number of an entry that must be there, in a message about `owner` number k + 1. */
double limit_needed(carom_study_call *call, const carom_data *entry, const char *owner, int k,
                    const char *key);
/* A number that counts from 1, as a place that counts from 0. */
int limit_place(carom_study_call *call, const char *what, double number);
/* Fails for names of the entry other than those known (NULL at the end). */
void limit_check_names(carom_study_call *call, const carom_data *entry, const char *owner,
                       const char *const *known);

/* The load factor and all outputs. */
carom_status limit_analyse(carom_study_call *call, const carom_limit_problem *problem);

#endif
