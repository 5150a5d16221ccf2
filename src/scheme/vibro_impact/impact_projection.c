#include "impact_projection.h"

#include <math.h>
#include <string.h>

#include "scheme/parts/contact_warnings.h"

enum {
    ITERATIONS_MAX = 50,
    DESCENTS_MAX = 500
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
    if (lcp->report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
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

/* The projection of x + (w - x) / weight on the admissible positions linearised at x, into system->difference. *change: how far
 * it is from x, relative to the size of x and the model's length; infinite when there is no such projection. */
static carom_status project_linearised(impact_system *system, double t, const double *w, const double *x,
                                       double weight, double *change, carom_error *error)
{
    const int n = system->stepper.dof;
    double *difference = system->difference;
    carom_status status = impact_evaluate_rows(system, t, x, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        difference[i] = (w[i] - x[i]) / weight;
    for (int k = 0; k < system->active_count; k++) {
        const int contact = system->active[k];
        const carom_row *normal = &system->rows.frame[contact].normal;
        system->lcp.vector[k] = system->sparse.used
                                    ? system->gap[contact] - carom_row_dot(normal, x)
                                    : system->gap[contact] + carom_row_dot(normal, difference);
    }
    for (int i = 0; i < n; i++)
        difference[i] = weight == 1.0 ? w[i] : x[i] + difference[i];
    *change = INFINITY;
    const bool applied = apply_multipliers(system, difference);
    if (system->lcp.report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    if (!applied || !carom_all_finite(n, difference))
        return CAROM_OK;
    for (int i = 0; i < n; i++)
        system->trial[i] = difference[i] - x[i];
    *change = impact_position_change(system, system->trial, difference);
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

/* Iterates of a projection. A change that no longer shrinks is small enough when it is rounding. */
static bool has_settled(const impact_system *system, double change, bool stalled)
{
    return gaps_are_affine(system) || change <= position_tolerance ||
           (stalled && change <= fmax(stalled_tolerance, impact_slack(system)));
}

/* Newton's method without the second derivatives of the gaps: it converges by a factor of the order of the violation against
 * the radius of curvature, which is O(h). The multipliers' signs and new contacts are the business of its linear problem.
 * *change is left above the tolerance where it does not contract: the obstacle is curved, and the step goes deep. */
static carom_status iterate(impact_system *system, double t, const double *w, double *x, double *change,
                            carom_error *error)
{
    *change = INFINITY;
    for (int iteration = 0, added = 0; iteration < ITERATIONS_MAX; iteration++) {
        const double last = *change;
        carom_status status = project_linearised(system, t, w, x, 1.0, change, error);
        if (status != CAROM_OK || !isfinite(*change))
            return status;
        memcpy(x, system->difference, (size_t)system->stepper.dof * sizeof *x);
        status = add_violated(system, t, x, &added, error);
        if (status != CAROM_OK)
            return status;
        const bool stalled = *change >= last || iteration + 1 == ITERATIONS_MAX;
        if (added == 0 && has_settled(system, *change, stalled)) {
            *change = 0.0;
            return CAROM_OK;
        }
        if (stalled && added == 0)
            break;
    }
    return CAROM_OK;
}

/* ---- deep steps ------------------------------------------------------------------------------------- */

/* |x - w|^2 / 2 + sum of price times violation: its minimum is the projection when the price of a contact is above its
 * multiplier. Evaluates the gaps. */
static double merit(impact_system *system, double t, const double *w, const double *x)
{
    double *way = system->way;
    for (int i = 0; i < system->stepper.dof; i++)
        way[i] = x[i] - w[i];
    double sum = 0.5 * mass_factor_square(&system->mass, way);
    system->stepper.model->ops->gaps(system->stepper.work, t, x, system->gap);
    for (int contact = 0; contact < system->stepper.contacts; contact++)
        sum += system->price[contact] * fmax(-system->gap[contact], 0.0);
    return sum;
}

/* Sum of multipliers times rates of the gaps along a way, with the rows evaluated last. */
static double curvature_sum(const impact_system *system, int count, double weight, const double *way)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        sum += weight * system->lcp.z[k] * carom_row_dot(&system->rows.frame[system->active[k]].normal, way);
    return sum;
}
/* A share of the way to the linearised projection at which the merit falls enough, into system->trial; false: there is none.
 * Every contact's price is above its multiplier: the way leads down. Prices that were high follow by halves (Powell 1978): high
 * ones forbid long steps along a curved wall. */
static bool search_line(impact_system *system, double t, const double *w, const double *x, double weight)
{
    static const double enough = 1e-4, rounding = 1e-14, smallest = 1e-9;
    const int n = system->stepper.dof;
    double *trial = system->trial;
    const double fall = weight * mass_factor_square(&system->mass, trial);
    for (int k = 0; k < system->active_count; k++) {
        double *price = &system->price[system->active[k]];
        const double least = 1.1 * weight * system->lcp.z[k];
        *price = fmax(least, 0.5 * (*price + least));
    }
    const double before = merit(system, t, w, x);
    for (double share = 1.0; share > smallest; share *= 0.5) {
        for (int i = 0; i < n; i++)
            trial[i] = share == 1.0 ? system->difference[i] : x[i] + share * (system->difference[i] - x[i]);
        if (merit(system, t, w, trial) <= before * (1.0 + rounding) - enough * share * fall)
            return true;
    }
    return false;
}

/* Moves x to the trial. Returns the curvature of the Lagrange function on the way, relative to the mass: the weight with
 * which the next linearised projection looks ahead as far as the obstacle's curvature lets it. */
static carom_status move(impact_system *system, double t, double *x, double *weight, int *added,
                         carom_error *error)
{
    static const double least = 0.25, most = 1e6;
    const int n = system->stepper.dof, count = system->active_count;
    double *way = system->way;
    for (int i = 0; i < n; i++) {
        way[i] = system->trial[i] - x[i];
        x[i] = system->trial[i];
    }
    const double square = mass_factor_square(&system->mass, way);
    const double start = curvature_sum(system, count, *weight, way);
    carom_status status = impact_evaluate_rows(system, t, x, error);
    if (status != CAROM_OK)
        return status;
    const double curvature = start - curvature_sum(system, count, *weight, way);
    if (square > 0.0)
        *weight = fmin(fmax(1.0 + curvature / square, least), most);
    return add_violated(system, t, x, added, error);
}

/* Sequential quadratic programming from w with the weighted mass as the matrix and a line search: it converges wherever the step
 * ends when the set is convex. *change is left above the tolerance when it does not. */
static carom_status descend(impact_system *system, double t, const double *w, double *x, double *change,
                            carom_error *error)
{
    int added = 0;
    double weight = 1.0, last = INFINITY;
    clear_list(system);
    memset(system->price, 0, (size_t)system->stepper.contacts * sizeof *system->price);
    memcpy(x, w, (size_t)system->stepper.dof * sizeof *x);
    carom_status status = add_violated(system, t, x, &added, error);
    for (int iteration = 0; status == CAROM_OK && iteration < DESCENTS_MAX; iteration++) {
        const double used = weight;
        status = project_linearised(system, t, w, x, used, change, error);
        if (status != CAROM_OK || !isfinite(*change) || !search_line(system, t, w, x, used))
            return status;
        status = move(system, t, x, &weight, &added, error);
        if (status == CAROM_OK && added == 0 && has_settled(system, *change, *change >= last)) {
            for (int k = 0; k < system->active_count; k++) /* M (x - w) = G^T z */
                system->lcp.z[k] *= used;
            *change = 0.0;
            return CAROM_OK;
        }
        last = *change;
    }
    return status;
}

static carom_status fail_projection(const impact_system *system, double t, double change, carom_error *error)
{
    const char *name = system->stepper.model->contact[system->active[0]].name;
    char why[160];
    if (!isfinite(change) && misses_tolerance(&system->lcp.report))
        return fail_step(
            error, t, step_number(&system->stepper),
            "projection onto K failed at t=%g: the problem of %d contacts, '%s' among them, was not "
            "solved (%s); give its solver more iterations, or take another",
            t, system->active_count, name, normal_lcp_reason(&system->lcp, why, sizeof why));
    if (!isfinite(change))
        return fail_step(error, t, step_number(&system->stepper),
                         "projection onto K failed at t=%g: the %d contacts there, '%s' among them, leave no "
                         "position; reduce h if the obstacles do leave one",
                         t, system->active_count, name);
    return fail_step(error, t, step_number(&system->stepper),
                     "projection onto K failed at t=%g: the last iteration still moved by %g of the "
                     "position; reduce h, so "
                     "that steps go less deep than the radius of curvature of an obstacle that is not "
                     "convex, or mend a gap "
                     "that is negative everywhere",
                     t, change);
}

carom_status impact_project_position(impact_system *system, double t, const double *w, double *x,
                                     bool *carried, carom_error *error)
{
    int added = 0;
    double change = 0.0;
    system->missed = false;
    clear_list(system);
    memcpy(x, w, (size_t)system->stepper.dof * sizeof *x);
    carom_status status = add_violated(system, t, w, &added, error);
    *carried = added > 0;
    if (status != CAROM_OK || !*carried)
        return status;
    status = iterate(system, t, w, x, &change, error);
    if (status == CAROM_OK && change > 0.0 && isfinite(change))
        status = descend(system, t, w, x, &change, error);
    return status != CAROM_OK || change == 0.0 ? status : fail_projection(system, t, change, error);
}
