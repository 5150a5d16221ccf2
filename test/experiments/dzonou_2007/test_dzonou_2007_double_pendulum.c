/* The double pendulum against a wall, case DP-A: event-driven values, schemes, orders, penalty; other
 * pendulums. */
#include "test/experiments/trial.h"

#define PENDULUM "dzonou-2007/double-pendulum"
#define EV "event-driven"
#define PS "paoli-schatzman"
#define VS "sweeping"

static trial run_pendulum(const char *scheme, double e, double h, double until, carom_override option)
{
    return trial_run(&(trial_request){.experiment = PENDULUM,
                                      .scheme = scheme,
                                      .set = {{"e", e}},
                                      .option = {option},
                                      .h = h,
                                      .until = until});
}

static const carom_override no_option = {0};

static double gap_of(const trial *run, const double *row)
{
    return row[run->result.layout.gap];
}

static double gap_rate(const trial *run, const double *row)
{
    return -cos(position(run, row, 0)) * velocity(run, row, 0) -
           cos(position(run, row, 1)) * velocity(run, row, 1);
}

/* ---- event-driven --------------------------------------------------------------------------------- */

static void event_driven_states(void **state)
{
    (void)state;
    static const struct {
        double e, t, q[2], u[2];
    } states[] = {
        {0, .5, {-0.0825425823, -0.6278324488}, {1.8870619389, 1.5299942588}},
        {.5, .5, {-0.0825425823, -0.6278324488}, {1.8870619389, 1.5299942588}},
        {1, .5, {-0.0825425823, -0.6278324488}, {1.8870619389, 1.5299942588}},
        {0, 1, {-0.0660996724, -0.2361368631}, {-1.1913955038, 1.2227256039}},
        {0, 1.5, {-0.2447185434, -0.0606020007}, {0.9265384157, -0.8971032444}},
        {0, 2, {0.1086432225, -0.4207329839}, {-0.3304637335, 0.3599025283}},
        {.5, 1, {-0.1854790072, -0.5777504047}, {-1.4086797320, 1.3810054008}},
        {.5, 2, {0.2728885677, -0.6208575399}, {-0.0358858557, 0.1569825975}},
        {1, 1, {-0.4382860452, -1.0084260529}, {-1.9148606073, 0.7920227660}},
        {1, 2, {0.1574357221, -1.0814427061}, {-0.4050011300, -2.5291355415}},
    };
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        trial run = run_pendulum(EV, states[i].e, 0.01, 2, no_option);
        const double *row = output_at(&run, states[i].t);
        for (int k = 0; k < 2; k++) {
            assert_near(position(&run, row, k), states[i].q[k], 1e-9);
            assert_near(velocity(&run, row, k), states[i].u[k], 2e-9);
        }
        assert_near(run.result.energy_initial, -20.292529959734, 1e-11);
        trial_free(&run);
    }
}

/* State and energy just before and just after an impact, each the end of one output interval. */
static void event_driven_impacts(void **state)
{
    (void)state;
    static const struct {
        double e, t, rate, energy_before, energy_after;
    } impacts[] = {
        {0, 0.607218647, -3.767716500, -20.292529960, -28.383705826},
        {0, 1.573774485, -0.086038257, -28.383705826, -28.387475075},
        {.5, 0.607218647, -3.767716500, -20.292529960, -26.360911859},
        {.5, 1.569314216, -0.977316391, -26.360911859, -26.719264930},
        {.5, 1.848229869, -0.561346599, -26.719264930, -26.863166027},
        {1, 0.607218647, -3.767716500, -20.292529960, -20.292529960},
        {1, 1.810236179, -3.161442324, -20.292529960, -20.292529960},
    };
    for (size_t i = 0; i < sizeof impacts / sizeof *impacts; i++) {
        double e = impacts[i].e, before = impacts[i].t - 2e-9, after = impacts[i].t + 2e-9;
        trial first = run_pendulum(EV, e, before, before, no_option);
        trial second = run_pendulum(EV, e, after, after, no_option);
        assert_near(gap_rate(&first, output(&first, 1)), impacts[i].rate, 1e-7);
        assert_near(gap_rate(&second, output(&second, 1)), -e * impacts[i].rate, 1e-7);
        assert_near(energy_of(&first, output(&first, 1)), impacts[i].energy_before, 2e-9);
        assert_near(energy_of(&second, output(&second, 1)), impacts[i].energy_after, 2e-9);
        trial_free(&first);
        trial_free(&second);
    }
}

static void inelastic_tip_stays_at_the_wall_and_leaves_it(void **state)
{
    (void)state;
    trial run = run_pendulum(EV, 0, 1e-3, 2, no_option);
    const double detachment = 1.239203281, second_impact = 1.573774485;
    for (size_t i = 0; i < output_count(&run); i++) {
        const double *row = output(&run, i);
        bool closed = (row[0] > 0.608 && row[0] < detachment) || row[0] > second_impact;
        if (closed)
            assert_near(gap_of(&run, row), 0, 1e-11);
        else
            assert_true(gap_of(&run, row) > -1e-12);
    }
    const double *left = first_output_after(&run, 0.61, 0, false);
    assert_true(left[0] > detachment && left[0] < detachment + 2.1e-3);
    trial_free(&run);
}

/* The inertia terms: another formula in print keeps the energy too, and gives (.35738645, .78798299). */
static void free_pendulum_has_the_right_inertia_terms(void **state)
{
    (void)state;
    trial run = trial_run(
        &(trial_request){.experiment = PENDULUM, .scheme = EV, .set = {{"xw", 10}}, .h = 0.01, .until = 1});
    assert_near(position(&run, output_at(&run, 1), 0), .28639664, 1e-8);
    assert_near(position(&run, output_at(&run, 1), 1), .92311130, 1e-8);
    trial_free(&run);
}

/* ---- time stepping -------------------------------------------------------------------------------- */

typedef struct stepping {
    const char *scheme;
    carom_override option;
    double at_2[3][2]; /* 2000 steps; e = 0, .5, 1 */
} stepping;

static const stepping steppings[] = {
    {PS, {"start", "euler"}, {{.10835556, -.42041972}, {.27347574, -.61987229}, {.15553155, -1.07075490}}},
    {PS, {"start", "taylor2"}, {{.10817219, -.42022003}, {.27298511, -.61981964}, {.15563561, -1.07124428}}},
    {VS, {"implicit", "off"}, {{.10822865, -.42021115}, {.27298183, -.62014277}, {.15827097, -1.07659493}}},
    {VS, {"implicit", "on"}, {{.10888985, -.42091033}, {.27390530, -.62149318}, {.15929463, -1.07496163}}},
};
static const double restitutions[] = {0, .5, 1};

static void schemes_at_2000_steps(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            trial run = run_pendulum(steppings[i].scheme, restitutions[k], 1e-3, 2, steppings[i].option);
            assert_near(measured_value(&run, "angle1_end", 0), steppings[i].at_2[k][0], 2e-7);
            assert_near(measured_value(&run, "angle2_end", 0), steppings[i].at_2[k][1], 2e-7);
            if (i == 0 && k == 0)
                assert_true(measured_value(&run, "deepest", 0) > -1e-15);
            if (i == 2 && k == 0)
                assert_near(measured_value(&run, "deepest", 0), -1.25e-3, 5e-6);
            trial_free(&run);
        }
}

enum {
    TIMES = 500, /* at which the error is taken */
    LEVELS = 6
};

static double largest_error(const trial *run, const trial *exact)
{
    size_t every = (output_count(run) - 1) / TIMES, every_exact = (output_count(exact) - 1) / TIMES;
    double error = 0;
    for (size_t i = 0; i <= TIMES; i++)
        for (int k = 0; k < 2; k++)
            error = fmax(error, fabs(position(run, output(run, i * every), k) -
                                     position(exact, output(exact, i * every_exact), k)));
    return error;
}

static double slope(const double *error)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
    for (int i = 0; i < LEVELS; i++) {
        double x = -i * log(2), y = log(error[i]);
        sum_x += x, sum_y += y, sum_xx += x * x, sum_xy += x * y;
    }
    return (LEVELS * sum_xy - sum_x * sum_y) / (LEVELS * sum_xx - sum_x * sum_x);
}

static void schemes_are_of_first_order(void **state)
{
    (void)state;
    /* 500 and 16000 steps; for paoli-schatzman and sweeping as they are, 0: not given */
    static const double ends[4][3][2] = {{{5.14e-3, 1.61e-4}, {1.84e-2, 5.9e-4}, {7.02e-2, 2.24e-3}},
                                         {{0}},
                                         {{1.10e-2, 3.7e-4}, {2.5e-2, 7.6e-4}, {4.7e-2, 1.9e-3}},
                                         {{0}}};
    for (int k = 0; k < 3; k++) {
        trial exact = run_pendulum(EV, restitutions[k], 4e-3, 2, no_option);
        for (int i = 0; i < 4; i++) {
            double error[LEVELS];
            for (int level = 0; level < LEVELS; level++) {
                trial run = run_pendulum(steppings[i].scheme, restitutions[k], 4e-3 / (1 << level), 2,
                                         steppings[i].option);
                error[level] = largest_error(&run, &exact);
                trial_free(&run);
            }
            assert_true(slope(error) > 0.975 && slope(error) < 1.125);
            if (ends[i][k][0] > 0) {
                assert_near(error[0], ends[i][k][0], 0.03 * ends[i][k][0]);
                assert_near(error[LEVELS - 1], ends[i][k][1], 0.03 * ends[i][k][1]);
            }
        }
        trial_free(&exact);
    }
}

/* ---- penalty -------------------------------------------------------------------------------------- */

static void penalty_at_three_stiffnesses(void **state)
{
    (void)state;
    static const struct {
        double e;
        const char *n;
        double q[2];
    } cases[] = {
        {.5, "1e4", {.28048907, -.62121190}}, {.5, "1e6", {.27447465, -.62099280}},
        {.5, "1e8", {.27305422, -.62087359}}, {1, "1e4", {.17069555, -.92485919}},
        {1, "1e6", {.15753608, -1.06719280}}, {1, "1e8", {.15743167, -1.08003311}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial run = run_pendulum("penalty", cases[i].e, 4e-3, 2, (carom_override){"n", (char *)cases[i].n});
        assert_near(measured_value(&run, "angle1_end", 0), cases[i].q[0], 1e-6);
        assert_near(measured_value(&run, "angle2_end", 0), cases[i].q[1], 1e-6);
        trial_free(&run);
    }
}

/* The reference takes it at t = 0.5, 1, 1.5 and 2 only. */
static double error_at_four_times(const trial *run, const trial *exact)
{
    double error = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            const char *name = k == 0 ? "angle1" : "angle2";
            error = fmax(error, fabs(measured_value(run, name, i) - measured_value(exact, name, i)));
        }
    return error;
}

/* The measure has the located times, whatever the interval between outputs. */
static void impact_times_are_located(void **state)
{
    (void)state;
    static const double exact[3] = {0.607218647, 1.569314216, 1.848229869};
    trial run = run_pendulum(EV, .5, 4e-3, 2, no_option);
    assert_int_equal(measured(&run, "impact_times")->count, 3);
    for (int i = 0; i < 3; i++)
        assert_near(measured_value(&run, "impact_times", i), exact[i], 2e-9);
    trial_free(&run);
}

static void penalty_error_and_depth(void **state)
{
    (void)state;
    static const struct {
        const char *n;
        double h, error, deepest;
    } cases[] = {{"1e4", 1e-3, .0272, -2.8217e-2},
                 {"1e6", 2e-4, .00276, -2.7857e-3},
                 {"1e8", 2e-5, .000276, -2.7856e-4}};
    trial exact = run_pendulum(EV, .5, 4e-3, 2, no_option);
    for (int i = 0; i < 3; i++) {
        trial run = run_pendulum("penalty", .5, cases[i].h, 2, (carom_override){"n", (char *)cases[i].n});
        assert_near(error_at_four_times(&run, &exact), cases[i].error, 0.01 * cases[i].error);
        assert_near(measured_value(&run, "deepest", 0), cases[i].deepest, 0.01 * fabs(cases[i].deepest));
        assert_int_equal(measured(&run, "impact_times")->count, 3);
        trial_free(&run);
    }
    trial_free(&exact);
}

/* ---- another pendulum ----------------------------------------------------------------------------- */

static void other_masses_rods_and_walls_run_with_every_scheme(void **state)
{
    (void)state;
    static const char *const schemes[] = {PS, VS, "moreau-jean", "penalty", EV};
    static const trial_setting pendulums[][8] = {
        {{"m1", 2}, {"m2", .5}, {"l1", .7}, {"l2", 1.3}, {"g", 1.62}, {"xw", .2}, {"w1", 2}, {"e", .7}},
        {{"m1", 3}, {"m2", 1.5}, {"l1", 1.5}, {"l2", .8}, {"xw", .1}, {"th1", -.5}, {"th2", .3}, {"e", .2}},
    };
    for (int p = 0; p < 2; p++) {
        trial_request request = {.experiment = PENDULUM, .scheme = EV, .h = 5e-4, .until = 1.5};
        memcpy(request.set, pendulums[p], sizeof pendulums[p]);
        trial exact = trial_run(&request);
        assert_true(exact.result.impacts > 0);
        for (int i = 0; i < 5; i++) {
            request.scheme = schemes[i];
            trial run = trial_run(&request);
            assert_true(run.result.impacts > 0);
            assert_true(largest_error(&run, &exact) < 0.03);
            assert_true(measured_value(&run, "deepest", 0) > -0.01);
            trial_free(&run);
        }
        trial_free(&exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(event_driven_states),
        cmocka_unit_test(event_driven_impacts),
        cmocka_unit_test(inelastic_tip_stays_at_the_wall_and_leaves_it),
        cmocka_unit_test(free_pendulum_has_the_right_inertia_terms),
        cmocka_unit_test(schemes_at_2000_steps),
        cmocka_unit_test(schemes_are_of_first_order),
        cmocka_unit_test(penalty_at_three_stiffnesses),
        cmocka_unit_test(impact_times_are_located),
        cmocka_unit_test(penalty_error_and_depth),
        cmocka_unit_test(other_masses_rods_and_walls_run_with_every_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
