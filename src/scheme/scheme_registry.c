/* The table of schemes, and the reading of their options. */
#include <stdio.h>
#include <string.h>

#include "carom/scheme.h"

static const carom_scheme_ops *const schemes[] = {
    &carom_scheme_elast,           &carom_scheme_billiard,          &carom_scheme_inel,
    &carom_scheme_moreau_friction, &carom_scheme_moreau_jean,       &carom_scheme_paoli_schatzman,
    &carom_scheme_sweeping,        &carom_scheme_event_driven,      &carom_scheme_penalty,
    &carom_scheme_newmark_contact, &carom_scheme_generalized_alpha, &carom_scheme_dai_euler,
    &carom_scheme_dai_theta,
};

enum {
    SCHEME_COUNT = sizeof schemes / sizeof schemes[0],
};

size_t carom_scheme_count(void)
{
    return SCHEME_COUNT;
}

const carom_scheme_ops *carom_scheme_at(size_t index)
{
    return index < SCHEME_COUNT ? schemes[index] : NULL;
}

const carom_scheme_ops *carom_scheme_find(const char *name, carom_error *error)
{
    const char *names[SCHEME_COUNT];
    for (size_t i = 0; i < SCHEME_COUNT; i++) {
        if (strcmp(schemes[i]->name, name) == 0)
            return schemes[i];
        names[i] = schemes[i]->name;
    }
    carom_fail_unknown("scheme", name, names, SCHEME_COUNT, error);
    return NULL;
}

static carom_status refuse_friction_forces(const carom_scheme_ops *scheme, const carom_model *model,
                                           carom_error *error)
{
    for (int k = 0; k < model->contacts; k++)
        if (model->contact[k].friction_force)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "scheme '%s' does not treat friction forces ('%s' is one); take dai-theta, or "
                              "moreau-jean where there are contacts too",
                              scheme->name, model->contact[k].name);
    return CAROM_OK;
}

carom_status carom_scheme_accepts(const carom_scheme_ops *scheme, const carom_model *model,
                                  carom_error *error)
{
    if (!scheme->inclusions && !scheme->friction_forces &&
        refuse_friction_forces(scheme, model, error) != CAROM_OK)
        return CAROM_BAD_INPUT;
    if (model->joints == 0 || scheme->joints)
        return scheme->accepts(model, error);
    carom_text others = {0};
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (carom_scheme_at(i)->joints && !carom_scheme_at(i)->inclusions)
            carom_text_append(&others, "%s%s", others.length ? " or " : "", carom_scheme_at(i)->name);
    const carom_status status =
        carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' does not treat joints ('%s' is one); take %s",
                   scheme->name, model->joint[0], others.bytes ? others.bytes : "another scheme");
    carom_text_free(&others);
    return status;
}

int carom_scheme_find_option(const carom_scheme_ops *scheme, const char *name)
{
    return carom_option_find(scheme->option_count, scheme->options, name);
}

carom_status carom_scheme_parse_option(const carom_scheme_ops *scheme, int option, const char *text,
                                       double *value, carom_error *error)
{
    if (option < 0 || option >= scheme->option_count)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' has no option number %d; it has %d options",
                          scheme->name, option, scheme->option_count);
    char owner[80];
    snprintf(owner, sizeof owner, "scheme '%s'", scheme->name);
    return carom_option_parse(owner, &scheme->options[option], text, value, error);
}
