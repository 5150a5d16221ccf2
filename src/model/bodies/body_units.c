/* Bodies in other units. All numbers of bodies are results of tapes, so each tape gets factors for its inputs and outputs, and the
 * shapes are made anew in another size. */
#include "model/body_units.h"

#include <stdlib.h>

#include "bodies_model.h"
#include "body_numbers.h"

void body_angle_factors(const carom_model *base, const carom_units *units, double *position, double *velocity)
{
    const bodies_model *model = (const bodies_model *)base;
    const bool plane = model->dimension == CAROM_PLANE;
    for (int i = 0; i < model->bodies; i++) {
        const carom_body *body = &model->body[i];
        if (body->q < 0)
            continue;
        const int axes = plane ? 2 : 3;
        for (int k = 0; k < (plane ? 1 : 4); k++)
            position[body->q + axes + k] = 1.0;
        for (int k = 0; k < (plane ? 1 : 3); k++)
            velocity[body->v + axes + k] = 1.0 / units->time;
    }
}

/* What the factors of the tapes are made of. */
typedef struct body_units {
    bodies_model *model;
    carom_unit_factors by;
    double *displacement; /* per velocity: the factor of a displacement along it, length or 1 */
    carom_inputs inputs;  /* 1 / factor */
} body_units;

static bool rescale(const body_units *self, carom_tape *tape, double *output)
{
    const bool done = !tape || (output && carom_tape_rescale(tape, &self->inputs, output));
    free(output);
    return done;
}

static double *take_outputs(const carom_tape *tape)
{
    return tape ? carom_new_array((size_t)carom_tape_outputs(tape), sizeof(double)) : NULL;
}

/* A tape with one output. */
static bool rescale_number(const body_units *self, carom_tape *tape, double factor)
{
    double *output = take_outputs(tape);
    if (output)
        *output = factor;
    return rescale(self, tape, output);
}

static bool rescale_numbers(const body_units *self)
{
    const bodies_model *model = self->model;
    double *output = take_outputs(model->numbers), *to = output;
    if (!output)
        return false;
    for (int k = 0; k < 3; k++)
        *to++ = self->by.acceleration;
    for (int i = 0; i < model->bodies; i++, to += BODY_NUMBERS) {
        to[MASS] = self->by.mass;
        for (int k = 0; k < 6; k++)
            to[INERTIA + k] = self->by.mass * self->by.length * self->by.length;
        for (int k = 0; k < 3; k++) {
            to[AT + k] = self->by.length;
            to[VELOCITY + k] = self->by.velocity;
            to[SPIN + k] = 1.0 / self->by.time;
        }
        for (int k = 0; k < 4; k++)
            to[ROTATION + k] = 1.0;
    }
    for (int p = 0; p < model->pairs; p++, to += PAIR_NUMBERS) {
        to[FRICTION] = to[RESTITUTION] = 1.0;
        to[ROLLING] = to[TORSION] = self->by.length;
    }
    return rescale(self, model->numbers, output);
}

static bool rescale_drive(const body_units *self)
{
    double *output = take_outputs(self->model->drive);
    for (int i = 0; output && i < BODIES_DRIVEN_NUMBERS * self->model->driven; i++)
        output[i] = i % BODIES_DRIVEN_NUMBERS < 3 ? self->by.velocity : 1.0 / self->by.time;
    return rescale(self, self->model->drive, output);
}

static bool rescale_forces(const body_units *self)
{
    const bodies_model *model = self->model;
    double *output = take_outputs(model->force);
    for (int i = 0; output && i < model->base.dof; i++)
        output[i] = self->by.energy / self->displacement[i];
    return rescale(self, model->force, output) && rescale_number(self, model->potential, self->by.energy) &&
           rescale_number(self, model->power, self->by.energy / self->by.time);
}

/* Joints, guides and gaps of expressions are lengths, whatever is written: row . v = rate. */
static bool rescale_joints(const body_units *self)
{
    const body_joints *joints = &self->model->joints;
    double *value = take_outputs(joints->values), *row = take_outputs(joints->rows),
           *guide = take_outputs(joints->numbers);
    for (int i = 0; value && i < carom_tape_outputs(joints->values); i++)
        value[i] = self->by.length;
    for (int i = 0; row && i < carom_tape_outputs(joints->rows); i++)
        row[i] = i < joints->start[joints->row_count]
                     ? self->by.length / self->displacement[joints->column[i]]
                     : self->by.velocity;
    for (int i = 0; guide && i < joints->guides; i++) {
        guide[2 * i] = joints->is_motor[i] ? self->by.velocity : 1.0;
        guide[2 * i + 1] = self->by.force;
    }
    const bool values = rescale(self, joints->values, value), rows = rescale(self, joints->rows, row);
    return rescale(self, joints->numbers, guide) && values && rows;
}

/* Entries of a matrix: energy over the factors of both displacements, and of one of them per time. */
static bool rescale_entries(const body_units *self, const entry_tape *entries, const int *velocity,
                            double factor)
{
    double *output = take_outputs(entries->tape);
    for (int i = 0; output && i < entries->places.count; i++)
        output[i] = factor / (self->displacement[velocity[entries->places.row[i]]] *
                              self->displacement[velocity[entries->places.column[i]]]);
    return rescale(self, entries->tape, output);
}

static bool rescale_coordinates(const body_units *self)
{
    const body_coordinates *c = &self->model->coordinates;
    const double energy = self->by.energy, time = self->by.time;
    double *start = take_outputs(c->start), *contact = take_outputs(c->contact_numbers);
    for (int i = 0; start && i < 2 * c->count; i++)
        start[i] = i < c->count ? self->by.length : self->by.velocity;
    for (int i = 0; contact && i < 3 * c->contacts; i++)
        contact[i] = c->contact[i / 3].is_force && i % 3 > 0 ? self->by.force : 1.0;
    const bool starts = rescale(self, c->start, start), contacts = rescale(self, c->contact_numbers, contact);
    return starts && contacts && rescale_number(self, c->kinetic, energy) &&
           rescale_entries(self, &c->mass, c->linked_velocity, energy * time * time) &&
           rescale_entries(self, &c->by_q, c->linked_velocity, energy) &&
           rescale_entries(self, &c->by_u, c->linked_velocity, energy * time);
}

static carom_status rescale_shapes(const body_units *self, carom_error *error)
{
    bodies_model *model = self->model;
    for (int s = 0; s < model->shapes; s++) {
        carom_shape *scaled = NULL;
        const carom_status status = carom_shape_scaled(model->shape[s], self->by.length, &scaled, error);
        if (status != CAROM_OK)
            return status;
        for (int i = 0; i < model->bodies; i++)
            if (model->body[i].shape == model->shape[s])
                model->body[i].shape = scaled;
        carom_shape_free(model->shape[s]);
        model->shape[s] = scaled;
    }
    return CAROM_OK;
}

carom_status bodies_set_units(carom_model *base, const carom_units *units, carom_error *error)
{
    const size_t positions = (size_t)carom_model_positions(base), dof = (size_t)base->dof;
    double *q = carom_new_array(positions, sizeof *q), *v = carom_new_array(dof, sizeof *v),
           *displacement = carom_new_array(dof, sizeof *displacement);
    carom_status status = CAROM_NO_MEMORY;
    if (q && v && displacement) {
        carom_model_unit_factors(base, units, q, v);
        for (size_t i = 0; i < dof; i++) {
            displacement[i] = v[i] == units->length / units->time ? units->length : 1.0;
            v[i] = 1.0 / v[i];
        }
        for (size_t i = 0; i < positions; i++)
            q[i] = 1.0 / q[i];
        const body_units self = {.model = (bodies_model *)base,
                                 .by = carom_unit_factors_of(units),
                                 .displacement = displacement,
                                 .inputs = {.t = 1.0 / units->time, .place = 1.0, .q = q, .u = v}};
        if (rescale_numbers(&self) && rescale_drive(&self) && rescale_forces(&self) &&
            rescale_joints(&self) && rescale_coordinates(&self))
            status = rescale_shapes(&self, error);
    }
    free(q);
    free(v);
    free(displacement);
    return status == CAROM_NO_MEMORY ? carom_fail_memory(error) : status;
}
