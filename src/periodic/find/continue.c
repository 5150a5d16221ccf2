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

carom_status carom_continue_orbit(const carom_periodic_model *periodic, const carom_found_orbit *start,
                                  const carom_continue_request *request, carom_branch *branch,
                                  carom_error *error)
{
    const carom_branch_options options = make_options(request);
    carom_shooting *shooting = NULL;
    *branch = (carom_branch){.end = CAROM_END_LOST};
    if (!start->found)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no motion to follow: %s", start->verdict);
    const size_t n = (size_t)periodic->model->dof, impacts = (size_t)start->impacts;
    double *unknown = carom_new_array(2 * n + impacts, sizeof *unknown);
    if (!unknown)
        return carom_fail_memory(error);
    carom_shot shot = {
        .q = unknown, .v = unknown + n, .flight = unknown + 2 * n, .t0 = start->t0, .period = start->period};
    memcpy(shot.q, start->q, n * sizeof *unknown);
    memcpy(shot.v, start->v, n * sizeof *unknown);
    memcpy(shot.flight, start->flight, impacts * sizeof *unknown);
    carom_status status =
        find_shooting_create(periodic, choose_kind(periodic, start), start->impacts, start->contact,
                             start->period, request->frequency ? *request->frequency : -1, &shooting, error);
    if (status == CAROM_OK)
        status = find_follow_stages(shooting, request->parameter, &shot, &options, branch, error);
    carom_shooting_free(shooting);
    free(unknown);
    return status;
}
