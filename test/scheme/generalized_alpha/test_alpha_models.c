/* Generalized-alpha on other models: joints that move in time, mass matrices of position, many joints,
 * friction, masses of any size; and what it refuses. */
#include "alpha_runs.h"

static carom_status fail_to_start(const char *text, const double *q0, const double *v0,
                                  const char *const *options, carom_error *error)
{
    alpha_run run = alpha_load(text);
    const carom_status status = alpha_try(&run, 1e-3, q0, v0, options, error);
    alpha_free(&run);
    return status;
}

/* ---- motions of one coordinate that is known otherwise ---------------------------------------------- */

typedef double acceleration(double t, double s, double w);

static void runge_kutta(acceleration *f, double end, int steps, double *s, double *w)
{
    const double h = end / steps;
    for (int i = 0; i < steps; i++) {
        const double t = i * h;
        const double v1 = *w, a1 = f(t, *s, v1);
        const double v2 = *w + h / 2 * a1, a2 = f(t + h / 2, *s + h / 2 * v1, v2);
        const double v3 = *w + h / 2 * a2, a3 = f(t + h / 2, *s + h / 2 * v2, v3);
        const double v4 = *w + h * a3, a4 = f(t + h, *s + h * v3, v4);
        *s += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        *w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

/* Error of a coordinate after time 1 and the joints' residuals on three levels on the way. */
static double error_after(const char *text, int steps, const double *q0, const double *v0, int coordinate,
                          double exact)
{
    const char *const options[] = {"tol=1e-12", NULL};
    alpha_run run = alpha_start_run(text, 1.0 / steps, q0, v0, options);
    for (int i = 0; i < steps; i++) {
        hand_step(run.stepper);
        assert_true(with_joints(inside(&run), inside(&run)->g) < 1e-12);
        assert_true(with_joints(inside(&run), inside(&run)->rate) < 1e-10);
        assert_true(with_joints(inside(&run), inside(&run)->curvature) < 1e-10);
    }
    const double error = run.stepper->state.q[coordinate] - exact;
    alpha_free(&run);
    return fabs(error);
}

static void expect_order_two(const char *text, const double *q0, const double *v0, int coordinate,
                             double exact)
{
    const double coarse = error_after(text, 250, q0, v0, coordinate, exact);
    const double fine = error_after(text, 500, q0, v0, coordinate, exact);
    assert_true(fine < 1e-3);
    assert_near(log2(coarse / fine), 2.0, 0.1);
}

/* Pivot at X = 0.1 sin(5 t): 1.1 theta'' = X'' sin(theta) - 10 cos(theta). */
static double on_moving_pivot(double t, double theta, double w)
{
    (void)w;
    return (-2.5 * sin(5 * t) * sin(theta) - 10 * cos(theta)) / 1.1;
}

static void joints_may_move_in_time(void **state)
{
    (void)state;
    static const char text[] = "local x, y, th = coordinates('x', 'y', 'th')\n"
                               "kinetic((dot(x)^2 + dot(y)^2 + 0.1 * dot(th)^2) / 2)\n"
                               "potential(10 * y)\n"
                               "joint { 'pin_x', x - cos(th) - 0.1 * sin(5 * time()) }\n"
                               "joint { 'pin_y', y - sin(th) }\n";
    const double q0[] = {1.0, 0.0, 0.0}, v0[] = {0.5, 0.0, 0.0}; /* X' = 0.5 */
    double theta = 0.0, w = 0.0;
    runge_kutta(on_moving_pivot, 1.0, 4000, &theta, &w);
    expect_order_two(text, q0, v0, THETA, theta);
}

/* A double pendulum with masses 1, lengths 1, gravity 10 and b = 2 a: one coordinate a with the inertia
 * I = 6 + 4 cos(a) and the potential -20 cos(a) - 10 cos(2 a). */
static double of_coupled_pendulum(double t, double a, double w)
{
    (void)t;
    return -(20 * sin(a) + 20 * sin(2 * a) - 2 * sin(a) * w * w) / (6 + 4 * cos(a));
}

static void mass_may_depend_on_position(void **state)
{
    (void)state;
    static const char text[] = "local a, b = coordinates('a', 'b')\n"
                               "kinetic(dot(a)^2 + dot(b)^2 / 2 + cos(a - b) * dot(a) * dot(b))\n"
                               "potential(-20 * cos(a) - 10 * cos(b))\n"
                               "joint { 'gear', b - 2 * a }\n";
    const double q0[] = {0.9, 1.8}, v0[] = {0.5, 1.0};
    double a = 0.9, w = 0.5;
    runge_kutta(of_coupled_pendulum, 1.0, 4000, &a, &w);
    expect_order_two(text, q0, v0, 0, a);
}

/* ---- many joints ------------------------------------------------------------------------------------ */

/* Twenty masses on rods around a free hub, in space without forces: too wide for a band. */
static void star_keeps_its_momentum(void **state)
{
    (void)state;
    enum {
        ARMS = 20
    };
    static const char text[] =
        "local name = {}\n"
        "for i = 0, 20 do name[2 * i + 1], name[2 * i + 2] = 'x' .. i, 'y' .. i end\n"
        "local q = { coordinates(table.unpack(name)) }\n"
        "for i = 1, 42 do kinetic(dot(q[i])^2 / 2) end\n"
        "for i = 1, 20 do\n"
        "  joint { 'rod' .. i, ((q[2 * i + 1] - q[1])^2 + (q[2 * i + 2] - q[2])^2 - 1) / 2 }\n"
        "end\n";
    double q0[2 * ARMS + 2] = {0}, v0[2 * ARMS + 2] = {0}, momentum[2] = {0}, now[2] = {0};
    for (int i = 1; i <= ARMS; i++) {
        q0[2 * i] = cos(i), q0[2 * i + 1] = sin(i);
        v0[2 * i] = -i * sin(i) / 5, v0[2 * i + 1] = i * cos(i) / 5;
    }
    const char *const options[] = {"tol=1e-12", NULL};
    alpha_run run = alpha_start_run(text, 2e-3, q0, v0, options);
    assert_false(inside(&run)->plain.narrow);
    const double energy = alpha_energy(&run);
    for (int i = 0; i < 100; i++) {
        hand_step(run.stepper);
        assert_true(with_joints(inside(&run), inside(&run)->g) < 1e-12);
        assert_true(with_joints(inside(&run), inside(&run)->curvature) < 1e-9);
    }
    for (int i = 0; i <= ARMS; i++)
        for (int k = 0; k < 2; k++) {
            momentum[k] += v0[2 * i + k];
            now[k] += run.stepper->state.v[2 * i + k];
        }
    assert_near(now[0], momentum[0], 1e-10);
    assert_near(now[1], momentum[1], 1e-10);
    assert_near(alpha_energy(&run), energy, 1e-4 * energy);
    alpha_free(&run);
}

/* ---- contacts --------------------------------------------------------------------------------------- */

static const char block_text[] =
    "local x, y = coordinates('x', 'y')\n"
    "kinetic((dot(x)^2 + dot(y)^2) / 2)\npotential(10 * y)\n"
    "contact { 'floor', gap = y, slip = dot(x), restitution = 0.5, friction = 0.3 }\n";

/* v0^2 / (2 mu g) = 2/3, and friction mu m g while it slides. */
static void block_slides_to_rest(void **state)
{
    (void)state;
    const double q0[] = {0.0, 0.0}, v0[] = {2.0, 0.0};
    alpha_run run = alpha_start_run(block_text, 1e-3, q0, v0, NULL);
    const carom_state *now = &run.stepper->state;
    assert_near(inside(&run)->multiplier[0], 10.0, 1e-12); /* the floor carries the block from the start */
    assert_int_equal(now->regime[0], CAROM_CONTACT_SLIP);
    hand_run(run.stepper, 100);
    assert_near(now->v[0], 2.0 - 0.3, 1e-9);
    assert_near(now->impulse[0], 1e-2, 1e-11);
    assert_near(now->impulse[1], -3e-3, 1e-11);
    assert_int_equal(now->regime[0], CAROM_CONTACT_SLIP);
    hand_run(run.stepper, 900);
    assert_near(now->q[0], 2.0 / 3, 1.1e-3); /* first order: the force acts on the position a step later */
    assert_near(now->v[0], 0.0, 1e-12);
    assert_int_equal(now->regime[0], CAROM_CONTACT_STICK);
    assert_true(fabs(now->q[1]) < 1e-12);
    alpha_free(&run);
}

/* Two blocks on a rod: the joint shares the friction of the one that has it. */
static void joints_and_friction_act_together(void **state)
{
    (void)state;
    static const char text[] =
        "local x, y, z, w = coordinates('x', 'y', 'z', 'w')\n"
        "kinetic((dot(x)^2 + dot(y)^2 + dot(z)^2 + dot(w)^2) / 2)\npotential(10 * (y + w))\n"
        "joint { 'rod', z - x - 1 }\n"
        "contact { 'rough', gap = y, slip = dot(x), friction = 0.3 }\n"
        "contact { 'smooth', gap = w }\n";
    const double q0[] = {0.0, 0.0, 1.0, 0.0}, v0[] = {2.0, 0.0, 2.0, 0.0};
    alpha_run run = alpha_start_run(text, 1e-3, q0, v0, NULL);
    hand_run(run.stepper, 200);
    const carom_state *now = &run.stepper->state;
    assert_near(now->v[0], 2.0 - 0.3, 1e-9); /* 3 N on 2 kg for 0.2 s */
    assert_near(now->v[2], now->v[0], 1e-12);
    assert_near(now->q[2] - now->q[0], 1.0, 1e-13);
    assert_near(now->impulse[3], 1e-2, 1e-11);
    assert_near(now->impulse[4], 0.0, 0.0);
    alpha_free(&run);
}

/* The friction of an impact is 0.3 times its normal impulse: 0.3 (1 + e) |v| less speed. */
static void impacts_rub(void **state)
{
    (void)state;
    const double q0[] = {0.0, 1.0}, v0[] = {5.0, 0.0};
    alpha_run run = alpha_start_run(block_text, 1e-3, q0, v0, NULL);
    const carom_state *now = &run.stepper->state;
    hand_run(run.stepper, 448);
    assert_near(now->v[1], 2.235, 1e-9); /* as the ball */
    assert_near(now->impulse[0], 6.715, 1e-9);
    assert_near(now->v[0], 5.0 - 0.3 * 6.715, 1e-9);
    alpha_free(&run);
}

static const char ball_text[] = "local m = param { 'm', %g }\nlocal z = coordinates('z')\n"
                                "kinetic(m * dot(z)^2 / 2)\npotential(10 * m * z)\n"
                                "contact { 'floor', gap = z, restitution = 0.5 }\n";

static void mass_has_no_unit(void **state)
{
    (void)state;
    const double q0 = 1.0, v0 = 0.0;
    static const double masses[] = {1e-12, 1e12};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text, ball_text, masses[i]);
        alpha_run run = alpha_start_run(text, 1e-3, &q0, &v0, NULL);
        hand_run(run.stepper, 600);
        assert_near(run.stepper->state.q[0], 0.2249433539, 6e-11); /* section 10.3 */
        assert_near(run.stepper->state.v[0], 0.7199074074, 6e-11);
        alpha_free(&run);
    }
}

/* ---- what is refused -------------------------------------------------------------------------------- */

static void bad_input_is_named(void **state)
{
    (void)state;
    static const char ball[] = "local z = coordinates('z')\nkinetic(dot(z)^2 / 2)\npotential(10 * z)\n"
                               "contact { 'floor', gap = z, restitution = 1 + z }\n";
    const double below = -0.1, on = 0.0, above = 1.0, still = 0.0, down = -2.0;
    const char *const only_joints[] = {"constraints=p", NULL};
    carom_error error = {0};
    assert_int_equal(fail_to_start(ball, &below, &still, NULL, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "'floor' is penetrated at the start (gap -0.1)");
    assert_int_equal(fail_to_start(ball, &on, &down, NULL, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "closing (gap rate -2)");
    assert_int_equal(fail_to_start(ball, &above, &still, only_joints, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "constraints=p treats joints only");
    assert_int_equal(fail_to_start(ball, &above, &still, NULL, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "restitution 2 is not in [0, 1]");
    double value = 0.0;
    assert_int_equal(carom_scheme_parse_option(scheme_named("generalized-alpha"), 0, "1.2", &value, &error),
                     CAROM_BAD_INPUT);
    assert_mentions(&error, "rho_inf");
    hand_model hand;
    hand_init(&hand, 1, 0);
    assert_int_equal(scheme_named("generalized-alpha")->accepts(&hand.model, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "derivatives");
}

static void failed_steps_leave_the_state(void **state)
{
    (void)state;
    const char *const options[] = {"iterations=1", "tol=1e-15", "strategy=1", "rho_inf=0.9", NULL};
    alpha_run run = pendulum_run(bouncing_text, 0.05, PI / 12, -3.0, options);
    carom_error error = {0};
    carom_state *now = &run.stepper->state;
    const double q = now->q[THETA], v = now->v[THETA], t = now->t;
    assert_int_equal(carom_stepper_step(run.stepper, &error), CAROM_FAILED);
    assert_mentions(&error, "t = 0.05, step 1: no solution in 1 iterations: the residual is");
    assert_mentions(&error, "contacts that act:");
    assert_true(now->q[THETA] == q && now->v[THETA] == v && now->t == t);
    assert_int_equal(run.stepper->counts.steps, 0);
    alpha_free(&run);
}

static void forces_must_be_finite(void **state)
{
    (void)state;
    static const char text[] = "local z = coordinates('z')\nkinetic(dot(z)^2 / 2)\n"
                               "force { z = -1 / sqrt(z) }\n";
    const double q0 = 0.01, v0 = -1.0;
    alpha_run run = alpha_start_run(text, 0.02, &q0, &v0, NULL);
    carom_error error = {0};
    carom_status status = CAROM_OK;
    for (int i = 0; i < 10 && status == CAROM_OK; i++)
        status = carom_stepper_step(run.stepper, &error);
    assert_int_equal(status, CAROM_FAILED);
    assert_mentions(&error, "'z'");
    alpha_free(&run);
}

/* A block on three feet, one too many, falls and comes to rest: the feet share its weight. */
static void contacts_may_depend_on_each_other(void **state)
{
    (void)state;
    static const char text[] = "local y, tilt = coordinates('y', 'tilt')\n"
                               "kinetic((dot(y)^2 + dot(tilt)^2) / 2)\npotential(10 * y)\n"
                               "contact { 'left', gap = y - tilt, restitution = 0.5 }\n"
                               "contact { 'middle', gap = y, restitution = 0.5 }\n"
                               "contact { 'right', gap = y + tilt, restitution = 0.5 }\n";
    const double q0[] = {1.0, 0.0}, v0[] = {0.0, 0.0};
    const char *const options[] = {"gate=1", NULL};
    alpha_run run = alpha_start_run(text, 1e-3, q0, v0, options);
    const carom_state *now = &run.stepper->state;
    hand_run(run.stepper, 600);
    assert_near(now->q[0], 0.2242, 1e-9); /* as the ball of section 10.3 */
    assert_near(now->q[1], 0.0, 1e-9);
    hand_run(run.stepper, 1400);
    assert_near(now->q[0], 0.0, 1e-12);
    assert_near(now->impulse[0] + now->impulse[3] + now->impulse[6], 1e-2, 1e-11);
    assert_true(now->impulse[0] > 0.0 && now->impulse[3] > 0.0 && now->impulse[6] > 0.0);
    alpha_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_may_move_in_time),
        cmocka_unit_test(mass_may_depend_on_position),
        cmocka_unit_test(star_keeps_its_momentum),
        cmocka_unit_test(block_slides_to_rest),
        cmocka_unit_test(joints_and_friction_act_together),
        cmocka_unit_test(impacts_rub),
        cmocka_unit_test(mass_has_no_unit),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(failed_steps_leave_the_state),
        cmocka_unit_test(forces_must_be_finite),
        cmocka_unit_test(contacts_may_depend_on_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
