/* Equilibrium of plane frames: forces and moments of every node that can move. */
#include <math.h>
#include <string.h>

#include "carom/subject/frame.h"

/* What is being filled; row[3 i + k]: equation of node i for x, y and turning, -1 where it cannot move. */
typedef struct equilibrium {
    const carom_plane_frame *frame;
    int equations, stresses;
    int *row;
    double *matrix, *load, *capacity;
    carom_limit_contact *contact;
} equilibrium;

static carom_status check_bar(const carom_plane_frame *frame, int b, carom_error *error)
{
    const carom_plane_frame_bar *bar = frame->bar + b;
    if (bar->from < 0 || bar->from >= frame->nodes || bar->to < 0 || bar->to >= frame->nodes)
        return carom_fail(error, CAROM_BAD_INPUT, "bar %d: its ends must be nodes from 1 to %d", b + 1,
                          frame->nodes);
    const carom_plane_frame_node *from = frame->node + bar->from, *to = frame->node + bar->to;
    if (!(hypot(to->x - from->x, to->y - from->y) > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "bar %d has no length", b + 1);
    if (!(bar->moment > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "bar %d: plastic moment %g must be positive", b + 1,
                          bar->moment);
    return CAROM_OK;
}

static carom_status check(const carom_plane_frame *frame, carom_error *error)
{
    if (frame->nodes < 2 || frame->bars < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a frame has at least two nodes and a bar");
    for (int i = 0; i < frame->nodes; i++)
        if (frame->node[i].support == CAROM_SUPPORT_FRICTION &&
            !(hypot(frame->node[i].normal[0], frame->node[i].normal[1]) > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT, "node %d: a frictional support needs a normal", i + 1);
    for (int b = 0; b < frame->bars; b++) {
        const carom_status status = check_bar(frame, b, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static bool moves(const carom_plane_frame_node *node, int direction)
{
    if (node->support == CAROM_SUPPORT_CLAMPED)
        return false;
    return direction == 2 || node->support != CAROM_SUPPORT_PINNED;
}

/* C holds what the stresses resist: minus the force that a stress exerts on the node. */
static void resist(const equilibrium *eq, int node, int direction, int stress, double force)
{
    const int row = eq->row[3 * node + direction];
    if (row >= 0)
        eq->matrix[(ptrdiff_t)row * eq->stresses + stress] -= force;
}

/* Axial force: +d on the first node. Moments A, B on the ends need shears (A + B) / L, e = d turned left. */
static void add_bar(const equilibrium *eq, int b)
{
    const carom_plane_frame_bar *bar = eq->frame->bar + b;
    const carom_plane_frame_node *from = eq->frame->node + bar->from, *to = eq->frame->node + bar->to;
    const double length = hypot(to->x - from->x, to->y - from->y);
    const double d[2] = {(to->x - from->x) / length, (to->y - from->y) / length}, e[2] = {-d[1], d[0]};
    for (int k = 0; k < 2; k++) {
        resist(eq, bar->from, k, 3 * b, d[k]);
        resist(eq, bar->to, k, 3 * b, -d[k]);
        for (int end = 1; end <= 2; end++) {
            resist(eq, bar->from, k, 3 * b + end, -e[k] / length);
            resist(eq, bar->to, k, 3 * b + end, e[k] / length);
        }
    }
    resist(eq, bar->from, 2, 3 * b + 1, -1.0);
    resist(eq, bar->to, 2, 3 * b + 2, -1.0);
    eq->capacity[3 * b] = INFINITY;
    eq->capacity[3 * b + 1] = eq->capacity[3 * b + 2] = bar->moment;
}

static void add_support(const equilibrium *eq, int node, int contact)
{
    const carom_plane_frame_node *at = eq->frame->node + node;
    const double size = hypot(at->normal[0], at->normal[1]);
    const double n[2] = {at->normal[0] / size, at->normal[1] / size}, t[2] = {n[1], -n[0]};
    const int tangent = 3 * eq->frame->bars + 2 * contact;
    for (int k = 0; k < 2; k++) {
        resist(eq, node, k, tangent, t[k]);
        resist(eq, node, k, tangent + 1, n[k]);
    }
    eq->capacity[tangent] = eq->capacity[tangent + 1] = INFINITY;
    eq->contact[contact] = (carom_limit_contact){tangent, tangent + 1, at->mu};
}

static bool take(equilibrium *eq, int contacts, carom_arena *arena)
{
    eq->row = carom_arena_take(arena, 3 * (size_t)eq->frame->nodes, sizeof *eq->row);
    if (!eq->row)
        return false;
    for (int i = 0; i < 3 * eq->frame->nodes; i++)
        eq->row[i] = moves(eq->frame->node + i / 3, i % 3) ? eq->equations++ : -1;
    eq->stresses = 3 * eq->frame->bars + 2 * contacts;
    const size_t rows = (size_t)eq->equations, columns = (size_t)eq->stresses;
    eq->matrix = carom_arena_take(arena, carom_product(rows, columns), sizeof(double));
    eq->load = carom_arena_take(arena, rows, sizeof(double));
    eq->capacity = carom_arena_take(arena, columns, sizeof(double));
    eq->contact = carom_arena_take(arena, (size_t)contacts, sizeof *eq->contact);
    return eq->matrix && eq->load && eq->capacity && eq->contact;
}

carom_status carom_plane_frame_equilibrium(const carom_plane_frame *frame, carom_arena *arena,
                                           carom_limit_problem *problem, carom_error *error)
{
    const carom_status status = check(frame, error);
    if (status != CAROM_OK)
        return status;
    int contacts = 0;
    for (int i = 0; i < frame->nodes; i++)
        contacts += frame->node[i].support == CAROM_SUPPORT_FRICTION;
    equilibrium eq = {.frame = frame};
    if (!take(&eq, contacts, arena))
        return carom_fail_memory(error);
    for (int b = 0; b < frame->bars; b++)
        add_bar(&eq, b);
    for (int i = 0, contact = 0; i < frame->nodes; i++) {
        if (frame->node[i].support == CAROM_SUPPORT_FRICTION)
            add_support(&eq, i, contact++);
        for (int k = 0; k < 2; k++)
            if (eq.row[3 * i + k] >= 0)
                eq.load[eq.row[3 * i + k]] = frame->node[i].load[k];
    }
    *problem = (carom_limit_problem){eq.equations, eq.stresses, eq.matrix, eq.load,
                                     eq.capacity,  contacts,    eq.contact};
    return CAROM_OK;
}

/* (44) beam, (45) sway, (46) slide, (47) lift */
void carom_plane_frame_portal(const double capacity[4], double matrix[24], double load[4], double bound[6])
{
    static const double rows[24] = {0, 0, 0, -1, 2, -1, 0, 0,  -1, 1, 0, -1,
                                    1, 0, 0, 0,  0, 1,  0, -1, 0,  0, 1, -1};
    static const double f[4] = {1, 1, 0, 0};
    memcpy(matrix, rows, sizeof rows);
    memcpy(load, f, sizeof f);
    bound[0] = bound[1] = INFINITY;
    memcpy(bound + 2, capacity, 4 * sizeof *capacity);
}
