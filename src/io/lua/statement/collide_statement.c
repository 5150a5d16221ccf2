/* collide { ... }: one impact of a chain of balls while the file is read, with plain numbers.
 *
 *   local out = collide { masses = { 1, 1, 1 }, law = "lzb", restitution = 0.9 }
 *   out.velocity[i], out.impulses[j], out.energy_ratio, out.collisions, out.steps, out.duration, out.status
 */
#include <string.h>

#include "io/lua/loader.h"

static const char WHO[] = "collide";

static const char *const keys[] = {"masses",    "velocity", "law",   "restitution", "stiffness",
                                   "exponent",  "wall",     "order", "seed",        "once",
                                   "tolerance", "method",   "step",  "limit",       NULL};

static carom_impact_options read_options(lua_State *L)
{
    static const char *const orders[] = {"lr", "rl", "random", NULL};
    static const char *const methods[] = {"events", "time", "impulse", "implicit", NULL};
    carom_impact_options options = carom_impact_defaults();
    options.order = (carom_impact_order)loader_word(L, WHO, "order", orders);
    options.method = (carom_lzb_method)loader_word(L, WHO, "method", methods);
    options.seed = (unsigned)loader_number(L, WHO, "seed", 1);
    options.one_sweep = loader_field_bool(L, 1, "once");
    options.collision_tolerance = loader_number(L, WHO, "tolerance", 0.0);
    options.velocity_tolerance = options.collision_tolerance;
    options.step = loader_number(L, WHO, "step", 0.0);
    const double limit = loader_number(L, WHO, "limit", 1e7);
    if (!(limit >= 1.0 && limit <= 1e9))
        loader_error(L, "collide: limit %g, of collisions or steps, must be from 1 to 1e9", limit);
    options.max_collisions = options.max_steps = (long)limit;
    return options;
}

/* What the table says; NULL: the default of carom_chain_create. */
typedef struct chain_numbers {
    int balls, contacts;
    bool wall;
    double *mass, *velocity, *stiffness, *exponent, *restitution;
} chain_numbers;

static chain_numbers read_chain(lua_State *L)
{
    chain_numbers given = {.wall = loader_field_bool(L, 1, "wall")};
    if (lua_getfield(L, 1, "masses") != LUA_TTABLE)
        loader_error(L, "collide: masses is a list of numbers: masses = { 1, 2, 3 }");
    given.balls = (int)luaL_len(L, -1);
    lua_pop(L, 1);
    given.contacts = given.wall ? given.balls : given.balls - 1;
    if (given.contacts < 1)
        loader_error(L, "collide: %d balls%s have no contact", given.balls,
                     given.wall ? "" : " without a wall");
    given.mass = loader_numbers(L, WHO, "masses", given.balls);
    given.velocity = loader_numbers(L, WHO, "velocity", given.balls);
    given.stiffness = loader_numbers(L, WHO, "stiffness", given.contacts);
    given.exponent = loader_numbers(L, WHO, "exponent", given.contacts);
    given.restitution = loader_numbers(L, WHO, "restitution", given.contacts);
    return given;
}

static void copy_numbers(int count, const double *from, double *to)
{
    if (from)
        memcpy(to, from, (size_t)count * sizeof *to);
}

/* No Lua in here: the chain and the law's memory are to be given back. */
static carom_status solve(const chain_numbers *given, const carom_impact_law_ops *law,
                          const carom_impact_options *options, carom_impact_result *result,
                          carom_error *error)
{
    carom_chain *chain = NULL;
    carom_impact_work *work = NULL;
    carom_status status = carom_chain_create(given->balls, given->wall, &chain, error);
    if (status != CAROM_OK)
        return status;
    copy_numbers(given->balls, given->mass, chain->mass);
    copy_numbers(given->balls, given->velocity, chain->velocity);
    copy_numbers(given->contacts, given->stiffness, chain->stiffness);
    copy_numbers(given->contacts, given->exponent, chain->exponent);
    copy_numbers(given->contacts, given->restitution, chain->restitution);
    const carom_impact impact = carom_chain_impact(chain);
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    status = carom_chain_check(chain, false, error);
    if (status == CAROM_OK)
        status = carom_impact_work_create(law, &sizes, &work, error);
    if (status == CAROM_OK)
        status = carom_impact_solve(work, &impact, options, result, error);
    carom_impact_work_free(work);
    carom_chain_free(chain);
    return status;
}

static void push_result(lua_State *L, const chain_numbers *chain, const carom_impact_result *result)
{
    lua_createtable(L, 0, 8);
    loader_push_list(L, "velocity", chain->balls, result->velocity);
    loader_push_list(L, "impulses", chain->contacts, result->impulse);
    loader_push_number(L, "energy_ratio",
                       result->energy_before > 0.0 ? result->energy_after / result->energy_before : 1.0);
    loader_push_number(L, "collisions", (double)result->collisions);
    loader_push_number(L, "steps", (double)result->steps);
    loader_push_number(L, "duration", result->duration);
    lua_pushstring(L, carom_impact_word_text(result->word));
    lua_setfield(L, -2, "status");
}

static int call_collide(lua_State *L)
{
    loader_check_keys(L, 1, "collide", keys);
    const char *name = loader_field_text(L, 1, "law");
    carom_error error = {0};
    const carom_impact_law_ops *law = carom_impact_law_find(name ? name : "moreau", &error);
    if (!law)
        return loader_error(L, "collide: %s", error.text);
    const chain_numbers chain = read_chain(L);
    const carom_impact_options options = read_options(L);
    carom_impact_result result = {.velocity = loader_take(L, (size_t)chain.balls, sizeof(double)),
                                  .impulse = loader_take(L, (size_t)chain.contacts, sizeof(double))};
    if (solve(&chain, law, &options, &result, &error) != CAROM_OK)
        return loader_error(L, "collide: %s", error.text);
    loader_spend(L, result.steps + result.collisions);
    push_result(L, &chain, &result);
    return 1;
}

void loader_open_collide(lua_State *L)
{
    lua_pushcfunction(L, call_collide);
    lua_setglobal(L, "collide");
}
