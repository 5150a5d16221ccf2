/* What a thread has that computes returns as pieces of work. */
#ifndef CAROM_SURVEY_RETURNS_ROOM_H
#define CAROM_SURVEY_RETURNS_ROOM_H

#include "carom/survey/returns.h"
#include "carom/survey/work.h"

typedef struct returns_room {
    carom_returns *returns;
    const carom_worker *worker; /* of the piece under way */
    double asked;               /* when it was last asked whether to go on */
} returns_room;

/* The returns of a thread, which ask their worker now and then; the room stays where it is. */
carom_status returns_room_open(returns_room *self, const carom_returns_request *request, carom_error *error);
/* Others beside them, where the scheme can step several; they ask the same. */
carom_status returns_room_widen(returns_room *self, const carom_returns_request *request,
                                carom_returns_beside *beside, carom_error *error);
void returns_room_close(returns_room *self);

/* INTERRUPTED in the words of a survey: "interrupted after 3 of 5 `what`". Other statuses stay. */
carom_status returns_interrupted(carom_status status, int finished, int units, const char *what,
                                 carom_error *error);

#endif
