/* Linear analysis of drill strings while the file is read: see lua_drill.c. */
#include <math.h>
#include <string.h>

#include "drill_study.h"

enum {
    FREQUENCIES_MOST = 100000
};

static void push_if(lua_State *L, const char *key, double value)
{
    if (isfinite(value))
        loader_push_number(L, key, value);
}

/* ---- closed loop ------------------------------------------------------------------------------------ */

typedef struct loop_copy {
    double delta, torque, bit_torque, norm, hertz, largest, slope, rpm, low, high;
    int states, plant_states;
    double *real, *imaginary, *gain, *observer;
    int controller_states; /* -1: there is none */
    double *A, *B, *C, D[2];
} loop_copy;

static void copy_controller(const carom_drill_controller *from, loop_copy *to)
{
    to->controller_states = from ? from->states : -1;
    if (!from)
        return;
    const size_t n = (size_t)from->states;
    memcpy(to->A, from->A, n * n * sizeof(double));
    memcpy(to->B, from->B, 2 * n * sizeof(double));
    memcpy(to->C, from->C, n * sizeof(double));
    memcpy(to->D, from->D, sizeof to->D);
}

/* The norm needs a thousand factorisations: the time grows with the fourth power. */
static carom_status check_size(const drill_objects *o, carom_error *error)
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

static carom_status measure_loop(const carom_drill_string *string, double speed, carom_drill_loop *loop,
                                 loop_copy *c, carom_error *error)
{
    const carom_drill_law *bit = &string->bit;
    carom_status status = carom_drill_critical_slope(loop, bit->vd * (bit->Ts - bit->Td), &c->slope, error);
    if (status == CAROM_OK)
        status = carom_drill_loop_norm(loop, &c->norm, &c->hertz, error);
    if (status == CAROM_OK)
        status = carom_drill_loop_poles(loop, c->delta, &c->largest, error);
    if (status != CAROM_OK)
        return status;
    c->states = loop->states;
    memcpy(c->real, loop->real, (size_t)loop->states * sizeof(double));
    memcpy(c->imaginary, loop->imaginary, (size_t)loop->states * sizeof(double));
    c->rpm = carom_drill_critical_rpm(bit, c->slope);
    carom_drill_sector(bit, speed, 1.0 / c->norm, &c->low, &c->high);
    return CAROM_OK;
}

/* No Lua in here: memory is held. */
static carom_status analyse(const drill_data *data, double rpm, double slope, loop_copy *c,
                            carom_error *error)
{
    drill_objects o = {.gain = c->gain, .observer = c->observer};
    carom_drill_plant *plant = NULL;
    carom_drill_loop *loop = NULL;
    const double speed = carom_rpm(rpm);
    carom_status status = loader_drill_open(data, &o, error);
    if (status == CAROM_OK)
        status = check_size(&o, error);
    if (status == CAROM_OK)
        copy_controller(o.controller, c);
    if (status == CAROM_OK)
        status = carom_drill_equilibrium(o.string, speed, &c->torque, NULL, error);
    if (status == CAROM_OK) {
        c->bit_torque = carom_drill_torque(&o.string->bit, speed);
        c->delta = isnan(slope) ? carom_drill_slope(&o.string->bit, speed) : slope;
        status = carom_drill_plant_create(o.string, c->delta, &plant, error);
    }
    if (status == CAROM_OK)
        status = carom_drill_loop_create(plant, o.controller, &loop, error);
    if (status == CAROM_OK)
        status = measure_loop(o.string, speed, loop, c, error);
    c->plant_states = plant ? plant->states : 0;
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
    loader_drill_close(&o);
    return status;
}

static int call_analysis(lua_State *L)
{
    static const char who[] = "drill_analysis";
    static const char *const keys[] = {DRILL_KEYS, "rpm", "slope", NULL};
    loader_check_keys(L, 1, who, keys);
    const drill_data data = loader_drill_data(L, who, DRILL_NEEDS_FRICTION | DRILL_NEEDS_CONTROLLER);
    const double rpm = loader_drill_number(L, who, "rpm", data.string, true, 5.5, 55.0);
    const double slope = loader_number(L, who, "slope", NAN);
    const size_t most = 4 * DRILL_DISCS_MOST + 8, own = DRILL_LOOP_MOST;
    loop_copy c = {.real = loader_take(L, most, sizeof(double)),
                   .imaginary = loader_take(L, most, sizeof(double)),
                   .gain = loader_take(L, most, sizeof(double)),
                   .observer = loader_take(L, most, sizeof(double)),
                   .A = loader_take(L, own * own, sizeof(double)),
                   .B = loader_take(L, 2 * own, sizeof(double)),
                   .C = loader_take(L, own, sizeof(double))};
    carom_error error;
    if (analyse(&data, rpm, slope, &c, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    loader_spend(L, 100000);
    lua_createtable(L, 0, 16);
    loader_push_number(L, "slope", c.delta);
    loader_push_number(L, "torque", c.torque);
    loader_push_number(L, "bit_torque", c.bit_torque);
    loader_push_number(L, "norm", c.norm);
    loader_push_number(L, "norm_hz", c.hertz);
    loader_push_number(L, "max_real", c.largest);
    push_if(L, "critical_slope", c.slope);
    push_if(L, "critical_rpm", c.rpm);
    loader_push_number(L, "sector_low", c.low);
    push_if(L, "sector_high", c.high);
    loader_push_list(L, "poles_real", c.states, c.real);
    loader_push_list(L, "poles_imaginary", c.states, c.imaginary);
    if (data.controller == DRILL_LQG) {
        loader_push_list(L, "gain", c.plant_states + 1, c.gain);
        loader_push_list(L, "observer", 2 * c.plant_states, c.observer);
    }
    if (c.controller_states >= 0)
        loader_drill_push_controller(L, c.controller_states, c.A, c.B, c.C, c.D);
    return 1;
}

/* ---- frequency response ----------------------------------------------------------------------------- */

static carom_status respond(const drill_data *data, double slope, int count, const double *hertz,
                            double *mobility, double *top, double *work, carom_error *error)
{
    drill_objects o = {0};
    carom_drill_plant *plant = NULL;
    carom_drill_loop *loop = NULL;
    carom_status status = loader_drill_open(data, &o, error);
    if (status == CAROM_OK)
        status = check_size(&o, error);
    if (status == CAROM_OK)
        status = carom_drill_plant_create(o.string, slope, &plant, error);
    if (status == CAROM_OK)
        status = carom_drill_loop_create(plant, o.controller, &loop, error);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        const int n = plant->states;
        double *c = work + 2 * n * (n + 1), real, imaginary;
        memset(c, 0, (size_t)n * sizeof *c);
        c[1] = 1.0;
        mobility[i] = carom_drill_mobility(loop, hertz[i]);
        carom_drill_response(n, plant->A, plant->B, 1, c, 0.0, hertz[i], work, &real, &imaginary);
        top[i] = hypot(real, imaginary);
    }
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
    loader_drill_close(&o);
    return status;
}

static int call_response(lua_State *L)
{
    static const char who[] = "drill_response";
    static const char *const keys[] = {DRILL_KEYS, "slope", "f", NULL};
    loader_check_keys(L, 1, who, keys);
    const drill_data data = loader_drill_data(L, who, DRILL_NEEDS_CONTROLLER);
    if (lua_getfield(L, 1, "f") != LUA_TTABLE)
        loader_error(L, "%s needs f = { frequencies in Hz }", who);
    const lua_Integer count = luaL_len(L, -1);
    lua_pop(L, 1);
    if (count < 1 || count > FREQUENCIES_MOST)
        loader_error(L, "%s: f has %d frequencies; wanted: 1 to %d", who, (int)count, FREQUENCIES_MOST);
    const double *hertz = loader_numbers(L, who, "f", (int)count);
    double *mobility = loader_take(L, (size_t)count, sizeof(double)),
           *top = loader_take(L, (size_t)count, sizeof(double));
    const size_t states = 2 * DRILL_DISCS_MOST;
    double *work = loader_take(L, 3 * states * states, sizeof(double));
    loader_spend(L, 20000 * (long)count);
    carom_error error;
    if (respond(&data, loader_number(L, who, "slope", 0.0), (int)count, hertz, mobility, top, work, &error) !=
        CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    lua_createtable(L, 0, 2);
    loader_push_list(L, "bit", (int)count, mobility);
    loader_push_list(L, "top_to_bit", (int)count, top);
    return 1;
}

/* ---- modes ------------------------------------------------------------------------------------------ */

typedef struct mode_copy {
    int discs, kept;
    bool consistent;
    double f;
    double *mass, *stiffness, *hertz, *shape, *ratio, *bit, *top;
    double inertia, full, reduced;
} mode_copy;

static void describe_modes(const carom_drill_string *s, mode_copy *m)
{
    const int n = s->discs;
    for (int j = 0; j < n; j++) {
        double damping = 0.0;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                damping += m->shape[a * n + j] * s->damping[a * n + b] * m->shape[b * n + j];
        m->ratio[j] = m->hertz[j] > 1e-6 ? damping / (4.0 * CAROM_PI * m->hertz[j]) : 0.0;
        m->bit[j] = m->shape[j];
        m->top[j] = m->shape[(n - 1) * n + j];
    }
    m->inertia = 0.0;
    for (int i = 0; i < n * n; i++)
        m->inertia += m->mass[i];
}

static carom_status find_modes(const drill_data *data, mode_copy *m, carom_error *error)
{
    drill_objects o = {0};
    carom_status status = loader_drill_open(data, &o, error);
    if (status == CAROM_OK) {
        const int n = m->discs = o.string->discs;
        memcpy(m->stiffness, o.string->stiffness, (size_t)(n * n) * sizeof(double));
        for (int i = 0; i < n; i++)
            m->mass[i * n + i] = o.string->inertia[i];
        if (m->consistent && (data->string == DRILL_ELEMENTS || data->own.sections > 0)) {
            carom_drill_elements elements = data->string == DRILL_OWN ? loader_drill_own_elements(&data->own)
                                                                      : *carom_drill_demonstration();
            elements.consistent = true;
            carom_drill_assemble(&elements, m->mass, m->stiffness);
        }
        status = carom_drill_modes(n, m->mass, m->stiffness, m->hertz, m->shape, error);
        if (status == CAROM_OK)
            describe_modes(o.string, m);
        if (status == CAROM_OK)
            status = carom_drill_reduced_response(n, m->mass, o.string->damping, m->stiffness, n, m->f,
                                                  &m->full, error);
        if (status == CAROM_OK)
            status = carom_drill_reduced_response(n, m->mass, o.string->damping, m->stiffness, m->kept, m->f,
                                                  &m->reduced, error);
    }
    loader_drill_close(&o);
    return status;
}

static int call_modes(lua_State *L)
{
    static const char who[] = "drill_modes";
    static const char *const keys[] = {"string", "J1", "consistent", "kept", "f", NULL};
    loader_check_keys(L, 1, who, keys);
    const drill_data data = loader_drill_data(L, who, 0);
    const int discs = data.string == DRILL_OWN ? data.own.discs : 18; /* of the published ones at most */
    const size_t n = (size_t)discs;
    loader_spend(L, 30L * discs * discs * discs);
    mode_copy m = {.kept = (int)loader_number(L, who, "kept", fmin(4.0, discs)),
                   .f = loader_number(L, who, "f", 0.1),
                   .consistent = loader_field_bool(L, 1, "consistent")};
    double **array[] = {&m.mass, &m.stiffness, &m.shape, &m.hertz, &m.ratio, &m.bit, &m.top};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        *array[i] = loader_take(L, i < 3 ? n * n : n, sizeof(double));
    carom_error error;
    if (find_modes(&data, &m, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    lua_createtable(L, 0, 8);
    loader_push_list(L, "hertz", m.discs, m.hertz);
    loader_push_list(L, "damping", m.discs, m.ratio);
    loader_push_list(L, "bit", m.discs, m.bit);
    loader_push_list(L, "top", m.discs, m.top);
    loader_push_number(L, "inertia", m.inertia);
    loader_push_number(L, "response", m.full);
    loader_push_number(L, "reduced_response", m.reduced);
    return 1;
}

/* ---- H-infinity ------------------------------------------------------------------------------------- */

typedef struct hinf_copy {
    carom_drill_hinf result;
    double level, skew;
    double best_d, best_k;
} hinf_copy;

enum {
    SCALES = 41 /* from 1e-3 to 10 */
};

static carom_status find_hinf(const drill_data *data, bool search, bool scales, hinf_copy *c,
                              carom_error *error)
{
    drill_objects o = {0};
    carom_drill_controller *controller = NULL;
    drill_data plain = *data;
    plain.controller = DRILL_NONE;
    carom_status status = loader_drill_open(&plain, &o, error);
    if (status == CAROM_OK)
        status = carom_drill_hinf_solve(o.nominal, &data->weights, data->k, data->d, data->level, &c->result,
                                        &controller, error);
    if (status == CAROM_OK && search) /* nominal: without the bit's channel */
        status = carom_drill_hinf_level(o.nominal, &data->weights, 0.0, 1e6, &c->level, error);
    if (status == CAROM_OK && search)
        status = carom_drill_hinf_skew(o.nominal, &data->weights, data->d, &c->skew, error);
    if (status == CAROM_OK && scales)
        status = carom_drill_hinf_scales(o.nominal, &data->weights, SCALES, &c->best_d, &c->best_k, error);
    carom_drill_controller_free(controller);
    loader_drill_close(&o);
    return status;
}

static int call_hinf(lua_State *L)
{
    static const char who[] = "drill_hinf";
    static const char *const keys[] = {DRILL_KEYS, "search", "scales", NULL};
    loader_check_keys(L, 1, who, keys);
    const drill_data data = loader_drill_data(L, who, DRILL_NEEDS_FRICTION | DRILL_NEEDS_PLANT);
    const bool search = loader_field_bool(L, 1, "search"), scales = loader_field_bool(L, 1, "scales");
    loader_spend(L, scales ? 20000000 : 1000000);
    hinf_copy c = {.level = NAN, .skew = NAN, .best_d = NAN, .best_k = NAN};
    carom_error error;
    if (find_hinf(&data, search, scales, &c, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    lua_createtable(L, 0, 8);
    lua_pushboolean(L, c.result.feasible);
    lua_setfield(L, -2, "feasible");
    lua_pushstring(L, c.result.why);
    lua_setfield(L, -2, "why");
    loader_push_number(L, "gco", c.result.gco);
    push_if(L, "norm", c.result.norm);
    push_if(L, "fastest", c.result.fastest);
    push_if(L, "nominal_level", c.level);
    push_if(L, "largest_k", c.skew);
    push_if(L, "best_d", c.best_d);
    push_if(L, "best_k", c.best_k);
    return 1;
}

void loader_open_drill_analysis(lua_State *L)
{
    static const luaL_Reg functions[] = {{"drill_analysis", call_analysis},
                                         {"drill_response", call_response},
                                         {"drill_modes", call_modes},
                                         {"drill_hinf", call_hinf},
                                         {NULL, NULL}};
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
