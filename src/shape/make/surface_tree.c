/* A tree of boxes around pieces: each box is cut in two halves of as many pieces across its longest side. */
#include "surface_tree.h"

#include <stdlib.h>

typedef struct builder {
    const surface *sheet;
    int *order;
    surface_node *node;
    int nodes;
} builder;

static double middle_of(const surface *sheet, int number, int k)
{
    double sum = 0.0;
    for (int c = 0; c < sheet->dim; c++)
        sum += sheet->point[3 * sheet->piece[number].corner[c] + k];
    return sum;
}

/* Orders so that no piece before `middle` is behind one after it (Hoare's selection). */
static void halve(const builder *b, int from, int to, int middle, int k)
{
    while (to - from > 1) {
        const double pivot = middle_of(b->sheet, b->order[from + (to - from) / 2], k);
        int low = from, high = to - 1;
        while (low <= high) {
            while (middle_of(b->sheet, b->order[low], k) < pivot)
                low++;
            while (middle_of(b->sheet, b->order[high], k) > pivot)
                high--;
            if (low > high)
                break;
            const int kept = b->order[low];
            b->order[low++] = b->order[high];
            b->order[high--] = kept;
        }
        if (middle <= high)
            to = high + 1;
        else if (middle >= low)
            from = low;
        else
            return;
    }
}

static void enclose(const builder *b, surface_node *node, int from, int to)
{
    for (int k = 0; k < 3; k++) {
        node->low[k] = INFINITY;
        node->high[k] = -INFINITY;
    }
    for (int i = from; i < to; i++)
        for (int c = 0; c < b->sheet->dim; c++)
            for (int k = 0; k < 3; k++) {
                const double x = b->sheet->point[3 * b->sheet->piece[b->order[i]].corner[c] + k];
                node->low[k] = fmin(node->low[k], x);
                node->high[k] = fmax(node->high[k], x);
            }
}

static void build(builder *b, int at, int from, int to)
{
    surface_node *node = &b->node[at];
    enclose(b, node, from, to);
    if (to - from <= SURFACE_LEAF) {
        node->first = from;
        node->count = to - from;
        return;
    }
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (node->high[k] - node->low[k] > node->high[longest] - node->low[longest])
            longest = k;
    const int middle = from + (to - from) / 2;
    halve(b, from, to, middle, longest);
    node->first = b->nodes;
    node->count = 0;
    b->nodes += 2;
    const int first = node->first;
    build(b, first, from, middle);
    build(b, first + 1, middle, to);
}

bool surface_tree(carom_arena *arena, surface *sheet)
{
    builder b = {.sheet = sheet, .nodes = 1};
    b.order = carom_arena_take(arena, (size_t)sheet->pieces, sizeof *b.order);
    b.node = carom_arena_take(arena, 2 * (size_t)sheet->pieces, sizeof *b.node);
    if (!b.order || !b.node)
        return false;
    for (int i = 0; i < sheet->pieces; i++)
        b.order[i] = i;
    build(&b, 0, 0, sheet->pieces);
    sheet->order = b.order;
    sheet->node = b.node;
    sheet->nodes = b.nodes;
    return true;
}
