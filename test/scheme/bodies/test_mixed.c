/* Models with bodies and coordinates: closed forms, orders of convergence, twins written in another way, momentum, contacts
 * of expressions, resumed runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

enum {
    TEXT = 4000
};

/* A run that ended well, and its measures. */
typedef struct done {
    carom_experiment *experiment;
    carom_run_result result;
} done;

static carom_experiment *read_model(const char *text, double h)
{
    char all[TEXT];
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    snprintf(all, sizeof all, "local h = %.17g\n%s", h, text);
    if (carom_experiment_load(&(carom_load_request){.name = "mixed", .file = "mixed.lua", .text = all},
                              &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static done run(const char *text, double h)
{
    done d = {.experiment = read_model(text, h)};
    carom_error error = {0};
    if (carom_run(&(carom_run_request){.experiment = d.experiment}, &d.result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return d;
}

static void end(done *d)
{
    carom_run_result_free(&d->result);
    carom_experiment_free(d->experiment);
}

static double measured(const done *d, const char *name)
{
    for (int i = 0; i < d->experiment->measure_count; i++)
        if (strcmp(d->experiment->measure[i].name, name) == 0 && d->result.measure[i].count == 1)
            return d->result.measure[i].value[0];
    fail_msg("there is no measure '%s'", name);
    return NAN;
}

static double one_measure(const char *text, double h, const char *name)
{
    done d = run(text, h);
    const double value = measured(&d, name);
    end(&d);
    return value;
}

/* An error of second order: h/2 makes a quarter of it. */
static void assert_second_order(const char *text, const char *name, double exact, double h, double most)
{
    const double coarse = one_measure(text, h, name) - exact, fine = one_measure(text, 0.5 * h, name) - exact;
    if (!(fabs(coarse) <= most) || !(fabs(coarse / fine - 4.0) <= 0.4))
        fail_msg("%s: errors %.6g and %.6g, of which the first may be %.3g", name, coarse, fine, most);
}

/* ---- what does not touch does not know of each other ------------------------------------------------------ */

#define OSCILLATOR "potential(9 * x^2)\ninitial { x = 1 }\n"
#define BOX_OF_PLANE                                                                                         \
    "world { gravity = { 0, -9.81 } }\npair { friction = 0.4, restitution = 0.3 }\n"                         \
    "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"                                   \
    "local a = body { 'a', shape = box { 0.4, 0.2 }, density = 600, at = { 0, 0.5 }, rotation = 0.2, spin "  \
    "= "                                                                                                     \
    "1 }\n"                                                                                                  \
    "local b = body { 'b', shape = disc { 0.1 }, density = 600, at = { 0.05, 1 } }\n"
#define BOX_OF_SPACE                                                                                         \
    "world { gravity = { 0, 0, -9.81 } }\npair { friction = 0.4, restitution = 0.3 }\n"                      \
    "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\n"                                \
    "local a = body { 'a', shape = box { 0.4, 0.3, 0.2 }, density = 600, at = { 0, 0, 0.5 }, spin = { 1, "   \
    "2, "                                                                                                    \
    "3 } }\n"                                                                                                \
    "local b = body { 'b', shape = sphere { 0.1 }, density = 600, at = { 0.05, 0, 1 } }\n"
#define UNTIL_1 "integrate { scheme = 'moreau-jean', h = h, until_t = 1 }\n"
#define SUM_OF_A "measure { sum = a.x + 3 * a.y + 7 * dot(a.x) + 11 * dot(a.y) + 13 * b.x + 17 * dot(b.y) }\n"

static void bodies_alone_have_the_same_bits(void **state)
{
    (void)state;
    static const char *const alone[] = {BOX_OF_PLANE SUM_OF_A UNTIL_1, BOX_OF_SPACE SUM_OF_A UNTIL_1};
    static const char *const beside[] = {
        "local x = coordinates('x')\nmass { x = 2 }\n" BOX_OF_PLANE OSCILLATOR SUM_OF_A UNTIL_1,
        "local x = coordinates('x')\nmass { x = 2 }\n" BOX_OF_SPACE OSCILLATOR SUM_OF_A UNTIL_1,
        BOX_OF_PLANE "local x = coordinates('x')\nmass { x = 2 }\n" OSCILLATOR SUM_OF_A UNTIL_1,
        BOX_OF_SPACE "local x = coordinates('x')\nmass { x = 2 }\n" OSCILLATOR SUM_OF_A UNTIL_1};
    for (int i = 0; i < 4; i++) {
        const double with = one_measure(beside[i], 1e-3, "sum"),
                     without = one_measure(alone[i % 2], 1e-3, "sum");
        assert_memory_equal(&with, &without, sizeof with);
    }
}

static void coordinates_alone_converge(void **state)
{
    (void)state;
    assert_second_order("local x = coordinates('x')\nmass { x = 2 }\n" BOX_OF_PLANE OSCILLATOR
                        "measure { x = x }\n" UNTIL_1,
                        "x", cos(3.0), 0.01, 1e-4);
    /* A pendulum from 90 degrees is down after K(sin 45 degrees) sqrt(l / g): after 1 with g = K^2. */
    assert_second_order(BOX_OF_SPACE "local w = coordinates('w')\nkinetic(dot(w)^2 / 2)\n"
                                     "local g = 1.8540746773013719^2\npotential(-g * cos(w))\n"
                                     "initial { w = math.pi / 2 }\nmeasure { w = w }\n" UNTIL_1,
                        "w", 0.0, 0.01, 3e-4);
    /* Inertia that depends on the position, and gyroscopic terms: a spherical pendulum that goes round level, with
     * a' = sqrt(g / (l cos)) at the angle 1 from the vertical. */
    assert_second_order(BOX_OF_SPACE
                        "local u, w = coordinates('u', 'w')\n"
                        "kinetic((dot(u)^2 + sin(u)^2 * dot(w)^2) / 2)\npotential(-9.81 * cos(u))\n"
                        "initial { u = 1, [dot(u)] = 0.5, [dot(w)] = math.sqrt(9.81 / math.cos(1)) }\n"
                        "measure { moment = sin(u)^2 * dot(w) }\n" UNTIL_1,
                        "moment", sin(1.0) * sin(1.0) * sqrt(9.81 / cos(1.0)), 0.01, 3e-4);
}

/* ---- one system, written in two ways ---------------------------------------------------------------------- */

static void a_body_on_a_spring(void **state)
{
    (void)state;
    static const char body[] = "world { gravity = { 0, -9.81 } }\n"
                               "local b = body { 'b', mass = 2, inertia = 0.1, at = { 0.3, 0 }, spin = 2 }\n"
                               "local p = b:point { 0.1, 0.2 }\n"
                               "potential(20 * (p.x^2 + p.y^2))\nmeasure { x = b.x + b.phi }\n" UNTIL_1;
    static const char twin[] =
        "local x, y, phi = coordinates('x', 'y', 'phi')\nworld { gravity = { 0, -9.81 } }\n"
        "local far = body { 'far', mass = 1, inertia = 1, at = { 9, 9 } }\n"
        "mass { x = 2, y = 2, phi = 0.1 }\n"
        "local px, py = x + 0.1 * cos(phi) - 0.2 * sin(phi), y + 0.1 * sin(phi) + 0.2 * cos(phi)\n"
        "potential(20 * (px^2 + py^2) + 2 * 9.81 * y)\n"
        "initial { x = 0.3, [dot(phi)] = 2 }\nmeasure { x = x + phi }\n" UNTIL_1;
    const double coarse = one_measure(body, 4e-3, "x") - one_measure(twin, 4e-3, "x"),
                 fine = one_measure(body, 2e-3, "x") - one_measure(twin, 2e-3, "x");
    assert_true(fabs(coarse) < 2e-3);
    assert_near(coarse / fine, 4.0, 0.3);
}

/* The upper link is a coordinate or a body, the lower one a body that hangs on it. */
static void a_double_pendulum(void **state)
{
    (void)state;
    static const char mixed[] =
        "world { gravity = { 0, -9.81 } }\nlocal a = coordinates('a')\n"
        "kinetic(dot(a)^2 / 3)\npotential(-9.81 * cos(a))\n"
        "local b = body { 'b', mass = 2, inertia = 1 / 6, at = { 1, -0.5 }, rotation = -math.pi / 2 }\n"
        "local p = b:point { -0.5, 0 }\njoint { 'pin', p.x - sin(a), p.y + cos(a) }\n"
        "initial { a = math.pi / 2 }\n"
        "measure { x = b.x, off = maximum(abs(p.x - sin(a))), pull = final(reaction('pin', 2)) }\n" UNTIL_1;
    static const char bodies[] =
        "world { gravity = { 0, -9.81 } }\nlocal w = fixed { 'w' }\n"
        "local a = body { 'a', mass = 2, inertia = 1 / 6, at = { 0.5, 0 } }\n"
        "local b = body { 'b', mass = 2, inertia = 1 / 6, at = { 1, -0.5 }, rotation = -math.pi / 2 }\n"
        "hinge { 'top', w, a, at = { 0, 0 } }\nhinge { 'pin', a, b, at = { 1, 0 } }\n"
        "measure { x = b.x, pull = final(reaction('pin', 2)) }\n" UNTIL_1;
    const double coarse = one_measure(mixed, 4e-3, "x") - one_measure(bodies, 4e-3, "x"),
                 fine = one_measure(mixed, 2e-3, "x") - one_measure(bodies, 2e-3, "x");
    assert_true(fabs(coarse) < 1e-5);
    assert_near(coarse / fine, 4.0, 0.3);
    assert_true(one_measure(mixed, 1e-3, "off") < 1e-9);
    assert_near(one_measure(mixed, 1e-3, "pull"), one_measure(bodies, 1e-3, "pull"), 1e-2);
}

/* A block of mass 2 on a cart of mass 5, a coordinate, which is pulled by F: with mu = 0.3 the block slips when F exceeds
 * mu g (m + M) = 20.6. */
static void a_block_on_a_cart(void **state)
{
    (void)state;
#define CART(F)                                                                                              \
    "world { gravity = { 0, -9.81 } }\nlocal b = body { 'b', mass = 2, inertia = 1 }\n"                      \
    "local X = coordinates('X')\nmass { X = 5 }\nforce { X = " F " }\njoint { 'upright', b.phi }\n"          \
    "contact { 'rub', gap = b.y, slip = dot(b.x) - dot(X), friction = 0.3 }\n"                               \
    "measure { vb = dot(b.x), vX = dot(X), push = impulse 'rub' / h, rub = impulse('rub', 1) / h,\n"         \
    "          stuck = count(sticking 'rub') }\n" UNTIL_1
    done slips = run(CART("30"), 1e-2), sticks = run(CART("10"), 1e-2);
    assert_near(measured(&slips, "vb"), 0.3 * 9.81, 1e-10);
    assert_near(measured(&slips, "vX"), (30.0 - 0.3 * 2.0 * 9.81) / 5.0, 1e-10);
    assert_near(measured(&slips, "push"), 2.0 * 9.81, 1e-8);
    assert_near(fabs(measured(&slips, "rub")), 0.3 * 2.0 * 9.81, 1e-8);
    assert_near(measured(&slips, "stuck"), 0.0, 0.0);
    assert_near(measured(&sticks, "vb"), 10.0 / 7.0, 1e-8);
    assert_near(measured(&sticks, "vX"), 10.0 / 7.0, 1e-8);
    assert_near(fabs(measured(&sticks, "rub")), 20.0 / 7.0, 1e-6);
    assert_near(measured(&sticks, "stuck"), 100.0, 0.0);
    assert_true(slips.result.certificate.trusted);
    assert_near(slips.result.certificate.contacts,
                -0.5 * 0.3 * 2.0 * 9.81 * (measured(&slips, "vX") - measured(&slips, "vb")), 1e-8);
    assert_near(slips.result.certificate.forces, 30.0 * 0.5 * measured(&slips, "vX"), 1e-8);
    end(&slips);
    end(&sticks);
}

/* ---- springs between both --------------------------------------------------------------------------------- */

#define COUPLED(k)                                                                                           \
    "world { gravity = { 0, 0, 0 } }\n"                                                                      \
    "local b = body { 'b', shape = box { 1, 0.5, 0.3 }, density = 20, velocity = { 0.1, 0.2, 0 }, spin = { " \
    "1, 2, 0.5 } }\n"                                                                                        \
    "local x, y, z = coordinates('x', 'y', 'z')\nmass(0.4)\nlocal p = b:point { 0.4, 0.2, 0.1 }\n"           \
    "potential(" k " / 2 * ((p.x - x)^2 + (p.y - y)^2 + (p.z - z)^2))\n"                                     \
    "initial { x = 0.4, y = 0.2, z = 0.1, [dot(y)] = 0.3 }\n"                                                \
    "measure { px = 3 * dot(b.x) + 0.4 * dot(x), py = 3 * dot(b.y) + 0.4 * dot(y),\n"                        \
    "          pz = 3 * dot(b.z) + 0.4 * dot(z), energy = energy(), most = maximum(energy()) }\n" UNTIL_1

static void a_spring_keeps_momentum(void **state)
{
    (void)state;
    static const char *const text[] = {COUPLED("50"), COUPLED("1e4"), COUPLED("1e7")};
    static const double tolerance[] = {1e-13, 1e-12, 1e-9}; /* rounding of the spring's force */
    for (int i = 0; i < 3; i++) {
        done d = run(text[i], 1e-2); /* the last one has h w = 54 */
        assert_near(measured(&d, "px"), 0.3, tolerance[i]);
        assert_near(measured(&d, "py"), 0.72, tolerance[i]);
        assert_near(measured(&d, "pz"), 0.0, tolerance[i]);
        assert_true(measured(&d, "most") < 1.03 * d.result.initial[d.result.layout.energy]);
        end(&d);
    }
}

static void energy_is_of_second_order(void **state)
{
    (void)state;
    done d = run(COUPLED("50"), 1e-2);
    const double start = d.result.initial[d.result.layout.energy];
    end(&d);
    assert_second_order(COUPLED("50"), "energy", start, 5e-3, 1e-2);
}

/* A chain of 12 masses with springs of h w = 600 between a body and the ground stays where statics put it. */
static void a_stiff_chain(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, -9.81 } }\nlocal names = {}\nfor i = 1, 12 do names[i] = 'u' .. i end\n"
        "local u = coordinates(names)\nmass(0.1)\n"
        "local b = body { 'b', mass = 2, inertia = 1, spin = 0.1 }\n"
        "for i = 1, 12 do potential(1e7 * (u[i] - (u[i - 1] or 0))^2) end\npotential(1e7 * (b.y - u[12])^2)\n"
        "integrate { scheme = 'moreau-jean', h = h, until_t = 5, theta = 0.6 }\nmeasure { y = b.y, v = "
        "dot(b.y) }\n";
    done d = run(text, 2e-2);
    assert_near(measured(&d, "y"), -2.0 * 9.81 * 13.0 / 2e7, 1e-12);
    assert_near(measured(&d, "v"), 0.0, 1e-9);
    end(&d);
}

/* ---- contacts of expressions ------------------------------------------------------------------------------- */

static void a_coordinate_strikes_a_body(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, 0 } }\nlocal b = body { 'b', mass = 3, inertia = 1, at = { 1.03, 0 } }\n"
        "local x = coordinates('x')\nmass { x = 2 }\ninitial { [dot(x)] = 1.5 }\n"
        "contact { 'hit', gap = b.x - x - 1, restitution = 0.6 }\n"
        "record { n = impulse 'hit', g = gap 'hit' }\n"
        "measure { vb = dot(b.x), vx = dot(x), push = maximum(impulse 'hit'), least = minimum(impulse "
        "'hit'),\n"
        "          hits = count(impact 'hit'), releases = count(release 'hit'), when = first(impact 'hit'),\n"
        "          deep = minimum(gap 'hit') }\n" UNTIL_1;
    const double reduced = 2.0 * 3.0 / 5.0, push = reduced * 1.6 * 1.5;
    done d = run(text, 1e-3);
    assert_near(measured(&d, "push"), push, 1e-13);
    assert_near(measured(&d, "vx"), 1.5 - push / 2.0, 1e-13);
    assert_near(measured(&d, "vb"), push / 3.0, 1e-13);
    assert_near(measured(&d, "least"), 0.0, 0.0);
    assert_near(measured(&d, "hits"), 1.0, 0.0);
    assert_near(measured(&d, "releases"), 1.0, 0.0);
    assert_near(measured(&d, "when"), 0.02, 1.5e-3);
    assert_true(measured(&d, "deep") >= -1e-12);
    assert_near(d.result.certificate.contacts, -0.5 * reduced * 1.5 * 1.5 * (1.0 - 0.36), 1e-12);
    assert_true(d.result.certificate.trusted);
    end(&d);
}

/* A disc without spin falls with (vx, vy) on a heavy plate, a coordinate: the friction is mu times the push while it slips
 * through the impact, else what makes it roll: m vx / 3. */
static void a_disc_falls_on_a_plate(void **state)
{
    (void)state;
#define PLATE(mu)                                                                                            \
    "world { gravity = { 0, 0 } }\n"                                                                         \
    "local b = body { 'b', shape = disc { 0.5 }, mass = 2, at = { 0, 0.6 }, velocity = { 3, -2 } }\n"        \
    "local y = coordinates('y')\nmass { y = 4 }\n"                                                           \
    "contact { 'hit', gap = b.y - 0.5 - y, slip = dot(b.x) + 0.5 * dot(b.phi), friction = " mu " }\n"        \
    "measure { push = total(impulse 'hit'), rub = total(impulse('hit', 1)), slip = dot(b.x) + 0.5 * "        \
    "dot(b.phi),\n          apart = dot(b.y) - dot(y) }\n" UNTIL_1
    const double push = 2.0 * 4.0 / 6.0 * 2.0;
    done slips = run(PLATE("0.2"), 1e-2), rolls = run(PLATE("2"), 1e-2);
    assert_near(measured(&slips, "push"), push, 1e-9);
    assert_near(measured(&slips, "rub"), -0.2 * push, 1e-9);
    assert_near(measured(&rolls, "push"), push, 1e-9);
    assert_near(measured(&rolls, "rub"), -2.0 * 3.0 / 3.0, 1e-7);
    assert_near(measured(&rolls, "slip"), 0.0, 1e-7);
    assert_near(measured(&rolls, "apart"), 0.0, 1e-9);
    end(&slips);
    end(&rolls);
}

/* In space the friction of two slips points against them. */
static void a_point_slides_in_space(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, 0, -9.81 } }\nlocal x, y, z = coordinates('x', 'y', 'z')\nmass(2)\n"
        "local table = body { 'table', shape = box { 9, 9, 1 }, density = 1, at = { 0, 0, -0.5 } }\n"
        "local floor = fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = -1 } }\n"
        "pair { friction = 0.8 }\npotential(2 * 9.81 * z)\ninitial { [dot(x)] = 3, [dot(y)] = 4 }\n"
        "contact { 'on', gap = z - table.z - 0.5, slip = { dot(x) - dot(table.x), dot(y) - dot(table.y) }, "
        "friction = 0.2 }\n"
        "measure { vx = dot(x), vy = dot(y), rub = impulse('on', 1) / impulse('on', 2), moved = table.x,\n"
        "          floor = impulse(table, floor) / h }\n" UNTIL_1;
    done d = run(text, 1e-2);
    assert_near(measured(&d, "vx"), 0.6 * (5.0 - 0.2 * 9.81), 1e-7);
    assert_near(measured(&d, "vy"), 0.8 * (5.0 - 0.2 * 9.81), 1e-7);
    assert_near(measured(&d, "rub"), 0.75, 1e-7);
    assert_near(measured(&d, "moved"), 0.0, 1e-15);
    assert_near(measured(&d, "floor"), (81.0 + 2.0) * 9.81, 1e-4);
    end(&d);
}

/* A friction force holds a spring up to its bound. */
static void a_friction_force(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, 0 } }\nlocal b = body { 'b', mass = 1, inertia = 1 }\n"
        "local x = coordinates('x')\nmass { x = 1 }\npotential(50 * (x - b.x)^2)\n"
        "friction_force { 'held', slip = dot(b.x), bound = 20 }\nfriction_force { 'dry', slip = dot(x), "
        "bound "
        "= 4 }\n"
        "initial { x = 0.15 }\nmeasure { b = b.x, x = x, f = impulse('held', 1) / h }\n"
        "integrate { scheme = 'moreau-jean', h = h, until_t = 3 }\n";
    /* from 0.15 to 0.04 - 0.11 = -0.07, to -0.04 + 0.03 = -0.01, where 1 < 4 */
    done d = run(text, 1e-3);
    assert_near(measured(&d, "b"), 0.0, 1e-12);
    assert_near(measured(&d, "x"), -0.01, 1e-5);
    assert_near(fabs(measured(&d, "f")), 1.0, 1e-3);
    end(&d);
}

/* Newton's restitution of an oscillator on the ground of a body that moves; a body that lies on a table on stiff springs. */
static void a_body_rests_on_a_sprung_table(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, -9.81 } }\n"
        "local y = coordinates('y')\nmass { y = 5 }\npotential(1e5 * y^2 + 5 * 9.81 * y)\n"
        "force { y = -500 * dot(y) }\n"
        "local b = body { 'b', shape = disc { 0.2 }, mass = 2, at = { 0, 0.5 } }\n"
        "contact { 'lies', gap = b.y - 0.2 - y, slip = dot(b.x), friction = 0.3 }\n"
        "measure { y = y, above = b.y - y, push = impulse 'lies' / h, v = dot(b.y) }\n"
        "integrate { scheme = 'moreau-jean', h = h, until_t = 4 }\n";
    done d = run(text, 1e-2); /* h w = 2 */
    assert_near(measured(&d, "y"), -7.0 * 9.81 / 2e5, 1e-9);
    assert_near(measured(&d, "above"), 0.2, 1e-9);
    assert_near(measured(&d, "push"), 2.0 * 9.81, 1e-5);
    assert_near(measured(&d, "v"), 0.0, 1e-8);
    assert_true(d.result.certificate.penetration < 1e-9);
    end(&d);
}

/* ---- resumed runs ------------------------------------------------------------------------------------------- */

typedef struct kept {
    unsigned char *bytes;
    size_t count;
} kept;

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    kept *last = context;
    (void)error;
    free(last->bytes);
    last->bytes = malloc(count);
    assert_non_null(last->bytes);
    memcpy(last->bytes, bytes, count);
    last->count = count;
    return CAROM_OK;
}

static void a_resumed_run_has_the_same_bits(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, -9.81 } }\npair { friction = 0.4 }\n"
        "local floor = fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = -2 } }\n"
        "local y, a = coordinates('y', 'a')\nkinetic(2 * dot(y)^2 + 0.5 * (1 + cos(a)^2) * dot(a)^2)\n"
        "potential(1e4 * y^2 + 20 * sin(a))\nforce { y = -20 * dot(y) }\n"
        "local b = body { 'b', shape = disc { 0.2 }, mass = 2, at = { 0, 0.3 }, velocity = { 1, 0 } }\n"
        "local c = body { 'c', shape = box { 1, 0.1 }, mass = 1, at = { 0.6, -1 } }\n"
        "local pin = hinge { 'pin', floor, c, at = { 0.1, -1 }, limits = { -0.5, 1 }, motor = { speed = 1, "
        "torque = 9 } }\n"
        "contact { 'lies', gap = b.y - 0.2 - y, slip = dot(b.x) + 0.2 * dot(b.phi), friction = 0.3, "
        "restitution = 0.4 }\n"
        "contact { 'stop', gap = 1.2 - a, restitution = 0.5 }\n"
        "friction_force { 'dry', slip = dot(a), bound = 0.1 }\n" UNTIL_1;
    carom_experiment *experiment = read_model(text, 2e-3);
    carom_error error = {0};
    carom_run_result whole = {0}, result = {0};
    assert_int_equal(carom_run(&(carom_run_request){.experiment = experiment}, &whole, &error), CAROM_OK);
    for (long stop = 1; stop < 500; stop += 83) {
        kept last = {0};
        carom_checkpoint checkpoint = {.context = &last, .seconds = 1e9, .save = save};
        carom_run_request request = {.experiment = experiment, .max_steps = stop, .checkpoint = &checkpoint};
        assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
        carom_run_result_free(&result);
        checkpoint = (carom_checkpoint){.bytes = last.bytes, .count = last.count};
        request.max_steps = 0;
        assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
        assert_int_equal(result.steps_resumed, stop);
        assert_memory_equal(result.final, whole.final, (size_t)whole.layout.width * sizeof(double));
        assert_int_equal(result.counts.solver_iterations, whole.counts.solver_iterations);
        assert_memory_equal(&result.certificate.contacts, &whole.certificate.contacts, sizeof(double));
        carom_run_result_free(&result);
        free(last.bytes);
    }
    carom_run_result_free(&whole);
    carom_experiment_free(experiment);
}

/* ---- beams of coordinates ------------------------------------------------------------------------------------ */

/* A disc laid on the tip of a cantilever: F L^3 / (3 E I) down, to the accuracy of 8 elements. */
static void a_disc_lies_on_a_beam(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, -9.81 } }\n"
        "local beam = beam2d { 'beam', elements = 8, length = 1, E = 2e11, A = 1e-4, I = 8e-10, rho = 7800, "
        "root = 'clamped' }\n"
        "local disc1 = body { 'd', shape = disc { 0.05 }, mass = 0.01, at = { 1, 0.0501 } }\n"
        "contact { 'tip', gap = disc1.y - beam.tip.y - 0.05 }\n"
        "force { disc1, { -10 * dot(disc1.x), -0.5 * dot(disc1.y) } }\n"
        "measure { y = beam.tip.y, push = impulse 'tip' / h }\n"
        "integrate { scheme = 'moreau-jean', h = h, until_t = 4, theta = 0.7 }\n";
    done d = run(text, 1e-3);
    assert_relative(measured(&d, "push"), 0.01 * 9.81, 1e-3);
    assert_relative(measured(&d, "y"), -0.01 * 9.81 / (3.0 * 2e11 * 8e-10), 1e-2);
    end(&d);
}

#define STEEL "length = 1, elements = 4, E = 2e11, rho = 7800, section = { area = 1e-4, inertia = 8e-10 }"

/* A beam of cubics is exact under forces at its nodes: F L^3 / (3 E I) and F L^2 / (2 E I), E I = 160. */
static void a_disc_lies_on_a_beam_of_cubics(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, -9.81 } }\n"
        "local u = beam { 'u', " STEEL ", damping = { mass = 5, stiffness = 1e-3 } }\n"
        "local disc1 = body { 'd', shape = disc { 0.05 }, mass = 0.5, at = { 1, 0.06 } }\n"
        "contact { 'lies', gap = disc1.y - 0.05 - u:at(1) }\nforce { disc1, { 0, -30 * dot(disc1.y) } }\n"
        "measure { tip = u:at(1), middle = u:at(0.5), slope = u:slope(1), moment = u:moment(0), bend = "
        "u:moment(0.5),\n          push = impulse 'lies' / h, speed = u:velocity(1) }\n"
        "integrate { scheme = 'moreau-jean', h = h, until_t = 3 }\n";
    const double F = 0.5 * 9.81;
    done d = run(text, 1e-3); /* with a tolerance of 1e-8 in its contact problems */
    assert_relative(measured(&d, "push"), F, 1e-6);
    assert_relative(measured(&d, "tip"), -F / 480.0, 1e-6);
    assert_relative(measured(&d, "middle"), -F * 0.25 * 2.5 / 960.0, 1e-6);
    assert_relative(measured(&d, "slope"), -F / 320.0, 1e-6);
    assert_relative(measured(&d, "moment"), -F, 1e-6);
    assert_relative(measured(&d, "bend"), -0.5 * F, 1e-6);
    assert_near(measured(&d, "speed"), 0.0, 1e-6);
    assert_near(d.result.certificate.scheme, 0.0, 1e-9);
    assert_true(d.result.certificate.trusted);
    end(&d);
}

/* The beam beside bodies and the one that is a model of its own have the same motion: ends, loads, forces, damping, a stop. The
 * scheme of the latter is of first order with damping, so that twice h/2 less h is taken. */
static void a_beam_beside_bodies_is_the_same(void **state)
{
    (void)state;
#define SAME_BEAM                                                                                            \
    "local u = beam { 'u', " STEEL ", left = 'pinned', right = 'guided', damping = { mass = 2, stiffness = " \
    "1e-5 },\n"                                                                                              \
    "  load = function(x, t) return 30 * x * sin(20 * t) end, acceleration = -9.81, forces = { { x = 0.6, "  \
    "value = 5 } },\n"                                                                                       \
    "  stops = { { 's', x = 0.5, upper = 0.008 } } }\n"                                                      \
    "measure { a = at(u:at(1), 0.03), b = at(u:at(0.3), 0.05), hits = count(impact 's_upper'),\n"            \
    "          top = maximum(u:at(0.5)) }\n"
#define ALONE SAME_BEAM "integrate { scheme = 'newmark-contact', h = h, until_t = 0.2 }\n"
    done alone = run(ALONE, 2e-5), finer = run(ALONE, 1e-5);
    done beside = run("world { gravity = { 0, 0 } }\nbody { 'far', mass = 1, inertia = 1 }\n" SAME_BEAM
                      "integrate { scheme = 'moreau-jean', h = h, until_t = 0.2 }\n",
                      2e-5);
    static const char *const name[] = {"a", "b"};
    for (int i = 0; i < 2; i++)
        assert_relative(measured(&beside, name[i]),
                        2.0 * measured(&finer, name[i]) - measured(&alone, name[i]), 2e-5);
    assert_true(measured(&alone, "hits") > 0.0 && measured(&beside, "hits") > 0.0);
    assert_near(measured(&beside, "top"), 0.008, 1e-9);
    assert_true(beside.result.certificate.trusted);
    end(&alone);
    end(&finer);
    end(&beside);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bodies_alone_have_the_same_bits),
                                       cmocka_unit_test(coordinates_alone_converge),
                                       cmocka_unit_test(a_body_on_a_spring),
                                       cmocka_unit_test(a_double_pendulum),
                                       cmocka_unit_test(a_block_on_a_cart),
                                       cmocka_unit_test(a_spring_keeps_momentum),
                                       cmocka_unit_test(energy_is_of_second_order),
                                       cmocka_unit_test(a_stiff_chain),
                                       cmocka_unit_test(a_coordinate_strikes_a_body),
                                       cmocka_unit_test(a_disc_falls_on_a_plate),
                                       cmocka_unit_test(a_point_slides_in_space),
                                       cmocka_unit_test(a_friction_force),
                                       cmocka_unit_test(a_body_rests_on_a_sprung_table),
                                       cmocka_unit_test(a_resumed_run_has_the_same_bits),
                                       cmocka_unit_test(a_disc_lies_on_a_beam),
                                       cmocka_unit_test(a_disc_lies_on_a_beam_of_cubics),
                                       cmocka_unit_test(a_beam_beside_bodies_is_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
