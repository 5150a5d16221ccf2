/* The impacts of one period: which contacts can be struck, and in which order they are. */
#include <math.h>

#include "carom/periodic/find.h"

carom_status carom_impact_check(const carom_periodic_model *self, int contact, carom_error *error)
{
    const carom_contact_info *info = &self->model->contact[contact];
    carom_contact_frame frame = self->frame;
    if (info->tangents > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has friction, which the search for periodic motions does not treat: leave "
            "out its slip",
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
    const double first = impacts->phase[0];
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
