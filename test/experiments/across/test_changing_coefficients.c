/* Restitution and friction that change with time to what no law takes: the step that meets it stops the run, with the
 * time, the contact and the value. event-driven has its own test. */
#include "test/experiments/trial.h"

#define FALL "local x, y = coordinates('x', 'y')\nmass(1)\npotential(9.81 * y)\n"
#define THROW "initial { y = 1, [dot(x)] = 5 }\nintegrate { h = 1e-3, until_t = 2 }\n"
#define SLIDE "initial { y = 0, [dot(x)] = 5 }\nintegrate { h = 1e-3, until_t = 1 }\n"
#define SWING "local x = coordinates('x')\nmass(1)\npotential(50 * x^2)\n"
#define PULL "initial { x = 1 }\nintegrate { h = 1e-3, until_t = 1 }\n"

#define REBOUND(e) FALL "contact { 'floor', gap = y, restitution = " e " }\n" THROW
#define RUB(mu) FALL "contact { 'floor', gap = y, slip = dot(x), friction = " mu " }\n" SLIDE
#define BRAKE(b) SWING "friction_force { 'brake', slip = dot(x), bound = " b " }\n" PULL

typedef struct late_fault {
    const char *scheme, *text, *name, *value;
    double t;           /* of the first evaluation that meets it, within two steps */
    const char *law[2]; /* an option */
} late_fault;

#define NOT_A_NUMBER "sqrt(0.3 - time())"
#define NEGATIVE "0.3 - time()"
#define ABOVE_ONE "0.5 + select(time() - 0.3, 1, 0)"

static const double fall = 0.4515; /* sqrt(2 / 9.81) */

static void expect_late(const late_fault *fault)
{
    carom_experiment *experiment = trial_load(&(trial_request){.text = fault->text});
    const carom_option option[] = {{fault->law[0], .word = fault->law[1]}, {0}};
    carom_run_request asked = {
        .experiment = experiment, .scheme = fault->scheme, .h = NAN, .until = NAN, .option = option};
    carom_run_result result = {0};
    carom_error error = {0};
    assert_int_equal(carom_run(&asked, &result, &error), CAROM_FAILED);
    assert_near(result.t_end, fault->t, 2e-3);
    const char *const words[] = {"t = 0.", fault->name, fault->value};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strstr(error.text, words[i]))
            fail_msg("%s: '%s' is not in: %s", fault->scheme, words[i], error.text);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void restitution_is_looked_at_in_every_impact(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau-jean", "paoli-schatzman", "sweeping", "penalty",
                                          "generalized-alpha"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        expect_late(&(late_fault){schemes[i], REBOUND(NOT_A_NUMBER), "contact 'floor'", "nan", fall, {NULL}});
        expect_late(&(late_fault){schemes[i], REBOUND(NEGATIVE), "contact 'floor'", "-0.15", fall, {NULL}});
        expect_late(&(late_fault){schemes[i], REBOUND(ABOVE_ONE), "contact 'floor'", "1.5", fall, {NULL}});
    }
}

/* Also where a chosen law takes it, by the name of the contact. */
static void chosen_laws_look_too(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau-jean", "sweeping"};
    for (size_t i = 0; i < 2; i++) {
        expect_late(&(late_fault){
            schemes[i], REBOUND(NOT_A_NUMBER), "contact 'floor'", "nan", fall, {"impact_law", "newton"}});
        expect_late(&(late_fault){
            schemes[i], REBOUND(ABOVE_ONE), "contact 'floor'", "1.5", fall, {"impact_law", "binary"}});
    }
}

/* Schemes whose rule has a restitution of its own want no other, at any time. */
static void rules_keep_their_restitution(void **state)
{
    (void)state;
    const char *leaves_one = REBOUND("1 - select(time() - 0.3, 0.5, 0)"),
               *leaves_zero = REBOUND("select(time() - 0.3, 0.5, 0)");
    expect_late(&(late_fault){"elast", leaves_one, "contact 'floor'", "restitution 0.5", fall, {NULL}});
    expect_late(&(late_fault){"billiard", leaves_one, "contact 'floor'", "restitution 0.5", fall, {NULL}});
    expect_late(&(late_fault){"inel", leaves_zero, "contact 'floor'", "restitution 0.5", fall, {NULL}});
}

static void friction_is_looked_at_in_every_step(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau-jean", "generalized-alpha", "moreau-friction"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        expect_late(&(late_fault){schemes[i], RUB(NOT_A_NUMBER), "contact 'floor'", "nan", 0.3, {NULL}});
        expect_late(&(late_fault){schemes[i], RUB(NEGATIVE), "contact 'floor'", "-0.00", 0.3, {NULL}});
    }
    static const char *const forces[] = {"moreau-jean", "dai-theta", "dai-euler"};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        expect_late(&(late_fault){forces[i], BRAKE(NOT_A_NUMBER), "'brake'", "nan", 0.3, {NULL}});
        expect_late(&(late_fault){forces[i], BRAKE(NEGATIVE), "'brake'", "-0.00", 0.3, {NULL}});
    }
}

/* Friction that begins after the start comes to schemes that have none. */
static void friction_that_begins_late_is_refused(void **state)
{
    (void)state;
    static const char *const schemes[] = {"elast", "sweeping", "paoli-schatzman", "penalty"};
    static const char text[] = FALL "contact { 'floor', gap = y, slip = dot(x), restitution = 1,\n"
                                    "  friction = select(time() - 0.3, 0.5, 0) }\n" THROW;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        expect_late(
            &(late_fault){schemes[i], text, "contact 'floor' has friction", schemes[i], fall, {NULL}});
}

/* What changes within the range of its law goes on. */
static void good_changes_go_on(void **state)
{
    (void)state;
    trial run = trial_run(&(trial_request){.text = REBOUND("select(time() - 0.3, 0.5, 1)"), .until = 0.6});
    const double *end = output_at(&run, 0.6);
    const double v = 0.5 * 9.81 * 0.45152364 - 9.81 * (0.6 - 0.45152364);
    assert_near(velocity(&run, end, 1), v, 0.02);
    trial_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitution_is_looked_at_in_every_impact),
        cmocka_unit_test(chosen_laws_look_too),
        cmocka_unit_test(rules_keep_their_restitution),
        cmocka_unit_test(friction_is_looked_at_in_every_step),
        cmocka_unit_test(friction_that_begins_late_is_refused),
        cmocka_unit_test(good_changes_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
