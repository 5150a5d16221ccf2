/* Trials 1 to 4: billiard and ELAST. Exact motions come from the pendulum equation in the angle, integrated
 * by the same frame (a scheme without contacts) with small steps. */
#include "test/experiments/trial.h"

enum {
    COLUMNS = 5, /* anticipation coefficients of plate 5 */
    LINES = 10
};

/* A pendulum of one coordinate: the "one-dimensional algorithm" of trial 4 is the common frame applied to it.
 */
static const char pendulum_text[] =
    "local strength = param { 'strength', 1 }\n"
    "local omega0 = param { 'omega0', 1 }\n"
    "local h = param { 'h', 1e-3 }\n"
    "local theta = coordinates('theta')\n"
    "kinetic(dot(theta)^2 / 2)\n"
    "potential(-strength * cos(theta))\n"
    "initial { [dot(theta)] = omega0 }\n"
    "integrate { scheme = 'elast', h = h, until_t = 1 }\n"
    "measure { largest = maximum(theta), zero = crossings(theta), turns = crossings(theta - 2 * pi) }\n";

static trial run_pendulum(double strength, double omega0, double h, double until)
{
    return trial_run(&(trial_request){
        .text = pendulum_text, .set = {{"strength", strength}, {"omega0", omega0}}, .h = h, .until = until});
}

/* ---- trial 1 ------------------------------------------------------------------------------------- */

static void billiard_gains_energy_at_each_rebound(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "01"});
    int rebounds = 0;
    for (size_t i = 1; i < output_count(&run); i++) {
        if (regime_of(&run, output(&run, i), 0) == CAROM_CONTACT_OPEN)
            continue;
        rebounds++;
        assert_true(energy_of(&run, output(&run, i)) > energy_of(&run, output(&run, i - 1)));
    }
    assert_true(rebounds >= 3);
    assert_true(measured_value(&run, "energy_change", 0) > 0.0);
    assert_true(measured_value(&run, "energy_change", 0) < 0.02 * rebounds);
    trial_free(&run);
}

static void inelastic_particle_slides_on_the_wall_and_leaves_it(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "01", .scheme = "inel", .option = {{"av", "0.5"}}});
    size_t touching = 0;
    for (size_t i = 1; i < output_count(&run); i++)
        touching += regime_of(&run, output(&run, i), 0) != CAROM_CONTACT_OPEN;
    assert_true(touching > 100);
    assert_true(measured_value(&run, "energy_change", 0) < -0.5);
    trial_free(&run);
}

/* ---- trials 2 and 3 ------------------------------------------------------------------------------ */

typedef struct pendulum_reference {
    const char *trial, *scheme;
    double av;
    double at_20[2], at_40[2]; /* x, y */
    double tolerance;
    double deviation[2], deviation_tolerance[2]; /* radial, smallest and largest to t = 40 */
    double energy_change, energy_tolerance;
    long adhesive; /* impulses that pull */
} pendulum_reference;

static const pendulum_reference pendulums[] = {
    {.trial = "02",
     .scheme = "elast",
     .at_20 = {25.001525, -5.456675},
     .at_40 = {43.001657, -18.110351},
     .tolerance = 1e-6,
     .deviation = {-0.05079, 0.04696},
     .deviation_tolerance = {5e-6, 5e-6},
     .energy_tolerance = 1e-14},
    {.trial = "02",
     .scheme = "billiard",
     .at_20 = {26.881743, -10.465820},
     .at_40 = {52.664821, -29.479015},
     .tolerance = 1e-6,
     .deviation = {-24.58, 0.87},
     .deviation_tolerance = {5e-3, 5e-3},
     .energy_change = 0.4030,
     .energy_tolerance = 5e-5},
    {.trial = "03",
     .av = -0.5,
     .at_20 = {16.577050, 3.056992},
     .at_40 = {11.348434, 9.449892},
     .tolerance = 1e-6,
     .deviation = {0.0, 10.37098},
     .deviation_tolerance = {0.0, 5e-6},
     .energy_tolerance = 1e-14,
     .adhesive = 4},
    {.trial = "03",
     .av = 0.5,
     .at_20 = {26.431602, -10.517722},
     .at_40 = {44.237722, -26.143798},
     .tolerance = 1e-6,
     .deviation = {-7.91543, 0.35410},
     .deviation_tolerance = {5e-6, 5e-6},
     .energy_tolerance = 1e-14},
};

static void pendulum_on_a_circular_wall(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pendulums / sizeof *pendulums; i++) {
        const pendulum_reference *reference = &pendulums[i];
        trial run = trial_run(&(trial_request){
            .trial = reference->trial, .scheme = reference->scheme, .set = {{"av", reference->av}}});
        assert_near(measured_value(&run, "x", 0), reference->at_20[0], reference->tolerance);
        assert_near(measured_value(&run, "y", 0), reference->at_20[1], reference->tolerance);
        assert_near(measured_value(&run, "x", 1), reference->at_40[0], reference->tolerance);
        assert_near(measured_value(&run, "y", 1), reference->at_40[1], reference->tolerance);
        assert_near(measured_value(&run, "deviation_min", 0), reference->deviation[0],
                    reference->deviation_tolerance[0]);
        assert_near(measured_value(&run, "deviation_max", 0), reference->deviation[1],
                    reference->deviation_tolerance[1]);
        assert_near(measured_value(&run, "energy_change", 0), reference->energy_change,
                    reference->energy_tolerance);
        assert_int_equal(run.result.counts.adhesive_impulses, reference->adhesive);
        trial_free(&run);
    }
}

static void elast_crosses_the_middle_with_the_pendulum_period(void **state)
{
    (void)state;
    static const double crossing[] = {9.4711, 18.9424, 28.4138, 37.8857};
    trial run = trial_run(&(trial_request){.trial = "02"});
    assert_int_equal(measured(&run, "zero_crossings")->count, 4);
    for (int i = 0; i < 4; i++)
        assert_near(measured_value(&run, "zero_crossings", i), crossing[i], 5e-5);
    trial_free(&run);
}

static void guard_clamps_the_impulses_that_pull(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "03", .option = {{"guard", "on"}}});
    assert_near(measured_value(&run, "x", 1), 11.330037, 1e-6);
    assert_near(measured_value(&run, "y", 1), 9.454565, 1e-6);
    trial_free(&run);
}

static void exact_pendulum_of_trial_2(void **state)
{
    (void)state;
    trial run = run_pendulum(8.0 / 60.0, 25.0 / 60.0, 2.5e-4, 40.0);
    assert_near(measured_value(&run, "largest", 0), 1.214337, 1e-6);
    assert_near(measured_value(&run, "zero", 1), 18.941615, 1e-6);
    static const double t[] = {20.0, 40.0}, exact[][2] = {{25.023155, -5.467058}, {43.026114, -18.181900}};
    for (int i = 0; i < 2; i++) {
        double theta = position(&run, output_at(&run, t[i]), 0);
        assert_near(60.0 * sin(theta), exact[i][0], 1e-6);
        assert_near(60.0 * cos(theta) - 60.0, exact[i][1], 1e-6);
    }
    trial_free(&run);
}

/* ELAST is of order 2 in position: a tenth of the step, a hundredth of the error. */
static void elast_converges_to_the_exact_pendulum(void **state)
{
    (void)state;
    double error[2];
    for (int i = 0; i < 2; i++) {
        trial run = trial_run(&(trial_request){.trial = "02", .h = i == 0 ? 0.1 : 0.01});
        error[i] = hypot(measured_value(&run, "x", 0) - 25.023155, measured_value(&run, "y", 0) + 5.467058);
        trial_free(&run);
    }
    assert_true(error[0] < 0.03);
    assert_true(error[1] < error[0] / 50.0);
}

/* ---- trial 4 ------------------------------------------------------------------------------------- */

static const double anticipation[COLUMNS] = {-0.02, -0.01, 0.0, 0.01, 0.02};

/* Plate 5, values cut with floor; where the print is misread or one off in the last digit: the computed value
 * (5.92460 for 5.92461, 11.88104 for 11.88105, -790 for -789). */
static const double plate_5_angle[LINES][COLUMNS] = {
    {1.35970, 1.36026, 1.36083, 1.35970, 1.35909},      {2.50539, 2.50730, 2.50922, 2.50823, 2.50719},
    {3.51322, 3.51739, 3.52157, 3.52054, 3.52190},      {4.60362, 4.61175, 4.61992, 4.61820, 4.62228},
    {5.91112, 5.92460, 5.93817, 5.93552, 5.93772},      {7.29208, 7.30954, 7.32710, 7.32401, 7.32312},
    {8.49154, 8.51130, 8.53123, 8.52867, 8.52693},      {9.50828, 9.53291, 9.55789, 9.55818, 9.56027},
    {10.54296, 10.57886, 10.61544, 10.61753, 10.62548}, {11.77668, 11.82858, 11.88134, 11.88104, 11.89552},
};

static const double plate_5_violation[LINES][COLUMNS] = {
    {1733, 805, -124, -1369, -137},    {2900, 1310, -283, 1644, -580},     {3900, 1802, -302, 572, -5206},
    {5221, 2530, -171, -1122, -3768},  {7100, 3555, -10, -3101, -5847},    {8962, 4454, -78, -2088, -790},
    {10250, 5008, -255, -6108, -7135}, {11235, 5475, -312, -4311, -16694}, {12404, 6116, -215, -2665, -2380},
    {14121, 7079, -36, 3229, -13060},
};

static const double plate_5_mean[COLUMNS] = {7112, 3476, 177, 2662, 5304};
static const double plate_5_rms[COLUMNS] = {8184, 4025, 207, 3486, 6875};
static const double angle_at_1[COLUMNS] = {11.77668530, 11.82858582, 11.88134374, 11.88104961, 11.89552200};

/* The integer of a printed value of 5 decimals, and of a computed value that is cut after 5 decimals. */
static void expect_cut(double computed, double printed)
{
    assert_near(floor(1e5 * computed), round(1e5 * printed), 0.0);
}

static void plate_5_by_elast(void **state)
{
    (void)state;
    for (int column = 0; column < COLUMNS; column++) {
        trial run = trial_run(&(trial_request){.trial = "04", .set = {{"av", anticipation[column]}}});
        assert_int_equal(measured(&run, "theta")->count, LINES);
        for (int line = 0; line < LINES; line++) {
            expect_cut(measured_value(&run, "theta", line), plate_5_angle[line][column]);
            assert_near(floor(measured_value(&run, "violation", line)), plate_5_violation[line][column], 0.0);
            assert_near(measured_value(&run, "energy_change", line), 0.0, 1e-14);
        }
        assert_near(measured_value(&run, "theta", LINES - 1), angle_at_1[column], 1e-8);
        assert_near(floor(measured_value(&run, "mean_violation", 0)), plate_5_mean[column], 0.0);
        assert_near(floor(measured_value(&run, "rms_violation", 0)), plate_5_rms[column], 0.0);
        assert_int_equal(run.result.counts.adhesive_impulses, 0);
        trial_free(&run);
    }
}

/* 14.142136 is fitted to the table (the plate prints 14.14214): with it instead of the square root of 200 all
 * 50 printed angles come out, also the two that differ above. */
static void plate_5_with_a_rounded_initial_velocity(void **state)
{
    (void)state;
    for (int column = 0; column < COLUMNS; column++) {
        trial run = trial_run(
            &(trial_request){.trial = "04", .set = {{"av", anticipation[column]}, {"omega0", 14.142136}}});
        for (int line = 0; line < LINES; line++) {
            double printed = plate_5_angle[line][column];
            if ((line == 4 && column == 1) || (line == 9 && column == 3))
                printed += 1e-5;
            expect_cut(measured_value(&run, "theta", line), printed);
            assert_near(floor(measured_value(&run, "violation", line)), plate_5_violation[line][column], 0.0);
        }
        trial_free(&run);
    }
}

static void plate_5_one_dimensional_and_exact(void **state)
{
    (void)state;
    static const double one_dimensional[LINES] = {1.36125, 2.50956, 3.52165, 4.61990,  5.93852,
                                                  7.32793, 8.53200, 9.55838, 10.61582, 11.88204};
    static const double exact[LINES] = {1.36131, 2.50965, 3.52177, 4.62009,  5.93880,
                                        7.32826, 8.53231, 9.55870, 10.61622, 11.88258};
    trial coarse = run_pendulum(25.0, sqrt(200.0), 0.005, 1.0);
    trial fine = run_pendulum(25.0, sqrt(200.0), 1e-5, 1.0);
    for (int line = 0; line < LINES; line++) {
        double t = 0.1 * (line + 1);
        expect_cut(position(&coarse, output_at(&coarse, t), 0), one_dimensional[line]);
        expect_cut(position(&fine, output_at(&fine, t), 0), exact[line]);
    }
    assert_near(position(&coarse, output_at(&coarse, 1.0), 0), 11.88204239, 1e-8);
    assert_near(position(&fine, output_at(&fine, 1.0), 0), 11.88258693, 1e-8);
    assert_near(measured_value(&fine, "turns", 0), 0.524411511, 1e-9);
    trial_free(&coarse);
    trial_free(&fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(billiard_gains_energy_at_each_rebound),
        cmocka_unit_test(inelastic_particle_slides_on_the_wall_and_leaves_it),
        cmocka_unit_test(pendulum_on_a_circular_wall),
        cmocka_unit_test(elast_crosses_the_middle_with_the_pendulum_period),
        cmocka_unit_test(guard_clamps_the_impulses_that_pull),
        cmocka_unit_test(exact_pendulum_of_trial_2),
        cmocka_unit_test(elast_converges_to_the_exact_pendulum),
        cmocka_unit_test(plate_5_by_elast),
        cmocka_unit_test(plate_5_with_a_rounded_initial_velocity),
        cmocka_unit_test(plate_5_one_dimensional_and_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
