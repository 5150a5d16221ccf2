/* A course: runs of one scheme with smaller and smaller steps, and what they say about the errors of the last one. */
#ifndef CAROM_SURVEY_ACCURACY_COURSE_H
#define CAROM_SURVEY_ACCURACY_COURSE_H

#include "steps.h"
#include "subjects.h"

typedef struct accuracy_course {
    const accuracy_subjects *subjects;
    carom_accuracy *found; /* has the list of what was tried */
    carom_run_request run;
    const carom_scheme_ops *scheme;
    accuracy_steps steps;
    bool has_tolerances;  /* of an integrator, the options rtol and atol: h is the output interval */
    double rtol, atol;    /* in use */
    carom_option *option; /* those of the request that the scheme knows, rtol and atol, zeno; ends with {0} */
    int count;            /* runs that came to their end */
    double h[CAROM_ACCURACY_TRIED_MOST];
    accuracy_reading reading[CAROM_ACCURACY_TRIED_MOST];
    bool has_tighter;
    accuracy_reading tighter; /* the first step with a tenth of the tolerances */
    carom_run_result result;  /* of the last run that came to its end, or failed where none did */
    carom_error failure;      /* of the last run that did not; "": none */
} accuracy_course;

/* What is known of one number of the last run. */
typedef struct accuracy_estimate {
    double error;                 /* bound; NAN: not known */
    double order;                 /* in h; NAN: the step does not matter, or is not known to */
    bool wants_more;              /* finer steps may tell */
    char why[CAROM_ACCURACY_WHY]; /* error NAN: the reason */
} accuracy_estimate;

/* Options of the run that the scheme does not know are left out. */
carom_status accuracy_course_create(const carom_accuracy_request *request, const carom_scheme_ops *scheme,
                                    const accuracy_subjects *subjects, const accuracy_steps *steps,
                                    carom_accuracy *found, accuracy_course *course, carom_error *error);
void accuracy_course_free(accuracy_course *course);

/* Runs once more with a step that is smaller by the factor. Sets *ended if the run came to its end; the failure of a run that
 * did not is kept and is no error of the call. */
carom_status accuracy_course_go(accuracy_course *course, double factor, bool *ended, carom_error *error);
/* The first runs: one of a scheme with steps, of one with tolerances those that show their effect and that of h. */
carom_status accuracy_course_start(accuracy_course *course, bool *ended, carom_error *error);
/* Begins again with tolerances smaller by 100, or says that they cannot be. */
bool accuracy_course_tighten(accuracy_course *course);

static inline const accuracy_reading *accuracy_course_last(const accuracy_course *course)
{
    return &course->reading[course->count - 1];
}
/* Smallest difference that is not rounding. */
double accuracy_rounding(const accuracy_reading *reading, int subject, int entry);
accuracy_estimate accuracy_course_estimate(const accuracy_course *course, int subject, int entry);
/* Part of the error that smaller steps do not change; 0: none. */
double accuracy_course_floor(const accuracy_course *course, int subject, int entry);

#endif
