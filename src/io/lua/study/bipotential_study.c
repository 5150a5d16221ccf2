/* Friction by its bipotential, computed while the file is read, with plain numbers:
 *
 *   cone_project { tau = { n, x, y }, mu = }                           nearest point of the friction cone
 *   slip_reaction { angle =, mu_x =, mu_y =, p_x =, p_y = }            friction while sliding
 *   contact_solve { W = { ... }, q = { ... }, mu =, gap = }            u = q + W r, by Uzawa's iteration
 *
 * Friction is mu, or mu_x and mu_y; p_x and p_y the slip potential where it is another ellipse; axes the
 * angle of the ellipses against the tangents. */
#include "bipotential_study.h"

#include <math.h>
#include <string.h>

static bool has(lua_State *L, const char *key)
{
    const bool found = lua_getfield(L, 1, key) != LUA_TNIL;
    lua_pop(L, 1);
    return found;
}

/* Both or none of two fields; true when they are there. */
static bool read_pair(lua_State *L, const char *who, const char *x, const char *y, double pair[2])
{
    if (has(L, x) != has(L, y))
        loader_error(L, "%s: give both %s and %s", who, x, y);
    if (!has(L, x))
        return false;
    pair[0] = loader_needed_number(L, who, x);
    pair[1] = loader_needed_number(L, who, y);
    return true;
}

static carom_elliptic_cone read_cone(lua_State *L, const char *who)
{
    carom_elliptic_cone cone;
    carom_error error;
    double mu[2], slip[2];
    if (read_pair(L, who, "mu_x", "mu_y", mu) == has(L, "mu"))
        loader_error(L, "%s: friction is mu, or mu_x and mu_y", who);
    if (has(L, "mu"))
        mu[0] = mu[1] = loader_needed_number(L, who, "mu");
    const bool other = read_pair(L, who, "p_x", "p_y", slip);
    if (carom_elliptic_cone_make(mu, other ? slip : NULL, &cone, &error) != CAROM_OK)
        loader_error(L, "%s: %s", who, error.text);
    return cone;
}

static const double *read_needed(lua_State *L, const char *who, const char *key, int count)
{
    const double *list = loader_numbers(L, who, key, count);
    if (!list)
        loader_error(L, "%s needs %s = a list of %d numbers", who, key, count);
    return list;
}

static void check_finite(lua_State *L, const char *who, const char *key, int count, const double *list)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(list[k]))
            loader_error(L, "%s: %s has the entry %g; it must be finite", who, key, list[k]);
}

/* ---- one cone ---------------------------------------------------------------------------------------- */

static int call_cone_project(lua_State *L)
{
    static const char who[] = "cone_project";
    static const char *const keys[] = {"tau", "mu", "mu_x", "mu_y", NULL};
    static const char *const regions[] = {
        [CAROM_CONE_APEX] = "apex", [CAROM_CONE_INSIDE] = "inside", [CAROM_CONE_SURFACE] = "surface"};
    loader_check_keys(L, 1, who, keys);
    const carom_elliptic_cone cone = read_cone(L, who);
    const double *tau = read_needed(L, who, "tau", 3);
    check_finite(L, who, "tau", 3, tau);
    double r[3], distance = 0.0;
    const carom_cone_region region = carom_elliptic_cone_project(cone.mu, tau, r);
    for (int k = 0; k < 3; k++)
        distance = hypot(distance, tau[k] - r[k]);
    lua_createtable(L, 0, 3);
    loader_push_list(L, "r", 3, r);
    loader_push_number(L, "distance", distance);
    lua_pushstring(L, regions[region]);
    lua_setfield(L, -2, "region");
    return 1;
}

static int call_slip_reaction(lua_State *L)
{
    static const char who[] = "slip_reaction";
    static const char *const keys[] = {"angle", "normal", "mu", "mu_x", "mu_y", "p_x", "p_y", NULL};
    static const double degree = CAROM_PI / 180.0;
    loader_check_keys(L, 1, who, keys);
    const carom_elliptic_cone cone = read_cone(L, who);
    const double angle = loader_needed_number(L, who, "angle") * degree;
    const double normal = loader_number(L, who, "normal", 1.0);
    check_finite(L, who, "angle", 1, &angle);
    if (!(normal >= 0.0) || !isfinite(normal))
        loader_error(L, "%s: normal = %g is a pressure, which must not be negative", who, normal);
    double r[2];
    const double loss = carom_slip_reaction(&cone, normal, (const double[]){cos(angle), sin(angle)}, r);
    lua_createtable(L, 0, 4);
    loader_push_list(L, "r", 2, r);
    loader_push_number(L, "size", hypot(r[0], r[1]));
    loader_push_number(L, "angle", atan2(-r[1], -r[0]) / degree);
    loader_push_number(L, "dissipation", loss);
    return 1;
}

/* ---- contacts ------------------------------------------------------------------------------------------ */

static int count_contacts(lua_State *L, const char *who)
{
    const int kind = lua_getfield(L, 1, "q");
    const lua_Integer length = kind == LUA_TTABLE ? luaL_len(L, -1) : 0;
    lua_pop(L, 1);
    if (length < 3 || length % 3 != 0 || length > 3 * BIPOTENTIAL_CONTACTS_MAX)
        loader_error(L, "%s: q has three numbers per contact, for 1 to %d contacts: q = { n, x, y, ... }",
                     who, BIPOTENTIAL_CONTACTS_MAX);
    return (int)length / 3;
}

/* W row by row in one list, as blocks. */
static carom_blocks read_matrix(lua_State *L, const char *who, int contacts)
{
    const size_t n = (size_t)contacts, size = 3 * n;
    const double *list = read_needed(L, who, "W", (int)(size * size));
    int *start = loader_take(L, n + 1, sizeof *start), *diagonal = loader_take(L, n, sizeof *diagonal);
    int *column = loader_take(L, n * n, sizeof *column);
    double *block = loader_take(L, size * size, sizeof *block);
    for (size_t a = 0; a < n; a++) {
        start[a + 1] = (int)((a + 1) * n);
        diagonal[a] = (int)(a * n + a);
        for (size_t b = 0; b < n; b++) {
            column[a * n + b] = (int)b;
            for (size_t k = 0; k < 9; k++)
                block[9 * (a * n + b) + k] = list[(3 * a + k / 3) * size + 3 * b + k % 3];
        }
    }
    return (carom_blocks){contacts, start, column, diagonal, block};
}

carom_elliptic_problem bipotential_read_problem(lua_State *L, const char *who, int contacts)
{
    carom_elliptic_cone *cone = loader_take(L, (size_t)contacts, sizeof *cone);
    double *axes = loader_take(L, (size_t)contacts, sizeof *axes);
    cone[0] = read_cone(L, who);
    axes[0] = loader_number(L, who, "axes", 0.0);
    for (int a = 1; a < contacts; a++) {
        cone[a] = cone[0];
        axes[a] = axes[0];
    }
    return (carom_elliptic_problem){.contacts = contacts,
                                    .W = read_matrix(L, who, contacts),
                                    .cone = cone,
                                    .gap = loader_numbers(L, who, "gap", contacts),
                                    .axes = axes};
}

carom_uzawa_options bipotential_read_options(lua_State *L, const char *who)
{
    static const char *const sweeps[] = {"gauss-seidel", "jacobi", NULL};
    carom_uzawa_options options = carom_uzawa_defaults();
    options.sweep = (carom_uzawa_sweep)loader_word(L, who, "sweep", sweeps);
    options.rho = loader_number(L, who, "rho", 0.0);
    if (has(L, "rho") && !(options.rho > 0.0))
        loader_error(L, "%s: rho = %g must be positive; leave it out for 1 / largest eigenvalue", who,
                     options.rho);
    options.tolerance = loader_number(L, who, "tolerance", options.tolerance);
    if (has(L, "iterations"))
        options.max_iterations = loader_whole(L, who, "iterations", 1, 10000000);
    if (has(L, "visits"))
        options.visits = loader_whole(L, who, "visits", 1, 1000000);
    return options;
}

/* "open", "stick" (inside the cone) or "slip" (on its surface) */
static const char *word_of(const carom_elliptic_cone *cone, const double r[3])
{
    if (!(r[0] > 0.0))
        return "open";
    double inner[3] = {r[0] * (1.0 - 1e-9), r[1], r[2]}, nearest[3];
    return carom_elliptic_cone_project(cone->mu, inner, nearest) == CAROM_CONE_INSIDE ? "stick" : "slip";
}

static void push_contacts(lua_State *L, const carom_elliptic_problem *problem, const double *r,
                          const double *u, const carom_uzawa_report *report)
{
    lua_createtable(L, 0, 12);
    loader_push_list(L, "r", 3 * problem->contacts, r);
    loader_push_list(L, "u", 3 * problem->contacts, u);
    lua_createtable(L, problem->contacts, 0);
    for (int a = 0; a < problem->contacts; a++) {
        lua_pushstring(L, word_of(problem->cone + a, r + 3 * (ptrdiff_t)a));
        lua_rawseti(L, -2, a + 1);
    }
    lua_setfield(L, -2, "state");
    lua_pushboolean(L, report->status == CAROM_OK);
    lua_setfield(L, -2, "converged");
    loader_push_number(L, "iterations", report->iterations);
    loader_push_number(L, "change", report->change);
    loader_push_number(L, "halvings", report->halvings);
    loader_push_number(L, "error", report->error);
    loader_push_number(L, "power", report->certificate.power);
    loader_push_number(L, "penetration", report->certificate.penetration);
    loader_push_number(L, "outside", report->certificate.outside);
}

static int call_contact_solve(lua_State *L)
{
    static const char who[] = "contact_solve";
    static const char *const keys[] = {BIPOTENTIAL_KEYS, "q", "start", NULL};
    loader_check_keys(L, 1, who, keys);
    const int contacts = count_contacts(L, who);
    const size_t size = 3 * (size_t)contacts;
    carom_elliptic_problem problem = bipotential_read_problem(L, who, contacts);
    problem.q = read_needed(L, who, "q", 3 * contacts);
    const carom_uzawa_options options = bipotential_read_options(L, who);
    double *r = loader_take(L, size, sizeof *r), *u = loader_take(L, size, sizeof *u);
    const double *start = loader_numbers(L, who, "start", 3 * contacts);
    if (start)
        check_finite(L, who, "start", 3 * contacts, start);
    if (start)
        memcpy(r, start, size * sizeof *r);
    carom_error error;
    if (carom_elliptic_problem_check(&problem, loader_field_bool(L, 1, "allow_penetration"), &error) !=
        CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    const carom_uzawa_report report = carom_uzawa_solve(&problem, &options, r, &error);
    if (report.status != CAROM_OK && report.status != CAROM_FAILED)
        return loader_error(L, "%s: %s", who, error.text);
    loader_spend(L, 10L * report.iterations * contacts * contacts);
    carom_elliptic_certify(&problem, r, u);
    push_contacts(L, &problem, r, u, &report);
    return 1;
}

void loader_open_bipotential(lua_State *L)
{
    static const luaL_Reg functions[] = {{"cone_project", call_cone_project},
                                         {"slip_reaction", call_slip_reaction},
                                         {"contact_solve", call_contact_solve},
                                         {NULL, NULL}};
    for (const luaL_Reg *f = functions; f->name; f++) {
        lua_pushcfunction(L, f->func);
        lua_setglobal(L, f->name);
    }
}
