/* The full mass matrix at a start, factored once. Large sparse models have sparse_joints in its place. */
#ifndef CAROM_SCHEME_PARTS_START_MASS_H
#define CAROM_SCHEME_PARTS_START_MASS_H

#include "carom/model.h"
#include "newton_matrix.h"

typedef struct start_mass {
    newton_matrix newton;
    double *matrix;
} start_mass;

/* `what` needs it: where it is too large, the error says so. */
carom_status start_mass_take(start_mass *mass, carom_arena *arena, const carom_model *model, const char *what,
                             carom_error *error);

/* As newton_matrix_factor. */
int start_mass_factor(start_mass *mass, carom_model_work *work, double t, const double *q);

#endif
