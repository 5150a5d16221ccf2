/* Rolling and torsional friction: closed forms, in space and in the plane, each also turned and with the bodies in another
 * order. */
#include "scenes.h"

#include <stdlib.h>

static const double g = 9.81;

#define FLOOR "function() return fixed { 'floor', shape = plane { normal = V(0, 0, 1), offset = 0 } } end,\n"

/* ---- a ball rolls until it stops: (5/7) g k / r ------------------------------------------------------------ */

static const scene ball_stops = {
    "a rolling ball stops",
    "pair { friction = 0.5, rolling = 1e-3 }\n"
    "local r, v0, a = 0.1, 0.5, 5 / 7 * 9.81 * 1e-3 / 0.1\n"
    "local floor, ball = inorder {\n" FLOOR "  function() return body { 'ball', shape = sphere { r }, "
    "density = 1000, at = V(0, 0, r), velocity = V(v0, 0, 0),\n"
    "                           spin = V(0, v0 / r, 0) } end }\n"
    "local x, v = dot3(place(ball), V(1, 0, 0)), dot3(rate(ball), V(1, 0, 0))\n"
    "measure { early = at(v, 1), late = at(v, 7), way = final(x), aside = maximum(abs(dot3(place(ball), V(0, "
    "1, 0)))),\n"
    "          rest = at(ball:speed() + abs(ball.wx) + abs(ball.wy) + abs(ball.wz), v0 / a + 0.003),\n"
    "          slip = maximum(abs(v - r * dot3({ ball.wx, ball.wy, ball.wz }, V(0, 1, 0)))) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 8 }\n",
    {{"early", 0.5 - 0.07007142857142857, 1e-9},
     {"late", 0.5 - 7 * 0.07007142857142857, 1e-8},
     {"way", 0.25 / (2 * 0.07007142857142857), 1e-7},
     {"aside", 0.0, 1e-9},
     {"rest", 0.0, 0.0},
     {"slip", 0.0, 1e-8}},
    false};

/* In the plane a disc: (2/3) g k / r. */
static const scene disc_stops = {
    "a rolling disc stops",
    "pair { friction = 0.5, rolling = 1e-3 }\n"
    "local r, v0, a = 0.1, 0.5, 2 / 3 * 9.81 * 1e-3 / 0.1\n"
    "local floor, disc_ = inorder {\n"
    "  function() return fixed { 'floor', shape = plane { normal = V(0, 1), offset = 0 } } end,\n"
    "  function() return body { 'disc', shape = disc { r }, density = 1000, at = V(0, r), velocity = V(v0, "
    "0),\n"
    "                           spin = -v0 / r } end }\n"
    "local x, v = dot2(place(disc_), V(1, 0)), dot2(rate(disc_), V(1, 0))\n"
    "measure { early = at(v, 1), late = at(v, 7), way = final(x), rest = at(disc_:speed() + "
    "abs(dot(disc_.phi)), v0 / a + 0.003),\n"
    "          slip = maximum(abs(v + r * dot(disc_.phi))) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 8 }\n",
    {{"early", 0.5 - 0.0654, 1e-9},
     {"late", 0.5 - 7 * 0.0654, 1e-8},
     {"way", 0.25 / (2 * 0.0654), 1e-7},
     {"rest", 0.0, 0.0},
     {"slip", 0.0, 1e-8}},
    true};

static void what_rolls_stops(void **state)
{
    (void)state;
    check_scene(&ball_stops);
    check_scene(&disc_stops);
}

/* ---- a ball spins on the spot: stops after 2 r^2 w0 / (5 k g) ----------------------------------------------- */

static const scene spin_stops = {
    "a ball that spins on the spot stops",
    "pair { friction = 0.5, torsion = 1e-3 }\n"
    "local r, w0 = 0.1, 5\n"
    "local T = 2 * r^2 * w0 / (5 * 1e-3 * 9.81)\n"
    "local floor, ball = inorder {\n" FLOOR "  function() return body { 'ball', shape = sphere { r }, "
    "density = 1000, at = V(0, 0, r), spin = V(0, 0, w0) } end }\n"
    "local w = dot3({ ball.wx, ball.wy, ball.wz }, V(0, 0, 1))\n"
    "measure { half = at(w, 1), before = at(w, 2), rest = at(abs(ball.wx) + abs(ball.wy) + abs(ball.wz), T + "
    "0.003),\n"
    "          way = maximum(hypot(dot3(place(ball), V(1, 0, 0)), dot3(place(ball), V(0, 1, 0)))) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 3 }\n",
    {{"half", 5.0 - 2.4525, 1e-9},
     {"before", 5.0 - 2 * 2.4525, 1e-9},
     {"rest", 0.0, 0.0},
     {"way", 0.0, 1e-9}},
    false};

/* A table that turns takes a ball along: its spin grows by 5 k g / (2 r^2) up to that of the table. */
static const scene taken_along = {
    "a ball is taken along by a turning table",
    "pair { friction = 0.5, torsion = 1e-3 }\n"
    "local table_, ball = inorder {\n"
    "  function() return driven { 'table', shape = box { 1, 1, 0.1 }, at = V(0, 0, -0.05), rotation = T(0, "
    "0, 1, 0), spin = "
    "V(0, 0, 4) } end,\n"
    "  function() return body { 'ball', shape = sphere { 0.1 }, density = 1000, at = V(0, 0, 0.1) } end }\n"
    "local w = dot3({ ball.wx, ball.wy, ball.wz }, V(0, 0, 1))\n"
    "measure { half = at(w, 1), last = final(w) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2.5 }\n",
    {{"half", 2.4525, 1e-9}, {"last", 4.0, 1e-8}},
    false};

static void what_spins_stops(void **state)
{
    (void)state;
    check_scene(&spin_stops);
    check_scene(&taken_along);
}

/* ---- without friction moments are alone --------------------------------------------------------------------------- */

/* v stays; the spins about the vertical and the level axis have their own moments: (5/2) k g / r^2 each. */
static const scene moments_alone = {"a ball slides without friction",
                                    "pair { friction = 0, rolling = 2e-3, torsion = 1e-3 }\n"
                                    "local floor, ball = inorder {\n" FLOOR
                                    "  function() return body { 'ball', shape = sphere { 0.1 }, density = "
                                    "1000, at = V(0, 0, 0.1), velocity = V(0.3, 0, 0),\n"
                                    "                           spin = V(3, -4, 5) } end }\n"
                                    "local w = { ball.wx, ball.wy, ball.wz }\n"
                                    "measure { v = final(dot3(rate(ball), V(1, 0, 0))), level = "
                                    "at(hypot(dot3(w, V(1, 0, 0)), dot3(w, V(0, 1, 0))), 0.5),\n"
                                    "          ratio = at(dot3(w, V(0, 1, 0)) / dot3(w, V(1, 0, 0)), 0.5), "
                                    "spin = at(dot3(w, V(0, 0, 1)), 0.5), \n"
                                    "          rest = final(abs(ball.wx) + abs(ball.wy) + abs(ball.wz)) }\n"
                                    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2.5 }\n",
                                    {{"v", 0.3, 1e-12},
                                     {"level", 5.0 - 0.5 * 2.5 * 2e-3 * 9.81 / 0.01, 1e-9},
                                     {"ratio", -4.0 / 3.0, 1e-9},
                                     {"spin", 5.0 - 0.5 * 2.5 * 1e-3 * 9.81 / 0.01, 1e-9},
                                     {"rest", 0.0, 1e-8}},
                                    false};

static void moments_without_friction(void **state)
{
    (void)state;
    check_scene(&moments_alone);
}

/* ---- on a slope ------------------------------------------------------------------------------------------------------ */

/* tan a < k / r: it stays where it is, exactly; above, (5/7) g (sin a - k / r cos a). a = atan(0.06), k / r = 0.07 and 0.05. */
#define SLOPE_OF_BALL(k)                                                                                     \
    "pair { friction = 0.5, rolling = " k " }\n"                                                             \
    "local a, r = math.atan(0.06), 0.1\n"                                                                    \
    "local p = V(-r * math.sin(a), 0, r * math.cos(a))\n"                                                    \
    "local floor, ball = inorder {\n"                                                                        \
    "  function() return fixed { 'floor', shape = plane { normal = V(-math.sin(a), 0, math.cos(a)), offset " \
    "= 0 } } end,\n"                                                                                         \
    "  function() return body { 'ball', shape = sphere { r }, density = 600, at = p } end }\n"               \
    "measure { v = final(dot3(rate(ball), V(-math.cos(a), 0, -math.sin(a)))), fastest = "                    \
    "maximum(ball:speed()),\n"                                                                               \
    "          way = final(hypot(hypot(ball.x - p[1], ball.y - p[2]), ball.z - p[3])) }\n"

static void a_ball_on_a_slope(void **state)
{
    (void)state;
    const scene rests = {
        "a ball rests on a slope",
        SLOPE_OF_BALL("7e-3") "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 20 }\n",
        {{"v", 0.0, 0.0}, {"fastest", 0.0, 0.0}, {"way", 0.0, 0.0}},
        false};
    check_scene(&rests);
    const double a = atan(0.06);
    const scene rolls = {
        "a ball rolls down a slope",
        SLOPE_OF_BALL("5e-3") "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2 }\n",
        {{"v", 2.0 * 5.0 / 7.0 * 9.81 * (sin(a) - 0.05 * cos(a)), 1e-8}},
        false};
    check_scene(&rolls);
}

static void a_disc_on_a_slope(void **state)
{
    (void)state;
    const scene rests = {
        "a disc rests on a slope",
        "pair { friction = 0.5, rolling = 7e-3 }\n"
        "local a, r = math.atan(0.06), 0.1\n"
        "local p = V(-r * math.sin(a), r * math.cos(a))\n"
        "local floor, d = inorder {\n"
        "  function() return fixed { 'floor', shape = plane { normal = V(-math.sin(a), math.cos(a)), offset "
        "= "
        "0 } } end,\n"
        "  function() return body { 'disc', shape = disc { r }, density = 600, at = p } end }\n"
        "measure { fastest = maximum(d:speed()), turn = final(d.phi), way = final(hypot(d.x - p[1], d.y - "
        "p[2])) }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 20 }\n",
        {{"fastest", 0.0, 0.0}, {"turn", 0.0, 0.0}, {"way", 0.0, 0.0}},
        true};
    check_scene(&rests);
}

/* ---- materials ---------------------------------------------------------------------------------------------------------- */

/* Three balls of different materials on one floor: k of steel on oak, of rubber on oak, and none. */
static const scene materials = {
    "balls of three materials",
    "pair { friction = 0.5 }\n"
    "pair { 'steel', 'oak', friction = 0.5, rolling = 1e-3 }\n"
    "pair { 'oak', 'rubber', friction = 0.5, rolling = 4e-3, torsion = 1e-2 }\n"
    "local function ball(name, y)\n"
    "  return function() return body { 'ball_of_' .. name, shape = sphere { 0.1 }, density = 1000, material "
    "= name, at = V(0, y, "
    "0.1),\n"
    "                                  velocity = V(0.5, 0, 0), spin = V(0, 5, 0) } end\n"
    "end\n"
    "local floor, a, b, c = inorder {\n"
    "  function() return fixed { 'floor', shape = plane { normal = V(0, 0, 1), offset = 0 }, material = "
    "'oak' } end,\n"
    "  ball('steel', 0), ball('rubber', 1), ball('glass', 2) }\n"
    "local function v(b) return dot3(rate(b), V(1, 0, 0)) end\n"
    "measure { steel = final(v(a)), rubber = final(v(b)), glass = final(v(c)) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n",
    {{"steel", 0.5 - 0.07007142857142857, 1e-9},
     {"rubber", 0.5 - 4 * 0.07007142857142857, 1e-9},
     {"glass", 0.5, 1e-9}},
    false};

static void materials_have_their_own(void **state)
{
    (void)state;
    check_scene(&materials);
}

/* ---- with joints ------------------------------------------------------------------------------------------------------------ */

/* A cart on two wheels: (M + 3 m) v' = -(k / r) (M + 2 m) g. */
static const scene cart = {
    "a cart rolls out",
    "pair { friction = 0.5, rolling = 1e-3 }\n"
    "local r, v0, M, m = 0.1, 0.5, 20, math.pi\n"
    "local a = 1e-3 / r * 9.81 * (M + 2 * m) / (M + 3 * m)\n"
    "local function wheel(name, x)\n"
    "  return function() return body { name, shape = disc { r }, density = 100, at = V(x, r), velocity = "
    "V(v0, 0), spin = -v0 / r "
    "} end\n"
    "end\n"
    "local floor, frame, w1, w2 = inorder {\n"
    "  function() return fixed { 'floor', shape = plane { normal = V(0, 1), offset = 0 } } end,\n"
    "  function() return body { 'frame', shape = box { 0.8, 0.05 }, density = 500, at = V(0, r), rotation = "
    "turned, velocity = "
    "V(v0, 0) } end,\n"
    "  wheel('w1', -0.25), wheel('w2', 0.25) }\n"
    "hinge { 'a', frame, w1, at = V(-0.25, r) }\n"
    "hinge { 'b', frame, w2, at = V(0.25, r) }\n"
    "local x, v = dot2(place(frame), V(1, 0)), dot2(rate(frame), V(1, 0))\n"
    "measure { error = at(v - (v0 - 5 * a), 5), way = final(x - v0^2 / (2 * a)), rest = final(frame:speed() "
    "+ w1:speed() + "
    "abs(dot(w1.phi))) }\n"
    "integrate { scheme = 'moreau-jean', h = 2e-3, until_t = 6 }\n",
    {{"error", 0.0, 1e-8}, {"way", 0.0, 1e-6}, {"rest", 0.0, 0.0}},
    true};

/* A ball on a vertical shaft: only torsion acts on it. */
static const scene shaft = {
    "a ball on a shaft stops",
    "pair { friction = 0.5, rolling = 1e-3, torsion = 1e-3 }\n"
    "local r, w0 = 0.1, 5\n"
    "local floor, frame, ball = inorder {\n" FLOOR "  function() return fixed { 'frame' } end,\n"
    "  function() return body { 'ball', shape = sphere { r }, density = 1000, at = V(0, 0, r), spin = V(0, "
    "0, w0) } end }\n"
    "cylindrical { 'shaft', frame, ball, at = V(0, 0, r), axis = V(0, 0, 1) }\n"
    "local w = dot3({ ball.wx, ball.wy, ball.wz }, V(0, 0, 1))\n"
    "measure { half = at(w, 1), rest = final(abs(ball.wx) + abs(ball.wy) + abs(ball.wz)) }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 2.5 }\n",
    {{"half", 5.0 - 2.4525, 1e-9}, {"rest", 0.0, 0.0}},
    false};

static void machines_have_moments(void **state)
{
    (void)state;
    check_scene(&cart);
    check_scene(&shaft);
}

/* ---- step sizes -------------------------------------------------------------------------------------------------------------- */

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.name = "scene", .text = text}, &experiment, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static double way_of_ball(double h)
{
    char text[2000];
    snprintf(text, sizeof text,
             "world { gravity = { 0, 0, -9.81 } }\n"
             "pair { friction = 0.5, rolling = 1e-2, torsion = 1e-3 }\n"
             "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\n"
             "local ball = body { 'ball', shape = sphere { 0.1 }, density = 1000, at = { 0, 0, 0.1 }, "
             "velocity = { 0.5, 0, 0 },\n"
             "                    spin = { 0, 5, 0 } }\n"
             "measure { way = final(ball.x) }\n"
             "integrate { scheme = 'moreau-jean', h = %.17g, until_t = 1 }\n",
             h);
    carom_experiment *experiment = load(text);
    carom_run_result result = {0};
    carom_error error = {0};
    if (carom_run(&(carom_run_request){.experiment = experiment}, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const double way = measure_of(experiment, &result, "way");
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return way;
}

/* While it rolls a step is exact. It stops within a step, at a part s of it: too far by a h^2 s (1 - s) / 2, a h^2 / 8 at most. */
static void the_way_is_of_second_order(void **state)
{
    (void)state;
    const double a = 5.0 / 7.0 * g * 1e-2 / 0.1, exact = 0.25 / (2.0 * a), time = 0.5 / a;
    for (double h = 0.02; h > 5e-4; h /= 2.0) {
        const double error = way_of_ball(h) - exact, part = time / h - floor(time / h);
        if (!(fabs(error - 0.5 * a * h * h * part * (1.0 - part)) <= 1e-8))
            fail_msg("h = %g: the way is too long by %.10g", h, error);
    }
}

/* ---- going on ------------------------------------------------------------------------------------------------------------------ */

/* From a snapshot in the middle a motion goes on with the same bits: moments of the last step are in it. */
static void a_motion_goes_on(void **state)
{
    (void)state;
    static const char text[] = "world { gravity = { 0.3, 0.1, -9.81 } }\n"
                               "pair { friction = 0.4, rolling = 3e-3, torsion = 2e-3 }\n"
                               "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\n"
                               "for i = 1, 6 do\n"
                               "  body { 'b' .. i, shape = i % 2 == 0 and sphere { 0.1 } or box { 0.2, 0.15, "
                               "0.2 }, density = 1000,\n"
                               "         at = { 0.1 * (i % 2), 0.05 * (i % 3), 0.3 * i }, spin = { i, 1 - i, "
                               "2 }, velocity = { 0.2, 0, 0 } }\n"
                               "end\n"
                               "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";
    carom_experiment *experiment = load(text);
    carom_error error = {0};
    carom_model_work *work = NULL;
    carom_stepper *stepper[2] = {NULL, NULL};
    double q[42], v[36];
    const carom_model *model = experiment->model;
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    model->ops->initial(work, q, v);
    const carom_scheme_ops *scheme = carom_scheme_find("moreau-jean", &error);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            carom_stepper_create(scheme, work, &(carom_step_settings){.h = 1e-3}, q, v, &stepper[i], &error),
            CAROM_OK);
    for (int step = 0; step < 400; step++)
        if (carom_stepper_step(stepper[0], &error) != CAROM_OK)
            fail_msg("%s", error.text);
    carom_snapshot written = {0};
    carom_stepper_keep(stepper[0], &written);
    assert_false(written.failed);
    carom_snapshot read = carom_snapshot_of(written.bytes, written.length);
    carom_stepper_keep(stepper[1], &read);
    assert_false(read.failed);
    for (int step = 0; step < 300; step++)
        for (int i = 0; i < 2; i++)
            assert_int_equal(carom_stepper_step(stepper[i], &error), CAROM_OK);
    assert_memory_equal(stepper[0]->state.q, stepper[1]->state.q, sizeof q);
    assert_memory_equal(stepper[0]->state.v, stepper[1]->state.v, sizeof v);
    carom_snapshot_free(&written);
    carom_stepper_free(stepper[0]);
    carom_stepper_free(stepper[1]);
    carom_model_work_free(work);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rolls_stops),         cmocka_unit_test(what_spins_stops),
        cmocka_unit_test(moments_without_friction), cmocka_unit_test(a_ball_on_a_slope),
        cmocka_unit_test(a_disc_on_a_slope),        cmocka_unit_test(materials_have_their_own),
        cmocka_unit_test(machines_have_moments),    cmocka_unit_test(the_way_is_of_second_order),
        cmocka_unit_test(a_motion_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
