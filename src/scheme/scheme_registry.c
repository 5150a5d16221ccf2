/* The registry of schemes, and which scheme can treat which model. */
#include <stdio.h>

#include "carom/scheme.h"
#include "schemes.h"

#define CAROM_REGISTRY_TYPE const carom_scheme_ops
CAROM_REGISTRY(schemes, "scheme", CAROM_SCHEMES);

size_t carom_scheme_count(void)
{
    return carom_registry_count(&schemes);
}

const carom_scheme_ops *carom_scheme_at(size_t index)
{
    return carom_registry_at(&schemes, index);
}

const carom_scheme_ops *carom_scheme_find(const char *name, carom_error *error)
{
    return carom_registry_find(&schemes, name, error);
}

carom_status carom_scheme_register(const carom_scheme_ops *scheme, carom_error *error)
{
    if (!scheme || !scheme->name)
        return carom_fail(error, CAROM_BAD_INPUT, "a scheme needs a name to be registered");
    if (!scheme->setup || !scheme->step)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' needs the functions setup and step",
                          scheme->name);
    if (scheme->size < sizeof(carom_stepper))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme '%s': size = %zu; it is the size of a struct that begins with a "
                          "carom_stepper, at least %zu",
                          scheme->name, scheme->size, sizeof(carom_stepper));
    return carom_registry_add(&schemes, scheme, error);
}

/* ---- abilities --------------------------------------------------------------------------------------- */

static bool is_able(const carom_scheme_ops *scheme, unsigned abilities)
{
    const unsigned special = CAROM_SCHEME_INCLUSIONS | CAROM_SCHEME_STRUCTURES;
    return (scheme->abilities & abilities) == abilities && !(scheme->abilities & special & ~abilities);
}

static bool is_advised(const carom_scheme_ops *scheme, unsigned abilities)
{
    return is_able(scheme, abilities) && !scheme->for_comparison;
}

const carom_scheme_ops *carom_scheme_with(unsigned abilities)
{
    for (size_t i = 0; i < carom_scheme_count(); i++)
        if (is_able(carom_scheme_at(i), abilities))
            return carom_scheme_at(i);
    return NULL;
}

const char *carom_scheme_names_with(unsigned abilities, char *text, size_t size)
{
    size_t left = 0, used = 0;
    for (size_t i = 0; i < carom_scheme_count(); i++)
        left += is_advised(carom_scheme_at(i), abilities);
    snprintf(text, size, "%s", left > 0 ? "" : "another scheme");
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        if (!is_advised(carom_scheme_at(i), abilities) || used >= size)
            continue;
        left--;
        used += (size_t)snprintf(text + used, size - used, "%s%s", carom_scheme_at(i)->name,
                                 left > 1    ? ", "
                                 : left == 1 ? " or "
                                             : "");
    }
    return text;
}

static const carom_contact_info *find_friction_force(const carom_model *model)
{
    for (int k = 0; k < model->contacts; k++)
        if (model->contact[k].friction_force)
            return &model->contact[k];
    return NULL;
}

/* Places off the diagonal of the mass matrix; of bodies the inertia is the scheme's matter. */
static bool has_coupled_mass(const carom_model *model)
{
    if (!model->ops->matrix_pattern || model->has_bodies)
        return false;
    const carom_sparse *mass = model->ops->matrix_pattern(model, CAROM_MATRIX_MASS);
    for (int j = 0; j < mass->columns; j++)
        for (int k = mass->column_start[j]; k < mass->column_start[j + 1]; k++)
            if (mass->row[k] != j)
                return true;
    return false;
}

unsigned carom_scheme_abilities_for(const carom_model *model)
{
    unsigned abilities = model->constant_mass ? 0 : CAROM_SCHEME_ANY_MASS;
    if (has_coupled_mass(model))
        abilities |= CAROM_SCHEME_COUPLED_MASS;
    if (model->has_bodies)
        abilities |= CAROM_SCHEME_BODIES;
    if (model->joints > 0)
        abilities |= CAROM_SCHEME_JOINTS;
    if (find_friction_force(model))
        abilities |= CAROM_SCHEME_FRICTION_FORCES;
    return abilities;
}

const char *carom_scheme_names_for(const carom_model *model, unsigned abilities, char *text, size_t size)
{
    abilities |= carom_scheme_abilities_for(model);
    for (int k = 0; k < model->contacts; k++) {
        const carom_contact_info *contact = &model->contact[k];
        if (contact->tangents > 0 && contact->coefficients > 0 && !contact->friction_force)
            abilities |= CAROM_SCHEME_FRICTION;
    }
    return carom_scheme_names_with(abilities, text, size);
}

static carom_status check_abilities(const carom_scheme_ops *scheme, const carom_model *model,
                                    carom_error *error)
{
    const unsigned missing = carom_scheme_abilities_for(model) & ~scheme->abilities;
    char able[200], inclusions[200];
    if (!missing)
        return CAROM_OK;
    if (missing & CAROM_SCHEME_FRICTION_FORCES)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "scheme '%s' does not treat friction forces ('%s' is one); take %s, or %s where "
                          "there are contacts "
                          "too",
                          scheme->name, find_friction_force(model)->name,
                          carom_scheme_names_with(CAROM_SCHEME_FRICTION_FORCES | CAROM_SCHEME_INCLUSIONS,
                                                  inclusions, sizeof inclusions),
                          carom_scheme_names_with(CAROM_SCHEME_FRICTION_FORCES, able, sizeof able));
    carom_scheme_names_for(model, 0, able, sizeof able);
    if (missing & CAROM_SCHEME_BODIES)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' does not treat bodies with shapes; take %s",
                          scheme->name, able);
    if (missing & CAROM_SCHEME_JOINTS)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' does not treat joints ('%s' is one); take %s",
                          scheme->name, model->joint[0], able);
    if (missing & CAROM_SCHEME_ANY_MASS)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the mass matrix depends on the position, and scheme '%s' needs a constant mass matrix; take %s",
            scheme->name, able);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the mass matrix couples coordinates, and scheme '%s' needs a diagonal mass matrix; take %s",
        scheme->name, able);
}

carom_status carom_scheme_accepts(const carom_scheme_ops *scheme, const carom_model *model,
                                  carom_error *error)
{
    const carom_status status = check_abilities(scheme, model, error);
    return status == CAROM_OK && scheme->accepts ? scheme->accepts(model, error) : status;
}
