/* The contact problem in one Newton iteration of moreau-jean: W = G H^-1 G^T with the Newton matrix H. */
#include "moreau_jean.h"

#include <string.h>

#include "step_failure.h"

static long step_number(const moreau_jean *self)
{
    return self->stepper.counts.steps + 1;
}

static carom_status evaluate_rows(moreau_jean *self, int contact, carom_error *error)
{
    const carom_contact_info *info = &self->model->contact[contact];
    self->model_ops.frame(self->work, contact, self->t, self->q, &self->rows.frame[contact]);
    for (int k = 0; k < contact_components(info); k++) {
        double *response = contact_response(&self->rows, contact, k);
        memcpy(response, contact_row(&self->rows, contact, k), (size_t)self->dof * sizeof(double));
        carom_lu_solve(self->dof, self->factor, self->pivot, response);
        if (!contact_row_finite(&self->rows, contact, k))
            return fail_step(error, self->t, step_number(self),
                             "the %s or its rate of contact '%s' is not a finite number",
                             k == 0 ? "gradient of the gap" : "slip direction", info->name);
    }
    if (carom_dot(self->dof, self->rows.frame[contact].normal, contact_response(&self->rows, contact, 0)) >
        0.0)
        return CAROM_OK;
    return fail_step(error, self->t, step_number(self),
                     "the gap of contact '%s' has a zero gradient while the contact is active, or the matrix "
                     "M + h theta C + h^2 theta^2 K is not positive definite (a smaller step h may help)",
                     info->name);
}

static void count_solve(moreau_jean *self, int iterations, double error)
{
    carom_step_counts *counts = &self->stepper.counts;
    counts->solver_iterations += iterations;
    if (error > counts->worst_solver_error)
        counts->worst_solver_error = error;
}

static carom_status solve_frictionless(moreau_jean *self, carom_error *error)
{
    normal_lcp *lcp = &self->lcp;
    const int count = self->active_count;
    lcp->size = count;
    for (int k = 0; k < count; k++) {
        int contact = self->active[k];
        for (int l = 0; l < count; l++)
            lcp->matrix[k * count + l] = carom_dot(self->dof, self->rows.frame[contact].normal,
                                                   contact_response(&self->rows, self->active[l], 0));
        lcp->vector[k] = contact_velocity(&self->rows, contact, 0, self->v_free) - self->target[contact];
        lcp->z[k] = self->stepper.state.impulse[CAROM_CONTACT_COMPONENTS * contact];
    }
    carom_solve_report report = normal_lcp_solve(lcp, NULL);
    count_solve(self, report.iterations, report.error);
    if (report.status != CAROM_OK)
        return fail_step(error, self->t, step_number(self),
                         "the impulses of %d active contacts were not found: error %g after %d iterations",
                         count, report.error, report.iterations);
    for (int k = 0; k < count; k++)
        carom_axpy(self->dof, lcp->z[k], contact_response(&self->rows, self->active[k], 0), self->v_new);
    return CAROM_OK;
}

static void set_up_sweep(moreau_jean *self)
{
    contact_sweep *sweep = &self->sweep;
    const carom_state *state = &self->stepper.state;
    sweep->count = self->active_count;
    for (int k = 0; k < sweep->count; k++) {
        int contact = self->active[k];
        const carom_contact_info *info = &self->model->contact[contact];
        const carom_contact_frame *frame = &self->rows.frame[contact];
        sweep->tangents[k] = contact_has_friction(info, frame) ? info->tangents : 0;
        sweep->target[k] = self->target[contact];
        sweep->set[k] = carom_friction_law_set(&info->friction, frame->coefficients, info->tangents,
                                               state->branch[contact] == CAROM_CONTACT_STICK);
        for (int i = 0; i <= sweep->tangents[k]; i++) {
            int to = CAROM_CONTACT_COMPONENTS * k + i;
            sweep->u_free[to] = contact_velocity(&self->rows, contact, i, self->v_free);
            sweep->impulse[to] = state->impulse[CAROM_CONTACT_COMPONENTS * contact + i];
        }
    }
    for (int k = 0; k < sweep->count; k++)
        for (int l = 0; l < sweep->count; l++)
            contact_sweep_set_block(sweep, k, l, &self->rows, self->active[k], self->active[l]);
}

static carom_status solve_with_friction(moreau_jean *self, carom_error *error)
{
    contact_sweep *sweep = &self->sweep;
    set_up_sweep(self);
    carom_error why;
    carom_status status = contact_sweep_solve(sweep, &why);
    if (status != CAROM_OK && sweep->failed_contact >= 0)
        return fail_step(error, self->t, step_number(self), "contact '%s': %s",
                         self->model->contact[self->active[sweep->failed_contact]].name, why.text);
    count_solve(self, sweep->sweeps, sweep->error);
    if (status != CAROM_OK)
        return fail_step(error, self->t, step_number(self),
                         "the impulses of %d contacts did not converge: relative error %g after %d sweeps",
                         sweep->count, sweep->error, sweep->sweeps - 1);
    for (int k = 0; k < sweep->count; k++)
        for (int i = 0; i <= sweep->tangents[k]; i++)
            carom_axpy(self->dof, sweep->impulse[CAROM_CONTACT_COMPONENTS * k + i],
                       contact_response(&self->rows, self->active[k], i), self->v_new);
    return CAROM_OK;
}

carom_status moreau_jean_contacts(moreau_jean *self, carom_error *error)
{
    self->friction = false;
    for (int k = 0; k < self->active_count; k++) {
        int contact = self->active[k];
        carom_status status = evaluate_rows(self, contact, error);
        if (status != CAROM_OK)
            return status;
        self->friction = self->friction ||
                         contact_has_friction(&self->model->contact[contact], &self->rows.frame[contact]);
    }
    return self->friction ? solve_with_friction(self, error) : solve_frictionless(self, error);
}

void moreau_jean_record_contacts(moreau_jean *self)
{
    carom_state *state = &self->stepper.state;
    memset(state->impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)self->contacts * sizeof(double));
    memset(state->branch, CAROM_CONTACT_OPEN, (size_t)self->contacts);
    for (int k = 0; k < self->active_count; k++) {
        int contact = self->active[k];
        double *impulse = state->impulse + CAROM_CONTACT_COMPONENTS * contact;
        if (self->friction) {
            for (int i = 0; i <= self->sweep.tangents[k]; i++)
                impulse[i] = self->sweep.impulse[CAROM_CONTACT_COMPONENTS * k + i];
            state->branch[contact] = self->sweep.branch[k];
        } else if (self->lcp.z[k] > 0.0) {
            impulse[0] = self->lcp.z[k];
            state->branch[contact] = CAROM_CONTACT_SLIP;
        }
    }
}
