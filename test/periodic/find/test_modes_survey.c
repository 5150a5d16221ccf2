/* All motions of the chain of two masses over a range of periods, from C; values of the reference tables. */
#include "test/periodic/modes_chain.h"

static void survey_of_two_masses(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    carom_mode_survey survey;
    carom_error error = {0};
    const carom_mode_survey_request request = {.impacts = {[1] = true, [2] = true}, .sticking = true};
    expect_ok(carom_survey_modes(basis, &request, &survey, &error), &error);
    assert_int_equal(survey.windows, 4);
    assert_near(survey.window[2].period[0], 3.9952583, 1e-6);
    assert_int_equal(survey.window[2].end[0], CAROM_END_JUNCTION);
    int ones = 0, twos = 0;
    for (int i = 0; i < survey.branches; i++) {
        ones += survey.branch[i].impacts == 1;
        twos += survey.branch[i].impacts == 2;
        assert_true(survey.branch[i].count > 0);
    }
    assert_true(ones == 4 && twos > 0);
    assert_int_equal(survey.stickings, 1);
    assert_near(survey.sticking[0].period, 4.0031736062, 1e-9);
    assert_false(survey.full);
    carom_mode_survey_free(&survey);
    carom_mode_basis_free(basis);
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)context, (void)done, (void)total;
    return false;
}

static void it_can_be_stopped(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    carom_mode_survey survey;
    carom_error error = {0};
    for (int sticking = 0; sticking < 2; sticking++) {
        const carom_mode_survey_request request = {
            .impacts = {[1] = !sticking}, .sticking = sticking, .progress = {.report = stop_at_once}};
        assert_int_equal(carom_survey_modes(basis, &request, &survey, &error), CAROM_INTERRUPTED);
        carom_mode_survey_free(&survey);
    }
    carom_mode_basis_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survey_of_two_masses),
        cmocka_unit_test(it_can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
