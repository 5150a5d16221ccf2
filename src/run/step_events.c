/* Events of schemes that do not locate them: what changed at a contact from one output to the next. */
#include "step_events.h"

#include "carom/linalg.h"

bool step_events_take(step_events *self, carom_arena *arena, carom_model_work *work,
                      const carom_row_layout *layout)
{
    *self = (step_events){.work = work, .layout = *layout};
    return carom_contact_frame_take(arena, work->model, &self->frame);
}

/* Gap rate, or the slip: with two directions its size. */
static double rate_of(const step_events *self, int contact, bool slip, const carom_contact_frame *frame,
                      const double *row)
{
    const int tangents = self->work->model->contact[contact].tangents;
    const double *v = row + self->layout.v;
    if (!slip)
        return carom_row_dot(&frame->normal, v) + frame->normal_rate;
    double component[CAROM_TANGENTS_MAX] = {0};
    for (int k = 0; k < tangents; k++)
        component[k] = carom_row_dot(&frame->tangent[k], v) + frame->tangent_rate[k];
    return tangents == 1 ? component[0] : hypot(component[0], component[1]);
}

/* What a change of regime is; false: nothing. A friction force has no gap to close. */
static bool kind_of(const carom_contact_info *info, double before, double now, carom_event_kind *kind)
{
    const bool was_open = before == (double)CAROM_CONTACT_OPEN, is_open = now == (double)CAROM_CONTACT_OPEN;
    if (before == now || (info->friction_force && (was_open || is_open)))
        return false;
    if (was_open || is_open)
        *kind = was_open ? CAROM_EVENT_IMPACT : CAROM_EVENT_RELEASE;
    else
        *kind = now == (double)CAROM_CONTACT_STICK ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP;
    return true;
}

void step_events_find(step_events *self, const carom_stepper *stepper, const double *before,
                      const double *row, event_list *list)
{
    const carom_row_layout *layout = &self->layout;
    for (int i = 0; i < layout->contacts; i++) {
        carom_event_kind kind;
        if (!kind_of(&self->work->model->contact[i], before[layout->regime + i], row[layout->regime + i],
                     &kind))
            continue;
        carom_event event = {.t = row[0],
                             .kind = kind,
                             .contact = i,
                             .impulse = row[layout->impulse + CAROM_CONTACT_COMPONENTS * i],
                             .energy_before = before[layout->energy],
                             .energy_after = row[layout->energy]};
        const bool slip = event.kind == CAROM_EVENT_STICK || event.kind == CAROM_EVENT_SLIP;
        const carom_contact_frame *frame = carom_stepper_frame(stepper, i, &self->frame);
        event.rate_before = rate_of(self, i, slip, frame, before);
        event.rate_after = rate_of(self, i, slip, frame, row);
        event_list_take(list, &event);
    }
}
