/* What all studies of drill strings read, and what it makes. */
#include "study_inputs.h"

enum {
    HINF_DISCS_MOST = 20
};

const char *const drill_strings[] = {"setup", "rig", "elements", NULL};
const char *const drill_controllers[] = {"softtorque", "lqg", "hinf", "none", "file", NULL};
const char *const drill_weights[] = {"high", "low", NULL};

double drill_number(carom_study_call *call, const char *key, drill_string_kind string, bool needed,
                    double setup, double rig)
{
    const double value = carom_study_number(call, key);
    if (!isnan(value))
        return value;
    if (string == DRILL_OWN && needed)
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "a string of your own needs %s = a number; only the published strings have one",
                         key);
    return string == DRILL_SETUP ? setup : string == DRILL_OWN ? NAN : rig;
}

/* Where the slope of a design is taken: the published strings have a speed for it, others that of `rpm`. */
static void read_design(carom_study_call *call, drill_data *data)
{
    data->design_slope = carom_study_number(call, "design_slope");
    data->design_rpm = drill_number(call, "design_rpm", data->string, false, 5.5, 55.0);
    if (isnan(data->design_rpm))
        data->design_rpm = carom_study_number(call, "rpm");
    if (data->plant && isnan(data->design_rpm) && isnan(data->design_slope))
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "a controller for a string of your own is designed at design_rpm = a speed, or "
                         "design_slope = a slope of the bit's law");
}

static void read_gains(carom_study_call *call, drill_data *data)
{
    const drill_string_kind string = data->string;
    const bool soft = data->controller == DRILL_SOFT_TORQUE, lqg = data->controller == DRILL_LQG,
               hinf = data->controller == DRILL_HINF;
    data->ct = drill_number(call, "ct", string, soft, 2.93, 1829.0);
    data->kt = drill_number(call, "kt", string, soft, 1.87, 1177.0);
    data->rq = drill_number(call, "rq", string, lqg, 10.0, 10.0);
    data->top_noise = carom_study_number(call, "top_noise");
    const carom_drill_lqg_options options = carom_drill_lqg_defaults();
    const double *noise = carom_study_list(call, "noise", 2);
    for (int i = 0; i < 2; i++)
        data->noise[i] = noise ? noise[i] : options.noise[i];
    data->weights =
        carom_study_word(call, "weights") == 0 ? carom_drill_weights_high() : carom_drill_weights_low();
    data->k = drill_number(call, "k", string, hinf, 0.13, 0.13);
    data->d = drill_number(call, "d", string, hinf, 0.158, 0.158);
    data->level = carom_study_number(call, "level");
}

drill_data drill_read(carom_study_call *call, int needs)
{
    drill_data data = {.controller = DRILL_NONE};
    drill_read_string(call, (needs & DRILL_NEEDS_FRICTION) != 0, &data);
    if (needs & DRILL_NEEDS_CONTROLLER)
        drill_read_controller(call, &data);
    else if (needs & DRILL_NEEDS_PLANT)
        data.controller = DRILL_HINF;
    if (data.controller == DRILL_HINF && data.string == DRILL_OWN && data.own.discs > HINF_DISCS_MOST)
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "the string has %d discs; H-infinity controllers are made for %d at most",
                         data.own.discs, HINF_DISCS_MOST);
    data.plant = data.controller == DRILL_LQG || data.controller == DRILL_HINF;
    data.J1 = carom_study_number(call, "J1");
    data.Ts = carom_study_number(call, "Ts");
    data.Td = carom_study_number(call, "Td");
    data.Nd = carom_study_number(call, "Nd");
    read_gains(call, &data);
    read_design(call, &data);
    return data;
}

static carom_status nominal_string(const drill_data *data, carom_drill_string **string, carom_error *error)
{
    if (data->string == DRILL_OWN)
        return drill_make_own(&data->own, string, error);
    if (data->string == DRILL_ELEMENTS)
        return carom_drill_demonstration_string(string, error);
    const carom_status status = carom_drill_setup(string, error);
    if (status == CAROM_OK && data->string == DRILL_RIG)
        carom_drill_scale(*string, 6250.0, 10.0);
    return status;
}

static carom_status change_string(const drill_data *data, carom_drill_string *string, carom_error *error)
{
    if (!isnan(data->J1))
        string->inertia[0] = data->J1;
    if (!isnan(data->Ts))
        string->bit.Ts = data->Ts;
    if (!isnan(data->Td))
        string->bit.Td = data->Td;
    if (data->Nd <= 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "Nd = %g, the decay speed of the bit's friction in rpm, must be positive",
                          data->Nd);
    if (!isnan(data->Nd))
        string->bit.vd = carom_drill_decay(data->Nd);
    return carom_drill_check(string, error);
}

static carom_status design(const drill_data *data, double rq, drill_objects *o,
                           carom_drill_controller **controller, carom_error *error)
{
    carom_drill_hinf result;
    carom_drill_lqg_options options = carom_drill_lqg_defaults();
    options.rq = carom_exactly(rq);
    options.top_noise = carom_exactly(data->top_noise);
    options.noise[0] = carom_exactly(data->noise[0]);
    options.noise[1] = carom_exactly(data->noise[1]);
    switch (data->controller) {
    case DRILL_SOFT_TORQUE:
        return carom_drill_soft_torque(data->ct, data->kt, controller, error);
    case DRILL_LQG:
        return carom_drill_lqg(o->nominal, &options, o->gain, o->observer, controller, error);
    case DRILL_HINF: {
        const carom_status status = carom_drill_hinf_solve(o->nominal, &data->weights, data->k, data->d,
                                                           data->level, &result, controller, error);
        if (status == CAROM_OK && !result.feasible)
            return carom_fail(error, CAROM_BAD_INPUT, "H-infinity: %s", result.why);
        return status;
    }
    case DRILL_FILE:
    case DRILL_MATRICES:
        return drill_make_given(data, controller, error);
    default:
        return CAROM_OK;
    }
}

/* Controllers are those of the nominal string: what `data` changes is not known to them. */
carom_status drill_open(const drill_data *data, drill_objects *o, carom_error *error)
{
    carom_status status = nominal_string(data, &o->string, error);
    if (status == CAROM_OK && data->plant)
        status = carom_drill_plant_create(
            o->string,
            isnan(data->design_slope) ? carom_drill_slope(&o->string->bit, carom_rpm(data->design_rpm))
                                      : data->design_slope,
            &o->nominal, error);
    if (status == CAROM_OK)
        status = change_string(data, o->string, error);
    if (status == CAROM_OK)
        status = design(data, data->rq, o, &o->controller, error);
    if (status == CAROM_OK && data->next_rq > 0.0)
        status = design(data, data->next_rq, o, &o->next, error);
    return status;
}

void drill_close(drill_objects *o)
{
    carom_drill_controller_free(o->controller);
    carom_drill_controller_free(o->next);
    carom_drill_plant_free(o->nominal);
    carom_drill_string_free(o->string);
}

/* The norm needs a thousand factorisations: the time grows with the fourth power. */
carom_status drill_check_loop(const drill_objects *o, carom_error *error)
{
    const int states = 2 * o->string->discs - 1 + (o->controller ? o->controller->states : 0);
    if (states <= DRILL_LOOP_MOST)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the loop of %d discs and the controller has %d states; it is analysed up to %d: take fewer "
        "discs or elements",
        o->string->discs, states, DRILL_LOOP_MOST);
}
