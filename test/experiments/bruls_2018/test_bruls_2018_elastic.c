/* bruls-2018/elastic-bar and flexible-pendulum. Expected: independent prototype of the discrete equations;
 * exact wave. */
#include "test/experiments/trial.h"

/* d0 = 5.005, N = 200, h = 2e-3 */
#define BAR .experiment = "bruls-2018/elastic-bar", .variant = "digits"
#define LUMPED .word = {{"mass", "lumped"}}

typedef struct bar_case {
    trial_request request;
    double force[3]; /* of the first steps in contact, 0: not compared */
    double impulse, energy_first, energy_end;
    double gap_end; /* NAN: not compared */
} bar_case;

static const bar_case bar_cases[] = {
    {{BAR}, {215.063, 307.996, 308.303}, 198.95777, 498.5299, 497.3296, 8.22205},
    {{BAR, .option = {{"constraints", "pvv"}}},
     {215.063, 307.996, 308.303},
     198.94482,
     498.5299,
     497.3055,
     8.22076},
    {{BAR, .set = {{"rho_inf", 1}}}, {213.603, 311.218, 305.682}, 198.98454, 498.5711, 498.5808, 8.22915},
    {{BAR, .set = {{"rho_inf", 0.5}}}, {221.747, 297.770, 310.665}, 198.77055, 498.3311, 494.0538, 8.20587},
    {{BAR, .set = {{"rho_inf", 0}}}, {243.060, 282.415, 302.918}, 197.93248, 497.6418, 486.5846, 8.12228},
    {{BAR, .scheme = "moreau-jean"}, {166.458, 270.338, 321.154}, 198.96132, 498.3354, 498.3354, 8.21663},
    {{BAR, .scheme = "moreau-jean", .option = {{"theta", "1"}}},
     {308.558, 0, 315.613},
     191.23671,
     496.9144,
     426.7214,
     7.42446},
    {{BAR, LUMPED}, {231.785, 273.111, 327.497}, 198.66089, 498.1893, 497.2190, NAN},
    {{BAR, LUMPED, .scheme = "moreau-jean"}, {195.256, 230.466, 324.920}, 198.68323, 498.0474, 498.0474, NAN},
};

static void a_bar_hits_the_wall_as_in_the_prototype(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bar_cases / sizeof *bar_cases; k++) {
        const bar_case *want = &bar_cases[k];
        trial run = trial_run(&want->request);
        assert_near(measured_value(&run, "first_contact", 0), 0.502, 1e-9);
        for (int i = 0; i < 3; i++) {
            const double *row = output(&run, 251 + (size_t)i);
            assert_near(row[run.result.layout.impulse] / run.result.h, want->force[i], 6e-4);
        }
        assert_near(measured_value(&run, "impulse_sum", 0), want->impulse, 6e-6);
        assert_near(measured_value(&run, "energy_first", 0), want->energy_first, 6e-5);
        assert_near(measured_value(&run, "energy_end", 0), want->energy_end, 6e-5);
        if (isfinite(want->gap_end))
            assert_near(measured_value(&run, "gap_end", 0), want->gap_end, 6e-6);
        trial_free(&run);
    }
}

/* Exact: 300 N for 2/3 s, impulse 200, the bar leaves at -v0. L1 errors of the gap for c h / l = 1.2 by the
 * prototype. */
static void the_wave_is_approached(void **state)
{
    (void)state;
    static const struct {
        double elements, h, impulse, gap_error;
    } cases[] = {
        {50, 8e-3, 197.27776, 1.107e-1}, {100, 4e-3, 198.34513, 6.63e-2}, {200, 2e-3, 198.95777, 4.13e-2}};
    for (int k = 0; k < 3; k++) {
        trial run = trial_run(&(trial_request){BAR, .set = {{"N", cases[k].elements}}, .h = cases[k].h});
        assert_near(measured_value(&run, "impulse_sum", 0), cases[k].impulse, 6e-6);
        assert_near(2 * measured_value(&run, "gap_error", 0), cases[k].gap_error, 6e-5);
        assert_near(measured_value(&run, "force_mean", 0), 300.0, k == 0 ? 0.05 : 0.005);
        assert_true(measured_value(&run, "deepest", 0) > -1e-12);
        trial_free(&run);
    }
}

/* Free fall, four elements: state at t = 0.3. */
static void a_beam_falls_as_in_the_prototype(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bruls-2018/flexible-pendulum", .variant = "fall"});
    assert_near(measured_value(&run, "tip_x", 0), 0.786926569, 2e-9);
    assert_near(measured_value(&run, "tip_y", 0), -0.617047208, 2e-9);
    assert_near(measured_value(&run, "tip_phi", 0), -0.665110780, 2e-9);
    assert_near(measured_value(&run, "root_phi", 0), -0.664919811, 2e-9);
    assert_near(measured_value(&run, "energy_0_3", 0), -1.8e-7, 6e-9);
    trial_free(&run);
}

/* Contact of the beam is chaotic: the first contact, the phases, no penetration, no gain of energy over 20
 * steps, and the energy within 10 %. Four times the step of the source keeps the test quick. */
static void a_beam_touches_in_two_phases(void **state)
{
    (void)state;
    trial run =
        trial_run(&(trial_request){.experiment = "bruls-2018/flexible-pendulum", .h = 2e-5, .until = 0.36});
    assert_near(measured_value(&run, "first_contact", 0), 0.32703, 3e-5);
    assert_near(measured_value(&run, "first_phase_end", 0), 0.332, 1e-3);
    assert_near(measured_value(&run, "last_contact", 0), 0.3465, 1.5e-3);
    assert_true(measured_value(&run, "deepest", 0) > -1e-9);
    for (size_t i = 20; i < output_count(&run); i += 20)
        assert_true(energy_of(&run, output(&run, i)) - energy_of(&run, output(&run, i - 20)) < 1e-5);
    assert_near(measured_value(&run, "energy_end", 0), -1.0445, 0.1);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_hits_the_wall_as_in_the_prototype),
        cmocka_unit_test(the_wave_is_approached),
        cmocka_unit_test(a_beam_falls_as_in_the_prototype),
        cmocka_unit_test(a_beam_touches_in_two_phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
