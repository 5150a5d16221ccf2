/* After the script: joins the columns, compiles the tapes, builds the model. No Lua here, so plain returns.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "carom/model/level.h"
#include "io/lua/statement/plot_layers.h"
#include "loader.h"
#include "loader_bodies.h"

static void *take(loader *load, size_t count, size_t size)
{
    return carom_arena_take(load->arena, count, size);
}

/* ---- plots and columns of a model file that names none ---------------------------------------- */

static carom_node coordinate_leaf(loader *load, int i)
{
    return carom_leaf(load->graph, CAROM_OP_COORDINATE, i);
}

static int hidden_column(loader *load, carom_node *room, carom_node node)
{
    room[load->hidden_columns] = node;
    return LOADER_HIDDEN + load->hidden_columns++;
}

static carom_layer plain_layer(carom_layer_kind kind, int x, int y)
{
    carom_layer layer = plot_empty_layer(kind);
    layer.x = x;
    layer.y = y;
    return layer;
}

static carom_panel plain_panel(char *xlabel, char *ylabel, int layers, carom_layer *layer)
{
    return (carom_panel){.xlabel = xlabel,
                         .ylabel = ylabel,
                         .xmin = CAROM_NO_VALUE,
                         .xmax = CAROM_NO_VALUE,
                         .ymin = CAROM_NO_VALUE,
                         .ymax = CAROM_NO_VALUE,
                         .layer_count = layers,
                         .layer = layer};
}

/* Without plot statements a beam shows its shapes, where it touches, and its energy. */
static bool add_beam_plots(loader *load)
{
    enum {
        SHAPES,
        TOUCHES,
        ENERGY,
        PLOTS
    };
    static char x[] = "x", t[] = "t", shapes[] = "shapes", touches[] = "contacts", energy[] = "energy",
                lower[] = "lower", upper[] = "upper";
    static char *const name[PLOTS] = {shapes, touches, energy};
    carom_experiment *experiment = load->experiment;
    carom_node *room = take(load, (size_t)load->hidden_columns + 2, sizeof *room);
    carom_plot *plot = take(load, PLOTS, sizeof *plot);
    carom_panel *panel = take(load, PLOTS, sizeof *panel);
    carom_layer *layer = take(load, PLOTS + 1, sizeof *layer);
    if (!room || !plot || !panel || !layer)
        return false;
    if (load->hidden_columns)
        memcpy(room, load->hidden_column, (size_t)load->hidden_columns * sizeof *room);
    const int time = hidden_column(load, room, carom_leaf(load->graph, CAROM_OP_TIME, 0));
    const int value = hidden_column(load, room, carom_leaf(load->graph, CAROM_OP_OBSERVED, 0));
    load->hidden_column = room;
    layer[0] = plain_layer(CAROM_LAYER_PROFILE, -1, -1);
    layer[1] = plain_layer(CAROM_LAYER_CONTACTS, -1, -1);
    layer[1].label = lower;
    layer[2] = layer[1];
    layer[2].label = upper;
    layer[2].upper = true;
    layer[3] = plain_layer(CAROM_LAYER_LINE, time, value);
    layer[3].family = true;
    panel[SHAPES] = plain_panel(x, (char *)load->beam.name, 1, layer);
    panel[TOUCHES] = plain_panel(x, t, 2, layer + 1);
    panel[ENERGY] = plain_panel(t, energy, 1, layer + 3);
    for (int i = 0; i < PLOTS; i++)
        plot[i] = (carom_plot){.name = name[i], .columns = 1, .panel_count = 1, .panel = &panel[i]};
    experiment->plot = plot;
    experiment->plot_count = PLOTS;
    return true;
}

/* The first coordinates and their names. */
static int take_coordinates(loader *load, int most, char **name, carom_node *node)
{
    const int count = load->coordinates < most ? load->coordinates : most;
    for (int i = 0; i < count; i++) {
        name[i] = load->coordinate[i];
        node[i] = coordinate_leaf(load, i);
    }
    return count;
}

/* Without plot statements: coordinates (of bodies their heights) against time, the energy, and of bodies where they stand at
 * the end. */
static bool add_default_plots(loader *load)
{
    enum {
        MOST_CURVES = 8
    };
    carom_experiment *experiment = load->experiment;
    char *name[MOST_CURVES];
    carom_node height[MOST_CURVES];
    const int curves = load->bodies ? loader_bodies_heights(load, MOST_CURVES, name, height)
                                    : take_coordinates(load, MOST_CURVES, name, height);
    carom_node *room = take(load, (size_t)load->hidden_columns + (size_t)curves + 2, sizeof *room);
    carom_plot *plot = take(load, 3, sizeof *plot);
    carom_panel *panel = take(load, 3, sizeof *panel);
    carom_layer *layer = take(load, (size_t)curves + 2, sizeof *layer);
    if (!room || !plot || !panel || !layer)
        return false;
    if (load->hidden_columns)
        memcpy(room, load->hidden_column, (size_t)load->hidden_columns * sizeof *room);
    const int time = hidden_column(load, room, carom_leaf(load->graph, CAROM_OP_TIME, 0));
    for (int i = 0; i <= curves; i++) {
        /* the energy of the output is there already */
        const carom_node node = i < curves ? height[i] : carom_leaf(load->graph, CAROM_OP_OBSERVED, 0);
        layer[i] = plain_layer(CAROM_LAYER_LINE, time, hidden_column(load, room, node));
        layer[i].label = i < curves && curves > 1 ? name[i] : NULL;
        layer[i].family = true;
    }
    static char motion[] = "motion", energy[] = "energy", t[] = "t";
    for (int k = 0; k < 2; k++) {
        panel[k] = plain_panel(t, k == 0 ? (curves == 1 ? name[0] : NULL) : energy, k == 0 ? curves : 1,
                               k == 0 ? layer : layer + curves);
        plot[k] = (carom_plot){
            .name = k == 0 ? motion : energy, .columns = 1, .panel_count = 1, .panel = &panel[k]};
    }
    if (load->bodies) {
        static char scene[] = "scene", x[] = "x", y[] = "y", z[] = "z";
        layer[curves + 1] = plain_layer(CAROM_LAYER_SCENE, -1, -1);
        panel[2] = plain_panel(x, load->bodies->dimension == CAROM_PLANE ? y : z, 1, layer + curves + 1);
        panel[2].equal = true;
        plot[2] = (carom_plot){.name = scene, .columns = 1, .panel_count = 1, .panel = &panel[2]};
    }
    load->hidden_column = room;
    experiment->plot = plot;
    experiment->plot_count = load->bodies ? 3 : 2;
    return true;
}

static void shift_column(const loader *load, int *column)
{
    if (*column >= LOADER_HIDDEN)
        *column = *column - LOADER_HIDDEN + load->named_columns;
}

static void shift_measure(const loader *load, carom_measure *measure)
{
    shift_column(load, &measure->column);
    for (int i = 0; i < measure->list_count; i++)
        shift_column(load, &measure->list[i]);
}

/* Hidden columns follow the named ones, which are all known only now. */
static void join_column_numbers(loader *load)
{
    carom_experiment *experiment = load->experiment;
    for (int i = 0; i < experiment->measure_count; i++)
        shift_measure(load, &experiment->measure[i]);
    for (int p = 0; p < experiment->plot_count; p++)
        for (int k = 0; k < experiment->plot[p].panel_count; k++) {
            carom_panel *panel = &experiment->plot[p].panel[k];
            for (int l = 0; l < panel->layer_count; l++) {
                carom_layer *layer = &panel->layer[l];
                shift_column(load, &layer->x);
                shift_column(load, &layer->y);
                shift_column(load, &layer->x2);
                shift_column(load, &layer->y2);
                for (int c = 0; c < layer->column_count; c++)
                    shift_column(load, &layer->column[c]);
            }
        }
}

/* What the library drew is left out where the model file says so. */
static void drop_automatic(carom_experiment *experiment)
{
    int kept = 0;
    for (int i = 0; i < experiment->draw_count; i++)
        if (!experiment->draw[i].automatic)
            experiment->draw[kept++] = experiment->draw[i];
    experiment->draw_count = kept;
}

static bool compile_columns(loader *load)
{
    if (load->draws_alone)
        drop_automatic(load->experiment);
    carom_experiment *experiment = load->experiment;
    const int count = load->named_columns + load->hidden_columns;
    carom_node *node = take(load, (size_t)count, sizeof *node);
    experiment->column = take(load, (size_t)count, sizeof *experiment->column);
    if (!node || !experiment->column)
        return false;
    static char hidden[] = "(plot or measure)";
    unsigned depends = 0;
    for (int i = 0; i < count; i++) {
        const bool named = i < load->named_columns;
        node[i] = named ? load->named_column[i] : load->hidden_column[i - load->named_columns];
        experiment->column[i] = named ? load->column_name[i] : hidden;
        depends |= carom_node_depends(load->graph, node[i]);
    }
    for (int i = 0; i < experiment->stop_count; i++)
        depends |= carom_node_depends(load->graph, load->stop[i]);
    experiment->asks_accelerations = depends & CAROM_ON_ACCELERATION;
    experiment->asks_reactions = depends & CAROM_ON_MULTIPLIER;
    experiment->column_count = count;
    experiment->named_columns = load->named_columns;
    experiment->observe = carom_tape_compile(load->graph, count, node);
    if (experiment->stop_count > 0)
        experiment->stops = carom_tape_compile(load->graph, experiment->stop_count, load->stop);
    if (load->looks > 0)
        experiment->look = carom_tape_compile(load->graph, load->looks, load->look);
    return experiment->observe && (experiment->stops || experiment->stop_count == 0) &&
           (experiment->look || load->looks == 0);
}

/* ---- values ----------------------------------------------------------------------------------- */

static bool compile_values(loader *load)
{
    carom_experiment *experiment = load->experiment;
    const int n = load->coordinates;
    carom_node *node = take(load, (size_t)load->values + 2 * (size_t)n, sizeof *node);
    experiment->q0 = take(load, (size_t)n, sizeof *experiment->q0);
    experiment->v0 = take(load, (size_t)n, sizeof *experiment->v0);
    if (!node || !experiment->q0 || !experiment->v0)
        return false;
    int count = load->values;
    if (count)
        memcpy(node, load->value, (size_t)count * sizeof *node);
    const carom_node zero = carom_constant(load->graph, 0.0);
    for (int i = 0; i < n; i++) {
        experiment->q0[i] = count;
        node[count++] = load->has_initial ? load->q0[i] : zero;
        experiment->v0[i] = count;
        node[count++] = load->has_initial ? load->v0[i] : zero;
    }
    experiment->values = carom_tape_compile(load->graph, count, node);
    return experiment->values != NULL;
}

/* ---- model ------------------------------------------------------------------------------------ */

static void fill_spec(loader *load)
{
    load->beam.parameters = load->parameters;
    load->beam.parameter = load->parameter;
    load->experiment->spec = (carom_traced_spec){
        .graph = load->graph,
        .dof = load->coordinates,
        .coordinate = (const char *const *)load->coordinate,
        .parameters = load->parameters,
        .parameter = load->parameter,
        .kinetic = load->kinetic,
        .mass = load->mass,
        .masses = load->masses,
        .potential = load->potential,
        .force = load->force,
        .contacts = load->contacts,
        .contact = load->contact,
        .joints = load->joints,
        .joint = load->joint,
    };
}

void loader_add_force_input(const loader *load, int velocity, carom_node *force)
{
    const carom_node input = carom_leaf(load->graph, CAROM_OP_INPUT, load->force_input + velocity);
    *force = *force == CAROM_NO_NODE ? input : carom_binary(load->graph, CAROM_OP_ADD, *force, input);
}

/* The parameters of request->force_inputs, behind all others. */
static carom_status take_force_inputs(loader *load, carom_error *error)
{
    const int count = load->bodies ? load->bodies->velocities : load->coordinates;
    if (load->has_beam)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s: a beam has no forces on its coordinates; write inputs into its load or its point "
            "forces",
            load->experiment->file);
    carom_parameter *all = take(load, (size_t)load->parameters + (size_t)count, sizeof *all);
    if (!all)
        return carom_fail_memory(error);
    if (load->parameters)
        memcpy(all, load->parameter, (size_t)load->parameters * sizeof *all);
    for (int i = 0; i < count; i++) {
        char name[100];
        if (load->bodies)
            carom_format(name, sizeof name, "force on velocity %d", i);
        else
            carom_format(name, sizeof name, "force on %s", load->coordinate[i]);
        all[load->parameters + i] = (carom_parameter){.name = carom_arena_copy_text(load->arena, name),
                                                      .min = -INFINITY,
                                                      .max = INFINITY,
                                                      .computed = true,
                                                      .input = true};
    }
    load->force_input = load->parameters;
    load->parameter = all;
    load->parameters += count;
    return CAROM_OK;
}

/* Those of coordinates without bodies here, those of bodies where their forces are listed. */
static carom_status add_force_inputs(loader *load, carom_error *error)
{
    const carom_status status = take_force_inputs(load, error);
    if (status != CAROM_OK || load->bodies)
        return status;
    carom_node *force = take(load, (size_t)load->coordinates, sizeof *force);
    if (!force)
        return carom_fail_memory(error);
    for (int i = 0; i < load->coordinates; i++) {
        force[i] = load->force ? load->force[i] : CAROM_NO_NODE;
        loader_add_force_input(load, i, &force[i]);
    }
    load->force = force;
    return CAROM_OK;
}

static bool is_setting(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->setting_count; i++)
        if (strcmp(experiment->setting[i].name, name) == 0)
            return true;
    return false;
}

/* Settings had their value while the script ran; what is left are parameters. */
static carom_status apply_overrides(carom_experiment *experiment, int count, const carom_override *override,
                                    carom_error *error)
{
    for (int i = 0; i < count; i++) {
        if (is_setting(experiment, override[i].name))
            continue;
        carom_status status = carom_experiment_set(experiment, override[i].name, override[i].value, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* Defaults, then the variant's values, then the request's. */
static carom_status set_parameters(loader *load, carom_error *error)
{
    carom_experiment *experiment = load->experiment;
    const carom_variant *variant = load->active_variant;
    experiment->parameter = take(load, (size_t)load->parameters, sizeof *experiment->parameter);
    if (!experiment->parameter)
        return carom_fail_memory(error);
    for (int i = 0; i < load->parameters; i++)
        experiment->parameter[i] = load->parameter[i].value;
    if (variant) {
        carom_error inner = {0};
        carom_status status = apply_overrides(experiment, variant->override_count, variant->override, &inner);
        if (status != CAROM_OK)
            return carom_fail(error, status, "%s: variant '%s': %s", experiment->file, variant->name,
                              inner.text);
    }
    return apply_overrides(experiment, load->request->override_count, load->request->override, error);
}

/* A family varies parameters and the scheme; its names are known only when the whole file was read. */
static carom_status check_family(const carom_experiment *experiment, carom_error *error)
{
    for (int a = 0; a < experiment->axis_count; a++) {
        const carom_family_axis *axis = &experiment->axis[a];
        carom_error inner = {0};
        if (strcmp(axis->name, "scheme") == 0) {
            for (int i = 0; i < experiment->family_size; i++)
                if (!carom_scheme_find(axis->value[i], &inner))
                    return carom_fail(error, CAROM_BAD_INPUT, "%s:%d: family: %s", experiment->file,
                                      experiment->family_line, inner.text);
        } else if (carom_model_find_parameter(experiment->model, axis->name) < 0) {
            return carom_fail(error, CAROM_BAD_INPUT, "%s:%d: family: '%s' is not a parameter%s",
                              experiment->file, experiment->family_line, axis->name,
                              is_setting(experiment, axis->name)
                                  ? " but a setting, which shapes the model: run it once per value"
                                  : "; a family varies parameters (param) or scheme");
        }
    }
    return CAROM_OK;
}

/* Measures or plots and no model: a study. */
static bool is_study(const loader *load)
{
    return !load->has_beam && !load->bodies && load->coordinates == 0 && !load->has_integrate &&
           load->experiment->measure_count + load->experiment->plot_count > 0;
}

/* Operations of a model with its derivatives, which are more than a script may write: some 1.4 GB. */
enum {
    DERIVED_NODES_MAX = 20000000
};

static carom_status make_model(loader *load, carom_error *error)
{
    carom_experiment *experiment = load->experiment;
    if (experiment->study)
        return carom_still_model_create(load->parameters, load->parameter, &experiment->model, error);
    if (load->bodies)
        return loader_bodies_model(load, &experiment->model, error);
    if (load->has_beam)
        return carom_beam_model_create(&load->beam, &experiment->model, error);
    carom_graph_allow(load->graph, DERIVED_NODES_MAX);
    return carom_traced_model_create(&experiment->spec, &experiment->model, error);
}

carom_status loader_finish(loader *load, carom_error *error)
{
    carom_experiment *experiment = load->experiment;
    experiment->study = is_study(load);
    if (load->request->force_inputs && !experiment->study) {
        const carom_status taken = add_force_inputs(load, error);
        if (taken != CAROM_OK)
            return taken;
    }
    if (!load->has_beam &&
        !carom_level_finish(load->graph, load->parameters, load->parameter, load->coordinates,
                            load->bodies ? NULL : load->q0, load->contacts, load->contact))
        return carom_fail_memory(error);
    fill_spec(load);
    carom_error inner = {0};
    carom_status status = make_model(load, &inner);
    if (status != CAROM_OK) /* a text about a contact begins with its line */
        return carom_fail(error, status, "%s:%s%s", experiment->file,
                          isdigit((unsigned char)inner.text[0]) ? "" : " ", inner.text);
    if (!load->has_integrate && !experiment->study)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s: the model does not say how to run; add integrate { scheme = \"moreau-jean\", h = 1e-3, "
            "until_t = 1 }",
            experiment->file);
    if (experiment->study && experiment->stop_count > 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s:%d: stop: nothing moves here, there is no run to end",
                          experiment->file, experiment->stop[0].line);
    if (experiment->plot_count == 0 && !experiment->study &&
        !(load->has_beam ? add_beam_plots(load) : add_default_plots(load)))
        return carom_fail_memory(error);
    join_column_numbers(load);
    if (!compile_columns(load) || !compile_values(load)) {
        status = carom_graph_status(load->graph, error);
        return status != CAROM_OK ? status : carom_fail_memory(error);
    }
    status = loader_check_plots(experiment, error);
    if (status == CAROM_OK)
        status = check_family(experiment, error);
    if (status == CAROM_OK)
        status = set_parameters(load, error);
    if (status == CAROM_OK)
        carom_graph_to_machine(load->graph);
    return status;
}
