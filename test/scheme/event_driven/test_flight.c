/* Flights along parabolas: closed forms, the integrator's motion, gaps that jump, and outputs from which a motion goes on. */
#include "test/scheme/built_models.h"

#include "scheme/event_driven/event_driven.h"
#include "test/near.h"

static const double g = 9.81;

/* A ball between a floor and a wall, both oblique to the coordinates. */
static const built_spec corner = {.kinetic = "dot(x)^2/2 + 3*dot(y)^2/2",
                                  .potential = "29.43*y",
                                  .gap = {"y + 0.1*x", "2 - x + 0.05*y"},
                                  .restitution = "0.8"};

static bool flies(const built *made)
{
    return ((const event_driven *)made->stepper)->flight.on;
}

static long impacts_of(const built *made)
{
    return ((const event_driven *)made->stepper)->impacts;
}

/* Bounces of a ball with restitution e: heights and times in closed form, to rounding. */
static void closed_form(void **unused)
{
    (void)unused;
    const built_spec ball = {
        .kinetic = "dot(x)^2/2 + dot(y)^2/2", .potential = "9.81*y", .gap = {"y"}, .restitution = "0.9"};
    const double q[2] = {0.0, 1.0}, v[2] = {0.3, 0.0};
    const double fall = sqrt(2.0 / g);
    built made = built_start(&ball, "event-driven", 1e-3, q, v);
    double begin = 0.0, speed = 0.0, height = 1.0, hit = fall;
    for (long i = 1; i <= 3000; i++) {
        built_steps(&made, 1);
        const double t = made.stepper->state.t;
        while (t > hit) {
            speed = begin == 0.0 ? 0.9 * g * fall : 0.9 * speed;
            height = 0.0;
            begin = hit;
            hit += 2.0 * speed / g;
        }
        const double s = t - begin;
        assert_true(flies(&made));
        assert_near(made.stepper->state.q[0], 0.3 * t, 1e-13);
        assert_near(made.stepper->state.q[1], height + s * (speed - 0.5 * g * s), 1e-12);
        assert_near(made.stepper->state.v[1], speed - g * s, 1e-12);
    }
    built_free(&made);
}

/* A force that depends on time, though by nothing, is integrated. */
static void as_the_integrator(void **unused)
{
    (void)unused;
    built_spec slow = corner;
    slow.force_y = "1e-200*t";
    const double q[2] = {0.5, 1.0}, v[2] = {1.0, 0.2};
    built made = built_start(&corner, "event-driven", 0.01, q, v);
    built other = built_start(&slow, "event-driven", 0.01, q, v);
    for (int i = 0; i < 300; i++) {
        built_steps(&made, 1);
        built_steps(&other, 1);
        assert_true(flies(&made) && !flies(&other));
        for (int k = 0; k < 2; k++) {
            assert_near(made.stepper->state.q[k], other.stepper->state.q[k], 1e-10);
            assert_near(made.stepper->state.v[k], other.stepper->state.v[k], 1e-9);
        }
    }
    assert_true(impacts_of(&made) > 5);
    assert_int_equal(impacts_of(&made), impacts_of(&other));
    built_free(&made);
    built_free(&other);
}

/* The floor is lifted at t = 0.2, which no derivative of the gap says: the ball strikes it where it is then. */
static void a_gap_that_jumps(void **unused)
{
    (void)unused;
    const built_spec lifted = {.kinetic = "dot(x)^2/2 + dot(y)^2/2",
                               .potential = "9.81*y",
                               .gap = {"y - select(t - 0.2, 0.5, 0)"},
                               .restitution = "0.5"};
    const double q[2] = {0.0, 1.0}, v[2] = {0.0, 0.0};
    built made = built_start(&lifted, "event-driven", 0.01, q, v);
    built_steps(&made, 10);
    assert_true(flies(&made));
    built_steps(&made, 21); /* t = 0.31, just before the impact */
    assert_false(flies(&made));
    assert_int_equal(impacts_of(&made), 0);
    built_steps(&made, 1);
    assert_int_equal(impacts_of(&made), 1);
    assert_near(((const event_driven *)made.stepper)->last_impact, sqrt(2.0 * 0.5 / g), 1e-11);
    built_free(&made);
}

static void goes_on(void **unused)
{
    (void)unused;
    const double q[2] = {0.5, 1.0}, v[2] = {1.0, 0.2};
    static const long kept_after[] = {0, 1, 30, 111, 199};
    for (size_t i = 0; i < sizeof kept_after / sizeof *kept_after; i++) {
        built whole = built_start(&corner, "event-driven", 0.01, q, v);
        built other = built_start(&corner, "event-driven", 0.01, q, v);
        assert_goes_on(&whole, &other, kept_after[i], 200);
        built_free(&whole);
        built_free(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form),
        cmocka_unit_test(as_the_integrator),
        cmocka_unit_test(a_gap_that_jumps),
        cmocka_unit_test(goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
