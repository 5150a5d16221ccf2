/* Shapes in their poses, and all their touches. */
#include "collider.h"

#include <stdlib.h>
#include <string.h>

/* ---- who may touch whom ------------------------------------------------------------------------------ */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_apart(const carom_collider *self, int a, int b)
{
    const uint64_t key = (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a);
    size_t low = 0, high = self->apart_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (self->apart[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->apart_count && self->apart[low] == key;
}

/* Surfaces and half-spaces have no inside or no outside: nothing can be said of two of them. */
static bool is_bare(const part *p)
{
    return p->kind == PART_HALFSPACE || p->kind == PART_SURFACE;
}

static bool may_touch(const void *context, int i, int j)
{
    const carom_collider *self = context;
    const int a = self->owner[i], b = self->owner[j];
    if (a == b || self->group[a] == self->group[b] ||
        (is_bare(&self->placed[i]) && is_bare(&self->placed[j])))
        return false;
    return self->apart_count == 0 || !is_apart(self, a, b);
}

static bool is_clear(const void *context, int infinite, const double low[3], const double high[3])
{
    const carom_collider *self = context;
    const part *halfspace = &self->placed[infinite];
    double least = -halfspace->offset;
    for (int k = 0; k < self->dim; k++)
        least += halfspace->inner[k] * (halfspace->inner[k] > 0.0 ? low[k] : high[k]);
    return least > self->margin;
}

/* ---- setup --------------------------------------------------------------------------------------------- */

static carom_status check(int dim, int shapes, const carom_shape *const *shape, size_t apart_count,
                          const int (*apart)[2], double margin, carom_error *error)
{
    const carom_status status = shape_check_dim(dim, "collider", error);
    if (status != CAROM_OK)
        return status;
    if (shapes < 0 || (shapes > 0 && !shape))
        return carom_fail(error, CAROM_BAD_INPUT, "collider: %d shapes", shapes);
    if (!(margin >= 0.0) || !isfinite(margin))
        return carom_fail(error, CAROM_BAD_INPUT, "collider: margin %g; it must not be negative", margin);
    for (int i = 0; i < shapes; i++) {
        if (!shape[i] || shape[i]->dim != dim)
            return carom_fail(error, CAROM_BAD_INPUT, "collider: shape %d is none of the %s", i,
                              dim == CAROM_PLANE ? "plane" : "space");
        if (shape[i]->parts > 1u << PART_BITS)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "collider: shape %d has %zu convex parts; at most %d are "
                              "possible",
                              i, shape[i]->parts, 1 << PART_BITS);
    }
    for (size_t p = 0; p < apart_count; p++)
        if (apart[p][0] < 0 || apart[p][0] >= shapes || apart[p][1] < 0 || apart[p][1] >= shapes)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "collider: pair %zu of shapes that are left out is (%d, %d); "
                              "there are shapes 0 to %d",
                              p, apart[p][0], apart[p][1], shapes - 1);
    return CAROM_OK;
}

static bool take_parts(carom_collider *self)
{
    const size_t parts = (size_t)self->parts;
    self->owner = carom_arena_take(self->arena, parts, sizeof *self->owner);
    self->placed = carom_arena_take(self->arena, parts, sizeof *self->placed);
    self->swept = carom_arena_take(self->arena, parts, sizeof *self->swept);
    self->order = carom_arena_take(self->arena, parts, sizeof *self->order);
    self->way = carom_arena_take(self->arena, parts, sizeof *self->way);
    if (!self->owner || !self->placed || !self->swept || !self->order || !self->way ||
        !grid_setup(&self->grid, self->dim, self->parts))
        return false;
    for (int i = 0; i < self->shapes; i++)
        for (int p = self->first[i]; p < self->first[i + 1]; p++) {
            const part *from = &self->shape[i]->part[p - self->first[i]];
            self->owner[p] = i;
            self->placed[p] = *from;
            if (!core_take_like(self->arena, from, &self->placed[p]))
                return false;
            if (from->kind == PART_HALFSPACE)
                grid_set_infinite(&self->grid, p);
        }
    return true;
}

static bool take_shapes(carom_collider *self, int shapes, const carom_shape *const *shape, const int *group,
                        size_t apart_count, const int (*apart)[2])
{
    const size_t n = (size_t)shapes;
    self->shape = carom_arena_take(self->arena, n, sizeof(const void *));
    self->group = carom_arena_take(self->arena, n, sizeof *self->group);
    self->first = carom_arena_take(self->arena, n + 1, sizeof *self->first);
    self->pose = carom_arena_take(self->arena, n, sizeof *self->pose);
    self->apart = carom_arena_take(self->arena, apart_count, sizeof *self->apart);
    if (!self->shape || !self->group || !self->first || !self->pose || !self->apart)
        return false;
    size_t parts = 0;
    for (int i = 0; i < shapes; i++) {
        self->shape[i] = shape[i];
        self->group[i] = group ? group[i] : i;
        self->first[i] = (int)parts;
        parts += shape[i]->parts;
        if (parts > INT32_MAX / 8)
            return false;
        self->pose[i].x[0] = NAN; /* is no pose yet */
    }
    self->first[shapes] = self->parts = (int)parts;
    for (size_t p = 0; p < apart_count; p++) {
        const int a = apart[p][0], b = apart[p][1];
        self->apart[p] = (uint64_t)(a < b ? a : b) << 32 | (uint64_t)(a < b ? b : a);
    }
    qsort(self->apart, apart_count, sizeof *self->apart, compare_keys);
    self->apart_count = apart_count;
    return take_parts(self);
}

carom_status carom_collider_setup(int dim, int shapes, const carom_shape *const *shape, const int *group,
                                  size_t apart_count, const int (*apart)[2], double margin,
                                  carom_collider **collider, carom_error *error)
{
    *collider = NULL;
    const carom_status status = check(dim, shapes, shape, apart_count, apart, margin, error);
    if (status != CAROM_OK)
        return status;
    carom_collider *self = calloc(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    self->dim = dim;
    self->shapes = shapes;
    self->margin = margin;
    self->grid.may_touch = may_touch;
    self->grid.is_clear = is_clear;
    self->grid.context = self;
    self->touches.margin = margin;
    self->touches.scratch = &self->scratch;
    self->scratch.scratch = &self->second_scratch;
    self->arena = carom_arena_create();
    if (!self->arena || !take_shapes(self, shapes, shape, group, apart_count, apart)) {
        carom_collider_free(self);
        return carom_fail_memory(error);
    }
    *collider = self;
    return CAROM_OK;
}

void carom_collider_free(carom_collider *self)
{
    if (!self)
        return;
    grid_free(&self->grid);
    free(self->touches.touch);
    free(self->scratch.touch);
    free(self->second_scratch.touch);
    carom_arena_free(self->arena);
    free(self);
}

/* ---- touches ---------------------------------------------------------------------------------------------- */

static bool is_finite(const carom_pose *pose)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += fabs(pose->x[k]);
    for (int k = 0; k < 9; k++)
        sum += fabs(pose->r[k]);
    return isfinite(sum);
}

static void move_shape(carom_collider *self, int i, const carom_pose *pose)
{
    static const double nowhere[3] = {NAN, NAN, NAN};
    if (memcmp(&self->pose[i], pose, sizeof *pose) == 0)
        return;
    self->pose[i] = *pose;
    const bool known = is_finite(pose);
    for (int p = self->first[i]; p < self->first[i + 1]; p++) {
        if (!known) {
            grid_move(&self->grid, p, nowhere, nowhere);
            continue;
        }
        double low[3], high[3];
        part_place(&self->shape[i]->part[p - self->first[i]], pose, &self->placed[p]);
        part_bounds(&self->placed[p], pose, low, high);
        for (int k = 0; k < 3; k++) {
            low[k] -= 0.5 * self->margin;
            high[k] += 0.5 * self->margin;
        }
        grid_move(&self->grid, p, low, high);
    }
}

static bool boxes_meet(int dim, const grid_box *a, const grid_box *b)
{
    for (int k = 0; k < dim; k++)
        if (!(a->low[k] <= b->high[k] && b->low[k] <= a->high[k]))
            return false;
    return true;
}

/* Few touches of one pair of parts, by their features. */
static void sort_touches(carom_touch *touch, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (touch[i - 1].feature <= touch[i].feature)
            continue;
        const carom_touch moved = touch[i];
        size_t j = i;
        for (; j > 0 && touch[j - 1].feature > moved.feature; j--)
            touch[j] = touch[j - 1];
        touch[j] = moved;
    }
}

static void find_pair(carom_collider *self, int p, int q)
{
    touch_list *list = &self->touches;
    const size_t before = list->count;
    list->a = self->owner[p];
    list->b = self->owner[q];
    list->parts = ((uint64_t)(p - self->first[list->a]) << PART_BITS | (uint64_t)(q - self->first[list->b]))
                  << (2 * FEATURE_BITS);
    touch_parts(self->dim, &self->placed[p], &self->pose[list->a], &self->placed[q], &self->pose[list->b],
                list);
    if (list->count > before)
        sort_touches(list->touch + before, list->count - before);
}

carom_status carom_collider_find(carom_collider *self, const carom_pose *pose, const carom_touch **touch,
                                 size_t *count, carom_error *error)
{
    *touch = NULL;
    *count = 0;
    for (int i = 0; i < self->shapes; i++)
        move_shape(self, i, &pose[i]);
    if (!grid_update(&self->grid))
        return carom_fail_memory(error);
    self->touches.count = 0;
    self->touches.failed = false;
    for (size_t k = 0; k < self->grid.pairs; k++) {
        const int p = (int)(self->grid.pair[k] >> 32), q = (int)(self->grid.pair[k] & 0xFFFFFFFFu);
        if (boxes_meet(self->dim, &self->grid.box[p], &self->grid.box[q]))
            find_pair(self, p, q);
    }
    if (self->touches.failed)
        return carom_fail_memory(error);
    *touch = self->touches.touch;
    *count = self->touches.count;
    return CAROM_OK;
}
