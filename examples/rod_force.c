/* The force in the rod of a pendulum: a motion step by step, with accelerations and forces of joints.
 *
 *   cc rod_force.c $(pkg-config --cflags --libs carom) -o rod_force && ./rod_force
 *
 *      o                  a mass m = 3 at x, y, on a rod of length l = 2 from the origin
 *       \
 *        \  |             the rod pulls with m g cos(angle) + m v^2 / l
 *         * v g
 */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static const double m = 3.0, l = 2.0, g = 9.81;

static carom_status build(carom_model **model, carom_error *error)
{
    carom_builder *b = carom_builder_create();
    if (!b)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, carom_build_formula(b, "3/2 * (dot(x)^2 + dot(y)^2)"));
    carom_build_potential(b, carom_build_formula(b, "3 * 9.81 * y"));
    carom_build_joint(b, "rod", carom_build_formula(b, "hypot(x, y) - 2"));
    const carom_status status = carom_build_model(b, model, error);
    carom_builder_free(b);
    return status;
}

/* A negative force of the joint makes the rod shorter: it pulls. */
static carom_status print(carom_stepper *stepper, carom_error *error)
{
    double acceleration[2], rod;
    const carom_state *at = &stepper->state;
    const carom_status status = carom_stepper_forces(stepper, acceleration, &rod, error);
    if (status == CAROM_OK)
        printf("%4.1f %9.4f %9.4f %12.4f %12.4f %12.4f\n", at->t, at->q[0], at->q[1], acceleration[1], rod,
               -m * g * (-at->q[1] / l) - m * (at->v[0] * at->v[0] + at->v[1] * at->v[1]) / l);
    return status;
}

int main(void)
{
    enum {
        STEPS = 100 /* between two lines */
    };
    const double q0[2] = {l * sin(1.0), -l * cos(1.0)}, v0[2] = {0.0, 0.0};
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    carom_status status = build(&model, &error);
    if (status == CAROM_OK)
        status = carom_model_work_create(model, NULL, &work, &error);
    if (status == CAROM_OK)
        status = carom_stepper_create(carom_scheme_find("generalized-alpha", &error), work,
                                      &(carom_step_settings){.h = 1e-3}, q0, v0, &stepper, &error);
    if (status == CAROM_OK)
        status = carom_stepper_watch(stepper, &error); /* accelerations are wanted */
    if (status == CAROM_OK) {
        printf("   t         x         y          y''          rod        exact\n");
        status = print(stepper, &error);
    }
    for (int step = 1; status == CAROM_OK && step <= 10 * STEPS; step++) {
        status = carom_stepper_step(stepper, &error);
        if (status == CAROM_OK && step % STEPS == 0)
            status = print(stepper, &error);
    }
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
    return status == CAROM_OK ? 0 : 1;
}
