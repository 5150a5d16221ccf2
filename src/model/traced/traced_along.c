/* Derivatives of the model made from expressions along directions of state and parameters: tangents of its tapes. */
#include <string.h>

#include "traced.h"

static size_t longer(size_t size, const carom_tape *tape)
{
    const size_t needed = carom_tape_work_size(tape);
    return needed > size ? needed : size;
}

bool traced_take_tangent(traced_work *work)
{
    const traced_model *model = traced_model_of(work);
    const traced_mechanism *mechanism = &model->mechanism;
    const carom_tape *single[] = {model->force, model->gaps,    model->energy,
                                  mechanism->g, mechanism->g_t, mechanism->h};
    size_t size = 0;
    for (size_t i = 0; i < sizeof single / sizeof *single; i++)
        size = longer(size, single[i]);
    for (int m = 0; m < CAROM_MATRICES; m++)
        size = longer(size, model->matrix[m].tape);
    for (int b = 0; b < CAROM_BLOCKS; b++)
        size = longer(size, mechanism->block[b].tape);
    for (int k = 0; k < model->base.contacts; k++)
        size = longer(size, model->frame[k].tape);
    work->tangent = carom_arena_take(work->arena, size, sizeof *work->tangent);
    return work->tangent != NULL;
}

static void one_along(traced_work *work, const carom_tape *tape, const double *tape_work,
                      const carom_direction *direction, double *along)
{
    const carom_inputs moves = {.t = direction->t, .q = direction->q, .u = direction->u};
    carom_tape_along_bind(tape, tape_work, direction->parameter, work->tangent);
    carom_tape_along(tape, tape_work, work->tangent, &moves, along);
}

/* The outputs of a tape at a point along some directions; `value` has room for them, and is lost. */
static void all_along(traced_work *work, const carom_tape *tape, double *tape_work, const carom_inputs *at,
                      double *value, int count, const carom_direction *direction, double *along)
{
    const size_t outputs = (size_t)carom_tape_outputs(tape);
    carom_tape_evaluate(tape, tape_work, at, value);
    for (int k = 0; k < count; k++)
        one_along(work, tape, tape_work, &direction[k], along + (size_t)k * outputs);
}

static void traced_mass_along(carom_model_work *base, double t, const double *q, int count,
                              const carom_direction *direction, double *mass)
{
    traced_work *work = (traced_work *)base;
    const sparse_tape *map = &traced_model_of(work)->matrix[CAROM_MATRIX_MASS];
    const carom_sparse *pattern = &map->pattern;
    const size_t n = (size_t)base->model->dof;
    double *tape_work = work->matrix[CAROM_MATRIX_MASS], *entry = work->output;
    carom_tape_evaluate(map->tape, tape_work, &(carom_inputs){.t = t, .q = q, .outside = base->input}, entry);
    memset(mass, 0, (size_t)count * n * n * sizeof *mass);
    for (int d = 0; d < count; d++, mass += n * n) {
        one_along(work, map->tape, tape_work, &direction[d], entry);
        for (size_t j = 0; j < n; j++)
            for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
                mass[(size_t)pattern->row[k] * n + j] = entry[k];
    }
}

static void traced_force_along(carom_model_work *base, double t, const double *q, const double *u, int count,
                               const carom_direction *direction, double *force)
{
    traced_work *work = (traced_work *)base;
    const carom_inputs at = {.t = t, .q = q, .u = u, .outside = base->input};
    all_along(work, traced_model_of(work)->force, work->force, &at, work->output, count, direction, force);
}

static void traced_gaps_along(carom_model_work *base, double t, const double *q, int count,
                              const carom_direction *direction, double *gap)
{
    traced_work *work = (traced_work *)base;
    const carom_inputs at = {.t = t, .q = q, .outside = base->input};
    all_along(work, traced_model_of(work)->gaps, work->gaps, &at, work->output, count, direction, gap);
}

static void traced_energy_along(carom_model_work *base, double t, const double *q, const double *u, int count,
                                const carom_direction *direction, double *energy)
{
    traced_work *work = (traced_work *)base;
    const carom_inputs at = {.t = t, .q = q, .u = u, .outside = base->input};
    all_along(work, traced_model_of(work)->energy, work->energy, &at, work->output, count, direction, energy);
}

static void traced_frame_along(carom_model_work *base, int contact, double t, const double *q, int count,
                               const carom_direction *direction, carom_contact_frame *frame)
{
    traced_work *work = (traced_work *)base;
    const carom_tape *tape = traced_model_of(work)->frame[contact].tape;
    carom_tape_evaluate(tape, work->frame[contact], &(carom_inputs){.t = t, .q = q, .outside = base->input},
                        work->output);
    for (int k = 0; k < count; k++) {
        one_along(work, tape, work->frame[contact], &direction[k], work->output);
        traced_fill_frame(&base->model->contact[contact], work->output, &frame[k]);
    }
}

static carom_inputs motion_inputs(const carom_model_work *base, const carom_motion *motion)
{
    return (carom_inputs){.t = motion->t,
                          .q = motion->q,
                          .u = motion->v,
                          .acceleration = motion->a,
                          .multiplier = motion->lambda,
                          .outside = base->input};
}

static void traced_block_along(carom_model_work *base, carom_mechanism_block block,
                               const carom_motion *motion, int count, const carom_direction *direction,
                               double *entry)
{
    traced_work *work = (traced_work *)base;
    const carom_inputs at = motion_inputs(base, motion);
    /* one direction has the room that the values need */
    all_along(work, traced_model_of(work)->mechanism.block[block].tape, work->mechanism.block[block], &at,
              entry, count, direction, entry);
}

static void traced_constraints_along(carom_model_work *base, const carom_motion *motion, int count,
                                     const carom_direction *direction, double *g, double *g_t, double *h)
{
    traced_work *work = (traced_work *)base;
    const traced_mechanism *mechanism = &traced_model_of(work)->mechanism;
    const carom_inputs at = motion_inputs(base, motion);
    if (g)
        all_along(work, mechanism->g, work->mechanism.g, &at, g, count, direction, g);
    if (g_t)
        all_along(work, mechanism->g_t, work->mechanism.g_t, &at, g_t, count, direction, g_t);
    if (h)
        all_along(work, mechanism->h, work->mechanism.h, &at, h, count, direction, h);
}

const carom_model_tangent_ops traced_tangent_ops = {
    .mass = traced_mass_along,
    .force = traced_force_along,
    .gaps = traced_gaps_along,
    .frame = traced_frame_along,
    .energy = traced_energy_along,
    .block = traced_block_along,
    .constraints = traced_constraints_along,
};
