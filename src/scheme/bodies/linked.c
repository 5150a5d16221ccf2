#include "linked.h"

#include <math.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    THETA_STEPS = 30,
    MATRICES = 6,    /* in a step whose equations do not settle with the first one, */
    MATRIX_STEPS = 3 /* ... with so many steps each, the last one excepted */
};
static const double theta_tolerance = 1e-14, late_tolerance = 1e-11, useless_change = 1e-6;
static const double stiffening = 1e4;

/* ---- the theta method ------------------------------------------------------------------------------------ */

/* y += A x with other values at the places of A. */
static void multiply(const body_step_linked *linked, const double *value, const double *x, double *y)
{
    carom_sparse matrix = linked->pattern;
    matrix.value = value;
    carom_sparse_add(&matrix, x, y);
}

/* Positions and velocities theta: everything moves as it does, the part by `change`. */
static void find_theta(body_step *self, const double *change)
{
    body_step_linked *linked = &self->linked;
    const carom_bodies *bodies = self->bodies;
    const carom_state *state = &self->stepper->state;
    const double theta = self->options.theta, ahead = theta * self->stepper->h;
    memcpy(linked->v, state->v, (size_t)self->stepper->dof * sizeof *linked->v);
    memcpy(linked->q, self->q, (size_t)carom_model_positions(self->stepper->model) * sizeof *linked->q);
    for (int i = 0; i < linked->count; i++)
        linked->v[bodies->linked.velocity[i]] += theta * change[i];
    for (int i = 0; i < linked->bodies; i++) { /* as the step will */
        const carom_body *body = &bodies->body[linked->body[i]];
        double spin[3], *own = linked->v + body->v + 3;
        if (self->plane) {
            carom_body_move(bodies, body, ahead, linked->v, state->q, linked->q);
            continue;
        }
        memcpy(spin, own, sizeof spin);
        body_spin_turn(self, linked->body[i], own);
        carom_body_move(bodies, body, ahead, linked->v, state->q, linked->q);
        memcpy(own, spin, sizeof spin);
    }
    for (int i = 0; i < bodies->linked.coordinates; i++)
        linked->q[bodies->linked.q[i]] =
            state->q[bodies->linked.q[i]] + ahead * linked->v[bodies->linked.v[i]];
}

/* c = h (f_theta - f) + (A - M_theta) dv; false: it is not finite. */
static bool find_rest(body_step *self, const double *change, double *rest)
{
    body_step_linked *linked = &self->linked;
    const carom_linked *given = &self->bodies->linked;
    const carom_stepper *stepper = self->stepper;
    const double t = stepper->state.t + self->step_ahead;
    if (linked->is_linear) {
        memset(rest, 0, (size_t)linked->count * sizeof *rest);
        multiply(linked, linked->turn, change, rest);
        return true;
    }
    find_theta(self, change);
    stepper->model->ops->force(stepper->work, t, linked->q, linked->v, linked->force);
    carom_bodies_linked_mass(stepper->work, t, linked->q, linked->mass);
    memset(linked->load, 0, (size_t)linked->count * sizeof *linked->load);
    multiply(linked, linked->value, change, linked->load);
    for (int i = 0; i < linked->count; i++)
        rest[i] = stepper->h * linked->force[given->velocity[i]] - linked->impulse[i] + linked->load[i];
    for (int k = 0; k < given->mass.count; k++)
        rest[given->mass.row[k]] -= linked->mass[k] * change[given->mass.column[k]];
    for (int b = 0; b < linked->bodies; b++) { /* with the inertia that A has */
        double inertia[9];
        linked_body_inertia(self, linked->body[b], inertia);
        for (int k = 0; k < LINKED_BODY_PLACES; k++) {
            int i, j;
            if (linked_body_entry(self, b, k, &i, &j))
                rest[i] -= (k < 3 ? self->bodies->body[linked->body[b]].mass : inertia[k - 3]) * change[j];
        }
    }
    return carom_all_finite(linked->count, rest);
}

/* late := A^-1 c of the motion `change`; returns by how much it is another one, NAN: it is not finite. */
static double renew_late(body_step *self, const double *change)
{
    body_step_linked *linked = &self->linked;
    double moved = 0.0;
    const bool finite = find_rest(self, change, linked->room);
    memset(linked->load, 0, (size_t)linked->count * sizeof *linked->load);
    if (!finite)
        return NAN;
    carom_sparse_solve(linked->factor, linked->room);
    for (int i = 0; i < linked->count; i++) {
        moved = fmax(moved, fabs(linked->room[i] - linked->late[i]));
        linked->late[i] = linked->room[i];
    }
    return moved;
}

/* Without contacts and joints: dv <- A^-1 (h f + c(dv)), dv = plain + late. False: it does not settle. */
static bool iterate(body_step *self, int steps)
{
    body_step_linked *linked = &self->linked;
    double size = 0.0, moved = INFINITY;
    for (int i = 0; i < linked->count; i++)
        size = fmax(size, fabs(self->old[linked->slot[i]]) + fabs(linked->plain[i] + linked->late[i]));
    for (int step = 0; step < steps && moved > theta_tolerance * size; step++) {
        for (int i = 0; i < linked->count; i++)
            linked->change[i] = linked->plain[i] + linked->late[i];
        const double before = moved;
        moved = renew_late(self, linked->change);
        if (isnan(moved))
            return false;
        if (moved >= 0.5 * before && moved <= late_tolerance * size) /* rounding is all that is left */
            break;
    }
    return moved <= useless_change * size;
}

/* plain with the matrix at hand; late is the rest of dv = change. */
static void split_change(body_step_linked *linked, const double *change)
{
    memcpy(linked->plain, linked->impulse, (size_t)linked->count * sizeof *linked->plain);
    carom_sparse_solve(linked->factor, linked->plain);
    for (int i = 0; i < linked->count; i++)
        linked->late[i] = change ? change[i] - linked->plain[i] : 0.0;
}

/* From the linear step on, with the matrix where the last iterate is: at the predicted position stiff springs are
 * stretched by what they will not be. */
static carom_status renew_matrix(body_step *self, double t, bool *settled, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    carom_status status = CAROM_OK;
    split_change(linked, NULL);
    for (int k = 0; status == CAROM_OK && !*settled && k < MATRICES; k++) {
        for (int i = 0; i < linked->count; i++)
            linked->change[i] = linked->plain[i] + linked->late[i];
        find_theta(self, linked->change);
        status = linked_prepare(self, t, linked->q, linked->v, error);
        if (status != CAROM_OK)
            break;
        split_change(linked, linked->change);
        *settled = iterate(self, k == MATRICES - 1 ? THETA_STEPS : MATRIX_STEPS);
    }
    return status;
}

/* dv of forces alone: as plain and late. */
static carom_status find_smooth_change(body_step *self, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    const carom_stepper *stepper = self->stepper;
    const double t = stepper->state.t + self->step_ahead;
    linked->is_linear = self->bodies->linked.affine;
    split_change(linked, NULL);
    bool settled = iterate(self, THETA_STEPS);
    if (settled)
        return CAROM_OK;
    carom_error other = {0};
    if (!linked->is_linear)
        renew_matrix(self, t, &settled, &other);
    if (settled)
        return CAROM_OK;
    const carom_status status = linked_prepare(self, t, self->q, stepper->state.v, error);
    if (status != CAROM_OK)
        return status;
    linked->is_linear = true;
    split_change(linked, NULL);
    return iterate(self, THETA_STEPS)
               ? CAROM_OK
               : fail_step(error, step_end(stepper), step_number(stepper),
                           "the equations of the coordinates have no solution near the start of the step: h "
                           "= %g is too long for them; take a smaller one",
                           stepper->h);
}

/* The mean force of the step on a body of the part: M dv / h. */
static void put_force(body_step *self, int body)
{
    const body_step_linked *linked = &self->linked;
    double inertia[9], dv[6], *force = self->force + self->bodies->body[body].v;
    const double mass = self->bodies->body[body].mass, h = self->stepper->h;
    linked_body_inertia(self, body, inertia);
    for (int k = 0; k < 6; k++) {
        const int number = linked->number[6 * body + k];
        dv[k] = number < 0 ? 0.0 : linked->plain[number];
    }
    for (int k = 0; k < (self->plane ? 2 : 3); k++)
        force[k] = mass * dv[k] / h;
    if (self->plane)
        force[2] = inertia[8] * dv[5] / h;
    for (int k = 0; !self->plane && k < 3; k++)
        force[3 + k] = carom_dot(3, inertia + 3 * (ptrdiff_t)k, dv + 3) / h;
}

carom_status linked_begin(body_step *self, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    const carom_stepper *stepper = self->stepper;
    const carom_linked *given = &self->bodies->linked;
    const int first = 6 * self->bodies->count;
    if (linked->count == 0)
        return CAROM_OK;
    carom_status status =
        linked_prepare(self, stepper->state.t + self->step_ahead, self->q, stepper->state.v, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < linked->count; i++)
        linked->impulse[i] = stepper->h * self->force[given->velocity[i]];
    status = find_smooth_change(self, error);
    if (status != CAROM_OK)
        return status;
    memcpy(linked->base, linked->late, (size_t)linked->count * sizeof *linked->base);
    for (int i = 0; i < linked->count; i++)
        linked->plain[i] += linked->base[i];
    linked->loaded = false;
    for (int i = 0; i < linked->bodies; i++)
        put_force(self, linked->body[i]);
    for (int i = 0; i < given->coordinates; i++) {
        const double change = linked->plain[linked->number[first + i]];
        self->plain[first + i] = self->old[first + i] + change;
        self->scale_speed = fmax(self->scale_speed, fabs(change));
    }
    return CAROM_OK;
}

/* ---- impulses ------------------------------------------------------------------------------------------------ */

void linked_push_body(body_step_linked *linked, int body, const double impulse[6])
{
    for (int k = 0; k < 6; k++)
        if (linked->number[6 * body + k] >= 0)
            linked_push(linked, linked->number[6 * body + k], impulse[k]);
}

void linked_solve(body_step_linked *linked, double *x)
{
    carom_sparse_solve(linked->is_stiff ? linked->stiff_factor : linked->factor, x);
}

static bool is_positive(body_step_linked *linked, const double *value)
{
    const int n = linked->count;
    memset(linked->dense, 0, (size_t)n * (size_t)n * sizeof *linked->dense);
    for (int j = 0; j < n; j++)
        for (int k = linked->pattern.column_start[j]; k < linked->pattern.column_start[j + 1]; k++)
            linked->dense[linked->pattern.row[k] * n + j] = value[k];
    return carom_cholesky_factor(n, linked->dense) == 0;
}

carom_status linked_stiffen(body_step *self, bool stiff, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    const carom_linked *given = &self->bodies->linked;
    const double step = self->stepper->h * self->options.theta;
    linked->is_stiff = false;
    if (!stiff || linked->count == 0 || linked->count > LINKED_MOST_STIFF || given->by_q.count == 0)
        return CAROM_OK;
    const int places = linked->pattern.column_start[linked->count];
    memcpy(linked->stiff, linked->value, (size_t)places * sizeof *linked->stiff);
    for (int k = 0; k < given->by_q.count; k++) {
        const double more = 0.5 * (stiffening - 1.0) * step * step * linked->by_q[k];
        linked->stiff[linked->by_q_place[k]] -= more;
        linked->stiff[linked->mirror[linked->by_q_place[k]]] -= more;
    }
    if (!is_positive(linked, linked->stiff))
        return CAROM_OK;
    const carom_status status = carom_sparse_factor_again(linked->stiff_factor, linked->stiff, error);
    linked->is_stiff = status == CAROM_OK;
    return status == CAROM_NO_MEMORY ? status : CAROM_OK;
}

void linked_answer(body_step *self, double *x)
{
    body_step_linked *linked = &self->linked;
    if (!linked->loaded)
        return;
    linked_solve(linked, linked->load);
    for (int i = 0; i < linked->count; i++)
        x[linked->slot[i]] += linked->load[i];
    memset(linked->load, 0, (size_t)linked->count * sizeof *linked->load);
    linked->loaded = false;
}

void linked_add_late(const body_step *self, double *free)
{
    const body_step_linked *linked = &self->linked;
    for (int i = 0; i < linked->count; i++)
        free[linked->slot[i]] += linked->late[i] - linked->base[i];
}

bool linked_correct(body_step *self)
{
    body_step_linked *linked = &self->linked;
    double size = 0.0;
    if (linked->count == 0)
        return false;
    for (int i = 0; i < linked->count; i++) {
        const int slot = linked->slot[i];
        size = fmax(size, fabs(self->end[slot]) + fabs(self->old[slot]));
        linked->change[i] = self->end[slot] - self->old[slot];
    }
    return renew_late(self, linked->change) > late_tolerance * size;
}
