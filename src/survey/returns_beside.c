/* Returns of several motions side by side. */
#include "carom/scheme/lanes.h"
#include "returns.h"

carom_status carom_returns_beside_create(const carom_returns_request *request, carom_stop stop,
                                         carom_returns *first, carom_returns_beside *beside,
                                         carom_error *error)
{
    *beside = (carom_returns_beside){0};
    beside->lanes = request->at_impact ? NULL : carom_lanes_create(((returns *)first)->stepping->stepper);
    if (!beside->lanes)
        return CAROM_OK;
    beside->returns[0] = first;
    carom_status status = CAROM_OK;
    for (int lane = 1; status == CAROM_OK && lane < CAROM_LANES; lane++)
        status = carom_returns_create(request, stop, &beside->returns[lane], error);
    if (status != CAROM_OK)
        carom_returns_beside_free(beside);
    return status;
}

void carom_returns_beside_free(carom_returns_beside *beside)
{
    for (int lane = 1; lane < CAROM_LANES; lane++)
        carom_returns_free(beside->returns[lane]);
    carom_lanes_free(beside->lanes);
    *beside = (carom_returns_beside){0};
}

/* The steps that lead to its next return; 0: it cannot be stepped with the others. */
static long begin(carom_returns_beside *beside, int lane)
{
    returns *self = (returns *)beside->returns[lane];
    self->base.impacts = 0;
    if (self->begun && !carom_lanes_enter(beside->lanes, lane, self->stepping->stepper))
        return 0;
    self->begun = false;
    return self->steps;
}

/* One step of all that are under way; those that have ended are taken out of *running. */
static carom_status step_beside(carom_returns_beside *beside, unsigned *running, long *left,
                                carom_return *end, carom_error *why, carom_error *error)
{
    carom_status status[CAROM_LANES];
    carom_lanes_step(beside->lanes, *running, status, why);
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        if (!(*running >> lane & 1))
            continue;
        returns *self = (returns *)beside->returns[lane];
        const carom_status after = returns_after_step(self, status[lane], &end[lane], &why[lane]);
        if (after != CAROM_OK) {
            *error = why[lane];
            return after;
        }
        if (--left[lane] == 0 && end[lane] == CAROM_RETURNED)
            returns_end_period(self, &end[lane]);
        if (left[lane] == 0 || end[lane] != CAROM_RETURNED)
            *running &= ~(1U << lane);
    }
    return CAROM_OK;
}

carom_status carom_returns_beside_next(carom_returns_beside *beside, unsigned which, carom_return *end,
                                       carom_error *why, carom_error *error)
{
    unsigned running = 0;
    long left[CAROM_LANES] = {0};
    carom_status status = CAROM_OK;
    for (int lane = 0; status == CAROM_OK && lane < CAROM_LANES; lane++) {
        if (!(which >> lane & 1))
            continue;
        end[lane] = CAROM_RETURNED;
        left[lane] = begin(beside, lane);
        if (left[lane] > 0)
            running |= 1U << lane;
        else if ((status = carom_returns_next(beside->returns[lane], &end[lane], &why[lane])) != CAROM_OK)
            *error = why[lane];
    }
    while (status == CAROM_OK && running) {
        status = returns_ask((returns *)beside->returns[0], error);
        if (status == CAROM_OK)
            status = step_beside(beside, &running, left, end, why, error);
    }
    return status;
}
