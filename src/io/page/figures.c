/* The plots of an experiment on its page: the same curves as in the pictures. */
#include <string.h>

#include "page_parts.h"

static const char *style_word(const carom_curve *curve)
{
    const carom_layer *layer = curve->layer;
    switch (layer->kind) {
    case CAROM_LAYER_SEGMENTS:
        return "segments";
    case CAROM_LAYER_OUTLINE:
        return layer->coloured ? "line" : "outline";
    case CAROM_LAYER_SCENE:
        return "outline";
    case CAROM_LAYER_LINE:
    case CAROM_LAYER_PROFILE:
        return layer->style && strcmp(layer->style, "solid") != 0 ? layer->style : "line";
    case CAROM_LAYER_POINTS:
    case CAROM_LAYER_CONTACTS:
    case CAROM_LAYER_VALUES:
        return layer->style && strcmp(layer->style, "solid") != 0 ? layer->style : "points";
    }
    return "line";
}

/* Do rows belong to times, so that the clock can be shown on the curve? */
static bool has_times(const carom_layer *layer)
{
    return layer->kind == CAROM_LAYER_LINE || layer->kind == CAROM_LAYER_POINTS ||
           layer->kind == CAROM_LAYER_SEGMENTS;
}

static bool x_is_time(const carom_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->x[i] != curve->t[i])
            return false;
    return true;
}

static bool is_given(const char *text)
{
    return text && *text;
}

/* How many of the outputs the curve has, where there are more. */
static void write_rule(carom_page *self, const carom_curve_source *source, const carom_curve *curve)
{
    const carom_series *series = curve->member < 0 ? source->series : &source->family.series[curve->member];
    if (!series || curve->count >= carom_series_outputs(series))
        return;
    carom_text rule = {0};
    carom_text_append(&rule, "%zu of %zu outputs: %s", curve->count, carom_series_outputs(series),
                      curve->thinned ? "ends, extremes and breaks of every piece"
                                     : "those that the plot asks for");
    if (!rule.failed)
        carom_json_text(&self->json, "rule", rule.bytes);
    carom_text_free(&rule);
}

static void write_curve(carom_page *self, const carom_curve_source *source, const carom_curve *curve)
{
    carom_json *json = &self->json;
    carom_json_object_begin(json, NULL);
    if (curve->label)
        carom_json_text(json, "label", curve->label);
    carom_json_text(json, "style", style_word(curve));
    if (curve->tint == CAROM_TINT_PALETTE)
        carom_json_number(json, "colour", curve->tint_number);
    if (curve->member >= 0)
        carom_json_number(json, "member", curve->member);
    const bool timed = has_times(curve->layer);
    if (timed && x_is_time(curve)) {
        const int t = carom_payload_numbers(self->payload, curve->count, curve->t);
        carom_payload_refer(json, "t", t);
        carom_payload_refer(json, "x", t);
    } else {
        if (timed)
            carom_page_numbers(self, "t", curve->count, curve->t);
        carom_page_numbers(self, "x", curve->count, curve->x);
    }
    carom_page_numbers(self, "y", curve->count, curve->y);
    if (curve->x2) {
        carom_page_numbers(self, "x2", curve->count, curve->x2);
        carom_page_numbers(self, "y2", curve->count, curve->y2);
    }
    if (timed)
        write_rule(self, source, curve);
    carom_json_object_end(json);
}

static void write_mark(carom_page *self, const carom_curve *curve)
{
    carom_json *json = &self->json;
    const char *word = carom_event_word((carom_event_kind)curve->mark);
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "kind", word);
    carom_json_text(json, "label", word);
    carom_page_numbers(self, "x", curve->count, curve->x);
    carom_page_numbers(self, "y", curve->count, curve->y);
    carom_page_numbers(self, "t", curve->count, curve->t);
    carom_json_object_end(json);
}

static void write_axis(carom_page *self, const char *key, const char *label, carom_range range, bool is_log)
{
    carom_json_object_begin(&self->json, key);
    carom_json_bool(&self->json, "log", is_log);
    if (is_given(label))
        carom_json_text(&self->json, "label", label);
    carom_json_number(&self->json, "low", range.low);
    carom_json_number(&self->json, "high", range.high);
    carom_json_object_end(&self->json);
}

/* The animation shows what bodies look like; pictures of single times would only repeat it. */
static bool is_shown(const carom_curve *curve)
{
    return curve->layer->kind != CAROM_LAYER_SCENE;
}

static bool shows_something(const carom_figure_panel *shown)
{
    for (int i = 0; i < shown->curve_count; i++)
        if (is_shown(&shown->curve[i]))
            return true;
    return false;
}

static void write_panel(carom_page *self, const carom_curve_source *source, const carom_figure_panel *shown)
{
    carom_json *json = &self->json;
    const carom_panel *panel = shown->panel;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "kind", "curves");
    if (is_given(panel->title))
        carom_json_text(json, "title", panel->title);
    write_axis(self, "x", panel->xlabel, shown->x, panel->xlog);
    write_axis(self, "y", panel->ylabel, shown->y, panel->ylog);
    carom_json_bool(json, "equal", panel->equal);
    carom_json_array_begin(json, "curves");
    for (int i = 0; i < shown->curve_count; i++)
        if (shown->curve[i].mark < 0 && is_shown(&shown->curve[i]))
            write_curve(self, source, &shown->curve[i]);
    carom_json_array_end(json);
    carom_json_array_begin(json, "marks");
    for (int i = 0; i < shown->curve_count; i++)
        if (shown->curve[i].mark >= 0 && is_shown(&shown->curve[i]))
            write_mark(self, &shown->curve[i]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static void write_figure(carom_page *self, const carom_curve_source *source, const carom_figure *figure)
{
    carom_json *json = &self->json;
    const carom_plot *plot = figure->plot;
    bool empty = true;
    for (int i = 0; i < figure->panel_count; i++)
        empty = empty && !shows_something(&figure->panel[i]);
    if (empty)
        return;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", plot->name);
    if (is_given(plot->title))
        carom_json_text(json, "title", plot->title);
    carom_json_number(json, "columns", figure->columns);
    carom_json_array_begin(json, "panels");
    for (int i = 0; i < figure->panel_count; i++)
        if (shows_something(&figure->panel[i]))
            write_panel(self, source, &figure->panel[i]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

carom_status page_figures(carom_page *self, const carom_curve_source *source, carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    carom_status status = CAROM_OK;
    carom_json_array_begin(&self->json, "figures");
    for (int i = 0; status == CAROM_OK && i < experiment->plot_count; i++) {
        carom_figure *figure = NULL;
        if (experiment->plot[i].panel_count == 0)
            continue;
        status = carom_figure_create(source, i, &figure, error);
        if (status == CAROM_OK)
            write_figure(self, source, figure);
        carom_figure_free(figure);
    }
    carom_json_array_end(&self->json);
    return status;
}
