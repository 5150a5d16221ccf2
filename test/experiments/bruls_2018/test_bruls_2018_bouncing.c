/* bruls-2018/ball and bouncing-pendulum. Expected: independent prototype of the discrete equations; exact
 * values are closed forms and Runge-Kutta of order 8 with events. */
#include "test/experiments/trial.h"

typedef struct bounces {
    trial_request request;
    double times[6]; /* of the first impacts, 0: not compared */
    double closed_from;
    double theta, w, energy;
    double gain; /* largest rise of energy in a step */
} bounces;

static double largest_gain(const trial *run)
{
    double gain = 0.0;
    for (size_t i = 1; i < output_count(run); i++)
        gain = fmax(gain, energy_of(run, output(run, i)) - energy_of(run, output(run, i - 1)));
    return gain;
}

static void check_times(const trial *run, const double *times, int count, double closed_from)
{
    for (int i = 0; i < count; i++)
        assert_near(measured_value(run, "impact_times", i), times[i], 1e-9);
    assert_near(measured_value(run, "closed_from", 0), closed_from, 1e-9);
}

/* ---- bouncing pendulum, h = 1e-3, rho_inf = 0.9, e = 0.8 ----------------------------------------------- */

#define BOUNCING .experiment = "bruls-2018/bouncing-pendulum"

static const bounces table[] = {
    {{BOUNCING},
     {.487, 1.284, 1.956, 2.524, 3.001, 3.397},
     5.085,
     -0.14620349,
     -1.03766227,
     -0.864623,
     3.21e-2},
    {{BOUNCING, .variant = "gate"},
     {.487, 1.282, 1.950, 2.512, 2.981, 3.369},
     4.933,
     -0.15030354,
     -1.04479021,
     -0.897010,
     5.6e-7},
    {{BOUNCING, .set = {{"strategy", 2}}},
     {.487, 1.282, 1.950, 2.512, 2.981, 3.369},
     4.933,
     -0.15030354,
     -1.04479021,
     -0.897010,
     5.6e-7},
    {{BOUNCING, .set = {{"strategy", 1}}},
     {.487, 1.281, 1.949, 2.511, 2.980, 3.368},
     4.932,
     -0.15430630,
     -1.05225886,
     -0.927960,
     5.4e-7},
    {{BOUNCING, .variant = "pvv"},
     {.487, 1.282, 1.950, 2.512, 2.981, 3.369},
     4.933,
     -0.15031238,
     -1.04480555,
     -0.897080,
     1.3e-4},
    {{BOUNCING, .scheme = "moreau-jean", .option = {{"joints", "end"}}},
     {.487, 1.281, 1.950, 2.515, 2.988, 3.380},
     5.026,
     -0.15321416,
     -1.05146223,
     -0.918091,
     6e-7},
    {{BOUNCING, .scheme = "moreau-jean", .option = {{"theta", "1"}}},
     {.486, 1.280, 1.949, 2.514, 2.987, 3.379},
     5.059,
     -0.14971871,
     -1.06091000,
     -0.863626,
     4e-5},
};

static void impacts_come_when_the_prototype_has_them(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        const bounces *row = &table[k];
        trial run = trial_run(&row->request);
        check_times(&run, row->times, 6, row->closed_from);
        assert_near(measured_value(&run, "theta_1", 0), row->theta, 6e-9);
        assert_near(measured_value(&run, "w_1", 0), row->w, 6e-9);
        assert_near(measured_value(&run, "energy_1", 0), row->energy, 6e-7);
        assert_near(largest_gain(&run), row->gain, 0.06 * row->gain);
        trial_free(&run);
    }
}

/* Joints and contact at the end: generalized-alpha at rest at the wall, moreau-jean with its drift. */
static void the_end_is_at_rest(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){BOUNCING});
    assert_near(measured_value(&run, "force_end", 0), 10.0, 1e-8); /* statics */
    assert_true(measured_value(&run, "drift", 0) < 1e-12);
    assert_true(measured_value(&run, "drift_rate", 0) < 1e-12);
    assert_true(measured_value(&run, "deepest", 0) > -1e-12);
    assert_near(measured_value(&run, "energy_end", 0), -10 * sqrt(0.5), 1e-9);
    const double *before = output(&run, 486), *after = output(&run, 487);
    assert_near(position(&run, before, 2), -0.78493281, 6e-9);
    assert_near(velocity(&run, before, 2), -4.19001562, 6e-9);
    assert_near(position(&run, after, 2), -0.7853981634, 6e-11);
    assert_near(velocity(&run, after, 2), 3.35045225, 6e-9);
    trial_free(&run);
    static const double drift_end[] = {3.53e-7, 4.18e-3}, deepest[] = {-6.54e-4, -7.41e-4},
                        force[] = {9.99997842, 10.1192};
    for (int k = 0; k < 2; k++) {
        run = trial_run(&(trial_request){BOUNCING, .scheme = "moreau-jean",
                                         .option = {{"theta", k == 0 ? "0.5" : "1"}, {"joints", "end"}}});
        assert_near(measured_value(&run, "drift_end", 0), drift_end[k], 5e-3 * drift_end[k]);
        assert_near(measured_value(&run, "deepest", 0), deepest[k], 6e-7);
        assert_near(measured_value(&run, "force_end", 0), force[k], k == 0 ? 6e-9 : 6e-5);
        trial_free(&run);
    }
}

/* Towards the exact motion, errors within a few h = 1e-4: impacts 0.486110443, 1.281225257; state at t = 1
 * (-0.15023911, -1.05106266). */
static void small_steps_come_to_the_exact_motion(void **state)
{
    (void)state;
    static const char *const schemes[] = {"generalized-alpha", "moreau-jean"};
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){BOUNCING, .scheme = schemes[k], .h = 1e-4, .until = 1.3});
        assert_near(measured_value(&run, "impact_times", 0), 0.486110443, 1e-4);
        assert_near(measured_value(&run, "impact_times", 1), 1.281225257, 3e-4);
        assert_near(measured_value(&run, "theta_1", 0), -0.15023911, 5e-4);
        assert_near(measured_value(&run, "w_1", 0), -1.05106266, 2e-3);
        trial_free(&run);
    }
}

/* ---- ball, h = 1e-3, rho_inf = 0.8 ------------------------------------------------------------------ */

#define BALL .experiment = "bruls-2018/ball"

static void a_ball_bounces_as_in_the_prototype(void **state)
{
    (void)state;
    static const struct {
        trial_request request;
        double q, v, times[4], closed_from;
    } cases[] = {
        {{BALL}, 0.2249433539, 0.7199074074, {.448, .896, 1.120, 1.232}, 1.343},
        {{BALL, .variant = "gate"}, 0.2242, 0.715, {.448, .895, 1.118, 1.229}, 1.333},
        {{BALL, .scheme = "moreau-jean"}, 0.2240375, 0.715, {.448}, 1.340},
        {{BALL, .scheme = "moreau-jean", .option = {{"theta", "1"}}}, 0.224395, 0.715, {.448}, 1.351},
        {{BALL, .variant = "lively"}, 0.4287753539, 2.0609074074, {.448, 1.165, 1.739, 2.198}, 4.047},
        {{BALL, .variant = "gate", .set = {{"e", 0.8}}}, 0.428032, 2.056, {.448, 1.164, 1.736, 2.193}, 3.953},
        {{BALL, .variant = "lively", .scheme = "moreau-jean"}, 0.42854, 2.056, {.448}, 4.017},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        trial run = trial_run(&cases[k].request);
        assert_near(measured_value(&run, "q", 0), cases[k].q, 6e-11);
        assert_near(measured_value(&run, "v", 0), cases[k].v, 6e-11);
        check_times(&run, cases[k].times, cases[k].times[1] > 0 ? 4 : 1, cases[k].closed_from);
        assert_near(measured_value(&run, "impulse_sum", 0), 50.0, 1e-9); /* m g T: the ball is at rest */
        trial_free(&run);
    }
}

/* The gain of velocity after an impact of the published scheme, and none with the gate. */
static void the_gate_removes_the_gain_of_energy(void **state)
{
    (void)state;
    trial plain = trial_run(&(trial_request){BALL, .until = 0.6});
    trial gated = trial_run(&(trial_request){BALL, .variant = "gate", .until = 0.6});
    assert_near(measured_value(&plain, "v", 0) - measured_value(&gated, "v", 0), 4.907407e-3, 6e-10);
    assert_true(largest_gain(&plain) > 1e-3);
    assert_true(largest_gain(&gated) < 1e-9);
    trial_free(&plain);
    trial_free(&gated);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_come_when_the_prototype_has_them),
        cmocka_unit_test(the_end_is_at_rest),
        cmocka_unit_test(small_steps_come_to_the_exact_motion),
        cmocka_unit_test(a_ball_bounces_as_in_the_prototype),
        cmocka_unit_test(the_gate_removes_the_gain_of_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
