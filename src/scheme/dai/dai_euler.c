/* Semi-implicit Euler scheme for differential algebraic inclusions (Lamarque and Ture Savadkoohi 2018, (61)):
 *
 *   u_{n+1} = u_n + h M^-1 (f(t_n, q_n, u_n) - sum d_k lambda_k),   lambda_k in T_k Sign(slip_k(u_{n+1})),
 *   q_{n+1} = q_n + h u_n,   z_{n+1} = z_n + h z'(q_n, u_n).
 *
 * Only the friction is implicit. Algebraic variables are integrated, so that g drifts by O(h). An oscillation
 * of frequency w grows at the rate h w^2 / 2, which acts like a negative damping h w^2: for reproduction. */
#include <math.h>
#include <string.h>

#include "dai_system.h"
#include "scheme/parts/step_failure.h"

typedef struct dai_euler {
    dai_system system; /* first */
    double *v;         /* velocity of the step under way */
} dai_euler;

/* Part of a mode's own damping that the scheme's may be before it is told. */
static const double antidamping_allowed = 0.1;

/* -df/dq and -df/du of each coordinate alone, per mass: w^2 and damping. */
static carom_status warn_of_antidamping(dai_system *system, carom_error *error)
{
    const int n = system->dof;
    const carom_state *state = &system->stepper.state;
    double *by_q = carom_arena_take(system->arena, (size_t)n * (size_t)n, sizeof *by_q);
    double *by_u = carom_arena_take(system->arena, (size_t)n * (size_t)n, sizeof *by_u);
    if (!by_q || !by_u)
        return carom_fail_memory(error);
    system->model->ops->force_jacobian(system->work, state->t, state->q, state->v, by_q, by_u);
    if (!dai_eliminate(system, state->t, state->q, by_q))
        return CAROM_OK;
    for (int i = 0; i < n; i++) {
        const int at = i * n + i;
        const double square = -by_q[at] / system->mass[at], damping = -by_u[at] / system->mass[at];
        if (!system->is_algebraic[i] && square > 0.0 && system->h * square > antidamping_allowed * damping)
            carom_warn(&system->stepper.warnings,
                       "anti-damping: explicit Euler adds the damping %.3g to '%s', whose own is %.3g; take "
                       "h well below %.3g or scheme dai-theta",
                       -system->h * square, system->model->coordinate[i], damping,
                       damping > 0.0 ? antidamping_allowed * damping / square : 0.01 / sqrt(square));
    }
    return CAROM_OK;
}

static carom_status create(carom_model_work *work, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_stepper **stepper, carom_error *error)
{
    dai_system *system = NULL;
    carom_status status =
        dai_system_create(sizeof(dai_euler), &carom_scheme_dai_euler, work, settings, q0, v0, &system, error);
    if (status != CAROM_OK)
        return status;
    dai_euler *self = (dai_euler *)system;
    self->v = carom_arena_take(system->arena, (size_t)system->dof, sizeof(double));
    status = self->v ? warn_of_antidamping(system, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = dai_check_weakening(system, error);
    if (status != CAROM_OK) {
        dai_system_free(&system->stepper);
        return status;
    }
    *stepper = &system->stepper;
    return CAROM_OK;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    dai_euler *self = (dai_euler *)stepper;
    dai_system *system = &self->system;
    carom_state *state = &stepper->state;
    const int n = system->dof;
    const long number = stepper->counts.steps + 1;
    const double t = system->t0 + (double)number * system->h;
    system->model->ops->force(system->work, state->t, state->q, state->v, system->force);
    carom_status status = dai_update_frames(system, state->t, state->q, number, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        self->v[i] =
            state->v[i] + system->h * carom_dot(n, system->inverse + (ptrdiff_t)i * n, system->force);
    if (!carom_all_finite(n, self->v))
        return fail_not_finite(error, t, number, system->model, system->force, self->v);
    if (!dai_apply_friction(system, self->v))
        return fail_step(error, t, number, "the friction forces did not converge; take a smaller h");
    carom_axpy(n, system->h, state->v, state->q);
    memcpy(state->v, self->v, (size_t)n * sizeof(double));
    if (!dai_rates(system, t, state->q, state->v))
        return fail_step(error, t, number, "the joints no longer give the coordinates without inertia");
    dai_record_friction(system);
    stepper->counts.steps = number;
    state->t = t;
    return CAROM_OK;
}

const carom_scheme_ops carom_scheme_dai_euler = {
    .name = "dai-euler",
    .summary =
        "explicit Euler with implicit dry friction for differential algebraic inclusions, first order, "
        "anti-damped (Lamarque and Ture Savadkoohi 2018)",
    .options = dai_options,
    .option_count = DAI_OPTION_COUNT,
    .joints = true,
    .inclusions = true,
    .accepts = dai_accepts,
    .create = create,
    .step = step,
    .free = dai_system_free,
};
