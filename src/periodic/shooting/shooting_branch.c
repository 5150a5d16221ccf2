/* Branches of periodic motions of a model over one of its parameters, or over the period. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "periodic/follower.h"
#include "shooting.h"

static carom_status describe(void *context, const double *x, double p, carom_branch_point *point,
                             double *unknown, carom_error *error)
{
    carom_shooting *self = context;
    carom_shot *shot = &self->shot;
    if (!shooting_bind(self, p) || !shooting_unpack(self, x, shot))
        return carom_fail(error, CAROM_FAILED, "the motion at parameter %.9g cannot be computed", p);
    carom_status status = shooting_check_restitution(self, shot, error); /* it may depend on the parameter */
    if (status == CAROM_OK)
        status = shooting_choose_steps(self, shot, error);
    if (status == CAROM_OK)
        status = shooting_describe(self, shot, error);
    if (status != CAROM_OK)
        return status;
    *point = (carom_branch_point){.parameter = p,
                                  .period = shot->period,
                                  .energy = shot->energy,
                                  .reach = shot->reach,
                                  .multiplier = shot->multiplier,
                                  .gap = shot->gap,
                                  .impulse = shot->approach,
                                  .strongest = shot->strongest,
                                  .impacts = self->impacts,
                                  .admissible = shot->admissible,
                                  .stable = shot->multiplier <= CAROM_STABLE_MULTIPLIER};
    shooting_fill_tests(self, point);
    memcpy(unknown, shot->q, (size_t)self->dof * sizeof *unknown);
    memcpy(unknown + self->dof, shot->v, (size_t)self->dof * sizeof *unknown);
    memcpy(unknown + 2 * self->dof, shot->flight, (size_t)self->flights * sizeof *unknown);
    unknown[2 * self->dof + self->flights] = shot->t0;
    return CAROM_OK;
}

static double smallest_flight(void *context, const double *x, double p)
{
    carom_shooting *self = context;
    double smallest = 1.0;
    if (!shooting_bind(self, p) || !shooting_unpack(self, x, &self->shot))
        return 0.0;
    for (int i = 0; i < self->flights; i++)
        smallest = fmin(smallest, self->shot.flight[i] / self->shot.period);
    return smallest;
}

/* The range that was asked for, or the size of the value. */
static double parameter_scale(const carom_branch_options *options, double value)
{
    const double range = options->parameter_max - options->parameter_min;
    return isfinite(range) && range > 0.0 ? range : shooting_parameter_size(value);
}

static carom_status check(const carom_shooting *self, int parameter, carom_error *error)
{
    if (parameter == CAROM_SHOOT_PERIOD &&
        (self->kind == CAROM_SHOOT_AUTONOMOUS || self->kind == CAROM_SHOOT_FORCED))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "only conservative motions come in families of the period: continue in a parameter");
    if (parameter != CAROM_SHOOT_PERIOD && (parameter < 0 || parameter >= self->model->parameters))
        return carom_fail(error, CAROM_BAD_INPUT, "there is no parameter %d; the model has %d", parameter,
                          self->model->parameters);
    return CAROM_OK;
}

static void copy_last(const carom_shooting *self, const carom_branch *branch, carom_shot *shot)
{
    const double *last = branch->unknown + (size_t)(branch->count - 1) * (size_t)branch->width;
    const carom_branch_point *point = &branch->point[branch->count - 1];
    memcpy(shot->q, last, (size_t)self->dof * sizeof *last);
    memcpy(shot->v, last + self->dof, (size_t)self->dof * sizeof *last);
    memcpy(shot->flight, last + 2 * self->dof, (size_t)self->flights * sizeof *last);
    shot->t0 = last[2 * self->dof + self->flights];
    shot->period = point->period;
    shot->energy = point->energy;
    shot->gap = point->gap;
    shot->approach = point->impulse;
    shot->strongest = point->strongest;
    shot->admissible = point->admissible;
    shot->multiplier = point->multiplier;
}

/* The branch of the curve, and the shot at its end. */
static carom_status follow_curve(carom_shooting *shooting, carom_arclength *curve,
                                 const branch_course *course, const carom_branch_options *options,
                                 carom_shot *shot, carom_branch *branch, carom_error *error)
{
    const carom_status status = branch_follow(curve, course, options, branch, error);
    if (branch->count > 0) {
        copy_last(shooting, branch, shot);
        shooting_bind(shooting, branch->point[branch->count - 1].parameter);
    }
    return status;
}

/* The same motion, begun within half a period of time 0: a later start would turn with the parameter by the more of its phase
 * the later it is, where the parameter changes the period. */
static void start_near_zero(const carom_shooting *shooting, carom_shot *shot)
{
    const double forcing = shooting->forcing > 0.0 ? shooting->forcing : shooting_period(shooting);
    if (shooting->kind == CAROM_SHOOT_FORCED && forcing > 0.0)
        shot->t0 -= forcing * round(shot->t0 / forcing);
}

/* The equations over a parameter. */
static carom_arclength_problem problem_over(carom_shooting *shooting, int parameter,
                                            const carom_branch_options *options, double *start)
{
    *start = parameter == CAROM_SHOOT_PERIOD ? shooting->period : shooting->parameter[parameter];
    shooting->free = parameter;
    shooting->parameter_scale = parameter_scale(options, *start);
    return (carom_arclength_problem){.size = shooting->unknowns,
                                     .context = shooting,
                                     .residual = shooting_residual,
                                     .jacobian = shooting_jacobian,
                                     .scale = shooting->scale,
                                     .parameter_scale = shooting->parameter_scale};
}

static branch_course course_of(carom_shooting *shooting)
{
    return (branch_course){.context = shooting,
                           .width = 2 * shooting->dof + shooting->flights + 1,
                           .describe = describe,
                           .smallest_flight = smallest_flight,
                           .nearest = shooting_nearest_multiplier,
                           .branches = shooting_branches,
                           .limit = shooting_limit,
                           .merging = shooting_merging};
}

carom_status carom_shooting_follow(carom_shooting *shooting, int parameter, carom_shot *shot,
                                   const carom_branch_options *given, carom_branch *branch,
                                   carom_error *error)
{
    const carom_branch_options options = branch_fill_options(given);
    *branch = (carom_branch){.end = CAROM_END_LOST};
    carom_status status = check(shooting, parameter, error);
    start_near_zero(shooting, shot);
    if (status == CAROM_OK)
        status = carom_shooting_solve(shooting, shot, error);
    if (status != CAROM_OK)
        return status;
    double start = 0.0;
    const carom_arclength_problem problem = problem_over(shooting, parameter, &options, &start);
    const branch_course course = course_of(shooting);
    carom_arclength *curve = NULL;
    shooting_pack(shooting, shot, shooting->x);
    status = carom_arclength_create(&problem, &options.arclength, shooting->x, start, &curve, error);
    if (status == CAROM_OK)
        status = follow_curve(shooting, curve, &course, &options, shot, branch, error);
    carom_arclength_free(curve);
    shooting->free = FREE_NONE;
    return status;
}

carom_status carom_shooting_branch_off(carom_shooting *shooting, int parameter, carom_shot *shot,
                                       const carom_branch_options *given, carom_branch *branch,
                                       carom_error *error)
{
    const carom_branch_options options = branch_fill_options(given);
    *branch = (carom_branch){.end = CAROM_END_LOST};
    double start = 0.0, *kernel = carom_new_array((size_t)shooting->unknowns, sizeof *kernel);
    carom_status status = kernel ? check(shooting, parameter, error) : carom_fail_memory(error);
    start_near_zero(shooting, shot);
    if (status == CAROM_OK)
        status = shooting_prepare(shooting, shot, error);
    const carom_arclength_problem problem = status == CAROM_OK
                                                ? problem_over(shooting, parameter, &options, &start)
                                                : (carom_arclength_problem){0};
    branch_course course = course_of(shooting);
    course.branches_off = true;
    carom_arclength *curve = NULL;
    if (status == CAROM_OK) {
        shooting_pack(shooting, shot, shooting->x);
        status = branch_find_kernel(&problem, shooting->x, start, kernel, error);
    }
    if (status == CAROM_OK)
        status =
            arclength_create_along(&problem, &options.arclength, shooting->x, start, kernel, &curve, error);
    if (status == CAROM_OK)
        status = follow_curve(shooting, curve, &course, &options, shot, branch, error);
    carom_arclength_free(curve);
    free(kernel);
    shooting->free = FREE_NONE;
    return status;
}
