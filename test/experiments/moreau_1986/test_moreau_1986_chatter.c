/* Trial 10: a solid pulled along a wall with friction: sliding, chatter, jamming. */
#include "test/experiments/trial.h"

static const double pi = 3.14159265358979323846;

enum {
    X,
    Y,
    THETA,
    STATE_SIZE = 6 /* X Y TH U V OM */
};

/* A column of record { ... }. */
static double column(const trial *run, const double *row, const char *name)
{
    for (int i = 0; i < run->experiment->named_columns; i++)
        if (strcmp(run->experiment->column[i], name) == 0)
            return row[run->result.layout.column + i];
    fail_msg("there is no column '%s'", name);
    return NAN;
}

static bool touches(const trial *run, size_t index)
{
    return regime_of(run, output(run, index), 0) != CAROM_CONTACT_OPEN;
}

/* Velocity of the contact particle along the wall, when there is contact. */
static double slip_of(const trial *run, const double *row)
{
    return velocity(run, row, X) + velocity(run, row, THETA) * position(run, row, Y);
}

/* ---- states -------------------------------------------------------------------------------------- */

typedef struct reference_state {
    const char *variant;
    double h, t;
    double state[STATE_SIZE];
} reference_state;

static const reference_state references[] = {
    {"plate-14", .002, .1, {3.870836, 2.046236, .921343, 29.166804, -10.085356, 7.352497}},
    {"plate-14", .002, .2, {6.069722, 1.965764, .978537, 18.152734, -9.315388, 6.510959}},
    {"plate-14", .002, .5, {13.845753, 2.149778, .844371, 40.048085, -8.936610, 6.944943}},
    {"plate-15", .001, .1, {4.067195, 2.212570, .903499, 28.973348, -7.273690, 13.256999}},
    {"plate-15", .001, .2, {7.074902, 1.978988, 1.215552, 30.061291, -14.310809, 17.862721}},
    {"plate-15", .0005, .2, {7.070758, 1.985352, 1.217292, 30.016743, -14.169211, 17.864498}},
    {"plate-16", .0005, .1, {4.156947, 2.030890, .961581, 30.217211, -10.958240, 11.852164}},
    {"plate-16", .0005, .2, {7.066033, 1.962259, 1.282032, 29.566131, -6.687602, 10.783982}},
};

static void expect_state(const trial *run, double t, const double *state, double tolerance)
{
    const double *row = output_at(run, t);
    for (int i = 0; i < STATE_SIZE; i++)
        assert_near(row[run->result.layout.q + i], state[i], tolerance);
}

static void states_of_the_plates(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const reference_state *reference = &references[i];
        trial run = trial_run(
            &(trial_request){.trial = "10", .variant = reference->variant, .h = reference->h, .until = 0.5});
        expect_state(&run, reference->t, reference->state, 1e-6);
        trial_free(&run);
    }
}

/* ---- permanent sliding --------------------------------------------------------------------------- */

/* The equations of permanent sliding, integrated with relative tolerance 1e-11, from the start of plate 14
 * put on the contact. */
static const double sliding_times[] = {.1, .2, .5};
static const double sliding[][STATE_SIZE] = {
    {3.869742, 2.047743, .921138, 29.196344, -10.137493, 7.350193},
    {6.071469, 1.966460, .978839, 18.218197, -9.377489, 6.524188},
    {13.876894, 2.139703, .852626, 40.157881, -9.391522, 7.200696},
};

static trial run_consistent_start(double h, double av)
{
    return trial_run(&(trial_request){
        .trial = "10", .set = {{"Y", 2.15418308}, {"V", -4.98281178}, {"av", av}}, .h = h, .until = 0.5});
}

/* Distance from the state of permanent sliding at t = 0.5. */
static double sliding_error(const trial *run)
{
    double sum = 0.0;
    for (int i = 0; i < STATE_SIZE; i++)
        sum += pow(output_at(run, 0.5)[run->result.layout.q + i] - sliding[2][i], 2.0);
    return sqrt(sum);
}

static void consistent_start_with_a_fine_step(void **state)
{
    (void)state;
    static const double at_2[] = {6.07147, 1.96645, .97884, 18.21752, -9.37609, 6.52464};
    static const double at_5[] = {13.87682, 2.13972, .85261, 40.15621, -9.38862, 7.20084};
    trial run = run_consistent_start(1e-4, 0.0);
    expect_state(&run, 0.2, at_2, 1e-5);
    expect_state(&run, 0.5, at_5, 1e-5);
    trial_free(&run);
}

static void consistent_start_comes_to_permanent_sliding(void **state)
{
    (void)state;
    trial run = run_consistent_start(1e-5, 0.0);
    for (int i = 0; i < 3; i++)
        expect_state(&run, sliding_times[i], sliding[i], 3e-4);
    double least_force = INFINITY, least_slip = INFINITY;
    for (size_t i = 1; i < output_count(&run); i++) {
        const double *row = output(&run, i);
        double impulse = row[run.result.layout.impulse];
        if (impulse > 0.0)
            least_force = fmin(least_force, impulse / run.result.h);
        least_slip = fmin(least_slip, slip_of(&run, row));
    }
    assert_true(least_force > 324.0 && least_force < 325.0);
    assert_true(least_slip > 0.2 && least_slip < 0.21);
    trial_free(&run);
}

static void consistent_start_order_is_between_1_and_2(void **state)
{
    (void)state;
    trial coarse = run_consistent_start(1e-4, 0.0), fine = run_consistent_start(1e-5, 0.0);
    double order = log10(sliding_error(&coarse) / sliding_error(&fine));
    assert_true(order > 1.0 && order < 2.0);
    trial_free(&coarse);
    trial_free(&fine);
}

static void anticipation_makes_sliding_5_to_10_times_less_accurate(void **state)
{
    (void)state;
    trial plain = run_consistent_start(2e-3, 0.0), anticipated = run_consistent_start(2e-3, 0.5);
    double ratio = sliding_error(&anticipated) / sliding_error(&plain);
    assert_true(ratio > 5.0 && ratio < 10.0);
    trial_free(&plain);
    trial_free(&anticipated);
}

/* ---- plate 14 ------------------------------------------------------------------------------------ */

typedef double (*signal_function)(const trial *run, const double *row);

static double relative_x(const trial *run, const double *row)
{
    return column(run, row, "relative_x");
}

static double height(const trial *run, const double *row)
{
    return position(run, row, Y);
}

static double angle(const trial *run, const double *row)
{
    return position(run, row, THETA);
}

static void expect_range(const trial *run, signal_function signal, double from, double lowest, double highest,
                         double tolerance)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < output_count(run); i++) {
        if (output(run, i)[0] < from)
            continue;
        double value = signal(run, output(run, i));
        low = fmin(low, value);
        high = fmax(high, value);
    }
    assert_near(low, lowest, tolerance);
    assert_near(high, highest, tolerance);
}

/* Squared amplitude of a signal at a frequency, over the outputs from a time on, every 8th, Hann window. */
static double power_at(const trial *run, signal_function signal, double mean, double from, double frequency)
{
    double cosine = 0.0, sine = 0.0, length = run->result.t_end - from;
    for (size_t i = 0; i < output_count(run); i += 8) {
        const double *row = output(run, i);
        if (row[0] < from)
            continue;
        double weight = 0.5 - 0.5 * cos(2.0 * pi * (row[0] - from) / length);
        double value = weight * (signal(run, row) - mean);
        cosine += value * cos(2.0 * pi * frequency * row[0]);
        sine += value * sin(2.0 * pi * frequency * row[0]);
    }
    return cosine * cosine + sine * sine;
}

/* The frequency of the highest peak between two frequencies. */
static double dominant_frequency(const trial *run, signal_function signal, double mean, double from,
                                 double low, double high)
{
    double best = low, most = -1.0;
    for (double frequency = low; frequency <= high; frequency += 0.01) {
        double power = power_at(run, signal, mean, from, frequency);
        if (power > most) {
            most = power;
            best = frequency;
        }
    }
    return best;
}

static void plate_14_regime(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-14", .h = 5e-4, .until = 8.0});
    expect_range(&run, relative_x, 2.0, -1.743, .910, 5e-4);
    expect_range(&run, height, 2.0, 1.848, 2.278, 5e-4);
    expect_range(&run, angle, 2.0, .7408, 1.0593, 5e-5);
    assert_near(dominant_frequency(&run, relative_x, -0.4, 2.0, 1.0, 3.0), 1.625, 0.01625);
    assert_near(dominant_frequency(&run, angle, 0.9, 2.0, 9.0, 12.0), 10.29, 0.1029);
    for (size_t i = 1; i < output_count(&run); i++)
        assert_true(slip_of(&run, output(&run, i)) > 0.0);
    assert_true(measured_value(&run, "stick_fraction", 0) == 0.0);
    trial_free(&run);
}

/* With the step of the plate the nose leaves the wall for single steps only: contact is kept. */
static void plate_14_keeps_contact(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-14", .until = 8.0});
    for (size_t i = 2; i < output_count(&run); i++) {
        assert_true(touches(&run, i) || touches(&run, i - 1));
        if (touches(&run, i))
            assert_true(slip_of(&run, output(&run, i)) > 0.0);
    }
    trial_free(&run);
}

/* ---- shocks -------------------------------------------------------------------------------------- */

/* Sums over the shocks of a run; divide by the count. */
typedef struct shock_sums {
    int count;
    double first, last; /* times */
    double lasts, before_x, before_y, after_x, after_y;
} shock_sums;

static void add_shock(shock_sums *sums, const trial *run, size_t start, size_t end)
{
    const double *before = output(run, start - 1), *after = output(run, start);
    if (sums->count++ == 0)
        sums->first = after[0];
    sums->last = after[0];
    sums->lasts += output(run, end)[0] - after[0];
    sums->before_x += column(run, before, "nose_vx");
    sums->before_y += column(run, before, "nose_vy");
    sums->after_x += column(run, after, "nose_vx");
    sums->after_y += column(run, after, "nose_vy");
}

/* Shocks after a time: those followed by take-off within 3 steps, and those followed by an episode of
 * contact. */
static void sum_shocks(const trial *run, double from, shock_sums *short_ones, shock_sums *long_ones)
{
    *short_ones = *long_ones = (shock_sums){0};
    for (size_t i = 1; i < output_count(run); i++) {
        if (output(run, i)[0] <= from || !touches(run, i) || touches(run, i - 1))
            continue;
        size_t end = i;
        while (end < output_count(run) && touches(run, end))
            end++;
        if (end < output_count(run))
            add_shock(end - i <= 3 ? short_ones : long_ones, run, i, end);
        i = end;
    }
}

static double period_of(const shock_sums *sums)
{
    return (sums->last - sums->first) / (sums->count - 1);
}

static void plate_15_shock_times(void **state)
{
    (void)state;
    static const double times[] = {.070, .154, .236, .317, .401, .483};
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-15"});
    for (int i = 0; i < 6; i++)
        assert_near(measured_value(&run, "shock_times", i), times[i], 1e-9);
    assert_int_equal(measured_value(&run, "shocks", 0), 48);
    trial_free(&run);
}

/* One shock per period: the nose sticks, then takes off at once. */
static void plate_15_regime(void **state)
{
    (void)state;
    static const double h[] = {1e-4, 5e-5}, period[] = {.082455, .082448};
    for (int i = 0; i < 2; i++) {
        trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-15", .h = h[i]});
        shock_sums shocks, episodes;
        sum_shocks(&run, 1.0, &shocks, &episodes);
        assert_int_equal(measured_value(&run, "shocks", 0), 48);
        assert_int_equal(episodes.count, 0);
        assert_near(period_of(&shocks), period[i], 2e-5);
        assert_near(shocks.before_x / shocks.count, -13.98, 0.1398);
        assert_near(shocks.before_y / shocks.count, -27.6, 0.276);
        assert_near(shocks.after_x / shocks.count, 0.0, 1000.0 * h[i]);
        assert_near(shocks.after_y / shocks.count, 0.0, 200.0 * h[i]);
        for (size_t k = 1; k < output_count(&run); k++)
            assert_true(regime_of(&run, output(&run, k), 0) != CAROM_CONTACT_SLIP);
        trial_free(&run);
    }
}

/* Two kinds of shock in turn: one followed by an episode of sliding, one by immediate take-off. */
static void plate_16_regime(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-16", .h = 2e-5});
    shock_sums take_offs, slides;
    sum_shocks(&run, 2.0, &take_offs, &slides);
    assert_true(abs(take_offs.count - slides.count) <= 1);
    assert_near(period_of(&slides), 0.1652, 0.001652);
    assert_near(period_of(&take_offs), 0.1652, 0.001652);
    assert_near(slides.lasts / slides.count, 0.0102, 0.000102);
    assert_near(slides.before_x / slides.count, 8.1, 0.081);
    assert_near(slides.before_y / slides.count, -18.56, 0.1856);
    assert_near(take_offs.before_x / take_offs.count, 29.67, 0.2967);
    assert_near(take_offs.before_y / take_offs.count, -7.47, 0.0747);
    double offset = fmod(take_offs.last - slides.last + period_of(&slides), period_of(&slides));
    assert_near(offset, 0.1140, 0.00114);
    trial_free(&run);
}

/* The nose always moves forward, in contact and out of it. */
static void plate_16_never_stops(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-16"});
    for (size_t i = 1; i < output_count(&run); i++) {
        assert_true(column(&run, output(&run, i), "nose_vx") > 0.0);
        assert_true(regime_of(&run, output(&run, i), 0) != CAROM_CONTACT_STICK);
        if (touches(&run, i))
            assert_true(slip_of(&run, output(&run, i)) > 0.0);
    }
    trial_free(&run);
}

/* ---- other torques ------------------------------------------------------------------------------- */

static void a_larger_torque_tips_the_solid_over(void **state)
{
    (void)state;
    static const double h[] = {.002, .0005};
    for (int i = 0; i < 2; i++) {
        trial run = trial_run(&(trial_request){.trial = "10", .variant = "jam", .h = h[i], .until = 2.0});
        assert_true(measured_value(&run, "theta_min", 0) < 0.0);
        trial_free(&run);
    }
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "plate-14", .until = 2.0});
    assert_true(measured_value(&run, "theta_min", 0) > 0.5);
    trial_free(&run);
}

static void a_smaller_torque_gives_irregular_shocks(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "10", .variant = "erratic"});
    double shortest = INFINITY, longest = 0.0;
    for (int i = 1; i < measured(&run, "shock_times")->count; i++) {
        double interval = measured_value(&run, "shock_times", i) - measured_value(&run, "shock_times", i - 1);
        shortest = fmin(shortest, interval);
        longest = fmax(longest, interval);
    }
    assert_near(shortest, .046, 1e-3);
    assert_near(longest, .26, 5e-3);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_the_plates),
        cmocka_unit_test(consistent_start_with_a_fine_step),
        cmocka_unit_test(consistent_start_comes_to_permanent_sliding),
        cmocka_unit_test(consistent_start_order_is_between_1_and_2),
        cmocka_unit_test(anticipation_makes_sliding_5_to_10_times_less_accurate),
        cmocka_unit_test(plate_14_regime),
        cmocka_unit_test(plate_14_keeps_contact),
        cmocka_unit_test(plate_15_shock_times),
        cmocka_unit_test(plate_15_regime),
        cmocka_unit_test(plate_16_regime),
        cmocka_unit_test(plate_16_never_stops),
        cmocka_unit_test(a_larger_torque_tips_the_solid_over),
        cmocka_unit_test(a_smaller_torque_gives_irregular_shocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
