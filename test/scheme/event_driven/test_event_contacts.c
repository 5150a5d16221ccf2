/* The event-driven scheme with several contacts and with contacts that last: corners, a block on supports,
 * curved and moving walls, a pipe in a guide. */
#include "table.h"

/* ---- corners ------------------------------------------------------------------------------------------- */

/* Plane with walls whose gap is n.q. */
static void walls_init(hand_model *hand, double restitution, double n1x, double n1y, double n2x, double n2y)
{
    const double normals[4] = {n1x, n1y, n2x, n2y};
    hand_init(hand, 2, 2);
    hand->gaps = planes_gap;
    hand->frame = planes_frame;
    memcpy(hand->data, normals, sizeof normals);
    for (int i = 0; i < 2; i++) {
        hand->info[i].has_restitution = true;
        hand->restitution[i] = restitution;
    }
}

static void orthogonal_corner(void **unused)
{
    (void)unused;
    const double q0[2] = {-1.0, 0.0}, v0[2] = {1.0, 0.0};
    for (int k = 0; k <= 2; k++) {
        hand_model hand;
        walls_init(&hand, 0.5 * k, -1.0, 0.0, 0.0, 1.0);
        carom_stepper *stepper = start_events(&hand, 0.25, q0, v0);
        hand_run(stepper, 8);
        assert_near(stepper->state.q[0], -0.5 * k, 1e-13);
        assert_near(stepper->state.q[1], 0.0, 1e-13);
        hand_free(stepper);
    }
}

typedef struct wedge_row {
    double restitution, eps, q[2];
} wedge_row;

static void obtuse_wedge(void **unused)
{
    (void)unused;
    const wedge_row rows[] = {
        {1.0, 0.05, {-0.77, 0.64}}, {1.0, -0.05, {-0.05, 1.0}},
        {1.0, 0.0, {0.0, 1.0}},     {0.5, 0.05, {-0.565, 0.23}},
        {0.5, -0.05, {-0.05, 0.5}}, {0.5, 0.0, {0.0, 0.5}},
        {0.0, 0.05, {-0.36, 0.0}},  {0.0, -0.05, {-0.05, 0.0}},
        {0.0, 0.0, {0.0, 0.0}},     {1.0, 1e-6, {-0.8 + 0.6e-6, 0.6 + 0.8e-6}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const double q0[2] = {rows[k].eps, 1.0}, v0[2] = {0.0, -1.0};
        hand_model hand;
        walls_init(&hand, rows[k].restitution, 0.0, 1.0, -1.0, 2.0);
        carom_stepper *stepper = start_events(&hand, 0.25, q0, v0);
        hand_run(stepper, 8);
        assert_near(stepper->state.q[0], rows[k].q[0], 1e-11);
        assert_near(stepper->state.q[1], rows[k].q[1], 1e-11);
        hand_free(stepper);
    }
}

/* A wedge of 60 degrees, elastic, along the direction of 10 degrees: into the apex the velocity is reversed,
 * past it on either side it comes back elsewhere. */
static void acute_wedge(void **unused)
{
    (void)unused;
    const double angle = PI / 3.0, c = cos(PI / 18.0), s = sin(PI / 18.0);
    const double apex[2] = {0.984808, 0.173648}, beside[2] = {0.642788, 0.766044};
    for (int side = -1; side <= 1; side++) {
        const double eps = 1e-7 * side;
        const double q0[2] = {c - eps * s, s + eps * c}, v0[2] = {-c, -s};
        hand_model hand;
        walls_init(&hand, 1.0, 0.0, 1.0, sin(angle), -cos(angle));
        carom_stepper *stepper = start_events(&hand, 0.5, q0, v0);
        hand_run(stepper, 4);
        for (int i = 0; i < 2; i++)
            assert_near(stepper->state.q[i], side == 0 ? apex[i] : beside[i], 1e-6);
        hand_free(stepper);
    }
}

/* In the apex of a wedge of one degree, an elastic velocity needs some 180 reflections. */
static void corner_that_does_not_close(void **unused)
{
    (void)unused;
    const double angle = PI / 180.0;
    const double q0[2] = {0.0, 0.0}, v0[2] = {-0.1, -1.0};
    hand_model hand;
    walls_init(&hand, 1.0, 0.0, 1.0, sin(angle), -cos(angle));
    carom_stepper *stepper = start_events(&hand, 0.5, q0, v0);
    carom_error error = {0};
    assert_true(stepper->warnings.count > 0); /* closing at the start */
    run_to_failure(stepper, 1, &error);
    assert_string_equal(stepper->end_word, "corner");
    assert_mentions(&error, "impact sequence at a corner did not close");
    hand_free(stepper);
}

/* ---- contacts that last -------------------------------------------------------------------------------- */

/* A block of mass 2 and moment of inertia 0.5 on supports at -1 and 1 (and 0): q = (height, angle). Its
 * weight 20 and a vertical force data[20] sin(t) at data[21]. */
static void block_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    for (int i = 0; i < hand->model.contacts; i++)
        gap[i] = q[0] + (i == 0 ? -1.0 : i == 1 ? 1.0 : 0.0) * q[1];
}

static void block_frame(const hand_model *hand, int contact, double t, const double *q,
                        carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    (void)q;
    frame->normal.value[0] = 1.0;
    frame->normal.value[1] = contact == 0 ? -1.0 : contact == 1 ? 1.0 : 0.0;
}

static void block_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)q;
    (void)u;
    force[0] = -20.0 + hand->data[20] * sin(t);
    force[1] = hand->data[20] * sin(t) * hand->data[21];
}

static void block_init(hand_model *hand, int supports)
{
    hand_init(hand, 2, supports);
    hand->mass[0] = 2.0;
    hand->mass[3] = 0.5;
    hand->force = block_force;
    hand->gaps = block_gap;
    hand->frame = block_frame;
}

static void block_on_two_supports(void **unused)
{
    (void)unused;
    const double rest[2] = {0.0, 0.0};
    hand_model hand;
    block_init(&hand, 2);
    hand.data[20] = 4.0;
    hand.data[21] = 0.5;
    carom_stepper *stepper = start_events(&hand, 0.5, rest, rest);
    hand_run(stepper, 2);
    /* forces 10 - 4 sin t (1 -+ 0.5) / 2, integrated from 0.5 to 1 */
    const double integral = cos(0.5) - cos(1.0);
    assert_near(stepper->state.impulse[0], 5.0 - integral, 5e-11);
    assert_near(stepper->state.impulse[3], 5.0 - 3.0 * integral, 5e-11);
    assert_near(stepper->state.q[0], 0.0, 1e-13);
    assert_near(stepper->state.q[1], 0.0, 1e-13);
    hand_free(stepper);
}

/* The load lifts one side: it detaches where 10 = 0.75 a sin t, and falls back after. */
static void block_tips(void **unused)
{
    (void)unused;
    const double rest[2] = {0.0, 0.0};
    hand_model hand;
    block_init(&hand, 2);
    hand.data[20] = 16.0;
    hand.data[21] = 0.5;
    carom_stepper *stepper = start_events(&hand, 0.1, rest, rest);
    double lowest = 0.0, highest = 0.0;
    for (int i = 0; i < 60; i++) {
        double gap[2];
        hand_step(stepper);
        block_gap(&hand, 0.0, stepper->state.q, gap);
        lowest = fmin(lowest, fmin(gap[0], gap[1]));
        highest = fmax(highest, gap[1]);
        if (i == 9)
            assert_near(inside(stepper)->last_detachment, asin(10.0 / 12.0), 1e-11);
    }
    assert_true(lowest > -1e-11);
    assert_true(highest > 0.1);
    assert_near(stepper->state.q[0], 0.0, 1e-11);
    assert_true(inside(stepper)->closed[0] && inside(stepper)->closed[1]);
    assert_near(stepper->state.impulse[0] + stepper->state.impulse[3], 2.0 - 16.0 * (cos(5.9) - cos(6.0)),
                1e-10);
    hand_free(stepper);
}

/* Dropped obliquely: both corners hit in turn; a third support makes one redundant. */
static void block_falls(void **unused)
{
    (void)unused;
    const double q0[2] = {1.0, 0.25}, v0[2] = {0.0, 0.0};
    for (int supports = 2; supports <= 3; supports++)
        for (int k = 0; k <= 1; k++) {
            hand_model hand;
            block_init(&hand, supports);
            for (int i = 0; i < supports; i++) {
                hand.info[i].has_restitution = true;
                hand.restitution[i] = 0.4 * k;
            }
            carom_stepper *stepper = start_on(&hand, 0.1, q0, v0);
            double impulse = 0.0, last = 0.0;
            for (int n = 0; n < 50; n++) {
                double gap[3];
                hand_step(stepper);
                last = 0.0;
                for (int i = 0; i < supports; i++)
                    last += stepper->state.impulse[3 * i];
                impulse += last;
                block_gap(&hand, 0.0, stepper->state.q, gap);
                for (int i = 0; i < supports; i++)
                    assert_true(gap[i] > -1e-10);
            }
            assert_near(last, 2.0, 1e-9);
            assert_near(impulse, 100.0, 1e-8);
            assert_near(stepper->state.q[0], 0.0, 1e-10);
            assert_near(stepper->state.q[1], 0.0, 1e-10);
            hand_free(stepper);
        }
}

/* A point on the outside of a circle of radius 1 leaves it at cos(angle) = 2/3 + v0^2 / (3 g). */
static void outside_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
}

static void outside_frame(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    frame->normal.value[0] = 2.0 * q[0];
    frame->normal.value[1] = 2.0 * q[1];
}

static void point_leaves_a_circle(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 1.0}, v0[2] = {1.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.force = constant_force;
    hand.data[17] = -9.81;
    hand.gaps = outside_gap;
    hand.frame = outside_frame;
    carom_stepper *stepper = start_events(&hand, 0.01, q0, v0);
    double gap = 0.0;
    while (inside(stepper)->last_detachment == 0.0 && stepper->state.t < 2.0) {
        hand_step(stepper);
        if (inside(stepper)->closed[0]) {
            outside_gap(&hand, 0.0, stepper->state.q, &gap);
            assert_near(gap, 0.0, 5e-11);
        }
    }
    /* back along the free flight to the point of detachment */
    const double s = stepper->state.t - inside(stepper)->last_detachment;
    const double height = stepper->state.q[1] - stepper->state.v[1] * s - 0.5 * 9.81 * s * s;
    assert_near(height, 2.0 / 3.0 + 1.0 / (3.0 * 9.81), 1e-10);
    hand_free(stepper);
}

static void ball_leaves_a_table(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, v0[1] = {3.0};
    hand_model hand;
    ball_init(&hand, 5.0, 0.5);
    hand.gaps = table_gap;
    hand.frame = table_frame;
    carom_stepper *stepper = start_events(&hand, 0.1, q0, v0);
    hand_step(stepper);
    assert_near(stepper->state.q[0], sin(0.3), 1e-12);
    assert_near(stepper->state.impulse[0], 0.5 + 3.0 * cos(0.3) - 3.0, 1e-11);
    hand_run(stepper, 1);
    const double leaves = asin(5.0 / 9.0) / 3.0;
    assert_near(inside(stepper)->last_detachment, leaves, 1e-11);
    hand_run(stepper, 2);
    const double s = 0.4 - leaves;
    assert_near(stepper->state.q[0], 5.0 / 9.0 + 3.0 * cos(3.0 * leaves) * s - 2.5 * s * s, 1e-10);
    hand_free(stepper);
}

/* The same table for a long time: hops, accumulations and rests alternate, and no hit is missed. */
static void slow_table_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    gap[0] = q[0] - 0.7 * sin(3.0 * t);
}

static void slow_table_frame(const hand_model *hand, int contact, double t, const double *q,
                             carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)q;
    frame->normal.value[0] = 1.0;
    frame->normal_rate = -2.1 * cos(3.0 * t);
}

static void ball_stays_above_a_table(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    for (int k = 0; k <= 10; k++) {
        hand_model hand;
        ball_init(&hand, 5.0, 0.1 * k);
        hand.gaps = slow_table_gap;
        hand.frame = slow_table_frame;
        carom_stepper *stepper = start_on(&hand, 0.02, q0, v0);
        for (int i = 0; i < 5000; i++) {
            double gap = 0.0;
            hand_step(stepper);
            slow_table_gap(&hand, stepper->state.t, stepper->state.q, &gap);
            assert_true(gap > -5e-11);
            assert_true(stepper->state.impulse[0] >= 0.0);
        }
        assert_true(inside(stepper)->impacts < 2000);
        hand_free(stepper);
    }
}

/* ---- a pipe in a guide --------------------------------------------------------------------------------- */

/* A clamped pipe of ten nodes, 0.1 m apart, shaken at node 3, between stops at -1 mm and 1 mm at node 6
 * (Paoli 2001, section 3c). Reference numbers: modal solution by an independent program. */
enum {
    PIPE_NODES = 10
};

static double pipe_stiffness(int i, int j)
{
    const double last[3][3] = {{1.0, -2.0, 1.0}, {-2.0, 5.0, -4.0}, {1.0, -4.0, 6.0}};
    const int a = PIPE_NODES - 1 - i, b = PIPE_NODES - 1 - j, apart = abs(i - j);
    if (a < 3 && b < 3)
        return last[a][b];
    return apart == 0 ? 6.0 : apart == 1 ? -4.0 : apart == 2 ? 1.0 : 0.0;
}

static void pipe_mass(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    (void)q;
    for (int i = 0; i < PIPE_NODES * PIPE_NODES; i++)
        mass[i] = i % (PIPE_NODES + 1) == 0 ? 1.0 : 0.0;
}

static void pipe_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)u;
    for (int i = 0; i < PIPE_NODES; i++) {
        force[i] = i == 2 ? 20.0 * sin(40.0 * PI * t) / (7800.0 * 1.256637061436e-4 * 0.1) : 0.0;
        for (int j = 0; j < PIPE_NODES; j++)
            force[i] -= 1294.8717948718e4 * pipe_stiffness(i, j) * q[j];
    }
}

static void pipe_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = q[5] + 1e-3;
    gap[1] = 1e-3 - q[5];
}

static void pipe_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    (void)q;
    for (int i = 0; i < PIPE_NODES; i++)
        frame->normal.value[i] = i != 5 ? 0.0 : contact == 0 ? 1.0 : -1.0;
}

static void pipe_init(hand_model *hand, double restitution)
{
    static char *nodes[PIPE_NODES] = {"u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9", "u10"};
    hand_init(hand, HAND_DOF_MAX, 2);
    hand->model.dof = PIPE_NODES;
    hand->model.coordinate = nodes;
    hand->variable_mass = pipe_mass;
    hand->force = pipe_force;
    hand->gaps = pipe_gap;
    hand->frame = pipe_frame;
    for (int i = 0; i < 2; i++) {
        hand->info[i].has_restitution = true;
        hand->restitution[i] = restitution;
    }
}

static void pipe_in_a_guide(void **unused)
{
    (void)unused;
    const double rest[PIPE_NODES] = {0};
    const double elastic[] = {0.048671327, 0.048921176, 0.049431971, 0.049578060, 0.049699524, 0.050581372};
    const double inelastic[] = {0.048671327, 0.048856440, 0.048956795, 0.049023316, 0.049063318, 0.049084813};
    hand_model hand;
    pipe_init(&hand, 1.0);
    carom_stepper *stepper = start_events(&hand, 1e-4, rest, rest);
    for (int i = 1; i <= 800; i++) {
        hand_step(stepper);
        const long impacts = inside(stepper)->impacts;
        if (impacts > 0 && impacts <= 6)
            assert_near(inside(stepper)->last_impact, elastic[impacts - 1], 6e-10);
        if (impacts == 2)
            assert_near(inside(stepper)->last_rate, -0.0866637, 6e-8);
        if (i == 500)
            assert_near(stepper->state.q[9], -2.2653227858e-3, 1e-12);
    }
    assert_int_equal(inside(stepper)->impacts, 17);
    hand_free(stepper);

    pipe_init(&hand, 0.5);
    stepper = start_events(&hand, 1e-5, rest, rest);
    carom_error error = {0};
    while (carom_stepper_step(stepper, &error) == CAROM_OK && stepper->state.t < 0.05) {
        const long impacts = inside(stepper)->impacts;
        if (impacts > 0 && impacts <= 6)
            assert_near(inside(stepper)->last_impact, inelastic[impacts - 1], 6e-10);
    }
    assert_string_equal(stepper->end_word, "zeno");
    assert_mentions(&error, "accumulate at t = 0.04910688");
    hand_free(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orthogonal_corner),     cmocka_unit_test(obtuse_wedge),
        cmocka_unit_test(acute_wedge),           cmocka_unit_test(corner_that_does_not_close),
        cmocka_unit_test(block_on_two_supports), cmocka_unit_test(block_tips),
        cmocka_unit_test(block_falls),           cmocka_unit_test(point_leaves_a_circle),
        cmocka_unit_test(ball_leaves_a_table),   cmocka_unit_test(ball_stays_above_a_table),
        cmocka_unit_test(pipe_in_a_guide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
