#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "particle.h"
#include "run/plan.h"

static carom_run_request request_of(const carom_experiment *experiment)
{
    return (carom_run_request){.experiment = experiment, .scheme_ops = &drift_scheme};
}

static void expect_refused(const carom_run_request *request, const char *words[])
{
    run_plan plan;
    carom_error error = {0};
    assert_int_equal(run_plan_create(request, &plan, &error), CAROM_BAD_INPUT);
    for (int i = 0; words[i]; i++)
        if (!strstr(error.text, words[i]))
            fail_msg("'%s' is not in: %s", words[i], error.text);
    run_plan_free(&plan);
}

static long steps_for(double until, double h)
{
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    request.h = h;
    request.until = until;
    run_plan plan;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    long steps = plan.steps;
    run_plan_free(&plan);
    carom_experiment_free(experiment);
    return steps;
}

static void steps_are_rounded_up_but_not_for_rounding_errors(void **state)
{
    (void)state;
    assert_int_equal(steps_for(10.0, 1.0), 10);
    assert_int_equal(steps_for(10.0000001, 1.0), 10);
    assert_int_equal(steps_for(9.9999999, 1.0), 10);
    assert_int_equal(steps_for(10.00001, 1.0), 11);
    assert_int_equal(steps_for(9.5, 1.0), 10);
    assert_int_equal(steps_for(0.3, 0.1), 3);
    assert_int_equal(steps_for(1e-9, 1.0), 1);
    assert_int_equal(steps_for(1.0, 1e-12), 1000000000000L);
}

static void values_follow_the_parameters_in_use(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    run_plan plan;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    assert_true(plan.h == 0.125 && plan.t0 == 0.0 && plan.until == 1.0);
    assert_int_equal(plan.steps, 8);
    run_plan_free(&plan);

    double parameter[PARAMETER_COUNT] = {3.0, 0.0, 0.0, 0.25};
    request.parameter = parameter;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    assert_true(plan.h == 0.25);
    run_plan_free(&plan);

    /* A step size given for the run is also the parameter's value; the caller's array is left alone. */
    request.h = 0.5;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    assert_true(plan.h == 0.5 && plan.parameter[PARAMETER_H] == 0.5);
    assert_true(plan.values[experiment->h] == 0.5);
    assert_true(parameter[PARAMETER_H] == 0.25);
    run_plan_free(&plan);
    carom_experiment_free(experiment);
}

static void bad_times_say_where_they_come_from(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_value past = add_value(&built, -1.0), start = add_value(&built, NAN);
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);

    request.h = -0.5;
    expect_refused(&request, (const char *[]){"h = -0.5", "given for this run", "finite and > 0", NULL});
    request.h = INFINITY;
    expect_refused(&request, (const char *[]){"h = inf", "given for this run", NULL});
    request.h = NAN;
    experiment->parameter[PARAMETER_H] = 0.0;
    expect_refused(&request, (const char *[]){"h = 0", "parameter 'h'", NULL});
    experiment->parameter[PARAMETER_H] = 0.125;
    request.until = CAROM_ZERO;
    expect_refused(&request, (const char *[]){"end time = 0", "given for this run", "t0 = 0", NULL});
    request.until = 1e13;
    expect_refused(&request, (const char *[]){"8e+13 steps", "1e+12", NULL});
    request.until = NAN;
    experiment->until = past;
    expect_refused(&request, (const char *[]){"end time = -1", "from the experiment", NULL});
    experiment->until = CAROM_NO_VALUE;
    expect_refused(&request, (const char *[]){"no end time", NULL});
    experiment->t0 = start;
    expect_refused(&request, (const char *[]){"t0 = ", "finite", NULL});
    experiment->t0 = experiment->h = CAROM_NO_VALUE;
    expect_refused(&request, (const char *[]){"no step size", NULL});
    carom_experiment_free(experiment);
}

static void parameters_must_be_finite(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    experiment->parameter[PARAMETER_COUPLING] = NAN;
    expect_refused(&request, (const char *[]){"parameter 'coupling'", "nan", "finite", NULL});
    carom_experiment_free(experiment);
}

static void options_come_from_defaults_experiment_and_request(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_value four = add_value(&built, 4.0);
    carom_experiment *experiment = particle_end(&built);
    carom_scheme_choice choice[] = {{.name = "touch_from", .value = four},
                                    {.name = "touch_to", .value = four},
                                    {.name = "mood", .value = CAROM_NO_VALUE, .word = "shifted"}};
    experiment->choice_count = 3;
    experiment->choice = choice;
    const carom_option option[] = {{"touch_to", .word = "6"}, {"fail_at", 7.0}, {0}};
    carom_run_request request = request_of(experiment);
    request.option = option;
    run_plan plan;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    const double expected[OPTION_COUNT] = {7.0, 0.0, 4.0, 6.0, 2.0};
    assert_memory_equal(plan.option, expected, sizeof expected);
    run_plan_free(&plan);
    carom_experiment_free(experiment);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_value negative = add_value(&built, -4.0), half = add_value(&built, 0.5);
    carom_value three = add_value(&built, 3.0);
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    request.option = (carom_option[]){{"no_such_option", .word = "6"}, {0}};
    expect_refused(&request, (const char *[]){"'no_such_option'", "drift", "fail_at (default 0)",
                                              "mood (calm, no-start, shifted; default calm)", NULL});
    request.option = (carom_option[]){{"fail_at", .word = "-1"}, {0}};
    expect_refused(&request, (const char *[]){"fail_at", NULL});
    request.option = (carom_option[]){{"mood", .word = "angry"}, {0}};
    expect_refused(&request, (const char *[]){"mood", "calm", NULL});
    request.option = NULL;
    experiment->choice_count = 1;
    experiment->choice = &(carom_scheme_choice){.name = "fail_at", .value = negative};
    expect_refused(&request, (const char *[]){"fail_at", "-4", "from 0 to 1000000", NULL});
    experiment->choice = &(carom_scheme_choice){.name = "mood", .value = half};
    expect_refused(&request, (const char *[]){"mood", "0.5", "whole number", NULL});
    experiment->choice = &(carom_scheme_choice){.name = "mood", .value = three};
    expect_refused(&request, (const char *[]){"mood", "3", "from 0 to 2", NULL});
    experiment->choice = &(carom_scheme_choice){.name = "nobodys_option", .value = half};
    expect_refused(&request, (const char *[]){"'nobodys_option'", NULL});
    carom_experiment_free(experiment);
}

static void options_of_other_schemes_are_passed_over(void **state)
{
    (void)state;
    char *others = NULL;
    for (size_t i = 0; i < carom_scheme_count() && !others; i++)
        if (carom_scheme_at(i)->option_count > 0)
            others = (char *)carom_scheme_at(i)->options[0].name;
    assert_non_null(others);
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_scheme_choice choice = {.name = others, .value = 0};
    experiment->choice_count = 1;
    experiment->choice = &choice;
    carom_run_request request = request_of(experiment);
    run_plan plan;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    for (int i = 0; i < OPTION_COUNT; i++)
        assert_true(plan.option[i] == drift_options[i].value);
    run_plan_free(&plan);
    carom_experiment_free(experiment);
}

static void schemes_are_found_by_name(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = request_of(experiment);
    request.scheme_ops = NULL;
    expect_refused(&request, (const char *[]){"no scheme", NULL});
    experiment->scheme = (char *)"no-such-scheme";
    expect_refused(&request, (const char *[]){"no-such-scheme", NULL});
    request.scheme = "other-such-scheme";
    expect_refused(&request, (const char *[]){"other-such-scheme", NULL});
    experiment->model->dof = 1;
    request.scheme_ops = &drift_scheme;
    expect_refused(&request, (const char *[]){"drift takes two coordinates", NULL});
    carom_experiment_free(experiment);
}

/* 0 and NAN say that a time is not given; CAROM_ZERO is 0. */
static void times_that_are_not_given_are_the_experiments(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    const double nothing[] = {0.0, -0.0, NAN};
    for (int i = 0; i < 3; i++) {
        carom_run_request request = request_of(experiment);
        request.t0 = request.h = request.until = nothing[i];
        run_plan plan;
        assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
        assert_true(plan.h == 0.125 && plan.t0 == 0.0 && plan.until == 1.0);
        run_plan_free(&plan);
    }
    carom_run_request request = request_of(experiment);
    request.t0 = -1.0;
    request.until = CAROM_ZERO;
    run_plan plan;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    assert_true(plan.t0 == -1.0 && plan.until == 0.0 && plan.steps == 8);
    run_plan_free(&plan);
    request.h = CAROM_ZERO;
    expect_refused(&request, (const char *[]){"h = 0", "given for this run", NULL});
    carom_experiment_free(experiment);
}

static void a_model_alone_says_nothing_else(void **state)
{
    (void)state;
    particle_experiment built = particle_begin();
    carom_experiment *experiment = particle_end(&built);
    carom_run_request request = {.experiment = experiment, .model = experiment->model};
    expect_refused(&request, (const char *[]){"both an experiment and a model", NULL});
    request.experiment = NULL;
    expect_refused(&request, (const char *[]){"no step size", "a model alone", NULL});
    request.h = 0.5;
    expect_refused(&request, (const char *[]){"no end time", "a model alone", NULL});
    request.until = 2.0;
    expect_refused(&request, (const char *[]){"no scheme", "a model alone", NULL});
    request.scheme_ops = &drift_scheme;
    run_plan plan;
    assert_int_equal(run_plan_create(&request, &plan, NULL), CAROM_OK);
    assert_int_equal(plan.steps, 4);
    for (int i = 0; i < PARAMETER_COUNT; i++) /* defaults, not the experiment's values */
        assert_true(plan.parameter[i] == experiment->model->parameter[i].value);
    run_plan_free(&plan);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_that_are_not_given_are_the_experiments),
        cmocka_unit_test(a_model_alone_says_nothing_else),
        cmocka_unit_test(steps_are_rounded_up_but_not_for_rounding_errors),
        cmocka_unit_test(values_follow_the_parameters_in_use),
        cmocka_unit_test(bad_times_say_where_they_come_from),
        cmocka_unit_test(parameters_must_be_finite),
        cmocka_unit_test(options_come_from_defaults_experiment_and_request),
        cmocka_unit_test(bad_options_are_refused),
        cmocka_unit_test(options_of_other_schemes_are_passed_over),
        cmocka_unit_test(schemes_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
