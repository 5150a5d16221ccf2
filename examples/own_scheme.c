/* A scheme of the program's own: one struct, two functions, registered at run time, then chosen by name.
 *
 *   cc own_scheme.c $(pkg-config --cflags --libs carom) -o own_scheme && ./own_scheme
 *
 * Symplectic Euler with an inelastic floor, for models with a diagonal mass and without friction:
 *
 *   v = v + h M^-1 f(t, q, v),   for each contact with gap <= 0 that approaches: v = v + M^-1 n p,   q = q + h v,
 *
 * where p = -n.v / (n.M^-1 n) stops the approach; contacts are taken one after the other.
 */
#include <carom/carom.h>
#include <stdio.h>

typedef struct euler {
    carom_stepper base; /* first: what every stepper has, filled by the library */
    double *mass, *force, *gap;
    carom_contact_frame frame;
} euler;

/* All memory is taken here, from the stepper's arena, which the library frees. */
static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    euler *self = (euler *)stepper;
    const size_t n = (size_t)stepper->dof;
    self->mass = carom_arena_take(stepper->arena, n * n, sizeof(double));
    self->force = carom_arena_take(stepper->arena, n, sizeof(double));
    self->gap = carom_arena_take(stepper->arena, (size_t)stepper->contacts, sizeof(double));
    if (!self->mass || !self->force || !self->gap ||
        !carom_contact_frame_take(stepper->arena, stepper->model, &self->frame))
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    return CAROM_OK;
}

/* Stops the approach at one contact; returns the impulse. */
static double strike(const euler *self, const carom_row *normal, double *v)
{
    const int n = self->base.dof;
    double approach = self->frame.normal_rate, compliance = 0.0;
    for (int k = 0; k < normal->count; k++) {
        const int i = carom_row_column(normal, k);
        approach += normal->value[k] * v[i];
        compliance += normal->value[k] * normal->value[k] / self->mass[i * n + i];
    }
    const double p = approach < 0.0 ? -approach / compliance : 0.0;
    for (int k = 0; k < normal->count; k++) {
        const int i = carom_row_column(normal, k);
        v[i] += normal->value[k] / self->mass[i * n + i] * p;
    }
    return p;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    (void)error; /* nothing can fail */
    euler *self = (euler *)stepper;
    const carom_model_ops *model = stepper->model->ops;
    carom_state *state = &stepper->state;
    model->mass(stepper->work, state->t, state->q, self->mass);
    model->force(stepper->work, state->t, state->q, state->v, self->force);
    for (int i = 0; i < stepper->dof; i++)
        state->v[i] += stepper->h * self->force[i] / self->mass[i * stepper->dof + i];
    model->gaps(stepper->work, state->t, state->q, self->gap);
    for (int k = 0; k < stepper->contacts; k++) {
        state->impulse[3 * k] = 0.0;
        if (self->gap[k] <= 0.0) {
            model->frame(stepper->work, k, state->t, state->q, &self->frame);
            state->impulse[3 * k] = strike(self, &self->frame.normal, state->v);
        }
        state->regime[k] = state->impulse[3 * k] > 0.0 ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    }
    for (int i = 0; i < stepper->dof; i++)
        state->q[i] += stepper->h * state->v[i];
    state->t = stepper->t0 + (double)++stepper->counts.steps * stepper->h;
    return CAROM_OK;
}

static const carom_scheme_ops symplectic_euler = {.name = "symplectic-euler",
                                                  .summary = "explicit, inelastic contacts one by one",
                                                  .abilities = CAROM_SCHEME_ANY_MASS,
                                                  .size = sizeof(euler),
                                                  .setup = setup,
                                                  .step = step};

/* Two stacked masses that fall, as a model file would say it. */
static const char model[] = "local x, y = coordinates('x', 'y')\n"
                            "mass { x = 1, y = 2 }\n"
                            "potential(9.81 * (x + 2*y))\n"
                            "contact { 'floor', gap = x - 1 }\n"
                            "contact { 'stack', gap = y - x - 1 }\n"
                            "initial { x = 1.5, y = 3 }\n"
                            "integrate { scheme = 'inel', h = 1e-4, until_t = 1 }\n";

int main(void)
{
    carom_experiment *experiment = NULL;
    carom_error error;
    carom_status status = carom_scheme_register(&symplectic_euler, &error);
    if (status == CAROM_OK)
        status = carom_experiment_load(&(carom_load_request){.text = model}, &experiment, &error);
    const char *const names[] = {"inel", "symplectic-euler"};
    for (int i = 0; status == CAROM_OK && i < 2; i++) {
        carom_run_result result;
        status =
            carom_run(&(carom_run_request){.experiment = experiment, .scheme = names[i]}, &result, &error);
        if (status == CAROM_OK)
            printf("%-16s  x %6.3f  y %6.3f  impacts %ld  deepest penetration %.0e\n", names[i],
                   result.final[result.layout.q], result.final[result.layout.q + 1], result.impacts,
                   result.max_penetration);
        carom_run_result_free(&result);
    }
    if (status != CAROM_OK)
        fprintf(stderr, "own_scheme: %s\n", error.text);
    carom_experiment_free(experiment);
    return status != CAROM_OK;
}
