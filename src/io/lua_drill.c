/* Drill strings with friction and controllers, computed while the file is read, with plain numbers:
 *
 *   drill_run { controller =, rpm =, ... }        a motion: start-up, or from a set point
 *   drill_analysis { controller =, rpm =, ... }   poles, norm, critical slope and speed, sector, gains
 *   drill_response { controller =, f = { } }      mobility of the bit, top torque to bit speed
 *   drill_modes { string =, kept = }              frequencies, shapes, reduction
 *   drill_hinf { weights =, k =, d =, level = }   whether there is a controller, and the limits of k and
 * level */
#include <math.h>

#include "lua_drill.h"

/* ---- what all of them read
 * ------------------------------------------------------------------------------------ */

drill_data loader_drill_data(lua_State *L, const char *who)
{
    static const char *const strings[] = {"setup", "rig", "elements", NULL};
    static const char *const controllers[] = {"softtorque", "lqg", "hinf", "none", NULL};
    static const char *const weights[] = {"high", "low", NULL};
    drill_data data = {.string = (drill_string_kind)loader_word(L, who, "string", strings),
                       .controller = (drill_controller_kind)loader_word(L, who, "controller", controllers)};
    const bool setup = data.string == DRILL_SETUP;
    data.J1 = loader_number(L, who, "J1", NAN);
    data.Ts = loader_number(L, who, "Ts", NAN);
    data.Td = loader_number(L, who, "Td", NAN);
    data.Nd = loader_number(L, who, "Nd", NAN);
    data.ct = loader_number(L, who, "ct", setup ? 2.93 : 1829.0);
    data.kt = loader_number(L, who, "kt", setup ? 1.87 : 1177.0);
    data.rq = loader_number(L, who, "rq", 10.0);
    data.design_rpm = loader_number(L, who, "design_rpm", setup ? 5.5 : 55.0);
    data.design_slope = loader_number(L, who, "design_slope", NAN);
    data.top_noise = loader_number(L, who, "top_noise", 1.0);
    data.weights =
        loader_word(L, who, "weights", weights) == 0 ? carom_drill_weights_high() : carom_drill_weights_low();
    data.k = loader_number(L, who, "k", 0.13);
    data.d = loader_number(L, who, "d", 0.158);
    data.level = loader_number(L, who, "level", 1.0);
    return data;
}

static carom_status nominal_string(drill_string_kind kind, carom_drill_string **string, carom_error *error)
{
    if (kind == DRILL_ELEMENTS)
        return carom_drill_demonstration_string(string, error);
    const carom_status status = carom_drill_setup(string, error);
    if (status == CAROM_OK && kind == DRILL_RIG)
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
    default:
        return CAROM_OK;
    }
}

/* Controllers are those of the nominal string: what `data` changes is not known to them. */
carom_status loader_drill_open(const drill_data *data, drill_objects *o, carom_error *error)
{
    carom_status status = nominal_string(data->string, &o->string, error);
    if (status == CAROM_OK)
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

/* A number that may not be there: nil then. */
static void push_if(lua_State *L, const char *key, double value)
{
    if (isfinite(value))
        loader_push_number(L, key, value);
}

/* ---- motions
 * ---------------------------------------------------------------------------------------------------- */

enum {
    SLIPS_KEPT = 64,
    OUTPUTS_MOST = 100000
};

/* What is left of a motion when its memory is given back. */
typedef struct motion_copy {
    carom_drill_window watch[2];
    double *column[CAROM_DRILL_COLUMNS], *first_move, *slip[3];
    double first_stick, period;
    long steps;
    int rows, discs, slips, per_period;
} motion_copy;

static void copy_motion(const carom_drill_motion *m, motion_copy *to)
{
    to->first_stick = m->first_stick;
    to->period = m->period;
    to->per_period = m->slips_per_period;
    to->steps = m->steps;
    to->rows = m->rows;
    for (int c = 0; c < CAROM_DRILL_COLUMNS; c++)
        for (int i = 0; i < m->rows; i++)
            to->column[c][i] = m->row[i * CAROM_DRILL_COLUMNS + c];
    for (int i = 0; i < to->discs; i++)
        to->first_move[i] = m->first_move[i];
    to->slips = m->slips < SLIPS_KEPT ? m->slips : SLIPS_KEPT;
    for (int i = 0; i < to->slips; i++) {
        const carom_drill_slip *slip = &m->slip[m->slips - to->slips + i];
        to->slip[0][i] = slip->start;
        to->slip[1][i] = slip->duration;
        to->slip[2][i] = slip->peak_rpm;
    }
}

/* No Lua in here: memory is held. */
static carom_status run(const drill_data *data, carom_drill_request *request, motion_copy *copy,
                        carom_error *error)
{
    drill_objects o = {0};
    carom_drill_motion *motion = NULL;
    carom_status status = loader_drill_open(data, &o, error);
    if (status == CAROM_OK) {
        request->string = o.string;
        request->controller = o.controller;
        request->next = o.next;
        copy->discs = o.string->discs;
        status = carom_drill_run(request, &motion, error);
    }
    if (status == CAROM_OK)
        copy_motion(motion, copy);
    carom_drill_motion_free(motion);
    loader_drill_close(&o);
    return status;
}

static void push_window(lua_State *L, const carom_drill_window *w, const char *before)
{
    const struct {
        const char *name;
        double value;
    } field[] = {{"bit_min_rpm", w->bit_min},          {"bit_max_rpm", w->bit_max},
                 {"top_min_rpm", w->top_min},          {"top_max_rpm", w->top_max},
                 {"torque_min", w->torque_min},        {"torque_max", w->torque_max},
                 {"stick_fraction", w->stick_fraction}};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        if (!isfinite(field[i].value)) /* the motion ended before the window */
            continue;
        lua_pushfstring(L, "%s%s", before, field[i].name);
        lua_pushnumber(L, field[i].value);
        lua_settable(L, -3);
    }
}

static void push_motion(lua_State *L, const motion_copy *m)
{
    static const char *const column[] = {"t", "bit", "top", "reference", "torque", "alpha", "pipe"};
    static const char *const slip[] = {"slip_start", "slip_duration", "slip_peak_rpm"};
    lua_createtable(L, 0, 32);
    for (int c = 0; c < CAROM_DRILL_COLUMNS; c++)
        loader_push_list(L, column[c], m->rows, m->column[c]);
    for (int c = 0; c < 3; c++)
        loader_push_list(L, slip[c], m->slips, m->slip[c]);
    lua_createtable(L, m->discs, 0);
    for (int i = 0; i < m->discs; i++) {
        lua_pushnumber(L, isnan(m->first_move[i]) ? -1.0 : m->first_move[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "first_moves");
    push_if(L, "first_move", m->first_move[0]);
    push_if(L, "first_stick", m->first_stick);
    push_if(L, "period", m->period);
    loader_push_number(L, "slips_per_period", m->per_period);
    loader_push_number(L, "steps", (double)m->steps);
    push_window(L, &m->watch[0], "");
    push_window(L, &m->watch[1], "early_");
}

static carom_drill_request read_request(lua_State *L, const char *who, drill_data *data)
{
    const bool setup = data->string == DRILL_SETUP;
    carom_drill_request q = carom_drill_request_defaults();
    q.rpm = loader_number(L, who, "rpm", setup ? 5.5 : 55.0);
    q.first_rpm = loader_number(L, who, "first_rpm", setup ? 3.5 : 35.0);
    q.Tini = loader_number(L, who, "Tini", setup ? 0.136 : 850.0);
    q.theta = loader_number(L, who, "theta", 0.5);
    q.h = loader_number(L, who, "h", 1e-3);
    q.t_end = loader_number(L, who, "t_end", 400.0);
    q.limit = loader_number(L, who, "limit", 0.0);
    q.constant = loader_field_bool(L, 1, "constant");
    q.kick = loader_number(L, who, "kick", -1.0);
    q.stick_from = loader_number(L, who, "stick_from", q.constant ? 0.0 : q.begin);
    q.switch_time = loader_number(L, who, "switch_at", INFINITY);
    data->next_rq = loader_number(L, who, "switch_rq", 0.0);
    const double outputs = loader_number(L, who, "outputs", 2000.0);
    if (!(outputs >= 0.0 && outputs <= OUTPUTS_MOST))
        loader_error(L, "%s: outputs = %g must be from 0 to %d", who, outputs, OUTPUTS_MOST);
    q.outputs = (int)outputs;
    if (q.t_end / q.h > 0.0 && q.t_end / q.h < 1e9) /* more is refused by the run itself */
        loader_spend(L, (long)(4.0 * q.t_end / q.h));
    return q;
}

static int call_run(lua_State *L)
{
    static const char who[] = "drill_run";
    static const char *const keys[] = {DRILL_KEYS,  "rpm",     "first_rpm", "Tini", "theta",      "h",
                                       "t_end",     "limit",   "constant",  "kick", "stick_from", "switch_at",
                                       "switch_rq", "outputs", "from",      NULL};
    loader_check_keys(L, 1, who, keys);
    drill_data data = loader_drill_data(L, who);
    carom_drill_request request = read_request(L, who, &data);
    motion_copy copy = {0};
    for (int c = 0; c < CAROM_DRILL_COLUMNS; c++)
        copy.column[c] = loader_take(L, (size_t)request.outputs + 2, sizeof(double));
    for (int c = 0; c < 3; c++)
        copy.slip[c] = loader_take(L, SLIPS_KEPT, sizeof(double));
    copy.first_move = loader_take(L, DRILL_DISCS_MOST, sizeof(double));
    copy.watch[0] = (carom_drill_window){
        .from = loader_number(L, who, "from", fmax(0.0, request.t_end - 150.0)), .to = INFINITY};
    copy.watch[1] = (carom_drill_window){.from = 110.0, .to = 200.0}; /* weight and speed rise and settle */
    request.windows = 2;
    request.window = copy.watch;
    carom_error error;
    if (run(&data, &request, &copy, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    push_motion(L, &copy);
    return 1;
}

void loader_open_drill(lua_State *L)
{
    lua_pushcfunction(L, call_run);
    lua_setglobal(L, "drill_run");
    loader_open_drill_analysis(L);
}
