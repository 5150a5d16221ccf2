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

/* ---- along a direction -------------------------------------------------------------------------- */

/* Values and slopes at nodes, which move with the length. B-splines take slopes times the element length. */
static void interpolate_along(beam_work *work, const beam_along *along, int output, double *q)
{
    const beam_model *model = beam_of(work);
    const beam_space *space = &model->space;
    const int nodes = space->elements + 1;
    const double stretch = along->length / work->length;
    double *value = work->nodal, *slope = work->nodal + nodes;
    carom_tape_along_bind(model->fields, work->fields_work, along->parameter, along->tangent);
    for (int node = 0; node < nodes; node++) {
        double result[FIELD_OUTPUTS], moved[FIELD_OUTPUTS];
        const double x = beam_node_place(space, work->length, node);
        carom_tape_evaluate(model->fields, work->fields_work, &(carom_inputs){.place = x}, result);
        carom_tape_along(model->fields, work->fields_work, along->tangent,
                         &(carom_inputs){.place = x * stretch}, moved);
        value[node] = moved[output];
        slope[node] = moved[output + 1];
        if (space->basis == CAROM_BEAM_BSPLINE)
            slope[node] += stretch * result[output + 1];
    }
    beam_interpolate(space, work->element_length, value, slope, work->interpolation_matrix, q);
}

/* The shape of a mode is a function of x / length: only its slopes change with the length, and its scale. */
static void mode_along(beam_work *work, const beam_along *along, const beam_field *field, double *q)
{
    const carom_structure *structure = &work->structure;
    const int n = structure->mass.size;
    const double x = work->number[field->x], value = work->number[field->value],
                 stretch = along->length / work->length;
    double eigenvalue, *shape = along->vector;
    carom_error error = {0};
    if (carom_band_eigenvalue(&structure->stiffness, &structure->mass, field->mode, &eigenvalue, shape,
                              &error) != CAROM_OK) {
        for (int i = 0; i < n; i++)
            q[i] = NAN;
        return;
    }
    const beam_row row = beam_place_row(&beam_of(work)->space, work->length, x, 0);
    const beam_row moved = beam_place_row_along(&beam_of(work)->space, work->length, x, 0,
                                                along->number[field->x], along->length);
    const double at_x = beam_row_value(&row, shape);
    for (int i = 0; i < n; i++)
        shape[i] /= at_x;
    for (int i = 0; i < n; i++)
        along->other[i] = -along->power[i] * stretch * shape[i];
    const double scale = beam_row_value(&moved, shape) + beam_row_value(&row, along->other);
    for (int i = 0; i < n; i++)
        q[i] = along->number[field->value] * shape[i] + value * (along->other[i] - scale * shape[i]);
}

static void field_along(beam_work *work, const beam_along *along, const beam_field *field, int output,
                        double *q)
{
    memset(q, 0, (size_t)beam_of(work)->space.size * sizeof *q);
    if (field->mode != 0)
        mode_along(work, along, field, q);
    else if (field->given)
        interpolate_along(work, along, output, q);
}

void beam_initial_along(beam_work *work, const beam_along *along, double *q, double *u)
{
    const beam_model *model = beam_of(work);
    field_along(work, along, &model->displacement, DISPLACEMENT_OUTPUT, q);
    field_along(work, along, &model->velocity, VELOCITY_OUTPUT, u);
}
