/* For the tests of the impact schemes: the examples they share and their closed forms. */
#ifndef CAROM_TEST_SCHEME_VIBRO_IMPACT_VIBRO_IMPACT_H
#define CAROM_TEST_SCHEME_VIBRO_IMPACT_VIBRO_IMPACT_H

#include "test/scheme/models.h"

/* All contacts of a model get the restitution e. */
static inline void set_restitution(hand_model *hand, double e)
{
    for (int i = 0; i < hand->model.contacts; i++) {
        hand->info[i].has_restitution = true;
        hand->restitution[i] = e;
    }
}

/* Starts a scheme with up to two options; NULL: none. */
static inline carom_stepper *start_with(const carom_scheme_ops *scheme, hand_model *hand, double t0, double h,
                                        const double *q0, const double *v0, const char *option, double value)
{
    return option ? hand_start_with(scheme, hand, t0, h, q0, v0, option, value)
                  : hand_start(scheme, hand, t0, h, q0, v0);
}

/* ---- ball on the half-line q >= 0, M = 1, force -g ---------------------------------------------- */

static inline void ball(hand_model *hand, double gravity, double e)
{
    hand_init(hand, 1, 1);
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->force = constant_force;
    hand->data[16] = -gravity;
    set_restitution(hand, e);
    hand->info[0].constant_rows = hand->info[0].constant_frame = true;
    hand->model.constant_force = true;
}

/* Exact position of the ball that starts at q0 = 1 with velocity 0. */
static inline double bouncing_ball(double gravity, double e, double t)
{
    double speed = sqrt(2.0 * gravity), impact = speed / gravity;
    if (t <= impact)
        return 1.0 - 0.5 * gravity * t * t;
    for (int i = 0; i < 200; i++) {
        speed *= e;
        const double flight = 2.0 * speed / gravity, since = t - impact;
        if (since <= flight)
            return since * (speed - 0.5 * gravity * since);
        impact += flight;
    }
    return 0.0;
}

/* Runs the ball from (1, 0) on [0, 2] in `steps` steps; the largest error and the lowest position. */
static inline double ball_error(const carom_scheme_ops *scheme, double e, long steps, const char *option,
                                double value, double *lowest)
{
    const double q0 = 1.0, v0 = 0.0, h = 2.0 / (double)steps;
    hand_model hand;
    ball(&hand, 9.81, e);
    carom_stepper *stepper = start_with(scheme, &hand, 0.0, h, &q0, &v0, option, value);
    double worst = 0.0;
    *lowest = q0;
    for (long i = 1; i <= steps; i++) {
        hand_step(stepper);
        worst = fmax(worst, fabs(stepper->state.q[0] - bouncing_ball(9.81, e, (double)i * h)));
        *lowest = fmin(*lowest, stepper->state.q[0]);
    }
    hand_free(stepper);
    return worst;
}

/* Least-squares slope of -log2(error) over N = 200 2^k, k = 0..8; checks the errors known for even k. */
static inline double ball_slope(const carom_scheme_ops *scheme, double e, const double known[5])
{
    double sum = 0.0, lowest = 0.0;
    for (int k = 0; k <= 8; k++) {
        const double error = ball_error(scheme, e, 200L << k, NULL, 0.0, &lowest);
        if (k % 2 == 0)
            assert_near(error, known[k / 2], 0.005 * known[k / 2] + 1e-20);
        sum += (k - 4) * log2(error);
    }
    return -sum / 60.0;
}

/* ---- wedge: gaps y and x sin(angle) - y cos(angle), or planes given by their normals ------------- */

static inline void planes(hand_model *hand, double e, const double first[2], const double second[2])
{
    hand_init(hand, 2, 2);
    hand->gaps = planes_gap;
    hand->frame = planes_frame;
    memcpy(hand->data, first, 2 * sizeof *first);
    memcpy(hand->data + 2, second, 2 * sizeof *second);
    set_restitution(hand, e);
}

/* Final position of a free flight in the planes after [0, 2]. */
static inline void fly(const carom_scheme_ops *scheme, hand_model *hand, const double q0[2],
                       const double v0[2], long steps, double q[2])
{
    carom_stepper *stepper = hand_start(scheme, hand, 0.0, 2.0 / (double)steps, q0, v0);
    hand_run(stepper, steps);
    memcpy(q, stepper->state.q, 2 * sizeof *q);
    hand_free(stepper);
}

/* Distance of the final positions of two flights along the bisector of a wedge, displaced by +-eps. */
static inline double wedge_jump(const carom_scheme_ops *scheme, double degrees, double e, double eps,
                                long steps)
{
    const double angle = degrees * PI / 180.0, c = cos(0.5 * angle), s = sin(0.5 * angle);
    const double first[2] = {0.0, 1.0}, second[2] = {sin(angle), -cos(angle)}, v0[2] = {-c, -s};
    double end[2][2];
    for (int side = 0; side < 2; side++) {
        const double shift = side == 0 ? eps : -eps;
        const double q0[2] = {c - shift * s, s + shift * c};
        hand_model hand;
        planes(&hand, e, first, second);
        fly(scheme, &hand, q0, v0, steps, end[side]);
    }
    return hypot(end[0][0] - end[1][0], end[0][1] - end[1][1]);
}

/* ---- double pendulum, unit masses and rods, whose tip meets the wall at x = -0.3 ------------------ */

static inline void pendulum_mass(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    mass[0] = 2.0;
    mass[1] = mass[2] = cos(q[0] - q[1]);
    mass[3] = 1.0;
}

static inline void pendulum_force(const hand_model *hand, double t, const double *q, const double *u,
                                  double *force)
{
    (void)hand;
    (void)t;
    const double s = sin(q[0] - q[1]);
    force[0] = -s * u[1] * u[1] - 2.0 * 9.81 * sin(q[0]);
    force[1] = s * u[0] * u[0] - 9.81 * sin(q[1]);
}

static inline void pendulum_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = -0.3 - sin(q[0]) - sin(q[1]);
}

static inline void pendulum_frame(const hand_model *hand, int contact, double t, const double *q,
                                  carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    frame->normal.value[0] = -cos(q[0]);
    frame->normal.value[1] = -cos(q[1]);
}

static inline void pendulum(hand_model *hand, double e)
{
    hand_init(hand, 2, 1);
    hand->model.constant_mass = false;
    hand->variable_mass = pendulum_mass;
    hand->force = pendulum_force;
    hand->gaps = pendulum_gap;
    hand->frame = pendulum_frame;
    set_restitution(hand, e);
}

static const double pendulum_q0[2] = {-0.9, -0.6}, pendulum_v0[2] = {0.0, 0.0};

/* Final position after [0, 2] with 2000 steps against the expected one; the smallest gap. */
static inline double check_pendulum(const carom_scheme_ops *scheme, double e, const char *option,
                                    double value, double th1, double th2)
{
    hand_model hand;
    pendulum(&hand, e);
    carom_stepper *stepper = start_with(scheme, &hand, 0.0, 1e-3, pendulum_q0, pendulum_v0, option, value);
    double lowest = 1.0;
    for (int i = 0; i < 2000; i++) {
        double gap = 0.0;
        hand_step(stepper);
        pendulum_gap(&hand, 0.0, stepper->state.q, &gap);
        lowest = fmin(lowest, gap);
    }
    assert_near(stepper->state.t, 2.0, 1e-12);
    assert_near(stepper->state.q[0], th1, 2e-7);
    assert_near(stepper->state.q[1], th2, 2e-7);
    hand_free(stepper);
    return lowest;
}

/* ---- a force with two solutions from (0, 0) ------------------------------------------------------- */

static inline double bounce_time(int n)
{
    return 8.0 / 3.0 / (n + 1) - 11.0 / 6.0 / (n + 2) + 1.0 / 6.0 / (n + 3);
}

static inline void two_solutions_force(const hand_model *hand, double t, const double *q, const double *u,
                                       double *force)
{
    (void)hand;
    (void)q;
    (void)u;
    force[0] = 0.0;
    double factorial = 1.0;
    int n = 0;
    while (n < 100 && t < bounce_time(n + 1)) {
        n++;
        factorial *= n;
    }
    const double pause = (n + 5.0) / ((n + 1.0) * (n + 2.0) * (n + 4.0));
    const double from = bounce_time(n + 1) + pause, x = (t - from) / (bounce_time(n) - from);
    if (x > 0.0 && x < 1.0)
        force[0] = -exp(1.0 / (x * (x - 1.0))) / 7.029858406610e-3 / (2.0 * factorial);
}

/* q(1.5) of the elastic ball under that force, started at t0 with velocity v0. */
static inline double two_solutions(const carom_scheme_ops *scheme, double t0, double v0, long steps)
{
    const double q0 = 0.0;
    hand_model hand;
    ball(&hand, 0.0, 1.0);
    hand.model.constant_force = false;
    hand.force = two_solutions_force;
    carom_stepper *stepper = hand_start(scheme, &hand, t0, (1.5 - t0) / (double)steps, &q0, &v0);
    hand_run(stepper, steps);
    const double q = stepper->state.q[0];
    hand_free(stepper);
    return q;
}

/* ---- a force that blows up: f = u^2 ---------------------------------------------------------------- */

static inline void square_of_velocity(const hand_model *hand, double t, const double *q, const double *u,
                                      double *force)
{
    (void)hand;
    (void)t;
    (void)q;
    force[0] = u[0] * u[0];
}

/* Runs past the blow-up at t = 0.5: the step fails with the word, and the state stays finite. */
static inline void check_blowup(const carom_scheme_ops *scheme)
{
    const double q0 = 1.0, v0 = 2.0;
    hand_model hand;
    ball(&hand, 0.0, 0.5);
    hand.model.constant_force = false;
    hand.force = square_of_velocity;
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 1e-3, &q0, &v0);
    carom_error error = {0};
    carom_status status = CAROM_OK;
    for (int i = 0; i < 1000 && status == CAROM_OK; i++)
        status = scheme->step(stepper, &error);
    assert_int_equal(status, CAROM_FAILED);
    assert_string_equal(stepper->end_word, "blowup");
    assert_mentions(&error, "blows up");
    assert_true(isfinite(stepper->state.q[0]) && fabs(stepper->state.v[0]) <= 1e12);
    assert_true(stepper->state.t > 0.5 && stepper->state.t < 0.55);
    hand_free(stepper);
}

/* A force at the end of the step without a fixed point: u = 2 + 0.13 u^2 has no solution. */
static inline void check_divergence(const carom_scheme_ops *scheme, const char *option, double value)
{
    const double q0 = 1.0, v0 = 2.0;
    hand_model hand;
    ball(&hand, 0.0, 0.5);
    hand.model.constant_force = false;
    hand.force = square_of_velocity;
    carom_stepper *stepper = hand_start_with(scheme, &hand, 0.0, 0.13, &q0, &v0, option, value);
    carom_error error = {0};
    carom_status status = scheme->step(stepper, &error);
    if (status == CAROM_OK) /* the first step of paoli-schatzman has no such force */
        status = scheme->step(stepper, &error);
    assert_int_equal(status, CAROM_FAILED);
    assert_mentions(&error, "diverged");
    assert_mentions(&error, "reduce h");
    assert_near(stepper->state.v[0], 2.0, 1e-14);
    hand_free(stepper);
}

/* ---- an obstacle that moves ------------------------------------------------------------------------ */

static inline void moving_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    gap[0] = q[0] - hand->data[0] * t;
}

static inline void moving_frame(const hand_model *hand, int contact, double t, const double *q,
                                carom_contact_frame *frame)
{
    (void)contact;
    (void)t;
    (void)q;
    frame->normal.value[0] = 1.0;
    frame->normal_rate = -hand->data[0];
}

/* A floor that moves with constant speed makes the same motion as one at rest, seen from beside it. */
static inline void check_moving_floor(const carom_scheme_ops *scheme, double e)
{
    const double speed = 0.7, q0 = 1.0, at_rest = 0.0, h = 1.0 / 300.0;
    hand_model rest, moving;
    ball(&rest, 9.81, e);
    ball(&moving, 9.81, e);
    moving.gaps = moving_gap;
    moving.frame = moving_frame;
    moving.data[0] = speed;
    moving.info[0].constant_frame = false;
    carom_stepper *a = hand_start(scheme, &rest, 0.0, h, &q0, &at_rest);
    carom_stepper *b = hand_start(scheme, &moving, 0.0, h, &q0, &speed);
    for (int i = 0; i < 600; i++) {
        hand_step(a);
        hand_step(b);
        assert_near(b->state.q[0] - speed * b->state.t, a->state.q[0], 1e-11);
        assert_near(b->state.impulse[0], a->state.impulse[0], 1e-8);
    }
    hand_free(a);
    hand_free(b);
}

/* ---- what both schemes refuse or tell --------------------------------------------------------------- */

static inline void check_refusals(const carom_scheme_ops *scheme)
{
    const double q0[2] = {0.0, 1.0}, v0[2] = {0.0, 0.0};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    hand_friction(&hand, 0, 1, -1.0, 0.3);
    assert_int_equal(hand_try(scheme, &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "friction");
    hand.coefficient[0][0] = 0.0;
    set_restitution(&hand, 1.5);
    assert_int_equal(hand_try(scheme, &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "restitution e=1.5 must lie in [0,1]");
    set_restitution(&hand, 0.5);
    hand.mass[3] = -1.0;
    assert_int_equal(hand_try(scheme, &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "not positive definite");
    assert_null(stepper);
}

/* Closed and closing at the start: the run starts after the impact. */
static inline void check_initial_impact(const carom_scheme_ops *scheme)
{
    const double q0 = 0.0, v0 = -2.0;
    hand_model hand;
    ball(&hand, 0.0, 0.5);
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.1, &q0, &v0);
    assert_near(stepper->state.v[0], 1.0, 0.0);
    assert_int_equal(stepper->warnings.count, 1);
    assert_non_null(strstr(stepper->warnings.text[0], "'one' is closed at the start"));
    hand_run(stepper, 10);
    assert_near(stepper->state.q[0], 1.0, 1e-14);
    hand_free(stepper);
}

/* Warnings of a flight from (0.6, 0.3) straight into the corner of two planes. */
static inline carom_warnings corner_warnings(const carom_scheme_ops *scheme, double e, const double first[2],
                                             const double second[2])
{
    const double q0[2] = {0.6, 0.3}, v0[2] = {-0.6, -0.3};
    hand_model hand;
    planes(&hand, e, first, second);
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.15, q0, v0);
    hand_run(stepper, 30);
    const carom_warnings warnings = stepper->warnings;
    hand_free(stepper);
    return warnings;
}

/* A corner that violates the angle condition is told once: gradients must be orthogonal, or have a negative
 * product when e = 0. */
static inline void check_angle_warning(const carom_scheme_ops *scheme)
{
    const double flat[2] = {0.0, 1.0}, obtuse[2] = {1.0, 2.0}, wall[2] = {1.0, 0.0}, acute[2] = {1.0, -1.0};
    carom_warnings warnings = corner_warnings(scheme, 1.0, flat, obtuse);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.text[0], "corner at t="));
    assert_non_null(strstr(warnings.text[0], "violates the angle condition (g1.M^-1.g2=2, e=1): outcome may "
                                             "depend discontinuously on data and step"));
    assert_int_equal(corner_warnings(scheme, 0.0, flat, obtuse).count, 1);
    assert_int_equal(corner_warnings(scheme, 0.5, flat, acute).count, 1);
    assert_int_equal(corner_warnings(scheme, 0.0, flat, acute).count, 0);
    assert_int_equal(corner_warnings(scheme, 0.5, flat, wall).count, 0);
    assert_int_equal(corner_warnings(scheme, 0.0, flat, wall).count, 0);
}

#endif
