#include <stdlib.h>

#include "shape/touch.h"

static bool grow(touch_list *list)
{
    const size_t capacity = list->capacity ? 2 * list->capacity : 64;
    carom_touch *larger = realloc(list->touch, capacity * sizeof *larger);
    list->failed = list->failed || !larger;
    if (!larger)
        return false;
    list->touch = larger;
    list->capacity = capacity;
    return true;
}

void touch_add(touch_list *list, int first_feature, int second_feature, double gap, const double normal[3],
               const double second_point[3])
{
    const int way = list->way, of = way & ~WAY_NUMBER;
    list->way = WAY_POINTS;
    if (!(gap <= list->margin) || list->failed || (list->count == list->capacity && !grow(list)))
        return;
    const int feature_a = list->swapped ? second_feature : first_feature;
    const int feature_b = list->swapped ? first_feature : second_feature;
    carom_touch *touch = &list->touch[list->count++];
    touch->a = list->a;
    touch->b = list->b;
    touch->feature = list->parts | (uint64_t)feature_a << FEATURE_BITS | (uint64_t)feature_b;
    touch->gap = gap;
    touch->way = of == WAY_POINTS || !list->swapped
                     ? way
                     : (way & WAY_NUMBER) | (of == WAY_FACE_OF_A ? WAY_FACE_OF_B : WAY_FACE_OF_A);
    for (int k = 0; k < 3; k++) {
        const double first_point = second_point[k] + gap * normal[k];
        touch->normal[k] = list->swapped ? -normal[k] : normal[k];
        touch->point_a[k] = list->swapped ? second_point[k] : first_point;
        touch->point_b[k] = list->swapped ? first_point : second_point[k];
    }
}
