/* An order study under way, between converge_study.c, which checks and sets it up, and converge.c, which runs it. */
#ifndef CAROM_SURVEY_CONVERGE_STUDY_H
#define CAROM_SURVEY_CONVERGE_STUDY_H

#include "converge_reference.h"

typedef struct active_study {
    const carom_convergence_request *request;
    carom_convergence *study;
    carom_arena *arena;
    compared_values compared;
    reference_run reference; /* a fine one */
    reference_step step;     /* of that */
    int threads;
    bool *done;        /* per scheme and h: an earlier process has made that run */
    bool finest_first; /* the longest runs, so that nobody waits for them in the end */
    double steps_before, steps_now,
        steps_all; /* progress over all runs; now: of the one under way, where there is one at a time */
} active_study;

/* Checks the request and takes all memory; the study and both arenas are to be freed in every case. */
carom_status study_set_up(active_study *active, carom_error *error);
/* A run of the study, with the options that its scheme knows in the arena. */
carom_status study_request(const active_study *active, const carom_scheme_ops *scheme, double h,
                           carom_arena *arena, carom_run_request *run, carom_error *error);
/* A reference for every h, with the same steps; otherwise there is one for all, or none. */
bool study_has_reference_per_step(const carom_convergence *study);
/* Pieces of work: runs, or steps where each has a reference. */
int study_pieces(const carom_convergence *study);
double study_steps(const carom_convergence *study, double h);
/* Fills steps_all. */
void study_count_steps(active_study *active);

#endif
