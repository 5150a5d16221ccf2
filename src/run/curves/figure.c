/* A figure: the curves of every panel, with labels and colours, as arrays. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "curve_parts.h"
#include "run/study_results.h"

enum {
    LINE_POINTS_MAX = 20000, /* per layer: more than a picture can show */
    MEMBER_POINTS_MIN = 2000,
    LABELLED_MEMBERS_MAX = 12, /* larger families show some members in the legend */
    LABELLED_MEMBERS_SHOWN = 5,
    EVENT_KINDS = CAROM_EVENT_STOP + 1
};

/* ---- sources --------------------------------------------------------------------------------------- */

char *carom_family_label(carom_arena *arena, const carom_experiment *experiment, int member)
{
    carom_text label = {0};
    for (int a = 0; member < experiment->family_size && a < experiment->axis_count; a++) {
        const carom_family_axis *axis = &experiment->axis[a];
        double number;
        const char *comma = a ? ", " : "";
        if (carom_parse_number(axis->value[member], &number))
            carom_text_append(&label, "%s%s = %.6g", comma, axis->name, number);
        else
            carom_text_append(&label, "%s%s", comma, axis->value[member]);
    }
    char *copy = label.failed ? NULL : carom_arena_copy_text(arena, label.bytes ? label.bytes : "");
    carom_text_free(&label);
    return copy;
}

double *carom_experiment_values(const carom_experiment *experiment, const double *parameter)
{
    const size_t count = experiment->values ? (size_t)carom_tape_outputs(experiment->values) : 0;
    double *values = carom_new_array(count, sizeof *values);
    if (values && experiment_values(experiment, parameter ? parameter : experiment->parameter, values,
                                    NULL) != CAROM_OK) {
        free(values);
        return NULL;
    }
    return values;
}

static const char *const *family_labels(const carom_curve_source *source, carom_arena *arena)
{
    const char **label = carom_arena_take(arena, (size_t)source->family.count, sizeof *label);
    for (int i = 0; label && i < source->family.count; i++)
        if (!(label[i] = carom_family_label(arena, source->experiment, i)))
            return NULL;
    return label;
}

/* What was left out has its default. *values is for the caller to free. */
static carom_status complete_source(carom_curve_source *source, carom_arena *arena, double **values,
                                    carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    if (!source->parameter)
        source->parameter = experiment->parameter;
    if (!source->results)
        source->results = experiment->results;
    if (!source->values)
        source->values = *values = carom_experiment_values(experiment, source->parameter);
    if (source->family.count > 0 && !source->family.label)
        source->family.label = family_labels(source, arena);
    return source->values && (source->family.count == 0 || source->family.label) ? CAROM_OK
                                                                                 : carom_fail_memory(error);
}

/* ---- curves ---------------------------------------------------------------------------------------- */

/* What the curves of a figure are made with. */
typedef struct figure_maker {
    const carom_curve_source *source;
    carom_arena *scratch; /* of rows; the figure has its own arena */
    carom_figure *figure;
    carom_error *error;
} figure_maker;

static bool is_family(const carom_curve_source *source, const carom_layer *layer)
{
    return layer->family && layer->kind != CAROM_LAYER_OUTLINE && source->family.count > 0;
}

static bool has_family(const carom_curve_source *source, const carom_panel *panel)
{
    for (int i = 0; i < panel->layer_count; i++)
        if (is_family(source, &panel->layer[i]))
            return true;
    return false;
}

/* A large family names its first and last member and a few between. */
static bool member_is_labelled(int member, int count)
{
    if (count <= LABELLED_MEMBERS_MAX)
        return true;
    for (int k = 0; k < LABELLED_MEMBERS_SHOWN; k++)
        if (member == k * (count - 1) / (LABELLED_MEMBERS_SHOWN - 1))
            return true;
    return false;
}

static bool is_given(const char *text)
{
    return text && *text;
}

/* "label, member"; the label alone for the main run; the member alone for the first unlabelled layer. */
static carom_status make_label(const figure_maker *maker, layer_curve *curve, bool first_family_layer)
{
    const carom_curve_family *family = &maker->source->family;
    const char *label = is_given(curve->layer->label) ? curve->layer->label : NULL;
    const char *member = curve->member >= 0 ? family->label[curve->member] : NULL;
    carom_text text = {0};
    if (member && (!member_is_labelled(curve->member, family->count) || (!label && !first_family_layer)))
        return CAROM_OK;
    if (!label && !is_given(member))
        return CAROM_OK;
    carom_text_append(&text, "%s%s%s", label ? label : "", label && is_given(member) ? ", " : "",
                      member ? member : "");
    curve->label = text.failed ? NULL : carom_arena_copy_text(maker->figure->arena, text.bytes);
    carom_text_free(&text);
    return curve->label ? CAROM_OK : carom_fail_memory(maker->error);
}

static void set_tint(const carom_curve_source *source, int colours_used, bool beside_family,
                     layer_curve *curve)
{
    curve->tint_number = 0;
    if (curve->layer->kind == CAROM_LAYER_OUTLINE && !curve->layer->coloured) {
        curve->tint = CAROM_TINT_OUTLINE;
    } else if (curve->member >= 0) {
        const bool few = source->family.count <= CAROM_PALETTE_SIZE;
        curve->tint = few ? CAROM_TINT_PALETTE : CAROM_TINT_SEQUENCE;
        curve->tint_number = curve->member;
    } else if (beside_family) {
        curve->tint = CAROM_TINT_MAIN;
    } else {
        curve->tint = CAROM_TINT_PALETTE;
        curve->tint_number = colours_used % CAROM_PALETTE_SIZE;
    }
}

static bool has_points(const layer_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++)
        if (!isnan(curve->row[i].x))
            return true;
    return false;
}

static carom_status make_curve(const figure_maker *maker, panel_curves *curves, const carom_layer *layer,
                               int member, int mark)
{
    const carom_curve_source *source = maker->source;
    layer_curve *curve = &curves->curve[curves->count++];
    curve->layer = layer;
    curve->member = member;
    curve->mark = mark;
    const carom_series *series = member < 0 ? source->series : &source->family.series[member];
    size_t limit = LINE_POINTS_MAX;
    if (member >= 0)
        limit /= (size_t)source->family.count;
    if (limit < MEMBER_POINTS_MIN)
        limit = MEMBER_POINTS_MIN;
    const carom_status status = take_layer_rows(source, series, limit, maker->scratch, curve, maker->error);
    curve->has_points = status == CAROM_OK && has_points(curve);
    return status;
}

/* In the legend the kind of event stands once in a panel. */
static bool is_first_mark(const panel_curves *curves, const layer_curve *curve)
{
    for (const layer_curve *other = curves->curve; other < curve; other++)
        if (other->mark == curve->mark && other->has_points)
            return false;
    return true;
}

/* A curve of points for every kind of event that is marked on the curve made last. */
static carom_status make_marks(const figure_maker *maker, panel_curves *curves)
{
    const layer_curve *marked = &curves->curve[curves->count - 1];
    for (int kind = 0; marked->layer->mark_count > 0 && kind < EVENT_KINDS; kind++) {
        const carom_status status = make_curve(maker, curves, marked->layer, marked->member, kind);
        if (status != CAROM_OK)
            return status;
        layer_curve *curve = &curves->curve[curves->count - 1];
        curve->tint = marked->tint;
        curve->tint_number = marked->tint_number;
        if (curve->has_points && is_first_mark(curves, curve))
            curve->label =
                carom_arena_copy_text(maker->figure->arena, carom_event_word((carom_event_kind)kind));
    }
    return CAROM_OK;
}

/* The curves of one layer: of the main run, or of every member of the family. */
static carom_status make_layer(const figure_maker *maker, panel_curves *curves, const carom_layer *layer,
                               bool first_family_layer, int colours_used)
{
    const carom_curve_source *source = maker->source;
    const bool family = is_family(source, layer), beside_family = has_family(source, curves->panel);
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < (family ? source->family.count : 1); k++) {
        status = make_curve(maker, curves, layer, family ? k : -1, -1);
        layer_curve *curve = &curves->curve[curves->count - 1];
        set_tint(source, colours_used, beside_family, curve);
        if (status == CAROM_OK && curve->has_points)
            status = make_label(maker, curve, first_family_layer);
        if (status == CAROM_OK)
            status = make_marks(maker, curves);
    }
    return status;
}

static carom_status make_curves(const figure_maker *maker, panel_curves *curves)
{
    const carom_panel *panel = curves->panel;
    const size_t runs = maker->source->family.count > 0 ? (size_t)maker->source->family.count : 1;
    const size_t most = carom_product(carom_product((size_t)panel->layer_count, runs), 1 + EVENT_KINDS);
    curves->curve = carom_arena_take(maker->scratch, most, sizeof *curves->curve);
    if (!curves->curve)
        return carom_fail_memory(maker->error);
    bool first_family_layer = true;
    int colours_used = 0;
    for (int i = 0; i < panel->layer_count; i++) {
        const carom_layer *layer = &panel->layer[i];
        const bool family = is_family(maker->source, layer);
        const carom_status status = make_layer(maker, curves, layer, first_family_layer, colours_used);
        if (status != CAROM_OK)
            return status;
        first_family_layer = first_family_layer && !family;
        colours_used += !family && (layer->kind != CAROM_LAYER_OUTLINE || layer->coloured);
    }
    return CAROM_OK;
}

/* ---- as arrays ------------------------------------------------------------------------------------- */

static const char *style_of(const layer_curve *curve)
{
    const carom_layer *layer = curve->layer;
    const char *given = is_given(layer->style) && strcmp(layer->style, "solid") != 0 ? layer->style : NULL;
    if (curve->mark >= 0)
        return carom_event_word((carom_event_kind)curve->mark);
    switch (layer->kind) {
    case CAROM_LAYER_SEGMENTS:
        return "segments";
    case CAROM_LAYER_POINTS:
    case CAROM_LAYER_CONTACTS:
        return given ? given : "points";
    case CAROM_LAYER_VALUES:
        return given ? given : "linepoints";
    case CAROM_LAYER_LINE:
    case CAROM_LAYER_OUTLINE:
    case CAROM_LAYER_PROFILE:
    case CAROM_LAYER_SCENE:
        break;
    }
    return given ? given : layer->kind == CAROM_LAYER_LINE && layer->numbered ? "linepoints" : "line";
}

/* One number of every row; NULL: memory is short. */
static double *take_column(carom_arena *arena, const layer_curve *curve, size_t offset)
{
    double *column = carom_arena_take(arena, curve->count, sizeof *column);
    for (size_t i = 0; column && i < curve->count; i++)
        memcpy(&column[i], (const char *)&curve->row[i] + offset, sizeof *column);
    return column;
}

static bool hand_over_curve(carom_arena *arena, const layer_curve *from, carom_curve *to)
{
    const bool segments = from->layer->kind == CAROM_LAYER_SEGMENTS && from->mark < 0,
               scene = from->layer->kind == CAROM_LAYER_SCENE;
    *to = (carom_curve){.layer = from->layer,
                        .member = from->member,
                        .mark = from->mark,
                        .label = from->label,
                        .style = style_of(from),
                        .tint = from->tint,
                        .tint_number = from->tint_number,
                        .count = from->count,
                        .x = take_column(arena, from, offsetof(curve_row, x)),
                        .y = take_column(arena, from, offsetof(curve_row, y)),
                        .t = take_column(arena, from, offsetof(curve_row, t)),
                        .thinned = from->thinned};
    if (segments) {
        to->x2 = take_column(arena, from, offsetof(curve_row, x2));
        to->y2 = take_column(arena, from, offsetof(curve_row, y2));
    }
    if (scene)
        to->rgb = take_column(arena, from, offsetof(curve_row, x2));
    return to->x && to->y && to->t && (!segments || (to->x2 && to->y2)) && (!scene || to->rgb);
}

static carom_status hand_over(const figure_maker *maker, const panel_curves *curves,
                              carom_figure_panel *panel)
{
    carom_arena *arena = maker->figure->arena;
    panel->curve = carom_arena_take(arena, (size_t)curves->count, sizeof *panel->curve);
    bool taken = panel->curve != NULL;
    for (int i = 0; taken && i < curves->count; i++)
        if (curves->curve[i].has_points)
            taken = hand_over_curve(arena, &curves->curve[i], &panel->curve[panel->curve_count++]);
    return taken ? CAROM_OK : carom_fail_memory(maker->error);
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static carom_status make_panel(const figure_maker *maker, carom_figure_panel *panel)
{
    panel_curves curves = {.panel = panel->panel};
    carom_status status = make_curves(maker, &curves);
    if (status != CAROM_OK)
        return status;
    set_panel_ranges(maker->source, &curves, panel);
    return hand_over(maker, &curves, panel);
}

static carom_status make_panels(const figure_maker *maker)
{
    carom_figure *figure = maker->figure;
    const carom_plot *plot = figure->plot;
    figure->panel = carom_arena_take(figure->arena, (size_t)plot->panel_count, sizeof *figure->panel);
    if (!figure->panel)
        return carom_fail_memory(maker->error);
    figure->panel_count = plot->panel_count;
    figure->columns = plot->columns < 1 ? 1 : plot->columns;
    if (figure->columns > plot->panel_count)
        figure->columns = plot->panel_count;
    figure->rows = figure->columns > 0 ? (plot->panel_count + figure->columns - 1) / figure->columns : 0;
    for (int i = 0; i < plot->panel_count; i++) {
        figure->panel[i].panel = &plot->panel[i];
        const carom_status status = make_panel(maker, &figure->panel[i]);
        if (status != CAROM_OK)
            return carom_fail(maker->error, status, "plot %s, panel %d: %s", plot->name, i + 1,
                              maker->error ? maker->error->text : "");
    }
    return CAROM_OK;
}

static carom_status check_plot(const carom_experiment *experiment, int plot, carom_error *error)
{
    if (!experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "a figure needs an experiment; .experiment is NULL");
    if (plot < 0 || plot >= experiment->plot_count)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no plot %d: the experiment has %d, from 0 on",
                          plot, experiment->plot_count);
    return CAROM_OK;
}

carom_status carom_figure_create(const carom_curve_source *source, int plot, carom_figure **figure,
                                 carom_error *error)
{
    *figure = NULL;
    carom_status status = check_plot(source->experiment, plot, error);
    if (status != CAROM_OK)
        return status;
    carom_curve_source complete = *source;
    double *values = NULL;
    carom_arena *arena = carom_arena_create(), *scratch = carom_arena_create();
    carom_figure *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    status = made && scratch ? complete_source(&complete, scratch, &values, error) : carom_fail_memory(error);
    if (status == CAROM_OK) {
        *made = (carom_figure){.arena = arena, .plot = &source->experiment->plot[plot]};
        status = make_panels(
            &(figure_maker){.source = &complete, .scratch = scratch, .figure = made, .error = error});
    }
    free(values);
    carom_arena_free(scratch);
    if (status == CAROM_OK)
        *figure = made;
    else
        carom_arena_free(arena);
    return status;
}

void carom_figure_free(carom_figure *figure)
{
    if (figure)
        carom_arena_free(figure->arena);
}
