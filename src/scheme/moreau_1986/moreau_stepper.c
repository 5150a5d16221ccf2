#include "moreau_stepper.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "scheme/parts/contact_warnings.h"

static contact_responses responses_for(const moreau_stepper *moreau)
{
    return moreau->normals ? sparse_normals_responses(&moreau->stepper) : RESPONSES_OF_MASS;
}

static bool take_memory(moreau_stepper *moreau)
{
    const size_t dof = (size_t)moreau->stepper.dof, contacts = (size_t)moreau->stepper.contacts;
    carom_arena *arena = moreau->stepper.arena;
    double **vectors[] = {
        &moreau->q, &moreau->anticipated, &moreau->force, &moreau->acceleration, &moreau->u_free, &moreau->u};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    moreau->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    moreau->regime = carom_arena_take(arena, contacts, 1);
    moreau->gap = carom_arena_take(arena, contacts, sizeof(double));
    moreau->active = carom_arena_take(arena, contacts, sizeof(int));
    moreau->violated = carom_arena_take(arena, contacts, sizeof(int));
    const size_t corrected = sparse_normals_serve(&moreau->stepper) ? 2 : contacts + 1;
    moreau->correction_work = carom_arena_take(arena, carom_product(contacts, corrected), sizeof(double));
    return moreau->impulse && moreau->regime && moreau->gap && moreau->active && moreau->violated &&
           moreau->correction_work && mass_factor_take(&moreau->mass, arena, moreau->stepper.model) &&
           contact_rows_take(&moreau->rows, arena, moreau->stepper.model, responses_for(moreau)) &&
           sparse_normals_take(&moreau->sparse, &moreau->stepper, &moreau->mass, &moreau->rows);
}

void moreau_stepper_free(carom_stepper *stepper)
{
    mass_factor_free(&((moreau_stepper *)stepper)->mass);
    sparse_normals_free(&((moreau_stepper *)stepper)->sparse);
}

/* Restitution and friction as they are at the start. */
static carom_status check_contacts(moreau_stepper *moreau, carom_error *error)
{
    carom_stepper *stepper = &moreau->stepper;
    const carom_model *model = stepper->model;
    const carom_state *state = &stepper->state;
    for (int contact = 0; contact < stepper->contacts; contact++) {
        model->ops->frame(stepper->work, contact, state->t, state->q, &moreau->rows.frame[contact]);
        carom_status status = contact_check(&model->contact[contact], &moreau->rows.frame[contact], error);
        if (status != CAROM_OK)
            return status;
    }
    if (stepper->contacts > 0)
        model->ops->gaps(stepper->work, state->t, state->q, moreau->gap);
    warn_about_start(&stepper->warnings, model, &moreau->rows, moreau->gap, state->v);
    return refuse_absent_contacts(stepper, moreau->gap, error);
}

carom_status moreau_stepper_setup(moreau_stepper *moreau, bool normals, carom_error *error)
{
    const carom_stepper *stepper = &moreau->stepper;
    const carom_state *state = &stepper->state;
    moreau->normals = normals;
    if (!take_memory(moreau))
        return contact_rows_fail(stepper, responses_for(moreau), error);
    moreau->stepper.frame = moreau->rows.frame;
    carom_status status = mass_check(stepper->work, state->t, state->q, NULL, error);
    if (status == CAROM_OK)
        status = check_contacts(moreau, error);
    if (status != CAROM_OK)
        return status;
    mass_factor_evaluate(&moreau->mass, stepper->work, state->t, state->q);
    for (int i = 0; i < stepper->dof; i++) /* Moreau 1986 (6.14) */
        moreau->q[i] = state->q[i] + 0.5 * stepper->h * state->v[i];
    return CAROM_OK;
}

/* The vertex, and the point of the anticipated cone. Times are from the step number: a sum of steps would drift. */
static void set_points(moreau_stepper *moreau)
{
    const double av = moreau->equations.av, h = moreau->stepper.h, *u_old = moreau->stepper.state.v;
    const double vertex = (double)moreau->stepper.counts.steps + 0.5;
    moreau->t = moreau->stepper.t0 + vertex * h;
    moreau->ahead = moreau->vertex = (moreau_point){moreau->t, moreau->q};
    if (av == 0.0)
        return;
    for (int i = 0; i < moreau->stepper.dof; i++)
        moreau->anticipated[i] = moreau->q[i] + av * h * u_old[i];
    moreau->ahead = (moreau_point){moreau->stepper.t0 + (vertex + av) * h, moreau->anticipated};
}

carom_status moreau_begin(moreau_stepper *moreau, carom_error *error)
{
    const double *u_old = moreau->stepper.state.v;
    set_points(moreau);
    memset(moreau->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)moreau->stepper.contacts * sizeof(double));
    memset(moreau->regime, CAROM_CONTACT_OPEN, (size_t)moreau->stepper.contacts);
    if (!moreau->acceleration_known) {
        const moreau_point at = moreau->equations.force_anticipates ? moreau->ahead : moreau->vertex;
        moreau->stepper.model->ops->force(moreau->stepper.work, at.t, at.q, u_old, moreau->force);
        mass_factor_solve(&moreau->mass, moreau->force, moreau->acceleration);
        moreau->acceleration_known = moreau->stepper.model->constant_force;
    }
    bool finite = true;
    for (int i = 0; i < moreau->stepper.dof; i++) { /* Moreau 1986 (6.7) */
        double u = u_old[i] + moreau->stepper.h * moreau->acceleration[i];
        moreau->u_free[i] = u;
        moreau->u[i] = u;
        finite = finite && isfinite(u);
    }
    if (finite)
        return CAROM_OK;
    return fail_not_finite(error, moreau->t, step_number(&moreau->stepper), moreau->stepper.model,
                           moreau->force, moreau->u_free);
}

carom_status moreau_find_active(moreau_stepper *moreau, carom_error *error)
{
    const moreau_point at = moreau->equations.test_anticipates ? moreau->ahead : moreau->vertex;
    moreau->active_count = 0;
    if (moreau->stepper.contacts == 0)
        return CAROM_OK;
    moreau->stepper.model->ops->gaps(moreau->stepper.work, at.t, at.q, moreau->gap);
    for (int contact = 0; contact < moreau->stepper.contacts; contact++) {
        double gap = moreau->gap[contact];
        if (gap > 0.0 && gap <= DBL_MAX && !contact_stays(&moreau->rows, &moreau->stepper, contact, gap))
            continue;
        if (!isfinite(gap))
            return fail_step(error, moreau->t, step_number(&moreau->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             moreau->stepper.model->contact[contact].name, gap);
        moreau->active[moreau->active_count++] = contact;
    }
    return CAROM_OK;
}

static carom_status fail_row(const moreau_stepper *moreau, int contact, int component, carom_error *error)
{
    return fail_step(error, moreau->t, step_number(&moreau->stepper),
                     "the %s or its rate of contact '%s' is not a finite number",
                     component == 0 ? "gradient of the gap" : "slip direction",
                     moreau->stepper.model->contact[contact].name);
}

carom_status moreau_contact_rows(moreau_stepper *moreau, int contact, int components, moreau_point point,
                                 carom_error *error)
{
    const carom_contact_info *info = &moreau->stepper.model->contact[contact];
    const int kept = moreau->rows.kept[contact];
    if (info->constant_frame && kept >= components)
        return CAROM_OK;
    moreau->stepper.model->ops->frame(moreau->stepper.work, contact, point.t, point.q,
                                      &moreau->rows.frame[contact]);
    const carom_status status = info->constant_frame
                                    ? CAROM_OK
                                    : contact_check_changed(&moreau->stepper, moreau->t, contact,
                                                            &moreau->rows.frame[contact], error);
    if (status != CAROM_OK)
        return status;
    const bool responds = contact_response(&moreau->rows, contact, 0)->value;
    const normal_fault fault = responds ? NORMAL_FINE : sparse_normals_check(&moreau->sparse, contact);
    if (fault == NORMAL_NOT_FINITE)
        return fail_row(moreau, contact, 0, error);
    for (int component = 1; !responds && component < components; component++)
        if (!carom_all_finite(contact_row(&moreau->rows, contact, component)->count,
                              contact_row(&moreau->rows, contact, component)->value) ||
            !isfinite(moreau->rows.frame[contact].tangent_rate[component - 1]))
            return fail_row(moreau, contact, component, error);
    for (int component = 0; responds && component < components; component++) {
        if (component >= kept)
            mass_factor_answer(&moreau->mass, contact_row(&moreau->rows, contact, component),
                               contact_response(&moreau->rows, contact, component));
        if (!contact_row_finite(&moreau->rows, contact, component))
            return fail_row(moreau, contact, component, error);
    }
    if (fault == NORMAL_ZERO || (responds && !(moreau_normal_response(moreau, contact) > 0.0)))
        return fail_step(
            error, moreau->t, step_number(&moreau->stepper),
            "the gap of contact '%s' has a zero gradient while the contact is active: it gives no "
            "normal direction; write the gap so that its gradient does not vanish where it is 0",
            info->name);
    if (info->constant_rows && components > kept)
        moreau->rows.kept[contact] = components;
    return CAROM_OK;
}

void moreau_finish(moreau_stepper *moreau)
{
    carom_state *state = &moreau->stepper.state;
    const double h = moreau->stepper.h;
    moreau->stepper.counts.steps++;
    state->t = moreau->stepper.t0 + (double)moreau->stepper.counts.steps * h;
    for (int i = 0; i < moreau->stepper.dof; i++) {
        double u = moreau->u[i];
        state->q[i] = moreau->q[i] + 0.5 * h * u; /* Moreau 1986 (6.17) */
        state->v[i] = u;
        moreau->q[i] += h * u; /* (6.8) */
    }
    memcpy(state->impulse, moreau->impulse,
           CAROM_CONTACT_COMPONENTS * (size_t)moreau->stepper.contacts * sizeof(double));
    memcpy(state->regime, moreau->regime, (size_t)moreau->stepper.contacts);
}

/* Accelerations and rows that are kept because they are constant are found again with the same bits. */
void moreau_keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    moreau_stepper *moreau = (moreau_stepper *)stepper;
    carom_snapshot_block(snapshot, moreau->q, (size_t)stepper->dof * sizeof *moreau->q);
    if (moreau->sparse.used)
        sparse_matrix_keep(&moreau->sparse.contacts.matrix, snapshot);
}
