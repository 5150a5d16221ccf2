/* The beam behind the model interface: mass, forces, gaps and frames from banded matrices and short rows. */
#include <stdlib.h>
#include <string.h>

#include "beam.h"

void beam_expand_band(const carom_band *band, double factor, double *dense)
{
    const int n = band->size;
    for (int i = 0; i < n; i++)
        for (int j = i > band->width ? i - band->width : 0; j <= i; j++) {
            const double entry = factor * *carom_band_at(band, i, j);
            dense[(size_t)i * (size_t)n + (size_t)j] += entry;
            if (j < i)
                dense[(size_t)j * (size_t)n + (size_t)i] += entry;
        }
}

static void clear_dense(int n, double *dense)
{
    memset(dense, 0, (size_t)n * (size_t)n * sizeof *dense);
}

static void beam_mass(carom_model_work *base, double t, const double *q, double *mass)
{
    (void)t, (void)q;
    const carom_structure *structure = &((beam_work *)base)->structure;
    clear_dense(structure->mass.size, mass);
    beam_expand_band(&structure->mass, 1.0, mass);
}

static void stiffness_times(carom_model_work *base, const double *q, double *force)
{
    beam_work *work = (beam_work *)base;
    beam_stiffness_times(&beam_of(work)->space, work->length, work->bending, q, work->coefficient,
                         work->pushed, force);
}

/* load - S q - (a M + b S) u */
static void beam_force_at(carom_model_work *base, double t, const double *q, const double *u, double *force)
{
    beam_work *work = (beam_work *)base;
    const carom_structure *structure = &work->structure;
    const int n = structure->mass.size;
    beam_load(base, 1, &t, &(const double){1.0}, force);
    memcpy(work->vector, q, (size_t)n * sizeof *q);
    carom_axpy(n, structure->damping_stiffness, u, work->vector);
    stiffness_times(base, work->vector, work->other);
    carom_axpy(n, -1.0, work->other, force);
    if (structure->damping_mass != 0.0) {
        carom_band_multiply(&structure->mass, u, work->other);
        carom_axpy(n, -structure->damping_mass, work->other, force);
    }
}

static void beam_force_jacobian(carom_model_work *base, double t, const double *q, const double *u,
                                double *by_q, double *by_u)
{
    (void)t, (void)q, (void)u;
    const carom_structure *structure = &((beam_work *)base)->structure;
    const int n = structure->mass.size;
    if (by_q) {
        clear_dense(n, by_q);
        beam_expand_band(&structure->stiffness, -1.0, by_q);
    }
    if (by_u) {
        clear_dense(n, by_u);
        beam_expand_band(&structure->mass, -structure->damping_mass, by_u);
        beam_expand_band(&structure->stiffness, -structure->damping_stiffness, by_u);
    }
}

static void beam_gaps(carom_model_work *base, double t, const double *q, double *gap)
{
    (void)t;
    const carom_structure *structure = &((beam_work *)base)->structure;
    for (int row = 0; row < structure->rows; row++) {
        double displacement = 0.0;
        for (int k = structure->row_start[row]; k < structure->row_start[row + 1]; k++)
            displacement += structure->entry[k] * q[structure->column[k]];
        if (structure->lower_contact[row] >= 0)
            gap[structure->lower_contact[row]] = displacement - structure->lower[row];
        if (structure->upper_contact[row] >= 0)
            gap[structure->upper_contact[row]] = structure->upper[row] - displacement;
    }
}

static void beam_frame(carom_model_work *base, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    (void)t, (void)q;
    const beam_work *work = (const beam_work *)base;
    const carom_structure *structure = &work->structure;
    const int row = beam_of(work)->contact_row[contact];
    const double sign = beam_of(work)->contact_upper[contact] ? -1.0 : 1.0;
    memset(frame->normal.value, 0, (size_t)structure->mass.size * sizeof(double));
    for (int k = structure->row_start[row]; k < structure->row_start[row + 1]; k++)
        frame->normal.value[structure->column[k]] = sign * structure->entry[k];
    frame->normal_rate = 0.0;
    frame->restitution = structure->restitution;
    frame->stiffness = carom_default_stiffness;
    frame->exponent = carom_default_exponent;
}

static double beam_energy(carom_model_work *base, double t, const double *q, const double *u)
{
    (void)t;
    beam_work *work = (beam_work *)base;
    const carom_band *mass = &work->structure.mass;
    stiffness_times(base, q, work->other);
    return 0.5 * (carom_band_form(mass, u, u) + carom_dot(mass->size, q, work->other));
}

/* load.u - u.(a M + b S) u */
static double beam_power(carom_model_work *base, double t, const double *q, const double *u)
{
    (void)q;
    beam_work *work = (beam_work *)base;
    const carom_structure *structure = &work->structure;
    double power = beam_load_along(work, t, u);
    if (structure->damping_mass != 0.0)
        power -= structure->damping_mass * carom_band_form(&structure->mass, u, u);
    if (structure->damping_stiffness != 0.0)
        power -= structure->damping_stiffness * carom_band_form(&structure->stiffness, u, u);
    return power;
}

static const carom_structure *beam_structure(const carom_model_work *base)
{
    return &((const beam_work *)base)->structure;
}

static double beam_contact_place(const carom_model_work *base, int contact, bool *upper)
{
    const beam_work *work = (const beam_work *)base;
    *upper = beam_of(work)->contact_upper[contact];
    return work->place[beam_of(work)->contact_row[contact]];
}

static void beam_free(carom_model *base)
{
    beam_model *model = (beam_model *)base;
    carom_tape_free(model->numbers);
    carom_tape_free(model->bounds);
    carom_tape_free(model->shape);
    carom_tape_free(model->factor);
    carom_tape_free(model->rest);
    carom_tape_free(model->fields);
    carom_arena_free(model->arena);
    free(model);
}

static const carom_model_ops beam_ops = {
    .free = beam_free,
    .work_create = beam_work_create,
    .work_free = beam_work_free,
    .bind = beam_bind,
    .mass = beam_mass,
    .force = beam_force_at,
    .force_jacobian = beam_force_jacobian,
    .gaps = beam_gaps,
    .frame = beam_frame,
    .energy = beam_energy,
    .power = beam_power,
    .check = beam_check,
    .initial = beam_initial,
    .observe = beam_observe,
    .structure = beam_structure,
    .load = beam_load,
    .stiffness_times = stiffness_times,
    .profile_points = beam_profile_points,
    .profile = beam_profile,
    .contact_place = beam_contact_place,
    .tangent = &beam_tangent_ops,
};

carom_status carom_beam_model_create(const carom_beam_spec *spec, carom_model **out, carom_error *error)
{
    *out = NULL;
    carom_status status = beam_check_spec(spec, error);
    if (status != CAROM_OK)
        return status;
    beam_model *model = calloc(1, sizeof *model);
    if (model) {
        model->base.ops = &beam_ops;
        model->arena = carom_arena_create();
    }
    if (model && model->arena && beam_build(model, spec)) {
        *out = &model->base;
        return CAROM_OK;
    }
    if (model)
        beam_free(&model->base);
    status = carom_graph_status(spec->graph, error); /* the graph may have become too large */
    return status != CAROM_OK ? status : carom_fail_memory(error);
}
