/* What the event-driven scheme remembers at an output at which its integrator begins afresh. */
#include "event_driven.h"

void event_driven_visit(carom_stepper *stepper, carom_snapshot *snapshot)
{
    event_driven *self = (event_driven *)stepper;
    const size_t contacts = (size_t)self->motion.contacts;
    const size_t size = 2 * (size_t)self->motion.dof + contacts;
#define KEEP(field) carom_snapshot_block(snapshot, &self->field, sizeof self->field)
    KEEP(t);
    KEEP(started);
    KEEP(fresh);
    KEEP(angle_warned);
    KEEP(at_ending);
    KEEP(idle);
    KEEP(collected);
    KEEP(panel);
    KEEP(recorded_panel);
    KEEP(recorded);
    KEEP(dipped);
    KEEP(rate_size);
    KEEP(energy_before);
    KEEP(gains);
    KEEP(depth_warned);
    KEEP(hop.contact);
    KEEP(hop.gap);
    KEEP(hop.gap_rate);
    KEEP(hop.resumes);
    KEEP(hop.resumed_gap);
    KEEP(impacts);
    KEEP(last_impact);
    KEEP(last_rate);
    KEEP(last_detachment);
#undef KEEP
    double *numbers[] = {self->lambda,  self->guard, self->depth,       self->impulse,
                         self->carried, self->least, self->rate_before, self->event_impulse};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        carom_snapshot_block(snapshot, numbers[i], contacts * sizeof(double));
    bool *flags[] = {self->closed,     self->muted,  self->touched,
                     self->was_closed, self->struck, self->accumulating};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        carom_snapshot_block(snapshot, flags[i], contacts * sizeof(bool));
    carom_snapshot_block(snapshot, self->history, contacts * sizeof *self->history);
    carom_snapshot_block(snapshot, ode_flow_values(self->flow), size * sizeof(double));
    normal_lcp_keep(&self->lcp, stepper->contacts, snapshot);
    chosen_impact_keep(&self->chosen, snapshot);
    if (snapshot->restores && !snapshot->failed && self->started)
        snapshot->failed = !ode_flow_renew(self->flow, self->t);
}
