/* Verdicts on candidates, their sentences, and what is refused. */
#include "pattern_green.h"
#include "ring_orbits.h"

static const carom_phase site[30] = {[15] = CAROM_PHASE_START};

static carom_orbit_word verdict(double coupling, double period)
{
    carom_linear_oscillator *ring = make_ring(30, coupling);
    carom_orbit *orbit = make_orbit(ring, period, site);
    const carom_orbit_word word = orbit->word;
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
    return word;
}

/* 8.7: windows of admissible periods, to 1e-6; some are narrower than 1e-4. */
static void windows_of_the_site_breather(void **state)
{
    (void)state;
    const struct {
        double coupling, from, to;
    } window[] = {
        {0.1, 2.883014, 5.310261}, {0.1, 5.318524, 5.318569}, {0.1, 5.439615, 5.440393},
        {0.1, 5.509480, 5.510718}, {0.1, 5.591729, 5.593505}, {0.1, 5.684093, 5.686418},
        {0.1, 5.783576, 5.786362}, {0.1, 5.886369, 5.889402}, {0.1, 5.987824, 5.990782},
        {0.1, 6.082557, 6.085074}, {0.1, 6.164744, 6.166519}, {0.1, 6.228628, 6.229559},
        {0.1, 6.269243, 6.269500}, {1.0, 2.010707, 2.809926}, {1.0, 3.504770, 3.507447},
        {1.0, 3.743487, 3.761009}, {1.0, 4.028173, 4.071103}, {1.0, 4.362039, 4.442883},
        {1.0, 4.743864, 4.874146}, {1.0, 5.163101, 5.344797}, {1.0, 5.567907, 5.619852},
        {1.0, 5.713955, 5.719619}, {1.0, 6.026226, 6.033260},
    };
    for (int i = 0; i < 23; i++) {
        const double c = window[i].coupling;
        assert_int_not_equal(verdict(c, window[i].from - 2e-6), CAROM_ORBIT_OK);
        assert_int_equal(verdict(c, window[i].from + 2e-6 + (window[i].from < 2.9 ? 1e-4 : 0.0)),
                         CAROM_ORBIT_OK);
        assert_int_equal(verdict(c, window[i].to - 2e-6), CAROM_ORBIT_OK);
        assert_int_not_equal(verdict(c, window[i].to + 2e-6), CAROM_ORBIT_OK);
    }
}

static void says(double coupling, double period, carom_orbit_word word, const char *text)
{
    carom_linear_oscillator *ring = make_ring(30, coupling);
    carom_orbit *orbit = make_orbit(ring, period, site);
    char sentence[256];
    carom_orbit_describe(orbit, ring, sizeof sentence, sentence);
    assert_int_equal(orbit->word, word);
    assert_non_null(strstr(sentence, text));
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* The velocity that a verdict tells is that of the particle, not its change. */
static void a_pull_is_told_by_its_velocity(void **state)
{
    (void)state;
    carom_linear_oscillator *ring = NULL;
    carom_orbit *orbit = NULL;
    carom_error error;
    carom_phase pattern[4] = {CAROM_PHASE_NEVER, CAROM_PHASE_START, CAROM_PHASE_NEVER, CAROM_PHASE_NEVER};
    char sentence[300], wanted[60];
    const carom_orbit_options options = carom_orbit_defaults();
    assert_int_equal(carom_ring_create(4, 0.05, &ring, &error), CAROM_OK);
    assert_int_equal(carom_orbit_create(ring, &orbit, &error), CAROM_OK);
    assert_int_equal(carom_orbit_solve(orbit, ring, 2.8, pattern, &options, &error), CAROM_OK);
    assert_int_equal(orbit->word, CAROM_ORBIT_PULL);
    assert_true(orbit->speed[1] < 0.0 && orbit->margin == orbit->speed[1]);
    carom_orbit_describe(orbit, ring, sizeof sentence, sentence);
    snprintf(wanted, sizeof wanted, "velocity %.6g at", orbit->speed[1]);
    assert_non_null(strstr(sentence, wanted));
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* Resonances: 2 pi m / T = Omega_q with 0 < q < pi for one particle. */
static void every_verdict_has_its_sentence(void **state)
{
    (void)state;
    says(0.1, 4.0, CAROM_ORBIT_OK, "a motion: the smallest gap");
    says(0.1, 2.8, CAROM_ORBIT_PULL, "pull particle 15");
    says(0.1, ring_breather_pole(30, 0.1) + 1e-9, CAROM_ORBIT_DIVERGE, "diverge");
    says(1.0, 5.15, CAROM_ORBIT_TOUCH, "where the pattern has no impact");
    says(1.0, ring_mode_period(30, 1.0, 3), CAROM_ORBIT_SINGULAR, "resonant with ring mode k = 3");
    assert_string_equal(carom_orbit_word_text(CAROM_ORBIT_PENETRATE), "penetrate");
    assert_string_equal(carom_orbit_word_text(CAROM_ORBIT_OK), "ok");
}

/* At the shortest mode's period the breather only grazes. */
static void grazing(void **state)
{
    (void)state;
    assert_int_equal(verdict(0.1, 2.0 * PI / sqrt(1.4) * (1.0 - 1e-12)), CAROM_ORBIT_GRAZE);
}

/* One particle and its double period: back at the wall at T/2, without an impact there. */
static void penetration_by_a_particle_that_strikes(void **state)
{
    (void)state;
    const carom_phase pattern[] = {CAROM_PHASE_START};
    carom_linear_oscillator *one = make_ring(1, 0.0);
    carom_orbit *orbit = make_orbit(one, 4.0 * PI - 2.0, pattern); /* y = -cos(t - T/2) / cos(T/2) */
    char sentence[256];
    assert_int_equal(orbit->word, CAROM_ORBIT_PENETRATE);
    assert_near(orbit->margin, 1.0 - 1.0 / cos(1.0), 1e-12);
    assert_int_equal(orbit->contact, 0);
    carom_orbit_describe(orbit, one, sizeof sentence, sentence);
    assert_non_null(strstr(sentence, "NOT a motion: particle 0 penetrates by 0.850816"));
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(one);
}

/* All at one phase: singular when an odd multiple of pi / T is a frequency. */
static void resonance_of_all_in_phase(void **state)
{
    (void)state;
    carom_phase pattern[10];
    put(pattern, 0, 9, CAROM_PHASE_START);
    carom_linear_oscillator *ring = make_ring(10, 0.3);
    carom_orbit *orbit = make_orbit(ring, 1.5 * ring_mode_period(10, 0.3, 2), pattern);
    assert_int_equal(orbit->word, CAROM_ORBIT_SINGULAR);
    assert_int_equal(orbit->resonance, 2);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* 8.7: between the blow-up curve and 2 pi / Omega every period gives a motion; just below none does, as far as
 * the short windows above are passed over. */
static void region_of_the_site_breather(void **state)
{
    (void)state;
    enum {
        COUPLINGS = 12,
        PERIODS = 40
    };
    carom_linear_oscillator *ring = make_ring(30, 0.0);
    carom_orbit *orbit;
    carom_error error;
    const carom_orbit_options options = carom_orbit_defaults();
    assert_int_equal(carom_orbit_create(ring, &orbit, &error), CAROM_OK);
    int motions = 0;
    for (int i = 0; i < COUPLINGS; i++)
        for (int k = 0; k < PERIODS; k++) {
            const double c = 1.1 * i / (COUPLINGS - 1), T = 2.0 + (2.0 * PI - 2.0) * k / (PERIODS - 1);
            const double low = ring_breather_pole(30, c), high = 2.0 * PI / sqrt(1.0 + 4.0 * c);
            assert_int_equal(carom_ring_couple(ring, c, &error), CAROM_OK);
            assert_int_equal(carom_orbit_solve(orbit, ring, T, site, &options, &error), CAROM_OK);
            if (T > low + 1e-4 && T < high - 1e-6) {
                assert_int_equal(orbit->word, CAROM_ORBIT_OK);
                motions++;
            } else if (T < low) {
                assert_int_not_equal(orbit->word, CAROM_ORBIT_OK);
            }
        }
    assert_true(motions > 100);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

static void bad_patterns_are_refused(void **state)
{
    (void)state;
    carom_phase pattern[10];
    carom_error error;
    const int seven[] = {7}, outside[] = {10}, negative[] = {-1};
    assert_int_equal(carom_pattern_make(10, 1, seven, 1, seven, pattern, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.text, "particle 7 cannot impact at both 0 and T/2");
    assert_int_equal(carom_pattern_make(10, 0, NULL, 1, outside, pattern, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "from 0 to 9"));
    assert_int_equal(carom_pattern_make(10, 1, negative, 0, NULL, pattern, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_pattern_make(10, 0, NULL, 0, NULL, pattern, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.text, "no impacting particle: this is a linear mode");
    assert_int_equal(carom_pattern_make(10, 0, NULL, 1, seven, pattern, &error), CAROM_OK);
    assert_int_equal(pattern[7], CAROM_PHASE_START);
    assert_int_equal(pattern[6], CAROM_PHASE_NEVER);
}

static void bad_orbits_are_refused(void **state)
{
    (void)state;
    const carom_phase none[30] = {0}, wrong[30] = {(carom_phase)3};
    const double period[] = {0.0, -1.0, NAN, INFINITY};
    carom_linear_oscillator *ring = make_ring(30, 0.1);
    carom_orbit *orbit;
    carom_error error;
    const carom_orbit_options options = carom_orbit_defaults();
    assert_int_equal(carom_orbit_create(ring, &orbit, &error), CAROM_OK);
    for (int i = 0; i < 4; i++)
        assert_int_equal(carom_orbit_solve(orbit, ring, period[i], site, &options, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_orbit_solve(orbit, ring, 4.0, none, &options, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "linear mode"));
    assert_int_equal(carom_orbit_solve(orbit, ring, 4.0, wrong, &options, &error), CAROM_BAD_INPUT);
    double impulse[30];
    assert_int_equal(orbit_green(ring, 2.0 * PI, site, impulse, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "resonant"));
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_the_site_breather),
        cmocka_unit_test(every_verdict_has_its_sentence),
        cmocka_unit_test(a_pull_is_told_by_its_velocity),
        cmocka_unit_test(grazing),
        cmocka_unit_test(penetration_by_a_particle_that_strikes),
        cmocka_unit_test(resonance_of_all_in_phase),
        cmocka_unit_test(region_of_the_site_breather),
        cmocka_unit_test(bad_patterns_are_refused),
        cmocka_unit_test(bad_orbits_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
