/* Sections of facts, tables and figures of a page. */
#include <math.h>

#include "carom/io/page.h"

void carom_page_list_begin(carom_page *self, const char *key)
{
    carom_json_array_begin(&self->json, key);
}

void carom_page_list_end(carom_page *self)
{
    carom_json_array_end(&self->json);
}

static void write_optional(carom_page *self, const char *key, const char *text)
{
    if (text && *text)
        carom_json_text(&self->json, key, text);
}

/* ---- facts ------------------------------------------------------------------------------------------ */

void carom_page_facts(carom_page *self, const char *title)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "title", title);
    carom_json_array_begin(&self->json, "rows");
}

void carom_page_fact_number(carom_page *self, const char *name, double value, const char *note)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "name", name);
    carom_json_number(&self->json, "value", value);
    write_optional(self, "note", note);
    carom_json_object_end(&self->json);
}

void carom_page_fact_text(carom_page *self, const char *name, const char *value, const char *note)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "name", name);
    carom_json_text(&self->json, "value", value);
    write_optional(self, "note", note);
    carom_json_object_end(&self->json);
}

void carom_page_facts_end(carom_page *self)
{
    carom_json_array_end(&self->json);
    carom_json_object_end(&self->json);
}

/* ---- tables ----------------------------------------------------------------------------------------- */

void carom_page_table(carom_page *self, const char *title, int columns, const char *const *column, bool runs)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "title", title);
    carom_json_bool(&self->json, "runs", runs);
    carom_json_array_begin(&self->json, "columns");
    for (int i = 0; i < columns; i++)
        carom_json_text(&self->json, NULL, column[i]);
    carom_json_array_end(&self->json);
    carom_json_array_begin(&self->json, "rows");
}

void carom_page_row(carom_page *self)
{
    carom_json_array_begin(&self->json, NULL);
}

void carom_page_cell_number(carom_page *self, double value)
{
    carom_json_number(&self->json, NULL, value);
}

void carom_page_cell_text(carom_page *self, const char *value)
{
    carom_json_text(&self->json, NULL, value);
}

void carom_page_row_end(carom_page *self)
{
    carom_json_array_end(&self->json);
}

void carom_page_table_end(carom_page *self)
{
    carom_json_array_end(&self->json);
    carom_json_object_end(&self->json);
}

/* ---- figures ---------------------------------------------------------------------------------------- */

void carom_page_figure(carom_page *self, const char *name, const char *title, int columns)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "name", name);
    write_optional(self, "title", title);
    carom_json_number(&self->json, "columns", columns);
    carom_json_array_begin(&self->json, "panels");
}

void carom_page_figure_end(carom_page *self)
{
    carom_json_array_end(&self->json);
    carom_json_object_end(&self->json);
}

static void write_axis(carom_page *self, const char *key, const carom_page_axis *axis, const double *values,
                       size_t count)
{
    carom_json_object_begin(&self->json, key);
    write_optional(self, "label", axis->label);
    carom_json_bool(&self->json, "log", axis->is_log);
    if (axis->low < axis->high) {
        carom_json_number(&self->json, "low", axis->low);
        carom_json_number(&self->json, "high", axis->high);
    }
    if (values)
        carom_page_numbers(self, "values", count, values);
    carom_json_object_end(&self->json);
}

void carom_page_panel(carom_page *self, const carom_page_panel_look *look)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "kind", "curves");
    write_optional(self, "title", look->title);
    write_axis(self, "x", &look->x, NULL, 0);
    write_axis(self, "y", &look->y, NULL, 0);
    carom_json_bool(&self->json, "equal", look->equal);
}

void carom_page_curves(carom_page *self)
{
    carom_json_array_begin(&self->json, "curves");
}

void carom_page_marks(carom_page *self)
{
    carom_json_array_end(&self->json);
    carom_json_array_begin(&self->json, "marks");
}

void carom_page_panel_end(carom_page *self)
{
    carom_json_array_end(&self->json);
    carom_json_object_end(&self->json);
}

static void write_runs(carom_page *self, size_t count, const uint32_t *run)
{
    if (run)
        carom_payload_refer(&self->json, "run", carom_payload_wholes(self->payload, count, run));
}

void carom_page_curve(carom_page *self, const carom_page_curve_data *curve)
{
    carom_json_object_begin(&self->json, NULL);
    write_optional(self, "label", curve->label);
    carom_json_text(&self->json, "style", curve->style);
    if (curve->colour >= 0)
        carom_json_number(&self->json, "colour", curve->colour);
    carom_page_numbers(self, "x", curve->count, curve->x);
    carom_page_numbers(self, "y", curve->count, curve->y);
    if (curve->t)
        carom_page_numbers(self, "t", curve->count, curve->t);
    write_runs(self, curve->count, curve->run);
    carom_json_object_end(&self->json);
}

void carom_page_circle(carom_page *self, const char *label)
{
    enum {
        POINTS = 121
    };
    double x[POINTS], y[POINTS];
    for (int i = 0; i < POINTS; i++) {
        x[i] = cos(2.0 * CAROM_PI * i / (POINTS - 1));
        y[i] = sin(2.0 * CAROM_PI * i / (POINTS - 1));
    }
    carom_page_curve(self,
                     &(carom_page_curve_data){
                         .label = label, .style = "outline", .colour = -1, .count = POINTS, .x = x, .y = y});
}

void carom_page_mark(carom_page *self, const carom_page_mark_data *mark)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "kind", mark->kind);
    write_optional(self, "label", mark->label);
    carom_page_numbers(self, "x", mark->count, mark->x);
    carom_page_numbers(self, "y", mark->count, mark->y);
    if (mark->name) {
        carom_json_array_begin(&self->json, "names");
        for (size_t i = 0; i < mark->count; i++)
            carom_json_text(&self->json, NULL, mark->name[i]);
        carom_json_array_end(&self->json);
    }
    carom_json_object_end(&self->json);
}

void carom_page_heat(carom_page *self, const carom_page_heat_data *heat)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "kind", "heat");
    write_optional(self, "title", heat->look.title);
    write_axis(self, "x", &heat->look.x, heat->x, heat->nx);
    write_axis(self, "y", &heat->look.y, heat->y, heat->ny);
    carom_json_text(&self->json, "label", heat->label);
    carom_json_bool(&self->json, "zlog", heat->is_log);
    carom_page_numbers(self, "z", heat->nx * heat->ny, heat->z);
    write_runs(self, heat->nx * heat->ny, heat->run);
    carom_json_object_end(&self->json);
}
