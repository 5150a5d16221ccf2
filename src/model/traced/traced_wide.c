/* The model made from expressions at several states at once. */
#include "traced.h"

#include <string.h>

#include "carom/expr/wide.h"
#include "carom/model/wide.h"

enum {
    WIDE_MAX = 64 /* coordinates: beyond, several states leave the caches */
};

/* A tape with its numbers for all lanes. */
typedef struct wide_tape {
    const carom_tape *tape;
    carom_wide_function *code;
    carom_wide *work;
} wide_tape;

typedef struct traced_wide {
    carom_model_wide base;
    wide_tape mass, force, by_q, by_u, linearised, gaps, energy;
    wide_tape *frame;          /* per contact */
    carom_wide **frame_output; /* likewise */
    carom_wide *output;        /* room for the longest list of outputs of the others */
    double *lane_output;       /* ... and of one lane of a frame */
    carom_wide_angle *angles;
    carom_wide_code *code;
} traced_wide;

static bool take_tape(traced_wide *self, const carom_tape *tape, wide_tape *to, int *longest)
{
    *to = (wide_tape){.tape = tape};
    if (!tape)
        return true;
    if (!carom_tape_is_wide(tape))
        return false;
    if (carom_tape_outputs(tape) > *longest)
        *longest = carom_tape_outputs(tape);
    to->work = carom_wide_take(self->base.arena, carom_tape_work_size(tape));
    return to->work != NULL;
}

static void bind_tape(const wide_tape *tape, int lane, const double *work)
{
    if (tape->tape)
        carom_tape_wide_bind(tape->tape, lane, work, tape->work);
}

static void wide_bind(carom_model_wide *base, int lane, const carom_model_work *given)
{
    traced_wide *self = (traced_wide *)base;
    const traced_work *work = (const traced_work *)given;
    bind_tape(&self->mass, lane, work->matrix[CAROM_MATRIX_MASS]);
    bind_tape(&self->force, lane, work->force);
    bind_tape(&self->by_q, lane, work->matrix[CAROM_MATRIX_FORCE_BY_Q]);
    bind_tape(&self->by_u, lane, work->matrix[CAROM_MATRIX_FORCE_BY_U]);
    bind_tape(&self->linearised, lane, work->linearised);
    bind_tape(&self->gaps, lane, work->gaps);
    bind_tape(&self->energy, lane, work->energy);
    for (int k = 0; k < base->model->contacts; k++)
        bind_tape(&self->frame[k], lane, work->frame[k]);
}

static bool take_frames(traced_wide *self, const traced_model *model)
{
    const size_t contacts = (size_t)model->base.contacts;
    int longest = 0;
    self->frame = carom_arena_take(self->base.arena, contacts, sizeof *self->frame);
    self->frame_output = carom_arena_take(self->base.arena, contacts, sizeof *self->frame_output);
    if (!self->frame || !self->frame_output)
        return false;
    for (size_t k = 0; k < contacts; k++) {
        const carom_tape *tape = model->frame[k].tape;
        self->frame_output[k] = carom_wide_take(self->base.arena, (size_t)carom_tape_outputs(tape));
        if (!self->frame_output[k] || !take_tape(self, tape, &self->frame[k], &longest))
            return false;
    }
    self->lane_output = carom_arena_take(self->base.arena, (size_t)longest, sizeof *self->lane_output);
    return self->lane_output != NULL;
}

static bool take_all(traced_wide *self, const traced_model *model)
{
    int longest = 0;
    self->angles = (carom_wide_angle *)carom_wide_take(
        self->base.arena, CAROM_ANGLES * (sizeof(carom_wide_angle) / sizeof(carom_wide)));
    const bool taken = self->angles &&
                       take_tape(self, model->matrix[CAROM_MATRIX_MASS].tape, &self->mass, &longest) &&
                       take_tape(self, model->force, &self->force, &longest) &&
                       take_tape(self, model->matrix[CAROM_MATRIX_FORCE_BY_Q].tape, &self->by_q, &longest) &&
                       take_tape(self, model->matrix[CAROM_MATRIX_FORCE_BY_U].tape, &self->by_u, &longest) &&
                       take_tape(self, model->linearised, &self->linearised, &longest) &&
                       take_tape(self, model->gaps, &self->gaps, &longest) &&
                       take_tape(self, model->energy, &self->energy, &longest);
    if (!taken || !take_frames(self, model))
        return false;
    self->output = carom_wide_take(self->base.arena, (size_t)longest);
    return self->output != NULL;
}

/* Machine code, where there is some. */
static bool take_code(traced_wide *self)
{
    wide_tape *const own[] = {&self->mass, &self->force,      &self->by_q,  &self->by_u,
                              &self->gaps, &self->linearised, &self->energy};
    const int owned = sizeof own / sizeof own[0], count = owned + self->base.model->contacts;
    const carom_tape **tape = carom_arena_take(self->base.arena, (size_t)count, sizeof *tape);
    if (!tape)
        return false;
    for (int i = 0; i < count; i++)
        tape[i] = i < owned ? own[i]->tape : self->frame[i - owned].tape;
    self->code = carom_wide_code_create(count, tape);
    for (int i = 0; i < count; i++)
        (i < owned ? own[i] : &self->frame[i - owned])->code = carom_wide_code_of(self->code, i);
    return true;
}

static void wide_free(carom_model_wide *base)
{
    carom_wide_code_free(((traced_wide *)base)->code);
    carom_arena_free(base->arena);
}

static carom_model_wide *wide_create(const carom_model_work *work)
{
    const carom_model *model = work->model;
    if (model->dof > WIDE_MAX || model->inputs > 0)
        return NULL;
    carom_arena *arena = carom_arena_create();
    traced_wide *self = arena ? carom_arena_take(arena, 1, sizeof *self) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return NULL;
    }
    self->base = (carom_model_wide){model, arena};
    if (!take_all(self, (const traced_model *)model) || !take_code(self)) {
        wide_free(&self->base);
        return NULL;
    }
    carom_wide_angles_forget(self->angles);
    for (int lane = 0; lane < CAROM_LANES; lane++)
        wide_bind(&self->base, lane, work);
    return &self->base;
}

static void evaluate(const traced_wide *self, const wide_tape *tape, const carom_wide *t, const carom_wide *q,
                     const carom_wide *u, carom_wide *output)
{
    carom_tape_wide_evaluate(tape->tape, tape->code, tape->work,
                             &(carom_wide_inputs){.t = t, .q = q, .u = u, .angles = self->angles}, output);
}

/* Its zeros are there; the number of entries. */
static int spread(const carom_model *model, carom_model_matrix matrix, const carom_wide *entry,
                  carom_wide *full)
{
    const carom_sparse *pattern = &((const traced_model *)model)->matrix[matrix].pattern;
    const size_t n = (size_t)model->dof;
    for (size_t j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            full[(size_t)pattern->row[k] * n + j] = entry[k];
    return pattern->column_start[n];
}

static void wide_mass(carom_model_wide *base, const carom_wide *t, const carom_wide *q, carom_wide *mass)
{
    const traced_wide *self = (const traced_wide *)base;
    evaluate(self, &self->mass, t, q, NULL, self->output);
    spread(base->model, CAROM_MATRIX_MASS, self->output, mass);
}

static void wide_force(carom_model_wide *base, const carom_wide *t, const carom_wide *q, const carom_wide *u,
                       carom_wide *force)
{
    const traced_wide *self = (const traced_wide *)base;
    evaluate(self, &self->force, t, q, u, force);
}

static void wide_force_with_jacobian(carom_model_wide *base, const carom_wide *t, const carom_wide *q,
                                     const carom_wide *u, carom_wide *force, carom_wide *by_q,
                                     carom_wide *by_u)
{
    const traced_wide *self = (const traced_wide *)base;
    const size_t n = (size_t)base->model->dof;
    if (!self->linearised.tape) {
        evaluate(self, &self->force, t, q, u, force);
        evaluate(self, &self->by_q, t, q, u, self->output);
        spread(base->model, CAROM_MATRIX_FORCE_BY_Q, self->output, by_q);
        evaluate(self, &self->by_u, t, q, u, self->output);
        spread(base->model, CAROM_MATRIX_FORCE_BY_U, self->output, by_u);
        return;
    }
    evaluate(self, &self->linearised, t, q, u, self->output);
    memcpy(force, self->output, n * sizeof *force);
    const carom_wide *entry = self->output + n;
    entry += spread(base->model, CAROM_MATRIX_FORCE_BY_Q, entry, by_q);
    spread(base->model, CAROM_MATRIX_FORCE_BY_U, entry, by_u);
}

static void wide_gaps(carom_model_wide *base, const carom_wide *t, const carom_wide *q, carom_wide *gap)
{
    const traced_wide *self = (const traced_wide *)base;
    evaluate(self, &self->gaps, t, q, NULL, gap);
}

static void wide_energy(carom_model_wide *base, const carom_wide *t, const carom_wide *q, const carom_wide *u,
                        carom_wide *energy)
{
    const traced_wide *self = (const traced_wide *)base;
    evaluate(self, &self->energy, t, q, u, energy);
}

static carom_wide_frame wide_frame(carom_model_wide *base, int contact, const carom_wide *t,
                                   const carom_wide *q)
{
    const traced_wide *self = (const traced_wide *)base;
    const carom_contact_info *info = &base->model->contact[contact];
    const int entries = ((const traced_model *)base->model)->frame[contact].entries;
    const carom_wide *output = self->frame_output[contact];
    evaluate(self, &self->frame[contact], t, q, NULL, self->frame_output[contact]);
    return (carom_wide_frame){output, output + entries, output + entries + 1 + info->tangents};
}

static void wide_frame_of_lane(const carom_model_wide *base, int contact, int lane,
                               carom_contact_frame *frame)
{
    const traced_wide *self = (const traced_wide *)base;
    const int outputs = carom_tape_outputs(self->frame[contact].tape);
    for (int i = 0; i < outputs; i++)
        self->lane_output[i] = carom_wide_get(&self->frame_output[contact][i], lane);
    traced_fill_frame(&base->model->contact[contact], self->lane_output, frame);
}

const carom_model_wide_ops traced_wide_ops = {
    .create = wide_create,
    .free = wide_free,
    .bind = wide_bind,
    .mass = wide_mass,
    .force = wide_force,
    .force_with_jacobian = wide_force_with_jacobian,
    .gaps = wide_gaps,
    .energy = wide_energy,
    .frame = wide_frame,
    .frame_of_lane = wide_frame_of_lane,
};
