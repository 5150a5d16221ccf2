/* Work of a beam: memory, and everything that depends on parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "beam.h"
#include "model/model_parts.h"

/* ---- memory ------------------------------------------------------------------------------------- */

static bool take_matrices(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const beam_space *space = &model->space;
    const int width = beam_band_width(space);
    const size_t n = (size_t)space->size;
    work->numbers_work =
        carom_arena_take(work->arena, carom_tape_work_size(model->numbers), sizeof *work->numbers_work);
    work->number =
        carom_arena_take(work->arena, (size_t)carom_tape_outputs(model->numbers), sizeof *work->number);
    work->vector = carom_arena_take(work->arena, n, sizeof *work->vector);
    work->other = carom_arena_take(work->arena, n, sizeof *work->other);
    work->coefficient = carom_arena_take(work->arena, (size_t)space->coefficients, sizeof *work->coefficient);
    work->pushed = carom_arena_take(work->arena, (size_t)space->coefficients, sizeof *work->pushed);
    return work->numbers_work && work->number && work->vector && work->other && work->coefficient &&
           work->pushed && carom_band_take(work->arena, space->size, width, &work->structure.mass) &&
           carom_band_take(work->arena, space->size, width, &work->structure.stiffness);
}

void beam_work_free(carom_model_work *base)
{
    beam_work *work = (beam_work *)base;
    if (!work)
        return;
    carom_arena_free(work->arena);
    free(work);
}

carom_model_work *beam_work_create(const carom_model *base)
{
    beam_work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    work->base.model = base;
    work->arena = carom_arena_create();
    if (work->arena && model_take_inputs(&work->base, work->arena) && take_matrices(work) &&
        beam_obstacles_take(work) && beam_load_take(work) && beam_start_take(work) && beam_probe_take(work))
        return &work->base;
    beam_work_free(&work->base);
    return NULL;
}

/* ---- problems ----------------------------------------------------------------------------------- */

void beam_problem(beam_work *work, int line, const char *format, ...)
{
    if (work->problem.status != CAROM_OK)
        return;
    char text[sizeof work->problem.text / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (line > 0)
        carom_fail(&work->problem, CAROM_BAD_INPUT, "%d: %s", line, text);
    else
        carom_fail(&work->problem, CAROM_BAD_INPUT, "%s", text);
}

carom_status beam_check(const carom_model_work *base, carom_error *error)
{
    const carom_error *problem = &((const beam_work *)base)->problem;
    if (problem->status != CAROM_OK && error)
        *error = *problem;
    return problem->status;
}

bool beam_place_is_free(beam_work *work, int line, const char *what, double x)
{
    const beam_space *space = &beam_of(work)->space;
    const double tolerance = 1e-9 * work->length;
    if (!(x >= -tolerance && x <= work->length + tolerance)) {
        beam_problem(work, line, "%s: x = %g is outside the beam; it must lie between 0 and the length %g",
                     what, x, work->length);
        return false;
    }
    const int node = beam_nearest_node(space, work->length, x);
    if (!beam_is_node(space, work->length, x) || beam_node_is_free(space, node))
        return true;
    beam_problem(work, line,
                 "%s: x = %g is at the %s end, where the displacement is fixed; choose a place that moves",
                 what, x, node == 0 ? "left" : "right");
    return false;
}

/* ---- binding ------------------------------------------------------------------------------------ */

static double number_or(const beam_work *work, beam_number index, double otherwise)
{
    return index < 0 ? otherwise : work->number[index];
}

static void check_positive(beam_work *work, beam_number index, const char *name)
{
    if (index >= 0 && !(work->number[index] > 0.0 && isfinite(work->number[index])))
        beam_problem(work, beam_of(work)->line, "%s = %g must be positive and finite", name,
                     work->number[index]);
}

static void check_damping(beam_work *work, double value, const char *name)
{
    if (!(value >= 0.0 && isfinite(value)))
        beam_problem(work, beam_of(work)->line, "%s = %g must be finite and not negative", name, value);
}

/* The section and the matrices. Where there is no beam, one of length 1 keeps all that follows in range. */
static void bind_section(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const struct {
        beam_number index;
        const char *name;
    } positive[] = {{model->length, "length"},   {model->k2, "k2"},     {model->modulus, "modulus"},
                    {model->density, "density"}, {model->area, "area"}, {model->inertia, "inertia"}};
    for (size_t k = 0; k < sizeof positive / sizeof *positive; k++)
        check_positive(work, positive[k].index, positive[k].name);
    work->length = work->problem.status == CAROM_OK ? work->number[model->length] : 1.0;
    work->element_length = beam_element_length(&model->space, work->length);
    work->linear_density = 1.0;
    work->bending = number_or(work, model->k2, 1.0);
    if (model->k2 < 0) {
        work->linear_density = work->number[model->density] * work->number[model->area];
        work->bending = work->number[model->modulus] * work->number[model->inertia];
    }
    beam_assemble(&model->space, work->length, work->linear_density, work->bending, &work->structure.mass,
                  &work->structure.stiffness);
}

static void bind_contact_law(beam_work *work)
{
    const beam_model *model = beam_of(work);
    carom_structure *structure = &work->structure;
    structure->damping_mass = number_or(work, model->damping_mass, 0.0);
    structure->damping_stiffness = number_or(work, model->damping_stiffness, 0.0);
    structure->restitution = number_or(work, model->restitution, 0.0);
    check_damping(work, structure->damping_mass, "damping_mass");
    check_damping(work, structure->damping_stiffness, "damping_stiffness");
    if (!(structure->restitution >= 0.0 && structure->restitution <= 1.0))
        beam_problem(work, model->line, "restitution e=%g must lie in [0,1]", structure->restitution);
}

static void bind_tape(const carom_tape *tape, const double *parameters, double *tape_work)
{
    if (tape)
        carom_tape_bind(tape, parameters, tape_work);
}

void beam_bind(carom_model_work *base, const double *parameters)
{
    beam_work *work = (beam_work *)base;
    const beam_model *model = beam_of(work);
    work->problem.status = CAROM_OK;
    beam_forget_along(work);
    model_bind_inputs(base, parameters);
    bind_tape(model->numbers, parameters, work->numbers_work);
    bind_tape(model->bounds, parameters, work->bounds_work);
    bind_tape(model->shape, parameters, work->shape_work);
    bind_tape(model->factor, parameters, work->factor_work);
    bind_tape(model->rest, parameters, work->rest_work);
    bind_tape(model->fields, parameters, work->fields_work);
    carom_tape_evaluate(model->numbers, work->numbers_work, &(carom_inputs){0}, work->number);
    bind_section(work);
    bind_contact_law(work);
    beam_obstacles_bind(work);
    beam_load_bind(work);
    beam_probe_bind(work);
    beam_start_bind(work);
}
