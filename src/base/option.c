/* Options of schemes and solvers: tables of names, defaults and ranges. */
#include <string.h>

#include "carom/base.h"

enum {
    CHOICES_MAX = 16
};

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

static carom_status parse_choice(const char *what, const carom_option_info *option, const char *text,
                                 double *value, carom_error *error)
{
    size_t count = 0;
    while (count < CHOICES_MAX && option->choices[count])
        count++;
    for (size_t i = 0; i < count; i++)
        if (strcmp(option->choices[i], text) == 0) {
            *value = (double)i;
            return CAROM_OK;
        }
    double number = 0.0;
    if (carom_parse_number(text, &number))
        for (size_t i = 0; i < count; i++)
            if (number == (double)i) {
                *value = number;
                return CAROM_OK;
            }
    return carom_fail_unknown(what, text, option->choices, count, error);
}

carom_status carom_option_parse(const char *owner, const carom_option_info *option, const char *text,
                                double *value, carom_error *error)
{
    if (option->choices) {
        carom_text what = {0};
        carom_text_append(&what, "%s, option %s: value", owner, option->name);
        const carom_status status =
            parse_choice(what.bytes ? what.bytes : "value", option, text, value, error);
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
