/* Harmonic balance of one mass against the values of the reference table (alpha = 1), and its convergence. */
#include "test/periodic/modes_chain.h"

static carom_harmonic_motion balance(const carom_mode_basis *basis, double frequency, int harmonics)
{
    carom_harmonic_options options = carom_harmonic_defaults();
    options.harmonics = harmonics;
    carom_harmonic_motion motion;
    carom_error error = {0};
    expect_ok(carom_harmonic_balance(basis, frequency, &options, NULL, &motion, &error), &error);
    return motion;
}

static void table_of_energies(void **state)
{
    (void)state;
    static const struct {
        double w;
        int N;
        double energy, penetration;
    } row[] = {
        {1.2, 1, 3.951798, 0.66136},  {1.2, 2, 1.724088, 0.30859},  {1.2, 5, 1.034447, 0.10895},
        {1.2, 10, 0.840473, 0.04960}, {1.2, 20, 0.753371, 0.02326}, {1.5, 2, 74.267954, NAN},
        {1.5, 5, 6.459069, NAN},      {1.5, 10, 3.593708, NAN},     {1.5, 20, 2.707181, NAN},
    };
    carom_mode_basis *basis = chain_basis(1);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const carom_harmonic_motion motion = balance(basis, row[i].w, row[i].N);
        assert_false(motion.trivial);
        assert_near(motion.energy, row[i].energy, 1e-6);
        if (!isnan(row[i].penetration))
            assert_near(motion.penetration, row[i].penetration, 1e-5);
    }
    carom_mode_basis_free(basis);
}

static void trivial_solution_is_recognised(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(1);
    const carom_harmonic_motion motion = balance(basis, 1.5, 1);
    assert_true(motion.trivial);
    assert_near(motion.energy, 0.0, 1e-15);
    carom_mode_basis_free(basis);
}

/* Two masses: the energy comes to that of the exact motion like 1/N. */
static void two_masses(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    const double period = 4.8, w = 2.0 * acos(-1.0) / period;
    carom_mode *mode = one_impact(basis, period);
    const double coarse = balance(basis, w, 20).energy - mode->energy;
    const double fine = balance(basis, w, 40).energy - mode->energy;
    assert_true(fabs(fine) < 0.65 * fabs(coarse));
    assert_true(fabs(fine) < 0.05);
    carom_mode_free(mode);
    carom_mode_basis_free(basis);
}

static void bad_input(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(1);
    carom_harmonic_options options = carom_harmonic_defaults();
    carom_harmonic_motion motion;
    carom_error error = {0};
    assert_int_equal(carom_harmonic_balance(basis, 0.5, &options, NULL, &motion, &error), CAROM_BAD_INPUT);
    options.alpha = CAROM_ZERO;
    assert_int_equal(carom_harmonic_balance(basis, 1.2, &options, NULL, &motion, &error), CAROM_BAD_INPUT);
    carom_mode_basis_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_energies),
        cmocka_unit_test(trivial_solution_is_recognised),
        cmocka_unit_test(two_masses),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
