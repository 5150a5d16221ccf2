/* The derivative of a step of bodies. Its impulses are defined by the laws of the points that carry them, and by the joints:
 *
 *   closed   u_N + shift_N = 0          sticks   u_T + shift_T = 0          slips   p_T + mu p_N (u_T + shift_T)/|..| = 0
 *   joints   G (theta v+ + (1 - theta) v) + g_t = 0
 *
 * With these statuses held they are differentiated; before and after them the step is made once more in numbers with a derivative
 * (replay.h), for every column. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "point_law.h"
#include "scheme/parts/step_tangent.h"

enum {
    WHY = 200,
    MOST_VELOCITIES = 400, /* of models that are taken */
    REFINEMENTS = 3,
};
/* Velocities that change by less, relative to what moves, do not: redundant contacts cannot tell such noise. */
static const double cancelled = 1e-14;
/* How well the laws are to be obeyed. */
static const double solved = 1e-14;
/* Derivatives that are smaller, relative to those of the state, are rounding. */
static const double rounding = 1e-9;

static const char contradiction[] =
    "contacts that act together hold each other: their equations have no derivative";

struct body_tangent {
    body_replay replay;
    step_tangent system;
    carom_arena *system_arena;
    size_t room;
    point_law *law;
    int unknowns, rows_of_points;
    double *idle;          /* a direction of the unknowns */
    bool *is_shared;       /* per watched pair: its impulse is one of many */
    bool exchanged;        /* impulses can be shared otherwise, along idle */
    bool refines;          /* columns are how far the laws are from being obeyed */
    double impulse, speed; /* the largest: what is small is measured by them */
    bool failed;
    char why[WHY];
};

/* ---- what has derivatives --------------------------------------------------------------------------------- */

carom_status body_tangent_accepts(const body_step *step, carom_error *error)
{
    const char *why = NULL;
    int velocities = 0;
    for (int i = 0; i < step->bodies->count; i++) {
        const carom_body *body = &step->bodies->body[i];
        if (body->shape && !carom_shape_has_slopes(body->shape))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "touches of cylinders, as body '%s' has one, have no derivatives", body->name);
        velocities += body->kind == CAROM_BODY_FREE ? (step->plane ? 3 : 6) : 0;
    }
    if (step->bodies->linked.coordinates + step->linked.count > 0)
        why = "coordinates beside bodies have no derivatives";
    else if (step->bodies->contacts > 0)
        why = "contacts of expressions beside bodies have no derivatives";
    else if (step->joints.guides > 0)
        why = "limits and motors of joints between bodies have no derivatives";
    else if (step->joints.count > 0 && step->options.corrects_start)
        why = "initial velocities of bodies that initial=project corrects have no derivatives";
    if (why)
        return carom_fail(error, CAROM_BAD_INPUT, "%s", why);
    if (velocities > MOST_VELOCITIES)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the bodies have %d velocities; derivatives of their steps are made for %d at most",
                          velocities, MOST_VELOCITIES);
    return CAROM_OK;
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

/* Without rolling and torsional friction there are no moments: their first bit begins on one side. */
static void look_at_rolling(carom_tangent *base, const body_step *step, int column)
{
    const carom_bodies along = carom_bodies_along(base->stepper->work, base->column[column].parameter);
    const int laws = step->bodies->materials * step->bodies->materials;
    for (int i = 0; i < laws; i++)
        if ((along.law[i].rolling != 0.0 && step->bodies->law[i].rolling == 0.0) ||
            (along.law[i].torsion != 0.0 && step->bodies->law[i].torsion == 0.0)) {
            carom_tangent_tell(base, base->stepper->t0,
                               "rolling or torsional friction of 0 begins on one side; taken: without it");
            return;
        }
}

carom_status body_tangent_create(carom_tangent *base, body_step *step, int theta_option,
                                 int prediction_option, body_tangent **out, carom_error *error)
{
    body_tangent *self = carom_arena_take(base->arena, 1, sizeof *self);
    *out = self;
    if (!self || !body_replay_take(&self->replay, base, step))
        return carom_fail_memory(error);
    self->is_shared = carom_arena_take(base->arena, (size_t)step->bodies->watched, sizeof *self->is_shared);
    if (!self->is_shared)
        return carom_fail_memory(error);
    self->replay.theta_option = theta_option;
    self->replay.prediction_option = prediction_option;
    /* driven bodies begin with the velocities that they are told */
    const carom_stepper *stepper = base->stepper;
    for (int c = 0; c < base->columns; c++) {
        base->t[c] = base->column[c].t0;
        carom_bodies_drive_along(stepper->work, stepper->t0, base->column[c].t0, base->column[c].parameter,
                                 stepper->state.v, carom_tangent_v(base, c));
        look_at_rolling(base, step, c);
    }
    return CAROM_OK;
}

void body_tangent_free(body_tangent *self)
{
    if (!self)
        return;
    carom_arena_free(self->system_arena);
    free(self->law);
    body_replay_free(&self->replay);
}

static bool take_laws(body_tangent *self)
{
    const size_t points = (size_t)self->replay.step->active + 1;
    if (points <= self->room)
        return true;
    point_law *larger = realloc(self->law, carom_product(2 * points, sizeof *larger));
    if (larger) {
        self->law = larger;
        self->room = 2 * points;
    }
    return larger != NULL;
}

static bool take_system(body_tangent *self)
{
    if (self->system_arena && self->unknowns <= self->system.room)
        return true;
    carom_arena_free(self->system_arena);
    self->system_arena = carom_arena_create();
    const int room = self->unknowns + self->unknowns / 2 + 8;
    if (!self->system_arena ||
        !step_tangent_take(&self->system, self->system_arena, room, self->replay.base->columns))
        return false;
    self->idle = carom_arena_take(self->system_arena, (size_t)room, sizeof *self->idle);
    return self->idle != NULL;
}

/* ---- statuses ------------------------------------------------------------------------------------------------ */

static bool is_same_pair(const body_point *a, const body_point *b)
{
    return a->a == b->a && a->b == b->b;
}

/* Where two bodies touch at several points, friction may be shared among these in many ways: one of them that cannot hold more
 * decides nothing while others can. */
static void look_at_shared_friction(body_tangent *self)
{
    const body_step *step = self->replay.step;
    for (int i = 0; i < step->active; i++) {
        point_law *law = &self->law[i];
        for (int k = 0; law->at_bound && k < step->active && law->other; k++)
            if (self->law[k].friction[0] == FRICTION_STICKS && !self->law[k].at_bound &&
                is_same_pair(&step->point[i], &step->point[k]))
                law->other = NULL;
    }
}

static void read_laws(body_tangent *self)
{
    const body_step *step = self->replay.step;
    self->impulse = 0.0;
    self->speed = step->scale_speed;
    for (int i = 0; i < step->active; i++) {
        self->impulse = fmax(self->impulse, step->impulse[3 * i]);
        self->speed = fmax(self->speed, fmax(fabs(step->point[i].before[0]),
                                             hypot(step->point[i].before[1], step->point[i].before[2])));
    }
    self->unknowns = 0;
    for (int i = 0; i < step->active; i++)
        point_law_read(&self->replay, i, self->impulse, self->speed, &self->law[i]);
    point_laws_reduce(&self->replay, self->law);
    for (int i = 0; i < step->active; i++) {
        self->law[i].first = self->unknowns;
        self->unknowns += self->law[i].rows;
    }
    look_at_shared_friction(self);
    self->rows_of_points = self->unknowns;
    self->unknowns += self->replay.joints;
}

/* Sizes of the unknowns: impulses, and moments at the model's length. */
static void size_unknowns(body_tangent *self)
{
    const body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    const carom_scales *scales = &replay->base->stepper->scales;
    const double impulse = scales->mass * carom_scales_speed(scales);
    for (int i = 0; i < step->active; i++)
        for (int k = 0; k < self->law[i].rows; k++) {
            const int at = self->law[i].first + k;
            step_tangent_size(&self->system, at, at + 1,
                              self->law[i].component[k] < 3 ? impulse : impulse * scales->length);
        }
    for (int j = 0; j < replay->joints; j++) {
        const int at = self->rows_of_points + j;
        double row = 0.0; /* what it changes by where bodies move by the length and turn by a radian */
        for (int k = step->bodies->joint_start[j]; k < step->bodies->joint_start[j + 1]; k++)
            row = fmax(row, fabs(creal(replay->rows.entry[k])) *
                                (step->joints.entry_place[k] < 3 ? scales->length : 1.0));
        step_tangent_size(&self->system, at, at + 1, row > 0.0 ? impulse * scales->length / row : impulse);
    }
}

/* ---- equations ---------------------------------------------------------------------------------------------- */

/* lift := the velocities that impulses dz give, with the rows of the step. */
static void push_all(body_tangent *self, const double *dz)
{
    body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    double given[6];
    for (int i = 0; i < step->bodies->count; i++)
        memset(replay->body[i].lift, 0, sizeof replay->body[i].lift);
    for (int i = 0; i < step->active; i++)
        for (int side = 0; side < 2; side++) {
            const int body = step->row[i].body[side];
            const double sign = side == 0 ? 1.0 : -1.0;
            for (int k = 0; body >= 0 && k < self->law[i].rows; k++) {
                carom_dual push[6];
                body_replay_point_push(replay, i, self->law[i].component[k], side, push);
                for (int c = 0; c < 6; c++)
                    replay->body[body].lift[c] += sign * dz[self->law[i].first + k] * creal(push[c]);
            }
        }
    for (int j = 0; j < replay->joints; j++)
        for (int k = step->bodies->joint_start[j]; k < step->bodies->joint_start[j + 1]; k++)
            replay->body[step->joints.block[step->joints.entry_block[k]].body]
                .lift[step->joints.entry_place[k]] +=
                dz[self->rows_of_points + j] * creal(replay->rows.entry[k]);
    for (int i = 0; i < step->bodies->count; i++) {
        replay_body *body = &replay->body[i];
        const bool free = step->bodies->body[i].kind == CAROM_BODY_FREE;
        for (int k = 0; k < 6; k++)
            given[k] = creal(body->lift[k]);
        for (int k = 0; k < 3; k++) {
            body->lift[k] = free ? creal(body->inverse_mass) * given[k] : 0.0;
            body->lift[3 + k] = free ? carom_dot(3, body->reply + 3 * (ptrdiff_t)k, given + 3) : 0.0;
        }
    }
}

static void residual_of_impulses(body_tangent *self, const double *dz, double *residual)
{
    const body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    push_all(self, dz);
    for (int i = 0; i < step->active; i++) {
        const point_law *law = &self->law[i];
        carom_dual du[REPLAY_COMPONENTS], u[REPLAY_COMPONENTS], p[REPLAY_COMPONENTS], row[REPLAY_COMPONENTS];
        body_replay_point_motion(replay, i, REPLAY_LIFT, du);
        for (int k = 0; k < REPLAY_COMPONENTS; k++) {
            u[k] = carom_dual_of(law->u[k], creal(du[k]));
            p[k] = law->p[k];
        }
        for (int k = 0; k < law->rows; k++)
            p[law->component[k]] = carom_dual_of(law->p[law->component[k]], dz[law->first + k]);
        point_law_rows(law, &replay->point[i], p, u, row);
        for (int k = 0; k < law->rows; k++)
            residual[law->first + k] = carom_dual_slope(row[k]);
    }
    for (int j = 0; j < replay->joints; j++)
        residual[self->rows_of_points + j] =
            creal(replay->theta * body_replay_joint_velocity(replay, j, REPLAY_LIFT));
}

/* With the impulses held. */
static void residual_of_column(body_tangent *self, int column, double *residual)
{
    body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    memset(residual, 0, (size_t)self->unknowns * sizeof *residual);
    if (self->failed || !body_replay_begin(replay, column, self->why) || !body_replay_velocities(replay)) {
        self->failed = true;
        return;
    }
    const double size = body_replay_size(replay);
    for (int i = 0; i < step->active; i++) {
        const point_law *law = &self->law[i];
        carom_dual u[REPLAY_COMPONENTS], row[REPLAY_COMPONENTS];
        body_replay_point_motion(replay, i, REPLAY_END, u);
        for (int k = 0; k < 3; k++)
            u[k] += replay->point[i].shift[k];
        point_law_rows(law, &replay->point[i], replay->point[i].r, u, row);
        for (int k = 0; k < law->rows; k++) {
            const double slope = carom_dual_slope(row[k]);
            const double unit = law->component[k] < 3 ? 1.0 : replay->base->stepper->scales.length;
            const bool is_noise = law->is_velocity[k] && unit * fabs(slope) <= cancelled * size;
            residual[law->first + k] = is_noise ? 0.0 : slope;
        }
    }
    for (int j = 0; j < replay->joints; j++)
        residual[self->rows_of_points + j] = carom_dual_slope(body_replay_joint_rest(replay, j));
}

/* How far laws and joints are from being obeyed, to self->idle. Returns the largest, relative to impulses and velocities. */
static double find_rest(body_tangent *self)
{
    const body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    const double length = replay->base->stepper->accounts.length;
    double worst = 0.0;
    for (int i = 0; i < step->active; i++) {
        const point_law *law = &self->law[i];
        carom_dual u[REPLAY_COMPONENTS], row[REPLAY_COMPONENTS];
        for (int k = 0; k < REPLAY_COMPONENTS; k++)
            u[k] = law->u[k];
        point_law_rows(law, &replay->point[i], replay->point[i].r, u, row);
        for (int k = 0; k < law->rows; k++) {
            const double unit = law->component[k] < 3 ? 1.0 : length;
            self->idle[law->first + k] = creal(row[k]);
            worst = fmax(worst, fabs(creal(row[k])) /
                                    (law->is_velocity[k] ? self->speed / unit : self->impulse * unit));
        }
    }
    for (int j = 0; j < replay->joints; j++)
        self->idle[self->rows_of_points + j] = creal(body_replay_joint_rest(replay, j));
    return worst;
}

static void residual_along(void *context, const step_direction *direction, double *residual)
{
    body_tangent *self = context;
    const carom_tangent *base = self->replay.base;
    if (direction->z)
        residual_of_impulses(self, direction->z, residual);
    else if (self->refines)
        memcpy(residual, self->idle, (size_t)self->unknowns * sizeof *residual);
    else
        residual_of_column(self, (int)((direction->before - base->numbers) / base->size), residual);
}

/* ---- breaks ---------------------------------------------------------------------------------------------------- */

static const char *pair_of(const body_tangent *self, int i, char *text, size_t size)
{
    const body_step *step = self->replay.step;
    return carom_bodies_pair_name(step->bodies, step->point[i].a, step->point[i].b, text, size);
}

/* A gap that is zero to rounding and changes: on one side the contact acts as it does, on the other it does not, or later. */
static void look_at_gap(body_tangent *self, int i)
{
    const body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    carom_tangent *base = replay->base;
    char pair[120];
    if (body_replay_just_touches(replay, replay->point[i].gap))
        carom_tangent_tell(base, base->t_before,
                           "bodies %s have gap 0 where the step looks: they push on one side only; taken: "
                           "the side on which they %s",
                           pair_of(self, i, pair, sizeof pair), i < step->active ? "do" : "do not");
}

/* Others can take over its impulse, so that its status decides nothing. */
static bool is_exchanged(const body_tangent *self, const point_law *law)
{
    double most = 0.0;
    for (int k = 0; self->exchanged && k < law->rows; k++)
        most = fmax(most, fabs(self->idle[law->first + k]));
    return law->is_reduced || most > 1e-8;
}

/* Does the other status of a point have other derivatives? With the impulses' derivatives in the replay. */
static void look_at_status(body_tangent *self, int i, const double *dz, double size)
{
    const point_law *law = &self->law[i];
    carom_tangent *base = self->replay.base;
    carom_dual u[3];
    double found = 0.0;
    char pair[120];
    if (!law->other || is_exchanged(self, law))
        return;
    body_replay_point_velocity(&self->replay, i, REPLAY_END, u);
    if (law->open)
        found = fabs(carom_dual_slope(u[0] + self->replay.point[i].shift[0]));
    double impulse = 0.0; /* relative to its own: what is about to open or to slip changes at all */
    for (int k = 0; k < law->rows; k++)
        impulse = fmax(impulse, fabs(dz[law->first + k]) /
                                    (law->component[k] < 3 ? 1.0 : base->stepper->scales.length));
    if (found > rounding * size || impulse * self->speed > rounding * size * fabs(law->p[0]))
        carom_tangent_tell(base, base->stepper->state.t,
                           "bodies %s: a contact %s on one side, and not on the other; taken: the side on "
                           "which it does not",
                           pair_of(self, i, pair, sizeof pair), law->other);
}

/* Rows that were left out say the same as the others, or there is no derivative. */
static void look_at_reduced(body_tangent *self, int i, double size)
{
    const point_law *law = &self->law[i];
    carom_tangent *base = self->replay.base;
    carom_dual u[3];
    double most = 0.0;
    if (!law->is_reduced)
        return;
    body_replay_point_velocity(&self->replay, i, REPLAY_END, u);
    for (int k = 0; k < (law->friction[0] == FRICTION_STICKS ? 3 : 1); k++)
        most = fmax(most, fabs(carom_dual_slope(u[k] + self->replay.point[i].shift[k])));
    if (most > 1e-8 * size)
        carom_tangent_tell(base, base->stepper->state.t, "%s", contradiction);
}

/* ---- the step --------------------------------------------------------------------------------------------------- */

static bool is_watched(const int watched[2], const body_point *point)
{
    if (watched[1] < 0)
        return point->a == watched[0] || point->b == watched[0];
    return (point->a == watched[0] && point->b == watched[1]) ||
           (point->a == watched[1] && point->b == watched[0]);
}

/* Derivatives of the impulses that the state has of watched pairs. */
static void take_watched(const body_tangent *self, int column)
{
    const body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    const ptrdiff_t numbers = CAROM_CONTACT_COMPONENTS * (ptrdiff_t)replay->base->stepper->contacts;
    double *impulse = replay->base->impulse + column * numbers;
    memset(impulse, 0, (size_t)numbers * sizeof *impulse);
    for (int w = 0; w < step->bodies->watched; w++)
        for (int i = 0; i < step->active; i++) {
            const carom_dual *r = replay->point[i].r;
            const carom_dual square = r[1] * r[1] + r[2] * r[2];
            if (!is_watched(step->bodies->watched_pair[w], &step->point[i]))
                continue;
            impulse[3 * w] += carom_dual_slope(r[0]);
            if (is_exchanged(self, &self->law[i]))
                impulse[3 * w + 1] = NAN; /* how points share friction is not decided */
            else if (creal(square) > 0.0)
                impulse[3 * w + 1] += carom_dual_slope(csqrt(square));
        }
    for (int w = 0; w < step->bodies->watched; w++)
        if (self->is_shared[w])
            impulse[3 * w] = impulse[3 * w + 1] = NAN; /* another one would do as well */
}

static void take_column(const body_tangent *self, int column)
{
    const body_replay *replay = &self->replay;
    const carom_bodies *bodies = replay->step->bodies;
    carom_tangent *base = replay->base;
    double *q = carom_tangent_q(base, column), *v = carom_tangent_v(base, column);
    const bool plane = replay->step->plane;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        for (int k = 0; body->q >= 0 && k < (plane ? 3 : 7); k++)
            q[body->q + k] = carom_dual_slope(replay->body[i].position[k]);
        for (int k = 0; body->v >= 0 && k < (plane ? 3 : 6); k++)
            v[body->v + k] = carom_dual_slope(replay->body[i].final[plane && k == 2 ? 5 : k]);
    }
    for (int j = 0; j < replay->joints; j++)
        base->reaction[column * replay->joints + j] = carom_dual_slope(replay->lambda[j]);
    take_watched(self, column);
    base->t[column] += base->column[column].h;
}

static bool finish_column(body_tangent *self, int column)
{
    body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    const double *dz = step_tangent_solution(&self->system, column);
    body_step_find_islands(replay->step, step->active);
    if (!body_replay_begin(replay, column, self->why))
        return false;
    for (int i = 0; i < step->count; i++)
        look_at_gap(self, i);
    for (int i = 0; i < step->active; i++)
        for (int k = 0; k < self->law[i].rows; k++)
            replay->point[i].r[self->law[i].component[k]] = carom_dual_of(
                creal(replay->point[i].r[self->law[i].component[k]]), dz[self->law[i].first + k]);
    for (int j = 0; j < replay->joints; j++)
        replay->lambda[j] = carom_dual_of(creal(replay->lambda[j]), dz[self->rows_of_points + j]);
    if (!body_replay_velocities(replay))
        return false;
    const double size = body_replay_size(replay);
    for (int i = 0; i < step->active; i++) {
        look_at_status(self, i, dz, size);
        look_at_reduced(self, i, size);
    }
    if (!body_replay_end(replay, self->why))
        return false;
    take_column(self, column);
    return true;
}

/* Impulses that redundant contacts share as they like change no velocity, unless some slip: which of them push then says how much
 * they slow each other down. self->exchanged: there are such, and idle is how. */
static bool is_velocity_unique(body_tangent *self)
{
    body_replay *replay = &self->replay;
    const carom_bodies *bodies = replay->step->bodies;
    double size[2] = {0.0, 0.0}; /* of velocities: any, and those of a direction without effect on the laws */
    const double length = replay->base->stepper->scales.length;
    double changed = 0.0;
    self->exchanged = false;
    for (int c = 0; c < replay->base->columns; c++)
        changed = fmax(changed, carom_largest(self->unknowns, step_tangent_solution(&self->system, c)));
    if (!self->system.singular || !body_replay_begin(replay, -1, self->why) ||
        !body_replay_velocities(replay))
        return true;
    self->exchanged = true;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < self->unknowns; i++)
            self->idle[i] = pass == 1 ? step_tangent_idle(&self->system)[i] : self->system.column_scale[i];
        push_all(self, self->idle);
        for (int i = 0; i < bodies->count; i++)
            for (int k = 0; k < 6; k++)
                size[pass] = fmax(size[pass], fabs(creal(replay->body[i].lift[k])) * (k < 3 ? 1.0 : length));
    }
    for (int i = 0; i < self->unknowns; i++) /* relative to the unknowns' own sizes */
        self->idle[i] /= self->system.column_scale[i];
    return changed == 0.0 || size[1] <= 1e-8 * size[0];
}

/* Watched impulses that others can take over: which derivative they have is not decided. idle is such an exchange. */
static void look_at_shared_impulses(body_tangent *self)
{
    const body_step *step = self->replay.step;
    for (int w = 0; w < step->bodies->watched; w++) {
        double sum = 0.0;
        for (int i = 0; self->exchanged && i < step->active; i++)
            for (int k = 0; k < self->law[i].rows; k++)
                if (self->law[i].component[k] == 0 &&
                    is_watched(step->bodies->watched_pair[w], &step->point[i]))
                    sum += self->idle[self->law[i].first + k];
        self->is_shared[w] = fabs(sum) > 1e-8;
    }
}

/* Redundant laws whose derivatives contradict each other, by more than rounding. */
static bool is_contradictory(const body_tangent *self)
{
    const carom_tangent *base = self->replay.base;
    const step_tangent *system = &self->system;
    if (!system->singular || !(system->mismatch > 1e-8))
        return false;
    double size = 0.0;
    for (int c = 0; c < base->columns; c++)
        size = fmax(size, body_replay_size_before(&self->replay, c));
    return system->mismatch * carom_largest(base->columns * self->unknowns, system->kept_right) >
           1e-12 * size / carom_scales_speed(&base->stepper->scales);
}

static void lose(body_tangent *self)
{
    carom_tangent *base = self->replay.base;
    carom_tangent_tell(base, base->t_before, "%s",
                       self->why[0] ? self->why : "the step of the bodies has no derivatives there");
    base->lost = true;
}

/* A contact problem that was solved to its tolerance is solved to rounding, with its statuses held: what slips slowly has large
 * derivatives. False: no derivatives. */
static bool refine(body_tangent *self)
{
    body_replay *replay = &self->replay;
    const body_step *step = replay->step;
    bool bends = false; /* laws that are not linear: a direction of slip */
    for (int i = 0; i < step->active && !step->plane; i++)
        for (int f = 0; f < FRICTIONS; f++)
            bends = bends || self->law[i].friction[f] == FRICTION_SLIPS;
    for (int pass = 0; bends && pass < REFINEMENTS && find_rest(self) > solved; pass++) {
        self->refines = true;
        const bool found =
            step_tangent_solve(&self->system, replay->base, self->unknowns, residual_along, self);
        self->refines = false;
        if (!found)
            return false;
        const double *change = step_tangent_solution(&self->system, 0);
        for (int i = 0; i < step->active; i++)
            for (int k = 0; k < self->law[i].rows; k++)
                replay->impulse[REPLAY_COMPONENTS * i + self->law[i].component[k]] +=
                    change[self->law[i].first + k];
        for (int j = 0; j < replay->joints; j++)
            replay->reaction[j] += change[self->rows_of_points + j];
        if (!body_replay_begin(replay, -1, self->why) || !body_replay_velocities(replay))
            return false;
        for (int i = 0; i < step->active; i++)
            point_law_read_values(replay, i, &self->law[i]);
    }
    return true;
}

carom_status body_tangent_step(body_tangent *self, carom_error *error)
{
    body_replay *replay = &self->replay;
    carom_tangent *base = replay->base;
    self->why[0] = '\0';
    self->failed = false;
    if (!body_replay_grow(replay) || !take_laws(self))
        return carom_fail_memory(error);
    body_step_find_islands(replay->step,
                           replay->step->active); /* those of the impulses, not of the projection */
    if (!body_replay_begin(replay, -1, self->why) || !body_replay_velocities(replay)) {
        lose(self);
        return CAROM_OK;
    }
    read_laws(self);
    if (self->unknowns > STEP_TANGENT_MOST) {
        snprintf(self->why, sizeof self->why, "the step has %d unknowns; derivatives are made for %d at most",
                 self->unknowns, STEP_TANGENT_MOST);
        lose(self);
        return CAROM_OK;
    }
    if (!take_system(self))
        return carom_fail_memory(error);
    size_unknowns(self);
    if (!refine(self) || !step_tangent_solve(&self->system, base, self->unknowns, residual_along, self) ||
        self->failed) {
        if (self->system.no_memory)
            return carom_fail_memory(error);
        lose(self);
        return CAROM_OK;
    }
    if (is_contradictory(self))
        carom_tangent_tell(base, base->stepper->state.t, "%s", contradiction);
    const bool unique = is_velocity_unique(self);
    look_at_shared_impulses(self);
    if (!unique)
        carom_tangent_tell(base, base->stepper->state.t,
                           "contacts that slip share their impulses in one of many ways, and so velocities; "
                           "taken: the smallest change");
    for (int c = 0; c < base->columns; c++)
        if (!finish_column(self, c)) {
            lose(self);
            return CAROM_OK;
        }
    return CAROM_OK;
}
