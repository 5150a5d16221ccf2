/* Contacts of a model that is one point mass, in lengths. */
#ifndef CAROM_MODEL_TRACED_LENGTHS_H
#define CAROM_MODEL_TRACED_LENGTHS_H

#include "carom/model.h"

/* A spec as it was given, but for gaps and slips of contacts that were divided by the lengths of their gradients. */
typedef struct spec_in_lengths {
    carom_traced_spec spec;
    bool one_point;   /* carom_model.one_point */
    bool *normalized; /* per contact, as in carom_contact_info */
    bool *tangential;
} spec_in_lengths;

/* Memory from the arena. BAD_INPUT: a contact asks for a model of one point mass, and this is none. */
carom_status spec_to_lengths(const carom_traced_spec *spec, carom_arena *arena, spec_in_lengths *lengths,
                             carom_error *error);

#endif
