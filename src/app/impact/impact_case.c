/* Systems of carom impact: those of JSON files, and what all kinds share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/impact_output.h"

void free_impact_case(impact_case *made)
{
    carom_chain_free(made->chain);
    carom_impact_file_free(made->file);
    carom_arena_free(made->arena);
}

void contact_velocities(const carom_impact *impact, const double *velocity, double *gamma)
{
    for (int j = 0; j < impact->contacts; j++) {
        gamma[j] = impact->rate ? impact->rate[j] : 0.0;
        for (int k = impact->column_start[j]; k < impact->column_start[j + 1]; k++)
            gamma[j] += impact->value[k] * velocity[impact->row[k]];
    }
}

const char *impact_label(char *const *names, int index, char *text, size_t size)
{
    if (names)
        return names[index];
    snprintf(text, size, "%d", index + 1);
    return text;
}

/* ---- values of the command line ------------------------------------------------------------------------ */

static bool override_list(impact_given *given, impact_case *made, int option, list_shape shape,
                          const double **target, carom_error *error)
{
    if (!impact_has(given, option))
        return true;
    double *value = carom_arena_take(made->arena, (size_t)shape.count, sizeof *value);
    if (!value) {
        carom_fail_memory(error);
        return false;
    }
    *target = value;
    return read_shaped_list(given, option, shape, value, error);
}

bool override_impact(impact_given *given, impact_case *made, carom_error *error)
{
    carom_impact *impact = &made->impact;
    const list_shape per_coordinate = {impact->coordinates, "one per coordinate", false};
    const list_shape per_contact = {impact->contacts, "one per contact", true};
    return override_list(given, made, IMPACT_VELOCITY, per_coordinate, &impact->velocity, error) &&
           override_list(given, made, IMPACT_RESTITUTION, per_contact, &impact->restitution, error) &&
           override_list(given, made, IMPACT_STIFFNESS, per_contact, &impact->stiffness, error) &&
           override_list(given, made, IMPACT_EXPONENT, per_contact, &impact->exponent, error);
}

/* ---- JSON files -------------------------------------------------------------------------------------- */

/* What an audit and a map do not need may be missing. */
static bool fill_missing(const impact_given *given, impact_case *made, carom_error *error)
{
    carom_impact *impact = &made->impact;
    const bool is_audit = impact_has(given, IMPACT_AUDIT), is_map = impact_has(given, IMPACT_MAP);
    const char *path = impact_value(given, IMPACT_SYSTEM);
    if (!impact->velocity && !is_audit && !is_map) {
        carom_fail(error, CAROM_BAD_INPUT,
                   "%s: the key \"velocity\" is missing: %d number%s, one per coordinate "
                   "(or give --velocity)",
                   path, impact->coordinates, plural(impact->coordinates));
        return false;
    }
    if (!impact->restitution && !is_map) {
        carom_fail(error, CAROM_BAD_INPUT,
                   "%s: the key \"restitution\" is missing: a number, or %d, one per contact (or give "
                   "--restitution)",
                   path, impact->contacts);
        return false;
    }
    if (!impact->velocity)
        impact->velocity = carom_arena_take(made->arena, (size_t)impact->coordinates, sizeof(double));
    if (!impact->restitution)
        impact->restitution = carom_arena_take(made->arena, (size_t)impact->contacts, sizeof(double));
    return (impact->velocity && impact->restitution) || carom_fail_memory(error) == CAROM_OK;
}

bool make_impact_system(impact_given *given, impact_case *made, carom_error *error)
{
    const char *path = impact_value(given, IMPACT_SYSTEM);
    if (carom_impact_file_read(path, &made->file, error) != CAROM_OK)
        return false;
    made->impact = made->file->impact;
    made->contact = made->file->contact;
    made->item = "coordinate";
    made->title = carom_arena_copy_plain(made->arena, path);
    if (!made->title) {
        carom_fail_memory(error);
        return false;
    }
    return override_impact(given, made, error) && fill_missing(given, made, error);
}
