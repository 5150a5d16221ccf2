#include "linked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    THETA_STEPS = 30,
    MOST_STIFF = 300, /* velocities of a part that is looked at whether it can be stiffened */
    BODY_PLACES = 12  /* three masses, and the inertia */
};
static const double theta_tolerance = 1e-14, late_tolerance = 1e-11, useless_change = 1e-6;
static const double stiffening = 1e4;

/* ---- set-up ------------------------------------------------------------------------------------------- */

static bool take_numbers(body_step *self, body_step_linked *linked)
{
    const carom_bodies *bodies = self->bodies;
    const carom_linked *given = &bodies->linked;
    carom_arena *arena = self->arena;
    const size_t n = (size_t)given->count;
    linked->slot = carom_arena_take(arena, n, sizeof(int));
    linked->number = carom_arena_take(arena, (size_t)self->slots, sizeof(int));
    linked->body = carom_arena_take(arena, (size_t)bodies->count, sizeof(int));
    linked->is_body = carom_arena_take(arena, (size_t)bodies->count, sizeof(bool));
    double **vector[] = {&linked->load, &linked->impulse, &linked->plain,
                         &linked->late, &linked->change,  &linked->room};
    const carom_model *model = self->stepper->model;
    linked->q = carom_arena_take(arena, (size_t)carom_model_positions(model), sizeof(double));
    linked->v = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    linked->force = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        if (!(*vector[i] = carom_arena_take(arena, n, sizeof(double))))
            return false;
    if (!linked->slot || !linked->number || !linked->body || !linked->is_body || !linked->q || !linked->v ||
        !linked->force)
        return false;
    int *of_velocity = carom_new_array((size_t)self->stepper->dof, sizeof *of_velocity);
    if (!of_velocity)
        return false;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; bodies->body[i].v >= 0 && k < (self->plane ? 3 : 6); k++)
            of_velocity[bodies->body[i].v + k] = 6 * i + (self->plane && k == 2 ? 5 : k);
    for (int i = 0; i < given->coordinates; i++)
        of_velocity[given->v[i]] = 6 * bodies->count + i;
    for (int i = 0; i < self->slots; i++)
        linked->number[i] = -1;
    for (int i = 0; i < given->count; i++) {
        const int slot = of_velocity[given->velocity[i]], body = slot / 6;
        linked->slot[i] = slot;
        linked->number[slot] = i;
        if (body < bodies->count && !linked->is_body[body]) {
            linked->is_body[body] = true;
            linked->body[linked->bodies++] = body;
        }
    }
    free(of_velocity);
    return true;
}

/* Entry k of the mass matrix of a body: which of its six slots, row and column; false: the plane has none. */
static bool body_entry(bool plane, int k, int *row, int *column)
{
    *row = k < 3 ? k : 3 + (k - 3) / 3;
    *column = k < 3 ? k : 3 + (k - 3) % 3;
    return !plane || *row == *column;
}

static int place_of(const carom_sparse *pattern, int row, int column)
{
    int low = pattern->column_start[column], high = pattern->column_start[column + 1];
    while (low < high) {
        const int middle = (low + high) / 2;
        if (pattern->row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Entries of the pattern while it is made. */
typedef struct place_list {
    int *row, *column;
    size_t count;
} place_list;

static void add_place(place_list *list, int row, int column)
{
    list->row[list->count] = row;
    list->column[list->count++] = column;
}

/* With the mirrored ones: the pattern is symmetric. */
static void add_places(place_list *list, const carom_places *places)
{
    for (int k = 0; k < places->count; k++) {
        add_place(list, places->row[k], places->column[k]);
        add_place(list, places->column[k], places->row[k]);
    }
}

static void list_places(const body_step *self, place_list *list)
{
    const body_step_linked *linked = &self->linked;
    for (int i = 0; i < linked->count; i++)
        add_place(list, i, i);
    for (int b = 0; b < linked->bodies; b++)
        for (int k = 0; k < BODY_PLACES; k++) {
            int i, j;
            if (!body_entry(self->plane, k, &i, &j))
                continue;
            i = linked->number[6 * linked->body[b] + i];
            j = linked->number[6 * linked->body[b] + j];
            if (i >= 0 && j >= 0)
                add_place(list, i, j);
        }
    add_places(list, &self->bodies->linked.mass);
    add_places(list, &self->bodies->linked.by_q);
    add_places(list, &self->bodies->linked.by_u);
}

static bool make_pattern(body_step *self, body_step_linked *linked)
{
    const carom_linked *given = &self->bodies->linked;
    const size_t most =
        (size_t)linked->count + BODY_PLACES * (size_t)linked->bodies +
        2 * ((size_t)given->mass.count + (size_t)given->by_q.count + (size_t)given->by_u.count);
    place_list list = {.row = carom_new_array(most, sizeof(int)),
                       .column = carom_new_array(most, sizeof(int))};
    double *value = carom_new_array(most, sizeof *value);
    bool made = list.row && list.column && value;
    if (made) {
        list_places(self, &list);
        made = carom_sparse_take(self->arena, linked->count, linked->count, list.count, list.row, list.column,
                                 value, &linked->pattern);
    }
    free(list.row);
    free(list.column);
    free(value);
    return made;
}

static int *find_places(body_step *self, const carom_places *places)
{
    int *place = carom_arena_take(self->arena, (size_t)places->count, sizeof *place);
    for (int k = 0; place && k < places->count; k++)
        place[k] = place_of(&self->linked.pattern, places->row[k], places->column[k]);
    return place;
}

static bool take_matrix(body_step *self, body_step_linked *linked)
{
    const carom_linked *given = &self->bodies->linked;
    carom_arena *arena = self->arena;
    const size_t places = (size_t)linked->pattern.column_start[linked->count];
    linked->mass = carom_arena_take(arena, (size_t)given->mass.count, sizeof(double));
    linked->by_q = carom_arena_take(arena, (size_t)given->by_q.count, sizeof(double));
    linked->by_u = carom_arena_take(arena, (size_t)given->by_u.count, sizeof(double));
    linked->mass_place = find_places(self, &given->mass);
    linked->by_q_place = find_places(self, &given->by_q);
    linked->by_u_place = find_places(self, &given->by_u);
    linked->body_place = carom_arena_take(arena, BODY_PLACES * (size_t)linked->bodies, sizeof(int));
    linked->mirror = carom_arena_take(arena, places, sizeof(int));
    linked->value = carom_arena_take(arena, places, sizeof(double));
    linked->slope = carom_arena_take(arena, places, sizeof(double));
    linked->turn = carom_arena_take(arena, places, sizeof(double));
    linked->last = carom_arena_take(arena, places, sizeof(double));
    linked->stiff = carom_arena_take(arena, places, sizeof(double));
    const size_t n = linked->count <= MOST_STIFF ? (size_t)linked->count : 0;
    linked->dense = carom_arena_take(arena, n * n, sizeof(double));
    if (!linked->mass || !linked->by_q || !linked->by_u || !linked->mass_place || !linked->by_q_place ||
        !linked->by_u_place || !linked->body_place || !linked->mirror || !linked->value || !linked->slope ||
        !linked->turn || !linked->last || !linked->stiff || !linked->dense)
        return false;
    for (int b = 0; b < linked->bodies; b++)
        for (int k = 0; k < BODY_PLACES; k++) {
            int i, j, *place = &linked->body_place[BODY_PLACES * b + k];
            const bool there = body_entry(self->plane, k, &i, &j);
            i = linked->number[6 * linked->body[b] + i];
            j = linked->number[6 * linked->body[b] + j];
            *place = there && i >= 0 && j >= 0 ? place_of(&linked->pattern, i, j) : -1;
        }
    for (int j = 0; j < linked->count; j++)
        for (int k = linked->pattern.column_start[j]; k < linked->pattern.column_start[j + 1]; k++)
            linked->mirror[k] = place_of(&linked->pattern, j, linked->pattern.row[k]);
    return true;
}

/* Of the mass matrix of the coordinates at the start: the number of one whose pivot is not positive, from 1; 0: none, -1:
 * memory is short. A large matrix, which is not full, is looked at on its diagonal only. */
static int find_bad_pivot(const body_step *self)
{
    const carom_linked *given = &self->bodies->linked;
    const double *mass = self->linked.mass;
    const bool full = given->coordinates <= MOST_STIFF;
    const size_t n = full ? (size_t)given->coordinates : 0;
    double *matrix = carom_new_array(n * n, sizeof *matrix);
    int *local = carom_new_array((size_t)self->linked.count, sizeof *local);
    int bad = matrix && local ? 0 : -1;
    for (int i = 0; bad == 0 && i < given->coordinates; i++)
        local[self->linked.number[6 * self->bodies->count + i]] = i;
    for (int k = 0; bad == 0 && k < given->mass.count; k++) {
        const int i = local[given->mass.row[k]], j = local[given->mass.column[k]];
        if (full)
            matrix[(size_t)i * n + (size_t)j] = mass[k];
        else if (i == j && !(mass[k] > 0.0))
            bad = i + 1;
    }
    if (bad == 0 && full)
        bad = carom_cholesky_factor((int)n, matrix);
    free(matrix);
    free(local);
    return bad;
}

static carom_status check_mass(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const carom_linked *given = &self->bodies->linked;
    carom_bodies_linked_mass(stepper->work, stepper->t0, stepper->state.q, self->linked.mass);
    if (!carom_all_finite(given->mass.count, self->linked.mass))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "mass matrix of the coordinates at the initial position is not finite");
    const int bad = find_bad_pivot(self);
    if (bad < 0)
        return carom_fail_memory(error);
    return bad == 0 ? CAROM_OK
                    : carom_fail(error, CAROM_BAD_INPUT,
                                 "mass matrix of the coordinates at the initial position is not positive "
                                 "definite: coordinate '%s'; check for a coordinate without inertia or a "
                                 "negative mass",
                                 stepper->model->coordinate[given->q[bad - 1]]);
}

carom_status linked_set_up(body_step *self, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    linked->count = self->bodies->linked.count;
    if (linked->count == 0)
        return CAROM_OK;
    if (!take_numbers(self, linked) || !make_pattern(self, linked) || !take_matrix(self, linked))
        return carom_fail_memory(error);
    return check_mass(self, error);
}

void linked_free(body_step_linked *linked)
{
    carom_sparse_factor_free(linked->factor);
    carom_sparse_factor_free(linked->stiff_factor);
}

/* ---- the matrix ------------------------------------------------------------------------------------------ */

/* Inertia of a body along the axes of space, at self->pose. */
static void find_inertia(const body_step *self, int body, double inertia[9])
{
    if (self->plane)
        memcpy(inertia, self->bodies->body[body].inertia, 9 * sizeof *inertia);
    else
        body_step_turn_inertia(self->pose[body].r, self->bodies->body[body].inertia, inertia);
}

static void add_bodies(body_step *self, double *value)
{
    const body_step_linked *linked = &self->linked;
    for (int b = 0; b < linked->bodies; b++) {
        double inertia[9];
        find_inertia(self, linked->body[b], inertia);
        for (int k = 0; k < BODY_PLACES; k++) {
            const int place = linked->body_place[BODY_PLACES * b + k];
            if (place >= 0)
                value[place] += k < 3 ? self->bodies->body[linked->body[b]].mass : inertia[k - 3];
        }
    }
}

carom_status linked_prepare(body_step *self, double t, const double *q, const double *v, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    const carom_linked *given = &self->bodies->linked;
    const carom_stepper *stepper = self->stepper;
    const double step = stepper->h * self->options.theta;
    if (linked->count == 0)
        return CAROM_OK;
    const int places = linked->pattern.column_start[linked->count];
    carom_bodies_linked_matrices(stepper->work, t, q, v, linked->mass, linked->by_q, linked->by_u);
    memset(linked->slope, 0, (size_t)places * sizeof *linked->slope);
    for (int k = 0; k < given->by_u.count; k++)
        linked->slope[linked->by_u_place[k]] += step * linked->by_u[k];
    for (int k = 0; k < places; k++)
        linked->turn[k] = 0.5 * (linked->slope[k] - linked->slope[linked->mirror[k]]);
    for (int k = 0; k < given->by_q.count; k++)
        linked->slope[linked->by_q_place[k]] += step * step * linked->by_q[k];
    for (int k = 0; given->affine && k < places; k++)
        linked->turn[k] = 0.5 * (linked->slope[k] - linked->slope[linked->mirror[k]]);
    for (int k = 0; k < places; k++)
        linked->value[k] = -0.5 * (linked->slope[k] + linked->slope[linked->mirror[k]]);
    for (int k = 0; k < given->mass.count; k++)
        linked->value[linked->mass_place[k]] += linked->mass[k];
    add_bodies(self, linked->value);
    if (!carom_all_finite(places, linked->value))
        return fail_step(
            error, step_end(stepper), step_number(stepper),
            "the mass matrix of the coordinates or a derivative of their forces is not finite at "
            "this position");
    const size_t bytes = (size_t)places * sizeof *linked->value;
    if (linked->factor && memcmp(linked->value, linked->last, bytes) == 0)
        return CAROM_OK;
    memcpy(linked->last, linked->value, bytes);
    if (linked->factor)
        return carom_sparse_factor_again(linked->factor, linked->value, error);
    carom_sparse first = linked->pattern;
    first.value = linked->value;
    return carom_sparse_factor_create(&first, &linked->factor, error);
}

carom_status linked_prepare_start(body_step *self, carom_error *error)
{
    body_step_linked *linked = &self->linked;
    const carom_stepper *stepper = self->stepper;
    if (linked->count == 0)
        return CAROM_OK;
    body_step_turn_inertias(self, stepper->state.q);
    const carom_status status = linked_prepare(self, stepper->t0, stepper->state.q, stepper->state.v, error);
    if (status != CAROM_OK)
        return status;
    carom_sparse first = linked->pattern;
    first.value = linked->value;
    return carom_sparse_factor_create(&first, &linked->stiff_factor, error);
}

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
        body_step_turn_spin(self, linked->body[i], own);
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
        find_inertia(self, linked->body[b], inertia);
        for (int k = 0; k < BODY_PLACES; k++) {
            int i, j;
            if (!body_entry(self->plane, k, &i, &j))
                continue;
            i = linked->number[6 * linked->body[b] + i];
            j = linked->number[6 * linked->body[b] + j];
            if (i >= 0 && j >= 0)
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

/* Without contacts and joints: dv = A^-1 (h f + c(dv)), from dv = A^-1 h f. False: it does not settle. */
static bool find_smooth_change(body_step *self)
{
    body_step_linked *linked = &self->linked;
    double size = 0.0, moved = INFINITY;
    memset(linked->late, 0, (size_t)linked->count * sizeof *linked->late);
    for (int i = 0; i < linked->count; i++)
        size = fmax(size, fabs(self->old[linked->slot[i]]) + fabs(linked->plain[i]));
    for (int step = 0; step < THETA_STEPS && moved > theta_tolerance * size; step++) {
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

/* The mean force of the step on a body of the part: M dv / h. */
static void put_force(body_step *self, int body)
{
    const body_step_linked *linked = &self->linked;
    double inertia[9], dv[6], *force = self->force + self->bodies->body[body].v;
    const double mass = self->bodies->body[body].mass, h = self->stepper->h;
    find_inertia(self, body, inertia);
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
    const carom_status status =
        linked_prepare(self, stepper->state.t + self->step_ahead, self->q, stepper->state.v, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < linked->count; i++)
        linked->plain[i] = linked->impulse[i] = stepper->h * self->force[given->velocity[i]];
    carom_sparse_solve(linked->factor, linked->plain);
    linked->is_linear = given->affine;
    if (!find_smooth_change(self)) {
        linked->is_linear = true;
        if (!find_smooth_change(self))
            return fail_step(
                error, step_end(stepper), step_number(stepper),
                "the equations of the coordinates have no solution near the start of the step: h "
                "= %g is too long for them; take a smaller one",
                stepper->h);
    }
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
    if (!stiff || linked->count == 0 || linked->count > MOST_STIFF || given->by_q.count == 0)
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
        free[linked->slot[i]] += linked->late[i];
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

void linked_add_force_work(body_step *self)
{
    body_step_linked *linked = &self->linked;
    carom_stepper *stepper = self->stepper;
    const carom_bodies *bodies = self->bodies;
    const carom_state *state = &stepper->state;
    const double half = 0.5 * stepper->h;
    if (linked->count == 0 || stepper->model->powerless)
        return;
    for (int i = 0; i < self->slots; i++)
        self->shift6[i] = 0.5 * (self->old[i] + self->end[i]);
    memcpy(linked->v, state->v, (size_t)stepper->dof * sizeof *linked->v);
    memcpy(linked->q, state->q, (size_t)carom_model_positions(stepper->model) * sizeof *linked->q);
    body_step_gather(self, self->shift6, linked->v);
    for (int i = 0; i < bodies->count; i++)
        if (bodies->body[i].q >= 0)
            carom_body_move(bodies, &bodies->body[i], half, linked->v, state->q, linked->q);
    for (int i = 0; i < bodies->linked.coordinates; i++)
        linked->q[bodies->linked.q[i]] += half * linked->v[bodies->linked.v[i]];
    stepper->works.forces +=
        stepper->h * stepper->model->ops->power(stepper->work, state->t + half, linked->q, linked->v);
}
