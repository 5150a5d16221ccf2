/* Drill strings with friction and controllers, computed while the file is read, with plain numbers:
 *
 *   drill_run { controller =, rpm =, ... }        a motion: start-up, or from a set point
 *   drill_analysis { controller =, rpm =, ... }   poles, norm, critical slope and speed, sector, gains
 *   drill_response { controller =, f = { } }      mobility of the bit, top torque to bit speed
 *   drill_modes { string =, kept = }              frequencies, shapes, reduction
 *   drill_hinf { weights =, k =, d =, level = }   whether there is a controller, limits of k and level */
#include <math.h>

#include "drill_study.h"

static const double UNSTABLE_FROM =
    1e-10; /* real part: rigid rotation without controller has 0 but for rounding */

/* A number that may not be there: nil then. */
static void push_if(lua_State *L, const char *key, double value)
{
    if (isfinite(value))
        loader_push_number(L, key, value);
}

/* ---- motions ---------------------------------------------------------------------------------------- */

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
    double largest, slope, critical_slope, critical_rpm; /* of the set point; NAN: not looked at */
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

/* Poles at the set point, and the slope and speed at which they become unstable if they are. */
static carom_status look_at_set_point(const drill_objects *o, double rpm, motion_copy *copy,
                                      carom_error *error)
{
    const carom_drill_law *bit = &o->string->bit;
    const carom_drill_controller *last = o->next ? o->next : o->controller;
    carom_drill_plant *plant = NULL;
    carom_drill_loop *loop = NULL;
    copy->largest = copy->critical_slope = copy->critical_rpm = NAN;
    copy->slope = carom_drill_slope(bit, carom_rpm(rpm));
    if (o->string->discs < 2 || 2 * o->string->discs + (last ? last->states : 0) > DRILL_LOOP_MOST)
        return CAROM_OK;
    carom_status status = carom_drill_plant_create(o->string, copy->slope, &plant, error);
    if (status == CAROM_OK)
        status = carom_drill_loop_create(plant, last, &loop, error);
    if (status == CAROM_OK)
        status = carom_drill_loop_poles(loop, copy->slope, &copy->largest, error);
    if (status == CAROM_OK && copy->largest > UNSTABLE_FROM)
        status =
            carom_drill_critical_slope(loop, bit->vd * (bit->Ts - bit->Td), &copy->critical_slope, error);
    copy->critical_rpm = carom_drill_critical_rpm(bit, copy->critical_slope);
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
    return status;
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
        status = look_at_set_point(&o, request->rpm, copy, error);
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
    lua_pushboolean(L, m->largest > UNSTABLE_FROM);
    lua_setfield(L, -2, "unstable");
    loader_push_number(L, "slope", m->slope);
    push_if(L, "critical_slope", m->critical_slope);
    push_if(L, "critical_rpm", m->critical_rpm);
    push_window(L, &m->watch[0], "");
    push_window(L, &m->watch[1], "early_");
}

static carom_drill_request read_request(lua_State *L, const char *who, drill_data *data)
{
    carom_drill_request q = carom_drill_request_defaults();
    q.constant = loader_field_bool(L, 1, "constant");
    q.rpm = loader_drill_number(L, who, "rpm", data->string, true, 5.5, 55.0);
    const double first = loader_drill_number(L, who, "first_rpm", data->string, !q.constant, 3.5, 35.0);
    const double Tini = loader_drill_number(L, who, "Tini", data->string, !q.constant, 0.136, 850.0);
    q.first_rpm = isnan(first) ? q.rpm : first; /* nothing of it when the set point is constant */
    q.Tini = isnan(Tini) ? 0.0 : Tini;
    q.theta = loader_number(L, who, "theta", 0.5);
    q.h = loader_number(L, who, "h", 1e-3);
    q.t_end = loader_number(L, who, "t_end", 400.0);
    q.limit = loader_number(L, who, "limit", 0.0);
    q.kick = loader_number(L, who, "kick", -1.0);
    q.stick_from = loader_number(L, who, "stick_from", q.constant ? 0.0 : q.begin);
    q.switch_time = loader_number(L, who, "switch_at", INFINITY);
    data->next_rq = loader_number(L, who, "switch_rq", 0.0);
    const double outputs = loader_number(L, who, "outputs", 2000.0);
    if (!(outputs >= 0.0 && outputs <= OUTPUTS_MOST))
        loader_error(L, "%s: outputs = %g must be from 0 to %d", who, outputs, OUTPUTS_MOST);
    q.outputs = (int)outputs;
    const double discs = data->string == DRILL_OWN ? data->own.discs : 4.0;
    if (q.t_end / q.h > 0.0 && q.t_end / q.h < 1e9) /* more is refused by the run itself */
        loader_spend(L, (long)(fmax(4.0, discs) * q.t_end / q.h));
    return q;
}

static int call_run(lua_State *L)
{
    static const char who[] = "drill_run";
    static const char *const keys[] = {DRILL_KEYS,  "rpm",     "first_rpm", "Tini", "theta",      "h",
                                       "t_end",     "limit",   "constant",  "kick", "stick_from", "switch_at",
                                       "switch_rq", "outputs", "from",      NULL};
    loader_check_keys(L, 1, who, keys);
    drill_data data = loader_drill_data(L, who, DRILL_NEEDS_FRICTION | DRILL_NEEDS_CONTROLLER);
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
