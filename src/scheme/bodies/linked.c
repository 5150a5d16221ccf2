#include "linked.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    SKEW_STEPS = 60,
    BODY_PLACES = 12 /* three masses, and the inertia */
};
static const double skew_tolerance = 1e-15, late_tolerance = 1e-11;

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
    double **vector[] = {&linked->load, &linked->plain, &linked->late, &linked->room};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        if (!(*vector[i] = carom_arena_take(arena, n, sizeof(double))))
            return false;
    if (!linked->slot || !linked->number || !linked->body || !linked->is_body)
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
    const size_t most = (size_t)linked->count + BODY_PLACES * (size_t)linked->bodies +
                        2 * ((size_t)given->mass.count + (size_t)given->by_q.count + (size_t)given->by_u.count);
    place_list list = {.row = carom_new_array(most, sizeof(int)), .column = carom_new_array(most, sizeof(int))};
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
    linked->skew = carom_arena_take(arena, places, sizeof(double));
    linked->slope = carom_arena_take(arena, places, sizeof(double));
    if (!linked->mass || !linked->by_q || !linked->by_u || !linked->mass_place || !linked->by_q_place ||
        !linked->by_u_place || !linked->body_place || !linked->mirror || !linked->value || !linked->skew ||
        !linked->slope)
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

/* The mass matrix of the coordinates at the start. */
static carom_status check_mass(body_step *self, carom_error *error)
{
    const carom_stepper *stepper = self->stepper;
    const carom_linked *given = &self->bodies->linked;
    const size_t n = (size_t)given->coordinates;
    double *matrix = carom_new_array(carom_product(n, n), sizeof *matrix);
    int *local = carom_new_array((size_t)self->linked.count, sizeof *local);
    int row = -1;
    if (!matrix || !local) {
        free(matrix);
        free(local);
        return carom_fail_memory(error);
    }
    for (int i = 0; i < given->coordinates; i++)
        local[self->linked.number[6 * self->bodies->count + i]] = i;
    carom_bodies_linked_matrices(stepper->work, stepper->t0, stepper->state.q, stepper->state.v,
                                 self->linked.mass, self->linked.by_q, self->linked.by_u);
    const bool finite = carom_all_finite(given->mass.count, self->linked.mass);
    for (int k = 0; k < given->mass.count; k++)
        matrix[(size_t)local[given->mass.row[k]] * n + (size_t)local[given->mass.column[k]]] =
            self->linked.mass[k];
    if (finite)
        row = carom_cholesky_factor((int)n, matrix);
    free(matrix);
    free(local);
    if (row == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "mass matrix of the coordinates at the initial position is not %s%s%s; check for a "
                      "coordinate without inertia or a negative mass",
                      finite ? "positive definite: coordinate '" : "finite",
                      finite ? stepper->model->coordinate[given->q[row - 1]] : "", finite ? "'" : "");
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
    for (int k = 0; k < given->by_q.count; k++)
        linked->slope[linked->by_q_place[k]] += step * step * linked->by_q[k];
    for (int k = 0; k < given->by_u.count; k++)
        linked->slope[linked->by_u_place[k]] += step * linked->by_u[k];
    linked->has_skew = false;
    for (int k = 0; k < places; k++) {
        const double there = linked->slope[linked->mirror[k]];
        linked->value[k] = -0.5 * (linked->slope[k] + there);
        linked->skew[k] = 0.5 * (linked->slope[k] - there);
        linked->has_skew = linked->has_skew || linked->skew[k] != 0.0;
    }
    for (int k = 0; k < given->mass.count; k++)
        linked->value[linked->mass_place[k]] += linked->mass[k];
    add_bodies(self, linked->value);
    if (!carom_all_finite(places, linked->value) || !carom_all_finite(places, linked->skew))
        return fail_step(error, step_end(stepper), step_number(stepper),
                         "the mass matrix of the coordinates or a derivative of their forces is not finite at "
                         "this position");
    if (linked->factor)
        return carom_sparse_factor_again(linked->factor, linked->value, error);
    carom_sparse first = linked->pattern;
    first.value = linked->value;
    return carom_sparse_factor_create(&first, &linked->factor, error);
}

/* y = skew x */
static void multiply_skew(const body_step_linked *linked, const double *x, double *y)
{
    carom_sparse skew = linked->pattern;
    skew.value = linked->skew;
    memset(y, 0, (size_t)linked->count * sizeof *y);
    carom_sparse_add(&skew, x, y);
}

/* ---- forces ------------------------------------------------------------------------------------------------ */

/* dv with A dv = h f, from the symmetric part: dv <- A_s^-1 (h f + skew dv). */
static bool find_plain_change(body_step *self)
{
    body_step_linked *linked = &self->linked;
    const int n = linked->count;
    double *change = linked->plain, *next = linked->room;
    for (int i = 0; i < n; i++)
        change[i] = linked->load[i];
    carom_sparse_solve(linked->factor, change);
    for (int step = 0; linked->has_skew; step++) {
        double size = 0.0, moved = 0.0;
        multiply_skew(linked, change, next);
        for (int i = 0; i < n; i++)
            next[i] += linked->load[i];
        carom_sparse_solve(linked->factor, next);
        for (int i = 0; i < n; i++) {
            size = fmax(size, fabs(next[i]));
            moved = fmax(moved, fabs(next[i] - change[i]));
            change[i] = next[i];
        }
        if (moved <= skew_tolerance * size)
            break;
        if (step == SKEW_STEPS && moved > late_tolerance * size)
            return false;
        if (step == SKEW_STEPS)
            break;
    }
    return carom_all_finite(n, change);
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
        linked->load[i] = stepper->h * self->force[given->velocity[i]];
    if (!find_plain_change(self))
        return fail_step(error, step_end(stepper), step_number(stepper),
                         "forces that depend on velocities turn the coordinates too fast for the step h = %g; "
                         "take a smaller one",
                         stepper->h);
    memset(linked->load, 0, (size_t)linked->count * sizeof *linked->load);
    memset(linked->late, 0, (size_t)linked->count * sizeof *linked->late);
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

void linked_answer(body_step *self, double *x)
{
    body_step_linked *linked = &self->linked;
    if (!linked->loaded)
        return;
    carom_sparse_solve(linked->factor, linked->load);
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
    bool changed = false;
    if (linked->count == 0 || !linked->has_skew)
        return false;
    double size = 0.0;
    for (int i = 0; i < linked->count; i++) {
        const int slot = linked->slot[i];
        size = fmax(size, fabs(self->end[slot]) + fabs(self->old[slot]));
        linked->load[i] = self->end[slot] - self->old[slot] - linked->plain[i];
    }
    multiply_skew(linked, linked->load, linked->room);
    carom_sparse_solve(linked->factor, linked->room);
    for (int i = 0; i < linked->count; i++) {
        changed = changed || fabs(linked->room[i] - linked->late[i]) > late_tolerance * size;
        linked->late[i] = linked->room[i];
    }
    memset(linked->load, 0, (size_t)linked->count * sizeof *linked->load);
    return changed;
}
