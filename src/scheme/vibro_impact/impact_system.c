#include "impact_system.h"

#include <math.h>
#include <string.h>

#include "impact_projection.h"
#include "scheme/parts/constant_mass.h"
#include "scheme/parts/new_stepper.h"
#include "scheme/parts/step_failure.h"

/* A speed beyond this is a motion that blows up. */
static const double speed_limit = 1e12;

carom_status impact_system_accepts(const carom_model *model, carom_error *error)
{
    (void)model;
    (void)error;
    return CAROM_OK;
}

/* ---- a step -------------------------------------------------------------------------------------- */

carom_status impact_evaluate_metric(impact_system *system, double t, const double *q, carom_error *error)
{
    int bad_row = impact_metric_evaluate(&system->metric, system->work, t, q);
    if (bad_row == 0)
        return CAROM_OK;
    return fail_step(error, t, impact_step_number(system),
                     "mass matrix not positive definite at t=%g (pivot %d, coordinate '%s')", t, bad_row,
                     system->model->coordinate[bad_row - 1]);
}

carom_status impact_accelerate(impact_system *system, double t, const double *q, const double *u,
                               carom_error *error)
{
    if (system->acceleration_constant)
        return CAROM_OK;
    const size_t bytes = (size_t)system->dof * sizeof(double);
    system->model_ops.force(system->work, t, q, u, system->force);
    if (!carom_all_finite(system->dof, system->force)) {
        system->stepper.end_word = "blowup";
        return fail_not_finite(error, t, impact_step_number(system), system->model, system->force, u);
    }
    memcpy(system->acceleration, system->force, bytes);
    impact_metric_solve(&system->metric, system->acceleration);
    system->acceleration_constant = system->model->constant_force && system->metric.constant;
    return CAROM_OK;
}

carom_status impact_find_active(impact_system *system, double t, const double *q, double tolerance,
                                carom_error *error)
{
    system->active_count = 0;
    if (system->contacts > 0)
        system->model_ops.gaps(system->work, t, q, system->gap);
    for (int contact = 0; contact < system->contacts; contact++) {
        if (system->gap[contact] > tolerance)
            continue;
        if (!isfinite(system->gap[contact]))
            return fail_step(error, t, impact_step_number(system),
                             "the gap of contact '%s' is %g; it must be a finite number",
                             system->model->contact[contact].name, system->gap[contact]);
        system->active[system->active_count++] = contact;
    }
    if (system->active_count == 0)
        return CAROM_OK;
    carom_status status = impact_evaluate_rows(system, t, q, error);
    if (status != CAROM_OK)
        return status;
    carom_error why;
    if (impact_common_restitution(system, &system->restitution, &why) != CAROM_OK)
        return fail_step(error, t, impact_step_number(system), "%s", why.text);
    impact_check_angles(system, t);
    return CAROM_OK;
}

int impact_first_beyond_limit(const impact_system *system, const double *u)
{
    int i = 0;
    while (i < system->dof && fabs(u[i]) <= speed_limit) /* false for what is not a number */
        i++;
    return i;
}

carom_status impact_check_velocity(impact_system *system, double t, const double *u, carom_error *error)
{
    int i = impact_first_beyond_limit(system, u);
    if (i == system->dof)
        return CAROM_OK;
    system->stepper.end_word = "blowup";
    return fail_step(error, t, impact_step_number(system),
                     "the motion blows up: the velocity of coordinate '%s' is %g, its limit is %g; the last "
                     "good time is %.9g",
                     system->model->coordinate[i], u[i], speed_limit, system->stepper.state.t);
}

void impact_take_impulses(impact_system *system, double factor)
{
    for (int contact = 0; contact < system->contacts; contact++)
        system->impulse[contact] = 0.0;
    for (int k = 0; k < system->active_count; k++)
        system->impulse[system->active[k]] = factor * system->lcp.z[k];
}

void impact_record_impulses(impact_system *system)
{
    carom_state *state = &system->stepper.state;
    for (int contact = 0; contact < system->contacts; contact++) {
        const double impulse = system->impulse[contact];
        state->impulse[CAROM_CONTACT_COMPONENTS * contact] = impulse;
        state->branch[contact] = impulse > 0.0 ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    }
}

/* ---- creation ------------------------------------------------------------------------------------ */

static bool take_memory(impact_system *system)
{
    const size_t dof = (size_t)system->dof, contacts = (size_t)system->contacts;
    carom_arena *arena = system->arena;
    carom_state *state = &system->stepper.state;
    double **vectors[] = {&state->q, &state->v, &system->force, &system->acceleration, &system->difference};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        if (!(*vectors[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    state->impulse = carom_arena_take(arena, CAROM_CONTACT_COMPONENTS * contacts, sizeof(double));
    state->branch = carom_arena_take(arena, contacts, 1);
    system->gap = carom_arena_take(arena, contacts, sizeof(double));
    system->impulse = carom_arena_take(arena, contacts, sizeof(double));
    system->active = carom_arena_take(arena, contacts, sizeof(int));
    return state->impulse && state->branch && system->gap && system->impulse && system->active &&
           impact_metric_take(&system->metric, arena, system->model) &&
           contact_rows_take(&system->rows, arena, system->model) &&
           normal_lcp_take(&system->lcp, arena, system->contacts);
}

/* Friction and restitution as they are at the start. */
static carom_status check_contacts(impact_system *system, const double *q0, carom_error *error)
{
    for (int contact = 0; contact < system->contacts; contact++) {
        const carom_contact_info *info = &system->model->contact[contact];
        carom_contact_frame *frame = &system->rows.frame[contact];
        system->model_ops.frame(system->work, contact, system->t0, q0, frame);
        if (contact_has_friction(info, frame))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has friction, which scheme '%s' does not treat; take moreau-jean",
                              info->name, system->stepper.ops->name);
        system->active_count = system->rebound == IMPACT_REBOUND_COMMON ? contact + 1 : 1;
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
    carom_status status = impact_evaluate_metric(system, system->t0, state->q, error);
    if (status == CAROM_OK)
        status = impact_find_active(system, system->t0, state->q, 0.0, error);
    if (status == CAROM_OK)
        status = impact_project_velocity(system, system->t0, state->v, u, &carried, error);
    if (status != CAROM_OK || !carried)
        return status;
    for (int k = 0; k < system->active_count; k++) {
        const double rate = contact_velocity(&system->rows, system->active[k], 0, state->v);
        if (rate < 0.0)
            carom_warn(&system->stepper.warnings,
                       "contact '%s' is closed at the start and closing (gap rate %g): the run starts with "
                       "the velocity after that impact",
                       system->model->contact[system->active[k]].name, rate);
    }
    const double e = system->restitution;
    for (int i = 0; i < system->dof; i++)
        state->v[i] = -e * state->v[i] + (1.0 + e) * u[i];
    return CAROM_OK;
}

static carom_status set_up(impact_system *system, const double *q0, const double *v0, carom_error *error)
{
    if (!take_memory(system))
        return carom_fail_memory(error);
    carom_state *state = &system->stepper.state;
    state->t = system->t0;
    memcpy(state->q, q0, (size_t)system->dof * sizeof *q0);
    memcpy(state->v, v0, (size_t)system->dof * sizeof *v0);
    constant_mass at_start; /* not kept: its checks are wanted */
    carom_status status = constant_mass_create(system->arena, system->work, system->t0, q0, &at_start, error);
    if (status == CAROM_OK)
        status = check_contacts(system, q0, error);
    if (status == CAROM_OK && system->rebound != IMPACT_REBOUND_NONE)
        status = apply_initial_impact(system, error);
    return status;
}

carom_status impact_system_create(size_t size, const carom_scheme_ops *scheme, impact_rebound rebound,
                                  carom_model_work *work, const carom_step_settings *settings,
                                  const double *q0, const double *v0, impact_system **system,
                                  carom_error *error)
{
    carom_arena *arena = NULL;
    void *made = NULL;
    carom_status status = new_stepper(size, scheme, work->model, settings, q0, v0, &made, &arena, error);
    if (status != CAROM_OK)
        return status;
    impact_system *self = made;
    self->arena = arena;
    self->work = work;
    self->model = work->model;
    self->model_ops = *work->model->ops;
    self->dof = work->model->dof;
    self->contacts = work->model->contacts;
    self->t0 = settings->t0;
    self->h = settings->h;
    self->rebound = rebound;
    status = set_up(self, q0, v0, error);
    if (status != CAROM_OK) {
        carom_arena_free(arena);
        return status;
    }
    *system = self;
    return CAROM_OK;
}

void impact_system_free(carom_stepper *stepper)
{
    if (stepper)
        carom_arena_free(((impact_system *)stepper)->arena);
}
