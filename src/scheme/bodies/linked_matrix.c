/* The matrix of the linked part: its places, and its values at a position. */
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

enum {
    MOST_COORDINATES = 300 /* whose mass matrix is looked at as a full one */
};

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
    double **vector[] = {&linked->load, &linked->impulse, &linked->plain, &linked->late,
                         &linked->base, &linked->change,  &linked->room};
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

/* Of its six slots: the diagonal of the mass, then the 3 x 3 inertia, of which the plane has the diagonal. */
bool linked_body_entry(const body_step *self, int b, int k, int *row, int *column)
{
    const int i = k < 3 ? k : 3 + (k - 3) / 3, j = k < 3 ? k : 3 + (k - 3) % 3;
    *row = self->linked.number[6 * self->linked.body[b] + i];
    *column = self->linked.number[6 * self->linked.body[b] + j];
    return (!self->plane || i == j) && *row >= 0 && *column >= 0;
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
        for (int k = 0; k < LINKED_BODY_PLACES; k++) {
            int i, j;
            if (linked_body_entry(self, b, k, &i, &j))
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
        (size_t)linked->count + LINKED_BODY_PLACES * (size_t)linked->bodies +
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
    linked->body_place = carom_arena_take(arena, LINKED_BODY_PLACES * (size_t)linked->bodies, sizeof(int));
    linked->mirror = carom_arena_take(arena, places, sizeof(int));
    linked->value = carom_arena_take(arena, places, sizeof(double));
    linked->slope = carom_arena_take(arena, places, sizeof(double));
    linked->turn = carom_arena_take(arena, places, sizeof(double));
    linked->last = carom_arena_take(arena, places, sizeof(double));
    linked->stiff = carom_arena_take(arena, places, sizeof(double));
    const size_t n = linked->count <= LINKED_MOST_STIFF ? (size_t)linked->count : 0;
    linked->dense = carom_arena_take(arena, n * n, sizeof(double));
    if (!linked->mass || !linked->by_q || !linked->by_u || !linked->mass_place || !linked->by_q_place ||
        !linked->by_u_place || !linked->body_place || !linked->mirror || !linked->value || !linked->slope ||
        !linked->turn || !linked->last || !linked->stiff || !linked->dense)
        return false;
    for (int b = 0; b < linked->bodies; b++)
        for (int k = 0; k < LINKED_BODY_PLACES; k++) {
            int i, j, *place = &linked->body_place[LINKED_BODY_PLACES * b + k];
            *place = linked_body_entry(self, b, k, &i, &j) ? place_of(&linked->pattern, i, j) : -1;
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
    const bool full = given->coordinates <= MOST_COORDINATES;
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
void linked_body_inertia(const body_step *self, int body, double inertia[9])
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
        linked_body_inertia(self, linked->body[b], inertia);
        for (int k = 0; k < LINKED_BODY_PLACES; k++) {
            const int place = linked->body_place[LINKED_BODY_PLACES * b + k];
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
