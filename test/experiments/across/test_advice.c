/* What errors advise is true: a smaller step is named where it helps, and the run with one shows it; where the model is
 * the cause they say so. */
#include "test/experiments/trial.h"

/* True when the run ends well; otherwise *error says why. */
static bool runs(const char *text, const char *scheme, double h, carom_error *error)
{
    carom_experiment *experiment = trial_load(&(trial_request){.text = text});
    carom_run_request asked = {.experiment = experiment, .scheme = scheme, .h = h, .until = NAN};
    carom_run_result result = {0};
    *error = (carom_error){0};
    const bool fine = carom_run(&asked, &result, error) == CAROM_OK;
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return fine;
}

static void expect_hopeless(const char *text, const char *scheme, const char *word)
{
    carom_error error;
    for (double h = 1e-2; h > 1e-5; h *= 0.1) {
        assert_false(runs(text, scheme, h, &error));
        if (!strstr(error.text, word) || strstr(error.text, "take a smaller step"))
            fail_msg("'%s' is not in, or a smaller step is: %s", word, error.text);
    }
}

static void expect_help(const char *text, const char *scheme, double large, double small, const char *word)
{
    carom_error error;
    assert_false(runs(text, scheme, large, &error));
    if (!strstr(error.text, word) || !strstr(error.text, "take a smaller step"))
        fail_msg("'%s' or a smaller step is not in: %s", word, error.text);
    if (!runs(text, scheme, small, &error))
        fail_msg("the smaller step does not help: %s", error.text);
}

/* Dry friction written as a force that jumps. */
static void a_force_that_jumps(void **state)
{
    (void)state;
    expect_hopeless("local x = coordinates('x')\nmass(1)\nforce { x = -10 * select(dot(x), 1, -1) }\n"
                    "initial { [dot(x)] = 1 }\nintegrate { h = 1e-2, until_t = 1 }\n",
                    "moreau-jean", "to and fro");
}

static void a_gap_without_gradient(void **state)
{
    (void)state;
    expect_hopeless("local x = coordinates('x')\nmass(1)\ncontact { 'wall', gap = -x^2 }\n"
                    "integrate { h = 1e-2, until_t = 1 }\n",
                    "moreau-jean", "zero gradient");
}

/* The energy has no value after t = 0.5, whatever the step. */
static void a_formula_without_value(void **state)
{
    (void)state;
    expect_hopeless("local x = coordinates('x')\nmass(1)\npotential(x + sqrt(0.5 - time()))\n"
                    "integrate { h = 1e-2, until_t = 1 }\n",
                    "moreau-jean", "formula");
}

/* M + h^2 K / 4 vanishes for K = -4e4 and h = 1e-2: the step, not the model. */
static void a_matrix_that_the_step_makes_singular(void **state)
{
    (void)state;
    expect_help("local x = coordinates('x')\nmass(1)\npotential(-2e4 * x^2)\ninitial { x = 1e-6 }\n"
                "integrate { h = 1e-2, until_t = 0.02 }\n",
                "moreau-jean", 1e-2, 1e-3, "singular at coordinate 'x', though M is not");
}

/* The same with K = -1e5: no longer positive definite when the contact closes. */
static void a_matrix_that_the_step_makes_indefinite(void **state)
{
    (void)state;
    expect_help("local x = coordinates('x')\nmass(1)\npotential(-5e4 * x^2)\n"
                "contact { 'floor', gap = x }\ninitial { x = 1e-3, [dot(x)] = -2 }\n"
                "integrate { h = 1e-2, until_t = 0.02 }\n",
                "moreau-jean", 1e-2, 1e-4, "not positive definite");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_that_jumps),
        cmocka_unit_test(a_gap_without_gradient),
        cmocka_unit_test(a_formula_without_value),
        cmocka_unit_test(a_matrix_that_the_step_makes_singular),
        cmocka_unit_test(a_matrix_that_the_step_makes_indefinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
