/* How the expressions of a model depend on time (carom/model/forcing.h). */
#ifndef CAROM_MODEL_TRACED_TIME_DEPENDENCE_H
#define CAROM_MODEL_TRACED_TIME_DEPENDENCE_H

#include "derive.h"

enum {
    TRACED_NO_MEMORY = -2
};

/* The nodes of its frequencies; their number is returned, -1: it depends on time in another way, TRACED_NO_MEMORY. The list is the
 * arena's. */
int traced_frequencies(const carom_traced_spec *spec, carom_arena *arena, carom_node **frequency);

enum {
    TRACED_HARMONICS_MAX = 24 /* frequencies of a sum, products of sines included */
};

/* Sums of sines and cosines of several expressions; nodes of parameters. */
typedef struct traced_harmonics {
    int count;                                  /* frequencies; the first is 0 */
    carom_node frequency[TRACED_HARMONICS_MAX]; /* of parameters */
    carom_node *cosine, *sine; /* count x expressions, CAROM_NO_NODE: 0; NULL: memory is short */
} traced_harmonics;

/* The expressions depend on parameters and time only. False: one is no such sum, or memory is short: then an array is NULL. Arrays are the arena's. */
bool traced_find_harmonics(carom_graph *graph, int count, const carom_node *expression, carom_arena *arena,
                           traced_harmonics *found);

#endif
