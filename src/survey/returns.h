/* Inside of carom_returns, for the files that move it: returns.c, returns_beside.c. */
#ifndef CAROM_SURVEY_RETURNS_PARTS_H
#define CAROM_SURVEY_RETURNS_PARTS_H

#include "carom/run/stepping.h"
#include "carom/survey/returns.h"

enum {
    OPTIONS_MAX = 64
};

/* An impact of the section's contact. */
typedef struct crossing {
    double t;
    double *state; /* q, v after it */
} crossing;

typedef struct returns {
    carom_returns base;
    carom_returns_request request;
    carom_option option[OPTIONS_MAX + 2];
    carom_stop stop;
    int unasked; /* steps since it was asked whether to stop */
    carom_arena *arena;
    carom_model_work *work; /* for gaps and the period */
    carom_stepping *stepping;
    double t0;       /* of the experiment */
    long steps;      /* per period */
    double own_h;    /* of the experiment, or given; NAN: none was looked for */
    double *q0, *v0; /* the experiment's start */
    double *gap, *mass, *response;
    carom_contact_frame frame;
    unsigned char *regime; /* of schemes that do not locate impacts: before the step */
    /* at impacts: those that were found and not handed out yet */
    size_t crossings, handed, room;
    crossing *crossing;
    double *crossing_state;
    bool no_memory;
    bool begun; /* with a stepper that nobody has seen yet */
} returns;

/* INTERRUPTED: whoever waits wants it to stop; asked before steps, of which most do not ask. Schemes with steps of their own ask within
 * them. */
carom_status returns_ask(returns *self, carom_error *error);
/* What a step of the stepper, which ended with `status`, means: impacts are counted, and *end says whether it was the last. */
carom_status returns_after_step(returns *self, carom_status status, carom_return *end, carom_error *error);
/* After the steps of a period: the return. */
void returns_end_period(returns *self, carom_return *end);

#endif
