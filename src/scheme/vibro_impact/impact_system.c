#include "impact_system.h"

#include <math.h>
#include <string.h>

#include "impact_projection.h"
#include "scheme/parts/contact_warnings.h"

/* A speed beyond this multiple of the model's speed is a motion that blows up. */
static const double speed_limit = 1e12;

double impact_position_change(const impact_system *system, const double *change, const double *x)
{
    const carom_scales *scales = &system->stepper.scales;
    const double size = mass_factor_square(&system->mass, x) + scales->mass * scales->length * scales->length;
    return sqrt(mass_factor_square(&system->mass, change) / size);
}

double impact_velocity_change(const impact_system *system, const double *change, const double *u)
{
    const double h = system->stepper.h;
    const double size = mass_factor_square(&system->mass, u) +
                        mass_factor_square(&system->mass, system->stepper.state.v) +
                        h * h * mass_factor_square(&system->mass, system->acceleration);
    return size > 0.0 ? sqrt(mass_factor_square(&system->mass, change) / size) : 0.0;
}

/* ---- a step -------------------------------------------------------------------------------------- */

carom_status impact_evaluate_metric(impact_system *system, double t, const double *q, carom_error *error)
{
    int bad_row = mass_factor_evaluate(&system->mass, system->stepper.work, t, q);
    if (bad_row == 0)
        return CAROM_OK;
    return fail_step(error, t, step_number(&system->stepper),
                     "mass matrix not positive definite at t=%g (pivot %d, coordinate '%s')", t, bad_row,
                     system->stepper.model->coordinate[bad_row - 1]);
}

carom_status impact_accelerate(impact_system *system, double t, const double *q, const double *u,
                               carom_error *error)
{
    if (system->acceleration_constant)
        return CAROM_OK;
    system->stepper.model->ops->force(system->stepper.work, t, q, u, system->force);
    if (!carom_all_finite(system->stepper.dof, system->force)) {
        system->stepper.end_word = "blowup";
        return fail_not_finite(error, t, step_number(&system->stepper), system->stepper.model, system->force,
                               u);
    }
    mass_factor_solve(&system->mass, system->force, system->acceleration);
    system->acceleration_constant = system->stepper.model->constant_force && system->mass.constant;
    return CAROM_OK;
}

/* A length in the unit of a contact's gap: times the size of the gradient that was evaluated last, in the kinetic metric where
 * its response is known. */
static double length_of_gap(const impact_system *system, int contact, double length)
{
    if (length == 0.0)
        return 0.0;
    const contact_rows *rows = &system->rows;
    const carom_row *normal = &rows->frame[contact].normal;
    const double response =
        contact_response(rows, contact, 0)->value ? contact_coupling(rows, contact, 0, contact, 0) : 0.0;
    return length *
           sqrt(response > 0.0 ? response * system->stepper.scales.mass : carom_row_product(normal, normal));
}

carom_status impact_find_active(impact_system *system, double t, const double *q, double tolerance,
                                carom_error *error)
{
    system->active_count = 0;
    if (system->stepper.contacts > 0)
        system->stepper.model->ops->gaps(system->stepper.work, t, q, system->gap);
    for (int contact = 0; contact < system->stepper.contacts; contact++) {
        const double gap = system->gap[contact];
        if (gap > 0.0 && !(gap <= length_of_gap(system, contact, tolerance)) &&
            !contact_stays(&system->rows, &system->stepper, contact, gap))
            continue;
        if (!isfinite(system->gap[contact]))
            return fail_step(error, t, step_number(&system->stepper),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             system->stepper.model->contact[contact].name, system->gap[contact]);
        system->active[system->active_count++] = contact;
    }
    if (system->active_count == 0)
        return CAROM_OK;
    carom_status status = impact_evaluate_rows(system, t, q, error);
    if (status != CAROM_OK)
        return status;
    carom_error why;
    if (impact_common_restitution(system, &system->restitution, &why) != CAROM_OK)
        return fail_step(error, t, step_number(&system->stepper), "%s", why.text);
    impact_check_angles(system, t);
    return CAROM_OK;
}

static double fastest(const impact_system *system)
{
    return speed_limit * carom_scales_speed(&system->stepper.scales);
}

int impact_first_beyond_limit(const impact_system *system, const double *u)
{
    const double limit = fastest(system);
    int i = 0;
    while (i < system->stepper.dof && fabs(u[i]) <= limit) /* false for NaN */
        i++;
    return i;
}

carom_status impact_check_velocity(impact_system *system, double t, const double *u, carom_error *error)
{
    int i = impact_first_beyond_limit(system, u);
    if (i == system->stepper.dof)
        return CAROM_OK;
    system->stepper.end_word = "blowup";
    return fail_step(error, t, step_number(&system->stepper),
                     "the motion blows up: the velocity of coordinate '%s' is %g, its limit is %g; the last "
                     "good time is %.9g",
                     system->stepper.model->coordinate[i], u[i], fastest(system), system->stepper.state.t);
}

void impact_take_impulses(impact_system *system, double factor)
{
    for (int contact = 0; contact < system->stepper.contacts; contact++)
        system->impulse[contact] = 0.0;
    for (int k = 0; k < system->active_count; k++)
        system->impulse[system->active[k]] = factor * system->lcp.z[k];
}

void impact_record_impulses(impact_system *system)
{
    carom_state *state = &system->stepper.state;
    for (int contact = 0; contact < system->stepper.contacts; contact++) {
        const double impulse = system->impulse[contact];
        state->impulse[CAROM_CONTACT_COMPONENTS * contact] = impulse;
        state->regime[contact] = impulse > 0.0 ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    }
}

/* ---- creation ------------------------------------------------------------------------------------ */

static bool take_memory(impact_system *system)
{
    const size_t dof = (size_t)system->stepper.dof, contacts = (size_t)system->stepper.contacts;
    carom_arena *arena = system->stepper.arena;
    double **vectors[] = {&system->force, &system->acceleration, &system->difference, &system->trial,
                          &system->way};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    system->gap = carom_arena_take(arena, contacts, sizeof(double));
    system->impulse = carom_arena_take(arena, contacts, sizeof(double));
    system->price = carom_arena_take(arena, contacts, sizeof(double));
    system->active = carom_arena_take(arena, contacts, sizeof(int));
    if (sparse_normals_serve(&system->stepper) &&
        !(system->is_listed = carom_arena_take(arena, contacts, sizeof(bool))))
        return false;
    return system->gap && system->impulse && system->price && system->active &&
           mass_factor_take(&system->mass, arena, system->stepper.model) &&
           contact_rows_take(&system->rows, arena, system->stepper.model,
                             sparse_normals_responses(&system->stepper)) &&
           sparse_normals_take(&system->sparse, &system->stepper, &system->mass, &system->rows);
}

/* Restitution as it is at the start. */
static carom_status check_contacts(impact_system *system, carom_error *error)
{
    const carom_stepper *stepper = &system->stepper;
    const carom_state *state = &stepper->state;
    for (int contact = 0; contact < stepper->contacts; contact++) {
        carom_contact_frame *frame = &system->rows.frame[contact];
        stepper->model->ops->frame(stepper->work, contact, state->t, state->q, frame);
        /* each is compared with the first, where all must be alike */
        system->active[0] = 0;
        system->active_count = system->rebound == IMPACT_REBOUND_COMMON && contact > 0 ? 2 : 1;
        system->active[system->active_count - 1] = contact;
        carom_status status = impact_common_restitution(system, &system->restitution, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* The impact law for an initial velocity that drives into closed contacts. */
static carom_status apply_initial_impact(impact_system *system, carom_error *error)
{
    carom_state *state = &system->stepper.state;
    double *u = system->difference;
    bool carried = false;
    carom_status status = impact_evaluate_metric(system, system->stepper.t0, state->q, error);
    if (status == CAROM_OK)
        status = impact_find_active(system, system->stepper.t0, state->q, 0.0, error);
    if (status == CAROM_OK)
        status = impact_project_velocity(system, system->stepper.t0, state->v, u, &carried, error);
    if (status != CAROM_OK || !carried)
        return status;
    system->stepper.counts.unsolved += system->missed;
    for (int k = 0; k < system->active_count; k++) {
        if (is_closing(&system->rows, system->active[k], state->v))
            carom_warn(&system->stepper.warnings,
                       "contact '%s' is closed at the start and closing (gap rate %g): the run starts with "
                       "the velocity after that impact",
                       system->stepper.model->contact[system->active[k]].name,
                       contact_velocity(&system->rows, system->active[k], 0, state->v));
    }
    const double e = system->restitution;
    for (int i = 0; i < system->stepper.dof; i++)
        state->v[i] = -e * state->v[i] + (1.0 + e) * u[i];
    return CAROM_OK;
}

carom_status impact_system_setup(impact_system *system, impact_rebound rebound, carom_error *error)
{
    const carom_state *state = &system->stepper.state;
    system->rebound = rebound;
    if (!take_memory(system))
        return carom_fail_memory(error);
    carom_status status = normal_lcp_setup(&system->lcp, &system->stepper, error);
    if (status == CAROM_OK)
        status = mass_check(system->stepper.work, state->t, state->q, NULL, error);
    if (status == CAROM_OK)
        status = check_contacts(system, error);
    if (status == CAROM_OK && rebound != IMPACT_REBOUND_NONE)
        status = apply_initial_impact(system, error);
    return status;
}

void impact_system_free(carom_stepper *stepper)
{
    normal_lcp_free(&((impact_system *)stepper)->lcp);
    sparse_normals_free(&((impact_system *)stepper)->sparse);
    mass_factor_free(&((impact_system *)stepper)->mass);
}

void impact_system_keep(impact_system *system, carom_snapshot *snapshot)
{
    const size_t contacts = (size_t)system->stepper.contacts;
    normal_lcp_keep(&system->lcp, system->stepper.contacts, snapshot);
    if (system->sparse.used)
        sparse_matrix_keep(&system->sparse.contacts.matrix, snapshot);
    mass_factor_keep(&system->mass, snapshot);
    carom_snapshot_block(snapshot, &system->active_count, sizeof system->active_count);
    carom_snapshot_block(snapshot, system->active, contacts * sizeof *system->active);
    carom_snapshot_block(snapshot, &system->restitution, sizeof system->restitution);
    carom_snapshot_block(snapshot, system->impulse, contacts * sizeof *system->impulse);
    carom_snapshot_block(snapshot, &system->angle_warned, sizeof system->angle_warned);
}
