/* Solids on a half-space: each vertex is a touch of its own, named by its number. */
#include "shape/touch.h"

void touch_halfspace(const part *solid, const part *halfspace, touch_list *list)
{
    const double *n = halfspace->inner;
    if (solid->kind == PART_CYLINDER) {
        touch_cylinder_halfspace(solid, halfspace, list);
        return;
    }
    for (int i = 0; i < solid->vertices; i++) {
        const double *v = solid->vertex + 3 * i;
        const double height = dot(n, v) - halfspace->offset;
        if (!(height - solid->radius <= list->margin))
            continue;
        double point[3];
        along(v, -height, n, point);
        touch_add(list, FEATURE_VERTEX | i, FEATURE_FACE, height - solid->radius, n, point);
    }
}
