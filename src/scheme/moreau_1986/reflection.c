#include "reflection.h"

#include <math.h>

/* Two gradients whose cosine in the kinetic metric is below this count as orthogonal. */
static const double orthogonal_cosine = 1e-12;

carom_status reflector_setup(reflector *self, reflection_rule rule, carom_error *error)
{
    const moreau_contact_demand demand = {.restitution = 1.0, .friction = false};
    const carom_stepper *stepper = &self->moreau.stepper;
    self->rule = rule;
    self->gap_rate = carom_arena_take(stepper->arena, (size_t)stepper->contacts, sizeof(double));
    return self->gap_rate ? moreau_stepper_setup(&self->moreau, &demand, error) : carom_fail_memory(error);
}

/* Impulse along the contact's normal; gap_rate < 0 is the rate at the free velocity. */
static double reflection_impulse(reflector *self, int contact, double gap_rate)
{
    moreau_stepper *moreau = &self->moreau;
    double response = moreau_normal_response(moreau, contact);
    if (self->rule == REFLECT_BILLIARD)
        return -2.0 * gap_rate / response; /* (7.4) */
    double old_rate = contact_velocity(&moreau->rows, contact, 0, moreau->stepper.state.v);
    double impulse = -(old_rate + gap_rate) / response; /* (7.5) */
    if (impulse >= 0.0)
        return impulse;
    if (self->guard)
        return 0.0;
    moreau->stepper.counts.adhesive_impulses++;
    return impulse;
}

static carom_status fail_pair(const moreau_stepper *moreau, int first, int second, carom_error *error)
{
    char able[200];
    return fail_step(
        error, moreau->t, step_number(&moreau->stepper),
        "contacts '%s' and '%s' act together and their gradients are not orthogonal; the rule of "
        "'%s' is not defined then: take %s or %s",
        moreau->stepper.model->contact[first].name, moreau->stepper.model->contact[second].name,
        moreau->stepper.ops->name, scheme_inel.name, schemes_for_anything(able, sizeof able));
}

/* Reflections commute only when the gradients are orthogonal, Moreau 1986, end of section 5. A contact that
 * separates does not matter as long as the reflections of the others leave it separating. */
static carom_status check_orthogonal(const reflector *self, carom_error *error)
{
    const moreau_stepper *moreau = &self->moreau;
    for (int k = 0; k < moreau->active_count; k++) {
        if (!(self->gap_rate[k] < 0.0))
            continue;
        int first = moreau->active[k];
        for (int l = 0; l < moreau->active_count; l++) {
            int second = moreau->active[l];
            if (l == k)
                continue;
            double coupling = contact_coupling(&moreau->rows, first, 0, second, 0);
            double scale =
                sqrt(moreau_normal_response(moreau, first) * moreau_normal_response(moreau, second));
            bool coupled = fabs(coupling) > orthogonal_cosine * scale;
            bool meets =
                self->gap_rate[l] < 0.0 || contact_velocity(&moreau->rows, second, 0, moreau->u) < 0.0;
            if (coupled && meets)
                return fail_pair(moreau, first, second, error);
        }
    }
    return CAROM_OK;
}

static carom_status reflect(reflector *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    const double *point = moreau_anticipate(moreau, self->av);
    for (int k = 0; k < moreau->active_count; k++) {
        int contact = moreau->active[k];
        carom_status status = moreau_contact_rows(moreau, contact, 1, point, error);
        if (status != CAROM_OK)
            return status;
        self->gap_rate[k] = contact_velocity(&moreau->rows, contact, 0, moreau->u_free);
        if (!(self->gap_rate[k] < 0.0)) /* (7.3) */
            continue;
        double impulse = reflection_impulse(self, contact, self->gap_rate[k]);
        if (impulse != 0.0)
            moreau_add_normal_impulse(moreau, contact, impulse);
    }
    return moreau->active_count > 1 ? check_orthogonal(self, error) : CAROM_OK;
}

carom_status reflector_step(carom_stepper *stepper, carom_error *error)
{
    reflector *self = (reflector *)stepper;
    moreau_stepper *moreau = &self->moreau;
    carom_status status = moreau_begin(moreau, moreau->q, error);
    if (status == CAROM_OK) /* tested at the vertex, even when the gradient is anticipated */
        status = moreau_find_active(moreau, moreau->q, error);
    if (status == CAROM_OK && moreau->active_count > 0)
        status = reflect(self, error);
    if (status == CAROM_OK)
        moreau_finish(moreau);
    return status;
}
