/* Linear modes and motions with one impact per period against the values of the reference tables (closed
 * form, computed independently). */
#include "test/periodic/modes_chain.h"

#include <string.h>

/* om_p = sqrt(2k/m) sqrt(1 - cos((2p-1) pi / (2n+1))) */
static void frequencies_of_chains(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 3, 5, 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const int n = sizes[i];
        carom_mode_basis *basis = chain_basis(n);
        for (int p = 1; p <= n; p++)
            assert_near(basis->frequency[p - 1],
                        sqrt(2.0) * n * sqrt(1.0 - cos((2 * p - 1) * acos(-1.0) / (2 * n + 1))), 1e-11 * n);
        carom_mode_basis_free(basis);
    }
    carom_mode_basis *basis = chain_basis(3);
    assert_near(basis->frequency[0], 1.3351256037, 1e-10);
    assert_near(basis->frequency[2], 5.4058132074, 1e-10);
    assert_near(carom_mode_grazing_energy(basis, 0), 0.5469983778, 1e-9);
    assert_near(carom_mode_grazing_energy(basis, 1), 6.6776199627, 1e-9);
    assert_near(carom_mode_grazing_energy(basis, 2), 45.2753816594, 1e-8);
    carom_mode_basis_free(basis);
}

static void one_mass_has_a_closed_form(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(1);
    for (double T = 3.3; T < 6.2; T += 0.4) {
        carom_mode *mode = one_impact(basis, T);
        assert_int_equal(mode->verdict, CAROM_MODE_ADMISSIBLE);
        assert_near(mode->impulse[0], -2.0 * tan(T / 2.0), 1e-11);
        assert_near(mode->energy, 0.5 / (cos(T / 2.0) * cos(T / 2.0)), 1e-10 * mode->energy);
        assert_near(largest_multiplier(mode), 1.0, 1e-6);
        double u, v;
        carom_mode_state(mode, 0.3 * T, &u, &v);
        assert_near(u, cos(-0.2 * T) / cos(T / 2.0), 1e-11);
        carom_mode_free(mode);
    }
    carom_mode_basis_free(basis);
}

static void table_of_motions(void **state)
{
    (void)state;
    static const struct {
        int n;
        double T, impulse, energy, first, multiplier;
    } row[] = {
        {1, 5.0, 1.4940445945, 0.7790211563, 1.0, 1.0},
        {2, 3.6, 1.6077177776, 1.6550608217, -0.0044163502, 1.0},
        {2, 4.0, 3.4116774611, 28.2649595883, 4.025271182, 4.9920606},
        {2, 4.4, 0.8157356551, 0.8002692971, 0.7587596688, 1.0},
        {2, 4.8, 0.3027617612, 0.5532242019, 0.6231016468, 1.0},
        {3, 3.8, 1.3758830489, 1.7884994420, 0.6971581052, 1.9139037},
        {5, 3.5, 1.3186706591, 2.0128839844, 0.4516072783, 1.0},
        {5, 4.2, 0.2351694601, 0.5690360788, 0.2138419881, 1.0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        carom_mode_basis *basis = chain_basis(row[i].n);
        carom_mode *mode = one_impact(basis, row[i].T);
        const int last = row[i].n - 1;
        assert_int_equal(mode->verdict, CAROM_MODE_ADMISSIBLE);
        assert_near(mode->impulse[0], row[i].impulse, 1e-9);
        assert_near(mode->energy, row[i].energy, 2e-9 * (1.0 + row[i].energy));
        assert_near(mode->q[0], row[i].first, 2e-9);
        assert_near(mode->q[last], 1.0, 1e-12);
        /* v(0+) = imp M^-1 w / 2: only the last mass moves */
        assert_near(mode->v[last], -mode->impulse[0] * row[i].n / 2.0, 1e-10);
        if (last > 0)
            assert_near(mode->v[0], 0.0, 1e-11);
        assert_near(largest_multiplier(mode), row[i].multiplier, row[i].multiplier > 1.0 ? 1e-7 : 1e-5);
        carom_mode_free(mode);
        carom_mode_basis_free(basis);
    }
}

static void verdicts(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    const double linear = 2.0 * acos(-1.0) / basis->frequency[0];
    carom_mode *mode = one_impact(basis, linear);
    assert_int_equal(mode->verdict, CAROM_MODE_LIMIT);
    assert_int_equal(mode->linear_mode, 0);
    assert_near(mode->energy, 0.5278640450, 1e-9);
    assert_near(mode->q[1], 1.0, 1e-12);
    assert_non_null(strstr(mode->text, "limit: linear grazing mode 1, energy 0.527864"));
    carom_mode_free(mode);
    mode = one_impact(basis, 5.3);
    assert_int_equal(mode->verdict, CAROM_MODE_PULL);
    assert_non_null(strstr(mode->text, "would have to pull"));
    carom_mode_free(mode);
    mode = one_impact(basis, 3.97); /* before the junction at 3.9952583 */
    assert_int_equal(mode->verdict, CAROM_MODE_PENETRATE);
    assert_true(mode->gap < 0.0);
    carom_mode_free(mode);
    carom_mode_basis_free(basis);

    basis = chain_basis(1); /* cot(T/2) = 0 at T = pi */
    mode = one_impact(basis, acos(-1.0));
    assert_int_equal(mode->verdict, CAROM_MODE_DIVERGE);
    assert_string_equal(carom_mode_verdict_word(mode->verdict), "diverge");
    double largest;
    carom_error error = {0};
    assert_int_equal(carom_mode_multipliers(mode, NULL, NULL, &largest, &error), CAROM_BAD_INPUT);
    carom_mode_free(mode);
    carom_mode_basis_free(basis);
}

static void bad_systems(void **state)
{
    (void)state;
    const double unit[4] = {1, 0, 0, 1}, bad[4] = {1, 2, 2, 1}, skew[4] = {1, 1, 0, 1}, w[2] = {0, -1},
                 none[2] = {0, 0};
    const struct {
        carom_mode_system system;
        const char *word;
    } trial[] = {
        {{2, bad, unit, w, 1.0}, "mass matrix is not positive"},
        {{2, unit, bad, w, 1.0}, "stiffness matrix is not positive"},
        {{2, unit, skew, w, 1.0}, "not symmetric"},
        {{2, unit, unit, none, 1.0}, "is zero"},
        {{2, unit, unit, w, 0.0}, "infinite energy"},
        {{2, unit, unit, w, -1.0}, "must be positive"},
    };
    for (size_t i = 0; i < sizeof trial / sizeof trial[0]; i++) {
        carom_mode_basis *basis = NULL;
        carom_error error = {0};
        assert_int_equal(carom_mode_basis_create(&trial[i].system, &basis, &error), CAROM_BAD_INPUT);
        assert_null(basis);
        assert_non_null(strstr(error.text, trial[i].word));
    }
}

static void expect_window(const carom_mode_window *w, double from, carom_branch_end from_end, double to,
                          carom_branch_end to_end)
{
    assert_near(w->period[0], from, 1e-7);
    assert_near(w->period[1], to, 1e-7);
    assert_string_equal(carom_branch_end_word(w->end[0]), carom_branch_end_word(from_end));
    assert_string_equal(carom_branch_end_word(w->end[1]), carom_branch_end_word(to_end));
}

static void windows_of_two_masses(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    carom_mode_window w[8];
    int found = 0;
    carom_error error = {0};
    expect_ok(carom_mode_scan(basis, 1.75, 10.0, 0.01, 8, (carom_progress){0}, w, &found, &error), &error);
    assert_int_equal(found, 4);
    expect_window(&w[0], 1.7712135, CAROM_END_ENERGY, 1.9416110, CAROM_END_LINEAR_MODE);
    expect_window(&w[1], 2.6487479, CAROM_END_ENERGY, 3.8832221, CAROM_END_LINEAR_MODE);
    expect_window(&w[2], 3.9952583, CAROM_END_JUNCTION, 5.0832037, CAROM_END_LINEAR_MODE);
    expect_window(&w[3], 9.1742553, CAROM_END_JUNCTION, 9.7080552, CAROM_END_LINEAR_MODE);
    /* T = 3.99525832163, E = 35.7373242 and t = 0.76141828 from a separate bisection for a gap that touches
     * zero (the table's 35.737363 is the energy at T rounded to 7 places, where dE/dT is some -1600) */
    assert_near(w[2].period[0], 3.99525832163, 1e-9);
    assert_near(w[2].energy[0], 35.73732418, 1e-6);
    assert_near(fmin(w[2].touch_time[0], w[2].period[0] - w[2].touch_time[0]), 0.76141828, 1e-7);
    assert_near(w[3].energy[0], 0.813057, 1e-6);
    assert_near(w[2].energy[1], 0.5278640450, 1e-9);
    carom_mode_basis_free(basis);
}

static void windows_of_three_masses(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(3);
    carom_mode_window w[8];
    int found = 0;
    carom_error error = {0};
    expect_ok(carom_mode_scan(basis, 2.45, 4.65, 0.02, 8, (carom_progress){0}, w, &found, &error), &error);
    expect_window(&w[0], 2.5030224, CAROM_END_ENERGY, 3.3591489, CAROM_END_LINEAR_MODE);
    expect_window(&w[found - 1], 3.5818304, CAROM_END_JUNCTION, 4.6492064, CAROM_END_LINEAR_MODE);
    assert_near(w[found - 1].energy[0], 37.157453, 1e-4); /* likewise at the rounded T */
    carom_mode_basis_free(basis);
}

/* At T = 4 the last mass of a long chain follows the triangle |t - 2| - 1 of the bar. */
static void triangle_limit(void **state)
{
    (void)state;
    const struct {
        int n;
        double deviation, energy;
    } row[] = {{5, 0.33768, NAN}, {20, 0.07272, 0.599206}, {100, 0.03298, 0.575830}};
    for (size_t i = 0; i < 3; i++) {
        carom_mode_basis *basis = chain_basis(row[i].n);
        carom_mode *mode = one_impact(basis, 4.0);
        double worst = 0.0, *u = calloc((size_t)row[i].n, sizeof *u);
        for (int k = 0; k <= 2000; k++) {
            const double t = k < 2000 ? 4.0 * k / 2000 : 0.0;
            carom_mode_state(mode, t, u, NULL);
            worst = fmax(worst, fabs(u[row[i].n - 1] - (fabs(t - 2.0) - 1.0)));
        }
        assert_near(worst, row[i].deviation, 2e-5);
        if (!isnan(row[i].energy))
            assert_near(mode->energy, row[i].energy, 1e-6);
        free(u);
        carom_mode_free(mode);
        carom_mode_basis_free(basis);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequencies_of_chains),
        cmocka_unit_test(one_mass_has_a_closed_form),
        cmocka_unit_test(table_of_motions),
        cmocka_unit_test(verdicts),
        cmocka_unit_test(bad_systems),
        cmocka_unit_test(windows_of_two_masses),
        cmocka_unit_test(windows_of_three_masses),
        cmocka_unit_test(triangle_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
