/* Outputs of schemes with steps of their own at times that the caller says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/io.h"
#include "carom/run/stepping.h"

static const char ball[] = "local y = coordinates('y')\n"
                           "mass(1)\n"
                           "potential(9.81 * y)\n"
                           "contact { 'floor', gap = y, restitution = 0.5 }\n"
                           "initial { y = 1 }\n"
                           "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n";

/* Free fall, then the hop after the impact at t1 = sqrt(2/g). */
static double height(double t)
{
    const double g = 9.81, first = sqrt(2.0 / g), s = t - first;
    return s < 0.0 ? 1.0 - 0.5 * g * t * t : 0.5 * g * first * s - 0.5 * g * s * s;
}

static void test_times(void **state)
{
    (void)state;
    const carom_load_request request = {.name = "ball", .file = "ball.lua", .text = ball};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    assert_int_equal(carom_experiment_load(&request, &experiment, &error), CAROM_OK);
    const double wanted[] = {1e-6, 0.3, 0.30001, 0.4515, 0.4516, 0.77};
    carom_stepping *stepping = NULL;
    assert_int_equal(carom_stepping_create(&(carom_run_request){.experiment = experiment}, &stepping, &error),
                     CAROM_OK);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        stepping->stepper->next_output = &wanted[i];
        assert_int_equal(carom_stepper_step(stepping->stepper, &error), CAROM_OK);
        assert_true(stepping->stepper->state.t == wanted[i]);
        assert_true(fabs(stepping->q[0] - height(wanted[i])) < 1e-11);
    }
    carom_stepping_free(stepping);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_times)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
