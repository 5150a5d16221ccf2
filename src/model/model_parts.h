/* What the makers of models share. */
#ifndef CAROM_MODEL_MODEL_PARTS_H
#define CAROM_MODEL_MODEL_PARTS_H

#include "carom/expr.h"
#include "carom/model.h"

/* Gives a model its own copy of the parameters' descriptions; false when memory is short. */
bool model_copy_parameters(carom_model *model, carom_arena *arena, int count, const carom_parameter *given);

/* The place of the inputs in a work, whose model is set; false when memory is short. */
bool model_take_inputs(carom_model_work *work, carom_arena *arena);
/* ... and their values as the parameters say: a part of bind. */
void model_bind_inputs(carom_model_work *work, const double *parameters);

/* The constant 0. */
static inline bool model_node_is_zero(const carom_graph *graph, carom_node node)
{
    double value;
    return carom_node_is_constant(graph, node, &value) && value == 0.0;
}

#endif
