/* What was measured, as formulas of the state of a motion. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "fit.h"

/* ---- formulas --------------------------------------------------------------------------------------------- */

typedef struct formula_names {
    const carom_experiment *experiment;
    carom_graph *graph;
    const char *unfit; /* a record that was used and cannot be fitted */
} formula_names;

/* What a motion between two outputs does not have. */
static const unsigned of_outputs_only = CAROM_ON_ACCELERATION | CAROM_ON_MULTIPLIER;

static int find_text(int count, char *const *text, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(text[i], name) == 0)
            return i;
    return -1;
}

/* Records stand behind the energy and the model's observables among what is observed. */
static carom_node find_symbol(void *context, const char *name, bool rate)
{
    formula_names *names = context;
    const carom_experiment *experiment = names->experiment;
    const carom_model *model = experiment->model;
    if (rate) {
        const int velocity = carom_model_find_velocity(model, name);
        return velocity >= 0 ? carom_leaf(names->graph, CAROM_OP_VELOCITY, velocity) : CAROM_NO_NODE;
    }
    const int column = find_text(experiment->named_columns, experiment->column, name);
    if (column >= 0 && carom_tape_depends(experiment->observe, column) & of_outputs_only)
        names->unfit = experiment->column[column];
    if (column >= 0)
        return carom_leaf(names->graph, CAROM_OP_OBSERVED, 1 + model->observables + column);
    const int coordinate = find_text(carom_model_positions(model), model->coordinate, name);
    if (coordinate >= 0)
        return carom_leaf(names->graph, CAROM_OP_COORDINATE, coordinate);
    const int parameter = carom_model_find_parameter(model, name);
    if (parameter >= 0)
        return carom_leaf(names->graph, CAROM_OP_PARAMETER, parameter);
    if (strcmp(name, "t") == 0 || strcmp(name, "time") == 0)
        return carom_leaf(names->graph, CAROM_OP_TIME, 0);
    if (strcmp(name, "energy") == 0)
        return carom_leaf(names->graph, CAROM_OP_OBSERVED, 0);
    return strcmp(name, "pi") == 0 ? carom_constant(names->graph, CAROM_PI) : CAROM_NO_NODE;
}

/* The formula's own complaint, with what there is. */
static carom_status fail_formula(const carom_experiment *experiment, const char *formula, carom_error *error)
{
    const carom_model *model = experiment->model;
    carom_text list = {0};
    if (error->status == CAROM_NO_MEMORY)
        return error->status;
    for (int i = 0; i < carom_model_positions(model) && list.length < 200; i++)
        carom_text_append(&list, "%s%s", i ? ", " : "", model->coordinate[i]);
    for (int i = 0; i < experiment->named_columns && list.length < 400; i++)
        carom_text_append(&list, ", %s", experiment->column[i]);
    const carom_error complaint = *error;
    const carom_status status =
        carom_fail(error, CAROM_BAD_INPUT,
                   "'%s' as what was measured: %s. It may use %s, dot(coordinate), parameters, t and energy",
                   formula, complaint.text, list.bytes ? list.bytes : "coordinates");
    carom_text_free(&list);
    return status;
}

static void note_dependence(fit_outputs *outputs)
{
    const carom_experiment *experiment = outputs->experiment;
    unsigned all = 0, records = 0;
    for (int i = 0; i < outputs->count; i++)
        all |= carom_tape_depends(outputs->tape, i);
    outputs->asks_columns = (all & CAROM_ON_OBSERVED) && experiment->named_columns > 0;
    for (int i = 0; outputs->asks_columns && i < experiment->named_columns; i++)
        records |= carom_tape_depends(experiment->observe, i);
    outputs->asks_energy = (all | records) & CAROM_ON_OBSERVED;
    outputs->asks_observed = outputs->asks_energy && outputs->observables > 0;
    const carom_model_tangent_ops *along = experiment->model->ops->tangent;
    outputs->exact = !outputs->asks_observed || (along && along->observe);
}

carom_status fit_outputs_create(const carom_experiment *experiment, int count, const char *const *formula,
                                fit_outputs *outputs, carom_error *error)
{
    *outputs = (fit_outputs){
        .count = count, .experiment = experiment, .observables = experiment->model->observables};
    carom_graph *graph = carom_graph_create(0);
    carom_node *node = carom_new_array((size_t)count, sizeof *node);
    carom_status status = graph && node ? CAROM_OK : carom_fail_memory(error);
    formula_names names = {experiment, graph, NULL};
    const carom_symbols symbols = {.find = find_symbol, .context = &names};
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        node[i] = carom_formula(graph, formula[i], &symbols, error);
        if (node[i] < 0)
            status = fail_formula(experiment, formula[i], error);
        else if (names.unfit)
            status =
                carom_fail(error, CAROM_BAD_INPUT,
                           "'%s' as what was measured: record '%s' depends on accelerations or forces of "
                           "joints, which are known at outputs only; map a column to positions or velocities",
                           formula[i], names.unfit);
        else if (!(carom_node_depends(graph, node[i]) &
                   (CAROM_ON_COORDINATE | CAROM_ON_VELOCITY | CAROM_ON_OBSERVED)))
            status = carom_fail(error, CAROM_BAD_INPUT,
                                "'%s' as what was measured does not depend on the motion", formula[i]);
    }
    if (status == CAROM_OK) {
        outputs->tape = carom_tape_compile(graph, count, node);
        status = outputs->tape ? CAROM_OK : carom_fail_memory(error);
    }
    if (status == CAROM_OK)
        note_dependence(outputs);
    free(node);
    carom_graph_free(graph);
    return status;
}

void fit_outputs_free(fit_outputs *outputs)
{
    carom_tape_free(outputs->tape);
    outputs->tape = NULL;
}

/* ---- looking ---------------------------------------------------------------------------------------------- */

struct fit_eye {
    const fit_outputs *outputs;
    int columns, observed_count, positions, dof, contacts;
    const double *const *direction;
    double *observed, *observed_along; /* energy, observables, records */
    double *nothing;                   /* NAN for accelerations and forces of joints */
    double *record_work, *output_work;
    double **record_tangent, **output_tangent; /* per column */
};

static double **take_tangents(carom_arena *arena, const carom_tape *tape, const double *work, int columns,
                              const double *const *direction)
{
    double **tangent = carom_arena_take(arena, (size_t)columns + 1, sizeof *tangent);
    for (int c = 0; tangent && c < columns; c++) {
        tangent[c] = carom_arena_take(arena, carom_tape_work_size(tape), sizeof(double));
        if (!tangent[c])
            return NULL;
        carom_tape_along_bind(tape, work, direction[c], tangent[c]);
    }
    return tangent;
}

static double *take_work(carom_arena *arena, const carom_tape *tape, const double *parameter)
{
    double *work = carom_arena_take(arena, carom_tape_work_size(tape), sizeof *work);
    if (work)
        carom_tape_bind(tape, parameter, work);
    return work;
}

fit_eye *fit_eye_create(const fit_outputs *outputs, carom_arena *arena, const double *parameter, int columns,
                        const double *const *direction)
{
    const carom_experiment *experiment = outputs->experiment;
    fit_eye *eye = carom_arena_take(arena, 1, sizeof *eye);
    if (!eye)
        return NULL;
    *eye = (fit_eye){.outputs = outputs,
                     .columns = columns,
                     .observed_count = 1 + outputs->observables + experiment->column_count,
                     .positions = carom_model_positions(experiment->model),
                     .dof = experiment->model->dof,
                     .contacts = experiment->model->contacts,
                     .direction = direction};
    eye->observed = carom_arena_take(arena, (size_t)eye->observed_count, sizeof(double));
    eye->observed_along = carom_arena_take(arena, (size_t)eye->observed_count, sizeof(double));
    eye->output_work = take_work(arena, outputs->tape, parameter);
    const int unknown = eye->dof + experiment->model->joints;
    eye->nothing = carom_arena_take(arena, (size_t)unknown, sizeof(double));
    for (int i = 0; eye->nothing && i < unknown; i++)
        eye->nothing[i] = NAN;
    if (!eye->nothing || !eye->observed || !eye->observed_along || !eye->output_work)
        return NULL;
    eye->output_tangent = take_tangents(arena, outputs->tape, eye->output_work, columns, direction);
    if (!outputs->asks_columns)
        return eye->output_tangent ? eye : NULL;
    eye->record_work = take_work(arena, experiment->observe, parameter);
    if (!eye->record_work)
        return NULL;
    eye->record_tangent = take_tangents(arena, experiment->observe, eye->record_work, columns, direction);
    return eye->output_tangent && eye->record_tangent ? eye : NULL;
}

static void look_along(fit_eye *eye, carom_model_work *work, const fit_state *state, int column,
                       double *along)
{
    const fit_outputs *outputs = eye->outputs;
    const size_t c = (size_t)column;
    const double *along_state = state->along + c * state->size;
    carom_inputs direction = {.q = along_state,
                              .u = along_state + eye->positions,
                              .impulse =
                                  state->impulse_along + c * CAROM_CONTACT_COMPONENTS * (size_t)eye->contacts,
                              .observed = eye->observed_along};
    memset(eye->observed_along, 0, (size_t)eye->observed_count * sizeof *eye->observed_along);
    if (outputs->asks_energy) {
        const carom_direction way = {.q = direction.q, .u = direction.u, .parameter = eye->direction[column]};
        work->model->ops->tangent->energy(work, state->t, state->q, state->v, 1, &way, eye->observed_along);
    }
    if (outputs->asks_observed) {
        const carom_direction way = {.q = direction.q, .u = direction.u, .parameter = eye->direction[column]};
        work->model->ops->tangent->observe(work, state->t, state->q, state->v, state->impulse, &way,
                                           direction.impulse, eye->observed_along + 1);
    }
    if (outputs->asks_columns)
        carom_tape_along(outputs->experiment->observe, eye->record_work, eye->record_tangent[column],
                         &direction, eye->observed_along + 1 + outputs->observables);
    carom_tape_along(outputs->tape, eye->output_work, eye->output_tangent[column], &direction, along);
}

void fit_eye_look(fit_eye *eye, carom_model_work *work, const fit_state *state, double *value,
                  double *derivative)
{
    const fit_outputs *outputs = eye->outputs;
    const carom_model_ops *ops = work->model->ops;
    if (outputs->asks_energy)
        eye->observed[0] = ops->energy(work, state->t, state->q, state->v);
    if (outputs->asks_observed)
        ops->observe(work, state->t, state->q, state->v, state->impulse, eye->observed + 1);
    const carom_inputs inputs = {.t = state->t,
                                 .q = state->q,
                                 .u = state->v,
                                 .impulse = state->impulse,
                                 .observed = eye->observed,
                                 .acceleration = eye->nothing,
                                 .multiplier = eye->nothing};
    if (outputs->asks_columns)
        carom_tape_evaluate(outputs->experiment->observe, eye->record_work, &inputs,
                            eye->observed + 1 + outputs->observables);
    carom_tape_evaluate(outputs->tape, eye->output_work, &inputs, value);
    for (int c = 0; derivative && c < eye->columns; c++)
        look_along(eye, work, state, c, derivative + (size_t)c * (size_t)outputs->count);
}
