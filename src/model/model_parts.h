/* What the makers of models share. */
#ifndef CAROM_MODEL_MODEL_PARTS_H
#define CAROM_MODEL_MODEL_PARTS_H

#include "carom/model.h"

/* Gives a model its own copy of the parameters' descriptions; false when memory is short. */
bool model_copy_parameters(carom_model *model, carom_arena *arena, int count, const carom_parameter *given);

#endif
