/* Chains and nets with more contacts than a full W is for: they move as with a full W, keep what is to be kept, and carry what
 * closed forms say. Solvers other than auto have a full W. */
#include "scenes.h"
#include "test/base/sanitized.h"

#include <stdlib.h>

static const double g = 9.81;

/* n links along x, from (x, y) on, the k-th at the angle slope sin(k): boxes in the plane, capsules in space, where z is up. */
static const char chain[] =
    "local n = setting { 'n', 40, integer = true }\n"
    "local space, wave, x0, y0 = setting { 'space', 0 }, setting { 'wave', 0 }, setting { 'x0', 0 }, setting "
    "{ 'y0', 0.01 }\n"
    "local mu, speed, slope = setting { 'mu', 0.3 }, setting { 'speed', 0 }, setting { 'slope', 0 }\n"
    "local rolling, extra = setting { 'rolling', 0 }, setting { 'extra', '' }\n"
    "local G = { 9.81 * math.sin(slope), -9.81 * math.cos(slope) }\n"
    "world { gravity = space == 1 and { G[1], 0, G[2] } or G }\n"
    "pair { friction = mu, restitution = 0, rolling = rolling }\n"
    "local floor = fixed { 'floor', shape = plane { normal = space == 1 and { 0, 0, 1 } or { 0, 1 }, offset "
    "= 0 } }\n"
    "local L, r, x, y = 0.1, 0.01, x0, y0\n"
    "local link, kinetic, px, weight = {}, 0, 0, 0\n"
    "for k = 1, n do\n"
    "  local a = wave * math.sin(k)\n"
    "  local at = { x + L / 2 * math.cos(a), y + L / 2 * math.sin(a) }\n"
    "  local b\n"
    "  if space == 1 then\n"
    "    b = body { 'b' .. k, shape = capsule { radius = r, length = L - 2 * r }, mass = 0.2, velocity = { "
    "speed, 0, 0 },\n"
    "               at = { at[1], 0, at[2] }, rotation = { axis = { 0, 1, 0 }, angle = math.pi / 2 - a } }\n"
    "    if k > 1 then ball { 'j' .. k, link[k - 1], b, at = { x, 0, y } } end\n"
    "  else\n"
    "    b = body { 'b' .. k, shape = box { L - 2 * r, 2 * r }, mass = 0.2, at = at, rotation = a, velocity "
    "= { speed, 0 } }\n"
    "    if k > 1 then hinge { 'j' .. k, link[k - 1], b, at = { x, y },\n"
    "                          limits = extra == 'limits' and k == 10 and { -0.1, 0.1 } or nil,\n"
    "                          motor = extra == 'motor' and k == 10 and { speed = 0, torque = 1e5 } or nil } "
    "end\n"
    "  end\n"
    "  link[k] = b\n"
    "  kinetic, px, weight = kinetic + b:kinetic(), px + 0.2 * dot(b.x), weight + impulse(b, floor)\n"
    "  x, y = x + L * math.cos(a), y + L * math.sin(a)\n"
    "end\n"
    "local first, last, middle = link[1], link[n], link[n // 2]\n"
    "local function up(b) return space == 1 and b.z or b.y end\n";

static void run(const char *body, size_t sets, const carom_override *set, const carom_option *option,
                carom_experiment **experiment, carom_run_result *result)
{
    char text[8192];
    carom_error error = {0};
    snprintf(text, sizeof text, "%s%s", chain, body);
    const carom_load_request request = {.name = "chain",
                                        .file = "chain.lua",
                                        .text = text,
                                        .override_count = (int)sets,
                                        .override = (carom_override *)set};
    *experiment = NULL;
    *result = (carom_run_result){0};
    if (carom_experiment_load(&request, experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    if (carom_run(&(carom_run_request){.experiment = *experiment, .option = option}, result, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    if (!result->certificate.trusted)
        fail_msg("%s", result->certificate.doubt[0]);
}

static void done(carom_experiment *experiment, carom_run_result *result)
{
    carom_run_result_free(result);
    carom_experiment_free(experiment);
}

#define SET(...)                                                                                             \
    (carom_override[]){__VA_ARGS__}, sizeof((carom_override[]){__VA_ARGS__}) / sizeof(carom_override)

/* Measures of one solver, then of another. */
static void compare(const char *body, const carom_override *set, size_t sets, const char *solver,
                    double tolerance)
{
    carom_experiment *experiment[2];
    carom_run_result result[2];
    const carom_option own[] = {{"tolerance", 1e-9}, {0}};
    const carom_option other[] = {{"solver", .word = solver}, {"tolerance", 1e-9}, {0}};
    run(body, sets, set, own, &experiment[0], &result[0]);
    run(body, sets, set, other, &experiment[1], &result[1]);
    for (int i = 0; i < experiment[0]->measure_count; i++) {
        const double a = result[0].measure[i].value[0], b = result[1].measure[i].value[0];
        if (!(fabs(a - b) <= tolerance))
            fail_msg("%s is %.12g, with a full W %.12g", experiment[0]->measure[i].name, a, b);
    }
    done(experiment[0], &result[0]);
    done(experiment[1], &result[1]);
}

static const char falls[] = "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.06 }\n"
                            "measure { x = first.x, y = last.x, h1 = up(first), h2 = up(middle), h3 = "
                            "up(last), speed = dot(middle.x),\n"
                            "          touches = weight, energy = energy() }\n";

/* Links land one after the other and slide. */
static void chains_move_as_with_a_full_W(void **state)
{
    (void)state;
    compare(falls, SET({"wave", "0.05"}, {"y0", "0.03"}, {"speed", "3"}), "NSN-AC", 1e-6);
    compare(falls, SET({"wave", "0.05"}, {"y0", "0.03"}, {"speed", "3"}, {"space", "1"}, {"mu", "0.1"}),
            "NSN-AC", 1e-6);
    if (!SANITIZED)
        compare(falls, SET({"wave", "0.05"}, {"y0", "0.03"}, {"speed", "3"}, {"rolling", "0.002"}),
                "NSGS-EXACT", 1e-5);
}

/* It lies on the floor, which carries n m g, and nothing moves; on a slope that friction holds, too. */
static void floors_carry_chains(void **state)
{
    (void)state;
    static const char lies[] = "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.2 }\n"
                               "measure { weight = weight / 1e-3, x = maximum(abs(middle.x - 1.95)),\n"
                               "          speed = maximum(kinetic) }\n";
    for (int k = 0; k < 4; k += SANITIZED ? 3 : 1) {
        carom_experiment *experiment;
        carom_run_result result;
        carom_override set[] = {{"space", k % 2 == 0 ? "0" : "1"}, {"slope", k < 2 ? "0" : "0.2"}};
        run(lies, 2, set, NULL, &experiment, &result);
        const double wanted = 40.0 * 0.2 * g * cos(k < 2 ? 0.0 : 0.2);
        assert_true(fabs(measure_of(experiment, &result, "weight") - wanted) < 1e-6 * wanted);
        assert_true(measure_of(experiment, &result, "x") < 1e-12);
        assert_true(measure_of(experiment, &result, "speed") < 1e-20);
        done(experiment, &result);
    }
}

/* Down a slope it slides by g (sin a - mu cos a), pulled along it by F with F / (n m) - mu g; without friction the joint behind
 * link k carries F (n - k) / n. */
static void chains_slide(void **state)
{
    (void)state;
    static const char slides[] =
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.2 }\n"
        "measure { a = dot(first.x) / 0.2, b = dot(last.x) / 0.2, up = maximum(abs(up(middle) - 0.01)) }\n";
    static const char pulled[] = "force { last, { 8, 0 } }\n"
                                 "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.1 }\n"
                                 "measure { a = dot(first.x) / 0.1, j2 = reaction('j2', 1), j20 = "
                                 "reaction('j20', 1), j40 = reaction('j40', 1) }\n";
    carom_experiment *experiment;
    carom_run_result result;
    for (int space = 0; space < 2; space++) {
        carom_override set[] = {{"space", space ? "1" : "0"}, {"slope", "0.4"}, {"mu", "0.2"}};
        run(slides, 3, set, NULL, &experiment, &result);
        const double wanted = g * (sin(0.4) - 0.2 * cos(0.4));
        assert_true(fabs(measure_of(experiment, &result, "a") - wanted) < 1e-6);
        assert_true(fabs(measure_of(experiment, &result, "b") - wanted) < 1e-6);
        assert_true(measure_of(experiment, &result, "up") < 1e-7);
        done(experiment, &result);
    }
    run(pulled, 1, (carom_override[]){{"mu", "0"}}, NULL, &experiment, &result);
    assert_true(fabs(measure_of(experiment, &result, "a") - 8.0 / (40 * 0.2)) < 1e-7);
    assert_true(fabs(fabs(measure_of(experiment, &result, "j2")) - 8.0 * 1 / 40) < 1e-5);
    assert_true(fabs(fabs(measure_of(experiment, &result, "j20")) - 8.0 * 19 / 40) < 1e-5);
    assert_true(fabs(fabs(measure_of(experiment, &result, "j40")) - 8.0 * 39 / 40) < 1e-5);
    done(experiment, &result);
    run(pulled, 1, (carom_override[]){{"mu", "0.05"}}, NULL, &experiment, &result);
    assert_true(fabs(measure_of(experiment, &result, "a") - (8.0 / (40 * 0.2) - 0.05 * g)) < 1e-6);
    done(experiment, &result);
}

/* Without friction the momentum along the floor stays; joints hold; energy does not grow. */
static void what_is_kept(void **state)
{
    (void)state;
    static const char kept[] =
        "local p, q = link[20]:point { space == 1 and 0 or 0.05, 0, space == 1 and 0.05 or nil },\n"
        "             link[21]:point { space == 1 and 0 or -0.05, 0, space == 1 and -0.05 or nil }\n"
        "integrate { scheme = 'moreau-jean', h = 5e-4, until_t = 0.17 }\n"
        "measure { momentum = px, drift = maximum(abs(p.x - q.x) + abs(p.y - q.y)), \n"
        "          most = maximum(energy()), start = at(energy(), 0) }\n";
    for (int k = 1; k < 3; k++) { /* in space without friction, in the plane with it */
        carom_experiment *experiment;
        carom_run_result result;
        carom_override set[] = {{"space", k % 2 == 0 ? "0" : "1"},
                                {"mu", k < 2 ? "0" : "0.4"},
                                {"wave", "0.3"},
                                {"y0", "0.1"},
                                {"speed", "0.5"}};
        run(kept, 5, set, NULL, &experiment, &result);
        if (k < 2)
            assert_true(fabs(measure_of(experiment, &result, "momentum") - 40 * 0.2 * 0.5) < 1e-9);
        assert_true(measure_of(experiment, &result, "drift") < 1e-5); /* of the step of the impact */
        assert_true(measure_of(experiment, &result, "most") <=
                    (1.0 + 1e-12) * measure_of(experiment, &result, "start"));
        done(experiment, &result);
    }
}

/* Limits and motors still hold in an island with many points. */
static void limits_and_motors_hold(void **state)
{
    (void)state;
    static const char held[] =
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.15 }\n"
        "measure { bend = maximum(abs(link[10].phi - link[9].phi - wave * (math.sin(10) - math.sin(9)))),\n"
        "          spin = maximum(abs(dot(link[10].phi - link[9].phi))) }\n";
    carom_experiment *experiment;
    carom_run_result result;
    carom_override set[] = {{"extra", "none"}, {"wave", "0.3"}, {"y0", "0.06"}};
    run(held, 3, set, NULL, &experiment, &result);
    assert_true(measure_of(experiment, &result, "bend") > 0.2);
    assert_true(measure_of(experiment, &result, "spin") > 10.0);
    done(experiment, &result);
    set[0].value = (char *)"limits";
    run(held, 3, set, NULL, &experiment, &result);
    assert_true(measure_of(experiment, &result, "bend") < 0.1 + 1e-4);
    done(experiment, &result);
    set[0].value = (char *)"motor";
    run(held, 3, set, NULL, &experiment, &result);
    assert_true(measure_of(experiment, &result, "spin") <
                0.5); /* put back on its joints, it turns a little */
    done(experiment, &result);
}

/* A net of balls and rods, with more loops than a chain has: it falls on the floor, which carries it, and keeps its lengths. */
static void nets_come_to_rest(void **state)
{
    (void)state;
    if (SANITIZED)
        skip();
    static const char net[] =
        "local knot, weight, kinetic = {}, 0, 0\n"
        "for i = 1, 9 do\n"
        "  knot[i] = {}\n"
        "  for k = 1, 9 do\n"
        "    local at = { 0.1 * i + 20, 0.1 * k, 0.05 + 0.02 * math.sin(2 * i) * math.cos(3 * k) }\n"
        "    local b = body { 'k' .. i .. k, shape = sphere { 0.02 }, mass = 0.1, at = at }\n"
        "    knot[i][k] = { b, at }\n"
        "    for _, o in ipairs { i > 1 and knot[i - 1][k] or 0, k > 1 and knot[i][k - 1] or 0 } do\n"
        "      if o ~= 0 then distance { 'd' .. i .. k .. _, o[1], b, from = o[2], to = at } end\n"
        "    end\n"
        "    weight, kinetic = weight + impulse(b, floor), kinetic + b:kinetic()\n"
        "  end\n"
        "end\n"
        "local a, b, A, B = knot[5][5][1], knot[5][6][1], knot[5][5][2], knot[5][6][2]\n"
        "local length = sqrt((A[1] - B[1])^2 + (A[2] - B[2])^2 + (A[3] - B[3])^2)\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.25 }\n"
        "measure { weight = weight / 1e-3, most = maximum(energy()), start = at(energy(), 0), moves = "
        "final(kinetic),\n"
        "          drift = maximum(abs(sqrt((a.x - b.x)^2 + (a.y - b.y)^2 + (a.z - b.z)^2) - length)) }\n";
    carom_experiment *experiment;
    carom_run_result result;
    run(net, 3, (carom_override[]){{"n", "1"}, {"space", "1"}, {"rolling", "0.01"}}, NULL, &experiment,
        &result);
    assert_true(fabs(measure_of(experiment, &result, "weight") - 8.1 * g) < 1e-5 * 8.1 * g);
    assert_true(measure_of(experiment, &result, "moves") < 1e-9);
    assert_true(measure_of(experiment, &result, "drift") < 1e-5);
    assert_true(measure_of(experiment, &result, "most") <=
                (1.0 + 1e-12) * measure_of(experiment, &result, "start"));
    done(experiment, &result);
}

/* Two chains are two islands: the same bits by one thread and by two. */
static void threads_change_nothing(void **state)
{
    (void)state;
    static const char two[] =
        "local before\n"
        "for k = 1, 40 do\n"
        "  local b = body { 'c' .. k, shape = box { 0.08, 0.02 }, mass = 0.3, at = { 0.1 * k + 10, 0.02 + "
        "0.003 * (k % 3) } }\n"
        "  if before then distance { 'd' .. k, before, b, from = { 0.1 * k + 9.95, 0.03 }, to = { 0.1 * k + "
        "9.95, 0.032 } } end\n"
        "  before = b\n"
        "end\n"
        "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 0.1 }\n"
        "measure { x = middle.x, y = last.y, z = before.x, w = dot(before.phi), e = energy() }\n";
    carom_experiment *experiment[2];
    carom_run_result result[2];
    for (int k = 0; k < 2; k++) {
        const carom_option option[] = {{"threads", 1.0 + k}, {0}};
        carom_override set[] = {{"wave", "0.05"}, {"y0", "0.03"}, {"speed", "1"}};
        run(two, 3, set, option, &experiment[k], &result[k]);
    }
    for (int i = 0; i < experiment[0]->measure_count; i++)
        assert_true(result[0].measure[i].value[0] == result[1].measure[i].value[0]);
    done(experiment[0], &result[0]);
    done(experiment[1], &result[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_move_as_with_a_full_W),
        cmocka_unit_test(floors_carry_chains),
        cmocka_unit_test(chains_slide),
        cmocka_unit_test(what_is_kept),
        cmocka_unit_test(nets_come_to_rest),
        cmocka_unit_test(limits_and_motors_hold),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
