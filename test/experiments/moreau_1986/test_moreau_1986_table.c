/* Trial 9: a particle on a vibrating table with dry friction. */
#include "test/experiments/trial.h"

static const double pi = 3.14159265358979323846;

/* ---- plate 11: circular translation -------------------------------------------------------------- */

static void plate_11_limit_circle(void **state)
{
    (void)state;
    static const struct {
        double steps, speed, radius;
    } references[] = {
        {20, 95.42711801, 4.73204816},
        {50, 96.89592555, 4.83841889},
        {100, 97.45808247, 4.87130069},
        {400, 97.90342857, 4.89507056},
    };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run =
            trial_run(&(trial_request){.trial = "09", .set = {{"steps_per_period", references[i].steps}}});
        assert_near(measured_value(&run, "speed", 0), references[i].speed, 1e-8);
        assert_near(measured_value(&run, "radius", 0), references[i].radius, 1e-8);
        trial_free(&run);
    }
}

/* The scheme's own speed V: 2 (1-c) V^2 + 2 mu g h (1-c) V + (mu g h)^2 - (h rho w^2)^2 = 0, c = cos(w h);
 * the outputs are on a circle of radius h V / (2 tan(w h / 2)). */
static void plate_11_limit_circle_for_other_data(void **state)
{
    (void)state;
    const double mu = 0.25, rho = 3.0, frequency = 4.0, steps = 64.0;
    const double w = 2.0 * pi * frequency, h = 1.0 / (steps * frequency), bite = mu * 981.0 * h;
    const double turn = 2.0 * (1.0 - cos(w * h)), drive = h * rho * w * w;
    const double speed =
        (-turn * bite + sqrt(turn * bite * turn * bite - 4.0 * turn * (bite * bite - drive * drive))) /
        (2.0 * turn);
    trial run = trial_run(&(trial_request){.trial = "09",
                                           .set = {{"mu_s", mu},
                                                   {"mu_d", mu},
                                                   {"rho", rho},
                                                   {"freq", frequency},
                                                   {"steps_per_period", steps},
                                                   {"periods", 60}}});
    assert_near(measured_value(&run, "speed", 0), speed, 1e-8);
    assert_near(measured_value(&run, "radius", 0), h * speed / (2.0 * tan(0.5 * w * h)), 1e-8);
    trial_free(&run);
}

/* Elementary theory: radius sqrt(rho^2 - (mu g / w^2)^2), speed w times the radius. */
static void plate_11_comes_to_the_theory(void **state)
{
    (void)state;
    trial coarse = trial_run(&(trial_request){.trial = "09", .set = {{"steps_per_period", 400}}});
    trial fine = trial_run(&(trial_request){.trial = "09", .set = {{"steps_per_period", 800}}});
    assert_near(limit_of(measured_value(&coarse, "speed", 0), 2, measured_value(&fine, "speed", 0), 1),
                98.056394, 1e-3);
    assert_near(limit_of(measured_value(&coarse, "radius", 0), 2, measured_value(&fine, "radius", 0), 1),
                4.902820, 1e-4);
    trial_free(&coarse);
    trial_free(&fine);
}

static void plate_11_from_rest(void **state)
{
    (void)state;
    static const struct {
        size_t index;
        double x, y;
    } references[] = {
        {1, 0.00696154, 0.00021878},
        {50, 6.22712556, 13.22389239},
        {100, -5.88578390, 19.86207891},
        {500, -13.07387498, 39.87395707},
    };
    trial run = trial_run(&(trial_request){.trial = "09", .variant = "plate-11"});
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const double *row = output(&run, references[i].index);
        assert_near(position(&run, row, 0), references[i].x, 1e-8);
        assert_near(position(&run, row, 1), references[i].y, 1e-8);
    }
    assert_near(measured_value(&run, "centre_x", 0), -9.16085, 1e-5);
    assert_near(measured_value(&run, "centre_y", 0), 42.48377, 1e-5);
    trial_free(&run);
}

/* The particle slides from rest when rho w^2 > mu_s g. */
static void plate_11_stick_threshold(void **state)
{
    (void)state;
    const double w = 2.0 * pi * 3.183099, threshold = 0.6 * 981.0 / (w * w);
    const struct {
        double rho, mu_s;
        bool slides;
    } cases[] = {
        {1.2, 0.6, false},
        {1.2, 0.4, true},
        {threshold * (1.0 - 1e-6), 0.6, false},
        {threshold * (1.0 + 1e-6), 0.6, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = trial_run(
            &(trial_request){.trial = "09", .set = {{"rho", cases[i].rho}, {"mu_s", cases[i].mu_s}}});
        const double *row = output(&run, output_count(&run) - 1);
        bool moved = position(&run, row, 0) != 0.0 || position(&run, row, 1) != 0.0;
        assert_int_equal(moved, cases[i].slides);
        assert_true((measured_value(&run, "stick_fraction", 0) == 1.0) == !cases[i].slides);
        trial_free(&run);
    }
}

/* ---- plate 12: oscillating rotation -------------------------------------------------------------- */

static trial run_plate_12(double y0)
{
    return trial_run(&(trial_request){.trial = "09", .variant = "plate-12", .set = {{"y0", y0}}});
}

static void plate_12_all_starts(void **state)
{
    (void)state;
    static const struct {
        double y0, x, y, tolerance;
    } references[] = {
        {-12, 12.1718, 6.5537, 1e-4}, {-11, 11.5571, 4.6256, 1e-4}, {-9, 9.4494, 2.9885, 1e-4},
        {-7, 7.2373, 2.2939, 1e-4},   {-6, 6.2731, 1.2871, 1e-4},   {-5, 5.2431, -.1381, 1e-4},
        {-4, 4.0531, -1.1063, 1e-4},  {-3, 2.6801, -1.9170, 1e-4},  {-2, 1.6457, -1.8662, 1e-4},
        {-1, 1.5, -1.0, 0.0},
    };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run = run_plate_12(references[i].y0);
        assert_near(measured_value(&run, "x", 2), references[i].x, references[i].tolerance);
        assert_near(measured_value(&run, "y", 2), references[i].y, references[i].tolerance);
        trial_free(&run);
    }
}

static void plate_12_first_periods(void **state)
{
    (void)state;
    static const struct {
        double y0, x[2], y[2];
    } references[] = {
        {-12, {1.4233784, 3.9137010}, {-12.0179629, -11.5347943}},
        {-7, {1.4611086, 3.1195979}, {-7.0142804, -6.4900765}},
    };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run = run_plate_12(references[i].y0);
        for (int k = 0; k < 2; k++) {
            assert_near(measured_value(&run, "x", k), references[i].x[k], 1e-7);
            assert_near(measured_value(&run, "y", k), references[i].y[k], 1e-7);
        }
        trial_free(&run);
    }
}

/* Far starts lose contact in every period, near ones never; the nearest never moves. */
static void plate_12_heights(void **state)
{
    (void)state;
    static const struct {
        double y0, z_max, tolerance;
    } references[] = {{-12, .6797, 1e-4}, {-7, .0369, 1e-4}, {-5, 0.0, 0.0}, {-1, 0.0, 0.0}};
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run = run_plate_12(references[i].y0);
        assert_near(measured_value(&run, "z_max", 0), references[i].z_max, references[i].tolerance);
        trial_free(&run);
    }
    trial rest = run_plate_12(-1);
    assert_true(measured_value(&rest, "stick_fraction", 0) == 1.0);
    trial_free(&rest);
}

/* Refining to 208 steps per period changes the path of the farthest start: only its shape is certain. */
static void plate_12_is_sensitive_far_out(void **state)
{
    (void)state;
    trial run =
        trial_run(&(trial_request){.trial = "09",
                                   .variant = "plate-12",
                                   .set = {{"y0", -12}, {"steps_per_period", 208}, {"start_phase", 48}}});
    assert_near(measured_value(&run, "x", 2), 13.35, 5e-3);
    assert_near(measured_value(&run, "y", 2), 2.64, 5e-3);
    trial_free(&run);
}

/* ---- plate 13: conveyor -------------------------------------------------------------------------- */

static trial run_plate_13(int sense, double y0)
{
    return trial_run(&(trial_request){
        .trial = "09", .variant = sense < 0 ? "plate-13" : "plate-13-lower", .set = {{"y0", y0}}});
}

static void plate_13_first_start(void **state)
{
    (void)state;
    static const double x[2][3] = {{0.574996, 5.037337, 59.304215}, {0.578490, 5.042873, 46.690}};
    static const double y[2][3] = {{5.428389, 4.301212, 0.503219}, {4.577987, 5.985210, 63.525}};
    for (int i = 0; i < 2; i++) {
        trial run = run_plate_13(i == 0 ? -1 : 1, 5.0);
        for (int k = 0; k < 3; k++) {
            double tolerance = i == 1 && k == 2 ? 5e-4 : 1e-6;
            assert_near(measured_value(&run, "x", k), x[i][k], tolerance);
            assert_near(measured_value(&run, "y", k), y[i][k], tolerance);
        }
        trial_free(&run);
    }
}

static void plate_13_attracting_lines(void **state)
{
    (void)state;
    static const double final_y[2][10] = {{.503, .604, .778, 1.211, 3.266, 102.9, 104.1, 103.3, 104.4, 102.3},
                                          {63.5, 68.5, 68.9, 69.2, 69.3, 69.3, 69.4, 70.0, 147.6, 147.8}};
    for (int sense = 0; sense < 2; sense++)
        for (int i = 0; i < 10; i++) {
            trial run = run_plate_13(sense == 0 ? -1 : 1, 5.0 + i * 125.0 / 9.0);
            assert_near(measured_value(&run, "y", 2), final_y[sense][i], sense == 0 && i < 5 ? 5e-4 : 0.05);
            trial_free(&run);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plate_11_limit_circle),
        cmocka_unit_test(plate_11_limit_circle_for_other_data),
        cmocka_unit_test(plate_11_comes_to_the_theory),
        cmocka_unit_test(plate_11_from_rest),
        cmocka_unit_test(plate_11_stick_threshold),
        cmocka_unit_test(plate_12_all_starts),
        cmocka_unit_test(plate_12_first_periods),
        cmocka_unit_test(plate_12_heights),
        cmocka_unit_test(plate_12_is_sensitive_far_out),
        cmocka_unit_test(plate_13_first_start),
        cmocka_unit_test(plate_13_attracting_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
