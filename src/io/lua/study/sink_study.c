/* The averaged energy sink while a file is read, with plain numbers:
 *
 *   sink_manifold { eps =, w1 =, ... }    the slow invariant manifold: folds, landing points, their forcing
 *   sink_forcing { ..., n2 = }            the forcing that makes N2 an equilibrium
 *   sink_equilibria { ..., f0 = }         equilibria of the slow motion and their stability
 *   sink_flow { ..., x =, y =, t_end = }  the averaged motion, once per period
 */
#include <math.h>

#include "carom/subject/energy_sink.h"
#include "io/lua/loader.h"

enum {
    MOST_EQUILIBRIA = 64,
    CURVE_POINTS = 201
};

#define SINK_KEYS "eps", "w1", "a0", "alpha0", "beta", "sigma", "lam", "gamma", "f0"

static carom_energy_sink read_sink(lua_State *L, const char *who)
{
    carom_energy_sink sink = carom_energy_sink_defaults();
    const struct {
        const char *key;
        double *value;
    } field[] = {{"eps", &sink.eps},       {"w1", &sink.w1},       {"a0", &sink.a0},
                 {"alpha0", &sink.alpha0}, {"beta", &sink.beta},   {"sigma", &sink.sigma},
                 {"lam", &sink.lam},       {"gamma", &sink.gamma}, {"f0", &sink.f0}};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        *field[i].value = loader_number(L, who, field[i].key, *field[i].value);
    carom_error error;
    if (carom_energy_sink_check(&sink, &error) != CAROM_OK)
        loader_error(L, "%s: %s", who, error.text);
    return sink;
}

/* ---- manifold --------------------------------------------------------------------------------------- */

static int call_manifold(lua_State *L)
{
    static const char who[] = "sink_manifold";
    static const char *const keys[] = {SINK_KEYS, "n2_max", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_energy_sink sink = read_sink(L, who);
    const double most = loader_number(L, who, "n2_max", 6.0);
    carom_manifold_fold fold[2];
    const int folds = carom_manifold_folds(&sink, fold);
    double n2[2], n1[2], landing[2], forcing[2], phase[2], angle[2];
    for (int i = 0; i < folds; i++) {
        n2[i] = fold[i].n2;
        n1[i] = fold[i].n1;
        landing[i] = fold[i].landing;
        forcing[i] = fold[i].forcing;
        phase[i] = fold[i].phase;
        angle[i] = fold[i].angle;
    }
    lua_createtable(L, 0, 8);
    loader_push_list(L, "folds", folds, n2);
    loader_push_list(L, "fold_n1", folds, n1);
    loader_push_list(L, "fold_phase", folds, phase);
    loader_push_list(L, "landings", folds, landing);
    loader_push_list(L, "fold_forcing", folds, forcing);
    loader_push_list(L, "fold_angle", folds, angle);
    lua_createtable(L, CURVE_POINTS, 0); /* points { N2, N1 } of the curve */
    for (int i = 0; i < CURVE_POINTS; i++) {
        const double place = most * i / (CURVE_POINTS - 1);
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, place);
        lua_rawseti(L, -2, 1);
        lua_pushnumber(L, carom_manifold_amplitude(&sink, place));
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "curve");
    return 1;
}

static int call_forcing(lua_State *L)
{
    static const char who[] = "sink_forcing";
    static const char *const keys[] = {SINK_KEYS, "n2", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_energy_sink sink = read_sink(L, who);
    const double n2 = loader_needed_number(L, who, "n2");
    if (!(n2 > 0.0))
        loader_error(L, "%s: n2 = %g is an amplitude: n2 > 0", who, n2);
    lua_pushnumber(L, carom_manifold_forcing(&sink, n2, NULL));
    return 1;
}

/* ---- equilibria ---------------------------------------------------------------------------------------- */

static int call_equilibria(lua_State *L)
{
    static const char who[] = "sink_equilibria";
    static const char *const keys[] = {SINK_KEYS, "n2_max", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_energy_sink sink = read_sink(L, who);
    carom_equilibria_options options = carom_equilibria_defaults();
    options.n2_max = loader_number(L, who, "n2_max", options.n2_max);
    carom_sink_equilibrium *all = loader_take(L, MOST_EQUILIBRIA, sizeof *all);
    double *list = loader_take(L, MOST_EQUILIBRIA, sizeof *list);
    carom_error error;
    int found;
    if (carom_sink_equilibria(&sink, &options, MOST_EQUILIBRIA, all, &found, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    if (found > MOST_EQUILIBRIA)
        found = MOST_EQUILIBRIA;
    loader_spend(L, options.points);
    lua_createtable(L, 0, 11);
    /* positions and velocities at t = 0 come last */
    static const char *const names[] = {"n2",     "n1", "finite_n2", "finite_n1", "growth",
                                        "stable", "x",  "x_dot",     "y",         "y_dot"};
    const double w = carom_energy_sink_frequency(&sink), k1 = sink.eps / (1.0 + sink.eps),
                 k2 = 1.0 / (1.0 + sink.eps);
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < found; i++) {
            const carom_sink_equilibrium *e = &all[i];
            const double *phi = e->phi;
            const double value[] = {e->n2,
                                    e->n1,
                                    e->finite_n2,
                                    e->finite_n1,
                                    e->growth,
                                    e->stable ? 1.0 : 0.0,
                                    (phi[1] + k1 * phi[3]) / w,
                                    phi[0] + k1 * phi[2],
                                    (phi[1] - k2 * phi[3]) / w,
                                    phi[0] - k2 * phi[2]};
            list[i] = value[k];
        }
        loader_push_list(L, names[k], found, list);
    }
    loader_push_number(L, "least_forcing", carom_energy_sink_least_forcing(&sink));
    return 1;
}

/* ---- averaged motion -------------------------------------------------------------------------------- */

typedef struct flow_result {
    int jumps, samples;
    double *jump, *n1, *n2, *t;
    double n1_min, n1_max;
} flow_result;

/* No Lua in here: the detector is to be given back. */
static carom_status follow(const carom_energy_sink *sink, double *phi, double from, int periods, int most,
                           flow_result *result, carom_error *error)
{
    const double period = 2.0 * CAROM_PI / carom_energy_sink_frequency(sink);
    carom_averaged_options options = carom_averaged_defaults();
    carom_manifold_fold fold[2];
    carom_jump_detector *detector = NULL;
    carom_status status = CAROM_OK;
    if (carom_manifold_folds(sink, fold) == 2)
        status = carom_jump_detector_create(1.0, 0.71 * fold[0].n2, 0.82 * fold[1].n2, &detector, error);
    for (int i = 1; status == CAROM_OK && i <= periods; i++) {
        status = carom_averaged_flow(sink, period, &options, phi, error);
        const double n1 = hypot(phi[0], phi[1]), n2 = hypot(phi[2], phi[3]), t = i * period;
        result->t[i - 1] = t;
        result->n1[i - 1] = n1;
        result->n2[i - 1] = n2;
        if (detector && carom_jump_detector_take(detector, n2) != CAROM_JUMP_NONE && result->jumps < most)
            result->jump[result->jumps++] = t;
        if (t >= from) {
            result->n1_min = fmin(result->n1_min, n1);
            result->n1_max = fmax(result->n1_max, n1);
        }
    }
    carom_jump_detector_free(detector);
    return status;
}

static int call_flow(lua_State *L)
{
    static const char who[] = "sink_flow";
    static const char *const keys[] = {SINK_KEYS, "x", "x_dot", "y", "y_dot", "t_end", "from", NULL};
    enum {
        MOST_JUMPS = 1000
    };
    loader_check_keys(L, 1, who, keys);
    const carom_energy_sink sink = read_sink(L, who);
    const double t_end = loader_needed_number(L, who, "t_end");
    const double periods = floor(t_end * carom_energy_sink_frequency(&sink) / (2.0 * CAROM_PI));
    if (!(periods >= 1.0 && periods <= 1e5))
        loader_error(L, "sink_flow: t_end = %g must be from one period of the forcing to 1e5 of them", t_end);
    double phi[CAROM_AVERAGED];
    carom_averaged_start(&sink, loader_number(L, who, "x", 2.0), loader_number(L, who, "x_dot", 0.0),
                         loader_number(L, who, "y", 2.0), loader_number(L, who, "y_dot", 0.0), phi);
    const size_t count = (size_t)periods;
    flow_result result = {.samples = (int)periods,
                          .jump = loader_take(L, MOST_JUMPS, sizeof(double)),
                          .t = loader_take(L, count, sizeof(double)),
                          .n1 = loader_take(L, count, sizeof(double)),
                          .n2 = loader_take(L, count, sizeof(double)),
                          .n1_min = INFINITY,
                          .n1_max = -INFINITY};
    const double from = loader_number(L, who, "from", 0.5 * t_end);
    loader_spend(L, 100L * (long)periods);
    carom_error error;
    if (follow(&sink, phi, from, (int)periods, MOST_JUMPS, &result, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    lua_createtable(L, 0, 6);
    loader_push_list(L, "jumps", result.jumps, result.jump);
    loader_push_list(L, "t", result.samples, result.t);
    loader_push_list(L, "n1", result.samples, result.n1);
    loader_push_list(L, "n2", result.samples, result.n2);
    loader_push_number(L, "n1_min", result.n1_min);
    loader_push_number(L, "n1_max", result.n1_max);
    return 1;
}

void loader_open_sink(lua_State *L)
{
    static const luaL_Reg functions[] = {{"sink_manifold", call_manifold},
                                         {"sink_forcing", call_forcing},
                                         {"sink_equilibria", call_equilibria},
                                         {"sink_flow", call_flow},
                                         {NULL, NULL}};
    lua_pushglobaltable(L);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
