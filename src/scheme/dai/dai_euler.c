/* Semi-implicit Euler scheme for differential algebraic inclusions (Lamarque and Ture Savadkoohi 2018, (61)):
 *
 *   u_{n+1} = u_n + h M^-1 (f(t_n, q_n, u_n) - sum d_k lambda_k),   lambda_k in T_k Sign(slip_k(u_{n+1})),
 *   q_{n+1} = q_n + h u_n,   z_{n+1} = z_n + h z'(q_n, u_n).
 *
 * Only the friction is implicit. Algebraic variables are integrated, so that g drifts by O(h). An oscillation
 * of frequency w grows at the rate h w^2 / 2, which acts like a negative damping h w^2: for reproduction. */
#include <math.h>
#include <string.h>

#include "dai_tangent.h"
#include "scheme/parts/step_report.h"

typedef struct dai_euler {
    dai_system system; /* first */
    double *v;         /* velocity of the step under way */
} dai_euler;

/* Part of a mode's own damping that the scheme's may be before it is told. */
static const double antidamping_allowed = 0.1;

/* -df/dq and -df/du of each coordinate alone, per mass: w^2 and damping. */
static carom_status warn_of_antidamping(dai_system *system, carom_error *error)
{
    const int n = system->stepper.dof;
    const carom_state *state = &system->stepper.state;
    double *by_q = carom_arena_take(system->stepper.arena, carom_product((size_t)n, (size_t)n), sizeof *by_q);
    double *by_u = carom_arena_take(system->stepper.arena, carom_product((size_t)n, (size_t)n), sizeof *by_u);
    if (!by_q || !by_u)
        return carom_fail_memory(error);
    system->stepper.model->ops->force_jacobian(system->stepper.work, state->t, state->q, state->v, by_q,
                                               by_u);
    if (!dai_eliminate(system, state->t, state->q, by_q))
        return CAROM_OK;
    char able[200];
    for (int i = 0; i < n; i++) {
        const int at = i * n + i;
        const double square = -by_q[at] / system->mass[at], damping = -by_u[at] / system->mass[at];
        if (!system->is_algebraic[i] && square > 0.0 &&
            system->stepper.h * square > antidamping_allowed * damping)
            carom_warn(&system->stepper.warnings,
                       "anti-damping: explicit Euler adds the damping %.3g to '%s', whose own is %.3g; take "
                       "h well below %.3g or scheme %s",
                       -system->stepper.h * square, system->stepper.model->coordinate[i], damping,
                       damping > 0.0 ? antidamping_allowed * damping / square : 0.01 / sqrt(square),
                       carom_scheme_names_with(CAROM_SCHEME_INCLUSIONS, able, sizeof able));
    }
    return CAROM_OK;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    dai_euler *self = (dai_euler *)stepper;
    dai_system *system = &self->system;
    self->v = carom_arena_take(stepper->arena, (size_t)stepper->dof, sizeof(double));
    if (!self->v)
        return carom_fail_memory(error);
    carom_status status = dai_system_setup(system, error);
    if (status == CAROM_OK)
        status = warn_of_antidamping(system, error);
    return status == CAROM_OK ? dai_check_weakening(system, error) : status;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    dai_euler *self = (dai_euler *)stepper;
    dai_system *system = &self->system;
    carom_state *state = &stepper->state;
    const int n = system->stepper.dof;
    const long number = step_number(stepper);
    const double t = step_end(stepper);
    system->stepper.model->ops->force(system->stepper.work, state->t, state->q, state->v, system->force);
    carom_status status = dai_update_frames(system, state->t, state->q, number, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < n; i++)
        self->v[i] =
            state->v[i] + system->stepper.h * carom_dot(n, system->inverse + (ptrdiff_t)i * n, system->force);
    if (!carom_all_finite(n, self->v))
        return fail_not_finite(error, t, number, system->stepper.model, system->force, self->v);
    if (!dai_apply_friction(system, self->v))
        return fail_step(error, t, number,
                         "the friction forces did not converge; a smaller h helps where they weaken with the "
                         "slip, otherwise two of them brake the same motion: join them");
    carom_axpy(n, system->stepper.h, state->v, state->q);
    memcpy(state->v, self->v, (size_t)n * sizeof(double));
    if (!dai_rates(system, t, state->q, state->v))
        return fail_step(error, t, number, "the joints no longer give the coordinates without inertia");
    dai_record_friction(system);
    stepper->counts.steps = number;
    state->t = t;
    return CAROM_OK;
}

/* ---- derivatives ----------------------------------------------------------------------------------------- */

static void describe(const carom_stepper *stepper, velocity_step *step)
{
    dai_describe(stepper, step);
    step->end = (step_point){1.0, 1.0, 0.0};
    step->force[0].weight = 1.0;
}

static carom_status tangent_setup(carom_tangent *base, carom_error *error)
{
    static const velocity_description description = {
        .step = describe, .massless = dai_massless, .rates_along = dai_rates_along};
    return dai_tangent_setup(base, &description, error);
}

static const carom_tangent_ops tangent = {
    .bytes = sizeof(dai_tangent),
    .accepts = dai_tangent_accepts,
    .setup = tangent_setup,
    .step = velocity_tangent_step,
    .corrects_start = true,
};

const carom_scheme_ops scheme_dai_euler = {
    .name = "dai-euler",
    .summary =
        "explicit Euler with implicit dry friction for differential algebraic inclusions, first order, "
        "anti-damped (Lamarque and Ture Savadkoohi 2018)",
    .options = dai_options,
    .option_count = DAI_OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_FRICTION_FORCES | CAROM_SCHEME_JOINTS |
                 CAROM_SCHEME_INCLUSIONS,
    .for_comparison = true,
    .size = sizeof(dai_euler),
    .accepts = dai_accepts,
    .setup = setup,
    .step = step,
    .keep = dai_system_keep,
    .tangent = &tangent,
};
