/* Rows of a run: from a state to numbers, and whether they are finite. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "active_run.h"
#include "carom/linalg.h"

/* What expressions of outputs may depend on. */
static carom_inputs inputs_of(const active_run *run, const double *row)
{
    const carom_model *model = run->plan.experiment->model;
    run->observed[0] = row[run->layout.energy];
    if (model->observables > 0)
        model->ops->observe(run->work, row[0], row + run->layout.q, row + run->layout.v,
                            row + run->layout.impulse, run->observed + 1);
    return (carom_inputs){.t = row[0],
                          .q = row + run->layout.q,
                          .u = row + run->layout.v,
                          .impulse = row + run->layout.impulse,
                          .observed = run->observed,
                          .acceleration = row + run->layout.acceleration,
                          .multiplier = row + run->layout.reaction};
}

void run_evaluate_stops(const active_run *run, const double *row, double *value)
{
    const carom_inputs inputs = inputs_of(run, row);
    carom_tape_evaluate(run->plan.experiment->stops, run->stops_work, &inputs, value);
}

void run_evaluate_columns(const active_run *run, double *row)
{
    const carom_experiment *experiment = run->plan.experiment;
    if (!experiment->observe)
        return;
    const carom_inputs inputs = inputs_of(run, row);
    carom_tape_evaluate(experiment->observe, run->observe_work, &inputs, row + run->layout.column);
}

/* Where a scheme conserves an energy of its own, that one tells what contacts do. */
static double energy_of(const active_run *run, const carom_state *state)
{
    carom_stepper *stepper = run->stepper;
    if (stepper && state == &stepper->state)
        return carom_stepper_energy(stepper);
    return run->work->model->ops->energy(run->work, state->t, state->q, state->v);
}

/* NAN where the scheme could not start. */
static carom_status add_forces(const active_run *run, const carom_state *state, double *row,
                               carom_error *error)
{
    const carom_row_layout *layout = &run->layout;
    double *acceleration = layout->accelerations > 0 ? row + layout->acceleration : NULL;
    double *reaction = layout->reactions > 0 ? row + layout->reaction : NULL;
    if (run->stepper && state == &run->stepper->state)
        return carom_stepper_forces(run->stepper, acceleration, reaction, error);
    for (int i = 0; i < layout->accelerations + layout->reactions; i++)
        row[layout->acceleration + i] = NAN;
    return CAROM_OK;
}

carom_status run_build_row(const active_run *run, const carom_state *state, double *row, carom_error *error)
{
    const carom_row_layout *layout = &run->layout;
    const carom_model_ops *ops = run->work->model->ops;
    const int contacts = layout->contacts;
    row[0] = state->t;
    carom_copy(layout->positions, state->q, row + layout->q);
    carom_copy(layout->dof, state->v, row + layout->v);
    row[layout->energy] = energy_of(run, state);
    if (run->stepper && state == &run->stepper->state && run->stepper->gap)
        carom_copy(contacts, run->stepper->gap, row + layout->gap);
    else if (run->has_obstacles) /* gaps of friction forces are 0 always, as the row is from the start */
        ops->gaps(run->work, state->t, state->q, row + layout->gap);
    carom_copy(CAROM_CONTACT_COMPONENTS * contacts, state->impulse, row + layout->impulse);
    for (int i = 0; i < contacts; i++) {
        const bool located = state->impact_time && isfinite(state->impact_time[i]);
        row[layout->regime + i] = state->regime[i];
        row[layout->located + i] = located ? state->impact_time[i] : state->t;
    }
    const bool asked = layout->accelerations + layout->reactions > 0;
    const carom_status status = asked ? add_forces(run, state, row, error) : CAROM_OK;
    if (run->columns_in_use)
        run_evaluate_columns(run, row);
    return status;
}

void run_build_event_row(const active_run *run, const carom_event *event, bool after, double *row)
{
    const carom_row_layout *layout = &run->layout;
    row[0] = event->t;
    carom_copy(layout->positions, event->q, row + layout->q);
    carom_copy(layout->dof, after ? event->v_after : event->v, row + layout->v);
    row[layout->energy] = after ? event->energy_after : event->energy_before;
    run->work->model->ops->gaps(run->work, event->t, event->q, row + layout->gap);
    memset(row + layout->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)layout->contacts * sizeof *row);
    row[layout->impulse + CAROM_CONTACT_COMPONENTS * event->contact] = event->impulse;
    for (int i = 0; i < layout->accelerations + layout->reactions; i++)
        row[layout->acceleration + i] = NAN; /* velocities jump */
    run_evaluate_columns(run, row);
}

/* Says which part of a row an index belongs to. */
static void describe_entry(const active_run *run, int index, char *text, size_t size)
{
    const carom_row_layout *layout = &run->layout;
    const carom_model *model = run->plan.experiment->model;
    if (index < layout->q)
        snprintf(text, size, "time");
    else if (index < layout->v)
        snprintf(text, size, "coordinate '%s'", model->coordinate[index - layout->q]);
    else if (index < layout->energy)
        snprintf(text, size, "velocity of '%s'", carom_model_velocity_name(model, index - layout->v));
    else if (index < layout->gap)
        snprintf(text, size, "energy");
    else if (index < layout->impulse)
        snprintf(text, size, "gap of contact '%s'", model->contact[index - layout->gap].name);
    else
        snprintf(text, size, "impulse of contact '%s'",
                 model->contact[(index - layout->impulse) / CAROM_CONTACT_COMPONENTS].name);
}

static double time_after(const active_run *run, long steps)
{
    return run->plan.t0 + (double)steps * run->plan.h;
}

/* A contact without an obstacle is infinitely far away. */
static bool is_absent_gap(const active_run *run, int index, double value)
{
    const carom_row_layout *layout = &run->layout;
    return index >= layout->gap && index < layout->impulse && value == INFINITY &&
           run->plan.experiment->model->contact[index - layout->gap].may_be_absent;
}

/* Everything that the step decides must be finite; columns may be what they like. */
carom_status run_check_row(active_run *run, const double *row, long step, carom_error *error)
{
    const int entries = run->layout.regime;
    if (carom_all_finite(entries, row))
        return CAROM_OK;
    int index = 0;
    while (index < entries && (isfinite(row[index]) || is_absent_gap(run, index, row[index])))
        index++;
    if (index == entries)
        return CAROM_OK;
    char entry[256];
    describe_entry(run, index, entry, sizeof entry);
    run->word = "blowup";
    const int motion_end = run->layout.v + run->layout.dof;
    const bool formula = carom_all_finite(motion_end, row); /* of a gap, of the energy */
    return carom_fail(
        error, CAROM_FAILED, "the motion is not finite after step %ld, at t = %.10g: %s is %g; %s", step,
        time_after(run, step), entry, row[index],
        formula ? "its formula has no finite value at this position and velocity, which are "
                  "finite: no step helps where the motion leads there"
                : "look where the motion begins to grow: if it does so with half the step, too, "
                  "the model is the cause");
}
