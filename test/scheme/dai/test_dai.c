/* The schemes for differential algebraic inclusions on small models: friction forces, algebraic variables,
 * what they refuse. Values are closed forms. */
#include "test/scheme/dai_runs.h"

/* A mass that friction stops: v - b t, then rest at v^2/(2 b). */
static void sliding_mass_stops_and_stays(void **unused)
{
    (void)unused;
    static const char text[] = "local x = coordinates 'x' mass(1) initial { [dot(x)] = 1 }\n"
                               "friction_force { 'dry', slip = dot(x), bound = 0.5 }\n"
                               "measure { sticking = fraction(sticking 'dry') }\n"
                               "integrate { h = 1e-3, until_t = 4 }";
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], NAN, NAN);
        assert_int_equal(m.status, CAROM_OK);
        assert_near(position(&m, 0), 1.0, i == 0 ? 1e-6 : 1e-3);
        assert_true(velocity(&m, 0) == 0.0);
        assert_near(m.result.measure[0].value[0], 0.5, 1e-3);
        forget(&m);
    }
}

/* A belt of speed 0.5 takes the mass along: the slip rate is met to the last bit. */
static void belt_is_reached_exactly(void **unused)
{
    (void)unused;
    static const char text[] = "local x = coordinates 'x' mass(2)\n"
                               "friction_force { 'belt', slip = dot(x) - 0.5, bound = 1 }\n"
                               "integrate { h = 1e-2, until_t = 3 }";
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], NAN, NAN);
        assert_int_equal(m.status, CAROM_OK);
        assert_true(velocity(&m, 0) == 0.5);
        assert_near(position(&m, 0), 0.25 + 0.5 * 2.0, i == 0 ? 1e-12 : 6e-3); /* 0.5 t^2 / 2 until t = 1 */
        forget(&m);
    }
}

/* Friction only just holds, or does not, whatever the other forces: |force| <= bound sticks. */
static void stick_up_to_the_bound(void **unused)
{
    (void)unused;
    static const char form[] = "local x = coordinates 'x' mass(1) force { x = %s }\n"
                               "friction_force { 'dry', slip = dot(x), bound = 1 }\n"
                               "record { held = impulse('dry', 1) }\n"
                               "integrate { h = 1e-2, until_t = 1 }";
    for (int i = 0; i < 2; i++) {
        char text[300];
        snprintf(text, sizeof text, form, "0.999");
        motion m = move(text, both[i], NAN, NAN);
        assert_true(velocity(&m, 0) == 0.0 && position(&m, 0) == 0.0);
        assert_near(m.result.final[m.result.layout.column], -0.999e-2, 1e-15); /* impulse of a step */
        forget(&m);
        snprintf(text, sizeof text, form, "1.5");
        m = move(text, both[i], NAN, NAN);
        assert_near(velocity(&m, 0), 0.5, 1e-12);
        forget(&m);
    }
}

/* A block (mass 1) on a plank (mass 2) on the floor: friction 2 between them, 0.5 below. While both slip the
 * block slows by 2 and the plank gains (2 - 0.5)/2 = 0.75; from t = 3/2.75 they go together and slow by
 * 0.5/3.
 */
static void two_forces_in_a_stack(void **unused)
{
    (void)unused;
    static const char text[] = "local a, b = coordinates('a', 'b') mass { a = 1, b = 2 }\n"
                               "initial { [dot(a)] = 3 }\n"
                               "friction_force { 'between', slip = dot(a) - dot(b), bound = 2 }\n"
                               "friction_force { 'floor', slip = dot(b), bound = 0.5 }\n"
                               "integrate { h = 1e-3, until_t = 2 }";
    const double together = 3.0 / 2.75, speed = 0.75 * together - 0.5 / 3.0 * (2.0 - together);
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], NAN, NAN);
        assert_int_equal(m.status, CAROM_OK);
        assert_near(velocity(&m, 0), speed, 1e-3);
        assert_near(velocity(&m, 1), velocity(&m, 0), 1e-13);
        /* momentum: the floor took 0.5 t, friction between them nothing */
        assert_near(velocity(&m, 0) + 2.0 * velocity(&m, 1), 3.0 - 0.5 * 2.0, 1e-11);
        forget(&m);
    }
    motion m = move(text, "dai-theta", NAN, 8.0); /* and at t = 6 all of it is at rest */
    assert_true(velocity(&m, 1) == 0.0);
    assert_near(velocity(&m, 0), 0.0, 1e-15);
    forget(&m);
}

/* A bound that grows with time, 0.2 t: v = 1 - 0.1 t^2 until sqrt(10). */
static void bound_may_change(void **unused)
{
    (void)unused;
    static const char text[] = "local x = coordinates 'x' mass(1) initial { [dot(x)] = 1 }\n"
                               "friction_force { 'dry', slip = dot(x), bound = 0.2 * time() }\n"
                               "integrate { h = 1e-3, until_t = 2 }";
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], NAN, NAN);
        assert_near(velocity(&m, 0), 0.6, 1e-3);
        forget(&m);
        m = move(text, both[i], NAN, 4.0);
        assert_true(velocity(&m, 0) == 0.0);
        forget(&m);
    }
}

/* Joints that give z only implicitly, of time too: z + z^3 = x + sin t. */
static const char implicit[] = "local x, z = coordinates('x', 'z') mass { x = 1 }\n"
                               "joint { 'g', z + z^3 - x - sin(time()) }\n"
                               "force { x = -z - dot(x) / 10 }\n"
                               "initial { x = 2, z = 1, [dot(x)] = 0 }\n"
                               "record { g = z + z^3 - x - sin(time()), "
                               "         rate = dot(z) * (1 + 3 * z^2) - dot(x) - cos(time()) }\n"
                               "measure { g = maximum(abs(z + z^3 - x - sin(time()))) }\n"
                               "integrate { h = 1e-2, until_t = 5 }";

static void implicit_joints(void **unused)
{
    (void)unused;
    motion m = move(implicit, "dai-theta", NAN, NAN);
    assert_int_equal(m.status, CAROM_OK);
    assert_true(m.result.measure[0].value[0] < 1e-14);
    assert_near(m.result.final[m.result.layout.column], 0.0, 1e-14);     /* g */
    assert_near(m.result.final[m.result.layout.column + 1], 0.0, 1e-14); /* its rate */
    motion half = move(implicit, "dai-theta", 5e-3, NAN), fine = move(implicit, "dai-theta", 6.25e-4, NAN);
    const double ratio = (position(&m, 0) - position(&fine, 0)) / (position(&half, 0) - position(&fine, 0));
    assert_near(ratio, 4.06, 0.1); /* second order: (1 - 1/256)/(1/4 - 1/256) = 4.05 */
    forget(&m);
    m = move(implicit, "dai-euler", NAN, NAN);
    assert_true(m.result.measure[0].value[0] > 1e-5 && m.result.measure[0].value[0] < 0.1); /* it drifts */
    forget(&half);
    half = move(implicit, "dai-euler", 5e-3, NAN);
    assert_near((position(&m, 0) - position(&fine, 0)) / (position(&half, 0) - position(&fine, 0)), 2.0, 0.1);
    forget(&m);
    forget(&half);
    forget(&fine);
}

/* z is a coordinate, or written out: the midpoint scheme makes no difference. */
static void elimination_is_exact(void **unused)
{
    (void)unused;
    static const char with[] =
        "local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z - x^3 / 3 }\n"
        "force { x = -x - z } initial { x = 1.5, z = 1.125 }\n"
        "integrate { h = 1e-2, until_t = 10 }";
    static const char without[] = "local x = coordinates 'x' mass(1) force { x = -x - x^3 / 3 }\n"
                                  "initial { x = 1.5 } integrate { h = 1e-2, until_t = 10 }";
    motion a = move(with, "dai-theta", NAN, NAN), b = move(without, "dai-theta", NAN, NAN);
    assert_near(position(&a, 0), position(&b, 0), 1e-12);
    assert_near(velocity(&a, 0), velocity(&b, 0), 1e-12);
    assert_near(velocity(&a, 1), position(&a, 0) * position(&a, 0) * velocity(&a, 0), 1e-14);
    forget(&a);
    forget(&b);
}

static void only_euler_warns(void **unused)
{
    (void)unused;
    static const char text[] = "local x = coordinates 'x' mass(1) force { x = -x - 1e-3 * dot(x) }\n"
                               "initial { x = 1 } integrate { h = 1e-3, until_t = 1 }";
    motion m = move(text, "dai-euler", NAN, NAN);
    assert_int_equal(m.result.warnings.count, 1);
    assert_non_null(strstr(m.result.warnings.text[0], "anti-damping"));
    forget(&m);
    m = move(text, "dai-euler", 5e-5, NAN); /* h w^2 = 5e-5 is below a tenth of 1e-3 */
    assert_int_equal(m.result.warnings.count, 0);
    forget(&m);
    m = move(text, "dai-theta", NAN, NAN);
    assert_int_equal(m.result.warnings.count, 0);
    forget(&m);
}

static void refusals(void **unused)
{
    (void)unused;
    static const char dry[] = "local x = coordinates 'x' mass(1)\n"
                              "friction_force { 'dry', slip = dot(x), bound = 1 }\n"
                              "integrate { h = 1e-2, until_t = 1 }";
    static const char *const others[] = {
        "moreau-friction", "paoli-schatzman",  "sweeping", "penalty", "elast", "billiard", "inel",
        "newmark-contact", "generalized-alpha"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        expect_refusal(dry, others[i], "does not treat friction forces ('dry' is one); take dai-theta");
    expect_refusal("local x = coordinates 'x' mass(1) contact { 'wall', gap = x }\n"
                   "initial { x = 1 } integrate { h = 1e-2, until_t = 1 }",
                   "dai-theta", "contact 'wall'");
    expect_refusal("local x, z = coordinates('x', 'z') mass { x = 1 } integrate { h = 1e-2, until_t = 1 }",
                   "dai-theta", "1 coordinates have no inertia and 0 joints give them");
    expect_refusal("local x, y = coordinates('x', 'y') mass(1) joint { 'rod', x - y }\n"
                   "integrate { h = 1e-2, until_t = 1 }",
                   "dai-theta", "0 coordinates have no inertia and 1 joints");
    expect_refusal("local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z - x }\n"
                   "force { z = 1 } integrate { h = 1e-2, until_t = 1 }",
                   "dai-theta", "'z' has no inertia, but a force of 1");
    expect_refusal("local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z - x }\n"
                   "force { z = x } integrate { h = 1e-2, until_t = 1 }", /* zero at the start */
                   "dai-theta", "'z' has no inertia, but a force of 0.37");
    expect_refusal("local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z - x }\n"
                   "force { x = -dot(z) } integrate { h = 1e-2, until_t = 1 }",
                   "dai-theta", "depends on the velocity of 'z'");
    expect_refusal("local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z^2 - x }\n"
                   "integrate { h = 1e-2, until_t = 1 }",
                   "dai-theta", "singular");
    expect_refusal("local x = coordinates 'x' mass(1) local b = param { 'b', -1 }\n"
                   "friction_force { 'dry', slip = dot(x), bound = b } integrate { h = 1e-2, until_t = 1 }",
                   "dai-euler", "'dry': its bound is -1");
    expect_refusal("local x = coordinates 'x' mass(1) friction_force { 'dry', slip = dot(x) }", NULL,
                   "needs a slip and a bound");
    expect_refusal("local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z - x }\n"
                   "integrate { h = 1e-2, until_t = 1 }",
                   "moreau-jean", "without inertia");
}

static void start_is_checked_or_projected(void **unused)
{
    (void)unused;
    static const char form[] =
        "local x, z = coordinates('x', 'z') mass { x = 1 } joint { 'g', z - x^3 / 3 }\n"
        "initial { x = 2, z = 1 } integrate { h = 1e-2, until_t = 0.01%s }";
    char text[300];
    snprintf(text, sizeof text, form, "");
    expect_refusal(text, "dai-theta", "does not satisfy joint 'g': its value is -1.66667");
    snprintf(text, sizeof text, form, ", initial = 'project'");
    motion m = move(text, "dai-theta", NAN, NAN);
    assert_int_equal(m.status, CAROM_OK);
    assert_near(m.result.initial[m.result.layout.q + 1], 8.0 / 3.0, 1e-15);
    forget(&m);
}

/* A step with which explicit Euler leaves the numbers says so. */
static void blow_up_is_told(void **unused)
{
    (void)unused;
    motion m = move("local x = coordinates 'x' mass(1) force { x = -x^3 } initial { x = 10 }\n"
                    "integrate { h = 1, until_t = 100 }",
                    "dai-euler", NAN, NAN);
    assert_int_equal(m.status, CAROM_FAILED);
    assert_mentions(&m.error, "finite");
    forget(&m);
}

/* A joint whose derivative changes only far from the start, and one that time moves only later. */
static void joints_are_solved_where_they_change_late(void **unused)
{
    (void)unused;
    motion m = move("local x, z = coordinates('x', 'z') mass { x = 1 }\n"
                    "joint { 'g', z * (1 + max(0, x - 20)) - x } initial { [dot(x)] = 1 }\n"
                    "integrate { h = 1e-2, until_t = 25 }",
                    "dai-theta", NAN, NAN);
    assert_int_equal(m.status, CAROM_OK);
    assert_near(position(&m, 0), 25.0, 1e-10);
    assert_near(position(&m, 1), 25.0 / 6.0, 1e-10);
    forget(&m);
    m = move("local x, z = coordinates('x', 'z') mass { x = 1 }\n"
             "joint { 'g', z - x - max(0, time() - 5) } integrate { h = 1e-2, until_t = 6 }",
             "dai-theta", NAN, NAN);
    assert_int_equal(m.status, CAROM_OK);
    assert_near(position(&m, 1), 1.0, 1e-10);
    assert_near(velocity(&m, 1), 1.0, 1e-10);
    forget(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_solved_where_they_change_late),
        cmocka_unit_test(sliding_mass_stops_and_stays),
        cmocka_unit_test(belt_is_reached_exactly),
        cmocka_unit_test(stick_up_to_the_bound),
        cmocka_unit_test(two_forces_in_a_stack),
        cmocka_unit_test(bound_may_change),
        cmocka_unit_test(implicit_joints),
        cmocka_unit_test(elimination_is_exact),
        cmocka_unit_test(only_euler_warns),
        cmocka_unit_test(refusals),
        cmocka_unit_test(start_is_checked_or_projected),
        cmocka_unit_test(blow_up_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
