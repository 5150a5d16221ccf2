/* The set-valued friction of an inclusion: one force by itself (a closed form, or Newton's method on the slip
 * where it weakens), sweeps for several. */
#include <math.h>

#include "dai_friction.h"
#include "scheme/parts/step_report.h"

enum {
    SWEEPS_MAX = 10000,
    SWEEPS_WHOLE = 50 /* after which forces that weaken are changed by half */
};
/* Change of an impulse that counts as none, relative to the impulses that its slip is made of. The slip of a
 * force that weakens magnifies rounding, its own and that of the others. */
static const double settled_at = 4e-16, settled_at_weakening = 1e-14;

static double bound_of(const dai_system *system, int k)
{
    return system->stepper.h * system->frame[k].coefficients[0];
}

static bool is_weakening(const dai_system *system, int k)
{
    return system->law[k].Ts > system->law[k].Td;
}

static double clamp(double x, double bound)
{
    return x > bound ? bound : x < -bound ? -bound : x;
}

/* A force that weakens may slide with less than it can hold: its slip tells, not its impulse. */
static bool sticks(const dai_system *system, int k)
{
    return system->weakens && is_weakening(system, k) ? system->slip[k] == 0.0
                                                      : fabs(system->impulse[k]) < bound_of(system, k);
}

/* What rounding makes of the impulse k: that of sum_j W_kj p_j over W_kk, every p_j as large as it can be. */
static void find_settled(dai_system *system, int k)
{
    const double *row = system->delassus + (ptrdiff_t)k * system->forces;
    double sum = 0.0;
    for (int j = 0; j < system->forces; j++)
        sum += fabs(row[j]) * system->stepper.h * system->law[j].Ts;
    system->settled[k] = (system->weakens ? settled_at_weakening : settled_at) * sum / row[k];
}

void dai_find_responses(dai_system *system)
{
    const int n = system->stepper.dof;
    for (int k = 0; k < system->forces; k++) {
        const carom_row *row = &system->frame[k].tangent[0];
        double *response = system->response + (ptrdiff_t)k * n;
        for (int i = 0; i < n; i++)
            response[i] = carom_row_dot(row, system->inverse + (ptrdiff_t)i * n);
        for (int j = 0; j < system->forces; j++)
            system->delassus[j * system->forces + k] = carom_row_dot(&system->frame[j].tangent[0], response);
    }
    for (int k = 0; k < system->forces; k++)
        find_settled(system, k);
}

/* The impulse of a force that weakens, where the slip would be `free` without it: s + W p = free with
 * p = h T(s), or (1/W) s + h T(s) = free/W. It starts from the step before, not from the last sweep, so that
 * equal slips give equal impulses. */
static double weakening_impulse(dai_system *system, int k, double free)
{
    const double a = 1.0 / system->delassus[k * system->forces + k], h = system->stepper.h;
    const carom_weakening *law = &system->law[k];
    double held;
    const double slip = carom_weakening_solve(a, h, a * free, law, system->last_slip[k], &held);
    system->slip[k] = slip;
    return slip == 0.0 ? h * held : h * copysign(carom_weakening_force(law, fabs(slip)), slip);
}

/* One force for the impulses of the others. True: it changed. Less slip makes a force that weakens larger, so
 * that whole changes of it may swing to and fro; halves do not. */
static bool improve_impulse(dai_system *system, int k, bool whole)
{
    const double *row = system->delassus + (ptrdiff_t)k * system->forces, last = system->impulse[k];
    if (is_weakening(system, k)) {
        system->impulse[k] = 0.0;
        const double free = system->free_slip[k] - carom_dot(system->forces, row, system->impulse);
        const double impulse = weakening_impulse(system, k, free);
        system->impulse[k] = whole ? impulse : 0.5 * (last + impulse);
    } else {
        const double slip = system->free_slip[k] - carom_dot(system->forces, row, system->impulse);
        system->impulse[k] = clamp(last + slip / row[k], bound_of(system, k));
    }
    return fabs(system->impulse[k] - last) > system->settled[k];
}

/* Projected Gauss-Seidel on p, from the impulses of the step before. */
static bool sweep(dai_system *system)
{
    for (int iteration = 0; iteration < SWEEPS_MAX; iteration++) {
        bool changed = false;
        for (int k = 0; k < system->forces; k++)
            changed = improve_impulse(system, k, iteration < SWEEPS_WHOLE) || changed;
        if (!changed)
            return true;
    }
    return false;
}

bool dai_apply_friction(dai_system *system, double *v)
{
    const int n = system->stepper.dof, forces = system->forces;
    for (int k = 0; k < forces; k++)
        system->free_slip[k] =
            carom_row_dot(&system->frame[k].tangent[0], v) + system->frame[k].tangent_rate[0];
    if (forces == 1 && !system->weakens)
        system->impulse[0] = clamp(system->free_slip[0] / system->delassus[0], bound_of(system, 0));
    else if (forces == 1)
        system->impulse[0] = weakening_impulse(system, 0, system->free_slip[0]);
    else if (!sweep(system))
        return false;
    for (int k = 0; k < forces; k++)
        carom_axpy(n, -system->impulse[k], system->response + (ptrdiff_t)k * n, v);
    for (int k = 0; k < forces; k++) {
        const carom_contact_frame *frame = &system->frame[k];
        const int place = system->only_place[k];
        if (place >= 0 && sticks(system, k))
            v[place] = frame->tangent_rate[0] == 0.0
                           ? 0.0
                           : -frame->tangent_rate[0] / carom_row_at(&frame->tangent[0], place);
    }
    return true;
}

void dai_record_friction(dai_system *system)
{
    carom_state *state = &system->stepper.state;
    for (int k = 0; k < system->forces; k++) {
        state->impulse[CAROM_CONTACT_COMPONENTS * k + 1] = -system->impulse[k];
        state->regime[k] = sticks(system, k) ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP;
    }
    double *last = system->last_slip;
    system->last_slip = system->slip;
    system->slip = last;
}

/* ---- steps that are too large ------------------------------------------------------------------------- */

static double decline(const dai_system *system, int k)
{
    return carom_weakening_slope(&system->law[k], 0.0);
}

/* sum_j |d_k M^-1 d_j| times the decline of force j: what the slip k gains per time. */
static double decline_by_mass(const dai_system *system, int k)
{
    const int n = system->stepper.dof;
    double total = 0.0;
    for (int j = 0; j < system->forces; j++) {
        const carom_row *row = &system->frame[k].tangent[0], *other = &system->frame[j].tangent[0];
        double coupling = 0.0;
        for (int i = 0; i < row->count; i++)
            coupling += row->value[i] *
                        carom_row_dot(other, system->of_mass + (ptrdiff_t)carom_row_column(row, i) * n);
        total += fabs(coupling) * decline(system, j);
    }
    return total;
}

/* s_k + h sum_j W_kj T_j(s_j) = free slip_k has one solution where no row of h |W| times the declines reaches
 * 1; for one force that is h vd (Ts - Td) < 1/W. */
carom_status dai_check_weakening(const dai_system *system, carom_error *error)
{
    const int forces = system->forces;
    for (int k = 0; system->weakens && k < forces; k++) {
        double gain = 0.0, fastest = 0.0;
        for (int j = 0; j < forces; j++)
            gain += system->stepper.h * fabs(system->delassus[k * forces + j]) * decline(system, j);
        if (!is_weakening(system, k) || gain < 1.0)
            continue;
        for (int j = 0; j < forces; j++)
            fastest = is_weakening(system, j) ? fmax(fastest, decline_by_mass(system, j)) : fastest;
        return carom_fail(error, CAROM_BAD_INPUT,
                          "friction force '%s': step too large: friction law is multivalued over one step, "
                          "h = %g; take h below %.6g",
                          system->stepper.model->contact[k].name, system->stepper.h, 1.0 / fastest);
    }
    return CAROM_OK;
}

/* ---- frames ------------------------------------------------------------------------------------------- */

static void find_only_place(dai_system *system, int k)
{
    const carom_row *row = &system->frame[k].tangent[0];
    int entries = 0;
    for (int i = 0; i < row->count; i++)
        if (row->value[i] != 0.0) {
            system->only_place[k] = carom_row_column(row, i);
            entries++;
        }
    if (entries != 1)
        system->only_place[k] = -1;
}

static carom_status read_law(dai_system *system, int k, carom_error *error)
{
    const carom_contact_info *info = &system->stepper.model->contact[k];
    const double *c = system->frame[k].coefficients;
    const bool weakening = info->friction.dynamic_cone.shape == &carom_friction_weakening;
    system->law[k] = weakening ? (carom_weakening){.Td = c[0], .Ts = c[1], .vd = c[2]}
                               : (carom_weakening){.Td = c[0], .Ts = c[0]};
    system->weakens = system->weakens || is_weakening(system, k);
    return carom_weakening_check(&system->law[k], info->name, error);
}

carom_status dai_read_frames(dai_system *system, double t, const double *q, carom_error *error)
{
    system->weakens = false;
    for (int k = 0; k < system->forces; k++) {
        system->stepper.model->ops->frame(system->stepper.work, k, t, q, &system->frame[k]);
        carom_status status = read_law(system, k, error);
        if (status != CAROM_OK)
            return status;
        for (int i = 0; i < system->algebraic; i++)
            if (carom_row_at(&system->frame[k].tangent[0], system->algebraic_at[i]) != 0.0)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "friction force '%s': its slip contains the velocity of '%s', a coordinate "
                                  "without inertia; write it with the velocities of the others",
                                  system->stepper.model->contact[k].name,
                                  system->stepper.model->coordinate[system->algebraic_at[i]]);
        find_only_place(system, k);
    }
    return CAROM_OK;
}

carom_status dai_update_frames(dai_system *system, double t, const double *q, long step, carom_error *error)
{
    if (system->constant_frames)
        return CAROM_OK;
    carom_error why;
    if (dai_read_frames(system, t, q, &why) != CAROM_OK)
        return fail_step(error, t, step, "%s", why.text);
    dai_find_responses(system);
    return dai_check_weakening(system, &why) == CAROM_OK ? CAROM_OK
                                                         : fail_step(error, t, step, "%s", why.text);
}
