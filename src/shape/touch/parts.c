/* Which function finds the touches of two parts. */
#include "shape/touch.h"

typedef void touch_function(const part *a, const part *b, touch_list *list);

/* The function wants its parts the other way round. */
static void swapped(touch_function *function, const part *a, const part *b, touch_list *list)
{
    list->swapped = true;
    function(b, a, list);
    list->swapped = false;
}

void touch_parts(int dim, const part *a, const carom_pose *pose_a, const part *b, const carom_pose *pose_b,
                 touch_list *list)
{
    if (b->kind == PART_HALFSPACE)
        touch_halfspace(a, b, list);
    else if (a->kind == PART_HALFSPACE)
        swapped(touch_halfspace, a, b, list);
    else if (b->kind == PART_SURFACE)
        touch_surface(dim, a, pose_a, b, pose_b, list);
    else if (a->kind == PART_SURFACE) {
        list->swapped = true;
        touch_surface(dim, b, pose_b, a, pose_a, list);
        list->swapped = false;
    } else if (dim == CAROM_PLANE)
        touch_outlines(a, b, list);
    else if (b->kind == PART_CYLINDER)
        touch_cylinder(a, b, list);
    else if (a->kind == PART_CYLINDER)
        swapped(touch_cylinder, a, b, list);
    else
        touch_cores_space(a, b, list);
}
