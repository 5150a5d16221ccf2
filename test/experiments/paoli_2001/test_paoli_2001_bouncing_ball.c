/* The bouncing ball: closed forms of the schemes without gravity, values and orders with it. */
#include "test/experiments/trial.h"

#define BALL "paoli-2001/bouncing-ball"
#define PS "paoli-schatzman"
#define VS "sweeping"

static const double gravity = 9.81;

static double height(const trial *run, size_t index)
{
    return position(run, output(run, index), 0);
}

/* ---- without gravity: start at 1 with velocity -1 ------------------------------------------------- */

static trial run_free(const char *scheme, double e, double h, double until)
{
    return trial_run(&(trial_request){
        .experiment = BALL, .variant = "free", .scheme = scheme, .set = {{"e", e}}, .h = h, .until = until});
}

static void published_stairs_of_step_015(void **state)
{
    (void)state;
    static const struct {
        double e;
        const char *scheme;
        double from_7[7];
    } stairs[] = {
        {0, PS, {0, 0, 0, 0, 0, 0, 0}},
        {0, VS, {-.05, -.05, -.05, -.05, -.05, -.05, -.05}},
        {0.3, PS, {-.05, -.03, .015, .06, .105, .15, .195}},
        {0.3, VS, {-.05, -.005, .04, .085, .13, .175, .22}},
        {0.3, "event-driven", {.015, .06, .105, .15, .195, .24, .285}},
        {0.5, PS, {-.05, -.05, .025, .1, .175, .25, .325}},
        {0.5, VS, {-.05, .025, .1, .175, .25, .325, .4}},
        {1, PS, {-.05, -.1, .05, .2, .35, .5, .65}},
        {1, VS, {-.05, .1, .25, .4, .55, .7, .85}},
    };
    for (size_t k = 0; k < sizeof stairs / sizeof *stairs; k++) {
        trial run = run_free(stairs[k].scheme, stairs[k].e, 0.15, 1.95);
        assert_int_equal(output_count(&run), 14);
        for (size_t i = 0; i < 7; i++) {
            assert_near(height(&run, i), 1 - 0.15 * (double)i, 1e-13);
            assert_near(height(&run, i + 7), stairs[k].from_7[i], 1e-13);
        }
        trial_free(&run);
    }
}

static const double restitutions[] = {0, 0.05, 0.1, 0.2, 0.3, 0.5, 1};
enum {
    RESTITUTIONS = sizeof restitutions / sizeof *restitutions
};

static void position_level_scheme_is_two_steps_late(void **state)
{
    (void)state;
    static const double steps[] = {0.15, 0.1, 0.0625, 0.031};
    for (size_t k = 0; k < RESTITUTIONS * 4; k++) {
        double e = restitutions[k / 4], h = steps[k % 4];
        trial run = run_free(PS, e, h, 3);
        double last_free = 1 + floor((1 - (1 - e) * h / (1 + e)) / h + 1e-9);
        int negative = 0;
        for (size_t i = 0; i < output_count(&run); i++) {
            double t = (double)i * h;
            negative += height(&run, i) < -1e-14;
            assert_true(height(&run, i) >= -2 * e * h / (1 + e) - 1e-13);
            if ((double)i > last_free)
                assert_near(height(&run, i), e * (t - 1 - 2 * h), 1e-13);
        }
        assert_true(negative <= 2);
        trial_free(&run);
    }
}

/* Steps for which 1/h is no whole number, or that are dyadic: the touch is not decided by rounding. */
static void velocity_level_scheme_reflects_at_once(void **state)
{
    (void)state;
    static const double steps[] = {0.15, 0.125, 0.0625, 0.031};
    for (size_t k = 0; k < RESTITUTIONS * 4; k++) {
        double e = restitutions[k / 4], h = steps[k % 4];
        trial run = run_free(VS, e, h, 6);
        double touch = h * ceil(1 / h);
        int negative = 0;
        for (size_t i = 0; i < output_count(&run); i++) {
            double t = (double)i * h;
            negative += height(&run, i) < -1e-14;
            if (t > touch - h / 2)
                assert_near(height(&run, i), e * (t - 1) + (1 + e) * (1 - touch), 1e-13);
        }
        if (e > 0)
            assert_true(negative <= (int)ceil(1 / e - 1e-9));
        trial_free(&run);
    }
}

static void exact_record_without_gravity(void **state)
{
    (void)state;
    for (int k = 0; k < RESTITUTIONS; k++) {
        trial run = run_free("event-driven", restitutions[k], 0.15, 3);
        assert_true(measured_value(&run, "error", 0) < 1e-13);
        assert_int_equal(measured(&run, "zeno_time")->count, 0);
        trial_free(&run);
    }
}

/* ---- with gravity: dropped from 1 ----------------------------------------------------------------- */

static trial run_dropped(const char *scheme, double e, long steps, carom_override option)
{
    return trial_run(&(trial_request){.experiment = BALL,
                                      .scheme = scheme,
                                      .set = {{"e", e}, {"flights", 20}},
                                      .option = {option},
                                      .h = 2.0 / (double)steps,
                                      .until = 2});
}

static const carom_override no_option = {0};

static void published_values_of_3200_steps(void **state)
{
    (void)state;
    static const struct {
        double e;
        const char *scheme;
        double q[4], tolerance;
    } values[] = {
        {.3, PS, {5.138155430e-2, 0, 0, 0}, 1e-8},
        {.3, VS, {5.252720781e-2, -7.894160e-7, -7.894160e-7, -7.894160e-7}, 1e-8},
        {.3, "event-driven", {5.289049675e-2, 0, 0, 0}, 1e-11},
        {.5, PS, {9.291678321e-2, 6.024260252e-2, 0, 0}, 1e-8},
        {.5, VS, {9.513479688e-2, 6.120216016e-2, -5.631256e-7, -5.631256e-7}, 1e-8},
        {.5, "event-driven", {9.583518855e-2, 6.125556566e-2, 0, 0}, 1e-11},
        {1, PS, {1.967548554945e-1, 9.524314180123e-1, 5.352589140509e-1, 8.188292265580e-1}, 1e-8},
        {1, VS, {2.016537695312e-1, 9.542647070313e-1, 5.390258007812e-1, 8.164648632813e-1}, 1e-8},
        {1,
         "event-driven",
         {2.031969180700e-1, 9.538938361400e-1, 5.404315084201e-1, 8.155753445602e-1},
         1e-11},
        {0, PS, {0, 0, 0, 0}, 1e-40},
        {0, VS, {-1.7165234375e-4, -1.7165234375e-4, -1.7165234375e-4, -1.7165234375e-4}, 1e-8},
    };
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        trial run = run_dropped(values[k].scheme, values[k].e, 3200, no_option);
        for (int i = 0; i < 4; i++)
            assert_near(measured_value(&run, "q", i), values[k].q[i], values[k].tolerance);
        trial_free(&run);
    }
}

static void lowest_positions_of_3200_steps(void **state)
{
    (void)state;
    static const double e[] = {.3, .5, 1};
    static const double of_ps[] = {-7.785e-4, -1.2975e-3, -2.5951e-3};
    static const double of_vs[] = {-1.7165e-4, -3.4601e-4, -1.7165e-4};
    for (int k = 0; k < 3; k++) {
        trial ps = run_dropped(PS, e[k], 3200, no_option), vs = run_dropped(VS, e[k], 3200, no_option);
        assert_near(measured_value(&ps, "lowest", 0), of_ps[k], 5e-8);
        assert_near(measured_value(&vs, "lowest", 0), of_vs[k], 5e-9);
        trial_free(&ps);
        trial_free(&vs);
    }
}

/* An impact is where the velocity changes sign between two ends of a single output interval. */
static void event_driven_finds_the_exact_impact_times(void **state)
{
    (void)state;
    static const double impacts[] = {0.451523640986, 0.903047281971, 1.128809102464,
                                     1.241690012711, 1.298130467834, 1.326350695396};
    for (int i = 0; i < 6; i++)
        for (int side = -1; side <= 1; side += 2) {
            double t = impacts[i] + side * 2e-12;
            trial run =
                trial_run(&(trial_request){.experiment = BALL, .scheme = "event-driven", .h = t, .until = t});
            double expected = side * sqrt(2 * gravity) * pow(0.5, i + (side > 0));
            assert_near(velocity(&run, output(&run, 1), 0), expected, 1e-9);
            trial_free(&run);
        }
}

enum {
    COARSE_STEPS = 200,
    REFINEMENTS = 5 /* by 4 */
};

static double slope(const double *error)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (int i = 0; i < REFINEMENTS; i++) {
        double x = -i * log(4), y = log(error[i]);
        sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
    }
    return (REFINEMENTS * sum_xy - sum_x * sum_y) / (REFINEMENTS * sum_xx - sum_x * sum_x);
}

static void errors_are_of_first_order(void **state)
{
    (void)state;
    static const struct {
        double e;
        const char *scheme;
        double error[REFINEMENTS], slope_min;
    } studies[] = {
        {0, PS, {2.21e-2, 5.52e-3, 1.38e-3, 3.46e-4, 8.65e-5}, 0.97},
        {.3, PS, {3.15e-2, 8.24e-3, 2.07e-3, 5.19e-4, 1.30e-4}, 0.97},
        {.5, PS, {5.37e-2, 1.38e-2, 3.46e-3, 8.65e-4, 2.16e-4}, 0.97},
        {1, PS, {1.66e-1, 6.63e-2, 7.60e-3, 3.80e-3, 7.75e-4}, 0.9},
        {0, VS, {2.21e-2, 9.88e-3, 1.38e-3, 5.18e-4, 8.65e-5}, 0.7},
        {.3, VS, {2.62e-2, 1.44e-2, 1.38e-3, 7.77e-4, 1.37e-4}, 0.7},
        {.5, VS, {3.38e-2, 1.75e-2, 1.38e-3, 9.50e-4, 1.72e-4}, 0.7},
        {1, VS, {8.25e-2, 4.47e-2, 2.07e-3, 2.42e-3, 4.29e-4}, 0.7},
    };
    for (size_t k = 0; k < sizeof studies / sizeof *studies; k++) {
        double error[REFINEMENTS];
        long steps = COARSE_STEPS;
        for (int i = 0; i < REFINEMENTS; i++, steps *= 4) {
            trial run = run_dropped(studies[k].scheme, studies[k].e, steps, no_option);
            error[i] = measured_value(&run, "error", 0);
            assert_near(error[i], studies[k].error[i], 0.006 * studies[k].error[i]);
            trial_free(&run);
        }
        assert_true(slope(error) > studies[k].slope_min && slope(error) < 1.2);
    }
}

static void second_order_start_is_exact_without_rebound(void **state)
{
    (void)state;
    trial run = run_dropped(PS, 0, 1600, (carom_override){"start", "taylor2"});
    assert_true(measured_value(&run, "error", 0) < 5e-3); /* the step in which it lands */
    for (size_t i = 0; i < output_count(&run); i++) {
        double t = output(&run, i)[0], exact = 1 - gravity * t * t / 2;
        assert_near(height(&run, i), exact > 0 ? exact : 0, 1e-11);
    }
    trial_free(&run);
}

static void stabilised_positions_stay_above_the_floor(void **state)
{
    (void)state;
    static const double e[] = {0, .5};
    static const double errors[][4] = {{1.10e-2, 2.77e-3, 6.92e-4, 1.73e-4},
                                       {1.51e-2, 4.31e-3, 1.55e-3, 5.18e-4}};
    for (int k = 0; k < 2; k++) {
        long steps = 400;
        for (int i = 0; i < 4; i++, steps *= 4) {
            trial run = run_dropped(VS, e[k], steps, (carom_override){"stabilise", "on"});
            assert_near(measured_value(&run, "error", 0), errors[k][i], 0.006 * errors[k][i]);
            assert_true(measured_value(&run, "lowest", 0) >= -1e-15);
            trial_free(&run);
        }
    }
}

static void free_flight_is_half_a_step_of_gravity_off(void **state)
{
    (void)state;
    static const struct {
        const char *kick;
        double sign;
    } starts[] = {{"off", 1}, {"on", -1}};
    for (int k = 0; k < 2; k++) {
        trial run = run_dropped(VS, 0.5, 400, (carom_override){"kick", (char *)starts[k].kick});
        for (size_t i = 0; i < 85; i++) {
            double t = output(&run, i)[0];
            assert_near(height(&run, i), 1 - gravity * t * t / 2 + starts[k].sign * gravity * 0.005 * t / 2,
                        1e-12);
        }
        trial_free(&run);
    }
}

static void penalty_error_falls_with_the_root_of_the_stiffness(void **state)
{
    (void)state;
    static const char *const stiffness[] = {"1e4", "1e6", "1e8", "1e10"};
    static const double e[] = {.3, .5, 1, 0};
    static const double errors[][4] = {{4.79e-2, 4.87e-3, 4.86e-4, 4.5e-5},
                                       {7.12e-2, 7.24e-3, 7.19e-4, 7.12e-5},
                                       {2.65e-1, 2.77e-2, 2.78e-3, 2.78e-4},
                                       {1.66e-2, 1.63e-3, 0, 0}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 4 && errors[k][i] > 0; i++) {
            trial run = run_dropped("penalty", e[k], 8000, (carom_override){"n", (char *)stiffness[i]});
            assert_near(measured_value(&run, "error", 0), errors[k][i], 0.03 * errors[k][i]);
            trial_free(&run);
        }
}

/* ---- another ball --------------------------------------------------------------------------------- */

static void other_data_run_with_every_scheme(void **state)
{
    (void)state;
    static const char *const schemes[] = {PS, VS, "moreau-jean", "penalty", "event-driven"};
    static const double bounds[] = {2e-2, 2e-2, 2e-2, 2e-2, 1e-9};
    for (int i = 0; i < 5; i++) {
        trial run = trial_run(
            &(trial_request){.experiment = BALL,
                             .scheme = schemes[i],
                             .set = {{"q0", 0.7}, {"u0", 0.4}, {"g", 3}, {"e", 0.8}, {"flights", 60}},
                             .h = 1e-3,
                             .until = 8});
        assert_true(measured_value(&run, "error", 0) < bounds[i]);
        double vin = sqrt(0.16 + 6 * 0.7);
        assert_near(measured_value(&run, "zeno_time", 0), (0.4 + vin) / 3 + 1.6 * vin / (3 * 0.2), 1e-12);
        trial_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_stairs_of_step_015),
        cmocka_unit_test(position_level_scheme_is_two_steps_late),
        cmocka_unit_test(velocity_level_scheme_reflects_at_once),
        cmocka_unit_test(exact_record_without_gravity),
        cmocka_unit_test(published_values_of_3200_steps),
        cmocka_unit_test(lowest_positions_of_3200_steps),
        cmocka_unit_test(event_driven_finds_the_exact_impact_times),
        cmocka_unit_test(errors_are_of_first_order),
        cmocka_unit_test(second_order_start_is_exact_without_rebound),
        cmocka_unit_test(stabilised_positions_stay_above_the_floor),
        cmocka_unit_test(free_flight_is_half_a_step_of_gravity_off),
        cmocka_unit_test(penalty_error_falls_with_the_root_of_the_stiffness),
        cmocka_unit_test(other_data_run_with_every_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
