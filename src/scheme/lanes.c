/* Motions side by side: what the scheme can do for all of them at once, and each of the others alone. */
#include "carom/scheme/lanes.h"

#include <string.h>

/* What no scheme does for several: inputs that the caller changes, derivatives, outputs at times of their own. */
static bool goes_alone(const carom_stepper *stepper)
{
    return stepper->input || stepper->tangent || stepper->next_output;
}

carom_lanes *carom_lanes_create(const carom_stepper *like)
{
    const carom_lane_ops *ops = like->ops->lanes;
    if (!ops || goes_alone(like))
        return NULL;
    carom_arena *arena = carom_arena_create();
    carom_lanes *self = arena ? carom_arena_take(arena, 1, ops->size) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return NULL;
    }
    *self = (carom_lanes){.ops = ops, .arena = arena};
    if (ops->setup(self, like))
        return self;
    carom_lanes_free(self);
    return NULL;
}

void carom_lanes_free(carom_lanes *self)
{
    if (!self)
        return;
    self->ops->free(self);
    carom_arena_free(self->arena);
}

bool carom_lanes_enter(carom_lanes *self, int lane, carom_stepper *stepper)
{
    self->stepper[lane] = NULL;
    if (stepper->ops->lanes != self->ops || goes_alone(stepper) || !self->ops->fits(self, stepper))
        return false;
    self->stepper[lane] = stepper;
    self->ops->enter(self, lane);
    return true;
}

void carom_lanes_leave(carom_lanes *self, int lane)
{
    if (self->stepper[lane])
        self->ops->leave(self, lane);
    self->stepper[lane] = NULL;
}

static unsigned count_bits(unsigned bits)
{
    unsigned count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void remember_velocity(carom_stepper *stepper)
{
    if (stepper->v_before)
        memcpy(stepper->v_before, stepper->state.v, (size_t)stepper->dof * sizeof *stepper->v_before);
}

void carom_lanes_step(carom_lanes *self, unsigned which, carom_status *status, carom_error *error)
{
    for (int lane = 0; lane < CAROM_LANES; lane++)
        if (which >> lane & 1)
            remember_velocity(self->stepper[lane]);
    const unsigned stepped = self->ops->step(self, which), left = which & ~stepped;
    for (int lane = 0; lane < CAROM_LANES; lane++) {
        if (stepped >> lane & 1)
            status[lane] = CAROM_OK;
        if (left >> lane & 1)
            status[lane] = carom_stepper_step(self->stepper[lane], &error[lane]);
    }
    self->beside += count_bits(stepped);
    self->single += count_bits(left);
}
