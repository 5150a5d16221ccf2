/* The model of a study. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/model.h"

static void has_parameters_of_its_own_and_nothing_that_moves(void **state)
{
    (void)state;
    char name[] = "mu", unit[] = "1";
    carom_parameter given = {.name = name, .unit = unit, .value = 0.3, .min = 0.0, .max = 1.0};
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_still_model_create(1, &given, &model, &error), CAROM_OK);
    name[0] = 'x'; /* the caller's text */
    assert_int_equal(carom_model_find_parameter(model, "mu"), 0);
    assert_string_equal(model->parameter[0].unit, "1");
    assert_null(model->parameter[0].doc);
    assert_true(model->parameter[0].value == 0.3);
    assert_int_equal(model->dof + model->contacts + model->joints, 0);
    carom_model_work *work = model->ops->work_create(model);
    assert_non_null(work);
    model->ops->bind(work, &given.value);
    assert_true(model->ops->energy(work, 0.0, NULL, NULL) == 0.0);
    model->ops->work_free(work);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(has_parameters_of_its_own_and_nothing_that_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
