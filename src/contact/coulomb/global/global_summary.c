/* What reactions of a global problem say, from the motion that belongs to them. */
#include <math.h>
#include <stdlib.h>

#include "contact/coulomb/parts/coulomb_summary.h"
#include "contact/coulomb/parts/law_residual.h"
#include "global_system.h"

/* The reactions of x become those given, the rest follows. */
static void move(coulomb_global_system *system, const carom_coulomb_global *global, const double *given,
                 double *x)
{
    const int dimension = global->dimension;
    double *r = x + coulomb_global_system_r(system);
    for (int at = 0; at < 3 * global->contacts; at++)
        r[at] = at % 3 < dimension ? given[at / 3 * dimension + at % 3] : 0.0;
    coulomb_global_system_move(system, x);
}

carom_status carom_coulomb_summarise_global(const carom_coulomb_global *global, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error)
{
    coulomb_global_system *system = NULL;
    const carom_status made = coulomb_global_system_create(global, &system, error);
    if (made != CAROM_OK)
        return made;
    const size_t size = coulomb_global_system_size(system);
    double *free_motion = carom_new_array(size, sizeof *free_motion), *x = carom_new_array(size, sizeof *x);
    const bool taken = free_motion && x;
    if (taken) {
        const int dimension = global->dimension, contacts = global->contacts;
        const double *q = free_motion + coulomb_global_system_u(system);
        const double *three = x + coulomb_global_system_u(system);
        coulomb_global_system_move(system, free_motion);
        move(system, global, r, x);
        const double q_size = sqrt(carom_dot(3 * contacts, q, q));
        coulomb_summary_fill(contacts, q, x + coulomb_global_system_r(system), three,
                             coulomb_global_system_error(system, x, q_size), regime, summary);
        for (int at = 0; at < dimension * contacts; at++)
            u[at] = three[at / dimension * 3 + at % dimension];
    }
    free(free_motion);
    free(x);
    coulomb_global_system_free(system);
    return taken ? CAROM_OK : carom_fail_memory(error);
}

/* ---- the law, part by part ------------------------------------------------------------------------------ */

/* y += |A| |x| */
static void add_sizes(const carom_sparse *a, const double *x, double *y)
{
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            y[a->row[k]] += fabs(a->value[k] * x[j]);
}

static double diagonal_of(const carom_sparse *M, int i)
{
    double sum = 0.0;
    for (int k = M->column_start[i]; k < M->column_start[i + 1]; k++)
        sum += M->row[k] == i ? fabs(M->value[k]) : 0.0;
    return sum;
}

/* How large the terms are that v is the sum of: |v| + (|f| + |H| |r| + |G| |l|) / M_ii. */
static void fill_terms(const carom_coulomb_global *global, const double *r, const double *v, const double *l,
                       double *terms)
{
    const int n = global->M.rows;
    for (int i = 0; i < n; i++)
        terms[i] = fabs(global->f[i]);
    add_sizes(&global->H, r, terms);
    if (global->G.columns > 0)
        add_sizes(&global->G, l, terms);
    for (int i = 0; i < n; i++)
        terms[i] = fabs(v[i]) + terms[i] / diagonal_of(&global->M, i);
}

/* |H^T| terms + |w| of a contact, squared. */
static double velocity_terms_square(const carom_coulomb_global *global, int contact, const double *terms)
{
    double square = 0.0;
    for (int k = 0; k < global->dimension; k++) {
        const int column = contact * global->dimension + k;
        double sum = fabs(global->w[column]);
        for (int at = global->H.column_start[column]; at < global->H.column_start[column + 1]; at++)
            sum += fabs(global->H.value[at]) * terms[global->H.row[at]];
        square += sum * sum;
    }
    return square;
}

/* In the plane the system has a second tangent of its own, which no law asks. */
static void take_contact(const carom_coulomb_global *global, int contact, const double *three, double one[3])
{
    for (int k = 0; k < 3; k++)
        one[k] = k < global->dimension ? three[3 * (ptrdiff_t)contact + k] : 0.0;
}

carom_status carom_coulomb_residuals_global(const carom_coulomb_global *global, const double *r,
                                            carom_coulomb_residual *residual, carom_error *error)
{
    coulomb_global_system *system = NULL;
    const carom_status made = coulomb_global_system_create(global, &system, error);
    if (made != CAROM_OK)
        return made;
    const size_t size = coulomb_global_system_size(system), n = (size_t)global->M.rows;
    double *free_motion = carom_new_array(size, sizeof *free_motion), *x = carom_new_array(size, sizeof *x),
           *terms = carom_new_array(n, sizeof *terms);
    const bool taken = free_motion && x && terms;
    if (taken) {
        coulomb_law_sums sums = {0};
        coulomb_global_system_move(system, free_motion);
        move(system, global, r, x);
        fill_terms(global, r, x, x + n, terms);
        for (int i = 0; i < global->contacts; i++) {
            double q[3], u[3], own[3];
            take_contact(global, i, free_motion + coulomb_global_system_u(system), q);
            take_contact(global, i, x + coulomb_global_system_u(system), u);
            take_contact(global, i, x + coulomb_global_system_r(system), own);
            coulomb_law_add(&sums, global->mu[i], q, own, u, velocity_terms_square(global, i, terms));
        }
        *residual = coulomb_law_residual(&sums);
    }
    free(free_motion);
    free(x);
    free(terms);
    coulomb_global_system_free(system);
    return taken ? CAROM_OK : carom_fail_memory(error);
}
