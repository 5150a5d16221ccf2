/* What a page says about a run: how it went, with which options, its measures and events. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page_parts.h"

static void write_option(carom_page *self, const char *name, const char *doc)
{
    carom_json_text(&self->json, "name", name);
    if (doc && *doc)
        carom_json_text(&self->json, "doc", doc);
    carom_json_object_end(&self->json);
}

static void option_number(carom_page *self, const char *name, double value, const char *doc)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_number(&self->json, "value", value);
    write_option(self, name, doc);
}

static void option_word(carom_page *self, const char *name, const char *value, const char *doc)
{
    carom_json_object_begin(&self->json, NULL);
    carom_json_text(&self->json, "value", value);
    write_option(self, name, doc);
}

static void write_options(carom_page *self, const carom_run_result *result)
{
    carom_json_array_begin(&self->json, "options");
    option_word(self, "scheme", result->scheme->name, result->scheme->summary);
    option_number(self, "h", result->h, "time step");
    for (int i = 0; i < result->option_count; i++) {
        const carom_option_info *option = &result->scheme->options[i];
        if (carom_option_word_count(option) > 0)
            option_word(self, option->name, carom_option_word(option, (int)result->option[i]), option->doc);
        else
            option_number(self, option->name, result->option[i], option->doc);
    }
    for (int i = 0; i < result->solver_option_count; i++) {
        const carom_option *option = &result->solver_option[i];
        if (option->word)
            option_word(self, option->name, option->word, NULL);
        else
            option_number(self, option->name, option->value, NULL);
    }
    carom_json_array_end(&self->json);
}

static void write_page_measures(carom_page *self, const carom_experiment *experiment,
                                const carom_run_result *result)
{
    carom_json_array_begin(&self->json, "measures");
    for (int i = 0; i < result->measure_count; i++) {
        carom_json_object_begin(&self->json, NULL);
        carom_json_text(&self->json, "name", experiment->measure[i].name);
        carom_json_measured(&self->json, "value", &result->measure[i]);
        carom_json_object_end(&self->json);
    }
    carom_json_array_end(&self->json);
}

static void write_facts(carom_page *self, const carom_run_result *result)
{
    carom_page_list_begin(self, "facts");
    carom_page_facts(self, "Run");
    carom_page_fact_number(self, "from t", result->t0, NULL);
    carom_page_fact_number(self, "to t", result->t_end, NULL);
    carom_page_fact_number(self, "steps", (double)result->steps, NULL);
    carom_page_fact_number(self, "time of computing", result->wall_seconds, "s");
    carom_page_fact_number(self, "impacts", (double)result->impacts, NULL);
    carom_page_fact_number(self, "deepest penetration", result->max_penetration, NULL);
    carom_page_fact_number(self, "energy at the start", result->energy_initial, NULL);
    carom_page_fact_number(self, "energy at the end", result->energy_final, NULL);
    carom_page_facts_end(self);
    carom_page_list_end(self);
}

/* ---- events ---------------------------------------------------------------------------------------- */

enum {
    EVENTS_MOST = 20000
};

/* The i-th of `count` events that are shown of `all`: evenly over the run, and all of them where they are few. */
static size_t shown_event(size_t i, size_t count, size_t all)
{
    return count < all ? (size_t)((double)i * ((double)all / (double)count)) : i;
}

static void write_names_of_contacts(carom_page *self, const carom_model *model, size_t count,
                                    const carom_run_result *result, uint32_t *number)
{
    carom_json_array_begin(&self->json, "contacts");
    for (int i = 0; i < model->contacts; i++)
        carom_json_text(&self->json, NULL, model->contact[i].name);
    /* Pairs of bodies get names as they come; neighbours in time are often of the same pair. */
    uint32_t names = (uint32_t)model->contacts;
    for (size_t i = 0; i < count; i++) {
        const carom_event *event = &result->event[shown_event(i, count, result->event_count)];
        const carom_event *last =
            i > 0 ? &result->event[shown_event(i - 1, count, result->event_count)] : NULL;
        char name[160];
        if (event->contact >= 0) {
            number[i] = (uint32_t)event->contact;
        } else if (last && last->contact < 0 && event->body[0] == last->body[0] &&
                   event->body[1] == last->body[1]) {
            number[i] = number[i - 1];
        } else {
            carom_json_text(&self->json, NULL, carom_event_contact(model, event, name, sizeof name));
            number[i] = names++;
        }
    }
    carom_json_array_end(&self->json);
}

static void write_page_events(carom_page *self, const carom_model *model, const carom_run_result *result)
{
    const size_t count = result->event_count < EVENTS_MOST ? result->event_count : EVENTS_MOST;
    if (count == 0)
        return;
    carom_json *json = &self->json;
    uint32_t *contact = carom_new_array(count, sizeof *contact);
    uint8_t *kind = carom_new_array(count, sizeof *kind);
    double *number = carom_new_array(2 * count, sizeof *number);
    if (contact && kind && number) {
        carom_json_object_begin(json, "events");
        for (size_t i = 0; i < count; i++) {
            const carom_event *event = &result->event[shown_event(i, count, result->event_count)];
            number[i] = event->t;
            number[count + i] = event->impulse;
            kind[i] = (uint8_t)event->kind;
        }
        carom_json_number(json, "of", (double)result->event_count);
        carom_page_numbers(self, "t", count, number);
        carom_page_numbers(self, "impulse", count, number + count);
        carom_payload_refer(json, "kind", carom_payload_bytes(self->payload, count, kind));
        carom_json_array_begin(json, "kinds");
        for (int i = 0; i <= CAROM_EVENT_STOP; i++)
            carom_json_text(json, NULL, carom_event_word((carom_event_kind)i));
        carom_json_array_end(json);
        write_names_of_contacts(self, model, count, result, contact);
        carom_payload_refer(json, "contact", carom_payload_wholes(self->payload, count, contact));
        carom_json_object_end(json);
    }
    free(contact);
    free(kind);
    free(number);
}

void page_run_facts(carom_page *self, const carom_experiment *experiment, const carom_run_result *result)
{
    carom_json *json = &self->json;
    carom_json_text(json, "status", result->word);
    if (result->message[0])
        carom_json_text(json, "message", result->message);
    carom_json_array_begin(json, "warnings");
    for (int i = 0; i < result->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        carom_json_text(json, NULL, result->warnings.text[i]);
    carom_json_array_end(json);
    if (!experiment->study) {
        write_options(self, result);
        write_facts(self, result);
        carom_json_certificate(json, "certificate", &result->certificate);
        write_page_events(self, experiment->model, result);
    }
    write_page_measures(self, experiment, result);
}

/* ---- from a file -------------------------------------------------------------------------------------- */

/* Kinds, times and contacts of events are what pictures need of them. */
static void write_stored_events(carom_page *self, const carom_model *model, const carom_event_points *points)
{
    const size_t count = points->count < EVENTS_MOST ? points->count : EVENTS_MOST;
    const size_t width = carom_event_points_width(points);
    carom_json *json = &self->json;
    double *t = carom_new_array(count, sizeof *t);
    uint32_t *contact = carom_new_array(count, sizeof *contact);
    uint8_t *kind = carom_new_array(count, sizeof *kind);
    for (size_t i = 0; t && contact && kind && i < count; i++) {
        const double *row = points->row + shown_event(i, count, points->count) * width;
        t[i] = row[0];
        kind[i] = (uint8_t)row[1];
        contact[i] = row[2] < 0.0 ? (uint32_t)model->contacts : (uint32_t)row[2];
    }
    if (count > 0 && t && contact && kind) {
        carom_json_object_begin(json, "events");
        carom_json_number(json, "of", (double)points->count);
        carom_page_numbers(self, "t", count, t);
        carom_payload_refer(json, "kind", carom_payload_bytes(self->payload, count, kind));
        carom_payload_refer(json, "contact", carom_payload_wholes(self->payload, count, contact));
        carom_json_array_begin(json, "kinds");
        for (int i = 0; i <= CAROM_EVENT_STOP; i++)
            carom_json_text(json, NULL, carom_event_word((carom_event_kind)i));
        carom_json_array_end(json);
        carom_json_array_begin(json, "contacts");
        for (int i = 0; i < model->contacts; i++)
            carom_json_text(json, NULL, model->contact[i].name);
        if (model->has_bodies) /* which two is not kept */
            carom_json_text(json, NULL, "bodies");
        carom_json_array_end(json);
        carom_json_object_end(json);
    }
    free(t);
    free(contact);
    free(kind);
}

void page_stored_facts(carom_page *self, const carom_experiment *experiment, const carom_run_member *run)
{
    carom_json *json = &self->json;
    carom_json_text(json, "status", run->status);
    if (run->message && *run->message)
        carom_json_text(json, "message", run->message);
    carom_json_array_begin(json, "options");
    option_word(self, "scheme", run->scheme, NULL);
    option_number(self, "h", run->h, "time step");
    for (int i = 0; i < run->option_count; i++)
        option_word(self, run->option[i].name, run->option[i].value, NULL);
    carom_json_array_end(json);
    if (run->has_certificate)
        carom_json_certificate(json, "certificate", &run->certificate);
    write_stored_events(self, experiment->model, &run->points);
    carom_json_array_begin(json, "measures");
    for (int i = 0; i < run->measure_count; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "name", run->measure[i].name);
        carom_json_measured(json, "value", &run->measure[i].measured);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}
