/* A block on a floor that shakes, a machine that walks. */
#include "body_trials.h"

/* The record is El Centro's: its peak, and what it makes of the ground. */
static void the_record_is_el_centro(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/rocking", .variant = "calm"});
    assert_near(measure_of(&run, "largest"), 0.6 * 9.81 * 0.31882, 1e-12);
    assert_near(measure_of(&run, "speed"), 0.6 * 0.3615, 1e-3);
    assert_near(measure_of(&run, "way"), 0.6 * 0.2136, 1e-3);
    trial_free(&run);
}

/* It lifts when the acceleration of the floor is above g b/h, 0.627 of the record, and friction holds: 0.2; of similar
 * blocks the smaller one falls. */
static void a_block_rocks_on_a_floor_that_shakes(void **state)
{
    (void)state;
    static const struct {
        const char *variant;
        double scale, low, high;
    } cases[] = {{NULL, 0.62, 0.0, 1e-8},
                 {NULL, 0.66, 1e-7, 0.01},
                 {NULL, 1.0, 0.03, 0.05},
                 {"slides", 1.0, 0.0, 1e-8},
                 {"falls", 1.0, 1.570, 1.5709}};
    for (int i = 0; i < 5; i++) {
        trial run = trial_run(&(trial_request){
            .experiment = "bodies/rocking", .variant = cases[i].variant, .set = {{"scale", cases[i].scale}}});
        const double tilt = measure_of(&run, "tilt");
        assert_true((measure_of(&run, "largest") > measure_of(&run, "rocks_from")) == (i > 0));
        assert_true(tilt >= cases[i].low && tilt <= cases[i].high);
        assert_true(measure_of(&run, "lowest") > -1e-3);
        trial_free(&run);
    }
}

/* A block that is let go rocks to and fro; each impact leaves (1 - 3/2 sin^2 alpha)^2 of its energy (Housner 1963). The energy at
 * the largest tilt is m g R (cos(alpha - phi) - cos(alpha)). */
static void a_rocking_block_loses_what_housner_says(void **state)
{
    (void)state;
    static const char text[] =
        "world { gravity = { 0, -9.81 } }\n"
        "pair { friction = 5 }\n"
        "fixed { 'floor', shape = plane { normal = { 0, 1 } } }\n"
        "local b, h, a = 0.15, 0.6, 0.05\n"
        "local x, y = -b / 2, h / 2\n"
        "local block = body { 'block', shape = box { b, h }, density = 1000, rotation = -a,\n"
        "  at = { math.cos(a) * x + math.sin(a) * y, -math.sin(a) * x + math.cos(a) * y } }\n"
        "measure { tops = peaks(block.phi), bottoms = peaks(-block.phi) }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-4, until_t = 0.8 }\n";
    trial run = trial_run(&(trial_request){.text = text});
    const double alpha = atan(0.25), left = pow(1 - 1.5 * pow(sin(alpha), 2), 2);
    double tilt = 0.05;
    for (int i = 0; i < 3; i++) {
        const double next = measured_value(&run, i == 1 ? "bottoms" : "tops", i / 2);
        const double ratio = (cos(alpha - next) - cos(alpha)) / (cos(alpha - tilt) - cos(alpha));
        assert_near(ratio, left, 0.004); /* the impact is found to a step */
        tilt = next;
    }
    trial_free(&run);
}

/* Two turns of the cranks are four steps of 4 cranks, 0.24 each, less what feet slide. */
static void a_machine_walks(void **state)
{
    (void)state;
    static const char *const variant[] = {"flat", NULL, "weak"};
    for (int i = 0; i < 3; i += TRIAL_SLOW ? 2 : 1) {
        trial run = trial_run(
            &(trial_request){.experiment = "bodies/walker", .variant = variant[i], .until = 3.14159});
        if (i < 2) {
            assert_true(measure_of(&run, "way") > 0.8 * 0.96 && measure_of(&run, "way") < 1.05 * 0.96);
            assert_near(measure_of(&run, "turns"), 2.0, 0.1);
            assert_true(measure_of(&run, "tilt") < 0.2);
            assert_true(measure_of(&run, "low") > 0.22);
        } else
            assert_true(fabs(measure_of(&run, "way")) < 0.1);
        trial_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_record_is_el_centro),
        cmocka_unit_test(a_block_rocks_on_a_floor_that_shakes),
        cmocka_unit_test(a_rocking_block_loses_what_housner_says),
        cmocka_unit_test(a_machine_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
