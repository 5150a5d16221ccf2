/* Steps of several motions side by side: those of moreau_jean.c, operation for operation, so that every lane has the bits that its
 * motion has alone.
 *
 *   gaps at the predicted positions: each lane is free or has one closed contact without friction
 *   Newton's method for v, all lanes at once; lanes that have it wait for the others
 *
 * What is rare leaves, and is made by the step for one motion from the same state: several contacts and friction, a number that is not
 * finite, a matrix that has no factors, an iteration that needs another matrix or does not settle, the first step after a contact. */
#include <float.h>

#include "jean_lanes.h"

enum {
    ITERATIONS_MOST = 8 /* Newton's method needs two or three */
};

/* How the lanes of a step go on. */
typedef struct lane_course {
    carom_wide_mask running, done;
    carom_wide_mask known;    /* of those that are done: force_old is that of the end */
    carom_wide_mask touching; /* they have a closed contact */
    carom_wide_mask steady;   /* its rows, if any, depend on nothing that the step changes */
} lane_course;

/* ---- Newton matrices ------------------------------------------------------------------------------------- */

/* As carom_lu_factor: pivots of each lane are its own. *bad: lanes whose matrix is not finite or has no factors. */
CAROM_WIDE_PART void factor_wide(jean_lanes *self, const int n, carom_wide_mask *bad)
{
    carom_wide *a = self->factor;
    *bad = (carom_wide_mask){0};
    for (int i = 0; i < n * n; i++) {
        *bad |= ~CAROM_WIDE_IS_FINITE(self->matrix[i]);
        a[i] = self->matrix[i];
    }
    for (int k = 0; k < n; k++) {
        carom_wide largest = CAROM_WIDE_ABS(a[k * n + k]);
        for (int i = k + 1; i < n; i++) { /* the first of the largest */
            const carom_wide size = CAROM_WIDE_ABS(a[i * n + k]);
            const carom_wide_mask larger = size > largest;
            largest = CAROM_WIDE_CHOOSE(larger, size, largest);
            for (int j = k + 1; j < i; j++)
                self->exchanged[k * n + j] &= ~larger;
            self->exchanged[k * n + i] = larger;
        }
        for (int i = k + 1; i < n; i++) {
            const carom_wide_mask with = self->exchanged[k * n + i];
            for (int j = 0; j < n; j++) {
                const carom_wide head = a[k * n + j], row = a[i * n + j];
                a[k * n + j] = CAROM_WIDE_CHOOSE(with, row, head);
                a[i * n + j] = CAROM_WIDE_CHOOSE(with, head, row);
            }
        }
        *bad |= ~(largest > 0.0);
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] += -a[i * n + k] * a[k * n + j];
        }
    }
}

/* As carom_lu_solve, which of a matrix that happens to be diagonal is the division by it, too. */
CAROM_WIDE_PART void solve_wide(const jean_lanes *self, const int n, carom_wide *x)
{
    if (self->newton_diagonal || n == 1) {
        for (int i = 0; i < n; i++)
            x[i] /= self->matrix[i * n + i];
        return;
    }
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            const carom_wide_mask with = self->exchanged[k * n + i];
            const carom_wide one = x[k], other = x[i];
            x[k] = CAROM_WIDE_CHOOSE(with, other, one);
            x[i] = CAROM_WIDE_CHOOSE(with, one, other);
        }
    for (int i = 1; i < n; i++) {
        carom_wide sum = {0};
        for (int j = 0; j < i; j++)
            sum += self->factor[i * n + j] * x[j];
        x[i] -= sum;
    }
    for (int i = n - 1; i >= 0; i--) {
        carom_wide sum = {0};
        for (int j = i + 1; j < n; j++)
            sum += self->factor[i * n + j] * x[j];
        x[i] = (x[i] - sum) / self->factor[i * n + i];
    }
}

/* M + h theta C + h^2 theta^2 K, its symmetric part where there is a contact, and its factors. */
CAROM_WIDE_PART void make_newton(jean_lanes *self, const int n, const carom_wide_mask *touching,
                                 carom_wide_mask *bad)
{
    const int next = self->newton_diagonal ? n + 1 : 1;
    const carom_wide by_velocity = *self->h * self->theta, by_position = by_velocity * by_velocity;
    for (int i = 0; i < n * n; i += next)
        self->matrix[i] = self->mass[i] - by_velocity * self->by_u[i] - by_position * self->by_q[i];
    if (!self->newton_diagonal && n > 1) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                carom_wide *lower = &self->matrix[i * n + j], *upper = &self->matrix[j * n + i];
                const carom_wide_mask unequal = *touching & ~(*lower == *upper);
                const carom_wide mean = 0.5 * (*lower + *upper);
                *lower = CAROM_WIDE_CHOOSE(unequal, mean, *lower);
                *upper = CAROM_WIDE_CHOOSE(unequal, mean, *upper);
            }
        factor_wide(self, n, bad);
        return;
    }
    *bad = (carom_wide_mask){0};
    for (int i = 0; i < n * n; i += n + 1)
        *bad |= ~(CAROM_WIDE_ABS(self->matrix[i]) > 0.0) | ~CAROM_WIDE_IS_FINITE(self->matrix[i]);
}

/* ---- contacts ----------------------------------------------------------------------------------------------- */

/* row . x of the normal of a contact, as carom_row_dot. */
CAROM_WIDE_PART void normal_dot(const carom_contact_info *info, const carom_wide *normal, const carom_wide *x,
                                carom_wide *sum)
{
    const carom_row_pattern *pattern = &info->row[0];
    *sum = (carom_wide){0};
    for (int i = 0; i < pattern->count; i++)
        *sum += normal[i] * x[pattern->column ? pattern->column[i] : i];
}

/* Which contact is closed at the predicted position. Lanes with several, with friction, or with a gap that is no number stop. */
CAROM_WIDE_PART void find_contacts(jean_lanes *self, const int n, lane_course *course)
{
    const carom_model *model = self->model->model;
    *self->contact = (carom_wide){0} + (double)NO_CONTACT;
    course->touching = (carom_wide_mask){0};
    course->steady = ~(carom_wide_mask){0};
    if (self->contacts == 0)
        return;
    for (int i = 0; i < n; i++)
        self->q[i] = self->q_old[i] + self->prediction * *self->h * self->v_old[i];
    model->ops->wide->gaps(self->model, self->t_ahead, self->q, self->gap);
    for (int k = 0; k < self->contacts; k++) {
        const carom_contact_info *info = &model->contact[k];
        const carom_wide gap = self->gap[k];
        const carom_wide_mask closed = ~(gap > 0.0);
        course->running &= CAROM_WIDE_IS_FINITE(gap) & ~(closed & course->touching);
        /* contact_stays decides for one motion */
        course->running &=
            closed | ~((*self->past_contact == (double)k) | (*self->past_contact == (double)SEVERAL));
        if (info->tangents > 0)
            course->running &= ~closed;
        course->touching |= closed;
        if (!info->constant_rows)
            course->steady &= ~closed;
        *self->contact = CAROM_WIDE_CHOOSE(closed, (carom_wide){0} + (double)k, *self->contact);
    }
    course->touching &= course->running;
}

/* Lanes whose closed contact is number k. */
#define AT_CONTACT(self, course, k) ((course)->running & (*(self)->contact == (double)(k)))

/* -restitution times the normal velocity before. */
CAROM_WIDE_PART void find_targets(jean_lanes *self, lane_course *course)
{
    const carom_model *model = self->model->model;
    *self->target = (carom_wide){0};
    for (int k = 0; k < self->contacts; k++) {
        const carom_contact_info *info = &model->contact[k];
        const carom_wide_mask here = AT_CONTACT(self, course, k);
        if (CAROM_WIDE_BITS(here) == 0)
            continue;
        const carom_wide_frame frame = model->ops->wide->frame(self->model, k, self->t, self->q_old);
        const carom_wide restitution = info->has_restitution ? *frame.restitution : (carom_wide){0};
        carom_wide velocity;
        normal_dot(info, frame.normal, self->v_old, &velocity);
        velocity += *frame.normal_rate;
        *self->target = CAROM_WIDE_CHOOSE(here, -restitution * velocity, *self->target);
        course->running &= ~here | ((restitution >= 0.0) & (restitution <= 1.0));
    }
}

/* Rows and responses at the iterate, as evaluate_rows. */
CAROM_WIDE_PART void find_rows(jean_lanes *self, const int n, lane_course *course)
{
    const carom_model *model = self->model->model;
    for (int k = 0; k < self->contacts; k++) {
        const carom_contact_info *info = &model->contact[k];
        const carom_row_pattern *pattern = &info->row[0];
        const carom_wide_mask here = AT_CONTACT(self, course, k);
        if (CAROM_WIDE_BITS(here) == 0)
            continue;
        const carom_wide_frame frame = model->ops->wide->frame(self->model, k, self->t_end, self->q);
        for (int i = 0; i < n; i++)
            self->row[i] = (carom_wide){0};
        for (int i = 0; i < pattern->count; i++)
            self->row[pattern->column ? pattern->column[i] : i] = frame.normal[i];
        solve_wide(self, n, self->row);
        carom_wide own, velocity;
        normal_dot(info, frame.normal, self->row, &own);
        normal_dot(info, frame.normal, self->v_free, &velocity);
        velocity += *frame.normal_rate;
        const carom_wide sum = own + *frame.normal_rate;
        course->running &= ~here | (CAROM_WIDE_IS_FINITE(sum) & (own > 0.0));
        if (info->has_restitution)
            course->running &= ~here | ((*frame.restitution >= 0.0) & (*frame.restitution <= 1.0));
        *self->own = CAROM_WIDE_CHOOSE(here, own, *self->own);
        *self->away = CAROM_WIDE_CHOOSE(here, velocity - *self->target, *self->away);
        for (int i = 0; i < n; i++)
            self->response[i] = CAROM_WIDE_CHOOSE(here, self->row[i], self->response[i]);
    }
}

/* v_next: v_free, with the impulse of the contact, Moreau 1986 (10.7). */
CAROM_WIDE_PART void add_contacts(jean_lanes *self, const int n, lane_course *course)
{
    for (int i = 0; i < n; i++)
        self->v_next[i] = self->v_free[i];
    if (CAROM_WIDE_BITS(course->touching & course->running) == 0)
        return;
    find_rows(self, n, course);
    const carom_wide away = *self->away;
    const carom_wide impulse = CAROM_WIDE_CHOOSE(away < 0.0, -away / *self->own, (carom_wide){0});
    for (int i = 0; i < n; i++)
        self->v_next[i] = CAROM_WIDE_CHOOSE(course->touching, self->v_free[i] + impulse * self->response[i],
                                            self->v_free[i]);
}

/* ---- the step --------------------------------------------------------------------------------------------- */

/* Position after the share of the step's motion. */
CAROM_WIDE_PART void move_wide(const jean_lanes *self, const int n, double share, carom_wide *q)
{
    const double theta = self->theta;
    for (int i = 0; i < n; i++)
        q[i] = self->q_old[i] + share * (*self->h * ((1.0 - theta) * self->v_old[i] + theta * self->v[i]));
}

/* What velocity_change says: lanes whose change is within `looseness` of what it may be. */
CAROM_WIDE_PART void find_close(const jean_lanes *self, const int n, const carom_wide *next,
                                const carom_wide *now, double looseness, carom_wide *change,
                                carom_wide_mask *close)
{
    carom_wide largest = {0}, size = {0};
    for (int i = 0; i < n; i++) {
        const carom_wide difference = CAROM_WIDE_ABS(next[i] - now[i]), magnitude = CAROM_WIDE_ABS(now[i]);
        largest = CAROM_WIDE_CHOOSE(difference > largest, difference, largest);
        size = CAROM_WIDE_CHOOSE(magnitude > size, magnitude, size);
    }
    const carom_wide limit = moreau_jean_newton_tolerance * (*self->slow + size);
    *change = largest;
    *close = largest <= looseness * limit;
}

/* v_free = v + H^-1 (h f_theta - M (v - v_n)); lanes in which v is v_n have no momentum to take away. */
CAROM_WIDE_PART void find_free_velocity(jean_lanes *self, const int n, const carom_wide_mask *first)
{
    const double theta = self->theta;
    carom_wide *x = self->v_free;
    for (int i = 0; i < n; i++) {
        carom_wide sum = *self->h * ((1.0 - theta) * self->force_old[i] + theta * self->force_new[i]);
        const carom_wide whole = sum;
        if (self->mass_diagonal)
            sum -= self->mass[i * n + i] * (self->v[i] - self->v_old[i]);
        else
            for (int j = 0; j < n; j++)
                sum -= self->mass[i * n + j] * (self->v[j] - self->v_old[j]);
        x[i] = CAROM_WIDE_CHOOSE(*first, whole, sum);
    }
    solve_wide(self, n, x);
    for (int i = 0; i < n; i++)
        x[i] += self->v[i];
}

/* Position, force, mass and Newton matrix at the iterate. */
CAROM_WIDE_PART void evaluate_wide(jean_lanes *self, const int n, bool with_newton, lane_course *course)
{
    const carom_model *model = self->model->model;
    const carom_model_wide_ops *ops = model->ops->wide;
    const bool makes_newton = with_newton && !self->constant_newton;
    carom_wide_mask bad;
    if (!model->constant_force || CAROM_WIDE_BITS(~course->steady))
        move_wide(self, n, 1.0, self->q);
    if (!model->constant_force && makes_newton)
        ops->force_with_jacobian(self->model, self->t_end, self->q, self->v, self->force_new, self->by_q,
                                 self->by_u);
    else if (!model->constant_force)
        ops->force(self->model, self->t_end, self->q, self->v, self->force_new);
    if (!model->constant_mass) {
        move_wide(self, n, self->theta, self->q_mid);
        ops->mass(self->model, self->t_mid, self->q_mid, self->mass);
    }
    if (!makes_newton)
        return;
    make_newton(self, n, &course->touching, &bad);
    course->running &= ~bad;
}

/* Where the iteration begins, and which lanes begin with v_n. */
CAROM_WIDE_PART void begin_iteration(jean_lanes *self, const int n, const lane_course *course,
                                     carom_wide_mask *first)
{
    const carom_wide_mask still = self->constant_newton ? course->steady : (carom_wide_mask){0};
    const carom_wide_mask same = *self->contact == *self->past_contact;
    const carom_wide smooth = CAROM_WIDE_CHOOSE(same, *self->smooth, (carom_wide){0});
    const carom_wide_mask twice = (smooth > 1.0) & ~still, once = (smooth > 0.0) & ~still & ~twice;
    *self->smooth = CAROM_WIDE_CHOOSE(course->running, smooth, *self->smooth);
    *first = ~(once | twice);
    for (int i = 0; i < n; i++) {
        const carom_wide v = self->v_old[i], line = v - self->past[i],
                         parabola = 2.0 * v - 3.0 * self->past[i] + self->earlier[i];
        self->v[i] = CAROM_WIDE_CHOOSE(twice, v + parabola, CAROM_WIDE_CHOOSE(once, v + line, v));
    }
}

/* Lanes that have their velocity; frames along which their contacts acted go to their steppers. */
CAROM_WIDE_PART void finish_lanes(jean_lanes *self, const carom_wide_mask *which, lane_course *course)
{
    const carom_wide_mask with_contact = *which & course->touching;
    const unsigned bits = CAROM_WIDE_BITS(with_contact);
    course->done |= *which;
    course->running &= ~*which;
    for (int lane = 0; bits >> lane; lane++) {
        const int contact = bits >> lane & 1 ? (int)carom_wide_get(self->contact, lane) : 0;
        if (bits >> lane & 1 && !self->model->model->contact[contact].constant_frame)
            self->model->model->ops->wide->frame_of_lane(self->model, contact, lane,
                                                         &jean_of(self, lane)->rows.frame[contact]);
    }
}

/* The force at the end of these lanes is that with which the next step begins. */
CAROM_WIDE_PART void confirm(jean_lanes *self, const int n, lane_course *course)
{
    carom_wide change;
    carom_wide_mask close;
    find_close(self, n, self->v_free, self->v_free_last, 1.0, &change, &close);
    close &= course->running & course->steady;
    for (int i = 0; i < n; i++)
        self->force_old[i] = CAROM_WIDE_CHOOSE(close, self->force_new[i], self->force_old[i]);
    course->known |= close;
    finish_lanes(self, &close, course);
}

/* Newton's method in the lanes that run; those that leave without an end are in no set. */
CAROM_WIDE_PART void iterate_wide(jean_lanes *self, const int n, lane_course *course)
{
    const carom_wide_mask never = {0};
    carom_wide_mask first, close;
    carom_wide changes = {0}, before = {0};
    begin_iteration(self, n, course, &first);
    for (int iteration = 0; iteration < ITERATIONS_MOST; iteration++) {
        if (iteration > 1 && !self->constant_newton) /* another matrix would be needed */
            course->running &= changes <= 0.01 * before;
        evaluate_wide(self, n, iteration == 0, course);
        find_free_velocity(self, n, iteration == 0 ? &first : &never);
        for (int i = 0; i < n; i++)
            course->running &= CAROM_WIDE_IS_FINITE(self->v_free[i]);
        if (iteration > 0 && self->constant_newton)
            confirm(self, n, course);
        add_contacts(self, n, course);
        before = changes;
        find_close(self, n, self->v_next, self->v, self->looseness, &changes, &close);
        if (self->affine) /* Newton's method ends after one step, where rows do not change */
            close |= course->steady;
        close &= course->running;
        for (int i = 0; i < n; i++) {
            self->v[i] = CAROM_WIDE_CHOOSE(course->running, self->v_next[i], self->v[i]);
            self->v_free_last[i] = self->v_free[i];
        }
        finish_lanes(self, &close, course);
        if (CAROM_WIDE_BITS(course->running) == 0)
            return;
    }
    course->running = never;
}

/* f_n of lanes that do not know it. */
CAROM_WIDE_PART void begin_forces(jean_lanes *self, const int n, lane_course *course)
{
    const carom_model *model = self->model->model;
    const carom_wide_mask unknown = course->running & ~*self->force_known;
    if (CAROM_WIDE_BITS(unknown)) {
        model->ops->wide->force(self->model, self->t, self->q_old, self->v_old, self->force_new);
        for (int i = 0; i < n; i++)
            self->force_old[i] = CAROM_WIDE_CHOOSE(unknown, self->force_new[i], self->force_old[i]);
    }
    for (int i = 0; i < n; i++)
        course->running &= CAROM_WIDE_IS_FINITE(self->force_old[i]);
    if (model->constant_force)
        for (int i = 0; i < n; i++)
            self->force_new[i] = self->force_old[i];
}

/* Lanes that are done have the state at the end of the step, and remember what the next one needs. */
CAROM_WIDE_PART void end_step(jean_lanes *self, const int n, const lane_course *course)
{
    const carom_wide_mask done = course->done;
    const carom_wide next = CAROM_WIDE_CHOOSE(*self->smooth < 2.0, *self->smooth + 1.0, *self->smooth);
    move_wide(self, n, 1.0, self->q);
    for (int i = 0; i < n; i++) {
        self->earlier[i] = CAROM_WIDE_CHOOSE(done, self->past[i], self->earlier[i]);
        self->past[i] = CAROM_WIDE_CHOOSE(done, self->v_old[i], self->past[i]);
        self->q_old[i] = CAROM_WIDE_CHOOSE(done, self->q[i], self->q_old[i]);
        self->v_old[i] = CAROM_WIDE_CHOOSE(done, self->v[i], self->v_old[i]);
    }
    *self->smooth = CAROM_WIDE_CHOOSE(done, next, *self->smooth);
    *self->past_contact = CAROM_WIDE_CHOOSE(done, *self->contact, *self->past_contact);
    const carom_wide_mask known = self->model->model->constant_force ? done : done & course->known;
    *self->force_known = known | (~done & *self->force_known);
    *self->steps = CAROM_WIDE_CHOOSE(done, *self->steps + 1.0, *self->steps);
    *self->t = CAROM_WIDE_CHOOSE(done, *self->t_end, *self->t);
    if (!self->base.outputs)
        return;
    const carom_model_wide_ops *ops = self->model->model->ops->wide;
    ops->energy(self->model, self->t, self->q_old, self->v_old, self->energy);
    if (self->contacts > 0)
        ops->gaps(self->model, self->t, self->q_old, self->gap);
}

/* Returns the bits of lanes that are done. */
CAROM_WIDE_PART unsigned step_of_size(jean_lanes *self, const int n, unsigned which)
{
    lane_course course = {.running = CAROM_WIDE_MASK(which)};
    const carom_wide_mask unsymmetric = CAROM_WIDE_MASK(~self->symmetric);
    carom_wide_mask bad = {0};
    *self->t_end = *self->t0 + (*self->steps + 1.0) * *self->h;
    *self->t_ahead = *self->t + self->prediction * *self->h;
    *self->t_mid = *self->t + self->theta * *self->h;
    find_contacts(self, n, &course);
    if (self->constant_newton)
        course.running &= ~(course.touching & unsymmetric);
    course.touching &= course.running;
    if (CAROM_WIDE_BITS(course.touching))
        find_targets(self, &course);
    if (CAROM_WIDE_BITS(course.running) == 0)
        return 0;
    begin_forces(self, n, &course);
    if (self->constant_newton && !self->factored && n > 1 && !self->newton_diagonal)
        factor_wide(self, n, &bad);
    self->factored = true;
    course.running &= ~bad;
    iterate_wide(self, n, &course);
    end_step(self, n, &course);
    return CAROM_WIDE_BITS(course.done);
}

/* Loops over a few numbers that are known become none. */
CAROM_WIDE_CODE unsigned jean_lanes_step_wide(jean_lanes *self, unsigned which)
{
    switch (self->n) {
    case 1:
        return step_of_size(self, 1, which);
    case 2:
        return step_of_size(self, 2, which);
    case 3:
        return step_of_size(self, 3, which);
    default:
        return step_of_size(self, self->n, which);
    }
}
