/* contact_history { W = { ... }, path = { { n, x, y }, ... }, mu = ... }: quasi-static loading, computed
 * while the file is read. The bodies move together by `path` (totals, one row per step) while the contacts
 * hold them back; every step is one problem for the increments of slip,
 *
 *   u = q + W r,   q = (path_N, path_T - slip so far),
 *
 * from the reactions of the step before. Friction and options are those of contact_solve. */
#include "bipotential_study.h"

#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 10000
};

static const char who[] = "contact_history";

/* As many contacts as W has rows of three. */
static int contacts_of_matrix(lua_State *L)
{
    const int kind = lua_getfield(L, 1, "W");
    const double entries = kind == LUA_TTABLE ? (double)luaL_len(L, -1) : 0.0;
    const int contacts = (int)lround(sqrt(entries) / 3.0);
    lua_pop(L, 1);
    if (contacts < 1 || contacts > BIPOTENTIAL_CONTACTS_MAX || 9.0 * contacts * contacts != entries)
        loader_error(
            L, "%s: W has 3 rows and 3 columns per contact, row by row in one list, for 1 to %d contacts",
            who, BIPOTENTIAL_CONTACTS_MAX);
    return contacts;
}

static double coordinate(lua_State *L, int step, int k)
{
    int is_number = 0;
    lua_geti(L, -1, k + 1);
    const double value = lua_tonumberx(L, -1, &is_number);
    if (!is_number || !isfinite(value))
        loader_error(L, "%s: number %d of path[%d] must be a finite number", who, k + 1, step + 1);
    lua_pop(L, 1);
    return value;
}

/* 3 numbers per step. */
static const double *read_path(lua_State *L, int *steps)
{
    const int kind = lua_getfield(L, 1, "path");
    const lua_Integer length = kind == LUA_TTABLE ? luaL_len(L, -1) : 0;
    if (length < 1 || length > MOST_STEPS)
        loader_error(L, "%s: path = { { n, x, y }, ... } has 1 to %d rows", who, MOST_STEPS);
    *steps = (int)length;
    double *path = loader_take(L, 3 * (size_t)length, sizeof *path);
    for (int step = 0; step < *steps; step++) {
        if (lua_geti(L, -1, step + 1) != LUA_TTABLE || luaL_len(L, -1) != 3)
            loader_error(L, "%s: path[%d] must be three numbers { n, x, y }", who, step + 1);
        for (int k = 0; k < 3; k++)
            path[3 * step + k] = coordinate(L, step, k);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return path;
}

/* Everything of the loading so far. */
typedef struct history {
    carom_elliptic_problem problem;
    carom_uzawa_options options;
    double *q, *r, *slip; /* 3, 3 and 2 per contact */
    double dissipation;
} history;

static history read_history(lua_State *L)
{
    const int contacts = contacts_of_matrix(L);
    const size_t size = 3 * (size_t)contacts;
    history made = {.problem = bipotential_read_problem(L, who, contacts),
                    .options = bipotential_read_options(L, who)};
    made.q = loader_take(L, size, sizeof *made.q);
    made.r = loader_take(L, size, sizeof *made.r);
    made.slip = loader_take(L, size, sizeof *made.slip);
    made.problem.q = made.q;
    carom_error error;
    if (carom_elliptic_problem_check(&made.problem, loader_field_bool(L, 1, "allow_penetration"), &error) !=
        CAROM_OK)
        loader_error(L, "%s: %s", who, error.text);
    return made;
}

static carom_uzawa_report take_step(lua_State *L, history *at, int step, const double path[3])
{
    carom_error error;
    const int contacts = at->problem.contacts;
    for (int a = 0; a < contacts; a++) {
        at->q[3 * a] = path[0];
        for (int k = 0; k < 2; k++)
            at->q[3 * a + 1 + k] = path[1 + k] - at->slip[2 * a + k];
    }
    const carom_uzawa_report report =
        carom_uzawa_load_step(&at->problem, &at->options, at->r, at->slip, &at->dissipation, &error);
    if (report.status != CAROM_OK)
        loader_error(L, "%s: step %d: %s", who, step + 1, error.text);
    /* where the load goes back to zero, reactions are resolved against the largest there were */
    at->options.scale = fmax(at->options.scale, carom_largest(3 * contacts, at->r));
    loader_spend(L, 2L * report.iterations * contacts * contacts);
    return report;
}

/* The table of one step, left on the stack. */
static void push_step(lua_State *L, const history *at, const carom_uzawa_report *report)
{
    const int contacts = at->problem.contacts;
    double force[3] = {0.0};
    for (int i = 0; i < 3 * contacts; i++)
        force[i % 3] += at->r[i];
    lua_createtable(L, 0, 8);
    loader_push_list(L, "force", 3, force);
    loader_push_list(L, "r", 3 * contacts, at->r);
    loader_push_list(L, "slip", 2 * contacts, at->slip);
    loader_push_number(L, "dissipation", at->dissipation);
    loader_push_number(L, "iterations", report->iterations);
    loader_push_number(L, "error", report->error);
    loader_push_number(L, "power", report->certificate.power);
    loader_push_number(L, "penetration", report->certificate.penetration);
}

static int call_contact_history(lua_State *L)
{
    static const char *const keys[] = {BIPOTENTIAL_KEYS, "path", NULL};
    loader_check_keys(L, 1, who, keys);
    int steps = 0;
    const double *path = read_path(L, &steps);
    history at = read_history(L);
    lua_createtable(L, steps, 0);
    for (int step = 0; step < steps; step++) {
        const carom_uzawa_report report = take_step(L, &at, step, path + 3 * (ptrdiff_t)step);
        push_step(L, &at, &report);
        lua_rawseti(L, -2, step + 1);
    }
    return 1;
}

void loader_open_history(lua_State *L)
{
    lua_pushcfunction(L, call_contact_history);
    lua_setglobal(L, "contact_history");
}
