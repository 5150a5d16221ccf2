#include "separator.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    COARSEST = 100, /* vertices */
    STARTS = 8,     /* parts that are grown there */
    PASSES = 6,     /* of refinement, on every level */
    PATIENCE = 60,  /* moves without a better separator that end a pass */
};

static const double least_shrinkage = 0.95; /* of a level, for another one to be made */
static const double largest_part = 0.58;    /* of the weight of all vertices */

/* ---- memory -------------------------------------------------------------------------------------------- */

bool graph_take(graph *g, int vertices, int edge_ends)
{
    const size_t n = (size_t)vertices, ends = (size_t)edge_ends;
    *g = (graph){.vertices = vertices,
                 .start = carom_new_array(n + 1, sizeof(int)),
                 .neighbour = carom_new_array(ends + 1, sizeof(int)),
                 .weight = carom_new_array(n + 1, sizeof(int)),
                 .edge_weight = carom_new_array(ends + 1, sizeof(int))};
    if (g->start && g->neighbour && g->weight && g->edge_weight)
        return true;
    graph_free(g);
    return false;
}

void graph_free(graph *g)
{
    free(g->start);
    free(g->neighbour);
    free(g->weight);
    free(g->edge_weight);
    *g = (graph){0};
}

/* ---- coarser graphs ------------------------------------------------------------------------------------ */

/* Vertices by their number of neighbours, few first: those have the least choice. */
static void sort_by_degree(const graph *g, int *order, int *count)
{
    const int n = g->vertices;
    memset(count, 0, ((size_t)n + 1) * sizeof *count);
    for (int v = 0; v < n; v++) {
        const int degree = g->start[v + 1] - g->start[v];
        count[degree < n ? degree : n]++;
    }
    for (int d = 0, sum = 0; d <= n; d++) {
        const int own = count[d];
        count[d] = sum;
        sum += own;
    }
    for (int v = 0; v < n; v++) {
        const int degree = g->start[v + 1] - g->start[v];
        order[count[degree < n ? degree : n]++] = v;
    }
}

/* The neighbour that most edges lead to, of these the lightest. -1: all are taken. */
static int best_match(const graph *g, const int *coarse, int v)
{
    int best = -1, best_at = -1;
    for (int k = g->start[v]; k < g->start[v + 1]; k++) {
        const int u = g->neighbour[k];
        if (coarse[u] >= 0)
            continue;
        if (best < 0 || g->edge_weight[k] > g->edge_weight[best_at] ||
            (g->edge_weight[k] == g->edge_weight[best_at] && g->weight[u] < g->weight[best])) {
            best = u;
            best_at = k;
        }
    }
    return best;
}

/* coarse[v]: the vertex of the coarser graph; returns how many there are. member: its one or two vertices. */
static int match(const graph *g, int *order, int *count, int *coarse, int (*member)[2])
{
    int vertices = 0;
    sort_by_degree(g, order, count);
    for (int v = 0; v < g->vertices; v++)
        coarse[v] = -1;
    for (int k = 0; k < g->vertices; k++) {
        const int v = order[k];
        if (coarse[v] >= 0)
            continue;
        coarse[v] = vertices;
        const int u = best_match(g, coarse, v);
        if (u >= 0)
            coarse[u] = vertices;
        member[vertices][0] = v;
        member[vertices++][1] = u;
    }
    return vertices;
}

/* Edges of both members; several to one vertex become one. `place` is -1 everywhere, and is again. */
static int join_edges(const graph *g, const int *coarse, const int member[2], int own, int end, int *place,
                      graph *to)
{
    const int first = end;
    for (int side = 0; side < 2; side++)
        for (int k = member[side] < 0 ? 0 : g->start[member[side]];
             k < (member[side] < 0 ? 0 : g->start[member[side] + 1]); k++) {
            const int u = coarse[g->neighbour[k]];
            if (u == own)
                continue;
            if (place[u] < 0) {
                place[u] = end;
                to->neighbour[end] = u;
                to->edge_weight[end++] = 0;
            }
            to->edge_weight[place[u]] += g->edge_weight[k];
        }
    for (int k = first; k < end; k++)
        place[to->neighbour[k]] = -1;
    return end;
}

static bool coarsen(const graph *g, int *coarse, graph *to)
{
    const size_t n = (size_t)g->vertices;
    int *order = carom_new_array(n + 1, sizeof *order), *place = carom_new_array(n + 1, sizeof *place);
    int(*member)[2] = carom_new_array(n + 1, sizeof *member);
    bool done = order && place && member;
    if (done) {
        const int vertices = match(g, order, place, coarse, member);
        done = graph_take(to, vertices, g->start[n]);
        for (int v = 0; v < g->vertices; v++)
            place[v] = -1;
        for (int v = 0, end = 0; done && v < vertices; v++) {
            to->weight[v] = g->weight[member[v][0]] + (member[v][1] < 0 ? 0 : g->weight[member[v][1]]);
            end = join_edges(g, coarse, member[v], v, end, place, to);
            to->start[v + 1] = end;
        }
    }
    free(order);
    free(place);
    free(member);
    return done;
}

/* ---- refinement ---------------------------------------------------------------------------------------- */

/* A separator that is made smaller. */
typedef struct refinement {
    const graph *g;
    int *side;
    long weight[3], total; /* of the parts and the separator; of all */
    int *pulled[2]; /* of a vertex of the separator: weight that joins it when the vertex goes to this part */
    int *list, *place; /* of the separator; where a vertex is in it, -1: not */
    int count;
    bool *moved;              /* in this pass */
    int *path, *path_side;    /* vertices that changed, and what they were */
    int steps, path_capacity; /* of the path */
} refinement;

static void refinement_free(refinement *self)
{
    void *array[] = {self->pulled[0], self->pulled[1], self->list,     self->place,
                     self->moved,     self->path,      self->path_side};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
}

static bool refinement_take(refinement *self, const graph *g, int *side)
{
    const size_t n = (size_t)g->vertices + 1, path = 4 * n;
    *self = (refinement){.g = g,
                         .side = side,
                         .pulled = {carom_new_array(n, sizeof(int)), carom_new_array(n, sizeof(int))},
                         .list = carom_new_array(n, sizeof(int)),
                         .place = carom_new_array(n, sizeof(int)),
                         .moved = carom_new_array(n, sizeof(bool)),
                         .path = carom_new_array(path, sizeof(int)),
                         .path_side = carom_new_array(path, sizeof(int)),
                         .path_capacity = path < INT_MAX ? (int)path : INT_MAX};
    if (self->pulled[0] && self->pulled[1] && self->list && self->place && self->moved && self->path &&
        self->path_side)
        return true;
    refinement_free(self);
    return false;
}

static void enter(refinement *self, int v)
{
    const graph *g = self->g;
    self->place[v] = self->count;
    self->list[self->count++] = v;
    self->pulled[0][v] = self->pulled[1][v] = 0;
    for (int k = g->start[v]; k < g->start[v + 1]; k++) {
        const int u = g->neighbour[k];
        if (self->side[u] != SEPARATOR)
            self->pulled[1 - self->side[u]][v] += g->weight[u];
    }
}

static void leave(refinement *self, int v)
{
    const int last = self->list[--self->count];
    self->list[self->place[v]] = last;
    self->place[last] = self->place[v];
    self->place[v] = -1;
}

/* Everything that follows from `side`. */
static void begin(refinement *self)
{
    const graph *g = self->g;
    memset(self->weight, 0, sizeof self->weight);
    self->count = 0;
    for (int v = 0; v < g->vertices; v++) {
        self->weight[self->side[v]] += g->weight[v];
        self->place[v] = -1;
        self->moved[v] = false;
    }
    self->total = self->weight[0] + self->weight[1] + self->weight[2];
    for (int v = 0; v < g->vertices; v++)
        if (self->side[v] == SEPARATOR)
            enter(self, v);
    self->steps = 0;
}

/* Vertex v is on another side now. */
static void change(refinement *self, int v, int side)
{
    const graph *g = self->g;
    const int before = self->side[v];
    self->path[self->steps] = v;
    self->path_side[self->steps++] = before;
    self->weight[before] -= g->weight[v];
    self->weight[side] += g->weight[v];
    self->side[v] = side;
    for (int k = g->start[v]; k < g->start[v + 1]; k++) {
        const int u = g->neighbour[k];
        if (self->place[u] < 0 || u == v)
            continue;
        if (before != SEPARATOR)
            self->pulled[1 - before][u] -= g->weight[v];
        if (side != SEPARATOR)
            self->pulled[1 - side][u] += g->weight[v];
    }
    if (before == SEPARATOR)
        leave(self, v);
    if (side == SEPARATOR)
        enter(self, v);
}

/* v goes to a part; its neighbours in the other one come to the separator. */
static void move(refinement *self, int v, int part)
{
    const graph *g = self->g;
    self->moved[v] = true;
    change(self, v, part);
    for (int k = g->start[v]; k < g->start[v + 1]; k++)
        if (self->side[g->neighbour[k]] == 1 - part)
            change(self, g->neighbour[k], SEPARATOR);
}

static long larger_part(const long weight[3])
{
    return weight[0] > weight[1] ? weight[0] : weight[1];
}

/* The move that makes the separator lightest, to the lighter part when two do. False: none is left. */
static bool choose(const refinement *self, int *vertex, int *part)
{
    const graph *g = self->g;
    const long most = (long)(largest_part * (double)self->total);
    long best = LONG_MIN;
    for (int i = 0; i < self->count; i++) {
        const int v = self->list[i];
        if (self->moved[v])
            continue;
        for (int p = 0; p < 2; p++) {
            const long gain = g->weight[v] - self->pulled[p][v], after = self->weight[p] + g->weight[v];
            const bool fits = after <= most || after <= self->weight[1 - p];
            if (!fits || gain < best ||
                (gain == best && self->weight[p] >= self->weight[1 - p] && *part != p))
                continue;
            if (gain == best && *part == p && v >= *vertex)
                continue;
            best = gain;
            *vertex = v;
            *part = p;
        }
    }
    return best > LONG_MIN;
}

/* Lighter, or as light with parts that differ less; parts that are too large are worse than anything. */
static bool is_better(const long a[3], const long b[3], long total)
{
    const long most = (long)(largest_part * (double)total);
    const long excess_a = larger_part(a) > most ? larger_part(a) - most : 0,
               excess_b = larger_part(b) > most ? larger_part(b) - most : 0;
    if (excess_a != excess_b)
        return excess_a < excess_b;
    if (a[SEPARATOR] != b[SEPARATOR])
        return a[SEPARATOR] < b[SEPARATOR];
    return larger_part(a) < larger_part(b);
}

/* Moves one vertex after the other, also where this makes it worse for a while, and goes back to the best. */
static bool pass(refinement *self)
{
    long best[3];
    int best_steps = 0;
    memcpy(best, self->weight, sizeof best);
    for (int idle = 0; idle < PATIENCE; idle++) {
        int v = 0, part = 0;
        if (!choose(self, &v, &part))
            break;
        const int degree = self->g->start[v + 1] - self->g->start[v];
        if (self->steps > self->path_capacity - degree - 1)
            break;
        move(self, v, part);
        if (!is_better(self->weight, best, self->total))
            continue;
        memcpy(best, self->weight, sizeof best);
        best_steps = self->steps;
        idle = 0;
    }
    while (self->steps > best_steps) {
        self->steps--;
        self->side[self->path[self->steps]] = self->path_side[self->steps];
    }
    return best_steps > 0;
}

static bool refine(const graph *g, int *side)
{
    refinement self;
    if (!refinement_take(&self, g, side))
        return false;
    bool goes_on = true;
    for (int k = 0; k < PASSES && goes_on; k++) {
        begin(&self);
        goes_on = pass(&self);
    }
    refinement_free(&self);
    return true;
}

/* ---- the coarsest graph -------------------------------------------------------------------------------- */

/* Breadth first from `seed`, half of the weight; where a component ends, from the first vertex that is left. What the part
 * touches is the separator. */
static void grow_part(const graph *g, int seed, int *queue, int *side)
{
    long total = 0, grown = 0;
    int head = 0, tail = 0, next = 0;
    for (int v = 0; v < g->vertices; v++) {
        total += g->weight[v];
        side[v] = PART_TWO;
    }
    side[seed] = PART_ONE;
    queue[tail++] = seed;
    while (2 * grown < total) {
        if (head == tail) {
            while (side[next] != PART_TWO)
                next++;
            side[next] = PART_ONE;
            queue[tail++] = next;
        }
        const int v = queue[head++];
        grown += g->weight[v];
        for (int k = g->start[v]; k < g->start[v + 1]; k++)
            if (side[g->neighbour[k]] == PART_TWO) {
                side[g->neighbour[k]] = PART_ONE;
                queue[tail++] = g->neighbour[k];
            }
    }
    while (head < tail)
        side[queue[head++]] = SEPARATOR;
}

static void weigh(const graph *g, const int *side, long weight[3])
{
    weight[0] = weight[1] = weight[2] = 0;
    for (int v = 0; v < g->vertices; v++)
        weight[side[v]] += g->weight[v];
}

static bool separate_coarsest(const graph *g, int *side)
{
    const int n = g->vertices, starts = n < STARTS ? n : STARTS;
    int *queue = carom_new_array((size_t)n + 1, sizeof *queue),
        *trial = carom_new_array((size_t)n + 1, sizeof *trial);
    bool done = queue && trial;
    long best[3] = {0};
    for (int k = 0; done && k < starts; k++) {
        long weight[3];
        grow_part(g, (int)((long)n * k / starts), queue, trial);
        done = refine(g, trial);
        weigh(g, trial, weight);
        if (k > 0 && !is_better(weight, best, weight[0] + weight[1] + weight[2]))
            continue;
        memcpy(best, weight, sizeof best);
        memcpy(side, trial, (size_t)n * sizeof *side);
    }
    free(queue);
    free(trial);
    return done;
}

/* ---- all levels ---------------------------------------------------------------------------------------- */

bool graph_separate(const graph *g, int *side)
{
    if (g->vertices <= COARSEST)
        return separate_coarsest(g, side);
    int *coarse = carom_new_array((size_t)g->vertices, sizeof *coarse), *coarse_side = NULL;
    graph smaller = {0};
    bool done = coarse && coarsen(g, coarse, &smaller);
    if (done && smaller.vertices > least_shrinkage * g->vertices) { /* such as a star */
        done = separate_coarsest(g, side);
    } else if (done) {
        coarse_side = carom_new_array((size_t)smaller.vertices, sizeof *coarse_side);
        done = coarse_side && graph_separate(&smaller, coarse_side);
        for (int v = 0; done && v < g->vertices; v++)
            side[v] = coarse_side[coarse[v]];
        done = done && refine(g, side);
    }
    graph_free(&smaller);
    free(coarse);
    free(coarse_side);
    return done;
}
