/* Maps of verdicts over couplings and periods: 8.7. */
#include "ring_orbits.h"

static const carom_phase site[30] = {[15] = CAROM_PHASE_START};

static carom_orbit_map_request small_map(void)
{
    return (carom_orbit_map_request){.particles = 30,
                                     .pattern = site,
                                     .coupling_from = 0.0,
                                     .coupling_to = 1.1,
                                     .period_from = 2.0,
                                     .period_to = 2.0 * PI,
                                     .couplings = 12,
                                     .periods = 40,
                                     .orbit = carom_orbit_defaults()};
}

/* Between the blow-up curve and 2 pi / Omega every node is a motion; just below and above none is, as far as
 * the short windows above are passed over. */
static void main_region(void **state)
{
    (void)state;
    carom_orbit_map_request request = small_map();
    carom_orbit_map map;
    carom_error error;
    assert_int_equal(carom_orbit_map_make(&request, &map, &error), CAROM_OK);
    int motions = 0;
    for (int i = 0; i < map.couplings; i++)
        for (int k = 0; k < map.periods; k++) {
            const double c = map.coupling[i], T = map.period[k];
            const unsigned char word = map.word[i * map.periods + k];
            const double low = carom_ring_breather_pole(30, c), high = 2.0 * PI / sqrt(1.0 + 4.0 * c);
            if (T > low + 1e-4 && T < high - 1e-6) {
                assert_int_equal(word, CAROM_ORBIT_OK);
                motions++;
            } else if (T < low) {
                assert_int_not_equal(word, CAROM_ORBIT_OK);
            }
        }
    assert_true(motions > 100);
    assert_true(map.coupling[11] == 1.1 && map.period[0] == 2.0);
    carom_orbit_map_free(&map);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    carom_orbit_map_request request = small_map();
    carom_orbit_map one, three;
    carom_error error;
    request.threads = 1;
    assert_int_equal(carom_orbit_map_make(&request, &one, &error), CAROM_OK);
    request.threads = 3;
    assert_int_equal(carom_orbit_map_make(&request, &three, &error), CAROM_OK);
    assert_memory_equal(one.word, three.word, 12 * 40);
    carom_orbit_map_free(&one);
    carom_orbit_map_free(&three);
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)context, (void)done, (void)total;
    return false;
}

static void fails(const carom_orbit_map_request *request, carom_status status, const char *says)
{
    carom_orbit_map map;
    carom_error error;
    assert_int_equal(carom_orbit_map_make(request, &map, &error), status);
    assert_non_null(strstr(error.text, says));
    carom_orbit_map_free(&map);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    const carom_phase none[30] = {0};
    carom_orbit_map_request request = small_map();
    request.couplings = 0;
    fails(&request, CAROM_BAD_INPUT, "at least one");
    request = small_map();
    request.coupling_from = -0.5;
    fails(&request, CAROM_BAD_INPUT, "positive definite");
    request = small_map();
    request.period_from = 0.0;
    fails(&request, CAROM_BAD_INPUT, "positive");
    request = small_map();
    request.period_to = NAN;
    fails(&request, CAROM_BAD_INPUT, "finite");
    request = small_map();
    request.particles = 0;
    fails(&request, CAROM_BAD_INPUT, "at least 1");
    request = small_map();
    request.pattern = none;
    fails(&request, CAROM_BAD_INPUT, "linear mode");
    request = small_map();
    request.threads = 1000;
    fails(&request, CAROM_BAD_INPUT, "threads");
    request = small_map();
    request.progress.report = stop_at_once;
    fails(&request, CAROM_INTERRUPTED, "interrupted");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(main_region),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
