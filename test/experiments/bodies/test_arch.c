/* An arch of voussoirs stands when it is thick enough (Milankovitch 1907). */
#include "body_trials.h"

/* The limit for endlessly many voussoirs is 0.1075 (Milankovitch); with n of them hinges are where joints are, and the limit
 * lies below it: 0.1015 for 9, 0.10672 for 27. */
static void an_arch_stands_when_it_is_thick_enough(void **state)
{
    (void)state;
    static const struct {
        double n, ratio;
        bool stands;
    } arch[] = {
        {9, 0.1010, false}, {9, 0.1020, true}, {27, 0.1066, false}, {27, 0.1068, true}, {51, 0.1075, true}};
    for (size_t i = 0; i < sizeof arch / sizeof *arch; i++) {
        trial run = trial_run(&(trial_request){.experiment = "bodies/arch",
                                               .set = {{"n", arch[i].n}, {"ratio", arch[i].ratio}},
                                               .until = arch[i].stands ? 0.1 : 0.5});
        if (arch[i].stands)
            assert_true(measure_of(&run, "moved") == 0.0);
        else
            assert_true(measure_of(&run, "crown") < -1e-5);
        trial_free(&run);
    }
}

/* The springings carry the arch: n trapezia with the area sin(pi/n) R t each. */
static void an_arch_has_its_weight(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/arch", .until = 0.05});
    assert_relative(measure_of(&run, "load"), 27 * sin(acos(-1.0) / 27) * 0.115 * 2400 * gravity, 1e-6);
    trial_free(&run);
}

/* Friction of 0.2 does not hold an arch. */
static void a_slippery_arch_slides(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/arch", .variant = "slippery", .until = 0.3});
    assert_true(measure_of(&run, "moved") > 0.01);
    assert_energy_falls(&run);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arch_stands_when_it_is_thick_enough),
        cmocka_unit_test(an_arch_has_its_weight),
        cmocka_unit_test(a_slippery_arch_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
