#include "equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/parts/difference.h"

/* Pivots that differ by more than this leave the system singular to rounding. */
static const double singular_pivot = 1e-13;

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static bool take_frames(equations *self, carom_arena *arena)
{
    const size_t contacts = (size_t)self->contacts, directions = (size_t)self->directions;
    self->frame = carom_arena_take(arena, contacts, sizeof *self->frame);
    self->along = carom_arena_take(arena, carom_product(contacts, directions), sizeof *self->along);
    self->probe = carom_arena_take(arena, directions, sizeof *self->probe);
    if (!self->frame || !self->along || !self->probe)
        return false;
    for (int contact = 0; contact < self->contacts; contact++) {
        if (!carom_contact_frame_take_for(arena, self->model, contact, &self->frame[contact]))
            return false;
        for (int d = 0; d < self->directions; d++)
            if (!carom_contact_frame_take_for(arena, self->model, contact,
                                              &self->along[contact * self->directions + d]))
                return false;
    }
    for (int d = 0; d < self->directions; d++)
        if (!carom_contact_frame_take(arena, self->model, &self->probe[d]))
            return false;
    return true;
}

bool equations_take(equations *self, carom_arena *arena, carom_model_work *work, int directions)
{
    const carom_model *model = work->model;
    *self = (equations){.work = work,
                        .model = model,
                        .n = model->dof,
                        .joints = model->joints,
                        .contacts = model->contacts,
                        .directions = directions};
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts, d = (size_t)directions;
    const size_t constraints = contacts + (size_t)model->joints;
    const size_t room = n + (size_t)model->joints + CAROM_CONTACT_COMPONENTS * contacts;
    const size_t entries =
        model->joints > 0 ? (size_t)carom_sparse_entries(model->ops->block_pattern(model, CAROM_BLOCK_ROWS))
                          : 0;
    self->room = (int)room;
    self->work_size = carom_least_squares_work((int)room, (int)room, 1);
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->z, room},
                  {&self->matrix, carom_product(room, room)},
                  {&self->factor, carom_product(room, room)},
                  {&self->singular, carom_product(room, room)},
                  {&self->scale, room},
                  {&self->right, carom_product(d, room)},
                  {&self->work_space, self->work_size},
                  {&self->mass, carom_product(n, n)},
                  {&self->mass_along, carom_product(d, carom_product(n, n))},
                  {&self->gap, contacts},
                  {&self->gap_along, carom_product(d, contacts)},
                  {&self->joint_entry, entries},
                  {&self->joint_entry_along, carom_product(d, entries)},
                  {&self->joint_row, carom_product((size_t)model->joints, n)},
                  {&self->value, constraints},
                  {&self->rate, constraints},
                  {&self->curvature, constraints},
                  {&self->value_along, carom_product(d, constraints)},
                  {&self->rate_along, carom_product(d, constraints)},
                  {&self->curvature_along, carom_product(d, constraints)},
                  {&self->force, n},
                  {&self->force_along, carom_product(d, n)},
                  {&self->row, n},
                  {&self->probe_q, n},
                  {&self->differences, carom_product((DIFFERENCE_SCRATCH + 1) * CAROM_TANGENTS_MAX, d)},
                  {&self->scratch, n}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->pivot = carom_arena_take(arena, room, sizeof(int));
    self->list = carom_arena_take(arena, contacts, sizeof *self->list);
    self->moved = carom_arena_take(arena, d, sizeof *self->moved);
    return self->pivot && self->list && self->moved && take_frames(self, arena);
}

/* ---- friction ------------------------------------------------------------------------------------------------------ */

void equations_friction(const carom_contact_info *info, const double *coefficients, bool held,
                        const double slip[2], const double *given, double x[2])
{
    const double *along = given ? given : slip;
    if (equations_weakens(info)) {
        const carom_weakening law = {.Td = coefficients[0], .Ts = coefficients[1], .vd = coefficients[2]};
        const double sign = along[0] > 0.0 ? 1.0 : -1.0;
        x[0] = -sign * carom_weakening_force(&law, fmax(0.0, sign * slip[0]));
        x[1] = 0.0;
        return;
    }
    const carom_planar_set set = carom_friction_law_set(&info->friction, coefficients, info->tangents, held);
    event_friction_of_slip(&set, info->tangents, along, x);
}

/* ---- which contacts -------------------------------------------------------------------------------------------------- */

void equations_list_none(equations *self)
{
    self->listed = 0;
}

equation_contact *equations_list_add(equations *self, int contact, unsigned char status)
{
    equation_contact *entry = &self->list[self->listed++];
    *entry = (equation_contact){
        .contact = contact, .status = status, .bounded = self->model->contact[contact].friction_force};
    return entry;
}

void equations_list_mode(equations *self, const event_driven *scheme)
{
    self->listed = 0;
    for (int contact = 0; contact < self->contacts; contact++) {
        if (!scheme->closed[contact])
            continue;
        const bool friction = scheme->general && event_mode_tangents(scheme, contact) > 0;
        equation_contact *entry =
            equations_list_add(self, contact, friction ? scheme->mode.status[contact] : EVENT_FRICTIONLESS);
        if (!friction)
            continue;
        entry->tangents = self->model->contact[contact].tangents;
        entry->given = event_slips(entry->status) && (entry->tangents == 1 || entry->status == EVENT_START);
        entry->direction[0] = scheme->mode.direction[2 * contact];
        entry->direction[1] = scheme->mode.direction[2 * contact + 1];
    }
}

/* ---- at a moment ------------------------------------------------------------------------------------------------------ */

double equations_rate(const equations *self, int contact, int component, const double *u)
{
    return equations_frame_rate(&self->frame[contact], component, u);
}

double equations_rate_along(const equations *self, int contact, int component, const double *u, int direction,
                            const double *du)
{
    const carom_contact_frame *along = &self->along[contact * self->directions + direction];
    return equations_frame_rate(along, component, u) +
           carom_row_dot(equations_frame_row(&self->frame[contact], component), du);
}

/* Second derivatives of the slips of a contact along the motion: the slips' derivative along (1, u). */
static void find_slip_curvatures(equations *self, equation_contact *entry)
{
    entry->curvature[0] = entry->curvature[1] = 0.0;
    if (entry->status != EVENT_STICK || self->model->contact[entry->contact].constant_frame)
        return;
    const carom_direction motion = {.t = 1.0, .q = self->u};
    self->model->ops->tangent->frame(self->work, entry->contact, self->t, self->q, 1, &motion, self->probe);
    for (int i = 0; i < entry->tangents; i++)
        entry->curvature[i] = equations_frame_rate(&self->probe[0], 1 + i, self->u);
}

static void find_joints(equations *self, const double *u)
{
    const carom_model *model = self->model;
    const carom_motion motion = {.t = self->t, .q = self->q, .v = u};
    bool wanted = self->joints > 0;
    for (int k = 0; k < self->listed; k++)
        wanted = wanted || !model->contact[self->list[k].contact].constant_frame;
    if (!wanted) {
        const size_t constraints = (size_t)(self->joints + self->contacts);
        memset(self->curvature, 0, constraints * sizeof(double));
        return;
    }
    model->ops->constraints(self->work, &motion, self->value, self->rate, self->curvature);
    if (self->joints == 0)
        return;
    const carom_sparse *pattern = model->ops->block_pattern(model, CAROM_BLOCK_ROWS);
    model->ops->block(self->work, CAROM_BLOCK_ROWS, &motion, self->joint_entry);
    memset(self->joint_row, 0, (size_t)self->joints * (size_t)self->n * sizeof(double));
    for (int j = 0; j < self->n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < self->joints)
                self->joint_row[pattern->row[k] * self->n + j] = self->joint_entry[k];
}

/* Frames of the contacts, the friction of those that slip at velocity u, places of the unknowns. */
static void find_contacts(equations *self, const double *u)
{
    self->unknowns = self->n + self->joints;
    for (int k = 0; k < self->listed; k++) {
        equation_contact *entry = &self->list[k];
        const carom_contact_info *info = &self->model->contact[entry->contact];
        carom_contact_frame *frame = &self->frame[entry->contact];
        self->model->ops->frame(self->work, entry->contact, self->t, self->q, frame);
        if (entry->status != EVENT_FRICTIONLESS)
            entry->tangents = info->tangents;
        entry->first = self->unknowns;
        self->unknowns += (entry->bounded ? 0 : 1) + (entry->status == EVENT_STICK ? entry->tangents : 0);
        if (!event_slips(entry->status) || self->after) /* of an impact it is given */
            continue;
        double slip[2] = {0};
        for (int i = 0; i < entry->tangents; i++)
            slip[i] = equations_frame_rate(frame, 1 + i, u);
        equations_friction(info, frame->coefficients, entry->held, slip,
                           entry->given ? entry->direction : NULL, entry->x);
    }
}

/* The row of an unknown: n or T, and the column with which it acts: of a contact that slips with its friction. */
static void set_row(equations *self, int place, const carom_row *row)
{
    double *to = self->matrix + (ptrdiff_t)place * self->unknowns;
    for (int i = 0; i < row->count; i++)
        to[carom_row_column(row, i)] = row->value[i];
}

static void add_column(equations *self, int place, const carom_row *row, double factor)
{
    for (int i = 0; i < row->count; i++)
        self->matrix[(ptrdiff_t)carom_row_column(row, i) * self->unknowns + place] -= factor * row->value[i];
}

static void set_contact(equations *self, const equation_contact *entry)
{
    const carom_contact_frame *frame = &self->frame[entry->contact];
    int place = entry->first;
    if (!entry->bounded) {
        set_row(self, place, &frame->normal);
        add_column(self, place, &frame->normal, 1.0);
        for (int i = 0; event_slips(entry->status) && i < entry->tangents; i++)
            add_column(self, place, &frame->tangent[i], entry->x[i]);
        place++;
    }
    for (int i = 0; entry->status == EVENT_STICK && i < entry->tangents; i++, place++) {
        set_row(self, place, &frame->tangent[i]);
        add_column(self, place, &frame->tangent[i], 1.0);
    }
}

static void find_mass(equations *self)
{
    if (self->mass_known)
        return;
    self->model->ops->mass(self->work, self->t, self->q, self->mass);
    self->mass_known = self->model->constant_mass;
}

/* 2^-exponent, or the root of it. Powers of two change no digit, so the factors of a model in other units are the same. */
static double power_near(double size, bool root)
{
    int exponent = 0;
    if (!(size > 0.0))
        return 1.0;
    frexp(size, &exponent);
    return ldexp(1.0, root ? -(exponent >> 1) : -exponent);
}

/* S K S has no unit: masses and rows of contacts and joints are of size 1. */
static void find_scales(equations *self)
{
    const int size = self->unknowns, n = self->n;
    for (int i = 0; i < size; i++) {
        const double *row = self->matrix + (ptrdiff_t)i * size;
        double largest = i < n ? fabs(row[i]) : 0.0;
        for (int j = 0; i >= n && j < n; j++)
            largest = fmax(largest, fabs(row[j]) * self->scale[j]);
        self->scale[i] = power_near(largest, i < n);
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            self->factor[(ptrdiff_t)i * size + j] =
                self->scale[i] * self->scale[j] * self->matrix[(ptrdiff_t)i * size + j];
}

bool equations_factor(equations *self)
{
    const int size = self->unknowns;
    if (!carom_all_finite(size * size, self->matrix))
        return false;
    find_scales(self);
    self->is_singular = carom_lu_factor(size, self->factor, self->pivot) != 0;
    double least = INFINITY, most = 0.0;
    for (int i = 0; i < size; i++) {
        least = fmin(least, fabs(self->factor[(ptrdiff_t)i * size + i]));
        most = fmax(most, fabs(self->factor[(ptrdiff_t)i * size + i]));
    }
    self->is_singular = self->is_singular || !(least > singular_pivot * most);
    self->is_factored = size == self->n && self->model->constant_mass && !self->is_singular;
    return true;
}

/* K, and its factors. */
static bool factor_matrix(equations *self)
{
    const int n = self->n, size = self->unknowns;
    if (self->is_factored && size == n)
        return true;
    find_mass(self);
    memset(self->matrix, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int i = 0; i < n; i++)
        memcpy(self->matrix + (ptrdiff_t)i * size, self->mass + (ptrdiff_t)i * n, (size_t)n * sizeof(double));
    for (int k = 0; k < self->joints; k++)
        for (int j = 0; j < n; j++) {
            self->matrix[(ptrdiff_t)(n + k) * size + j] = self->joint_row[k * n + j];
            self->matrix[(ptrdiff_t)j * size + n + k] = -self->joint_row[k * n + j];
        }
    for (int k = 0; k < self->listed; k++)
        set_contact(self, &self->list[k]);
    return equations_factor(self);
}

/* K x = x. Of a singular system, redundant contacts, the shortest solution in the scales of S: velocities and accelerations are
 * those of every solution. */
bool equations_solve(equations *self, double *x)
{
    const int size = self->unknowns;
    for (int i = 0; i < size; i++)
        x[i] *= self->scale[i];
    if (!self->is_singular) {
        carom_lu_solve(size, self->factor, self->pivot, x);
    } else {
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                self->singular[(ptrdiff_t)j * size + i] =
                    self->scale[i] * self->scale[j] * self->matrix[(ptrdiff_t)i * size + j];
        if (carom_least_squares(size, size, self->singular, 1, x, 1e-11, self->pivot, self->work_space,
                                self->work_size) < 0)
            return false;
    }
    for (int i = 0; i < size; i++)
        x[i] *= self->scale[i];
    return carom_all_finite(size, x);
}

/* Force of a friction force that slips: known. */
static void add_bounded(const equations *self, double *right)
{
    for (int k = 0; k < self->listed; k++) {
        const equation_contact *entry = &self->list[k];
        for (int i = 0; entry->bounded && event_slips(entry->status) && i < entry->tangents; i++)
            carom_row_add(&self->frame[entry->contact].tangent[i], entry->x[i], right);
    }
}

bool equations_accelerate(equations *self, double t, const double *q, const double *u)
{
    const double b = self->drift;
    self->t = t;
    self->q = q;
    self->u = u;
    self->after = NULL;
    find_contacts(self, u);
    find_joints(self, u);
    for (int k = 0; k < self->listed; k++)
        find_slip_curvatures(self, &self->list[k]);
    if (!factor_matrix(self))
        return false;
    double *right = self->z;
    memset(right, 0, (size_t)self->unknowns * sizeof(double));
    self->model->ops->force(self->work, t, q, u, right);
    memcpy(self->force, right, (size_t)self->n * sizeof(double));
    add_bounded(self, right);
    for (int k = 0; k < self->joints; k++)
        right[self->n + k] =
            -self->curvature[k] - b * b * self->value[k] -
            2.0 * b * (carom_dot(self->n, self->joint_row + (ptrdiff_t)k * self->n, u) + self->rate[k]);
    if (self->listed > 0)
        self->model->ops->gaps(self->work, t, q, self->gap);
    for (int k = 0; k < self->listed; k++) {
        const equation_contact *entry = &self->list[k];
        const carom_contact_frame *frame = &self->frame[entry->contact];
        int place = entry->first;
        if (!entry->bounded)
            right[place++] = -self->curvature[self->joints + entry->contact] -
                             2.0 * b * equations_frame_rate(frame, 0, u) - b * b * self->gap[entry->contact];
        for (int i = 0; entry->status == EVENT_STICK && i < entry->tangents; i++)
            right[place++] = -entry->curvature[i] - b * equations_frame_rate(frame, 1 + i, u);
    }
    return equations_solve(self, right);
}

bool equations_strike(equations *self, double t, const double *q, const double *u)
{
    self->t = t;
    self->q = q;
    self->u = u;
    self->after = self->z;
    find_contacts(self, u);
    find_joints(self, u);
    if (!factor_matrix(self))
        return false;
    double *right = self->z;
    memset(right, 0, (size_t)self->unknowns * sizeof(double));
    find_mass(self);
    for (int i = 0; i < self->n; i++)
        right[i] = carom_dot(self->n, self->mass + (ptrdiff_t)i * self->n, u);
    for (int k = 0; k < self->joints; k++)
        right[self->n + k] = -self->rate[k];
    for (int k = 0; k < self->listed; k++) {
        const equation_contact *entry = &self->list[k];
        const carom_contact_frame *frame = &self->frame[entry->contact];
        int place = entry->first;
        if (!entry->bounded)
            right[place++] = -frame->normal_rate - entry->e * equations_frame_rate(frame, 0, u);
        for (int i = 0; entry->status == EVENT_STICK && i < entry->tangents; i++)
            right[place++] = -frame->tangent_rate[i];
    }
    return equations_solve(self, right);
}

void equations_force(const equations *self, int k, const double *z, double r[3])
{
    const equation_contact *entry = &self->list[k];
    const int first = entry->first + (entry->bounded ? 0 : 1);
    r[0] = entry->bounded ? 0.0 : z[entry->first];
    r[1] = r[2] = 0.0;
    for (int i = 0; i < entry->tangents; i++) {
        if (entry->status == EVENT_STICK)
            r[1 + i] = z[first + i];
        else if (event_slips(entry->status))
            r[1 + i] = entry->x[i] * (entry->bounded ? 1.0 : r[0]);
    }
}
