/* Inputs of studies, checked against their tables and read by name, and their outputs. */
#include "carom/run/study.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *carom_study_kind_word(carom_study_kind kind)
{
    static const char *const words[] = {
        [CAROM_STUDY_NUMBER] = "number", [CAROM_STUDY_WHOLE] = "whole number",
        [CAROM_STUDY_FLAG] = "flag",     [CAROM_STUDY_WORD] = "word",
        [CAROM_STUDY_TEXT] = "text",     [CAROM_STUDY_FILE] = "file",
        [CAROM_STUDY_LIST] = "list",     [CAROM_STUDY_MATRIX] = "matrix",
        [CAROM_STUDY_TABLE] = "table",   [CAROM_STUDY_WORD_OR_TABLE] = "word or table"};
    return words[kind];
}

/* ---- checks -------------------------------------------------------------------------------------------- */

static const carom_study_input *find_input(const carom_study_ops *study, const char *name)
{
    for (const carom_study_input *input = study->inputs; input->name; input++)
        if (strcmp(input->name, name) == 0)
            return input;
    return NULL;
}

static carom_status fail_unknown_input(const carom_study_ops *study, const char *name, carom_error *error)
{
    enum {
        MOST = 64
    };
    const char *names[MOST];
    char known[700] = "";
    size_t count = 0;
    for (const carom_study_input *input = study->inputs; input->name && count < MOST; input++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", count ? ", " : "", input->name);
        names[count++] = input->name;
    }
    const char *nearest = carom_nearest_name(name, names, count);
    if (nearest)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: unknown key '%s'; did you mean '%s'?", study->name,
                          name, nearest);
    return carom_fail(error, CAROM_BAD_INPUT, "%s: unknown key '%s'; known are %s", study->name, name, known);
}

static const char *kind_of(const carom_data *data)
{
    static const char *const words[] = {
        [CAROM_DATA_NONE] = "nothing", [CAROM_DATA_NUMBER] = "number", [CAROM_DATA_FLAG] = "boolean",
        [CAROM_DATA_TEXT] = "text",    [CAROM_DATA_LIST] = "list",     [CAROM_DATA_MATRIX] = "list of lists",
        [CAROM_DATA_TABLE] = "table",  [CAROM_DATA_LATER] = "result"};
    return words[data->kind];
}

static bool fits(carom_study_kind wanted, const carom_data *data)
{
    const carom_data_kind kind = data->kind;
    const bool nothing_in_it = kind == CAROM_DATA_LIST && data->rows == 0; /* {} may be anything */
    if (kind == CAROM_DATA_LATER)
        return true;
    switch (wanted) {
    case CAROM_STUDY_NUMBER:
    case CAROM_STUDY_WHOLE:
        return kind == CAROM_DATA_NUMBER;
    case CAROM_STUDY_FLAG:
        return kind == CAROM_DATA_FLAG;
    case CAROM_STUDY_WORD:
    case CAROM_STUDY_TEXT:
        return kind == CAROM_DATA_TEXT;
    case CAROM_STUDY_FILE:
        return kind == CAROM_DATA_TEXT || kind == CAROM_DATA_TABLE;
    case CAROM_STUDY_LIST:
        return kind == CAROM_DATA_LIST || kind == CAROM_DATA_NUMBER;
    case CAROM_STUDY_MATRIX:
        return kind == CAROM_DATA_MATRIX || kind == CAROM_DATA_LIST || kind == CAROM_DATA_TABLE;
    case CAROM_STUDY_TABLE:
        return kind == CAROM_DATA_TABLE || kind == CAROM_DATA_MATRIX || nothing_in_it;
    case CAROM_STUDY_WORD_OR_TABLE:
        return kind == CAROM_DATA_TEXT || kind == CAROM_DATA_TABLE || nothing_in_it;
    }
    return false;
}

static carom_status fail_kind(const char *who, const carom_study_input *input, const carom_data *data,
                              carom_error *error)
{
    switch (input->kind) {
    case CAROM_STUDY_NUMBER:
    case CAROM_STUDY_WHOLE:
        return carom_fail(error, CAROM_BAD_INPUT, "%s: %s takes a number; got a %s", who, input->name,
                          kind_of(data));
    case CAROM_STUDY_FLAG:
        return carom_fail(error, CAROM_BAD_INPUT, "%s: '%s' must be true or false; got a %s", who,
                          input->name, kind_of(data));
    case CAROM_STUDY_WORD:
    case CAROM_STUDY_TEXT:
    case CAROM_STUDY_FILE:
        return carom_fail(error, CAROM_BAD_INPUT, "%s: '%s' must be a text in quotes; got a %s", who,
                          input->name, kind_of(data));
    default:
        return carom_fail(error, CAROM_BAD_INPUT, "%s: %s takes a %s (%s); got a %s", who, input->name,
                          carom_study_kind_word(input->kind), input->doc, kind_of(data));
    }
}

static carom_status check_number(const char *who, const carom_study_input *input, double value,
                                 carom_error *error)
{
    const bool bounded = input->min != 0.0 || input->max != 0.0;
    if (isnan(value))
        return CAROM_OK; /* not known yet */
    if (input->kind == CAROM_STUDY_WHOLE &&
        (!(value >= input->min && value <= input->max) || value != floor(value)))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: %s = %g must be a whole number from %g to %g", who,
                          input->name, value, input->min, input->max);
    if (!bounded || (value >= input->min && value <= input->max))
        return CAROM_OK;
    if (input->max == INFINITY)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: %s = %g must be %g or more: %s", who, input->name,
                          value, input->min, input->doc);
    return carom_fail(error, CAROM_BAD_INPUT, "%s: %s = %g must be from %g to %g", who, input->name, value,
                      input->min, input->max);
}

static carom_status check_word(const char *who, const carom_study_input *input, const char *word,
                               carom_error *error)
{
    size_t count = 0;
    for (; input->choices[count]; count++)
        if (strcmp(input->choices[count], word) == 0)
            return CAROM_OK;
    carom_error inner = {0};
    carom_fail_unknown(input->name, word, input->choices, count, &inner);
    return carom_fail(error, CAROM_BAD_INPUT, "%s: %s", who, inner.text);
}

static carom_status check_entry(const char *who, const carom_study_input *input, const carom_data *data,
                                carom_error *error)
{
    if (!fits(input->kind, data))
        return fail_kind(who, input, data, error);
    if (data->kind == CAROM_DATA_TEXT && input->choices)
        return check_word(who, input, data->text, error);
    if (data->kind == CAROM_DATA_NUMBER)
        return check_number(who, input, data->number, error);
    const int count = data->kind == CAROM_DATA_LIST && input->kind == CAROM_STUDY_LIST ? data->rows : 0;
    for (int i = 0; i < count; i++)
        if (check_number(who, input, data->list[i], error) != CAROM_OK)
            return CAROM_BAD_INPUT;
    return CAROM_OK;
}

static bool is_needed(const carom_study_input *input)
{
    return isnan(input->value) && !input->usual && !input->choices;
}

static carom_status fail_missing(const carom_study_ops *study, const carom_study_input *input,
                                 carom_error *error)
{
    const bool number = input->kind == CAROM_STUDY_NUMBER || input->kind == CAROM_STUDY_WHOLE;
    return carom_fail(error, CAROM_BAD_INPUT, "%s needs %s = a %s%s%s", study->name, input->name,
                      number ? "number" : carom_study_kind_word(input->kind), number ? "" : ": ",
                      number ? "" : input->doc);
}

carom_status carom_study_check(const carom_study_ops *study, const carom_data *inputs, carom_error *error)
{
    for (const carom_data *entry = inputs->first; entry; entry = entry->next) {
        const carom_study_input *input = entry->name ? find_input(study, entry->name) : NULL;
        if (!entry->name)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: every input has a name: %s { %s = ... }",
                              study->name, study->name, study->inputs[0].name);
        if (!input)
            return fail_unknown_input(study, entry->name, error);
        if (entry->kind != CAROM_DATA_NONE && check_entry(study->name, input, entry, error) != CAROM_OK)
            return CAROM_BAD_INPUT;
    }
    for (const carom_study_input *input = study->inputs; input->name; input++)
        if (is_needed(input) && !carom_data_find(inputs, input->name))
            return fail_missing(study, input, error);
    return CAROM_OK;
}

/* Of a computation all numbers are known. */
static carom_status check_known(const carom_study_ops *study, const carom_data *inputs, carom_error *error)
{
    for (const carom_data *entry = inputs->first; entry; entry = entry->next) {
        bool known = entry->kind != CAROM_DATA_NUMBER || !isnan(entry->number);
        const int count = entry->list ? entry->rows * entry->columns : 0;
        for (int i = 0; i < count; i++)
            known = known && !isnan(entry->list[i]);
        if (!known)
            return carom_fail(error, CAROM_BAD_INPUT, "%s: %s is not a number (NaN)", study->name,
                              entry->name);
    }
    return CAROM_OK;
}

carom_status carom_study_compute(const carom_study_ops *study, const carom_data *inputs, carom_arena *arena,
                                 carom_progress progress, carom_data *outputs, carom_error *error)
{
    carom_error inner = {0};
    carom_study_call call = {.study = study,
                             .input = inputs,
                             .output = outputs,
                             .arena = arena,
                             .progress = progress,
                             .error = &inner};
    outputs->kind = CAROM_DATA_TABLE;
    carom_status status = carom_study_check(study, inputs, error);
    if (status == CAROM_OK)
        status = check_known(study, inputs, error);
    if (status != CAROM_OK)
        return status;
    status = study->compute(&call);
    if (status == CAROM_OK)
        status = call.status;
    if (status == CAROM_OK)
        return CAROM_OK;
    return carom_fail(error, status, "%s: %s", study->name, inner.text[0] ? inner.text : "out of memory");
}

/* ---- inputs -------------------------------------------------------------------------------------------- */

carom_status carom_study_fail(carom_study_call *call, carom_status status, const char *format, ...)
{
    if (call->status != CAROM_OK) /* the first one is told */
        return call->status;
    char text[sizeof call->error->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return call->status = carom_fail(call->error, status, "%s", text);
}

bool carom_study_given(const carom_study_call *call, const char *name)
{
    return carom_data_find(call->input, name) != NULL;
}

double carom_study_number(const carom_study_call *call, const char *name)
{
    const carom_data *given = carom_data_find(call->input, name);
    if (given)
        return given->number;
    const carom_study_input *input = find_input(call->study, name);
    return input ? input->value : NAN;
}

int carom_study_whole(const carom_study_call *call, const char *name)
{
    return (int)carom_study_number(call, name);
}

bool carom_study_flag(const carom_study_call *call, const char *name)
{
    return carom_study_number(call, name) == 1.0;
}

int carom_study_word(const carom_study_call *call, const char *name)
{
    const carom_data *given = carom_data_find(call->input, name);
    const carom_study_input *input = find_input(call->study, name);
    for (int i = 0; given && given->text && input->choices[i]; i++)
        if (strcmp(input->choices[i], given->text) == 0)
            return i;
    return 0;
}

const char *carom_study_text(const carom_study_call *call, const char *name)
{
    const carom_data *given = carom_data_find(call->input, name);
    return given ? given->text : NULL;
}

bool carom_study_file(carom_study_call *call, const char *name, const char **path, const char **text)
{
    const carom_data *given = carom_data_find(call->input, name);
    const carom_data *where = carom_data_find(given, "path"), *content = carom_data_find(given, "text"),
                     *problem = carom_data_find(given, "problem");
    if (problem)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s", problem->text);
    if (!where || !content)
        return false;
    *path = where->text;
    *text = content->text;
    return true;
}

int carom_study_list_length(const carom_study_call *call, const char *name)
{
    const carom_data *given = carom_data_find(call->input, name);
    if (!given)
        return 0;
    return given->kind == CAROM_DATA_NUMBER ? 1 : given->rows * given->columns;
}

double *carom_study_list(carom_study_call *call, const char *name, int count)
{
    const carom_data *given = carom_data_find(call->input, name);
    double *value = given ? carom_study_take(call, (size_t)count, sizeof *value) : NULL;
    if (!value)
        return NULL;
    if (given->kind != CAROM_DATA_NUMBER && given->rows * given->columns != count) {
        carom_study_fail(call, CAROM_BAD_INPUT, "%s has %d values; it takes one, or %d", name,
                         given->rows * given->columns, count);
        return value;
    }
    for (int i = 0; i < count; i++)
        value[i] = given->kind == CAROM_DATA_NUMBER ? given->number : given->list[i];
    return value;
}

void *carom_study_take(carom_study_call *call, size_t count, size_t size)
{
    void *memory = carom_arena_take(call->arena, count, size);
    if (!memory)
        carom_study_fail(call, CAROM_NO_MEMORY, "out of memory");
    return memory;
}

bool carom_study_stopped(carom_study_call *call, double done, double total)
{
    if (!call->progress.report || call->progress.report(call->progress.context, done, total))
        return false;
    carom_study_fail(call, CAROM_INTERRUPTED, "stopped at %.3g of %.3g", done, total);
    return true;
}

/* ---- outputs ------------------------------------------------------------------------------------------- */

static carom_data *give(carom_study_call *call, const char *name, carom_data_kind kind)
{
    carom_data *entry = carom_data_add(call->arena, call->output, name, kind);
    if (!entry)
        carom_study_fail(call, CAROM_NO_MEMORY, "out of memory");
    return entry;
}

void carom_study_give_number(carom_study_call *call, const char *name, double value)
{
    carom_data *entry = give(call, name, CAROM_DATA_NUMBER);
    if (entry)
        entry->number = value;
}

void carom_study_give_finite(carom_study_call *call, const char *name, double value)
{
    carom_data *entry = give(call, name, isfinite(value) ? CAROM_DATA_NUMBER : CAROM_DATA_NONE);
    if (entry)
        entry->number = value;
}

void carom_study_give_flag(carom_study_call *call, const char *name, bool value)
{
    carom_data *entry = give(call, name, CAROM_DATA_FLAG);
    if (entry)
        entry->number = value ? 1.0 : 0.0;
}

void carom_study_give_text(carom_study_call *call, const char *name, const char *text)
{
    carom_data *entry = give(call, name, CAROM_DATA_TEXT);
    if (entry && !(entry->text = carom_arena_copy_text(call->arena, text)))
        carom_study_fail(call, CAROM_NO_MEMORY, "out of memory");
}

void carom_study_give_matrix(carom_study_call *call, const char *name, int rows, int columns,
                             const double *value)
{
    carom_data *entry = give(call, name, CAROM_DATA_MATRIX);
    const size_t count = (size_t)rows * (size_t)columns;
    if (!entry || !(entry->list = carom_study_take(call, count, sizeof *value)))
        return;
    entry->rows = rows;
    entry->columns = columns;
    if (count)
        memcpy(entry->list, value, count * sizeof *value);
}

void carom_study_give_list(carom_study_call *call, const char *name, int count, const double *value)
{
    carom_study_give_matrix(call, name, count, 1, value);
    if (call->output->last)
        call->output->last->kind = CAROM_DATA_LIST;
}
