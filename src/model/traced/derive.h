/* From energies, forces and gaps as expressions to everything a model must give, still as expressions. */
#ifndef CAROM_MODEL_TRACED_DERIVE_H
#define CAROM_MODEL_TRACED_DERIVE_H

#include "carom/model.h"

typedef struct derived_contact {
    carom_node gap;
    carom_node_row row[1 + CAROM_TANGENTS_MAX]; /* d gap / d q, then d slip / d u */
    carom_node rate[1 + CAROM_TANGENTS_MAX];    /* d gap / dt, then slip at zero velocity */
} derived_contact;

typedef struct derived_model {
    carom_node kinetic, potential, energy;
    carom_node *momentum; /* d T / d u */
    carom_node_row *mass; /* one per coordinate, as of all matrices here */
    carom_node *inertia;  /* terms of the equation of motion quadratic in u, and those of moving frames */
    carom_node *force;    /* applied + potential + inertia */
    carom_node_row *force_by_q, *force_by_u;
    carom_node power;    /* see derive_power */
    carom_node *carried; /* momentum at rest, d T / d u for u = 0; NULL: 0 */
    derived_contact *contact;
} derived_model;

/* ---- shorter.c: the same with fewer operations, which differ by rounding; what is not shorter by far stays as it is ---- */

enum {
    SHORTER_MAX = 64 /* coordinates of models that are looked at */
};

/* derived->kinetic as 1/2 u.M u, M of its collected second derivatives, which are known. True: it was written anew. */
bool derive_shorter_kinetic(const carom_traced_spec *spec, derived_model *derived);
carom_node derive_shorter(carom_graph *graph, carom_node node);
/* All of them, or none. */
void derive_shorter_all(carom_graph *graph, int count, carom_node *nodes);

/* T, or 1/2 u.M u when a mass matrix was given. */
carom_node derive_kinetic(const carom_traced_spec *spec);

/* Fills `derived` with memory from the arena. BAD_INPUT says which expression is wrong, and how. */
carom_status derive_model(const carom_traced_spec *spec, carom_arena *arena, derived_model *derived,
                          carom_error *error);

#endif
