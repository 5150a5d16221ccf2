/* model/units: a model seen in other units of length, time and mass. Part of room model.
 *
 *   carom_units millimetres = {.length = 1e3, .time = 1.0, .mass = 1.0};     numbers of lengths become 1000 times larger
 *   status = carom_model_in_units(model, &millimetres, &model, &error);
 *
 * Parameters stay what they are: a value has the unit in which the model states it. Coordinates have no unit that a
 * model knows, so all of them, angles too, are multiplied by the length; that is consistent. Bodies know their angles, which
 * stay. Gaps and joints are multiplied by the length as they are written. */
#ifndef CAROM_MODEL_UNITS_H
#define CAROM_MODEL_UNITS_H

#include "carom/model.h"

/* What the numbers of each quantity are multiplied by; all are positive. All zero: the units of the model. */
typedef struct carom_units {
    double length, time, mass;
} carom_units;

static inline bool carom_units_are_given(const carom_units *units)
{
    return units->length != 0.0;
}
/* length^a time^b mass^c, without rounding where the three are powers of two. */
double carom_units_factor(const carom_units *units, carom_dimension dimension);
/* "L=1024,T=1,M=4", in any order; what is left out is 1. BAD_INPUT says what would be right. */
carom_status carom_units_parse(const char *text, carom_units *units, carom_error *error);

/* Factors of the quantities of a model, made once. */
typedef struct carom_unit_factors {
    double length, time, mass, velocity, acceleration, force, impulse, energy;
} carom_unit_factors;
carom_unit_factors carom_unit_factors_of(const carom_units *units);
/* The factor of each position and velocity. */
void carom_model_unit_factors(const carom_model *model, const carom_units *units, double *position,
                              double *velocity);

/* The model in other units. When it is OK the model belongs to *result, which may be the same object; else it stays the
 * caller's. Observables and the shape of a structure (profile, places) keep the units of the model. */
carom_status carom_model_in_units(carom_model *model, const carom_units *units, carom_model **result,
                                  carom_error *error);

#endif
