/* Experiments with bodies: what stands carries its weight and does not move at all, what falls does not gain energy and
 * goes through nothing; and the values that are known. */
#include "test/experiments/trial.h"

static const double g = 9.81;

/* Nothing drives it: no step of the run ends with more energy than the start had. */
static void assert_energy_below(const trial *run, double slack)
{
    const double start = energy_of(run, output(run, 0));
    for (size_t i = 1; i < output_count(run); i++)
        assert_true(energy_of(run, output(run, i)) <= start + slack);
}

static void assert_energy_falls(const trial *run)
{
    assert_energy_below(run, 1e-9 * fabs(energy_of(run, output(run, 0))));
}

static double measure_of(const trial *run, const char *name)
{
    return measured_value(run, name, 0);
}

/* ---- what stands ------------------------------------------------------------------------------------------ */

static void towers_stand(void **state)
{
    (void)state;
    static const char *const name[] = {"bodies/pyramid", "bodies/stack", "bodies/kapla"};
    static const char *const load[] = {"load", "base", "load"};
    for (int i = 0; i < 3; i++) {
        trial run = trial_run(&(trial_request){.experiment = name[i], .until = 0.2});
        assert_true(measure_of(&run, "moved") == 0.0);
        assert_true(measure_of(&run, "speed") == 0.0);
        assert_relative(measure_of(&run, load[i]), measure_of(&run, "weight"), 2e-6);
        trial_free(&run);
    }
}

static void interfaces_of_a_stack(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/stack", .set = {{"n", 12}}, .until = 0.1});
    const double one = 500 * 0.4 * 0.3 * 0.2 * g;
    assert_relative(measure_of(&run, "base"), 12 * one, 1e-7);
    assert_relative(measure_of(&run, "middle"), 6 * one, 1e-7); /* below box 7 */
    assert_relative(measure_of(&run, "top"), one, 1e-7);
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
    assert_relative(measure_of(&run, "load"), 27 * sin(acos(-1.0) / 27) * 0.115 * 2400 * g, 1e-6);
    trial_free(&run);
}

/* ---- what falls ------------------------------------------------------------------------------------------------ */

static void discs_stay_in_their_bin(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = "bodies/bin", .variant = k ? "bouncy" : NULL, .until = 1.5});
        assert_energy_falls(&run);
        assert_true(measure_of(&run, "below") > -1e-4); /* radius 0.05 */
        assert_true(measure_of(&run, "outside") < 1e-4);
        assert_true(measure_of(&run, "kinetic_end") < (k ? 0.05 : 1e-6) * measure_of(&run, "kinetic_most"));
        trial_free(&run);
    }
}

static void a_ball_breaks_a_wall(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/wall", .until = 0.06});
    assert_near(measure_of(&run, "hit"), 0.1 / 5.0, 1e-3); /* the ball starts 0.1 before the wall */
    assert_true(measure_of(&run, "moved") > 0.05);
    assert_true(measure_of(&run, "lowest") > 0.035); /* half a brick's height is 0.0355 */
    assert_true(measure_of(&run, "ball_speed") < 5.0);
    const double ball = 7800 * 4.0 / 3.0 * acos(-1.0) * 1e-3;
    /* the ball overlaps the wall by at most its way of a step; putting it back may lift it by a part of that */
    assert_energy_below(&run, 0.01 * ball * g * 5.0 * run.result.h);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "bodies/wall", .variant = "calm", .until = 0.1});
    assert_true(measure_of(&run, "moved") == 0.0);
    trial_free(&run);
}

/* The wave of dominoes has a speed of its own, whatever the push. */
static void dominoes_fall(void **state)
{
    (void)state;
    double speed[2];
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = "bodies/dominoes", .variant = k ? "pushed" : NULL, .until = 0.8});
        assert_true(measure_of(&run, "fallen") == 20.0);
        assert_true(measure_of(&run, "lowest") > 0.004 - 1e-5); /* half a thickness: flat on the floor */
        speed[k] = 9 * 0.02 / (measure_of(&run, "hit_last") - measure_of(&run, "hit_half"));
        assert_energy_falls(&run);
        trial_free(&run);
    }
    assert_relative(speed[1], speed[0], 0.02);
    assert_true(speed[0] > sqrt(g * 0.048) && speed[0] < 2.0 * sqrt(g * 0.048));
}

static void a_column_flows_out(void **state)
{
    (void)state;
    trial run = trial_run(
        &(trial_request){.experiment = "bodies/column", .set = {{"columns", 4}}, .h = 4e-4, .until = 0.6});
    assert_true(measure_of(&run, "run_out") > 0.3);
    assert_true(measure_of(&run, "height_end") < measure_of(&run, "height_start"));
    assert_true(measure_of(&run, "lowest") > 0.8 * 0.0085 * cos(acos(-1.0) / 5)); /* the least inner radius */
    trial_free(&run);
}

static void discs_run_through_an_hourglass(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/hourglass"});
    assert_true(measure_of(&run, "passed") == 50.0);
    assert_true(measure_of(&run, "outside") < 1e-4);
    assert_energy_falls(&run);
    trial_free(&run);
    /* a wider neck lets them through faster */
    trial narrow = trial_run(&(trial_request){.experiment = "bodies/hourglass", .until = 0.6});
    trial wide =
        trial_run(&(trial_request){.experiment = "bodies/hourglass", .set = {{"neck", 7}}, .until = 0.6});
    assert_true(measure_of(&wide, "passed") > measure_of(&narrow, "passed") + 5.0);
    trial_free(&narrow);
    trial_free(&wide);
}

/* ---- spinning things ----------------------------------------------------------------------------------------------- */

/* It turns over, and its centre of mass rises; Jellett's product stays while the belly carries. */
static void a_tippe_top_turns_over(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/tippe-top"});
    assert_true(measure_of(&run, "angle_end") > 2.9);
    assert_near(measure_of(&run, "height_end"), 0.021, 3e-4);
    assert_true(measure_of(&run, "spin_z") > 0.0 && measure_of(&run, "spin_axis") < 0.0);
    for (int i = 1; i < 3; i++)
        assert_relative(measured_value(&run, "jellett", i), measured_value(&run, "jellett", 0), 2e-6);
    assert_true(measure_of(&run, "deepest") > -1e-5);
    assert_energy_falls(&run);
    trial_free(&run);
}

/* Against its sense it turns round once; in its own sense it goes on. */
static void a_rattleback_changes_its_mind(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.experiment = "bodies/rattleback", .until = 2.0});
    assert_int_equal(measured(&run, "reversals")->count, 1);
    assert_true(measure_of(&run, "spin_end") > 2.0);
    assert_energy_falls(&run);
    trial_free(&run);
    run = trial_run(&(trial_request){.experiment = "bodies/rattleback", .variant = "with", .until = 1.5});
    assert_int_equal(measured(&run, "reversals")->count, 0);
    assert_true(measure_of(&run, "spin_end") > 4.0);
    trial_free(&run);
}

/* ---- driven things --------------------------------------------------------------------------------------------------- */

/* It lifts when the acceleration of the floor is above g b/h, 0.61 of the record. */
static void a_block_rocks_on_a_floor_that_shakes(void **state)
{
    (void)state;
    static const double scale[] = {0.60, 0.62, 1.0, 1.5};
    for (int i = 0; i < 4; i++) {
        trial run = trial_run(
            &(trial_request){.experiment = "bodies/rocking", .set = {{"scale", scale[i]}}, .until = 4.0});
        const double tilt = measure_of(&run, "tilt");
        assert_true((measure_of(&run, "largest") > measure_of(&run, "rocks_from")) == (i > 0));
        assert_true(i == 0 ? tilt < 1e-9 : i < 3 ? tilt > 1e-6 && tilt < 0.25 : tilt > 1.5);
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
    for (int i = 0; i < 3; i++) {
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
        cmocka_unit_test(towers_stand),
        cmocka_unit_test(interfaces_of_a_stack),
        cmocka_unit_test(a_slippery_arch_slides),
        cmocka_unit_test(an_arch_stands_when_it_is_thick_enough),
        cmocka_unit_test(an_arch_has_its_weight),
        cmocka_unit_test(discs_stay_in_their_bin),
        cmocka_unit_test(a_ball_breaks_a_wall),
        cmocka_unit_test(dominoes_fall),
        cmocka_unit_test(a_column_flows_out),
        cmocka_unit_test(discs_run_through_an_hourglass),
        cmocka_unit_test(a_tippe_top_turns_over),
        cmocka_unit_test(a_rattleback_changes_its_mind),
        cmocka_unit_test(a_block_rocks_on_a_floor_that_shakes),
        cmocka_unit_test(a_rocking_block_loses_what_housner_says),
        cmocka_unit_test(a_machine_walks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
