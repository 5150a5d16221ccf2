/* Which motion a command looks for: the model, the impacts as they are written, and the search. */
#include <math.h>
#include <string.h>

#include "app/orbit_output.h"
#include "app/resumed.h"

carom_status orbit_subject_load(const char *name, const char *variant, int set_count,
                                const carom_override *set, orbit_subject *subject, carom_error *error)
{
    const carom_status status = load_motion(name, variant, set_count, set, &subject->experiment, error);
    return status == CAROM_OK ? carom_periodic_model_of(subject->experiment, &subject->model, error) : status;
}

carom_status orbit_subject_resume(const resumed_command *from, int set_count, const carom_override *set,
                                  orbit_subject *subject, carom_error *error)
{
    carom_status status = resumed_load(from, set_count, set, &subject->experiment, error);
    if (status == CAROM_OK)
        status = carom_experiment_compute(subject->experiment, (carom_progress){0}, error);
    return status == CAROM_OK ? carom_periodic_model_of(subject->experiment, &subject->model, error) : status;
}

void orbit_subject_free(orbit_subject *subject)
{
    carom_periodic_model_free(subject->model);
    carom_experiment_free(subject->experiment);
}

/* ---- impacts ------------------------------------------------------------------------------------------- */

static carom_status find_contact(const carom_model *model, carom_arena *arena, const char *name, int *contact,
                                 carom_error *error)
{
    *contact = carom_model_find_contact(model, name);
    if (*contact >= 0)
        return CAROM_OK;
    const char **names = carom_arena_take(arena, (size_t)model->contacts, sizeof *names);
    if (!names)
        return carom_fail_memory(error);
    for (int i = 0; i < model->contacts; i++)
        names[i] = model->contact[i].name;
    return carom_fail_unknown("contact", name, names, (size_t)model->contacts, error);
}

/* One impact, "wall" or "wall@0.5"; the phase is NAN when it is not given. */
static carom_status read_impact(const carom_periodic_model *model, carom_arena *arena, const char *word,
                                int *contact, double *phase, carom_error *error)
{
    char *name = carom_arena_copy_text(arena, word);
    if (!name)
        return carom_fail_memory(error);
    char *at = strrchr(name, '@');
    *phase = NAN;
    if (at)
        *at = '\0';
    if (at && !(carom_parse_number(at + 1, phase) && *phase >= 0.0 && *phase < 1.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "--impacts: '%s': after '@' stands the part of the period at which '%s' is struck, from "
            "0 to below 1",
            word, name);
    if (*name == '\0')
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "--impacts needs names of contacts, such as wall, wall,wall or left@0,right@0.5; got '%s'", word);
    const carom_status status = find_contact(model->model, arena, name, contact, error);
    return status == CAROM_OK ? carom_impact_check(model, *contact, error) : status;
}

carom_status orbit_read_impacts(const carom_periodic_model *model, carom_arena *arena, const char *text,
                                carom_impact_sequence *impacts, carom_error *error)
{
    int count = 0, phases = 0;
    const char **word = split_list(arena, text, &count);
    impacts->contact = carom_arena_take(arena, (size_t)count, sizeof *impacts->contact);
    impacts->phase = carom_arena_take(arena, (size_t)count, sizeof *impacts->phase);
    if (!word || !impacts->contact || !impacts->phase)
        return carom_fail_memory(error);
    impacts->count = count;
    for (int i = 0; i < count; i++) {
        const carom_status status =
            read_impact(model, arena, word[i], &impacts->contact[i], &impacts->phase[i], error);
        if (status != CAROM_OK)
            return status;
        phases += !isnan(impacts->phase[i]);
    }
    if (phases != 0 && phases != count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--impacts: %d of %d impacts have a phase; give all of them one, or none", phases,
                          count);
    impacts->given = phases > 0;
    carom_error why = {0};
    const carom_status status = carom_impact_sequence_arrange(model, impacts, &why);
    return status == CAROM_OK ? status : carom_fail(error, status, "--impacts: %s", why.text);
}

/* ---- the search ---------------------------------------------------------------------------------------- */

carom_status orbit_find(const carom_periodic_model *model, const carom_find_request *request,
                        carom_found_orbit *found, carom_error *error)
{
    if (request->flights != 0 && request->flights != request->impacts.count)
        return carom_fail(error, CAROM_BAD_INPUT, "--flights has %d value%s for %d impact%s: one per impact",
                          request->flights, plural(request->flights), request->impacts.count,
                          plural(request->impacts.count));
    const carom_status status = carom_find_orbit(model, request, found, error);
    if (status == CAROM_BAD_INPUT && found->solutions > 0 && request->pick > found->solutions)
        return carom_fail(error, status, "--pick %d: there are %d motions", request->pick, found->solutions);
    return status;
}
