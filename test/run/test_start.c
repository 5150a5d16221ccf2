#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "particle.h"

/* Changes of the particle's experiment before it runs. */
typedef struct change {
    double q[2], v[2];
    double gap_tolerance; /* NAN: not given */
    double parameter[PARAMETER_COUNT];
} change;

static const change no_change = {
    .q = {0.0, 1.0}, .v = {1.0, 0.5}, .gap_tolerance = NAN, .parameter = {3.0, 0.0, 0.0, 0.125}};

static carom_status run_changed(const change *changed, carom_error *error)
{
    particle_experiment built = particle_begin();
    carom_experiment *experiment = built.experiment;
    for (int i = 0; i < 2; i++) {
        experiment->q0[i] = add_value(&built, changed->q[i]);
        experiment->v0[i] = add_value(&built, changed->v[i]);
    }
    if (!isnan(changed->gap_tolerance))
        experiment->gap_tolerance = add_value(&built, changed->gap_tolerance);
    particle_end(&built);
    carom_run_request request = {
        .experiment = experiment, .parameter = changed->parameter, .scheme_ops = &drift_scheme};
    carom_run_result result;
    carom_status status = carom_run(&request, &result, error);
    assert_int_equal(result.status, status);
    if (status == CAROM_BAD_INPUT) {
        assert_null(result.initial);
        assert_null(result.values);
        assert_string_equal(result.word, "bad-input");
        assert_string_equal(result.message, error->text);
    }
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return status;
}

static void expect_refused(const change *changed, const char *words[])
{
    carom_error error = {0};
    assert_int_equal(run_changed(changed, &error), CAROM_BAD_INPUT);
    for (int i = 0; words[i]; i++)
        if (!strstr(error.text, words[i]))
            fail_msg("'%s' is not in: %s", words[i], error.text);
}

static void expect_accepted(const change *changed)
{
    carom_error error = {0};
    if (run_changed(changed, &error) != CAROM_OK)
        fail_msg("refused: %s", error.text);
}

static void initial_values_must_be_finite(void **state)
{
    (void)state;
    change changed = no_change;
    expect_accepted(&changed);
    changed.q[0] = NAN;
    expect_refused(&changed, (const char *[]){"coordinate 'x'", "nan", "finite", NULL});
    changed = no_change;
    changed.v[1] = INFINITY;
    expect_refused(&changed, (const char *[]){"velocity of 'y'", "inf", NULL});
    changed = no_change;
    changed.v[0] = 1e200;
    expect_refused(&changed, (const char *[]){"energy", "inf", NULL});
}

static void violated_contacts_are_named(void **state)
{
    (void)state;
    change changed = no_change;
    changed.q[0] = 1.0;
    changed.q[1] = -0.05;
    expect_refused(&changed, (const char *[]){"violates contact 'floor'", "gap = -0.05", "allowed: -1e-08",
                                              "gap_tolerance", NULL});
    changed.q[1] = -0.9e-8;
    expect_accepted(&changed);
    changed.q[1] = -1.1e-8;
    expect_refused(&changed, (const char *[]){"floor", NULL});
}

static void large_coordinates_allow_more_rounding(void **state)
{
    (void)state;
    change changed = no_change;
    changed.q[0] = 1000.0;
    changed.q[1] = -0.9e-5;
    expect_accepted(&changed);
    changed.q[1] = -1.1e-5;
    expect_refused(&changed, (const char *[]){"floor", "allowed: -1e-05", NULL});
}

static void a_given_tolerance_replaces_the_default(void **state)
{
    (void)state;
    change changed = no_change;
    changed.gap_tolerance = 0.1;
    changed.q[1] = -0.05;
    expect_accepted(&changed);
    changed.q[1] = -0.2;
    expect_refused(&changed, (const char *[]){"gap = -0.2", "allowed: -0.1", NULL});
    changed.gap_tolerance = 0.0;
    changed.q[1] = -1e-12;
    expect_refused(&changed, (const char *[]){"floor", NULL});
    changed.gap_tolerance = -1.0;
    expect_refused(&changed, (const char *[]){"gap_tolerance = -1", ">= 0", NULL});
}

static void nan_gaps(carom_model_work *work, double t, const double *q, double *gap)
{
    (void)work, (void)t, (void)q;
    gap[0] = NAN;
}

static void a_gap_that_is_not_a_number_is_refused(void **state)
{
    (void)state;
    carom_model_ops ops = particle_ops;
    ops.gaps = nan_gaps;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    experiment->model->ops = &ops;
    carom_run_request request = {.experiment = experiment, .scheme_ops = &drift_scheme};
    carom_run_result result;
    carom_error error = {0};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "gap of contact 'floor'"));
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void the_mass_matrix_must_be_positive_definite(void **state)
{
    (void)state;
    change changed = no_change;
    changed.parameter[PARAMETER_MASS] = 0.0;
    expect_refused(&changed, (const char *[]){"not positive definite", "'y' is 0", "without inertia", NULL});
    changed.parameter[PARAMETER_MASS] = -2.5;
    expect_refused(&changed, (const char *[]){"'y' is -2.5", "negative mass", NULL});
    /* [2 2; 2 1.5]: the pivot after elimination is 1.5 - 2 */
    changed.parameter[PARAMETER_MASS] = 1.5;
    changed.parameter[PARAMETER_COUPLING] = 2.0;
    expect_refused(&changed, (const char *[]){"'y' is -0.5", NULL});
    changed.parameter[PARAMETER_MASS] = 2.5;
    expect_accepted(&changed);
}

static void the_mass_matrix_must_be_symmetric(void **state)
{
    (void)state;
    change changed = no_change;
    changed.parameter[PARAMETER_SKEW] = 1e-9;
    expect_refused(&changed, (const char *[]){"not symmetric", "('y', 'x')", "1e-09", NULL});
    changed.parameter[PARAMETER_SKEW] = 1e-11;
    expect_accepted(&changed);
    changed.parameter[PARAMETER_MASS] = 1e308;
    changed.parameter[PARAMETER_SKEW] = 1e308;
    changed.parameter[PARAMETER_COUPLING] = 1.7e308;
    expect_refused(&changed, (const char *[]){"entry ('y', 'x') is inf", "finite", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(initial_values_must_be_finite),
        cmocka_unit_test(violated_contacts_are_named),
        cmocka_unit_test(large_coordinates_allow_more_rounding),
        cmocka_unit_test(a_given_tolerance_replaces_the_default),
        cmocka_unit_test(a_gap_that_is_not_a_number_is_refused),
        cmocka_unit_test(the_mass_matrix_must_be_positive_definite),
        cmocka_unit_test(the_mass_matrix_must_be_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
