/* The table of schemes, and the reading of their options. */
#include <string.h>

#include "carom/scheme.h"

static const carom_scheme_ops *const schemes[] = {
    &carom_scheme_elast,           &carom_scheme_billiard,     &carom_scheme_inel,
    &carom_scheme_moreau_friction, &carom_scheme_moreau_jean,  &carom_scheme_paoli_schatzman,
    &carom_scheme_sweeping,        &carom_scheme_event_driven, &carom_scheme_penalty,
    &carom_scheme_newmark_contact,
};

enum {
    SCHEME_COUNT = sizeof schemes / sizeof schemes[0],
    CHOICES_MAX = 16
};

size_t carom_scheme_count(void)
{
    return SCHEME_COUNT;
}

const carom_scheme_ops *carom_scheme_at(size_t index)
{
    return index < SCHEME_COUNT ? schemes[index] : NULL;
}

/* Error text: what was asked for, the nearest name if there is one, and all names. */
static carom_status fail_unknown(const char *what, const char *wanted, const char *const *names, size_t count,
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

const carom_scheme_ops *carom_scheme_find(const char *name, carom_error *error)
{
    const char *names[SCHEME_COUNT];
    for (size_t i = 0; i < SCHEME_COUNT; i++) {
        if (strcmp(schemes[i]->name, name) == 0)
            return schemes[i];
        names[i] = schemes[i]->name;
    }
    fail_unknown("scheme", name, names, SCHEME_COUNT, error);
    return NULL;
}

int carom_scheme_find_option(const carom_scheme_ops *scheme, const char *name)
{
    for (int i = 0; i < scheme->option_count; i++)
        if (strcmp(scheme->options[i].name, name) == 0)
            return i;
    return -1;
}

static carom_status parse_choice(const char *what, const carom_option_info *info, const char *text,
                                 double *value, carom_error *error)
{
    size_t count = 0;
    while (count < CHOICES_MAX && info->choices[count])
        count++;
    for (size_t i = 0; i < count; i++)
        if (strcmp(info->choices[i], text) == 0) {
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
    return fail_unknown(what, text, info->choices, count, error);
}

carom_status carom_scheme_parse_option(const carom_scheme_ops *scheme, int option, const char *text,
                                       double *value, carom_error *error)
{
    if (option < 0 || option >= scheme->option_count)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' has no option number %d; it has %d options",
                          scheme->name, option, scheme->option_count);
    const carom_option_info *info = &scheme->options[option];
    if (info->choices) {
        carom_text what = {0};
        carom_text_append(&what, "scheme '%s', option %s: value", scheme->name, info->name);
        carom_status status = parse_choice(what.bytes ? what.bytes : "value", info, text, value, error);
        carom_text_free(&what);
        return status;
    }
    double number = 0.0;
    if (!carom_parse_number(text, &number))
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s', option %s: '%s' is not a number",
                          scheme->name, info->name, text);
    if (!(number >= info->min && number <= info->max))
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s', option %s: %g is not in [%g, %g]",
                          scheme->name, info->name, number, info->min, info->max);
    *value = number;
    return CAROM_OK;
}
