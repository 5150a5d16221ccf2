/* Friction forces in moreau-jean: as in dai-theta, and beside contacts and joints. */
#include "test/scheme/dai_runs.h"

/* Linear systems with constant rows: both schemes make the same step, to the tolerance of the sweeps over
 * contacts. Two masses, three forces, one of them between the masses; springs, a damper and a constant force.
 */
static void steps_are_those_of_dai_theta(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 8; seed++) {
        carom_random random = {seed};
        char text[1024];
        const double b[3] = {carom_random_uniform(&random, 0.0, 0.4), carom_random_uniform(&random, 0.0, 0.4),
                             carom_random_uniform(&random, 0.0, 0.4)};
        snprintf(text, sizeof text,
                 "local x, y = coordinates('x', 'y') mass { x = 1, y = %.3f }\n"
                 "potential(x^2 + (x - y)^2 / 2) force { x = 0.2, y = -0.1 * dot(y) }\n"
                 "friction_force { 'a', slip = dot(x), bound = %.17g }\n"
                 "friction_force { 'b', slip = dot(y) - 0.05, bound = %.17g }\n"
                 "friction_force { 'c', slip = dot(x) - dot(y), bound = %.17g }\n"
                 "initial { x = 1, [dot(y)] = 0.5 } integrate { h = 1e-2, until_t = 20 }",
                 carom_random_uniform(&random, 0.5, 3.0), b[0], b[1], b[2]);
        motion one = move_and_keep(text, "moreau-jean", NAN, NAN),
               other = move_and_keep(text, "dai-theta", NAN, NAN);
        assert_int_equal(one.status, CAROM_OK);
        assert_int_equal(other.status, CAROM_OK);
        assert_int_equal(one.series.count, other.series.count);
        const carom_row_layout *layout = &one.series.layout;
        for (size_t k = 0; k < one.series.count; k++) {
            const double *p = carom_series_row(&one.series, k), *q = carom_series_row(&other.series, k);
            for (int i = layout->q; i < layout->energy; i++)
                assert_near(p[i], q[i], 1e-9);
            for (int c = 0; c < 3 && k > 0; c++) { /* friction only, within its bound */
                const double *impulse = p + layout->impulse + CAROM_CONTACT_COMPONENTS * c;
                assert_true(impulse[0] == 0.0 && impulse[2] == 0.0);
                assert_true(fabs(impulse[1]) <= 1e-2 * b[c] * (1.0 + 1e-9));
                assert_near(impulse[1], q[layout->impulse + CAROM_CONTACT_COMPONENTS * c + 1], 1e-9);
            }
        }
        forget(&one);
        forget(&other);
    }
}

/* A mass that friction stops while another bounces: neither knows of the other. */
static void beside_a_contact(void **unused)
{
    (void)unused;
    motion m = move("local x, y = coordinates('x', 'y') mass(1) potential(x^2 / 2 + 10 * y)\n"
                    "friction_force { 'dry', slip = dot(x), bound = 0.1 }\n"
                    "contact { 'floor', gap = y, restitution = 0.5 } initial { x = 1.05, y = 1 }\n"
                    "measure { bounces = count(impact 'floor'), falls = count(impact 'dry'),\n"
                    "          stuck = fraction(sticking 'dry') } integrate { h = 1e-3, until_t = 20 }",
                    "moreau-jean", NAN, NAN);
    assert_int_equal(m.status, CAROM_OK);
    assert_near(position(&m, 0), -0.05, 1e-6);
    assert_true(velocity(&m, 0) == 0.0);
    assert_near(position(&m, 1), 0.0, 1e-5);
    assert_true(m.result.measure[0].value[0] > 5.0);
    assert_true(m.result.measure[1].value[0] == 0.0);
    assert_near(m.result.measure[2].value[0], 1.0 - 5.0 * 3.14159265358979 / 20.0, 1e-3);
    forget(&m);
}

/* Friction in the hinge of a pendulum written with a joint, against the same with an angle. */
static void in_a_hinge(void **unused)
{
    (void)unused;
    static const char plain[] = "local a = coordinates 'a' mass(1) potential(-10 * cos(a))\n"
                                "friction_force { 'hinge', slip = dot(a), bound = 0.5 } initial { a = 1 }\n"
                                "integrate { h = 1e-3, until_t = 15 }";
    static const char jointed[] = "local x, y = coordinates('x', 'y') mass(1) potential(10 * y)\n"
                                  "joint { 'rod', (x^2 + y^2 - 1) / 2 }\n"
                                  "friction_force { 'hinge', slip = x * dot(y) - y * dot(x), bound = 0.5 }\n"
                                  "initial { x = sin(1), y = -cos(1) }\n"
                                  "integrate { h = 1e-3, until_t = 15, projection = 'on' }";
    motion exact = move(plain, "dai-theta", 1e-4, NAN);
    assert_int_equal(exact.status, CAROM_OK);
    assert_true(velocity(&exact, 0) == 0.0); /* it has come to rest */
    double error[2];
    for (int k = 0; k < 2; k++) {
        motion m = move(jointed, "moreau-jean", k == 0 ? 1e-3 : 2.5e-4, NAN);
        assert_int_equal(m.status, CAROM_OK);
        assert_near(velocity(&m, 0), 0.0, 1e-9);
        error[k] = fabs(position(&m, 0) - sin(position(&exact, 0)));
        forget(&m);
    }
    assert_true(error[0] < 0.02 && error[1] < 0.3 * error[0]); /* first order, by the projection */
    forget(&exact);
}

static void refusals(void **unused)
{
    (void)unused;
    expect_refusal("local x = coordinates 'x' mass(1)\n"
                   "friction_force { 'dry', slip = dot(x), bound = 1, static = 2, decay = 1 }\n"
                   "integrate { h = 1e-2, until_t = 1 }",
                   "moreau-jean", "weakens with the slip");
    expect_refusal("local x = coordinates 'x' mass(1) local b = param { 'b', -1 }\n"
                   "friction_force { 'dry', slip = dot(x), bound = b } integrate { h = 1e-2, until_t = 1 }",
                   "moreau-jean", "not negative");
    expect_refusal("local x = coordinates 'x' mass(1) contact { 'wall', gap = x }\n"
                   "friction_force { 'dry', slip = dot(x), bound = 1 } initial { x = 1 }\n"
                   "integrate { h = 1e-2, until_t = 1, impact_law = 'poisson' }",
                   "moreau-jean", "does not treat");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_dai_theta),
        cmocka_unit_test(beside_a_contact),
        cmocka_unit_test(in_a_hinge),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
