/* Lyapunov exponents of several motions: over the values of a parameter, from several starts. Part of room survey.
 *
 *   carom_exponents_request request = {.motion = {.experiment = experiment, .time = 2000}, .parameter = "w", .from = 2.3,
 *                                      .to = 3, .points = 141};
 *   carom_status status = carom_exponents_run(&request, &all, &error);
 *   ... carom_exponents_at(&all, 17, 0)->found.exponent[0]
 *   carom_exponents_free(&all);
 *
 * Every motion is a piece of work of its own, by any thread or process; the result is the same. */
#ifndef CAROM_SURVEY_EXPONENTS_H
#define CAROM_SURVEY_EXPONENTS_H

#include "carom/survey/lyapunov.h"
#include "carom/survey/work.h"

typedef struct carom_exponents_request {
    /* What motions have in common; its parameter, progress and checkpoint mean nothing here. Its scatter is that of the second start
     * and those that follow; 0: 0.1. Of several motions `points` 0 is one: no convergence. */
    carom_lyapunov_request motion;
    const char *parameter; /* that varies; NULL: none does */
    double from, to;
    int points;              /* values, ends included */
    int starts;              /* the first as it is given, the others scattered around it; 0: one */
    int threads;             /* 0: one per core */
    carom_progress progress; /* of the time of all motions; called by one thread at a time */
    double seconds;          /* between two checkpoints of a motion; 0: 5 */
    /* To go on with what was stopped: bytes of a motion, finished or under way, which replace those before. `recall` gives them back, for
     * free(); NULL: there are none. Both NULL: nothing is kept. */
    carom_status (*keep)(void *context, int index, const void *bytes, size_t count, carom_error *error);
    void *(*recall)(void *context, int index, size_t *count);
    void *keep_context;
    const carom_workers *workers; /* as in carom_sweep_request */
} carom_exponents_request;

/* One motion. */
typedef struct carom_exponents_point {
    bool done;
    double value; /* of the parameter; NAN: none varies */
    carom_status status;
    char message[240];    /* why it failed */
    carom_lyapunov found; /* of one that failed: as far as it came */
} carom_exponents_point;

typedef struct carom_exponents {
    carom_arena *arena; /* owns the points, which own what they found */
    int points, starts;
    carom_exponents_point *point; /* points x starts */
    int threads;
    double wall_seconds;
} carom_exponents;

/* A motion that fails is a point with its status. BAD_INPUT: something asked for is wrong, found at the first motion.
 * INTERRUPTED: what was done until then is there, of motions under way, too. The caller frees the result in every case. */
carom_status carom_exponents_run(const carom_exponents_request *request, carom_exponents *all,
                                 carom_error *error);
void carom_exponents_free(carom_exponents *all);

static inline carom_exponents_point *carom_exponents_at(const carom_exponents *all, int value, int start)
{
    return &all->point[(ptrdiff_t)value * all->starts + start];
}

#endif
