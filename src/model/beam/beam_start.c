/* The initial state of the beam: interpolated functions and modes of vibration. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "beam.h"

/* Outputs of the tape of fields. */
enum {
    FIELD_OUTPUTS = 4,
    DISPLACEMENT_OUTPUT = 0,
    VELOCITY_OUTPUT = 2
};

bool beam_start_take(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const size_t n = (size_t)model->space.size, nodes = (size_t)model->space.elements + 1;
    carom_arena *arena = work->arena;
    work->fields_work = carom_arena_take(arena, carom_tape_work_size(model->fields), sizeof(double));
    work->q = carom_arena_take(arena, n, sizeof *work->q);
    work->u = carom_arena_take(arena, n, sizeof *work->u);
    work->nodal = carom_arena_take(arena, 2 * nodes, sizeof *work->nodal);
    work->interpolation_matrix = carom_arena_take(arena, 5 * n, sizeof *work->interpolation_matrix);
    return work->fields_work && work->q && work->u && work->nodal && work->interpolation_matrix;
}

static void interpolate_field(beam_work *work, const beam_field *field, int output, double *q)
{
    const beam_model *model = beam_of(work);
    const beam_space *space = &model->space;
    const int nodes = space->elements + 1;
    double *value = work->nodal, *slope = work->nodal + nodes;
    for (int node = 0; node < nodes; node++) {
        double result[FIELD_OUTPUTS];
        const double x = beam_node_place(space, work->length, node);
        carom_tape_evaluate(model->fields, work->fields_work, &(carom_inputs){.place = x}, result);
        value[node] = result[output];
        slope[node] = result[output + 1];
    }
    beam_interpolate(space, work->element_length, value, slope, work->interpolation_matrix, q);
    if (carom_all_finite(space->size, q))
        return;
    int node = 0;
    while (node + 1 < nodes && isfinite(value[node]) && isfinite(slope[node]))
        node++;
    beam_problem(work, field->line,
                 "%s at the start: value %g and slope %g at x = %g; both must be finite on the whole beam",
                 field->name, value[node], slope[node], beam_node_place(space, work->length, node));
}

/* Largest displacement at a node. */
static double nodal_maximum(const beam_space *space, const double *q)
{
    double largest = 0.0;
    for (int node = 0; node <= space->elements; node++) {
        const beam_row row = beam_node_row(space, node);
        largest = fmax(largest, fabs(beam_row_value(&row, q)));
    }
    return largest;
}

static void scale_mode(beam_work *work, const beam_field *field, double *q)
{
    const beam_space *space = &beam_of(work)->space;
    const double x = work->number[field->x], value = work->number[field->value];
    if (!isfinite(value))
        beam_problem(work, field->line, "%s at the start: mode %d scaled to %g; the value must be finite",
                     field->name, field->mode, value);
    char what[64];
    snprintf(what, sizeof what, "%s at the start", field->name);
    if (!beam_place_is_free(work, field->line, what, x))
        return;
    const beam_row row = beam_place_row(space, work->length, x, 0);
    const double at_x = beam_row_value(&row, q);
    if (!(fabs(at_x) > 1e-8 * nodal_maximum(space, q))) {
        beam_problem(work, field->line,
                     "%s at the start: mode %d does not move at x = %g; scale it at another place",
                     field->name, field->mode, x);
        return;
    }
    for (int i = 0; i < space->size; i++)
        q[i] *= value / at_x;
}

static void set_mode(beam_work *work, const beam_field *field, double *q)
{
    const carom_structure *structure = &work->structure;
    const int n = structure->mass.size;
    if (field->mode < 1 || field->mode > n) {
        beam_problem(work, field->line, "%s at the start: mode %d; this discrete beam has modes 1 to %d",
                     field->name, field->mode, n);
        return;
    }
    if (work->problem.status != CAROM_OK) /* the matrices may be none */
        return;
    double eigenvalue;
    if (carom_band_eigenvalue(&structure->stiffness, &structure->mass, field->mode, &eigenvalue, q,
                              &work->problem) == CAROM_OK)
        scale_mode(work, field, q);
}

static void bind_field(beam_work *work, const beam_field *field, int output, double *q)
{
    memset(q, 0, (size_t)beam_of(work)->space.size * sizeof *q);
    if (field->mode != 0)
        set_mode(work, field, q);
    else if (field->given)
        interpolate_field(work, field, output, q);
}

void beam_start_bind(beam_work *work)
{
    const beam_model *model = beam_of(work);
    bind_field(work, &model->displacement, DISPLACEMENT_OUTPUT, work->q);
    bind_field(work, &model->velocity, VELOCITY_OUTPUT, work->u);
}

void beam_initial(carom_model_work *base, double *q, double *u)
{
    const beam_work *work = (const beam_work *)base;
    const size_t bytes = (size_t)beam_of(work)->space.size * sizeof *q;
    memcpy(q, work->q, bytes);
    memcpy(u, work->u, bytes);
}
