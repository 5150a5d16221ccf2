/* Solids on a half-space: each vertex is a touch of its own, named by its number. */
#include "shape/touch.h"

enum {
    VERTICES_MOST = 8
};

static double height_of(const part *solid, const part *halfspace, int vertex)
{
    return dot(halfspace->inner, solid->vertex + 3 * vertex) - halfspace->offset - solid->radius;
}

static void tell(const part *solid, const part *halfspace, int vertex, touch_list *list)
{
    const double gap = height_of(solid, halfspace, vertex);
    double point[3];
    along(solid->vertex + 3 * vertex, -gap - solid->radius, halfspace->inner, point);
    touch_by_face(list, false, 0);
    touch_add(list, FEATURE_VERTEX | vertex, FEATURE_FACE, gap, halfspace->inner, point);
}

/* How far a vertex is from those that were taken. */
static double apart_from(const part *solid, int vertex, int taken, const int *chosen)
{
    double least = INFINITY;
    for (int k = 0; k < taken; k++)
        least = fmin(least, distance(solid->vertex + 3 * vertex, solid->vertex + 3 * chosen[k]));
    return least;
}

/* Of many near vertices the lowest, then each time the one that is farthest from those taken; of equal ones the first, with room for
 * rounding, so that a body at rest keeps them. */
static void tell_few(const part *solid, const part *halfspace, touch_list *list)
{
    int chosen[VERTICES_MOST] = {0};
    const double slack = 1e-6 * solid->size;
    for (int i = 1; i < solid->vertices; i++)
        if (height_of(solid, halfspace, i) < height_of(solid, halfspace, chosen[0]) - slack)
            chosen[0] = i;
    for (int taken = 1; taken < VERTICES_MOST; taken++) {
        double most = 0.0;
        for (int i = 0; i < solid->vertices; i++) {
            if (!(height_of(solid, halfspace, i) <= list->margin))
                continue;
            const double apart = apart_from(solid, i, taken, chosen);
            if (apart > most + slack) {
                most = apart;
                chosen[taken] = i;
            }
        }
    }
    for (int k = 0; k < VERTICES_MOST; k++)
        tell(solid, halfspace, chosen[k], list);
}

void touch_halfspace(const part *solid, const part *halfspace, touch_list *list)
{
    if (solid->kind == PART_CYLINDER) {
        touch_cylinder_halfspace(solid, halfspace, list);
        return;
    }
    int near = 0;
    for (int i = 0; i < solid->vertices; i++)
        near += height_of(solid, halfspace, i) <= list->margin;
    if (near > VERTICES_MOST) {
        tell_few(solid, halfspace, list);
        return;
    }
    for (int i = 0; i < solid->vertices && near > 0; i++)
        tell(solid, halfspace, i, list);
}
