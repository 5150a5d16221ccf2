/* The contact problem in one Newton iteration of moreau-jean: W = G H^-1 G^T with the Newton matrix H. */
#include "moreau_jean.h"

#include <string.h>

/* No motion along the normal of a closed contact. */
static carom_status fail_response(moreau_jean *self, int contact, carom_error *error)
{
    const char *name = self->stepper.model->contact[contact].name;
    const carom_row *normal = &self->rows.frame[contact].normal;
    bool zero = true;
    for (int i = 0; i < normal->count; i++)
        zero = zero && normal->value[i] == 0.0;
    if (zero)
        return fail_step(
            error, self->t, step_number(&self->stepper),
            "the gap of contact '%s' has a zero gradient while the contact is active; no step helps: "
            "write the gap so that its gradient does not vanish where it is 0",
            name);
    double *response = contact_response(&self->rows, contact, 0)->value;
    carom_row_spread(normal, self->stepper.dof, response);
    const bool regular = moreau_jean_mass_is_regular(self);
    if (regular)
        newton_matrix_solve(&self->newton, response); /* M^-1, for this text */
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "contact '%s' does not move along the gradient of its gap: the matrix M + h theta C + h^2 "
        "theta^2 K is not positive definite%s",
        name,
        regular && contact_coupling(&self->rows, contact, 0, contact, 0) > 0.0
            ? "; take a smaller step h"
            : ", and neither is the mass matrix M: no step helps");
}

carom_status moreau_jean_fail_held(const moreau_jean *self, int contact, carom_error *error)
{
    return fail_step(
        error, self->t, step_number(&self->stepper),
        "the joints hold contact '%s': they leave its gap no motion, so that its impulse cannot be "
        "told from theirs; leave out the contact, or a joint",
        self->stepper.model->contact[contact].name);
}

carom_status moreau_jean_frame(moreau_jean *self, int contact, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    carom_contact_frame *frame = &self->rows.frame[contact];
    const double ahead = self->prediction * stepper->h;
    if (self->rows_fixed && self->rows_found)
        return CAROM_OK;
    if (self->rows_fixed)
        stepper->model->ops->frame(stepper->work, contact, stepper->state.t + ahead, self->q_rows, frame);
    else
        stepper->model->ops->frame(stepper->work, contact, self->t, self->q, frame);
    return contact_check_step(stepper, self->t, contact, frame, error);
}

/* Rows and responses; what does not change is evaluated once. */
static carom_status evaluate_rows(moreau_jean *self, int contact, carom_error *error)
{
    const carom_contact_info *info = &self->stepper.model->contact[contact];
    contact_rows *rows = &self->rows;
    const int kept = rows->kept[contact], components = contact_components(info);
    if (kept > 0 && info->constant_frame)
        return CAROM_OK;
    const carom_status status = moreau_jean_frame(self, contact, error);
    if (status != CAROM_OK)
        return status;
    for (int k = 0; k < components; k++) {
        double *response = contact_response(rows, contact, k)->value;
        if (k >= kept) {
            const carom_row *row = contact_row(rows, contact, k);
            carom_row_spread(row, self->stepper.dof, response);
            if (self->newton_diagonal) /* of zeros there is nothing to be found */
                for (int i = 0; i < row->count; i++)
                    response[carom_row_column(row, i)] /= self->newton.diagonals[carom_row_column(row, i)];
            else
                newton_matrix_solve(&self->newton, response);
        }
        if (k >= kept && self->joints.count > 0 && !moreau_jean_joints_answer(self, contact, k) && k == 0 &&
            !info->friction_force)
            return moreau_jean_fail_held(self, contact, error);
        const double own = contact_coupling(rows, contact, k, contact, k),
                     rate =
                         k == 0 ? rows->frame[contact].normal_rate : rows->frame[contact].tangent_rate[k - 1];
        if (k == 0)
            self->response[contact] = own;
        if (!isfinite(own + rate)) /* else the row and its response are, too */
            return fail_step(error, self->t, step_number(&self->stepper),
                             "the %s or its rate of contact '%s' is not a finite number",
                             k == 0 ? "gradient of the gap" : "slip direction", info->name);
    }
    if (!info->friction_force && !(self->response[contact] > 0.0))
        return fail_response(self, contact, error);
    if (self->constant_newton && info->constant_rows)
        rows->kept[contact] = components;
    return CAROM_OK;
}

static void set_up_lcp(moreau_jean *self)
{
    normal_lcp *lcp = &self->lcp;
    const int count = self->active_count;
    lcp->size = count;
    for (int k = 0; k < count; k++) {
        int contact = self->active[k];
        for (int l = 0; l < count; l++)
            lcp->matrix[k * count + l] = l == k
                                             ? self->response[contact]
                                             : contact_coupling(&self->rows, contact, 0, self->active[l], 0);
        lcp->vector[k] = contact_velocity(&self->rows, contact, 0, self->v_free) - self->target[contact];
        lcp->z[k] = self->stepper.state.impulse[CAROM_CONTACT_COMPONENTS * contact];
    }
}

static carom_status solve_frictionless(moreau_jean *self, carom_error *error)
{
    normal_lcp *lcp = &self->lcp;
    char why[160];
    set_up_lcp(self);
    carom_solve_report report = normal_lcp_solve(lcp);
    count_report(&self->stepper.counts, &report);
    if (is_useless(&report))
        return fail_step(error, self->t, step_number(&self->stepper),
                         "the impulses of %d active contacts were not found (%s)", self->active_count,
                         normal_lcp_reason(lcp, why, sizeof why));
    self->unsolved = report.status != CAROM_OK;
    for (int k = 0; k < self->active_count; k++)
        carom_row_add(contact_response(&self->rows, self->active[k], 0), lcp->z[k], self->v_new);
    return CAROM_OK;
}

static carom_status solve_with_friction(moreau_jean *self, carom_error *error)
{
    friction_assembly *assembly = &self->assembly;
    for (int k = 0; k < self->active_count; k++)
        assembly->target[k] = self->target[self->active[k]];
    friction_assembly_fill(assembly, self->active_count, &self->stepper.state, self->v_free);
    if (self->oblique)
        moreau_jean_oblique_slips(self);
    carom_status status = friction_assembly_solve(assembly, self->t, &self->stepper.counts, error);
    if (status != CAROM_OK)
        return status;
    self->unsolved = assembly->unsolved;
    for (int k = 0; k < assembly->count; k++)
        for (int i = 0; i <= assembly->tangents[k]; i++)
            carom_row_add(contact_response(&self->rows, self->active[k], i),
                          assembly->impulse[CAROM_CONTACT_COMPONENTS * k + i], self->v_new);
    return CAROM_OK;
}

carom_status moreau_jean_contacts(moreau_jean *self, carom_error *error)
{
    if (self->is_sparse)
        return moreau_jean_sparse_contacts(self, error);
    self->friction = false;
    for (int k = 0; k < self->active_count; k++) {
        int contact = self->active[k];
        carom_status status = evaluate_rows(self, contact, error);
        if (status != CAROM_OK)
            return status;
        self->friction =
            self->friction || self->stepper.model->contact[contact].friction_force ||
            contact_has_friction(&self->stepper.model->contact[contact], &self->rows.frame[contact]);
    }
    self->rows_found = true;
    if (self->oblique)
        moreau_jean_oblique_targets(self);
    carom_copy(self->stepper.dof, self->v_free, self->v_new);
    const carom_status status = moreau_jean_tell_problem(self, error);
    if (status != CAROM_OK)
        return status;
    return self->friction ? solve_with_friction(self, error) : solve_frictionless(self, error);
}

static void clear_contacts(moreau_jean *self)
{
    carom_state *state = &self->stepper.state;
    memset(state->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)self->stepper.contacts * sizeof(double));
    memset(state->regime, CAROM_CONTACT_OPEN, (size_t)self->stepper.contacts);
}

void moreau_jean_record_contacts(moreau_jean *self)
{
    carom_state *state = &self->stepper.state;
    if (!self->clean)
        clear_contacts(self);
    self->clean = self->active_count == 0;
    for (int k = 0; k < self->active_count; k++) {
        int contact = self->active[k];
        double *impulse = state->impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * contact;
        if (self->friction || self->is_sparse) {
            const carom_contact_info *info = &self->stepper.model->contact[contact];
            const int tangents = self->is_sparse ? info->tangents : self->assembly.tangents[k];
            const int first = moreau_jean_first_component(info);
            for (int i = first; i <= tangents; i++)
                impulse[i] = moreau_jean_impulse(self, k, i);
            state->regime[contact] = self->is_sparse ? self->sparse.regime[k] : self->assembly.regime[k];
        } else if (self->lcp.z[k] > 0.0) {
            impulse[0] = self->lcp.z[k];
            state->regime[contact] = CAROM_CONTACT_SLIP;
        }
    }
}
