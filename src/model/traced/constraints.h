/* Constraints of a traced model and their derivatives, sparse: what carom_model_ops.block and .constraints
 * give. */
#ifndef CAROM_MODEL_TRACED_CONSTRAINTS_H
#define CAROM_MODEL_TRACED_CONSTRAINTS_H

#include "derive.h"
#include "sparse_tape.h"

typedef struct traced_mechanism {
    sparse_tape block[CAROM_BLOCKS];
    carom_tape *g, *g_t, *h;
} traced_mechanism;

typedef struct traced_mechanism_work {
    double *block[CAROM_BLOCKS], *g, *g_t, *h;
    const double *outside; /* inputs of the model's work */
} traced_mechanism_work;

/* False when memory is short. */
bool traced_mechanism_compile(const carom_traced_spec *spec, const derived_model *derived, carom_arena *arena,
                              traced_mechanism *mechanism);
void traced_mechanism_free(traced_mechanism *mechanism);

bool traced_mechanism_take_work(const traced_mechanism *mechanism, carom_arena *arena,
                                traced_mechanism_work *work);
void traced_mechanism_bind(const traced_mechanism *mechanism, const double *parameters,
                           traced_mechanism_work *work);

bool traced_mechanism_block_is_constant(const traced_mechanism *mechanism, carom_mechanism_block block,
                                        int column);
bool traced_mechanism_rate_is_constant(const traced_mechanism *mechanism, int constraint);

void traced_mechanism_block(const traced_mechanism *mechanism, traced_mechanism_work *work,
                            carom_mechanism_block block, const carom_motion *motion, double *entry);
void traced_mechanism_constraints(const traced_mechanism *mechanism, traced_mechanism_work *work,
                                  const carom_motion *motion, double *g, double *g_t, double *h);

#endif
