/* Reference numbers: Moreau 1986, trials 5 to 8 (plates 6 to 10), and the wedge of section 8. */
#include "test/scheme/models.h"

/* ---- trial 5: the pendulum of trial 4, inelastic ------------------------------------------------ */

typedef struct pendulum_row {
    double angle[3], violation[3], energy[3]; /* at t = 0.1, 0.5, 1 */
    double mean, quadratic;
} pendulum_row;

static void check_pendulum(double av, double test, const pendulum_row *row)
{
    const double q0[2] = {0.0, -40.0}, u0[2] = {40.0 * sqrt(200.0), 0.0}, values[] = {av, test};
    const char *const names[] = {"av", "test", NULL};
    const int at[3] = {20, 100, 200};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.force = constant_force;
    hand.gaps = inside_ball_gap;
    hand.frame = inside_ball_frame;
    hand.data[8] = 40.0;
    hand.data[17] = -1000.0;
    carom_stepper *stepper = NULL;
    assert_int_equal(hand_try(scheme_named("inel"), &hand, 0.0, 0.005, q0, u0, names, values, &stepper, NULL),
                     CAROM_OK);
    const double kinetic0 = 0.5 * u0[0] * u0[0], energy0 = kinetic0 - 40000.0;
    double angle = 0.0, last = 0.0, sum = 0.0, squares = 0.0;
    for (int i = 1, k = 0; i <= 200; i++) {
        hand_step(stepper);
        const double *q = stepper->state.q, *u = stepper->state.v;
        double now = atan2(q[0], -q[1]);
        angle += remainder(now - last, 2.0 * PI);
        last = now;
        double violation = 1e6 * (hypot(q[0], q[1]) - 40.0) / 40.0;
        double energy = 0.5 * carom_dot(2, u, u) + 1000.0 * q[1];
        sum += fabs(violation);
        squares += violation * violation;
        if (i != at[k])
            continue;
        if (row->angle[k] != 0.0) {
            assert_near(angle, row->angle[k], 1.01e-5);
            assert_near(violation, row->violation[k], 1.01);
            assert_near((energy - energy0) / kinetic0, row->energy[k], 1.01e-4);
        }
        k++;
    }
    if (row->mean != 0.0) {
        assert_near(sum / 200.0, row->mean, 0.051);
        assert_near(sqrt(squares / 200.0), row->quadratic, 0.051);
    }
    hand_free(stepper);
}

static void trial_5(void **unused)
{
    (void)unused;
    const pendulum_row anticipated[5] = {
        {{1.31742, 5.09151, 9.47815}, {17092, 54462, 99125}, {-.0847, -.1651, -.3002}, 57034.8, 64249.8},
        {{1.32168, 5.18107, 9.63970}, {8532, 27779, 49944}, {-.0857, -.1714, -.3051}, 28823.3, 32484.3},
        {{1.32588, 5.27494, 9.82469}, {-64, 38, -106}, {-.0869, -.1783, -.3106}, 110.8, 129.5},
        {{1.32072, 5.16630, 9.58485}, {697, 1212, -504}, {-.1037, -.2018, -.3493}, 648.3, 805.8},
        {{1.31470, 5.06078, 9.37881}, {-2245, 387, -1611}, {-.1147, -.2194, -.3842}, 791.7, 923.7},
    };
    for (int i = 0; i < 5; i++)
        check_pendulum(0.1 * (i + 3), 0.0, &anticipated[i]);
    /* tested at the vertex: the same up to av = 0.5, different beyond */
    for (int i = 0; i < 3; i++)
        check_pendulum(0.1 * (i + 3), 1.0, &anticipated[i]);
    const pendulum_row at_vertex[2] = {
        {{0, 5.14656, 9.56870}, {0, 1780, -136}, {0, -.2016, -.3499}, 0, 0},
        {{0, 5.04205, 9.36478}, {0, 990, -960}, {0, -.2192, -.3847}, 0, 0},
    };
    for (int i = 0; i < 2; i++)
        check_pendulum(0.1 * (i + 6), 1.0, &at_vertex[i]);
}

/* ---- trial 6: vase with a rim, then the ground --------------------------------------------------- */

static void vase_gaps(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    double square = q[0] * q[0] + q[1] * q[1];
    gap[0] = q[2] < 45.0 && square < 900.0 ? 4.0 * q[2] * q[2] - 9.0 * square : 1.0;
    gap[1] = q[2];
}

static void vase_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    (void)hand;
    (void)t;
    frame->normal.value[0] = contact == 0 ? -18.0 * q[0] : 0.0;
    frame->normal.value[1] = contact == 0 ? -18.0 * q[1] : 0.0;
    frame->normal.value[2] = contact == 0 ? 8.0 * q[2] : 1.0;
}

static void check_vase(double av, double h, double x, double y, double z, double tolerance)
{
    const double q0[3] = {45.0, 25.0, 70.0}, u0[3] = {-170.0, -30.0, 60.0};
    hand_model hand;
    hand_init(&hand, 3, 2);
    hand.force = constant_force;
    hand.gaps = vase_gaps;
    hand.frame = vase_frame;
    hand.data[18] = -981.0;
    carom_stepper *stepper = hand_start_with(scheme_named("inel"), &hand, 0.0, h, q0, u0, "av", av);
    hand_run(stepper, lround(1.3 / h));
    const double *q = stepper->state.q;
    assert_near(q[0], x, tolerance);
    assert_near(q[1], y, tolerance);
    assert_near(q[2], z, tolerance);
    hand_free(stepper);
}

static void trial_6(void **unused)
{
    (void)unused;
    check_vase(0.5, 0.002, -29.3844, 68.2091, -0.0026, 1.0);
    check_vase(0.5, 0.0005, -13.6074, 84.4863, 0.0, 1e-2);
    check_vase(0.5, 0.0001, -11.6247, 87.4717, 0.0, 1e-2);
    check_vase(0.0, 0.002, -45.0655, 60.0597, -0.2944, 1.0);
}

/* ---- trial 7: inside a sphere --------------------------------------------------------------------- */

static carom_stepper *start_sphere(hand_model *hand, double av, double h)
{
    const double q0[3] = {-20.0, 10.0, -30.0}, u0[3] = {-250.0, 0.0, 300.0};
    hand_init(hand, 3, 1);
    hand->force = constant_force;
    hand->gaps = inside_ball_gap;
    hand->frame = inside_ball_frame;
    hand->data[8] = 45.0;
    hand->data[18] = -981.0;
    return hand_start_with(scheme_named("inel"), hand, 0.0, h, q0, u0, "av", av);
}

static void check_sphere(double h, const double q[3], const double maxima[2], double energy)
{
    hand_model hand;
    carom_stepper *stepper = start_sphere(&hand, 0.5, h);
    const carom_state *state = &stepper->state;
    double before = 0.0, last = 0.0;
    int found = 0;
    for (long i = 0; i < lround(2.5 / h); i++) {
        hand_step(stepper);
        if (state->t > 0.7 + 2.0 * h && last > before && last > state->q[2]) {
            assert_true(found < 2);
            assert_near(last, maxima[found++], 1e-4);
        }
        before = last;
        last = state->q[2];
    }
    assert_int_equal(found, 2);
    for (int i = 0; i < 3; i++)
        assert_near(state->q[i], q[i], 1e-4);
    assert_near(0.5 * carom_dot(3, state->v, state->v) + 981.0 * state->q[2], energy, 1e-2);
    hand_free(stepper);
}

static void trial_7(void **unused)
{
    (void)unused;
    check_sphere(.005, (double[]){7.7289, 33.3500, -29.2298}, (double[]){-1.9217, -5.3272}, -6871.06);
    check_sphere(.002, (double[]){4.6518, 32.3177, -30.9730}, (double[]){-0.0229, -1.5334}, -1433.21);
    check_sphere(.0005, (double[]){3.1732, 31.1234, -32.3463}, (double[]){1.1041, 0.7037}, 1838.76);
    check_sphere(.0001, (double[]){2.7902, 30.7226, -32.7621}, (double[]){1.3973, 1.3160}, 2755.07);
}

static void check_sphere_violation(double av, double h, double worst, double tolerance, const double *q)
{
    hand_model hand;
    carom_stepper *stepper = start_sphere(&hand, av, h);
    double found = 0.0;
    for (long i = 0; i < lround(2.5 / h); i++) {
        hand_step(stepper);
        found = fmax(found, sqrt(carom_dot(3, stepper->state.q, stepper->state.q)) - 45.0);
    }
    assert_near(found, worst, tolerance);
    for (int i = 0; q && i < 3; i++)
        assert_near(stepper->state.q[i], q[i], 1e-4);
    hand_free(stepper);
}

static void trial_7_anticipation_keeps_the_wall(void **unused)
{
    (void)unused;
    check_sphere_violation(0.0, .005, 5.19, 5e-3, (double[]){10.1032, 23.1475, -43.3720});
    check_sphere_violation(0.0, .002, 2.27, 5e-3, (double[]){6.4700, 27.8111, -37.6734});
    check_sphere_violation(0.5, .005, 0.064, 5e-4, NULL);
    check_sphere_violation(0.5, .002, 0.005, 5e-4, NULL);
}

/* ---- trial 8: a bar AB inside a circle; x, y, z = k theta, contact 0: A, contact 1: B -------------- */

enum {
    BAR_PLAIN,    /* scaled coordinates, A before B */
    BAR_RENUMBER, /* B before A */
    BAR_PHYSICAL, /* theta itself, moment of inertia k^2 */
};

static const double bar_k = 21.65;

static double bar_arm(const hand_model *hand, int contact)
{
    bool is_a = (contact == 0) != (hand->data[0] == BAR_RENUMBER);
    return is_a ? -37.5 : 12.5;
}

static double bar_scale(const hand_model *hand)
{
    return hand->data[0] == BAR_PHYSICAL ? 1.0 : bar_k;
}

static void bar_gaps(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    double c = cos(q[2] / bar_scale(hand)), s = sin(q[2] / bar_scale(hand));
    for (int a = 0; a < 2; a++) {
        double arm = bar_arm(hand, a);
        gap[a] = 2025.0 - (q[0] * q[0] + q[1] * q[1] + 2.0 * arm * (q[0] * c + q[1] * s) + arm * arm);
    }
}

static void bar_frame(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)t;
    double scale = bar_scale(hand), c = cos(q[2] / scale), s = sin(q[2] / scale);
    double arm = bar_arm(hand, contact);
    frame->normal.value[0] = -2.0 * (q[0] + arm * c);
    frame->normal.value[1] = -2.0 * (q[1] + arm * s);
    frame->normal.value[2] = -2.0 * arm / scale * (q[1] * c - q[0] * s);
}

static carom_stepper *start_bar(hand_model *hand, int kind, double h, double correction)
{
    hand_init(hand, 3, 2);
    hand->data[0] = kind;
    double scale = bar_scale(hand);
    const double q0[3] = {35.72, -16.7431, 4.59648 * scale}, u0[3] = {121.734, 260.301, 7.26448 * scale};
    hand->mass[8] = kind == BAR_PHYSICAL ? bar_k * bar_k : 1.0;
    hand->force = constant_force;
    hand->gaps = bar_gaps;
    hand->frame = bar_frame;
    hand->data[17] = -981.0;
    return hand_start_with(scheme_named("inel"), hand, 0.0, h, q0, u0, "correction", correction);
}

static void check_bar_state(double h, double correction, double x, double y, double theta, double tolerance)
{
    hand_model hand;
    carom_stepper *stepper = start_bar(&hand, BAR_PLAIN, h, correction);
    hand_run(stepper, lround(1.0 / h));
    assert_near(stepper->state.q[0], x, tolerance);
    assert_near(stepper->state.q[1], y, tolerance);
    assert_near(stepper->state.q[2] / bar_k, theta, tolerance / 10.0);
    hand_free(stepper);
}

static void trial_8_state(void **unused)
{
    (void)unused;
    check_bar_state(0.01, 1.0, 29.6485, -24.6999, 6.85490, 1e-4);
    check_bar_state(0.01, 0.0, 29.9473, -24.8205, 6.85453, 1e-4);
    check_bar_state(0.0001, 1.0, 12.3281, -3.3918, 8.08017, 1e-2);
}

/* When each end leaves the circle for good and when it hits it again. In between contacts may skip a step:
 * the anticipated gap of a step can be slightly positive. */
static void trial_8_contact_sequence(void **unused)
{
    (void)unused;
    hand_model hand;
    carom_stepper *stepper = start_bar(&hand, BAR_PLAIN, 0.01, 1.0);
    const double leaves[2] = {0.12, 0.22}, hits[2] = {0.58, 1.01};
    double last_before[2] = {0}, first_after[2] = {0};
    for (int i = 0; i < 120; i++) {
        hand_step(stepper);
        for (int a = 0; a < 2; a++) {
            bool carries = stepper->state.impulse[3 * a] > 0.0;
            assert_int_equal(stepper->state.regime[a], carries ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN);
            if (carries && stepper->state.t < 0.4)
                last_before[a] = stepper->state.t;
            if (carries && stepper->state.t > 0.4 && first_after[a] == 0.0)
                first_after[a] = stepper->state.t;
        }
    }
    for (int a = 0; a < 2; a++) {
        assert_near(last_before[a] + 0.01, leaves[a], 1e-9);
        assert_near(first_after[a], hits[a], 1e-9);
    }
    hand_free(stepper);
}

/* Neither the numbering of contacts, nor masses instead of scaled coordinates, change the motion. */
static void trial_8_invariance(void **unused)
{
    (void)unused;
    hand_model plain, renumbered, physical;
    carom_stepper *a = start_bar(&plain, BAR_PLAIN, 0.01, 1.0);
    carom_stepper *b = start_bar(&renumbered, BAR_RENUMBER, 0.01, 1.0);
    carom_stepper *c = start_bar(&physical, BAR_PHYSICAL, 0.01, 1.0);
    for (int step = 0; step < 100; step++) {
        hand_step(a);
        hand_step(b);
        hand_step(c);
        assert_near(a->state.impulse[0], b->state.impulse[3], 1e-8);
        assert_near(a->state.impulse[3], c->state.impulse[3], 1e-8);
        for (int i = 0; i < 3; i++) {
            double scale = i == 2 ? bar_k : 1.0;
            assert_near(b->state.q[i], a->state.q[i], 1e-8);
            assert_near(scale * c->state.q[i], a->state.q[i], 1e-8);
        }
    }
    hand_free(a);
    hand_free(b);
    hand_free(c);
}

/* ---- properties ------------------------------------------------------------------------------------- */

/* Walls q2 >= 0 and q1 cos th + q2 sin th <= 0, arrival at the corner with (w,0). */
static void wedge(void **unused)
{
    (void)unused;
    const double w = 2.0, angles[3] = {-1.0, -0.3, 0.5};
    const double expected[3][2] = {{1.41614684, 0.90929743}, {0.17466439, 0.56464247}, {0.0, 0.0}};
    for (int solver = 0; solver < 4; solver++)
        for (int k = 0; k < 3; k++) {
            const double q0[2] = {0.0, 0.0}, u0[2] = {w, 0.0}, th = angles[k];
            hand_model hand;
            hand_init(&hand, 2, 2);
            hand.gaps = planes_gap;
            hand.frame = planes_frame;
            hand.data[1] = 1.0;
            hand.data[2] = -cos(th);
            hand.data[3] = -sin(th);
            carom_stepper *stepper =
                hand_start_with(scheme_named("inel"), &hand, 0.0, 1e-3, q0, u0, "solver", solver);
            hand_step(stepper);
            assert_near(stepper->state.v[0], expected[k][0], 1e-8);
            assert_near(stepper->state.v[1], expected[k][1], 1e-8);
            hand_free(stepper);
        }
}

/* Without force the speed falls by cos(eps) per step along a curved wall, eps the turning angle. */
static void dissipation_along_a_curved_wall(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, -1.0}, u0[2] = {1.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = inside_ball_gap;
    hand.frame = inside_ball_frame;
    hand.data[8] = 1.0;
    carom_stepper *stepper = hand_start(scheme_named("inel"), &hand, 0.0, 0.1, q0, u0);
    const double *u = stepper->state.v;
    int turned = 0;
    for (int step = 0; step < 50; step++) {
        const double before[2] = {u[0], u[1]};
        hand_step(stepper);
        if (stepper->state.regime[0] == CAROM_CONTACT_OPEN)
            continue;
        double angle = atan2(before[0] * u[1] - before[1] * u[0], carom_dot(2, before, u));
        assert_near(hypot(u[0], u[1]), hypot(before[0], before[1]) * cos(angle), 1e-15);
        turned++;
    }
    assert_true(turned > 45);
    hand_free(stepper);
}

/* A point inside six random half-spaces through nearly one point: energy never grows, impulses are pushes,
 * and all solvers agree. */
static void energy_never_grows_without_force(void **unused)
{
    (void)unused;
    carom_random random = {7};
    for (int trial = 0; trial < 50; trial++) {
        double last_v[4][3];
        double normal[18], u0[3], mass[3];
        const double q0[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 18; i++)
            normal[i] = carom_random_uniform(&random, -1.0, 1.0);
        for (int i = 0; i < 3; i++) {
            u0[i] = carom_random_uniform(&random, -1.0, 1.0);
            mass[i] = carom_random_uniform(&random, 0.1, 3.0);
        }
        for (int solver = 0; solver < 4; solver++) {
            hand_model hand;
            hand_init(&hand, 3, 6);
            memcpy(hand.data, normal, sizeof normal);
            hand.gaps = planes_gap;
            hand.frame = planes_frame;
            double before = 0.0;
            for (int i = 0; i < 3; i++) {
                hand.mass[4 * i] = mass[i];
                before += 0.5 * mass[i] * u0[i] * u0[i];
            }
            carom_stepper *stepper =
                hand_start_with(scheme_named("inel"), &hand, 0.0, 0.01, q0, u0, "solver", solver);
            for (int step = 0; step < 5; step++) {
                hand_step(stepper);
                double after = 0.0;
                for (int i = 0; i < 3; i++)
                    after += 0.5 * mass[i] * stepper->state.v[i] * stepper->state.v[i];
                assert_true(after <= before * (1.0 + 1e-14) + 1e-25);
                before = after;
                for (int a = 0; a < 6; a++)
                    assert_true(stepper->state.impulse[3 * a] >= 0.0);
            }
            memcpy(last_v[solver], stepper->state.v, sizeof last_v[solver]);
            hand_free(stepper);
        }
        for (int i = 0; i < 3; i++)
            for (int solver = 1; solver < 4; solver++)
                assert_near(last_v[0][i], last_v[solver][i], 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trial_5),
        cmocka_unit_test(trial_6),
        cmocka_unit_test(trial_7),
        cmocka_unit_test(trial_7_anticipation_keeps_the_wall),
        cmocka_unit_test(trial_8_state),
        cmocka_unit_test(trial_8_contact_sequence),
        cmocka_unit_test(trial_8_invariance),
        cmocka_unit_test(wedge),
        cmocka_unit_test(dissipation_along_a_curved_wall),
        cmocka_unit_test(energy_never_grows_without_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
