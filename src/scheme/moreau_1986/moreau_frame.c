#include "moreau_frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/parts/contact_warnings.h"

static bool take_memory(moreau_frame *frame)
{
    const size_t dof = (size_t)frame->stepper.dof, contacts = (size_t)frame->stepper.contacts;
    carom_arena *arena = frame->stepper.arena;
    double **vectors[] = {&frame->q, &frame->anticipated, &frame->force, &frame->acceleration, &frame->u_free,
                          &frame->u};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    frame->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    frame->branch = carom_arena_take(arena, contacts, 1);
    frame->gap = carom_arena_take(arena, contacts, sizeof(double));
    frame->active = carom_arena_take(arena, contacts, sizeof(int));
    frame->violated = carom_arena_take(arena, contacts, sizeof(int));
    frame->correction_work = carom_arena_take(arena, contacts * (contacts + 1), sizeof(double));
    return frame->impulse && frame->branch && frame->gap && frame->active && frame->violated &&
           frame->correction_work && mass_factor_take(&frame->mass, arena, frame->stepper.model) &&
           contact_rows_take(&frame->rows, arena, frame->stepper.model);
}

static carom_status check_contact(const moreau_frame *frame, int contact, const moreau_contact_demand *demand,
                                  carom_error *error)
{
    const carom_model *model = frame->stepper.model;
    const carom_contact_info *info = &model->contact[contact];
    const carom_contact_frame *at_start = &frame->rows.frame[contact];
    const char *scheme = frame->stepper.ops->name;
    char able[200];
    if (info->has_restitution && at_start->restitution != demand->restitution)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s': restitution %g, but scheme '%s' has restitution %g by its rule; take %s, or leave "
            "the restitution out",
            info->name, at_start->restitution, scheme, demand->restitution,
            carom_scheme_names_for(model, CAROM_SCHEME_RESTITUTION, able, sizeof able));
    if (!demand->friction && contact_has_friction(info, at_start))
        return fail_friction(&frame->stepper, info, error);
    return carom_friction_law_check(&info->friction, at_start->coefficients, info->tangents, info->name,
                                    error);
}

/* Restitution and friction as they are at the start. */
static carom_status check_contacts(moreau_frame *frame, const moreau_contact_demand *demand,
                                   carom_error *error)
{
    carom_stepper *stepper = &frame->stepper;
    const carom_model *model = stepper->model;
    const carom_state *state = &stepper->state;
    for (int contact = 0; contact < stepper->contacts; contact++) {
        model->ops->frame(stepper->work, contact, state->t, state->q, &frame->rows.frame[contact]);
        carom_status status = check_contact(frame, contact, demand, error);
        if (status != CAROM_OK)
            return status;
    }
    if (stepper->contacts > 0)
        model->ops->gaps(stepper->work, state->t, state->q, frame->gap);
    warn_about_start(&stepper->warnings, model, &frame->rows, frame->gap, state->v);
    return CAROM_OK;
}

carom_status moreau_frame_setup(moreau_frame *frame, const moreau_contact_demand *demand, carom_error *error)
{
    const carom_stepper *stepper = &frame->stepper;
    const carom_state *state = &stepper->state;
    if (!take_memory(frame))
        return carom_fail_memory(error);
    carom_status status = mass_check(stepper->work, state->t, state->q, NULL, error);
    if (status == CAROM_OK)
        status = check_contacts(frame, demand, error);
    if (status != CAROM_OK)
        return status;
    mass_factor_evaluate(&frame->mass, stepper->work, state->t, state->q);
    for (int i = 0; i < stepper->dof; i++) /* Moreau 1986 (6.14) */
        frame->q[i] = state->q[i] + 0.5 * stepper->h * state->v[i];
    return CAROM_OK;
}

const double *moreau_anticipate(moreau_frame *frame, double av)
{
    if (av == 0.0)
        return frame->q;
    const double *u_old = frame->stepper.state.v;
    for (int i = 0; i < frame->stepper.dof; i++)
        frame->anticipated[i] = frame->q[i] + av * frame->stepper.h * u_old[i];
    return frame->anticipated;
}

carom_status moreau_begin(moreau_frame *frame, const double *point, carom_error *error)
{
    const double *u_old = frame->stepper.state.v;
    /* From the step number: a sum of steps would drift. */
    frame->t = frame->stepper.t0 + ((double)frame->stepper.counts.steps + 0.5) * frame->stepper.h;
    memset(frame->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)frame->stepper.contacts * sizeof(double));
    memset(frame->branch, CAROM_CONTACT_OPEN, (size_t)frame->stepper.contacts);
    if (!frame->acceleration_known) {
        frame->stepper.model->ops->force(frame->stepper.work, frame->t, point, u_old, frame->force);
        mass_factor_solve(&frame->mass, frame->force, frame->acceleration);
        frame->acceleration_known = frame->stepper.model->constant_force;
    }
    bool finite = true;
    for (int i = 0; i < frame->stepper.dof; i++) { /* Moreau 1986 (6.7) */
        double u = u_old[i] + frame->stepper.h * frame->acceleration[i];
        frame->u_free[i] = u;
        frame->u[i] = u;
        finite = finite && isfinite(u);
    }
    if (finite)
        return CAROM_OK;
    return fail_not_finite(error, frame->t, step_number(&frame->stepper), frame->stepper.model, frame->force,
                           frame->u_free);
}

carom_status moreau_find_active(moreau_frame *frame, const double *point, carom_error *error)
{
    frame->active_count = 0;
    if (frame->stepper.contacts == 0)
        return CAROM_OK;
    frame->stepper.model->ops->gaps(frame->stepper.work, frame->t, point, frame->gap);
    for (int contact = 0; contact < frame->stepper.contacts; contact++) {
        double gap = frame->gap[contact];
        if (gap > 0.0 && gap <= DBL_MAX)
            continue;
        if (!isfinite(gap))
            return fail_step(error, frame->t, step_number(&frame->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             frame->stepper.model->contact[contact].name, gap);
        frame->active[frame->active_count++] = contact;
    }
    return CAROM_OK;
}

carom_status moreau_contact_rows(moreau_frame *frame, int contact, int components, const double *point,
                                 carom_error *error)
{
    const carom_contact_info *info = &frame->stepper.model->contact[contact];
    const int kept = frame->rows.kept[contact];
    if (info->constant_frame && kept >= components)
        return CAROM_OK;
    frame->stepper.model->ops->frame(frame->stepper.work, contact, frame->t, point,
                                     &frame->rows.frame[contact]);
    for (int component = 0; component < components; component++) {
        if (component >= kept)
            mass_factor_solve(&frame->mass, contact_row(&frame->rows, contact, component),
                              contact_response(&frame->rows, contact, component));
        if (!contact_row_finite(&frame->rows, contact, component))
            return fail_step(error, frame->t, step_number(&frame->stepper),
                             "the %s or its rate of contact '%s' is not a finite number",
                             component == 0 ? "gradient of the gap" : "slip direction", info->name);
    }
    if (!(moreau_normal_response(frame, contact) > 0.0))
        return fail_step(
            error, frame->t, step_number(&frame->stepper),
            "the gap of contact '%s' has a zero gradient while the contact is active: it gives no "
            "normal direction; write the gap so that its gradient does not vanish where it is 0",
            info->name);
    if (info->constant_rows && components > kept)
        frame->rows.kept[contact] = components;
    return CAROM_OK;
}

void moreau_finish(moreau_frame *frame)
{
    carom_state *state = &frame->stepper.state;
    const double h = frame->stepper.h;
    frame->stepper.counts.steps++;
    state->t = frame->stepper.t0 + (double)frame->stepper.counts.steps * h;
    for (int i = 0; i < frame->stepper.dof; i++) {
        double u = frame->u[i];
        state->q[i] = frame->q[i] + 0.5 * h * u; /* Moreau 1986 (6.17) */
        state->v[i] = u;
        frame->q[i] += h * u; /* (6.8) */
    }
    memcpy(state->impulse, frame->impulse,
           CAROM_CONTACT_COMPONENTS * (size_t)frame->stepper.contacts * sizeof(double));
    memcpy(state->branch, frame->branch, (size_t)frame->stepper.contacts);
}
