/* Violation correction, Moreau 1986 Remark 2 of section 10. */
#include "moreau_stepper.h"

#include <math.h>
#include <string.h>

/* A pivot this small against its diagonal entry means that a gradient depends on the others. */
static const double dependent_pivot = 1e-12;

/* Keeps those active contacts that are violated at the vertex. */
static carom_status find_violated(moreau_stepper *moreau, int *count, carom_error *error)
{
    *count = 0;
    moreau->stepper.model->ops->gaps(moreau->stepper.work, moreau->t, moreau->q, moreau->gap);
    for (int k = 0; k < moreau->active_count; k++) {
        int contact = moreau->active[k];
        double gap = moreau->gap[contact];
        if (!isfinite(gap))
            return fail_step(error, moreau->t, step_number(&moreau->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             moreau->stepper.model->contact[contact].name, gap);
        if (gap >= 0.0)
            continue;
        carom_status status = moreau_contact_rows(moreau, contact, 1, moreau->vertex, error);
        if (status != CAROM_OK)
            return status;
        moreau->violated[(*count)++] = contact;
    }
    return CAROM_OK;
}

/* Solves (G M^-1 G^T) x = violation; false when the gradients depend on each other. */
static bool solve_dual_basis(moreau_stepper *moreau, int count, double *matrix, double *x)
{
    for (int a = 0; a < count; a++) {
        for (int b = 0; b <= a; b++)
            matrix[a * count + b] =
                contact_coupling(&moreau->rows, moreau->violated[a], 0, moreau->violated[b], 0);
        x[a] = -moreau->gap[moreau->violated[a]];
    }
    if (carom_cholesky_factor(count, matrix) != 0)
        return false;
    for (int a = 0; a < count; a++) {
        double pivot = matrix[a * count + a];
        if (pivot * pivot < dependent_pivot * moreau_normal_response(moreau, moreau->violated[a]))
            return false;
    }
    carom_cholesky_solve(count, matrix, x);
    return true;
}

/* With dependent gradients there is no dual basis: each violation is removed in turn, as far as those
 * before it left any. */
static void correct_one_by_one(moreau_stepper *moreau, int count, double *shift)
{
    memset(shift, 0, (size_t)moreau->stepper.dof * sizeof *shift);
    for (int a = 0; a < count; a++) {
        int contact = moreau->violated[a];
        double left = moreau->gap[contact] + carom_row_dot(&moreau->rows.frame[contact].normal, shift);
        if (left < 0.0)
            carom_row_add(contact_response(&moreau->rows, contact, 0),
                          -left / moreau_normal_response(moreau, contact), shift);
    }
}

/* In a sparse model the nearest vertex at which no violated contact is violated any more: the same, but where moving
 * some contacts back would pull at others. */
static carom_status correct_sparse(moreau_stepper *moreau, int count, carom_error *error)
{
    double *z = moreau->correction_work, *rate = z + count;
    for (int a = 0; a < count; a++) {
        const int contact = moreau->violated[a];
        rate[a] = moreau->gap[contact] - carom_row_dot(&moreau->rows.frame[contact].normal, moreau->q);
        z[a] = 0.0;
    }
    const carom_solve_report report =
        sparse_normals_project(&moreau->sparse, count, moreau->violated, rate, moreau->q, moreau->q, z);
    if (!is_useless(&report))
        return CAROM_OK;
    return fail_step(error, moreau->t, step_number(&moreau->stepper),
                     "%d violated contacts were not moved back (error %g)", count, report.error);
}

carom_status moreau_correct_violation(moreau_stepper *moreau, carom_error *error)
{
    if (moreau->active_count == 0)
        return CAROM_OK;
    int count = 0;
    carom_status status = find_violated(moreau, &count, error);
    if (status != CAROM_OK || count == 0)
        return status;
    if (moreau->sparse.used)
        return correct_sparse(moreau, count, error);
    double *x = moreau->correction_work + moreau->stepper.contacts * moreau->stepper.contacts;
    if (solve_dual_basis(moreau, count, moreau->correction_work, x)) {
        for (int a = 0; a < count; a++) /* Moreau 1986 (10.8) */
            carom_row_add(contact_response(&moreau->rows, moreau->violated[a], 0), x[a], moreau->q);
        return CAROM_OK;
    }
    double *shift = moreau->anticipated; /* no longer needed in this step */
    correct_one_by_one(moreau, count, shift);
    carom_axpy(moreau->stepper.dof, 1.0, shift, moreau->q);
    return CAROM_OK;
}
