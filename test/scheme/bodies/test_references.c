/* Closed forms of bodies, each also with the scene turned by a rotation and with its bodies in another order. */
#include "scenes.h"

static const double pi = 3.14159265358979323846;

/* ---- a ball that slides, then rolls: t1 = 2 v0 / (7 mu g), v = 5 v0 / 7 ---------------------------------- */

static const scene rolling = {
    "a ball begins to roll",
    "pair { friction = 0.2 }\n"
    "local floor, ball = inorder {\n"
    "  function() return fixed { 'floor', shape = plane { normal = V(0, 0, 1), offset = 0 } } end,\n"
    "  function() return body { 'ball', shape = sphere { 0.1 }, density = 1000, at = V(0, 0, 0.1), velocity "
    "= V(2, 0, 0) }\n"
    "  end }\n"
    "local x, v = dot3(place(ball), V(1, 0, 0)), dot3(rate(ball), V(1, 0, 0))\n"
    "measure { before = at(v, 0.2), x1 = at(x, 0.2912), v = final(v), x = final(x),\n"
    "          aside = maximum(abs(dot3(place(ball), V(0, 1, 0)))) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-4, until_t = 0.5 }\n",
    {{"before", 2.0 - 0.2 * 9.81 * 0.2, 1e-9},
     {"x1", 0.4992823, 2e-4},
     {"v", 10.0 / 7.0, 1e-9},
     {"x", 0.49928229 + (0.5 - 0.291248) * 10.0 / 7.0, 1e-5},
     {"aside", 0.0, 1e-12}}};

static void a_ball_slides_and_rolls(void **state)
{
    (void)state;
    check_scene(&rolling);
}

/* ---- a box on a slope of 20 degrees ------------------------------------------------------------------------ */

#define SLOPE                                                                                                \
    "local a = 20 * math.pi / 180\n"                                                                         \
    "local floor, crate = inorder {\n"                                                                       \
    "  function() return fixed { 'floor', shape = plane { normal = V(-math.sin(a), 0, math.cos(a)), offset " \
    "= 0 } } end,\n"                                                                                         \
    "  function() return body { 'crate', shape = box { 0.4, 0.3, 0.2 }, density = 600, rotation = T(0, 1, "  \
    "0, -a),\n"                                                                                              \
    "                           at = V(-0.1 * math.sin(a), 0, 0.1 * math.cos(a)) } end }\n"                  \
    "local down = V(-math.cos(a), 0, -math.sin(a))\n"

static const scene resting = {
    "a box rests on a slope",
    "pair { friction = 0.5 }\n" SLOPE "local p = V(-0.1 * math.sin(a), 0, 0.1 * math.cos(a))\n"
    "measure { v = maximum(crate:speed()), \n"
    "          way = final(hypot(hypot(crate.x - p[1], crate.y - p[2]), crate.z - p[3])) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 60 }\n",
    {{"v", 0.0, 0.0}, {"way", 0.0, 0.0}}};

static const scene sliding = {
    "a box slides down a slope",
    "pair { friction = 0.3 }\n" SLOPE
    "measure { v = final(dot3(rate(crate), down)), aside = maximum(abs(dot3(place(crate), V(0, "
    "1, 0)))),\n"
    "          turn = maximum(abs(crate.wx) + abs(crate.wy) + abs(crate.wz)) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2, tolerance = 1e-10 }\n",
    {{"v", 2.0 * 0.58970222305, 2e-8}, {"aside", 0.0, 1e-9}, {"turn", 0.0, 1e-7}}};

static void a_box_on_a_slope(void **state)
{
    (void)state;
    check_scene(&resting);
    check_scene(&sliding);
}

/* ---- a ball on a turntable: its centre goes in a circle with 2 W / 7 ------------------------------------------- */

static const scene turntable = {
    "a ball rolls on a turntable",
    "pair { friction = 0.8 }\n"
    "local W, r = 3, 0.05\n"
    "local table_, ball = inorder {\n"
    "  function() return driven { 'table', shape = box { 40, 40, 1 }, rotation = T(0, 0, 1, 0), at = V(0, 0, "
    "-0.5),\n"
    "                             spin = V(0, 0, W) } end,\n"
    /* rolls from the start: v = W x X + w x r; v of a circle of radius R about (0, 1): */
    "  function() return body { 'ball', shape = sphere { r }, density = 1000, at = V(1, 0, r), velocity = "
    "V(0, 0.1, 0),\n"
    "                           spin = V((W * 1 - 0.1) / r, 0, 0) } end }\n"
    "local n = 2 * W / 7\n"
    /* v = n z x (X - C): C = (1 - 0.1 / n, 0) */
    "local X, Y = dot3(place(ball), V(1, 0, 0)), dot3(place(ball), V(0, 1, 0))\n"
    "local C = 1 - 0.1 / n\n"
    "measure { radius_low = minimum(hypot(X - C, Y)), radius_high = maximum(hypot(X - C, Y)), x = final(X), "
    "y = final(Y) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-4, until_t = 4 }\n",
    {{"radius_low", 0.7 / 6.0, 2e-5},
     {"radius_high", 0.7 / 6.0, 2e-5},
     {"x", 1.0 - 0.7 / 6.0 + 0.7 / 6.0 * -0.9582147, 1e-4}}};

static void a_ball_on_a_turntable(void **state)
{
    (void)state;
    scene exact = turntable;
    exact.expected[2].value = 1.0 - 0.7 / 6.0 + 0.7 / 6.0 * cos(6.0 / 7.0 * 4.0);
    check_scene(&exact);
}

/* ---- stack: every interface carries what stands above it --------------------------------------------------------- */

static const scene stack = {
    "a stack of boxes",
    "pair { friction = 0.5 }\n"
    "local makers = { function() return fixed { 'floor', shape = plane { normal = V(0, 0, 1), offset = 0 } } "
    "end }\n"
    "for i = 1, 8 do\n"
    "  makers[i + 1] = function()\n"
    "    return body { 'b' .. i, shape = box { 0.4, 0.3, 0.2 }, density = 500, at = V(0, 0, 0.2 * i - 0.1),\n"
    "                  rotation = T(0, 0, 1, 0.1 * i) } end\n"
    "end\n"
    "local b = table.pack(inorder(makers))\n"
    "local moved = 0\n"
    "for i = 1, 8 do moved = max(moved, b[i + 1]:speed()) end\n"
    "measure { base = final(impulse(b[1], b[2])), middle = final(impulse(b[5], b[6])), top = "
    "final(impulse(b[8], b[9])),\n"
    "          moved = maximum(moved) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 3 }\n",
    {{"base", 8 * 12 * 9.81e-3, 1e-7},
     {"middle", 4 * 12 * 9.81e-3, 1e-7},
     {"top", 12 * 9.81e-3, 1e-7},
     {"moved", 0.0, 0.0}}};

static void a_stack_of_boxes(void **state)
{
    (void)state;
    check_scene(&stack);
}

/* ---- a block of 1 x 2 on a table that accelerates rocks when a > g / 2 ------------------------------------------------ */

#define TABLE(acceleration)                                                                                  \
    "pair { friction = 2 }\n"                                                                                \
    "local a = " acceleration "\n"                                                                           \
    "local ground, block = inorder {\n"                                                                      \
    "  function() local d = V(1, 0, 0)\n"                                                                    \
    "    return driven { 'table', shape = plane { normal = V(0, 0, 1), offset = 0 },\n"                      \
    "                    velocity = { a * time() * d[1], a * time() * d[2], a * time() * d[3] } } end,\n"    \
    "  function() return body { 'block', shape = box { 1, 3, 2 }, density = 100, rotation = T(0, 0, 1, 0), " \
    "at = V(0, 0, 1) } "                                                                                     \
    "end }\n"                                                                                                \
    "local d = V(0, -1, 0)\n"                                                                                \
    "measure { turn = final(d[1] * block.wx + d[2] * block.wy + d[3] * block.wz), v = "                      \
    "final(dot3(rate(block), V(1, 0, 0))) }\n"                                                               \
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.2 }\n"

static void a_block_rocks(void **state)
{
    (void)state;
    const scene calm = {
        "a block stands", TABLE("0.49 * 9.81"), {{"turn", 0.0, 1e-7}, {"v", 0.2 * 0.49 * 9.81, 1e-7}}};
    check_scene(&calm);
    /* just above: about the edge, J = m (5/12 + 5/4), phi'' = m (a - g/2 + (g + a/2) phi) / J while phi is small */
    const double a = 0.51 * 9.81, inertia = 5.0 / 12.0 + 1.25, k = sqrt((9.81 + 0.5 * a) / inertia);
    const double w = (a - 0.5 * 9.81) / inertia * sinh(0.2 * k) / k;
    const scene rocks = {"a block rocks", TABLE("0.51 * 9.81"), {{"turn", w, 1e-3 * w}}};
    check_scene(&rocks);
}

/* ---- a cylinder rolls down a slope: 2/3 g sin a ------------------------------------------------------------------------- */

static const scene cylinder_rolls = {
    "a cylinder rolls down a slope",
    "pair { friction = 1 }\n"
    "local a, r = 20 * math.pi / 180, 0.1\n"
    "local floor, c = inorder {\n"
    "  function() return fixed { 'floor', shape = plane { normal = V(-math.sin(a), 0, math.cos(a)), offset = "
    "0 } } end,\n"
    "  function() return body { 'cylinder', shape = cylinder { radius = r, height = 0.3 }, density = 600,\n"
    "                           rotation = T(1, 0, 0, math.pi / 2), at = V(-r * math.sin(a), 0, r * "
    "math.cos(a)) } end }\n"
    "local down = V(-math.cos(a), 0, -math.sin(a))\n"
    "measure { v = final(dot3(rate(c), down)), aside = maximum(abs(dot3(place(c), V(0, 1, 0)))) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n",
    {{"v", 2.2367995, 1e-3}, {"aside", 0.0, 1e-7}}};

static void a_cylinder_rolls(void **state)
{
    (void)state;
    scene exact = cylinder_rolls;
    exact.expected[0].value = 2.0 / 3.0 * 9.81 * sin(20.0 * pi / 180.0);
    check_scene(&exact);
}

/* ---- a free body with the inertia 1, 2, 3 flips -------------------------------------------------------------------------- */

/* K(k) = pi / (2 M(1, sqrt(1 - k^2))) by the arithmetic-geometric mean. */
static double quarter_period(double k_squared)
{
    double a = 1.0, b = sqrt(1.0 - k_squared);
    for (int i = 0; i < 12; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2.0 * a);
}

static void a_free_body_flips(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, 0, 0 } }\n"
        "local b = body { 'b', mass = 1, inertia = { 1, 2, 3 }, at = { 0, 0, 0 }, spin = { 0.01, 5, 0 } }\n"
        "local o, p = { b.x, b.y, b.z }, b:point { 0, 1, 0 }\n"
        "local middle = (p[1] - o[1]) * b.wx + (p[2] - o[2]) * b.wy + (p[3] - o[3]) * b.wz\n"
        "local L = 0\n"
        "for k = 1, 3 do\n"
        "  local e = { 0, 0, 0 }\n"
        "  e[k] = 1\n"
        "  local d = b:direction(e)\n"
        "  L = L + (k * (d[1] * b.wx + d[2] * b.wy + d[3] * b.wz))^2\n"
        "end\n"
        "measure { zeros = crossings(middle), low = minimum(sqrt(L)), high = maximum(sqrt(L)),\n"
        "          energy_low = minimum(b:kinetic()), energy_high = maximum(b:kinetic()) }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 100 }\n";
    carom_experiment *experiment = NULL;
    carom_run_result result = {0};
    carom_error error = {0};
    assert_int_equal(
        carom_experiment_load(&(carom_load_request){.name = "flip", .text = text}, &experiment, &error),
        CAROM_OK);
    assert_int_equal(carom_run(&(carom_run_request){.experiment = experiment}, &result, &error), CAROM_OK);
    /* Landau and Lifshitz, Mechanics, section 37, for L^2 < 2 E J2: the axes 1 and 3 change places */
    const double w1 = 0.01, w2 = 5.0, twice_energy = w1 * w1 + 2.0 * w2 * w2, L2 = w1 * w1 + 4.0 * w2 * w2;
    const double rate = sqrt((1.0 - 2.0) * (L2 - 3.0 * twice_energy) / 6.0);
    const double k2 = (2.0 - 3.0) * (twice_energy - L2) / ((1.0 - 2.0) * (L2 - 3.0 * twice_energy));
    const double half_period = 2.0 * quarter_period(k2) / rate;
    for (int i = 0; i < experiment->measure_count; i++) {
        const carom_measured *measured = &result.measure[i];
        if (strcmp(experiment->measure[i].name, "zeros") != 0)
            continue;
        assert_true(measured->count >= 10);
        const double found =
            (measured->value[measured->count - 1] - measured->value[0]) / (measured->count - 1);
        if (!(fabs(found - half_period) <= 1e-4 * half_period))
            fail_msg("half a period is %.10g, not %.10g", found, half_period);
    }
    assert_true(fabs(measure_of(experiment, &result, "high") - sqrt(L2)) <= 3e-10);
    assert_true(fabs(measure_of(experiment, &result, "low") - sqrt(L2)) <= 3e-10);
    assert_true(fabs(measure_of(experiment, &result, "energy_high") - 0.5 * twice_energy) <= 3e-10);
    assert_true(fabs(measure_of(experiment, &result, "energy_low") - 0.5 * twice_energy) <= 3e-10);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* ---- a heavy top precesses steadily: I3 w3 W - I1 W^2 cos(theta) = m g l ------------------------------------------------- */

static const scene top = {
    "a heavy top precesses",
    "local th, m, l, I3, Ic, w3 = 0.4, 1, 0.1, 2e-3, 1e-3, 150\n"
    "local A, B, C = (Ic + m * l * l) * math.cos(th), -I3 * w3, m * 9.81 * l\n"
    "local W = (-B - math.sqrt(B * B - 4 * A * C)) / (2 * A)\n"
    "local s = w3 - W * math.cos(th)\n"
    "local ground, b = inorder {\n"
    "  function() return fixed { 'ground' } end,\n"
    "  function() return body { 'top', mass = m, inertia = { Ic, Ic, I3 }, rotation = T(0, 1, 0, th),\n"
    "                           at = V(l * math.sin(th), 0, l * math.cos(th)), velocity = V(0, W * l * "
    "math.sin(th), 0),\n"
    "                           spin = V(s * math.sin(th), 0, W + s * math.cos(th)) } end }\n"
    "ball { 'tip', ground, b, at = { 0, 0, 0 } }\n"
    "local x, y, z = dot3(place(b), V(1, 0, 0)), dot3(place(b), V(0, 1, 0)), dot3(place(b), V(0, 0, 1))\n"
    "local a = 1.5 * W\n" /* where it is after 1.5 s: turned back it lies on the first axis */
    "measure { theta_low = minimum(acos(z / l)), theta_high = maximum(acos(z / l)),\n"
    "          behind = final(atan2(math.cos(a) * y - math.sin(a) * x, math.cos(a) * x + math.sin(a) * y)),\n"
    "          length = final(sqrt(x^2 + y^2 + z^2)),\n"
    "          push = final(reaction('tip', 1)^2 + reaction('tip', 2)^2 + reaction('tip', 3)^2) }\n"
    "integrate { scheme = 'moreau-jean', h = 2e-4, until_t = 1.5 }\n",
    {{"theta_low", 0.4, 3e-5}, {"theta_high", 0.4, 3e-5}, {"behind", 0.0, 1e-3}, {"length", 0.1, 1e-10}}};

static void a_heavy_top_precesses(void **state)
{
    (void)state;
    check_scene(&top);
}

/* ---- a slider with a motor against a load: reaches its speed when it is stronger, else (torque - F) / m ------------------- */

#define MOTOR(torque)                                                                                        \
    "local ground, b = inorder {\n"                                                                          \
    "  function() return fixed { 'ground' } end,\n"                                                          \
    "  function() return body { 's', shape = box { 0.1, 0.1, 0.1 }, density = 1000, at = { 0, 0, 0 }, "      \
    "rotation = T(0, 0, 1, 0) } "                                                                            \
    "end }\n"                                                                                                \
    "slider { 'rail', ground, b, at = { 0, 0, 0 }, axis = V(1, 0, 0), motor = { speed = 0.5, torque "        \
    "= " torque " },\n"                                                                                      \
    "         limits = { -0.5, 0.3 } }\n"                                                                    \
    "local f = V(-2, 0, 0)\n"                                                                                \
    "force { b, f }\n"                                                                                       \
    "local v = dot3(rate(b), V(1, 0, 0))\n"                                                                  \
    "measure { early = at(v, 0.1), fastest = maximum(v), way = maximum(dot3(place(b), V(1, 0, 0))), last = " \
    "final(v) }\n"                                                                                           \
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2 }\n"

static void a_motor_drives_a_slider(void **state)
{
    (void)state;
    const scene strong = {
        "a strong motor",
        MOTOR("3"),
        {{"early", 0.1, 1e-9}, {"fastest", 0.5, 1e-9}, {"way", 0.3, 1e-9}, {"last", 0.0, 1e-9}}};
    const scene weak = {
        "a weak motor", MOTOR("1.5"), {{"early", -0.05, 1e-9}, {"fastest", 0.0, 1e-9}, {"last", 0.0, 1e-9}}};
    check_scene(&strong);
    check_scene(&weak); /* it is pushed back to the other limit */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_slides_and_rolls), cmocka_unit_test(a_box_on_a_slope),
        cmocka_unit_test(a_ball_on_a_turntable),   cmocka_unit_test(a_stack_of_boxes),
        cmocka_unit_test(a_block_rocks),           cmocka_unit_test(a_cylinder_rolls),
        cmocka_unit_test(a_free_body_flips),       cmocka_unit_test(a_heavy_top_precesses),
        cmocka_unit_test(a_motor_drives_a_slider),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
