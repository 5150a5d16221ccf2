/* The course of a fit: its starts and where they end. */
#ifndef CAROM_SURVEY_FIT_COURSE_H
#define CAROM_SURVEY_FIT_COURSE_H

#include "fit.h"

/* Where a start ended. */
typedef struct finish {
    fit_minimum at;
    int iterations;
    carom_status status;
    carom_error error;
} finish;

typedef struct course {
    fit_problem problem;
    carom_fit *fit;
    fit_loss loss;
    int starts, best;
    finish *end; /* per start */
} course;

static inline int fit_stages(const course *self)
{
    return self->problem.request->stages > 0 ? self->problem.request->stages : 1;
}

/* fit.c: memory of where a start ends; a start, in stages. */
bool fit_take_finish(const fit_problem *problem, carom_arena *arena, finish *end);
void fit_search_from(course *self, int threads, int stages, finish *end);
/* starts.c: a start that was not reached when it was interrupted has no misfit. */
void fit_skip_start(finish *end);
/* All starts by several processes. */
carom_status fit_share_starts(course *self, carom_error *error);

#endif
