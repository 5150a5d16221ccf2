/* Bodies in other units: for model/units. */
#ifndef CAROM_MODEL_BODY_UNITS_H
#define CAROM_MODEL_BODY_UNITS_H

#include "carom/model/bodies.h"
#include "carom/model/units.h"

/* Factors of angles and spins of bodies among those of all positions and velocities. */
void body_angle_factors(const carom_model *model, const carom_units *units, double *position,
                        double *velocity);
/* Changes the model itself: factors of its tapes, and shapes of another size. */
carom_status bodies_set_units(carom_model *model, const carom_units *units, carom_error *error);

#endif
