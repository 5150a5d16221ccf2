/* What the figures of a certificate are compared with: energies, displacements, and what each velocity weighs. */
#include "certifier.h"

#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/bodies.h"

enum {
    FEW_COORDINATES = 64 /* beside bodies, whose inertia is found from the energy */
};

void certifier_look_at_gap_scale(certifier *self, const double *row)
{
    const double *gap = row + self->layout.gap;
    for (int i = 0; i < self->watched; i++)
        if (gap[i] > self->gap_scale && isfinite(gap[i]))
            self->gap_scale = gap[i];
}

void certifier_look_at_scales(certifier *self, const double *row)
{
    const double kinetic =
        carom_model_kinetic(self->work, row[0], row + self->layout.q, row + self->layout.v, self->place);
    if (kinetic > self->kinetic)
        self->kinetic = kinetic;
    const double *q = row + self->layout.q;
    double displacement = self->displacement;
    for (int i = 0; i < self->layout.positions; i++) {
        const double moved = fabs(q[i] - self->start[i]);
        displacement = moved > displacement ? moved : displacement;
    }
    self->displacement = displacement;
}

/* Of bodies the energy is a sum over all of them: too dear to ask as often as there are velocities. */
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

/* The diagonal of a sparse mass; where memory is short it stays 1, which the estimates stand. */
static void find_sparse_inertia(certifier *self, const double *row)
{
    carom_sparse mass = *self->model->ops->matrix_pattern(self->model, CAROM_MATRIX_MASS);
    double *entry = carom_new_array((size_t)carom_sparse_entries(&mass), sizeof *entry);
    if (!entry)
        return;
    self->model->ops->matrix(self->work, CAROM_MATRIX_MASS, row[0], row + self->layout.q, NULL, entry);
    for (int i = 0; i < self->layout.dof; i++) {
        const int place = carom_sparse_place(&mass, i, i);
        self->inertia[i] = place < 0 ? 0.0 : entry[place];
    }
    free(entry);
}

/* The same of many coordinates beside bodies. */
static void find_linked_inertia(certifier *self, const carom_linked *linked, const double *row)
{
    double *entry = carom_new_array((size_t)linked->mass.count, sizeof *entry);
    if (!entry)
        return;
    carom_bodies_linked_mass(self->work, row[0], row + self->layout.q, entry);
    for (int k = 0; k < linked->mass.count; k++)
        if (linked->mass.row[k] == linked->mass.column[k])
            self->inertia[linked->velocity[linked->mass.row[k]]] = entry[k];
    free(entry);
}

/* M_ii = E(e_i) + E(-e_i) - 2 E(0), since E is quadratic in v; self->place is 0 and stays so. */
static double inertia_of(certifier *self, const double *row, int i, double at_rest)
{
    const carom_model_ops *ops = self->model->ops;
    const double *q = row + self->layout.q;
    double *v = self->place;
    v[i] = 1.0;
    double inertia = ops->energy(self->work, row[0], q, v) - 2.0 * at_rest;
    v[i] = -1.0;
    inertia += ops->energy(self->work, row[0], q, v);
    v[i] = 0.0;
    return inertia;
}

void certifier_find_inertia(certifier *self, const double *row)
{
    const double *q = row + self->layout.q;
    double *v = self->place;
    memset(v, 0, (size_t)self->layout.dof * sizeof *v);
    for (int i = 0; i < self->layout.dof; i++)
        self->inertia[i] = 1.0;
    if (self->model->ops->structure)
        return;
    const carom_linked *beside = self->model->has_bodies ? &carom_model_bodies(self->work)->linked : NULL;
    if (beside)
        find_body_inertia(self);
    if (beside && beside->coordinates == 0)
        return;
    if (beside && beside->coordinates > FEW_COORDINATES) {
        find_linked_inertia(self, beside, row);
        return;
    }
    if (carom_model_is_sparse(self->model)) {
        find_sparse_inertia(self, row);
        return;
    }
    const double at_rest = self->model->ops->energy(self->work, row[0], q, v);
    for (int k = 0; k < (beside ? beside->coordinates : self->layout.dof); k++) {
        const int i = beside ? beside->v[k] : k;
        self->inertia[i] = inertia_of(self, row, i, at_rest);
    }
}

void certifier_add_changes(certifier *self, const double *before, const double *row)
{
    const double *old = before + self->layout.v, *now = row + self->layout.v;
    for (int i = 0; i < self->layout.dof; i++) {
        const double change = now[i] - old[i];
        self->speeds[i] += now[i] * now[i];
        self->changes[i] += change * change;
    }
}
