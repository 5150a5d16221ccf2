#include "dissection.h"

#include <stdlib.h>
#include <string.h>

#include <klu.h>

#include "carom/linalg.h"
#include "separator.h"

enum {
    SMALL = 100 /* vertices that minimum degrees order as well */
};

static bool order_small(const graph *g, const int *name, int *order)
{
    if (g->vertices == 0)
        return true;
    klu_common common;
    klu_defaults(&common);
    common.btf = 0;
    klu_symbolic *symbolic = klu_analyze(g->vertices, g->start, g->neighbour, &common);
    if (!symbolic)
        return false;
    for (int v = 0; v < g->vertices; v++)
        order[v] = name[symbolic->Q[v]];
    klu_free_symbolic(&symbolic, &common);
    return true;
}

/* Vertices of one part and the edges between them. place[v]: its number in the part. */
static bool extract(const graph *g, const int *name, const int *side, int part, int *place, graph *to,
                    int **to_name)
{
    int vertices = 0, ends = 0;
    for (int v = 0; v < g->vertices; v++)
        if (side[v] == part) {
            place[v] = vertices++;
            ends += g->start[v + 1] - g->start[v];
        }
    *to_name = carom_new_array((size_t)vertices + 1, sizeof **to_name);
    if (!*to_name || !graph_take(to, vertices, ends))
        return false;
    for (int v = 0, end = 0; v < g->vertices; v++) {
        if (side[v] != part)
            continue;
        (*to_name)[place[v]] = name[v];
        to->weight[place[v]] = 1;
        for (int k = g->start[v]; k < g->start[v + 1]; k++)
            if (side[g->neighbour[k]] == part) {
                to->edge_weight[end] = 1;
                to->neighbour[end++] = place[g->neighbour[k]];
            }
        to->start[place[v] + 1] = end;
    }
    return true;
}

/* Frees the graph and its names as soon as its parts are there. */
static bool order_graph(graph *g, int *name, int *order)
{
    const int n = g->vertices;
    int *memory = n > SMALL ? carom_new_array(2 * (size_t)n, sizeof *memory) : NULL;
    int *side = memory, *place = memory ? memory + n : NULL, count[3] = {0}, *part_name[2] = {NULL, NULL};
    graph part[2] = {{0}, {0}};
    bool done = n <= SMALL || (memory && graph_separate(g, side)), is_whole = n <= SMALL;
    for (int v = 0; done && !is_whole && v < n; v++)
        count[side[v]]++;
    is_whole = is_whole || count[PART_ONE] == 0 || count[PART_TWO] == 0;
    if (done && is_whole) {
        done = order_small(g, name, order);
    } else if (done) {
        for (int v = 0, at = count[0] + count[1]; v < n; v++)
            if (side[v] == SEPARATOR)
                order[at++] = name[v];
        done = extract(g, name, side, PART_ONE, place, &part[0], &part_name[0]) &&
               extract(g, name, side, PART_TWO, place, &part[1], &part_name[1]);
    }
    graph_free(g);
    free(name);
    free(memory);
    for (int p = 0; p < 2; p++) {
        if (done && !is_whole)
            done = order_graph(&part[p], part_name[p], order + (p == 0 ? 0 : count[0]));
        else {
            graph_free(&part[p]);
            free(part_name[p]);
        }
    }
    return done;
}

bool carom_dissect(int rows, const int *start, const int *column, int *order)
{
    graph g;
    int *name = carom_new_array((size_t)rows + 1, sizeof *name);
    if (!name || !graph_take(&g, rows, start[rows])) {
        free(name);
        return false;
    }
    memcpy(g.start, start, ((size_t)rows + 1) * sizeof *start);
    memcpy(g.neighbour, column, (size_t)start[rows] * sizeof *column);
    for (int v = 0; v < rows; v++) {
        name[v] = v;
        g.weight[v] = 1;
    }
    for (int k = 0; k < start[rows]; k++)
        g.edge_weight[k] = 1;
    return order_graph(&g, name, order);
}
