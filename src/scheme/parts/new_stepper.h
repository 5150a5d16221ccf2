/* The beginning of every scheme's create: checks, an arena, and the scheme's own struct in it. */
#ifndef CAROM_SCHEME_PARTS_NEW_STEPPER_H
#define CAROM_SCHEME_PARTS_NEW_STEPPER_H

#include "carom/scheme.h"

/* Checks settings and start, and takes a zeroed struct of `size` bytes, which begins with a carom_stepper,
 * from a new arena. The caller frees the arena, and with it the struct. */
carom_status new_stepper(size_t size, const carom_scheme_ops *scheme, const carom_model *model,
                         const carom_step_settings *settings, const double *q0, const double *v0, void **made,
                         carom_arena **arena, carom_error *error);

#endif
