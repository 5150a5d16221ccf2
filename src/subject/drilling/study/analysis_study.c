/* drill_analysis { controller =, rpm =, ... }: the closed loop at a set point. */
#include "study_inputs.h"

static carom_status give_loop(carom_study_call *call, const carom_drill_string *string, double speed,
                              double delta, carom_drill_loop *loop)
{
    const carom_drill_law *bit = &string->bit;
    double slope = NAN, norm = NAN, hertz = NAN, largest = NAN, low = NAN, high = NAN;
    carom_status status =
        carom_drill_critical_slope(loop, bit->vd * (bit->Ts - bit->Td), &slope, call->error);
    if (status == CAROM_OK)
        status = carom_drill_loop_norm(loop, &norm, &hertz, call->error);
    if (status == CAROM_OK)
        status = carom_drill_loop_poles(loop, delta, &largest, call->error);
    if (status != CAROM_OK)
        return status;
    carom_drill_sector(bit, speed, 1.0 / norm, &low, &high);
    carom_study_give_number(call, "norm", norm);
    carom_study_give_number(call, "norm_hz", hertz);
    carom_study_give_number(call, "max_real", largest);
    carom_study_give_finite(call, "critical_slope", slope);
    carom_study_give_finite(call, "critical_rpm", carom_drill_critical_rpm(bit, slope));
    carom_study_give_number(call, "sector_low", low);
    carom_study_give_finite(call, "sector_high", high);
    carom_study_give_list(call, "poles_real", loop->states, loop->real);
    carom_study_give_list(call, "poles_imaginary", loop->states, loop->imaginary);
    return CAROM_OK;
}

static carom_status analyse(carom_study_call *call, const drill_data *data, drill_objects *o, double rpm,
                            double slope)
{
    carom_drill_plant *plant = NULL;
    carom_drill_loop *loop = NULL;
    const double speed = carom_rpm(rpm);
    double torque = NAN, delta = slope;
    carom_error *error = call->error;
    carom_status status = drill_check_loop(o, error);
    if (status == CAROM_OK)
        status = carom_drill_equilibrium(o->string, speed, &torque, NULL, error);
    if (status == CAROM_OK) {
        delta = isnan(slope) ? carom_drill_slope(&o->string->bit, speed) : slope;
        status = carom_drill_plant_create(o->string, delta, &plant, error);
    }
    if (status == CAROM_OK)
        status = carom_drill_loop_create(plant, o->controller, &loop, error);
    if (status == CAROM_OK)
        status = give_loop(call, o->string, speed, delta, loop);
    if (status == CAROM_OK) {
        carom_study_give_number(call, "slope", delta);
        carom_study_give_number(call, "torque", torque);
        carom_study_give_number(call, "bit_torque", carom_drill_torque(&o->string->bit, speed));
        if (data->controller == DRILL_LQG) {
            carom_study_give_list(call, "gain", plant->states + 1, o->gain);
            carom_study_give_list(call, "observer", 2 * plant->states, o->observer);
        }
        drill_give_controller(call, o->controller);
    }
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    const drill_data data = drill_read(call, DRILL_NEEDS_FRICTION | DRILL_NEEDS_CONTROLLER);
    const double rpm = drill_number(call, "rpm", data.string, true, 5.5, 55.0);
    const size_t most = 4 * DRILL_DISCS_MOST + 8;
    drill_objects o = {.gain = carom_study_take(call, most, sizeof(double)),
                       .observer = carom_study_take(call, most, sizeof(double))};
    if (call->status != CAROM_OK)
        return call->status;
    carom_status status = drill_open(&data, &o, call->error);
    if (status == CAROM_OK)
        status = analyse(call, &data, &o, rpm, carom_study_number(call, "slope"));
    drill_close(&o);
    return status;
}

static const carom_study_input inputs[] = {DRILL_INPUTS,
                                           {"rpm", CAROM_STUDY_NUMBER, "rpm", "set point", .value = NAN,
                                            .usual = "5.5 for the setup, 55 at full scale"},
                                           {"slope", CAROM_STUDY_NUMBER, "N m s/rad",
                                            "slope of the bit's law in the loop", .value = NAN,
                                            .usual = "that at rpm"},
                                           {0}};

static const carom_study_output outputs[] = {
    {"slope", CAROM_STUDY_NUMBER, "N m s/rad", "slope of the bit's law in the loop"},
    {"torque", CAROM_STUDY_NUMBER, "N m", "torque of the top drive at the set point"},
    {"bit_torque", CAROM_STUDY_NUMBER, "N m", "torque at the bit there"},
    {"norm", CAROM_STUDY_NUMBER, "rad/(N m s)", "largest mobility of the bit in the loop"},
    {"norm_hz", CAROM_STUDY_NUMBER, "Hz", "where it is"},
    {"max_real", CAROM_STUDY_NUMBER, "1/s", "largest real part of the poles"},
    {"poles_real", CAROM_STUDY_LIST, "1/s", "real parts of the poles"},
    {"poles_imaginary", CAROM_STUDY_LIST, "1/s", "imaginary parts"},
    {"critical_slope", CAROM_STUDY_NUMBER, "N m s/rad",
     "slope at which the loop becomes unstable; none: whatever it is"},
    {"critical_rpm", CAROM_STUDY_NUMBER, "rpm", "speed at which the law has it"},
    {"sector_low", CAROM_STUDY_NUMBER, "rpm", "lower end of the speeds at which the circle criterion holds"},
    {"sector_high", CAROM_STUDY_NUMBER, "rpm", "upper end; none: any speed"},
    {"gain", CAROM_STUDY_LIST, NULL, "lqg: of the state feedback"},
    {"observer", CAROM_STUDY_LIST, NULL, "lqg: of the observer, row by row"},
    {"controller", CAROM_STUDY_TABLE, NULL, "{ A =, B =, C =, D =, states = }, which other studies take"},
    {0}};

const carom_study_ops study_drill_analysis = {
    .name = "drill_analysis",
    .summary = "poles, norm, critical slope and speed of a controlled drill string",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
