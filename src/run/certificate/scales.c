/* What the figures of a certificate are compared with: energies, displacements, and what each velocity weighs.
 *
 * A frame that moves with a constant velocity changes none of them. So displacements are those relative to v_frame, the mean
 * velocity of the motion since the start: of each coordinate, or of the centre of mass of all bodies. Kinetic energies are those
 * relative to v_frame or to the velocity of the start, whichever is less. */
#include "certifier.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/bodies.h"

/* Steps below so many units in the last place of a position are rounded by more than 0.1 % each. */
static const double resolved_places = 512.0;

/* ---- the frame --------------------------------------------------------------------------------------- */

bool certifier_take_scales(certifier *self, carom_arena *arena)
{
    const size_t dof = (size_t)self->model->dof;
    self->inertia = carom_arena_take(arena, dof, sizeof(double));
    self->position = carom_arena_take(arena, dof, sizeof(int));
    self->axis = carom_arena_take(arena, dof, sizeof(int));
    self->v_frame = carom_arena_take(arena, dof, sizeof(double));
    self->start_frame = carom_arena_take(arena, dof, sizeof(double));
    self->relative = carom_arena_take(arena, dof, sizeof(double));
    self->way_square = carom_arena_take(arena, dof, sizeof(double));
    self->way_time = carom_arena_take(arena, dof, sizeof(double));
    self->lost = carom_arena_take(arena, dof, sizeof(double));
    self->told = carom_arena_take(arena, dof, sizeof(double));
    self->start_velocity = carom_arena_take(arena, dof, sizeof(double));
    self->velocities = carom_arena_take(arena, dof, sizeof(double));
    self->speeds = carom_arena_take(arena, dof, sizeof(double));
    self->changes = carom_arena_take(arena, dof, sizeof(double));
    return self->inertia && self->position && self->axis && self->v_frame && self->start_frame &&
           self->relative && self->way_square && self->way_time && self->lost && self->told &&
           self->start_velocity && self->velocities && self->speeds && self->changes;
}

/* The position that each velocity moves, and the axis of space along which a body goes; -1: none. */
static void find_positions(certifier *self)
{
    for (int i = 0; i < self->layout.dof; i++) {
        self->position[i] = self->model->has_bodies ? -1 : i;
        self->axis[i] = -1;
    }
    if (!self->model->has_bodies)
        return;
    const carom_bodies *bodies = carom_model_bodies(self->work);
    const int axes = bodies->dimension == CAROM_PLANE ? 2 : 3;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; bodies->body[i].kind == CAROM_BODY_FREE && k < axes; k++) {
            self->position[bodies->body[i].v + k] = bodies->body[i].q + k;
            self->axis[bodies->body[i].v + k] = k;
        }
    for (int k = 0; k < bodies->linked.coordinates; k++)
        self->position[bodies->linked.v[k]] = bodies->linked.q[k];
}

/* Bodies share one frame: the velocity of their centre of mass. Their rotations have none. */
static void share_frame(const certifier *self, double *frame)
{
    double momentum[3] = {0.0}, mass[3] = {0.0};
    for (int i = 0; i < self->layout.dof; i++)
        if (self->axis[i] >= 0) {
            momentum[self->axis[i]] += self->inertia[i] * frame[i];
            mass[self->axis[i]] += self->inertia[i];
        }
    for (int i = 0; i < self->layout.dof; i++)
        if (self->axis[i] >= 0 && mass[self->axis[i]] > 0.0)
            frame[i] = momentum[self->axis[i]] / mass[self->axis[i]];
}

/* v_frame, from the displacements since the start. A structure rests on its supports. */
static void find_frame(certifier *self, const double *row)
{
    const double time = row[0] - self->start_time, *q = row + self->layout.q;
    const bool moves = time > 0.0 && !self->model->ops->structure;
    for (int i = 0; i < self->layout.dof; i++) {
        const int place = self->position[i];
        self->v_frame[i] = moves && place >= 0 ? (q[place] - self->start[place]) / time : 0.0;
    }
    share_frame(self, self->v_frame);
}

/* The frame that moves with the velocity of the start. */
static void find_start_frame(certifier *self)
{
    for (int i = 0; i < self->layout.dof; i++)
        self->start_frame[i] = self->position[i] >= 0 ? self->start_velocity[i] : 0.0;
    share_frame(self, self->start_frame);
}

/* ---- inertia ----------------------------------------------------------------------------------------- */

static void find_body_inertia(certifier *self)
{
    const carom_bodies *bodies = carom_model_bodies(self->work);
    const int axes = bodies->dimension == CAROM_PLANE ? 2 : 3;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        for (int k = 0; body->v >= 0 && k < axes; k++)
            self->inertia[body->v + k] = body->mass;
        for (int k = 0; body->v >= 0 && k < (axes == 2 ? 1 : 3); k++)
            self->inertia[body->v + axes + k] = body->inertia[axes == 2 ? 8 : 4 * k];
    }
}

/* The diagonal of a sparse mass. This and what follows: false if allocation fails. */
static bool find_sparse_inertia(certifier *self, const double *row)
{
    carom_sparse mass = *self->model->ops->matrix_pattern(self->model, CAROM_MATRIX_MASS);
    double *entry = carom_new_array((size_t)carom_sparse_entries(&mass), sizeof *entry);
    if (!entry)
        return false;
    self->model->ops->matrix(self->work, CAROM_MATRIX_MASS, row[0], row + self->layout.q, NULL, entry);
    for (int i = 0; i < self->layout.dof; i++) {
        const int place = carom_sparse_place(&mass, i, i);
        self->inertia[i] = place < 0 ? 0.0 : entry[place];
    }
    free(entry);
    return true;
}

static bool find_dense_inertia(certifier *self, const double *row)
{
    const size_t n = (size_t)self->layout.dof;
    double *mass = carom_new_array(n * n, sizeof *mass);
    if (!mass)
        return false;
    self->model->ops->mass(self->work, row[0], row + self->layout.q, mass);
    for (size_t i = 0; i < n; i++)
        self->inertia[i] = mass[i * n + i];
    free(mass);
    return true;
}

/* Of coordinates beside bodies. */
static bool find_linked_inertia(certifier *self, const carom_linked *linked, const double *row)
{
    double *entry = carom_new_array((size_t)linked->mass.count, sizeof *entry);
    if (!entry)
        return false;
    carom_bodies_linked_mass(self->work, row[0], row + self->layout.q, entry);
    for (int k = 0; k < linked->mass.count; k++)
        if (linked->mass.row[k] == linked->mass.column[k])
            self->inertia[linked->velocity[linked->mass.row[k]]] = entry[k];
    free(entry);
    return true;
}

static bool find_inertia(certifier *self, const double *row)
{
    for (int i = 0; i < self->layout.dof; i++)
        self->inertia[i] = 1.0;
    if (self->model->ops->structure || !self->model->ops->energy)
        return true;
    if (self->model->has_bodies) {
        const carom_linked *beside = &carom_model_bodies(self->work)->linked;
        find_body_inertia(self);
        return beside->coordinates == 0 || find_linked_inertia(self, beside, row);
    }
    if (carom_model_is_sparse(self->model))
        return find_sparse_inertia(self, row);
    return !self->model->ops->mass || find_dense_inertia(self, row);
}

/* ---- energies ---------------------------------------------------------------------------------------- */

/* Kinetic energy relative to a frame. T is 1/2 u.M u + b.u + c: in a model with a moving frame the mean over u and -u is
 * without the second term. */
static double kinetic_in(certifier *self, const double *row, const double *frame, double at_rest)
{
    const carom_model_ops *ops = self->model->ops;
    const int n = self->layout.dof;
    const double *q = row + self->layout.q, *v = row + self->layout.v;
    for (int i = 0; i < n; i++)
        self->relative[i] = v[i] - frame[i];
    const double kinetic = ops->energy(self->work, row[0], q, self->relative) - at_rest;
    if (!self->model->moving_frame)
        return kinetic;
    for (int i = 0; i < n; i++)
        self->relative[i] = -self->relative[i];
    return 0.5 * (kinetic + ops->energy(self->work, row[0], q, self->relative) - at_rest);
}

/* The smaller of two energies: soon after the start the mean motion is not yet that of the run, and what turns back has more
 * energy relative to it than it ever had. */
static void look_at_energies(certifier *self, const double *row)
{
    const carom_model_ops *ops = self->model->ops;
    const double *v = row + self->layout.v;
    if (ops->structure) {
        const double kinetic = 0.5 * carom_band_form(&ops->structure(self->work)->mass, v, v);
        self->kinetic = fmax(self->kinetic, kinetic);
        return;
    }
    if (!(row[0] > self->start_time)) /* there v_frame would be v */
        return;
    memset(self->place, 0, (size_t)self->layout.dof * sizeof *self->place);
    const double at_rest = ops->energy(self->work, row[0], row + self->layout.q, self->place);
    double kinetic = kinetic_in(self, row, self->v_frame, at_rest);
    if (kinetic > self->kinetic)
        kinetic = fmin(kinetic, kinetic_in(self, row, self->start_frame, at_rest));
    if (kinetic > self->kinetic)
        self->kinetic = kinetic;
}

/* The energy that the forces give to what is at rest in one step, (h f)^2 / (2 m), and how far they move it, h^2 f / m: what
 * contacts and joints hold back where nothing moves. */
static void look_at_held(certifier *self, const double *row, double h)
{
    const carom_model_ops *ops = self->model->ops;
    double *force = self->relative, sum = 0.0, length = self->step_length;
    if (!(h > 0.0) || ops->structure)
        return;
    if (self->model->has_bodies) {
        const carom_bodies *bodies = carom_model_bodies(self->work);
        for (int i = 0; i < self->layout.dof; i++)
            force[i] = self->axis[i] >= 0 ? self->inertia[i] * bodies->gravity[self->axis[i]] : 0.0;
    } else if (ops->force) {
        ops->force(self->work, row[0], row + self->layout.q, row + self->layout.v, force);
    } else {
        return;
    }
    for (int i = 0; i < self->layout.dof; i++)
        if (self->inertia[i] > 0.0) {
            sum += 0.5 * (h * force[i]) * (h * force[i]) / self->inertia[i];
            length = fmax(length, h * h * fabs(force[i]) / self->inertia[i]);
        }
    if (!isfinite(sum))
        return;
    self->step_energy = fmax(self->step_energy, sum);
    self->step_length = length;
}

double certifier_energy_moved(const certifier *self)
{
    return fmax(self->kinetic, self->moved);
}

/* Share of the energy and of the displacement of one step that is noise where nothing moves. It is small, because springs that are
 * stiff for the step have such energies without moving. */
static const double held_share = 1e-3;

double certifier_energy_scale(const certifier *self)
{
    return fmax(certifier_energy_moved(self), held_share * self->step_energy);
}

double certifier_length_scale(const certifier *self)
{
    return fmax(certifier_displacement(self), held_share * self->step_length);
}

/* Where the mean motion has less of the kinetic energy than this, works are taken as they are. */
static const double small_drift = 0.01;

static bool is_drifting(const certifier *self)
{
    double drift = 0.0;
    for (int i = 0; i < self->layout.dof; i++)
        drift += 0.5 * self->inertia[i] * self->v_frame[i] * self->v_frame[i];
    return drift > small_drift * self->kinetic;
}

/* ---- displacements ----------------------------------------------------------------------------------- */

/* Sums over time, of which the end makes the mean square of q - q0 - v_frame (t - t0). */
static void add_displacements(certifier *self, const double *row)
{
    const double *q = row + self->layout.q;
    const double weight = row[0] - self->sample_time, time = row[0] - self->start_time;
    double reach = self->reach;
    for (int i = 0; i < self->layout.dof; i++) {
        const int place = self->position[i];
        if (place < 0)
            continue;
        const double moved = q[place] - self->start[place];
        self->way_square[i] += weight * moved * moved;
        self->way_time[i] += weight * moved * time;
        reach = fabs(moved) > reach ? fabs(moved) : reach;
    }
    self->reach = reach;
    self->time_square += weight * time * time;
    self->sampled += weight;
    self->sample_time = row[0];
}

/* The range of an oscillation about the mean motion that has the same mean square: 2 A for A sin(w t). */
double certifier_displacement(const certifier *self)
{
    double largest = 0.0;
    for (int i = 0; i < self->layout.dof && self->sampled > 0.0; i++) {
        const double v = self->v_frame[i];
        const double square = self->way_square[i] - 2.0 * v * self->way_time[i] + v * v * self->time_square;
        if (self->position[i] >= 0 && square > largest)
            largest = square;
    }
    return sqrt(8.0 * largest / (self->sampled > 0.0 ? self->sampled : 1.0));
}

void certifier_look_at_scales(certifier *self, const double *row, double h)
{
    find_frame(self, row);
    look_at_energies(self, row);
    self->drifts = is_drifting(self);
    look_at_held(self, row, h);
    add_displacements(self, row);
}

bool certifier_start_scales(certifier *self, const double *row)
{
    self->start_time = self->sample_time = row[0];
    carom_copy(self->layout.positions, row + self->layout.q, self->start);
    carom_copy(self->layout.dof, row + self->layout.v, self->start_velocity);
    find_positions(self);
    if (!find_inertia(self, row))
        return false;
    find_start_frame(self);
    certifier_look_at_scales(self, row, 0.0);
    return true;
}

/* ---- steps ------------------------------------------------------------------------------------------- */

void certifier_look_at_gap_scale(certifier *self, const double *row)
{
    const double *gap = row + self->layout.gap;
    for (int i = 0; i < self->watched; i++)
        if (gap[i] > self->largest_gap[i] && isfinite(gap[i]))
            self->largest_gap[i] = gap[i];
}

/* What positions do not follow of their velocities, because a step is below their last digits. */
static void add_lost(certifier *self, int i, const double *before, const double *row, double steps)
{
    const int place = self->layout.q + self->position[i];
    const double h = row[0] - before[0];
    const double told = 0.5 * h * (before[self->layout.v + i] + row[self->layout.v + i]);
    if (!(fabs(told) < resolved_places * DBL_EPSILON * fabs(row[place])))
        return;
    self->lost[i] += steps * fabs(told - (row[place] - before[place]));
    self->told[i] += steps * told;
}

void certifier_add_changes(certifier *self, const double *before, const double *row)
{
    const double *old = before + self->layout.v, *now = row + self->layout.v;
    const double steps = (double)(self->steps + 1 - self->changes_until);
    for (int i = 0; i < self->layout.dof; i++) {
        const double change = now[i] - old[i], speed = now[i] - self->start_velocity[i];
        self->velocities[i] += speed;
        self->speeds[i] += speed * speed;
        self->changes[i] += change * change;
        if (self->position[i] >= 0)
            add_lost(self, i, before, row, steps);
    }
    self->changes_seen++;
    self->changes_until = self->steps + 1;
}
