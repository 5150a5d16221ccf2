/* Folds and flips of fixed points of the map of a period over two parameters: the equations of the motion and one more,
 *
 *   fold   product of (multiplier - 1) = 0,     flip   product of (multiplier + 1) = 0,
 *
 * in the unknowns of the motion and the first parameter, continued in the second. Multipliers are those of the columns that are carried
 * through all events of the period. */
#include <math.h>
#include <string.h>

#include "map.h"
#include "periodic/follower.h"

typedef struct map_locus {
    carom_period_map *map;
    carom_special kind;
    int first, second;
    carom_mapped motion; /* room */
} map_locus;

static bool bind(const map_locus *self, double first, double second)
{
    carom_period_map *map = self->map;
    map->free = self->first;
    const bool good = map_bind(map, first);
    map->free = self->second;
    return good && map_bind(map, second);
}

static bool residual(void *context, const double *x, double p, double *f)
{
    map_locus *self = context;
    carom_period_map *map = self->map;
    carom_error error = {0};
    if (!bind(self, x[map->unknowns], p) || !map_residual(map, x, p, f) ||
        map_describe(map, x, &self->motion, &error) != CAROM_OK)
        return false;
    f[map->unknowns] = map_shifted_product(map, self->kind == CAROM_SPECIAL_FLIP ? -1.0 : 1.0);
    return isfinite(f[map->unknowns]);
}

static carom_status describe(void *context, const double *x, double p, carom_branch_point *point,
                             double *unknown, carom_error *error)
{
    map_locus *self = context;
    carom_period_map *map = self->map;
    if (!bind(self, x[map->unknowns], p))
        return carom_fail(error, CAROM_FAILED, "the motion at parameter %.9g cannot be computed", p);
    const carom_status status = map_describe(map, x, &self->motion, error);
    if (status != CAROM_OK)
        return status;
    map_fill_point(map, &self->motion, p, point, unknown);
    point->other = x[map->unknowns];
    point->stable = true; /* it is the border */
    point->special = self->kind;
    return CAROM_OK;
}

static carom_status follow(map_locus *self, double size, const carom_mapped *motion,
                           const carom_branch_options *options, carom_branch *branch, carom_error *error)
{
    carom_period_map *map = self->map;
    const int n = map->unknowns;
    double x[MAP_UNKNOWNS + 1], scale[MAP_UNKNOWNS + 1];
    map_pack(map, motion, x);
    x[n] = map->parameter[self->first];
    memcpy(scale, map->scale, (size_t)n * sizeof *scale);
    scale[n] = size;
    const branch_course course = {.context = self,
                                  .width = map->size + 2,
                                  .describe = describe,
                                  .smallest_flight = map_smallest_flight};
    return branch_follow_locus(&course, residual, n + 1, x, scale, map->parameter[self->second], options,
                               branch, error);
}

carom_status carom_period_map_locus(carom_period_map *map, carom_special kind, int first, double value,
                                    int second, double size, carom_mapped *motion,
                                    const carom_branch_options *given, carom_branch *branch,
                                    carom_error *error)
{
    const carom_branch_options options = map_options(given);
    *branch = (carom_branch){.end = CAROM_END_LOST};
    carom_status status = branch_check_locus(first, second, map->model->parameters, error);
    if (status != CAROM_OK)
        return status;
    if (kind != CAROM_SPECIAL_FOLD && kind != CAROM_SPECIAL_FLIP)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "of motions with whatever happens in them folds and flips are followed over two "
                          "parameters, not %s; name the impacts for that",
                          carom_special_word(kind));
    map_locus self = {.map = map, .kind = kind, .first = first, .second = second, .motion = *motion};
    status = bind(&self, value, map->parameter[second])
                 ? map_prepare(map, motion, error)
                 : carom_fail(error, CAROM_BAD_INPUT, "the model has no motion at parameter %.9g", value);
    if (status == CAROM_OK)
        status = follow(&self, size, motion, &options, branch, error);
    map->free = -1;
    return status;
}
