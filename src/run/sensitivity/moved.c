/* Runs beside the one under way, with a name that has another value. */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "sensitivity.h"

bool sensitivity_take_room(const active_run *run, moved_room *room)
{
    room->parameter =
        carom_arena_take(run->arena, (size_t)run->plan.experiment->model->parameters, sizeof(double));
    room->q0 = carom_arena_take(run->arena, (size_t)run->layout.positions, sizeof(double));
    room->v0 = carom_arena_take(run->arena, (size_t)run->layout.dof, sizeof(double));
    return room->parameter && room->q0 && room->v0;
}

void sensitivity_plain_request(carom_run_request *request)
{
    request->recorder_count = 0;
    request->checkpoint = NULL;
    request->events = request->event_points = false;
    request->no_certificate = true;
}

void sensitivity_move(const active_run *run, int c, double s, moved_room *room, carom_run_request *request)
{
    const carom_experiment *experiment = run->plan.experiment;
    const sensitivity_name *name = &run->sensitivity->name[c];
    memcpy(room->parameter, run->plan.parameter, (size_t)experiment->model->parameters * sizeof(double));
    request->parameter = room->parameter;
    request->q0 = run->plan.q0;
    request->v0 = run->plan.v0;
    if (name->parameter >= 0) {
        room->parameter[name->parameter] += s;
        const double unit = carom_units_are_given(&experiment->units) ? experiment->units.time : 1.0;
        if (!isnan(carom_given_time(run->request->h)) && experiment->h_parameter == name->parameter)
            request->h = run->request->h + unit * s;
        if (!isnan(carom_given_time(run->request->until)) && experiment->until_parameter == name->parameter)
            request->until = run->request->until + unit * s;
    }
    if (name->position >= 0) {
        carom_copy(run->layout.positions, run->start.q, room->q0);
        room->q0[name->position] += s;
        request->q0 = room->q0;
    }
    if (name->velocity >= 0) {
        carom_copy(run->layout.dof, run->start.v, room->v0);
        room->v0[name->velocity] += s;
        request->v0 = room->v0;
    }
}

double sensitivity_scale(const active_run *run, int c)
{
    const sensitivity_name *name = &run->sensitivity->name[c];
    double value = name->parameter >= 0 ? fabs(run->plan.parameter[name->parameter]) : 0.0;
    if (name->parameter < 0) {
        const bool position = name->position >= 0;
        const double *start = position ? run->start.q : run->start.v;
        const double largest = carom_largest(position ? run->layout.positions : run->layout.dof, start);
        value = fabs(start[position ? name->position : name->velocity]);
        if (value < 1e-12 * largest)
            value = largest;
        const carom_scales *scales = &run->stepper->scales;
        return value > 0.0 ? value : position ? scales->length : carom_scales_speed(scales);
    }
    return value > 0.0 ? value : 1.0; /* a parameter of value 0 does not tell its size */
}
