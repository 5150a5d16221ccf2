/* Periodic motions and waves of the elastic bar against a wall, computed while the file is read:
 *
 *   bar_mode { N =, m =, d = }            an exact motion with one contact phase per period
 *   bar_wave { cells =, steps =, ... }    wave finite elements from a start
 *   bar_boundary { cells =, steps =, ... } the same by boundary elements in time */
#include <math.h>
#include <string.h>

#include "carom/subject/bar.h"
#include "io/lua/loader.h"

enum {
    MOST_CELLS = 100000,
    MOST_STEPS = 10000000
};

static carom_bar read_bar(lua_State *L, const char *who)
{
    carom_bar bar = carom_bar_unit();
    bar.length = loader_number(L, who, "L", 1.0);
    bar.area = loader_number(L, who, "S", 1.0);
    bar.density = loader_number(L, who, "rho", 1.0);
    const double speed = loader_number(L, who, "c", 1.0);
    bar.young = bar.density * speed * speed;
    bar.gap = loader_number(L, who, "g0", 1.0);
    carom_error error;
    if (!(speed > 0.0))
        loader_error(L, "%s: c = %g must be positive", who, speed);
    if (carom_bar_check(&bar, &error) != CAROM_OK)
        loader_error(L, "%s: %s", who, error.text);
    return bar;
}

static void push_flag(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

static void push_text(lua_State *L, const char *key, const char *text)
{
    lua_pushstring(L, text);
    lua_setfield(L, -2, key);
}

/* ---- exact motions ------------------------------------------------------------------------------------- */

static carom_bar_mode read_mode(lua_State *L, const char *who)
{
    const carom_bar bar = read_bar(L, who);
    const int index = loader_whole(L, who, "N", -CAROM_BAR_LARGEST_INDEX, CAROM_BAR_LARGEST_INDEX);
    const int turns = loader_whole(L, who, "m", -1000, 1000);
    carom_bar_mode mode;
    carom_error error;
    if (carom_bar_mode_make(&bar, index, turns, loader_needed_number(L, who, "d"), &mode, &error) != CAROM_OK)
        loader_error(L, "%s: %s", who, error.text);
    return mode;
}

/* Displacements and velocities at count + 1 places from 0 to L, at time t. */
static void push_profile(lua_State *L, const carom_bar_mode *mode, double t, int count)
{
    const size_t size = (size_t)count + 1;
    double *x = loader_take(L, size, sizeof *x), *u = loader_take(L, size, sizeof *u),
           *v = loader_take(L, size, sizeof *v);
    for (int i = 0; i <= count; i++) {
        x[i] = mode->bar.length * i / count;
        const carom_bar_point point = carom_bar_mode_at(mode, x[i], t);
        u[i] = point.displacement;
        v[i] = point.velocity;
    }
    loader_push_list(L, "x", count + 1, x);
    loader_push_list(L, "u", count + 1, u);
    loader_push_list(L, "v", count + 1, v);
}

static int call_bar_mode(lua_State *L)
{
    static const char who[] = "bar_mode";
    static const char *const keys[] = {"N", "m", "d", "L", "c", "S", "rho", "g0", "places", "t", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_bar_mode mode = read_mode(L, who);
    const double t = loader_number(L, who, "t", 0.0);
    const double places = loader_number(L, who, "places", 20.0);
    if (!(places >= 1.0 && places <= MOST_CELLS))
        loader_error(L, "bar_mode: places = %g must be from 1 to %d", places, MOST_CELLS);
    lua_createtable(L, 0, 16);
    push_profile(L, &mode, t, (int)places);
    loader_push_number(L, "T", mode.period);
    loader_push_number(L, "t1", mode.free_time);
    loader_push_number(L, "t2", mode.contact_time);
    loader_push_number(L, "alpha", mode.alpha);
    loader_push_number(L, "energy", mode.energy);
    loader_push_number(L, "frequency_ratio", mode.frequency_ratio);
    loader_push_number(L, "longest", mode.longest);
    loader_push_number(L, "touches", mode.touches);
    push_flag(L, "admissible", mode.admissible);
    push_text(L, "reason", mode.reason);
    return 1;
}

/* ---- waves and boundary elements ----------------------------------------------------------------------- */

/* Where a motion begins: u and v lists of the caller, or an exact motion at its time 0. */
typedef struct bar_start {
    int cells;
    double *displacement, *velocity;
} bar_start;

static bar_start read_start(lua_State *L, const char *who)
{
    bar_start start = {.cells = loader_whole(L, who, "cells", 2, MOST_CELLS)};
    const size_t cells = (size_t)start.cells;
    if (lua_getfield(L, 1, "N") != LUA_TNIL) {
        lua_pop(L, 1);
        const carom_bar_mode mode = read_mode(L, who);
        start.displacement = loader_take(L, cells + 1, sizeof(double));
        start.velocity = loader_take(L, cells, sizeof(double));
        carom_bar_mode_sample(&mode, 0.0, start.cells, start.displacement, start.velocity);
        return start;
    }
    lua_pop(L, 1);
    start.displacement = loader_numbers(L, who, "u", start.cells + 1);
    start.velocity = loader_numbers(L, who, "v", start.cells);
    if (!start.displacement)
        start.displacement = loader_take(L, cells + 1, sizeof(double));
    if (!start.velocity)
        start.velocity = loader_take(L, cells, sizeof(double));
    return start;
}

/* A force on the bar and a motion of its wall, both harmonic. */
typedef struct bar_drive {
    double force, wall, wall_amplitude, omega;
} bar_drive;

static double harmonic_force(void *context, double x, double t)
{
    const bar_drive *drive = context;
    (void)x;
    return drive->force * sin(drive->omega * t);
}

static double moving_wall(void *context, double t)
{
    const bar_drive *drive = context;
    return drive->wall + drive->wall_amplitude * sin(drive->omega * t);
}

/* What is kept of a motion: the end at every step. */
typedef struct bar_history {
    int steps;
    double *t, *end, *energy;
    double *u, *v; /* at the end of the motion */
} bar_history;

static bar_history take_history(lua_State *L, int steps, int cells)
{
    const size_t size = (size_t)steps + 1;
    return (bar_history){.steps = steps,
                         .t = loader_take(L, size, sizeof(double)),
                         .end = loader_take(L, size, sizeof(double)),
                         .energy = loader_take(L, size, sizeof(double)),
                         .u = loader_take(L, (size_t)cells + 1, sizeof(double)),
                         .v = loader_take(L, (size_t)cells, sizeof(double))};
}

static void push_history(lua_State *L, const bar_history *history)
{
    loader_push_list(L, "t", history->steps + 1, history->t);
    loader_push_list(L, "right_end", history->steps + 1, history->end);
    loader_push_number(L, "right", history->end[history->steps]);
}

/* The largest difference of the state at the end from that at the start. */
static double find_return(const bar_start *start, const double *u, const double *v)
{
    double worst = 0.0;
    for (int i = 0; i <= start->cells; i++)
        worst = fmax(worst, fabs(u[i] - start->displacement[i]));
    for (int i = 0; v && i < start->cells; i++)
        worst = fmax(worst, fabs(v[i] - start->velocity[i]));
    return worst;
}

static carom_status run_wave(const carom_bar *bar, const carom_bar_wave_options *options,
                             const bar_start *start, bar_history *history, carom_bar_wave_state *now,
                             carom_error *error)
{
    carom_bar_wave *wave = NULL;
    carom_status status = carom_bar_wave_create(bar, options, &wave, error);
    if (status == CAROM_OK)
        status = carom_bar_wave_start(wave, start->displacement, start->velocity, error);
    for (int k = 0; status == CAROM_OK && k <= history->steps; k++) {
        if (k > 0)
            carom_bar_wave_step(wave, NULL);
        *now = carom_bar_wave_now(wave);
        history->t[k] = now->t;
        history->end[k] = now->right;
        history->energy[k] = carom_bar_wave_energy(wave);
    }
    if (status == CAROM_OK)
        carom_bar_wave_fields(wave, history->u, NULL, history->v);
    now->phase = NULL; /* it goes with the wave */
    carom_bar_wave_free(wave);
    return status;
}

static int call_bar_wave(lua_State *L)
{
    static const char who[] = "bar_wave";
    static const char *const keys[] = {
        "L",     "c",    "S",     "rho",   "g0",   "N",      "m",     "d",
        "u",     "v",    "cells", "steps", "left", "spring", "force", "wall_amplitude",
        "omega", "wall", NULL};
    static const char *const ends[] = {"fixed", "free", "spring", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_bar bar = read_bar(L, who);
    const bar_start start = read_start(L, who);
    bar_history history = take_history(L, loader_whole(L, who, "steps", 1, MOST_STEPS), start.cells);
    bar_drive drive = {.force = loader_number(L, who, "force", 0.0),
                       .wall = bar.gap,
                       .wall_amplitude = loader_number(L, who, "wall_amplitude", 0.0),
                       .omega = loader_number(L, who, "omega", 0.0)};
    carom_bar_wave_options options = carom_bar_wave_defaults();
    options.cells = start.cells;
    options.left = (carom_bar_end)loader_word(L, who, "left", ends);
    options.spring = loader_number(L, who, "spring", 0.0);
    lua_getfield(L, 1, "wall");
    options.wall = lua_isnil(L, -1) || lua_toboolean(L, -1);
    lua_pop(L, 1);
    options.context = &drive;
    if (drive.force != 0.0)
        options.body_force = harmonic_force;
    if (drive.wall_amplitude != 0.0)
        options.wall_place = moving_wall;
    carom_bar_wave_state now = {0};
    carom_error error;
    if (run_wave(&bar, &options, &start, &history, &now, &error) != CAROM_OK)
        return loader_error(L, "bar_wave: %s", error.text);
    lua_createtable(L, 0, 12);
    push_history(L, &history);
    loader_push_list(L, "energy", history.steps + 1, history.energy);
    loader_push_list(L, "u", start.cells + 1, history.u);
    loader_push_number(L, "impulse", now.impulse);
    loader_push_number(L, "phases", now.phases);
    loader_push_number(L, "contact_steps", (double)now.contact_steps);
    loader_push_number(L, "returns", find_return(&start, history.u, history.v));
    return 1;
}

static carom_status run_boundary(const carom_bar *bar, const bar_start *start, bar_history *history,
                                 carom_error *error)
{
    carom_bar_boundary *boundary = NULL;
    const double step = bar->length / carom_bar_speed(bar) / start->cells;
    carom_status status = carom_bar_boundary_create(bar, start->cells, history->steps, &boundary, error);
    if (status == CAROM_OK)
        status = carom_bar_boundary_start(boundary, start->displacement, start->velocity, error);
    for (int k = 0; status == CAROM_OK && k <= history->steps; k++) {
        if (k > 0)
            status = carom_bar_boundary_step(boundary, error);
        history->t[k] = k * step;
        history->end[k] = status == CAROM_OK ? carom_bar_boundary_end(boundary, k) : NAN;
    }
    for (int i = 0; status == CAROM_OK && i <= start->cells; i++)
        history->u[i] =
            carom_bar_boundary_inside(boundary, bar->length * i / start->cells, history->steps * step);
    carom_bar_boundary_free(boundary);
    return status;
}

static int call_bar_boundary(lua_State *L)
{
    static const char who[] = "bar_boundary";
    static const char *const keys[] = {"L", "c", "S", "rho",   "g0",    "N", "m",
                                       "d", "u", "v", "cells", "steps", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_bar bar = read_bar(L, who);
    const bar_start start = read_start(L, who);
    bar_history history = take_history(L, loader_whole(L, who, "steps", 1, MOST_STEPS), start.cells);
    carom_error error;
    if (run_boundary(&bar, &start, &history, &error) != CAROM_OK)
        return loader_error(L, "bar_boundary: %s", error.text);
    lua_createtable(L, 0, 6);
    push_history(L, &history);
    loader_push_list(L, "u", start.cells + 1, history.u);
    loader_push_number(L, "returns", find_return(&start, history.u, NULL));
    return 1;
}

void loader_open_bar(lua_State *L)
{
    static const luaL_Reg functions[] = {{"bar_mode", call_bar_mode},
                                         {"bar_wave", call_bar_wave},
                                         {"bar_boundary", call_bar_boundary},
                                         {NULL, NULL}};
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
