/* A small set of vertices of a graph whose removal leaves two parts of about the same size without an edge between them.
 *
 *     fine graph --match--> coarser --match--> ... --> some hundred vertices
 *         ^                    ^                              | grow a part from several vertices, keep the best
 *         |                    |                              v
 *       refine <--project-- refine <------ ... <------------ refine
 *
 * Levels and matching: Karypis and Kumar 1998; refinement of separators: Ashcraft and Liu 1994, after Fiduccia and
 * Mattheyses. Nothing is random: the same graph has the same separator. */
#ifndef CAROM_LINALG_SEPARATOR_H
#define CAROM_LINALG_SEPARATOR_H

#include <stdbool.h>

/* Every edge stands with both of its ends; there are none from a vertex to itself. */
typedef struct graph {
    int vertices;
    int *start, *neighbour; /* vertices + 1; of all vertices */
    int *weight;            /* of a vertex: how many of the finest graph it stands for */
    int *edge_weight;       /* beside `neighbour` */
} graph;

/* False when memory is short. */
bool graph_take(graph *g, int vertices, int edge_ends);
void graph_free(graph *g);

enum {
    PART_ONE,
    PART_TWO,
    SEPARATOR
};

/* side[v]: one of the above. A part may be empty where a graph has no good separator. False when memory is short. */
bool graph_separate(const graph *g, int *side);

#endif
