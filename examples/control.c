/* A pendulum that a motor holds upright: a motion step by step, with an input that a controller chooses before every step.
 *
 *   cc control.c $(pkg-config --cflags --libs carom) -o control && ./control
 *
 *        o  angle 0        angle'' = g / l sin(angle) + u,   u = -40 angle - 8 angle'
 *        |
 *        *                 at t = 1.5 somebody pushes, and the controller is tried with half its gain in a copy of the state
 */
#include <carom/carom.h>
#include <carom/run/stepping.h>
#include <math.h>
#include <stdio.h>

static carom_status build(carom_model **model, carom_error *error)
{
    carom_builder *b = carom_builder_create();
    if (!b)
        return carom_fail(error, CAROM_NO_MEMORY, "out of memory");
    carom_build_coordinate(b, "angle");
    carom_build_input(b, "motor", 0.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(angle)^2 / 2"));
    carom_build_potential(b, carom_build_formula(b, "9.81 * cos(angle)"));
    carom_build_force(b, carom_build_formula(b, "angle"), carom_build_formula(b, "motor"));
    const carom_status status = carom_build_model(b, model, error);
    carom_builder_free(b);
    return status;
}

/* The one input is the first parameter. */
static carom_status control(carom_stepping *motion, double gain, int steps, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < steps; i++) {
        motion->input[0] = gain * (-40.0 * motion->q[0] - 8.0 * motion->v[0]);
        status = carom_stepper_step(motion->stepper, error);
    }
    return status;
}

static carom_status show(carom_stepping *motion, double gain, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int line = 0; status == CAROM_OK && line < 5; line++) {
        status = control(motion, gain, 300, error);
        printf("%5.1f %10.5f %10.5f %10.4f\n", motion->stepper->state.t, motion->q[0], motion->v[0],
               motion->input[0]);
    }
    return status;
}

int main(void)
{
    carom_model *model = NULL;
    carom_stepping *motion = NULL;
    carom_snapshot pushed = {0};
    carom_error error = {0};
    carom_status status = build(&model, &error);
    if (status == CAROM_OK)
        status = carom_stepping_create(
            &(carom_run_request){
                .model = model, .scheme = "moreau-jean", .h = 1e-3, .q0 = (const double[]){0.5}},
            &motion, &error);
    printf("    t      angle       rate      motor\n");
    if (status == CAROM_OK)
        status = show(motion, 1.0, &error);
    if (status == CAROM_OK)
        status = carom_stepping_set(motion, NAN, NULL, (const double[]){-2.0}, &error);
    if (status == CAROM_OK)
        status = carom_stepping_save(motion, &pushed, &error);
    for (int weak = 0; status == CAROM_OK && weak < 2; weak++) {
        printf("pushed%s\n", weak ? ", half the gain" : "");
        status = carom_stepping_restore(motion, pushed.bytes, pushed.length, &error);
        if (status == CAROM_OK)
            status = show(motion, weak ? 0.5 : 1.0, &error);
    }
    if (status != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    carom_snapshot_free(&pushed);
    carom_stepping_free(motion);
    carom_model_free(model);
    return status == CAROM_OK ? 0 : 1;
}
