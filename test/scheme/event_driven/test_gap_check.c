/* Obstacles that one step of the integrator would pass. */
#include "event_driven_runs.h"

/* Thin walls at 1, 2, ..., data[0], of thickness data[1]: the gap falls again behind a wall, so that its rate has one
 * sign before the first and behind the last but one. */
static double nearest_wall(const hand_model *hand, double x)
{
    const double number = fmin(fmax(round(x), 1.0), hand->data[0]);
    return x - number;
}

static void walls_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    gap[0] = fabs(nearest_wall(hand, q[0])) - 0.5 * hand->data[1];
}

static void walls_frame(const hand_model *hand, int contact, double t, const double *q,
                        carom_contact_frame *frame)
{
    (void)contact, (void)t;
    frame->normal.value[0] = nearest_wall(hand, q[0]) < 0.0 ? -1.0 : 1.0;
}

static double end_of_flight(double from, double walls, double thickness, double speed, double h,
                            double points)
{
    const double q0[1] = {from}, v0[1] = {speed};
    hand_model hand;
    hand_init(&hand, 1, 1);
    hand.gaps = walls_gap;
    hand.frame = walls_frame;
    hand.info[0].has_restitution = true;
    hand.restitution[0] = 0.5;
    hand.data[0] = walls;
    hand.data[1] = thickness;
    carom_stepper *stepper =
        hand_start_with(scheme_named("event-driven"), &hand, 0.0, h, q0, v0, "gap_check", points);
    hand_run(stepper, (long)(1.0 / h + 0.5));
    const double end = stepper->state.q[0];
    hand_free(stepper);
    return end;
}

static void thin_walls(void **unused)
{
    (void)unused;
    const double steps[] = {0.01, 0.1, 1.0}, thick[] = {0.1, 1e-2, 1e-5};
    for (int walls = 1; walls <= 4; walls++)
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                const double face = 1.0 - 0.5 * thick[k];
                assert_near(end_of_flight(0.0, walls, thick[k], 100.0, steps[i], 2.0),
                            face - 50.0 * (1.0 - face / 100.0), 1e-9);
            }
}

/* Without it the first of two walls is not seen from some places far away, with long steps: the check is what finds it. */
static void off(void **unused)
{
    (void)unused;
    int missed = 0;
    for (int i = 0; i < 40; i++) {
        const double from = -20.0 - 0.5 * i, thickness = 1e-3, face = 1.0 - 0.5 * thickness;
        const double end = face - 50.0 * (1.0 - (face - from) / 100.0);
        assert_near(end_of_flight(from, 2.0, thickness, 100.0, 1.0, 2.0), end, 1e-9);
        missed += fabs(end_of_flight(from, 2.0, thickness, 100.0, 1.0, 0.0) - end) > 0.1;
    }
    assert_true(missed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thin_walls), cmocka_unit_test(off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
