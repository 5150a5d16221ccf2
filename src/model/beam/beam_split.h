/* A load as a sum of products: function of place times function of time. */
#ifndef CAROM_MODEL_BEAM_BEAM_SPLIT_H
#define CAROM_MODEL_BEAM_BEAM_SPLIT_H

#include "carom/expr.h"

enum {
    BEAM_SPLIT_MAX = 32
};

typedef struct beam_split_term {
    carom_node place, time; /* parameters stand in either */
} beam_split_term;

/* node = sum of place_k time_k + rest */
typedef struct beam_split {
    int terms;
    beam_split_term term[BEAM_SPLIT_MAX];
    carom_node rest; /* what sums, products and quotients do not take apart; CAROM_NO_NODE: nothing */
} beam_split;

/* Makes nodes: carom_graph_status tells whether there was memory for them. */
void beam_split_load(carom_graph *graph, carom_node node, beam_split *split);

#endif
