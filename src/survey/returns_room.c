#include "returns_room.h"

/* Seconds between two questions of long steps. */
static const double ask_every = 0.05;

static bool asks_to_stop(void *context)
{
    returns_room *self = context;
    const double now = carom_seconds();
    if (!self->worker || now - self->asked < ask_every)
        return false;
    self->asked = now;
    return !self->worker->goes_on(self->worker);
}

carom_status returns_room_open(returns_room *self, const carom_returns_request *request, carom_error *error)
{
    *self = (returns_room){.asked = carom_seconds()};
    return carom_returns_create(request, (carom_stop){self, asks_to_stop}, &self->returns, error);
}

carom_status returns_room_widen(returns_room *self, const carom_returns_request *request,
                                carom_returns_beside *beside, carom_error *error)
{
    return carom_returns_beside_create(request, (carom_stop){self, asks_to_stop}, self->returns, beside,
                                       error);
}

void returns_room_close(returns_room *self)
{
    carom_returns_free(self->returns);
}

carom_status returns_interrupted(carom_status status, int finished, int units, const char *what,
                                 carom_error *error)
{
    return status == CAROM_INTERRUPTED
               ? carom_fail(error, status, "interrupted after %d of %d %s", finished, units, what)
               : status;
}
