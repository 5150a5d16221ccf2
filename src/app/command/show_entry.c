/* carom show KIND NAME: all about one word of model files or one law. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/show_entry.h"
#include "show_study.h"

/* Either output gets the same lines; json NULL: text. */
static void show_head(carom_json *json, const char *name, const char *summary, const char *example)
{
    if (!json) {
        printf("%s: %s\n\n  %s\n", name, summary, example);
        return;
    }
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", name);
    carom_json_text(json, "summary", summary);
    carom_json_text(json, "example", example);
    carom_json_array_begin(json, "keys");
}

static void show_key(carom_json *json, bool is_first, const char *name, const char *doc)
{
    if (!json) {
        printf("%s  %-18s %s\n", is_first ? "\nkeys\n" : "", name, doc);
        return;
    }
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", name);
    carom_json_text(json, "doc", doc);
    carom_json_object_end(json);
}

static void show_end(carom_json *json)
{
    if (!json)
        return;
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static carom_status show_statement(const char *name, carom_json *json, carom_error *error)
{
    const carom_statement *statement = carom_statement_find(name, error);
    if (!statement)
        return CAROM_BAD_INPUT;
    show_head(json, statement->name, statement->summary, statement->example);
    for (const carom_statement_key *key = statement->keys; key && key->name; key++)
        show_key(json, key == statement->keys, key->name, key->doc);
    show_end(json);
    return CAROM_OK;
}

static carom_status show_measure(const char *name, carom_json *json, carom_error *error)
{
    const carom_measure_ops *ops = carom_measure_find(name, error);
    if (!ops)
        return CAROM_BAD_INPUT;
    show_head(json, ops->name, ops->summary, ops->example);
    for (const carom_measure_key *key = ops->keys; key && key->name; key++)
        show_key(json, key == ops->keys, key->name, key->doc);
    if (ops->subject != CAROM_MEASURE_OF_LIST) {
        show_key(json, !ops->keys, "from", "window of time; default: the start");
        show_key(json, false, "to", "window of time; default: the end");
    }
    show_end(json);
    return CAROM_OK;
}

/* "0.5" or the word of an option's default, behind its doc. */
static void show_option(carom_json *json, bool is_first, const carom_option_info *option)
{
    carom_text doc = {0};
    const int words = carom_option_word_count(option);
    carom_text_append(&doc, "%s; ", option->doc);
    for (int i = 0; i < words; i++)
        carom_text_append(&doc, "%s%s", i ? ", " : "", carom_option_word(option, i));
    if (words > 0)
        carom_text_append(&doc, "; default %s", carom_option_word(option, (int)option->value));
    else
        carom_text_append(&doc, "default %g", option->value);
    show_key(json, is_first, option->name, whole_text(&doc));
    carom_text_free(&doc);
}

static carom_status unknown_law(const char *name, carom_error *error)
{
    const size_t frictions = carom_friction_law_count(), impacts = carom_impact_law_count();
    const char **known = carom_new_array(frictions + impacts, sizeof *known);
    if (!known)
        return carom_fail_memory(error);
    for (size_t i = 0; i < frictions; i++)
        known[i] = carom_friction_law_at(i)->name;
    for (size_t i = 0; i < impacts; i++)
        known[frictions + i] = carom_impact_law_at(i)->name;
    carom_fail_unknown("law", name, known, frictions + impacts, error);
    free(known);
    return CAROM_BAD_INPUT;
}

static carom_status show_law(const char *name, carom_json *json, carom_error *error)
{
    const carom_friction_law_ops *friction = carom_friction_law_find(name, NULL);
    if (friction) {
        show_head(json, friction->name, "a law of friction", friction->usage);
        for (const carom_friction_key *key = friction->keys; key && key->name; key++)
            show_key(json, key == friction->keys, key->name, key->doc);
        show_end(json);
        return CAROM_OK;
    }
    const carom_impact_law_ops *impact = carom_impact_law_find(name, NULL);
    if (!impact)
        return unknown_law(name, error);
    show_head(json, impact->name, impact->summary, impact->usage);
    for (int i = 0; i < impact->option_count; i++)
        show_option(json, i == 0, &impact->options[i]);
    show_end(json);
    return CAROM_OK;
}

static const struct {
    const char *kind;
    carom_status (*show)(const char *name, carom_json *json, carom_error *error);
} kinds[] = {
    {"statement", show_statement}, {"measure", show_measure}, {"law", show_law}, {"study", show_study}};

bool is_entry_kind(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i].kind) == 0)
            return true;
    return false;
}

carom_status show_entry(const char *kind, const char *name, bool as_json, carom_error *error)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_status status = CAROM_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i].kind) == 0)
            status = kinds[i].show(name, as_json ? &json : NULL, error);
    if (status == CAROM_OK && as_json)
        print_whole(&text);
    carom_text_free(&text);
    return status;
}
