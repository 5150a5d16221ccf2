/* Walls that move, and several walls at once. */
#include "test/scheme/models.h"

static void wall_that_comes_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    gap[0] = q[0] - 3.0 * t;
}

static void wall_that_comes_frame(const hand_model *hand, int contact, double t, const double *q,
                                  carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    (void)q;
    frame->normal.value[0] = 1.0;
    frame->normal_rate = -3.0;
}

/* A wall moving at speed 3 reflects a body at speed -1 to 7: the relative speed changes sign. */
static void moving_wall(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, u0[1] = {-1.0};
    hand_model hand;
    hand_init(&hand, 1, 1);
    hand.mass[0] = 5.0;
    hand.gaps = wall_that_comes_gap;
    hand.frame = wall_that_comes_frame;
    carom_stepper *stepper = hand_start(scheme_named("elast"), &hand, 0.0, 0.01, q0, u0);
    double impulse = 0.0;
    for (int i = 0; i < 100; i++) {
        hand_step(stepper);
        impulse += stepper->state.impulse[0];
    }
    assert_near(stepper->state.v[0], 7.0, 1e-15);
    assert_near(impulse, 5.0 * 8.0, 1e-14);
    hand_free(stepper);
}

/* A corner of two walls with normals in data; the walls are orthogonal or not. */
static carom_stepper *into_corner(hand_model *hand, double x, double y)
{
    const double q0[2] = {0.01, 0.01}, u0[2] = {-1.0, -2.0};
    hand_init(hand, 2, 2);
    hand->gaps = planes_gap;
    hand->frame = planes_frame;
    hand->data[0] = 1.0;
    hand->data[2] = x;
    hand->data[3] = y;
    return hand_start(scheme_named("elast"), hand, 0.0, 0.1, q0, u0);
}

static void orthogonal_walls_reflect_both(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = into_corner(&hand, 0.0, 1.0);
    hand_run(stepper, 1);
    assert_near(stepper->state.v[0], 1.0, 0.0);
    assert_near(stepper->state.v[1], 2.0, 0.0);
    hand_free(stepper);
}

static void oblique_walls_are_refused(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = into_corner(&hand, 0.6, 0.8);
    carom_error error = {0};
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    const char *const words[] = {"one", "two", "orthogonal", "inel", "moreau-jean", "step 1"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_mentions(&error, words[i]);
    /* the state is the last good one */
    assert_near(stepper->state.t, 0.0, 0.0);
    assert_near(stepper->state.q[0], 0.01, 0.0);
    assert_near(stepper->state.v[1], -2.0, 0.0);
    assert_int_equal(stepper->counts.steps, 0);
    hand_free(stepper);
}

/* A body that leaves one oblique wall while it hits the other: no conflict, one reflection. */
static void separating_wall_does_not_matter(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, -0.2}, u0[2] = {0.5, -1.0};
    hand_model hand;
    hand_init(&hand, 2, 2);
    hand.gaps = planes_gap;
    hand.frame = planes_frame;
    hand.data[1] = 1.0; /* floor */
    hand.data[2] = 0.8; /* 0.8 x + 0.6 y: hit before the floor is */
    hand.data[3] = 0.6;
    carom_stepper *stepper = hand_start(scheme_named("elast"), &hand, 0.0, 0.01, q0, u0);
    carom_error error = {0};
    /* both approach: 0.8 0.5 - 0.6 < 0 */
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    hand_free(stepper);
    const double sideways[2] = {2.0, -1.0};
    stepper = hand_start(scheme_named("elast"), &hand, 0.0, 0.01, q0, sideways);
    hand_step(stepper);
    assert_near(stepper->state.v[0], 2.0, 0.0);
    assert_near(stepper->state.v[1], 1.0, 0.0);
    assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_SLIP);
    assert_int_equal(stepper->state.regime[1], CAROM_CONTACT_OPEN);
    hand_free(stepper);
}

/* Three balls in a row, the first one hits the second, which touches the third. */
static void row_gaps(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = q[1] - q[0];
    gap[1] = q[2] - q[1];
}

static void row_frame(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    (void)q;
    for (int i = 0; i < 3; i++)
        frame->normal.value[i] = i == contact ? -1.0 : i == contact + 1 ? 1.0 : 0.0;
}

/* The reflection of the first contact would drive the second ball into the third. */
static void pushed_neighbour_is_refused(void **unused)
{
    (void)unused;
    const double q0[3] = {0.0, 0.0, 0.0}, u0[3] = {1.0, 0.0, 0.0};
    hand_model hand;
    hand_init(&hand, 3, 2);
    hand.gaps = row_gaps;
    hand.frame = row_frame;
    carom_stepper *stepper = hand_start(scheme_named("billiard"), &hand, 0.0, 0.1, q0, u0);
    carom_error error = {0};
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    assert_mentions(&error, "billiard");
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_wall),
        cmocka_unit_test(orthogonal_walls_reflect_both),
        cmocka_unit_test(oblique_walls_are_refused),
        cmocka_unit_test(separating_wall_does_not_matter),
        cmocka_unit_test(pushed_neighbour_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
