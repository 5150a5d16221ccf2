/* What an accuracy is asked of: the measures of an experiment or, where there are none, the state at the end; and one run as
 * their values. */
#ifndef CAROM_SURVEY_ACCURACY_SUBJECTS_H
#define CAROM_SURVEY_ACCURACY_SUBJECTS_H

#include "carom/survey/accuracy.h"

typedef struct accuracy_subject {
    char *name;
    int measure; /* -1: the number at `place` of the last row */
    int place;
    bool is_array, is_count;
    double asked; /* relative; NAN: nothing */
    double unit;  /* size of its unit where no column has it: the time of the run, or 1; 0: columns have it */
    int place_count; /* of the numbers in a row whose largest value is the size of its unit */
    const int *row;
} accuracy_subject;

typedef struct accuracy_subjects {
    carom_arena *arena;
    bool of_state;
    int count;
    accuracy_subject *subject;
} accuracy_subjects;

/* One run. */
typedef struct accuracy_reading {
    double h;
    long steps;
    double accumulation;      /* time at which impacts accumulate; 0: none */
    carom_measured *measured; /* per subject */
    double *scale;            /* per subject: size of its unit */
} accuracy_reading;

/* Takes the wishes apart. Layout and duration are those of the runs to come. */
carom_status accuracy_subjects_create(const carom_accuracy_request *request, const carom_row_layout *layout,
                                      double duration, carom_arena *arena, accuracy_subjects *subjects,
                                      carom_error *error);
/* Collects the largest values of the rows of a run into reading->scale, which the call allocates. */
carom_status accuracy_reading_begin(const accuracy_subjects *subjects, accuracy_reading *reading,
                                    carom_recorder *recorder, carom_error *error);
/* Copies the values of a run that ended. */
carom_status accuracy_reading_end(const accuracy_subjects *subjects, const carom_run_result *result,
                                  accuracy_reading *reading, carom_error *error);
/* Value of an entry; NAN: there is none. */
static inline double accuracy_value(const accuracy_reading *reading, int subject, int entry)
{
    const carom_measured *measured = &reading->measured[subject];
    return entry < measured->count ? measured->value[entry] : NAN;
}

#endif
