/* Works of the event-driven scheme: with those of forces and contacts the change of energy adds up, to some 1e-8 of the
 * energies that are moved. The energy of these models is the kinetic one, springs and gravity are forces. */
#include "model_runs.h"
#include "table.h"

static void driven_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    force[0] = -4.0 * (q[0] - 0.3) - 0.2 * u[0] + 3.0 * cos(1.7 * t);
}

/* What the works leave unexplained of the change of energy. */
static double left_over(carom_stepper *stepper, double energy_start)
{
    const carom_works works = carom_stepper_works(stepper);
    return carom_stepper_energy(stepper) - energy_start - works.forces - works.contacts - works.joints;
}

static void driven_oscillator(void **unused)
{
    (void)unused;
    const double q0[1] = {5.0}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 0.0, 0.7);
    hand.force = driven_force;
    const double steps[] = {0.01, 0.3, 15.0};
    for (int k = 0; k < 3; k++) {
        carom_stepper *stepper = start_on(&hand, steps[k], q0, v0);
        hand_run(stepper, (long)(30.0 / steps[k] + 0.5));
        assert_true(inside(stepper)->impacts > 10);
        assert_true(carom_stepper_works(stepper).contacts < -0.1);
        assert_true(carom_stepper_works(stepper).forces > 0.1);
        assert_near(left_over(stepper, 0.0), 0.0, 1e-8);
        hand_free(stepper);
    }
}

/* All impacts of a ball, its last low hops, and rest: gravity gave what the impacts took. */
static void ball_to_rest(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 9.81, 0.5);
    carom_stepper *stepper = start_on(&hand, 0.1, q0, v0);
    hand_run(stepper, 20);
    assert_near(carom_stepper_works(stepper).forces, 9.81, 1e-9);
    assert_near(carom_stepper_works(stepper).contacts, -9.81, 1e-9);
    hand_free(stepper);
}

/* A table that moves like sin(3 t) works on the ball, in lasting contact and by impacts. */
static void moving_table(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, v0[1] = {3.0};
    hand_model hand;
    ball_init(&hand, 5.0, 0.4);
    hand.gaps = table_gap;
    hand.frame = table_frame;
    carom_stepper *stepper = start_on(&hand, 0.1, q0, v0);
    hand_step(stepper); /* in contact: the force 5 - 9 sin(3 t) along 3 cos(3 t) */
    const double s = sin(0.3);
    assert_near(carom_stepper_works(stepper).contacts, 5.0 * s - 4.5 * s * s, 1e-9);
    hand_run(stepper, 99);
    assert_true(inside(stepper)->impacts > 3);
    assert_near(left_over(stepper, 4.5), 0.0, 1e-9);
    hand_free(stepper);
}

/* Works do not disturb the integration: a pendulum at a wall is where it is without forces to integrate. */
static void pendulum_at_a_wall(void **unused)
{
    (void)unused;
    hand_model hand;
    pendulum_init(&hand, 0.8);
    carom_stepper *stepper = start_on(&hand, 0.05, pendulum_q0, pendulum_v0);
    hand_run(stepper, 60);
    assert_true(inside(stepper)->impacts > 2);
    assert_near(left_over(stepper, 0.0), 0.0, 1e-8);
    hand_free(stepper);
}

/* ---- forces with kinks ----------------------------------------------------------------------------------- */

/* Works close the balance of energy to 1e-9 of the energy that they move, and nothing is doubted. The certificate adds up the works of
 * a pulse and of a damper, which nearly cancel, so that their sum is no measure. */
static void check_closed(const char *text)
{
    motion m = move_events(text);
    const carom_certificate *found = &m.result.certificate;
    const double change = found->energy_final - found->energy_initial;
    const double largest = found->energy_scale;
    assert_true(largest >= fmax(fabs(found->contacts), fabs(change)));
    assert_near((change - found->forces - found->contacts - found->joints) / largest, 0.0, 1e-9);
    assert_near(found->scheme / largest, 0.0, 1e-9);
    assert_true(found->trusted);
    forget(&m);
}

/* Pulses with two kinks per period throw a hammer against an anvil, from which it falls back on its rest. */
static void pulses_on_a_hammer(void **unused)
{
    (void)unused;
    static const double outputs[] = {0.005, 0.02, 0.3, 4.0};
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
        char text[700];
        snprintf(text, sizeof text,
                 "local f = 90\n"
                 "local x = coordinates('x')\n"
                 "mass(0.03)\n"
                 "potential(400 * (x + 1e-3) ^ 2 / 2)\n"
                 "force { x = 6 * max(sin(2 * pi * f * time()) - 0.5, 0) - 0.4 * dot(x) }\n"
                 "contact { 'anvil', gap = 2e-3 - x, restitution = 0.55 }\n"
                 "contact { 'rest', gap = x, restitution = 0.25 }\n"
                 "integrate { scheme = 'event-driven', h = %g / f, until_t = 10 / f, zeno = 'continue' }\n",
                 outputs[k]);
        check_closed(text);
    }
}

/* A tooth with backlash meets both flanks: its potential is max(|x| - b, 0)^2, its damper acts in contact only. */
static void backlash_with_dampers(void **unused)
{
    (void)unused;
    static const double dampers[] = {0.0, 25.0, 150.0}, outputs[] = {0.005, 0.02, 1.0};
    for (int k = 0; k < 9; k++) {
        char text[800];
        snprintf(text, sizeof text,
                 "local chi, k, b, w = %g, 3e5, 2e-4, 2 * pi * 45\n"
                 "local u1, u2 = coordinates('u1', 'u2')\n"
                 "mass { u1 = 0.4, u2 = 0.15 }\n"
                 "local x = u1 - u2\n"
                 "local depth = max(abs(x) - b, 0)\n"
                 "local damper = chi * k * depth * dot(x)\n"
                 "potential(900 * u1 ^ 2 / 2 + k * depth ^ 2 / 2)\n"
                 "force { u1 = 40 * cos(w * time()) - 1.5 * dot(u1) - damper, u2 = damper + 3 }\n"
                 "integrate { scheme = 'event-driven', h = %g * 2 * pi / w, until_t = 8 * 2 * pi / w }\n",
                 dampers[k / 3], outputs[k % 3]);
        check_closed(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_oscillator),  cmocka_unit_test(ball_to_rest),
        cmocka_unit_test(moving_table),       cmocka_unit_test(pendulum_at_a_wall),
        cmocka_unit_test(pulses_on_a_hammer), cmocka_unit_test(backlash_with_dampers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
