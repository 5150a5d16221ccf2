/* Impacts by a law that was chosen. */
#include <string.h>

#include "parts.h"
#include "variation.h"

void event_variation_law(event_driven *scheme)
{
    event_variation *self = (event_variation *)scheme->stepper.tangent;
    const chosen_impact *chosen = &scheme->chosen;
    const impact_tangent *law = &self->law;
    const int n = self->n, all = self->columns + 1;
    if (self->tangent.lost)
        return;
    if (!impact_tangent_strike(&self->law, self->flow.t, self->q, all, self->direction, self->dz)) {
        variation_lose(self, "the law of impact has no derivatives there");
        return;
    }
    if (law->weak >= 0)
        carom_tangent_tell(
            &self->tangent, self->flow.t,
            "contact '%s' is struck on one side, and not on the other; taken: the side on which it "
            "is not",
            self->equations.model->contact[law->weak].name);
    for (int k = 0; k < chosen->count; k++) {
        const int place = CAROM_CONTACT_COMPONENTS * chosen->list[k];
        self->impulse[place] += chosen->result.impulse[k];
        for (int c = 0; c < all; c++)
            self->impulse_along[(ptrdiff_t)c * self->extra + place] += impact_tangent_impulse(law, c, k);
    }
    memcpy(self->du, self->dz, (size_t)all * (size_t)n * sizeof *self->du);
    memcpy(self->u, chosen->result.velocity, (size_t)n * sizeof *self->u);
}
