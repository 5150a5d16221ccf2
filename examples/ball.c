/* A ball that bounces: a model from two functions, and the program's own loop over time.
 *
 *   cc ball.c $(pkg-config --cflags --libs carom) -o ball && ./ball
 */
#include <carom/carom.h>
#include <stdio.h>

/* A fall from 0.8 m takes 0.4 s and ends at 4 m/s. */
static const double gravity = 10.0, drop = 0.8, restitution = 0.8, step = 1e-4;

/* M v' = force, for a mass of 1 kg; q[0] is the height. */
static void weight(void *context, double t, const double *q, const double *v, double *force)
{
    (void)context, (void)t, (void)q, (void)v;
    force[0] = -gravity;
}

/* The floor: gap >= 0. */
static void height(void *context, double t, const double *q, double *gap)
{
    (void)context, (void)t;
    gap[0] = q[0];
}

/* Follows the motion through five impacts and compares each with the exact one. */
static carom_status follow(carom_stepper *stepper, carom_error *error)
{
    const carom_state *state = &stepper->state; /* the library's; it changes with every step */
    double exact_t = 0.4, exact_v = 4.0 * restitution;
    printf("impact   time      exact     speed after  exact\n");
    for (int impact = 1; impact <= 5;) {
        const carom_status status = carom_stepper_step(stepper, error);
        if (status != CAROM_OK)
            return status;
        if (state->impulse[0] == 0.0)
            continue;
        printf("%4d   %8.4f  %8.4f   %8.4f     %8.4f\n", impact, state->t, exact_t, state->v[0], exact_v);
        exact_t += 2.0 * exact_v / gravity;
        exact_v *= restitution;
        impact++;
    }
    return CAROM_OK;
}

int main(void)
{
    const carom_model_functions ball = {.dof = 1,
                                        .masses = (double[]){1.0},
                                        .force = weight,
                                        .contacts = 1,
                                        .gap = height,
                                        .contact = &(carom_function_contact){.restitution = restitution}};
    const double q0[] = {drop}, v0[] = {0.0};
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_error error;
    carom_status status = carom_model_from_functions(&ball, &model, &error);
    if (status == CAROM_OK)
        status = carom_model_work_create(model, NULL, &work, &error);
    if (status == CAROM_OK)
        status = carom_stepper_create(carom_scheme_find("moreau-jean", &error), work,
                                      &(carom_step_settings){.h = step}, q0, v0, &stepper, &error);
    if (status == CAROM_OK)
        status = follow(stepper, &error);
    if (status != CAROM_OK)
        fprintf(stderr, "ball: %s\n", error.text);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
    return status != CAROM_OK;
}
