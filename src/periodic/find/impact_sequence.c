/* The impacts of one period: which contacts can be struck, and in which order they are. */
#include <math.h>
#include <string.h>

#include "carom/periodic/find.h"

carom_status carom_impact_check(const carom_periodic_model *self, int contact, carom_error *error)
{
    const carom_contact_info *info = &self->model->contact[contact];
    carom_contact_frame frame = self->frame;
    if (info->tangents > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has friction: leave out its slip, or look for a motion with whatever happens in it "
            "(impacts any)",
            info->name);
    if (!info->has_restitution)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has no restitution in the model: give it restitution = 1, which conserves "
            "energy",
            info->name);
    self->model->ops->frame(self->work, contact, self->t0, self->q0, &frame);
    if (self->model->conservative && frame.restitution != 1.0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has restitution %g and nothing in the model feeds energy in: no motion "
            "returns; take restitution 1 (in the model, or by --set when it is a parameter)",
            info->name, frame.restitution);
    return CAROM_OK;
}

/* By time; the first becomes phase 0, which only shifts time. */
static void sort(carom_impact_sequence *impacts)
{
    for (int i = 1; i < impacts->count; i++)
        for (int k = i; k > 0 && impacts->phase[k] < impacts->phase[k - 1]; k--) {
            const double phase = impacts->phase[k];
            const int contact = impacts->contact[k];
            impacts->phase[k] = impacts->phase[k - 1];
            impacts->contact[k] = impacts->contact[k - 1];
            impacts->phase[k - 1] = phase;
            impacts->contact[k - 1] = contact;
        }
    const double first = impacts->count > 0 ? impacts->phase[0] : 0.0;
    for (int i = 0; i < impacts->count; i++)
        impacts->phase[i] -= first;
}

carom_status carom_impact_sequence_arrange(const carom_periodic_model *model, carom_impact_sequence *impacts,
                                           carom_error *error)
{
    for (int i = 0; !impacts->given && i < impacts->count; i++)
        impacts->phase[i] = (double)i / impacts->count;
    for (int i = 1; i < impacts->count; i++)
        for (int k = 0; k < i; k++)
            if (impacts->contact[i] == impacts->contact[k] && impacts->phase[i] == impacts->phase[k])
                return carom_fail(error, CAROM_BAD_INPUT, "'%s' is struck twice at phase %g",
                                  model->model->contact[impacts->contact[i]].name, impacts->phase[i]);
    sort(impacts);
    return CAROM_OK;
}

bool carom_impact_is_pattern(const carom_impact_sequence *impacts)
{
    for (int i = 0; i < impacts->count; i++) {
        if (impacts->phase[i] != 0.0 && impacts->phase[i] != 0.5)
            return false;
        for (int k = 0; k < i; k++)
            if (impacts->contact[i] == impacts->contact[k])
                return false;
    }
    return true;
}

/* ---- from words ---------------------------------------------------------------------------------------- */

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
            "impacts: '%s': after '@' stands the part of the period at which '%s' is struck, from "
            "0 to below 1",
            word, name);
    if (*name == '\0')
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "impacts needs names of contacts, such as wall, wall,wall or left@0,right@0.5; got '%s'", word);
    const carom_status status = find_contact(model->model, arena, name, contact, error);
    return status == CAROM_OK ? carom_impact_check(model, *contact, error) : status;
}

carom_status carom_impact_sequence_read(const carom_periodic_model *model, carom_arena *arena, int count,
                                        const char *const *word, carom_impact_sequence *impacts,
                                        carom_error *error)
{
    int phases = 0;
    if (count < 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "impacts needs names of contacts, such as wall; there is none");
    if (count == 1 && strcmp(word[0], "none") == 0 && carom_model_find_contact(model->model, "none") < 0) {
        *impacts = (carom_impact_sequence){0};
        return CAROM_OK;
    }
    if (count == 1 && strcmp(word[0], "any") == 0 && carom_model_find_contact(model->model, "any") < 0) {
        *impacts = (carom_impact_sequence){.any = true};
        return CAROM_OK;
    }
    *impacts = (carom_impact_sequence){
        .count = count,
        .contact = carom_arena_take(arena, (size_t)count, sizeof *impacts->contact),
        .phase = carom_arena_take(arena, (size_t)count, sizeof *impacts->phase),
    };
    if (!impacts->contact || !impacts->phase)
        return carom_fail_memory(error);
    for (int i = 0; i < count; i++) {
        const carom_status status =
            read_impact(model, arena, word[i], &impacts->contact[i], &impacts->phase[i], error);
        if (status != CAROM_OK)
            return status;
        phases += !isnan(impacts->phase[i]);
    }
    if (phases != 0 && phases != count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "impacts: %d of %d impacts have a phase; give all of them one, or none", phases,
                          count);
    impacts->given = phases > 0;
    carom_error why = {0};
    const carom_status status = carom_impact_sequence_arrange(model, impacts, &why);
    return status == CAROM_OK ? status : carom_fail(error, status, "impacts: %s", why.text);
}
