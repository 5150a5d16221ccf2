/* Parts of a cut polygon: a disc or box that slides over the polygon must not feel where it was cut.
 *
 *      ______|d_____                 A normal d at a vertex is right when the outline of the whole polygon does not go on
 *     |      |     |                 towards the other body there, as on surfaces (surface.c); at a cut it never is.
 *     | part | part|                 Where the outline goes on level or rises a little, the part touches with its own
 *     |______|_____|                 edge beside the vertex, else the neighbour does. */
#include "shape/touch.h"

static const double same_direction = 1e-6;

typedef struct foremost {
    int count, vertex[2];
} foremost;

/* The vertices that are foremost along d, to within rounding. */
static foremost foremost_along(const part *p, const double d[3])
{
    foremost found = {0};
    double most = -INFINITY;
    for (int i = 0; i < p->vertices; i++)
        most = fmax(most, dot(d, p->vertex + 3 * i));
    for (int i = 0; i < p->vertices && found.count < 2; i++)
        if (dot(d, p->vertex + 3 * i) >= most - same_direction * p->size)
            found.vertex[found.count++] = i;
    return found;
}

/* The direction in which the outline goes on towards d from a vertex; NULL: none. */
static const double *way_on(const part *p, int vertex, const double d[3])
{
    for (int k = 0; p->outline && k < 2; k++) {
        const double *way = p->outline + 6 * vertex + 3 * k;
        if (dot(way, d) > same_direction)
            return way;
    }
    return NULL;
}

static bool is_right(const part *p, const double d[3])
{
    const foremost front = foremost_along(p, d);
    if (front.count < 2)
        return !way_on(p, front.vertex[0], d);
    const int edge = front.vertex[1] == front.vertex[0] + 1 ? front.vertex[0] : front.vertex[1];
    return !p->seam[edge];
}

/* The edge of the part beside the foremost vertices that touches in place of a cut; -1: none. */
static int edge_instead(const part *p, const double d[3])
{
    const foremost front = foremost_along(p, d);
    for (int i = 0; i < front.count; i++) {
        const int vertex = front.vertex[i], before = (vertex + p->vertices - 1) % p->vertices;
        const double *way = way_on(p, vertex, d);
        for (int k = 0; k < 2 && way; k++) {
            const int edge = k ? vertex : before;
            const double rise = dot(way, p->normal + 3 * edge);
            if (!p->seam[edge] && rise >= -same_direction && rise <= 0.7)
                return edge;
        }
    }
    return -1;
}

/* Is a feature of the part a cut, or a vertex that another part tells: of those that share it the one whose edge of the
 * outline begins there? */
static bool is_cut(const part *p, int feature)
{
    const int kind = feature & FEATURE_ROUND;
    return p->seam && (kind == FEATURE_EDGE || kind == FEATURE_VERTEX) &&
           p->seam[feature & (FEATURE_EDGE - 1)];
}

/* Tells what was found but for points on cuts. */
static void tell(const part *a, const part *b, const touch_list *found, touch_list *list)
{
    for (size_t i = 0; i < found->count; i++) {
        const carom_touch *touch = &found->touch[i];
        const int feature_a = (int)(touch->feature >> FEATURE_BITS);
        const int feature_b = (int)(touch->feature & ((1 << FEATURE_BITS) - 1));
        if (is_cut(a, feature_a) || is_cut(b, feature_b))
            continue;
        list->way = (int)touch->way;
        touch_add(list, feature_a, feature_b, touch->gap, touch->normal, touch->point_b);
    }
}

void touch_outlines(const part *a, const part *b, touch_list *list)
{
    if (!a->seam && !b->seam) {
        touch_cores_plane(a, b, list);
        return;
    }
    touch_list *found = list->scratch;
    found->margin = list->margin;
    found->count = 0;
    found->failed = false;
    touch_cores_plane(a, b, found);
    if (found->count == 0)
        return;
    const double *n = found->touch->normal, back[3] = {-n[0], -n[1], -n[2]},
                 towards_a[3] = {n[0], n[1], n[2]};
    const bool wrong_a = a->seam && !is_right(a, back), wrong_b = b->seam && !is_right(b, towards_a);
    if (wrong_a || wrong_b) {
        const int edge = wrong_b ? edge_instead(b, towards_a) : edge_instead(a, back);
        found->count = 0;
        if (edge >= 0 && wrong_b) {
            touch_edge_plane(a, b, edge, found);
        } else if (edge >= 0) {
            found->swapped = true;
            touch_edge_plane(b, a, edge, found);
            found->swapped = false;
        }
    }
    tell(a, b, found, list);
    list->failed = list->failed || found->failed;
}
