/* Branches of fixed points of the map of a period over a parameter. Where the events of the period change the map has a kink
 * and the branch a corner, which small steps pass. */
#include <math.h>
#include <string.h>

#include "map.h"
#include "periodic/follower.h"

typedef struct map_course {
    carom_period_map *map;
    carom_mapped motion;
    int multipliers; /* without the one of a shift in time */
    double real[MAP_UNKNOWNS], imaginary[MAP_UNKNOWNS];
} map_course;

static void keep_multipliers(map_course *self)
{
    const carom_period_map *map = self->map;
    const int known = map_shift_in_time(map);
    self->multipliers = 0;
    for (int i = 0; i < map->size; i++)
        if (i != known) {
            self->real[self->multipliers] = map->real[i];
            self->imaginary[self->multipliers++] = map->imaginary[i];
        }
}

double map_shifted_product(const carom_period_map *map, double place)
{
    const int known = map_shift_in_time(map);
    double product = 1.0;
    for (int i = 0; i < map->size; i++) {
        const double a = map->real[i] - place, b = map->imaginary[i];
        if (i == known)
            continue;
        if (b == 0.0)
            product *= a;
        else if (b > 0.0)
            product *= a * a + b * b;
    }
    return product;
}

void map_fill_point(const carom_period_map *map, const carom_mapped *motion, double p,
                    carom_branch_point *point, double *unknown)
{
    const int n = map->dof;
    *point = (carom_branch_point){.parameter = p,
                                  .period = motion->period,
                                  .energy = motion->energy,
                                  .reach = motion->reach,
                                  .multiplier = motion->multiplier,
                                  .gap = INFINITY,
                                  .impulse = map->approach,
                                  .strongest = map->strongest,
                                  .impacts = motion->impacts,
                                  .admissible = true,
                                  .stable = motion->multiplier <= CAROM_STABLE_MULTIPLIER,
                                  .contact = -1,
                                  .fold_test = map_shifted_product(map, 1.0),
                                  .flip_test = map_shifted_product(map, -1.0)};
    memcpy(unknown, motion->q, (size_t)n * sizeof *unknown);
    memcpy(unknown + n, motion->v, (size_t)n * sizeof *unknown);
    unknown[2 * n] = motion->period;
    unknown[2 * n + 1] = motion->t0;
}

void map_pack(const carom_period_map *map, const carom_mapped *motion, double *x)
{
    memcpy(x, motion->q, (size_t)map->dof * sizeof *x);
    memcpy(x + map->dof, motion->v, (size_t)map->dof * sizeof *x);
    x[map->size] = motion->period;
}

static carom_status describe(void *context, const double *x, double p, carom_branch_point *point,
                             double *unknown, carom_error *error)
{
    map_course *self = context;
    carom_period_map *map = self->map;
    carom_mapped *motion = &self->motion;
    if (!map_bind(map, p))
        return carom_fail(error, CAROM_FAILED, "the motion at parameter %.9g cannot be computed", p);
    const carom_status status = map_describe(map, x, motion, error);
    if (status != CAROM_OK)
        return status;
    keep_multipliers(self);
    map_fill_point(map, motion, p, point, unknown);
    return CAROM_OK;
}

double map_smallest_flight(void *context, const double *x, double p)
{
    (void)context;
    (void)x;
    (void)p;
    return 1.0;
}

static bool nearest_multiplier(void *context, carom_special to, double *real, double *imaginary)
{
    const map_course *self = context;
    double nearest = INFINITY;
    for (int i = 0; i < self->multipliers; i++) {
        const double distance =
            hypot(self->real[i] + (to == CAROM_SPECIAL_FLIP ? 1.0 : -1.0), self->imaginary[i]);
        if (distance < nearest) {
            nearest = distance;
            *real = self->real[i];
            *imaginary = self->imaginary[i];
        }
    }
    return to != CAROM_SPECIAL_TORUS;
}

static carom_status check_parameter(const carom_period_map *map, int parameter, carom_error *error)
{
    return parameter >= 0 && parameter < map->model->parameters
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT, "there is no parameter %d; the model has %d", parameter,
                            map->model->parameters);
}

/* Follows from the motion, over the parameter of the map; `leaves`: what branches off there. */
static carom_status follow_from(carom_period_map *map, const carom_mapped *motion,
                                const carom_branch_options *options, bool leaves, carom_branch *branch,
                                carom_error *error)
{
    const double range = options->parameter_max - options->parameter_min, start = map->parameter[map->free];
    map->parameter_scale = isfinite(range) && range > 0.0 ? range : start != 0.0 ? fabs(start) : 1.0;
    double x[MAP_UNKNOWNS], kernel[MAP_UNKNOWNS];
    map_pack(map, motion, x);
    const carom_arclength_problem problem = {.size = map->unknowns,
                                             .context = map,
                                             .residual = map_residual,
                                             .jacobian = map_jacobian,
                                             .scale = map->scale,
                                             .parameter_scale = map->parameter_scale};
    map_course self = {.map = map, .motion = *motion};
    const branch_course course = {.context = &self,
                                  .width = map->size + 2,
                                  .describe = describe,
                                  .smallest_flight = map_smallest_flight,
                                  .nearest = nearest_multiplier,
                                  .branches_off = leaves};
    carom_arclength *curve = NULL;
    carom_status status = leaves ? branch_find_kernel(&problem, x, start, kernel, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = leaves
                     ? arclength_create_along(&problem, &options->arclength, x, start, kernel, &curve, error)
                     : carom_arclength_create(&problem, &options->arclength, x, start, &curve, error);
    if (status == CAROM_OK)
        status = branch_follow(curve, &course, options, branch, error);
    carom_arclength_free(curve);
    return status;
}

carom_branch_options map_options(const carom_branch_options *given)
{
    carom_branch_options options = branch_fill_options(given);
    options.arclength.tolerance = 1e-9;
    options.energy_max = INFINITY;
    return options;
}

carom_status carom_period_map_follow(carom_period_map *map, int parameter, carom_mapped *motion,
                                     const carom_branch_options *given, carom_branch *branch,
                                     carom_error *error)
{
    const carom_branch_options options = map_options(given);
    *branch = (carom_branch){.end = CAROM_END_LOST};
    carom_status status = check_parameter(map, parameter, error);
    if (status == CAROM_OK)
        status = carom_period_map_solve(map, motion, error);
    if (status != CAROM_OK)
        return status;
    map->free = parameter;
    status = follow_from(map, motion, &options, false, branch, error);
    map->free = -1;
    return status;
}

carom_status carom_period_map_branch_off(carom_period_map *map, int parameter, double value,
                                         carom_mapped *motion, const carom_branch_options *given,
                                         carom_branch *branch, carom_error *error)
{
    const carom_branch_options options = map_options(given);
    *branch = (carom_branch){.end = CAROM_END_LOST};
    carom_status status = check_parameter(map, parameter, error);
    if (status != CAROM_OK)
        return status;
    map->free = parameter;
    status = map_bind(map, value)
                 ? map_prepare(map, motion, error)
                 : carom_fail(error, CAROM_BAD_INPUT, "the model has no motion at parameter %.9g", value);
    if (status == CAROM_OK)
        status = follow_from(map, motion, &options, true, branch, error);
    map->free = -1;
    return status;
}
