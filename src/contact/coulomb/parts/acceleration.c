/* Anderson's acceleration for callers outside of this room. */
#include "carom/contact/acceleration.h"

#include <stdlib.h>

#include "anderson.h"
#include "carom/base.h"

struct carom_acceleration {
    coulomb_anderson anderson;
};

carom_acceleration *carom_acceleration_create(int size, int depth,
                                              void (*sum)(void *context, int count, double *number),
                                              void *context)
{
    carom_acceleration *self = carom_new_array(1, sizeof *self);
    if (!self || !coulomb_anderson_create(&self->anderson, size,
                                          depth < COULOMB_ANDERSON_MOST ? depth : COULOMB_ANDERSON_MOST)) {
        free(self);
        return NULL;
    }
    self->anderson.sum = sum;
    self->anderson.context = context;
    coulomb_anderson_begin(&self->anderson, size);
    return self;
}

void carom_acceleration_begin(carom_acceleration *self)
{
    coulomb_anderson_begin(&self->anderson, self->anderson.size);
}

void carom_acceleration_step(carom_acceleration *self, const double *x, double *g)
{
    coulomb_anderson_step(&self->anderson, x, g);
}

void carom_acceleration_free(carom_acceleration *self)
{
    if (self)
        coulomb_anderson_free(&self->anderson);
    free(self);
}
