/* Derivatives of the equations of a moment along directions of state and parameters. */
#include <math.h>
#include <string.h>

#include "equations.h"
#include "scheme/parts/difference.h"

/* Derivative of x along a change of coefficients and slip: it is smooth and its scale is known, so that central differences of
 * order 6 with large steps have nearly all digits. */
static void friction_along(const carom_contact_info *info, const double *coefficients, const double *change,
                           const equation_contact *entry, const double slip[2], const double slip_change[2],
                           double dx[2])
{
    const double *given = entry->given ? entry->direction : NULL;
    double part = 0.0, moved[EQUATIONS_COEFFICIENTS], least = INFINITY;
    dx[0] = dx[1] = 0.0;
    const bool by_slip = !given && info->tangents == 2;
    const double speed = hypot(slip[0], slip[1]), speed_change = hypot(slip_change[0], slip_change[1]);
    double size = 0.0;
    for (int i = 0; i < info->coefficients; i++)
        size = fmax(size, fabs(coefficients[i]));
    for (int i = 0; i < info->coefficients; i++)
        if (change[i] != 0.0)
            least = fmin(least, (coefficients[i] != 0.0 ? fabs(coefficients[i]) : size) / fabs(change[i]));
    if (by_slip && speed_change > 0.0)
        least = fmin(least, speed / speed_change);
    part = 5e-3 * least;
    if (isfinite(least) && part > 0.0) {
        static const double weight[3] = {45.0, -9.0, 1.0};
        for (int k = 1; k <= 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                const double s = side * k * part;
                double x[2];
                for (int i = 0; i < info->coefficients; i++)
                    moved[i] = coefficients[i] + s * change[i];
                const double there[2] = {slip[0] + (by_slip ? s * slip_change[0] : 0.0),
                                         slip[1] + (by_slip ? s * slip_change[1] : 0.0)};
                equations_friction(info, moved, entry->held, there, given, x);
                for (int i = 0; i < 2; i++)
                    dx[i] += side * weight[k - 1] * x[i] / (60.0 * part);
            }
    }
    if (equations_weakens(info)) {
        const carom_weakening law = {.Td = coefficients[0], .Ts = coefficients[1], .vd = coefficients[2]};
        const double sign = (given ? given[0] : slip[0]) > 0.0 ? 1.0 : -1.0;
        dx[0] += carom_weakening_slope(&law, fmax(0.0, sign * slip[0])) * slip_change[0];
    }
}

static bool is_still(const equations *self, int contact, const carom_direction *direction)
{
    return self->model->contact[contact].constant_frame && !direction->parameter;
}

static void clear_frame(const carom_contact_info *info, carom_contact_frame *frame)
{
    memset(frame->normal.value, 0, (size_t)frame->normal.count * sizeof(double));
    for (int i = 0; i < info->tangents; i++)
        memset(frame->tangent[i].value, 0, (size_t)frame->tangent[i].count * sizeof(double));
    memset(frame->coefficients, 0, (size_t)info->coefficients * sizeof(double));
    frame->normal_rate = frame->tangent_rate[0] = frame->tangent_rate[1] = frame->restitution = 0.0;
}

static void frames_along(equations *self, int contact, double t, const double *q, int count,
                         const carom_direction *direction)
{
    carom_contact_frame *along = &self->along[contact * self->directions];
    bool still = true;
    for (int d = 0; d < count; d++)
        still = still && is_still(self, contact, &direction[d]);
    for (int d = 0; still && d < count; d++) { /* columns of its rows are those of the frame itself */
        along[d].normal.count = self->frame[contact].normal.count;
        along[d].normal.column = self->frame[contact].normal.column;
        for (int i = 0; i < self->model->contact[contact].tangents; i++) {
            along[d].tangent[i].count = self->frame[contact].tangent[i].count;
            along[d].tangent[i].column = self->frame[contact].tangent[i].column;
        }
        clear_frame(&self->model->contact[contact], &along[d]);
    }
    if (!still)
        self->model->ops->tangent->frame(self->work, contact, t, q, count, direction, along);
}

void equations_look_at(equations *self, int contact, double t, const double *q, int count,
                       const carom_direction *direction)
{
    self->model->ops->frame(self->work, contact, t, q, &self->frame[contact]);
    frames_along(self, contact, t, q, count, direction);
}

/* ---- the equations --------------------------------------------------------------------------------------------------- */

static bool changes_mass(const equations *self, int count, const carom_direction *direction)
{
    for (int d = 0; d < count; d++)
        if (direction[d].parameter)
            return true;
    return !self->model->constant_mass;
}

/* In an impact in space the friction of a contact that slips turns with its velocity after the impact:
 * K += -p_N T^T (dx / d slip) T in the block of the velocities. */
static bool turn_friction(equations *self)
{
    const int size = self->unknowns;
    const double none[EQUATIONS_COEFFICIENTS] = {0};
    bool any = false;
    for (int k = 0; self->after && k < self->listed; k++) {
        const equation_contact *entry = &self->list[k];
        if (!event_slips(entry->status) || entry->tangents != 2 || entry->bounded || entry->given)
            continue;
        const carom_contact_frame *frame = &self->frame[entry->contact];
        const double slip[2] = {equations_frame_rate(frame, 1, self->after),
                                equations_frame_rate(frame, 2, self->after)};
        for (int b = 0; b < 2; b++) {
            const double unit[2] = {b == 0, b == 1};
            double dx[2];
            friction_along(&self->model->contact[entry->contact], frame->coefficients, none, entry, slip,
                           unit, dx);
            for (int a = 0; a < 2; a++)
                for (int i = 0; i < frame->tangent[a].count; i++)
                    for (int j = 0; j < frame->tangent[b].count; j++)
                        self->matrix[(ptrdiff_t)carom_row_column(&frame->tangent[a], i) * size +
                                     carom_row_column(&frame->tangent[b], j)] -=
                            self->z[entry->first] * dx[a] * frame->tangent[a].value[i] *
                            frame->tangent[b].value[j];
        }
        any = true;
    }
    return !any || equations_factor(self);
}

typedef struct slips_beside {
    equations *equations;
    const equation_contact *entry;
    int count;
} slips_beside;

/* Derivatives of the slips along the directions in `moved` at (t + s, q + s u), tangents after directions. */
static void slips_at(void *context, double s, double *slip)
{
    const slips_beside *at = context;
    equations *self = at->equations;
    for (int i = 0; i < self->n; i++)
        self->probe_q[i] = self->q[i] + s * self->u[i];
    self->model->ops->tangent->frame(self->work, at->entry->contact, self->t + s, self->probe_q, at->count,
                                     self->moved, self->probe);
    for (int i = 0; i < at->entry->tangents; i++)
        for (int d = 0; d < at->count; d++)
            *slip++ = equations_frame_rate(&self->probe[d], 1 + i, self->u);
}

/* Derivative of the slip's curvature k = d/ds slip(t + s, q + s u, u) along (dt, dq, du, dp):
 *
 *   d/ds [slip along (dt, dq, 0, dp) at (t + s, q + s u)]  +  slip along (0, du)  +  (T along (1, u)) du
 *
 * of which the first is a difference along the motion. Adds it to `right` with a minus sign. */
static void add_slip_curvatures(equations *self, const equation_contact *entry, int count,
                                const carom_direction *direction)
{
    const ptrdiff_t size = self->unknowns;
    if (entry->status != EVENT_STICK || self->model->contact[entry->contact].constant_frame)
        return;
    const int first = entry->first + (entry->bounded ? 0 : 1);
    slips_beside at = {.equations = self, .entry = entry, .count = count};
    const difference along = {.count = count * entry->tangents,
                              .context = &at,
                              .value = slips_at,
                              .scale = self->time,
                              .scratch = self->differences + CAROM_TANGENTS_MAX * (ptrdiff_t)count};
    for (int d = 0; d < count; d++)
        self->moved[d] =
            (carom_direction){.t = direction[d].t, .q = direction[d].q, .parameter = direction[d].parameter};
    difference_find(&along, self->differences);
    for (int i = 0; i < entry->tangents; i++)
        for (int d = 0; d < count; d++)
            self->right[d * size + first + i] -= self->differences[i * count + d];
    for (int d = 0; d < count; d++) {
        const double *du = direction[d].u;
        if (!du)
            continue;
        const carom_direction two[2] = {{.q = du}, {.t = 1.0, .q = self->u}};
        for (int which = 0; which < 2; which++) {
            self->model->ops->tangent->frame(self->work, entry->contact, self->t, self->q, 1, &two[which],
                                             self->probe);
            for (int i = 0; i < entry->tangents; i++)
                self->right[d * size + first + i] -=
                    which == 0 ? equations_frame_rate(&self->probe[0], 1 + i, self->u)
                               : carom_row_dot(&self->probe[0].tangent[i], du);
        }
    }
}

static void slip_along(const equations *self, const equation_contact *entry, const carom_contact_frame *along,
                       const double *du, double slip[2], double change[2])
{
    const carom_contact_frame *frame = &self->frame[entry->contact];
    const double *u = self->after ? self->after : self->u;
    slip[0] = slip[1] = change[0] = change[1] = 0.0;
    for (int i = 0; i < entry->tangents; i++) {
        slip[i] = equations_frame_rate(frame, 1 + i, u);
        change[i] =
            equations_frame_rate(along, 1 + i, u) + (du ? carom_row_dot(&frame->tangent[i], du) : 0.0);
    }
}

/* Forces of the contact at rows that change: dB r, and of an impact or a mode the rows of its laws. */
static void add_contact(equations *self, const equation_contact *entry, int d,
                        const carom_direction *direction, double *right)
{
    const double b = self->drift;
    const carom_contact_info *info = &self->model->contact[entry->contact];
    const carom_contact_frame *frame = &self->frame[entry->contact];
    const carom_contact_frame *along = &self->along[entry->contact * self->directions + d];
    const double *z = self->z, *du = direction->u;
    const double normal = entry->bounded ? 1.0 : z[entry->first];
    int place = entry->first;
    if (!entry->bounded)
        carom_row_add(&along->normal, normal, right);
    if (event_slips(entry->status)) {
        double slip[2], change[2], dx[2];
        slip_along(self, entry, along, self->after ? NULL : du, slip, change); /* du+ stands in K */
        friction_along(info, frame->coefficients, along->coefficients, entry, slip, change, dx);
        for (int i = 0; i < entry->tangents; i++) {
            carom_row_add(&along->tangent[i], normal * entry->x[i], right);
            carom_row_add(&frame->tangent[i], normal * dx[i], right);
        }
    }
    if (!entry->bounded) {
        if (self->after) {
            const double before =
                equations_frame_rate(along, 0, self->u) + (du ? carom_row_dot(&frame->normal, du) : 0.0);
            const double de = entry->rebounds ? along->restitution : 0.0;
            right[place] = -equations_frame_rate(along, 0, z) - de * equations_frame_rate(frame, 0, self->u) -
                           entry->e * before;
        } else {
            const double rate =
                equations_frame_rate(along, 0, self->u) + (du ? carom_row_dot(&frame->normal, du) : 0.0);
            const int c = self->joints + entry->contact, all = self->joints + self->contacts;
            right[place] = -carom_row_dot(&along->normal, z) - self->curvature_along[d * all + c] -
                           2.0 * b * rate - b * b * self->gap_along[d * self->contacts + entry->contact];
        }
        place++;
    }
    for (int i = 0; entry->status == EVENT_STICK && i < entry->tangents; i++, place++) {
        carom_row_add(&along->tangent[i], z[place], right);
        const double slip =
            equations_frame_rate(along, 1 + i, self->u) + (du ? carom_row_dot(&frame->tangent[i], du) : 0.0);
        right[place] = self->after ? -equations_frame_rate(along, 1 + i, z)
                                   : -carom_row_dot(&along->tangent[i], z) - b * slip;
    }
}

/* dG^T l in the forces, and the rows of the joints. */
static void add_joints(equations *self, int d, const carom_direction *direction, double *right)
{
    const double b = self->drift;
    const int n = self->n, all = self->joints + self->contacts;
    if (self->joints == 0)
        return;
    const carom_sparse *pattern = self->model->ops->block_pattern(self->model, CAROM_BLOCK_ROWS);
    const double *entry = self->joint_entry_along + (ptrdiff_t)d * carom_sparse_entries(pattern);
    double *row = right + n;
    for (int k = 0; k < self->joints; k++) {
        const double *G = self->joint_row + (ptrdiff_t)k * n;
        const double rate =
            self->rate_along[d * all + k] + (direction->u ? carom_dot(n, G, direction->u) : 0.0);
        row[k] = self->after ? -self->rate_along[d * all + k]
                             : -self->curvature_along[d * all + k] - 2.0 * b * rate -
                                   b * b * self->value_along[d * all + k];
    }
    for (int j = 0; j < n; j++)
        for (int i = pattern->column_start[j]; i < pattern->column_start[j + 1]; i++) {
            const int k = pattern->row[i];
            if (k >= self->joints)
                continue;
            right[j] += entry[i] * self->z[n + k];
            row[k] -= entry[i] * self->z[j] + (self->after ? 0.0 : 2.0 * b * entry[i] * self->u[j]);
        }
}

/* What the model says along all directions. */
static void ask_model(equations *self, int count, const carom_direction *direction)
{
    const carom_model_tangent_ops *tangent = self->model->ops->tangent;
    const carom_motion motion = {.t = self->t, .q = self->q, .v = self->u};
    const size_t constraints = (size_t)(self->joints + self->contacts);
    if (!self->after)
        tangent->force(self->work, self->t, self->q, self->u, count, direction, self->force_along);
    bool curved = self->joints > 0;
    for (int k = 0; k < self->listed; k++) {
        const int contact = self->list[k].contact;
        frames_along(self, contact, self->t, self->q, count, direction);
        curved = curved || !self->model->contact[contact].constant_frame;
    }
    if (self->listed > 0)
        tangent->gaps(self->work, self->t, self->q, count, direction, self->gap_along);
    if (curved)
        tangent->constraints(self->work, &motion, count, direction, self->value_along, self->rate_along,
                             self->curvature_along);
    else
        memset(self->curvature_along, 0, (size_t)count * constraints * sizeof(double));
    if (self->joints > 0)
        tangent->block(self->work, CAROM_BLOCK_ROWS, &motion, count, direction, self->joint_entry_along);
}

bool equations_along(equations *self, int count, const carom_direction *direction, double *dz)
{
    const int n = self->n;
    const ptrdiff_t size = self->unknowns;
    ask_model(self, count, direction);
    const bool mass = changes_mass(self, count, direction);
    if (mass)
        self->model->ops->tangent->mass(self->work, self->t, self->q, count, direction, self->mass_along);
    if (!turn_friction(self))
        return false;
    memset(self->right, 0, (size_t)count * (size_t)size * sizeof(double));
    for (int k = 0; !self->after && k < self->listed; k++)
        add_slip_curvatures(self, &self->list[k], count, direction);
    for (int d = 0; d < count; d++) {
        double *right = self->right + d * size;
        const double *du = direction[d].u;
        for (int i = 0; i < n; i++) {
            /* M du- + dM (u- - u+), or df - dM a */
            right[i] = !self->after ? self->force_along[d * n + i]
                       : du         ? carom_dot(n, self->mass + (ptrdiff_t)i * n, du)
                                    : 0.0;
            for (int j = 0; mass && j < n; j++)
                right[i] += self->mass_along[((ptrdiff_t)d * n + i) * n + j] *
                            ((self->after ? self->u[j] : 0.0) - self->z[j]);
        }
        add_joints(self, d, &direction[d], right);
        for (int k = 0; k < self->listed; k++) {
            const equation_contact *entry = &self->list[k];
            double kept[CAROM_TANGENTS_MAX] = {0}; /* what add_slip_curvatures has left there */
            const int first = entry->first + (entry->bounded ? 0 : 1);
            for (int i = 0; entry->status == EVENT_STICK && i < entry->tangents; i++)
                kept[i] = right[first + i];
            add_contact(self, entry, d, &direction[d], right);
            for (int i = 0; entry->status == EVENT_STICK && i < entry->tangents; i++)
                right[first + i] += kept[i];
        }
        if (!equations_solve(self, right))
            return false;
        memcpy(dz + d * size, right, (size_t)size * sizeof(double));
    }
    return true;
}

void equations_force_along(const equations *self, int k, int direction, const carom_direction *moved,
                           const double *dz, double r[3])
{
    const equation_contact *entry = &self->list[k];
    const carom_contact_info *info = &self->model->contact[entry->contact];
    const carom_contact_frame *along = &self->along[entry->contact * self->directions + direction];
    equations_force(self, k, dz, r);
    if (!event_slips(entry->status))
        return;
    const double normal = entry->bounded ? 1.0 : self->z[entry->first];
    double slip[2], change[2], dx[2];
    slip_along(self, entry, along, self->after ? dz : moved->u, slip, change);
    friction_along(info, self->frame[entry->contact].coefficients, along->coefficients, entry, slip, change,
                   dx);
    for (int i = 0; i < entry->tangents; i++)
        r[1 + i] = (entry->bounded ? 0.0 : entry->x[i] * dz[entry->first]) + normal * dx[i];
}
