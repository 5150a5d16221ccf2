/* Options of schemes and solvers: tables of names, defaults and ranges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "carom/base.h"

carom_status carom_fail_unknown(const char *what, const char *wanted, const char *const *names, size_t count,
                                carom_error *error)
{
    carom_text list = {0};
    for (size_t i = 0; i < count; i++)
        carom_text_append(&list, "%s%s", i ? ", " : "", names[i]);
    const char *nearest = carom_nearest_name(wanted, names, count);
    const char *known = list.bytes ? list.bytes : "";
    if (nearest)
        carom_fail(error, CAROM_BAD_INPUT, "%s '%s' is not known; did you mean '%s'? Known: %s", what, wanted,
                   nearest, known);
    else
        carom_fail(error, CAROM_BAD_INPUT, "%s '%s' is not known. Known: %s", what, wanted, known);
    carom_text_free(&list);
    return CAROM_BAD_INPUT;
}

int carom_option_find(int count, const carom_option_info *table, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    return -1;
}

static int choice_count(const carom_option_info *option)
{
    int count = 0;
    while (option->choices && option->choices[count])
        count++;
    return count;
}

/* The name at an index of a registry, unless it stands in the choices or in the registry before: then
 * NULL. */
static const char *new_name(const carom_option_info *option, const carom_registry *registry, size_t index)
{
    const char *name = carom_registry_name_at(registry, index);
    for (int i = 0; option->choices && option->choices[i]; i++)
        if (strcmp(option->choices[i], name) == 0)
            return NULL;
    return registry == option->also && option->registry && carom_registry_index(option->registry, name) >= 0
               ? NULL
               : name;
}

/* The registry of the word at an index, and that word; its number when the index is past the end. */
static int find_word(const carom_option_info *option, int index, const char **word,
                     const carom_registry **from)
{
    const carom_registry *registries[] = {option->registry, option->also};
    int count = choice_count(option);
    *word = index >= 0 && index < count ? option->choices[index] : NULL;
    *from = NULL;
    for (int r = 0; r < 2 && !*word; r++)
        for (size_t i = 0; registries[r] && i < carom_registry_count(registries[r]) && !*word; i++) {
            const char *name = new_name(option, registries[r], i);
            if (name && count++ == index) {
                *word = name;
                *from = registries[r];
            }
        }
    return count;
}

int carom_option_word_count(const carom_option_info *option)
{
    const char *word;
    const carom_registry *from;
    return find_word(option, -1, &word, &from);
}

const char *carom_option_word(const carom_option_info *option, int index)
{
    const char *word;
    const carom_registry *from;
    find_word(option, index, &word, &from);
    return word;
}

/* Letters may be of any case where the registry says so. */
static bool is_word(const carom_option_info *option, int index, const char *text)
{
    const char *word;
    const carom_registry *from;
    find_word(option, index, &word, &from);
    return word && (from && from->any_case ? strcasecmp : strcmp)(word, text) == 0;
}

/* One of the words, or the number of one. */
static carom_status parse_word(const char *what, const carom_option_info *option, const char *text,
                               double *value, carom_error *error)
{
    const int count = carom_option_word_count(option);
    const char **words = carom_new_array((size_t)count, sizeof *words);
    if (!words)
        return carom_fail_memory(error);
    int found = -1;
    for (int i = 0; i < count; i++) {
        words[i] = carom_option_word(option, i);
        if (found < 0 && is_word(option, i, text))
            found = i;
    }
    double number = 0.0;
    if (found < 0 && carom_parse_number(text, &number))
        for (int i = 0; i < count; i++)
            if (number == (double)i)
                found = i;
    carom_status status = CAROM_OK;
    if (found < 0)
        status = carom_fail_unknown(what, text, words, (size_t)count, error);
    else
        *value = (double)found;
    free(words);
    return status;
}

carom_status carom_option_parse(const char *owner, const carom_option_info *option, const char *text,
                                double *value, carom_error *error)
{
    if (carom_option_word_count(option) > 0) {
        carom_text what = {0};
        carom_text_append(&what, "%s, option %s: value", owner, option->name);
        const carom_status status = parse_word(what.bytes ? what.bytes : "value", option, text, value, error);
        carom_text_free(&what);
        return status;
    }
    double number = 0.0;
    if (!carom_parse_number(text, &number))
        return carom_fail(error, CAROM_BAD_INPUT, "%s, option %s: '%s' is not a number", owner, option->name,
                          text);
    if (!(number >= option->min && number <= option->max))
        return carom_fail(error, CAROM_BAD_INPUT, "%s, option %s: %g is not in [%g, %g]", owner, option->name,
                          number, option->min, option->max);
    *value = number;
    return CAROM_OK;
}

static carom_status check_number(const char *owner, const carom_option_info *option, double number,
                                 carom_error *error)
{
    const int words = carom_option_word_count(option);
    const double min = words ? 0.0 : option->min, max = words ? words - 1.0 : option->max;
    if (!(number >= min && number <= max))
        return carom_fail(error, CAROM_BAD_INPUT, "%s, option %s: %g is not in [%g, %g]", owner, option->name,
                          number, min, max);
    if (words && number != floor(number))
        return carom_fail(error, CAROM_BAD_INPUT, "%s, option %s: %g is not the number of a word", owner,
                          option->name, number);
    return CAROM_OK;
}

static carom_status fail_unknown_option(const char *owner, int count, const carom_option_info *table,
                                        const char *name, carom_error *error)
{
    if (count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "%s has no options ('%s' was given)", owner, name);
    const char **names = carom_new_array((size_t)count, sizeof *names);
    if (!names)
        return carom_fail_memory(error);
    for (int i = 0; i < count; i++)
        names[i] = table[i].name;
    carom_text what = {0};
    carom_text_append(&what, "%s: option", owner);
    const carom_status status =
        carom_fail_unknown(what.bytes ? what.bytes : "option", name, names, (size_t)count, error);
    carom_text_free(&what);
    free(names);
    return status;
}

carom_status carom_options_resolve(const char *owner, int count, const carom_option_info *table,
                                   const carom_option *list, double *value, carom_error *error)
{
    for (int i = 0; i < count; i++)
        value[i] = table[i].value;
    for (; list && list->name; list++) {
        const int i = carom_option_find(count, table, list->name);
        if (i < 0)
            return fail_unknown_option(owner, count, table, list->name, error);
        carom_status status = CAROM_OK;
        if (list->word)
            status = carom_option_parse(owner, &table[i], list->word, &value[i], error);
        else if ((status = check_number(owner, &table[i], list->value, error)) == CAROM_OK)
            value[i] = list->value;
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}
