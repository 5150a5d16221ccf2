/* cylinder_contact { ... }: an elastic cylinder condensed to its lower face, for contact_solve:
 *
 *   local body = cylinder_contact { R = 10, height = 10, E = 210000, nu = 0.3, core = 4, rings = 1, layers =
 * 5 } body.contacts, body.x[i], body.y[i], body.area[i], body.W */
#include "carom/subject/cylinder.h"
#include "io/lua/loader.h"

enum {
    MOST_CELLS = 12,
    MOST_LAYERS = 20
};

static int call_cylinder_contact(lua_State *L)
{
    static const char who[] = "cylinder_contact";
    static const char *const keys[] = {"R", "height", "E", "nu", "core", "rings", "layers", NULL};
    loader_check_keys(L, 1, who, keys);
    const carom_cylinder cylinder = {.radius = loader_needed_number(L, who, "R"),
                                     .height = loader_needed_number(L, who, "height"),
                                     .young = loader_needed_number(L, who, "E"),
                                     .poisson = loader_needed_number(L, who, "nu"),
                                     .core = loader_whole(L, who, "core", 2, MOST_CELLS),
                                     .rings = loader_whole(L, who, "rings", 1, MOST_CELLS),
                                     .layers = loader_whole(L, who, "layers", 1, MOST_LAYERS)};
    const int contacts = carom_cylinder_contacts(&cylinder);
    const size_t count = (size_t)contacts;
    double *x = loader_take(L, count, sizeof *x), *y = loader_take(L, count, sizeof *y);
    double *area = loader_take(L, count, sizeof *area), *W = loader_take(L, 9 * count * count, sizeof *W);
    carom_error error;
    if (carom_cylinder_compliance(&cylinder, x, y, area, W, &error) != CAROM_OK)
        return loader_error(L, "%s: %s", who, error.text);
    loader_spend(L, 100L * contacts * contacts * cylinder.layers);
    lua_createtable(L, 0, 5);
    loader_push_number(L, "contacts", contacts);
    loader_push_list(L, "x", contacts, x);
    loader_push_list(L, "y", contacts, y);
    loader_push_list(L, "area", contacts, area);
    loader_push_list(L, "W", 9 * contacts * contacts, W);
    return 1;
}

void loader_open_cylinder(lua_State *L)
{
    lua_pushcfunction(L, call_cylinder_contact);
    lua_setglobal(L, "cylinder_contact");
}
