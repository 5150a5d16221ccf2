/* Periodic motions with impacts, computed while the file is read, with plain numbers:
 *
 *   ring_orbit { p =, gamma =, T =, I1 = { ... }, I2 = { ... } }   pattern of impacts on a ring of
 * oscillators impact_mode { n =, m =, k =, gap =, T =, impacts = }            a chain whose last mass meets a
 * wall harmonic_balance { w =, N =, gap = }                            one mass, the contact force as a
 * cosine series */
#include <math.h>

#include "carom/periodic.h"
#include "io/lua/loader.h"

enum {
    MOST_PARTICLES = 2000,
    MOST_MASSES = 500,
    MOST_IMPACTS = 2,
    MOST_HARMONICS = 2000
};

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

/* ---- rings --------------------------------------------------------------------------------------------- */

typedef struct ring_request {
    int particles;
    double coupling, period;
    int half_count, start_count;
    int *half, *start;
} ring_request;

/* What is left of a ring's motion when its memory is given back. */
typedef struct ring_result {
    double *y0, *v0, *yh, *speed;
    double energy, margin, largest, condition;
    bool admissible, stable;
    int off_circle;
    char verdict[300];
} ring_result;

/* A list of particles, numbered from 0. */
static int *read_particles(lua_State *L, const char *key, int *count)
{
    *count = 0;
    if (lua_getfield(L, 1, key) == LUA_TNIL) {
        lua_pop(L, 1);
        return NULL;
    }
    if (!lua_istable(L, -1))
        loader_error(L, "ring_orbit: %s is a list of particles, from 0: %s = { 3, 4 }", key, key);
    *count = (int)luaL_len(L, -1);
    int *list = loader_take(L, (size_t)*count, sizeof *list);
    for (int i = 0; i < *count; i++) {
        if (lua_geti(L, -1, i + 1) != LUA_TNUMBER || !lua_isinteger(L, -1))
            loader_error(L, "ring_orbit: %s[%d] must be a whole number; got %s", key, i + 1,
                         luaL_tolstring(L, -1, NULL));
        list[i] = (int)lua_tointeger(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return list;
}

static void copy_orbit(const carom_orbit *orbit, ring_result *result)
{
    for (int i = 0; i < orbit->size; i++) {
        result->y0[i] = orbit->y0[i];
        result->v0[i] = orbit->v0[i];
        result->yh[i] = orbit->yh[i];
        result->speed[i] = orbit->speed[i];
    }
    result->energy = orbit->energy;
    result->margin = orbit->margin;
    result->condition = orbit->condition;
    result->admissible = orbit->word == CAROM_ORBIT_OK;
}

static carom_status find_multipliers(const carom_linear_oscillator *ring, const carom_orbit *orbit,
                                     ring_result *result, carom_error *error)
{
    carom_floquet *floquet = NULL;
    const carom_floquet_options options = carom_floquet_defaults();
    carom_status status = carom_floquet_create(ring, &floquet, error);
    if (status == CAROM_OK)
        status = carom_floquet_compute(floquet, ring, orbit, &options, error);
    if (status == CAROM_OK) {
        result->largest = floquet->largest;
        result->stable = floquet->stable;
        result->off_circle = floquet->off_circle;
    }
    carom_floquet_free(floquet);
    return status;
}

/* No Lua in here: memory is held. */
static carom_status solve_ring(const ring_request *request, carom_phase *pattern, ring_result *result,
                               carom_error *error)
{
    carom_linear_oscillator *ring = NULL;
    carom_orbit *orbit = NULL;
    const carom_orbit_options options = carom_orbit_defaults();
    carom_status status = carom_ring_create(request->particles, request->coupling, &ring, error);
    if (status == CAROM_OK)
        status = carom_pattern_make(request->particles, request->half_count, request->half,
                                    request->start_count, request->start, pattern, error);
    if (status == CAROM_OK)
        status = carom_orbit_create(ring, &orbit, error);
    if (status == CAROM_OK)
        status = carom_orbit_solve(orbit, ring, request->period, pattern, &options, error);
    if (status == CAROM_OK) {
        carom_orbit_describe(orbit, ring, sizeof result->verdict, result->verdict);
        copy_orbit(orbit, result);
        if (result->admissible)
            status = find_multipliers(ring, orbit, result, error);
    }
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
    return status;
}

static int call_ring_orbit(lua_State *L)
{
    static const char who[] = "ring_orbit";
    static const char *const keys[] = {"p", "gamma", "T", "I1", "I2", NULL};
    loader_check_keys(L, 1, who, keys);
    ring_request request = {.particles = loader_whole(L, who, "p", 1, MOST_PARTICLES),
                            .coupling = loader_number(L, who, "gamma", 0.0),
                            .period = loader_needed_number(L, who, "T")};
    request.half = read_particles(L, "I1", &request.half_count);
    request.start = read_particles(L, "I2", &request.start_count);
    const size_t size = (size_t)request.particles;
    carom_phase *pattern = loader_take(L, size, sizeof *pattern);
    ring_result result = {.y0 = loader_take(L, size, sizeof(double)),
                          .v0 = loader_take(L, size, sizeof(double)),
                          .yh = loader_take(L, size, sizeof(double)),
                          .speed = loader_take(L, size, sizeof(double)),
                          .largest = NAN};
    carom_error error;
    if (solve_ring(&request, pattern, &result, &error) != CAROM_OK)
        return loader_error(L, "ring_orbit: %s", error.text);
    loader_spend(L, 100L * request.particles * request.particles);
    lua_createtable(L, 0, 12);
    loader_push_list(L, "y", request.particles, result.y0);
    loader_push_list(L, "v", request.particles, result.v0);
    loader_push_list(L, "y_half", request.particles, result.yh);
    loader_push_list(L, "speed", request.particles, result.speed);
    loader_push_number(L, "energy", result.energy);
    loader_push_number(L, "margin", result.margin);
    loader_push_number(L, "condition", result.condition);
    loader_push_number(L, "max_multiplier", result.admissible ? result.largest : 0.0);
    loader_push_number(L, "off_circle", result.off_circle);
    push_flag(L, "admissible", result.admissible);
    push_flag(L, "stable", result.stable);
    push_text(L, "verdict", result.verdict);
    return 1;
}

/* ---- modes --------------------------------------------------------------------------------------------- */

typedef struct mode_result {
    double *u, *v, *flight, *impulse;
    double energy, gap, largest;
    int impacts, found;
    bool admissible;
    char verdict[200];
} mode_result;

static void copy_mode(const carom_mode *mode, int masses, mode_result *result)
{
    for (int i = 0; i < masses; i++) {
        result->u[i] = mode->q[i];
        result->v[i] = mode->v[i];
    }
    result->impacts = mode->impacts < MOST_IMPACTS ? mode->impacts : MOST_IMPACTS;
    for (int i = 0; i < result->impacts; i++) {
        result->flight[i] = mode->flight[i];
        result->impulse[i] = mode->impulse[i];
    }
    result->energy = mode->energy;
    result->gap = mode->gap;
    result->admissible = mode->verdict == CAROM_MODE_ADMISSIBLE;
    for (size_t i = 0; i + 1 < sizeof result->verdict && mode->text[i]; i++)
        result->verdict[i] = mode->text[i];
}

/* The first motion that is one; the first candidate when none is. */
static int first_admissible(int found, carom_mode *const *mode)
{
    for (int i = 0; i < found; i++)
        if (mode[i]->verdict == CAROM_MODE_ADMISSIBLE)
            return i + 1;
    return 1;
}

/* One impact per period, or the `which`-th motion with two; which = 0: the first that is a motion. */
static carom_status solve_mode(const carom_mode_system *system, double period, int impacts, int which,
                               mode_result *result, carom_error *error)
{
    enum {
        MOST = 16
    };
    carom_mode_basis *basis = NULL;
    carom_mode *mode[MOST] = {NULL};
    carom_status status = carom_mode_basis_create(system, &basis, error);
    if (status == CAROM_OK && impacts == 1) {
        status = carom_mode_one_impact(basis, period, &mode[0], error);
        result->found = status == CAROM_OK;
    } else if (status == CAROM_OK) {
        status = carom_mode_two_impacts(basis, period, MOST, mode, &result->found, error);
    }
    if (status == CAROM_OK && which == 0)
        which = first_admissible(result->found, mode);
    if (status == CAROM_OK && which > result->found)
        status = carom_fail(
            error, CAROM_BAD_INPUT,
            "there are %d motions with %d impacts per period at T = %.10g; motion %d was asked for",
            result->found, impacts, period, which);
    if (status == CAROM_OK) {
        const carom_mode *chosen = mode[which - 1];
        copy_mode(chosen, system->dof, result);
        if (result->admissible)
            status = carom_mode_multipliers(chosen, NULL, NULL, &result->largest, error);
    }
    for (int i = 0; i < MOST; i++)
        carom_mode_free(mode[i]);
    carom_mode_basis_free(basis);
    return status;
}

static int call_impact_mode(lua_State *L)
{
    static const char who[] = "impact_mode";
    static const char *const keys[] = {"n", "m", "k", "gap", "T", "impacts", "which", NULL};
    loader_check_keys(L, 1, who, keys);
    const int n = loader_whole(L, who, "n", 1, MOST_MASSES);
    const double m = loader_number(L, who, "m", 1.0 / n), k = loader_number(L, who, "k", n);
    const double period = loader_needed_number(L, who, "T");
    const double impacts = loader_number(L, who, "impacts", 1.0), which = loader_number(L, who, "which", 0.0);
    if (impacts != 1.0 && impacts != 2.0)
        loader_error(L, "impact_mode: impacts = %g must be 1 or 2", impacts);
    if (!(which >= 0.0 && which <= 16.0))
        loader_error(L, "impact_mode: which = %g must be from 0 (the first admissible one) to 16", which);
    const size_t size = (size_t)n;
    double *mass = loader_take(L, size * size, sizeof *mass),
           *stiffness = loader_take(L, size * size, sizeof *mass),
           *direction = loader_take(L, size, sizeof *mass);
    carom_mode_chain(n, m, k, mass, stiffness, direction);
    const carom_mode_system system = {n, mass, stiffness, direction, loader_number(L, who, "gap", 1.0)};
    mode_result result = {.u = loader_take(L, size, sizeof(double)),
                          .v = loader_take(L, size, sizeof(double)),
                          .flight = loader_take(L, MOST_IMPACTS, sizeof(double)),
                          .impulse = loader_take(L, MOST_IMPACTS, sizeof(double))};
    carom_error error;
    if (solve_mode(&system, period, (int)impacts, (int)which, &result, &error) != CAROM_OK)
        return loader_error(L, "impact_mode: %s", error.text);
    lua_createtable(L, 0, 12);
    loader_push_list(L, "u", n, result.u);
    loader_push_list(L, "v", n, result.v);
    loader_push_list(L, "flights", result.impacts, result.flight);
    loader_push_list(L, "impulses", result.impacts, result.impulse);
    loader_push_number(L, "energy", result.energy);
    loader_push_number(L, "margin", result.gap);
    loader_push_number(L, "max_multiplier", result.admissible ? result.largest : 0.0);
    loader_push_number(L, "found", result.found);
    push_flag(L, "admissible", result.admissible);
    push_text(L, "verdict", result.verdict);
    return 1;
}

/* ---- harmonic balance ---------------------------------------------------------------------------------- */

static int call_harmonic_balance(lua_State *L)
{
    static const char who[] = "harmonic_balance";
    static const char *const keys[] = {"w", "N", "gap", "alpha", NULL};
    loader_check_keys(L, 1, who, keys);
    static const double one = 1.0, away = -1.0;
    const carom_mode_system system = {1, &one, &one, &away, loader_number(L, who, "gap", 1.0)};
    carom_harmonic_options options = carom_harmonic_defaults();
    options.harmonics = loader_whole(L, who, "N", 1, MOST_HARMONICS);
    options.alpha = loader_number(L, who, "alpha", 1.0);
    const double frequency = loader_needed_number(L, who, "w");
    carom_mode_basis *basis = NULL; /* no Lua error while it is held */
    carom_harmonic_motion motion = {0};
    carom_error error;
    carom_status status = carom_mode_basis_create(&system, &basis, &error);
    if (status == CAROM_OK)
        status = carom_harmonic_balance(basis, frequency, &options, NULL, &motion, &error);
    carom_mode_basis_free(basis);
    if (status != CAROM_OK)
        return loader_error(L, "harmonic_balance: %s", error.text);
    lua_createtable(L, 0, 6);
    loader_push_number(L, "energy", motion.energy);
    loader_push_number(L, "penetration", motion.penetration);
    loader_push_number(L, "impulse", motion.impulse);
    loader_push_number(L, "iterations", motion.iterations);
    push_flag(L, "trivial", motion.trivial);
    return 1;
}

void loader_open_orbits(lua_State *L)
{
    static const luaL_Reg functions[] = {{"ring_orbit", call_ring_orbit},
                                         {"impact_mode", call_impact_mode},
                                         {"harmonic_balance", call_harmonic_balance},
                                         {NULL, NULL}};
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
