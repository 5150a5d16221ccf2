/* The set-valued friction of an inclusion: one closed form for one force, sweeps for several. */
#include <math.h>

#include "dai_friction.h"
#include "step_failure.h"

enum {
    SWEEPS_MAX = 10000
};

static double bound_of(const dai_system *system, int k)
{
    return system->h * system->frame[k].coefficients[0];
}

static double clamp(double x, double bound)
{
    return x > bound ? bound : x < -bound ? -bound : x;
}

void dai_find_responses(dai_system *system)
{
    const int n = system->dof;
    for (int k = 0; k < system->forces; k++) {
        const double *row = system->frame[k].tangent[0];
        double *response = system->response + (ptrdiff_t)k * n;
        for (int i = 0; i < n; i++)
            response[i] = carom_dot(n, system->inverse + (ptrdiff_t)i * n, row);
        for (int j = 0; j < system->forces; j++)
            system->delassus[j * system->forces + k] = carom_dot(n, system->frame[j].tangent[0], response);
    }
}

/* Projected Gauss-Seidel on p, from the impulses of the step before. */
static bool sweep(dai_system *system)
{
    const int forces = system->forces;
    for (int iteration = 0; iteration < SWEEPS_MAX; iteration++) {
        bool changed = false;
        for (int k = 0; k < forces; k++) {
            const double *row = system->delassus + (ptrdiff_t)k * forces, bound = bound_of(system, k);
            const double slip = system->free_slip[k] - carom_dot(forces, row, system->impulse);
            const double impulse = clamp(system->impulse[k] + slip / row[k], bound);
            changed = changed || fabs(impulse - system->impulse[k]) > 4e-16 * bound;
            system->impulse[k] = impulse;
        }
        if (!changed)
            return true;
    }
    return false;
}

bool dai_apply_friction(dai_system *system, double *v)
{
    const int n = system->dof, forces = system->forces;
    for (int k = 0; k < forces; k++)
        system->free_slip[k] =
            carom_dot(n, system->frame[k].tangent[0], v) + system->frame[k].tangent_rate[0];
    if (forces == 1)
        system->impulse[0] = clamp(system->free_slip[0] / system->delassus[0], bound_of(system, 0));
    else if (!sweep(system))
        return false;
    for (int k = 0; k < forces; k++)
        carom_axpy(n, -system->impulse[k], system->response + (ptrdiff_t)k * n, v);
    for (int k = 0; k < forces; k++) {
        const carom_contact_frame *frame = &system->frame[k];
        const int place = system->only_place[k];
        if (place >= 0 && fabs(system->impulse[k]) < bound_of(system, k))
            v[place] =
                frame->tangent_rate[0] == 0.0 ? 0.0 : -frame->tangent_rate[0] / frame->tangent[0][place];
    }
    return true;
}

void dai_record_friction(dai_system *system)
{
    carom_state *state = &system->stepper.state;
    for (int k = 0; k < system->forces; k++) {
        const bool sticks = fabs(system->impulse[k]) < bound_of(system, k);
        state->impulse[CAROM_CONTACT_COMPONENTS * k + 1] = -system->impulse[k];
        state->branch[k] = sticks ? CAROM_CONTACT_STICK : CAROM_CONTACT_SLIP;
    }
}

/* ---- frames ---------------------------------------------------------------------------------------------
 */

static void find_only_place(dai_system *system, int k)
{
    int entries = 0;
    for (int i = 0; i < system->dof; i++)
        if (system->frame[k].tangent[0][i] != 0.0) {
            system->only_place[k] = i;
            entries++;
        }
    if (entries != 1)
        system->only_place[k] = -1;
}

carom_status dai_read_frames(dai_system *system, double t, const double *q, carom_error *error)
{
    for (int k = 0; k < system->forces; k++) {
        const carom_contact_info *info = &system->model->contact[k];
        system->model->ops->frame(system->work, k, t, q, &system->frame[k]);
        const double bound = system->frame[k].coefficients[0];
        if (!(bound >= 0.0) || !isfinite(bound))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "friction force '%s': its bound is %g; it must be finite and not negative, or "
                              "friction would drive the motion",
                              info->name, bound);
        for (int i = 0; i < system->algebraic; i++)
            if (system->frame[k].tangent[0][system->algebraic_at[i]] != 0.0)
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "friction force '%s': its slip contains the velocity of '%s', a coordinate "
                                  "without inertia; write it with the velocities of the others",
                                  info->name, system->model->coordinate[system->algebraic_at[i]]);
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
    return CAROM_OK;
}
