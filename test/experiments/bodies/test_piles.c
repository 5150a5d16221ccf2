/* Piles: what stands carries its weight and does not move at all; grains come to rest and go through nothing. */
#include "body_trials.h"

static void towers_stand(void **state)
{
    (void)state;
    static const char *const name[] = {"bodies/pyramid", "bodies/stack", "bodies/kapla"};
    static const char *const load[] = {"load", "base", "load"};
    for (int i = 0; i < 3; i++) {
        trial run = trial_run(&(trial_request){.experiment = name[i], .until = 0.2});
        assert_true(measure_of(&run, "moved") == 0.0);
        assert_true(measure_of(&run, "speed") == 0.0);
        assert_relative(measure_of(&run, load[i]), measure_of(&run, "weight"), 2e-6);
        trial_free(&run);
    }
}

static void interfaces_of_a_stack(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/stack", .set = {{"n", 12}}, .until = 0.1});
    const double one = 500 * 0.4 * 0.3 * 0.2 * gravity;
    assert_relative(measure_of(&run, "base"), 12 * one, 1e-7);
    assert_relative(measure_of(&run, "middle"), 6 * one, 1e-7); /* below box 7 */
    assert_relative(measure_of(&run, "top"), one, 1e-7);
    trial_free(&run);
}

static void discs_stay_in_their_bin(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.experiment = "bodies/bin", .variant = k ? "bouncy" : NULL});
        assert_energy_falls(&run);
        assert_true(measure_of(&run, "below") > -1e-4); /* radius 0.05 */
        assert_true(measure_of(&run, "outside") < 1e-4);
        assert_true(measure_of(&run, "kinetic_end") < (k ? 0.05 : 1e-6) * measure_of(&run, "kinetic_most"));
        trial_free(&run);
    }
}

/* With Moreau's law of impact no step gains; Newton's tells of what is a noticeable part of what moves. */
static void the_energy_of_a_bin_never_grows(void **state)
{
    (void)state;
    skip_when_slow();
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.experiment = "bodies/bin",
                                               .variant = k ? "bouncy" : NULL,
                                               .option = {{"impact_law", "moreau"}}});
        assert_energy_never_grows(&run);
        assert_int_equal(run.result.warnings.count, 0);
        assert_true(measure_of(&run, "kinetic_end") < 0.05 * measure_of(&run, "kinetic_most"));
        trial_free(&run);
        run = trial_run(&(trial_request){.experiment = "bodies/bin", .variant = k ? "bouncy" : NULL});
        const bool noticeable = run.result.max_step_gain > 1e-3 * measure_of(&run, "kinetic_most");
        assert_int_equal(run.result.warnings.count, noticeable);
        assert_true(!noticeable || strstr(run.result.warnings.text[0], "energy-gain"));
        trial_free(&run);
    }
}

/* Bouncy ones gain by Newton's law, and say so; with Moreau's there is nothing to say. */
static void bins_of_all_kinds_end_well(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k += TRIAL_SLOW ? 9 : 1) {
        const bool moreau = k % 2 == 1;
        trial run =
            trial_run(&(trial_request){.experiment = "bodies/bin",
                                       .set = {{"seed", k / 2}, {"e", 0.9 * (k / 2) / 19}, {"h", 1e-3}},
                                       .option = {{"impact_law", moreau ? "moreau" : "own"}},
                                       .until = 1.0});
        const carom_certificate *certificate = &run.result.certificate;
        assert_true(certificate->doubts <= (moreau ? 0 : 1));
        if (certificate->doubts > 0)
            assert_true(strstr(certificate->doubt[0], "energy: the contacts gained") != NULL);
        if (moreau)
            assert_energy_never_grows(&run);
        assert_true(measure_of(&run, "below") > -5e-4);
        assert_true(measure_of(&run, "outside") < 5e-4);
        trial_free(&run);
    }
}

/* The pile comes to rest and is no higher than the layers that it was made of. */
static void spheres_settle_in_their_box(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/spheres",
                                           .set = {{"n", TRIAL_SLOW ? 20 : 60}},
                                           .until = TRIAL_SLOW ? 0.5 : 1.0});
    assert_energy_falls(&run);
    assert_true(measure_of(&run, "below") > -1e-4); /* radius 0.05 */
    assert_true(measure_of(&run, "outside") < 1e-4);
    assert_true(measure_of(&run, "height") < (TRIAL_SLOW ? 0.08 : 0.19));
    assert_true(measure_of(&run, "height") > 0.05);
    assert_true(measure_of(&run, "kinetic_end") < 0.1 * measure_of(&run, "kinetic_most"));
    trial_free(&run);
}

/* A minute. */
static void forty_boxes_do_not_creep(void **state)
{
    (void)state;
    skip_when_slow();
    trial run = trial_run(
        &(trial_request){.experiment = "bodies/stack", .variant = "forty", .h = 5e-3, .until = 60.0});
    assert_true(measure_of(&run, "moved") <= 1e-12);
    assert_true(measure_of(&run, "speed") == 0.0);
    trial_free(&run);
}

/* Islands have nothing of each other: bits do not depend on who solves them. */
static void threads_give_the_same_bits(void **state)
{
    (void)state;
    trial one = {0};
    for (int threads = 1; threads <= 3; threads++) {
        char text[8];
        snprintf(text, sizeof text, "%d", threads);
        trial run = trial_run(&(trial_request){.experiment = "bodies/bin",
                                               .set = {{"n", 300}},
                                               .option = {{"threads", text}},
                                               .until = TRIAL_SLOW ? 0.1 : 0.3});
        if (threads == 1) {
            one = run;
            continue;
        }
        assert_int_equal(output_count(&run), output_count(&one));
        const size_t last = output_count(&one) - 1;
        for (int i = 0; i < one.series.layout.width; i++)
            assert_true(output(&run, last)[i] == output(&one, last)[i]);
        trial_free(&run);
    }
    trial_free(&one);
}

static void a_column_flows_out(void **state)
{
    (void)state;
    trial run = trial_run(
        &(trial_request){.experiment = "bodies/column", .set = {{"columns", 4}}, .h = 4e-4, .until = 0.6});
    assert_true(measure_of(&run, "run_out") > 0.3);
    assert_true(measure_of(&run, "height_end") < measure_of(&run, "height_start"));
    assert_true(measure_of(&run, "lowest") > 0.8 * 0.0085 * cos(acos(-1.0) / 5)); /* the least inner radius */
    trial_free(&run);
}

static void discs_run_through_an_hourglass(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/hourglass"});
    assert_true(measure_of(&run, "passed") == 50.0);
    assert_true(measure_of(&run, "outside") < 1e-4);
    assert_energy_falls(&run);
    trial_free(&run);
    if (TRIAL_SLOW)
        return;
    /* a wider neck lets them through faster */
    trial narrow = trial_run(&(trial_request){.experiment = "bodies/hourglass", .until = 0.6});
    trial wide =
        trial_run(&(trial_request){.experiment = "bodies/hourglass", .set = {{"neck", 7}}, .until = 0.6});
    assert_true(measure_of(&wide, "passed") > measure_of(&narrow, "passed") + 5.0);
    trial_free(&narrow);
    trial_free(&wide);
}

/* The more a disc resists rolling, the steeper the heap; without it there is none. */
static void discs_that_resist_rolling_heap(void **state)
{
    (void)state;
    skip_when_slow();
    static const double rolling[] = {0.0, 0.05, 0.2};
    double angle[3];
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = "bodies/heap", .set = {{"n", 60}, {"rolling", rolling[k]}}});
        angle[k] = measure_of(&run, "angle");
        /* the projection lifts discs that came too deep: 4e-5 J of 40, with rolling friction and without */
        assert_energy_below(&run, 2e-6 * energy_of(&run, output(&run, 0)));
        assert_true(measure_of(&run, "below") > -1e-5); /* radius 0.01 */
        if (k > 0)
            assert_true(measure_of(&run, "kinetic_end") == 0.0);
        else
            assert_true(measure_of(&run, "kinetic_end") > 0.0);
        trial_free(&run);
    }
    assert_true(angle[0] < 2.0);
    assert_true(angle[1] > angle[0] + 2.0);
    assert_true(angle[2] > angle[1] + 5.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(towers_stand),
        cmocka_unit_test(interfaces_of_a_stack),
        cmocka_unit_test(discs_stay_in_their_bin),
        cmocka_unit_test(the_energy_of_a_bin_never_grows),
        cmocka_unit_test(bins_of_all_kinds_end_well),
        cmocka_unit_test(spheres_settle_in_their_box),
        cmocka_unit_test(forty_boxes_do_not_creep),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(a_column_flows_out),
        cmocka_unit_test(discs_run_through_an_hourglass),
        cmocka_unit_test(discs_that_resist_rolling_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
