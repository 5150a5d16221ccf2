/* Violation correction, Moreau 1986 Remark 2 of section 10. */
#include "moreau_frame.h"

#include <math.h>
#include <string.h>

/* A pivot this small against its diagonal entry means that a gradient depends on the others. */
static const double dependent_pivot = 1e-12;

/* Keeps those active contacts that are violated at the vertex. */
static carom_status find_violated(moreau_frame *frame, int *count, carom_error *error)
{
    *count = 0;
    frame->stepper.model->ops->gaps(frame->stepper.work, frame->t, frame->q, frame->gap);
    for (int k = 0; k < frame->active_count; k++) {
        int contact = frame->active[k];
        double gap = frame->gap[contact];
        if (!isfinite(gap))
            return fail_step(error, frame->t, step_number(&frame->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             frame->stepper.model->contact[contact].name, gap);
        if (gap >= 0.0)
            continue;
        carom_status status = moreau_contact_rows(frame, contact, 1, frame->q, error);
        if (status != CAROM_OK)
            return status;
        frame->violated[(*count)++] = contact;
    }
    return CAROM_OK;
}

/* Solves (G M^-1 G^T) x = violation; false when the gradients depend on each other. */
static bool solve_dual_basis(moreau_frame *frame, int count, double *matrix, double *x)
{
    for (int a = 0; a < count; a++) {
        const double *row = frame->rows.frame[frame->violated[a]].normal;
        for (int b = 0; b <= a; b++)
            matrix[a * count + b] =
                carom_dot(frame->stepper.dof, row, contact_response(&frame->rows, frame->violated[b], 0));
        x[a] = -frame->gap[frame->violated[a]];
    }
    if (carom_cholesky_factor(count, matrix) != 0)
        return false;
    for (int a = 0; a < count; a++) {
        double pivot = matrix[a * count + a];
        if (pivot * pivot < dependent_pivot * moreau_normal_response(frame, frame->violated[a]))
            return false;
    }
    carom_cholesky_solve(count, matrix, x);
    return true;
}

/* With dependent gradients there is no dual basis: each violation is removed in turn, as far as those
 * before it left any. */
static void correct_one_by_one(moreau_frame *frame, int count, double *shift)
{
    memset(shift, 0, (size_t)frame->stepper.dof * sizeof *shift);
    for (int a = 0; a < count; a++) {
        int contact = frame->violated[a];
        double left =
            frame->gap[contact] + carom_dot(frame->stepper.dof, frame->rows.frame[contact].normal, shift);
        if (left < 0.0)
            carom_axpy(frame->stepper.dof, -left / moreau_normal_response(frame, contact),
                       contact_response(&frame->rows, contact, 0), shift);
    }
}

carom_status moreau_correct_violation(moreau_frame *frame, carom_error *error)
{
    if (frame->active_count == 0)
        return CAROM_OK;
    int count = 0;
    carom_status status = find_violated(frame, &count, error);
    if (status != CAROM_OK || count == 0)
        return status;
    double *x = frame->correction_work + frame->stepper.contacts * frame->stepper.contacts;
    if (solve_dual_basis(frame, count, frame->correction_work, x)) {
        for (int a = 0; a < count; a++) /* Moreau 1986 (10.8) */
            carom_axpy(frame->stepper.dof, x[a], contact_response(&frame->rows, frame->violated[a], 0),
                       frame->q);
        return CAROM_OK;
    }
    double *shift = frame->anticipated; /* no longer needed in this step */
    correct_one_by_one(frame, count, shift);
    carom_axpy(frame->stepper.dof, 1.0, shift, frame->q);
    return CAROM_OK;
}
