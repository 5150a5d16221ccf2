/* What reactions of a global problem say, from the motion that belongs to them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/coulomb_summary.h"
#include "contact/coulomb/parts/law_residual.h"
#include "contact/coulomb/parts/refuse_rolling.h"
#include "contact/coulomb/parts/velocity_system.h"
#include "global_system.h"

/* The free motion and that of the reactions: velocities at contacts and reactions, three per contact. */
typedef struct motions {
    double *memory;
    double *q, *u, *r;
    double *v, *l; /* of the reactions; multipliers of equations */
} motions;

static bool take_motions(const carom_coulomb_global *global, motions *found)
{
    const size_t m = 3 * (size_t)global->contacts, n = (size_t)global->M.columns,
                 p = (size_t)global->G.columns;
    found->memory = carom_new_array(3 * m + n + p, sizeof *found->memory);
    if (!found->memory)
        return false;
    found->q = found->memory;
    found->u = found->q + m;
    found->r = found->u + m;
    found->v = found->r + m;
    found->l = found->v + n;
    return true;
}

/* False when blocks do not suit M, or memory is short. */
static bool move_by_blocks(const carom_coulomb_global *global, const double *r, motions *found)
{
    if (!coulomb_velocity_system_suits(global))
        return false;
    coulomb_velocity_system *system = coulomb_velocity_system_create(global);
    bool moved = system && coulomb_velocity_system_factor(system, NULL) &&
                 coulomb_velocity_system_move(system, NULL, found->v) <= coulomb_motion_rounding;
    if (moved) {
        coulomb_velocity_system_contacts(global, found->v, found->q);
        moved = coulomb_velocity_system_move(system, r, found->v) <= coulomb_motion_rounding;
        coulomb_velocity_system_contacts(global, found->v, found->u);
    }
    coulomb_velocity_system_free(system);
    return moved;
}

static carom_status move_by_equations(const carom_coulomb_global *global, motions *found, carom_error *error)
{
    coulomb_global_system *system = NULL;
    const carom_status made = coulomb_global_system_create(global, &system, error);
    if (made != CAROM_OK)
        return made;
    const size_t size = coulomb_global_system_size(system), n = (size_t)global->M.columns;
    const size_t bytes = 3 * (size_t)global->contacts * sizeof(double);
    double *x = carom_new_array(size, sizeof *x);
    if (x) {
        coulomb_global_system_move(system, x);
        memcpy(found->q, x + coulomb_global_system_u(system), bytes);
        memcpy(x + coulomb_global_system_r(system), found->r, bytes);
        coulomb_global_system_move(system, x);
        memcpy(found->u, x + coulomb_global_system_u(system), bytes);
        memcpy(found->v, x, (n + (size_t)global->G.columns) * sizeof *x);
    }
    free(x);
    coulomb_global_system_free(system);
    return x ? CAROM_OK : carom_fail_memory(error);
}

/* The caller frees found->memory. */
static carom_status find_motions(const carom_coulomb_global *global, const double *r, motions *found,
                                 carom_error *error)
{
    const int dimension = global->dimension;
    if (!take_motions(global, found))
        return carom_fail_memory(error);
    for (int at = 0; at < 3 * global->contacts; at++)
        found->r[at] = at % 3 < dimension ? r[at / 3 * dimension + at % 3] : 0.0;
    return move_by_blocks(global, r, found) ? CAROM_OK : move_by_equations(global, found, error);
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

bool coulomb_global_residual(const carom_coulomb_global *global, const double *q, const double *u,
                             const double *three, const double *v, const double *l,
                             carom_coulomb_residual *residual)
{
    const int d = global->dimension;
    double *terms = carom_new_array((size_t)global->M.rows, sizeof *terms);
    double *r = carom_new_array((size_t)(d * global->contacts), sizeof *r);
    const bool taken = terms && r;
    if (taken) {
        coulomb_law_sums sums = {0};
        for (int at = 0; at < d * global->contacts; at++)
            r[at] = three[at / d * 3 + at % d];
        fill_terms(global, r, v, l, terms);
        for (int i = 0; i < global->contacts; i++) {
            double own_q[3], own_u[3], own_r[3];
            take_contact(global, i, q, own_q);
            take_contact(global, i, u, own_u);
            take_contact(global, i, three, own_r);
            coulomb_law_add(&sums, global->mu[i], own_q, own_r, own_u,
                            velocity_terms_square(global, i, terms));
        }
        *residual = coulomb_law_residual(&sums);
    }
    free(terms);
    free(r);
    return taken;
}

carom_status carom_coulomb_examine_global(const carom_coulomb_global *global, const double *r, double *u,
                                          unsigned char *regime, carom_coulomb_summary *summary,
                                          carom_coulomb_residual *residual, carom_error *error)
{
    motions found = {0};
    carom_status status = coulomb_refuse_rolling(global->mu_r, error);
    if (status == CAROM_OK)
        status = find_motions(global, r, &found, error);
    const int dimension = global->dimension, contacts = global->contacts;
    if (status == CAROM_OK && summary) {
        const double q_size = sqrt(carom_dot(3 * contacts, found.q, found.q));
        coulomb_summary_fill(contacts, found.q, found.r, found.u,
                             coulomb_global_error(global, found.u, found.r, q_size), regime, summary);
    }
    for (int at = 0; status == CAROM_OK && u && at < dimension * contacts; at++)
        u[at] = found.u[at / dimension * 3 + at % dimension];
    if (status == CAROM_OK && residual &&
        !coulomb_global_residual(global, found.q, found.u, found.r, found.v, found.l, residual))
        status = carom_fail_memory(error);
    free(found.memory);
    return status;
}

carom_status carom_coulomb_summarise_global(const carom_coulomb_global *global, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error)
{
    return carom_coulomb_examine_global(global, r, u, regime, summary, NULL, error);
}

carom_status carom_coulomb_residuals_global(const carom_coulomb_global *global, const double *r,
                                            carom_coulomb_residual *residual, carom_error *error)
{
    return carom_coulomb_examine_global(global, r, NULL, NULL, NULL, residual, error);
}
