/* Derivatives of an event-driven-linear motion: from output to output event-driven goes once more from where the motion is, with its
 * variational equations and jumps. Nothing but the columns is carried, so that the two motions cannot come apart, and
 * one that is taken up again has the same bits. */
#include "linear_along.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const carom_scheme_ops scheme_event_driven;

const char *const linear_zeno_choices[] = {"stop", "continue", NULL};

/* How far both motions may be apart after one output interval, relative to the largest number of their kind and at least to the
 * length or the speed of the model. */
static const double apart = 1e-6;

typedef struct linear_along {
    carom_tangent tangent;        /* first: the handle of the caller */
    carom_tangent_column *column; /* of the interval under way */
    int told;                     /* events of the interval, as event-driven has them */
} linear_along;

carom_status linear_helper_create(const carom_stepper *stepper, double t, double t_end, const double *q,
                                  const double *v, carom_stepper **helper, carom_error *error)
{
    const bool closes = stepper->option[LINEAR_OPTION_ZENO] != 0.0;
    const carom_option option[] = {{"vtol", stepper->option[LINEAR_OPTION_VTOL], NULL},
                                   {"max_events", stepper->option[LINEAR_OPTION_MAX_EVENTS], NULL},
                                   {"zeno", 0.0, linear_zeno_choices[closes]},
                                   {0}};
    const carom_step_settings settings = {
        .h = t_end - t, .t0 = t, .option = option, .no_works = stepper->no_works};
    const carom_status status =
        carom_stepper_create(&scheme_event_driven, stepper->work, &settings, q, v, helper, error);
    if (status == CAROM_OK)
        (*helper)->stop = stepper->stop;
    return status;
}

/* ---- one output interval ---------------------------------------------------------------------------------------- */

static void count_event(void *context, const carom_event *event)
{
    (void)event;
    ((linear_along *)context)->told++;
}

/* The columns where the interval begins; the time of that output may move, too. */
static void set_columns(linear_along *self)
{
    const carom_tangent *tangent = &self->tangent;
    const bool last = tangent->stepper->state.t == tangent->stepper->end;
    for (int c = 0; c < tangent->columns; c++)
        self->column[c] =
            (carom_tangent_column){.q0 = carom_tangent_q(tangent, c),
                                   .v0 = carom_tangent_v(tangent, c),
                                   .parameter = tangent->column[c].parameter,
                                   .t0 = tangent->t[c],
                                   .h = last ? tangent->column[c].end - tangent->t[c] : tangent->column[c].h};
}

/* Times of events belong to those that the listener was told of only where both schemes have found the same ones. */
static carom_status take_times(linear_along *self, const carom_tangent *from, carom_error *error)
{
    carom_tangent *tangent = &self->tangent;
    const int told = linear_events_told(tangent->stepper);
    const bool same = told == from->events && told == self->told;
    tangent->events = 0;
    for (int i = 0; i < told; i++) {
        double *time = carom_tangent_add_event(tangent);
        if (!time)
            return carom_fail_memory(error);
        for (int c = 0; c < tangent->columns; c++)
            time[c] = same ? from->event_time[(ptrdiff_t)i * tangent->columns + c] : NAN;
    }
    return CAROM_OK;
}

static void compare(carom_tangent *tangent, const carom_state *other)
{
    const carom_stepper *stepper = tangent->stepper;
    const carom_state *state = &stepper->state;
    const double *mine[2] = {state->q, state->v}, *theirs[2] = {other->q, other->v};
    for (int k = 0; k < 2; k++) {
        const double unit = k == 0 ? stepper->scales.length : carom_scales_speed(&stepper->scales);
        const double size = fmax(unit, carom_largest(stepper->dof, mine[k]));
        for (int i = 0; i < stepper->dof; i++)
            if (!(fabs(mine[k][i] - theirs[k][i]) <= apart * size)) {
                carom_tangent_tell(tangent, state->t,
                                   "rounding decides which way the motion goes here: event-driven goes "
                                   "another one than event-driven-linear; taken: that of event-driven");
                return;
            }
    }
}

static carom_status take(linear_along *self, carom_tangent *from, carom_error *error)
{
    carom_tangent *tangent = &self->tangent;
    const size_t numbers = (size_t)tangent->columns * (size_t)tangent->size;
    const size_t impulses =
        (size_t)tangent->columns * CAROM_CONTACT_COMPONENTS * (size_t)tangent->stepper->contacts;
    for (int i = 0; i < from->breaks && i < CAROM_BREAKS_KEPT; i++)
        carom_tangent_tell(tangent, from->kept[i].t, "%s", from->kept[i].why);
    tangent->lost = from->lost;
    memcpy(tangent->numbers, from->numbers, numbers * sizeof(double));
    memcpy(tangent->impulse, from->impulse, impulses * sizeof(double));
    memcpy(tangent->t, from->t, (size_t)tangent->columns * sizeof(double));
    compare(tangent, &from->stepper->state);
    return take_times(self, from, error);
}

static carom_status step(carom_tangent *tangent, carom_error *error)
{
    linear_along *self = (linear_along *)tangent;
    const carom_stepper *stepper = tangent->stepper;
    carom_stepper *helper = NULL;
    carom_tangent *along = NULL;
    self->told = 0;
    set_columns(self);
    carom_status status = linear_helper_create(stepper, tangent->t_before, stepper->state.t,
                                               tangent->q_before, tangent->v_before, &helper, error);
    if (status == CAROM_OK && stepper->listener.take)
        helper->listener = (carom_event_listener){.context = self, .take = count_event};
    if (status == CAROM_OK)
        status = carom_tangent_create(helper, tangent->columns, self->column, &along, error);
    if (status == CAROM_OK)
        status = carom_tangent_step(along, error);
    if (status == CAROM_OK)
        status = take(self, along, error);
    carom_tangent_free(along);
    if (helper)
        carom_stepper_free(helper);
    return status;
}

/* ---- life ----------------------------------------------------------------------------------------------------------- */

static carom_status setup(carom_tangent *tangent, carom_error *error)
{
    linear_along *self = (linear_along *)tangent;
    const size_t columns = (size_t)tangent->columns;
    self->column = carom_arena_take(tangent->arena, columns, sizeof *self->column);
    return self->column ? CAROM_OK : carom_fail_memory(error);
}

const carom_tangent_ops linear_along_ops = {
    .bytes = sizeof(linear_along),
    .setup = setup,
    .step = step,
};
