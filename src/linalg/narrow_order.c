/* An order that makes a sparse matrix narrow: breadth-first from the border of its graph, neighbours with few
 * neighbours first, and the whole reversed (Cuthill and McKee 1969; George and Liu 1981). */
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    FEW = 16 /* neighbours that are sorted by insertion */
};

typedef struct graph {
    int size;
    int *start, *neighbour; /* both ways; a pair may stand twice */
    int *queue, *level;     /* level: -1 not reached */
    int *merged;            /* of the neighbours of a hub, while they are sorted */
} graph;

static int degree(const graph *g, int node)
{
    return g->start[node + 1] - g->start[node];
}

static void fill(graph *g, const carom_sparse *a, int *next)
{
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            if (a->row[k] != j) {
                g->start[a->row[k] + 1]++;
                g->start[j + 1]++;
            }
    for (int i = 0; i < g->size; i++)
        g->start[i + 1] += g->start[i];
    for (int i = 0; i < g->size; i++)
        next[i] = g->start[i];
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            if (a->row[k] != j) {
                g->neighbour[next[a->row[k]]++] = j;
                g->neighbour[next[j]++] = a->row[k];
            }
}

/* By insertion: neighbours are few, but for those of a hub. */
static void sort_few(const graph *g, int count, int *node)
{
    for (int i = 1; i < count; i++) {
        const int moved = node[i];
        int k = i;
        for (; k > 0 && degree(g, node[k - 1]) > degree(g, moved); k--)
            node[k] = node[k - 1];
        node[k] = moved;
    }
}

/* Parts that are sorted are merged; equal ones keep their order. */
static void sort_by_degree(const graph *g, int count, int *node)
{
    if (count <= FEW) {
        sort_few(g, count, node);
        return;
    }
    const int half = count / 2;
    sort_by_degree(g, half, node);
    sort_by_degree(g, count - half, node + half);
    int *left = g->merged, a = 0, b = half, to = 0;
    memcpy(left, node, (size_t)half * sizeof *left);
    while (a < half && b < count)
        node[to++] = degree(g, node[b]) < degree(g, left[a]) ? node[b++] : left[a++];
    while (a < half)
        node[to++] = left[a++];
}

/* Nodes reached from the root, in queue[from ...); their number. */
static int search(graph *g, int root, int from)
{
    int head = from, tail = from;
    g->queue[tail++] = root;
    g->level[root] = 0;
    for (; head < tail; head++) {
        const int node = g->queue[head], first = tail;
        for (int k = g->start[node]; k < g->start[node + 1]; k++)
            if (g->level[g->neighbour[k]] < 0) {
                g->level[g->neighbour[k]] = g->level[node] + 1;
                g->queue[tail++] = g->neighbour[k];
            }
        sort_by_degree(g, tail - first, g->queue + first);
    }
    return tail - from;
}

static void forget(graph *g, int from, int count)
{
    for (int i = from; i < from + count; i++)
        g->level[g->queue[i]] = -1;
}

/* From the far end of a search, a few times: a node at the border of its part. */
static int search_from_border(graph *g, int root, int from)
{
    int count = search(g, root, from), depth = -1;
    for (int round = 0; round < 4; round++) {
        const int far = g->queue[from + count - 1], reached = g->level[far];
        if (reached <= depth)
            break;
        depth = reached;
        forget(g, from, count);
        count = search(g, far, from);
    }
    return count;
}

static int width_of(const carom_sparse *a, const int *place)
{
    int width = 0;
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++) {
            const int away = abs(place[a->row[k]] - place[j]);
            width = away > width ? away : width;
        }
    return width;
}

int carom_narrow_order(const carom_sparse *a, int *place)
{
    if (a->columns == 0)
        return 0;
    const size_t size = (size_t)a->columns, entries = (size_t)a->column_start[a->columns];
    graph g = {.size = a->columns,
               .start = carom_new_array(size + 1, sizeof(int)),
               .neighbour = carom_new_array(2 * entries, sizeof(int)),
               .queue = carom_new_array(size, sizeof(int)),
               .level = carom_new_array(size, sizeof(int)),
               .merged = carom_new_array(size, sizeof(int))};
    int width = -1;
    if (g.start && g.neighbour && g.queue && g.level && g.merged) {
        fill(&g, a, g.level);
        for (int i = 0; i < g.size; i++)
            g.level[i] = -1;
        int done = 0;
        for (int i = 0; i < g.size; i++)
            if (g.level[i] < 0)
                done += search_from_border(&g, i, done);
        for (int i = 0; i < g.size; i++)
            place[g.queue[i]] = g.size - 1 - i;
        width = width_of(a, place);
    }
    free(g.start);
    free(g.neighbour);
    free(g.queue);
    free(g.level);
    free(g.merged);
    return width;
}
