/* Generalized-alpha: an elastic bar of 200 elements against a wall, with the reference values of the spec
 * (section 10.4). */
#include "alpha_runs.h"

static const char bar_text[] = "local N, d0 = 200, 5.005\n"
                               "local l, name = 10 / N, {}\n"
                               "for i = 0, N do name[i + 1] = 'u' .. i end\n"
                               "local u = { coordinates(table.unpack(name)) }\n"
                               "for i = 1, N do\n"
                               "  local a, b = dot(u[i]), dot(u[i + 1])\n"
                               "  kinetic(l / 6 * (a^2 + a * b + b^2))\n"
                               "  potential(450 / l * (u[i + 1] - u[i])^2)\n"
                               "end\n"
                               "contact { 'wall', gap = d0 + u[1] }\n";

typedef struct bar_row {
    const char *option;
    double force[3], impulse, energy_first, energy_end, gap, speed;
} bar_row;

static const bar_row bar_rows[] = {
    {"rho_inf=0.8", {215.063, 307.996, 308.303}, 198.95777, 498.5299, 497.3296, 8.22205, 9.89578},
    {"rho_inf=1", {213.603, 311.218, 305.682}, 198.98454, 498.5711, 498.5808, 8.22915, 9.89845},
    {"rho_inf=0.5", {221.747, 297.770, 310.665}, 198.77055, 498.3311, 494.0538, 8.20587, 9.87705},
    {"rho_inf=0", {243.060, 282.415, 302.918}, 197.93248, 497.6418, 486.5846, 8.12228, 9.79325},
    {"constraints=pvv", {215.063, 307.996, 308.303}, 198.94482, 498.5299, 497.3055, 8.22076, 9.89448},
};

static void expect_bar(alpha_run *run, const bar_row *row)
{
    const carom_state *now = &run->stepper->state;
    history noted = {.least_gap = INFINITY};
    run_noting(run, 250, &noted);
    assert_int_equal(noted.impacts, 0);
    assert_int_equal(run->stepper->counts.solver_iterations, 0); /* free flight: predictions are exact */
    for (int k = 0; k < 3; k++) {
        run_noting(run, 1, &noted);
        assert_near(now->impulse[0] / 2e-3, row->force[k], 6e-4);
        if (k == 0)
            assert_near(alpha_energy(run), row->energy_first, 6e-5);
    }
    assert_near(noted.time[0], 0.502, 1e-9);
    run_noting(run, 747, &noted);
    assert_near(noted.impulse, row->impulse, 6e-6);
    assert_near(alpha_energy(run), row->energy_end, 6e-5);
    assert_near(now->q[0] + 5.005, row->gap, 6e-6);
    assert_near(noted.impulse / 10 - 10, row->speed, 6e-6); /* mass 10, momentum -100 at the start */
    assert_true(noted.least_gap > -1e-12);
}

static void bar_has_the_reference_values(void **state)
{
    (void)state;
    double q0[201] = {0}, v0[201];
    for (int i = 0; i < 201; i++)
        v0[i] = -10.0;
    alpha_run run = alpha_load(bar_text);
    for (size_t i = 0; i < sizeof bar_rows / sizeof *bar_rows; i++) {
        const char *const options[] = {bar_rows[i].option, NULL};
        carom_error error = {0};
        if (alpha_try(&run, 2e-3, q0, v0, options, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        expect_bar(&run, &bar_rows[i]);
        const bool slow = strcmp(bar_rows[i].option, "constraints=pvv") == 0; /* 40 iterations in contact */
        assert_true(slow || run.stepper->counts.solver_iterations < 850);
        carom_stepper_free(run.stepper);
        run.stepper = NULL;
    }
    alpha_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bar_has_the_reference_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
