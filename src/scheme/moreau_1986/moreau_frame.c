#include "moreau_frame.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/parts/new_stepper.h"
#include "scheme/parts/start_warnings.h"
#include "scheme/parts/step_failure.h"

carom_status moreau_accepts(const carom_model *model, carom_error *error)
{
    if (model->constant_mass)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the mass matrix depends on the position; elast, billiard, inel and moreau-friction need a "
        "constant mass matrix, moreau-jean takes any");
}

static bool take_memory(moreau_frame *frame)
{
    const size_t dof = (size_t)frame->dof, contacts = (size_t)frame->contacts;
    carom_arena *arena = frame->arena;
    carom_state *state = &frame->stepper.state;
    double **vectors[] = {&state->q,           &state->v,     &frame->q,
                          &frame->anticipated, &frame->force, &frame->acceleration,
                          &frame->u_free,      &frame->u};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    state->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    state->branch = carom_arena_take(arena, contacts, 1);
    frame->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    frame->branch = carom_arena_take(arena, contacts, 1);
    frame->gap = carom_arena_take(arena, contacts, sizeof(double));
    frame->active = carom_arena_take(arena, contacts, sizeof(int));
    frame->violated = carom_arena_take(arena, contacts, sizeof(int));
    frame->correction_work = carom_arena_take(arena, contacts * (contacts + 1), sizeof(double));
    return state->impulse && state->branch && frame->impulse && frame->branch && frame->gap &&
           frame->active && frame->violated && frame->correction_work &&
           contact_rows_take(&frame->rows, arena, frame->model);
}

static carom_status check_contact(const moreau_frame *frame, int contact, const moreau_contact_demand *demand,
                                  carom_error *error)
{
    const carom_contact_info *info = &frame->model->contact[contact];
    const carom_contact_frame *at_start = &frame->rows.frame[contact];
    const char *scheme = frame->stepper.ops->name;
    if (info->has_restitution && at_start->restitution != demand->restitution)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s': restitution %g, but scheme '%s' has restitution %g by its rule; take "
            "moreau-jean, or leave the restitution out",
            info->name, at_start->restitution, scheme, demand->restitution);
    if (!demand->friction && contact_has_friction(info, at_start))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has friction, which scheme '%s' does not treat; take moreau-friction or "
            "moreau-jean",
            info->name, scheme);
    return carom_friction_law_check(&info->friction, at_start->coefficients, info->tangents, info->name,
                                    error);
}

/* Restitution and friction as they are at the start. */
static carom_status check_contacts(moreau_frame *frame, const moreau_contact_demand *demand, const double *q0,
                                   const double *v0, carom_error *error)
{
    for (int contact = 0; contact < frame->contacts; contact++) {
        frame->model_ops.frame(frame->work, contact, frame->t0, q0, &frame->rows.frame[contact]);
        carom_status status = check_contact(frame, contact, demand, error);
        if (status != CAROM_OK)
            return status;
    }
    if (frame->contacts > 0)
        frame->model_ops.gaps(frame->work, frame->t0, q0, frame->gap);
    warn_about_start(&frame->stepper.warnings, frame->model, &frame->rows, frame->gap, v0);
    return CAROM_OK;
}

static carom_status set_up(moreau_frame *frame, const moreau_contact_demand *demand, const double *q0,
                           const double *v0, carom_error *error)
{
    if (!take_memory(frame))
        return carom_fail_memory(error);
    carom_status status = constant_mass_create(frame->arena, frame->work, frame->t0, q0, &frame->mass, error);
    if (status == CAROM_OK)
        status = check_contacts(frame, demand, q0, v0, error);
    carom_state *state = &frame->stepper.state;
    state->t = frame->t0;
    memcpy(state->q, q0, (size_t)frame->dof * sizeof *q0);
    memcpy(state->v, v0, (size_t)frame->dof * sizeof *v0);
    for (int i = 0; i < frame->dof; i++) /* Moreau 1986 (6.14) */
        frame->q[i] = q0[i] + 0.5 * frame->h * v0[i];
    return status;
}

carom_status moreau_frame_create(size_t size, const carom_scheme_ops *scheme,
                                 const moreau_contact_demand *demand, carom_model_work *work,
                                 const carom_step_settings *settings, const double *q0, const double *v0,
                                 moreau_frame **frame, carom_error *error)
{
    carom_arena *arena = NULL;
    void *made = NULL;
    carom_status status = new_stepper(size, scheme, work->model, settings, q0, v0, &made, &arena, error);
    if (status != CAROM_OK)
        return status;
    moreau_frame *self = made;
    self->arena = arena;
    self->work = work;
    self->model = work->model;
    self->model_ops = *work->model->ops;
    self->dof = work->model->dof;
    self->contacts = work->model->contacts;
    self->t0 = settings->t0;
    self->h = settings->h;
    status = set_up(self, demand, q0, v0, error);
    if (status != CAROM_OK) {
        carom_arena_free(arena);
        return status;
    }
    *frame = self;
    return CAROM_OK;
}

void moreau_frame_free(carom_stepper *stepper)
{
    if (stepper)
        carom_arena_free(((moreau_frame *)stepper)->arena);
}

const double *moreau_anticipate(moreau_frame *frame, double av)
{
    if (av == 0.0)
        return frame->q;
    const double *u_old = frame->stepper.state.v;
    for (int i = 0; i < frame->dof; i++)
        frame->anticipated[i] = frame->q[i] + av * frame->h * u_old[i];
    return frame->anticipated;
}

carom_status moreau_begin(moreau_frame *frame, const double *point, carom_error *error)
{
    const double *u_old = frame->stepper.state.v;
    /* From the step number: a sum of steps would drift. */
    frame->t = frame->t0 + ((double)frame->stepper.counts.steps + 0.5) * frame->h;
    memset(frame->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)frame->contacts * sizeof(double));
    memset(frame->branch, CAROM_CONTACT_OPEN, (size_t)frame->contacts);
    if (!frame->acceleration_known) {
        frame->model_ops.force(frame->work, frame->t, point, u_old, frame->force);
        constant_mass_solve(&frame->mass, frame->force, frame->acceleration);
        frame->acceleration_known = frame->model->constant_force;
    }
    bool finite = true;
    for (int i = 0; i < frame->dof; i++) { /* Moreau 1986 (6.7) */
        double u = u_old[i] + frame->h * frame->acceleration[i];
        frame->u_free[i] = u;
        frame->u[i] = u;
        finite = finite && isfinite(u);
    }
    if (finite)
        return CAROM_OK;
    return fail_not_finite(error, frame->t, moreau_step_number(frame), frame->model, frame->force,
                           frame->u_free);
}

carom_status moreau_find_active(moreau_frame *frame, const double *point, carom_error *error)
{
    frame->active_count = 0;
    if (frame->contacts == 0)
        return CAROM_OK;
    frame->model_ops.gaps(frame->work, frame->t, point, frame->gap);
    for (int contact = 0; contact < frame->contacts; contact++) {
        double gap = frame->gap[contact];
        if (gap > 0.0 && gap <= DBL_MAX)
            continue;
        if (!isfinite(gap))
            return fail_step(error, frame->t, moreau_step_number(frame),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             frame->model->contact[contact].name, gap);
        frame->active[frame->active_count++] = contact;
    }
    return CAROM_OK;
}

carom_status moreau_contact_rows(moreau_frame *frame, int contact, int components, const double *point,
                                 carom_error *error)
{
    const carom_contact_info *info = &frame->model->contact[contact];
    const int kept = frame->rows.kept[contact];
    if (info->constant_frame && kept >= components)
        return CAROM_OK;
    frame->model_ops.frame(frame->work, contact, frame->t, point, &frame->rows.frame[contact]);
    for (int component = 0; component < components; component++) {
        if (component >= kept)
            constant_mass_solve(&frame->mass, contact_row(&frame->rows, contact, component),
                                contact_response(&frame->rows, contact, component));
        if (!contact_row_finite(&frame->rows, contact, component))
            return fail_step(error, frame->t, moreau_step_number(frame),
                             "the %s or its rate of contact '%s' is not a finite number",
                             component == 0 ? "gradient of the gap" : "slip direction", info->name);
    }
    if (!(moreau_normal_response(frame, contact) > 0.0))
        return fail_step(
            error, frame->t, moreau_step_number(frame),
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
    const double h = frame->h;
    frame->stepper.counts.steps++;
    state->t = frame->t0 + (double)frame->stepper.counts.steps * h;
    for (int i = 0; i < frame->dof; i++) {
        double u = frame->u[i];
        state->q[i] = frame->q[i] + 0.5 * h * u; /* Moreau 1986 (6.17) */
        state->v[i] = u;
        frame->q[i] += h * u; /* (6.8) */
    }
    memcpy(state->impulse, frame->impulse,
           CAROM_CONTACT_COMPONENTS * (size_t)frame->contacts * sizeof(double));
    memcpy(state->branch, frame->branch, (size_t)frame->contacts);
}
