/* A motion that was found, followed over a parameter or its period. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

enum {
    POINTS = 400
};

static carom_branch_options make_options(const carom_continue_request *request)
{
    carom_branch_options options = carom_branch_defaults();
    const double range = fabs(request->to - request->from);
    options.parameter_min = fmin(request->from, request->to);
    options.parameter_max = fmax(request->from, request->to);
    options.points_max = request->points > 0 ? request->points : POINTS;
    options.through = request->through;
    options.arclength.direction = request->to > request->from ? 1.0 : -1.0;
    options.arclength.step = 0.02;
    options.arclength.step_max = 0.05;
    if (request->step > 0.0)
        options.arclength.step = options.arclength.step_max = fmin(1.0, request->step / range);
    options.progress = request->progress;
    options.arclength.memo = request->memo;
    return options;
}

/* How the motion is followed, whatever way it was found. */
static carom_shooting_kind choose_kind(const carom_periodic_model *periodic, const carom_found_orbit *start)
{
    if (strcmp(start->method, "shooting") == 0)
        return start->kind;
    /* A linear model conserves energy; motions with one impact of it are symmetric in time. */
    return periodic->model->conservative && start->impacts == 1 ? CAROM_SHOOT_SYMMETRIC
                                                                : CAROM_SHOOT_CONSERVATIVE;
}

/* A restitution that the parameter changes ends the conservation of energy, which the equations rely on. */
carom_status carom_continue_check(const carom_periodic_model *periodic, const carom_continue_request *request,
                                  const carom_impact_sequence *impacts, carom_error *error)
{
    const carom_model *model = periodic->model;
    carom_contact_frame frame = periodic->frame;
    double *value = periodic->parameter, worst = 1.0;
    const int places = 4, parameter = request->parameter;
    int contact = 0;
    if (parameter == CAROM_SHOOT_PERIOD)
        return CAROM_OK;
    const double kept = value[parameter];
    for (int k = 1; k <= places; k++) {
        value[parameter] = request->from + (request->to - request->from) * k / places;
        model->ops->bind(periodic->work, value);
        for (int i = 0; i < impacts->count; i++) {
            model->ops->frame(periodic->work, impacts->contact[i], periodic->t0, periodic->q0, &frame);
            if (frame.restitution != 1.0) {
                worst = frame.restitution;
                contact = impacts->contact[i];
            }
        }
    }
    value[parameter] = kept;
    model->ops->bind(periodic->work, value);
    if (!model->conservative || worst == 1.0)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "on the way of '%s' the restitution of '%s' becomes %g and nothing in the model feeds energy "
        "in: no motion returns there",
        model->parameter[parameter].name, model->contact[contact].name, worst);
}

/* What a branch is followed with. */
typedef struct course {
    carom_shooting *shooting;
    carom_shot shot; /* its start */
    carom_branch_options options;
    double *unknown; /* memory of the shot */
} course;

static void course_free(course *self)
{
    carom_shooting_free(self->shooting);
    free(self->unknown);
    *self = (course){0};
}

/* A start with `flights` flights, its arrays unset. */
static carom_status course_take(const carom_periodic_model *periodic, const carom_continue_request *request,
                                int flights, course *self, carom_error *error)
{
    const size_t n = (size_t)periodic->model->dof;
    *self = (course){.options = make_options(request)};
    self->unknown = carom_new_array(2 * n + (size_t)flights, sizeof *self->unknown);
    if (!self->unknown)
        return carom_fail_memory(error);
    self->shot = (carom_shot){.q = self->unknown, .v = self->unknown + n, .flight = self->unknown + 2 * n};
    return CAROM_OK;
}

static carom_status course_create(const carom_periodic_model *periodic, const carom_continue_request *request,
                                  carom_shooting_kind kind, int impacts, const int *contact, int multiple,
                                  course *self, carom_error *error)
{
    if (kind == CAROM_SHOOT_FORCED) /* where a driven motion starts its energy may be any small number */
        self->options.energy_max = INFINITY;
    return find_shooting_create(periodic, kind, impacts, contact, self->shot.period, multiple,
                                request->frequency ? *request->frequency : -1, &self->shooting, error);
}

/* The same by the map of the period. */
static carom_status continue_map(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                 const carom_continue_request *request, carom_branch *branch,
                                 carom_error *error)
{
    course self = {0};
    carom_period_map *map = NULL;
    const size_t n = (size_t)periodic->model->dof;
    if (request->parameter == CAROM_SHOOT_PERIOD)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "impacts: with whatever happens in it a motion is followed over a parameter of the model, not "
            "over its period");
    carom_status status = course_take(periodic, request, 1, &self, error);
    if (status == CAROM_OK)
        status = find_map_create(periodic, start->period, start->multiple, &map, error);
    if (status == CAROM_OK) {
        carom_mapped motion = {
            .q = self.shot.q, .v = self.shot.v, .phase = start->phase, .period = start->period};
        memcpy(motion.q, start->q, n * sizeof(double));
        memcpy(motion.v, start->v, n * sizeof(double));
        status = carom_period_map_follow(map, request->parameter, &motion, &self.options, branch, error);
    }
    carom_period_map_free(map);
    course_free(&self);
    return status;
}

carom_status carom_continue_orbit(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                  const carom_continue_request *request, carom_branch *branch,
                                  carom_error *error)
{
    course self = {0};
    *branch = (carom_branch){.end = CAROM_END_LOST};
    if (!start->found)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no motion to follow: %s", start->verdict);
    if (strcmp(start->method, "map") == 0)
        return continue_map(periodic, start, request, branch, error);
    const size_t n = (size_t)periodic->model->dof,
                 flights = (size_t)(start->impacts > 0 ? start->impacts : 1);
    carom_status status = course_take(periodic, request, (int)flights, &self, error);
    if (status == CAROM_OK) {
        memcpy(self.shot.q, start->q, n * sizeof(double));
        memcpy(self.shot.v, start->v, n * sizeof(double));
        memcpy(self.shot.flight, start->flight, flights * sizeof(double));
        self.shot.t0 = start->t0;
        self.shot.period = start->period;
        status = course_create(periodic, request, choose_kind(periodic, start), start->impacts,
                               start->contact, start->multiple, &self, error);
    }
    if (status == CAROM_OK)
        status = find_follow_stages(self.shooting, request->parameter, &self.shot, &self.options, false,
                                    branch, error);
    course_free(&self);
    return status;
}

/* ---- from special points ------------------------------------------------------------------------------- */

/* The motion at a point of a branch, `times` over, as a start; the branch has the impacts of its start `had` times over. */
static carom_status course_from(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                const carom_branch *from, int had, int point, int times,
                                const carom_continue_request *request, course *self, carom_error *error)
{
    const int n = periodic->model->dof, impacts = had * start->impacts, flights = impacts > 0 ? impacts : 1;
    const double *unknown = from->unknown + (size_t)point * (size_t)from->width;
    const int parameter = request->parameter, all = times * impacts;
    carom_shooting_kind kind = choose_kind(periodic, start);
    if (kind == CAROM_SHOOT_SYMMETRIC) /* what branches off need not be symmetric */
        kind = CAROM_SHOOT_CONSERVATIVE;
    carom_status status = course_take(periodic, request, times * flights, self, error);
    int *contact = carom_new_array((size_t)all + 1, sizeof *contact);
    if (status != CAROM_OK || !contact) {
        free(contact);
        return carom_fail_memory(error);
    }
    memcpy(self->shot.q, unknown, (size_t)n * sizeof(double));
    memcpy(self->shot.v, unknown + n, (size_t)n * sizeof(double));
    for (int i = 0; i < times * flights; i++)
        self->shot.flight[i] = unknown[2 * n + i % flights];
    for (int i = 0; i < all; i++)
        contact[i] = start->contact[i % start->impacts];
    self->shot.t0 = unknown[2 * n + flights];
    self->shot.period = times * from->point[point].period;
    status = course_create(periodic, request, kind, all, contact, times * had * start->multiple, self, error);
    if (status == CAROM_OK && parameter != CAROM_SHOOT_PERIOD)
        status = carom_shooting_set(self->shooting, parameter, from->point[point].parameter, error);
    free(contact);
    return status;
}

/* The motion of a point of a branch of maps; q and v are the caller's. */
static carom_mapped mapped_at(int n, const carom_branch *from, int point, double period, double *q, double *v)
{
    const double *unknown = from->unknown + (size_t)point * (size_t)from->width;
    memcpy(q, unknown, (size_t)n * sizeof *q);
    memcpy(v, unknown + n, (size_t)n * sizeof *v);
    return (carom_mapped){.q = q,
                          .v = v,
                          .phase = unknown[2 * n + 1] / period,
                          .period = period,
                          .reach = from->point[point].reach};
}

/* The same for the map of the period; `had`: the branch has the period of its start so many times over. */
static carom_status switch_map(const carom_periodic_model *periodic, const carom_found_orbit *start,
                               const carom_branch *from, int had, int point, int times,
                               const carom_continue_request *request, carom_branch *branch,
                               carom_error *error)
{
    const double period = times * from->point[point].period;
    course self = {0};
    carom_period_map *map = NULL;
    carom_status status = course_take(periodic, request, 1, &self, error);
    if (status == CAROM_OK)
        status = find_map_create(periodic, period, times * had * start->multiple, &map, error);
    if (status == CAROM_OK) {
        carom_mapped motion = mapped_at(periodic->model->dof, from, point, period, self.shot.q, self.shot.v);
        status = carom_period_map_branch_off(map, request->parameter, from->point[point].parameter, &motion,
                                             &self.options, branch, error);
    }
    carom_period_map_free(map);
    course_free(&self);
    return status;
}

carom_status carom_continue_switch(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                   const carom_branch *from, int times, int point,
                                   const carom_continue_request *request, carom_branch *branch,
                                   carom_error *error)
{
    course self = {0};
    *branch = (carom_branch){.end = CAROM_END_LOST};
    const carom_special special =
        point >= 0 && point < from->count ? from->point[point].special : CAROM_SPECIAL_NONE;
    if (special != CAROM_SPECIAL_FLIP && special != CAROM_SPECIAL_BRANCH)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "another branch begins at a flip or a branch point; point %d of %d is none",
                          point + 1, from->count);
    if (strcmp(start->method, "map") == 0)
        return switch_map(periodic, start, from, times, point, special == CAROM_SPECIAL_FLIP ? 2 : 1, request,
                          branch, error);
    carom_status status = course_from(periodic, start, from, times, point,
                                      special == CAROM_SPECIAL_FLIP ? 2 : 1, request, &self, error);
    if (status == CAROM_OK)
        status = find_follow_stages(self.shooting, request->parameter, &self.shot, &self.options, true,
                                    branch, error);
    course_free(&self);
    return status;
}

/* The range of the second parameter, which goes from its value to another one. */
static void go_over_second(carom_branch_options *options, double value, double to)
{
    options->parameter_min = fmin(value, to);
    options->parameter_max = fmax(value, to);
    options->arclength.direction = to - value;
    options->through = true;
    options->arclength.memo = NULL;
}

static carom_status locus_of_map(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                 const carom_branch *from, int point, const carom_continue_request *request,
                                 int second, double to, carom_branch *branch, carom_error *error)
{
    const double period = from->point[point].period;
    course self = {0};
    carom_period_map *map = NULL;
    carom_status status = course_take(periodic, request, 1, &self, error);
    if (status == CAROM_OK)
        status = find_map_create(periodic, period, start->multiple, &map, error);
    if (status == CAROM_OK) {
        carom_mapped motion = mapped_at(periodic->model->dof, from, point, period, self.shot.q, self.shot.v);
        go_over_second(&self.options, periodic->parameter[second], to);
        status = carom_period_map_locus(
            map, from->point[point].special, request->parameter, from->point[point].parameter, second,
            fabs(request->to - request->from), &motion, &self.options, branch, error);
    }
    carom_period_map_free(map);
    course_free(&self);
    return status;
}

carom_status carom_continue_locus(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                  const carom_branch *from, int point, const carom_continue_request *request,
                                  int second, double to, carom_branch *branch, carom_error *error)
{
    course self = {0};
    *branch = (carom_branch){.end = CAROM_END_LOST};
    const carom_special special =
        point >= 0 && point < from->count ? from->point[point].special : CAROM_SPECIAL_NONE;
    const double value =
        second >= 0 && second < periodic->model->parameters ? periodic->parameter[second] : NAN;
    if (special != CAROM_SPECIAL_FLIP && special != CAROM_SPECIAL_FOLD && special != CAROM_SPECIAL_GRAZING)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "folds, flips and grazing motions are followed in two parameters; point %d of %d is none",
            point + 1, from->count);
    if (!isfinite(value) || second == request->parameter || value == to)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the second parameter must be another one than the first, and must change (it is %g, and "
            "goes to %g)",
            value, to);
    if (strcmp(start->method, "map") == 0)
        return locus_of_map(periodic, start, from, point, request, second, to, branch, error);
    carom_status status = course_from(periodic, start, from, 1, point, 1, request, &self, error);
    if (status == CAROM_OK) {
        go_over_second(&self.options, value, to);
        status =
            carom_shooting_locus(self.shooting, special, request->parameter, second,
                                 fabs(request->to - request->from), &self.shot, &self.options, branch, error);
    }
    course_free(&self);
    return status;
}
