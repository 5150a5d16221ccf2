/* What the event-driven scheme remembers at an output at which its integrator begins afresh. */
#include "event_driven.h"

/* Of friction, and what an event leaves of it. */
static void visit_mode(event_driven *self, carom_snapshot *snapshot)
{
    event_mode *mode = &self->mode;
    const size_t contacts = (size_t)self->motion.contacts, numbers = CAROM_CONTACT_COMPONENTS * contacts;
    double *blocks[] = {mode->direction, mode->reference, mode->weight, mode->force};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        carom_snapshot_block(snapshot, blocks[i], numbers * sizeof(double));
    carom_snapshot_block(snapshot, mode->status, contacts);
    carom_snapshot_block(snapshot, self->impact_regime, contacts);
    carom_snapshot_block(snapshot, self->friction_guard, contacts * sizeof(double));
    carom_snapshot_block(snapshot, &mode->redundant, sizeof mode->redundant);
    carom_snapshot_block(snapshot, &self->slip_min, sizeof self->slip_min);
    carom_snapshot_block(snapshot, &self->several_told, sizeof self->several_told);
}

void event_driven_visit(carom_stepper *stepper, carom_snapshot *snapshot)
{
    event_driven *self = (event_driven *)stepper;
    const size_t contacts = (size_t)self->motion.contacts;
    const size_t components = (size_t)self->components * contacts, joints = (size_t)self->joints.count;
#define KEEP(field) carom_snapshot_block(snapshot, &self->field, sizeof self->field)
    KEEP(t);
    KEEP(started);
    KEEP(fresh);
    KEEP(angle_warned);
    KEEP(at_ending);
    KEEP(idle);
    KEEP(collected);
    KEEP(works_lost);
    KEEP(recorded);
    KEEP(dipped);
    KEEP(rate_size);
    KEEP(energy_before);
    KEEP(gains);
    KEEP(depth_warned);
    KEEP(flight.possible);
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
    carom_snapshot_block(snapshot, self->impulse, components * sizeof(double));
    carom_snapshot_block(snapshot, self->carried, components * sizeof(double));
    if (self->general)
        visit_mode(self, snapshot);
    if (joints > 0) {
        carom_snapshot_block(snapshot, self->joints.impulse, joints * sizeof(double));
        carom_snapshot_block(snapshot, self->joints.carried, joints * sizeof(double));
        carom_snapshot_block(snapshot, self->joints.recorded, joints * sizeof(double));
    }
    double *numbers[] = {self->lambda, self->guard,       self->depth,
                         self->least,  self->rate_before, self->event_impulse};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        carom_snapshot_block(snapshot, numbers[i], contacts * sizeof(double));
    bool *flags[] = {self->closed, self->muted,        self->touched,     self->was_closed,
                     self->struck, self->accumulating, self->motion.noisy};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        carom_snapshot_block(snapshot, flags[i], contacts * sizeof(bool));
    carom_snapshot_block(snapshot, self->history, contacts * sizeof *self->history);
    carom_snapshot_block(snapshot, ode_flow_values(self->flow), (size_t)self->size * sizeof(double));
    normal_lcp_keep(&self->lcp, stepper->contacts, snapshot);
    chosen_impact_keep(&self->chosen, snapshot);
    if (snapshot->restores)
        self->flight.on = false;
    if (snapshot->restores && !snapshot->failed && self->started)
        snapshot->failed = !ode_flow_renew(self->flow, self->t);
}
