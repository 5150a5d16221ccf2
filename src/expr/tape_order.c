/* The order of a tape's instructions: equal operations together, as far as what they need is there, so that one decision
 * serves many of them. Every operation has a queue of its nodes that are ready; the longest one is emptied, with what
 * becomes ready for it meanwhile, then the next. The values do not depend on the order. */
#include "tape.h"

#include <stdlib.h>

typedef struct ready_queue {
    int first, last, count; /* positions in the list; linked by `next` */
} ready_queue;

typedef struct ordering {
    const carom_graph *graph;
    const carom_node *list;
    int *waiting; /* operands of a node that are not there yet */
    int *next;    /* in its queue */
    int *start;   /* of the users of a node, in `user` */
    int *user;
    ready_queue queue[CAROM_OP_COUNT];
} ordering;

static void push(ordering *self, int position)
{
    ready_queue *queue = &self->queue[self->graph->node[self->list[position]].op];
    self->next[position] = -1;
    if (queue->count++ > 0)
        self->next[queue->last] = position;
    else
        queue->first = position;
    queue->last = position;
}

static int pop(ordering *self, ready_queue *queue)
{
    const int position = queue->first;
    queue->first = self->next[position];
    queue->count--;
    for (int i = self->start[position]; i < self->start[position + 1]; i++)
        if (--self->waiting[self->user[i]] == 0)
            push(self, self->user[i]);
    return position;
}

/* Who uses whom, by counting: the users of a node stand one after the other. place[] maps graph nodes to positions. */
static void find_users(ordering *self, int count, const int *place)
{
    for (int i = 0; i < count; i++) {
        const graph_node *node = &self->graph->node[self->list[i]];
        self->waiting[i] = carom_op_arity(node->op);
        for (int k = 0; k < self->waiting[i]; k++)
            self->start[place[node->operand[k]] + 1]++;
    }
    for (int i = 0; i < count; i++)
        self->start[i + 1] += self->start[i];
    for (int i = count - 1; i >= 0; i--) { /* from the end of each part to its start */
        const graph_node *node = &self->graph->node[self->list[i]];
        for (int k = 0; k < self->waiting[i]; k++)
            self->user[--self->start[place[node->operand[k]] + 1]] = i;
    }
    /* start[p + 1] is now the start of p's users: move it to its place */
    for (int i = 0; i < count; i++)
        self->start[i] = self->start[i + 1];
}

static void empty_queues(ordering *self, int count, carom_node *ordered)
{
    int done = 0;
    while (done < count) {
        ready_queue *longest = &self->queue[0];
        for (int op = 1; op < CAROM_OP_COUNT; op++)
            if (self->queue[op].count > longest->count)
                longest = &self->queue[op];
        while (longest->count > 0)
            ordered[done++] = self->list[pop(self, longest)];
    }
}

/* Without memory for it the order stays: it is right, too. */
void tape_order(const carom_graph *graph, int count, carom_node *list)
{
    size_t edges = 0;
    for (int i = 0; i < count; i++)
        edges += (size_t)carom_op_arity(graph->node[list[i]].op);
    const size_t n = (size_t)count, size = 4 * n + 2 + edges;
    int *numbers = calloc(size, sizeof *numbers);
    if (!numbers)
        return;
    ordering self = {.graph = graph,
                     .list = list,
                     .waiting = numbers,
                     .next = numbers + n,
                     .start = numbers + 2 * n,
                     .user = numbers + 3 * n + 2};
    carom_node *ordered = numbers + 3 * n + 2 + edges;
    for (int i = 0; i < count; i++)
        graph->place[list[i]] = i;
    find_users(&self, count, graph->place);
    self.start[count] = (int)edges;
    for (int i = 0; i < count; i++)
        if (self.waiting[i] == 0)
            push(&self, i);
    empty_queues(&self, count, ordered);
    for (int i = 0; i < count; i++)
        list[i] = ordered[i];
    free(numbers);
}
