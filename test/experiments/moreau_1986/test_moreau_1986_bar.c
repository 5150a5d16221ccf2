/* Trial 8: a bar inside a circle, INEL with two constraints at once. */
#include "carom/linalg.h"
#include "test/experiments/trial.h"

enum {
    END_A,
    END_B
};

/* Every output from one time to another carries an impulse at the contact, or none does. */
static void expect_contact(const trial *run, int contact, double from, double to, bool touching)
{
    for (size_t i = 0; i < output_count(run); i++) {
        const double *row = output(run, i);
        double slack = 0.25 * run->result.h;
        if (row[0] < from - slack || row[0] > to + slack)
            continue;
        if ((regime_of(run, row, contact) != CAROM_CONTACT_OPEN) != touching)
            fail_msg("contact %d at t = %g: %s", contact, row[0], touching ? "open" : "touching");
    }
}

static void expect_state_at_1(const trial *run, double x, double y, double theta)
{
    assert_near(measured_value(run, "x_at_1", 0), x, 1e-4);
    assert_near(measured_value(run, "y_at_1", 0), y, 1e-4);
    assert_near(measured_value(run, "theta_at_1", 0), theta, 1e-5);
}

/* The rate of a gap at the start of a run. */
static double initial_gap_rate(const trial *run, int contact)
{
    const carom_model *model = run->experiment->model;
    carom_model_work *work = model->ops->work_create(model);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(work && arena && carom_contact_frame_take(arena, model, &frame));
    model->ops->bind(work, run->experiment->parameter);
    const double *row = output(run, 0);
    model->ops->frame(work, contact, row[0], row + run->result.layout.q, &frame);
    double rate = carom_row_dot(&frame.normal, row + run->result.layout.v) + frame.normal_rate;
    model->ops->work_free(work);
    carom_arena_free(arena);
    return rate;
}

static void the_printed_start_is_not_quite_on_the_circle(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "08"});
    const double *gap = output(&run, 0) + run.result.layout.gap;
    assert_near(gap[END_A], -0.01850, 5e-6);
    assert_near(gap[END_B], 0.00644, 5e-6);
    assert_near(initial_gap_rate(&run, END_A), -41.71, 5e-3);
    assert_near(initial_gap_rate(&run, END_B), 40.32, 5e-3);
    assert_near(energy_of(&run, output(&run, 0)), 37230.8, 0.05);
    trial_free(&run);
}

/* Published: A has left by position 2, B by 6, A has hit by 12, B by 21 (positions every 0.05). */
static void plate_10_sequence(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "08"});
    expect_contact(&run, END_A, 0.01, 0.11, true);
    expect_contact(&run, END_A, 0.12, 0.57, false);
    expect_contact(&run, END_A, 0.58, 0.58, true);
    expect_contact(&run, END_B, 0.14, 0.21, true);
    expect_contact(&run, END_B, 0.22, 1.00, false);
    expect_contact(&run, END_B, 1.01, 1.01, true);
    expect_state_at_1(&run, 29.6485, -24.6999, 6.85490);
    trial_free(&run);
}

static void plate_10_without_correction(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.trial = "08", .set = {{"correction", 0}}});
    expect_state_at_1(&run, 29.9473, -24.8205, 6.85453);
    trial_free(&run);
}

/* Without anticipation B strikes a position earlier. */
static void plate_10_without_anticipation(void **state)
{
    (void)state;
    for (int correction = 0; correction < 2; correction++) {
        trial run =
            trial_run(&(trial_request){.trial = "08", .set = {{"av", 0}, {"correction", correction}}});
        double strike = first_output_after(&run, 0.7, END_B, true)[0];
        assert_true(strike > 0.955 && strike < 0.985);
        trial_free(&run);
    }
}

/* The time B strikes again grows as the step shrinks; with h = 0.0001 it does not strike before the end. */
static void the_end_of_plate_10_is_an_artefact_of_the_step(void **state)
{
    (void)state;
    static const double h[] = {0.01, 0.002, 0.0005}, strike[] = {1.01, 1.290, 1.441};
    for (int i = 0; i < 3; i++) {
        trial run = trial_run(&(trial_request){.trial = "08", .h = h[i]});
        assert_near(first_output_after(&run, 0.3, END_B, true)[0], strike[i], 0.25 * h[i]);
        trial_free(&run);
    }
    trial run = trial_run(&(trial_request){.trial = "08", .h = 0.0001});
    expect_contact(&run, END_B, 0.3, 1.5, false);
    expect_state_at_1(&run, 12.3281, -3.3918, 8.08017);
    trial_free(&run);
}

/* The exact motion starts from the printed data put on both contacts; the correction does the same in the
 * first steps, and its effect goes to zero with them. */
static void plate_10_comes_to_the_exact_motion(void **state)
{
    (void)state;
    static const double end[] = {-2.69728, -23.28542, 6.144136}, tolerance[] = {0.02, 0.1, 0.01};
    trial runs[2];
    double before[2], after[2];
    for (int i = 0; i < 2; i++) {
        runs[i] = trial_run(&(trial_request){.trial = "08", .h = i == 0 ? 1e-4 : 2e-5});
        const trial *run = &runs[i];
        double h = run->result.h;
        assert_near(first_output_after(run, 0.02, END_A, false)[0], 0.112468, 2.0 * h);
        assert_near(measured_value(run, "B_leaves", measured(run, "B_leaves")->count - 1), 0.210959, 2.0 * h);
        const double *strike = first_output_after(run, 0.3, END_A, true);
        assert_near(strike[0], 0.579323, 2.0 * h);
        before[i] = energy_of(run, strike - run->result.layout.width);
        after[i] = energy_of(run, strike);
        double last = measured_value(run, "A_leaves", measured(run, "A_leaves")->count - 1);
        assert_near(last, 1.385232, 400.0 * h);
        expect_contact(run, END_B, 0.22, 1.5, false);
    }
    assert_near(limit_of(before[0], 1e-4, before[1], 2e-5), 37230.619, 1.0);
    assert_near(limit_of(after[0], 1e-4, after[1], 2e-5), -1886.279, 1.0);
    for (int k = 0; k < 3; k++)
        assert_near(limit_of(position(&runs[0], output_at(&runs[0], 1.5), k), 1e-4,
                             position(&runs[1], output_at(&runs[1], 1.5), k), 2e-5),
                    end[k], tolerance[k]);
    trial_free(&runs[0]);
    trial_free(&runs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_printed_start_is_not_quite_on_the_circle),
        cmocka_unit_test(plate_10_sequence),
        cmocka_unit_test(plate_10_without_correction),
        cmocka_unit_test(plate_10_without_anticipation),
        cmocka_unit_test(the_end_of_plate_10_is_an_artefact_of_the_step),
        cmocka_unit_test(plate_10_comes_to_the_exact_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
