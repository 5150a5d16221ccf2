#include "impact_projection.h"

#include <math.h>
#include <string.h>

#include "scheme/parts/contact_warnings.h"

enum {
    ITERATIONS_MAX = 50
};

static const double position_tolerance = 1e-14;
/* What is good enough when the change no longer shrinks, or not fast enough. */
static const double stalled_tolerance = 1e-12;

static carom_status evaluate_row(impact_system *system, int contact, double t, const double *q,
                                 carom_error *error)
{
    const carom_contact_info *info = &system->stepper.model->contact[contact];
    contact_rows *rows = &system->rows;
    const bool kept = rows->kept[contact] > 0;
    if (kept && info->constant_frame)
        return CAROM_OK;
    system->stepper.model->ops->frame(system->stepper.work, contact, t, q, &rows->frame[contact]);
    const carom_status status =
        contact_check_step(&system->stepper, t, contact, &rows->frame[contact], error);
    if (status != CAROM_OK)
        return status;
    const bool responds = contact_response(rows, contact, 0)->value;
    if (!kept && responds)
        mass_factor_answer(&system->mass, &rows->frame[contact].normal, contact_response(rows, contact, 0));
    const normal_fault fault = responds ? NORMAL_FINE : sparse_normals_check(&system->sparse, contact);
    if (fault == NORMAL_NOT_FINITE || (responds && !contact_row_finite(rows, contact, 0)))
        return fail_step(error, t, step_number(&system->stepper),
                         "the gradient of the gap of contact '%s' or its rate is not a finite number",
                         info->name);
    if (fault == NORMAL_ZERO || (responds && !(contact_coupling(rows, contact, 0, contact, 0) > 0.0)))
        return fail_step(error, t, step_number(&system->stepper),
                         "the gap of contact '%s' has a zero gradient at contact", info->name);
    if (system->mass.constant && info->constant_rows)
        rows->kept[contact] = 1;
    return CAROM_OK;
}

carom_status impact_evaluate_rows(impact_system *system, double t, const double *q, carom_error *error)
{
    const int count = system->active_count;
    normal_lcp *lcp = &system->lcp;
    for (int k = 0; k < count; k++) {
        carom_status status = evaluate_row(system, system->active[k], t, q, error);
        if (status != CAROM_OK)
            return status;
    }
    lcp->size = count;
    if (system->sparse.used)
        return CAROM_OK;
    for (int k = 0; k < count; k++)
        for (int l = 0; l <= k; l++)
            lcp->matrix[k * count + l] = lcp->matrix[l * count + k] =
                contact_coupling(&system->rows, system->active[k], 0, system->active[l], 0);
    return CAROM_OK;
}

static double restitution_of(const impact_system *system, int contact)
{
    const bool rebounds =
        system->rebound != IMPACT_REBOUND_NONE && system->stepper.model->contact[contact].has_restitution;
    return rebounds ? system->rows.frame[contact].restitution : 0.0;
}

carom_status impact_common_restitution(const impact_system *system, double *restitution, carom_error *error)
{
    *restitution = 0.0;
    for (int k = 0; k < system->active_count; k++) {
        const int contact = system->active[k], first = system->active[0];
        const double value = restitution_of(system, contact), common = restitution_of(system, first);
        if (!(value >= 0.0 && value <= 1.0))
            return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': restitution e=%g must lie in [0,1]",
                              system->stepper.model->contact[contact].name, value);
        if (value != common)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contacts '%s' and '%s' have restitution %g and %g; all contacts that act "
                              "together must have the same restitution in scheme '%s' (without one: 0)",
                              system->stepper.model->contact[first].name,
                              system->stepper.model->contact[contact].name, common, value,
                              system->stepper.ops->name);
        *restitution = common;
    }
    return CAROM_OK;
}

/* The pair of the list whose angle is looked at, and the time. */
typedef struct angle_look {
    impact_system *system;
    double t;
} angle_look;

static bool look_at_angle(void *context, int first, int second)
{
    const angle_look *look = context;
    impact_system *system = look->system;
    const int a = system->active[second], b = system->active[first];
    const double pair[4] = {contact_coupling(&system->rows, b, 0, b, 0), 0.0,
                            contact_coupling(&system->rows, a, 0, b, 0),
                            contact_coupling(&system->rows, a, 0, a, 0)};
    warn_about_angles(&system->stepper.warnings, &system->angle_warned, 2, pair, system->restitution,
                      look->t);
    return !system->angle_warned;
}

/* In a sparse model whose mass is not diagonal all contacts act on each other a little: nothing is said of them. */
void impact_check_angles(impact_system *system, double t)
{
    if (system->sparse.used) {
        angle_look look = {system, t};
        if (system->mass.diagonal && !system->angle_warned)
            sparse_normals_pairs(&system->sparse, system->active_count, system->active, look_at_angle, &look);
        return;
    }
    warn_about_angles(&system->stepper.warnings, &system->angle_warned, system->active_count,
                      system->lcp.matrix, system->restitution, t);
}

/* Solves for the multipliers and moves x by them; false: nothing useful was found. In a sparse model the vector has the rates alone, as x is known. */
static bool apply_multipliers(impact_system *system, double *x)
{
    normal_lcp *lcp = &system->lcp;
    const carom_solve_report report = system->sparse.used
                                          ? sparse_normals_project(&system->sparse, system->active_count,
                                                                   system->active, lcp->vector, x, x, lcp->z)
                                          : normal_lcp_solve(lcp);
    lcp->report = report;
    if (!accept_report(&system->stepper.counts, &report, &system->missed))
        return false;
    for (int k = 0; !system->sparse.used && k < system->active_count; k++)
        carom_row_add(contact_response(&system->rows, system->active[k], 0), lcp->z[k], x);
    return true;
}

carom_status impact_project_velocity(impact_system *system, double t, const double *u, double *v,
                                     bool *carried, carom_error *error)
{
    normal_lcp *lcp = &system->lcp;
    memcpy(v, u, (size_t)system->stepper.dof * sizeof *v);
    *carried = system->missed = false;
    for (int k = 0; k < system->active_count; k++) {
        const double rate = contact_velocity(&system->rows, system->active[k], 0, u);
        lcp->vector[k] = system->sparse.used ? system->rows.frame[system->active[k]].normal_rate : rate;
        lcp->z[k] = 0.0;
        *carried = *carried || rate < 0.0;
    }
    if (!*carried || apply_multipliers(system, v))
        return CAROM_OK;
    system->stepper.end_word = "corner";
    char why[160];
    return fail_step(error, t, step_number(&system->stepper), "dependent active constraints at t=%g (%s)", t,
                     normal_lcp_reason(lcp, why, sizeof why));
}

static bool is_active(const impact_system *system, int contact)
{
    if (system->is_listed)
        return system->is_listed[contact];
    for (int k = 0; k < system->active_count; k++)
        if (system->active[k] == contact)
            return true;
    return false;
}

/* A list of very many contacts is not searched. */
static void list(impact_system *system, int contact)
{
    system->lcp.z[system->active_count] = 0.0;
    system->active[system->active_count++] = contact;
    if (system->is_listed)
        system->is_listed[contact] = true;
}

static void clear_list(impact_system *system)
{
    system->active_count = 0;
    if (system->is_listed)
        memset(system->is_listed, 0, (size_t)system->stepper.contacts * sizeof *system->is_listed);
}

/* Evaluates the gaps and adds the contacts that are violated to the active ones; their number. */
static carom_status add_violated(impact_system *system, double t, const double *x, int *added,
                                 carom_error *error)
{
    *added = 0;
    if (system->stepper.contacts > 0)
        system->stepper.model->ops->gaps(system->stepper.work, t, x, system->gap);
    for (int contact = 0; contact < system->stepper.contacts; contact++) {
        if (system->gap[contact] >= 0.0)
            continue;
        if (!isfinite(system->gap[contact]))
            return fail_step(error, t, step_number(&system->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             system->stepper.model->contact[contact].name, system->gap[contact]);
        if (is_active(system, contact))
            continue;
        list(system, contact);
        (*added)++;
    }
    return CAROM_OK;
}

/* One iteration: the projection of w on the admissible positions linearised at x. *change: how far x moved,
 * relative to 1 + |x|; infinite when there is no such projection. */
static carom_status project_linearised(impact_system *system, double t, const double *w, double *x,
                                       double *change, carom_error *error)
{
    const int n = system->stepper.dof;
    double *difference = system->difference, size = 0.0, moved = 0.0;
    carom_status status = impact_evaluate_rows(system, t, x, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        difference[i] = w[i] - x[i];
    for (int k = 0; k < system->active_count; k++) {
        const int contact = system->active[k];
        const carom_row *normal = &system->rows.frame[contact].normal;
        system->lcp.vector[k] = system->sparse.used
                                    ? system->gap[contact] - carom_row_dot(normal, x)
                                    : system->gap[contact] + carom_row_dot(normal, difference);
    }
    memcpy(difference, w, (size_t)n * sizeof *w);
    *change = INFINITY;
    if (!apply_multipliers(system, difference))
        return CAROM_OK;
    for (int i = 0; i < n; i++) {
        moved = fmax(moved, fabs(difference[i] - x[i]));
        size = fmax(size, fabs(difference[i]));
        x[i] = difference[i];
    }
    *change = carom_all_finite(n, x) ? moved / (1.0 + size) : INFINITY;
    return CAROM_OK;
}

/* Affine gaps are projected on exactly by the first iteration. */
static bool gaps_are_affine(const impact_system *system)
{
    for (int k = 0; k < system->active_count; k++)
        if (!system->stepper.model->contact[system->active[k]].constant_rows)
            return false;
    return true;
}

/* Newton's method without the second derivatives of the gaps: it converges by a factor of the order of the
 * violation, which is O(h). The multipliers' signs and new contacts are the business of its linear problem.
 */
carom_status impact_project_position(impact_system *system, double t, const double *w, double *x,
                                     bool *carried, carom_error *error)
{
    int added = 0;
    double change = INFINITY;
    system->missed = false;
    clear_list(system);
    memcpy(x, w, (size_t)system->stepper.dof * sizeof *x);
    carom_status status = add_violated(system, t, w, &added, error);
    *carried = added > 0;
    if (status != CAROM_OK || !*carried)
        return status;
    for (int iteration = 0; iteration < ITERATIONS_MAX; iteration++) {
        const double last = change;
        status = project_linearised(system, t, w, x, &change, error);
        if (status != CAROM_OK)
            return status;
        if (!isfinite(change))
            break;
        status = add_violated(system, t, x, &added, error);
        if (status != CAROM_OK)
            return status;
        const bool stalled = change >= last || iteration + 1 == ITERATIONS_MAX;
        const bool settled = gaps_are_affine(system) || change <= position_tolerance ||
                             (stalled && change <= fmax(stalled_tolerance, impact_slack(system)));
        if (added == 0 && settled)
            return CAROM_OK;
    }
    char why[160];
    if (!isfinite(change) && misses_tolerance(&system->lcp.report))
        return fail_step(
            error, t, step_number(&system->stepper),
            "projection onto K failed at t=%g: the problem of %d contacts, '%s' among them, was not "
            "solved (%s); give its solver more iterations, or take another",
            t, system->active_count, system->stepper.model->contact[system->active[0]].name,
            normal_lcp_reason(&system->lcp, why, sizeof why));
    if (!isfinite(change))
        return fail_step(error, t, step_number(&system->stepper),
                         "projection onto K failed at t=%g: the %d contacts there, '%s' among them, leave no "
                         "position; reduce h if the obstacles do leave one",
                         t, system->active_count, system->stepper.model->contact[system->active[0]].name);
    return fail_step(
        error, t, step_number(&system->stepper),
        "projection onto K failed at t=%g: the last iteration still moved by %g; reduce h, so that "
        "steps go less deep than the obstacle's radius of curvature, or mend a gap that is "
        "negative everywhere",
        t, change);
}
