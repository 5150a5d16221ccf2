/* The plots of an experiment on its page: the same curves as in the pictures. */
#include <stdlib.h>
#include <string.h>

#include "app/page.h"
#include "app/plot_parts.h"

/* One number of every row of a curve. */
static void write_rows(page *self, const char *key, const plot_curve *curve, size_t offset, double *scratch)
{
    for (size_t i = 0; i < curve->count; i++)
        memcpy(&scratch[i], (const char *)&curve->row[i] + offset, sizeof *scratch);
    page_numbers(self, key, curve->count, scratch);
}

static const char *style_word(const plot_curve *curve)
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

static bool x_is_time(const plot_curve *curve)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->row[i].x != curve->row[i].t)
            return false;
    return true;
}

static void write_curve(page *self, const plot_source *source, const plot_curve *curve, double *scratch)
{
    carom_json *json = &self->json;
    const carom_layer *layer = curve->layer;
    carom_json_object_begin(json, NULL);
    if (curve->title)
        carom_json_text(json, "label", curve->title);
    carom_json_text(json, "style", style_word(curve));
    if (curve->style >= 1 && curve->style <= PLOT_COLOURS)
        carom_json_number(json, "colour", curve->style - 1);
    if (curve->member >= 0)
        carom_json_number(json, "member", curve->member);
    const bool timed = has_times(layer);
    if (timed && x_is_time(curve)) {
        for (size_t i = 0; i < curve->count; i++)
            scratch[i] = curve->row[i].t;
        const int t = carom_payload_numbers(self->payload, curve->count, scratch);
        carom_payload_refer(json, "t", t);
        carom_payload_refer(json, "x", t);
    } else {
        if (timed)
            write_rows(self, "t", curve, offsetof(plot_row, t), scratch);
        write_rows(self, "x", curve, offsetof(plot_row, x), scratch);
    }
    write_rows(self, "y", curve, offsetof(plot_row, y), scratch);
    if (layer->kind == CAROM_LAYER_SEGMENTS) {
        write_rows(self, "x2", curve, offsetof(plot_row, x2), scratch);
        write_rows(self, "y2", curve, offsetof(plot_row, y2), scratch);
    }
    const carom_series *series =
        curve->member < 0 ? source->main_series : &source->member_series[curve->member];
    if (timed && series && curve->count < carom_series_outputs(series)) {
        carom_text rule = {0};
        carom_text_append(&rule, "%zu of %zu outputs: %s", curve->count, carom_series_outputs(series),
                          curve->thinned ? "ends, extremes and breaks of every piece"
                                         : "those that the plot asks for");
        if (!rule.failed)
            carom_json_text(json, "rule", rule.bytes);
        carom_text_free(&rule);
    }
    carom_json_object_end(json);
}

static void write_mark(page *self, const plot_curve *curve, double *scratch)
{
    carom_json *json = &self->json;
    const char *word = carom_event_word((carom_event_kind)curve->mark);
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "kind", word);
    carom_json_text(json, "label", word);
    write_rows(self, "x", curve, offsetof(plot_row, x), scratch);
    write_rows(self, "y", curve, offsetof(plot_row, y), scratch);
    write_rows(self, "t", curve, offsetof(plot_row, t), scratch);
    carom_json_object_end(json);
}

static void write_axis(page *self, const char *key, const char *label, plot_range range, bool is_log)
{
    carom_json_object_begin(&self->json, key);
    carom_json_bool(&self->json, "log", is_log);
    if (plot_text_given(label))
        carom_json_text(&self->json, "label", label);
    carom_json_number(&self->json, "low", range.low);
    carom_json_number(&self->json, "high", range.high);
    carom_json_object_end(&self->json);
}

static size_t longest(const plot_box *box)
{
    size_t most = 1;
    for (int i = 0; i < box->curve_count; i++)
        most = box->curve[i].count > most ? box->curve[i].count : most;
    return most;
}

/* The animation shows what bodies look like; pictures of single times would only repeat it. */
static bool is_shown(const plot_curve *curve)
{
    return curve->block >= 0 && curve->layer->kind != CAROM_LAYER_SCENE;
}

static bool shows_something(const plot_box *box)
{
    for (int i = 0; i < box->curve_count; i++)
        if (is_shown(&box->curve[i]))
            return true;
    return false;
}

static carom_status write_panel(page *self, const plot_source *source, const plot_box *box,
                                carom_error *error)
{
    carom_json *json = &self->json;
    const carom_panel *panel = box->panel;
    double *scratch = carom_new_array(longest(box), sizeof *scratch);
    if (!scratch)
        return carom_fail_memory(error);
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "kind", "curves");
    if (plot_text_given(panel->title))
        carom_json_text(json, "title", panel->title);
    write_axis(self, "x", panel->xlabel, box->x, panel->xlog);
    write_axis(self, "y", panel->ylabel, box->y, panel->ylog);
    carom_json_bool(json, "equal", panel->equal);
    carom_json_array_begin(json, "curves");
    for (int i = 0; i < box->curve_count; i++)
        if (box->curve[i].mark < 0 && is_shown(&box->curve[i]))
            write_curve(self, source, &box->curve[i], scratch);
    carom_json_array_end(json);
    carom_json_array_begin(json, "marks");
    for (int i = 0; i < box->curve_count; i++)
        if (box->curve[i].mark >= 0 && is_shown(&box->curve[i]))
            write_mark(self, &box->curve[i], scratch);
    carom_json_array_end(json);
    carom_json_object_end(json);
    free(scratch);
    return CAROM_OK;
}

static carom_status write_figure(page *self, const plot_source *source, plot_drawing *drawing,
                                 carom_error *error)
{
    carom_json *json = &self->json;
    const carom_plot *plot = drawing->plot;
    carom_status status = plot_lay_out(source, drawing, error);
    bool empty = true;
    for (int i = 0; status == CAROM_OK && i < plot->panel_count; i++)
        empty = empty && !shows_something(&drawing->box[i]);
    if (status != CAROM_OK || empty)
        return status;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", plot->name);
    if (plot_text_given(plot->title))
        carom_json_text(json, "title", plot->title);
    carom_json_number(json, "columns", drawing->columns);
    carom_json_array_begin(json, "panels");
    for (int i = 0; status == CAROM_OK && i < plot->panel_count; i++)
        if (shows_something(&drawing->box[i]))
            status = write_panel(self, source, &drawing->box[i], error);
    carom_json_array_end(json);
    carom_json_object_end(json);
    return status;
}

carom_status page_figures(page *self, const plot_source *source, carom_error *error)
{
    const carom_experiment *experiment = source->experiment;
    carom_status status = CAROM_OK;
    carom_json_array_begin(&self->json, "figures");
    for (int i = 0; status == CAROM_OK && i < experiment->plot_count; i++) {
        if (experiment->plot[i].panel_count == 0)
            continue;
        plot_drawing drawing = {.arena = carom_arena_create(), .plot = &experiment->plot[i]};
        status = drawing.arena ? write_figure(self, source, &drawing, error) : carom_fail_memory(error);
        carom_arena_free(drawing.arena);
    }
    carom_json_array_end(&self->json);
    return status;
}
