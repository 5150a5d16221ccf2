/* The energy sink through its experiments (values of the specification, section 8). */
#include "carom/subject/energy_sink.h"
#include "test/experiments/trial.h"

static const char name[] = "lamarque-2018/energy-sink";

/* A run that keeps the outputs asked for only; rows may go to a function. */
static trial run_long(const trial_request *request, int count, const double *times,
                      carom_status (*row)(void *, const double *, carom_error *), void *context)
{
    trial run = {.experiment = trial_load(request)};
    const carom_recorder recorder = {.context = context, .row = row};
    const carom_run_request asked = {.experiment = run.experiment,
                                     .scheme = request->scheme,
                                     .h = NAN,
                                     .until = request->until > 0.0 ? request->until : NAN,
                                     .sample_count = count,
                                     .sample_time = times,
                                     .recorder_count = row != NULL,
                                     .recorder = &recorder};
    carom_error error = {0};
    if (carom_run(&asked, &run.result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return run;
}

/* xd, x, yd, y, z at a sample against five numbers. */
static void expect_state(const trial *run, int sample, const double *expected, const double *tolerance)
{
    const double *row = run->result.sample + (size_t)sample * (size_t)run->result.layout.width;
    const double *q = row + run->result.layout.q, *v = row + run->result.layout.v;
    const double state[5] = {v[0], q[0], v[1], q[1], q[2]};
    for (int i = 0; i < 5; i++)
        assert_near(state[i], expected[i], tolerance[i]);
}

static const double times[] = {1, 10, 100};

/* 8.4: the published scheme is plain arithmetic. */
static void euler_states(void **unused)
{
    (void)unused;
    static const double all[] = {1e-9, 1e-9, 1e-9, 1e-9, 1e-9};
    static const double expected[3][5] = {
        {-1.681210062112, 1.081273607544, -0.099352994882, 1.967714837396, 0.421232602996},
        {1.056143758289, -1.649817207749, 3.882167425620, -7.105474269407, -1.496842110970},
        {1.088496555021, 1.348575501597, 4.693475314524, 3.588925685820, 0.817573467705}};
    static const double coarse[5] = {1.060751521856, -1.657387913096, 4.058967666309, -7.097460499975,
                                     -1.517214107969};
    trial run = run_long(
        &(trial_request){
            .experiment = name, .scheme = "dai-euler", .set = {{"dt", 1e-4}}, .until = TRIAL_SLOW ? 10 : 100},
        TRIAL_SLOW ? 2 : 3, times, NULL, NULL);
    for (int i = 0; i < (TRIAL_SLOW ? 2 : 3); i++)
        expect_state(&run, i, expected[i], all);
    assert_int_equal(run.result.warnings.count, 1);
    assert_non_null(strstr(run.result.warnings.text[0], "anti-damping"));
    assert_true(measured_value(&run, "constraint", 0) < 5.06e-4); /* its largest value on t <= 1e4 */
    assert_true(measured_value(&run, "constraint", 0) > 1e-4);
    trial_free(&run);
    run = run_long(
        &(trial_request){.experiment = name, .scheme = "dai-euler", .set = {{"dt", 1e-3}}, .until = 10}, 2,
        times, NULL, NULL);
    expect_state(&run, 1, coarse, all);
    trial_free(&run);
}

/* 8.4: converged values, to the digits shown. */
static void theta_states(void **unused)
{
    (void)unused;
    static const double expected[3][5] = {{-1.68112581, 1.08121975, -0.09936330, 1.96770543, 0.42132832},
                                          {1.05563254, -1.64897865, 3.8625277, -7.1062519, -1.4945961},
                                          {1.083016, 1.340896, 4.685950, 3.570488, 0.803644}};
    static const double digits[3][5] = {
        {1e-8, 1e-8, 1e-8, 1e-8, 1e-8}, {1e-8, 1e-8, 1e-7, 1e-7, 1e-7}, {1e-6, 1e-6, 1e-6, 1e-6, 1e-6}};
    const int count = TRIAL_SLOW ? 2 : 3;
    trial run =
        run_long(&(trial_request){.experiment = name, .set = {{"dt", 1e-4}}, .until = times[count - 1]},
                 count, times, NULL, NULL);
    for (int i = 0; i < count; i++)
        expect_state(&run, i, expected[i], digits[i]);
    assert_true(measured_value(&run, "constraint", 0) < 1e-15);
    assert_int_equal(run.result.warnings.count, 0);
    trial_free(&run);
}

/* ---- modulation ------------------------------------------------------------------------------------- */

/* First harmonics of the upper branch: distance of N1 from the manifold, of N3 from N1^3/4. */
typedef struct harmonics {
    carom_energy_sink sink;
    carom_envelope one, two, three;
    double sum, largest, third;
    int count;
} harmonics;

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    (void)error;
    harmonics *h = context;
    const double eps = h->sink.eps, t = row[0], *q = row + 1, *v = row + 4;
    const bool full =
        carom_envelope_take(&h->one, t, (q[0] + eps * q[1]) / (1 + eps), (v[0] + eps * v[1]) / (1 + eps));
    carom_envelope_take(&h->two, t, q[0] - q[1], v[0] - v[1]);
    carom_envelope_take(&h->three, t, q[2], v[2]);
    if (!full || t < 4500 || t > 6900)
        return CAROM_OK;
    const double distance = fabs(h->one.modulus - carom_manifold_amplitude(&h->sink, h->two.modulus));
    const double cubed = h->one.modulus * h->one.modulus * h->one.modulus / 4;
    h->sum += distance;
    h->largest = fmax(h->largest, distance);
    h->third = fmax(h->third, fabs(h->three.modulus - cubed));
    h->count++;
    return CAROM_OK;
}

/* 8.4, row T dt = 1e-3; the step is a whole part of the period, 0.02 % smaller. Converged: 8001.42. */
static void strongly_modulated_response(void **unused)
{
    (void)unused;
    enum {
        M = 6284
    };
    skip_when_slow();
    static const double jumps[] = {3495.3, 4233.9, 7178.5, 8000.8}, tolerance[] = {1, 1, 2, 2};
    const carom_energy_sink sink = carom_energy_sink_defaults();
    const double w = carom_energy_sink_frequency(&sink);
    harmonics h = {.sink = sink,
                   .one = carom_envelope_of(w, M),
                   .two = carom_envelope_of(w, M),
                   .three = carom_envelope_of(w, M)};
    trial run =
        run_long(&(trial_request){.experiment = name, .set = {{"dt", 2 * 3.14159265358979323846 / (w * M)}}},
                 0, NULL, take_row, &h);
    assert_int_equal(measured(&run, "jumps")->count, 4);
    for (int i = 0; i < 4; i++)
        assert_near(measured_value(&run, "jumps", i), jumps[i], tolerance[i]);
    assert_near(measured_value(&run, "n1_min", 0), 0.2424, 1e-3);
    assert_near(measured_value(&run, "n1_max", 0), 2.3024, 1e-3);
    assert_true(measured_value(&run, "constraint", 0) < 1e-15);
    assert_true(h.count > 350);
    assert_near(h.sum / h.count, 0.47, 0.02);
    assert_near(h.largest, 0.54, 0.02);
    assert_true(h.third < 0.02); /* 0.017 */
    trial_free(&run);
}

/* The default step puts the last jump within 2 of its converged time; twice that step puts it 17 early. */
static void default_step(void **unused)
{
    (void)unused;
    skip_when_slow();
    trial run = run_long(&(trial_request){.experiment = name, .until = 8020}, 0, NULL, NULL, NULL);
    assert_int_equal(measured(&run, "jumps")->count, 4);
    assert_near(measured_value(&run, "jumps", 3), 8001.42, 2);
    trial_free(&run);
}

/* 8.4: f0 = 0.242 leaves the upper branch at 1941. */
static void weak_forcing_jumps_down(void **unused)
{
    (void)unused;
    skip_when_slow();
    trial run =
        run_long(&(trial_request){.experiment = name, .variant = "weak", .until = 2100}, 0, NULL, NULL, NULL);
    assert_int_equal(measured(&run, "jumps")->count, 1);
    assert_near(measured_value(&run, "jumps", 0), 1941, 10);
    trial_free(&run);
}

/* ---- the others ------------------------------------------------------------------------------------- */

/* 8.5 and 8.6, closed forms. */
static void friction_oscillator(void **unused)
{
    (void)unused;
    static const char oscillator[] = "lamarque-2018/friction-oscillator";
    static const struct {
        const char *scheme;
        double dt, x, tolerance;
    } cases[] = {{"dai-theta", 1e-3, -0.050000117, 1e-9},
                 {"dai-euler", 1e-2, -0.095463, 1e-6},
                 {"dai-euler", 1e-3, -0.054342, 1e-6},
                 {"dai-euler", 1e-4, -0.050432, 1e-6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = run_long(&(trial_request){.experiment = oscillator,
                                              .scheme = cases[i].scheme,
                                              .set = {{"dt", cases[i].dt}}},
                             0, NULL, NULL, NULL);
        assert_near(measured_value(&run, "x_end", 0), cases[i].x, cases[i].tolerance);
        assert_true(measured_value(&run, "v_end", 0) == 0.0);
        if (i == 0) { /* half cycles, and rest from 5 pi on */
            static const double turns[] = {0.85, 0.65, 0.45, 0.25};
            for (int k = 0; k < 4; k++)
                assert_near(measured_value(&run, "turns", k), turns[k], 2e-6);
            assert_near(20 * (1 - measured_value(&run, "sticking", 0)), 5 * 3.14159265358979, 5e-3);
        }
        trial_free(&run);
    }
    trial run =
        run_long(&(trial_request){.experiment = oscillator, .scheme = "dai-euler", .variant = "growth"}, 0,
                 NULL, NULL, NULL);
    assert_near(measured_value(&run, "amplitude_end", 0), 1.051271070, 1e-9);
    trial_free(&run);
}

/* Where N2 passes the levels, not where the period ends in which it does: 2 pi / w = 6.28 later at most. */
static void averaged_jumps_are_located(void **unused)
{
    (void)unused;
    static const double jumps[] = {3320.637042, 4070.263348}, ends[] = {3323.472680, 4071.096969};
    trial run =
        trial_run(&(trial_request){.experiment = "lamarque-2018/equilibria", .set = {{"flow", 5000}}});
    assert_int_equal(measured(&run, "averaged_jumps")->count, 2);
    for (int i = 0; i < 2; i++) {
        assert_near(measured_value(&run, "averaged_jumps", i), jumps[i], 1e-4);
        assert_true(ends[i] - measured_value(&run, "averaged_jumps", i) < 6.29);
    }
    trial_free(&run);
}

static void manifold_and_equilibria(void **unused)
{
    (void)unused;
    trial run = trial_run(&(trial_request){.experiment = "lamarque-2018/manifold", .until = 1});
    assert_near(measured_value(&run, "folds", 0), 2.1240571449, 1e-10);
    assert_near(measured_value(&run, "folds", 1), 3.6422738808, 1e-10);
    assert_near(measured_value(&run, "landings", 0), 4.2004082132, 1e-10);
    assert_near(measured_value(&run, "landings", 1), 0.3665359745, 1e-10);
    assert_near(measured_value(&run, "fold_forcing", 0), 0.74965614, 1e-8);
    assert_near(measured_value(&run, "fold_forcing", 1), 3.80987256, 1e-8);
    trial_free(&run);
    run = trial_run(
        &(trial_request){.experiment = "lamarque-2018/manifold", .set = {{"lam", 0.6}}, .until = 1});
    assert_int_equal(measured(&run, "folds")->count, 0);
    assert_non_null(strstr(run.result.results->messages, "no folds"));
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "lamarque-2018/equilibria", .set = {{"flow", 100}}});
    static const double n2[] = {3.706350429, 5.597318205, 5.885975857}, stable[] = {1, 0, 1};
    assert_int_equal(measured(&run, "n2")->count, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(measured_value(&run, "n2", i), n2[i], 1e-9);
        assert_near(measured_value(&run, "stable", i), stable[i], 0);
    }
    /* the motion itself stays near: averaging leaves out the third harmonic */
    assert_near(measured_value(&run, "n2_mean", 0), 3.7067353, 0.1);
    trial_free(&run);
    run = trial_run(
        &(trial_request){.experiment = "lamarque-2018/equilibria", .set = {{"f0", 0.12}, {"flow", 100}}});
    assert_int_equal(measured(&run, "n2")->count, 0);
    assert_non_null(strstr(run.result.results->messages, "no sliding periodic solution"));
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_states),
        cmocka_unit_test(theta_states),
        cmocka_unit_test(strongly_modulated_response),
        cmocka_unit_test(default_step),
        cmocka_unit_test(weak_forcing_jumps_down),
        cmocka_unit_test(friction_oscillator),
        cmocka_unit_test(averaged_jumps_are_located),
        cmocka_unit_test(manifold_and_equilibria),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
