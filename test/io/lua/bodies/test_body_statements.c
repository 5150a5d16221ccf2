/* What statements about bodies refuse, and what they say. */
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

#define PLANE "world { gravity = { 0, -9.81 } }\n"
#define SPACE "world { gravity = { 0, 0, -9.81 } }\n"
#define DISC "local b = body { 'b', shape = disc { 0.1 }, density = 1, at = { 0, 1 } }\n"
#define BOX "local g = fixed { 'g' }\nlocal b = body { 'b', shape = box { 1, 1, 1 }, density = 1 }\n"
#define END "\nintegrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.01 }\n"

typedef struct refusal {
    const char *text, *says;
} refusal;

/* The text of the first error, of reading the file or of its first steps. */
static void first_error(const char *text, carom_error *error)
{
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    if (carom_experiment_load(&(carom_load_request){.name = "m", .file = "m.lua", .text = text}, &experiment,
                              error) == CAROM_OK)
        carom_run(&(carom_run_request){.experiment = experiment}, &result, error);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void check(size_t count, const refusal *list)
{
    for (size_t i = 0; i < count; i++) {
        carom_error error = {0};
        first_error(list[i].text, &error);
        if (!strstr(error.text, list[i].says))
            fail_msg("%s\nsays '%s', not '%s'", list[i].text, error.text, list[i].says);
    }
}
#define CHECK(list) check(sizeof(list) / sizeof *(list), list)

static void bodies(void **state)
{
    (void)state;
    static const refusal list[] = {
        {"body { 'b', shape = disc { 0.1 } }",
         "m.lua:1: disc: say first whether the world is the plane or space"},
        {PLANE "body { 'b', shape = disc { 0.1 } }" END, "m.lua:2: body 'b' has no mass; give density"},
        {PLANE "body { 'b', shape = plane { normal = {0, 1} }, density = 1 }" END, "has no inside"},
        {PLANE "body { 'b', mass = 1 }" END, "its shape has no volume; give mass and inertia"},
        {PLANE "body { 'b', mass = -1, inertia = 1 }" END, "m.lua:2: body 'b': mass = -1"},
        {PLANE "body { 'b', mass = 1, inertia = -1 }" END, "its moments must be positive"},
        {PLANE "body { 'b', mass = 1, inertia = 1, density = 2 }" END, "mass or density, not both"},
        {PLANE "body { 'b', shape = disc { 1e-300 }, density = 1 }" END, "too small or too large"},
        {PLANE DISC DISC END, "body 'b' is defined twice"},
        {PLANE DISC "body { 'c', shape = disc { 0.1 }, density = 1, at = { 0.1, 1 } }" END,
         "bodies b/c overlap by 0.1"},
        {PLANE END, "the world is empty"},
        {PLANE "world { gravity = { 0, 0 } }", "world is given twice"},
        {"world { gravity = 9.81 }", "gravity is a list"},
        {"local x = coordinates('x')\n" PLANE, "the world is empty"},
        {SPACE "body { 'b', mass = 1, inertia = { 1, 1, 5 } }" END,
         "none larger than the sum of the two others"},
        {SPACE "body { 'b', shape = box { 1, 1, 1 }, density = 1, at = { 0, 0 } }" END,
         "at must be a list of 3"},
        {SPACE "body { 'b', shape = box { 1, 1, 1 }, density = 1, at = { 0, 0, 1/0 } }" END,
         "must be finite numbers"},
        {SPACE "body { 'b', shape = box { 1, 1, 1 }, density = 1, rotation = 3 }" END,
         "rotation in space is { axis ="},
        {SPACE "body { 'b', shape = box { 1, 1, 1 }, density = 1, rotation = { 0, 0, 0, 0 } }" END,
         "length 0"},
        {PLANE "driven { 'd', velocity = { 'x', 1 } }" END, "velocity must be a number or an expression"},
        {PLANE "body { 'b', shape = disc { 0.1 }, density = 1, velocity = { time(), 0 } }" END,
         "parameters only"},
        {PLANE DISC "measure { x = b.z }" END, "body 'b' has no 'z'"},
        {PLANE DISC "measure { x = impulse(b, 3) }" END, "the second of the pair must be a body"},
        {PLANE DISC "force { b, { 1, 2, 3 } }" END, "a list of 2"},
        {PLANE DISC "local f = fixed { 'f' }\nforce { f, { 1, 2 } }" END, "does not move freely"},
        {PLANE DISC "integrate { scheme = 'event-driven', h = 1e-3, until_t = 1 }", "does not treat bodies"},
        {PLANE DISC "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1, solver = 'lemke' }",
         "without friction"},
        {PLANE DISC "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1, impact_law = 'binary' }",
         "does not treat bodies"},
    };
    CHECK(list);
}

#define X "local x = coordinates('x')\n"
#define MASS "mass { x = 1 }\n"

/* Coordinates, contacts and joints of expressions beside bodies. */
static void mixed(void **state)
{
    (void)state;
    static const refusal list[] = {
        {PLANE DISC X END, "the coordinates have no inertia"},
        {PLANE DISC X MASS "kinetic(dot(x)^2)" END, "both kinetic(...) and mass{...}"},
        {PLANE DISC "kinetic(dot(b.x)^2)" END, "kinetic: define the coordinates first"},
        {PLANE DISC X "kinetic(dot(x)^2 + dot(x) * dot(b.x))" END, "are of coordinates; bodies have theirs"},
        {PLANE DISC X "kinetic((1 + b.x^2) * dot(x)^2)" END, "are of coordinates; bodies have theirs"},
        {PLANE DISC X "kinetic(dot(x)^2 + dot(x) * time())" END, "every term has two velocities"},
        {PLANE DISC X "kinetic(dot(x)^3)" END, "must be quadratic in the velocities"},
        {PLANE DISC X "kinetic(-dot(x)^2)" END, "not positive definite: coordinate 'x'"},
        {PLANE DISC X "local y = coordinates('y')\nmass { { 1, 2 }, { 3, 9 } }" END, "must be symmetric"},
        {PLANE DISC "local b = coordinates('b')" END, "coordinate 'b' is defined twice"},
        {PLANE DISC X MASS "force { z = 1 }" END, "there is no coordinate 'z'"},
        {PLANE DISC X MASS "force { [b.x] = 1 }" END, "this is of a body, not a coordinate"},
        {PLANE DISC X MASS "initial { [b.x] = 1 }" END, "this is of a body, not a coordinate"},
        {PLANE DISC X MASS "initial { [dot(b.x)] = 1 }" END, "this is of a body, not a coordinate"},
        {PLANE DISC X MASS "initial { x = 0/0 }" END, "an initial value is not a number"},
        {PLANE DISC X MASS "contact { 'c', gap = dot(x) }" END,
         "m.lua:5: contact 'c': the gap must be a function of"},
        {PLANE DISC X MASS "contact { 'c', gap = time() }" END, "does not depend on any position"},
        {PLANE DISC X MASS "contact { 'c', gap = x + 1, slip = dot(x)^2, friction = 1 }" END,
         "slip must be linear"},
        {PLANE DISC X MASS "contact { 'c', gap = x + 1, slip = x, friction = 1 }" END,
         "does not depend on any velocity"},
        {PLANE DISC X MASS
         "contact { 'c', gap = x + 1, slip = { dot(x), dot(b.x) }, friction = { ellipse = { 1, 2 } } }" END,
         "beside bodies friction is a coefficient"},
        {PLANE DISC X MASS "friction_force { 'c', slip = dot(x), bound = 1, static = 2, decay = 1 }" END,
         "beside bodies its bound is one number"},
        {PLANE DISC X MASS "contact { 'c', gap = x - 1 }" END, "'c'"},
        {PLANE DISC X MASS "local e = param { 'e', 3 }\ncontact { 'c', gap = x, restitution = e }" END,
         "restitution = 3"},
        {PLANE DISC X MASS "contact { 'c', gap = x }\ncontact { 'c', gap = b.y }" END,
         "contact 'c' is defined twice"},
        {PLANE DISC X MASS "measure { n = impulse 'd' }" END, "there is no contact 'd'"},
        {PLANE DISC X MASS "joint { 'j', dot(x) - 1 }" END,
         "m.lua:5: joint 'j' must be a function of position"},
        {PLANE DISC X MASS "joint { 'j', x - 1 }" END, "joint 'j' is off by -1 at the start"},
        {PLANE DISC X MASS "force { x = 1 / x }" END, "force"},
        {PLANE DISC X MASS "potential(sqrt(x))" END, "inite"},
        {"beam { 'u', elements = 4, length = 1, k2 = 1 }\n" PLANE END, "write world { ... } first"},
        {PLANE "beam { 'u', elements = 4, length = 1 }" END,
         "m.lua:2: beam 'u' needs k2, or E, rho and section"},
        {PLANE "beam { 'u', elements = 4, length = param { 'L', 1 }, k2 = 1 }" END,
         "length must be a plain number"},
        {PLANE "beam { 'u', elements = 4, length = 1, k2 = 1, displacement = function(x) return x end }" END,
         "a beam starts straight"},
        {PLANE "beam { 'u', elements = 4, length = 1, k2 = 1, basis = 'bspline' }" END, "the basis is"},
        {PLANE "beam { 'u', elements = 4, length = 1, k2 = 1 }:at(2)" END, "is not on the beam"},
        {PLANE DISC X MASS "integrate { scheme = 'event-driven', h = 1e-3, until_t = 1 }",
         "does not treat bodies"},
    };
    CHECK(list);
}

static void shapes(void **state)
{
    (void)state;
    static const refusal list[] = {
        {PLANE "disc { -1 }", "m.lua:2: disc: the radius is -1"},
        {PLANE "sphere { 1 }", "sphere is a shape of space, and the world is the plane"},
        {SPACE "box { 1, 1 }", "must have 3 numbers; got 2"},
        {PLANE "local r = param { 'r', 1 }\ndisc { r }", "is a setting"},
        {PLANE "plane { normal = { 0, 0 } }", "the normal must have a length"},
        {PLANE "compound { }", "compound takes parts"},
        {PLANE "compound { { 3 } }", "must be a shape"},
        {PLANE "polygon { {0, 0}, {1, 1} }", "2 points"},
        {PLANE "polygon { {0, 0}, {1, 0}, {0/0, 1} }", "NaN"},
        {SPACE "mesh { points = { {0, 0, 0} }, triangles = { {1, 2, 3} } }", "names point 2"},
        {SPACE "heightfield { dx = 0, dy = 1, { 1, 2 }, { 1, 2 } }", "must be positive"},
        {SPACE "heightfield { dx = 1, dy = 1, { 1, 2 }, { 1 } }", "must have 2 numbers; got 1"},
    };
    CHECK(list);
}

static void pairs_and_joints(void **state)
{
    (void)state;
    static const refusal list[] = {
        {PLANE "pair { friction = -1 }\n" DISC END, "m.lua:2: pair: friction = -1"},
        {PLANE "local e = param { 'e', 2 }\npair { restitution = e }\n" DISC END,
         "m.lua:3: pair: restitution = 2"},
        {PLANE "pair { rolling = -1e-3 }\n" DISC END, "m.lua:2: pair: rolling = -0.001; it must be finite"},
        {PLANE "pair { rolling = 0/0 }\n" DISC END, "m.lua:2: rolling is not a number"},
        {SPACE "pair { torsion = 1/0 }\n" BOX END, "m.lua:2: pair: torsion = inf"},
        {PLANE "pair { torsion = 1e-3 }\n" DISC END, "m.lua:2: pair: torsion is a moment about the normal"},
        {PLANE "pair { rolling = 'much' }\n" DISC END, "rolling"},
        {PLANE "pair { 'a', friction = 1 }\n" DISC END, "pair takes two materials"},
        {PLANE "pair { fiction = 1 }\n" DISC END, "did you mean 'friction'?"},
        {SPACE BOX "hinge { 'h', g, b, at = { 0, 0, 0 } }" END, "needs axis"},
        {SPACE BOX "hinge { 'h', g, b, at = { 0, 0, 0 }, axis = { 0, 0, 0 } }" END, "the axis is zero"},
        {SPACE BOX "local k = fixed { 'k' }\nball { 'h', g, k, at = { 0, 0, 0 } }" END,
         "one of its bodies must be free"},
        {SPACE "ball { 'h', 1, 2, at = { 0, 0, 0 } }" END, "connects two bodies"},
        {SPACE BOX "ball { 'h', b, b, at = { 0, 0, 0 } }" END, "connects a body with itself"},
        {SPACE BOX "universal { 'u', g, b, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, axis2 = { 0, 1, 1 } }" END,
         "must be perpendicular"},
        {PLANE DISC "joint { 'j', 1 }" END, "joint 'j' is off by 1 at the start"},
        {PLANE DISC "joint { 'j', log(b.y - 1) }" END, "joint 'j' is off by"},
        {PLANE "local g = fixed { 'g' }\nlocal b = body { 'b', shape = disc { 0.1 }, density = 1, velocity = "
               "{ 1, 0 } }\n"
               "hinge { 'h', g, b, at = { 0, 0 } }" END,
         "the velocities of the start move it by"},
    };
    CHECK(list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies),
        cmocka_unit_test(mixed),
        cmocka_unit_test(shapes),
        cmocka_unit_test(pairs_and_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
