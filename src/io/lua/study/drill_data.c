/* What all functions about drill strings read, and what it makes. */
#include <math.h>

#include "drill_study.h"

enum {
    HINF_DISCS_MOST = 20
};

double loader_drill_number(lua_State *L, const char *who, const char *key, drill_string_kind string,
                           bool needed, double setup, double rig)
{
    const double value = loader_number(L, who, key, NAN);
    if (!isnan(value))
        return value;
    if (string == DRILL_OWN && needed)
        loader_error(L, "%s: a string of your own needs %s = a number; only the published strings have one",
                     who, key);
    return string == DRILL_SETUP ? setup : string == DRILL_OWN ? NAN : rig;
}

/* Where the slope of a design is taken: the published strings have a speed for it, others that of `rpm`. */
static void read_design(lua_State *L, const char *who, drill_data *data)
{
    data->design_slope = loader_number(L, who, "design_slope", NAN);
    data->design_rpm = loader_drill_number(L, who, "design_rpm", data->string, false, 5.5, 55.0);
    if (isnan(data->design_rpm))
        data->design_rpm = loader_number(L, who, "rpm", NAN);
    if (data->plant && isnan(data->design_rpm) && isnan(data->design_slope))
        loader_error(L,
                     "%s: a controller for a string of your own is designed at design_rpm = a speed, or "
                     "design_slope = a slope of the bit's law",
                     who);
}

static void read_gains(lua_State *L, const char *who, drill_data *data)
{
    static const char *const weights[] = {"high", "low", NULL};
    const drill_string_kind string = data->string;
    const bool soft = data->controller == DRILL_SOFT_TORQUE, lqg = data->controller == DRILL_LQG,
               hinf = data->controller == DRILL_HINF;
    data->ct = loader_drill_number(L, who, "ct", string, soft, 2.93, 1829.0);
    data->kt = loader_drill_number(L, who, "kt", string, soft, 1.87, 1177.0);
    data->rq = loader_drill_number(L, who, "rq", string, lqg, 10.0, 10.0);
    data->top_noise = loader_number(L, who, "top_noise", 1.0);
    const carom_drill_lqg_options options = carom_drill_lqg_defaults();
    const double *noise = loader_numbers(L, who, "noise", 2);
    for (int i = 0; i < 2; i++)
        data->noise[i] = noise ? noise[i] : options.noise[i];
    data->weights =
        loader_word(L, who, "weights", weights) == 0 ? carom_drill_weights_high() : carom_drill_weights_low();
    data->k = loader_drill_number(L, who, "k", string, hinf, 0.13, 0.13);
    data->d = loader_drill_number(L, who, "d", string, hinf, 0.158, 0.158);
    data->level = loader_number(L, who, "level", 1.0);
}

drill_data loader_drill_data(lua_State *L, const char *who, int needs)
{
    drill_data data = {.controller = DRILL_NONE};
    loader_drill_string(L, who, (needs & DRILL_NEEDS_FRICTION) != 0, &data);
    if (needs & DRILL_NEEDS_CONTROLLER)
        loader_drill_controller(L, who, &data);
    else if (needs & DRILL_NEEDS_PLANT)
        data.controller = DRILL_HINF;
    if (data.controller == DRILL_HINF && data.string == DRILL_OWN && data.own.discs > HINF_DISCS_MOST)
        loader_error(L, "%s: the string has %d discs; H-infinity controllers are made for %d at most", who,
                     data.own.discs, HINF_DISCS_MOST);
    data.plant = data.controller == DRILL_LQG || data.controller == DRILL_HINF;
    data.J1 = loader_number(L, who, "J1", NAN);
    data.Ts = loader_number(L, who, "Ts", NAN);
    data.Td = loader_number(L, who, "Td", NAN);
    data.Nd = loader_number(L, who, "Nd", NAN);
    read_gains(L, who, &data);
    read_design(L, who, &data);
    return data;
}

static carom_status nominal_string(const drill_data *data, carom_drill_string **string, carom_error *error)
{
    if (data->string == DRILL_OWN)
        return loader_drill_own(&data->own, string, error);
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
    options.rq = rq;
    options.top_noise = data->top_noise;
    options.noise[0] = data->noise[0];
    options.noise[1] = data->noise[1];
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
        return loader_drill_given(data, controller, error);
    default:
        return CAROM_OK;
    }
}

/* Controllers are those of the nominal string: what `data` changes is not known to them. */
carom_status loader_drill_open(const drill_data *data, drill_objects *o, carom_error *error)
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

void loader_drill_close(drill_objects *o)
{
    carom_drill_controller_free(o->controller);
    carom_drill_controller_free(o->next);
    carom_drill_plant_free(o->nominal);
    carom_drill_string_free(o->string);
}
