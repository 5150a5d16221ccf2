/* Anderson's acceleration of a fixed point iteration x := g(x), such as sweeps over contacts, whose unknowns may be spread over processes. Part of room contact. */
#ifndef CAROM_CONTACT_ACCELERATION_H
#define CAROM_CONTACT_ACCELERATION_H

typedef struct carom_acceleration carom_acceleration;

/* `size` unknowns of this process, `depth` steps that are remembered, at most 16; `sum` makes numbers the sums of those of all processes,
 * NULL: there is one. NULL when memory is short. */
carom_acceleration *carom_acceleration_create(int size, int depth,
                                              void (*sum)(void *context, int count, double *number),
                                              void *context);
/* Forgets all steps. */
void carom_acceleration_begin(carom_acceleration *self);
/* x: where a step began, g: where it ended; g becomes where the next one begins. Residuals that grow make it begin anew. */
void carom_acceleration_step(carom_acceleration *self, const double *x, double *g);
void carom_acceleration_free(carom_acceleration *self);

#endif
