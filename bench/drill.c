/* Drill strings.
 *
 *   drill startup   400 s of start-up, four discs, h = 1e-3 s, by controller; wanted: below 1 s each
 *   drill field     100 s of 18 nodes from rest
 *   drill design    gains by Riccati equations; an H-infinity controller with its check; the analysis of a
 * loop
 *
 * Rows:  drill startup CONTROLLER STEPS SECONDS NANOSECONDS_PER_STEP,  drill field STEPS SECONDS,
 *        drill design WHAT MILLISECONDS.
 * Seconds are those of the processor, the best of several runs on one core. */
#include "carom/subject/drilling.h"
#include "measure.h"

static carom_drill_plant *make_plant(const carom_drill_string *string)
{
    carom_drill_plant *plant;
    carom_error error;
    if (carom_drill_plant_create(string, carom_drill_slope(&string->bit, carom_rpm(5.5)), &plant, &error) !=
        CAROM_OK)
        stop("plant", &error);
    return plant;
}

static carom_drill_string *make_setup(void)
{
    carom_drill_string *string;
    carom_error error;
    if (carom_drill_setup(&string, &error) != CAROM_OK)
        stop("setup", &error);
    return string;
}

static timing best_motion(const carom_drill_request *request)
{
    timing best = {.seconds = INFINITY};
    for (int i = 0; i < RUNS_LEAST; i++) {
        carom_drill_motion *motion;
        carom_error error;
        const double started = processor_seconds();
        if (carom_drill_run(request, &motion, &error) != CAROM_OK)
            stop("run", &error);
        best.seconds = fmin(best.seconds, processor_seconds() - started);
        best.steps = motion->steps;
        carom_drill_motion_free(motion);
    }
    return best;
}

static carom_drill_controller *make_hinf(const carom_drill_plant *plant)
{
    const carom_drill_weights weights = carom_drill_weights_high();
    carom_drill_hinf result;
    carom_drill_controller *controller;
    carom_error error;
    if (carom_drill_hinf_solve(plant, &weights, 0.13, 0.158, 1.0, &result, &controller, &error) != CAROM_OK)
        stop("hinf", &error);
    return controller;
}

static carom_drill_controller *make_lqg(const carom_drill_plant *plant)
{
    const carom_drill_lqg_options options = carom_drill_lqg_defaults();
    carom_drill_controller *controller;
    carom_error error;
    if (carom_drill_lqg(plant, &options, NULL, NULL, &controller, &error) != CAROM_OK)
        stop("lqg", &error);
    return controller;
}

static carom_drill_controller *make_soft_torque(double ct, double kt)
{
    carom_drill_controller *controller;
    carom_error error;
    if (carom_drill_soft_torque(ct, kt, &controller, &error) != CAROM_OK)
        stop("softtorque", &error);
    return controller;
}

static void measure_startup(void)
{
    static const char *const name[] = {"softtorque", "lqg", "hinf"};
    carom_drill_string *string = make_setup();
    carom_drill_plant *plant = make_plant(string);
    carom_drill_controller *controller[] = {make_soft_torque(2.93, 1.87), make_lqg(plant), make_hinf(plant)};
    for (int i = 0; i < 3; i++) {
        carom_drill_request request = carom_drill_request_defaults();
        request.string = string;
        request.controller = controller[i];
        const timing best = best_motion(&request);
        printf("drill startup %-10s %ld %.3f %.0f\n", name[i], best.steps, best.seconds,
               nanoseconds_per_step(best));
        carom_drill_controller_free(controller[i]);
    }
    carom_drill_plant_free(plant);
    carom_drill_string_free(string);
}

static void measure_field(void)
{
    carom_drill_string *string;
    carom_error error;
    if (carom_drill_demonstration_string(&string, &error) != CAROM_OK)
        stop("elements", &error);
    carom_drill_controller *controller = make_soft_torque(1829.0, 1177.0);
    carom_drill_request request = carom_drill_request_defaults();
    request.string = string;
    request.controller = controller;
    request.rpm = 50.0;
    request.constant = true;
    request.kick = -1.0;
    request.t_end = 100.0;
    const timing best = best_motion(&request);
    printf("drill field %ld %.3f\n", best.steps, best.seconds);
    carom_drill_controller_free(controller);
    carom_drill_string_free(string);
}

static void measure_loop(const carom_drill_plant *plant, const carom_drill_controller *controller)
{
    carom_drill_loop *loop;
    carom_error error;
    double norm, hertz, slope;
    if (carom_drill_loop_create(plant, controller, &loop, &error) != CAROM_OK ||
        carom_drill_loop_norm(loop, &norm, &hertz, &error) != CAROM_OK ||
        carom_drill_critical_slope(loop, 20.0, &slope, &error) != CAROM_OK)
        stop("loop", &error);
    carom_drill_loop_free(loop);
}

static void measure_design(void)
{
    carom_drill_string *string = make_setup();
    carom_drill_plant *plant = make_plant(string);
    double lqg = INFINITY, hinf = INFINITY, loop = INFINITY;
    for (int i = 0; i < RUNS_LEAST; i++) {
        double started = processor_seconds();
        carom_drill_controller *gains = make_lqg(plant);
        lqg = fmin(lqg, processor_seconds() - started);
        started = processor_seconds();
        carom_drill_controller *robust = make_hinf(plant);
        hinf = fmin(hinf, processor_seconds() - started);
        started = processor_seconds();
        measure_loop(plant, robust);
        loop = fmin(loop, processor_seconds() - started);
        carom_drill_controller_free(gains);
        carom_drill_controller_free(robust);
    }
    printf("drill design lqg %.3f\ndrill design hinf %.3f\ndrill design loop %.3f\n", 1e3 * lqg, 1e3 * hinf,
           1e3 * loop);
    carom_drill_plant_free(plant);
    carom_drill_string_free(string);
}

int main(int argc, char **argv)
{
    static const part parts[] = {
        {"startup", measure_startup}, {"field", measure_field}, {"design", measure_design}};
    return run_parts(argc, argv, sizeof parts / sizeof *parts, parts);
}
