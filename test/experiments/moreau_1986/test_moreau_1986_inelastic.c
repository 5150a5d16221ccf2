/* Trials 5 to 7: INEL on one wall. Where the exact motion (event-driven, tolerance 1e-12) is known, the
 * computed one must come to it at first order in the step. */
#include "test/experiments/trial.h"

static void expect_final(const trial *run, int dof, const double *point, double tolerance)
{
    const double *row = output(run, output_count(run) - 1);
    for (int i = 0; i < dof; i++)
        assert_near(position(run, row, i), point[i], tolerance);
}

/* ---- trial 5 ------------------------------------------------------------------------------------- */

typedef struct plate_6_line {
    double theta, violation, energy_change;
} plate_6_line;

/* One run; NAN where the reference has no value. */
typedef struct plate_6_column {
    double av;
    char *test;
    plate_6_line at[3]; /* t = 0.1, 0.5, 1 */
    double mean, rms;   /* of the violation */
} plate_6_column;

static const plate_6_column plate_6[] = {
    {0.3,
     "anticipated",
     {{1.31742, 17092, -.0847}, {5.09151, 54462, -.1651}, {9.47815, 99125, -.3002}},
     57034.8,
     64249.8},
    {0.4,
     "anticipated",
     {{1.32168, 8532, -.0857}, {5.18107, 27779, -.1714}, {9.63970, 49944, -.3051}},
     28823.3,
     32484.3},
    {0.5,
     "anticipated",
     {{1.32588, -64, -.0869}, {5.27494, 38, -.1783}, {9.82469, -106, -.3106}},
     110.8,
     129.5},
    {0.6,
     "anticipated",
     {{1.32072, 697, -.1037}, {5.16630, 1212, -.2018}, {9.58485, -504, -.3493}},
     648.3,
     805.8},
    {0.7,
     "anticipated",
     {{1.31470, -2245, -.1147}, {5.06078, 387, -.2194}, {9.37881, -1611, -.3842}},
     791.7,
     923.7},
    {0.6, "vertex", {{NAN, 0, 0}, {5.14656, 1780, -.2016}, {9.56870, -136, -.3499}}, NAN, NAN},
    {0.7, "vertex", {{NAN, 0, 0}, {5.04205, 990, -.2192}, {9.36478, -960, -.3847}}, NAN, NAN},
};

static void plate_6_by_inel(void **state)
{
    (void)state;
    static const int index[3] = {0, 4, 9};
    for (size_t i = 0; i < sizeof plate_6 / sizeof *plate_6; i++) {
        const plate_6_column *column = &plate_6[i];
        trial run = trial_run(
            &(trial_request){.trial = "05", .set = {{"av", column->av}}, .option = {{"test", column->test}}});
        for (int k = 0; k < 3; k++) {
            if (isnan(column->at[k].theta))
                continue;
            assert_near(measured_value(&run, "theta", index[k]), column->at[k].theta, 1e-5);
            assert_near(measured_value(&run, "violation", index[k]), column->at[k].violation, 1.0);
            assert_near(measured_value(&run, "energy_change", index[k]), column->at[k].energy_change, 1e-4);
        }
        if (!isnan(column->mean)) {
            assert_near(measured_value(&run, "mean_violation", 0), column->mean, 0.05);
            assert_near(measured_value(&run, "rms_violation", 0), column->rms, 0.05);
        }
        trial_free(&run);
    }
}

/* Up to av = 0.5 the same contacts are found at q and at the anticipated point. */
static void plate_6_test_at_the_vertex_changes_nothing_up_to_one_half(void **state)
{
    (void)state;
    for (double av = 0.3; av < 0.55; av += 0.1) {
        trial at_q =
            trial_run(&(trial_request){.trial = "05", .set = {{"av", av}}, .option = {{"test", "vertex"}}});
        trial ahead = trial_run(&(trial_request){.trial = "05", .set = {{"av", av}}});
        for (int i = 0; i < 10; i++)
            assert_true(measured_value(&at_q, "theta", i) == measured_value(&ahead, "theta", i));
        trial_free(&at_q);
        trial_free(&ahead);
    }
}

/* Published: theta(0.5) = 5.275 with av = 0.5, and a loss close to 20 % after a revolution. */
static void plate_6_published_values(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "05"});
    assert_near(measured_value(&run, "theta", 4), 5.275, 5e-4);
    assert_near(measured_value(&run, "energy_change", 4), -0.178, 5e-4);
    trial_free(&run);
}

/* ---- trial 6 ------------------------------------------------------------------------------------- */

static void plate_7_end_positions(void **state)
{
    (void)state;
    static const struct {
        double h, av, x, y, z;
    } references[] = {
        {.002, .5, -29.3844, 68.2091, -.0026},
        {.0005, .5, -13.6074, 84.4863, NAN},
        {.0001, .5, -11.6247, 87.4717, NAN},
        {.002, 0.0, -45.0655, 60.0597, -.2944},
    };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run = trial_run(
            &(trial_request){.trial = "06", .set = {{"h", references[i].h}, {"av", references[i].av}}});
        assert_near(measured_value(&run, "x_end", 0), references[i].x, 1e-4);
        assert_near(measured_value(&run, "y_end", 0), references[i].y, 1e-4);
        if (!isnan(references[i].z))
            assert_near(measured_value(&run, "z_end", 0), references[i].z, 1e-4);
        trial_free(&run);
    }
}

/* Position and velocity at an output, each within so many steps of the exact ones. */
static void expect_state(const trial *run, const double *row, const double *exact_q, double q_steps,
                         const double *exact_v, double v_steps)
{
    for (int k = 0; k < 3; k++) {
        assert_near(position(run, row, k), exact_q[k], q_steps * run->result.h);
        assert_near(velocity(run, row, k), exact_v[k], v_steps * run->result.h);
    }
}

static void plate_7_comes_to_the_exact_motion(void **state)
{
    (void)state;
    static const double at_hit[] = {-14.5608, 14.48927, 30.81235};
    static const double after_hit[] = {-28.43309, -170.87146, -150.55773};
    static const double at_rim[] = {15.59287, 25.62933, 45.0};
    static const double leaving_rim[] = {-46.69747, 109.22781, 103.56438};
    static const double end[] = {-11.15636, 88.19717, 0.0};
    trial runs[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = trial_run(&(trial_request){.trial = "06", .h = i == 0 ? 1e-4 : 2e-5});
        const trial *run = &runs[i];
        double h = run->result.h;
        assert_near(measured_value(run, "cone_hit", 0), 0.3503577, h);
        assert_near(measured_value(run, "lowest_z", 0), 15.04380, 200.0 * h);
        assert_near(measured_value(run, "rim_exit", 0), 0.7271803, 15.0 * h);
        assert_near(measured_value(run, "ground_hit", 0), 1.1535124, 20.0 * h);
        expect_state(run, first_output_after(run, 0.0, 0, true), at_hit, 200.0, after_hit, 1000.0);
        expect_state(run, first_output_after(run, 0.7, 0, false), at_rim, 2000.0, leaving_rim, 20000.0);
    }
    for (int k = 0; k < 3; k++) {
        double coarse = position(&runs[0], output_at(&runs[0], 1.3), k);
        double fine = position(&runs[1], output_at(&runs[1], 1.3), k);
        assert_near(limit_of(coarse, 1e-4, fine, 2e-5), end[k], 2e-2);
    }
    trial_free(&runs[0]);
    trial_free(&runs[1]);
}

/* ---- trial 7 ------------------------------------------------------------------------------------- */

static void plates_8_and_9(void **state)
{
    (void)state;
    static const struct {
        double h;
        double end[3], lobe[2], energy;
    } references[] = {
        {.005, {7.7289, 33.3500, -29.2298}, {-1.9217, -5.3272}, -6871.06},
        {.002, {4.6518, 32.3177, -30.9730}, {-0.0229, -1.5334}, -1433.21},
        {.0005, {3.1732, 31.1234, -32.3463}, {1.1041, 0.7037}, 1838.76},
        {.0001, {2.7902, 30.7226, -32.7621}, {1.3973, 1.3160}, 2755.07},
    };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run = trial_run(&(trial_request){.trial = "07", .h = references[i].h});
        expect_final(&run, 3, references[i].end, 1e-4);
        assert_int_equal(measured(&run, "lobes")->count, 2);
        for (int k = 0; k < 2; k++)
            assert_near(measured_value(&run, "lobes", k), references[i].lobe[k], 1e-4);
        assert_near(measured_value(&run, "energy_end", 0), references[i].energy, 1e-2);
        trial_free(&run);
    }
}

static void plates_8_and_9_violations(void **state)
{
    (void)state;
    static const struct {
        double h, av;
        double end[3], violation, tolerance;
    } references[] = {
        {.005, 0.0, {10.1032, 23.1475, -43.3720}, 5.19, 5e-3},
        {.002, 0.0, {6.4700, 27.8111, -37.6734}, 2.27, 5e-3},
        {.005, 0.5, {7.7289, 33.3500, -29.2298}, 0.064, 5e-4},
        {.002, 0.5, {4.6518, 32.3177, -30.9730}, 0.005, 5e-4},
    };
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        trial run = trial_run(
            &(trial_request){.trial = "07", .h = references[i].h, .set = {{"av", references[i].av}}});
        expect_final(&run, 3, references[i].end, 1e-4);
        assert_near(measured_value(&run, "violation_max", 0), references[i].violation,
                    references[i].tolerance);
        trial_free(&run);
    }
}

/* Published in words: a shock a little before 0.1, contact lost a little after 0.2, a shock a little after
 * 0.6, then permanent contact. */
static void plate_8_published_times(void **state)
{
    (void)state;
    for (int plate = 8; plate <= 9; plate++) {
        trial run = trial_run(&(trial_request){.trial = "07", .variant = plate == 9 ? "plate-9" : NULL});
        assert_true(run.result.h == (plate == 9 ? 0.002 : 0.005));
        double shock = first_output_after(&run, 0.0, 0, true)[0];
        double loss = first_output_after(&run, 0.15, 0, false)[0];
        double second_shock = first_output_after(&run, loss, 0, true)[0];
        double contact = measured_value(&run, "shock_times", measured(&run, "shock_times")->count - 1);
        assert_true(shock > 0.09 && shock < 0.1);
        assert_true(loss > 0.2 && loss < 0.25);
        assert_true(second_shock > 0.6 && second_shock < 0.66);
        assert_true(contact < 0.7);
        assert_true(measured_value(&run, "lobes", 1) < measured_value(&run, "lobes", 0));
        trial_free(&run);
    }
}

/* The time of the largest z between two times. */
static double time_of_top(const trial *run, double from, double to)
{
    const double *top = output_at(run, from);
    for (size_t i = 0; i < output_count(run); i++) {
        const double *row = output(run, i);
        if (row[0] > from && row[0] < to && position(run, row, 2) > position(run, top, 2))
            top = row;
    }
    return top[0];
}

static void plate_8_comes_to_the_exact_motion(void **state)
{
    (void)state;
    static const double at_second_shock[] = {-25.85298, -23.97210, -27.96359};
    static const double end[] = {2.693289, 30.618552, -32.867164};
    static const double end_velocity[] = {-64.8525, 190.9598, 172.5809};
    trial runs[2];
    double energy[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = trial_run(&(trial_request){.trial = "07", .h = i == 0 ? 1e-4 : 2e-5});
        const trial *run = &runs[i];
        double h = run->result.h;
        const double *second_shock = first_output_after(run, 0.5, 0, true);
        for (int k = 0; k < 3; k++)
            assert_near(position(run, second_shock, k), at_second_shock[k], 500.0 * h);
        energy[i] = energy_of(run, second_shock);
        assert_near(first_output_after(run, 0.0, 0, true)[0], 0.09374564, h);
        assert_near(first_output_after(run, 0.15, 0, false)[0], 0.22500773, 2.0 * h);
        assert_near(second_shock[0], 0.65053060, 2.0 * h);
        assert_near(time_of_top(run, 1.0, 1.4), 1.19056, 20.0 * h);
        assert_near(time_of_top(run, 1.8, 2.2), 1.98723, 40.0 * h);
    }
    assert_near(limit_of(energy[0], 1e-4, energy[1], 2e-5), 2985.1492, 1.0);
    for (int k = 0; k < 2; k++)
        assert_near(
            limit_of(measured_value(&runs[0], "lobes", k), 1e-4, measured_value(&runs[1], "lobes", k), 2e-5),
            1.46819, 5e-3);
    const double *coarse = output_at(&runs[0], 2.5), *fine = output_at(&runs[1], 2.5);
    for (int k = 0; k < 3; k++) {
        assert_near(limit_of(position(&runs[0], coarse, k), 1e-4, position(&runs[1], fine, k), 2e-5), end[k],
                    3e-3);
        assert_near(limit_of(velocity(&runs[0], coarse, k), 1e-4, velocity(&runs[1], fine, k), 2e-5),
                    end_velocity[k], 5e-2);
    }
    trial_free(&runs[0]);
    trial_free(&runs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plate_6_by_inel),
        cmocka_unit_test(plate_6_test_at_the_vertex_changes_nothing_up_to_one_half),
        cmocka_unit_test(plate_6_published_values),
        cmocka_unit_test(plate_7_end_positions),
        cmocka_unit_test(plate_7_comes_to_the_exact_motion),
        cmocka_unit_test(plates_8_and_9),
        cmocka_unit_test(plates_8_and_9_violations),
        cmocka_unit_test(plate_8_published_times),
        cmocka_unit_test(plate_8_comes_to_the_exact_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
