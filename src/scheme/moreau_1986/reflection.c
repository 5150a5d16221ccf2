#include "reflection.h"

#include <math.h>

/* Two gradients whose cosine in the kinetic metric is below this count as orthogonal. */
static const double orthogonal_cosine = 1e-12;

carom_status reflector_setup(reflector *self, reflection_rule rule, carom_error *error)
{
    const moreau_contact_demand demand = {.restitution = 1.0, .friction = false};
    const carom_stepper *stepper = &self->frame.stepper;
    self->rule = rule;
    self->gap_rate = carom_arena_take(stepper->arena, (size_t)stepper->contacts, sizeof(double));
    return self->gap_rate ? moreau_frame_setup(&self->frame, &demand, error) : carom_fail_memory(error);
}

/* Impulse along the contact's normal; gap_rate < 0 is the rate at the free velocity. */
static double reflection_impulse(reflector *self, int contact, double gap_rate)
{
    moreau_frame *frame = &self->frame;
    double response = moreau_normal_response(frame, contact);
    if (self->rule == REFLECT_BILLIARD)
        return -2.0 * gap_rate / response; /* (7.4) */
    double old_rate = contact_velocity(&frame->rows, contact, 0, frame->stepper.state.v);
    double impulse = -(old_rate + gap_rate) / response; /* (7.5) */
    if (impulse >= 0.0)
        return impulse;
    if (self->guard)
        return 0.0;
    frame->stepper.counts.adhesive_impulses++;
    return impulse;
}

static carom_status fail_pair(const moreau_frame *frame, int first, int second, carom_error *error)
{
    return fail_step(
        error, frame->t, step_number(&frame->stepper),
        "contacts '%s' and '%s' act together and their gradients are not orthogonal; the rule of "
        "'%s' is not defined then: take inel or moreau-jean",
        frame->stepper.model->contact[first].name, frame->stepper.model->contact[second].name,
        frame->stepper.ops->name);
}

/* Reflections commute only when the gradients are orthogonal, Moreau 1986, end of section 5. A contact that
 * separates does not matter as long as the reflections of the others leave it separating. */
static carom_status check_orthogonal(const reflector *self, carom_error *error)
{
    const moreau_frame *frame = &self->frame;
    for (int k = 0; k < frame->active_count; k++) {
        if (!(self->gap_rate[k] < 0.0))
            continue;
        int first = frame->active[k];
        for (int l = 0; l < frame->active_count; l++) {
            int second = frame->active[l];
            if (l == k)
                continue;
            double coupling = carom_dot(frame->stepper.dof, frame->rows.frame[first].normal,
                                        contact_response(&frame->rows, second, 0));
            double scale = sqrt(moreau_normal_response(frame, first) * moreau_normal_response(frame, second));
            bool coupled = fabs(coupling) > orthogonal_cosine * scale;
            bool meets = self->gap_rate[l] < 0.0 || contact_velocity(&frame->rows, second, 0, frame->u) < 0.0;
            if (coupled && meets)
                return fail_pair(frame, first, second, error);
        }
    }
    return CAROM_OK;
}

static carom_status reflect(reflector *self, carom_error *error)
{
    moreau_frame *frame = &self->frame;
    const double *point = moreau_anticipate(frame, self->av);
    for (int k = 0; k < frame->active_count; k++) {
        int contact = frame->active[k];
        carom_status status = moreau_contact_rows(frame, contact, 1, point, error);
        if (status != CAROM_OK)
            return status;
        self->gap_rate[k] = contact_velocity(&frame->rows, contact, 0, frame->u_free);
        if (!(self->gap_rate[k] < 0.0)) /* (7.3) */
            continue;
        double impulse = reflection_impulse(self, contact, self->gap_rate[k]);
        if (impulse != 0.0)
            moreau_add_normal_impulse(frame, contact, impulse);
    }
    return frame->active_count > 1 ? check_orthogonal(self, error) : CAROM_OK;
}

carom_status reflector_step(carom_stepper *stepper, carom_error *error)
{
    reflector *self = (reflector *)stepper;
    moreau_frame *frame = &self->frame;
    carom_status status = moreau_begin(frame, frame->q, error);
    if (status == CAROM_OK) /* tested at the vertex, even when the gradient is anticipated */
        status = moreau_find_active(frame, frame->q, error);
    if (status == CAROM_OK && frame->active_count > 0)
        status = reflect(self, error);
    if (status == CAROM_OK)
        moreau_finish(frame);
    return status;
}
