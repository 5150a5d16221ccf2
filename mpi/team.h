/* The threads of one rank that compute, and what lies between them and the thread that speaks MPI:
 *
 *   letters -> team_add -> [queue] -> threads: compute -> [answers] -> team_collect -> letters
 *
 * Only one thread of a rank may call MPI; it sleeps while there is nothing to say, so that the others have the cores. */
#ifndef CAROM_MPI_TEAM_H
#define CAROM_MPI_TEAM_H

#include <pthread.h>

#include "carom/survey/work.h"

typedef struct team_answer {
    struct team_answer *next;
    int piece;
    bool ends; /* the piece is done; this is no answer */
    carom_snapshot bytes;
} team_answer;

typedef struct team_piece team_piece;

typedef struct team {
    const carom_work *work;
    pthread_mutex_t lock;
    pthread_cond_t has_pieces, has_news;
    team_piece *first, *last; /* waiting */
    int held;                 /* pieces that wait or are computed */
    team_answer *answer;      /* the newest first */
    bool closed, stopped;
    carom_status status; /* of the first piece that failed */
    carom_error error;
    double seconds; /* of all pieces that were computed */
    long computed;
} team;

void team_open(team *self, const carom_work *work);
/* After all threads have returned from team_work. */
void team_free(team *self);

/* What a thread of the team does until the team is closed. */
void team_work(team *self);
/* One piece by the caller, who has no other thread; false: there is none. */
bool team_compute_next(team *self);

/* By the thread that speaks. */
carom_status team_add(team *self, int piece, const void *brief, size_t count, carom_error *error);
team_answer *team_collect(team *self); /* in the order in which they came; the caller frees them */
void team_answers_free(team_answer *first);
/* For an answer while no piece waits; at most a tenth of the time for which pieces wait, and some milliseconds. */
void team_wait(team *self);
int team_held(team *self);
/* How many pieces should be added: one for each thread and as many as are computed while letters are on their way. */
int team_wants(team *self);
carom_status team_failure(team *self, carom_error *error); /* OK: none */
void team_stop(team *self);                                /* nobody waits for what is computed or queued */
void team_close(team *self);

#endif
