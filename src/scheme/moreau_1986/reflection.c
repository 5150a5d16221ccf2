#include "reflection.h"

#include <math.h>

/* Two gradients whose cosine in the kinetic metric is below this count as orthogonal. */
static const double orthogonal_cosine = 1e-12;

carom_status reflector_setup(reflector *self, reflection_rule rule, carom_error *error)
{
    const carom_stepper *stepper = &self->moreau.stepper;
    self->rule = rule;
    self->moreau.equations = (moreau_equations){.av = stepper->option[REFLECTOR_OPTION_AV],
                                                .restitution = 1.0,
                                                .pulls = rule == REFLECT_BALANCED,
                                                .of_free = rule == REFLECT_BILLIARD};
    self->gap_rate = carom_arena_take(stepper->arena, (size_t)stepper->contacts, sizeof(double));
    return self->gap_rate ? moreau_stepper_setup(&self->moreau, false, error) : carom_fail_memory(error);
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

/* True when the k-th active contact is reflected and the l-th one is not orthogonal to it, and met as well. */
static bool disagree(const reflector *self, int k, int l)
{
    const moreau_stepper *moreau = &self->moreau;
    const int first = moreau->active[k], second = moreau->active[l];
    if (!(self->gap_rate[k] < 0.0))
        return false;
    const double coupling = contact_coupling(&moreau->rows, first, 0, second, 0);
    const double scale = sqrt(moreau_normal_response(moreau, first) * moreau_normal_response(moreau, second));
    const bool coupled = fabs(coupling) > orthogonal_cosine * scale;
    return coupled &&
           (self->gap_rate[l] < 0.0 || contact_velocity(&moreau->rows, second, 0, moreau->u) < 0.0);
}

typedef struct pair_look {
    const reflector *self;
    int first, second; /* that disagree; -1: none */
} pair_look;

static bool look_at_pair(void *context, int first, int second)
{
    pair_look *look = context;
    if (disagree(look->self, first, second))
        *look = (pair_look){look->self, first, second};
    else if (disagree(look->self, second, first))
        *look = (pair_look){look->self, second, first};
    return look->first < 0;
}

/* Reflections commute only when the gradients are orthogonal, Moreau 1986, end of section 5. A contact that
 * separates does not matter as long as the reflections of the others leave it separating. */
static carom_status check_orthogonal(reflector *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    pair_look look = {self, -1, -1};
    if (moreau->sparse.used && moreau->mass.diagonal)
        sparse_normals_pairs(&moreau->sparse, moreau->active_count, moreau->active, look_at_pair, &look);
    else
        for (int k = 0; k < moreau->active_count && look.first < 0; k++)
            for (int l = 0; l < moreau->active_count && look.first < 0; l++)
                if (l != k && disagree(self, k, l))
                    look = (pair_look){self, k, l};
    return look.first < 0 ? CAROM_OK
                          : fail_pair(moreau, moreau->active[look.first], moreau->active[look.second], error);
}

static carom_status reflect(reflector *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    for (int k = 0; k < moreau->active_count; k++) {
        int contact = moreau->active[k];
        carom_status status = moreau_contact_rows(moreau, contact, 1, moreau->ahead, error);
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
    carom_status status = moreau_begin(moreau, error);
    if (status == CAROM_OK) /* tested at the vertex, even when the gradient is anticipated */
        status = moreau_find_active(moreau, error);
    if (status == CAROM_OK && moreau->active_count > 0)
        status = reflect(self, error);
    if (status == CAROM_OK)
        moreau_finish(moreau);
    return status;
}
