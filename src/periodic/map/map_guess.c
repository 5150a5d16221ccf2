/* A guess of a periodic motion: where a run has settled. */
#include <math.h>
#include <string.h>

#include "map.h"

enum {
    SECTIONS = 96, /* parts of a period where it may begin */
    RETURNS = 3    /* periods, as they were guessed, in which a motion that nothing drives is to return */
};

/* A motion that nothing drives has come to rest below this share of its speed at the start, or of the model's. */
static const double rest_speed = 1e-9;
/* Distances from events below this, relative to the model's length and speed, are 0. */
static const double no_distance = 1e-9;
/* It has returned where it comes within this share of its farthest distance. */
static const double returned = 0.1;

/* How far a contact is from an event, relative to the scales: its gap, or where it is closed and has friction its slip. */
static double distance_of(carom_period_map *self, const carom_scales *scales, int contact, double t,
                          const double *state, double gap)
{
    const carom_contact_info *info = &self->model->contact[contact];
    if (info->tangents == 0 || (!info->friction_force && gap > no_distance * scales->length))
        return fabs(gap) / scales->length;
    double square = 0.0;
    self->model->ops->frame(self->work, contact, t, state, &self->frame);
    for (int k = 0; k < info->tangents; k++) {
        const double slip =
            carom_row_dot(&self->frame.tangent[k], state + self->dof) + self->frame.tangent_rate[k];
        square += slip * slip;
    }
    return sqrt(square) / carom_scales_speed(scales);
}

/* Of SECTIONS states over a period the one whose contacts are farthest from events, each relative to its own most. */
static int choose_section(carom_period_map *self, const carom_scales *scales, double t, double h,
                          const double *states, double *room)
{
    const int contacts = self->model->contacts;
    double *gap = room + (ptrdiff_t)SECTIONS * contacts, best = -1.0;
    int chosen = 0;
    for (int s = 0; s < SECTIONS; s++) {
        const double *state = states + (ptrdiff_t)s * self->size;
        if (contacts > 0)
            self->model->ops->gaps(self->work, t + h * s, state, gap);
        for (int c = 0; c < contacts; c++)
            room[s * contacts + c] = distance_of(self, scales, c, t + h * s, state, gap[c]);
    }
    for (int s = 0; s < SECTIONS; s++) {
        double least = 1.0;
        for (int c = 0; c < contacts; c++) {
            double most = 0.0;
            for (int other = 0; other < SECTIONS; other++)
                most = fmax(most, room[other * contacts + c]);
            if (most > no_distance)
                least = fmin(least, room[s * contacts + c] / most);
        }
        if (least > best) {
            best = least;
            chosen = s;
        }
    }
    return chosen;
}

/* ---- where nothing drives: the period ------------------------------------------------------------------------ */

/* Distance of two states, velocities in units of h. */
static double distance_between(const carom_period_map *self, double h, const double *a, const double *b)
{
    double square = 0.0;
    for (int i = 0; i < self->size; i++) {
        const double part = (a[i] - b[i]) * (i < self->dof ? 1.0 : SECTIONS * h / 6.0);
        square += part * part;
    }
    return sqrt(square);
}

/* The first time after which the motion is back at its first state, by a parabola through the distances; the guess where it
 * does not return. */
static carom_status find_return(carom_period_map *self, carom_stepper *run, double h, const double *first,
                                double *period, carom_error *error)
{
    double distance[RETURNS * SECTIONS + 1], most = 0.0;
    carom_status status = CAROM_OK;
    for (int k = 0; k <= RETURNS * SECTIONS && status == CAROM_OK; k++) {
        memcpy(self->x, run->state.q, (size_t)self->dof * sizeof(double));
        memcpy(self->x + self->dof, run->state.v, (size_t)self->dof * sizeof(double));
        distance[k] = distance_between(self, h, self->x, first);
        most = fmax(most, distance[k]);
        status = carom_stepper_step(run, error);
    }
    for (int k = 8; k < RETURNS * SECTIONS && status == CAROM_OK; k++) {
        const double a = distance[k - 1], b = distance[k], c = distance[k + 1];
        if (b > a || b > c || b > returned * most)
            continue;
        const double bend = a * a - 2.0 * b * b + c * c;
        *period = h * (k + (bend > 0.0 ? 0.5 * (a * a - c * c) / bend : 0.0));
        break;
    }
    return status;
}

static carom_status check_moves(const carom_period_map *self, double speed, const double *v,
                                carom_error *error)
{
    if (carom_largest(self->dof, v) > rest_speed * speed)
        return CAROM_OK;
    return carom_fail(error, CAROM_FAILED,
                      "the run comes to rest, and nothing drives the model: it has no cycle there; start it "
                      "elsewhere");
}

/* SECTIONS states from where the run is, over the period; *reach is the largest position. */
static carom_status take_sections(carom_period_map *self, carom_stepper *run, double *states, double *reach,
                                  carom_error *error)
{
    const int n = self->dof, size = self->size;
    carom_status status = CAROM_OK;
    *reach = 0.0;
    for (int s = 0; s < SECTIONS && status == CAROM_OK; s++) {
        memcpy(states + (ptrdiff_t)s * size, run->state.q, (size_t)n * sizeof(double));
        memcpy(states + (ptrdiff_t)s * size + n, run->state.v, (size_t)n * sizeof(double));
        *reach = fmax(*reach, carom_largest(n, run->state.q));
        status = carom_stepper_step(run, error);
    }
    return status;
}

static carom_status settle_run(carom_period_map *self, carom_stepper *run, double settle, carom_error *error)
{
    carom_status status = CAROM_OK;
    const double speed = fmax(carom_scales_speed(&run->scales), carom_largest(self->dof, run->state.v));
    for (double i = 0.0; status == CAROM_OK && i < ceil(settle) * SECTIONS; i += 1.0)
        status = carom_stepper_step(run, error);
    return status == CAROM_OK && !self->driven && settle > 0.0 ? check_moves(self, speed, run->state.v, error)
                                                               : status;
}

static carom_status take_guess(carom_period_map *self, carom_stepper *run, double *states, double *room,
                               carom_mapped *motion, carom_error *error)
{
    const int n = self->dof, size = self->size;
    const double period = map_period(self), h = period / SECTIONS, t = run->state.t;
    carom_status status = take_sections(self, run, states, &motion->reach, error);
    if (status != CAROM_OK)
        return status;
    const int chosen = choose_section(self, &run->scales, t, h, states, room);
    const double when = (t + h * chosen) / period;
    memcpy(motion->q, states + (ptrdiff_t)chosen * size, (size_t)n * sizeof(double));
    memcpy(motion->v, states + (ptrdiff_t)chosen * size + n, (size_t)n * sizeof(double));
    motion->phase = self->driven ? when - floor(when) : 0.0;
    motion->period = period;
    if (self->driven)
        return CAROM_OK;
    carom_stepper *again = NULL;
    memcpy(self->reference, motion->q, (size_t)n * sizeof(double));
    memcpy(self->reference + n, motion->v, (size_t)n * sizeof(double));
    status = map_begin_run(self, 0.0, h, self->reference, &again, error);
    if (status == CAROM_OK)
        status = find_return(self, again, h, self->reference, &motion->period, error);
    carom_stepper_free(again);
    return status;
}

carom_status carom_period_map_settle(carom_period_map *self, double start, const double *q0, const double *v0,
                                     double settle, carom_mapped *motion, carom_error *error)
{
    const size_t n = (size_t)self->dof, contacts = (size_t)self->model->contacts;
    carom_arena *arena = carom_arena_create();
    double *states =
        arena ? carom_arena_take(arena, (size_t)SECTIONS * (size_t)self->size, sizeof *states) : NULL;
    double *room =
        arena ? carom_arena_take(arena, (size_t)(SECTIONS + 1) * contacts + 1, sizeof *room) : NULL;
    carom_stepper *run = NULL;
    carom_status status = states && room ? CAROM_OK : carom_fail_memory(error);
    memcpy(self->x, q0, n * sizeof(double));
    memcpy(self->x + n, v0, n * sizeof(double));
    if (status == CAROM_OK)
        status = map_begin_run(self, start, map_period(self) / SECTIONS, self->x, &run, error);
    if (status == CAROM_OK)
        status = settle_run(self, run, settle, error);
    if (status == CAROM_OK)
        status = take_guess(self, run, states, room, motion, error);
    carom_stepper_free(run);
    carom_arena_free(arena);
    return status;
}
